"""Surfaces that run along themselves, and impacts that turn the slip round: closed forms."""

import numpy as np
import pytest

from mechstudio.engine.integration.options import RunOptions
from mechstudio.model.contact import ContactSettings, Surface
from mechstudio.model.mechanism import GROUND, Frame, Joint, Placement
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import G, Q, ball, box, box_shape, mechanism
from tests.engine.contacts.stepping.test_energy_account import closes, record
from tests.engine.contacts.stepping.test_soft_rows import at, spring

CUBE = (0.1, 0.1, 0.1)


def skin(friction=0.5, **numbers):
    return Surface(friction=Q(friction), **{name: Q(value) for name, value in numbers.items()})


def options(duration, step=1e-3, sample_step=0.01, **more):
    return RunOptions(
        duration=duration,
        sample_step=sample_step,
        contacts=ContactSettings(step=Q(step), **more),
    )


def parcel(v=0.0, **more):
    return box("box", CUBE, 2.0, (0.0, 0.0, 0.05), v=(v, 0.0, 0.0), surface=skin(), **more)


@pytest.mark.parametrize(("speed", "v"), [(1.0, 0.0), (-1.0, 0.0), (0.5, 2.0), (1.0, -1.0)])
def test_a_belt_takes_a_box_along(speed, v):
    """It slips for |c - v| / (mu g), is at c from then on, and all the time friction takes from
    what drives the belt: mu m g c t, of which half the square of the slip is lost.
    """
    read, _, statistics = record(mechanism([parcel(v)], floor=skin(belt_speed=speed)), options(1.0))
    slip, taken = speed - v, abs(speed - v) / (0.5 * G)
    t = read("time")
    way = np.where(
        t < taken,
        v * t + 0.5 * np.sign(slip) * 0.5 * G * t**2,
        speed * t - 0.5 * slip * taken,
    )
    assert read("body/box/x") == pytest.approx(way, abs=2e-3)
    assert read("body/box/vx")[-1] == pytest.approx(speed, abs=1e-6)
    drives, _, friction, _ = closes(read, 1e-6)
    assert friction[-1] == pytest.approx(-0.5 * 2.0 * slip**2, rel=1e-3)
    assert drives[-1] == pytest.approx(2.0 * speed * slip, rel=1e-3)
    assert statistics.unsolved == 0


def test_a_box_swings_on_a_spring_over_a_running_belt():
    """While it is slower than the belt, friction is mu m g: x = (1 - cos w t) mu m g / k. The drive
    gives mu m g c all the time, of which friction takes what goes into slip.
    """
    held = spring(at(GROUND, -0.5, 0.0, 0.05), Frame("box"), 500.0, 0.5)
    read, _, _ = record(
        mechanism([parcel()], forces={"spring": held}, floor=skin(belt_speed=0.4)), options(1.0)
    )
    t, x, force = read("time"), read("body/box/x"), 0.5 * 2.0 * G
    assert x == pytest.approx(force / 500.0 * (1.0 - np.cos(np.sqrt(250.0) * t)), abs=2e-4)
    drives, _, friction, _ = closes(read, 1e-4)
    assert drives == pytest.approx(force * 0.4 * t, rel=1e-3, abs=1e-3)
    assert friction == pytest.approx(-force * (0.4 * t - x), rel=1e-3, abs=2e-3)


def test_a_track_drives_a_vehicle():
    """The belt of a body runs around it: below, where it lies, backwards, so that it goes ahead at
    the speed of the belt.
    """
    read, _, _ = record(
        mechanism(
            [box("track", (0.4, 0.2, 0.1), 3.0, (0.0, 0.0, 0.05), surface=skin(belt_speed=0.7))],
            floor=skin(),
        ),
        options(1.0),
    )
    assert read("body/track/vx")[-1] == pytest.approx(0.7, abs=1e-6)
    assert read("body/track/z")[-1] == pytest.approx(0.05, abs=1e-5)


def test_a_ball_on_a_belt_that_starts_under_it_rolls_backwards():
    """A solid ball that a belt drags begins to roll at 2/7 of its speed (angular momentum about
    the point of contact is kept).
    """
    read, _, _ = record(
        mechanism(
            [ball("ball", 0.05, 1.0, (0.0, 0.0, 0.05), surface=skin())],
            floor=skin(belt_speed=1.4),
        ),
        options(0.5),
    )
    assert read("body/ball/vx")[-1] == pytest.approx(2.0 / 7.0 * 1.4, rel=1e-4)


@pytest.mark.parametrize("impacts", ["moreau", "sequential"])
@pytest.mark.parametrize(("again", "friction"), [(0.0, 5.0), (0.6, 5.0), (1.0, 5.0), (1.0, 0.1)])
def test_a_superball_turns_its_slip_round(impacts, again, friction):
    """Garwin 1969: a solid ball that strikes with the slip u leaves with -e u, since its tangential
    impulse is (1 + e) 2/7 m u, or mu (1 + e_n) m v_n where friction cannot do that.
    """
    m, r, v, w = 0.1, 0.03, 1.5, 20.0
    surface = Surface(friction=Q(friction), restitution=Q(1.0), tangential_restitution=Q(again))
    read, _, _ = record(
        mechanism(
            [
                ball(
                    "ball",
                    r,
                    m,
                    (0.0, 0.0, 0.2),
                    v=(v, 0.0, -1.0),
                    w=(0.0, w, 0.0),
                    surface=surface,
                )
            ],
            floor=surface,
        ),
        options(0.15, 1e-4, 0.005, impacts=impacts),
    )
    down = np.sqrt(1.0 + 2 * G * (0.2 - r))
    slip = v - r * w
    impulse = min((1 + again) * 2 / 7 * abs(slip), friction * 2.0 * down) * np.sign(slip)
    assert read("body/ball/vx")[-1] == pytest.approx(v - impulse, rel=1e-3)
    spin = w + impulse * r / (0.4 * r * r)
    assert read("body/ball/wy")[-1] == pytest.approx(spin, rel=1e-3)


@pytest.mark.parametrize("impacts", ["moreau", "sequential"])
def test_a_dead_ball_may_still_turn_its_slip_round(impacts):
    """Without rebound it stays on the floor, and its slip of 1 m/s has become one of -1 m/s, which
    friction then brakes.
    """
    surface = skin(0.5, tangential_restitution=1.0)
    read, _, _ = record(
        mechanism(
            [ball("ball", 0.05, 1.0, (0, 0, 0.2), v=(1.0, 0, 0), surface=surface)], floor=surface
        ),
        options(0.25, 1e-4, 1e-3, impacts=impacts),
    )
    x, w = read("body/ball/vx"), read("body/ball/wy")
    assert (x - 0.05 * w).min() == pytest.approx(-1.0, abs=0.02)
    assert x.min() == pytest.approx(1.0 - 4.0 / 7.0, abs=1e-2)
    assert read("body/ball/z")[-1] == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize("method", ["apgd", "gauss_seidel"])
@pytest.mark.parametrize("more", [{}, {"rolling": 1e-4, "spinning": 1e-4}])
def test_a_belt_of_a_turned_body_carries_along_its_own_way(method, more):
    """A belt turned by 0.7 rad about z: what lies on it goes along its own x."""
    surface = skin(0.6, belt_speed=0.5, **more)
    way = np.array([np.cos(0.7), np.sin(0.7), 0.0])
    belt = box("belt", (3.0, 3.0, 0.1), 10.0, (0, 0, -0.05), turn=(0.7, 0, 0), surface=surface)
    turned = Placement(vector(0.0, 0.0, -0.05), vector(0.7, 0.0, 0.0))
    held = Joint("held", "held", "fixed", Frame(GROUND, "", turned), Frame("belt"))
    read, _, _ = record(
        mechanism([belt, parcel()], joints={"held": held}),
        options(1.0, method=method),
    )
    speed = np.array([read(f"body/box/v{c}")[-1] for c in "xyz"])
    assert speed == pytest.approx(0.5 * way, abs=1e-4)
    closes(read, 1e-4)


@pytest.mark.parametrize("speed", [8e-3, 2e-4])
def test_nothing_falls_asleep_on_a_slow_belt(speed):
    """Bodies slower than a thousandth of the mechanism's size per second may sleep, here 20 mm/s: a
    belt carries them on all the same.
    """
    belt = box_shape(20.0, 1.0, 0.1, (0.0, 0.0, -0.05))
    drawn = mechanism([parcel()], ground=[belt], ground_surface=skin(belt_speed=speed))
    read, _, statistics = record(drawn, options(2.0, sleep=Q(0.2)))
    assert read("body/box/x")[-1] == pytest.approx(2.0 * speed, rel=1e-2)
    assert statistics.unsolved == 0
