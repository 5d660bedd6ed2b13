"""The table of an analysis under real mouse events: sorted, marked, led from, taken home; and the
comparison of methods from its action to the list of runs.
"""

import csv

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

import mechstudio as ms
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.results.analysis_results import Measured, MethodRun
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.types.analyses import ANALYSES
from tests.view.panels.test_analyses import answered, panel, shorter  # noqa: F401
from tests.view.plots.test_columns_to_plots import found

Qt = QtCore.Qt
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def click_head(table, column):
    head = table.horizontalHeader()
    at = QtCore.QPoint(
        head.sectionViewportPosition(column) + head.sectionSize(column) // 2, head.height() // 2
    )
    QtTest.QTest.mouseClick(head.viewport(), LEFT, NONE, at)


def click_cell(table, row, column):
    table.scrollToItem(table.item(row, column))
    at = table.visualItemRect(table.item(row, column)).center()
    QtTest.QTest.mouseClick(table.viewport(), LEFT, NONE, at)


def numbers(table, column):
    return [float(table.item(r, column).text().replace("−", "-")) for r in range(table.rowCount())]


def test_the_list_has_a_head_for_each_group(panel):
    menu = panel.kind.menu()
    menu.aboutToShow.emit()
    heads = [a.defaultWidget().text() for a in menu.actions() if hasattr(a, "defaultWidget")]
    assert heads == list(dict.fromkeys(kind.group for kind in ANALYSES.values()))
    assert len(menu.actions()) == len(heads) + len(ANALYSES)


def test_heads_sort_marks_lead_and_the_file_holds_it(window, panel, qtbot, tmp_path):
    shorter(window)
    window.studio.selection.select("B")
    table = found(window, qtbot, "reactions").table
    drawn = numbers(table, 1)
    click_head(table, 1)
    assert numbers(table, 1) == sorted(drawn, reverse=True)
    assert table.horizontalHeaderItem(1).text().startswith("B Fx ▾")
    click_head(table, 1)
    assert numbers(table, 1) == sorted(drawn)
    # the largest force is marked, wherever it is sorted to
    values = np.frombuffer(window.studio.questions.analyses.result.rows).reshape(-1, 7)
    row, column = np.unravel_index(np.argmax(np.abs(values[:, 1:3])), (len(values), 2))
    marked = [
        (r, c)
        for r in range(table.rowCount())
        for c in range(7)
        if not table.item(r, c).icon().isNull()
    ]
    assert [(table._order[r], c) for r, c in marked] == [(row, column + 1)]
    # an instant leads there
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    assert studio.runs.playback.time == 0.0
    click_cell(table, table._order.index(3), 0)
    assert studio.runs.playback.time == pytest.approx(values[3, 0])
    QtTest.QTest.mouseClick(panel.csv, LEFT)
    dialog = panel.findChild(QtCore.QObject, "write_table")
    dialog.fileSelected.emit(str(tmp_path / "b.csv"))
    dialog.close()
    with open(tmp_path / "b.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    assert lines[0][:2] == ["time [s]", "B Fx [N]"]
    np.testing.assert_array_equal(np.array(lines[1:], float), values[table._order])
    click_head(table, 1)
    assert numbers(table, 1) == drawn and "▾" not in table.text()


@pytest.mark.slow
def test_compared_methods_are_ticked_runs(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    shorter(window)
    window.actions_.by_id["compare_methods"].trigger()
    assert studio.questions.analyses.state == "searching"
    answered(window, qtbot)
    table, runs = window.docks.analyses.table, studio.runs
    words = [table.verticalHeaderItem(r).text() for r in range(table.rowCount())]
    assert [run.note for run in runs.kept.runs] == words[:-1] and len(words) > 10
    assert all(run.ticked and run.recording.complete for run in runs.kept.runs)
    assert runs.present is runs.kept.runs[0] and words[0].startswith("as drawn")
    gap = studio.runs.kept.runs[0].recording.statistics.constraint_error_m
    assert table.item(0, 1).text() == f"{1e3 * gap:.4e}".replace("e-", "e−").replace("e−0", "e−")
    # once more: the runs are known, none is there twice
    QtTest.QTest.mouseClick(window.docks.analyses.button, LEFT)
    answered(window, qtbot)
    assert len(runs.kept.runs) == len(words) - 1


def test_an_answer_is_taken_once(window):
    studio = window.studio
    studio.runs.kept.restore(())
    project = studio.document.project
    rows = np.zeros((2, sample_layout(project.mechanism).width))
    rows[:, 0] = 0.0, 0.1
    run = MethodRun(
        "RK4", "rk4", "joint", "projection", 1e-9, rows.tobytes(), RunStatistics(*([0.0] * 9))
    )
    studio.questions.analyses.result = Measured("methods", (), (), b"", b"", runs=(run,))
    for _ in range(2):
        studio.questions.compared_methods._follow()
    assert [(r.note, r.ticked) for r in studio.runs.kept.runs] == [("RK4", True)]
    assert studio.runs.kept.runs[0].project.settings.integrator == "rk4"
    studio.questions.analyses.cancel()
    studio.questions.analyses.result = None
    studio.runs.kept.restore(())


def test_a_row_of_rest_shows_and_places_the_mechanism(solved_file, tmp_path, qtbot):
    # a rod on a pin hangs or stands
    m = ms.Builder("Rod")
    rod = m.link("rod", (0, 0, 0), length="200 mm", angle="20 deg")
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    ms.save(m.project(), tmp_path / "rod.mech")
    window = solved_file(tmp_path / "rod.mech")
    studio, table = window.studio, window.docks.analyses.table
    window.actions_.by_id["find_rest"].trigger()
    assert answered(window, qtbot).state == "ready"
    words = [table.verticalHeaderItem(r).text() for r in range(table.rowCount())]
    assert sorted(words) == ["stable", "unstable"]
    for row, word in enumerate(words):
        click_cell(table, row, 0)
        tip = tip_of(studio.display.poses[0])
        assert tip == pytest.approx((0, 0, -0.2 if word == "stable" else 0.2), abs=1e-6)
        (symbol,) = window.viewport.look.figures.symbols
        assert (symbol.words, symbol.body) == (word, "rod"), "the scene says it, too"
    assert studio.document.undo_label == ""
    place = table.visualItemRect(table.item(words.index("unstable"), 0)).center()
    QtTest.QTest.mouseDClick(table.viewport(), LEFT, NONE, place)
    assert studio.document.undo_label == f"Rest at number {words.index('unstable') + 1}, unstable"
    (body,) = studio.document.project.mechanism.bodies.values()
    position, attitude = body.placement.pose
    assert tip_of((*position, *attitude)) == pytest.approx((0, 0, 0.2), abs=1e-6)
    assert not window.viewport.look.figures.symbols, "what is placed is the drawing"
    studio.document.undo()
    assert studio.document.undo_label == ""


def tip_of(pose):
    """End of the rod [m, W] at a pose."""
    return tuple(np.array(pose[:3]) + np.array(rotate(tuple(pose[3:]), (0.2, 0.0, 0.0))))
