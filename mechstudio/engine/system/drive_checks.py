"""Drives that prescribe more than the mechanism is free to do."""

from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.constraints.ranks import ZERO
from mechstudio.engine.errors import EngineError
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import jacobian, move
from mechstudio.engine.system.independent_rows import scaled_jacobian
from mechstudio.engine.system.row_tables import element_name
from mechstudio.model.findings import Finding, listed
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

TIMES = (
    0.0,
    0.013,
    0.17,
    0.83,
    2.9,
    11.3,
)  # at which drives must agree [s]; without a pattern, so that no period hides a difference
SHARE = 1e-6  # of the largest: what a row takes of another one that counts
AGREE = 1e-9  # of the largest prescribed rate: difference that is rounding
MET = 1e-6  # of the largest speed: largest error of a drive at the start


def refuse_too_many_drives(system: "System", y: np.ndarray) -> None:
    """Raise EngineError for drives whose rows depend on others at the closed state y and want
    something else than those.

    A dependent row is a combination of the kept ones; its prescribed rate must be the same
    combination of theirs, at any time.
    """
    T, kept = system.tables, set(system.kept)
    dropped = [r for r, row in enumerate(system.rows) if row.rheonomic and r not in kept]
    if not dropped:
        return
    order = system.kept + [r for r in range(len(system.rows)) if r not in kept]
    metres = T.row_const[:, k.RMETRES]
    J = scaled_jacobian(y, T, system.units)
    rates = []
    for t in TIMES:
        z = y.copy()
        z[system.where.time] = t
        jacobian(z, T, np.zeros_like(J))
        rates.append(-T.row[:, k.CD] * metres)
    prescribed = np.array(rates)
    for r in dropped:
        at = order.index(r)
        share = (
            np.linalg.lstsq(J[: len(system.kept)].T, J[at], rcond=ZERO)[0] if kept else np.zeros(0)
        )
        others = [
            n
            for n in range(len(system.kept))
            if abs(share[n]) > SHARE * max(np.abs(share).max(), 1.0)
            and system.rows[order[n]].rheonomic
        ]
        sets = [*others, at]
        differs = np.abs(
            prescribed[:, : len(system.kept)] @ share - prescribed[:, at]
        ).max() > AGREE * max(np.abs(prescribed[:, sets]).max(), 1e-300)
        accelerations = any(system.rows[order[n]].level == k.OF_ACCELERATION for n in sets)
        if differs or accelerations:
            names = [element_name(system.mechanism, system.rows[order[n]].owner) for n in sets]
            if others:
                text = tr(
                    "{names} prescribe more motions than the mechanism has.", names=listed(names)
                )
            else:
                text = tr(
                    "{name} prescribes a motion that the joints and couplings prevent.",
                    name=names[0],
                )
            raise EngineError(
                Finding(
                    "error",
                    system.rows[r].owner,
                    text,
                    tr("Switch one of them off or remove it.")
                    if others
                    else tr("Switch it off, or free the motion."),
                )
            )


def refuse_impossible_start(system: "System", y: np.ndarray) -> None:
    """Raise EngineError for a drive that the start (n,) with its velocities does not meet: at a
    dead point, or across a blade or a wheel.
    """
    T = system.tables
    if not T.size[k.DRIVEN]:
        return
    metres = T.row_const[:, k.RMETRES]
    order = system.kept + [r for r in range(len(system.rows)) if r not in set(system.kept)]
    move(y.copy(), T, np.zeros(system.where.nv))
    errors = np.where(T.rows[:, k.LEVEL] == k.OF_ACCELERATION, 0.0, np.abs(T.row[:, k.CD]) * metres)
    speeds = np.abs(y[system.where.nq : system.where.nq + system.where.nv]) * system.units
    rest = y.copy()
    jacobian(rest, T, np.zeros((len(order), system.where.nv)))
    scale = max(speeds.max(initial=0.0), float((np.abs(T.row[:, k.CD]) * metres).max(initial=0.0)))
    driven = [n for n in range(len(order)) if system.rows[order[n]].rheonomic]
    if errors.max(initial=0.0) > MET * scale:
        n = max(driven, key=lambda n: (errors[n], -n))
        owner = system.rows[order[n]].owner
        raise EngineError(
            Finding(
                "error",
                owner,
                tr(
                    "{owner} prescribes a speed that is impossible in the drawn pose.",
                    owner=element_name(system.mechanism, owner),
                ),
                tr("Start away from this dead point, from rest, or drive another coordinate."),
            )
        )
