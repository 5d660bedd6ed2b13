"""Numbers of the drawing that gauges drive: a length, a radius, the place of a pin on the ground.

A gauge that shows such a number is a driving dimension, and typing another one changes the drawing.
All others follow from the pose, and `reason` says so.
"""

import itertools
import math
from typing import NamedTuple

import msgspec

from mechstudio.model.edits.elements import parameter_values, put_element, set_quantity
from mechstudio.model.edits.poses.propagation import end_of
from mechstudio.model.fields import Path, find, read
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.forms import Ball, Cylinder
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.project import Feature, Gauge, Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.gauges import ALONG, ANGLE, BODY, DIAMETER, DISTANCE, POINT, ROUND
from mechstudio.model.types.joints import BALL, JOINT_TYPES, TURN
from mechstudio.translation import tr

replace = msgspec.structs.replace
NUMBER, PLACE = "number", "place"


class Driver(NamedTuple):
    """Number that a gauge shows and drives.

    kind: NUMBER, a number of an element at a path, factor times which the gauge shows; or PLACE,
    the place on the ground of the joint of that id.
    """

    kind: str
    element: str
    path: Path = ()
    factor: float = 1.0


def driver(project: Project, gauge: Gauge) -> Driver | None:
    """The number that a gauge drives; None of one that follows from the pose."""
    m = project.mechanism
    if gauge.type in ROUND:
        return _of_round(m, gauge)
    if gauge.type != DISTANCE or any(end.kind != POINT for end in gauge.ends):
        return None
    first, second = (_frames(m, end) for end in gauge.ends)
    size = m.size()
    for a, b in itertools.product(first, second):
        same = a.body == b.body != GROUND
        if same and {end_of(m, a, size), end_of(m, b, size)} == {0, 1}:
            return Driver(NUMBER, a.body, ("shapes", 0, "dimensions", "length"))
    joint = gauge.ends[1].joint
    pins = all(end.joint and _keeps_place(m, end.joint) for end in gauge.ends)
    if joint and pins and all(any(f.body == GROUND for f in frames) for frames in (first, second)):
        return Driver(PLACE, joint)
    return None


def _keeps_place(m: Mechanism, joint: str) -> bool:
    """True of a joint whose bodies share its place in every pose, as at a pin or a ball."""
    return all(kind in (TURN, BALL) for kind, _ in JOINT_TYPES[m.joints[joint].type].motions)


def _of_round(m: Mechanism, gauge: Gauge) -> Driver | None:
    frame = gauge.ends[0].frame
    assert frame is not None, "the end on a body has a frame"
    shapes = m.body(frame.body).shapes
    found = [
        (form.radius, -k)
        for k, s in enumerate(shapes)
        if isinstance(form := s.form, Ball | Cylinder)
    ]
    if not found:
        return None
    path = ("shapes", -max(found)[1], "dimensions", "radius")
    return Driver(NUMBER, frame.body, path, 2.0 if gauge.type == DIAMETER else 1.0)


def _frames(m: Mechanism, end: Feature) -> tuple[Frame, ...]:
    if end.joint:
        joint = m.joints[end.joint]
        return (joint.frame_a, joint.frame_b)
    return () if end.frame is None else (end.frame,)


def reason(project: Project, gauge: Gauge) -> str:
    """Reason why the number of a gauge cannot be typed, and what changes it; "" if it can."""
    if driver(project, gauge) is not None:
        return ""
    if gauge.type == ANGLE:
        return tr(
            "{name} follows from the pose: drag the mechanism, or type the coordinate of a joint.",
            name=gauge.name,
        )
    if gauge.type in ROUND:
        return tr("{name} shows a body without a disc, a cylinder or a ball.", name=gauge.name)
    if gauge.ends[0].kind == BODY:
        return tr(
            "{name} follows from where both bodies are: move one, or change its size.",
            name=gauge.name,
        )
    if gauge.type in ALONG:
        return tr(
            "{name} is one part of a distance and follows from the pose: type the length of a "
            "link instead.",
            name=gauge.name,
        )
    return tr(
        "{name} follows from lengths and pose: only the length of one link, the distance of two "
        "pins on the ground and the radius of a disc can be typed.",
        name=gauge.name,
    )


def driven_number(project: Project, gauge: Gauge) -> Quantity | None:
    """The number that a gauge drives, as typed; None of the place of a pin and of one that
    follows.
    """
    found = driver(project, gauge)
    if found is None or found.kind == PLACE or found.factor != 1.0:
        return None
    return read(find(project, found.element), found.path)


def with_value(project: Project, id: str, text: str, unit: str = "") -> Project:
    """With another number typed for a gauge that drives it.  unit: of a text without any.

    Raises ExpressionError, with the reason in words, for a number that cannot be and for a gauge
    that follows.
    """
    gauge = project.gauges[id]
    found = driver(project, gauge)
    if found is None:
        raise ExpressionError(reason(project, gauge))
    if found.kind == PLACE:
        return _with_place(project, gauge, found.element, text, unit)
    if found.factor == 1.0:
        return set_quantity(project, found.element, found.path, text, unit)
    whole = expression.quantity(text, "length", parameter_values(project), unit)
    return set_quantity(
        project, found.element, found.path, f"({whole.text})/{found.factor:g}", unit
    )


def _with_place(project: Project, gauge: Gauge, id: str, text: str, unit: str) -> Project:
    """With a pin on the ground moved along the line from the other one, so that they are so far
    apart.
    """
    m = project.mechanism
    typed = expression.quantity(text, "length", parameter_values(project), unit)
    if expression.names_in(typed.text):
        raise ExpressionError(
            tr(
                "{name} moves a pin, whose place keeps no formula of a distance: type a number, or "
                "the formula in the pin's place in the inspector.",
                name=gauge.name,
            )
        )
    value = typed.value
    a = m.frame_in_world(_on_ground(m, gauge.ends[0]))[0]
    joint = m.joints[id]
    side = "frame_a" if joint.frame_a.body == GROUND else "frame_b"
    frame: Frame = getattr(joint, side)
    b = m.frame_in_world(frame)[0]
    apart = math.dist(a, b)
    if not value > 0.0:
        raise ExpressionError(tr("{name} must be larger than zero.", name=gauge.name))
    if not apart > 0.0:
        raise ExpressionError(
            tr(
                "{name}: both pins are at one place, so there is no direction to move one in. "
                "Drag one away first.",
                name=gauge.name,
            )
        )
    shift = [(q - p) * (value / apart - 1.0) for p, q in zip(a, b)]
    position = tuple(
        old if by == 0.0 else Quantity(old.value + by)
        for old, by in zip(frame.placement.position, shift)
    )
    moved = replace(frame, placement=replace(frame.placement, position=position))
    return put_element(project, id, replace(joint, **{side: moved}))


def _on_ground(m: Mechanism, end: Feature) -> Frame:
    return next(f for f in _frames(m, end) if f.body == GROUND)
