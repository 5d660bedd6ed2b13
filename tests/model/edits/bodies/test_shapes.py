"""New bodies and shapes: sensible in size, in the middle of where they go, and what stood at their
points stays when they go.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.model.edits import elements
from mechstudio.model.edits.bodies.shapes import (
    add_body,
    add_shape,
    new_shape,
    remove_shape,
    sensible_length,
)
from mechstudio.model.edits.links import FRONT, WorkPlane, add_joint, frame_at
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values, vector
from mechstudio.model.types.shapes import SHAPE_TYPES
from tests import scenes

MESH = scenes.mesh_shape(
    scenes.box_mesh(0.3, 0.1, 0.2)[0] + (5, 0, 0), scenes.box_mesh(0.3, 0.1, 0.2)[1]
).mesh
SOLIDS = [t for t in SHAPE_TYPES if t not in ("link", "plate", "mesh")]


def shape(type, length=0.1):
    return new_shape(type, length, MESH if type == "mesh" else None)


@pytest.mark.parametrize(
    "plane", [FRONT, WorkPlane("Top", (0, 0, 0), (1, 0, 0), (0, 1, 0))], ids=["front", "top"]
)
@pytest.mark.parametrize("type", SHAPE_TYPES)
def test_a_new_body_stands_about_the_point_and_has_mass(type, plane):
    project, id = add_body(Project(), plane, (1.0, 2.0, 3.0), shape(type))
    body = project.mechanism.bodies[id]
    R = np.array(matrix(body.placement.quaternion))
    known = mass_properties(body)
    assert (
        known.mass > 0
        and np.allclose(R @ (0, -1, 0), plane.normal)
        and np.allclose(R @ (1, 0, 0), plane.u)
    )
    # the middle of the box around it; a cone's and a triangle's centre of mass lie lower
    assert np.linalg.norm(R @ known.center + values(body.placement.position) - (1, 2, 3)) < 0.03


def test_a_new_disc_faces_the_viewer():
    project, id = add_body(Project(), FRONT, (0, 0, 0), shape("disc"))
    inertia = np.array(mass_properties(project.mechanism.bodies[id]).inertia)
    assert inertia[1, 1] > 1.5 * inertia[0, 0] and inertia[0, 0] == pytest.approx(inertia[2, 2])


@pytest.mark.parametrize(("size", "length"), [(None, 0.1), (0.3, 0.1), (1.0, 0.2), (10.0, 2.0)])
def test_new_shapes_grow_with_the_mechanism(size, length):
    m = (
        Mechanism()
        if size is None
        else Mechanism(
            {
                "a": Body(
                    "a", "a", (scenes.shape("box", length=size, depth=size / 9, height=size / 9),)
                )
            }
        )
    )
    assert sensible_length(m) == pytest.approx(length)


@pytest.mark.parametrize("type", SHAPE_TYPES)
def test_every_shape_names_points_and_bodies_find_them(type):
    body = Body(
        "b",
        "b",
        (
            msgspec.structs.replace(
                shape(type), placement=Placement(vector(1, 2, 3), vector(0.3, -0.7, 1.1))
            ),
        ),
    )
    points = body.named_points()
    assert len(points) >= 3
    for name, at in points.items():
        assert body.point(name) == at
        assert np.linalg.norm(np.subtract(at, (1, 2, 3))) < (6 if type == "mesh" else 0.2)


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (
            "box",
            {
                "left front bottom": (-0.05, -0.025, -0.025),
                "right": (0.05, 0, 0),
                "top": (0, 0, 0.025),
                "centre": (0, 0, 0),
            },
        ),
        (
            "cylinder",
            {
                "top": (0, 0, 0.05),
                "bottom": (0, 0, -0.05),
                "right": (0.02, 0, 0),
                "back": (0, 0.02, 0),
            },
        ),
        ("capsule", {"top": (0, 0, 0.05), "upper centre": (0, 0, 0.03), "bottom": (0, 0, -0.05)}),
        (
            "cone",
            {
                "top": (0, 0, 0.05),
                "right bottom": (0.05, 0, -0.05),
                "front bottom": (0, -0.05, -0.05),
            },
        ),
        ("sphere", {"front": (0, -0.05, 0)}),
        ("plate", {"corner 1": (0, 0, 0), "corner 2": (0.1, 0, 0)}),
        ("mesh", {"centre": (5, 0, 0), "left": (4.85, 0, 0)}),
    ],
)
def test_named_points_of_shapes_have_their_positions(type, expected):
    known = Body("b", "b", (shape(type),)).named_points()
    for name, at in expected.items():
        assert known[name] == pytest.approx(at, abs=1e-15), name


def test_points_of_further_shapes_carry_their_number():
    low, high = (
        scenes.shape("box", length=0.1, depth=0.1, height=0.1),
        scenes.shape("box", at=(0, 0, 1), length=0.1, depth=0.1, height=0.1),
    )
    body = Body("b", "b", (low, high))
    assert body.point("top") == pytest.approx((0, 0, 0.05)) and body.point(
        "top 2"
    ) == pytest.approx((0, 0, 1.05))
    with pytest.raises(KeyError, match="top 2"):
        body.point("top 3")


@pytest.mark.parametrize("type", SOLIDS)
def test_a_joint_drawn_at_a_point_of_a_solid_goes_with_it(type):
    """Longer, the solid takes the joint along."""
    project, id = add_body(Project(), FRONT, (1.0, 0.0, 0.0), shape(type))
    m = project.mechanism
    frame = frame_at(
        m,
        id,
        (1.0, 0.0, m.bodies[id].point("top")[2])
        if type != "disc"
        else (1.0, m.bodies[id].point("top")[1], 0.0),
        (1, 0, 0, 0),
        1e-6,
    )
    assert frame.point == "top" and values(frame.placement.position) == (0, 0, 0)
    d = [d.name for d in SHAPE_TYPES[type].dimensions if d.name in ("height", "thickness")] or [
        SHAPE_TYPES[type].dimensions[-1].name
    ]
    longer = elements.set_quantity(project, id, ("shapes", 0, "dimensions", d[0]), "700 mm")
    assert (
        np.linalg.norm(
            np.subtract(longer.mechanism.frame_in_world(frame)[0], m.frame_in_world(frame)[0])
        )
        > 0.1
    )


def pinned(type="box"):
    """A body of two shapes, pinned to the ground at points of the first, the second and both names
    of the second.
    """
    project, id = add_body(Project(), FRONT, (0.0, 0.0, 0.0), shape(type))
    project = add_shape(
        project,
        id,
        msgspec.structs.replace(
            shape("cylinder"), placement=Placement(vector(0.3, 0.1, 0.2), vector(0.4, 0.1, -0.2))
        ),
    )
    joints = {}
    for k, (point, shift) in enumerate(
        (
            ("top", (0, 0, 0)),
            ("top 2", (0, 0, 0)),
            ("left 2", (0.01, 0.02, 0.03)),
            ("", (0.1, 0, 0)),
        )
    ):
        joints[f"j{k}"] = Joint(
            f"j{k}",
            f"J{k}",
            "revolute",
            Frame(GROUND),
            Frame(id, point, Placement(vector(*shift), vector(0.1, 0.2, 0.3))),
        )
    return msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, joints=joints)
    ), id


@pytest.mark.parametrize("index", [0, 1])
def test_joints_stay_where_they_are_when_a_shape_goes(index):
    project, id = pinned()
    after = remove_shape(project, id, index)
    assert len(after.mechanism.bodies[id].shapes) == 1
    for key in project.mechanism.joints:
        old, new = (
            p.mechanism.frame_in_world(p.mechanism.joints[key].frame_b) for p in (project, after)
        )
        assert new[0] == pytest.approx(old[0], abs=1e-15) and new[1] == pytest.approx(old[1])
    # what still has a name keeps it, under the number that it has now
    frames = [after.mechanism.joints[f"j{k}"].frame_b.point for k in range(4)]
    assert frames == (["", "top", "left", ""] if index == 0 else ["top", "", "", ""])


def test_removing_the_only_shape_of_ground():
    project = add_shape(Project(), GROUND, shape("box"))
    project, joint = add_joint(
        *[add_body(project, FRONT, (0, 0, 0), shape("box"))[0]],
        FRONT,
        GROUND,
        "box_1",
        (0.05, 0, 0),
    )
    assert project.mechanism.joints[joint].frame_a.point == "right"
    after = remove_shape(project, GROUND, 0)
    assert after.mechanism.ground.shapes == () and after.mechanism.joints[joint].frame_a.point == ""
    assert after.mechanism.frame_in_world(after.mechanism.joints[joint].frame_a)[
        0
    ] == pytest.approx((0.05, 0, 0))


def test_typed_offsets_that_need_not_change_keep_their_text():
    project, id = pinned()
    frame = msgspec.structs.replace(
        project.mechanism.joints["j0"].frame_b,
        placement=Placement((Quantity(0.01, "10 mm"), Quantity(0.0), Quantity(0.02, "20 mm"))),
    )
    joint = msgspec.structs.replace(project.mechanism.joints["j0"], frame_b=frame)
    after = (
        remove_shape(elements.put_element(project, "j0", joint), id, 0)
        .mechanism.joints["j0"]
        .frame_b
    )
    assert after.placement.position[0] == Quantity(0.01, "10 mm") and after.placement.position[
        2
    ].value == pytest.approx(0.045)
