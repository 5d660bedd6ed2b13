"""Small motions of balls and free bodies that spin, against closed forms."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses import linearisation
from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.dynamics import spinning


def spun(spin, mass, height, inertia, gravity=True):
    """A body on a ball joint at the origin, upright, that spins about the vertical [rad/s]."""
    b = ms.Builder("Spun") if gravity else ms.Builder("Spun", gravity=(0, 0, 0))
    top = b.body("top", mass=mass, center_of_mass=(0, 0, height), inertia=inertia)
    top.velocity((0, 0, 0), (0, 0, spin))
    b.ball("J", b.ground, top, at=(0, 0, 0))
    return b, top


def nonzero(table):
    """Frequencies of a table of modes other than zero [rad/s], in order, each once."""
    return sorted({round(abs(s), 6) for s in table.rows[:, 1] if abs(s) > 1e-6})


@pytest.mark.parametrize("spin", [10.0, 30.0, 60.0])
def test_a_sleeping_top(spin):
    # with z = x + iy of the tip: I1 z'' - i I3 w z' - m g l z = 0 in axes that do not turn
    b, _ = spun(spin, 1.0, 0.2, (0.01, 0.01, 0.02))
    found = analyse(b.project(), "linearise")
    expected = np.roots([0.05, -0.02j * spin, -9.81 * 0.2])
    assert found.rows[:, 0].max() == pytest.approx(expected.real.max(), abs=1e-6)
    assert nonzero(found) == pytest.approx(sorted({round(x, 6) for x in abs(expected.imag)}))
    assert "axes that do not turn with it" in found.notes[1] and found.residual < 1e-7


def test_a_rotor_on_unequal_springs():
    # (I1 s^2 + a)(I1 s^2 + b) + (I3 w s)^2 = 0: in axes that turn A would change with time
    spin, h, (kx, ky) = 20.0, 0.5, (30.0, 80.0)
    b, top = spun(spin, 1.0, 0.3, (0.02, 0.02, 0.03), gravity=False)
    for name, along, k in (("x", (1, 0, h), kx), ("y", (0, 1, h), ky)):
        b.force(
            "spring", name, a=b.ground, b=top, at=(along, (0, 0, h)), stiffness=k, free_length=1
        )
    found = analyse(b.project(), "linearise")
    rows = np.array([0.11, 0.0, kx * h * h]), np.array([0.11, 0.0, ky * h * h])
    expected = np.roots(np.polyadd(np.polymul(*rows), [(0.03 * spin) ** 2, 0.0, 0.0]))
    assert nonzero(found) == pytest.approx(sorted(s.imag for s in expected if s.imag > 0))
    assert "do not turn" in found.notes[1] and found.residual < 1e-7


@pytest.mark.parametrize("joined", [True, False])
def test_a_body_that_spins_about_its_middle_axis(joined):
    # Euler's equations: growth w sqrt((I3 - I1)(I2 - I3) / (I1 I2)), and the body turns under what
    # stays in space: w, in axes of the body
    spin, (one, two, three) = 7.0, (0.02, 0.05, 0.03)
    b, _ = spun(spin, 1.0, 0.0, (one, two, three), gravity=False)
    if not joined:
        b.remove("J")
    found = analyse(b.project(), "linearise")
    growth = spin * math.sqrt((three - one) * (two - three) / (one * two))
    assert found.rows[:, 0].max() == pytest.approx(growth)
    assert nonzero(found) == pytest.approx([spin])
    assert "axes that turn with it" in found.notes[1] and found.residual < 1e-7
    # the rates of small rotations are the angular velocities less w times the rotations
    matrix = analyse(b.project(), "matrices")
    name = "J" if joined else "top"
    row = matrix.rows[matrix.labels.index(f"rate of {name} ωx")]
    of = dict(zip(matrix.columns, row))
    assert of[f"{name} ωx'"] == 1.0 and of[f"{name} ωy"] == pytest.approx(spin)
    assert "angular velocities about the same axes" in matrix.notes[2]


@pytest.mark.parametrize(("second", "axes"), [(0.05, "that turn"), (0.02, "that do not")])
def test_the_check_sees_a_wrong_spin(second, axes, monkeypatch):
    b, _ = spun(7.0, 1.0, 0.1, (0.02, second, 0.03))
    project, right = b.project(), spinning.spin_matrix
    assert axes in analyse(project, "linearise").notes[1]
    assert analyse(project, "linearise").residual < 1e-7
    monkeypatch.setattr(linearisation, "spin_matrix", lambda *given: 1.01 * right(*given))
    assert analyse(project, "linearise").residual > 1e-4


def test_balls_in_a_loop_that_a_speed_drives():
    # the position of the driven crank is held by no row: it must not move with the rod that spins
    # about itself; an effort on the crank moves nothing
    found = analyse(ms.load("samples/spatial_four_bar.mech"), "matrices")
    assert found.residual < 1e-6
    assert dict(zip(found.columns, found.rows[1]))["effort on D"] == 0.0
