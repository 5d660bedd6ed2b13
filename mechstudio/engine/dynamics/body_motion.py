"""Poses, twists and accelerations of bodies as the node tables hold them after a kernel has looked
at a state.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.system.system import System
from mechstudio.model.quantity import values


def poses_and_twists(
    system: System, T: Tables, accelerating: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Poses (n, 7), twists (n, 6) (origin's velocity in W, angular velocity in body axes),
    accelerations (n, 6) in W of body origins and bodies.

    accelerating: with v' of the last right-hand side; otherwise those for v' = 0, which the
    velocities alone cause.
    """
    g = np.array(values(system.mechanism.gravity))
    count = len(T.bodies)
    poses, twists, acc = np.zeros((count, 7)), np.zeros((count, 6)), np.zeros((count, 6))
    origin, attitude = T.node[:, k.O : k.O + 3], T.node[:, :9].reshape(-1, 3, 3)
    rotated = np.zeros((count, 3, 3))
    for b, node in enumerate(T.bodies[:, k.B_NODE]):
        R = rotated[b] = attitude[node] @ T.body_const[b, :9].reshape(3, 3)
        arm = attitude[node] @ T.body_const[b, k.BP : k.BP + 3]
        at = origin[node] + arm
        w, v = T.node[node, k.W : k.W + 3], T.node[node, k.V : k.V + 3]
        poses[b, :3] = at
        twists[b, :3], twists[b, 3:] = v + cross(w, arm), R.T @ w
        alpha = T.node[node, k.AW : k.AW + 3].copy()
        a = T.node[node, k.AV : k.AV + 3] + g + cross(alpha, arm) + cross(w, cross(w, arm))
        while accelerating and node < len(T.nodes) - 1:
            for j in range(T.nodes[node, k.V0], T.nodes[node, k.V0] + T.nodes[node, k.DOF]):
                column, rate = T.dof[j, :6], T.dof[j, k.ACC]
                a, alpha = (
                    a + rate * (column[3:] + cross(column[:3], at - origin[node])),
                    alpha + rate * column[:3],
                )
            node = T.nodes[node, k.PARENT]
        acc[b, :3], acc[b, 3:] = a, alpha
    if count:
        poses[:, 3:] = np.roll(Rotation.from_matrix(rotated).as_quat(), 1, axis=1)
    return poses, twists, acc
