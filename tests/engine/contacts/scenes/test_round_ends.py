"""Bodies on the round end of a cylinder near its rim: its circle supports them at every angle."""

import math

import numpy as np
import pytest

import mechstudio as ms

G, R, HALF, DENSITY = 9.81, 0.5, 0.025, 7850


def on_a_table(make, radius, angle, height, *, yaw=0.0, mu=0.5, table=R, duration=0.5):
    """A body at a distance from the axis of a round table, its middle so high above the top."""
    m = ms.Builder("round table")
    m.ground.cylinder(table, 2 * HALF)
    turned = math.radians(angle)
    place = (radius * math.cos(turned), radius * math.sin(turned), HALF + height)
    body = m.body("body", place, angles=(f"{yaw} deg", 0, 0))
    make(body)
    for one in (m.ground, body):
        m.surface(one, friction=mu, restitution=0)
    m.touch()
    return ms.simulate(m.project(), duration=duration)


def cube(body):
    body.box(0.02, 0.02, 0.02)


def can(body):
    body.cylinder(0.015, 0.08)


def plate(body):
    body.plate([(-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01)], 0, 0.02)


def stands(result, weight):
    """Rest to 1e-5 in the pose and in the velocities of points 0.1 m away, under its weight."""
    assert result.poses[:, 0] == pytest.approx(
        np.tile(result.poses[0, 0], (len(result), 1)), abs=1e-5
    )
    assert np.abs(result.velocities[:, 0] * (1, 1, 1, 0.1, 0.1, 0.1)).max() < 1e-5
    assert result.contacts.on("body")[-1] == pytest.approx((0, 0, weight), abs=1e-3 * weight)


@pytest.mark.parametrize("angle", np.arange(8) * 11.25)
def test_a_box_near_the_rim_stays_at_rest(angle):
    mu = 0.5 if angle > 45 else 0.0
    stands(on_a_table(cube, 0.48, angle, 0.01, mu=mu), DENSITY * 0.02**3 * G)


@pytest.mark.parametrize("angle", [0.0, 22.5])
@pytest.mark.parametrize(
    ("make", "height", "weight"),
    [(can, 0.04, DENSITY * math.pi * 0.015**2 * 0.08 * G), (plate, 0.01, DENSITY * 0.02**3 * G)],
)
def test_a_can_and_a_plate_near_the_rim_stay_at_rest(make, height, weight, angle):
    stands(on_a_table(make, 0.478, angle, height), weight)


@pytest.mark.parametrize("angle", [0.0, 10.0, 22.5])
@pytest.mark.parametrize(
    ("make", "height", "table"),
    [
        (lambda body: body.box(0.2, 0.04, 0.04), 0.02, R),
        (lambda body: body.cylinder(0.1, 0.04), 0.02, R),
        (lambda body: body.cylinder(0.1, 0.04), 0.02, 0.1),
        (lambda body: body.box(0.6, 0.6, 0.02), 0.01, 0.1),
    ],
    ids=["bar", "coin", "coin on its like", "wide box"],
)
def test_what_overhangs_tips_where_its_middle_passes_the_rim(make, height, table, angle):
    still, tips = (
        on_a_table(make, share * table, angle, height, yaw=angle, table=table, duration=0.3)
        for share in (0.99, 1.01)
    )
    assert np.abs(still.velocities[:, 0]).max() < 1e-3
    assert np.abs(tips.velocities[-1, 0, 3:]).max() > 0.05


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_a_rod_that_falls_on_the_outer_ring_gains_no_energy(mu):
    m = ms.Builder("pencil")
    m.ground.disc(R, 2 * HALF)
    rod = m.body("rod", (0.52, 0.2, 0.45), angles=("-122 deg", "-143 deg", "-53 deg"))
    rod.cylinder(0.01, 0.3).velocity((-0.3, 0, 0), (4, 6, 3))
    for one in (m.ground, rod):
        m.surface(one, friction=mu)
    m.touch()
    result = ms.simulate(m.project(), duration=0.4, sample_step=1e-3)
    energy = result.kinetic_energy + result.potential_energy
    assert np.diff(energy).max() < 2e-3 * (energy[0] - energy.min())
