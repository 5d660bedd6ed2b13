"""Where a click lands: ends, joints, middles, right angles and the grid, each with its word, decided before the click."""

import math
from dataclasses import dataclass

from mechstudio.model.drawing import WorkPlane, distance, link_ends
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.project import Project
from mechstudio.model.rotation import Triple, transform

from .base import Pointer

REACH = 11.0                  # pixels within which a point catches the pointer
ANGLE_STEP = 15.0             # degrees between the directions that Shift and the angle snap know
ANGLE_REACH = 2.5             # degrees within which a direction catches the pointer


@dataclass(frozen=True)
class Snap:
    """A place for a click.  word: what it is, "" for free; body: the body it belongs to (a pin goes there); joint: its id."""

    point: Triple
    word: str = ""
    body: str = ""
    joint: str = ""


def candidates(project: Project, plane: WorkPlane) -> list[tuple[int, Snap]]:
    """Every point that can catch the pointer, with its rank (lower wins), moved into the work plane along its normal."""
    m, out = project.mechanism, []

    def flat(point: Triple) -> Triple:
        return plane.to_world(*plane.to_plane(point))

    for id, joint in m.joints.items():
        owner = joint.frame_b.body if joint.frame_b.body != GROUND else joint.frame_a.body
        out.append((0, Snap(flat(m.frame_in_world(joint.frame_b)[0]), f"joint {joint.name}", owner, id)))
    for id, body in m.bodies.items():
        ends = link_ends(body)
        if ends is not None:
            out += [(1, Snap(flat(p), f"{word} of {body.name}", id)) for p, word in zip(ends, ("start", "end"))]
            middle: Triple = tuple((a + b) / 2 for a, b in zip(*ends))  # type: ignore[assignment]
            out.append((2, Snap(flat(middle), f"middle of {body.name}", id)))
        else:
            out.append((2, Snap(flat(body.placement.pose[0]), f"origin of {body.name}", id)))
            out += [(3, Snap(p, f"{name} of {body.name}", id)) for p, name in _points_of_solids(body, plane)]
        out += [(1, Snap(flat(transform(body.placement.pose, body.point(p.name))), f"{p.name} of {body.name}", id)) for p in body.points]
    return out


def _points_of_solids(body: Body, plane: WorkPlane) -> list[tuple[Triple, str]]:
    """Points that the shapes of a body name, moved into the work plane; of several that meet there the one that stood nearest to it."""
    found: dict[tuple[float, float], tuple[float, Triple, str]] = {}
    for name, local in body.named_points().items():
        point = transform(body.placement.pose, local)
        u, v = plane.to_plane(point)
        here = plane.to_world(u, v)
        key, off = (round(u, 9), round(v, 9)), round(distance(point, here), 9)
        if key not in found or off < found[key][0]:
            found[key] = (off, here, name)
    return [(here, name) for _, here, name in found.values()]


def snap(project: Project, plane: WorkPlane, grid: float, pointer: Pointer, start: Triple | None = None,
         exclude: frozenset[Triple] = frozenset(), exclude_bodies: frozenset[str] = frozenset()) -> Snap | None:
    """Where a click would land now; None where the ray misses the plane.

    start: the other end of what is being drawn; Shift holds directions of 15 degrees from it, Ctrl suspends all snapping.
    exclude: points that are being moved and cannot catch themselves; exclude_bodies likewise.
    """
    point = pointer.point
    if point is None:
        return None
    if pointer.ctrl:
        return Snap(point, body=pointer.body)
    if pointer.shift and start is not None:
        return Snap(_on_direction(plane, start, point, ANGLE_STEP), _angle_word(plane, start, _on_direction(plane, start, point, ANGLE_STEP)))
    reach = REACH * pointer.pixel
    near = [(rank, distance(s.point, point), s) for rank, s in candidates(project, plane)
            if distance(s.point, point) <= reach and s.body not in exclude_bodies and not any(distance(s.point, e) < 1e-9 for e in exclude)]
    if start is not None:
        near = [n for n in near if distance(n[2].point, start) > 1e-9]
    if near:
        return min(near, key=lambda n: (n[0], n[1]))[2]
    u, v = plane.to_plane(point)
    node = plane.to_world(round(u / grid) * grid, round(v / grid) * grid)
    if distance(node, point) <= 0.6 * reach and (start is None or distance(node, start) > 1e-9):
        return Snap(node, "grid", pointer.body)
    if start is not None and distance(start, point) > 3 * reach:
        caught = _on_direction(plane, start, point, 45.0)
        if _degrees_between(plane, start, point, caught) < ANGLE_REACH:
            return Snap(caught, _angle_word(plane, start, caught), pointer.body)
    return Snap(point, "", pointer.body)


def angle_of(plane: WorkPlane, start: Triple, end: Triple) -> float:
    """Direction from start to end in the plane [deg], -180 to 180, counter-clockwise from u."""
    (a, b), (c, d) = plane.to_plane(start), plane.to_plane(end)
    return math.degrees(math.atan2(d - b, c - a))


def _on_direction(plane: WorkPlane, start: Triple, point: Triple, step: float) -> Triple:
    angle = math.radians(round(angle_of(plane, start, point) / step) * step)
    (a, b), (c, d) = plane.to_plane(start), plane.to_plane(point)
    along = (c - a) * math.cos(angle) + (d - b) * math.sin(angle)
    return plane.to_world(a + along * math.cos(angle), b + along * math.sin(angle))


def _degrees_between(plane: WorkPlane, start: Triple, a: Triple, b: Triple) -> float:
    gap = angle_of(plane, start, a) - angle_of(plane, start, b)
    return abs((gap + 180.0) % 360.0 - 180.0)


def _angle_word(plane: WorkPlane, start: Triple, end: Triple) -> str:
    return f"{round(angle_of(plane, start, end)):d} deg".replace("-", "−")
