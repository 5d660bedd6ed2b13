"""Damped least squares of a Jacobian, dense or, for many bodies, sparse: (J^T J + mu 1)^-1 J^T C
(Levenberg 1944).
"""

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

DAMPING = 1e-11  # mu relative to the largest diagonal entry of J^T J
DENSE = 120  # unknowns up to which a dense solve is the faster one


class LeastSquares:
    """C -> (J^T J + mu 1)^-1 J^T C, factorised once.   inverse: w -> (J^T J + mu 1)^-1 w."""

    def __init__(self, J, inverse: Callable[[np.ndarray], np.ndarray]) -> None:
        self._transposed, self.inverse = J.T, inverse

    def __call__(self, C: np.ndarray) -> np.ndarray:
        return self.inverse(self._transposed @ C)


@functools.cache
def _lapack() -> Any:
    """getrf and getrs without the questions of lu_factor and lu_solve, which cost more than small
    matrices do.
    """
    from scipy.linalg import get_lapack_funcs

    return get_lapack_funcs(("getrf", "getrs"), dtype=np.float64)


def least_squares(J, damping: float = DAMPING) -> LeastSquares:
    """The factorised least squares of J, dense or, for many bodies, a sparse matrix."""
    if isinstance(J, np.ndarray):
        from scipy.linalg import LinAlgWarning

        H = J.T @ J
        if not H.size:
            return LeastSquares(J, lambda w: w)
        H[np.diag_indices_from(H)] += damping * max(H.diagonal().max(initial=0.0), 1e-300)
        getrf, getrs = _lapack()
        lu, pivots, singular = getrf(H, overwrite_a=True)
        if singular > 0:
            warnings.warn(f"Pivot {singular} is exactly zero.", LinAlgWarning, stacklevel=2)
        return LeastSquares(J, lambda w: getrs(lu, pivots, w)[0])
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import splu

    count = J.shape[1]
    mu = damping * np.bincount(J.indices, J.data**2, count).max(initial=0.0)
    # the damping as rows of its own, cheaper than adding a diagonal
    more = csr_array(
        (
            np.append(J.data, np.full(count, np.sqrt(mu))),
            np.append(J.indices, np.arange(count, dtype=J.indices.dtype)),
            np.append(J.indptr, J.indptr[-1] + np.arange(1, count + 1, dtype=J.indptr.dtype)),
        ),
        shape=(J.shape[0] + count, count),
    )
    factors = splu(
        (more.T @ more).tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return LeastSquares(J, factors.solve)


def matrix_of(triplets: tuple[np.ndarray, np.ndarray, np.ndarray], shape: tuple[int, int]):
    """Rows, columns and values as a dense array or, for many bodies, a sparse matrix; entries of
    one place are added.
    """
    rows, columns, entries = triplets
    if shape[1] <= DENSE:
        J = np.zeros(shape)
        np.add.at(J, (rows, columns), entries)
        return J
    from scipy.sparse import csr_array

    return csr_array((entries, (rows, columns)), shape=shape)
