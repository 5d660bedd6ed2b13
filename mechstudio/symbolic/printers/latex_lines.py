"""Long formulas in LaTeX, which measures nothing here: about how wide they are, and their lines."""

import re

LINE = 78.0  # letters of a formula that stand in a line
SMALL = 0.7  # of a letter in a subscript
_COMMAND = re.compile(r"\\(?:d*dot|mathrm|text|left|right|bigl|bigr|frac|mathsf)|\\[,;!]|[{} ]")
_WORD = re.compile(r"\\[a-zA-Z]+")
_SUBSCRIPT = re.compile(r"_\{((?:[^{}]|\{[^{}]*\})*)\}")
_FUNCTION = re.compile(r"\\(?:sin|cos|tan)(?:\^\{\d+\})?\\bigl$")
_SIGNS = (" + ", " - ", " = ")


def length(part: str) -> float:
    """Letters that a part of a formula is wide, about."""
    small = sum(len(_COMMAND.sub("", found)) for found in _SUBSCRIPT.findall(part))
    whole = len(_WORD.sub("x", _COMMAND.sub("", part)))
    return whole - (1.0 - SMALL) * small


def _pieces(formula: str) -> list[str]:
    """A formula cut before each plus, minus and equals sign that stands neither in a group of
    braces nor in the argument of a function.
    """
    out: list[str] = []
    depth, start = 0, 0
    brackets: list[bool] = []  # open ones: those of functions
    for k, c in enumerate(formula):
        depth += (c == "{") - (c == "}")
        if c == "(":
            brackets.append(_FUNCTION.search(formula, 0, k) is not None)
        elif c == ")" and brackets:
            brackets.pop()
        whole = depth == 0 and not any(brackets)
        if whole and k > start and formula.startswith(_SIGNS, k):
            out.append(formula[start:k])
            start = k + 1
    return [*out, formula[start:]]


def broken(formula: str) -> list[str]:
    """A formula in lines that fit a page; brackets that may stand in two of them have one size."""
    if length(formula) <= LINE:
        return [formula]
    flat = formula.replace(r"\left(", r"\bigl(").replace(r"\right)", r"\bigr)")
    out: list[str] = []
    for piece in _pieces(flat):
        if out and length(out[-1]) + length(piece) <= LINE:
            out[-1] += f" {piece}"
        else:
            out.append(piece)
    return out


def display(formula: str) -> str:
    """A displayed formula, over several lines where it is long."""
    rows = broken(formula)
    if len(rows) == 1:
        return rf"\[ {formula} \]"
    # an empty term before a sign makes it one between two terms
    inside = " \\\\\n  & \\quad {} ".join(rows)
    return f"\\begin{{align*}}\n  & {inside}\n\\end{{align*}}"
