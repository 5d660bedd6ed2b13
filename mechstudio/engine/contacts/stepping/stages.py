"""Stages of a step with contacts, in order, each with its formula; `step` of step.py calls them."""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import (
    POINTS,
    copy_impulses,
    impacts_in_turn,
    prepare_island,
    run_method,
    solve_and_release,
)
from mechstudio.engine.contacts.cone.islands import find_islands, mark_sleepers, rest
from mechstudio.engine.contacts.cone.patches.shared_friction import (
    set_shared,
    take_patches,
)
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_ASLEEP,
    I_BLOCK1,
    I_DENSE,
    I_FIRST,
    I_LAST,
    I_NEAR,
    ISLANDS,
    MU,
    PATCHES,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    end_at,
    multiply,
)
from mechstudio.engine.contacts.contact_kernels import MERGED, kernel
from mechstudio.engine.contacts.geometry.search import copy_points, find_contacts
from mechstudio.engine.contacts.geometry.touch_places import meet
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    FLAG,
    INDEX,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.contacts.stepping.adhesion import pull_together
from mechstudio.engine.contacts.stepping.contact_rows import (
    SHAPES,
    add_creep,
    fill_contacts,
    fill_overlaps,
    fill_right_side,
    read_approach,
)
from mechstudio.engine.contacts.stepping.energy_account import (
    account_lift,
    account_weight,
    account_work,
    accounted,
    mark_pressed,
    note_loss,
)
from mechstudio.engine.contacts.stepping.overlaps import (
    NO_PAST,
    WHOLE,
    deepest_overlap,
    store_past,
    turns_fast,
)
from mechstudio.engine.contacts.stepping.prediction import (
    ALONE,
    TOUCHING,
    hold_rates,
    predict,
    predict_by_middle,
    rate_error,
    reach_goals,
)
from mechstudio.engine.contacts.stepping.response import (
    account_rows,
    set_masses,
    set_twists,
    spread,
)
from mechstudio.engine.contacts.stepping.soft_rows import (
    account_soft_rows,
    any_soft,
    foresee_closing,
)
from mechstudio.engine.contacts.stepping.stop_contacts import add_stops
from mechstudio.engine.contacts.stepping.surface_motion import (
    follow_surfaces,
    go_halfway,
    read_bias,
)
from mechstudio.engine.contacts.stepping.warm_start import forget, recall, store_impulses
from mechstudio.engine.kernels.columns import (
    ACC,
    B_NODE,
    BALL,
    BP,
    CLOSED,
    DOF,
    DRIVEN,
    FREE,
    HELD,
    KEPT,
    MOTION,
    NQ,
    NV,
    NX,
    TORN,
    V0,
    O,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.kinematics import poses, step_coordinates
from mechstudio.engine.kernels.recording import body_matrix, kinetic_energy, quaternion
from mechstudio.engine.kernels.right_hand_side import project, right_hand_side, settle_readings
from mechstudio.engine.kernels.rows.loop_rows import row_values, widest
from mechstudio.engine.kernels.scalar import cross, get3, rotated

STEPPED, NO_ROOM, NOT_FINITE, OPEN, TORN_APART, SINKS, MANY_EVENTS = range(7)


@alone(EVERY, NOTHING, TABLES, s.STAGE)
def read_bodies(T, S):
    """Poses and velocities of the bodies, as `poses` left the nodes: origins and angular velocities
    in W.
    """
    N, const = T.node, T.body_const
    for b in range(T.bodies.shape[0]):
        i = T.bodies[b, B_NODE]
        rx, ry, rz = rotated(N, i, R, const[b, BP], const[b, BP + 1], const[b, BP + 2])
        wx, wy, wz = get3(N, i, W)
        cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
        for j in range(3):
            S.velocities[b, 3 + j] = N[i, W + j]
        S.poses[b, 0], S.poses[b, 1], S.poses[b, 2] = (
            N[i, O] + rx,
            N[i, O + 1] + ry,
            N[i, O + 2] + rz,
        )
        S.velocities[b, 0], S.velocities[b, 1], S.velocities[b, 2] = (
            N[i, V] + cx,
            N[i, V + 1] + cy,
            N[i, V + 2] + cz,
        )
        body_matrix(T, b, S.matrix)
        S.poses[b, 3], S.poses[b, 4], S.poses[b, 5], S.poses[b, 6] = quaternion(S.matrix)


@alone(EVERY, INDEX, s.STAGE, SHAPES, POINTS)
def search(S, table, points):
    """Contacts of the bodies where they are, and of those that come together within a step."""
    return find_contacts(
        table, S.poses, S.velocities, S.settings[s.MARGIN], points, S.settings[s.STEP]
    )


@kernel(options=MERGED)
def detect(y, T, S, table, points, spare, known):
    """Contacts within reach, and joints near their stops: `gap(q) < margin + h |u|`.

    Reads y, S.stops, spare.gap; writes points.gap, points.key.

    known: whether spare has the contacts at y, and nodes and bodies are at y.  Returns False if
    they do not fit.
    """
    if known:
        S.counts[s.REQUESTED] = copy_points(spare, points)
    else:
        poses(y, T)
        read_bodies(T, S)
        S.counts[s.REQUESTED] = search(S, table, points)
    if S.stops.shape[0] > 0:
        S.counts[s.REQUESTED] = add_stops(y, S, points, S.counts[s.REQUESTED])
    return S.counts[s.REQUESTED] <= points.gap.shape[0]


@kernel(options=MERGED)
def group(y, T, S, P, table, points):
    """Islands of what contacts join, each a cone problem of its own: `N = diag(N₁, N₂, …)`.

    Reads S.asleep, points.shape_a; writes P.islands, P.blocks, S.order.
    """
    soft = any_soft(T)
    if S.counts[s.PAST] == NO_PAST and (
        soft or S.settings[s.ELASTIC] > 0.0 or turns_fast(S, table, points)
    ):
        store_past(y, S, WHOLE)
    find_islands(T, S, P, table, points)
    S.counts[s.ASLEEP] = mark_sleepers(S, P)
    S.counts[s.CONTACTS] = P.size[CONTACTS]
    if soft:
        foresee_closing(T, S, P, table, points)


@kernel(options=MERGED)
def measure_overlap(S, table, points):
    """Deepest overlap, and its largest share of a body: `max(−gap), max(−gap / size)`.

    Reads points.gap; writes S.tally.
    """
    S.tally[s.OVERLAP], S.tally[s.SUNK], _ = deepest_overlap(S, table, points)


@kernel(options=MERGED)
def go_to_middle(y, T, S, P, table, points, h):
    """Frames and rows at the middle of the step where contacts last: `D = D(q ⊕ h v / 2)`.

    Reads S.before, points.gap; writes S.middle, S.bends, S.predicted.
    """
    for j in range(T.size[NQ]):
        S.middle[j] = y[j]
    if P.islands[P.size[ISLANDS] - 1, I_BLOCK1] > 0:
        read_bias(y, T, S, P, h)
    smooth = follow_surfaces(T, S, P, table, points)
    meet(T, S, P, table, points)
    if smooth > 0:
        if go_halfway(y, T, S, P, h) > 0:
            predict_by_middle(T, S)
            right_hand_side(y, T, S.slope, False)
        poses(y, T)


@kernel(options=MERGED)
def linearise(y, T, S, P, table, points):
    """Cone problem of the velocities at the end of the step: `N = Dᵀ W D, r = Dᵀ v* + b`.

    Reads S.predicted, S.bends, points.gap; writes P.frame, P.mass, P.r, P.impact.
    """
    nq, nv = T.size[NQ], T.size[NV]
    fill_contacts(T, S, P, points, table)
    set_masses(T, S, P)
    # velocities before the step, then the predicted ones
    for j in range(nv):
        y[nq + j] = S.before[j]
    poses(y, T)
    set_twists(T, S, P)
    read_approach(S, P, points)
    if S.settings[s.ADHESIVE] > 0.0:
        recall(S, P, points)
        pull_together(S, P, points)
    for j in range(nv):
        y[nq + j] = S.predicted[j]
    poses(y, T)
    set_twists(T, S, P)
    rebounds = fill_right_side(S, P, points)
    S.counts[s.CROSSED] = 0
    if rebounds > 0 and S.settings[s.SEQUENTIAL] > 0.0:
        for e in range(P.size[ISLANDS]):
            P.islands[e, I_DENSE] = 0
            prepare_island(P, e)
            S.counts[s.IMPACTS] += impacts_in_turn(P, e, S, points)
    else:
        S.counts[s.IMPACTS] += rebounds


@kernel(options=MERGED)
def start_warm(S, P, points):
    """First guess by the impulses of the step before: `γ₀ = γ(t − h)`.

    Reads S.remembered, points.key; writes P.gamma.
    """
    recall(S, P, points)
    add_creep(P)


@kernel
def solve_sharing(P, island, S, table, points, L, curve):
    """Solve an island with its patches: (residual [m/s], L).  If that does not converge, friction
    stays at their corners in this step, which S.counts record.
    """
    if S.settings[s.SHARING] == 0.0:
        return solve_and_release(P, island, S, L, curve)
    patches, tolerance = take_patches(P, island, S, points, table, False), S.settings[s.TOLERANCE]
    # the impulses of the step before are no longer needed
    copy_impulses(P, island, P.gamma, S.kept)
    curvature = L
    left, L = solve_and_release(P, island, S, L, curve)
    if patches > 0 and not left < tolerance:
        P.size[PATCHES] = 0
        S.counts[s.CORNERED] += 1
        set_shared(S, P.islands[island, I_FIRST], P.islands[island, I_LAST], 0)
        copy_impulses(P, island, S.kept, P.gamma)
        # a solve that ran away leaves no curvature either
        return solve_and_release(P, island, S, curvature, curve)
    if left < tolerance and take_patches(P, island, S, points, table, True) > patches:
        copy_impulses(P, island, P.gamma, S.kept)
        shared, more = solve_and_release(P, island, S, L, curve)
        if shared < tolerance:
            left, L = shared, more
        else:
            S.counts[s.CORNERED] += 1
            set_shared(S, P.islands[island, I_FIRST], P.islands[island, I_LAST], 0)
            copy_impulses(P, island, S.kept, P.gamma)
    P.size[PATCHES] = 0
    return left, L


@kernel
def solve_near(P, island, S, table, points, L, curve):
    """Solve an island without its far contacts (cone/islands.py), and with them if one of these
    would close: (residual [m/s], L).
    """
    I, tolerance = P.islands, S.settings[s.TOLERANCE]
    near, last, left = I[island, I_NEAR], I[island, I_LAST], 0.0
    if near > I[island, I_FIRST]:
        end_at(P, island, near)
        prepare_island(P, island)
        left, L = solve_sharing(P, island, S, table, points, L, curve)
    if near == last:
        return left, L
    set_shared(S, near, last, 0)
    for i in range(near, last):
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = 0.0
    # the product of its movers, for which no matrix is needed
    I[island, I_LAST], I[island, I_DENSE], closing = last, 0, 0.0
    multiply(P, island, P.gamma, P.product_gamma)
    for i in range(near, last):
        closing = max(closing, -(P.product_gamma[i, 0] + P.r[i, 0]))
    end_at(P, island, last)
    if closing >= tolerance:
        prepare_island(P, island)
        left, L = solve_sharing(P, island, S, table, points, L, curve)
    return left, L


@kernel
def solve_contacts(S, P, table, points, curve):
    """Impulses of all islands: `K ∋ γ ⟂ N γ + r + μ |u_t| e_n ∈ K*`.

    Reads P.frame, P.mass, P.r; writes P.gamma, S.counts.

    Sleeping islands keep their impulses.  Flat patches that spin, or that bear more than even
    pressure could, share their friction inside.
    """
    counts, tally = S.counts, S.tally
    counts[s.ITERATIONS] = counts[s.PRODUCTS] = counts[s.UNCONVERGED] = counts[s.CORNERED] = 0
    tally[s.RESIDUAL] = 0.0
    if counts[s.CROSSED] > 0:
        # a body that has no way left to where it rebounds from next is held there
        counts[s.UNCONVERGED] = 1
    for e in range(P.size[ISLANDS]):
        first, last = P.islands[e, I_FIRST], P.islands[e, I_LAST]
        L = 0.0
        for i in range(first, last):
            L = max(L, P.y[i, 0])
        if P.islands[e, I_ASLEEP] == 0:
            left, L = solve_near(P, e, S, table, points, L, curve)
            tally[s.RESIDUAL] = max(tally[s.RESIDUAL], left)
            if not left < S.settings[s.TOLERANCE]:
                counts[s.UNCONVERGED] += 1
        for i in range(first, last):
            P.y[i, 0] = L


@kernel(options=MERGED)
def apply_impulses(y, T, S, P, points):
    """Velocities after the impulses, joints and drives held: `v⁺ = v* + W D γ`.

    Reads P.gamma, P.impact; writes S.remembered, S.predicted, y.
    """
    for e in range(P.size[ISLANDS]):
        # the impulses of a sleeping unit balance the accelerations that it does not follow
        awake = 1.0 - P.islands[e, I_ASLEEP]
        for i in range(P.islands[e, I_FIRST], P.islands[e, I_LAST]):
            for c in range(P.size[WIDTH]):
                P.trial[i, c] = awake * (P.gamma[i, c] + P.impact[i, c])
    store_impulses(S, P, points)
    spread(T, S, P, P.trial, S.increments)
    if T.size[DRIVEN] > 0 and P.islands[P.size[ISLANDS] - 1, I_BLOCK1] > 0:
        # contacts press on mechanisms, and their drives react
        account_rows(T, S)
    for j in range(T.size[NV]):
        S.predicted[j] += S.increments[j]
    hold_rates(y, T, S, S.predicted)


@kernel(options=MERGED)
def account(y, T, S, P, points, before_time, h):
    """Work of the impulses, of friction and of impacts: `γ · (u(v) + u(v⁺)) / 2`.

    Reads P.gamma, S.approach, S.middle; writes S.tally, S.events, y.
    """
    work = S.tally[s.NORMAL_WORK]
    set_twists(T, S, P)
    account_work(T, S, P, points, before_time)
    mark_pressed(T, S, P)
    for j in range(T.size[NQ]):
        y[j] = S.middle[j]
    account_weight(T, S, y, h)
    note_loss(S, P, points, work)


@alone(EVERY, FLAG, TABLES, s.STAGE, PROBLEM, POINTS, VECTOR)
def correct_overlap(T, S, P, points, curve):
    """S.increments <- increments of the coordinates that reduce overlaps to the slop: the least
    motion in kinetic energy, without friction.  Returns whether there were any.
    """
    for j in range(T.size[NV]):
        S.increments[j] = 0.0
    settings = S.settings
    slop, h = settings[s.SLOP], settings[s.STEP]
    if slop < 0.0 or P.size[CONTACTS] == 0 or not fill_overlaps(S, P, points):
        return False
    for i in range(P.size[CONTACTS]):
        P.cone[i, MU] = P.cone[i, SPIN] = P.cone[i, ROLL] = 0.0
    for e in range(P.size[ISLANDS]):
        if P.islands[e, I_ASLEEP] == 0:
            prepare_island(P, e)
            run_method(P, e, 0, 0.5 * slop / h, min(int(settings[s.MOST]), 100), 0.0, 0.0, curve)
    spread(T, S, P, P.gamma, S.increments)
    for j in range(T.size[NV]):
        S.increments[j] *= h
    return True


@kernel
def keep_impulses(S, P):
    """S.kept <- the impulses of the step [N s, N m s over the length]."""
    for i in range(P.size[CONTACTS]):
        for c in range(P.size[WIDTH]):
            S.kept[i, c] = P.gamma[i, c] + P.impact[i, c]


@kernel(options=MERGED)
def push_apart(y, T, S, P, points, curve):
    """Least motion that brings overlaps back to the slop: `min δᵀ M δ, Dᵀ δ ≥ overlap − slop`.

    Reads points.gap, P.mass; writes S.kept, S.increments.

    The impulses of the step are kept for readers.
    """
    keep_impulses(S, P)
    if correct_overlap(T, S, P, points, curve):
        account_lift(y, T, S)


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def move(y, T, S, h):
    """q <- q (+) h v+ and the separation of overlaps.  Units whose contacts do not close, or that
    have none, move by the mean of their velocities.  Turns are exact for constant angular velocity.
    """
    nodes, D, nq = T.nodes, T.dof, T.size[NQ]
    second = S.settings[s.SECOND_ORDER] > 0.0
    for i in range(nodes.shape[0] - 1):
        u = S.unit_of_node[i]
        mean = second and (
            S.island_of_unit[u] < 0 or (S.pressed[u] != s.CLOSING and S.closes[u] == 0)
        )
        first, last = nodes[i, V0], nodes[i, V0] + nodes[i, DOF]
        for j in range(first, last):
            rate = 0.5 * (S.before[j] + y[nq + j]) if mean else y[nq + j]
            D[j, ACC] = h * rate + S.increments[j]
        motion = nodes[i, MOTION]
        if motion == FREE or motion == BALL:
            a = last - 3
            angle = math.sqrt(D[a, ACC] ** 2 + D[a + 1, ACC] ** 2 + D[a + 2, ACC] ** 2)
            if angle > 1e-8:
                stretch = math.tan(min(0.5 * angle, 1.5)) / (0.5 * angle)
                for j in range(a, last):
                    D[j, ACC] *= stretch
    step_coordinates(y, T, ACC)


@kernel
def turn_with_rows(y, T, S, touching, share):
    """Restore a share of S.rotated to the velocities of the units with contacts (touching), or of
    all others.
    """
    nodes, nq = T.nodes, T.size[NQ]
    for i in range(nodes.shape[0] - 1):
        if (S.island_of_unit[S.unit_of_node[i]] >= 0) == touching:
            for j in range(nodes[i, V0], nodes[i, V0] + nodes[i, DOF]):
                y[nq + j] += share * S.rotated[j]


@kernel(options=MERGED)
def advance(y, T, S, before_time, h):
    """Coordinates at the end of the step: `q⁺ = q ⊕ (h v⁺ + δ)`.

    Reads S.before, S.increments; writes y.
    """
    if T.size[KEPT] > 0:
        turn_with_rows(y, T, S, False, ALONE)
    move(y, T, S, h)
    y[y.shape[0] - 1] = before_time + h


@kernel(options=MERGED)
def close_joints(y, T, S):
    """Joints, couplings and drives closed to rounding: `C(q⁺) = 0, G v⁺ + b = 0`.

    Reads S.rates, y; writes S.tally, y.

    Returns STEPPED, or OPEN or TORN_APART if that fails.
    """
    what, S.tally[s.CLOSING] = STEPPED, 0.0
    if T.size[KEPT] > 0:
        # velocities satisfy the rows as they were before the step; projected onto the rows after it
        # they would lose the square of the angle between both, in each step; from the middle they
        # lose nothing to second order
        turn_with_rows(y, T, S, True, TOUCHING)
        right_hand_side(y, T, S.slope, False)
        residual = project(y, T, T.settings[CLOSED])
        if not residual < 1e3 * T.settings[CLOSED]:
            what = OPEN
        else:
            before = kinetic_energy(T)
            poses(y, T)
            after = kinetic_energy(T)
            if before > 0.0 or after > 0.0:
                S.tally[s.CLOSING] = abs(before - after) / max(before, after)
            if T.size[HELD] > T.size[KEPT]:
                row_values(y, T, T.size[KEPT], T.size[HELD])
                if not widest(T, T.size[KEPT], T.size[HELD]) < T.settings[TORN]:
                    what = TORN_APART
            if what == STEPPED and T.size[DRIVEN] > 0:
                account_rows(T, S)
            if S.settings[s.ACCELERATED] > 0.0:
                reach_goals(y, T, S)
            S.tally[s.JOINT_RESIDUAL] = rate_error(y, T, S)
    return what


@kernel(options=MERGED)
def finish(y, T, S, P, before_work, h):
    """Work, rest and the worst of the run so far: `error = E(t + h) − E(t) − work`.

    Reads S.counts, S.tally; writes S.still, y.

    Returns STEPPED, or NOT_FINITE.
    """
    counts, tally, nq, nv = S.counts, S.tally, T.size[NQ], T.size[NV]
    if any_soft(T):
        account_soft_rows(y, T, S, h)
    y[nq + nv] += accounted(S) - before_work
    if T.size[NX] > 0:
        settle_readings(y, T)
    rest(T, S, P, y, h)
    tally[s.WORST_RESIDUAL] = max(tally[s.WORST_RESIDUAL], tally[s.RESIDUAL])
    tally[s.WORST_OVERLAP] = max(tally[s.WORST_OVERLAP], tally[s.OVERLAP])
    tally[s.WORST_SUNK] = max(tally[s.WORST_SUNK], tally[s.SUNK])
    tally[s.WORST_JOINT] = max(tally[s.WORST_JOINT], tally[s.JOINT_RESIDUAL])
    tally[s.ALL_ITERATIONS] += counts[s.ITERATIONS]
    counts[s.STEPS] += 1
    S.settings[s.TAKEN] = h
    counts[s.UNSOLVED] += 1 if counts[s.UNCONVERGED] > 0 else 0
    counts[s.UNSHARED] += 1 if counts[s.CORNERED] > 0 else 0
    what = STEPPED
    for j in range(nq + nv):
        if not math.isfinite(y[j]):
            what = NOT_FINITE
    return what


@kernel
def touch_nothing(T, S):
    """Clear all impulses, including the stored ones, if nothing touches."""
    S.counts[s.ITERATIONS] = S.counts[s.PRODUCTS] = S.counts[s.UNCONVERGED] = 0
    S.counts[s.CROSSED] = 0
    S.counts[s.CORNERED] = 0
    S.tally[s.RESIDUAL] = S.tally[s.STIFFEST] = 0.0
    for j in range(T.size[NV]):
        S.jump[j] = 0.0
    for u in range(S.pressed.shape[0]):
        S.pressed[u] = s.UNPRESSED
    forget(S)


# in their order; those from go_to_middle to account are left out where nothing touches
STAGES = (
    detect,
    group,
    measure_overlap,
    predict,
    go_to_middle,
    linearise,
    start_warm,
    solve_contacts,
    apply_impulses,
    account,
    push_apart,
    advance,
    close_joints,
    finish,
)
