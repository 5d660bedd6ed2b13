"""Rims of hollow meshes: what lies on one, or one that lies on a table, is touched along z alone,
no deeper than it has sunk, wherever the walls below the rim stand.
"""

import numpy as np
import pytest

from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CYLINDER,
    GROUND,
    HULL,
    MESH,
    ContactShape,
)
from tests.engine.contacts.geometry.test_manifolds import contacts, poses, rotated
from tests.engine.contacts.geometry.test_mesh import CUBE
from tests.engine.contacts.parts import ring

LIDS = {
    "wide box": (BOX, (0.15, 0.15, 0.01)),
    "bar": (BOX, (0.095, 0.025, 0.01)),
    "short box": (BOX, (0.05, 0.05, 0.01)),
    "round lid": (CYLINDER, (0.12, 0.01)),
    "hull": (HULL, CUBE * (0.3, 0.26, 0.02)),
}


def lid(name, body):
    kind, size = LIDS[name]
    if kind == HULL:
        return ContactShape(HULL, (), body, points=size)
    return ContactShape(kind, size, body)


def a_ring(body, outer=0.1, inner=0.08, half=0.05):
    points, triangles = ring(48, outer, inner, half)
    return ContactShape(MESH, (), body, points=points, triangles=triangles)


def sunk(shapes, height, aside=0.08, turned=0.5):
    """Poses of a body that has sunk by up to a micrometre and leans as little, and contacts."""
    rng = np.random.default_rng(3)
    for _ in range(25):
        depth, lean = 10.0 ** rng.uniform(-10, -6), 10.0 ** rng.uniform(-10, -6)
        axis = [*(lean * rng.uniform(-1, 1, 2)), rng.uniform(-turned, turned)]
        pose = rotated(
            *rng.uniform(-aside, aside, 2), height - depth, axis, float(np.linalg.norm(axis))
        )
        found, count = contacts(shapes, poses(pose))
        deep = found.gap[:count] < -1e-11
        yield depth + 0.3 * lean, found.gap[:count], found.normal[:count][deep, 2]


@pytest.mark.parametrize("name", LIDS)
@pytest.mark.parametrize("moves", ["lid", "ring"])
def test_a_rim_is_touched_along_its_axis(name, moves):
    a, b = (GROUND, 0) if moves == "lid" else (0, GROUND)
    for deepest, gaps, upright in sunk([a_ring(a), lid(name, b)], 0.06):
        assert abs(gaps.min()) <= 1.5 * deepest
        assert np.abs(upright) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("radii", "aside", "turned"),
    [((0.1, 0.08), 0.08, 0.5), ((0.0801, 0.06), 2e-5, 0.0), ((0.12, 0.0999), 2e-5, 0.0)],
    ids=["anywhere", "just over the bore", "just over the edge"],
)
def test_a_ring_lies_on_another_ring(radii, aside, turned):
    shapes = [a_ring(GROUND), a_ring(0, *radii, 0.025)]
    for deepest, gaps, upright in sunk(shapes, 0.075, aside, turned):
        assert gaps.min() >= -1.5 * deepest
        assert np.abs(upright) == pytest.approx(1.0, abs=1e-6)
