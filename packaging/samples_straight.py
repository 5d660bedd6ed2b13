"""Samples of linkages that draw straight lines: Chebyshev, Hoeken, Peaucellier, Scott Russell,
Watt.
"""

import cmath
import math

from planar_parts import Linkage, meet
from sample_parts import BLUE, CAST_IRON, GREEN, OCHRE, ORANGE, PINK, plots, sample, speed

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

DEG = math.pi / 180


@sample("lines", 2)
def chebyshev_line() -> tuple[Project, Camera]:
    u = 0.06
    m = Builder(
        "Chebyshev's straight line",
        "Two crossed rockers of length 5 stand 4 apart and carry a coupler of length 2. Its middle "
        "passes through three points of one straight line, and hardly leaves the line between "
        "them: the height stays at 4 within a third of a percent. One rocker is swung to and fro.",
        [
            "At which three places is the middle of the coupler exactly on the line?",
            "How far above or below the line does it get in between?",
            "Which link could turn fully if you drove it, by Grashof's rule?",
        ],
    )
    speed(m, "1.2 rad/s", "of the swing to and fro", "0.3 rad/s", "4 rad/s")
    # half way between the ends of the line, where the coupler stands upright
    middle = 0.5 * (math.atan2(3, 4) + math.pi / 2)
    a, c = complex(-2 * u, 0), complex(2 * u, 0)
    b = a + 5 * u * cmath.exp(1j * middle)
    d = meet(c, 5 * u, b, 2 * u)
    p = 0.5 * (b + d)
    line = Linkage(m, 0.09)
    line.base(-0.22, 0.22, a, c, foot="36 mm")
    one = line.rod("left rocker", a, b, 0, ORANGE)
    two = line.rod("right rocker", c, d, 1, GREEN)
    three = line.rod("coupler", b, d, 2, BLUE, P=p)
    joint = line.hinge("A", m.ground, one, a)
    line.hinge("B", one, three, b)
    line.hinge("C", m.ground, two, c)
    line.hinge("D", two, three, d)
    line.trace(three, "P")
    m.drive("swing", joint, position="25 deg * sin(omega*t)")
    m.run(duration="11 s", tolerance=1e-9)
    plots(m, "Rockers", "joint/A/0", "joint/C/0")
    return m.project(), Camera((0.0, 0.0, 0.22), -70.0, 10.0, 1.15)


@sample("lines", 1)
def hoeken_line() -> tuple[Project, Camera]:
    u = 0.06
    m = Builder(
        "Hoeken's straight line",
        "Crank 1, frame 2, coupler and rocker 2.5, and the coupler is lengthened to 5: its end "
        "runs along a straight line for half a turn of the crank, at its ends a third faster than "
        "in its middle, and comes back in a high arc. Walking machines and film claws use it.",
        [
            "For which crank angles is the end exactly at the height 4?",
            "How much faster does the end come back than it goes along the line?",
            "Which four-bar of Chebyshev draws the same curve (Roberts)?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    a, c = 0j, complex(2 * u, 0)
    b = a + u * cmath.exp(1j * math.pi)
    d = meet(b, 2.5 * u, c, 2.5 * u)
    p = 2 * d - b
    line = Linkage(m, 0.1)
    line.base(-0.13, 0.22, a, c, foot="36 mm")
    one = line.rod("crank", a, b, 0, ORANGE)
    two = line.rod("rocker", c, d, 0, GREEN)
    three = line.rod("coupler", b, p, 1, BLUE, D=d, P=p)
    joint = line.hinge("A", m.ground, one, a, rate="omega")
    line.hinge("B", one, three, b)
    line.hinge("C", m.ground, two, c)
    line.hinge("D", two, three, d)
    line.trace(three, "P")
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Rocker", "joint/C/0")
    return m.project(), Camera((0.06, 0.0, 0.22), -70.0, 10.0, 1.05)


@sample("lines", 2)
def peaucellier_line() -> tuple[Project, Camera]:
    long, short, r = 0.30, 0.11, 0.10
    m = Builder(
        "Peaucellier's straight line",
        "Two long arms, a rhombus and a crank: the first linkage in one plane that drew an exact "
        "straight line (1864). The rhombus inverts its inner corner in a circle, OA OP = L^2 - "
        "l^2, and a circle through the centre becomes a straight line. Seven rods, three loops, "
        "one freedom.",
        [
            "How far from the pin of the arms is the line, in terms of L, l and r?",
            "What becomes of the line if the crank's pin is moved so that it misses the centre?",
            "Where does the crank stand when the outer corner is fastest?",
        ],
    )
    speed(m, "1.5 rad/s", "of the swing to and fro", "0.3 rad/s", "4 rad/s")
    o, q = 0j, complex(r, 0)
    a = q + r * cmath.exp(1j * 0.0)
    b = meet(o, long, a, short)
    b = b if b.imag > 0 else b.conjugate()
    c = b.conjugate()
    p = complex(long**2 - short**2, 0) / abs(a) ** 2 * a
    line = Linkage(m, 0.24)
    line.base(-0.08, 0.45, o, q, foot="40 mm")
    arm_up = line.rod("upper arm", o, b, 0, GREEN)
    arm_down = line.rod("lower arm", o, c, 1, GREEN)
    crank = line.rod("crank", q, a, 0, ORANGE, width="26 mm")
    inner_up = line.rod("inner upper rod", a, b, 3, BLUE, width="24 mm")
    inner_down = line.rod("inner lower rod", a, c, 2, BLUE, width="24 mm")
    outer_up = line.rod("outer upper rod", b, p, 4, PINK, width="24 mm", P=p)
    outer_down = line.rod("outer lower rod", c, p, 3, OCHRE, width="24 mm")
    m.pin("O", m.ground, arm_up, at=line.at(o))
    m.pin("O lower", m.ground, arm_down, at=line.at(o))
    joint = line.hinge("Q", m.ground, crank, q)
    line.hinge("A upper", crank, inner_up, a)
    line.hinge("A lower", crank, inner_down, a)
    line.hinge("B", arm_up, inner_up, b)
    line.hinge("B outer", arm_up, outer_up, b)
    line.hinge("C", arm_down, inner_down, c)
    line.hinge("C outer", arm_down, outer_down, c)
    line.hinge("P", outer_down, outer_up, p)
    line.trace(outer_up, "P")
    m.drive("swing", joint, position="32 deg * sin(omega*t)")
    m.run(duration="9 s")
    plots(m, "Crank", "joint/Q/0")
    return m.project(), Camera((0.19, 0.0, 0.2), -70.0, 10.0, 1.1)


@sample("lines", 1)
def scott_russell() -> tuple[Project, Camera]:
    r = 0.12
    m = Builder(
        "Scott Russell's straight line",
        "A rod of twice the crank's length slides with one end along the floor line, its middle "
        "hangs on the crank: the other end goes straight up and down over the crank's pin. By "
        "Thales its two ends and the pin always make a right angle.",
        [
            "Why is the path of the upper end an exact straight line?",
            "How high does it stand when the crank stands at 30 degrees?",
            "Move the slider's line up a little: what does the upper end draw then?",
        ],
    )
    speed(m, "1.2 rad/s", "of the swing to and fro", "0.3 rad/s", "4 rad/s")
    start = 45 * DEG
    b = r * cmath.exp(1j * start)
    c, p = complex(2 * b.real, 0), complex(0, 2 * b.imag)
    line = Linkage(m, 0.12)
    line.base(-0.08, 0.32, 0j)
    m.ground.box(
        "240 mm",
        "24 mm",
        "14 mm",
        at=("180 mm", "26 mm", "88 mm"),
        density=CAST_IRON,
        material="steel",
    )
    for x in ("80 mm", "280 mm"):
        m.ground.box(
            "30 mm", "20 mm", "72 mm", at=(x, "26 mm", "46 mm"), density=CAST_IRON, material="cast"
        )
    crank = line.rod("crank", 0j, b, 0, ORANGE)
    rod = line.rod("rod", p, c, 1, BLUE, B=b, P=p)
    block = m.body("block", line.at(c), color=GREEN)
    block.box("56 mm", "22 mm", "44 mm", at=(0, "24 mm", 0))
    block.pin("9 mm", "58 mm", at=(0, "1 mm", 0))
    joint = line.hinge("A", m.ground, crank, 0j)
    line.hinge("B", crank, rod, b)
    m.pin("C", rod, block, at=line.at(c))
    m.slider("D", m.ground, block, at=(line.at(0j), line.at(c)), axis=(1, 0, 0))
    line.trace(rod, "P")
    m.drive("swing", joint, position="30 deg * sin(omega*t)")
    m.run(duration="11 s")
    plots(m, "Slider", "joint/D/0")
    return m.project(), Camera((0.11, 0.0, 0.19), -70.0, 12.0, 1.0)


@sample("lines", 2)
def watt_line() -> tuple[Project, Camera]:
    long, short = 0.20, 0.12
    m = Builder(
        "Watt's straight line",
        "Two equal rockers on opposite sides and a short coupler between them: the middle of the "
        "coupler draws a slender figure of eight, which is straight over a good part. Watt guided "
        "the piston rod of his engine by it and was prouder of it than of the engine.",
        [
            "How many times does the curve touch the straight line at its middle?",
            "What happens to the straight part if one rocker is made longer than the other?",
            "Where must the pencil sit on the coupler then?",
        ],
    )
    speed(m, "1.5 rad/s", "of the swing to and fro", "0.3 rad/s", "4 rad/s")
    # in the middle position the rockers lie level and the coupler stands across them
    a, c = complex(-long, short / 2), complex(long, -short / 2)
    b, d = complex(0, short / 2), complex(0, -short / 2)
    line = Linkage(m, 0.24)
    line.base(-0.28, 0.28, a, c, foot="44 mm")
    one = line.rod("left rocker", a, b, 0, ORANGE)
    two = line.rod("right rocker", c, d, 0, GREEN)
    three = line.rod("coupler", b, d, 1, BLUE, P=0j)
    joint = line.hinge("A", m.ground, one, a)
    line.hinge("B", one, three, b)
    line.hinge("C", m.ground, two, c)
    line.hinge("D", two, three, d)
    line.trace(three, "P")
    m.drive("swing", joint, position="20 deg * sin(omega*t)")
    m.run(duration="9 s")
    plots(m, "Rockers", "joint/A/0", "joint/C/0")
    return m.project(), Camera((0.0, 0.0, 0.22), -72.0, 10.0, 1.25)
