"""Types are named in their rows alone: everything else reads what a row says.

A module may name a type to make an element of it, or to choose the usual one; each has a reason
here.
"""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

import mechstudio
from mechstudio.application.scene.solids.shapes import picture
from mechstudio.engine.contacts.bodies import touching
from mechstudio.model.geometry.forms import Form, Polyhedron
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.symbolic.exports.pages.mechanism_drawing import faces

SOURCE = Path(mechstudio.__file__).parent
# names that are words of other tables too: shapes, dimensions, tools, laws
COMMON = {"free", "distance", "force", "torque", "fixed", "cam", "bushing", "spherical", "gear"}
COMMON |= {"cylindrical", "damper", "linear", "geneva"}
NAMES = {*JOINT_TYPES, *FORCE_TYPES, *COUPLING_TYPES} - COMMON
REASONS = {
    "application/actions/insert.py": "the type of the joint tool when it is taken by its key",
    "application/tools/connector.py": "the type of the tool without a word of it",
    "application/tools/joints/joint.py": "the type of the tool without a word of it",
    "application/tools/bodies/arm_mounts.py": "arms get pins where their axes agree",
    "application/tools/bodies/link.py": "links get pins, and a pin that slides in line with the "
    "chain",
    "application/tools/bodies/link_chain.py": "ends on the ground get pins, balls where "
    "links leave the plane, and slides as in a slider-crank",
    "application/tools/bodies/link_joints.py": "links get pins, and balls where they leave their "
    "plane",
    "builder": "one method with a name and words of its own per type",
    "curves/drawings": "symbols of ISO 3952, each drawn by hand",
    "files/exchange": "tables that pair our types with those of other programs",
    "api/sizing.py": "the name of a number of a helper, no type",
    "engine/analyses/linearisation.py": "makes a motor for a check",
    "engine/sizing/flywheel.py": "makes a motor for a second run",
    "engine/sizing/gravity.py": "the name of a number of a helper, no type",
    "model/edits/links.py": "the type of a new joint without a word of it",
    "model/edits/patterns/repetition.py": "ends of links that meet get pins",
    "model/joints/titles.py": "words by which joints are called",
    "model/sizing/additions.py": "makes the spring that balances",
    "model/sizing/helpers.py": "the name of a number of a helper, no type",
    "view/actions/toolbars.py": "buttons for what is drawn most",
}
WHOLE = ("builder", "curves/drawings", "files/exchange")  # folders with one reason


def quotes(text: str, names: Iterable[str]) -> bool:
    """True for a source that may hold one of some names: parsing all of them takes some seconds."""
    return any(f'"{name}"' in text or f"'{name}'" in text for name in names)


def named(path: Path) -> list[str]:
    """Quoted names of types in a module, but not in its docstrings."""
    text = path.read_text("utf-8")
    if not quotes(text, NAMES):
        return []
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
    ]


def test_only_modules_with_a_reason_name_a_type():
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        key = next((f for f in WHOLE if place.startswith(f"{f}/")), place)
        if not place.startswith("model/types/") and (names := named(path)):
            found.setdefault(key, []).extend(names)
    assert {k: v for k, v in found.items() if k not in REASONS} == {}
    assert REASONS.keys() - found.keys() == set(), "no longer there: take it off the list"


def test_the_guard_catches_a_name(tmp_path):
    path = tmp_path / "planted.py"
    path.write_text('def f(joint):\n    """Of a "screw"."""\n    return joint.type == "screw"\n')
    assert named(path) == ["3: screw"]


def compared(path: Path) -> list[str]:
    """Comparisons of something's type with the name of a shape."""
    out, text = [], path.read_text("utf-8")
    if ".type" not in text or not ("shape.type" in text or quotes(text, SHAPE_TYPES)):
        return []
    for node in ast.walk(ast.parse(text)):
        requested: ast.expr | None = None
        if isinstance(node, ast.Compare):
            requested = node.left
        elif isinstance(node, ast.Match):
            requested = node.subject
        elif isinstance(node, ast.Subscript):
            requested = node.slice  # a table of the module's own, by the type
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
        ):
            requested = next(iter(node.args), None)
        if not isinstance(requested, ast.Attribute) or requested.attr != "type":
            continue
        if isinstance(node, (ast.Compare, ast.Match)):
            texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
            named = bool(texts & SHAPE_TYPES.keys())
        else:
            named = ast.unparse(requested).startswith(
                "shape."
            ) and "SHAPE_TYPES" not in ast.unparse(node)
        if named and isinstance(node, ast.expr | ast.stmt):
            out.append(f"{node.lineno}: {ast.unparse(node)[:60]}")
    return out


def test_no_module_asks_a_shape_for_its_type():
    """Rows and forms say what shapes are; the floors above have one function per form."""
    found = {
        path.relative_to(SOURCE).as_posix(): requested
        for path in sorted(SOURCE.rglob("*.py"))
        if (requested := compared(path))
    }
    assert found == {}


def test_the_guard_catches_a_question_for_a_shape(tmp_path):
    path = tmp_path / "planted.py"
    path.write_text(
        'if shape.type == "box":\n    pass\nmatch s.type:\n    case "cone":\n        pass\n'
        "x = TABLE[shape.type]\ny = TABLE.get(shape.type, 0)\nz = SHAPE_TYPES[shape.type]\n"
    )
    assert sorted(line.split(":")[0] for line in compared(path)) == ["1", "3", "6", "7"]


@pytest.mark.parametrize("table", [picture, faces, touching], ids=["picture", "faces", "touching"])
def test_every_form_has_a_picture_a_drawing_and_a_contact_shape(table):
    def forms(kind):
        return {kind}.union(*map(forms, kind.__subclasses__()))

    made = {"picture": {Polyhedron}}.get(table.__name__, set())  # a mesh is drawn as it is
    missing = {
        form.__name__
        for form in forms(Form) - {Form} - made
        if table.dispatch(form) is table.dispatch(object)
    }
    assert missing == set()


def test_no_two_joints_share_a_letter():
    letters = [kind.key for kind in JOINT_TYPES.values() if kind.key]
    assert len(letters) == len(set(letters)) and not set(letters) & {"q", "x"}
