"""Scale of the arrows of contact forces: that of the drawn forces, or else of the weight of a
median body.
"""

import numpy as np

from mechstudio.application.scene.scene import Measure, Scene
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

LONG = 6.0  # length of the arrow of that weight, in glyphs
_last: list = [None, 1.0]  # last mechanism and its weight, for frames of the same drawing


def with_forces(scene: Scene, mechanism: Mechanism) -> tuple[Measure, ...]:
    """The measures of a scene, with one of forces added if there is none, so that all arrows of a
    picture have one scale.
    """
    if any(m.dimension == "force" for m in scene.measures):
        return scene.measures
    if _last[0] is not mechanism:
        _last[:] = mechanism, _weight(mechanism)
    return (*scene.measures, Measure("force", _last[1], LONG * scene.glyph))


def _weight(mechanism: Mechanism) -> float:
    """Median weight of the bodies [N], since the heaviest may be a drum full of others; on Earth if
    there is no gravity.
    """
    pull = float(np.linalg.norm(values(mechanism.gravity))) or 9.81
    masses = [
        known.mass
        for b in mechanism.bodies.values()
        if np.isfinite((known := mass_properties(b)).mass) and known.mass > 0.0
    ]
    return float(np.median(masses)) * pull if masses else 1.0
