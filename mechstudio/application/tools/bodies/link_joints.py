"""Joint type of a new link where it meets something: a pin in its plane, a ball where it leaves
that plane, or the type chosen by a letter.
"""

import math
from collections import deque
from dataclasses import dataclass

import msgspec

from mechstudio.application.tools.snapping.candidates import Snap, joint_axis, link_normal, turns
from mechstudio.model.edits.links import add_joint
from mechstudio.model.geometry.rotation import Triple, frame_on_axis, minus, rotate
from mechstudio.model.geometry.work_plane import WorkPlane, cross, dot, facing, parallel, unit
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES, TURN
from mechstudio.translation import tr

LEAVES = 1e-6  # sine of the angle above which a link leaves a plane


def link_letters() -> dict[str, str]:
    """Joint types at the ends of links by the letter that chooses them."""
    return {kind.key: type for type, kind in JOINT_TYPES.items() if kind.key and kind.link}


@dataclass(frozen=True)
class Corner:
    """One point of a chain.  place: where it is and what is there; type: of the joint there, "" for
    what is usual.
    """

    place: Snap
    type: str = ""


def pin_normal(m: Mechanism, plane: WorkPlane, place: Snap) -> Triple:
    """The direction in which a pin would stand at a place: of the joint there, of the link there,
    else across the work plane.
    """
    if place.joint and place.joint in m.joints and turns(m.joints[place.joint]):
        axis = joint_axis(m, m.joints[place.joint])
        if axis is not None:
            return plane.normal if parallel(axis, plane.normal) else axis
    normal = link_normal(m.bodies[place.body]) if place.body in m.bodies else None
    return plane.normal if normal is None or parallel(normal, plane.normal) else normal


def joint_types(m: Mechanism, plane: WorkPlane, start: Corner, end: Corner) -> tuple[str, str]:
    """Types of the joints at both ends of a new link: as chosen, else pins, and balls where the
    link leaves a pin's plane.

    A rod between two planes gets two balls, whichever of them it happens to lie in as drawn.
    """
    way = unit(minus(end.place.point, start.place.point))  # type: ignore[arg-type]
    if way is None:
        return start.type or "revolute", end.type or "revolute"
    normals = [pin_normal(m, plane, c.place) for c in (start, end)]
    spans = bool(start.place.body and end.place.body) and not parallel(*normals)
    usual = ["spherical" if spans or abs(dot(way, n)) > LEAVES else "revolute" for n in normals]
    return start.type or usual[0], end.type or usual[1]


def join(
    project: Project, plane: WorkPlane, type: str, a: str, b: str, place: Snap, way: Triple
) -> tuple[Project, str]:
    """The joint of a new link with what is at a place.  way: from the link's start to its end,
    unit.

    What slides does so along the body that it stands on, where that is a link, else along the new
    one; a universal joint has both axes across the new link.
    """
    m, n = project.mechanism, pin_normal(project.mechanism, plane, place)
    kind = JOINT_TYPES[type]
    if kind.is_pin:
        return add_joint(
            project,
            plane if parallel(n, plane.normal) else facing("", place.point, n),
            a,
            b,
            place.point,
        )
    if kind.slides_along_axis:
        host = m.bodies.get(place.body)
        along = (
            rotate(host.placement.quaternion, (1.0, 0.0, 0.0))
            if host is not None and link_normal(host) is not None
            else way
        )
        return add_joint(project, plane, a, b, place.point, type, along)
    if [motion for motion, _ in kind.motions] == [TURN, TURN]:
        z = unit(tuple(c - dot(n, way) * d for c, d in zip(n, way)))  # type: ignore[arg-type]
        if z is None or abs(dot(n, way)) > 0.999:
            z = unit(cross(way, plane.u)) or plane.v
        q = frame_on_axis(z)
        x, y, requested = rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 1.0, 0.0)), cross(way, z)
        return add_joint(
            project,
            plane,
            a,
            b,
            place.point,
            type,
            z,
            turn=math.atan2(dot(requested, y), dot(requested, x)),
        )
    return add_joint(project, plane, a, b, place.point, type)


def loop_of(m: Mechanism, a: str, b: str) -> int:
    """Number of bodies in the loop that a link between two bodies would close, ground counted; zero
    where it closes none.
    """
    if not a or not b:
        return 0
    beside: dict[str, set[str]] = {}
    for joint in m.joints.values():
        p, q = joint.frame_a.body, joint.frame_b.body
        beside.setdefault(p, set()).add(q)
        beside.setdefault(q, set()).add(p)
    steps, queue = {a: 0}, deque([a])
    while queue:
        at = queue.popleft()
        if at == b:
            return steps[at] + 2
        for other in beside.get(at, ()):
            if other not in steps:
                steps[other] = steps[at] + 1
                queue.append(other)
    return 0


def loosened(
    project: Project,
    plane: WorkPlane,
    id: str,
    link: str,
    first: Corner | None,
    last: Corner | None,
) -> Project:
    """With a slide of a chain's last link on the ground that would make two links rigid as a pin
    that slides in line with the chain's first end, as in a slider-crank.  id: of the slide.
    """
    m, joint = project.mechanism, project.mechanism.joints[id]
    others = msgspec.structs.replace(m, joints={k: j for k, j in m.joints.items() if k != id})
    # loop_of counts one more link
    if (
        joint.type != "prismatic"
        or first is None
        or last is None
        or loop_of(others, GROUND, link) != 4
    ):
        return project
    along = unit(minus(last.place.point, first.place.point))  # type: ignore[arg-type]
    if along is None:
        return project
    made, new = add_joint(
        msgspec.structs.replace(project, mechanism=others),
        plane,
        GROUND,
        link,
        m.frame_in_world(joint.frame_b)[0],
        "point_on_line",
        along,
    )
    named = {
        k: msgspec.structs.replace(j, id=id, name=joint.name) if k == new else j
        for k, j in made.mechanism.joints.items()
    }
    kept = {k: next(j for j in named.values() if j.id == k) for k in m.joints}
    return msgspec.structs.replace(
        made, mechanism=msgspec.structs.replace(made.mechanism, joints=kept)
    )


def is_planar_pin(type: str) -> bool:
    """True if three such joints make a loop of three bodies rigid."""
    return JOINT_TYPES[type].dof == 1


def ground_word(type: str) -> str:
    """Phrase at a free end of a chain that gets a joint with the ground."""
    return tr("ground {link} on Enter", link=tr(JOINT_TYPES[type].link))


__all__ = [
    "GROUND",
    "Corner",
    "ground_word",
    "is_planar_pin",
    "join",
    "joint_types",
    "link_letters",
    "loop_of",
    "loosened",
    "pin_normal",
]
