"""URDF read and written, against MuJoCo's own reader."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.exchange.chains import carrying_tree
from mechstudio.files.exchange.urdf.reading import read_urdf
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from tests.files.exchange.test_mjcf_motion import SAMPLES, mujoco


def folder(package, *inside):
    """Folder of an installed package, None where it is not."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent.joinpath(*inside)
    return path if path.is_dir() else None


def robots():
    """Files of others: those that lie in wheels of pybullet and example-robot-data."""
    bullet = folder("pybullet_data")
    names = (
        "r2d2 kuka_iiwa/model franka_panda/panda a1/a1 cartpole pendulum5 laikago/laikago "
        "xarm/xarm6_robot racecar/racecar"
    )
    out = [] if bullet is None else [bullet / f"{name}.urdf" for name in names.split()]
    spec = importlib.util.find_spec("numpy")
    data = Path(spec.origin).parents[1] / "cmeel.prefix/share/example-robot-data/robots"
    names = (
        "panda_description/urdf/panda ur_description/urdf/ur5_robot a1_description/urdf/a1 "
        "solo_description/robots/solo so_arm_description/urdf/so100 "
        "double_pendulum_description/urdf/double_pendulum talos_data/robots/talos_reduced "
        "tiago_description/robots/tiago"
    )
    out += [data / f"{name}.urdf" for name in names.split()]
    return [path for path in out if path.is_file()]


def test_files_of_others_are_there():
    if not robots():
        pytest.skip("pybullet and example-robot-data are not installed: pip install pybullet "
                    "--no-deps, pip install example-robot-data --no-deps")  # fmt: skip
    assert len(robots()) >= 5


def in_mujoco(path):
    """The model that MuJoCo reads, without pictures."""
    root = ET.fromstring(path.read_bytes())
    for link in root.iter("link"):
        for tag in ("visual", "collision"):
            for part in link.findall(tag):
                link.remove(part)
        # MuJoCo wants a mass where something moves
        if link.find("inertial") is None:
            part = ET.SubElement(link, "inertial")
            ET.SubElement(part, "mass", value="1e-9")
            ET.SubElement(
                part, "inertia", ixx="1e-9", iyy="1e-9", izz="1e-9", ixy="0", ixz="0", iyz="0"
            )
    ext = ET.SubElement(root, "mujoco")
    ET.SubElement(
        ext,
        "compiler",
        fusestatic="false",
        balanceinertia="true",
        boundmass="1e-9",
        boundinertia="1e-9",
    )
    return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))


@pytest.mark.parametrize("path", robots(), ids=lambda p: f"{p.parent.parent.name}-{p.stem}")
@pytest.mark.thinned(5)
def test_real_robots_stand_and_weigh_as_in_mujoco(path):
    project, notes = read_urdf(path)
    # an inertia that no body can have is named, as it stands in the file
    errors = [f for f in ms.check(project).findings if f.severity == "error"]
    assert all("can have the inertia" in f.message for f in errors)
    assert sum(len(b.shapes) for b in project.mechanism.bodies.values()) > 0
    assert all(note.endswith(".") for note in notes)
    try:
        model = in_mujoco(path)
    except ValueError as error:
        pytest.skip(f"MuJoCo does not read it: {error}")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    compared = 0
    for body in project.mechanism.bodies.values():
        k = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name)
        if k < 0:
            continue
        compared += 1
        known = mass_properties(body)
        assert body.placement.pose[0] == pytest.approx(data.xpos[k], abs=1e-9)
        if known.mass > 1e-6:
            assert known.mass == pytest.approx(model.body_mass[k])
            assert transform(body.placement.pose, known.center) == pytest.approx(
                data.xipos[k], abs=1e-9
            )
    assert compared > 1


ROBOT = """<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
  <link name="upper"><inertial><origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.1" length="0.4"/></geometry>
    <material name="red"/></visual></link>
  <link name="finger"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="thumb"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="5" velocity="1"/>
    <dynamics damping="0.3" friction="0.1"/></joint>
  <joint name="grip" type="prismatic"><parent link="upper"/><child link="finger"/>
    <origin xyz="0 0 0.4"/><axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/>
    <mimic joint="shoulder" multiplier="0.05" offset="0.02"/></joint>
  <joint name="stiff" type="fixed"><parent link="upper"/><child link="thumb"/></joint>
  <transmission name="drive"/>
</robot>"""


def test_each_element_becomes_what_it_is(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    project, notes = read_urdf(path)
    m = project.mechanism
    named = {j.name: j for j in m.joints.values()}
    assert named["shoulder"].type == "revolute"
    assert named["shoulder"].limits[0].upper.value == 2.0
    assert {f.type for f in m.forces.values()} == {"torsion_damper", "friction_torque"}
    gear = next(iter(m.couplings.values()))
    assert gear.type == "rack_and_pinion" and gear.parameters["radius"].value == 0.05
    # the finger follows: it stands at its offset where the shoulder is at zero, along the turned x
    assert m.bodies["finger"].placement.pose[0] == pytest.approx((0, 0.02, 1.4))
    I = np.array(mass_properties(m.bodies["upper"]).inertia)
    assert np.linalg.eigvalsh(I) == pytest.approx([0.1, 0.2, 0.25])
    assert abs(I[0, 1]) > 1e-3
    said = " ".join(notes)
    for word in ("base", "drive", "shoulder", "stands fixed"):
        assert word in said


def test_damping_and_friction_come_back_as_they_were(tmp_path):
    """Our own file says of the two what the robot's file said: 0.3 N m s and 0.1 N m."""
    first, again = tmp_path / "arm.urdf", tmp_path / "again.urdf"
    first.write_text(ROBOT)
    project, _ = read_urdf(first)
    ms.convert(project, again)
    shoulder = ET.parse(again).getroot().find(".//joint[@name='shoulder']/dynamics")
    assert {k: float(v) for k, v in shoulder.attrib.items()} == pytest.approx(
        {"damping": 0.3, "friction": 0.1}
    )


def test_damping_and_friction_that_follow_laws_are_those_of_the_start(tmp_path):
    m = ms.Builder("laws")
    pin = m.pin("pin", m.ground, m.body("body", mass=1, inertia=(1, 1, 1)), at=(0, 0, 0))
    m.force("torsion_damper", "damper", joint=pin, damping=ms.constant("2 N*m*s/rad"))
    level = ms.ramp("3 N*m", "4 N*m", duration="9 s")
    m.force("friction_torque", "friction", joint=pin, torque=level, speed=0)
    notes = ms.convert(m.project(), tmp_path / "laws.urdf")
    found = ET.parse(tmp_path / "laws.urdf").getroot().find(".//joint[@name='pin']/dynamics")
    assert {k: float(v) for k, v in found.attrib.items()} == {"damping": 2.0, "friction": 3.0}
    assert len([note for note in notes if "numbers of the start stay" in note]) == 2


def test_a_law_without_a_finite_value_at_the_start_is_nought_and_named(tmp_path):
    """exp(1000) is beyond the largest number."""
    m = ms.Builder("laws")
    pin = m.pin("pin", m.ground, m.body("body", mass=1, inertia=(1, 1, 1)), at=(0, 0, 0))
    endless = ms.expression("(1 N*m*s/rad) * exp(1000 + t / (1 s))")
    m.force("torsion_damper", "damper", joint=pin, damping=endless)
    notes = ms.convert(m.project(), tmp_path / "laws.urdf")
    found = ET.parse(tmp_path / "laws.urdf").getroot().find(".//joint[@name='pin']/dynamics")
    assert float(found.get("damping")) == 0.0
    assert any("is 0 in the file" in note for note in notes)


def written(tmp_path, name):
    path = tmp_path / f"{name}.urdf"
    project = ms.load(SAMPLES / f"{name}.mech")
    return project, path, ms.convert(project, path)


TREES = (
    "cart_pole double_pendulum heavy_top spherical_pendulum six_axis_arm screw_jack gear_train "
    "four_bar universal_joint_pair stewart_platform"
).split()


def assert_drawn_in_mujoco(project, path, notes):
    """MuJoCo puts each body where it was drawn, with all joints at the values of the notes."""
    model = in_mujoco(path)
    data = mujoco.MjData(model)
    drawn = next((n for n in notes if "as drawn they stand at" in n), "").rstrip(".")
    for part in drawn.rpartition("stand at ")[2].split(", ") if drawn else []:
        joint, _, value = part.partition(" = ")
        data.qpos[model.joint(joint).qposadr[0]] = float(value)
    # MuJoCo keeps no mimic joints in kinematics: the slide of a screw follows here
    root = ET.fromstring(path.read_bytes())
    for joint in root.iter("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            of = data.qpos[model.joint(mimic.get("joint")).qposadr[0]]
            data.qpos[model.joint(joint.get("name")).qposadr[0]] = float(
                mimic.get("multiplier")
            ) * of + float(mimic.get("offset", 0.0))
    mujoco.mj_forward(model, data)
    for id, body in project.mechanism.bodies.items():
        known = mass_properties(body)
        at = transform(body.placement.pose, known.center)
        assert data.body(id).xipos == pytest.approx(at, abs=1e-8)
        assert model.body(id).mass[0] == pytest.approx(known.mass)


@pytest.mark.parametrize("name", TREES)
def test_mujoco_reads_our_robots_where_they_were_drawn(name, tmp_path):
    assert_drawn_in_mujoco(*written(tmp_path, name))


@pytest.mark.parametrize("name", TREES)
def test_our_robots_come_back(name, tmp_path):
    project, path, _ = written(tmp_path, name)
    again, _ = read_urdf(path)
    total = lambda p: sum(mass_properties(b).mass for b in p.mechanism.bodies.values())
    assert total(again) == pytest.approx(total(project))
    shapes = lambda p: sum(len(b.shapes) for b in p.mechanism.bodies.values())
    assert shapes(again) == shapes(project)
    assert not [f for f in ms.check(again).findings if f.severity == "error"]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mech")), ids=lambda p: p.stem)
@pytest.mark.thinned(5)
def test_every_sample_is_written_and_what_is_missing_is_named(path, tmp_path):
    project, _, notes = written(tmp_path, path.stem)
    said, m = " ".join(notes), project.mechanism
    tree = carrying_tree(m, (), {f.joint for f in m.forces.values()} | {
        e.joint for c in m.couplings.values() for e in c.ends})  # fmt: skip
    for id in tree.closing:
        assert m.joints[id].type == "free" or f"Joint {m.joints[id].name} was left out" in said
    for force in m.forces.values():
        assert force.name in said or force.type.endswith(("damper", "friction_torque"))
    for drive in m.drives.values():
        assert drive.name in said


def followers(tmp_path, *mimics):
    links = "".join(f'<link name="l{k}"/>' for k in range(len(mimics) + 1))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/>'
        f'<axis xyz="0 0 1"/>{mimic}</joint>'
        for k, mimic in enumerate(mimics)
    )
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{links}{joints}</robot>')
    return read_urdf(path)


def test_offsets_add_up_where_one_follower_follows_another(tmp_path):
    first = '<mimic joint="j0" multiplier="2" offset=".4"/>'
    second = '<mimic joint="j1" multiplier="3" offset=".1"/>'
    project, _ = followers(tmp_path, "", first, second)
    angles = {j.name: j.values[0].value for j in project.mechanism.joints.values() if j.values}
    assert angles == pytest.approx({"j1": 0.4, "j2": 3 * 0.4 + 0.1})


def test_mimic_joints_of_multiplier_zero_become_fixed(tmp_path):
    held = '<mimic joint="j0" multiplier="0" offset=".4"/><dynamics damping="1"/>'
    second = '<mimic joint="j1" multiplier="3" offset=".1"/>'
    project, _ = followers(tmp_path, "", held, second)
    m = project.mechanism
    types = {j.name: j.type for j in m.joints.values() if j.name.startswith("j")}
    assert types == {"j0": "revolute", "j1": "fixed", "j2": "fixed"}
    assert not m.couplings and not m.forces and ms.check(project).structure.mobility == 1
    # both frames meet in the drawing as it was read
    poses = np.array([b.placement.quaternion for b in m.bodies.values()])
    angles = 2 * np.arctan2(poses[-3:, 3], poses[-3:, 0])
    assert angles == pytest.approx([0.0, 0.4, 0.4 + 3 * 0.4 + 0.1])
    checked = ms.check(project)
    assert np.array(checked.poses)[:, 3:] == pytest.approx(poses, abs=1e-12)


def test_joints_that_follow_each_other_are_refused(tmp_path):
    ring = '<mimic joint="j1"/>', '<mimic joint="j0"/>'
    with pytest.raises(ExchangeError, match="follows itself"):
        followers(tmp_path, *ring)


def test_an_empty_range_is_reported(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><limit effort="1" velocity="1"/></joint></robot>'
    )
    assert any("range is empty" in note for note in read_urdf(path)[1])


def said(tmp_path, m):
    """Notes on a drawing that is written as URDF."""
    return ms.convert(m.project(), tmp_path / "model.urdf")


@pytest.mark.parametrize(
    ("gravity", "noted"),
    [((0, 0, -9.81), False), ((0, 0, -9.80665), False), ((0, -9.81, 0), True), ((0, 0, 0), True)],
)
def test_gravity_that_no_program_would_take_is_noted(tmp_path, gravity, noted):
    m = ms.Builder("Gravity", gravity=gravity)
    m.body("b").sphere(0.1)
    assert any("Gravity was left out" in note for note in said(tmp_path, m)) is noted


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"stiffness": 30.0, "damping": 0.3}, "spring and damper were left out"),
        ({"restitution": 0.5}, "rebound was left out"),
        ({}, ""),
    ],
)
def test_what_urdf_does_not_hold_of_a_stop_is_noted(tmp_path, more, words):
    m = ms.Builder("Stop")
    body = m.body("b").sphere(0.1)
    limit = ms.limit("-0.5 rad", "0.5 rad", **more)
    a = m.pin("A", m.ground, body, at=(0, 0, 0), limits=[limit])
    m.force("friction_torque", "rub", joint=a, torque=0.3, speed=0.1 if words else 0.0)
    notes = said(tmp_path, m)
    assert any(words in note for note in notes if note.startswith("Stop of A")) is bool(words)
    assert any("not smoothed" in note for note in notes) is bool(words)


def test_links_and_joints_have_names_that_no_other_has(tmp_path):
    m = ms.Builder("Names")
    called = {name: m.body(name, mass=1.0).sphere(0.1) for name in ("world", "world_", "arm_1")}
    tip = m.body("tip", mass=1.0).sphere(0.1)
    m.universal("arm", m.ground, tip, at=(0, 0, 0), first=(0, 1, 0), second=(0, 0, 1))
    m.pin("world_free", m.ground, called["arm_1"], at=(0, 0, 0))
    said(tmp_path, m)
    root = ET.parse(tmp_path / "model.urdf").getroot()
    for tag in ("link", "joint"):
        names = [node.get("name") for node in root.findall(tag)]
        assert len(names) == len(set(names)) >= 5, names
    assert len(ms.load(tmp_path / "model.urdf").mechanism.bodies) == 5


def test_a_continuous_joint_has_no_range_that_could_be_empty(tmp_path):
    path = tmp_path / "model.urdf"
    path.write_text(
        """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">
        <parent link="a"/><child link="b"/><limit effort="1e9" velocity="1e9"/></joint>
        <loop_joint name="l" type="fixed"/></robot>"""
    )
    project, notes = read_urdf(path)
    assert not any("range" in note for note in notes)
    assert any("close loops" in note for note in notes)
    assert all(not joint.limits for joint in project.mechanism.joints.values())


SPHERE = '<{tag}><origin xyz="0 0 {z}"/><geometry><sphere radius="0.1"/></geometry></{tag}>'


@pytest.mark.parametrize(("z", "noted"), [(0, False), (1, True)])
def test_shapes_for_contacts_of_their_own_are_named(z, noted, tmp_path):
    link = SPHERE.format(tag="visual", z=0) + SPHERE.format(tag="collision", z=z)
    path = tmp_path / "one.urdf"
    path.write_text(f'<robot name="r"><link name="a">{link}</link></robot>')
    notes = read_urdf(path)[1]
    assert any(note.startswith("Shapes for contacts that differ") for note in notes) is noted


def test_soft_limits_of_a_safety_controller_are_named(tmp_path):
    path = tmp_path / "one.urdf"
    path.write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><limit lower="-1" upper="2"/>'
        '<safety_controller soft_lower_limit="-0.5" soft_upper_limit="0.5"/></joint></robot>'
    )
    notes = read_urdf(path)[1]
    assert any(note.startswith("Soft limits of safety controllers were left") for note in notes)
