"""Runs whose forces, speeds and places follow tables of every kind: impulses and ways against exact
integrals of the same pieces by SciPy.
"""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

import mechstudio as ms

PLATEAU = [(0.0, 0.0), (1.0, 0.0), (1.1, 10.0), (2.0, 10.0), (2.1, 0.0), (3.0, 0.0)]
PEAK = [(0.0, 0.0), (2.4995, 0.0), (2.5, 1000.0), (2.5005, 0.0), (3.0, 0.0)]


def exact(points, kind):
    """The table as a PPoly of SciPy."""
    x, y = np.array(points).T
    if kind == "monotone":
        return PchipInterpolator(x, y)
    if kind == "spline":
        return CubicSpline(x, y, bc_type=((1, 0.0), (1, 0.0)))
    if kind == "straight":
        return PPoly(np.array([np.diff(y) / np.diff(x), y[:-1]]), x)
    return PPoly(y[None, :-1], x)


def slider():
    m = ms.Builder(gravity=(0, 0, 0))
    block = m.body("block", mass=1.0).box("0.1 m", "0.1 m", "0.1 m")
    return m, m.slider("slide", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0))


@pytest.mark.parametrize("integrator", ["dop853", "dopri5", "radau", "rk4"])
@pytest.mark.parametrize("kind", ["monotone", "spline", "straight", "steps"])
@pytest.mark.parametrize("points", [PLATEAU, PEAK])
@pytest.mark.thinned(3)
def test_momentum_of_a_table_of_force(points, kind, integrator):
    # 1 kg: v(t) = integral of F, x its integral; a sample every half second
    m, slide = slider()
    m.force("motor_force", "push", joint=slide, force=ms.table(*points, between=kind))
    result = ms.simulate(m.project(), duration=3.0, sample_step=0.5, integrator=integrator)
    force = exact(points, kind)
    speed = force.antiderivative()
    way = speed.antiderivative()
    size = max(abs(force(np.linspace(0.0, 3.0, 100001))))
    bound = 1e-8 if integrator != "rk4" else 1e-6
    assert result.velocities[:, 0, 0] == pytest.approx(
        [float(speed(t) - speed(0.0)) for t in result.time], abs=bound * size
    )
    assert result.joint_coordinates["slide"][:, 0] == pytest.approx(
        [float(way(t) - way(0.0) - speed(0.0) * t) for t in result.time], abs=bound * size
    )


@pytest.mark.parametrize("kind", ["monotone", "spline", "straight", "steps"])
def test_way_of_a_table_of_speed(kind):
    # x(t) = integral of the table of speed; by steps the speed jumps, and the drive's work is the
    # kinetic energy
    m, slide = slider()
    m.drive("motor", slide, speed=ms.table(*PLATEAU, between=kind))
    result = ms.simulate(m.project(), duration=3.0, sample_step=0.25)
    way = exact(PLATEAU, kind).antiderivative()
    assert result.joint_coordinates["slide"][:, 0] == pytest.approx(
        [float(way(t) - way(0.0)) for t in np.arange(13) * 0.25], abs=1e-8
    )
    assert result.statistics["energy_error"] < 1e-8


@pytest.mark.parametrize("kind", ["monotone", "spline", "straight"])
def test_a_table_of_places(kind):
    points = [(0.0, 0.0), (1.0, 0.0), (1.5, 0.2), (2.0, 0.2), (3.0, -0.1)]
    m, slide = slider()
    m.drive("motor", slide, position=ms.table(*points, between=kind))
    result = ms.simulate(m.project(), duration=3.0, sample_step=0.125)
    place = exact(points, kind)
    assert result.joint_coordinates["slide"][:, 0] == pytest.approx(
        [float(place(min(t, 3.0))) for t in np.arange(25) * 0.125], abs=1e-9
    )


@pytest.mark.parametrize("kind", ["monotone", "spline", "straight", "steps"])
def test_exported_courses_are_the_same_tables(kind):
    # what models and notebooks hold of a law over the time, between and at its points
    from mechstudio.model.laws import evaluation
    from mechstudio.model.mechanism import Law
    from mechstudio.model.quantity import Quantity
    from mechstudio.symbolic.exports.law_functions import of_course
    from mechstudio.symbolic.exports.simulation.course import Course
    from mechstudio.symbolic.exports.simulation.knots import instants

    law = Law("table", {}, tuple((Quantity(t), Quantity(f)) for t, f in PEAK), between=kind)
    times = instants(law, 5.0)
    jets = evaluation.jets(law, times)
    course = of_course(
        Course(
            "F", "", tuple(map(float, times)), *(tuple(float(j[i]) for j in jets) for i in range(3))
        )
    )
    seen = np.concatenate(
        [
            np.linspace(0.0, 5.0, 997),
            np.linspace(2.4996, 2.49998, 50),
            np.linspace(2.50001, 2.5004, 50),
        ]
    )
    requested = np.array(evaluation.jets(law, seen))[:, 0]
    assert np.array([course.at(s)[0] for s in seen]) == pytest.approx(
        requested, abs=1e-9 * np.abs(requested).max()
    )
