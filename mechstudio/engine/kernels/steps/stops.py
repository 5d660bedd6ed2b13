"""Detection of stops and frictions of joints that a step may have passed, or that may hold or
release.
"""

from numba import njit

from mechstudio.engine.kernels.columns import FPAR, INLINE, KD, LAM
from mechstudio.engine.kernels.run_tables import (
    BOUND,
    CRUMB,
    DRAWN,
    FAINT,
    RUB_AT,
    RUB_BACK,
    RUB_FORCE,
    RUB_ROW,
    RUB_WAY,
    SIDE,
    SLACK,
    STOP_AT,
    STOP_ROW,
)


@njit(**INLINE)
def pulls(run, T):
    """True if an active stop pulls on its coordinate instead of pushing, by `right_hand_side`'s
    multipliers.
    """
    for e in range(run.stops.shape[0]):
        r = run.stops[e, STOP_ROW]
        # KD: approximate separation per force; it makes the multiplier an acceleration
        if r >= 0 and run.bounds[e, SIDE] * T.row[r, LAM] * T.row[r, KD] > run.bounds[e, FAINT]:
            return True
    return False


@njit(**INLINE)
def breaks(run, T):
    """True if a sticking coordinate needs more than its friction level, by `right_hand_side`'s
    multipliers.
    """
    for e in range(run.rubs.shape[0]):
        r = run.rubs[e, RUB_ROW]
        if r >= 0:
            level = abs(T.force_const[run.rubs[e, RUB_FORCE], FPAR])
            if abs(T.row[r, LAM]) > level + SLACK * level:
                return True
    return False


@njit(**INLINE)
def rests(run, S):
    """True if a sliding coordinate may have come to rest between y and trial."""
    for e in range(run.rubs.shape[0]):
        way = run.ways[e, RUB_WAY]
        if way != 0.0:
            for s in range(1, S + 1):
                if way * run.K[s, run.rubs[e, RUB_AT]] < -run.ways[e, RUB_BACK]:
                    return True
    return False


@njit(**INLINE)
def passed(run, S, h):
    """True if a stop may have been passed between y and trial, at the end or before it."""
    y, w, K, stops, bounds = run.y, run.trial, run.K, run.stops, run.bounds
    for e in range(stops.shape[0]):
        i, side = stops[e, STOP_AT], bounds[e, SIDE]
        if stops[e, STOP_ROW] >= 0:
            continue
        if side * (bounds[e, BOUND] - w[i]) < -bounds[e, CRUMB]:
            return True
        # nearest in between: it approaches in some stage and recedes at the end
        if side * K[S, i] < 0.0:
            fastest = 0.0
            for s in range(S):
                fastest = max(fastest, side * K[s, i])
            if side * (bounds[e, BOUND] - y[i]) < 1.5 * h * fastest:
                return True
    return False


@njit(**INLINE)
def restore_bounds(run):
    """Restore the drawn bound of a stop beyond which the run began, once the coordinate is within
    it.
    """
    for e in range(run.stops.shape[0]):
        drawn = run.bounds[e, DRAWN]
        if (
            run.bounds[e, BOUND] != drawn
            and run.bounds[e, SIDE] * (drawn - run.y[run.stops[e, STOP_AT]]) >= 0.0
        ):
            run.bounds[e, BOUND] = drawn
