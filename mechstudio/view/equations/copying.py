"""Copying of equations to the clipboard or into files: buttons in the panel's head and the context
menu.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.questions.equations.derivations import METHOD
from mechstudio.translation import Words, tr
from mechstudio.view.dialogs.files.export import export_menu
from mechstudio.view.equations.parts import TITLES
from mechstudio.view.widgets.widgets import IconButton

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

COPIED_MS = 1200  # that the button says so
FORMATS: tuple[tuple[str, Words], ...] = (
    ("latex", "LaTeX"),
    ("text", "Plain text"),
    ("typst", "Typst"),
)  # of chapters and their steps


class Copying:
    """That of one panel."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        self.copy_button = IconButton(
            panel.theme, "copy", tr("Copy the equations as LaTeX"), 26, 16, clicked=self.copy
        )
        self.export_button = IconButton(
            panel.theme,
            "more",
            tr("Copy or save the equations as …"),
            26,
            16,
            clicked=self.show_export_menu,
        )
        self.timer = QtCore.QTimer(panel, singleShot=True, interval=COPIED_MS)
        self.timer.timeout.connect(
            lambda: self.copy_button.set_icon("copy", tr("Copy the equations as LaTeX"))
        )
        panel.studio.questions.exports.copied.connect(self.copied)

    def menu(self, part: str, at: QtCore.QPoint) -> None:
        """Show the menu of the forms to copy."""
        menu = QtWidgets.QMenu(self._panel)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        if part in TITLES:
            menu.addAction(
                tr("Copy “{title}” as LaTeX", title=tr(TITLES[part])), lambda: self.copy(part)
            )
        key, _, step = part.partition("/")
        chapter = next(
            (
                c.ready
                for c in self._panel.chapters
                if c.ready is not None and c.ready.chapter == key
            ),
            None,
        )
        heading = (
            next((h for h in chapter.steps if h.key == step), None) if chapter is not None else None
        )
        derivations = self._panel.derivations
        assert derivations is not None
        for of, title in ((part, heading and heading.title), (key, chapter and chapter.title)):
            if title:
                formats = menu.addMenu(tr("Copy “{title}” as", title=tr(title)))
                for format, words in FORMATS:
                    formats.addAction(tr(words), partial(derivations.chapters.write, of, format))
        menu.addAction(tr("Copy everything as LaTeX"), self.copy)
        menu.popup(at)

    def show_export_menu(self) -> None:
        """The formats, below their button."""
        panel, button = self._panel, self.export_button
        menu = export_menu(
            panel,
            panel.studio,
            lambda: panel.derivations.method if panel.derivations is not None else METHOD,
            panel.report_requested.emit,
        )
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(
            button.mapToGlobal(
                QtCore.QPoint(button.width() - menu.sizeHint().width(), button.height())
            )
        )

    def copied(self, text: str, format: str) -> None:
        QtGui.QGuiApplication.clipboard().setText(text)
        self.copy_button.set_icon("ok", tr("Copied"))
        self.timer.start()

    def refused(self, sentence: str) -> None:
        self._panel.studio.notifications.say(Message("error", sentence, "copy"))

    def copy(self, part: str = "") -> None:
        """Put the equations, or one part of them, on the clipboard as LaTeX."""
        d = self._panel.derivations
        if d is not None and d.latex:
            self.copied(d.latex_parts[part] if part else d.latex, "latex")
