"""Couplings in kinematic diagrams by ISO 3952: gears, racks, belts, planetary gears, differentials,
cams and Geneva drives.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import numpy as np

from mechstudio.curves.drawings import symbols
from mechstudio.curves.drawings.geneva import (
    WIDTH,
    GenevaShape,
    geneva_shape,
    wheel_outline,
)
from mechstudio.curves.drawings.symbols import Pen
from mechstudio.model.geometry.rotation import Pose, Triple, transform
from mechstudio.model.joints.coupling_axes import base_of, moving_frame
from mechstudio.model.mechanism import GROUND, Coupling, Frame, Joint, Mechanism

RING, CASE = 7.0, 3.6  # sizes of a pin: radius of a ring gear, half a differential's case
LEAST_RATIO, MOST_RATIO = 1.15, 12.0  # of a ring and a sun that can be distinguished
PLANETS = 3
CAM, ECCENTRIC = 3.4, 1.3  # sizes of a pin: of a cam whose shape is not drawn


class Projection(Protocol):
    """From W to the picture."""

    scale: float

    @property
    def axes(self) -> np.ndarray:
        """Unit vectors (2, 3) in W that point right and up in the picture."""
        ...

    def flat(self, point: Triple | np.ndarray) -> np.ndarray:
        """Right and up (2,) [m]."""
        ...

    def at(self, point: Triple | np.ndarray) -> np.ndarray:
        """Place in the picture (2,) [px]."""
        ...

    def direction(self, axis: np.ndarray) -> np.ndarray:
        """A unit direction in the picture (2,)."""
        ...


class Drawn(Protocol):
    """A diagram that is being drawn."""

    m: Mechanism
    pen: Pen

    @property
    def projection(self) -> Projection: ...

    def pose(self, body: str) -> Pose:
        """Pose of a body."""
        ...

    def place(self, frame: Frame) -> np.ndarray:
        """Origin of a frame in W [m]."""
        ...

    def axis(self, frame: Frame, k: int) -> np.ndarray:
        """An axis of a frame in W."""
        ...


def couple(d: Drawn, coupling: Coupling) -> None:
    """Draw a coupling; one without a symbol is left out."""
    draw = _SYMBOLS.get(coupling.type)
    if draw is not None and all(end.joint in d.m.joints for end in coupling.ends):
        draw(d, coupling)


def circles(d: Drawn) -> list[tuple[np.ndarray, float]]:
    """Places in W and radii [m] of all wheels that are drawn to scale."""
    shown = (c for c in d.m.couplings.values() if c.visible)
    return [wheel for coupling in shown for wheel in _wheels(d, coupling)]


def _joints(d: Drawn, coupling: Coupling) -> list[Joint]:
    return [d.m.joints[end.joint] for end in coupling.ends if end.joint in d.m.joints]


# wheels to scale


def _gears(numbers: Mapping[str, float], between: float) -> tuple[float, ...]:
    """Radii of two gears from their ratio and the distance of their axes."""
    ratio = numbers.get("ratio", -1.0)
    first = between / abs(1.0 - ratio) if ratio != 1.0 else between / 2
    return first, abs(ratio) * first


def _pulleys(numbers: Mapping[str, float], between: float) -> tuple[float, ...]:
    return abs(numbers.get("radius_1", 0.0)), abs(numbers.get("radius_2", 0.0))


_WHEELS: dict[str, Callable[[Mapping[str, float], float], tuple[float, ...]]] = {
    "gear": _gears,
    "belt": _pulleys,
    "crossed_belt": _pulleys,
    "rack_and_pinion": lambda numbers, between: (abs(numbers.get("radius", 0.0)),),
}


def _wheels(d: Drawn, coupling: Coupling) -> list[tuple[np.ndarray, float]]:
    """Places of the wheels of a coupling in W, and their radii [m]."""
    joints = _joints(d, coupling)
    if len(joints) < 2 or coupling.type not in _WHEELS:
        return []
    places = [d.place(joint.frame_b) for joint in joints[:2]]
    numbers = {name: q.value for name, q in coupling.parameters.items()}
    between = float(np.hypot(*(d.projection.flat(places[1]) - d.projection.flat(places[0]))))
    return list(zip(places, _WHEELS[coupling.type](numbers, between), strict=False))


def _seen(d: Drawn, coupling: Coupling) -> list[tuple[np.ndarray, float]]:
    """The wheels in the picture; none where one would be a speck."""
    wheels = [(d.projection.at(p), r * d.projection.scale) for p, r in _wheels(d, coupling)]
    return wheels if wheels and min(r for _, r in wheels) >= 0.5 * d.pen.unit else []


def _gear(d: Drawn, coupling: Coupling) -> None:
    for at, radius in _seen(d, coupling):
        symbols.pitch_circle(d.pen, at, radius)


def _belt(d: Drawn, coupling: Coupling) -> None:
    wheels = _seen(d, coupling)
    if len(wheels) == 2:
        (a, first), (b, second) = wheels
        symbols.rim(d.pen, a, first)
        symbols.rim(d.pen, b, second)
        symbols.belt(d.pen, a, b, first, second, coupling.type == "crossed_belt")


def _rack(d: Drawn, coupling: Coupling) -> None:
    for at, radius in _seen(d, coupling):
        symbols.pitch_circle(d.pen, at, radius)
        joint = d.m.joints[coupling.ends[1].joint]
        way = symbols.unit(d.projection.direction(d.axis(joint.frame_a, 2)))
        n = symbols.normal(way)
        n = n if n @ (d.projection.at(d.place(joint.frame_b)) - at) > 0 else -n
        foot = at + radius * n
        d.pen.line(foot - 2 * radius * way, foot + 2 * radius * way, wide=symbols.THIN)


# symbols of one size


def _common_axis(d: Drawn, coupling: Coupling) -> tuple[np.ndarray, np.ndarray]:
    """Middle of the joints in the picture, and the direction of their axis there."""
    joints = _joints(d, coupling)
    places = [d.projection.at(d.place(joint.frame_b)) for joint in joints]
    return np.mean(places, axis=0), d.projection.direction(d.axis(joints[0].frame_a, 2))


def _planetary(d: Drawn, coupling: Coupling) -> None:
    """Sun, ring and planets on their carrier: circles along the axis, lines from the side."""
    at, axis = _common_axis(d, coupling)
    q = coupling.parameters.get("ratio")
    ratio = min(max(2.0 if q is None else q.value, LEAST_RATIO), MOST_RATIO)
    pen, outer = d.pen, RING * d.pen.unit
    inner, middle, planet = (
        outer / ratio,
        0.5 * (outer + outer / ratio),
        0.5 * (outer - outer / ratio),
    )
    if float(np.hypot(*axis)) < symbols.ACROSS:
        symbols.pitch_circle(pen, at, inner)
        symbols.pitch_circle(pen, at, outer)
        pen.circle(at, outer + 0.8 * pen.unit, wide=0.8, fill="none")
        for k in range(PLANETS):
            turn = 2 * np.pi * k / PLANETS - np.pi / 2
            place = at + middle * np.array([np.cos(turn), np.sin(turn)])
            pen.line(at, place)
            symbols.pitch_circle(pen, place, planet)
            pen.circle(place, 0.5 * pen.unit, wide=0.8)
        return
    way, n = symbols.unit(axis), symbols.normal(symbols.unit(axis))
    half = 0.9 * pen.unit * way
    for side in (1.0, -1.0):
        across = side * n
        pen.line(at, at + inner * across)  # the sun
        pen.line(at + inner * across - half, at + inner * across + half, wide=0.8)
        hub = at + middle * across  # a planet between it and the ring
        pen.line(at + inner * across, at + outer * across, wide=0.8)
        pen.line(hub, hub + 2.6 * pen.unit * way)
        rim = at + outer * across
        pen.line(rim - half, rim + half, wide=0.8)
        pen.line(rim + 0.5 * pen.unit * across - half, rim + 0.5 * pen.unit * across + half)
    arm = at + 2.6 * pen.unit * way  # the carrier
    pen.line(arm + middle * n, arm - middle * n)


def _differential(d: Drawn, coupling: Coupling) -> None:
    """Two bevel gears in a case, and the planet that rolls between them."""
    at, axis = _common_axis(d, coupling)
    pen, u = d.pen, d.pen.unit
    if float(np.hypot(*axis)) < symbols.ACROSS:
        pen.circle(at, CASE * u, wide=0.8, fill="none")
        symbols.pitch_circle(pen, at, 0.6 * CASE * u)
        return
    way, n = symbols.unit(axis), symbols.normal(symbols.unit(axis))
    pen.area(*symbols.box(at, way, 2 * CASE * u, 2 * CASE * u), wide=0.8, fill="none")
    for side in (1.0, -1.0):
        inner, outer = at + side * 1.1 * u * way, at + side * 2.3 * u * way
        pen.area(inner + 1.1 * u * n, inner - 1.1 * u * n, outer - 2.2 * u * n, outer + 2.2 * u * n)
        near, far = at + side * 1.3 * u * n, at + side * 2.5 * u * n
        pen.area(
            near + 0.9 * u * way, near - 0.9 * u * way, far - 2.0 * u * way, far + 2.0 * u * way
        )
        pen.line(far, at + side * CASE * u * n)
        pen.line(outer, at + side * (CASE + 1.6) * u * way)


# cams


def cam_bodies(m: Mechanism) -> frozenset[str]:
    """Bodies that are cams."""
    return frozenset(
        _moved(m.joints[c.ends[0].joint])
        for c in m.couplings.values()
        if c.type == "cam" and c.ends[0].joint in m.joints
    )


def _moved(joint: Joint) -> str:
    return joint.frame_a.body if joint.frame_b.body == GROUND else joint.frame_b.body


def cam_outlines(d: Drawn, body: str) -> Iterator[np.ndarray]:
    """Outlines (k, 3) of the flat shapes of a cam in W [m]."""
    pose = d.pose(body)
    for shape in d.m.body(body).shapes:
        if len(shape.outline) > 2:
            corners = [(x.value, 0.0, z.value) for x, z in shape.outline]
            own = [transform(shape.placement.pose, c) for c in corners]
            yield np.array([transform(pose, c) for c in own])


def _cam(d: Drawn, coupling: Coupling) -> None:
    """The cam's own profile as it is drawn; an eccentric disc where it has none."""
    joint = d.m.joints[coupling.ends[0].joint]
    outlines = list(cam_outlines(d, _moved(joint)))
    for outline in outlines:
        d.pen.area(*(d.projection.at(p) for p in outline), wide=0.8)
    if not outlines:
        follower = d.m.joints[coupling.ends[1].joint]
        at = d.projection.at(d.place(joint.frame_b))
        way = symbols.unit(d.projection.at(d.place(follower.frame_b)) - at)
        d.pen.circle(at + ECCENTRIC * d.pen.unit * way, CAM * d.pen.unit, wide=0.8)


# Geneva drives


def _geneva(d: Drawn, coupling: Coupling) -> None:
    """The wheel with its slots to size, and the pin of the crank."""
    shape = geneva_shape(d.m, coupling)
    if shape is None or shape.crank * d.projection.scale < d.pen.unit:
        return
    base = base_of(d.m, coupling.ends)
    for joint, line, x in (
        (d.m.joints[coupling.ends[1].joint], wheel_outline(shape), shape.slot),
        (d.m.joints[coupling.ends[0].joint], _pin(shape), shape.pin / shape.crank),
    ):
        frame = moving_frame(joint, base)
        axes = np.array([d.axis(frame, 0), d.axis(frame, 1)])
        y = np.array([-x[1], x[0]])
        flat = line[:, :1] * x[:2] + line[:, 1:] * y
        d.pen.area(*(d.projection.at(d.place(frame) + p @ axes) for p in flat), wide=0.8)


def _pin(shape: GenevaShape) -> np.ndarray:
    """Outline (k, 2) of a pin on x at the radius of the crank."""
    turn = np.linspace(0.0, 2.0 * np.pi, 24)
    radius = 0.5 * WIDTH * shape.crank
    return (shape.crank, 0.0) + radius * np.column_stack([np.cos(turn), np.sin(turn)])


_SYMBOLS: dict[str, Callable[[Drawn, Coupling], None]] = {
    "gear": _gear,
    "belt": _belt,
    "crossed_belt": _belt,
    "rack_and_pinion": _rack,
    "planetary": _planetary,
    "differential": _differential,
    "cam": _cam,
    "geneva": _geneva,
}
