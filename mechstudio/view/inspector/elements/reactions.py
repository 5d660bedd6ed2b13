"""Reactions of a joint and torsors of a body in the inspector, live at the time cursor, with links
to the plot and to the whole table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6 import QtWidgets

from mechstudio.application.plots.choice import choose, pane_with_room, with_curves
from mechstudio.model.results.analysed_channels import key_of
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form, Reading, Section
from mechstudio.view.widgets.widgets import row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

COMPONENTS = tuple(
    (f"{part}{axis}", f"{part}{axis}", dimension)
    for part, dimension in (("F", "force"), ("M", "torque"))
    for axis in "xyz"
)


def reaction_section(page: Inspector) -> Section:
    """Force and moment that a joint exerts on its second body."""
    return Section(page.theme, tr("Reactions"), lambda: _Reactions(page), page.opened)


def torsor_section(page: Inspector) -> Section:
    """The way to a body's four torsors."""

    def build() -> QtWidgets.QWidget:
        words = wrapped(
            tr(
                "Kinematic, kinetic, dynamic and action torsor at the time cursor, at any point "
                "and in either axes."
            ),
            "three",
        )
        return row(
            words,
            row(
                _button(
                    tr("Torsors…"),
                    tr("Show the torsors in the panel of analyses"),
                    lambda: _ask(page, "torsors"),
                ),
                _button(
                    tr("Accelerations…"),
                    tr("Show the kinematics of this body in the panel of analyses"),
                    lambda: _ask(page, "kinematics"),
                ),
                None,
            ),
            vertical=True,
            margins=(14, 0, 0, 4),
            gap=6,
        )

    return Section(page.theme, tr("Torsors"), build, page.opened)


def _button(text: str, tip: str, clicked) -> QtWidgets.QPushButton:
    button = QtWidgets.QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _=False: clicked())
    return button


def _ask(page: Inspector, what: str, axes: str = "") -> None:
    page.analysis_requested.emit(what, axes)


class _Reactions(QtWidgets.QWidget):
    """Six numbers in chosen axes; found by an analysis once there is a run."""

    def __init__(self, page: Inspector) -> None:
        super().__init__()
        self._page, self._studio, self._leaf = page, page.studio, page.leaf
        form = Form(page.theme, (14, 0, 0, 4))
        form.grid.setVerticalSpacing(3)
        self.axes = Choice(
            page.theme,
            tr("Axes"),
            lambda: [
                ("joint", tr("of the joint"), ""),
                ("world", tr("of the world"), ""),
                ("body", tr("of the second body"), ""),
            ],
            lambda: page.reaction_axes,
            self._choose,
        )
        form.add(tr("Axes"), self.axes)
        self.readings: dict[str, Reading] = {}
        for column, word, _ in COMPONENTS:
            self.readings[column] = Reading(page.theme)
            form.add(word, self.readings[column])
        self.words = wrapped("", "three")
        form.wide(self.words)
        self.plot = _button(tr("Plot"), tr("Show the force in the first plot"), self._plot)
        form.wide(
            row(
                self.plot,
                _button(
                    tr("Table…"),
                    tr("Show the whole run in the panel of analyses"),
                    lambda: _ask(page, "reactions", page.reaction_axes),
                ),
                None,
            )
        )
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(form)
        page.on_time.append(self.refresh)
        self.refresh()

    def _keys(self) -> dict[str, str]:
        return {
            column: key_of("reactions", self._page.reaction_axes, self._leaf.id, column)
            for column, _, _ in COMPONENTS
        }

    def _choose(self, key: str) -> None:
        self._page.reaction_axes = key
        self.refresh()

    def refresh(self) -> None:
        """The numbers at the time cursor; a dash while they are not known."""
        studio, keys = self._studio, self._keys()
        # a folded one requests nothing
        studio.questions.curves.also = (
            () if self.isHidden() and self.parent() is not None else tuple(keys.values())
        )
        units, loose, known = studio.preferences.units, [], False
        largest = {"force": 0.0, "torque": 0.0}
        found = (
            {column: studio.questions.curves.series(key) for column, key in keys.items()}
            if studio.runs.recording is not None
            else {}
        )
        for column, _, dimension in COMPONENTS:
            if (series := found.get(column)) is not None:
                most = float(np.abs(series[1]).max(initial=0.0))
                largest[dimension] = max(largest[dimension], most)
        for column, word, dimension in COMPONENTS:
            series = found.get(column)
            if series is None:
                self.readings[column].show_text("–")
                continue
            known = True
            value = float(np.interp(studio.runs.playback.time, *series))
            value = 0.0 if abs(value) < 1e-12 * largest[dimension] else value
            self.readings[column].show_text(format_value(value, dimension, units, 4))
            if studio.questions.curves.loose(keys[column]):
                loose.append(word)
        self.words.setText(self._words(known, loose))
        self.plot.setEnabled(studio.document.has_bodies)

    def _words(self, known: bool, loose: list[str]) -> str:
        studio = self._studio
        if not known:
            return (
                tr("Being found.")
                if studio.questions.curves.is_busy
                else studio.questions.curves.sentence or tr("Simulate, and they are found.")
            )
        on = tr("On the second body, at the joint.")
        return (
            f"{on} "
            + tr(
                "{names}: not determined by rigid bodies; least-squares value.",
                names=comma().join(loose),
            )
            if loose
            else on
        )

    def _plot(self) -> None:
        studio, keys = self._studio, self._keys()
        project, forces = studio.document.project, [keys[c] for c in ("Fx", "Fy", "Fz")]
        choose(
            studio.document,
            studio.notifications,
            tr("Plot the reaction of {name}", name=studio.document.name(self._leaf.id)),
            lambda: with_curves(project, pane_with_room(project, forces), forces, True),
        )
        if studio.runs.recording is None:
            studio.runs.simulate()
