"""Samples of what rolls and slides on a floor: a disc that leans, a sleigh on a blade, two vacuum
cleaners, a snakeboard, a wheel.
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
    circle,
    plots,
    sample,
    surface,
)

from mechstudio.builder import BodyHandle, Builder, JointHandle
from mechstudio.model.project import Camera, Project


def floor(ground: BodyHandle, left: float, right: float, front: float, back: float) -> None:
    """A slab with round corners whose top is the floor z = 0."""
    # turned by FLAT, the plate's second axis points to the front
    ground.plate(
        [(left, -front), (right, -front), (right, -back), (left, -back)],
        "60 mm",
        "14 mm",
        at=(0, 0, "-7 mm"),
        angles=FLAT,
        density=CAST_IRON,
        material="cast",
    )


@sample("rolling", 3)
def rolling_disc() -> tuple[Project, Camera]:
    m = Builder(
        "Rolling disc",
        "A disc rolls on a floor without slipping and leans as it likes. Instead of falling "
        "it steers towards the side to which it leans, as a "
        "coin or a bicycle does. Two equations between velocities hold the point of contact "
        "at rest; no position is forbidden by them, so "
        "the disc has five freedoms of place and three of motion.",
        [
            "Which five numbers tell where the disc is, and which three how it moves?",
            "How slowly may it roll upright before it falls over?",
            (
                "Can it come back to where it was with another spin angle? What does that say "
                "about the two equations?"
            ),
        ],
    )
    m.parameter("r", "150 mm", minimum="80 mm", maximum="250 mm", slider=True, note="radius")
    m.parameter(
        "alpha",
        "72 deg",
        "angle",
        minimum="35 deg",
        maximum="88 deg",
        slider=True,
        note="lean at the start, 90 deg upright",
    )
    m.parameter(
        "omega",
        "8 rad/s",
        "angular_velocity",
        minimum="2 rad/s",
        maximum="25 rad/s",
        slider=True,
        note="spin at the start",
    )
    m.parameter(
        "turn",
        "0.6 rad/s",
        "angular_velocity",
        minimum="-3 rad/s",
        maximum="3 rad/s",
        slider=True,
        note="heading rate at the start",
    )
    m.ground.cylinder("820 mm", "14 mm", at=(0, 0, "-7 mm"), density=CAST_IRON, material="cast")
    # the point of contact at (0, -0.45, 0), the disc heading along x; its axis is the body's z
    disc = m.body(
        "disc", (0, "r*cos(alpha) - 450 mm", "r*sin(alpha)"), (0, 0, "alpha"), color=ORANGE
    )
    disc.disc("r", "14 mm").cylinder("r/5", "34 mm", material="steel")
    for k in range(6):
        a = k * math.pi / 3
        disc.cylinder(
            "r/8",
            "20 mm",
            at=(f"{math.cos(a):.6f}*0.62*r", f"{math.sin(a):.6f}*0.62*r", 0),
            density=0,
            material="steel",
        )
    # rolling: the contact runs along x' with -r times the spin
    m.rolling_disc(
        "floor",
        m.ground,
        disc,
        center=disc.world(),
        axis=(0, -math.sin(math.radians(72)), math.cos(math.radians(72))),
        radius="r",
        at=(0, "-450 mm", 0),
        rate=("r*omega", 0, "turn", 0, "-omega"),
    )
    m.run(duration="8 s")
    plots(m, "Lean and heading", "joint/floor/3", "joint/floor/2")
    return m.project(), Camera((0.0, 0.0, 0.03), -62.0, 24.0, 2.5)


@sample("rolling", 2)
def bicycle_wheel() -> tuple[Project, Camera]:
    lean = 68.0
    m = Builder(
        "Bicycle wheel in a circle",
        "A wheel, all of whose mass is in its rim, rolls in a circle and leans inwards, just fast "
        "enough not to fall: gravity turns its angular momentum about the vertical. After a round "
        "the wheel stands where it stood, but not its valve: the way round decides how far it has "
        "turned, and no equation of places alone could say so.",
        [
            "How far has the wheel turned after one round, and where is the valve then?",
            "How fast must it go round when it leans further, and why?",
            "Which radius of the circle brings the valve back to where it was?",
        ],
    )
    m.parameter(
        "rho", "700 mm", minimum="500 mm", maximum="1000 mm", slider=True, note="of the circle"
    )
    # rounds about the circle's middle, so that the moment of weight and pull turns the spin
    turn = (
        f"sqrt(9.81 m/s^2*cos({lean} deg)/(sin({lean} deg)*(2*rho - 510 mm*cos({lean} deg))))*1 rad"
    )
    m.ground.cylinder("1050 mm", "14 mm", at=(0, 0, "-7 mm"), density=CAST_IRON, material="cast")
    # the point of contact at (0, -rho, 0), the wheel heading along x; its axis is the body's z
    wheel = m.body(
        "wheel",
        (0, f"340 mm*cos({lean} deg) - rho", f"340 mm*sin({lean} deg)"),
        (0, 0, f"{lean} deg"),
        color=ORANGE,
        mass="1.2 kg",
        center_of_mass=(0, 0, 0),
        inertia=("0.06936 kg*m^2", "0.06936 kg*m^2", "0.13872 kg*m^2"),
    )
    wheel.mesh(surface(circle(0.340, 96), 0.316, 0.024, "rim"), density=ALUMINIUM)
    wheel.cylinder("22 mm", "70 mm", density=0, material="steel")
    for k in range(12):
        a = k * math.pi / 6
        wheel.cylinder(
            "2 mm",
            "300 mm",
            at=(0.168 * math.cos(a), 0.168 * math.sin(a), 0),
            angles=(f"{math.degrees(a)} deg", "90 deg", 0),
            density=0,
            material="steel",
        )
    wheel.sphere("18 mm", at=(0.300, 0, 0), density=0, material="steel")
    m.rolling_disc(
        "floor",
        m.ground,
        wheel,
        center=wheel.world(),
        axis=(0, -math.sin(math.radians(lean)), math.cos(math.radians(lean))),
        radius="340 mm",
        at=(0, "-rho", 0),
        rate=(f"rho*{turn}/1 rad", 0, turn, 0, f"-{turn}*rho/340 mm"),
    )
    m.run(duration="8 s")
    plots(m, "Lean and heading", "joint/floor/3", "joint/floor/2")
    return m.project(), Camera((0.0, 0.0, 0.05), -58.0, 26.0, 4.3)


@sample("rolling", 2)
def knife_edge_sleigh() -> tuple[Project, Camera]:
    m = Builder(
        "Sleigh on a blade",
        "A sleigh stands on a blade that glides along its edge and never sideways; two "
        "smooth knobs carry its front. Pushed off backwards, blade "
        "ahead, it does not stay on its way: it swings round by itself and leaves with the "
        "centre of mass ahead, as fast as it came. No force "
        "acts in the direction of motion, and the energy stays.",
        [
            "Which way round is the motion stable: blade first or mass first?",
            (
                "The equation of the blade, no side slip, takes a freedom of motion. Does it "
                "take one of place?"
            ),
            "Played backwards, is this a motion of the same sleigh?",
        ],
    )
    m.parameter(
        "v",
        "-0.4 m/s",
        "velocity",
        minimum="-2 m/s",
        maximum="2 m/s",
        slider=True,
        note="along the blade at the start",
    )
    m.parameter(
        "w",
        "0.1 rad/s",
        "angular_velocity",
        minimum="-3 rad/s",
        maximum="3 rad/s",
        slider=True,
        note="turning at the start",
    )
    m.parameter(
        "a",
        "120 mm",
        minimum="40 mm",
        maximum="200 mm",
        slider=True,
        note="from the blade forward to the centre of mass",
    )
    floor(m.ground, -0.6, 1.05, -1.65, 0.3)
    sleigh = m.body(
        "sleigh",
        (0.7, 0, 0),
        mass="6 kg",
        center_of_mass=("a", 0, "80 mm"),
        inertia=("0.15 kg*m^2", "0.15 kg*m^2", "0.26 kg*m^2"),
        color=BLUE,
    )
    sleigh.box("150 mm", "7 mm", "56 mm", at=(0, 0, "28 mm"), material="steel")
    sleigh.plate(
        [("-70 mm", "-60 mm"), ("-70 mm", "60 mm"), ("300 mm", "90 mm"), ("300 mm", "-90 mm")],
        "24 mm",
        "16 mm",
        at=(0, 0, "64 mm"),
        angles=FLAT,
    )
    for y in ("-80 mm", "80 mm"):
        sleigh.cylinder("12 mm", "44 mm", at=("285 mm", y, "42 mm"), material="steel").sphere(
            "20 mm", at=("285 mm", y, "20 mm"), material="steel"
        )
    sleigh.add(
        "cylinder",
        {"radius": "62 mm", "height": "60 mm"},
        at=("a", 0, "102 mm"),
        density=0,
        material="paint",
    )
    sleigh.add(
        "cylinder",
        {"radius": "20 mm", "height": "70 mm"},
        at=("a", 0, "104 mm"),
        density=0,
        material="steel",
    )
    m.knife_edge("blade", m.ground, sleigh, at=sleigh.world(), along=(1, 0, 0), rate=("v", 0, "w"))
    m.run(duration="8 s")
    plots(m, "Heading", "joint/blade/2")
    return m.project(), Camera((0.22, -0.68, 0.0), -66.0, 32.0, 4.0)


def _vacuum(m: Builder, name: str, y: float, color: int) -> tuple[BodyHandle, list[JointHandle]]:
    """A vacuum cleaner at (0, y) heading along x, and the pins of its left and right wheel."""
    body = m.body(name, (-0.75, y, 0), color=color)
    body.cylinder("170 mm", "62 mm", at=(0, 0, "51 mm"), density=220).cylinder(
        "120 mm", "14 mm", at=(0, 0, "88 mm"), density=220, material="steel"
    )
    body.cylinder("36 mm", "16 mm", at=("70 mm", 0, "98 mm"), density=300).box(
        "20 mm", "150 mm", "30 mm", at=("158 mm", 0, "44 mm"), density=300, material="steel"
    )
    pins = []
    for side, dy in (("left", 1), ("right", -1)):
        wheel = m.body(f"{name} {side}", (-0.75, y + dy * 0.155, "35 mm"), color=OCHRE)
        wheel.cylinder("35 mm", "22 mm", angles=(0, 0, "90 deg"), density=1200).cylinder(
            "14 mm", "26 mm", angles=(0, 0, "90 deg"), density=1200, material="steel"
        )
        wheel.sphere("5 mm", at=("24 mm", f"{dy * 11} mm", 0), density=0, material="steel")
        pins.append(m.pin(f"{name} {side} axle", body, wheel, at=wheel.world(), axis=(0, 1, 0)))
        m.hide(pins[-1])
        m.hide(
            m.rolling_wheel(
                f"{name} {side} tyre",
                m.ground,
                wheel,
                center=wheel.world(),
                axis=(0, 1, 0),
                radius="35 mm",
                at=(-0.75, y, 0),
            )
        )
    return body, pins


@sample("rolling", 2)
def robot_vacuum() -> tuple[Project, Camera]:
    m = Builder(
        "Two vacuum cleaners",
        "The same machine twice, described differently. The blue one lies on the floor by a "
        "planar joint: its place is three numbers, and all of them "
        "fit the floor. The green one has six, and three points of it are held on the floor "
        "by an equation each: 6 - 3 = 3. Two driven "
        "wheels steer both, and they run alike to the last digit that counts.",
        [
            (
                "Which of both descriptions is shorter to derive, and which tells the force on "
                "each support?"
            ),
            (
                "The wheels take no freedom of place. Which do they take, and how do you park "
                "sideways all the same?"
            ),
            "Which equations of the four wheels are held twice?",
        ],
    )
    m.parameter(
        "w",
        "7 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="15 rad/s",
        slider=True,
        note="mean speed of the wheels",
    )
    m.parameter(
        "s",
        "5 rad/s",
        "angular_velocity",
        minimum="-10 rad/s",
        maximum="10 rad/s",
        slider=True,
        note="steering",
    )
    floor(m.ground, -1.0, 1.35, -0.8, 1.1)
    one, first = _vacuum(m, "planar", 0.5, BLUE)
    two, second = _vacuum(m, "points", -0.5, GREEN)
    m.planar("floor", m.ground, one, at=one.world())
    for k, (x, y) in enumerate(((0.13, 0.0), (-0.11, 0.08), (-0.11, -0.08))):
        two.sphere("8 mm", at=(x, y, "8 mm"), material="steel")
        support = m.on_plane(f"support {k + 1}", m.ground, two, at=(x - 0.75, y - 0.5, 0))
        if k:
            m.hide(support)
    for name, pins in (("planar", first), ("points", second)):
        for side, pin, sign in (("left", pins[0], "-"), ("right", pins[1], "+")):
            m.drive(f"{name} {side} motor", pin, speed=f"w {sign} s*cos(1.3 rad/s*t)")
    m.run(duration="8 s")
    plots(m, "Headings", "joint/floor/2", "joint/support_1/2")
    return m.project(), Camera((0.14, 0.1, 0.0), -70.0, 34.0, 4.4)


@sample("rolling", 3)
def snakeboard() -> tuple[Project, Camera]:
    half = 0.2
    m = Builder(
        "Snakeboard",
        "Nobody pushes off the ground: the rider, a rotor here, twists to and fro, the feet turn "
        "in time. The wheels cannot slip sideways, so the board answers the twist by rolling on. "
        "With masses such that J = M l^2 the gain per period is known: 2 pi b w J1(a) times the "
        "rotor's share J_r / (M l), J1 Bessel's function. Momentum is not kept, energy is paid by "
        "the motors.",
        [
            "Twist and steer a quarter period apart: does the board still get on?",
            "Which motion of the feet would make it turn on the spot?",
            "Where does the momentum come from, with wheels that roll without friction?",
        ],
    )
    m.parameter(
        "a",
        "0.5 rad",
        "angle",
        minimum="0.1 rad",
        maximum="0.8 rad",
        slider=True,
        note="of the feet",
    )
    m.parameter(
        "b",
        "0.8 rad",
        "angle",
        minimum="0 rad",
        maximum="1.5 rad",
        slider=True,
        note="of the rotor",
    )
    m.parameter(
        "w",
        "3 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="5 rad/s",
        slider=True,
        note="of both",
    )
    floor(m.ground, -0.5, 4.0, -0.8, 0.8)
    point = (0, 0, "60 mm")
    board = m.body(
        "board",
        (0, 0, 0),
        mass="4 kg",
        center_of_mass=point,
        inertia=("0.02 kg*m^2", "0.12 kg*m^2", "0.119 kg*m^2"),
        color=BLUE,
    )
    board.plate(
        [(-half, 0), (half, 0)], "55 mm", "14 mm", at=(0, 0, "72 mm"), angles=FLAT, density=1.0
    )
    rotor = m.body(
        "rotor",
        (0, 0, 0),
        mass="1 kg",
        center_of_mass=(0, 0, "160 mm"),
        inertia=("0.04 kg*m^2", "0.04 kg*m^2", "0.08 kg*m^2"),
        color=ORANGE,
    )
    rotor.cylinder("10 mm", "90 mm", at=(0, 0, "122 mm"), density=1.0)
    rotor.box("30 mm", "360 mm", "18 mm", at=(0, 0, "160 mm"), density=1.0)
    for y in ("-175 mm", "175 mm"):
        rotor.sphere("26 mm", at=(0, y, "160 mm"), density=1.0, material="steel")
    trunk = m.pin("rider", board, rotor, at=(0, 0, "80 mm"), axis=(0, 0, 1), rate="b*w/(1 rad)")
    m.planar("floor", m.ground, board, at=(0, 0, 0))
    m.drive("twist", trunk, position="b*sin(w*t)")
    for name, x, sign in (("front", half, ""), ("rear", -half, "-")):
        truck = m.body(
            f"{name} wheels",
            (x, 0, 0),
            mass="0.5 kg",
            center_of_mass=point,
            inertia=("0.0005 kg*m^2", "0.0005 kg*m^2", "0.0005 kg*m^2"),
            color=GREEN if sign else OCHRE,
        )
        truck.box("30 mm", "120 mm", "14 mm", at=(0, 0, "58 mm"), density=1.0, material="steel")
        truck.box("110 mm", "60 mm", "8 mm", at=(0, 0, "84 mm"), density=1.0)
        for y in ("-66 mm", "66 mm"):
            truck.cylinder(
                "30 mm",
                "16 mm",
                at=(0, y, "30 mm"),
                angles=(0, 0, "90 deg"),
                density=1.0,
                material="paint",
            )
        pin = m.pin(
            f"{name} feet",
            board,
            truck,
            at=truck.world(),
            axis=(0, 0, 1),
            rate=f"{sign}a*w/(1 rad)",
        )
        m.drive(f"steer {name}", pin, position=f"{sign}a*sin(w*t)")
        m.hide(m.knife_edge(f"{name} edge", m.ground, truck, at=truck.world(), along=(1, 0, 0)))
    m.run(duration="8 s")
    plots(m, "Board", "joint/floor/0", "joint/floor/1", "joint/floor/2")
    return m.project(), Camera((1.5, 0.0, 0.0), -66.0, 26.0, 4.2)
