"""The strip under the panes: statistics of each curve between A and B, and its peaks, for the pane
that was used last.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace
from mechstudio.application.studio import Studio
from mechstudio.curves.course import Course
from mechstudio.curves.statistics import Peak, Statistics, peaks, statistics
from mechstudio.translation import Words, localised, tr
from mechstudio.view.plots.ticks import reading
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import color_of, curve_pen

Qt = QtCore.Qt
ROW, HEAD, MOST_ROWS = 22, 24, 5  # px at the normal text size, and rows in sight
MOST_PEAKS = 200
SCROLL = 9  # height of a scroll bar [px]
LATE_MS = 120
TIME = Qt.ItemDataRole.UserRole  # instant that a click jumps to


def course_of(trace: Trace, log: bool) -> Course:
    """Course of a trace in the unit of its axis."""
    return Course(trace.time, 10.0**trace.values if log else trace.values)


def _number(value: float | None, span: float) -> str:
    return "–" if value is None or not math.isfinite(value) else reading(value, span)


# title, value of statistics and its span, instant that it is at
Column = tuple[Words, Callable[[Statistics, float], str], Callable[[Statistics], float | None]]
_nowhere: Callable[[Statistics], float | None] = lambda s: None
COLUMNS: tuple[Column, ...] = (
    ("A", lambda s, span: _number(s.first, span), lambda s: s.start),
    ("B", lambda s, span: _number(s.last, span), lambda s: s.end),
    ("B − A", lambda s, span: _number(s.change, span), _nowhere),
    ("Slope", lambda s, span: _number(s.slope, span / max(s.duration, 1e-300)), _nowhere),
    ("Least", lambda s, span: _number(s.least, span), lambda s: s.least_at),
    ("Greatest", lambda s, span: _number(s.greatest, span), lambda s: s.greatest_at),
    ("Mean", lambda s, span: _number(s.mean, span), _nowhere),
    ("RMS", lambda s, span: _number(s.rms, span), _nowhere),
    (
        "Period",
        lambda s, span: "–" if s.period is None else localised(f"{s.period:.4g} s"),
        _nowhere,
    ),
    (
        "Frequency",
        lambda s, span: "–" if s.frequency is None else localised(f"{s.frequency:.4g} Hz"),
        _nowhere,
    ),
)


class _Table(QtWidgets.QTableWidget):
    """A quiet table of numbers.  A click on one that is at an instant jumps there."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setObjectName("statistics")
        self.setAccessibleName(name)
        self._theme = theme
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.setIconSize(QtCore.QSize(theme.dp(24), theme.dp(12)))

    def put(self, line: int, column: int, text: str, time: float | None, strong: bool) -> None:
        """Write a number."""
        item = self.item(line, column)
        if item is None:
            item = QtWidgets.QTableWidgetItem()
            self.setItem(line, column, item)
        item.setText(text)
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(TIME, time)
        item.setForeground(self._theme.color("accent_text" if time is not None else "text"))
        item.setToolTip(
            tr("At {time} s. Click jumps there", time=localised(f"{time:.4f}"))
            if time is not None
            else ""
        )
        font = QtGui.QFont(self.font())
        font.setWeight(QtGui.QFont.Weight.Medium if strong else QtGui.QFont.Weight.Normal)
        item.setFont(font)

    def set_heads(self, words: list[str]) -> None:
        """Write the heads of the columns, the first one at the left."""
        for k, word in enumerate(words):
            head = QtWidgets.QTableWidgetItem(word)
            align = Qt.AlignmentFlag.AlignLeft if k == 0 else Qt.AlignmentFlag.AlignRight
            head.setTextAlignment(align | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(k, head)

    def name(self, line: int, text: str, icon: QtGui.QIcon) -> None:
        """Write the first column."""
        item = QtWidgets.QTableWidgetItem(icon, text)
        item.setToolTip(text)
        self.setItem(line, 0, item)


class NumbersStrip(QtWidgets.QFrame):
    """Statistics and peaks of a pane.  source(): the pane and its traces, None for none."""

    def __init__(
        self, theme: Theme, studio: Studio, source: Callable[[], tuple[Pane, list[Trace]] | None]
    ) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._source = theme, studio, source
        self._shown: object = None
        self.numbers: list[tuple[Trace, Statistics]] = []
        self.table = _Table(theme, tr("Statistics"))
        self.peaks = _Table(theme, tr("Peaks"))
        theme.fit(self.peaks, width=250)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(6, 2, 6, 4)
        box.setSpacing(8)
        box.addWidget(self.table, 1)
        box.addWidget(self.peaks)
        for table in (self.table, self.peaks):
            table.cellClicked.connect(lambda line, column, t=table: self._jump(t, line, column))
        self._late = QtCore.QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self.refresh)
        theme.follow(self._repaint)

    def soon(self) -> None:
        """Follow what is shown, a moment later."""
        if self.isVisible() and not self._late.isActive():
            self._late.start()

    def _repaint(self) -> None:
        self._shown = None
        self.soon()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self.peaks.setVisible(self.width() > self._theme.dp(700))

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        self.refresh()

    def _icon(self, trace: Trace) -> QtGui.QIcon:
        """A sample of a trace's line."""
        dp, ratio = self._theme.dp, 2.0
        image = QtGui.QPixmap(round(dp(24) * ratio), round(dp(12) * ratio))
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(image)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(curve_pen(self._theme, color_of(self._theme, trace.color), trace.dash, 2.0))
        painter.drawLine(QtCore.QPointF(1, dp(6)), QtCore.QPointF(dp(24) - 1, dp(6)))
        painter.end()
        return QtGui.QIcon(image)

    def refresh(self) -> None:
        """Numbers of the present content."""
        found, between = self._source(), self._studio.plots.between
        traces = [] if found is None else [t for t in found[1] if len(t.time) and not t.before]
        log = found is not None and found[0].log
        state = (
            between,
            tuple(
                (t.key, t.name, t.color, t.dash, len(t.time), float(t.values[-1])) for t in traces
            ),
            log,
            found and found[0].id,
        )
        if state == self._shown:
            return
        self._shown = state
        self.numbers = [
            (t, statistics(course_of(t, log), *between)) for t in traces if between[1] > between[0]
        ]
        self._fill_table(found[0] if found else None)
        self._fill_peaks(log, between)
        dp, lines = self._theme.dp, min(max(len(self.numbers), 2), MOST_ROWS)
        self.setFixedHeight(dp(HEAD) + lines * dp(ROW) + SCROLL + 8)
        policy = Qt.ScrollBarPolicy
        self.table.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if len(self.numbers) > lines else policy.ScrollBarAlwaysOff
        )

    def _fill_table(self, pane: Pane | None) -> None:
        table, plots = self.table, self._studio.plots
        begin, end = plots.between
        words = (
            tr("Between A and B   {time} s", time=localised(f"{end - begin:.3f}"))
            if plots.a is not None and plots.b is not None
            else tr("In sight   {time} s", time=localised(f"{end - begin:.3f}"))
        )
        if pane is not None:
            words = f"{tr(pane.title)}   {words}"
        table.setColumnCount(len(COLUMNS) + 1)
        table.setRowCount(len(self.numbers))
        heads = [words, *(tr(title) for title, _, _ in COLUMNS)]
        heads[1] += localised(f"  {begin:.3f} s")
        heads[2] += localised(f"  {end:.3f} s")
        table.set_heads(heads)
        for line, (t, s) in enumerate(self.numbers):
            table.name(line, f"{tr(t.name)}  {t.curve.unit}", self._icon(t))
            span = abs((s.greatest or 0.0) - (s.least or 0.0))
            for k, (title, text, at) in enumerate(COLUMNS, 1):
                strong = title in ("Least", "Greatest")
                table.put(line, k, text(s, span), at(s) if strong else None, strong)
            table.setRowHeight(line, self._theme.dp(ROW))
        header = table.horizontalHeader()
        modes = QtWidgets.QHeaderView.ResizeMode
        for k in range(len(heads)):
            header.setSectionResizeMode(k, modes.ResizeToContents)
        header.setFixedHeight(self._theme.dp(HEAD))

    def _fill_peaks(self, log: bool, between: tuple[float, float]) -> None:
        """Peaks of all curves in the order of time."""
        found: list[tuple[Trace, Peak]] = [
            (t, peak)
            for t, _ in self.numbers
            for peak in peaks(course_of(t, log), start=between[0], end=between[1])
        ]
        found.sort(key=lambda each: each[1].time)
        left = len(found) - MOST_PEAKS
        found = found[:MOST_PEAKS]
        table = self.peaks
        table.setColumnCount(3)
        table.setRowCount(len(found) + (left > 0))
        title = tr("Peaks") if found else tr("No peaks")
        table.set_heads([title, tr("Value"), tr("Time")])
        for line, (t, peak) in enumerate(found):
            word = tr("greatest") if peak.upward else tr("least")
            table.name(line, word if len(self.numbers) == 1 else tr(t.name), self._icon(t))
            span = float(np.nanmax(t.values) - np.nanmin(t.values))
            table.put(
                line, 1, f"{_number(peak.value, 0.0 if log else span)} {t.curve.unit}", None, True
            )
            table.put(line, 2, localised(f"{peak.time:.3f} s"), peak.time, False)
            table.setRowHeight(line, self._theme.dp(ROW))
        if left > 0:
            table.setItem(len(found), 0, QtWidgets.QTableWidgetItem(tr("and {n} more", n=left)))
        header = table.horizontalHeader()
        modes = QtWidgets.QHeaderView.ResizeMode
        header.setSectionResizeMode(0, modes.Stretch)
        for k in (1, 2):
            header.setSectionResizeMode(k, modes.ResizeToContents)
        header.setFixedHeight(self._theme.dp(HEAD))

    def _jump(self, table: _Table, line: int, column: int) -> None:
        """Put the time cursor to where a number is."""
        item = table.item(line, column)
        if table is self.peaks:
            item = table.item(line, 2)
        time = None if item is None else item.data(TIME)
        if time is not None:
            self._studio.runs.playback.pause()
            self._studio.runs.playback.seek(float(time))
