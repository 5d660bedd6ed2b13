"""The page of the report: chapters in an order that is dragged, and its pages as they will be."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.films.moving_drawing import moving_drawing
from mechstudio.application.lessons.sheet import exercises
from mechstudio.application.notifications import Message
from mechstudio.model.equations.report import (
    CHAPTERS,
    DRAWING,
    LABELS,
    LESSON,
    PAPERS,
    SOLUTIONS,
    Report,
    listed_chapters,
)
from mechstudio.model.project import Project, ReportChoice
from mechstudio.model.types.exports import EXPORTS, ExportFormat
from mechstudio.translation import tr
from mechstudio.view.exports.documents import DocumentPage
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.page import FIELD, State
from mechstudio.view.exports.report_content import FIGURES, SENTENCES, TABLES, subtitle
from mechstudio.view.widgets.widgets import Elided, Segment, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
KEY = Qt.ItemDataRole.UserRole
SHARP = 110.0  # pixels per inch of the preview
WAIT_MS = 350  # after the last choice, until the preview is made again
RATIOS = {"a4": 210 / 297, "us-letter": 8.5 / 11}


def _paper_of(project: Project) -> str:
    kept = "" if project.report is None else project.report.paper
    return kept if kept in RATIOS else next(iter(RATIOS))


class ReportPage(DocumentPage):
    """The report: chosen chapters as PDF or HTML."""

    _moving_made = QtCore.Signal(int, str, str)

    @property
    def verb(self) -> str:
        return tr("Save report")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "report-pdf")
        self._paper, self._sheets, self._at = _paper_of(self.studio.document.project), [], 0
        self._is_shown = False
        self._waiting: dict[int, Report] = {}  # that wait for their motion
        self._pending = 0
        self._moving_made.connect(self._take_moving)
        self._fill()
        self._fill_preview()
        # what is typed and ticked one after the other is made once
        self._late = QtCore.QTimer(self, singleShot=True, interval=WAIT_MS)
        self._late.timeout.connect(self._request_preview)
        exports = self.studio.questions.exports
        self.hear(exports.pages, self._take)
        self.hear(self.studio.document.changed, self._drawing_changed)

    def _fill(self) -> None:
        theme = self.theme
        self.head(tr("Report"))
        found = sorted(self.formats, key=lambda f: f.id != self.format)
        words = tuple((f.id, tr(f.short)) for f in found)
        self.segment = Segment(theme, words, "tight", 26)
        self.segment.choose(self.format)
        self.segment.chosen.connect(self._choose)
        self.line(tr("Format"), self.segment)
        self.papers = Segment(theme, tuple((k, tr(w)) for k, w in PAPERS), "segment", 26)
        self.papers.choose(self._paper)
        self.papers.chosen.connect(self._choose_paper)
        self.line(tr("Page"), self.papers)
        self.title = QtWidgets.QLineEdit(self.studio.questions.exports.title)
        self.title.setAccessibleName(tr("Title"))
        self.title.textEdited.connect(lambda text: self._late.start())
        frame = QtWidgets.QFrame()
        frame.setObjectName("field")
        box = QtWidgets.QHBoxLayout(frame)
        box.setContentsMargins(7, 0, 7, 0)
        box.addWidget(self.title)
        theme.fit(frame, height=FIELD, width=236)
        self.line(tr("Title"), frame)
        self.rule()
        self.head(tr("Contents, drag to order"))
        self.list = QtWidgets.QListWidget()
        self.list.setObjectName("chapters")
        self.list.setAccessibleName(tr("Contents"))
        self.list.setDragDropMode(QtWidgets.QListWidget.DragDropMode.InternalMove)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.fit(self.list, height=30 * len(CHAPTERS))
        self._list_chapters()
        self.list.itemChanged.connect(lambda item: self._chosen())
        self.list.model().rowsMoved.connect(lambda *moved: self._chosen())
        self.lines.addWidget(self.list)
        self.lines.addStretch(1)

    def _fill_preview(self) -> None:
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 16, 24, 12)
        box.setSpacing(6)
        self.where = Elided(tr("Preview"), "title")
        self.back = QtWidgets.QPushButton(tr("Previous"))
        self.forth = QtWidgets.QPushButton(tr("Next"))
        for button, by in ((self.back, -1), (self.forth, 1)):
            button.setObjectName("flat")
            button.clicked.connect(lambda _=False, by=by: self._turn(by))
        turns = row(self.where, self.back, self.forth)
        turns.box.setStretch(0, 1)
        box.addWidget(turns)
        self.screen = Screen(self.theme)
        box.addWidget(self.screen, 1)

    # choices

    def _list_chapters(self) -> None:
        """Fill the list as the project keeps it."""
        with QtCore.QSignalBlocker(self.list), QtCore.QSignalBlocker(self.list.model()):
            at = self.list.currentRow()
            self.list.clear()
            for key, on in listed_chapters(self.studio.document.project):
                item = QtWidgets.QListWidgetItem(tr(LABELS[key]))
                item.setData(KEY, key)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
                self.list.addItem(item)
            self.list.setCurrentRow(at)
        self.list.viewport().update()

    def _listed(self) -> tuple[tuple[str, bool], ...]:
        items = [self.list.item(k) for k in range(self.list.count())]
        return tuple((i.data(KEY), i.checkState() == Qt.CheckState.Checked) for i in items)

    def _keep(self) -> None:
        """Keep the choice in the project, as one step of its history."""
        document, listed = self.studio.document, self._listed()
        old = document.project.report
        extra = {} if old is None else old.extra
        left_out = tuple(key for key, on in listed if not on)
        choice = ReportChoice(tuple(key for key, _ in listed), left_out, self._paper, extra)
        document.commit(
            tr("Chapters of the report"), msgspec.structs.replace(document.project, report=choice)
        )

    @property
    def chapters(self) -> tuple[str, ...]:
        """Keys of the ticked chapters in their order."""
        return tuple(key for key, on in self._listed() if on)

    def _chosen(self) -> None:
        self._keep()
        self._late.start()
        self.changed.emit()

    @property
    def formats(self) -> tuple[ExportFormat, ...]:
        return tuple(f for f in EXPORTS if f.report)

    def choose_suffix(self, suffix: str) -> None:
        format = next(f.id for f in self.formats if f.suffix == suffix)
        self.segment.choose(format)
        self._choose(format)

    def _choose(self, format: str) -> None:
        self.format = format
        self.changed.emit()

    def _choose_paper(self, paper: str) -> None:
        self._paper = paper
        self._keep()
        self._late.start()

    def report(self, preview: float = 0.0) -> Report:
        """The report as it is chosen, with what only the window knows."""
        chosen, window = self.chapters, self.window
        analysis = self.studio.questions.analysis
        small = preview > 0
        return Report(
            chosen,
            self._paper,
            subtitle(window),
            {key: make(window, small) for key, make in FIGURES.items() if key in chosen},
            {key: make(window) for key, make in TABLES.items() if key in chosen},
            {key: make(window) for key, make in SENTENCES.items() if key in chosen},
            preview,
            structure=None if analysis is None else analysis.structure,
            exercises=exercises(self.studio, SOLUTIONS in chosen) if LESSON in chosen else (),
        )

    @property
    def _method(self) -> tuple[str, str]:
        return self.method, self.studio.preferences.units

    # preview

    def _request_preview(self) -> None:
        if not self._is_shown or not self.studio.document.has_bodies:
            return
        method, units = self._method
        self.where.set_text(tr("Preview is being made…"))
        exports = self.studio.questions.exports
        exports.request(
            "report-pdf", method, units, report=self.report(SHARP), title=self.title.text()
        )

    def _take(self, sheets: list[bytes]) -> None:
        if self._is_shown:
            self._sheets = [QtGui.QImage.fromData(sheet) for sheet in sheets]
            self._turn(0)

    def _turn(self, by: int) -> None:
        """Show another page."""
        count = len(self._sheets)
        self._at = min(max(self._at + by, 0), max(count - 1, 0))
        self.back.setEnabled(self._at > 0)
        self.forth.setEnabled(self._at + 1 < count)
        if not count:
            return
        self.where.set_text(tr("Page {k} of {count}", k=self._at + 1, count=count))
        self.screen.ratio = RATIOS[self._paper]
        opaque = QtGui.QImage.Format.Format_RGB32
        self.screen.show_image(self._sheets[self._at].convertToFormat(opaque))

    def _drawing_changed(self, old: Project, new: Project) -> None:
        if listed_chapters(new) != self._listed():
            self._list_chapters()
            self.changed.emit()
        if self._paper != _paper_of(new):
            self._paper = _paper_of(new)
            self.papers.choose(self._paper)
        if self._is_shown:
            self._late.start()

    @property
    def state(self) -> State:
        found = super().state
        if self._waiting:
            return State(0.02, tr("Preparing the motion…"))
        if not self.chapters and not found.problem:
            return State(problem=tr("Tick a chapter."))
        return found

    def save(self, path: Path) -> None:
        self._path = path
        report = self.report()
        if self.format != "report-html" or DRAWING not in report.chapters:
            self._request(report)
            return
        # long runs take seconds to be looked through for their cycle
        self._pending += 1
        self._waiting[self._pending] = report
        number, runs, project = self._pending, self.studio.runs, self.studio.document.project
        recording = runs.recording
        if recording is not None and recording.stale:
            recording = None
        camera = self.window.viewport.framing.kept

        def work() -> None:
            try:
                self._moving_made.emit(number, moving_drawing(project, recording, camera), "")
            except Exception as error:  # reported in the window's thread
                self._moving_made.emit(number, "", f"{error}" or type(error).__name__)

        threading.Thread(target=work, name="moving drawing", daemon=True).start()

    def _request(self, report: Report) -> None:
        method, units = self._method
        self.studio.questions.exports.request(
            self.format, method, units, self._path, report=report, title=self.title.text()
        )

    def _take_moving(self, number: int, numbers: str, problem: str) -> None:
        report = self._waiting.pop(number, None)
        if report is None or self._path is None:
            return  # it was given up
        if problem:
            text = tr("The report shows a picture, since the motion failed: {cause}", cause=problem)
            self.studio.notifications.say(Message("warning", text, "moving drawing"))
        self._request(msgspec.structs.replace(report, moving=numbers))

    def stop(self) -> None:
        if self._waiting:
            self._waiting.clear()
            self._path = None
            self.changed.emit()
        super().stop()

    def show(self) -> None:
        super().show()
        self._is_shown = True
        self.screen.ratio = RATIOS[self._paper]
        self.screen.show_words(tr("The pages come in a moment."))
        self._turn(0)
        self._late.start(1)

    def hide(self) -> None:
        self._is_shown = False
        self._late.stop()
        super().hide()
