"""Work plane meant by the element under the pointer: a face, a joint, a link."""

import msgspec

from mechstudio.application.tools.snapping.candidates import (
    Snap,
    candidates_of,
    joint_axis,
    link_normal,
    turns,
)
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.links import distance
from mechstudio.model.geometry.rotation import Triple, scaled
from mechstudio.model.geometry.work_plane import (
    FRONT,
    STANDARD,
    WorkPlane,
    cross,
    dot,
    facing,
    named_by,
    parallel,
    same,
    standard_of,
    towards,
    unit,
)
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.translation import tr


def joint_words(name: str) -> str:
    """Phrase for a joint: "joint A", but "crank pin" by its own words alone."""
    return name if " " in name else tr("joint {name}", name=name)


def _named(plane: WorkPlane, words: str) -> WorkPlane:
    """The plane with a name; a standard plane where it is the same one.

    One that is parallel to a standard plane begins beside the origin of W, so that coordinates
    typed in it are those of W.
    """
    for p in STANDARD.values():
        if same(p, plane, 1e-9):
            return p
    named = named_by(plane, words)
    if not standard_of(plane):
        return named
    n = plane.normal
    return msgspec.structs.replace(named, origin=scaled(n, dot(plane.origin, n)))


def plane_of_joint(
    m: Mechanism, id: str, plane: WorkPlane, back: Triple | None = None
) -> WorkPlane:
    """The plane through a joint across its axis; of one without an axis to turn about, the present
    plane moved through it.

    back: from the scene to the viewer, whom the plane faces.
    """
    joint = m.joints[id]
    at, axis = m.frame_in_world(joint.frame_b)[0], joint_axis(m, joint)
    normal = axis if axis is not None and turns(joint) else plane.normal
    if parallel(normal, plane.normal):
        normal = plane.normal
    else:
        normal = next(
            (p.normal for p in STANDARD.values() if parallel(p.normal, normal)),
            towards(normal, back),
        )
    return _named(facing("", at, normal, plane), joint_words(joint.name))


def planes_at_joint(
    m: Mechanism, id: str, plane: WorkPlane, back: Triple | None = None
) -> list[tuple[WorkPlane, str]]:
    """Planes through a joint with their words: across its axis, then parallel to the present one
    and the standard ones, and one along its axis; each but once.  back: as of plane_of_joint.
    """
    joint = m.joints[id]
    words, at, axis = (
        joint_words(joint.name),
        m.frame_in_world(joint.frame_b)[0],
        joint_axis(m, joint),
    )
    out = [(plane_of_joint(m, id, plane, back), tr("across {joint_words}", joint_words=words))]
    normals = [plane.normal, *(p.normal for p in STANDARD.values())]
    if axis is not None and (along := unit(cross(axis, plane.normal))) is not None:
        normals.append(along)
    for normal in normals:
        like = next((p for p in STANDARD.values() if parallel(p.normal, normal)), plane)
        turned = like.normal if parallel(like.normal, normal) else towards(normal, back)
        found = _named(facing("", at, turned, like), words)
        if not any(same(found, known, 1e-9) for known, _ in out):
            key = next((k for k, p in STANDARD.items() if parallel(p.normal, normal)), "")
            letters = {"front": "XZ", "right": "YZ", "top": "XY"}.get(key, tr("along its axis"))
            out.append((found, tr("{letters} through {words}", letters=letters, words=words)))
    return out


def plane_of_face(m: Mechanism, pointer: Pointer) -> WorkPlane | None:
    """The plane of the face under the pointer; None where there is none."""
    if pointer.surface is None or pointer.normal is None or not pointer.body:
        return None
    body = m.body(pointer.body)
    return facing(tr("Face of {body}", body=body.name), _origin(m, pointer), _clean(pointer.normal))


def _clean(normal: Triple) -> Triple:
    """A normal read off triangles of single precision, as the axis of W that it is as good as."""
    return (
        tuple(float(round(c)) if abs(c - round(c)) < 1e-6 else c for c in normal)
        if max(abs(c) for c in normal) > 1.0 - 1e-9
        else normal
    )  # type: ignore[return-value]


def _origin(m: Mechanism, pointer: Pointer) -> Triple:
    """A lasting point of the face: that of the body's named points in it which is nearest to the
    pointer, else the pointer's place.
    """
    assert pointer.surface is not None
    assert pointer.normal is not None
    known, at = candidates_of(m), pointer.surface
    points = known.of(pointer.body).tolist()
    near = [
        p
        for p in points
        if abs(dot((p[0] - at[0], p[1] - at[1], p[2] - at[2]), pointer.normal))
        < 1e-6 * max(known.size, 1e-9)
    ]
    return tuple(min(near, key=lambda p: distance(p, at))) if near else at


def plane_under(
    context: ToolContext, pointer: Pointer, place: Snap | None
) -> tuple[WorkPlane, str] | None:
    """The plane to which drawing goes on by itself when it begins here, with its words ("on face of
    box 1"); None to stay.

    A planar drawing stays planar: a face or pin that the work plane itself goes through moves
    nothing.
    """
    m, plane = context.document.project.mechanism, context.plane
    if context.locked or pointer.ctrl:
        return None
    back = pointer.eye.back if pointer.eye is not None else None
    known = candidates_of(m)
    if place is not None and place.joint:
        joint = m.joints[place.joint]
        if not place.off and (
            place.axis is None or not turns(joint) or parallel(place.axis, plane.normal)
        ):
            return None
        found = plane_of_joint(m, place.joint, plane, back)
        return (
            None
            if same(found, plane, 1e-9)
            else (found, f"{'across' if turns(joint) else 'through'} {joint_words(joint.name)}")
        )
    if place is not None and place.off and place.body and place.body != GROUND:
        normal = link_normal(m.bodies[place.body])
        if normal is not None:
            normal = (
                plane.normal
                if parallel(normal, plane.normal)
                else next(
                    (p.normal for p in STANDARD.values() if parallel(p.normal, normal)),
                    towards(normal, back),
                )
            )
            return _named(facing("", place.point, normal, plane), place.word), tr(
                "in the plane of {body}", body=m.bodies[place.body].name
            )
    face = plane_of_face(m, pointer)
    if face is None or place is None or link_normal(m.body(pointer.body)) is not None:
        return None
    if place.word and place.word != "grid" and not place.off:
        return None  # a point of the present plane was meant
    if place.off and abs(face.height(place.point)) > 1e-6 * max(candidates_of(m).size, 1e-9):
        return None  # caught a point that does not lie in the face
    if (parallel(face.normal, plane.normal) and known.cuts(plane, pointer.body)) or same(
        face, plane, 1e-9
    ):
        return None
    return face, tr("on face of {body}", body=m.body(pointer.body).name)


def standard_plane(m: Mechanism, key: str, id: str = "", point: str = "") -> WorkPlane:
    """A standard plane through the origin, or through a selected element: "XZ through pin A".
    point: the named point of a body that it goes through, rather than the origin of its axes.
    """
    if id in m.joints:
        joint = m.joints[id]
        return named_by(
            facing("", m.frame_in_world(joint.frame_b)[0], STANDARD[key].normal, STANDARD[key]),
            joint_words(joint.name),
        )
    if id in m.bodies:
        body = m.bodies[id]
        point = point if point in body.named_points() else ""
        return named_by(
            facing(
                "",
                m.frame_in_world(Frame(id, point=point))[0],
                STANDARD[key].normal,
                STANDARD[key],
            ),
            tr("{at} of {body}", at=point, body=body.name) if point else body.name,
        )
    return STANDARD.get(key, FRONT)
