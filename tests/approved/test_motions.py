"""Motion of every sample: places, velocities and energies after its first 0.3 s, and everything
that can be plotted of a few.

Closed forms and independent integrations hold these samples too, each in some respect; here all of
it is held, so that no constant of the engine changes unseen.
"""

from pathlib import Path

import numpy as np

import mechstudio as ms
from tests.approved.figures import EXACT, TOUCHING, USUAL

SAMPLES = Path(__file__).parents[2] / "samples"
SPAN = {"duration": 0.3, "sample_step": 0.1}
# all that can be plotted: loops and drives, springs and a gear, contacts, rolling and gauges
READ = ("four_bar", "double_wishbone", "differential", "box_on_incline", "rolling_disc")


def motion(path: Path) -> list[str]:
    """Lines of a sample at the end of SPAN."""
    result = ms.simulate(ms.load(path), **SPAN)
    touching = result.project.mechanism.contacts.enabled
    together = (TOUCHING if touching else EXACT).together
    lines = [f"# {path.stem}: {len(result)} samples"]
    for k, body in enumerate(result.layout.bodies):
        pose, velocity = result.poses[-1, k], result.velocities[-1, k]
        parts = [pose[:3], pose[3:], velocity[:3], velocity[3:]]
        lines.append(f"{body}: " + " ".join(together(part) for part in parts))
    energies = (result.kinetic_energy[-1], result.potential_energy[-1], result.work[-1])
    lines.append("energies: " + together(energies))
    lines.append("momenta: " + together(result.momentum[-1]))
    return lines


def test_every_sample_moves_as_approved(approved):
    lines = [line for path in sorted(SAMPLES.glob("*.mech")) for line in motion(path)]
    approved.holds("motions.txt", "\n".join(lines) + "\n")


def test_everything_that_can_be_plotted_is_as_approved(approved):
    lines: list[str] = []
    for name in READ:
        result = ms.simulate(ms.load(SAMPLES / f"{name}.mech"), **SPAN)
        lines.append(f"# {name}")
        touching = result.project.mechanism.contacts.enabled
        together = (TOUCHING if touching else USUAL).together
        courses = zip(result.quantities, result.courses(*result.quantities), strict=True)
        for quantity, course in courses:
            loose = ", loose" if course.loose else ""
            lines.append(f"{quantity}: {together(np.asarray(course.values)[[0, -1]])}{loose}")
    approved.holds("quantities.txt", "\n".join(lines) + "\n")
