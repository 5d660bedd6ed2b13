"""Free bodies that spin fast in steps with contacts: how wrongly their axes may be turned.

The rule of `turn_freely` (engine/contacts/stepping/response.py) keeps momentum and energy, and is
of second order: the axes of a body turn about its momentum at a rate that is wrong by about the
share (h w)^2 / 12 of

    g = |w x I w| / |I w|,

at which the momentum turns in the axes of the body: none about a principal axis.
"""

import numpy as np

from mechstudio.engine.contacts.world import World
from mechstudio.engine.kernels.columns import B_NODE
from mechstudio.engine.system.system import System
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr

SEEN = 0.05  # angle by which a body may be turned wrongly at the end before a note [rad]


class FastSpins:
    """Angles (bodies,) by which free bodies may be turned wrongly so far [rad], and their fastest
    spins [rad/s].
    """

    def __init__(self, system: System, world: World, inertias: np.ndarray, step: float) -> None:
        """inertias (bodies, 3, 3): in their axes about the centres of mass [kg m^2].  step [s]."""
        self.names = [body.name for body in system.mechanism.bodies.values()]
        units, nodes = world.S.unit_of_node, world.T.bodies[:, B_NODE]
        free = [
            b
            for b, node in enumerate(nodes)
            if node < len(world.T.nodes) - 1 and world.S.unit_free[units[node]]
        ]
        self._free, self._inertias, self.step = np.array(free, int), inertias[free], step
        self.angles, self.fastest = np.zeros(len(free)), np.zeros(len(free))

    def look(self, spins: np.ndarray, length: float) -> None:
        """Account samples, `length` [s] apart.  spins (k, bodies, 3): in body axes [rad/s]."""
        w = spins[:, self._free]
        momentum = np.einsum("bij,kbj->kbi", self._inertias, w)
        size = np.linalg.norm(momentum, axis=-1)
        turn = np.linalg.norm(np.cross(w, momentum), axis=-1) / np.where(size > 0.0, size, 1.0)
        fast = np.linalg.norm(w, axis=-1)
        self.angles += length * (turn * (self.step * fast) ** 2 / 12.0).sum(axis=0)
        self.fastest = np.maximum(self.fastest, fast.max(axis=0, initial=0.0))

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on the body that may be turned wrongly by most, if that can be seen."""
        if not self.angles.max(initial=0.0) > SEEN:
            return ()
        n = int(self.angles.argmax())
        angle = float(self.angles[n])
        return (
            tr(
                "{body} spins at up to {rate} and wobbles: at the end it may be turned wrongly by "
                "up to {angle}, since steps with contacts of {step:.3g} ms are long for that. Take "
                "one of at most {enough:.2g} ms.",
                body=self.names[self._free[n]],
                rate=format_value(float(self.fastest[n]), "angular_velocity", DEFAULT_SYSTEM, 3),
                angle=format_value(min(angle, np.pi), "angle", DEFAULT_SYSTEM, 2),
                step=1e3 * self.step,
                enough=1e3 * self.step * np.sqrt(SEEN / angle),
            ),
        )
