"""The one function through which every shown string passes."""

import json

from mechstudio.application.resources import resource

_catalogue: dict[str, str] = {}


def set_language(code: str) -> None:
    """Use resources/translations/<code>.json, {English text: translation}; "en" is the text itself."""
    _catalogue.clear()
    if code != "en":
        _catalogue.update(json.loads(resource("translations", f"{code}.json").read_text(encoding="utf-8")))


def tr(text: str, /, **values: object) -> str:
    """The text in the user's language with {names} filled in; a text without translation is shown in English."""
    found = _catalogue.get(text, text)
    return found.format(**values) if values else found
