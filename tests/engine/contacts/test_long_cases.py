"""Cases of statics, masonry, drums and tops, most of them long."""

import numpy as np
import pytest

from mechstudio.model.mechanism import GROUND, Drive, Frame, Joint, Law, Placement, Shape
from mechstudio.model.quantity import vector

from .cases import G, Q, ball, body, box, box_shape, forces_on, mechanism, place, run, s, skin, tally, tilt, velocity, world


@pytest.mark.parametrize("mu, stands", [(0.20, True), (0.16, False)])
def test_card_a_frame(mu, stands):
    """Two cards that lean on each other stand with mu > tan(beta) / 2 = 0.182.   Their edges are round: of sharp ones that meet nobody knows the normal."""
    beta, L, r, m = np.radians(20.0), 0.1, 2.5e-4, 0.002
    at = (-L / 2 * np.sin(beta) - r, 0.0, L / 2 * np.cos(beta) + r)
    edges = [Shape("sphere", {"radius": Q(r)}, placement=Placement(vector(0.0, y, z))) for y in (-0.03, 0.03) for z in (-L / 2, L / 2)]
    inertia = (m / 12 * (0.06 ** 2 + L * L), m / 12 * L * L, m / 12 * 0.06 ** 2)
    cards = [body("left", edges, m, inertia, at, turn=(0.0, beta, 0.0), surface=skin(mu)),
             body("right", edges, m, inertia, (-at[0], 0.0, at[2]), turn=(0.0, -beta, 0.0), surface=skin(mu))]
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


@pytest.mark.xfail(reason="edges between the slabs of a drum catch a foot that is still half a millimetre away: the contact ahead is a plane for the whole step; settles at 32 deg")
@pytest.mark.slow
def test_block_in_drum():
    """A block that slides in a turning drum stays where tan(phi) = mu: 21.80 deg.   The drum is a ring of narrow slabs.

    The friction of what slides has one direction whatever the speed, so that nothing damps a swing about that place: a block that is carried up from the bottom, as the
    case has it, arrives with the speed of the drum and swings by 13 deg for ever.   Here it starts at that place at rest.
    """
    R, count, phi = 0.5, 720, np.arctan(0.4)
    ring = [box_shape(2 * R * np.tan(np.pi / count) * 1.05, 0.1, 0.02, at=((R + 0.01) * np.sin(a), 0.0, -(R + 0.01) * np.cos(a)), turn=(0.0, -a, 0.0))
            for a in 2.0 * np.pi * np.arange(count) / count]
    drum = body("drum", ring, 10.0, (1.0, 1.0, 1.0), surface=skin(0.4))
    # on four round feet: between slabs that stand side by side the edges of a box catch
    feet = [Shape("sphere", {"radius": Q(2e-3)}, placement=Placement(vector(x, y, -0.004))) for x in (-0.008, 0.008) for y in (-0.02, 0.02)]
    block = body("block", feet, 0.1, (1e-5, 1e-5, 1e-5), ((R - 0.00601) * np.sin(phi), 0.0, -(R - 0.00601) * np.cos(phi)), turn=(0.0, -phi, 0.0), surface=skin(0.4))
    about_y = vector(0.0, 0.0, np.pi / 2)
    pin = Joint("pin", "pin", "revolute", Frame(GROUND, "", Placement(vector(0.0, 0.0, 0.0), about_y)), Frame("drum", "", Placement(vector(0.0, 0.0, 0.0), about_y)))
    drive = Drive("turn", "turn", "pin", 0, "velocity", Law("constant", {"value": Q(1.0)}))
    w, angles = world(mechanism([drum, block], joints={"pin": pin}, drives={"turn": drive}), margin=2e-3), []
    run(w, 5.0, lambda w: angles.append(np.degrees(np.arctan2(abs(place(w, 1)[0]), -place(w, 1)[2]))) if w.time > 1.0 else None)
    assert np.mean(angles) == pytest.approx(np.degrees(np.arctan(0.4)), abs=0.2)


@pytest.mark.slow
def test_pile_force_balance():
    """A hundred balls settle in a tray: the floor carries their weight, every step keeps the momentum."""
    from mechstudio.engine.contacts.problem import FRAME_WIDTH
    from tests.benchmarks.contacts import R, balls
    assert FRAME_WIDTH == 15
    w = balls(100, tolerance=1e-5, most=2000, projection=True)
    w.advance(1250)        # at 1.5 s it is at rest to 0.1027 % of its weight
    mass = 1000.0 * 4 / 3 * np.pi * R ** 3
    before = w.now()[1][:, :3].copy()
    w.advance()
    f, n = w.impulses(), int(w.points.count[0])
    on_ground = f[w.points.body_a[:n] == -1].sum(axis=0) - f[w.points.body_b[:n] == -1].sum(axis=0)
    change = mass * (w.now()[1][:, :3] - before).sum(axis=0)
    assert change == pytest.approx(on_ground + [0.0, 0.0, -100 * mass * G * 2e-3], abs=1e-10 * 100 * mass * G)
    floor = (w.points.body_a[:n] == -1) & (w.points.normal[:n, 2] > 0.9) | (w.points.body_b[:n] == -1) & (w.points.normal[:n, 2] < -0.9)
    assert np.abs(f[floor, 2]).sum() / (100 * mass * G * 2e-3) <= 1.02
    total = abs(on_ground[2]) / (100 * mass * G * 2e-3)
    assert total == pytest.approx(1.0, abs=1e-3)
    assert tally(w, s.OVERLAP) / R < 1e-3


@pytest.mark.slow
def test_brick_wall():
    """Ten courses of running bond stand; struck by a ball, with e = 0, energy never grows."""
    bricks = []
    for row in range(10):
        for k in range(10 - row % 2):
            x = (k - 4.5 + 0.5 * (row % 2)) * 0.251
            bricks.append(box(f"b{row}_{k}", (0.25, 0.12, 0.065), 2.5, (x, 0.0, 0.0325 + 0.065 * row), surface=skin(0.6)))
    striker = ball("ball", 0.1, 10.0, (0.03, -1.5, 0.33), v=(0.0, 10.0, 0.9), surface=skin(0.6))
    w = world(mechanism([*bricks, striker], floor=skin(0.6)), step=2e-3, tolerance=1e-5, most=500)
    run(w, 0.1)
    assert np.linalg.norm(w.now()[0][:95, :2] - np.array([[b.placement.position[0].value, 0.0] for b in bricks]), axis=1).max() < 1e-4
    energies = []
    run(w, 0.3, lambda w: energies.append(sum(w.energy()[:2])))
    e = np.array(energies)
    assert np.diff(e).max() <= 1e-6 * e[0] + 1e-6
    assert np.abs(w.now()[0][:95, 1]).max() > 0.05


@pytest.mark.slow
def test_spinning_sliding_disk():
    """Sliding and spinning of a flat disc end together, with v / (R omega) near 0.653 (Farkas et al 2003).   Its rim and area are sampled by small balls."""
    R, mu = 0.05, 0.3
    feet = []
    # each stands for the same area; a little soft, so that they carry alike
    soft = {"stiffness": 2e4, "damping": 1e-3}
    for ring, count in ((0.189, 6), (0.378, 12), (0.567, 18), (0.756, 24), (0.926, 24)):
        feet += [Shape("sphere", {"radius": Q(1e-3)}, placement=Placement(vector(ring * R * np.cos(a), ring * R * np.sin(a), -1e-3))) for a in 2 * np.pi * np.arange(count) / count]
    mass = 0.1
    disc = body("disc", feet, mass, (mass * R * R / 4, mass * R * R / 4, mass * R * R / 2), (0.0, 0.0, 2e-3), v=(0.5, 0.0, 0.0), w=(0.0, 0.0, 10.0), surface=skin(mu, **soft))
    w, seen = world(mechanism([disc], floor=skin(mu, **soft)), step=1e-4, tolerance=1e-7, margin=1e-4), []
    run(w, 0.25, lambda w: seen.append((w.time, np.hypot(*velocity(w)[:2]), abs(velocity(w)[5]))))
    t, v, spin = np.array(seen).T
    stops = [t[np.flatnonzero(x > 1e-3 * x[0])[-1]] for x in (v, spin)]
    assert abs(stops[0] - stops[1]) < 0.01 * stops[0] + 1e-3
    late = (v > 0.02 * v[0]) & (v < 0.06 * v[0])
    assert np.mean(v[late] / (R * spin[late])) == pytest.approx(0.653, abs=0.06)


@pytest.mark.xfail(reason="with Coulomb's friction at a point the top stops slipping after 0.2 s and rolls on at 2.4 deg; the source turns it over with the Coulomb-Contensou law, whose friction is weakened by spin")
@pytest.mark.slow
def test_tippe_top():
    """A tippe top turns over and stands on its stem (Leine & Glocker 2003): a sphere whose centre lies above that of mass, and a small one as stem."""
    R1, a1, R2, a2 = 0.015, 0.003, 0.005, 0.016
    balls = [Shape("sphere", {"radius": Q(R1)}, placement=Placement(vector(0.0, 0.0, a1))), Shape("sphere", {"radius": Q(R2)}, placement=Placement(vector(0.0, 0.0, a2)))]
    theta = 0.1
    top = body("top", balls, 0.006, (8e-7, 8e-7, 7e-7), (0.0, 0.0, R1 - a1 * np.cos(theta)), w=(0.0, 0.0, 180.0), turn=(0.0, theta, 0.0), surface=skin(0.3))
    w = run(world(mechanism([top], floor=skin(0.3)), step=1e-4, tolerance=1e-7, margin=5e-4), 8.0)
    assert abs(tilt(w) - 180.0) < 15.0


def test_forces_on_ground_and_body_are_opposite():
    """What the floor does to a body is what a table of forces shows for it: its weight, upwards."""
    w = run(world(mechanism([box("b", (0.2, 0.2, 0.1), 2.0, (0.0, 0.0, 0.05))], floor=skin()), tolerance=1e-9), 0.1)
    assert forces_on(w, 0) == pytest.approx([0.0, 0.0, 2.0 * G], abs=1e-5)
    bodies, numbers = w.touching()
    assert set(bodies.ravel().tolist()) == {-1, 0} and numbers[:, 9].max() < 1e-5
