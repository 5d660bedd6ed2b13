"""Stops of a joint as they are drawn while it is selected: a sector for a turn, a slot for a slide, with a needle at the coordinate.

An angle of a ball or cross is one of several turns, one after the other: its sector lies across the axis of its own turn, as the turns
before it have placed that axis.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.model.joint_types import BALL, HELIX, JOINT_TYPES, SLIDE, TURN, X, Y, Z
from mechstudio.model.mechanism import Joint, Limit, Mechanism
from mechstudio.model.quantity import Quantity
from mechstudio.model.rotation import to_angles

from .rows import multiply, rotate

REACH = 2.2                   # radius of a sector, in glyphs
STOP = 1.12 * REACH           # how far the line of a stop goes, in glyphs
STEPS = 48
FAR = 3.2                     # a turn without a stop on one side is drawn so far [rad] beyond the other
HALF_WIDE = 0.45              # half width of a slot, in glyphs

Pose = Callable[[str], tuple[np.ndarray, np.ndarray]]


class LimitMark(NamedTuple):
    """area: polygon (k, 3) in W.   stops: a line (2, 3) per stop.   needle: where the coordinate is (2, 3).   soft: it gives."""

    area: np.ndarray
    stops: tuple[np.ndarray, ...]
    needle: np.ndarray
    soft: bool


class Scale(NamedTuple):
    """Where the values of one coordinate stand in space.

    limit: index into the joint's limits.   origin [m, W].   first, second: unit vectors in W; a turn goes from the first to the second, a slide along the
    first with the second across it.   glyph: radius of the joint's glyph [m].   now: the coordinate as shown [m or rad].
    """

    limit: int
    turning: bool
    origin: np.ndarray
    first: np.ndarray
    second: np.ndarray
    glyph: float
    now: float

    def at(self, value: np.ndarray | float, radius: float = STOP) -> np.ndarray:
        """Places (…, 3) of values [m or rad] in W; radius: of turns, in glyphs."""
        value = np.asarray(value, float)[..., None]
        if self.turning:
            return self.origin + radius * self.glyph * (np.cos(value) * self.first + np.sin(value) * self.second)
        return self.origin + value * self.first


def undrawn(joint: Joint) -> tuple[int, ...]:
    """Coordinates of a joint whose stops have no place in the view that could show them."""
    return tuple(k for k, step in enumerate(_steps(joint.type)) if step is None)


def _steps(type: str) -> tuple[tuple[str, int] | None, ...]:
    """(motion, axis) of each coordinate of a joint type that a sector or a slot can show, None for others."""
    motions = JOINT_TYPES[type].motions
    steps: list[tuple[str, int] | None] = []
    # of a chain with other motions in it only the slides that come first can be told from where its bodies are
    whole = all(kind in (TURN, HELIX, SLIDE, BALL) for kind, _ in motions)
    for kind, axis in motions:
        if not whole and kind != SLIDE:
            break
        steps += [(TURN, Z), (TURN, Y), (TURN, X)] if kind == BALL else [(kind, axis)]
    return (*steps, *(None,) * (JOINT_TYPES[type].dof - len(steps)))


def limit_scales(m: Mechanism, joint: Joint, glyph: float, pose: Pose) -> list[Scale]:
    """Scales of the coordinates of a joint that have stops.   glyph: radius of its glyph [m].   pose(body): quaternion w x y z and place [m] in W as shown now."""
    steps = _steps(joint.type)
    wanted = [(k, limit) for k, limit in enumerate(joint.limits)
              if limit.coordinate < len(steps) and steps[limit.coordinate] is not None and (limit.lower, limit.upper) != (None, None)]
    if not wanted or not joint.visible:
        return []
    (q, base), (r, place) = (_frame(m, f, pose) for f in (joint.frame_a, joint.frame_b))
    out: dict[int, Scale] = {}
    alone = sum(step is not None and step[0] == SLIDE for step in steps) == 1
    angles = _angles([step[1] for step in steps if step is not None and step[0] != SLIDE], multiply(q * (1, -1, -1, -1), r))
    turned = q                                                 # the axes that the turns so far have placed
    for coordinate, step in enumerate(steps):
        if step is None:
            break
        kind, axis = step
        k = next((k for k, limit in wanted if limit.coordinate == coordinate), -1)
        if kind == SLIDE:
            u = rotate(q, np.eye(3)[axis])
            now = float((place - base) @ u)
            # the other slides carry the slot along
            out[k] = Scale(k, False, base if alone else place - now * u, u, rotate(q, np.eye(3)[(axis + 1) % 3]), glyph, now)
            continue
        angle = angles.pop(0)
        first, second = {X: (Y, Z), Y: (Z, X), Z: (X, Y)}[axis]
        out[k] = Scale(k, True, place, rotate(turned, np.eye(3)[first]), rotate(turned, np.eye(3)[second]), glyph, angle)
        turned = multiply(turned, np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.eye(3)[axis])]))
    return [out[k] for k, _ in wanted]


def _frame(m: Mechanism, frame, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Quaternion and place [m] in W of a joint's frame as shown now."""
    q, p = pose(frame.body)
    at, turn = m.frame_in_body(frame)
    return multiply(q, np.array(turn)), p + rotate(q, np.array(at))


def _angles(axes: list[int], q: np.ndarray) -> list[float]:
    """The angles [rad] of turns about these axes, one after the other, that make up a turn q."""
    if axes == [Z, Y, X]:
        return list(to_angles(tuple(q.tolist())))
    if axes == [Z, X]:
        y, z = rotate(q, np.eye(3)[Y]), rotate(q, np.eye(3)[Z])
        x = rotate(q, np.eye(3)[X])
        alpha = float(np.arctan2(x[1], x[0]))
        return [alpha, float(np.arctan2(y[2], z[2]))]
    return [2.0 * float(np.arctan2(q[1 + axis], q[0])) for axis in axes]


def limit_marks(m: Mechanism, joint: Joint, glyph: float, pose: Pose) -> list[LimitMark]:
    """Marks of a joint's stops; arguments as of limit_scales."""
    return [(_sector if scale.turning else _slot)(joint.limits[scale.limit], scale) for scale in limit_scales(m, joint, glyph, pose)]


def _value(q: Quantity | None) -> float | None:
    return None if q is None else q.value


def _sector(limit: Limit, scale: Scale) -> LimitMark:
    lower, upper = _value(limit.lower), _value(limit.upper)
    low = lower if lower is not None else upper - FAR  # type: ignore[operator]
    high = upper if upper is not None else lower + FAR  # type: ignore[operator]
    place = scale.origin
    area = np.concatenate([place[None], scale.at(np.linspace(low, min(high, low + 2 * np.pi), STEPS), REACH)])
    stops = tuple(np.array([place, scale.at(x)]) for x in (lower, upper) if x is not None)
    return LimitMark(area, stops, np.array([place, scale.at(scale.now, 1.05 * REACH)]), limit.stiffness is not None)


def _slot(limit: Limit, scale: Scale) -> LimitMark:
    lower, upper = _value(limit.lower), _value(limit.upper)
    low = lower if lower is not None else upper - 6 * scale.glyph  # type: ignore[operator]
    high = upper if upper is not None else lower + 6 * scale.glyph  # type: ignore[operator]
    side = HALF_WIDE * scale.glyph * scale.second
    area = np.array([scale.at(x) + s * side for x, s in ((low, -1), (high, -1), (high, 1), (low, 1))])
    across = lambda x, half: np.array([scale.at(x) - half * side, scale.at(x) + half * side])
    return LimitMark(area, tuple(across(x, 2.2) for x in (lower, upper) if x is not None), across(scale.now, 1.5), limit.stiffness is not None)
