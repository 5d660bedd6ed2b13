"""Arrows to move along, arcs to turn about and squares to move in a plane, round one place: the
same for bodies, points and ends of forces.
"""

import math
from collections.abc import Hashable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import LETTERS, Axes, view_direction
from mechstudio.application.tools.handles.handle_places import HandlePosition
from mechstudio.application.tools.tool import Handle, Pointer
from mechstudio.model.geometry.rotation import Triple, plus
from mechstudio.model.geometry.work_plane import dot
from mechstudio.translation import tr

ROLES = ("axis_x", "axis_y", "axis_z")
# in pixels from the middle: where arrows begin and end, the planes' squares, the radius of the arcs
ARROW, SQUARE, ARC = (22.0, 92.0), (30.0, 44.0), 66.0
ARC_SPAN = (math.radians(18.0), math.radians(72.0))
# cosine between axis and line of view_direction: an arrow fades from the first to the second; an
# arc or square the other way round
ARROW_FADES, FLAT_FADES = (0.88, 0.97), (0.32, 0.14)
MOVE, PLANE, TURN, FREE = "move", "plane", "turn", "free"
SMALLER = 0.72  # how large those of a point are beside a body's


def gizmo_positions(
    eye: Eye,
    c: Triple,
    axes: Axes,
    scale: float,
    hot: Hashable,
    own: str = "",
    turns: bool = True,
    planes: bool = True,
    of: tuple[Hashable, ...] = (),
    what: str = "",
) -> list[HandlePosition]:
    """Every handle that this view offers; what lies too much along the line of sight is left out.

    c: their middle [m, W].  scale: pixels of the screen per pixel of their normal size.  own: "its
    own " of axes that turn with a body.
    of: what their keys begin with, before kind and axis.   what: is moved or turned, in words.
    """
    px, view = eye.pixel_size(c) * scale, view_direction(eye, c)
    handle_positions, what = [], f" {what}" if what else ""

    def add(
        kind: str, k: int, look: str, points: tuple[Triple, ...], word: str, fade: float
    ) -> None:
        key = (*of, kind, k)
        handle_positions.append(
            HandlePosition(key, Handle(look, points, ROLES[k], word, key == hot, fade))
        )

    for k, axis in enumerate(axes):
        along, (u, v) = abs(dot(axis, view)), (axes[(k + 1) % 3], axes[(k + 2) % 3])
        word, shown = f"{own}{LETTERS[k]}", _fade(along, *FLAT_FADES)
        if shown > 0 and turns:
            arc = tuple(
                plus(plus(c, u, ARC * px * math.cos(t)), v, ARC * px * math.sin(t))
                for t in (ARC_SPAN[0] + (ARC_SPAN[1] - ARC_SPAN[0]) * i / 12 for i in range(13))
            )
            add(TURN, k, "arc", arc, tr("turn{what} about {word}", what=what, word=word), shown)
        if shown > 0 and planes:
            near, far = SQUARE[0] * px, SQUARE[1] * px
            corners = tuple(
                plus(plus(c, u, s), v, t)
                for s, t in ((near, near), (far, near), (far, far), (near, far))
            )
            add(
                PLANE,
                k,
                "area",
                corners,
                tr(
                    "move{what} in {own}{number} and {letter}",
                    what=what,
                    own=own,
                    number=LETTERS[(k + 1) % 3],
                    letter=LETTERS[(k + 2) % 3],
                ),
                shown,
            )
        shown = _fade(along, *ARROW_FADES)
        if shown > 0:
            add(
                MOVE,
                k,
                "arrow",
                (plus(c, axis, ARROW[0] * px), plus(c, axis, ARROW[1] * px)),
                tr("move{what} along {word}", what=what, word=word),
                shown,
            )
    return handle_positions


def is_about(pointer: Pointer, at: Triple, scale: float) -> bool:
    """True if the pointer is still so near to a point that the arrows about it are needed."""
    place = pointer.eye.pixel_of(at) if pointer.eye is not None else None
    return (
        place is not None
        and math.dist(place, (pointer.x, pointer.y)) <= 1.2 * SMALLER * ARROW[1] * scale
    )


def _fade(along: float, from_: float, to: float) -> float:
    """1 up to the first bound, 0 beyond the second."""
    return min(1.0, max(0.0, (to - along) / (to - from_)))
