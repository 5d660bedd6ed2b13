"""Parts of figures: lines that go along with a body, outlines of bodies elsewhere, and symbols."""

from typing import NamedTuple

import numpy as np

from mechstudio.application.marks.figures.edges import Edges
from mechstudio.model.mechanism import GROUND


class Line(NamedTuple):
    """A polyline.  points (n, 3) in the axes of a body [m].  role: its colour in the theme, "" for
    that of the body `color` is the series index of.  width [px].  strength: 0 to 1.  hidden: share
    of it where bodies stand before it.
    """

    points: np.ndarray
    body: str = GROUND
    role: str = "text2"
    color: int = -1
    width: float = 1.4
    dashed: bool = False
    strength: float = 1.0
    hidden: float = 0.35


class Outline(NamedTuple):
    """Outline of a body at a pose (7,): place [m] and quaternion w x y z."""

    edges: Edges
    pose: np.ndarray
    color: int
    strength: float


class Symbol(NamedTuple):
    """A mark of constant size on the screen.  kind: key of the view's table of symbols, "" for
    words alone.  point (3,) in the axes of a body [m].  far: its words where it lies outside the
    view, "" for the same.
    """

    kind: str
    point: np.ndarray
    body: str = GROUND
    words: str = ""
    role: str = "text"
    far: str = ""


class Figures(NamedTuple):
    """All that is drawn beside the scene at an instant.  lines: those that stay, or go along with
    a body; moving: those that are others at the next instant.
    """

    lines: tuple[Line, ...] = ()
    outlines: tuple[Outline, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    moving: tuple[Line, ...] = ()

    def __bool__(self) -> bool:
        return any(self[:])
