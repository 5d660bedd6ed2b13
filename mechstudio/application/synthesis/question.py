"""Question to linkages: points, poses or a function, and conditions, as typed."""

import math
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.model.formulas.expression import ExpressionError, evaluate
from mechstudio.protocol.synthesis_messages import FUNCTION, MOTION, PATH, SynthesisTask
from mechstudio.translation import Words, tr

replace = msgspec.structs.replace
Row = tuple[float | None, ...]  # SI; None where nothing is typed
PURPOSES: dict[str, Words] = {PATH: "Path", MOTION: "Motion", FUNCTION: "Function"}
# kinds that can answer
KINDS: dict[str, tuple[str, ...]] = {
    PATH: ("four_bar", "slider_crank", "stephenson", "watt", "watt_second"),
    MOTION: ("four_bar", "slider_crank", "stephenson", "watt", "watt_second"),
    FUNCTION: ("four_bar", "slider_crank", "stephenson", "watt_second"),
}
USUAL_ANGLE = math.radians(10.0)
MOST_POINTS = 60  # of a table


class ColumnOf(NamedTuple):
    """Column of the table of a purpose.  needed: False where it may be empty."""

    label: Words
    dimension: str
    needed: bool = True


COLUMNS: dict[str, tuple[ColumnOf, ...]] = {
    PATH: (
        ColumnOf("x", "length"),
        ColumnOf("z", "length"),
        ColumnOf("crank", "angle", needed=False),
    ),
    MOTION: (ColumnOf("x", "length"), ColumnOf("z", "length"), ColumnOf("angle", "angle")),
    FUNCTION: (ColumnOf("input", "angle"), ColumnOf("output", "angle")),
}


class LinkageQuestion(msgspec.Struct, frozen=True):
    """Question to linkages.

    rows: of the table of each purpose.  closed: the last point of a path leads to the first again.
    turning: purposes whose crank has to turn all the way round.  count: points that a stroke gives.
    The other attributes are texts of conditions, "" for none.
    """

    purpose: str = PATH
    kinds: dict[str, str] = msgspec.field(
        default_factory=lambda: dict.fromkeys(PURPOSES, "four_bar")
    )
    rows: dict[str, tuple[Row, ...]] = msgspec.field(
        default_factory=lambda: dict.fromkeys(PURPOSES, ())
    )
    closed: bool = False
    turning: frozenset[str] = frozenset({PATH})
    count: str = "12"
    transmission: str = "20 deg"
    shortest: str = ""
    longest: str = ""
    left: str = ""
    right: str = ""
    lower: str = ""
    upper: str = ""
    base: str = "100 mm"
    seed: str = "1"

    @property
    def kind(self) -> str:
        """Key of the linkage."""
        return self.kinds[self.purpose]

    @property
    def table(self) -> tuple[Row, ...]:
        """Rows of the purpose."""
        return self.rows[self.purpose]

    @property
    def columns(self) -> tuple[ColumnOf, ...]:
        """Columns of the purpose; a slider-crank gives lengths."""
        if self.purpose == FUNCTION and self.kind == "slider_crank":
            return (COLUMNS[FUNCTION][0], ColumnOf("output", "length"))
        return COLUMNS[self.purpose]

    @property
    def points(self) -> np.ndarray:
        """Points (k,) x + i z [m] of a path or of poses."""
        return np.array([complex(r[0] or 0.0, r[1] or 0.0) for r in self.table], complex)

    def with_rows(self, rows: tuple[Row, ...]) -> "LinkageQuestion":
        """With another table for the purpose."""
        return replace(self, rows={**self.rows, self.purpose: rows})


def task_of(question: LinkageQuestion) -> SynthesisTask:
    """The task for a search.  Raises ValueError with one sentence."""
    rows, columns = question.table, question.columns
    for k, column in enumerate(columns):
        given = [r[k] is not None for r in rows]
        if not all(given) and (column.needed or any(given)):
            raise ValueError(tr("A cell of the column {name} is empty.", name=tr(column.label)))
    length = lambda text, name: _number(text, "length", "mm", name)
    lengths: tuple[float, ...] = ()
    if question.shortest or question.longest:
        low = length(question.shortest, tr("shortest link")) if question.shortest else 0.0
        high = length(question.longest, tr("longest link")) if question.longest else 1e3
        lengths = (low, high)
    sides = (question.left, question.lower, question.right, question.upper)
    region: tuple[float, ...] = ()
    if any(sides):
        names = (tr("left"), tr("bottom"), tr("right"), tr("top"))
        far = (-1e3, -1e3, 1e3, 1e3)
        region = tuple(
            length(text, name) if text else end
            for text, name, end in zip(sides, names, far, strict=True)
        )
    known = SynthesisTask(
        question.purpose,
        question.kind,
        closed=question.closed and question.purpose == PATH,
        turn=question.purpose in question.turning,
        transmission=_number(
            question.transmission or "0", "angle", "deg", tr("least transmission angle")
        ),
        seed=int(question.seed) if question.seed.isdecimal() else 1,
    )
    cells = [tuple(float(v) for v in r if v is not None) for r in rows]
    if question.purpose == FUNCTION:
        return replace(
            known,
            inputs=tuple(c[0] for c in cells),
            outputs=tuple(c[1] for c in cells),
            base=length(question.base, tr("distance of the pivots")),
            lengths=lengths,
        )
    return replace(
        known,
        points=tuple((c[0], c[1]) for c in cells),
        angles=tuple(c[2] for c in cells if len(c) > 2),
        lengths=lengths,
        region=region,
    )


def problem_of(question: LinkageQuestion) -> str:
    """Reason why there is nothing to search, "" if there is."""
    if len(question.table) < 3:
        return {
            PATH: tr("Draw a path in the sheet, or type at least three points."),
            MOTION: tr("Click at least three poses in the sheet, or type them."),
            FUNCTION: tr("Type at least three pairs, or a formula."),
        }[question.purpose]
    try:
        task_of(question)
    except ValueError as error:
        return str(error)
    return ""


def cell(text: str, dimension: str) -> float | None:
    """The number [SI] of a typed cell, None for an empty one.  Raises ExpressionError."""
    text = text.strip()
    if not text:
        return None
    return evaluate(text, dimension, {}, "deg" if dimension == "angle" else "mm")


def _number(text: str, dimension: str, unit: str, name: str) -> float:
    try:
        return evaluate(text, dimension, {}, unit)
    except ExpressionError as error:
        raise ValueError(f"{name}: {error}") from None


class Formula(msgspec.Struct, frozen=True):
    """Function y of x as texts: from x = low to high in `count` pairs, x over `travel` of the
    crank, the values of y over `output`.
    """

    y: str = "x^2"
    low: str = "0"
    high: str = "1"
    count: str = "9"
    travel: str = "60 deg"
    output: str = "90 deg"


def tabulated(formula: Formula, dimension: str) -> tuple[Row, ...]:
    """Pairs of a formula.  dimension: of the output.  Raises ValueError with one sentence."""
    count = int(formula.count) if formula.count.isdecimal() else 0
    if not 3 <= count <= MOST_POINTS:
        raise ValueError(tr("The number of pairs lies between 3 and {most}.", most=MOST_POINTS))
    try:
        low, high = (evaluate(t, "number", {}) for t in (formula.low, formula.high))
        travel = evaluate(formula.travel, "angle", {}, "deg")
        unit = "deg" if dimension == "angle" else "mm"
        output = evaluate(formula.output, dimension, {}, unit)
        x = np.linspace(low, high, count)
        y = np.array([evaluate(formula.y, "number", {"x": (v, "number")}) for v in x.tolist()])
    except ExpressionError as error:
        raise ValueError(str(error)) from None
    if low == high or not np.isfinite(y).all() or np.ptp(y) == 0.0:
        raise ValueError(tr("The output does not move."))
    inputs = travel * (x - low) / (high - low)
    outputs = output * (y - y[0]) / np.ptp(y)
    return tuple(zip(inputs.tolist(), outputs.tolist(), strict=True))
