"""Card beside the scene in front of a class: words of the step, one or two plots, one equation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.lessons.filled_text import filled
from mechstudio.application.plots.panes import panes
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.lessons.questions import Questions
from mechstudio.view.plots.pane import PlotPane
from mechstudio.view.present.equation import EquationCard
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import breakable, column, throw_away, wrapped

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel
    from mechstudio.view.present.shown_parts import Shown

Qt = QtCore.Qt
FOLLOW_MS = 33
LEAST_HEIGHT = 72  # height of words that scroll [px]
LEAST_PLOT = 100  # height of a plot [px at the normal text size]


class ClassPlot(QtWidgets.QWidget):
    """A plot pane with a button that covers or shows its curves."""

    def __init__(
        self, theme: Theme, studio: Studio, pane: PlotPane, toggle: Callable[[], object]
    ) -> None:
        super().__init__()
        self._studio, self.pane = studio, pane
        pane.plus.hide()
        pane.more.hide()
        self.button = QtWidgets.QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(lambda _=False: toggle())
        pane.head.box.addSpacing(theme.dp(6))
        pane.head.box.addWidget(self.button)
        theme.fit(self, least_height=LEAST_PLOT)
        column(self).addWidget(pane)
        pane.make()
        if pane.area is not None:
            # letters are keys of the class, not of the pane
            pane.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def follow(self) -> None:
        """Bring curves and button up to date."""
        covered = self.pane.pane.id in self._studio.lecture.predictions.covered
        words = tr("Reveal") if covered else tr("Cover")
        if self.button.text() != words:
            self.button.setText(words)
        self.pane.follow()


class WordsBox(QtWidgets.QScrollArea):
    """Words and questions at their own height; they scroll only if the card is too low."""

    def __init__(self, content: QtWidgets.QWidget) -> None:
        super().__init__()
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        policy = QtWidgets.QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Maximum)
        content.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return False

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def sizeHint(self) -> QtCore.QSize:
        layout = self._content.layout()
        if layout is None:
            return super().sizeHint()
        if not layout.hasHeightForWidth():
            return QtCore.QSize(100, layout.totalSizeHint().height())
        # cards of questions may be higher than their wrapped words
        high = layout.totalHeightForWidth(self.width())
        return QtCore.QSize(100, max(high, layout.totalMinimumSize().height()))

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(0, min(self.sizeHint().height(), LEAST_HEIGHT))


class Column(QtWidgets.QFrame):
    """Card of words, plots and equation.  toggle_cover: covers the plots or shows them."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        equations: EquationsPanel,
        toggle_cover: Callable[[], object],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("classcard")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._toggle = theme, studio, toggle_cover
        self.text = wrapped("", "two")
        self.questions = Questions(theme, studio, equations.compare)
        self.plots: dict[str, ClassPlot] = {}  # made so far
        self.shown: list[str] = []
        self._holder = QtWidgets.QWidget()
        self._plots = column(self._holder, theme.dp(6))
        self.rule = QtWidgets.QFrame()
        self.rule.setObjectName("rule")
        self.rule.setFixedHeight(1)
        self.equation = EquationCard(theme, equations)
        box = QtWidgets.QVBoxLayout(self)
        edge = theme.dp(12)
        box.setContentsMargins(edge, edge, edge, edge)
        box.setSpacing(theme.dp(6))
        content = QtWidgets.QWidget()
        lines = column(content, theme.dp(6))
        lines.addWidget(self.text)
        lines.addWidget(self.questions)
        lines.addStretch(1)  # surplus room is below, not between
        self.scrolled = WordsBox(content)
        box.addWidget(self.scrolled)
        box.addWidget(self._holder, 1)
        box.addWidget(self.rule)
        box.addWidget(self.equation)
        self._late = QtCore.QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._late.timeout.connect(self.follow)
        for signal in (
            studio.runs.recorded,
            studio.runs.playback.changed,
            studio.questions.curves.changed,
            studio.questions.solver_changed,
            studio.lecture.predictions.changed,
            studio.lecture.changed,
        ):
            signal.connect(self.soon)

    def soon(self, *_: object) -> None:
        """Follow at most 30 times a second."""
        if self.isVisible() and not self._late.isActive():
            self._late.start()

    def show_chosen(self, shown: Shown) -> None:
        """Show these plots and this equation."""
        project = self._studio.document.project
        found = {p.id: p for p in panes(project, self._studio.preferences.units)}
        for id in [id for id in self.plots if id not in found]:
            self._plots.removeWidget(self.plots[id])
            throw_away(self.plots.pop(id))
        for id in shown.plots:
            if id in found and id not in self.plots:
                made = PlotPane(self._theme, self._studio, found[id])
                self.plots[id] = ClassPlot(self._theme, self._studio, made, self._toggle)
                self._plots.addWidget(self.plots[id], 1)
        self.shown = [id for id in shown.plots if id in found]
        for id, plot in self.plots.items():
            if plot.pane.pane is not found[id]:
                plot.pane.show_pane(found[id])
            plot.setVisible(id in self.shown)
        self._holder.setVisible(bool(self.shown))
        self.rule.setVisible(bool(shown.equation) and bool(self.shown))
        self.equation.show_part(shown.equation, shown.terms, self.height())
        self._say()
        self.follow()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.equation.show_part(self.equation.part, self.equation.terms, self.height())

    def _say(self) -> None:
        """Show the words of the step with the present numbers."""
        step = self._studio.lecture.step
        words = "" if step is None else breakable(filled(step.text, self._studio))
        if self.text.text() != words:
            self.text.setText(words)
        self.text.setVisible(bool(words))
        self.scrolled.setVisible(bool(words) or (step is not None and bool(step.questions)))

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        step = self._studio.lecture.step
        has_words = step is not None and (step.text or step.questions)
        return not (self.shown or self.equation.part or has_words)

    def follow(self) -> None:
        """Bring words and curves up to date now."""
        self._say()
        for id in self.shown:
            self.plots[id].follow()
