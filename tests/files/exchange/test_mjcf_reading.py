"""MJCF read: our own samples come back as they were, and files of others weigh what they weigh in
MuJoCo.
"""

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.exchange.mjcf.reading import read_mjcf
from mechstudio.files.exchange.mjcf.writing import mjcf_text
from mechstudio.files.exchange.motion import Motion
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.quantity import Quantity
from tests.files.exchange.test_mjcf_motion import LOOPS, SAMPLES, TREES, mujoco

RUN = {"sample_step": 0.05, "tolerance": 1e-12}


def back(tmp_path, text):
    path = tmp_path / "model.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mjcf(path)


@pytest.mark.parametrize("name", [*TREES, *LOOPS])
def test_samples_come_back_and_move_as_before(name, tmp_path):
    project = ms.load(SAMPLES / f"{name}.mech")
    duration = LOOPS[name][0] if name in LOOPS else 1.0
    run = ms.simulate(project, duration, **RUN | {"sample_step": duration / 10})
    text, _, _ = mjcf_text(project, Motion(run.time, run.poses, run.velocities))
    again, _ = back(tmp_path, text)
    second = ms.simulate(again, duration, **RUN | {"sample_step": duration / 10})
    order = [list(again.mechanism.bodies).index(id) for id in project.mechanism.bodies]
    assert np.abs(second.poses[:, order, :3] - run.poses[..., :3]).max() < 1e-9
    types = lambda p: sorted(j.type for j in p.mechanism.joints.values())
    assert types(again) == types(project)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mech")), ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_every_sample_comes_back_where_it_was_drawn(path, tmp_path):
    project = ms.load(path)
    again, _ = back(tmp_path, mjcf_text(project)[0])
    for id, body in project.mechanism.bodies.items():
        there = again.mechanism.bodies[id]
        assert there.placement.pose[0] == pytest.approx(body.placement.pose[0], abs=1e-9)
        mine, theirs = mass_properties(body), mass_properties(there)
        assert theirs.mass == pytest.approx(mine.mass, rel=1e-9, abs=1e-11)
        assert theirs.center == pytest.approx(mine.center, abs=1e-9)
    assert not [f for f in ms.check(again).findings if f.severity == "error"]


def gymnasium_files():
    found = importlib.util.find_spec("gymnasium")
    if found is None or found.origin is None:
        return []
    return sorted((Path(found.origin).parent / "envs/mujoco/assets").glob("*.xml"))


def test_files_of_others_are_there():
    if not gymnasium_files():
        pytest.skip("gymnasium is not installed: pip install gymnasium")
    assert len(gymnasium_files()) >= 10


@pytest.mark.parametrize("path", gymnasium_files(), ids=lambda p: p.stem)
def test_real_files_weigh_and_stand_as_in_mujoco(path):
    project, notes = read_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    masses = model.body_mass.copy()
    if any("total mass" in note for note in notes):
        masses *= sum(mass_properties(b).mass for b in project.mechanism.bodies.values()) / sum(
            masses
        )
    for k in range(1, model.nbody):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, k)
        if name is None:
            continue  # known by its mass alone, below
        body = next(b for b in project.mechanism.bodies.values() if b.name == name)
        known = mass_properties(body)
        assert known.mass == pytest.approx(masses[k], rel=1e-9)
        assert body.placement.pose[0] == pytest.approx(data.xpos[k], abs=1e-12)
        assert transform(body.placement.pose, known.center) == pytest.approx(
            data.xipos[k], abs=1e-9
        )
        moments = np.linalg.eigvalsh(np.array(known.inertia))
        scale = masses[k] / max(model.body_mass[k], 1e-30)
        assert moments == pytest.approx(np.sort(model.body_inertia[k]) * scale, rel=1e-6, abs=1e-12)
    total = sum(mass_properties(b).mass for b in project.mechanism.bodies.values())
    assert total == pytest.approx(sum(masses), rel=1e-9)
    assert not [f for f in ms.check(project).findings if f.severity == "error"]
    for actuator in range(model.nu):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator)
        assert name is None or any(
            f.name.startswith(name) for f in project.mechanism.forces.values()
        )


@pytest.mark.parametrize("name", ["inverted_pendulum", "inverted_double_pendulum"])
def test_real_files_move_as_in_mujoco(name, tmp_path):
    path = next((p for p in gymnasium_files() if p.stem == name), None)
    if path is None:
        pytest.skip("gymnasium is not installed: pip install gymnasium")
    text = path.read_text().replace(
        "<worldbody>", '<option><flag contact="disable"/></option><worldbody>'
    )
    text = re.sub(r'armature="[^"]*"', 'armature="0"', text)
    (tmp_path / "m.xml").write_text(text)
    project, _ = read_mjcf(tmp_path / "m.xml")
    # pushed over
    joint = next(j.id for j in project.mechanism.joints.values() if j.type == "revolute")
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    data.qvel[model.joint(project.mechanism.joints[joint].name).dofadr[0]] = 0.3
    m = project.mechanism
    pushed = msgspec.structs.replace(m.joints[joint], rates=(Quantity(0.3),))
    still = {
        id: j if id == joint else msgspec.structs.replace(j, rates=(Quantity(0.0),))
        for id, j in m.joints.items()
    }
    project = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(m, joints={**still, joint: pushed})
    )
    run = ms.simulate(project, 0.5, 0.5, tolerance=1e-11)
    while data.time < 0.5 - 5e-5:
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    for k, body in enumerate(project.mechanism.bodies.values()):
        assert run.poses[-1, k, :3] == pytest.approx(data.body(body.name).xpos, abs=1e-6)


MANY = """<mujoco model="all">
  <compiler angle="degree" eulerseq="XYZ" autolimits="true"/>
  <option gravity="0 0 -1"/>
  <default>
    <joint damping="0.1"/>
    <default class="arm"><geom type="capsule" rgba="1 0 0 1"/><joint damping="0.5"/>
      <default class="fore"><joint axis="0 1 0"/></default></default>
  </default>
  <asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1" friction="0.7"/>
    <body name="upper" pos="0 0 1" childclass="arm">
      <joint name="shoulder" axis="0 1 0" ref="30" range="-90 90" stiffness="2" springref="10"/>
      <geom fromto="0 0 0 0.4 0 0" size="0.05"/>
      <site name="hook" pos="0.2 0 0"/>
      <body name="lower" pos="0.4 0 0" euler="0 0 90">
        <joint name="elbow" class="fore"/>
        <geom name="box" class="main" type="box" size="0.1 0.2 0.3" mass="3"/>
        <geom class="main" type="mesh" mesh="tet" density="10"/>
      </body>
    </body>
    <body name="ball" pos="1 0 1">
      <joint name="socket" type="ball"/>
      <geom class="main" size="0.1"/>
      <site name="tip"/>
    </body>
    <frame pos="2 0 1"><body name="flyer"><freejoint/><geom size="0.1"/></body></frame>
    <body name="cart" pos="0 1 0.5">
      <joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1"/>
    </body>
  </worldbody>
  <contact><exclude body1="upper" body2="ball"/></contact>
  <equality>
    <connect name="pin" body1="lower" body2="ball" anchor="0.1 0 0" active="false"/>
    <joint joint1="elbow" joint2="shoulder" polycoef="0 -2 0 0 0" name="gear"/>
  </equality>
  <tendon><spatial name="coil" stiffness="5" damping="1">
    <site site="hook"/><site site="tip"/></spatial></tendon>
  <actuator>
    <motor name="push" joint="rail" gear="3"/>
    <position name="hold" joint="elbow" kp="7" kv="0.2"/>
    <velocity name="turn" joint="shoulder" kv="4"/>
    <muscle name="flex" joint="elbow"/>
  </actuator>
  <sensor><jointpos joint="elbow"/></sensor>
  <keyframe><key name="home" qpos="0.5 0.1 1 0 0 0 2 0 2 1 0 0 0 0.3" ctrl="2 0.4 1 0"/></keyframe>
</mujoco>"""


def test_each_element_becomes_what_it_is(tmp_path):
    project, notes = back(tmp_path, MANY)
    m = project.mechanism
    named = {j.name: j for j in m.joints.values()}
    forces = {f.name: f for f in m.forces.values()}
    value = lambda f, k: f.parameters[k].value
    assert m.gravity[2].value == -1.0
    assert m.contacts.enabled
    assert m.contacts.floor.surface.number("friction") == 0.7
    shoulder = named["shoulder"]
    assert shoulder.type == "revolute"
    assert shoulder.values[0].value == 0.5
    assert shoulder.limits[0].upper.value == pytest.approx(np.pi / 2)
    spring = forces["shoulder spring"]
    assert value(spring, "stiffness") == 2 and value(spring, "free_angle") == pytest.approx(
        np.pi / 18
    )
    assert value(forces["shoulder damper"], "damping") == 0.5
    assert value(forces["rail damper"], "damping") == 0.1
    assert named["socket"].type == "spherical" and named["rail"].type == "prismatic"
    assert value(forces["push"], "force") == 6.0
    hold = forces["hold"]
    assert (hold.type, value(hold, "stiffness"), value(hold, "target")) == ("servo_torque", 7, 0.4)
    assert value(forces["turn"], "torque") == 4 and value(forces["turn damper"], "damping") == 4
    assert (
        value(forces["coil"], "stiffness") == 5.0 and value(forces["coil damper"], "damping") == 1
    )
    gear = next(iter(m.couplings.values()))
    assert (gear.type, value(gear, "ratio")) == ("gear", -2.0)
    assert m.bodies["cart"].placement.pose[0] == pytest.approx((0.3, 1, 0.5))
    assert m.bodies["flyer"].placement.pose[0] == pytest.approx((2, 0, 2))
    # MuJoCo agrees on where all stands
    model = mujoco.MjModel.from_xml_string(
        re.sub(r"<muscle.*/>", "", MANY).replace("2 0.4 1 0", "2 0.4 1")
    )
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for id, body in m.bodies.items():
        assert body.placement.pose[0] == pytest.approx(data.body(id).xpos, abs=1e-12)
        assert abs(np.dot(body.placement.pose[1], data.body(id).xquat)) == pytest.approx(1.0)
        assert mass_properties(body).mass == pytest.approx(model.body(id).mass[0], rel=1e-9)
    said = " ".join(notes)
    for word in ("flex", "sensors", "home", "friction"):
        assert word in said


def test_includes_stay_in_the_folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "part.xml").write_text(
        '<mujocoinclude><body name="b"><freejoint/><geom size="1"/></body></mujocoinclude>'
    )
    project, _ = back(
        tmp_path, '<mujoco><worldbody><include file="sub/part.xml"/></worldbody></mujoco>'
    )
    assert list(project.mechanism.bodies) == ["b"]
    for file in ("../part.xml", "/etc/passwd", "sub/../../x.xml", "C:\\x.xml", "..\\x.xml"):
        with pytest.raises(ExchangeError, match="leads out"):
            back(tmp_path, f'<mujoco><include file="{file}"/></mujoco>')


def test_slides_that_are_coupled_stay_so(tmp_path):
    text = """<mujoco><worldbody>
      <body name="a"><joint name="a" type="slide" axis="1 0 0"/><geom size="1"/></body>
      <body name="b"><joint name="b" type="slide" axis="1 0 0"/><geom size="1"/></body>
    </worldbody><equality><joint name="tie" joint1="a" joint2="b" polycoef="0 3 0 0 0"/></equality>
    </mujoco>"""
    project, _ = back(tmp_path, text)
    m = project.mechanism
    coupling = m.couplings["tie"]
    assert coupling.type == "linear"
    moved = ms.at(project, m.joints[coupling.ends[0].joint].name, 0.1)
    assert moved.mechanism.bodies["a"].placement.pose[0][0] == pytest.approx(0.3)
    again, _ = back(tmp_path, mjcf_text(project)[0])
    tie = again.mechanism.couplings["tie"]
    moved = ms.at(again, tie.ends[1].joint, 0.1)
    assert moved.mechanism.bodies["b"].placement.pose[0][0] == pytest.approx(0.1)
    assert moved.mechanism.bodies["a"].placement.pose[0][0] == pytest.approx(0.3)


REPORTED = {
    "inertiagrouprange": ('<compiler inertiagrouprange="0 2"/>', "", ""),
    "boundmass": ('<compiler boundmass="1"/>', "", ""),
    "balanceinertia": ('<compiler balanceinertia="true"/>', "", ""),
    "spring": ('<option><flag spring="disable"/></option>', "", ""),
    "float against gravity": ("", 'gravcomp="1"', ""),
    "time constant": ("", "", 'springdamper=".2 1"'),
    "not linear": ("", "", 'stiffness="1 20"'),
    "Limits of balls": ("", "", 'type="ball" range="0 5"'),
    "Largest forces": ("", "", 'actuatorfrcrange="-1 1"'),
}


@pytest.mark.parametrize("words", REPORTED)
def test_unsupported_features_that_change_the_motion_are_noted(words, tmp_path):
    settings, body, joint = REPORTED[words]
    _, notes = back(
        tmp_path,
        f"<mujoco>{settings}<worldbody><body {body}><joint {joint}/>"
        '<geom size=".1"/></body></worldbody></mujoco>',
    )
    assert any(words in note for note in notes)


PIN = (
    '<body name="a"><joint name="h" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>'
    '<body name="b" pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size=".1"/></body></body>'
)


def driven(defaults, actuator, control):
    return (
        f"<mujoco><default>{defaults}</default><worldbody>{PIN}</worldbody><actuator>{actuator}"
        f'</actuator><keyframe><key ctrl="{control}"/></keyframe></mujoco>'
    )


@pytest.mark.parametrize(
    ("defaults", "actuator", "parameter", "value"),
    [
        # the gear of a class counts for actuators of other kinds too
        ('<general gear="5"/>', '<motor joint="h"/>', "torque", 0.5),
        # a control stays within its range
        ("", '<motor joint="h" ctrlrange="-.02 .02"/>', "torque", 0.02),
        ("", '<motor joint="h" ctrllimited="false" ctrlrange="-.02 .02"/>', "torque", 0.1),
    ],
)
def test_actuators_pull_as_strongly_as_there(defaults, actuator, parameter, value, tmp_path):
    project, _ = back(tmp_path, driven(defaults, actuator, 0.1))
    (force,) = project.mechanism.forces.values()
    assert force.parameters[parameter].value == pytest.approx(value)


@pytest.mark.parametrize(
    "defaults",
    [
        "",
        '<general gainprm="7"/>',
        '<general gainprm="7" gear="3"/>',
        '<position kp="9" kv="2"/>',
        '<velocity kv="4"/>',
        '<motor gear="5"/>',
        '<general gainprm="7" biasprm="1 -2 -3" biastype="affine"/>',
    ],
)
@pytest.mark.parametrize("kind", ["general", "motor", "position", "velocity"])
def test_defaults_of_one_kind_of_actuator_hold_for_the_others_as_in_mujoco(
    defaults, kind, tmp_path
):
    text = driven(defaults, f'<{kind} joint="h"/>', 0.1)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    project, _ = back(tmp_path, text)

    def pull(angle, rate):
        """Torque of our forces."""
        out = 0.0
        for force in project.mechanism.forces.values():
            p = {name: q.value for name, q in force.parameters.items()}
            if force.type == "motor_torque":
                out += p["torque"]
            elif force.type == "torsion_damper":
                out -= p["damping"] * rate
            else:
                out += p["stiffness"] * (p["target"] - angle) - p["damping"] * rate
        return out

    for angle, rate in ((0.0, 0.0), (0.3, 0.0), (0.0, 2.0)):
        if "biasprm" in defaults and kind == "position" and rate:
            continue  # MuJoCo takes the constant there for a ratio of damping
        data.qpos[:], data.qvel[:] = 0.0, 0.0
        data.qpos[0], data.qvel[0] = angle, rate
        mujoco.mj_forward(model, data)
        assert pull(angle, rate) == pytest.approx(data.qfrc_actuator[0], abs=1e-9)


@pytest.mark.parametrize(
    ("actuator", "words"),
    [
        ('<position joint="h" forcerange="-1 1"/>', "Largest forces"),
        ('<position joint="h" dampratio="1"/>', "dampratio"),
        ('<position joint="h" timeconst=".1"/>', "timeconst"),
    ],
)
def test_bounds_of_actuators_are_reported(actuator, words, tmp_path):
    _, notes = back(tmp_path, driven("", actuator, 0.1))
    assert any(words in note for note in notes)


@pytest.mark.parametrize(
    ("coefficients", "start", "sentence"),
    [("0 1", ".5 .5", False), (".3 1", ".8 .5", False), ("0 1", ".8 .5", True)],
)
def test_an_equation_that_the_start_breaks_is_reported(coefficients, start, sentence, tmp_path):
    _, notes = back(
        tmp_path,
        f'<mujoco><worldbody>{PIN}</worldbody><equality><joint joint1="h" joint2="k" '
        f'polycoef="{coefficients}"/></equality><keyframe><key qpos="{start}"/></keyframe>'
        "</mujoco>",
    )
    assert any("does not fulfil" in note for note in notes) == sentence


CORNERS = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 3 2 0 1 3 1 2 3"'


@pytest.mark.parametrize(
    "asset",
    ['refpos=".1 .2 .3" scale="1 -2 3"', 'refpos=".1 .2 .3" refquat=".8 .6 0 0" scale="2 2 2"'],
)
def test_meshes_are_moved_before_they_are_scaled(asset, tmp_path):
    text = (
        f'<mujoco><asset><mesh name="m" {CORNERS} {asset}/></asset><worldbody><body name="a">'
        '<joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    (body,) = back(tmp_path, text)[0].mechanism.bodies.values()
    there = mujoco.MjModel.from_xml_string(text)
    assert mass_properties(body).center == pytest.approx(there.body_ipos[1], abs=1e-9)


@pytest.mark.parametrize("range", ["", 'range="-30 60"'])
@pytest.mark.parametrize("limited", ["", "auto", "true", "false"])
@pytest.mark.parametrize("automatic", ["", "true", "false"])
def test_a_joint_is_limited_where_mujoco_says_so(automatic, limited, range, tmp_path):
    """By autolimits, limited and range together; what MuJoCo refuses is refused in a sentence."""
    compiler = f'<compiler autolimits="{automatic}"/>' if automatic else ""
    given = f'limited="{limited}"' if limited else ""
    text = (
        f'<mujoco>{compiler}<worldbody><body name="b"><joint name="j" {given} {range}/>'
        '<geom size="0.1"/></body></worldbody></mujoco>'
    )
    try:
        is_limited = bool(mujoco.MjModel.from_xml_string(text).jnt_limited[0])
    except ValueError:
        with pytest.raises(ExchangeError, match="range"):
            back(tmp_path, text)
        return
    project, _ = back(tmp_path, text)
    (joint,) = project.mechanism.joints.values()
    assert bool(joint.limits) == is_limited
    if is_limited:
        found = [joint.limits[0].lower.value, joint.limits[0].upper.value]
        assert np.degrees(found) == pytest.approx([-30, 60])


def test_an_actuator_of_constant_force_is_written_as_its_bias_alone():
    """gain ctrl + bias . (1, length, velocity): nothing of the length or of the velocity."""
    m = ms.Builder("pull")
    block = m.body("block", (0.0, 0.0, 0.5)).box(0.1, 0.1, 0.1)
    ends = ((0.0, 0.0, 2.0), (0.0, 0.0, 0.0))
    m.force("actuator", "pull", a=m.ground, b=block, at=ends, force="-7 N")
    text, _, _ = mjcf_text(m.project())
    (actuator,) = ElementTree.fromstring(text).iter("general")
    assert list(map(float, actuator.get("biasprm").split())) == [-7.0, 0.0, 0.0]
    assert actuator.get("biastype") == "affine"


def test_bodies_are_found_by_names_that_are_no_identifiers(tmp_path):
    body = '<body name="{}" pos="{} 0 0"><freejoint/><geom size="0.1"/></body>'
    weld = '<equality><weld body1="upper arm" body2="fore arm"/></equality>'
    text = lambda *names: (
        "<mujoco><worldbody>"
        + "".join(body.format(name, k) for k, name in enumerate(names))
        + f"</worldbody>{weld}</mujoco>"
    )
    welded, _ = back(tmp_path, text("upper arm", "fore arm"))
    (joint,) = welded.mechanism.joints.values()
    assert joint.type == "fixed"
    assert {joint.frame_a.body, joint.frame_b.body} == set(welded.mechanism.bodies)
    with pytest.raises(ExchangeError, match="two bodies have this name"):
        back(tmp_path, text("upper arm", "fore arm", "fore arm"))


FRAMED = """<mujoco><worldbody><body name="b" pos="0 0 1">
  <frame euler="10 20 0" pos=".1 0 0">
    <joint name="h" axis="0 1 0" pos="0 .1 0"/><geom type="box" size=".1 .2 .1" pos=".2 0 0"/>
  </frame></body></worldbody></mujoco>"""


def test_joints_of_a_frame_turn_where_mujoco_turns_them(tmp_path):
    project, notes = back(tmp_path, FRAMED)
    assert [j.type for j in project.mechanism.joints.values()] == ["revolute"] and not notes
    run = ms.simulate(project, 0.5, **RUN)
    model = mujoco.MjModel.from_xml_string(FRAMED)
    model.opt.timestep, data = 1e-4, mujoco.MjData(model)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    mujoco.mj_step(model, data, nstep=5000)
    mujoco.mj_forward(model, data)
    body = list(project.mechanism.bodies).index("b")
    assert run.poses[-1, body, :3] == pytest.approx(data.xpos[1], abs=1e-8)


def test_a_free_joint_in_a_frame_lets_the_body_fall(tmp_path):
    framed = FRAMED.replace('<joint name="h" axis="0 1 0" pos="0 .1 0"/>', "<freejoint/>")
    project, _ = back(tmp_path, framed)
    assert not project.mechanism.joints


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            '<joint name="h" axis="0 1 0" pos="0 .1 0"/>',
            '<joint type="free" damping="2"/>',
            "Springs, dampers and frictions of free joints were left out",
        ),
        (
            "<worldbody>",
            '<option actuatorgroupdisable="0"/><worldbody>',
            "Groups of actuators that are switched off, and which drive here: 0",
        ),
    ],
)
def test_what_mujoco_would_do_otherwise_is_named(tmp_path, old, new, words):
    assert FRAMED.count(old) == 1
    assert any(words in note for note in back(tmp_path, FRAMED.replace(old, new))[1])
    assert not any(words in note for note in back(tmp_path, FRAMED)[1])


def test_a_body_called_world_has_a_name_that_no_other_has(tmp_path):
    m = ms.Builder("Names")
    for name in ("world", "world_"):
        m.body(name).sphere(0.1)
    again, _ = back(tmp_path, mjcf_text(m.project())[0])
    assert len(again.mechanism.bodies) == 2
