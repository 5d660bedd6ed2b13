"""Shaky loops: their rows depend on each other where they stand and on nothing beside it, so that
their motion by rates leads nowhere.

Every method and formulation checks here, at the end of every step and at every sample, whether a
joint stands open (`is_torn`; the kernels by `widest`).
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.constraints.graph import graph
from mechstudio.engine.constraints.ranks import ZERO
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import move
from mechstudio.engine.system.independent_rows import scaled_jacobian
from mechstudio.engine.system.row_tables import element_name
from mechstudio.model.findings import listed
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

SHARE = 1e-6  # of the largest: what a row takes of another one that counts
# of sqrt(opening / size): part of a row beside the others up to which it is the way's own bending
# that has opened it
BENT = 10.0


def open_rows(y: np.ndarray, T: Tables) -> np.ndarray:
    """Residuals (rows,) [m] of all rows at a state, in the order of the tables."""
    move(y.copy(), T, np.zeros(int(T.size[k.NV])))
    return np.abs(T.row[:, k.C]) * T.row_const[:, k.RMETRES]


def is_torn(y: np.ndarray, T: Tables) -> bool:
    """True if a dropped row of a joint or coupling is open at a state, where rows are held at
    all.
    """
    kept, held = int(T.size[k.KEPT]), int(T.size[k.HELD])
    return (
        held > kept
        and not T.settings[k.UNHELD]
        and not open_rows(y, T)[kept:held].max() < T.settings[k.TORN]
    )


def torn_words(
    system: "System", T: Tables, kept: list[int], y: np.ndarray, torn: np.ndarray
) -> str:
    """Reason and cure for a run whose dropped rows open after the good state y (n,), in words.

    T, kept: tables and kept rows of the run.  torn (rows,): what all rows are open by behind y [m],
    see `open_rows`.
    """
    count, held = len(kept), int(T.size[k.HELD])
    order = kept + [r for r in range(len(system.rows)) if r not in set(kept)]
    worst = count + int(np.argmax(torn[count:held]))
    J = scaled_jacobian(y, T, system.units)
    lasting = [
        n for n in range(count) if kept[n] < len(system.rows) and system.rows[kept[n]].lasting
    ]
    share = np.linalg.lstsq(J[lasting].T, J[worst], rcond=ZERO)[0] if lasting else np.zeros(0)
    partners = [
        lasting[n]
        for n in np.flatnonzero(
            np.abs(share) > SHARE * max(float(np.abs(share).max(initial=0.0)), 1.0)
        )
    ]
    owners = {system.rows[order[n]].owner for n in (*partners, worst)}
    loop = tr("loop through {joined}", joined=listed(_joined(system, owners)))
    beside = float(np.linalg.norm(J[worst] - share @ J[lasting])) / max(
        float(np.linalg.norm(J[lasting], axis=1).max(initial=0.0)), 1e-300
    )
    if lasting and beside > BENT * np.sqrt(torn[worst] / system.size):
        return tr(
            "{owner} opens there by {torn:.3g} m: the {loop} cannot be held closed; take a "
            "smaller tolerance or a shorter step.",
            owner=element_name(system.mechanism, system.rows[order[worst]].owner),
            torn=torn[worst],
            loop=loop,
        )
    return tr(
        "the {loop} can only shake: its motion by rates leads nowhere; change a length a little, "
        "so that it locks or comes free, or take away the load and the speed that move it.",
        loop=loop,
    )


def _joined(system: "System", owners: Collection[str]) -> list[str]:
    """Names of the joints in the loops of some joints and couplings, in drawing order: of each
    joint its shortest loop.
    """
    mechanism, rows = system.mechanism, system.joint_rows
    ids = list(mechanism.joints)
    net = graph(1 + rows.body_count, rows.body_a, rows.body_b)
    found: set[int] = set()
    for owner in owners:
        joints = (
            [owner]
            if owner in mechanism.joints
            else [end.joint for end in mechanism.couplings[owner].ends]
            if owner in mechanism.couplings
            else []
        )
        for joint in map(ids.index, joints):
            around = [
                {j for j, _ in loop.members}
                for loop in net.loops
                if joint in {j for j, _ in loop.members}
            ]
            found |= min(around, key=len, default={joint})
    return [mechanism.joints[ids[j]].name or ids[j] for j in sorted(found)]
