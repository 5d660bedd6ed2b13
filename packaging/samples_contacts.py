"""Samples of what touches: boxes that stick and slide, balls that bounce, stacks, dominoes, a
cradle.
"""

import math

from sample_parts import ALONG_X, BLUE, CAST_IRON, GREEN, OCHRE, ORANGE, PINK, base_plate, sample

from mechstudio.builder import BodyHandle, Builder, rest_to_rest
from mechstudio.model.project import Camera, Project

WOOD, RUBBER = 700.0, 1100.0  # [kg/m^3]


def contact_plots(m: Builder, title: str, *channels: str) -> None:
    """The panes of samples with contacts: what it is about, where the energy goes, how well
    contacts are solved.
    """
    m.plot(title, *channels)
    m.plot(
        "Energy",
        "energy/kinetic",
        "energy/potential",
        "energy/total",
        "contact/friction",
        "contact/impact",
    )
    m.plot("Contact solve", "contact/residual", "contact/overlap", log=True)


def banded_ball(
    m: Builder,
    name: str,
    place: tuple[float | str, ...],
    radius: float,
    density: float,
    band_density: float,
    color: int,
) -> BodyHandle:
    """A ball with a band that tells how it turns; all shapes of a body touch, so the band is a body
    of its own that does not.  radius [mm], densities [kg/m^3].
    """
    ball = m.body(name, place, color=color)
    ball.sphere(f"{radius:g} mm", density=density)
    band = m.body(f"band of {name}", place, color=color)
    band.cylinder(
        f"{radius / 1.8:g} mm", f"{radius / 0.6 + 0.5:g} mm", density=band_density, material="steel"
    )
    m.fix(f"rim {name}", ball, band, at=band.world())
    m.hide(f"rim_{name}")
    m.pair(band, m.ground, False)
    return ball


@sample("contact", 1)
def box_on_incline() -> tuple[Project, Camera]:
    m = Builder(
        "Box on an incline",
        "A box lies on a slope. As long as the friction that holds it is smaller than μ "
        "times the normal force, it sticks, whatever pulls at it below "
        "that; above it slides, and friction has exactly that size. The cone on each contact "
        "shows it: the force stays inside while the box sticks "
        "and lies on its side when it slides. Move the slider of μ across tan of the slope.",
        [
            "Below which μ does the box on a slope of 20 deg never come to rest?",
            (
                "Why do the two lower contacts carry more than the upper two, also while nothing "
                "moves?"
            ),
            (
                "What happens to the force arrow at the instant at which the box comes to rest, "
                "and why so suddenly?"
            ),
        ],
    )
    m.parameter(
        "mu",
        "0.5",
        "number",
        minimum="0",
        maximum="1",
        slider=True,
        note="friction of box and slope",
    )
    m.parameter(
        "slope",
        "20 deg",
        "angle",
        minimum="0 deg",
        maximum="40 deg",
        slider=True,
        note="of the incline",
    )
    m.parameter(
        "push",
        "1 m/s",
        "velocity",
        minimum="0 m/s",
        maximum="2 m/s",
        slider=True,
        note="speed down the slope at the start",
    )
    m.ground.box(
        "1600 mm",
        "400 mm",
        "40 mm",
        at=("20 mm*sin(slope)", 0, "-20 mm*cos(slope)"),
        angles=(0, "-slope", 0),
        density=CAST_IRON,
        material="cast",
    )
    m.surface(m.ground, friction="mu", restitution=0)
    m.floor("-360 mm", restitution=0)
    # down the slope is -x
    box = m.body(
        "box",
        ("450 mm*cos(slope) - 60 mm*sin(slope)", 0, "450 mm*sin(slope) + 60 mm*cos(slope)"),
        (0, "-slope", 0),
        color=BLUE,
    )
    box.box("180 mm", "160 mm", "120 mm", density=WOOD)
    box.velocity(("-push*cos(slope)", 0, "-push*sin(slope)"))
    m.surface(box, friction="mu", restitution=0)
    m.touch()
    m.run(duration="5 s")
    contact_plots(m, "Speed", "body/box/vx", "body/box/vz")
    return m.project(), Camera((0.0, 0.0, 0.05), -68.0, 18.0, 2.6)


@sample("contact", 1)
def bouncing_ball() -> tuple[Project, Camera]:
    m = Builder(
        "Bouncing balls",
        "Three balls fall from the same height on the same floor. Each impact gives back the "
        "speed times the coefficient of restitution e, so the height after n "
        "impacts is e²ⁿ times the first one, and the times between impacts shrink like a "
        "geometric series: infinitely many impacts end at a finite "
        "time. Below a least speed, set in the contact settings, nothing rebounds any more "
        "and the ball lies still.",
        [
            "How high does a ball with e = 0.8 rise after its third impact?",
            (
                "When has the orange ball made all its impacts, if the sum of the series is (1 + "
                "e) / (1 - e) times the time of fall?"
            ),
            "Where has the energy gone, and which curve tells it?",
        ],
    )
    m.parameter(
        "e",
        "0.8",
        "number",
        minimum="0",
        maximum="1",
        slider=True,
        note="restitution of the orange ball",
    )
    m.parameter(
        "h", "600 mm", minimum="100 mm", maximum="1200 mm", slider=True, note="height of fall"
    )
    m.floor(0, restitution=1, friction=0.5)
    # of two surfaces the geometric mean counts, and the floor has one
    for name, x, e, color in (
        ("lively", -0.3, "0.95^2", BLUE),
        ("usual", 0.0, "e^2", ORANGE),
        ("dull", 0.3, "0.5^2", GREEN),
    ):
        ball = m.body(name, (x, 0, "h + 50 mm"), color=color)
        ball.sphere("50 mm", density=RUBBER)
        m.surface(ball, restitution=e, friction=0.5)
    m.touch(slowest="0.02 m/s")
    m.run(duration="5 s")
    contact_plots(m, "Heights", "body/lively/z", "body/usual/z", "body/dull/z")
    return m.project(), Camera((0.0, 0.0, 0.32), -74.0, 12.0, 2.9)


@sample("contact", 2)
def stack_of_boxes() -> tuple[Project, Camera]:
    m = Builder(
        "Stack of boxes",
        "Nine boxes stand on each other and a ball swings into them. Each contact of the "
        "stack carries the weight of all that is above it: solved to the end, the stack "
        "stands without sinking and without creeping. Choose projected Gauss-Seidel in the "
        "contact settings and look at the residual: weight travels "
        "through the stack by one box per iteration.",
        [
            (
                "Which force does the floor carry before the ball comes, and why is it not "
                "steady afterwards?"
            ),
            "How many iterations does each of the three methods need for the stack at rest?",
            "How fast must the ball be to leave only the lowest box standing?",
        ],
    )
    m.parameter(
        "v",
        "3 m/s",
        "velocity",
        minimum="0 m/s",
        maximum="8 m/s",
        slider=True,
        note="speed of the ball",
    )
    m.floor(0, "wood", restitution=0)
    for k in range(9):
        box = m.body(f"box {k + 1}", (0, 0, f"{50 + 100 * k} mm"), color=k % 6)
        box.box("160 mm", "160 mm", "100 mm", density=WOOD)
        m.surface(box, "wood", restitution=0)
    ball = m.body("ball", ("-1100 mm", 0, "750 mm"), color=7)
    ball.sphere("80 mm", density=7850, material="steel").velocity(("v", 0, "2 m/s"))
    m.surface(ball, "steel", restitution=0.2)
    m.touch(step="2 ms", tolerance="1e-4 m/s")
    m.run(duration="5 s")
    contact_plots(m, "Load of the lowest box", "contact/box_1/ground", "contact/box_5/box_6")
    return m.project(), Camera((0.75, 0.0, 0.4), -66.0, 12.0, 5.4)


@sample("contact", 1)
def newtons_cradle() -> tuple[Project, Camera]:
    m = Builder(
        "Newton's cradle",
        "Five equal steel balls hang in a row. One is let go, one flies off at the other "
        "end: not momentum and energy alone, of which many outcomes have the same, but the "
        "order of impacts decides. With impacts one after the other each ball hands its "
        "speed to the next; with all at once, Moreau's law, the "
        "balls share it. Change the impact law in the contact settings and play again.",
        [
            "Let two balls go: how many fly off, and how would you prove it?",
            "What does Moreau's law give here, and what does it keep: momentum, energy, or both?",
            "Which law is right for balls that lie apart by a hair?",
        ],
    )
    m.parameter(
        "lift",
        "35 deg",
        "angle",
        minimum="0 deg",
        maximum="70 deg",
        slider=True,
        note="of the first ball",
    )
    m.parameter(
        "L", "300 mm", minimum="150 mm", maximum="450 mm", slider=True, note="length of the strings"
    )
    m.parameter("e", "1", "number", minimum="0", maximum="1", slider=True, note="restitution")
    r = 0.03
    for y in (-0.09, 0.09):
        m.ground.cylinder(
            "6 mm",
            "420 mm",
            at=(0, y, "L + 60 mm"),
            angles=ALONG_X,
            density=CAST_IRON,
            material="steel",
        )
        for x in (-0.2, 0.2):
            m.ground.cylinder(
                "6 mm", "L + 60 mm", at=(x, y, "L/2 + 30 mm"), density=CAST_IRON, material="steel"
            )
    m.ground.box(
        "460 mm", "240 mm", "20 mm", at=(0, 0, "-20 mm"), density=CAST_IRON, material="cast"
    )
    balls: list[BodyHandle] = []
    for k in range(5):
        x = 2 * r * (k - 2)
        angle = "lift" if k == 0 else 0
        ball = m.body(
            f"ball {k + 1}",
            (x if k else f"{x} m - L*sin(lift)", 0, "60 mm" if k else "60 mm + L*(1 - cos(lift))"),
            (0, angle, 0),
            color=7,
        )
        balls.append(ball.sphere(r, material="steel"))
        m.surface(ball, "steel", restitution="e", friction=0)
        # two strings in a V hold it in the plane as a pin at their upper ends does
        for y in (-1, 1):
            ball.cylinder(
                "0.8 mm",
                "sqrt(L^2 + (90 mm)^2)",
                at=(0, f"{y * 45} mm", "L/2"),
                angles=("0 deg", "0 deg", f"{-y}*atan(90 mm/L)"),
                density=0,
                material="steel",
            )
        m.pin(f"string {k + 1}", m.ground, ball, at=(x, 0, "L + 60 mm"))
    for k in range(1, 6):
        m.hide(f"string_{k}")
    for k, ball in enumerate(balls):
        for other in balls[k + 2 :]:
            m.pair(ball, other, False)
    m.touch(impacts="sequential", slowest="1e-3 m/s")
    m.run(duration="6 s")
    contact_plots(m, "Angles", "joint/string_1/0", "joint/string_3/0", "joint/string_5/0")
    return m.project(), Camera((0.0, 0.0, 0.19), -74.0, 10.0, 1.25)


@sample("contact", 1)
def dominoes() -> tuple[Project, Camera]:
    m = Builder(
        "Dominoes",
        "A wave of falling tiles. Each tile falls on the next and slides down its face; "
        "after a few tiles the wave runs at a constant speed that depends on spacing, height "
        "and friction "
        "only, not on the push at the start.",
        [
            "How far does the speed of the wave depend on the first push?",
            "At which spacing does the wave run fastest?",
            "What would happen without any friction between tiles and floor?",
        ],
    )
    m.parameter("s", "40 mm", minimum="20 mm", maximum="80 mm", slider=True, note="spacing")
    m.parameter(
        "w",
        "3 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="6 rad/s",
        slider=True,
        note="push of the first tile",
    )
    m.floor(0, "wood", restitution=0)
    count = 12
    for k in range(count):
        tile = m.body(
            f"tile {k + 1}",
            (f"{k - (count - 1) / 2}*s", 0, "48 mm"),
            color=(BLUE, ORANGE, GREEN, PINK, OCHRE)[k % 5],
        )
        tile.box("12 mm", "48 mm", "96 mm", density=6 * WOOD)
        if k == 0:
            # about its lower front edge, so that nothing is pushed into the floor
            tile.velocity(("w*48 mm", 0, "w*6 mm"), (0, "w", 0))
        m.surface(tile, "plastic", restitution=0)
    m.touch(tolerance="1e-4 m/s")
    m.run(duration="5 s")
    contact_plots(m, "Wave", *(f"body/tile_{k}/z" for k in (1, 4, 8, 12)))
    return m.project(), Camera((0.05, 0.0, 0.03), -58.0, 20.0, 1.5)


@sample("contact", 2)
def rolling_and_sliding_ball() -> tuple[Project, Camera]:
    m = Builder(
        "Rolling and sliding balls",
        "A bowling ball leaves the hand sliding. Friction slows its way and turns it until "
        "both fit: from then on it rolls and nothing is lost any more. It ends with 5/7 of "
        "its "
        "speed whatever the friction, which only decides how soon. The ball beside it was "
        "given back-spin and comes back.",
        [
            "Which angular momentum is kept, and how does it give 5/7 of the speed?",
            "How much spin must the second ball have to come back?",
            "Give the floor a rolling resistance of 1 mm: where does the ball stop?",
        ],
    )
    m.parameter("mu", "0.2", "number", minimum="0", maximum="0.8", slider=True, note="friction")
    m.parameter(
        "v",
        "1.5 m/s",
        "velocity",
        minimum="0.5 m/s",
        maximum="6 m/s",
        slider=True,
        note="speed at the start",
    )
    m.parameter(
        "back",
        "35 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="120 rad/s",
        slider=True,
        note="back-spin of the orange ball",
    )
    m.floor(0, friction="mu", restitution=0)
    for name, y, spin, color in (
        ("bowled", 0.25, "0 rad/s", BLUE),
        ("spun", -0.25, "-back", ORANGE),
    ):
        ball = banded_ball(m, name, (-2.0, y, "108 mm"), 108, 1200, 100, color)
        ball.velocity(("v" if color == BLUE else "v/2", 0, 0), (0, spin, 0))
        m.surface(ball, friction="mu", restitution=0)
    m.touch()
    # as long as both are in view
    m.run(duration="3 s")
    contact_plots(m, "Speeds", "body/bowled/vx", "body/spun/vx")
    return m.project(), Camera((-0.95, 0.0, 0.3), -70.0, 18.0, 6.6)


@sample("contact", 3)
def tippe_top() -> tuple[Project, Camera]:
    m = Builder(
        "Tippe top",
        "A ball with a stem, its centre of mass below the middle, is spun fast on a table. "
        "It slides at its foot, and friction there turns it over until it spins on its stem: "
        "a patch that spins resists slipping less, so that it never quite rolls. The centre "
        "of mass rises against gravity, paid by the spin. The spin in space keeps its sense, "
        "so that on the body it is reversed.",
        [
            (
                "Which way does the friction force point while the top rises, and about which "
                "axis does it turn the top?"
            ),
            "What happens without friction, and which quantities stay constant then?",
            (
                "How fast must it spin to turn over, and how much of the energy has friction "
                "taken by then?"
            ),
        ],
    )
    m.parameter(
        "spin",
        "180 rad/s",
        "angular_velocity",
        minimum="20 rad/s",
        maximum="260 rad/s",
        slider=True,
        note="at the start",
    )
    m.parameter("mu", "0.3", "number", minimum="0", maximum="0.8", slider=True, note="friction")
    m.parameter(
        "lean",
        "20 deg",
        "angle",
        minimum="1 deg",
        maximum="40 deg",
        slider=True,
        note="of the stem at the start",
    )
    m.floor(0, friction="mu", restitution=0)
    # the frame stands in the middle of the ball; its mass lies 4 mm below
    top = m.body(
        "top",
        (0, 0, "25 mm"),
        (0, "lean", 0),
        mass="0.25 kg",
        center_of_mass=(0, 0, "-4 mm"),
        inertia=("58 kg*mm^2", "58 kg*mm^2", "60 kg*mm^2"),
        color=ORANGE,
    )
    top.sphere("25 mm").capsule("7 mm", "8 mm", at=(0, 0, "20 mm"), material="steel")
    # friction drives it off to -y until it has turned over: a push the other way keeps it in view
    top.velocity(("0.1 m/s", "0.6 m/s", 0), (0, 0, "spin"))
    # a patch of 0.3 mm: s = 2/3 mu e.   By Coulomb's law at a point it would soon roll, and never
    # turn over
    m.surface(top, friction="mu", restitution=0, spinning="0.06 mm")
    m.touch(step="0.5 ms")
    m.run(duration="8 s")
    contact_plots(m, "Height of the middle", "body/top/z")
    return m.project(), Camera((0.01, 0.02, 0.028), -60.0, 16.0, 0.32)


@sample("contact", 3)
def rattleback() -> tuple[Project, Camera]:
    m = Builder(
        "Rattleback",
        "A boat of stone whose mass lies askew to its keel. Spun one way it turns on; spun "
        "the other way it begins to rattle, stops and turns back: while it rolls, rocking to "
        "and fro feeds "
        "on the spin of one sense and gives it to the other. Nothing but friction at one "
        "point of a smooth ellipsoid does that. The energy only falls; the spin is not kept, "
        "since the floor turns it.",
        [
            "Which of the two rockings, along or across, grows before it turns back?",
            "Which way does it prefer if both weights stand on the other diagonal?",
            "How little friction is enough, and what happens without any?",
        ],
    )
    m.parameter(
        "spin",
        "-5 rad/s",
        "angular_velocity",
        minimum="-8 rad/s",
        maximum="8 rad/s",
        slider=True,
        note="at the start",
    )
    m.parameter(
        "mu",
        "1",
        "number",
        minimum="0",
        maximum="1",
        slider=True,
        note="friction of stone and floor",
    )
    m.floor(0, "stone", friction="mu", restitution=0)
    # half axes, and the middle above the centre of mass, where the frame stands (Kane & Levinson
    # 1982)
    a, b, c, above, lean = 0.2, 0.03, 0.02, 0.01, math.radians(0.5)
    n = (-math.sin(lean), math.cos(lean) * math.sin(lean), math.cos(lean) ** 2)
    height = math.sqrt((a * n[0]) ** 2 + (b * n[1]) ** 2 + (c * n[2]) ** 2) - above * n[2]
    stone = m.body(
        "stone",
        (0, 0, height),
        (0, "0.5 deg", "0.5 deg"),
        mass="1 kg",
        center_of_mass=(0, 0, 0),
        color=BLUE,
        inertia=("200 kg*mm^2", "1600 kg*mm^2", "1700 kg*mm^2", "-20 kg*mm^2", 0, 0),
    )
    stone.ellipsoid("400 mm", "60 mm", "40 mm", at=(0, 0, above), density=2600)
    for s in (-1, 1):
        stone.cylinder("6 mm", "16 mm", at=(s * 0.11, s * 0.012, above + 0.016), material="steel")
    stone.velocity((0, 0, 0), (0, 0, "spin"))
    m.surface(stone, "stone", friction="mu", restitution=0)
    m.touch(step="0.05 ms", tolerance="1e-7 m/s", margin="2 mm")
    m.run(duration="8 s")
    contact_plots(m, "Spin and rocking", "body/stone/wz", "body/stone/wx", "body/stone/wy")
    return m.project(), Camera((0.0, 0.0, 0.01), -50.0, 24.0, 0.75)


@sample("contact", 2)
def cam_and_follower() -> tuple[Project, Camera]:
    m = Builder(
        "Cam and follower",
        "An eccentric disc lifts a follower with a flat foot; a spring and gravity press it "
        "down. Nothing but contact ties the two: turn the cam faster and the follower leaves "
        "it near "
        "the top, falls back late and strikes. The normal force tells first: it touches zero "
        "where the acceleration of the cam exceeds what spring and weight can give.",
        [
            "At which speed does the follower leave the cam for the first time?",
            (
                "How stiff must the spring be for 35 rad/s, and what does that cost in force at "
                "the bottom?"
            ),
            "Which part of the driving torque goes into friction at the foot?",
        ],
    )
    m.parameter(
        "n",
        "8 rad/s",
        "angular_velocity",
        minimum="2 rad/s",
        maximum="40 rad/s",
        slider=True,
        note="speed of the cam",
    )
    m.parameter(
        "k", "100 N/m", "stiffness", minimum="0 N/m", maximum="1000 N/m", slider=True, note="spring"
    )
    m.parameter("c", "25 mm", minimum="5 mm", maximum="35 mm", slider=True, note="eccentricity")
    base_plate(m.ground, -0.2, 0.2, "60 mm", "80 mm")
    m.ground.box(
        "30 mm", "60 mm", "340 mm", at=(0, "90 mm", "180 mm"), density=CAST_IRON, material="cast"
    )
    m.ground.box(
        "60 mm", "110 mm", "30 mm", at=(0, "55 mm", "350 mm"), density=CAST_IRON, material="cast"
    )
    # angles turn the cylinder's axis into y; drawn at the bottom, where the follower starts without
    # a blow
    cam = m.body("cam", (0, 0, "140 mm"), color=BLUE)
    cam.cylinder("60 mm", "24 mm", at=(0, 0, "-c"), angles=(0, 0, "90 deg")).cylinder(
        "10 mm", "150 mm", at=(0, "50 mm", 0), angles=(0, 0, "90 deg"), density=0, material="steel"
    )
    m.surface(cam, "oiled", restitution=0)
    foot = m.body("follower", (0, 0, "140 mm + 60 mm + 5 mm - c"), color=ORANGE)
    foot.box("120 mm", "30 mm", "10 mm").cylinder(
        "10 mm", "230 mm", at=(0, 0, "120 mm"), material="steel"
    )
    m.surface(foot, "oiled", restitution=0)
    shaft = m.pin("shaft", m.ground, cam, at=(0, 0, "140 mm"))
    guide = m.slider("guide", m.ground, foot, at=(0, 0, "350 mm"), axis=(0, 0, 1))
    m.drive("motor", shaft, speed="n")
    m.force("slide_spring", "spring", joint=guide, stiffness="k", free_length="-10 mm")
    m.touch(step="0.1 ms")
    m.run(duration="5 s")
    contact_plots(m, "Force on the foot", "contact/cam/follower")
    return m.project(), Camera((0.0, 0.0, 0.22), -66.0, 12.0, 1.4)


@sample("contact", 2)
def gripper() -> tuple[Project, Camera]:
    m = Builder(
        "Gripper",
        "Two jaws press on a box and lift it: friction alone holds it. Each jaw can carry μ "
        "times what it presses, so the box comes along as long as 2 μ F exceeds its weight "
        "and what its "
        "acceleration asks for. Look at the cones: the nearer the forces come to their "
        "sides, the nearer the box is to slipping.",
        [
            "With which force does the box begin to slip for the μ of the slider?",
            "Why does it slip while the lift starts, and not while it stops?",
            "How would a jaw with a V hold a round bar with less force?",
        ],
    )
    m.parameter(
        "F", "40 N", "force", minimum="5 N", maximum="80 N", slider=True, note="of each jaw"
    )
    m.parameter(
        "mu",
        "0.5",
        "number",
        minimum="0.1",
        maximum="1",
        slider=True,
        note="friction of jaws and box",
    )
    m.parameter("H", "200 mm", minimum="50 mm", maximum="260 mm", slider=True, note="lift")
    m.floor(0, "wood", restitution=0)
    lift = m.body("carriage", (0, 0, "300 mm"), color=7)
    lift.box("360 mm", "60 mm", "40 mm", material="steel").box(
        "50 mm", "40 mm", "200 mm", at=(0, 0, "110 mm"), material="steel"
    )
    m.ground.box(
        "60 mm", "40 mm", "800 mm", at=(0, "90 mm", "400 mm"), density=CAST_IRON, material="cast"
    )
    rail = m.slider("rail", m.ground, lift, at=(0, "60 mm", "300 mm"), axis=(0, 0, 1))
    m.drive("hoist", rail, position=rest_to_rest("H", duration="1.5 s", begin="1 s"))
    box = m.body("box", (0, 0, "50 mm"), color=ORANGE)
    box.box("100 mm", "80 mm", "100 mm", density=WOOD * 3)
    m.surface(box, friction="mu", restitution=0)
    for side, s in (("left", -1), ("right", 1)):
        jaw = m.body(f"{side} jaw", (s * 0.095, 0, "160 mm"), color=BLUE)
        jaw.box("20 mm", "50 mm", "220 mm", material="paint")
        m.surface(jaw, friction="mu", restitution=0)
        slide = m.slider(f"{side} slide", lift, jaw, at=(s * 0.095, 0, "280 mm"), axis=(-s, 0, 0))
        m.force("motor_force", f"{side} grip", joint=slide, force="F")
        m.pair(jaw, lift, False)
    m.touch()
    m.run(duration="5 s")
    contact_plots(m, "Pressing", "contact/box/left_jaw", "contact/box/right_jaw")
    return m.project(), Camera((0.0, 0.0, 0.33), -66.0, 12.0, 2.2)


@sample("contact", 2)
def geneva_drive() -> tuple[Project, Camera]:
    m = Builder(
        "Geneva drive",
        "A pin on a turning crank enters a slot of the wheel, takes it along by a quarter "
        "turn and leaves it. It enters and leaves along the slot, so that the wheel starts "
        "and stops without "
        "a blow; between, nothing but a little drag holds it. The contact forces tell which "
        "side of the slot drives: first the wheel is pushed, then it is held back.",
        [
            "When does the pin change from one side of the slot to the other, and why there?",
            "Which share of the time does the wheel rest?",
            "What happens at high speed where there is play in the slot?",
        ],
    )
    m.parameter(
        "n",
        "3 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="10 rad/s",
        slider=True,
        note="speed of the crank",
    )
    m.parameter(
        "drag",
        "0.05 N*m",
        "torque",
        minimum="0 N*m",
        maximum="0.3 N*m",
        slider=True,
        note="that holds the wheel",
    )
    apart, pin, play, edge = 0.2, 0.008, 0.0003, 0.001
    reach, height = apart / math.sqrt(2), 0.22
    base_plate(m.ground, -0.24, 0.44, "70 mm", "90 mm")
    for x in (0, apart):
        m.ground.box(
            "40 mm",
            "20 mm",
            f"{height} m",
            at=(x, "70 mm", height / 2),
            density=CAST_IRON,
            material="cast",
        ).pin("8 mm", "70 mm", at=(x, "40 mm", height))
    wheel = m.body("wheel", (0, 0, height), color=ORANGE)
    # four corners between the slots, which lie at 45 deg to the crank while the wheel rests
    wide, half = pin + play + edge, math.sqrt(0.5)
    for k in range(4):
        rotated = [
            (x * math.cos(b) - z * math.sin(b), x * math.sin(b) + z * math.cos(b))
            for b in (k * math.pi / 2,)
            for x, z in (
                (wide / half, 0.0),
                (half * (reach + wide), half * (reach - wide)),
                (half * (reach + wide), -half * (reach - wide)),
            )
        ]
        wheel.plate(rotated, edge, "16 mm")
    wheel.cylinder("34 mm", "10 mm", at=(0, "16 mm", 0), angles=(0, 0, "90 deg"), material="steel")
    m.surface(wheel, "oiled", restitution=0)
    crank = m.body("crank", (apart, 0, height), color=BLUE)
    crank.bar(reach, "36 mm", "10 mm", at=(0, "-18 mm", 0)).cylinder(
        pin, "30 mm", at=(reach, "-4 mm", 0), angles=(0, 0, "90 deg"), material="steel"
    )
    m.surface(crank, "oiled", restitution=0)
    shaft, axle = (
        m.pin("shaft", m.ground, crank, at=(apart, 0, height)),
        m.pin("axle", m.ground, wheel, at=(0, 0, height)),
    )
    m.drive("motor", shaft, speed="n")
    m.force("friction_torque", "drag", joint=axle, torque="drag", speed="0.2 rad/s")
    m.touch(step="0.5 ms")
    m.run(duration="6 s")
    contact_plots(m, "Wheel", "joint/axle/0")
    return m.project(), Camera((0.1, 0.0, 0.19), -74.0, 12.0, 1.3)


@sample("contact", 2)
def ball_mill() -> tuple[Project, Camera]:
    m = Builder(
        "Ball mill",
        "A drum with four lifters turns steel balls over. Turned slowly they cascade down "
        "the slope, faster they fly and strike the foot of the heap, where a mill grinds "
        "best; beyond "
        "the critical speed, where g equals r times the square of the speed, they stay on "
        "the wall all the way round. Friction and lost impacts are what the motor pays for.",
        [
            "What is the critical speed of this drum?",
            "At which speed do most balls fly, and how does the torque of the motor follow?",
            "Which part of the work goes into friction, and which into impacts?",
        ],
    )
    m.parameter(
        "n",
        "5 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="12 rad/s",
        slider=True,
        note="speed of the drum",
    )
    m.parameter("e", "0.3", "number", minimum="0", maximum="0.9", slider=True, note="restitution")
    radius, depth, height, sides, ball = 0.17, 0.09, 0.3, 16, 0.02
    base_plate(m.ground, -0.16, 0.16, "80 mm", "130 mm")
    m.ground.box(
        "70 mm",
        "24 mm",
        f"{height} m",
        at=(0, "95 mm", height / 2),
        density=CAST_IRON,
        material="cast",
    ).pin("14 mm", "60 mm", at=(0, "75 mm", height))
    drum = m.body("drum", (0, 0, height), color=7)
    for k in range(sides):
        b = 2 * math.pi * k / sides
        drum.box(
            2 * (radius + 0.008) * math.tan(math.pi / sides),
            depth,
            "8 mm",
            at=((radius + 0.004) * math.cos(b), 0, (radius + 0.004) * math.sin(b)),
            angles=(0, math.pi / 2 - b, 0),
            material="steel",
        )
        if k % 4 == 0:
            drum.box(
                "8 mm",
                depth,
                "36 mm",
                at=((radius - 0.018) * math.cos(b), 0, (radius - 0.018) * math.sin(b)),
                angles=(0, math.pi / 2 - b, 0),
            )
    drum.box(1.6 * radius, "6 mm", 1.6 * radius, at=(0, depth / 2 + 0.003, 0), material="paint")
    # the other walls hold the balls and are not seen
    mirror_plane = m.body("glass", (0, 0, height), color=7)
    for y in (-depth / 2 - 0.003, depth / 2 + 0.003):
        mirror_plane.box(2.2 * radius, "6 mm", 2.2 * radius, at=(0, y, 0), density=50)
    m.hide(mirror_plane, m.fix("rim", drum, mirror_plane, at=drum.world()))
    for wall in (drum, mirror_plane):
        m.surface(wall, "steel", restitution="e")
    m.pair(drum, m.ground, False)
    m.pair(mirror_plane, m.ground, False)
    for k in range(24):
        line, column = divmod(k, 6)
        body = m.body(
            f"ball {k + 1}",
            (
                0.042 * (column - 2.5) + 0.003 * (line % 2),
                0.022 * (-1) ** (k + line),
                height - 0.1 + 0.045 * line,
            ),
            color=k % 5,
        )
        body.sphere(ball, material="paint")
        m.surface(body, "steel", restitution="e")
    m.drive("motor", m.pin("shaft", m.ground, drum, at=(0, 0, height)), speed="n")
    m.touch(step="2 ms", tolerance="1e-3 m/s")
    m.run(duration="6 s")
    contact_plots(m, "Contacts", "contact/count")
    return m.project(), Camera((0.0, 0.0, 0.25), -78.0, 10.0, 1.3)


@sample("contact", 1)
def conveyors() -> tuple[Project, Camera]:
    m = Builder(
        "Conveyors",
        "Four parcels stand on a slow belt, which hands them to a fast one. A belt is a surface "
        "that runs around its body: friction brings what lies on it to its speed, within the time "
        "(v2 - v1) / (μ g). Each parcel does the same a little later than the one before, so that "
        "their distance grows as the speeds do. While a parcel of mass m slips, the drive of the "
        "fast belt gives m v2 (v2 - v1), of which m (v2 - v1)² / 2 becomes heat.",
        [
            "How far apart are the parcels on the fast belt?",
            "How long does a parcel slip, and how far does the belt run ahead of it meanwhile?",
            "Let the fast belt run backwards: where do the parcels end?",
        ],
    )
    m.parameter(
        "v1",
        "0.4 m/s",
        "velocity",
        minimum="0.1 m/s",
        maximum="1 m/s",
        slider=True,
        note="slow belt",
    )
    m.parameter(
        "v2",
        "0.8 m/s",
        "velocity",
        minimum="-1 m/s",
        maximum="1.2 m/s",
        slider=True,
        note="fast belt",
    )
    m.parameter(
        "mu", "0.3", "number", minimum="0.05", maximum="0.8", slider=True, note="friction of belts"
    )
    m.floor(0, friction=0.4)
    height, radius = 0.3, 0.02
    for name, start, end, speed, color in (
        ("slow belt", -1.5, -0.025, "v1", BLUE),
        ("fast belt", 0.025, 3.6, "v2", ORANGE),
    ):
        middle, half = 0.5 * (start + end), 0.5 * (end - start)
        belt = m.body(name, (middle, 0, height - radius), color=color)
        belt.bar(2 * half, 2 * radius, 0.26, at=(-half, 0, 0), density=RUBBER)
        m.surface(belt, friction="mu", belt_speed=speed)
        m.fix(f"frame of {name}", m.ground, belt, at=belt.world())
        for x in (start + 0.12, end - 0.12):
            leg = height - 2 * radius
            m.ground.box(0.05, 0.2, leg, at=(x, 0, 0.5 * leg))
    for k in range(4):
        parcel = m.body(f"parcel {k + 1}", (-0.3 - 0.3 * k, 0, height + 0.06), color=OCHRE)
        parcel.box(0.16, 0.16, 0.12, density=200)
        parcel.velocity(("v1", 0, 0))
        m.surface(parcel, friction="mu")
    m.touch()
    m.run(duration="5 s")
    contact_plots(m, "Speeds", *(f"body/parcel_{k}/vx" for k in (1, 2, 3, 4)))
    return m.project(), Camera((1.05, 0.0, 0.15), -82.0, 20.0, 9.8)


@sample("contact", 2)
def superball() -> tuple[Project, Camera]:
    m = Builder(
        "Superball",
        "A ball of hard rubber keeps its energy in an impact, also that of its slip: the point of "
        "contact leaves as fast as it came, the other way. Angular momentum about that point is "
        "kept, so a ball without spin goes on with 3/7 of its speed and much spin, and the next "
        "impact gives it all of its speed back: a short hop, a long one, a short one. The plain "
        "ball beside it rolls on with 5/7 of its speed after the first impact (Garwin 1969).",
        [
            "Where does the plain ball lose energy, and how much in the first impact?",
            "Which ball slips before its third impact?",
            "Set e to 0.5: towards which speed do the hops of both balls go?",
        ],
    )
    m.parameter(
        "e",
        "1",
        "number",
        minimum="0",
        maximum="1",
        slider=True,
        note="tangential rebound of the superball",
    )
    m.parameter(
        "v",
        "1 m/s",
        "velocity",
        minimum="-2 m/s",
        maximum="2 m/s",
        slider=True,
        note="speed at the start",
    )
    m.floor(0, friction=1, restitution=1, tangential_restitution=1)
    for name, y, again, color in (("lively", 0.25, "e^2", ORANGE), ("plain", -0.25, 0, BLUE)):
        ball = banded_ball(m, name, (-1.8, y, "600 mm"), 110, RUBBER, 1e-3, color)
        ball.velocity(("v", 0, 0))
        m.surface(ball, friction=1, restitution=1, tangential_restitution=again)
    m.touch(step="0.2 ms")
    m.run(duration="5 s")
    contact_plots(m, "Speeds", "body/lively/vx", "body/plain/vx")
    return m.project(), Camera((0.05, 0.0, 0.3), -78.0, 14.0, 7.6)
