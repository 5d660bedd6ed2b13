"""Equations as a script that rebuilds the matrices in SymPy."""

from collections.abc import Mapping, Sequence

from mechstudio.model.equations.terms import Entry, Equations
from mechstudio.symbolic.exports.words import VECTORS, distinct, symbol_names
from mechstudio.symbolic.printers.line_breaks import WIDTH, broken, in_lines
from mechstudio.symbolic.printers.printable import line
from mechstudio.symbolic.printers.printer import Printer
from mechstudio.symbolic.printers.python import FUNCTIONS, code_meaning, functions_of, language

# names that the script itself uses, and names with a fixed meaning for users of SymPy
_OWN = (
    f"{' '.join(FUNCTIONS)} Add Matrix Rational symbols zeros q v a multipliers functions "
    "M b g_q tau C C_q gamma parameters values False None True and as assert async await break "
    "class continue def del elif else except finally for from global if import in is lambda "
    "intermediates intermediate_symbols "
    "nonlocal not or pass raise return try while with yield pi E I S N print"
).split()
_LONGEST = 60  # terms in one line of text; the interpreter recurses along a sum
_KEYS = ("M", "b", "g", "tau", "C", "C_q", "gamma")

_HEAD = '''"""{title}: equations of motion by mechstudio, for SymPy.  SI units; angles in radians.

    M(q) a + b(q, v) + g_q(q) = tau + C_q(q)^T lambda,   C(q) = 0,   C_q a = gamma
{notes}
"""

from sympy import Add, Matrix, Rational, {functions}, symbols, zeros

'''


_INTERMEDIATES = """
# The entries are made of intermediates: pairs (symbol, expression), in order.  Numbers:
#   lambdify((q, v, parameters), M, cse=lambda entries: (intermediates, entries))
# One entry in closed form, which may be very long:
#   for symbol, expression in reversed(intermediates): entry = entry.subs(symbol, expression)"""

_PRESCRIBED = "# what laws prescribe has no value here: give that of the instant"


def _term(numerator: int, denominator: int, factors: list[str], _: list[str]) -> str:
    """A product whose number stays exact."""
    number = f"Rational({numerator}, {denominator})" if denominator != 1 else str(numerator)
    return "*".join([number, *factors] if number != "1" or not factors else factors)


def printed(e: Equations, title: str) -> str:
    """A script with symbols q, v, a, multipliers, parameters, the matrices and values: {symbol: SI
    value} of all parameters that no law prescribes.
    """
    names = distinct(symbol_names(e), _OWN)
    writer = Printer(language(lambda name: names.get(name, name))._replace(term=_term))
    quoted = lambda text: line(text).replace("\\", "/").replace('"', "'")
    notes = "".join(f"\n    {quoted(n)}" for n in e.notes)
    out = [_HEAD.format(title=quoted(title), notes=notes, functions=functions_of(e))]
    slopes = ("", ", its slope", ", its curvature")
    meanings = {
        n.name: f"{f.meaning}{slopes[k]}, at {_sum(writer, f.argument)}"
        for f in e.functions
        for k, n in enumerate(f.names)
    }
    meanings |= {u.position.name: u.meaning for u in e.coordinates} | {
        k.name.name: code_meaning(k) for k in e.parameters
    }
    for variable, members in (
        ("q", [u.position.name for u in e.coordinates]),
        ("v", [u.velocity.name for u in e.coordinates]),
        ("a", [u.acceleration.name for u in e.coordinates]),
        ("multipliers", [m.name for m in e.multipliers]),
        ("parameters", [k.name.name for k in e.parameters]),
        ("functions", [n.name for f in e.functions for n in f.names]),
    ):
        out.append(_symbols(variable, members, names))
        out += [f"#   {names[m]}: {line(meanings[m])}" for m in members if m in meanings]
    out.append("")
    for d in e.formulas:
        out += broken(f"{names[d.name.name]} = {_sum(writer, d.entry)}")
    for d in e.definitions:
        out += broken(f"{names[d.name.name]} = sqrt({_sum(writer, d.entry)})")
    made = [d.name.name for d in e.intermediates]
    if made:
        out.append(_INTERMEDIATES)
        out.append(_symbols("intermediate_symbols", made, names))
        pairs = (f"    ({names[d.name.name]}, {_sum(writer, d.entry)})," for d in e.intermediates)
        rows = "".join(f"{x}\n" for x in in_lines(pairs))
        out.append(f"intermediates = [\n{rows}]\n")
    blocks = {b.key: b for b in e.blocks}
    for key in _KEYS:
        if key not in blocks:
            out.append(f"{key} = zeros(0, {len(e.coordinates) if key == 'C_q' else 1})")
            continue
        rows = ",\n".join(
            "\n".join(broken("    [" + ", ".join(_sum(writer, c) for c in row) + "]"))
            for row in blocks[key].rows
        )
        out.append(f"{VECTORS.get(key, key)} = Matrix([\n{rows}])\n")
    numbers = ", ".join(
        f"{names[k.name.name]}: {k.value!r}" for k in e.parameters if not k.prescribed
    )
    if any(k.prescribed for k in e.parameters):
        out.append(_PRESCRIBED)
    out += broken(f"values = {{{numbers}}}")
    return "\n".join(out) + "\n"


def _symbols(variable: str, members: Sequence[str], names: Mapping[str, str]) -> str:
    """The symbols keep their own names, whatever the script's variables are called."""
    if not members:
        return f"{variable} = ()"
    named = ", ".join(names[m] for m in members)
    line = f'{variable} = {named}, = symbols("{" ".join(members)}", real=True, seq=True)'
    if len(line) <= WIDTH:
        return line
    # a string in several is one
    parts = broken(" ".join(members), "", WIDTH - 8)
    strings = [f'    "{x} "' for x in parts[:-1]] + [f'    "{parts[-1]}",']
    left = broken(f"{variable} = ({named},) = symbols(")
    return "\n".join([*left, *strings, "    real=True, seq=True)"])


def _sum(writer: Printer, e: Entry) -> str:
    pieces = [e.terms[k : k + _LONGEST] for k in range(0, len(e.terms), _LONGEST)]
    return (
        writer.sum(e.terms)
        if len(pieces) < 2
        else "Add(" + ", ".join(writer.sum(piece) for piece in pieces) + ")"
    )
