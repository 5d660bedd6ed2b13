"""Rank of a matrix of constraints, and of directions one after the other: the one tolerance that
everything in the engine counts by.

There are two questions.  Of a *drawing*: how many of its rows are independent?  Typed numbers have
few digits, so that the widest gap in the spectrum decides (`rank_of`).  Of a *solution*: which
singular values can be divided by?  All that are not rounding (`solvable`).
"""

import numpy as np

ZERO, SURE = (
    1e-9,
    1e-5,
)  # singular values relative to the largest; a drawing's between them are judged by the widest gap
ROUNDING = 1e-12  # values below it are all the same zero


def rank_of(values: np.ndarray, reference: float | None = None) -> int:
    """Number of the values (descending) above the widest gap that lies across the band of doubt.

    reference: size of one that surely counts; None for the largest.  Of one value alone, the middle
    of the band decides.
    """
    reference = (float(values[0]) if len(values) else 0.0) if reference is None else reference
    if reference < ROUNDING:
        return 0
    relative = np.maximum(np.asarray(values) / reference, ROUNDING)
    # with a value that counts before them and one that does not behind them
    steps = np.log(np.concatenate(([1.0], relative, [ROUNDING])))
    candidates = np.arange(int(np.sum(relative > SURE)), int(np.sum(relative > ZERO)) + 1)
    return int(candidates[np.argmax(steps[candidates] - steps[candidates + 1])])


def rank(matrix: np.ndarray, reference: float | None = None) -> int:
    """Rank by the widest gap in the spectrum."""
    return 0 if 0 in matrix.shape else rank_of(np.linalg.svd(matrix, compute_uv=False), reference)


def solvable(values: np.ndarray, least: float = 0.0) -> int:
    """Number of the singular values (descending) that a solution may be divided by.  least: a value
    below is rounding.
    """
    return int(np.sum(values > max(ZERO * values[0], least))) if len(values) else 0
