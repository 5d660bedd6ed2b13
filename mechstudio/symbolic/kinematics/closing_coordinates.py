"""Coordinates of joints that close loops: a slide or an angle measured between the joint's two
frames.

slide   x = e_A . (p_B - p_A)
angle  of parallel axes a form of the plane's angles; else 2 F(1 + 2 c) s of its sine and cosine, F
of symbolic/ring/turn_function.py:
        a hinge        s = y_A . x_B, c = x_A . x_B                          rate z_A . w
        universal      the same about z_A; s = z_A . y_B, c = z_A . z_B      rate x_B . w
        ball, Rz Ry Rx s = -z_A . x_B, c = l with l^2 = 1 - s^2
            rate y' . w,  y' = (y_B)_A without its turn phi, = (z_A x x_B) / l
                       psi (y_A . x_B, x_A . x_B) / l, phi (z_A . y_B, z_A . z_B) / l
                           rates of the dual axes (z_A + s x_B) / l^2, (x_B + s z_A) / l^2
w is the angular velocity of B over A's body.  The rates hold where the rows of the joint do.
Joints with a rod or halves of an angle: closing_roots.py.
"""

from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.kinematics.closing_reading import Reading, on_both, rotated
from mechstudio.symbolic.kinematics.closing_roots import of_halves, of_rim, of_rod
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loads import relative_angle
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.ring.polynomials import Ring, Vector


def closing_coordinate(
    ring: Ring, kin: Kinematics, closure: Closure, component: int
) -> Reading | None:
    """A coordinate of a closing joint; None where it has no closed form."""
    kind, a, b = JOINT_TYPES[closure.joint.type], closure.first, closure.b
    form = kin.plan.joint_forms.get((closure.joint.id, component))
    if form is not None:
        # measured by a row of its own
        x = ring.length(form)
        return Reading(x, ring.gradient(x), ring.rate_of(form))
    special = {motion for motion, _ in kind.motions} & {ROD, HALF, QUARTER}
    if not 0 <= component < kind.dof or (component == 0 and closure.track is not None):
        return None  # the way along a curve is a coordinate of its own
    if kind.has_face and component != kind.motions.index((SLIDE, Z)):
        return None  # the others move with the angle, which has no mass to take its share
    if special:
        return (
            of_halves(ring, kin, closure, component)
            if HALF in special
            else of_rim(ring, kin, closure, component)
            if kind.rolling
            else of_rod(ring, kin, closure, component)
        )
    slides = [axis for motion, axis in kind.motions if motion in (SLIDE, TRACK)]
    if kind.coordinates[component].dimension == "length":
        # slides come first in the chains that are left, but for the lift of a flat face
        axis = slides[component - kind.has_face]
        d, frame = kin.between(a, b)
        x = ring.dot(d, kin.up(kin.axis(a, axis), a.frame, frame))
        return Reading(x, ring.gradient(x), ring.rate(x), axis=axis)
    turns = [(motion, axis) for motion, axis in kind.motions if motion not in (SLIDE, TRACK)]
    frame = kin.common({a.frame, b.frame})
    A, B = ([kin.up(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (a, b))
    if turns == [(BALL, Z)]:
        return _of_ball(ring, kin, closure, component - len(slides), component, A, B, frame)
    if len(turns) == 1 and turns[0][0] in (TURN, HELIX):
        form = relative_angle(a, b)
        own = lambda cursor: kin.axis(cursor, Z)
        if form is not None:
            x = ring.total(c * (ring.q[v] if v >= 0 else ring.p[-1 - v]) for v, c in form)
            if component in closure.whole:
                x = x + ring.p[closure.whole[component]]
            return Reading(
                x, ring.gradient(x), ring.rate_of(form), moment=(own(b), [-x for x in own(a)])
            )
        return rotated(
            ring,
            kin,
            closure,
            component,
            (own(b), [-x for x in own(a)]),
            ring.dot(A[Y], B[X]),
            ring.dot(A[X], B[X]),
        )
    if turns == [(TURN, Z), (TURN, X)]:
        axis, sine, cosine = (
            (A[Z], ring.dot(A[Y], B[X]), ring.dot(A[X], B[X]))
            if component == len(slides)
            else (B[X], ring.dot(A[Z], B[Y]), ring.dot(A[Z], B[Z]))
        )
        return rotated(
            ring, kin, closure, component, on_both(kin, closure, axis, frame), sine, cosine
        )
    return None


def _of_ball(
    ring: Ring,
    kin: Kinematics,
    closure: Closure,
    which: int,
    component: int,
    A: list[Vector],
    B: list[Vector],
    frame: int,
) -> Reading | None:
    if closure.root < 0:
        return None
    sine = -ring.dot(A[Z], B[X])
    if not ring.square[closure.root]:
        ring.set_length(closure.root, 1 - sine * sine)
    l, w = ring.l[closure.root], ring.w[closure.root]
    if which == 1:
        moment = [w * x for x in ring.cross(A[Z], B[X])]
        return rotated(ring, kin, closure, component, on_both(kin, closure, moment, frame), sine, l)
    first, second = (A[Z], B[X]) if which == 0 else (B[X], A[Z])
    moment = [w * w * (x + sine * y) for x, y in zip(first, second)]
    pair = (
        (ring.dot(A[Y], B[X]), ring.dot(A[X], B[X]))
        if which == 0
        else (ring.dot(A[Z], B[Y]), ring.dot(A[Z], B[Z]))
    )
    return rotated(
        ring,
        kin,
        closure,
        component,
        on_both(kin, closure, moment, frame),
        w * pair[0],
        w * pair[1],
    )


__all__ = ["Reading", "closing_coordinate"]
