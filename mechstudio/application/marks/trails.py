"""Trails: the paths of points over a recording, cut to the resolution of the screen while they
grow.

A sample counts when it lies in another cell of the size of a pixel than the one before.  Where a
path comes back over itself, as every turn of a crank does, a piece is left out if the pixels under
it are covered already, so that a run of any length costs what its picture is large.
"""

import numpy as np

from mechstudio.application.marks.places import BodyPoint, positions, velocities
from mechstudio.application.runs.recording import Recording
from mechstudio.model.types.marks import BY_BODY, BY_SPEED

SLICE = 4096  # samples that are taken in at a time
MOST_CELLS = 1 << 20  # cells along an axis, to either side
MOST_PIECES = 20_000  # of one trail that does not leave out what is covered
LONGEST = 64  # cells of a piece that are examined


class Strokes:
    """Pieces of paths in W.  a, b: ends (k, 3) [m]; before, after: the points beside them on the
    path, themselves at an end of it.  times (k, 2) [s] and shares (k, 2), 0 to 1, of the two ends.
    """

    def __init__(self, points: np.ndarray, pieces: np.ndarray, times: np.ndarray, shares) -> None:
        """points (n, 3), of which pieces (k, 4) name before, a, b, after."""
        at = points[pieces]
        self.before, self.a, self.b, self.after = (at[:, n] for n in range(4))
        self.times, self.shares = times[pieces[:, 1:3]], shares[pieces[:, 1:3]]

    def __len__(self) -> int:
        return len(self.a)


class Cut:
    """Pieces of a growing path at one size of a cell [m].  once: True leaves out what is
    covered.
    """

    def __init__(self, cell: float, once: bool) -> None:
        self.cell, self.once = cell, once
        self._origin: np.ndarray | None = None
        self._count = 0  # points taken in so far
        self._last = -1  # the last one that counts; -1 after a gap
        self._covered = np.zeros(0, np.int64)
        self._pieces: list[np.ndarray] = []
        self._joined = np.zeros((0, 2), np.int64)

    @property
    def count(self) -> int:
        """Points that were taken in."""
        return self._count

    @property
    def pieces(self) -> np.ndarray:
        """Numbers (k, 2) of the points at the ends of the pieces."""
        if self._pieces:
            self._joined = np.concatenate([self._joined, *self._pieces])
            self._pieces = []
        return self._joined

    def feed(self, points: np.ndarray) -> None:
        """Take in points (n, 3) that follow; what is not finite is a gap."""
        start, self._count = self._count, self._count + len(points)
        finite = np.atleast_1d(np.isfinite(points).all(axis=1))
        if not finite.any():
            self._last = -1
            return
        if self._origin is None:
            self._origin = points[finite][0].copy()
        number = np.arange(start, self._count)
        cells = self._cells(np.where(finite[:, None], points, 0.0))
        if self._last >= 0:
            number = np.concatenate([[self._last], number])
            cells = np.concatenate([self._last_cell[None], cells])
            points = np.concatenate([self._last_point[None], points])
            finite = np.concatenate([[True], finite])
        fresh = np.ones(len(number), bool)
        fresh[1:] = np.any(cells[1:] != cells[:-1], axis=1) | ~finite[:-1]
        kept = np.flatnonzero(fresh & finite)
        gaps = np.cumsum(~finite)
        ends = np.column_stack([kept[:-1], kept[1:]])
        ends = ends[gaps[ends[:, 0]] == gaps[ends[:, 1]]]
        if len(ends):
            if self.once:
                ends = ends[self._uncovered(points[ends[:, 0]], points[ends[:, 1]])]
            self._pieces.append(number[ends])
        if not finite[-1]:
            self._last = -1
        else:
            self._last = int(number[kept[-1]])
            self._last_cell, self._last_point = cells[kept[-1]], points[kept[-1]].copy()

    def _cells(self, points: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            cells = np.floor((points - self._origin) / self.cell)
        return np.clip(cells, -MOST_CELLS, MOST_CELLS - 1).astype(np.int64)

    def _uncovered(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Numbers of the pieces from a to b (k, 3) under which a cell is covered by none before."""
        far = np.abs(b - a).max(axis=1) / self.cell
        counts = np.clip(np.ceil(np.minimum(far, LONGEST)), 1, LONGEST).astype(int)
        owner = np.repeat(np.arange(len(a)), counts)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        share = ((place + 0.5) / counts[owner])[:, None]
        cells = self._cells(a[owner] + share * (b - a)[owner]) + MOST_CELLS
        keys = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
        unique, first = np.unique(keys, return_index=True)
        at = np.searchsorted(self._covered, unique)
        known = at < len(self._covered)
        known[known] = self._covered[at[known]] == unique[known]
        self._covered = np.union1d(self._covered, unique[~known])
        return np.unique(owner[first[~known]])


class Trail:
    """Path of one point over a recording, which may still grow.

    color: key of marks.COLORS.  version: changes with what is to be drawn.
    """

    def __init__(self, recording: Recording, at: BodyPoint, color: str, last: float) -> None:
        self.recording, self.at, self.color, self.last = recording, at, color, last
        self.version = 0
        self._points = np.zeros((0, 3))
        self._speeds = np.zeros(0)
        self._count = 0
        self._cut: Cut | None = None
        self._next: Cut | None = None  # that of another size, which takes its place when complete
        self._requested = 0.0

    @property
    def is_behind(self) -> bool:
        """True if there are samples, or there is a size of pixels, that it has not taken in."""
        now = self._next or self._cut
        return self._count < self.recording.count or (
            now is not None and (now.count < self._count or now is self._next)
        )

    def fit(self, pixel: float) -> None:
        """Cut it for pixels of a size [m]; again where they are much smaller or larger."""
        at = self._next or self._cut
        if not np.isfinite(pixel) or pixel <= 0.0:
            return
        if at is not None and 0.5 <= self._requested / pixel <= 4.0:
            return
        self._requested = pixel
        # of a path that leaves nothing out, every sample of the last seconds may count
        self._next = Cut(pixel, self.color == BY_BODY and not self.last)
        if self._cut is None:
            self._cut, self._next = self._next, None

    def grow(self) -> None:
        """Take in a slice of samples."""
        recording = self.recording
        if self._count < recording.count:
            stop = min(self._count + SLICE, recording.count)
            rows = recording.rows[self._count : stop]
            self._points = _extended(
                self._points, self._count, positions(recording.layout, rows, self.at)
            )
            if self.color == BY_SPEED:
                speeds = np.linalg.norm(velocities(recording.layout, rows, self.at), axis=1)
                self._speeds = _extended(self._speeds, self._count, speeds)
            self._count = stop
        cut = self._next or self._cut
        if cut is None:
            return
        cut.feed(self._points[cut.count : min(cut.count + SLICE, self._count)])
        if cut is self._next and cut.count == self._count:
            self._cut, self._next = cut, None
        if cut is self._cut:
            if not cut.once and len(cut.pieces) > MOST_PIECES:
                self._next = Cut(2.0 * cut.cell, False)
            self.version += 1

    @property
    def fastest(self) -> float:
        """Largest speed so far [m/s], of a trail that is coloured by speed."""
        speeds = self._speeds[: self._count]
        speeds = speeds[np.isfinite(speeds)]
        return float(speeds.max(initial=0.0))

    def strokes(self) -> Strokes:
        """The pieces as they are now; shares follow the time or the speed."""
        times = self.recording.time[: self._count]
        ends = np.zeros((0, 2), np.int64) if self._cut is None else self._cut.pieces
        # neighbours along the path; a piece after a gap has itself for one
        before, after = ends[:, 0].copy(), ends[:, 1].copy()
        if len(ends) > 1:
            joined = ends[1:, 0] == ends[:-1, 1]
            before[1:][joined] = ends[:-1, 0][joined]
            after[:-1][joined] = ends[1:, 1][joined]
        if self.color == BY_SPEED:
            shares = self._speeds[: self._count] / max(self.fastest, 1e-300)
        else:
            shares = (times - self.recording.begin) / max(self.recording.length, 1e-300)
        shares = np.clip(np.nan_to_num(shares), 0.0, 1.0)
        pieces = np.column_stack([before, ends, after]).astype(np.int64)
        return Strokes(self._points[: self._count], pieces, times, shares)


def _extended(array: np.ndarray, count: int, new: np.ndarray) -> np.ndarray:
    """An array of which the first `count` rows count, with more at its end."""
    if count + len(new) > len(array):
        room = max(2 * len(array), count + len(new), SLICE)
        larger = np.empty((room, *array.shape[1:]))
        larger[:count] = array[:count]
        array = larger
    array[count : count + len(new)] = new
    return array
