"""The page of models for other programs: formats of files, and the equations as a model that moves
by itself.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.files.exchange import ExchangeFormat, content, left_out, written
from mechstudio.model.types.exports import BY_ID, EXPORTS, MODEL, ExportFormat
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.exports.documents import DocumentPage
from mechstudio.view.exports.page import State
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


WAIT_MS = 350  # after the last edit, until the notes are made again


class ModelPage(DocumentPage):
    """The mechanism in a format of another program, or its equations as one; content that it
    cannot hold is reported before it is written.
    """

    _noted = QtCore.Signal(object, object)

    @property
    def verb(self) -> str:
        return tr("Save model")

    def __init__(self, window: MainWindow) -> None:
        models = {f.id: f for f in EXPORTS if f.page == MODEL}
        super().__init__(window, next(iter(models)))
        self._formats = written()
        self._key = next(iter(self._formats))
        every: dict[str, ExchangeFormat | ExportFormat] = self._formats | models
        self._every = every
        self._notes: list[str] = []
        self._request: object = None  # stands for the look whose notes are shown
        self._is_shown = False
        # edits in quick succession are checked once
        self._late = QtCore.QTimer(self, singleShot=True, interval=WAIT_MS)
        self._late.timeout.connect(self._look)
        self._noted.connect(self._show_notes)
        self.hear(self.studio.document.changed, self._drawing_changed)
        self._working = False
        self._files = FileMaking(self.studio.notifications, self)
        self._files.saved.connect(self.saved.emit)
        self._files.finished.connect(self._finished)
        self.head(tr("Model"))
        self.choice = Choice(
            self.theme,
            tr("Format"),
            lambda: [(key, tr(f.label), "") for key, f in every.items()],
            lambda: self._key,
            self._choose,
            group=lambda key: tr(every[key].group),
        )
        self.theme.fit(self.choice, width=226)
        self.line(tr("Format"), self.choice)
        self.cannot = wrapped("", "three")
        self.lines.addWidget(self.cannot)
        self.rule()
        self.head(tr("As Python"))
        self.lines.addWidget(wrapped(tr("A script that draws it again and runs it."), "three"))
        self.python = self.other("export_python")
        self.lines.addStretch(1)
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        box.addWidget(row(label(tr("What cannot go along"), "title"), None))
        self.notes = wrapped("", "two")
        box.addWidget(Scroll(row(self.notes, None, vertical=True)), 1)

    @property
    def exchange(self) -> ExchangeFormat | None:
        """The chosen format of files; None for equations."""
        return self._formats.get(self._key)

    @property
    def stem(self) -> str:
        return self.studio.questions.exports.stem

    @property
    def suffix(self) -> str:
        return super().suffix if self.exchange is None else self.exchange.suffixes[0]

    @property
    def kinds(self) -> dict[str, str]:
        kinds = {}
        for key in dict.fromkeys((self._key, *self._every)):
            endings = _endings(self._every[key])
            shown = " ".join(f"*{ending}" for ending in endings)
            kind = tr(self._every[key].kind)
            kinds[tr("{kind} ({endings})", kind=kind, endings=shown)] = endings[0]
        return kinds

    def choose_suffix(self, suffix: str) -> None:
        self.choice.choose(next(k for k, f in self._every.items() if _endings(f)[0] == suffix))

    @property
    def state(self) -> State:
        if self.exchange is None:
            return super().state
        if self._working:
            return State(0.5, tr("Writing the file…"))
        empty = not self.studio.document.has_bodies
        return State(problem=tr("There is nothing drawn yet.") if empty else "")

    def _choose(self, key: str) -> None:
        self._key = key
        self.format = key if key in BY_ID else self.format
        self.show()

    def _drawing_changed(self, old: object, new: object) -> None:
        if self._is_shown:
            self._late.start()

    def _look(self) -> None:
        """Try the format in a thread of its own, since meshes and long motions take their time."""
        format, project = self.exchange, self.studio.document.project
        recording = self.studio.runs.recording
        request = self._request = object()
        if format is None:
            words = tr(
                "The equations of motion with their parameters and the start of the drawing go "
                "along."
            )
            self._show_notes(request, [self.refusal or words])
            self.changed.emit()
            return

        def work() -> None:
            try:
                found: object = left_out(format, project, recording)
            except Exception as error:  # the reason why it cannot be written
                found = [str(error)]
            self._noted.emit(request, found)

        threading.Thread(target=work, name="model notes", daemon=True).start()

    def _show_notes(self, request: object, notes: list[str]) -> None:
        if request is self._request and self._is_shown:
            self._notes = notes
            sentences = "\n".join(notes)
            self.notes.setText(sentences or tr("Everything that is drawn goes along."))

    def hide(self) -> None:
        self._is_shown = False
        self._late.stop()

    def show(self) -> None:
        self._is_shown = True
        cannot = (self.exchange or BY_ID[self.format]).cannot
        self.cannot.setText(
            tr("This format cannot hold: {what}", what=tr(cannot)) if cannot else ""
        )
        self.notes.setText(tr("Looking at the drawing…"))
        self._request = None  # what is still to be reported is of another format
        self._late.start(1)
        if self.exchange is None:
            self.studio.questions.exports.prepare()
        self.changed.emit()

    def save(self, path: Path) -> None:
        format, project = self.exchange, self.studio.document.project
        if format is None:
            super().save(path)
            return
        recording = self.studio.runs.recording
        self._working, self._notes = True, []

        def make() -> bytes:
            made, self._notes = content(format, project, recording, path)
            return made

        self._files.make(path, make)

    def _finished(self) -> None:
        self._working = False
        self.notes.setText("\n".join(self._notes) or tr("Everything that is drawn goes along."))
        self.changed.emit()


def _endings(format: ExchangeFormat | ExportFormat) -> tuple[str, ...]:
    """Endings of the files of a format, the usual one first."""
    return format.suffixes if isinstance(format, ExchangeFormat) else (format.suffix,)
