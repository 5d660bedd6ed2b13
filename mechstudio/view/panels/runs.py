"""List of runs: ticked ones are compared, each with its own hue and dash."""

import math

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.comparison import Difference, differences
from mechstudio.application.plots.traces import run_style
from mechstudio.application.runs.kept_runs import SAME, KeptRun, changes
from mechstudio.application.studio import Studio
from mechstudio.translation import comma, localised, tr, trn
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import color_of, curve_pen
from mechstudio.view.widgets.widgets import column, wrapped

Qt = QtCore.Qt
RUN = Qt.ItemDataRole.UserRole
# px at the normal text size
HIGH, LEFT, TICK, SAMPLE, TEXT, LOCK = 44, 12, 14, 24, 63, 14
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex


class RunRow(QtWidgets.QStyledItemDelegate):
    """Row of a run: tick, line sample, name, what was changed; at the right a lock, and "shown in
    3D" or how far its peak differs.

    shares: that difference in words, by the number of the run.
    """

    def __init__(self, theme: Theme, studio: Studio, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._theme, self._studio = theme, studio
        self.shares: dict[int, str] = {}

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: Index) -> QtCore.QSize:
        return QtCore.QSize(0, self._theme.dp(HIGH))

    def tick_of(self, rect: QtCore.QRect) -> QtCore.QRect:
        """Place of the tick in a row."""
        dp = self._theme.dp
        return QtCore.QRect(rect.left() + dp(LEFT), rect.top() + dp(7), dp(TICK), dp(TICK))

    def paint(
        self,
        painter: QtGui.QPainter,
        option: QtWidgets.QStyleOptionViewItem,
        index: Index,
    ) -> None:
        run: KeptRun = index.data(RUN)
        theme, dp = self._theme, self._theme.dp
        rect: QtCore.QRect = option.rect  # type: ignore[attr-defined]
        state: QtWidgets.QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        present = self._studio.runs.present is run
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        chosen = bool(state & QtWidgets.QStyle.StateFlag.State_Selected)
        over = bool(state & QtWidgets.QStyle.StateFlag.State_MouseOver)
        ground = "accent_soft" if chosen or present else "hover" if over else ""
        if ground:
            painter.fillRect(rect, theme.color(ground))
        if run in self._studio.runs.beside and not run.ticked:
            self._half(painter, self.tick_of(rect))
        else:
            self._tick(painter, self.tick_of(rect), run.ticked or present)
        color, dash = (0, 0) if present else run_style(run.number - 1)
        shade = color_of(theme, color) if present or run.ticked else theme["text3"]
        painter.setPen(curve_pen(theme, shade, dash, 2.0))
        middle = self.tick_of(rect).center().y() + 0.5
        left = rect.left() + dp(LEFT + TICK + 8)
        painter.drawLine(QtCore.QPointF(left, middle), QtCore.QPointF(left + dp(SAMPLE), middle))
        right = rect.right() - dp(10)
        if run.pinned:
            right -= dp(LOCK)
            icon = theme.pixmap("lock", "text2", LOCK)
            painter.drawPixmap(right, rect.top() + dp(8), icon)
            right -= dp(4)
        font = QtGui.QFont(self.parent().font())  # type: ignore[attr-defined]
        font.setPixelSize(dp(12))
        text = rect.left() + dp(TEXT)
        self._write(painter, font, run.title, "text", text, right, rect.top() + dp(6), True)
        font.setPixelSize(dp(11))
        word = tr("shown in 3D") if present else self.shares.get(run.number, "")
        font.setWeight(QtGui.QFont.Weight.DemiBold)
        metrics = QtGui.QFontMetrics(font)
        wide = metrics.horizontalAdvance(word) + dp(11) if word else 0
        line = rect.top() + dp(23)
        edge = rect.right() - dp(10)
        self._write(painter, font, run.remark, "text2", text, edge - wide, line, False)
        if word:
            role = "accent_text" if present else "text"
            self._write(painter, font, word, role, edge - wide + dp(8), edge, line, True)
        painter.restore()

    def _tick(self, painter: QtGui.QPainter, place: QtCore.QRect, on: bool) -> None:
        theme = self._theme
        painter.setPen(QtGui.QPen(theme.color("accent" if on else "line_strong"), 1))
        painter.setBrush(theme.color("accent" if on else "field"))
        painter.drawRoundedRect(QtCore.QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if on:
            w = place.width()
            painter.setPen(QtGui.QPen(theme.color("on_accent"), 1.6))
            painter.drawPolyline(
                QtGui.QPolygonF(
                    [
                        QtCore.QPointF(place.left() + w * x, place.top() + w * y)
                        for x, y in ((0.27, 0.53), (0.44, 0.70), (0.75, 0.33))
                    ]
                )
            )

    def _half(self, painter: QtGui.QPainter, place: QtCore.QRect) -> None:
        """The box of the run before, which is shown in grey though nobody ticked it."""
        self._tick(painter, place, False)
        painter.setPen(QtGui.QPen(self._theme.color("text2"), 1.6))
        middle, edge = QtCore.QRectF(place).center(), 0.25 * place.width()
        painter.drawLine(middle - QtCore.QPointF(edge, 0), middle + QtCore.QPointF(edge, 0))

    def _write(
        self,
        painter: QtGui.QPainter,
        font: QtGui.QFont,
        text: str,
        role: str,
        left: int,
        right: int,
        top: int,
        strong: bool,
    ) -> None:
        font.setWeight(QtGui.QFont.Weight.DemiBold if strong else QtGui.QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        metrics = QtGui.QFontMetrics(font)
        place = QtCore.QRect(left, top, max(right - left, 0), metrics.height())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def createEditor(
        self,
        parent: QtWidgets.QWidget,
        option: QtWidgets.QStyleOptionViewItem,
        index: Index,
    ) -> QtWidgets.QWidget:
        editor = QtWidgets.QLineEdit(parent)
        editor.setAccessibleName(tr("Name"))
        return editor

    def updateEditorGeometry(
        self, editor: QtWidgets.QWidget, option: QtWidgets.QStyleOptionViewItem, index: Index
    ) -> None:
        dp = self._theme.dp
        rect: QtCore.QRect = option.rect  # type: ignore[attr-defined]
        editor.setGeometry(rect.adjusted(dp(TEXT) - 4, dp(2), -dp(8), -dp(20)))

    def setEditorData(self, editor: QtWidgets.QWidget, index: Index) -> None:
        if isinstance(editor, QtWidgets.QLineEdit) and not editor.isModified():
            editor.setText(index.data(RUN).title)
            editor.selectAll()

    def setModelData(
        self, editor: QtWidgets.QWidget, model: QtCore.QAbstractItemModel, index: Index
    ) -> None:
        run: KeptRun = index.data(RUN)
        if isinstance(editor, QtWidgets.QLineEdit) and editor.text().strip() != run.title:
            self._studio.runs.kept.rename(run, editor.text())


class RunList(QtWidgets.QListWidget):
    """Runs, newest first; `shortcuts` has its keys."""

    shortcut_title = "In the list of runs"
    shortcuts = (
        ("Space", "compares, or not"),
        ("F2, double click", "renames"),
        ("Enter", "goes back to its drawing"),
        ("Delete", "forgets"),
    )

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._row = RunRow(theme, studio, self)
        self.setItemDelegate(self._row)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Runs"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.itemDoubleClicked.connect(lambda item: self.editItem(item))
        self._keys = {
            Qt.Key.Key_Space: self._toggle,
            Qt.Key.Key_F2: self._rename,
            Qt.Key.Key_Return: self._studio.runs.go_back_to,
            Qt.Key.Key_Enter: self._studio.runs.go_back_to,
            Qt.Key.Key_Delete: self._forget,
        }

    def refresh(self) -> None:
        """Follow the list of runs; the chosen one stays chosen."""
        studio = self._studio
        found = (
            differences(studio.runs, studio.document.project, studio.questions.curves.answers)
            if studio.runs.present is not None
            else []
        )
        self._row.shares = {d.number: _share(d) for d in found}
        tips = {
            d.number: tr("Peak of {quantity}: {share}", quantity=d.quantity, share=_share(d))
            for d in found
        }
        chosen = self.run
        runs = list(reversed(self._studio.runs.kept.runs))
        if [self.item(k).data(RUN) for k in range(self.count())] != runs:
            self.clear()
            for run in runs:
                item = QtWidgets.QListWidgetItem()
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                item.setData(RUN, run)
                self.addItem(item)
                if run is chosen:
                    self.setCurrentItem(item)
        present = self._studio.runs.present
        for k in range(self.count()):
            item, run = self.item(k), runs[k]
            before = run in self._studio.runs.beside and not run.ticked
            state = tr("compared") if run.ticked else tr("in grey below") if before else ""
            words = [run.title, run.remark, state]
            words += [tr("pinned") if run.pinned else "", tr("shown") if run is present else ""]
            words.append(tips.get(run.number, ""))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, comma().join(filter(None, words)))
            item.setToolTip(
                "\n".join(
                    filter(
                        None,
                        (
                            f"{run.title}: {run.remark}",
                            tips.get(run.number),
                            tr(
                                "The run before lies below in grey. A click on its box compares "
                                "it, one more hides it."
                            )
                            if before
                            else "",
                        ),
                    )
                )
            )
        self.viewport().update()

    @property
    def run(self) -> KeptRun | None:
        """The run that is chosen."""
        item = self.currentItem()
        return None if item is None else item.data(RUN)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        place = event.position().toPoint()
        item = self.itemAt(place)
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            tick = self._row.tick_of(self.visualItemRect(item))
            if tick.adjusted(-6, -6, 6, 6).contains(place):
                self._toggle(item.data(RUN))
                return
        super().mousePressEvent(event)

    def event(self, event: QtCore.QEvent) -> bool:
        if (
            isinstance(event, QtGui.QKeyEvent)
            and event.type() == QtCore.QEvent.Type.ShortcutOverride
            and event.key() in self._keys
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        act, run = self._keys.get(Qt.Key(event.key())), self.run
        # keys that the field for a name leaves come here too
        typing = self.state() == QtWidgets.QAbstractItemView.State.EditingState
        if act is None or event.modifiers() or typing:
            super().keyPressEvent(event)
        elif run is not None:
            act(run)

    def _toggle(self, run: KeptRun) -> None:
        self._studio.runs.kept.set_ticked(run, not run.ticked)

    def _rename(self, run: KeptRun) -> None:
        self.editItem(self.currentItem())

    def type_name(self, run: KeptRun) -> None:
        """Go to a run and let its name be typed."""
        item = next(i for k in range(self.count()) if (i := self.item(k)).data(RUN) is run)
        self.setCurrentItem(item)
        self.scrollToItem(item)
        self.editItem(item)

    def _forget(self, run: KeptRun) -> None:
        if run is not self._studio.runs.present:
            self._studio.runs.kept.forget(lambda each: each is run)

    def _menu(self, place: QtCore.QPoint) -> None:
        item = self.itemAt(place)
        if item is None:
            return
        self.setCurrentItem(item)
        run: KeptRun = item.data(RUN)
        present, kept = self._studio.runs.present is run, self._studio.runs.kept
        menu = QtWidgets.QMenu(self)
        entries = (
            (tr("Compare"), run.ticked, lambda: self._toggle(run), True),
            (tr("Pin"), run.pinned, lambda: kept.set_pinned(run, not run.pinned), True),
            (tr("Rename"), None, lambda: self.editItem(item), True),
            (
                tr("Go back to its drawing"),
                None,
                lambda: self._studio.runs.go_back_to(run),
                not present,
            ),
            (tr("Forget"), None, lambda: self._forget(run), not present),
        )
        for words, on, act, possible in entries:
            action = menu.addAction(words)
            action.setCheckable(on is not None)
            action.setChecked(bool(on))
            action.setEnabled(possible)
            action.triggered.connect(lambda _=False, act=act: act())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.viewport().mapToGlobal(place))


class RunsPanel(QtWidgets.QWidget):
    """The list, or how to begin one.  counted: how many there are."""

    counted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self.list = RunList(theme, studio)
        theme.fit(self.list, least_height=HIGH + 8)
        self.empty = wrapped(tr("Each run is kept here. Press Space to make one."), "three")
        self.empty.setContentsMargins(12, 8, 12, 8)
        self._studio = studio
        self.difference = wrapped("", "two")
        self.difference.setContentsMargins(12, 4, 12, 8)
        self.difference.hide()
        box = column(self)
        box.addWidget(self.empty)
        box.addWidget(self.list, 1)
        box.addWidget(self.difference)
        self.list.currentItemChanged.connect(lambda *_: self._show_difference())
        for signal in (
            studio.runs.kept.changed,
            studio.runs.recorded,
            studio.questions.curves.changed,
        ):
            signal.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        theme.follow(self.list.viewport().update)
        self.refresh()

    def refresh(self) -> None:
        """Bring the list up to date."""
        self.list.refresh()
        count = self.list.count()
        self.list.setVisible(count > 0)
        self.empty.setVisible(count == 0)
        self.counted.emit(trn("one kept", "{count} kept", count) if count else "")
        self._show_difference()

    def _show_difference(self) -> None:
        """Say in what the chosen run differs from the drawing as it is now."""
        run, runs = self.list.run, self._studio.runs
        words = ""
        if run is not None and run is not runs.present:
            found, title = changes(self._studio.document.project, run.project), run.title
            words = (
                tr("{title} is a run of the drawing as it is.", title=title)
                if found == SAME
                else tr(
                    "{title} against the drawing now: {changes}.",
                    title=run.title,
                    changes=tr(found),
                )
            )
        self.difference.setText(words)
        self.difference.setVisible(bool(words))


def _share(difference: Difference) -> str:
    """Difference of a peak in words."""
    if math.isnan(difference.share):
        return "–"
    return localised(f"{100 * difference.share:+.1f} %").replace("-", "−")
