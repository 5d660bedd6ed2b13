"""A lesson on a drawing of one's own by mouse and keys: drawn, written, saved, opened again,
answered, and printed with and without solutions.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.lessons.checking import RIGHT, WRONG
from tests.view.conftest import settle
from tests.view.drawing.test_drawing import Hand, draw_four_bar
from tests.view.files import kept
from tests.view.hands import click, click_in_tree, press

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


class Author(Hand):
    """Somebody at an empty window who draws and writes."""

    def settle(self):
        settle(QtWidgets.QApplication.instance())

    def find(self, words):
        """Do an action by its words in the palette."""
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)
        self.window.viewport.setFocus()
        QTest.keyClick(self.window.viewport, Qt.Key.Key_K, CTRL)
        QTest.keyClicks(self.window.finder.edit, words)
        QTest.keyClick(self.window.finder.edit, Qt.Key.Key_Return)
        self.settle()

    def see(self, widget):
        """Scroll a widget of the writer into sight."""
        self.settle()
        self.window.docks.lesson.writing.ensureWidgetVisible(widget)
        self.settle()
        assert not widget.visibleRegion().isEmpty()

    def type(self, field, text):
        """Click into a field and type over what stands in it."""
        self.see(field)
        target = field.viewport() if isinstance(field, QtWidgets.QPlainTextEdit) else field
        click(target)
        assert field.hasFocus()
        QTest.keyClick(field, Qt.Key.Key_A, CTRL)
        for k, line in enumerate(text.split("\n")):
            if k:
                QTest.keyClick(field, Qt.Key.Key_Return)
            QTest.keyClicks(field, line)

    def ask(self, words):
        """Choose a kind of question in the menu of the button."""
        writer = self.window.docks.lesson.writer
        self.see(writer.asks)
        menu, count = writer.asks.menu(), len(writer.questions)

        def choose():
            entry = next(a for a in menu.actions() if a.text() == words)
            click(menu, menu.actionGeometry(entry).center())

        QtCore.QTimer.singleShot(100, choose)
        click(writer.asks)
        self.qtbot.waitUntil(lambda: len(writer.questions) == count + 1)
        self.settle()
        return writer.questions[-1]

    def choose(self, box, text):
        """Choose an entry of a box."""
        self.see(box)
        click(box)
        view = box.view()
        self.qtbot.waitUntil(view.isVisible)
        index = view.model().index(box.findText(text), 0)
        view.scrollTo(index)
        # the press that opened it is not yet over for the list
        self.qtbot.wait(QtWidgets.QApplication.doubleClickInterval() + 50)
        click(view.viewport(), view.visualRect(index).center())
        self.qtbot.waitUntil(lambda: not view.isVisible())
        assert box.currentText() == text

    def name_file(self, path):
        """Type a path into the file dialog."""
        shown = lambda: [
            d for d in self.window.findChildren(QtWidgets.QFileDialog) if d.isVisible()
        ]
        self.qtbot.waitUntil(lambda: bool(shown()))
        (dialog,) = shown()
        field = dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit")
        field.selectAll()
        QTest.keyClicks(field, str(path))
        QTest.keyClick(field, Qt.Key.Key_Return)
        self.qtbot.waitUntil(lambda: not shown())


@pytest.fixture
def author(solved, qtbot):
    solved.resize(1600, 1000)
    yield Author(solved, qtbot)
    solved.studio.lecture.close()
    solved.docks.lesson.write(False)
    solved.docks.write_lesson.setChecked(False)
    solved.docks.show_lesson(False)


def run(author):
    studio = author.window.studio
    author.window.viewport.setFocus()
    press(author.window, Qt.Key.Key_Space)
    author.qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.complete
    )
    studio.runs.playback.pause()


def test_a_lesson_from_an_empty_window_to_the_sheets(author, qtbot, tmp_path):
    window, studio = author.window, author.window.studio
    draw_four_bar(author)
    author.settle()
    pin = next(iter(studio.document.project.mechanism.joints))
    click_in_tree(window, pin)
    window.viewport.setFocus()
    press(window, Qt.Key.Key_M)
    author.settle()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    run(author)
    # two steps, a question each
    author.find("add step to the lesson")
    writer = window.docks.lesson.writer
    assert len(studio.lecture.steps) == 1 and writer.isVisible()
    author.type(writer.title, "Which one turns")
    author.type(writer.text, "Watch the three links.")
    one = author.ask("Choose")
    author.type(one.text, "Which link stands on the first pin?")
    author.type(one.choices, "link 1\nlink 2\nlink 3")
    author.type(one.answer, "1")
    author.type(one.because, "It was drawn from there")
    author.type(one.hints, "Look at the letter A")
    author.see(writer.add)
    click(writer.add)
    author.settle()
    assert len(studio.lecture.steps) == 2 and studio.lecture.index == 1
    author.type(writer.title, "How long it is")
    two = author.ask("Number with unit")
    author.type(two.text, "How long is link 1?")
    author.choose(two.dimension, "length")
    author.type(two.answer, "223.6 mm")
    author.type(writer.title, "How long it is")
    QTest.keyClick(writer.title, Qt.Key.Key_Return)
    author.settle()
    first, second = (step.questions[0] for step in studio.lecture.steps)
    assert (first.choices, first.answer) == (("link 1", "link 2", "link 3"), "1")
    assert (second.dimension, second.answer) == ("length", "223.6 mm")
    assert studio.lecture.steps[0].title == "Which one turns"
    # saved, and opened again as somebody else finds it
    click(window.docks.write_lesson)
    kept(window, qtbot, tmp_path / "own.mech")
    assert studio.lecture.index == -1 and not studio.lecture.answers
    window.viewport.setFocus()
    press(window, Qt.Key.Key_PageDown)
    author.settle()
    panel = window.docks.lesson
    assert panel.isVisible() and panel.title.text() == "Which one turns"
    qtbot.waitUntil(lambda: len(panel.questions.cards) == 1)
    given = lambda: studio.lecture.answered(0).reply
    author.settle()
    for k, verdict in ((2, WRONG), (0, RIGHT)):
        button = panel.questions.cards[0].choices[k]
        click(button, QtCore.QPoint(12, button.height() // 2))
        assert given().verdict == verdict
    assert "It was drawn from there" in given().words
    click(panel.forth)
    author.settle()
    card = panel.questions.cards[0]
    length = np.hypot(0.1, 0.2)
    for text, verdict in (("0.3 m", WRONG), (f"{length:.4f} m", RIGHT)):
        click(card.field)
        card.field.selectAll()
        QTest.keyClicks(card.field, text)
        QTest.keyClick(card.field, Qt.Key.Key_Return)
        assert given().verdict == verdict, text
    # on paper
    sheets = {}
    for words, name in (
        ("questions of the lesson", "questions"),
        ("questions with solutions", "solutions"),
    ):
        path = tmp_path / f"{name}.html"
        author.find(words)
        author.name_file(path)
        qtbot.waitUntil(lambda path=path: path.exists() and path.stat().st_size > 1000)
        qtbot.waitUntil(lambda: not studio.questions.exports.is_working)
        sheets[name] = path.read_text("utf-8")
    for text in sheets.values():
        assert "Which link stands on the first pin?" in text and "How long is link 1?" in text
        assert "How long it is" in text and "link 3" in text
    assert "It was drawn from there" in sheets["solutions"] and "223.6 mm" in sheets["solutions"]
    assert "Solution" in sheets["solutions"] and "Solution" not in sheets["questions"]
