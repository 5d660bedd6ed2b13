"""Marks of the drawing, arrows of a run and its contacts, passed to the scene."""

import math
from collections.abc import Callable

from mechstudio.application.marks.figures.figure import Outline
from mechstudio.application.marks.whole_turns import DEAD, Note
from mechstudio.application.studio import Studio
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.scene.marks.hovered_name import pointed
from mechstudio.view.scene.overlays.overlay import legend_value
from mechstudio.view.scene.viewport import Viewport


class ShownMarks:
    """Paths, arrows, figures and contacts of a studio in a view."""

    def __init__(self, studio: Studio, view: Viewport) -> None:
        self._studio, self._view = studio, view
        self.beside: Callable[[], tuple[Outline, ...]] = tuple  # more ghosts
        studio.marks.changed.connect(self.show)
        studio.marks.pointed = lambda: pointed(studio.display.project.mechanism, view)

    def show(self) -> None:
        """Show the paths at their present length, and their figures."""
        marks = self._studio.marks
        self._view.look.set_paths(marks.paths(), tuple((n, self._noted(n)) for n in marks.notes()))
        self.show_arrows()

    def show_arrows(self) -> None:
        """Arrows of the recording, while its poses are shown."""
        studio, look = self._studio, self._view.look
        marks, recorded = studio.marks, self._is_recorded
        look.set_arrows(marks.shown_arrows() if recorded else [], marks.measures, marks.components)
        figures = marks.shown_figures(recorded, studio.preferences.units)
        if words := studio.free_motion.symbols:
            figures = figures._replace(symbols=(*figures.symbols, *words))
        if outlines := self.beside():
            figures = figures._replace(outlines=(*figures.outlines, *outlines))
        look.set_figures(figures)

    def show_contacts(self) -> None:
        """Contacts of the recording, while its poses are shown."""
        studio = self._studio
        shown = self._is_recorded and studio.preferences.stored.contact_marks
        self._view.look.set_contacts(studio.contact.instant_contacts if shown else None)

    def measured(self, dimension: str) -> str:
        """Length of the legend's arrow of a quantity in words; "" for none."""
        view, marks = self._view, self._studio.marks
        drawn = {m.dimension: m for m in view.shown.scene.measures}
        return legend_value(marks.measures(drawn).get(dimension), view.framing.pixel, view.look)

    @property
    def _is_recorded(self) -> bool:
        """True if poses of the recording are shown."""
        studio = self._studio
        return (
            studio.tools.tentative is None
            and studio.questions.drag.poses is None
            and studio.free_motion.shown is None
            and studio.questions.assembly.proposal is None
        )

    def _noted(self, note: Note) -> str:
        """Words of a notable place on a curve: of a dead point with the position of the input."""
        found = self._studio.marks.whole_turns.result
        if note.kind != DEAD or found is None:
            return ""
        name, units = self._studio.document.name(found.joint), self._studio.preferences.units
        value = note.inputs[0]
        if found.dimension == "angle":
            value = math.remainder(value, 2 * math.pi)
        shown = format_value(value, found.dimension, units, 4)
        return tr("{joint} {value}", joint=name, value=shown)
