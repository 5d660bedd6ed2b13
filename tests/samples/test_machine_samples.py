"""Six-bars, statics and robots of the samples against circles, triangles, sums of forces and
integrations of their own.
"""

import math

import numpy as np
import pytest
import scipy.integrate

import mechstudio as ms
from mechstudio.model.mass_properties import mass_properties
from tests.samples.runs import changed, flat, load, run, turned, value

G, DEG = 9.81, math.pi / 180


def meet(p, a, q, b):
    """Points (samples,) at a from p and b from q, on the left of the way from p to q."""
    d = np.abs(q - p)
    along = (a * a - b * b + d * d) / (2 * d)
    return p + (q - p) / d * (along + 1j * np.sqrt(a * a - along * along))


def force(result, name):
    """World components (samples, 3) of the force in a joint."""
    courses = result.courses(*(f"Force in {name}: {axis}, world axes" for axis in "xyz"))
    return np.column_stack([course.values for course in courses])


def test_klanns_foot_walks_by_circles():
    """Lengths of boim.com/Walkin8r/Klann.html; within a tenth of the lift for half of the turn."""
    result, u = run("klann_leg"), 0.003
    c = 17.5 * u * np.exp(1j * (40 * DEG + value(result, "omega") * result.time))
    low, high = (np.full(len(c), u * p) for p in (-38.8 - 12.5j, -14.6 + 41.9j))
    h = meet(low, 23.7 * u, c, 38.8 * u)
    f = meet(h, 35.2 * u, c, 73.4 * u)
    e = meet(f, 57.7 * u, high, 34.1 * u)
    foot = meet(e, 111.7 * u, f, 59 * u)
    walked = flat(result, "leg", "G") - 0.17j
    assert walked == pytest.approx(foot, abs=1e-9)
    lift, low_place = np.ptp(walked.imag), walked.imag.min()
    assert np.mean(walked.imag < low_place + 0.01) > 0.45
    assert 0.4 < lift / np.ptp(walked.real) < 0.6


def test_the_wipers_swing_between_two_triangles():
    """Law of cosines at D with crank and rod in line; the parallelogram hands the angle on."""
    result = run("windscreen_wiper")
    crank, rod, arm, frame = 0.05, 0.24, 0.09, 0.26
    at = lambda d: math.acos((frame**2 + arm**2 - d**2) / (2 * frame * arm))
    swing = at(rod + crank) - at(rod - crank)
    assert np.ptp(turned(result, "D")) == pytest.approx(swing, rel=2e-4)
    assert turned(result, "E") == pytest.approx(turned(result, "D"), abs=1e-8)
    lengths = sorted((crank, rod, arm, frame))
    assert lengths[0] + lengths[3] < lengths[1] + lengths[2]


def test_the_tips_share_the_weight_by_the_smallest_forces():
    """Of all forces that balance, those without the pattern + - + -; each side carries half.

    The sum of the four is the weight; their moment about y is that of weights and inertias.
    """
    result = run("table_of_four_legs")
    tips = np.column_stack([force(result, name)[:, 2] for name in "PQRS"])
    tips *= np.sign(tips[0, 0])
    masses = {"table": 8.0, "load": value(result, "m_l")}
    assert tips.sum(axis=1) == pytest.approx(G * sum(masses.values()), rel=1e-9)
    assert tips @ (1, -1, 1, -1) == pytest.approx(0, abs=1e-6)
    x = 0.2 * np.sin(2 * result.time)
    share = masses["load"] / sum(masses.values())
    place = {"table": -share * x, "load": (1 - share) * x}
    feet = place["table"][:, None] + 0.25 * np.array([-1, 1, 1, -1])
    moment = 0.0
    for name, height in (("table", 0.3), ("load", 0.354)):
        assert result.position(name)[:, 0] == pytest.approx(place[name], abs=1e-7)
        # a = -4 x: an inertia at its height
        moment = moment + masses[name] * (G * place[name] + 4 * place[name] * (height - 0.014))
    assert (tips * feet).sum(axis=1) == pytest.approx(moment, abs=1e-5)


def test_without_one_leg_the_others_are_known():
    """Three tips: the load in the middle of the missing one's diagonal leaves nothing to choose."""
    import msgspec

    project = load("table_of_four_legs")
    joints = {k: j for k, j in project.mechanism.joints.items() if j.name != "S"}
    three = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, joints=joints)
    )
    structure = ms.check(three).structure
    assert (structure.mobility, structure.hyperstaticity) == (4, 0)
    result = ms.simulate(three)
    at_start = np.array([force(result, name)[0, 2] for name in "PQR"])
    # balance about both diagonals through the middle: Q alone has no partner
    assert np.abs(at_start) == pytest.approx([0.5 * 13 * G, 0.0, 0.5 * 13 * G], abs=1e-6)


@pytest.mark.parametrize("weight", ["0.4 kg", "0.8 kg", "0.001 kg"])
def test_the_frame_is_shaken_by_what_the_masses_need(weight):
    """Sum of all forces on the frame = -(sum of m a) and weights (Newton); the piston by
    x = r cos + sqrt(l^2 - r^2 sin^2).
    """
    result = ms.simulate(changed("balanced_crank", m_c=weight), duration=0.3)
    r, rod, omega = 0.05, 0.2, value(result, "omega")
    phi = omega * result.time
    s, c = np.sin(phi), np.cos(phi)
    root = np.sqrt(rod**2 - (r * s) ** 2)
    piston = -r * omega**2 * (c + r * (c**2 - s**2) / root + r**3 * (s * c) ** 2 / root**3)
    counter = value(result, "m_c") * r * omega**2
    shaking = force(result, "A") + force(result, "bore")
    across = shaking[:, 2] - shaking[0, 2]  # without the weight
    along = shaking[:, 0]
    first = 0.8 * r * omega**2
    for found, truth in ((along, 0.8 * piston + counter * c), (across, counter * -s)):
        # the body that the force is named by; rod and crank have a gram each
        sign = 1 if np.abs(found - truth).max() < np.abs(found + truth).max() else -1
        assert found == pytest.approx(sign * truth, abs=5e-3 * first)


def test_half_of_the_piston_makes_the_worst_force_least():
    """First order: max(|m - m_c|, m_c) r omega^2 is least at m_c = m / 2."""
    worst = {}
    for weight in (0.2, 0.4, 0.6):
        result = ms.simulate(changed("balanced_crank", m_c=f"{weight} kg"), duration=0.3)
        shaking = force(result, "A") + force(result, "bore")
        shaking[:, 2] -= shaking[:, 2].mean()
        worst[weight] = np.hypot(shaking[:, 0], shaking[:, 2]).max()
    assert worst[0.4] < worst[0.2] and worst[0.4] < worst[0.6]


def test_the_trebuchet_by_the_principle_of_virtual_power():
    """Three angles; sum of J^T m (g - a) = 0 for beam, weight and stone, integrated apart."""
    result = run("trebuchet")
    short, long, hang, sling, pivot = 0.12, 0.42, 0.10, 0.36, 0.46
    solids = {
        name: mass_properties(result.project.mechanism.bodies[name])
        for name in ("beam", "counterweight", "stone")
    }
    middle = solids["beam"].center[0]
    e = lambda a: np.array([math.cos(a), math.sin(a)])
    n = lambda a: np.array([-math.sin(a), math.cos(a)])
    # places as factors of e of each angle: beam, hanger, sling
    arms = {
        "beam": (middle, 0, 0),
        "counterweight": (short, hang, 0),
        "stone": (-long, 0, sling),
    }
    turning = [solids[name].inertia[1][1] for name in arms]

    def rates(t, y):
        q, w = y[:3], y[3:]
        M, rhs = np.diag(turning), np.zeros(3)
        for name, factors in arms.items():
            m = solids[name].mass
            J = np.column_stack([f * n(a) for f, a in zip(factors, q)])
            bent = sum(-f * v * v * e(a) for f, a, v in zip(factors, q, w))
            M = M + m * J.T @ J
            rhs += m * J.T @ (np.array([0, -G]) - bent)
        return np.concatenate([w, np.linalg.solve(M, rhs)])

    start = np.array([45 * DEG, -90 * DEG, 0, 0, 0, 0])
    truth = scipy.integrate.solve_ivp(
        rates, (0, 1), start, "DOP853", result.time, rtol=1e-11, atol=1e-12
    ).y
    stone = np.array([[0, pivot] - long * e(a) + sling * e(b) for a, b in truth[[0, 2]].T])
    assert result.position("stone")[:, [0, 2]] == pytest.approx(stone, abs=1e-6)
    speed = np.linalg.norm(result.velocities[:, result.body_index("stone"), :3], axis=1)
    kinetic = 0.5 * 0.25 * speed**2
    fallen = np.ptp(result.position("counterweight")[:, 2]) * value(result, "m_w") * G
    assert 0.3 < kinetic.max() / fallen < 1.0


def test_bricards_angles_obey_their_equation():
    """cos A + cos B + cos A cos B = 0 (Chen, You, Tarnai 2005)."""
    result = run("bricard_ring")
    theta = 75 * DEG - turned(result, "A")
    start = math.acos(-math.cos(75 * DEG) / (1 + math.cos(75 * DEG)))
    phi = start + turned(result, "B")
    assert np.cos(theta) + np.cos(phi) + np.cos(theta) * np.cos(phi) == pytest.approx(0, abs=1e-7)
    # the threefold symmetry
    for one, other in (("A", "C"), ("C", "E"), ("B", "D"), ("D", "F")):
        sign = -1 if "A" in (one, other) else 1
        assert turned(result, other) == pytest.approx(sign * turned(result, one), abs=1e-7)
    equal = math.degrees(math.acos(math.sqrt(2) - 1))
    assert equal == pytest.approx(65.53, abs=0.01)
    assert np.ptp(phi) == pytest.approx(60 * DEG, rel=1e-3)


def test_the_platform_of_the_delta_is_where_three_spheres_meet():
    """Elbows moved inwards by the platform's radius are the middles of spheres of the rods' length
    (Clavel 1988); it never tilts.
    """
    result = run("delta_robot")
    base, arm, rod, inner, height = 0.12, 0.16, 0.32, 0.05, 0.5
    place = result.position("platform")
    for k in range(3):
        phase, heading = 120 * DEG * k, 2 * math.pi * k / 3
        swing = 18 * DEG * (np.sin(value(result, "omega") * result.time + phase) - math.sin(phase))
        assert turned(result, f"A{k + 1}") == pytest.approx(swing, abs=1e-8)
        down = 20 * DEG + swing
        out = base - inner + arm * np.cos(down)
        middle = np.column_stack(
            [out * math.cos(heading), out * math.sin(heading), height - arm * np.sin(down)]
        )
        assert np.linalg.norm(place - middle, axis=1) == pytest.approx(rod, abs=1e-8)
    turn = result.poses[:, result.body_index("platform"), 3:]
    assert np.abs(np.abs(turn[:, 0]) - 1).max() < 1e-12
    assert (place[:, 2] < 0.5).all() and np.ptp(place, axis=0).min() > 0.02


def test_watts_upper_link_turns_with_the_rocker():
    """The angle at C is that of the law of cosines between A and D; G = E + F - C closes the upper
    loop, a parallelogram, so that its links keep the attitudes of coupler and rocker.
    """
    result = run("watt_six_bar")
    crank, coupler, rocker, frame = 0.07, 0.24, 0.18, 0.26
    at = lambda d: math.acos((coupler**2 + rocker**2 - d**2) / (2 * coupler * rocker))
    swing = at(frame + crank) - at(frame - crank)
    assert np.ptp(turned(result, "C")) == pytest.approx(swing, rel=3e-4)
    b = crank * np.exp(1j * (60 * DEG + value(result, "omega") * result.time))
    c = meet(b, coupler, np.full(len(b), frame + 0j), rocker)
    arms = (0.15, b, 25 * DEG), (0.13, np.full(len(b), frame + 0j), 10 * DEG)
    e, f = (
        c + far * np.exp(1j * angle) * (c - start) / np.abs(c - start) for far, start, angle in arms
    )
    g = flat(result, "upper_rocker", "G") - 0.10j
    assert g == pytest.approx(e + f - c, abs=1e-9)
    assert np.abs(g - c).min() > 0.05


def test_the_curve_takes_away_what_is_held_twice():
    """Hyperstatic 3 on the left, 0 on the right, one motion each; both couplers move alike."""
    result, whole = run("hyperstatic_cure"), load("hyperstatic_cure")
    sides = {}
    for side, other in (("left", "right"), ("right", "left")):
        m = ms.Builder.of(whole)
        parts = [b for b in m.bodies.values() if other in b.body.name]
        m.remove(*parts, *([m.bodies["rocker"]] if side == "right" else []))
        s = ms.check(m.project()).structure
        sides[side] = (s.mobility, s.hyperstaticity, s.loops)
    assert sides == {"left": (1, 3, 1), "right": (1, 0, 1)}
    left, right = flat(result, "left_coupler"), flat(result, "right_coupler")
    assert right - left == pytest.approx(np.full(len(left), 0.62 + 0j), abs=1e-9)
    slope = [
        result.poses[:, result.body_index(f"{side}_coupler"), 3:] for side in ("left", "right")
    ]
    # the groove is a spline through points of the arc, three degrees apart
    assert slope[0] == pytest.approx(slope[1], abs=1e-6)


def test_a_tilted_pin_jams_what_is_held_twice_and_not_what_is_cured():
    """Axes a degree apart: four hinges in space hold six equations with four freedoms."""
    for side, place, mobility in (("left", 0.0, 1), ("right", 0.62, 2)):
        m = ms.Builder.of(load("hyperstatic_cure"))
        m.remove(f"A_{side}")
        axis = (math.sin(DEG), -math.cos(DEG), 0)
        m.pin("A tilted", m.ground, m.bodies[f"{side}_crank"], at=(place, 0, 0.12), axis=axis)
        structure = ms.check(m.project()).structure
        # of two motions the tilted side's is left, or not
        assert structure.mobility == mobility


def chair(fold):
    """Seat's place in the slot, from the cross [m], and heights above the floor [m], of a chair
    whose legs stand by 38 deg - fold / 2 from the vertical: an isosceles triangle of the legs.
    """
    lean = 38 * DEG - 0.5 * fold
    arm, seat = 0.20, 2 * 0.20 * math.sin(38 * DEG)
    both = 2 * lean
    slot = arm * np.cos(both) + np.sqrt(seat**2 - (arm * np.sin(both)) ** 2)
    return lean, slot


def test_the_seat_slides_in_the_back_by_the_law_of_cosines():
    """s^2 = x^2 + b^2 - 2 x b cos(phi) between the two ends of the seat, seen from the cross."""
    result = run("folding_chair")
    fold = np.abs(turned(result, "cross"))
    assert fold.max() == pytest.approx(64 * DEG, rel=1e-4)
    _, slot = chair(fold)
    assert np.abs(turned(result, "slot")) == pytest.approx(slot - slot[0], abs=1e-8)
    assert np.ptp(slot) > 0.2


def test_a_load_keeps_the_chair_open_by_the_torque_of_virtual_work():
    """Drive torque at rest = d(potential energy) / d(fold): all weights, lifted as it folds."""
    result = ms.simulate(changed("folding_chair", w="0.1 rad/s"), duration=12.0)
    energy = result.potential_energy
    fold = np.abs(turned(result, "cross"))
    (torque,) = result.courses("Torque of hand")
    truth = np.gradient(energy, fold, edge_order=2)
    middle = (result.time > 3) & (result.time < 11)
    assert np.abs(torque.values)[middle] == pytest.approx(np.abs(truth)[middle], rel=2e-2)
    # of the bag alone: its height over the floor
    assert truth[middle].min() > 0
    heavier = ms.simulate(changed("folding_chair", w="0.1 rad/s", m_l="8 kg"), duration=12.0)
    more = np.gradient(heavier.potential_energy - energy, fold, edge_order=2)
    lean, slot = chair(fold)
    c = np.stack([0.4 * np.cos(lean)])[0]
    front = np.stack([0.2 * np.sin(lean), c + 0.2 * np.cos(lean)])
    rear = np.stack([-slot * np.sin(lean), c + slot * np.cos(lean)])
    along = (front - rear) / np.hypot(*(front - rear))
    # its centre lies 10 mm ahead of the cross and 100 mm above the pin, in the axes of the seat
    ahead = 0.01 - 0.2 * math.sin(38 * DEG)
    height = front[1] + ahead * along[1] + 0.10 * along[0]
    assert more[middle] == pytest.approx(4 * G * np.gradient(height, fold)[middle], rel=1e-3)
