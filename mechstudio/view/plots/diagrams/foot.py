"""The row below a diagram: how it was found, and what can be chosen about it."""

from __future__ import annotations

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.choice import as_diagram, choose
from mechstudio.application.plots.diagrams import Drawing
from mechstudio.application.plots.panes import Pane
from mechstudio.application.studio import Studio
from mechstudio.curves.quantities import quantity
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.formulas import expression
from mechstudio.model.project import Diagram, Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import DIMENSIONS
from mechstudio.translation import Words, tr
from mechstudio.view.plots.diagrams.axis import OTHER, AxisTicks, own_first
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.formula_field import FormulaField
from mechstudio.view.widgets.widgets import Elided, IconButton, label, throw_away

WINDOWS: dict[str, Words] = {
    "hann": "Hann: separates near frequencies",
    "flattop": "Flat top: exact amplitudes",
}
SHORT: dict[str, Words] = {"hann": "Hann", "flattop": "Flat top"}
DIRECTIONS: dict[str, Words] = {"rising": "rises", "falling": "falls", "either": "rises or falls"}
replace = msgspec.structs.replace


def set_diagram(studio: Studio, id: str, words: str, diagram: Diagram | None) -> None:
    """Make another diagram of a pane, None for curves over the time."""
    choose(
        studio.document,
        studio.notifications,
        words,
        lambda: as_diagram(studio.document.project, id, diagram),
    )


class LevelField(FormulaField):
    """Level of a section, one undo step each time."""

    def __init__(self, theme: Theme, studio: Studio, pane: Pane, dimension: str) -> None:
        super().__init__(theme, studio, tr("Level of the section"), dimension)
        self._pane = pane
        theme.fit(self, width=92)
        self.refresh()

    def quantity(self) -> Quantity | None:
        """The level."""
        d = self._pane.diagram
        return None if d is None else Quantity(d.level)

    def tried(self, project: Project) -> Quantity | None:
        """The typed level.  Raises ExpressionError."""
        if not self.typed.strip():
            raise expression.ExpressionError(tr("The section needs a level."))
        return expression.quantity(
            self.typed, self.dimension, parameter_values(project), self._symbol()
        )

    def put(self, project: Project, label: str) -> None:
        """Commit the typed level."""
        q, d = self.tried(project), self._pane.diagram
        assert q is not None
        assert d is not None
        set_diagram(
            self._studio,
            self._pane.id,
            label or tr("Level of the section"),
            replace(d, level=q.value),
        )


class DiagramFoot(QtWidgets.QWidget):
    """Note and settings of a diagram.  axis_requested(AxisTicks): the list of all quantities is to
    open for an axis.
    """

    axis_requested = QtCore.Signal(object)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._pane: Pane | None = None
        self.note = Elided("", "three")
        self.settings: dict[str, QtWidgets.QWidget] = {}
        self._inside: QtWidgets.QWidget | None = None
        self.popup: QtWidgets.QMenu | None = None
        self.more = IconButton(
            theme, "settings", tr("Settings of the diagram"), 22, 14, clicked=self.open_settings
        )
        self.more.hide()
        self._box = QtWidgets.QHBoxLayout(self)
        self._box.setContentsMargins(12, 0, 8, 4)
        self._box.setSpacing(8)
        self._box.addWidget(self.note, 1)
        self._box.addWidget(self.more)
        theme.fit(self, height=30)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Room for the note alone: what does not fit is cut at the right."""
        return QtCore.QSize(20, super().minimumSizeHint().height())

    def say(self, drawing: Drawing) -> None:
        """Show how a diagram was found."""
        self.note.set_text(drawing.note)

    def show_pane(self, pane: Pane) -> None:
        """Show the settings of a pane; equal ones stay."""
        before, self._pane = self._pane, pane
        if before is not None and (before.diagram, before.id) == (pane.diagram, pane.id):
            return
        d = pane.diagram
        if self._inside is not None:
            throw_away(self._inside)
            self._inside = None
        self.settings = {}
        if d is None:
            return
        self._inside = self._filled(QtWidgets.QHBoxLayout(), pane, d, self.settings)
        self._box.insertWidget(1, self._inside)
        self._fit()

    def _filled(
        self,
        box: QtWidgets.QBoxLayout,
        pane: Pane,
        d: Diagram,
        settings: dict[str, QtWidgets.QWidget],
    ) -> QtWidgets.QWidget:
        """A widget with all settings of a diagram, which are put into a table by name."""
        inside = QtWidgets.QWidget()
        inside.setLayout(box)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        for name, words, widget in self._made(pane, d):
            if words:
                box.addWidget(label(words, "three"))
            box.addWidget(widget)
            settings[name] = widget
        return inside

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Keep the settings in sight where there is room for them, else behind a button."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._inside is not None:
            free = self.width() - self._theme.dp(120)
            crowded = bool(self.settings) and self._inside.sizeHint().width() > free
            self._inside.setVisible(not crowded and bool(self.settings))
            self.more.setVisible(crowded)

    def open_settings(self) -> None:
        """Open the settings above their button, in a column."""
        if self._pane is None or self._pane.diagram is None:
            return
        self.popup = popup = QtWidgets.QMenu(self)
        box = QtWidgets.QVBoxLayout()
        held = self._filled(box, self._pane, self._pane.diagram, self.settings)
        box.setContentsMargins(10, 6, 10, 8)
        held.setMinimumWidth(self._theme.dp(200))
        action = QtWidgets.QWidgetAction(popup)
        action.setDefaultWidget(held)
        popup.addAction(action)
        popup.aboutToHide.connect(popup.deleteLater)
        self.axis_requested.connect(popup.close)
        popup.popup(self.more.mapToGlobal(QtCore.QPoint(0, -popup.sizeHint().height())))

    def _made(self, pane: Pane, d: Diagram) -> list[tuple[str, str, QtWidgets.QWidget]]:
        """Settings of a kind of diagram: name, words before it, widget."""
        out: list[tuple[str, str, QtWidgets.QWidget]] = []
        if d.kind == "spectrum":
            out.append(
                ("window", tr("Window"), self._words(tr("Window"), "window", WINDOWS, SHORT))
            )
        if d.kind in ("over", "section"):
            out.append(("across", tr("over"), self._quantity(tr("Horizontal axis"), "across")))
        if d.kind == "section":
            out.append(("gate", tr("where"), self._quantity(tr("Quantity of the section"), "gate")))
            out.append(
                ("direction", "", self._words(tr("Direction"), "direction", DIRECTIONS, DIRECTIONS))
            )
            row = quantity(self._studio.document.project, d.gate)
            if row is not None and row.dimension in DIMENSIONS:
                field = LevelField(self._theme, self._studio, pane, row.dimension)
                out.append(("level", tr("through"), field))
        if d.kind in ("over", "phase") and self._is_angle(pane):
            box = QtWidgets.QPushButton(tr("One turn"))
            box.setObjectName("chipbutton")
            self._theme.fit(box, height=24)
            box.setCheckable(True)
            box.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
            box.setToolTip(tr("The horizontal axis ends after one turn and begins again"))
            box.setChecked(d.one_turn)
            box.clicked.connect(lambda on: self._set(tr("One turn"), one_turn=bool(on)))
            out.append(("one_turn", "", box))
        return out

    def _is_angle(self, pane: Pane) -> bool:
        """True where the horizontal axis is an angle."""
        curve = pane.across or next(iter(pane.curves), None)
        row = quantity(self._studio.document.project, curve.key if curve is not None else "")
        return row is not None and row.dimension == "angle"

    def _set(self, words: str, **values: object) -> None:
        if self._pane is not None and self._pane.diagram is not None:
            new = replace(self._pane.diagram, **values)
            # the calling widget may be removed by its own change
            QtCore.QTimer.singleShot(
                0, self, lambda id=self._pane.id: set_diagram(self._studio, id, words, new)
            )

    def _now(self, name: str) -> str:
        return "" if self._pane is None else str(getattr(self._pane.diagram, name, ""))

    def _words(
        self, title: str, name: str, known: dict[str, Words], short: dict[str, Words]
    ) -> Choice:
        return Choice(
            self._theme,
            title,
            lambda: [(key, tr(words), "") for key, words in known.items()],
            lambda: self._now(name),
            lambda key: self._set(title, **{name: key}),
            lambda key: tr(short[key]),
        )

    def _quantity(self, title: str, name: str) -> Choice:
        return Choice(
            self._theme,
            title,
            lambda: self._offered(name),
            lambda: self._now(name),
            lambda key: self._take(title, name, key),
        )

    def _offered(self, name: str) -> list[tuple[str, str, str]]:
        """Quantities to choose an axis from, the present one and the curves first, and the list of
        all: (key, name, no icon).
        """
        own = [] if self._pane is None else [c.key for c in self._pane.curves]
        first, others = own_first(self._studio.document.project, [self._now(name), *own])
        return [(key, words, "") for key, words in {**first, **others, OTHER: tr(OTHER)}.items()]

    def _take(self, title: str, name: str, key: str) -> None:
        """Put another quantity along an axis, or let one be chosen from the list of all."""
        put = lambda key: self._set(title, **{name: key})
        if key != OTHER:
            put(key)
        else:
            self.axis_requested.emit(AxisTicks(self._studio, self._now(name), put))
