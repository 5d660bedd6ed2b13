"""Small pictures of the found linkages, the best first."""

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.synthesis.answers import Answer
from mechstudio.application.synthesis.question import FUNCTION, MOTION
from mechstudio.application.synthesis.search import LinkageSearch
from mechstudio.application.synthesis.words import facts
from mechstudio.translation import tr
from mechstudio.view.synthesis.picture import extent, fitted, paint_curve, paint_linkage
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import column, row, wrapped

Qt = QtCore.Qt
HIGH, PICTURE = 112, 136  # px of a card at the normal text size, and of its picture


class Card(QtWidgets.QWidget):
    """A linkage in its first pose with its curve over the requested one, and its numbers."""

    hovered = QtCore.Signal(object)  # Answer or None
    chosen = QtCore.Signal(object)
    used = QtCore.Signal(object)

    def __init__(self, theme: Theme, search: LinkageSearch) -> None:
        super().__init__()
        self._theme, self._search = theme, search
        self.answer: Answer | None = None
        self.is_chosen = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.fit(self, height=HIGH)

    def show_answer(self, answer: Answer, is_chosen: bool) -> None:
        """Show another linkage."""
        if answer is not self.answer or is_chosen != self.is_chosen:
            self.answer, self.is_chosen = answer, is_chosen
            self.setAccessibleName("; ".join(facts(answer, self._purpose)))
            self.update()

    @property
    def _purpose(self) -> str:
        task = self._search.task
        return "" if task is None else task.purpose

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.answer is None:
            return
        theme, dp = self._theme, self._theme.dp
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        frame = QtCore.QRectF(self.rect()).adjusted(dp(10), dp(4), -dp(10), -dp(4))
        over = self.underMouse() or self.hasFocus()
        role = "accent_soft" if self.is_chosen else "hover" if over else "raised"
        edge = "accent" if self.is_chosen or self.hasFocus() else "line"
        painter.setPen(QtGui.QPen(theme.color(edge), 1))
        painter.setBrush(theme.color(role))
        painter.drawRoundedRect(frame, 8, 8)
        room = QtCore.QRectF(frame.left(), frame.top(), dp(PICTURE), frame.height())
        self._paint_picture(painter, room.adjusted(dp(12), dp(12), -dp(6), -dp(14)))
        words = facts(self.answer, self._purpose)
        left, top = room.right() + dp(6), frame.top() + dp(9)
        wide = frame.right() - left - dp(8)
        for k, text in enumerate(words):
            font = QtGui.QFont(self.font())
            font.setPixelSize(dp(13 if k == 0 else 11))
            font.setWeight(QtGui.QFont.Weight.DemiBold if k == 0 else QtGui.QFont.Weight.Normal)
            painter.setFont(font)
            painter.setPen(theme.color("text" if k == 0 else "text2"))
            metrics = QtGui.QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(wide))
            # Chinese letters may be lower than those that the font measures
            box = QtCore.QRectF(left, top, wide, metrics.height() + dp(5))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)
            top += metrics.height() + dp(3 if k == 0 else 2)
        painter.end()

    def _paint_picture(self, painter: QtGui.QPainter, room: QtCore.QRectF) -> None:
        answer, task = self.answer, self._search.task
        if answer is None or task is None:
            return
        theme = self._theme
        target = np.array([complex(*p) for p in task.points])
        plane = fitted(np.concatenate((extent(answer), target)), room)
        paint_curve(painter, plane, answer.curve, theme.color("accent", 0.6), theme.dp(1.6))
        if task.purpose not in (FUNCTION, MOTION):
            ink = theme.color("text", 0.75)
            paint_curve(painter, plane, target, ink, theme.dp(1), task.closed)
        paint_linkage(painter, theme, plane, answer, 0, theme.dp(2.4))

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        self.hovered.emit(self.answer)
        self.update()

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self.hovered.emit(None)
        self.update()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.answer)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.used.emit(self.answer)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.used if self.is_chosen else self.chosen).emit(self.answer)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


class Gallery(QtWidgets.QWidget):
    """Cards of the linkages.  shown: the one under the pointer, else the chosen one.

    looked_at(answer or None): another one is shown.  used(answer): it is to be inserted into the
    drawing.
    """

    viewed = QtCore.Signal(object)
    used = QtCore.Signal(object)

    def __init__(self, theme: Theme, search: LinkageSearch) -> None:
        super().__init__()
        self._theme, self._search = theme, search
        self.chosen: Answer | None = None
        self._follows = True
        self._hovered: Answer | None = None
        self.note = wrapped("", "two")
        self.cards: list[Card] = []
        inner = QtWidgets.QWidget()
        self._box = column(inner)
        self._note_row = row(self.note, margins=(12, 12, 12, 6))
        self._box.addWidget(self._note_row)
        self._box.addStretch(1)
        scroll = Scroll(inner)
        scroll.setObjectName("studyside")
        column(self).addWidget(scroll)
        search.changed.connect(self.refresh)
        self.refresh()

    @property
    def shown(self) -> Answer | None:
        return self._hovered or self.chosen

    def _hover(self, answer: Answer | None) -> None:
        self._hovered = answer
        self.viewed.emit(self.shown)

    def forget(self) -> None:
        """Show the next search by its best linkage so far, until another one is chosen."""
        self.choose(None)
        self._follows = True

    def choose(self, answer: Answer | None) -> None:
        """Mark a linkage."""
        self.chosen, self._follows = answer, False
        self.refresh()
        self.viewed.emit(self.shown)

    def refresh(self) -> None:
        """Show the present linkages."""
        search = self._search
        answers = search.answers
        gone = all(a is not self.chosen for a in answers)
        if self._follows or (self.chosen is not None and gone):
            best = answers[0] if answers else None
            if best is not self.chosen:
                self.chosen = best
                self.viewed.emit(self.shown)
        if self._hovered is not None and all(a is not self._hovered for a in answers):
            self._hover(None)
        while len(self.cards) < len(answers):
            card = Card(self._theme, search)
            card.hovered.connect(self._hover)
            card.chosen.connect(self.choose)
            card.used.connect(self.used.emit)
            self._box.insertWidget(self._box.count() - 1, card)
            self.cards.append(card)
        for k, card in enumerate(self.cards):
            card.setVisible(k < len(answers))
            if k < len(answers):
                card.show_answer(answers[k], answers[k] is self.chosen)
            else:
                card.answer = None
        words = search.sentence
        if not words and not answers:
            words = (
                tr("The first linkages come…")
                if search.state == "working"
                else tr("Linkages that answer stand here, the best first.")
            )
        self.note.setText(words)
        self.note.setObjectName("wrong" if search.state == "failed" else "two")
        self.note.style().unpolish(self.note)
        self.note.style().polish(self.note)
        self._note_row.setVisible(bool(words))
