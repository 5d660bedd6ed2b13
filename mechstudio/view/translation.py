"""The one function through which every shown string passes."""


def tr(text: str, /, **values: object) -> str:
    """The text with {names} filled in.  English is the one language so far: translations would be
    looked up here.
    """
    return text.format(**values) if values else text
