"""Samples of linkages of six bars: Klann's leg (Stephenson), Watt's first chain, a windscreen wiper
(Watt's second).
"""

import cmath
import math

from planar_parts import Linkage, meet
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

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

DEG = math.pi / 180
# lengths of a leg that an optimiser found (boim.com/Walkin8r/Klann.html), in units of 3 mm
UNIT = 0.003
CRANK, LOWER, UPPER = 17.5, complex(-38.8, -12.5), complex(-14.6, 41.9)


@sample("machines", 3)
def klann_leg() -> tuple[Project, Camera]:
    m = Builder(
        "Klann's leg",
        "A crank, two rockers, a coupler and a leg: six bars in two loops, a chain of Stephenson's "
        "third kind. Joe Klann patented it in 2001 as a leg for machines that walk where wheels "
        "do not roll. The foot goes level for half a turn and lifts by half of its step.",
        [
            "Which links belong to the four-bar that the crank drives?",
            "For which part of the turn is the foot within 10 mm of its lowest place?",
            "How does it differ from Jansen's leg in number of links and height of step?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    o, low, high = 0j, UNIT * LOWER, UNIT * UPPER
    c = UNIT * CRANK * cmath.exp(1j * 40 * DEG)
    h = meet(low, UNIT * 23.7, c, UNIT * 38.8)
    f = meet(h, UNIT * 35.2, c, UNIT * 73.4)
    e = meet(f, UNIT * 57.7, high, UNIT * 34.1)
    g = meet(e, UNIT * 111.7, f, UNIT * 59)
    line = Linkage(m, 0.17)
    base_plate(m.ground, -0.36, 0.12, "60 mm", "90 mm")
    m.ground.plate(
        [(0.0, 0.0), (high.real, high.imag), (low.real, low.imag), (-0.13, -0.16), (0.03, -0.16)],
        "22 mm",
        "16 mm",
        at=(0, "46 mm", line.height),
        density=CAST_IRON,
        material="cast",
    )
    for p in (o, low, high):
        m.ground.pin("9 mm", "60 mm", at=(p.real, "22 mm", p.imag + line.height))
    crank = line.rod("crank", o, c, 0, ORANGE, width="24 mm")
    rocker = line.rod("lower rocker", low, h, 0, OCHRE, width="22 mm")
    arm = line.rod("upper rocker", high, e, 0, PINK, width="22 mm")
    coupler = line.rod("coupler", c, h, 1, BLUE, width="22 mm", F=f)
    leg = line.rod("leg", e, f, 2, GREEN, width="22 mm", G=g)
    joint = line.hinge("A", m.ground, crank, o, rate="omega")
    line.hinge("C", crank, coupler, c)
    line.hinge("B", m.ground, rocker, low)
    line.hinge("H", rocker, coupler, h)
    line.hinge("D", m.ground, arm, high)
    line.hinge("E", arm, leg, e)
    line.hinge("F", coupler, leg, f)
    line.trace(leg, "G")
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Rockers", "joint/B/0", "joint/D/0")
    return m.project(), Camera((-0.13, 0.0, 0.18), -70.0, 10.0, 1.3)


WIPER = {"crank": 0.05, "rod": 0.24, "arm": 0.09, "frame": 0.26, "apart": 0.42}


@sample("machines", 2)
def windscreen_wiper() -> tuple[Project, Camera]:
    n = WIPER
    m = Builder(
        "Windscreen wiper",
        "A motor that turns one way swings two wipers: a crank-rocker drives the first, and a "
        "parallelogram hands its swing to the second. Two four-bars that share a rocker are a "
        "six-bar of Watt's second kind. The wipers turn back where crank and rod are in line.",
        [
            "How far do the wipers swing, by the triangles of the two dead points?",
            "At which crank angle are they fastest, and what is that for the rubber?",
            "Does the wiper take as long to the left as to the right?",
        ],
    )
    speed(m, "3 rad/s", "of the motor")
    a, d, e = 0j, complex(n["frame"], 0), complex(n["frame"] + n["apart"], 0)
    b = n["crank"] * cmath.exp(1j * 100 * DEG)
    c = meet(b, n["rod"], d, n["arm"])
    other = e + (c - d)
    blade = 0.38
    heading = cmath.exp(1j * (cmath.phase(c - d) - 10 * DEG))
    line = Linkage(m, 0.12)
    line.base(-0.1, 0.78, a, d, e, foot="36 mm")
    crank = line.rod("crank", a, b, 0, ORANGE, width="24 mm")
    rod = line.rod("rod", b, c, 1, BLUE, width="20 mm")
    first = line.rod("first wiper", d, c, 2, GREEN, width="20 mm", tip=d + blade * heading)
    second = line.rod("second wiper", e, other, 2, PINK, width="20 mm", tip=e + blade * heading)
    tie = line.rod("tie", c, other, 3, OCHRE, width="18 mm")
    joint = line.hinge("A", m.ground, crank, a, rate="omega")
    line.hinge("B", crank, rod, b)
    line.hinge("C", rod, first, c)
    line.hinge("D", m.ground, first, d)
    line.hinge("tie left", first, tie, c)
    line.hinge("tie right", tie, second, other)
    line.hinge("E", m.ground, second, e)
    m.drive("motor", joint, speed="omega")
    m.run(duration="6 s")
    plots(m, "Wipers", "joint/D/0", "joint/E/0")
    return m.project(), Camera((0.34, 0.0, 0.24), -76.0, 10.0, 1.9)


@sample("linkages", 2)
def watt_six_bar() -> tuple[Project, Camera]:
    n = {"crank": 0.07, "coupler": 0.24, "rocker": 0.18, "frame": 0.26}
    m = Builder(
        "Watt's six-bar",
        "Six links, seven pins, and two of the links have three: coupler and rocker, joined at C. "
        "That makes it a chain of Watt, with the frame on a link of two pins Watt's first kind. "
        "The upper loop is driven by nothing but the angle at C. Here it is a parallelogram, so "
        "that the upper links never turn against coupler and rocker: G moves with the sum of both.",
        [
            "Which links have three pins, and how do you tell Watt's chain from Stephenson's?",
            "Between which angles does C swing, and why is that angle called one of transmission?",
            "What path has G seen from C, and which links could be left out for it?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    a, d = 0j, complex(n["frame"], 0)
    b = n["crank"] * cmath.exp(1j * 60 * DEG)
    c = meet(b, n["coupler"], d, n["rocker"])
    e = c + 0.15 * cmath.exp(1j * (cmath.phase(c - b) + 25 * DEG))
    f = c + 0.13 * cmath.exp(1j * (cmath.phase(c - d) + 10 * DEG))
    g = e + f - c
    line = Linkage(m, 0.10)
    line.base(-0.09, 0.36, a, d)
    crank = line.rod("crank", a, b, 0, ORANGE, width="26 mm")
    coupler = line.rod("coupler", b, c, 1, BLUE, width="24 mm", E=e)
    rocker = line.rod("rocker", d, c, 2, GREEN, width="24 mm", F=f)
    first = line.rod("upper link", e, g, 3, PINK, width="20 mm")
    second = line.rod("upper rocker", f, g, 4, OCHRE, width="20 mm", G=g)
    joint = line.hinge("A", m.ground, crank, a, rate="omega")
    line.hinge("B", crank, coupler, b)
    line.hinge("C", coupler, rocker, c)
    line.hinge("D", m.ground, rocker, d)
    line.hinge("E", coupler, first, e)
    line.hinge("F", rocker, second, f)
    line.hinge("G", first, second, g)
    m.drive("motor", joint, speed="omega")
    line.trace(second, "G")
    m.run(duration="8 s")
    plots(m, "Angle at C", "joint/C/0")
    return m.project(), Camera((0.2, 0.0, 0.26), -74.0, 10.0, 1.5)
