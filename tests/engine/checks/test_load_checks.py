"""Findings on forces, laws, couplings, drives and stops that cannot work: object, cause and cure,
before anything is computed.
"""

import math

import msgspec
import pytest

from mechstudio.engine.checks.elements import check_elements, check_forces
from mechstudio.model.mechanism import (
    GROUND,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Limit,
    Mechanism,
)
from mechstudio.model.quantity import Quantity
from tests.engine.problems import body, joint
from tests.model.laws.test_evaluation import law

replace = msgspec.structs.replace


def drawing(forces=(), couplings=(), drives=(), **changes):
    """A pin, a slide, and a second pin.   changes: attributes of joints by id."""
    bodies = {
        id: body(id, 1.0, (x, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
        for x, id in enumerate(("one", "two", "three"))
    }
    joints = {
        id: joint(id, type, GROUND, b, (x, 0, 0), (0, 0, 1), bodies)
        for x, (id, type, b) in enumerate(
            (
                ("pin", "revolute", "one"),
                ("slide", "prismatic", "two"),
                ("second", "revolute", "three"),
            )
        )
    }
    joints = {id: replace(j, **changes.get(id, {})) for id, j in joints.items()}
    by_id = lambda elements: {e.id: e for e in elements}
    return Mechanism(
        bodies, joints, by_id(forces), couplings=by_id(couplings), drives=by_id(drives)
    )


def said(mechanism):
    return [
        (f.severity, f.message, f.cure)
        for f in (*check_elements(mechanism), *check_forces(mechanism))
    ]


def only(mechanism):
    found = said(mechanism)
    assert len(found) == 1, found
    severity, message, cure = found[0]
    assert cure.endswith(".") and message.endswith(".") and message[0].isupper()
    return f"{severity}: {message}"


def motor(joint="pin", coordinate=0, type="motor_torque", laws=None, **numbers):
    return Force(
        "M",
        "motor",
        type,
        {k: Quantity(v) for k, v in (numbers or {"torque": 1.0}).items()},
        joint=joint,
        coordinate=coordinate,
        laws=laws or {},
    )


def typed(text, **numbers):
    return law("expression", text, **numbers)


def test_a_sound_drawing_is_not_commented():
    gear = Coupling(
        "G",
        "gear",
        "gear",
        (CoordinateOf("pin"), CoordinateOf("second")),
        {"ratio": Quantity(-2.0)},
    )
    cam = Coupling(
        "C", "cam", "cam", (CoordinateOf("pin"), CoordinateOf("slide")), law=law("cam", lift=0.01)
    )
    stops = {"limits": (Limit(0, Quantity(-1.0), Quantity(1.0), stiffness=Quantity(100.0)),)}
    m = drawing(
        [motor(laws={"torque": typed("-k*x+q_second*1 N*m/rad", k=3.0)})],
        [gear, cam],
        [Drive("D", "drive", "pin", law=typed("1 rad/s*sin(t*1 rad/s)"))],
        second=stops,
    )
    assert said(m) == []


@pytest.mark.parametrize(
    ("force", "message"),
    [
        (motor("gone"), "error: Motor acts on joint gone, which does not exist."),
        (motor("slide"), "error: Motor needs a coordinate that turns, but slide of slide slides."),
        (motor(coordinate=1), "error: Motor acts on coordinate 2 of pin, which has 1."),
        (motor(force=1.0), "error: Motor has no torque."),
        (motor(torque=math.nan), "error: The torque of Motor is not a possible number."),
        (
            motor(type="friction_torque", torque=-1.0),
            "error: The friction torque of Motor is negative: it would drive the joint instead of "
            "braking it.",
        ),
        (
            motor("slide", type="friction_force", force=-1e-9),
            "error: The friction force of Motor is negative: it would drive the joint instead of "
            "braking it.",
        ),
        (motor(type="propeller"), "error: Motor is of the unknown type propeller."),
        (
            motor(laws={"torque": law("table")}),
            (
                "error: The law of torque of Motor cannot be used. The table has no points; give "
                "it at least two."
            ),
        ),
        (
            motor(laws={"torque": typed("5 N")}),
            "error: The law of torque of Motor cannot be used. torque expected, got force",
        ),
        (
            motor(laws={"torque": typed("k*speed", k=2.0)}),
            "error: The law of torque of Motor cannot be used. speed is not known here.",
        ),
        (
            motor(laws={"torque": typed("2*(3")}),
            "error: The law of torque of Motor cannot be used. A closing bracket is missing.",
        ),
        (
            motor(laws={"torque": typed("k", k=math.inf)}),
            (
                "error: The law of torque of Motor cannot be used. It takes something that is "
                "not a number from a parameter."
            ),
        ),
        (
            motor(laws={"speed": typed("5")}),
            "error: Motor has a law for speed, which is no number of it.",
        ),
        (
            motor(laws={"torque": law("cam")}),
            (
                "error: The law of torque of Motor cannot be used. Rise and return runs over the "
                "angle of a cam, not over the time; use rest to rest or a table."
            ),
        ),
        (Force("B", "mount", "bushing", {}, Frame("one")), "error: Mount has no place to act at."),
        (
            Force("B", "mount", "bushing", {}, Frame("one"), Frame("one")),
            "warning: Mount acts on one only and moves nothing.",
        ),
    ],
)
def test_forces(force, message):
    assert only(drawing([force])).startswith(message)


@pytest.mark.parametrize(
    ("drive", "message"),
    [
        (Drive("D", "crank", "gone"), "error: Crank acts on joint gone, which does not exist."),
        (Drive("D", "crank", "pin", 3), "error: Crank acts on coordinate 4 of pin, which has 1."),
        (
            Drive("D", "crank", "pin", quantity="jerk"),
            "error: Crank prescribes something unknown, jerk.",
        ),
        (
            Drive("D", "crank", "pin", law=typed("x")),
            (
                "error: The law of Crank cannot be used. x is not known here; a law may name t "
                "and parameters."
            ),
        ),
        (
            Drive("D", "crank", "pin", law=typed("5 rad")),
            "error: The law of Crank cannot be used. angular velocity expected, got angle",
        ),
        (
            Drive("D", "crank", "pin", law=law("ramp", duration=0.0)),
            "error: The law of Crank cannot be used. Lasts must be larger than zero.",
        ),
        (
            Drive("D", "crank", "pin", law=typed("1 rad/s*log(t/(1 s))")),
            "error: The law of Crank has no value or no slope at the start of a run.",
        ),
    ],
)
def test_drives(drive, message):
    assert only(drawing(drives=[drive])).startswith(message)


def test_two_drives_on_one_coordinate():
    first, second = Drive("D", "crank", "pin"), Drive("E", "hand", "pin")
    assert (
        only(drawing(drives=[first, second]))
        == "error: Hand and crank prescribe the same coordinate."
    )
    assert said(drawing(drives=[first, replace(second, enabled=False)])) == []


PIN, SLIDE, SECOND = CoordinateOf("pin"), CoordinateOf("slide"), CoordinateOf("second")


@pytest.mark.parametrize(
    ("coupling", "message"),
    [
        (
            Coupling("G", "gear", "gear", (PIN, PIN), {"ratio": Quantity(1.0)}),
            "error: Gear relates a coordinate to itself.",
        ),
        (
            Coupling("G", "gear", "gear", (PIN, SLIDE), {"ratio": Quantity(1.0)}),
            "error: Gear needs a coordinate that turns, but slide of slide slides.",
        ),
        (
            Coupling("G", "gear", "gear", (PIN, CoordinateOf("gone")), {"ratio": Quantity(1.0)}),
            "error: Gear acts on joint gone, which does not exist.",
        ),
        (
            Coupling("G", "gear", "gear", (PIN,), {"ratio": Quantity(1.0)}),
            "error: Gear relates 1 coordinates, but a gear pair needs 2.",
        ),
        (
            Coupling("G", "gear", "gear", (PIN, SECOND), {"ratio": Quantity(0.0)}),
            "error: The ratio of Gear is zero, so that it couples nothing.",
        ),
        (
            Coupling("G", "gear", "gear", (PIN, SECOND)),
            "error: The ratio of Gear is missing or not a possible number.",
        ),
        (Coupling("G", "cam", "cam", (PIN, SLIDE)), "error: Cam has no law for its follower."),
        (
            Coupling("G", "cam", "cam", (PIN, SLIDE), law=law("sine")),
            "error: The law of Cam cannot be used. A sine runs over the time",
        ),
        (
            Coupling("G", "cam", "cam", (PIN, SLIDE), law=typed("5 mm*t/(1 s)")),
            (
                "error: The law of Cam cannot be used. t is not known here; a law may name a and "
                "parameters."
            ),
        ),
        (
            Coupling("G", "cam", "cam", (PIN, SLIDE), law=law("cam", rise=4.0, fall=3.0)),
            (
                "error: The law of Cam cannot be used. Rise, dwell and fall together are more "
                "than one turn"
            ),
        ),
        (
            Coupling("G", "g", "geneva", (PIN, SECOND), law=law("cam")),
            "error: G cannot follow its law, as a geneva drive.",
        ),
        (
            Coupling("G", "g", "cam", (PIN, SECOND), law=law("geneva")),
            "error: G cannot follow its law, as a cam.",
        ),
        (
            Coupling("G", "g", "cam", (PIN, SLIDE), law=law("geneva")),
            "error: The law of G cannot be used. A Geneva wheel turns",
        ),
        *(
            (
                Coupling("G", "g", "geneva", (PIN, SECOND), law=law("geneva", slots=slots)),
                "error: The law of G cannot be used. A Geneva wheel has a whole number of slots, "
                f"at least 3, not {reported}",
            )
            for slots, reported in ((2.0, "2"), (0.0, "0"), (-4.5, "4.5"))
        ),
        (
            Coupling("G", "g", "geneva", (PIN, SECOND), law=law("geneva", slots=-4.0)),
            "warning: The wheel of G turns against its slots",
        ),
    ],
)
def test_couplings(coupling, message):
    assert only(drawing(couplings=[coupling])).startswith(message)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (
            Limit(0, Quantity(1.0), Quantity(-1.0)),
            "error: The lower stop of Pin stands above the upper one.",
        ),
        (Limit(2, Quantity(-1.0)), "error: Pin has a stop on coordinate 3, but 1 coordinates."),
        (
            Limit(0, Quantity(math.nan)),
            "error: A stop of Pin stands at something that is not a possible number.",
        ),
        (
            Limit(0, Quantity(-1.0), stiffness=Quantity(-5.0)),
            "error: A soft stop of Pin has a negative stiffness or damping.",
        ),
        (
            Limit(0, Quantity(-1.0), stiffness=Quantity(0.0)),
            "warning: A soft stop of Pin has neither stiffness nor damping and stops nothing.",
        ),
    ],
)
def test_stops(limit, message):
    assert only(drawing(pin={"limits": (limit,)})) == message


def test_stops_twice_on_one_coordinate():
    assert (
        only(drawing(pin={"limits": (Limit(0, Quantity(-1.0)), Limit(0, None, Quantity(1.0)))}))
        == "error: Angle of pin has stops twice."
    )


def test_a_screw_without_pitch():
    assert only(drawing(pin={"type": "screw", "parameters": {"pitch": Quantity(0.0)}})).startswith(
        "error: Pin has the pitch zero and moves nothing along its axis."
    )
    assert only(drawing(pin={"type": "screw"})).startswith("error: Pin has no pitch.")
