"""Chain of links: its end so far, its joints, and its ends that Enter pins to the ground."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mechstudio.application.tools.bodies.link_joints import (
    LEAVES,
    Corner,
    is_planar_pin,
    join,
    loosened,
)
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.links import order_joints
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project


class OpenEnd(NamedTuple):
    """End of a link on empty plane.  way: direction of the link in W, unit."""

    corner: Corner
    link: str
    way: Triple


@dataclass(frozen=True)
class ChainEnd:
    """End at which a chain goes on.

    corner: its last point, None before the first.  link, way: the last link and its direction in
    W, unit.  joints: ids of the chain's joints so far.  open: ends that Enter pins to the ground.
    free_first, free_last: left free by Alt or G at the click.  toggled: G at the last click.
    joined: the last point lies on a body.
    """

    corner: Corner | None = None
    link: str = ""
    joints: tuple[str, ...] = ()
    open: tuple[OpenEnd, ...] = ()
    free_first: bool = False
    free_last: bool = False
    toggled: bool = False
    joined: bool = False
    way: Triple = (1.0, 0.0, 0.0)


class LinkChain:
    """Chain of links, each of which is a step for undo and redo."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self.end = ChainEnd()
        self._before: list[ChainEnd] = []  # the end before each link, restored by undo
        self._after: list[ChainEnd] = []  # the end with each link that an undo took

    @property
    def links(self) -> int:
        """Number of links drawn."""
        return len(self._before)

    @property
    def first(self) -> Corner | None:
        """The chain's first point; None before the first click."""
        return self._before[0].corner if self._before else self.end.corner

    @property
    def to_pin(self) -> frozenset[str]:
        """Links with an end that Enter pins to the ground."""
        return frozenset(end.link for end in self.end.open)

    @property
    def slides(self) -> bool:
        """True if the last point is a slide that would make two links rigid."""
        corner = self.end.corner
        return corner is not None and corner.type == "prismatic" and self.is_slider_crank(2)

    # ---- steps

    def begin(self, corner: Corner, free: bool) -> None:
        """Begin at a point.  free: not pinned to the ground."""
        self.end = replace(self.end, corner=corner, free_first=free)

    def forget_undone(self) -> None:
        """Links that an undo took do not come back: the chain goes on another way."""
        self._after.clear()

    def add(
        self,
        corner: Corner,
        link: str,
        joints: Sequence[str],
        way: Triple,
        joined: bool,
        free: bool,
        toggled: bool,
    ) -> None:
        """Go on at the other end of a new link.  joints: of it, in order.  way: its direction in W,
        unit.  joined, free, toggled: of that end, as in ChainEnd.
        """
        last = self.end
        assert last.corner is not None
        on_ground = not (last.link or last.corner.place.body) and not last.free_first
        opened = (OpenEnd(last.corner, link, way),) if on_ground else ()
        self._before.append(last)
        self.end = ChainEnd(
            corner,
            link,
            (*last.joints, *joints),
            (*last.open, *opened),
            last.free_first,
            free,
            toggled,
            joined,
            way,
        )

    def lose(self, ids: frozenset[str]) -> bool:
        """Elements are gone: the chain goes on from the last end that is still there; False where
        there is none.
        """
        while self.end.link in ids and self._before:
            self._after.append(self.end)
            self.end = self._before.pop()
        end = self.end
        held = {end.link, *end.joints, *self.to_pin, end.corner.place.body if end.corner else ""}
        return not held & ids

    def regain(self, ids: frozenset[str]) -> bool:
        """Elements are there again: the chain goes on from the end that came back; False where none
        did.
        """
        came = False
        while self._after and self._after[-1].link in ids:
            self._before.append(self.end)
            self.end = self._after.pop()
            came = True
        return came

    # ---- ground pins

    def pins(self, alone: bool, free: bool, toggled: bool, type: str) -> bool:
        """True if Enter joins a last end on empty plane with the ground.  alone: the chain is one
        link.  free, toggled: Alt and G at that end.  type: of its joint, as chosen.

        One link has a pin at its first end only.
        """
        swings = alone and not (self.end.free_first or self._joins_first or type)
        return not free and swings == toggled

    def pins_last(self, toggled: bool) -> bool:
        """True if Enter pins the chain's last end to the ground now.  toggled: by G since."""
        end = self.end
        if not end.link or end.joined or end.corner is None:
            return False
        return self.pins(self.links == 1, end.free_last, end.toggled != toggled, end.corner.type)

    @property
    def _joins_first(self) -> bool:
        """True if the chain's first end stands on a body."""
        return self.first is not None and bool(self.first.place.body)

    def is_slider_crank(self, links: int) -> bool:
        """True if the chain has so many links, pinned to each other and to the ground at its first
        end: a slide at the end of the second would make it rigid.
        """
        return (
            self.links == links
            and len(self.end.open) == 1
            and not self.end.joined
            and self._is_pinned(self._context.document.project)
        )

    def ground_type(self, corner: Corner, way: Triple) -> str:
        """Type of the joint of an end with the ground, as chosen or usual."""
        return corner.type or (
            "spherical" if abs(dot(way, self._context.plane.normal)) > LEAVES else "revolute"
        )

    def pinned(self, project: Project, toggled: bool) -> tuple[Project, list[str]]:
        """The project with ground pins at the open ends, and the names of the links there.
        toggled: by G since the last click.
        """
        plane, ends = self._context.plane, list(self.end.open)
        if self.pins_last(toggled) and self.end.corner is not None:
            ends.append(OpenEnd(self.end.corner, self.end.link, self.end.way))
        made = []
        for corner, link, way in ends:
            place = replace(corner.place, body="")
            type = self.ground_type(corner, way)
            project, joint = join(project, plane, type, GROUND, link, place, way)
            made.append(joint)
        for end, joint in zip(ends, made):
            if self._is_pinned(project):
                project = loosened(project, plane, joint, end.link, self.first, self.end.corner)
        if self.end.open:
            project = order_joints(project, (made[0], *self.end.joints, *made[1:]))
        return project, [project.mechanism.bodies[end.link].name for end in ends]

    def _is_pinned(self, project: Project) -> bool:
        """True if all joints of the chain are pins of its plane."""
        return all(is_planar_pin(project.mechanism.joints[k].type) for k in self.end.joints)
