"""Recorded motion of the bodies of a project, for formats that begin at it or show it, and files as
they are written.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.model.geometry.rotation import Pose
from mechstudio.model.mechanism import Mechanism


class Motion(NamedTuple):
    """times (s,) [s].  poses (s, bodies, 7): origin in W [m], unit quaternion w x y z; velocities
    (s, bodies, 6): the origin's in W [m/s], angular in body axes [rad/s]; bodies in file order.
    """

    times: np.ndarray
    poses: np.ndarray
    velocities: np.ndarray

    def start_poses(self, mechanism: Mechanism) -> dict[str, Pose]:
        """Pose of every body at the first sample."""
        return {
            id: (tuple(row[:3]), tuple(row[3:]))  # type: ignore[misc]
            for id, row in zip(mechanism.bodies, self.poses[0].tolist())
        }


class Written(NamedTuple):
    """A file for another program.  notes: sentences on content that it does not hold.  beside:
    further files by name, in a folder beside it that the content calls {folder}.
    """

    content: bytes
    notes: list[str]
    beside: dict[str, bytes] = {}
