"""The Doctor: what the check of the drawing found, in sentences; a click selects the element."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.findings import Finding

from ..i18n import tr
from ..pieces import Picture, label, row, wrapped
from ..theme import Theme

Qt = QtCore.Qt
# redundancy is information and never amber: UX K5
MARKS = {"info": ("info", "text2"), "warning": ("warn", "warn"), "error": ("error", "error")}


class Card(QtWidgets.QFrame):
    """One finding: mark, sentence, cure."""

    def __init__(self, theme: Theme, studio: Studio, finding: Finding) -> None:
        super().__init__()
        self._studio, self._finding = studio, finding
        self.setObjectName("card")
        mark = Picture(theme, *MARKS[finding.severity], 16, 2)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        texts = [wrapped(tr(finding.message))]
        if finding.cure:
            texts.append(wrapped(tr(finding.cure), "three"))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(10, 8, 10, 9)
        box.setSpacing(8)
        box.addWidget(mark)
        box.addWidget(row(*texts, vertical=True, gap=4), 1)
        if finding.element:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(tr("Show {name}", name=studio.name(finding.element)))

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._finding.element in self._studio.known():
            self._studio.selection.select(self._finding.element)


class Doctor(QtWidgets.QWidget):
    """counted: the word of the panel's head ("2 notes")."""

    counted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: object = None
        self._page: QtWidgets.QWidget | None = None
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(12, 0, 12, 12)
        for signal in (studio.analysed, studio.solver_changed):
            signal.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        analysis = self._studio.analysis
        shown = None if analysis is None else (analysis.findings, analysis.structure is None, self._studio.has_bodies)
        if shown == self._shown and self._page is not None:
            return
        self._shown = shown
        if self._page is not None:
            self._page.setParent(None)
            self._page.deleteLater()
        order = ("error", "warning", "info")
        findings = sorted(self._studio.findings, key=lambda f: order.index(f.severity))
        if analysis is None:
            items: list[QtWidgets.QWidget] = [label(tr("Not checked yet"), "three")]
        elif not self._studio.has_bodies:
            items = [label(tr("Nothing is drawn yet"), "three")]
        elif not findings:
            items = [row(Picture(self._theme, "ok", "ok", 16, 2.2), label(tr("Nothing to remark"), "two"), None, gap=8)]
        else:
            items = [Card(self._theme, self._studio, f) for f in findings]
        self._page = row(*items, None, vertical=True, gap=6)
        self._box.addWidget(self._page)
        count = len(findings)
        self.counted.emit("" if not count else tr("1 note") if count == 1 else tr("{count} notes", count=count))
