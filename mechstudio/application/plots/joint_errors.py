"""Constraint errors of single joints over a run: from its samples where joints hold points and
axes, else as an analysis of the same motion finds them.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from mechstudio.application.plots.series import Samples
from mechstudio.curves.course import Course
from mechstudio.curves.quantity_rows import CLOSURE
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import ANGLE, JOINT_TYPES, POINT

MOST = 1_000_000  # samples times joints that are read between two pictures


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


def holding(mechanism: Mechanism) -> list[str]:
    """Ids of the joints that prevent something."""
    return [id for id, joint in mechanism.joints.items() if JOINT_TYPES[joint.type].rows]


def keys(mechanism: Mechanism, known: Collection[str]) -> tuple[str, ...]:
    """Keys of the errors and the gaps of joints that an analysis has to find.  known: ids of joints
    whose errors stand in the samples.
    """
    held = [id for id in holding(mechanism) if id not in known]
    return tuple(error_key(id, column) for id in held for column in ("gap", "error"))


class Residuals(NamedTuple):
    """Residuals of a joint at samples (s).  gap (s, 3) [m]: from its point on the first body to
    that on the second one in W, without what the joint leaves free; place (s, 3) [m]: of the first.
    tilt (s, rows): products of axes that are to be at right angles.
    """

    place: np.ndarray
    gap: np.ndarray
    tilt: np.ndarray


def residuals(m: Mechanism, layout: SampleLayout, rows: np.ndarray, joint: str) -> Residuals | None:
    """Residuals of a joint at samples (s, width); None of one that holds anything else than points
    and axes.
    """
    drawn = m.joints[joint]
    held = JOINT_TYPES[drawn.type].rows
    if not held or not JOINT_TYPES[drawn.type].primitives <= {POINT, ANGLE}:
        return None
    (a, A), (b, B) = (_placed(m, layout, rows, f) for f in (drawn.frame_a, drawn.frame_b))
    apart, gap, tilt = b - a, np.zeros_like(a), []
    for primitive, i, j in held:
        if primitive == POINT:
            axis = A[:, :, i]
            gap = gap + np.sum(axis * apart, axis=1)[:, None] * axis
        else:
            tilt.append(np.sum(A[:, :, i] * B[:, :, j], axis=1))
    return Residuals(a, gap, np.array(tilt).T if tilt else np.zeros((len(a), 0)))


def _placed(
    m: Mechanism, layout: SampleLayout, rows: np.ndarray, frame: Frame
) -> tuple[np.ndarray, np.ndarray]:
    """Origin (s, 3) and axes (s, 3, 3) of a frame of a body, in W at samples."""
    at, q = m.frame_in_body(frame)
    own = matrices(np.array([q]))[0]
    if frame.body == GROUND:
        shape = (len(rows), 1, 1)
        return np.tile(np.array(at), (len(rows), 1)), np.tile(own, shape)
    pose = rows[:, layout.pose(frame.body)]
    R = matrices(pose[:, 3:])
    return pose[:, :3] + R @ np.array(at), R @ own


def errors_of(
    m: Mechanism, layout: SampleLayout, rows: np.ndarray, joint: str
) -> tuple[np.ndarray, np.ndarray] | None:
    """Error and gap (s,) of a joint at samples [m]; None where `residuals` is."""
    found = residuals(m, layout, rows, joint)
    if found is None:
        return None
    gap = np.linalg.norm(found.gap, axis=1)
    return np.hypot(gap, m.size() * np.linalg.norm(found.tilt, axis=1)), gap


class Errors:
    """Errors of the joints of runs; those of a finished run are found once."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Samples, tuple[int, dict[str, tuple[Course, Course]]]] = (
            WeakKeyDictionary()
        )

    def courses(self, samples: Samples | None) -> dict[str, tuple[Course, Course]]:
        """Courses of error and gap by joints, of those that samples determine; none of a run that
        is too long for a moment.
        """
        if samples is None or not samples.count:
            return {}
        m = samples.project.mechanism
        if samples.count * len(m.joints) > MOST:
            return {}
        kept = self._kept.get(samples)
        if kept is not None and kept[0] == samples.count:
            return kept[1]
        out = {}
        for id in m.joints:
            if (found := errors_of(m, samples.layout, samples.rows, id)) is not None:
                out[id] = tuple(Course(samples.time, values) for values in found)
        self._kept[samples] = (samples.count, out)
        return out


def joint_errors(
    mechanism: Mechanism,
    own: Mapping[str, tuple[Course, Course]],
    answers: Mapping[str, Course],
    time: float,
) -> list[JointError]:
    """Errors of all joints, the largest first.  own: of the samples; answers: of an analysis, for
    the other joints.
    """
    out = []
    for id, joint in mechanism.joints.items():
        error, gap = own.get(id) or (
            answers.get(error_key(id, column)) for column in ("error", "gap")
        )
        if error is None or gap is None or not np.isfinite(error.values).any():
            continue
        k = int(np.nanargmax(error.values))
        now = float(np.interp(time, error.times, error.values))
        largest, at = float(error.values[k]), float(error.times[k])
        out.append(JointError(id, joint.name, largest, at, float(np.nanmax(gap.values)), now))
    return sorted(out, key=lambda e: -e.largest)
