"""Commands on several elements: selection, duplication, clipboard, groups and names.  A part of
Commands.
"""

from typing import Any

from PySide6 import QtWidgets

from mechstudio.model.edits.clipboard import SECTIONS


class ArrangeCommands:
    """Part of Commands; a method per action id."""

    _studio: Any
    _window: Any

    def select_all(self) -> None:
        self._studio.select_all()

    def select_inverse(self) -> None:
        self._studio.select_inverse()

    def select_connected(self) -> None:
        self._studio.select_connected()

    def select_alike(self) -> None:
        self._studio.select_alike()

    def duplicate(self) -> None:
        self._studio.duplicate()

    @property
    def is_mirroring(self) -> bool:
        return self._studio.bench.tool.name == "mirror"

    def mirror(self) -> None:
        self._studio.bench.take("mirror")

    def flip_across(self) -> None:
        self._studio.flip("across")

    def flip_along(self) -> None:
        self._studio.flip("along")

    def copy(self) -> bool:
        """Put the selection on the clipboard as text; whether it is there."""
        text = self._studio.copied_text()
        if text:
            QtWidgets.QApplication.clipboard().setText(text)
        return bool(text)

    def cut(self) -> None:
        if self.copy():
            self._studio.delete("Cut")

    def paste(self) -> None:
        empty = not self._studio.has_bodies
        if self._studio.paste(QtWidgets.QApplication.clipboard().text()) and empty:
            self._window.viewport.fit()

    def group(self) -> None:
        self._studio.group()

    def ungroup(self) -> None:
        self._studio.ungroup()

    def isolate(self) -> None:
        self._studio.isolate()

    def rename(self) -> None:
        """The line of the model tree becomes a field for the name."""
        if self._window.docks.is_filled:
            group = self._studio.chosen_group
            self._window.docks.tree.begin_rename(
                group.id if group is not None else self._studio.selection.current
            )


for _section in SECTIONS:
    setattr(
        ArrangeCommands,
        f"select_{_section}",
        lambda self, section=_section: self._studio.select_all(section),
    )
