"""The small widgets that all panels are made of."""

import re
from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.theme import Theme

Qt = QtCore.Qt


def label(text: str = "", name: str = "", selectable: bool = False) -> QtWidgets.QLabel:
    """A text; `name` is its look in the style sheet: title, two, three, small, display, clock."""
    item = QtWidgets.QLabel(text)
    item.setObjectName(name)
    item.setTextFormat(Qt.TextFormat.PlainText)
    if selectable:
        item.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return item


def wrapped(text: str, name: str = "") -> QtWidgets.QLabel:
    """A text over several lines, as high as it needs at the width it gets."""
    item = label(text, name)
    _wrap(item)
    return item


def _wrap(item: QtWidgets.QLabel) -> None:
    item.setWordWrap(True)
    policy = QtWidgets.QSizePolicy(
        QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Minimum
    )
    policy.setHeightForWidth(True)
    item.setSizePolicy(policy)


class Linked(QtWidgets.QLabel):
    """Rich text over several lines with links to click, in the theme's colour."""

    def __init__(self, theme: Theme, name: str, opened: Callable[[str], object]) -> None:
        super().__init__()
        self.setObjectName(name)
        _wrap(self)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.linkActivated.connect(opened)
        theme.changed.connect(self._dress)

    def _dress(self) -> None:
        """Take the links' colour of a palette that is another now: Qt writes it into the text."""
        text = self.text()
        self.clear()
        self.setText(text)


LONG = 18  # letters of a word from which on it may be broken anywhere


def breakable(text: str) -> str:
    """The text with places to break inside words that are longer than a line may be, as links and
    file names are: a label is as wide as its longest word at least.  Chinese breaks by itself, and
    other words at their hyphens.
    """
    return re.sub(rf"[^\s\u2e80-\uffff-]{{{LONG},}}", lambda m: "\u200b".join(m[0]), text)


class _Words(QtWidgets.QLabel):
    """The text inside a widget that measures it itself.  font_changed: measure it again.  An event
    filter would be called for every event of every text.
    """

    font_changed = QtCore.Signal()

    def __init__(self, owner: QtWidgets.QWidget, name: str, align: Qt.AlignmentFlag) -> None:
        super().__init__(owner)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(align | Qt.AlignmentFlag.AlignVCenter)

    def changeEvent(self, event: QtCore.QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QtCore.QEvent.Type.FontChange:
            self.font_changed.emit()


class Elided(QtWidgets.QWidget):
    """One line of text that shortens with an ellipsis instead of pushing its neighbours away."""

    def __init__(
        self, text: str = "", name: str = "", align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    ) -> None:
        super().__init__()
        self._label, self._full = _Words(self, name, align), ""
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label.font_changed.connect(self._measure)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Fixed
        )
        self.set_text(text)

    def text(self) -> str:
        return self._full

    def set_text(self, text: str) -> None:
        if text != self._full:
            self._full = text
            self.setToolTip(text)
            self.updateGeometry()
            self._fit()

    def _fit(self) -> None:
        self._label.ensurePolished()
        self._label.setText(
            self._label.fontMetrics().elidedText(
                self._full, Qt.TextElideMode.ElideRight, self.width()
            )
        )

    def _measure(self) -> None:
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QtCore.QSize:
        self._label.ensurePolished()
        metrics = self._label.fontMetrics()
        return QtCore.QSize(metrics.horizontalAdvance(self._full) + 2, metrics.height())

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._label.setGeometry(self.rect())
        self._fit()


class Readout(QtWidgets.QWidget):
    """A running number.  It keeps the room of its widest text, so that a new digit neither moves
    its neighbours nor makes the window lay itself out again: with a label in its place that costs
    as much as drawing the curves.
    """

    def __init__(self, name: str = "", text: str = "–") -> None:
        super().__init__()
        self._label, self._widest = _Words(self, name, Qt.AlignmentFlag.AlignRight), text
        self._label.setText(text)
        self._label.font_changed.connect(self.updateGeometry)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Fixed
        )

    def text(self) -> str:
        return self._label.text()

    def show_text(self, text: str) -> None:
        if text != self._label.text():
            self._label.setText(text)

    def reserve(self, text: str) -> None:
        """Keep room for a text as wide as this one."""
        if text != self._widest:
            self._widest = text
            self.updateGeometry()

    def sizeHint(self) -> QtCore.QSize:
        self._label.ensurePolished()
        metrics = self._label.fontMetrics()
        return QtCore.QSize(metrics.horizontalAdvance(self._widest) + 2, metrics.height())

    def minimumSizeHint(self) -> QtCore.QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._label.setGeometry(self.rect())


def column(owner: QtWidgets.QWidget, gap: int = 0) -> QtWidgets.QVBoxLayout:
    """The layout of a widget that stacks its parts over all the room it has; gap: between them
    [px].
    """
    box = QtWidgets.QVBoxLayout(owner)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(gap)
    return box


class RowFrame(QtWidgets.QFrame):
    """A line or a column of widgets; `box` is its layout."""

    def __init__(self, box: QtWidgets.QBoxLayout) -> None:
        super().__init__()
        self.box = box
        self.setLayout(box)


def row(
    *items: QtWidgets.QWidget | int | None,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    gap: int = 8,
    name: str = "row",
    vertical: bool = False,
) -> RowFrame:
    """A line (or column) of widgets; None stretches, an int is a gap."""
    box = QtWidgets.QVBoxLayout() if vertical else QtWidgets.QHBoxLayout()
    frame = RowFrame(box)
    frame.setObjectName(name)
    box.setContentsMargins(*margins)
    box.setSpacing(gap)
    for item in items:
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        else:
            box.addWidget(item)
    return frame


def throw_away(widget: QtWidgets.QWidget) -> None:
    """Hide and delete a widget; a layout drops it by itself.

    It is hidden first: a layout shows new widgets one turn of the event loop later, and by then it
    would be a window of its own.
    """
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()


class Picture(QtWidgets.QLabel):
    """An icon that follows the theme."""

    def __init__(
        self, theme: Theme, name: str, role: str = "text2", size: int = 16, width: float = 1.75
    ) -> None:
        super().__init__()
        self._theme, self._is = theme, (name, role, size, width)
        self._paint()
        theme.follow(self._paint)

    def show_icon(self, name: str, role: str) -> None:
        self._is = (name, role, *self._is[2:])
        self._paint()

    def _paint(self) -> None:
        self.setPixmap(self._theme.pixmap(*self._is))


class IconButton(QtWidgets.QToolButton):
    """A flat button with an icon, recoloured with the theme; the tooltip describes its effect."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        tip: str = "",
        size: int = 28,
        glyph: int = 18,
        checkable: bool = False,
        clicked: Callable[[], object] | None = None,
        role: str = "text2",
    ) -> None:
        super().__init__()
        self._theme, self._icon, self._role, self._glyph = theme, icon, role, glyph
        theme.fit(self, width=size, height=size, icon=glyph)
        self.setCheckable(checkable)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if clicked is not None:
            self.clicked.connect(lambda _=False: clicked())
        theme.follow(self._paint)
        self._paint()

    def set_icon(self, icon: str, tip: str = "") -> None:
        if icon != self._icon:
            self._icon = icon
            self._paint()
        if tip:
            self.setToolTip(tip)
            self.setAccessibleName(tip)

    def _paint(self) -> None:
        self.setIcon(self._theme.icon(self._icon, self._role, self._glyph))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        # Space belongs to playing; Enter presses a focused button
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Segment(QtWidgets.QFrame):
    """A row of words of which one is chosen.  chosen: its key."""

    chosen = QtCore.Signal(str)

    def __init__(
        self,
        theme: Theme,
        words: tuple[tuple[str, str], ...],
        name: str = "segment",
        height: int = 28,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        theme.fit(self, height=height)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(2, 2, 2, 2)
        box.setSpacing(1)
        self._buttons: dict[str, QtWidgets.QPushButton] = {}
        for key, word in words:
            button = QtWidgets.QPushButton(word)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            # as high as the row, so that accents of capitals have room
            button.setSizePolicy(
                QtWidgets.QSizePolicy.Policy.Minimum, QtWidgets.QSizePolicy.Policy.Expanding
            )
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            box.addWidget(button)
            self._buttons[key] = button

    def button(self, key: str) -> QtWidgets.QPushButton:
        return self._buttons[key]

    def choose(self, key: str) -> None:
        """Show `key` as chosen, without a signal."""
        self._buttons[key].setChecked(True)


class Bar(QtWidgets.QWidget):
    """Progress bar that repaints with the next picture; a QProgressBar repaints the whole window at
    once with every step.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._value = theme, 0
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        self.setFixedHeight(4)
        theme.changed.connect(self.update)

    def value(self) -> int:
        return self._value

    def set_value(self, percent: int) -> None:
        if percent != self._value:
            self._value = percent
            self.setAccessibleDescription(f"{percent} %")
            self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole, half = QtCore.QRectF(self.rect()), self.height() / 2
        for role, width in (
            ("press", whole.width()),
            ("accent", whole.width() * self._value / 100),
        ):
            painter.setBrush(self._theme.color(role))
            painter.drawRoundedRect(
                QtCore.QRectF(0, 0, width, whole.height()), min(half, width / 2), half
            )
        painter.end()


def dot(
    color: str, size: float = 10, box: int = 16, round_: float = 3, ratio: float = 2.0
) -> QtGui.QPixmap:
    """A rounded square in a body's colour."""
    image = QtGui.QPixmap(round(box * ratio), round(box * ratio))
    image.fill(Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(image)
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.setBrush(QtGui.QColor(color))
    painter.setPen(Qt.PenStyle.NoPen)
    edge = (box - size) / 2 * ratio
    painter.drawRoundedRect(
        QtCore.QRectF(edge, edge, size * ratio, size * ratio), round_ * ratio, round_ * ratio
    )
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def set_property(widget: QtWidgets.QWidget, name: str, value: object) -> bool:
    """Set a property that the style sheet reads, and style again if it is another; returns whether
    it was.
    """
    if widget.property(name) == value:
        return False
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    return True
