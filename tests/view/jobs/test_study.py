"""The whole job of a study by mouse and keys, from an empty window to the file opened again."""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.files.project_file import load
from mechstudio.studies import table_file
from mechstudio.view.study.pictures.heat_map import HeatMap
from tests.view.files import kept
from tests.view.hands import click, click_in_tree, type_into
from tests.view.jobs.counting import hand
from tests.view.study_hand import measure, open_study, run, vary

__all__ = ["hand"]

Qt = QtCore.Qt
LENGTH = ("shapes", 0, "dimensions", "length")


def named(hand, id, name):
    """Name the length of a link: typed into its field, and made a parameter by the button below."""
    window = hand.window
    click_in_tree(window, id)
    hand.qtbot.wait(20)
    field = window.docks.inspector.number(LENGTH)
    type_into(field, name, key=None)
    click(field._wrong.button)
    assert name in hand.studio.document.project.parameters


def test_a_four_bar_is_drawn_studied_applied_saved_and_there_again(hand, tmp_path):
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("110,70⏎300,10⏎")
    hand.click((0.3, 0, 0))
    hand.type("⏎␛")
    _, coupler, rocker = hand.mechanism.bodies
    named(hand, coupler, "b")
    named(hand, rocker, "c")
    drawn = {n: p.value.value for n, p in studio.document.project.parameters.items()}
    hand.qtbot.waitUntil(lambda: studio.questions.analysis is not None, timeout=60_000)
    window.viewport.setFocus()
    page = open_study(window, qtbot)
    vary(page, qtbot, "b", "295 mm", "305 mm", "3")
    vary(page, qtbot, "c", "240 mm", "250 mm", "2")
    last = [j.name for j in hand.mechanism.joints.values()][-1]
    measure(page, qtbot, f"{last} angle")
    page.setup.measures[0]["statistic"].choose("range")
    qtbot.wait(10)
    page.setup.measures[0]["goal"].choose("greatest")
    qtbot.wait(10)
    type_into(page.setup.duration, "0.3 s")
    qtbot.wait(10)
    table = run(window, qtbot)
    assert table.done == 6 and not table.reasons
    best = table.best(0, greatest=True)
    assert page.shown.chosen == best
    heat = next(v for p in page.panes for v in p.views.values() if isinstance(v, HeatMap))
    other = (best + 1) % 6
    click(heat, heat.place_of(other).toPoint())
    assert page.shown.chosen == other
    click(heat, heat.place_of(best).toPoint())
    steps = len(studio.document.history[0])
    click(page.chosen_row.apply)
    project = studio.document.project
    assert len(studio.document.history[0]) == steps + 1
    assert [project.parameters[n].value.value for n in "bc"] == pytest.approx(
        table.varied[best].tolist(), rel=1e-14
    )
    QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    now = {n: p.value.value for n, p in studio.document.project.parameters.items()}
    assert now == drawn
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert not window.shows_study
    file = tmp_path / "studied.mech"
    kept(window, qtbot, file)
    path = table_file.path_of(file, "study1")
    qtbot.waitUntil(path.exists, timeout=10_000)
    assert load(file).project.studies == project.studies
    page = open_study(window, qtbot)
    found = studio.studies.of("study1")
    assert found.state == "done" and found.table.measured.tobytes() == table.measured.tobytes()
    assert not studio.studies.is_outdated("study1") and page.shown.best == best
    QTest.keyClick(page, Qt.Key.Key_Escape)
