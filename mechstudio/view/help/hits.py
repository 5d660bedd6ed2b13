"""Results of a search of the manual: the heading and its page, and below them the sentence that
answers, with the requested words set bold.
"""

from collections.abc import Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help.search import Hit
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
HIT = Qt.ItemDataRole.UserRole
TALL, EDGE = 80, 8  # px at the normal text size: a result, and the room at its sides


class _Painter(QtWidgets.QStyledItemDelegate):
    """Paints one result over four lines."""

    def __init__(self, theme: Theme, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self,
        option: QtWidgets.QStyleOptionViewItem,
        index: QtCore.QModelIndex | QtCore.QPersistentModelIndex,
    ) -> QtCore.QSize:
        return QtCore.QSize(0, self._theme.dp(TALL))

    def paint(
        self,
        painter: QtGui.QPainter,
        option: QtWidgets.QStyleOptionViewItem,
        index: QtCore.QModelIndex | QtCore.QPersistentModelIndex,
    ) -> None:
        hit: Hit | None = index.data(HIT)
        super().paint(painter, option, index)
        if hit is None:
            return
        theme, dp = self._theme, self._theme.dp
        room = QtCore.QRectF(option.rect.adjusted(dp(EDGE), dp(6), -dp(EDGE), -dp(4)))
        painter.save()
        head = QtGui.QFont(option.font)
        head.setWeight(QtGui.QFont.Weight.DemiBold)
        measure = QtGui.QFontMetricsF(head)
        painter.setFont(head)
        painter.setPen(theme.color("text"))
        title = hit.section.title
        heading = measure.elidedText(hit.section.heading, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, heading)
        used = measure.horizontalAdvance(heading) + dp(8)
        if hit.section.heading != hit.section.title and room.width() - used > dp(40):
            painter.setFont(option.font)
            painter.setPen(theme.color("text2"))
            page = QtGui.QFontMetricsF(option.font).elidedText(
                title, Qt.TextElideMode.ElideRight, room.width() - used
            )
            painter.drawText(room.adjusted(used, 0, 0, 0), Qt.AlignmentFlag.AlignTop, page)
        self._paint_sentence(painter, option.font, hit, room.adjusted(0, measure.height(), 0, 0))
        painter.restore()

    def _paint_sentence(
        self, painter: QtGui.QPainter, font: QtGui.QFont, hit: Hit, room: QtCore.QRectF
    ) -> None:
        bold = QtGui.QTextCharFormat()
        bold.setFontWeight(QtGui.QFont.Weight.DemiBold)
        bold.setForeground(self._theme.color("text"))
        layout = QtGui.QTextLayout(hit.sentence, font)
        parts = []
        for begin, end in hit.spans:
            part = QtGui.QTextLayout.FormatRange()
            part.start, part.length, part.format = begin, end - begin, bold  # pyright: ignore
            parts.append(part)
        layout.setFormats(parts)
        lines = list[QtGui.QTextLine]()
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room.width())
            line.setPosition(QtCore.QPointF(0.0, top))
            top += line.height()
            lines.append(line)
        layout.endLayout()
        painter.setPen(self._theme.color("text2"))
        for line in lines:
            if line.y() + line.height() <= room.height() + 1:
                line.draw(painter, room.topLeft())


class Hits(QtWidgets.QListWidget):
    """The results, best first.  opened(topic): one was chosen by the arrows, a click or Enter."""

    opened = QtCore.Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setItemDelegate(_Painter(theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Results"))
        self.currentItemChanged.connect(lambda item, _: self._open(item))
        self.itemClicked.connect(self._open)
        theme.resized.connect(self.doItemsLayout)

    def show_hits(self, hits: Sequence[Hit]) -> None:
        """List the results; none is chosen yet."""
        with QtCore.QSignalBlocker(self):
            self.clear()
            for hit in hits:
                item = QtWidgets.QListWidgetItem()
                item.setData(HIT, hit)
                words = f"{hit.section.heading}, {hit.section.title}. {hit.sentence}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
                item.setToolTip(hit.sentence)
                self.addItem(item)
            self.setCurrentRow(-1)
        self.scrollToTop()

    def _open(self, item: QtWidgets.QListWidgetItem | None) -> None:
        hit = None if item is None else item.data(HIT)
        if hit is not None:
            self.opened.emit(hit.section.topic)
