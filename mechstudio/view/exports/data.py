"""The page of curves as tables and as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.export import LABELS, PICTURES, TABLES
from mechstudio.curves.picture import colors, svg
from mechstudio.translation import localised, tr
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.page import Page, State
from mechstudio.view.widgets.svg import drawn_svg
from mechstudio.view.widgets.widgets import Segment, label, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
ROWS, COLUMNS = 22, 5  # of the preview
COLUMN = 96  # px that a column needs
HEADS = 40  # px of the heads' height
THEMES = (("theme", "Theme"), ("paper", "Paper"))


class DataPage(Page):
    """Curves of the panes."""

    @property
    def verb(self) -> str:
        return tr("Save data")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._ending, self._working = ".csv", False
        panel = window.docks.plots_panel
        self.exporter = panel.exporter
        self.hear(self.exporter.saved, self._saved)
        self.hear(self.exporter.finished, self._finished)
        theme = self.theme
        self.head(tr("Data"))
        words = tuple((e, e.lstrip(".").upper()) for e in (*TABLES, *PICTURES))
        self.format = Segment(theme, words, "segment", 26)
        self.format.choose(self._ending)
        self.format.chosen.connect(self._choose)
        self.line(tr("Format"), self.format)
        self.note = label("", "three")
        self.line("", self.note)
        self.paper = Segment(theme, tuple((k, tr(w)) for k, w in THEMES), "segment", 26)
        self.paper.choose("theme")
        self.paper.chosen.connect(self._choose_paper)
        self.paper_line = self.line(tr("Colours"), self.paper)
        self.rule()
        self.copy = QtWidgets.QPushButton(tr("Copy as a table"))
        self.copy.clicked.connect(lambda: self.exporter.copy_table(panel.all_shown()))
        self.lines.addWidget(row(self.copy, None))
        self.paths = self.other("export_paths")
        self.lines.addStretch(1)
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        self.facts = label("", "three")
        box.addWidget(row(label(tr("Preview"), "title"), None, self.facts))
        self.table = QtWidgets.QTableWidget()
        self.table.setObjectName("statistics")
        self.table.setAccessibleName(tr("Statistics"))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QtWidgets.QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QtWidgets.QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setShowGrid(False)
        self.table.verticalHeader().setDefaultSectionSize(theme.dp(24))
        heads = self.table.horizontalHeader()
        heads.setTextElideMode(Qt.TextElideMode.ElideNone)
        # long names of quantities take two lines
        wrapped = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        heads.setDefaultAlignment(Qt.AlignmentFlag(wrapped.value | Qt.TextFlag.TextWordWrap.value))
        theme.fit(heads, height=HEADS)
        self.screen = Screen(theme)
        self.stack = QtWidgets.QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.screen)
        box.addWidget(self.stack, 1)
        self.hear(self.studio.runs.recorded, self._recorded)

    @property
    def suffix(self) -> str:
        return self._ending

    @property
    def kinds(self) -> dict[str, str]:
        endings = dict.fromkeys((self._ending, *TABLES, *PICTURES))
        return {tr("{label} (*{suffix})", label=tr(LABELS[e]), suffix=e): e for e in endings}

    def choose_suffix(self, suffix: str) -> None:
        self.format.choose(suffix)
        self._choose(suffix)

    @property
    def _shown(self):
        return self.window.docks.plots_panel.all_shown()

    @property
    def _is_there(self) -> bool:
        return any(len(t.time) for _, traces in self._shown for t in traces)

    @property
    def state(self) -> State:
        if self._working:
            return State(0.5, tr("Writing the file…"))
        problem = "" if self._is_there else tr("There is nothing to export yet: run the drawing.")
        return State(problem=problem)

    def _choose(self, ending: str) -> None:
        self._ending = ending
        self.refresh()

    def _choose_paper(self, key: str) -> None:
        self.exporter.paper = key == "paper"
        self.refresh()

    def _recorded(self) -> None:
        if self.preview.isVisible():
            self.refresh()

    def _show_picture(self) -> None:
        """The panes as their picture will be."""
        panels, look = self.exporter.panels(self._shown)
        size = (round(look.width), round(look.height))
        self.screen.ratio = look.width / look.height if panels else 16 / 9
        if panels:
            image = drawn_svg(svg(panels, look), size)
            ground = QtGui.QImage(image.size(), QtGui.QImage.Format.Format_RGB32)
            ground.fill(QtGui.QColor(colors(look.theme)["plot"]))
            painter = QtGui.QPainter(ground)
            painter.drawImage(0, 0, image)
            painter.end()
            self.screen.show_image(ground)
        else:
            self.screen.show_words(tr("There is no run yet."))
        self.facts.setText(tr("{w} × {h} pixels", w=size[0], h=size[1]) if panels else "")

    def refresh(self) -> None:
        """Show the beginning of the table, or the picture."""
        self.note.setText(tr(LABELS[self._ending]))
        self.paper_line.setVisible(self._ending in PICTURES)
        self.copy.setEnabled(self._is_there)
        self.stack.setCurrentIndex(int(self._ending in PICTURES))
        if self._ending in PICTURES:
            self._show_picture()
            self.changed.emit()
            return
        found = self.exporter.table(self._shown) if self._is_there else []
        room = self.stack.width() // self.theme.dp(COLUMN)
        shown = found[: min(COLUMNS, max(room, 2))]
        self.table.setColumnCount(len(shown))
        self.table.setRowCount(min(len(found[0].values), ROWS) if found else 0)
        for i, column in enumerate(shown):
            head = QtWidgets.QTableWidgetItem(column.head)
            head.setToolTip(column.head)
            self.table.setHorizontalHeaderItem(i, head)
            for j, value in enumerate(column.values[:ROWS]):
                item = QtWidgets.QTableWidgetItem(localised(f"{value:.6g}"))
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(j, i, item)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Stretch)
        count = len(found[0].values) if found else 0
        more = tr("{rows} rows, {columns} columns", rows=count, columns=len(found))
        if count > ROWS or len(found) > len(shown):
            more = tr("the beginning of {all}", all=more)
        self.facts.setText(more if found else tr("There is no run yet."))
        self.changed.emit()

    def save(self, path: Path) -> None:
        self._working = True
        self.exporter.save(self._shown, path)

    def _saved(self, path: Path) -> None:
        if self._working:
            self.saved.emit(path)

    def _finished(self) -> None:
        self._working = False
        self.changed.emit()

    def show(self) -> None:
        self.refresh()
