"""Sentences of `check` and of runs on approximations of the drawing."""

import math
from functools import partial

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.checks.approximations import approximations, circle_radius, run_notes
from mechstudio.model.contact import Contacts, Floor, Surface
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.joints.defaults import circle
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Curve,
    Frame,
    Joint,
    Mechanism,
    Placement,
    Shape,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector

Q = Quantity
replaced = msgspec.structs.replace


def pipe(sides=24, inner=0.04, outer=0.05, height=0.2):
    """A square-ended tube about z as a closed surface of triangles."""
    angles = 2 * np.pi * np.arange(sides) / sides
    rings = [(r, z) for z in (0.0, height) for r in (inner, outer)]
    points = np.array([(r * math.cos(a), r * math.sin(a), z) for r, z in rings for a in angles])
    at = lambda ring, k: ring * sides + k % sides
    quads = []
    for k in range(sides):
        # below, above, outside, inside: counter-clockwise from outside
        quads += [
            (at(0, k), at(0, k + 1), at(1, k + 1), at(1, k)),
            (at(2, k + 1), at(2, k), at(3, k), at(3, k + 1)),
            (at(1, k), at(1, k + 1), at(3, k + 1), at(3, k)),
            (at(0, k + 1), at(0, k), at(2, k), at(2, k + 1)),
        ]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], "<i4")
    return Shape(
        "mesh",
        {},
        mesh=Mesh(points.astype("<f8").tobytes(), triangles.tobytes()),
        density=Q(1000.0),
    )


def cube():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], "<f8") * 0.1
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))], "<i4")
    return Shape("mesh", {}, mesh=Mesh(corners.tobytes(), triangles.tobytes()), density=Q(1000.0))


def on_a_floor(shape, **surface):
    body = Body("b", "tube", (shape,), Placement(vector(0.0, 0.0, 0.2)), surface=Surface(**surface))
    return Mechanism({"b": body}, contacts=Contacts(True, Floor()))


def words(mechanism):
    return [f"{f.message} {f.cure}" for f in approximations(mechanism)]


def test_a_hollow_mesh_that_moves_touches_as_it_is():
    assert words(on_a_floor(pipe())) == words(on_a_floor(cube())) == []


@pytest.mark.parametrize("type", ["tube", "half_pipe"])
def test_facets_of_tubes_are_reported_where_more_than_solids_of_revolution_touch_them(type):
    size = {"radius": Q(0.05), "inner_radius": Q(0.04), "height": Q(0.2)}
    hollow = Shape(type, size, density=Q(1000.0))
    ground = Body(GROUND, "ground", (hollow,), surface=Surface())
    mechanism = Mechanism({}, ground=ground, contacts=Contacts(True, Floor()))
    with_body = lambda shape, touches=True: replaced(
        mechanism, bodies={"c": Body("c", "part", (shape,), touches=touches)}
    )
    ball = Shape("sphere", {"radius": Q(0.01)})
    rod = Shape("cylinder", {"radius": Q(0.01), "height": Q(0.2)})
    for other in (ball, rod):
        assert words(mechanism) == words(with_body(other)) == words(with_body(cube(), False)) == []
    (facets,) = approximations(with_body(cube()))
    assert facets.severity == "info" and facets.element == GROUND
    assert "96 facets" in facets.message and "0.027 %" in facets.message
    assert "loses energy at each edge" in facets.message
    # 0.05 m (1 - cos(pi / 96)) / 2
    assert "0.0134 mm" in facets.message


def test_a_half_pipe_that_may_roll_on_its_outside_has_facets_there():
    size = {"radius": Q(0.05), "inner_radius": Q(0.04), "height": Q(0.2)}
    shape = lambda type: Shape(type, size, density=Q(1000.0))
    assert words(on_a_floor(shape("tube"))) == []
    assert "loses energy" in words(on_a_floor(shape("half_pipe")))[0]


def test_a_circle_as_a_spline_is_reported_with_its_size():
    guide = lambda drawn: Joint(
        "j", "guide", "point_on_curve", Frame(GROUND), Frame("b"), curve=drawn
    )
    ball = Body("b", "bead", (Shape("sphere", {"radius": Q(0.01)}, density=Q(1000.0)),))
    mechanism = lambda drawn: Mechanism({"b": ball}, {"j": guide(drawn)})
    corners = [(0.3 * math.cos(a), 0.3 * math.sin(a), 0.0) for a in np.arange(8) * math.pi / 4]
    spline = Curve(tuple(vector(*p) for p in corners), closed=True)
    (reported,) = approximations(mechanism(spline))
    assert (
        reported.severity == "info"
        and "8 points" in reported.message
        and "guide" in reported.message
    )
    oval = Curve(
        tuple(
            vector(0.3 * math.cos(a), 0.2 * math.sin(a), 0.0) for a in np.arange(8) * math.pi / 4
        ),
        closed=True,
    )
    assert (
        words(mechanism(oval)) == []
        and words(mechanism(replaced(spline, form="polyline"))) == []
        and words(mechanism(circle(0.3))) == []
    )


def test_the_circle_of_points():
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    near = partial(pytest.approx, rel=1e-12)
    for count in (4, 8, 24):
        a = 2 * np.pi * np.arange(count) / count
        points = np.column_stack((0.3 * np.cos(a), 0.3 * np.sin(a), 0 * a)) @ turn + (1.0, 2.0, 3.0)
        assert circle_radius(points) == near(0.3)
        points[1] *= 1.1
        assert circle_radius(points) == 0.0


def test_a_run_says_it_too():
    size = {"radius": Q(0.05), "inner_radius": Q(0.04), "height": Q(0.2)}
    mechanism = on_a_floor(Shape("tube", size, density=Q(1000.0)))
    plate = Body("c", "part", (cube(),), Placement(vector(0.0, 0.0, 1.0)))
    mechanism = replaced(mechanism, bodies={**mechanism.bodies, "c": plate})
    result = ms.simulate(Project(mechanism), duration=0.01)
    assert result.statistics["notes"] == run_notes(mechanism) and len(run_notes(mechanism)) == 1
    still = replaced(mechanism, contacts=Contacts(False))
    assert ms.simulate(Project(still), duration=0.01).statistics["notes"] == ()
