"""Energy account of a step with contacts: the work of loads, impulses and weight, each impact, and
the kind of contact that presses each unit.

The work of an impulse is gamma . (u(v) + u(v+)) / 2, exactly the change of kinetic energy that it
causes in the step.  Friction has the part of the slip, and the drive of a belt the rest.  The work
of loads without potential is that of their power by the trapezoidal rule.
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
    normal_response,
    slip,
    turn_slip,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.elastic import half_period, note_stiffness
from mechstudio.engine.contacts.kernel_table import EVERY, NOTHING, NUMBER, TABLES, alone
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

SOLVED = 4.0  # multiple of the tolerance to which velocities of contacts are known
NEAR = 1e-3  # share of a step up to whose way bodies touch at its beginning
NO_POWER = 1e-24  # rounding error of the power of drives that move nothing [W]


@kernel
def without_drives(T, power):
    """Power of loads alone, from that of loads and drives; rounding errors count as zero."""
    largest = abs(power)
    for r in range(T.size[KEPT]):
        part = T.row[r, LAM] * T.row[r, DRIVE]
        power -= part
        largest = max(largest, abs(part))
    return power if abs(power) > 1e-12 * largest and abs(power) > NO_POWER else 0.0


@kernel
def account_loads(T, S, power, h):
    """Account the work of the loads in this step at their present power, and the error of that
    estimate in the step before. power: that of drives too.
    """
    power = without_drives(T, power)
    S.tally[s.LOAD_WORK] += h * power
    if S.counts[s.STEPS] > 0 and S.settings[s.MEANS] == 0.0:
        S.tally[s.LOAD_WORK] += 0.5 * S.settings[s.TAKEN] * (power - S.tally[s.POWER])
    S.tally[s.POWER] = power


@kernel
def account_end_of_step(T, S, power, h):
    """Correct the accounted work of the loads in the previous step by their power at its end,
    before the loads change.
    """
    S.tally[s.LOAD_WORK] += 0.5 * h * (without_drives(T, power) - S.tally[s.POWER])


@kernel
def accounted(S):
    """Work of all forces without potential so far [J]."""
    return (
        S.tally[s.FRICTION_WORK]
        + S.tally[s.NORMAL_WORK]
        + S.tally[s.DRIVE_WORK]
        + S.tally[s.LOAD_WORK]
    )


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, POINTS, NUMBER)
def account_work(T, S, P, points, time):
    """Account the work of the impulses on the kinetic energy, separately for normal and other ones,
    and the impacts.  The movers' twists are those after the step. time: its beginning [s].
    """
    slowest, first = S.settings[s.SLOWEST], S.counts[s.EVENTS]
    S.tally[s.STIFFEST] = 0.0
    work, impacted, island, inexact = 0.0, False, 0, 0.0
    for i in range(P.size[CONTACTS]):
        while i == P.islands[island, I_LAST]:
            note_gain(S, work, inexact, impacted, time)
            work, impacted, island, inexact = 0.0, False, island + 1, 0.0
        normal = friction = 0.0
        strikes = S.approach[i, 0] < -slowest and S.bends[i, s.SMOOTH] == 0.0
        elastic = S.materials[S.pair[i], s.COMPLIANCE] > 0.0
        x, y, z = slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
        y, z = y + S.belt_slip[i, 0], z + S.belt_slip[i, 1]
        g = P.gamma
        S.slips[i] = math.hypot(y, z)
        apart, impulse = x, g[i, 0] + P.impact[i, 0]
        normal += 0.5 * impulse * (x + S.approach[i, 0])
        # the work of adhesion is no loss, and no gain of an impact
        held = 0.0
        if S.settings[s.ADHESIVE] > 0.0:
            held = -0.5 * S.settings[s.STEP] * S.pull[i] * (x + S.approach[i, 0])
        if elastic:
            note_stiffness(S, P, i, points.gap[S.order[i]], x)
        # in a step with an impact weight and springs act along the displacement after it: their
        # work on the approach is no loss.  Loads without potential are accounted by the mean of the
        # velocities instead
        late = weights = 0.0
        soft = closes_softly(S, P, P.side[i, 0]) or closes_softly(S, P, P.side[i, 1])
        if strikes and S.tally[s.POWER] == 0.0 and not soft and not elastic:
            late = 0.5 * impulse * (S.foreseen[i, 0] - S.approach[i, 0])
            # for units without loads but weight `account_weight` accounts it
            weights = 0.5 * impulse * (weight_speed(T, S, P, i, 1) - weight_speed(T, S, P, i, 0))
            if weighs_only(S, P, P.side[i, 0]) and weighs_only(S, P, P.side[i, 1]):
                weights = late
            normal -= late - weights
        along, across = g[i, 1] + P.impact[i, 1], g[i, 2] + P.impact[i, 2]
        friction += 0.5 * (along * (y + S.approach[i, 1]) + across * (z + S.approach[i, 2]))
        S.tally[s.DRIVE_WORK] -= along * S.belt_slip[i, 0] + across * S.belt_slip[i, 1]
        if P.size[WIDTH] == 6:
            x, y, z = turn_slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
            x, y, z = x + S.approach[i, 3], y + S.approach[i, 4], z + S.approach[i, 5]
            k = P.cone[i, LENGTH]
            friction += 0.5 * k * (g[i, 3] * x + g[i, 4] * y + g[i, 5] * z)
        S.tally[s.NORMAL_WORK] += normal
        S.tally[s.FRICTION_WORK] += friction
        # elastic contacts rebound, and add nothing by Newton's law of impacts
        if not elastic:
            work, impacted = work + normal + friction - weights - held, impacted or strikes
            inexact += SOLVED * (abs(impulse) + math.hypot(along, across)) * S.settings[s.TOLERANCE]
            S.tally[s.MISSED] += missed_energy(S, P, i, points.gap[S.order[i]], apart)
        # an elastic contact gives back in later steps, which belong to the same impact
        turns = elastic and max(abs(S.approach[i, 0]), abs(apart)) > slowest
        if S.turns[i, s.TURN_HITS] > 0.0:
            E = S.turns
            note_impact(
                S,
                points,
                S.order[i],
                first,
                time + E[i, s.TURN_TIME],
                E[i, s.TURN_IMPULSE],
                -E[i, s.TURN_BEFORE],
                E[i, s.TURN_AFTER],
                0.0,
                E[i, s.TURN_LOSS],
            )
        elif impulse > 0.0 and (strikes or turns):
            until = -points.gap[S.order[i]] / S.approach[i, 0] if S.approach[i, 0] != 0.0 else 0.0
            note_impact(
                S,
                points,
                S.order[i],
                first,
                time + min(max(until, 0.0), S.settings[s.STEP]),
                impulse,
                S.approach[i, 0] if strikes else abs(S.approach[i, 0]),
                apart,
                half_period(S, P, i) if elastic else 0.0,
                weights + held - normal - friction,
            )
    note_gain(S, work, inexact, impacted, time)


@kernel
def missed_energy(S, P, i, gap, apart):
    """Energy [J] that contact i takes or gives, and that its rebound would have kept, where another
    impact of the step sends its bodies across the gap [m]: this law of impacts holds them there.
    apart: their speed after the step [m/s].
    """
    impulse, way = P.gamma[i, 0], NEAR * S.settings[s.STEP]
    if S.rebounded[i] == 1 or S.bends[i, s.SMOOTH] > 0.0 or impulse <= 0.0 or gap <= 0.0:
        return 0.0
    given = normal_response(P, i) * impulse
    if given <= S.settings[s.SLOWEST] or gap <= way * given:
        return 0.0
    e = S.materials[S.pair[i], s.RESTITUTION]
    return 0.5 * e**2 * impulse * abs(S.approach[i, 0] + apart)


@kernel
def note_gain(S, work, inexact, impacted, time):
    """Record the energy that contacts of an island add in a step, if it is positive [J]: by its
    impacts, or beyond `inexact` by contacts that last.
    """
    gain, largest, at = s.IMPACT_GAIN, s.LARGEST_GAIN, s.GAINED_AT
    if not impacted:
        gain, largest, at = s.LASTING_GAIN, s.LARGEST_LASTING, s.LASTING_AT
        work -= inexact
    if work > 0.0:
        S.tally[gain] += work
        if work > S.tally[largest]:
            S.tally[largest], S.tally[at] = work, time


@kernel
def note_loss(S, P, points, work):
    """Record the energy that normal impulses take in a step, beyond the tolerance, if all contacts
    are rigid ones that last, whose impulses should do no work, and none arrives.  work:
    S.tally[NORMAL_WORK] before.
    """
    within, lost = 0.0, work - S.tally[s.NORMAL_WORK]
    for i in range(P.size[CONTACTS]):
        impulse = abs(P.gamma[i, 0] + P.impact[i, 0])
        if impulse == 0.0:
            continue
        soft = closes_softly(S, P, P.side[i, 0]) or closes_softly(S, P, P.side[i, 1])
        rigid = S.materials[S.pair[i], s.COMPLIANCE] == 0.0 and S.pull[i] == 0.0
        near = S.settings[s.STEP] * S.approach[i, 0]
        arrives = S.approach[i, 0] < -S.settings[s.SLOWEST] and points.gap[S.order[i]] >= -near
        if soft or not rigid or arrives or S.bends[i, s.SMOOTH] == 0.0:
            return
        within += SOLVED * impulse * S.settings[s.TOLERANCE]
    S.tally[s.LASTING_LOSS] += max(0.0, lost - within)


@kernel
def weight_speed(T, S, P, i, end):
    """Normal velocity that weight adds in a step to an end of contact i of a free body without
    other loads [m/s], 0 for others and for ground.
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
    """True if a mover is ground or belongs to a unit without loads but weight."""
    return mover == P.size[MOVERS] or S.unit_weighs[S.unit_of_node[S.node_of_mover[mover]]] == 1


@kernel
def closes_softly(S, P, mover):
    """True for a mover of a unit with soft rows in which a contact closes: soft_rows.py accounts
    the work of its springs.
    """
    return mover != P.size[MOVERS] and S.closes[S.unit_of_node[S.node_of_mover[mover]]] == 1


@kernel
def account_weight(T, S, y, h):
    """Account the weight of units at which a contact closes.  They move by h v+, not by h (v + v+)
    / 2: the work of weight on the difference belongs to the impact.  Velocities of the nodes are
    those after the step.
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
    """True if a unit moves by its velocity after the step and has no loads but weight and soft
    rows.
    """
    by_weight = S.pressed[u] == s.CLOSING and S.unit_weighs[u] == 1
    return (by_weight or S.closes[u] == 1) and S.island_of_unit[u] >= 0


@kernel
def weight_power(T, S, closing):
    """Power of the weight of touching mechanisms, at the velocities of the nodes [W]. closing: only
    of those for which `falls_by_end` is true.
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
    """The same at velocities v (nv,).   y and the nodes are unchanged afterwards; overwrites
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
def account_lifted_mechanisms(y, T, S):
    """Account the work of lifting mechanisms out of overlaps, as `account_lifted_bodies` does for
    free bodies: a foot lifted out of the floor lifts all that stands on it.
    """
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 0 and S.island_of_unit[u] >= 0:
            S.tally[s.NORMAL_WORK] -= weight_power_of(y, T, S, S.increments, False)
            return


@kernel
def account_lifted_bodies(T, S):
    """Account the work of lifting free bodies out of overlaps by S.increments.  It restores the
    height by which they sank: work of the normal forces, small in each step but cumulative in a
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
def account_lift(y, T, S):
    """Account the work of S.increments, which lift bodies out of overlaps: the potential energy
    added, small in each step but cumulative.  The nodes are at y before and after; overwrites
    S.slope.
    """
    if T.forces.shape[0] == 0:
        # for weight alone, without the rounding error of a difference
        account_lifted_bodies(T, S)
        account_lifted_mechanisms(y, T, S)
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
def note_impact(S, points, p, first, when, impulse, approach, apart, lasts, loss):
    """Add an impact at a point to the events of the step, which begin at `first`; points of one
    pair are one event.  when: its instant [s].  approach: not below 0 where an impact goes on.
    """
    E, a, b = S.events, points.body_a[p], points.body_b[p]
    stop = points.shape_b[p] if points.shape_a[p] < 0 else -1
    n = S.counts[s.EVENTS]
    # points of a pair are adjacent
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
    E[n, s.EVENT_TIME] = when
    E[n, s.EVENT_LASTS] = lasts
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
    """True if contact i bears a load, even one that adhesion balances."""
    return P.gamma[i, 0] > 0.0 or P.impact[i, 0] > 0.0


@kernel
def pressed_by_law(S, P, i):
    """True if a body of contact i belongs to a unit with a coordinate that follows a law."""
    for end in range(2):
        k = P.side[i, end]
        if k != P.size[MOVERS] and S.follows[S.unit_of_node[S.node_of_mover[k]]] == 1:
            return True
    return False


@kernel(options=INLINED)
def is_slow(S, i):
    """True if contact i approaches no faster than loads and drives change that in this step."""
    return abs(S.approach[i, 0]) <= abs(S.foreseen[i, 0] - S.approach[i, 0])


@kernel
def mark_pressed(T, S, P):
    """S.pressed <- kind of contact that presses each unit in this step; S.jump <- effect of lasting
    ones.

    Behind an impact a body led by a law of position is where the law says, and not where its rate
    at the end of the step led the other one. The small approach that remains is no impact, or else
    bodies would close by it again and again.
    """
    h, deep = S.settings[s.STEP], 1e-6 * S.settings[s.SIZE]
    for u in range(S.pressed.shape[0]):
        S.pressed[u] = s.UNPRESSED
    for i in range(P.size[CONTACTS]):
        if not presses(P, i):
            continue
        # closing if motion by the mean of both velocities would overlap; elastic contacts may
        kind = (
            s.CLOSING
            if 0.5 * h * abs(S.approach[i, 0]) > deep
            and S.bends[i, s.SMOOTH] == 0.0
            and not (pressed_by_law(S, P, i) and is_slow(S, i))
            and S.materials[S.pair[i], s.COMPLIANCE] == 0.0
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
            rigid = S.materials[S.pair[i], s.COMPLIANCE] == 0.0
            if rigid and presses(P, i) and a != P.size[MOVERS] and b != P.size[MOVERS]:
                a, b = S.unit_of_node[S.node_of_mover[a]], S.unit_of_node[S.node_of_mover[b]]
                if S.pressed[a] != S.pressed[b]:
                    S.pressed[a] = S.pressed[b] = s.CLOSING
                    spread = True
    # lasting contacts are expected in the next step too
    for u in range(S.pressed.shape[0]):
        for x in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[x]
            for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
                S.jump[j] = S.increments[j] if S.pressed[u] == s.LASTING else 0.0
