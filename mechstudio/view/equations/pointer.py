"""The pointer over the equations: a term and its elements glow in the scene, an element of the
scene and its terms glow here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore

from mechstudio.application.questions.equations.symbols import Symbol, explained, symbols
from mechstudio.model.equations.terms import PART, Equations
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.contact_names import CONTACT_PREFIX
from mechstudio.view.equations.formula import Formula

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

Qt = QtCore.Qt


class Pointer:
    """Makes the formulas of one panel answer."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        self._explained: Equations | None = None  # those that `_symbols` belongs to
        self._symbols: dict[str, Symbol] = {}
        panel.studio.selection.changed.connect(self.mark)
        # a step of a lesson marks its terms here too
        panel.studio.lecture.changed.connect(self.mark)

    def dress(self, formula: Formula, part: str) -> Formula:
        """Connect a new formula."""
        formula.explain = self._explain
        formula.hovered.connect(self._hover)
        formula.clicked.connect(self._click)
        formula.zoomed.connect(self._panel.pictures.zoom_by)
        formula.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        formula.customContextMenuRequested.connect(
            lambda at: self._panel.copying.menu(part, formula.mapToGlobal(at))
        )
        return formula

    def _explain(self, words: str, sources: tuple[str, ...]) -> str:
        """Lines for the tip of a term."""
        panel = self._panel
        if panel.equations is None or panel.derivations is None:
            return ""
        if panel.equations is not self._explained:
            self._explained, self._symbols = panel.equations, symbols(panel.equations)
        numbers = panel.derivations.instant_values.numbers
        document = panel.studio.document
        lines = explained(
            self._symbols,
            words,
            sources,
            {} if numbers is None else numbers.values,
            panel.studio.preferences.units,
            {id: document.name(id) for id in document.known()},
        )
        return "\n".join(lines)

    def _hover(self, sources: tuple[str, ...]) -> None:
        known = self._panel.studio.document.known() | {
            s for s in sources if s.startswith(CONTACT_PREFIX)
        }
        self._panel.studio.selection.hover(
            *(
                [s for s in sources if s in known and s != GROUND]
                or [s for s in sources if s in known]
                or [""]
            )
        )

    def _click(self, sources: tuple[str, ...]) -> None:
        source, known = sources[0], self._panel.studio.document.known()
        if source.startswith(PART):
            self._panel.places.open_part(source.removeprefix(PART))
        elif source.startswith(CONTACT_PREFIX):
            self._panel.studio.contact.choose(source)
        elif found := [s for s in sources if s in known]:
            self._panel.studio.selection.select(found[0])

    def mark(self) -> None:
        """Show whose terms glow."""
        for formula in self._panel.pictures.formulas():
            self.mark_one(formula)

    def mark_one(self, formula: Formula) -> None:
        """The same in one formula."""
        studio = self._panel.studio
        step = studio.lecture.step
        terms = () if step is None or studio.lecture.presenting else step.terms
        formula.mark(studio.selection.hovered, (*studio.selection.selected, *terms))
