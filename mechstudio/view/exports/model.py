"""The page of formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.files.exchange import ExchangeFormat, content, written
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.making import FileMaking
from mechstudio.view.exports.page import Page, State
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class ModelPage(Page):
    """The mechanism in a format of another program."""

    verb = "Save model"

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._formats = written()
        self._key = next(iter(self._formats))
        self._notes: list[str] = []
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
        self.python = self.other("export_python")
        self.lines.addStretch(1)
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        box.addWidget(row(label(tr("What cannot go along"), "title"), None))
        self.told = wrapped("", "two")
        box.addWidget(self.told)
        box.addStretch(1)

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
        self._key, self._notes = key, []
        self.show()

    def show(self) -> None:
        cannot = self.format.cannot
        self.cannot.setText(
            tr("This format cannot hold: {what}", what=tr(cannot)) if cannot else ""
        )
        told = "\n".join(self._notes) or tr("It is told here once the file is written.")
        self.told.setText(told)
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
        self.show()
