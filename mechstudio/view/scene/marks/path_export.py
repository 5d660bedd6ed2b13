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
from mechstudio.translation import tr
from mechstudio.view.dialogs.file_making import FileMaking


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
        folder = self._studio.preferences.stored.folder
        dialog = QtWidgets.QFileDialog(self._owner, tr("Export trails and curves"), folder)
        self.dialog = dialog
        dialog.setObjectName("export_paths")
        dialog.setAcceptMode(QtWidgets.QFileDialog.AcceptMode.AcceptSave)
        filters = {
            tr("{label} (*{suffix})", label=tr(f.kind), suffix=f.suffix): f for f in PATH_EXPORTS
        }
        dialog.setNameFilters(list(filters))
        dialog.setDefaultSuffix(PATH_EXPORTS[0].suffix.lstrip("."))
        words = self._studio.marks.title(marks[0]) if len(marks) == 1 else tr("paths")
        kept = "".join(c for c in "_".join(words.lower().split()) if c.isalnum() or c in "_-")
        dialog.selectFile(f"{kept or 'path'}{PATH_EXPORTS[0].suffix}")

        def follow(filter: str) -> None:
            suffix, typed = filters[filter].suffix, dialog.selectedFiles()
            dialog.setDefaultSuffix(suffix.lstrip("."))
            dialog.selectFile(f"{Path(typed[0]).stem}{suffix}")

        dialog.filterSelected.connect(follow)
        dialog.fileSelected.connect(lambda path: self.save(marks, Path(path)))
        dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def save(self, marks: Sequence[Mark], path: Path) -> None:
        """Write the paths of some marks into a file in the format of its ending."""
        format = next((f for f in PATH_EXPORTS if f.suffix == path.suffix.lower()), None)
        paths = exported(self._studio, tuple(marks))
        if format is None:
            known, ending = ", ".join(f.suffix for f in PATH_EXPORTS), path.suffix or "–"
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
