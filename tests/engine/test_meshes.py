"""Bodies with a mesh in the engine: the same masses as the solid that it copies, and a surface with
a hole is an error with its place.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.engine.checks.elements import check_elements
from mechstudio.engine.checks.masses import impossible
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body, Mechanism, Shape
from mechstudio.model.quantity import Quantity
from tests import scenes

BOX = scenes.box_mesh(0.3, 0.1, 0.2)


def body(*shapes, **changes):
    return msgspec.structs.replace(Body("part", "part", shapes), **changes)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (
            scenes.mesh_shape(BOX[0], BOX[1][2:]),
            ("mesh, cannot be a solid", "hole near (−150, 0, 0) mm: 4 open edges"),
        ),
        (scenes.mesh_shape(BOX[0], BOX[1][:, ::-1]), ("inside out",)),
        (Shape("mesh", {}), ("no triangles",)),
    ],
)
def test_a_mesh_that_is_no_solid_is_an_error(shape, words):
    (finding,) = check_elements(
        Mechanism({"part": body(scenes.shape("sphere", radius=0.1), shape)})
    )
    assert (
        finding.severity == "error"
        and finding.element == "part"
        and finding.cure
        and all(w in finding.message for w in words)
    )
    assert "Shape 2 of" in finding.message


def test_a_whole_mesh_is_none():
    assert check_elements(Mechanism({"part": body(scenes.mesh_shape(*BOX))})) == []


def test_a_mesh_of_a_box_has_the_mass_of_the_box():
    mesh, box = (
        mass_properties(body(s))
        for s in (scenes.mesh_shape(*BOX), scenes.shape("box", length=0.3, depth=0.1, height=0.2))
    )
    assert mesh.mass == pytest.approx(box.mass, rel=1e-14)
    np.testing.assert_allclose(mesh.inertia, box.inertia, atol=1e-14 * np.abs(box.inertia).max())


@pytest.mark.parametrize(
    ("moments", "words"),
    [
        ((0, 0, 0), None),
        ((1, 1, 0), None),
        ((1, 2, 3), None),  # point mass, thin rod, flat body
        ((1, 1, 3), ("largest principal moment, 3000000 kg·mm² about Z", "1000000 kg·mm² more")),
        ((2, -1, 2), ("negative moment of inertia about Y: −1000000 kg·mm²",)),
    ],
)
def test_typed_inertias(moments, words):
    part = body(mass=Quantity(1.0), inertia=tuple(Quantity(float(m)) for m in (*moments, 0, 0, 0)))
    finding = impossible(part, mass_properties(part))
    assert (finding is None) == (words is None)
    for word in words or ():
        assert word in finding.message
