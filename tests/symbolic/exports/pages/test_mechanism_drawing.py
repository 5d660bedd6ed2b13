"""Drawings of mechanisms in reports: the faces of each form close around it, and pictures of all
forms, joints and springs are as approved.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.folders import sample_folder
from mechstudio.model.geometry.forms import Bar, Flat, Polyhedron
from mechstudio.model.geometry.mesh import enclosed
from mechstudio.symbolic.exports.pages.mechanism_drawing import faces, svg
from tests.approved.test_damages import MESH
from tests.model.geometry.test_forms import FORMS, name


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_faces_close_around_a_form_and_face_outwards(form):
    loops = faces(form)
    counts = np.cumsum([0, *map(len, loops)])
    fans = [
        (first, first + k, first + k + 1)
        for first, loop in zip(counts, loops)
        for k in range(1, len(loop) - 1)
    ]
    points, triangles = np.concatenate(loops), np.array(fans)
    # every edge is used once in each direction
    edges = [np.round(points[triangles[:, [k, (k + 1) % 3]]], 9) for k in range(3)]
    ways = {tuple(map(tuple, edge)) for part in edges for edge in part.tolist()}
    flat = {way for way in ways if way[0] != way[1]}
    assert all((b, a) in flat for a, b in flat)
    found, (volume, center, _) = enclosed(points, triangles), form.enclosed()
    assert 0.94 * volume < found.volume < volume * (1 + 1e-9)
    assert found.center == pytest.approx(center, abs=0.01)
    for p in points:
        assert form.holds(tuple(p), 1e-6)
    if not isinstance(form, Flat | Bar | Polyhedron):
        low, high = points.min(axis=0), points.max(axis=0)
        hull = np.array(form.hull())
        assert low == pytest.approx(hull.min(axis=0), abs=0.03)
        assert high == pytest.approx(hull.max(axis=0), abs=0.03)


def gallery():
    """Bodies of all shapes, some bare, with joints of several kinds and a spring."""
    m = ms.Builder("gallery")
    bodies = [m.body(f"b{k}", (0.4 * k, 0.1 * k, 0)) for k in range(8)]
    box, ball, cone, disc, tube, half, bare, mesh = bodies
    box.box(0.2, 0.1, 0.1, material="steel")
    ball.sphere(0.1).capsule(0.05, 0.2, at=(0, 0, 0.2), angles=("90 deg", 0, "30 deg"))
    cone.cone(0.1, 0.0, 0.2, material="cast")
    disc.disc(0.1, 0.05).ellipsoid(0.1, 0.2, 0.1, at=(0, 0, 0.2))
    tube.tube(0.1, 0.05, 0.2)
    half.half_pipe(0.1, 0.05, 0.2, angles=(1, 2, 3))
    mesh.mesh(MESH)
    m.ground.box(0.5, 0.1, 0.02, at=(0, 0, -0.2))
    m.pin("pin", m.ground, box, at=(0, 0, 0))
    m.joint("prismatic", "slide", m.ground, ball, at=(0.4, 0, 0), axis=(1, 0, 0))
    m.joint("spherical", "socket", ball, cone, at=(0.6, 0, 0.1))
    m.pin("one", disc, bare, at=(1.2, 0, 0.3))
    m.pin("two", bare, tube, at=(1.6, 0, 0.1))
    ends = ((0, 0, 0.1), (0.8, 0, 0.2))
    m.force("spring", "coil", a=box, b=cone, at=ends, stiffness=1, free_length=1)
    return m.project()


def test_a_drawing_of_all_forms_is_as_approved(approved):
    text = svg(gallery().mechanism, 160.0, 90.0)
    flat = svg(ms.load(sample_folder() / "four_bar.mech").mechanism, 160.0, 90.0)
    empty = svg(ms.Builder("").project().mechanism, 160.0, 90.0)
    approved.holds("mechanism_drawing.svg.txt", "\n".join((text, flat, empty)))
