"""The gizmo as a state machine: arrows, arcs, squares and the dot; locks, steps, typed numbers, one
undo step per drag, Esc.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.handles.drag import WORLD
from mechstudio.application.tools.handles.gizmo import GizmoGrip
from mechstudio.application.tools.handles.gizmo_positions import gizmo_positions, is_about
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import FRONT, add_joint, distance, link_ends
from mechstudio.model.formulas.expression import quantity
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, values
from mechstudio.model.rounding import step_below, stepped
from tests.application.tools.bodies.test_link_tool import draw
from tests.application.tools.eyes import Seen

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


@pytest.fixture
def context():
    project, _ = add_body(Project(), FRONT, (0.1, 0.0, 0.2), new_shape("box", 0.04))
    return ToolContext(Document(project), Selection(), grid=0.05)


def grips(tool):
    return next(g for g in tool.grips if isinstance(g, GizmoGrip))


def at_handle(tool, eye, word):
    """The pixel of a handle: the middle of a line, the place of a dot, the centre of an area."""
    handle = next(h for h in grips(tool).handles(eye) if h.word == word)
    flat = [eye.pixel_of(p) for p in handle.points]
    if handle.kind == "arc":
        return flat[len(flat) // 2]
    return tuple(sum(p[k] for p in flat) / len(flat) for k in (0, 1))


def start(context, word, eye=None, select=("box_1",)):
    """A tool that holds a handle, with its eye and the pixel of the press."""
    eye = eye or Seen(-60.0, 20.0)
    context.selection.select(*select)
    tool = SelectTool(context)
    x, y = at_handle(tool, eye, word)
    pointer = eye.pointer(x, y)
    tool.move(pointer)
    assert tool.takes(pointer)
    tool.press(pointer)
    return tool, eye, x, y


def towards(eye, axis, far):
    """Pixels that a way along an axis [m] has on the screen."""
    (a, b), (c, d) = eye.pixel_of((0.0, 0.0, 0.0)), eye.pixel_of(tuple(far * k for k in axis))
    return c - a, d - b


def position(context, id="box_1"):
    return values(context.document.project.mechanism.bodies[id].placement.position)


def test_an_arrow_moves_along_its_axis_only_and_is_one_step(context):
    for letter, axis in AXES.items():
        tool, eye, x, y = start(context, f"move along {letter}")
        before = position(context)
        dx, dy = towards(eye, axis, 0.12)
        tool.move(eye.pointer(x + 0.3 * dx, y + 0.3 * dy))
        # beside the arrow, as a hand goes
        tool.move(eye.pointer(x + dx - 0.2 * dy, y + dy + 0.2 * dx))
        assert tool.preview.label.startswith(f"Δ{letter} ") and tool.preview.rubber
        tool.move(eye.pointer(x + dx, y + dy))
        tool.release(eye.pointer(x + dx, y + dy))
        shift = tuple(b - a for a, b in zip(before, position(context)))
        assert shift == pytest.approx(tuple(0.12 * c for c in axis), abs=1e-9), letter
        assert context.document.history[0][-1] == f"Move box 1 120 mm along {letter}"
    assert len(context.document.history[0]) == 4


def test_a_typed_number_is_exact_in_the_current_unit_and_formulas_and_names_count(context):
    for units, typed, expected in (
        ("mm-N-deg", "120", 0.12),
        ("m-N-rad", "0.3", 0.3),
        ("mm-N-deg", "2*60 mm", 0.12),
        ("inch-lbf", "2", 0.0508),
    ):
        context.units = units
        tool, eye, x, y = start(context, "move along X")
        before = position(context)
        tool.move(eye.pointer(x + 20, y + 3))
        for key in (*typed, "enter"):
            assert tool.wants(key) and tool.key(key)
        assert (
            position(context)[0] - before[0] == pytest.approx(expected, abs=1e-15)
            and position(context)[1:] == before[1:]
        )
        tool.release(eye.pointer(x + 90, y))
        assert position(context)[0] - before[0] == pytest.approx(expected, abs=1e-15), (
            "what the pointer does after Enter is nothing"
        )


def test_a_parameter_is_typed_by_its_name(context):
    length = Parameter("L1", quantity("80 mm", "length", {}), "length")
    context.document.commit(
        "L1", context.document.project.__class__(context.document.project.mechanism, {"L1": length})
    )
    tool, _, _, _ = start(context, "move along Z")
    for key in (*"L1/2", "enter"):
        tool.key(key)
    assert position(context)[2] == pytest.approx(0.24, abs=1e-15)
    tool, _eye, _x, _y = start(context, "move along Z")
    for key in (*"L9", "enter"):
        tool.key(key)
    assert "L9" in context.message and tool.dragging, (
        "a name that is not known is reported, and the drag goes on"
    )


def test_a_coordinate_that_was_zero_keeps_what_was_typed(context):
    tool, _eye, _x, _y = start(context, "move along Y")
    for key in (*"120", "enter"):
        tool.key(key)
    q = context.document.project.mechanism.bodies["box_1"].placement.position[1]
    assert (q.text, q.value) == ("120 mm", 0.12)


def test_x_y_and_z_lock_release_and_take_planes(context):
    tool, eye, x, y = start(context, "move freely", Seen())
    before = position(context)
    go = lambda: tool.move(eye.pointer(x + 80, y - 60, ctrl=True))
    moved = lambda: tuple(
        round(b - a, 9)
        for a, b in zip(before, values(tool.tentative.mechanism.bodies["box_1"].placement.position))
    )
    go()
    assert moved() == (0.08, 0.0, 0.06)
    tool.key("x")
    assert moved() == (0.08, 0.0, 0.0) and tool.preview.label == "ΔX 80 mm"
    tool.key("x")
    assert moved() == (0.08, 0.0, 0.06), "again releases"
    tool.key("z")
    assert moved() == (0.0, 0.0, 0.06)
    tool.key("Y")
    assert moved() == (0.08, 0.0, 0.06), "Shift: the plane across it"
    assert tool.key("y") and not tool.key("@"), "a key without a meaning is left to the window"
    tool.key("escape")
    assert (
        tool.tentative is None
        and position(context) == before
        and len(context.document.history[0]) == 1
    )


def test_shift_steps_by_the_grid_and_control_by_nothing(context):
    tool, eye, x, y = start(context, "move along X", Seen())
    tool.move(eye.pointer(x + 63.4, y, shift=True))
    assert tool.preview.label == "ΔX 50 mm"
    tool.move(eye.pointer(x + 63.4, y))
    assert tool.preview.label == "ΔX 63 mm", "no digits that a pixel cannot tell"
    tool.move(eye.pointer(x + 63.4, y, ctrl=True))
    assert tool.preview.label == "ΔX 63.4 mm"


def test_the_dot_catches_points_of_other_bodies_and_control_suspends(context):
    draw(context, (0.3, 0.1), (0.5, 0.3), end="escape")
    context.pivot = "origin"
    tool, eye, _x, _y = start(context, "move freely", Seen())
    target = eye.pixel_of((0.303, 0.0, 0.103))
    tool.move(eye.pointer(*target))
    assert tool.preview.word == "start of link 1"
    tool.move(eye.pointer(*target, ctrl=True))
    assert not tool.preview.word
    tool.move(eye.pointer(*target))
    tool.release(eye.pointer(*target))
    assert position(context) == pytest.approx((0.3, 0.0, 0.1), abs=1e-15)


def test_an_arc_turns_about_the_middle_in_steps_or_as_typed(context):
    for letter, axis in AXES.items():
        tool, eye, x, y = start(context, f"turn about {letter}", Seen(-50.0, 30.0))
        before = context.document.project.mechanism.bodies["box_1"].placement
        tool.move(eye.pointer(x + 9, y + 9))
        tool.move(eye.pointer(x + 20, y + 14, shift=True))
        assert tool.preview.label.startswith("turn ") and tool.preview.areas
        for key in (*"30", "enter"):
            tool.key(key)
        after = context.document.project.mechanism.bodies["box_1"].placement
        w, *v = tuple(
            sum(s * c for s, c in zip(row, after.quaternion)) for row in _left(before.quaternion)
        )
        assert 2 * math.atan2(math.hypot(*v), abs(w)) == pytest.approx(math.radians(30), abs=1e-12)
        assert rotate(before.quaternion, _local(before.quaternion, axis)) == pytest.approx(
            rotate(after.quaternion, _local(before.quaternion, axis)), abs=1e-12
        )
        assert values(after.position) == pytest.approx(values(before.position), abs=1e-12), (
            "a box turns about its middle"
        )
        assert context.document.history[0][-1] == f"Turn box 1 30 deg about {letter}"
        context.document.undo()


def _left(q):
    """Rows that give conj(q) p for a quaternion p."""
    w, x, y, z = q
    return ((w, x, y, z), (-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w))


def _local(q, axis):
    w, x, y, z = q
    return rotate((w, -x, -y, -z), axis)


@pytest.mark.parametrize(("azimuth", "elevation"), [(-90, 0), (-60, 20), (120, -35)])
def test_a_turn_goes_with_the_pointer_round_the_middle(context, azimuth, elevation):
    eye = Seen(azimuth, elevation)
    tool, eye, x, y = start(context, "turn about Y", eye)
    c = eye.pixel_of(grips(tool)._drag.start)
    sense = 1.0 if rotate((1, 0, 0, 0), eye.back)[1] > 0 else -1.0
    for k in range(1, 40):  # more than a full turn, counter-clockwise on the screen
        a = math.radians(-10.0 * k)
        dx, dy = x - c[0], y - c[1]
        tool.move(
            eye.pointer(
                c[0] + dx * math.cos(a) - dy * math.sin(a),
                c[1] + dx * math.sin(a) + dy * math.cos(a),
                ctrl=True,
            )
        )
    swept = math.degrees(grips(tool)._drag.angle)
    assert swept * sense == pytest.approx(
        390, abs=60 if (azimuth, elevation) != (-90, 0) else 1e-6
    ), "it counts on over a full turn"


def test_the_axes_of_a_body_that_is_turned_can_be_taken(context):
    tool, _, _, _ = start(context, "turn about Y", Seen(-50.0, 30.0))
    for key in (*"30", "enter"):
        tool.key(key)
    before, context.axes = position(context), "body"
    tool, _eye, _x, _y = start(context, "move along its own X", Seen(-50.0, 30.0))
    for key in (*"100", "enter"):
        tool.key(key)
    shift = tuple(b - a for a, b in zip(before, position(context)))
    assert shift == pytest.approx(
        (0.1 * math.cos(math.pi / 6), 0.0, -0.1 * math.sin(math.pi / 6)), abs=1e-12
    )
    assert context.document.history[0][-1] == "Move box 1 100 mm along its own X"


def test_handles_along_the_view_direction_fade_out(context):
    context.selection.select("box_1")
    words = lambda *eye: {h.word for h in grips(SelectTool(context)).handles(Seen(*eye))}
    front = words(-90.0, 0.0)
    assert front == {
        "move along X",
        "move along Z",
        "turn about Y",
        "move in Z and X",
        "move freely",
    }
    assert len(words(-50.0, 30.0)) == 10
    faded = [h for h in grips(SelectTool(context)).handles(Seen(-70.0, 15.0)) if h.fade < 1.0]
    assert faded and all(h.fade > 0.0 for h in faded)


def test_the_gizmo_has_one_size_on_the_screen_and_takes_nothing_beside_its_lines(context):
    context.selection.select("box_1")
    tool = SelectTool(context)
    for pixel in (1e-5, 1e-3, 1.0):
        eye = Seen(-50.0, 30.0, pixel)
        arrow = next(h for h in grips(tool).handles(eye) if h.word == "move along Z")
        (a, b), (c, d) = (eye.pixel_of(p) for p in arrow.points)
        assert math.hypot(c - a, d - b) == pytest.approx(
            70.0 * math.cos(math.radians(30.0)), abs=1e-6
        )
        x, y = (a + c) / 2, (b + d) / 2
        assert grips(tool).takes(eye.pointer(x + 6, y)) and not grips(tool).takes(
            eye.pointer(x - 14, y)
        )
    context.scale = 1.5
    arrow = next(h for h in grips(tool).handles(eye) if h.word == "move along Z")
    (a, b), (c, d) = (eye.pixel_of(p) for p in arrow.points)
    assert math.hypot(c - a, d - b) == pytest.approx(105.0 * math.cos(math.radians(30.0)), abs=1e-6)


def test_several_bodies_move_as_one_about_their_middle(context):
    project, other = add_body(
        context.document.project, FRONT, (0.5, 0.0, 0.2), new_shape("sphere", 0.1)
    )
    context.document.commit("ball", project)
    tool, _eye, _x, _y = start(context, "turn about Y", Seen(), ("box_1", other))
    assert grips(tool)._drag.start == pytest.approx((0.3, 0.0, 0.2))
    for key in (*"90", "enter"):
        tool.key(key)
    # about Y from X towards -Z
    assert position(context) == pytest.approx((0.3, 0.0, 0.4), abs=1e-12) and position(
        context, other
    ) == pytest.approx((0.3, 0.0, 0.0), abs=1e-12)
    assert context.document.history[0][-1] == "Turn box 1 and sphere 1 90 deg about Y"


def test_a_selected_joint_moves_on_both_bodies_and_its_arc_turns_its_axis(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    m = context.document.project.mechanism
    joint = next(
        j for j in m.joints.values() if {j.frame_a.body, j.frame_b.body} == {"link_1", "link_2"}
    )
    tool, _, _, _ = start(context, "move along X", Seen(), (joint.id,))
    for key in (*"20", "enter"):
        tool.key(key)
    m = context.document.project.mechanism
    assert link_ends(m.bodies["link_1"])[1] == pytest.approx((0.07, 0.0, 0.15)) and link_ends(
        m.bodies["link_2"]
    )[0] == pytest.approx((0.07, 0.0, 0.15))
    assert (
        max(
            distance(m.frame_in_world(j.frame_a)[0], m.frame_in_world(j.frame_b)[0])
            for j in m.joints.values()
        )
        < 1e-12
    )
    assert context.document.history[0][-1] == f"Move joint {joint.name} 20 mm along X"
    tool, _eye, _x, _y = start(context, "turn about X", Seen(-50.0, 30.0), (joint.id,))
    for key in (*"25", "enter"):
        tool.key(key)
    rotated = context.document.project.mechanism
    assert rotated.bodies == m.bodies
    axes = [
        rotate(rotated.frame_in_world(f)[1], (0, 0, 1))
        for f in (rotated.joints[joint.id].frame_a, rotated.joints[joint.id].frame_b)
    ]
    assert axes[0] == pytest.approx(axes[1], abs=1e-12) and math.degrees(
        math.acos(abs(axes[0][1]))
    ) == pytest.approx(25, abs=1e-9)


def test_nothing_is_offered_for_what_cannot_be_moved_or_is_hidden(context):
    tool = SelectTool(context)
    for selected in ((), ("gravity",), (GROUND,)):
        context.selection.select(*selected)
        assert not grips(tool).handles(Seen())
    from mechstudio.model.edits import elements

    context.document.commit(
        "hide", elements.set_attribute(context.document.project, "box_1", visible=False)
    )
    context.selection.select("box_1")
    assert not grips(tool).handles(Seen())


def test_a_rod_has_no_arcs(context):
    project, other = add_body(
        context.document.project, FRONT, (0.5, 0.0, 0.2), new_shape("sphere", 0.1)
    )
    project, rod = add_joint(
        project, FRONT, "box_1", other, (0.1, 0.0, 0.2), "distance", point_b=(0.5, 0.0, 0.2)
    )
    context.document.commit("rod", project)
    context.selection.select(rod)
    words = {h.word for h in grips(SelectTool(context)).handles(Seen(-50.0, 30.0))}
    assert words and not any("turn" in w for w in words)


def test_steps_are_round_numbers_of_the_unit():
    assert step_below(0.0013, "mm-N-deg") == pytest.approx(0.001) and step_below(
        0.7e-3, "mm-N-deg"
    ) == pytest.approx(0.5e-3)
    assert step_below(0.0254 * 0.3, "inch-lbf") == pytest.approx(0.0254 * 0.2)
    assert stepped(0.1 + 0.2, 0.1) == 0.3


def test_every_handle_of_a_gizmo_has_its_place_in_pixels():
    """Seen from a corner: arcs of 66 pixels from one axis to the next, squares from 30 to 44,
    arrows from 22 to 92, all times the scale.
    """
    eye, c, scale = Seen(-45.0, 35.0), (1.0, 2.0, 3.0), 1.5
    pixels = lambda p: [(a - b) / (eye.pixel * scale) for a, b in zip(p, c)]
    found = gizmo_positions(eye, c, WORLD, scale, ("move", 1), of=())
    assert [h.key for h in found] == [(k, n) for n in range(3) for k in ("turn", "plane", "move")]
    for position in found:
        (kind, k), handle = position.key, position.handle
        points, u, v = [pixels(p) for p in handle.points], (k + 1) % 3, (k + 2) % 3
        assert handle.role == f"axis_{'xyz'[k]}" and handle.hot == (position.key == ("move", 1))
        if kind == "move":
            ends = [[n * (j == k) for j in range(3)] for n in (22.0, 92.0)]
            assert points == [pytest.approx(end) for end in ends]
            continue
        assert all(p[k] == pytest.approx(0.0, abs=1e-9) for p in points)
        flat = [(p[u], p[v]) for p in points]
        if kind == "plane":
            square = ((30, 30), (44, 30), (44, 44), (30, 44))
            assert flat == [pytest.approx(p) for p in square]
            continue
        angles = [math.degrees(math.atan2(y, x)) for x, y in flat]
        assert [math.hypot(*p) for p in flat] == [pytest.approx(66.0)] * 13
        assert angles == pytest.approx([18.0 + 4.5 * i for i in range(13)])
    # along the line of sight there is no arrow, across it neither arc nor square
    front = gizmo_positions(Seen(), c, WORLD, 1.0, None, own="its own ", of=("p",), what="point")
    assert [h.key for h in front] == [
        ("p", "move", 0),
        ("p", "turn", 1),
        ("p", "plane", 1),
        ("p", "move", 2),
    ]
    assert [h.handle.word for h in front] == [
        "move point along its own X",
        "turn point about its own Y",
        "move point in its own Z and X",
        "move point along its own Z",
    ]
    assert [
        h.key[1] for h in gizmo_positions(Seen(), c, WORLD, 1.0, None, turns=False, of=("p",))
    ] == [
        "move",
        "plane",
        "move",
    ]
    # an arrow fades from 0.88 to 0.97 of the line of sight, an arc from 0.32 to 0.14
    for degrees, kind, k, fade in (
        (0.93, "move", 1, (0.97 - 0.93) / 0.09),
        (0.2, "turn", 0, (0.2 - 0.14) / 0.18),
    ):
        angle = math.degrees(math.acos(degrees))
        eye = Seen(-90.0 + (angle if kind == "move" else 90.0 - angle))
        own = [h for h in gizmo_positions(eye, c, WORLD, 1.0, None) if h.key == (kind, k)]
        assert own[0].handle.fade == pytest.approx(fade)
    at = eye.pixel_of(c)
    for far, near in ((1.2 * 0.72 * 92.0 - 0.1, True), (1.2 * 0.72 * 92.0 + 0.1, False)):
        assert is_about(eye.pointer(at[0] + 0.6 * far, at[1] - 0.8 * far), c, 1.0) is near
        assert is_about(eye.pointer(at[0] + 1.2 * far, at[1] - 1.6 * far), c, 2.0) is near
