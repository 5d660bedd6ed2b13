"""The Doctor: what the check of the drawing found, in sentences; a click selects the element, a
button cures it.
"""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.edits import redundancies
from mechstudio.application.actions.edits.redundancies import usual_reason
from mechstudio.application.actions.registry import Action, by_id
from mechstudio.application.studio import Studio
from mechstudio.model.findings import Finding
from mechstudio.model.results.analysis import Cure, Redundancy
from mechstudio.translation import tr
from mechstudio.view.idle_tasks import turns
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.form import Text
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    Picture,
    label,
    row,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
# redundancy is information and never amber
MARKS = {"info": ("info", "text2"), "warning": ("warn", "warn"), "error": ("error", "error")}


CURES = 3  # buttons of one redundancy: more would be a table


class TallButton(QtWidgets.QPushButton):
    """A button as high as the words in its layout need at its width."""

    def __init__(self) -> None:
        super().__init__()
        policy = QtWidgets.QSizePolicy(
            QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Minimum
        )
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        words = 0 if layout is None else layout.totalHeightForWidth(width)
        return max(words, self.minimumHeight())

    def sizeHint(self) -> QtCore.QSize:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.totalSizeHint()

    def minimumSizeHint(self) -> QtCore.QSize:
        return self.sizeHint()


class Card(QtWidgets.QFrame):
    """One finding: mark, sentence, cure; of a redundancy a button for each cure."""

    def __init__(
        self, theme: Theme, studio: Studio, finding: Finding, redundancy: Redundancy | None = None
    ) -> None:
        super().__init__()
        self._theme, self._studio, self._finding, self._redundancy = (
            theme,
            studio,
            finding,
            redundancy,
        )
        self.setObjectName("card")
        mark = Picture(theme, *MARKS[finding.severity], 16, 2)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        texts: list[QtWidgets.QWidget] = [wrapped(finding.said(studio.preferences.units))]
        if redundancy is not None and redundancy.cures:
            # leaving out is always among what is offered
            cures = (
                redundancy.cures[:CURES]
                if redundancy.cures[-1].type
                else (*redundancy.cures[: CURES - 1], redundancy.cures[-1])
            )
            texts.append(
                row(*(self._button(cure) for cure in dict.fromkeys(cures)), vertical=True, gap=4)
            )
        elif finding.cure:
            texts.append(wrapped(finding.cure, "three"))
        if finding.action:
            texts.append(row(self._action(by_id(finding.action)), None))
        if redundancy is not None:
            texts.append(self._keep(redundancy))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(10, 8, 10, 9)
        box.setSpacing(8)
        box.addWidget(mark)
        box.addWidget(row(*texts, vertical=True, gap=4), 1)
        if finding.element:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setToolTip(tr("Show {name}", name=studio.document.name(finding.element)))
            self.setAccessibleName(self.toolTip())
            self.setAccessibleDescription(finding.said(studio.preferences.units))

    def _keep(self, redundancy: Redundancy) -> QtWidgets.QWidget:
        """Silence the finding, with the usual reason, which can be edited afterwards."""
        reason = usual_reason(self._studio.document.project.mechanism, redundancy)
        button = QtWidgets.QPushButton()
        button.setObjectName("line")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words = Elided(tr("Keep: {reason}", reason=tr(reason)), "two")
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box = QtWidgets.QHBoxLayout(button)
        box.setContentsMargins(9, 3, 9, 3)
        box.addWidget(words, 1)
        self._theme.fit(button, least_height=26)
        button.setMinimumWidth(0)
        button.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed
        )
        button.setAccessibleName(
            tr(
                "Keep {name}: {reason}",
                name=self._studio.document.name(redundancy.element),
                reason=tr(reason),
            )
        )
        button.setToolTip(
            tr("Leave it as it is and do not remark it again; the reason is kept in the file")
        )
        button.clicked.connect(lambda: redundancies.keep(self._studio, redundancy))
        return button

    def _button(self, cure: Cure) -> QtWidgets.QWidget:
        """Button of a cure with the fall of the hyperstaticity; its words wrap, since cures differ
        in their last words.
        """
        button = TallButton()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words, effect = (
            wrapped(cure.words.split(":")[0]),
            label(f"{cure.before} → {cure.after}", "three"),
        )
        box = QtWidgets.QHBoxLayout(button)
        box.setContentsMargins(9, 4, 9, 4)
        box.addWidget(words, 1)
        box.addWidget(effect)
        for widget in (words, effect):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme.fit(button, least_height=26)
        button.setMinimumWidth(0)
        button.setAccessibleName(cure.words)
        button.setToolTip(tr("{words}; the mechanism moves as before", words=cure.words))
        button.clicked.connect(lambda: redundancies.apply_cure(self._studio, cure))
        return button

    def _action(self, action: Action[Studio]) -> QtWidgets.QWidget:
        """A button that does what the menu does, with the element selected."""
        button = QtWidgets.QPushButton(tr(action.text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(tr(action.text))

        def act() -> None:
            self._show()
            action(self._studio)

        button.clicked.connect(act)
        return button

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._show()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._show()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        """Select what the finding is about."""
        if self._finding.element in self._studio.document.known():
            # of a redundancy the whole loop is shown, the joint that closes it selected last
            loop = self._redundancy.others if self._redundancy is not None else ()
            self._studio.selection.select(*loop, self._finding.element)


class KeptCard(QtWidgets.QFrame):
    """One redundancy that is kept: its joint, the reason, which can be typed over, and a button
    that takes it back.
    """

    def __init__(
        self, theme: Theme, studio: Studio, finding: Finding, redundancy: Redundancy
    ) -> None:
        super().__init__()
        self._studio, self._id = studio, finding.element
        self.setObjectName("card")
        mark = Picture(theme, "ok", "text3", 16, 2)
        words = Elided(tr("{name} is kept", name=studio.document.name(finding.element)), "two")
        words.setToolTip(finding.said(studio.preferences.units))
        back = IconButton(
            theme,
            "undo",
            tr("Remark it again"),
            24,
            15,
            clicked=lambda: redundancies.stop_keeping(studio, finding),
        )
        back.setObjectName("stop_keeping")
        reason = Text(
            theme,
            lambda: redundancies.kept(studio, finding),
            lambda text: redundancies.keep(studio, redundancy, text),
        )
        reason.edit.setAccessibleName(tr("Reason"))
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(10, 5, 6, 8)
        box.setSpacing(4)
        head = row(mark, words, back, gap=8)
        head.box.setStretch(1, 1)
        box.addWidget(head)
        box.addWidget(row(reason, margins=(24, 0, 4, 0)))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._id in self._studio.document.known():
            self._studio.selection.select(self._id)
        super().mouseReleaseEvent(event)


LISTED = 8  # cards at first: of a hundred only the gravest are read, and making them takes its time


class Doctor(QtWidgets.QWidget):
    """counted: the word of the panel's head ("2 notes")."""

    counted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: object = None
        self._most = LISTED
        self._page: QtWidgets.QWidget | None = None
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(12, 0, 12, 12)
        for signal in (studio.questions.analysed, studio.questions.solver_changed):
            signal.connect(self._later)
        studio.document.changed.connect(lambda old, new: self._later())
        studio.preferences.units_changed.connect(self.refresh)
        self.refresh()

    def _more(self, left: int) -> QtWidgets.QPushButton:
        """A button that shows the next ones."""
        button = QtWidgets.QPushButton(tr("{count} more", count=left))
        button.setObjectName("flat")

        def show() -> None:
            self._most += LISTED
            self._shown = None
            # not while the button that was clicked is still at work
            QtCore.QTimer.singleShot(0, self, self.refresh)

        button.clicked.connect(show)
        return button

    def _later(self) -> None:
        """In a turn of its own: what is found comes together with the equations, and often with a
        picture.
        """
        turns().soon(self, self.refresh)

    def refresh(self) -> None:
        """Show what was found last."""
        turns().drop(self)
        analysis = self._studio.questions.analysis
        shown = (
            None
            if analysis is None
            else (
                analysis.findings,
                analysis.redundancies,
                analysis.structure is None,
                self._studio.document.has_bodies,
                tuple(redundancies.kept(self._studio, f) for f in analysis.findings),
                self._studio.preferences.units,
            )
        )
        if shown == self._shown and self._page is not None:
            return
        self._shown = shown
        if self._page is not None:
            throw_away(self._page)
        order = ("error", "warning", "info")
        known = sorted(self._studio.questions.findings, key=lambda f: order.index(f.severity))
        kept = [f for f in known if redundancies.kept(self._studio, f)]
        findings = [f for f in known if f not in kept]
        if analysis is None:
            items: list[QtWidgets.QWidget] = [label(tr("Not checked yet"), "three")]
        elif not self._studio.document.has_bodies:
            items = [label(tr("Nothing is drawn yet"), "three")]
        elif not known:
            items = [
                row(
                    Picture(self._theme, "ok", "ok", 16, 2.2),
                    label(tr("Nothing to remark"), "two"),
                    None,
                    gap=8,
                )
            ]
        else:
            items = [
                Card(
                    self._theme,
                    self._studio,
                    f,
                    analysis.redundancies[f.redundancy] if f.redundancy >= 0 else None,
                )
                for f in findings[: self._most]
            ]
            items += [
                KeptCard(self._theme, self._studio, f, analysis.redundancies[f.redundancy])
                for f in kept[: self._most]
            ]
            left = len(findings[self._most :]) + len(kept[self._most :])
            if left:
                items.append(row(self._more(left), None))
        self._page = page = row(*items, None, vertical=True, gap=6)
        self._box.addWidget(page)
        self._lay_out(page)
        count = len(findings)
        words = (
            "" if not count else tr("1 note") if count == 1 else tr("{count} notes", count=count)
        )
        self.counted.emit(
            " · ".join(
                part
                for part in (words, tr("{count} kept", count=len(kept)) if kept else "")
                if part
            )
        )

    def _lay_out(self, page: QtWidgets.QWidget) -> None:
        """Give the cards their heights at once: with the posted events they would come frames of
        the drawing later, squeezed until then.
        """
        for widget in (page, *page.findChildren(QtWidgets.QWidget)):
            widget.ensurePolished()
        page.show()
        # first the cards their widths, which decide their heights, then the area about them its
        # height, then the cards the room
        self._box.activate()
        self.resize(
            self.width(), max(self._box.totalHeightForWidth(self.width()), self.minimumHeight())
        )
        self._box.activate()
