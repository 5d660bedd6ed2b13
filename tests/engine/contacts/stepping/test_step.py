"""Duties of a step beside finding impulses: driven bodies that press on what stands, room that
grows, overlaps that are pushed apart, sliding that is solved for.
"""

import numpy as np
import pytest

import mechstudio
from mechstudio.engine.contacts.cone.envelope import factor_work
from mechstudio.engine.contacts.cone.newton import STEPS, WORK
from mechstudio.engine.contacts.runs.contact_run import ContactRunner
from mechstudio.engine.contacts.stepping.warm_start import copy_memory, place
from mechstudio.engine.contacts.workspace import new_stage
from mechstudio.engine.contacts.world import ROOM, World
from mechstudio.engine.integration.options import options_of
from mechstudio.engine.system.system import compile_system
from mechstudio.model.edits.elements import replace
from mechstudio.model.mechanism import GROUND, Drive, Frame, InitialVelocity, Joint, Law, Placement
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    ball,
    box,
    forces_on,
    mechanism,
    run,
    s,
    skin,
    tally,
    velocity,
    world,
)
from tests.engine.contacts.cases import (
    place as place_of,
)


def test_driven_table_overlapping_the_floor_turns_and_carries_a_block():
    """A turntable driven at 1 rad/s, its underside 1 mm deep in the floor: no impulse can move it,
    so that none is requested, and a block on it is carried round.
    """
    middle = Placement(vector(0.0, 0.0, 0.0))
    pin = Joint(
        "pin",
        "pin",
        "revolute",
        Frame(GROUND, "", Placement(vector(0.0, 0.0, 0.049))),
        Frame("table", "", middle),
    )
    drive = Drive("turn", "turn", "pin", 0, "velocity", Law("constant", {"value": Q(1.0)}))
    table = box("table", (0.4, 0.4, 0.1), 2.0, (0.0, 0.0, 0.049))
    block = box("block", (0.1, 0.1, 0.1), 1.0, (0.1, 0.0, 0.149))
    w = world(
        mechanism([table, block], floor=skin(0.5), joints={"pin": pin}, drives={"turn": drive})
    )
    run(w, 1.0)
    assert velocity(w, 0)[5] == pytest.approx(1.0, abs=1e-9) and np.isfinite(w.P.block_matrix).all()
    # friction of the table holds the block on its circle
    assert velocity(w, 1)[5] == pytest.approx(1.0, abs=1e-3) and np.hypot(
        *place_of(w, 1)[:2]
    ) == pytest.approx(0.1, abs=1e-3)
    assert forces_on(w, 1)[2] == pytest.approx(G, rel=1e-3)
    assert w.S.counts[s.UNSOLVED] == 0


def test_memory_outlives_growth():
    """A tower sleeps; boxes rain beside it until the tables of contacts have to grow: what holds
    the tower up is shown all the while, and it sleeps on.
    """
    tower = [box(f"t{k}", (0.1,) * 3, 1.0, (0.0, 0.0, 0.05 + 0.1 * k)) for k in range(3)]
    rain = [box(f"r{k}", (0.1,) * 3, 1.0, (1.0 + 0.2 * k, 0.0, 3.5)) for k in range(20)]
    w = world(mechanism([*tower, *rain], floor=skin()), rest_time=0.2)
    grown = []

    def look(w: World) -> None:
        if w.S.asleep[:3].all() and w.S.still[0] > 0.2:
            grown.append((w.room, forces_on(w, 0)[2]))

    run(w, 1.2, look)
    rooms, forces = np.array(grown).T
    assert rooms.min() == ROOM and rooms.max() > ROOM
    # the tower's ground carries three boxes: the lowest one's own weight is what is left of both
    # its faces
    assert forces == pytest.approx(G, rel=1e-4)


def test_carry_keeps_every_key():
    """All impulses are found again by their keys in a larger table, whatever the keys."""
    keys = np.random.default_rng(3).integers(-(2**62), 2**62, 15)
    w = world(mechanism([ball("a", 0.1, 1.0, (0.0, 0.0, 1.0))], floor=skin()))
    small, large = w.S, new_stage(w.T, w.S.settings, w.materials, w.belts, 8 * ROOM, w.S.stops)
    for n, key in enumerate(keys):
        at = int(place.py_func(keys[n : n + 1], len(small.hashes))[0])
        while small.slots[at] > 0:
            at = (at + 1) & (len(small.hashes) - 1)
        small.slots[at], small.hashes[at], small.remembered[n, 0] = n + 1, key, n
    copy_memory(small, large)
    assert sorted(large.hashes[large.slots > 0]) == sorted(keys)
    assert large.remembered[: len(keys), 0].tolist() == list(range(len(keys)))


def test_overlaps_are_pushed_apart_whatever_rolls():
    """A weightless stick with one end 2 mm deep in a floor comes out by the least motion, turning:
    resistance to rolling has no part in that.
    """
    places = []
    for rolling in (0.0, 0.1):
        rough = skin(0.5, rolling=rolling)
        w = world(
            mechanism(
                [
                    box(
                        "stick",
                        (0.5, 0.05, 0.05),
                        1.0,
                        (0.0, 0.0, 0.073),
                        turn=(0.0, 0.2, 0.0),
                        surface=rough,
                    )
                ],
                vector(0.0, 0.0, 0.0),
                rough,
            )
        )
        w.advance(2)
        places.append(w.now()[0][0])
        assert abs(w.now()[0][0, 2] - 0.073) > 1e-5 and tally(w, s.OVERLAP) < 1e-5
    assert places[0] == pytest.approx(places[1], abs=1e-6)


@pytest.mark.parametrize("sample", ["tippe_top", "walking_linkage"])
def test_sliding_is_solved_for(sample):
    """The law of sliding, and not the cone problem alone, is met in every step: a patch that spins
    fast, and feet that strike while others slide, need more than repeating.
    """
    p = mechstudio.load(f"samples/{sample}.mech")
    w, worst = (
        ContactRunner(compile_system(p.mechanism), options_of(p, 1.1), [], None, None).world,
        0.0,
    )
    for _ in range(round(1.1 / w.options.step)):
        w.advance()
        worst = max(worst, tally(w, s.RESIDUAL))
    assert worst < w.options.tolerance and w.S.counts[s.UNSOLVED] == 0


@pytest.mark.parametrize("method", ["gauss_seidel", "jacobi"])
def test_methods_to_compare_do_not_run_away(method):
    """A stack struck by a ball: a hundred sweeps do not solve it, but the blow takes energy and
    gives none to speak of.  A cam whose joints leave its contact one way to give: solved in every
    step.
    """

    def stepped(sample, duration, **how):
        p = mechstudio.load(f"samples/{sample}.mech")
        p = replace(
            p,
            settings=replace(
                p.settings, contacts=replace(p.settings.contacts, method=method, **how)
            ),
        )
        w, energies = (
            ContactRunner(
                compile_system(p.mechanism), options_of(p, duration), [], None, None
            ).world,
            [],
        )
        run(w, duration, lambda w: energies.append(sum(w.energy()[:2])))
        return w, np.array(energies)

    w, energies = stepped("stack_of_boxes", 0.45, most=100)
    assert w.S.counts[s.UNSOLVED] > 0 and tally(w, s.WORST_RESIDUAL) < 2.0
    assert energies.max() < 1.01 * energies[0] and energies[-1] < 0.95 * energies[0]
    w, _ = stepped("cam_and_follower", 0.1)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_RESIDUAL) < w.options.tolerance


def wall(v):
    """Six courses of bricks; the topmost is struck out of the wall."""
    bricks = [
        box(
            f"b{row}_{k}",
            (0.25, 0.12, 0.065),
            2.5,
            ((k - 1.5 + 0.5 * (row % 2)) * 0.251, 0.0, 0.0325 + 0.065 * row),
            v=(0.0, v * (row == 5), v * (row == 3)),
            surface=skin(0.6),
        )
        for row in range(6)
        for k in range(4 - row % 2)
    ]
    return mechanism(bricks, floor=skin(0.6))


def test_newtons_method_has_a_budget():
    """A problem that cannot be solved to the requested tolerance costs so many factorisations and
    no more, those into L U counted twice, and leaves the best answer that was found.
    """
    w = world(wall(2.0), tolerance=1e-18, most=401)
    w.advance()
    most = WORK / factor_work.py_func(w.P, 21)
    assert 401 < w.S.counts[s.ITERATIONS] <= 401 + min(STEPS, most) + min(STEPS, most / 2)
    assert w.S.counts[s.UNSOLVED] == 1


def test_the_best_answer_is_kept():
    """The gradient goes on after Newton's method, and may end farther from the law than it began:
    the reported answer is the best of the three.
    """
    residuals = []
    for most in (400, 401, 410, 2000):
        w = world(wall(2.0), tolerance=1e-15, most=most)
        w.advance()
        residuals.append(tally(w, s.RESIDUAL))
    assert residuals[0] > 1e-4 > 1e-6 > residuals[1] >= residuals[2] >= residuals[3]


@pytest.mark.parametrize("ratio", [1e4, 1e7])
def test_a_heavy_body_stands_on_a_light_one(ratio):
    """A step of the gradient that changes the one does nothing to the other: Newton's method solves
    it, with problems that hold less and less to where they begin.
    """
    light, heavy = (
        box(name, (0.2,) * 3, mass, (0.0, 0.0, z))
        for name, mass, z in (("light", ratio**-0.5, 0.1), ("heavy", ratio**0.5, 0.31))
    )
    w = run(world(mechanism([light, heavy], floor=skin()), tolerance=1e-6, most=2000), 0.6)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_OVERLAP) < 2e-6
    # the floor carries both
    assert (
        forces_on(w, 1)[2] == pytest.approx(ratio**0.5 * G, rel=1e-3)
        and abs(place_of(w, 1)[2] - 0.3) < 2e-6
    )


@pytest.mark.parametrize("gap", [0.0, 1e-3, 3e-3, 4.9e-3, 5.1e-3])
def test_a_ball_thrown_at_one_far_away_meets_it_in_the_same_step(gap):
    """Three balls of 1 kg in a row, the second and third at rest and far apart for such.  The first
    comes at 10 m/s and takes the second along: within the step of 1 ms it would reach the third up
    to 5 mm away, which then moves so that both just touch: v + v + (v - gap / h) = 10 m/s.
    """
    balls = [ball(f"b{k}", 0.05, 1.0, (0.1 * k + gap * (k == 2), 0.0, 0.0)) for k in range(3)]
    balls[0] = replace(balls[0], initial_velocity=InitialVelocity(vector(10.0, 0.0, 0.0)))
    w = world(mechanism(balls, gravity=vector(0.0, 0.0, 0.0)), margin=0.01, step=1e-3)
    w.advance()
    thrown = (10.0 + gap / 1e-3) / 3.0 if gap < 5e-3 else 5.0
    last = thrown - gap / 1e-3 if gap < 5e-3 else 0.0
    assert [velocity(w, k)[0] for k in range(3)] == pytest.approx([thrown, thrown, last], abs=1e-6)
    assert place_of(w, 2)[0] - place_of(w, 1)[0] >= 0.1 - 1e-9
