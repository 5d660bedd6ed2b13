"""Places of free bodies as drawn, for the pose that numbers start from."""

from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.mechanism import Mechanism


def drawn_place(mechanism: Mechanism, body: str, component: int) -> float:
    """One of x, y, z [m], psi, theta, phi [rad] of a free body."""
    at, attitude = mechanism.bodies[body].placement.pose
    return at[component] if component < 3 else to_angles(attitude)[component - 3]
