"""Size handles, corners, named points, and the ends and tips of forces, as state machines."""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.handles.drag import WORLD, Measured, Travel
from mechstudio.application.tools.handles.force import ForceGrip
from mechstudio.application.tools.handles.gizmo import GizmoGrip
from mechstudio.application.tools.handles.handle_places import gap_of
from mechstudio.application.tools.handles.marquee import BoxGrip
from mechstudio.application.tools.handles.size import SizeGrip, stood_off
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits import insertion
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.bodies.sizes import drag_of, face
from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import FRONT, add_joint, add_link, distance
from mechstudio.model.edits.poses.motion import replace
from mechstudio.model.geometry.rotation import about, from_angles, transform
from mechstudio.model.mechanism import GROUND, NamedPoint
from mechstudio.model.project import Project
from mechstudio.model.quantity import values, vector
from mechstudio.model.types.shapes import SHAPE_TYPES
from tests.application.tools.eyes import PIXEL, Seen

EYE = Seen(-50.0, 30.0)


def context_with(project):
    return ToolContext(Document(project), Selection(), grid=0.05)


def grip(tool, kind):
    return next(g for g in tool.grips if isinstance(g, kind))


def pulled_by(tool, eye, word, corner, number):
    """Hold a handle at one of its points and type by how much."""
    x, y = eye.pixel_of(next(h for h in tool.handles(eye) if h.word == word).points[corner])
    tool.press(eye.pointer(x, y))
    for key in (*number, "enter"):
        tool.key(key)
    tool.release(eye.pointer(x, y))


def take(context, kind, select, word, eye=EYE, nth=0):
    """A tool that holds a handle; where it was taken [px]."""
    context.selection.select(select)
    tool = SelectTool(context)
    handle = [h for h in grip(tool, kind).handles(eye) if h.word == word][nth]
    x, y = eye.pixel_of(handle.points[0])
    tool.press(eye.pointer(x, y))
    return tool, x, y


def world_face(project, body, size):
    b = project.mechanism.bodies[body]
    return transform(
        b.placement.pose, transform(b.shapes[0].placement.pose, face(b.shapes[0], size))
    )


@pytest.mark.parametrize("type", [t for t, k in SHAPE_TYPES.items() if k.sizes and not k.outline])
def test_every_size_follows_its_handle_and_the_opposite_face_stays(type):
    base, id = add_body(Project(), FRONT, (0.1, 0.0, 0.2), new_shape(type, 0.2))
    count = len(grip(SelectTool(select(context_with(base), id)), SizeGrip).handles(EYE))
    assert count >= 4
    for k in range(count):
        context = select(context_with(base), id)
        tool = SelectTool(context)
        handle = grip(tool, SizeGrip).handles(EYE)[k]
        x, y = EYE.pixel_of(handle.points[0])
        tool.press(EYE.pointer(x, y))
        held = grip(tool, SizeGrip)
        if held._drag is None or held._key is None:
            continue
        size = SHAPE_TYPES[type].sizes[held._key[3]]
        d = held._drag.axes[0]
        (a, b), (c, e) = EYE.pixel_of((0, 0, 0)), EYE.pixel_of(tuple(0.03 * p for p in d))
        tool.move(EYE.pointer(x + c - a, y + e - b))
        was, grown = (
            base.mechanism.bodies[id].shapes[0].dimensions[size.dimension].value,
            0.06 if type == "link" else 0.03,
        )
        straight = size.dimension == "height" and type == "capsule"
        noun = "straight height" if straight else size.dimension.replace("_", " ")
        assert held._drag.label == (f"{noun} {round(1000 * (was + grown)):d} mm")
        tool.release(EYE.pointer(x + c - a, y + e - b))
        project = context.document.project
        assert project.mechanism.bodies[id].shapes[0].dimensions[
            size.dimension
        ].value == pytest.approx(was + grown)
        assert distance(world_face(base, id, size), world_face(project, id, size)) == pytest.approx(
            0.03
        ), "the face is where the pointer is"
        if size.grows:
            other = next(
                s
                for s in SHAPE_TYPES[type].sizes
                if s.dimension == size.dimension and s.way == tuple(-w for w in size.way)
            )
            assert distance(world_face(base, id, other), world_face(project, id, other)) < 1e-12
        assert len(context.document.history[0]) == 2 and context.document.history[0][-1].endswith(
            f"of {SHAPE_TYPES[type].label.lower()} 1 {round(1000 * (was + grown)):d} mm"
        )


def select(context, id):
    context.selection.select(id)
    return context


def test_a_typed_size_keeps_its_text_and_nothing_is_refused():
    project, id = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    context = context_with(project)
    tool, _x, _y = take(context, SizeGrip, id, "drag the length")
    for key in (*"0", "enter"):
        tool.key(key)
    assert "must be above zero" in context.message and tool.dragging
    for key in ("backspace", *"10 in", "enter"):
        tool.key(key)
    q = context.document.project.mechanism.bodies[id].shapes[0].dimensions["length"]
    assert (q.text, q.value) == ("10 in", pytest.approx(0.254))


def test_a_pin_at_a_face_goes_along_with_it_and_stays_closed():
    project, box = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    project, link = add_link(project, FRONT, (0.1, 0.0, 0.0), (0.4, 0.0, 0.1))
    project, pin = add_joint(project, FRONT, box, link, (0.1, 0.0, 0.0))
    assert project.mechanism.joints[pin].frame_a.point == "right"
    context = context_with(project)
    tool, _x, _y = take(context, SizeGrip, box, "drag the length")
    for key in (*"300", "enter"):
        tool.key(key)
    m = context.document.project.mechanism
    a, b = (m.frame_in_world(f)[0] for f in (m.joints[pin].frame_a, m.joints[pin].frame_b))
    assert distance(a, b) < 1e-15 and a == pytest.approx((0.2, 0.0, 0.0))


def test_corners_of_a_plate_and_named_points_are_dots_to_drag():
    project, plate = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("plate", 0.2))
    body = project.mechanism.bodies[plate]
    project = put_element(
        project, plate, replace(body, points=(NamedPoint("P", vector(0.05, 0.0, 0.02)),))
    )
    context = context_with(project)
    tool, x, y = take(context, SizeGrip, plate, "drag corner 2", Seen())
    at = body.shapes[0].outline[1]
    tool.move(Seen().pointer(x + 40, y - 20, ctrl=True))
    tool.release(Seen().pointer(x + 40, y - 20, ctrl=True))
    moved = context.document.project.mechanism.bodies[plate]
    assert [round(b - a, 9) for a, b in zip(values(at), values(moved.shapes[0].outline[1]))] == [
        0.04,
        0.02,
    ]
    tool, x, y = take(context, SizeGrip, plate, "drag P", Seen())
    for key in ("z", *"15", "enter"):
        tool.key(key)
    (point,) = context.document.project.mechanism.bodies[plate].points
    assert values(point.position) == pytest.approx((0.05, 0.0, 0.035), abs=1e-12)
    assert context.document.history[0][-1] == "Move P of plate 1 15 mm along Z"


def loads():
    project, box = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.1))
    project, link = add_link(project, FRONT, (0.3, 0.0, 0.1), (0.5, 0.0, 0.3))
    project, spring = insertion.add_point_force(
        project, "spring", (box, (0.0, 0.0, 0.0)), (link, (0.3, 0.0, 0.1))
    )
    project, force = insertion.add_body_force(project, FRONT, "force", link, (0.5, 0.0, 0.3))
    return context_with(project), box, link, spring, force


def test_the_end_of_a_spring_moves_to_another_point_and_body_and_it_stays_at_rest():
    context, _box, link, spring, _ = loads()
    eye = Seen()
    tool, x, y = take(context, ForceGrip, spring, "move it to another point", eye, 1)
    end = eye.pixel_of((0.5, 0.0, 0.3))
    tool.move(eye.pointer(end[0] + 3, end[1], element=link))
    assert tool.preview.word == "end of link 1" and tool.preview.label.endswith("on link 1")
    tool.release(eye.pointer(end[0] + 3, end[1], element=link))
    m = context.document.project.mechanism
    frame = m.forces[spring].frame_b
    assert (frame.body, frame.point) == (link, "end") and m.forces[spring].parameters[
        "free_length"
    ].value == pytest.approx(math.hypot(0.5, 0.3))
    tool, x, y = take(context, ForceGrip, spring, "move it to another point", eye, 1)
    tool.move(eye.pointer(x + 100, y + 50))
    tool.release(eye.pointer(x + 100, y + 50))
    assert context.document.project.mechanism.forces[spring].frame_b.body == GROUND
    assert context.document.history[0][-1] == "Move end of spring 1 to ground"


def test_both_ends_of_a_spring_at_one_place_are_refused():
    context, box, _link, spring, _ = loads()
    eye = Seen()
    tool, _x, _y = take(context, ForceGrip, spring, "move it to another point", eye, 1)
    start = eye.pixel_of((0.0, 0.0, 0.0))
    tool.move(eye.pointer(*start, element=box))
    assert "same place" in context.message and tool.tentative is None
    tool.release(eye.pointer(*start, element=box))
    assert len(context.document.history[0]) == 1


def test_the_tip_of_an_arrow_sets_direction_and_size():
    context, *_, force = loads()
    eye = Seen()
    tool, x, y = take(context, ForceGrip, force, "drag direction and size", eye)
    foot = eye.pixel_of((0.5, 0.0, 0.3))
    reach = x - foot[0]
    tool.move(eye.pointer(foot[0], foot[1] - 1.5 * reach))
    assert tool.preview.label == "15 N   90 deg" and tool.tentative is None, (
        "the old arrow stays, the new one is a handle"
    )
    tool.release(eye.pointer(foot[0], foot[1] - 1.5 * reach))
    assert drag_of(context.document.project, force) == pytest.approx((0.0, 0.0, 15.0), abs=1e-9)
    tool, x, y = take(context, ForceGrip, force, "drag direction and size", eye)
    tool.move(eye.pointer(x + 200, y, shift=True))
    for key in (*"12", "enter"):
        tool.key(key)
    vector = drag_of(context.document.project, force)
    assert math.hypot(*vector) == pytest.approx(12.0, abs=1e-9)
    assert math.degrees(math.atan2(vector[2], vector[0])) % 15 == pytest.approx(0.0, abs=1e-6)
    assert context.document.history[0][-1] == "Aim force 1 12 N"


def pixels(eye, handles, kind):
    return [eye.pixel_of(h.points[0]) for h in handles if h.kind == kind]


@pytest.mark.parametrize("side", [0.004, 0.03, 0.08, 0.2, 0.6])
def test_squares_stand_clear_of_the_arrows_and_of_each_other_however_small_the_box(side):
    project, id = add_body(Project(), FRONT, (0.1, 0.0, 0.2), new_shape("box", side))
    context = select(context_with(project), id)
    tool = SelectTool(context)
    for eye in (EYE, Seen()):
        squares = pixels(eye, grip(tool, SizeGrip).handles(eye), "square")
        assert len(squares) >= 4
        lines = [
            [eye.pixel_of(p) for p in h.points]
            for h in grip(tool, GizmoGrip).handles(eye)
            if h.kind == "arrow"
        ]
        assert min(gap_of(line, *square) for line in lines for square in squares) > 10.0
        assert min(math.dist(a, b) for k, a in enumerate(squares) for b in squares[:k]) > 10.0


def test_the_width_of_a_link_grows_on_both_sides_and_its_pins_stay():
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    context = context_with(project)
    tool, _x, _y = take(context, SizeGrip, link, "drag the width", Seen())
    for key in (*"50", "enter"):
        tool.key(key)
    body = context.document.project.mechanism.bodies[link]
    assert (
        body.shapes[0].dimensions["width"].text == "50 mm"
        and body.placement == project.mechanism.bodies[link].placement
    )
    assert context.document.history[0][-1] == f"Width of {body.name} 50 mm"


def test_shape_under_the_pointer_shows_squares():
    project, id = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    body = project.mechanism.bodies[id]
    spread = [
        replace(
            body.shapes[0],
            placement=replace(body.shapes[0].placement, position=vector(0.5 * k, 0.0, 0.0)),
        )
        for k in range(5)
    ]
    project = put_element(project, id, replace(body, shapes=tuple(spread)))
    context = select(context_with(project), id)
    tool = SelectTool(context)
    for k in (3, 1):
        tool.move(EYE.pointer(5, 5, body=id, surface=(0.5 * k, -0.05, 0.01)))
        squares = [
            handle_position
            for handle_position in grip(tool, SizeGrip).handle_positions(EYE)
            if handle_position.handle.kind == "square"
        ]
        assert {handle_position.key[2] for handle_position in squares} == {k} and len(squares) >= 4


def test_a_point_under_the_pointer_shows_arrows_and_a_frame_arcs_too():
    project, id = add_body(Project(), FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.4))
    body = project.mechanism.bodies[id]
    points = (
        NamedPoint("P", vector(0.15, 0.0, 0.1)),
        NamedPoint("F", vector(-0.1, 0.0, -0.15), orientation=vector(0.0, 0.0, 0.0)),
    )
    project = put_element(project, id, replace(body, points=points))
    context, eye = select(context_with(project), id), EYE
    tool = SelectTool(context)
    for name, turns in (("P", False), ("F", True)):
        at = eye.pixel_of(next(h for h in tool.handles(eye) if h.word == f"drag {name}").points[0])
        tool.move(eye.pointer(*at))
        words = [h.word for h in tool.handles(eye)]
        assert f"move {name} along X" in words and (f"turn {name} about Y" in words) == turns
        assert "move along X" not in words, "the body's own arrows make way"
    pulled_by(tool, eye, "turn F about Y", 6, "30")
    frame = next(p for p in context.document.project.mechanism.bodies[id].points if p.name == "F")
    assert from_angles(*values(frame.orientation)) == pytest.approx(
        about((0.0, 1.0, 0.0), math.radians(30))
    )
    assert context.document.history[0][-1] == "Turn F of box 1 30 deg about Y"
    tool.move(eye.pointer(5, 5))
    assert "move along X" in [h.word for h in tool.handles(eye)]


def test_the_end_of_a_spring_moves_along_an_arrow():
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    project, spring = insertion.add_point_force(
        project, "spring", (GROUND, (0.0, 0.0, 0.4)), (link, (0.3, 0.0, 0.0))
    )
    context, eye = select(context_with(project), spring), EYE
    tool = SelectTool(context)
    at = eye.pixel_of((0.0, 0.0, 0.4))
    tool.move(eye.pointer(*at))
    pulled_by(tool, eye, "move the end along Z", 1, "25")
    m = context.document.project.mechanism
    assert m.frame_in_world(m.forces[spring].frame_a)[0] == pytest.approx((0.0, 0.0, 0.425))


class Above:
    """A perspective camera one metre above the origin, which looks down: the ray through its
    middle is along Z.
    """

    right, up, back = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

    def ray(self, x, y):
        far = math.hypot(x, y, 1.0)
        return (0.0, 0.0, 1.0), (x / far, -y / far, -1.0 / far)

    def pixel_of(self, point):
        return (point[0] / (1.0 - point[2]), -point[1] / (1.0 - point[2]))

    def pixel_size(self, point):
        return PIXEL


def test_a_drag_along_a_line_of_sight_reads_no_length():
    """From or to a pixel whose ray is along the line nothing is read; elsewhere lengths are counted
    along it, times their rate, in steps and not below the least.
    """
    context = context_with(Project())
    at = lambda x, **keys: Pointer(None, PIXEL, x=x, y=0.0, eye=Above(), **keys)
    for kind in (
        lambda first: Measured(context, (0.1, 0.0, 0.0), WORLD[2], first, 0.3, 2.0, "height"),
        lambda first: Travel(context, (0.1, 0.0, 0.0), WORLD, first, (2, False)),
    ):
        for first, last in ((0.0, 40.0), (40.0, 0.0), (0.0, 0.0)):
            drag = kind(at(first))
            before = drag.amount
            drag.begun = True
            drag.move(at(last))
            assert drag.amount == before
    # the ray through x passes the line at 1 - 0.1 / x
    drag = Measured(context, (0.1, 0.0, 0.0), WORLD[2], at(0.25), 0.3, 2.0, "height")
    drag.begun = True
    drag.move(at(0.5, ctrl=True))
    assert drag.value == pytest.approx(0.3 + 2.0 * 0.2) and drag.grown == pytest.approx(0.2)
    drag.move(at(0.52, shift=True))
    assert drag.value == pytest.approx(0.7)  # in steps of the grid of 50 mm
    drag.move(at(0.19, shift=True))
    assert drag.value == pytest.approx(0.05)
    assert drag.accept() and drag.text() == ""
    for key, valid in (("0", False), ("2", True)):
        drag.entry.text = key
        assert drag.accept() is valid
    assert drag.value == pytest.approx(0.002) and drag.text() == "2 mm"
    travel = Travel(context, (0.1, 0.0, 0.0), WORLD, at(0.25), (2, False))
    travel.move(at(2.25))
    assert not travel.begun and travel.amount == 0.0
    travel.begun = True
    travel.move(at(0.5, ctrl=True))
    assert travel.shift == pytest.approx((0.0, 0.0, 0.2)) and travel.amount == pytest.approx(0.2)


def test_a_square_stands_off_the_middle_and_clear_of_lines():
    """15 pixels off the middle, and on in steps of 17 until 12 are free."""
    eye, way = Seen(), (1.0, 0.0, 0.0)
    off = lambda middle, taken=(), scale=1.0: stood_off(
        eye, (middle * PIXEL, 0.0, 0.0), (0.1, 0.0, 0.2), way, taken, scale
    )
    at = lambda pixels: pytest.approx((0.1 + pixels * PIXEL, 0.0, 0.2))
    level = lambda middle, taken=(), scale=1.0: stood_off(
        eye, (0.1 + middle * PIXEL, 0.0, 0.2), (0.1, 0.0, 0.2), way, taken, scale
    )
    assert off(100.0) == at(0.0) and level(0.0) == at(15.0) and level(-4.0) == at(11.0)
    assert level(0.0, scale=2.0) == at(30.0)
    x, y = eye.pixel_of((0.1, 0.0, 0.2))
    for far, steps in ((-13.0, 0), (-11.0, 1), (13.0, 0), (4.0, 1), (10.0, 2)):
        line = [(x + far, y - 50.0), (x + far, y + 50.0)]
        assert off(100.0, (line,)) == at(17.0 * steps), far


def test_same_lock_again_gives_back_what_the_drag_keeps_to():
    context, eye = context_with(Project()), Seen()
    at = lambda x, z: eye.at(x, z)
    for base, keys, locks in (
        (None, "xxXXy", ((0, False), None, (0, True), None, (1, False))),
        ((2, False), "xxzz", ((0, False), (2, False), None, (2, False))),
    ):
        drag = Travel(context, (0.0, 0.0, 0.0), WORLD, at(0.0, 0.0), base)
        for key, lock in zip(keys, locks):
            assert drag.wants(key) and drag.key(key) and drag.begun
            assert drag.lock == lock, (base, key)
            free = () if lock is None else (lock[0],)
            planes = tuple(k for k in range(3) if k not in free)
            assert drag.free == (planes if lock and lock[1] else free)
    assert [drag.wants(key) for key in ("escape", "enter", "5", "w", "@")] == [True] * 4 + [False]
    assert not drag.key("@")
    # the pointer begins a drag three pixels off the place where it was pressed
    drag = Travel(context, (0.0, 0.0, 0.0), WORLD, at(0.3, 0.2), snaps=False)
    for x, z, begun in ((0.301, 0.201, False), (0.299, 0.199, False), (0.302, 0.201, True)):
        drag.move(at(x, z))
        assert drag.begun is begun
    assert drag.label == "ΔX 2 mm   ΔZ 1 mm"
    drag.move(at(0.3, 0.201))
    assert drag.label == "ΔZ 1 mm"
    # a typed length counts along the way of the pointer; without one along the first direction
    for x, z, shift in ((0.33, 0.24, (0.006, 0.0, 0.008)), (0.3, 0.2, (0.01, 0.0, 0.0))):
        drag.entry.text = "10"
        drag.move(at(x, z))
        assert drag.shift == pytest.approx(shift)


@pytest.mark.parametrize("zero", [False, True])
def test_a_length_of_zero_is_taken_where_there_may_be_none(zero):
    context = context_with(Project())
    drag = Measured(context, (0, 0, 0), WORLD[2], Seen().at(0, 0), 0.3, 1.0, "height", zero)
    assert drag.key("0") and drag.begun and drag.accept() is zero
    assert drag.value == (0.0 if zero else 0.3) and (context.message == "") is zero
    drag.entry.text = "-5"
    assert not drag.accept() and drag.value == (0.0 if zero else 0.3)
    drag.entry.text = "7"
    assert drag.accept() and drag.value == pytest.approx(0.007)
    assert not drag.key("enter") and drag.wants("enter") and not drag.wants("")


def test_a_box_begins_four_pixels_off_its_press():
    """Counted along both axes, from where the button went down."""
    box = BoxGrip(context_with(Project()))
    eye = Seen()
    for dx, dy, begun in ((2, 1, False), (-2, -1, False), (2, -2, True), (0, 4, True)):
        box.press(eye.pointer(500.0, 20.0, ctrl=True))
        box.move(eye.pointer(500.0 + dx, 20.0 + dy, ctrl=True))
        assert box.dragging is begun, (dx, dy)
        assert box.wants("escape") and box.key("escape") and not box.dragging
    assert not box.wants("escape") and not box.key("escape")
