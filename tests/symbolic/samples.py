"""The samples as tests of derivations want them."""

from pathlib import Path

from mechstudio.engine.curves import curve_table
from mechstudio.project import file

SAMPLES = sorted(Path(__file__).parents[2].joinpath("samples").glob("*.mech"))

# few bodies: what a panel has typeset within seconds
SMALL = [p for p in SAMPLES if len(file.load(p).project.mechanism.bodies) <= 4]


def with_curves(derivation):
    """The derivation with the numbers of its curves."""
    joints = derivation.plan.mechanism.joints
    derivation.curves |= {id: curve_table(j.curve).at for id, j in joints.items() if j.curve is not None}
    return derivation
