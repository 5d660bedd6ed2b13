"""Equations as LaTeX (amsmath)."""

from collections.abc import Iterable

from mechstudio.model.equations.terms import LISTS, Block, Equations, Name, Trig
from mechstudio.symbolic.printers.latex_lines import display
from mechstudio.symbolic.printers.printer import ARCS, Language, Printer
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
_TIMES = r" \, "


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
    """A symbol."""
    letter = _word(n.letter)
    if n.dots:
        letter = rf"\{'d' * n.dots}ot{{{letter}}}"
    letter += "'" * n.primes
    subscript = r"\,".join(_word(part) for part in n.subscript.split())
    return letter + (f"_{{{subscript}}}" if subscript else "") + _power(n.power)


def _power(n: int) -> str:
    return f"^{{{n}}}" if n != 1 else ""


def _function(f: Trig, inside: str) -> str:
    if f.function == "sqrt":
        return f"\\sqrt{{{inside}}}" if f.power == 1 else f"{{\\sqrt{{{inside}}}}}^{{{f.power}}}"
    bare = len(f.argument) == 1 and f.argument[0].numerator == 1
    argument = f" {inside}" if bare else rf"\left({inside}\right)"
    return rf"\{ARCS.get(f.function, f.function)}{_power(f.power)}{argument}"


def _term(numerator: int, denominator: int, above: list[str], below: list[str]) -> str:
    """A product; a number before several factors has a fraction line of its own."""
    number, divided = str(numerator), bool(below)
    if numerator != 1 or not above:
        above = [number, *above]
    if denominator != 1:
        below = [str(denominator), *below]
    if not below:
        return _TIMES.join(above)
    if not divided and len(above) > 1:
        rest = above if numerator == 1 else above[1:]
        return rf"\frac{{{number}}}{{{denominator}}} " + _TIMES.join(rest)
    return rf"\frac{{{_TIMES.join(above)}}}{{{' '.join(below)}}}"


def _matrix(rows: list[list[str]]) -> str:
    inside = " \\\\\n  ".join(" & ".join(row) for row in rows)
    return f"\\begin{{bmatrix}}\n  {inside}\n\\end{{bmatrix}}"


_PRINTER = Printer(
    Language(
        name=name,
        function=_function,
        bracket=lambda inside, n: rf"\left({inside}\right){_power(n)}",
        term=_term,
        matrix=_matrix,
    )
)
total, entry, matrix = _PRINTER.sum, _PRINTER.entry, _PRINTER.matrix
row_equation = _PRINTER.equation


def heading(block: Block) -> str:
    """Text to the left of a matrix."""
    return (
        name(block.name)
        if block.name is not None
        else _HEADINGS.get(block.key, rf"\text{{{plain(block.heading)}}}")
    )


def structure(e: Equations) -> str:
    """The equations of motion in their structure."""
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


def part(e: Equations, key: str) -> str:
    """One part as it is copied: a block by its key, or "structure", "rows", "coordinates",
    "intermediates", "definitions", "parameters", "following".  Raises KeyError.
    """
    if key == "structure":
        return _display(structure(e))
    if key == "rows":
        return "\n".join(_display(row_equation(e, i)) for i in range(len(e.coordinates)))
    if key == "coordinates":
        return _display(f"q = {_column(u.position for u in e.coordinates)}")
    if key in LISTS:
        return "\n".join(_display(f"{name(d.name)} = {entry(d.entry)}") for d in e.listed(key))
    if key == "parameters":
        return "\n".join(
            f"% {k.name.name}{'' if k.prescribed else f' = {k.value:.10g} (SI)'}: "
            f"{' '.join(k.meaning.split())}"
            for k in e.known
        )
    block = e.block(key)
    return _display(f"{heading(block)} = {matrix(block)}{' = 0' if key == 'C' else ''}")


def listed(block: Block) -> list[str]:
    """The entries of a block that are not zero, a formula each."""
    letter = _HEADINGS[block.key].partition("(")[0]
    single = len(block.rows[0]) == 1
    out = []
    for i, row in enumerate(block.rows):
        for j, cell in enumerate(row):
            if not cell.is_zero and not (block.symmetric and j < i):
                at = str(i + 1) if single else rf"{i + 1}\,{j + 1}"
                place = f"C_{{q\\,{at}}}" if block.key == "C_q" else f"{letter}_{{{at}}}"
                zero = " = 0" if block.key == "C" else ""
                out.append(f"{place} = {entry(cell)}{zero}")
    return out or [f"{heading(block)} = 0"]


def printed(e: Equations) -> str:
    """Intermediates and blocks as display equations, then definitions and numbers as comments;
    where there are intermediates, the entries of blocks stand one below the other.
    """
    out = [part(e, key) for key in ("structure", "coordinates")]
    out += [display(f"{name(d.name)} = {entry(d.entry)}") for d in e.intermediates]
    # matrices of long entries would be wider than any page
    for b in e.blocks:
        out += map(display, listed(b)) if e.intermediates else [part(e, b.key)]
    if e.multipliers:
        out.append(_display(rf"\lambda = {_column(e.multipliers)}"))
    out += [display(f"{name(d.name)} = {entry(d.entry)}") for d in e.definitions]
    out += [display(f"{name(d.name)} = {entry(d.entry)}") for d in e.formulas]
    if e.known:
        out.append(part(e, "parameters"))
    return "\n".join([*out, *(f"% {' '.join(n.split())}" for n in e.notes)]) + "\n"
