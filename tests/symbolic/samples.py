"""The samples as tests of derivations want them."""

from pathlib import Path

from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.project import file

SAMPLES = sorted(Path(__file__).parents[2].joinpath("samples").glob("*.mech"))

# what has no closed form, and what the refusal names
REFUSED = {"bead_on_circle": "wire", "cam_profile": "lift", "robot_vacuum": "tyre"}
DERIVED = [p for p in SAMPLES if p.stem not in REFUSED]


def _free(path: Path) -> bool:
    """Whether nothing is prescribed, coupled or rolls: random rates on the closed loops are rates that the mechanism can have."""
    m = file.load(path).project.mechanism
    return not m.drives and not m.couplings and not any(JOINT_TYPES[j.type].rolling for j in m.joints.values())


FREE = [p for p in DERIVED if _free(p)]
# few bodies: what a panel has typeset within seconds
SMALL = [p for p in DERIVED if len(file.load(p).project.mechanism.bodies) <= 4]
