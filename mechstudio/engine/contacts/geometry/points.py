"""The contacts that were found, as a struct of arrays with room for more."""

from typing import NamedTuple

import numpy as np

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
    # of contacts; nobody counts in this tuple
    count: np.ndarray  # pyright: ignore[reportIncompatibleMethodOverride]


def contact_points(room: int = 64) -> ContactPoints:
    """Room for so many contacts, and none yet."""
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
