"""Cases of mechanisms whose parts drive each other by contact alone."""

import numpy as np
import pytest

from mechstudio.model.mechanism import GROUND, Drive, Force, Frame, Joint, Law, Placement, Shape
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    body,
    box,
    box_shape,
    forces,
    mechanism,
    place,
    run,
    s,
    skin,
    tally,
    world,
)

ABOUT_Y = vector(0.0, 0.0, np.pi / 2)


def pivot(id, b, x):
    """A pin about -y of ground and body b at (x, 0, 0), where b has its origin."""
    return Joint(
        id,
        id,
        "revolute",
        Frame(GROUND, "", Placement(vector(x, 0.0, 0.0), ABOUT_Y)),
        Frame(b, "", Placement(vector(0.0, 0.0, 0.0), ABOUT_Y)),
    )


def geneva(clearance=5e-5, friction=0.1):
    """A wheel with four slots about the origin, a crank with a pin about (0.1, 0, 0) that turns
    once a second; slots at 45 deg to the line between them.
    """
    c, pin = 0.1, 0.005
    r, wide, wall = c / np.sqrt(2.0), pin + clearance, 0.004
    length, sides = r - 0.02, []
    for k in range(4):
        a = np.pi / 4 + k * np.pi / 2
        along, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        for side in (-1.0, 1.0):
            x, z = (0.02 + length / 2) * along + side * (wide + wall / 2) * across
            # the box's x axis along the slot: a turn of -a about y
            sides.append(
                box_shape(length, 0.01, wall, at=(float(x), 0.0, float(z)), turn=(0.0, -a, 0.0))
            )
    wheel = body("wheel", sides, 0.2, (1.5e-4,) * 3, surface=skin(friction))
    crank = body(
        "crank",
        [Shape("sphere", {"radius": Q(pin)}, placement=Placement(vector(r, 0.0, 0.0)))],
        0.1,
        (1e-4,) * 3,
        (c, 0.0, 0.0),
        surface=skin(friction),
    )
    drag = Force(
        "drag", "drag", "friction_torque", {"torque": Q(0.01), "speed": Q(0.05)}, joint="axle"
    )
    drive = Drive(
        "motor", "motor", "shaft", 0, "velocity", Law("constant", {"value": Q(2 * np.pi)})
    )
    return mechanism(
        [wheel, crank],
        joints={"axle": pivot("axle", "wheel", 0.0), "shaft": pivot("shaft", "crank", c)},
        drives={"motor": drive},
        forces={"drag": drag},
    )


def turn_about_y(q):
    return 2.0 * np.arctan2(q[2], q[0])


def test_geneva4():
    """beta = atan2(r sin a, c - r cos a), a: the crank from the line of centres.  A quarter turn
    per turn of the crank, fastest r / (c - r) = 1 + sqrt 2 times the crank, at rest between.
    """
    w, seen = world(geneva(), step=2e-4, margin=2e-3), []

    def look(w):
        poses, v = w.now()
        seen.append(
            (w.time, turn_about_y(poses[0, 3:]), v[0, 4], turn_about_y(poses[1, 3:]), v[1, 4])
        )

    run(w, 2.0, look)
    t, wheel, rate, crank, speed = np.array(seen).T
    wheel = np.unwrap(wheel, period=2 * np.pi)
    # the crank starts pointing away from the wheel, so that each turn has its quarter in the middle
    once = np.degrees(np.interp([0.002, 1.0, 1.999], t, wheel))
    assert np.abs(np.diff(once)) == pytest.approx([90.0, 90.0], abs=0.3)
    # the crank's way from pointing at the wheel
    a = np.angle(np.exp(1j * (crank - np.pi)))
    assert np.abs(rate / speed).max() == pytest.approx(1.0 + np.sqrt(2.0), rel=0.03)
    locked = np.abs(a) > np.pi / 4 + np.radians(3.0)
    for part in (locked & (t < 0.5), locked & (t > 0.5) & (t < 1.5), locked & (t > 1.5)):
        assert np.ptp(np.degrees(wheel[part])) < 0.3
    c, r = 0.1, 0.1 / np.sqrt(2.0)
    driven = (np.abs(a) < np.pi / 4 - 0.02) & (t < 1.0)
    beta = np.arctan2(r * np.sin(a[driven]), c - r * np.cos(a[driven]))
    # the slot's play at the pin's least distance from the wheel
    rotated = wheel[driven] - wheel[0]
    assert (
        np.abs(np.abs(rotated) - np.abs(np.pi / 4 + beta * np.sign(a[driven][-1]))).max()
        < 2 * 5e-5 / (c - r) + 2e-3
    )


def block_in_drum(angle):
    """A block on four round feet in a drum of radius 0.5 m that turns at 1 rad/s; mu 0.4.  The drum
    is a ring of 720 slabs; the block begins at an angle from the bottom, at rest.
    """
    R, count, low = 0.5, 720, 5e-4
    ring = [
        box_shape(
            2 * R * np.tan(np.pi / count) * 1.05,
            0.1,
            0.02,
            at=((R + 0.01) * np.sin(a), 0.0, -(R + 0.01) * np.cos(a)),
            turn=(0.0, -a, 0.0),
        )
        for a in 2.0 * np.pi * np.arange(count) / count
    ]
    drum = body("drum", ring, 10.0, (1.0, 1.0, 1.0), surface=skin(0.4))
    # the centre of mass lies low, so that friction, which acts below it, loads the lower feet by 2
    # % only
    feet = [
        Shape("sphere", {"radius": Q(2e-3)}, placement=Placement(vector(x, y, 2e-3 - low)))
        for x in (-0.008, 0.008)
        for y in (-0.02, 0.02)
    ]
    block = body(
        "block",
        feet,
        0.1,
        (1e-5, 1e-5, 1e-5),
        ((R - low - 1e-5) * np.sin(angle), 0.0, -(R - low - 1e-5) * np.cos(angle)),
        turn=(0.0, -angle, 0.0),
        surface=skin(0.4),
    )
    drive = Drive("turn", "turn", "pin", 0, "velocity", Law("constant", {"value": Q(1.0)}))
    return world(
        mechanism([drum, block], joints={"pin": pivot("pin", "drum", 0.0)}, drives={"turn": drive}),
        margin=2e-3,
    )


@pytest.mark.slow
def test_block_in_drum():
    """tan(phi) = mu where it slides at rest: 21.80 deg.

    Friction of a sliding body has one direction at any speed, so that nothing damps a swing about
    that place:  R phi'' = -G sin(phi) + mu (G cos(phi) + R phi'^2)  keeps an integral.  A block
    that is carried up from the bottom, as the case has it, leaves with the speed of the drum and
    swings by 13 deg; "rest angle" is the middle of its swing.
    """
    w, angles = block_in_drum(np.arctan(0.4)), []
    run(
        w,
        5.0,
        lambda w: angles.append(np.degrees(np.arctan2(abs(place(w, 1)[0]), -place(w, 1)[2]))),
    )
    late = np.array(angles[1000:])
    print(f"block in drum: {late.mean():.2f} deg, {late.min():.2f} to {late.max():.2f}")
    assert late.mean() == pytest.approx(np.degrees(np.arctan(0.4)), abs=0.2)


RADIUS, OFFSET, SPEED = (
    0.06,
    0.02,
    6.0,
)  # of a round cam [m], of its centre [m], and its rate [rad/s]


def cam_press(load: float, friction: float = 0.1):
    """A driven round cam, drawn with its centre below its pin, lifts a plate of 1 kg in a guide,
    and this a loose block.
    """
    cam = body(
        "cam",
        [
            Shape(
                "cylinder",
                {"radius": Q(RADIUS), "height": Q(0.03)},
                placement=Placement(vector(0.0, 0.0, -OFFSET), ABOUT_Y),
            )
        ],
        1.0,
        (1e-3,) * 3,
        surface=skin(friction),
    )
    top = RADIUS - OFFSET
    plate = box("plate", (0.2, 0.1, 0.02), 1.0, (0.0, 0.0, top + 0.01), surface=skin(friction))
    block = box("block", (0.1, 0.1, 0.1), load, (0.0, 0.0, top + 0.07), surface=skin(friction))
    joints = {
        "shaft": pivot("shaft", "cam", 0.0),
        "guide": Joint(
            "guide",
            "guide",
            "prismatic",
            Frame(GROUND, "", Placement(vector(0.0, 0.0, top))),
            Frame("plate", "", Placement(vector(0.0, 0.0, -0.01))),
        ),
    }
    turns = Drive("turn", "turn", "shaft", 0, "velocity", Law("constant", {"value": Q(SPEED)}))
    return mechanism([cam, plate, block], joints=joints, drives={"turn": turns})


@pytest.mark.parametrize("load", [1.0, 1e4, 1e6])
def test_a_cam_presses_a_plate_under_a_heavy_block(load):
    """A flat follower of a round cam rides at R - e cos(w t): the plate follows to 1e-3 of its
    stroke, the block is lifted by m (g + e w^2 cos(w t)), and the cam bears the plate besides.
    Forces are good to 2e-3 at steps of 0.2 ms.
    """
    w, seen = world(cam_press(load), step=2e-4), []

    def look(w):
        bears = float(forces(w, 1, 2)[1][:, 2].sum()), float(forces(w, 0, 1)[1][:, 2].sum())
        seen.append((w.time, w.now()[0][1, 2], *bears))

    run(w, 2.2 * np.pi / SPEED, look)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_RESIDUAL) < 1e-6
    t, z, block, plate = np.array(seen)[1:].T
    a = SPEED * t
    assert np.abs(z - 0.01 - (RADIUS - OFFSET * np.cos(a))).max() < 1e-3 * OFFSET
    # impulses are means over a step: those of its middle
    pull = G + OFFSET * SPEED**2 * np.cos(a - 0.5 * SPEED * w.options.step)
    assert np.abs(block / (load * pull) - 1.0).max() < 2e-3
    assert np.abs(plate / ((load + 1.0) * pull) - 1.0).max() < 2e-3


CRANK, ROD, SHAFT = 0.1, 0.3, 0.9  # lengths of a press and height of its shaft [m]


def crank_press(angle: float, top: float):
    """A press with a slide of 1e4 kg, a crank and a rod of 1 kg, let go with its crank at an angle
    from the lower dead centre; three boxes under it reach up to `top`.
    """
    x, z = float(CRANK * np.sin(angle)), float(SHAFT - CRANK * np.cos(angle))
    low = float(z - np.sqrt(ROD**2 - x**2))
    crank = body("crank", [], 1.0, (CRANK**2 / 3,) * 3, (0.0, 0.0, SHAFT))
    rod = body("rod", [], 1.0, (ROD**2 / 12,) * 3, (x / 2, 0.0, (z + low) / 2))
    slide = box("slide", (0.3, 0.3, 0.1), 1e4, (0.0, 0.0, low))
    boxes = [
        box(f"box{k}", (0.2, 0.2, top / 3), 1.0, (0.0, 0.0, top / 3 * (k + 0.5))) for k in range(3)
    ]

    def pin(id, a, b, at, on):
        return Joint(
            id,
            id,
            "revolute",
            Frame(a, "", Placement(vector(*at), ABOUT_Y)),
            Frame(b, "", Placement(vector(*on), ABOUT_Y)),
        )

    arm = (x / 2, 0.0, (z - low) / 2)
    joints = {
        "main": pin("main", GROUND, "crank", (0.0, 0.0, SHAFT), (0.0,) * 3),
        "big": pin("big", "crank", "rod", (x, 0.0, z - SHAFT), arm),
        "small": pin("small", "rod", "slide", tuple(-a for a in arm), (0.0,) * 3),
        "guide": Joint(
            "guide",
            "guide",
            "prismatic",
            Frame(GROUND, "", Placement(vector(0.0, 0.0, low))),
            Frame("slide", "", Placement(vector(0.0, 0.0, 0.0))),
        ),
    }
    return mechanism([crank, rod, slide, *boxes], joints=joints, floor=skin())


def test_a_heavy_slide_takes_its_light_crank_through_the_dead_centre():
    """The crank has all of the energy for an instant, turns very fast, and lifts the
    slide to where it came from: energy and height to 3e-3 of the stroke, from steps of 1 ms too.
    """
    dead, ends = SHAFT - CRANK - ROD, []
    for step in (1e-3, 1e-4):
        w, seen = world(crank_press(1.5, dead - 0.07), step=step), []
        start, energy = w.now()[0][2, 2], sum(w.energy()[:2])

        def look(w, seen=seen):
            kinetic, potential, work = w.energy()
            seen.append((w.now()[0][2, 2], kinetic + potential - work))

        run(w, 0.4, look)
        z, balance = np.array(seen).T
        stroke, lowest = start - dead, z.argmin()
        assert dead <= z.min() < dead + 1e-3
        assert z[lowest:].max() == pytest.approx(start, abs=3e-3 * stroke)
        assert np.abs(balance - energy).max() < 3e-3 * 1e4 * G * stroke
        ends.append(z[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)


def test_a_heavy_slide_stops_on_boxes_just_before_its_dead_centre():
    """2 mm above it the crank's last turn is in the blow: the slide rests on the boxes, solved."""
    top = SHAFT - CRANK - ROD - 0.05 + 0.002
    w = run(world(crank_press(1.5, top)), 0.4)
    assert w.S.counts[s.UNSOLVED] == 0
    assert w.now()[0][2, 2] == pytest.approx(top + 0.05, abs=1e-5)
    assert abs(w.now()[1][0, 4]) < 1e-3
