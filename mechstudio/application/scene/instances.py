"""Rows: everything in a scene that has a pose of its own.  A body is a row, so is each frame of a
joint that carries a glyph or a pin.

The pose of a row follows from the poses of bodies: its place lies on one body, its axes may be
those of another, and a stretched row (a spring) points from its place to a point of a third.
"""

from typing import NamedTuple

import numpy as np

LARGEST = 1e12  # metres: what an absurd drawing puts farther away is drawn there
IDENTITY = (1.0, 0.0, 0.0, 0.0)


class Row(NamedTuple):
    """place: (body index, point in its axes).  turn: (body index, quaternion in its axes).  end: as
    place, for a stretched row.

    owner: id of the element that it belongs to.   color: index of the series colour, -1 cast iron.
    """

    owner: str
    place: tuple[int, tuple[float, float, float]]
    turn: tuple[int, tuple[float, float, float, float]]
    end: tuple[int, tuple[float, float, float]] | None = None
    color: int = -1
    visible: bool = True


class Rows(NamedTuple):
    """All rows (r, …) as arrays, as in Row; stretched: indices of the rows that have an end."""

    owners: tuple[str, ...]
    place_body: np.ndarray
    place: np.ndarray
    turn_body: np.ndarray
    turn: np.ndarray
    stretched: np.ndarray
    end_body: np.ndarray
    end: np.ndarray
    color: np.ndarray
    visible: np.ndarray


def pack_rows(rows: list[Row]) -> Rows:
    """The rows as arrays."""
    ends = [(k, r.end) for k, r in enumerate(rows) if r.end is not None]
    return Rows(
        tuple(r.owner for r in rows),
        np.array([r.place[0] for r in rows]),
        np.array([r.place[1] for r in rows], float),
        np.array([r.turn[0] for r in rows]),
        np.array([r.turn[1] for r in rows], float),
        np.array([k for k, _ in ends], int),
        np.array([e[0] for _, e in ends], int),
        np.array([e[1] for _, e in ends], float).reshape(-1, 3),
        np.array([r.color for r in rows]),
        np.array([r.visible for r in rows]),
    )


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b of vectors (…, 3), in a tenth of the time that numpy.cross takes for few of them."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """R(q) v for unit quaternions q (…, 4), w first, and vectors v (…, 3)."""
    e = q[..., 1:]
    return v + 2.0 * cross(e, cross(e, v) + q[..., :1] * v)


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Products of quaternions (…, 4): the turn q, then the turn p."""
    w = p[..., 0] * q[..., 0] - (p[..., 1:] * q[..., 1:]).sum(-1)
    v = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + cross(p[..., 1:], q[..., 1:])
    return np.concatenate([w[..., None], v], axis=-1)


def row_poses(rows: Rows, poses: np.ndarray) -> np.ndarray:
    """Poses of all rows (r, 8): quaternion w x y z, place in W [m], length of a stretched row [m].

    poses: (bodies, 7) place [m] and quaternion w x y z of every body without ground, in file order.
    """
    full = np.concatenate(
        [np.array([[0.0, 0.0, 0.0, *IDENTITY]]), np.asarray(poses, float).reshape(-1, 7)]
    )
    p, q = full[:, :3], full[:, 3:]
    out = np.zeros((len(rows.owners), 8))
    out[:, :4] = multiply(q[rows.turn_body], rows.turn)
    out[:, 4:7] = p[rows.place_body] + rotate(q[rows.place_body], rows.place)
    if len(rows.stretched):
        k = rows.stretched
        d = p[rows.end_body] + rotate(q[rows.end_body], rows.end) - out[k, 4:7]
        length = np.linalg.norm(np.clip(d, -LARGEST, LARGEST), axis=1)
        out[k, :4], out[k, 7] = pointing(d / np.maximum(length, 1e-12)[:, None]), length
    np.clip(out, -LARGEST, LARGEST, out=out)
    return out


def pointing(d: np.ndarray) -> np.ndarray:
    """Shortest turns (k, 4) that take z into the unit vectors d (k, 3); about x where d is -z."""
    w = 1.0 + d[:, 2]
    q = np.column_stack([w, -d[:, 1], d[:, 0], np.zeros(len(d))])
    q[w < 1e-9] = (0.0, 1.0, 0.0, 0.0)
    return q / np.linalg.norm(q, axis=1, keepdims=True)
