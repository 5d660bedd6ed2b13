"""mechstudio actions and mechstudio do: the menus without a window."""

from pathlib import Path

import pytest

import mechstudio.application.actions  # noqa: F401 - defines them all
from mechstudio.application.actions.registry import actions
from mechstudio.cli.main import AT_FAULT, DONE, UNREADABLE, main
from mechstudio.files.project_file import load
from mechstudio.translation import ENGLISH, use

FOUR_BAR = str(Path(__file__).parents[2] / "samples" / "four_bar.mech")


def test_the_table_has_a_line_for_every_action_without_a_window(capsys):
    assert main(["actions"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [a.id for a in actions() if not a.window]
    (group,) = [line for line in lines if line.startswith("group ")]
    assert group.split("  ", 1)[1].split() == ["Edit", ">", "Group", "Ctrl+G"]


def test_the_table_is_in_the_language_shown(capsys):
    use("zh_CN")
    try:
        assert main(["actions"]) == DONE
    finally:
        use(ENGLISH)
    lines = capsys.readouterr().out.splitlines()
    (group,) = [line for line in lines if line.startswith("group ")]
    assert group.split() == ["group", "编辑", ">", "编组", "Ctrl+G"]


def test_an_action_changes_a_file(tmp_path, capsys):
    out = str(tmp_path / "out.mech")
    assert main(["do", "group", FOUR_BAR, "--select", "crank", "coupler", "-o", out]) == DONE
    assert capsys.readouterr().out == "Group 2 bodies\nSelected: crank, coupler\n"
    ((_, group),) = load(out).project.groups.items()
    assert set(group.members) == {"crank", "coupler"}
    assert main(["do", "delete", out, "--select", "B", "--out", out]) == DONE
    assert "B" not in load(out).project.mechanism.joints


def test_an_action_is_put_on_joints_of_a_file(tmp_path):
    out = str(tmp_path / "out.mech")
    assert main(["do", "friction", FOUR_BAR, "--select", "B", "-o", out]) == DONE
    (force,) = load(out).project.mechanism.forces.values()
    assert force.joint == "B"


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["group", FOUR_BAR, "--select", "crank"], AT_FAULT, "Select two bodies or more first."),
        (["draw_link", FOUR_BAR], AT_FAULT, "The drawing is as it was."),
        (["save", FOUR_BAR], UNREADABLE, "There is no action save"),
        (["hide", FOUR_BAR, "--select", "none"], UNREADABLE, "There is nothing called none"),
        (["hide", "gone.mech"], UNREADABLE, "gone.mech"),
    ],
)
def test_refused_action_gives_the_reason(arguments, status, sentence, capsys):
    assert main(["do", *arguments]) == status
    assert sentence in capsys.readouterr().err
