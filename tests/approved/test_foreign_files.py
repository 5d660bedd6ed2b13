"""Fragments of files of other programs: what each becomes, and the sentence that says what was left
out or why it is not read.
"""

import pytest

from mechstudio.files.exchange.mjcf.reading import read_mjcf
from mechstudio.files.exchange.urdf.reading import read_urdf
from mechstudio.files.exchange.xml_text import ExchangeError
from tests.approved.figures import USUAL

GEOM = '<geom size="0.1"/>'
CHAIN = (
    '<body name="a"><joint name="turn" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/>'
    '<site name="s" pos="0.3 0 0" euler="0 0 90"/><body name="b" pos="1 0 0">'
    '<joint name="slide" type="slide" axis="1 0 0"/><geom size="0.1"/><site name="t"/></body>'
    '</body><body name="c" pos="0 2 0"><joint name="other" axis="0 1 0"/><geom size="0.1"/></body>'
    '<site name="w" pos="0 0 3" euler="0 90 0"/>'
)


def world(*parts):
    return f"<worldbody>{''.join(parts)}</worldbody>"


def body(inner, shape=GEOM):
    return world(f'<body name="b">{inner}{shape}</body>')


def joints(*row, names=True):
    said = "".join(
        f"<joint {f'name={chr(34)}j{k}{chr(34)}' if names else ''} {j}/>" for k, j in enumerate(row)
    )
    return body(said)


def tied(rows, tendons=""):
    tendons = tendons and f"<tendon>{tendons}</tendon>"
    return f"{world(CHAIN)}{tendons}<equality>{rows}</equality>"


def pulled(row, tendons="", key=""):
    tendons = tendons and f"<tendon>{tendons}</tendon>"
    return f"{world(CHAIN)}{tendons}<actuator>{row}</actuator>{key}"


def mesh(asset, geom='type="mesh" mesh="m"'):
    return f"<asset><mesh {asset}/></asset>{body('<joint/>', f'<geom {geom}/>')}"


FLYER = f'<body name="b"><freejoint/>{GEOM}</body>'
KEY = '<keyframe><key ctrl="{}"/></keyframe>'
ROPE = '<spatial name="rope" {}><site site="s"/><site site="t"/></spatial>'
TET = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 3 2 0 1 3 1 2 3"'
MJCF = (
    # settings
    '<option density="1.2" viscosity="0.1" wind="0 1 0"/>',
    '<option gravity="0 0 -3"><flag gravity="disable" limit="disable" contact="disable"/></option>',
    '<compiler settotalmass="3" boundmass="0" boundinertia="0.1" inertiagrouprange="0 4"/>',
    '<compiler eulerseq="xyw"/>',
    '<compiler eulerseq="xy"/>',
    '<compiler coordinate="global"/>',
    '<include file="part.xml"/>',
    '<include file="model.xml"/>',
    "<include/>",
    "<default><default><geom/></default></default>",
    # bodies
    body("<freejoint/><joint/>"),
    world(f'<body name="a"><body name="b"><freejoint/>{GEOM}</body>{GEOM}</body>'),
    world(f'<body name="b"><freejoint/>{GEOM}</body><body name="b">{GEOM}</body>'),
    world(f"<body><freejoint/>{GEOM}</body><body>{GEOM}</body>"),
    body('<freejoint/><inertial pos="0 0 1" mass="-1"/>'),
    body('<freejoint/><inertial pos="0 0 1" mass="1" diaginertia="1 -1 1"/>'),
    body('<freejoint/><inertial pos="0 0" mass="1"/>'),
    body('<freejoint/><inertial pos="0 0 x" mass="1"/>'),
    body('<freejoint/><inertial pos="0 0 1" mass="1 2"/>'),
    f'<compiler inertiafromgeom="false"/>{body("<freejoint/>")}',
    body("<freejoint/>", '<geom size="0.1" friction="0.3"/><geom size="0.2" friction="0.4"/>'),
    body("<freejoint/>", '<geom size="0.1" contype="0" conaffinity="0"/><geom size="0.2"/>'),
    # joints
    body('<joint type="hinge"/><joint type="wheel"/>'),
    body('<joint axis="0 0 0"/>'),
    world(f'<body name="b" quat="0 0 0 0"><joint/>{GEOM}</body>'),
    body('<joint name="j"/><joint name="j"/>'),
    body('<joint class="none"/>'),
    joints('type="slide" axis="0 1 0" armature="1"', 'type="ball" stiffness="2" range="0 5"'),
    joints('axis="1 0 0" ref="20"', 'axis="0 1 0" ref="10"'),
    joints('axis="1 0 0"', 'axis="0 1 0" pos="0 0 0.1"'),
    joints('axis="1 0 0"', 'axis="1 1 0"'),
    joints('axis="0 0 1"', 'type="slide" axis="0 0 1"'),
    joints('type="slide" axis="0.6 0 0.8" ref="0.2"', 'axis="0.6 0 0.8" pos="0 0.1 0" ref="5"'),
    joints('type="slide" axis="1 0 0"', 'type="slide" axis="0 1 0"', 'axis="0 0 1" ref="30"'),
    joints('type="slide" axis="1 0 0"', 'type="slide" axis="0 1 0"', 'axis="1 0 0"'),
    joints('type="slide" axis="0 1 0"', 'type="slide" axis="0 0 1"', 'type="ball" pos="0 0 1"'),
    joints(*(f'type="slide" axis="{a}"' for a in ("1 0 0", "0 1 0", "0 0 1")), 'type="ball"'),
    joints('type="slide" axis="1 0 0" range="-1 2"', 'type="slide" axis="0 1 0"'),
    joints('range="-30 20" stiffness="2 1" damping="0.5" frictionloss="0.1"', names=False),
    joints('range="20 -30" limited="true"'),
    joints('range="20 -30" limited="auto"'),
    joints('limited="true"'),
    joints('range="-1e9 2"'),
    joints('stiffness="-1"'),
    joints('springdamper="0.1 1" actuatorfrcrange="-1 1"'),
    f'{joints("", names=True)}<keyframe><key qpos="1 2"/></keyframe>',
    f'{joints("")}<keyframe><key name="up" qpos="0.5" qvel="2"/></keyframe>',
    f'{body("<freejoint/>")}<keyframe><key qpos="1 2 3 0 1 0 0" qvel="1 2 3 4 5 6"/></keyframe>',
    joints('type="ball"') + '<keyframe><key qpos="0.6 0.8 0 0" qvel="1 2 3"/></keyframe>',
    '<default><joint type="ball"/></default>'
    f'{body("<joint/>")}<keyframe><key qpos="0.6 0.8 0 0 9"/></keyframe>',
    # shapes
    body("<joint/>", '<geom type="plane" size="1 1 1"/>'),
    world(
        '<geom type="plane" size="1 1 1" pos="0 0 0.2" condim="6" friction="0.5 0.1 0.2"/>'
        '<geom type="plane" size="1 1 1" name="second"/><geom type="plane" euler="1 0 0"/>'
    ),
    body("<joint/>", '<geom type="hfield" hfield="h" name="hills"/>'),
    body("<joint/>", '<geom type="sphere" size="0"/>'),
    body("<joint/>", '<geom type="capsule" size="0.1"/>'),
    body("<joint/>", '<geom type="sphere" size="0.1" fromto="0 0 0 1 0 0"/>'),
    body("<joint/>", '<geom type="capsule" size="0.1" fromto="0 0 0 0 0 0"/>'),
    body("<joint/>", '<geom size="0.1" mass="-1"/>'),
    body("<joint/>", '<geom size="0.1" density="-1"/>'),
    body("<joint/>", '<geom size="0.1" friction="-1"/>'),
    body("<joint/>", '<geom size="0.1" shellinertia="true" rgba="1 0 0 1" name="hollow"/>'),
    body("<joint/>", '<geom size="0.1" mesh="m"/>'),
    mesh(f'name="m" {TET}'),
    mesh(f'name="m" {TET}', 'mesh="m"'),
    mesh(f'name="m" {TET}', 'type="box" mesh="m"'),
    mesh(f'name="m" {TET} inertia="shell"'),
    mesh(f'name="m" {TET} scale="1 0 1"'),
    mesh(f'name="m" {TET} scale="1 2 1" refquat="0 1 0 0"'),
    mesh('name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 4"'),
    mesh('name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2"'),
    mesh('name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 3 2"'),
    mesh('name="m" vertex="0 0 0 1 0 0 0 2 0 1 1 0"'),
    mesh('name="m" builtin="sphere"'),
    mesh('file="parts/m.stl"'),
    mesh('file="../m.stl"'),
    # contacts
    f"{world(f'<body name={chr(34)}b{chr(34)}><freejoint/>{GEOM}</body>', GEOM)}"
    '<contact><pair geom1="g" geom2="h"/><exclude body1="b" body2="world"/></contact>',
    # equations
    tied('<joint joint1="turn" joint2="other" polycoef="0.1 2"/>'),
    tied('<joint joint1="turn" joint2="other" polycoef="0 2 1"/>'),
    tied('<joint name="four" joint1="turn" joint2="nobody"/>'),
    tied('<joint joint1="turn" polycoef="0.1"/><joint joint1="other"/>'),
    tied('<flex flex="cloth"/>'),
    tied('<connect body1="a" body2="d" anchor="0 0 0"/>'),
    tied('<connect site1="s" site2="q"/>'),
    tied('<connect body1="a" body2="a" anchor="0 0 0"/>'),
    tied('<weld name="held" body1="a" body2="c" relpose="0.1 0.2 0.3 1 0 1 0"/>'),
    tied('<weld body1="a" body2="c" active="false"/>'),
    tied('<tendon tendon1="rope" polycoef="0.1"/>', ROPE.format("")),
    tied('<tendon tendon1="rope" tendon2="rope"/>', ROPE.format("")),
    tied('<tendon tendon1="sum"/>', '<fixed name="sum"><joint joint="turn" coef="1"/></fixed>'),
    tied('<tendon tendon1="sum"/>', '<fixed name="sum"><joint joint="none" coef="1"/></fixed>'),
    tied(
        '<tendon tendon1="sum"/>',
        '<fixed name="sum"><joint joint="turn" coef="1"/>'
        '<joint joint="other" coef="1"/><joint joint="slide" coef="1"/></fixed>',
    ),
    # tendons
    tied("", ROPE.format('stiffness="3" damping="0.5 1" springlength="0.1 0.2" range="0 1"')),
    tied("", ROPE.format('damping="0.5" frictionloss="1"')),
    tied("", '<spatial name="bent"><site site="s"/><site site="t"/><site site="w"/></spatial>'),
    tied("", '<spatial><site site="s"/><site site="q"/></spatial>'),
    # actuators
    pulled('<motor joint="turn" gear="2"/>', key=KEY.format(3)),
    pulled('<motor joint="slide" ctrlrange="-1 2"/>', key=KEY.format(3)),
    pulled('<motor joint="turn"/>'),
    pulled('<motor joint="none"/>'),
    pulled('<motor tendon="rope" gear="-2"/>', ROPE.format(""), KEY.format(3)),
    pulled('<position tendon="rope"/>', ROPE.format(""), KEY.format(3)),
    pulled('<motor tendon="cable"/>', ROPE.format(""), KEY.format(3)),
    pulled('<motor site="s" gear="1 2 3 0 0 4"/>', key=KEY.format(2)),
    pulled('<motor site="s" refsite="w" gear="1 2 3 4"/>', key=KEY.format(2)),
    pulled('<motor site="s" refsite="t"/>', key=KEY.format(2)),
    pulled('<motor site="q"/>'),
    pulled('<position site="s"/>'),
    pulled('<velocity name="v" joint="slide" kv="3" forcerange="-1 1"/>', key=KEY.format(2)),
    pulled('<position joint="slide" kp="3" kv="2" timeconst="1"/>', key=KEY.format(2)),
    pulled('<general joint="turn" biastype="muscle"/>'),
    pulled('<general joint="turn" dyntype="integrator"/>'),
    pulled('<general joint="turn" gainprm="2" biastype="affine" biasprm="1 -3 -4"/>'),
)


def link(name, inner=""):
    return f'<link name="{name}">{inner}</link>'


def seen(geometry, kind="visual"):
    origin = '<origin xyz="0.1 0 0" rpy="0 0 1"/>'
    return f'<{kind} name="v">{origin}<geometry>{geometry}</geometry></{kind}>'


def weighs(mass, numbers='ixx="1" iyy="2" izz="2.5" ixy="0.1"'):
    origin = '<origin xyz="0 0 1" rpy="0 1 0"/>'
    return f'<inertial>{origin}<mass value="{mass}"/><inertia {numbers}/></inertial>'


def jointed(kind, inner="", name="j", ends=("world", "a")):
    parent, child = ends
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>{inner}</joint>'
    )


def chain(*inner, kinds=("revolute", "prismatic")):
    """Ground, a, b, one joint after the other."""
    ends = ("world", "a", "b", "c")
    return "".join(
        [
            *map(link, ends[: len(inner) + 1]),
            *(
                jointed(kind, f'<axis xyz="0 1 0"/>{x}', f"j{k}", (ends[k], ends[k + 1]))
                for k, (x, kind) in enumerate(zip(inner, kinds))
            ),
        ]
    )


SPHERE = '<sphere radius="0.1"/>'
FOLLOWS = '<mimic joint="j0" multiplier="{}" offset="0.2"/>'
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'
URDF = (
    # trees
    link("a") + link("a"),
    link("a") + jointed("fixed", ends=("a", "b")),
    link("a")
    + link("b")
    + jointed("fixed", ends=("a", "b"))
    + jointed("fixed", "", "k", ("a", "b")),
    link("a")
    + link("b")
    + jointed("fixed", "", "", ("a", "b"))
    + jointed("fixed", ends=("b", "a")),
    link("a")
    + link("b")
    + link("c")
    + jointed("fixed", ends=("a", "b"))
    + jointed("fixed", ends=("b", "c")),
    link("a") + jointed("fixed", ends=("a", "a")),
    link("a") + link("b") + '<joint name="j" type="fixed"><parent link="a"/></joint>',
    link("a") + link("b") + jointed("hinge", ends=("a", "b")),
    link("a", weighs(2)) + link("b", weighs(1)),
    # links
    link("a", weighs(-1)),
    link("a", weighs(1, 'ixx="-1"')),
    link("a", weighs(0)),
    link("a", "<inertial/>"),
    link("a", weighs("heavy")),
    link("a", seen(SPHERE) + RED),
    link("a", seen(SPHERE).replace("<geometry>", f"{RED}<geometry>")),
    link("a", seen(SPHERE, "collision")),
    link("a", seen('<sphere radius="0"/>') + seen(SPHERE, "collision")),
    link("a", seen('<box size="1 2 3"/>') + seen('<cylinder radius="1" length="2"/>')),
    link("a", seen('<capsule radius="1" length="2"/>')),
    link("a", seen('<box size="1 2"/>')),
    link("a", seen('<box size="1 2 0"/>')),
    link("a", seen('<cylinder radius="1" length="-2"/>')),
    link("a", seen("")),
    link("a", seen('<cone radius="1"/>')),
    link("a", seen('<mesh filename="part.stl" scale="1 0 1"/>')),
    link("a", seen('<mesh filename="parts/part.stl"/>')),
    link("a", seen('<mesh filename="package://robot/part.stl"/>')),
    link("a", seen('<mesh filename="http://example.org/part.stl"/>')),
    # joints
    chain('<axis xyz="0 0 0"/>'),
    chain(
        '<limit lower="-1" upper="2" effort="5" velocity="1e9"/><dynamics damping="1"/>',
        "",
        kinds=("revolute", "fixed"),
    ),
    chain('<limit lower="-1e9" upper="2"/>', '<limit lower="1" upper="1"/>'),
    chain('<limit upper="2"/>', '<limit lower="-3" velocity="1"/>'),
    chain('<dynamics damping="-1"/>'),
    chain('<dynamics friction="0.5"/>', '<dynamics damping="2" friction="3"/>'),
    chain("", "", kinds=("continuous", "planar")),
    chain("", "", kinds=("floating", "floating")),
    chain("", FOLLOWS.format(3), kinds=("revolute", "revolute")),
    chain("", FOLLOWS.format(3)),
    chain("", FOLLOWS.format(3), kinds=("prismatic", "revolute")),
    chain("", FOLLOWS.format(3), kinds=("prismatic", "prismatic")),
    chain("", FOLLOWS.format(0)),
    chain(
        "", FOLLOWS.format(0), '<mimic joint="j1"/>', kinds=("revolute", "continuous", "prismatic")
    ),
    chain("", '<mimic joint="none"/>'),
    chain('<mimic joint="j0"/>'),
    chain('<mimic joint="j1"/>', '<mimic joint="j0"/>'),
    chain("") + '<transmission name="t"/><gazebo/>',
)


def shown(name, numbers):
    return f"{name} {USUAL.together(numbers)}"


def placed(placement):
    place, turn = placement.pose
    return f"{USUAL.together(place)} {USUAL.together(turn)}"


def framed(frame):
    return f"{frame.body} {frame.point} {placed(frame.placement)}"


def numbered(parameters):
    return " ".join(shown(name, [q.value]) for name, q in parameters.items())


def lines_of(project):
    """A drawing in lines: all of it that files of other programs can tell."""
    m = project.mechanism
    if m.gravity[2].value != -9.81:
        yield shown("gravity", [q.value for q in m.gravity])
    for b in m.bodies.values():
        yield f"body {b.name} {placed(b.placement)} {b.touches} {b.color}"
        if b.mass is not None:
            tensor = [q.value for q in b.inertia or ()]
            yield shown(
                "  mass", [b.mass.value, *(q.value for q in b.center_of_mass or ()), *tensor]
            )
        if b.initial_velocity is not None:
            v = b.initial_velocity
            yield shown("  starts", [q.value for q in (*v.linear, *v.angular)])
        for s in b.shapes:
            density = "" if s.density is None else shown("density", [s.density.value])
            yield f"  {s.type} {placed(s.placement)} {numbered(s.dimensions)} {density}"
    for j in m.joints.values():
        yield f"{j.type} {j.name}: {framed(j.frame_a)}, {framed(j.frame_b)}"
        reported = [shown("values", [q.value for q in j.values]), numbered(j.parameters)]
        reported += [shown("rates", [q.value for q in j.rates])] if j.rates else []
        for s in j.limits:
            ends = [float("nan") if q is None else q.value for q in (s.lower, s.upper)]
            reported.append(shown(f"stop of {s.coordinate}", ends))
        yield "  " + " ".join(reported)
    for f in m.forces.values():
        ends = [framed(x) for x in (f.frame_a, f.frame_b) if x is not None]
        at = f"{f.joint} {f.coordinate} {f.axes} {' '.join(ends)}"
        yield f"{f.type} {f.name}: {at} {numbered(f.parameters)}"
    for c in m.couplings.values():
        ends = " ".join(f"{e.joint} {e.coordinate}" for e in c.ends)
        yield f"{c.type} {c.name}: {ends} {numbered(c.parameters)}"
    for d in m.drives.values():
        yield f"drive {d.name}: {d.joint} {d.coordinate} {d.quantity} {d.law.type}"
    if m.contacts.enabled:
        yield f"contacts {[(p.body_a, p.body_b) for p in m.contacts.pairs]}"
        if m.contacts.floor is not None:
            floor = m.contacts.floor
            rubs = [floor.surface.number(n) for n in ("friction", "spinning", "rolling")]
            yield shown("floor", [floor.height.value, *rubs])


@pytest.mark.parametrize(
    ("read", "tag", "fragments"), [(read_mjcf, "mujoco", MJCF), (read_urdf, "robot", URDF)]
)
def test_fragments_become_what_is_approved(read, tag, fragments, tmp_path, approved):
    path = tmp_path / "model.xml"

    def reported(fragment):
        path.write_text(f'<{tag} name="model">\n{fragment}\n</{tag}>', "utf-8")
        try:
            project, notes = read(path)
        except ExchangeError as error:
            return [str(error)]
        return [*notes, *lines_of(project)]

    around = {*reported(world(CHAIN))} if tag == "mujoco" else set()
    lines: list[str] = []
    for fragment in fragments:
        known = around if CHAIN in fragment else ()
        lines.append(f"$ {fragment.replace(CHAIN, 'CHAIN')}")
        lines += [line for line in reported(fragment) if line not in known]
    text = "\n".join(line.rstrip() for line in lines).replace(str(tmp_path), "FOLDER")
    approved.holds(f"fragments.{tag}.txt", text + "\n")
