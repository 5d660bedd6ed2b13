"""Equilibria and small motions with stops, sticking friction, laws of the time and loads that
cancel.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses import equilibria as search
from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.analyses.rest import stops as rests
from mechstudio.engine.dynamics.partition import coordinate_names
from mechstudio.engine.system.stops import hard_stops
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import Limit
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from tests.engine.analyses.test_analyses import G, double_pendulum

DEG = math.pi / 180


def stopped(angle, lower, upper):
    """A rod of 2 kg and 1 m on a pin with stops, all angles from the level in degrees."""
    b = ms.Builder("Rod")
    rod = b.body("rod", mass=2, center_of_mass=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6))
    b.pin("A", b.ground, rod, at=(0, 0, 0), limits=(f"{lower} deg", f"{upper} deg"))
    return ms.at(b.project(), "A", angle * DEG)


def hinge(torque="", **parts):
    """A bob of 1 kg half a metre below a pin, with a motor where a torque is given."""
    b = ms.Builder("Bob", **parts)
    bob = b.body("bob", mass=1, center_of_mass=(0, 0, -0.5), inertia=(0.01,) * 3)
    pin = b.pin("h", b.ground, bob, at=(0, 0, 0))
    if torque:
        b.force("motor_torque", "T", joint=pin, torque=torque)
    return b, pin


def said(table, words):
    return any(words in note for note in table.notes)


def test_a_pendulum_between_stops_rests_on_one():
    # -90 degrees is out of reach; the weight presses it on the stop at -60
    found = analyse(stopped(-45, -60, 30), "equilibria", starts=12)
    assert found.labels == ["against a stop"] and found.residual < 1e-9
    assert found.rows[0, 0] == pytest.approx(-60 * DEG, abs=1e-9)
    assert said(found, "Number 1 of the list rests against the lower stop of joint A")
    assert said(found, "Others lie beyond the lower stop of joint A")


def test_a_pendulum_upright_between_stops():
    # it falls on either stop; hanging is out of reach
    found = analyse(stopped(80, 30, 150), "equilibria", starts=12)
    where = dict(zip(np.round(found.rows[:, 0] / DEG, 6), found.labels))
    assert where == {30.0: "against a stop", 150.0: "against a stop", 90.0: "unstable"}
    # stops that it hangs free of change nothing
    free = analyse(stopped(-45, -120, -30), "equilibria", starts=12)
    assert free.labels == ["stable"] and free.rows[0, 0] == pytest.approx(-90 * DEG)
    assert not said(free, "rests against")


def test_a_stop_on_the_other_crank_of_a_loop():
    # both cranks of a parallelogram turn alike: the stop of the far one holds it
    b = ms.Builder("Parallelogram")
    tip = (0.5 * math.cos(0.5), 0, -0.5 * math.sin(0.5))
    near = b.link("near", (0, 0, 0), tip)
    bar = b.link("bar", tip, (1 + tip[0], 0, tip[2]))
    far = b.link("far", (1, 0, 0), (1 + tip[0], 0, tip[2]))
    b.pin("A", b.ground, near, at=(0, 0, 0))
    b.pin("B", near, bar, at=tip)
    b.pin("C", bar, far, at=far.end)
    b.pin("D", b.ground, far, at=(1, 0, 0), limits=("-60 deg", "30 deg"))
    found = analyse(b.project(), "equilibria", starts=8)
    rows = [r for r, label in zip(found.rows, found.labels) if label == "against a stop"]
    assert found.residual < 1e-7 and rows
    assert all(r[3] == pytest.approx(-60 * DEG, abs=1e-9) for r in rows)
    assert any(r[0] == pytest.approx(-60 * DEG, abs=1e-9) for r in rows)


def test_stops_among_several_coordinates_are_spoken_of():
    m, limit = double_pendulum(), Limit(0, Quantity(-1.0), Quantity(1.0))
    pin = msgspec.structs.replace(m.joints["B"], limits=(limit,))
    m = msgspec.structs.replace(m, joints=m.joints | {"B": pin})
    found = analyse(Project(m), "equilibria", starts=8)
    assert said(found, "only where one coordinate decides")
    assert all(abs(x) < 1.0 for x in found.rows[:, 1])


def test_modes_on_a_stop_say_so():
    on = analyse(stopped(-60, -60, 30), "linearise")
    assert on.notes[0].startswith("The state rests against the lower stop of joint A")
    assert f"accelerate by {-1.5 * G * math.cos(60 * DEG):.3g} rad/s²" in on.notes[0]
    # the weight pulls it off an upper stop, and away from any it touches none
    for angle in (30, -45):
        assert analyse(stopped(angle, -60, 30), "linearise").notes[0].startswith("The state is no")


def test_friction_that_sticks_is_spoken_of():
    for speed, spoken in ((0, True), (0.01, False)):
        b, pin = hinge()
        b.force("friction_torque", "rub", joint=pin, torque=1, speed=speed)
        for what, words in (
            ("equilibria", "there are intervals of rest about each of these"),
            ("linearise", "it holds nothing at rest"),
            ("matrices", "it holds nothing at rest"),
        ):
            found = analyse(b.project(), what, **({"starts": 6} if what == "equilibria" else {}))
            assert said(found, words) is spoken and said(found, "(rub)") is spoken


def balanced(share=1.0):
    """An arm of 2 kg held by a spring of no free length: m g c = k a h where share is 1."""
    b = ms.Builder("Lamp")
    arm = b.body("arm", mass=2, center_of_mass=(0.3, 0, 0), inertia=(0.01,) * 3)
    pin = b.pin("h", b.ground, arm, at=(0, 0, 0))
    k = share * 2 * G * 0.3 / (0.25 * 0.2)
    places = ((0, 0, 0.2), (0.25, 0, 0))
    b.force("spring", "s", a=b.ground, b=arm, at=places, stiffness=k, free_length=0)
    return b, pin


def test_a_balanced_arm_rests_everywhere():
    found = analyse(balanced()[0].project(), "equilibria", starts=12)
    assert found.labels == ["neutral"] and found.residual < 1e-9
    assert said(found, "Every position is an equilibrium: loads move the mechanism at none of 13")
    assert not said(found, "from 12 starts") and found.rows[0, -2] == 0.0
    # a thousandth too much holds it upright alone
    over = analyse(balanced(1.001)[0].project(), "equilibria", starts=12)
    assert over.labels == ["stable", "unstable"] and not said(over, "Every position")


def test_a_motor_that_bears_the_weight_rests_everywhere():
    b, _ = hinge(f"{0.5 * G!r} N*m*sin(x)")
    found = analyse(b.project(), "equilibria", starts=8)
    assert found.labels == ["neutral"] and said(found, "Every position is an equilibrium")


def test_a_balanced_arm_beside_a_pendulum_is_one_family():
    # the arm rests anywhere, the pendulum hanging or upright: two families
    b, _ = balanced()
    bob = b.body("bob", (1, 0, 0), mass=1, center_of_mass=(0, 0, -0.5), inertia=(0.01,) * 3)
    b.pin("p", b.ground, bob, at=(1, 0, 0))
    found = analyse(b.project(), "equilibria", starts=12)
    assert found.labels == ["neutral", "unstable"] and said(found, "Numbers 1, 2")
    assert sorted(abs(math.cos(x)) for x in found.rows[:, 1]) == pytest.approx([1, 1])


@pytest.mark.parametrize(("share", "word"), [(1.0, "neutral"), (1.0002, "stable")])
def test_a_stiffness_that_cancels_is_none(share, word):
    # an upright bob on a spring of m g l: what differences leave of its stiffness has no meaning
    b = ms.Builder("Critical")
    bob = b.body("bob", mass=1, center_of_mass=(0, 0, 0.5), inertia=(0.01,) * 3)
    pin = b.pin("h", b.ground, bob, at=(0, 0, 0))
    b.force("torsion_spring", "s", joint=pin, stiffness=share * 0.5 * G, free_angle=0)
    assert analyse(b.project(), "equilibria", starts=1).labels == [word]


def test_searches_start_between_stops():
    system = compile_system(stopped(-45, -60, 30).mechanism)
    names, stops = coordinate_names(system), hard_stops(system)
    rest, random = system.start.copy(), np.random.default_rng(0)
    ends = [search._walked(system, rest, names, random, stops)[0] for _ in range(12)]
    assert min(ends) > -61 * DEG and max(ends) < 31 * DEG and np.ptp(ends) > 30 * DEG


@pytest.mark.parametrize("which", ["motor", "truss"])
def test_loads_that_all_vanish_leave_nothing(which):
    # -3 sin 2x is zero at the multiples of a right angle; the spring of a truss is unloaded where
    # it has its free length, and along the line of its ends it pushes against nothing
    if which == "motor":
        b = ms.Builder("Motor", gravity=(0, 0, 0))
        wheel = b.body("wheel", mass=1, inertia=(1, 1, 1))
        pin = b.pin("h", b.ground, wheel, at=(0, 0, 0))
        b.force("motor_torque", "T", joint=pin, torque="-3 N*m*sin(2*x)")
        expected = [-math.pi, -math.pi / 2, 0, math.pi / 2]
    else:
        b = ms.Builder("Truss", gravity=(0, 0, 0))
        block = b.body("block", (0, 0, 0.3), mass=1, inertia=(1, 1, 1))
        b.slider("S", b.ground, block, at=(0, 0, 0.3), axis=(0, 0, 1))
        places, free = ((1, 0, 0), (0, 0, 0.3)), math.hypot(1, 0.3)
        b.force("spring", "K", a=b.ground, b=block, at=places, stiffness=100, free_length=free)
        expected = [-0.6, -0.3, 0.0]
    found = analyse(b.project(), "equilibria", starts=24)
    assert sorted(found.rows[:, 0]) == pytest.approx(expected, abs=1e-6)
    assert found.residual < 1e-7 and found.rows[:, -1].max() < 1e-7


def test_laws_of_the_time_make_momentary_equilibria():
    # at t = 0 the torque is 3 N m: asin(3 / (m g l))
    b, _ = hinge("3 N*m*cos(2 rad/s*t)")
    found = analyse(b.project(), "equilibria", starts=8)
    assert (
        found.labels == ["momentary", "momentary"]
        and "of T stands still at t = 0 s" in found.notes[0]
    )
    assert found.rows[0, 0] == pytest.approx(math.asin(3 / (0.5 * G)))
    modes = analyse(b.project(), "linearise", time=0.25)
    assert said(modes, "of T is taken at t = 0.25 s")
    # a torque that does not read the time lasts
    still, _ = hinge("3 N*m")
    still = analyse(still.project(), "equilibria", starts=8)
    assert still.labels == ["stable", "unstable"] and not said(still, "momentary")


def test_drives_that_move_make_momentary_equilibria():
    for law, momentary, changing in (
        ({"speed": 10}, True, False),
        ({"position": "10 rad/s*t"}, True, False),
        ({"position": ms.sine("1 rad", "2 Hz")}, True, True),
        ({"position": 0}, False, False),
    ):
        b = ms.Builder("Governor")
        hub = b.body("hub", mass=1, inertia=(1, 1, 1))
        arm = b.body("arm", mass=1, center_of_mass=(0, 0, -0.5), inertia=(0.01,) * 3)
        spin = b.pin("spin", b.ground, hub, at=(0, 0, 0), axis=(0, 0, 1))
        b.pin("h", hub, arm, at=(0, 0, 0))
        b.drive("d", spin, **law)
        found = analyse(b.project(), "equilibria", starts=6)
        assert (found.labels[0] == "momentary") is momentary, law
        assert said(found, "of d stands still") is momentary, law
        assert said(analyse(b.project(), "linearise"), "of d is taken at t = 0 s") is changing, law


def test_a_rest_against_a_stop_needs_a_load_that_presses(monkeypatch):
    # a fault in the sense of a stop would list 30 degrees, from which the weight pulls it
    turned = rests.slope
    monkeypatch.setattr(search, "slope", lambda *given: -turned(*given))
    found = analyse(stopped(-45, -60, 30), "equilibria", starts=4)
    assert found.rows[:, 0] == pytest.approx([30 * DEG])
