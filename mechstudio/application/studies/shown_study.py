"""State that the views of a study share: the row that is chosen, the one under the pointer, kept
ranges, the order of the table.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.preferences import Preferences
from mechstudio.application.signal import Signal
from mechstudio.application.studies import figures
from mechstudio.application.studies.poses import ClosedRow, Numbers
from mechstudio.application.studies.runs import StudyRun, StudyRuns
from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantities import quantity
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.project import Project
from mechstudio.model.studies.edits import by_id
from mechstudio.model.studies.setup import (
    ABOVE,
    AT,
    BELOW,
    GREATEST,
    SHOW,
    STATISTICS,
    TARGET,
    WHEN,
    MeasuredQuantity,
    StudySetup,
)
from mechstudio.model.units import format_value
from mechstudio.studies.measures import target_of
from mechstudio.studies.optimisation.goals import Goal
from mechstudio.studies.table import StudyTable
from mechstudio.translation import Words, tr

STATISTIC_WORDS: dict[str, Words] = {
    "peak": "peak",
    "max": "greatest",
    "min": "least",
    "range": "range",
    "mean": "mean",
    "rms": "RMS",
    "first": "at the start",
    "final": "at the end",
    AT: "at the time",
    ABOVE: "time above",
    BELOW: "time below",
    WHEN: "when",
}
FAMILY = 12  # courses that are drawn at most
AGAIN = 0.25  # seconds between two readings of the rows of a study in progress


class Column(NamedTuple):
    """Column of the table.  values (runs,) [SI].  name, unit, factor: as it is shown.  limit: sign
    and SI value that a measure has to keep, ("", 0) for none.  is_measure: it was not varied.
    """

    name: str
    dimension: str
    unit: str
    factor: float
    values: np.ndarray
    is_measure: bool
    limit: tuple[str, float] = ("", 0.0)

    @property
    def head(self) -> str:
        return f"{self.name}, {self.unit}" if self.unit else self.name


class StudyShown:
    """rows_changed(): another study, or more of its rows.  chosen_changed(), hovered_changed(): the
    row that is chosen or pointed at.  kept_changed(): ranges, or the order of the table.
    """

    def __init__(self, document: Document, runs: StudyRuns, preferences: Preferences) -> None:
        self.rows_changed, self.chosen_changed = Signal(), Signal()
        self.hovered_changed, self.kept_changed = Signal(), Signal()
        self.courses_changed, self.poses_changed = runs.courses.changed, runs.poses.changed
        self._document, self._runs, self._preferences = document, runs, preferences
        self.id = ""
        self._chosen: int | None = None
        self.hovered: int | None = None
        self._measure: int | None = None
        self.ranges: dict[int, tuple[float, float]] = {}  # [SI] by columns
        self._sides_of: tuple[np.ndarray, list[int]] | None = None
        self._sides: tuple[int, int] = (0, 1)  # columns chosen across and up a map
        self.sorted: tuple[int, bool] | None = None  # column, and the largest first
        self._version: tuple[str, int] = ("", -1)
        self._table: StudyTable | None = None
        self._read_at = 0.0
        self._columns: tuple[Column, ...] = ()
        self._order: np.ndarray | None = None
        self._kept: np.ndarray | None = None
        self._known: dict[str, Any] = {}  # of the rows that were read last
        runs.changed.connect(self.refresh)
        document.changed.connect(self._document_changed)
        preferences.changed.connect(self._recount)

    def disconnect(self) -> None:
        """Hear of nothing any more."""
        self._runs.changed.disconnect(self.refresh)
        self._document.changed.disconnect(self._document_changed)
        self._preferences.changed.disconnect(self._recount)

    # what is there

    @property
    def setup(self) -> StudySetup | None:
        """The study; None where the project has none."""
        return by_id(self._document.project, self.id)

    @property
    def run(self) -> StudyRun | None:
        return None if self.setup is None else self._runs.of(self.id)

    @property
    def table(self) -> StudyTable | None:
        """Rows that were read last, if there are any; a search has a new table for each batch."""
        return None if self.setup is None else self._table

    @property
    def columns(self) -> tuple[Column, ...]:
        """Parameters, then measures."""
        return self._columns

    @property
    def measures(self) -> list[int]:
        """Columns of the measures."""
        return [k for k, column in enumerate(self._columns) if column.is_measure]

    @property
    def project(self) -> Project:
        return self._document.project

    @property
    def units(self) -> str:
        """System of units in which numbers are shown."""
        return self._preferences.units

    def choose_study(self, id: str) -> None:
        """Look at another study."""
        self.id = id
        self._chosen = self.hovered = self._measure = self.sorted = None
        self.ranges = {}
        self._recount()

    def refresh(self) -> None:
        """Rows may have come."""
        run = self.run
        version = (self.id, -1 if run is None else run.version)
        now = time.monotonic()
        soon = now - self._read_at < AGAIN and version[0] == self._version[0]
        if version != self._version and not (soon and run is not None and run.is_working):
            self._version, self._read_at = version, now
            self._read()
            self.rows_changed.emit()

    def _recount(self) -> None:
        self._version = ("", -2)
        self.refresh()

    def _document_changed(self, old: Project, new: Project) -> None:
        if old.studies != new.studies or old.parameters != new.parameters:
            self._recount()

    def _read(self) -> None:
        run, units = self.run, self._preferences.units
        # a fit has an answer, and no rows
        is_fit = self.setup is not None and self.setup.is_fit
        self._table = table = None if run is None or is_fit else run.table
        self._order = self._kept = None
        self._known = {}
        if table is None:
            self._columns, self._chosen, self.hovered = (), None, None
            return
        found: list[Column] = []
        for c, (name, dimension) in enumerate(table.parameters.items()):
            unit = unit_of(dimension, units)
            values = table.varied[:, c]
            found.append(Column(name, dimension, unit.symbol, unit.factor, values, False))
        for c, measure in enumerate(table.measures):
            unit = unit_of(measure.dimension, units)
            kept = self.setup.measures[c] if self.setup and c < len(self.setup.measures) else None
            found.append(
                Column(
                    measure.text if kept is None else called(kept, measure.text, self.project),
                    measure.dimension,
                    unit.symbol,
                    unit.factor,
                    table.measured[:, c],
                    True,
                    (measure.sign, measure.limit),
                )
            )
        self._columns = tuple(found)
        self.ranges = {k: r for k, r in self.ranges.items() if k < len(found)}
        # a search begins again without rows
        if self._chosen is not None and self._chosen >= len(table):
            self._chosen = None
        if self.hovered is not None and self.hovered >= len(table):
            self.hovered = None

    # what is requested

    @property
    def goal(self) -> tuple[int, bool] | None:
        """Column of the first measure with a goal, and True if the greatest is requested."""
        setup, table = self.setup, self.table
        if setup is None or table is None:
            return None
        first = len(table.parameters)
        goals = [m.goal for m in setup.measures][: len(table.measures)]
        found = next((k for k, goal in enumerate(goals) if goal != SHOW), None)
        return None if found is None else (first + found, goals[found] == GREATEST)

    def costs(self, place: int) -> np.ndarray:
        """Numbers (runs,) of a measure by its goal, the less the better; NaN where a run failed or
        does not keep the limits.
        """
        setup, table = self.setup, self.table
        assert setup is not None, "there is a study"
        assert table is not None, "there are rows"
        kept, target = setup.measures[place], 0.0
        if kept.goal == TARGET:
            try:
                target = target_of(kept, self.project)
            except ValueError:
                target = np.nan  # its own line says why
        cost = Goal(kept.goal, table.measures[place], target).cost(table.measured[:, place])
        return np.where(self.feasible, cost, np.nan)

    @property
    def goals(self) -> list[int]:
        """Places of the measures that have a goal."""
        setup, table = self.setup, self.table
        if setup is None or table is None:
            return []
        own = setup.measures[: len(table.measures)]
        return [k for k, m in enumerate(own) if m.goal != SHOW]

    @property
    def front(self) -> np.ndarray:
        """Rows (n,) that none is better than in all of the first two goals, along the first."""
        if len(self.goals) < 2:
            return np.zeros(0, int)
        return self._once("front", lambda: figures.front(*map(self.costs, self.goals[:2])))

    def _end(self, worst: bool) -> int | None:
        """Row with the least or the greatest cost of the first goal."""
        if not self.goals:
            return None
        cost = self.costs(self.goals[0])
        if not np.isfinite(cost).any():
            return None
        return int(np.nanargmax(cost) if worst else np.nanargmin(cost))

    @property
    def measure(self) -> int | None:
        """Column of the measure that single views show."""
        if self._measure in self.measures:
            return self._measure
        goal = self.goal
        return goal[0] if goal is not None else next(iter(self.measures), None)

    def show_measure(self, column: int) -> None:
        self._measure = column
        self.kept_changed.emit()

    @property
    def sides(self) -> list[int]:
        """Columns of parameters that may span a map."""
        table = self.table
        if table is None:
            return []
        # points do not change while a study runs, and many take long to look through
        if self._sides_of is None or self._sides_of[0] is not table.varied:
            self._sides_of = (table.varied, figures.sides(table.varied))
        return self._sides_of[1]

    @property
    def pair(self) -> tuple[int, int] | None:
        """Columns that span the map, across and up; None where fewer than two may."""
        found = self.sides
        if len(found) < 2:
            return None
        x = self._sides[0] if self._sides[0] in found else found[0]
        y = self._sides[1] if self._sides[1] in found and self._sides[1] != x else None
        return x, next(c for c in found if c != x) if y is None else y

    def span_map(self, side: int, column: int) -> None:
        """Have another parameter across (0) or up (1); that of the other side changes places with
        it.
        """
        pair = self.pair
        if pair is not None and column != pair[side]:
            swapped = pair[side] if pair[1 - side] == column else pair[1 - side]
            self._sides = (column, swapped) if side == 0 else (swapped, column)
            self.kept_changed.emit()

    def wants_greatest(self, column: int) -> bool:
        """True if the greatest value of a measure is the best one."""
        setup, table = self.setup, self.table
        if setup is None or table is None:
            return False
        place = column - len(table.parameters)
        return 0 <= place < len(setup.measures) and setup.measures[place].goal == GREATEST

    @property
    def best(self) -> int | None:
        """Row with the best value of the goal among those that keep all limits."""
        return self._once("best", lambda: self._end(False))

    @property
    def worst(self) -> int | None:
        """Row with the worst value of the goal among those that keep all limits."""
        return self._once("worst", lambda: self._end(True))

    @property
    def as_drawn(self) -> int | None:
        """Row with the numbers that the drawing has now; None where no run has them."""
        table = self.table
        if table is None or not len(table):
            return None
        return self._once("as drawn", lambda: self._drawn_in(table))

    def _drawn_in(self, table: StudyTable) -> int | None:
        known = parameter_values(self._document.project)
        now = np.array([known.get(name, (np.nan,))[0] for name in table.parameters])
        near = np.isclose(table.varied, now, rtol=1e-9, atol=0.0).all(axis=1)
        return int(np.argmax(near)) if near.any() else None

    # rows

    @property
    def chosen(self) -> int | None:
        """The shown row: the clicked one, else the best."""
        return self._chosen if self._chosen is not None else self.best

    @property
    def is_best(self) -> bool:
        return self.chosen is not None and self.chosen == self.best

    def choose(self, row: int | None) -> None:
        if row != self._chosen:
            self._chosen = row
            self.chosen_changed.emit()

    def hover(self, row: int | None) -> None:
        if row != self.hovered:
            self.hovered = row
            self.hovered_changed.emit()

    def keep_range(self, column: int, range_: tuple[float, float] | None) -> None:
        """Keep only rows with a column in a range [SI]; None keeps all."""
        if range_ is None:
            self.ranges.pop(column, None)
        else:
            self.ranges[column] = range_
        self._order = self._kept = None
        self.kept_changed.emit()

    @property
    def kept(self) -> np.ndarray:
        """True (runs,) for rows that are done and lie in all ranges."""
        table = self.table
        if table is None:
            return np.zeros(0, bool)
        if self._kept is None:
            ranges = [self.ranges.get(k) for k in range(len(self._columns))]
            inside = figures.inside([c.values for c in self._columns], ranges)
            self._kept = (table.systems >= 0) & inside
        return self._kept

    def _once(self, name: str, found: Callable[[], Any]) -> Any:
        """Something that is found once for the rows that are there."""
        if name not in self._known:
            self._known[name] = found()
        return self._known[name]

    @property
    def feasible(self) -> np.ndarray:
        """True (runs,) for rows that keep every limit."""
        table = self.table
        if table is None:
            return np.zeros(0, bool)
        return self._once("feasible", table.feasible)

    def span(self, column: int) -> float:
        """Largest magnitude [SI] of a column."""
        values = self._columns[column].values
        return self._once(
            f"span {column}",
            lambda: float(np.nanmax(np.abs(values), initial=0.0)) if len(values) else 0.0,
        )

    def sort_by(self, column: int) -> None:
        """Sort the table by a column: the least first, then the largest first, then no more."""
        now = self.sorted
        if now is None or now[0] != column:
            self.sorted = (column, False)
        else:
            self.sorted = (column, True) if not now[1] else None
        self._order = None
        self.kept_changed.emit()

    @property
    def order(self) -> np.ndarray:
        """Rows of the table as they stand in it: those that are kept, sorted; without a choice the
        goal sorts them, those that keep all limits first.
        """
        table = self.table
        if table is None:
            return np.zeros(0, int)
        if self._order is None:
            rows = np.flatnonzero(self.kept)
            goal = self.goal
            if self.sorted is not None:
                rows = rows[_sorted(self._columns[self.sorted[0]].values[rows], self.sorted[1])]
            elif goal is not None:
                rows = rows[_sorted(self._columns[goal[0]].values[rows], goal[1])]
                rows = rows[np.argsort(~self.feasible[rows], kind="stable")]
            self._order = rows
        return self._order

    # courses

    def family(self) -> list[int]:
        """Rows whose courses show most: the chosen one with those that differ from it by the last
        parameter alone, else some of the kept ones; the drawing's own is among them.
        """
        table, chosen = self.table, self.chosen
        if table is None or chosen is None:
            return []
        whole = self.kept.copy()
        whole[list(table.reasons)] = False  # a run that failed has no course
        same = np.isclose(table.varied[:, :-1], table.varied[chosen, :-1], rtol=1e-12, atol=0.0)
        rows = np.flatnonzero(whole & same.all(axis=1))
        if len(rows) < 2:
            rows = np.flatnonzero(whole)
        rows = rows[:: max(1, -(-len(rows) // FAMILY))]
        drawn = self.as_drawn
        first = [row for row in (chosen, drawn) if row is not None and row not in table.reasons]
        return list(dict.fromkeys([*first, *rows.tolist()]))

    def course(self, row: int) -> Course | None:
        """Course over the time of the quantity of the measure that is shown; None while it is not
        there.
        """
        run, channel = self.run, self.channel
        return None if run is None else self._runs.courses.of(run.digest, row).get(channel)

    @property
    def channel(self) -> str:
        """Key of the quantity of the measure that is shown, "" for none."""
        table, measure = self.table, self.measure
        if table is None or measure is None:
            return ""
        return table.measures[measure - len(table.parameters)].quantity

    def want_courses(self, rows: list[int]) -> None:
        """Have the courses of rows found, unless the drawing has changed since."""
        run, setup, table = self.run, self.setup, self.table
        if run is None or setup is None or table is None or self._runs.is_outdated(run.id):
            return
        self._runs.courses.want(run.digest, setup, table, rows)

    # the mechanism with the numbers of a row

    def _numbers(self, row: int) -> Numbers:
        table = self.table
        assert table is not None, "a row is of a table"
        return tuple(zip(table.parameters, table.varied[row].tolist(), strict=True))

    def want_poses(self) -> None:
        """Have the drawing closed with the numbers of the rows that are pointed at and chosen."""
        table, marked = self.table, (self.hovered, self.chosen)
        rows = [] if table is None else [r for r in marked if r is not None and r < len(table)]
        self._runs.poses.want([self._numbers(row) for row in rows])

    def closed(self, row: int | None) -> ClosedRow | None:
        """The drawing with the numbers of a row and its joints closed; None while it is not
        known.
        """
        table = self.table
        if row is None or table is None or row >= len(table):
            return None
        return self._runs.poses.of(self._numbers(row))

    # words

    def now(self, column: int) -> str:
        """Value of a varied parameter that the drawing has now."""
        p = self._document.project.parameters.get(self._columns[column].name)
        if p is None:
            return "–"
        return format_value(p.value.value, p.dimension, self._preferences.units, 4)

    def text(self, column: int, row: int, digits: int = 4) -> str:
        """A value with its unit; a dash where it is unknown."""
        c = self._columns[column]
        value = float(c.values[row])
        if not np.isfinite(value):
            return "–"
        return format_value(value, c.dimension, self._preferences.units, digits)


def called(kept: MeasuredQuantity, text: str, project: Project) -> str:
    """A measure as the window calls it; one with a level as it is typed."""
    known = quantity(project, kept.channel)
    if known is None or kept.statistic not in STATISTICS:
        return text
    words = tr(STATISTIC_WORDS[kept.statistic])
    return tr("{statistic} of {quantity}", statistic=words, quantity=known.name)


def _sorted(values: np.ndarray, falling: bool) -> np.ndarray:
    """Order of values, unknown ones last, equal ones as they stand."""
    return np.argsort(-values if falling else values, kind="stable")
