"""Energy account of a step with contacts: the work of loads, impulses and weight, each impact, and
how contacts press each unit.

The work of an impulse is gamma . (u(v) + u(v+)) / 2, exactly what it does to the kinetic energy of
the step; of that, friction has the part of the slip, and what drives a belt the rest.  That of
loads without potential is their power's by the trapezoidal rule.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_LAST,
    LENGTH,
    MOVERS,
    PROBLEM,
    WIDTH,
    slip,
    turn_slip,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.standing import EVERY, NOTHING, NUMBER, TABLES, alone
from mechstudio.engine.kernels.columns import (
    ACC,
    DOF,
    DRIVE,
    GX,
    KEPT,
    LAM,
    MASS,
    MOMENT,
    NQ,
    NV,
    V0,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.kinematics import poses, step_coordinates
from mechstudio.engine.kernels.loads.loads import potential_energy
from mechstudio.engine.kernels.scalar import cross, rotated

NO_POWER = 1e-24  # what rounding leaves of the power of drives that move nothing [W]


@kernel
def without_drives(T, power):
    """The power of loads alone, from that of loads and drives; what rounding leaves is none."""
    largest = abs(power)
    for r in range(T.size[KEPT]):
        part = T.row[r, LAM] * T.row[r, DRIVE]
        power -= part
        largest = max(largest, abs(part))
    return power if abs(power) > 1e-12 * largest and abs(power) > NO_POWER else 0.0


@kernel
def book_loads(T, S, power, h):
    """The work of the loads in this step as if their power stayed what it is now, and what it was
    taken wrong by in the step before.  power: that of drives too.
    """
    power = without_drives(T, power)
    S.tally[s.LOAD_WORK] += h * power
    if S.counts[s.STEPS] > 0 and S.settings[s.MEANS] == 0.0:
        S.tally[s.LOAD_WORK] += 0.5 * S.settings[s.TAKEN] * (power - S.tally[s.POWER])
    S.tally[s.POWER] = power


@kernel
def book_end_of_step(T, S, power, h):
    """Correct the accounted work of the loads in the previous step by their power at its end, while
    the loads are still those of that step.
    """
    S.tally[s.LOAD_WORK] += 0.5 * h * (without_drives(T, power) - S.tally[s.POWER])


@kernel
def accounted(S):
    """The work of everything without potential so far [J]."""
    return (
        S.tally[s.FRICTION_WORK]
        + S.tally[s.NORMAL_WORK]
        + S.tally[s.DRIVE_WORK]
        + S.tally[s.LOAD_WORK]
    )


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, POINTS, NUMBER)
def book_work(T, S, P, points, time):
    """Account the work of the impulses on the kinetic energy, of the normal ones and of the others,
    and the impacts.  The movers' twists are those after the step.  time: its beginning [s].
    """
    slowest, first = S.settings[s.SLOWEST], S.counts[s.EVENTS]
    work, impacted, island = 0.0, False, 0
    for i in range(P.size[CONTACTS]):
        while i == P.islands[island, I_LAST]:
            note_gain(S, work if impacted else 0.0, time)
            work, impacted, island = 0.0, False, island + 1
        normal = friction = 0.0
        strikes = S.approach[i, 0] < -slowest and S.bends[i, s.SMOOTH] == 0.0
        x, y, z = slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
        y, z = y + S.belt_slip[i, 0], z + S.belt_slip[i, 1]
        g = P.gamma
        S.slips[i] = math.hypot(y, z)
        apart, impulse = x, g[i, 0] + P.impact[i, 0]
        normal += 0.5 * impulse * (x + S.approach[i, 0])
        # in a step with an impact weight and springs act on the way that is gone after it: what
        # they would have done to the approach is no loss.   Not so where loads without potential do
        # work, which is booked by the mean of the velocities
        late = weights = 0.0
        soft = closes_softly(S, P, P.side[i, 0]) or closes_softly(S, P, P.side[i, 1])
        if strikes and S.tally[s.POWER] == 0.0 and not soft:
            late = 0.5 * impulse * (S.foreseen[i, 0] - S.approach[i, 0])
            # of units on which nothing but weight acts `book_weight` knows it
            weights = 0.5 * impulse * (weight_speed(T, S, P, i, 1) - weight_speed(T, S, P, i, 0))
            if weighs_only(S, P, P.side[i, 0]) and weighs_only(S, P, P.side[i, 1]):
                weights = late
            normal -= late - weights
        along, across = g[i, 1] + P.impact[i, 1], g[i, 2] + P.impact[i, 2]
        friction += 0.5 * (along * (y + S.approach[i, 1]) + across * (z + S.approach[i, 2]))
        S.tally[s.DRIVE_WORK] -= along * S.belt_slip[i, 0] + across * S.belt_slip[i, 1]
        if P.size[WIDTH] == 6:
            # before the step the turning was not kept: what resists rolling does little work in an
            # impact
            x, y, z = turn_slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
            k = P.cone[i, LENGTH]
            friction += k * (g[i, 3] * x + g[i, 4] * y + g[i, 5] * z)
        S.tally[s.NORMAL_WORK] += normal
        S.tally[s.FRICTION_WORK] += friction
        work, impacted = work + normal + friction - weights, impacted or strikes
        if impulse > 0.0 and strikes:
            note_impact(
                S,
                points,
                S.order[i],
                first,
                time,
                impulse,
                S.approach[i, 0],
                apart,
                weights - normal - friction,
            )
    note_gain(S, work if impacted else 0.0, time)


@kernel
def note_gain(S, work, time):
    """Add what the impacts of an island did to its energy in a step, where that is a gain [J]."""
    if work > 0.0:
        S.tally[s.IMPACT_GAIN] += work
        if work > S.tally[s.LARGEST_GAIN]:
            S.tally[s.LARGEST_GAIN], S.tally[s.GAINED_AT] = work, time


@kernel
def weight_speed(T, S, P, i, end):
    """Normal velocity that weight adds in a step to an end of contact i where nothing else acts on
    that free body [m/s], 0 for others and for ground.
    """
    F, k = P.frame, P.side[i, end]
    if (
        k == P.size[MOVERS]
        or not weighs_only(S, P, k)
        or S.unit_free[S.unit_of_node[S.node_of_mover[k]]] == 0
    ):
        return 0.0
    return S.settings[s.STEP] * (
        F[i, 0] * T.settings[GX] + F[i, 1] * T.settings[GX + 1] + F[i, 2] * T.settings[GX + 2]
    )


@kernel
def weighs_only(S, P, mover):
    """Truth of a mover being ground, or of a unit on which no load acts but weight."""
    return mover == P.size[MOVERS] or S.unit_weighs[S.unit_of_node[S.node_of_mover[mover]]] == 1


@kernel
def closes_softly(S, P, mover):
    """Truth of a unit with soft rows in which a contact closes: soft_rows.py books what its springs
    do.
    """
    return mover != P.size[MOVERS] and S.closes[S.unit_of_node[S.node_of_mover[mover]]] == 1


@kernel
def book_weight(T, S, y, h):
    """Units at which a contact closes move by h v+, not by h (v + v+) / 2: what weight does on the
    rest is booked with the impact.  Velocities of the nodes are those after the step.
    """
    nq, work, mechanisms = T.size[NQ], 0.0, False
    for u in range(S.unit_free.shape[0]):
        if not falls_by_end(S, u):
            continue
        mechanisms = mechanisms or S.unit_free[u] == 0
        if S.unit_free[u] == 1:
            i = S.unit_nodes[S.unit_start[u]]
            j = T.nodes[i, V0]
            for c in range(3):
                work += (
                    0.5
                    * h
                    * T.node_const[i, MASS]
                    * T.settings[GX + c]
                    * (S.before[j + c] - y[nq + j + c])
                )
    if mechanisms:
        work += 0.5 * h * (weight_power_of(y, T, S, S.before, True) - weight_power(T, S, True))
    S.tally[s.NORMAL_WORK] += work


@kernel
def falls_by_end(S, u):
    """Truth of a unit moving by its velocity after the step, on which no load acts but weight and
    soft rows.
    """
    by_weight = S.pressed[u] == s.CLOSING and S.unit_weighs[u] == 1
    return (by_weight or S.closes[u] == 1) and S.island_of_unit[u] >= 0


@kernel
def weight_power(T, S, closing):
    """Power of the weight of mechanisms that touch something, at the velocities of the nodes [W].
    closing: only of those that `falls_by_end` is true of.
    """
    N, C, G, power = T.node, T.node_const, T.settings, 0.0
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 1 or S.island_of_unit[u] < 0 or (closing and not falls_by_end(S, u)):
            continue
        for n in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[n]
            x, y, z = rotated(N, i, R, C[i, MOMENT], C[i, MOMENT + 1], C[i, MOMENT + 2])
            a, b, c = cross(N[i, W], N[i, W + 1], N[i, W + 2], x, y, z)
            m = C[i, MASS]
            power += (
                G[GX] * (m * N[i, V] + a)
                + G[GX + 1] * (m * N[i, V + 1] + b)
                + G[GX + 2] * (m * N[i, V + 2] + c)
            )
    return power


@kernel
def weight_power_of(y, T, S, v, closing):
    """The same at velocities v (nv,).   y and the nodes are as before behind it; overwrites
    S.slope.
    """
    nq, nv = T.size[NQ], T.size[NV]
    for j in range(nv):
        S.slope[j], y[nq + j] = y[nq + j], v[j]
    poses(y, T)
    power = weight_power(T, S, closing)
    for j in range(nv):
        y[nq + j] = S.slope[j]
    poses(y, T)
    return power


@kernel
def book_pushing_mechanisms(y, T, S):
    """Account the work of lifting mechanisms out of others, as `book_pushing` does for free bodies:
    what lifts a foot out of the floor lifts all that stands on it.
    """
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 0 and S.island_of_unit[u] >= 0:
            S.tally[s.NORMAL_WORK] -= weight_power_of(y, T, S, S.increments, False)
            return


@kernel
def book_pushing(T, S):
    """Account the work of lifting free bodies out of others by S.increments, which gives them back
    the height they have sunk by: work of the normal forces, small in each step but cumulative in a
    pile.
    """
    work = 0.0
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 1:
            i = S.unit_nodes[S.unit_start[u]]
            j = T.nodes[i, V0]
            for c in range(3):
                work -= T.node_const[i, MASS] * T.settings[GX + c] * S.increments[j + c]
    S.tally[s.NORMAL_WORK] += work


@kernel
def book_lift(y, T, S):
    """Account the work of S.increments, which lift what has sunk in out of others: what it adds to
    the potential energy, small in each step but cumulative.  The nodes are where y is, as behind
    it; overwrites S.slope.
    """
    if T.forces.shape[0] == 0:
        # of weight alone without the rounding of a difference
        book_pushing(T, S)
        book_pushing_mechanisms(y, T, S)
        return
    z = S.slope
    poses(y, T)
    before = potential_energy(y, T)
    for x in range(y.shape[0]):
        z[x] = y[x]
    for j in range(T.size[NV]):
        T.dof[j, ACC] = S.increments[j]
    step_coordinates(z, T, ACC)
    poses(z, T)
    S.tally[s.NORMAL_WORK] += potential_energy(z, T) - before
    poses(y, T)


@kernel
def note_impact(S, points, p, first, time, impulse, approach, apart, loss):
    """An impact at a point into the events of the step, which begin at `first`; points of one pair
    are one event.
    """
    E, a, b = S.events, points.body_a[p], points.body_b[p]
    stop = points.shape_b[p] if points.shape_a[p] < 0 else -1
    n = S.counts[s.EVENTS]
    # points of a pair stand side by side
    if (
        n > first
        and E[n - 1, s.EVENT_A] == a
        and E[n - 1, s.EVENT_B] == b
        and E[n - 1, s.EVENT_STOP] == stop
    ):
        n -= 1
        E[n, s.EVENT_IMPULSE] += impulse
        E[n, s.EVENT_LOSS] += loss
        if -approach > E[n, s.EVENT_BEFORE]:
            E[n, s.EVENT_BEFORE], E[n, s.EVENT_AFTER] = -approach, apart
        return
    E[n, s.EVENT_TIME] = time + min(max(-points.gap[p] / approach, 0.0), S.settings[s.STEP])
    E[n, s.EVENT_A], E[n, s.EVENT_B], E[n, s.EVENT_STOP] = a, b, stop
    E[n, s.EVENT_IMPULSE], E[n, s.EVENT_BEFORE], E[n, s.EVENT_AFTER], E[n, s.EVENT_LOSS] = (
        impulse,
        -approach,
        apart,
        loss,
    )
    S.counts[s.EVENTS] = n + 1


@kernel(options=INLINED)
def presses(P, i):
    """Truth of contact i bearing something; what pulls it together may be as much."""
    return P.gamma[i, 0] > 0.0 or P.impact[i, 0] > 0.0


@kernel
def mark_pressed(T, S, P):
    """S.pressed: how each unit is pressed in this step, and S.jump."""
    h, deep = S.settings[s.STEP], 1e-6 * S.settings[s.SIZE]
    for u in range(S.pressed.shape[0]):
        S.pressed[u] = s.UNPRESSED
    for i in range(P.size[CONTACTS]):
        if not presses(P, i):
            continue
        # what a mean of both velocities would push in
        kind = (
            s.CLOSING
            if 0.5 * h * abs(S.approach[i, 0]) > deep and S.bends[i, s.SMOOTH] == 0.0
            else s.LASTING
        )
        for end in range(2):
            if P.side[i, end] != P.size[MOVERS]:
                u = S.unit_of_node[S.node_of_mover[P.side[i, end]]]
                S.pressed[u] = max(S.pressed[u], kind)
    # a body that moves by its velocity after the step would be pushed into a neighbour that moves
    # by the mean
    spread = True
    while spread:
        spread = False
        for i in range(P.size[CONTACTS]):
            a, b = P.side[i, 0], P.side[i, 1]
            if presses(P, i) and a != P.size[MOVERS] and b != P.size[MOVERS]:
                a, b = S.unit_of_node[S.node_of_mover[a]], S.unit_of_node[S.node_of_mover[b]]
                if S.pressed[a] != S.pressed[b]:
                    S.pressed[a] = S.pressed[b] = s.CLOSING
                    spread = True
    # what lasts is to be expected of the next step too
    for u in range(S.pressed.shape[0]):
        for x in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[x]
            for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
                S.jump[j] = S.increments[j] if S.pressed[u] == s.LASTING else 0.0
