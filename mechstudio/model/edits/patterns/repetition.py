"""Rows and circles of copies of a part of a drawing, with its joints to other bodies.

What was joined stays joined, by four rules.  A joint to a neighbour is made again with the body
that stands to the copy as the neighbour stands to the original, as in a chain; without such a body
with the neighbour itself, where that has material at the place or about the axis of the circle, as
a carrier has.  Where a copy comes to stand on a body instead, as the second stage of a lift on the
first, the joint falls away.  Ends of links that meet are pinned.
"""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.edits.clipboard import duplicated, part_of, with_neighbours
from mechstudio.model.edits.elements import parameter_values, remove
from mechstudio.model.edits.links import add_joint, link_ends
from mechstudio.model.edits.patterns.movement import Movement, movement_of
from mechstudio.model.edits.patterns.neighbours import on_axis, reaches
from mechstudio.model.edits.poses.motion import rotated_about
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, compose, rotate, triple
from mechstudio.model.geometry.work_plane import facing, parallel
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.translation import tr

replace = msgspec.structs.replace
MOST = 200  # copies of one pattern
NEAR = 1e-7  # of the drawing's size: places that are the same


def row(project: Project, count: int, way: Triple, step: Quantity) -> list[Movement]:
    """Movements of the copies of a row of `count` in all, each one step [m] further along a unit
    direction of W.  A step that is a formula stays one.
    """
    _check(count)
    names = parameter_values(project)

    def along(k: int, c: float) -> Quantity:
        if not step.text or not expression.names_in(step.text) or not c:
            return Quantity(k * c * step.value)
        return expression.quantity(f"{k * c:.15g}*({step.text})", "length", names)

    return [Movement(triple(along(k, c) for c in way)) for k in range(1, count)]


def circle(count: int, center: Triple, axis: Triple, angle: float) -> list[Movement]:
    """Movements of the copies of a circle of `count` in all, each turned by one angle [rad] further
    about a unit axis of W through a point [m].
    """
    _check(count)
    if any(abs(math.remainder(k * angle, 2 * math.pi)) < 1e-9 for k in range(1, count)):
        raise ExpressionError(
            tr("A copy would lie on the part: type another angle, or fewer parts.")
        )
    return [movement_of(rotated_about(center, axis, k * angle)) for k in range(1, count)]


def _check(count: int) -> None:
    if count not in range(2, MOST + 2):
        raise ExpressionError(
            tr("A pattern has 2 to {most} parts: type such a number.", most=MOST + 1)
        )


def repeated(
    project: Project,
    ids: Collection[str],
    movements: Sequence[Movement],
    neighbours: bool = True,
) -> tuple[Project, list[dict[str, str]]]:
    """The chosen elements once more for each movement, joined as the chosen ones are joined.

    neighbours: with the joints of chosen bodies to others; without them no ends are pinned either.

    Returns the project, and for each copy its new ids by the old ones.  Raises ExpressionError as
    `duplicated` does.
    """
    m = project.mechanism
    chosen = with_neighbours(m, ids) if neighbours else set(ids)
    copies: list[dict[str, str]] = []
    for movement in movements:
        project, new = duplicated(project, chosen, movement, m.joints)
        copies.append(new)
    if not neighbours:
        return project, copies
    part = part_of(project, chosen)
    return _Joining(m, part.mechanism, tuple(movements), tuple(copies)).joined(project), copies


class _End(NamedTuple):
    """End of a link, on its pin axis [m, W], and the unit direction of its pins."""

    body: str
    point: Triple
    normal: Triple


class _Joining(NamedTuple):
    """The joints of a pattern.  before: the drawing without the copies.  part: what was copied.
    copies: new ids by the old ones, one dict for each movement.
    """

    before: Mechanism
    part: Mechanism
    movements: tuple[Movement, ...]
    copies: tuple[Mapping[str, str], ...]

    def joined(self, project: Project) -> Project:
        """The drawing with copies joined to their neighbours and to each other."""
        near = NEAR * max(project.mechanism.size(), 1e-6)
        for k, id, side in self._outward():
            project = self._with_neighbour(project, k, id, side, near)
        return self._with_ends_pinned(project, near)

    def _outward(self) -> Iterator[tuple[int, str, str]]:
        """Joints of each copy to bodies that were not copied: (copy, joint's old id, the side of
        the neighbour).
        """
        for k, (id, joint) in itertools.product(range(len(self.copies)), self.part.joints.items()):
            for side, other in (("frame_a", "frame_b"), ("frame_b", "frame_a")):
                inside = getattr(joint, other).body in self.part.bodies
                if inside and getattr(joint, side).body not in self.part.bodies:
                    yield k, id, side

    def _with_neighbour(self, project: Project, k: int, id: str, side: str, near: float) -> Project:
        m, new = project.mechanism, self.copies[k][id]
        frame: Frame = getattr(self.before.joints[id], side)
        if (body := self._counterpart(m, frame.body, k, near)) is not None:
            joint = replace(m.joints[new], **{side: replace(frame, body=body)})
            return replace(project, mechanism=replace(m, joints={**m.joints, new: joint}))
        place = m.frame_in_world(m.joints[new].frame_a)[0]
        was = self.before.frame_in_world(self.before.joints[id].frame_a)[0]
        if math.dist(place, was) <= near or self._is_joined_there(m, frame.body, place, new, near):
            return project
        own = set(self.copies[k].values())
        if not self._is_held(frame.body, place, was, k) or any(
            math.dist(end.point, place) <= near
            for b in m.bodies.values()
            if b.id not in own and b.id != frame.body
            for end in _ends(b)
        ):
            return remove(project, new)
        return project

    def _is_held(self, neighbour: str, place: Triple, was: Triple, k: int) -> bool:
        """True if a neighbour can hold a copy's joint at a place, where the original's was."""
        center = on_axis(self.movements[k], place)
        return (
            reaches(self.before, neighbour, place)
            or (center is not None and reaches(self.before, neighbour, center))
            or not reaches(self.before, neighbour, was)
        )

    def _counterpart(self, m: Mechanism, neighbour: str, k: int, near: float) -> str | None:
        """The body that stands to a copy as a neighbour stands to the original: of the same shapes,
        where the movement takes the neighbour.
        """
        if neighbour == GROUND:
            return None
        old = self.before.bodies[neighbour]
        place, q = compose(self.movements[k].pose, old.placement.pose)
        own = set(self.copies[k].values())
        return next(
            (
                b.id
                for b in m.bodies.values()
                if b.id not in own
                and b.shapes == old.shapes
                and math.dist(b.placement.pose[0], place) <= near
                and abs(sum(x * y for x, y in zip(b.placement.quaternion, q))) >= 1.0 - 1e-12
            ),
            None,
        )

    @staticmethod
    def _is_joined_there(m: Mechanism, body: str, place: Triple, but: str, near: float) -> bool:
        return any(
            id != but
            and body in (j.frame_a.body, j.frame_b.body)
            and math.dist(m.frame_in_world(j.frame_a)[0], place) <= near
            for id, j in m.joints.items()
        )

    def _with_ends_pinned(self, project: Project, near: float) -> Project:
        """Pins, and balls where links lie in different planes, between ends of copies and ends that
        they meet, of other copies among them.
        """
        m = project.mechanism
        copy_of = {
            new: k for k, ids in enumerate(self.copies) for new in ids.values() if new in m.bodies
        }
        ends = [end for b in m.bodies.values() for end in _ends(b)]
        for a, b in _meeting(ends, near):
            first, second = copy_of.get(a.body), copy_of.get(b.body)
            if first == second or (first is None and second is None):
                continue
            if _are_joined_at(project.mechanism, a.body, b.body, a.point, near):
                continue
            plane = facing("", a.point, a.normal)
            type = "revolute" if parallel(a.normal, b.normal) else "spherical"
            project, _ = add_joint(project, plane, a.body, b.body, a.point, type)
        return project


def _ends(body: Body) -> list[_End]:
    ends = link_ends(body)
    if ends is None:
        return []
    normal = triple(-c + 0.0 for c in rotate(body.placement.quaternion, (0.0, 1.0, 0.0)))
    return [_End(body.id, point, normal) for point in ends]


def _meeting(ends: Sequence[_End], near: float) -> Iterator[tuple[_End, _End]]:
    """Pairs of ends of different bodies at one place, in the order of the ends."""
    cells: dict[tuple[int, ...], list[_End]] = {}
    size = 4.0 * near
    for end in ends:
        cell = tuple(math.floor(c / size) for c in end.point)
        around = itertools.product(*((c - 1, c, c + 1) for c in cell))
        yield from (
            (other, end)
            for key in around
            for other in cells.get(key, ())
            if other.body != end.body and math.dist(other.point, end.point) <= near
        )
        cells.setdefault(cell, []).append(end)


def _are_joined_at(m: Mechanism, a: str, b: str, place: Triple, near: float) -> bool:
    """True if two bodies hang together by joints at one place already."""
    there = [j for j in m.joints.values() if _is_at(m, j, place, near)]
    found, size = {a}, 0
    while len(found) != size:
        size = len(found)
        for joint in there:
            pair = {joint.frame_a.body, joint.frame_b.body}
            if pair & found:
                found |= pair
    return b in found


def _is_at(m: Mechanism, joint: Joint, place: Triple, near: float) -> bool:
    """True if a joint stands at a place [m, W]."""
    return math.dist(m.frame_in_world(joint.frame_a)[0], place) <= near
