"""Samples of what turns what: gears, a differential, a screw, Cardan joints, a cam."""

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
    base_plate,
    bracket,
    circle,
    involute,
    meshing,
    plots,
    sample,
    surface,
)

from mechstudio.builder import Builder, ramp, rise_and_return
from mechstudio.model.laws.cam_profile import roller_profile
from mechstudio.model.project import Camera, Project


@sample("gears", 1)
def gear_train() -> tuple[Project, Camera]:
    teeth, module, names = (14, 28, 18, 36), 0.006, ("input", "idler", "second", "output")
    m = Builder(
        "Gear train",
        "Four gears on a plate, the first one driven from rest to its speed n within two "
        "seconds. Rolling pitch circles tie the angles "
        "to each other: each mesh is one equation between two joint coordinates, drawn as a "
        "gear pair, and the mobility falls from four "
        "to one. A brake of the output makes the motor work.",
        [
            "Which gear decides about the speed of the output, and which only about its sense?",
            "By what factor does the torque grow from the input to the output?",
            "Why does releasing the drive leave a mobility of one, and not of four?",
        ],
    )
    m.parameter(
        "n",
        "45 rpm",
        "angular_velocity",
        minimum="-120 rpm",
        maximum="120 rpm",
        slider=True,
        note="speed of the input",
    )
    m.parameter(
        "c",
        "2 N*m*s/rad",
        "torsional_damping",
        minimum="0 N*m*s/rad",
        maximum="10 N*m*s/rad",
        slider=True,
        note="brake of the output",
    )
    radii = [0.5 * module * z for z in teeth]
    # the next gear lies in this direction from the one before
    directions = [math.radians(a) for a in (28.0, -38.0, 22.0)]
    centers, rotated = [(0.0, 0.19)], [math.radians(5.0)]
    for k, a in enumerate(directions):
        d = radii[k] + radii[k + 1]
        x, z = centers[-1]
        centers.append((x + d * math.cos(a), z + d * math.sin(a)))
        rotated.append(meshing(teeth[k], rotated[k], teeth[k + 1], a))
    low, high = -0.12, centers[-1][0] + radii[-1] + 0.02
    base_plate(m.ground, low, high, "70 mm", "60 mm")
    top = max(z for _, z in centers) + 0.07
    m.ground.plate(
        [
            (low + 0.03, 0.03),
            (high - 0.03, 0.03),
            (high - 0.03, top - 0.02),
            (low + 0.03, top - 0.02),
        ],
        "22 mm",
        "14 mm",
        at=(0, "30 mm", 0),
        density=CAST_IRON,
        material="cast",
    )
    pins = []
    for k, (x, z) in enumerate(centers):
        m.ground.pin("9 mm", "64 mm", at=(x, "6 mm", z))
        gear = m.body(
            names[k], (x, 0, z), (0, -rotated[k], 0), color=(ORANGE, OCHRE, GREEN, BLUE)[k]
        )
        rim = radii[k] - 2.6 * module
        gear.mesh(
            surface(involute(teeth[k], module), rim, 0.024, f"rim of {teeth[k]} teeth"), angles=FLAT
        )
        gear.disc(rim, "12 mm", angles=FLAT).pin("17 mm", "34 mm")
        for j in range(5 if radii[k] > 0.05 else 3):
            a, r = 2 * math.pi * j / (5 if radii[k] > 0.05 else 3), 0.5 * (rim + 0.017)
            gear.add(
                "cylinder",
                {"radius": f"{220 * (rim - 0.017):.3g} mm", "height": "14 mm"},
                at=(r * math.cos(a), 0, r * math.sin(a)),
                angles=FLAT,
                density=0,
                material="steel",
            )
        pins.append(m.pin("ABCD"[k], m.ground, gear, at=(x, 0, z)))
    for k in range(3):
        m.gear(f"mesh {k + 1}", pins[k], pins[k + 1], teeth=(teeth[k], teeth[k + 1]))
    m.drive("motor", pins[0], speed=ramp(0, "n", duration="2 s"))
    m.force("torsion_damper", "brake", joint=pins[3], damping="c")
    m.run(duration="8 s")
    plots(m, "Speeds", *(f"body/{n}/wy" for n in names))
    return m.project(), Camera((0.5 * (low + high), 0.0, 0.17), -70.0, 12.0, 1.55)


@sample("gears", 2)
def differential() -> tuple[Project, Camera]:
    height = "330 mm"
    m = Builder(
        "Differential of a car",
        "The propeller shaft turns the carrier through a bevel gear, and the carrier's speed "
        "is the mean of both wheels' speeds: "
        "first + second = 2 carrier. Which wheel takes how much is left to the loads. After "
        "three seconds the right wheel is braked to a "
        "standstill, and the left one runs twice as fast as the carrier.",
        [
            "Both wheels get the same torque. Why does a car with one wheel on ice not start?",
            "What do the wheels do when the carrier is held and the left one is turned?",
            "Two freedoms and one drive: which freedom is left?",
        ],
    )
    m.parameter(
        "n",
        "90 rpm",
        "angular_velocity",
        minimum="10 rpm",
        maximum="240 rpm",
        slider=True,
        note="propeller shaft",
    )
    m.parameter(
        "brake",
        "100 N*m",
        "torque",
        minimum="0 N*m",
        maximum="200 N*m",
        slider=True,
        note="on the right wheel, after 3 s",
    )
    m.parameter(
        "c",
        "4 N*m*s/rad",
        "torsional_damping",
        minimum="0.5 N*m*s/rad",
        maximum="20 N*m*s/rad",
        slider=True,
        note="resistance of each wheel",
    )
    ground = m.ground
    for x in ("-330 mm", "330 mm"):
        ground.box(
            "50 mm", "70 mm", "290 mm", at=(x, 0, "159 mm"), density=CAST_IRON, material="cast"
        )
        ground.disc(
            "52 mm", "50 mm", at=(x, 0, height), angles=ALONG_X, density=CAST_IRON, material="cast"
        )
        ground.box(
            "110 mm", "180 mm", "14 mm", at=(x, 0, "7 mm"), density=CAST_IRON, material="cast"
        )
    ground.box(
        "70 mm", "50 mm", "290 mm", at=(0, "-430 mm", "159 mm"), density=CAST_IRON, material="cast"
    )
    ground.disc(
        "46 mm", "50 mm", at=(0, "-430 mm", height), angles=FLAT, density=CAST_IRON, material="cast"
    )
    ground.box(
        "180 mm", "110 mm", "14 mm", at=(0, "-430 mm", "7 mm"), density=CAST_IRON, material="cast"
    )

    shaft = m.body("shaft", (0, "-300 mm", height), color=ORANGE)
    shaft.pin("16 mm", "420 mm", at=(0, "-50 mm", 0), material="paint")
    # bevel pinion under 18.4 degrees: radii 50 and 150 mm meet at the ring gear's rim
    shaft.cone(
        "44 mm", "56 mm", "36 mm", at=(0, "165 mm", 0), angles=(0, 0, "90 deg"), material="steel"
    )
    shaft.box("70 mm", "12 mm", "12 mm", at=(0, "-250 mm", 0)).disc(
        "38 mm", "14 mm", at=(0, "-235 mm", 0), angles=FLAT
    )
    carrier = m.body("carrier", (0, 0, height), color=OCHRE)
    carrier.mesh(
        surface(circle(0.155), 0.11, 0.026, "ring gear"),
        at=("72 mm", 0, 0),
        angles=ALONG_X,
        material="steel",
    )
    carrier.mesh(surface(circle(0.115), 0.03, 0.012, "web"), at=("78 mm", 0, 0), angles=ALONG_X)
    for k in range(4):
        a = math.pi / 4 + k * math.pi / 2
        carrier.box(
            "150 mm",
            "20 mm",
            "20 mm",
            at=(0, 0.088 * math.cos(a), 0.088 * math.sin(a)),
            angles=(0, 0, a),
        )
    carrier.mesh(surface(circle(0.105), 0.03, 0.016, "cover"), at=("-78 mm", 0, 0), angles=ALONG_X)
    # the planets on their pin
    for z in (-1, 1):
        carrier.cone(
            "46 mm",
            "24 mm",
            "34 mm",
            at=(0, 0, f"{z * 62} mm"),
            angles=(0, 0, 0 if z < 0 else "180 deg"),
            material="steel",
        )
    carrier.cylinder("9 mm", "176 mm", material="steel")
    wheels = []
    for name, side, color in (("left", -1, BLUE), ("right", 1, GREEN)):
        wheel = m.body(name, (0, 0, height), color=color)
        wheel.cylinder("15 mm", "440 mm", at=(f"{side * 260} mm", 0, 0), angles=ALONG_X)
        wheel.cone(
            "46 mm",
            "24 mm",
            "30 mm",
            at=(f"{side * 56} mm", 0, 0),
            angles=(0, "-90 deg" if side > 0 else "90 deg", 0),
            material="steel",
        )
        wheel.mesh(
            surface(circle(0.26), 0.185, 0.11, "tyre"),
            at=(f"{side * 470} mm", 0, 0),
            angles=ALONG_X,
            density=900,
        )
        wheel.disc(
            "60 mm", "60 mm", at=(f"{side * 470} mm", 0, 0), angles=ALONG_X, density=ALUMINIUM
        )
        for k in range(5):
            a = 2 * math.pi * k / 5
            wheel.bar(
                "130 mm",
                "38 mm",
                "26 mm",
                at=(f"{side * 470} mm", 0.055 * math.cos(a), 0.055 * math.sin(a)),
                angles=("90 deg", -a, 0),
                density=ALUMINIUM,
            )
        wheels.append(wheel)
    turn = m.pin("shaft bearing", ground, shaft, at=(0, "-430 mm", height), axis=(0, 1, 0))
    cage = m.pin("carrier bearing", ground, carrier, at=("330 mm", 0, height), axis=(1, 0, 0))
    left, right = (
        m.pin(f"{name} axle", ground, wheel, at=(x, 0, height), axis=(1, 0, 0))
        for name, wheel, x in (("left", wheels[0], "-330 mm"), ("right", wheels[1], "330 mm"))
    )
    m.gear("bevel gear", turn, cage, 3)
    m.differential("differential", cage, left, right)
    m.drive("engine", turn, speed=ramp(0, "3*n", duration="1.5 s"))
    for name, joint in (("left resistance", left), ("right resistance", right)):
        m.force("torsion_damper", name, joint=joint, damping="c")
    m.force(
        "friction_torque",
        "brake",
        joint=right,
        torque=ramp(0, "brake", begin="3 s", duration="1 s"),
        speed="0.2 rad/s",
    )
    m.run(duration="8 s")
    plots(m, "Speeds", "body/left/wx", "body/carrier/wx", "body/right/wx")
    return m.project(), Camera((0.0, -0.08, 0.290), -64.0, 22.0, 2.5)


@sample("gears", 1)
def screw_jack() -> tuple[Project, Camera]:
    m = Builder(
        "Screw jack",
        "A torque turns the screw in its nut, and the screw lifts a load that a guide keeps "
        "from turning. One turn lifts by the pitch: the "
        "work of the torque over a turn, 2 pi T, pays for m g times the pitch. Turn counts "
        "stay right however often it turns, because the thread "
        "goes on counting.",
        [
            "At which torque does the load just stay where it is?",
            (
                "Four directions are held more than once. Which joint between screw and load "
                "would free three of them?"
            ),
            "What does a finer pitch change: force, speed, or the work for one metre?",
        ],
    )
    m.parameter(
        "T", "2.2 N*m", "torque", minimum="0 N*m", maximum="4 N*m", slider=True, note="on the screw"
    )
    m.parameter(
        "p", "24 mm", minimum="8 mm", maximum="40 mm", slider=True, note="pitch of the thread"
    )
    m.parameter("M", "50 kg", "mass", minimum="10 kg", maximum="60 kg", slider=True, note="load")
    m.parameter(
        "c",
        "0.03 N*m*s/rad",
        "torsional_damping",
        minimum="0.005 N*m*s/rad",
        maximum="0.2 N*m*s/rad",
        slider=True,
        note="friction of the nut, viscous",
    )
    ground = m.ground.cone(
        "130 mm", "60 mm", "180 mm", at=(0, 0, "104 mm"), density=CAST_IRON, material="cast"
    )
    ground.cylinder(
        "235 mm", "14 mm", at=(0, 0, "7 mm"), density=CAST_IRON, material="cast"
    ).cylinder("62 mm", "50 mm", at=(0, 0, "219 mm"), density=CAST_IRON, material="cast")
    for x in (-1, 1):
        ground.cylinder("14 mm", "640 mm", at=(f"{x * 190} mm", 0, "334 mm"), material="steel")
        ground.cylinder(
            "28 mm", "30 mm", at=(f"{x * 190} mm", 0, "22 mm"), density=CAST_IRON, material="cast"
        )
    ground.box("420 mm", "50 mm", "30 mm", at=(0, 0, "660 mm"), density=CAST_IRON, material="cast")
    screw = m.body("screw", (0, 0, "244 mm"), color=ORANGE)
    screw.cylinder("24 mm", "250 mm", at=(0, 0, "-75 mm"), material="steel")
    # the crests of the thread that show
    for k in range(5):
        screw.disc("28 mm", "6 mm", at=(0, 0, f"{-20 + 13 * k} mm"), density=0, material="steel")
    screw.cylinder("40 mm", "34 mm", at=(0, 0, "57 mm")).cylinder(
        "8 mm", "180 mm", at=("48 mm", 0, "57 mm"), angles=ALONG_X, material="steel"
    )
    screw.sphere("16 mm", at=("140 mm", 0, "57 mm"))
    load = m.body("load", (0, 0, "330 mm"), mass="M", color=BLUE)
    load.cylinder("58 mm", "22 mm", at=(0, 0, 0), material="steel").box(
        "470 mm", "80 mm", "24 mm", at=(0, 0, "23 mm")
    )
    load.box("220 mm", "150 mm", "120 mm", at=(0, 0, "95 mm"))
    for x in (-1, 1):
        load.cylinder("30 mm", "70 mm", at=(f"{x * 190} mm", 0, "23 mm"), material="steel")
    nut = m.screw("nut", ground, screw, at=(0, 0, "244 mm"), axis=(0, 0, 1), pitch="p")
    m.pin("thrust bearing", screw, load, at=(0, 0, "320 mm"), axis=(0, 0, 1))
    m.slider("guide", ground, load, at=(0, 0, "330 mm"), axis=(0, 0, 1))
    m.force("motor_torque", "motor", joint=nut, torque="T")
    m.force("torsion_damper", "friction", joint=nut, damping="c")
    m.run(duration="5 s")
    plots(m, "Turns and lift", "joint/nut/0", "joint/guide/0")
    return m.project(), Camera((0.0, 0.0, 0.330), -60.0, 14.0, 1.75)


@sample("gears", 2)
def universal_joint_pair() -> tuple[Project, Camera]:
    span, height = 0.42, 0.28
    m = Builder(
        "Two Cardan joints",
        "A single Cardan joint passes rotation on unevenly: over half a turn the speed "
        "swings between cos(beta) and 1/cos(beta) of that of the "
        "input. A second one undoes it, if the shafts outside are parallel and the forks of "
        "the shaft between them lie in one plane. The shaft in "
        "the middle shakes all the same.",
        [
            "By how many per cent does the shaft in the middle swing at 30 degrees?",
            "Turn one fork of the middle shaft by 90 degrees: what does the output do?",
            "Why may the output slide along its bearing, and what if it could not?",
        ],
    )
    m.parameter(
        "n",
        "60 rpm",
        "angular_velocity",
        minimum="-180 rpm",
        maximum="180 rpm",
        slider=True,
        note="input",
    )
    beta = math.radians(30)
    m.parameter(
        "c",
        "0.5 N*m*s/rad",
        "torsional_damping",
        minimum="0 N*m*s/rad",
        maximum="5 N*m*s/rad",
        slider=True,
        note="load at the output",
    )
    # input along x below, middle shaft rising by beta, output along x above
    along = (math.cos(beta), 0.0, math.sin(beta))
    first = (0.0, 0.0, height)
    second = (span * along[0], 0.0, height + span * along[2])
    ground = m.ground
    base_plate(ground, "-360 mm", second[0] + 0.36, "75 mm", "75 mm")
    for x, z in ((-0.25, height), (second[0] + 0.25, second[2])):
        ground.box(
            "50 mm",
            "60 mm",
            z - 0.014,
            at=(x, 0, z / 2 + 0.007),
            density=CAST_IRON,
            material="cast",
        )
        ground.disc(
            "46 mm", "50 mm", at=(x, 0, z), angles=ALONG_X, density=CAST_IRON, material="cast"
        )

    def fork(body, at, sign, upright):
        """A yoke that opens towards +x (sign 1) or -x with its pins along y, or along z."""
        x = at[0] - sign * 0.062
        body.box(
            "18 mm", *(("96 mm", "34 mm") if not upright else ("34 mm", "96 mm")), at=(x, 0, 0)
        )
        for s in (-1, 1):
            y, z = (0.0, s * 0.04) if upright else (s * 0.04, 0.0)
            body.box(
                "78 mm",
                *(("16 mm", "30 mm") if not upright else ("30 mm", "16 mm")),
                at=(at[0] - sign * 0.032, y, z),
            )
            body.cylinder(
                "13 mm",
                "18 mm",
                at=(at[0], y, z),
                angles=(0, 0, "90 deg") if not upright else (0, 0, 0),
                material="steel",
            )

    entry = m.body("input", first, color=ORANGE)
    entry.cylinder("16 mm", "300 mm", at=("-215 mm", 0, 0), angles=ALONG_X)
    fork(entry, (0, 0, 0), 1, False)
    entry.disc("70 mm", "22 mm", at=("-345 mm", 0, 0), angles=ALONG_X, material="steel").sphere(
        "13 mm", at=("-345 mm", 0, "52 mm"), density=0
    )
    middle = m.body("middle", first, (0, -beta, 0), color=BLUE)
    middle.cylinder("15 mm", span - 0.13, at=(span / 2, 0, 0), angles=ALONG_X)
    fork(middle, (0, 0, 0), -1, True)
    fork(middle, (span, 0, 0), 1, True)
    leave = m.body("output", second, color=GREEN)
    leave.cylinder("16 mm", "300 mm", at=("215 mm", 0, 0), angles=ALONG_X)
    fork(leave, (0, 0, 0), -1, False)
    leave.disc("70 mm", "22 mm", at=("345 mm", 0, 0), angles=ALONG_X, material="steel").sphere(
        "13 mm", at=("345 mm", 0, "52 mm"), density=0
    )
    upright = (-math.sin(beta), 0.0, math.cos(beta))  # the middle shaft's forks
    drive = m.pin("input bearing", ground, entry, at=(-0.25, 0, height), axis=(1, 0, 0))
    m.universal("first Cardan", entry, middle, at=first, first=(0, 1, 0), second=upright)
    m.universal("second Cardan", middle, leave, at=second, first=upright, second=(0, 1, 0))
    bearing = m.cylindrical(
        "output bearing", ground, leave, at=(second[0] + 0.25, 0, second[2]), axis=(1, 0, 0)
    )
    m.drive("motor", drive, speed="n")
    m.force("torsion_damper", "load", joint=bearing["angle"], damping="c")
    m.run(duration="6 s")
    plots(m, "Speeds about the shafts", "body/input/wx", "body/middle/wx", "body/output/wx")
    return m.project(), Camera((second[0] / 2 + 0.06, 0.0, 0.27), -66.0, 16.0, 2.3)


@sample("gears", 1)
def cam_profile() -> tuple[Project, Camera]:
    base, roller = 0.075, 0.022
    m = Builder(
        "Cam and roller",
        "A cam turns and lifts a roller by a law that was chosen first: up over 120 degrees, "
        "a rest of 60, down over 90, a rest again, each rise "
        "without a jerk. The cam's edge is computed from the law: seen from the cam the "
        "roller travels round it, and the edge is "
        "what that roller leaves standing.",
        [
            (
                "Where does the spring press hardest on the cam, and at which speed would the "
                "roller lift off?"
            ),
            "What becomes of the edge if the roller is larger than its tightest bend?",
            (
                "Why is the acceleration at the ends of each rise zero, and what would you hear "
                "if it were not?"
            ),
        ],
    )
    m.parameter(
        "n",
        "50 rpm",
        "angular_velocity",
        minimum="5 rpm",
        maximum="200 rpm",
        slider=True,
        note="cam",
    )
    m.parameter(
        "k", "3 N/mm", "stiffness", minimum="0 N/mm", maximum="20 N/mm", slider=True, note="spring"
    )
    law = rise_and_return("45 mm", begin="40 deg", rise="120 deg", dwell="60 deg", fall="90 deg")
    height = 0.20
    base_plate(m.ground, "-140 mm", "140 mm", "70 mm", "80 mm")
    bracket(m.ground, 0, "200 mm", "90 mm")
    for x in (-0.105, 0.105):
        m.ground.box(
            "26 mm", "40 mm", "470 mm", at=(x, "42 mm", 0.249), density=CAST_IRON, material="cast"
        )
    for z in (0.375, 0.475):
        m.ground.box(
            "90 mm", "64 mm", "24 mm", at=("-68 mm", "20 mm", z), density=CAST_IRON, material="cast"
        ).box(
            "90 mm", "64 mm", "24 mm", at=("68 mm", "20 mm", z), density=CAST_IRON, material="cast"
        )
    cam = m.body("cam", (0, 0, height), color=ORANGE)
    cam.add(
        "cylinder",
        {"radius": "8 mm", "height": "26 mm"},
        at=("34 mm", 0, 0),
        angles=FLAT,
        density=0,
        material="steel",
    )
    follower = m.body("follower", (0, 0, height + base), color=BLUE)
    follower.disc(roller, "22 mm", angles=FLAT, material="steel").pin("7 mm", "52 mm")
    for y in ("-19 mm", "19 mm"):
        follower.bar("60 mm", "26 mm", "8 mm", at=(0, y, 0), angles=(0, "-90 deg", 0))
    follower.box("40 mm", "48 mm", "16 mm", at=(0, 0, "66 mm")).box(
        "30 mm", "30 mm", "220 mm", at=(0, "10 mm", "176 mm")
    ).box("60 mm", "60 mm", "10 mm", at=(0, "10 mm", "290 mm"))
    shaft = m.pin("shaft", m.ground, cam, at=(0, 0, height))
    guide = m.slider("guide", m.ground, follower, at=(0, 0, height + base), axis=(0, 0, 1))
    lift = m.cam("lift", shaft, guide, law)
    # the edge is cut from the law of the coupling
    profile = roller_profile(m.mechanism.couplings[lift].law, base, roller)
    cam.mesh(surface(profile.profile, 0.011, 0.024, "cam edge"), angles=FLAT).pin("26 mm", "36 mm")
    m.drive("motor", shaft, speed="n")
    m.force("slide_spring", "spring", joint=guide, stiffness="k", free_length="-30 mm")
    m.run(duration="6 s", step="10 ms")
    plots(m, "Lift", "joint/guide/0")
    return m.project(), Camera((0.0, 0.0, 0.275), -66.0, 12.0, 1.5)
