"""Curves of joints as polylines for drawing; the engine has its own, laid out over the arc
length.
"""

import math

import numpy as np

from mechstudio.model.geometry.curve_forms import CURVE_FORMS, curve_problem, exact_pieces
from mechstudio.model.geometry.curve_offsets import plane_normal
from mechstudio.model.geometry.curve_pieces import Piece
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.joints.tracks import curve_numbers
from mechstudio.model.mechanism import Curve

PER_PIECE = 16
PER_TURN = 144
ROLLER = 48  # chords of a roller's rim
TINY = 1e-300


def curve_points(curve: Curve) -> np.ndarray:
    """A curve as points (k, 3) in the axes of its joint's frame A [m]; a closed one ends where it
    begins.

    A smooth one is the cubic spline over the chord lengths, natural at open ends and periodic where
    closed (de Boor, A Practical
    Guide to Splines, chapter IV).
    """
    numbers = curve_numbers(curve)
    _, drawn, _, _, offset = numbers
    if not curve_problem(*numbers) and (exact := exact_pieces(*numbers)):
        return np.array([exact[0].at(0.0), *(p for piece in exact for p in _along(piece))])
    points = np.array(drawn, float)
    if curve.closed:
        points = np.concatenate([points, points[:1]])
    h = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if curve.form != "spline" or len(points) < 3 or np.any(h == 0.0):
        return points
    slopes = _slopes(points, h, curve.closed)
    u = np.linspace(0.0, 1.0, PER_PIECE, endpoint=False)[:, None]
    normal = plane_normal(drawn) if offset else None
    pieces, along = [], []
    for k, step in enumerate(h):
        a, b, m, n = points[k], points[k + 1], step * slopes[k], step * slopes[k + 1]
        pieces.append(
            (1 - 3 * u**2 + 2 * u**3) * a
            + (u - 2 * u**2 + u**3) * m
            + (3 * u**2 - 2 * u**3) * b
            + (u**3 - u**2) * n
        )
        along.append(6 * (u - u**2) * (b - a) + (1 - 4 * u + 3 * u**2) * m + (3 * u**2 - 2 * u) * n)
    out = np.concatenate([*pieces, points[-1:]])
    if normal is None:
        return out
    tangents = np.concatenate([*along, h[-1] * slopes[-1:]])
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), TINY)
    return out + offset * np.cross(tangents, normal)


def roller_points(curve: Curve) -> np.ndarray:
    """Rim of the roller on a curve, about the roller's centre: points (k, 3) in the axes of the
    joint's frame A [m]; none (0, 3) of a curve without a roller.
    """
    _, drawn, _, _, offset = curve_numbers(curve)
    normal = plane_normal(drawn) if offset else None
    if normal is None:
        return np.zeros((0, 3))
    across = np.linalg.svd(np.array([normal]))[2][1:]
    turns = np.linspace(0.0, 2.0 * np.pi, ROLLER + 1)
    return abs(offset) * (np.outer(np.cos(turns), across[0]) + np.outer(np.sin(turns), across[1]))


def curve_ways(curve: Curve, points: np.ndarray) -> np.ndarray:
    """Ways (k,) along a curve at its points (k, 3) for drawing: lengths [m], or angles [rad] of an
    ellipse.
    """
    if CURVE_FORMS[curve.form].angle:
        return np.linspace(0.0, 2.0 * np.pi, len(points))
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def _along(piece: Piece) -> list[Triple]:
    """Points of an exact piece behind its start."""
    count = max(1, math.ceil(PER_TURN * piece.turn / (2.0 * math.pi) - 1e-9))
    return [piece.at(piece.length * k / count) for k in range(1, count + 1)]


def _slopes(points: np.ndarray, h: np.ndarray, closed: bool) -> np.ndarray:
    """dP/ds at the points: h_k m_(k-1) + 2 (h_(k-1) + h_k) m_k + h_(k-1) m_(k+1) = 3 (h_k d_(k-1) +
    h_(k-1) d_k).
    """
    n, d = len(points), np.diff(points, axis=0) / h[:, None]
    A, right = np.zeros((n, n)), np.zeros((n, 3))
    for k in range(1, n - 1):
        A[k, k - 1 : k + 2] = h[k], 2 * (h[k - 1] + h[k]), h[k - 1]
        right[k] = 3 * (h[k] * d[k - 1] + h[k - 1] * d[k])
    if closed:
        A[0, 0], A[0, n - 1] = 1.0, -1.0
        A[n - 1, n - 2], A[n - 1, n - 1], A[n - 1, 1] = h[0], 2 * (h[-1] + h[0]), h[-1]
        right[n - 1] = 3 * (h[0] * d[-1] + h[-1] * d[0])
    else:
        A[0, :2], A[n - 1, n - 2 :] = (2.0, 1.0), (1.0, 2.0)
        right[0], right[n - 1] = 3 * d[0], 3 * d[-1]
    return np.linalg.solve(A, right)
