"""A curve is drawn by mouse and linkages answer; one of them is used and runs."""

import math

import numpy as np
import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from tests.view.hands import click
from tests.view.jobs.counting import hand
from tests.view.study_hand import pick
from tests.view.synthesis_hand import drag, open_empty, open_synthesis, type_cell

__all__ = ["hand"]

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


def bean():
    t = np.linspace(0, 2 * np.pi, 80)
    return 0.1 * np.cos(t) + 0.02 * np.cos(2 * t) + 0.06j * np.sin(t)


def found(page, qtbot):
    """Press Find and wait for the end of the search."""
    click(page.seek)
    assert page.search.state == "working", page.note.text()
    qtbot.waitUntil(lambda: page.search.state != "working", timeout=240_000)
    qtbot.wait(20)
    assert page.search.state == "done", page.search.sentence
    return page.search.answers


@pytest.mark.slow
def test_a_curve_is_drawn_and_a_linkage_is_used_and_runs(hand, tmp_path):
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    page = open_empty(window, qtbot)
    assert not page.seek.isEnabled()
    drag(page.sheet, bean())
    assert len(page.draft.now.table) == 12 and page.draft.now.closed
    # one stroke is one step
    QTest.keyClick(page.sheet, Qt.Key.Key_Z, CTRL)
    assert not page.draft.now.table
    click(page.redo)
    assert len(page.draft.now.table) == 12
    answers = found(page, qtbot)
    assert answers and answers[0].candidate.worst < 5e-3
    assert answers[0].transmission >= math.radians(20)
    # the curve goes near every drawn point
    points = page.draft.now.points
    away = np.abs(points[:, None] - answers[0].curve[None, :]).min(axis=1)
    assert away.max() < 6e-3
    # under the pointer another one moves
    other = page.gallery.cards[1]
    QTest.mouseMove(other)
    other.hovered.emit(other.answer)
    assert page.sheet.shown is other.answer and page.sheet._timer.isActive()
    click(other)
    assert page.gallery.chosen is other.answer
    click(page.take)
    assert not page.is_on and len(studio.document.history[0]) == 2
    assert len(hand.mechanism.bodies) == 3 and len(hand.mechanism.drives) == 1
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=120_000,
    )
    # the tracer of the run goes where the answer said
    assert studio.document.project.marks[0].type == "trail"
    QTest.keyClick(window.viewport, Qt.Key.Key_Z, CTRL)
    assert not hand.mechanism.bodies


def test_points_are_clicked_typed_moved_and_deleted(hand):
    window, qtbot = hand.window, hand.qtbot
    page = open_empty(window, qtbot)
    sheet, draft = page.sheet, page.draft
    for point in (0, 0.04 + 0.03j, 0.09 + 0.03j):
        click(sheet, sheet.place_of(point))
    assert len(draft.now.table) == 3 and not draft.now.closed
    type_cell(page.setup.table, 3, 0, "120")
    type_cell(page.setup.table, 3, 1, "-10 mm")
    assert draft.now.table[3] == (pytest.approx(0.12), pytest.approx(-0.01), None)
    drag(sheet, [0.12 - 0.01j, 0.13, 0.13 + 0.01j])
    assert abs(draft.now.points[3] - (0.13 + 0.01j)) < 1e-3
    click(sheet, sheet.place_of(0.04 + 0.03j))
    assert draft.chosen == 1
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    assert len(draft.now.table) == 3
    QTest.keyClick(sheet, Qt.Key.Key_Z, CTRL)
    assert len(draft.now.table) == 4
    # a click on the last point, then on the first, closes the path
    click(sheet, sheet.place_of(0.13 + 0.01j))
    click(sheet, sheet.place_of(0))
    assert draft.now.closed
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not page.is_on and not hand.mechanism.bodies


def test_cancel_stops_within_a_second_and_keeps_what_was_found(hand):
    window, qtbot = hand.window, hand.qtbot
    page = open_empty(window, qtbot)
    drag(page.sheet, bean())
    click(page.seek)
    qtbot.waitUntil(lambda: len(page.search.answers) > 0, timeout=120_000)
    clock = QtCore.QElapsedTimer()
    clock.start()
    click(page.cancel)
    assert clock.elapsed() < 1000 and page.search.channel.process is None
    assert page.search.state == "stopped" and page.search.answers
    assert page.take.isEnabled()


@pytest.mark.slow
def test_poses_and_pairs_are_typed_and_answered(hand):
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    page = open_empty(window, qtbot)
    click(page.setup.purposes.button("motion"))
    qtbot.wait(10)
    poses = [(0, 0, 0), (50, 30, 11), (110, 40, 29), (180, 20, 52)]
    for row, pose in enumerate(poses):
        for column, value in enumerate(pose):
            type_cell(page.setup.table, row, column, str(value))
    answers = found(page, qtbot)
    assert answers and answers[0].candidate.error < 1e-9
    click(page.setup.purposes.button("function"))
    qtbot.wait(10)
    assert page.sheet.shown is None
    click(page.setup.fill_button)
    assert len(page.draft.now.table) == 9
    answers = found(page, qtbot)
    assert math.degrees(answers[0].candidate.worst) < 1.0
    click(page.take)
    assert len(hand.mechanism.bodies) == 3
    steps = len(studio.document.history[0])
    page = open_synthesis(window, qtbot)
    click(page.take)
    # beside what is there, in one step
    assert len(hand.mechanism.bodies) == 6 and len(studio.document.history[0]) == steps + 1


@pytest.mark.slow
def test_seven_poses_are_followed_by_a_six_bar_that_runs(hand):
    """Seven poses on a curve; a four-bar follows three to five."""
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    page = open_empty(window, qtbot)
    click(page.setup.purposes.button("motion"))
    qtbot.wait(10)
    angles = np.linspace(0.0, 1.5, 7)
    places = 100 * np.exp(1j * angles) + 30 * angles
    for row, (place, angle) in enumerate(zip(places, angles, strict=True)):
        reported = (place.real, place.imag, 20 * angle**2)
        for column, value in enumerate(reported):
            type_cell(page.setup.table, row, column, f"{value:.6f}")
    pick(qtbot, page.setup.kind, "Stephenson")
    answers = found(page, qtbot)
    best = answers[0].candidate
    assert best.linkage.type == "stephenson" and best.error < 1e-4
    assert len(best.linkage.angles) == 7
    click(page.take)
    assert len(hand.mechanism.bodies) == 5
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=120_000,
    )
