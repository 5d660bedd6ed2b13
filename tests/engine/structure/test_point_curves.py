"""Curves of points over a whole turn against closed forms: the sextic of a four-bar, Hoeken's and
Chebyshev's straight parts, cusps on the moving centrode, dead points, circles.
"""

import math

import numpy as np
import pytest

from mechstudio.engine.structure.point_curves import point_curves
from mechstudio.model.project import Project
from tests import mechanisms

CRANK, COUPLER, ROCKER, BASE = 0.2, 0.632, 0.5, 0.6


def reported(mechanism, points, joint=""):
    found = point_curves(Project(mechanism), points, joint)
    assert not found.problem, found.problem
    return found


def places(curve):
    return np.frombuffer(curve.points).reshape(-1, 3)


def coupler_axes(mechanism):
    """Origin and axes (columns along B to C, and across it) of the coupler's plane, local."""
    m = mechanism
    frames = [m.joints["B"].frame_b, m.joints["C"].frame_a]
    b, c = (np.array(m.frame_in_body(f)[0]) for f in frames)
    along = (c - b) / np.linalg.norm(c - b)
    return b, along, np.array([-along[2], 0.0, along[0]])


def coupler_point(mechanism, along, across):
    b, u, v = coupler_axes(mechanism)
    return ("coupler", tuple((b + along * u + across * v).tolist()))


def sextic(x, y, along, across):
    """Left side of the four-bar's coupler curve (Hartenberg, Denavit 1964), of a point whose
    triangle with B and C has the legs `to_b` and `to_c` and the angle gamma.
    """
    to_b, to_c = math.hypot(along, across), math.hypot(COUPLER - along, across)
    gamma = math.pi - math.atan2(across, along) - math.atan2(across, COUPLER - along)
    p = BASE
    sg, cg = math.sin(gamma), math.cos(gamma)
    phi = x * x + y * y + to_b**2 - CRANK**2
    psi = (x - p) ** 2 + y * y + to_c**2 - ROCKER**2
    A = to_c * ((x - p) * cg + y * sg) * phi - to_b * x * psi
    B = to_c * ((x - p) * sg - y * cg) * phi + to_b * y * psi
    C = 2 * to_b * to_c * sg * (x * (x - p) + y * y - p * y * cg / sg)
    return A * A + B * B - C * C


@pytest.mark.parametrize(("along", "across"), [(0.3, 0.25), (0.2, -0.3), (0.9, 0.1)])
@pytest.mark.thinned(3)
def test_both_circuits_of_a_four_bar_lie_on_its_sextic(along, across):
    m = mechanisms.four_bar(CRANK, COUPLER, ROCKER, BASE)
    found = reported(m, [coupler_point(m, along, across)])
    assert [c.drawn for c in found.circuits] == [True, False] and found.circuits[0].closed
    for circuit in found.circuits:
        xyz = places(circuit.curves[0])
        scale = np.abs(sextic(xyz[:, 0] + 0.05, xyz[:, 2], along, across)).max()
        assert np.abs(sextic(xyz[:, 0], xyz[:, 2], along, across)).max() < 1e-9 * scale
        assert np.abs(xyz[:, 1]).max() < 1e-10


def test_a_point_of_the_crank_runs_on_a_circle_without_cusps_or_doubles():
    m = mechanisms.four_bar(CRANK, COUPLER, ROCKER, BASE)
    local = m.frame_in_body(m.joints["B"].frame_a)[0]
    (curve,) = reported(m, [("crank", local)], "A").circuits[0].curves
    assert np.abs(np.linalg.norm(places(curve), axis=1) - CRANK).max() < 1e-10
    assert curve.cusps == curve.doubles == curve.dead == ()


@pytest.mark.slow
def test_hoekens_linkage_draws_a_straight_line():
    # crank 1, base 2, coupler and rocker 2.5, the point 5 from B on the line B C
    m = mechanisms.four_bar(0.1, 0.25, 0.25, 0.2)
    b, u, _ = coupler_axes(m)
    (curve,) = reported(m, [("coupler", tuple((b + 0.5 * u).tolist()))], "A").circuits[0].curves
    xyz = places(curve)
    side = xyz[np.abs(xyz[:, 2] - np.median(xyz[np.abs(xyz[:, 2]) > 0.3, 2])) < 0.002]
    assert np.ptp(side[:, 0]) > 0.3 and np.ptp(side[:, 2]) < 0.004


@pytest.mark.slow
def test_a_point_on_the_moving_centrode_has_a_cusp():
    m = mechanisms.four_bar(CRANK, COUPLER, ROCKER, BASE)
    # the velocity pole of the coupler is where crank and rocker lines meet: its place in the
    # coupler has a cusp as it passes, at the drawn pose
    at = lambda f: np.array(m.frame_in_world(f)[0])
    A, B = at(m.joints["A"].frame_a), at(m.joints["B"].frame_a)
    C, D = at(m.joints["C"].frame_a), at(m.joints["D"].frame_a)
    u, v = B - A, C - D
    s = np.linalg.solve(np.column_stack([u[[0, 2]], -v[[0, 2]]]), (D - A)[[0, 2]])[0]
    pole = A + s * u
    from mechstudio.model.geometry.rotation import conjugate, minus, rotate

    position, q = m.bodies["coupler"].placement.pose
    local = rotate(conjugate(q), minus(tuple(pole.tolist()), position))
    found = reported(m, [("coupler", local)], "A")
    curve = found.circuits[0].curves[0]
    assert len(curve.cusps) == 1
    assert np.abs(np.array(curve.cusps[0].point) - pole).max() < 1e-6
    start = float(np.frombuffer(found.circuits[0].inputs)[0])
    assert math.remainder(curve.cusps[0].inputs[0] - start, 2 * math.pi) == pytest.approx(
        0.0, abs=1e-4
    )
    # beside it there is none
    beside = (local[0] + 0.02, local[1], local[2])
    assert reported(m, [("coupler", beside)], "A").circuits[0].curves[0].cusps == ()


@pytest.mark.parametrize(("along", "across"), [(0.3, -0.3), (0.5, -0.3), (0.8, 0.3)])
@pytest.mark.thinned(3)
def test_a_double_point_is_passed_at_two_crank_angles(along, across):
    m = mechanisms.four_bar(CRANK, COUPLER, ROCKER, BASE)
    found = reported(m, [coupler_point(m, along, across)], "A")
    (double,) = found.circuits[0].curves[0].doubles
    start = float(np.frombuffer(found.circuits[0].inputs)[0])

    def closed_form(angle):
        B = np.array([CRANK * math.cos(angle), CRANK * math.sin(angle)])
        C = np.array(mechanisms.circle_meeting(B, COUPLER, (BASE, 0.0), ROCKER))
        u = (C - B) / COUPLER
        return B + along * u + across * np.array([-u[1], u[0]])

    here = np.array(double.point)[[0, 2]]
    both = [
        [np.abs(closed_form(1.0 + sign * (a - start)) - here).max() for a in double.inputs]
        for sign in (1.0, -1.0)
    ]
    assert min(map(max, both)) < 1e-8
    assert abs(math.remainder(double.inputs[0] - double.inputs[1], 2 * math.pi)) > 0.1


@pytest.mark.slow
def test_dead_points_of_a_crank_rocker_driven_by_its_rocker():
    m = mechanisms.four_bar(CRANK, COUPLER, ROCKER, BASE)
    local = m.frame_in_body(m.joints["C"].frame_b)[0]
    (curve,) = reported(m, [("rocker", local)], "D").circuits[0].curves
    assert len(curve.dead) == 2
    # there crank and coupler are in line: C is |coupler ± crank| from A
    reach = sorted(np.linalg.norm(spot.point) for spot in curve.dead)
    assert reach == pytest.approx([COUPLER - CRANK, COUPLER + CRANK], abs=1e-7)


def test_point_curves_without_a_moving_body_give_the_reason():
    found = point_curves(Project(mechanisms.four_bar()), [("nobody", (0, 0, 0))])
    assert "nobody" in found.problem and not found.circuits
    assert "no moving body" in point_curves(Project(), []).problem


@pytest.mark.parametrize("scale", [1e-4, 1e4])
@pytest.mark.thinned(2)
def test_tiny_and_huge_mechanisms_have_the_same_curve(scale):
    m = mechanisms.four_bar(scale=scale)
    local = m.frame_in_body(m.joints["B"].frame_a)[0]
    (curve,) = reported(m, [("crank", local)], "A").circuits[0].curves
    radius = np.linalg.norm(places(curve), axis=1)
    assert np.ptp(radius) < 1e-9 * radius[0]
