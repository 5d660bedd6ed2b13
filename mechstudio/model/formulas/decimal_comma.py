"""Decimal commas, as some languages have them; formulas are kept with points."""

from mechstudio.translation import has_decimal_comma


def with_points(text: str) -> str:
    """A typed text with points in place of decimal commas, where the language shown has them.
    Commas between the arguments of functions stay.
    """
    return _exchanged(text, ",", ".")


def with_commas(text: str) -> str:
    """A formula for the eye, with decimal commas where the language shown has them; `with_points`
    takes it back.  Between the parentheses of a function, whose arguments have commas between
    them, decimals keep their points.
    """
    return _exchanged(text, ".", ",")


def _exchanged(text: str, sign: str, other: str) -> str:
    if not has_decimal_comma() or sign not in text:
        return text
    out: list[str] = []
    inside: list[bool] = []  # whether each open parenthesis is a function's
    for k, character in enumerate(text):
        before, after = text[k - 1] if k else "", text[k + 1 : k + 2]
        if character == "(":
            inside.append(before.isalnum())
        elif character == ")" and inside:
            inside.pop()
        elif character == sign and before.isdigit() and not (after.isalpha() or any(inside)):
            character = other
        out.append(character)
    return "".join(out)
