"""Samples of planar mechanisms: Andrews' squeezer, the parallelogram of five bars, the bead on a
circle.
"""

import math

from sample_parts import (
    ALUMINIUM,
    BLUE,
    CAST_IRON,
    FLAT,
    GREEN,
    OCHRE,
    ORANGE,
    PINK,
    base_plate,
    bracket,
    circle,
    plots,
    sample,
    surface,
)

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.project import Camera, Project

# Schiehlen, Multibody Systems Handbook (1990): points of the plane at the standard start [m],
# masses [kg], moments of inertia [kg m^2]
O, A, B, C = (0.0, 0.0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
F, E, G = (
    (0.006986674115451445, -0.0004317230645688955),
    (-0.020960022346354336, 0.0012951691937066864),
    (-0.03399720388583998, 0.01646197167499768),
)
H, D = (-0.03163313450740889, -0.015618868668304536), (-0.010472393888814626, 0.025357788530275253)
CENTERS = (
    (9.182485980307614e-4, -5.674074562905483e-05),
    (-0.0044914333599330725, 0.0002775362557942899),
    (-0.018742186670315457, 0.020485106789073934),
    (-0.030222939830158887, 0.012071182356663938),
    (-0.05323682815570414, 0.016631847966616306),
    (-0.028543268536783597, -0.010722254707252287),
    (-0.059262402801791715, -0.010600698332712844),
)
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
HEIGHT = 0.034


@sample("machines", 3)
def andrews_squeezer() -> tuple[Project, Camera]:
    m = Builder(
        "Andrews' squeezer",
        "Seven bodies, ten pins, three loops and one freedom: the problem on which solvers "
        "of multibody dynamics have been measured "
        "since 1984. A constant torque turns the small crank; it reaches 10 000 turns a "
        "minute within a twentieth of a second, so watch it at "
        "a sixteenth of the speed. Each pin also holds three directions that its loop holds "
        "already.",
        [
            "How often does the crank turn while the big lever squeezes once?",
            "Which bodies store the spring's energy when the crank stands still for an instant?",
            "Three loops of six equations each: how many of the eighteen are needed?",
        ],
        gravity=(0, 0, 0),
    )
    m.parameter(
        "T",
        "33 N*mm",
        "torque",
        minimum="5 N*mm",
        maximum="50 N*mm",
        slider=True,
        note="at the crank",
    )
    m.parameter(
        "k",
        "4530 N/m",
        "stiffness",
        minimum="0 N/m",
        maximum="9000 N/m",
        slider=True,
        note="spring",
    )
    # the problem lies in its own plane; here its origin stands above the floor
    flat = lambda p: (p[0], 0.0, p[1] + HEIGHT)
    ground = m.ground
    for p in (O, A, B, C):
        ground.pin("1.7 mm", "26 mm", at=flat(p))
    ground.plate(
        [(-0.075, -0.024), (0.018, -0.024), (0.018, 0.078), (-0.042, 0.078), (-0.075, 0.012)],
        "5 mm",
        "3 mm",
        at=(0, "13 mm", HEIGHT),
        density=CAST_IRON,
        material="cast",
    )
    # each body's frame stands at its centre of mass with the world's axes; bars are only drawn,
    # masses are the problem's
    bars = (
        ((O, F),),
        ((F, E),),
        ((E, B), (B, D), (D, E)),
        ((E, G),),
        ((G, A),),
        ((E, H),),
        ((H, A),),
    )
    layers, colors, widths = (
        (7, 3, -1, -5, 7, -5, 3),
        (ORANGE, BLUE, GREEN, OCHRE, PINK, OCHRE, BLUE),
        (5, 4, 5, 4, 6, 4, 5),
    )
    bodies: list[BodyHandle] = []
    for k, (x, z) in enumerate(CENTERS):
        i = INERTIAS[k]
        body = m.body(
            f"K{k + 1}",
            flat((x, z)),
            mass=MASSES[k],
            center_of_mass=(0, 0, 0),
            inertia=(i / 2, i, i / 2),
            color=colors[k],
        )
        for p, q in bars[k]:
            body.bar(
                math.dist(p, q),
                f"{widths[k]} mm",
                "3 mm",
                at=(p[0] - x, f"{layers[k]} mm", p[1] - z),
                angles=(0, -math.atan2(q[1] - p[1], q[0] - p[0]), 0),
                density=0,
            )
        bodies.append(body)
    for body, p in ((1, F), (2, E), (4, G), (6, H), (2, D)):
        x, z = CENTERS[body]
        bodies[body].add(
            "cylinder",
            {"radius": "1.3 mm", "height": "18 mm"},
            at=(p[0] - x, "1 mm", p[1] - z),
            angles=FLAT,
            density=0,
            material="steel",
        )
    one, two, three, four, five, six, seven = bodies
    three.point("D", (D[0] - CENTERS[2][0], 0, D[1] - CENTERS[2][1]))
    crank = m.pin("O", ground, one, at=flat(O))
    for name, a, b, p in (
        ("F", one, two, F),
        ("E", two, three, E),
        ("B", ground, three, B),
        ("E upper", two, four, E),
        ("G", four, five, G),
        ("A upper", ground, five, A),
        ("E lower", two, six, E),
        ("H", six, seven, H),
        ("A lower", ground, seven, A),
    ):
        m.pin(name, a, b, at=flat(p))
    m.force(
        "spring",
        "spring",
        a=three,
        b=ground,
        at=(three.world("D"), flat(C)),
        stiffness="k",
        free_length="77.85 mm",
    )
    m.force("motor_torque", "motor", joint=crank, torque="T")
    m.run(duration="50 ms", sample_step="0.1 ms")
    plots(m, "Crank and lever", "joint/O/0", "joint/B/0")
    return m.project(), Camera((-0.028, 0.0, 0.056), -68.0, 12.0, 0.30)


@sample("linkages", 3)
def parallelogram_five_bars() -> tuple[Project, Camera]:
    m = Builder(
        "Parallelogram of five bars",
        "Three equal cranks carry one rod, as the wheels of a locomotive do. Counting says "
        "that it cannot move: -6. It moves all "
        "the same, because all cranks are parallel and equally long, and so seven directions "
        "are held more than once. Whoever builds it "
        "must bore all three cranks to the same length, or it jams.",
        [
            (
                "Which crank can be left out without changing the motion, and what is the "
                "hyperstaticity then?"
            ),
            "What happens when one crank is drawn 1 mm longer than the others?",
            "At which two poses could the middle crank turn the other way round?",
        ],
    )
    m.parameter("L", "180 mm", minimum="100 mm", maximum="240 mm", slider=True, note="cranks")
    m.parameter(
        "omega",
        "7 rad/s",
        "angular_velocity",
        minimum="-15 rad/s",
        maximum="15 rad/s",
        slider=True,
        note="at the start",
    )
    m.parameter(
        "e", "280 mm", minimum="220 mm", maximum="320 mm", slider=True, note="distance of the pins"
    )
    base_plate(m.ground, "-60 mm", "2*e + 60 mm", "18 mm", "66 mm")
    cranks = []
    for k, x in enumerate((0, "e", "2*e")):
        bracket(m.ground, x, "280 mm", "60 mm")
        cranks.append(
            m.link(
                f"crank {k + 1}",
                (x, 0, "280 mm"),
                length="L",
                angle="60 deg",
                width="46 mm",
                thickness="18 mm",
                layer="12 mm",
                color=(ORANGE, GREEN, PINK)[k],
            )
        )
    rod = m.link(
        "rod",
        cranks[0].end,
        length="2*e",
        angle=0,
        width="42 mm",
        thickness="16 mm",
        layer="-11 mm",
        color=BLUE,
    )
    for k in range(3):
        rod.pin("11 mm", "46 mm", at=(f"{k}*e" if k else 0, 0, 0))
    rod.point("middle pin", ("e", 0, 0))
    for k, (x, crank) in enumerate(zip((0, "e", "2*e"), cranks)):
        m.pin("ABC"[k], m.ground, crank, at=(x, 0, "280 mm"), rate="omega")
    for k, (crank, at) in enumerate(zip(cranks, (rod.start, rod.world("middle pin"), rod.end))):
        m.pin("DEF"[k], crank, rod, at=(crank.end, at))
    m.run(duration="6 s")
    plots(m, "Cranks", "joint/A/0", "joint/B/0", "joint/C/0")
    return m.project(), Camera((0.280, 0.0, 0.260), -64.0, 13.0, 1.75)


@sample("dynamics", 2)
def fillets_and_ellipse() -> tuple[Project, Camera]:
    half, deep, apart, base = 0.5, 0.4, 0.2, 0.08
    m = Builder(
        "Fillets and an ellipse",
        "Two beads fall down two wires of the same width and depth. One is bent from straight "
        "pieces with two fillets: where a fillet begins the curvature jumps from 0 to 1/r, and "
        "with it the force on the bead. The other one is an ellipse, whose curvature changes "
        "everywhere and jumps nowhere. The first bead runs over the arc length and moves by m s̈, "
        "the second over the eccentric angle.",
        [
            "Who is at the bottom first, and who comes back first?",
            "How large is the jump of the force where the fillet ends, and at which radius is it "
            "twice as large?",
            "Why does the ellipse's equation have a term of the speed, and that of the fillets "
            "none?",
        ],
    )
    m.parameter(
        "r", "150 mm", "length", minimum="20 mm", maximum="380 mm", slider=True, note="of fillets"
    )
    base_plate(m.ground, -half - 0.05, half + 0.05, "60 mm", "300 mm")
    flat = [(-half, deep), (-half, 0.0), (half, 0.0), (half, deep)]
    track = [(x, apart / 2, base + z) for x, z in flat]
    first = m.body("bead on the fillets", track[0], color=ORANGE)
    first.sphere("28 mm", density=ALUMINIUM)
    m.on_curve("bent", m.ground, first, track, at=track[0], form="polyline", fillet="r")
    rim = (-half, -apart / 2, base + deep)
    second = m.body("bead on the ellipse", rim, color=BLUE)
    second.sphere("28 mm", density=ALUMINIUM)
    m.on_ellipse(
        "oval",
        m.ground,
        second,
        center=(0.0, -apart / 2, base + deep),
        at=rim,
        semi_a=half,
        semi_b=deep,
        normal=(0, -1, 0),
        along=(1, 0, 0),
    )
    m.run(duration="6 s", tolerance="1e-10")
    plots(m, "Heights", "body/bead_on_the_fillets/z", "body/bead_on_the_ellipse/z")
    return m.project(), Camera((0.0, 0.0, 0.44), -72.0, 12.0, 2.5)


@sample("gears", 2)
def roller_and_knife_edge() -> tuple[Project, Camera]:
    out, rounding, high = "40 mm", "30 mm", "220 mm"
    m = Builder(
        "Roller and knife edge",
        "A rounded triangle moves two followers, the upper one with a roller and the lower one "
        "with a knife edge. The centre of the roller runs on a curve beside the cam, at the "
        "distance of its radius; the edge runs on the cam itself. Where the straight sides meet "
        "the rounded corners the curvature jumps, and so do the accelerations of both followers.",
        [
            "How does the lift depend on the radius of the roller?",
            "Which follower is accelerated more, and what does a larger roller change?",
            "At which speed would gravity no longer hold the upper follower on the cam?",
        ],
    )
    m.parameter(
        "n",
        "4 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="30 rad/s",
        slider=True,
        note="speed of the cam",
    )
    m.parameter("r", "20 mm", minimum="2 mm", maximum="60 mm", slider=True, note="of the roller")
    m.parameter(
        "c",
        out,
        minimum="10 mm",
        maximum="40 mm",
        slider=True,
        note="from the shaft to the middle of a rounding",
    )
    m.parameter("f", rounding, minimum="5 mm", maximum="40 mm", slider=True, note="of the rounding")
    base_plate(m.ground, -0.16, 0.16, "60 mm", "160 mm")
    m.ground.box(
        "40 mm", "30 mm", "440 mm", at=(0, "85 mm", high), density=CAST_IRON, material="cast"
    )
    for at in ("370 mm", "50 mm"):
        m.ground.box(
            "40 mm", "90 mm", "20 mm", at=(0, "40 mm", at), density=CAST_IRON, material="cast"
        )
    cam = m.body("cam", (0, 0, high), color=BLUE)
    corner = ((0, "-c"), ("c * cos(30 deg)", "c / 2"), ("-c * cos(30 deg)", "c / 2"))
    cam.plate(corner, "f", "20 mm").pin("10 mm", "120 mm", at=(0, "40 mm", 0), density=0)
    far = "(c + 2 * f)"
    track = (
        (0, 0, f"-{far}"),
        (f"{far} * cos(30 deg)", 0, f"{far} / 2"),
        (f"-{far} * cos(30 deg)", 0, f"{far} / 2"),
    )
    upper = m.body("follower with a roller", (0, 0, f"{high} + c / 2 + f + r"), color=ORANGE)
    upper.pin("r", "16 mm").cylinder("9 mm", "170 mm", at=(0, 0, "85 mm"))
    lower = m.body("follower with an edge", (0, 0, f"{high} - c - f"), color=GREEN)
    lower.cone("9 mm", "1 mm", "24 mm", at=(0, 0, "-12 mm")).cylinder(
        "9 mm", "110 mm", at=(0, 0, "-79 mm")
    )
    shaft = m.pin("shaft", m.ground, cam, at=(0, 0, high))
    m.slider("upper guide", m.ground, upper, at=(0, 0, "370 mm"), axis=(0, 0, 1))
    m.slider("lower guide", m.ground, lower, at=(0, 0, "50 mm"), axis=(0, 0, 1))
    form = {"form": "polyline", "closed": True, "fillet": "f"}
    m.on_curve(
        "rolling", cam, upper, track, at=(0, 0, f"{high} + c / 2 + f + r"), roller="r", **form
    )
    m.on_curve("gliding", cam, lower, track, at=(0, 0, f"{high} - c - f"), **form)
    m.drive("motor", shaft, speed="n")
    m.run(duration="6 s", tolerance="1e-9")
    plots(m, "Speeds", "body/follower_with_a_roller/vz", "body/follower_with_an_edge/vz")
    return m.project(), Camera((0.0, 0.0, 0.25), -66.0, 12.0, 1.35)


@sample("gears", 1)
def flat_faced_follower() -> tuple[Project, Camera]:
    high = "220 mm"
    m = Builder(
        "Flat-faced follower",
        "A round disc turns about a shaft beside its middle and moves two followers, the upper one "
        "with a flat face and the lower one with a roller. The face stands a radius above the "
        "middle of the disc at all times, and so the upper follower moves as a sine of the time. "
        "The place where the disc touches the face wanders to and fro.",
        [
            "Why is the motion of the lower follower no sine of the time?",
            "How wide must the face be, and does the radius of the disc matter?",
            "At which speed would gravity no longer hold the upper follower on the disc?",
        ],
    )
    m.parameter(
        "n",
        "5 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="30 rad/s",
        slider=True,
        note="speed of the disc",
    )
    m.parameter(
        "e",
        "25 mm",
        minimum="0 mm",
        maximum="35 mm",
        slider=True,
        note="from the shaft to the middle of the disc",
    )
    m.parameter("c", "60 mm", minimum="40 mm", maximum="70 mm", slider=True, note="of the disc")
    m.parameter("r", "18 mm", minimum="5 mm", maximum="40 mm", slider=True, note="of the roller")
    base_plate(m.ground, -0.16, 0.16, "60 mm", "160 mm")
    m.ground.box(
        "40 mm", "30 mm", "450 mm", at=(0, "85 mm", "225 mm"), density=CAST_IRON, material="cast"
    )
    for at in ("390 mm", "50 mm"):
        m.ground.box(
            "40 mm", "90 mm", "20 mm", at=(0, "40 mm", at), density=CAST_IRON, material="cast"
        )
    cam = m.body("cam", (0, 0, high), color=BLUE)
    cam.pin("c", "20 mm", at=("e", 0, 0)).pin("10 mm", "120 mm", at=(0, "40 mm", 0), density=0)
    upper = m.body("follower with a face", (0, 0, f"{high} + c"), color=ORANGE)
    upper.box("90 mm", "40 mm", "10 mm", at=(0, 0, "5 mm"))
    upper.cylinder("9 mm", "180 mm", at=(0, 0, "100 mm"))
    low = f"{high} - sqrt((c + r) ^ 2 - e ^ 2)"
    lower = m.body("follower with a roller", (0, 0, low), color=GREEN)
    lower.pin("r", "16 mm").cylinder("9 mm", "120 mm", at=(0, 0, "-60 mm"))
    shaft = m.pin("shaft", m.ground, cam, at=(0, 0, high))
    m.slider("upper guide", m.ground, upper, at=(0, 0, "390 mm"), axis=(0, 0, 1))
    m.slider("lower guide", m.ground, lower, at=(0, 0, "50 mm"), axis=(0, 0, 1))
    m.flat_follower(
        "face",
        cam,
        upper,
        (("e + c", 0, 0), ("e", "c", 0), ("e - c", 0, 0)),
        center=(0, 0, high),
        at=(0, 0, f"{high} + c"),
        normal=(0, 0, 1),
        form="circle",
    )
    rim = (("e + c", 0, 0), ("e", 0, "c"), ("e - c", 0, 0))
    m.on_curve("roller", cam, lower, rim, at=(0, 0, low), form="circle", roller="r")
    m.drive("motor", shaft, speed="n")
    m.run(duration="6 s", tolerance="1e-9")
    plots(m, "Speeds", "body/follower_with_a_face/vz", "body/follower_with_a_roller/vz")
    return m.project(), Camera((0.0, 0.0, 0.25), -66.0, 12.0, 1.35)


@sample("dynamics", 2)
def bead_on_circle() -> tuple[Project, Camera]:
    radius = 0.24
    m = Builder(
        "Bead on a circle",
        "A bead slides without friction on a wire bent into a circle. What the wire holds is "
        "not the path but the acceleration across it: its "
        "force on the bead is the multiplier lambda of the constraint, and it points "
        "outwards at the top and inwards at the bottom. The "
        "rotation of the bead is free: three more freedoms that nothing drives.",
        [
            "At which height does the wire press neither in nor out?",
            (
                "With the push at zero: how long does the bead stay on top, and why not for ever "
                "in this program?"
            ),
            "The bead runs down as a pendulum swings. How long is that pendulum?",
        ],
    )
    m.parameter(
        "push",
        "0.4 m/s",
        "velocity",
        minimum="-4 m/s",
        maximum="4 m/s",
        slider=True,
        note="at the start",
    )
    m.parameter("m_b", "0.5 kg", "mass", minimum="0.2 kg", maximum="5 kg", slider=True, note="bead")
    height = 0.34
    base_plate(m.ground, "-150 mm", "150 mm", "60 mm", "60 mm")
    m.ground.box(
        "26 mm",
        "26 mm",
        f"{1000 * (height - radius) - 14:g} mm",
        at=(0, 0, (height - radius + 0.014) / 2),
        density=CAST_IRON,
        material="cast",
    )
    ring = surface(circle(radius + 0.005, 120), radius - 0.005, 0.010, "wire")
    m.ground.mesh(ring, at=(0, 0, height), angles=FLAT, material="steel")
    points = [(0.0, 0.0, height + radius), (radius, 0.0, height), (0.0, 0.0, height - radius)]
    bead = m.body("bead", points[0], mass="m_b", color=ORANGE)
    bead.sphere("26 mm", density=ALUMINIUM)
    m.on_curve(
        "wire",
        m.ground,
        bead,
        points,
        at=points[0],
        form="circle",
        rate=("push", 0, 0, 0),
    )
    m.run(duration="6 s", tolerance="1e-10")
    plots(m, "Way and height", "joint/wire/0", "body/bead/z")
    return m.project(), Camera((0.0, 0.0, 0.320), -68.0, 12.0, 1.65)
