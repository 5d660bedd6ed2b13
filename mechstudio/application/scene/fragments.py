"""Portions: what each body and joint adds to a scene, kept from one drawing to the next, so that an
edit rebuilds only the parts that it changed.

A portion is found by a key that names all that it was made from: the frozen elements themselves (by
identity, held here so that no other can take their place) and numbers by value.  What the key
leaves out must not be read while the portion is made.
"""

from typing import Any

import numpy as np

# builds for which a portion is kept that none of them used: an undo, or a tool's proposal, finds it
# again
LASTS = 8


class Portion:
    """Portion of the scene that one element added.  first: number of its first own row when it was
    made; `bodies`: of the bodies it was made with.

    held: objects that the key names by identity.   anchors, ends: as in Builder, of a joint.
    """

    __slots__ = ("_reaches", "_skin", "anchors", "bodies", "ends", "first", "held", "lists", "used")

    def __init__(
        self,
        held: tuple,
        first: int,
        bodies: tuple[int, ...],
        lists: tuple[list, ...],
        anchors: dict[str, int] | None,
        ends: tuple[float, float] | None,
    ) -> None:
        self.held, self.first, self.bodies, self.lists, self.anchors, self.ends = (
            held,
            first,
            bodies,
            lists,
            anchors,
            ends,
        )
        self.used = 0
        self._skin: np.ndarray | None = None
        self._reaches: dict[tuple[float, ...], float] = {}

    @property
    def skin(self) -> np.ndarray:
        """Points (k, 3) of the rigid skins of a body, in its axes."""
        if self._skin is None:
            self._skin = np.concatenate(
                [np.zeros((0, 3)), *(p.part.skin.points for p in self.lists[1] if p.along is None)]
            )
        return self._skin

    def reach(self, at: tuple[float, float, float]) -> float:
        """The largest distance [m] from a point to the skin of a body and to its origin."""
        found = self._reaches.get(at)
        if found is None:
            points = np.concatenate([np.zeros((1, 3)), self.skin]) - at
            found = self._reaches[at] = float(np.sqrt(np.max((points * points).sum(axis=1))))
        return found


class Portions:
    """The portions of the drawings that were built last."""

    def __init__(self) -> None:
        self._known: dict[tuple, Portion] = {}
        self._turn = 0

    def begin(self) -> None:
        """Another scene is built."""
        self._turn += 1

    def find(self, key: tuple) -> Portion | None:
        """The portion of a key, None for one that is not known."""
        found = self._known.get(key)
        if found is not None:
            found.used = self._turn
        return found

    def put(self, key: tuple, portion: Portion) -> None:
        """Keep a portion.  Its key holds ids of nothing but what the portion holds."""
        portion.used = self._turn
        self._known[key] = portion

    def end(self) -> None:
        """The scene is built: what the last ones did not use is forgotten."""
        for key in [
            key for key, portion in self._known.items() if portion.used <= self._turn - LASTS
        ]:
            del self._known[key]

    def forget(self) -> None:
        """Everything is made again from now on."""
        self._known.clear()


PORTIONS = Portions()


def transformed(
    lists: tuple[list, ...], first: int, bodies: tuple[int, ...], to: int, others: tuple[int, ...]
) -> tuple[list, ...]:
    """Rows, pieces, edges, marks, fills and labels whose own rows now begin at `to`, and whose
    bodies now have other numbers.
    """
    if first == to and bodies == others:
        return lists
    by, index = to - first, dict(zip(bodies, others, strict=True))
    index[0] = 0  # the ground is always the first
    place: Any = lambda part: None if part is None else (index[part[0]], part[1])
    own: Any = lambda row: row + by if row >= first else row
    rows, pieces, edges, marks, fills, labels = lists
    return (
        [r._replace(place=place(r.place), turn=place(r.turn), end=place(r.end)) for r in rows],
        [type(p)(own(p.row), p.part, p.material, p.along) for p in pieces],
        *(
            [type(s)(s.points, own(s.row), s.kind, s.width, s.along) for s in strokes]
            for strokes in (edges, marks)
        ),
        [f._replace(row=own(f.row)) for f in fills],
        [(text, own(row), *rest) for text, row, *rest in labels],
    )
