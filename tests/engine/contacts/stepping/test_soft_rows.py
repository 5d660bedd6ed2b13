"""Springs and dampers of any stiffness in steps with contacts of 1 ms, on 1 kg: closed forms, and
the engine without contacts beside them.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.contacts.runs.contact_run import ContactRunner
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.run import system_for
from mechstudio.model.contact import ContactPair, ContactSettings
from mechstudio.model.mechanism import GROUND, Force, Frame, Joint, Limit, Placement
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import G, Q, box, mechanism, skin
from tests.engine.contacts.stepping.test_energy_account import closes, record, slide

STIFF = (1e4, 1e6, 1e8)
CUBE = (0.1, 0.1, 0.1)


def options(duration, step=1e-3, sample_step=0.01):
    return RunOptions(
        duration=duration, sample_step=sample_step, contacts=ContactSettings(step=Q(step))
    )


def at(body, *place):
    return Frame(body, "", Placement(vector(*place)))


def force(id, kind, a, b, **numbers):
    return Force(
        id,
        id,
        kind,
        frame_a=a,
        frame_b=b,
        parameters={name: Q(value) for name, value in numbers.items()},
    )


def spring(a, b, stiffness, free_length):
    return force("spring", "spring", a, b, stiffness=stiffness, free_length=free_length)


def sprung_cart(stiffness, out=0.05, **more):
    """A cart of 1 kg on a spring to ground, beside a box that lies on the floor."""
    return mechanism(
        [
            box("cart", CUBE, 1.0, (0.0, 0.0, 0.5)),
            box("block", CUBE, 1.0, (0.0, 1.0, 0.05)),
        ],
        joints={"slide": slide("slide", "cart", at=(0.0, 0.0, 0.5))},
        forces={
            "spring": spring(at(GROUND, -1.0, 0.0, 0.5), Frame("cart"), stiffness, 1.0 - out),
            **more,
        },
        floor=skin(),
    )


@pytest.mark.parametrize("stiffness", [1e3, *STIFF])
def test_a_spring_keeps_its_energy(stiffness):
    """The trapezoidal rule keeps that of a linear spring to rounding, whatever h w: 10 at 1e8 N/m;
    a soft one loses less than 1e-4 in 100 periods.
    """
    duration = 100 * 2 * np.pi / np.sqrt(1e3) if stiffness == 1e3 else 1.0
    read, _, statistics = record(sprung_cart(stiffness), options(duration))
    start = 0.5 * stiffness * 0.05**2
    # the block beside it sinks by less than a micrometre
    energy, sunk = read("energy/total") - read("energy/total")[0], G * 1e-6
    if stiffness == 1e3:
        period = int(0.2 / 0.01)
        assert energy[-period:].max() > -1e-4 * start and np.abs(energy).max() < 1e-3 * start
    else:
        assert np.abs(energy).max() < 1e-11 * start + sunk
    assert read("energy/kinetic").max() < 1.001 * start
    assert read("energy/kinetic")[-50:].max() > 0.9 * start
    assert statistics.unsolved == 0


def test_the_period_of_a_stiff_spring_is_that_of_the_rule():
    """tan(W h / 2) = w h / 2 (Hairer, Lubich & Wanner 2006): at w h = 1 a period lasts 2 pi / W."""
    read, _, statistics = record(sprung_cart(1e6, out=0.01), options(0.2, sample_step=1e-3))
    time, x = read("time"), read("body/cart/x")
    rate = 2.0 / 1e-3 * np.arctan(0.5)
    assert [note for note in statistics.notes if "wrong by 7.8 %" in note and "0.35 ms" in note]
    assert x == pytest.approx(-0.01 + 0.01 * np.cos(rate * time), abs=1e-6)


@pytest.mark.parametrize("stiffness", STIFF)
def test_a_mass_hangs_at_its_static_deflection(stiffness):
    """m g / k to a billionth of the length, after a damper has taken the rest."""
    top, mass = at(GROUND, 0.0, 0.0, 2.0), Frame("mass")
    drawn = mechanism(
        [box("mass", CUBE, 1.0, (0.0, 0.0, 1.0)), box("block", CUBE, 1.0, (1.0, 0.0, 0.05))],
        forces={
            "spring": spring(top, mass, stiffness, 1.0),
            "damper": force("damper", "damper", top, mass, damping=0.8 * np.sqrt(stiffness)),
        },
        floor=skin(),
    )
    read, _, _ = record(drawn, options(1.5))
    assert 1.0 - read("body/mass/z")[-1] == pytest.approx(G / stiffness, abs=1e-9)
    closes(read, 1e-7)


@pytest.mark.parametrize("damping", [1e3, 1e5, 1e7])
def test_a_damper_stops_a_cart(damping):
    """All of m v^2 / 2 goes into it, by m v / c and at most a quarter of a step of way."""
    drawn = mechanism(
        [box("cart", CUBE, 1.0, (0.0, 0.0, 0.05), v=(1.0, 0.0, 0.0))],
        joints={"slide": slide("slide", "cart")},
        forces={
            "damper": force(
                "damper", "damper", at(GROUND, -1.0, 0.0, 0.05), Frame("cart"), damping=damping
            )
        },
        floor=skin(0.0),
    )
    read, _, _ = record(drawn, options(0.5))
    _, loads, _, _ = closes(read, 1e-8)
    assert loads[-1] == pytest.approx(-0.5, rel=1e-8)
    assert read("body/cart/x")[-1] == pytest.approx(1.0 / damping, abs=2.6e-4)
    assert read("energy/kinetic")[1] < 1e-8


@pytest.mark.parametrize("stiffness", STIFF)
def test_boxes_on_a_stiff_spring_gain_no_energy_in_impacts(stiffness):
    """Two boxes joined by a spring fall 25 cm: every impact takes energy, the account closes, and
    they come to rest on each other's weight.
    """
    drawn = mechanism(
        [box("low", CUBE, 1.0, (0.0, 0.0, 0.3)), box("high", CUBE, 1.0, (0.0, 0.0, 0.6))],
        forces={
            "spring": spring(Frame("low"), Frame("high"), stiffness, 0.3),
            "damper": force(
                "damper", "damper", Frame("low"), Frame("high"), damping=0.4 * np.sqrt(stiffness)
            ),
        },
        floor=skin(),
    )
    read, _, statistics = record(drawn, options(1.5))
    energy = read("energy/total")
    assert np.diff(energy).max() < 1e-6 * energy[0]
    assert statistics.energy_error < 2e-3 and statistics.unsolved == 0
    assert read("body/low/z")[-1] == pytest.approx(0.05, abs=1e-6)
    assert read("body/high/z")[-1] == pytest.approx(0.35 - G / stiffness, abs=1e-6)
    # now and then a step lifts the lower one by a part of a micrometre
    resting = np.median(read("contact/low/ground")[-20:])
    assert resting == pytest.approx(2.0 * G, rel=1e-5)


@pytest.mark.parametrize("stiffness", [1e5, 1e7])
def test_a_spring_presses_a_box_on_the_floor(stiffness):
    """The floor feels the weight and the spring, 100 N."""
    drawn = mechanism(
        [box("block", CUBE, 1.0, (0.0, 0.0, 0.05))],
        forces={
            "spring": spring(
                at(GROUND, 0.0, 0.0, 0.5), Frame("block"), stiffness, 0.45 + 100.0 / stiffness
            )
        },
        floor=skin(),
    )
    read, _, _ = record(drawn, options(0.5))
    sunk = 0.05 - read("body/block/z")[-1]
    assert read("contact/block/ground")[-1] == pytest.approx(G + 100.0 - stiffness * sunk, rel=1e-4)
    assert read("contact/block/ground")[-1] == pytest.approx(G + 100.0, rel=1e-2)
    assert abs(sunk) < 1e-6


def without_contacts(drawn):
    return msgspec.structs.replace(
        drawn, contacts=msgspec.structs.replace(drawn.contacts, enabled=False)
    )


def turning_pair(stiffness):
    """Two bodies on a spring that turn about each other high above the floor."""
    return mechanism(
        [
            box("a", CUBE, 1.0, (0.0, 0.0, 5.0), v=(0.0, 1.0, 0.0)),
            box("b", CUBE, 2.0, (0.5, 0.0, 5.0), v=(0.0, -1.0, 0.0)),
        ],
        forces={"spring": spring(Frame("a"), Frame("b"), stiffness, 0.5)},
        floor=skin(),
    )


def held_by_a_bushing(stiffness):
    """A bar on a bushing at one end, bent by its weight."""
    numbers = {}
    for axis in "xyz":
        numbers[f"k_{axis}_{axis}"] = stiffness
        numbers[f"d_{axis}_{axis}"] = 0.2 * np.sqrt(stiffness)
        numbers[f"k_r{axis}_r{axis}"] = 0.01 * stiffness
        numbers[f"d_r{axis}_r{axis}"] = 0.001 * np.sqrt(stiffness)
    return mechanism(
        [box("a", (0.4, 0.1, 0.1), 1.0, (0.2, 0.0, 5.0))],
        forces={
            "bushing": force(
                "bushing", "bushing", at(GROUND, 0.0, 0.0, 5.0), at("a", -0.2, 0.0, 0.0), **numbers
            )
        },
        floor=skin(),
    )


def hinged_in_a_loop(stiffness):
    """A four-bar with a torsion spring in the joint that closes it."""
    bars = [
        box("a", (0.02, 0.02, 0.2), 1.0, (0.0, 0.0, 5.1)),
        box("b", (0.4, 0.02, 0.02), 1.0, (0.2, 0.0, 5.2)),
        box("c", (0.02, 0.02, 0.2), 1.0, (0.4, 0.0, 5.1)),
    ]
    turn = vector(0.0, 0.0, np.pi / 2)  # z of the joint along y of W

    def hinge(id, a, b):
        ends = [Frame(body, "", Placement(vector(*place), turn)) for body, place in (a, b)]
        return Joint(id, id, "revolute", *ends)

    joints = {
        "p": hinge("p", (GROUND, (0.0, 0.0, 5.0)), ("a", (0.0, 0.0, -0.1))),
        "q": hinge("q", ("a", (0.0, 0.0, 0.1)), ("b", (-0.2, 0.0, 0.0))),
        "r": hinge("r", ("b", (0.2, 0.0, 0.0)), ("c", (0.0, 0.0, 0.1))),
        "s": hinge("s", (GROUND, (0.4, 0.0, 5.0)), ("c", (0.0, 0.0, -0.1))),
    }
    forces = {
        f"on {id}": Force(
            f"on {id}",
            f"on {id}",
            "torsion_spring",
            joint=id,
            coordinate=0,
            parameters={"stiffness": Q(stiffness), "free_angle": Q(0.2)},
        )
        for id in joints
    }
    return mechanism(bars, joints=joints, forces=forces, floor=skin())


@pytest.mark.parametrize(
    ("drawn", "key", "step", "most"),
    [
        (turning_pair(1e4), "body/a/x", 1e-3, 1e-4),
        (turning_pair(1e6), "body/a/x", 1e-3, 1e-4),
        (turning_pair(1e8), "body/a/x", 1e-3, 1e-4),
        (held_by_a_bushing(1e4), "body/a/z", 1e-3, 1e-4),
        (held_by_a_bushing(1e6), "body/a/z", 1e-3, 1e-4),
        (held_by_a_bushing(1e8), "body/a/z", 1e-3, 1e-5),
        (hinged_in_a_loop(300.0), "joint/p/0", 2e-4, 5e-3),
    ],
    ids=lambda value: "" if isinstance(value, float | str) else "drawing",
)
def test_the_engine_without_contacts_moves_the_same(drawn, key, step, most):
    read, _, statistics = record(drawn, options(0.3, step))
    smooth, _, _ = record(without_contacts(drawn), options(0.3))
    assert read(key) == pytest.approx(smooth(key), abs=most)
    assert statistics.energy_error is None or statistics.energy_error < 1e-3


def test_the_error_shrinks_with_the_square_of_the_step():
    drawn = turning_pair(1e4)
    smooth, _, _ = record(without_contacts(drawn), options(0.3))
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        read, _, _ = record(drawn, options(0.3, step))
        errors.append(np.abs(read("body/a/x") - smooth("body/a/x")).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize(("stiffness", "step"), [(300.0, 1e-3), (3e4, 1e-4), (3e6, 3e-5)])
def test_springs_of_a_loop_out_of_balance_keep_their_energy(stiffness, step):
    """Motions that start out of balance grow at first, by either rule: that is no gain."""
    _, _, statistics = record(hinged_in_a_loop(stiffness), options(0.3, step))
    assert statistics.energy_error < 1e-4


@pytest.mark.parametrize(
    ("stiffness", "step", "rows"), [(1e4, 2e-5, 0), (1e4, 1e-4, 1), (1e5, 1e-4, 1)]
)
def test_a_spring_at_the_end_of_a_spinning_bar_keeps_its_energy(stiffness, step, rows):
    """Its moment counts at the middle of the step, as its force does."""
    drawn = mechanism(
        [
            box("bar", (0.3, 0.02, 0.02), 1.0, (0.0, 0.0, 50.0), w=(0.0, 80.0, 0.0)),
            box("block", CUBE, 1.0, (0.5, 0.0, 50.0)),
        ],
        forces={"spring": spring(at("bar", 0.15, 0.0, 0.0), Frame("block"), stiffness, 0.35)},
        floor=skin(),
    )
    drawn = msgspec.structs.replace(
        drawn,
        contacts=msgspec.structs.replace(
            drawn.contacts, pairs=(ContactPair("bar", "block", False),)
        ),
    )
    assert soft_rows(drawn, step) == rows
    _, _, statistics = record(drawn, options(0.5, step))
    assert statistics.energy_error < 1e-3


def stopped(stiffness, restitution, out=0.05, at=-0.03, **more):
    """The cart on its spring, which would pull it 50 mm back, and a hard stop after 30 mm."""
    drawn = sprung_cart(stiffness, out, **more)
    stop = (Limit(0, lower=Q(at), restitution=Q(restitution)),)
    held = msgspec.structs.replace(drawn.joints["slide"], limits=stop)
    return msgspec.structs.replace(drawn, joints={"slide": held})


@pytest.mark.parametrize("step", [2e-4, 1e-3, 5e-3])
@pytest.mark.parametrize("stiffness", [1e3, *STIFF])
def test_a_spring_presses_a_cart_on_its_stop(stiffness, step):
    """The stop takes what the spring has given by then, k (50^2 - 20^2) / 2, however long the step,
    and holds.
    """
    read, _, statistics = record(stopped(stiffness, 0.0), options(0.3, step))
    taken = 0.5 * stiffness * (0.05**2 - 0.02**2)
    assert read("joint/slide/0").min() > -0.03 - 1e-6
    assert read("joint/slide/0")[-1] == pytest.approx(-0.03, abs=1e-6)
    assert read("contact/impact")[-1] == pytest.approx(-taken, rel=1e-3)
    assert statistics.energy_error < 1e-9 and statistics.unsolved == 0


@pytest.mark.parametrize(
    ("stiffness", "damping", "step"),
    [(1e3, 0.0, 1e-3), (1e3, 12.6, 1e-3), (1e4, 0.0, 5e-3), (1e6, 0.0, 1e-3), (1e6, 400.0, 5e-3)],
)
def test_a_cart_on_a_spring_rebounds_from_its_stop(stiffness, damping, step):
    """From the stop it comes back by a share of its speed, over and over: without a damper as far
    as it started, and never with more energy.
    """
    a, b = at(GROUND, -1.0, 0.0, 0.5), Frame("cart")
    more = {"damper": force("damper", "damper", a, b, damping=damping)} if damping else {}
    read, _, statistics = record(stopped(stiffness, 1.0, **more), options(0.2, step, 5e-3))
    energy = read("energy/total") - read("energy/total")[0]
    start = 0.5 * stiffness * 0.05**2
    assert energy.max() < 5e-3 * start and statistics.energy_error < 1e-2
    if not damping:
        # some six to a hundred impacts, each of which takes less than 5e-4 of it
        assert energy[-1] > -0.06 * start
    assert read("joint/slide/0").min() > -0.03 - 1e-6 and read("joint/slide/0").max() < 2e-4


def test_half_of_the_speed_comes_back_from_a_stop():
    """a^2 = 20^2 + (50^2 - 20^2) / 4 of the amplitude behind the first impact [mm]."""
    read, _, _ = record(stopped(1e4, 0.5), options(0.05, 1e-3, 1e-3))
    back = -0.05 + np.sqrt(0.02**2 + 0.25 * (0.05**2 - 0.02**2))
    x = read("joint/slide/0")
    first_near = int(np.argmax(x < -0.029))
    assert x[first_near + 1 :].max() == pytest.approx(back, abs=2e-4)


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_a_box_that_a_spring_presses_down_keeps_its_account(stiffness, step):
    """It sinks by less than a micrometre, and is lifted again against its weight and the spring."""
    drawn = mechanism(
        [box("box", CUBE, 1.0, (0.0, 0.0, 0.05))],
        forces={"spring": spring(at(GROUND, 0.0, 0.0, 0.5), Frame("box"), stiffness, 0.5)},
        floor=skin(),
    )
    read, _, statistics = record(drawn, options(1.0, step))
    assert read("body/box/z") == pytest.approx(0.05, abs=2e-6)
    assert statistics.energy_error < 1e-5


@pytest.mark.parametrize(("stiffness", "step"), [(1e4, 1e-3), (1e6, 5e-3), (1e6, 1e-3)])
def test_a_rebound_gives_nothing_to_a_spring(stiffness, step):
    """Impacts and springs without dampers cannot give energy: the step is made in parts that are
    short about the impact.
    """
    skins = skin(0.3, 0.9)
    drawn = mechanism(
        [
            box("low", CUBE, 1.0, (0.0, 0.0, 0.1), surface=skins),
            box("high", CUBE, 1.0, (0.0, 0.0, 0.4)),
        ],
        forces={"spring": spring(Frame("low"), Frame("high"), stiffness, 0.3)},
        floor=skins,
    )
    read, _, statistics = record(drawn, options(0.5, step))
    gained = read("energy/total") - read("energy/total")[0]
    # but for what lifts it out of the floor again
    assert np.diff(read("contact/impact")).max() <= 1e-6
    assert gained.max() < 2e-4 * read("energy/kinetic").max()
    assert statistics.energy_error < 1e-3


def soft_rows(drawn, step=1e-3):
    chosen = options(0.1, step)
    T = ContactRunner(system_for(drawn, chosen), chosen, [], None, None).world.T
    return int(np.count_nonzero(T.row_const[:, k.RSTIFF] + T.row_const[:, k.RDAMP]))


def test_only_what_a_step_feels_has_a_row():
    """A soft spring beside a stiff one stays a load; alone nothing has rows at all."""
    soft = force(
        "soft", "spring", at(GROUND, -1.0, 0.0, 0.5), Frame("cart"), stiffness=10.0, free_length=1.0
    )
    assert soft_rows(sprung_cart(1e6, soft=soft)) == 1
    assert soft_rows(sprung_cart(10.0)) == 0


def test_a_stiff_soft_stop_is_refused_with_the_step_it_needs():
    """It begins to act within a step: no tangent says so before."""
    stop = (Limit(0, upper=Q(0.2), stiffness=Q(1e7)),)
    drawn = mechanism(
        [box("cart", CUBE, 1.0, (0.0, 0.0, 0.05), v=(1.0, 0.0, 0.0))],
        joints={"slide": slide("slide", "cart", limits=stop)},
        floor=skin(0.0),
    )
    with pytest.raises(EngineError, match=r"too long for the stop.*at most 0.3 ms"):
        record(drawn, options(0.5))


def test_a_stiff_servo_comes_to_its_target_as_without_contacts():
    """Both of its numbers are implicit: critically damped at h w = 1 it does not overshoot."""
    servo = Force(
        "servo",
        "servo",
        "servo_force",
        joint="slide",
        coordinate=0,
        parameters={"stiffness": Q(1e6), "damping": Q(2e3), "target": Q(0.05)},
    )
    drawn = msgspec.structs.replace(sprung_cart(1e6), forces={"servo": servo})
    read, _, statistics = record(drawn, options(0.05, sample_step=1e-3))
    smooth, _, _ = record(without_contacts(drawn), options(0.05, sample_step=1e-3))
    x = read("joint/slide/0")
    # its work is all that it gives to the cart and takes again, m v^2 / 2
    work = read("contact/loads")
    assert work == pytest.approx(read("energy/kinetic"), abs=1e-6)
    assert statistics.energy_error < 1e-6
    assert x == pytest.approx(smooth("joint/slide/0"), abs=0.006)
    assert x.max() < 0.0501 and x[-1] == pytest.approx(0.05, abs=1e-9)


def beside_a_falling_ball(push):
    """A ball that falls freely for a second, in a drawing with a floor and a force on a slide:
    its height less the exact one, and the notes.
    """
    m = ms.Builder()
    m.body("ball", (3, 1, 9)).sphere(0.05)
    cart = m.body("cart", (0, 0, 5), mass=1, center_of_mass=(0.1, 0, 0), inertia=(0.01,) * 3)
    slide = m.slider("slide", m.ground, cart, at=(0, 0, 5), axis=(1, 0, 0))
    m.force("motor_force", "push", joint=slide, force=push)
    m.floor(0.0)
    result = ms.simulate(m.project(), duration=1, sample_step=0.5)
    fallen = 9.0 - 0.5 * 9.81 * result.time**2
    return result.position("ball")[:, 2] - fallen, result.statistics["notes"]


def test_soft_springs_leave_free_fall_exact():
    """Two springs of which each is soft for the step, and a law that is: h w is 0.006."""
    off, notes = beside_a_falling_ball("-36 N/m * x")
    assert abs(off).max() < 1e-12 and notes == ()
    m = ms.Builder()
    m.body("ball", (3, 1, 9)).sphere(0.05)
    cart = m.body("cart", (0, 0, 5), mass=1, inertia=(0.01,) * 3, center_of_mass=(0, 0, 0))
    slide = m.slider("slide", m.ground, cart, at=(0, 0, 5), axis=(1, 0, 0))
    for name in ("left", "right"):
        m.force("slide_spring", name, joint=slide, stiffness=20.0, free_length=0.1)
    m.floor(0.0)
    result = ms.simulate(m.project(), duration=1, sample_step=0.5)
    assert result.position("ball")[-1, 2] == pytest.approx(9 - 0.5 * 9.81, abs=1e-12)
    x = 0.1 * (1 - math.cos(math.sqrt(40.0)))
    assert result.joint_coordinates["slide"][-1, 0] == pytest.approx(x, abs=1e-5)
    assert result.statistics["notes"] == ()


def test_steps_of_first_order_say_so():
    """A law that is stiff for the step has no soft row: free fall is off by g h t / 2."""
    off, (note,) = beside_a_falling_ball("-1000 N/m * x")
    assert off[-1] == pytest.approx(-0.5 * 9.81e-3, rel=1e-6)
    assert "first order" in note and "ahead by half a step, 0.5 ms" in note


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_constant_torque_is_no_spring(axes):
    """A slider beside a body that a torque turns keeps second order: x = F t^2 / (2 m)."""
    m = ms.Builder(gravity=(0, 0, 0))
    turned = m.body("turned", (3, 0, 0), mass=1, inertia=(0.001, 0.001, 0.0012)).sphere(0.05)
    m.force("torque", "torque", body=turned, vector=(0, 0.5, 0.2), axes=axes)
    pulled = m.body("pulled", (0, 0, 0), mass=1, inertia=(0.01,) * 3).sphere(0.1)
    slide = m.slider("slide", m.ground, pulled, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("motor_force", "pull", joint=slide, force=30.0)
    m.touch()
    result = ms.simulate(m.project(), duration=0.05, sample_step=0.05)
    assert not result.statistics["notes"]
    assert result.joint_coordinates["slide"][-1, 0] == pytest.approx(15.0 * 0.05**2, rel=1e-9)
