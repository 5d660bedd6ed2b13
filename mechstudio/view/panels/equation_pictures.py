"""The pictures of the equations panel: which are looked at, how they are to be typeset, and their coming, each in a turn of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.application.equation_styles import Style
from mechstudio.model.mechanism import GROUND

from ..turns import turns
from .equation_folds import INDENT
from .equation_marks import MARKED
from .equation_views import NOW
from .formula import Formula

if TYPE_CHECKING:
    from .equations import EquationsPanel

SIZE = 14.5                 # px, letters of formulas at the normal text size
ZOOM = 1.1                  # per step of the wheel
SMALLEST, LARGEST = 0.6, 3.0
EDGE = 12                   # px, beside the parts
COLUMN_GAP = 18             # px between columns of derivations
PROOF = "proof"             # of pictures: PROOF/key of a proof, as worker.derive has it


class Pictures:
    """Those of one panel.   zoom: of letters, by the user."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        self.zoom = 1.0

    def style(self, part: str) -> Style:
        """How a part is typeset now."""
        panel, theme, studio = self._panel, self._panel.theme, self._panel.studio
        mechanism = studio.document.project.mechanism
        colors = {"text": theme["text"], "mute": theme["text3"]}
        colors |= {id: theme.readable(theme.body(b.color)) for id, b in ((GROUND, mechanism.ground), *mechanism.bodies.items())}
        # as if the scroll bar were always there, so that its coming does not break the lines anew
        inner = panel.area.width() - panel.area.verticalScrollBar().sizeHint().width() - 2 * EDGE
        columns = max(len(panel.columns), 1)
        fold = next((f for c in panel.chapters if (f := c.fold_of(part)) is not None), None)
        if fold is not None:
            inner = (inner - COLUMN_GAP * (columns - 1)) / columns - fold.indent
        chapter = part.partition("/")[0]
        indent = MARKED if chapter == PROOF else 0 if part == "structure" or chapter == NOW or fold is not None else INDENT
        width = float(max(inner - indent, 0))
        return Style(colors, round(SIZE * theme.scale * self.zoom, 2), panel.devicePixelRatioF(), width, studio.units, panel.bar.numbers, panel.bar.live)

    def zoom_by(self, steps: float) -> None:
        """Larger or smaller by steps of the wheel; 0 is the normal size."""
        self.zoom = min(max(self.zoom * ZOOM ** steps, SMALLEST), LARGEST) if steps else 1.0
        self.ask()

    def ask(self) -> None:
        """Ask for every picture that is looked at."""
        panel = self._panel
        if not panel.is_shown:
            return
        for part in self.seen():
            self.show(part)

    def seen(self) -> list[str]:
        """Parts that are open to the eye, in the order of reading."""
        panel = self._panel
        parts = [f"{PROOF}/{key}" for key, _ in panel.marks.seen()]
        if panel.bar.lecture == NOW:
            return parts + list(panel.now.parts)
        parts.append("structure")
        if not panel.bar.lecture:
            parts += [part for part, section in panel.sections.items() if section.is_open]
        return parts + [fold.part for chapter in panel.chapters[:len(panel.columns)] for fold in chapter.seen()]

    def ready(self, part: str) -> None:
        """A part has another picture."""
        formula = self.formula_of(part)
        if formula is not None:
            turns().soon(formula, lambda: self.show(part))

    @property
    def waits(self) -> bool:
        """Whether a picture that has come is still to be shown."""
        return any(turns().waits(f) for f in self.formulas())

    def show(self, part: str) -> None:
        """Show the newest picture of a part, asking for a better one if it has another style."""
        panel, formula = self._panel, self.formula_of(part)
        if formula is None or panel.derivations is None:
            return
        style = self.style(part)
        formula.show()
        before = formula.height()
        formula.show_picture(panel.derivations.picture(part, style), style.size)
        if formula.height() != before:
            # what stands beneath makes room at once: the request for it comes late on a busy machine, and lines would lie on one another until then
            panel.places.make_room()
        panel.shown(part, formula)

    def formula_of(self, part: str) -> Formula | None:
        """The widget that shows a part."""
        panel = self._panel
        if part == "structure":
            return panel.structure
        chapter, _, key = part.partition("/")
        if chapter == NOW:
            return panel.now.parts.get(part)
        if chapter == PROOF:
            return panel.marks.formula_of(key)
        if key:
            return next((f.formula for c in panel.chapters if (f := c.fold_of(part)) is not None), None)
        return panel.sections[part].formula if part in panel.sections else None

    def formulas(self) -> list[Formula]:
        """All widgets of formulas, seen or not, in the order of reading."""
        panel = self._panel
        return [*(c.formula for c in panel.marks.claims), panel.structure, *(s.formula for s in panel.sections.values()),
                *panel.now.formulas.values(), *(f.formula for c in panel.chapters for f in c.folds.values())]
