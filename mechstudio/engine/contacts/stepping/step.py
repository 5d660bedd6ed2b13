"""One step with contacts: semi-implicit Euler of Stewart & Trinkle 1996 and Anitescu & Potra 1997
on the tree of the smooth engine.

    1 contacts at q; accelerations a without contacts; v* = v + h a, projected onto the joints: G v*
    + b = 0 at the end of the step
    2  impulses gamma of the cone problem with r = D^T v* + b, island by island, joints at their
        stops among the contacts;  v+ = v* + W D gamma
    3 q+ = q (+) (h v+ + separation of overlaps), then joints, couplings and drives closed to
    rounding, positions and velocities
Units without contacts step by the midpoint rule, to second order, and so do units with lasting
contacts (surface_motion.py).  A free body without contacts costs no more than its own arithmetic.
Free bodies also move by the mean of their velocities, unless a contact closes in the step.
Energy: the work of an impulse is gamma . (u(v) + u(v+)) / 2, exactly the change of kinetic energy
that it causes in the step: of contacts with u = D^T v, of drives with the rates that their rows
impose.  The work of loads without potential is that of their power by the trapezoidal rule.  The
remaining imbalance of the account is the error of the step itself.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    normal_response,
)
from mechstudio.engine.contacts.contact_kernels import ENTRY, INLINED, kernel
from mechstudio.engine.contacts.elastic import too_stiff
from mechstudio.engine.contacts.stepping.energy_account import (
    accounted,
)
from mechstudio.engine.contacts.stepping.overlap_correction import lift
from mechstudio.engine.contacts.stepping.overlaps import (
    MOST_PARTS,
    NO_PAST,
    PART,
    SHALLOW,
    TOO_DEEP,
    WHOLE,
    deepest_overlap,
    impacts_before,
    restore_past,
    sinks_unseen,
    store_past,
)
from mechstudio.engine.contacts.stepping.prediction import (
    predict,
)
from mechstudio.engine.contacts.stepping.soft_rows import any_soft, jolts
from mechstudio.engine.contacts.stepping.stages import (
    MANY_EVENTS,
    NO_ROOM,
    OPEN,
    SINKS,
    STEPPED,
    account,
    advance,
    apply_impulses,
    close_joints,
    detect,
    finish,
    go_to_middle,
    group,
    linearise,
    measure_overlap,
    push_apart,
    read_bodies,
    search,
    solve_contacts,
    start_warm,
    touch_nothing,
)
from mechstudio.engine.contacts.stepping.stop_contacts import passes_stop
from mechstudio.engine.kernels.columns import KEPT
from mechstudio.engine.kernels.kinematics import poses

# rebounds contradict each other where the residual of a step is larger than so many tolerances, or
# the impulse of one contact would by itself give so many times the fastest approach
FAR_OFF, SQUEEZED = 1e3, 30.0
LEAST_SQUEEZED = MOST_PARTS // 256  # parts of a step that are not divided for that
# share of the kinetic energy that closing the loops takes or gives, above which a step is repeated
# in shorter parts: a light crank under a heavy slide passes its dead centre within a step
FAR_CLOSING = 1e-8


@kernel
def step(y, T, S, P, table, points, spare, known, curve):
    """One step of y by the STAGES of stages.py: STEPPED, or the obstacle; after NO_ROOM y is
    unchanged. known: whether spare has the contacts at y, and nodes and bodies are at y.
    """
    if not detect(y, T, S, table, points, spare, known):
        return NO_ROOM
    group(y, T, S, P, table, points)
    measure_overlap(S, table, points)
    h, before_time, before_work = S.settings[s.STEP], y[y.shape[0] - 1], accounted(S)
    predict(y, T, S, h)
    if P.size[CONTACTS] > 0:
        go_to_middle(y, T, S, P, table, points, h)
        linearise(y, T, S, P, table, points)
        start_warm(S, P, points)
        solve_contacts(S, P, table, points, curve)
        apply_impulses(y, T, S, P, points)
        account(y, T, S, P, points, before_time, h)
    else:
        touch_nothing(T, S)
    push_apart(y, T, S, P, points, curve)
    advance(y, T, S, before_time, h)
    what = close_joints(y, T, S)
    if what != STEPPED:
        return what
    return finish(y, T, S, P, before_work, h)


@kernel
def look_ahead(y, T, S, table, spare, allowed):
    """STEPPED if no overlap at y is a larger share of its body than allowed, or small ones could be
    removed, else SINKS; NO_ROOM if the contacts did not fit.

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
    """True if a step, or a part of one, has room for an event at every point. Writing events is not
    checked again.
    """
    return S.counts[s.EVENTS] + points.gap.shape[0] <= S.events.shape[0]


@kernel
def verdict(y, T, S, table, spare, allowed, before):
    """SINKS for a step that should be repeated in shorter parts: it leads deeper than allowed,
    through a stop or unseen into an elastic surface, or is too long for an impact or an elastic
    contact; else as `look_ahead` returns.

    before: place in S.past of the state before it.
    """
    if too_stiff(S) or (any_soft(T) and (jolts(T, S) or passes_stop(y, S, before))):
        return SINKS
    what = look_ahead(y, T, S, table, spare, allowed)
    return SINKS if what == STEPPED and sinks_unseen(S, table, spare) else what


@kernel(options=INLINED)
def closes_badly(T, S, what):
    """True if the loops of a mechanism did not close at the end of a step, or only far away."""
    return T.size[KEPT] > 0 and (
        what == OPEN or (what == STEPPED and S.tally[s.CLOSING] > FAR_CLOSING)
    )


@kernel
def is_squeezed(S, P, place):
    """True if bodies should rebound in the last step, or part of one, from what is beyond the play
    behind them: no velocity does, and what squeezes them is without bounds.  In shorter parts they
    rebound from one after the other.

    place: in S.past, of the state before it.
    """
    if S.counts[s.CROSSED] > 0:
        return True
    if S.counts[s.UNCONVERGED] == 0 or S.counts[s.IMPACTS] == impacts_before(S, place):
        return False
    if S.tally[s.RESIDUAL] > FAR_OFF * S.settings[s.TOLERANCE]:
        return True
    fastest = given = 0.0
    for i in range(P.size[CONTACTS]):
        fastest = max(fastest, -S.approach[i, 0])
        given = max(given, S.kept[i, 0] * normal_response(P, i))
    return given > SQUEEZED * fastest


@kernel
def in_parts(y, T, S, P, table, points, spare, curve, allowed):
    """One step of y in parts, halved until they succeed and then doubled: as `step` returns.  The
    state is that before the step; S.settings has the length of its last part on return.
    """
    h, left, size, what = S.settings[s.STEP], MOST_PARTS, MOST_PARTS // 2, STEPPED
    while left > 0 and what == STEPPED:
        size = min(size, left)
        if not has_room_for_events(S, points):
            return MANY_EVENTS
        store_past(y, S, PART)
        S.settings[s.STEP] = h * size / MOST_PARTS
        what = step(y, T, S, P, table, points, spare, False, curve)
        squeezed = what == STEPPED and size > LEAST_SQUEEZED and is_squeezed(S, P, PART)
        if squeezed or (size > 1 and closes_badly(T, S, what)):
            what = SINKS
        elif what == STEPPED and size > 1:
            what = verdict(y, T, S, table, spare, allowed, PART)
        elif what == STEPPED:
            # the energy account reports an impact on so stiff a spring
            what = look_ahead(y, T, S, table, spare, allowed)
        if what == SINKS and size > 1:
            restore_past(y, S, PART)
            size, what = size // 2, STEPPED
        elif what == STEPPED:
            left, size = left - size, 2 * size
    return what


@kernel
def careful_step(y, T, S, P, table, points, spare, known, curve):
    """One step of y, in parts where bodies that turn fast would sink into others, where an impact
    meets stiff springs or surfaces, where rebounds contradict each other, or where loops close
    badly: (as `step` returns, whether spare has the contacts of the next step).
    After SINKS and MANY_EVENTS y is unchanged too.
    """
    h, start = S.settings[s.STEP], y[y.shape[0] - 1]
    if T.size[KEPT] > 0 or S.settings[s.REBOUNDS] > 0.0:
        store_past(y, S, WHOLE)
    S.counts[s.PAST] = NO_PAST
    what = step(y, T, S, P, table, points, spare, known, curve)
    kept = S.counts[s.PAST] != NO_PAST
    if closes_badly(T, S, what) or (what == STEPPED and is_squeezed(S, P, WHOLE)):
        what, kept = SINKS, True
    if what == NO_ROOM or (not kept and (what != STEPPED or S.counts[s.UNCONVERGED] == 0)):
        return what, False
    # existing overlaps separate in later steps
    allowed = max(TOO_DEEP, S.tally[s.SUNK])
    if not kept:
        # unconverged impulses let slowly turning bodies sink in too: they are lifted out as far as
        # possible, and the result is reported
        return STEPPED, look_ahead(y, T, S, table, spare, allowed) == STEPPED
    if what == STEPPED:
        what = verdict(y, T, S, table, spare, allowed, WHOLE)
    known = what == STEPPED
    if what == SINKS:
        restore_past(y, S, WHOLE)
        what = in_parts(y, T, S, P, table, points, spare, curve, allowed)
        S.settings[s.STEP] = h
    if what == STEPPED:
        y[y.shape[0] - 1] = start + h
    elif what == NO_ROOM or what == SINKS or what == MANY_EVENTS:
        requested, deepest = S.counts[s.REQUESTED], S.counts[s.DEEPEST]
        restore_past(y, S, WHOLE)
        S.counts[s.REQUESTED], S.counts[s.DEEPEST] = requested, deepest
    # contacts within reach of a part are not all those of a step
    return what, known


@kernel(options=ENTRY)
def run_steps(y, T, S, P, table, points, spare, curve, steps):
    """So many steps of y, fewer if the next one may exceed the room for events.  Returns (verdict
    of the last step, number of steps).
    """
    known = False
    for n in range(steps):
        what, known = careful_step(y, T, S, P, table, points, spare, known, curve)
        if what != STEPPED:
            return what, n
        if not has_room_for_events(S, points):
            return STEPPED, n + 1
    return STEPPED, steps
