"""MJCF read in each way in which it can be written: attitudes, shapes, loops and equations stand
and hold as in MuJoCo.
"""

from itertools import product

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.exchange.mjcf.reading import read_mjcf
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from tests.files.exchange.test_mjcf_motion import mujoco


def read(tmp_path, text):
    path = tmp_path / "model.xml"
    path.write_text(text, "utf-8")
    return read_mjcf(path)


def at_start(text):
    """MuJoCo's model and its data at the reference."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def assert_stand_alike(project, text, rel=1e-9):
    """Places, masses, centres and moments of inertia of all bodies."""
    model, data = at_start(text)
    assert len(project.mechanism.bodies) == model.nbody - 1
    for body in project.mechanism.bodies.values():
        there, known = data.body(body.name), mass_properties(body)
        place, turn = body.placement.pose
        assert place == pytest.approx(there.xpos, abs=1e-12)
        assert abs(np.dot(turn, there.xquat)) == pytest.approx(1.0, abs=1e-12)
        assert known.mass == pytest.approx(model.body(body.name).mass[0], rel=rel)
        assert transform(body.placement.pose, known.center) == pytest.approx(there.xipos, abs=1e-9)
        axes = np.zeros(9)
        mujoco.mju_quat2Mat(axes, model.body(body.name).iquat)
        R = axes.reshape(3, 3)
        inertia = R @ np.diag(model.body(body.name).inertia) @ R.T
        assert np.array(known.inertia) == pytest.approx(inertia, rel=1e-6, abs=1e-8)


SEQUENCES = ("xyz", "zyx", "XYZ", "zxz", "xYz", "ZyX", "yXX")
ATTITUDES = (
    'quat="0.3 -1.2 0.5 2"',
    'axisangle="1 -2 0.5 {angle}"',
    'euler="{angle} -{angle} {half}"',
    'xyaxes="1 2 -0.5 0.3 1 2"',  # neither of length one nor at right angles
    'zaxis="0.4 -1 0.2"',
    'zaxis="0 0 -3"',
    'zaxis="0 0 2"',
)


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_each_way_to_write_an_attitude_means_what_it_means_in_mujoco(attitude, tmp_path):
    """On bodies, frames, shapes, sites and inertias, in degrees and radians."""
    sequences = SEQUENCES if "euler" in attitude else SEQUENCES[:1]
    for unit, sequence in product(("degree", "radian"), sequences):
        angle = 100.0 if unit == "degree" else 1.7
        turned = attitude.format(angle=angle, half=angle / 2)
        text = f"""<mujoco><compiler angle="{unit}" eulerseq="{sequence}"/><worldbody>
          <body name="one" pos="0.1 0.2 0.3" {turned}><freejoint/>
            <geom type="box" size="0.1 0.2 0.3" pos="0.2 -0.1 0" {turned}/></body>
          <frame pos="1 0 0" {turned}><frame pos="0 0.5 0"><body name="two" pos="0 0 1" {turned}>
            <joint axis="1 2 3" pos="0.1 0 0.1"/>
            <inertial pos="0.1 0.2 -0.1" mass="2" diaginertia="0.1 0.2 0.25" {turned}/>
            <body name="three" pos="0.5 0 0"><joint type="slide" axis="0 1 1"/>
              <geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
          </body></frame></frame></worldbody></mujoco>"""
        project, _ = read(tmp_path, text)
        assert_stand_alike(project, text)


TETRAHEDRON = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 3 2 0 1 3 1 2 3"'
GEOMS = (
    'type="sphere" size="0.2"',
    'size="0.2" mass="3"',
    'type="capsule" size="0.1 0.3"',
    'type="capsule" fromto="0.1 0 0.2 -0.3 0.4 0.5" size="0.1" density="20"',
    'type="cylinder" size="0.1 0.3" mass="0.7"',
    'type="cylinder" fromto="0 0 1 0 0 -1" size="0.1"',
    'type="box" size="0.1 0.2 0.3"',
    'type="box" fromto="0 1 0 1 1 1" size="0.1"',
    'type="ellipsoid" size="0.1 0.2 0.3" mass="0"',
    'type="ellipsoid" fromto="0.1 0 0.2 -0.3 0.4 0.5" size="0.1"',
    'type="mesh" mesh="plain"',
    'type="mesh" mesh="mirrored" mass="2"',
    'type="mesh" mesh="moved"',
    'type="mesh" mesh="hull"',
)


def test_each_shape_weighs_as_in_mujoco(tmp_path):
    for geom in GEOMS:
        text = f"""<mujoco><asset>
          <mesh name="plain" {TETRAHEDRON}/>
          <mesh name="mirrored" {TETRAHEDRON} scale="-1 2 0.5"/>
          <mesh name="moved" {TETRAHEDRON} refpos="0.1 0.2 0.3" refquat="1 0 1 0"/>
          <mesh name="hull" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.2 0.2 0.2"/></asset>
          <worldbody><body name="one" pos="1 2 3" euler="10 20 30"><freejoint/>
          <geom {geom}/><geom size="0.05" pos="0 1 0"/></body></worldbody></mujoco>"""
        assert_stand_alike(read(tmp_path, text)[0], text)


def test_inertias_are_read_in_each_form_and_from_shapes(tmp_path):
    inertials = (
        'fullinertia="0.3 0.4 0.5 0.01 -0.02 0.03"',
        'diaginertia="0.3 0.4 0.5" quat="1 0.2 0.3 -0.4"',
    )
    for inertial, source in product(inertials, ("auto", "true")):
        text = f"""<mujoco><compiler inertiafromgeom="{source}"/><worldbody>
          <body name="one"><freejoint/><inertial pos="0.1 0.2 0.3" mass="2" {inertial}/>
          <geom size="0.1"/></body></worldbody></mujoco>"""
        assert_stand_alike(read(tmp_path, text)[0], text)


# loops of two free bodies, which MuJoCo knows by their poses
FREE = """<body name="a" pos="0.1 0 1" euler="10 20 30"><freejoint/><geom size="0.1"/>
  <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.05"/>
  <site name="s" pos="0.1 0.1 0"/></body>
  <body name="b" pos="0.5 0.1 1.2" quat="1 0.3 -0.2 0.5"><freejoint/><geom size="0.1"/>
  <geom type="box" size="0.1 0.2 0.1" pos="0.2 0 0"/><site name="t" pos="0 0.2 0.1"/></body>
  <site name="w" pos="0.1 0.2 1.5" euler="30 0 10"/>"""
LOOPS = {
    "ball": '<connect body1="a" body2="b" anchor="0.3 0.2 0.1"/>',
    "ball on the world": '<connect body1="a" anchor="0.3 0.2 0.1"/>',
    "pin": '<connect body1="a" body2="b" anchor="0.3 0.2 0.1"/>'
    '<connect body1="a" body2="b" anchor="0.1 0.5 -0.4"/>',
    "pin along z": '<connect body1="b" body2="a" anchor="0 0 0.1"/>'
    '<connect body1="b" body2="a" anchor="0 0 -0.4"/>',
    "three balls": '<connect name="one" body1="a" body2="b" anchor="0.3 0.2 0.1"/>'
    '<connect name="two" body1="a" body2="b" anchor="0.1 0.5 -0.4"/>'
    '<connect name="three" body1="a" body2="b" anchor="0 0 0"/>',
    "weld": '<weld body1="a" body2="b"/>',
    "weld on the world": '<weld body1="b"/>',
    "rod": '<tendon tendon1="rope"/>',
}
ROPE = '<tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial></tendon>'


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_closed_as_in_mujoco(name, tmp_path):
    """The bodies keep in MuJoCo's equations while they move here, and have as many freedoms."""
    text = f"""<mujoco><option gravity="1 2 -9.81"><flag contact="disable"/></option><worldbody>
      {FREE}</worldbody>{ROPE}<equality>{LOOPS[name]}</equality></mujoco>"""
    project, _ = read(tmp_path, text)
    model, data = at_start(text)
    rows = data.efc_J.reshape(data.nefc, model.nv)
    freedoms = model.nv - np.linalg.matrix_rank(rows, tol=1e-9)
    assert ms.check(project).structure.mobility == freedoms
    run = ms.simulate(project, 0.4, 0.1, tolerance=1e-11)
    moved = 0.0
    for poses in run.poses:
        data.qpos[:] = poses.ravel()
        mujoco.mj_forward(model, data)
        assert np.abs(data.efc_pos).max() < 1e-8
        moved = max(moved, np.abs(poses - run.poses[0]).max())
    assert moved > 0.1  # it fell


@pytest.mark.parametrize("sites", ['site1="s" site2="t"', 'site1="s" site2="w"'])
@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_sites_are_brought_together(kind, sites, tmp_path):
    text = f"<mujoco><worldbody>{FREE}</worldbody><equality><{kind} {sites}/></equality></mujoco>"
    drawn = read(tmp_path, text)[0].mechanism
    (joint,) = (j for j in drawn.joints.values() if j.frame_a.body == "a")
    _, data = at_start(text)
    for frame, site in ((joint.frame_a, sites[7]), (joint.frame_b, sites[17])):
        place, turn_here = drawn.frame_in_world(frame)
        assert place == pytest.approx(data.site(site).xpos, abs=1e-12)
        if kind == "weld":
            turn = np.zeros(4)
            mujoco.mju_mat2Quat(turn, data.site(site).xmat)
            assert abs(np.dot(turn_here, turn)) == pytest.approx(1.0, abs=1e-12)


# equations of joints, by what they tie together
CHAIN = """<body name="a"><joint name="turn" axis="0 1 0" ref="10"/>
  <geom size="0.1" pos="0.2 0 0"/>
  <body name="b" pos="1 0 0"><joint name="slide" type="slide" axis="1 0 0"/><geom size="0.1"/>
  </body></body>
  <body name="c" pos="0 2 0"><joint name="other" axis="0 1 0"/><geom size="0.1" pos="0.1 0 0"/>
  </body>
  <body name="d" pos="0 3 0"><joint name="third" axis="0 1 0"/><geom size="0.2" pos="0.1 0 0"/>
  </body>
  <body name="e" pos="0 4 0"><joint name="block" type="slide" axis="0 0 1"/><geom size="0.1"/>
  </body>"""
EQUATIONS = {
    "gear": ('<joint joint1="turn" joint2="other" polycoef="0 -2"/>', {"turn": 1, "other": 2}),
    "rack": ('<joint joint1="slide" joint2="turn" polycoef="0 0.3"/>', {"slide": 1, "turn": -0.3}),
    "pinion": ('<joint joint1="other" joint2="block" polycoef="0 4"/>', {"other": 1, "block": -4}),
    "slides": ('<joint joint1="block" joint2="slide" polycoef="0 3"/>', {"block": 1, "slide": -3}),
    "lock": ('<joint joint1="other"/>', {"other": 1}),
    "differential": ((("turn", 1), ("other", -2), ("third", 1)),) * 2,
    "planetary": ((("turn", -3), ("other", 1), ("third", 2)),) * 2,
    "planetary of negative ratio": ((("turn", 1), ("other", 2), ("third", -3)),) * 2,
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_equations_of_joints_hold_as_they_are_written(name, tmp_path):
    row, factors = EQUATIONS[name]
    tendons = ""
    if not isinstance(row, str):
        factors = dict(row)
        tied = "".join(f'<joint joint="{joint}" coef="{c}"/>' for joint, c in row)
        tendons = f'<tendon><fixed name="sum">{tied}</fixed></tendon>'
        row = '<tendon tendon1="sum"/>'
    text = f"""<mujoco><option gravity="1 2 -9.81"><flag contact="disable"/></option><worldbody>
      {CHAIN}</worldbody>{tendons}<equality>{row}</equality></mujoco>"""
    project, _ = read(tmp_path, text)
    run = ms.simulate(project, 0.4, 0.1, tolerance=1e-11)
    total, values = 0.0, np.zeros(0)
    for joint, c in factors.items():
        values = run.joint_coordinates[joint].ravel()
        total = total + c * values
    assert np.ptp(total) < 1e-8
    assert np.ptp(values) > 0.02 or name == "lock"


SPATIAL = '<spatial name="rope" {}><site site="s"/><site site="t"/></spatial>'
EFFORTS = (
    ("", '<motor joint="turn" gear="2"/>'),
    ("", '<motor joint="slide" ctrlrange="-1 2"/>'),
    ("", '<motor site="s" gear="1 2 3 0.1 -0.2 0.4"/>'),
    ("", '<motor site="s" refsite="w" gear="1 2 3 0.4"/>'),
    ("", '<velocity joint="slide" kv="3" gear="2"/>'),
    ("", '<position joint="turn" kp="30" kv="2" gear="-2"/>'),
    ("", '<general joint="slide" gainprm="2" biastype="affine" biasprm="1 -30 -4" gear="2"/>'),
    (SPATIAL.format(""), '<motor tendon="rope" gear="-2"/>'),
    (SPATIAL.format('stiffness="90" damping="0.5"'), '<motor tendon="rope"/>'),
    (SPATIAL.format('stiffness="90" springlength="0.2"'), '<general tendon="rope"/>'),
)


@pytest.mark.parametrize("k", range(len(EFFORTS)))
def test_efforts_move_bodies_as_in_mujoco(k, tmp_path):
    tendons, actuator = EFFORTS[k]
    text = f"""<mujoco><option timestep="1e-3" integrator="RK4"><flag contact="disable"/></option>
      <worldbody><site name="w" pos="0 0 3" euler="20 90 0"/>
      <body name="a"><joint name="turn" axis="0 1 0" stiffness="5" springref="40" damping="0.3"/>
        <geom size="0.1" pos="0.2 0 0"/><site name="s" pos="0.3 0 0.2" euler="0 30 90"/>
        <body name="b" pos="1 0 0"><joint name="slide" type="slide" axis="1 0 1" stiffness="50"
          springref="0.1" damping="2"/><geom size="0.1"/><site name="t"/></body></body></worldbody>
      <tendon>{tendons}</tendon><actuator>{actuator}</actuator>
      <keyframe><key ctrl="3" qpos="0.2 0.1" qvel="1 -0.5"/></keyframe></mujoco>"""
    project, _ = read(tmp_path, text)
    run = ms.simulate(project, 0.4, 0.4, tolerance=1e-10)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(400):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    for body, pose in zip(project.mechanism.bodies, run.poses[-1]):
        assert pose[:3] == pytest.approx(data.body(body).xpos, abs=1e-7)
        assert abs(np.dot(pose[3:], data.body(body).xquat)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("geom", "expected"),
    [
        ('condim="1" friction="0.7 0.02 0.003"', (0.0, 0.0, 0.0)),
        ('friction="0.7 0.02 0.003"', (0.7, 0.0, 0.0)),
        ('condim="4" friction="0.7 0.02 0.003"', (0.7, 0.02, 0.0)),
        ('condim="6" friction="0.7 0.02 0.003"', (0.7, 0.02, 0.003)),
        # what is not said is as in MuJoCo
        ('condim="6" friction="0.7 0.02"', (0.7, 0.02, 0.0001)),
        ('condim="6" friction="0.7"', (0.7, 0.005, 0.0001)),
        ('condim="4"', (1.0, 0.005, 0.0)),
        ("", (1.0, 0.0, 0.0)),
    ],
)
def test_surfaces_resist_as_many_motions_as_contacts_have_dimensions(geom, expected, tmp_path):
    text = (
        f'<mujoco><worldbody><geom type="plane" size="1 1 1" {geom}/><body name="b" pos="0 0 1">'
        '<freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    )
    project, _ = read(tmp_path, text)
    surface = project.mechanism.contacts.floor.surface
    names = ("friction", "spinning", "rolling")
    assert tuple(surface.number(name) for name in names) == expected
    model, _ = at_start(text)
    known = [value if value else 0.0 for value in model.geom_friction[0]]
    assert all(mine in (0.0, pytest.approx(its)) for mine, its in zip(expected, known, strict=True))
