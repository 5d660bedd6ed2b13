"""Motion of exported samples in MuJoCo itself, against ours."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mechstudio as ms
from mechstudio.files.exchange.mjcf.writing import mjcf_text
from mechstudio.files.exchange.motion import Motion
from mechstudio.model.edits.elements import remove
from mechstudio.model.mass_properties import mass_properties

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco<4")

SAMPLES = Path(__file__).parents[3] / "samples"
STEP = 1e-4
TREES = (
    "cart_pole",
    "chain_of_masses",
    "double_pendulum",
    "dzhanibekov_nut",
    "elastic_pendulum",
    "gyroscope",
    "heavy_top",
    "spherical_pendulum",
    "trebuchet",
)
# seconds compared, and how late [s] MuJoCo may be.  A soft constraint takes energy (1e-7 of 20 J
# in a second of the four-bar), so that a crank that turns freely falls behind in time, while every
# body stays on its path: what is left is a tenth of the gap there
LOOPS = {
    "four_bar": (1.0, 5e-8),
    "slider_crank": (1.0, 0.0),
    "door_two_hinges": (1.0, 0.0),
    "parallelogram_five_bars": (1.0, 5e-9),
    "screw_jack": (1.0, 0.0),
    "atwood_machine": (1.0, 0.0),
    "rack_and_pinion": (1.0, 0.0),
    "andrews_squeezer": (0.03, 0.0),
}
GAPS = 3.0  # of a loop, by which bodies may be elsewhere
RESTING = ("bouncing_ball", "stack_of_boxes")  # the stack without the ball that scatters it
# samples whose motion MuJoCo does not show, each with what MJCF cannot hold
NOT_HELD = {
    "balanced_crank": "prescribed speed",
    "ball_mill": "prescribed speed",
    "baumgarte_regimes": "drift of a constraint, on purpose",
    "bead_on_circle": "point on a curve",
    "bead_two_ways": "point on a curve",
    "bennett_linkage": "prescribed speed",
    "box_on_incline": "sliding in the first second: friction is regularised",
    "bricard_ring": "prescribed law of time",
    "cam_and_follower": "prescribed speed",
    "cam_profile": "cam",
    "capstan_of_links": "prescribed speed",
    "change_point": "prescribed speed",
    "chebyshev_line": "prescribed law of time",
    "conveyors": "belts",
    "constraint_drift": "drift of a constraint, on purpose",
    "delta_robot": "prescribed law of time",
    "differential": "prescribed law of time",
    "dominoes": "impacts: no restitution, another friction",
    "double_rocker": "prescribed speed",
    "double_wishbone": "prescribed law of time",
    "drag_link": "prescribed speed",
    "dwell_six_bar": "prescribed speed",
    "fillets_and_ellipse": "points on curves",
    "flyball_governor": "prescribed law of time",
    "folding_chair": "prescribed law of time",
    "foucault_pendulum": "prescribed speed",
    "balls_in_pipes": "prescribed law of time",
    "gear_train": "prescribed law of time",
    "geneva_drive": "prescribed speed",
    "gimbal_lock": "prescribed speed",
    "spherical_wrist": "prescribed speed",
    "gripper": "prescribed law of time",
    "hoeken_line": "prescribed speed",
    "hyperstatic_cure": "prescribed speed",
    "jansen_leg": "prescribed speed",
    "kapitza_pendulum": "prescribed law of time",
    "klann_leg": "prescribed speed",
    "knife_edge_sleigh": "nonholonomic row",
    "newtons_cradle": "restitution",
    "order_and_step": "error of a coarse step, on purpose",
    "painleve_rod": "a tip that jams at once: friction is regularised",
    "pantograph": "prescribed law of time",
    "peaucellier_line": "prescribed law of time",
    "planetary_gear": "prescribed speed",
    "rattleback": "rolling of an ellipsoid: friction is regularised",
    "robot_vacuum": "rolling wheels",
    "superball": "restitution",
    "flat_faced_follower": "prescribed speed",
    "roller_and_knife_edge": "prescribed speed",
    "rolling_and_sliding_ball": "sliding: friction is regularised",
    "rolling_disc": "rolling disc",
    "bicycle_wheel": "rolling disc",
    "wall_climber": "adhesion",
    "sarrus_linkage": "prescribed law of time",
    "scissor_lift": "prescribed speed",
    "scotch_yoke": "prescribed speed",
    "scott_russell": "prescribed law of time",
    "shoe_brake": "sliding in the first second: friction is regularised",
    "six_axis_arm": "prescribed law of time",
    "sledge_on_a_slope": "nonholonomic row",
    "snakeboard": "nonholonomic row",
    "spatial_four_bar": "prescribed speed",
    "stewart_platform": "prescribed law of time",
    "stiff_spring": "frequency beyond the step of the comparison",
    "table_of_four_legs": "prescribed law of time",
    "tippe_top": "sliding: friction is regularised",
    "toggle_press": "prescribed law of time",
    "universal_joint_pair": "prescribed speed",
    "vibration_absorber": "a force by a law of time",
    "walking_linkage": "prescribed speed",
    "watt_line": "prescribed law of time",
    "watt_six_bar": "prescribed speed",
    "wedge": "sliding in the first second: friction is regularised",
    "whitworth_quick_return": "prescribed speed",
    "wilberforce_pendulum": "stiffness that couples a turn with a shift",
    "windscreen_wiper": "prescribed speed",
}


def exported(name, duration, sample_step=0.05):
    project = ms.load(SAMPLES / f"{name}.mech")
    run = ms.simulate(project, duration=duration, sample_step=sample_step, tolerance=1e-12)
    text, notes, _ = mjcf_text(project, Motion(run.time, run.poses, run.velocities))
    return project, run, text, notes


def simulated(text, project, times, step, solref=None):
    """Poses (times, bodies, 7) in MuJoCo and the largest gap of an equality constraint."""
    model = mujoco.MjModel.from_xml_string(text.decode())
    model.opt.timestep = step
    if solref is not None and model.neq:
        model.eq_solref[:, 0] = solref
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    ids = [model.body(b).id for b in project.mechanism.bodies]
    out, gap = [], 0.0
    start = times[0]
    for time in times:
        while data.time < time - 0.5 * step:
            before = data.time
            mujoco.mj_step(model, data)
            assert data.time > before, "MuJoCo began again: the model is unstable"
            gap = max(gap, np.abs(data.efc_pos[: data.ne]).max(initial=0.0))
        mujoco.mj_kinematics(model, data)
        out.append(np.concatenate([data.xpos[ids], data.xquat[ids]], axis=1))
    assert start == times[0]
    return np.array(out), gap


def arms(poses, run):
    """From the bodies' origins to their centres of mass (times, bodies, 3)."""
    at = np.array([mass_properties(b).center for b in run.project.mechanism.bodies.values()])
    R = Rotation.from_quat(poses[..., [4, 5, 6, 3]].reshape(-1, 4)).as_matrix()
    return (R.reshape(*poses.shape[:2], 3, 3) @ at[..., None])[..., 0], R


def away(poses, run):
    """From the bodies' origins and centres of mass here to those in MuJoCo (times, points, 3)."""
    points = [
        np.concatenate([p[..., :3], p[..., :3] + arms(p, run)[0]], axis=1)
        for p in (poses, run.poses)
    ]
    return points[0] - points[1]


def difference(poses, run):
    """Largest distance [m] of the bodies' origins and centres of mass."""
    return np.linalg.norm(away(poses, run), axis=-1).max()


def late(poses, run):
    """Time [s] by which MuJoCo is late at the end, and the largest distance [m] that is left where
    both motions are compared at the same place on their paths.
    """
    arm, R = arms(run.poses, run)
    v, own = run.velocities[..., :3], run.velocities[..., 3:]
    spin = (R.reshape(*own.shape[:2], 3, 3) @ own[..., None])[..., 0]
    speeds = np.concatenate([v, v + np.cross(spin, arm)], axis=1)
    d = away(poses, run)
    shift = (d * speeds).sum(axis=(1, 2)) / np.maximum((speeds**2).sum(axis=(1, 2)), 1e-300)
    left = np.linalg.norm(d - speeds * shift[:, None, None], axis=-1).max()
    return -float(shift[-1]), left


def test_every_sample_is_compared_or_has_a_reason():
    known = {*TREES, *LOOPS, *RESTING, *NOT_HELD}
    assert {p.stem for p in SAMPLES.glob("*.mech")} == known
    assert len(known) == len(TREES) + len(LOOPS) + len(RESTING) + len(NOT_HELD)


@pytest.mark.thinned(5)
@pytest.mark.parametrize("name", TREES)
def test_trees_move_as_here(name):
    project, run, text, _ = exported(name, 1.0)
    poses, _ = simulated(text, project, run.time, STEP)
    assert difference(poses, run) < 1e-6


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.thinned(3)
def test_loops_move_as_here_as_far_as_they_are_stiff(name):
    duration, lag = LOOPS[name]
    project, run, text, notes = exported(name, duration, duration / 20)
    assert any("equality constraint" in note for note in notes)
    poses, gap = simulated(text, project, run.time, STEP, 2 * STEP)
    near = difference(poses, run)
    soft, _ = simulated(text, project, run.time, STEP, 20 * STEP)
    assert difference(soft, run) > near or near < 1e-9
    if lag:
        behind, near = late(poses, run)
        assert 0 <= behind < lag
    assert near < GAPS * gap + 1e-9, (near, gap)


def test_the_comparison_catches_a_wrong_mass():
    project, run, text, _ = exported("double_pendulum", 1.0)
    wrong = text.replace(b'mass="', b'mass="1', 1)
    poses, _ = simulated(wrong, project, run.time, STEP)
    assert difference(poses, run) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("name", RESTING)
@pytest.mark.thinned(2)
def test_bodies_come_to_rest_where_they_do_here(name):
    project = ms.load(SAMPLES / f"{name}.mech")
    if name == "stack_of_boxes":
        project = remove(project, "ball")
    run = ms.simulate(project, duration=6.0, sample_step=0.5)
    text, _, _ = mjcf_text(project, Motion(run.time, run.poses, run.velocities))
    poses, _ = simulated(text, project, [0.0, 6.0], 5e-4)
    still = np.abs(run.velocities[-1]).max(axis=1) < 1e-3
    assert still.any()
    assert np.abs(poses[-1, still, :3] - run.poses[-1, still, :3]).max() < 1e-3


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mech")), ids=lambda p: p.stem)
def test_every_sample_loads_in_mujoco_as_drawn(path):
    project = ms.load(path)
    text, notes, _ = mjcf_text(project)
    model = mujoco.MjModel.from_xml_string(text.decode())
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for id, body in project.mechanism.bodies.items():
        p, q = body.placement.pose
        assert data.body(id).xpos == pytest.approx(p, abs=1e-12)
        assert abs(np.dot(data.body(id).xquat, q)) == pytest.approx(1.0, abs=1e-12)
    assert all(note.endswith(".") for note in notes)
    said = " ".join(notes)
    for joint in project.mechanism.joints.values():
        if joint.type in ("point_on_curve", "rolling_disc", "rolling_wheel", "knife_edge"):
            assert joint.name in said
    for drive in project.mechanism.drives.values():
        assert drive.name in said


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("restitution", "do not rebound"),
        ("tangential_restitution", "no tangential rebound"),
        ("adhesion", "no adhesion"),
        ("belt_speed", "no belts"),
    ],
)
def test_numbers_of_surfaces_that_mjcf_does_not_know_are_reported(number, words):
    m = ms.Builder("ball")
    ball = m.body("ball", (0, 0, 1)).sphere(0.1)
    m.floor(friction=0.5)
    m.surface(ball, friction=0.5, **{number: 0.5})
    m.touch()
    _, notes, _ = mjcf_text(m.project())
    assert [note for note in notes if words in note] == [
        note for note in notes if note.startswith("Contacts: MJCF has no")
    ]
    assert any(words in note for note in notes)


def moved(path, seconds, step=1e-3):
    """MuJoCo's data of a file after a time."""
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = step
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(round(seconds / step)):
        mujoco.mj_step(model, data)
    return data


def test_rolling_and_spinning_resistance_act_in_mujoco(tmp_path):
    """v(t) = v - g (arm / R) t / 1.4; a ball that spins comes to rest (MuJoCo reads neither number
    unless a contact has more than three dimensions).
    """
    m = ms.Builder("balls")
    skin = {"friction": 0.5, "rolling": "5 mm", "spinning": "5 mm"}
    rolls = m.body("rolls", (0, 0, 0.1)).sphere(0.1).velocity((1, 0, 0), (0, 10, 0))
    spins = m.body("spins", (0, 1, 0.1)).sphere(0.1).velocity((0, 0, 0), (0, 0, 10))
    for each in (rolls, spins):
        m.surface(each, **skin)
    m.floor(0, **skin)
    ms.convert(m.project(), tmp_path / "balls.xml")
    data = moved(tmp_path / "balls.xml", 1.0)
    assert data.qvel[0] == pytest.approx(1 - 9.80665 * 0.05 / 1.4, rel=5e-3)
    assert abs(data.qvel[11]) < 1e-3


def test_springs_that_follow_laws_have_the_numbers_of_the_start(tmp_path):
    """k (rest - angle) / I, k of a law of the time and of the angle."""
    m = ms.Builder("laws", gravity=(0, 0, 0))
    for name, stiffness in (("time", "5 N*m/rad + 1 N*m/rad/s*t"), ("angle", "5 N*m/rad*cos(x)")):
        body = m.body(name, mass=1, inertia=(0.1, 0.1, 0.1))
        pin = m.pin(f"pin {name}", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
        stiff = ms.expression(stiffness)
        m.force("torsion_spring", f"spring {name}", joint=pin, stiffness=stiff, free_angle=0.4)
    notes = ms.convert(m.project(), tmp_path / "laws.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "laws.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.qacc == pytest.approx([20.0, 20.0])
    assert len([note for note in notes if "numbers of the start stay" in note]) == 2
    assert not [note for note in notes if "not known as drawn" in note]


def test_a_law_without_a_value_as_drawn_is_reported(tmp_path):
    """The rate of a distance is not known before the run."""
    m = ms.Builder("rate", gravity=(0, 0, 0))
    body = m.body("body", (1, 0, 0), mass=1, inertia=(0.1, 0.1, 0.1))
    damping = ms.expression("2 N*s/m + 1 N*s^2/m^2*abs(v)")
    m.force("damper", "brake", a=m.ground, b=body, at=((0, 0, 0), (1, 0, 0)), damping=damping)
    notes = ms.convert(m.project(), tmp_path / "rate.xml")
    assert [n for n in notes if n.startswith("Damping of force brake follows")], notes


def test_a_ball_of_a_millimetre_has_its_own_inertia(tmp_path):
    """Angle w / W sin(W t) on a torsion spring, W^2 = k / I, I = 2/5 m r^2 = 4.11e-13 kg m^2."""
    m = ms.Builder("small", gravity=(0, 0, 0))
    ball = m.body("ball").sphere("0.5 mm")
    pin = m.pin("pin", m.ground, ball, at=(0, 0, 0), axis=(0, 0, 1), rate=100)
    m.force("torsion_spring", "spring", joint=pin, stiffness="4e-9 N*m/rad", free_angle=0)
    project = m.project()
    assert len(ms.convert(project, tmp_path / "small.xml")) == 1  # the keyframe of the start
    inertia = mass_properties(project.mechanism.bodies["ball"]).inertia[2][2]
    rate = np.sqrt(4e-9 / inertia)
    data = moved(tmp_path / "small.xml", 0.02, 1e-5)
    assert data.qpos[0] == pytest.approx(100 / rate * np.sin(rate * 0.02), rel=1e-3)


def test_a_stop_on_an_angle_of_a_ball_is_reported(tmp_path):
    m = ms.Builder("ball")
    body = m.body("body", mass=1, inertia=(0.1, 0.1, 0.1), center_of_mass=(0.2, 0, 0))
    stop = ms.limit("-10 deg", "20 deg", stiffness=500, damping=5, coordinate=1)
    m.joint("spherical", "joint", m.ground.frame(), body.frame(), limits=[stop])
    notes = ms.convert(m.project(), tmp_path / "ball.xml")
    assert "Stop of joint: MuJoCo has none on an angle of a ball joint; it was left out." in notes


def test_elastic_surfaces_are_reported(tmp_path):
    m = ms.Builder("soft")
    ball = m.body("ball", (0, 0, 0.2)).sphere(0.1)
    m.surface(ball, stiffness="500 N/m")
    m.floor()
    m.touch()
    for name, words in (("s.xml", "stiffness and damping of elastic"), ("s.urdf", "stiffness")):
        notes = ms.convert(m.project(), tmp_path / name)
        assert [note for note in notes if words in note], name
