"""Newton's method for islands of unlike masses, with mechanisms and with resistance to rolling:
every step comes to its tolerance, and forces are those of statics.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numba import njit

from mechstudio.engine.contacts.cone.cone import project_all
from mechstudio.engine.contacts.cone.contact_operator import residual
from mechstudio.engine.contacts.cone.coordinates import factor_block
from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_START,
    LENGTH,
    MOVERS,
    new_problem,
)
from mechstudio.engine.contacts.world import World
from mechstudio.model.mechanism import GROUND, Force
from tests.engine.contacts.cases import (
    G,
    Q,
    ball,
    body,
    box,
    box_shape,
    forces,
    mechanism,
    run,
    s,
    skin,
    tally,
    world,
)
from tests.engine.contacts.scenes.test_impact_cases import hinge

EXACT = 1e-9  # tolerance at which forces of the heaviest scenes are good to 1e-6 [m/s]


def resisting(mu: float = 0.5, arm: float = 1e-3):
    return skin(mu, rolling=arm, spinning=arm)


def lift(w: World, a: int, b: int) -> float:
    """Upward force on body b from body a [N]."""
    return float(forces(w, a, b)[1][:, 2].sum())


def tower(masses, x: float = 0.0, low: float = 0.0, surface=None, name: str = "b"):
    """Cubes of 0.1 m on each other, the first one on the height `low`."""
    return [
        box(f"{name}{k}", (0.1,) * 3, mass, (x, 0.0, low + 0.05 + 0.1 * k), surface=surface)
        for k, mass in enumerate(masses)
    ]


TOWERS = {
    "2 boxes": np.array([1.0, 1e8]),
    "3 boxes, each 1e4 heavier": np.array([1.0, 1e4, 1e8]),
    "10 boxes": 1e8 ** (np.arange(10) / 9.0),
    "10 boxes, the top one heavy": np.array([1.0] * 9 + [1e8]),
}


@pytest.mark.parametrize("name", TOWERS)
def test_towers_of_mass_ratio_1e8_stand(name):
    """Every level bears the weights above it to 1e-6 in each step, nothing creeps, and the energy
    stays.  Velocities to 1e-9 m/s within 1 ms are forces to 1e-7 of the weight.
    """
    masses = TOWERS[name]
    w = world(mechanism(tower(masses), floor=skin()), tolerance=EXACT)
    before, energy, worst = w.now()[0][:, :3].copy(), sum(w.energy()[:2]), []
    above = masses[::-1].cumsum()[::-1] * G

    def look(w):
        felt = [lift(w, k - 1, k) for k in range(len(masses))]
        worst.append(np.abs(np.array(felt) / above - 1.0).max())

    run(w, 0.3, look)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_RESIDUAL) < EXACT
    assert max(worst[1:]) < 1e-6
    assert np.abs(w.now()[0][:, :3] - before).max() < 1e-9
    assert abs(sum(w.energy()[:2]) / energy - 1.0) < 1e-8


def seesaw(ratio: float, surface=None):
    """A lever of 0.5 kg on a hinge, with a heavy cube on a cube of 1 kg at either end."""
    surface = surface or skin(0.6)
    sides = [
        *tower((1.0, ratio), -0.35, 0.52, surface, "a"),
        *tower((1.0, ratio), 0.35, 0.52, surface, "c"),
    ]
    lever = box("lever", (1.0, 0.2, 0.04), 0.5, (0.0, 0.0, 0.5), surface=surface)
    joints = {"h": hinge("h", GROUND, "lever", (0.0,) * 3, frame_a=(0.0, 0.0, 0.5))}
    return mechanism([lever, *sides], joints=joints)


@pytest.mark.parametrize("surface", [skin(0.6), resisting(0.6)], ids=["plain", "rolling"])
def test_a_lever_bears_equal_towers(surface):
    """Both ends press with their weights: the moment about the hinge is 0."""
    w = run(world(seesaw(1e6, surface), tolerance=EXACT), 0.2)
    assert w.S.counts[s.UNSOLVED] == 0
    for light in (1, 3):
        assert lift(w, 0, light) == pytest.approx((1e6 + 1.0) * G, rel=1e-6)
        assert lift(w, light, light + 1) == pytest.approx(1e6 * G, rel=1e-6)


def hinged_table(masses):
    """A plank on two legs, hinged to them at x = -0.2 and 0.2 m, that carries a crooked tower."""
    plank = box("plank", (0.6, 0.2, 0.04), 1.0, (0.0, 0.0, 0.22))
    legs = [box(f"leg{k}", (0.1, 0.2, 0.2), 0.5, (x, 0.0, 0.1)) for k, x in enumerate((-0.2, 0.2))]
    joints = {
        f"h{k}": hinge(f"h{k}", "plank", f"leg{k}", (0.0, 0.0, 0.1), frame_a=(x, 0.0, -0.02))
        for k, x in enumerate((-0.2, 0.2))
    }
    load = [
        box(f"b{k}", (0.1,) * 3, mass, (0.003 * (-1) ** k, 0.0, 0.29 + 0.1 * k))
        for k, mass in enumerate(masses)
    ]
    return mechanism([plank, *legs, *load], joints=joints, floor=skin())


def test_legs_of_a_hinged_table_share_a_tower_by_its_lever_arms():
    """Hinges bear no moment: R_right - R_left = sum m g x / 0.2 m."""
    masses = 1e4 ** (np.arange(6) / 5.0)
    w = run(world(hinged_table(masses), tolerance=EXACT), 0.2)
    assert w.S.counts[s.UNSOLVED] == 0
    total, moment = masses.sum() + 1.0, (masses * 0.003 * (-1.0) ** np.arange(6)).sum()
    left, right = (0.5 * (total - side * moment / 0.2) + 0.5 for side in (1.0, -1.0))
    assert lift(w, -1, 1) == pytest.approx(left * G, rel=1e-6)
    assert lift(w, -1, 2) == pytest.approx(right * G, rel=1e-6)


def gripper(mass: float):
    """A cargo between two fingers of 50 g on hinges, whose motors press with three times its weight
    at the fingers' ends.
    """
    reach, sides = 0.2, (("left", -1.0), ("right", 1.0))
    fingers = [
        body(
            name,
            [box_shape(0.02, 0.04, reach, at=(0.0, 0.0, -reach / 2))],
            0.05,
            (1e-4,) * 3,
            (0.07 * x, 0.0, 0.5),
            surface=skin(0.6),
        )
        for name, x in sides
    ]
    joints = {
        name: hinge(name, GROUND, name, (0.0,) * 3, frame_a=(0.07 * x, 0.0, 0.5))
        for name, x in sides
    }
    motors = {
        name: Force(
            name, name, "motor_torque", {"torque": Q(-3.0 * x * mass * G * reach)}, joint=name
        )
        for name, x in sides
    }
    cargo = box("cargo", (0.12, 0.05, 0.08), mass, (0.0, 0.0, 0.35), surface=skin(0.6))
    return mechanism([*fingers, cargo], joints=joints, forces=motors)


@pytest.mark.parametrize("mass", [1e2, 1e4])
def test_light_fingers_hold_a_heavy_cargo(mass):
    """Each finger bears half of the weight, and its motor the moment of all that presses on it."""
    w = run(world(gripper(mass), tolerance=1e-8), 0.3)
    assert w.S.counts[s.UNSOLVED] == 0
    for finger, x in ((0, -0.07), (1, 0.07)):
        at, f = forces(w, finger, 2)
        assert f[:, 2].sum() == pytest.approx(mass * G / 2, rel=1e-5)
        arm = at - np.array([x, 0.0, 0.5])
        moment = (arm[:, 2] * f[:, 0] - arm[:, 0] * f[:, 2]).sum()
        assert abs(moment) == pytest.approx(3.0 * mass * G * 0.2, rel=1e-5)


def drum(ratio: float, surface):
    """A drum of 36 slabs that turns freely about y, with twelve balls of three masses inside."""
    R, count, rng = 0.5, 36, np.random.default_rng(1)
    ring = [
        box_shape(
            2.0 * R * np.tan(np.pi / count) * 1.05,
            0.3,
            0.02,
            at=((R + 0.01) * np.sin(a), 0.0, -(R + 0.01) * np.cos(a)),
            turn=(0.0, -a, 0.0),
        )
        for a in 2.0 * np.pi * np.arange(count) / count
    ]
    shell = body(
        "drum", ring, 10.0, (1.0,) * 3, (0.0, 0.0, 0.6), w=(0.0, 2.0, 0.0), surface=surface
    )
    balls = [
        ball(
            f"b{k}",
            0.06,
            ratio ** (k % 3 / 2.0),
            (
                0.14 * (k % 4 - 1.5) + rng.uniform(-0.005, 0.005),
                rng.uniform(-0.02, 0.02),
                0.25 + 0.13 * (k // 4),
            ),
            surface=surface,
        )
        for k in range(12)
    ]
    joints = {"axle": hinge("axle", GROUND, "drum", (0.0,) * 3, frame_a=(0.0, 0.0, 0.6))}
    return mechanism([shell, *balls], joints=joints)


def chain(ratio: float):
    """Eight hinged links, every other one heavy, that fall on three boxes."""
    links = [
        box(
            f"k{i}",
            (0.1, 0.05, 0.05),
            ratio if i % 2 else 1.0,
            (0.11 * (i - 4), 0.0, 0.3 + 0.01 * i),
        )
        for i in range(8)
    ]
    joints = {
        f"h{i}": hinge(
            f"h{i}", f"k{i}", f"k{i + 1}", (-0.055, 0.0, -0.005), frame_a=(0.055, 0.0, 0.005)
        )
        for i in range(7)
    }
    boxes = [box(f"b{i}", (0.1,) * 3, 1.0, (0.12 * (i - 1), 0.0, 0.05)) for i in range(3)]
    return mechanism([*links, *boxes], joints=joints, floor=skin())


def stack(ratio: float):
    """Nine balls that resist rolling, and four heavy ones in the hollows between them."""
    low = [
        ball(
            f"l{k}",
            0.05,
            1.0,
            (0.1001 * (k % 3 - 1), 0.1001 * (k // 3 - 1), 0.05),
            surface=resisting(),
        )
        for k in range(9)
    ]
    top = [
        ball(
            f"t{k}",
            0.05,
            ratio,
            (0.1001 * (k % 2 - 0.5), 0.1001 * (k // 2 - 0.5), 0.1208),
            surface=resisting(),
        )
        for k in range(4)
    ]
    return mechanism([*low, *top], floor=resisting())


def heap(ratio: float):
    """48 balls of random masses that resist rolling, dropped in three layers."""
    rng, balls = np.random.default_rng(3), []
    for k in range(48):
        mass = ratio ** rng.uniform(0.0, 1.0)
        x, y = (0.11 * (n - 1.5) + rng.uniform(-0.01, 0.01) for n in (k % 4, k // 4 % 4))
        at = (float(x), float(y), 0.07 + 0.115 * (k // 16))
        balls.append(ball(f"b{k}", 0.05, float(mass), at, surface=resisting()))
    return mechanism(balls, floor=resisting())


# scene and time [s].  By cone problems with updated shifts alone 31 of 1000 steps of the drum with
# rolling miss the tolerance, some of the chain and the heaps, and the stack of 1e6 runs away.
SCENES: dict[str, tuple[Callable, float]] = {
    "drum": (lambda: drum(1e4, skin()), 1.0),
    "drum, balls that resist rolling": (lambda: drum(1e4, resisting()), 1.0),
    "chain": (lambda: chain(1e3), 0.6),
    "chain of 1.05e4": (lambda: chain(1.05e4), 0.4),
    "stack": (lambda: stack(1e4), 0.3),
    "stack of 1e6": (lambda: stack(1e6), 0.1),
    "heap": (lambda: heap(1.0), 0.35),
    "heap of 1e4": (lambda: heap(1e4), 0.2),
}


# those of which another one is the harder case
EASIER = ("chain", "heap")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in EASIER else n for n in SCENES]
)
def test_unlike_masses_are_solved_to_their_tolerance(name):
    drawn, duration = SCENES[name]
    w = run(world(drawn()), duration)
    assert w.S.counts[s.UNSOLVED] == 0 and tally(w, s.WORST_RESIDUAL) < 1e-6


def test_the_law_holds_with_moments_too(monkeypatch):
    """Residual of balls that resist rolling, computed again from N and the compliance put together
    by itself: at most the tolerance in every step.
    """
    monkeypatch.setitem(
        project_all.py_func.__globals__, "onto", project_all.py_func.__globals__["onto"].py_func
    )
    w = world(stack(1e4), projection=False)
    for _ in range(60):
        w.advance()
        P, n = w.P, w.contacts
        movers = int(P.size[MOVERS]) + 1
        D, W = np.zeros((6 * movers, 6 * n)), np.zeros((6 * movers,) * 2)
        for i in range(n):
            F = P.frame[i]
            for c in range(3):
                f = F[3 * c : 3 * c + 3]
                for k, arm, sign in (
                    (P.side[i, 0], F[9:12], -1.0),
                    (P.side[i, 1], F[12:15], 1.0),
                ):
                    D[6 * k : 6 * k + 3, 6 * i + c] += sign * f
                    D[6 * k + 3 : 6 * k + 6, 6 * i + c] += sign * np.cross(arm, f)
                    D[6 * k + 3 : 6 * k + 6, 6 * i + 3 + c] += sign * P.cone[i, LENGTH] * f
        for k in range(movers - 1):
            m = P.mass[k]
            W[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = m[0] * np.eye(3)
            W[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = m[
                [1, 2, 3, 2, 4, 5, 3, 5, 6]
            ].reshape(3, 3)
        N, g = D.T @ W @ D, w.S.kept[:n]
        u = (N @ g.ravel()).reshape(n, 6) + P.r[:n]
        # patches that spin give way: slip per impulse
        u[:, :3] += P.soft[:n][:, [0, 1, 1]] * g[:, :3]
        mu, spin, roll, _ = P.cone[:n].T
        u[:, 0] += (
            mu * np.hypot(u[:, 1], u[:, 2])
            + spin * abs(u[:, 3])
            + roll * np.hypot(u[:, 4], u[:, 5])
        )
        d = np.diag(N).reshape(n, 6)[:, :3].mean(axis=1)
        near = [
            project_all.py_func(*(g[i] - u[i] / d[i]), mu[i], spin[i], roll[i]) for i in range(n)
        ]
        assert (d * np.linalg.norm(np.array(near) - g, axis=1)).max() < 1.001e-6


@njit
def factored(P, b):
    return factor_block(P, b)


def test_a_block_is_factored_by_its_freedoms():
    """W = L L^T to rounding with as many columns as freedoms: a lever has one, k neighbours of a
    chain of hinged links have 6 + k - 1; of a block that does not give way none.
    """
    for drawn, chained in ((seesaw(1e6), False), (chain(1e3), True)):
        w = run(world(drawn), 0.28)
        count = int(w.P.blocks[0, B_COUNT])
        freedoms = count + 5 if chained else 1
        start, n = int(w.P.blocks[0, B_START]), 6 * count
        rank = factored(w.P, 0)
        W = w.P.block_matrix[start : start + n * n].reshape(n, n)
        L = w.P.factor[start : start + n * n].reshape(n, n)
        assert rank == freedoms and not L[:, rank:].any()
        assert np.abs(L @ L.T - W).max() < 1e-10 * np.abs(W).max()
    P = new_problem(1, 1, block_room=42, blocks=1)
    P.blocks[0, B_COUNT] = 1
    assert factored(P, 0) == 0


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_solves_nothing(number):
    """Even where all other contacts hold the law."""
    w = run(world(mechanism([box("b", (0.1,) * 3, 1.0, (0.0, 0.0, 0.05))], floor=skin())), 0.01)
    of = njit(lambda P, x, product: residual(P, 0, x, product))
    product = w.P.product_gamma
    assert of(w.P, w.P.gamma, product) < np.inf
    w.P.gamma[1, 0] = number
    assert of(w.P, w.P.gamma, product) == np.inf
