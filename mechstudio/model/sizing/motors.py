"""Tables of motors (.csv): the sizes that ship, and those of the user."""

import csv
import io
import math

import msgspec

from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.translation import Words, comma, tr


class Motor(msgspec.Struct, frozen=True):
    """A motor.  rated_torque: that it gives for ever [N m].  peak_torque: for a short time.
    max_speed [rad/s].  inertia: of its rotor [kg m^2].
    """

    name: str
    rated_torque: float
    peak_torque: float
    max_speed: float
    inertia: float


# columns with their dimensions and the units of a head without one
COLUMNS: dict[str, tuple[Words, str, str]] = {
    "rated_torque": ("rated torque", "torque", "N·m"),
    "peak_torque": ("peak torque", "torque", "N·m"),
    "max_speed": ("max speed", "angular_velocity", "rpm"),
    "inertia": ("rotor inertia", "inertia", "kg·cm²"),
}
NAME = "name"


def read_motors(text: str, source: str) -> list[Motor]:
    """The motors of a table: a column called name, and those of COLUMNS with their units in
    brackets.  source: its name, for sentences.  Raises ValueError with one sentence.
    """
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    between = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=between))
    if len(rows) < 2:
        raise ValueError(tr("{source} holds no motor.", source=source))
    heads = [_head(cell) for cell in rows[0]]
    names = [name for name, _ in heads]
    needed = (NAME, *(head for head, _, _ in COLUMNS.values()))
    if missing := [name for name in needed if name not in names]:
        raise ValueError(
            tr(
                "{source} has no column {name}; it needs {needed}.",
                source=source,
                name=missing[0],
                needed=comma().join(needed),
            )
        )
    factors = {
        key: _factor(heads[names.index(head)][1] or unit, dimension, source)
        for key, (head, dimension, unit) in COLUMNS.items()
    }
    out: list[Motor] = []
    for number, row in enumerate(rows[1:], 2):
        cells = dict(zip(names, map(str.strip, row)))
        values: dict[str, float] = {}
        for key, (head, _, _) in COLUMNS.items():
            value = _number(cells.get(head, ""), between) * factors[key]
            # a rotor may be taken for massless
            if not (math.isfinite(value) and (value > 0.0 or (key == "inertia" and value == 0.0))):
                raise ValueError(
                    tr(
                        "Row {number} of {source} has no number above zero for {name}.",
                        number=number,
                        source=source,
                        name=head,
                    )
                )
            values[key] = value
        out.append(Motor(cells.get(NAME) or str(number), **values))
    return out


def _head(cell: str) -> tuple[str, str]:
    """Name and unit of a column, "rated torque [N·m]"."""
    name, _, unit = cell.partition("[")
    return name.strip().lower(), unit.strip().rstrip("]").strip()


def _number(text: str, between: str) -> float:
    try:
        return float(text.replace(",", ".") if between == ";" else text)
    except ValueError:
        return math.nan


def _factor(unit: str, dimension: str, source: str) -> float:
    try:
        return expression.evaluate(f"1 {unit}", dimension, {})
    except ExpressionError as error:
        raise ValueError(tr("{source}: {error}", source=source, error=error)) from None
