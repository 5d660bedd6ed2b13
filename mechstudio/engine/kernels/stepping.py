"""Explicit Runge-Kutta steps with projection, dense output and the measures for singular positions.

One compiled function serves every method of engine/integration/integrators.py: the coefficients are
arguments.  A method without an error estimate has a fixed step.  The function returns whenever its
budget of evaluations is used up and continues from the same arrays, so that a run can be watched
and stopped at any time.

Four measures pass a singular position on the right branch (a four-bar lying flat):
1. where a row pivot has fallen below NEAR of its generic value each stage is projected
(`right_hand_side`);
2. there the step is not cut below a tenth of the last regular step: the estimate contains only the
error that the projection removes;
3. a step never ends on the singular position: it is redone with another length, at most three
times;
4. one proximal refinement.   After eight consecutive refusals the second rule is dropped.
Where dropped rows could replace a kept one (Bennett's linkage) the position may be singular for the
kept rows alone: before a step with a low pivot is accepted, other rows are tried (COLLAPSED,
engine/integration/smooth_run.py).

After every step all rows of joints and couplings are checked, dropped ones included: a shaky
mechanism would be torn apart otherwise, since its rows are dependent at its pose and independent
beside it (TORN_APART, engine/system/torn_joints.py).

Stops of joints are only watched here: a step in which one may have been passed, or an active one
may have begun to pull, is returned unaccepted (TOUCHED), with its dense output;
engine/integration/events finds the instant and decides.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    CLOSED,
    EVALUATIONS,
    HELD,
    INLINE,
    KEPT,
    NEAR,
    NQ,
    NV,
    NX,
    OPTIONS,
    SPARE,
    TORN,
    UNHELD,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.loads.law_bounds import hides, note_stage
from mechstudio.engine.kernels.right_hand_side import close, evaluate
from mechstudio.engine.kernels.rows.loop_rows import row_values, widest
from mechstudio.engine.kernels.rows.readings import settle
from mechstudio.engine.kernels.run_tables import (
    ACCEPTED,
    BEGUN,
    BUSY,
    COLLAPSED,
    CUT,
    DENSE_H,
    DONE,
    END,
    EXCHANGE,
    FRESH,
    FULL,
    GOING,
    GOOD,
    HERE,
    HIDDEN,
    LARGEST,
    LEFT_ROWS,
    LONGEST,
    LOOKED,
    MOVED,
    NEXT,
    NOT_FINITE,
    OPEN,
    OPEN_BETWEEN,
    PIVOT,
    QUIET,
    REFUSALS,
    REGULAR,
    REJECTED,
    SHORTER,
    STARTED,
    STEP,
    TAKEN,
    TIME,
    TOLERANCE,
    TORN_APART,
    TOUCHED,
    TRUSTED,
    UNCUT,
    UNDERFLOW,
    UNSEEN,
)
from mechstudio.engine.kernels.steps.dense_output import (
    dense_output,
    interpolate,
    next_sample,
    sample_within,
)
from mechstudio.engine.kernels.steps.stops import breaks, passed, pulls, restore_bounds, rests

FAILED = 1e3  # residual after a failed projection, in units of CLOSED, at least
STUCK = (
    1e-3  # relative row pivot below which steps that shrink and shrink have come to a dead point
)
FALLEN = 0.1  # of the pivot at the start of the run, below which one has fallen
TOO_NEAR = 1e-3  # part of NEAR below which no step ends
MOST_HIDDEN = 60  # consecutive refusals because of a typed law between stages
LEAST_SEEN = 1e-13  # part of the run's length below which no step is cut for it
LOST = (
    100.0  # residual of a dropped row, in units of CLOSED, from which the choice of rows is wrong
)


@njit(**INLINE)
def copy(a, b):
    """b <- a."""
    for j in range(a.shape[0]):
        b[j] = a[j]


@njit(**INLINE)
def first_step(run):
    """A first step from the sizes of y's weights and y' (after Hairer, Norsett & Wanner 1993,
    II.4).
    """
    clock, y, K = run.clock, run.y, run.K
    d1 = 0.0
    weighed = 0
    for j in range(y.shape[0]):
        if run.scale[j] > 0.0:
            d = K[0, j] / (run.scale[j] + min(abs(y[j]), run.cap[j]))
            d1 += d * d
            weighed += 1
    # the time in which the state would change by a hundredth; at rest the duration gives the scale
    h = 0.01 * math.sqrt(weighed / d1) if d1 > 0.0 else 1e-4 * clock[END]
    return min(h, 0.1 * clock[END])


@njit(**INLINE)
def combine(run, method, h, s):
    """Write the state of stage s into trial."""
    A, K, y, w = method.A, run.K, run.y, run.trial
    n = y.shape[0]
    for j in range(n):
        w[j] = y[j]
    for l in range(s):
        a = h * A[s, l]
        if a != 0.0:
            for j in range(n):
                w[j] += a * K[l, j]


@njit(**INLINE)
def error_norm(run, method, h, count):
    """The estimated error of the step in units of the tolerance: DOP853's, from the embedded orders
    5 and 3.
    """
    K, y, w, tolerance = run.K, run.y, run.trial, run.clock[TOLERANCE]
    n3 = n5 = 0.0
    weighed = 0
    for j in range(y.shape[0]):
        if run.scale[j] > 0.0:
            e3 = e5 = 0.0
            for l in range(count):
                e3 += method.E3[l] * K[l, j]
                e5 += method.E5[l] * K[l, j]
            s = 1.0 / (tolerance * (run.scale[j] + min(max(abs(y[j]), abs(w[j])), run.cap[j])))
            n3 += e3 * s * (e3 * s)
            n5 += e5 * s * (e5 * s)
            weighed += 1
    return 0.0 if n5 == 0.0 else h * n5 / math.sqrt((n5 + 0.01 * n3) * weighed)


@njit(**INLINE)
def finish_step(run, method, h, low, near):
    """Write the new state into trial.  Returns the estimated error, 0 without an estimate; from 1
    on the step must be refused.
    """
    K, y, w, S = run.K, run.y, run.trial, method.dense[0]
    for j in range(y.shape[0]):
        x = 0.0
        for l in range(S):
            x += method.B[l] * K[l, j]
        w[j] = y[j] + h * x
    if method.dense[2] == 0:
        return 0.0
    err = error_norm(run, method, h, S)
    if low < near and h <= 0.1001 * run.clock[REGULAR] and not math.isnan(err):
        err = min(err, 0.4)  # the normal part of the error, which the projection removes
    return err


@njit(**INLINE)
def refuse(run, method, h, err, low, near):
    """Choose the next, smaller step after a refused one of h."""
    clock, count = run.clock, run.count
    count[REJECTED] += 1
    count[REFUSALS] += 1
    known = not math.isnan(err)
    h *= max(0.2, 0.8 * err ** (-1.0 / method.dense[3])) if known else 0.2
    if count[REFUSALS] > 8:
        clock[REGULAR] = 0.0  # no crossing: let the step shrink
    if low < near and clock[REGULAR] > 0.0 and known:
        h = max(h, 0.1 * clock[REGULAR])
    count[CUT] = 1
    clock[PIVOT] = 1.0
    clock[STEP] = h


@njit(**INLINE)
def finite(a, first, last):
    """True if no number of a[first:last] is infinite or NaN."""
    s = 0.0
    for j in range(first, last):
        s += 0.0 * a[j]
    return s == 0.0


@njit(**INLINE)
def aside(clock, h, end, least):
    """The length with which to redo a step of h that ends on a singular position or next to it,
    end: at this relative pivot, below `least`.

    A pivot is proportional to the square of the time from its zero, so that the end lies h sqrt(end
    / HERE) from it, on either side.  The step is shortened by that and twice the distance at which
    the pivot is `least`, which is far enough on both sides, or lengthened by as much if the rest
    would be short.
    """
    by = h * max(
        0.15,
        min(1.0, (math.sqrt(end) + 2.0 * math.sqrt(least)) / math.sqrt(max(clock[HERE], least))),
    )
    return h - by if by < 0.5 * h else h + by


@njit(**INLINE)
def judge(run, method, T, h, low, end):
    """Verdict on a step that has passed its error test: NOT_FINITE, COLLAPSED, SHORTER (repeat it
    with a shorter step) or TAKEN.
    """
    clock, count, near = run.clock, run.count, T.settings[NEAR]
    n = T.size[NQ] + T.size[NV]
    if not finite(run.trial, 0, n) or not finite(run.K[method.dense[0]], 0, n):
        return NOT_FINITE
    if T.size[SPARE] > 0 and min(low, end) < clock[EXCHANGE]:
        if end < clock[EXCHANGE] or method.dense[2] == 0 or count[MOVED] == 3:
            return COLLAPSED
        # somewhere within the step: nearer to it other rows prove better
        count[MOVED] += 1
        count[REJECTED] += 1
        clock[STEP] = 0.5 * h
        return SHORTER
    if end >= TOO_NEAR * near:
        return TAKEN
    if count[TRUSTED] == 0:
        return COLLAPSED
    if method.dense[2] == 1 and count[MOVED] < 3 and clock[TIME] + h < clock[END]:
        count[MOVED] += 1
        count[REJECTED] += 1
        clock[STEP] = aside(clock, h, end, TOO_NEAR * near)
        clock[PIVOT] = end
        return SHORTER
    return TAKEN


@njit(**INLINE)
def accept(run, method, h, err, low, end, near):
    """Make trial the state, and choose the next step from the error of this one."""
    clock, count, y, K, S = run.clock, run.count, run.y, run.K, method.dense[0]
    for j in range(y.shape[0]):
        y[j] = run.trial[j]
        K[0, j] = K[S, j]
    count[MOVED] = count[REFUSALS] = count[HIDDEN] = 0
    if end >= near:
        count[TRUSTED] = 0
    if low >= near:
        clock[REGULAR] = h
        clock[EXCHANGE] = near
    clock[PIVOT] = clock[HERE] = end
    clock[TIME] = clock[END] if h == clock[END] - clock[TIME] else clock[TIME] + h
    clock[GOOD] = h
    clock[LONGEST] = max(clock[LONGEST], h)
    count[ACCEPTED] += 1
    if method.dense[2] == 1:
        f = min(6.0, max(0.333, 0.8 * err ** (-1.0 / method.dense[3]))) if err > 0.0 else 6.0
        h *= min(f, 1.0) if count[CUT] == 1 else f
        if low < near:
            h = max(
                h, 0.1 * clock[REGULAR]
            )  # otherwise shortened steps would creep towards the singular position
        clock[STEP] = min(h, clock[LARGEST])
        count[CUT] = 0
    else:
        clock[STEP] = clock[LARGEST]


@njit(**INLINE)
def too_short(clock):
    """True if the next step is below the resolution of the time, or negligible beside the last
    accepted step.
    """
    return clock[STEP] < max(1e-15 * clock[TIME], 1e-13 * clock[GOOD])


@njit(**INLINE)
def fallen(pivot, begun):
    """True for a relative row pivot that indicates a singular position: small, and much smaller
    than at the start of the run.  Light links keep it small everywhere.
    """
    return pivot < STUCK and pivot < FALLEN * begun


@njit(**INLINE)
def stuck(run):
    """True if steps shrink without end towards a singular position: at a dead point, where a drive
    demands ever more speed.
    """
    clock = run.clock
    return (
        fallen(clock[PIVOT], clock[BEGUN])
        and clock[REGULAR] == 0.0
        and clock[STEP] < 1e-7 * clock[LONGEST]
    )


@njit(**INLINE)
def look_closer(run, T, watch, stages, h):
    """True if a step has to be repeated with a shorter length, because a typed law may have a
    feature between its stages.
    """
    clock, count = run.clock, run.count
    part = hides(T, watch, stages)
    if part >= 1.0:
        return False
    if count[HIDDEN] >= MOST_HIDDEN or part * h < LEAST_SEEN * clock[END]:
        count[UNSEEN] += 1
        return False
    count[HIDDEN] += 1
    count[REJECTED] += 1
    count[CUT] = 1
    clock[PIVOT] = 1.0
    clock[STEP] = part * h
    return True


@njit(**INLINE)
def forget_stages(watch, last):
    """Make the end of an accepted step the beginning of the next one."""
    for x in range(watch.seen.shape[1]):
        watch.seen[0, x] = watch.seen[last, x]


@kernel(**OPTIONS)
def advance(run, method, T, watch, limit):
    """Step until the run is done, `states` is full, `limit` evaluations have been made or a
    decision is needed.

    watch: of typed laws that depend on the motion (loads/law_bounds.py).  Returns (verdict, number
    of samples written).  All state is in run's arrays; another call continues.
    Only this function calls the right-hand side: any other caller would carry its own compiled
    copy.
    """
    clock, count, w, K = run.clock, run.count, run.trial, run.K
    near, closed, S, row, kept, total = (
        T.settings[NEAR],
        T.settings[CLOSED],
        method.dense[0],
        0,
        T.size[KEPT],
        T.rows.shape[0],
    )
    held = T.size[HELD]
    watched, looking = run.stops.shape[0] > 0 or run.rubs.shape[0] > 0, watch.laws.shape[0] > 0
    if count[STARTED] != GOING:
        clock[EXCHANGE] = near
        clock[PIVOT] = clock[HERE] = clock[BEGUN] = evaluate(run.y, T, K[0], True)
        if looking:
            note_stage(T, watch, 0)
        if not finite(K[0], 0, T.size[NQ] + T.size[NV]):
            return NOT_FINITE, 0
        if method.dense[2] == 0:
            clock[STEP] = clock[LARGEST]
        elif count[STARTED] == FRESH:
            clock[STEP] = min(first_step(run), clock[LARGEST])
        clock[GOOD] = clock[STEP]
        count[STARTED] = GOING
    while True:
        # samples of the last step
        while sample_within(run, clock[TIME] + 1e-12 * clock[DENSE_H]):
            if row == run.states.shape[0]:
                return FULL, row
            z, x, terms = run.states[row], next_sample(run, row), method.dense[1]
            if x >= 1.0:
                copy(run.y, z)
            else:
                while True:
                    interpolate(run, terms, x, z)
                    if kept > 0:
                        evaluate(z, T, z, False)
                    left = close(z, T, closed)
                    if held > kept:
                        row_values(z, T, kept, held)
                    if left < FAILED * closed and widest(T, kept, held) < T.settings[TORN]:
                        break
                    if terms == 3:
                        count[NEXT] -= 1
                        return OPEN_BETWEEN, row
                    # a coarse step over a singular position, where the method's own terms are
                    # unreliable
                    terms = 3
                if T.size[NX] > 0:
                    settle(z, T)
            row += 1
        if clock[TIME] >= clock[END]:
            return DONE, row
        if T.size[EVALUATIONS] >= limit:
            return BUSY, row
        if stuck(run):
            return UNDERFLOW, row
        # one step
        clock[UNCUT] = clock[STEP]
        if clock[TIME] + 1.0001 * clock[STEP] >= clock[END]:
            clock[STEP] = clock[END] - clock[TIME]
        h, low, pulled = clock[STEP], clock[PIVOT], False
        for s in range(1, S):
            combine(run, method, h, s)
            low = min(low, evaluate(w, T, K[s], True))
            if looking:
                note_stage(T, watch, s)
            if watched:
                pulled = pulled or pulls(run, T) or breaks(run, T)
        err = finish_step(run, method, h, low, near)
        if not err < 1.0:
            refuse(run, method, h, err, low, near)
            if too_short(clock):
                return UNDERFLOW, row
            continue
        if not close(w, T, closed) < FAILED * closed:
            if method.dense[2] == 0:
                return OPEN, row
            refuse(run, method, h, math.inf, low, near)
            if too_short(clock):
                return UNDERFLOW, row
            continue
        if T.size[NX] > 0:
            settle(w, T)
        if total > kept and T.settings[UNHELD] == 0.0:
            row_values(w, T, kept, total)
            if count[QUIET] == 0 and widest(T, kept, total) > LOST * closed:
                return LEFT_ROWS, row
            if not widest(T, kept, held) < T.settings[TORN]:
                return TORN_APART, row
        count[QUIET] = max(count[QUIET] - 1, 0)
        end = evaluate(w, T, K[S], True)
        if looking:
            note_stage(T, watch, S)
        verdict = judge(run, method, T, h, low, end)
        if verdict == SHORTER:
            continue
        if verdict != TAKEN:
            return verdict, row
        if looking and look_closer(run, T, watch, S + 1, h):
            continue
        touched = (
            watched
            and count[LOOKED] == 0
            and (pulled or pulls(run, T) or breaks(run, T) or passed(run, S, h) or rests(run, S))
        )
        count[LOOKED] = 0
        if touched or sample_within(run, clock[TIME] + h * (1 + 1e-12)):
            saved = run.poly[7]
            copy(w, saved)
            for s in range(S + 1, S + 1 + method.dense[1] - 4):
                combine(run, method, h, s)
                evaluate(w, T, K[s], True)
            dense_output(run, method, saved, h)
        if touched:
            return TOUCHED, row
        accept(run, method, h, err, low, end, near)
        if looking:
            forget_stages(watch, S)
        if watched:
            restore_bounds(run)
