"""The simulator's start, and its accelerations at a state, for comparison with equations derived
otherwise.
"""

from collections.abc import Collection

import msgspec
import numpy as np

from mechstudio.engine.kernels.right_hand_side import jacobian, right_hand_side
from mechstudio.engine.run import first_sample
from mechstudio.engine.system.initial_velocities import body_jacobians
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import SampleLayout

STEP = 1e-5  # of the motion along which the velocities' own change is taken [s]


class Simulator:
    """The simulator of a mechanism without what equations between the stops leave out: drives, laws
    over the time, stops, contacts.

    closing: joints that must be rows.
    """

    def __init__(self, mechanism: Mechanism, closing: Collection[str] = ()) -> None:
        replace = msgspec.structs.replace
        self.mechanism, self.closing = (
            replace(
                mechanism,
                joints={id: replace(j, limits=()) for id, j in mechanism.joints.items()},
                forces={id: replace(f, laws={}) for id, f in mechanism.forces.items()},
                drives={},
                contacts=replace(mechanism.contacts, enabled=False),
            ),
            closing,
        )

    def start(self) -> tuple[np.ndarray, SampleLayout]:
        """The sample (layout.width,) at the start, joints closed.  Raises EngineError
        and RunStopped.
        """
        return first_sample(self.mechanism)

    def accelerations(self, poses: np.ndarray, twists: np.ndarray) -> tuple[np.ndarray, float]:
        """Rates of all body frames' twists, and how far the joints allow the given twists.

        poses (n, 7): origin in W [m], quaternion w x y z, joints closed.  twists (n, 6): velocity
        of the frame's origin in W [m/s], angular velocity in W [rad/s].  Returns ((n, 6) their
        rates [m/s^2, rad/s^2], the largest rest of the twists).
        """
        system = compile_system(self.mechanism, poses, closing=self.closing)
        y, T, where = system.start.copy(), system.fresh_tables(), system.where
        J = body_jacobians(y, T).reshape(-1, where.nv)
        # a joint that closes a loop may be a chain of links without bodies, whose velocities follow
        # from its rows
        rows = np.zeros((len(T.rows), where.nv))
        jacobian(y.copy(), T, rows)
        u = np.linalg.lstsq(
            np.vstack((J, rows)), np.concatenate((twists.ravel(), np.zeros(len(rows)))), rcond=1e-11
        )[0]
        rest = float(np.abs(J @ u - twists.ravel()).max(initial=0.0))
        y[where.nq : where.nq + where.nv] = u
        rate = np.zeros_like(y)
        right_hand_side(y, T, rate, True)
        forward, back = (
            body_jacobians(y + s * STEP * rate, T).reshape(-1, where.nv) for s in (1, -1)
        )
        own = J @ rate[where.nq : where.nq + where.nv] + (forward - back) @ u / (2 * STEP)
        return own.reshape(-1, 6), rest
