"""Least distances against closed forms, at generic and at degenerate places."""

import math
import random

import pytest

from mechstudio.model.geometry.clearance import Solid, clearance
from mechstudio.model.geometry.forms import (
    Ball,
    Bar,
    Block,
    Capsule,
    Cylinder,
    Ellipsoid,
    Flat,
    Frustum,
)
from mechstudio.model.geometry.rotation import about, multiply, normalise, transform

STILL = (1.0, 0.0, 0.0, 0.0)
UP_TO_Y = about((1.0, 0.0, 0.0), math.pi / 2)  # turns z to -y
ALONG_X = about((0.0, 1.0, 0.0), math.pi / 2)  # turns z to x
THIN, WIDE = (Bar(((0, 0), (1, 0)), radius, 0.1) for radius in (0.1, 0.2))
PLATE = Flat(((0, 0), (1, 0), (0, 1)), 0.0, 0.2)
CORNER = math.hypot(1.0, 2.0, 3.0)

CASES = [
    # two balls: their centres less both radii
    (Ball(0.2), (0, 0, 0), STILL, Ball(0.3), (3, 4, 0), STILL, 4.5),
    (Ball(0.2), (0, 0, 0), STILL, Ball(0.3), (0.4, 0, 0), STILL, 0.0),
    (Ball(0.2), (0, 0, 0), STILL, Ball(0.3), (0, 0, 0), STILL, 0.0),
    # boxes: face to face, edge to edge, corner to corner, touching
    (Block(2, 2, 2), (0, 0, 0), STILL, Block(2, 2, 2), (2.5, 0.3, 0), STILL, 0.5),
    (Block(2, 2, 2), (0, 0, 0), STILL, Block(2, 2, 2), (5, 6, 0), STILL, 5.0),
    (Block(2, 2, 2), (0, 0, 0), STILL, Block(2, 2, 2), (3, 4, 5), STILL, CORNER),
    (Block(2, 2, 2), (0, 0, 0), STILL, Block(2, 2, 2), (2, 0, 0), STILL, 0.0),
    # cylinders with crossed axes, and side by side
    (Cylinder(1, 8), (0, 0, 0), STILL, Cylinder(0.5, 8), (0, 4, 0), ALONG_X, 2.5),
    (Cylinder(1, 8), (0, 0, 0), STILL, Cylinder(0.5, 8), (3, 4, 1), STILL, 3.5),
    # a cylinder over a box, rim to face
    (Cylinder(1, 2), (0, 0, 4), ALONG_X, Block(9, 9, 2), (0, 0, 0), STILL, 2.0),
    # a capsule and a ball beyond its end
    (Capsule(0.5, 2), (0, 0, 0), STILL, Ball(0.5), (3, 0, 5), STILL, 4.0),
    # a cone's tip above a plate
    (Frustum(1, 0, 2), (0, 0, -3), STILL, Block(9, 9, 2), (0, 0, 0), STILL, 1.0),
    # an ellipsoid along its axes
    (Ellipsoid(2, 4, 6), (0, 0, 0), STILL, Block(2, 2, 2), (0, 5, 0), STILL, 2.0),
    # two bars in one plane: round end to round end, and end to side
    (
        THIN,
        (0, 0, 0),
        STILL,
        WIDE,
        (4, 0, 4),
        STILL,
        4.7,
    ),
    (
        THIN,
        (0, 0, 0),
        STILL,
        WIDE,
        (0.5, 0, 1),
        STILL,
        0.7,
    ),
    # layers of links beside each other
    (
        THIN,
        (0, 0, 0),
        STILL,
        WIDE,
        (0, 0.3, 0),
        STILL,
        0.2,
    ),
    # a sharp plate
    (
        PLATE,
        (0, 0, 0),
        STILL,
        Ball(0.1),
        (1, 0, 1),
        STILL,
        math.sqrt(0.5) - 0.1,
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_distances_are_those_of_closed_forms_at_any_place(case):
    one, a, qa, other, b, qb, said = case
    random.seed(7)
    for scale in (1.0, 1e-3):
        for _ in range(8):
            turn = normalise(tuple(random.gauss(0, 1) for _ in range(4)))
            shift = tuple(random.uniform(-50, 50) for _ in range(3))
            sized = [_scaled(form, scale) for form in (one, other)]
            poses = [
                (transform((shift, turn), tuple(scale * c for c in p)), multiply(turn, q))
                for p, q in ((a, qa), (b, qb))
            ]
            first, second = (Solid(form, pose) for form, pose in zip(sized, poses))
            for pair in ((first, second), (second, first)):
                found = clearance([pair[0]], [pair[1]], scale)
                assert found.distance == pytest.approx(scale * said, abs=1e-9 * scale + 1e-12)
                assert found.error <= 1e-8 * scale
                if said:
                    assert math.dist(found.a, found.b) == pytest.approx(found.distance, abs=1e-9)


def _scaled(form, scale):
    values = {
        name: tuple(tuple(scale * c for c in p) for p in value)
        if isinstance(value, tuple)
        else scale * value
        for name in form.__struct_fields__
        for value in (getattr(form, name),)
    }
    return type(form)(**values)


def test_an_ellipsoid_beside_a_point_is_found_by_its_normal():
    # the point on the ellipse where the normal goes through the outer point
    a, b, t = 2.0, 0.5, 0.7
    foot = (a * math.cos(t), b * math.sin(t))
    normal = (math.cos(t) / a, math.sin(t) / b)
    size = math.hypot(*normal)
    far = 0.8
    place = (foot[0] + far * normal[0] / size, foot[1] + far * normal[1] / size, 0.0)
    one = Solid(Ellipsoid(2 * a, 2 * b, 1.0), ((0, 0, 0), STILL))
    found = clearance([one], [Solid(Ball(1e-3), (place, STILL))])
    assert found.distance == pytest.approx(far - 1e-3, abs=1e-9)


def test_the_nearest_of_many_solids_counts_and_none_has_no_distance():
    balls = [Solid(Ball(0.1), ((k, 0.0, 0.0), STILL)) for k in (9.0, 3.0, 5.0)]
    one = [Solid(Block(1, 1, 1), ((0, 0, 0), STILL))]
    assert clearance(one, balls).distance == pytest.approx(2.4)
    assert clearance(one, []) is None
