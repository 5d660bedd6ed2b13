"""The window in front of a class by real keys and clicks: large, and afterwards as it was."""

import random
import time
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest
from shiboken6 import delete

from mechstudio.application.tools.select import SelectTool
from mechstudio.model.project import QUESTIONS, Camera, Diagram, Plot, Question, Step
from mechstudio.view.actions.present import LETTERS, class_keys
from mechstudio.view.present import notes as notes_module
from mechstudio.view.present.present import scale_of
from tests.view.conftest import settle
from tests.view.docks.test_hiding import places
from tests.view.hands import click, press

Qt = QtCore.Qt
replace = msgspec.structs.replace


@pytest.fixture
def presented(window, qtbot):
    """The window with a run, and a project with three steps."""
    studio = window.studio
    project = studio.document.project
    plot = project.plots[0].id
    steps = (
        Step("one", "First", "The crank stands at {joint/A/0}.", "Say hello.", plots=(plot,)),
        Step(
            "two",
            "Second",
            "L1 is {L1}.",
            camera=Camera(azimuth=10.0, elevation=70.0, distance=2.0),
            parameters={"L1": "100 mm"},
            sliders=("L1",),
            at=1.5,
            equation="structure",
            hidden=("rocker",),
        ),
        Step("three", "Third", covered=True, plots=(plot,), at=1.0),
    )
    studio.document.load(replace(project, steps=steps), studio.document.path)
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.playback.complete, timeout=20_000)
    studio.runs.playback.pause()
    studio.runs.playback.seek(2.0)
    yield window
    if window.presents:
        window.present.leave()
    studio.lecture.leave()


def state_of(window):
    """Everything that leaving gives back."""
    studio, playback = window.studio, window.studio.runs.playback
    settle(QtWidgets.QApplication.instance())
    return {
        "places": places(window),
        "scale": (window.theme.scale, window.viewport.look.text_scale),
        "camera": window.viewport.framing.kept,
        "project": studio.document.project,
        "modified": studio.document.is_modified,
        "time": (playback.time, playback.speed, playback.repeat, playback.section),
        "run": studio.runs.recording,
        "selected": studio.selection.selected,
        "keys": {a.objectName(): a.shortcuts() for a in window.actions_.by_id.values()},
        "floats": [(w.isHidden(), w.geometry().getRect()) for w in window.floats.widgets],
        "bars": (window.top.isVisible(), window.foot.isVisible()),
        "plots": {id: p.geometry().getRect() for id, p in window.docks.plots_panel.panes.items()},
        "window": (window.geometry().getRect(), window.windowState()),
    }


@pytest.mark.thinned(2)
@pytest.mark.parametrize("workspace", ["build", "analyse", "explain"])
def test_leaving_gives_the_window_back_exactly(presented, workspace):
    window = presented
    window.set_workspace(workspace)
    window.resizeDocks([window.docks.by_key["controls"]], [320], Qt.Orientation.Horizontal)
    window.studio.selection.select("crank")
    window.viewport.framing.kept = Camera(azimuth=-41.0, elevation=33.0, distance=1.1)
    before = state_of(window)
    press(window, Qt.Key.Key_F5)
    assert window.presents and not window.top.isVisible() and set(places(window)) == {"view"}
    press(window, Qt.Key.Key_PageDown)
    press(window, Qt.Key.Key_PageDown)
    assert window.studio.document.project.parameters["L1"].value.text == "100 mm"
    assert not window.studio.document.project.mechanism.bodies["rocker"].visible
    QTest.mouseMove(window.viewport, window.viewport.rect().center())
    window.viewport.framing.orbit(40, 10)
    press(window, Qt.Key.Key_F5)
    assert state_of(window) == before
    # nothing that was done there is lost
    window.studio.document.redo()
    window.studio.document.redo()
    assert window.studio.document.project.parameters["L1"].value.text == "100 mm"


def test_a_class_is_left_where_the_field_that_had_the_keys_is_gone(presented):
    window = presented
    # as a card or a field of the inspector goes with its element
    field = QtWidgets.QLineEdit(window)
    field.show()
    field.setFocus()
    assert window.focusWidget() is field
    press(window, Qt.Key.Key_F5)
    delete(field)
    press(window, Qt.Key.Key_F5)
    assert not window.presents and window.focusWidget() is window.viewport


def test_escape_leaves_by_steps_and_panels_that_were_hidden_stay_so(presented):
    window = presented
    press(window, Qt.Key.Key_F11)
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_B)
    assert window.present.is_blank
    press(window, Qt.Key.Key_Escape)
    assert window.presents and not window.present.is_blank
    press(window, Qt.Key.Key_Escape)
    assert not window.presents and window.docks.cleared
    press(window, Qt.Key.Key_F11)


@pytest.mark.slow
def test_letters_are_large_and_everything_fits(presented):
    window = presented
    for (wide, high), scale in (((1920, 1040), 1.6), ((1024, 768), 1.28)):
        assert scale_of(1.0, wide, high) == pytest.approx(scale)
        window.resize(wide, high)
        settle(QtWidgets.QApplication.instance())
        press(window, Qt.Key.Key_F5)
        press(window, Qt.Key.Key_PageDown)
        settle(QtWidgets.QApplication.instance())
        QTest.qWait(150)
        present = window.present
        assert present.scale == pytest.approx(scale_of(1.0, window.width(), window.height()))
        assert window.viewport.look.text_scale == present.scale > window.theme.scale
        parts = (present.header, present.foot, present.column, window.viewport)
        rooms = [p.geometry() for p in parts]
        for k, room in enumerate(rooms):
            assert window.host.rect().contains(room)
            assert not any(room.intersects(other) for other in rooms[:k])
        assert present.foot.play.width() == present.theme.dp(52)
        # nothing is cut
        for widget in present.header.findChildren(QtWidgets.QLabel):
            assert not widget.isVisible() or widget.width() >= widget.sizeHint().width() - 1
        for button in present.foot.findChildren(QtWidgets.QPushButton):
            if button.isVisible():
                assert button.width() >= button.sizeHint().width() - 1, button.accessibleName()
                at = button.mapTo(present.foot, QtCore.QPoint(0, 0))
                assert present.foot.rect().contains(QtCore.QRect(at, button.size()))
        plot = present.column.plots[present.column.shown[0]]
        assert plot.isVisible() and plot.height() > 0.3 * present.column.height()
        press(window, Qt.Key.Key_F5)
    assert scale_of(1.0, 3840, 2160) == pytest.approx(3.2)
    assert scale_of(1.25, 1920, 1080) == pytest.approx(1.8), "as far as the lines fit"


def test_a_step_is_shown_with_the_numbers_of_now(presented, qtbot):
    window, playback = presented, presented.studio.runs.playback
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    column = window.present.column
    playback.seek(0.75)
    column.follow()
    assert column.text.text() == f"The crank stands at {np.degrees(np.sin(1.5)):.2f} deg."
    assert window.present.header.title.text() == "First"
    assert window.present.header.count.text() == "1 of 3"
    press(window, Qt.Key.Key_PageDown)
    column.follow()
    assert column.text.text() == "L1 is 100 mm."
    qtbot.waitUntil(lambda: playback.time == pytest.approx(1.5))
    assert list(window.present.foot.controls.sliders) == ["L1"]
    assert column.equation.part == "structure" and not column.shown
    press(window, Qt.Key.Key_PageUp)
    assert window.studio.lecture.index == 0
    assert window.studio.document.project.mechanism.bodies["rocker"].visible


def test_curves_are_covered_until_they_are_shown(presented):
    window = presented
    press(window, Qt.Key.Key_F5)
    for _ in range(3):
        press(window, Qt.Key.Key_PageDown)
    column = window.present.column
    plot = column.plots[column.shown[0]]
    assert window.present.is_covered and plot.button.text() == "Reveal"
    area = plot.pane.area
    QTest.qWait(100)
    ground, cover = window.present.theme.color("raised"), window.present.theme.color("hover")

    def inks():
        """Colours of the plot right of the time cursor, and left of it."""
        area.viewport().repaint()
        image, now = area.grab().toImage(), round(area.x_of(1.0))
        ratio = image.devicePixelRatio()
        band = range(round(area.height() * 0.3), round(area.height() * 0.8))
        at = lambda xs: {
            image.pixelColor(round(x * ratio), round(y * ratio)).name() for x in xs for y in band
        }
        return at(range(now + 6, now + 60, 3)), at(range(now - 60, now - 6, 3))

    right, left = inks()
    assert right == {cover.name()} and ground.name() in left and len(left) > 3
    click(plot.button)
    assert not window.present.is_covered and plot.pane.area is area
    QTest.qWait(100)
    right, _ = inks()
    assert cover.name() not in right and len(right) > 3
    press(window, Qt.Key.Key_H)
    assert window.present.is_covered


def test_the_pointer_the_frozen_picture_and_the_notes(presented):
    window = presented
    press(window, Qt.Key.Key_F5)
    present = window.present
    press(window, Qt.Key.Key_P)
    QTest.mouseMove(window.viewport, QtCore.QPoint(120, 140))
    QtGui.QCursor.setPos(window.viewport.mapToGlobal(QtCore.QPoint(120, 140)))
    present.pointer.follow()
    at = present.pointer.geometry().center() - window.viewport.mapTo(
        window, QtCore.QPoint(120, 140)
    )
    assert present.is_pointing and abs(at.x()) <= 2 and abs(at.y()) <= 2
    assert QtWidgets.QApplication.overrideCursor() is not None
    click(present.foot.hint(LETTER_OF["P"]))
    assert not present.is_pointing and QtWidgets.QApplication.overrideCursor() is None
    press(window, Qt.Key.Key_F)
    held = present.frozen[0].grab().toImage()
    assert present.is_frozen
    window.studio.runs.playback.seek(3.0)
    assert present.frozen[0].grab().toImage() == held
    press(window, Qt.Key.Key_F)
    assert not present.is_frozen
    press(window, Qt.Key.Key_PageDown)
    press(window, Qt.Key.Key_N)
    assert present.notes.isVisible() and present.notes.words.text() == "Say hello."
    assert present.notes.next.text() == "Next: Second"
    QTest.keyClick(present.notes, Qt.Key.Key_PageDown)
    assert window.studio.lecture.index == 1
    window.activateWindow()
    press(window, Qt.Key.Key_Escape)
    assert not window.presents and not present.notes.isVisible()


LETTER_OF = {letter: action for action, letter in LETTERS.items()}


def test_shown_sliders_plots_and_equation_can_be_chosen(presented):
    window = presented
    press(window, Qt.Key.Key_F5)
    present = window.present
    assert present.shown.sliders == ("L1", "L2") and len(present.shown.plots) == 1
    click(present.header.choose)
    boxes = present.choice.boxes
    assert present.choice.isVisible()
    click(boxes["sliders", "omega"], QtCore.QPoint(8, boxes["sliders", "omega"].height() // 2))
    assert present.shown.sliders == ("L2", "omega")
    assert list(present.foot.controls.sliders) == ["L2", "omega"]
    click(boxes["equation", ""], QtCore.QPoint(8, boxes["equation", ""].height() // 2))
    assert present.shown.equation == "" and not present.column.equation.isVisible()
    plot = present.shown.plots[0]
    click(boxes["plots", plot], QtCore.QPoint(8, boxes["plots", plot].height() // 2))
    assert not present.column.isVisible()
    assert window.viewport.width() == window.width()
    press(window, Qt.Key.Key_Escape)
    press(window, Qt.Key.Key_Escape)
    assert not window.presents


def test_letters_that_draw_are_quiet_there(presented):
    window = presented
    press(window, Qt.Key.Key_F5)
    for key in (Qt.Key.Key_L, Qt.Key.Key_J, Qt.Key.Key_Delete, Qt.Key.Key_M):
        press(window, key)
    assert isinstance(window.studio.tools.tool, SelectTool)
    assert not window.studio.document.is_modified
    keys = [key for each in class_keys().values() for key in each]
    assert len(keys) == len(set(keys))
    press(window, Qt.Key.Key_Space)
    assert window.studio.runs.playback.playing
    press(window, Qt.Key.Key_Space)
    press(window, Qt.Key.Key_F5)


def test_another_document_that_is_opened_there_stays(presented, four_bar):
    window = presented
    press(window, Qt.Key.Key_F5)
    assert window.studio.files.open(four_bar)
    settle(QtWidgets.QApplication.instance())
    there = window.studio.document.project
    press(window, Qt.Key.Key_F5)
    assert window.studio.document.project is there and not window.presents


def test_entering_and_leaving_hold_the_window_up_for_a_moment_only(presented):
    window = presented
    press(window, Qt.Key.Key_F5)  # made once
    press(window, Qt.Key.Key_F5)
    spent = []
    for _ in range(3):
        begun = time.process_time()
        window.actions_.trigger("present")
        spent.append(time.process_time() - begun)
        window.actions_.trigger("present")
    assert min(spent) < 0.4


def test_long_words_scroll_and_leave_the_plot_its_room(presented):
    window = presented
    window.resize(1024, 768)
    steps = window.studio.lecture.steps
    long = replace(steps[0], text="A long sentence that goes on and on. " * 60)
    document = window.studio.document
    document.commit("long", replace(document.project, steps=(long, *steps[1:])))
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    settle(QtWidgets.QApplication.instance())
    QTest.qWait(100)
    column = window.present.column
    plot = column.plots[column.shown[0]]
    assert column.rect().contains(plot.geometry().translated(column._holder.pos()))
    assert plot.height() >= window.present.theme.dp(100) - 1
    assert column.scrolled.verticalScrollBar().maximum() > 0
    assert column.scrolled.geometry().bottom() < column._holder.geometry().top()
    press(window, Qt.Key.Key_PageDown)
    settle(QtWidgets.QApplication.instance())
    QTest.qWait(100)
    assert column.scrolled.verticalScrollBar().maximum() == 0, "a short text needs no bar"


@pytest.mark.parametrize("kind", QUESTIONS)
def test_questions_are_whole_where_there_is_room(presented, qtbot, kind):
    studio = presented.studio
    requested = Question(kind, "How far does it swing?", ("far", "near"), "1", channel="joint/A/0")
    step = Step(
        "question", "Question", "Twice in a turn it stops and comes back.", questions=(requested,)
    )
    plots = tuple(p.id for p in studio.document.project.plots[:1])
    project = replace(studio.document.project, steps=(replace(step, plots=plots),))
    studio.document.load(project, studio.document.path)
    press(presented, Qt.Key.Key_F5)
    presented.resize(1900, 1000)
    press(presented, Qt.Key.Key_PageDown)
    scrolled = presented.present.column.scrolled
    qtbot.waitUntil(lambda: scrolled.isVisible() and scrolled.height() > 60)
    settle(QtWidgets.QApplication.instance())
    assert scrolled.verticalScrollBar().maximum() == 0


@pytest.mark.slow
def test_diagrams_are_covered_whole(presented):
    """A phase plot has no part before the time cursor that would not show the future."""
    window = presented
    document, steps = window.studio.document, window.studio.lecture.steps
    phase = Plot("phase", "Phase", ("joint/A/0",), diagram=Diagram("phase"))
    step = replace(steps[2], plots=("phase",))
    project = replace(document.project, plots=(*document.project.plots, phase), steps=(step,))
    document.commit("phase", project)
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    settle(QtWidgets.QApplication.instance())
    pane = window.present.column.plots["phase"].pane
    pane.follow()
    assert pane.veil.isVisible() and not pane.area.isVisible()
    press(window, Qt.Key.Key_H)
    pane.follow()
    assert not pane.veil.isVisible() and pane.area.isVisible()


@pytest.mark.slow
def test_a_monkey_in_class_breaks_nothing(presented, qtbot):
    """Keys and clicks in any order; the window comes back as it was."""
    window = presented
    window.set_workspace("analyse")
    before = state_of(window)
    chance = random.Random(7)
    keys = [*(getattr(Qt.Key, f"Key_{k}") for k in "HFPBNOALJ"), Qt.Key.Key_Space]
    keys += [Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Home]
    press(window, Qt.Key.Key_F5)
    present = window.present
    for _ in range(160):
        if not window.presents:
            press(window, Qt.Key.Key_F5)
        if chance.random() < 0.6:
            press(window, chance.choice(keys))
            continue
        part = chance.choice((present.header, present.foot, present.column, window.viewport))
        inside = [part, *part.findChildren(QtWidgets.QAbstractButton)]
        widget = chance.choice([w for w in inside if w.isVisible()] or [window.viewport])
        if widget is present.header.close_button:
            continue
        at = QtCore.QPoint(chance.randrange(widget.width()), chance.randrange(widget.height()))
        click(widget, at)
        QtWidgets.QApplication.processEvents()
    window.studio.runs.playback.pause()
    window.viewport.setFocus()
    while window.presents:
        window.present.leave()
    window.studio.tools.take("select")
    assert state_of(window) == before


@pytest.mark.slow
def test_requested_panels_end_the_presentation(presented):
    """F11, a workspace or a panel: never panels and the lines of a class in each other."""
    window = presented
    before = set(places(window))
    for ask in (
        lambda: press(window, Qt.Key.Key_F11),
        lambda: window.set_workspace("analyse"),
        lambda: window.docks.show_lesson(True),
    ):
        press(window, Qt.Key.Key_F5)
        ask()
        settle(QtWidgets.QApplication.instance())
        assert not window.presents and window.top.isVisible() and set(places(window)) >= before
        assert not window.present.header.isVisible()
        window.set_workspace("build")
        window.docks.show_lesson(False)


def test_the_start_page_covers_the_whole_class(make_window, four_bar):
    window = make_window(four_bar)
    press(window, Qt.Key.Key_F5)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(window, Qt.Key.Key_O, both)
    settle(QtWidgets.QApplication.instance())
    assert window.start.geometry() == window.rect()
    window.start.close_page()
    assert window.presents
    window.present.leave()


def test_steps_that_somebody_wrote_by_hand(presented, qtbot):
    """Long choices, an instant far away, an equation and a plot that are not there."""
    window = presented
    document = window.studio.document
    words = "It slows down before the dead point, stands still & turns back. " * 4
    long = Question("choose", "Which?", choices=(words, "W" * 300), answer="1")
    steps = (
        Step("a", "A", "x", plots=("gone", "joint/A/0"), equation="none/x", questions=(long,)),
        Step("b", "B", "x", begin=1e9, end=1e9 + 1, plots=("joint/A/0",), at=1e9),
    )
    document.commit("odd", replace(document.project, steps=steps))
    window.resize(1024, 768)
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    QTest.qWait(300)
    column = window.present.column
    for choice in column.questions.cards[0].choices:
        lines = choice.text().split("\n")
        widest = max(choice.fontMetrics().horizontalAdvance(line) for line in lines)
        at = choice.mapTo(column, QtCore.QPoint(0, 0)).x()
        assert len(lines) > 3 and at + widest < column.width(), (at, widest)
        assert choice.height() >= len(lines) * choice.fontMetrics().height()
    assert "".join(column.questions.cards[0].choices[0].text().split()).count("&&") == 4
    press(window, Qt.Key.Key_PageDown)
    settle(QtWidgets.QApplication.instance())
    QTest.qWait(200)
    press(window, Qt.Key.Key_F5)


class WindowManager(QtCore.QObject):
    """Gives a window the size of its state a while after that was requested, as those of desktops
    do; the screen of tests has none.
    """

    FULL, LARGE = QtCore.QRect(0, 0, 1900, 1060), QtCore.QRect(0, 30, 1880, 1000)

    def __init__(self, window):
        super().__init__(window)
        self.window, self.normal, self.seen = window, window.geometry(), window.windowState()
        self.room = self.normal
        # without a manager Qt reports some changes only
        self.timer = QtCore.QTimer(self, interval=40)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        state = self.window.windowState()
        if state != self.seen:
            self.seen = state
            full = state & Qt.WindowState.WindowFullScreen
            large = state & Qt.WindowState.WindowMaximized
            self.room = self.FULL if full else self.LARGE if large else self.normal
            # as from outside: the window itself would not be maximized any more
            self.window.windowHandle().setGeometry(self.room)

    def rests(self):
        """True once the window has the size of its state."""
        return self.window.windowState() == self.seen and self.window.geometry() == self.room


@pytest.mark.thinned(2)
@pytest.mark.parametrize("by", ["F5", "Esc"])
@pytest.mark.parametrize(
    "state",
    [
        Qt.WindowState.WindowNoState,
        Qt.WindowState.WindowMaximized,
        Qt.WindowState.WindowFullScreen,
    ],
)
@pytest.mark.thinned(2)
def test_a_class_has_the_whole_screen_and_leaving_gives_it_back(presented, qapp, qtbot, state, by):
    window = presented
    manager = WindowManager(window)
    try:
        window.setWindowState(state)
        qtbot.waitUntil(manager.rests)
        settle(qapp)
        window.resizeDocks([window.docks.by_key["controls"]], [330], Qt.Orientation.Horizontal)
        before = state_of(window)
        press(window, Qt.Key.Key_F5)
        assert window.isFullScreen()
        qtbot.waitUntil(lambda: window.geometry() == manager.FULL)
        qtbot.waitUntil(lambda: window.present.header.width() == manager.FULL.width())
        assert window.host.width() == manager.FULL.width()
        press(window, Qt.Key.Key_F5 if by == "F5" else Qt.Key.Key_Escape)
        assert not window.presents and window.windowState() == state
        qtbot.waitUntil(manager.rests)
        qtbot.waitUntil(lambda: state_of(window) == before)
        qtbot.wait(60)
        assert state_of(window) == before
    finally:
        manager.timer.stop()
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.setGeometry(manager.normal)


class Screen(NamedTuple):
    """A screen, as far as notes ask for one."""

    room: QtCore.QRect

    def availableGeometry(self):
        return self.room


def test_notes_stand_on_the_other_screen(presented, monkeypatch):
    window = presented
    press(window, Qt.Key.Key_F5)
    notes = window.present.notes
    press(window, Qt.Key.Key_N)
    assert notes.size().width() < 600 and not notes.isMaximized(), "with one screen beside it"
    press(window, Qt.Key.Key_N)
    other = Screen(QtCore.QRect(1920, 0, 1024, 768))
    monkeypatch.setattr(notes_module, "screens", lambda: [window.screen(), other])
    press(window, Qt.Key.Key_N)
    assert notes.isVisible() and notes.geometry() == other.room and notes.isMaximized()
    assert window.isActiveWindow(), "keys go on to the class"
    press(window, Qt.Key.Key_PageDown)
    assert notes.words.text() == "Say hello."
    press(window, Qt.Key.Key_F5)
    assert not notes.isVisible()


@pytest.mark.slow
def test_long_choices_follow_the_card_when_it_gets_narrower(presented, qapp):
    window = presented
    steps = window.studio.lecture.steps
    requested = Question("choose", "Why?", ("a choice of many words " * 8, "none"), "1")
    document = window.studio.document
    step = replace(steps[0], questions=(requested,))
    document.commit("long", replace(document.project, steps=(step, *steps[1:])))
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    scrolled = window.present.column.scrolled
    for size in ((1800, 900), (1024, 768), (1500, 800), (1100, 768)):
        window.resize(*size)
        settle(qapp)
        assert scrolled.widget().width() <= scrolled.viewport().width(), size
    press(window, Qt.Key.Key_F5)


@pytest.mark.slow
def test_words_without_blanks_do_not_widen_the_card(presented):
    window = presented
    long = "https://example.org/" + "abcdefghij" * 30
    steps = window.studio.lecture.steps
    requested = Question("choose", "Q" * 200, ("x" * 150, "y"), "1", hints=("z" * 200,))
    step = replace(steps[0], title="T" * 300, text=long, notes=long, questions=(requested,))
    document = window.studio.document
    document.commit("long", replace(document.project, steps=(step, *steps[1:])))
    window.resize(1024, 768)
    press(window, Qt.Key.Key_F5)
    press(window, Qt.Key.Key_PageDown)
    settle(QtWidgets.QApplication.instance())
    column = window.present.column
    click(column.questions.cards[0].choices[1])
    settle(QtWidgets.QApplication.instance())
    assert column.scrolled.widget().width() <= column.scrolled.viewport().width()
    card = column.questions.cards[0]
    for words in (column.text, card.text, card.hint, card.reply):
        assert words.minimumSizeHint().width() <= column.scrolled.viewport().width()
        assert words.text().replace("\u200b", "") in (
            long,
            "Q" * 200,
            "Hint: " + "z" * 200,
            card.reply.text().replace("\u200b", ""),
        )
    press(window, Qt.Key.Key_N)
    assert window.present.notes.width() < 600
    press(window, Qt.Key.Key_F5)
    # so does the panel of the lesson
    panel = window.docks.lesson
    window.studio.lecture.go(0)
    settle(QtWidgets.QApplication.instance())
    assert panel.isVisible() and panel.text.minimumSizeHint().width() < panel.width()


def test_a_step_marks_its_terms_outside_the_class_too(presented, qtbot):
    window, studio = presented, presented.studio
    steps = studio.lecture.steps
    marked = replace(steps[0], equation="structure", terms=("crank",))
    project = studio.document.project
    studio.document.load(replace(project, steps=(marked, *steps[1:])), studio.document.path)
    window.set_workspace("explain")
    equations = window.docks.equations
    qtbot.waitUntil(lambda: equations.equations is not None, timeout=60_000)
    formulas = equations.pictures.formulas
    assert formulas() and all("crank" not in f._chosen for f in formulas())
    studio.lecture.go(0)
    assert all("crank" in f._chosen for f in formulas())
    studio.selection.select("rocker")
    assert all({"crank", "rocker"} <= set(f._chosen) for f in formulas())
    studio.lecture.go(1)
    assert all("crank" not in f._chosen for f in formulas())
