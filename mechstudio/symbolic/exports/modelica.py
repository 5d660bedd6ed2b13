"""Equations as a Modelica model of one class: parameters with values and units, equations, initial
values.

Loops stand as C_q a = gamma - 2 alpha (C_q v - u) - alpha^2 C, so that no tool has to
differentiate, and with the independent rows only, so that the multipliers are determined; u is what
drives prescribe.  Baumgarte 1972 for alpha.  Where rows repeat others a function chooses among them
at each pose.
"""

from collections.abc import Mapping, Sequence

from mechstudio.model.equations.terms import Block, Equations
from mechstudio.model.units import SYSTEMS
from mechstudio.symbolic.exports.arithmetic import arithmetic
from mechstudio.symbolic.exports.law_functions import Pieces
from mechstudio.symbolic.exports.modelica_functions import PIECEWISE, SOLVED
from mechstudio.symbolic.exports.modelica_laws import (
    Lines,
    TimeLaw,
    motion_equations,
    number,
    time_laws,
)
from mechstudio.symbolic.exports.program import program
from mechstudio.symbolic.exports.simulation.course import Course
from mechstudio.symbolic.exports.simulation.motion import Motion
from mechstudio.symbolic.exports.words import (
    VECTORS,
    ascii_word,
    distinct,
    model_name,
    symbol_names,
)
from mechstudio.symbolic.methods.law_readings import READINGS
from mechstudio.symbolic.printers.line_breaks import in_lines
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
    "skew actualStream getInstanceName spatialDistribution initial terminal readings "
    "held solution solved true false tan asin acos atan atan2 if noEvent"
).split()
ALPHA = 10.0  # 1/s: a gap in a loop closes within a few tenths of a second


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
    return _Model(e, title, motion, functions).text()


class _Model:
    """A model as it is written, part by part."""

    def __init__(
        self, e: Equations, title: str, motion: Motion, functions: Mapping[str, Pieces]
    ) -> None:
        self.e, self.title, self.motion = e, title, motion
        self.name = model_name(title)
        self.names = distinct(symbol_names(e), (*_KEYWORDS, *_OWN, self.name))
        self.taken = {*self.names.values(), *self.names, *_KEYWORDS, *_OWN, self.name}
        self.functions = functions
        self.tables = {f: self.fresh(ascii_word(f"{f}_pieces")) for f in functions}
        self.laid = {self.tables[f]: pieces for f, pieces in functions.items()}
        self.lines = Lines([], [])
        self.laws = {c.name: self._time_law(c) for c in motion.courses if c.name in self.names}
        motion_equations(motion.laws, self.names, self.fresh, self.lines)
        self.program = program(e, ("M", "b", "g", "tau", "C", "C_q", "gamma", READINGS), self.taken)
        self.blocks = {b.key: b for b in self.program.blocks}
        self.writer = arithmetic(self.names, "^")
        # rows that are zero everywhere hold nothing
        rows = e.block("C_q").rows if e.multipliers else ()
        moving = [k for k, row in enumerate(rows) if not all(x.is_zero for x in row)]
        self.repeats = len(motion.kept) < len(moving)
        self.rows = moving if self.repeats else list(motion.kept)

    def fresh(self, stem: str) -> str:
        """A name that neither anything else has nor begins with."""
        name, k = stem, 1
        while any(x == name or x.startswith(f"{name}_") for x in self.taken):
            k += 1
            name = f"{stem}_{k}"
        self.taken.add(name)
        return name

    def _time_law(self, c: Course) -> TimeLaw:
        name = self.names[c.name]
        table = self.fresh(f"{name}_pieces")
        law = time_laws(c, name, table, self.fresh, self.lines)
        if law.pieces is not None:
            self.laid[table] = law.pieces
        return law

    def text(self) -> str:
        out = [f"model {self.name} {quoted(f'{self.title}: equations of motion by mechstudio')}"]
        remarks = (*self.e.notes, self.motion.remark, self.motion.jumps)
        out += [f"  // {line(n)}" for n in remarks if n]
        lines = (*self._parameters(), *self._variables(), "equation", *self._equations())
        out += in_lines("\n".join(lines).split("\n"))
        stop = number(self.motion.duration)
        out.append(f"  annotation(experiment(StopTime = {stop}, Tolerance = 1e-8));")
        return "\n".join([*out, f"end {self.name};"]) + "\n"

    # declarations

    def _followed(self) -> dict[str, float | None]:
        """Symbols that follow laws, with the start of those that are integrated."""
        found: dict[str, float | None] = {}
        for c in self.motion.courses:
            start = self.laws[c.name].start if c.name in self.laws else None
            found |= {x: None if order else start for x, order in c.symbols}
        for law in self.motion.laws.laws:
            found |= dict.fromkeys((law.name, law.rate))
        return found

    def _parameters(self) -> list[str]:
        e, names, followed = self.e, self.names, self._followed()
        out = [
            f"  parameter Real {names[k.name.name]}(unit = "
            f"{quoted(unit_of(k.dimension))}) = "
            f"{float(self.motion.held.get(k.name.name, k.value))!r} {quoted(k.meaning)};"
            for k in e.parameters
            if k.name.name not in followed
        ]
        if self.rows:
            meaning = "How fast a gap in a loop closes"
            out.append(f'  parameter Real alpha(unit = "1/s") = {ALPHA!r} "{meaning}";')
        if self.repeats:
            out.append(SOLVED.rstrip("\n"))
        if self.laid:
            out.append(PIECEWISE.rstrip("\n"))
        for table, p in self.laid.items():
            rows = "; ".join(", ".join(repr(float(x)) for x in row) for row in p.rows)
            out.append(f"  parameter Real {table}[{len(p.rows)}, 7] = [{rows}];")
        return out

    def _variables(self) -> list[str]:
        e, names, motion = self.e, self.names, self.motion
        out = []
        for k, u in enumerate(e.coordinates):
            for name, unit, start, what in (
                (u.position, unit_of(u.dimension), motion.q[k], u.meaning),
                (u.velocity, unit_of(u.dimension, 1), motion.v[k], f"rate: {u.meaning}"),
            ):
                out.append(
                    f"  Real {names[name.name]}(unit = {quoted(unit)}, start = {float(start)!r}, "
                    f"fixed = true) {quoted(what)};"
                )
            out.append(
                f"  Real {names[u.acceleration.name]}(unit = {quoted(unit_of(u.dimension, 2))}) "
                f"{quoted(f'acceleration: {u.meaning}')};"
            )
        labels = next((b.labels for b in e.blocks if b.key == "C"), ())
        out += [
            f"  Real {names[e.multipliers[k].name]} {quoted(f'multiplier of {labels[k]}')};"
            for k in self.rows
        ]
        followed = self._followed()
        for k in e.parameters:
            if k.name.name in followed:
                start = followed[k.name.name]
                begin = f", start = {float(start)!r}, fixed = true" if start is not None else ""
                out.append(
                    f"  Real {names[k.name.name]}(unit = {quoted(unit_of(k.dimension))}{begin}) "
                    f"{quoted(k.meaning)};"
                )
        out.append("protected")
        out += [f"  Real {names.get(s.name, s.name)};" for s in self.program.steps]
        out += [f"  Real {name}{modified};" for name, modified in self.lines.variables]
        n, m = len(e.coordinates), len(self.rows)
        sizes = [("M", f"{n}, {n}"), *((key, str(n)) for key in ("b", "g_q", "tau", "v", "a"))]
        if m:
            sizes += [("C", str(m)), ("C_q", f"{m}, {n}")]
            sizes += [(key, str(m)) for key in ("gamma", "u", "multipliers")]
        if self.repeats:
            sizes += [("held", str(m)), ("solution", str(n + m))]
        if READINGS in self.blocks:
            sizes.append((READINGS, f"{len(self.blocks[READINGS].rows)}, 2"))
        return [*out, *(f"  Real {key}[{size}];" for key, size in sizes)]

    # equations

    def _equations(self) -> list[str]:
        e, names, writer, blocks = self.e, self.names, self.writer, self.blocks
        out = []
        for u in e.coordinates:
            position, velocity, acceleration = (
                names[x.name] for x in (u.position, u.velocity, u.acceleration)
            )
            out += [f"  der({position}) = {velocity};", f"  der({velocity}) = {acceleration};"]
        out.append(f"  v = {{{', '.join(names[u.velocity.name] for u in e.coordinates)}}};")
        out.append(f"  a = {{{', '.join(names[u.acceleration.name] for u in e.coordinates)}}};")
        for s in self.program.steps:
            value = writer.sum(s.terms)
            if s.function == "pieces":
                p = self.functions[s.of]
                value = (
                    f"piecewise({value}, {self.tables[s.of]}, {float(p.period)!r}, "
                    f"{float(p.advance)!r}, {s.order})"
                )
            elif s.function:
                value = f"{s.function}({value})"
            out.append(f"  {names.get(s.name, s.name)} = {value};")
        if READINGS in blocks:
            out += _entries(blocks[READINGS], range(len(blocks[READINGS].rows)), writer)
        out += [f"  {name} = {text};" for name, text in self.lines.equations]
        for c in self.motion.courses:
            for x, order in c.symbols if c.name in self.laws else ():
                law = self.laws[c.name]
                if x in names and (order or law.start is None):
                    out.append(f"  {names[x]} = {law.texts[order]};")
        for key in ("M", "b", "g", "tau"):
            out += _entries(blocks[key], range(len(e.coordinates)), writer)
        return [*out, *self._of_motion()]

    def _of_motion(self) -> list[str]:
        """The equations of motion and the rows of C that are held."""
        if not self.rows:
            return ["  M*a + b + g_q = tau;"]
        multipliers = ", ".join(self.names[self.e.multipliers[k].name] for k in self.rows)
        out = [f"  multipliers = {{{multipliers}}};"]
        for key in ("C", "C_q", "gamma"):
            out += _entries(self.blocks[key], self.rows, self.writer)
        for i, k in enumerate(self.rows, 1):
            course = self.motion.driven.get(k)
            rate = self.laws[course.name].texts[1] if course is not None else "0.0"
            out.append(f"  u[{i}] = {rate};")
            gap = (
                f"alpha*C[{i}]"
                if k in self.motion.rolling
                else f"2.0*alpha*(C_q[{i}, :]*v - u[{i}]) - alpha^2*C[{i}]"
            )
            left = f"held[{i}]" if self.repeats else f"C_q[{i}, :]*a"
            out.append(f"  {left} = gamma[{i}] - {gap};")
        if not self.repeats:
            return [*out, "  M*a + b + g_q = tau + transpose(C_q)*multipliers;"]
        n, m = len(self.e.coordinates), len(self.rows)
        return [
            *out,
            f"  solution = solved(M, tau - b - g_q, C_q, held, {len(self.motion.kept)});",
            f"  a = solution[1:{n}];",
            f"  multipliers = solution[{n + 1}:{n + m}];",
        ]


def _entries(b: Block, rows: Sequence[int], writer: Printer) -> list[str]:
    out = []
    for i, k in enumerate(rows, 1):
        for j, cell in enumerate(b.rows[k], 1):
            place = f"{i}, {j}" if b.key in ("M", "C_q", READINGS) else f"{i}"
            mirrored = b.symmetric and j < i
            name = VECTORS.get(b.key, b.key)
            out.append(
                f"  {name}[{place}] = "
                f"{f'{name}[{j}, {i}]' if mirrored else writer.sum(cell.terms)};"
            )
    return out
