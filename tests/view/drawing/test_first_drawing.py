"""The first drawing: from an empty window by real mouse and keys to a four-bar that turns and whose
energy is read.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.lessons.first_drawing import current
from mechstudio.model.edits.elements import set_attribute
from mechstudio.model.quantity import Quantity
from mechstudio.view.actions.file import start_page
from mechstudio.view.actions.help import first_drawing as guide
from mechstudio.view.scene.overlays.preview import choices_room
from mechstudio.view.tool_view import LINGER_MS
from tests.view.hands import press
from tests.view.study_hand import open_study

Qt = QtCore.Qt
PAUSE = 3.0  # [s] that a person takes for one gesture: to read, to point, to press
LIMIT = 90.0


class Learner:
    """Somebody who does what the hand shows; gestures: how many."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot, self.gestures = window, qtbot, 0

    @property
    def words(self):
        return self.window.first.hand.gesture.words

    @property
    def task(self):
        return current(self.window.first.now)

    def settle(self):
        first = self.window.first
        self.qtbot.wait(30)
        self.qtbot.waitUntil(lambda: not first._late.isActive())

    def key(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        press(self.window, key, modifiers)
        self.gestures += 1
        self.settle()

    def click(self, words):
        """Click where the hand points, which says so many words."""
        hand = self.window.first.hand
        self.qtbot.waitUntil(lambda: self.words == words and hand.gesture.end is not None)
        place = self.window.mapToGlobal(hand.gesture.end.toPoint())
        target = QtWidgets.QApplication.widgetAt(place)
        at = target.mapFromGlobal(place)
        QTest.mouseMove(target, at)
        self.qtbot.wait(20)
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=at)
        self.gestures += 1
        self.settle()

    def until(self, words):
        self.qtbot.waitUntil(lambda: self.words == words)

    def draw(self):
        """Draw the four-bar without its motor."""
        self.key(Qt.Key.Key_L)
        self.click("Click the origin")
        self.click("Click the other end")
        assert self.task == 1
        self.click("Click the end of the coupler")
        self.click("Click the end of the rocker")
        assert self.task == 2 and self.words == "Press Enter"
        self.key(Qt.Key.Key_Return)


@pytest.fixture
def learner(solved, qtbot):
    guide(solved)
    learner = Learner(solved, qtbot)
    learner.settle()
    yield learner
    solved.first.leave()


def test_five_tasks_lead_to_a_four_bar_that_turns_in_less_than_90_seconds(
    learner, qtbot, monkeypatch
):
    window, studio = learner.window, learner.window.studio
    clock = QtCore.QElapsedTimer()
    clock.start()
    assert window.first.is_on and learner.words == "Press L, or click here"
    assert window.viewport.look.invitation == "Draw a crank"
    learner.draw()
    assert learner.task == 3 and studio.questions.session is not None
    learner.key(Qt.Key.Key_M)
    learner.click("Click the pin A")
    learner.until("Type a speed, or leave it")
    # the whole field is framed, and the words leave its label and the label beside it free
    typed, panel = window.focusWidget(), window.docks.inspector
    place = lambda w: QtCore.QRectF(QtCore.QRect(w.mapTo(window, QtCore.QPoint()), w.size()))
    assert window.first.hand.gesture.target.contains(place(typed.parentWidget()))
    assert not window.first.hand.words.intersects(place(panel))
    learner.key(Qt.Key.Key_Return)
    learner.until("Press Space, or click here")
    learner.key(Qt.Key.Key_Space)
    learner.click("Click the energy")
    qtbot.waitUntil(lambda: not window.first.hand.isVisible())
    assert learner.gestures == 11
    assert 1e-3 * clock.elapsed() + PAUSE * learner.gestures < LIMIT
    # its final numbers are those of the run
    card, recording = window.docks.first, studio.runs.recording
    assert card.words.text().startswith("Your four-bar turns.") and card.skip.text() == "Close"
    assert all(line.numeral.state == "done" for line in card.tasks)
    qtbot.waitUntil(lambda: recording.complete, timeout=60_000)
    turned = recording.rows[:, recording.layout.coordinates][:, 0]
    assert turned.max() - turned.min() > 2 * math.pi, "the crank goes round"
    with monkeypatch.context() as patch:
        patch.setattr(recording, "complete", False)
        said = window.first._energy_sentence()
        assert said.startswith("Your four-bar turns as far as its links let it. At ")
    # arranged to the pixel in a large window, and all in sight in a small one
    window.resize(1920, 1080)
    window.docks.show_first(True)
    qtbot.wait(50)
    window.resize(1280, 800)
    qtbot.wait(50)
    for widget in (card.skip, card.words):
        assert widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()
    QTest.mouseClick(card.skip, Qt.MouseButton.LeftButton)
    assert not window.first.is_on and not window.docks.shows_first
    assert window.docks.by_key["doctor"].isVisible()


@pytest.mark.slow
def test_undo_goes_back_a_task_and_other_ways_count_too(learner, qtbot):
    window, studio = learner.window, learner.window.studio
    control = Qt.KeyboardModifier.ControlModifier
    learner.draw()
    assert learner.task == 3
    learner.key(Qt.Key.Key_Z, control)
    assert learner.task == 2 and not window.first.now.bar.closed
    # the chain is not in hand any more: the end is pinned by the joint tool, from the menu
    studio.tools.take("select")
    learner.until("Press J, or click here")
    window.actions_.by_id["place_joint"].trigger()
    while learner.task == 2:
        learner.click("Click the loose end")
    learner.key(Qt.Key.Key_Escape)
    # a start velocity is as good as a motor
    project, pin = studio.document.project, window.first.now.bar.pin
    studio.document.commit("Throw", set_attribute(project, pin, rates=(Quantity(3.0),)))
    learner.settle()
    assert learner.task == 4
    # something else than what is shown never blocks
    window.actions_.by_id["undo"].trigger()
    learner.settle()
    assert learner.task == 3


def test_esc_ends_the_guide_for_good_unless_it_is_requested(empty, qtbot):
    window, studio = empty, empty.studio
    stored = studio.preferences.stored
    stored.first_drawing = True
    start_page(window)
    QTest.mouseClick(window.start.begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.first.is_on)
    assert not stored.first_drawing and window.docks.first.isVisible()
    learner = Learner(window, qtbot)
    learner.settle()
    # the tool's Esc is the tool's
    learner.key(Qt.Key.Key_L)
    learner.key(Qt.Key.Key_Escape)
    assert window.first.is_on and studio.tools.tool.name == "select"
    learner.key(Qt.Key.Key_Escape)
    assert not window.first.is_on and not window.first.hand.isVisible()
    assert "Help" in window.reminder.text() and window.reminder.isVisible()
    assert window.viewport.look.invitation == ""
    # neither another empty drawing nor another start page brings it back
    studio.files.new()
    start_page(window)
    QTest.mouseClick(window.start.begin, Qt.MouseButton.LeftButton)
    qtbot.wait(50)
    assert not window.first.is_on
    QTest.keyClick(window.viewport, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.finder.edit, "first drawing")
    QTest.keyClick(window.finder.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.first.is_on)
    QTest.mouseClick(window.docks.first.skip, Qt.MouseButton.LeftButton)
    assert not window.first.is_on
    window.reminder.hide()


def test_another_document_a_class_and_a_study_are_left_alone(empty, four_bar, qtbot):
    window, studio = empty, empty.studio
    guide(window)
    learner = Learner(window, qtbot)
    learner.settle()
    window.actions_.by_id["present"].trigger()
    learner.settle()
    assert not window.first.hand.isVisible()
    window.actions_.by_id["present"].trigger()
    learner.settle()
    assert window.first.hand.isVisible()
    learner.key(Qt.Key.Key_L)
    learner.click("Click the origin")
    learner.click("Click the other end")
    learner.key(Qt.Key.Key_Escape)
    open_study(window, qtbot)
    learner.settle()
    assert window.first.is_on and not window.first.hand.isVisible()
    window.room.restore()
    learner.settle()
    assert window.first.hand.isVisible()
    assert studio.files.open(four_bar) and not window.first.is_on


@pytest.mark.parametrize("reduced", [False, True])
def test_the_hand_moves_and_stands_still_with_reduced_motion(empty, qtbot, reduced):
    window = empty
    window.studio.preferences.set(reduced_motion=reduced)
    guide(window)
    hand = window.first.hand
    Learner(window, qtbot).settle()
    places = set()
    for _ in range(12):
        qtbot.wait(60)
        places.add((hand.at.x(), hand.at.y()))
    assert hand.isVisible() and hand.moves is not reduced
    assert len(places) == 1 if reduced else len(places) > 3


def card_of(view):
    """Room of the card of choices beside the pointer in the viewport; None for none."""
    flat = lambda p: QtCore.QPointF(*view.framing.world_to_pixel(np.array([p]))[0])
    tool, size = view.navigator.tool, view.framing.size
    return choices_room(tool.preview, flat, view.navigator.cursor, size, view.look.text_scale)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (1024, 768)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.thinned(2)
def test_words_stand_clear_of_everything(empty, qtbot, unstyled, scale, size):
    window = empty
    window.resize(*size)
    window.studio.preferences.set(text_size=round(100 * scale))
    guide(window)
    learner = Learner(window, qtbot)
    hand, view = window.first.hand, window.viewport

    def look():
        learner.settle()
        corner = view.mapTo(window, QtCore.QPoint(0, 0))
        floats = [room.translated(corner) for room in view.look.covered]
        if (card := card_of(view)) is not None:
            floats.append(card.translated(corner))
        assert not any(room.intersects(hand.words) for room in floats), learner.words
        if hand.words.isNull():
            # in less than this the list of tasks says it alone
            assert view.width() * view.height() < 300 * 500 * scale**2 and learner.words
        else:
            assert QtCore.QRectF(window.rect()).contains(hand.words)
        place = hand.gesture.end
        assert place is not None and QtCore.QRectF(window.rect()).contains(place)
        assert not hand.words.contains(place)
        # the task of now is in sight
        line = window.docks.first.tasks[learner.task]
        assert line.isVisible() and line.visibleRegion().boundingRect() == line.rect()

    look()
    learner.key(Qt.Key.Key_L)
    for words in ("Click the origin", "Click the other end", "Click the end of the coupler"):
        look()
        learner.click(words)
    look()
    if scale > 1.0:
        return  # the view is too small for the place of the rocker's end
    # a pointer that rests at the end of the rocker lists the places to choose from there
    end = view.mapFrom(window, hand.gesture.end.toPoint())
    for turn in range(10):
        QTest.mouseMove(view, end + QtCore.QPoint(turn % 2, 0))
        qtbot.wait(LINGER_MS + 100)
        if card_of(view) is not None:
            break
    else:
        pytest.fail("nothing is listed")
    look()
    QTest.mouseMove(view, end + QtCore.QPoint(3, 0))  # it moves to the click
    learner.click("Click the end of the rocker")
    qtbot.wait(LINGER_MS + 100)
    assert card_of(view) is None, "what was chosen already is listed"
    look()
