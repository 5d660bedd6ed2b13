"""Measures of a run: one number of one quantity, and whether it keeps a limit."""

import math
import re
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.interpolation import crossings
from mechstudio.curves.quantities import QuantityNotFound, find, quantity
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.curves.statistics import Extremes, extremes, means
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.findings import listed
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.expression import quantity as typed
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import (
    ABOVE,
    AT,
    BELOW,
    DIRECTIONS,
    SHOW,
    WHEN,
    MeasuredQuantity,
)
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr


def _of_extremes(number: Callable[[Extremes], float]) -> Callable[[Course], float]:
    def of(course: Course) -> float:
        found = extremes(course)
        return math.nan if found is None else number(found)

    return of


def _of_means(place: int) -> Callable[[Course], float]:
    def of(course: Course) -> float:
        found = means(course)
        return math.nan if found is None else found[place]

    return of


# a course over a run to one number, NaN where it is unknown
STATISTICS: dict[str, Callable[[Course], float]] = {
    "max": _of_extremes(lambda e: e.greatest),
    "min": _of_extremes(lambda e: e.least),
    "peak": _of_extremes(lambda e: max(abs(e.greatest), abs(e.least))),
    "range": _of_extremes(lambda e: e.greatest - e.least),
    "mean": _of_means(0),
    "rms": _of_means(1),
    "first": lambda course: float(course.values[0]),
    "final": lambda course: float(course.values[-1]),
}
FORMS = (
    *(f"{name} QUANTITY" for name in STATISTICS),
    "at TIME: QUANTITY",
    "when QUANTITY = VALUE: QUANTITY",
    "time above VALUE: QUANTITY",
    "time below VALUE: QUANTITY",
)
_SIGNS = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
_LIMIT = re.compile(r"(?P<what>.*?)\s*(?P<sign><=|>=)\s*(?P<value>[^<>=]+)")
_LEVEL = re.compile(rf"(?P<what>{ABOVE}|{BELOW})\s+(?P<value>.+?)\s*:\s*(?P<name>.+)")
_AT = re.compile(r"at\s+(?P<time>.+?)\s*:\s*(?P<name>.+)")
_WHEN = re.compile(r"when\s+(?P<first>.+?)\s*(?P<sign>[=><])\s*(?P<value>.+?)\s*:\s*(?P<name>.+)")


class Measure(msgspec.Struct, frozen=True):
    """One number of a run.

    text: as it was typed, without its limit.  quantity: key.  dimension: of the number.
    statistic: key of STATISTICS, or AT, WHEN, ABOVE, BELOW.  level [SI]: the time of AT, the value
    of WHEN (of the quantity `of`, passed in `direction`; turns: it is an angle), ABOVE and BELOW.
    sign, limit [SI]: its condition, "" for none.
    """

    text: str
    quantity: str
    dimension: str
    statistic: str
    level: float = 0.0
    of: str = ""
    direction: str = "either"
    turns: bool = False
    sign: str = ""
    limit: float = 0.0

    @property
    def quantities(self) -> tuple[str, ...]:
        """Keys of the quantities that it needs."""
        return (self.quantity, self.of) if self.of else (self.quantity,)

    def value(self, courses: dict[str, Course]) -> float:
        """The number [SI] from courses by key; NaN where it has none."""
        course = courses[self.quantity]
        if not len(course.times):
            return math.nan
        if self.statistic in STATISTICS:
            return STATISTICS[self.statistic](course)
        if self.statistic == AT:
            return _at(course, self.level)
        if self.statistic == WHEN:
            other = courses[self.of]
            # an angle passes a level in every turn
            turn = math.tau if self.turns else 0.0
            times = crossings(other.times, other.values, self.level, self.direction, turn)
            return _at(course, float(times[0])) if len(times) else math.nan
        return _time_beyond(course, self.level, self.statistic == ABOVE)

    def keeps(self, value: float) -> bool:
        """True if a number keeps the limit; an unknown one keeps none."""
        return not self.sign or bool(_SIGNS[self.sign](value, self.limit))

    def kept(self, values: np.ndarray) -> np.ndarray:
        """True (n,) where values (n,) keep the limit; unknown ones keep none."""
        return _SIGNS[self.sign](values, self.limit) if self.sign else np.ones(len(values), bool)

    @property
    def unit(self) -> str:
        """Symbol of the unit in which tables show it."""
        return unit_of(self.dimension, DEFAULT_SYSTEM).symbol

    @property
    def text_with_limit(self) -> str:
        """The measure as it can be typed, with its limit where it has one."""
        return f"{self.text} {self.sign} {self.written(self.limit)}" if self.sign else self.text

    def written(self, value: float) -> str:
        """A value [SI] of it as it can be typed, in the unit in which tables show it."""
        unit = unit_of(self.dimension, DEFAULT_SYSTEM)
        return f"{value / unit.factor:.15g} {unit.symbol}".rstrip()


def _at(course: Course, time: float) -> float:
    """Value on a straight line between the samples beside a time; NaN outside the run."""
    t, y = course.times, course.values
    # the last sample may miss the requested time by rounding
    slack = 1e-9 * max(abs(t[-1]), abs(t[0]))
    if not t[0] - slack <= time <= t[-1] + slack:
        return math.nan
    return float(np.interp(time, t, y))


def _time_beyond(course: Course, level: float, above: bool) -> float:
    """Time [s] during which a course lies above or below a level, on straight lines between its
    samples.
    """
    y = course.values - level if above else level - course.values
    t = course.times
    a, b, h = y[:-1], y[1:], np.diff(t)
    if not np.isfinite(y).all():
        return math.nan
    whole = (a > 0) & (b > 0)
    part = (a > 0) != (b > 0)
    share = np.where(part, np.maximum(a, b) / np.maximum(np.abs(a - b), 1e-300), 0.0)
    return float((h * np.where(whole, 1.0, share)).sum())


def read(text: str, project: Project) -> Measure:
    """The measure of a text such as "max Torque of drive 1", "at 0.5 s: A angle" or "range A angle
    >= 62 deg".  Raises ValueError with one sentence.
    """
    text = text.strip()
    what, sign, limit = text, "", ""
    if found := _LIMIT.fullmatch(text):
        what, sign, limit = found["what"], found["sign"], found["value"]
    measure = _read(what, project)
    if not sign:
        return measure
    return msgspec.structs.replace(
        measure, sign=sign, limit=_number(limit, measure.dimension, project, text)
    )


def without_limit(measure: Measure) -> Measure:
    """The measure alone, with nothing to keep."""
    return msgspec.structs.replace(measure, sign="", limit=0.0)


def _read(text: str, project: Project) -> Measure:
    if found := _LEVEL.fullmatch(text):
        q = _quantity(found["name"], project)
        level = _number(found["value"], q.dimension, project, text)
        return Measure(text, q.key, "time", found["what"], level)
    if found := _WHEN.fullmatch(text):
        q, of = _quantity(found["name"], project), _quantity(found["first"], project)
        level = _number(found["value"], of.dimension, project, text)
        direction = DIRECTIONS[found["sign"]]
        # a level of a turn or more is that of the angle as it adds up
        turns = of.dimension == "angle" and abs(level) < math.tau
        return Measure(text, q.key, q.dimension, WHEN, level, of.key, direction, turns)
    if found := _AT.fullmatch(text):
        q = _quantity(found["name"], project)
        return Measure(text, q.key, q.dimension, AT, _number(found["time"], "time", project, text))
    statistic, _, name = text.partition(" ")
    if statistic not in STATISTICS or not name.strip():
        raise ValueError(
            tr("{text} is no measure: write {forms}.", text=text or "–", forms=listed(list(FORMS)))
        )
    q = _quantity(name, project)
    return Measure(text, q.key, q.dimension, statistic)


def stored(text: str, project: Project, goal: str = SHOW) -> MeasuredQuantity:
    """A typed measure as a study of the project keeps it.  Raises ValueError with one sentence."""
    found = read(text, project)
    what, sign, limit = found.text, found.sign, ""
    if sign:
        limit = text.strip().rpartition(sign)[2].strip()
    level = next((m["value"] for form in (_LEVEL, _WHEN) if (m := form.fullmatch(what))), "")
    if found.statistic == AT and (at := _AT.fullmatch(what)):
        level = at["time"]
    name = _quantity(found.quantity, project).name
    return MeasuredQuantity(
        found.statistic,
        found.quantity,
        name,
        level,
        found.of,
        found.direction,
        sign,
        limit,
        goal,
    )


def words(kept: MeasuredQuantity, project: Project) -> str:
    """A stored measure as it is typed, without its limit; quantities that are gone are called as
    they were.
    """

    def called(key: str) -> str:
        known = quantity(project, key)
        return known.name if known is not None else (key == kept.channel and kept.name) or key

    return _typed(kept, called)


def _typed(kept: MeasuredQuantity, called: Callable[[str], str]) -> str:
    name = called(kept.channel)
    if kept.statistic == WHEN:
        sign = next(s for s, direction in DIRECTIONS.items() if direction == kept.direction)
        return f"{WHEN} {called(kept.of)} {sign} {kept.level}: {name}"
    if kept.statistic in STATISTICS:
        return f"{kept.statistic} {name}"
    return f"{kept.statistic} {kept.level}: {name}"


def read_stored(kept: MeasuredQuantity, project: Project) -> Measure:
    """The measure that a study of the project keeps.  Raises ValueError with one sentence, which
    names a quantity that is gone.
    """
    for key in (kept.channel, *([kept.of] if kept.statistic == WHEN else [])):
        if quantity(project, key) is None:
            raise ValueError(
                tr(
                    "{measure} cannot be measured: what it is of is not in the drawing any more.",
                    measure=words(kept, project),
                )
            )
    text = words(kept, project)
    limit = f" {kept.sign} {kept.limit}" if kept.sign and kept.limit.strip() else ""
    # by their keys, which fit one quantity whatever it is called
    typed = _typed(kept, lambda key: key)
    return msgspec.structs.replace(read(f"{typed}{limit}", project), text=text)


def target_of(kept: MeasuredQuantity, project: Project) -> float:
    """The number [SI] that a measure of the project is to have.  Raises ValueError with one
    sentence.
    """
    as_limit = msgspec.structs.replace(kept, sign="<=", limit=kept.target)
    if not kept.target.strip():
        raise ValueError(tr("{measure} has no target yet.", measure=words(kept, project)))
    return read_stored(as_limit, project).limit


def _quantity(name: str, project: Project) -> PlotQuantity:
    try:
        return find(project, name)
    except QuantityNotFound as error:
        raise ValueError(str(error)) from None


def _number(text: str, dimension: str, project: Project, whole: str) -> float:
    """A typed number [SI].  One without a unit is refused where tables show another than that of
    SI: 64 might be meant in either.
    """
    shown = unit_of(dimension, DEFAULT_SYSTEM)
    try:
        found = typed(text, dimension, parameter_values(project), shown.symbol)
    except ExpressionError as error:
        raise ValueError(tr("{text} cannot be read: {error}", text=whole, error=error)) from None
    if shown.factor != 1.0 and found.value and found.text != text.strip():
        raise ValueError(
            tr(
                "{measure}: {number} has no unit; write {with_unit} where that is meant.",
                measure=re.split("[<>=]", whole)[0].strip(),
                number=text.strip(),
                with_unit=found.text,
            )
        )
    return found.value


def quantities_of(measures: Sequence[Measure]) -> list[str]:
    """Keys of all quantities that measures need, each once."""
    return list(dict.fromkeys(key for m in measures for key in m.quantities))
