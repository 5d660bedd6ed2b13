"""A student's way through lessons of samples by real clicks, keys and strokes, with the real solver
and the real derivation.
"""

import shutil

import msgspec
import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.lessons.checking import NEAR, RIGHT, UNREAD, WRONG, course_now
from mechstudio.application.resources import sample_folder
from mechstudio.model.project import Question
from tests.view.conftest import settle
from tests.view.hands import click, press

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(solved, tmp_path, qtbot):
    """opened(name): the window with a copy of a sample, and the panel of its lesson."""

    def made(name):
        studio = solved.studio
        assert studio.files.open(shutil.copy(sample_folder() / f"{name}.mech", tmp_path))
        qtbot.waitUntil(
            lambda: (
                studio.questions.analysis is not None
                and studio.questions.session.status.phase == "ready"
            )
        )
        solved.resize(1600, 1000)
        settle(QtWidgets.QApplication.instance())
        return solved

    yield made
    if solved.presents:
        solved.present.leave()
    solved.studio.lecture.close()
    solved.docks.show_lesson(False)
    solved.docks.lesson.write(False)


def recorded(window, qtbot):
    qtbot.waitUntil(
        lambda: window.studio.runs.recording is not None and window.studio.runs.playback.complete
    )
    QTest.qWait(250)
    settle(QtWidgets.QApplication.instance())


def cards(window):
    if window.presents:
        return window.present.column.questions.cards
    return window.docks.lesson.questions.cards


def verdict(window, k=0):
    given = window.studio.lecture.answered(k)
    return None if given is None else given.reply.verdict


def said(window):
    given = window.studio.lecture.answered(0)
    return None if given is None else given.said


def type_answer(card, text):
    click(card.field)
    card.field.selectAll()
    QTest.keyClicks(card.field, text)
    QTest.keyClick(card.field, Qt.Key.Key_Return)


def choose(card, k):
    button = card.choices[k]
    click(button, QtCore.QPoint(12, button.height() // 2))


def stroke(area, points):
    """Draw with the mouse along points of the scene of a plot [px]."""
    view = area.viewport()
    QTest.mousePress(view, LEFT, pos=points[0])
    for point in points[1:]:
        move = QtCore.QPointF(point)
        QtWidgets.QApplication.sendEvent(
            view,
            QtGui.QMouseEvent(
                QtCore.QEvent.Type.MouseMove,
                move,
                QtCore.QPointF(view.mapToGlobal(point)),
                Qt.MouseButton.NoButton,
                LEFT,
                Qt.KeyboardModifier.NoModifier,
            ),
        )
    QTest.mouseRelease(view, LEFT, pos=points[-1])


def sketched(area, course, begin, end, off=0.0):
    """Points of a stroke along a course [SI], moved up by `off` of its height."""
    times = np.linspace(begin, end, 120)
    values = np.interp(times, course.times, course.values) + off * np.ptp(course.values)
    zero, one = area._axis_of("joint/D/0")
    spots = (area.place(float(t), zero + one * float(v)) for t, v in zip(times, values))
    return [spot.toPoint() for spot in spots]


def test_a_student_goes_through_the_four_bar(opened, qtbot):
    window = opened("four_bar")
    studio, lecture = window.studio, window.studio.lecture
    project = studio.document.project
    press(window, Qt.Key.Key_PageDown)
    panel = window.docks.lesson
    assert panel.isVisible() and lecture.index == 0 and panel.title.text() == lecture.step.title
    recorded(window, qtbot)
    studio.runs.playback.pause()
    studio.runs.playback.seek(1.0)
    panel._say()
    value = np.degrees(np.interp(1.0, *course_now(studio, "joint/A/0")[:2]))
    assert f"{value:.4g} deg" in panel.text.text()
    # a wrong choice brings a hint, the right one a reason
    choose(cards(window)[0], 2)
    assert verdict(window) == WRONG and "Hint" in cards(window)[0].hint.text()
    choose(cards(window)[0], 0)
    assert verdict(window) == RIGHT and "Grashof" in cards(window)[0].reply.text()
    click(panel.forth)
    recorded(window, qtbot)
    assert lecture.index == 1 and window.viewport.framing.camera.azimuth == pytest.approx(-90.0)
    card = cards(window)[1]
    for text, expected in (
        ("a lot", UNREAD),
        ("200", WRONG),
        ("-63.33", NEAR),
        ("64.5", NEAR),
        ("63.3 deg", RIGHT),
        ("1.1053 rad", RIGHT),
    ):
        type_answer(card, text)
        assert verdict(window, 1) == expected, text
    assert "63.33 deg" in card.reply.text()
    # the curve is drawn on the covered pane with the mouse
    click(panel.forth)
    recorded(window, qtbot)
    assert lecture.predictions.covered and studio.plots.shown == pytest.approx((0.0, 2.0))
    area = window.docks.plots_panel.panes["joint/D/0"].area
    assert area.isVisible() and area.width() > 400
    card = cards(window)[0]
    click(card.check)
    assert verdict(window) == UNREAD and lecture.predictions.covered
    course = course_now(studio, "joint/D/0")
    stroke(area, sketched(area, course, 0.62, 1.98, 0.5))
    click(card.check)
    assert verdict(window) == WRONG and not lecture.predictions.covered
    assert "Farthest from the run by" in card.reply.text()
    studio.runs.playback.pause()
    click(card.wipe)
    assert lecture.predictions.covered and not lecture.predictions.sketches
    studio.runs.playback.seek(0.6)
    settle(QtWidgets.QApplication.instance())
    stroke(area, sketched(area, course, 0.62, 1.98))
    click(card.check)
    assert verdict(window) == RIGHT and studio.runs.playback.playing
    studio.runs.playback.pause()
    click(panel.forth)
    recorded(window, qtbot)
    type_answer(cards(window)[0], "0.25 m")
    assert verdict(window) == RIGHT and not panel.forth.isEnabled()
    # the drawing is that of the file, and one undo takes away what a step has set
    assert studio.document.project.mechanism == project.mechanism
    while studio.document.undo_label:
        studio.document.undo()
    assert studio.document.project == project


def test_an_equation_is_checked_to_the_term(opened, qtbot):
    window = opened("slider_crank")
    for _ in range(4):
        press(window, Qt.Key.Key_PageDown)
    recorded(window, qtbot)
    assert window.workspace == "explain" and window.viewport.hasFocus()
    equations = window.docks.equations
    qtbot.waitUntil(lambda: equations.cover.isVisible(), timeout=30_000)
    assert not equations.area.isVisible() and not equations.copy_button.isEnabled()
    window.set_workspace("build")  # what somebody chooses stays with the next steps
    press(window, Qt.Key.Key_PageUp)
    press(window, Qt.Key.Key_PageDown)
    recorded(window, qtbot)
    assert window.workspace == "build" and window.docks.shows_lesson
    derivations = window.docks.equations.derivations
    qtbot.waitUntil(lambda: derivations.is_current and bool(derivations.proofs))
    card = cards(window)[0]
    for text, expected in (
        ("m_slider x'' = 2 lambda_1", WRONG),
        ("m_slider x''", WRONG),
        ("foo = 1", UNREAD),
        ("m_slider * x'' - lambda_1 = 0", RIGHT),
    ):
        type_answer(card, text)
        qtbot.waitUntil(lambda text=text: said(window) == text)
        assert verdict(window) == expected, text
        assert equations.cover.isHidden() is (expected == RIGHT)
    assert not equations.area.isHidden()
    window.studio.lecture.forget_answer(0)
    assert not equations.cover.isHidden()
    equations.cover.linkActivated.emit("show")
    assert equations.cover.isHidden() and not equations.area.isHidden()
    # the lesson's own equations are as before
    assert window.studio.document.project.lesson.claims == ()
    assert not any(p.claim == text for p in derivations.proofs)


def test_a_class_goes_through_the_double_pendulum(opened, qtbot):
    """A lecture in Present: steps, play, a covered curve, an equation, and the way back."""
    window = opened("double_pendulum")
    studio = window.studio
    before = studio.document.project, window.viewport.framing.kept
    window.resize(1024, 768)
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    recorded(window, qtbot)
    column = window.present.column
    assert window.present.header.count.text() == "1 of 3" and len(cards(window)) == 2
    type_answer(cards(window)[0], "2")
    assert verdict(window) == RIGHT
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.playback.time > 0.2)
    press(window, Qt.Key.Key_Space)
    press(window, Qt.Key.Key_PageDown)
    recorded(window, qtbot)
    assert column.shown == ["energy/kinetic"] and window.present.is_covered
    assert "Kinetic energy now: " in column.text.text() and " J." in column.text.text()
    press(window, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: column.equation.formula.picture is not None)
    assert column.equation.part == "rows" and column.equation.formula._chosen == ("lower",)
    assert not window.present.is_covered
    answer = studio.lecture.step.questions[0].answer
    type_answer(cards(window)[0], answer)
    qtbot.waitUntil(lambda: verdict(window) is not None)
    assert verdict(window) == RIGHT
    for card in cards(window):
        assert column.rect().contains(card.geometry().translated(column.questions.pos()))
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not window.presents
    assert (studio.document.project, window.viewport.framing.kept) == before
    # what was answered stays for the sheet
    assert studio.lecture.answers["step3", 0].reply.verdict == RIGHT


def predicted(window, qtbot):
    """The third step of the four-bar: its covered pane, the curve to draw and the question."""
    studio = window.studio
    for _ in range(3):
        press(window, Qt.Key.Key_PageDown)
        recorded(window, qtbot)
    area = window.docks.plots_panel.panes["joint/D/0"].area
    return area, course_now(studio, "joint/D/0"), cards(window)[0]


@pytest.mark.slow
def test_a_zoomed_pane_keeps_what_is_drawn_on_it(opened, qtbot):
    window = opened("four_bar")
    studio, predictions = window.studio, window.studio.lecture.predictions
    area, course, _ = predicted(window, qtbot)
    stroke(area, sketched(area, course, 0.62, 1.2))
    before = predictions.sketches["joint/D/0"].drawn
    assert 0.05 < before < 1.0
    studio.plots.show(1.15, 1.6)
    settle(QtWidgets.QApplication.instance())
    stroke(area, sketched(area, course, 1.2, 1.59))
    sketch = predictions.sketches["joint/D/0"]
    known = np.isfinite(sketch.values)
    for time in (0.8, 1.0, 1.3, 1.5):
        k = np.abs(sketch.times - time).argmin()
        assert known[k], "what was drawn before is still there"
        assert sketch.values[k] == pytest.approx(
            np.interp(time, course.times, course.values), abs=0.05 * np.ptp(course.values)
        )
    assert sketch.drawn > before and sketch.times[-1] == 2.0, "as far as the step shows"


@pytest.mark.slow
def test_a_short_stroke_over_a_zoomed_pane_is_no_prediction(opened, qtbot):
    window = opened("four_bar")
    studio = window.studio
    area, course, card = predicted(window, qtbot)
    studio.plots.show(0.7, 0.8)
    settle(QtWidgets.QApplication.instance())
    stroke(area, sketched(area, course, 0.701, 0.799))
    assert studio.lecture.predictions.sketches["joint/D/0"].drawn < 0.1
    click(card.check)
    assert verdict(window) != RIGHT


@pytest.mark.slow
def test_choices_with_the_same_words_are_distinguished(opened, qtbot):
    window = opened("four_bar")
    studio = window.studio
    requested = Question("choose", "Which one?", ("this", "this", "that"), "1")
    steps = studio.document.project.steps
    steps = (msgspec.structs.replace(steps[0], questions=(requested,)), *steps[1:])
    studio.document.load(msgspec.structs.replace(studio.document.project, steps=steps), None)
    press(window, Qt.Key.Key_PageDown)
    recorded(window, qtbot)
    choose(cards(window)[0], 1)
    assert verdict(window) == WRONG
    for _ in range(2):  # still so when the step is taken again
        assert [b.isChecked() for b in cards(window)[0].choices] == [False, True, False]
        studio.lecture.go(1)
        studio.lecture.go(0)
    choose(cards(window)[0], 0)
    assert verdict(window) == RIGHT and cards(window)[0].choices[0].isChecked()


@pytest.mark.slow
def test_a_step_at_150_percent_leaves_the_window_its_size(opened, qtbot):
    """In 1280 x 800, with the panels of analyses beside the lesson."""
    window = opened("four_bar")
    window.studio.preferences.set(text_size=150)
    window.set_workspace("analyse")
    window.resize(1280, 800)
    window.studio.lecture.go(0)
    recorded(window, qtbot)
    QtWidgets.QApplication.processEvents()
    assert window.docks.lesson.isVisible()
    assert window.minimumSizeHint().height() <= 800 and window.height() == 800
