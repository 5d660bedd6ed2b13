"""A curve that closes a loop: in derivations its joint carries the body, so that the way along it
is a coordinate; of a second curve it is one without mass.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.model.mechanism import Curve, Force
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.tree import spanning_tree
from mechstudio.symbolic.methods import newton_euler
from tests.mechanisms import Builder, project
from tests.symbolic.closing import with_forces

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture
def guided():
    """Crank and rod whose end runs along a curve that was drawn last."""
    curve = Curve(
        (vector(0, 0, 0), vector(0.3, 0, 0.1), vector(0.6, 0, -0.05), vector(1.0, 0, 0.2))
    )
    b = Builder()
    b.link("crank", (0, 0, 0), (0.3, 0, 0.3))
    b.link("rod", (0.3, 0, 0.3), (0.8, 0, 0.35))
    b.joint("A", "ground", "crank", (0, 0, 0))
    b.joint("B", "crank", "rod", (0.3, 0, 0.3))
    at = curve_table(curve).at(np.array(0.5))[0]
    b.joint(
        "C",
        "ground",
        "rod",
        (0.8 - at[0], 0, 0.35 - at[2]),
        type="point_on_curve",
        quaternion_a=UPRIGHT,
        quaternion_b=UPRIGHT,
        at_b=(0.8, 0, 0.35),
        curve=curve,
        values=tuple(map(Quantity, (0.5, 0.0, 0.0, 0.0))),
    )
    return b.mechanism


def test_the_curve_carries_and_a_pin_closes(guided):
    assert spanning_tree(guided).closing == ("C",) and spanning_tree(guided, ["C"]).closing == (
        "B",
    )
    d = ms.derive(project(guided))
    assert "C" not in d.plan.tree.closing and [p for p in d.proofs if not p.holds] == []
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail
    assert d.live().drawn().values["s"] == pytest.approx(0.5, abs=1e-9)


@pytest.fixture
def on_two_curves():
    """A bar whose ends run along two curves in space: one carries it, the other closes."""
    curves = (
        Curve((vector(0, 0, 0), vector(0.3, 0, 0.1), vector(0.6, 0, -0.05), vector(1.0, 0, 0.2))),
        Curve(
            (vector(0, 0, 0), vector(0.1, 0.05, 0.3), vector(-0.1, 0.1, 0.6), vector(0.2, 0, 1.0))
        ),
    )
    ends = ((0.1, 0.2, 0.0), (0.9, 0.2, 0.35))
    b = Builder()
    b.link("bar", *ends)
    for id, curve, end, way in zip("CD", curves, ends, (0.5, 0.4)):
        at = curve_table(curve).at(np.array(way))[0]
        b.joint(
            id,
            "ground",
            "bar",
            tuple(np.subtract(end, at)),
            type="point_on_curve",
            quaternion_a=UPRIGHT,
            quaternion_b=UPRIGHT,
            at_b=end,
            curve=curve,
            values=tuple(map(Quantity, (way, 0.0, 0.0, 0.0))),
        )
    return b.mechanism


def test_a_second_curve_closes_by_a_point_without_mass(on_two_curves):
    d = ms.derive(project(on_two_curves))
    assert d.plan.tree.closing == ("D",) and [
        c.meaning for c in d.plan.coordinates if not c.body
    ] == ["way along the curve of joint D"]
    assert [p for p in d.proofs if not p.holds] == [] and len(d.rows) == 3
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail
    assert "without s_D, which has no mass" in next(
        p.detail for p in d.proofs if p.key == "positive"
    )
    tangent = next(s for s in d.chapter("newton-euler").steps if s.key == "cuts:D:way")
    assert {f.name for t in tangent.equations[0].right.terms for f in t.factors} >= {
        "lambda_1",
        "lambda_2",
        "lambda_3",
    }


def test_numbers_of_a_run_along_two_curves(on_two_curves):
    document = project(on_two_curves)
    run = ms.simulate(document, duration=0.1, sample_step=1e-3)
    values = ms.derive(document).live()
    (before, _), (_, v), (after, _) = (values.state(run.rows[k], run.layout) for k in (49, 50, 51))
    assert np.allclose((after - before) / 2e-3, v, atol=1e-4), "the way's own rate too"
    numbers = values.at_sample(run.rows[50], run.layout)
    assert (
        max(abs(c) for (c,) in numbers.matrices["C"]) < 1e-7
        and len(numbers.independent) == 2
        and not numbers.refusal
    )


def test_a_push_along_the_way_goes_into_the_rows(on_two_curves):
    push = Force(
        "f",
        "f",
        "slide_spring",
        {"stiffness": Quantity(30.0), "free_length": Quantity(0.2)},
        joint="D",
        coordinate=0,
    )
    d = ms.derive(project(with_forces(on_two_curves, push)))
    assert [p for p in d.proofs if not p.holds] == []
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail


def test_a_point_that_is_pushed_by_nobody_is_seen(on_two_curves, monkeypatch):
    monkeypatch.setattr(newton_euler, "along_closing_curve", lambda setting, row: {})
    assert [p.key for p in ms.derive(project(on_two_curves)).proofs if not p.holds] == ["rows"]
