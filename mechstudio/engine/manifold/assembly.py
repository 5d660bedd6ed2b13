"""Assembly of a drawing: the poses nearest to the drawn ones at which every joint holds, and
generic poses on the manifold.

Assembling holds typed numbers (typed_numbers.py) and moves the rest least in the norm of
metric.py, which weighs bodies by their size; other closings weigh translation and size times
rotation alike.  Couplings and drives close nothing:
their constants are taken from the assembled poses (joint_setting.py, engine/system/system.py), and
a thread's constant from the drawn ones (engine/constraints/rows.py).
"""

from collections.abc import Callable, Collection
from typing import TypeVar

import msgspec
import numpy as np

from mechstudio.engine.constraints.attitude import displaced, drawn_poses, turn_angle
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.joint_manifold import CLOSED, EXACT, JointManifold
from mechstudio.engine.manifold.metric import measured
from mechstudio.engine.manifold.placement_rows import closed_as_typed
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

RETRIES = 2  # more searches where the first does not close
RETRY_STEP = 0.2  # radians, or parts of size, by which they start beside it
RETRY_ITERATIONS = 40
GENERIC_STEP = 0.12  # radians, or parts of size, of one step of generic_pose
GENERIC_STEPS = 2
GENERIC_ITERATIONS = 25  # closing that takes longer goes to a singular pose

State = TypeVar("State")
Direction = TypeVar("Direction")


class Assembled(msgspec.Struct, frozen=True):
    """The outcome of assembling.

    poses (n, 7): origin in W [m], quaternion.  gap_before, gap_after: largest error of a joint [m],
    angle errors times size.   converged: whether it closed.
    errors (joints,): what is left at each joint [m].
    """

    poses: np.ndarray
    gap_before: float
    gap_after: float
    converged: bool
    errors: np.ndarray
    _way: Callable[[], float]

    @property
    def moved(self) -> float:
        """Largest distance that a body origin, joint point or point of a shape was moved [m]."""
        return self._way()


def assemble(
    mechanism: Mechanism,
    rows: JointRows | None = None,
    start: np.ndarray | None = None,
    keep: Collection[str] = (),
    step: Callable[[], object] = lambda: None,
) -> Assembled:
    """The poses nearest to the drawn ones (or to `start`, (n, 7)) at which all joints hold, ground
    fixed.

    keep: ids of bodies that stay where they are.  step(): called at each Newton step; what it
    raises ends the search.
    Of the drawn poses, numbers that were typed are kept as far as the joints allow; the rest gives
    way to them.  A drawing whose residual is below 1e-12 size comes back bit by bit.  Where it
    cannot close, the poses have the least residual found.  Axes that must be parallel are turned to
    the same side, never to opposite ones.
    """
    rows = rows or JointRows(mechanism)
    poses = drawn_poses(mechanism) if start is None else np.asarray(start, float)
    joints = JointManifold(mechanism, rows, step=step)
    before = joints.errors(poses)
    gap_before = float(before.max(initial=0.0))
    if gap_before <= EXACT * joints.reach:
        return Assembled(poses, gap_before, gap_before, True, before, lambda: 0.0)
    joints.measure = measured(mechanism, rows, keep)
    goal = CLOSED * joints.reach
    closed, errors = (
        closed_as_typed(joints, mechanism, poses, goal) if start is None else (poses, before)
    )
    if errors.max() > CLOSED * joints.reach:
        closed, errors = joints.project(poses)
    if errors.max() > CLOSED * joints.reach:
        closed, errors = _closed_from_elsewhere(joints, poses, closed, errors)
    if errors.max() <= CLOSED * joints.reach:
        closed, errors = joints.approach(poses, closed, errors)
    gap_after = float(errors.max())
    return Assembled(
        closed,
        gap_before,
        gap_after,
        gap_after <= CLOSED * joints.reach,
        errors,
        lambda: distance_moved(mechanism, rows, poses, closed),
    )


def _closed_from_elsewhere(joints, poses, closed, errors):
    """The best of some more searches that start beside the drawn poses: the first may have ended in
    a hollow.
    """
    rng = np.random.default_rng(RETRIES)
    for _ in range(RETRIES):
        aside = RETRY_STEP * joints.size * rng.standard_normal(6 * len(poses))
        other, left = joints.project(
            displaced(poses, joints.unscaled(aside, poses)), RETRY_ITERATIONS
        )
        if np.linalg.norm(left) < np.linalg.norm(errors):
            closed, errors = other, left
        if errors.max() <= CLOSED * joints.reach:
            return closed, errors
    return joints.settle(closed)


def generic_pose(
    mechanism: Mechanism, poses: np.ndarray, rows: JointRows | None = None, attempt: int = 0
) -> np.ndarray:
    """Closed poses (n, 7) a finite, deterministic and arbitrary way along the free motions from
    closed poses (n, 7).

    What is special about a drawn pose (links in line, legs in parallel) is gone there; what is
    special about the lengths is not.  Poses that cannot move come back as they were or nearly so.
    attempt: chooses another arbitrary direction.
    """
    rows = rows or JointRows(mechanism)
    if rows.row_count == 0:
        return poses
    joints = JointManifold(mechanism, rows)
    # numbers without any pattern, the same on every machine and in every unit
    target = np.random.default_rng(20261121 + attempt).standard_normal(6 * rows.body_count)

    def direction(poses: np.ndarray) -> np.ndarray:
        free = joints.tangent(poses, target)
        return free * (rows.size / max(np.abs(free).max(initial=0.0), 1e-300))

    def step(poses: np.ndarray, direction: np.ndarray, length: float) -> np.ndarray | None:
        closed, errors = joints.project(
            displaced(poses, joints.unscaled(length * direction, poses)), GENERIC_ITERATIONS
        )
        return closed if errors.max(initial=0.0) <= CLOSED * joints.reach else None

    return generic_way(poses, direction, step)


def generic_way(
    start: State,
    direction: Callable[[State], Direction],
    step: Callable[[State, Direction, float], State | None],
) -> State:
    """State GENERIC_STEPS steps of GENERIC_STEP further on; a step that finds none is shortened,
    and the last state that was found ends it.

    direction(state): tangent there, of largest component 1 rad or one size.  step(state, direction,
    length): closed state beside it, None where none is found.
    """
    for _ in range(GENERIC_STEPS):
        along, length, found = direction(start), GENERIC_STEP, None
        while found is None and length > 0.05 * GENERIC_STEP:
            found, length = step(start, along, length), 0.4 * length
        if found is None:
            break
        start = found
    return start


def travel(rows: JointRows, before: np.ndarray, after: np.ndarray) -> float:
    """Largest way of a body between two sets of poses (n, 7): radians of its turn, or parts of size
    of its shift.
    """
    shift = np.linalg.norm(after[:, :3] - before[:, :3], axis=1) / rows.size
    return float(np.maximum(shift, turn_angle(before[:, 3:], after[:, 3:])).max(initial=0.0))


def joint_errors(rows: JointRows, poses: np.ndarray) -> np.ndarray:
    """Norm of each joint's residuals (joints,) [m], angles times the size."""
    out = np.zeros(len(rows.joints))
    np.add.at(out, rows.joint_of_row, rows.residuals(poses) ** 2)
    return np.sqrt(out)


def distance_moved(
    mechanism: Mechanism, rows: JointRows, before: np.ndarray, after: np.ndarray
) -> float:
    """Largest distance [m] between two sets of poses (n, 7), over body origins, joint points and
    points of shapes.
    """
    return float(ways_moved(mechanism, rows, before, after).max(initial=0.0))


def ways_moved(
    mechanism: Mechanism, rows: JointRows, before: np.ndarray, after: np.ndarray
) -> np.ndarray:
    """The same body by body (n,)."""
    a, b = rows.frames(before), rows.frames(after)
    ways = np.zeros(1 + rows.body_count)
    for k, bodies in ((0, rows.body_a), (2, rows.body_b)):
        np.maximum.at(ways, bodies, np.linalg.norm(b[k] - a[k], axis=1))
    (_, R_before), (_, R_after) = rows.bodies(before), rows.bodies(after)
    for k, body in enumerate(mechanism.bodies.values()):
        points = [
            (0.0, 0.0, 0.0),
            *(
                p
                for shape in body.shapes
                for p in (values(shape.placement.position), *shape.points().values())
            ),
        ]
        rotated = (R_after[k + 1] - R_before[k + 1]) @ np.array(points).T
        ways[k + 1] = max(
            ways[k + 1], np.linalg.norm(rotated.T + after[k, :3] - before[k, :3], axis=1).max()
        )
    return ways[1:]
