"""What must hold before an element of a file may enter a project: values from texts, bounds, references."""

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from mechstudio.model import expression, fields
from mechstudio.model.findings import Finding
from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND, Body, Force, Frame, Joint
from mechstudio.model.quantity import Quantity
from mechstudio.model.shape_types import SHAPE_TYPES
from mechstudio.model.units import format_value

from .schema import CORRECT, NotUnderstood

_SAME = 1e-12         # relative; a stored value that is so near is the same number, computed on another machine


def same(a: float, b: float) -> bool:
    """Whether two values are the same but for rounding."""
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def settle(element: Any, id: str, title: str, known: expression.Names, moved: AbstractSet[str] = frozenset()) -> tuple[Any, list[Finding]]:
    """The element with every typed text evaluated; the text wins over the number stored beside it, and a finding says so.

    moved: parameters that are not what they were when the numbers were stored; texts that name them differ without a finding.
    A text without a value leaves the stored number.   Raises NotUnderstood where there is none, or a value is out of bounds.
    """
    findings = []
    for field in fields.fields(element, id):
        q = fields.read(element, field.path)
        if q is None:
            continue
        value = q.value
        if q.text:
            try:
                value = expression.evaluate(q.text, field.dimension, known)
            except expression.ExpressionError as error:
                if math.isnan(q.value):
                    raise NotUnderstood(f"{field.label} = {shown(q.text)} has no value: {lowered(str(error))}") from None
                findings.append(no_value(id, title, field, q, error))
            if math.isnan(q.value) or not same(value, q.value):
                if not math.isnan(q.value) and not expression.names_in(q.text) & moved:
                    findings.append(disagreement(id, title, field, q))
                element = fields.write(element, field.path, Quantity(value, q.text))
        if reason := fields.problem(field, value):
            raise NotUnderstood(lowered(reason))
    return element, findings


def disagreement(id: str, title: str, field: fields.Field, q: Quantity) -> Finding:
    return Finding("warning", id, f"{title}: {field.label} says {shown(q.text)}, but the number beside it in the file is "
                   f"{format_value(q.value, field.dimension)}; the text counts.", "Look at the value; saving the file makes both agree.")


def no_value(id: str, title: str, field: fields.Field, q: Quantity, error: Exception) -> Finding:
    return Finding("warning", id, f"{title}: {field.label} = {shown(q.text)} has no value: {lowered(str(error))} "
                   f"The number stored in the file is used, {format_value(q.value, field.dimension)}.", "Type the value again.")


def shown(text: str) -> str:
    """A text as a sentence quotes it."""
    return text if len(text) <= 60 else text[:57] + "…"


def lowered(sentence: str) -> str:
    """A sentence as the second half of another one; single letters and capitals stay."""
    sentence = sentence.rstrip(".") + "."
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() and sentence.split(" ")[0] in _FIRST_WORDS else sentence


_FIRST_WORDS = {"A", "The", "There", "Write", "An"} | {"Mass", "Density", "Length", "Width", "Thickness", "Radius", "Height", "Depth", "Duration", "Tolerance"}


def check_body(body: Body) -> None:
    """Raises NotUnderstood for a body whose shapes lack their corners."""
    for shape in body.shapes:
        if SHAPE_TYPES[shape.type].outline and not shape.outline:
            raise NotUnderstood('its "outline" has no corners')


def _check_frame(frame: Frame, bodies: Mapping[str, Body]) -> None:
    if frame.body not in bodies:
        raise NotUnderstood(f"its body {frame.body} is not there or could not be read", f"Bring {frame.body} back, or delete what refers to it.")
    try:
        bodies[frame.body].point(frame.point)
    except KeyError as error:
        raise NotUnderstood(str(error.args[0]).rstrip("."), CORRECT) from None


def check_joint(joint: Joint, bodies: Mapping[str, Body]) -> None:
    """Raises NotUnderstood for a joint whose bodies or points are missing or whose rows do not fit its type.  bodies: with ground."""
    for frame in (joint.frame_a, joint.frame_b):
        _check_frame(frame, bodies)
    dof = JOINT_TYPES[joint.type].dof
    for key in ("values", "rates"):
        if len(getattr(joint, key)) not in (0, dof):
            raise NotUnderstood(f'its "{key}" must have {dof} {"number" if dof == 1 else "numbers"}, one per freedom, or none')


def check_force(force: Force, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a force that does not stand on what its type needs."""
    kind = FORCE_TYPES[force.type]
    if kind.attachment == JOINT:
        if force.joint not in joints:
            raise NotUnderstood(f"its joint {force.joint} is not there or could not be read" if force.joint else 'its "joint" is missing',
                                f"Bring {force.joint} back, or delete what refers to it." if force.joint else CORRECT)
        coordinates = JOINT_TYPES[joints[force.joint].type].coordinates
        if force.coordinate >= len(coordinates) or coordinates[force.coordinate].dimension != kind.joint_dimension:
            raise NotUnderstood(f"its joint {joints[force.joint].name} has no {kind.joint_dimension} number {force.coordinate} for it to act on")
    needed = {JOINT: (), BODY: ("frame_b",)}.get(kind.attachment, ("frame_a", "frame_b"))
    for key in ("frame_a", "frame_b"):
        frame = getattr(force, key)
        if frame is None and key in needed:
            raise NotUnderstood(f'its "{key}" is missing')
        if frame is not None and key not in needed:
            raise NotUnderstood(f'it has a "{key}", which a {kind.label.lower()} does not use')
        if frame is not None:
            _check_frame(frame, bodies)


RESERVED = frozenset({GROUND, fields.SETTINGS, fields.GRAVITY})
