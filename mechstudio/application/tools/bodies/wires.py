"""A solid as lines, for drawings in which showing the solid itself would take longer than a
redraw.
"""

import itertools
from collections.abc import Iterable

import numpy as np

from mechstudio.application.scene.solids.shapes import COARSE, shape_part
from mechstudio.model.edits.bodies.solids import Solid
from mechstudio.model.geometry.rotation import Pose, Triple, matrix
from mechstudio.model.mechanism import Shape


def wires(solid: Solid) -> list[tuple[Triple, Triple]]:
    """Its edges as segments in W [m]; without any, the sides of its coarse surface."""
    return lines_of(solid.shapes, solid.pose)


def lines_of(shapes: Iterable[Shape], pose: Pose) -> list[tuple[Triple, Triple]]:
    """Shapes of a body at a pose as segments of W [m]."""
    R, p = np.array(matrix(pose[1])), np.array(pose[0])
    out = []
    for shape in shapes:
        part = shape_part(shape, COARSE)
        if part is None:
            continue
        lines = part.edges or tuple(
            part.skin.points[[a, b]]
            for t in part.skin.triangles
            for a, b in zip(t, np.roll(t, -1))
            if a < b
        )
        for line in lines:
            points = [tuple(map(float, q)) for q in np.asarray(line) @ R.T + p]
            out += list(itertools.pairwise(points))
    return out
