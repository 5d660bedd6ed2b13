"""Bringing a place of the equations into view_direction: a part, a step of a lecture, or what was
found in a formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore

from mechstudio.view.equations.formula import Formula

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

REVEAL_MS = 40
MARGIN = 24  # px kept around a place that is brought into sight


class Places:
    """Those of one panel."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        self._looked_for = ""
        # a part has its height when its picture is there and the layout has followed
        self.timer = QtCore.QTimer(panel, singleShot=True, interval=REVEAL_MS)
        self.timer.timeout.connect(self._bring_into_sight)

    def look_for(self, part: str) -> None:
        """Bring a part into sight as soon as its picture is there."""
        self._looked_for = part

    def is_requested(self, part: str) -> bool:
        """True if a part is to be brought into sight."""
        return part == self._looked_for

    def shown(self, part: str, formula: Formula) -> None:
        """A picture has been put into its widget."""
        if part == self._looked_for and formula.picture is not None:
            self.timer.start()

    def open_part(self, part: str) -> None:
        """Unfold a part and bring it into sight."""
        if part in self._panel.sections:
            self._looked_for = part
            self._panel.sections[part].set_open(True)
            self.timer.start()

    def make_room(self) -> None:
        """Lay the column out at once."""
        content, column = self._panel.content, self._panel.column
        content.resize(content.width(), max(content.height(), column.minimumSize().height()))
        column.activate()

    def bring(self, formula: Formula, link_area: int) -> None:
        """Scroll to a place in a formula, down the panel and along the formula."""
        formula.to_sight(link_area)
        box = formula.box_of(link_area)
        at = formula.mapTo(self._panel.content, box.center().toPoint())
        self._panel.area.ensureVisible(at.x(), at.y(), 0, round(box.height() / 2) + MARGIN)

    def _bring_into_sight(self) -> None:
        panel = self._panel
        section = next(
            (
                section
                for chapter in panel.chapters
                if (section := chapter.section_of(self._looked_for)) is not None
            ),
            None,
        ) or panel.sections.get(self._looked_for)
        if section is None:
            return
        panel.area.ensureWidgetVisible(section, 0, 0)
        panel.area.ensureWidgetVisible(section.head, 0, 0)
        if section.formula.picture is not None:
            self._looked_for = ""
