"""Columns of an analysis over the time become curves: pulled out of the table's head into a plot,
or by the menu of a column.
"""

import pytest
from PySide6 import QtCore, QtGui, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.view.panels import analyses
from mechstudio.view.widgets.channel_drag import packed
from tests.view.plots.test_plot_choice import drawn, short, shown  # noqa: F401

Qt = QtCore.Qt


def found(window, qtbot, what, **reported):
    """The panel with an analysis made."""
    window.docks.pages.chosen.emit("analyses")
    panel = window.docks.analyses
    panel.place = reported.get("place", "")
    panel.motion.setText(reported.get("motion", ""))
    panel.kind.choose(what)
    if window.studio.questions.analyses.state == "idle":  # it was chosen already
        QtTest.QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: window.studio.questions.analyses.state in ("ready", "failed"), timeout=240_000
    )
    assert window.studio.questions.analyses.result is not None, (
        window.studio.questions.analyses.sentence
    )
    return panel


def pull(panel, column, by=60):
    """Press on a column's head and pull."""
    head = panel.table.horizontalHeader()
    panel.table.scrollTo(panel.table.model().index(0, column))
    at = QtCore.QPoint(
        head.sectionViewportPosition(column) + head.sectionSize(column) // 2, head.height() // 2
    )
    QtTest.QTest.mousePress(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    move = QtGui.QMouseEvent(
        QtCore.QEvent.Type.MouseMove,
        QtCore.QPointF(at) + QtCore.QPointF(by, 0),
        QtCore.QPointF(head.viewport().mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QtWidgets.QApplication.sendEvent(head.viewport(), move)
    QtTest.QTest.mouseRelease(head.viewport(), Qt.MouseButton.LeftButton, pos=at)


def drop(window, pane, keys, place=(0.5, 0.5)):
    """Drag channels over a pane and drop them there; the place is a share of its size."""
    panel = window.docks.plots_panel
    pane = window.docks.plots[pane]
    inside = QtCore.QPoint(round(place[0] * pane.width()), round(place[1] * pane.height()))
    data, at, action = packed(keys), pane.mapTo(panel, inside), Qt.DropAction.CopyAction
    enter = QtGui.QDragEnterEvent(
        at, action, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QtWidgets.QApplication.sendEvent(panel, enter)
    lit = enter.isAccepted() and not panel._light.isHidden()
    QtWidgets.QApplication.sendEvent(
        panel,
        QtGui.QDropEvent(
            QtCore.QPointF(at),
            action,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )
    assert lit and panel._light.isHidden()


def test_a_column_is_pulled_into_a_plot(short, qtbot, monkeypatch):
    studio = short.studio
    panel = found(short, qtbot, "kinematics")
    carried = []
    monkeypatch.setattr(analyses, "drag", lambda source, keys, words: carried.append((keys, words)))
    column = panel.table.columnCount() - 2
    pull(panel, column)
    ((keys, words),) = carried
    assert (
        panel.table.chosen() == [column]
        and words == studio.questions.analyses.result.columns[column]
        and len(keys) == 1
    )
    before = shown(short, 1)
    drop(short, 1, keys)
    assert keys[0] in shown(short, 1) and set(shown(short, 1)) > {before[0]}
    qtbot.waitUntil(lambda: drawn(short, 1, keys[0]) > 1, timeout=240_000)
    # a click only chooses, and the time is no curve
    QtTest.QTest.mouseClick(
        panel.table.horizontalHeader().viewport(),
        Qt.MouseButton.LeftButton,
        pos=QtCore.QPoint(10, 10),
    )
    panel.table.selectColumn(0)
    pull(panel, 0)
    assert len(carried) == 1
    assert (
        not panel.column_menu().actions()[0].isEnabled()
        and "over the time" in panel.column_menu().actions()[-1].text()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "reported", "column"),
    [
        ("reactions", {"place": "D"}, "A Mz"),
        ("momenta", {"place": "D"}, "Ny"),
        ("inverse", {"motion": "A = 20 deg*sin(3 rad/s*t)"}, "motion of A on A"),
        ("drift", {}, "error"),
        ("energy", {}, "kinetic"),
        ("relative", {}, "coupler a_cor x"),
    ],
)
@pytest.mark.thinned(3)
def test_every_column_over_the_time_can_be_a_curve(short, qtbot, what, reported, column):
    studio = short.studio
    studio.selection.select(*(["coupler"] if what == "relative" else []))
    panel = found(short, qtbot, what, **reported)
    table = studio.questions.analyses.result
    assert set(panel._keys(table)) == set(range(1, len(table.columns))), "all but the time"
    panel.table.selectColumn(table.columns.index(column))
    action = next(a for a in panel.column_menu().actions() if a.text().startswith("Show in"))
    action.trigger()
    (key,) = shown(short, 0)
    qtbot.waitUntil(lambda: drawn(short, 0, key) > 1, timeout=240_000)
    # the curve is the column
    if key.startswith("measured/"):
        import numpy as np

        rows = np.frombuffer(table.rows).reshape(-1, len(table.columns))
        t, y = studio.questions.curves.series(key)
        assert np.interp(rows[:, 0], t, y) == pytest.approx(
            rows[:, table.columns.index(column)], abs=1e-2 * max(1e-9, np.abs(y).max())
        )
    panel.place = ""
    panel.motion.setText("")
    edit.undo(studio)
    studio.selection.select()
