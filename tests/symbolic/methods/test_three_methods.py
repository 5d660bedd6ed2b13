"""Three derivations over one reading of the drawing: equal on every sample, and a fault in one of
them turns its comparisons red, no others.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.model.equations.lecture import DIFFERENT, EXACT, METHODS, RANDOM, RECURSIVE, SAMPLED
from mechstudio.model.project import Project
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.symbolic import derive
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.printers import text
from mechstudio.symbolic.proofs.random_point import numbers_at
from tests.symbolic.samples import SAMPLES, with_curves
from tests.symbolic.test_against_newton import LOADS, loaded


def sample(name):
    return project_file.load(next(p for p in SAMPLES if p.stem == name)).project


def red(d):
    return {p.key for p in d.proofs if not p.holds}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_every_sample_is_proven(path):
    d = with_curves(derive(project_file.load(path).project))
    assert d.complete
    assert {p.key: p.how for p in d.proofs if p.how != EXACT} == {"positive": SAMPLED}


@pytest.mark.parametrize("coordinate", [0, 1])
@pytest.mark.parametrize("type", ["motor_torque", "torsion_spring", "torsion_damper"])
def test_loads_on_each_turn_of_a_cross_are_proven(type, coordinate):
    """Torques that belong to a joint's coordinates alone, the first one among all too."""
    m = ms.Builder("cross")
    a = m.link("a", (0, 0, 0), (0.3, 0, 0))
    turns = {"first": (0, 1, 0), "second": (0, 0, 1)}
    cross = m.universal("U", m.ground, a, at=(0, 0, 0), **turns)
    numbers = {p.name: 2 for p in FORCE_TYPES[type].parameters if not p.rate_of}
    m.force(type, "load", joint=cross[coordinate], **numbers)
    d = derive(m.project())
    assert not red(d)
    assert d.chapter(RECURSIVE).refusal == ""
    if type == "motor_torque":
        tau = [bool(row[0]) for row in d.matrices["tau"]]
        assert tau == [k == coordinate for k in range(2)]


def test_a_load_along_a_curve_is_proven():
    """It belongs to the way along the curve alone, the first coordinate of all."""
    m = ms.Builder.of(sample("bead_two_ways"))
    wire = next(j for j in m.joints.values() if j.joint.type == "point_on_curve")
    m.force("motor_force", "push", joint=wire[0], force="2 N")
    d = with_curves(derive(m.project()))
    assert not red(d)
    assert d.chapter(RECURSIVE).refusal == ""
    assert d.matrices["tau"][0][0]


@pytest.mark.parametrize(("type", "more"), LOADS)
def test_every_load_is_proven(type, more):
    assert not red(derive(Project(loaded(type, **more))))


@pytest.mark.parametrize("method", METHODS)
def test_each_method_gives_its_own_equations(method):
    d = derive(sample("four_bar"), method)
    assert (
        d.equations.method == method and derive(sample("four_bar")).matrices["M"] == d.by(method).M
    )


# planted faults: (class, method of it, what stands in, sample)


def dropped_gyroscopic_term(self, theta, omega):
    return [self.ring.zero] * 3


def dropped_gyroscopic_moment(self, theta, omega, alpha):
    return [self.ring.dot(row, alpha) for row in theta]


def flipped_centripetal(self, at, arm):
    inward = self.ring.cross(at.omega, self.ring.cross(at.omega, arm))
    return [a - b for a, b in zip(self.ring.cross(at.alpha, arm), inward)]


def flipped_weight(self, m, weight=Lagrange.weight):
    return -weight(self, m)


def halved_energy(self, m, kinetic=Lagrange.kinetic):
    return self.ring.half * kinetic(self, m)


FAULTS = [
    (Projected, "gyroscopic", dropped_gyroscopic_term, "heavy_top", "projected", {"h"}),
    (NewtonEuler, "spin_moment", dropped_gyroscopic_moment, "heavy_top", "newton-euler", {"h"}),
    (NewtonEuler, "carried", flipped_centripetal, "double_pendulum", "newton-euler", {"h"}),
    (Lagrange, "weight", flipped_weight, "cart_pole", "lagrange", {"h"}),
    (Lagrange, "kinetic", halved_energy, "double_pendulum", "lagrange", {"M", "h"}),
]


@pytest.mark.parametrize(
    ("where", "name", "fault", "of", "method", "letters"),
    FAULTS,
    ids=lambda x: x if isinstance(x, str) else getattr(x, "__name__", None),
)
def test_a_fault_turns_its_own_method_red(monkeypatch, where, name, fault, of, method, letters):
    monkeypatch.setattr(where, name, fault)
    d = derive(sample(of), "projected" if method == "newton-euler" else "newton-euler")
    compared = [p for p in d.proofs if p.between]
    assert {p.key for p in compared if p.how == DIFFERENT} == {
        p.key for p in compared if method in p.between and p.key[0] in letters
    }
    shown = [p for p in compared if p.how == DIFFERENT]
    assert all(not p.difference[0].is_zero and p.difference[0].term_count for p in shown)


def test_the_difference_of_a_dropped_gyroscopic_term_is_that_term(monkeypatch):
    """Euler's equations without w x Theta w miss terms in the spin's inertia."""
    monkeypatch.setattr(Projected, "gyroscopic", dropped_gyroscopic_term)
    (proof,) = [p for p in derive(sample("heavy_top")).proofs if p.key == "h:projected=lagrange"]
    words = " ".join(text.entry(e) for row in proof.difference[0].rows for e in row)
    assert "J_" in words and "m" not in words


def test_a_lost_coupling_in_m_is_not_symmetric(monkeypatch):
    derive_ = NewtonEuler.derive

    def lopsided(self):
        derive_(self)
        self.M[0][1] = self.ring.zero

    monkeypatch.setattr(NewtonEuler, "derive", lopsided)
    assert {"symmetric", "skew"} <= red(derive(sample("double_pendulum"), "newton-euler"))


def test_a_massless_end_has_no_inertia():
    """A sample whose M is singular is reported as such: the pendulum's lower rod without mass."""
    import msgspec

    from mechstudio.model.quantity import Quantity

    project = sample("double_pendulum")
    m = project.mechanism
    last = list(m.bodies)[-1]
    body = msgspec.structs.replace(
        m.bodies[last], mass=Quantity(0.0), inertia=tuple(Quantity(0.0) for _ in range(6))
    )
    d = derive(
        msgspec.structs.replace(
            project, mechanism=msgspec.structs.replace(m, bodies={**m.bodies, last: body})
        )
    )
    assert red(d) == {"positive"}


# where the size guard trips


@pytest.mark.parametrize(
    "name", ["heavy_top", "bead_on_circle", "andrews_squeezer", "cart_pole", "six_axis_arm"]
)
def test_long_equations_are_proven_at_a_random_point(name):
    d = with_curves(derive(sample(name), term_limit=2))
    assert not d.complete and {p.how for p in d.proofs} == {RANDOM, SAMPLED}


@pytest.mark.parametrize(
    ("where", "name", "fault", "of", "method", "letters"),
    FAULTS,
    ids=lambda x: x if isinstance(x, str) else getattr(x, "__name__", None),
)
def test_a_fault_is_seen_at_a_random_point_too(
    monkeypatch, where, name, fault, of, method, letters
):
    monkeypatch.setattr(where, name, fault)
    d = derive(
        sample(of), "projected" if method == "newton-euler" else "newton-euler", term_limit=2
    )
    compared = [p for p in d.proofs if p.between]
    assert {p.key for p in compared if p.how == DIFFERENT} == {
        p.key for p in compared if method in p.between and p.key[0] in letters
    }


@pytest.mark.parametrize("name", ["four_bar", "rolling_disc", "six_axis_arm", "cart_pole"])
def test_the_numbers_of_what_is_too_long_are_those_of_the_closed_form(name):
    d = derive(sample(name))
    n = len(d.plan.coordinates)
    rng = np.random.default_rng(4)
    q, v = rng.uniform(0.2, 0.9, n), rng.uniform(-1, 1, n)
    M, b, g, *_ = d.function()(q, v, 0.0, d.values)
    found = numbers_at(d, q, v)
    number = lambda entries: np.array([float(x.value) for x in entries])
    assert (
        np.array([number(row) for row in found.M]) == pytest.approx(M)
        and number(found.b) == pytest.approx(b, abs=1e-12)
        and number(found.g) == pytest.approx(g, abs=1e-12)
    )
    assert number(found.tau) == pytest.approx(d.forces_function()(q, v, 0.0, d.values))
