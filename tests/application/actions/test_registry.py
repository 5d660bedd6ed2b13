"""Actions are functions that carry their own words, and nothing is wired by strings."""

import ast
import inspect
from pathlib import Path

import pytest

import mechstudio.application.actions  # noqa: F401 - defines them all
from mechstudio.application.actions.registry import (
    MENUS,
    Action,
    action,
    actions,
    by_id,
    register,
)
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load

ROOT = Path(__file__).parents[3]
# whose methods and properties were found by their names once
SUBJECTS = ("studio", "window", "commands")


def strung(source: str) -> list[str]:
    """Lines that reach for a member of the studio or the window by a string, or that name what a
    button or a key triggers by one.
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = ast.unparse(node.func)
        first = ast.unparse(node.args[0]).rpartition(".")[2].lstrip("_")
        if (name in ("getattr", "setattr") and first in SUBJECTS) or (
            name.rpartition(".")[2].lstrip("_") == "trigger"
            and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
        ):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_nothing_is_wired_by_strings():
    found = {}
    for floor in ("application", "view", "cli"):
        for path in (ROOT / "mechstudio" / floor).rglob("*.py"):
            if lines := strung(path.read_text("utf-8")):
                found[str(path)] = lines
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "getattr(self._studio, method)()",
        "setattr(window, name, 1)",
        "trigger('play')",
        "self._trigger(f'workspace_{key}')",
    ],
)
def test_the_rule_catches(source):
    assert strung(source)


def test_studio_is_small_and_has_no_base():
    assert Studio.__bases__ == (object,)
    assert len(Path(inspect.getfile(Studio)).read_text("utf-8").splitlines()) <= 200


def test_no_part_sees_the_studio():
    """Neither by import nor by what it holds: a cell of a lambda that Studio handed in is its
    own.
    """
    studio = Studio(Preferences(kept=False))
    # one that goes on with another studio holds that one until its solver is there
    parts = {name: part for name, part in vars(studio).items() if name != "_earlier"}
    assert {"document", "notifications", "selection", "runs", "questions", "display"} < set(parts)
    for name, part in parts.items():
        assert studio not in vars(part).values(), name
    for folder in ("questions", "runs", "files", "tools", "scene"):
        for path in (ROOT / "mechstudio" / "application" / folder).rglob("*.py"):
            assert "application.studio" not in path.read_text("utf-8"), path


def test_every_action_says_what_it_does_and_stands_in_a_menu():
    known = actions()
    assert len({a.id for a in known}) == len(known)
    for each in known:
        assert each.path[0] in MENUS and each.text and each.id.isidentifier()
        assert inspect.getdoc(getattr(each.run, "func", each.run)), each.id
    places = [MENUS.index(a.path[0]) for a in known]
    assert places == sorted(places)


def test_a_key_belongs_to_one_action():
    keys = [key for each in actions() for key in each.keys]
    assert len(keys) == len(set(keys))


def test_two_actions_cannot_share_an_id():
    def undo(studio):
        """Never."""

    with pytest.raises(ValueError):
        action("Undo", "Edit")(undo)
    with pytest.raises(KeyError):
        by_id("nothing_such")


def test_an_action_does_what_its_function_does(monkeypatch):
    from mechstudio.application.actions import registry

    monkeypatch.setattr(registry, "_defined", [*registry._defined])
    reported = []
    first = by_id("group")
    new = register(Action("planted", reported.append, "Planted", "Edit"), before=first)
    new("it")
    assert reported == ["it"] and new.unless(Studio(Preferences(kept=False))) == ""
    ids = [a.id for a in actions()]
    assert ids.index("planted") == ids.index("group") - 1


def test_a_reason_and_a_detail_follow_the_selection():
    studio = Studio(Preferences(kept=False))
    four_bar = load(ROOT / "samples" / "four_bar.mech")
    group, delete = by_id("group"), by_id("delete")
    assert group.unless(studio) == "Select two bodies or more first"
    studio.files.show(four_bar.project, None, None)
    studio.selection.select("crank", "coupler")
    assert group.unless(studio) == "" and delete.detail(studio) == "2 bodies"
    group(studio)
    assert studio.document.undo_label == "Group 2 bodies"
    assert group.unless(studio) == "Select two bodies or more first"
