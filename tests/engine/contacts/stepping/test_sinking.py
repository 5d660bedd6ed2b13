"""Fast bodies do not sink in, sliding ones jam where they must, and opening contacts push
nothing.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.contacts.runs.contact_run import run_with_contacts
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import system_for
from mechstudio.model.contact import MOST_OVERLAP, ContactSettings, overlap_words
from mechstudio.model.mechanism import GROUND, Drive, Frame, Joint, Law, Placement, Shape
from mechstudio.model.quantity import vector
from tests.benchmarks.contacts import pile
from tests.engine.contacts.cases import (
    Q,
    body,
    box,
    box_shape,
    mechanism,
    run,
    s,
    skin,
    tally,
    world,
)
from tests.samples.runs import changed


def spinning(shape, rate, **options):
    """A rod of 1 m that spins in the upright plane and falls on a floor."""
    surface = skin(0.3, 0.3)
    if shape == "box":
        rod = box(
            "rod", (1.0, 0.02, 0.02), 1.0, (0.0, 0.0, 0.52), w=(0.0, rate, 0.0), surface=surface
        )
    else:
        along = Placement(vector(0.0, 0.0, 0.0), vector(0.0, np.pi / 2, 0.0))
        rod = body(
            "rod",
            [Shape("capsule", {"radius": Q(0.01), "height": Q(1.0)}, placement=along)],
            1.0,
            (1e-4, 1 / 12, 1 / 12),
            (0.0, 0.0, 0.52),
            w=(0.0, rate, 0.0),
            surface=surface,
        )
    return world(mechanism([rod], floor=surface), **options)


@pytest.mark.parametrize("shape", ["box", "capsule"])
@pytest.mark.parametrize("rate", [20.0, 50.0, 100.0, 200.0, 350.0, 500.0])
@pytest.mark.thinned(4)
def test_a_spinning_rod_stays_above_the_floor(shape, rate):
    """No point deeper than 1e-4 of the rod, whose ends move by up to 0.25 m within a step of 1 ms;
    and it gains nothing.
    """
    w = spinning(shape, rate)
    first, deepest = sum(w.energy()[:2]), [0.0]
    size = 1.02

    def look(w):
        from mechstudio.engine.constraints.attitude import matrices

        pose = w.now()[0][0]
        R, half = matrices(pose[None, 3:])[0], np.array([0.5, 0.01, 0.01])
        along = R[2, 0] * 0.5 if shape == "capsule" else np.abs(R[2]) @ half
        deepest[0] = max(deepest[0], abs(along) + (0.01 if shape == "capsule" else 0.0) - pose[2])

    run(w, 1.0, look)
    assert deepest[0] < 1e-4 * size and tally(w, s.WORST_SUNK) < MOST_OVERLAP
    assert sum(w.energy()[:2]) < first * (1.0 + 1e-3)


def test_a_step_made_in_parts_ends_where_the_step_does():
    w = spinning("box", 500.0)
    steps = 0
    for n in range(400):
        w.advance()
        assert w.time == pytest.approx(1e-3 * (n + 1), rel=1e-12)
        steps = int(w.S.counts[s.STEPS])
    assert steps > 400 and w.S.settings[s.STEP] == 1e-3


def test_penetration_at_every_step_size_ends_the_run_with_the_body_names():
    """A bar that a motor turns into a floor: no step is short enough."""
    bar = body(
        "bar", [box_shape(1.0, 0.05, 0.05)], 1.0, (1e-3, 0.1, 0.1), (0.0, 0.0, 0.3), surface=skin()
    )
    pin = Joint(
        "j",
        "shaft",
        "revolute",
        Frame(GROUND, "", Placement(vector(0.0, 0.0, 0.3), vector(0.0, 0.0, np.pi / 2))),
        Frame("bar", "", Placement(vector(0.0, 0.0, 0.0), vector(0.0, 0.0, np.pi / 2))),
    )
    drawn = mechanism(
        [bar],
        floor=skin(),
        joints={"j": pin},
        drives={"d": Drive("d", "motor", "j", law=Law("constant", {"value": Q(30.0)}))},
        touching=[("bar", GROUND)],
    )
    options = RunOptions(duration=1.0, sample_step=0.01, contacts=ContactSettings())
    with pytest.raises(RunStopped, match="bar and floor sink into each other"):
        list(run_with_contacts(system_for(drawn, options), options, []))


# Painleve


def rod(mu, degrees, v):
    """A rod of 1 m at an angle over the floor, which it touches with a small ball at its end; the
    centre moves at v.
    """
    angle, r = np.radians(degrees), 1e-3
    end = Placement(vector(-0.5 * np.cos(angle), 0.0, -0.5 * np.sin(angle)))
    thing = body(
        "rod",
        [Shape("sphere", {"radius": Q(r)}, placement=end)],
        1.0,
        (1 / 12, 1 / 12, 1 / 12),
        (0.0, 0.0, 0.5 * np.sin(angle) + r),
        v=(v, 0.0, 0.0),
        surface=skin(mu),
    )
    return world(mechanism([thing], floor=skin(mu)))


@pytest.mark.parametrize(
    ("mu", "degrees"),
    [(1.4, 60.0), (1.4, 63.4), (1.6, 60.0), (1.6, 63.4), (1.6, 70.0), (2.0, 45.0), (2.0, 60.0)],
)
def test_a_rod_pushed_ahead_of_its_tip_jams_at_once(mu, degrees):
    """1 + 3 cos^2 < 3 mu sin cos: no force lets the tip slide on, and the impulse that stops it
    does (Stewart 1997), p = N^-1 (0, -v) of a bar, in one step; from then on it turns about its
    tip.
    """
    a = np.radians(degrees)
    assert 1.0 + 3.0 * np.cos(a) ** 2 < 3.0 * mu * np.sin(a) * np.cos(a)
    w = rod(mu, degrees, -3.0)
    w.advance()
    inverse = np.array(
        [
            [1.0 + 3.0 * np.cos(a) ** 2, -3.0 * np.sin(a) * np.cos(a)],
            [-3.0 * np.sin(a) * np.cos(a), 1.0 + 3.0 * np.sin(a) ** 2],
        ]
    )
    normal, along = np.linalg.solve(inverse, (0.0, 3.0))
    assert np.abs(w.impulses()[0, [2, 0]]) == pytest.approx((normal, along), rel=2e-2)
    assert w.S.slips[0] < 1e-6
    run(w, 0.02)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_SUNK) * 2e-3 < 3e-6
    # drawn behind it nothing jams
    w = run(rod(mu, degrees, 3.0), 0.02)
    assert w.S.slips[0] > 2.0 and w.S.counts[s.UNSOLVED] == 0


def test_a_rod_that_a_plane_holds_jams_too():
    """A joint holds the direction across, in which no impulse answers: the tip stops all the same,
    and the rod keeps its angular momentum about it.
    """
    result = ms.simulate(changed("painleve_rod"), duration=0.005, sample_step=1e-3)
    assert result.statistics["unsolved"] == 0
    v, w = result.velocities[1, 0, 0], result.velocities[1, 0, 4]
    height = 0.3 * np.sin(np.radians(60.0)) + 0.008
    spin = 1.5 * height / (0.03 + height**2 + (0.3 * np.cos(np.radians(60.0))) ** 2)
    assert abs(w) == pytest.approx(spin, rel=1e-2)
    assert min(abs(v - w * height), abs(v + w * height)) < 3e-3


def test_a_brake_that_jams_stops_its_wheel_and_does_not_throw_it_back():
    """mu c > a: the mean slip of the step is not what stops, the slip at its end is."""
    result = ms.simulate(changed("shoe_brake", mu="0.8", c="240 mm"), duration=0.1)
    rate = result.velocities[:, result.body_index("wheel"), 4]
    assert abs(rate[0]) == pytest.approx(20.0) and np.abs(rate[1:]).max() < 1e-2


# what opens


def test_a_follower_in_flight_feels_nothing():
    """An eccentric under a foot, faster than gravity brings the foot back: in flight the force is
    0, not what is left of it to the tolerance.
    """
    cam = body(
        "cam",
        [
            Shape(
                "cylinder",
                {"radius": Q(0.06), "height": Q(0.024)},
                placement=Placement(vector(0.0, 0.0, -0.025), vector(0.0, 0.0, np.pi / 2)),
            )
        ],
        1.0,
        (1e-3, 1e-3, 1e-3),
        (0.0, 0.0, 0.0),
        surface=skin(0.12),
    )
    foot = box("foot", (0.12, 0.03, 0.01), 0.6, (0.0, 0.0, 0.04), surface=skin(0.12))
    turn = Placement(vector(0.0, 0.0, 0.0), vector(0.0, 0.0, np.pi / 2))
    joints = {
        "s": Joint("s", "shaft", "revolute", Frame(GROUND, "", turn), Frame("cam", "", turn)),
        "g": Joint("g", "guide", "prismatic", Frame(GROUND), Frame("foot")),
    }
    w = world(
        mechanism(
            [cam, foot],
            joints=joints,
            drives={"d": Drive("d", "motor", "s", law=Law("constant", {"value": Q(35.0)}))},
        ),
        step=1e-4,
        margin=3e-3,
    )
    flying, before, force = 0, 0.0, 0.0
    for _ in range(10_000):
        w.advance()
        n = int(w.points.count[0])
        gap = float(w.points.gap[:n].min(initial=1.0))
        # what was open by more than a hair, and opened on, was not pushed
        if gap > before > 1e-6 and n:
            flying += 1
            assert force == 0.0
        before, force = gap, float(np.abs(w.impulses()).max(initial=0.0))
    assert flying > 1000 and w.S.counts[s.UNSOLVED] == 0


def test_an_overlap_is_reported_as_it_comes_and_at_the_end():
    """A box drawn 1 mm into the floor comes out; every sample and the run itself say how deep it
    was.
    """
    options = RunOptions(duration=0.1, sample_step=0.01, contacts=ContactSettings())
    for depth in (1e-3, 0.0):
        system = system_for(
            mechanism([box("b", (0.1, 0.1, 0.1), 1.0, (0.0, 0.0, 0.05 - depth))], floor=skin()),
            options,
        )
        contact_samples = []
        list(run_with_contacts(system, options, [], contact_samples=contact_samples))
        share = system.statistics.overlap_share
        assert [t.sunk for t in contact_samples] == pytest.approx([share] * 11, abs=1e-6)
        assert share == pytest.approx(depth / (0.1 * np.sqrt(3.0)), rel=1e-6, abs=MOST_OVERLAP)
        assert bool(overlap_words(share)) == (depth > 0.0)


@pytest.mark.parametrize("seed", [1, 2])
def test_small_overlaps_are_lifted_out_at_once(seed):
    """Ten boxes tumble into a tray, turning by 0.02 rad in a step: nothing sinks in by more than
    1e-4 of its size, no step is made in parts, and the account closes.
    """
    w, account = pile("boxes", 10, seed, projection=True), []
    for _ in range(700):
        w.advance()
        kinetic, potential, work = w.energy()
        account.append((kinetic, kinetic + potential - work))
    account = np.array(account)
    assert w.S.counts[s.STEPS] == 700 and tally(w, s.WORST_SUNK) <= MOST_OVERLAP
    assert np.ptp(account[:, 1]) < 5e-4 * account[:, 0].max()


def rod_among_balls():
    """A rod that spins fast, over a floor on which a ball drops every half millisecond while the
    rod's end does.
    """
    surface = skin(0.0, 0.9)
    rod = box(
        "rod", (1.0, 0.02, 0.02), 1.0, (0.0, 0.0, 0.52), w=(0.0, 1225.0, 0.0), surface=surface
    )
    heights = [0.5 * 9.81 * (0.055 + 0.0005 * k) ** 2 for k in range(40)]
    balls = [
        body(
            f"ball{k}",
            [Shape("sphere", {"radius": Q(0.005)})],
            0.1,
            (1e-6, 1e-6, 1e-6),
            (0.05 * k, 1.0, 0.005 + height),
            surface=surface,
        )
        for k, height in enumerate(heights)
    ]
    return world(mechanism([rod, *balls], floor=surface))


def test_the_events_of_a_step_made_in_parts_have_room():
    """Each part of a step may strike at every point: the table of events grows where the next part
    might not find room.
    """
    whole, tight = rod_among_balls(), rod_among_balls()
    tight.S = tight.S._replace(events=np.zeros((tight.room, s.EVENT_WIDTH)))
    for w in (whole, tight):
        for _ in range(80):
            w.advance()
    assert len(tight.S.events) > tight.room
    assert np.array_equal(np.concatenate(whole.impacts), np.concatenate(tight.impacts))
