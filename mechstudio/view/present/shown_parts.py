"""Choice of the parts shown in front of a class, by the active step, by hand, or by rules; and the
card in which it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.panes import panes
from mechstudio.application.studio import Studio
from mechstudio.model.equations.terms import parts
from mechstudio.model.project import Step
from mechstudio.translation import tr
from mechstudio.view.equations.parts import TITLES
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label, throw_away

if TYPE_CHECKING:
    from mechstudio.view.docks.docks import Docks

Qt = QtCore.Qt
STRUCTURE = "structure"
MOST_PLOTS, MOST_SLIDERS = 2, 2
WIDTH = 260  # of the card [px at the normal text size]


class Shown(NamedTuple):
    """Names of sliders, ids of plots, a part of the equations ("" for none), and elements whose
    terms are marked.
    """

    sliders: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    equation: str = ""
    terms: tuple[str, ...] = ()


def present_equation(docks: Docks) -> str:
    """Part of the equations that is open to the eye in their panel, their structure where none
    is.
    """
    if docks.equations.equations is None:
        return STRUCTURE
    seen = [p for p in docks.equations.pictures.seen() if not p.startswith(("proof/", "now/"))]
    return next((part for part in seen if part != STRUCTURE), STRUCTURE)


def visible_plots(docks: Docks) -> tuple[str, ...]:
    """Ids of panes that are in front, as if they were in sight."""
    return tuple(id for id, pane in docks.plots_panel.panes.items() if not pane.isHidden())


def usual(studio: Studio, docks: Docks) -> Shown:
    """Default choice: the first sliders, the first pane in front that shows something, the equation
    that is open.
    """
    project = studio.document.project
    sliders = [name for name, p in project.parameters.items() if p.slider]
    front = visible_plots(docks)
    found = [p.id for p in panes(project, studio.preferences.units) if p.curves]
    plots = [id for id in found if id in front] or found
    equation = present_equation(docks) if studio.document.has_bodies else ""
    return Shown(tuple(sliders[:MOST_SLIDERS]), tuple(plots[:1]), equation)


def of_step(step: Step, studio: Studio, docks: Docks) -> Shown:
    """Choice of a step; the default if the step makes none."""
    if not (step.sliders or step.plots or step.equation):
        return usual(studio, docks)._replace(terms=step.terms)
    return Shown(step.sliders[:MOST_SLIDERS], step.plots[:MOST_PLOTS], step.equation, step.terms)


class ShownChoice(QtWidgets.QFrame):
    """Card to choose in; it stays until a click elsewhere or Esc.  changed(shown)."""

    changed = QtCore.Signal(object)

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        docks: Docks,
        shown: Callable[[], Shown],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._docks, self._shown = theme, studio, docks, shown
        self.boxes: dict[tuple[str, str], QtWidgets.QAbstractButton] = {}
        outer = QtWidgets.QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        self._area = QtWidgets.QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer.addWidget(self._area)
        self._inner: QtWidgets.QWidget | None = None
        self.hide()

    def open(self, right: int, top: int, bottom: int) -> None:
        """Show below a place [px], up to another one."""
        self._fill()
        assert self._inner is not None
        width = self._theme.dp(WIDTH)
        high = min(self._inner.sizeHint().height() + 4, bottom - top)
        self.setGeometry(right - width, top, width, high)
        self.show()
        self.raise_()

    def _fill(self) -> None:
        theme, shown = self._theme, self._shown()
        if self._inner is not None:
            throw_away(self._inner)
        self._inner = inner = QtWidgets.QWidget()
        box = QtWidgets.QVBoxLayout(inner)
        edge = theme.dp(14)
        box.setContentsMargins(edge, theme.dp(10), edge, theme.dp(10))
        box.setSpacing(theme.dp(3))
        self.boxes = {}
        project = self._studio.document.project
        sliders = [(n, n) for n, p in project.parameters.items() if p.slider or n in shown.sliders]
        found = panes(project, self._studio.preferences.units)
        plots = [(p.id, tr(p.title)) for p in found if p.curves]
        equations = [("", tr("None")), (STRUCTURE, tr("Structure of the equations"))]
        known = self._docks.equations.equations
        equations += (
            [] if known is None else [(p, tr(TITLES[p])) for p in parts(known) if p in TITLES]
        )
        if shown.equation not in dict(equations):
            equations.append((shown.equation, shown.equation.partition("/")[2] or shown.equation))
        groups = (
            (tr("Sliders, at most two"), "sliders", sliders, shown.sliders, False),
            (tr("Plots, at most two"), "plots", plots, shown.plots, False),
            (tr("Equation"), "equation", equations, (shown.equation,), True),
        )
        for title, kind, rows, on, alone in groups:
            if not rows:
                continue
            box.addWidget(label(title, "title"))
            for key, words in rows:
                button = QtWidgets.QRadioButton(words) if alone else QtWidgets.QCheckBox(words)
                button.setObjectName("line")
                button.setChecked(key in on)
                button.clicked.connect(lambda _=False, kind=kind, key=key: self._choose(kind, key))
                box.addWidget(button)
                self.boxes[kind, key] = button
            box.addSpacing(theme.dp(6))
        box.addStretch(1)
        self._area.setWidget(inner)

    def _choose(self, kind: str, key: str) -> None:
        """Switch an entry; the one that was chosen first goes where there is no room."""
        shown = self._shown()
        if kind == "equation":
            self.changed.emit(shown._replace(equation=key))
        else:
            held = getattr(shown, kind)
            rest = tuple(k for k in held if k != key)
            new = rest if key in held else (*rest, key)[-MOST_PLOTS:]
            self.changed.emit(shown._replace(**{kind: new}))
        shown = self._shown()
        for (group, name), button in self.boxes.items():
            on = (shown.equation,) if group == "equation" else getattr(shown, group)
            with QtCore.QSignalBlocker(button):
                button.setChecked(name in on)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            event.ignore()
