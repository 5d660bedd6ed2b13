"""The card of constraint errors: every joint with its error over the run, the worst one first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.choice import choose, instead
from mechstudio.application.plots.joint_errors import (
    Errors,
    JointError,
    error_key,
    holding,
    joint_errors,
    keys,
)
from mechstudio.application.plots.layout import split
from mechstudio.application.studio import Studio
from mechstudio.model.units import unit, without_prefixes
from mechstudio.translation import localised, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, IconButton, label, row

Qt = QtCore.Qt
WIDTH, ROW, MOST_ROWS = 430, 24, 8  # px at the normal text size, and rows in sight
PLOTTED = 4  # joints whose errors are plotted together
LATE_MS = 100
JOINT = Qt.ItemDataRole.UserRole


class JointErrorsCard(QtWidgets.QFrame):
    """Errors of all joints, of which the worst one is selected at first.  A click on a joint
    selects it and brings the time cursor to its largest error; the scene shows its gap there,
    magnified.  go(joint): select a joint and bring
    it into sight.
    """

    closed = QtCore.Signal()

    def __init__(
        self, theme: Theme, studio: Studio, host: QtWidgets.QWidget, go: Callable[[str], object]
    ) -> None:
        super().__init__(host)
        self._theme, self._studio, self._go = theme, studio, go
        self.setObjectName("sheet")
        self.errors: list[JointError] = []
        self._read = Errors()
        self._order: list[str] = []
        self._begun = False  # the worst joint was selected
        self.sentence = Elided("", "two")
        self.table = QtWidgets.QTableWidget()
        self.table.setObjectName("statistics")
        self.table.setAccessibleName(tr("Constraint error of joints"))
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setColumnCount(5)
        self.table.cellClicked.connect(lambda line, column: self._chosen(line))
        self.table.cellActivated.connect(lambda line, column: self._chosen(line))
        self.plot = QtWidgets.QPushButton(tr("Plot the errors"))
        self.plot.clicked.connect(lambda _=False: self._plot())
        self.note = Elided(tr("Turns count as angles times the mechanism's size."), "three")
        shut = IconButton(theme, "close", tr("Close (Esc)"), 24, 13, clicked=self.leave)
        head = row(label(tr("Constraint error of joints"), "title"), shut)
        head.box.setStretch(0, 1)
        foot = row(self.note, self.plot, gap=10)
        foot.box.setStretch(0, 1)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(14, 8, 10, 10)
        box.setSpacing(6)
        for widget in (head, self.sentence, self.table, foot):
            box.addWidget(widget)
        self._late = QtCore.QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self.refresh)
        host.installEventFilter(self)
        self._signals = (
            studio.questions.curves.changed,
            studio.runs.recorded,
            studio.runs.playback.changed,
            studio.preferences.units_changed,
        )
        for signal in self._signals:
            signal.connect(self._soon)
        studio.document.changed.connect(self._changed)
        self.refresh()
        self.show()
        self.raise_()
        self.table.setFocus()

    def _soon(self) -> None:
        if not self._late.isActive():
            self._late.start()

    def _changed(self, old: object, new: object) -> None:
        self._soon()

    def refresh(self) -> None:
        """Show the errors that are known now."""
        studio = self._studio
        mechanism, curves = studio.document.project.mechanism, studio.questions.curves
        own = self._read.courses(studio.runs.recording)
        # quantities outside the samples are requested from an analysis
        curves.joint_errors = keys(mechanism, own)
        self.errors = joint_errors(mechanism, own, curves.answers, studio.runs.playback.time)
        self.plot.setEnabled(bool(self.errors))
        self.sentence.set_text(self._words())
        length = unit("length", without_prefixes(studio.preferences.units))
        number = lambda v: (localised(f"{v / length.factor:.1e}") if v else "0").replace("-", "−")
        table, theme = self.table, self._theme
        order = [e.joint for e in self.errors]
        if order != self._order:
            self._order = order
            table.setRowCount(len(order))
        heads = (tr("Joint"), tr("Largest"), tr("At"), tr("Largest gap"), tr("Now"))
        for column, words in enumerate(heads):
            head = QtWidgets.QTableWidgetItem(words)
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            table.setHorizontalHeaderItem(column, head)
        for line, e in enumerate(self.errors):
            texts = (
                e.name,
                number(e.largest),
                localised(f"{e.at:.3f} s"),
                number(e.gap),
                number(e.now),
            )
            for column, text in enumerate(texts):
                item = table.item(line, column)
                if item is None:
                    item = QtWidgets.QTableWidgetItem()
                    table.setItem(line, column, item)
                item.setText(text)
                item.setData(JOINT, e.joint)
                side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                item.setForeground(theme.color("text" if column in (0, 1) else "text2"))
                item.setToolTip(tr("Click selects the joint and brings the time there"))
            table.setRowHeight(line, theme.dp(ROW))
        header = table.horizontalHeader()
        modes = QtWidgets.QHeaderView.ResizeMode
        header.setSectionResizeMode(0, modes.Stretch)
        for column in range(1, len(heads)):
            header.setSectionResizeMode(column, modes.ResizeToContents)
        header.setFixedHeight(theme.dp(ROW))
        rows = min(max(len(order), 1), MOST_ROWS)
        table.setFixedHeight(theme.dp(ROW) * (rows + 1) + 4)
        table.setVisible(bool(order))
        if self.errors and not self._begun:
            self._begun = True
            table.selectRow(0)
            studio.selection.select(self.errors[0].joint)
            studio.marks.show_gap(self.errors[0].joint)
        self.place()

    def _words(self) -> str:
        """The worst joint by name, or why there is none yet."""
        studio = self._studio
        mechanism, curves = studio.document.project.mechanism, studio.questions.curves
        if not holding(mechanism):
            return tr("No joint prevents anything here.")
        if not self.errors:
            if studio.runs.recording is None:
                return tr("There is no run yet: press Space to run the drawing.")
            return curves.sentence or tr("Errors are being found…")
        worst = self.errors[0]
        length = unit("length", without_prefixes(studio.preferences.units))
        size = mechanism.size()
        return tr(
            "{name} is worst: {error} {unit} at {time} s, {share} of the size.",
            name=worst.name,
            error=localised(f"{worst.largest / length.factor:.1e}").replace("-", "−"),
            unit=length.symbol,
            time=localised(f"{worst.at:.3f}"),
            share=localised(f"{worst.largest / size:.0e}").replace("-", "−") if size else "–",
        )

    def _chosen(self, line: int) -> None:
        item = self.table.item(line, 0)
        error = next((e for e in self.errors if item and e.joint == item.data(JOINT)), None)
        if error is not None:
            self.table.selectRow(line)
            self._studio.runs.playback.pause()
            self._studio.runs.playback.seek(error.at)
            self._studio.marks.show_gap(error.joint)
            self._go(error.joint)

    def _plot(self) -> None:
        """Plot the errors of the worst joints in a pane of powers of ten."""
        studio, worst = self._studio, [error_key(e.joint) for e in self.errors[:PLOTTED]]
        project, id = split(studio.document.project, "", "right")
        words = tr("Plot constraint errors")
        made = lambda: instead(project, id, worst, log=True)
        choose(studio.document, studio.notifications, words, made)
        studio.plots.activate(id)

    # place and end

    def place(self) -> None:
        """Stand above the foot of the window, at its left."""
        host, dp = self.parentWidget(), self._theme.dp
        assert host is not None
        self.setFixedWidth(min(dp(WIDTH), host.width() - 16))
        self.adjustSize()
        self.move(12, max(host.height() - self.height() - dp(90), 8))

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.Resize and watched is self.parentWidget():
            self.place()
        return False

    def event(self, event: QtCore.QEvent) -> bool:
        """Keep Escape, which is a shortcut of the window elsewhere."""
        if (
            event.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def leave(self) -> None:
        """Close the card."""
        host = self.parentWidget()
        if host is None:
            return
        host.removeEventFilter(self)
        for signal in self._signals:
            signal.disconnect(self._soon)
        self._studio.document.changed.disconnect(self._changed)
        self._studio.questions.curves.joint_errors = ()
        self._studio.marks.show_gap("")
        self._late.stop()
        self.hide()
        self.setParent(None)
        self.closed.emit()
        self.deleteLater()
