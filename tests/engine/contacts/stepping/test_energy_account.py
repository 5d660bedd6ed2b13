"""Reports of a run with contacts: the energy account with drives, loads, friction and impacts, and
the impacts one by one, each with its closed form.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.files.project_file import load
from mechstudio.model.contact import ContactPair, ContactSettings
from mechstudio.model.edits.laws import new_law
from mechstudio.model.mechanism import (
    GROUND,
    VELOCITY,
    Drive,
    Force,
    Frame,
    Joint,
    Limit,
    Mechanism,
    Placement,
)
from mechstudio.model.project import EndCondition
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.channels import channels
from mechstudio.model.results.events import ImpactEvent, StopEvent
from tests.engine.contacts.cases import G, Q, ball, body, box, box_shape, mechanism, skin

OPTIONS = RunOptions(duration=1.0, sample_step=0.01)
ALONG_X = Placement(
    vector(0.0, 0.0, 0.0), vector(0.0, np.pi / 2, 0.0)
)  # z of the joint along x of W


def record(drawn, options=OPTIONS):
    """(reader of channels, events, statistics) of a run."""
    events, system = [], system_for(drawn, options)
    rows = np.concatenate(list(run(system, options, events)))
    known = channels(drawn, system.layout)
    return (
        (
            lambda key: (
                rows[:, 0] if key == "time" else rows[:, list(known[key].columns)].sum(axis=1)
            )
        ),
        events,
        system.statistics,
    )


def slide(id, b, at=(0.0, 0.0, 0.05), **more):
    """A prismatic joint of ground and a body along x."""
    return Joint(
        id,
        id,
        "prismatic",
        Frame(GROUND, "", Placement(vector(*at), ALONG_X.orientation)),
        Frame(b, "", ALONG_X),
        **more,
    )


def closes(read, share=1e-9):
    """Kinetic and potential energy grow by the sum of the works, within a share of the largest of
    them.
    """
    works = [read(f"contact/{name}") for name in ("drives", "loads", "friction", "impact")]
    total = read("energy/total")
    left = total - total[0] - sum(works)
    assert left == pytest.approx(
        read("energy/balance"), abs=1e-12 * max(1.0, float(np.abs(total).max()))
    )
    largest = max(float(np.abs(w).max()) for w in (*works, read("energy/kinetic")))
    assert np.abs(left).max() <= share * largest
    return works


def test_a_block_that_slides_to_a_stop():
    """Coulomb: m v^2 / 2 goes into friction over v^2 / (2 mu g), nothing into anything else."""
    m, v, mu = 2.0, 1.5, 0.4
    read, events, _ = record(
        mechanism(
            [box("block", (0.2, 0.2, 0.1), m, (0.0, 0.0, 0.05), v=(v, 0.0, 0.0), surface=skin(mu))],
            floor=skin(mu),
        )
    )
    drives, loads, friction, impacts = closes(read)
    assert (
        friction[-1] == pytest.approx(-0.5 * m * v * v, rel=1e-6) and np.abs(impacts).max() < 1e-5
    )
    assert read("body/block/x")[-1] == pytest.approx(v * v / (2 * mu * G), rel=1e-3)
    assert not drives.any() and not loads.any() and events == []


def test_a_ball_that_bounces():
    """Newton: an impact at v takes (1 - e^2) m v^2 / 2 and gives m (1 + e) v; all impacts together
    are the work of normal impulses.
    """
    m, e, h = 0.7, 0.6, 0.5
    read, events, statistics = record(
        mechanism(
            [ball("ball", 0.1, m, (0.0, 0.0, h + 0.1), surface=skin(0.3, e))], floor=skin(0.3, e)
        )
    )
    _, _, _, impacts = closes(read, 1e-3)
    speed = np.sqrt(2 * G * h)
    first, second = events[:2]
    assert isinstance(first, ImpactEvent) and {first.body_a, first.body_b} == {"ball", GROUND}
    assert (
        first.time == pytest.approx(np.sqrt(2 * h / G), abs=1e-3)
        and first.before == pytest.approx(speed, rel=5e-3)
        and first.after == pytest.approx(e * first.before, rel=1e-2)
    )
    assert first.impulse == pytest.approx(
        m * (1 + e) * first.before, rel=5e-3
    ) and first.loss == pytest.approx((1 - e * e) / 2 * m * speed**2, rel=1e-2)
    assert second.before == pytest.approx(e * speed, rel=2e-2) and second.time == pytest.approx(
        first.time + 2 * e * speed / G, rel=5e-3
    )
    assert [e.time for e in events] == sorted(e.time for e in events) and statistics.impacts == len(
        events
    )
    assert (
        statistics.impact_loss == pytest.approx(-impacts[-1], rel=2e-2)
        and statistics.energy_error < 1e-3
    )


def pushed(law="constant", **more):
    """A pusher that a drive moves at 0.5 m/s against a block on a floor, 0.1 m away."""
    bodies = [
        box("pusher", (0.1, 0.1, 0.1), 1.0, (0.0, 0.0, 0.06)),
        box("block", (0.1, 0.1, 0.1), 2.0, (0.2, 0.0, 0.05), surface=skin(0.4)),
    ]
    drive = Drive(
        "drive",
        "drive",
        "slide",
        0,
        VELOCITY,
        msgspec.structs.replace(new_law("constant"), parameters={"value": Q(0.5)}),
    )
    return mechanism(
        bodies,
        floor=skin(0.4),
        joints={"slide": slide("slide", "pusher", (0.0, 0.0, 0.06))},
        drives={"drive": drive},
        **more,
    )


def test_a_drive_that_pushes_a_block():
    """The drive gives m v^2 / 2 to the block and as much to the impact, which is not elastic, and
    mu m g for every metre from there on.
    """
    drawn = msgspec.structs.replace(
        pushed(),
        contacts=msgspec.structs.replace(
            pushed().contacts,
            pairs=(
                ContactPair("pusher", GROUND, False),
                ContactPair("pusher", "block", True, surface=skin(0.0)),
            ),
        ),
    )
    read, events, _ = record(drawn)
    drives, loads, friction, impacts = closes(read, 1e-3)
    m, v, way = 2.0, 0.5, read("body/block/x")[-1] - 0.2
    assert way == pytest.approx(0.4, abs=2e-3)
    assert friction[-1] == pytest.approx(-0.4 * m * G * way, rel=5e-3) and impacts[
        -1
    ] == pytest.approx(-0.5 * m * v * v, rel=1e-2)
    assert drives[-1] == pytest.approx(m * v * v + 0.4 * m * G * way, rel=5e-3) and not loads.any()
    impacted = [e for e in events if isinstance(e, ImpactEvent)]
    assert (
        len(impacted) == 1
        and impacted[0].time == pytest.approx(0.2, abs=2e-3)
        and impacted[0].impulse == pytest.approx(m * v, rel=2e-2)
    )


def test_a_force_that_presses_against_a_wall():
    """A force does the work F d up to the wall, all of which the impact dissipates, and nothing
    more while it presses.
    """
    force, d = 30.0, 0.05
    push = Force("push", "push", "motor_force", joint="slide", parameters={"force": Q(force)})
    drawn = mechanism(
        [box("cart", (0.1, 0.1, 0.1), 1.0, (0.0, 0.0, 0.05))],
        ground=[box_shape(0.1, 1.0, 1.0, (0.1 + d, 0.0, 0.05))],
        joints={"slide": slide("slide", "cart")},
        forces={"push": push},
        touching=[("cart", GROUND)],
    )
    read, events, _ = record(drawn)
    _, loads, _, impacts = closes(read, 5e-2)
    assert loads[-1] == pytest.approx(force * d, rel=3e-2) and impacts[-1] == pytest.approx(
        -force * d, rel=3e-2
    )
    pressing = read("time") > 0.3
    assert np.ptp(loads[pressing]) < 1e-5 * force * d and len(events) == 1


@pytest.mark.parametrize(
    ("name", "duration", "share"),
    [
        ("gripper", 1.0, 1e-3),
        ("geneva_drive", 2.0, 2e-3),
        ("cam_and_follower", 0.2, 1e-2),
        ("walking_linkage", 2.0, 1e-3),
        ("dominoes", 1.2, 2e-6),
    ],
)
def test_samples_close_their_account(name, duration, share):
    """The works, one by one, are what the energy grew by; what is left is of the order of the step.
    What pushes dominoes out of each other lifts them, which is work too.
    """
    project = load(str(sample_folder() / f"{name}.mech")).project
    read, _, _ = record(
        project.mechanism,
        msgspec.structs.replace(RunOptions.from_settings(project.settings), duration=duration),
    )
    closes(read, share)


# hard stops


def hanging(e, **more):
    """A weight on a vertical slide above its lower stop, 0.2 m below."""
    slide = Joint(
        "slide",
        "slide",
        "prismatic",
        Frame(GROUND),
        Frame("weight"),
        limits=(Limit(0, Q(-0.2), None, Q(e)),),
    )
    return mechanism(
        [box("weight", (0.1, 0.1, 0.1), 1.5, (0.0, 0.0, 0.0))], joints={"slide": slide}, **more
    )


def test_a_linkage_loses_nothing_to_its_loops():
    """A driven leg linkage in free fall, far above its floor: what its drive does is all that it
    gains, to second order in the step.
    """
    project = load(sample_folder() / "walking_linkage.mech").project
    contacts = project.mechanism.contacts
    high = msgspec.structs.replace(
        project.mechanism,
        contacts=msgspec.structs.replace(
            contacts, floor=msgspec.structs.replace(contacts.floor, height=Quantity(-50.0))
        ),
    )
    left = []
    for step in (2e-3, 1e-3):
        read, events, _ = record(
            high,
            RunOptions(
                duration=1.0,
                sample_step=0.01,
                contacts=msgspec.structs.replace(project.settings.contacts, step=Quantity(step)),
            ),
        )
        assert events == [] and abs(read("contact/drives")[-1]) > 0.03
        left.append(np.abs(read("energy/balance")).max())
    assert left[1] < 2e-5 and left[0] / left[1] == pytest.approx(4.0, rel=0.1)


def hinged(base, at, floor, kind="revolute", **more):
    """A rod of 0.4 m that hangs 60 degrees to the side of a base by a joint whose z is y of W, and
    the base free to move on a floor at its lower side; the rod touches nothing.
    """
    rod = box(
        "rod",
        (0.02, 0.02, 0.4),
        1.0,
        (at[0] + 0.2 * np.sin(np.pi / 3), at[1], at[2] - 0.2 * np.cos(np.pi / 3)),
        turn=(0.0, -np.pi / 3, 0.0),
    )
    along_y = vector(0.0, 0.0, np.pi / 2)
    hinge = Joint(
        "hinge",
        "hinge",
        kind,
        Frame(base.id, "", Placement(vector(0.0, 0.0, 0.0), along_y)),
        Frame("rod", "", Placement(vector(0.0, 0.0, 0.2), along_y)),
    )
    if floor is None:
        return Mechanism(
            {base.id: base, "rod": rod}, {"hinge": hinge, **more}, gravity=vector(0.0, 0.0, -G)
        )
    drawn = mechanism([base, rod], floor=floor, joints={"hinge": hinge, **more})
    contacts = msgspec.structs.replace(
        drawn.contacts,
        floor=msgspec.structs.replace(drawn.contacts.floor, height=Q(at[2] - 0.05)),
        pairs=(ContactPair("rod", GROUND, False),),
    )
    return msgspec.structs.replace(drawn, contacts=contacts)


def swung(drawn, step):
    """(reader, statistics) of 1 s with contacts by steps of this length."""
    read, _, statistics = record(
        drawn,
        RunOptions(
            duration=1.0,
            sample_step=0.01,
            contacts=ContactSettings(step=Q(step), tolerance=Q(1e-9)),
        ),
    )
    return read, statistics


def test_a_mechanism_that_slides_on_a_smooth_floor_is_one_on_a_rail():
    """A cart with a rod: contacts that last take nothing, and the motion is that of the same cart
    on a prismatic joint, to second order in the step.
    """
    base, at = (
        box("cart", (0.3, 0.2, 0.1), 2.0, (0.0, 0.0, 1.05), surface=skin(0.0)),
        (0.0, 0.0, 1.05),
    )
    rail = slide("rail", "cart", at)
    smooth, _, _ = record(
        hinged(base, at, None, rail=rail), RunOptions(duration=1.0, sample_step=0.01)
    )
    drawn = hinged(base, at, skin(0.0))
    off, left = [], []
    for step in (2e-3, 1e-3, 5e-4):
        read, statistics = swung(drawn, step)
        off.append(np.abs(read("body/rod/x") - smooth("body/rod/x")).max())
        left.append(np.abs(read("energy/balance")).max())
        assert statistics.impacts == 0 and statistics.unsolved == 0
    assert np.ptp(smooth("body/cart/x")) > 0.1
    assert off[2] < 4e-7 and off[0] / off[1] > 3.5 and off[1] / off[2] > 3.5
    assert left[2] < 5e-6 and left[0] / left[1] > 3.5 and left[1] / left[2] > 3.5


@pytest.mark.parametrize(
    ("kind", "mu"),
    [
        ("revolute", 0.1),
        ("revolute", 1.0),
        ("spherical", 0.1),
        ("spherical", 1.0),
        ("universal", 0.2),
    ],
)
def test_a_base_that_slides_or_sticks_under_a_swinging_rod(kind, mu):
    """Energy goes into friction alone, by steps of second order, whatever the joint."""
    at, left = (0.0, 0.0, 1.05), []
    for step in (2e-3, 1e-3, 5e-4):
        read, statistics = swung(
            hinged(box("cart", (0.3, 0.2, 0.1), 2.0, at, surface=skin(mu)), at, skin(mu), kind),
            step,
        )
        left.append(np.abs(read("energy/balance")).max())
        assert (
            statistics.impacts == 0
            and statistics.unsolved == 0
            and np.ptp(read("energy/kinetic")) > 0.5
        )
    assert left[2] < 5e-6 and left[0] / left[1] > 3.5 and left[1] / left[2] > 3.5


def test_a_ball_that_a_rod_swings_in_rolls_without_loss():
    """A ball on a rough floor, a rod hinged to its middle: rolling takes nothing, to second order
    in the step; and the ball's angle is its way over its radius.
    """
    r = 0.05
    drawn = hinged(ball("ball", r, 3.0, (0.0, 0.0, r), surface=skin(1.0)), (0.0, 0.0, r), skin(1.0))
    left = []
    for step in (2e-3, 1e-3, 5e-4):
        read, statistics = swung(drawn, step)
        left.append(np.abs(read("energy/balance")).max())
        rotated = read("body/ball/wy")
        assert np.abs(read("body/ball/vx") - r * rotated).max() < 1e-5 * step / 1e-3
        assert np.abs(rotated).max() > 0.1 and statistics.unsolved == 0
    assert left[2] < 4e-6 and left[0] / left[1] > 3.0 and left[1] / left[2] > 3.0


def test_a_stop_is_struck_and_leaned_against():
    """Free fall to the stop, rebound e v, loss (1 - e^2) m v^2 / 2; in the end it lies on the
    stop.
    """
    e, m, h = 0.5, 1.5, 0.2
    read, events, statistics = record(hanging(e))
    closes(read, 1e-2)
    speed = np.sqrt(2 * G * h)
    assert all(isinstance(x, StopEvent) and x.joint == "slide" and not x.upper for x in events)
    assert (
        events[0].time == pytest.approx(np.sqrt(2 * h / G), abs=1.5e-3)
        and events[0].speed == pytest.approx(speed, rel=1e-2)
        and events[0].impulse == pytest.approx(m * (1 + e) * speed, rel=1e-2)
    )
    assert events[1].speed == pytest.approx(e * speed, rel=3e-2) and not events[0].rests
    x = read("joint/slide/0")
    assert (
        x.min() > -h - 2e-5
        and x[-1] == pytest.approx(-h, abs=2e-6)
        and statistics.impact_loss == pytest.approx(m * G * h, rel=2e-2)
    )
    assert read("contact/count").max() == 0.0


def test_a_door_at_its_stop():
    """A turn: the rate changes from w to -e w, and the impulse is I (1 + e) w."""
    e, w = 0.4, 3.0
    leaf = body(
        "leaf", [box_shape(1.0, 0.04, 2.0, (0.5, 0.0, 0.0))], 12.0, (4.0, 5.0, 1.0), w=(0.0, 0.0, w)
    )
    hinge = Joint(
        "hinge",
        "hinge",
        "revolute",
        Frame(GROUND),
        Frame("leaf"),
        limits=(Limit(0, None, Q(0.6), Q(e)),),
    )
    read, events, _ = record(
        mechanism([leaf], joints={"hinge": hinge}, gravity=vector(0.0, 0.0, 0.0)),
        msgspec.structs.replace(OPTIONS, duration=0.3),
    )
    assert (
        len(events) == 1
        and events[0].upper
        and events[0].time == pytest.approx(0.2, abs=1.5e-3)
        and events[0].speed == pytest.approx(w, rel=1e-6)
    )
    assert events[0].impulse == pytest.approx(1.0 * (1 + e) * w, rel=1e-6)
    assert (
        read("body/leaf/wz")[-1] == pytest.approx(-e * w, rel=1e-6)
        and read("joint/hinge/0").max() < 0.6 + 3e-3
    )


def test_a_stop_under_a_contact():
    """A ball lies on a table that lies on its stop: the stop carries both, the ball its own
    weight.
    """
    drawn = hanging(0.0)
    drawn = msgspec.structs.replace(
        drawn, bodies={**drawn.bodies, "ball": ball("ball", 0.05, 0.5, (0.0, 0.0, 0.11))}
    )
    read, _events, _ = record(drawn)
    assert read("joint/slide/0")[-1] == pytest.approx(-0.2, abs=2e-6) and read("body/ball/z")[
        -1
    ] == pytest.approx(-0.1, abs=1e-5)
    assert read("contact/weight/ball")[-1] == pytest.approx(0.5 * G, rel=1e-3)


def test_stops_of_other_coordinates_are_refused_with_a_cure():
    plane = Joint(
        "plane",
        "plane",
        "planar",
        Frame(GROUND),
        Frame("ball"),
        limits=(Limit(1, Q(-0.2), Q(0.2)),),
    )
    with pytest.raises(EngineError, match=r"one axis.*") as reported:
        record(mechanism([ball("ball", 0.05, 0.5, (0.0, 0.0, 0.0))], joints={"plane": plane}))
    assert "stiffness" in reported.value.finding.cure


# stiff springs


def sprung(stiffness, **settings):
    """A cart on a spring to ground, 5 cm out."""
    spring = Force(
        "spring",
        "spring",
        "spring",
        frame_a=Frame(GROUND, "", Placement(vector(-1.0, 0.0, 0.05))),
        frame_b=Frame("cart"),
        parameters={"stiffness": Q(stiffness), "free_length": Q(0.95)},
    )
    drawn = mechanism(
        [box("cart", (0.1, 0.1, 0.1), 1.0, (0.0, 0.0, 0.05))],
        joints={"slide": slide("slide", "cart")},
        forces={"spring": spring},
        floor=skin(),
    )
    return drawn, msgspec.structs.replace(OPTIONS, contacts=ContactSettings(**settings))


def test_laws_too_stiff_for_the_step_are_refused_with_the_step_they_need():
    """Explicit steps are stable up to h w = 2: w = 3162 /s is too fast for 1 ms, and not for the
    step that is reported.  A spring whose stiffness is typed is implicit (test_soft_rows.py).
    """
    drawn, options = sprung(1e7)
    by_law = msgspec.structs.replace(
        drawn.forces["spring"], laws={"stiffness": new_law("constant", Q(1e7))}
    )
    with pytest.raises(EngineError, match=r"too long for a spring.*at most 0.3 ms"):
        record(msgspec.structs.replace(drawn, forces={"spring": by_law}), options)
    for stiffness, step in ((1e7, 1e-3), (1e7, 3e-4), (1e6, 1e-3), (1e3, 1e-3)):
        read, _, _ = record(*sprung(stiffness, step=Q(step)))
        start = 0.5 * stiffness * 0.05**2
        assert (
            read("energy/kinetic").max() < 1.3 * start
            and read("energy/kinetic")[-50:].max() > 0.5 * start
        )


# pairs and bodies


def test_a_pair_has_a_surface_of_its_own():
    """Two equal blocks on one floor: of one of them it was said that it does not rub."""
    blocks = [
        box(id, (0.1, 0.1, 0.1), 1.0, (0.0, y, 0.05), v=(1.0, 0.0, 0.0), surface=skin(0.5))
        for id, y in (("a", 0.0), ("b", 0.5))
    ]
    drawn = mechanism(blocks, floor=skin(0.5))
    said = msgspec.structs.replace(
        drawn.contacts, pairs=(ContactPair(GROUND, "b", True, surface=skin(0.0)),)
    )
    read, _, _ = record(msgspec.structs.replace(drawn, contacts=said))
    assert read("body/a/x")[-1] == pytest.approx(1.0 / G, rel=1e-2) and read("body/b/x")[
        -1
    ] == pytest.approx(1.0, rel=1e-6)


def test_a_body_that_touches_nothing_falls_through_the_floor():
    drawn = mechanism(
        [ball("a", 0.1, 1.0, (0.0, 0.0, 0.2)), ball("b", 0.1, 1.0, (1.0, 0.0, 0.2))], floor=skin()
    )
    drawn = msgspec.structs.replace(
        drawn,
        bodies={**drawn.bodies, "b": msgspec.structs.replace(drawn.bodies["b"], touches=False)},
    )
    read, _, _ = record(drawn)
    assert read("body/a/z")[-1] == pytest.approx(0.1, abs=1e-4) and read("body/b/z")[
        -1
    ] == pytest.approx(0.2 - 0.5 * G, rel=1e-3)


def test_a_condition_ends_the_run_at_the_step():
    drawn = mechanism([ball("ball", 0.1, 1.0, (0.0, 0.0, 0.5))], floor=skin())
    read, _, statistics = record(
        drawn,
        msgspec.structs.replace(
            OPTIONS, sample_step=0.1, until=(EndCondition("body/ball/z", Q(0.3), "falling"),)
        ),
    )
    assert statistics.ended_by == 0 and read("time")[-1] == pytest.approx(
        np.sqrt(0.4 / G), abs=1.01e-3
    )


@pytest.mark.parametrize(
    ("across", "degrees", "e", "friction", "gains"),
    [
        (-1.0, 50, 1.0, 1.0, True),
        (-1.0, 60, 1.0, 0.5, True),
        (-1.0, 50, 1.0, 0.0, False),
        (2.0, 60, 1.0, 0.02, False),
        (2.0, 60, 0.5, 1.0, False),
    ],
)
def test_impacts_that_add_energy_are_reported(across, degrees, e, friction, gains):
    """Kane's paradox: a rod strikes obliquely, rebounds by Newton's law and sticks by Coulomb's.
    With impulses p at its end and u = W p the kinetic energy changes by p . (u- + u+) / 2.
    """
    length, thick, m, angle = 1.0, 0.02, 1.0, np.radians(degrees)
    inertia = m / 12 * (length**2 + thick**2)
    # the end that strikes is the lower edge of the box, seen from its middle: the box turned by the
    # angle about y
    half = np.array([length / 2, -thick / 2])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    x, z = turn @ half
    v = np.array([across, -2.0])
    response = np.array(
        [[1 / m + z * z / inertia, -x * z / inertia], [-x * z / inertia, 1 / m + x * x / inertia]]
    )  # of (tangent, normal)
    after = np.array([0.0, -e * v[1]])
    p = np.linalg.solve(response, after - v)
    if abs(p[0]) > friction * p[1]:
        direction = np.array([friction * np.sign(p[0]), 1.0])
        p = direction * (1 + e) * -v[1] / (response[1] @ direction)
        after = v + response @ p
    gain = p @ (v + after) / 2
    rod = box(
        "rod",
        (length, thick, thick),
        m,
        (0.0, 0.0, -z + 0.1),
        v=(v[0], 0.0, v[1]),
        turn=(0.0, angle, 0.0),
        surface=skin(friction, e),
    )
    options = RunOptions(duration=0.1, sample_step=0.01, contacts=ContactSettings(step=Q(1e-4)))
    read, _, statistics = record(
        mechanism([rod], gravity=vector(0.0, 0.0, 0.0), floor=skin(friction, e)), options
    )
    energy = read("energy/kinetic")
    assert energy[-1] - energy[0] == pytest.approx(gain, rel=1e-5, abs=1e-6)
    notes = [note for note in statistics.notes if "add" in note]
    assert (gain > 0.1) == gains == bool(notes)
    if gains:
        assert f"{100 * gain / energy.max():.2g} % of the largest" in notes[0]
        assert "at 0.0499 s" in notes[0] or "at 0.05 s" in notes[0]


def test_energy_gain_is_reported_beside_a_larger_loss_of_another_body():
    """The rod of the test above, and a cube beside it that loses more in the same step."""
    angle = np.radians(50)
    low = 0.5 * np.sin(angle) + 0.01 * np.cos(angle)
    rod = box(
        "rod",
        (1.0, 0.02, 0.02),
        1.0,
        (0.0, 0.0, low + 0.1),
        v=(-1.0, 0.0, -2.0),
        turn=(0.0, angle, 0.0),
        surface=skin(1.0, 1.0),
    )
    cube = box("cube", (0.1, 0.1, 0.1), 5.0, (0.0, 3.0, 0.15), v=(0.0, 0.0, -2.0), surface=skin())
    options = RunOptions(duration=0.1, sample_step=0.01, contacts=ContactSettings(step=Q(1e-4)))
    nothing = vector(0.0, 0.0, 0.0)
    gains = []
    for bodies in ([rod], [cube, rod], [rod, cube]):
        read, _, statistics = record(
            mechanism(bodies, gravity=nothing, floor=skin(1.0, 1.0)), options
        )
        (note,) = (note for note in statistics.notes if "add" in note)
        gains.append(note[: note.index(" J")])
    assert read("energy/kinetic")[-1] < read("energy/kinetic")[0]
    assert len(set(gains)) == 1
