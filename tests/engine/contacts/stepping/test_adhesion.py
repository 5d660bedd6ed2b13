"""Pairs that hold together up to a largest pull: closed forms."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.kernels.columns import GZ
from mechstudio.model.mechanism import Placement, Shape
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    ball,
    body,
    box,
    box_shape,
    mechanism,
    place,
    run,
    skin,
    velocity,
    world,
)
from tests.engine.contacts.stepping.test_belts import options
from tests.engine.contacts.stepping.test_energy_account import closes, record

UP = vector(0.0, 0.0, G)  # gravity away from the floor, which is a ceiling then


def hung(size, mass, pull, gravity=UP, **numbers):
    """A box under a ceiling."""
    held = skin(0.5, adhesion=pull, **numbers)
    at_ = (0.0, 0.0, size[2] / 2)
    return mechanism([box("box", size, mass, at_, surface=held)], gravity, floor=skin(0.5))


@pytest.mark.parametrize("size", [1e-4, 0.1, 30.0])
@pytest.mark.parametrize(
    ("tolerance", "share"),
    [(1e-9, 1.0 + 1e-6), (1e-9, 1.0 - 1e-6), (1e-6, 1.0 + 1e-4), (1e-6, 1.0 - 1e-4), (1e-6, 1e6)],
)
def test_a_box_hangs_from_the_ceiling_up_to_its_weight(size, tolerance, share):
    """It stays where A > m g and falls where A < m g, to the tolerance over what gravity does in a
    step.
    """
    mass = 800.0 * size**3
    drawn = hung((size,) * 3, mass, share * mass * G)
    w = run(world(drawn, margin=0.05 * size, tolerance=tolerance), 1.0)
    z = place(w)[2] - size / 2
    if share > 1.0:
        assert abs(z) < max(2e-6 * size, 2e-9)
    else:
        assert z > 0.1, "it has come off"


@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_detached_box_falls_freely(share):
    """A box that its adhesion does not hold leaves after one step, from where it falls by g."""
    w = run(world(hung((0.1, 0.1, 0.1), 2.0, share * 2.0 * G)), 0.3)
    assert velocity(w)[2] == pytest.approx(G * 0.3, abs=2 * G * 1e-3)


def test_the_normal_force_of_what_hangs_is_its_weight():
    """It is below zero, on the box against the normal away from the ceiling; nothing does work."""
    read, _, statistics = record(hung((0.1, 0.1, 0.1), 2.0, 30.0), options(0.2))
    assert read("contact/box/ground") == pytest.approx(-2.0 * G, abs=1e-4 * 2.0 * G)
    closes(read)
    assert np.abs(read("energy/kinetic")).max() < 1e-12
    assert statistics.unsolved == 0


@pytest.mark.parametrize("method", ["apgd", "gauss_seidel"])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_friction_holds_on_a_slope_up_to_what_is_pressed_and_pulled(side, method):
    """m g sin a = mu (m g cos a + A); above it what slides does so by the difference.  side: -1 for
    the lower side of the slope.
    """
    angle, mu, m, pull = np.radians(70.0), 0.5, 2.0, 40.0
    held = skin(mu, adhesion=pull)
    limit = mu * (side * G * np.cos(angle) + pull / m) / np.sin(angle)
    for share in (0.9995, 1.0005, 1.4):
        a = G * np.sin(angle) * limit / G * share
        gravity = vector(a, 0.0, -side * G * np.cos(angle))
        drawn = mechanism(
            [box("box", (0.2, 0.2, 0.02), m, (0.0, 0.0, 0.01), surface=held)], gravity, floor=held
        )
        w = run(world(drawn, method=method, most=20000), 0.5)
        rest = mu * (side * G * np.cos(angle) + pull / m)
        expected = max(a - rest, 0.0) * 0.5
        assert velocity(w)[0] == pytest.approx(expected, abs=3e-5 + 1e-4 * expected)
        assert abs(place(w)[2] - 0.01) < 1e-6


@pytest.mark.parametrize("share", [0.0, 0.5, 2.0, 2.9])
def test_a_ball_slides_round_a_magnetic_drum(share):
    """Without friction m g cos a - 2 m g (cos a0 - cos a) = -A where it comes off."""
    r, R, m, first = 0.02, 0.2, 0.1, np.radians(10.0)
    held = skin(0.0, adhesion=share * m * G)
    where = (R + r) * np.array([np.sin(first), 0.0, np.cos(first)])
    drum = Shape(
        "cylinder",
        {"radius": Q(R), "height": Q(0.2)},
        placement=Placement(vector(0.0, 0.0, 0.0), vector(0.0, 0.0, np.pi / 2)),
    )
    w = world(
        mechanism([ball("ball", r, m, where, surface=held)], ground=[drum], ground_surface=held),
        step=2e-4,
    )
    off = None
    for _ in range(10000):
        x, _, z = place(w)
        w.advance(1)
        if not (w.S.kept[: w.contacts, 0] + 2e-4 * w.S.pull[: w.contacts] > 0.0).any():
            off = z / np.hypot(x, z)
            break
    assert off == pytest.approx((2.0 * np.cos(first) - share) / 3.0, abs=2e-3)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_two_balls_that_turn_about_each_other_hold_their_centripetal_force(share):
    """In flight, as drawn: each of m at r from the middle needs m w^2 r."""
    m, r, spin = 1.0, 0.1, 10.0
    held = skin(0.9, adhesion=share * m * spin**2 * r)
    balls = [
        ball(
            id,
            r,
            m,
            (side * r, 0.0, 0.0),
            v=(0.0, side * spin * r, 0.0),
            w=(0.0, 0.0, spin),
            surface=held,
        )
        for id, side in (("a", -1.0), ("b", 1.0))
    ]
    w = run(world(mechanism(balls, vector(0.0, 0.0, 0.0)), step=1e-4), 0.3)
    apart = np.linalg.norm(place(w, 0) - place(w, 1)) - 2.0 * r
    assert apart > 0.1 if share < 1.0 else abs(apart) < 1e-6
    if share > 1.0:
        assert sum(w.energy()[:2]) == pytest.approx(m * (spin * r) ** 2 * 1.4, rel=1e-5)


@pytest.mark.parametrize("share", [0.998, 1.002])
def test_a_tall_box_tips_off_the_ceiling(share):
    """Its far corners hold A / 4 each: m g (c sin a + b cos a) / 2 = A b / 2 for a box of width b
    and height c that hangs from a slope of a.
    """
    b, c, m, angle = 0.1, 0.4, 2.0, np.radians(20.0)
    pull = m * G * (np.cos(angle) + np.sin(angle) * c / b) * share
    held = skin(0.9, adhesion=pull)
    gravity = vector(G * np.sin(angle), 0.0, G * np.cos(angle))
    drawn = mechanism(
        [box("box", (b, b, c), m, (0.0, 0.0, c / 2), surface=held)], gravity, floor=held
    )
    w = run(world(drawn), 0.3)
    turned = abs(w.now()[0][0, 5])
    assert turned > 0.01 if share < 1.0 else turned < 1e-5


@pytest.mark.parametrize("share", [0.9998, 1.0002])
def test_a_box_hangs_from_a_pair_of_corners(share):
    """By one edge it holds as much as by a side."""
    m, a = 2.0, 0.1
    held = skin(0.9, adhesion=m * G * share)
    drawn = mechanism(
        [
            box(
                "box",
                (a, a, a),
                m,
                (0.0, 0.0, a / np.sqrt(2.0)),
                turn=(0.0, np.pi / 4, 0.0),
                surface=held,
            )
        ],
        UP,
        floor=held,
    )
    fell = place(run(world(drawn), 0.5))[2] - a / np.sqrt(2.0)
    assert fell > 0.1 if share < 1.0 else abs(fell) < 1e-6


@pytest.mark.parametrize("sticky", [7.0, 0.0])
def test_a_rising_pull_takes_a_box_off(sticky):
    """A force that grows by 100 N/s takes a box of 1 kg off when it is m g + A, to the step; from
    there m v = k (t - t0)^2 / 2.
    """
    m = ms.Builder()
    block = m.body("block", mass=1.0, at=(0, 0, "0.05 m")).box("0.1 m", "0.1 m", "0.1 m")
    m.floor(0)
    m.pair(block, m.ground, True, adhesion=sticky)
    m.force("force", "lift", body=block, vector=(0, 0, ms.expression("100 N*t/(1 s)")))
    m.touch()
    result = ms.simulate(m.project(), duration=0.3, sample_step=1e-3)
    begin, speed = (9.80665 + sticky) / 100.0, result.velocities[:, 0, 2]
    left = result.time[np.flatnonzero(speed > 2e-6)[0]]
    assert begin < left <= begin + 2e-3
    free = 50.0 * (0.3**2 - begin**2) - 9.80665 * (0.3 - begin)
    assert speed[-1] == pytest.approx(free, abs=0.02)
    assert result.statistics["energy_error"] < 1e-3


def test_adhesion_holds_a_resting_ball_and_no_bouncing_one():
    """A finite pull does nothing in an impact: with the same rebounds as without it, until the
    ball lies; then it takes a pull of A to lift it.
    """
    tops = []
    for pull in (0.0, 50.0):
        held = skin(0.0, 0.5, adhesion=pull)
        drawn = mechanism([ball("ball", 0.05, 1.0, (0.0, 0.0, 0.3), surface=held)], floor=held)
        heights = []
        w = world(drawn, slowest=0.05)
        run(w, 2.0, lambda w, heights=heights: heights.append(place(w)[2]))
        tops.append(heights)
    assert np.array(tops[0]) == pytest.approx(np.array(tops[1]), abs=1e-6)
    w.T.settings[GZ] *= -1.0
    assert place(run(w, 0.5))[2] == pytest.approx(0.05, abs=1e-6)


def test_an_elastic_pair_is_pressed_in_by_the_pull():
    """Derjaguin, Muller & Toporov 1975: the depth is that of N + A, and it comes off at -A."""
    m, stiffness, pull = 1.0, 1e5, 30.0
    held = skin(0.5, adhesion=pull, stiffness=2 * stiffness, damping=0.01)
    drawn = mechanism([ball("ball", 0.05, m, (0.0, 0.0, 0.05), surface=held)], floor=held)
    w = run(world(drawn), 1.0)
    assert 0.05 - place(w)[2] == pytest.approx((m * G + pull) / stiffness, rel=1e-3)


def test_a_ball_rolls_on_under_a_ceiling_of_plates():
    """It keeps its hold from one to the next; each joint of plates takes a little of its speed."""
    held, m = skin(0.5, adhesion=3.0), 0.1
    plates = [box_shape(0.05, 0.4, 0.1, at=(0.05 * k, 0.0, -0.05)) for k in range(12)]
    drawn = mechanism(
        [ball("ball", 0.03, m, (0.0, 0.0, 0.03), v=(0.5, 0.0, 0.0), surface=held)],
        UP,
        ground=plates,
        ground_surface=held,
    )
    w = run(world(drawn), 1.0)
    assert place(w)[2] == pytest.approx(0.03, abs=1e-5)
    assert velocity(w)[0] == pytest.approx(5.0 / 7.0 * 0.5, rel=5e-3)


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_chain_of_boxes_hangs_from_its_uppermost(share):
    """The ceiling bears all three, the next joint two of them, and each holds up to its own A."""
    a, m = 0.1, 2.0
    held = skin(0.5, adhesion=3 * m * G * share)
    boxes = [box(f"b{k}", (a, a, a), m, (0.0, 0.0, a * (k + 0.5)), surface=held) for k in range(3)]
    w = run(world(mechanism(boxes, UP, floor=held)), 0.5)
    fell = [place(w, k)[2] - a * (k + 0.5) for k in range(3)]
    if share > 1.0:
        assert np.abs(fell).max() < 2e-6
        normal = np.abs(w.impulses()[:, 2]).reshape(3, -1).sum(axis=1) / 1e-3
        assert sorted(normal) == pytest.approx([m * G, 2 * m * G, 3 * m * G], rel=1e-3)
    else:
        assert fell == pytest.approx([fell[0]] * 3, abs=1e-5), "they fall together"
        assert fell[0] > 0.1


def test_adhesion_does_not_act_across_a_gap():
    """There is no pull at a distance."""
    held = skin(0.5, adhesion=1e3)
    drawn = mechanism([ball("ball", 0.05, 1.0, (0.0, 0.0, 0.051), surface=held)], UP, floor=held)
    w = run(world(drawn), 0.1)
    assert velocity(w)[2] == pytest.approx(0.1 * G, rel=1e-9)


@pytest.mark.parametrize("impacts", [False, True])
def test_a_magnetic_belt_carries_a_box_under_it(impacts):
    """mu (A - m g) takes it along until it runs as fast."""
    mu, m, pull, speed = 0.5, 2.0, 30.0, 0.5
    held = skin(mu, 0.3, adhesion=pull)
    belt = skin(mu, 0.3, adhesion=pull, belt_speed=speed)
    drawn = mechanism(
        [box("box", (0.2, 0.2, 0.04), m, (0.0, 0.0, 0.02), surface=held)], UP, floor=belt
    )
    w = run(world(drawn, sequential=impacts), 0.1)
    assert velocity(w)[0] == pytest.approx(mu * (pull / m - G) * 0.1, rel=2e-3)
    run(w, 0.4)
    assert velocity(w)[0] == pytest.approx(speed, abs=1e-5)
    assert place(w)[2] == pytest.approx(0.02, abs=1e-6)


def test_a_spinning_disc_is_braked_by_its_pull_too():
    """2/3 mu (N + A) R of even pressure, shared over the area of the disc."""
    mu, R, m, pull = 0.3, 0.1, 1.0, 20.0
    held = skin(mu, adhesion=pull)
    shape = Shape("cylinder", {"radius": Q(R), "height": Q(0.02)})
    inertia = (0.25 * m * R * R, 0.25 * m * R * R, 0.5 * m * R * R)
    drawn = mechanism(
        [body("disc", [shape], m, inertia, (0.0, 0.0, 0.01), w=(0.0, 0.0, 20.0), surface=held)],
        floor=held,
    )
    w = run(world(drawn), 0.05)
    braked = 2.0 / 3.0 * mu * (m * G + pull) * R / inertia[2] * 0.05
    assert 20.0 - velocity(w)[5] == pytest.approx(braked, rel=5e-3)


@pytest.mark.parametrize("sticky", [19.0, 21.0])
def test_a_lever_is_held_by_its_tip(sticky):
    """A lever of 1 m that a moment of 20 N m turns off a stop, at whose tip a ball sticks."""
    m = ms.Builder(gravity=(0, 0, 0))
    lever = m.body("lever", mass=1.0, at=(0, 0, "0.1 m"))
    lever.sphere("0.1 m", at=(1, 0, 0))
    hinge = m.pin("hinge", m.ground, lever, at=(0, 0, "0.1 m"), axis=(0, -1, 0))
    m.floor(0)
    m.pair(lever, m.ground, True, adhesion=sticky)
    m.force("motor_torque", "motor", joint=hinge, torque="20 N*m")
    m.touch()
    result = ms.simulate(m.project(), duration=0.2, sample_step=0.02)
    turned = np.abs(result.poses[-1, 0, 4:]).max()
    assert turned < 1e-6 if sticky > 20.0 else turned > 0.005


def test_sleeping_box_under_a_ceiling_stays():
    """At rest it sleeps, and its normal force is still reported."""
    w = run(world(hung((0.1, 0.1, 0.1), 2.0, 30.0), rest_time=0.05), 0.5)
    assert w.S.counts[s.ASLEEP] > 0 and place(w)[2] == pytest.approx(0.05, abs=1e-7)
    assert w.impulses()[:, 2].sum() / 1e-3 == pytest.approx(2.0 * G, rel=1e-3), "on the ceiling"


@pytest.mark.parametrize("pull", [1e-9, 1e6, 1e9])
def test_pulls_of_any_size(pull):
    """A huge pull holds, with its friction; one of nothing changes nothing."""
    w = world(hung((0.1, 0.1, 0.1), 2.0, pull))
    run(w, 0.2)
    if pull < 1.0:
        assert velocity(w)[2] == pytest.approx(0.2 * G, rel=1e-9)
    else:
        assert np.abs(velocity(w)).max() < 1e-5 and abs(place(w)[2] - 0.05) < 1e-6
        assert w.S.counts[s.UNSOLVED] == 0, "solved to the tolerance"
