"""Pictures under the drawing: where they lie, and how two points bring them to scale."""

import math

import pytest

from mechstudio.application.motion_comparison import same_motion
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.links import FRONT, WorkPlane
from mechstudio.model.edits.pictures import (
    add_picture,
    corners,
    covers,
    height_of,
    move_picture,
    plane_of,
    scale_picture,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity

# a plane that no axis of W lies in, so that no accidental alignment hides a fault
SKEW = WorkPlane("skew", (0.1, -0.2, 0.3), (2 / 3, 2 / 3, 1 / 3), (-2 / 3, 1 / 3, 2 / 3))


def with_one(plane=SKEW, center=(0.4, 0.5, -0.6)):
    return add_picture(Project(), "/somewhere/sketch.png", "sketch", plane, center, 0.8, 0.5)


@pytest.mark.parametrize("plane", [FRONT, SKEW])
def test_picture_lies_in_the_work_plane(plane):
    project, id = with_one(plane)
    picture = project.pictures[id]
    low_left, low_right, up_right, _ = corners(picture)
    for a, b in zip(low_left, low_right):
        assert b - a == pytest.approx(0.8 * plane.u[[*low_left].index(a)], abs=1e-12)
    assert math.dist(low_right, up_right) == pytest.approx(height_of(picture)) == pytest.approx(0.4)
    assert plane_of(picture).normal == pytest.approx(plane.normal)


def test_names_and_ids_differ():
    project, first = with_one()
    project, second = add_picture(
        project, "/other/sketch.png", "sketch", FRONT, (0, 0, 0), 1.0, 1.0
    )
    assert first != second and [p.name for p in project.pictures.values()] == ["sketch", "sketch 2"]


def points_on(picture, *uv):
    return [plane_of(picture).to_world(*p) for p in uv]


def test_two_points_bring_it_to_scale_and_the_first_one_stays():
    project, id = with_one()
    first, second = points_on(project.pictures[id], (-0.3, -0.1), (0.1, 0.2))
    scaled = scale_picture(project, id, first, second, Quantity(2.0, "2 m"))
    picture = scaled.pictures[id]
    assert picture.width.value == pytest.approx(0.8 * 2.0 / 0.5)
    after = points_on(picture, (-0.3 * 4, -0.1 * 4), (0.1 * 4, 0.2 * 4))
    assert after[0] == pytest.approx(first) and math.dist(*after) == pytest.approx(2.0)
    assert picture.turn == Quantity(0.0)


@pytest.mark.parametrize("rotated", [0.0, 0.3, 2.0])
def test_the_line_can_be_turned_level(rotated):
    project, id = with_one()
    project = elements.put_element(
        project, id, elements.replace(project.pictures[id], turn=Quantity(rotated))
    )
    first, second = points_on(project.pictures[id], (-0.3, -0.1), (0.1, 0.0))
    picture = scale_picture(project, id, first, second, Quantity(1.0), level=True).pictures[id]
    factor = picture.width.value / 0.8
    after = points_on(picture, (-0.3 * factor, -0.1 * factor), (0.1 * factor, 0.0))
    assert after[0] == pytest.approx(first) and math.dist(*after) == pytest.approx(1.0)
    u, v = (sum((b - a) * w for a, b, w in zip(*after, way)) for way in (SKEW.u, SKEW.v))
    assert min(abs(u), abs(v)) < 1e-12


def test_picture_covers_points_inside_its_edges_only():
    picture = with_one()[0].pictures["picture_1"]
    inside, beside, above = points_on(picture, (0.39, -0.19), (0.41, 0.0), (0.0, 0.21))
    assert (covers(picture, inside), covers(picture, beside), covers(picture, above)) == (
        True,
        False,
        False,
    )


def test_picture_has_fields_and_takes_parameters_as_other_elements():
    project, id = with_one()
    assert fields.find(project, id).name == "sketch" and id in dict(fields.elements(project))
    assert {f.label for f in fields.fields(project.pictures[id], id)} >= {
        "Width",
        "Opacity",
        "Turn",
        "X",
    }
    project = elements.add_parameter(project, Parameter("L", Quantity(0.3, "300 mm")))
    project = elements.set_quantity(project, id, ("width",), "2*L")
    assert project.pictures[id].width == Quantity(0.6, "2*L")
    assert elements.set_quantity(project, "L", ("value",), "400 mm").pictures[
        id
    ].width.value == pytest.approx(0.8)
    with pytest.raises(elements.ExpressionError):
        elements.set_quantity(project, id, ("opacity",), "1.5")
    assert elements.remove(project, id).pictures == {}


def test_picture_does_not_affect_the_motion():
    project, id = with_one()
    assert same_motion(Project(), project) and same_motion(
        project, move_picture(project, id, (1.0, 2.0, 3.0))
    )
