"""Parts that stand to scale in kinematic diagrams: discs that roll, solids that no joint holds,
and curves that guide a point.
"""

import numpy as np

from mechstudio.curves.drawings import symbols
from mechstudio.curves.drawings.diagram_couplings import Drawn
from mechstudio.curves.drawings.joint_curves import curve_points
from mechstudio.curves.drawings.outlines import silhouette
from mechstudio.model.geometry.rotation import compose, transform
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import GROUND, Body, Joint
from mechstudio.model.types.joints import JOINT_TYPES

CORNERS = 72  # of a disc's rim
FLOOR = 4.0  # sizes of a pin: half the line of a floor, and no less than the disc
SUPPORT = 1.6  # sizes of a pin: half the hatching of a curve
FREEDOMS = 6  # of a body that nothing holds
DOT = 0.35  # size of a pin: of a disc's centre


def rolls(joint: Joint) -> bool:
    """True for a joint by which the rim of its second body stands on a plane of the first."""
    return JOINT_TYPES[joint.type].lies_on_floor


def rim(d: Drawn, joint: Joint) -> np.ndarray:
    """Points (n, 3) of the rim of a disc that rolls, in W [m]; the first one stands on the floor
    where the disc does.
    """
    axis, up = d.axis(joint.frame_b, 2), d.axis(joint.frame_a, 2)
    down = (up @ axis) * axis - up
    down = d.axis(joint.frame_b, 0) if (size := np.linalg.norm(down)) < 1e-9 else down / size
    beside = np.cross(axis, down)
    radius = joint.parameters["radius"].value if "radius" in joint.parameters else 0.0
    angles = np.linspace(0.0, 2 * np.pi, CORNERS, endpoint=False)
    turned = np.outer(np.cos(angles), down) + np.outer(np.sin(angles), beside)
    return d.place(joint.frame_b) + radius * turned


def draw_rolling(d: Drawn, joint: Joint, color: str) -> None:
    """A disc on its floor: rim, centre and the line on which it stands, hatched below on ground."""
    pen, points = d.pen, rim(d, joint)
    seen = [d.projection.at(p) for p in points]
    up = d.projection.direction(d.axis(joint.frame_a, 2))
    if joint.frame_a.body == GROUND and float(np.hypot(*up)) >= symbols.ACROSS:
        way = symbols.normal(symbols.unit(up))
        reach = max(FLOOR * pen.unit, *(abs(float((p - seen[0]) @ way)) for p in seen))
        symbols.hatched(pen, seen[0] - reach * way, seen[0] + reach * way, -up)
    pen.area(*seen, color=color)
    pen.circle(d.projection.at(d.place(joint.frame_b)), DOT * pen.unit, fill=color, color=color)


def loose_solids(d: Drawn, body: Body) -> list[np.ndarray]:
    """Outlines (n, 3) in W [m] of the solids of a body that nothing holds, whatever it is welded
    to; none of one that is held.  Meshes by their convex hulls.
    """
    frames = [
        f
        for j in d.m.joints.values()
        if 0 < JOINT_TYPES[j.type].dof < FREEDOMS
        for f in (j.frame_a, j.frame_b)
    ]
    frames += [f for x in d.m.forces.values() for f in (x.frame_a, x.frame_b) if f]
    if any(frame.body == body.id for frame in frames):
        return []
    pose = d.pose(body.id)
    return [
        silhouette(shape.form, compose(pose, shape.placement.pose), *d.projection.axes)
        for shape in body.shapes
    ]


# curves that guide a point


def guide(d: Drawn, joint: Joint) -> list[np.ndarray]:
    """Points (3,) in W [m] of the curve that a joint runs on; none where there is none."""
    curve = curve_of(joint)
    if curve is None:
        return []
    pose, own = d.pose(joint.frame_a.body), d.m.frame_in_body(joint.frame_a)
    points = curve_points(curve).tolist()
    return [np.array(transform(pose, transform(own, (x, y, z)))) for x, y, z in points]


def draw_guide(d: Drawn, joint: Joint) -> None:
    """The curve that a joint runs on; one of the ground is hatched, far from the joint."""
    seen = np.array([d.projection.at(p) for p in guide(d, joint)])
    d.pen.line(*seen, wide=0.8)
    if joint.frame_a.body != GROUND or len(seen) < 3:
        return
    here = d.projection.at(d.place(joint.frame_b))
    k = int(np.hypot(*(seen[:-1] - here).T).argmax())
    way = symbols.unit(seen[k + 1] - seen[k])
    away = symbols.normal(way)
    away = -away if away @ (seen.mean(axis=0) - seen[k]) > 0.0 else away
    side = SUPPORT * d.pen.unit * way
    symbols.hatched(d.pen, seen[k] - side, seen[k] + side, away)
