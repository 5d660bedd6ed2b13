"""Random mouse, keys and actions on the window: nothing is raised, nothing blocks it, and the
drawing can always be saved and undone to its start.
"""

import os
import random
import re
import time

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest
from shiboken6 import isValid

from mechstudio.application.actions import edit
from mechstudio.application.actions.registry import actions
from mechstudio.application.resources import sample_folder
from mechstudio.files.format.codec import encode
from mechstudio.view.scene.eye import CameraEye
from tests.edits import check

Qt = QtCore.Qt
# actions that ask for a file, leave the drawing or end the program
LEFT_OUT = {
    "open",
    "save",
    "save_as",
    "quit",
    "new",
    "body_mesh",
    "picture",
    "insert_picture",
    "add_picture",
    "paste",
    "cut",
}
KEYS = [
    *(getattr(Qt.Key, f"Key_{c}") for c in "LJBSDFGMWHAXYZQTVP0123456789"),
    Qt.Key.Key_Escape,
    Qt.Key.Key_Return,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Space,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Period,
    Qt.Key.Key_Comma,
    Qt.Key.Key_Minus,
]
BUTTONS = [Qt.MouseButton.LeftButton] * 6 + [
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
]
MODIFIERS = [Qt.KeyboardModifier.NoModifier] * 6 + [
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
]
RUBBISH = (
    "12 mm",
    "0",
    "-1",
    "1e300",
    "1e-300",
    "L1",
    "=gap",
    "1/",
    "1/0",
    "",
    " ",
    "90 deg",
    "abc",
    "2*(",
    "∞",
    "nan",
    "k_x + 3 kg",
    "a" * 400,
    "t",
    "sin(t)",
    "if(t>1,2,3)",
    "A",
    "ground",
    "x\u202ey",
    "曲柄",
)
ASKS = re.compile("…|\\.\\.\\.")  # entries that ask for a file
BLOCK = (
    2.0  # seconds of the window's own computing for one event, under whatever load the tests run
)
# lay out and paint every word and icon of the window again, which takes a second: three times the
# limit
EVERYTHING_AGAIN = {
    "text_larger",
    "text_smaller",
    "text_normal",
    "theme_light",
    "theme_dark",
    "theme_system",
}


class Monkey:
    """Gives a window random events."""

    def __init__(self, window, seed: int) -> None:
        self.window, self.random, self.slowest, self.done = (
            window,
            random.Random(seed),
            (0.0, ""),
            "",
        )

    def place(self, widget):
        return QtCore.QPoint(
            self.random.randrange(max(widget.width(), 1)),
            self.random.randrange(max(widget.height(), 1)),
        )

    def act(self) -> None:
        r, view = self.random, self.window.viewport
        what = r.choices(
            ("move", "click", "drag", "wheel", "key", "undo", "action", "panel"),
            (4, 5, 5, 1, 6, 1, 4, 3),
        )[0]
        self.done = what
        start = time.thread_time()
        getattr(self, what)(r, view)
        QtWidgets.QApplication.processEvents()
        took = time.thread_time() - start
        if self.done in EVERYTHING_AGAIN:
            took /= 3
        self.slowest = max(self.slowest, (took, self.done))
        self.tidy()

    def tidy(self) -> None:
        """Close menus and cards: they hold the keys."""
        while (popup := QtWidgets.QApplication.activePopupWidget()) is not None:
            popup.close()
        for dialog in self.window.findChildren(QtWidgets.QDialog):
            if dialog.isVisible():
                dialog.close()

    def move(self, r, view):
        QTest.mouseMove(view, self.place(view))

    def click(self, r, view):
        QTest.mouseClick(view, r.choice(BUTTONS), r.choice(MODIFIERS), self.place(view))

    def drag(self, r, view):
        button, modifier = r.choice(BUTTONS), r.choice(MODIFIERS)
        QTest.mousePress(view, button, modifier, self.place(view))
        for _ in range(r.randint(1, 4)):
            QTest.mouseMove(view, self.place(view))
            if r.random() < 0.3:
                QTest.keyClick(view, r.choice(KEYS))
        QTest.mouseRelease(view, button, modifier, self.place(view))

    def wheel(self, r, view):
        at = QtCore.QPointF(self.place(view))
        event = QtGui.QWheelEvent(
            at,
            view.mapToGlobal(at),
            QtCore.QPoint(),
            QtCore.QPoint(0, r.choice((-120, 120))),
            Qt.MouseButton.NoButton,
            r.choice(MODIFIERS),
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QtWidgets.QApplication.sendEvent(view, event)

    def key(self, r, view):
        widget = (
            self.window.focusWidget()
            if r.random() < 0.5 and self.window.focusWidget() is not None
            else view
        )
        QTest.keyClick(
            widget,
            r.choice(KEYS),
            r.choice((Qt.KeyboardModifier.NoModifier,) * 5 + (Qt.KeyboardModifier.ShiftModifier,)),
        )

    def undo(self, r, view):
        for _ in range(r.randint(1, 3)):
            QTest.keyClick(
                view, r.choice((Qt.Key.Key_Z, Qt.Key.Key_Y)), Qt.KeyboardModifier.ControlModifier
            )

    def action(self, r, view):
        self.done = r.choice([a.id for a in actions() if a.id not in LEFT_OUT])
        self.window.actions_.trigger(self.done)

    def panel(self, r, view):
        """A click, and some letters, into whatever is seen somewhere."""
        widgets = [
            w
            for w in self.window.findChildren(QtWidgets.QLineEdit)
            + self.window.docks.tree.findChildren(QtWidgets.QWidget)
            if w.isVisible() and w.isEnabled()
        ]
        widget = r.choice(widgets or [view])  # all panels may be closed
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, r.choice(MODIFIERS), self.place(widget))
        if isinstance(widget, QtWidgets.QLineEdit) and r.random() < 0.7:
            QTest.keyClicks(widget, r.choice(("12 mm", "0", "L1", "1/", "", "90 deg", "abc")))
            QTest.keyClick(widget, r.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)))


class Vandal(Monkey):
    """Operate every widget, with documents opened, runs and undo in between."""

    def act(self) -> None:
        r, view = self.random, self.window.viewport
        what = r.choices(
            (
                "move",
                "click",
                "drag",
                "wheel",
                "key",
                "undo",
                "action",
                "panel",
                "anywhere",
                "pull",
                "rubbish",
                "menu",
                "document",
                "run",
            ),
            (3, 4, 4, 1, 5, 2, 5, 3, 6, 3, 3, 2, 0.6, 0.8),
        )[0]
        self.done = what
        self.log.append((what, r.getstate()[1][-1]))
        getattr(self, what)(r, view)
        QtWidgets.QApplication.processEvents()
        self.tidy()

    def __init__(self, window, seed: int) -> None:
        super().__init__(window, seed)
        self.log: list[tuple[str, int]] = []

    def seen(self, r, kind=QtWidgets.QWidget):
        """Any widget of the window that can be seen."""
        widgets = [
            w
            for w in self.window.findChildren(kind)
            if w.isVisible()
            and w.isEnabled()
            and w.width() > 2
            and not isinstance(w, QtWidgets.QDialog)
        ]
        return r.choice(widgets) if widgets else self.window.viewport

    def anywhere(self, r, view):
        widget = self.seen(r)
        press = QTest.mouseDClick if r.random() < 0.25 else QTest.mouseClick
        press(widget, r.choice(BUTTONS[:6]), r.choice(MODIFIERS), self.place(widget))

    def pull(self, r, view):
        widget = self.seen(r)
        start, end = self.place(widget), self.place(self.window)
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, r.choice(MODIFIERS), start)
        if isValid(widget):
            QTest.mouseMove(widget, start + QtCore.QPoint(9, 7))
            QtWidgets.QApplication.processEvents()
        if isValid(widget):
            QTest.mouseRelease(
                widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end
            )

    def rubbish(self, r, view):
        field = self.seen(r, QtWidgets.QLineEdit)
        if isinstance(field, QtWidgets.QLineEdit) and not field.isReadOnly():
            QTest.mouseClick(
                field,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                field.rect().center(),
            )
            if isValid(field):
                field.selectAll()
                # pasted: what no key types has to be survived too
                QtWidgets.QApplication.clipboard().setText(r.choice(RUBBISH))
                field.paste()
                field.textEdited.emit(field.text())
            if isValid(field):
                QTest.keyClick(
                    field,
                    r.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Up)),
                    r.choice(MODIFIERS),
                )

    def menu(self, r, view):
        """An entry of the menu under the pointer, or of a button."""
        buttons = [
            w
            for w in self.window.findChildren(QtWidgets.QToolButton)
            + self.window.findChildren(QtWidgets.QPushButton)
            if w.isVisible() and w.menu() is not None
        ]
        if buttons:
            menu = r.choice(buttons).menu()
            menu.aboutToShow.emit()
            entries = [
                a
                for a in menu.actions()
                if a.isEnabled()
                # not by its menu(): with that PySide gives the menu to the action, with which
                # it goes
                and QtWidgets.QMenu.menuInAction(a) is None
                and not a.isSeparator()
                and not ASKS.search(a.text())
            ]
            if entries:
                r.choice(entries).trigger()

    def document(self, r, view):
        if r.random() < 0.2:
            self.window.studio.files.new()
        else:
            assert self.window.studio.files.open(
                r.choice(sorted(sample_folder().glob("*.mech"))), as_copy=True
            )

    def run(self, r, view):
        self.window.studio.runs.play()
        end = time.monotonic() + r.random()
        while time.monotonic() < end:
            QtWidgets.QApplication.processEvents()
            time.sleep(0.005)


class Pupil(Vandal):
    """A vandal in class: presents, takes steps of lessons and writes some, answers questions, comes
    and goes in the gallery and in the first drawing.
    """

    IN_CLASS = ("present", "first_drawing", "lesson", "add_step", "record_step", "start_page") + (
        "cover",
        "freeze",
        "pointer",
        "blank",
        "notes",
        "choose_shown",
    )
    KEYS = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Space, Qt.Key.Key_Escape)

    def act(self) -> None:
        if self.random.random() < 0.6:
            super().act()
            return
        r, what = self.random, self.random.choice(("school", "step", "answer", "write", "card"))
        self.done = what
        self.log.append((what, 0))
        getattr(self, what)(r, self.window.viewport)
        QtWidgets.QApplication.processEvents()
        self.tidy()

    def school(self, r, view):
        name = r.choice(self.IN_CLASS)
        self.log.append((name, 0))
        self.window.actions_.by_id[name].trigger()

    def step(self, r, view):
        QTest.keyClick(self.window.focusWidget() or view, r.choice(self.KEYS))

    def answer(self, r, view):
        present = self.window.present
        requested = (
            present.column.questions if self.window.presents else self.window.docks.lesson.questions
        )
        for card in requested.cards:
            if card.choices and card.isVisible():
                click = r.choice(card.choices)
                QTest.mouseClick(click, Qt.MouseButton.LeftButton, pos=self.place(click))
            elif card.check is not None and card.isVisible():
                if card.field is not None:
                    card.field.setText(r.choice(RUBBISH))
                QTest.mouseClick(card.check, Qt.MouseButton.LeftButton)

    def write(self, r, view):
        self.window.docks.write_lesson.click()
        writer = self.window.docks.lesson.writer
        if writer.isVisible() and self.window.studio.lecture.step is not None:
            r.choice(writer.asks.menu().actions()).trigger()
            for field in writer.findChildren(QtWidgets.QLineEdit):
                field.setText(r.choice(RUBBISH))
                field.editingFinished.emit()

    def card(self, r, view):
        page = self.window.start
        if page is None:
            self.window.actions_.by_id["start_page"].trigger()
            return
        page.search.setText(r.choice(("", "", "bar", "x\u202ey", "lesson")))
        shown = page.gallery.viewport()
        QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=self.place(shown))


def vandalise(window, seed: int, seconds: float, kind: type[Vandal] = Vandal) -> int:
    """Random deeds for so long; how many they were.  What went wrong is reported with the seed and
    the deeds before.
    """
    vandal, end = kind(window, seed), time.monotonic() + seconds
    # a menu that a press opens waits within the press
    closing = QtCore.QTimer(interval=100)
    closing.timeout.connect(vandal.tidy)
    closing.start()
    try:
        while time.monotonic() < end:
            vandal.act()
    except BaseException as error:
        error.add_note(
            f"seed {seed}, after {len(vandal.log)} deeds: "
            f"{' '.join(what for what, _ in vandal.log[-12:])}"
        )
        raise
    finally:
        closing.stop()
    window.studio.tools.rest()
    check(window.studio.document.project)
    return len(vandal.log)


def roam(window, seed: int, count: int) -> Monkey:
    studio, start = window.studio, window.studio.document.project
    text, monkey = encode(start), Monkey(window, seed)
    for _ in range(count):
        monkey.act()
    studio.tools.rest()
    check(studio.document.project)
    if studio.document.is_whole:
        edit.go_to(studio, 0)
        assert studio.document.project is start and encode(start) == text
    assert monkey.slowest[0] < BLOCK, monkey.slowest
    return monkey


def test_random_events_raise_nothing(window):
    roam(window, 1, 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_hundreds_of_random_events_raise_nothing(window, seed):
    roam(window, seed, 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_quarter_of_an_hour_of_vandalism_raises_nothing(solved, seed, monkeypatch):
    # with the real solver; MECHSTUDIO_VANDALISM says for how many seconds else.  A drag between
    # widgets waits for a real mouse, which never moves here
    monkeypatch.setattr(QtGui.QDrag, "exec", lambda *arguments: Qt.DropAction.IgnoreAction)
    monkeypatch.setattr(solved, "close", lambda: None)
    vandalise(solved, seed, float(os.environ.get("MECHSTUDIO_VANDALISM", "900")))


def left_alone(window, seed, seconds, monkeypatch):
    """A pupil with the window for so long; afterwards it is as others need it."""
    monkeypatch.setattr(QtGui.QDrag, "exec", lambda *arguments: Qt.DropAction.IgnoreAction)
    monkeypatch.setattr(window, "close", lambda: None)
    try:
        return vandalise(window, seed, seconds, Pupil)
    finally:
        if window.presents:
            window.present.leave()
        window.first.leave()
        window.studio.lecture.close()
        window.docks.lesson.write(False)
        window.docks.write_lesson.setChecked(False)
        window.docks.show_lesson(False)


def test_a_pupil_left_alone_breaks_nothing(solved, monkeypatch):
    left_alone(solved, 0, 5.0, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_a_quarter_of_an_hour_of_pupils_breaks_nothing(solved, seed, monkeypatch):
    seconds = float(os.environ.get("MECHSTUDIO_VANDALISM", "900"))
    left_alone(solved, seed, seconds, monkeypatch)


def test_a_run_that_begins_while_a_body_is_dragged_takes_it_out_of_the_hand(window):
    """Space with the button down: the body goes back, and the button's release has no effect."""
    view, studio = window.viewport, window.studio
    body = next(iter(studio.document.project.mechanism.bodies))
    studio.selection.select(body)
    before = studio.document.project
    handle = next(
        h
        for h in studio.tools.tool.handles(
            CameraEye(view.framing.camera, (view.width(), view.height()))
        )
        if h.kind == "arrow"
    )
    at = QtCore.QPoint(
        *(
            round(c)
            for c in CameraEye(view.framing.camera, (view.width(), view.height())).pixel_of(
                handle.points[-1]
            )
        )
    )
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(view, at + QtCore.QPoint(30, -20))
    QTest.mouseMove(view, at + QtCore.QPoint(60, -40))
    assert studio.tools.tool.dragging
    window.actions_.trigger("play")
    assert studio.runs.playback.playing and not studio.tools.tool.dragging
    eye = CameraEye(view.framing.camera, (view.width(), view.height()))
    assert not studio.tools.tool.handles(eye), "nothing of the drawing can be taken in play"
    QTest.mouseRelease(
        view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QtCore.QPoint(60, -40)
    )
    studio.runs.playback.pause()
    studio.runs.playback.to_design()
    QTest.mouseMove(view, at + QtCore.QPoint(10, 10))
    assert (
        view.navigator.tool is studio.tools.tool
        and not view.navigator.tool.dragging
        and studio.document.project is before
    )
