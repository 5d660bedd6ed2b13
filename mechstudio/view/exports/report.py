"""The page of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.model.types.exports import EXPORTS
from mechstudio.translation import tr
from mechstudio.view.exports.documents import DocumentPage
from mechstudio.view.widgets.widgets import Segment, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class ReportPage(DocumentPage):
    """The report in one of its formats."""

    verb = "Save report"

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "report-pdf")
        self.head(tr("Report"))
        found = tuple((f.id, f.suffix.lstrip(".").upper()) for f in EXPORTS if f.report)
        self.segment = Segment(self.theme, found[::-1], "segment", 26)
        self.segment.choose(self.format)
        self.segment.chosen.connect(self._choose)
        self.line(tr("Format"), self.segment)
        self.rule()
        words = tr(
            "Drawing, parameters, mobility, equations and plots of the motion, on a sheet of paper "
            "or in a browser."
        )
        self.lines.addWidget(wrapped(words, "two"))
        self.lines.addStretch(1)
        self.screen = self.preview_of(tr("Preview"))

    def _choose(self, format: str) -> None:
        self.format = format
        self.changed.emit()

    def show(self) -> None:
        super().show()
        self.screen.ratio = 1 / 1.414
        self.screen.show_words(tr("The report is shown by Open, once it is saved."))
