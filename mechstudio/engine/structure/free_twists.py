"""Twists that a joint leaves free at every pose, from its row of motions alone.

At generic coordinates the chain of motions spans the twists of B against A that the joint allows,
less those that its nonholonomic rows prevent.  A twist that is fixed in one of the two bodies is
always free if it lies in all of these spans, as seen from that body.
"""

import functools

import numpy as np
import scipy.linalg

from mechstudio.engine.constraints.attitude import cross
from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    ROLL,
    SLIDE,
    TRACK,
    TURN,
    JointType,
    Y,
)

POSES = 6  # generic coordinates at which the spans are compared
SMALL = 1e-9
I3 = np.eye(3)


def always_free(joint: Joint, R: np.ndarray, p: np.ndarray, is_a: bool) -> list[np.ndarray]:
    """Twists (w; v at O), fixed in the body of one frame (R, p) of a joint, that the joint leaves
    free at every pose.  is_a: frame A.
    """
    kind = JOINT_TYPES[joint.type]
    unit, sign = 1.0, 1.0
    if kind.parameters:
        number = joint.parameters.get(kind.parameters[0].name)
        if number is not None and number.value:
            unit, sign = abs(number.value), float(np.sign(number.value))
        elif not kind.holds_distance:
            return []
    out = []
    for twist in _free(joint.type, sign)[0 if is_a else 1]:
        w, v = R @ twist[:3], unit * (R @ twist[3:])
        out.append(np.concatenate((w, v + cross(p, w))))
    return out


@functools.cache
def _free(type: str, length: float) -> tuple[np.ndarray, np.ndarray]:
    """The twists (k, 6) about the frames' own origins, fixed in A and fixed in B, of a joint whose
    length is 1 or -1.
    """
    kind, rng = JOINT_TYPES[type], np.random.default_rng(1)
    seen = [_spans(kind, length, rng) for _ in range(POSES)]
    return _intersection([a for a, _ in seen]), _intersection([b for _, b in seen])


def _spans(
    kind: JointType, length: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Free twists (6, k) at random coordinates, in A about A's origin and in B about B's."""
    R, p, contact = I3, np.zeros(3), np.zeros(3)
    out: list[np.ndarray] = []
    turn = lambda axis, at: np.concatenate((axis, cross(at, axis)))
    slide = lambda axis: np.concatenate((np.zeros(3), axis))
    halves: list[np.ndarray] = []
    angles = iter(rng.uniform(0.3, 1.2, 2 * len(kind.motions) + 6))
    tilt = next(angles)
    for motion, k in kind.motions:
        axis = R[:, k]
        if motion == SLIDE:
            out.append(slide(axis))
            p = p + rng.normal() * axis
        elif motion == TURN:
            out.append(turn(axis, p))
            R = R @ _rotation(I3[k], next(angles))
        elif motion == HALF:
            halves.append(0.5 * turn(axis, p))
            R = R @ _rotation(I3[k], tilt / 2)
        elif motion == HELIX:
            lead, angle = length / (2 * np.pi), next(angles)
            out.append(turn(axis, p) + lead * slide(axis))
            R, p = R @ _rotation(I3[k], angle), p + lead * angle * axis
        elif motion == BALL:
            out += [turn(e, p) for e in I3]
            R = R @ _rotation(_unit(rng.normal(size=3)), next(angles))
        elif motion == TRACK:
            out.append(slide(_unit(rng.normal(size=3))))
            p = p + rng.normal(size=3)
        elif motion == LIFT:
            R = R @ _rotation(I3[k], next(angles))
            out.append(turn(axis, p) + rng.normal() * slide(R[:, Y]))
            p = p + rng.normal() * R[:, Y]
        elif motion == ROD:
            contact, p = p, p + length * axis
        elif motion == QUARTER:
            R = R @ _rotation(I3[k], np.pi / 2)
    if halves:
        out.append(np.sum(halves, axis=0))
    twists = np.array(out).reshape(-1, 6).T
    if kind.rolling:
        rows = []
        for primitive, a, b in kind.rolling:
            direction, point = (I3[a], contact) if primitive == ROLL else (R[:, b], p)
            # direction . (v + w x point)
            rows.append(np.concatenate((cross(point, direction), direction)))
        twists = twists @ scipy.linalg.null_space(np.array(rows) @ twists)
    w, v = twists[:3], twists[3:]
    from_b = np.vstack([R.T @ w, R.T @ (v + np.cross(w, p, axisa=0, axisc=0))])
    return twists, from_b


def _intersection(spans: list[np.ndarray]) -> np.ndarray:
    """A basis (k, 6) of the intersection of all spans (6, n)."""
    outside = sum(np.eye(6) - q @ q.T for q in (scipy.linalg.orth(s) for s in spans))
    values, vectors = np.linalg.eigh(outside)
    return _plain(vectors[:, values < SMALL].T)


def _plain(basis: np.ndarray) -> np.ndarray:
    """The reduced row echelon form of a basis, so that turns and slides stand for themselves."""
    rows, done = basis.copy(), 0
    for column in range(6):
        if done == len(rows):
            break
        pivot = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[pivot, column]) < 1e-6:
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        for k in range(len(rows)):
            if k != done:
                rows[k] -= rows[k, column] * rows[done]
        done += 1
    return np.where(np.abs(rows) < 1e-9, 0.0, rows)


def _rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    K = np.cross(I3, -axis)
    return I3 + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)
