"""Circles in derivations: a unit tangent that turns with a constant curvature."""

import math

import pytest

import mechstudio as ms
from mechstudio.symbolic.proofs.random_point import random_proofs


def bead(order, plane, center=(0, 0, 0)):
    """A bead of 2 kg on a circle of 0.5 m whose points come in one sense or the other."""
    m = ms.Builder("bead")
    places = [(0.5 * math.cos(a), 0.5 * math.sin(a)) for a in (0.4, 1.9, 4.0)][::order]
    points = [{"x": (0.1, u, v), "y": (u, 0.1, v), "z": (u, v, 0.1)}[plane] for u, v in places]
    b = m.body("bead", points[0], mass=2.0, inertia=(1e-3, 1e-3, 1e-3), center_of_mass=center)
    m.on_curve("wire", m.ground, b, points, at=points[0], form="circle", rate=(3.0, 0, 0, 0))
    return m.project()


@pytest.mark.parametrize("plane", "xyz")
@pytest.mark.parametrize("order", [1, -1])
def test_the_equation_of_a_bead_on_a_circle_is_that_of_its_way(order, plane):
    d = ms.derive(bead(order, plane))
    made, terms = d.by("lagrange"), d.ring.terms
    (mass,) = terms(d.ring.untagged(made.M[0][0]))
    assert len(mass) == 1 and not made.b[0], "M = m, and no term of the speed"
    assert len(terms(made.g[0])) == (plane != "z")
    assert d.proofs and all(p.holds for p in d.proofs)
    assert all(p.holds for p in random_proofs(d))
    assert ms.agreement(d).holds


@pytest.mark.parametrize("plane", "xyz")
def test_a_body_that_swings_on_a_circle_moves_as_in_the_engine(plane):
    d = ms.derive(bead(1, plane, (0.05, 0.02, 0.03)))
    assert d.by("lagrange").b[0] and all(p.holds for p in (*d.proofs, *random_proofs(d)))
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail


def test_a_wrong_sense_of_the_curvature_is_caught(monkeypatch):
    from mechstudio.symbolic.ring.polynomials import Ring

    right = Ring.set_circle
    monkeypatch.setattr(Ring, "set_circle", lambda self, i, j, k: right(self, j, i, k))
    verdict = ms.agreement(ms.derive(bead(1, "y", (0.05, 0.02, 0.03))))
    assert not verdict.holds
