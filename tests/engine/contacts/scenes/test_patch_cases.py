"""Flat patches that spin: friction of linear pressure over the patch, against integrals over it.

Each reference is a quadrature of mu p u / |u| over the area, far finer than the solver's grains.
"""

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from mechstudio.engine.contacts.cone.patches.shared_friction import CROWD
from mechstudio.engine.contacts.cone.problem import CONTACTS, WIDTH
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run as run_blocks
from mechstudio.engine.run import system_for
from mechstudio.model.mechanism import Force, Frame, Law, Placement, Shape
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    body,
    box,
    box_shape,
    mechanism,
    run,
    s,
    skin,
    velocity,
    world,
)

MU, R, SIDE, HIGH = 0.3, 0.1, 0.2, 0.02


def round_plate(radius=R, **more):
    """A disc of 1 kg."""
    shape = Shape("cylinder", {"radius": Q(radius), "height": Q(HIGH)})
    across, along = (3.0 * radius**2 + HIGH**2) / 12.0, 0.5 * radius**2
    more.setdefault("at", (0.0, 0.0, HIGH / 2))
    return body("plate", [shape], 1.0, (across, across, along), surface=skin(MU), **more)


def square_plate(length=SIDE, depth=SIDE, at=(0.0, 0.0, HIGH / 2), **more):
    return box("plate", (length, depth, HIGH), 1.0, at, surface=skin(MU), **more)


def rectangle(x0, x1, y0, y1, count=400):
    """(places (n, 2), shares) of a rectangle's area."""
    x = x0 + (x1 - x0) * (np.arange(count) + 0.5) / count
    y = y0 + (y1 - y0) * (np.arange(count) + 0.5) / count
    places = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
    return places, np.full(len(places), 1.0 / len(places))


def disc_area(radius, rings=100, around=240):
    """(places (n, 2), shares) of a disc's area."""
    r = radius * np.sqrt((np.arange(rings) + 0.5) / rings)
    a = 2.0 * np.pi * (np.arange(around) + 0.5) / around
    places = np.stack([np.outer(r, np.cos(a)).ravel(), np.outer(r, np.sin(a)).ravel()], 1)
    return places, np.full(len(places), 1.0 / len(places))


def mean_distance(area, centre=(0.0, 0.0)):
    places, shares = area
    return float(shares @ np.hypot(*(places - centre).T))


def under_weight(area, x, y):
    """The same places with shares of a linear pressure whose middle is at (x, y)."""
    places, shares = area
    rows = np.column_stack([np.ones(len(places)), places])
    p = rows @ np.linalg.solve(rows.T @ (shares[:, None] * rows), [1.0, x, y])
    assert p.min() > 0.0
    return places, shares * p


def spin_down(plate, exact, **drawn):
    """Time at which a plate stops spinning over the exact one; nothing gains energy."""
    drawn.setdefault("floor", skin(MU))
    w, seen = world(mechanism([plate], **drawn)), []
    run(w, 1.2 * exact, lambda w: seen.append((w.time, velocity(w)[5], sum(w.energy()[:2]))))
    t, spin, energy = np.array(seen).T
    assert w.S.counts[s.UNSOLVED] == 0 and np.diff(energy).max() < 1e-7
    return t[np.flatnonzero(np.abs(spin) > 1e-4 * abs(spin[0]))[-1]] / exact


SPIN = 20.0
# R w / (4 mu g / 3)
DISC = 3.0 * R * SPIN / (4.0 * MU * G)


def test_a_disc_spins_down_by_two_thirds_of_its_rim():
    assert pytest.approx(0.5097, abs=1e-4) == DISC
    assert spin_down(round_plate(w=(0.0, 0.0, SPIN)), DISC) == pytest.approx(1.0, abs=0.005)


@pytest.mark.parametrize("depth", [SIDE, 0.06])
def test_a_rectangle_spins_down_by_its_mean_distance(depth):
    inertia = (SIDE**2 + depth**2) / 12.0
    mean = mean_distance(rectangle(-SIDE / 2, SIDE / 2, -depth / 2, depth / 2))
    if depth == SIDE:
        assert mean == pytest.approx(0.3826 * SIDE, rel=1e-4)
    exact = inertia * SPIN / (MU * G * mean)
    plate = square_plate(depth=depth, w=(0.0, 0.0, SPIN))
    assert spin_down(plate, exact) == pytest.approx(1.0, abs=0.005)


@pytest.mark.parametrize("radius", [0.3, R, 0.05])
def test_ends_of_cylinders_on_each_other(radius):
    """The smaller end counts, also where both are the same circle."""
    stand = Shape("cylinder", {"radius": Q(radius), "height": Q(0.1)})
    plate = round_plate(at=(0.0, 0.0, 0.05 + HIGH / 2), w=(0.0, 0.0, SPIN))
    exact = DISC * R / min(R, radius)
    ratio = spin_down(plate, exact, floor=None, ground=[stand], ground_surface=skin(MU))
    assert ratio == pytest.approx(1.0, abs=0.005)


@pytest.mark.parametrize("plate", ["round", "square"])
def test_plates_on_a_box(plate):
    at, w = (0.0, 0.0, 0.05 + HIGH / 2), (0.0, 0.0, SPIN)
    square = SIDE**2 / 6.0 * SPIN / (MU * G * 0.38260 * SIDE)
    drawn, exact = (
        (round_plate(at=at, w=w), DISC) if plate == "round" else (square_plate(at=at, w=w), square)
    )
    ground = [box_shape(0.5, 0.5, 0.1)]
    ratio = spin_down(drawn, exact, floor=None, ground=ground, ground_surface=skin(MU))
    assert ratio == pytest.approx(1.0, abs=0.005)


def test_resistance_to_spinning_is_added():
    arm = 0.02
    rough = skin(MU, spinning=arm)
    plate = round_plate(w=(0.0, 0.0, SPIN))
    w = run(world(mechanism([plate], floor=rough)), 0.2)
    brake = (2.0 / 3.0 * MU * R + arm) * G / (0.5 * R * R)
    assert SPIN - velocity(w)[5] == pytest.approx(0.2 * brake, rel=0.005)


def sliding(area, inertia, v, spin, duration):
    """(v, spin) over time by the integral, until v is a fiftieth."""
    places, shares = area

    def rate(_t, y):
        u, q = y[0] - y[1] * places[:, 1], y[1] * places[:, 0]
        f = MU * G * shares / np.hypot(u, q)
        return [-f @ u, -f @ (places[:, 0] * q - places[:, 1] * u) / inertia]

    slow = lambda _t, y: y[0] - 0.02 * v
    slow.terminal = True
    return solve_ivp(
        rate, (0.0, duration), [v, spin], events=slow, dense_output=True, rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize(("v", "spin"), [(0.5, 20.0), (1.0, 5.0), (0.2, 20.0)])
def test_a_disc_slides_and_spins_as_the_integral_predicts(v, spin):
    exact, seen = sliding(disc_area(R), 0.5 * R * R, v, spin, 0.7), []
    w = world(mechanism([round_plate(v=(v, 0.0, 0.0), w=(0.0, 0.0, spin))], floor=skin(MU)))
    run(w, exact.t[-1] - 1e-3, lambda w: seen.append((w.time, *velocity(w)[[0, 5]])))
    t, u, q = np.array(seen).T
    assert np.abs(u - exact.sol(t)[0]).max() < 0.01 * v
    assert np.abs(q - exact.sol(t)[1]).max() < 0.01 * spin
    if v == 0.5:
        # friction at the rim alone is far from it
        assert np.abs(exact.sol(t)[1] - (spin - 2.0 * MU * G / R * t)).max() > 0.1 * spin


def breaks_away(plate, limit, **drawn):
    """Truth of a plate standing under a torque that grows to 0.99 of a limit, and turning at 1.01
    of it.
    """
    # the limit is reached after 1 s
    torque = Force(
        "drive",
        "drive",
        "torque",
        {"x": Q(0.0), "y": Q(0.0), "z": Q(0.0)},
        frame_b=Frame("plate"),
        laws={"z": Law("expression", text=f"{float(limit)!r} N*m * t / (1 s)")},
    )
    drawn.setdefault("floor", skin(MU))
    w = world(mechanism([plate], forces={"drive": torque}, **drawn), step=2e-3)
    run(w, 0.99)
    stands = abs(velocity(w)[5])
    run(w, 0.02)
    assert w.S.counts[s.UNSOLVED] == 0
    return stands < 1e-5 and velocity(w)[5] > 1e-3


def test_a_disc_breaks_away_at_two_thirds():
    assert breaks_away(round_plate(), 2.0 / 3.0 * MU * G * R)


def test_a_square_breaks_away_at_its_mean_distance():
    assert breaks_away(square_plate(), MU * G * mean_distance(rectangle(-0.1, 0.1, -0.1, 0.1)))


def least_moment(area):
    """Moment that turns the area, about the point that makes it least."""
    return MU * G * minimize(lambda c: mean_distance(area, c), (0.0, 0.0), tol=1e-10).fun


def test_weight_off_the_middle_presses_linearly():
    off = SIDE / 8.0
    area = under_weight(rectangle(-0.1, 0.1, -0.1, 0.1), off, 0.0)
    even = MU * G * 0.3826 * SIDE
    assert least_moment(area) < 0.95 * even
    plate = body(
        "plate",
        [box_shape(SIDE, SIDE, HIGH, at=(-off, 0.0, 0.0))],
        1.0,
        (0.004, 0.004, 0.008),
        (0.0, 0.0, HIGH / 2),
        surface=skin(MU),
    )
    assert breaks_away(plate, least_moment(area))


def test_a_plate_over_an_edge_rubs_where_it_lies():
    over = SIDE / 5.0
    # from the plate's middle, which bears it all
    area = under_weight(rectangle(-0.1, 0.1 - over, -0.1, 0.1), 0.0, 0.0)
    plate = square_plate(at=(0.0, 0.0, 0.05 + HIGH / 2))
    ground = [box_shape(1.0, 1.0, 0.1, at=(0.1 - over - 0.5, 0.0, 0.0))]
    assert breaks_away(
        plate, least_moment(area), floor=None, ground=ground, ground_surface=skin(MU)
    )


def test_disc_spinning_on_a_sliding_box_only_loses_energy():
    """A disc spins on a box that slides, both free."""
    low = box("low", (0.8, 0.8, 0.1), 2.0, (0.0, 0.0, 0.05), v=(0.6, 0.0, 0.0), surface=skin(MU))
    top = round_plate(at=(0.02, 0.03, 0.1 + HIGH / 2), v=(0.6, 0.0, 0.0), w=(0.0, 0.0, 30.0))
    w, energies = world(mechanism([low, top], floor=skin(MU))), []
    run(w, 1.3, lambda w: energies.append(sum(w.energy()[:2])))
    assert np.diff(energies).max() < 1e-7 and w.S.counts[s.UNSOLVED] == 0
    assert np.abs(velocity(w, 0)).max() < 1e-5 and np.abs(velocity(w, 1)).max() < 1e-5


def stack(masses, off=0.0):
    """Discs on each other that spin in turn to and fro, each `off` from the one below [m]."""
    discs = []
    for k, mass in enumerate(masses):
        shape = Shape("cylinder", {"radius": Q(R), "height": Q(HIGH)})
        across, along = mass * (3.0 * R**2 + HIGH**2) / 12.0, 0.5 * mass * R**2
        at, w = (off * k, 0.0, HIGH * (k + 0.5)), (0.0, 0.0, SPIN * (-1) ** k)
        discs.append(
            body(f"d{k}", [shape], mass, (across, across, along), at, surface=skin(MU), w=w)
        )
    return mechanism(discs, floor=skin(MU))


def spins_of_stack(masses, times, h=1e-4):
    """Spins (times, discs) of a stack of discs about one axis: each is braked by 2/3 mu N R of
    what lies on it and by the next below, or held; implicit steps of h, each by sweeps.
    """
    m, count = np.array(masses), len(masses)
    inertia, most = 0.5 * m * R * R, 2.0 / 3.0 * MU * G * R * np.cumsum(m[::-1])[::-1]
    spin, held, out = SPIN * (-1.0) ** np.arange(count), np.zeros(count), []
    for step in range(1, round(times[-1] / h) + 1):
        free = spin
        for _ in range(300):
            before = held.copy()
            for k in range(count):
                spin = free + h * (held - np.append(held[1:], 0.0)) / inertia
                slip = spin[k] - (spin[k - 1] if k else 0.0)
                gives = h * (1.0 / inertia[k] + (1.0 / inertia[k - 1] if k else 0.0))
                held[k] = min(max(held[k] - slip / gives, -most[k]), most[k])
            if (np.abs(held - before) <= 1e-9 * most).all():
                break
        spin = free + h * (held - np.append(held[1:], 0.0)) / inertia
        if any(abs(step * h - t) < 0.5 * h for t in times):
            out.append(spin)
    return np.array(out)


@pytest.mark.parametrize(
    "masses", [(1.0, 10.0, 100.0), (100.0, 10.0, 1.0), (1.0, 10.0, 100.0, 10.0, 1.0)]
)
def test_stacks_of_light_and_heavy_discs_spin_down_by_their_area(masses):
    """Each gives the next 2/3 mu N R, and none keeps the friction of its corners."""
    w, times = world(stack(masses)), (0.02, 0.05, 0.1, 0.15)
    seen = []
    for t in times:
        run(w, t - w.time)
        seen.append([velocity(w, k)[5] for k in range(len(masses))])
    assert np.array(seen) == pytest.approx(spins_of_stack(masses, times), abs=0.01 * SPIN)
    assert w.S.counts[s.UNSHARED] == w.S.counts[s.UNSOLVED] == 0


def test_a_crowd_of_discs_spins_down_by_its_area():
    """An island of more than CROWD contacts follows the same law, with places of each step."""
    masses, times = (1.0,) * 16, (0.05, 0.1, 0.2)
    w, seen = world(stack(masses)), []
    for t in times:
        run(w, t - w.time)
        assert w.P.size[CONTACTS] > CROWD
        # the next step begins with the patches of this one
        assert w.S.remembered[: w.P.size[CONTACTS], s.R_SHARED].any()
        seen.append([velocity(w, k)[5] for k in range(len(masses))])
    assert np.array(seen) == pytest.approx(spins_of_stack(masses, times), abs=0.01 * SPIN)
    assert w.S.counts[s.UNSHARED] == w.S.counts[s.UNSOLVED] == 0


def test_a_tower_of_unlike_boxes_that_spin_to_and_fro_is_borne():
    """Boxes of a tower, each 1.37 times as heavy as the one below, that spin to and fro: the ground
    bears all of them.
    """
    masses = 1e4 ** (np.arange(24) / 29.0)
    tower = [
        box(
            f"b{k}",
            (0.2, 0.2, 0.05),
            mass,
            (0.0, 0.0, 0.025 + 0.05 * k),
            w=(0.0, 0.0, 5.0 * (-1.0) ** k),
            surface=skin(MU),
        )
        for k, mass in enumerate(masses)
    ]
    w = run(world(mechanism(tower, floor=skin(MU))), 0.02)
    count = int(w.points.count[0])
    low = (w.points.body_a[:count] < 0) | (w.points.body_b[:count] < 0)
    borne = np.abs((w.impulses() / w.taken)[low, 2].sum())
    assert borne == pytest.approx(masses.sum() * G, rel=1e-3)
    assert w.S.counts[s.UNSOLVED] == 0


@pytest.mark.parametrize("count", [14, 15])
def test_a_crowd_of_squares_is_braked_from_its_first_step(count):
    """Also in the step in which nothing has pressed yet, and on both sides of CROWD."""
    spinning = [
        box(
            f"p{i}",
            (SIDE, SIDE, HIGH),
            1.0,
            (0.4 * (i % 6) - 1.0, 0.4 * (i // 6) - 1.0, 0.1 + HIGH / 2),
            w=(0.0, 0.0, SPIN * (-1.0) ** i),
            surface=skin(MU),
        )
        for i in range(count)
    ]
    slab = box("slab", (4.0, 4.0, 0.1), 1000.0, (0.0, 0.0, 0.05), surface=skin(MU))
    w = world(mechanism([slab, *spinning], floor=skin(MU)))
    exact = 1e-3 * MU * G * 0.3826 * SIDE / (SIDE**2 / 6.0)
    for step in range(1, 4):
        w.advance()
        assert (w.P.size[CONTACTS] > CROWD) == (count > 14)
        lost = [SPIN - abs(velocity(w, k)[5]) for k in range(1, count + 1)]
        assert np.array(lost) == pytest.approx(step * exact, rel=0.007)
    assert w.S.counts[s.UNSHARED] == w.S.counts[s.UNSOLVED] == 0


@pytest.mark.parametrize(
    ("kind", "rolling"), [("round", 0.0), ("square", 0.0), ("round", 1e-9), ("square", 1e-9)]
)
def test_a_crowd_slides_and_spins_as_the_integral_predicts(kind, rolling):
    """Each plate in its own direction on one heavy slab.  Squares are far from even the integral
    for friction at their corners.  Resistance to rolling, however small, takes another way.
    """
    v, spin, count, plates = 0.5, SPIN, 28, []
    for i in range(count):
        at = (0.6 * (i % 7) - 1.8, 0.6 * (i // 7) - 0.9, 0.1 + HIGH / 2)
        moves = dict(
            v=(v * np.cos(0.3 * i), v * np.sin(0.3 * i), 0.0), w=(0.0, 0.0, spin * (-1.0) ** i)
        )
        plate = round_plate(at=at, **moves) if kind == "round" else square_plate(at=at, **moves)
        plates.append(replace(plate, id=f"p{i}", name=f"p{i}"))
    slab = box("slab", (6.0, 4.0, 0.1), 1e6, (0.0, 0.0, 0.05), surface=skin(MU, rolling=rolling))
    w = world(mechanism([slab, *plates], floor=skin(MU)))
    assert w.P.size[WIDTH] == (6 if rolling > 0.0 else 3)
    area, inertia = (disc_area(R), 0.5 * R * R)
    if kind == "square":
        area, inertia = rectangle(-0.1, 0.1, -0.1, 0.1, 100), SIDE**2 / 6.0
    exact = sliding(area, inertia, v, spin, 0.7)
    for t in np.linspace(0.02, min(exact.t[-1] - 2e-3, 0.25), 8):
        run(w, t - w.time)
        assert w.P.size[CONTACTS] > CROWD
        moves = np.array([velocity(w, k) for k in range(1, count + 1)])
        slip, turn = exact.sol(w.time)
        near = 0.013 if rolling > 0.0 else 0.01
        assert np.hypot(moves[:, 0], moves[:, 1]) == pytest.approx(slip, abs=near * v)
        assert np.abs(moves[:, 5]) == pytest.approx(turn, abs=0.005 * spin)
    assert w.S.counts[s.UNSHARED] == w.S.counts[s.UNSOLVED] == 0


@pytest.mark.parametrize("rolling", [0.0, 1e-9])
def test_a_crowd_breaks_away_at_the_limits_of_force_and_moment(rolling):
    """Plates on one heavy slab, each under a force and a moment of its own ratio, which grow to
    0.97 of what the integral holds, and then to 1.04 of it.
    """
    count, area, plates, forces = 28, rectangle(-0.1, 0.1, -0.1, 0.1, 60), [], {}
    places, shares = area
    for i in range(count):
        at = (0.6 * (i % 7) - 1.8, 0.6 * (i // 7) - 0.9, 0.1 + HIGH / 2)
        plates.append(replace(square_plate(at=at), id=f"p{i}", name=f"p{i}"))
        # pole of the slip across the force, from turns about the middle to nearly pure slides
        far, along = 0.3 * SIDE * np.tan(0.5 * np.pi * i / count), 0.3 * i
        u, w = -places[:, 1], places[:, 0] + far
        length = np.hypot(u, w)
        force = MU * G * np.array([shares @ (u / length), shares @ (w / length)])
        moment = MU * G * float(shares @ ((places[:, 0] * w - places[:, 1] * u) / length))
        turned = np.array(
            [
                force[0] * np.cos(along) - force[1] * np.sin(along),
                force[0] * np.sin(along) + force[1] * np.cos(along),
            ]
        )
        # below the middle by half of the height, so that the plate does not tip
        frame_b = Frame(f"p{i}", placement=Placement(vector(0.0, 0.0, -HIGH / 2), vector(0, 0, 0)))
        grow = lambda value, unit: Law("expression", text=f"{float(value)!r} {unit} * t / (1 s)")
        forces[f"f{i}"] = Force(
            f"f{i}",
            f"f{i}",
            "force",
            {"x": Q(0.0), "y": Q(0.0), "z": Q(0.0)},
            frame_b=frame_b,
            laws={"x": grow(turned[0], "N"), "y": grow(turned[1], "N")},
        )
        forces[f"m{i}"] = Force(
            f"m{i}",
            f"m{i}",
            "torque",
            {"x": Q(0.0), "y": Q(0.0), "z": Q(0.0)},
            frame_b=frame_b,
            laws={"z": grow(moment, "N*m")},
        )
    slab = box("slab", (6.0, 4.0, 0.1), 1e6, (0.0, 0.0, 0.05), surface=skin(MU, rolling=rolling))
    w = world(mechanism([slab, *plates], forces=forces, floor=skin(MU)), step=2e-3)
    run(w, 0.97)
    assert w.P.size[CONTACTS] > CROWD
    moves = np.array([velocity(w, k) for k in range(1, count + 1)])
    assert np.abs(moves).max() < 1e-4
    run(w, 0.07)
    moves = np.array([velocity(w, k) for k in range(1, count + 1)])
    assert (np.hypot(moves[:, 0], moves[:, 1]) + 0.1 * np.abs(moves[:, 5])).min() > 1e-3
    assert w.S.counts[s.UNSHARED] == w.S.counts[s.UNSOLVED] == 0


def boxes_under_a_spinning_one(mu, ratio):
    """Four layers of boxes that spin to and fro, every second of `ratio` kg, and one that spins on
    them.
    """
    rng, pile = np.random.default_rng(3), []
    for i in range(48):
        x, y = (
            np.array([0.22 * (i % 4) - 0.33, 0.22 * (i // 4 % 3) - 0.22]) + rng.normal(size=2) / 100
        )
        at, w = (x, y, 0.04 + 0.081 * (i // 12)), (0.0, 0.0, 5.0 * (-1.0) ** i)
        mass = 1.0 if i % 2 else ratio
        pile.append(box(f"b{i}", (0.2, 0.2, 0.08), mass, at, w=w, surface=skin(mu)))
    at, w = (0.0, 0.0, 0.04 + 4 * 0.081), (0.0, 0.0, 30.0)
    pile.append(box("top", (0.5, 0.5, 0.05), 2.0, at, w=w, surface=skin(mu)))
    return mechanism(pile, floor=skin(mu))


@pytest.mark.parametrize(("mu", "ratio"), [(0.3, 1.0), (0.3, 1000.0), (0.0, 1.0), (2.0, 1.0)])
def test_a_box_that_spins_on_a_pile_only_loses_energy(mu, ratio):
    w, energies = world(boxes_under_a_spinning_one(mu, ratio)), []
    run(w, 0.015, lambda w: energies.append(sum(w.energy()[:2])))
    assert np.diff(energies).max() < 1e-6 * energies[0] and w.S.counts[s.UNSOLVED] == 0
    assert w.P.size[CONTACTS] > CROWD


@pytest.mark.slow
def test_layers_of_unlike_plates_that_spin_share_their_friction():
    """Newton's methods solve steps of a crowd that take the gradient too long."""
    rng, plates = np.random.default_rng(11), []
    for i in range(33):
        at = np.array(
            [0.25 * (i % 4) - 0.33, 0.25 * (i // 4 % 3) - 0.22, 0.1415 + 0.083 * (i // 12)]
        )
        at += rng.normal(size=3) * [0.01, 0.01, 0.0005]
        spin, slide = 4.0 * rng.normal(), rng.normal(size=3) * [0.3, 0.3, 0.05]
        mass = 1.0 if i % 2 else 10.0
        moves = dict(w=(0.0, 0.0, spin), v=tuple(slide), surface=skin(0.05))
        if rng.random() < 0.6:
            plates.append(box(f"b{i}", (0.2, 0.2, 0.08), mass, tuple(at), **moves))
        else:
            shape = Shape("cylinder", {"radius": Q(0.1), "height": Q(0.08)})
            across, along = mass * (3 * 0.1**2 + 0.08**2) / 12.0, 0.5 * mass * 0.1**2
            plates.append(body(f"b{i}", [shape], mass, (across, across, along), at=at, **moves))
    for rolling in (0.0, 1e-3):
        slab = box(
            "slab", (3.0, 3.0, 0.1), 1e4, (0.0, 0.0, 0.05), surface=skin(0.05, rolling=rolling)
        )
        w, energies = world(mechanism([slab, *plates], floor=skin(0.05))), []
        run(w, 0.1, lambda w, seen=energies: seen.append(sum(w.energy()[:2])))
        assert w.S.counts[s.UNSHARED] <= 1 and w.S.counts[s.UNSOLVED] == 0
        assert np.diff(energies).max() < 1e-6 * energies[0]
        assert w.P.size[CONTACTS] > CROWD and w.S.shared[: w.P.size[CONTACTS]].any()


@pytest.mark.parametrize("masses", [(1.0, 10.0, 100.0), (100.0, 10.0, 1.0)])
def test_crooked_stacks_of_light_and_heavy_discs_share_friction(masses):
    """Not about one axis either a disc keeps the friction of its corners; nothing gains energy."""
    w, energies = world(stack(masses, 0.01)), []
    run(w, 0.3, lambda w: energies.append(sum(w.energy()[:2])))
    assert w.S.counts[s.UNSHARED] <= 3 and w.S.counts[s.UNSOLVED] == 0
    assert np.diff(energies).max() < 1e-6


def stack_notes(masses, off):
    """Notes on friction at corners of a run of a stack."""
    drawn = stack(masses, off)
    options = RunOptions(duration=0.05, sample_step=0.01)
    system = system_for(drawn, options)
    for _ in run_blocks(system, options, []):
        pass
    assert system.statistics.unsolved == 0
    return [note for note in system.statistics.notes if "at their corners alone" in note]


def test_a_run_notes_where_friction_stays_at_corners():
    (note,) = stack_notes([1.0, 1e2, 1e4], 0.01)
    assert " of 50 steps friction of flat sides" in note
    assert stack_notes([1.0, 1.0, 1.0], 0.0) == []


@pytest.mark.parametrize("height", [0.002, 0.0001])
def test_contacts_above_a_patch_are_no_part_of_its_area(height):
    """The upper rim of a thin disc is within reach of the floor: M = 2/3 mu N R all the same."""
    shape = Shape("cylinder", {"radius": Q(R), "height": Q(height)})
    inertia = (0.25 * R**2, 0.25 * R**2, 0.5 * R**2)
    at, w0 = (0.0, 0.0, height / 2), (0.0, 0.0, SPIN)
    thin = body("plate", [shape], 1.0, inertia, at, w=w0, surface=skin(MU))
    w = run(world(mechanism([thin], floor=skin(MU))), 0.1)
    assert w.S.counts[s.CONTACTS] > 4
    brake = 4.0 * MU * G / (3.0 * R)
    assert SPIN - velocity(w)[5] == pytest.approx(0.1 * brake, rel=0.002)
    assert np.abs(velocity(w)[:2]).max() < 1e-4
