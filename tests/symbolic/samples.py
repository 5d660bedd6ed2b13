"""The samples as tests of derivations want them."""

from pathlib import Path

from mechstudio.project import file

SAMPLES = sorted(Path(__file__).parents[2].joinpath("samples").glob("*.mech"))

# what has no closed form, and what the refusal names
REFUSED = {"bead_on_circle": "wire", "cam_profile": "lift", "robot_vacuum": "tyre"}
DERIVED = [p for p in SAMPLES if p.stem not in REFUSED]

# few bodies: what a panel has typeset within seconds
SMALL = [p for p in DERIVED if len(file.load(p).project.mechanism.bodies) <= 4]
