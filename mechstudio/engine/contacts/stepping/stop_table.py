"""Hard stops of joints as rows that the steps with contacts read (engine/contacts/workspace.py,
stop_contacts.py).
"""

import numpy as np

from mechstudio.engine.constraints.attitude import matrices
from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.system.stops import Stop, hard_stops, stop_name
from mechstudio.engine.system.system import System
from mechstudio.model.findings import Finding
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN, Z
from mechstudio.translation import tr

ALONG_Z = {(TURN, Z), (SLIDE, Z), (HELIX, Z)}


def stop_table(system: System) -> tuple[tuple[Stop, ...], list[tuple[np.ndarray, float]]]:
    """(the hard stops of a system, for each its row (STOP_WIDTH,) and restitution).

    Raises EngineError for a stop of a coordinate that is no turn about or slide along the joint's
    one axis.
    """
    stops, out = hard_stops(system), []
    if not stops:
        return (), []
    rows = system.joint_rows
    poses = (
        Recorder(system, system.fresh_tables())
        .samples(np.zeros(1), system.start[None])[:, system.layout.poses]
        .reshape(-1, 7)
    )
    origins, R = (
        np.concatenate((np.zeros((1, 3)), poses[:, :3])),
        np.concatenate((np.eye(3)[None], matrices(poses[:, 3:]))),
    )
    _, axes, at, _ = rows.frames_at(origins, R)
    joints = list(system.mechanism.joints)
    for stop in stops:
        kind = JOINT_TYPES[system.mechanism.joints[stop.joint].type]
        if not set(kind.motions) <= ALONG_Z:
            raise EngineError(
                Finding(
                    "error",
                    stop.joint,
                    tr(
                        "Steps with contacts do not keep {stop}: they know stops of turns and "
                        "slides about one axis.",
                        stop=stop_name(system.mechanism, stop),
                    ),
                    tr(
                        "Give the stop a stiffness, draw what it strikes as bodies that touch, or "
                        "switch contacts off."
                    ),
                )
            )
        k = joints.index(stop.joint)
        a, b = int(rows.body_a[k]), int(rows.body_b[k])
        start = float(system.start[stop.at])
        row = np.zeros(s.STOP_WIDTH)
        row[s.STOP_AT], row[s.STOP_SIDE], row[s.STOP_DRAWN] = stop.at, stop.side, stop.bound
        row[s.STOP_BOUND] = start if stop.side * (start - stop.bound) > 0.0 else stop.bound
        row[s.STOP_ARM] = system.size if stop.angle else 0.0
        row[s.STOP_A], row[s.STOP_B] = a - 1, b - 1
        row[s.STOP_Z : s.STOP_Z + 3], row[s.STOP_X : s.STOP_X + 3] = (
            R[a].T @ axes[k][:, 2],
            R[a].T @ axes[k][:, 0],
        )
        row[s.STOP_P : s.STOP_P + 3] = R[b].T @ (at[k] - origins[b])
        out.append((row, stop.restitution))
    return stops, out
