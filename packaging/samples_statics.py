"""Samples of forces: a table on four legs, a cure of what is held twice, a folding chair, a
slider-crank with its counterweight, a trebuchet.
"""

import cmath
import math

from planar_parts import Linkage, meet
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
    c = s = math.sqrt(0.5)  # of the beam's 45 degrees: its long arm down to the left
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


@sample("linkages", 3)
def hyperstatic_cure() -> tuple[Project, Camera]:
    crank, coupler, rocker, frame, apart = 0.09, 0.26, 0.20, 0.28, 0.62
    m = Builder(
        "A four-bar cured by a curve",
        "Left, four parallel pins hold three directions twice: hyperstatic 3. Tilt one pin and it "
        "jams. Right, the rocker is gone: its pin runs in a groove, an arc with the rocker's "
        "length as radius, which holds two directions instead of five; and a Cardan joint stands "
        "in place of the crank's outer pin. Nothing is held twice, all forces are known, and the "
        "motion is the same.",
        [
            "Count the equations of both loops: how many does each joint hold, and how many count?",
            "Put the pin B back on the right: what is held twice then?",
            "What does the groove cost that the rocker did not?",
        ],
    )
    speed(m, "2 rad/s", "of both cranks")
    line = Linkage(m, 0.12)
    a, d = 0j, complex(frame, 0)
    b = crank * cmath.exp(1j * math.radians(50))
    c = meet(b, coupler, d, rocker)
    line.base(-0.11, frame + 0.09, a, d, foot="36 mm")
    base_plate(m.ground, apart - 0.11, apart + frame + 0.09, "30 mm", "66 mm")
    bracket(m.ground, apart, "120 mm", "36 mm")
    parts = []
    for side, start in (("left", 0.0), ("right", apart)):
        turner = line.rod(f"{side} crank", start + a, start + b, 0, ORANGE, width="26 mm")
        rod = line.rod(f"{side} coupler", start + b, start + c, 1, BLUE, width="22 mm")
        joint = line.hinge(f"A {side}", m.ground, turner, start + a, rate="omega")
        m.drive(f"{side} motor", joint, speed="omega")
        parts.append((turner, rod))
    (first, rod), (second, other) = parts
    swing = line.rod("rocker", d, c, 2, GREEN, width="22 mm")
    line.hinge("B left", first, rod, b)
    line.hinge("C left", rod, swing, c)
    line.hinge("D left", m.ground, swing, d)
    # the Cardan's second axis lies in the plane, across the coupler
    across = 1j * (c - b) / abs(c - b)
    m.universal(
        "B right",
        second,
        other,
        first=(0, -1, 0),
        second=(across.real, 0, across.imag),
        at=line.at(apart + b),
    )
    start = cmath.phase(c - d)
    turns = (start + math.radians(k) for k in (-66, 6, 78))
    arc = [line.at(apart + d + rocker * cmath.exp(1j * turn)) for turn in turns]
    m.on_curve("groove", m.ground, other, arc, at=line.at(apart + c), form="arc")
    m.run(duration="7 s")
    plots(m, "Couplers", "body/left_coupler/z", "body/right_coupler/z")
    return m.project(), Camera((0.50, 0.0, 0.17), -72.0, 14.0, 2.1)


@sample("linkages", 2)
def folding_chair() -> tuple[Project, Camera]:
    leg, arm, back, floor = 0.40, 0.20, 0.56, 0.02
    lean = math.radians(38)
    across, up = math.sin(lean), math.cos(lean)
    m = Builder(
        "Folding chair",
        "Two legs cross at a pin. The seat hangs on the short leg by another pin and lies in a "
        "slot of the back with its rear end: fold the legs and it rises until all is flat. Sitting "
        "down pushes the legs apart, against the end of the slot. So the load itself keeps the "
        "chair open, and the hand that folds it must lift.",
        [
            "How far does the seat's end run in the slot between open and folded?",
            "With which torque between the legs does a load on the seat keep them apart?",
            "Which three freedoms does the slot leave that a pin would take?",
        ],
    )
    m.parameter(
        "w",
        "1 rad/s",
        "angular_velocity",
        minimum="0.1 rad/s",
        maximum="3 rad/s",
        slider=True,
        note="of folding to and fro",
    )
    m.parameter(
        "m_l",
        "4 kg",
        "mass",
        minimum="0.5 kg",
        maximum="20 kg",
        slider=True,
        note="bag on the seat",
    )
    base_plate(m.ground, -0.42, 0.42, "260 mm", "260 mm")
    x_of = lambda along, side: side * along * across
    top = floor + leg * up
    cross, front_foot, rear_foot = (
        (0.0, 0.0, top),
        (leg * across, 0, floor),
        (-leg * across, 0, floor),
    )
    hinge, slot = (x_of(arm, 1), 0.0, top + arm * up), (x_of(arm, -1), 0.0, top + arm * up)
    tilt = {"back": -math.degrees(lean), "leg": math.degrees(lean)}
    bodies = {}
    for name, foot, total, y, color in (
        ("back", front_foot, leg + back, 0.19, BLUE),
        ("leg", rear_foot, leg + arm, 0.165, ORANGE),
    ):
        body = m.body(name, foot, (0, f"{tilt[name]:g} deg", 0), color=color)
        for side in (-1, 1):
            body.box("30 mm", "18 mm", total, at=(0, side * y, 0.5 * total), density=600.0)
        body.cylinder("10 mm", 2 * y, at=(0, 0, 0.06), angles=(0, 0, "90 deg"), density=600.0)
        if name == "back":
            for height in (0.40, 0.48):
                body.box("14 mm", 2 * y, "50 mm", at=(0, 0, leg + height), density=600.0)
        bodies[name] = body
    seat = m.body("seat", hinge, color=GREEN)
    seat.box(
        2 * arm * across + 0.04,
        "290 mm",
        "20 mm",
        at=(-arm * across + 0.02, 0, "20 mm"),
        density=600.0,
    )
    seat.cylinder(
        "7 mm", "390 mm", at=(-2 * arm * across, 0, 0), angles=(0, 0, "90 deg"), material="steel"
    )
    seat.cylinder("7 mm", "340 mm", angles=(0, 0, "90 deg"), material="steel")
    bag = m.body(
        "bag",
        (0.01, 0, hinge[2] + 0.03),
        mass="m_l",
        center_of_mass=(0, 0, "70 mm"),
        inertia=("0.02 kg*m^2", "0.02 kg*m^2", "0.02 kg*m^2"),
        color=OCHRE,
    )
    bag.box("150 mm", "200 mm", "140 mm", at=(0, 0, "70 mm"), density=1.0)
    m.fix("strap", seat, bag, at=bag.world())
    m.pin("front foot", m.ground, bodies["back"], at=front_foot)
    pin = m.pin("cross", bodies["back"], bodies["leg"], at=cross)
    m.pin("seat pin", bodies["leg"], seat, at=hinge)
    m.on_line("slot", bodies["back"], seat, at=slot, axis=(-across, 0, up))
    m.on_plane("rear foot", m.ground, bodies["leg"], at=rear_foot)
    m.drive("hand", pin, position="32 deg*(1 - cos(w*t))")
    m.run(duration="7 s")
    plots(m, "Slot and legs", "joint/slot/0", f"joint/{pin.id}/0")
    return m.project(), Camera((0.02, 0.0, 0.46), -58.0, 12.0, 2.7)
