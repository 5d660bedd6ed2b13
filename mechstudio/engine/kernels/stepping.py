"""Explicit Runge-Kutta steps with projection, dense output and the measures for singular positions; the method is data.

One compiled function serves every method of engine/integrators.py: its coefficients are arguments, a method without an error
estimate goes with a fixed step.  It returns whenever its budget of evaluations is used up and goes on from the same arrays,
so that a run can be watched and stopped at any time.

Passing a singular position on the right branch (a four-bar lying flat) takes four measures:
1. where a row pivot has fallen below NEAR of its generic value each stage is projected (`right_hand_side`);
2. there the step is not cut below a tenth of the last regular step: the estimate sees only what the projection removes;
3. a step never ends on the singular position: it is redone with 0.85 h, at most three times;
4. one proximal refinement.   After eight refusals in a row the second rule is dropped.
"""

import math
from collections import namedtuple

from numba import njit

from .closure import row_values
from .columns import C, CLOSED, EVALUATIONS, INLINE, KEPT, NEAR, NQ, NV, NX, OPTIONS, RMETRES
from .readings import settle
from .right_hand_side import project, right_hand_side

# what `advance` comes back with
BUSY, DONE, FULL, LEFT_ROWS, COLLAPSED, UNDERFLOW, NOT_FINITE = range(7)

# clock: numbers of a run [s]; PIVOT: smallest relative row pivot since the last step; DENSE_T, DENSE_H: the interval that can be interpolated
TIME, STEP, REGULAR, END, SAMPLE_STEP, TOLERANCE, LARGEST, PIVOT, DENSE_T, DENSE_H, CLOCK_WIDTH = range(11)
# count: integers of a run; NEXT: number of the next sample; CUT: the last attempt was refused; TRUSTED: the singular position here is a
# true one; QUIET: accepted steps for which dropped rows are not looked at; BAD: the state at which a refused step ended stands in `trial`
ACCEPTED, REJECTED, NEXT, SAMPLES, REFUSALS, MOVED, CUT, TRUSTED, QUIET, STARTED, COUNT_WIDTH = range(11)

# rows of the state arrays: y state, trial end of step, scale and cap of the error weights; K stages; dense polynomial
Method = namedtuple("Method", "A B E3 E5 D dense")     # A square incl. extra stages of the dense output; dense: (stages, dense terms, adaptive)
Run = namedtuple("Run", "clock count y trial K poly scale cap times states")

LOST = 100.0        # residual of a dropped row, in units of CLOSED, from which the choice of rows is wrong


@njit(**INLINE)
def first_step(run):
    """A first step from the sizes of y and y' (Hairer, Norsett & Wanner 1993, II.4)."""
    clock, y, K = run.clock, run.y, run.K
    d0 = d1 = 0.0
    for j in range(y.shape[0]):
        if run.scale[j] > 0.0:
            s = clock[TOLERANCE] * (run.scale[j] + min(abs(y[j]), run.cap[j]))
            d0 += (y[j] / s) ** 2
            d1 += (K[0, j] / s) ** 2
    h = 0.01 * math.sqrt(d0 / d1) if d1 > 0.0 and d0 > 1e-10 else 1e-4 * clock[END]
    return min(max(h, 1e-6 * clock[END]), 0.1 * clock[END])


@njit(**INLINE)
def stages(run, method, T, h, first, last):
    """Stages first to last - 1 into K.  Returns the smallest relative row pivot met."""
    A, K, y, w = method.A, run.K, run.y, run.trial
    n = y.shape[0]
    low = 1.0
    for s in range(first, last):
        for j in range(n):
            w[j] = y[j]
        for l in range(s):
            a = h * A[s, l]
            if a != 0.0:
                for j in range(n):
                    w[j] += a * K[l, j]
        low = min(low, right_hand_side(w, T, K[s], True))
    return low


@njit(**INLINE)
def error_norm(run, method, h, count):
    """The estimated error of the step in units of the tolerance: DOP853's, from the embedded orders 5 and 3."""
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
            n3 += (e3 * s) ** 2
            n5 += (e5 * s) ** 2
            weighed += 1
    return 0.0 if n5 == 0.0 else h * n5 / math.sqrt((n5 + 0.01 * n3) * weighed)


@njit(**INLINE)
def dense_output(run, method, T, h, count):
    """The interpolating polynomial of the accepted step from y to trial: Hermite's cubic, then the method's own terms."""
    K, y, P = run.K, run.y, run.poly
    n, terms = y.shape[0], method.dense[1]
    for j in range(n):
        P[7, j] = run.trial[j]
    if terms > 3:
        stages(run, method, T, h, count + 1, count + 4)
    for j in range(n):
        run.trial[j] = P[7, j]
        change = run.trial[j] - y[j]
        P[0, j] = change
        P[1, j] = h * K[0, j] - change
        P[2, j] = 2 * change - h * (K[count, j] + K[0, j])
        P[7, j] = y[j]
        for m in range(terms - 3):
            x = 0.0
            for l in range(count + 4):
                x += method.D[m, l] * K[l, j]
            P[3 + m, j] = h * x
    run.clock[DENSE_T], run.clock[DENSE_H] = run.clock[TIME], h


@njit(**INLINE)
def emit(run, method, T, row):
    """Write the next sample, interpolated and put on the manifold, into row `row` of states and times."""
    clock, P, z = run.clock, run.poly, run.states[row]
    t = run.count[NEXT] * clock[SAMPLE_STEP]
    run.times[row] = t
    x = 1.0 if run.count[STARTED] == 0 else min((t - clock[DENSE_T]) / clock[DENSE_H], 1.0)
    terms = method.dense[1]
    for j in range(z.shape[0]):
        if x >= 1.0:
            z[j] = run.y[j]
        else:
            s = 0.0
            for m in range(terms):
                s = (s + P[terms - 1 - m, j]) * (x if (terms - 1 - m) % 2 == 0 else 1.0 - x)
            z[j] = P[7, j] + s
    if x < 1.0 and T.size[KEPT] > 0:
        right_hand_side(z, T, z, False)
    if x < 1.0:
        project(z, T)
        if T.size[NX] > 0:
            settle(z, T)
    run.count[NEXT] += 1


@njit(**INLINE)
def left_rows(T):
    """Whether a dropped row is no longer fulfilled at the pose at hand."""
    total = T.rows.shape[0]
    row_values(T, T.size[KEPT], total)
    worst = 0.0
    for r in range(T.size[KEPT], total):
        worst = max(worst, abs(T.row[r, C]) * T.row_const[r, RMETRES])
    return worst > LOST * T.settings[CLOSED]


@njit(**INLINE)
def finite(a):
    s = 0.0
    for j in range(a.shape[0]):
        s += a[j]
    return math.isfinite(s)


@njit(**INLINE)
def refuse(run, err, low, near):
    """Choose the next, smaller step after a refused one."""
    clock, count = run.clock, run.count
    h = clock[STEP]
    count[REJECTED] += 1
    count[REFUSALS] += 1
    known = err == err
    h *= max(0.2, 0.8 * err ** (-0.125)) if known else 0.2
    if count[REFUSALS] > 8:
        clock[REGULAR] = 0.0          # not a crossing after all: let the step shrink
    if low < near and clock[REGULAR] > 0.0 and known:
        h = max(h, 0.1 * clock[REGULAR])
    count[CUT] = 1
    clock[PIVOT] = 1.0
    clock[STEP] = h


@njit(**INLINE)
def attempt(run, method, T):
    """One step: tried, then refused or accepted.  Returns BUSY, or why the run cannot simply go on."""
    clock, count, K, y, w = run.clock, run.count, run.K, run.y, run.trial
    near, n, S, adaptive = T.settings[NEAR], y.shape[0], method.dense[0], method.dense[2] == 1
    if clock[TIME] + 1.0001 * clock[STEP] >= clock[END]:
        clock[STEP] = clock[END] - clock[TIME]
    h = clock[STEP]
    low = min(clock[PIVOT], stages(run, method, T, h, 1, S))
    for j in range(n):
        x = 0.0
        for l in range(S):
            x += method.B[l] * K[l, j]
        w[j] = y[j] + h * x
    err = 0.0
    if adaptive:
        err = error_norm(run, method, h, S)
        if low < near and h <= 0.1001 * clock[REGULAR] and err == err:
            err = min(err, 0.4)       # the normal part of the error, which the projection removes
        if not err < 1.0:
            refuse(run, err, low, near)
            return UNDERFLOW if clock[STEP] < 1e-14 * clock[END] else BUSY
    project(w, T)
    if T.size[NX] > 0:
        settle(w, T)
    if count[QUIET] > 0:
        count[QUIET] -= 1
    elif T.rows.shape[0] > T.size[KEPT] and left_rows(T):
        return LEFT_ROWS
    end = right_hand_side(w, T, K[S], True)
    for j in range(n):
        if not math.isfinite(w[j]) and run.scale[j] > 0.0:
            return NOT_FINITE
    if not finite(K[S][:T.size[NQ] + T.size[NV]]):
        return NOT_FINITE
    if end < 1e-3 * near and count[TRUSTED] == 0:
        return COLLAPSED
    if adaptive and end < 1e-3 * near and count[MOVED] < 3 and clock[TIME] + h < clock[END]:
        count[MOVED] += 1
        count[REJECTED] += 1
        clock[STEP] = 0.85 * h
        clock[PIVOT] = end
        return BUSY
    count[MOVED] = count[REFUSALS] = 0
    if end >= near:
        count[TRUSTED] = 0
    if low >= near:
        clock[REGULAR] = h
    clock[PIVOT] = end
    if count[NEXT] < count[SAMPLES] and count[NEXT] * clock[SAMPLE_STEP] <= clock[TIME] + h * (1 + 1e-12):
        dense_output(run, method, T, h, S)
    for j in range(n):
        y[j] = w[j]
        K[0, j] = K[S, j]
    clock[TIME] = clock[END] if h == clock[END] - clock[TIME] else clock[TIME] + h
    count[ACCEPTED] += 1
    if adaptive:
        f = min(6.0, max(0.333, 0.8 * err ** (-0.125))) if err > 0.0 else 6.0
        clock[STEP] = min(h * (min(f, 1.0) if count[CUT] == 1 else f), clock[LARGEST])
        count[CUT] = 0
    else:
        clock[STEP] = clock[LARGEST]
    return BUSY


@njit(**OPTIONS)
def advance(run, method, T, limit):
    """Go on until the run is done, `states` is full, `limit` evaluations have been made or something needs a decision.

    Returns (what, number of samples written).   All state lies in run's arrays; calling again goes on.
    """
    clock, count = run.clock, run.count
    row, room = 0, run.states.shape[0]
    if count[STARTED] == 0:
        clock[PIVOT] = right_hand_side(run.y, T, run.K[0], True)
        if not finite(run.K[0][:T.size[NQ] + T.size[NV]]):
            return NOT_FINITE, 0
        if method.dense[2] == 1:
            clock[STEP] = min(first_step(run), clock[LARGEST])
        else:
            clock[STEP] = clock[LARGEST]
        emit(run, method, T, row)
        row += 1
        count[STARTED] = 1
    while True:
        while count[NEXT] < count[SAMPLES] and count[NEXT] * clock[SAMPLE_STEP] <= clock[TIME] + 1e-12 * clock[DENSE_H]:
            if row == room:
                return FULL, row
            emit(run, method, T, row)
            row += 1
        if clock[TIME] >= clock[END]:
            return DONE, row
        if T.size[EVALUATIONS] >= limit:
            return BUSY, row
        what = attempt(run, method, T)
        if what != BUSY:
            return what, row
