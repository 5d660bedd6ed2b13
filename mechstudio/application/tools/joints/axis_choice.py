"""Axis and pair of bodies of a joint that is being placed, as Tab, Shift+X and Q choose them."""

from typing import NamedTuple

from mechstudio.application.tools.joints.joint_candidates import axes_at, carries_axis, pairs_at
from mechstudio.application.tools.snapping.candidates import Snap
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import parallel
from mechstudio.model.types.joints import JOINT_TYPES, TWIST

Axis = tuple[str, Triple]  # its word and its direction in W, unit


class Site(NamedTuple):
    """Place at the pointer, the bodies that meet there, and those before or behind them."""

    pointer: Pointer | None = None
    place: Snap | None = None
    bodies: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


class AxisChoice:
    """Choice among the axes and the pairs of bodies at a site.

    quarters: of a turn of both frames about the axis.  word: of the axis that Tab chose, which
    stays chosen where it is found again.  held: the axis at the first of two places.
    """

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._at = self._pair_at = 0
        self._flip, self.quarters = 1.0, 0
        self.word = ""
        self.held: Axis | None = None

    def reset(self) -> None:
        """The sensible axis of another type, not turned."""
        self._at, self.quarters, self.word = 0, 0, ""

    def first_pair(self) -> None:
        """The likeliest pair of other bodies."""
        self._pair_at = 0

    def find_again(self, type: str, site: Site) -> None:
        """Keep the axis that Tab chose while it can be had."""
        if self.word:
            words = [word for word, _ in self.axes(type, site)]
            self._at = words.index(self.word) if self.word in words else 0

    # ---- keys

    def next_axis(self, type: str, site: Site) -> None:
        """The next axis of the list."""
        axes = self.axes(type, site)
        self._at = (self._at + 1) % len(axes)
        self.word = axes[self._at][0]
        self.held = self.held and self._free_axis(type, site)

    def next_pair(self) -> None:
        """The next pair of bodies."""
        self._pair_at += 1

    def flip(self) -> None:
        """The other direction along the axis."""
        self._flip = -self._flip
        if self.held is not None:
            word, (x, y, z) = self.held
            self.held = word, (-x, -y, -z)

    def turn(self) -> None:
        """Both frames by a quarter turn about the axis."""
        self.quarters = (self.quarters + 1) % 4

    # ---- what is chosen

    def pairs(self, site: Site) -> list[tuple[str, str]]:
        """Pairs of bodies that the joint could join, the likeliest first."""
        under = site.pointer.body if site.pointer else ""
        m = self._context.document.project.mechanism
        return pairs_at(m, site.bodies, under, site.behind)

    def pair(self, site: Site) -> tuple[str, str]:
        """The pair that is chosen."""
        pairs = self.pairs(site)
        return pairs[self._pair_at % len(pairs)]

    def ordered_pair(self, type: str, site: Site) -> tuple[str, str]:
        """Both bodies; for a guide, first the one along which the chosen axis lies."""
        a, b = self.pair(site)
        if not JOINT_TYPES[type].guides:
            return a, b
        m, axis = self._context.document.project.mechanism, self.axis(type, site)[1]
        under, face = "", None
        if site.pointer is not None:
            under, face = site.pointer.body, site.pointer.normal
        carries = [
            carries_axis(m.body(id), axis)
            or (face is not None and under == id and parallel(face, axis))
            for id in (a, b)
        ]
        return (b, a) if carries == [False, True] else (a, b)

    def axes(self, type: str, site: Site) -> list[Axis]:
        """Directions for the joint's axis with their words, the sensible one for its type first."""
        return axes_at(
            self._context.document.project.mechanism,
            self._context.plane,
            type,
            site.place or Snap(self._context.plane.origin),
            self.pair(site) if site.bodies else (),
            site.pointer,
        )

    def axis(self, type: str, site: Site) -> Axis:
        """The chosen axis, flipped if it was flipped: the held one where one is held."""
        return self.held if self.held is not None else self._free_axis(type, site)

    def place_in(self, axes: list[Axis]) -> int:
        """Position of the chosen axis in a list of axes; -1 in an empty one."""
        return self._at % len(axes) if axes else -1

    def is_default_shaft(self, type: str) -> bool:
        """True if a joint without twist keeps its first axis, unflipped."""
        return TWIST in JOINT_TYPES[type].primitives and self._at == 0 and self._flip > 0

    def _free_axis(self, type: str, site: Site) -> Axis:
        axes = self.axes(type, site)
        word, (x, y, z) = axes[self._at % len(axes)]
        return word, (self._flip * x, self._flip * y, self._flip * z)
