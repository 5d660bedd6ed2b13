"""The pairs of a function, and what a linkage gives in their place."""

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.synthesis.answers import Answer
from mechstudio.application.synthesis.question import LinkageQuestion
from mechstudio.model import units
from mechstudio.translation import tr
from mechstudio.view.plots.ticks import even_ticks
from mechstudio.view.theme import Theme

Qt = QtCore.Qt


def paint_pairs(
    painter: QtGui.QPainter,
    theme: Theme,
    room: QtCore.QRectF,
    question: LinkageQuestion,
    answer: Answer | None,
) -> None:
    """Output over the crank's angle: pairs as dots, the linkage's as a curve."""
    pairs = [(r[0], r[1]) for r in question.table if r[0] is not None and r[1] is not None]
    painter.fillRect(room, theme.color("panel"))
    painter.setPen(QtGui.QPen(theme.color("line"), 1))
    painter.drawLine(room.topLeft(), room.topRight())
    if len(pairs) < 2:
        return
    targets = np.array(pairs) - np.array(pairs[0])
    kinds = [column.dimension for column in question.columns]
    factors = np.array([units.unit(kind).factor for kind in kinds])
    targets = targets / factors
    curves = [targets]
    if answer is not None and answer.output is not None:
        curves.append(np.stack(answer.output, axis=1) / factors)
    every = np.concatenate(curves)
    low, high = every.min(axis=0), every.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    dp = theme.dp
    inner = room.adjusted(dp(58), dp(26), -dp(24), -dp(34))

    def pixel(point: np.ndarray) -> QtCore.QPointF:
        x, y = (point - low) / span
        return QtCore.QPointF(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())

    font = QtGui.QFont(painter.font())
    font.setPixelSize(dp(11))
    painter.setFont(font)
    for axis in (0, 1):
        for value, text in even_ticks(float(low[axis]), float(high[axis]), 6):
            at = pixel(np.where(np.arange(2) == axis, value, low))
            painter.setPen(QtGui.QPen(theme.color("plot_grid"), 1))
            if axis == 0:
                painter.drawLine(
                    QtCore.QPointF(at.x(), inner.top()), QtCore.QPointF(at.x(), inner.bottom())
                )
                box = QtCore.QRectF(at.x() - dp(30), inner.bottom() + dp(3), dp(60), dp(14))
                flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            else:
                painter.drawLine(
                    QtCore.QPointF(inner.left(), at.y()), QtCore.QPointF(inner.right(), at.y())
                )
                box = QtCore.QRectF(room.left(), at.y() - dp(7), dp(52), dp(14))
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.setPen(theme.color("text3"))
            painter.drawText(box, flags, text)
    symbols = [units.unit(kind).symbol for kind in kinds]
    painter.setPen(theme.color("text2"))
    head = tr("Output, {unit}", unit=symbols[1])
    painter.drawText(QtCore.QPointF(room.left() + dp(12), room.top() + dp(17)), head)
    below = tr("Crank, {unit}", unit=symbols[0])
    corner = room.adjusted(0, 0, -dp(10), -dp(4))
    painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, below)
    if len(curves) > 1:
        painter.setPen(QtGui.QPen(theme.color("accent"), dp(2)))
        line = [pixel(p) for p in curves[1]]
        painter.drawPolyline(QtGui.QPolygonF(line))
    painter.setPen(QtGui.QPen(theme.color("panel"), 1))
    painter.setBrush(theme.color("text"))
    for point in targets:
        painter.drawEllipse(pixel(point), dp(4), dp(4))
