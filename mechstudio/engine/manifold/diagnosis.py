"""Assembling a drawing on request: closed by the least movement, or the best try with the two
joints that stand against it.
"""

from collections.abc import Callable, Collection

import numpy as np

from mechstudio.engine.checks.elements import check_elements
from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import (
    Assembled,
    assemble,
    joint_errors,
    ways_moved,
)
from mechstudio.engine.manifold.joint_manifold import JointManifold
from mechstudio.engine.manifold.metric import measured
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.assembly import AssemblyResult, Gap
from mechstudio.translation import tr

NAMED = 2  # joints that are named
NEAR = 1e-2  # share of the largest error within which joints count as equally bad
LOOSE = 1e-3  # weight of a joint's rows while all others are closed
STAYS = 1e-3  # share of the gap by which the others may then be open


def endless() -> Finding:
    """Finding about a drawing whose lengths leave no digits to close it with."""
    return Finding(
        "error",
        "",
        tr("The drawing cannot be closed: its lengths are too far apart to compute with."),
        tr("Check the units of its lengths."),
    )


def close_drawing(
    mechanism: Mechanism, keep: Collection[str] = (), step: Callable[[], object] = lambda: None
) -> AssemblyResult:
    """Assemble a drawing as it stands, bodies of the ids in `keep` in place.  step(): see assemble.
    What cannot be read comes back as a finding.
    """
    for finding in check_elements(mechanism):
        if finding.severity == "error":
            return AssemblyResult(False, finding=finding)
    if not mechanism.joints or not mechanism.bodies:
        return AssemblyResult(True, _listed(drawn_poses(mechanism)))
    rows = JointRows(mechanism)
    found = assemble(mechanism, rows, keep=keep, step=step)
    if not np.isfinite(found.errors).all():
        return AssemblyResult(False, finding=endless())
    if not found.converged:
        return best_try(mechanism, rows, found, keep, step)
    drawn = drawn_poses(mechanism)
    return _outcome(
        mechanism, rows, found, found.poses, _worst(rows, drawn, joint_errors(rows, drawn))
    )


def _outcome(
    mechanism: Mechanism,
    rows: JointRows,
    found: Assembled,
    poses: np.ndarray,
    gaps: tuple[Gap, ...],
    alone: bool = False,
) -> AssemblyResult:
    ways = ways_moved(mechanism, rows, drawn_poses(mechanism), poses)
    typed = coordinates_by_joint(mechanism, joint_coordinates(mechanism, poses[None], rows=rows)[0])
    values = {
        id: tuple(map(float, row))
        for (id, joint), row in zip(mechanism.joints.items(), typed, strict=True)
        if joint.values
    }
    return AssemblyResult(
        found.converged,
        _listed(poses),
        values,
        found.gap_before,
        float(joint_errors(rows, poses).max()),
        float(ways.max()),
        list(mechanism.bodies)[int(np.argmax(ways))],
        gaps,
        alone,
    )


def _listed(poses: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, p)) for p in poses)


def _order(rows: JointRows, errors: np.ndarray) -> list[int]:
    """Joints by their errors; of those that are about as bad, joints between two moving bodies come
    first.
    """
    moving = (rows.body_a > 0) & (rows.body_b > 0)
    rank = np.floor(errors / max(NEAR * float(errors.max()), 1e-300) + 0.5)
    return sorted(range(len(errors)), key=lambda k: (-rank[k], not moving[k], k))


def _worst(rows: JointRows, poses: np.ndarray, errors: np.ndarray) -> tuple[Gap, ...]:
    return tuple(
        _gap(rows, poses, k)
        for k in _order(rows, errors)[:NAMED]
        if errors[k] > NEAR * errors.max()
    )


def _gap(rows: JointRows, poses: np.ndarray, joint: int) -> Gap:
    """Opening and tilt of a joint at poses. The tilt comes from the attitude, because beyond a
    right angle the rows of angles fall again.
    """
    apart = float(rows.gaps(poses)[joint])
    rest = float(joint_errors(rows, poses)[joint]) ** 2 - apart**2
    return Gap(
        rows.joints[joint], apart, float(np.arcsin(min(np.sqrt(max(rest, 0.0)) / rows.size, 1.0)))
    )


def best_try(
    mechanism: Mechanism,
    rows: JointRows,
    found: Assembled,
    keep: Collection[str] = (),
    step: Callable[[], object] = lambda: None,
) -> AssemblyResult:
    """The best poses of a drawing that assembling could not close, and the two worst joints there.

    Least squares shares one missing length among all joints of a loop; what a user can measure is
    the gap that is left at one of them when all others are closed.  Where more than one joint must
    stay open the shares are reported.
    """
    shown, gaps = found.poses, []
    for joint in _order(rows, found.errors)[:NAMED]:
        if found.errors[joint] < NEAR * found.errors.max():
            continue
        joints = JointManifold(mechanism, rows, measured(mechanism, rows, keep), step)
        joints.loosened = np.where(rows.joint_of_row == joint, LOOSE, 1.0)
        poses, _ = joints.settle(found.poses)
        errors = joint_errors(rows, poses)
        if np.delete(errors, joint).max(initial=0.0) > STAYS * errors[joint]:
            return _outcome(
                mechanism, rows, found, found.poses, _worst(rows, found.poses, found.errors)
            )
        if not gaps:
            shown = poses
        gaps.append(_gap(rows, poses, joint))
    return _outcome(mechanism, rows, found, shown, tuple(gaps), True)
