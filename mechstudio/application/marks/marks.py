"""Marks of the open document: what of them is drawn at the time cursor."""

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.marks.places import Spot, color, spot
from mechstudio.application.marks.trails import Strokes, Trail
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.runs import Runs
from mechstudio.application.signal import Signal
from mechstudio.model.edits.marks import Place, of_type, place
from mechstudio.model.project import Mark, Project
from mechstudio.model.types.marks import MARK_TYPES

BUDGET = 0.004  # s of computing in one turn
TOLD = 0.1  # s between two pictures of trails that grow


class Path(NamedTuple):
    """A path to be drawn.  id: of its mark.  color: index of its body's series colour.  shaded: its
    shares choose between the pale and the full colour.  last [s]: how much of it before the time
    cursor is seen, 0 for all.  whole: it is no history, and all of it is seen at any time.  dotted:
    of another assembly branch.
    """

    id: str
    strokes: Strokes
    color: int
    shaded: bool = False
    last: float = 0.0
    whole: bool = False
    dotted: bool = False


class Marks:
    """Marks of the drawing as they can be shown now; they grow in `poll`.

    pixel: size of a pixel in W [m], to which paths are cut; 0 while there is no view.  pointed():
    the point or joint under the pointer, None for none.  changed(): paths are others.
    """

    def __init__(self, document: Document, runs: Runs) -> None:
        self.changed = Signal()
        self.pixel = 0.0
        self.pointed: Callable[[], Place | None] = lambda: None
        self._document, self._runs = document, runs
        self._trails: dict[str, Trail] = {}
        self._made: tuple[Project | None, Recording | None] = (None, None)
        self._told = (0.0, 0)
        document.changed.connect(lambda old, new: self._refresh())

    def of_type(self, type: str) -> tuple[Mark, ...]:
        """Marks of a type whose places are there."""
        return of_type(self._document.project, type)

    def spot(self, mark: Mark) -> Spot | None:
        """The point of a body that a mark belongs to."""
        return spot(self._document.project.mechanism, place(mark))

    def title(self, mark: Mark) -> str:
        """Name of what a mark belongs to."""
        at, m = self.spot(mark), self._document.project.mechanism
        if at is None:
            return MARK_TYPES[mark.type].label
        return at.name if not mark.point else f"{at.name} of {m.body(at.body).name}"

    def marked(self) -> dict[str, tuple[str, ...]]:
        """Types of the marks on each element, by its id, in the order of MARK_TYPES."""
        m, found = self._document.project.mechanism, {}
        for type in MARK_TYPES:
            for mark in self.of_type(type):
                at = spot(m, place(mark))
                if at is not None:
                    types = found.setdefault(mark.joint or at.body, [])
                    types += [] if type in types else [type]
        return {id: tuple(types) for id, types in found.items()}

    # paths

    def paths(self) -> tuple[Path, ...]:
        """Paths of the trails as far as they have grown."""
        project = self._document.project
        out = []
        for mark in self.of_type("trail"):
            trail = self._trails.get(mark.id)
            if trail is not None:
                out.append(
                    Path(
                        mark.id,
                        trail.strokes(),
                        color(project.mechanism, trail.at.body),
                        mark.color != "body",
                        trail.last,
                    )
                )
        return tuple(out)

    def fastest(self, mark: Mark) -> float | None:
        """Largest speed on a trail that is coloured by speed [m/s]; None while unknown."""
        trail = self._trails.get(mark.id)
        return trail.fastest if trail is not None and mark.color == "speed" else None

    def poll(self) -> None:
        """Let paths grow for a moment."""
        self._refresh()
        begun = time.perf_counter()
        for trail in self._trails.values():
            trail.fit(self.pixel)
        behind = [t for t in self._trails.values() if t.is_behind]
        while behind and self.pixel > 0.0 and time.perf_counter() - begun < BUDGET:
            behind.sort(key=lambda t: t.version)
            behind[0].grow()
            behind = [t for t in behind if t.is_behind]
        version = sum(t.version for t in self._trails.values())
        now = time.perf_counter()
        if version != self._told[1] and (not behind or now - self._told[0] > TOLD):
            self._told = (now, version)
            self.changed.emit()

    def _refresh(self) -> None:
        """Trails of the marks and the recording as they are now; those that stay keep what they
        have.
        """
        project, recording = self._document.project, self._runs.recording
        if self._made[0] is project and self._made[1] is recording:
            return
        self._made = (project, recording)
        before, self._trails = self._trails, {}
        for mark in self.of_type("trail") if recording is not None else ():
            at = self.spot(mark)
            assert recording is not None and at is not None, "of_type leaves out the others"
            last = mark.value or 0.0
            old = before.get(mark.id)
            same = (
                old is not None
                and old.recording is recording
                and (old.at.body, old.at.local, old.color, old.last)
                == (at.body, at.local, mark.color, last)
            )
            self._trails[mark.id] = (
                old if same and old is not None else Trail(recording, at, mark.color, last)
            )
        if before or self._trails:
            self._told = (0.0, -1)
            self.changed.emit()


def ends_of(paths: Iterable[Path]) -> np.ndarray:
    """Points (k, 3) that enclose the paths [m, W]."""
    found = [np.concatenate([p.strokes.a, p.strokes.b]) for p in paths if len(p.strokes)]
    return np.concatenate(found) if found else np.zeros((0, 3))
