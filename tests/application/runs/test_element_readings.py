"""Speed and energy of a body, against a rod in closed form."""

import math

import numpy as np
import pytest

from mechstudio.application.runs.element_readings import body_motion, rotation_matrix
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.mass_properties import MassProperties
from mechstudio.model.mechanism import Body, Mechanism
from mechstudio.model.results.sample import sample_layout


def test_a_rod_about_its_end():
    """A uniform rod of length l turning about its end: v_G = w l / 2, T = m l^2 w^2 / 6; here in a
    skew attitude.
    """
    m, length, spin = 1.7, 0.6, 3.0
    body = Body("rod", "rod")
    mass = MassProperties(
        m,
        (length / 2, 0.0, 0.0),
        ((0.0, 0.0, 0.0), (0.0, m * length**2 / 12, 0.0), (0.0, 0.0, m * length**2 / 12)),
    )
    layout = sample_layout(Mechanism(bodies={"rod": body}))
    sample = np.zeros(layout.width)
    sample[layout.pose("rod")] = (1.0, 2.0, 3.0, *from_angles(0.3, -0.7, 1.1))
    sample[layout.velocities] = (0, 0, 0, 0, 0, spin)
    speed, angular, energy = body_motion(layout, sample, body, mass)
    assert (speed, angular, energy) == pytest.approx(
        (spin * length / 2, spin, m * length**2 * spin**2 / 6)
    )


def test_velocity_of_the_origin_counts_in_world_axes():
    """With w = (0, 0, w) in body axes and the body turned by 90 deg about z, c = (c, 0, 0) moves
    along -x in W.
    """
    body = Body("rod", "rod")
    mass = MassProperties(2.0, (0.5, 0.0, 0.0), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))
    layout = sample_layout(Mechanism(bodies={"rod": body}))
    sample = np.zeros(layout.width)
    sample[layout.pose("rod")] = (0, 0, 0, *from_angles(math.pi / 2, 0, 0))
    sample[layout.velocities] = (1.0, 0, 0, 0, 0, 2.0)
    speed, _, energy = body_motion(layout, sample, body, mass)
    assert speed == pytest.approx(0.0, abs=1e-12) and energy == pytest.approx(0.5 * 1.0 * 4.0)


def test_rotation_matrix_is_the_models():
    q = from_angles(0.3, -0.7, 1.1)
    assert rotation_matrix(np.array(q)) == pytest.approx(np.array(matrix(q)))
