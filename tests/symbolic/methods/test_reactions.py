"""Directions of reactions against the normals of the curve or plane of a joint."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.symbolic.methods.reactions import components
from mechstudio.symbolic.methods.sampling import Values
from tests.engine.test_ellipses import bead


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
