"""Cases of friction, rolling and tipping: each with its closed form above it.  Names are those of
the collected cases.
"""

import numpy as np
import pytest

import mechstudio as ms
from tests.engine.contacts.cases import (
    G,
    ball,
    body,
    box,
    box_shape,
    forces_on,
    mechanism,
    place,
    run,
    s,
    skin,
    tally,
    tilt,
    tilted,
    velocity,
    world,
)


def brick(size=(0.2, 0.2, 0.1), v=(0.0, 0.0, 0.0), angle=0.0, mu=0.5, **options):
    """A brick of 1 kg on a plane tilted about y."""
    _a, _b, c = size
    return world(
        mechanism(
            [box("brick", size, 1.0, (0.0, 0.0, c / 2), v=v, surface=skin(mu))],
            tilted(angle),
            skin(mu),
        ),
        **options,
    )


def test_incline_stick():
    """Coulomb: below atan(mu) = 26.565 deg nothing moves, and f_t / f_n = tan(25.5 deg)."""
    w = run(brick(angle=25.5), 2.0)
    f = forces_on(w, 0)
    assert np.linalg.norm(place(w)[:2]) < 1e-6
    assert np.hypot(*f[:2]) / (0.5 * f[2]) == pytest.approx(
        np.tan(np.radians(25.5)) / 0.5, abs=1e-3
    )
    assert tilt(w) < 1e-4


def test_incline_slip():
    """a = g (sin - mu cos): v = a T, and the way a T^2 / 2 to the tolerance of the solve: a contact
    that lasts costs no order of the step.
    """
    a = G * (np.sin(np.radians(27.5)) - 0.5 * np.cos(np.radians(27.5)))
    w = run(brick(angle=27.5), 2.0)
    assert velocity(w)[0] == pytest.approx(2.0 * a, abs=1e-4)
    assert place(w)[0] == pytest.approx(2.0 * a, abs=1e-5)


def test_slide_to_rest():
    """Work and energy: the way v0^2 / (2 mu g), the time v0 / (mu g)."""
    w, stopped = brick((0.2, 0.2, 0.04), (3.0, 0.0, 0.0)), []
    run(w, 2.0, lambda w: stopped.append(w.time) if abs(velocity(w)[0]) < 1e-6 else None)
    assert place(w)[0] == pytest.approx(9.0 / G, abs=1e-5)
    assert stopped[0] == pytest.approx(3.0 / (0.5 * G), abs=1e-3)
    # the case requires 1e-9 m/s, which is the solve's tolerance and no physics
    w = run(brick((0.2, 0.2, 0.04), (3.0, 0.0, 0.0), tolerance=1e-10), 1.0)
    assert np.linalg.norm(velocity(w)[:3]) < 1e-9


def test_slide_lift_artifact():
    """The convex relaxation requires u_n = mu |u_t| of sliding contacts (Anitescu 2006); with De
    Saxce's correction the brick stays down.

    The case lists h mu v = 1.5 mm for the lift without it, which is what a sliding body keeps once
    it has come there gently.  One that is set sliding at once is thrown: in the first step u_n = mu
    (v - mu (u_n + g h)), so u_n = mu (v - mu g h) / (1 + mu^2) = 1.198 m/s, and it flies u_n^2 / (2
    g) + h u_n = 74 mm high, as the cube of the next case does.
    """
    gaps = {}
    for corrected in (True, False):
        w, heights = brick((0.2, 0.2, 0.04), (3.0, 0.0, 0.0), correction=corrected), []
        run(w, 0.5, lambda w: heights.append(place(w)[2] - 0.02))
        gaps[corrected] = max(heights)
    assert gaps[True] < 1e-6
    thrown = 0.5 * (3.0 - 0.5 * G * 1e-3) / 1.25
    assert gaps[False] == pytest.approx(thrown**2 / (2.0 * G) + 1e-3 * thrown, rel=0.01)


def test_cube_6mps_no_lift():
    """A cube of 0.1 m at 6 m/s with steps of 5 ms: neither thrown up nor tumbled, v0^2 / (2 mu g)
    far; without the correction 0.3 m up.
    """
    w, lift, tilts = brick((0.1,) * 3, (6.0, 0.0, 0.0), step=5e-3), [], []

    def look(w):
        lift.append(place(w)[2] - 0.05)
        tilts.append(tilt(w))

    run(w, 2.0, look)
    assert max(lift) < 1e-5 and max(tilts) < 1e-3
    assert place(w)[0] == pytest.approx(36.0 / G, abs=0.03)
    plain, up = brick((0.1,) * 3, (6.0, 0.0, 0.0), step=5e-3, correction=False), []
    run(plain, 2.0, lambda w: up.append(place(w)[2] - 0.05))
    assert max(up) > 0.2


def rolling(mu, v=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), angle=0.0, **options):
    return world(
        mechanism(
            [ball("ball", 0.1, 1.0, (0.0, 0.0, 0.1), v=v, w=spin, surface=skin(mu))],
            tilted(angle),
            skin(mu),
        ),
        **options,
    )


def test_roll_transition():
    """Angular momentum about the line of contact: v = 5/7 v0, from 2 v0 / (7 mu g) on, after 12
    v0^2 / (49 mu g).
    """
    w, first = rolling(0.2, (2.0, 0.0, 0.0), tolerance=1e-8), []

    def look(w):
        v = velocity(w)
        if not first and abs(v[0] - 0.1 * v[4]) < 1e-5:
            first.extend((w.time, place(w)[0]))

    run(w, 1.0, look)
    v = velocity(w)
    assert v[0] == pytest.approx(10.0 / 7.0, abs=1e-6) and 0.1 * v[4] == pytest.approx(
        10.0 / 7.0, abs=1e-6
    )
    assert first == [
        pytest.approx(4.0 / (7.0 * 0.2 * G), abs=2e-3),
        pytest.approx(48.0 / (49.0 * 0.2 * G), abs=4e-3),
    ]


def test_backspin_from_rest():
    """v = 2/7 w0 r."""
    w = run(rolling(0.3, spin=(0.0, 20.0, 0.0), tolerance=1e-8), 1.0)
    assert velocity(w)[0] == pytest.approx(4.0 / 7.0, abs=1e-6)


@pytest.mark.parametrize(("name", "share"), [("sphere", 0.4), ("cylinder", 0.5), ("hoop", 1.0)])
def test_roll_down_incline(name, share):
    """a = g sin / (1 + I / (m r^2))."""
    from mechstudio.model.mechanism import Placement, Shape
    from mechstudio.model.quantity import Quantity, vector
    from tests.engine.contacts.cases import Q

    if name == "sphere":
        shape = Shape("sphere", {"radius": Q(0.1)})
    else:
        # axis along y
        shape = Shape(
            "cylinder",
            {"radius": Q(0.1), "height": Quantity(0.1)},
            placement=Placement(orientation=vector(0.0, 0.0, np.pi / 2)),
        )
    inertia = (share * 0.01,) * 3
    w = world(
        mechanism([body("roller", [shape], 1.0, inertia, (0.0, 0.0, 0.1))], tilted(20.0), skin(0.5))
    )
    run(w, 1.0)
    assert velocity(w)[0] == pytest.approx(G * np.sin(np.radians(20.0)) / (1.0 + share), abs=1e-4)


def test_a_ball_rolls_over_the_joints_of_a_floor():
    """Boxes side by side are one floor: the feature detected ahead of the ball, the edge of the
    next box, must not stop or lift it.  One across a gap of 2 mm drops in by r - sqrt(r^2 - 1 mm^2)
    = 10 um and comes out again; a step of 10 mm stops it.
    """
    ends = {}
    for name, gap, rise in (("flush", 0.0, 0.0), ("gap", 2e-3, 0.0), ("step", 0.0, 0.01)):
        slabs = [
            box_shape(0.1, 0.4, 0.04, at=(k * (0.1 + gap), 0.0, -0.02 + (rise if k > 6 else 0.0)))
            for k in range(12)
        ]
        roller = ball("ball", 0.05, 1.0, (0.0, 0.0, 0.05), v=(1.0, 0.0, 0.0), w=(0.0, 20.0, 0.0))
        w, heights = world(mechanism([roller], ground=slabs), tolerance=1e-9), []
        run(w, 1.0, lambda w: heights.append(place(w)[2] - 0.05))
        ends[name] = velocity(w)[0], min(heights), max(heights)
    assert ends["flush"] == pytest.approx((1.0, 0.0, 0.0), abs=2e-6)
    assert (
        ends["gap"][0] == pytest.approx(1.0, abs=0.1)
        and -2e-5 < ends["gap"][1] < 0.0
        and ends["gap"][2] < 1e-3
    )
    assert ends["step"][0] < 0.9


def test_roll_slip_threshold():
    """A ball slips below mu = 2/7 tan(angle): v = g (sin - mu cos) T, r omega = 5/2 mu g cos T."""
    theta = np.radians(20.0)
    w = run(rolling(0.05, angle=20.0), 1.0)
    assert velocity(w)[0] == pytest.approx(G * (np.sin(theta) - 0.05 * np.cos(theta)), abs=1e-4)
    assert 0.1 * velocity(w)[4] == pytest.approx(2.5 * 0.05 * G * np.cos(theta), abs=1e-4)
    slips = {}
    for mu in (0.12, 0.106, 0.102):
        v = velocity(run(rolling(mu, angle=20.0), 0.3))
        slips[mu] = abs(v[0] - 0.1 * v[4])
    # 2/7 tan(20 deg) = 0.10399
    assert slips[0.12] < 1e-5 and slips[0.106] < 1e-5 and slips[0.102] > 1e-3


def test_wheel_slip():
    """Saturated friction: a = mu g, alpha = (torque - mu m g r) / I."""
    from mechstudio.model.mechanism import Force, Frame, Placement, Shape
    from mechstudio.model.quantity import vector
    from tests.engine.contacts.cases import Q

    wheel = body(
        "wheel",
        [
            Shape(
                "cylinder",
                {"radius": Q(0.2), "height": Q(0.1)},
                placement=Placement(orientation=vector(0.0, 0.0, np.pi / 2)),
            )
        ],
        2.0,
        (0.04, 0.04, 0.04),
        (0.0, 0.0, 0.2),
        surface=skin(0.3),
    )
    torque = Force(
        "drive", "drive", "torque", {"x": Q(0.0), "y": Q(10.0), "z": Q(0.0)}, frame_b=Frame("wheel")
    )
    w = run(world(mechanism([wheel], floor=skin(0.3), forces={"drive": torque})), 0.5)
    v = velocity(w)
    assert v[0] / 0.5 == pytest.approx(0.3 * G, abs=1e-4)
    assert v[4] / 0.5 == pytest.approx((10.0 - 0.3 * 2.0 * G * 0.2) / 0.04, abs=0.01)


@pytest.mark.slow
def test_sphere_in_cylinder():
    """A ball that rolls in a trough of radius R: T = 2 pi sqrt(7 (R - r) / (5 g)).  The trough is
    made of planes every 0.05 deg.
    """
    from mechstudio.engine.contacts.geometry.shapes import PLANE, SPHERE, ContactShape, shape_table
    from mechstudio.engine.contacts.world import StepOptions, Surface, World
    from mechstudio.engine.system.system import compile_system

    theta = np.radians(2.0)
    shapes = [ContactShape(SPHERE, (0.1,), body=0)]
    for a in np.radians(np.arange(-3.0, 3.0001, 0.05)):
        # the plane's z axis points to the trough's axis at (0, 0, 1)
        shapes.append(
            ContactShape(
                PLANE,
                place=(np.sin(a), 0.0, 1.0 - np.cos(a)),
                turn=(np.cos(a / 2), 0.0, -np.sin(a / 2), 0.0),
            )
        )
    drawn = mechanism(
        [ball("ball", 0.1, 1.0, (0.9 * np.sin(theta), 0.0, 1.0 - 0.9 * np.cos(theta)))]
    )
    w = World(compile_system(drawn), shape_table(shapes), [Surface(1.0)], StepOptions(margin=1e-4))
    xs = []
    run(w, 10.0, lambda w: xs.append(place(w)[0]))
    xs = np.array(xs)
    down = (
        np.flatnonzero((xs[:-1] > 0.0) & (xs[1:] <= 0.0))
        + xs[:-1][(xs[:-1] > 0.0) & (xs[1:] <= 0.0)] / 1.0
    )
    period = 1e-3 * np.diff(np.flatnonzero((xs[:-1] > 0.0) & (xs[1:] <= 0.0))).mean()
    assert len(down) >= 4
    # small oscillations; at 2 deg the period is 1 + theta^2 / 16 of it
    assert period == pytest.approx(2.0 * np.pi * np.sqrt(7.0 * 0.9 / (5.0 * G)), rel=2e-3)


def test_tip_threshold():
    """A box stands to tan(angle) = b / h = 18.435 deg."""
    for angle, falls in ((18.335, False), (18.535, True)):
        w = world(
            mechanism(
                [box("post", (0.1, 0.1, 0.3), 1.0, (0.0, 0.0, 0.15), surface=skin(1.0))],
                tilted(angle),
                skin(1.0),
            )
        )
        run(w, 3.0)
        assert bool(tilt(w) > 5.0) is falls, (angle, tilt(w))


def test_slide_before_tip():
    """mu < b / h: it slides with a = g (sin - mu cos) and does not turn."""
    theta = np.radians(12.0)
    w = world(
        mechanism(
            [box("post", (0.1, 0.1, 0.3), 1.0, (0.0, 0.0, 0.15), surface=skin(0.2))],
            tilted(12.0),
            skin(0.2),
        )
    )
    run(w, 1.0)
    assert velocity(w)[0] == pytest.approx(G * (np.sin(theta) - 0.2 * np.cos(theta)), abs=1e-3)
    assert tilt(w) < 1e-3


@pytest.mark.parametrize(
    ("height", "tips"), [(0.15, False), (0.163, False), (0.170, True), (0.18, True)]
)
def test_push_tip(height, tips):
    """A cube tips before it slides when pushed above b / (2 mu) = 0.16667 m: moments about the
    edge.
    """
    from mechstudio.model.mechanism import Force, Frame, Law, Placement
    from mechstudio.model.quantity import vector
    from tests.engine.contacts.cases import Q

    cube = box("cube", (0.2,) * 3, 1.0, (0.0, 0.0, 0.1), surface=skin(0.6))
    full = 0.6 * G
    # ramp to mu m g in 2 s; the push has to be past both thresholds at its end
    push = Force(
        "push",
        "push",
        "force",
        {"x": Q(0.0), "y": Q(0.0), "z": Q(0.0)},
        frame_b=Frame("cube", "", Placement(vector(-0.1, 0.0, height - 0.1))),
        laws={"x": Law("expression", text=f"{full * 1.01} N * t / (2 s)")},
    )
    w = world(mechanism([cube], floor=skin(0.6), forces={"push": push}))
    run(w, 2.1)
    assert bool(tilt(w) > 0.05) is tips
    assert bool(place(w)[0] > 1e-4 and tilt(w) < 0.05) is not tips


def test_v_groove():
    """A ball without friction in a right-angled groove: each side carries m g / sqrt(2)."""
    sides = [
        box_shape(
            1.0,
            1.0,
            0.1,
            at=(
                sign * 0.5 * np.cos(np.pi / 4) + sign * 0.05 * np.sin(np.pi / 4),
                0.0,
                0.5 * np.sin(np.pi / 4) - 0.05 * np.cos(np.pi / 4),
            ),
            turn=(0.0, -sign * np.pi / 4, 0.0),
        )
        for sign in (1.0, -1.0)
    ]
    smooth = skin(0.0)
    w = world(
        mechanism(
            [ball("ball", 0.1, 1.0, (0.0, 0.0, 0.1 * np.sqrt(2.0)), surface=smooth)],
            ground=sides,
            ground_surface=smooth,
        ),
        tolerance=1e-9,
    )
    run(w, 0.5)
    n = int(w.points.count[0])
    normal = np.linalg.norm(w.impulses()[:n], axis=1) / (1e-3 * G)
    assert n == 2 and normal == pytest.approx([np.sqrt(0.5)] * 2, abs=1e-6)


def test_energy_account_closes():
    """T + U less the work of loads, friction and impacts stays what it was, to what the order of
    the step leaves: half of it with half the step.
    """
    left = []
    for h in (1e-3, 5e-4):
        w = world(
            mechanism(
                [
                    box(
                        "brick",
                        (0.2, 0.1, 0.1),
                        1.0,
                        (0.0, 0.0, 0.4),
                        v=(1.5, 0.3, 0.0),
                        w=(1.0, 2.0, 3.0),
                        surface=skin(0.4, 0.3),
                    )
                ],
                floor=skin(0.4, 0.3),
            ),
            step=h,
        )
        before = sum(w.energy()[:2])
        run(w, 2.0)
        kinetic, potential, work = w.energy()
        left.append(abs(kinetic + potential - work - before))
        assert work == pytest.approx(tally(w, s.FRICTION_WORK) + tally(w, s.NORMAL_WORK), abs=1e-9)
        assert tally(w, s.FRICTION_WORK) < -0.1 and tally(w, s.NORMAL_WORK) < -0.1
    assert left[0] < 0.02 * before and left[1] < 0.01 * before


def slot(play, across, surface, along=1.0, duration=0.3):
    """A block with a speed along a slot of two walls and one across, without weight."""
    m = ms.Builder("slot", gravity=(0, 0, 0))
    for side in (1, -1):
        m.ground.box(4, 0.1, 0.1, at=(1, side * (0.1 + play / 2), 0))
    block = m.body("block", (0, 0, 0)).box(0.2, 0.1, 0.1).velocity((along, across, 0))
    for one in (block, m.ground):
        m.surface(one, **surface)
    m.touch()
    return ms.simulate(m.project(), duration=duration, sample_step=0.01)


@pytest.mark.parametrize("play", [1e-3, 2e-4, 2e-5])
def test_a_block_in_a_slot_slides_on(play):
    """Its impacts take mu (1 + e) v + mu (1 + e) e v + ... = mu v (1 + e) / (1 - e) along the slot,
    also where it crosses the play several times in a step.
    """
    result = slot(play, 0.2, {"friction": 0.12, "restitution": 0.6})
    taken = 1.0 - result.velocities[-1, 0, 0]
    # what is slower than 10 mm/s across does not rebound
    assert taken == pytest.approx(0.12 * 0.2 * 1.6 / 0.4, abs=0.12 * 0.01 * 1.6 / 0.4)
    assert result.statistics["unsolved"] == 0


@pytest.mark.parametrize("play", [5e-4, 1e-4, 3e-5])
def test_a_block_between_two_walls_keeps_its_energy(play):
    result = slot(play, 0.3, {"friction": 0.0, "restitution": 1.0}, along=0.0, duration=0.05)
    energy = result.kinetic_energy
    assert energy[-1] == pytest.approx(energy[0], rel=2e-3)
    assert result.position("block")[:, 1].max() <= 0.5 * play + 1e-6
