"""Equations as Unicode text for a terminal."""

from unicodedata import normalize

from mechstudio.model.equations.terms import (
    Block,
    Equations,
    Name,
    Trig,
)
from mechstudio.model.units import format_value
from mechstudio.symbolic.printers.line_breaks import in_lines
from mechstudio.symbolic.printers.printer import Language, Printer, in_line
from mechstudio.symbolic.ring.names import greek
from mechstudio.translation import Words, tr

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_DOTS = ("", "\u0307", "\u0308")
_PRIMES = ("", "′", "″", "‴")
_ELL = {"ell": "ℓ"}


def name(n: Name) -> str:
    """A symbol: letter, dots, subscript, power."""
    letter = _ELL.get(n.letter, greek(n.letter))
    # combining dots go over the first letter of a longer name
    shown = letter[0] + _DOTS[n.dots] + letter[1:]
    shown += _PRIMES[n.primes]
    return (
        shown + (f"_{greek(n.subscript).replace(' ', '_')}" if n.subscript else "") + power(n.power)
    )


def power(n: int) -> str:
    """An exponent, raised."""
    return "" if n == 1 else str(n).translate(_SUPERSCRIPTS)


def _function(f: Trig, inside: str) -> str:
    plain = len(f.argument) == 1 and not inside.startswith("−") and " " not in inside
    return f"{f.function}{power(f.power)}" + (f" {inside}" if plain else f"({inside})")


def _term(numerator: int, denominator: int, factors: list[str], _: list[str]) -> str:
    # "½ sin θ cos θ" reads well, "sin θ m" would not: functions stand last
    number = f"{numerator}/{denominator}" if denominator != 1 else str(numerator)
    return " ".join([number, *factors] if number != "1" or not factors else factors)


_PRINTER = Printer(
    Language(
        name=name,
        function=_function,
        bracket=lambda inside, n: f"({inside}){power(n)}",
        term=_term,
        sum=in_line("−"),
        divides=False,
    )
)
total, entry, row_equation = _PRINTER.sum, _PRINTER.entry, _PRINTER.equation


_TITLES: dict[str, Words] = {
    "M": "Mass matrix M(q)",
    "b": "Velocity terms b(q, q̇)",
    "g": "Gravity and springs g(q)",
    "tau": "Loads τ",
    "C": "Constraint rows C(q) = 0",
    "C_q": "Jacobian C_q",
    "gamma": "Right side γ of C_q q̈ = γ",
}
_METHODS: dict[str, Words] = {
    "lagrange": "Lagrange's",
    "projected": "Projected Newton-Euler",
    "newton-euler": "Newton-Euler",
}
ZERO_ROW: Words = "0 = 0 in every position: hyperstatic"


def structure(e: Equations) -> str:
    """The form of the equations in one line."""
    line = "M(q) q̈ + b(q, q̇) + g(q) = τ"
    if e.structure == "open":
        return line
    return tr("{line} + C_qᵀ λ,   C(q) = 0,   C_q q̈ = γ", line=line)


def _block(b: Block) -> list[str]:
    lines = [_TITLES[b.key]]
    for i, row in enumerate(b.rows):
        for j, cell in enumerate(row):
            if b.symmetric and j < i:
                continue
            place = f"{b.key}[{i + 1}]" if len(row) == 1 else f"{b.key}[{i + 1},{j + 1}]"
            if b.key == "C" and cell.is_zero:
                lines.append(f"  {place}: {tr(ZERO_ROW)}   ({b.labels[i]})")
            elif b.key == "C":
                lines.append(f"  {place} = {entry(cell)}   ({b.labels[i]})")
            elif not cell.is_zero or len(row) == 1 or b.symmetric:
                lines.append(f"  {place} = {entry(cell)}")
        if len(row) > 1 and all(c.is_zero for c in row):
            lines.append(f"  {b.key}[{i + 1},:] = 0")
    return lines


def printed(e: Equations) -> str:
    """Structure, equations row by row, entries, and the numbers behind the names."""
    lines = [
        tr("{method} equations: {structure}", method=_METHODS[e.method], structure=structure(e)),
        "",
    ]
    lines += [f"{name(u.position)}: {u.meaning}" for u in e.coordinates] + [""]
    if e.intermediates:
        lines.append(tr("Intermediates"))
        lines += [f"  {name(d.name)} = {entry(d.entry)}" for d in e.intermediates] + [""]
    if e.blocks:
        lines += [row_equation(e, i) for i in range(len(e.coordinates))] + [""]
        for b in e.blocks:
            lines += [*_block(b), ""]
    for d in e.definitions:
        lines.append(f"{name(d.name)} = {entry(d.entry)}")
    for f in e.functions:
        lines.append(
            f"{name(f.names[0])} = {name(f.names[0])}({total(f.argument.terms)}): {f.meaning}"
        )
    for k in e.known:
        formula = f"{entry(k.formula)} = " if k.formula is not None else ""
        value = format_value(k.shown, k.dimension, "m-N-rad")
        lines.append(f"{name(k.name)} = {formula}{value}   {k.meaning}")
    whole = normalize("NFC", "\n".join(lines)).split("\n")
    noted = normalize("NFC", "\n".join(["", *e.notes])).split("\n")
    return "\n".join([*in_lines(whole, quotes=False), *noted]).rstrip() + "\n"
