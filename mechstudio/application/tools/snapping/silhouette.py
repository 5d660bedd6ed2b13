"""Outline of an element on the screen: points whose convex hull it is, shape by shape."""

from collections.abc import Collection, Mapping

from mechstudio.application.tools.eye import Eye
from mechstudio.model.edits.elements import replace
from mechstudio.model.geometry.outline import convex_hull
from mechstudio.model.geometry.rotation import Pose, Triple, compose, to_angles, transform, triple
from mechstudio.model.mechanism import GROUND, Body, Force, Joint, Mechanism, Placement
from mechstudio.model.quantity import vector

Pixel = tuple[float, float]


def silhouettes(
    m: Mechanism, eye: Eye, shown: Mapping[str, Pose] = {}
) -> dict[str, list[list[Pixel]]]:
    """Outlines on the screen [px] of all that can be seen, by id: convex polygons, or single points
    and lines.  Behind the camera there is nothing.

    shown: poses of bodies that stand elsewhere than drawn, as at an instant of a run.
    """
    if shown:
        there = {
            id: replace(
                b, placement=Placement(vector(*shown[id][0]), vector(*to_angles(shown[id][1])))
            )
            if id in shown
            else b
            for id, b in m.bodies.items()
        }
        m = replace(m, bodies=there)
    out: dict[str, list[list[Pixel]]] = {}
    for id, body in m.bodies.items():
        if body.visible:
            out[id] = _of_body(body, eye)
    for id, joint in m.joints.items():
        if joint.visible:
            out[id] = [_seen([_place(m, joint)], eye)]
    for id, force in m.forces.items():
        frames = [f for f in (force.frame_a, force.frame_b) if f is not None]
        if force.visible and frames:
            out[id] = [_seen([m.frame_in_world(f)[0] for f in frames], eye)]
    return {id: kept for id, parts in out.items() if (kept := [p for p in parts if p])}


def _place(m: Mechanism, joint: Joint | Force) -> Triple:
    frame = (
        joint.frame_b if joint.frame_a is None or joint.frame_a.body == GROUND else joint.frame_a
    )
    assert frame is not None
    return m.frame_in_world(frame)[0]


def _of_body(body: Body, eye: Eye) -> list[list[Pixel]]:
    pose = body.placement.pose
    if not body.shapes:
        return [_seen([pose[0]], eye)]
    return [
        _seen([transform(compose(pose, shape.placement.pose), p) for p in shape.form.hull()], eye)
        for shape in body.shapes
    ]


def _seen(points: list[Triple], eye: Eye) -> list[Pixel]:
    """The outline of points; nothing where one of them is behind the camera."""
    flat = [eye.pixel_of(p) for p in points]
    return [] if None in flat else convex_hull(flat)  # type: ignore[arg-type]


def inside(polygon: list[Pixel], low: Pixel, high: Pixel) -> bool:
    """True if all of an outline lies in a rectangle."""
    return all(low[0] <= x <= high[0] and low[1] <= y <= high[1] for x, y in polygon)


def touches(polygon: list[Pixel], low: Pixel, high: Pixel) -> bool:
    """True if a convex outline and a rectangle have a point in common: no side of either lies
    between them.
    """
    if (
        max(x for x, _ in polygon) < low[0]
        or min(x for x, _ in polygon) > high[0]
        or max(y for _, y in polygon) < low[1]
        or min(y for _, y in polygon) > high[1]
    ):
        return False
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1]):
        nx, ny = y1 - y0, x0 - x1
        own = [nx * x + ny * y for x, y in polygon]
        other = [nx * x + ny * y for x, y in corners]
        if max(own) < min(other) or max(other) < min(own):
            return False
    return True


def middle(m: Mechanism, ids: Collection[str]) -> Triple:
    """The middle of the room that bodies, joints and forces take up [m, W]; the origin for none."""
    points: list[Triple] = []
    for id, body in m.bodies.items():
        if id in ids:
            pose = body.placement.pose
            points += [
                transform(compose(pose, shape.placement.pose), p)
                for shape in body.shapes
                for p in shape.form.hull()
            ] or [pose[0]]
    for element in (*m.joints.values(), *m.forces.values()):
        if element.id in ids:
            points += [
                m.frame_in_world(f)[0] for f in (element.frame_a, element.frame_b) if f is not None
            ]
    if not points:
        return (0.0, 0.0, 0.0)
    return triple((min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in range(3))
