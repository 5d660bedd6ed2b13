"""Decay of an injected constraint error under Baumgarte's stabilisation, compared with the closed
form (THEORY 7; Baumgarte 1972).
"""

import math

import msgspec
import numpy as np

from mechstudio.engine.analyses.table import Table
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import jacobian, move
from mechstudio.engine.run import run, system_for
from mechstudio.engine.system.row_tables import element_name
from mechstudio.model.mechanism import Mechanism
from mechstudio.translation import tr


def injected(mechanism: Mechanism, options: RunOptions, error: float) -> Table:
    """The value of the first kept row of positions over a run that starts with that row open by
    `error` [m], as it is and as the equation says.

    options: as the project runs.  residual: largest difference of the two, over the error.  Raises
    ValueError where no position can drift: without loops, or with none but rolling and prescribed
    velocities.
    """
    system = system_for(mechanism, options)
    T, nv = system.tables, system.where.nv
    if not system.kept:
        raise ValueError(
            tr(
                "This mechanism has no loop, coupling or drive: in joint coordinates nothing can "
                "drift."
            )
        )
    J = np.zeros((len(T.rows), nv))
    kept = len(system.kept)
    # a row of velocities says nothing of where things are: there is nothing to be opened
    places = T.rows[:kept, k.LEVEL] == k.OF_POSITION
    if not places.any():
        raise ValueError(
            tr(
                "Nothing but rolling or prescribed velocities holds this mechanism beside its "
                "joint coordinates: no position can drift."
            )
        )
    opened = int(np.argmax(places))
    target = np.zeros(kept)
    target[opened] = error / T.row_const[opened, k.RMETRES]
    y = system.start.copy()
    for _ in range(8):
        # onto the other rows, this one open: Newton's method
        jacobian(y.copy(), T, J)
        move(y, T, np.zeros(nv))
        C = T.row[:kept, k.C].copy()
        move(y, T, np.linalg.lstsq(J[:kept][places], (target - C)[places], rcond=1e-12)[0])
    y[system.where.nq : system.where.nq + nv] = 0.0
    system.start = y
    states: list[np.ndarray] = []
    samples = np.concatenate(list(run(system, msgspec.structs.replace(options), None, states)))
    values = []
    for state in np.concatenate(states)[: len(samples)]:
        move(state.copy(), T, np.zeros(nv))
        values.append(T.row[opened, k.C] * T.row_const[opened, k.RMETRES])
    t = samples[:, 0] - mechanism.start.value
    alpha, beta = (options.alpha, options.beta) if options.drift == "baumgarte" else (0.0, 0.0)
    projected = options.drift == "projection"
    expected = np.where(t > 0.0, 0.0, values[0]) if projected else values[0] * decay(t, alpha, beta)
    owner = element_name(mechanism, system.rows[system.kept[opened]].owner)
    words = (
        tr("Projection closes an error within the first step.")
        if projected
        else _words(alpha, beta)
    )
    return Table(
        "drift",
        [("time", "time"), ("error", "length"), ("as the equation says", "length")],
        np.column_stack((samples[:, 0], values, expected)),
        residual=float(np.abs(np.array(values) - expected).max()) / error,
        notes=(tr("{owner} is open at the start.", owner=owner), words),
    )


def decay(t: np.ndarray, alpha: float, beta: float) -> np.ndarray:
    """The solution of C'' + 2 alpha C' + beta^2 C = 0 from C = 1, C' = 0."""
    if beta == 0.0:
        return np.ones_like(t)
    if abs(alpha - beta) < 1e-9 * beta:
        return (1 + alpha * t) * np.exp(-alpha * t)
    if alpha < beta:
        w = math.sqrt(beta**2 - alpha**2)
        return np.exp(-alpha * t) * (np.cos(w * t) + alpha / w * np.sin(w * t))
    s = math.sqrt(alpha**2 - beta**2)
    p, q = -alpha + s, -alpha - s
    return (p * np.exp(q * t) - q * np.exp(p * t)) / (p - q)


def _words(alpha: float, beta: float) -> str:
    if beta == 0.0:
        return tr("Nothing pulls the error back: it stays, and drift adds to it.")
    if abs(alpha - beta) < 1e-9 * beta:
        return tr("α = β: critical, the fastest decay without oscillation.")
    return (
        tr("α < β: under-damped, the error oscillates while it decays.")
        if alpha < beta
        else tr("α > β: over-damped, the error creeps back.")
    )
