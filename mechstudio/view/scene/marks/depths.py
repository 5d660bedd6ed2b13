"""Depths of a finished picture, which show what bodies hide."""

from typing import NamedTuple

import numpy as np


class Depths(NamedTuple):
    """Depths of a picture.  image (height, width): 0 near to 1 far.  matrix (4, 4): from W to clip
    coordinates, as the picture was drawn.  lift (3,): how far a point is moved towards the viewer
    before it counts as hidden [m], since symbols stand on the faces of bodies.
    """

    image: np.ndarray
    matrix: np.ndarray
    lift: np.ndarray

    def hide(self, points: np.ndarray) -> np.ndarray:
        """Mask (k,) of the points (k, 3) of W before which bodies stand; none outside the view."""
        hidden = np.zeros(len(points), bool)
        near = np.asarray(points, float).reshape(-1, 3) + self.lift
        clip = np.column_stack([near, np.ones(len(near))]) @ self.matrix.T
        with np.errstate(divide="ignore", invalid="ignore"):
            at = clip[:, :3] / clip[:, 3:]
            seen = (clip[:, 3] > 0) & (np.abs(at[:, :2]) < 1.0).all(axis=1)
        tall, wide = self.image.shape
        x = ((at[seen, 0] + 1.0) / 2.0 * wide).astype(int)
        y = ((at[seen, 1] + 1.0) / 2.0 * tall).astype(int)
        hidden[seen] = self.image[y, x] < 0.5 * (at[seen, 2] + 1.0)
        return hidden
