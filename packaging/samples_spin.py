"""Samples of bodies that spin: Dzhanibekov's nut, a gyroscope, a flyball governor, a sledge on a
slope, a planetary gear, rack and pinion.
"""

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
    base_plate,
    closed,
    involute,
    meshing,
    plots,
    sample,
    surface,
)

from mechstudio.builder import Builder, rest_to_rest
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.project import Camera, Project


@sample("dynamics", 2)
def dzhanibekov_nut() -> tuple[Project, Camera]:
    m = Builder(
        "Dzhanibekov's nut",
        "A body without any load spins about its middle axis of inertia and turns over again and "
        "again, at regular times, as a wing nut did before a cosmonaut's eyes in 1985. Energy and "
        "angular momentum stay what they are; only the middle axis is unstable (Euler).",
        [
            "What sets the time between two turnovers?",
            "Spin it about the axis of the least or the greatest inertia: why does it stay?",
            "How does the time grow when the first disturbance is made ten times smaller?",
        ],
        gravity=(0, 0, 0),
    )
    m.parameter(
        "omega",
        "8 rad/s",
        "angular_velocity",
        minimum="3 rad/s",
        maximum="12 rad/s",
        slider=True,
        note="about the middle axis",
    )
    m.parameter(
        "delta",
        "0.05 rad/s",
        "angular_velocity",
        minimum="0.005 rad/s",
        maximum="0.5 rad/s",
        slider=True,
        note="disturbance",
    )
    nut = m.body("nut", (0, 0, "300 mm"), color=ORANGE)
    nut.cylinder("16 mm", "180 mm", angles=ALONG_X)
    nut.cylinder("16 mm", "90 mm", at=(0, 0, "60 mm"), material="steel")
    nut.sphere("22 mm", at=("90 mm", 0, 0)).sphere("22 mm", at=("-90 mm", 0, 0))
    nut.point("stem", (0, 0, "105 mm"))
    nut.velocity(angular=("delta", 0, "omega"))
    m.free("space", m.ground, nut)
    m.mark("trail", nut, "stem", value="3 s")
    m.run(duration="12 s", sample_step="5 ms")
    plots(m, "Stem", "body/nut/wx", "body/nut/wy", "body/nut/wz")
    return m.project(), Camera((0.0, 0.0, 0.3), -60.0, 14.0, 0.95)


@sample("dynamics", 2)
def gyroscope() -> tuple[Project, Camera]:
    m = Builder(
        "Gyroscope",
        "A fast rotor on a level arm does not fall: the arm goes round. Gravity turns the angular "
        "momentum sideways at the rate M g c / (I n), and the arm starts with just this rate, so "
        "it stays level. Start it from rest and it nods (nutation).",
        [
            "In which sense does the arm go round when the spin is reversed?",
            "Halve the spin n: what becomes of the precession, and of the nodding?",
            "Where does the energy of going round come from when the arm starts at rest?",
        ],
    )
    m.parameter(
        "n",
        "250 rad/s",
        "angular_velocity",
        minimum="120 rad/s",
        maximum="400 rad/s",
        slider=True,
        note="spin of the rotor",
    )
    m.parameter(
        "Omega",
        "2.1528 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="5 rad/s",
        slider=True,
        note="precession at the start",
    )
    height = "330 mm"
    base_plate(m.ground, "-110 mm", "110 mm", "110 mm", "110 mm")
    m.ground.cone(
        "40 mm", "14 mm", "270 mm", at=(0, 0, "149 mm"), density=CAST_IRON, material="cast"
    )
    fork = m.body("fork", (0, 0, height), color=BLUE)
    fork.cylinder("13 mm", "30 mm", at=(0, 0, "-31 mm"))
    fork.box("20 mm", "60 mm", "10 mm", at=(0, 0, "-18 mm"))
    for y in ("-24 mm", "24 mm"):
        fork.box("20 mm", "10 mm", "46 mm", at=(0, y, "0 mm"))
    fork.pin("5 mm", "60 mm")
    arm = m.body("arm", (0, 0, height), color=GREEN)
    arm.cylinder("6 mm", "190 mm", at=("85 mm", 0, 0), angles=ALONG_X)
    arm.cylinder("13 mm", "26 mm", angles=ALONG_X)
    rotor = m.body("rotor", ("150 mm", 0, height), color=ORANGE)
    rotor.disc("75 mm", "22 mm", angles=ALONG_X)
    rotor.cylinder("7 mm", "14 mm", at=(0, "58 mm", 0), angles=ALONG_X, material="steel")
    rotor.cylinder("7 mm", "14 mm", at=(0, "-58 mm", 0), angles=ALONG_X, material="steel")
    m.pin("upright", m.ground, fork, at=(0, 0, "285 mm"), axis=(0, 0, 1), rate="Omega")
    m.pin("nod", fork, arm, at=arm.world(), axis=(0, -1, 0))
    m.pin("spin", arm, rotor, at=rotor.world(), axis=(1, 0, 0), rate="n")
    m.run(duration="8 s", sample_step="5 ms")
    plots(m, "Arm", "joint/upright/0", "joint/nod/0")
    return m.project(), Camera((0.05, 0.0, 0.24), -50.0, 18.0, 1.2)


@sample("machines", 2)
def flyball_governor() -> tuple[Project, Camera]:
    m = Builder(
        "Flyball governor",
        "Two balls on arms swing out as the shaft turns faster: cos(theta) = g / (omega^2 L). "
        "Below the speed sqrt(g/L) they hang, above it they rise. Watt's engine read its speed "
        "from this angle. A little damping in the hinges lets the arms settle.",
        [
            "At which speed do the balls begin to rise?",
            "Why does the angle not depend on the mass of the balls?",
            "How fast do the arms swing about their angle when the speed jumps?",
        ],
    )
    m.parameter(
        "omega",
        "9 rad/s",
        "angular_velocity",
        minimum="7 rad/s",
        maximum="14 rad/s",
        slider=True,
        note="of the shaft in the end",
    )
    top = "520 mm"
    base_plate(m.ground, "-110 mm", "110 mm", "110 mm", "110 mm")
    m.ground.cylinder("26 mm", "60 mm", at=(0, 0, "44 mm"), density=CAST_IRON, material="cast")
    shaft = m.body("shaft", (0, 0, top), color=BLUE)
    shaft.cylinder("9 mm", "470 mm", at=(0, 0, "-225 mm"), material="steel")
    shaft.box("36 mm", "64 mm", "26 mm").pin("6 mm", "76 mm")
    turn = m.pin("shaft", m.ground, shaft, at=(0, 0, "80 mm"), axis=(0, 0, 1), rate="6.9 rad/s")
    joints = []
    for name, side, color, y in (("left", -1, ORANGE, "-23 mm"), ("right", 1, GREEN, "23 mm")):
        # body x runs down along the arm, which leans outwards by 25 degrees
        arm = m.body(f"{name} arm", (0, 0, top), (0, f"{90 - 25 * side} deg", 0), color=color)
        arm.cylinder("5 mm", "200 mm", at=("100 mm", y, 0), angles=ALONG_X, material="steel")
        arm.sphere("36 mm", at=("220 mm", 0, 0))
        joint = m.pin(name, shaft, arm, at=arm.world(), axis=(0, -side, 0))
        m.force("torsion_damper", f"{name} damping", joint=joint, damping="0.06 N*m*s/rad")
        joints.append(joint)
    m.drive("motor", turn, speed=rest_to_rest("omega", start="6.9 rad/s", duration="2 s"))
    m.run(duration="10 s")
    plots(m, "Arms", *(f"joint/{joint.id}/0" for joint in joints))
    return m.project(), Camera((0.0, 0.0, 0.29), -60.0, 12.0, 1.35)


@sample("rolling", 3)
def sledge_on_a_slope() -> tuple[Project, Camera]:
    m = Builder(
        "Sledge on a slope",
        "A spinning sledge on one runner is let go on an icy slope. It does not slide down: the "
        "runner never slips sideways, so it goes to and fro and drifts along the slope on a "
        "cycloid. One freedom of place more than of velocity makes it a nonholonomic system.",
        [
            "How far down the slope does it ever get, in terms of slope and spin?",
            "How fast does it drift sideways on the average?",
            "Why is the way back up not against the law of energy?",
        ],
    )
    m.parameter(
        "omega",
        "3 rad/s",
        "angular_velocity",
        minimum="2.5 rad/s",
        maximum="5 rad/s",
        slider=True,
        note="spin",
    )
    slope = math.radians(12)
    c, s = math.cos(slope), math.sin(slope)
    # x points down the slope in its plane, y runs level
    down, normal = (c, 0.0, -s), (s, 0.0, c)
    tilt = (0, slope, 0)
    m.ground.box(
        "700 mm",
        "2400 mm",
        "20 mm",
        at=(0.1 * c - 0.01 * s, 1.0, 0.1 - 0.1 * s - 0.01 * c),
        angles=tilt,
        density=CAST_IRON,
        material="paint",
    )
    start = (0.0, 0.0, 0.1)
    sledge = m.body("sledge", start, tilt, color=ORANGE, mass="2 kg", center_of_mass=(0, 0, 0))
    sledge.box("150 mm", "8 mm", "20 mm", at=(0, 0, "10 mm"), material="steel")
    sledge.box("120 mm", "70 mm", "14 mm", at=(0, 0, "27 mm"))
    sledge.sphere("16 mm", at=("50 mm", 0, "46 mm"))
    joint = m.knife_edge(
        "runner",
        m.ground,
        sledge,
        at=start,
        along=down,
        normal=normal,
        rate=(0, 0, "omega"),
    )
    m.mark("trail", sledge, value="12 s")
    m.run(duration="5 s")
    plots(m, "Runner", f"joint/{joint.id}/0", f"joint/{joint.id}/1")
    return m.project(), Camera((0.1, 1.0, 0.05), -25.0, 32.0, 2.7)


def internal_gear(teeth: int, module: float, thickness: float) -> Mesh:
    """A ring with teeth inside, about z: the spaces are as wide as the teeth of a gear of as many
    teeth, and a little deeper.
    """
    room = 1.0 + 0.25 / teeth
    edge = [(x * room, y * room) for x, y in involute(teeth, module, backlash=-0.04)]
    outer, h = 0.5 * module * (teeth + 9), 0.5 * thickness
    rim = [(outer * x / math.hypot(x, y), outer * y / math.hypot(x, y)) for x, y in edge]
    n = len(edge)
    rings = ((rim, h), (rim, -h), (edge, -h), (edge, h))
    vertices = [(x, y, z) for ring, z in rings for x, y in ring]
    triangles = []
    for ring in range(4):
        first, second = ring * n, (ring + 1) % 4 * n
        for k in range(n):
            j = (k + 1) % n
            triangles += [(first + k, second + k, second + j), (first + k, second + j, first + j)]
    return closed(vertices, triangles, f"ring of {teeth} teeth")


@sample("gears", 2)
def planetary_gear() -> tuple[Project, Camera]:
    sun, planet, ring, module = 18, 15, 48, 0.004
    m = Builder(
        "Planetary gear",
        "The ring stands still, and three planets roll round in it between the sun and the "
        "carrier, which is driven: by Willis the sun turns 1 + z_ring / z_sun times as fast as "
        "the carrier. High ratio, one axis, and three planets share the load.",
        [
            "How does the ratio follow from Willis' equation?",
            "Why must z_sun + z_ring be divisible by the number of planets?",
            "Hold the carrier instead: what is the ratio between sun and ring?",
        ],
    )
    m.parameter(
        "omega",
        "1.2 rad/s",
        "angular_velocity",
        minimum="-3 rad/s",
        maximum="3 rad/s",
        slider=True,
        note="of the carrier",
    )
    height, centre = 0.17, (0.0, 0.0, 0.17)
    base_plate(m.ground, "-150 mm", "150 mm", "60 mm", "90 mm")
    # the space of the ring at the first planet takes the tooth that the planet holds out there
    first = math.pi / 2
    rotated = first - (first - meshing(sun, 0.0, planet, first)) * planet / ring
    m.ground.mesh(
        internal_gear(ring, module, 0.022),
        at=centre,
        angles=(0, -rotated, "90 deg"),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.box("60 mm", "22 mm", "60 mm", at=(0, 0, "30 mm"), density=CAST_IRON, material="cast")
    carrier = m.body("carrier", centre, color=BLUE)
    hinge = m.pin("carrier", m.ground, carrier, at=centre, rate="omega")
    wheel = m.body("sun", centre, color=ORANGE)
    wheel.mesh(surface(involute(sun, module), 0.01, 0.022, "sun"), angles=FLAT)
    wheel.pin("10 mm", "70 mm", at=(0, "20 mm", 0))
    of_sun = m.pin("sun", carrier, wheel, at=centre)
    far = 0.5 * module * (sun + planet)
    joints = []
    for k in range(3):
        angle = math.pi / 2 + 2 * math.pi * k / 3
        place = (far * math.cos(angle), 0.0, height + far * math.sin(angle))
        carrier.bar(
            far, "30 mm", "10 mm", at=(0, "22 mm", 0), angles=(0, -angle, 0), density=ALUMINIUM
        )
        carrier.pin("9 mm", "44 mm", at=(place[0], "8 mm", place[2] - height))
        turned = meshing(sun, 0.0, planet, angle)
        body = m.body(f"planet {k + 1}", place, (0, -turned, 0), color=(GREEN, OCHRE, PINK)[k])
        body.mesh(surface(involute(planet, module), 0.0092, 0.022, "planet"), angles=FLAT)
        joint = m.pin(f"planet {k + 1}", carrier, body, at=place)
        m.gear(f"sun mesh {k + 1}", of_sun, joint, -planet / sun)
        joints.append(joint)
    # seen from the carrier the ring turns backwards, and a planet with it
    m.gear("ring mesh", joints[0], hinge, -ring / planet)
    m.drive("motor", hinge, speed="omega")
    m.run(duration="8 s")
    plots(m, "Gears", f"joint/{hinge.id}/0", f"joint/{of_sun.id}/0", f"joint/{joints[0].id}/0")
    return m.project(), Camera((0.0, 0.0, 0.16), -70.0, 10.0, 1.0)


@sample("gears", 1)
def rack_and_pinion() -> tuple[Project, Camera]:
    teeth, module = 16, 0.008
    radius = 0.5 * module * teeth
    m = Builder(
        "Rack and pinion",
        "A pinion of 16 teeth lifts a rack: z = r phi. A steady torque works against the weight, "
        "so the rack rises with the acceleration (T - m g r) r / (I + m r^2): what the pinion's "
        "inertia takes is lost to the lift. It starts downwards and turns back.",
        [
            "At which torque does the rack hang still?",
            "Which part of the torque does the pinion itself take?",
            "How large is the force between the teeth?",
        ],
    )
    m.parameter("T", "1.15 N*m", "torque", minimum="0.9 N*m", maximum="1.4 N*m", slider=True)
    m.parameter("m", "1.6 kg", "mass", minimum="1.2 kg", maximum="2 kg", slider=True, note="rack")
    m.parameter("v", "-0.3 m/s", "velocity", minimum="-0.5 m/s", maximum="0.5 m/s", slider=True)
    height = 0.45
    base_plate(m.ground, "-110 mm", "150 mm", "60 mm", "90 mm")
    m.ground.plate(
        [(0, 0), (-0.04, -0.43), (0.1, -0.43)],
        "30 mm",
        "20 mm",
        at=(0, "46 mm", height),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("10 mm", "70 mm", at=(0, "16 mm", height))
    for z in (0.16, -0.16):
        m.ground.box(
            "46 mm",
            "66 mm",
            "26 mm",
            at=(radius + 0.052, "16 mm", height + z),
            density=CAST_IRON,
            material="steel",
        )
    m.ground.box(
        "26 mm",
        "20 mm",
        "600 mm",
        at=(radius + 0.05, "46 mm", 0.32),
        density=CAST_IRON,
        material="cast",
    )
    wheel = m.body("pinion", (0, 0, height), color=ORANGE)
    wheel.mesh(surface(involute(teeth, module), 0.012, 0.024, "pinion"), angles=FLAT)
    wheel.pin("20 mm", "30 mm")
    bar = m.body("rack", (radius, 0, height), mass="m", center_of_mass=(0, 0, 0), color=BLUE)
    pitch = math.pi * module
    bar.box("30 mm", "24 mm", pitch * 26, at=(1.25 * module + 0.015, 0, 0))
    for k in range(-13, 13):
        # a tooth's flanks at 20 degrees; a space stands before the pinion's first tooth
        z = (k + 0.5) * pitch
        bar.plate(
            [
                (-0.8 * module, z - 0.12 * pitch),
                (-0.8 * module, z + 0.12 * pitch),
                (1.3 * module, z + 0.27 * pitch),
                (1.3 * module, z - 0.27 * pitch),
            ],
            "0.5 mm",
            "24 mm",
        )
    pinion = m.pin("pinion", m.ground, wheel, at=wheel.world())
    slide = m.slider(
        "rack",
        m.ground,
        bar,
        at=(bar.world(), bar.world()),
        axis=(0, 0, 1),
        rate="v",
        limits=("-280 mm", "280 mm"),
    )
    m.rack("mesh", pinion, slide, radius)
    m.force("motor_torque", "motor", joint=pinion, torque="T")
    m.run(duration="5 s", sample_step="5 ms")
    plots(m, "Rack", f"joint/{slide.id}/0", f"joint/{pinion.id}/0")
    return m.project(), Camera((0.03, 0.0, 0.42), -68.0, 10.0, 2.2)
