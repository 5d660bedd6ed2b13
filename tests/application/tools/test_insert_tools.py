"""Joints of every type, springs, forces, drives and couplings by their tools; what does not fit is
refused in words.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools import picker
from mechstudio.application.tools.connector import TwoPointTool
from mechstudio.application.tools.force import PointForceTool
from mechstudio.application.tools.joints.bushing import BushingTool
from mechstudio.application.tools.joints.joint import JointTool, joint_letters
from mechstudio.application.tools.picker import PickTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.links import distance
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.joints import JOINT_TYPES
from tests.application.tools.bodies.test_link_tool import at, click, draw

LETTERS = joint_letters()


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


def mechanism(context):
    return context.document.project.mechanism


def test_every_type_has_a_letter_of_its_own():
    assert sorted(LETTERS.values()) == sorted(JOINT_TYPES)


@pytest.mark.parametrize("letter", LETTERS)
def test_each_letter_places_its_type_with_all_that_it_needs(context, letter):
    draw(context, (0, 0.1), (0.2, 0.1), end="escape")
    tool = JointTool(context)
    tool.move(at(0.0, 0.1, body="link_1"))
    assert tool.wants(letter) and tool.key(letter)
    click(tool, 0.0, 0.1, body="link_1")
    if LETTERS[letter] == "distance":
        assert not mechanism(context).joints, "a rod has two ends"
        click(tool, -0.15, 0.1)
    (joint,) = mechanism(context).joints.values()
    kind = JOINT_TYPES[joint.type]
    assert joint.type == LETTERS[letter] and tool.finished
    assert set(joint.parameters) == {p.name for p in kind.parameters} and all(
        q.value > 0 for q in joint.parameters.values()
    )
    assert (joint.curve is not None) == kind.curve
    if joint.type == "distance":
        assert joint.parameters["length"].value == pytest.approx(0.15)
    if kind.lies_on_floor:
        # the floor lies a radius under the centre, level, and the disc stands on it
        (foot, floor), (center, disc) = (
            mechanism(context).frame_in_world(f) for f in (joint.frame_a, joint.frame_b)
        )
        assert distance(foot, center) == pytest.approx(joint.parameters["radius"].value)
        assert rotate(floor, (0, 0, 1)) == pytest.approx((0, 0, 1)) and rotate(disc, (0, 0, 1))[
            2
        ] == pytest.approx(0, abs=1e-12)
    if joint.curve is not None:
        # one of its points lies at the joint
        assert min(math.hypot(*values(p)) for p in joint.curve.points) < 1e-12
    assert context.document.history[0][-1] == f"Add {kind.label.lower()} joint A"


def z_of(context):
    joint = list(mechanism(context).joints.values())[-1]
    return [
        rotate(mechanism(context).frame_in_world(f)[1], (0, 0, 1))
        for f in (joint.frame_a, joint.frame_b)
    ]


def x_of(context):
    joint = list(mechanism(context).joints.values())[-1]
    return rotate(mechanism(context).frame_in_world(joint.frame_a)[1], (1, 0, 0))


def test_shift_x_flips_the_axis_and_q_turns_by_a_quarter(context):
    draw(context, (0, 0.1), (0.2, 0.1), end="escape")
    places = []
    for keys in ("", "X", "q", "qq"):
        tool = JointTool(context, "prismatic")
        tool.move(at(0.1, 0.1, body="link_1"))
        for key in keys:
            assert tool.wants(key) and tool.key(key)
        click(tool, 0.1, 0.1, body="link_1")
        places.append((z_of(context)[0], x_of(context)))
        context.document.undo()
    (z, x), (flipped, _), (still, quarter), (_, half) = places
    assert (
        z == pytest.approx((1, 0, 0))
        and flipped == pytest.approx((-1, 0, 0))
        and still == pytest.approx(z)
    )
    assert sum(a * b for a, b in zip(x, quarter)) == pytest.approx(
        0, abs=1e-12
    ) and half == pytest.approx(tuple(-c for c in x))


def test_the_shafts_of_a_constant_velocity_joint_lie_along_their_links(context):
    """x_A . y_B = y_A . x_B as drawn (THEORY 3): the second half is the first turned about an axis
    across it.
    """
    draw(context, (0, 0), (0.2, 0.0), (0.4, 0.1), end="escape")
    context.document.commit(
        "free",
        context.document.project.__class__(mechanism(context).__class__(mechanism(context).bodies)),
    )
    tool = JointTool(context, "constant_velocity")
    click(tool, 0.2, 0.0, body="link_1")
    first, second = z_of(context)
    assert first == pytest.approx((1, 0, 0)) and second == pytest.approx(
        (0.2 / math.hypot(0.2, 0.1), 0, 0.1 / math.hypot(0.2, 0.1))
    )
    (joint,) = mechanism(context).joints.values()
    (_, a), (_, b) = (mechanism(context).frame_in_world(f) for f in (joint.frame_a, joint.frame_b))
    dot = lambda p, q: sum(x * y for x, y in zip(p, q))
    assert dot(rotate(a, (1, 0, 0)), rotate(b, (0, 1, 0))) == pytest.approx(
        dot(rotate(a, (0, 1, 0)), rotate(b, (1, 0, 0)))
    )


def test_a_rod_between_one_body_and_itself_is_refused(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    tool = JointTool(context, "distance")
    click(tool, 0.0, 0.0, body="link_1")
    click(tool, 0.2, 0.0, body="link_1")
    assert not mechanism(context).joints and "two bodies" in context.message and not tool.finished


@pytest.mark.parametrize("type", ["spring", "damper", "actuator"])
def test_two_clicks_make_what_acts_between_two_points(context, type):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    tool = TwoPointTool(context, type)
    click(tool, 0.2, 0.0, body="link_1")
    tool.move(at(0.2, 0.15))
    assert tool.preview.label == "150 mm" and len(tool.tentative.mechanism.forces) == 1, (
        "the coil itself is shown"
    )
    click(tool, 0.2, 0.15)
    assert tool.tentative is None
    (force,) = mechanism(context).forces.values()
    assert (
        force.type == type
        and (force.frame_a.body, force.frame_b.body) == ("link_1", GROUND)
        and tool.finished
    )
    ends = [mechanism(context).frame_in_world(f)[0] for f in (force.frame_a, force.frame_b)]
    assert ends[0] == pytest.approx((0.2, 0, 0)) and ends[1] == pytest.approx((0.2, 0, 0.15))
    assert (
        context.selection.current == force.id and context.document.undo_label == f"Add {force.name}"
    )
    if type == "spring":
        assert force.parameters["free_length"].value == pytest.approx(0.15), "at rest as drawn"


def test_both_ends_on_one_body_are_refused_and_a_pin_lends_the_other_body(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    tool = TwoPointTool(context, "spring")
    click(tool, 0.0, 0.0, body="link_1")
    click(tool, 0.2, 0.0, body="link_1")
    assert not mechanism(context).forces and "two bodies" in context.message
    JointTool(context)
    click(JointTool(context), 0.0, 0.0, body="link_1")
    tool = TwoPointTool(context, "spring")
    click(tool, 0.0, 0.0, body="link_1")
    click(tool, 0.2, 0.0, body="link_1")
    (force,) = mechanism(context).forces.values()
    assert {force.frame_a.body, force.frame_b.body} == {GROUND, "link_1"}, (
        "the pin's other body holds the first end"
    )


def test_a_force_needs_a_body_and_a_bushing_joins_two(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    tool = PointForceTool(context, "torque")
    click(tool, 0.1, 0.3)
    assert "no body here" in context.message
    click(tool, 0.2, 0.0, body="link_1")
    tool.key("enter")
    tool = BushingTool(context)
    assert not tool.wants("r")
    click(tool, 0.0, 0.0, body="link_1")
    torque, bushing = mechanism(context).forces.values()
    assert torque.type == "torque" and torque.frame_b.body == "link_1"
    assert bushing.type == "bushing" and {bushing.frame_a.body, bushing.frame_b.body} == {
        GROUND,
        "link_1",
    }
    assert bushing.parameters["k_x_x"].value > 0 and bushing.parameters["k_rx_rx"].value > 0


def two_cranks(context):
    for x in (0.0, 0.3):
        draw(context, (x, 0), (x + 0.1, 0.0), end="escape")
        click(JointTool(context), x, 0.0, body=f"link_{1 + round(x / 0.3)}")
    return tuple(mechanism(context).joints)


def test_the_pick_tool_asks_for_two_joints_and_couples_them(context):
    joints = two_cranks(context)
    tool = PickTool(context, "gear")
    assert "first joint" in tool.hint
    click(tool, 0.2, 0.2)
    assert "no joint here" in context.message
    click(tool, 0.0, 0.0)
    assert "second joint" in tool.hint and context.message == "" and not tool.finished
    tool.take(joints[1])
    (coupling,) = mechanism(context).couplings.values()
    assert (
        tuple(e.joint for e in coupling.ends) == joints
        and coupling.parameters["ratio"].value == -1.0
    )
    assert tool.finished and context.document.undo_label == "Add gear pair 1 at A and B"


def test_joints_unfit_for_a_coupling_are_refused_with_the_reason(context):
    joints = two_cranks(context)
    tool = PickTool(context, "rack_and_pinion")
    for joint in joints:
        tool.take(joint)
    assert (
        not mechanism(context).couplings
        and context.message
        == "Rack and pinion needs one joint that turns and one that slides; A and B are not such."
    )
    assert "first joint" in tool.hint, "it asks again"


def test_a_drive_on_a_joint_that_leaves_no_motion_is_refused(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    click(JointTool(context, "fixed"), 0.0, 0.0, body="link_1")
    tool = PickTool(context, "drive")
    tool.take("joint_1")
    assert (
        context.message == "A leaves no motion that could be driven."
        and not mechanism(context).drives
    )


def test_new_elements_have_all_their_numbers(context):
    """Every field that is not optional has a quantity."""
    joints = two_cranks(context)
    for what in ("drive", "joint_spring", "joint_damper", "motor", "friction", "servo"):
        PickTool(context, what).take(joints[0])
    for what in ("gear", "belt", "crossed_belt"):
        tool = PickTool(context, what)
        for joint in joints:
            tool.take(joint)
    m = mechanism(context)
    assert len(m.forces) == 5 and len(m.couplings) == 3 and len(m.drives) == 1
    for id, element in fields.elements(context.document.project):
        for field in fields.fields(element, id, m):
            assert field.optional or fields.read(element, field.path) is not None, (id, field.path)


def test_before_the_last_click_the_coupling_is_shown_as_it_will_be(context):
    joints = two_cranks(context)
    tool = PickTool(context, "gear")
    tool.move(at(0.0, 0.0))
    assert tool.tentative is None, "one more joint is requested"
    click(tool, 0.0, 0.0)
    tool.move(at(0.3, 0.0))
    (coming,) = tool.tentative.mechanism.couplings.values()
    assert (
        tuple(e.joint for e in coming.ends) == joints
        and tool.preview.label == "Gear pair 1 to 1, turning opposite ways"
    )
    assert not mechanism(context).couplings
    tool.move(at(0.15, 0.3))
    assert tool.tentative is None and tool.preview.label == ""
    tool.move(at(0.3, 0.0))
    tool.cancel()
    assert tool.tentative is None


def test_before_a_click_that_cannot_be_the_reason_is_shown(context):
    two_cranks(context)
    tool = PickTool(context, "rack_and_pinion")
    click(tool, 0.0, 0.0)
    tool.move(at(0.3, 0.0))
    assert tool.tentative is None and tool.preview.label.startswith(
        "Rack and pinion needs one joint that turns and one that slides"
    )


def test_a_number_typed_while_a_coupling_is_drawn_is_exact_and_keeps_the_sense(context):
    two_cranks(context)
    tool = PickTool(context, "gear")
    assert "type the ratio" in tool.hint
    click(tool, 0.0, 0.0)
    for key in "2.5":
        assert tool.wants(key) and tool.key(key)
    tool.move(at(0.3, 0.0))
    assert tool.preview.label.startswith("ratio 2.5▏") and tool.tentative is not None
    click(tool, 0.3, 0.0)
    (coupling,) = mechanism(context).couplings.values()
    assert coupling.parameters["ratio"] == Quantity(-2.5, "-2.5"), (
        "two wheels beside each other turn opposite ways, whatever the ratio"
    )


def test_a_typed_nonsense_keeps_the_first_joint_and_esc_takes_the_number_back(context):
    two_cranks(context)
    tool = PickTool(context, "gear")
    click(tool, 0.0, 0.0)
    for key in "2 mm":
        tool.key(key)
    click(tool, 0.3, 0.0)
    assert not mechanism(context).couplings and "number" in context.message and not tool.finished
    assert tool.key("escape") and not tool.numbers.typed and not tool.finished
    for key in "0":
        tool.key(key)
    tool.move(at(0.3, 0.0))
    assert "other than zero" in tool.preview.label
    tool.key("escape")
    click(tool, 0.3, 0.0)
    assert len(mechanism(context).couplings) == 1


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(2.0, "2 to 1, turning the same way"), (-2.0, "2 to 1, turning opposite ways")],
)
def test_the_words_of_a_gear_pair_tell_its_sense(context, ratio, words):
    two_cranks(context)
    tool = PickTool(context, "gear")
    click(tool, 0.0, 0.0)
    click(tool, 0.3, 0.0)
    (gear,) = mechanism(context).couplings.values()
    gear = elements.replace(gear, parameters={**gear.parameters, "ratio": Quantity(ratio)})
    project = elements.put_element(context.document.project, gear.id, gear)
    assert picker.words(project, gear.id, "mm-N-deg") == f"Gear pair {words}"
