"""Samples of linkages at work: drag link, double rocker, quick return, Scotch yoke, toggle press,
scissor lift, pantograph, Jansen's leg, a six-bar with a dwell.
"""

import cmath
import math

from planar_parts import SPACING, Linkage, meet
from sample_parts import (
    BLUE,
    CAST_IRON,
    GREEN,
    OCHRE,
    ORANGE,
    PINK,
    base_plate,
    plots,
    sample,
    speed,
)

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.project import Camera, Project

DEG = math.pi / 180


def rail(m: Builder, left: float, right: float, height: float, depth: str = "30 mm") -> None:
    """A guide bar along x on two feet, behind the plane of the pins."""
    bottom = height - 0.031
    m.ground.box(
        right - left,
        "24 mm",
        "14 mm",
        at=(0.5 * (left + right), depth, bottom - 0.007),
        density=CAST_IRON,
        material="steel",
    )
    for x in (left + 0.02, right - 0.02):
        m.ground.box(
            "30 mm",
            "20 mm",
            bottom - 0.028,
            at=(x, depth, 0.5 * bottom),
            density=CAST_IRON,
            material="cast",
        )


@sample("linkages", 2)
def drag_link() -> tuple[Project, Camera]:
    ground, crank, coupler, follower = 0.08, 0.18, 0.20, 0.24
    m = Builder(
        "Drag link",
        "The shortest link of this four-bar stands still, so both neighbours turn all the way "
        "round (Grashof). The crank turns evenly, the follower hurries and lingers: it is used "
        "as a quick return where a slotted lever would wear.",
        [
            "By how much does shortest plus longest stay below the two others (Grashof)?",
            "At which angle of the crank is the follower fastest?",
            "Make the frame 250 mm long, longer than the three others: which link still turns all "
            "the way round?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    a, d = 0j, complex(ground, 0)
    b = crank * cmath.exp(1j * 70 * DEG)
    c = meet(b, coupler, d, follower)
    line = Linkage(m, 0.31)
    base_plate(m.ground, -0.12, 0.2, "30 mm", "90 mm")
    for x in (a, d):
        # pins on one column behind, so that both cranks pass in front of them
        m.ground.pin("10 mm", "110 mm", at=(x.real, "35 mm" if x == a else "12 mm", line.height))
    m.ground.plate(
        [(0, 0), (ground, 0), (ground + 0.04, -0.29), (-0.04, -0.29)],
        "24 mm",
        "20 mm",
        at=(0, "78 mm", line.height),
        density=CAST_IRON,
        material="cast",
    )
    one = line.rod("crank", a, b, 0, ORANGE)
    three = line.rod("follower", d, c, 2, GREEN)
    two = line.rod("coupler", b, c, 1, BLUE)
    joint = line.hinge("A", m.ground, one, a, rate="omega")
    line.hinge("B", one, two, b)
    line.hinge("C", two, three, c)
    line.hinge("D", m.ground, three, d)
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Crank and follower", "joint/A/0", "joint/D/0")
    return m.project(), Camera((0.04, 0.0, 0.3), -66.0, 10.0, 1.5)


@sample("linkages", 2)
def double_rocker() -> tuple[Project, Camera]:
    ground, left, coupler, right = 0.30, 0.22, 0.10, 0.25
    m = Builder(
        "Double rocker",
        "The shortest link is the coupler: neither rocker can turn, but the coupler itself turns "
        "all the way round. A motor between coupler and left rocker drives it, as in the head of "
        "a swinging fan, and both rockers swing between the limits of two triangles.",
        [
            "Which triangles give the two limits of the left rocker?",
            "Why could no motor at a ground pin drive it through a whole cycle?",
            "How often do the rockers swing while the coupler turns once?",
        ],
    )
    speed(m, "1.5 rad/s", "of the coupler against the left rocker")
    a, d = 0j, complex(ground, 0)
    b = a + left * cmath.exp(1j * 75 * DEG)
    c = meet(b, coupler, d, right)
    line = Linkage(m, 0.12)
    line.base(-0.09, 0.4, a, d)
    one = line.rod("left rocker", a, b, 0, ORANGE)
    three = line.rod("right rocker", d, c, 0, GREEN)
    two = line.rod("coupler", b, c, 1, BLUE)
    line.hinge("A", m.ground, one, a)
    joint = line.hinge("B", one, two, b, rate="omega")
    line.hinge("C", two, three, c)
    line.hinge("D", m.ground, three, d)
    m.drive("motor", joint, speed="omega")
    m.run(duration="9 s")
    plots(m, "Rockers", "joint/A/0", "joint/D/0")
    return m.project(), Camera((0.15, 0.0, 0.19), -70.0, 12.0, 1.15)


@sample("machines", 2)
def whitworth_quick_return() -> tuple[Project, Camera]:
    r, offset, arm, rod = 0.10, 0.05, 0.11, 0.30
    m = Builder(
        "Whitworth's quick return",
        "A crank drags a block round in a slotted lever whose pin stands half a crank's length "
        "below the crank's: the lever turns fully but unevenly. Its other end moves a ram, slowly "
        "while it cuts and twice as fast back. Crank angles of 240 and 120 degrees share the turn.",
        [
            "How do 240 and 120 degrees follow from the ratio of offset and crank?",
            "What ratio gives the offset of 0.866 of the crank, and what of 0?",
            "At which crank angles does the lever turn as fast as the crank?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    q, o = 0j, complex(0, -offset)
    pin = r * cmath.exp(1j * 100 * DEG)
    lever = (pin - o) / abs(pin - o)
    end = o - arm * lever
    ram = complex(o.real + end.real - math.sqrt(rod**2 - (end.imag - o.imag) ** 2), o.imag)
    line = Linkage(m, 0.27)
    base_plate(m.ground, -0.46, 0.15, "40 mm", "80 mm")
    m.ground.plate(
        [(-0.02, 0.02), (0.02, 0.02), (0.07, -0.25), (-0.07, -0.25)],
        "20 mm",
        "18 mm",
        at=(0, "58 mm", line.height),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("10 mm", "50 mm", at=(0, "32 mm", line.height))
    m.ground.pin("10 mm", "62 mm", at=(0, "26 mm", line.height - offset))
    rail(m, -0.47, -0.23, line.height - offset)
    crank = line.rod("crank", q, pin, 0, ORANGE)
    slotted = m.body("slotted lever", line.at(o), (0, -cmath.phase(lever), 0), color=GREEN)
    for z in ("14 mm", "-14 mm"):
        slotted.bar("180 mm", "10 mm", "14 mm", at=("-5 mm", "-8 mm", z))
    slotted.bar(arm, "30 mm", "14 mm", at=(-arm, "-8 mm", 0))
    slotted.box("14 mm", "14 mm", "34 mm", at=("176 mm", "-8 mm", 0))
    block = m.body("block", line.at(pin), (0, -cmath.phase(lever), 0), color=OCHRE)
    block.box("32 mm", "16 mm", "18 mm", at=(0, "-8 mm", 0), density=2 * 7850)
    block.pin("8 mm", "58 mm", at=(0, "-2 mm", 0))
    bar = line.rod("connecting rod", end, ram, 2, BLUE)
    slide = m.body("ram", line.at(ram), color=PINK)
    slide.box("80 mm", "30 mm", "44 mm", at=(0, "24 mm", 0))
    slide.pin("9 mm", "66 mm", at=(0, "-8 mm", 0))
    joint = line.hinge("A", m.ground, crank, q, rate="omega")
    m.pin("pin", crank, block, at=line.at(pin))
    m.slider(
        "slot", slotted, block, at=(line.at(o), line.at(pin)), axis=(lever.real, 0, lever.imag)
    )
    m.pin("O", m.ground, slotted, at=line.at(o))
    m.pin("B", slotted, bar, at=line.at(end))
    m.pin("C", bar, slide, at=line.at(ram))
    guide = m.slider("guide", m.ground, slide, at=(line.at(o), line.at(ram)), axis=(1, 0, 0))
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Ram", f"joint/{guide.id}/0")
    return m.project(), Camera((-0.15, 0.0, 0.24), -72.0, 12.0, 1.35)


@sample("linkages", 1)
def scotch_yoke() -> tuple[Project, Camera]:
    m = Builder(
        "Scotch yoke",
        "The crank's pin runs in an upright slot and pushes the yoke to and fro: its motion is an "
        "exact sine, x = r cos(phi), without the second harmonic of a connecting rod. Compare its "
        "acceleration with that of the slider-crank.",
        [
            "What is the largest speed of the yoke, and where is it reached?",
            "What must a motor do to keep the crank even, and where does the work go?",
            "Why do engines use a connecting rod all the same?",
        ],
    )
    m.parameter("r", "90 mm", minimum="40 mm", maximum="110 mm", slider=True, note="crank")
    speed(m, "4 rad/s", "of the crank", "1 rad/s", "12 rad/s")
    height = 0.2
    line = Linkage(m, height)
    line.base(-0.17, 0.42, 0j)
    rail(m, 0.2, 0.41, height, "-12 mm")
    crank = m.link(
        "crank",
        line.at(0j),
        length="r",
        angle="60 deg",
        width="34 mm",
        thickness="14 mm",
        layer="10 mm",
        color=ORANGE,
    )
    crank.pin("9 mm", "46 mm", at=("r", "-4 mm", 0))
    block = m.body("block", crank.end, color=OCHRE)
    block.box("26 mm", "18 mm", "40 mm", at=(0, "-12 mm", 0), density=2 * 7850)
    yoke = m.body("yoke", ("r*cos(60 deg)", 0, height), color=GREEN)
    for x in ("-20 mm", "20 mm"):
        yoke.box("14 mm", "16 mm", "270 mm", at=(x, "-12 mm", 0))
    for z in ("-142 mm", "142 mm"):
        yoke.box("54 mm", "16 mm", "14 mm", at=(0, "-12 mm", z))
    yoke.box("300 mm", "16 mm", "20 mm", at=("177 mm", "-12 mm", 0))
    joint = m.pin("A", m.ground, crank, at=line.at(0j), rate="omega")
    m.pin("B", crank, block, at=crank.end)
    m.slider("slot", yoke, block, at=(yoke.world(), block.world()), axis=(0, 0, 1))
    m.slider("guide", m.ground, yoke, at=(line.at(0j), yoke.world()), axis=(1, 0, 0))
    m.drive("motor", joint, speed="omega")
    m.run(duration="6 s")
    plots(m, "Yoke", "joint/guide/0")
    return m.project(), Camera((0.14, 0.0, 0.19), -64.0, 14.0, 1.25)


@sample("machines", 1)
def toggle_press() -> tuple[Project, Camera]:
    arm = 0.16
    m = Builder(
        "Toggle press",
        "Two equal links in line with a ram: near the straight position a small force at the knee "
        "becomes a very large one at the ram, F / P = 1 / (2 tan alpha). The price is the way: the "
        "last degree would move the ram by a twentieth of a millimetre.",
        [
            "How far does the ram still travel when alpha goes from 5 degrees to 0?",
            "At which alpha is the force of the ram ten times that of the knee?",
            "Why is the power at the ram all the same never larger than that at the knee?",
        ],
    )
    speed(m, "1.5 rad/s", "of the stroke", "0.3 rad/s", "4 rad/s")
    alpha = 30 * DEG
    top = complex(0, 0.42)
    knee = top + arm * cmath.exp(1j * (-math.pi / 2 + alpha))
    ram = complex(0, knee.imag - arm * math.cos(alpha))
    line = Linkage(m, 0.0)
    base_plate(m.ground, "-110 mm", "150 mm", "45 mm", "85 mm")
    m.ground.plate(
        [(-0.03, 0.44), (0.03, 0.44), (0.05, 0.02), (-0.05, 0.02)],
        "16 mm",
        "20 mm",
        at=(0, "52 mm", 0),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("10 mm", "60 mm", at=(0, "28 mm", top.imag))
    m.ground.box("90 mm", "60 mm", "24 mm", at=(0, 0, "26 mm"), density=CAST_IRON, material="steel")
    upper = line.rod("upper link", top, knee, 1, ORANGE)
    lower = line.rod("lower link", knee, ram, 2, BLUE)
    head = m.body("ram", line.at(ram), color=GREEN)
    head.box("60 mm", "44 mm", "70 mm", at=(0, "10 mm", "-20 mm"))
    head.pin("9 mm", "60 mm", at=(0, "-12 mm", 0))
    joint = line.hinge("A", m.ground, upper, top)
    line.hinge("knee", upper, lower, knee)
    m.pin("C", lower, head, at=line.at(ram))
    m.slider("guide", m.ground, head, at=(line.at(top), line.at(ram)), axis=(0, 0, -1))
    m.drive("stroke", joint, position="-14 deg * (1 - cos(omega*t))")
    m.run(duration="9 s", tolerance=1e-10)
    plots(m, "Ram", "joint/guide/0")
    return m.project(), Camera((0.02, 0.0, 0.24), -60.0, 10.0, 1.15)


@sample("machines", 2)
def scissor_lift() -> tuple[Project, Camera]:
    stages, arm = 3, 0.30
    m = Builder(
        "Scissor lift",
        "Three pairs of crossed bars: one foot stands, the other is pulled along the floor, and "
        "the platform rises by three times what one pair does: z = 3 L sin(theta), x = L "
        "cos(theta). Low down the pull has to be several times the load.",
        [
            "How large is the pull per newton of load, in terms of theta?",
            "Why does the lift start so hard, and what do makers do about it?",
            "Which forces are left undetermined by so many loops?",
        ],
    )
    m.parameter(
        "v",
        "20 mm/s",
        "velocity",
        minimum="5 mm/s",
        maximum="25 mm/s",
        slider=True,
        note="of the foot",
    )
    theta = 22 * DEG
    x, z = arm * math.cos(theta), arm * math.sin(theta)
    line = Linkage(m, 0.045)
    base_plate(m.ground, -0.06, 0.36, "60 mm", "60 mm")
    m.ground.pin("9 mm", "60 mm", at=(0, 0, line.height))
    m.ground.box(
        "40 mm", "20 mm", "30 mm", at=(0, "26 mm", "29 mm"), density=CAST_IRON, material="cast"
    )
    m.ground.box("330 mm", "20 mm", "8 mm", at=("190 mm", "26 mm", "18 mm"), material="steel")
    foot = m.body("foot", line.at(complex(x, 0)), color=OCHRE)
    foot.box("44 mm", "26 mm", "40 mm", at=(0, "26 mm", "-2 mm"))
    foot.pin("8 mm", "70 mm")
    joint = m.slider(
        "screw", m.ground, foot, at=(line.at(0j), foot.world()), axis=(-1, 0, 0), rate="v"
    )
    left, right = m.ground, foot
    for k in range(stages):
        low, high = z * k, z * (k + 1)
        rising = line.rod(
            f"rising bar {k + 1}", complex(0, low), complex(x, high), 0, BLUE, width="24 mm"
        )
        falling = line.rod(
            f"falling bar {k + 1}", complex(0, high), complex(x, low), 1, GREEN, width="24 mm"
        )
        line.hinge(f"left {k + 1}", left, rising, complex(0, low))
        line.hinge(f"right {k + 1}", right, falling, complex(x, low))
        line.hinge(f"middle {k + 1}", rising, falling, complex(0.5 * x, 0.5 * (low + high)))
        left, right = falling, rising
    top = m.body("platform", line.at(complex(0, z * stages)), color=ORANGE)
    top.box("360 mm", "100 mm", "16 mm", at=("150 mm", 0, "34 mm"))
    top.box("30 mm", "16 mm", "34 mm", at=(0, "26 mm", "10 mm"))
    top.box("300 mm", "16 mm", "10 mm", at=("180 mm", "26 mm", "22 mm"))
    m.pin("platform pin", left, top, at=line.at(complex(0, z * stages)))
    shoe = m.body("shoe", line.at(complex(x, z * stages)), color=OCHRE)
    shoe.box("40 mm", "22 mm", "26 mm", at=(0, "26 mm", 0))
    shoe.pin("8 mm", "70 mm")
    m.pin("shoe pin", right, shoe, at=shoe.world())
    m.slider("track", top, shoe, at=(top.world(), shoe.world()), axis=(1, 0, 0))
    m.drive("pull", joint, speed="v")
    m.run(duration="6 s")
    plots(m, "Foot", "joint/screw/0")
    return m.project(), Camera((0.15, 0.0, 0.42), -62.0, 10.0, 2.1)


@sample("machines", 1)
def pantograph() -> tuple[Project, Camera]:
    m = Builder(
        "Pantograph",
        "A parallelogram with two lengthened sides copies every motion of the tracer to the "
        "pencil, three times as large: pencil, tracer and fixed pin stay in one line, and "
        "their distances in one ratio. Two freedoms, one loop.",
        [
            "Why do fixed pin, tracer and pencil stay in one straight line?",
            "Swap fixed pin and tracer: what is the ratio then?",
            "Which lengths would you change for a ratio of two?",
        ],
    )
    speed(m, "2 rad/s", "of the first motion", "0.5 rad/s", "4 rad/s")
    # O fixed, A and B on the long arm, P pencil; the tracer T completes the parallelogram
    side, ratio = 0.12, 3
    up, down = cmath.exp(1j * 50 * DEG), cmath.exp(-1j * 35 * DEG)
    o = 0j
    a, b = o + side * up, o + ratio * side * up
    t = a + side * down
    c = b + side * down * (ratio - 1) * 0 + (t - a)
    p = b + ratio * side * down
    line = Linkage(m, 0.12)
    line.base(-0.09, 0.5, o)
    long = line.rod("long arm", o, b, 0, ORANGE, width="24 mm", A=a)
    lower = line.rod("tracer arm", a, t, 1, BLUE, width="24 mm", T=t)
    upper = line.rod("pencil arm", b, p, 1, GREEN, width="24 mm", C=c, P=p)
    link = line.rod("link", t, c, 2, OCHRE, width="24 mm")
    first = line.hinge("O", m.ground, long, o)
    second = line.hinge("A", long, lower, a)
    line.hinge("B", long, upper, b)
    line.hinge("T", lower, link, t)
    line.hinge("C", upper, link, c)
    line.trace(upper, "P")
    line.trace(lower, "T")
    m.drive("first motion", first, position="12 deg * sin(omega*t)")
    m.drive("second motion", second, position="20 deg * sin(2*omega*t)")
    m.run(duration="7 s")
    plots(m, "Angles", "joint/O/0", "joint/A/0")
    return m.project(), Camera((0.22, 0.0, 0.2), -72.0, 12.0, 1.35)


# Jansen's "eleven holy numbers" (T. Jansen, The Great Pretender, 2007), here in units of 4 mm; l
# and a: from the crank's pin to the frame's
JANSEN = {
    "a": 38.0,
    "b": 41.5,
    "c": 39.3,
    "d": 40.1,
    "e": 55.8,
    "f": 39.4,
    "g": 36.7,
    "h": 65.7,
    "i": 49.0,
    "j": 50.0,
    "k": 61.9,
    "l": 7.8,
    "m": 15.0,
}


@sample("machines", 2)
def jansen_leg() -> tuple[Project, Camera]:
    u = 0.004
    n = {key: u * value for key, value in JANSEN.items()}
    m = Builder(
        "Jansen's leg",
        "The leg of Theo Jansen's beach animals: a crank, eleven lengths that a search of months "
        "found, and a foot that walks level along the ground for half a turn and lifts quickly "
        "over the rest. Three loops of hinges, one freedom.",
        [
            "For which part of the turn is the foot on the ground?",
            "How many legs at which phases does a walker need to stand at all times?",
            "Make the crank longer: how do the height and the length of the step change?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    crank, frame = 0j, complex(-n["a"], -n["l"])
    x = n["m"] * cmath.exp(1j * 90 * DEG)
    top = meet(frame, n["b"], x, n["j"])
    knee = meet(x, n["k"], frame, n["c"])
    knee = knee if knee.imag < frame.imag else meet(frame, n["c"], x, n["k"])
    back = meet(frame, n["d"], top, n["e"])
    hip = meet(knee, n["g"], back, n["f"])
    foot = meet(knee, n["i"], hip, n["h"])
    if foot.imag > knee.imag:
        foot = meet(hip, n["h"], knee, n["i"])
    # the foot comes down to half a millimetre above the plate
    line = Linkage(m, 0.392)
    base_plate(m.ground, -0.36, 0.12, "60 mm", "90 mm")
    m.ground.plate(
        [
            (0.0, 0.0),
            (frame.real, frame.imag),
            (frame.real - 0.02, -0.372),
            (0.03, -0.372),
        ],
        "18 mm",
        "16 mm",
        at=(0, "46 mm", line.height),
        density=CAST_IRON,
        material="cast",
    )
    for p in (crank, frame):
        m.ground.pin("9 mm", "60 mm", at=(p.real, "22 mm", p.imag + line.height))
    one = line.rod("crank", crank, x, 0, ORANGE, width="24 mm")
    long = line.rod("upper rod j", x, top, 2, PINK, width="20 mm")
    low = line.rod("lower rod k", x, knee, 3, PINK, width="20 mm")
    shoulder = line.rod("upper triangle", frame, top, 1, BLUE, width="20 mm", E=back)
    strut(shoulder, top, back, line)
    rocker = line.rod("rocker c", frame, knee, 0, OCHRE, width="20 mm")
    side = line.rod("rod f", back, hip, 2, GREEN, width="20 mm")
    leg = line.rod("leg", hip, knee, 1, BLUE, width="20 mm", F=foot)
    strut(leg, hip, foot, line)
    joint = line.hinge("A", m.ground, one, crank, rate="omega")
    line.hinge("X upper", one, long, x)
    line.hinge("X lower", one, low, x)
    line.hinge("top", long, shoulder, top)
    line.hinge("frame upper", m.ground, shoulder, frame)
    line.hinge("frame lower", m.ground, rocker, frame)
    line.hinge("knee", low, rocker, knee)
    line.hinge("knee leg", rocker, leg, knee)
    line.hinge("back", shoulder, side, back)
    line.hinge("hip", side, leg, hip)
    line.trace(leg, "F")
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Rockers", "joint/frame_upper/0", "joint/frame_lower/0")
    return m.project(), Camera((-0.13, 0.0, 0.262), -70.0, 10.0, 1.45)


def strut(body: BodyHandle, p: complex, q: complex, line: Linkage) -> None:
    """The third side of a triangle that a rod carries."""
    start = complex(body.start[0], body.start[2] - line.height)
    end = complex(body.end[0], body.end[2] - line.height)
    along = (end - start) / abs(end - start)
    first, way = (p - start) / along, (q - p) / along
    layer = 10 - SPACING * line.layer(body)
    body.bar(
        abs(way),
        "20 mm",
        "14 mm",
        at=(first.real, f"{layer} mm", first.imag),
        angles=(0, -cmath.phase(way), 0),
    )


@sample("machines", 3)
def dwell_six_bar() -> tuple[Project, Camera]:
    u = 0.06
    m = Builder(
        "Six-bar with a dwell",
        "Hoeken's crank moves a coupler point along a straight line for half a turn. A sliding "
        "block on that point, in a slot along the line, holds its lever still meanwhile: a dwell "
        "without any cam, as machines that pack and print need it.",
        [
            "For how many degrees of the crank does the lever stay within half a degree?",
            "Why can the dwell be only as good as the straight line?",
            "Which change would give two dwells in a turn?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    a, c = 0j, complex(2 * u, 0)
    b = a + u * cmath.exp(1j * math.pi)
    d = meet(b, 2.5 * u, c, 2.5 * u)
    p = 2 * d - b
    pivot = complex(6.5 * u, 4 * u)
    line = Linkage(m, 0.1)
    line.base(-0.13, 0.46, a, c, foot="36 mm")
    m.ground.plate(
        [(0, 0), (-0.03, -0.3), (0.03, -0.3)],
        "20 mm",
        "18 mm",
        at=(pivot.real, "42 mm", pivot.imag + line.height),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("10 mm", "90 mm", at=(pivot.real, "10 mm", pivot.imag + line.height))
    one = line.rod("crank", a, b, 0, ORANGE)
    two = line.rod("rocker", c, d, 0, GREEN)
    three = line.rod("coupler", b, p, 1, BLUE, D=d, P=p)
    lever = m.body("lever", line.at(pivot), (0, "180 deg", 0), color=PINK)
    for z in ("14 mm", "-14 mm"):
        lever.bar("440 mm", "10 mm", "14 mm", at=(0, "-26 mm", z))
    lever.box("14 mm", "14 mm", "34 mm", at=("444 mm", "-26 mm", 0))
    lever.bar("90 mm", "30 mm", "14 mm", at=("-90 mm", "-26 mm", 0))
    block = m.body("block", line.at(p), color=OCHRE)
    block.box("40 mm", "16 mm", "18 mm", at=(0, "-26 mm", 0), density=3 * 7850)
    joint = line.hinge("A", m.ground, one, a, rate="omega")
    line.hinge("B", one, three, b)
    line.hinge("C", m.ground, two, c)
    line.hinge("D", two, three, d)
    m.pin("P", three, block, at=line.at(p))
    m.slider("slot", lever, block, at=(line.at(pivot), line.at(p)), axis=(-1, 0, 0))
    m.pin("O", m.ground, lever, at=line.at(pivot))
    line.trace(three, "P")
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Lever", "joint/O/0")
    return m.project(), Camera((0.16, 0.0, 0.25), -72.0, 10.0, 1.35)
