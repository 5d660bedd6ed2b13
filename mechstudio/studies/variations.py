"""Variations of parameters: the values that a study gives to them.

Ranges with a number of points and lists make a grid; ranges without one, distributions and
tolerances are drawn.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.findings import listed
from mechstudio.model.formulas.expression import ExpressionError, Names, evaluate
from mechstudio.model.project import Project
from mechstudio.model.units import DEFAULT_SYSTEM, unit
from mechstudio.studies.tolerances import tolerance
from mechstudio.translation import Words, tr

MOST_POINTS = 1_000_000  # of one axis of a grid
REACH = 3.0  # standard deviations from the middle of a tolerance to its limits


class Kind(NamedTuple):
    """A kind of variation.  form: how it is typed.  values: quantiles (n,) in [0, 1] and its
    numbers to values (n,); None for one that makes a grid.  sound: the reason why numbers cannot
    be so, "" if they can.
    """

    form: str
    values: Callable[[np.ndarray, Sequence[float]], np.ndarray] | None
    arguments: int = 0
    sound: Callable[[Sequence[float]], Words] = lambda numbers: ""


class Variation(msgspec.Struct, frozen=True):
    """The values of one parameter in a study.

    name: of the parameter.  kind: key of KINDS.  numbers [SI]: of a grid its values, else the
    arguments of the distribution.  text: as it was typed.
    """

    name: str
    kind: str
    numbers: tuple[float, ...]
    text: str = ""

    @property
    def is_grid(self) -> bool:
        """True if its values stand in the grid, false if they are drawn."""
        return KINDS[self.kind].values is None

    def drawn(self, quantiles: np.ndarray) -> np.ndarray:
        """Values (n,) [SI] at quantiles (n,) from 0 to 1 of the distribution."""
        values = KINDS[self.kind].values
        assert values is not None, "a grid is not drawn"
        return values(quantiles, self.numbers)


def _uniform(u: np.ndarray, numbers: Sequence[float]) -> np.ndarray:
    low, high = numbers
    return low + u * (high - low)


def _normal(u: np.ndarray, numbers: Sequence[float]) -> np.ndarray:
    from scipy.special import ndtri

    mean, deviation = numbers
    # a quantile of exactly 0 or 1 would be infinite
    return mean + deviation * ndtri(np.clip(u, 1e-16, 1.0 - 1e-16))


def _triangular(u: np.ndarray, numbers: Sequence[float]) -> np.ndarray:
    low, mode, high = numbers
    whole = high - low
    rising = low + np.sqrt(u * whole * (mode - low))
    falling = high - np.sqrt((1.0 - u) * whole * (high - mode))
    return np.where(u * whole < mode - low, rising, falling)


def _toleranced(u: np.ndarray, numbers: Sequence[float]) -> np.ndarray:
    from scipy.special import ndtr

    low, high = numbers
    outside = ndtr(-REACH)
    middle, deviation = (low + high) / 2.0, (high - low) / 2.0 / REACH
    inside = _normal(outside + u * (1.0 - 2.0 * outside), (middle, deviation))
    return np.clip(inside, low, high)


_BACKWARDS: Words = "its ends are the wrong way round"

KINDS: dict[str, Kind] = {
    "range": Kind("200..400 mm:50", None),
    "list": Kind("100|200|500 N/m", None),
    "uniform": Kind("200..400 mm", _uniform, 2, lambda n: "" if n[0] <= n[1] else _BACKWARDS),
    "normal": Kind(
        "normal(2, 0.1) kg",
        _normal,
        2,
        lambda n: "" if n[1] >= 0.0 else "its standard deviation is negative",
    ),
    "triangular": Kind(
        "triangular(1, 2, 4) mm",
        _triangular,
        3,
        lambda n: "" if n[0] <= n[1] <= n[2] else "its numbers do not ascend",
    ),
    "tolerance": Kind("330 mm IT8", _toleranced, 2),
}

_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>.+?)(?::\s*(?P<count>\d+))?")
_CALL = re.compile(r"(?P<kind>[a-z]+)\s*\((?P<arguments>[^()]*)\)\s*(?P<unit>.*)")
_GRADE = re.compile(r"(?P<size>.*?)\s*\bIT(?P<grade>\d+)")
_PLAIN = re.compile(r"[-+−]?[\d.]+(?:[eE][-+]?\d+)?")
# a number with a unit, which is of the plain numbers before it too; a formula's end is not
_WITH_UNIT = re.compile(rf"\s*{_PLAIN.pattern}\s*(?P<unit>[^\W\d_][^\s()*+−-]*|°)\s*")


def read(text: str, project: Project) -> Variation:
    """The variation of a text such as "L2=200..400 mm:50" or "m=normal(2, 0.1) kg".

    Raises ValueError with one sentence for a parameter that is not there and numbers that cannot
    be read.
    """
    name, sign, values = (part.strip() for part in text.partition("="))
    parameter = project.parameters.get(name)
    if not sign or not name or parameter is None:
        raise ValueError(
            tr(
                "{text} varies no parameter of this project: write NAME=VALUES with one of "
                "{names}.",
                text=text,
                names=listed(list(project.parameters)),
            )
            if project.parameters
            else tr(
                "{text}: this project has no parameter to vary. Name a number of the drawing "
                "first.",
                text=text,
            )
        )
    try:
        kind, numbers = _numbers(values, parameter.dimension, parameter_values(project), name)
    except ExpressionError as error:
        raise ValueError(
            tr("The values of {name} cannot be read: {error}", name=name, error=error)
        ) from None
    reason = KINDS[kind].sound(numbers)
    if reason or not all(map(math.isfinite, numbers)):
        raise ValueError(
            tr(
                "{name} cannot be {values}: {reason}.",
                name=name,
                values=values,
                reason=tr(reason) if reason else tr("a number is not finite"),
            )
        )
    return Variation(name, kind, numbers, values)


def _unit_after(text: str) -> str:
    """Unit of a text such as "400 N/mm"; "" for a number alone and for a formula."""
    found = _WITH_UNIT.fullmatch(text)
    return found["unit"] if found else ""


def _numbers(text: str, dimension: str, names: Names, name: str) -> tuple[str, tuple[float, ...]]:
    """Kind and numbers [SI] of the text after the sign =."""
    symbol = unit(dimension, DEFAULT_SYSTEM).symbol

    def number(typed: str, suffix: str = "") -> float:
        plain = _PLAIN.fullmatch(typed.strip())
        return evaluate(
            f"{typed} {suffix}" if plain and suffix else typed, dimension, names, symbol
        )

    if found := _GRADE.fullmatch(text):
        grade = int(found["grade"])
        size = number(found["size"]) if found["size"] else names[name][0]
        if dimension != "length":
            raise ExpressionError(tr("a tolerance grade is for lengths"))
        half = tolerance(size, grade) / 2.0
        return "tolerance", (size - half, size + half)
    if found := _CALL.fullmatch(text):
        kind = KINDS.get(found["kind"])
        if kind is not None and kind.arguments:
            parts = found["arguments"].split(",")
            if len(parts) != kind.arguments:
                raise ExpressionError(tr("it is written {form}", form=kind.form))
            return found["kind"], tuple(number(part, found["unit"].strip()) for part in parts)
    if found := _RANGE.fullmatch(text):
        suffix = _unit_after(found["high"])
        low, high = number(found["low"], suffix), number(found["high"])
        if found["count"] is None:
            return "uniform", (low, high)
        count = int(found["count"])
        if not 1 <= count <= MOST_POINTS:
            raise ExpressionError(
                tr("a grid has 1 to {most:,} points along an axis", most=MOST_POINTS)
            )
        # both ends exactly; 330 mm between 310 and 350 mm is 0.33 m, whatever is added up
        inner = (float(f"{v:.15g}") for v in np.linspace(low, high, count)[1:-1].tolist())
        return "range", (low, *inner, high)[:count]
    if "|" in text:
        parts = text.split("|")
        suffix = _unit_after(parts[-1])
        return "list", tuple(number(part, suffix) for part in parts)
    try:
        return "list", (number(text),)
    except ExpressionError:
        forms = [kind.form for kind in KINDS.values()]
        raise ExpressionError(
            tr("{text} is none of {forms}", text=text, forms=listed(forms))
        ) from None
