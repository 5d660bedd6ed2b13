"""Aiming a click: which of the places under the pointer is meant.  Tab goes on to the next;
standing still lists them.
"""

import math
from collections.abc import Sequence

from mechstudio.application.tools.snapping.candidates import Snap
from mechstudio.application.tools.snapping.loci import Locus
from mechstudio.application.tools.snapping.snap import choices
from mechstudio.application.tools.tool import Pointer, Preview, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.translation import tr

STEADY = 12.0  # pixels that the pointer may move before a choice made by Tab is forgotten
LISTED = 8  # choices that are listed at most


class Aim:
    """Places that the pointer of one tool can snap to, and the one in force.  listed: the choices
    stand beside the cursor.
    """

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.places: list[Snap] = []
        self._at = 0
        self._word: tuple[str, Triple] | None = None  # what Tab chose
        self._anchor = (0.0, 0.0)
        self.listed = False

    @property
    def here(self) -> Snap | None:
        """The place where a click would land now."""
        return self.places[self._at] if self.places else None

    def move(
        self,
        pointer: Pointer,
        start: Triple | None = None,
        exclude_bodies: frozenset[str] = frozenset(),
        last: str = "",
        plane: WorkPlane | None = None,
        loci: Sequence[Locus] = (),
    ) -> Snap | None:
        """The pointer moved.  plane: where it aims, if not in the work plane.  loci: lines and
        circles of it that catch the pointer, too.
        """
        c = self.context
        plane = plane or c.plane
        places = choices(
            c.document.project,
            plane,
            c.grid,
            pointer,
            start,
            exclude_bodies=exclude_bodies,
            last=last,
            loci=loci,
        )
        pixel = (
            (pointer.x, pointer.y)
            if pointer.eye is not None
            else plane.to_plane(pointer.point or plane.origin)
        )
        steady = STEADY if pointer.eye is not None else STEADY * pointer.pixel
        if math.dist(pixel, self._anchor) > steady:
            self._anchor, self._word = pixel, None
        if [(p.word, p.body) for p in places] != [(p.word, p.body) for p in self.places]:
            self.listed = False
        self.places = places
        # the same place as before, or else the same word: a free place moves along with the pointer
        at = next((k for k, p in enumerate(places) if self._word == (p.word, p.point)), None)
        if at is None and self._word is not None:
            at = next((k for k, p in enumerate(places) if self._word[0] == p.word), None)
        self._at = at or 0
        return self.here

    def next(self, step: int = 1) -> None:
        """Tab: the next place."""
        if len(self.places) > 1:
            self._at = (self._at + step) % len(self.places)
            here = self.places[self._at]
            self._word, self.listed = (here.word, here.point), True

    def forget(self) -> None:
        """After a click the next place is chosen again."""
        self._word, self.listed = None, False

    def linger(self) -> None:
        """The pointer stands still: list what there is to choose from."""
        self.listed = sum(bool(p.word) for p in self.places) > 1

    def show(self, preview: Preview) -> None:
        """Mark the place, and list the others where they are requested."""
        here = self.here
        if here is None:
            return
        preview.marker, preview.word, preview.shape = here.point, described(here), here.shape
        if here.helper is not None:
            preview.rubber = [*preview.rubber, here.helper]
        if self.listed and len(self.places) > 1:
            preview.choices = tuple(described(p) or "free" for p in self.places[:LISTED])
            preview.chosen = self._at if self._at < LISTED else -1


def described(place: Snap) -> str:
    """The word of a place, and that it lies off the work plane."""
    return (
        tr("{word}, off the plane", word=place.word)
        if place.off and place.word and not place.word.startswith("on ")
        else place.word
    )
