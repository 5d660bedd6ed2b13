"""Structure tab and Doctor under real mouse events: free motions that swing, cures that are undone,
dead points that are examined.
"""

import msgspec
import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.engine.structure.mobility import analyse
from mechstudio.model.mechanism import Drive
from mechstudio.view.bars.status_line import mobility_words
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels.branches import PoseLine
from mechstudio.view.panels.structure import balances, numbers

Qt = QtCore.Qt


def click(widget):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())


@pytest.fixture
def panel(window, qapp):
    """The window with the real analysis of its four-bar, the Structure tab open."""
    studio = window.studio
    studio.tick(0.0)
    studio.questions.session.analysis = analyse(studio.document.project)
    studio.questions.session.analysed.emit()
    window.docks.pages.chosen.emit("structure")
    qapp.processEvents()
    turns().finish()
    yield window.docks.structure
    studio.free_motion.stop()
    studio.questions.branches.cancel()
    window.docks.pages.chosen.emit("equations")


def texts(widget):
    return [w.text() for w in widget.findChildren(QtWidgets.QLabel)]


def test_numbers_balances_and_loops_are_shown(panel):
    shown = texts(panel)
    for words in (
        "Mobility",
        "Hyperstaticity",
        "−2 = −2",
        "3 = 3",
        "crank turns, all follow",
        "closed by C",
    ):
        assert words in shown, shown
    s = panel._studio.questions.analysis.structure
    assert all(b.left_value == b.right_value for b in balances(s)) and {
        line.value for line in numbers(s) if line.strong
    } == {"1", "3"}


def test_a_balance_that_fails_is_seen(panel):
    s = msgspec.structs.replace(panel._studio.questions.analysis.structure, hyperstaticity=2)
    assert [b.left_value == b.right_value for b in balances(s)] == [False, False, False]


def test_a_free_motion_swings_and_comes_back(window, panel):
    studio = window.studio
    before = studio.display.poses.copy()
    click(panel.freedom_lines[0])
    assert studio.free_motion.shown is not None and studio.selection.selected == (
        "crank",
        "coupler",
        "rocker",
    )
    for _ in range(5):
        studio.tick(0.075)
    there = studio.display.poses.copy()
    assert np.abs(there - before).max() > 0.005
    # to first order the pins stay together: off by the square of the amplitude only
    m = studio.document.project.mechanism
    from mechstudio.engine.constraints.rows import JointRows

    assert JointRows(m).gaps(there).max() < 0.02 * m.size()
    for _ in range(16):
        studio.tick(0.1)
    assert studio.free_motion.shown is None and np.allclose(studio.display.poses, before)


def test_resting_on_the_mobility_shows_every_free_motion(window, panel):
    studio, pill = window.studio, window.status.mobility
    assert pill.text() == "Mobility 1"
    pill.entered.emit()
    assert (
        studio.free_motion.shown is not None
        and studio.free_motion.shown.freedoms == studio.questions.analysis.freedoms
    )
    pill.left.emit()
    assert studio.free_motion.shown is None


def test_a_redundancy_shows_its_loop(window, panel):
    card = window.docks.doctor.findChild(QtWidgets.QFrame, "card")
    click(card)
    assert window.studio.selection.selected == ("A", "B", "D", "C")


def test_a_loop_selects_its_joints(window, panel):
    line = next(
        b
        for b in panel.findChildren(QtWidgets.QPushButton, "line")
        if b.toolTip().startswith("Show the joints")
    )
    click(line)
    assert set(window.studio.selection.selected) == {"A", "B", "C", "D"}


@pytest.mark.parametrize(
    ("words", "types", "left"),
    [
        ("Make C spherical", {"C": "spherical", "B": "revolute"}, 1),
        ("Make C spherical and B cylindrical", {"C": "spherical", "B": "cylindrical"}, 0),
    ],
)
def test_a_cure_is_one_step_and_comes_undone(window, panel, words, types, left):
    studio = window.studio
    before = studio.document.project
    button = next(
        b
        for b in window.docks.doctor.findChildren(QtWidgets.QPushButton)
        if b.accessibleName() == f"{words}: hyperstatic 3 to {left}"
    )
    click(button)
    assert {
        id: studio.document.project.mechanism.joints[id].type for id in types
    } == types and studio.document.undo_label == words
    assert analyse(studio.document.project).structure.hyperstaticity == left
    edit.undo(studio)
    assert studio.document.project == before


def test_dead_points_are_searched_seen_and_adopted(window, panel, qtbot):
    studio = window.studio
    panel.branches.set_open(True)
    studio.questions.branches.request("D")
    qtbot.waitUntil(
        lambda: studio.questions.branches.poll() or studio.questions.branches.state != "searching",
        timeout=120_000,
    )
    assert studio.questions.branches.state == "ready", studio.questions.branches.sentence
    lines = panel.findChildren(PoseLine)
    assert len(lines) == 4 and any("Rocker-crank" in t for t in texts(panel))
    before = studio.document.project
    click(lines[0])
    assert (
        studio.document.project is not before
        and studio.document.undo_label == "Move D to its dead point"
    )
    found = analyse(studio.document.project)
    # there the rocker stands while the crank goes on
    (freedom,) = found.freedoms
    assert abs(dict((j, r) for j, _, r in freedom.rates).get("D", 0.0)) < 1e-6
    assert studio.questions.branches.state == "idle", "what was found belongs to the drawing before"
    edit.undo(studio)


def test_the_pill_of_the_mobility():
    s = analyse_four_bar()
    assert mobility_words(s) == "Mobility 1"
    replace = msgspec.structs.replace
    assert mobility_words(replace(s, drives=1, driven=1)) == "Mobility 1 (driven 1)"
    assert mobility_words(replace(s, drives=2, driven=1)) == "Mobility 1 (driven 1 by 2)"
    assert mobility_words(replace(s, mobility_drawn=2)) == "Mobility 1 (drawn 2)"
    assert (
        mobility_words(
            replace(s, mobility=3, mobility_drawn=3, configuration_freedom=5, rolling_rows=2)
        )
        == "Mobility 3 of 5"
    )


def analyse_four_bar():
    from mechstudio.application.resources import sample_folder
    from mechstudio.files.project_file import load

    project = load(sample_folder() / "four_bar.mech").project
    driven = analyse(
        msgspec.structs.replace(
            project,
            mechanism=msgspec.structs.replace(
                project.mechanism, drives={"d": Drive("d", "motor", "A")}
            ),
        )
    )
    assert (driven.structure.drives, driven.structure.driven) == (1, 1)
    return analyse(project).structure


@pytest.mark.slow
def test_a_free_motion_gets_a_motor_or_a_lock_where_it_stands(window, panel):
    studio = window.studio
    motor, lock = (
        next(
            b
            for b in panel.freedom_lines[0].findChildren(QtWidgets.QToolButton)
            if b.toolTip() == tip
        )
        for tip in ("Drive this with a motor at A", "Lock it at A")
    )
    click(lock)
    (drive,) = studio.document.project.mechanism.drives.values()
    assert (drive.joint, drive.coordinate, drive.quantity, drive.law.parameters["value"].value) == (
        "A",
        0,
        "position",
        0.0,
    )
    assert studio.document.undo_label == "Lock A" and studio.selection.current == drive.id
    edit.undo(studio)
    window.docks.structure.refresh()
    motor = next(
        b
        for b in panel.freedom_lines[0].findChildren(QtWidgets.QToolButton)
        if b.toolTip().startswith("Drive this")
    )
    click(motor)
    (drive,) = studio.document.project.mechanism.drives.values()
    assert (
        drive.joint == "A"
        and drive.quantity == "velocity"
        and studio.document.undo_label == "Drive A"
    )
    assert analyse(studio.document.project).structure.driven == 1
    studio.questions.session.analysis = analyse(studio.document.project)
    studio.questions.session.analysed.emit()
    studio.selection.select()
    (there,) = panel.freedom_lines[0].findChildren(QtWidgets.QToolButton)
    assert there.toolTip() == "Prescribed by drive 1: show it"
    click(there)
    assert (
        studio.selection.current == drive.id and len(studio.document.project.mechanism.drives) == 1
    )
