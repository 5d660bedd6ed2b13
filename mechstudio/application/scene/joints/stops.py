"""Stops of a joint as they are drawn while it is selected: a sector for a turn, a slot for a slide,
with a needle at the coordinate.

An angle of a ball or cross is one of several turns, one after the other: its sector lies across the
axis of its own turn, as the turns before it have placed that axis.  The slot of a point on a curve
follows the curve.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.instances import multiply, rotate
from mechstudio.curves.drawings.joint_curves import curve_points, curve_ways
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import Joint, Limit, Mechanism
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    JOINT_TYPES,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    X,
    Y,
    Z,
)

REACH = 2.2  # radius of a sector, in glyphs
STOP = 1.12 * REACH  # how far the line of a stop goes, in glyphs
STEPS = 48
FAR = 3.2  # a turn without a stop on one side is drawn so far [rad] beyond the other
HALF_WIDE = 0.45  # half width of a slot, in glyphs

Pose = Callable[[str], tuple[np.ndarray, np.ndarray]]


class LimitMark(NamedTuple):
    """area: polygon (k, 3) in W.  stops: a line (2, 3) per stop.  needle: where the coordinate is
    (2, 3).  soft: it gives.
    """

    area: np.ndarray
    stops: tuple[np.ndarray, ...]
    needle: np.ndarray
    soft: bool


class Scale(NamedTuple):
    """Place in space of the values of one coordinate.

    limit: index into the joint's limits.  origin [m, W].  first, second: unit vectors in W; a
    rotation goes from the first to the second, a slide along the first with the second across it.
    glyph: radius of the joint's glyph [m].  now: the coordinate as shown [m or rad].
    track: of a path along a curve the points (k, 3) in W with their arc length (k,), and whether it
    is closed; the second is then normal to the curve's plane.
    """

    limit: int
    turning: bool
    origin: np.ndarray
    first: np.ndarray
    second: np.ndarray
    glyph: float
    now: float
    track: tuple[np.ndarray, np.ndarray, bool] | None = None

    def at(self, value: np.ndarray | float, radius: float = STOP) -> np.ndarray:
        """Places (…, 3) of values [m or rad] in W; radius: of turns, in glyphs."""
        value = np.asarray(value, float)[..., None]
        if self.turning:
            return self.origin + radius * self.glyph * (
                np.cos(value) * self.first + np.sin(value) * self.second
            )
        if self.track is None:
            return self.origin + value * self.first
        points, ways, closed = self.track
        value = value[..., 0]
        inside = np.mod(value, ways[-1]) if closed else np.clip(value, 0.0, ways[-1])
        place = np.stack([np.interp(inside, ways, points[:, k]) for k in range(3)], axis=-1)
        end = np.where((value > inside)[..., None], points[-1] - points[-2], points[1] - points[0])
        # an open curve goes on straight beyond its ends
        return (
            place
            if closed
            else place
            + (value - inside)[..., None] * end / np.linalg.norm(end, axis=-1, keepdims=True)
        )

    def across(self, value: np.ndarray | float) -> np.ndarray:
        """Half the width of a slot (…, 3) at values."""
        if self.track is None:
            return HALF_WIDE * self.glyph * np.broadcast_to(self.second, (*np.shape(value), 3))
        step = 1e-3 * self.track[1][-1]
        side = np.cross(
            self.at(np.asarray(value) + step) - self.at(np.asarray(value) - step), self.second
        )
        return (
            HALF_WIDE
            * self.glyph
            * side
            / np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-300)
        )


def limit_scales(m: Mechanism, joint: Joint, glyph: float, pose: Pose) -> list[Scale]:
    """Scales of the coordinates of a joint that have stops.  glyph: radius of its glyph [m].
    pose(body): quaternion w x y z and place [m] in W as shown now.
    """
    requested = {
        limit.coordinate: k
        for k, limit in enumerate(joint.limits)
        if (limit.lower, limit.upper) != (None, None)
    }
    if not requested or not joint.visible:
        return []
    (q, base), (r, place) = (_frame(m, f, pose) for f in (joint.frame_a, joint.frame_b))
    back = q * (1, -1, -1, -1)
    now = readings(
        joint, tuple(rotate(back, place - base).tolist()), tuple(multiply(back, r).tolist())
    )  # type: ignore[arg-type]
    motions, out = JOINT_TYPES[joint.type].motions, {}
    kinds = [kind for kind, _ in motions]
    alone = kinds.count(SLIDE) == 1
    rotated = q  # the axes that the turns so far have placed
    # before its rod a rod turns about its first end, a disc about where it touches the floor
    foot = (
        base
        if kinds.count(SLIDE) == 0
        else base + rotate(q, np.array([now[0] or 0.0, now[1] or 0.0, 0.0]))
        if ROD in kinds
        else place
    )
    about, c = foot if ROD in kinds else place, 0
    half: float | None = None  # of a turn that goes on about the same axis of the other body
    for kind, axis in motions:
        if kind == ROD:
            about = place
        elif kind == QUARTER:
            rotated = _rotated(rotated, axis, 0.5 * np.pi)
        elif kind == HALF and half is not None:
            rotated = _rotated(rotated, axis, half)
        elif kind == SLIDE:
            # slides that come after a turn go along with it
            u, x = rotate(rotated, np.eye(3)[axis]), now[c] or 0.0
            # the other slides carry the slot along
            out[c] = Scale(
                requested.get(c, -1),
                False,
                base if alone else foot - x * u,
                u,
                rotate(rotated, np.eye(3)[(axis + 1) % 3]),
                glyph,
                x,
            )
            c += 1
        elif kind == TRACK:
            out[c] = _track(requested.get(c, -1), joint, base, q, place, glyph)
            c += 1
        else:
            for k in (Z, Y, X) if kind == BALL else (axis,):
                first, second = {X: (Y, Z), Y: (Z, X), Z: (X, Y)}[k]
                angle = now[c] or 0.0
                out[c] = Scale(
                    requested.get(c, -1),
                    True,
                    about,
                    rotate(rotated, np.eye(3)[first]),
                    rotate(rotated, np.eye(3)[second]),
                    glyph,
                    angle,
                )
                half = 0.5 * angle if kind == HALF else half
                rotated = _rotated(rotated, k, 0.5 * angle if kind == HALF else angle)
                c += 1
    return [out[c] for c in requested]


def _rotated(q: np.ndarray, axis: int, angle: float) -> np.ndarray:
    return multiply(q, np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.eye(3)[axis])]))


def _track(
    limit: int, joint: Joint, base: np.ndarray, q: np.ndarray, place: np.ndarray, glyph: float
) -> Scale:
    """The scale of a way along the joint's curve."""
    curve = curve_of(joint)
    assert curve is not None
    own = curve_points(curve)
    points = base + rotate(np.broadcast_to(q, (len(own), 4)), own)
    ways = curve_ways(curve, own)
    flat = np.linalg.svd(points - points.mean(axis=0))[2][2]
    track = (points, ways, curve.closed)
    return Scale(limit, False, base, flat, flat, glyph, way_to(track, place), track)


def way_to(track: tuple[np.ndarray, np.ndarray, bool], place: np.ndarray) -> float:
    """The way [m] along a curve at which it is nearest to a place; both in the same axes, of space
    or of the screen.
    """
    points, ways, _ = track
    d = np.diff(points, axis=0)
    share = np.clip(
        ((place - points[:-1]) * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-300), 0.0, 1.0
    )
    k = int(np.argmin(np.linalg.norm(points[:-1] + share[:, None] * d - place, axis=1)))
    return float(ways[k] + share[k] * (ways[k + 1] - ways[k]))


def _frame(m: Mechanism, frame, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Quaternion and place [m] in W of a joint's frame as shown now."""
    q, p = pose(frame.body)
    at, turn = m.frame_in_body(frame)
    return multiply(q, np.array(turn)), p + rotate(q, np.array(at))


def limit_marks(m: Mechanism, joint: Joint, glyph: float, pose: Pose) -> list[LimitMark]:
    """Marks of a joint's stops; arguments as of limit_scales."""
    return [
        (_sector if scale.turning else _slot)(joint.limits[scale.limit], scale)
        for scale in limit_scales(m, joint, glyph, pose)
    ]


def _value(q: Quantity | None) -> float | None:
    return None if q is None else q.value


def _sector(limit: Limit, scale: Scale) -> LimitMark:
    lower, upper = _value(limit.lower), _value(limit.upper)
    low = lower if lower is not None else upper - FAR  # type: ignore[operator]
    high = upper if upper is not None else lower + FAR  # type: ignore[operator]
    place = scale.origin
    area = np.concatenate(
        [place[None], scale.at(np.linspace(low, min(high, low + 2 * np.pi), STEPS), REACH)]
    )
    stops = tuple(np.array([place, scale.at(x)]) for x in (lower, upper) if x is not None)
    return LimitMark(
        area,
        stops,
        np.array([place, scale.at(scale.now, 1.05 * REACH)]),
        limit.stiffness is not None,
    )


def _slot(limit: Limit, scale: Scale) -> LimitMark:
    lower, upper = _value(limit.lower), _value(limit.upper)
    low = lower if lower is not None else upper - 6 * scale.glyph  # type: ignore[operator]
    high = upper if upper is not None else lower + 6 * scale.glyph  # type: ignore[operator]
    along = np.linspace(low, high, STEPS if scale.track is not None else 2)
    places, sides = scale.at(along), scale.across(along)
    area = np.concatenate([places - sides, (places + sides)[::-1]])
    line = lambda x, half: np.array(
        [scale.at(x) - half * scale.across(x), scale.at(x) + half * scale.across(x)]
    )
    return LimitMark(
        area,
        tuple(line(x, 2.2) for x in (lower, upper) if x is not None),
        line(scale.now, 1.5),
        limit.stiffness is not None,
    )
