"""Parts of a step with contacts that meet at the edges of cams and curves.

A step over a corner of a law, or over a jump of a curve's curvature, is wrong in its velocity by
the length of the step; one that ends there is wrong by its square, as all steps are.
"""

import numpy as np

from mechstudio.engine.integration.events.cam_edges import edges
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.system import System

LEAST = 1e-3  # share of a step below which nothing is made a part of its own


class EdgeParts:
    """The parts into which the edges of a system divide steps; falsy where it has no edges."""

    def __init__(self, system: System) -> None:
        self._edges = edges(system)

    def __bool__(self) -> bool:
        return bool(self._edges)

    def parts(self, y: np.ndarray, T: Tables, step: float) -> list[float]:
        """Lengths [s] of the parts of a step from a state y (n,); their sum is the step.  Where an
        edge is met follows from the rate at y.
        """
        slope = np.zeros_like(y)
        right_hand_side(y.copy(), T, slope, True)
        ends = []
        for edge in self._edges:
            rate = float(slope[edge.at])
            if rate:
                ahead = edge.next(float(y[edge.at]), 1 if rate > 0.0 else -1)
                ends.append((ahead - float(y[edge.at])) / rate)
        inside = sorted(t for t in ends if LEAST * step < t < (1.0 - LEAST) * step)
        parts, before = [], 0.0
        for end in [*inside, step]:
            if end == step or end - before > LEAST * step:
                parts.append(end - before)
                before = end
        return parts
