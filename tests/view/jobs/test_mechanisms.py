"""Eight mechanisms that engineers sketch, each drawn from an empty window in at most 40 clicks and
100 keys, and compared with the same kinematics made by the Builder.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import pytest
from PySide6 import QtCore

import mechstudio as ms
from mechstudio.model.edits.elements import set_attribute
from mechstudio.model.geometry.rotation import conjugate, multiply
from tests.view.jobs.counting import hand, structure_of

__all__ = ["hand"]

SHIFT = QtCore.Qt.KeyboardModifier.ShiftModifier


def toggle_clamp(hand):
    hand.type("l")
    hand.click_front((0, 0), (0.05, 0.15), (0.3, 0.2), (0.3, 0))
    hand.type("⏎")


def windscreen_wiper(hand):
    hand.type("l")
    hand.click_front((0, 0), (0, 0.05), (0.25, 0.1), (0.25, 0))
    hand.type("⏎l")
    hand.click_front((0, 0.05), (-0.25, 0.1), (-0.25, 0))
    hand.type("⏎")


def landing_gear(hand):
    hand.type("l")
    hand.click_front((0, 0.3), (0, 0))
    hand.type("⏎bd")
    hand.click_front((0, 0))
    hand.type("80⏎⏎␛j")
    hand.click_front((0, 0))
    hand.type("␛l")
    hand.click_front((0, 0.15), (0.15, 0.15), (0.2, 0.3))
    hand.type("⏎")


def whitworth(hand):
    hand.type("l")
    hand.click_front((0, 0.1), (0.1, 0.1))
    hand.type("⏎l")
    hand.click_front((0, 0), (0.2, 0.2))
    hand.type("⏎j")
    hand.point((0.1, 0, 0.1))
    hand.type("l")  # a slot along the lever
    hand.click_front((0.1, 0.1))
    hand.type("␛l")
    hand.click_front((0.2, 0.2))
    hand.type("p")
    hand.click_front((0.35, 0.2))
    hand.type("⏎")


def folding_chair(hand):
    hand.type("l")
    hand.click_front((0, 0), (0.3, 0.3))
    hand.type("⏎l")
    hand.click_front((0.3, 0), (0, 0.3))
    hand.type("␛j")
    hand.click_front((0.15, 0.15))
    hand.type("␛j")
    hand.point((0.3, 0, 0))
    hand.type("l⇥")  # the foot slides on the floor
    hand.click_front((0.3, 0))
    hand.type("␛")


def excavator_arm(hand):
    hand.type("l")
    hand.click_front((-0.2, 0), (0.0, 0.2), (0.2, 0.1))
    hand.type("␛j")
    hand.click_front((-0.2, 0))
    # a cylinder of two links that slide in each other, and one more
    hand.type("␛l")
    hand.click_front((-0.1, -0.1))
    hand.type("p")
    hand.click_front((-0.1, 0), (-0.1, 0.1))
    hand.type("⏎l")
    hand.click_front((-0.1, 0.1))
    hand.type("p")
    hand.click_front((0, 0.1), (0.1, 0.15))
    hand.type("⏎")


def bicycle_suspension(hand):
    hand.type("l")
    hand.click_front((0, 0), (-0.2, -0.05), (-0.1, 0.15), (0, 0.15))
    hand.type("⏎s")
    hand.click_front((-0.05, 0.15), (-0.05, 0.3))
    hand.type("␛")


def delta_robot(hand):
    hand.badge("Top")
    hand.type("yg100,-30⏎100,30⏎g200,-30,50⏎200,30,50⏎⏎")
    hand.type("60,-30,-200⏎60,30,-200⏎-60,0,-200⏎⏎␛0aww")
    for y in (-0.03, 0.03):
        hand.type("l")
        hand.click((0.2, y, 0.05))
        hand.click((0.06, y, -0.2))
        hand.type("⏎")
    hand.type("␛")
    hand.click((0.15, 0, 0.026))
    for y in (-0.03, 0.03):
        hand.click((0.13, y, -0.075), SHIFT)
    hand.palette("polar")
    hand.type("3")
    hand.click((0, 0, 0))


class Job(NamedTuple):
    """Mechanism that a person draws, and what it should be.

    joints: type, first and second body by letters, "g" the ground, in the order of drawing.
    structure: mobility, hyperstaticity, loops.
    turned: number of the pin that is turned.  looked: number of
    the joint whose place is compared.  held: numbers of joints that are held meanwhile.
    """

    draw: Callable
    joints: str
    structure: tuple[int, int, int]
    turned: int
    looked: int
    held: tuple[int, ...] = ()


JOBS = (
    Job(toggle_clamp, "pin ga, pin ab, pin bc, pin gc", (1, 3, 1), 0, 2),
    Job(
        windscreen_wiper,
        "pin ga, pin ab, pin bc, pin gc, pin bd, pin de, pin ge",
        (1, 6, 2),
        0,
        5,
    ),
    Job(landing_gear, "pin ga, pin aw, pin ab, pin bc, pin gc", (2, 3, 1), 0, 3, (1,)),
    Job(whitworth, "pin ga, pin gb, on_line ba, pin bc, on_line gc", (1, 2, 2), 0, 3),
    Job(folding_chair, "pin ga, pin ab, on_line gb", (1, 1, 1), 0, 2),
    Job(
        excavator_arm,
        "pin ab, pin ga, pin gc, slider cd, pin da, pin ae, slider ef, pin fb",
        (2, 6, 2),
        1,
        7,
        (6,),
    ),
    Job(bicycle_suspension, "pin ga, pin ab, pin bc, pin gc", (1, 3, 1), 0, 2),
    Job(
        delta_robot,
        "pin ga, ball ab, ball bp, ball ac, ball cp, "
        "pin gd, ball de, ball ep, ball df, ball fp, pin gh, ball hi, ball ip, ball hj, ball jp",
        (9, 0, 5),
        0,
        2,
        (5, 10),
    ),
)


def built(project, job):
    """The Builder's model with joints at the places that were clicked."""
    m, b = project.mechanism, ms.Builder()
    bodies = {"g": b.ground}
    for joint, words in zip(m.joints.values(), job.joints.split(", "), strict=True):
        type, (first, second) = words.split()
        place, q = m.frame_in_world(joint.frame_a)
        for letter in (first, second):
            if letter not in bodies:
                bodies[letter] = b.body(letter, at=place).sphere(0.01)
        given = {} if type == "ball" else {"axis": _axis(q)}
        getattr(b, type)(joint.name, bodies[first], bodies[second], at=place, **given)
    return b.project()


def _axis(q):
    w, x, y, z = q
    return (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))


def moved(project, job, degrees):
    """Place of the examined joint after the input was turned."""
    ids = list(project.mechanism.joints)
    for k in job.held:
        project = set_attribute(project, ids[k], type="fixed")
    m = project.mechanism
    joint = m.joints[ids[job.turned]]
    qa, qb = (m.frame_in_world(f)[1] for f in (joint.frame_a, joint.frame_b))
    w, _, _, z = multiply(conjugate(qa), qb)
    now = math.remainder(2 * math.atan2(z, w), 2 * math.pi)
    after = ms.at(project, joint.name, now + math.radians(degrees)).mechanism
    return after.frame_in_world(after.joints[ids[job.looked]].frame_b)[0]


@pytest.mark.thinned(2)
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.draw.__name__)
@pytest.mark.thinned(3)
def test_drawn_by_hand(hand, job):
    job.draw(hand)
    print(f"{job.draw.__name__}: {hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= 40 and hand.keys <= 100
    project = hand.studio.document.project
    model = built(project, job)
    assert [j.type for j in project.mechanism.joints.values()] == [
        j.type for j in model.mechanism.joints.values()
    ]
    drawn, known = structure_of(hand), ms.check(model).structure
    assert (drawn.mobility, drawn.hyperstaticity, drawn.loops) == job.structure
    assert (known.mobility, known.hyperstaticity, known.loops) == job.structure
    start = moved(model, job, 0)
    for degrees in (-1.5, 1, 2):
        there = moved(project, job, degrees)
        assert there == pytest.approx(moved(model, job, degrees), abs=1e-9)
        assert math.dist(there, start) > 1e-4, "it moves"
