"""Spaces of twists in which bodies move: Lie algebras that the joints on the way to a body generate
(Herve 1978).

A twist is (w; v at O) in W.  The algebra generated at one pose holds at every pose that the joints
allow, so that what commutes with it, or is left alone by it, is so throughout the motion.
"""

from collections import deque
from collections.abc import Iterable

import numpy as np

from mechstudio.engine.constraints.ranks import rank_of
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES

ALL = np.eye(6)
I3 = np.eye(3)


def bracket(a: np.ndarray) -> np.ndarray:
    """The matrix (6, 6) of x -> [a, x], the rate of a twist x that is carried along with a."""
    w, v = cross(a[:3]), cross(a[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def cross(a: np.ndarray) -> np.ndarray:
    """The matrix (3, 3) of x -> a x x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def spanned(twists: np.ndarray) -> np.ndarray:
    """An orthonormal basis (r, 6) of twists (k, 6), lengths over the mechanism's size."""
    if not len(twists):
        return twists
    _, s, Vt = np.linalg.svd(twists, full_matrices=False)
    return Vt[: rank_of(s, max(float(s[0]), 1.0))]


def generated(twists: np.ndarray) -> np.ndarray:
    """A basis (r, 6) of the smallest algebra that contains twists (k, 6), lengths over the
    mechanism's size.
    """
    basis = spanned(twists)
    while 0 < len(basis) < 6:
        more = spanned(np.vstack([basis, *(basis @ bracket(a).T for a in basis)]))
        if len(more) == len(basis):
            break
        basis = more
    return ALL if len(basis) == 6 else basis


def joint_twists(mechanism: Mechanism, joint: Joint, size: float) -> np.ndarray:
    """Twists that generate the motions of a joint (k, 6), at the drawn pose of its frame A, lengths
    over the size.
    """
    p, q = mechanism.frame_in_world(joint.frame_a)
    R, at = np.array(matrix(q)), np.array(p) / size
    turn = lambda axis: np.concatenate((axis, np.cross(at, axis)))
    slide = lambda axis: np.concatenate((np.zeros(3), axis))
    out: list[np.ndarray] = []
    for motion, k in JOINT_TYPES[joint.type].motions:
        match motion:
            case "turn" | "half":
                out.append(turn(R[:, k]))
            case "slide":
                out.append(slide(R[:, k]))
            case "ball":
                out += [turn(a) for a in I3]
            case "helix":
                pitch = joint.parameters.get("pitch")
                lead = None if pitch is None else pitch.value / (2 * np.pi * size)
                out += (
                    [turn(R[:, k]), slide(R[:, k])]
                    if lead is None
                    else [turn(R[:, k]) + lead * slide(R[:, k])]
                )
            case _:
                # a rod or a quarter turn takes the next motions elsewhere, a track goes where its
                # curve goes
                return ALL
    return np.array(out).reshape(-1, 6)


def algebras(mechanism: Mechanism, twists_of: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Per body that joints connect to ground the algebra (r, 6) of its motions, lengths over the
    size; the narrowest of several ways counts.

    twists_of: joint_twists by id.
    """
    ways: dict[str, list[tuple[str, np.ndarray]]] = {}
    for id, j in mechanism.joints.items():
        a, b, twists = j.frame_a.body, j.frame_b.body, twists_of[id]
        ways.setdefault(a, []).append((b, twists))
        ways.setdefault(b, []).append((a, twists))
    found = {GROUND: np.zeros((0, 6))}
    ahead = deque([GROUND])
    while ahead:
        here = ahead.popleft()
        for other, twists in ways.get(here, ()):
            algebra = generated(np.vstack([found[here], twists]))
            if other not in found or len(algebra) < len(found[other]):
                found[other] = algebra
                ahead.append(other)
    return found


def rotated_about(directions: Iterable[np.ndarray], algebra: np.ndarray) -> np.ndarray:
    """All directions (r, 3) in which those that are fixed in W may lie, as seen from a body that
    moves in an algebra.
    """
    seen = np.array(list(directions)).reshape(-1, 3)
    seen = spanned(seen)
    while 0 < len(seen) < 3:
        more = spanned(np.vstack([seen, *(seen @ cross(w).T for w in algebra[:, :3])]))
        if len(more) == len(seen):
            break
        seen = more
    return seen


def displaced(twist: np.ndarray, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """A twist as a body sees it that has moved by (R, p) from where it was drawn, in the axes of
    its drawn pose.
    """
    w = R.T @ twist[:3]
    return np.concatenate((w, R.T @ (twist[3:] - np.cross(p, twist[:3]))))


def movement(twist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The displacement (R, p) of a twist that lasts one unit of time."""
    w, v = twist[:3], twist[3:]
    K, angle = cross(w), float(np.linalg.norm(w))
    if angle < 1e-12:
        return I3, v
    # Rodrigues; the integral of R carries the shift
    s, c, d = (
        np.sin(angle) / angle,
        (1 - np.cos(angle)) / angle**2,
        (angle - np.sin(angle)) / angle**3,
    )
    return I3 + s * K + c * K @ K, (I3 + c * K + d * K @ K) @ v
