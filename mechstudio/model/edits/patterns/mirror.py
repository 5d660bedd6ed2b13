"""The mirror image of a part of a drawing, in place or beside it.  Pure functions; mirror_rules.py
says what becomes of joints and forces.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

from mechstudio.model.edits.clipboard import among, duplicated, gauges_among, with_neighbours
from mechstudio.model.edits.elements import parameter_values, remove
from mechstudio.model.edits.patterns.mirror_rules import (
    coupling,
    mirrored_numbers,
    negated,
    opposite_law,
    with_opposites,
    with_terms,
)
from mechstudio.model.edits.patterns.neighbours import reaches
from mechstudio.model.edits.poses.closed_pose import renumbered
from mechstudio.model.edits.references import bodies_of
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import Bar
from mechstudio.model.geometry.rotation import (
    Pose,
    Quaternion,
    Triple,
    compose,
    conjugate,
    from_axes,
    matrix,
    minus,
    rotate,
    to_angles,
    triple,
)
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Force,
    Frame,
    Joint,
    Mechanism,
    NamedPoint,
    Placement,
    Shape,
)
from mechstudio.model.project import Gauge, Project
from mechstudio.model.quantity import ORIGIN, Quantity, Vector, values, vector
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT
from mechstudio.model.types.joints import ALL_NEGATED, JOINT_TYPES, Y_NEGATED, Signs
from mechstudio.model.types.parameter import NEGATE
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr

replace = msgspec.structs.replace
AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_ORIENTATION = 1e-12  # of a cosine: what is only rounding


class MirrorPlane(NamedTuple):
    """A mirror: a point of it [m, W] and its unit normal."""

    point: Triple
    normal: Triple

    def place(self, p: Triple) -> Triple:
        """The mirror image of a point of W."""
        along = 2.0 * sum((a - b) * n for a, b, n in zip(p, self.point, self.normal))
        return tuple(a - along * n for a, n in zip(p, self.normal))  # type: ignore[return-value]

    def way(self, v: Triple) -> Triple:
        """The mirror image of a direction."""
        along = 2.0 * sum(a * n for a, n in zip(v, self.normal))
        return tuple(a - along * n for a, n in zip(v, self.normal))  # type: ignore[return-value]


def mirrored(project: Project, ids: Collection[str], mirror_plane: MirrorPlane) -> Project:
    """The chosen elements, and what is among them, as their mirror image, in place.

    Joints to bodies that stay where they are keep their axes as near as can be; they are open until
    the drawing is assembled.
    Raises ExpressionError for what has no mirror image of its own kind.
    """
    m, found = project.mechanism, among(project.mechanism, ids)
    if not any(found.values()):
        raise ExpressionError(tr("Select a body, a joint or a force to mirror it."))
    flips = {id: _flip(m.bodies[id], mirror_plane) for id in found["bodies"]}
    bodies = {
        id: _body(b, mirror_plane, flips[id]) if id in flips else b for id, b in m.bodies.items()
    }
    after = replace(m, bodies=bodies)
    joints = {
        id: _joint(m, after, j, mirror_plane, flips, id in found["joints"])
        if id in found["joints"] or bodies_of(j) & flips.keys()
        else j
        for id, j in m.joints.items()
    }
    signs = {
        (id, k): s
        for id in found["joints"]
        for k, s in enumerate(JOINT_TYPES[m.joints[id].type].signs)
    }
    forces = {
        id: _force(m, after, f, mirror_plane, flips, signs, id in found["forces"])
        if id in found["forces"] or bodies_of(f) & flips.keys() or f.joint in found["joints"]
        else f
        for id, f in m.forces.items()
    }

    def sign(joint: str, k: int) -> int:
        return signs.get((joint, k), 1)

    couplings = {
        id: coupling(c, tuple(sign(e.joint, e.coordinate) for e in c.ends))
        for id, c in m.couplings.items()
    }
    drives = {
        id: replace(d, law=opposite_law(d.law)) if sign(d.joint, d.coordinate) < 0 else d
        for id, d in m.drives.items()
    }
    changed = {
        name for name, v in evaluation.coordinate_variables(m).items() if sign(v.joint, v.place) < 0
    }
    mechanism = replace(after, joints=joints, forces=forces, couplings=couplings, drives=drives)
    if changed:
        mechanism = texts.changed(
            mechanism,
            lambda e, _, law: (
                with_opposites(law, changed - _own(e)) if isinstance(e, Force) else law
            ),
        )
    measured = gauges_among(project, found)
    gauges = {
        id: _gauge(m, after, g, mirror_plane, flips, id in measured)
        for id, g in project.gauges.items()
    }
    bound = texts.bound_mechanism(mechanism, parameter_values(project))
    return replace(project, mechanism=bound, gauges=gauges)


def mirror_image(
    project: Project, ids: Collection[str], mirror_plane: MirrorPlane, neighbours: bool = True
) -> tuple[Project, dict[str, str]]:
    """The chosen elements once more, as their mirror image.

    neighbours: with the joints of chosen bodies to others, which stay, where these have material at
    the mirrored place.  Returns the project and new ids by old ones.  Raises ExpressionError as
    `mirrored` does.
    """
    m = project.mechanism
    after, new = duplicated(
        project, with_neighbours(m, ids) if neighbours else ids, theirs=m.joints
    )
    made = mirrored(after, set(new.values()), mirror_plane)
    for id, copy in new.items():
        if id in m.joints and not _is_held(
            m, made.mechanism, m.joints[id], made.mechanism.joints[copy]
        ):
            made = remove(made, copy)
    return made, {old: copy for old, copy in new.items() if _is_there(made.mechanism, copy)}


def _is_held(m: Mechanism, after: Mechanism, joint: Joint, copy: Joint) -> bool:
    """True if the bodies of a joint's mirror image that are not mirrored have material there, or
    had none at the joint itself.
    """
    place, was = (x.frame_in_world(j.frame_a)[0] for x, j in ((after, copy), (m, joint)))
    staying = bodies_of(copy) & m.bodies.keys()
    return all(reaches(after, b, place) or not reaches(m, b, was) for b in staying)


def _is_there(m: Mechanism, id: str) -> bool:
    return any(id in section for section in (m.bodies, m.joints, m.couplings, m.drives, m.forces))


def _own(force: Force) -> set[str]:
    """Names of its own that a force's laws may use, which hide joints of such names."""
    return (
        {"x", "v", "t"}
        if FORCE_TYPES[force.type].attachment != BODY
        else {"t", "x", "y", "z", "vx", "vy", "vz"}
    )


# turns: R' = S R D


def _largest(sizes: tuple[float, ...], allowed: Collection[int]) -> int:
    """The axis with the largest size; of equal ones the first, so that mirroring twice chooses the
    same.
    """
    top = max(abs(sizes[k]) for k in allowed)
    return next(k for k in allowed if abs(sizes[k]) >= top - 1e-9)


def _signs(axis: int) -> Signs:
    return tuple(-1.0 if k == axis else 1.0 for k in range(3))  # type: ignore[return-value]


def _clean(v: Triple) -> Triple:
    return tuple(0.0 if abs(c) < _ORIENTATION else c for c in v)  # type: ignore[return-value]


def _in_world(q: Quaternion, mirror_plane: MirrorPlane, d: Signs) -> Quaternion:
    """S R D."""
    return from_axes(
        *triple(
            _clean(triple(s * c for c in mirror_plane.way(rotate(q, e)))) for e, s in zip(AXES, d)
        )
    )


def _between(outer: Signs, q: Quaternion, inner: Signs) -> Quaternion:
    """D R D with different D on either side."""
    R = matrix(q)
    return from_axes(
        *triple(_clean(triple(outer[i] * R[i][j] * inner[j] for i in range(3))) for j in range(3))
    )


def _orientation(old: Vector, q: Quaternion) -> Vector:
    """The angles of a turn; those that stay keep their texts."""
    return renumbered(old, tuple(0.0 if abs(a) < _ORIENTATION else a for a in to_angles(q)))


def _rotated(v: Vector, d: Signs) -> Vector:
    return tuple(negated(q) if s < 0 else q for q, s in zip(v, d))  # type: ignore[return-value]


def _position(old: Vector, mirror_plane: MirrorPlane) -> Vector:
    """The mirror image of a place; in a mirror across a world axis through the origin with its
    texts.
    """
    new = _clean(mirror_plane.place(values(old)))  # type: ignore[arg-type]
    return tuple(
        q
        if abs(q.value - x) <= 1e-13 * max(1.0, abs(x))
        else negated(q)
        if q.text and q.value == -x
        else Quantity(x)
        for q, x in zip(old, new)
    )  # type: ignore[return-value]


# bodies


def _flip(body: Body, mirror_plane: MirrorPlane) -> int:
    """The axis of a body that stays as it is in space while the others are mirrored: the one most
    across the mirror; never the length of a link.
    """
    bar = bool(body.shapes) and isinstance(body.shapes[0].form, Bar)
    allowed = (1, 2) if bar else (0, 1, 2)
    back = conjugate(body.placement.quaternion)
    return _largest(rotate(back, mirror_plane.normal), allowed)


def _body(body: Body, mirror_plane: MirrorPlane, axis: int) -> Body:
    d = _signs(axis)
    placement = Placement(
        _position(body.placement.position, mirror_plane),
        _orientation(
            body.placement.orientation, _in_world(body.placement.quaternion, mirror_plane, d)
        ),
    )
    changes: dict[str, Any] = {
        "placement": placement,
        "shapes": tuple(_shape(s, d, axis) for s in body.shapes),
        "points": tuple(_point(p, d) for p in body.points),
    }
    if body.center_of_mass is not None:
        changes["center_of_mass"] = _rotated(body.center_of_mass, d)
    if body.inertia is not None:
        products = (1.0, 1.0, 1.0, d[0] * d[1], d[0] * d[2], d[1] * d[2])
        changes["inertia"] = tuple(
            negated(q) if s < 0 else q for q, s in zip(body.inertia, products)
        )
    if body.initial_velocity is not None:
        v = body.initial_velocity
        # a sense of turning is mirrored the other way round
        spin: Signs = triple(-s for s in d)
        changes["initial_velocity"] = replace(
            v, linear=_way(v.linear, mirror_plane), angular=_rotated(v.angular, spin)
        )
    if body.surface.belt_speed is not None and d[1] > 0.0:
        # about the image of the y axis a belt runs the other way round
        changes["surface"] = replace(body.surface, belt_speed=negated(body.surface.belt_speed))
    return replace(body, **changes)


def _way(old: Vector, mirror_plane: MirrorPlane, turn: float = 1.0) -> Vector:
    """The mirror image of a direction in W; turn: -1 for a sense of turning."""
    new = _clean(tuple(turn * c for c in mirror_plane.way(values(old))))  # type: ignore[arg-type]
    return tuple(
        q
        if abs(q.value - x) <= 1e-13 * max(1.0, abs(x))
        else negated(q)
        if abs(q.value + x) <= 1e-13 * max(1.0, abs(x))
        else Quantity(x)
        for q, x in zip(old, new)
    )  # type: ignore[return-value]


def _point(point: NamedPoint, d: Signs) -> NamedPoint:
    rotated = replace(point, position=_rotated(point.position, d))
    if point.orientation is None:
        return rotated
    return replace(
        rotated,
        orientation=_orientation(
            point.orientation,
            _between(d, Placement(ORIGIN, point.orientation).quaternion, Y_NEGATED),
        ),
    )


def _shape(shape: Shape, d: Signs, axis: int) -> Shape:
    """The mirror image of a shape in its body; turned inside out along the axis of its own that
    lies nearest to the body's.
    """
    own = _largest(matrix(shape.placement.quaternion)[axis], SHAPE_TYPES[shape.type].flips)
    inner = _signs(own)
    placement = Placement(
        _rotated(shape.placement.position, d),
        _orientation(shape.placement.orientation, _between(d, shape.placement.quaternion, inner)),
    )
    outline = tuple(
        (negated(x) if own == 0 else x, negated(z) if own == 2 else z) for x, z in shape.outline
    )
    return replace(
        shape,
        placement=placement,
        outline=outline,
        mesh=meshes.mirrored(shape.mesh, own) if shape.mesh is not None else None,
    )


# frames


def _frame(
    m: Mechanism,
    after: Mechanism,
    frame: Frame,
    mirror_plane: MirrorPlane,
    flips: dict[str, int],
    d: Signs,
) -> Frame:
    """The mirror image of a frame: where it stands and S R D, on the same body, be that mirrored or
    not.
    """
    if frame.body in flips:
        outer, placement = _signs(flips[frame.body]), frame.placement
        q = _between(outer, placement.quaternion, d)
        old, new = m.bodies[frame.body], after.bodies[frame.body]
        at = old.point(frame.point)
        name = (
            _same_point(new, frame.point, triple(s * c for s, c in zip(outer, at)))
            if frame.point
            else ""
        )  # type: ignore[arg-type]
        position = _rotated(placement.position, outer)
        if frame.point and name is None:
            position = vector(
                *(s * (a + p) for s, a, p in zip(outer, at, values(placement.position)))
            )
        return replace(
            frame,
            point=name or "",
            placement=Placement(position, _orientation(placement.orientation, q)),
        )
    p, q = m.frame_in_world(frame)
    pose = _seen_from(
        after.body(frame.body).placement.pose,
        (mirror_plane.place(p), _in_world(q, mirror_plane, d)),
    )
    if frame.body == GROUND and not frame.point:
        return replace(
            frame,
            placement=Placement(
                _position(frame.placement.position, mirror_plane),
                _orientation(frame.placement.orientation, pose[1]),
            ),
        )
    return replace(
        frame,
        point="",
        placement=Placement(
            vector(*_clean(pose[0])), _orientation(frame.placement.orientation, pose[1])
        ),
    )


def _gauge(
    m: Mechanism,
    after: Mechanism,
    gauge: Gauge,
    mirror_plane: MirrorPlane,
    flips: dict[str, int],
    whole: bool,
) -> Gauge:
    """A gauge with its features on mirrored bodies where these are; whole: all that it measures is
    mirrored, and so are its reference places on the ground.
    """

    def seen(frame: Frame) -> Frame:
        stays = frame.body not in flips and not whole
        # an axis and the normal of a plane, which are a frame's z, are ways in space
        return frame if stays else _frame(m, after, frame, mirror_plane, flips, Y_NEGATED)

    return replace(
        gauge, ends=tuple(replace(e, frame=e.frame and seen(e.frame)) for e in gauge.ends)
    )


def _seen_from(outer: Pose, pose: Pose) -> Pose:
    back = conjugate(outer[1])
    return compose(((0.0, 0.0, 0.0), back), (minus(pose[0], outer[0]), pose[1]))


def _same_point(body: Body, name: str, at: Triple) -> str | None:
    """The name of the point of a body at a place, the same name if it is there: the left of a box
    is its right in the mirror.  None where there is none.
    """
    known = body.named_points()
    size = max((abs(c) for p in known.values() for c in p), default=0.0)

    def near(p: Triple) -> bool:
        return sum((a - b) ** 2 for a, b in zip(p, at)) <= (1e-10 * size) ** 2

    return (
        name
        if name in known and near(known[name])
        else next((k for k, p in known.items() if near(p)), None)
    )


def _nearest(m: Mechanism, frame: Frame, mirror_plane: MirrorPlane) -> Signs:
    """D with which a frame keeps its axes as near as can be."""
    return _signs(
        _largest(rotate(conjugate(m.frame_in_world(frame)[1]), mirror_plane.normal), (0, 1, 2))
    )


# joints and forces


def _joint(
    m: Mechanism,
    after: Mechanism,
    joint: Joint,
    mirror_plane: MirrorPlane,
    flips: dict[str, int],
    whole: bool,
) -> Joint:
    if not whole:
        return replace(
            joint,
            **{
                side: _frame(m, after, f, mirror_plane, flips, _nearest(m, f, mirror_plane))
                for side in ("frame_a", "frame_b")
                if (f := getattr(joint, side)).body in flips
            },
        )
    kind = JOINT_TYPES[joint.type]
    d, signs = kind.mirror, kind.signs
    changes: dict[str, Any] = {
        side: _frame(m, after, getattr(joint, side), mirror_plane, flips, d)
        for side in ("frame_a", "frame_b")
    }
    for key in ("values", "rates"):
        changes[key] = tuple(negated(q) if s < 0 else q for q, s in zip(getattr(joint, key), signs))
    changes["limits"] = tuple(
        replace(x, lower=_maybe(x.upper), upper=_maybe(x.lower)) if signs[x.coordinate] < 0 else x
        for x in joint.limits
    )
    # a right-hand thread is a left-hand one in the mirror
    changing = {p.name for p in kind.parameters if p.mirror == NEGATE}
    changes["parameters"] = {
        k: negated(q) if k in changing else q for k, q in joint.parameters.items()
    }
    if joint.curve is not None:
        changes["curve"] = replace(
            joint.curve, points=tuple(_rotated(p, d) for p in joint.curve.points)
        )
    return replace(joint, **changes)


def _maybe(q: Quantity | None) -> Quantity | None:
    return None if q is None else negated(q)


def _force(
    m: Mechanism,
    after: Mechanism,
    force: Force,
    mirror_plane: MirrorPlane,
    flips: dict[str, int],
    signs: dict[tuple[str, int], int],
    whole: bool,
) -> Force:
    kind = FORCE_TYPES[force.type]
    if kind.attachment == JOINT:
        return _joint_force(force) if signs.get((force.joint, force.coordinate), 1) < 0 else force
    d = ALL_NEGATED if kind.attachment == FRAMES and whole else None
    frames = {
        side: _frame(m, after, f, mirror_plane, flips, d or _nearest(m, f, mirror_plane))
        for side in ("frame_a", "frame_b")
        if (f := getattr(force, side)) is not None and (whole or f.body in flips)
    }
    force = replace(force, **frames)
    if kind.attachment == FRAMES and whole:
        return mirrored_numbers(force)
    return _load(force, mirror_plane, flips) if kind.attachment == BODY else force


def _joint_force(force: Force) -> Force:
    """A force on a coordinate that has changed its sign, and with it the force's own x and v."""
    own = {k: with_opposites(law, {"x", "v"}) for k, law in force.laws.items()}
    return mirrored_numbers(replace(force, laws=own))


def _load(force: Force, mirror_plane: MirrorPlane, flips: dict[str, int]) -> Force:
    """A force or torque on a body: a vector that is mirrored, a torque the other way round."""
    turn = -1.0 if FORCE_TYPES[force.type].moment else 1.0
    assert force.frame_b is not None
    if force.axes == "body":
        d = _signs(flips[force.frame_b.body]) if force.frame_b.body in flips else None
    else:
        across = [k for k in range(3) if abs(mirror_plane.normal[k]) > 1e-12]
        d = _signs(across[0]) if len(across) == 1 else None
    laws_now = {k: with_terms(law, _place_terms(mirror_plane)) for k, law in force.laws.items()}
    if d is not None:
        back = {k for k, s in zip("xyz", d) if turn * s < 0}
        return replace(
            force,
            parameters={k: negated(q) if k in back else q for k, q in force.parameters.items()},
            laws={k: opposite_law(law) if k in back else law for k, law in laws_now.items()},
        )
    if force.laws:
        raise ExpressionError(
            tr(
                "{force} follows laws along the world's axes, to which this mirror stands askew: "
                "let it act in its body's axes first.",
                force=force.name,
            )
        )
    row = triple(force.parameters.get(k, Quantity(0.0)) for k in "xyz")
    return replace(
        force, parameters={**force.parameters, **dict(zip("xyz", _way(row, mirror_plane, turn)))}
    )  # type: ignore[arg-type]


def _place_terms(mirror_plane: MirrorPlane) -> dict[str, str]:
    """Replacements for the place and velocity of a load's point in the laws of its mirror image:
    those of the original's point, by its own.
    """
    n, offset = (
        mirror_plane.normal,
        2.0 * sum(a * b for a, b in zip(mirror_plane.point, mirror_plane.normal)),
    )
    out: dict[str, str] = {}
    for i, name in enumerate("xyz"):
        row = [(1.0 if i == j else 0.0) - 2.0 * n[i] * n[j] for j in range(3)]
        for prefix, shift in (("", offset * n[i]), ("v", 0.0)):
            if abs(row[i] - 1.0) < 1e-12:
                continue
            terms = [
                (
                    f"{'+' if c > 0 else '-'} "
                    f"{'' if abs(abs(c) - 1.0) < 1e-12 else f'{abs(c)!r}*'}{prefix}{axis}"
                )
                for c, axis in zip(row, "xyz")
                if abs(c) > 1e-12
            ]
            terms += [f"{'+' if shift > 0 else '-'} {abs(shift)!r} m"] if abs(shift) > 1e-12 else []
            text = " ".join(terms).removeprefix("+ ")
            out[prefix + name] = (
                f"({text.replace('- ', '-', 1) if text.startswith('- ') else text})"
            )
    return out
