"""Fast bodies: none passes through its target."""

import pytest

import mechstudio as ms


@pytest.mark.parametrize("shape", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_nothing_fast_comes_out_behind_a_plate(shape):
    """A way per step of up to fifty times the plate's thickness: the ball is stopped, whatever it
    would meet at the end of its way.
    """
    for thickness in (0.1, 0.01, 0.001):
        for speed in (14.51, 45.2, 98.2, 200.0, 480.0):
            m = ms.Builder("t", gravity=(0, 0, 0))
            m.ground.box(thickness, 1, 1)
            shot = m.body("shot", (-0.1 - thickness / 2, 0.1, 0))
            {
                "sphere": lambda: shot.sphere(0.005),
                "capsule": lambda: shot.capsule(0.005, 0.01),
                "cylinder": lambda: shot.cylinder(0.005, 0.01),
                "ellipsoid": lambda: shot.ellipsoid(0.005, 0.006, 0.007),
                "box": lambda: shot.box(0.01, 0.01, 0.01),
            }[shape]()
            shot.velocity((speed, 0, 0))
            m.touch()
            x = ms.simulate(m.project(), duration=0.5 / speed, sample_step=0.25 / speed).position(
                "shot"
            )[-1, 0]
            assert x < 0.0, f"{thickness} m, {speed} m/s: at {x:.4f} m"
