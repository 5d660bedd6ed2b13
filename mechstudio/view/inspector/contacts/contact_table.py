"""Table of the contacts at the time cursor, which paints itself: no widget is made while a run
plays.
"""

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.edits import contacts
from mechstudio.application.contact_display import APART, SLIDING, STICKING, InstantContacts
from mechstudio.application.studio import Studio
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
ROWS = 40  # lines that are shown; the strongest contacts first
LINE = 19  # height of one [px]
DETAILS = 3  # lines of one contact: names, forces, place
WORDS = {STICKING: "sticks", SLIDING: "slides", APART: "near"}
ROLES = {STICKING: "text", SLIDING: "velocity", APART: "text3"}


class ContactTable(QtWidgets.QWidget):
    """Two lines per contact: which bodies and how, then normal force, friction force, μ, gap; the
    point as the tool tip.
    """

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._at_cursor: InstantContacts | None = None
        self._order = np.zeros(0, int)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Contacts"))
        show = self.update
        for signal in (studio.selection.changed, studio.contact.chosen_changed):
            signal.connect(show)
            # the inspector makes its pages again
            self.destroyed.connect(lambda _=None, signal=signal: signal.disconnect(show))
        theme.changed.connect(self.update)
        theme.resized.connect(self._fit)
        self.refresh()

    def refresh(self) -> None:
        """Show the contacts of the time cursor."""
        at_cursor = self._studio.contact.instant_contacts
        if at_cursor is self._at_cursor and at_cursor is not None:
            self.update()
            return
        self._at_cursor = at_cursor
        self._order = (
            np.argsort(-np.abs(at_cursor.pressing), kind="stable")[:ROWS]
            if at_cursor is not None
            else np.zeros(0, int)
        )
        self._fit()
        self.update()

    def lines(self) -> list[tuple[str, str, str, str]]:
        """(pair, how it touches, forces, gap and speed) of each contact shown."""
        at_cursor, units = self._at_cursor, self._studio.preferences.units
        if at_cursor is None:
            return []
        out = []
        resting = self._studio.contact.resting
        pressing, rubbing = at_cursor.pressing, at_cursor.rubbing
        say = lambda value, dimension: format_value(value, dimension, units, 3)
        for k in self._order:
            forces = (
                f"N {say(pressing[k], 'force')}   T {say(rubbing[k], 'force')}   "
                f"μ {at_cursor.friction[k]:.3g}"
            )
            gap = tr("gap {gap}", gap=say(at_cursor.gap[k], "length")) + (
                tr("   slip {slip}", slip=say(at_cursor.slip[k], "velocity"))
                if at_cursor.state[k] == SLIDING
                else ""
            )
            rests = at_cursor.state[k] == STICKING and all(
                b in resting for b in at_cursor.bodies[k].tolist() if b >= 0
            )
            out.append(
                (
                    contacts.pair_names(self._studio, at_cursor.bodies[k]),
                    tr("rests") if rests else tr(WORDS[int(at_cursor.state[k])]),
                    forces,
                    gap,
                )
            )
        return out

    def words(self) -> str:
        """The line under the table, or instead of it."""
        if self._at_cursor is None:
            return tr("Run first") if self._studio.contact.is_on else tr("Contacts are off")
        if not len(self._at_cursor.point):
            return tr("Nothing touches at this time")
        rest = len(self._at_cursor.point) - len(self._order)
        return tr("and {count} more", count=rest) if rest else ""

    def _fit(self) -> None:
        dp = self._theme.dp
        self.setFixedHeight(dp(LINE) * (DETAILS * len(self._order) + bool(self.words())) + dp(6))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        p, t, dp = QtGui.QPainter(self), self._theme.color, self._theme.dp
        p.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        high, wide, y = dp(LINE), self.width(), 0
        font = self.font()
        for k, (pair, how, forces, gap) in zip(self._order, self.lines()):
            if y > event.rect().bottom():
                break
            at_cursor = self._at_cursor
            assert at_cursor is not None
            state, name = int(at_cursor.state[k]), at_cursor.names[k]
            ground = (
                "accent_soft"
                if name == self._studio.contact.chosen
                else "hover"
                if name in self._studio.selection.lit
                else ""
            )
            if ground:
                p.fillRect(
                    QtCore.QRectF(0, y, wide, DETAILS * high - dp(1)), QtGui.QColor(t(ground))
                )
            role = QtGui.QColor(t(ROLES[state]))
            self._mark(p, state, QtCore.QPointF(dp(6), y + high / 2), role)
            font.setWeight(QtGui.QFont.Weight.Medium)
            p.setFont(font)
            how_wide = p.fontMetrics().horizontalAdvance(how)
            p.setPen(QtGui.QColor(t("text")))
            name = p.fontMetrics().elidedText(
                pair, Qt.TextElideMode.ElideMiddle, wide - dp(26) - how_wide
            )
            p.drawText(QtCore.QRectF(dp(16), y, wide, high), Qt.AlignmentFlag.AlignVCenter, name)
            p.setPen(role)
            p.drawText(
                QtCore.QRectF(0, y, wide, high),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                how,
            )
            font.setWeight(QtGui.QFont.Weight.Normal)
            p.setFont(font)
            for n, (text, tone) in enumerate(((forces, "text2"), (gap, "text3"))):
                p.setPen(QtGui.QColor(t(tone)))
                p.drawText(
                    QtCore.QRectF(dp(16), y + (n + 1) * high - dp(2), wide - dp(16), high),
                    Qt.AlignmentFlag.AlignVCenter,
                    p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, wide - dp(16)),
                )
            y += DETAILS * high
        if self.words():
            p.setPen(QtGui.QColor(t("text3")))
            p.drawText(QtCore.QRectF(0, y, wide, high), Qt.AlignmentFlag.AlignVCenter, self.words())
        p.end()

    @staticmethod
    def _mark(p: QtGui.QPainter, state: int, at: QtCore.QPointF, color: QtGui.QColor) -> None:
        """As in the view: a square sticks, a ring slides, a dot is near."""
        p.setPen(QtGui.QPen(color, 1.8) if state == SLIDING else Qt.PenStyle.NoPen)
        p.setBrush(Qt.BrushStyle.NoBrush if state == SLIDING else color)
        if state == STICKING:
            p.drawRect(QtCore.QRectF(at.x() - 3.4, at.y() - 3.4, 6.8, 6.8))
        else:
            r = 3.4 if state == SLIDING else 1.8
            p.drawEllipse(at, r, r)

    def name_at(self, y: float) -> str:
        """The name of the contact at a height in the table; "" for none."""
        k = int(y) // (DETAILS * self._theme.dp(LINE))
        return (
            self._at_cursor.names[self._order[k]]
            if self._at_cursor is not None and 0 <= k < len(self._order)
            else ""
        )

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if name := self.name_at(event.position().y()):
            self._studio.contact.choose(name)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._studio.selection.hover("")

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        k = int(event.position().y()) // (DETAILS * self._theme.dp(LINE))
        self._studio.selection.hover(self.name_at(event.position().y()))
        if self._at_cursor is not None and k < len(self._order):
            say = lambda value: format_value(
                float(value), "length", self._studio.preferences.units, 4
            )
            self.setToolTip(
                tr(
                    "At {x}, {y}, {z}",
                    **dict(zip("xyz", map(say, self._at_cursor.point[self._order[k]]))),
                )
            )
        else:
            self.setToolTip("")
