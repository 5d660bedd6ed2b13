"""Solids drawn in a plane: their mass, where they stand, what was typed; outlines that are not
convex; parts of bodies.
"""

import itertools
import math

import numpy as np
import pytest

from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.links import FRONT, WorkPlane
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.outline import area, convex_hull, convex_parts
from mechstudio.model.geometry.rotation import matrix, transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity

STEEL = 7850.0
# a skewed plane, so that no accidental alignment hides a fault
_N = np.array((1.0, 2.0, 3.0)) / math.sqrt(14.0)
_U = np.cross((0.0, 0.0, 1.0), _N) / np.linalg.norm(np.cross((0.0, 0.0, 1.0), _N))
SKEW = WorkPlane(
    "skew", (0.1, -0.2, 0.3), tuple(map(float, _U)), tuple(map(float, np.cross(_N, _U)))
)
Q = Quantity


def at(u, v):
    return SKEW.to_world(u, v)


# name -> (solid, volume, middle above the plane when it stands on it)
DRAWN = {
    "box": (lambda s: solids.box(SKEW, at(0.1, 0.2), Q(0.3), Q(0.2), Q(0.1), s), 0.006, 0.05),
    "ellipsoid": (
        lambda s: solids.box(SKEW, at(0.1, 0.2), Q(0.3), Q(0.2), Q(0.1), s, "ellipsoid"),
        math.pi * 0.001,
        0.05,
    ),
    "disc": (lambda s: solids.disc(SKEW, at(0.1, 0.2), Q(0.3), Q(0.1), s), math.pi * 0.009, 0.05),
    "sphere": (
        lambda s: solids.sphere(SKEW, at(0.1, 0.2), Q(0.3), s),
        4 / 3 * math.pi * 0.027,
        0.3,
    ),
    "cylinder": (
        lambda s: solids.round_on_axis(
            "cylinder", SKEW, at(0, 0.2), at(0.2, 0.2), Q(0.2), Q(0.1), s
        ),
        math.pi * 0.002,
        0.1,
    ),
    "capsule": (
        lambda s: solids.round_on_axis(
            "capsule", SKEW, at(0, 0.2), at(0.2, 0.2), Q(0.2), Q(0.1), s
        ),
        math.pi * (0.002 + 0.004 / 3),
        0.1,
    ),
    "bar": (
        lambda s: solids.bar(SKEW, at(0, 0.2), at(0.2, 0.2), Q(0.2), Q(0.1), Q(0.05), s),
        (0.02 + math.pi * 0.0025) * 0.05,
        0.025,
    ),
    "plate": (
        lambda s: solids.plate(
            SKEW, [at(0, 0.1), at(0.2, 0.1), at(0.2, 0.3), at(0, 0.3)], Q(0.05), s
        ),
        0.002,
        0.025,
    ),
}


@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize("name", DRAWN)
def test_a_solid_lies_about_its_plane_or_stands_on_it(name, standing):
    make, volume, rise = DRAWN[name]
    project, id = solids.as_body(Project(), make(standing))
    body = project.mechanism.bodies[id]
    known = mass_properties(body)
    assert known.mass == pytest.approx(STEEL * volume)
    middle = np.array(at(0.1, 0.2)) + (rise if standing else 0.0) * _N
    assert transform(body.placement.pose, known.center) == pytest.approx(middle)


def test_a_cone_points_where_it_was_drawn_to():
    solid = solids.round_on_axis("cone", SKEW, at(0, 0.2), at(0.2, 0.2), Q(0.2), Q(0.1))
    project, id = solids.as_body(Project(), solid)
    body = project.mechanism.bodies[id]
    assert transform(body.placement.pose, body.point("top")) == pytest.approx(at(0.2, 0.2))
    # the centroid of a cone lies a quarter of its height above its base
    assert transform(body.placement.pose, mass_properties(body).center) == pytest.approx(
        at(0.05, 0.2)
    )


def test_a_part_stays_where_it_was_drawn_whatever_its_body():
    project, wheel = solids.as_body(Project(), solids.disc(SKEW, at(-0.1, 0.2), Q(0.1), Q(0.02)))
    weight = solids.sphere(SKEW, at(0.3, 0.1), Q(0.05), True)
    own, alone = solids.as_body(Project(), weight)
    both = solids.as_part(project, weight, wheel).mechanism.bodies[wheel]
    single = mass_properties(own.mechanism.bodies[alone])
    m, n = mass_properties(project.mechanism.bodies[wheel]), single
    p, q = at(-0.1, 0.2), transform(own.mechanism.bodies[alone].placement.pose, n.center)
    expected = [(m.mass * a + n.mass * b) / (m.mass + n.mass) for a, b in zip(p, q)]
    assert transform(both.placement.pose, mass_properties(both).center) == pytest.approx(expected)
    assert len(both.shapes) == 2 and mass_properties(both).mass == pytest.approx(m.mass + n.mass)


def test_typed_dimensions_of_a_box_are_kept():
    (shape,) = solids.box(
        FRONT, (0, 0, 0), Q(0.12, "120 mm"), Q(0.08, "80 mm"), Q(0.01, "w")
    ).shapes
    assert [shape.dimensions[k].text for k in ("length", "height", "depth")] == [
        "120 mm",
        "80 mm",
        "w",
    ]


L = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
STAR = [
    (math.cos(a) * r, math.sin(a) * r)
    for k in range(10)
    for a, r in ((math.pi * k / 5, (1.0, 0.4)[k % 2]),)
]
COMB = [
    (0, 0),
    (7, 0),
    (7, 2),
    (6, 2),
    (6, 1),
    (5, 1),
    (5, 2),
    (4, 2),
    (4, 1),
    (3, 1),
    (3, 2),
    (2, 2),
    (2, 1),
    (1, 1),
    (1, 2),
    (0, 2),
]

SAW = [
    (0.0, 0.0),
    (10.0, 0.0),
    *((10.0 - k, 1.0 + (0.0, 0.6, 0.3, 0.9, 0.2)[k % 5]) for k in range(11)),
]
PACMAN = [
    (0.0, 0.0),
    *((math.cos(a), math.sin(a)) for a in (math.radians(30 + 25 * k) for k in range(13))),
]


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize(
    ("outline", "most"),
    [
        ([(0, 0), (1, 0), (0, 1)], 1),
        ([(0, 0), (1, 0), (2, 0), (2, 1), (0, 1)], 1),
        (L, 2),
        (STAR, 5),
        (COMB, 5),
        (PACMAN, 3),
        (SAW, 8),
    ],
)
def test_an_outline_is_filled_by_convex_parts(outline, most, clockwise):
    outline = [(float(x), float(y)) for x, y in (reversed(outline) if clockwise else outline)]
    parts = convex_parts(outline)
    assert len(parts) <= most and sum(map(area, parts)) == pytest.approx(abs(area(outline)))
    for part in parts:
        assert set(part) <= set(outline)
        turns = [
            np.cross(*np.subtract([(*b, 0), (*c, 0)], [(*a, 0), (*b, 0)]))[2]
            for a, b, c in zip(part, part[1:] + part[:1], part[2:] + part[:2])
        ]
        assert min(turns) >= -1e-12
    for one, other in itertools.combinations(parts, 2):
        whole = area(convex_hull([*one, *other]))
        assert whole > area(one) + area(other) + 1e-9, "two neighbours could be one"


@pytest.mark.parametrize(
    ("outline", "word"),
    [
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "one line|crosses"),
        ([(0, 0), (2, 2), (2, 0), (0, 1)], "crosses itself"),
        ([(0, 0), (1, 1), (2, 2)], "one line"),
        ([(0, 0), (1, 1)], "one line"),
    ],
)
def test_outlines_without_area_are_refused_with_the_reason(outline, word):
    with pytest.raises(ExpressionError, match=word):
        convex_parts([(float(x), float(y)) for x, y in outline])


def test_an_angle_of_steel_has_the_centre_of_an_angle():
    project, id = solids.as_body(
        Project(), solids.plate(FRONT, [(x, 0.0, z) for x, z in L], Q(0.1))
    )
    body = project.mechanism.bodies[id]
    known = mass_properties(body)
    assert known.mass == pytest.approx(STEEL * 3 * 0.1) and known.center == pytest.approx(
        (5 / 6, 0, 5 / 6)
    )
    assert np.allclose(matrix(body.placement.quaternion), np.eye(3))
