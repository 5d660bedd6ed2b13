"""Assembling in the window: the menu asks, Enter accepts, Esc goes back; what cannot close offers
its best try.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.scene import drawn_poses
from mechstudio.engine.constraints.attitude import displaced
from mechstudio.engine.manifold.diagnosis import close_drawing
from mechstudio.engine.structure.mobility import analyse
from mechstudio.model.edits import elements
from mechstudio.view.idle_tasks import turns
from tests.view.hands import press

Qt = QtCore.Qt


@pytest.fixture
def rough(window, qtbot):
    """The window with a four-bar drawn apart."""
    studio = window.studio
    project = studio.document.project
    poses = displaced(
        drawn_poses(project),
        0.03 * np.random.default_rng(1).standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0),
    )
    studio.files.show(
        elements.place(project, dict(zip(project.mechanism.bodies, poses, strict=True)), {}),
        None,
        None,
    )
    analysed(window, qtbot)
    return window


def analysed(window, qtbot):
    studio = window.studio
    qtbot.waitUntil(lambda: studio.questions.session._seen is studio.document.project)
    studio.questions.session.analysis = analyse(studio.document.project)
    studio.questions.session.analysed.emit()
    turns().finish()


def button(root, word):
    return next(
        b for b in root.findChildren(QtWidgets.QPushButton) if b.text() == word and b.isVisible()
    )


def answer(window, qtbot):
    calls = [c for c in window.studio.questions.session.calls if c[0] == "assemble"]
    window.studio.questions.assembly.take(
        close_drawing(window.studio.document.project.mechanism, calls[-1][1])
    )
    qtbot.wait(50)


def test_the_menu_asks_enter_accepts_and_one_undo_restores(rough, qtbot):
    studio, drawn = rough.studio, rough.studio.document.project
    assert not studio.notifications.messages, "it is shown closed, and there is nothing to tell"
    rough.actions_.trigger("assemble")
    answer(rough, qtbot)
    with_ghost = rough.viewport.grab().toImage()
    assert (
        rough.viewport.shown.ghost is not None
        and "closed to" in studio.notifications.messages[-1].text
    )
    press(rough, Qt.Key.Key_Return)
    assert (
        studio.document.undo_label.startswith("Assemble, ") and rough.viewport.shown.ghost is None
    )
    assert with_ghost != rough.viewport.grab().toImage()
    press(rough, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert studio.document.project is drawn


def test_esc_goes_back_and_keeps_the_selection(rough, qtbot):
    studio, drawn = rough.studio, rough.studio.document.project
    studio.selection.select("crank")
    rough.actions_.trigger("assemble_kept")
    assert ("assemble", ("crank",)) in studio.questions.session.calls
    answer(rough, qtbot)
    assert studio.questions.assembly.proposal is not None
    selected = studio.selection.selected
    press(rough, Qt.Key.Key_Escape)
    assert (
        studio.questions.assembly.proposal is None
        and studio.document.project is drawn
        and rough.viewport.shown.ghost is None
        and studio.selection.selected == selected
    )
    press(rough, Qt.Key.Key_Escape)
    assert not studio.selection.selected


def test_open_drawing_offers_its_best_try_in_banner_and_doctor(rough, qtbot):
    studio = rough.studio
    studio.files.show(
        elements.set_quantity(
            studio.document.project, "D", ("frame_a", "placement", "position", 0), "5 m"
        ),
        None,
        None,
    )
    analysed(rough, qtbot)
    QTest.mouseClick(button(rough.banners, "Show the best try"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(button(rough.docks.doctor, "Assemble"), Qt.MouseButton.LeftButton)
    assert rough.studio.questions.session.calls.count(("assemble", ())) == 2
