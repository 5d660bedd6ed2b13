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
from mechstudio.model.findings import listed
from mechstudio.model.units import format_number
from mechstudio.translation import Words, tr, trn

PADDING = 16  # times the samples that a spectrum is interpolated to
LONGEST_SPECTRUM = 2**19  # that padding leads to
LEAST_PADDING = 3  # of long curves: without any, peaks between two lines read 3 % too high
# windows by the weights of their cosines, with changing sign
WINDOWS = {
    "hann": (0.5, 0.5),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}
TURN = 2 * math.pi
MOST_PEAKS = 6  # of a spectrum, that are named
LEAST_PEAK = 0.04  # of the largest one: above the side lobes of the windows
DIP = 0.8  # of a peak, that lies between it and a higher one
MOST_TURNS = 100_000  # of an angle, at whose levels points are taken
EVEN = 1e-6  # part of the step that times may be off an even spacing
Direction = Literal["rising", "falling", "either"]


class Curve(NamedTuple):
    """Result of an operation.  x, y (n,) in SI, NaN for a gap.  x_dimension, y_dimension: see
    curves.dimensions.  note: how it was found, "" where there is but one way.  points: single
    points, with no line between them.  instants (n,) [s]: of the points, empty where they have
    none.
    """

    x: np.ndarray
    y: np.ndarray
    x_dimension: str
    y_dimension: str
    note: str = ""
    points: bool = False
    instants: np.ndarray = np.zeros(0)


class Options(msgspec.Struct, frozen=True):
    """Numbers of operations.  width [s]: of a moving mean.  window: of a spectrum, a
    key of WINDOWS.  level [SI], direction: of a section.  one_turn: a
    horizontal axis of angles ends after one turn and begins again.
    """

    width: float = 0.1
    window: str = "hann"
    level: float = 0.0
    direction: Direction = "rising"
    one_turn: bool = True


class Operand(NamedTuple):
    """A course with its dimension."""

    course: Course
    dimension: str


class Operation(msgspec.Struct, frozen=True):
    """One operation.  label: as in a menu.  name: of its result, with {} for the names of its
    curves.  operands: how many curves it takes, 0 for any number.  settings: fields of Options that
    it reads.  summary: its effect, for a tip.  dimension: of its result from that of its curve,
    where it makes another curve over the time from one.
    """

    label: Words
    name: Words
    operands: int
    summary: Words
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


def found_by(key: str) -> str:
    """Sentences on how a computed curve is found, of the innermost operation first; "" of any other
    one.
    """
    if (computed := split(key)) is None:
        return ""
    name, options, base = computed
    some = Operand(Course(np.arange(2.0), np.zeros(2)), "number")
    return " ".join(filter(None, (found_by(base), applied(name, [some], options).note)))


def name_of(operation: str, options: Options, name: str) -> str:
    """Name of the result of an operation on a curve of a name."""
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
    found = Curve(x.values, values, x_dimension, y_dimension, note, instants=x.times)
    return _within_one_turn(found) if options.one_turn else found


def _phase(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    rate = _derivative(operands, options)
    over = Curve(found.values, rate.y, dimension, rate.y_dimension, rate.note, instants=found.times)
    return _within_one_turn(over) if options.one_turn else over


def _within_one_turn(found: Curve) -> Curve:
    """The curve with its angles from 0 to one turn, where they go over more than that; it is cut
    where they begin again, at places on straight lines between its points.
    """
    x, known = found.x, found.x[np.isfinite(found.x)]
    if found.x_dimension != "angle" or not len(known) or known.max() - known.min() <= TURN:
        return found
    turn = np.floor(x / TURN)
    step = np.diff(turn)
    cut = np.flatnonzero(np.abs(step) == 1)
    edge = TURN * np.maximum(turn[cut], turn[cut + 1])
    share = (edge - x[cut]) / (x[cut + 1] - x[cut])
    meet = lambda v: v[cut] + share * (v[cut + 1] - v[cut])
    up = step[cut] > 0
    gap = np.full(len(cut), np.nan)
    # more than a turn between two samples: the direction is unknown
    lost = np.flatnonzero(np.abs(step) > 1) + 1

    def pieces(v: np.ndarray, *at_cuts: np.ndarray) -> np.ndarray:
        added = np.column_stack(at_cuts).ravel()
        places = np.concatenate((np.repeat(cut + 1, 3), lost))
        of_lost = v[lost] if at_cuts[1] is not gap else np.full(len(lost), np.nan)
        return np.insert(v, places, np.concatenate((added, of_lost)))

    y, t = meet(found.y), meet(found.instants)
    return found._replace(
        x=pieces(x - TURN * turn, np.where(up, TURN, 0.0), gap, np.where(up, 0.0, TURN)),
        y=pieces(found.y, y, gap, y),
        instants=pieces(found.instants, t, t, t),
        note=" ".join(filter(None, (tr("Angles within one turn."), found.note))),
    )


def _aligned(times: np.ndarray, other: Course) -> tuple[np.ndarray, str]:
    """Values of another course at some times, and a note where it had others."""
    if len(times) == len(other.times) and np.allclose(times, other.times, rtol=0, atol=1e-12):
        return other.values, ""
    return (
        interpolation.between(other.times, other.values, times),
        tr("Read between the samples of the second curve by cubics."),
    )


def _spectrum(operands: Sequence[Operand], options: Options) -> Curve:
    ((found, dimension),) = operands
    t, y = found.times, found.values
    if len(t) < 8:
        raise NotPossible(tr("A spectrum needs at least eight samples."))
    if not np.isfinite(y).all():
        raise NotPossible(tr("A spectrum needs values without a gap: choose a part of the run."))
    if t[-1] - t[-2] < (1.0 - EVEN) * (t[-2] - t[-3]):
        # the end of a run may lie between two of its even samples
        t, y = t[:-1], y[:-1]
    note = ""
    step = (t[-1] - t[0]) / (len(t) - 1)
    if not step > 0:
        raise NotPossible(tr("A spectrum needs samples at different times."))
    if np.abs(np.diff(t) - step).max() > EVEN * step:
        even = np.linspace(t[0], t[-1], len(t))
        y, note = interpolation.between(t, y, even), tr(" Read at even times by cubics.")
    if not np.isfinite(y).all():
        raise NotPossible(tr("A spectrum needs samples at different times."))
    if options.window not in WINDOWS:
        raise NotPossible(
            tr(
                "There is no window {window}; there are {known}.",
                window=options.window,
                known=listed(list(WINDOWS)),
            )
        )
    # numpy's own transform: the import of scipy's holds a window for a second
    turn = TURN * np.arange(len(y)) / len(y)
    terms = enumerate(WINDOWS[options.window])
    window = sum(((-1) ** k * a * np.cos(k * turn) for k, a in terms), np.zeros(len(y)))
    padded = max(min(PADDING * len(y), LONGEST_SPECTRUM), LEAST_PADDING * len(y))
    length = 2 ** math.ceil(math.log2(padded))
    amplitude = np.abs(np.fft.rfft((y - y.mean()) * window, length)) * (2.0 / window.sum())
    # what neighbouring lines blend into: the noise bandwidth of the window
    width = len(y) * (window**2).sum() / window.sum() ** 2 / (len(y) * step)
    return Curve(
        np.fft.rfftfreq(length, step),
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


def spectrum_peaks(found: Curve) -> list[tuple[float, float]]:
    """Frequency [Hz] and amplitude [SI] of the largest peaks of a spectrum, refined by the parabola
    through three points of the logarithm each, by frequency.
    """
    y = found.y
    top = float(y.max(initial=0.0))
    if not top > 0:
        return []
    inner = y[1:-1]
    high = (inner > y[:-2]) & (inner >= y[2:]) & (inner > LEAST_PEAK * top)
    places: list[int] = []
    for k in sorted((np.flatnonzero(high) + 1).tolist(), key=lambda k: -y[k]):
        # a shoulder of a higher peak is none
        if all(y[min(k, p) : max(k, p)].min() < DIP * y[k] for p in places):
            places.append(k)
        if len(places) == MOST_PEAKS:
            break
    at = np.array(sorted(places), int)
    a, b, c = (np.log(np.maximum(y[at + k], 1e-300)) for k in (-1, 0, 1))
    bend = a - 2 * b + c
    off = np.where(bend < 0, 0.5 * (a - c) / np.where(bend < 0, bend, 1.0), 0.0)
    heights = np.exp(b - 0.25 * (a - c) * off)
    frequencies = found.x[at] + off * (found.x[1] - found.x[0])
    return list(zip(frequencies.tolist(), heights.tolist(), strict=True))


def _section(operands: Sequence[Operand], options: Options) -> Curve:
    (x, x_dimension), (y, y_dimension), (gate, gate_dimension) = operands
    # an angle that counts on passes a level in every turn
    period = TURN if gate_dimension == "angle" else 0.0
    if period and np.nansum(np.abs(np.diff(gate.values))) > MOST_TURNS * TURN:
        raise NotPossible(
            tr(
                "The angle turns more than {count} times: choose a part of the run.",
                count=MOST_TURNS,
            )
        )
    at = interpolation.crossings(gate.times, gate.values, options.level, options.direction, period)
    note = trn("{count} crossing, read by cubics.", "{count} crossings, read by cubics.", len(at))
    if not len(at) and options.direction != "either":
        back: Direction = "falling" if options.direction == "rising" else "rising"
        turned = (gate.times, gate.values, options.level, back, period)
        if count := len(interpolation.crossings(*turned)):
            note = trn(
                "No crossing in this direction; in the other one there is {count}.",
                "No crossing in this direction; in the other one there are {count}.",
                count,
            )
    pick = lambda found: interpolation.between(found.times, found.values, at)
    return Curve(
        pick(x),
        pick(y),
        x_dimension,
        y_dimension,
        note,
        True,
        at,
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
        "One over another",
        "{1} over {0}",
        2,
        "The second curve over the first.",
        _over,
        ("one_turn",),
    ),
    "phase": Operation(
        "Phase plot", "Phase plot of {}", 1, "Rate over value.", _phase, ("one_turn",)
    ),
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
        "Section of {1} over {0}",
        3,
        "Points of the first two curves at each crossing of the third.",
        _section,
        ("level", "direction"),
    ),
}
