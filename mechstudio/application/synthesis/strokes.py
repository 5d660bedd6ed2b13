"""Strokes of the mouse as points of a path."""

import numpy as np

SMOOTH = 0.02  # share of its length over which a stroke is smoothed
NEAR = 0.12  # share of its length within which the end of a stroke closes it
FINE = 400  # points that a stroke is read at


def closes(stroke: np.ndarray) -> bool:
    """True if the end of a stroke (n,) x + i z is near its start."""
    length = float(np.abs(np.diff(stroke)).sum())
    return len(stroke) > 3 and abs(stroke[-1] - stroke[0]) < NEAR * length


def resampled(stroke: np.ndarray, count: int, closed: bool) -> np.ndarray:
    """Points (count,) at equal distances along a smoothed stroke (n,) x + i z; a closed one
    goes back to its first point, which is not repeated.  Raises ValueError for a stroke without
    length.
    """
    line = np.append(stroke, stroke[0]) if closed else stroke
    line = line[np.append(True, np.abs(np.diff(line)) > 0.0)]
    along = np.append(0.0, np.cumsum(np.abs(np.diff(line))))
    if along[-1] == 0.0:
        raise ValueError("a stroke without length")
    at = np.linspace(0.0, along[-1], FINE, endpoint=not closed)
    fine = np.interp(at, along, np.real(line)) + 1j * np.interp(at, along, np.imag(line))
    fine = _smoothed(fine, closed)
    if closed:
        fine = np.append(fine, fine[0])
    along = np.append(0.0, np.cumsum(np.abs(np.diff(fine))))
    at = np.linspace(0.0, along[-1], count, endpoint=not closed)
    return np.interp(at, along, np.real(fine)) + 1j * np.interp(at, along, np.imag(fine))


def _smoothed(line: np.ndarray, closed: bool) -> np.ndarray:
    """A line whose tremor is taken away; the ends of an open one stay."""
    reach = max(1, round(SMOOTH * len(line)))
    weights = np.hanning(2 * reach + 3)[1:-1]
    weights /= weights.sum()
    if closed:
        around = np.concatenate((line[-reach:], line, line[:reach]))
    else:
        # mirrored at its ends, which so stay
        around = np.concatenate(
            (2 * line[0] - line[reach:0:-1], line, 2 * line[-1] - line[-2 : -reach - 2 : -1])
        )
    return np.convolve(around, weights, mode="valid")
