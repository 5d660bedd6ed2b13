"""The history panel by real events: it stays open while one works, a click on a step goes there at
once, undone steps wait below.
"""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.application.document import Snapshot
from mechstudio.model.edits import elements
from tests.view.hands import press

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def steps(window):
    """The window with five steps and the panel open."""
    document = window.studio.document
    for k in range(5):
        document.commit(f"Note {k}", elements.replace(document.project, note=str(k)))
    press(window, Qt.Key.Key_H, CTRL)
    yield window
    if window.history_panel is not None and window.history_panel.isVisible():
        window.actions_.trigger("history")


def click_line(panel, k):
    QTest.mouseClick(
        panel.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=panel.list.visualItemRect(panel.list.item(k)).center(),
    )


def test_history_panel_stays_open_follows_every_step_and_jumps_in_one_change(steps, qtbot):
    window, document = steps, steps.studio.document
    panel = window.history_panel
    assert panel.isVisible() and [panel.list.item(k).text() for k in range(6)] == [
        "As opened",
        *(f"Note {k}" for k in range(5)),
    ]
    assert panel.list.currentRow() == 5 and window.host.rect().contains(panel.geometry())
    reported = []
    document.changed.connect(lambda old, new: reported.append(new.note))
    click_line(panel, 1)
    assert document.history[1] == 1 and reported == ["0"] and panel.list.currentRow() == 1
    dim, plain = panel.list.item(4).foreground().color(), panel.list.item(1).foreground().color()
    assert dim != plain
    # the window works on beside it
    document.commit("Another way", elements.replace(document.project, note="x"))
    assert (
        panel.list.count() == 3
        and panel.list.item(2).text() == "Another way"
        and panel.list.item(2).foreground().color() == plain
    )
    press(window, Qt.Key.Key_Z, CTRL)
    assert panel.list.currentRow() == 1 and panel.isVisible()
    QTest.mouseClick(panel.redo, Qt.MouseButton.LeftButton)
    assert document.history[1] == 2 and not panel.redo.isEnabled()


def test_esc_closes_it_and_the_action_is_ticked_while_it_is_open(steps):
    action = steps.actions_.by_id["history"]
    steps.actions_.refresh()
    assert action.isChecked()
    panel = steps.history_panel
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    press(steps, Qt.Key.Key_H, CTRL)
    assert panel.isVisible()


def test_a_thousand_steps_are_shown_and_one_more_does_not_build_them_again(steps):
    document, panel = steps.studio.document, steps.history_panel
    project = document.project
    document._history += [
        Snapshot(f"Step {k}", elements.replace(project, note=f"n{k}")) for k in range(995)
    ]
    document.go_to(1000)
    assert (
        panel.list.count() == 1001
        and panel.list.item(0).text() == "As opened"
        and panel.list.currentRow() == 1000
    )
    kept = panel.list.item(500)
    document.commit("One more", elements.replace(project, note="more"))
    assert panel.list.item(499) is kept and panel.list.item(1000).text() == "One more"
    assert panel.list.count() == 1001 and panel.list.item(0).text() == "Earlier steps are forgotten"
    assert panel.height() < steps.host.height()
