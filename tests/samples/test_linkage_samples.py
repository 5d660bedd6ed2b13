"""Linkages of the samples against circles, triangles and the sentences of their lessons."""

import math

import numpy as np
import pytest

from tests.samples.runs import flat, run, turned, value

DEG = math.pi / 180


def meet(p, a, q, b):
    """Points (samples,) at a from p and b from q, on the left of the way from p to q."""
    d = np.abs(q - p)
    along = (a * a - b * b + d * d) / (2 * d)
    return p + (q - p) / d * (along + 1j * np.sqrt(a * a - along * along))


def test_chebyshevs_point_crosses_its_line_three_times():
    """Rockers 5, frame 4, coupler 2 (units of 60 mm): height 4 at x = -2, 0 and 2, where the left
    rocker stands at the angles of the triangle 3, 4, 5; by circles everywhere, within a third of a
    percent of the line.
    """
    result, u = run("chebyshev_line"), 0.06
    p = (flat(result, "coupler", "P") - 0.09j) / u
    low, high = math.atan2(3, 4), math.pi / 2
    swing = 25 * DEG * np.sin(value(result, "omega") * result.time)
    b = -2 + 5 * np.exp(1j * (0.5 * (low + high) + swing))
    assert p == pytest.approx(0.5 * (b + meet(2 + 0 * b, 5, b, 2)), abs=1e-9)
    assert np.ptp(p.real) > 3
    assert p.imag[np.argmin(np.abs(p.real))] == pytest.approx(4, abs=1e-4)
    assert np.abs(p.imag - 4).max() < 4 / 300


def test_hoekens_point_is_level_at_three_angles():
    """Crank 1, frame 2, rods 2.5: at the crank angles 90, 180, 270 degrees the end stands at (4,
    4), (2, 4), (0, 4) exactly; by Pythagoras.
    """
    result, u = run("hoeken_line"), 0.06
    p = (flat(result, "coupler", "P") - 0.1j) / u
    angle = math.pi + value(result, "omega") * result.time
    b = np.exp(1j * angle)
    assert p == pytest.approx(2 * meet(b, 2.5, 2, 2.5) - b, abs=1e-9)
    for degrees, x in ((270, 0), (360 + 90, 4), (360 + 180, 2)):
        place = np.interp(degrees * DEG, angle, p.real) + 1j * np.interp(
            degrees * DEG, angle, p.imag
        )
        assert place == pytest.approx(x + 4j, abs=5e-4)
    level = np.cos(angle) < 0
    speed = np.abs(np.gradient(p, angle))
    assert speed[level].max() / speed[level].min() == pytest.approx(4 / 3, rel=0.02)
    assert np.abs(p.imag[level] - 4).max() < 0.01 < np.abs(p.imag[~level] - 4).max()


def test_peaucelliers_point_stays_on_its_line():
    """x = (L^2 - l^2) / (2 r) from the pin of the arms; OA OP = L^2 - l^2."""
    result = run("peaucellier_line")
    p, a = flat(result, "outer_upper_rod", "P") - 0.24j, flat(result, "crank", "end") - 0.24j
    assert p.real == pytest.approx(np.full(len(p), (0.3**2 - 0.11**2) / 0.2), abs=1e-10)
    assert np.abs(p) * np.abs(a) == pytest.approx(np.full(len(p), 0.3**2 - 0.11**2), abs=1e-10)
    swing = 32 * DEG * np.sin(value(result, "omega") * result.time)
    assert p.imag == pytest.approx(p.real * np.tan(0.5 * swing), abs=1e-9)


def test_scott_russells_point_goes_straight_up():
    """Twice the crank's height, over the crank's pin; the block at twice its distance."""
    result, r = run("scott_russell"), 0.12
    angle = 45 * DEG + 30 * DEG * np.sin(value(result, "omega") * result.time)
    assert flat(result, "rod", "P") - 0.12j == pytest.approx(2j * r * np.sin(angle), abs=1e-10)
    assert flat(result, "block") - 0.12j == pytest.approx(2 * r * np.cos(angle) + 0j, abs=1e-10)


def test_watts_point_stays_near_its_line():
    """By circles; x grows with the fifth power of the height there, so that it is straight to a
    thousandth of the coupler over half of it.
    """
    result, long, short = run("watt_line"), 0.20, 0.12
    p = flat(result, "coupler", "P") - 0.24j
    angle = 20 * DEG * np.sin(value(result, "omega") * result.time)
    b = -long + 0.5j * short + long * np.exp(1j * angle)
    d = meet(b, short, long - 0.5j * short, long)
    other = meet(long - 0.5j * short, long, b, short)
    d = np.where(np.abs(d + 0.5j * short) < np.abs(other + 0.5j * short), d, other)
    assert p == pytest.approx(0.5 * (b + d), abs=1e-9)
    near = np.abs(p.imag) < 0.25 * short
    assert np.abs(p.real[near]).max() < 1e-3 * short and near.sum() > 50


def test_both_cranks_of_the_drag_link_turn():
    """Freudenstein: by circles; whole turns take the same time, and the follower's speed varies."""
    result = run("drag_link")
    crank, follower = turned(result, "A"), turned(result, "D")
    b = 0.18 * np.exp(1j * (70 * DEG + crank))
    c = meet(b, 0.20, 0.08, 0.24)
    truth = np.unwrap(np.angle(c - 0.08))
    assert follower == pytest.approx(truth - truth[0], abs=1e-9)
    turn = np.interp(2 * math.pi, crank, follower)
    assert turn == pytest.approx(2 * math.pi, abs=1e-4) and np.all(np.diff(follower) > 0)
    speeds = np.diff(follower) / np.diff(crank)
    assert speeds.max() > 1.4 and speeds.min() < 0.75
    # its question with a frame of 250 mm: the crank is the shortest link then, and alone turns
    shortest, *others, longest = sorted((0.18, 0.20, 0.24, 0.25))
    assert shortest == 0.18 and shortest + longest < sum(others)


def test_the_double_rocker_swings_between_two_triangles():
    """Left rocker 0.22, right 0.25, frame 0.30, coupler 0.10: the left one turns back where coupler
    and right rocker are in line, at 0.35 or 0.15 from the right pin (law of cosines).
    """
    result = run("double_rocker")
    left = 75 * DEG + turned(result, "A")
    limits = [
        math.acos((0.22**2 + 0.30**2 - far**2) / (2 * 0.22 * 0.30)) for far in (0.25 - 0.1, 0.35)
    ]
    assert left.min() == pytest.approx(limits[0], abs=2e-4)
    assert left.max() == pytest.approx(limits[1], abs=2e-4)
    # the coupler turns by whole turns, the rockers come back
    one = np.argmin(np.abs(turned(result, "B") - 2 * math.pi))
    assert left[one] == pytest.approx(left[0], abs=5e-3)


def test_the_quick_return_takes_a_third_of_the_turn():
    """The lever's pin stands half a crank below: 240 and 120 degrees of the crank; the ram by the
    angle of the pin seen from the lever's pin, and Pythagoras.
    """
    result, r, offset, arm, rod = run("whitworth_quick_return"), 0.10, 0.05, 0.11, 0.30
    angle = 100 * DEG + value(result, "omega") * result.time
    pin = r * np.exp(1j * angle) + 1j * offset
    lever = pin / np.abs(pin)
    end = -arm * lever
    ram = end.real - np.sqrt(rod**2 - end.imag**2)
    assert flat(result, "ram").real == pytest.approx(ram, abs=1e-10)
    left, right = -rod - arm, -rod + arm
    assert flat(result, "ram").real.min() == pytest.approx(left, abs=2e-5)
    assert flat(result, "ram").real.max() == pytest.approx(right, abs=2e-5)
    # it stands still at 210 and 330 degrees, and goes back on the short way between
    for degrees, where in ((210, right), (330, left)):
        assert ram[np.argmin(np.abs(angle - degrees * DEG))] == pytest.approx(where, abs=2e-5)


def test_the_yoke_is_an_exact_sine():
    result = run("scotch_yoke")
    r, omega = value(result, "r"), value(result, "omega")
    angle = 60 * DEG + omega * result.time
    assert flat(result, "yoke").real == pytest.approx(r * np.cos(angle), abs=1e-10)
    speed = result.velocities[:, result.body_index("yoke"), 0]
    assert speed == pytest.approx(-r * omega * np.sin(angle), abs=1e-9)


def test_the_toggle_press_nears_its_end_quadratically():
    """The ram stands 2 L cos(alpha) below the upper pin, its speed is -2 L sin(alpha) alpha'."""
    result, arm = run("toggle_press"), 0.16
    omega, t = value(result, "omega"), result.time
    alpha = 30 * DEG - 14 * DEG * (1 - np.cos(omega * t))
    assert flat(result, "ram").imag == pytest.approx(0.42 - 2 * arm * np.cos(alpha), abs=1e-10)
    rate = -14 * DEG * omega * np.sin(omega * t)
    speed = result.velocities[:, result.body_index("ram"), 2]
    assert speed == pytest.approx(2 * arm * np.sin(alpha) * rate, abs=1e-9)
    last = 2 * arm * (1 - math.cos(DEG))
    assert last == pytest.approx(0.001 / 20, rel=0.03)
    assert "a twentieth of a millimetre" in result.project.lesson.text


def test_the_scissor_lift_rises_three_times():
    """z = 3 L sin(theta), x = L cos(theta); speed of the platform 3 v / tan(theta)."""
    result, arm = run("scissor_lift"), 0.30
    x = arm * math.cos(22 * DEG) - value(result, "v") * result.time
    theta = np.arccos(x / arm)
    assert flat(result, "platform").imag - 0.045 == pytest.approx(
        3 * arm * np.sin(theta), abs=1e-10
    )
    assert np.ptp(flat(result, "platform").real) < 1e-10
    speed = result.velocities[:, result.body_index("platform"), 2]
    assert speed == pytest.approx(3 * value(result, "v") / np.tan(theta), abs=1e-9)


def test_the_pantograph_copies_three_times():
    result = run("pantograph")
    tracer = flat(result, "tracer_arm", "T") - 0.12j
    pencil = flat(result, "pencil_arm", "P") - 0.12j
    assert pencil == pytest.approx(3 * tracer, abs=1e-10) and np.ptp(tracer.real) > 0.02


def test_jansens_foot_walks_by_circles():
    """Eleven lengths (Jansen 2007) and five pairs of circles; the foot is level to 3 mm over a
    third of the turn and lifts by more than a fifth of its step.
    """
    result, u = run("jansen_leg"), 0.004
    b, c, d, e, f, g, h, i, j, k = (
        u * n for n in (41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9)
    )
    x = 15.0 * u * np.exp(1j * (90 * DEG + value(result, "omega") * result.time))
    frame = np.full(len(x), u * complex(-38.0, -7.8))
    top, knee = meet(frame, b, x, j), meet(x, k, frame, c)
    back = meet(frame, d, top, e)
    hip = meet(knee, g, back, f)
    foot = meet(hip, h, knee, i)
    foot = np.where(foot.imag < knee.imag, foot, meet(knee, i, hip, h))
    walked = flat(result, "leg", "F") - 0.392j
    assert walked == pytest.approx(foot, abs=1e-9)
    step, low = np.ptp(walked.real), walked.imag.min()
    assert np.mean(walked.imag < low + 0.003) > 1 / 3
    assert np.ptp(walked.imag) > 0.2 * step
    # the round end of the foot, 10 mm about its point, comes down to the plate of 14 mm
    gap = low + 0.392 - 0.010 - 0.014
    assert 0 < gap < 0.001


def test_the_lever_of_the_six_bar_dwells():
    """It points from its pin at the end of Hoeken's coupler, whose line passes through the pin."""
    result = run("dwell_six_bar")
    angle = math.pi + value(result, "omega") * result.time
    b = np.exp(1j * angle)
    p = 2 * meet(b, 2.5, 2, 2.5) - b
    lever = np.angle(-(p - (6.5 + 4j)))
    assert turned(result, "O") == pytest.approx(lever - lever[0], abs=1e-9)
    still = np.cos(angle) < 0
    assert np.abs(lever[still]).max() < 0.25 * DEG and np.abs(lever).max() > 10 * DEG


def test_bennetts_half_angles_keep_their_product():
    """tan(theta / 2) tan(phi / 2) = cos((beta + alpha) / 2) / cos((beta - alpha) / 2), where
    sin(beta) = -b sin(alpha) / a (Bennett 1903; here with axes in one sense).
    """
    result = run("bennett_linkage")
    alpha = 40 * DEG
    beta = -math.asin(0.3 * math.sin(alpha) / 0.2)
    ratio = math.cos(0.5 * (beta + alpha)) / math.cos(0.5 * (beta - alpha))
    theta = 70 * DEG - turned(result, "A")
    phi = 2 * math.atan2(ratio, math.tan(35 * DEG)) + turned(result, "B")
    # without the poles of the tangent
    assert np.sin(theta / 2) * np.sin(phi / 2) == pytest.approx(
        ratio * np.cos(theta / 2) * np.cos(phi / 2), abs=1e-9
    )
    assert np.ptp(theta) > 2 * math.pi and np.ptp(phi) > 2 * math.pi


def test_sarrus_platform_goes_straight_up():
    """z = 2 L sin(theta), without any turn or way sideways."""
    result = run("sarrus_linkage")
    theta = 40 * DEG + 25 * DEG * np.sin(value(result, "omega") * result.time)
    at = result.poses[:, result.body_index("platform")]
    assert at[:, 2] - 0.04 == pytest.approx(2 * 0.16 * np.sin(theta), abs=1e-10)
    assert np.abs(at[:, :2]).max() < 1e-10 and np.abs(at[:, 4:]).max() < 1e-10
    assert turned(result, "foot_y") == pytest.approx(turned(result, "foot_x"), abs=1e-9)


def test_the_rod_of_the_spatial_four_bar_keeps_its_length():
    """|C(psi) - B(theta)| is constant: A sin psi + B cos psi = C, solved in closed form."""
    result, r, s = run("spatial_four_bar"), 0.09, 0.22
    theta = 60 * DEG + value(result, "omega") * result.time
    b = np.stack([r * np.cos(theta), 0 * theta, 0.2 + r * np.sin(theta)], axis=1)
    d = np.array([0.0, 0.26, 0.10])
    first = d + s * np.array([0.0, math.cos(80 * DEG), math.sin(80 * DEG)])
    length = np.linalg.norm(first - b[0])
    w = d - b
    rest = (length**2 - s**2 - (w**2).sum(axis=1)) / (2 * s)
    psi = np.arctan2(w[:, 2], w[:, 1]) - np.arccos(rest / np.hypot(w[:, 1], w[:, 2]))
    other = np.arctan2(w[:, 2], w[:, 1]) + np.arccos(rest / np.hypot(w[:, 1], w[:, 2]))
    psi = psi if abs((psi[0] - 80 * DEG + math.pi) % (2 * math.pi) - math.pi) < 1e-6 else other
    assert turned(result, "D") == pytest.approx(np.unwrap(psi) - psi[0], abs=1e-9)
    # its limits: the crank's end is nearest to and furthest from the rocker's plane position
    assert np.ptp(psi) > 10 * DEG


def test_the_wheels_camber_follows_from_two_circles():
    result = run("double_wishbone")
    low_in, high_in = 0.10 + 0.20j, 0.16 + 0.40j
    angle = -4 * DEG + 8 * DEG * np.sin(value(result, "omega") * result.time)
    low = low_in + 0.30 * np.exp(1j * angle)
    high = meet(low, 0.22, high_in, 0.20)
    other = meet(high_in, 0.20, low, 0.22)
    high = high if high[0].real > other[0].real else other
    camber = np.angle((high - low) / (high[0] - low[0]))
    q = result.poses[:, result.body_index("wheel"), 3:]
    assert 2 * np.arctan2(q[:, 1], q[:, 0]) == pytest.approx(camber, abs=2e-3)
    travel = low.imag - low.imag[0]
    up = np.argmax(travel)
    assert travel[up] > 0.035 and camber[up] > 0.8 * DEG, "the top leans inwards"
