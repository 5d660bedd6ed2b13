"""Places of bodies between two samples of a run, by the velocities that the samples hold."""

import numpy as np

from mechstudio.application.runs.recording import Recording

NEAR = 1e-9  # of the step between two samples, by which an instant is that of a sample


def sample_at(recording: Recording, time: float) -> np.ndarray:
    """The sample (layout.width,) at a time [s], with poses by cubics through places, attitudes and
    velocities of the two samples around it: their error falls with the fourth power of the step.

    Where a stop is struck between the two, they are as the recording interpolates them.
    """
    out = recording.sample(time)
    k = recording.index(time)
    rows, layout = recording.rows, recording.layout
    if k + 1 >= recording.count or not layout.bodies:
        return out
    before, after = rows[k], rows[k + 1]
    step = float(after[0] - before[0])
    part = (time - float(before[0])) / step if step > 0 else 0.0
    if not NEAR < part < 1 - NEAR:
        return (before if part <= NEAR else after).copy()
    if any(before[0] <= e.time <= after[0] for e in recording.events):
        return out
    p0, p1 = (row[layout.poses].reshape(-1, 7) for row in (before, after))
    v0, v1 = (row[layout.velocities].reshape(-1, 6) for row in (before, after))
    places = _cubic(p0[:, :3], p1[:, :3], v0[:, :3], v1[:, :3], step, part)
    near = np.where((p0[:, 3:] * p1[:, 3:]).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    q0, q1 = p0[:, 3:], near * p1[:, 3:]
    turns = _cubic(q0, q1, _rate(q0, v0[:, 3:]), _rate(q1, v1[:, 3:]), step, part)
    length = np.linalg.norm(turns, axis=1, keepdims=True)
    linear = out[layout.poses].reshape(-1, 7)
    linear[:, :3] = places
    # a body that turns many times within a step has no attitude between its ends
    good = length[:, 0] > 0.5
    linear[good, 3:] = (turns / np.maximum(length, NEAR))[good]
    return out


def _cubic(a, b, va, vb, step: float, part: float) -> np.ndarray:
    """The cubic from a to b with the rates va and vb at its ends."""
    s, r = part, 1.0 - part
    return (
        r * r * (1 + 2 * s) * a + s * s * (1 + 2 * r) * b + step * (r * r * s * va - s * s * r * vb)
    )


def _rate(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Rates (n, 4) of quaternions (n, 4) at angular velocities (n, 3) in body axes: q ω / 2."""
    w, u = q[:, :1], q[:, 1:]
    return 0.5 * np.hstack([-(u * turn).sum(axis=1, keepdims=True), w * turn + np.cross(u, turn)])
