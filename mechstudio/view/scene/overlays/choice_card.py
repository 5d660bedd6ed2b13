"""The card beside the cursor that lists what stands to choose from while drawing."""

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from mechstudio.translation import tr
from mechstudio.view.fonts import font

ROW, EDGE, INSET, FOOT = (
    22.0,
    4.0,
    10.0,
    20.0,
    # height of a row, room about the rows, before a word, height of the foot [px at the normal text
    # size]
)
BESIDE = 14.0  # from the cursor to the card


def card_room(
    choices: tuple[str, ...],
    cursor: QPointF,
    below: float,
    size: tuple[float, float],
    scale: float = 1.0,
) -> QRectF:
    """Rectangle of the card [px]: below and right of the cursor, or on its other side where the
    picture ends.  below: the top of a card below the cursor [px].
    """
    measure = QFontMetricsF(font(11 * scale, QFont.Weight.DemiBold))
    wide = (
        max(measure.horizontalAdvance(word) for word in (*choices, _foot()))
        + 2 * (INSET + EDGE) * scale
    )
    tall = (ROW * len(choices) + 2 * EDGE + FOOT) * scale
    x = cursor.x() + BESIDE * scale
    if x + wide > size[0] - 4:
        x = cursor.x() - BESIDE * scale - wide
    y = below if below + tall <= size[1] - 4 else cursor.y() - BESIDE * scale - tall
    return QRectF(
        round(max(4.0, min(x, size[0] - wide - 4))) + 0.5,
        round(max(4.0, min(y, size[1] - tall - 4))) + 0.5,
        wide,
        tall,
    )


def paint_choices(
    painter: QPainter,
    choices: tuple[str, ...],
    chosen: int,
    room: QRectF,
    t: dict[str, Any],
    scale: float = 1.0,
) -> None:
    """The words, one a row, that of `chosen` on a soft ground; at the foot how to get to the
    next.
    """
    painter.save()
    painter.setPen(QPen(QColor(t["line_strong"]), 1.0))
    painter.setBrush(QColor(t["raised"]))
    painter.drawRoundedRect(room, 8 * scale, 8 * scale)
    flag = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    for k, word in enumerate(choices):
        row = QRectF(
            room.x() + EDGE * scale,
            room.y() + (EDGE + ROW * k) * scale,
            room.width() - 2 * EDGE * scale,
            ROW * scale,
        )
        if k == chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(t["accent_soft"]))
            painter.drawRoundedRect(row, 5 * scale, 5 * scale)
        painter.setFont(
            font(11 * scale, QFont.Weight.DemiBold if k == chosen else QFont.Weight.Medium)
        )
        painter.setPen(QColor(t["accent_text"] if k == chosen else t["text2"]))
        painter.drawText(row.adjusted(INSET * scale, 0, 0, 0), flag, word)
    foot = QRectF(
        room.x() + (EDGE + INSET) * scale,
        room.bottom() - (FOOT + 2) * scale,
        room.width(),
        FOOT * scale,
    )
    painter.setFont(font(11 * scale, QFont.Weight.Normal))
    painter.setPen(QColor(t["text3"]))
    painter.drawText(foot, flag, _foot())
    painter.restore()


def _foot() -> str:
    return tr("Tab: the next")
