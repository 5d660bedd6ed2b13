"""The history: every step in the user's words, the present one marked; a click goes there at once.
It floats over the viewport and blocks nothing.
"""

from collections.abc import Callable
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.actions.registry import Action
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, label, row

Qt = QtCore.Qt
WIDTH, LINE, SHOWN = 264, 26, 14  # px at the normal text size; lines that are seen at once
GAP = 12  # px from the edges of the view


class HistoryPanel(QtWidgets.QFrame):
    """closed(): it was hidden."""

    closed = QtCore.Signal()

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        host: QtWidgets.QWidget,
        trigger: Callable[[Action[Any]], None],
        copy: Action[Any],
        left: Callable[[], int],
    ) -> None:
        """trigger(action) does one; copy: the one that copies the steps.  left: where the tools
        beside it end [px].
        """
        super().__init__(host)
        self.setObjectName("card")
        self._theme, self._studio, self._host, self._left = theme, studio, host, left
        self._labels: list[str] = []
        self.undo = IconButton(
            theme, "undo", tr("Undo"), 24, 15, clicked=lambda: trigger(edit.undo)
        )
        self.redo = IconButton(
            theme, "redo", tr("Redo"), 24, 15, clicked=lambda: trigger(edit.redo)
        )
        self.copy = IconButton(theme, "copy", tr(copy.text), 24, 15, clicked=lambda: trigger(copy))
        close = IconButton(theme, "close", tr("Close"), 24, 14, clicked=self.hide)
        self.list = QtWidgets.QListWidget()
        self.list.setAccessibleName(tr("History"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.itemClicked.connect(lambda item: self._go(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self._go(self.list.row(item)))
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(8, 4, 6, 8)
        box.setSpacing(4)
        box.addWidget(
            row(
                label(tr("History"), "title"),
                None,
                self.undo,
                self.redo,
                self.copy,
                close,
                margins=(6, 0, 0, 0),
                gap=2,
            )
        )
        box.addWidget(self.list)
        host.installEventFilter(self)
        studio.document.changed.connect(self._changed)
        studio.files.opened.connect(self.refresh)
        theme.follow(self.refresh)
        self.hide()

    def _changed(self, old: object, new: object) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Show the steps as they are now; lines that stay are kept."""
        if not self.isVisibleTo(self._host):
            return
        labels, now = self._studio.document.history
        labels = [
            tr("As opened")
            if self._studio.document.is_whole
            else tr("Earlier steps are forgotten"),
            *labels[1:],
        ]
        if (
            len(labels) == len(self._labels) > 2
            and labels[1:-1] == self._labels[2:]
            and labels[1] != self._labels[1]
        ):
            # the oldest step made way for a new one
            self.list.takeItem(1)
            del self._labels[1]
        if self._labels and self._labels[0] != labels[0]:
            self.list.item(0).setText(labels[0])
            self._labels[0] = labels[0]
        same = next(
            (k for k, (a, b) in enumerate(zip(self._labels, labels)) if a != b),
            min(len(self._labels), len(labels)),
        )
        while self.list.count() > same:
            self.list.takeItem(self.list.count() - 1)
        self.list.addItems(labels[same:])
        for k in range(same, len(labels)):
            self.list.item(k).setToolTip(labels[k])
        self._labels = labels
        plain, ahead = (QtGui.QBrush(self._theme.color(role)) for role in ("text", "text3"))
        for k in range(len(labels)):
            item, brush = self.list.item(k), ahead if k > now else plain
            if item.foreground() != brush:
                item.setForeground(brush)
        self.list.setCurrentRow(now)
        self.list.scrollToItem(self.list.item(now))
        self.undo.setEnabled(now > 0)
        self.redo.setEnabled(now + 1 < len(labels))
        self.copy.setEnabled(now > 0)
        self.place()

    def _go(self, k: int) -> None:
        edit.go_to(self._studio, k)

    def place(self) -> None:
        """At the lower left of the view, beside the tools, as high as its lines."""
        host, dp = self._host, self._theme.dp
        lines = min(max(len(self._labels), 3), SHOWN)
        width = min(dp(WIDTH), host.width() - 2 * GAP)
        height = min(lines * dp(LINE) + dp(44), host.height() - 2 * GAP)
        self.setGeometry(
            min(self._left() + GAP, host.width() - width - GAP),
            host.height() - height - dp(36),
            width,
            height,
        )
        self.raise_()

    def show_panel(self) -> None:
        self.show()
        self.refresh()
        self.list.setFocus()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.Resize and self.isVisible():
            self.place()
        return False

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def event(self, event: QtCore.QEvent) -> bool:
        # the list's own keys: Space and letters must not act on the drawing from here, Ctrl+Z must
        if (
            isinstance(event, QtGui.QKeyEvent)
            and event.type() == QtCore.QEvent.Type.ShortcutOverride
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
            and event.key()
            in (
                Qt.Key.Key_Up,
                Qt.Key.Key_Down,
                Qt.Key.Key_Home,
                Qt.Key.Key_End,
                Qt.Key.Key_Return,
                Qt.Key.Key_Enter,
                Qt.Key.Key_Escape,
            )
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
