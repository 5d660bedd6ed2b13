"""Samples of derivations: a bead held by a multiplier, and the same bead in its own angle."""

import math

from sample_parts import (
    ALUMINIUM,
    BLUE,
    CAST_IRON,
    FLAT,
    ORANGE,
    base_plate,
    circle,
    sample,
    surface,
)

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

START = 35  # from the top [deg]


@sample("derivations", 2)
def bead_two_ways() -> tuple[Project, Camera]:
    radius, height, apart = 0.18, 0.26, 0.25
    m = Builder(
        "A bead with multiplier and without",
        "Two beads of the same mass run down equal circles. Cut free from its wire, the left one "
        "has balances of forces in which the wire's force stands as a multiplier lambda. The right "
        "one hangs on an arm without mass and has one coordinate, its angle: its equation has no "
        "lambda, and says nothing of the force. The program takes the way s along the wire for the "
        "left one, and has no lambda either. Both move alike, and the arm's force is that of the "
        "wire.",
        [
            "At which angle from the top does the wire press neither in nor out?",
            "Which equation of the left bead, times which direction, gives that of the right one?",
            "What must be added to the right one's equation to learn the force in the arm?",
        ],
    )
    m.parameter(
        "m_b", "0.5 kg", "mass", minimum="0.2 kg", maximum="5 kg", slider=True, note="beads"
    )
    base_plate(m.ground, "-470 mm", "470 mm", "60 mm", "60 mm")
    for x in (-apart, apart):
        m.ground.box(
            "26 mm",
            "26 mm",
            height - radius - 0.014,
            at=(x, "30 mm" if x > 0 else 0, 0.5 * (height - radius + 0.014)),
            density=CAST_IRON,
            material="cast",
        )
    ring = surface(circle(radius + 0.004, 120), radius - 0.004, 0.008, "wire")
    m.ground.mesh(ring, at=(-apart, 0, height), angles=FLAT, material="steel")
    m.ground.mesh(ring, at=(apart, "30 mm", height), angles=FLAT, material="steel")
    m.ground.bar(2 * radius, "20 mm", "8 mm", at=(apart - radius, "30 mm", height))
    m.ground.pin("6 mm", "44 mm", at=(apart, "14 mm", height))

    def place(turn: float, middle: float) -> tuple[float, float, float]:
        return (
            middle + radius * math.sin(turn),
            0.0,
            height + radius * math.cos(turn),
        )

    first = math.radians(START)
    points = [place(first + k * math.pi / 2, -apart) for k in range(3)]
    bead = m.body("bead on the wire", points[0], mass="m_b", color=ORANGE)
    bead.sphere("26 mm", density=ALUMINIUM)
    m.on_curve("wire", m.ground, bead, points, at=points[0], form="circle")
    other = m.body(
        "bead on the arm",
        place(first, apart),
        (0, f"{START} deg", 0),
        mass="m_b",
        center_of_mass=(0, 0, 0),
        inertia=(0, 0, 0),
        color=BLUE,
    )
    other.sphere("26 mm", density=ALUMINIUM)
    other.box("6 mm", "5 mm", radius, at=(0, 0, -0.5 * radius), density=1.0)
    m.pin("A", m.ground, other, at=(apart, 0, height))
    m.run(duration="5 s", tolerance="1e-11")
    m.plot("Heights", "body/bead_on_the_wire/z", "body/bead_on_the_arm/z")
    m.plot("Energy", "energy/kinetic", "energy/potential", "energy/total", "energy/balance")
    m.plot("Constraint error", "constraint/position", "constraint/velocity", log=True)
    return m.project(), Camera((0.0, 0.0, 0.24), -80.0, 10.0, 1.75)
