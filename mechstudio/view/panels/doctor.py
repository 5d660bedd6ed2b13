"""The Doctor: what the check of the drawing found, in sentences; a click selects the element, a button cures it."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import BY_ID, Action
from mechstudio.application.studio import Studio
from mechstudio.model.analysis import Cure, Redundancy
from mechstudio.model.findings import Finding

from ..i18n import tr
from ..pieces import Elided, Picture, label, row, wrapped
from ..theme import Theme

Qt = QtCore.Qt
# redundancy is information and never amber: UX K5
MARKS = {"info": ("info", "text2"), "warning": ("warn", "warn"), "error": ("error", "error")}


CURES = 3               # buttons of one redundancy: more would be a table


class Card(QtWidgets.QFrame):
    """One finding: mark, sentence, cure; of a redundancy a button for each cure."""

    def __init__(self, theme: Theme, studio: Studio, finding: Finding, redundancy: Redundancy | None = None) -> None:
        super().__init__()
        self._theme, self._studio, self._finding, self._redundancy = theme, studio, finding, redundancy
        self.setObjectName("card")
        mark = Picture(theme, *MARKS[finding.severity], 16, 2)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        texts: list[QtWidgets.QWidget] = [wrapped(tr(finding.message))]
        if redundancy is not None and redundancy.cures:
            # leaving out is always among what is offered
            cures = redundancy.cures[:CURES] if redundancy.cures[-1].type else (*redundancy.cures[:CURES - 1], redundancy.cures[-1])
            texts.append(row(*(self._button(cure) for cure in dict.fromkeys(cures)), vertical=True, gap=4))
        elif finding.cure:
            texts.append(wrapped(tr(finding.cure), "three"))
        if finding.action:
            texts.append(row(self._action(BY_ID[finding.action]), None))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(10, 8, 10, 9)
        box.setSpacing(8)
        box.addWidget(mark)
        box.addWidget(row(*texts, vertical=True, gap=4), 1)
        if finding.element:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(tr("Show {name}", name=studio.name(finding.element)))

    def _button(self, cure: Cure) -> QtWidgets.QWidget:
        """What to do, shortened where there is no room, and how the hyperstaticity falls."""
        button = QtWidgets.QPushButton()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words, effect = Elided(tr(cure.words.split(":")[0])), label(f"{cure.before} → {cure.after}", "three")
        box = QtWidgets.QHBoxLayout(button)
        box.setContentsMargins(9, 3, 9, 3)
        box.addWidget(words, 1)
        box.addWidget(effect)
        for widget in (words, effect):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme.fit(button, "setMinimumHeight", 26)
        button.setMinimumWidth(0)
        button.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        button.setAccessibleName(tr(cure.words))
        button.setToolTip(tr("{words}; the mechanism moves as before", words=cure.words))
        button.clicked.connect(lambda: self._studio.apply_cure(cure))
        return button

    def _action(self, action: Action) -> QtWidgets.QWidget:
        """A button that does what the menu does."""
        button = QtWidgets.QPushButton(tr(action.text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(tr(action.text))
        button.clicked.connect(lambda: getattr(self._studio, action.id)())
        return button

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._finding.element in self._studio.known():
            # of a redundancy the whole loop is shown, the joint that closes it selected last
            loop = self._redundancy.others if self._redundancy is not None else ()
            self._studio.selection.select(*loop, self._finding.element)


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
        shown = None if analysis is None else (analysis.findings, analysis.redundancies, analysis.structure is None, self._studio.has_bodies)
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
            items = [Card(self._theme, self._studio, f, analysis.redundancies[f.redundancy] if f.redundancy >= 0 else None) for f in findings]
        self._page = row(*items, None, vertical=True, gap=6)
        self._box.addWidget(self._page)
        count = len(findings)
        self.counted.emit("" if not count else tr("1 note") if count == 1 else tr("{count} notes", count=count))
