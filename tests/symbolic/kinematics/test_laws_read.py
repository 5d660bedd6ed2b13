"""Force laws that equations can be read from, and the sentences for those that have none."""

from math import sin, sqrt

import msgspec
import pytest

import mechstudio as ms
from mechstudio.model.mechanism import Force
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.symbolic.kinematics.loads import reading_of
from mechstudio.symbolic.methods.partition import closed_state
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.plan import planning
from mechstudio.symbolic.plan.force_laws import NotAFormula, Reading, reading
from tests.mechanisms import project
from tests.symbolic.closing import closed, is_unattached

replace = msgspec.structs.replace


def test_every_type_can_be_read():
    read = {key: reading_of(kind) for key, kind in FORCE_TYPES.items()}
    assert read["torsion_spring"] == (True, 0) and read["slide_damper"] == (False, 0)
    assert read["friction_torque"] == (False, 1) and read["motor_torque"] == (False, 0)


@pytest.mark.parametrize(
    "law",
    [
        lambda x, v, k: -k * x if x > 0.0 else 0.0,
        lambda x, v, k: min(-k * x, 0.0),
        lambda x, v, k: -k * abs(x),
        lambda x, v, k: -k / (1.0 + x * x),
        lambda x, v, k: -k * sqrt(x * x + 1.0),
        lambda x, v, k: -k * sin(x),
        lambda x, v, k: -k * x**-1,
        lambda x, v, k: sqrt(x * x + 1.0),
    ],
)
def test_laws_that_are_no_formula(monkeypatch, law):
    with pytest.raises(NotAFormula):
        reading(law, 2)
    spring = replace(FORCE_TYPES["slide_spring"], law=law, potential=None)
    monkeypatch.setitem(FORCE_TYPES, "slide_spring", spring)
    with pytest.raises(ms.DerivationError, match=r"^f has a law that is no formula: .*simulate"):
        ms.derive(project(closed("prismatic", SPRING)))


def test_roots_are_counted(monkeypatch):
    law = lambda x, v, k, x0: -k * x / sqrt(x * x + 1.0) - k * v / sqrt(v * v + 1.0)
    assert reading(law, 3) == Reading(True, 2)
    spring = replace(FORCE_TYPES["slide_spring"], law=law, potential=None)
    monkeypatch.setitem(FORCE_TYPES, "slide_spring", spring)
    with pytest.raises(ms.DerivationError, match="more square roots"):
        ms.derive(project(closed("prismatic", SPRING)))


SPRING = Force(
    "f",
    "f",
    "slide_spring",
    {"stiffness": Quantity(30.0), "free_length": Quantity(0.2)},
    joint="j",
    coordinate=0,
)


def test_a_spring_of_higher_degree_on_a_joint_that_closes_a_loop(monkeypatch):
    """The virtual work of k e^3 is that of its potential k e^4 / 4: the three methods agree."""
    monkeypatch.setattr(planning, "equation_tree", is_unattached)
    spring = replace(
        FORCE_TYPES["slide_spring"],
        law=lambda x, v, k, x0: -k * (x - x0) * (x - x0) * (x - x0),
        potential=lambda x, k, x0: k * (x - x0) * (x - x0) * (x - x0) * (x - x0) / 4,
    )
    monkeypatch.setitem(FORCE_TYPES, "slide_spring", spring)
    d = ms.derive(project(closed("prismatic", SPRING)))
    assert [p for p in d.proofs if not p.holds] == []
    energy = Values(d, closed_state(d)).of(d.by("lagrange").U["f"])
    assert energy > 0.0


def test_a_spring_between_one_point_and_itself_is_refused():
    m = ms.Builder("Nothing")
    bob = m.body("bob", (0.3, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    m.pin("pin", m.ground, bob, at=(0, 0, 0), axis=(0, 0, 1))
    ends = ((0.1, 0, 0), (0.1, 0, 0))
    m.force("spring", "coil", a=bob, b=bob, at=ends, stiffness="1 N/m", free_length="0.1 m")
    with pytest.raises(ms.DerivationError, match="Both ends of coil are one point of one body"):
        ms.derive(m.project())
