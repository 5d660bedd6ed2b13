"""Joints of a new arm with the bodies that its points lie on."""

from collections.abc import Sequence
from typing import NamedTuple

from mechstudio.application.tools.bodies.link_joints import Corner, join, pin_normal
from mechstudio.model.edits.bodies.arms import add_arm, arm_plane
from mechstudio.model.edits.links import add_joint, distance
from mechstudio.model.geometry.rotation import Triple, minus
from mechstudio.model.geometry.work_plane import WorkPlane, cross, dot, facing, parallel, unit
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project

PIN, BALL, RIGID = "revolute", "spherical", "fixed"
IN_LINE = 1e-6  # sine of the angle below which three points lie in line


class Mount(NamedTuple):
    """A joint of an arm with one body.  corners: numbers of its points there.  axis: unit vector,
    of a pin; None if the type has none.
    """

    body: str
    corners: tuple[int, ...]
    type: str
    axis: Triple | None = None


def mounts(m: Mechanism, plane: WorkPlane, corners: Sequence[Corner]) -> list[Mount]:
    """Joints of an arm with the bodies that its points lie on.

    A type chosen by a letter is kept.  Otherwise two points on one body make a hinge, a pin about
    the line through both; three that are not in line make a fixed joint.  One point gets a pin
    across the arm if the body's pins have that direction too, else a ball.
    """
    points = [c.place.point for c in corners]
    flat = arm_plane(points, plane)
    out = [
        Mount(c.place.body, (k,), c.type) for k, c in enumerate(corners) if c.place.body and c.type
    ]
    left: dict[str, list[int]] = {}
    for k, c in enumerate(corners):
        if c.place.body and not c.type:
            left.setdefault(c.place.body, []).append(k)
    for body, numbers in left.items():
        first = numbers[0]
        if len(numbers) == 1:
            normal = flat.normal if flat is not None else None
            theirs = pin_normal(m, flat or plane, corners[first].place)
            agrees = normal is not None and parallel(normal, theirs)
            out.append(
                Mount(body, (first,), PIN, normal) if agrees else Mount(body, (first,), BALL)
            )
            continue
        far = max(numbers, key=lambda k: distance(points[first], points[k]))
        axis = unit(minus(points[far], points[first]))
        assert axis is not None
        beside = [
            k
            for k in numbers
            if dot(n := cross(axis, minus(points[k], points[first])), n)
            > (IN_LINE * distance(points[first], points[far])) ** 2
        ]
        type = RIGID if beside else PIN
        out.append(Mount(body, tuple(numbers), type, None if beside else axis))
    return sorted(out, key=lambda mount: mount.corners)


def with_arm(project: Project, plane: WorkPlane, corners: Sequence[Corner]) -> tuple[Project, str]:
    """The project with an arm and its joints, and the id of the arm.  Raises ExpressionError if the
    points make none.
    """
    m, points = project.mechanism, [c.place.point for c in corners]
    flat, made = arm_plane(points, plane), mounts(m, plane, corners)
    beside = tuple(
        mount.body
        for mount in made
        if flat is not None and mount.axis is not None and parallel(mount.axis, flat.normal)
    )
    project, arm = add_arm(project, plane, points, beside)
    for mount in made:
        place = corners[mount.corners[0]].place
        if mount.axis is not None:
            across = facing("", place.point, mount.axis, plane)
            project, _ = add_joint(project, across, mount.body, arm, place.point)
        elif mount.type in (BALL, RIGID):
            project, _ = add_joint(project, flat or plane, mount.body, arm, place.point, mount.type)
        else:
            way = unit(minus(points[1 if mount.corners[0] == 0 else 0], place.point))
            assert way is not None
            project, _ = join(project, flat or plane, mount.type, mount.body, arm, place, way)
    return project, arm
