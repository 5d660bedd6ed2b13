"""Dense output of a step, and the samples within it."""

from numba import njit

from mechstudio.engine.kernels.columns import INLINE
from mechstudio.engine.kernels.run_tables import (
    ACCEPTED,
    DENSE_H,
    DENSE_T,
    NEXT,
    SAMPLE_STEP,
    SAMPLES,
    TIME,
)


@njit(**INLINE)
def sample_within(run, t):
    """True if a sample is due up to time t."""
    return run.count[NEXT] < run.count[SAMPLES] and run.count[NEXT] * run.clock[SAMPLE_STEP] <= t


@njit(**INLINE)
def dense_output(run, method, end, h):
    """The interpolating polynomial of the step from y to `end` (saved trial): Hermite's cubic, then
    the method's own terms.
    """
    K, y, P, S, terms = run.K, run.y, run.poly, method.dense[0], method.dense[1]
    for j in range(y.shape[0]):
        run.trial[j] = end[j]
        change = end[j] - y[j]
        P[0, j] = change
        P[1, j] = h * K[0, j] - change
        P[2, j] = 2 * change - h * (K[S, j] + K[0, j])
        for m in range(terms - 3):
            x = 0.0
            for l in range(S + 4):
                x += method.D[m, l] * K[l, j]
            P[3 + m, j] = h * x
        P[7, j] = y[j]
    run.clock[DENSE_T], run.clock[DENSE_H] = run.clock[TIME], h


@njit(**INLINE)
def next_sample(run, row):
    """Number the next sample as row `row` of states and times.  Returns its position in the last
    step, from 0 to 1.
    """
    t = run.count[NEXT] * run.clock[SAMPLE_STEP]
    run.times[row] = t
    run.count[NEXT] += 1
    return (
        min((t - run.clock[DENSE_T]) / run.clock[DENSE_H], 1.0) if run.count[ACCEPTED] > 0 else 1.0
    )


@njit(**INLINE)
def interpolate(run, terms, x, z):
    """Write the state at x of the last step into z, by the first `terms` terms of the polynomial
    (3: Hermite's cubic).
    """
    P = run.poly
    for j in range(z.shape[0]):
        s = 0.0
        for m in range(terms):
            s = (s + P[terms - 1 - m, j]) * (x if (terms - 1 - m) % 2 == 0 else 1.0 - x)
        z[j] = P[7, j] + s
