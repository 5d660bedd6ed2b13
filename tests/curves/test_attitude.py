"""Angles of bodies against closed forms: composed turns, fast spins, gimbal poses, and the camber
of a wheel against a four-bar in the plane.
"""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.plots.series import recorded, value_now
from mechstudio.application.resources import sample_folder
from mechstudio.curves.attitude.angles import ANGLES, attitude_values
from mechstudio.curves.evaluation import Run, course
from mechstudio.curves.quantities import find, matching, quantity
from mechstudio.files.project_file import load
from mechstudio.model.geometry.rotation import from_angles, rotate
from mechstudio.model.results.sample import sample_layout

TURN = 2 * math.pi


def free_body():
    b = ms.Builder()
    b.body("top", at=(0, 0, 1)).box("100 mm", "60 mm", "40 mm")
    return b.project()


def samples(project, t, psi, theta, phi):
    """Samples of a body with attitudes Rz(psi) Ry(theta) Rx(phi) and the spins that belong to them:
    each argument a function of t that gives an angle and its rate.
    """
    layout = sample_layout(project.mechanism)
    rows = np.zeros((len(t), layout.width))
    (p, dp), (h, dh), (f, df) = psi, theta, phi
    rows[:, 0] = t
    rows[:, layout.pose("top")][:, 3:] = [from_angles(*each) for each in zip(p, h, f, strict=True)]
    at = layout.velocities.start
    rows[:, at + 3] = df - dp * np.sin(h)
    rows[:, at + 4] = dh * np.cos(f) + dp * np.cos(h) * np.sin(f)
    rows[:, at + 5] = -dh * np.sin(f) + dp * np.cos(h) * np.cos(f)
    return layout, rows


def values(layout, rows):
    return {name: attitude_values(f"top/{name}", layout, rows) for name in ANGLES}


def steady(t, start, rate):
    return start + rate * t, np.full(len(t), rate)


def test_composed_turns_count_on():
    """Yaw by three turns and roll back by two, under a pitch that swings."""
    t = np.linspace(0.0, 1.0, 201)
    psi, phi = steady(t, 0.3, 3 * TURN), steady(t, -0.4, -2 * TURN)
    theta = (1.2 * np.sin(4 * t), 4.8 * np.cos(4 * t))
    layout, rows = samples(free_body(), t, psi, theta, phi)
    found = values(layout, rows)
    assert np.allclose(found["yaw"], psi[0], rtol=0, atol=1e-12)
    assert np.allclose(found["pitch"], theta[0], rtol=0, atol=1e-12)
    assert np.allclose(found["roll"], phi[0], rtol=0, atol=1e-12)
    # the world's z component of each body axis is the sine of its inclination
    q = rows[:, layout.pose("top")][:, 3:].tolist()
    for axis, v in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
        up = [rotate(tuple(each), v)[2] for each in q]
        assert np.allclose(np.sin(found[f"up_{axis}"]), up, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("turn", "positive", "still"),
    [
        ("psi", ("yaw", "x_xy", "y_xy"), ("pitch", "roll", "up_x", "up_y", "z_xz", "z_yz")),
        ("phi", ("roll", "y_yz", "z_yz"), ("yaw", "pitch", "up_x", "x_xy", "x_xz")),
        ("theta", ("pitch",), ("y_xy", "y_yz", "up_y")),
    ],
)
def test_a_turn_about_one_axis_reads_itself(turn, positive, still):
    """An angle in a plane is positive about Z and X; about Y it is positive about −Y, as a pin that
    is drawn in the front plane.
    """
    t = np.linspace(0.0, 1.0, 101)
    law = {name: steady(t, 0.0, 0.0) for name in ("psi", "theta", "phi")}
    law[turn] = (0.8 * np.sin(3 * t), 2.4 * np.cos(3 * t))
    found = values(*samples(free_body(), t, **law))
    for name in positive:
        assert np.allclose(found[name], law[turn][0], rtol=0, atol=1e-14), name
    for name in still:
        assert np.allclose(found[name], 0.0, rtol=0, atol=1e-14), name
    if turn == "theta":
        for name in ("x_xz", "z_xz"):
            assert np.allclose(found[name], -law[turn][0], rtol=0, atol=1e-14), name


@pytest.mark.parametrize("turns", [0.7, 1.7, 6.3])
def test_turns_between_samples_follow_from_the_spin(turns):
    """A spin of more than half a turn between samples, about an axis that leans by 60 deg: its
    projections run unevenly, and each makes one turn for one of the body.
    """
    t = np.linspace(0.0, 1.0, 21)
    law = steady(t, 0.0, turns * TURN * 20)
    layout, rows = samples(free_body(), t, steady(t, 0.2, 0.0), steady(t, 1.0, 0.0), law)
    found = values(layout, rows)
    assert np.allclose(found["roll"], law[0], rtol=1e-12)
    leaning = np.arctan2(np.sin(law[0]), np.cos(law[0]) * math.cos(1.0))
    assert np.abs(found["z_yz"] - found["z_yz"][0] - law[0]).max() < math.pi
    seen = values(*samples(free_body(), t, steady(t, 0.0, 0.0), steady(t, 1.0, 0.0), law))["z_yz"]
    assert np.allclose(np.sin(seen), np.sin(leaning)) and np.allclose(np.cos(seen), np.cos(leaning))


def test_a_gimbal_pose_is_a_gap_and_inclinations_go_through():
    """A pitch through 90 deg, without a sample and with a sample on the pose itself."""
    for t in (np.linspace(0.0, 1.0, 200), np.linspace(0.0, 1.0, 201)):
        nothing = steady(t, 0.0, 0.0)
        found = values(*samples(free_body(), t, nothing, steady(t, 0.0, math.pi), nothing))
        half = len(t) // 2
        for name in ("yaw", "roll", "x_xy"):
            gap = np.isnan(found[name])
            assert gap.sum() == 1 and gap[half], name
            assert np.allclose(found[name][:half], 0.0, atol=1e-12)
            assert np.allclose(found[name][half + 1 :], math.pi, atol=1e-12)
        assert np.allclose(found["x_xz"], -math.pi * t, atol=1e-12)
        assert np.allclose(found["up_x"], -np.arcsin(np.sin(math.pi * t)), atol=1e-7)


def test_a_turn_that_the_spins_do_not_explain_is_a_gap():
    """Samples without their spins: half a turn and more between two of them is not reported."""
    t = np.linspace(0.0, 1.0, 11)
    layout, rows = samples(
        free_body(), t, steady(t, 0.0, 0.7 * TURN * 10), steady(t, 0.0, 0.0), steady(t, 0.0, 0.0)
    )
    rows[:, layout.velocities] = 0.0
    found = values(layout, rows)["yaw"]
    assert np.isfinite(found[0]) and np.isnan(found[1:]).all()


def test_a_sample_without_numbers_is_a_gap():
    t = np.linspace(0.0, 1.0, 11)
    nothing = steady(t, 0.0, 0.0)
    layout, rows = samples(free_body(), t, steady(t, 0.1, 1.0), nothing, nothing)
    rows[4, 1:] = np.nan
    for name, found in values(layout, rows).items():
        assert np.flatnonzero(np.isnan(found)).tolist() == [4], name
    assert np.allclose(np.delete(values(layout, rows)["yaw"] - t, 4), 0.1)


def test_coarse_samples_of_a_tumble_count_as_fine_ones_or_not_at_all():
    """A body that tumbles by up to 1.4 rad between coarse samples, past many gimbal poses: every
    change that the coarse samples tell is that of samples forty times as close.
    """
    t = np.linspace(0.0, 4.0, 12001)
    wave = lambda a, b, c: (a * np.sin(b * t + c), a * b * np.cos(b * t + c))
    layout, rows = samples(free_body(), t, wave(9, 6, 0.1), wave(5, 8, 1.0), wave(7, 7, 2.0))
    for name, angle in ANGLES.items():
        if not angle.counted:
            continue
        fine = np.diff(attitude_values(f"top/{name}", layout, rows)[::40])
        coarse = np.diff(attitude_values(f"top/{name}", layout, rows[::40]))
        reported = np.isfinite(fine) & np.isfinite(coarse)
        assert reported.sum() > 150, name
        assert np.allclose(coarse[reported], fine[reported], atol=1e-6), name


def test_no_sample_and_one_sample():
    project = free_body()
    one = np.array([0.0])
    layout, rows = samples(project, one, *(steady(one, 0.5, 0.0) for _ in range(3)))
    for column in ANGLES:
        assert len(attitude_values(f"top/{column}", layout, rows[:0])) == 0
        assert np.isfinite(attitude_values(f"top/{column}", layout, rows)).all()
    assert attitude_values("none/yaw", layout, rows) is None
    assert attitude_values("top/none", layout, rows) is None
    assert quantity(project, "attitude/none/yaw") is None


def meet(p, r, q, s):
    """The crossing of two circles in the plane that lies to the right of p → q."""
    d = q - p
    a = (abs(d) ** 2 + r**2 - s**2) / (2 * abs(d))
    return p + d / abs(d) * (a - 1j * math.sqrt(r**2 - a**2))


@pytest.mark.parametrize(("side", "sign"), [(-1, 1), (1, -1)], ids=["right", "left"])
def test_signs_of_a_wheel_are_those_of_the_manual(side, sign):
    """x forwards, y to the left: the top of a wheel leans outwards by 3 deg, its front inwards by
    1 deg, and its kingpin's top back by 5 deg (camber, toe-in and caster of ISO 8855).
    """
    one, nothing = np.array([0.0]), steady(np.array([0.0]), 0.0, 0.0)
    lean = math.radians(3) * -side  # about x: a positive turn takes the top to −y
    found = values(*samples(free_body(), one, nothing, nothing, steady(one, lean, 0.0)))
    assert math.copysign(1, rotate(from_angles(0.0, 0.0, lean), (0, 0, 1))[1]) == side
    assert found["up_y"][0] == pytest.approx(sign * math.radians(3))
    turned = math.radians(1) * -side  # about z: a positive turn takes the front to +y
    found = values(*samples(free_body(), one, steady(one, turned, 0.0), nothing, nothing))
    assert math.copysign(1, rotate(from_angles(turned, 0.0, 0.0), (1, 0, 0))[1]) == -side
    assert found["y_xy"][0] == pytest.approx(sign * math.radians(1))
    back = math.radians(-5)
    found = values(*samples(free_body(), one, nothing, steady(one, back, 0.0), nothing))
    assert rotate(from_angles(0.0, back, 0.0), (0, 0, 1))[0] < 0
    assert found["z_xz"][0] == pytest.approx(math.radians(5))


def test_lean_of_a_double_wishbone_is_that_of_a_four_bar_in_the_plane():
    """Seen from behind the wheel is the coupler of a four-bar: arms of 300 and 200 mm, and 220 mm
    between their balls.  The track rod lies as the lower arm does and holds the heading.
    """
    result = ms.simulate(
        load(sample_folder() / "double_wishbone.mech").project, duration=2.0, sample_step=0.05
    )
    names = [
        "lower arm hinge angle",
        "Inclination of wheel: y axis",
        "Angle of wheel: z axis in YZ",
        "Angle of wheel: x axis in XY",
        "Rate of Angle of wheel: z axis in YZ",
    ]
    arm, inclination, front, toe, rate = (c.values for c in result.courses(*names))
    low_in, high_in, start = 0.10 + 0.20j, 0.16 + 0.40j, -4 * math.pi / 180
    lean = []
    for angle in start + arm - arm[0]:
        low = low_in + 0.30 * np.exp(1j * angle)
        lean.append(np.angle(meet(low, 0.22, high_in, 0.20) - low))
    lean = np.array(lean) - lean[0]
    assert np.ptp(np.degrees(lean)) > 1.0
    assert np.allclose(inclination, lean, rtol=0, atol=1e-8)
    assert np.allclose(front, lean, rtol=0, atol=1e-8) and np.abs(toe).max() < 1e-8
    spin = result.courses("Angular velocity of wheel: x")[0].values
    assert np.allclose(rate[2:-2], spin[2:-2], rtol=0, atol=1e-3 * np.abs(spin).max())


class Recording:
    """A recording under way, as curves read it."""

    def __init__(self, project, layout, rows):
        self.project, self.layout, self._rows, self.count = project, layout, rows, 0
        self.loads = ()

    @property
    def rows(self):
        return self._rows[: self.count]

    @property
    def time(self):
        return self.rows[:, 0]


def test_a_run_under_way_counts_over_what_was_read_before():
    """Plots read a run piece by piece, and a list of quantities one sample: both count on."""
    t = np.linspace(0.0, 1.0, 101)
    project, nothing = free_body(), steady(t, 0.0, 0.0)
    layout, rows = samples(project, t, steady(t, 0.0, 2 * TURN), nothing, nothing)
    run, key = Recording(project, layout, rows), "attitude/top/yaw"
    for run.count in (0, 1, 40, 41, 101):
        found = recorded(run, key)
        assert np.allclose(found.values, 2 * TURN * run.time, atol=1e-12)
    assert value_now(run, rows[80], key) == pytest.approx(1.6 * TURN)
    whole = course(find(project, "Yaw of top"), Run(project, layout, rows))
    assert np.array_equal(recorded(run, key).values, whole.values)


def test_angles_are_found_by_the_words_of_their_users():
    project = load(sample_folder() / "double_wishbone.mech").project
    for words, name in (
        ("camber wheel", "Inclination of wheel: y axis"),
        ("toe wheel", "Angle of wheel: x axis in XY"),
        ("caster wheel", "Angle of wheel: z axis in XZ"),
        ("euler wheel", "Roll of wheel"),
    ):
        assert name in [q.name for q in matching(project, words)]
