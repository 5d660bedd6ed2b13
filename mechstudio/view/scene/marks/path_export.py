"""Trails and curves taken home: the file dialog, and the file made beside the window's thread."""

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.marks.exported_paths import exported
from mechstudio.application.marks.path_files import content
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model.project import Mark
from mechstudio.model.types.exports import PATH_EXPORTS
from mechstudio.translation import comma, tr
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.dialogs.files.chooser import ask_target


class PathExporter(QtCore.QObject):
    """Export of paths of points.  finished: a file is written, or could not be."""

    finished = QtCore.Signal()

    def __init__(self, studio: Studio, owner: QtWidgets.QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self._files = FileMaking(studio.notifications, self)
        self._files.finished.connect(self.finished)
        self.dialog: QtWidgets.QFileDialog | None = None

    def ask(self, marks: Sequence[Mark]) -> None:
        """Ask for a file and write the paths of some marks into it."""
        if not exported(self._studio, tuple(marks)):
            self._say(tr("There is no path yet: press Space, or wait until the curve is found."))
            return
        words = self._studio.marks.title(marks[0]) if len(marks) == 1 else tr("paths")
        kept = "".join(c for c in "_".join(words.lower().split()) if c.isalnum() or c in "_-")
        self.dialog = ask_target(
            self._owner,
            self._studio.preferences.stored.folder,
            tr("Export trails and curves"),
            {
                tr("{label} (*{suffix})", label=tr(f.kind), suffix=f.suffix): f.suffix
                for f in PATH_EXPORTS
            },
            f"{kept or 'path'}{PATH_EXPORTS[0].suffix}",
            lambda path: self.save(marks, path),
            "export_paths",
        )

    def save(self, marks: Sequence[Mark], path: Path) -> None:
        """Write the paths of some marks into a file in the format of its ending."""
        format = next((f for f in PATH_EXPORTS if f.suffix == path.suffix.lower()), None)
        paths = exported(self._studio, tuple(marks))
        if format is None:
            known, ending = comma().join(f.suffix for f in PATH_EXPORTS), path.suffix or "–"
            self._say(
                tr("There is no format {ending}; there are {known}.", ending=ending, known=known)
            )
        elif not paths:
            self._say(tr("There is no path any more: the drawing was changed. Press Space."))
        else:
            units = self._studio.preferences.units
            self._files.make(path, lambda: content(paths, format.id, units))

    def _say(self, text: str) -> None:
        self._studio.notifications.say(Message("warning", text, "export"))
