"""Convergence of three methods on one cone problem, from impulses of zero: accelerated projected
gradient, projected Gauss-Seidel, projected Jacobi.

Plain and slow, for teaching and for a check of the simulator's kernels, which they share no line
with (CONTACT 3, 5, 7).  N (3 c, 3 c), r (3 c,), mu (c,).
"""

from collections.abc import Iterator

import numpy as np

from mechstudio.translation import tr

APGD, GAUSS_SEIDEL, JACOBI = "apgd", "gauss_seidel", "jacobi"
OMEGA = 0.2  # of Jacobi, which does not converge with much more


def project_all(g: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """The nearest points (c, 3) of the cones |g_t| <= mu g_n."""
    t = np.hypot(g[:, 1], g[:, 2])
    x = (g[:, 0] + mu * t) / (1.0 + mu * mu)
    scale = np.divide(mu * x, t, out=np.zeros_like(t), where=t > 0.0)
    on_cone = np.column_stack([x, scale * g[:, 1], scale * g[:, 2]])
    inside, polar = t <= mu * g[:, 0], mu * t <= -g[:, 0]
    return np.where(inside[:, None], g, np.where(polar[:, None], 0.0, on_cone))


def residual(g: np.ndarray, u: np.ndarray, mu: np.ndarray, d: np.ndarray) -> float:
    """The largest d |g - P(g - u / d)| [m/s] of impulses g (c, 3) with velocities u = N g + r."""
    return float(
        (d * np.linalg.norm(g - project_all(g - u / d[:, None], mu), axis=1)).max(initial=0.0)
    )


def scales(N: np.ndarray) -> np.ndarray:
    """The mean of N's diagonal per contact (c,)."""
    return np.maximum(np.diag(N).reshape(-1, 3).mean(axis=1), 1e-300)


def apgd(N: np.ndarray, r: np.ndarray, mu: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """(best impulses (c, 3), their residual) after 0, 1, 2, … iterations: Nesterov's method with
    restart (Mazhar et al. 2015), one product each; steps in the metric of d.
    """
    d, r = scales(N), r.reshape(-1, 3)
    times = lambda x: (N @ x.ravel()).reshape(-1, 3)
    gamma = y = best = np.zeros_like(r)
    Ngamma = Ny = np.zeros_like(r)
    least, theta, L = residual(gamma, r, mu, d), 1.0, 1.0
    yield best, least
    while True:
        gradient = Ny + r
        while True:
            trial = project_all(y - gradient / (L * d)[:, None], mu)
            Ntrial, step = times(trial), trial - y
            bend, square = (
                float((step * (Ntrial - Ny)).sum()),
                float((d[:, None] * step * step).sum()),
            )
            if bend <= L * square * (1.0 + 1e-12) or L > 1e12:
                break
            L = max(2.0 * L, bend / square)
        now = residual(trial, Ntrial + r, mu, d)
        if now < least:
            best, least = trial, now
        following = 0.5 * theta * (np.sqrt(theta * theta + 4.0) - theta)
        beta = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        if float((gradient * (trial - gamma)).sum()) > 0.0:
            beta, theta = 0.0, 1.0
        y, Ny = trial + beta * (trial - gamma), Ntrial + beta * (Ntrial - Ngamma)
        gamma, Ngamma, L = trial, Ntrial, 0.9 * L
        yield best, least


def gauss_seidel(
    N: np.ndarray, r: np.ndarray, mu: np.ndarray
) -> Iterator[tuple[np.ndarray, float]]:
    """(impulses, residual) after 0, 1, 2, … sweeps: each contact sees what those before it did."""
    d, gamma, u = scales(N), np.zeros((len(mu), 3)), r.reshape(-1, 3).copy()
    yield gamma, residual(gamma, u, mu, d)
    columns = N.reshape(-1, len(mu), 3)
    while True:
        for i, k in enumerate(d):
            new = project_all(gamma[i : i + 1] - u[i : i + 1] / k, mu[i : i + 1])[0]
            u += (columns[:, i] @ (new - gamma[i])).reshape(-1, 3)
            gamma[i] = new
        yield gamma, residual(gamma, u, mu, d)


def jacobi(N: np.ndarray, r: np.ndarray, mu: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """(impulses, residual) after 0, 1, 2, … iterations: all contacts at once, by short steps."""
    d, gamma, u = scales(N), np.zeros((len(mu), 3)), r.reshape(-1, 3)
    while True:
        yield gamma, residual(gamma, u, mu, d)
        gamma = project_all(gamma - OMEGA * u / d[:, None], mu)
        u = (N @ gamma.ravel()).reshape(-1, 3) + r.reshape(-1, 3)


METHODS = {APGD: apgd, GAUSS_SEIDEL: gauss_seidel, JACOBI: jacobi}


def curve(
    method: str, N: np.ndarray, r: np.ndarray, mu: np.ndarray, tolerance: float, most: int
) -> tuple[float, ...]:
    """The residual [m/s] after 0, 1, 2, … iterations, until it is below the tolerance or `most` are
    made.
    """
    out: list[float] = []
    for _, left in METHODS[method](N, r, mu):
        out.append(left)
        if left < tolerance or len(out) > most:
            return tuple(out)
    raise AssertionError(tr("methods do not end by themselves"))
