"""Beads on ellipses against Lagrange's equation over the eccentric angle, integrated by SciPy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mechstudio as ms
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.model.edits import elements
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.quantity import Quantity

G, MASS = 9.81, 2.0


def bead(a, b, start=0.4, rate=3.0, normal=(0, -1, 0), center=(0, 0, 0), limits=()):
    """Bead on an ellipse in the plane x z, its semi-axis a along x."""
    m = ms.Builder("bead")
    at = (a * math.cos(start), 0.0, b * math.sin(start))
    body = m.body("bead", at, mass=MASS, center_of_mass=center, inertia=(1e-3, 1e-3, 1e-3))
    m.on_ellipse(
        "wire", m.ground, body, center=(0, 0, 0), at=at, semi_a=a, semi_b=b, normal=normal,
        along=(1, 0, 0), rate=(rate, 0, 0, 0), limits=limits,
    )  # fmt: skip
    m.run(tolerance=1e-12)
    return m.project()


def known(a, b, start, rate, times):
    """Eccentric angle and its rate (2, k) by SciPy."""

    def slope(t, y):
        eta, v = y
        s, c = math.sin(eta), math.cos(eta)
        return [v, -((a * a - b * b) * s * c * v * v + G * b * c) / (a * a * s * s + b * b * c * c)]

    given = {"rtol": 1e-13, "atol": 1e-14, "method": "DOP853", "t_eval": times}
    return solve_ivp(slope, (0, times[-1]), [start, rate], **given).y


@pytest.mark.parametrize(
    ("a", "b", "rate"), [(0.5, 0.2, 3.0), (0.2, 0.5, -9.0), (0.3, 0.3, 12.0), (1.0, 0.1, 40.0)]
)
def test_a_bead_moves_by_lagranges_equation_and_presses_by_its_curvature(a, b, rate):
    project, span = bead(a, b, rate=rate), {"duration": 1.0, "sample_step": 0.05}
    result = ms.simulate(project, **span)
    eta, speed = known(a, b, 0.4, rate, result.time)
    # what a turn more or less does is in the angle alone
    assert result.joint_coordinates["wire"][:, 0] == pytest.approx(eta, abs=1e-9 * abs(rate))
    table = ms.analyse(project, "reactions", axes="world", **span)
    force = np.array(table.rows)[:, 1:4]
    s, c = np.sin(eta), np.cos(eta)
    metric = np.sqrt(a * a * s * s + b * b * c * c)
    inward = np.stack((-b * c, 0 * s, -a * s), axis=1) / metric[:, None]
    press = MASS * (metric * speed) ** 2 * (a * b / metric**3) + MASS * G * inward[:, 2]
    scale = np.abs(press).max()
    assert (force * inward).sum(axis=1) == pytest.approx(press, abs=1e-9 * scale)
    along = np.stack((-a * s, 0 * s, b * c), axis=1) / metric[:, None]
    assert np.abs((force * along).sum(axis=1)).max() < 1e-9 * scale
    assert result.statistics["energy_error"] < 1e-9


def test_an_ellipse_of_equal_axes_is_a_circle():
    table = curve_table(curve_of(bead(0.3, 0.3).mechanism.joints["wire"]))
    _, d, bend = table.at(np.linspace(-1, 9, 100))
    assert np.abs(np.linalg.norm(d, axis=1) / 0.3 - 1).max() < 1e-14
    assert np.abs(np.linalg.norm(bend, axis=1) / 0.3 - 1).max() < 1e-14


@pytest.mark.parametrize("ratio", [1.0, 3.0, 1e4])
def test_points_beside_an_ellipse_find_their_angle(ratio):
    a, b = 0.5, 0.5 / ratio
    table = curve_table(curve_of(bead(a, b).mechanism.joints["wire"]))
    eta = np.linspace(0.01, 6.27, 57)
    c, _, _ = table.at(eta)
    _, n1, _ = table.normals(eta)
    assert table.nearest(c + 0.01 * b * b / a * n1) == pytest.approx(eta, abs=1e-8)
    assert table.nearest(c, eta + 12 * math.pi) == pytest.approx(eta + 12 * math.pi, abs=1e-9)
    assert not table.jumps and table.length == pytest.approx(2 * math.pi)


def test_a_flat_ellipse_keeps_its_energy():
    result = ms.simulate(bead(0.5, 5e-5, 1.2, 2.0), duration=0.5, sample_step=0.05)
    assert result.statistics["energy_error"] < 1e-7
    assert np.abs(np.diff(result.poses[:, 0, 0])).max() > 0.01


@pytest.mark.parametrize("center", [(0, 0, 0), (0.05, 0.02, 0.03)])
@pytest.mark.parametrize("normal", [(0, -1, 0), (0, 1, 0)])
def test_equations_over_the_eccentric_angle_agree_with_the_engine(center, normal):
    from mechstudio.symbolic.printers.text import printed
    from mechstudio.symbolic.proofs.random_point import random_proofs

    d = ms.derive(bead(0.5, 0.2, center=center, normal=normal))
    assert d.proofs and all(p.holds for p in (*d.proofs, *random_proofs(d)))
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail
    text = printed(d.equations)
    assert "M[1,1] = m a² − m (a² − b²) cos² η" in text or any(center)
    assert "X(" not in text, "written out, not opaque"


@pytest.mark.parametrize("method", ["newton-euler", "projected", "lagrange"])
def test_every_method_writes_the_same_equation(method):
    d = ms.derive(bead(0.5, 0.2), method)
    q, v = np.array([0.7, 0.1, 0.2, 0.3]), np.array([1.5, 0.0, 0.0, 0.0])
    M, b, g, *_ = d.function()(q, v)
    s, c = math.sin(0.7), math.cos(0.7)
    assert M[0, 0] == pytest.approx(MASS * (0.25 * s * s + 0.04 * c * c), rel=1e-13)
    assert b[0] == pytest.approx(MASS * 0.21 * s * c * 1.5**2, rel=1e-12)
    assert g[0] == pytest.approx(MASS * G * 0.2 * c, rel=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.2), (0.3, 0.0)])
def test_a_semi_axis_of_no_length_is_reported(a, b):
    numbers = {"semi_a": Quantity(a), "semi_b": Quantity(b)}
    drawn = elements.set_attribute(bead(0.3, 0.2), "wire", parameters=numbers)
    with pytest.raises(ms.EngineError, match="semi-axis of no length"):
        ms.simulate(drawn)
    assert ms.derive(drawn).equations.coordinates


def test_a_driven_angle_takes_the_torque_of_lagranges_equation():
    m = ms.Builder.of(bead(0.5, 0.2))
    m.drive("hand", m.joints["wire"][0], speed="3 rad/s")
    result = ms.simulate(m.project(), duration=0.5, sample_step=0.05)
    eta = 0.4 + 3.0 * result.time
    assert result.joint_coordinates["wire"][:, 0] == pytest.approx(eta, abs=1e-9)
    (torque,) = result.courses("Torque of hand")
    s, c = np.sin(eta), np.cos(eta)
    assert torque.values == pytest.approx(
        MASS * ((0.25 - 0.04) * s * c * 9.0 + G * 0.2 * c), abs=1e-9
    )


def test_a_bead_comes_to_rest_at_a_stop_of_its_angle():
    result = ms.simulate(bead(0.5, 0.2, limits=(0.1, 9.0)), duration=0.8, sample_step=0.05)
    (impact,) = result.events
    eta, speed = known(0.5, 0.2, 0.4, 3.0, np.array([0.0, impact.time]))
    assert eta[-1] == pytest.approx(0.1, abs=1e-8)
    assert impact.speed == pytest.approx(-speed[-1], rel=1e-8)
    assert result.joint_coordinates["wire"][-1, 0] == pytest.approx(0.1, abs=1e-9)
