"""Points of a joint's curve are dragged and added in the scene."""

import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.joints.curve_points import CurvePointGrip
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.quantity import Quantity, values
from tests.application.tools.eyes import Seen

EYE = Seen(-50.0, 30.0)
POINTS = ((0.0, 0.0, 0.0), (0.2, 0.1, 0.0), (0.4, 0.0, 0.0))


def wire(points=POINTS, **how):
    m = ms.Builder()
    bead = m.body("bead", points[0]).sphere("20 mm")
    m.on_curve("wire", m.ground, bead, points, at=points[0], **how)
    return m.project()


def tool_on(project):
    context = ToolContext(Document(project), Selection(), grid=0.05)
    context.selection.select("wire")
    return SelectTool(context), context


def dots(tool):
    grip = next(g for g in tool.grips if isinstance(g, CurvePointGrip))
    return grip.handle_positions(EYE)


def points_of(context):
    return [values(p) for p in context.document.project.mechanism.joints["wire"].curve.points]


def drag(tool, at, to, *keys):
    x, y = EYE.pixel_of(at)
    tool.press(EYE.pointer(x, y))
    tool.move(EYE.pointer(*EYE.pixel_of(to)))
    for key in keys:
        tool.key(key)
    tool.release(EYE.pointer(*EYE.pixel_of(to)))


def at(tool, key):
    return next(p.handle.points[0] for p in dots(tool) if p.key == key)


def test_a_point_goes_where_it_is_dropped_in_the_plane_of_its_curve():
    tool, context = tool_on(wire())
    drag(tool, at(tool, ("wire", 1, False)), (0.25, 0.2, 0.0))
    moved = points_of(context)
    assert moved[1] == pytest.approx((0.25, 0.2, 0.0), abs=0.011) and moved[1] != POINTS[1]
    assert moved[1][2] == 0.0 and (moved[0], moved[2]) == (POINTS[0], POINTS[2])
    context.document.undo()
    assert points_of(context) == list(POINTS)


def test_a_typed_number_moves_it_along_a_locked_axis_exactly():
    tool, context = tool_on(wire())
    drag(tool, at(tool, ("wire", 2, False)), (0.45, 0.05, 0.0), "x", *"30 mm", "enter")
    assert points_of(context)[2] == pytest.approx((0.43, 0.0, 0.0), abs=1e-12)


def test_a_dot_between_two_points_adds_one():
    tool, context = tool_on(wire())
    between = at(tool, ("wire", 0, True))
    assert between[:2] == pytest.approx((0.1, 0.075), abs=0.02)
    drag(tool, between, (0.1, 0.15, 0.0))
    assert len(points_of(context)) == 4
    assert points_of(context)[1] == pytest.approx((0.1, 0.15, 0.0), abs=0.011)


def test_a_formula_stays_where_the_drag_leaves_a_coordinate():
    project = wire()
    joint = project.mechanism.joints["wire"]
    typed = (Quantity(0.2, "200 mm"), Quantity(0.1, "100 mm"), Quantity(0.0))
    points = (joint.curve.points[0], typed, joint.curve.points[2])
    project = put_element(
        project, "wire", replace(joint, curve=replace(joint.curve, points=points))
    )
    tool, context = tool_on(project)
    drag(tool, at(tool, ("wire", 1, False)), (0.25, 0.1, 0.0), "x", *"10 mm", "enter")
    x, y, _ = context.document.project.mechanism.joints["wire"].curve.points[1]
    assert x.value == pytest.approx(0.21, abs=1e-12) and y.text == "100 mm"


def test_a_circle_keeps_its_three_points_and_a_hidden_curve_offers_none():
    project = wire(((0.2, 0, 0), (0, 0.2, 0), (-0.2, 0, 0)), form="circle")
    tool, _ = tool_on(project)
    assert [p.key for p in dots(tool)] == [("wire", k, False) for k in range(3)]
    joint = replace(project.mechanism.joints["wire"], visible=False)
    tool, _ = tool_on(put_element(project, "wire", joint))
    assert dots(tool) == []


def test_a_point_on_its_neighbour_is_refused_and_changes_nothing():
    tool, context = tool_on(wire())
    drag(tool, at(tool, ("wire", 1, False)), (0.4, 0.0, 0.0), "x", *"200 mm", "enter")
    drag(tool, at(tool, ("wire", 1, False)), (0.4, 0.0, 0.0), "y", *"-100 mm", "enter")
    assert points_of(context)[1] == pytest.approx((0.4, 0.1, 0.0), abs=1e-12)
