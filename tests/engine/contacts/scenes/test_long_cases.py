"""Cases of statics, most of them long."""

import numpy as np
import pytest

from mechstudio.model.mechanism import Placement, Shape
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    ball,
    body,
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


@pytest.mark.parametrize(("mu", "stands"), [(0.20, True), (0.16, False)])
def test_card_a_frame(mu, stands):
    """Two cards that lean on each other stand with mu > tan(beta) / 2 = 0.182.  Their edges are
    round: the normal of sharp ones that meet is undefined.
    """
    beta, L, r, m = np.radians(20.0), 0.1, 2.5e-4, 0.002
    at = (-L / 2 * np.sin(beta) - r, 0.0, L / 2 * np.cos(beta) + r)
    edges = [
        Shape("sphere", {"radius": Q(r)}, placement=Placement(vector(0.0, y, z)))
        for y in (-0.03, 0.03)
        for z in (-L / 2, L / 2)
    ]
    inertia = (m / 12 * (0.06**2 + L * L), m / 12 * L * L, m / 12 * 0.06**2)
    cards = [
        body("left", edges, m, inertia, at, turn=(0.0, beta, 0.0), surface=skin(mu)),
        body(
            "right",
            edges,
            m,
            inertia,
            (-at[0], 0.0, at[2]),
            turn=(0.0, -beta, 0.0),
            surface=skin(mu),
        ),
    ]
    w = run(world(mechanism(cards, floor=skin(mu)), tolerance=1e-7, margin=1e-3), 2.0)
    assert bool(w.now()[0][:, 2].min() > 0.9 * at[2]) is stands


@pytest.mark.slow
def test_stack_offset():
    """Bricks overhang by 1/2, 1/4, 1/6, 1/8 of their length before they fall."""
    for factor, falls in ((0.98, False), (1.02, True)):
        x, bricks = 0.0, []
        for k, share in enumerate((1 / 8, 1 / 6, 1 / 4, 1 / 2)):
            bricks.append(box(f"b{k}", (1.0, 0.4, 0.2), 1.0, (x, 0.0, 0.1 + 0.2 * k)))
            x += factor * share
        bricks.append(box("b4", (1.0, 0.4, 0.2), 1.0, (x, 0.0, 0.9)))
        w = run(world(mechanism(bricks, floor=skin()), tolerance=1e-7), 3.0)
        assert bool(w.now()[0][4, 2] < 0.85) is falls, (factor, w.now()[0][:, 2])


@pytest.mark.slow
def test_pile_force_balance():
    """A hundred balls settle in a tray: the floor carries their weight, every step keeps the
    momentum.
    """
    from mechstudio.engine.contacts.cone.problem import FRAME_WIDTH
    from tests.benchmarks.contacts import R, pile

    assert FRAME_WIDTH == 15
    w = pile("balls", 100, tolerance=1e-5, most=2000, projection=True)
    w.advance(1250)  # at 1.5 s it is at rest to 0.1027 % of its weight
    mass = 1000.0 * 4 / 3 * np.pi * R**3
    before = w.now()[1][:, :3].copy()
    w.advance()
    f, n = w.impulses(), int(w.points.count[0])
    on_ground = f[w.points.body_a[:n] == -1].sum(axis=0) - f[w.points.body_b[:n] == -1].sum(axis=0)
    change = mass * (w.now()[1][:, :3] - before).sum(axis=0)
    assert change == pytest.approx(
        on_ground + [0.0, 0.0, -100 * mass * G * 2e-3], abs=1e-10 * 100 * mass * G
    )
    floor = (w.points.body_a[:n] == -1) & (w.points.normal[:n, 2] > 0.9) | (
        w.points.body_b[:n] == -1
    ) & (w.points.normal[:n, 2] < -0.9)
    assert np.abs(f[floor, 2]).sum() / (100 * mass * G * 2e-3) <= 1.02
    total = abs(on_ground[2]) / (100 * mass * G * 2e-3)
    assert total == pytest.approx(1.0, abs=1e-3)
    assert tally(w, s.OVERLAP) / R < 1e-3


@pytest.mark.slow
def test_brick_wall():
    """Ten courses of running bond stand for five seconds; struck by a ball, with e = 0, energy
    never grows in the first 0.3 s.
    """
    bricks = []
    for row in range(10):
        for k in range(10 - row % 2):
            x = (k - 4.5 + 0.5 * (row % 2)) * 0.251
            bricks.append(
                box(
                    f"b{row}_{k}",
                    (0.25, 0.12, 0.065),
                    2.5,
                    (x, 0.0, 0.0325 + 0.065 * row),
                    surface=skin(0.6),
                )
            )
    striker = ball("ball", 0.1, 10.0, (0.03, -1.5, 0.33), v=(0.0, 10.0, 0.9), surface=skin(0.6))
    w = world(mechanism(bricks, floor=skin(0.6)), step=2e-3, tolerance=1e-5, most=500)
    start = w.now()[0][:, :3].copy()
    run(w, 5.0)
    assert (
        np.linalg.norm(w.now()[0][:, :3] - start, axis=1).max() < 1e-4
        and w.S.counts[s.UNSOLVED] == 0
    )
    w = run(
        world(mechanism([*bricks, striker], floor=skin(0.6)), step=2e-3, tolerance=1e-5, most=500),
        0.1,
    )
    energies = []
    run(w, 0.3, lambda w: energies.append(sum(w.energy()[:2])))
    e = np.array(energies)
    assert np.diff(e).max() <= 1e-6 * e[0] + 1e-6
    assert np.abs(w.now()[0][:95, 1]).max() > 0.05


@pytest.mark.slow
def test_spinning_sliding_disk():
    """Sliding and spinning of a flat disc end together, with v / (R omega) near 0.653 (Farkas et al
    2003).  Its rim and area are sampled by small balls.
    """
    R, mu = 0.05, 0.3
    feet = []
    # each stands for the same area; a little soft, so that they carry alike
    soft = {"stiffness": 2e4, "damping": 1e-3}
    for ring, count in ((0.189, 6), (0.378, 12), (0.567, 18), (0.756, 24), (0.926, 24)):
        feet += [
            Shape(
                "sphere",
                {"radius": Q(1e-3)},
                placement=Placement(vector(ring * R * np.cos(a), ring * R * np.sin(a), -1e-3)),
            )
            for a in 2 * np.pi * np.arange(count) / count
        ]
    mass = 0.1
    disc = body(
        "disc",
        feet,
        mass,
        (mass * R * R / 4, mass * R * R / 4, mass * R * R / 2),
        (0.0, 0.0, 2e-3),
        v=(0.5, 0.0, 0.0),
        w=(0.0, 0.0, 10.0),
        surface=skin(mu, **soft),
    )
    w, seen = (
        world(mechanism([disc], floor=skin(mu, **soft)), step=1e-4, tolerance=1e-7, margin=1e-4),
        [],
    )
    run(w, 0.25, lambda w: seen.append((w.time, np.hypot(*velocity(w)[:2]), abs(velocity(w)[5]))))
    t, v, spin = np.array(seen).T
    stops = [t[np.flatnonzero(x > 1e-3 * x[0])[-1]] for x in (v, spin)]
    assert abs(stops[0] - stops[1]) < 0.01 * stops[0] + 1e-3
    late = (v > 0.02 * v[0]) & (v < 0.06 * v[0])
    assert np.mean(v[late] / (R * spin[late])) == pytest.approx(0.653, abs=0.06)


def test_forces_on_ground_and_body_are_opposite():
    """The force of the floor on a body is the one that a table of forces shows for it: its weight,
    upwards.
    """
    w = run(
        world(
            mechanism([box("b", (0.2, 0.2, 0.1), 2.0, (0.0, 0.0, 0.05))], floor=skin()),
            tolerance=1e-9,
        ),
        0.1,
    )
    assert forces_on(w, 0) == pytest.approx([0.0, 0.0, 2.0 * G], abs=1e-5)
    bodies, numbers = w.touching()
    assert set(bodies.ravel().tolist()) == {-1, 0} and numbers[:, 9].max() < 1e-5
