"""Angles of a body that can be plotted, and their values in a run.  All are against the world's
axes X, Y and Z, with R = R_z(ψ) R_y(θ) R_x(φ) (THEORY 1).

attitude/ID/yaw, pitch, roll    ψ, θ and φ
attitude/ID/up_x … up_z         inclination of a body axis against the plane XY, positive upwards
attitude/ID/x_xy … z_yz         angle of a body axis seen along the normal of a plane: that of its
                                projection from the world axis of its name, positive about Z, X and
                                −Y for XY, YZ and XZ
"""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.model.results.constant_course import matrices, rotated
from mechstudio.model.results.sample import SampleLayout
from mechstudio.translation import Words

ATTITUDE = "attitude/"
TURN = 2 * math.pi
# part of an axis in a plane below which its direction there is no number: a body's attitude is
# known to some 1e-9 rad, and its direction then to 1e-3 rad
VERTICAL = 1e-6
SURE = TURN / 4  # rad that a turn between samples may differ from that of the spins there
PIECE = TURN / 64  # of a turn between two samples, over which an angle is counted
MOST_PIECES = 512  # of a turn between two samples: 8 turns


class Angle(NamedTuple):
    """One angle.  name: with {name} of the body, {axis} and {plane}.  word: behind the name of the
    body in a legend.  search: more words that find it.

    axis: a body axis seen in W or, where `seen` is set, a world axis seen from the body.  towards,
    zero: its components with their signs whose arc tangent is the angle, as (place, sign).  Without
    `zero` the angle is that to the plane normal to `towards`.
    """

    name: Words
    word: str
    search: Words
    axis: int
    towards: tuple[int, float]
    zero: tuple[int, float] | None
    plane: str = ""
    seen: bool = False

    @property
    def counted(self) -> bool:
        """True if it counts on over its turns."""
        return self.zero is not None


_UP: Words = "Inclination of {name}: {axis} axis"
_IN: Words = "Angle of {name}: {axis} axis in {plane}"
_LEAN: Words = "attitude orientation camber caster elevation tilt slope horizontal"
_TOE: Words = "attitude orientation toe heading steering"
_TILT: Words = "attitude orientation camber caster tilt"
_EULER: Words = "attitude orientation euler ψ θ φ"
X, Y, Z = range(3)
ANGLES: dict[str, Angle] = {
    "yaw": Angle("Yaw of {name}", "ψ", _EULER, X, (Y, 1), (X, 1)),
    "pitch": Angle("Pitch of {name}", "θ", _EULER, X, (Z, -1), None),
    "roll": Angle("Roll of {name}", "φ", _EULER, Z, (Y, 1), (Z, 1), seen=True),
    "up_x": Angle(_UP, "∠x", _LEAN, X, (Z, 1), None),
    "up_y": Angle(_UP, "∠y", _LEAN, Y, (Z, 1), None),
    "up_z": Angle(_UP, "∠z", _LEAN, Z, (Z, 1), None),
    "x_xy": Angle(_IN, "x∠XY", _TOE, X, (Y, 1), (X, 1), "XY"),
    "y_xy": Angle(_IN, "y∠XY", _TOE, Y, (X, -1), (Y, 1), "XY"),
    "x_xz": Angle(_IN, "x∠XZ", _TILT, X, (Z, 1), (X, 1), "XZ"),
    "z_xz": Angle(_IN, "z∠XZ", _TILT, Z, (X, -1), (Z, 1), "XZ"),
    "y_yz": Angle(_IN, "y∠YZ", _TILT, Y, (Z, 1), (Y, 1), "YZ"),
    "z_yz": Angle(_IN, "z∠YZ", _TILT, Z, (Y, -1), (Z, 1), "YZ"),
}


def attitude_values(part: str, layout: SampleLayout, rows: np.ndarray) -> np.ndarray | None:
    """Values (n,) [rad] of ID/column at samples (n, layout.width), which follow each other; None
    where they do not hold the body.

    Angles in a plane count on over their turns from ±180 deg at the first sample.  They are NaN
    where the axis stands normal to the plane, and where the turns since the last sample cannot be
    reported; after that they begin again within ±180 deg.
    """
    body, column = part.split("/")
    if body not in layout.bodies or column not in ANGLES:
        return None
    row, at = ANGLES[column], layout.velocities.start + 6 * layout.bodies.index(body)
    q = rows[:, layout.pose(body)][:, 3:]
    R = matrices(q)
    v = R[:, row.axis, :] if row.seen else R[:, :, row.axis]
    place, sign = row.towards
    if row.zero is None:
        others = [k for k in range(3) if k != place]
        return np.arctan2(sign * v[:, place], np.hypot(v[:, others[0]], v[:, others[1]]))
    turns, off = turns_between(rows[:, 0], q, rows[:, at + 3 : at + 6])
    # the same turn moves a body axis in W, and an axis of W backwards in the body
    moved = -turns if row.seen else rotated(R[:-1], turns)
    return _counted(v, moved, off, row.towards, row.zero)


def turns_between(times: np.ndarray, q: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turns (n-1, 3) [rad] between samples about fixed axes, as vectors in body axes, and by how
    much (n-1,) [rad] the body may leave them on its way.

    times (n,) [s]; q (n, 4): attitudes; w (n, 3) [rad/s]: spins in body axes.  Attitudes tell a
    turn but for whole revolutions, and of these the mean spin tells the number.
    """
    (a, b, c, d), (e, f, g, h) = q[:-1].T, q[1:].T
    real = a * e + b * f + c * g + d * h
    v = np.stack(
        (
            a * f - b * e - c * h + d * g,
            a * g + b * h - c * e - d * f,
            a * h - b * g + c * f - d * e,
        ),
        axis=1,
    )
    step = np.diff(times)[:, None]
    spun = 0.5 * step * (w[:-1] + w[1:])
    length, size = _length(v), _length(spun)
    # of no turn, or of whole ones, only the spin knows the axis
    axis = np.where((length > 1e-9)[:, None], v / np.maximum(length, 1e-300)[:, None], 0.0)
    axis = np.where((length > 1e-9)[:, None], axis, spun / np.maximum(size, 1e-300)[:, None])
    angle = 2 * np.arctan2(length, real)
    along = np.einsum("ij,ij->i", axis, spun)
    turns = (angle + TURN * np.round((along - angle) / TURN))[:, None] * axis
    # a spin that changes evenly leaves the mean one by this much halfway
    bent = _length(step * np.diff(w, axis=0)) / 8
    return turns, _length(spun - turns) + bent


def _counted(
    v: np.ndarray,
    turns: np.ndarray,
    off: np.ndarray,
    towards: tuple[int, float],
    zero: tuple[int, float],
) -> np.ndarray:
    """Angles (n,) of axes v (n, 3), counted over the turns (n-1, 3) between them, which the body
    may leave by `off` (n-1,) [rad].
    """
    of = lambda u: np.arctan2(towards[1] * u[:, towards[0]], zero[1] * u[:, zero[0]])
    part = lambda u: np.hypot(u[:, towards[0]], u[:, zero[0]])
    flat = part(v) > VERTICAL
    angle = of(v)
    # −180 deg is 180 deg, whatever the rounding
    angle = np.where(angle < 1e-9 - math.pi, angle + TURN, angle)
    whole = _length(turns)
    pieces = int(min(max(np.ceil(np.fmax.reduce(whole, initial=0.0) / PIECE), 1), MOST_PIECES))
    sure = (off < SURE) & (whole <= MOST_PIECES * PIECE)
    n = turns / np.maximum(whole, 1e-300)[:, None]
    u = v[:-1]
    along = np.einsum("ij,ij->i", n, u)[:, None] * n
    across, normal = u - along, np.cross(n, u)
    before, change = of(u), np.zeros(len(u))
    for k in range(1, pieces + 1):
        by = (whole * (k / pieces))[:, None]
        here = along + np.cos(by) * across + np.sin(by) * normal
        now = of(here)
        step = now - before
        step -= TURN * np.round(step / TURN)
        # a way past the normal of the plane tells its side only from farther than it may be off
        sure &= (np.abs(step) < SURE) & (part(here) > off)
        change += step
        before = now
    joined = sure & flat[:-1] & flat[1:]
    count = np.zeros(len(v))
    count[1:] = np.where(joined, np.round((change - np.diff(angle)) / TURN), 0.0).cumsum()
    # a gap where the count is lost, and a new one from the next sample on
    known = flat.copy()
    known[1:] &= joined | ~flat[:-1]
    first = np.concatenate(([True], ~known[:-1]))[: len(v)]
    start = np.maximum.accumulate(np.where(first, np.arange(len(v)), 0))
    return np.where(known, angle + TURN * (count - count[start]), np.nan)


def _length(v: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ij,ij->i", v, v))
