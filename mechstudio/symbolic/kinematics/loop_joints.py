"""The joints that close loops, read: cursors of their frames, lengths, and room for the roots and
functions that their coordinates need.
"""

import math
from dataclasses import dataclass, field

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import (
    ANGLE,
    BALL,
    CURVE,
    HALF,
    HELIX,
    JOINT_TYPES,
    POINT,
    ROD,
    SLIDE,
    THREAD,
    TRACK,
    TURN,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.kinematics.loads import relative_angle
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.drawn_places import drawn_state
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.plan.plan import Opaque, Plan
from mechstudio.symbolic.plan.planning import lifted, tracked
from mechstudio.symbolic.ring.turn_function import ATTITUDE
from mechstudio.translation import tr


@dataclass
class Closure:
    """A closing joint, read: its frames' cursors, its length, and the cursor of the place on its
    curve.

    constant: what a screw holds.  root: place of the sine of a disc's lean, or of the cosine of a
    ball's middle angle, among the lengths, -1 for none; the first of `roots`.  turns: per
    coordinate that is a needed angle the place of its function F (symbolic/ring/turn_function.py)
    among the functions.  whole: per such coordinate the symbol for the full turns that it was drawn
    with.
    """

    joint: Joint
    a: Cursor
    b: Cursor
    length: Amount | None = None
    constant: Amount | None = None
    root: int = -1
    roots: int = 0
    turns: dict[int, int] = field(default_factory=dict)
    whole: dict[int, int] = field(default_factory=dict)
    track: Cursor | None = None

    @property
    def first(self) -> Cursor:
        """Cursor of the frame that the rows begin at: A's, or of a flat face the track's."""
        has_face = JOINT_TYPES[self.joint.type].has_face
        return self.track if has_face and self.track is not None else self.a

    @property
    def cursors(self) -> tuple[Cursor, ...]:
        return (self.a, self.b) if self.track is None else (self.a, self.b, self.track)


def closing_primitives(joint: Joint) -> tuple[tuple[str, int, int], ...]:
    """The primitives of a closing joint, row by row: as of its type, but a curve has one row along
    each axis of A, and a flat face is held to the frame that its angle has turned and its lift has
    carried.
    """
    rows = JOINT_TYPES[joint.type].rows
    if JOINT_TYPES[joint.type].has_face:
        return ((POINT, Y, Y), (ANGLE, Z, Y), (ANGLE, X, Y))
    return tuple((CURVE, k, k) for k in range(3)) if any(p == CURVE for p, _, _ in rows) else rows


def read_closures(plan: Plan, root_count: int = 0, laws: bool = True) -> list[Closure]:
    """The closing joints of a plan.  root_count: lengths that the ring has already.  laws: with
    room for what laws of forces read.
    """
    used = used_coordinates(plan, laws=laws)
    out = []
    for id in plan.tree.closing:
        joint = plan.mechanism.joints[id]
        closure = Closure(
            joint, plan.joint_frame(joint, joint.frame_a), plan.joint_frame(joint, joint.frame_b)
        )
        if JOINT_TYPES[joint.type].has_face:
            angle = plan.joint_forms.get((id, 0), ())
            rotated = plan.layout.rotated(closure.a, Z, angle)
            closure.track = lifted(plan, rotated, joint, angle, 1)
        elif JOINT_TYPES[joint.type].has_track:
            closure.track = tracked(plan, closure.a, joint, plan.joint_forms.get((id, 0), ()), 1)
        if THREAD in JOINT_TYPES[joint.type].primitives:
            closure.length, closure.constant = plan.lead(joint), plan.thread_constant(joint)
        elif JOINT_TYPES[joint.type].lies_on_floor:
            closure.length = plan.joint_length(joint)
            closure.roots = ANGLE not in JOINT_TYPES[joint.type].primitives
        elif JOINT_TYPES[joint.type].parameters and closure.track is None:
            closure.length = plan.symbols.read(
                _length(plan, joint),
                "l",
                joint.name,
                "",
                "length",
                tr("length of joint {joint}", joint=joint.name),
                id,
            )
        unmeasured = {x for x in used if x[0] == id} - plan.joint_forms.keys()
        if not closure.roots and unmeasured:
            motions = {motion for motion, _ in JOINT_TYPES[joint.type].motions}
            closure.roots = (
                2 if HALF in motions else 0 if BALL not in motions else 3 if ROD in motions else 1
            )
        if closure.roots:
            closure.root, root_count = root_count, root_count + closure.roots
        _read_turns(plan, closure, laws)
        out.append(closure)
    return out


def used_coordinates(plan: Plan, drives: bool = True, laws: bool = True) -> set[tuple[str, int]]:
    """The joint coordinates in loads, couplings and, if requested, drives and laws of forces."""
    mechanism = plan.mechanism
    used = {(f.joint, f.coordinate) for f in mechanism.forces.values() if f.joint}
    if laws:
        used |= coordinates_of_laws(mechanism)
    used |= {(e.joint, e.coordinate) for c in mechanism.couplings.values() for e in c.ends}
    return used | {
        (d.joint, d.coordinate) for d in mechanism.drives.values() if d.enabled and drives
    }


def coordinates_of_laws(mechanism: Mechanism) -> set[tuple[str, int]]:
    """The joint coordinates that laws of forces read."""
    used: set[tuple[str, int]] = set()
    for force in mechanism.forces.values():
        for law in force.laws.values():
            if law.type != "expression":
                continue
            known = evaluation.variables(mechanism, force)
            try:
                names = evaluation.names(law.text)
            except ExpressionError:
                continue  # nothing can be read of it
            used |= {(known[x].joint, known[x].place) for x in names if x in known}
    return {x for x in used if x[0]}


def _read_turns(plan: Plan, closure: Closure, laws: bool) -> None:
    """Make room for the functions of a closing joint's angles that are requested; parallel axes
    need none, but the full turns between their sum and what is drawn.
    """
    joint = closure.joint
    kind = JOINT_TYPES[joint.type]
    total = relative_angle(closure.a, closure.b)
    turning = [m for m, _ in kind.motions if m not in (SLIDE, TRACK)]
    if total is not None and turning not in ([TURN], [HELIX]):
        return
    # a drive can do with sine and cosine
    drives = total is not None
    used = {k for id, k in used_coordinates(plan, drives=drives, laws=laws) if id == joint.id} | (
        {0} if THREAD in {p for p, _, _ in kind.rows} else set()
    )
    for k in sorted(k for k in used if (joint.id, k) not in plan.joint_forms):
        if not 0 <= k < kind.dof or kind.coordinates[k].dimension != "angle":
            continue
        name = (
            tr("half the ") if HALF in {m for m, _ in kind.motions} else ""
        ) + plan.coordinate_name(joint, k)
        drawn = drawn_coordinate(plan.mechanism, joint.id, k)
        if total is not None:
            q, of = drawn_state(plan), plan.symbols.value_of
            read = sum(c * (q[v] if v >= 0 else of(-1 - v)) for v, c in total)
        else:
            read = math.remainder(drawn, 2 * math.pi)
            closure.turns[k] = len(plan.functions)
            plan.functions.append(
                Opaque(
                    "F",
                    joint.name,
                    (),
                    tr(
                        "{name} over twice its sine, F(u) = φ/(2 sin φ) of u = 1 + 2 cos φ",
                        name=name,
                    ),
                    ATTITUDE,
                    joint.id,
                    k,
                )
            )
        turns = round((drawn - read) / (2 * math.pi))
        if turns:
            closure.whole[k] = plan.symbols.spare(
                "n",
                joint.name,
                "angle",
                tr("full turns with which the {name} was drawn", name=name),
                joint.id,
            )
            plan.symbols.all[closure.whole[k]].value = 2 * math.pi * turns


def _length(plan: Plan, joint: Joint) -> Quantity:
    """The length that a distance joint holds: typed, or the distance as drawn."""
    typed = joint.parameters.get("length")
    if typed is not None:
        return typed
    p, q = (plan.mechanism.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b))
    return Quantity(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5)


__all__ = [
    "Closure",
    "closing_primitives",
    "coordinates_of_laws",
    "read_closures",
    "used_coordinates",
]
