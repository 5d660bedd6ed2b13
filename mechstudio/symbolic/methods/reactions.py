"""Reactions of cut joints: a basis of forces and moments per spanning tree joint, and the force
that stands behind each row of C.

A reaction does no work in its joint's own motions.  Along a row C of a joint the wrench on body b
is that whose power is dC/dt (THEORY 3: M a = Q + J^T lambda): force a for C = a . d, moment b x a
for C = a . b.
"""

from dataclasses import dataclass

from mechstudio.model.mechanism import Joint
from mechstudio.model.tree import Branch
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import (
    ANGLE,
    CURVE,
    DISTANCE,
    EDGE,
    FACE,
    HELIX,
    JOINT_TYPES,
    POINT,
    QUARTER,
    RIM,
    ROD,
    ROLL,
    SLIDE,
    THREAD,
    TURN,
    TWIST,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.kinematics.closing_coordinates import closing_coordinate
from mechstudio.symbolic.kinematics.load_efforts import Action, dual_torques, face_push
from mechstudio.symbolic.kinematics.loop_joints import Closure, closing_primitives
from mechstudio.symbolic.kinematics.loop_rows import Row, to_rim
from mechstudio.symbolic.kinematics.method import Setting
from mechstudio.symbolic.plan.force_laws import exact
from mechstudio.symbolic.plan.layout import Cursor, Track
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector
from mechstudio.translation import tr

_AXES = "xyz"


@dataclass
class Component:
    """One component of the load that a tree joint transmits to its outer body, at that body's
    reference point, in the axes of its display frame.

    force, moment: per unit.  is_moment: how it is named.  axis: of the display frame, -1 for
    another direction.  words: along what.
    """

    force: Vector
    moment: Vector
    is_moment: bool
    axis: int
    words: str


def _unit(ring: Ring, axis: int) -> Vector:
    return [ring.one if k == axis else ring.zero for k in range(3)]


def _constant_axis(v: Vector) -> int | None:
    """The display axis that a vector lies along."""
    found = [k for k in range(3) if v[k]]
    return found[0] if len(found) == 1 and v[found[0]].is_constant() else None


def components(setting: Setting, branch: Branch) -> list[Component]:
    """The reactions of a joint of the tree, as many as it has rows."""
    if not branch.joint:
        return []
    ring, kin, plan = setting.ring, setting.kinematics, setting.plan
    joint = plan.mechanism.joints[branch.joint]
    rows = JOINT_TYPES[joint.type].rows + JOINT_TYPES[joint.type].rolling
    a, b = plan.ends[joint.id]
    frame = plan.cursors[branch.body].frame
    axes_a, axes_b = (
        [kin.transformed(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (a, b)
    )
    d, _ = kin.between(a, b, frame)
    zero = [ring.zero] * 3
    out: list[Component] = []

    def add(force: Vector, moment: Vector, is_moment: bool, words: str) -> None:
        """Given on body b at B's origin."""
        if branch.reversed:
            moment = [x + y for x, y in zip(moment, ring.cross(d, force))]
        axis = _constant_axis(moment if is_moment else force)
        out.append(Component(force, moment, is_moment, -1 if axis is None else axis, words))

    points = [i for p, i, _ in rows if p == POINT]
    if len(points) == 3:
        for k in range(3):
            add(_unit(ring, k), zero, False, tr("along {number}", number=_AXES[k]))
    else:
        for i in points:
            add(axes_a[i], zero, False, tr("along {axis} of the joint", axis=_AXES[i]))
    for p, i, j in rows:
        if p == CURVE:
            if i == X:
                for force, words in _normals(ring, kin, b, frame):
                    add(force, zero, False, words)
        elif p == FACE:
            leg = next(
                leg
                for leg in reversed((a if branch.reversed else b).legs)
                if isinstance(leg, Track)
            )
            (lift,) = (f for f in leg.functions if f is not None)
            # at the place of contact, the slope of the lift beside the foot of the normal
            slope = [ring.f[lift][1] * x for x in axes_a[Z]]
            moment = [x - y for x, y in zip(ring.cross(axes_b[Y], d), slope)]
            add(axes_b[Y], moment, False, tr("along the curve's normal"))
        elif p in (RIM, ROLL, EDGE):
            rod = plan.rods.get(joint.id)
            sign = 1 if branch.reversed else -1
            down = (
                [sign * x for x in kin.transformed(kin.leg_vector(rod), rod.frame, frame)]
                if rod
                else zero
            )
            force = axes_b[j] if p == EDGE else axes_a[i]
            add(
                force,
                ring.cross(down, force),
                False,
                tr("sideways at the contact")
                if p == EDGE
                else tr("along {axis} of the floor at the contact", axis=_AXES[i]),
            )
        elif p == THREAD:
            lead = ring.amount(plan.lead(joint))
            add(axes_a[Z], [-lead * x for x in axes_a[Z]], False, tr("along the thread"))
    angles = {(i, j) for p, i, j in rows if p == ANGLE}
    if len(angles) == 3:
        for k in range(3):
            add(zero, _unit(ring, k), True, tr("about {number}", number=_AXES[k]))
    elif len(angles) == 2 and (along := _constant_axis(axes_b[Z])) is not None:
        for k in range(3):
            if k != along:
                add(zero, _unit(ring, k), True, tr("about {number}", number=_AXES[k]))
    else:
        for i, j in sorted(angles):
            add(zero, ring.cross(axes_b[j], axes_a[i]), True, tr("across its two axes"))
    return out


def _normals(ring: Ring, kin, b: Cursor, frame: int) -> list[tuple[Vector, str]]:
    """Two normals of a curve, from its tangent: across the plane of a flat one and in it, else t x
    x and t x (t x x).
    """
    leg = next(leg for leg in reversed(b.legs) if isinstance(leg, Track))
    tangent = kin.track_vector(leg, 1)
    if leg.functions[0] in ring.metrics:
        # an ellipse runs over an angle: its normal is of the length of its slope
        tangent = [ring.w[ring.metrics[leg.functions[0]]] * x for x in tangent]
    flat = next((k for k, f in enumerate(leg.functions) if f is None), 0)
    across = ring.rotated(leg.axis, leg.form, _unit(ring, flat))
    inward = ring.cross(tangent, across)
    if leg.functions[flat] is not None:
        across, inward = inward, ring.cross(tangent, inward)
    return [
        (kin.transformed(across, leg.frame, frame), tr("across the curve")),
        (kin.transformed(inward, leg.frame, frame), tr("along the curve's normal")),
    ]


# rows of C


def row_actions(setting: Setting) -> list[list[Action] | None]:
    """Per row of C the forces and moments per unit of its multiplier; None where they belong to
    coordinates alone (a ball's drive).
    """
    closures = {c.joint.id: c for c in setting.closures}
    out: list[list[Action] | None] = []
    mechanism, plan = setting.plan.mechanism, setting.plan
    counted: dict[str, int] = {}
    for row in setting.rows:
        k = counted[row.joint] = counted.get(row.joint, -1) + 1
        if row.joint in mechanism.joints:
            joint = mechanism.joints[row.joint]
            kind = JOINT_TYPES[joint.type]
            closure = closures.get(row.joint)
            if closure is None:
                closure = Closure(joint, *plan.ends[joint.id])
                out.append(_rolling_action(setting, closure, kind.rolling[k], True))
            elif k < len(primitives := closing_primitives(joint)):
                out.append(_closing_action(setting, closure, primitives[k]))
            else:
                out.append(
                    _rolling_action(setting, closure, kind.rolling[k - len(primitives)], False)
                )
        elif row.joint in mechanism.couplings:
            out.append(_coupled(setting, mechanism.couplings[row.joint]))
        else:
            drive = mechanism.drives[row.joint]
            out.append(_on_coordinate(setting, drive.joint, drive.coordinate, setting.ring.one))
    return out


def _pair(
    setting: Setting,
    joint: Joint,
    a: Cursor,
    b: Cursor,
    frame: int,
    force: Vector | None,
    moment: Vector | None,
    arm: Vector | None = None,
) -> list[Action]:
    """A wrench on b at `arm` from B's origin and the opposite one on a at the same place; vectors
    in the axes of `frame`.
    """
    ring, kin = setting.ring, setting.kinematics
    turn = [ring.zero] * 3 if moment is None else list(moment)
    if force is not None and arm is not None:
        turn = [x + y for x, y in zip(turn, ring.cross(arm, force))]
    out = [
        Action(
            joint.frame_b.body,
            b,
            force and kin.transformed(force, frame, b.frame),
            kin.transformed(turn, frame, b.frame) if any(turn) else None,
        )
    ]
    if force is not None:
        d, _ = kin.between(a, b, frame)
        turn = [x + y for x, y in zip(turn, ring.cross(d, force))]
    back = [-x for x in force] if force is not None else None
    out.append(
        Action(
            joint.frame_a.body,
            a,
            back and kin.transformed(back, frame, a.frame),
            [-x for x in kin.transformed(turn, frame, a.frame)] if any(turn) else None,
        )
    )
    return out


def _closing_action(setting: Setting, closure: Closure, row) -> list[Action]:
    ring, kin, joint = setting.ring, setting.kinematics, closure.joint
    primitive, i, j = row
    first = closure.first
    d, frame = kin.between(first, closure.b)
    a, b = ([kin.up(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (first, closure.b))
    plain = sum(1 for p, _, _ in JOINT_TYPES[joint.type].rows if p == POINT) == 3
    force: Vector | None = None
    moment: Vector | None = None
    if primitive == POINT:
        force = _unit(ring, i) if plain else a[i]
    elif primitive == ANGLE:
        moment = ring.cross(b[j], a[i])
    elif primitive == TWIST:
        moment = [x - y for x, y in zip(ring.cross(b[Y], a[X]), ring.cross(b[X], a[Y]))]
    elif primitive == CURVE:
        force = a[
            i
            # what does not stand across the curve is pushed back by an effort on the way, or is
            # zero: along_closing_curve
        ]
    elif primitive == DISTANCE:
        force = d
    elif primitive == THREAD:
        assert closure.length is not None
        # along the axis, and about it by the lead, each body about its own
        read = closing_coordinate(ring, kin, closure, 0)
        assert read is not None
        assert read.moment is not None
        lead = ring.amount(closure.length)
        turns = [
            Action(body, cursor, moment=[-lead * x for x in t])
            for (body, cursor), t in zip(
                ((joint.frame_b.body, closure.b), (joint.frame_a.body, closure.a)), read.moment
            )
        ]
        return _pair(setting, joint, closure.a, closure.b, frame, a[i], None) + turns
    else:
        assert primitive == RIM
        assert closure.length is not None
        force = a[i]
        if closure.root >= 0:
            # d(-r sqrt(1 - c^2)) = r c dc / sqrt(1 - c^2), c = a . b
            along = ring.amount(closure.length) * ring.dot(a[i], b[j]) * ring.w[closure.root]
            moment = [ring.reduce(along * x) for x in ring.cross(b[j], a[i])]
    if primitive == POINT and plain:
        # along fixed axes: each body is pushed at its own point
        assert force is not None
        ends = ((joint.frame_b.body, closure.b, 1), (joint.frame_a.body, closure.a, -1))
        return [
            Action(body, cursor, [sign * x for x in kin.transformed(force, frame, cursor.frame)])
            for body, cursor, sign in ends
        ]
    # along axes of a: these turn with a, so that both forces act in one line
    return _pair(setting, joint, closure.a, closure.b, frame, force, moment)


def along_closing_curve(setting: Setting, row: Row) -> dict[int, Poly]:
    """Of a row of a closing curve the power of its force on the point without mass that runs along
    the curve, per unit of that point's speed.
    """
    closure = next(
        (c for c in setting.closures if c.joint.id == row.joint and c.track is not None), None
    )
    if closure is None:
        return {}
    if JOINT_TYPES[closure.joint.type].has_face:
        own = setting.plan.joint_forms[closure.joint.id, 0]
        return {k: row.jacobian[k] for k, _ in own}
    if not row.label.startswith(CURVE):
        return {}
    ring, kin = setting.ring, setting.kinematics
    assert closure.track is not None
    leg = closure.track.legs[-1]
    assert isinstance(leg, Track)
    along = ring.dot(
        kin.transformed(
            kin.axis(closure.a, _AXES.index(row.label[-1])), closure.a.frame, leg.frame
        ),
        kin.track_vector(leg, 1),
    )
    return {k: -c * along for k, c in leg.variable}


def _rolling_action(setting: Setting, closure: Closure, row, in_tree: bool) -> list[Action]:
    ring, kin, plan = setting.ring, setting.kinematics, setting.plan
    primitive, i, j = row
    frame = kin.common({closure.a.frame, closure.b.frame})
    rod = plan.rods.get(closure.joint.id) if in_tree else None
    if rod is not None:
        branch = next(b for b in plan.tree.branches if b.joint == closure.joint.id)
        frame = kin.common({frame, rod.frame})
        down = [
            (1 if branch.reversed else -1) * x
            for x in kin.up(kin.leg_vector(rod), rod.frame, frame)
        ]
    else:
        down = [ring.zero] * 3 if in_tree else to_rim(ring, kin, closure, frame)
    cursor, axis = (closure.b, j) if primitive == EDGE else (closure.a, i)
    return _pair(
        setting,
        closure.joint,
        closure.a,
        closure.b,
        frame,
        kin.up(kin.axis(cursor, axis), cursor.frame, frame),
        None,
        down,
    )


def _on_coordinate(setting: Setting, id: str, component: int, factor: Poly) -> list[Action] | None:
    """Unit effort on a joint's coordinate."""
    plan, kin = setting.plan, setting.kinematics
    joint = plan.mechanism.joints[id]
    closure = next((c for c in setting.closures if c.joint.id == id), None)
    if closure is not None:
        read = closing_coordinate(setting.ring, kin, closure, component)
        if read is None:
            return None
        if read.moment is None:
            frame = kin.common({closure.a.frame, closure.b.frame})
            return _pair(
                setting,
                joint,
                closure.a,
                closure.b,
                frame,
                [
                    factor * x
                    for x in kin.up(kin.axis(closure.a, read.axis), closure.a.frame, frame)
                ],
                None,
            )
        scaled = lambda v: None if v is None else [factor * x for x in v]
        return [
            Action(body, cursor, scaled(force), scaled(moment))
            for (body, cursor), force, moment in zip(
                ((joint.frame_b.body, closure.b), (joint.frame_a.body, closure.a)),
                read.force or (None, None),
                read.moment,
            )
        ]
    a, b = plan.ends[id]
    motions = [m for m in JOINT_TYPES[joint.type].motions if m[0] not in (ROD, QUARTER)]
    motion, axis = motions[component] if component < len(motions) else ("", Z)
    if motion == SLIDE:
        frame = kin.common({a.frame, b.frame})
        force, moment = kin.up(kin.axis(a, axis), a.frame, frame), None
        if JOINT_TYPES[joint.type].has_face and axis == X:
            force, moment = face_push(kin, plan, joint, a, b, frame)
            moment = [factor * x for x in moment]
        return _pair(setting, joint, a, b, frame, [factor * x for x in force], moment)
    if motion in (TURN, HELIX) and len([m for m, _ in motions if m != SLIDE]) == 1:
        ends = ((joint.frame_b.body, b, factor), (joint.frame_a.body, a, -factor))
        return [
            Action(body, cursor, moment=[size * x for x in kin.axis(cursor, axis)])
            for body, cursor, size in ends
        ]
    moment = dual_torques(kin, joint, a, b, component) if motion == TURN else None
    if moment is None:
        return None
    return [
        Action(body, cursor, moment=[factor * x for x in t])
        for (body, cursor), t in zip(((joint.frame_b.body, b), (joint.frame_a.body, a)), moment)
    ]


def _coupled(setting: Setting, coupling) -> list[Action] | None:
    ring = setting.ring
    numbers = {
        name: ring.amount(amount)
        for name, amount in next(
            r for r in setting.ratios if r.coupling is coupling
        ).numbers.items()
    }
    ratio = next(r for r in setting.ratios if r.coupling is coupling)
    out: list[Action] = []
    factors = [f + ring.zero for f in exact(COUPLING_TYPES[coupling.type].factors)(numbers)]
    if ratio.function is not None:
        factors[0] = -ring.f[ratio.function][1]
    for factor, end in zip(factors, coupling.ends, strict=True):
        actions = _on_coordinate(setting, end.joint, end.coordinate, factor)
        if actions is None:
            return None
        out += actions
    return out
