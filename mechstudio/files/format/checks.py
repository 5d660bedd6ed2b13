"""Checks that an element of a file must pass before it may enter a project: values from texts,
bounds, references.
"""

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec
import numpy as np

from mechstudio.files.format.entry_types import CORRECT, NotUnderstood
from mechstudio.model import fields
from mechstudio.model.findings import Finding
from mechstudio.model.formulas import expression
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.geometry.work_plane import is_sound
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Mechanism,
)
from mechstudio.model.naming import quoted
from mechstudio.model.project import Camera, Gauge, Group, Mark, Measurement, Step
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT
from mechstudio.model.types.gauges import takes
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.marks import MARK_TYPES, SCENE
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr, trn

replace = msgspec.structs.replace
# share of a table's range by which a spline may swing beyond its points before an older file says
# so
OVERSHOOT = 0.01
UNIT = 1e-6  # by which the length of a unit quaternion may be off
# relative; a stored value that is so near is the same number, computed on another machine
_SAME = 1e-12


def same(a: float, b: float) -> bool:
    """True if two values are the same but for rounding."""
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def settle(
    element: Any,
    id: str,
    title: str,
    known: expression.Names,
    moved: AbstractSet[str] = frozenset(),
    mechanism: Mechanism | None = None,
) -> tuple[Any, list[Finding]]:
    """The element with every typed text evaluated; the text wins over the number stored beside it,
    and a finding says so.

    moved: parameters that are not what they were when the numbers were stored; texts that name them
    differ without a finding.
    mechanism: what the element stands in; drives and cams take their dimensions from its joints.
    A text without a value leaves the stored number.  Raises NotUnderstood where there is none, or a
    value is out of bounds.
    """
    findings: list[Finding] = []
    ruled: Mapping[str, Law] = element.laws if isinstance(element, Force) else {}
    if ruled:
        # the numbers that laws stand in for at present are kept beside them and must be numbers too
        element, findings = settle(replace(element, laws={}), id, title, known, moved, mechanism)
        element = replace(element, laws=ruled)
    for field in fields.fields(element, id, mechanism):
        q = fields.read(element, field.path)
        if q is None:
            continue
        value = q.value
        if q.text:
            try:
                value = expression.evaluate(q.text, field.dimension, known)
            except expression.ExpressionError as error:
                if math.isnan(q.value):
                    raise NotUnderstood(
                        tr(
                            "{field} = {text} has no value: {error}",
                            field=tr(field.label),
                            text=quoted(q.text),
                            error=lowered(str(error)),
                        )
                    ) from None
                findings.append(no_value(id, title, field, q, error))
            if math.isnan(q.value) or not same(value, q.value):
                if not math.isnan(q.value) and not expression.names_in(q.text) & moved:
                    findings.append(disagreement(id, title, field, q))
                element = fields.write(element, field.path, Quantity(value, q.text))
        if reason := fields.problem(field, value):
            raise NotUnderstood(lowered(reason))
    return element, findings


def settle_laws(
    element: Any, id: str, title: str, known: expression.Names, mechanism: Mechanism
) -> tuple[Any, list[Finding]]:
    """The element with its expressions bound to the parameters that they name, and what is wrong
    with its laws; it is kept in any case.
    """
    findings: list[Finding] = []
    for parameter, law in texts.laws_of(element).items():
        if reason := texts.reason(mechanism, element, parameter, law, known):
            findings.append(
                Finding(
                    "warning",
                    id,
                    tr(
                        "{title}: its law{word} cannot be used: {reason}",
                        title=title,
                        word=tr(" of {parameter}", parameter=parameter) if parameter else "",
                        reason=lowered(reason),
                    ),
                    tr("Type the law again."),
                )
            )
        findings += _overshoot(element, id, title, parameter, law, mechanism)
        element = texts.with_law(
            element, parameter, texts.bound(law, evaluation.variables(mechanism, element), known)
        )
    return element, findings


def _overshoot(
    element: Any, id: str, title: str, parameter: str, law: Law, mechanism: Mechanism
) -> list[Finding]:
    """A table of an older file, which is a spline for want of a word, where it swings far beyond
    its points.
    """
    found = evaluation.worst_overshoot(law) if law.type == "table" and not law.between else None
    if found is None or found[1] <= OVERSHOOT:
        return []
    worst = found[0]
    own = texts.law_dimension(mechanism, element, parameter)
    at = format_value(worst.peak, "angle" if isinstance(element, Coupling) else "time")
    return [
        Finding(
            "warning",
            id,
            tr(
                "{title}: the table of its law{word} does not say how it runs between its points; "
                "it stays the spline that it was, which swings {size} beyond them at {at}.",
                title=title,
                word=tr(" of {parameter}", parameter=parameter) if parameter else "",
                size=format_value(worst.size, own),
                at=at,
            ),
            tr("Choose monotone between its points, or spline to keep it so."),
        )
    ]


def disagreement(id: str, title: str, field: fields.Field, q: Quantity) -> Finding:
    """Warning about a text that has another value than the number beside it."""
    return Finding(
        "warning",
        id,
        tr(
            "{title}: {field} says {text}, but the number beside it in the file is {dimension}; "
            "the text counts.",
            title=title,
            field=tr(field.label),
            text=quoted(q.text),
            dimension=format_value(q.value, field.dimension),
        ),
        tr("Look at the value; saving the file makes both agree."),
    )


def no_value(id: str, title: str, field: fields.Field, q: Quantity, error: Exception) -> Finding:
    """Warning about a text that has no value."""
    return Finding(
        "warning",
        id,
        tr(
            "{title}: {field} = {text} has no value: {error} The number stored in the file is "
            "used, {dimension}.",
            title=title,
            field=tr(field.label),
            text=quoted(q.text),
            error=lowered(str(error)),
            dimension=format_value(q.value, field.dimension),
        ),
        tr("Type the value again."),
    )


def lowered(sentence: str) -> str:
    """A sentence as the second half of another one; single letters and capitals stay."""
    sentence = sentence.rstrip(".") + "."
    return (
        sentence[:1].lower() + sentence[1:]
        if sentence[1:2].islower() and sentence.split(" ")[0] in _FIRST_WORDS
        else sentence
    )


_FIRST_WORDS = {"A", "The", "There", "Write", "An"} | {
    "Mass",
    "Density",
    "Length",
    "Width",
    "Thickness",
    "Radius",
    "Height",
    "Depth",
    "Duration",
    "Tolerance",
}


def check_body(body: Body) -> None:
    """Raises NotUnderstood for a body whose shapes lack their corners or their surface."""
    for shape in body.shapes:
        kind = SHAPE_TYPES[shape.type]
        if kind.outline and not shape.outline:
            raise NotUnderstood(tr('its "outline" has no corners'))
        if (shape.mesh is not None) != kind.mesh:
            raise NotUnderstood(
                tr('its "mesh" is missing')
                if shape.mesh is None
                else tr('it has a "mesh", which a {kind} does not use', kind=tr(kind.label).lower())
            )
        if shape.mesh is not None:
            check_mesh(shape.mesh)


def check_mesh(mesh: Mesh) -> None:
    """Raises NotUnderstood for a surface that encloses nothing, or whose bytes are no triangles."""
    if reason := meshes.check(mesh):
        raise NotUnderstood(tr("its mesh cannot be a solid: {reason}", reason=reason))


def _check_frame(frame: Frame, bodies: Mapping[str, Body]) -> None:
    if frame.body not in bodies:
        raise NotUnderstood(
            tr("its body {body} is not there or could not be read", body=frame.body),
            tr("Bring {body} back, or delete what refers to it.", body=frame.body),
        )
    try:
        bodies[frame.body].point(frame.point)
    except KeyError as error:
        raise NotUnderstood(str(error.args[0]).rstrip("."), tr(CORRECT)) from None


def check_joint(joint: Joint, bodies: Mapping[str, Body]) -> None:
    """Raises NotUnderstood for a joint whose bodies or points are missing or whose rows do not fit
    its type.  bodies: with ground.
    """
    for frame in (joint.frame_a, joint.frame_b):
        _check_frame(frame, bodies)
    kind = JOINT_TYPES[joint.type]
    dof = kind.dof
    for key in ("values", "rates"):
        if len(getattr(joint, key)) not in (0, dof):
            raise NotUnderstood(
                trn(
                    'its "{key}" must have {count} number, one per freedom, or none',
                    'its "{key}" must have {count} numbers, one per freedom, or none',
                    dof,
                    key=key,
                )
            )
    if kind.curve and (joint.curve is None or len(joint.curve.points) < 2):
        raise NotUnderstood(
            tr('its "curve" is missing')
            if joint.curve is None
            else tr('its "curve" has fewer than two points')
        )
    if joint.curve is not None and not kind.curve:
        raise NotUnderstood(
            tr('it has a "curve", which a {kind} joint does not use', kind=tr(kind.label).lower())
        )
    for k, limit in enumerate(joint.limits):
        if limit.coordinate >= dof:
            raise NotUnderstood(
                tr(
                    'its "limits" name a coordinate {coordinate} that a {kind} joint does not have',
                    coordinate=limit.coordinate,
                    kind=tr(kind.label).lower(),
                )
            )
        if limit.coordinate in [other.coordinate for other in joint.limits[:k]]:
            raise NotUnderstood(
                tr(
                    'its "limits" name the coordinate {coordinate} twice',
                    coordinate=limit.coordinate,
                )
            )


def _check_end(end: CoordinateOf, joints: Mapping[str, Joint], dimensions: tuple[str, ...]) -> None:
    """A joint coordinate of one of the dimensions."""
    if end.joint not in joints:
        raise NotUnderstood(
            tr("its joint {joint} is not there or could not be read", joint=end.joint),
            tr("Bring {joint} back, or delete what refers to it.", joint=end.joint),
        )
    coordinates = JOINT_TYPES[joints[end.joint].type].coordinates
    if (
        end.coordinate >= len(coordinates)
        or coordinates[end.coordinate].dimension not in dimensions
    ):
        raise NotUnderstood(
            tr(
                "its joint {joint} has no {dimensions} number {coordinate} for it",
                joint=joints[end.joint].name,
                dimensions=" or ".join(dimensions),
                coordinate=end.coordinate,
            )
        )


def check_coupling(coupling: Coupling, joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a coupling whose ends are not there or do not fit its type."""
    kind = COUPLING_TYPES[coupling.type]
    if len(coupling.ends) != len(kind.ends):
        raise NotUnderstood(
            tr(
                'its "ends" must be {count}: {e}',
                count=len(kind.ends),
                e=comma().join(tr(e.label).lower() for e in kind.ends),
            )
        )
    for end, known in zip(coupling.ends, kind.ends):
        _check_end(end, joints, known.dimensions)
    if kind.law != (coupling.law is not None):
        raise NotUnderstood(
            tr('its "law" is missing')
            if kind.law
            else tr('it has a "law", which a {kind} does not use', kind=tr(kind.label).lower())
        )


def check_drive(drive: Drive, joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a drive of a joint coordinate that is not there."""
    _check_end(CoordinateOf(drive.joint, drive.coordinate), joints, ("angle", "length"))


def check_force(force: Force, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a force that does not stand on what its type needs."""
    kind = FORCE_TYPES[force.type]
    if kind.attachment == JOINT:
        if not force.joint:
            raise NotUnderstood(tr('its "joint" is missing'))
        _check_end(CoordinateOf(force.joint, force.coordinate), joints, (kind.joint_dimension,))
    ruled = [p.name for p in kind.parameters if not p.rate_of]
    for name in force.laws:
        if name not in ruled:
            raise NotUnderstood(
                tr(
                    'its "laws" rule "{name}", which is no number of a {kind}',
                    name=quoted(name),
                    kind=tr(kind.label).lower(),
                )
            )
    needed = {JOINT: (), BODY: ("frame_b",)}.get(kind.attachment, ("frame_a", "frame_b"))
    for key in ("frame_a", "frame_b"):
        frame = getattr(force, key)
        if frame is None and key in needed:
            raise NotUnderstood(tr('its "{key}" is missing', key=key))
        if frame is not None and key not in needed:
            raise NotUnderstood(
                tr(
                    'it has a "{key}", which a {kind} does not use',
                    key=key,
                    kind=tr(kind.label).lower(),
                )
            )
        if frame is not None:
            _check_frame(frame, bodies)


def check_group(group: Group, bodies: Mapping[str, Body], grouped: set[str]) -> None:
    """Raises NotUnderstood for a group of nothing, or of bodies that are missing or in another
    group.  grouped: members of the groups before, extended.
    """
    if not group.members:
        raise NotUnderstood(tr("it has no members"))
    for k, id in enumerate(group.members):
        if id not in bodies:
            raise NotUnderstood(
                tr("its body {id} is not there or could not be read", id=id),
                tr("Bring {id} back, or group its bodies again.", id=id),
            )
        if id in grouped or id in group.members[:k]:
            raise NotUnderstood(tr("its body {body} is in a group already", body=bodies[id].name))
    grouped.update(group.members)


def check_mark(mark: Mark, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a mark on what is not there, or with a number that is none."""
    cure = tr("Bring it back, or show the mark again.")
    for id in filter(None, (mark.body, mark.other)):
        if id not in bodies:
            raise NotUnderstood(
                tr("its body {id} is not there or could not be read", id=quoted(id)), cure
            )
    if mark.joint and mark.joint not in joints:
        raise NotUnderstood(tr("its joint {joint} is not there", joint=quoted(mark.joint)), cure)
    if mark.point and (not mark.body or mark.point not in bodies[mark.body].named_points()):
        raise NotUnderstood(tr("its point {point} is not there", point=quoted(mark.point)), cure)
    kind = MARK_TYPES[mark.type]
    if not mark.joint and not mark.body and SCENE not in kind.on:
        raise NotUnderstood(tr('it names neither a "body" nor a "joint"'))
    if not kind.fits(mark.body, mark.joint):
        raise NotUnderstood(
            tr("{kind} cannot be shown on what it names", kind=quoted(tr(kind.label))),
            tr("Show the mark again, on something that can have it."),
        )
    if mark.value is not None and not 0.0 <= mark.value <= fields.LARGEST:
        raise NotUnderstood(tr('its "value" {value:g} is out of all bounds', value=mark.value))


def check_camera(camera: Camera, bodies: Mapping[str, Body]) -> None:
    """Raises NotUnderstood for a point of view out of all bounds, or on what is not there."""
    numbers = (*camera.target, camera.azimuth, camera.elevation, camera.distance)
    if any(abs(n) > fields.LARGEST for n in numbers) or not camera.distance > 0:
        raise NotUnderstood(tr("its numbers are out of all bounds"))
    if camera.plane is not None and (
        not is_sound(camera.plane) or any(abs(n) > fields.LARGEST for n in camera.plane.origin)
    ):
        raise NotUnderstood(tr("its work plane has no two directions across each other"))
    if camera.body and camera.body not in bodies:
        raise NotUnderstood(tr("the body that it goes along with is not there"))
    if abs(math.hypot(*camera.frame) - 1.0) > UNIT:
        raise NotUnderstood(tr("its frame is no unit quaternion"))


def check_step(step: Step) -> None:
    """Raises NotUnderstood for a step of a lesson whose numbers are out of all bounds; what it
    names may be gone.
    """
    camera = step.camera
    if camera is not None:
        # one that went along with a body that is gone stands still
        check_camera(msgspec.structs.replace(camera, body=""), {})
    times = [t for t in (step.begin, step.end, step.at) if t is not None]
    if any(abs(t) > fields.LARGEST for t in times):
        raise NotUnderstood(tr("its numbers are out of all bounds"))
    if step.begin is not None and step.end is not None and step.begin > step.end:
        raise NotUnderstood(tr("it is played from a later instant to an earlier one"))


def check_measurement(data: Measurement) -> None:
    """Raises NotUnderstood for measured values that are no numbers over ascending instants."""
    if len(data.times) % 8 or len(data.times) != len(data.values) or not data.times:
        raise NotUnderstood(tr("it has not as many values as instants"))
    times = np.frombuffer(data.times, "<f8")
    if not np.isfinite(times).all() or (np.diff(times) < 0).any():
        raise NotUnderstood(tr("its instants are not in the order of the time"))
    if not np.isfinite(data.shift) or np.isinf(np.frombuffer(data.values, "<f8")).any():
        raise NotUnderstood(tr("its numbers are out of all bounds"))


def check_gauge(gauge: Gauge, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Raises NotUnderstood for a gauge on what is not there, or on what its type does not take."""
    for end in gauge.ends:
        if end.joint:
            if end.joint not in joints:
                raise NotUnderstood(
                    tr("its joint {joint} is not there", joint=quoted(end.joint)),
                    tr("Bring it back, or measure again."),
                )
        elif end.frame is None:
            raise NotUnderstood(tr('one of its ends names neither a "frame" nor a "joint"'))
        else:
            _check_frame(end.frame, bodies)
            place = end.frame.placement
            if not all(
                abs(q.value) <= fields.LARGEST for q in (*place.position, *place.orientation)
            ):
                raise NotUnderstood(tr("its numbers are out of all bounds"))
        if end.joint and (end.frame is not None or end.kind == BODY):
            raise NotUnderstood(tr("one of its ends is of a joint and of a body at once"))
    if not takes(gauge.type, tuple(end.kind for end in gauge.ends)):
        raise NotUnderstood(
            tr("its ends are nothing that its type measures"), tr("Measure it again.")
        )


RESERVED = frozenset({GROUND, *fields.OF_PROJECT})
