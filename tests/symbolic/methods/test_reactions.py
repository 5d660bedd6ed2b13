"""Directions of reactions against the normals of the curve or plane of a joint, and torques in one
of its turns.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.mechanism import CoordinateOf, Coupling
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.methods import reactions
from mechstudio.symbolic.methods.reactions import components
from mechstudio.symbolic.methods.sampling import Values
from tests.engine.joints.test_ellipses import bead
from tests.mechanisms import Builder, project


@pytest.mark.parametrize(("a", "b", "angle"), [(0.5, 0.2, 0.4), (0.2, 0.5, 2.0), (0.3, 0.3, -1.0)])
def test_a_bead_is_pressed_along_unit_normals_of_its_ellipse(a, b, angle):
    """Components are forces in newtons: across, and along (b cos, a sin) by its length."""
    d = ms.derive(bead(a, b, start=angle))
    (branch,) = d.plan.tree.branches
    values = Values(d, [angle, 0.0, 0.0, 0.0])
    across, inward = (
        np.array([values.of(x) for x in c.force]) for c in components(d.setting, branch)
    )
    normal = np.array([b * math.cos(angle), 0.0, a * math.sin(angle)])
    normal /= np.linalg.norm(normal)
    assert np.abs(across) == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)
    # either way along it
    assert math.copysign(1.0, inward @ normal) * inward == pytest.approx(normal, abs=1e-12)


@pytest.mark.parametrize("turn", [0, 1])
def test_a_gear_on_one_turn_of_a_universal_joint_works_in_it_alone(turn, monkeypatch):
    """Its torques on both bodies are those of Lagrange's multiplier; other ones are seen."""
    b = Builder()
    b.body("arm", (0.3, 0.2, 0.1))
    b.body("wheel", (1.0, 0.0, 0.2))
    b.joint("U", "ground", "arm", (0, 0, 0), type="universal")
    b.joint("P", "ground", "wheel", (1, 0, 0))
    gear = Coupling(
        "g", "gear", "gear", (CoordinateOf("P"), CoordinateOf("U", turn)), {"ratio": Quantity(-2.0)}
    )
    drawn = project(msgspec.structs.replace(b.mechanism, couplings={"g": gear}))
    d = ms.derive(drawn)
    assert [p for p in d.proofs if not p.holds] == [] and ms.agreement(d).holds
    own = reactions.dual_torques

    def turned(*arguments):
        on_b, on_a = own(*arguments)
        return [-x for x in on_b], on_a

    monkeypatch.setattr(reactions, "dual_torques", turned)
    assert any(not p.holds for p in ms.derive(drawn).proofs)
