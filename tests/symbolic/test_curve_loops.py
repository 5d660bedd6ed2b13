"""A curve that closes a loop: in derivations its joint carries the body, so that the way along it is a coordinate."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.cache import prepare_cache
from mechstudio.engine.curves import curve_table
from mechstudio.model.mechanism import Curve
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.tree import spanning_tree
from tests.mechanisms import Builder, project

prepare_cache()
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture
def guided():
    """Crank and rod whose end runs along a curve that was drawn last."""
    curve = Curve((vector(0, 0, 0), vector(0.3, 0, 0.1), vector(0.6, 0, -0.05), vector(1.0, 0, 0.2)))
    b = Builder()
    b.link("crank", (0, 0, 0), (0.3, 0, 0.3))
    b.link("rod", (0.3, 0, 0.3), (0.8, 0, 0.35))
    b.joint("A", "ground", "crank", (0, 0, 0))
    b.joint("B", "crank", "rod", (0.3, 0, 0.3))
    at = curve_table(curve).at(np.array(0.5))[0]
    b.joint("C", "ground", "rod", (0.8 - at[0], 0, 0.35 - at[2]), type="point_on_curve", quaternion_a=UPRIGHT, quaternion_b=UPRIGHT, at_b=(0.8, 0, 0.35), curve=curve,
            values=tuple(map(Quantity, (0.5, 0.0, 0.0, 0.0))))
    return b.mechanism


def test_the_curve_carries_and_a_pin_closes(guided):
    assert spanning_tree(guided).closing == ("C",) and spanning_tree(guided, ["C"]).closing == ("B",)
    d = ms.derive(project(guided))
    assert "C" not in d.plan.tree.closing and [p for p in d.proofs if not p.holds] == []
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail
    assert d.live().drawn().values["s"] == pytest.approx(0.5, abs=1e-9)
