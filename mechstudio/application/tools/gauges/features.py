"""Features that a gauge can be laid on at the pointer, the likeliest first."""

import math
from typing import NamedTuple

from mechstudio.application.tools.snapping.candidates import joint_axis
from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.snapping.snap import Snap
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.links import frame_at, link_ends
from mechstudio.model.geometry.forms import Ball, Cylinder
from mechstudio.model.geometry.rotation import Triple, compose, frame_on_axis, minus, rotate
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.project import Feature
from mechstudio.model.types.gauges import AXIS, BODY, PLANE, POINT
from mechstudio.translation import tr


class Found(NamedTuple):
    """A feature under the pointer. words: description. at: place of its mark [m, W]. line: ends of
    the line drawn along it, None for a mark alone.
    """

    feature: Feature
    words: str
    at: Triple
    line: tuple[Triple, Triple] | None = None


def features_at(context: ToolContext, pointer: Pointer) -> list[Found]:
    """Named points first, then axes and faces, then the whole body; a bare place where none is."""
    m = context.document.project.mechanism
    out: list[Found] = []
    snap = place(context, pointer)
    named = snap is not None and bool(snap.word) and not snap.grid and snap.shape != "angle"
    joint = pointer.element if pointer.element in m.joints else snap.joint if named and snap else ""
    if joint:
        out += _of_joint(m, joint, pointer)
    elif named and snap is not None and not _is_surface(snap, pointer):
        out.append(_point(m, snap.body, snap.point, snap.word))
    if pointer.body and (pointer.body in m.bodies or pointer.body == GROUND):
        out += _of_body(m, pointer)
    if not out and snap is not None:
        out.append(_point(m, snap.body, snap.point, snap.word or tr("a place")))
    return out


def _is_surface(snap: Snap, pointer: Pointer) -> bool:
    return pointer.surface is not None and math.dist(snap.point, pointer.surface) < 1e-12


def _frame(m: Mechanism, body: str, at: Triple, z: Triple | None = None) -> Frame:
    attitude = m.body(body).placement.quaternion if z is None else frame_on_axis(z)
    return frame_at(m, body, at, attitude, 1e-9 * max(m.size(), 1e-6))


def _point(m: Mechanism, body: str, at: Triple, words: str) -> Found:
    owner = body if body in m.bodies else GROUND
    return Found(Feature(POINT, _frame(m, owner, at)), words, at)


def _of_joint(m: Mechanism, id: str, pointer: Pointer) -> list[Found]:
    joint = m.joints[id]
    frame = joint.frame_b if joint.frame_b.body != GROUND else joint.frame_a
    at, name = m.frame_in_world(frame)[0], joint.name
    out = [Found(Feature(POINT, joint=id), tr("joint {joint}", joint=name), at)]
    along = joint_axis(m, joint)
    if along is not None:
        line = _line(at, along, 60.0 * pointer.pixel)
        out.append(Found(Feature(AXIS, joint=id), tr("axis of {joint}", joint=name), at, line))
    return out


def _line(at: Triple, along: Triple, reach: float) -> tuple[Triple, Triple]:
    low, high = (tuple(p + side * reach * d for p, d in zip(at, along)) for side in (-1.0, 1.0))
    return low, high  # type: ignore[return-value]


def _of_body(m: Mechanism, pointer: Pointer) -> list[Found]:
    """Axis of a link or a round solid, the face, and the body whole: of a link in this order, of
    another body the body first.
    """
    id, out = pointer.body, []
    body, at = m.body(id), pointer.surface or pointer.point
    if at is None:
        return []
    ends = link_ends(body) if id != GROUND else None
    whole = Found(Feature(BODY, Frame(id)), body.name, at)
    if ends is not None:
        z = minus(ends[1], ends[0])
        feature = Feature(AXIS, _frame(m, id, ends[0], z))
        out.append(Found(feature, tr("line of {body}", body=body.name), at, ends))
    else:
        out.append(whole)
        for shape in body.shapes:
            if isinstance(shape.form, Cylinder) and not isinstance(shape.form, Ball):
                center, q = compose(body.placement.pose, shape.placement.pose)
                z = rotate(q, (0.0, 0.0, 1.0))
                line = _line(center, z, 60.0 * pointer.pixel)
                feature = Feature(AXIS, _frame(m, id, center, z))
                words = tr("axis of {body}", body=body.name)
                out.append(Found(feature, words, center, line))
    if pointer.surface is not None and pointer.normal is not None:
        feature = Feature(PLANE, _frame(m, id, pointer.surface, pointer.normal))
        line = _line(pointer.surface, pointer.normal, 30.0 * pointer.pixel)
        line = (pointer.surface, line[1])
        out.append(Found(feature, tr("face of {body}", body=body.name), pointer.surface, line))
    return [*out, whole] if ends is not None else out
