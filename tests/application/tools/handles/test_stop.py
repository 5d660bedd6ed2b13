"""Dragging the stops of a joint, seen by a real camera from a slanted side."""

import math

import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.scene.joints.stops import limit_marks, limit_scales
from mechstudio.application.selection import Selection
from mechstudio.application.tools.handles.stop import LimitGrip
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits import insertion
from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.edits.links import FRONT, add_joint, add_link
from mechstudio.model.geometry.rotation import about, compose, multiply, rotate, to_angles
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.mechanism import GROUND, Curve, Frame, Joint, Limit, Placement
from mechstudio.model.project import Camera, Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.quantity import values as values_of
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.view.scene.eye import CameraEye

EYE = CameraEye(Camera((0.1, 0.0, 0.1), -60.0, 25.0, 1.2), (900, 700))


def make(type="revolute", axis=None, coordinate=0):
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, id = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0), type, axis)
    context = ToolContext(Document(insertion.add_limit(project, id, coordinate)), Selection())
    context.selection.select(id)
    return context, id, SelectTool(context)


def limit_of(context, id):
    return context.document.project.mechanism.joints[id].limits[0]


def at(place, **more):
    x, y = EYE.pixel_of(tuple(place))
    return Pointer(None, 0.001, x=x, y=y, eye=EYE, **more)


def scale_of(context, id, glyph=0.05):
    m = context.document.project.mechanism
    pose = lambda body: (
        np.array(m.body(body).placement.pose[1]),
        np.array(m.body(body).placement.pose[0]),
    )
    return limit_scales(m, m.joints[id], glyph, pose)[0]


def dots(tool):
    grip = next(g for g in tool.grips if isinstance(g, LimitGrip))
    return [h.points[0] for h in grip.handles(EYE) if h.kind == "dot"]


def test_each_stop_has_a_dot_that_shows_its_value():
    context, _id, tool = make()
    lower, upper = dots(tool)
    assert (
        math.degrees(math.atan2(lower[2], lower[0])),
        math.degrees(math.atan2(upper[2], upper[0])),
    ) == pytest.approx((-60, 60))
    tool.move(at(upper))
    hot = [h for h in tool.handles(EYE) if h.hot]
    assert (
        {h.kind for h in hot} == {"line", "dot"}
        and hot[-1].word == "stop 60 deg"
        and tool.takes(at(upper))
        and not tool.takes(at((0.3, 0.0, 0.4)))
    )
    context.selection.select()
    assert dots(tool) == []


def test_a_drag_is_caught_at_round_degrees_and_is_one_step():
    context, id, tool = make()
    scale = scale_of(context, id)
    tool.press(at(dots(tool)[1]))
    for degrees in (65, 80, 101.7):
        tool.move(at(scale.at(math.radians(degrees), 3.0)))
    assert tool.preview.label == "stop 100 deg" and tool.tentative.mechanism.joints[id].limits[
        0
    ].upper == Quantity(math.radians(100), "100 deg")
    tool.release(at(scale.at(math.radians(101.7), 3.0)))
    assert limit_of(context, id).upper.text == "100 deg" and limit_of(
        context, id
    ).lower.value == pytest.approx(-math.pi / 3)
    assert context.document.history == (["Open", "Upper stop of A 100 deg"], 1)


def test_ctrl_suspends_it_and_the_turn_goes_on_past_half_a_turn():
    context, id, tool = make()
    scale = scale_of(context, id)
    tool.press(at(dots(tool)[1]))
    for degrees in range(70, 231, 20):
        tool.move(at(scale.at(math.radians(degrees), 3.0), ctrl=True))
    tool.release(at(scale.at(math.radians(231.3), 3.0), ctrl=True))
    assert math.degrees(limit_of(context, id).upper.value) == pytest.approx(231.3, abs=1e-6)


def test_a_typed_value_is_exact_and_a_wrong_one_is_refused():
    context, id, tool = make()
    scale = scale_of(context, id)
    tool.press(at(dots(tool)[1]))
    tool.move(at(scale.at(1.5, 3.0)))
    for key in "-70":
        assert tool.wants(key) and tool.key(key)
    tool.key("enter")
    assert (
        "must stand above the other one" in context.message
        and "60 deg" in context.message
        and tool.dragging
    )
    for _ in range(3):
        tool.key("backspace")
    for key in "37.5 deg":
        tool.key(key)
    assert tool.preview.label.startswith("37.5 deg")
    tool.key("enter")
    assert (
        limit_of(context, id).upper == Quantity(math.radians(37.5), "37.5 deg")
        and not tool.dragging
    )
    tool.release(at(scale.at(1.5, 3.0)))
    assert context.document.history[0] == ["Open", "Upper stop of A 37.5 deg"]


def test_stops_do_not_pass_each_other_and_esc_takes_it_back():
    context, id, tool = make()
    scale = scale_of(context, id)
    tool.press(at(dots(tool)[1]))
    for degrees in range(50, -90, -10):
        tool.move(at(scale.at(math.radians(degrees), 3.0)))
    assert math.degrees(tool.tentative.mechanism.joints[id].limits[0].upper.value) == pytest.approx(
        -50
    )
    assert tool.key("escape") and tool.tentative is None
    tool.release(at(scale.at(0.0, 3.0)))
    assert context.document.undo_label == ""


def test_a_click_on_a_stop_changes_nothing():
    context, _id, tool = make()
    place = dots(tool)[1]
    tool.press(at(place))
    tool.release(at(place))
    assert context.document.undo_label == "" and not tool.dragging


def test_the_stop_of_a_slide_follows_the_pointer_along_the_slide():
    context, id, tool = make("prismatic", (1.0, 0.0, 0.0))
    before = limit_of(context, id)
    _low, high = dots(tool)
    assert high == pytest.approx((before.upper.value, 0, 0), abs=1e-12)
    tool.press(at(high))
    tool.move(at((0.1512, 0.0, 0.01)))
    tool.release(at((0.1512, 0.0, 0.0)))
    after = limit_of(context, id)
    assert (
        after.upper.value == pytest.approx(0.15)
        and after.upper.text == "150 mm"
        and after.lower == before.lower
    )


def rotated(project, id, *angles_axes):
    """The project with its link turned about the joint by turns one after the other."""
    m = project.mechanism
    joint = m.joints[id]
    start = m.frame_in_world(joint.frame_a)[1]
    q = start
    for axis, angle in angles_axes:
        q = multiply(q, (math.cos(angle / 2), *(math.sin(angle / 2) * np.eye(3)[axis])))
    body = m.bodies[joint.frame_b.body]
    from mechstudio.model.geometry.rotation import conjugate, to_angles

    # the body such that frame B has the attitude q
    inner = m.frame_in_body(joint.frame_b)[1]
    attitude = multiply(q, conjugate(inner))
    placement = replace(body.placement, orientation=vector(*to_angles(attitude)))
    return put_element(project, body.id, replace(body, placement=placement))


@pytest.mark.parametrize(
    ("type", "turns"),
    [
        ("universal", ((2, 0.7), (0, -0.4))),
        ("spherical", ((2, 0.7), (1, -0.3), (0, 0.5))),
        ("revolute", ((2, 0.7),)),
    ],
)
def test_each_angle_is_read_in_the_axes_that_the_turns_before_it_have_placed(type, turns):
    context, id, _ = make(type)
    project = rotated(context.document.project, id, *turns)
    for coordinate, (axis, angle) in enumerate(turns):
        joint = replace(
            project.mechanism.joints[id], limits=(Limit(coordinate, Quantity(-1.0), Quantity(1.0)),)
        )
        moved = ToolContext(Document(put_element(project, id, joint)), Selection())
        scale = scale_of(moved, id)
        assert scale.now == pytest.approx(angle), "the needle stands where the joint is"
        assert abs(scale.first @ scale.second) < 1e-12
        m = moved.document.project.mechanism
        third = np.cross(scale.first, scale.second)
        assert np.linalg.norm(third) == pytest.approx(1.0)
        if coordinate == len(turns) - 1:  # the last axis is one of frame B's own
            from mechstudio.model.geometry.rotation import rotate

            assert third == pytest.approx(
                np.array(rotate(m.frame_in_world(joint.frame_b)[1], tuple(np.eye(3)[axis])))
            )


def chain(joint, values, curve_place=(0.0, 0.0, 0.0)):
    """Origin and attitude of B in A's axes at coordinates, by the joint's own motions; and the axis
    and origin of each turn.
    """
    kind, at, q, c, half, axes = (
        JOINT_TYPES[joint.type],
        np.zeros(3),
        (1.0, 0.0, 0.0, 0.0),
        0,
        None,
        {},
    )
    length = next(
        (joint.parameters[k].value for k in ("length", "radius") if k in joint.parameters), 0.0
    )
    spin = lambda q, axis, angle: multiply(q, about(tuple(np.eye(3)[axis]), angle))
    for motion, axis in kind.motions:
        e = np.array(rotate(q, tuple(np.eye(3)[axis])))
        if motion == "rod":
            at = at + length * e
        elif motion == "quarter":
            q = spin(q, axis, math.pi / 2)
        elif motion == "half" and half is not None:
            q = spin(q, axis, half)
        elif motion == "track":
            at, c = at + np.array(curve_place), c + 1
        elif motion == "slide":
            at, c = at + values[c] * e, c + 1
        else:
            if motion == "helix":
                at = at + joint.parameters["pitch"].value * values[c] / (2 * math.pi) * e
            for k in (2, 1, 0) if motion == "ball" else (axis,):
                axes[c] = np.array(rotate(q, tuple(np.eye(3)[k])))
                half = values[c] / 2 if motion == "half" else half
                q = spin(q, k, values[c] / 2 if motion == "half" else values[c])
                c += 1
    return at, q, axes


VALUES = (0.31, -0.42, 0.53, -0.24, 0.35, 0.46)


def jointed(type, values):
    """A body on a joint whose frame A is turned, at coordinates; its length or radius is 0.2 m."""
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    curve = Curve(
        tuple(vector(0.3 * math.cos(t), 0.2 * math.sin(t), 0.0) for t in np.linspace(0.0, 5.0, 9))
    )
    kind = JOINT_TYPES[type]
    joint = Joint(
        "j",
        "J",
        type,
        Frame(GROUND, placement=Placement(vector(0.1, 0.2, 0.3), vector(0.4, -0.3, 0.2))),
        Frame(link),
        parameters={p.name: Quantity(0.2) for p in kind.parameters},
        curve=curve if kind.curve else None,
        limits=tuple(
            Limit(k, Quantity(values[k] - 0.1), Quantity(values[k] + 0.1)) for k in range(kind.dof)
        ),
    )
    place = (0.2 * math.cos(values[0]), 0.2 * math.sin(values[0]), 0.0) if kind.track else (0, 0, 0)
    d, q, axes = chain(joint, values, values_of(curve.points[3]) if kind.curve else place)
    at, attitude = compose(joint.frame_a.placement.pose, (tuple(d), q))
    body = project.mechanism.bodies[link]
    project = put_element(
        project, link, replace(body, placement=Placement(vector(*at), vector(*to_angles(attitude))))
    )
    return replace(project, mechanism=replace(project.mechanism, joints={"j": joint})), d, q, axes


@pytest.mark.parametrize("type", [t for t in JOINT_TYPES if JOINT_TYPES[t].dof])
def test_every_coordinate_of_every_joint_has_its_stops_drawn_where_it_stands(type):
    """The needle stands at the coordinate, between its stops, and a sector lies across the axis
    that the chain of motions turns about.
    """
    kind = JOINT_TYPES[type]
    # a disc leans between lying on one face and on the other
    expected = VALUES if type != "rolling_disc" else (*VALUES[:3], 1.1, *VALUES[4:])
    project, d, q, axes = jointed(type, expected)
    m, joint = project.mechanism, project.mechanism.joints["j"]
    read = readings(joint, tuple(d), q)
    assert len(read) == kind.dof
    pose = lambda body: (
        np.array(m.body(body).placement.pose[1]),
        np.array(m.body(body).placement.pose[0]),
    )
    scales = limit_scales(m, joint, 0.05, pose)
    assert [s.limit for s in scales] == list(range(kind.dof)) and len(
        limit_marks(m, joint, 0.05, pose)
    ) == kind.dof
    turn = m.frame_in_world(joint.frame_a)[1]
    for k, (value, scale) in enumerate(zip(read, scales)):
        if scale.track is not None:
            assert scale.at(scale.now) == pytest.approx(
                # between the points of its drawing an ellipse is a chord
                np.array(m.frame_in_world(joint.frame_b)[0]),
                abs=1e-4 if kind.track else 1e-6,
            )
            continue
        assert value == pytest.approx(expected[k], abs=1e-9) and scale.now == pytest.approx(
            expected[k], abs=1e-9
        )
        if scale.turning:
            assert np.cross(scale.first, scale.second) == pytest.approx(
                np.array(rotate(turn, tuple(axes[k]))), abs=1e-9
            )
    if scales[-1].turning:
        assert scales[-1].origin == pytest.approx(np.array(m.frame_in_world(joint.frame_b)[0])), (
            "the last turn is about the second body's own place"
        )
    if type == "distance":
        assert scales[0].origin == pytest.approx(np.array(m.frame_in_world(joint.frame_a)[0])), (
            "a rod turns about its first end"
        )
    if type == "rolling_disc":
        floor, centre = (
            m.frame_in_world(joint.frame_a),
            np.array(m.frame_in_world(joint.frame_b)[0]),
        )
        lean = scales[3]
        assert (lean.origin - np.array(floor[0])) @ np.array(
            rotate(floor[1], (0.0, 0.0, 1.0))
        ) == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(centre - lean.origin) == pytest.approx(0.2)


def test_the_stop_of_a_way_along_a_curve_follows_the_pointer_on_the_curve():
    project, *_ = jointed("point_on_curve", VALUES)
    joint = replace(project.mechanism.joints["j"], limits=(Limit(0, Quantity(0.1), Quantity(0.5)),))
    context = ToolContext(Document(put_element(project, "j", joint)), Selection())
    context.selection.select("j")
    tool, scale = SelectTool(context), scale_of(context, "j")
    assert dots(tool)[1] == pytest.approx(tuple(scale.at(0.5)))
    tool.press(at(dots(tool)[1]))
    for way in (0.52, 0.6, 0.651):
        tool.move(at(scale.at(way), ctrl=True))
    tool.release(at(scale.at(0.651), ctrl=True))
    assert limit_of(context, "j").upper.value == pytest.approx(0.651, abs=1e-3)
