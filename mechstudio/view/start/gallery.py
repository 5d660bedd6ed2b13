"""The gallery: cards of samples in a grid, whose pictures move under the pointer and the focus."""

import html
from collections.abc import Sequence
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files.gallery import Sample, level_word
from mechstudio.model.types.lessons import LEVELS, TOPICS
from mechstudio.translation import comma, tr, trn
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
# px at the normal text size
CARD, PICTURE, GAP, INSET = 286, 9 / 16, 14, 11
TITLE_TOP, SUMMARY_TOP, LEVEL_TOP, FOOT = 12, 31, 66, 87
DOT, DOTS_GAP = 3.2, 9.5
RADIUS = 8
MOST, LEAST = 6, 150  # columns that low windows get, and the width of a card in them


class Cards(QtCore.QAbstractListModel):
    """The samples that are shown, as a model for views."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: Sequence[Sample] = ()
        self._still: dict[str, QtGui.QPixmap] = {}

    def show(self, samples: Sequence[Sample]) -> None:
        """Show these samples alone."""
        self.beginResetModel()
        self.shown = samples
        self.endResetModel()

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.shown):
            return None
        sample = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return sample.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return comma().join(
                filter(None, (sample.title, corner(sample), level_word(sample.level)))
            )
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return sample.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return summary(sample)
        return None

    def still(self, sample: Sample) -> QtGui.QPixmap:
        """The first picture of a sample, read once; empty where there is none."""
        if sample.picture is None:
            return QtGui.QPixmap()
        key = str(sample.picture)
        if key not in self._still:
            self._still[key] = QtGui.QPixmap(key)
        return self._still[key]


def corner(sample: Sample) -> str:
    """Words in the lower right corner of a card: its lesson, or its topic."""
    if sample.steps:
        return trn("Lesson, {count} step", "Lesson, {count} steps", sample.steps)
    return tr(TOPICS[sample.topic]) if sample.topic in TOPICS else ""


def summary(sample: Sample) -> str:
    """Text and questions of a sample, as rich text of a tip."""
    questions = "".join(f"<li>{html.escape(q)}</li>" for q in sample.questions)
    return f"<p>{html.escape(sample.text)}</p><ul>{questions}</ul>"


def broken(text: str, font: QtGui.QFont, width: float) -> tuple[str, str]:
    """A text in two lines of a width [px] at most, the second one with all that is left."""
    layout = QtGui.QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(max(width, 1.0))
    layout.endLayout()
    end = line.textLength()
    return text[:end].rstrip(), text[end:].lstrip()


class Painter(QtWidgets.QStyledItemDelegate):
    """The look of a card."""

    def __init__(self, theme: Theme, cards: Cards, gallery: "Gallery") -> None:
        super().__init__(gallery)
        self._theme, self._cards, self._gallery = theme, cards, gallery

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: Index) -> QtCore.QSize:
        return self._gallery.gridSize()

    def paint(
        self, painter: QtGui.QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index
    ) -> None:
        theme, dp = self._theme, self._theme.dp
        sample = self._cards.shown[index.row()]
        rect: QtCore.QRect = option.rect  # type: ignore[attr-defined]
        card = QtCore.QRectF(rect.adjusted(0, 0, -dp(GAP), -dp(GAP))).adjusted(1, 1, -1, -1)
        current = index == self._gallery.moving
        focused = current and self._gallery.hasFocus()
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        shape = QtGui.QPainterPath()
        shape.addRoundedRect(card, dp(RADIUS), dp(RADIUS))
        painter.fillPath(shape, theme.color("raised"))
        height = card.width() * PICTURE
        picture = QtCore.QRectF(card.left(), card.top(), card.width(), height)
        self._paint_picture(painter, picture, shape, sample, current)
        self._paint_words(painter, card, picture.bottom(), sample)
        line = "accent" if focused or current else "line"
        painter.setPen(QtGui.QPen(theme.color(line), 2.0 if focused else 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.restore()

    def _paint_picture(
        self,
        painter: QtGui.QPainter,
        where: QtCore.QRectF,
        shape: QtGui.QPainterPath,
        sample: Sample,
        current: bool,
    ) -> None:
        theme = self._theme
        painter.save()
        painter.setClipPath(shape)
        sky = QtGui.QLinearGradient(where.topLeft(), where.bottomLeft())
        sky.setColorAt(0.0, theme.color("view_top"))
        sky.setColorAt(1.0, theme.color("view_bottom"))
        painter.fillRect(where, sky)
        frame = self._gallery.frame if current else None
        image = self._cards.still(sample) if frame is None or frame.isNull() else frame
        if not image.isNull():
            painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(where, image, QtCore.QRectF(image.rect()))
        if current and self._gallery.progress is not None:
            left, width = where.left(), where.width() * self._gallery.progress
            painter.fillRect(
                QtCore.QRectF(left, where.bottom() - 2.0, width, 2.0), theme.color("accent")
            )
        painter.restore()

    def _paint_words(
        self, painter: QtGui.QPainter, card: QtCore.QRectF, top: float, sample: Sample
    ) -> None:
        theme, dp = self._theme, self._theme.dp
        font = QtGui.QFont(self._gallery.font())
        strong = QtGui.QFont(font)
        strong.setWeight(QtGui.QFont.Weight.DemiBold)
        left, room = card.left() + dp(INSET), card.width() - 2 * dp(INSET)
        end = corner(sample)
        metrics = QtGui.QFontMetricsF(font)
        dots = len(LEVELS) * dp(10 * DOTS_GAP) / 10 + dp(5)
        end = metrics.elidedText(end, Qt.TextElideMode.ElideRight, max(0.0, room - dots))
        wide = metrics.horizontalAdvance(end) + 1
        self._line(painter, left, top + dp(TITLE_TOP), room, sample.title, strong, "text")
        for k, words in enumerate(broken(sample.summary, font, room)):
            down = dp(SUMMARY_TOP) + k * metrics.height()
            self._line(painter, left, top + down, room, words, font, "text2")
        y = top + dp(LEVEL_TOP)
        x = left
        for k in LEVELS:
            painter.setPen(QtGui.QPen(theme.color("text2"), 1.0))
            painter.setBrush(theme.color("text2") if k <= sample.level else Qt.BrushStyle.NoBrush)
            radius = dp(10 * DOT) / 10
            painter.drawEllipse(
                QtCore.QPointF(x + radius, y + 0.5 * metrics.height()), radius, radius
            )
            x += dp(10 * DOTS_GAP) / 10
        room_of_level = max(0.0, card.right() - dp(INSET) - wide - dp(8) - x)
        self._line(painter, x + dp(5), y, room_of_level, level_word(sample.level), font, "text2")
        role = "accent_text" if sample.steps else "text2"
        self._line(painter, card.right() - dp(INSET) - wide, y, wide + 1, end, font, role)

    def _line(
        self,
        painter: QtGui.QPainter,
        x: float,
        y: float,
        width: float,
        words: str,
        font: QtGui.QFont,
        role: str,
    ) -> None:
        metrics = QtGui.QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QtCore.QPointF(x, y + metrics.ascent()), text)


class Gallery(QtWidgets.QListView):
    """Cards in as many columns as fit.  chosen(sample): by a click or Enter.

    moving: the card whose picture moves, under the pointer or else with the focus.  frame: its
    picture now; progress: share of its motion that is over, None while it stands.
    """

    chosen = QtCore.Signal(object)

    def __init__(self, theme: Theme, still: bool) -> None:
        """still: pictures do not move."""
        super().__init__()
        self._theme, self._still = theme, still
        self.cards = Cards(theme)
        self.moving = QtCore.QPersistentModelIndex()
        self._movie: QtGui.QMovie | None = None
        self.setModel(self.cards)
        self.setItemDelegate(Painter(theme, self.cards, self))
        self.setObjectName("gallery")
        self.setAccessibleName(tr("Samples and lessons"))
        self.setViewMode(QtWidgets.QListView.ViewMode.IconMode)
        self.setMovement(QtWidgets.QListView.Movement.Static)
        self.setResizeMode(QtWidgets.QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QtWidgets.QListView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QtWidgets.QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.entered.connect(self._move)
        self.clicked.connect(self._choose)
        self.selectionModel().currentChanged.connect(lambda now, before: self._move(now))
        theme.follow(self._arrange)

    @property
    def frame(self) -> QtGui.QPixmap | None:
        """The moving card's picture now."""
        return None if self._movie is None else self._movie.currentPixmap()

    @property
    def progress(self) -> float | None:
        """Share of the motion that is over."""
        if self._movie is None or self._movie.frameCount() < 2:
            return None
        return (self._movie.currentFrameNumber() + 1) / self._movie.frameCount()

    def show_samples(self, samples: Sequence[Sample]) -> None:
        """Show these samples alone."""
        self._stop()
        self.cards.show(samples)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

    def _arrange(self) -> None:
        dp, room = self._theme.dp, self.viewport().width() - 1
        columns = max(1, round(room / (dp(CARD) + dp(GAP))))
        height = self._height(room // columns)
        narrowest = dp(LEAST) + dp(GAP)
        while height > self.viewport().height() and columns < MOST:
            if room // (columns + 1) < narrowest:
                break
            columns += 1
            height = self._height(room // columns)
        width = room // columns
        size = QtCore.QSize(width, height)
        if size != self.gridSize():
            self.setGridSize(size)

    def _height(self, width: int) -> int:
        """Height of a card and its gap, at a width of both."""
        dp = self._theme.dp
        return round((width - dp(GAP)) * PICTURE) + dp(FOOT) + dp(GAP)

    def _move(self, index: Index) -> None:
        if index == self.moving and self._movie is not None:
            return
        self._stop()
        self.moving = QtCore.QPersistentModelIndex(index)
        if not index.isValid():
            return
        sample = self.cards.shown[index.row()]
        # a closing page reports its last card too
        if sample.picture is not None and not self._still and self.isVisible():
            self._movie = QtGui.QMovie(str(sample.picture))
            self._movie.setParent(self)
            self._movie.frameChanged.connect(self._refresh)
            self._movie.start()
        self._refresh()

    def _stop(self) -> None:
        before = self.moving
        if self._movie is not None:
            self._movie.stop()
            self._movie.deleteLater()
            self._movie = None
        self.moving = QtCore.QPersistentModelIndex()
        if before.isValid():
            self.update(self.cards.index(before.row()))

    def _refresh(self, *_: object) -> None:
        if self.moving.isValid():
            self.update(self.cards.index(self.moving.row()))

    def _choose(self, index: Index) -> None:
        if index.isValid():
            self.chosen.emit(self.cards.shown[index.row()])

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        super().leaveEvent(event)
        self._move(self.currentIndex() if self.hasFocus() else QtCore.QModelIndex())

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.cards.rowCount():
            self.setCurrentIndex(self.cards.index(0))
        self._move(self.currentIndex())

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._refresh()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(index)
        elif event.key() == Qt.Key.Key_I and index.isValid():
            place = self.visualRect(index).center()
            QtWidgets.QToolTip.showText(
                self.viewport().mapToGlobal(place), summary(self.cards.shown[index.row()]), self
            )
        else:
            super().keyPressEvent(event)
