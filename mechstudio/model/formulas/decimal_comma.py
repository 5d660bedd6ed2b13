"""Decimal commas, as some languages type them; formulas are kept with points."""

from mechstudio.translation import has_decimal_comma


def with_points(text: str) -> str:
    """A typed text with points in place of decimal commas, where the language shown has them.
    Commas between the arguments of functions stay.
    """
    if not has_decimal_comma() or "," not in text:
        return text
    out: list[str] = []
    inside: list[bool] = []  # whether each open parenthesis is a function's
    for k, character in enumerate(text):
        before = text[k - 1] if k else ""
        if character == "(":
            inside.append(before.isalnum())
        elif character == ")" and inside:
            inside.pop()
        elif character == "," and before.isdigit() and not any(inside):
            character = "."
        out.append(character)
    return "".join(out)
