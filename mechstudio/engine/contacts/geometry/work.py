"""Arrays of the search: its working memory, since nothing is allocated during it, and the contacts
that it finds, with room for more.
"""

from typing import NamedTuple

import numpy as np

MOST_OF_A_PAIR = 1024  # contacts between two shapes before the choice of those used
CORNERS = 128  # corners of a polygon during clipping
_LEAST_PAIRS = 64
# columns of placed shapes beside those of vectors.py: box around each (low, high), a bound of its
# motion within a step, the displacement of its origin and its turn
LOW, HIGH, MOTION, DRIFT, SPIN, PLACED_WIDTH = 12, 15, 18, 19, 22, 25
# columns of marks: cell of a shape (-1: too fast for the grid), shapes sorted by cell, order of the
# sweep
CELL, SORTED, ORDER, MARKS = range(4)
# counts: pairs of the last call, shapes in the order of the sweep
PAIRS, SWEPT, COUNTS = range(3)
# columns of a row of the simplex G: w and its point of A, in W, its weight, and the points of A and
# of B in the axes of their shapes
WEIGHT, ON_A, ON_B, SIMPLEX_WIDTH = 6, 7, 10, 13
# columns of pair_rows: normal of the last search in the axes of A, number of rows of its simplex,
# and of each of these, three at most, the points of A and of B in the axes of their shapes
ROWS, FIRST_ROW, PAIR_WIDTH = 3, 4, 22


class Work(NamedTuple):
    """placed: one row per shape, two more for shapes moved temporarily; marks, head, balls, pairs:
    broad_phase.py; the others are for one pair of shapes: out (gap, point, normal) and feature, its
    results; ahead: those set aside during another search of the pair, with their features; toward:
    a normal from A to B [W] near to that of the result, and 1 if it is known, else 0; R: scratch;
    G, pair_keys, pair_rows: convex/gjk.py; F, P, label: convex/clipping.py.
    """

    placed: np.ndarray
    marks: np.ndarray
    head: np.ndarray
    balls: np.ndarray
    pairs: np.ndarray
    counts: np.ndarray
    out: np.ndarray
    feature: np.ndarray
    ahead: np.ndarray
    toward: np.ndarray
    R: np.ndarray
    G: np.ndarray
    pair_keys: np.ndarray
    pair_rows: np.ndarray
    F: np.ndarray
    P: np.ndarray
    label: np.ndarray


def working_memory(shapes: int) -> Work:
    """The working memory for so many shapes."""
    kept = 16  # pairs whose last search is known, some per shape
    while kept < 8 * shapes:
        kept *= 2
    side = 4
    while side**3 < 2 * shapes:
        side *= 2
    whole = lambda *shape: np.zeros(shape, np.int64)
    return Work(
        np.zeros((shapes + 2, PLACED_WIDTH)),
        whole(shapes + 1, MARKS),
        whole(side**3 + 1),
        np.zeros((shapes, 4)),
        whole(max(_LEAST_PAIRS, 4 * shapes), 2),
        whole(COUNTS),
        np.zeros((MOST_OF_A_PAIR, 8)),
        whole(MOST_OF_A_PAIR),
        np.zeros((MOST_OF_A_PAIR, 8)),
        np.zeros(4),
        np.zeros(64),
        np.zeros((5, SIMPLEX_WIDTH)),
        whole(kept),
        np.zeros((kept, PAIR_WIDTH)),
        np.zeros((4, 3)),
        np.zeros((4, CORNERS, 3)),
        whole(4, CORNERS, 6),
    )


# a key is (shape A * shapes + shape B) << FEATURE_BITS | which features touch
FEATURE_BITS = 28


class ContactPoints(NamedTuple):
    """Contacts, the first count[0] rows of each array.

    shape_a, shape_b, body_a, body_b (-1: ground): integers, shape_a < shape_b; shape_a -1: joint at
    its stop of the number shape_b.  key: the same features of the same shapes have the same key at
    the next instant.  gap [m]: distance of the surfaces, negative where they penetrate.  point (n,
    3) [m] in W: midway between the two surface points.  normal (n, 3): unit vector in W from A to
    B.
    """

    shape_a: np.ndarray
    shape_b: np.ndarray
    body_a: np.ndarray
    body_b: np.ndarray
    key: np.ndarray
    gap: np.ndarray
    point: np.ndarray
    normal: np.ndarray
    # of contacts; this tuple is never counted
    count: np.ndarray  # pyright: ignore[reportIncompatibleMethodOverride]


def contact_points(room: int = 64) -> ContactPoints:
    """Empty room for so many contacts."""
    whole = lambda: np.zeros(room, np.int64)
    return ContactPoints(
        whole(),
        whole(),
        whole(),
        whole(),
        whole(),
        np.zeros(room),
        np.zeros((room, 3)),
        np.zeros((room, 3)),
        np.zeros(1, np.int64),
    )
