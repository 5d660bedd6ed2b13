"""Documents that the process of the exports writes: the base of the pages of equations and of
reports.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model.equations.simulated_exports import refusal
from mechstudio.model.types.exports import BY_ID, ExportFormat, stem_of
from mechstudio.translation import tr
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.page import Page, State
from mechstudio.view.widgets.widgets import label, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class DocumentPage(Page):
    """A page for one of some formats of equations or reports.  format: id of the chosen one."""

    def __init__(self, window: MainWindow, format: str) -> None:
        super().__init__(window)
        self.format = format
        self._path: Path | None = None  # of the document in the making
        exports = self.studio.questions.exports
        self.hear(exports.saved, self._written)
        self.hear(exports.changed, self._changed)

    def preview_of(self, words: str) -> Screen:
        """A preview with a head."""
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        self.notes = label("", "three")
        box.addWidget(row(label(words, "title"), None, self.notes))
        screen = Screen(self.theme)
        box.addWidget(screen, 1)
        return screen

    @property
    def refusal(self) -> str:
        """Sentence on why the format cannot hold the drawing; "" where it can."""
        return refusal(BY_ID[self.format], self.studio.document.project.mechanism)

    @property
    def method(self) -> str:
        """Method of the equations on show."""
        derivations = self.window.docks.equations.derivations
        return derivations.method if derivations is not None else "lagrange"

    @property
    def suffix(self) -> str:
        return BY_ID[self.format].suffix

    @property
    def kinds(self) -> dict[str, str]:
        now = BY_ID[self.format]
        formats = (now, *(f for f in self.formats if f is not now))
        filter = lambda f: tr("{label} (*{suffix})", label=tr(f.kind), suffix=f.suffix)
        return {filter(f): f.suffix for f in formats}

    @property
    def formats(self) -> tuple[ExportFormat, ...]:
        """Formats of the page."""
        return (BY_ID[self.format],)

    @property
    def stem(self) -> str:
        return stem_of(self.studio.questions.exports.suggested(self.format))

    @property
    def state(self) -> State:
        under_way = self.studio.questions.exports.progress
        if self._path is not None and under_way is not None:
            share, step = under_way
            return State(share, step or tr("Deriving…"))
        if not self.studio.document.has_bodies:
            return State(problem=tr("There is nothing drawn yet."))
        return State(problem=self.refusal)

    def save(self, path: Path) -> None:
        self._path = path
        units = self.studio.preferences.units
        self.studio.questions.exports.request(self.format, self.method, units, path)

    def stop(self) -> None:
        if self._path is not None:
            self._path = None
            self.studio.questions.exports.cancel()
            self.changed.emit()

    def _written(self, path: Path) -> None:
        if path == self._path:
            self._path = None
            self.saved.emit(path)
            self.changed.emit()

    def _changed(self) -> None:
        if self.studio.questions.exports.progress is None:
            self._path = None
        self.changed.emit()

    def show(self) -> None:
        self.studio.questions.exports.prepare()
        self.changed.emit()
