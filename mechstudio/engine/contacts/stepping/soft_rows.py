"""Soft rows of a step with contacts: springs and dampers that are too stiff to be explicit.

A spring-damper of stiffness k and damping c along a row of rate u = J v acts in a step of length h
by the trapezoidal rule, with the stretch at the middle:

    f = f(q (+) h v / 2, v) - (h k / 4 + t c) J (v+ - v)

The first term is the load of the drawing; the second makes the row soft, with the compliance
SOFT = 1 / (h^2 k / 4 + h t c) to accelerations, in the same factorisation as the rigid rows.
Contacts and joints are therefore affected by it too.  The rule is stable for every h and k, and a
linear spring keeps its energy (Hairer, Lubich & Wanner 2006, section II.1.3).  t is 1 / 2, and
more, up to 3 / 4, for a damper that stops its mass within the step, whose velocity would alternate
in sign.

In a step in which a contact closes, units move by their velocities after it (`move` of stages.py);
there the stretch is at the middle of that displacement, by h k / 2 in place of h k / 4.  It loses
energy, J (u+ - u) / 2 of each impulse J of a spring, which is accounted to the impact.  If a
rebound makes it a gain larger than the loss of the impact, it remains as an error of the energy.
Such a step is made in parts, which are short about the impact (`in_parts` of step.py).
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.problem import (
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    ISLANDS,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.stepping.overlaps import is_elastic
from mechstudio.engine.kernels.columns import (
    CD,
    DISTANCE,
    KEPT,
    LENGTH,
    RA,
    RACCOUNTED,
    RB,
    RDAMP,
    RLEN,
    ROW_TYPE,
    RP,
    RPIVOT,
    RQ,
    RREST,
    RSTIFF,
    SOFT,
    YIELD,
    C,
    R,
)
from mechstudio.engine.kernels.kinematics import poses
from mechstudio.engine.kernels.rows.loop_rows import row_values
from mechstudio.engine.kernels.scalar import between, cross, rotated

# step times rate of a spring or damper from which it gets a soft row, and up to which a step with
# an impact is not divided: a rebound loses less than that share of the striking body's energy
SHORT, SHORTEST = 0.005, 0.0005
NEAREST = 1e-9  # of the mechanism's size: a distance below which two points have no direction


@kernel
def any_soft(T):
    """True if the tables have soft rows, which follow all other kept rows."""
    last = T.size[KEPT] - 1
    return last >= 0 and T.row_const[last, RSTIFF] + T.row_const[last, RDAMP] > 0.0


@kernel
def go_to(y, T):
    """Set nodes and rows to a state y: rows between two points are aligned with the line that joins
    them.
    """
    const, N = T.row_const, T.node
    poses(y, T)
    for r in range(T.size[KEPT]):
        if const[r, RSTIFF] + const[r, RDAMP] > 0.0 and T.rows[r, ROW_TYPE] == DISTANCE:
            a, b = T.rows[r, RA], T.rows[r, RB]
            ax, ay, az = rotated(N, a, R, const[r, RP], const[r, RP + 1], const[r, RP + 2])
            bx, by, bz = rotated(N, b, R, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2])
            dx, dy, dz = between(N, a, ax, ay, az, b, bx, by, bz)
            const[r, RLEN] = max(
                math.sqrt(dx * dx + dy * dy + dz * dz), NEAREST * T.settings[LENGTH]
            )
    row_values(y, T, 0, T.size[KEPT])


def stopping_share(h: float, damping: float, mobility: float) -> float:
    """t of a damper on a mass 1 / mobility: 1 / 2, or if that reverses the velocity to more than a
    third of it, the t that reverses it to a third.
    """
    return max(0.5, 0.75 - 1.0 / max(h * damping * mobility, 1.0))


_stopping_share = kernel(options=INLINED)(stopping_share)


@kernel
def stretch(T, r):
    """Difference of a soft row from its value at rest, at the state of `go_to`."""
    value = T.row_const[r, RLEN] if T.rows[r, ROW_TYPE] == DISTANCE else T.row[r, C]
    return value - T.row_const[r, RREST]


@kernel
def foresee_closing(T, S, P, table, points):
    """S.closes (units,) <- 1 for units with soft rows in an island where a contact closes in this
    step, predicted from the velocities at its beginning.  Elastic contacts do not count: they stop
    nothing within a step.
    """
    h, deep = S.settings[s.STEP], 1e-6 * S.settings[s.SIZE]
    for u in range(S.closes.shape[0]):
        S.closes[u] = 0
    for e in range(P.size[ISLANDS]):
        closes = False
        for i in range(P.islands[e, I_FIRST], P.islands[e, I_LAST]):
            p = S.order[i]
            if is_elastic(S, table, points, p):
                continue
            way = h * abs(normal_speed(S, points, p))
            closes = closes or (way > 2.0 * deep and points.gap[p] < way)
        if closes:
            for m in range(P.islands[e, I_MOVER0], P.islands[e, I_MOVER1]):
                S.closes[S.unit_of_node[S.node_of_mover[m]]] = 2
    for r in range(T.size[KEPT]):
        if T.row_const[r, RSTIFF] + T.row_const[r, RDAMP] > 0.0:
            S.closes[S.unit_of_row[r]] = min(S.closes[S.unit_of_row[r]], 1)
    for u in range(S.closes.shape[0]):
        S.closes[u] = 1 if S.closes[u] == 1 else 0


@kernel
def jolts(T, S):
    """True if a contact closed in a step that is too long for a soft row of the stopped unit."""
    h, const = S.settings[s.STEP], T.row_const
    for r in range(T.size[KEPT]):
        u, stiffness, damping = S.unit_of_row[r], const[r, RSTIFF], const[r, RDAMP]
        if (
            max(h * h * stiffness, SHORTEST * h * damping) * const[r, RPIVOT] > SHORTEST**2
            and S.island_of_unit[u] >= 0
            and (S.closes[u] == 1 or S.pressed[u] == s.CLOSING)
        ):
            return True
    return False


@kernel
def normal_speed(S, points, p):
    """Rate of the gap of contact p at the velocities of the bodies [m/s]."""
    rate = 0.0
    for end in range(2):
        b = points.body_a[p] if end == 0 else points.body_b[p]
        if b >= 0:
            v, x = S.velocities, S.poses
            cx, cy, cz = cross(
                v[b, 3],
                v[b, 4],
                v[b, 5],
                points.point[p, 0] - x[b, 0],
                points.point[p, 1] - x[b, 1],
                points.point[p, 2] - x[b, 2],
            )
            along = (
                points.normal[p, 0] * (v[b, 0] + cx)
                + points.normal[p, 1] * (v[b, 1] + cy)
                + points.normal[p, 2] * (v[b, 2] + cz)
            )
            rate += along if end == 1 else -along
    return rate


@kernel
def soften(y, T, S, h):
    """Set the compliances for a step of length h from y, and keep stretches and rates there."""
    S.tally[s.NORMAL_BEFORE] = S.tally[s.NORMAL_WORK]
    for r in range(T.size[KEPT]):
        stiffness, damping = T.row_const[r, RSTIFF], T.row_const[r, RDAMP]
        if stiffness + damping > 0.0:
            part = 0.5 if S.closes[S.unit_of_row[r]] == 1 else 0.25
            share = _stopping_share(h, damping, T.row_const[r, RPIVOT])
            T.row[r, SOFT] = 1.0 / (part * h * h * stiffness + share * h * damping)
            T.row[r, YIELD] = 0.0
    go_to(y, T)
    for r in range(T.size[KEPT]):
        S.yielding[r] = T.row[r, CD]
        S.stretched[r] = stretch(T, r)


@kernel
def read_dampers_before(y, T):
    """Go to y.  YIELD <- the terms of dampers at its velocities, for `set_damper_change`."""
    go_to(y, T)
    for r in range(T.size[KEPT]):
        T.row[r, YIELD] = -T.row[r, SOFT] * T.row_const[r, RDAMP] * T.row[r, CD]


@kernel
def set_damper_change(y, T):
    """YIELD <- SOFT c (J v - J v_before): loads have the dampers at velocities v of y, which are
    those of the middle already.
    """
    go_to(y, T)
    for r in range(T.size[KEPT]):
        T.row[r, YIELD] += T.row[r, SOFT] * T.row_const[r, RDAMP] * T.row[r, CD]


@kernel
def clear_damper_change(T):
    """YIELD <- 0: loads have the dampers at the velocities before."""
    for r in range(T.size[KEPT]):
        T.row[r, YIELD] = 0.0


@kernel
def soft_power(T, S):
    """Power of soft rows without a potential at the beginning of the step [W]."""
    const, power = T.row_const, 0.0
    for r in range(T.size[KEPT]):
        pull = const[r, RACCOUNTED] * const[r, RSTIFF] * S.stretched[r]
        power += (pull + const[r, RDAMP] * S.yielding[r]) * S.yielding[r]
    return power


@kernel
def account_soft_rows(y, T, S, h):
    """Account the work of the soft rows without potential: of dampers at their mean rate in the
    step, of servos by their stretch, and the loss of springs where a contact closes.  If a rebound
    gives springs more than the impact dissipates, the rest is an error of the energy, since no
    impact adds any.
    """
    go_to(y, T)
    work = 0.0
    for r in range(T.size[KEPT]):
        stiffness, damping = T.row_const[r, RSTIFF], T.row_const[r, RDAMP]
        before, after = S.yielding[r], T.row[r, CD]
        share = _stopping_share(h, damping, T.row_const[r, RPIVOT])
        acting = before + share * (after - before)
        s0, s1 = S.stretched[r], stretch(T, r)
        S.tally[s.LOAD_WORK] -= 0.5 * h * damping * acting * (before + after)
        S.tally[s.LOAD_WORK] -= 0.5 * T.row_const[r, RACCOUNTED] * stiffness * (s1 * s1 - s0 * s0)
        u = S.unit_of_row[r]
        if S.closes[u] == 1 or S.pressed[u] == s.CLOSING:
            impulse = -0.5 * h * stiffness * (s0 + s1)
            work -= 0.5 * impulse * (after - before)
    taken = S.tally[s.NORMAL_BEFORE] - S.tally[s.NORMAL_WORK]
    S.tally[s.NORMAL_WORK] += min(work, max(taken, 0.0))
