"""The page of formats of other programs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.files.exchange import ExchangeFormat, content, left_out, written
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.making import FileMaking
from mechstudio.view.exports.page import Page, State
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


WAIT_MS = 350  # after the last edit, until the notes are made again


class ModelPage(Page):
    """The mechanism in a format of another program; content that it cannot hold is reported before
    it is written.
    """

    _noted = QtCore.Signal(int, object)

    @property
    def verb(self) -> str:
        return tr("Save model")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._formats = written()
        self._key = next(iter(self._formats))
        self._notes: list[str] = []
        self._request, self._is_shown = 0, False
        # edits in quick succession are checked once
        self._late = QtCore.QTimer(self, singleShot=True, interval=WAIT_MS)
        self._late.timeout.connect(self._look)
        self._noted.connect(self._show_notes)
        self.hear(self.studio.document.changed, self._drawing_changed)
        self._working = False
        self._files = FileMaking(self.studio.notifications, self)
        self._files.saved.connect(self._written)
        self._files.finished.connect(self._finished)
        self.head(tr("Model"))
        self.choice = Choice(
            self.theme,
            tr("Format"),
            lambda: [(key, tr(kind.label), "") for key, kind in self._formats.items()],
            lambda: self._key,
            self._choose,
        )
        self.theme.fit(self.choice, "setFixedWidth", 226)
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
    def format(self) -> ExchangeFormat:
        return self._formats[self._key]

    @property
    def suffix(self) -> str:
        return self.format.suffixes[0]

    @property
    def kinds(self) -> str:
        endings = " ".join(f"*{s}" for s in self.format.suffixes)
        return tr("{kind} ({endings})", kind=tr(self.format.kind), endings=endings)

    @property
    def state(self) -> State:
        if self._working:
            return State(0.5, tr("Writing the file…"))
        empty = not self.studio.document.has_bodies
        return State(problem=tr("There is nothing drawn yet.") if empty else "")

    def _choose(self, key: str) -> None:
        self._key = key
        self.show()

    def _drawing_changed(self, old: object, new: object) -> None:
        if self._is_shown:
            self._late.start()

    def _look(self) -> None:
        """Try the format in a thread of its own, since meshes and long motions take their time."""
        format, project = self.format, self.studio.document.project
        recording = self.studio.runs.recording
        self._request += 1
        number = self._request

        def work() -> None:
            try:
                found: object = left_out(format, project, recording)
            except Exception as error:  # the reason why it cannot be written
                found = [str(error)]
            self._noted.emit(number, found)

        threading.Thread(target=work, name="model notes", daemon=True).start()

    def _show_notes(self, number: int, notes: list[str]) -> None:
        if number == self._request and self._is_shown:
            self._notes = notes
            sentences = "\n".join(notes)
            self.notes.setText(sentences or tr("Everything that is drawn goes along."))

    def hide(self) -> None:
        self._is_shown = False
        self._late.stop()

    def show(self) -> None:
        self._is_shown = True
        cannot = self.format.cannot
        self.cannot.setText(
            tr("This format cannot hold: {what}", what=tr(cannot)) if cannot else ""
        )
        self.notes.setText(tr("Looking at the drawing…"))
        self._request += 1  # what is still to be reported is of another format
        self._late.start(1)
        self.changed.emit()

    def save(self, path: Path) -> None:
        format, project = self.format, self.studio.document.project
        recording = self.studio.runs.recording
        self._working, self._notes = True, []

        def make() -> bytes:
            made, self._notes = content(format, project, recording, path)
            return made

        self._files.make(path, make)

    def _written(self, path: Path) -> None:
        self.saved.emit(path)

    def _finished(self) -> None:
        self._working = False
        self.notes.setText("\n".join(self._notes) or tr("Everything that is drawn goes along."))
        self.changed.emit()
