"""Ticks and ranges of axes, and numbers as plots write them."""

import math
from collections.abc import Sequence

import numpy as np

from mechstudio.model.rounding import round_above
from mechstudio.translation import localised

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ROOM = 0.06  # of the range, above and below the curves
Ticks = list[tuple[float, str]]


def power_ticks(low: float, high: float, most: int = 5) -> Ticks:
    """Whole powers of ten for a log axis: [(-12, "10⁻¹²"), …], at most `most` of them."""
    first, last = int(np.ceil(low)), int(np.floor(high))
    step = max(1, -(-(last - first + 1) // most))
    return [
        (float(k), "10" + str(k).translate(_SUPERSCRIPT))
        for k in range(first - first % step if step > 1 else first, last + 1, step)
        if k >= low
    ]


def even_ticks(low: float, high: float, most: int = 6) -> Ticks:
    """Multiples of 1, 2 or 5 times a power of ten inside a range, at most `most` of them."""
    step = round_above((high - low) / most)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    plain = digits <= 6 and max(abs(low), abs(high)) < 1e7
    return [
        (
            k * step,
            minus(localised(f"{k * step:.{digits}f}" if plain else f"{k * step:.6g}")),
        )
        for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def minus(text: str) -> str:
    """A number with a typographic minus."""
    return text.replace("-", "−")


def reading(value: float, span: float) -> str:
    """A number with the digits that a curve of this span deserves: four of the span; a dash where
    it is unknown.
    """
    if not math.isfinite(value):
        return "–"
    size = max(abs(value), span)
    if size == 0.0:
        return "0"
    if not 1e-4 <= size < 1e7:
        return minus(localised(f"{value:.3e}")).replace("e−0", "e−").replace("e+0", "e")
    digits = min(max(3 - math.floor(math.log10(size)), 0), 7)
    text = f"{value:.{digits}f}"
    return minus(localised(text if float(text) else text.lstrip("-")))


def power_text(exponent: float) -> str:
    """A power of ten with two digits: the logarithm -12.5 is "3.2e−13"."""
    if not math.isfinite(exponent):
        return "–"
    mantissa, whole = 10.0 ** (exponent - math.floor(exponent)), math.floor(exponent)
    return localised(
        f"{mantissa:.1f}e{minus(str(whole))}" if mantissa < 9.95 else f"1.0e{minus(str(whole + 1))}"
    )


def reach(values: Sequence[np.ndarray], log: bool) -> tuple[float, float]:
    """The range of an axis that shows these values, with room above and below."""
    finite = [v[np.isfinite(v)] for v in values]
    low = min((float(v.min()) for v in finite if v.size), default=np.inf)
    high = max((float(v.max()) for v in finite if v.size), default=-np.inf)
    if not np.isfinite(low):
        return (-14.0, -8.0) if log else (0.0, 1.0)
    if log:
        # single samples of an error that are zero by luck must not flatten the rest
        low = float(min(np.percentile(v, 3) for v in finite if v.size))
        return float(np.floor(low)) - 0.3, float(max(np.ceil(high), np.floor(low) + 3)) + 0.3
    # a quantity that does not change is a level line, not magnified rounding
    span = max(high - low, 1e-3 * max(abs(high), abs(low)), 1e-9)
    middle, half = (high + low) / 2, (0.5 + ROOM) * span
    return middle - half, middle + half


def with_common_zero(
    left: tuple[float, float], right: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both ranges made longer, so that their zeros lie at the same height, and as little as they
    can be together.
    """
    pairs = [(max(-low, 0.0), max(high, 0.0)) for low, high in (left, right)]
    # share of the axis below zero; where neither crosses zero one of the bounds is zero
    candidates = [n / (n + p) for n, p in pairs]
    candidates.append(sum(candidates) / 2)

    def length(pair: tuple[float, float], share: float) -> float:
        below, above = pair
        return max(
            below / share if share > 0 else (0.0 if below == 0 else math.inf),
            above / (1 - share) if share < 1 else (0.0 if above == 0 else math.inf),
        )

    cost = lambda share: math.prod(
        length(pair, share) / (pair[0] + pair[1]) if math.isfinite(length(pair, share)) else 1e300
        for pair in pairs
    )
    best = min(candidates, key=cost)
    out = [(-best * length(p, best), (1 - best) * length(p, best)) for p in pairs]
    return out[0], out[1]
