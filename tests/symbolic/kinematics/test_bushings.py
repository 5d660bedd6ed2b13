"""Bushings in symbols: three methods and the simulator agree for full matrices K and D, in space
and in a plane.
"""

import random

import msgspec
import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import DIFFERENT
from mechstudio.model.geometry.rotation import about, multiply, to_angles
from mechstudio.model.mechanism import Body, Force, Frame, Mechanism, Placement
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.forces import BUSHING_AXES
from mechstudio.symbolic.methods import lagrange
from mechstudio.symbolic.ring.polynomials import Ring
from tests.mechanisms import Builder, project


def bushing(full, frame_a, frame_b):
    rng = random.Random(1)
    numbers = {
        f"{letter}_{a}_{b}": Quantity(rng.uniform(1, 5) * (1.0 if a == b else 0.2))
        for letter in "kd"
        for i, a in enumerate(BUSHING_AXES)
        for b in BUSHING_AXES[i:]
        if full or a == b
    }
    return Force("f", "f", "bushing", numbers, frame_a=frame_a, frame_b=frame_b)


def in_space(full):
    attitude = multiply(
        about((0.0, 0.0, 1.0), 0.3),
        multiply(about((0.0, 1.0, 0.0), 0.5), about((1.0, 0.0, 0.0), 0.4)),
    )
    body = Body(
        "a",
        "a",
        placement=Placement(vector(0.1, 0.2, 0.05), vector(*to_angles(attitude))),
        mass=Quantity(2.0),
        center_of_mass=vector(0.1, 0.05, 0.02),
        inertia=tuple(map(Quantity, (0.2, 0.3, 0.25, 0.01, 0.02, -0.01))),
    )
    return Mechanism({"a": body}, {}, forces={"f": bushing(full, Frame("ground"), Frame("a"))})


def in_a_plane(lean=0.0):
    """lean: constant angle of the bushing's axes on the lower link [rad]."""
    b = Builder()
    b.body("upper", (0.5, 0, 0))
    b.body("lower", (1.5, 0, 0))
    b.joint("A", "ground", "upper", (0, 0, 0))
    b.joint("B", "upper", "lower", (1, 0, 0))
    f = bushing(
        True,
        Frame("upper", "", Placement(vector(0.6, 0.0, 0.0))),
        Frame(
            "lower",
            "",
            Placement(vector(-0.4, 0.0, 0.0), vector(*to_angles(about((0.0, 1.0, 0.0), lean)))),
        ),
    )
    return msgspec.structs.replace(b.mechanism, forces={"f": f})


@pytest.mark.parametrize(
    "make",
    [lambda: in_space(False), lambda: in_space(True), in_a_plane, lambda: in_a_plane(0.3)],
    ids=["diagonal", "full", "plane", "leaning in a plane"],
)
def test_three_methods_and_the_simulator_agree(make):
    d = ms.derive(project(make()))
    assert [p for p in d.proofs if not p.holds] == []
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail


def test_turn_of_a_plane_bushing_is_an_angle():
    d = ms.derive(project(in_a_plane()))
    assert d.equations.functions == () and "k_ry_ry θ_B" in d.text()


def test_a_flipped_slope_of_the_turn_is_seen(monkeypatch):
    d = ms.derive(project(in_space(False)), "projected")
    own = Ring._function_slopes
    monkeypatch.setattr(
        Ring, "_function_slopes", lambda self, p, degrees, k: -own(self, p, degrees, k)
    )
    red = {p.between for p in d.proofs if p.how == DIFFERENT and p.between}
    assert red == {("newton-euler", "lagrange"), ("projected", "lagrange")}


def test_a_lost_damping_is_seen(monkeypatch):
    monkeypatch.setattr(lagrange.Lagrange, "work", lambda self, effort: {})
    d = ms.derive(project(in_space(False)))
    assert {p.between for p in d.proofs if p.how == DIFFERENT and p.key.startswith("h:")} == {
        ("newton-euler", "lagrange"),
        ("projected", "lagrange"),
    }
