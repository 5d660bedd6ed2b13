"""Every sample against a closed form, an independent integration or the laws of mechanics written
out.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.integrate
import scipy.special

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.model.contact import MOST_OVERLAP
from mechstudio.model.laws import evaluation
from mechstudio.model.mass_properties import mass_properties
from tests.samples.runs import attitudes, load, run, value

ROOT = Path(__file__).parents[2]


def test_andrews_squeezer_follows_the_reference():
    """tests/reference/andrews.json: an independent integration in one coordinate, loops closed by
    Newton; the points F and E in the problem's plane.
    """
    known = json.loads((ROOT / "tests" / "reference" / "andrews.json").read_text())
    result = run("andrews_squeezer", tolerance=1e-11)
    at = [round(t / 1e-4) for t in known["t"]]
    assert result.time[at] == pytest.approx(known["t"], abs=1e-12)
    m = result.project.mechanism
    for k, (joint, body) in enumerate((("F", "K1"), ("E", "K2"))):
        frame = m.joints[joint].frame_a
        path = result.position(body, m.frame_in_body(frame)[0])[at]
        truth = (
            np.array(known["points"])[:, k]
            if np.array(known["points"]).shape[1] == 2
            else np.array(known["points"])[k]
        )
        assert (
            np.abs(path[:, 0] - truth[:, 0]).max() < 1e-8
            and np.abs(path[:, 2] - 0.034 - truth[:, 1]).max() < 1e-8
        )


def test_andrews_squeezer_meets_the_published_angle():
    """IVP test set (Mazzia and Magherini 2008): beta = 15.81077119 at t = 0.03, from the start
    -0.0617138900142764498.
    """
    result = run("andrews_squeezer", tolerance=1e-11)
    turn = result.joint_coordinates["O"][:, 0]
    assert turn[300] - turn[0] == pytest.approx(15.810771 + 0.0617138900142764498, abs=2e-6)


def test_cranks_of_the_parallelogram_stay_parallel():
    result = run("parallelogram_five_bars")
    a, b, c = (result.joint_coordinates[k][:, 0] for k in "ABC")
    assert (
        np.ptp(a) > 4 * math.pi
        and b == pytest.approx(a, abs=1e-9)
        and c == pytest.approx(a, abs=1e-9)
    )


def test_bead_keeps_to_its_circle_and_its_energy():
    """v^2 = v_0^2 + 2 g (z_0 - z), on the circle to rounding."""
    result = run("bead_on_circle")
    p, v = result.poses[:, 0, :3], result.velocities[:, 0, :3]
    assert np.abs(np.hypot(p[:, 0], p[:, 2] - 0.34) - 0.24).max() < 1e-14
    assert (v**2).sum(axis=1) == pytest.approx(0.4**2 + 2 * 9.81 * (p[0, 2] - p[:, 2]), abs=1e-8)
    assert np.ptp(p[:, 2]) > 0.47, "once round at least"


def test_the_wire_pushes_the_bead_as_the_circle_demands():
    """Outwards N = m (g z - v^2) / R."""
    span = {"duration": 3.0, "sample_step": 0.02}
    table = ms.analyse(load("bead_on_circle"), "reactions", axes="world", **span)
    result, rows = run("bead_on_circle", **span), np.array(table.rows)
    up = result.poses[:, 0, :3] - (0.0, 0.0, 0.34)
    v2 = (result.velocities[:, 0, :3] ** 2).sum(axis=1)
    known = 0.5 * (9.81 * up[:, 2] - v2) / 0.24
    assert (rows[:, 1:4] * up).sum(axis=1) / 0.24 == pytest.approx(known, abs=1e-12)
    assert known.max() > 4.0 and known.min() < -20.0, "pushed both ways"


def test_beads_on_fillets_and_on_an_ellipse_keep_their_speeds_and_times():
    result = run("fillets_and_ellipse", duration=2.0, sample_step=0.01)
    z, v = result.poses[:, :, 2] - 0.08, result.velocities[:, :, :3]
    # also where a bead comes back over the end of the fillet that it has passed last
    assert (v**2).sum(axis=2) == pytest.approx(2 * 9.81 * (0.4 - z), abs=2e-8)
    x, y = result.poses[:, 1, 0] / 0.5, (z[:, 1] - 0.4) / 0.4
    assert np.abs(x**2 + y**2 - 1).max() < 1e-14
    # down the wall to the fillet, through it, and along the floor
    radius, fast = 0.15, math.sqrt(2 * 9.81 * 0.4)
    fall = math.sqrt(2 * (0.4 - radius) / 9.81)
    through, _ = scipy.integrate.quad(
        lambda turn: radius / math.sqrt(2 * 9.81 * (0.4 - radius + radius * math.sin(turn))),
        0,
        math.pi / 2,
    )
    middle = fall + through + (0.5 - radius) / fast
    place = np.interp(middle, result.time, result.poses[:, 0, 0])
    assert abs(place) < 1e-8, "on the floor its speed is constant"


def test_a_roller_lifts_by_the_size_of_the_cam_alone():
    """From the middle of a side to that of a corner, whatever the roller; the knife edge by the
    same, half a period later.  On a corner the centre of each is on a circle about the corner's.
    """
    corner, rounding, roller, omega = 0.04, 0.03, 0.02, 4.0
    result = run("roller_and_knife_edge")
    t = result.time
    rise = {}
    for name, radius, start in (
        ("follower_with_a_roller", rounding + roller, math.pi / 3),
        ("follower_with_an_edge", rounding, 0.0),
    ):
        z = np.abs(result.poses[:, result.body_index(name), 2] - 0.22)
        a = np.mod(omega * t + start + math.pi / 3, 2 * math.pi / 3) - math.pi / 3
        round_ = corner * np.cos(a) + np.sqrt(
            np.maximum(radius**2 - (corner * np.sin(a)) ** 2, 0.0)
        )
        # the straight sides lie at the distance of the corners' tangents
        flat = (corner / 2 + radius) / np.cos(math.pi / 3 - np.abs(a))
        on_corner = np.abs(np.arcsin(np.clip(corner * np.sin(a) / radius, -1, 1))) + np.abs(a)
        known = np.where(on_corner < math.pi / 3, round_, flat)
        assert z == pytest.approx(known, abs=1e-8)
        rise[name] = np.ptp(z)
    assert rise["follower_with_a_roller"] == pytest.approx(corner / 2, abs=1e-4)
    assert rise["follower_with_an_edge"] == pytest.approx(corner / 2, abs=1e-4)


def test_gears_turn_by_their_teeth():
    result = run("gear_train")
    a, b, c, d = (
        result.joint_coordinates[k][:, 0] - result.joint_coordinates[k][0, 0] for k in "ABCD"
    )
    # the drive: a ramp over 2 s to 45 rpm, then 6 s of it
    assert a[-1] == pytest.approx(7 * 1.5 * math.pi, rel=1e-9)
    assert (
        b == pytest.approx(-a * 14 / 28, abs=1e-9)
        and c == pytest.approx(a * 14 / 18, abs=1e-9)
        and d == pytest.approx(-a * 14 / 36, abs=1e-9)
    )


def test_differential_shares_the_speed():
    result = run("differential")
    wx = {
        name: result.velocities[:, result.body_index(name), 3]
        for name in ("left", "carrier", "right")
    }
    wy = result.velocities[:, result.body_index("shaft"), 4]
    assert wx["left"] + wx["right"] == pytest.approx(2 * wx["carrier"], abs=1e-9) and wx[
        "carrier"
    ] == pytest.approx(wy / 3, abs=1e-9)
    early, late = np.searchsorted(result.time, 2.9), -1
    assert wx["left"][early] == pytest.approx(wx["right"][early], rel=1e-6), "straight on"
    assert abs(wx["right"][late]) < 0.3 and wx["left"][late] == pytest.approx(
        2 * wx["carrier"][late], rel=0.02
    ), "the right wheel stands"


def test_screw_jack_against_its_closed_form():
    """(I + m h^2) q'' = T - m g h - c q', h = p / 2 pi, m of screw and load together: q' = w (1 -
    exp(-t / s)), s = (I + m h^2) / c, w = (T - m g h) / c.
    """
    result = run("screw_jack")
    screw = mass_properties(result.project.mechanism.bodies["screw"])
    h, c = value(result, "p") / (2 * math.pi), value(result, "c")
    m = screw.mass + value(result, "M")
    # about the axis: the handle's ball stands off it
    x, y, _ = screw.center
    inertia = screw.inertia[2][2] + screw.mass * (x * x + y * y)
    w, s = (value(result, "T") - m * 9.81 * h) / c, (inertia + m * h * h) / c
    truth = w * (result.time - s * (1 - np.exp(-result.time / s)))
    assert abs(truth[-1]) > 2 * math.pi
    assert result.joint_coordinates["nut"][:, 0] == pytest.approx(truth, abs=1e-6)
    assert result.joint_coordinates["guide"][:, 0] == pytest.approx(h * truth, abs=1e-7)


def test_rolling_disc_obeys_newton_and_euler():
    """m a = F + m g, d(H)/dt = (contact - centre) x F with H about the centre, by differences of
    the recorded motion; the point of contact is at rest.
    """
    result = run("rolling_disc", duration=1.5, sample_step=1e-3, tolerance=1e-12)
    solid = mass_properties(result.project.mechanism.bodies["disc"])
    R, r = attitudes(result, "disc"), 0.15
    v, w = result.velocities[:, 0, :3], np.einsum("nij,nj->ni", R, result.velocities[:, 0, 3:])
    axis = R[:, :, 2]
    # down the steepest line of the disc's plane
    down = -np.array([0, 0, 1.0]) + axis[:, 2:] * axis
    arm = r * down / np.linalg.norm(down, axis=1)[:, None]
    assert np.abs(v + np.cross(w, arm)).max() < 1e-9
    assert np.abs((result.poses[:, 0, :3] + arm)[:, 2]).max() < 1e-9
    H = np.einsum("nij,jk,nk->ni", R, np.array(solid.inertia), result.velocities[:, 0, 3:])
    force = solid.mass * (np.gradient(v, result.time, axis=0) + (0, 0, 9.81))
    balance = np.gradient(H, result.time, axis=0) - np.cross(arm, force)
    assert np.abs(balance[2:-2]).max() < 1e-4 * np.abs(np.cross(arm, force)).max()


def test_a_hoop_that_leans_rolls_in_a_circle_just_fast_enough():
    """Steady rolling of a hoop with inclination alpha on a circle rho: dH/dt = Omega x H about its
    centre is the moment of the contact's force, which carries the weight and pulls inwards; Omega^2
    = g cos(alpha) / (sin(alpha) (2 rho - 3/2 r cos(alpha))).  In one round it turns rho / r times.
    """
    result = run("bicycle_wheel")
    r, rho, alpha = 0.34, value(result, "rho"), math.radians(68)
    stays = 9.81 * math.cos(alpha) / (math.sin(alpha) * (2 * rho - 1.5 * r * math.cos(alpha)))
    rate = math.sqrt(stays)
    _, _, heading, lean, spin = result.joint_coordinates["floor"].T
    assert lean == pytest.approx(alpha, abs=1e-8)
    assert heading == pytest.approx(rate * result.time, abs=1e-7)
    assert spin == pytest.approx(-heading * rho / r, abs=1e-7)
    x, y, z = result.poses[:, 0, :3].T
    assert np.hypot(x, y) == pytest.approx(rho - r * math.cos(alpha), abs=1e-7)
    assert z == pytest.approx(r * math.sin(alpha), abs=1e-9)


def test_a_wrist_turns_its_tool_about_one_point():
    """R = Rz(first) Ry(middle) Rz(last); the tip does not depend on the last hinge, and where the
    middle angle is zero it stands above the point.
    """
    result = run("spherical_wrist")
    t = result.time
    first, middle, last = (value(result, n) * t for n in ("first", "middle", "last"))
    middle = middle - math.pi / 3
    tip, point = result.position("tool", "tip"), np.array([0, 0, 0.36])
    way = np.stack(
        [np.sin(middle) * np.cos(first), np.sin(middle) * np.sin(first), np.cos(middle)], axis=1
    )
    assert tip == pytest.approx(point + 0.18 * way, abs=1e-8)
    R = attitudes(result, "tool")
    turn = zyx(first, middle, 0 * t) @ zyx(last, 0 * t, 0 * t)
    assert pytest.approx(turn, abs=1e-8) == R
    assert result.joint_coordinates["middle hinge"][:, 0] == pytest.approx(middle, abs=1e-9)


def test_sleigh_turns_round_as_chaplygin_says():
    """v' = a w^2, (I + m a^2) w' = -m a v w: v = V tanh(a V t / k^2 + c), V^2 = v_0^2 + k^2 w_0^2,
    k^2 = (I + m a^2) / m (Neimark and Fufaev 1972, section III.4).
    """
    result = run("knife_edge_sleigh")
    body = result.project.mechanism.bodies["sleigh"]
    a, m, inertia = value(result, "a"), body.mass.value, body.inertia[2].value
    k2 = (inertia + m * a * a) / m
    v0, w0 = value(result, "v"), value(result, "w")
    V = math.sqrt(v0 * v0 + k2 * w0 * w0)
    truth = V * np.tanh(a * V / k2 * result.time + math.atanh(v0 / V))
    heading = result.joint_coordinates["blade"][:, 2]
    along = result.velocities[:, 0, 0] * np.cos(heading) + result.velocities[:, 0, 1] * np.sin(
        heading
    )
    assert along == pytest.approx(truth, abs=1e-7) and along[-1] > 0.39
    assert (
        np.abs(
            result.velocities[:, 0, 1] * np.cos(heading)
            - result.velocities[:, 0, 0] * np.sin(heading)
        ).max()
        < 1e-10
    )


def test_the_snakeboard_gains_bessels_share_in_each_period():
    """(v / cos(phi))' = -J_r sin(phi) psi'' / (M l) where J = M l^2 (Ostrowski, Burdick, Lewis &
    Murray 1995, in one unknown): over a period 2 pi b w J1(a) J_r / (M l).
    """
    result = run("snakeboard")
    a, b, w = (value(result, n) for n in ("a", "b", "w"))
    masses = {"board": 4.0, "rotor": 1.0, "wheels": 0.5}
    M, half, rotor = masses["board"] + masses["rotor"] + 2 * masses["wheels"], 0.2, 0.08
    assert 0.119 + rotor + 2 * (0.0005 + 0.5 * half**2) == pytest.approx(M * half**2)
    t, q = result.time, result.joint_coordinates["floor"]
    moved = result.velocities[:, result.body_index("board")]
    along = moved[:, 0] * np.cos(q[:, 2]) + moved[:, 1] * np.sin(q[:, 2])
    phi = a * np.sin(w * t)
    fine = np.linspace(0.0, t[-1], 20001)
    push = rotor / (M * half) * np.sin(a * np.sin(w * fine)) * b * w**2 * np.sin(w * fine)
    gained = scipy.integrate.cumulative_trapezoid(push, fine, initial=0.0)
    assert along / np.cos(phi) == pytest.approx(np.interp(t, fine, gained), abs=1e-6)
    # the wheels: heading' = v tan(phi) / l
    assert moved[:, 5] == pytest.approx(along * np.tan(phi) / half, abs=1e-7)
    period = 2 * math.pi / w
    share = 2 * math.pi * b * w * scipy.special.j1(a) * rotor / (M * half)
    for n in (1, 2, 3):
        assert np.interp(n * period, t, along / np.cos(phi)) == pytest.approx(n * share, abs=1e-5)
    assert q[-1, 0] > 2.0


def test_both_vacuum_cleaners_run_alike():
    """Heading' = r (right - left) / track, forward = r (right + left) / 2; one by a planar joint,
    one by three points on the floor.
    """
    result = run("robot_vacuum")
    one, two = (result.poses[:, result.body_index(name)] for name in ("planar", "points"))
    assert two[:, :3] == pytest.approx(one[:, :3] - (0, 1, 0), abs=1e-7) and two[
        :, 3:
    ] == pytest.approx(one[:, 3:], abs=1e-7)
    s, t = value(result, "s"), result.time
    heading = result.joint_coordinates["floor"][:, 2]
    assert heading - heading[0] == pytest.approx(
        0.035 / 0.31 * 2 * s / 1.3 * np.sin(1.3 * t), abs=1e-7
    )
    speed = 0.035 * value(result, "w")
    v = result.velocities[:, result.body_index("planar")]
    assert v[:, 0] == pytest.approx(speed * np.cos(heading), abs=1e-7) and v[:, 1] == pytest.approx(
        speed * np.sin(heading), abs=1e-7
    )


def test_two_cardan_joints_undo_each_other():
    """tan(middle) = cos(beta) tan(input), the input's fork at right angles to the shafts' plane at
    the start: w_middle = w cos(beta) / (1 - sin^2(beta) sin^2(input)).
    """
    result = run("universal_joint_pair")
    w = {
        name: result.velocities[:, result.body_index(name), 3]
        for name in ("input", "middle", "output")
    }
    angle, beta = result.joint_coordinates["input bearing"][:, 0], math.radians(30)
    assert w["input"] == pytest.approx(np.full(len(angle), 2 * math.pi), rel=1e-9)
    assert w["middle"] == pytest.approx(
        w["input"] * math.cos(beta) / (1 - (math.sin(beta) * np.sin(angle - angle[0])) ** 2),
        abs=1e-7,
    )
    assert w["output"] == pytest.approx(w["input"], abs=1e-7) and np.ptp(w["middle"]) > 1.8
    assert np.ptp(result.joint_coordinates["output bearing"][:, 0]) < 1e-9, "nothing slides"


def test_follower_stands_where_the_law_says():
    result = run("cam_profile")
    law = result.project.mechanism.couplings["lift"].law
    turn, lift = (result.joint_coordinates[name][:, 0] for name in ("shaft", "guide"))
    truth = np.array([evaluation.jet(law, a)[0] for a in turn])
    assert lift - lift[0] == pytest.approx(truth - truth[0], abs=1e-10) and np.ptp(
        lift
    ) == pytest.approx(0.045, abs=1e-6)
    assert turn[-1] - turn[0] == pytest.approx(10 * math.pi, rel=1e-9)


def test_axes_of_the_arm_go_from_rest_to_rest():
    """end (10 s^3 - 15 s^4 + 6 s^5), s = (t - begin) / T."""
    result = run("six_axis_arm")
    ends = [
        value(result, "q_1"),
        value(result, "q_2"),
        value(result, "q_3"),
        math.radians(120),
        math.radians(-70),
        math.pi,
    ]
    for k, end in enumerate(ends):
        q = result.joint_coordinates[f"axis {k + 1}"][:, 0]
        s = np.clip((result.time - 0.4 * k) / value(result, "T"), 0, 1)
        assert q - q[0] == pytest.approx(end * (10 * s**3 - 15 * s**4 + 6 * s**5), abs=1e-9)


def test_legs_of_the_platform_are_as_long_as_their_drives_say():
    """The distance of foot and head, from the platform's pose alone, against s (sin(2 pi f t + k 60
    deg) - sin(k 60 deg)).
    """
    result = run("stewart_platform")
    m = result.project.mechanism
    for k in range(6):
        foot = m.frame_in_world(m.joints[f"foot_{k + 1}"].frame_a)[0]
        head = result.position("platform", m.frame_in_body(m.joints[f"head_{k + 1}"].frame_b)[0])
        length = np.linalg.norm(head - foot, axis=1)
        phase = math.radians(60 * k)
        assert length - length[0] == pytest.approx(
            0.05 * (np.sin(2 * math.pi * 0.4 * result.time + phase) - math.sin(phase)), abs=1e-9
        )


def test_gimbal_passes_its_lock():
    """R = Rz(yaw t) Ry(pitch t) Rx(roll t), through pitch = 90 degrees at t = pi; the angles read
    off the rotor make the same R wherever they stand.
    """
    result = run("gimbal_lock")
    t, R = result.time, attitudes(result, "rotor")
    yaw, pitch, roll = (value(result, n) * t for n in ("yaw", "pitch", "roll"))
    assert pitch[-1] > math.pi / 2 + 1
    assert pytest.approx(zyx(yaw, pitch, roll), abs=1e-8) == R
    psi, theta, phi = result.joint_coordinates["attitude"][:, 3:].T
    assert zyx(psi, theta, phi) == pytest.approx(R, abs=1e-6)
    # before the lock the angles are the rings'
    before = t < 3.0
    assert psi[before] == pytest.approx(yaw[before], abs=1e-7) and phi[before] == pytest.approx(
        roll[before], abs=1e-7
    )


def zyx(psi, theta, phi):
    """Rz(psi) Ry(theta) Rx(phi), one per sample."""
    c, s = np.cos, np.sin
    return np.array(
        [
            [
                c(psi) * c(theta),
                c(psi) * s(theta) * s(phi) - s(psi) * c(phi),
                c(psi) * s(theta) * c(phi) + s(psi) * s(phi),
            ],
            [
                s(psi) * c(theta),
                s(psi) * s(theta) * s(phi) + c(psi) * c(phi),
                s(psi) * s(theta) * c(phi) - c(psi) * s(phi),
            ],
            [-s(theta), c(theta) * s(phi), c(theta) * c(phi)],
        ]
    ).transpose(2, 0, 1)


@pytest.mark.parametrize(
    "name",
    [
        p.stem
        for p in sorted((ROOT / "samples").glob("*.mech"))
        if project_file.load(p).project.mechanism.contacts.enabled
    ],
)
def test_samples_with_contacts_end_without_a_warning(name):
    """Every step solved, nothing sunk in beyond 1e-4 of a body, energy kept to 1e-3."""
    reported = run(name).statistics
    assert (
        reported["unsolved"] == 0
        and reported["overlap_share"] <= MOST_OVERLAP
        and reported["energy_error"] < 1e-3
    )
