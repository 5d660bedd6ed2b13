"""Samples in space: an arm of six axes, a platform on six legs, a wrist, a gimbal."""

import math

from sample_parts import (
    ALONG_X,
    ALUMINIUM,
    BLUE,
    CAST_IRON,
    FLAT,
    GREEN,
    OCHRE,
    ORANGE,
    PINK,
    circle,
    plots,
    sample,
    surface,
)

from mechstudio.builder import Builder, rest_to_rest, sine
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.project import Camera, Project


@sample("space", 2)
def six_axis_arm() -> tuple[Project, Camera]:
    m = Builder(
        "Six-axis arm",
        "Six hinges in a row carry a gripper anywhere and in any attitude: six freedoms, all "
        "of them driven. Each drive turns its axis from rest to "
        "rest by a polynomial of the fifth degree, so that no motor jerks. What the motors "
        "need for it follows from the motion; nothing is "
        "left to swing.",
        [
            "Which motor does the most work, and when?",
            (
                "Make the motion twice as fast: what becomes of the torques that lift, and of "
                "those that accelerate?"
            ),
            "In which pose do two axes lie in one line, and which direction is lost there?",
        ],
    )
    m.parameter(
        "T",
        "2.5 s",
        "time",
        minimum="0.6 s",
        maximum="4 s",
        slider=True,
        note="duration of the motion",
    )
    m.parameter(
        "q_1",
        "110 deg",
        "angle",
        minimum="-170 deg",
        maximum="170 deg",
        slider=True,
        note="turn of the base",
    )
    m.parameter(
        "q_2",
        "-40 deg",
        "angle",
        minimum="-80 deg",
        maximum="60 deg",
        slider=True,
        note="upper arm",
    )
    m.parameter(
        "q_3", "55 deg", "angle", minimum="-60 deg", maximum="80 deg", slider=True, note="forearm"
    )
    ground = m.ground.cylinder(
        "150 mm", "24 mm", at=(0, 0, "12 mm"), density=CAST_IRON, material="cast"
    ).cylinder("105 mm", "90 mm", at=(0, 0, "69 mm"), density=CAST_IRON, material="cast")
    for k in range(6):
        a = math.pi / 6 + k * math.pi / 3
        ground.cylinder(
            "11 mm",
            "14 mm",
            at=(0.128 * math.cos(a), 0.128 * math.sin(a), "29 mm"),
            material="steel",
        )
    turret = m.body("turret", (0, 0, "114 mm"), color=OCHRE)
    turret.cylinder("98 mm", "60 mm", at=(0, 0, "32 mm"), density=ALUMINIUM).box(
        "110 mm", "60 mm", "190 mm", at=("20 mm", "70 mm", "130 mm"), density=ALUMINIUM
    )
    turret.pin(
        "62 mm", "66 mm", at=("20 mm", "70 mm", "226 mm"), density=ALUMINIUM, material="paint"
    )
    upper = m.body("upper arm", (0.02, 0, 0.34), color=ORANGE)
    upper.bar(
        "420 mm", "110 mm", "64 mm", at=(0, "5 mm", 0), angles=(0, "-90 deg", 0), density=ALUMINIUM
    )
    upper.pin("46 mm", "90 mm", at=(0, "-4 mm", 0)).pin("40 mm", "84 mm", at=(0, 0, "420 mm"))
    elbow = m.body("elbow", (0.02, 0, 0.76), color=BLUE)
    elbow.pin("56 mm", "66 mm", at=(0, "-62 mm", 0), density=ALUMINIUM, material="paint").box(
        "120 mm", "66 mm", "90 mm", at=("40 mm", "-62 mm", "16 mm"), density=ALUMINIUM
    )
    elbow.cylinder(
        "44 mm", "90 mm", at=("142 mm", "-40 mm", "16 mm"), angles=ALONG_X, density=ALUMINIUM
    )
    fore = m.body("forearm", (0.22, -0.04, 0.776), color=GREEN)
    fore.cylinder("38 mm", "200 mm", at=("90 mm", 0, 0), angles=ALONG_X, density=ALUMINIUM)
    for y in ("-34 mm", "34 mm"):
        fore.bar("70 mm", "56 mm", "14 mm", at=("180 mm", y, 0), density=ALUMINIUM)
    wrist = m.body("wrist", (0.47, -0.04, 0.776), color=PINK)
    wrist.pin("30 mm", "52 mm", density=ALUMINIUM, material="paint").pin("16 mm", "90 mm").cylinder(
        "24 mm", "60 mm", at=("42 mm", 0, 0), angles=ALONG_X, density=ALUMINIUM
    )
    hand = m.body("gripper", (0.545, -0.04, 0.776), color=OCHRE)
    hand.disc("32 mm", "14 mm", at=("5 mm", 0, 0), angles=ALONG_X, material="steel").box(
        "26 mm", "100 mm", "36 mm", at=("25 mm", 0, 0), density=ALUMINIUM
    )
    for y in ("-36 mm", "36 mm"):
        hand.box("70 mm", "14 mm", "30 mm", at=("73 mm", y, 0), material="steel")
    hand.point("tip", ("105 mm", 0, 0))
    chain = (m.ground, turret, upper, elbow, fore, wrist, hand)
    places = (
        ((0, 0, 0.114), (0, 0, 1)),
        ((0.02, 0, 0.34), (0, -1, 0)),
        ((0.02, 0, 0.76), (0, -1, 0)),
        ((0.22, -0.04, 0.776), (1, 0, 0)),
        ((0.47, -0.04, 0.776), (0, -1, 0)),
        ((0.545, -0.04, 0.776), (1, 0, 0)),
    )
    ends = ("q_1", "q_2", "q_3", "120 deg", "-70 deg", "180 deg")
    for k, (at, axis) in enumerate(places):
        hinge = m.pin(f"axis {k + 1}", chain[k], chain[k + 1], at=at, axis=axis)
        m.drive(
            f"motor {k + 1}",
            hinge,
            position=rest_to_rest(ends[k], duration="T", begin=f"{0.4 * k:g} s" if k else 0),
        )
    m.run(duration="6 s")
    plots(m, "Axes", *(f"joint/axis_{k}/0" for k in range(1, 7)))
    return m.project(), Camera((0.12, -0.02, 0.44), -54.0, 16.0, 2.3)


@sample("space", 3)
def stewart_platform() -> tuple[Project, Camera]:
    low, high, height, amplitude = 0.42, 0.26, 0.52, "50 mm"
    m = Builder(
        "Stewart platform",
        "Six legs, each a Cardan joint, a slide and a ball, carry a platform: flight "
        "simulators stand on it. Thirteen bodies in five loops, six "
        "freedoms, and nothing held twice. Six drives push the slides by sines of different "
        "phase, and the platform heaves, rolls and pitches "
        "all at once.",
        [
            (
                "Which motion follows from six slides in step, and which from every other one "
                "against it?"
            ),
            "Why has a leg a Cardan joint below and a ball above, and not a ball at both ends?",
            "Which leg carries most when the platform tilts towards it?",
        ],
    )
    m.parameter(
        "f",
        "0.4 Hz",
        "frequency",
        minimum="0.05 Hz",
        maximum="1 Hz",
        slider=True,
        note="of the drives",
    )
    m.parameter(
        "s", amplitude, minimum="0 mm", maximum="70 mm", slider=True, note="amplitude of the slides"
    )
    m.ground.plate(
        [
            (0.45 * math.cos(a), 0.45 * math.sin(a))
            for a in (math.radians(60 * k + 30) for k in range(6))
        ],
        "40 mm",
        "18 mm",
        at=(0, 0, "9 mm"),
        angles=FLAT,
        density=CAST_IRON,
        material="cast",
    )
    platform = m.body("platform", (0, 0, height), color=ORANGE)
    platform.plate(
        [
            (1.06 * high * math.cos(a), 1.06 * high * math.sin(a))
            for a in (math.radians(60 * k) for k in range(6))
        ],
        "28 mm",
        "20 mm",
        at=(0, 0, "32 mm"),
        angles=FLAT,
        density=ALUMINIUM,
    )
    platform.cylinder("90 mm", "40 mm", at=(0, 0, "62 mm"), density=ALUMINIUM).sphere(
        "46 mm", at=(0, 0, "110 mm"), density=ALUMINIUM, material="steel"
    )
    slides = []
    for k in range(6):
        # feet and heads in pairs, the pairs below between the pairs above
        below, above = (math.radians(120 * (k // 2) + (s if k % 2 else -s)) for s in (14, 46))
        foot, head = (
            (low * math.cos(below), low * math.sin(below), 0.05),
            (high * math.cos(above), high * math.sin(above), height),
        )
        d = [h - f for f, h in zip(foot, head)]
        length = math.hypot(*d)
        up = tuple(c / length for c in d)
        # the leg's z runs up, its x lies level: the second axis of the Cardan joint
        level = math.hypot(up[0], up[1])
        x = (-up[1] / level, up[0] / level, 0.0)
        y = (up[1] * x[2] - up[2] * x[1], up[2] * x[0] - up[0] * x[2], up[0] * x[1] - up[1] * x[0])
        angles = to_angles(_attitude(x, y, up))
        m.ground.sphere("26 mm", at=foot, material="steel").cylinder(
            "30 mm", "26 mm", at=(foot[0], foot[1], "25 mm"), density=CAST_IRON, material="cast"
        )
        lower = m.body(f"cylinder {k + 1}", foot, angles, color=BLUE)
        lower.cylinder("24 mm", "300 mm", at=(0, 0, "180 mm"), density=ALUMINIUM).cylinder(
            "28 mm", "22 mm", at=(0, 0, "324 mm"), density=ALUMINIUM, material="steel"
        )
        upper = m.body(f"rod {k + 1}", head, angles, color=GREEN)
        upper.cylinder("12 mm", "330 mm", at=(0, 0, "-172 mm"), material="steel").sphere(
            "22 mm", material="steel"
        )
        platform.cylinder("26 mm", "26 mm", at=(head[0], head[1], "20 mm"), density=ALUMINIUM)
        foot_joint = m.universal(f"foot {k + 1}", m.ground, lower, at=foot, first=y, second=x)
        slides.append(m.slider(f"slide {k + 1}", lower, upper, at=(foot, head), axis=up))
        m.hide(foot_joint, m.ball(f"head {k + 1}", upper, platform, at=head))
    for k, slide in enumerate(slides):
        m.drive(f"ram {k + 1}", slide, position=sine("s", "f", phase=f"{60 * k} deg" if k else 0))
    m.run(duration="8 s")
    plots(m, "Platform", "body/platform/x", "body/platform/y", "body/platform/z")
    return m.project(), Camera((0.0, 0.0, 0.290), -56.0, 17.0, 2.4)


def _attitude(x, y, z):
    from mechstudio.model.geometry.rotation import from_axes

    return from_axes(x, y, z)


@sample("space", 2)
def spherical_wrist() -> tuple[Project, Camera]:
    height = 0.36
    m = Builder(
        "Spherical wrist",
        "The last three hinges of most robots meet in one point, about z, y and z again: they turn "
        "the tool and leave that point where it is, so that an arm may reach first and orient "
        "after. When the middle angle is zero the outer two are one axis, and the tool cannot be "
        "turned aside in one direction.",
        [
            "Which of the three angles does the path of the tool's tip not depend on?",
            "Which direction of turning is lost when the middle angle is zero?",
            "At a middle angle of 1 degree, how fast must the first hinge turn to swing the tool "
            "sideways at 10 degrees a second?",
        ],
    )
    for name, usual, note in (
        ("first", "0.8 rad/s", "about z"),
        ("middle", "0.4 rad/s", "about y, from -60 degrees on"),
        ("last", "1.2 rad/s", "about the tool"),
    ):
        m.parameter(
            name,
            usual,
            "angular_velocity",
            minimum="-3 rad/s",
            maximum="3 rad/s",
            slider=True,
            note=note,
        )
    ground = m.ground.cylinder(
        "150 mm", "18 mm", at=(0, 0, "9 mm"), density=CAST_IRON, material="cast"
    ).cylinder("45 mm", "160 mm", at=(0, 0, "98 mm"), density=CAST_IRON, material="cast")
    center = (0, 0, height)
    fork = m.body("fork", center, color=BLUE)
    fork.cylinder("40 mm", "30 mm", at=(0, 0, "-165 mm")).box(
        "40 mm", "150 mm", "24 mm", at=(0, 0, "-138 mm")
    )
    for s in (-1, 1):
        fork.box("40 mm", "16 mm", "166 mm", at=(0, f"{s * 67} mm", "-55 mm"))
    block = m.body("block", center, (0, "-60 deg", 0), color=GREEN)
    block.cylinder("14 mm", "150 mm", angles=FLAT, material="steel").cylinder("42 mm", "70 mm")
    tool = m.body("tool", center, (0, "-60 deg", 0), color=ORANGE)
    tool.cylinder("28 mm", "60 mm", at=(0, 0, "66 mm")).box(
        "90 mm", "24 mm", "20 mm", at=(0, 0, "106 mm")
    )
    for s in (-1, 1):
        tool.box("14 mm", "24 mm", "60 mm", at=(f"{s * 34} mm", 0, "146 mm"))
    tool.point("tip", (0, 0, "180 mm"))
    axis = (-math.sin(math.radians(60)), 0, math.cos(math.radians(60)))
    joints = [
        m.pin("first hinge", ground, fork, at=(0, 0, 0.178), axis=(0, 0, 1)),
        m.pin("middle hinge", fork, block, at=center, axis=(0, 1, 0), value="-60 deg"),
        m.pin("last hinge", block, tool, at=center, axis=axis),
    ]
    for name, joint in zip(("first", "middle", "last"), joints):
        m.drive(f"{name} motor", joint, speed=name)
    m.run(duration="5 s", step="20 ms")
    plots(m, "Angles of the hinges", *(f"joint/{j.id}/0" for j in joints))
    return m.project(), Camera((0.0, 0.0, 0.3), -52.0, 18.0, 1.5)


@sample("space", 3)
def gimbal_lock() -> tuple[Project, Camera]:
    height = 0.42
    m = Builder(
        "Gimbal lock",
        "Three rings turn about z, y and x: their angles are the attitude of the rotor "
        "inside. When the middle ring stands at 90 degrees the outer and the "
        "inner axis are one line, both angles turn about the same axis and one direction of "
        "turning is lost. The angles psi and phi read off the "
        "rotor leap there; its quaternion, and the rotor itself, carry on.",
        [
            "By how much do psi and phi leap, and why does their difference not?",
            "About which axis can nobody turn the rotor while the rings are locked?",
            (
                "Tilt the middle ring to 89 degrees: how fast must the outer one turn to follow "
                "a small tilt sideways?"
            ),
        ],
    )
    m.parameter(
        "pitch",
        "0.5 rad/s",
        "angular_velocity",
        minimum="-2 rad/s",
        maximum="2 rad/s",
        slider=True,
        note="middle ring",
    )
    m.parameter(
        "yaw",
        "0.2 rad/s",
        "angular_velocity",
        minimum="-2 rad/s",
        maximum="2 rad/s",
        slider=True,
        note="outer ring",
    )
    m.parameter(
        "roll",
        "0.6 rad/s",
        "angular_velocity",
        minimum="-5 rad/s",
        maximum="5 rad/s",
        slider=True,
        note="rotor",
    )
    ground = m.ground.cylinder(
        "150 mm", "18 mm", at=(0, 0, "9 mm"), density=CAST_IRON, material="cast"
    ).cone("60 mm", "26 mm", "90 mm", at=(0, 0, "63 mm"), density=CAST_IRON, material="cast")
    center = (0, 0, height)
    outer = m.body("outer ring", center, color=BLUE)
    outer.mesh(
        surface(circle(0.285, 96), 0.262, 0.03, "outer ring"), angles=ALONG_X, density=ALUMINIUM
    ).cylinder("15 mm", "50 mm", at=(0, 0, "-300 mm"), material="steel")
    middle = m.body("middle ring", center, color=GREEN)
    middle.mesh(surface(circle(0.232, 96), 0.209, 0.026, "middle ring"), density=ALUMINIUM)
    for s in (-1, 1):
        middle.cylinder("9 mm", "62 mm", at=(0, f"{s * 250} mm", 0), angles=FLAT, material="steel")
    rotor = m.body("rotor", center, color=ORANGE)
    rotor.cylinder("8 mm", "440 mm", angles=ALONG_X, material="steel").disc(
        "130 mm", "26 mm", angles=ALONG_X, density=ALUMINIUM
    ).disc("42 mm", "60 mm", angles=ALONG_X, density=ALUMINIUM)
    for k in range(6):
        a = k * math.pi / 3
        rotor.cylinder(
            "16 mm",
            "32 mm",
            at=(0, 0.092 * math.cos(a), 0.092 * math.sin(a)),
            angles=ALONG_X,
            density=0,
            material="steel",
        )
    joints = [
        m.pin("yaw axis", ground, outer, at=(0, 0, 0.108), axis=(0, 0, 1)),
        m.pin("pitch axis", outer, middle, at=center, axis=(0, 1, 0)),
        m.pin("roll axis", middle, rotor, at=center, axis=(1, 0, 0)),
    ]
    # an instrument and no support: the rotor's attitude as three angles
    m.hide(m.free("attitude", ground, rotor))
    for name, joint in zip(("yaw", "pitch", "roll"), joints):
        m.drive(f"{name} motor", joint, speed=name)
    m.run(duration="8 s", step="20 ms")
    plots(m, "Angles of the rotor", "joint/attitude/3", "joint/attitude/4", "joint/attitude/5")
    return m.project(), Camera((0.0, 0.0, 0.360), -52.0, 18.0, 1.95)
