"""The legend of a pane: per curve a sample of its line, its name and its value at the time
cursor; a click shows or hides a curve, a double click shows it alone.
"""

from typing import NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import comma, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import FAINT, curve_pen

Qt = QtCore.Qt
# px at the normal text size: sample of a line, one without its word, and what lies between
SAMPLE, SHORT, GAP, BETWEEN = 24, 14, 5, 12
THICK_SAMPLE = 2.0

KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Menu,
)


class Entry(NamedTuple):
    """One curve.  color, width: of its line; faint: rigid bodies do not determine it; points: it
    has rings instead of a line.
    """

    key: str
    word: str
    value: str
    color: str
    dash: int
    hidden: bool = False
    faint: bool = False
    tip: str = ""
    width: float = 0.0
    points: bool = False


class Legend(QtWidgets.QWidget):
    """Entries from the right edge, painted, since values change with every picture.

    Where there is no room the words go first, then entries, the hidden ones before the others; what
    is left out stands in a menu.  Left and Right go through the entries, Enter hides one,
    Ctrl+Enter shows it alone, the Menu key opens its look.  It asks for no width of its own.
    toggled(key): a click; isolated(key): a double click; pointed(key): under the pointer, "" for
    none; styled(key, place on the screen): by the right button.
    """

    styled = QtCore.Signal(str, QtCore.QPoint)
    toggled, isolated, pointed = (QtCore.Signal(str) for _ in range(3))

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.entries: tuple[Entry, ...] = ()
        self._places: list[tuple[QtCore.QRect, Entry, bool]] = []
        self._widest: dict[str, int] = {}  # width of each entry without its word, so far [px]
        self._more, self._at = QtCore.QRect(), ""
        self.menu: QtWidgets.QMenu | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Legend"))
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Expanding
        )
        theme.fit(self, least_width=20)
        theme.follow(self._arrange)

    def sizeHint(self) -> QtCore.QSize:
        # it expands; requesting more would shorten the title first
        return QtCore.QSize(self._theme.dp(20), self._theme.dp(20))

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show these; equal ones cost nothing."""
        if entries != self.entries:
            before, self.entries = self._widest, entries
            self._widest = {
                e.key: max(self._width(e, False), before.get(e.key, 0)) for e in entries
            }
            self.setAccessibleDescription(comma().join(f"{e.word} {e.value}" for e in entries))
            self._arrange()

    @property
    def needed(self) -> int:
        """Width of all samples with their values so far [px]: it never shrinks while the time
        runs, or a legend would go to and fro between two places.
        """
        return sum(self._widest.values())

    @property
    def _font(self) -> QtGui.QFont:
        font = QtGui.QFont(self.font())
        font.setPixelSize(self._theme.dp(11))
        return font

    def _width(self, entry: Entry, words: bool) -> int:
        metrics, dp = QtGui.QFontMetrics(self._font), self._theme.dp
        wide = dp(SAMPLE if words else SHORT)
        if words and entry.word:
            wide += dp(GAP) + metrics.horizontalAdvance(tr(entry.word))
        if entry.value:
            # room for its widest digits: the row must not shift while the time runs
            wide += dp(GAP) + metrics.horizontalAdvance(entry.value) + 2
        return wide + dp(BETWEEN)

    def _arrange(self) -> None:
        dp, room = self._theme.dp, self.width()
        shown, words = list(self.entries), True
        whole = lambda: sum(self._width(e, words) for e in shown)
        if whole() > room:
            words = False
        more = dp(30)
        while shown and whole() + (more if len(shown) < len(self.entries) else 0) > room:
            shown.remove(next((e for e in reversed(shown) if e.hidden), shown[-1]))
        x, self._places = room, []
        self._more = QtCore.QRect()
        if len(shown) < len(self.entries):
            x -= more
            self._more = QtCore.QRect(x, 0, more, self.height())
        for entry in reversed(shown):
            wide = self._width(entry, words)
            x -= wide
            self._places.append((QtCore.QRect(x, 0, wide, self.height()), entry, words))
        self.update()

    def place_of(self, key: str) -> QtCore.QPoint:
        """The middle of an entry [px].  Raises StopIteration where it is not shown."""
        return next(rect.center() for rect, e, _ in self._places if e.key == key)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, dp, painter = self._theme, self._theme.dp, QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        font = self._font
        bold = QtGui.QFont(font)
        bold.setWeight(QtGui.QFont.Weight.Medium)
        painter.setFont(font)
        metrics, middle = painter.fontMetrics(), self.height() / 2
        centre = Qt.AlignmentFlag.AlignVCenter
        for rect, e, words in self._places:
            x = rect.left() + dp(BETWEEN) - 2
            if e.key == self._at:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("hover"))
                painter.drawRoundedRect(rect.adjusted(dp(5), dp(5), dp(3), -dp(5)), 4, 4)
            color = theme["line_strong"] if e.hidden else e.color
            faint = FAINT if e.faint and not e.hidden else 1.0
            painter.setPen(curve_pen(theme, color, e.dash, e.width or THICK_SAMPLE, faint))
            long = dp(SAMPLE if words else SHORT)
            if e.points:
                _draw_rings(painter, x, middle, long, dp(5))
            else:
                painter.drawLine(QtCore.QPointF(x, middle), QtCore.QPointF(x + long, middle))
            x += long + dp(GAP)
            if words and e.word:
                painter.setPen(theme.color("text3" if e.hidden else "text2"))
                wide = metrics.horizontalAdvance(tr(e.word))
                painter.drawText(QtCore.QRect(x, 0, wide + 2, self.height()), centre, tr(e.word))
                x += wide + dp(GAP)
            if e.value and not e.hidden:
                painter.setFont(bold)
                painter.setPen(theme.color("text"))
                painter.drawText(
                    QtCore.QRect(x, 0, rect.right() - x + 4, rect.height()), centre, e.value
                )
                painter.setFont(font)
        if not self._more.isNull():
            painter.setPen(theme.color("text3"))
            left = len(self.entries) - len(self._places)
            painter.drawText(self._more, Qt.AlignmentFlag.AlignRight | centre, f"+{left} ")

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._arrange()

    # keys

    def event(self, event: QtCore.QEvent) -> bool:
        if (
            event.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        keys = [e.key for e in self.entries]
        if event.key() not in KEYS or not keys:
            super().keyPressEvent(event)
            return
        at = keys.index(self._at) if self._at in keys else -1
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            by = 1 if event.key() == Qt.Key.Key_Right else -1
            self._point(keys[(at + by) % len(keys) if at >= 0 else 0])
        elif at >= 0 and event.key() == Qt.Key.Key_Menu:
            place = next((r for r, e, _ in self._places if e.key == keys[at]), self.rect())
            self.styled.emit(keys[at], self.mapToGlobal(place.bottomLeft()))
        elif at >= 0:
            alone = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            (self.isolated if alone else self.toggled).emit(keys[at])

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self._point("")
        super().focusOutEvent(event)

    # pointer

    def _entry_at(self, at: QtCore.QPointF) -> Entry | None:
        return next((e for rect, e, _ in self._places if rect.contains(at.toPoint())), None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        entry = self._entry_at(event.position())
        if event.button() == Qt.MouseButton.RightButton and entry is not None:
            self.styled.emit(entry.key, event.globalPosition().toPoint())
        elif event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
        elif entry is not None:
            self.toggled.emit(entry.key)
        elif self._more.contains(event.position().toPoint()):
            self._open_menu()
        else:
            event.ignore()  # the head is dragged there

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if (entry := self._entry_at(event.position())) is not None:
            self.isolated.emit(entry.key)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.buttons():
            event.ignore()
            return
        entry = self._entry_at(event.position())
        self.setToolTip(entry.tip if entry is not None else "")
        self._point("" if entry is None else entry.key)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._point("")

    def _point(self, key: str) -> None:
        if key != self._at:
            self._at = key
            self.pointed.emit(key)
            self.update()

    def _open_menu(self) -> None:
        self.menu = QtWidgets.QMenu(self)
        for e in self.entries:
            action = self.menu.addAction(tr(e.word).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(not e.hidden)
            action.triggered.connect(lambda _=False, key=e.key: self.toggled.emit(key))
        self.menu.popup(self.mapToGlobal(self._more.bottomLeft()))


def _draw_rings(painter: QtGui.QPainter, x: float, middle: float, long: float, size: float) -> None:
    """Rings of measured data along the place of a sample."""
    pen = QtGui.QPen(painter.pen().color(), 1.2)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    count = 3 if long > 4 * size else 2
    for k in range(count):
        place = QtCore.QPointF(x + (k + 0.5) * long / count, middle)
        painter.drawEllipse(place, size / 2, size / 2)
