"""Constraint errors of single joints over a run, as an analysis finds them."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.quantity_rows import CLOSURE
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


class JointError(NamedTuple):
    """Error of a joint [m], turns as angles times the mechanism's size: the largest of a run, at an
    instant [s], and that of now.  gap: how far its points are apart at most [m].
    """

    joint: str
    name: str
    largest: float
    at: float
    gap: float
    now: float


def error_key(joint: str, column: str = "error") -> str:
    """Key of the error of a joint, or of its gap."""
    return f"{CLOSURE}{joint}/{column}"


def keys(mechanism: Mechanism) -> tuple[str, ...]:
    """Keys of the errors and the gaps of all joints that prevent something."""
    held = [id for id, joint in mechanism.joints.items() if JOINT_TYPES[joint.type].rows]
    return tuple(error_key(id, column) for id in held for column in ("gap", "error"))


def joint_errors(
    mechanism: Mechanism, answers: Mapping[str, Course], time: float
) -> list[JointError]:
    """Errors of all joints that an analysis has found, the largest first."""
    out = []
    for id, joint in mechanism.joints.items():
        error, gap = (answers.get(error_key(id, column)) for column in ("error", "gap"))
        if error is None or gap is None or not np.isfinite(error.values).any():
            continue
        k = int(np.nanargmax(error.values))
        now = float(np.interp(time, error.times, error.values))
        largest, at = float(error.values[k]), float(error.times[k])
        out.append(JointError(id, joint.name, largest, at, float(np.nanmax(gap.values)), now))
    return sorted(out, key=lambda e: -e.largest)
