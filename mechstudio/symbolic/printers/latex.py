"""Equations as LaTeX (amsmath)."""

from collections.abc import Iterable

import msgspec

from mechstudio.model.equations.terms import (
    Block,
    Entry,
    Equations,
    Factor,
    Name,
    Term,
    Trig,
    written_row,
)
from mechstudio.symbolic.printers.sums import written_sum
from mechstudio.symbolic.ring.names import GREEK

_HEADINGS = {
    "M": "M(q)",
    "b": r"b(q, \dot q)",
    "g": "g(q)",
    "tau": r"\tau",
    "C": "C(q)",
    "C_q": "C_q",
    "gamma": r"\gamma",
}
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\^{}",
    "~": r"\~{}",
}


def plain(text: str) -> str:
    """Words for LaTeX's text mode."""
    return "".join(_SPECIAL.get(c, c) for c in text)


def _word(text: str) -> str:
    """A subscript or a long letter: Greek and single characters in italics, words upright, as text
    where they are more than letters.
    """
    if text in GREEK or text == "ell":
        # the letter that other documents show as φ; \phi is the straight one
        return "\\varphi" if text == "phi" else "\\" + text
    if text.isascii() and text.isalnum():
        return text if len(text) == 1 or text.isdigit() else rf"\mathrm{{{text}}}"
    return text if len(text) == 1 and text.isalpha() else rf"\text{{{plain(text)}}}"


def name(n: Name) -> str:
    letter = _word(n.letter)
    if n.dots:
        letter = rf"\{'d' * n.dots}ot{{{letter}}}"
    letter += "'" * n.primes
    subscript = r"\,".join(_word(part) for part in n.subscript.split())
    return (
        letter
        + (f"_{{{subscript}}}" if subscript else "")
        + (f"^{{{n.power}}}" if n.power != 1 else "")
    )


def factor(f: Factor) -> str:
    if isinstance(f, Name):
        return name(f)
    power = f"^{{{f.power}}}" if f.power != 1 else ""
    if isinstance(f, Trig):
        inside = total(f.argument)
        bare = (
            len(f.argument) == 1
            and abs(f.argument[0].numerator) == 1
            and f.argument[0].numerator > 0
        )
        return (
            rf"\{f.function}{power} {inside}"
            if bare
            else rf"\{f.function}{power}\left({inside}\right)"
        )
    return rf"\left({total(f.terms)}\right){power}"


def term(t: Term) -> str:
    """A product without its sign; negative powers go below the line."""
    above = [factor(f) for f in t.factors if f.power > 0]
    below = [factor(_inverted(f)) for f in t.factors if f.power < 0]
    if abs(t.numerator) != 1 or not above:
        above.insert(0, str(abs(t.numerator)))
    if t.denominator != 1:
        below.insert(0, str(t.denominator))
    top = r" \, ".join(above)
    if not below:
        return top
    if not any(f.power < 0 for f in t.factors) and len(above) > 1:
        number, rest = (str(abs(t.numerator)), above[1:]) if abs(t.numerator) != 1 else ("1", above)
        return rf"\frac{{{number}}}{{{t.denominator}}} " + r" \, ".join(rest)
    return rf"\frac{{{top}}}{{{' '.join(below)}}}"


def _inverted(f: Factor) -> Factor:
    return msgspec.structs.replace(f, power=-f.power)


def total(terms: tuple[Term, ...]) -> str:
    return written_sum(terms, term, "-")


def entry(e: Entry) -> str:
    return total(e.terms)


def matrix(block: Block) -> str:
    rows = " \\\\\n  ".join(" & ".join(entry(c) for c in row) for row in block.rows)
    return f"\\begin{{bmatrix}}\n  {rows}\n\\end{{bmatrix}}"


def heading(block: Block) -> str:
    """Text to the left of a matrix."""
    return (
        name(block.name)
        if block.name is not None
        else _HEADINGS.get(block.key, rf"\text{{{plain(block.heading)}}}")
    )


def structure(e: Equations) -> str:
    line = r"M(q)\,\ddot q + b(q, \dot q) + g(q) = \tau"
    return (
        line
        if e.structure == "open"
        else line + r" + C_q^{\mathsf T} \lambda, \qquad C(q) = 0, \qquad C_q\,\ddot q = \gamma"
    )


def _column(names: Iterable[Name]) -> str:
    return "\\begin{bmatrix} " + r" \\ ".join(name(n) for n in names) + " \\end{bmatrix}"


def _display(line: str) -> str:
    return f"\\[\n{line}\n\\]"


def row_equation(e: Equations, i: int) -> str:
    """Row i of the equations of motion, written out."""
    left, right = written_row(e, i)
    return f"{total(left)} = {total(right)}"


def part(e: Equations, key: str) -> str:
    """One part as it is copied: a block by its key, or "structure", "rows", "coordinates",
    "definitions", "parameters".  Raises KeyError.
    """
    if key == "structure":
        return _display(structure(e))
    if key == "rows":
        return "\n".join(_display(row_equation(e, i)) for i in range(len(e.coordinates)))
    if key == "coordinates":
        return _display(f"q = {_column(u.position for u in e.coordinates)}")
    if key == "definitions":
        return "\n".join(_display(f"{name(d.name)} = {entry(d.entry)}") for d in e.definitions)
    if key == "parameters":
        return "\n".join(
            f"% {k.name.name} = {k.value:.10g} (SI): {' '.join(k.meaning.split())}"
            for k in e.parameters
        )
    block = e.block(key)
    return _display(f"{heading(block)} = {matrix(block)}{' = 0' if key == 'C' else ''}")


def printed(e: Equations) -> str:
    """Every block as a display equation, then definitions and numbers as comments."""
    out = [part(e, key) for key in ("structure", "coordinates", *(b.key for b in e.blocks))]
    if e.multipliers:
        out.append(_display(rf"\lambda = {_column(e.multipliers)}"))
    out += [text for text in (part(e, "definitions"), part(e, "parameters")) if text]
    return "\n".join([*out, *(f"% {' '.join(n.split())}" for n in e.notes)]) + "\n"
