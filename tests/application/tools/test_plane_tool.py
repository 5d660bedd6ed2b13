"""The work plane: chosen on faces, across joints, through three points; locked; named in words;
kept in the file.
"""

import pytest

from mechstudio.application.actions import display
from mechstudio.application.document import Document
from mechstudio.application.preferences import Preferences
from mechstudio.application.selection import Selection
from mechstudio.application.studio import Studio
from mechstudio.application.tools.bench import ToolBench
from mechstudio.application.tools.plane import PATCH, PlaneTool
from mechstudio.application.tools.snapping.candidates import candidates_of
from mechstudio.application.tools.snapping.plane_choice import standard_plane
from mechstudio.application.tools.tool import ToolContext
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import add_joint, add_link, distance
from mechstudio.model.geometry.work_plane import (
    FRONT,
    RIGHT,
    TOP,
    WorkPlane,
    dot,
    facing,
    of_points,
)
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera, Project
from tests.application.tools.space import Hand

TILTED = (0.36, 0.48, 0.8)


@pytest.fixture
def context():
    """A box, and a link pinned to the ground about a tilted axis."""
    project, _ = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    project, link = add_link(
        project, facing("tilted", (0.3, 0.0, 0.1), TILTED), (0.3, 0.0, 0.1), (0.3, 0.2, -0.02)
    )
    project, _ = add_joint(project, FRONT, GROUND, link, (0.3, 0.0, 0.1), "revolute", TILTED)
    document = Document()
    document.commit("drawn", project)
    return ToolContext(document, Selection(), grid=0.05)


@pytest.mark.parametrize(
    "plane", [FRONT, RIGHT, TOP, facing("", (1, 2, 3), TILTED), facing("", (0, 0, 0), (0, 0, -1))]
)
def test_planes_are_right_handed_and_upright(plane):
    assert (
        dot(plane.u, plane.u) == pytest.approx(1)
        and dot(plane.v, plane.v) == pytest.approx(1)
        and abs(dot(plane.u, plane.v)) < 1e-15
    )
    assert abs(plane.u[2]) < 1e-15, "u lies level"
    assert plane.v[2] >= 0
    assert plane.to_world(*plane.to_plane(plane.to_world(0.3, -0.2))) == pytest.approx(
        plane.to_world(0.3, -0.2)
    )


def test_standard_directions_give_the_standard_planes():
    for p in (FRONT, RIGHT, TOP):
        q = facing(p.name, p.origin, p.normal)
        assert (q.u, q.v) == (p.u, p.v)


def test_a_face_is_previewed_and_taken(context):
    hand, tool = Hand(context), PlaneTool(context)
    top = (0.03, 0.01, 0.05)
    hand.on_face(tool, top, (0, 0, 1), "box_1")
    assert (
        tool.preview.word == "on face of box 1"
        and len(tool.preview.areas[0]) == 4
        and context.plane is FRONT
    )
    assert all(abs(p[2] - 0.05) < 1e-12 for p in tool.preview.areas[0])
    # a square with three lines each way, centred where the pointer is
    square, lines = tool.preview.areas[0], tool.preview.rubber
    sides = [distance(a, b) for a, b in zip(square, (*square[1:], square[0]))]
    size = candidates_of(context.document.project.mechanism).size
    assert sides == [pytest.approx(PATCH * size)] * 4
    assert distance(square[0], square[2]) == pytest.approx(2**0.5 * sides[0])
    assert [distance(a, b) for a, b in lines] == [pytest.approx(sides[0])] * 6
    middle = [sum(c) / 4 for c in zip(*square)]
    assert [sum(c) / 12 for c in zip(*(p for line in lines for p in line))] == pytest.approx(middle)
    assert len({tuple(round(c, 9) for c in (*a, *b)) for a, b in lines}) == 6
    hand.on_face(tool, top, (0, 0, 1), "box_1", click=True)
    assert (
        context.plane.name == "Face of box 1"
        and context.plane.normal == (0, 0, 1)
        and tool.finished
    )
    assert context.plane.origin == pytest.approx((0, 0, 0.05)), (
        "its grid begins at a point of the body"
    )


def test_a_joint_gives_the_plane_across_its_axis(context):
    hand, tool = Hand(context), PlaneTool(context)
    tool.move(hand.at((0.3, 0.0, 0.1)))
    assert tool.preview.word == "across joint A"
    hand.click(tool, (0.3, 0.0, 0.1))
    assert (
        abs(dot(context.plane.normal, TILTED)) == pytest.approx(1)
        and abs(context.plane.height((0.3, 0.0, 0.1))) < 1e-12
    )
    assert context.plane.name == "Across joint A"
    assert dot(context.plane.normal, hand.eye.back) > 0, "it faces the viewer"


def test_three_points_and_escape_takes_the_last_one_back(context):
    hand, tool = Hand(context), PlaneTool(context)
    corners = ((0.1, -0.05, 0.05), (0.1, 0.05, 0.05), (-0.1, -0.05, -0.05))
    hand.click(tool, corners[0])
    hand.click(tool, (0.6, 0.0, 0.3))
    assert "third" in tool.hint
    tool.key("escape")
    assert "second" in tool.hint and not tool.finished
    hand.click(tool, corners[1])
    tool.move(hand.at(corners[2]))
    assert tool.preview.areas, "the plane is seen before the third click"
    hand.click(tool, corners[2])
    assert context.plane.name == "Through three points" and tool.finished
    assert max(abs(context.plane.height(p)) for p in corners) < 1e-12


@pytest.mark.parametrize(
    ("only", "words"),
    [("", "a face, a joint"), ("face", "Click a face"), ("points", "first of three")],
)
def test_the_hint_names_what_can_be_clicked(context, only, words):
    assert words in PlaneTool(context, only=only).hint


def test_three_points_in_line_are_refused_in_words(context):
    hand, tool = Hand(context), PlaneTool(context, only="points")
    for p in ((0.5, 0, 0), (0.6, 0, 0), (0.7, 0, 0)):
        hand.click(tool, p)
    assert "in line" in context.message and context.plane is FRONT and not tool.finished
    hand.click(tool, (0.7, 0, 0.2))
    assert of_points((0.5, 0, 0), (0.6, 0, 0), (0.7, 0, 0)) is None and tool.finished


def test_w_locks_and_the_tool_before_is_taken_again(context):
    bench = ToolBench(context.document, context.selection)
    reported = []
    bench.plane_changed.connect(
        lambda: reported.append((bench.context.plane.name, bench.context.locked))
    )
    bench.take("joint", type="prismatic")
    bench.take("plane")
    assert bench.tool.wants("w") and bench.tool.key("w")
    bench.after_event()
    assert (
        reported == [("Front plane", True)]
        and bench.tool.name == "joint"
        and bench.tool.type == "prismatic"
    )
    bench.take("plane")
    hand = Hand(bench.context)
    hand.on_face(bench.tool, (0.03, 0.01, 0.05), (0, 0, 1), "box_1", click=True)
    bench.after_event()
    assert reported[-1] == ("Face of box 1", True) and bench.tool.name == "joint"
    bench.take("plane")
    bench.tool.key("escape")
    bench.after_event()
    assert bench.tool.name == "select"


def test_standard_planes_through_what_is_selected(context):
    m = context.document.project.mechanism
    assert standard_plane(m, "right") == RIGHT
    through = standard_plane(m, "front", "joint_1")
    assert (
        through.name == "XZ through joint A"
        and through.origin == pytest.approx((0.3, 0.0, 0.1))
        and (through.u, through.v) == (FRONT.u, FRONT.v)
    )
    assert standard_plane(m, "top", "box_1").name == "XY through box 1"


def test_a_standard_plane_goes_through_the_point_that_was_chosen(context):
    studio = Studio(Preferences(kept=False))
    studio.document.commit("Draw", context.document.project)
    body = studio.document.project.mechanism.bodies["box_1"]
    name, place = next((n, p) for n, p in body.named_points().items() if p[1])
    studio.selection.select("box_1", point=name)
    display.PLANES_HERE[0](studio)
    plane = studio.tools.context.plane
    assert plane.height((0.0, body.placement.pose[0][1] + place[1], 0.0)) == pytest.approx(0.0)
    assert plane.name == f"XZ through {name} of box 1"
    studio.selection.select("box_1")
    assert not studio.selection.point, "the body itself was chosen"


def test_the_plane_is_kept_beside_the_camera(tmp_path):
    studio = Studio(Preferences(kept=False))
    studio.files.camera_kept = lambda: Camera()
    plane = WorkPlane("Face of box 1", (0.1, 0.2, 0.3), RIGHT.u, RIGHT.v)
    studio.tools.set_plane(plane)
    studio.tools.toggle_lock()
    before = studio.document.history
    path = tmp_path / "a.mech"
    assert studio.files.save(path) and studio.document.history == before
    studio.files.new()
    assert studio.tools.context.plane == FRONT and not studio.tools.context.locked
    assert (
        studio.files.open(path)
        and studio.tools.context.plane == plane
        and studio.tools.context.locked
    ), "a locked plane stays locked"
    studio.close()


def test_a_plane_that_is_none_is_not_taken():
    skew = Camera(plane=WorkPlane("skew", (0, 0, 0), (1.0, 0.0, 0.0), (0.8, 0.6, 0.0)))
    loaded = decode(encode(Project(), skew))
    assert loaded.camera is None and any("work plane" in f.message for f in loaded.findings)
    assert decode(encode(Project(), Camera())).camera == Camera(), "the front plane is not written"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bushing", {}),
        ("pick", {"what": "gear"}),
        ("mirror", {"way": "along"}),
        ("joint", {"type": "spherical"}),
        ("link", {}),
        ("solid", {"type": "disc", "onto": "ground"}),
        ("two_points", {"type": "damper"}),
        ("point_force", {"type": "torque"}),
        ("point", {}),
    ],
)
def test_after_a_plane_was_chosen_the_tool_before_is_in_hand_again_as_it_was(name, options):
    studio = Studio(Preferences(kept=False))
    bench = studio.tools
    bench.take(name, **options)
    bench.take("plane")
    bench.take("plane")
    bench.tool.then, bench.tool.finished = bench.tool.back, True
    bench.after_event()
    assert bench.tool.name == name and bench._options == options
    studio.close()
