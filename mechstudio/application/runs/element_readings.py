"""Numbers of one body or joint at one instant of a recording."""

import numpy as np

from mechstudio.model.mass_properties import MassProperties
from mechstudio.model.mechanism import Body, Joint
from mechstudio.model.results.sample import SampleLayout

# of a number that was computed, as a share of the mechanism's size, of a radian or of a second's
# motion
ROUNDING = 1e-12
_PER_SIZE = ("length", "velocity", "acceleration")
_PER_RADIAN = ("angle", "angular_velocity", "angular_acceleration")


def unrounded(value: float, dimension: str, size: float) -> float:
    """A computed number [SI], zero where it is only rounding at the mechanism's size [m]."""
    floor = (
        ROUNDING * size if dimension in _PER_SIZE else ROUNDING if dimension in _PER_RADIAN else 0.0
    )
    return 0.0 if abs(value) <= floor else value


def rotation_matrix(q: np.ndarray) -> np.ndarray:
    """R (3, 3) of a unit quaternion (4,), body axes to W."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def body_motion(
    layout: SampleLayout, sample: np.ndarray, body: Body, mass: MassProperties, size: float = 0.0
) -> tuple[float, float, float]:
    """Speed of the centre of mass [m/s], angular speed [rad/s] and kinetic energy [J] of a body at
    a sample (layout.width,).

    v_G = v_O + R (w x c),  T = m v_G^2 / 2 + w . I w / 2, with w, c, I in body axes (Koenig).
    size: of the mechanism [m], at which a motion that is only rounding is rest.
    """
    k = layout.bodies.index(body.id)
    velocity = sample[layout.velocities][6 * k : 6 * k + 6]
    spin, center = velocity[3:], np.array(mass.center)
    R = rotation_matrix(sample[layout.pose(body.id)][3:])
    v = velocity[:3] + R @ np.cross(spin, center)
    speed = float(np.linalg.norm(v))
    speed, turning = (
        unrounded(speed, "velocity", size),
        unrounded(float(np.linalg.norm(spin)), "angular_velocity", size),
    )
    if speed == turning == 0.0:
        return 0.0, 0.0, 0.0
    return (
        speed,
        turning,
        0.5 * mass.mass * speed**2 + 0.5 * float(spin @ np.array(mass.inertia) @ spin),
    )


def joint_values(layout: SampleLayout, sample: np.ndarray, joint: Joint) -> tuple[float, ...]:
    """The coordinates of a joint at a sample [m or rad]."""
    return tuple(float(v) for v in sample[layout.joint(joint.id)])
