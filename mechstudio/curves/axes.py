"""Axes of a plot: round ticks, their labels, and two axes whose zeros lie on one line."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.model.rounding import round_above
from mechstudio.translation import localised

ALIKE = 1e-9  # range over the largest magnitude below which values are one value
OFF_ZERO = 0.05  # the same, below which an axis need not show its zero
PLAIN = (1e-3, 1e5)  # largest values that are written without a power of ten
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Axis(NamedTuple):
    """low, high: its ends.  ticks, labels: round values from the lower end on.  power: of ten, by
    which labels are to be multiplied.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    power: int = 0

    @property
    def factor_text(self) -> str:
        """Power of ten beside the unit, "×10⁻⁶", or nothing."""
        return f"×10{str(self.power).translate(_RAISED)}" if self.power else ""


def extent(values: list[np.ndarray]) -> tuple[float, float]:
    """Least and greatest finite number; a range around it where there is but one, (0, 1) where
    there is none.
    """
    parts = [v[np.isfinite(v)] for v in values]
    parts = [p for p in parts if len(p)]
    if not parts:
        return 0.0, 1.0
    low, high = float(min(p.min() for p in parts)), float(max(p.max() for p in parts))
    if high - low <= ALIKE * max(abs(low), abs(high)):
        room = 0.5 * abs(low) or 1.0
        return low - room, high + room
    return low, high


def axis(low: float, high: float, count: int = 5, tight: bool = False) -> Axis:
    """An axis with some `count` ticks around a range.  tight: it ends with the range, not with a
    tick.
    """
    step = round_above((high - low) / max(count, 1))
    if not tight:
        low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return _labelled(low, high, [k * step for k in range(first, last + 1)], step)


def pair(
    left: tuple[float, float], right: tuple[float, float], count: int = 5
) -> tuple[Axis, Axis]:
    """Two axes with common grid lines, of which one is both zeros; where the values of one lie far
    from zero, two axes by themselves.
    """
    spans = (left, right)
    if any(high - low < OFF_ZERO * max(abs(low), abs(high)) for low, high in spans):
        return axis(*left, count), axis(*right, count)
    below = [max(-low, 0.0) for low, _ in spans]
    above = [max(high, 0.0) for _, high in spans]
    best: tuple[float, int, int] | None = None
    for total in range(max(count - 1, 2), count + 3):
        for under in range(total + 1):
            over = total - under
            found = [_shared(b, a, under, over) for b, a in zip(below, above)]
            steps = [step for step in found if step is not None]
            if len(steps) < len(found):
                continue
            # how much longer both axes become than their values
            waste = sum(math.log(total * step / (b + a)) for step, b, a in zip(steps, below, above))
            if best is None or waste < best[0] - 1e-9:
                best = waste, under, over
    if best is None:
        return axis(*left, count), axis(*right, count)
    _, under, over = best
    made = []
    for b, a in zip(below, above):
        step = _shared(b, a, under, over) or 1.0
        made.append(
            _labelled(-under * step, over * step, [k * step for k in range(-under, over + 1)], step)
        )
    return made[0], made[1]


def _shared(below: float, above: float, under: int, over: int) -> float | None:
    """The least round step with which so many of them below and above zero hold all values."""
    if (below > 0 and not under) or (above > 0 and not over):
        return None
    need = max(below / under if under else 0.0, above / over if over else 0.0)
    return round_above(need) if need > 0 else None


def decades(low: float, high: float, count: int = 5) -> Axis:
    """An axis of decimal logarithms, whose ticks are powers of ten."""
    first, last = math.floor(low + 1e-9), math.ceil(high - 1e-9)
    last = max(last, first + 1)
    every = max(1, -(-(last - first) // max(count, 1)))
    ticks = [float(k) for k in range(first, last + 1, every)]
    labels = [f"10{str(int(k)).translate(_RAISED)}" for k in ticks]
    return Axis(float(first), float(last), tuple(ticks), tuple(labels))


def _labelled(low: float, high: float, ticks: list[float], step: float) -> Axis:
    largest = max((abs(t) for t in (low, high)), default=0.0)
    power = 0
    if largest > 0 and not PLAIN[0] <= largest < PLAIN[1]:
        power = 3 * math.floor(math.log10(largest) / 3)
    shown = step / 10.0**power
    digits = max(0, -math.floor(math.log10(shown) + 1e-9))
    labels = []
    for t in ticks:
        text = f"{t / 10.0**power:.{digits}f}"
        labels.append(localised(text if float(text) else text.lstrip("-")).replace("-", "−"))
    return Axis(low, high, tuple(ticks), tuple(labels), power)
