"""Parts of a step with contacts that meet at the edges of cams and curves.

A step across a corner of a law, or across a jump of a curve's curvature, has a velocity error
proportional to its length; one that ends there has an error proportional to the square, as all
steps do.
"""

import numpy as np

from mechstudio.engine.integration.events.cam_edges import LAND, edges
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.system import System

LEAST = 1e-3  # least share of a step that is made a separate part


class EdgeParts:
    """Division of steps at the edges of a system; falsy if it has no edges."""

    def __init__(self, system: System) -> None:
        self._edges = edges(system)

    def __bool__(self) -> bool:
        return bool(self._edges)

    def parts(self, y: np.ndarray, T: Tables, step: float) -> list[float]:
        """Lengths [s] of the parts of a step from a state y (n,); their sum is the step.  The
        instant of an edge is predicted from the rate at y.
        """
        slope = np.zeros_like(y)
        right_hand_side(y.copy(), T, slope, True)
        ends = []
        for edge in self._edges:
            rate = float(slope[edge.at])
            if rate:
                ahead = edge.next(float(y[edge.at]), 1 if rate > 0.0 else -1, LAND * edge.unit)
                ends.append((ahead - float(y[edge.at])) / rate)
        inside = sorted(t for t in ends if LEAST * step < t < (1.0 - LEAST) * step)
        parts, before = [], 0.0
        for end in [*inside, step]:
            if end == step or end - before > LEAST * step:
                parts.append(end - before)
                before = end
        return parts
