"""Samples of oscillations: vibration absorber, chain of masses, Kapitza's and the elastic pendulum,
Foucault's and Wilberforce's pendulum, Atwood's machine.
"""

from sample_parts import (
    BLUE,
    CAST_IRON,
    FLAT,
    GREEN,
    OCHRE,
    ORANGE,
    base_plate,
    plots,
    sample,
)

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

LEAD = 11340.0  # [kg/m^3]


def track(m: Builder, left: str, right: str, long: str) -> None:
    """A rail along x that carriages run on, and a wall at its left end."""
    base_plate(m.ground, left, right, "60 mm", "60 mm")
    m.ground.box(
        long,
        "30 mm",
        "16 mm",
        at=(f"0.5*({left} + {right})", 0, "22 mm"),
        density=CAST_IRON,
        material="steel",
    )
    m.ground.box(
        "20 mm", "90 mm", "110 mm", at=(left, 0, "69 mm"), density=CAST_IRON, material="cast"
    )


@sample("dynamics", 2)
def vibration_absorber() -> tuple[Project, Camera]:
    m = Builder(
        "Vibration absorber",
        "A force shakes the large mass; the small one hangs on it by a spring that is tuned to the "
        "same frequency. It swings so that its spring cancels the force at every instant, and the "
        "large mass stands still: Frahm's absorber of 1909. A little off tune, both move.",
        [
            "How large is the swing of the small mass, in terms of force and spring?",
            "Change the stiffness k by a tenth: why do both masses move now?",
            "Which two frequencies make the pair resonate (den Hartog)?",
        ],
    )
    m.parameter("k", "200 N/m", "stiffness", minimum="125 N/m", maximum="300 N/m", slider=True)
    # stronger, or for longer, resonance would drive the masses through one another
    m.parameter("F", "5.5 N", "force", minimum="0 N", maximum="6.25 N", slider=True, note="shaking")
    m.parameter(
        "Omega",
        "10 rad/s",
        "angular_velocity",
        minimum="7 rad/s",
        maximum="14 rad/s",
        slider=True,
        note="of the force",
    )
    track(m, "-340 mm", "620 mm", "940 mm")
    z = "90 mm"
    large = m.body("machine", (0, 0, z), mass="10 kg", center_of_mass=(0, 0, 0), color=BLUE)
    large.box("150 mm", "90 mm", "100 mm", at=(0, 0, "-6 mm"))
    small = m.body(
        "absorber", ("400 mm", 0, z), mass="2 kg", center_of_mass=(0, 0, 0), color=ORANGE
    )
    small.box("70 mm", "60 mm", "70 mm", at=(0, 0, "-20 mm"))
    one = m.slider("rail", m.ground, large, at=((0, 0, z), (0, 0, z)), axis=(1, 0, 0))
    two = m.slider(
        "rail of absorber",
        m.ground,
        small,
        at=(("400 mm", 0, z), ("400 mm", 0, z)),
        axis=(1, 0, 0),
        rate="-F*Omega/k",
    )
    m.force(
        "spring",
        "mount",
        a=m.ground,
        b=large,
        at=(("-330 mm", 0, z), (0, 0, z)),
        stiffness="1000 N/m",
        free_length="330 mm",
    )
    m.force(
        "spring",
        "tuned spring",
        a=large,
        b=small,
        at=((0, 0, z), ("400 mm", 0, z)),
        stiffness="k",
        free_length="400 mm",
    )
    m.force("motor_force", "shaking force", joint=one, force="F*sin(Omega*t)")
    # the machine stands still: a wider one would be as large as its motion
    m.run(duration="5 s", tolerance=1e-13)
    plots(m, "Machine and absorber", f"joint/{one.id}/0", f"joint/{two.id}/0")
    return m.project(), Camera((0.14, 0.0, 0.08), -58.0, 20.0, 1.8)


@sample("dynamics", 2)
def chain_of_masses() -> tuple[Project, Camera]:
    count, spacing = 4, 0.14
    m = Builder(
        "Chain of masses",
        "Four equal masses between five equal springs. The first is struck, and a wave runs to the "
        "wall and back. Every motion of the chain is a sum of four modes, half sines over the "
        "chain, with the frequencies 2 sqrt(k/m) sin(n pi/10).",
        [
            "Which mode has the highest frequency, and how do neighbours move in it?",
            "How long does the blow need to the other end?",
            "Which blow would wake the lowest mode alone?",
        ],
    )
    m.parameter("k", "120 N/m", "stiffness", minimum="60 N/m", maximum="300 N/m", slider=True)
    m.parameter(
        "v",
        "0.6 m/s",
        "velocity",
        minimum="0.1 m/s",
        maximum="0.8 m/s",
        slider=True,
        note="of the first mass after the blow",
    )
    track(m, "-150 mm", "570 mm", "700 mm")
    m.ground.box(
        "20 mm",
        "90 mm",
        "110 mm",
        at=(spacing * count, 0, "69 mm"),
        density=CAST_IRON,
        material="cast",
    )
    z = "80 mm"
    colors = (ORANGE, BLUE, GREEN, OCHRE)
    bodies, joints = [m.ground], []
    for k in range(count):
        body = m.body(
            f"mass {k + 1}",
            (spacing * k, 0, z),
            mass="1 kg",
            center_of_mass=(0, 0, 0),
            color=colors[k],
        )
        body.box("56 mm", "56 mm", "56 mm", at=(0, 0, "-22 mm"))
        joints.append(
            m.slider(
                f"rail {k + 1}",
                m.ground,
                body,
                at=(body.world(), body.world()),
                axis=(1, 0, 0),
                **({"rate": "v"} if k == 0 else {}),
            )
        )
        bodies.append(body)
    bodies.append(m.ground)
    for k in range(count + 1):
        ends = (spacing * (k - 1), 0, z), (spacing * k, 0, z)
        m.force(
            "spring",
            f"spring {k + 1}",
            a=bodies[k],
            b=bodies[k + 1],
            at=ends,
            stiffness="k",
            free_length=spacing,
        )
    m.run(duration="8 s")
    plots(m, "Masses", *(f"joint/{joint.id}/0" for joint in joints))
    return m.project(), Camera((0.21, 0.0, 0.07), -58.0, 20.0, 1.45)


@sample("dynamics", 3)
def kapitza_pendulum() -> tuple[Project, Camera]:
    m = Builder(
        "Kapitza's pendulum",
        "The pivot shakes up and down, and the pendulum stands on its head as if a spring held it. "
        "A tiny lean comes back where (a Omega)^2 is more than 2 g L; the 8 degrees of this start "
        "ask for about a quarter more. The mean effect of a fast shake acts like a potential with "
        "a valley at the top. L is I/(m c), that of a simple pendulum.",
        [
            "How slowly may the pivot shake until the pendulum falls?",
            "How fast does it swing about the top, in terms of a, Omega and L?",
            "Does the lower position stay stable while the upper one is?",
        ],
    )
    m.parameter(
        "a", "20 mm", minimum="15 mm", maximum="28 mm", slider=True, note="amplitude of the pivot"
    )
    m.parameter(
        "Omega",
        "180 rad/s",
        "angular_velocity",
        minimum="80 rad/s",
        maximum="220 rad/s",
        slider=True,
    )
    base_plate(m.ground, "-110 mm", "110 mm", "60 mm", "70 mm")
    m.ground.box(
        "50 mm", "30 mm", "330 mm", at=(0, "45 mm", "179 mm"), density=CAST_IRON, material="cast"
    )
    pivot = m.body("pivot", (0, 0, "280 mm"), color=BLUE)
    pivot.box("60 mm", "26 mm", "50 mm", at=(0, "16 mm", 0)).pin(
        "9 mm", "50 mm", at=(0, "-6 mm", 0)
    )
    rod = m.link(
        "pendulum",
        (0, 0, "280 mm"),
        length="250 mm",
        angle="82 deg",
        width="24 mm",
        thickness="12 mm",
        layer="-18 mm",
        color=ORANGE,
    )
    rod.disc("26 mm", "16 mm", at=("250 mm", "-18 mm", 0), angles=FLAT, material="steel")
    slide = m.slider(
        "shaker",
        m.ground,
        pivot,
        at=((0, 0, "280 mm"), (0, 0, "280 mm")),
        axis=(0, 0, 1),
        rate="a*Omega",
    )
    pin = m.pin("pin", pivot, rod, at=(0, 0, "280 mm"), rate="0 rad/s")
    m.drive("shake", slide, position="a*sin(Omega*t)")
    m.run(duration="5 s", sample_step="2 ms")
    plots(m, "Pendulum", f"joint/{pin.id}/0")
    return m.project(), Camera((0.0, 0.0, 0.3), -64.0, 12.0, 1.35)


@sample("dynamics", 2)
def elastic_pendulum() -> tuple[Project, Camera]:
    m = Builder(
        "Elastic pendulum",
        "A ball on a soft spring bounces twice as fast as it swings. At this ratio the two motions "
        "feed each other: bouncing turns into swinging and back, over and over, although the "
        "energy stays what it was. A much stiffer spring spoils the exchange.",
        [
            "How does the ratio 2 : 1 follow from k, m, g and the length at rest?",
            "How long does a whole exchange take, and on what does that depend?",
            "What happens at a ratio of 3 : 1?",
        ],
    )
    # k L = 4 m g with the length at rest L = l + m g / k: the spring is stretched by L / 4
    m.parameter("k", "98.1 N/m", "stiffness", minimum="50 N/m", maximum="200 N/m", slider=True)
    m.parameter(
        "alpha",
        "6 deg",
        "angle",
        minimum="2 deg",
        maximum="20 deg",
        slider=True,
        note="from the vertical at the start",
    )
    top = (0, 0, "760 mm")
    base_plate(m.ground, "-120 mm", "120 mm", "60 mm", "110 mm")
    m.ground.box(
        "40 mm", "30 mm", "760 mm", at=(0, "75 mm", "394 mm"), density=CAST_IRON, material="cast"
    )
    m.ground.box(
        "40 mm", "90 mm", "30 mm", at=(0, "45 mm", "770 mm"), density=CAST_IRON, material="cast"
    )
    ball = m.body(
        "ball",
        ("460 mm*sin(alpha)", 0, "760 mm - 460 mm*cos(alpha)"),
        mass="1 kg",
        center_of_mass=(0, 0, 0),
        color=ORANGE,
    )
    ball.sphere("40 mm")
    joint = m.planar("plane", m.ground, ball, at=ball.world(), normal=(0, -1, 0))
    m.force(
        "spring",
        "spring",
        a=m.ground,
        b=ball,
        at=(top, ball.world()),
        stiffness="k",
        free_length="300 mm",
    )
    m.mark("trail", ball, value="8 s")
    m.run(duration="20 s")
    plots(m, "Ball", f"joint/{joint.id}/0", f"joint/{joint.id}/1")
    return m.project(), Camera((0.0, 0.0, 0.42), -68.0, 8.0, 1.9)


@sample("dynamics", 2)
def foucault_pendulum() -> tuple[Project, Camera]:
    m = Builder(
        "Foucault's pendulum",
        "The pendulum hangs over the middle of a turning table, as over the pole of the earth. "
        "Nothing turns its plane, so on the table it drifts backwards, once round for each turn. "
        "Look from above, and let the camera ride on the table.",
        [
            "How long does the plane need for a whole turn on the table?",
            "What would it be at a latitude of 30 degrees?",
            "Which force would an observer on the table invent?",
        ],
    )
    m.parameter(
        "Omega",
        "0.3 rad/s",
        "angular_velocity",
        minimum="-1 rad/s",
        maximum="1 rad/s",
        slider=True,
        note="of the table",
    )
    height = "700 mm"
    base_plate(m.ground, "-60 mm", "60 mm", "60 mm", "60 mm")
    m.ground.cylinder("18 mm", "30 mm", at=(0, 0, "28 mm"), density=CAST_IRON, material="steel")
    table = m.body("table", (0, 0, "50 mm"), color=BLUE)
    table.disc("300 mm", "14 mm")
    for x in ("-285 mm", "285 mm"):
        table.box("26 mm", "40 mm", "680 mm", at=(x, 0, "340 mm"))
    table.box("600 mm", "40 mm", "26 mm", at=(0, 0, "680 mm"))
    table.box("520 mm", "6 mm", "4 mm", at=(0, 0, "8 mm"), material="steel")
    bob = m.body("pendulum", (0, 0, height), (0, "20 deg", 0), color=ORANGE)
    bob.cylinder("5 mm", "520 mm", at=(0, 0, "-260 mm"), material="steel")
    bob.sphere("45 mm", at=(0, 0, "-540 mm"), density=LEAD)
    hinge = m.pin("table", m.ground, table, at=table.world(), axis=(0, 0, 1), rate="Omega")
    m.ball("pivot", m.ground, bob, at=bob.world())
    m.drive("motor", hinge, speed="Omega")
    bob.point("tip", (0, 0, "-540 mm"))
    m.mark("trail", bob, "tip", value="6 s")
    m.run(duration="21 s")
    plots(m, "Pivot", "joint/pivot/0", "joint/pivot/1")
    return m.project(), Camera((0.0, 0.0, 0.33), -55.0, 24.0, 1.9)


@sample("machines", 1)
def atwood_machine() -> tuple[Project, Camera]:
    r = "80 mm"
    m = Builder(
        "Atwood's machine",
        "Two weights hang on one cord over a pulley, and only their small difference drives both: "
        "gravity is diluted until it can be timed by hand (1784). The pulley takes its share, so "
        "the cord pulls harder on the side that sinks, until that weight meets the plate.",
        [
            "How large is the acceleration when the pulley counts as well?",
            "How large is the difference between the two pulls of the cord?",
            "What is read when both weights are equal?",
        ],
    )
    m.parameter("m_1", "2.2 kg", "mass", minimum="1.5 kg", maximum="2.5 kg", slider=True)
    m.parameter("m_2", "2 kg", "mass", minimum="1.5 kg", maximum="2.5 kg", slider=True)
    height = 0.85
    base_plate(m.ground, "-130 mm", "130 mm", "60 mm", "110 mm")
    m.ground.plate(
        [(0, 0), ("-26 mm", "-820 mm"), ("26 mm", "-820 mm")],
        "26 mm",
        "20 mm",
        at=(0, "75 mm", height),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("10 mm", "90 mm", at=(0, "40 mm", height))
    wheel = m.body("pulley", (0, 0, height), color=BLUE)
    wheel.disc(r, "24 mm", angles=FLAT, density=1500)
    wheel.pin("14 mm", "34 mm").pin("6 mm", "30 mm", at=("55 mm", 0, 0))
    pulley = m.pin("pulley", m.ground, wheel, at=wheel.world())
    slides = []
    for name, side, mass, color, z in (
        ("left weight", -1, "m_1", ORANGE, 0.43),
        ("right weight", 1, "m_2", GREEN, 0.43),
    ):
        x = 0.08 * side
        weight = m.body(name, (x, 0, z), mass=mass, center_of_mass=(0, 0, 0), color=color)
        weight.cylinder("32 mm", "80 mm")
        weight.cylinder("4 mm", "40 mm", at=(0, 0, "55 mm"), material="steel")
        slides.append(
            m.slider(
                f"cord {name}",
                m.ground,
                weight,
                at=(weight.world(), weight.world()),
                axis=(0, 0, 1),
                limits=("-360 mm", None),
            )
        )
    # the left weight sinks while the pulley turns counter-clockwise on screen
    m.rack("left cord", pulley, slides[0], "-80 mm")
    m.rack("right cord", pulley, slides[1], r)
    m.run(duration="5 s", sample_step="5 ms")
    plots(m, "Weights", *(f"joint/{slide.id}/0" for slide in slides))
    return m.project(), Camera((0.0, 0.0, 0.47), -60.0, 10.0, 2.2)


@sample("dynamics", 3)
def wilberforce_pendulum() -> tuple[Project, Camera]:
    top, length = 0.72, 0.42
    m = Builder(
        "Wilberforce's pendulum",
        "A weight hangs on a coil spring, which turns a little when it is stretched. Both motions, "
        "up and down and to and fro about the axis, have the same frequency here, and a weak "
        "coupling is enough: the bouncing dies away while the weight begins to turn, and comes "
        "back, again and again. Wilberforce built it in 1894 to measure springs.",
        [
            "How long does it take until the weight only turns, in terms of eps, m and I?",
            "How must it be let go so that it bounces and turns in one constant way for ever?",
            "Move the nuts of the weight, here I: why does it not hand over all of its energy now?",
        ],
    )
    m.parameter("k", "40 N/m", "stiffness", minimum="30 N/m", maximum="60 N/m", slider=True)
    m.parameter(
        "delta",
        "0.1 N*m/rad",
        "torsional_stiffness",
        minimum="0.07 N*m/rad",
        maximum="0.15 N*m/rad",
        slider=True,
        note="of the spring in turning",
    )
    m.parameter(
        "eps",
        "0.3 N/rad",
        "coupled_stiffness",
        minimum="0 N/rad",
        maximum="0.8 N/rad",
        slider=True,
        note="coupling of stretch and turn",
    )
    m.parameter(
        "I",
        "0.0025 kg*m^2",
        "inertia",
        minimum="0.0018 kg*m^2",
        maximum="0.0035 kg*m^2",
        slider=True,
        note="of the weight about the axis",
    )
    m.parameter(
        "z_0",
        "60 mm",
        minimum="10 mm",
        maximum="80 mm",
        slider=True,
        note="pulled down at the start",
    )
    base_plate(m.ground, "-120 mm", "120 mm", "90 mm", "120 mm")
    m.ground.box(
        "40 mm", "30 mm", top, at=(0, "105 mm", 0.5 * top), density=CAST_IRON, material="cast"
    )
    m.ground.box(
        "40 mm", "125 mm", "24 mm", at=(0, "57 mm", top), density=CAST_IRON, material="cast"
    )
    rest = top - length
    bob = m.body(
        "weight",
        (0, 0, f"{rest:g} m - z_0"),
        mass="1 kg",
        center_of_mass=(0, 0, 0),
        inertia=("0.002 kg*m^2", "0.002 kg*m^2", "I"),
        color=ORANGE,
    )
    bob.cylinder("28 mm", "60 mm", at=(0, 0, "-30 mm"))
    for side in (-1, 1):
        bob.cylinder(
            "4 mm",
            "70 mm",
            at=(f"{side * 60} mm", 0, "-30 mm"),
            angles=(0, "90 deg", 0),
            material="steel",
        )
        bob.sphere("13 mm", at=(f"{side * 82} mm", 0, "-30 mm"), material="paint")
    axis = m.cylindrical("axis", m.ground, bob, at=((0, 0, rest), bob.world()), axis=(0, 0, 1))
    m.hide(axis)
    # it hangs at rest at z = 0: the spring carries the weight there
    m.force(
        "spring",
        "coil",
        a=m.ground,
        b=bob,
        at=((0, 0, top - 0.012), bob.world()),
        stiffness="k",
        free_length=f"{length - 0.012:g} m - 1 kg*9.81 m/s^2/k",
    )
    id = m.force(
        "bushing",
        "twist of the coil",
        a=m.ground,
        b=bob,
        at=((0, 0, rest), bob.world()),
        **{f"k_{axis}_{axis}": 0 for axis in ("rx", "ry", "x", "y", "z")},
        **{f"d_{axis}_{axis}": 0 for axis in ("rx", "ry", "rz", "x", "y", "z")},
        k_rz_rz="delta",
        k_rz_z="eps/2",
    )
    m.hide(id)
    m.run(duration="28 s")
    plots(m, "Bouncing and turning", f"joint/{axis.id}/0", f"joint/{axis.id}/1")
    return m.project(), Camera((0.0, 0.0, 0.38), -62.0, 12.0, 1.75)
