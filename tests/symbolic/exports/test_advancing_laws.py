"""Exported laws over the angle of a cam, many turns away from where they are laid out: expressions
that repeat or go on by as much each turn, and Geneva drives; in Python, C and Modelica.
"""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import Law
from mechstudio.symbolic.exports import law_functions, modelica
from mechstudio.symbolic.exports.law_functions import of_law
from mechstudio.symbolic.exports.registry import Source
from tests.engine.joints.test_geneva_drives import drive as geneva_drive
from tests.symbolic.exports.test_exports import Library, needs_compiler
from tests.symbolic.modelica_reader import Reader, called, value

PLACES = (-4000.3, -317.2, -1.0, 0.4, 26.0, 333.3, 9001.7)  # [rad]
# expression, turns after which it goes on, growth with these [m]
GROWING = {
    "10 mm*a/(2*pi*1 rad) + 2 mm*sin(a)": (1, 0.01),
    "3 mm*a/1 rad + 1 mm*cos(a/2)": (2, 0.003 * 4 * math.pi),
    "4 mm*sin(a/3)^2": (3, 0.0),
    "20 mm*sin(a)": (1, 0.0),
    "5 mm*a/1 rad": (1, 0.01 * math.pi),
}
ENDING = ("10 mm*sin(0.123*a)", "2 mm*exp(-0.1*a/1 rad)")


def cam(expression, rate=1.0):
    """A cam on a pin that lifts a slider by an expression of its angle."""
    m = ms.Builder(gravity=(0, 0, 0))
    wheel = m.body("cam", (0, 0, 0), mass=1.0, inertia=(0.01, 0.01, 0.01))
    lifter = m.body("lifter", (0, 0.3, 0), mass=0.5, inertia=(0.01, 0.01, 0.01))
    shaft = m.pin("shaft", m.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1), rate=rate)
    guide = m.slider("guide", m.ground, lifter, at=(0, 0.3, 0), axis=(0, 1, 0))
    m.cam("lift", shaft, guide, expression)
    return m.project()


@pytest.mark.parametrize("expression", GROWING)
def test_pieces_go_on_as_the_expression(expression):
    law = Law("expression", text=expression)
    pieces = of_law(law)
    turns, growth = GROWING[expression]
    assert pieces.period == pytest.approx(2 * math.pi * turns, rel=1e-15)
    assert pieces.advance == pytest.approx(growth, rel=1e-9, abs=1e-15) and not pieces.end
    for s in PLACES:
        assert np.allclose(pieces.at(s), jet(law, s), rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize("expression", ENDING)
def test_laws_without_a_period_report_their_end(expression):
    law = Law("expression", text=expression)
    pieces = of_law(law)
    assert pieces.period == 0.0 and pieces.end == pytest.approx(8 * math.pi)
    for s in (-25.0, 0.4, 25.0):
        assert np.allclose(pieces.at(s), jet(law, s), rtol=1e-9, atol=1e-9)
    d = ms.derive(cam(expression))
    for format in ("python", "c", "modelica"):
        assert "holds from -25.13 rad to 25.13 rad" in d.export(format)


def test_a_polynomial_of_low_degree_holds_everywhere():
    law = Law("expression", text="1 mm*(a/1 rad)^2 + 2 mm*a/1 rad")
    pieces = of_law(law)
    assert not pieces.end
    assert np.allclose(pieces.at(1000.0), jet(law, 1000.0), rtol=1e-9)


@needs_compiler
@pytest.mark.parametrize("expression", list(GROWING)[:2])
def test_code_of_growing_laws_holds_over_many_turns(expression, tmp_path):
    """C, Python and Modelica against the law itself, turns away."""
    d = ms.derive(cam(expression))
    law = next(iter(d.plan.mechanism.couplings.values())).law
    n, m = len(d.equations.coordinates), len(d.equations.multipliers)
    library = Library(d.export("c"), tmp_path, n, m)
    namespace: dict = {}
    exec(d.export("python"), namespace)
    drawn = library.equations(np.zeros(n), np.zeros(n))[3][0]
    for s in PLACES:
        q, v = np.array([s, 0.0]), np.array([0.7, 0.0])
        f, slope, bend = jet(law, s)
        for code in (library.equations, namespace["equations"]):
            *_, C, C_q, gamma = code(q, v)
            assert C[0] - drawn == pytest.approx(jet(law, 0.0)[0] - f, abs=1e-10 + 1e-12 * abs(f))
            assert C_q[0, 0] == pytest.approx(-slope, abs=1e-10)
            assert gamma[0] == pytest.approx(bend * 0.49, abs=1e-8)


@needs_compiler
def test_a_run_over_many_turns_closes_the_exported_row(tmp_path):
    """The simulator's own poses over sixty turns fulfil the exported rows."""
    project = cam("10 mm*a/(2*pi*1 rad) + 2 mm*sin(a)", rate=40.0)
    d = ms.derive(project)
    library = Library(d.export("c"), tmp_path, 2, 1)
    run = ms.simulate(project, 10.0, 0.5, tolerance=1e-11)
    angle, lift = (run.joint_coordinates[k][:, 0] for k in ("shaft", "guide"))
    assert angle[-1] > 2 * math.pi * 60
    for q in zip(angle, lift):
        assert abs(library.equations(np.array(q), np.zeros(2))[3][0]) < 1e-9


def steps(model, name):
    """Arguments of the calls of the model's function of pieces for the drawing's function."""
    return [
        right[2]
        for _, right in model.equations
        if right[0] == "call" and right[1] == "piecewise" and right[2][1] == ("name", name)
    ]


def modelica_numbers(d, s):
    """f, f', f'' that the exported model computes at an angle, statement by statement."""
    model = Reader(d.export("modelica"))
    (table,) = [name for name in model.parameters if name.endswith("_pieces")]
    rows = value(model.parameters[table], {})
    calls = steps(model, table)
    assert calls
    out = {}
    for _, _, period, advance, order in calls:
        numbers = (value(period, {}), value(advance, {}), int(value(order, {})))
        out[numbers[2]] = called(model, "piecewise", s, rows, *numbers)
    return out


@pytest.mark.parametrize("name", ["growing", "geneva"])
def test_modelica_goes_on_with_every_turn(name):
    project = cam(next(iter(GROWING))) if name == "growing" else geneva_drive(5, rate=1.0)
    d = ms.derive(project)
    law = next(iter(d.plan.mechanism.couplings.values())).law
    for s in (-40 * 2 * math.pi + 0.2, -6.0, 0.1, 0.4, 3 * 2 * math.pi + 0.3, 200 * 2 * math.pi):
        found = modelica_numbers(d, s)
        assert {0, 1} <= found.keys()
        for order, x in found.items():
            assert x == pytest.approx(jet(law, s)[order], rel=1e-10, abs=(1e-10, 1e-9, 1e-6)[order])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("y := advance*turns + ", "y := "),
        ("floor((s - x[1, 1])/period)", "floor(s/period) + 1.0"),
    ],
)
def test_a_fault_in_the_modelica_function_is_seen(right, wrong, monkeypatch):
    assert right in modelica.PIECEWISE
    monkeypatch.setattr(modelica, "PIECEWISE", modelica.PIECEWISE.replace(right, wrong))
    d = ms.derive(geneva_drive(5, rate=1.0))
    law = next(iter(d.plan.mechanism.couplings.values())).law
    s = 3 * 2 * math.pi + 0.3
    assert abs(modelica_numbers(d, s)[0] - jet(law, s)[0]) > 1e-3


def test_a_law_without_its_advance_is_seen(monkeypatch):
    monkeypatch.setattr(law_functions, "_advance", lambda law, period: 0.0)
    law = Law("expression", text=next(iter(GROWING)))
    assert abs(of_law(law).at(26.0)[0] - jet(law, 26.0)[0]) > 1e-3
    assert Source(ms.derive(cam(next(iter(GROWING))))).remarks == []
