"""Springs, dampers, actuators and forces on solids off the plane, with what is typed while they are
drawn.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.connector import TwoPointTool
from mechstudio.application.tools.force import AXES, SHARE, USUAL, PointForceTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.links import FRONT
from mechstudio.model.geometry.rotation import IDENTITY
from mechstudio.model.geometry.work_plane import dot, facing
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity as Q
from tests.application.tools.bodies.test_solid_tool import PIXEL, FrontEye, pressed, seen, typed


@pytest.fixture
def context():
    """Two boxes of 200 x 100 x 100 mm, one behind the other and above, both off the front plane."""
    project = Project()
    for at in ((0.0, 0.3, 0.0), (0.1, 0.5, 0.4)):
        project, _ = solids.as_body(
            project,
            solids.Solid(
                "box", solids.box(FRONT, (0, 0, 0), Q(0.2), Q(0.1), Q(0.1)).shapes, (at, IDENTITY)
            ),
        )
    document = Document()
    document.commit("boxes", project)
    return ToolContext(document, Selection(), grid=0.05)


def on(eye, point, body, normal=(0.0, -1.0, 0.0)):
    return seen(eye, point, body=body, element=body, surface=point, normal=normal)


def force(context):
    return list(context.document.project.mechanism.forces.values())[-1]


@pytest.mark.parametrize(
    ("type", "keys", "expected"),
    [
        ("spring", "", {"free_length": None}),
        ("spring", "120⏎", {"free_length": 0.12}),
        ("spring", "⇥2 N/mm⏎", {"stiffness": 2000.0, "free_length": None}),
        ("spring", "120, 2⏎", {"stiffness": 2000.0, "free_length": 0.12}),
        ("damper", "30⏎", {"damping": 30.0}),
        ("actuator", "-25⏎", {"force": -25.0}),
    ],
)
def test_between_surface_points_of_two_solids(context, type, keys, expected):
    eye, tool = FrontEye(rotated=True), TwoPointTool(context, type)
    a, b = (0.03, 0.25, 0.02), (0.17, 0.45, 0.37)
    pressed(tool, on(eye, a, "box_1"))
    tool.move(on(eye, b, "box_2"))
    length = sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5
    assert (
        tool.preview.label.startswith(f"{1e3 * length:.4g}")
        and len(tool.tentative.mechanism.forces) == 1
    )
    typed(tool, keys)
    if not keys.endswith("⏎"):
        tool.press(on(eye, b, "box_2"))
    made, m = force(context), context.document.project.mechanism
    assert [m.frame_in_world(f)[0] for f in (made.frame_a, made.frame_b)] == [
        pytest.approx(a),
        pytest.approx(b),
    ]
    assert (made.frame_a.body, made.frame_b.body) == ("box_1", "box_2") and tool.finished
    for name, value in expected.items():
        assert made.parameters[name].value == pytest.approx(length if value is None else value)
    context.document.undo()
    assert not context.document.project.mechanism.forces


def test_invalid_force_entry_is_reported_and_escape_steps_back(context):
    eye, tool = FrontEye(rotated=True), TwoPointTool(context, "spring")
    pressed(tool, on(eye, (0.03, 0.25, 0.02), "box_1"))
    tool.move(on(eye, (0.17, 0.45, 0.37), "box_2"))
    typed(tool, "3 s⏎")
    assert "length expected" in context.message and not tool.finished
    tool.key("escape")
    assert tool.numbers.typed is False
    tool.key("escape")
    assert "first end" in tool.hint and tool.tentative is None
    tool.key("escape")
    assert tool.finished


def vector(context):
    return tuple(force(context).parameters[k].value for k in "xyz")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("25⏎", (0, 0, 25)),
        ("25,-90⏎", (0, 0, -25)),
        ("1 kN⏎", (0, 0, 1000)),
        ("y25⏎", (0, 25, 0)),
        ("n5⏎", (0, -5, 0)),
        ("-4⏎", (0, 0, -4)),
    ],
)
def test_a_force_by_direction_and_typed_size(context, keys, expected):
    eye, tool = FrontEye(), PointForceTool(context)
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    tool.move(seen(eye, (0.001, 0.25, 0.2)))
    typed(tool, keys)
    assert (
        vector(context) == pytest.approx(expected, abs=1e-9)
        and force(context).frame_b.body == "box_1"
    )
    assert any(force(context).parameters[k].text for k in "xyz") == (
        keys not in ("25,-90⏎", "n5⏎")
    ), "one that has a component of its own stays as typed"


@pytest.mark.parametrize(
    ("end", "held", "angle"),
    [
        ((0.05, 0.03), {"ctrl": True}, 30.963757),
        ((0.05, 0.03), {}, 30.963757),
        ((0.05, 0.03), {"shift": True}, 30.0),
        ((0.05, 0.03), {"shift": True, "ctrl": True}, 30.0),
        # the axes of the plane catch directions within 2.5 deg
        ((0.1, 0.004), {}, 0.0),
        ((0.1, 0.005), {}, 2.862405),
        ((0.1, 0.004), {"ctrl": True}, 2.290610),
        ((-0.004, 0.1), {}, 90.0),
        ((-0.1, -0.002), {}, 180.0),
        ((0.002, -0.1), {"ctrl": True}, -88.854237),
    ],
)
def test_a_force_points_to_the_pointer_and_ctrl_leaves_its_size_as_it_is(context, end, held, angle):
    eye, tool = FrontEye(), PointForceTool(context)
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    pressed(tool, seen(eye, (end[0], 0.25, end[1]), **held))
    x, y, z = vector(context)
    assert y == pytest.approx(0.0, abs=1e-9)
    off = math.degrees(math.atan2(z, x)) - angle
    assert math.remainder(off, 360.0) == pytest.approx(0.0, abs=1e-5)
    # 10 N as long as a fifth of the drawing
    scale = 10.0 / (0.2 * context.document.project.mechanism.size())
    size, exact = math.hypot(x, z), scale * math.hypot(*end)
    if "ctrl" in held:
        assert size == pytest.approx(exact, rel=1e-9)
    else:
        assert size == pytest.approx(round(size, 1)) and abs(size - exact) <= 3 * 0.001 * scale


def test_a_force_is_dragged_with_its_size_beside_it(context):
    eye, tool = FrontEye(), PointForceTool(context)
    start, end = on(eye, (0.0, 0.25, 0.0), "box_1"), seen(eye, (0.08, 0.0, 0.0))
    tool.move(start)
    tool.press(start)
    tool.move(end)
    size = 10.0 * 0.08 / (0.2 * context.document.project.mechanism.size())
    (handle,) = tool.handles(eye)
    assert handle.kind == "arrow" and float(tool.preview.label.split()[0]) == pytest.approx(
        size, abs=0.2
    )
    assert handle.points[1][::2] == pytest.approx((0.08, 0), abs=5e-3)
    tool.release(end)
    assert tool.finished and vector(context) == pytest.approx((size, 0, 0), abs=0.2)


def test_a_click_takes_the_direction_by_a_second_click_with_shift_at_15_degrees(context):
    eye, tool = FrontEye(), PointForceTool(context)
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    assert not tool.finished
    pressed(tool, seen(eye, (0.1, 0.0, 0.061), shift=True))
    x, y, z = vector(context)
    assert z / x == pytest.approx(3**-0.5) and y == 0


@pytest.mark.parametrize(
    ("keys", "expected"), [("3⏎", (0, -3, 0)), ("z2⏎", (0, 0, 2)), ("⏎", (0, -1, 0))]
)
def test_a_torque(context, keys, expected):
    """Across the plane, towards the viewer, or about a held axis."""
    eye, tool = FrontEye(), PointForceTool(context, "torque")
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    typed(tool, keys)
    assert vector(context) == pytest.approx(expected)


def test_an_arc_of_a_torque_is_seen_and_no_larger_than_the_drawing(context):
    """From -60 to 210 degrees in the plane across its axis, with half the reach of an arrow for its
    radius, at least 18 pixels and at most half the drawing.
    """
    eye, tool = FrontEye(), PointForceTool(context, "torque")
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    at, size = tool._at[0], context.document.project.mechanism.size()
    unit = USUAL[True] / (SHARE * size)  # torque of a metre of arrow
    for axis, normal in (("y", 1), ("z", 2), ("x", 0)):
        tool.key(axis)
        for amount, radius in ((0.4 * unit * size, 0.2 * size), (0.001 * unit, 18 * PIXEL)):
            typed(tool, f"{amount!r}")
            (handle,) = tool.handles(eye)
            points = [[a - b for a, b in zip(p, at)] for p in handle.points]
            assert len(points) == 28 and handle.kind == "arrow"
            assert [math.hypot(*p) for p in points] == [pytest.approx(radius)] * 28
            assert all(abs(p[normal]) < 1e-12 for p in points)
            plane = facing("", (0, 0, 0), AXES[axis], context.plane)
            first, last = (
                math.degrees(math.atan2(dot(p, plane.v), dot(p, plane.u)))
                for p in (points[0], points[-1])
            )
            assert (first, last % 360.0) == pytest.approx((-60.0, 210.0))
            tool.key("escape")
    typed(tool, "1000000000")
    (handle,) = tool.handles(eye)
    assert math.dist(handle.points[0], at) == pytest.approx(0.3 * size)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_key_holds_the_direction_of_a_force(context, axis):
    eye, tool = FrontEye(rotated=True), PointForceTool(context)
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    typed(tool, f"{axis}7⏎")
    assert vector(context) == pytest.approx([7.0 * (k == axis) for k in "xyz"])


@pytest.mark.parametrize(("x", "sense"), [(0.1, -1), (-0.1, 1)])
def test_a_torque_turns_as_the_pointer_goes(context, x, sense):
    """To the right counter-clockwise, which is about -y; to the left clockwise."""
    eye, tool = FrontEye(), PointForceTool(context, "torque")
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    pressed(tool, seen(eye, (x, 0.0, 0.01)))
    assert vector(context)[1] * sense > 0.1 and vector(context)[::2] == (0, 0)


def test_a_force_on_nothing_or_of_nothing(context):
    eye, tool = FrontEye(), PointForceTool(context)
    pressed(tool, seen(eye, (0.4, 0, 0.1)))
    assert "no body here" in context.message
    pressed(tool, on(eye, (0.0, 0.25, 0.0), "box_1"))
    typed(tool, "0⏎")
    assert "does nothing" in context.message and not context.document.project.mechanism.forces
    for _ in range(3):
        tool.key("escape")
    assert tool.finished and GROUND not in context.document.project.mechanism.bodies
