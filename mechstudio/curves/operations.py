"""Operations on courses: one row and one function each.  Every result says in a note how it was
found where that is a choice.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from mechstudio.curves import interpolation
from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import integral_of, rate_of
from mechstudio.model.units import format_number
from mechstudio.translation import Words, tr, trn

PADDING = 16  # times the samples that a spectrum is interpolated to
LONGEST_SPECTRUM = 2**22
EVEN = 1e-6  # part of the step that times may be off an even spacing
Direction = Literal["rising", "falling", "either"]


class Curve(NamedTuple):
    """Result of an operation.  x, y (n,) in SI, NaN for a gap.  x_dimension, y_dimension: see
    curves.dimensions.  note: how it was found, "" where there is but one way.  points: single
    points, with no line between them.
    """

    x: np.ndarray
    y: np.ndarray
    x_dimension: str
    y_dimension: str
    note: str = ""
    points: bool = False


class Options(msgspec.Struct, frozen=True):
    """Numbers that operations are told.  width [s]: of a moving mean.  window: of a spectrum, a
    name that scipy.signal.get_window knows.  level [SI], direction: of a section.
    """

    width: float = 0.1
    window: str = "hann"
    level: float = 0.0
    direction: Direction = "rising"


class Operand(NamedTuple):
    """A course with its dimension."""

    course: Course
    dimension: str


class Operation(msgspec.Struct, frozen=True):
    """One operation.  label: as in a menu.  name: of its result, with {} for the names of its
    curves.  operands: how many curves it takes, 0 for any number.  settings: fields of Options that
    it reads.  tells: what it does, for a tip.  dimension: of its result from that of its curve,
    where it makes another curve over the time from one.
    """

    label: Words
    name: Words
    operands: int
    tells: Words
    apply: Callable[[Sequence[Operand], Options], Curve]
    settings: tuple[str, ...] = ()
    dimension: Callable[[str], str] | None = None


class NotPossible(ValueError):
    """An operation that cannot be done; the message says why, and what helps."""


def applied(key: str, operands: Sequence[Operand], options: Options = Options()) -> Curve:
    """The result of an operation, a key of OPERATIONS.  Raises NotPossible."""
    operation = OPERATIONS[key]
    if operation.operands and len(operands) != operation.operands:
        raise NotPossible(
            trn(
                "{operation} takes {count} curve, not {operands_count}.",
                "{operation} takes {count} curves, not {operands_count}.",
                operation.operands,
                operation=tr(operation.label),
                operands_count=len(operands),
            )
        )
    if not operands or not min(len(o.course.times) for o in operands):
        raise NotPossible(
            tr("{operation} needs a curve with values.", operation=tr(operation.label))
        )
    return operation.apply(operands, options)


def split(key: str) -> tuple[str, Options, str] | None:
    """Operation, its options and the key of the curve that it changes, from the key of a computed
    curve such as "derivative/joint/A/0" or "moving_mean/0.1/joint/A/0"; None for any other key.
    """
    name, _, rest = key.partition("/")
    operation = OPERATIONS.get(name)
    if operation is None or operation.dimension is None:
        return None
    if not operation.settings:
        return name, Options(), rest
    width, _, rest = rest.partition("/")
    try:
        found = float(width)
    except ValueError:
        return None
    return (name, Options(width=found), rest) if 0 < found < math.inf else None


def key_of(operation: str, base: str, width: float = 0.0) -> str:
    """Key of the curve that an operation makes of another one.  width [s]: of a moving mean."""
    return f"{operation}/{width!r}/{base}" if width else f"{operation}/{base}"


def name_of(operation: str, options: Options, name: str) -> str:
    """Name of what an operation makes of a curve of a name."""
    row = OPERATIONS[operation]
    words = tr(row.name).format(name)
    if row.settings:
        return tr("{words} over {width} s", words=words, width=format_number(options.width))
    return words


def _same(dimension: str) -> str:
    return dimension


def _derivative(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    return Curve(
        found.times,
        interpolation.derivative(found.times, found.values),
        "time",
        rate_of(dimension),
        tr("By differences over five samples."),
    )


def _integral(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    t, y = found.times, found.values
    rate = np.nan_to_num(interpolation.derivative(t, y))
    h = np.diff(t)
    # trapezoids, corrected by the rates at both ends: of fourth order
    parts = 0.5 * h * (y[1:] + y[:-1]) + h**2 / 12 * (rate[:-1] - rate[1:])
    return Curve(
        t,
        np.concatenate(([0.0 * y[0]], np.cumsum(parts))),
        "time",
        integral_of(dimension),
        tr("From zero at the first sample; unknown after a gap."),
    )


def _magnitude(operands: Sequence[Operand], options: Options) -> Curve:
    if len({o.dimension for o in operands}) > 1:
        raise NotPossible(tr("A magnitude is of curves of one dimension."))
    first, note = operands[0].course, ""
    values = [first.values]
    for other in operands[1:]:
        at, changed = _aligned(first.times, other.course)
        values.append(at)
        note = note or changed
    size = functools.reduce(np.hypot, values, np.zeros(len(first.times)))
    return Curve(first.times, size, "time", operands[0].dimension, note)


def _moving_mean(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    if not options.width > 0:
        raise NotPossible(tr("The width of a moving mean must be a positive time."))
    t, half = found.times, 0.5 * options.width
    out = np.full(len(t), np.nan)
    for part in interpolation.segments(found.values):
        own = t[part]
        inside = (own - half >= own[0]) & (own + half <= own[-1])
        ends = (own[inside] - half, own[inside] + half)
        low, high = (_integral_to(own, found.values[part], at) for at in ends)
        out[part][inside] = (high - low) / options.width
    return Curve(
        t,
        out,
        "time",
        dimension,
        tr(
            "Over {width} s around each instant; unknown nearer to an end or a gap.",
            width=format_number(options.width),
        ),
    )


def _integral_to(t: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Integrals of the straight lines between samples from the first one to some instants."""
    whole = np.concatenate(([0.0], np.cumsum(0.5 * np.diff(t) * (y[1:] + y[:-1]))))
    k = np.clip(np.searchsorted(t, at, "right") - 1, 0, max(len(t) - 2, 0))
    part, step = at - t[k], t[k + 1] - t[k]
    rise = np.where(step > 0, part / np.where(step > 0, step, 1.0), 0.0) * (y[k + 1] - y[k])
    return whole[k] + part * (y[k] + 0.5 * rise)


def _over(operands: Sequence[Operand], options: Options) -> Curve:
    (x, x_dimension), (y, y_dimension) = operands
    values, note = _aligned(x.times, y)
    return Curve(x.values, values, x_dimension, y_dimension, note)


def _phase(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    rate = _derivative(operands, options)
    return Curve(found.values, rate.y, dimension, rate.y_dimension, rate.note)


def _aligned(times: np.ndarray, other: Course) -> tuple[np.ndarray, str]:
    """Values of another course at some times, and a note where it had others."""
    if len(times) == len(other.times) and np.allclose(times, other.times, rtol=0, atol=1e-12):
        return other.values, ""
    return (
        interpolation.between(other.times, other.values, times),
        tr("Read between the samples of the second curve by cubics."),
    )


def _spectrum(operands: Sequence[Operand], options: Options) -> Curve:
    from scipy import fft, signal

    ((found, dimension),) = operands
    t, y = found.times, found.values
    if len(t) < 8:
        raise NotPossible(tr("A spectrum needs at least eight samples."))
    if not np.isfinite(y).all():
        raise NotPossible(tr("A spectrum needs values without a gap: choose a part of the run."))
    note = ""
    step = (t[-1] - t[0]) / (len(t) - 1)
    if not step > 0:
        raise NotPossible(tr("A spectrum needs samples at different times."))
    if np.abs(np.diff(t) - step).max() > EVEN * step:
        even = np.linspace(t[0], t[-1], len(t))
        y, note = interpolation.between(t, y, even), tr(" Read at even times by cubics.")
    try:
        window = np.asarray(signal.get_window(options.window, len(y)), float)
    except ValueError:
        raise NotPossible(
            tr("There is no window {window}; take hann or flattop.", window=options.window)
        ) from None
    length = fft.next_fast_len(min(PADDING * len(y), max(LONGEST_SPECTRUM, len(y))), real=True)
    amplitude = np.abs(np.asarray(fft.rfft((y - y.mean()) * window, length))) * (2.0 / window.sum())
    # what neighbouring lines blend into: the noise bandwidth of the window
    width = len(y) * (window**2).sum() / window.sum() ** 2 / (len(y) * step)
    return Curve(
        fft.rfftfreq(length, step),
        amplitude,
        "frequency",
        dimension,
        tr(
            "Amplitudes: a sine of amplitude a reads a. {window} window, resolution {width} Hz, "
            "mean taken out.{note}",
            window=options.window.capitalize(),
            width=format_number(width, 3),
            note=note,
        ),
    )


def _section(operands: Sequence[Operand], options: Options) -> Curve:
    (x, x_dimension), (y, y_dimension), (gate, _) = operands
    at = interpolation.crossings(gate.times, gate.values, options.level, options.direction)
    pick = lambda found: interpolation.between(found.times, found.values, at)
    return Curve(
        pick(x),
        pick(y),
        x_dimension,
        y_dimension,
        trn("{count} crossing, read by cubics.", "{count} crossings, read by cubics.", len(at)),
        True,
    )


OPERATIONS: dict[str, Operation] = {
    "derivative": Operation(
        "Derivative", "Rate of {}", 1, "Change per second.", _derivative, dimension=rate_of
    ),
    "integral": Operation(
        "Integral", "Integral of {}", 1, "Sum over the time.", _integral, dimension=integral_of
    ),
    "magnitude": Operation(
        "Magnitude",
        "|{}|",
        0,
        "Size without sign; of several curves the length of the vector that they make.",
        _magnitude,
        dimension=_same,
    ),
    "moving_mean": Operation(
        "Moving mean",
        "Moving mean of {}",
        1,
        "Mean around each instant, which smooths.",
        _moving_mean,
        ("width",),
        _same,
    ),
    "over": Operation(
        "One over another", "{1} over {0}", 2, "The second curve over the first.", _over
    ),
    "phase": Operation("Phase plot", "Rate of {0} over {0}", 1, "Rate over value.", _phase),
    "spectrum": Operation(
        "Spectrum",
        "Spectrum of {}",
        1,
        "Amplitude of each frequency.",
        _spectrum,
        ("window",),
    ),
    "section": Operation(
        "Poincaré section",
        "{1} over {0} where {2} crosses",
        3,
        "Points of the first two curves at each crossing of the third.",
        _section,
        ("level", "direction"),
    ),
}
