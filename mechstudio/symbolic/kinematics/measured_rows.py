"""Angles of joints that close loops as coordinates without mass, each tied by a row of its own.

Where nobody writes the rows of a loop, an angle has no closed form either; its sine and cosine are
products of the axes of both frames, and the row

    C = cos(angle) s - sin(angle) c

holds it on their turn, however often it goes round.  What acts along the angle stands in the
equation of the coordinate, and the multiplier of the row hands it on to the bodies.
s, c: as of closing_coordinates.py; of the middle angle of a ball c is along the axis that its first
angle has turned, which is measured with it.
"""

from collections.abc import Sequence

from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    QUARTER,
    ROD,
    SLIDE,
    TURN,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.kinematics.loop_rows import Row, measured_row
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector
from mechstudio.translation import tr


def measurable(closures: Sequence[Closure], used: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Coordinates to be measured for those that are used; empty where one of them cannot be."""
    out: set[tuple[str, int]] = set()
    for closure in closures:
        joint = closure.joint
        requested = {k for id, k in used if id == joint.id} | set(closure.turns)
        angles = {
            k
            for k in requested
            if 0 <= k < len(JOINT_TYPES[joint.type].coordinates)
            and JOINT_TYPES[joint.type].coordinates[k].dimension == "angle"
        }
        first, turns = _turns(closure)
        if (angles or closure.roots) and not turns:
            return set()
        if turns == [(BALL, Z)] and first + 1 in angles:
            angles.add(first)
        out |= {(joint.id, k) for k in angles}
    return out


def _turns(closure: Closure) -> tuple[int, list[tuple[str, int]]]:
    """Number of the first angle of a joint, and its turns; none where they cannot be measured."""
    kind = JOINT_TYPES[closure.joint.type]
    slides = [m for m in kind.motions if m[0] == SLIDE]
    turns = [m for m in kind.motions if m[0] != SLIDE]
    is_plain = turns in ([(BALL, Z)], [(TURN, Z)], [(HELIX, Z)], [(TURN, Z), (TURN, X)])
    strange = {motion for motion, _ in kind.motions} & {ROD, HALF, QUARTER}
    if closure.track is not None or strange or not is_plain:
        return 0, []
    return len(slides), turns


def measured_rows(
    plan: Plan, ring: Ring, kin: Kinematics, closures: Sequence[Closure]
) -> list[Row]:
    """The rows, joint by joint."""
    out: list[Row] = []
    for closure in closures:
        first, turns = _turns(closure)
        joint = closure.joint
        for which in range(len(turns) if turns != [(BALL, Z)] else 3):
            form = plan.joint_forms.get((joint.id, first + which))
            if form is None:
                continue
            cosine, sine = ring.cosine_sine(form)
            s, c = _sine_cosine(plan, ring, kin, closure, first, which)
            label = _label(joint, first + which)
            out.append(measured_row(ring, joint, label, cosine * s - sine * c))
    return out


def _label(joint: Joint, component: int) -> str:
    name = JOINT_TYPES[joint.type].coordinates[component].name
    return tr("measured {coordinate}", coordinate=tr(name))


def _sine_cosine(
    plan: Plan, ring: Ring, kin: Kinematics, closure: Closure, first: int, which: int
) -> tuple[Poly, Poly]:
    """Sine and cosine of an angle, both times one number."""
    a, b = closure.first, closure.b
    frame = kin.common({a.frame, b.frame})
    A: list[Vector]
    B: list[Vector]
    A, B = ([kin.up(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (a, b))
    _, turns = _turns(closure)
    if which == 0:
        return ring.dot(A[Y], B[X]), ring.dot(A[X], B[X])
    if turns == [(BALL, Z)] and which == 1:
        cosine, sine = ring.cosine_sine(plan.joint_forms[closure.joint.id, first])
        along = cosine * ring.dot(A[X], B[X]) + sine * ring.dot(A[Y], B[X])
        return -ring.dot(A[Z], B[X]), along
    return ring.dot(A[Z], B[Y]), ring.dot(A[Z], B[Z])
