"""Equations as Python: expressions, JSON and a standalone NumPy module; all from the tree of
terms.
"""

import keyword
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mechstudio.model.equations.evaluation_order import evaluation_order, inside
from mechstudio.model.equations.terms import (
    PI,
    Block,
    Definition,
    Entry,
    Equations,
    Group,
    Known,
    Term,
    Trig,
    names_of_terms,
)
from mechstudio.symbolic.printers.line_breaks import WIDTH, assigned, broken, in_lines
from mechstudio.symbolic.printers.printer import Language, Printer
from mechstudio.translation import tr

FUNCTIONS = ("acos", "asin", "atan", "cos", "exp", "log", "sin", "sqrt", "tan")
_RESERVED = {
    "q",
    "v",
    "t",
    "np",
    *FUNCTIONS,
    "map",
    "float",
    "parameters",
    "equations",
    "forces",
    "values",
    "FUNCTIONS",
    "PARAMETERS",
    "COORDINATES",
    "M",
    "b",
    "g",
    "C",
    "C_q",
    "gamma",
    "tau",
    "readings",
    "law_readings",
    "_required",
}
_LONGEST_SUM = 100
NOTE = 96  # columns of a note in the docstring of a module
_KEYS = {
    "M": "mass_matrix",
    "b": "bias",
    "g": "gravity",
    "tau": "forces",
    "C": "constraints",
    "C_q": "jacobian",
    "gamma": "gamma",
}


def power(base: str, n: int) -> str:
    """A whole power of something."""
    return base if n == 1 else f"{base}**{n}" if n > 0 else f"{base}**({n})"


def _term(numerator: int, denominator: int, factors: list[str], _: list[str]) -> str:
    number = [str(numerator)] if numerator != 1 or not factors else []
    return "*".join([*number, *factors]) + (f"/{denominator}" if denominator != 1 else "")


def language(name: Callable[[str], str] = str, hoisted: Mapping[tuple, str] = {}) -> Language:
    """Python expressions.

    name: what a symbol is called.  hoisted: what a sine or cosine that has been computed is called,
    by function and argument.
    """
    return Language(
        name=lambda n: power(name(n.name), n.power),
        function=lambda f, inside: power(
            hoisted.get((f.function, f.argument)) or f"{f.function}({inside})", f.power
        ),
        bracket=lambda inside, n: power(f"({inside})", n),
        term=_term,
        divides=False,
    )


def _local(name: str) -> str:
    """A symbol as a variable of the module: with an underscore where Python or the module uses its
    name.
    """
    return name + "_" if keyword.iskeyword(name) or name in _RESERVED else name


def expression(entry: Entry) -> str:
    """An entry as an expression that Python and SymPy read."""
    return Printer(language()).entry(entry)


def as_json(e: Equations) -> dict[str, Any]:
    """The same entries as strings; columns as lists, matrices as lists of rows; None for the value
    of what a law prescribes.
    """
    out: dict[str, Any] = {
        "method": e.method,
        "structure": e.structure,
        "complete": bool(e.blocks),
        "symbols": {
            "q": [u.position.name for u in e.coordinates],
            "v": [u.velocity.name for u in e.coordinates],
            "a": [u.acceleration.name for u in e.coordinates],
            "parameters": [k.name.name for k in e.parameters],
            "multipliers": [m.name for m in e.multipliers],
        },
        "values": {k.name.name: None if k.prescribed else k.value for k in e.parameters},
    }
    for key, name in _KEYS.items():
        block = next((b for b in e.blocks if b.key == key), None)
        if block is None:
            out[name] = []
        elif key in ("M", "C_q"):
            out[name] = [[expression(c) for c in row] for row in block.rows]
        else:
            out[name] = [expression(row[0]) for row in block.rows]
    closing = next((b for b in e.blocks if b.key == "C"), None)
    out["rows"] = list(closing.labels) if closing else []
    out["functions"] = {
        f.names[0].name: {
            "of": expression(f.argument),
            "derivatives": [n.name for n in f.names[1:]],
            "meaning": f.meaning,
        }
        for f in e.functions
    }
    out["definitions"] = {d.name.name: f"sqrt({expression(d.entry)})" for d in e.definitions}
    out["following"] = {d.name.name: expression(d.entry) for d in e.formulas}
    out["meanings"] = {u.position.name: u.meaning for u in e.coordinates} | {
        k.name.name: k.meaning for k in e.known
    }
    out["notes"] = list(e.notes)
    return out


def trigs(entries: Iterable[Entry]) -> list[Trig]:
    """Every sine and cosine once, and any other function of the formulas of numbers."""
    found: dict[tuple, Trig] = {}

    def walk(terms: tuple[Term, ...]) -> None:
        for t in terms:
            for f in t.factors:
                if isinstance(f, Trig):
                    found.setdefault((f.function, f.argument), f)
                    walk(f.argument)
                elif isinstance(f, Group):
                    walk(f.terms)

    for entry in entries:
        walk(entry.terms)
    return list(found.values())


_PREAMBLE = '''"""Equations of motion by mechstudio.  SI units; angles in radians.

    M(q) a + b(q, v) + g(q) = tau + C_q(q)^T lambda,   C(q) = 0,   C_q a = gamma
{coordinates}{notes}
"""

from math import {functions}

import numpy as np

{names}
PARAMETERS = {{{parameters}}}


def values(parameters=None):
    """Values of the parameters: given by name over those of the drawing, \
or all of them in order."""
    if parameters is None:
        return tuple(PARAMETERS.values())
    if hasattr(parameters, "keys"):
        unknown = set(parameters) - set(PARAMETERS)
        if unknown:
            raise KeyError(f"There is no parameter {{sorted(unknown)[0]}}; known are \
{{', '.join(PARAMETERS)}}.")
        return tuple({{**PARAMETERS, **parameters}}.values())
    if len(parameters) != len(PARAMETERS):
        raise ValueError(f"{{len(PARAMETERS)}} parameters are needed, not {{len(parameters)}}.")
    return tuple(parameters)
'''
# beside parameters that laws prescribe
_REQUIRED = '''

def _required(prescribed):
    """Refuse to compute with what a law prescribes unless it is given."""
    missing = [name for name, value in prescribed.items() if value is None]
    if missing:
        raise ValueError(f"A law prescribes {', '.join(missing)}: give the value at the instant, \
as in parameters={dict.fromkeys(missing, 1.0)}.")
'''


def functions_of(e: Equations) -> str:
    """The functions and numbers of mathematics that equations are written with, as imported."""
    found = {"cos", "sin", "sqrt"}
    found |= {PI for d in e.formulas for n in names_of_terms(d.entry.terms) if n.name == PI}
    found |= {f.function for f in trigs(d.entry for d in e.formulas)}
    return ", ".join(sorted(found))


def _line(words: str) -> str:
    """Words of the user for a comment or a docstring: one line, nothing that ends a string."""
    return " ".join(words.split()).replace("\\", "/").replace('"', "'")


def code_meaning(known: Known) -> str:
    """The meaning of a parameter beside its number in code."""
    if not known.prescribed:
        return known.meaning
    return tr("{meaning}: give its value at the instant", meaning=known.meaning)


def source(e: Equations) -> str:
    """A module with equations(q, v, t, parameters) -> (M, b, g, C, C_q, gamma) and forces(q, v, t,
    parameters) -> tau.  Its functions raise ValueError where they need the value of a parameter
    that a law prescribes and that is not given.
    """
    names = tuple(u.position.name for u in e.coordinates)
    parameters = "".join(
        f"\n    {k.name.name!r}: {None if k.prescribed else k.value!r},  # {_line(code_meaning(k))}"
        for k in e.parameters
    )
    described = "".join(f"\n    {u.position.name}: {_line(u.meaning)}" for u in e.coordinates)
    blocks = {b.key: b for b in e.blocks}
    n = len(names)
    empty = {"C": "np.zeros(0)", "C_q": f"np.zeros((0, {n}))", "gamma": "np.zeros(0)"}
    parts = [
        _PREAMBLE.format(
            functions=functions_of(e),
            coordinates=described,
            notes="".join(f"\n\n{textwrap.fill(_line(note), NOTE)}" for note in e.notes),
            names="\n".join(broken(f"COORDINATES = {names!r}")),
            parameters=parameters + ("\n" if parameters else ""),
        )
    ]
    if any(k.prescribed for k in e.parameters):
        parts[0] += _REQUIRED
    if e.functions:
        described = "".join(
            f"\n    {f.names[0].name!r}: None,  # {_line(f.meaning)}" for f in e.functions
        )
        parts.append(
            "# each f(s) -> (f, f', f'') of these must be put in before use\nFUNCTIONS = "
            f"{{{described}\n}}\n"
        )
    parts.append(
        _function(
            e,
            "equations",
            "M, b, g, C, C_q, gamma",
            [blocks[k] for k in ("M", "b", "g", "C", "C_q", "gamma") if k in blocks],
            {k: v for k, v in empty.items() if k not in blocks},
            f"(M ({n}, {n}), b ({n},), g ({n},), C (m,), C_q (m, {n}), gamma (m,)) at q, v ({n},).",
        )
    )
    parts.append(
        _function(
            e,
            "forces",
            "tau",
            [blocks["tau"]] if "tau" in blocks else [],
            {},
            f"tau ({n},): motors, dampers and loads.",
        )
    )
    if "readings" in blocks:
        said = "What laws of forces read of the motion, with its rates, (k, 2)."
        parts.append(_function(e, "law_readings", "readings", [blocks["readings"]], {}, said))
    return "\n\n".join(parts)


def _function(
    e: Equations, name: str, result: str, blocks: list[Block], empty: dict[str, str], text: str
) -> str:
    lines = [f"def {name}(q, v, t=0.0, parameters=None):", f'    """{text}"""']
    hoisted: dict[tuple, str] = {}
    writer = Printer(language(_local, hoisted))
    for of, names in (
        ("q", [u.position for u in e.coordinates]),
        ("v", [u.velocity for u in e.coordinates]),
    ):
        lines += _unpacked([_local(n.name) for n in names], f"map(float, {of})")
    if e.parameters:
        lines += _unpacked([_local(k.name.name) for k in e.parameters], "values(parameters)")
    begin = len(lines)
    made = e.intermediates_of(blocks)
    entries = [c for b in blocks for row in b.rows for c in row]
    entries += [d.entry for d in made]
    read = {n.name for x in entries for n in names_of_terms(x.terms)}
    items = evaluation_order(e, read)
    read |= {n.name for x in items for n in names_of_terms(inside(x).terms)}
    for d in e.formulas_of(read):
        lines += assigned(f"    {_local(d.name.name)}", writer.sum(d.entry.terms))
    for k, f in enumerate(trigs([*map(inside, items), *entries])):
        local = f"_{f.function}{k}"
        lines += broken(f"    {local} = {f.function}({writer.sum(f.argument)})")
        hoisted[f.function, f.argument] = local
    call = lambda f: (
        f"    {', '.join(_local(n.name) for n in f.names)} = "
        f"FUNCTIONS[{f.names[0].name!r}]({writer.sum(f.argument.terms)})"
    )
    for x in items:
        if isinstance(x, Definition):
            lines += broken(f"    {_local(x.name.name)} = sqrt({writer.sum(x.entry.terms)})")
        else:
            lines += in_lines([call(x)])
    for d in made:
        lines += assigned(f"    {_local(d.name.name)}", writer.sum(d.entry.terms))
    for b in blocks:
        columns = len(b.rows[0])
        column = b.key not in ("M", "C_q", "readings")
        lines.append(f"    {b.key} = np.zeros({len(b.rows) if column else (len(b.rows), columns)})")
        for i, row in enumerate(b.rows):
            for j, cell in enumerate(row):
                if cell.is_zero:
                    continue
                at = f"{i}" if column else f"{i}, {j}"
                if b.symmetric and j < i:
                    lines.append(f"    {b.key}[{at}] = {b.key}[{j}, {i}]")
                    continue
                # Python's compiler recurses along a sum
                pieces = [
                    cell.terms[k : k + _LONGEST_SUM]
                    for k in range(0, len(cell.terms), _LONGEST_SUM)
                ]
                for k, piece in enumerate(pieces):
                    sign = "+=" if k else "="
                    lines += assigned(f"    {b.key}[{at}]", writer.sum(piece), sign)
    lines += [f"    {key} = {value}" for key, value in empty.items()]
    words = set(re.findall(r"\w+", "\n".join(lines[begin:])))
    needed = [k.name.name for k in e.parameters if k.prescribed and _local(k.name.name) in words]
    if needed:
        pairs = ", ".join(f"{name!r}: {_local(name)}" for name in needed)
        lines[begin:begin] = broken(f"    _required({{{pairs}}})")
    return "\n".join([*lines, f"    return {result}"]) + "\n"


def _unpacked(names: list[str], value: str) -> list[str]:
    line = f"    {', '.join(names)}, = {value}"
    return [line] if len(line) <= WIDTH else broken(f"    ({', '.join(names)},) = {value}")
