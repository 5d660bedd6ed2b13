"""Places of words over the scene: none covers another word, an arrow or what floats above."""

import math
from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QRectF

# directions round a point in which a word is tried, as angles from straight up [deg]
AROUND = np.radians([0, 60, -60, 120, -120, 180, 90, -90, 30, -30, 150, -150])
FARTHER = (1.0, 1.6, 2.3)  # times the distance at which it is tried


class Placer:
    """Room over a picture of a size [px].  words: rooms of the words that were placed."""

    def __init__(
        self,
        size: tuple[float, float],
        taken: Iterable[QRectF] = (),
        memory: dict[str, int] | None = None,
    ) -> None:
        """memory: where words stood in the picture before; there they stay while they can."""
        self._size, self._memory = size, {} if memory is None else memory
        self._rooms = np.zeros((64, 4))
        self._count = 0
        self.words: list[QRectF] = []
        for room in taken:
            self.block(room)

    @property
    def rooms(self) -> np.ndarray:
        """Rectangles (r, 4) that are taken: left, top, right, bottom [px]."""
        return self._rooms[: self._count]

    def block(self, room: QRectF) -> None:
        """Keep words out of a rectangle."""
        self._add(np.array([[room.left(), room.top(), room.right(), room.bottom()]]))

    def block_line(self, a: np.ndarray, b: np.ndarray, wide: float) -> None:
        """Keep words off a line between two points [px]."""
        self.block_lines(np.asarray(a)[None], np.asarray(b)[None], wide)

    def block_lines(self, a: np.ndarray, b: np.ndarray, wide: float) -> None:
        """Keep words off lines between points a and b (k, 2) [px]."""
        length = np.linalg.norm(b - a, axis=1)
        pieces = np.clip(np.ceil(length / wide), 1, 64).astype(int)
        owner = np.repeat(np.arange(len(a)), pieces + 1)
        number = np.arange(len(owner)) - np.repeat(np.cumsum(pieces + 1) - pieces - 1, pieces + 1)
        middles = a[owner] + (b - a)[owner] * (number / pieces[owner])[:, None]
        self._add(np.hstack([middles - wide / 2, middles + wide / 2]))

    def _add(self, rooms: np.ndarray) -> None:
        if self._count + len(rooms) > len(self._rooms):
            more = np.zeros((2 * len(self._rooms) + len(rooms), 4))
            more[: self._count] = self.rooms
            self._rooms = more
        self._rooms[self._count : self._count + len(rooms)] = rooms
        self._count += len(rooms)

    def place(
        self,
        wide: float,
        tall: float,
        x: float,
        y: float,
        away: float,
        first: float = 0.0,
        key: str = "",
    ) -> tuple[float, float] | None:
        """Middle of the free room for a word near a point, `away` from it at least [px]; None where
        there is none.  first: direction that is tried first, as an angle from straight up [deg].
        key: of the word in the memory.  The room is taken.
        """
        angle = np.tile(AROUND + math.radians(first), len(FARTHER))
        d = np.column_stack([np.sin(angle), -np.cos(angle)])
        # so far that the nearest side of the word stands off
        with np.errstate(divide="ignore"):
            side = np.minimum(wide / 2 / np.abs(d[:, 0]), tall / 2 / np.abs(d[:, 1]))
        far = away * np.repeat(FARTHER, len(AROUND)) + side
        middles = np.array([x, y]) + far[:, None] * d
        half = np.array([wide / 2, tall / 2])
        low, high = middles - half, middles + half
        inside = (low >= 0.0).all(axis=1) & (high <= np.array(self._size)).all(axis=1)
        r = self.rooms
        covers = (
            (low[:, None, 0] < r[None, :, 2])
            & (high[:, None, 0] > r[None, :, 0])
            & (low[:, None, 1] < r[None, :, 3])
            & (high[:, None, 1] > r[None, :, 1])
        ).any(axis=1)
        free = np.flatnonzero(inside & ~covers)
        if not len(free):
            return None
        before = self._memory.get(key, -1)
        chosen = before if before in free else int(free[0])
        if key:
            self._memory[key] = chosen
        cx, cy = middles[chosen].tolist()
        room = QRectF(cx - wide / 2, cy - tall / 2, wide, tall)
        self.block(room)
        self.words.append(room)
        return cx, cy
