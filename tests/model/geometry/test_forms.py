"""Every type of shape, by its own test of what lies in it: volume, centroid, inertia, extent and
named points agree with points of a fine grid.
"""

import itertools
import math

import numpy as np
import pytest

from mechstudio.model.geometry.clearance import skin, support
from mechstudio.model.geometry.forms import (
    Ball,
    Bar,
    Block,
    Capsule,
    Cylinder,
    Disc,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh

CORNERS = ((0.1, 0.2), (1.1, 0.3), (0.9, 0.8), (0.2, 1.0))
TETRAHEDRON = Mesh(
    *packed(
        np.array([(0.1, 0.2, 0.3), (1.1, 0.2, 0.3), (0.1, 1.0, 0.3), (0.1, 0.2, 1.2)]),
        np.array([(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]),
    ),
    "tetrahedron",
)
FORMS = (
    Block(1.0, 0.6, 0.4),
    Ellipsoid(1.0, 0.6, 0.8),
    Frustum(0.5, 0.2, 0.9),
    Frustum(0.0, 0.4, 0.7),
    Cylinder(0.4, 0.9),
    Disc(0.5, 0.2),
    Tube(0.5, 0.3, 0.8),
    HalfPipe(0.5, 0.25, 0.8),
    Capsule(0.3, 0.7),
    Ball(0.45),
    Flat(CORNERS, 0.1, 0.4),
    Bar(((0.0, 0.0), (0.8, 0.0)), 0.2, 0.3),
    Polyhedron(TETRAHEDRON),
)
BOXED = (Polyhedron, Flat)  # forms that hold what lies in their box
STEPS = 48
WAYS = [
    *itertools.product((-1.0, 0.0, 1.0), repeat=3),
    *np.random.default_rng(5).normal(size=(20, 3)).tolist(),
]


def name(form):
    return type(form).__name__


def box(form):
    """Least and greatest coordinates by the points of its hull."""
    points = np.array(form.hull())
    return points.min(axis=0), points.max(axis=0)


def held(form):
    """Points of a grid that lie in a form, and the volume that each stands for."""
    low, high = box(form)
    # a circle of a few corners is less than the round form
    low, high = low - 0.03, high + 0.03
    steps = (high - low) / STEPS
    places = np.indices((STEPS,) * 3).reshape(3, -1).T  # each moved by chance in its cell
    places = low + steps * (places + np.random.default_rng(3).random(places.shape))
    points = [p for p in places.tolist() if form.holds(tuple(p), 0.0)]
    return np.array(points), float(np.prod(steps)), float(np.linalg.norm(steps))


def test_all_forms_are_looked_at():
    def below(form):
        return {form}.union(*map(below, form.__subclasses__()))

    assert {type(form) for form in FORMS} == below(Form) - {Form}


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_what_a_form_encloses_is_what_it_holds(form):
    volume, center, inertia = form.enclosed()
    points, share, step = held(form)
    for d in WAYS:
        length = math.hypot(*d)
        if not length:
            continue
        n = np.array(d) / length
        core = support(form, tuple(d))
        if not isinstance(form, Tube):  # whose hull is meant
            assert form.holds(core, 1e-9), "the farthest point of a form belongs to it"
        farthest = np.dot(core, n) + skin(form)
        corner = max(np.dot(p, n) for p in form.hull())
        few = 0.11 if isinstance(form, Capsule | Ellipsoid) else 0.04  # circles of round forms
        assert corner >= farthest - few
        assert corner <= farthest + 1e-9 or isinstance(form, Polyhedron)  # sides of its box
        greatest = (points @ n).max()
        if type(form) in BOXED:
            assert greatest + step >= farthest - 1e-9
        else:
            assert greatest - 1e-9 <= farthest <= greatest + step
    reach = form.reach()
    assert reach is None or reach == pytest.approx(support(form, (0, 0, 1.0))[2] + skin(form))
    assert (reach is None) == isinstance(form, Block | Ellipsoid | Ball | Flat | Polyhedron)
    if type(form) in BOXED:
        assert 0.0 < volume < len(points) * share
        return
    arms = points - points.mean(axis=0)
    moments = share * (np.eye(3) * (arms**2).sum() - arms.T @ arms)
    scale = moments.max()
    assert volume == pytest.approx(len(points) * share, rel=0.01)
    assert center == pytest.approx(points.mean(axis=0), abs=0.003)
    assert np.array(inertia) == pytest.approx(moments, abs=0.01 * scale)


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_points_of_a_form_lie_on_it_and_not_beyond(form):
    middle = np.array(form.middle())
    low, high = box(form)
    # circles of twelve points reach the sides of the box about them
    assert middle == pytest.approx((low + high) / 2, abs=1e-9) or isinstance(form, HalfPipe | Bar)
    for p in (*form.points().values(), *form.edges()):
        assert form.holds(p, 1e-9)
    # a capsule's go through it, and those of half a pipe lie on its flat side too
    some = form.points().values() if isinstance(form, Capsule) else form.hull()
    for p in () if isinstance(form, HalfPipe) else some:
        assert form.holds(p, 1e-9)
        off = np.array(p) - middle
        out = tuple(middle + off * (1.0 + 0.02 / np.linalg.norm(off)))
        if type(form) in BOXED:
            continue
        assert not form.holds(out, 1e-3), "beyond the surface by more than the tolerance"
        assert form.holds(out, 0.021), "nearer to it than the tolerance"


def test_points_of_forms_have_names_of_their_own():
    assert Capsule(0.25, 0.5).points() == {"bottom": (0, 0, -0.5), "top": (0, 0, 0.5)}
    assert Flat(CORNERS, 0.1, 0.4).points()["corner 3"] == (0.9, 0.0, 0.8)
    assert Flat(CORNERS, 0.1, 0.4).edges()[3] == pytest.approx((0.15, 0.0, 0.6))
    assert len(Block(1, 1, 1).edges()) == len(set(Block(1, 1, 1).edges())) == 12
    assert all(sum(c == 0.0 for c in p) == 1 for p in Block(1, 1, 1).edges())
    sides = Polyhedron(TETRAHEDRON).points()
    assert sides and all(Polyhedron(TETRAHEDRON).holds(p, 1e-9) for p in sides.values())


@pytest.mark.parametrize(
    "form", [Frustum(0.0, 0.0, 1.0), Tube(0.3, 0.3, 1.0), HalfPipe(0.3, 0.4, 1.0), Flat((), 0, 1)]
)
def test_forms_of_nothing_weigh_nothing(form):
    assert form.enclosed() == (0.0, (0.0, 0.0, 0.0), ((0.0, 0.0, 0.0),) * 3)


def test_a_hollow_form_does_not_hold_its_bore():
    for form, ways in ((Tube(0.5, 0.3, 0.8), 2), (HalfPipe(0.5, 0.3, 0.8), 1)):
        around = [(0.4, 0.0, 0.0), (-0.4, 0.0, 0.0)]
        assert sum(form.holds(p, 0.0) for p in around) == ways
        assert not form.holds((0.29, 0.0, 0.0), 0.005)
        assert form.holds((0.29, 0.0, 0.0), 0.02)
        assert form.facet_error == pytest.approx(0.25 * (1 - math.cos(math.pi / 96)))
    assert HalfPipe(0.5, 0.3, 0.8).holds((-0.01, 0.4, 0.0), 0.02)
