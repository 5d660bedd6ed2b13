"""Steps with contacts end at the edges of cams and curves: they stay of second order."""

import numpy as np
import pytest

import mechstudio as ms


def curve(m):
    bead = m.body("bead", (0, 0, 0), mass=1.0, inertia=(0.01,) * 3, center_of_mass=(0, 0, 0))
    points = [(0, 0, 0), (0.3, 0, -0.3), (0.7, 0, -0.3), (1.2, 0, 0.3)]
    m.on_curve("J", m.ground, bead, points, at=(0, 0, 0), form="polyline", fillet=0.05)


def geneva(m):
    crank, wheel = (
        m.body(name, at, mass=1.0, inertia=(inertia,) * 3, center_of_mass=(0, 0, 0))
        for name, at, inertia in (("crank", (0, 0, 1), 0.02), ("wheel", (-0.2, 0, 1), 0.03))
    )
    a = m.pin("a", m.ground, crank, at=(0, 0, 1), axis=(0, 1, 0), rate=4.0)
    b = m.pin("J", m.ground, wheel, at=(-0.2, 0, 1), axis=(0, 1, 0))
    m.geneva("g", a, b, ms.geneva(4, middle=1.0))


def course(make, step):
    """Coordinate of J [m or rad] and error of the energy, beside a box that falls on the floor;
    without a step of contacts there is none.
    """
    m = ms.Builder()
    make(m)
    if step:
        m.body("box", (3, 0, -1.8)).box(0.1, 0.1, 0.1)
        m.floor(-2.0)
        m.touch(step=step)
    result = ms.simulate(m.project(), duration=1.5, sample_step=0.05, tolerance=1e-11)
    return result.joint_coordinates["J"][:, 0], result.statistics["energy_error"]


@pytest.mark.parametrize("make", [curve, geneva])
def test_a_step_over_an_edge_is_of_second_order(make):
    exact, _ = course(make, None)
    off = []
    for step in (2e-3, 1e-3, 5e-4):
        x, energy = course(make, step)
        off.append(np.abs(x - exact).max())
        assert energy < 20.0 * step**2
    assert off[0] < 1e-4 and off[1] < off[0] / 3.0 and off[2] < off[1] / 3.0


def test_parts_of_a_step_end_where_edges_lie():
    from mechstudio.engine.contacts.runs.edge_parts import EdgeParts
    from mechstudio.engine.integration.options import options_of
    from mechstudio.engine.run import system_for

    m = ms.Builder(gravity=(0, 0, 0))
    geneva(m)
    project = m.project()
    system = system_for(project.mechanism, options_of(project, 1.0))
    parts, T = EdgeParts(system), system.fresh_tables()
    # the pin is in a slot from 1 - pi / 4 on, with 4 rad/s it comes there after 53.65 ms
    met = (1.0 - np.pi / 4.0) / 4.0
    assert parts.parts(system.start, T, 0.06) == pytest.approx([met, 0.06 - met], abs=1e-12)
    assert parts.parts(system.start, T, 0.05) == [0.05]
    assert not EdgeParts(system_for(ms.Builder().project().mechanism, options_of(project, 1.0)))
