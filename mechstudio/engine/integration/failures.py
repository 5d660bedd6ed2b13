"""Identification of the drive that cannot continue when a run has come to a dead point."""

import math

import numpy as np

from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.system.independent_rows import scaled_jacobian
from mechstudio.engine.system.row_tables import element_name
from mechstudio.engine.system.system import System
from mechstudio.model.types.joints import JOINT_TYPES

# least singular value of the kept rows over the one at the start, below which a pose counts as a
# dead point
SINGULAR = 0.1
SHARE = 0.02  # of a drive in the dependence of the rows, from which it has to do with it


def dead_drive(system: System, T: Tables, kept: list[int], y: np.ndarray) -> str:
    """The drive that stands at a dead point in the state y, in words; empty where none does.

    T, kept: tables and kept rows of the run.  The rows of joints and drives depend on each other
    there: u^T J = 0, and the drive with the largest share in u is the one that asks for a motion
    which the joints do not give.
    """
    drives = {
        n: system.rows[r].owner
        for n, r in enumerate(kept)
        if r < len(system.rows) and system.rows[r].owner in system.mechanism.drives
    }
    if not drives or not np.isfinite(y).all():
        return ""
    J = scaled_jacobian(y, T, system.units)[: len(kept)]
    J = J / np.linalg.norm(J, axis=1, keepdims=True)
    first = scaled_jacobian(system.start, T, system.units)[: len(kept)]
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    U, s, _ = np.linalg.svd(J)
    if s[-1] > SINGULAR * np.linalg.svd(first, compute_uv=False)[-1]:
        return ""
    row = max(drives, key=lambda n: abs(U[n, -1]))
    if abs(U[row, -1]) < SHARE:
        return ""
    drive = system.mechanism.drives[drives[row]]
    joint = system.mechanism.joints[drive.joint]
    coordinate = JOINT_TYPES[joint.type].coordinates[drive.coordinate]
    first_of = sum(
        JOINT_TYPES[j.type].dof
        for id, j in list(system.mechanism.joints.items())[
            : list(system.mechanism.joints).index(drive.joint)
        ]
    )
    value = float(y[system.where.coordinates[first_of + drive.coordinate]])
    angle = coordinate.dimension == "angle"
    where = f"{math.degrees(value):.4g}°" if angle else f"{value:.4g} m"
    return (
        f"{element_name(system.mechanism, drive.id)} cannot {'turn' if angle else 'move'} "
        f"joint {joint.name} further: there is a dead point at {where}; "
        "let the drive turn back before it, or drive another joint."
    )
