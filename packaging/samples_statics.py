"""Samples of forces: a table on four legs, a slider-crank with its counterweight, a trebuchet."""

import math

from sample_parts import (
    ALONG_X,
    BLUE,
    CAST_IRON,
    GREEN,
    OCHRE,
    ORANGE,
    base_plate,
    bracket,
    plots,
    sample,
    speed,
)

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project


@sample("linkages", 2)
def table_of_four_legs() -> tuple[Project, Camera]:
    long, wide, height = 0.5, 0.3, 0.3
    m = Builder(
        "A table with four legs",
        "Four tips on the floor hold three motions: one tip too many. How the weight shares out "
        "among the legs cannot be known from equilibrium, and a table of unequal legs rocks. The "
        "program shows the smallest forces that balance. A load that runs to and fro on a rail "
        "shows how the tips answer; the table slides freely against it.",
        [
            "Which forces of the tips do work on no motion at all (one pattern of four)?",
            "Delete one leg's joint: what do the other three carry, and where does the table tip?",
            "Why does a milking stool have three legs?",
        ],
    )
    m.parameter("m_l", "5 kg", "mass", minimum="1 kg", maximum="10 kg", slider=True, note="load")
    base_plate(m.ground, "-400 mm", "400 mm", "260 mm", "260 mm")
    top = m.body("table", (0, 0, height), mass="8 kg", center_of_mass=(0, 0, 0), color=BLUE)
    top.box(long + 0.1, wide + 0.1, "24 mm", at=(0, 0, "12 mm"))
    for x in (-0.5 * long, 0.5 * long):
        for y in (-0.5 * wide, 0.5 * wide):
            top.cylinder("14 mm", height - 0.014, at=(x, y, 0.5 * (0.014 - height)))
    names = ("P", "Q", "R", "S")
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    for name, (x, y) in zip(names, corners, strict=True):
        foot = (0.5 * x * long, 0.5 * y * wide, 0.014)
        m.on_plane(name, m.ground, top, at=foot, normal=(0, 0, 1))
    start = (0.0, 0.0, height + 0.054)
    load = m.body("load", start, mass="m_l", center_of_mass=(0, 0, 0), color=ORANGE)
    load.box("80 mm", "80 mm", "60 mm")
    top.box(long, "20 mm", "6 mm", at=(0, 0, "27 mm"), material="steel")
    rail = m.slider("rail", top, load, at=start, axis=(1, 0, 0))
    m.drive("shuttle", rail, position="200 mm*sin(2 rad/s*t)")
    m.run(duration="6 s")
    plots(m, "Load and table", f"joint/{rail.id}/0", "body/table/x")
    return m.project(), Camera((0.0, 0.0, 0.2), -58.0, 20.0, 1.7)


@sample("machines", 2)
def balanced_crank() -> tuple[Project, Camera]:
    r, rod, height = 0.05, 0.2, 0.16
    m = Builder(
        "Balancing a crank",
        "The piston shakes the frame along its bore with m r omega^2 (cos phi + lambda cos 2 phi), "
        "nearly. A counterweight opposite to the crank takes away the first term along the bore "
        "and brings as much across it. Half of the piston's mass is the usual compromise: the "
        "force then has equal parts along and across.",
        [
            "Which mass m_c makes the force along the bore smallest, and what is left of it?",
            "Which mass makes the largest force in any direction smallest?",
            "What turns twice as fast as the crank, and which shafts would balance it?",
        ],
    )
    speed(m, "60 rad/s", "of the crank", "10 rad/s", "120 rad/s")
    m.parameter(
        "m_c",
        "0.4 kg",
        "mass",
        minimum="0.001 kg",
        maximum="1 kg",
        slider=True,
        note="counterweight, at the crank's radius",
    )
    base_plate(m.ground, "-90 mm", "340 mm", "40 mm", "66 mm")
    bracket(m.ground, 0, f"{1000 * height:g} mm")
    m.ground.box(
        "130 mm", "50 mm", "12 mm", at=("245 mm", "-8 mm", height - 0.032), material="steel"
    )
    m.ground.box(
        "24 mm",
        "50 mm",
        height - 0.05,
        at=("245 mm", "-8 mm", 0.5 * (height - 0.038)),
        density=CAST_IRON,
        material="cast",
    )
    crank = m.body(
        "crank",
        (0, 0, height),
        mass="0.001 kg",
        center_of_mass=(0, 0, 0),
        inertia=("1e-6 kg*m^2", "1e-6 kg*m^2", "1e-6 kg*m^2"),
        color=ORANGE,
    )
    crank.bar(r, "28 mm", "12 mm", at=(0, "10 mm", 0))
    crank.pin("9 mm", "40 mm", at=(r, "-2 mm", 0))
    weight = m.body(
        "counterweight",
        (-r, 0, height),
        mass="m_c",
        center_of_mass=(0, 0, 0),
        inertia=("1e-6 kg*m^2", "1e-6 kg*m^2", "1e-6 kg*m^2"),
        color=GREEN,
    )
    weight.cylinder("34 mm", "14 mm", at=(0, "10 mm", 0), angles=(0, 0, "90 deg"))
    m.fix("bolt", crank, weight, at=(-r, 0, height))
    conrod = m.body(
        "connecting rod",
        (r, 0, height),
        mass="0.001 kg",
        center_of_mass=(0.5 * rod, 0, 0),
        inertia=("1e-7 kg*m^2", "1e-7 kg*m^2", "1e-7 kg*m^2"),
        color=BLUE,
    )
    conrod.bar(rod, "22 mm", "12 mm", at=(0, "-8 mm", 0))
    piston = m.body(
        "piston", (r + rod, 0, height), mass="0.8 kg", center_of_mass=(0, 0, 0), color=OCHRE
    )
    piston.cylinder("24 mm", "56 mm", at=("10 mm", "-8 mm", 0), angles=ALONG_X)
    joint = m.pin("A", m.ground, crank, at=(0, 0, height), rate="omega")
    m.pin("B", crank, conrod, at=(r, 0, height))
    m.pin("C", conrod, piston, at=(r + rod, 0, height))
    bore = m.slider("bore", m.ground, piston, at=(r + rod, 0, height), axis=(1, 0, 0))
    m.drive("motor", joint, speed="omega")
    m.run(duration="5 s", sample_step="2 ms")
    plots(m, "Piston", f"joint/{bore.id}/0")
    return m.project(), Camera((0.11, 0.0, 0.12), -68.0, 14.0, 0.85)


@sample("dynamics", 3)
def trebuchet() -> tuple[Project, Camera]:
    short, long, hang, sling, pivot = 0.12, 0.42, 0.10, 0.36, 0.46
    m = Builder(
        "Trebuchet",
        "A falling counterweight swings a beam, and a sling swings a stone round its end. Beam and "
        "weight all but stop when the sling comes upright: they have given their energy to the "
        "stone. The sling hangs on a hook that lets go there in the real one; here it holds on, so "
        "that you can read speed and direction at every instant.",
        [
            "At which instant has the stone the most kinetic energy, and which share of the fall?",
            "How far would it fly if it were let go at its highest speed?",
            "Make the sling longer: does the stone come round earlier or later?",
        ],
    )
    m.parameter(
        "m_w", "12 kg", "mass", minimum="6 kg", maximum="20 kg", slider=True, note="counterweight"
    )
    base_plate(m.ground, "-220 mm", "220 mm", "60 mm", "100 mm")
    bracket(m.ground, 0, f"{1000 * pivot:g} mm", "90 mm")
    turn = math.radians(45)  # of the beam: its long arm down to the left
    c, s = math.cos(turn), math.sin(turn)
    beam = m.body("beam", (0, 0, pivot), (0, "-45 deg", 0), color=ORANGE)
    beam.bar(short + long, "30 mm", "18 mm", at=(-long, "12 mm", 0), density=600.0)
    tip = (-long * c, 0.0, pivot - long * s)
    head = (short * c, 0.0, pivot + short * s)
    weight = m.body(
        "counterweight",
        (head[0], 0, head[2] - hang),
        mass="m_w",
        center_of_mass=(0, 0, 0),
        inertia=("0.02 kg*m^2", "0.02 kg*m^2", "0.02 kg*m^2"),
        color=BLUE,
    )
    weight.box("110 mm", "90 mm", "110 mm", at=(0, "-40 mm", "-20 mm"), density=1.0)
    weight.box("16 mm", "10 mm", hang, at=(0, "-6 mm", 0.5 * hang), density=1.0)
    stone = m.body(
        "stone",
        (tip[0] + sling, 0, tip[2]),
        mass="0.25 kg",
        center_of_mass=(0, 0, 0),
        inertia=("4e-5 kg*m^2", "4e-5 kg*m^2", "4e-5 kg*m^2"),
        color=GREEN,
    )
    stone.sphere("22 mm", at=(0, "-14 mm", 0), density=1.0)
    stone.box(sling, "5 mm", "5 mm", at=(-0.5 * sling, "-14 mm", 0), density=1.0)
    axle = m.pin("axle", m.ground, beam, at=(0, 0, pivot))
    m.pin("hanger", beam, weight, at=head)
    m.pin("hook", beam, stone, at=tip)
    m.run(duration="1 s", sample_step="2 ms")
    plots(m, "Beam and stone", f"joint/{axle.id}/0", "body/stone/vx", "body/stone/vz")
    return m.project(), Camera((0.0, 0.0, 0.5), -72.0, 6.0, 2.2)
