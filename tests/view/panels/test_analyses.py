"""Analyses in the window: chosen by words, made in a process of their own, cancelled, refused in
words, copied.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.model.edits import elements
from mechstudio.view.scene import camera as lens

Qt = QtCore.Qt


@pytest.fixture
def panel(window):
    window.set_workspace("analyse")
    window.docks.pages.chosen.emit("analyses")
    yield window.docks.analyses
    window.studio.questions.analyses.cancel()
    window.docks.pages.chosen.emit("equations")


def click(button):
    QtTest.QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def answered(window, qtbot):
    qtbot.waitUntil(
        lambda: window.studio.questions.analyses.state in ("ready", "failed"), timeout=120_000
    )
    return window.studio.questions.analyses


def shorter(window):
    """A run of a tenth of a second, so that analyses are quick."""
    project = window.studio.document.project
    window.studio.document.commit(
        "Shorter", elements.set_quantity(project, "settings", ("duration",), "100 ms")
    )


@pytest.mark.slow
def test_reactions_of_the_selected_joint(window, panel, qtbot):
    shorter(window)
    window.studio.selection.select("A")
    panel.kind.choose("reactions")
    if (
        window.studio.questions.analyses.state != "searching"
    ):  # another choice sends a request at once, the same one does not
        click(panel.button)
    assert answered(window, qtbot).state == "ready"
    table = panel.table
    head = [table.horizontalHeaderItem(c).text() for c in range(table.columnCount())]
    assert head == [
        "time\ns",
        "A Fx\nN",
        "A Fy\nN",
        "A Fz\nN",
        "A Mx\nN·m",
        "A My\nN·m",
        "A Mz\nN·m",
    ]
    hatched = [c for c in range(7) if "Not determined" in table.item(0, c).toolTip()]
    assert hatched == [3, 4, 5], "across the plane nothing is determined"
    assert (
        panel.check.text().startswith("✓ ")
        and "check" in panel.check.toolTip()
        and not panel.check.isHidden()
    )
    click(panel.copy)
    text = QtGui.QGuiApplication.clipboard().text()
    assert text.startswith("time s\tA Fx N\t") and len(text.splitlines()) == table.rowCount() + 1
    # another drawing: what was found is of no use any more
    window.studio.document.commit(
        "Longer", elements.set_quantity(window.studio.document.project, "L1", ("value",), "140 mm")
    )
    assert window.studio.questions.analyses.result is None and table.isHidden()


def test_cancel_acts_at_once(window, panel, qtbot):
    panel.kind.choose("equilibria")
    assert (
        window.studio.questions.analyses.state == "searching"
        and panel.button.text() == "Cancel"
        and not panel.progress.isHidden()
    )
    click(panel.button)
    assert window.studio.questions.analyses.state == "idle" and panel.button.text() == "Analyse"


def test_refused_analysis_gives_the_reason(window, panel, qtbot):
    window.studio.selection.select()
    panel.kind.choose("relative")
    assert "Select the body" in panel.words.text() or answered(window, qtbot).sentence
    assert "one frame" in answered(window, qtbot).sentence and "one frame" in panel.words.text()
    panel.kind.choose("inverse")
    panel.motion.setText("A = 3 mm*t")
    QtTest.QTest.keyClick(panel.motion, Qt.Key.Key_Return)
    assert "angle" in answered(window, qtbot).sentence


def test_torsors_at_a_typed_point(solved_four_bar, qtbot):
    window = solved_four_bar
    panel, studio = window.docks.analyses, window.studio
    window.actions_.trigger("analyses")
    studio.selection.select("coupler")
    panel.ask_for("torsors", place="typed")
    # without three coordinates it names the missing input, and sends no request
    assert (
        "three coordinates" in panel.words.text() and studio.questions.analyses.state != "searching"
    )
    QtTest.QTest.keyClicks(panel.typed, "100 mm, 0, 50")
    QtTest.QTest.keyClick(panel.typed, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: studio.questions.analyses.state == "ready")
    assert panel._options.point == (0.1, 0.0, pytest.approx(0.05))
    assert (
        "comoment" in panel.words.text()
        and "M(B) = M(A) + R × AB" in panel.words.text()
        and studio.questions.analyses.result.columns[6:] == ("• V coupler",)
    )


def test_the_point_is_clicked_in_the_scene(solved_four_bar, qtbot):
    window = solved_four_bar
    panel, studio, view = window.docks.analyses, window.studio, window.viewport
    window.actions_.trigger("analyses")
    view.look.reduced_motion = True
    view.framing.view_from("front")
    studio.selection.select("coupler")
    panel.ask_for("torsors", place="")
    click(panel.place_button)
    assert studio.tools.tool.name == "place" and panel.place_button.isChecked()
    mechanism = studio.document.project.mechanism
    x, y, _ = lens.project(
        view.framing.camera,
        (view.width(), view.height()),
        np.array([mechanism.frame_in_world(mechanism.joints["B"].frame_a)[0]]),
    )[0]
    QtTest.QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)))
    QtTest.QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(round(x), round(y)))
    assert (
        panel.place == "B"
        and studio.tools.tool.name == "select"
        and not panel.place_button.isChecked()
    )
    qtbot.waitUntil(lambda: studio.questions.analyses.state == "ready")
    assert panel._options.point == "B"
    # Esc puts the question down
    click(panel.place_button)
    QtTest.QTest.keyClick(view, Qt.Key.Key_Escape)
    assert (
        studio.tools.tool.name == "select"
        and not panel.place_button.isChecked()
        and panel.place == "B"
    )


def test_the_question_stands_at_the_top_while_there_is_no_table(window, panel, qtbot):
    qtbot.waitUntil(lambda: panel.height() > 250)
    assert panel.table.isHidden()
    rows = sorted(
        w.geometry().top()
        for w in (panel.kind.parentWidget(), panel.axes_choice.parentWidget(), panel.words)
    )
    assert rows[-1] < 0.4 * panel.height() and rows[2] - rows[1] < 60 and rows[1] - rows[0] < 60


def test_the_row_of_panels_stays_where_it_is_when_the_equations_make_room_for_another_page(
    window, qtbot
):
    window.resize(1280, 800)
    window.actions_.trigger("workspace_build")
    places = lambda: [p.geometry() for p in window.docks.low if p.isVisible()]
    window.docks.pages.chosen.emit("equations")
    qtbot.wait(50)
    before = places()
    for page in ("structure", "analyses", "equations"):
        window.docks.pages.chosen.emit(page)
        qtbot.wait(50)
        assert places() == before, page
