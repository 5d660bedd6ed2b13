"""Samples of dry friction: a shoe brake, a wedge, a rope of links round a drum, Painlevé's rod."""

import itertools
import math

from sample_parts import BLUE, CAST_IRON, GREEN, OCHRE, ORANGE, base_plate, sample
from samples_contacts import contact_plots

from mechstudio.builder import Builder, ramp, rest_to_rest
from mechstudio.model.project import Camera, Project


@sample("contact", 2)
def shoe_brake() -> tuple[Project, Camera]:
    radius, height, reach, long = 0.12, 0.2, 0.18, 0.5
    m = Builder(
        "Shoe brake",
        "A lever presses a shoe on a flywheel. Friction at the shoe has an arm about the lever's "
        "pin, so that it helps to press in one sense of rotation and lifts in the other: the "
        "normal force is P L / (a - mu c) or P L / (a + mu c). With the pin high enough, at mu c = "
        "a, the brake locks by itself and asks for no force at all.",
        [
            "How much longer does the wheel run on when it turns the other way, at n = -20 rad/s?",
            "From which height c of the pin on does the brake lock by itself?",
            "Where would the pin have to be for a brake that is equally good in both senses?",
        ],
    )
    m.parameter(
        "P", "10 N", "force", minimum="2 N", maximum="40 N", slider=True, note="at the lever's end"
    )
    m.parameter(
        "n",
        "20 rad/s",
        "angular_velocity",
        minimum="-25 rad/s",
        maximum="25 rad/s",
        slider=True,
        note="of the wheel at the start",
    )
    m.parameter("mu", "0.5", "number", minimum="0.1", maximum="0.8", slider=True, note="friction")
    m.parameter(
        "c",
        "150 mm",
        minimum="60 mm",
        maximum="240 mm",
        slider=True,
        note="height of the lever's pin above the shoe's face",
    )
    base_plate(m.ground, "-270 mm", "420 mm", "60 mm", "90 mm")
    top = f"{1000 * (height + radius):g} mm"
    for x, tall in ((0.0, f"{1000 * height:g} mm"), (-reach, f"{top} + c")):
        m.ground.box(
            "36 mm",
            "20 mm",
            tall,
            at=(x, "64 mm", f"0.5*({tall})"),
            density=CAST_IRON,
            material="cast",
        ).pin("9 mm", "80 mm", at=(x, "36 mm", tall))
    wheel = m.body(
        "wheel",
        (0, 0, height),
        mass="20 kg",
        center_of_mass=(0, 0, 0),
        inertia=("0.2 kg*m^2", "0.3 kg*m^2", "0.2 kg*m^2"),
        color=BLUE,
    )
    wheel.cylinder(radius, "40 mm", angles=(0, 0, "90 deg")).pin(
        "10 mm", "50 mm", at=("80 mm", 0, 0)
    )
    m.surface(wheel, friction="mu", restitution=0)
    lever = m.body(
        "lever",
        (-reach, 0, f"{top} + c"),
        mass="0.2 kg",
        center_of_mass=(reach, 0, 0),
        inertia=("0.001 kg*m^2", "0.005 kg*m^2", "0.005 kg*m^2"),
        color=ORANGE,
    )
    lever.bar(long, "30 mm", "16 mm", density=600.0)
    lever.box("20 mm", "16 mm", "c - 20 mm", at=(reach, 0, "-0.5*c + 10 mm"), density=600.0)
    lever.box("70 mm", "36 mm", "24 mm", at=(reach, 0, "12 mm - c"), density=600.0)
    m.surface(lever, friction="mu", restitution=0)
    m.pin("shaft", m.ground, wheel, at=(0, 0, height), rate="n")
    at = (-reach, 0, f"{top} + c")
    m.pin("lever pin", m.ground, lever, at=(at, at))
    m.force("force", "hand", body=lever, at=(long - reach, 0, f"{top} + c"), vector=(0, 0, "-P"))
    m.pair(wheel, m.ground, False)
    m.pair(lever, m.ground, False)
    m.touch(step="1 ms", tolerance="1e-6 m/s")
    m.run(duration="6 s")
    contact_plots(m, "Wheel", "body/wheel/wy", "contact/wheel/lever")
    return m.project(), Camera((0.06, 0.0, 0.25), -70.0, 10.0, 1.55)


@sample("contact", 2)
def wedge() -> tuple[Project, Camera]:
    long, foot = 0.42, 0.014
    m = Builder(
        "Wedge",
        "A wedge is driven under a load that can only rise. Both of its faces rub, and each turns "
        "the force by the angle of friction phi: driving takes W tan(alpha + phi) + (W + G) "
        "tan phi, with the wedge's own weight G. After three seconds nobody pushes any more. Up to "
        "tan(alpha - phi) = (1 + G / W) tan phi the wedge holds by itself, a light one up to "
        "alpha = 2 phi; above it the load shoots it out. A damper keeps it slow.",
        [
            "With which force does it just begin to move?",
            "At which angle alpha does it come back when it is let go, for mu = 0.2?",
            "Which share of the work goes into lifting while it is driven in?",
        ],
    )
    m.parameter("alpha", "15 deg", "angle", minimum="5 deg", maximum="30 deg", slider=True)
    m.parameter("mu", "0.2", "number", minimum="0.05", maximum="0.5", slider=True, note="friction")
    m.parameter(
        "P", "96 N", "force", minimum="0 N", maximum="200 N", slider=True, note="for three seconds"
    )
    m.parameter("W", "10 kg", "mass", minimum="2 kg", maximum="20 kg", slider=True, note="load")
    base_plate(m.ground, -0.3, 0.5, "70 mm", "110 mm")
    m.ground.box(
        "60 mm",
        "24 mm",
        "480 mm",
        at=("120 mm", "88 mm", "254 mm"),
        density=CAST_IRON,
        material="cast",
    )
    m.surface(m.ground, friction="mu", restitution=0)
    # its edge to the right, under the load
    block = m.body(
        "wedge",
        (-0.22, 0, foot),
        mass="4 kg",
        center_of_mass=("200 mm", 0, "20 mm"),
        inertia=("0.004 kg*m^2", "0.05 kg*m^2", "0.05 kg*m^2"),
        color=ORANGE,
    )
    edge = 0.001
    block.plate(
        [
            (edge, edge),
            (long, edge),
            (edge, f"{long - edge:g} m*tan(alpha) + {edge:g} m"),
        ],
        edge,
        "60 mm",
        density=CAST_IRON,
    )
    m.surface(block, friction="mu", restitution=0)
    # the foot is a slab whose lower face lies on the wedge's upper one, drawn to touch
    middle, inside = 0.12, 0.08
    face = f"{foot + edge:g} m + {inside:g} m*tan(alpha) + {edge:g} m/cos(alpha)"
    load = m.body(
        "load",
        (middle, 0, face),
        mass="W",
        center_of_mass=(0, 0, "100 mm"),
        inertia=("0.05 kg*m^2", "0.05 kg*m^2", "0.05 kg*m^2"),
        color=BLUE,
    )
    load.box(
        "90 mm",
        "60 mm",
        "40 mm",
        at=("20 mm*sin(alpha)", 0, "20 mm*cos(alpha)"),
        angles=(0, "alpha", 0),
        density=CAST_IRON,
    )
    load.box("110 mm", "90 mm", "110 mm", at=(0, 0, "100 mm"), density=1000.0)
    m.surface(load, friction="mu", restitution=0)
    way = m.planar("front plane", m.ground, block, at=block.world(), normal=(0, -1, 0))
    m.hide(way)
    m.pair(block, m.ground, True)
    guide = m.slider("guide", m.ground, load, at=load.world(), axis=(0, 0, 1))
    push = ramp("P", "0 N", begin="3 s", duration="10 ms")
    m.force("motor_force", "push", joint=way[0], force=push)
    m.force("slide_damper", "oil", joint=way[0], damping="400 N*s/m")
    m.pair(load, m.ground, False)
    m.touch(step="0.05 ms", tolerance="1e-6 m/s")
    m.run(duration="6 s")
    contact_plots(m, "Wedge and load", f"joint/{way.id}/0", f"joint/{guide.id}/0")
    return m.project(), Camera((0.08, 0.0, 0.14), -66.0, 14.0, 1.7)


@sample("contact", 3)
def capstan_of_links() -> tuple[Project, Camera]:
    radius, bead, height, count = 0.10, 0.008, 0.36, 16
    m = Builder(
        "Rope round a drum",
        "Sixteen links lie half round a drum that turns under them. At each link friction takes a "
        "share of a pull that has already grown, so that the pull grows like money with interest: "
        "Euler's and Eytelwein's T2 / T1 = exp(mu phi). The weight pulls T1, the spring "
        "tells T2. Turn the drum the other way and the spring pulls less than the weight.",
        [
            "What does the spring read, in units of the weight, for mu = 0.4?",
            "What would one more whole turn of the rope do to that number?",
            "Does the size of the drum matter, or the speed at which it turns?",
        ],
    )
    m.parameter("mu", "0.4", "number", minimum="0.1", maximum="0.6", slider=True, note="friction")
    m.parameter("W", "2 kg", "mass", minimum="1 kg", maximum="4 kg", slider=True, note="weight")
    m.parameter(
        "n",
        "-4 rad/s",
        "angular_velocity",
        minimum="-8 rad/s",
        maximum="8 rad/s",
        slider=True,
        note="of the drum",
    )
    base_plate(m.ground, "-170 mm", "170 mm", "60 mm", "100 mm")
    m.ground.box(
        "44 mm",
        "20 mm",
        f"{1000 * height:g} mm",
        at=(0, "70 mm", 0.5 * height),
        density=CAST_IRON,
        material="cast",
    ).pin("10 mm", "80 mm", at=(0, "40 mm", height))
    drum = m.body("drum", (0, 0, height), color=BLUE)
    drum.cylinder(radius, "44 mm", angles=(0, 0, "90 deg"), density=2700.0)
    drum.pin("8 mm", "52 mm", at=("70 mm", 0, 0))
    m.surface(drum, friction="mu", restitution=0)
    shaft = m.pin("shaft", m.ground, drum, at=(0, 0, height), rate="n")
    m.drive("motor", shaft, speed="n")
    at = lambda k: (
        -radius * math.cos(math.pi * k / count),
        0.0,
        height + radius * math.sin(math.pi * k / count),
    )
    half = 0.5 * math.pi / count
    long = 2 * radius * math.sin(half)
    lead = m.body(
        "lead",
        (-radius, 0, height - 0.12),
        mass="50 g",
        center_of_mass=(0, 0, "60 mm"),
        inertia=("6e-5 kg*m^2", "6e-5 kg*m^2", "1e-6 kg*m^2"),
        color=OCHRE,
    )
    lead.box("5 mm", "8 mm", "120 mm", at=(-bead, 0, "60 mm"), density=1.0)
    links = []
    for k in range(count):
        # its pins lie on the drum's surface, so that friction has no arm about them
        steep = 0.5 * math.pi - (2 * k + 1) * half
        link = m.body(
            f"link {k + 1}",
            at(k),
            (0, -steep, 0),
            mass="10 g",
            center_of_mass=(long / 2, 0, 0),
            inertia=("1e-6 kg*m^2", "1e-6 kg*m^2", "1e-6 kg*m^2"),
            color=OCHRE,
        )
        link.bar(long, "5 mm", "8 mm", at=(0, 0, bead), density=1.0)
        link.sphere(bead, at=(-bead * math.sin(half), 0, bead * math.cos(half)), density=1.0)
        m.surface(link, friction="mu", restitution=0)
        links.append(link)
    weight = m.body(
        "weight",
        at(count),
        mass="W",
        center_of_mass=(0, 0, "-190 mm"),
        inertia=("1e-3 kg*m^2", "1e-3 kg*m^2", "1e-3 kg*m^2"),
        color=GREEN,
    )
    weight.sphere(bead, at=(bead, 0, 0), density=1.0)
    weight.box("5 mm", "8 mm", "160 mm", at=(bead, 0, "-80 mm"), density=1.0)
    weight.cylinder("32 mm", "60 mm", at=(0, 0, "-190 mm"), density=1.0)
    m.surface(weight, friction="mu", restitution=0)
    chain = [lead, *links, weight]
    for k, (a, b) in enumerate(itertools.pairwise(chain)):
        m.hide(m.pin(f"pin {k}", a, b, at=at(k)))
    plane = m.planar("front plane", m.ground, weight, at=weight.world(), normal=(0, -1, 0))
    m.hide(plane)
    foot = (-radius, 0, 0.03)
    for type, name, numbers in (
        (
            "spring",
            "spring balance",
            {
                "stiffness": "1200 N/m",
                "free_length": f"{height - 0.15:g} m - W*9.81 m/s^2*exp(mu*pi)/(1200 N/m)",
            },
        ),
        ("damper", "oil", {"damping": "20 N*s/m"}),
    ):
        id = m.force(type, name, a=m.ground, b=lead, at=(foot, lead.world()), **numbers)
    m.hide(id)
    for body in (drum, *chain):
        m.pair(body, m.ground, False)
    m.touch(step="0.2 ms", tolerance="1e-6 m/s")
    m.run(duration="5 s")
    contact_plots(m, "End of the rope", "body/lead/z")
    return m.project(), Camera((0.0, 0.0, 0.26), -72.0, 10.0, 1.35)


@sample("contact", 3)
def painleve_rod() -> tuple[Project, Camera]:
    half, thick = 0.3, 0.008
    m = Builder(
        "Painlevé's rod",
        "A rod slides over a rough floor, its tip ahead. Above a certain friction, 4/3 at the "
        "least, the equations of rigid bodies with Coulomb's law have no finite contact force: the "
        "harder the floor pushes, the deeper friction turns the tip into it (Painlevé 1895). "
        "A step with impulses has a solution all the same: the tip stops at once, without any "
        "impact, and the rod vaults over it.",
        [
            "Below which mu does the rod slide on from 60 deg with a finite force?",
            "What does the rod keep at the instant at which its tip jams, about which point?",
            "Why does chalk squeak when it is pushed and not when it is pulled?",
        ],
    )
    m.parameter("mu", "1.6", "number", minimum="0", maximum="2", slider=True, note="friction")
    m.parameter(
        "theta",
        "60 deg",
        "angle",
        minimum="30 deg",
        maximum="80 deg",
        slider=True,
        note="of the rod above the floor",
    )
    m.parameter(
        "v",
        "1.5 m/s",
        "velocity",
        minimum="0.2 m/s",
        maximum="3 m/s",
        slider=True,
        note="at the start",
    )
    m.floor(0, friction="mu", restitution=0)
    rod = m.body(
        "rod",
        (0.2, 0, f"{thick} m + {half} m*sin(theta)"),
        (0, "90 deg - theta", 0),
        mass="1 kg",
        center_of_mass=(0, 0, 0),
        inertia=(half**2 / 3, half**2 / 3, 1e-4),
        color=ORANGE,
    )
    rod.capsule(thick, 2 * half)
    rod.velocity(("-v", 0, 0))
    m.surface(rod, friction="mu", restitution=0)
    way = m.planar("front plane", m.ground, rod, at=rod.world(), normal=(0, -1, 0))
    m.hide(way)
    m.pair(rod, m.ground, True)
    rod.point("tip", (0, 0, -half))
    m.mark("trail", rod, "", value="2 s")
    m.touch(step="0.2 ms", tolerance="1e-7 m/s")
    m.run(duration="2 s", sample_step="2 ms")
    contact_plots(m, "Rod", "body/rod/vx", "body/rod/wy", "contact/rod/ground")
    return m.project(), Camera((0.0, 0.0, 0.2), -74.0, 10.0, 2.2)


@sample("contact", 2)
def wall_climber() -> tuple[Project, Camera]:
    radius, base, low, boom = 0.05, 0.22, 0.3, 0.09
    m = Builder(
        "Wall climber",
        "Magnet wheels hold an inspection robot on a steel wall. Each axle withstands a "
        "pull A; the axles are L apart. The weights turn the robot about its lower axle, by a "
        "moment M, and pull at the upper one by M / L. After three seconds it moves its "
        "load away from the wall, until the upper wheels peel off: M = A L. There is another way "
        "to fall: friction holds up to mu times the pressure, and what pulls at one axle presses "
        "on the other, so that all wheels hold 2 mu A, wherever the load is.",
        [
            "How far out does the load get before the upper wheels peel off?",
            "Below which friction does the robot slip before it peels off?",
            "Does a longer robot reach further, and does a stronger motor help?",
        ],
    )
    m.parameter(
        "A", "26 N", "force", minimum="10 N", maximum="80 N", slider=True, note="pull of an axle"
    )
    m.parameter(
        "mu", "0.7", "number", minimum="0.1", maximum="1", slider=True, note="friction of the wall"
    )
    m.parameter("W", "1.5 kg", "mass", minimum="0.2 kg", maximum="3 kg", slider=True, note="load")
    m.parameter(
        "v",
        "100 mm/s",
        "velocity",
        minimum="0 mm/s",
        maximum="300 mm/s",
        slider=True,
        note="speed of the climb",
    )
    m.floor(0, friction=0.5)
    m.ground.box(
        "60 mm",
        "520 mm",
        "1400 mm",
        at=("-30 mm", 0, "700 mm"),
        density=CAST_IRON,
        material="steel",
    )
    m.surface(m.ground, friction="mu", adhesion="A")
    middle = low + 0.5 * base
    robot = m.body("robot", (radius, 0, middle), color=BLUE)
    robot.box(0.06, 0.13, base + 0.11, at=(0.016, 0, 0), density=150.0)
    for y in (-0.045, 0.045):
        robot.box(0.32, 0.012, 0.016, at=(0.206, y, boom), density=600.0)
    for name, z, color in (("upper axle", low + base, OCHRE), ("lower axle", low, OCHRE)):
        axle = m.body(name, (radius, 0, z), color=color)
        axle.cylinder("9 mm", "190 mm", angles=(0, 0, "90 deg"), material="steel", density=500.0)
        for y in (-0.095, 0.095):
            axle.cylinder(radius, "36 mm", at=(0, y, 0), angles=(0, 0, "90 deg"), density=400.0)
        m.surface(axle, friction="mu")
        shaft = m.pin(f"pin of {name}", robot, axle, at=axle.world())
        m.hide(shaft)
        m.drive(f"motor of {name}", shaft, speed=ramp(0, f"v/{radius:g} m", duration="0.5 s"))
    weight = m.body("load", (radius + 0.1, 0, middle + boom), mass="W", color=ORANGE)
    weight.box("80 mm", "70 mm", "80 mm", density=1000.0)
    slide = m.slider("boom", robot, weight, at=weight.world(), axis=(1, 0, 0))
    m.drive("reach", slide, position=rest_to_rest("200 mm", begin="3 s", duration="5 s"))
    m.touch(step="0.5 ms")
    m.run(duration="8 s")
    contact_plots(m, "Force of the wall", "contact/upper_axle/ground", "contact/lower_axle/ground")
    return m.project(), Camera((0.15, 0.0, 0.66), -52.0, 12.0, 3.9)
