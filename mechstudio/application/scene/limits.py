"""Stops of a joint as they are drawn while it is selected: a sector for a turn, a slot for a slide, with a needle at the coordinate."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.model.joint_types import HELIX, JOINT_TYPES, SLIDE, TURN, X, Y, Z
from mechstudio.model.mechanism import Joint, Limit, Mechanism

from .rows import multiply, rotate

REACH = 2.2                   # radius of a sector, in glyphs
STEPS = 48
FAR = 3.2                     # a turn without a stop on one side is drawn so far [rad] beyond the other


class LimitMark(NamedTuple):
    """area: polygon (k, 3) in W.   stops: a line (2, 3) per stop.   needle: where the coordinate is (2, 3).   soft: it gives."""

    area: np.ndarray
    stops: tuple[np.ndarray, ...]
    needle: np.ndarray
    soft: bool


def limit_marks(m: Mechanism, joint: Joint, glyph: float, pose: Callable[[str], tuple[np.ndarray, np.ndarray]]) -> list[LimitMark]:
    """Marks of a joint's stops.   glyph: radius of its glyph [m].   pose(body): quaternion w x y z and place [m] in W as shown now."""
    motions = JOINT_TYPES[joint.type].motions
    if len(motions) != len(JOINT_TYPES[joint.type].coordinates) or not joint.visible:
        return []
    frames = []
    for f in (joint.frame_a, joint.frame_b):
        q, p = pose(f.body)
        at, turn = m.frame_in_body(f)
        frames.append((multiply(q, np.array(turn)), p + rotate(q, np.array(at))))
    out = []
    for limit in joint.limits:
        if limit.coordinate >= len(motions) or (limit.lower is None and limit.upper is None):
            continue
        kind, axis = motions[limit.coordinate]
        if kind in (TURN, HELIX):
            out.append(_sector(limit, axis, frames, glyph))
        elif kind == SLIDE:
            out.append(_slot(limit, axis, frames, glyph, alone=len(motions) == 1 or motions[0][0] != SLIDE or motions[1][0] != SLIDE))
    return out


def _sector(limit: Limit, axis: int, frames, glyph: float) -> LimitMark:
    (q, _), (r, place) = frames
    first, second = (Y, Z) if axis == X else (Z, X) if axis == Y else (X, Y)
    a = [limit.lower.value if limit.lower is not None else None, limit.upper.value if limit.upper is not None else None]
    low = a[0] if a[0] is not None else a[1] - FAR  # type: ignore[operator]
    high = a[1] if a[1] is not None else a[0] + FAR  # type: ignore[operator]
    e, f = np.eye(3)[first], np.eye(3)[second]
    at = lambda angle, radius: place + rotate(q, radius * glyph * (np.cos(angle)[..., None] * e + np.sin(angle)[..., None] * f))
    angles = np.linspace(low, min(high, low + 2 * np.pi), STEPS)
    area = np.concatenate([place[None], at(angles, REACH)])
    stops = tuple(np.array([place, at(np.array(x), 1.12 * REACH)]) for x in a if x is not None)
    # where the second frame's axis points now
    now = rotate(q * (1, -1, -1, -1), rotate(r, e))
    angle = np.array(np.arctan2(now[second], now[first]))
    return LimitMark(area, stops, np.array([place, at(angle, 1.05 * REACH)]), limit.stiffness is not None)


def _slot(limit: Limit, axis: int, frames, glyph: float, alone: bool) -> LimitMark:
    (q, base), (_, place) = frames
    u = rotate(q, np.eye(3)[axis])
    side = rotate(q, np.eye(3)[(axis + 1) % 3])
    now = float((place - base) @ u)
    # the other slides carry the slot along
    foot = (base if alone else place - now * u)
    low = limit.lower.value if limit.lower is not None else limit.upper.value - 6 * glyph  # type: ignore[union-attr]
    high = limit.upper.value if limit.upper is not None else limit.lower.value + 6 * glyph  # type: ignore[union-attr]
    wide = 0.45 * glyph
    area = np.array([foot + x * u + s * wide * side for x, s in ((low, -1), (high, -1), (high, 1), (low, 1))])
    stop = lambda x: np.array([foot + x * u - 2.2 * wide * side, foot + x * u + 2.2 * wide * side])
    stops = tuple(stop(q.value) for q in (limit.lower, limit.upper) if q is not None)
    return LimitMark(area, stops, np.array([foot + now * u - 1.5 * wide * side, foot + now * u + 1.5 * wide * side]), limit.stiffness is not None)
