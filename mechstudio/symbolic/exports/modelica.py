"""Equations as a Modelica model of one class: parameters with values and units, equations, initial
values.

Loops stand as C_q a = gamma - 2 alpha (C_q v - u) - alpha^2 C, so that no tool has to
differentiate, and with the independent rows only, so that the multipliers are determined; u is what
drives prescribe.  Baumgarte 1972 for alpha.
"""

from collections.abc import Mapping, Sequence

from mechstudio.model.equations.terms import Block, Equations
from mechstudio.model.units import SYSTEMS
from mechstudio.symbolic.exports.arithmetic import arithmetic
from mechstudio.symbolic.exports.law_functions import Pieces, of_course
from mechstudio.symbolic.exports.program import program
from mechstudio.symbolic.exports.simulation import Course, Motion
from mechstudio.symbolic.exports.words import VECTORS, ascii_word, distinct, symbol_names
from mechstudio.symbolic.printers.printable import line
from mechstudio.symbolic.printers.printer import Printer

_KEYWORDS = (
    "algorithm and annotation block break class connect connector constant constrainedby der "
    "discrete each else elseif elsewhen encapsulated end "
    "enumeration equation expandable extends external false final flow for function if "
    "import impure in initial inner input loop model not operator "
    "or outer output package parameter partial protected public pure record redeclare "
    "replaceable return stream then true type when while within"
).split()
_OWN = (
    "time sin cos sqrt transpose zeros floor min max integer Real Integer Boolean String M b "
    "g_q tau C C_q gamma q v a u multipliers piecewise alpha experiment "
    "abs sign div mod rem exp log noEvent smooth delay cardinality homotopy semiLinear "
    "inStream sample pre edge change reinit assert terminate size ndims scalar vector "
    "matrix fill ones linspace diagonal identity product sum outerProduct symmetric cross "
    "skew actualStream getInstanceName spatialDistribution initial terminal"
).split()
ALPHA = 10.0  # 1/s: a gap in a loop closes within a few tenths of a second

_PIECEWISE = """  function piecewise "Value (0), slope (1) or curvature (2) of polynomial pieces: \
rows of where a piece begins and its coefficients; they repeat after a period, higher by an advance"
    input Real s;
    input Real x[:, 7];
    input Real period;
    input Real advance;
    input Integer order;
    output Real y;
  protected
    Integer k;
    Real u;
    Real turns;
  algorithm
    turns := 0.0;
    if period > 0.0 then
      turns := floor((s - x[1, 1])/period);
    end if;
    u := s - period*turns;
    k := 1;
    while k < size(x, 1) and u >= x[min(k + 1, size(x, 1)), 1] loop
      k := k + 1;
    end while;
    u := u - x[k, 1];
    if order == 0 then
      y := advance*turns + x[k, 2] + u*(x[k, 3] + u*(x[k, 4] + u*(x[k, 5] \
+ u*(x[k, 6] + u*x[k, 7]))));
    elseif order == 1 then
      y := x[k, 3] + u*(2.0*x[k, 4] + u*(3.0*x[k, 5] + u*(4.0*x[k, 6] + u*5.0*x[k, 7])));
    else
      y := 2.0*x[k, 4] + u*(6.0*x[k, 5] + u*(12.0*x[k, 6] + u*20.0*x[k, 7]));
    end if;
  end piecewise;
"""


def quoted(text: str) -> str:
    """A Modelica string."""
    return '"' + line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def unit_of(dimension: str, per_seconds: int = 0) -> str:
    """A unit as Modelica writes it, of a dimension or its rates."""
    symbol = (
        SYSTEMS["m-N-rad"].get(dimension, "").replace("·", ".").replace("²", "2").replace("³", "3")
        or "1"
    )
    return symbol + ("", "/s", "/s2")[per_seconds]


def printed(e: Equations, title: str, motion: Motion, functions: Mapping[str, Pieces]) -> str:
    """The model.   functions: of the drawing, by name."""
    model = ascii_word(title) or "mechanism"
    names = distinct(symbol_names(e), (*_KEYWORDS, *_OWN, model))
    kept = motion.kept
    laid = {**functions, **{c.name: of_course(c) for c in motion.courses if _is_bent(c)}}
    tables = distinct((f"{f}_pieces" for f in laid), (*names.values(), *_KEYWORDS, *_OWN, model))
    done = program(
        e,
        ("M", "b", "g", "tau", "C", "C_q", "gamma"),
        (*names.values(), *names, *tables.values(), *_KEYWORDS, *_OWN, model),
    )
    writer = arithmetic(names, "^")
    blocks = {b.key: b for b in done.blocks}
    following = {x: c for c in motion.courses for x in (c.name, c.acceleration) if x}
    out = [f"model {model} {quoted(f'{title}: equations of motion by mechstudio')}"]
    out += [f"  // {line(n)}" for n in (*e.notes, motion.remark, motion.ending) if n]
    for k in e.parameters:
        if k.name.name not in following:
            out.append(
                f"  parameter Real {names[k.name.name]}(unit = "
                f"{quoted(unit_of(k.dimension))}) = {_number(k.value)} {quoted(k.meaning)};"
            )
    if kept:
        out.append(
            f'  parameter Real alpha(unit = "1/s") = {ALPHA!r} "How fast a gap in a loop closes";'
        )
    if laid:
        out.append(_PIECEWISE.rstrip("\n"))
    for name, p in laid.items():
        out.append(
            f"  parameter Real {tables[f'{name}_pieces']}[{len(p.rows)}, 7] = ["
            + "; ".join(", ".join(map(_number, row)) for row in p.rows)
            + "];"
        )
    for k, u in enumerate(e.coordinates):
        for name, unit, start, what in (
            (u.position, unit_of(u.dimension), motion.q[k], u.meaning),
            (u.velocity, unit_of(u.dimension, 1), motion.v[k], f"rate: {u.meaning}"),
        ):
            out.append(
                f"  Real {names[name.name]}(unit = {quoted(unit)}, start = {_number(start)}, "
                f"fixed = true) {quoted(what)};"
            )
        out.append(
            f"  Real {names[u.acceleration.name]}(unit = {quoted(unit_of(u.dimension, 2))}) "
            f"{quoted(f'acceleration: {u.meaning}')};"
        )
    closing = next((b for b in e.blocks if b.key == "C"), None)
    for k in kept:
        assert closing is not None
        out.append(
            f"  Real {names[e.multipliers[k].name]} {quoted(f'multiplier of {closing.labels[k]}')};"
        )
    for k in e.parameters:
        if k.name.name in following:
            out.append(
                f"  Real {names[k.name.name]}(unit = {quoted(unit_of(k.dimension))}) "
                f"{quoted(k.meaning)};"
            )
    out.append("protected")
    out += [f"  Real {names.get(s.name, s.name)};" for s in done.steps]
    n, m = len(e.coordinates), len(kept)
    sizes = [("M", f"{n}, {n}"), *((key, str(n)) for key in ("b", "g_q", "tau", "v", "a"))]
    if m:
        sizes += [
            ("C", str(m)),
            ("C_q", f"{m}, {n}"),
            ("gamma", str(m)),
            ("u", str(m)),
            ("multipliers", str(m)),
        ]
    out += [f"  Real {key}[{size}];" for key, size in sizes]
    out.append("equation")
    for u in e.coordinates:
        position, velocity, acceleration = (
            names[x.name] for x in (u.position, u.velocity, u.acceleration)
        )
        out += [f"  der({position}) = {velocity};", f"  der({velocity}) = {acceleration};"]
    out.append(f"  v = {{{', '.join(names[u.velocity.name] for u in e.coordinates)}}};")
    out.append(f"  a = {{{', '.join(names[u.acceleration.name] for u in e.coordinates)}}};")
    for c in motion.courses:
        for x, order in ((c.name, 0), (c.acceleration, 2)):
            if x in names:
                out.append(f"  {names[x]} = {_course(c, order, tables)};")
    for s in done.steps:
        value = writer.sum(s.terms)
        if s.function == "pieces":
            pieces = functions[s.of]
            out.append(
                f"  {names.get(s.name, s.name)} = piecewise({value}, {tables[f'{s.of}_pieces']}, "
                f"{_number(pieces.period)}, {_number(pieces.advance)}, {s.order});"
            )
            continue
        out.append(
            f"  {names.get(s.name, s.name)} = {f'{s.function}({value})' if s.function else value};"
        )
    for key in ("M", "b", "g", "tau"):
        out += _entries(blocks[key], range(n), writer)
    if m:
        out.append(f"  multipliers = {{{', '.join(names[e.multipliers[k].name] for k in kept)}}};")
        for key in ("C", "C_q", "gamma"):
            out += _entries(blocks[key], kept, writer)
        for i, k in enumerate(kept, 1):
            course = motion.driven.get(k)
            out.append(f"  u[{i}] = {_course(course, 1, tables) if course else '0.0'};")
            hold = (
                f"alpha*C[{i}]"
                if k in motion.rolling
                else f"2.0*alpha*(C_q[{i}, :]*v - u[{i}]) - alpha^2*C[{i}]"
            )
            out.append(f"  C_q[{i}, :]*a = gamma[{i}] - {hold};")
        out.append("  M*a + b + g_q = tau + transpose(C_q)*multipliers;")
    else:
        out.append("  M*a + b + g_q = tau;")
    out.append(
        f"  annotation(experiment(StopTime = {_number(motion.duration)}, Tolerance = 1e-8));"
    )
    return "\n".join([*out, f"end {model};"]) + "\n"


def _number(value: float) -> str:
    return repr(float(value))


def _is_bent(c: Course) -> bool:
    """True if a course is more than a straight line."""
    return any(c.curvatures) or any(abs(r - c.rates[0]) > 1e-12 * abs(c.rates[0]) for r in c.rates)


def _course(c: Course, order: int, tables: Mapping[str, str]) -> str:
    """A course as an expression of the time."""
    x, u = c.values[0], c.rates[0]
    if _is_bent(c):
        return f"piecewise(time, {tables[f'{c.name}_pieces']}, 0.0, 0.0, {order})"
    return (f"{_number(x)} + ({_number(u)})*time" if u else _number(x), _number(u), "0.0")[order]


def _entries(b: Block, rows: Sequence[int], writer: Printer) -> list[str]:
    out = []
    for i, k in enumerate(rows, 1):
        for j, cell in enumerate(b.rows[k], 1):
            place = f"{i}, {j}" if b.key in ("M", "C_q") else f"{i}"
            mirrored = b.symmetric and j < i
            name = VECTORS.get(b.key, b.key)
            out.append(
                f"  {name}[{place}] = "
                f"{f'{name}[{j}, {i}]' if mirrored else writer.sum(cell.terms)};"
            )
    return out
