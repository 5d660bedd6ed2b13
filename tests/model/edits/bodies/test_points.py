"""Named points and frames: put, renamed with all that refers to them, taken away with what stands
there keeping its place, saved.
"""

import math

import pytest

from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.bodies.points import add_point, remove_point, rename_point, set_frame
from mechstudio.model.edits.elements import set_quantity
from mechstudio.model.edits.insertion import add_point_force
from mechstudio.model.edits.links import FRONT, add_joint
from mechstudio.model.edits.springs import preload, set_preload
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import about, from_axes, rotate, transform
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity as Q

ROTATED = (math.cos(0.3), 0.0, math.sin(0.3), 0.0)
PLACE = (0.13, 0.07, 0.21)


@pytest.fixture
def project():
    """A box that stands turned, off the origin."""
    project, _ = solids.as_body(
        Project(),
        solids.Solid(
            "box",
            solids.box(FRONT, (0, 0, 0), Q(0.3), Q(0.2), Q(0.1)).shapes,
            ((0.1, 0.05, 0.2), ROTATED),
        ),
    )
    return project


def frames(project):
    m = project.mechanism
    return [
        m.frame_in_world(f)[0]
        for e in (*m.joints.values(), *m.forces.values())
        for f in (e.frame_a, e.frame_b)
    ]


def test_a_point_stands_where_it_was_clicked_and_is_taken_by_joints_and_springs(project):
    project, name = add_point(project, "box_1", PLACE)
    body = project.mechanism.bodies["box_1"]
    assert name == "P1" and transform(body.placement.pose, body.point("P1")) == pytest.approx(PLACE)
    project, joint = add_joint(project, FRONT, GROUND, "box_1", PLACE)
    project, spring = add_point_force(project, "spring", (GROUND, (0, 0, 0)), ("box_1", PLACE))
    assert (
        project.mechanism.joints[joint].frame_b.point
        == project.mechanism.forces[spring].frame_b.point
        == "P1"
    )
    before = frames(project)
    renamed = rename_point(project, "box_1", "P1", "hook")
    assert (
        renamed.mechanism.joints[joint].frame_b.point
        == renamed.mechanism.forces[spring].frame_b.point
        == "hook"
    )
    assert frames(renamed) == before
    gone = remove_point(renamed, "box_1", "hook")
    assert (
        not gone.mechanism.bodies["box_1"].points
        and gone.mechanism.joints[joint].frame_b.point == ""
    )
    for a, b in zip(frames(gone), before):
        assert a == pytest.approx(b, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "reason"), [("P1", "already"), ("left", "already"), ("  ", "needs a name")]
)
def test_a_name_that_cannot_be_is_refused(project, name, reason):
    project, _ = add_point(project, "box_1", PLACE)
    project, _ = add_point(project, "box_1", (0, 0, 0))
    with pytest.raises(ExpressionError, match=reason):
        rename_point(project, "box_1", "P2", name)


def test_a_named_frame_gives_joints_their_axes(project):
    attitude = about((0.6, 0.0, 0.8), 0.7)
    project, _ = add_point(project, "box_1", PLACE, "hinge", attitude)
    project, id = add_joint(project, FRONT, GROUND, "box_1", PLACE)
    for frame in (project.mechanism.joints[id].frame_a, project.mechanism.joints[id].frame_b):
        at, q = project.mechanism.frame_in_world(frame)
        assert at == pytest.approx(PLACE)
        for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            assert rotate(q, axis) == pytest.approx(rotate(attitude, axis))
    # an axis that was requested goes before, and a mere point has none
    project, other = add_joint(project, FRONT, GROUND, "box_1", PLACE, axis=(1.0, 0.0, 0.0))
    assert rotate(
        project.mechanism.frame_in_world(project.mechanism.joints[other].frame_a)[1], (0, 0, 1)
    ) == pytest.approx((1, 0, 0))
    project = set_frame(project, "box_1", "hinge", None)
    project, other = add_joint(project, FRONT, GROUND, "box_1", PLACE)
    assert rotate(
        project.mechanism.frame_in_world(project.mechanism.joints[other].frame_a)[1], (0, 0, 1)
    ) == pytest.approx(FRONT.normal)


def test_points_and_frames_are_saved(project):
    project, _ = add_point(project, "box_1", PLACE, "tip")
    project, _ = add_point(
        project, GROUND, (1, 2, 3), "post", from_axes((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    )
    again = decode(encode(project)).project
    assert (
        again.mechanism == project.mechanism
        and again.mechanism.ground.points[0].orientation is not None
    )
    assert b'"orientation"' not in encode(project).split(b'"tip"')[1].split(b"}")[0]


def test_a_preload_sets_the_free_length(project):
    """F = k (L - L0): 200 N/m drawn at 500 mm and pulled by 30 N has L0 = 350 mm."""
    project, id = add_point_force(
        project, "spring", (GROUND, (0, 0, 0)), ("box_1", (0.3, 0.0, 0.4)), {"stiffness": Q(200.0)}
    )
    assert preload(project.mechanism, project.mechanism.forces[id]) == 0
    pulled = set_preload(project, id, "30", "N")
    assert pulled.mechanism.forces[id].parameters["free_length"].value == pytest.approx(0.35)
    assert preload(pulled.mechanism, pulled.mechanism.forces[id]) == pytest.approx(30.0)
    with pytest.raises(ExpressionError, match="force expected"):
        set_preload(project, id, "3 mm")
    slack = set_quantity(project, id, ("parameters", "stiffness"), "0 N/m")
    with pytest.raises(ExpressionError, match="no stiffness"):
        set_preload(slack, id, "1 N")
