"""Motions by rates that lead nowhere, found at second order (Connelly & Whiteley 1996, prestress
stability).

Where rows depend on each other, u^T J = 0, a motion goes on from a rate v only if u^T C''(v, v) = 0
for each such u.  If for one u that form is never negative, v has to lie in its kernel: every other
rate only shakes, as that of a bar between two bars in line with it.
"""

import numpy as np

from mechstudio.engine.constraints.attitude import displaced
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import decompose

MOST = 12  # motions up to which this is looked for: their square goes into the work
MOST_BODIES = 24  # bodies up to which the rows of all joints are decomposed
# radians, or parts of the size, of the differences; their error is of second order
STEP = 3e-4
NOTHING = 1e-5  # sizes that are rounding or of fourth order
TURNS = 500
CLEAR = 1e-3  # part of its largest eigenvalue from which a form grows along a direction


def shaking_motions(rows: JointRows, poses: np.ndarray) -> int:
    """Number of the motions by rates at closed poses (n, 7) that lead nowhere, as far as the second
    order says it; 0 for large mechanisms.
    """
    if not 0 < rows.body_count <= MOST_BODIES or not rows.row_count:
        return 0
    weight = np.tile(np.repeat((1.0, 1.0 / rows.size), 3), rows.body_count)
    _r, left, motions = decompose(rows.jacobian(poses) * weight)
    if not left.shape[1] or not 0 < motions.shape[1] <= MOST:
        return 0
    motions = rows.size * weight[:, None] * motions
    forms = _forms(rows, poses, left, motions)
    found = np.zeros((motions.shape[1], 0))
    free = np.eye(motions.shape[1])
    while free.shape[1]:
        growing = _growing(np.einsum("ia,kij,jb->kab", free, forms, free), NOTHING * rows.size)
        if not growing.shape[1]:
            break
        found = np.column_stack((found, free @ growing))
        free = np.linalg.svd(found)[0][:, found.shape[1] :]
    return found.shape[1]


def _forms(rows: JointRows, poses: np.ndarray, left: np.ndarray, motions: np.ndarray) -> np.ndarray:
    """u^T C'' (h, d, d) [m] for the dependences `left` (rows, h) and motions (6 n, d), shifts [m]
    in W and turns [rad] in body axes.
    """
    d = motions.shape[1]

    def form(z: np.ndarray) -> np.ndarray:
        way = STEP * (motions @ z).reshape(-1, 6)
        return (
            left.T
            @ (
                rows.residuals(displaced(poses, way))
                + rows.residuals(displaced(poses, -way))
                - 2.0 * rows.residuals(poses)
            )
            / STEP**2
        )

    squares = [form(e) for e in np.eye(d)]
    out = np.zeros((left.shape[1], d, d))
    for i in range(d):
        out[:, i, i] = squares[i]
        for j in range(i):
            out[:, i, j] = out[:, j, i] = 0.5 * (
                form(np.eye(d)[i] + np.eye(d)[j]) - squares[i] - squares[j]
            )
    return out


def _growing(forms: np.ndarray, nothing: float) -> np.ndarray:
    """Orthonormal directions (d, k) along which a combination of the forms (m, d, d) grows that
    falls along none.

    The least of sum tr(Q_k X)^2 / 2 over X >= 1, Q_k orthonormal, has the gradient G = sum tr(Q_k
    X) Q_k >= 0: such a combination, at least of length 1 where there is one, since tr(Q X) >= tr Q
    >= |Q|, and else 0.
    """
    d = forms.shape[1]
    _, sizes, Vt = np.linalg.svd(forms.reshape(len(forms), d * d), full_matrices=False)
    A = Vt[sizes > nothing].reshape(-1, d, d)
    if not len(A):
        return np.zeros((d, 0))
    gradient = lambda X: np.einsum("k,kij->ij", np.einsum("kij,ij->k", A, X), A)
    X = Y = np.eye(d)
    pace = 1.0
    for _ in range(TURNS):
        values, axes = np.linalg.eigh(Y - gradient(Y))
        new = (axes * np.maximum(values, 1.0)) @ axes.T
        faster = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * pace**2))
        X, Y, pace = new, new + (pace - 1.0) / faster * (new - X), faster
    values, axes = np.linalg.eigh(gradient(X))
    if np.linalg.norm(values) < 0.9 or values[0] < -CLEAR * values[-1]:
        return np.zeros((d, 0))
    return axes[:, values > CLEAR * values[-1]]
