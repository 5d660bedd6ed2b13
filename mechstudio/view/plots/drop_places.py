"""Places where a dragged quantity can be dropped: the middle of a pane, or one of its edges, which
light up.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.theme import Theme

Qt = QtCore.Qt
EDGE = 0.24  # share of a pane's width and height at an edge where a drop makes a new pane
INSIDE = "inside"


class Drop(NamedTuple):
    """Place of a drop.  pane: id; side: "left", "right", "above", "below" or INSIDE."""

    pane: str
    side: str


def side_at(rect: QtCore.QRect, at: QtCore.QPoint) -> str:
    """The side of a pane that a place inside it belongs to."""
    x = (at.x() - rect.left()) / max(rect.width(), 1)
    y = (at.y() - rect.top()) / max(rect.height(), 1)
    near = {"left": x, "right": 1 - x, "above": y, "below": 1 - y}
    side = min(near, key=lambda s: near[s])
    return side if near[side] < EDGE else INSIDE


def half(rect: QtCore.QRect, side: str) -> QtCore.QRect:
    """The part of a pane that a new one at a side would take."""
    w, h = rect.width() // 2, rect.height() // 2
    return {
        "left": rect.adjusted(0, 0, -w, 0),
        "right": rect.adjusted(w, 0, 0, 0),
        "above": rect.adjusted(0, 0, 0, -h),
        "below": rect.adjusted(0, h, 0, 0),
    }.get(side, rect)


class DropLight(QtWidgets.QWidget):
    """Lights over all panes of a panel: legal places faint, the one under the pointer full.

    Every pane takes the dragged quantity, so that all of them light up.
    """

    def __init__(self, theme: Theme, owner: QtWidgets.QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._panes: dict[str, QtCore.QRect] = {}
        self.drop: Drop | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, panes: dict[str, QtCore.QRect], at: QtCore.QPoint) -> Drop | None:
        """Light up the panes, and the place at a position; returns it."""
        self._panes = panes
        found = next((id for id, rect in panes.items() if rect.contains(at)), None)
        self.drop = None if found is None else Drop(found, side_at(panes[found], at))
        owner = self.parentWidget()
        assert owner is not None
        self.setGeometry(owner.rect())
        self.raise_()
        self.show()
        self.update()
        return self.drop

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, theme = QtGui.QPainter(self), self._theme
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        for id, rect in self._panes.items():
            faint = QtGui.QPen(theme.color("accent", 0.55), 1)
            faint.setDashPattern([4, 3])
            painter.setPen(faint)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QtCore.QRectF(rect).adjusted(3, 3, -3, -3), 5, 5)
            if self.drop is not None and self.drop.pane == id:
                painter.setPen(QtGui.QPen(theme.color("accent"), theme.dp(2)))
                ground = theme.color("accent", 0.16)
                painter.setBrush(ground)
                lit = QtCore.QRectF(half(rect, self.drop.side)).adjusted(3, 3, -3, -3)
                painter.drawRoundedRect(lit, 5, 5)
