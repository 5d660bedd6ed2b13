"""Setting a joint coordinate of a drawing: where its bodies then stand, and which joints need their
values typed to keep their turns.
"""

from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.engine.checks.elements import check_elements
from mechstudio.engine.constraints.attitude import drawn_poses, turn_angle
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.errors import EngineError
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.manifold.diagnosis import best_try
from mechstudio.engine.manifold.joint_setting import pose_at
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.assembly import CURE, reported
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

STANDS = 1e-12  # radians or parts of size: a body that moves less has not moved
SAME = (
    1e-6  # radians or metres between two readings of a coordinate that are a turn apart or the same
)


class Placed(NamedTuple):
    """Result of setting a joint coordinate: new body poses and joint values.

    poses: of each body that moved (x, y, z, w, x, y, z) in W [m, unit quaternion].  values:
    coordinates to be typed on joints [m or rad], which without them would be read on another turn.
    value: of the coordinate there.  reason: why it is not the requested one; empty if it is.
    """

    poses: dict[str, tuple[float, ...]]
    values: dict[str, tuple[float, ...]]
    value: float
    reason: str


def set_coordinate(
    mechanism: Mechanism, joint: str, coordinate: int, value: float, released: str = ""
) -> Placed:
    """Close the drawing and move it until a joint's coordinate has a value [rad or m], or as far as
    it goes.

    released: id of a coupling whose offset changes by it: its other coordinates stay.
    Raises EngineError for a drawing that cannot be read or closed, ValueError for a coordinate that
    there is not.
    """
    rows, poses = closed_drawing(mechanism)
    found = pose_at(mechanism, poses, joint, coordinate, value, rows, released)
    return placed(mechanism, rows, found.poses, found.coordinates, found.value, found.reason)


def closed_drawing(
    mechanism: Mechanism, start: np.ndarray | None = None
) -> tuple[JointRows, np.ndarray]:
    """The rows of a drawing and its closed poses (n, 7), the nearest to the drawn ones or to
    `start`.

    Raises EngineError for a drawing that cannot be read or closed.
    """
    for finding in check_elements(mechanism):
        if finding.severity == "error":
            raise EngineError(finding)
    rows = JointRows(mechanism)
    assembled = assemble(mechanism, rows, start)
    if not assembled.converged:
        closing = best_try(mechanism, rows, assembled)
        raise EngineError(
            Finding("error", closing.gaps[0].joint, reported(closing, mechanism), tr(CURE))
        )
    return rows, assembled.poses


def placed(
    mechanism: Mechanism,
    rows: JointRows,
    poses: np.ndarray,
    coordinates: np.ndarray,
    value: float = 0.0,
    reason: str = "",
) -> Placed:
    """Poses and typed values with which a drawing stands at poses (n, 7) with its joints at
    coordinates (f,), turns included.
    """
    before = drawn_poses(mechanism)
    displaced = (np.linalg.norm(poses[:, :3] - before[:, :3], axis=1) > STANDS * rows.size) | (
        turn_angle(before[:, 3:], poses[:, 3:]) > STANDS
    )
    stand = {
        id: tuple(map(float, pose))
        for id, pose, m in zip(mechanism.bodies, poses, displaced, strict=True)
        if m
    }
    return Placed(stand, _values(mechanism, rows, poses, coordinates), value, reason)


def _values(
    mechanism: Mechanism, rows: JointRows, poses: np.ndarray, coordinates: np.ndarray
) -> dict[str, tuple[float, ...]]:
    """Coordinates of the joints that have typed values, or would be read otherwise without them."""
    untyped = msgspec.structs.replace(
        mechanism,
        joints={id: msgspec.structs.replace(j, values=()) for id, j in mechanism.joints.items()},
    )
    read = coordinates_by_joint(untyped, joint_coordinates(untyped, poses[None], rows=rows)[0])
    meant = coordinates_by_joint(mechanism, coordinates)
    return {
        id: m
        for (id, joint), r, m in zip(mechanism.joints.items(), read, meant, strict=True)
        if JOINT_TYPES[joint.type].dof
        and (joint.values or max(abs(a - b) for a, b in zip(r, m, strict=True)) > SAME)
    }
