"""A hand at the window that counts its clicks and keys."""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

Qt = QtCore.Qt
NONE = Qt.KeyboardModifier.NoModifier
NAMED = {
    "⏎": Qt.Key.Key_Return,
    "␛": Qt.Key.Key_Escape,
    "⇥": Qt.Key.Key_Tab,
    "␣": Qt.Key.Key_Space,
}


class CountingHand:
    """Clicks at points of W and of widgets, and types; clicks and keys are counted."""

    def __init__(self, window, qtbot):
        self.window, self.view, self.qtbot = window, window.viewport, qtbot
        self.studio = window.studio
        self.clicks = self.keys = 0

    @property
    def mechanism(self):
        return self.studio.document.project.mechanism

    @property
    def preview(self):
        return self.studio.tools.tool.preview

    def settle(self):
        """Let the camera arrive."""
        self.qtbot.waitUntil(
            lambda: self.view.framing.current == self.view.framing.camera, timeout=10_000
        )

    def pixel(self, point):
        x, y = self.view.framing.world_to_pixel(np.array([point], float))[0]
        return QtCore.QPoint(round(x), round(y))

    def point(self, point):
        """Point at a place of W."""
        self.settle()
        QtTest.QTest.mouseMove(self.view, self.pixel(point) + QtCore.QPoint(2, 1))
        QtTest.QTest.mouseMove(self.view, self.pixel(point))
        self.qtbot.wait(10)

    def click(self, point, modifiers=NONE):
        """Click at a place of W."""
        self.point(point)
        self.clicks += 1
        place = self.pixel(point)
        assert self.view.rect().contains(place), f"{point} at {place} is out of sight"
        QtTest.QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, modifiers, place)
        self.qtbot.wait(10)

    def click_front(self, *points, modifiers=NONE):
        """Click at points (x, z) of the front plane, one after the other."""
        for x, z in points:
            self.click((x, 0, z), modifiers)

    def drag(self, start, end):
        """Drag from a place of W to another."""
        self.point(start)
        first, last = self.pixel(start), self.pixel(end)
        QtTest.QTest.mousePress(self.view, Qt.MouseButton.LeftButton, NONE, first)
        for k in range(1, 6):
            QtTest.QTest.mouseMove(self.view, first + (last - first) * k / 5)
            self.qtbot.wait(10)
        QtTest.QTest.mouseRelease(self.view, Qt.MouseButton.LeftButton, NONE, last)
        self.qtbot.wait(20)

    def type(self, text):
        """Type characters; "⏎" is Enter, "␛" Esc, "⇥" Tab."""
        for character in text:
            self.keys += 1
            if character in NAMED:
                QtTest.QTest.keyClick(self.view, NAMED[character])
            else:
                QtTest.QTest.keyClicks(self.view, character)
        self.qtbot.wait(10)

    def badge(self, text):
        """Choose an entry of the menu of the work plane: two clicks."""
        self.clicks += 2
        menu = self.window.badge.button.menu()
        next(a for a in menu.actions() if a.text() == text).trigger()
        self.qtbot.wait(10)
        self.settle()

    def palette(self, words):
        """Choose an action by its words: Ctrl+K, the words, Enter."""
        QtTest.QTest.keyClick(self.view, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        QtTest.QTest.keyClicks(self.window.sheet.edit, words)
        QtTest.QTest.keyClick(self.window.sheet.edit, Qt.Key.Key_Return)
        self.keys += len(words) + 2
        self.view.setFocus()
        self.qtbot.wait(10)


def structure_of(hand):
    """The structure of the present drawing as the solver behind the window finds it."""
    questions = hand.studio.questions
    hand.qtbot.waitUntil(lambda: questions.analysis is not None, timeout=30_000)
    return questions.analysis.structure


def spent(hand, clicks, keys):
    """At most so many clicks and keys."""
    print(f"{hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= clicks and hand.keys <= keys


@pytest.fixture
def hand(solved, qtbot):
    """A counting hand at an empty window with the real solver behind it."""
    return CountingHand(solved, qtbot)
