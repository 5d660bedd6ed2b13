"""Types are named in their rows alone: everything else reads what a row says.

A module may name a type to make an element of it, or to choose the usual one; each has a reason
here.
"""

import ast
from pathlib import Path

import mechstudio
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES

SOURCE = Path(mechstudio.__file__).parent
# names that are words of other tables too: shapes, dimensions, tools, laws
COMMON = {"free", "distance", "force", "torque", "fixed", "cam", "bushing", "spherical", "gear"}
COMMON |= {"cylindrical", "damper"}
NAMES = {*JOINT_TYPES, *FORCE_TYPES, *COUPLING_TYPES} - COMMON
REASONS = {
    "application/actions/insert.py": "the type of the joint tool when it is taken by its key",
    "application/tools/connector.py": "the type of the tool without a word of it",
    "application/tools/joints/joint.py": "the type of the tool without a word of it",
    "application/tools/bodies/link.py": "links get pins, and a pin that slides in line with the "
    "chain",
    "application/tools/bodies/link_joints.py": "links get pins, and balls where they leave their "
    "plane",
    "builder": "one method with a name and words of its own per type",
    "engine/analyses/linearisation.py": "makes a motor for a check",
    "model/edits/links.py": "the type of a new joint without a word of it",
    "model/joints/titles.py": "words by which joints are called",
    "view/actions/toolbars.py": "buttons for what is drawn most",
}


def named(path: Path) -> list[str]:
    """Quoted names of types in a module, but not in its docstrings."""
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
    ]


def test_only_modules_with_a_reason_name_a_type():
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        key = "builder" if place.startswith("builder/") else place
        if not place.startswith("model/types/") and (names := named(path)):
            found.setdefault(key, []).extend(names)
    assert {k: v for k, v in found.items() if k not in REASONS} == {}
    assert REASONS.keys() - found.keys() == set(), "no longer there: take it off the list"


def test_the_guard_catches_a_name(tmp_path):
    path = tmp_path / "planted.py"
    path.write_text('def f(joint):\n    """Of a "screw"."""\n    return joint.type == "screw"\n')
    assert named(path) == ["3: screw"]


def test_no_two_joints_share_a_letter():
    letters = [kind.key for kind in JOINT_TYPES.values() if kind.key]
    assert len(letters) == len(set(letters)) and not set(letters) & {"q", "x"}
