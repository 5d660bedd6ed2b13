"""The pictures of the equations panel: the visible ones, their style of typesetting, and their
coming: what is in sight first, and never much in one turn.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.questions.equations.styles import Style
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.view.equations.equation_sections import INDENT
from mechstudio.view.equations.formula import Formula
from mechstudio.view.equations.lecture import StepSection
from mechstudio.view.equations.proofs import MARKED
from mechstudio.view.equations.unpacking import Unpacking
from mechstudio.view.equations.views import NOW
from mechstudio.view.idle_tasks import turns

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

SIZE = 14.5  # px, letters of formulas at the normal text size
ZOOM = 1.1  # per step of the wheel
SMALLEST, LARGEST = 0.6, 3.0
EDGE = 12  # px, beside the parts
COLUMN_GAP = 18  # px between columns of derivations
AHEAD = 3  # pictures under way at a time: more would delay those scrolled into view
SLICE = 0.02  # s of computing after which what has come waits for the next turn
PROOF = "proof"  # of pictures: PROOF/key of a proof, as worker.derivation_process has it


class Pictures:
    """Those of one panel.   zoom: of letters, by the user."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        self.zoom = 1.0
        self._turn = QtCore.QObject(panel)
        self._unpacking = Unpacking(panel)
        self._unpacking.done.connect(self.look_soon)
        self._unpacking.failed.connect(
            lambda sentence: panel.studio.notifications.say(Message("error", sentence, "picture"))
        )
        self._lacks = (
            False  # whether there are pictures to request when those under way have arrived
        )
        self._colors_of: tuple[str, Mechanism | None] = "", None
        self._known_colors: dict[str, str] = {}

    def style(self, part: str) -> Style:
        """Current typesetting style of a part."""
        panel, theme = self._panel, self._panel.theme
        inner = self._inner()
        columns = 1 if panel.bar.stacked else max(len(panel.columns), 1)
        section = self._section_of(part)
        if section is not None:
            inner = (inner - COLUMN_GAP * (columns - 1)) / columns - section.indent
        chapter = part.partition("/")[0]
        indent = (
            MARKED
            if chapter == PROOF
            else 0
            if part == "structure" or chapter == NOW or section is not None
            else INDENT
        )
        width = float(max(inner - indent, 0))
        return Style(
            self._colors(),
            round(SIZE * theme.scale * self.zoom, 2),
            panel.devicePixelRatioF(),
            width,
            panel.studio.preferences.units,
            panel.bar.numbers,
            panel.bar.with_numbers,
        )

    def _inner(self) -> float:
        """Width of the column [px], as if the scroll bar were always there, so that its coming does
        not break the lines again.
        """
        area = self._panel.area
        bar = area.style().pixelMetric(
            QtWidgets.QStyle.PixelMetric.PM_ScrollBarExtent, None, area.verticalScrollBar()
        )
        return area.width() - bar - 2 * EDGE

    def _colors(self) -> dict[str, str]:
        """Colours of letters, by the ids of elements; made again when the drawing or the theme is
        another.
        """
        theme, mechanism = self._panel.theme, self._panel.studio.document.project.mechanism
        if self._colors_of != (theme.name, mechanism):
            self._colors_of = theme.name, mechanism
            self._known_colors = {"text": theme["text"], "mute": theme["text3"]}
            self._known_colors |= {
                id: theme.readable(theme.body(b.color))
                for id, b in ((GROUND, mechanism.ground), *mechanism.bodies.items())
            }
        return self._known_colors

    def zoom_by(self, steps: float) -> None:
        """Larger or smaller by steps of the wheel; 0 is the normal size."""
        self.zoom = min(max(self.zoom * ZOOM**steps, SMALLEST), LARGEST) if steps else 1.0
        self.ask()

    def ask(self) -> None:
        """Show every visible picture, and request those that are missing or have another style:
        those in sight first.
        """
        self._look()

    def look_soon(self) -> None:
        """The same, in a turn of its own: after the next layout, when everything has its place."""
        turns().soon(self._turn, self._look)

    def _look(self) -> None:
        """Show arrived pictures, for a while, and request some of the missing ones."""
        panel, d = self._panel, self._panel.derivations
        if not panel.is_shown or d is None:
            return
        began, grown, left, some = time.thread_time(), False, False, False
        self._lacks = False
        parts = self._in_order()
        self._unpacking.keep(parts)
        for part in parts:
            formula, style = self.formula_of(part), self.style(part)
            assert formula is not None
            lacks = d.pictures.lacks(part, style)
            if lacks and d.pictures.pending_count < AHEAD:
                d.pictures.picture(part, style)
            elif lacks:
                self._lacks = True
            picture = d.pictures.newest(part)
            if formula.shows(picture, style.size):
                continue
            # one at least, or where finding out what is in sight takes that long nothing would ever
            # be shown
            if left := some and time.thread_time() - began > SLICE:
                break
            image = (
                formula.image
                if picture is formula.picture
                else self._unpacking.image(part, picture)
            )
            if image is None:
                continue
            before = formula.height()
            formula.show_picture(picture, image, style.size)
            grown, some = grown or formula.height() != before, True
            panel.shown(part, formula)
        if grown:
            # what stands beneath makes room at once: the request for it comes late on a busy
            # machine, and lines would lie on one another until then
            panel.places.make_room()
        if left or grown:
            self.look_soon()

    def _in_order(self) -> list[str]:
        """Parts that are open to the eye: what is looked for, what is in sight, what follows, what
        was scrolled over.
        """
        panel = self._panel
        content, top = panel.content, panel.area.verticalScrollBar().value()
        bottom = top + panel.area.viewport().height()
        ranks = {}
        for k, part in enumerate(self.seen()):
            formula = self.formula_of(part)
            if formula is None:
                continue
            if formula.isHidden():
                formula.show()
            y = formula.mapTo(content, QtCore.QPoint(0, 0)).y()
            above, below = top - (y + formula.height()), y - bottom
            ranks[part] = (
                -1
                if panel.places.is_requested(part)
                else 0
                if above <= 0 >= below
                else 1
                if below > 0
                else 2,
                above if above > 0 else k,
            )
        return sorted(ranks, key=ranks.__getitem__)

    def seen(self) -> list[str]:
        """Parts that are open to the eye, in the order of reading."""
        panel = self._panel
        parts = [f"{PROOF}/{key}" for key, _ in panel.marks.seen()]
        if panel.bar.lecture == NOW:
            return parts + list(panel.now.parts)
        parts.append("structure")
        if not panel.bar.lecture:
            parts += [part for part, section in panel.sections.items() if section.is_open]
        return parts + [
            section.part
            for chapter in panel.chapters[: len(panel.columns)]
            for section in chapter.seen()
        ]

    def ready(self, part: str) -> None:
        """A part has another picture, or will have none."""
        self.look_soon()

    @property
    def waits(self) -> bool:
        """True if a picture that has come is still to be shown, or more will be requested once one
        has come.
        """
        return (
            turns().waits(self._turn)
            or self._unpacking.waits
            or (
                self._lacks
                and self._panel.derivations is not None
                and self._panel.derivations.pictures.pending_count > 0
            )
        )

    def _section_of(self, part: str) -> StepSection | None:
        """The step that a picture belongs to."""
        return next(
            (f for c in self._panel.chapters if (f := c.section_of(part)) is not None), None
        )

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
            section = self._section_of(part)
            return None if section is None else section.formula
        return panel.sections[part].formula if part in panel.sections else None

    def formulas(self) -> list[Formula]:
        """All widgets of formulas, seen or not, in the order of reading."""
        panel = self._panel
        return [
            *(c.formula for c in panel.marks.claims),
            panel.structure,
            *(s.formula for s in panel.sections.values()),
            *panel.now.formulas.values(),
            *(f.formula for c in panel.chapters for f in c.sections.values()),
        ]
