"""Facts about planar four-bars: Grashof's class and the range of the transmission angle."""

import math

import numpy as np

from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.branches import FourBar
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

PARALLEL = 1e-9  # sine between two axes that count as parallel
EQUAL = 1e-9  # parts of the perimeter within which two sums of lengths are equal


def four_bar(
    mechanism: Mechanism, rows: JointRows, poses: np.ndarray, joint: str
) -> FourBar | None:
    """Of a mechanism that is one ring of four parallel hinges with ground, seen from a hinge of
    ground as the input; None for any other.

    poses (n, 7).

    With lengths g (base), a (input), b (coupler), c (output) and the diagonal e between the input
    link's end and the output's hinge on ground, e^2 = g^2 + a^2 - 2 g a cos(input), the
    transmission angle mu between coupler and output has cos mu = (b^2 + c^2 - e^2) / (2 b c)
    (Norton 2012, section 4.9).
    """
    joints = list(mechanism.joints.values())
    if (
        len(joints) != 4
        or len(mechanism.bodies) != 3
        or any(not JOINT_TYPES[j.type].is_pin for j in joints)
    ):
        return None
    pairs = [{int(a), int(b)} for a, b in zip(rows.body_a, rows.body_b, strict=True)]
    first = next(k for k, j in enumerate(joints) if j.id == joint)
    if 0 not in pairs[first]:
        return None
    ring, node = [first], next(iter(pairs[first] - {0}))
    while len(ring) < 4:
        following = [k for k in range(4) if k not in ring and node in pairs[k]]
        if len(following) != 1:
            return None
        ring.append(following[0])
        if len(ring) < 4:
            node = next(iter(pairs[following[0]] - {node}))
    if 0 not in pairs[ring[3]]:
        return None
    _, _, P, R = rows.frames(poses)
    axis = R[first][:, 2]
    if any(np.linalg.norm(np.cross(axis, R[k][:, 2])) > PARALLEL for k in ring):
        return None
    flat = P - np.outer(P @ axis, axis)
    a, b, c, g = (float(np.linalg.norm(flat[ring[(k + 1) % 4]] - flat[ring[k]])) for k in range(4))
    least, greatest = transmission(g, a, b, c)
    order = sorted((g, a, b, c))
    margin = order[1] + order[2] - order[0] - order[3]
    return FourBar(
        g, a, b, c, kind_of(g, a, b, c, margin, EQUAL * sum(order)), margin, least, greatest
    )


def transmission(g: float, a: float, b: float, c: float) -> tuple[float, float]:
    """Least and greatest mu [rad]: the diagonal reaches from |g - a| to g + a as far as coupler and
    output let it.
    """
    shortest, longest = max(abs(g - a), abs(b - c)), min(g + a, b + c)
    angle = lambda e: math.acos(max(-1.0, min(1.0, (b * b + c * c - e * e) / (2 * b * c))))
    return angle(shortest), angle(longest)


def kind_of(g: float, a: float, b: float, c: float, margin: float, equal: float) -> str:
    """Grashof's class, seen from the input."""
    if abs(margin) <= equal:
        return tr("change-point linkage: it can be in line")
    if margin < 0:
        return tr("triple rocker: no link turns all the way (not Grashof)")
    shortest = min(g, a, b, c)
    if shortest == g:
        return tr("double crank: both cranks turn all the way")
    if shortest == a:
        return tr("crank-rocker: the input turns all the way")
    if shortest == c:
        return tr("rocker-crank: the output turns all the way")
    return tr("double rocker: only the coupler turns all the way")
