"""One step with contacts: semi-implicit Euler of Stewart & Trinkle 1996 and Anitescu & Potra 1997
on the tree of the smooth engine.

    1  where contacts are, at q;  accelerations a without contacts;  v* = v + h a, put on the
        joints:  G v* + b = 0 at the end of the step
    2  impulses gamma of the cone problem with r = D^T v* + b, island by island, joints at their
        stops among the contacts;  v+ = v* + W D gamma
    3  q+ = q (+) (h v+ + what pushes overlaps apart), then joints, couplings and drives closed to
        rounding, positions and velocities
Units that touch nothing step by the midpoint rule, to second order, and so does what is touched by
contacts that last (surface_motion.py); what touches nothing and has no joints costs no more than
its own arithmetic.  Free bodies move by the mean of their velocities too, unless a contact closes
in the step.
Energy: the work of an impulse is gamma . (u(v) + u(v+)) / 2, exactly what it does to the kinetic
energy of the step: of contacts with u = D^T v, of drives with the rates that their rows impose.
The work of loads without potential is that of their power by the trapezoidal rule.  What the
account does not close by is the error of the step itself.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import (
    POINTS,
    impacts_in_turn,
    prepare_island,
    release,
    run_method,
    solve_island,
)
from mechstudio.engine.contacts.cone.islands import find_islands, mark_sleepers, rest
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_ASLEEP,
    I_BLOCK1,
    I_DENSE,
    I_FIRST,
    I_LAST,
    ISLANDS,
    MU,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
)
from mechstudio.engine.contacts.contact_kernels import ENTRY, kernel
from mechstudio.engine.contacts.geometry.meeting import meet
from mechstudio.engine.contacts.geometry.search import copy_points, find_contacts
from mechstudio.engine.contacts.standing import (
    EVERY,
    FLAG,
    INDEX,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.contacts.stepping.contact_rows import (
    SHAPES,
    add_creep,
    fill_contacts,
    fill_overlaps,
    fill_right_side,
    read_approach,
)
from mechstudio.engine.contacts.stepping.energy_account import (
    accounted,
    book_pushing,
    book_pushing_mechanisms,
    book_weight,
    book_work,
    mark_pressed,
)
from mechstudio.engine.contacts.stepping.lifting import lift
from mechstudio.engine.contacts.stepping.overlaps import (
    IN_PARTS,
    MOST_PARTS,
    NO_PAST,
    SHALLOW,
    TOO_DEEP,
    deepest_overlap,
    give_back,
    keep_past,
    turns_fast,
)
from mechstudio.engine.contacts.stepping.prediction import (
    ALONE,
    TOUCHING,
    hold_rates,
    predict,
    predict_by_middle,
    rate_error,
)
from mechstudio.engine.contacts.stepping.response import book_rows, set_masses, set_twists, spread
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
from mechstudio.engine.kernels.recording import body_matrix, quaternion
from mechstudio.engine.kernels.right_hand_side import project, right_hand_side, settle_readings
from mechstudio.engine.kernels.rows.loop_rows import row_values, widest
from mechstudio.engine.kernels.scalar import cross, get3, rotated

STEPPED, NO_ROOM, NOT_FINITE, OPEN, TORN_APART, SINKS, MANY_EVENTS = range(7)


@alone(EVERY, INDEX, s.STAGE, SHAPES, POINTS)
def search(S, table, points):
    """Contacts of the bodies where they are, and of those that come together within a step."""
    return find_contacts(
        table, S.poses, S.velocities, S.settings[s.MARGIN], points, S.settings[s.STEP]
    )


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


@kernel
def solve_contacts(T, S, P, curve):
    """Impulses of all islands, and what they took.   Sleeping islands keep what they had."""
    counts, tally = S.counts, S.tally
    counts[s.ITERATIONS] = counts[s.PRODUCTS] = counts[s.UNCONVERGED] = 0
    tally[s.RESIDUAL] = 0.0
    for e in range(P.size[ISLANDS]):
        first, last = P.islands[e, I_FIRST], P.islands[e, I_LAST]
        L = 0.0
        for i in range(first, last):
            L = max(L, P.y[i, 0])
        if P.islands[e, I_ASLEEP] == 0:
            prepare_island(P, e)
            done, products, left, L = solve_island(P, e, S, L, curve)
            if left < S.settings[s.TOLERANCE]:
                more, made, left, L = release(P, e, S, left, L, curve)
                done, products = done + more, products + made
            counts[s.ITERATIONS] += done
            counts[s.PRODUCTS] += products
            tally[s.RESIDUAL] = max(tally[s.RESIDUAL], left)
            if not left < S.settings[s.TOLERANCE]:
                counts[s.UNCONVERGED] += 1
        for i in range(first, last):
            P.y[i, 0] = L


@alone(EVERY, FLAG, TABLES, s.STAGE, PROBLEM, POINTS, VECTOR)
def correct_overlap(T, S, P, points, curve):
    """S.increments <- what brings overlaps back to the slop, as increments of the coordinates: the
    least motion in kinetic energy, without friction.  Returns whether anything was to be done.
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
    book_pushing(T, S)
    return True


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def move(y, T, S, h):
    """q <- q (+) h v+ and what pushes overlaps apart; units that touch nothing by the mean of their
    velocities, as mechanisms, and free bodies on which nothing but weight acts, whose contacts do
    not close.  Turns are exact for constant angular velocity.
    """
    nodes, D, nq = T.nodes, T.dof, T.size[NQ]
    second = S.settings[s.SECOND_ORDER] > 0.0
    for i in range(nodes.shape[0] - 1):
        u = S.unit_of_node[i]
        mean = second and (
            S.island_of_unit[u] < 0
            or ((S.unit_sleeps[u] == 1 or S.unit_free[u] == 0) and S.pressed[u] != s.CLOSING)
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
    """Give a share of S.rotated back to the velocities of the units that touch something
    (touching), or of all others.
    """
    nodes, nq = T.nodes, T.size[NQ]
    for i in range(nodes.shape[0] - 1):
        if (S.island_of_unit[S.unit_of_node[i]] >= 0) == touching:
            for j in range(nodes[i, V0], nodes[i, V0] + nodes[i, DOF]):
                y[nq + j] += share * S.rotated[j]


@kernel
def step(y, T, S, P, table, points, spare, known, curve):
    """One step of y.  Returns STEPPED, or what prevented it; after NO_ROOM nothing has happened.
    known: whether spare has its contacts, and nodes and bodies are there.
    """
    h, nq, nv, counts, tally = S.settings[s.STEP], T.size[NQ], T.size[NV], S.counts, S.tally
    if known:
        counts[s.REQUESTED] = copy_points(spare, points)
    else:
        poses(y, T)
        read_bodies(T, S)
        counts[s.REQUESTED] = search(S, table, points)
    if S.stops.shape[0] > 0:
        counts[s.REQUESTED] = add_stops(y, S, points, counts[s.REQUESTED])
    if counts[s.REQUESTED] > points.gap.shape[0]:
        return NO_ROOM
    if counts[s.PAST] == NO_PAST and turns_fast(S, table, points):
        keep_past(y, S)
    find_islands(T, S, P, points)
    counts[s.ASLEEP] = mark_sleepers(S, P)
    before_time = y[y.shape[0] - 1]
    before_work = accounted(S)
    predict(y, T, S, h)
    contacts = P.size[CONTACTS]
    counts[s.CONTACTS] = contacts
    tally[s.OVERLAP], tally[s.SUNK], _ = deepest_overlap(S, table, points)
    if contacts > 0:
        for j in range(nq):
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
        fill_contacts(T, S, P, points, table)
        set_masses(T, S, P)
        # velocities before the step, then the predicted ones
        for j in range(nv):
            y[nq + j] = S.before[j]
        poses(y, T)
        set_twists(T, S, P)
        read_approach(S, P)
        for j in range(nv):
            y[nq + j] = S.predicted[j]
        poses(y, T)
        set_twists(T, S, P)
        rebounds = fill_right_side(S, P, points)
        if rebounds > 0 and S.settings[s.SEQUENTIAL] > 0.0:
            for e in range(P.size[ISLANDS]):
                P.islands[e, I_DENSE] = 0
                prepare_island(P, e)
                counts[s.IMPACTS] += impacts_in_turn(P, e, S, points)
        else:
            counts[s.IMPACTS] += rebounds
        recall(S, P, points)
        add_creep(P)
        solve_contacts(T, S, P, curve)
        for e in range(P.size[ISLANDS]):
            # what sleeps is held by its impulses: they balance what it is not accelerated by
            awake = 1.0 - P.islands[e, I_ASLEEP]
            for i in range(P.islands[e, I_FIRST], P.islands[e, I_LAST]):
                for c in range(P.size[WIDTH]):
                    P.trial[i, c] = awake * (P.gamma[i, c] + P.impact[i, c])
        store_impulses(S, P, points)
        spread(T, S, P, P.trial, S.increments)
        if T.size[DRIVEN] > 0 and P.islands[P.size[ISLANDS] - 1, I_BLOCK1] > 0:
            # contacts press on mechanisms, whose drives hold against them
            book_rows(T, S)
        for j in range(nv):
            S.predicted[j] += S.increments[j]
        hold_rates(y, T, S, S.predicted)
        set_twists(T, S, P)
        book_work(T, S, P, points, before_time)
        mark_pressed(T, S, P)
        for j in range(nq):
            y[j] = S.middle[j]
        book_weight(T, S, y, h)
    else:
        counts[s.ITERATIONS] = counts[s.PRODUCTS] = counts[s.UNCONVERGED] = 0
        tally[s.RESIDUAL] = 0.0
        for j in range(nv):
            S.jump[j] = 0.0
        forget(S)
    # keep the impulses of this step for whoever looks, while overlaps are pushed apart
    keep_impulses(S, P)
    if correct_overlap(T, S, P, points, curve):
        book_pushing_mechanisms(y, T, S)
    if T.size[KEPT] > 0:
        turn_with_rows(y, T, S, False, ALONE)
    move(y, T, S, h)
    y[y.shape[0] - 1] = before_time + h
    if T.size[KEPT] > 0:
        # velocities obey the rows as they stood before the step; put on those as they stand behind
        # it they would lose the square of the angle between both, in each step: from half way they
        # lose nothing to second order
        turn_with_rows(y, T, S, True, TOUCHING)
        right_hand_side(y, T, S.slope, False)
        residual = project(y, T, T.settings[CLOSED])
        if not residual < 1e3 * T.settings[CLOSED]:
            return OPEN
        poses(y, T)
        tally[s.JOINT_RESIDUAL] = rate_error(y, T)
        if T.size[HELD] > T.size[KEPT]:
            row_values(y, T, T.size[KEPT], T.size[HELD])
            if not widest(T, T.size[KEPT], T.size[HELD]) < T.settings[TORN]:
                return TORN_APART
        if T.size[DRIVEN] > 0:
            book_rows(T, S)
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
    for j in range(nq + nv):
        if not math.isfinite(y[j]):
            return NOT_FINITE
    return STEPPED


@kernel
def keep_impulses(S, P):
    """S.kept <- the impulses of the step [N s, N m s over the length]."""
    for i in range(P.size[CONTACTS]):
        for c in range(P.size[WIDTH]):
            S.kept[i, c] = P.gamma[i, c] + P.impact[i, c]


@kernel
def look_ahead(y, T, S, table, spare, allowed):
    """STEPPED where no overlap at y is a larger share of its body than allowed, or where small ones
    could be taken away, else SINKS; NO_ROOM where that cannot be told.

    spare: the contacts of a step from there, overwritten.
    """
    for turn in range(2):
        poses(y, T)
        read_bodies(T, S)
        S.counts[s.REQUESTED] = search(S, table, spare)
        if S.counts[s.REQUESTED] > spare.gap.shape[0]:
            return NO_ROOM
        _, share, S.counts[s.DEEPEST] = deepest_overlap(S, table, spare)
        if share <= allowed:
            return STEPPED
        if turn == 1 or share > SHALLOW or not lift(y, T, S, table, spare, allowed):
            return SINKS
    return SINKS


@kernel
def has_room_for_events(S, points):
    """True if a step, or a part of one, has room for an event at every point. What it writes is not
    checked again.
    """
    return S.counts[s.EVENTS] + points.gap.shape[0] <= S.events.shape[0]


@kernel
def careful_step(y, T, S, P, table, points, spare, known, curve):
    """One step of y, in parts where bodies that turn fast would sink into others: (as `step`
    returns, whether spare has the contacts of the next step).  After SINKS and MANY_EVENTS nothing
    has happened either.
    """
    h, start = S.settings[s.STEP], y[y.shape[0] - 1]
    S.counts[s.PAST] = NO_PAST
    what = step(y, T, S, P, table, points, spare, known, curve)
    kept = S.counts[s.PAST] != NO_PAST
    if what == NO_ROOM or (not kept and (what != STEPPED or S.counts[s.UNCONVERGED] == 0)):
        return what, False
    # what overlaps already comes apart in its own time
    allowed, parts = max(TOO_DEEP, S.tally[s.SUNK]), 1
    if what == STEPPED:
        what = look_ahead(y, T, S, table, spare, allowed)
    known = what == STEPPED
    if not kept:
        # impulses that were not found let in what turns slowly too: it is taken out again as far as
        # that can be, and told
        return STEPPED, known
    while what == SINKS and parts < MOST_PARTS:
        parts *= 2
        give_back(y, S)
        S.counts[s.PAST] = IN_PARTS
        S.settings[s.STEP] = h / parts
        what, known = STEPPED, False
        for _ in range(parts):
            if not has_room_for_events(S, points):
                what = MANY_EVENTS
                break
            what = step(y, T, S, P, table, points, spare, known, curve)
            if what == STEPPED:
                what = look_ahead(y, T, S, table, spare, allowed)
            known = what == STEPPED
            if not known:
                break
        S.settings[s.STEP] = h
    # what comes within reach of a part is not all that does of a step
    known = known and parts == 1
    if what == STEPPED:
        y[y.shape[0] - 1] = start + h
    elif what == NO_ROOM or what == SINKS or what == MANY_EVENTS:
        requested, deepest = S.counts[s.REQUESTED], S.counts[s.DEEPEST]
        give_back(y, S)
        S.counts[s.REQUESTED], S.counts[s.DEEPEST] = requested, deepest
    return what, known


@kernel(options=ENTRY)
def run_steps(y, T, S, P, table, points, spare, curve, steps):
    """So many steps of y, fewer where the next one may have more events than there is room for.
    Returns (what ended them, how many were made).
    """
    known = False
    for n in range(steps):
        what, known = careful_step(y, T, S, P, table, points, spare, known, curve)
        if what != STEPPED:
            return what, n
        if not has_room_for_events(S, points):
            return STEPPED, n + 1
    return STEPPED, steps
