"""The scale of forces that are drawn on what touches: that of the drawn forces, or the weight of an
ordinary body.
"""

import numpy as np

from mechstudio.application.scene.scene import Measure, Scene
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

LONG = 6.0  # glyphs; the arrow of that weight
_last: list = [None, 1.0]  # a mechanism and that weight: pictures of one drawing follow each other


def with_forces(scene: Scene, mechanism: Mechanism) -> tuple[Measure, ...]:
    """The scene's measures with one of forces among them, so that all arrows of a picture have one
    scale.
    """
    if any(m.dimension == "force" for m in scene.measures):
        return scene.measures
    if _last[0] is not mechanism:
        _last[:] = mechanism, _weight(mechanism)
    return (*scene.measures, Measure("force", _last[1], LONG * scene.glyph))


def _weight(mechanism: Mechanism) -> float:
    """Weight of the middle one of the bodies [N], since the heaviest may be a drum full of them; of
    its mass on Earth where nothing pulls.
    """
    pull = float(np.linalg.norm(values(mechanism.gravity))) or 9.81
    masses = [
        known.mass
        for b in mechanism.bodies.values()
        if np.isfinite((known := mass_properties(b)).mass) and known.mass > 0.0
    ]
    return float(np.median(masses)) * pull if masses else 1.0
