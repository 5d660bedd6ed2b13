"""Laws of drives and forces as Modelica: those over the time hold for ever, as the engine has
them, and those that read the motion are equations over the state.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import ACCELERATION, POSITION, VELOCITY, Law
from mechstudio.symbolic.exports.law_functions import Pieces, of_course, of_law
from mechstudio.symbolic.exports.motion_laws import MODELICA, TIME, MotionLaws, time_law, written
from mechstudio.symbolic.exports.simulation.course import Course
from mechstudio.symbolic.methods.law_readings import READINGS

# from the law of a drive to its place, by the quantity that the law prescribes
_INTEGRALS = {POSITION: 0, VELOCITY: 1, ACCELERATION: 2}


class Lines(NamedTuple):
    """Variables (name, what its declaration holds) and equations (left, right)."""

    variables: list[tuple[str, str]]
    equations: list[tuple[str, str]]


class TimeLaw(NamedTuple):
    """A course over the time.  texts: of its value, rate and second rate.  start: of its symbol
    where that is integrated, else None.  pieces: of its table, if it has one.
    """

    texts: tuple[str, str, str]
    start: float | None = None
    pieces: Pieces | None = None


def time_laws(
    c: Course, name: str, table: str, fresh: Callable[[str], str], lines: Lines
) -> TimeLaw:
    """A course as it goes on for ever; its further variables and equations are put into `lines`.

    name: of its symbol.  table: of the pieces.  fresh: a name that nothing else has.
    """
    if c.law is None:
        pieces = of_course(c)
        return TimeLaw(_piecewise(pieces, table), None, pieces)
    order = 2 - _INTEGRALS[c.quantity] if c.quantity else max(k for _, k in c.symbols)
    texts, pieces = _texts(c.law, name, table, fresh, lines, order)
    if not c.quantity:
        return TimeLaw(texts, None, pieces)
    if c.quantity == POSITION:
        begin = c.values[0] - evaluation.jet(c.law, 0.0)[0]
        value = f"{number(begin)} + {texts[0]}" if begin else texts[0]
        return TimeLaw((value, *texts[1:]), None, pieces)
    lines.equations.append((f"der({name})", texts[0]))
    if c.quantity != ACCELERATION:
        return TimeLaw((name, texts[0], texts[1]), c.values[0], pieces)
    rate = fresh(f"{name}_rate")
    lines.variables.append((rate, f"(start = {number(c.rates[0])}, fixed = true)"))
    lines.equations[-1] = (f"der({name})", rate)
    lines.equations.append((f"der({rate})", texts[0]))
    return TimeLaw((name, rate, texts[0]), c.values[0], pieces)


def _texts(
    law: Law, name: str, table: str, fresh: Callable[[str], str], lines: Lines, order: int
) -> tuple[tuple[str, str, str], Pieces | None]:
    """Value, slope and curvature of a law over the time, and its pieces, if it has any.

    order: of the highest derivative that is read; those beyond may be empty.
    """
    if law.type == "sine":
        offset, amplitude, omega, phase = evaluation.sine_numbers(law)
        times = lambda x, text: text if x == 1.0 else f"{number(x)}*{text}"
        angle = times(omega, "time") + (f" + {number(phase)}" if phase else "")
        size = (amplitude, amplitude * omega, -amplitude * omega * omega)
        waves = [times(x, f"{f}({angle})") for x, f in zip(size, ("sin", "cos", "sin"))]
        value = f"{number(offset)} + {waves[0]}" if offset else waves[0]
        return (value, waves[1], waves[2]), None
    if law.type == "expression":
        stem = fresh(f"{name}_law")
        done = written(
            time_law(law), MODELICA, lambda x: "time", lambda step: f"{stem}_{step}", order=order
        )
        lines.variables.extend((name, "") for name, _ in done.lines)
        lines.equations.extend(done.lines)
        return (done.value, done.slope, done.curvature), None
    pieces = of_law(law)
    if len(pieces.rows) == 1 and not any(pieces.rows[0][2:]):
        return (number(pieces.rows[0][1]), "0.0", "0.0"), None
    return _piecewise(pieces, table), pieces


def _piecewise(pieces: Pieces, table: str) -> tuple[str, str, str]:
    begin = f"piecewise(time, {table}, {number(pieces.period)}, {number(pieces.advance)}"
    return f"{begin}, 0)", f"{begin}, 1)", f"{begin}, 2)"


def motion_equations(
    laws: MotionLaws, names: Mapping[str, str], fresh: Callable[[str], str], lines: Lines
) -> None:
    """Laws that read the motion.  names: of the symbols."""
    for law in laws.laws:
        stem = fresh(f"{names[law.name]}_law")
        done = written(
            law,
            MODELICA,
            lambda x: "time" if x.of == TIME else f"{READINGS}[{x.of + 1}, {1 + x.is_rate}]",
            lambda step, stem=stem: f"{stem}_{step}",
        )
        lines.variables.extend((name, "") for name, _ in done.lines)
        lines.equations.extend((*done.lines, (names[law.name], done.value)))
        if law.rate in names:
            lines.equations.append((names[law.rate], done.slope))


def number(value: float) -> str:
    """A number, in brackets where it is negative."""
    text = repr(float(value))
    return f"({text})" if text.startswith("-") else text
