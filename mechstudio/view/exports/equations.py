"""The page of equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model.types.exports import BY_ID, EQUATIONS, EXPORTS, ExportFormat
from mechstudio.translation import tr
from mechstudio.view.exports.documents import DocumentPage
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class EquationsPage(DocumentPage):
    """Equations in one of their formats."""

    @property
    def verb(self) -> str:
        return tr("Save equations")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "latex")
        self.head(tr("Equations"))
        self.choice = Choice(
            self.theme,
            tr("Format"),
            lambda: [(f.id, tr(f.label), "") for f in self.formats],
            lambda: self.format,
            self._choose,
        )
        self.theme.fit(self.choice, width=226)
        self.line(tr("Format"), self.choice)
        self.cannot = wrapped("")
        self.lines.addWidget(self.cannot)
        self.rule()
        self.hear(self.studio.document.changed, lambda old, new: self._show_refusal())
        self.copy = QtWidgets.QPushButton(tr("Copy to clipboard"))
        self.copy.clicked.connect(self._copy)
        self.lines.addWidget(row(self.copy, None))
        words = tr("The method is the one that the panel of equations shows.")
        self.lines.addWidget(wrapped(words, "three"))
        self.lines.addStretch(1)
        self.screen: Screen = self.preview_of(tr("Preview"))
        self.screen.enlarges = False

    @property
    def formats(self) -> tuple[ExportFormat, ...]:
        return tuple(f for f in EXPORTS if f.page == EQUATIONS)

    def choose_suffix(self, suffix: str) -> None:
        self.choice.choose(next(f.id for f in self.formats if f.suffix == suffix))

    def _choose(self, format: str) -> None:
        self.format = format
        self.copy.setEnabled(BY_ID[format].text)
        self._show_refusal()
        self.changed.emit()

    def _show_refusal(self) -> None:
        """Show why the format cannot hold the drawing, before anything is written."""
        self.cannot.setText(self.refusal)
        self.cannot.setVisible(bool(self.refusal))

    def _copy(self) -> None:
        units = self.studio.preferences.units
        self.studio.questions.exports.request(self.format, self.method, units)

    def show(self) -> None:
        super().show()
        self._show_refusal()
        image = self.shown_equation()
        if image is None:
            words = tr(
                "The file holds all equations. One that is open in the panel of equations is "
                "shown here."
            )
            self.screen.show_words(words)
        else:
            self.screen.ratio = max(image.width() / max(image.height(), 1), 0.8)
            self.screen.show_image(image)
