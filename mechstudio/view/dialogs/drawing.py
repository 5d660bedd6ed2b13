"""The front view with dimensions taken home: the file dialog, and the file made beside the window's
thread.
"""

from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.marks.gauges import shown_poses
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.curves.drawings.sheet import front_view
from mechstudio.translation import Words, comma, tr
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.widgets.svg import drawn_svg

KINDS: tuple[tuple[str, Words], ...] = (
    (".pdf", "Drawing with dimensions as PDF"),
    (".svg", "Drawing with dimensions as SVG"),
)


class DrawingExporter(QtCore.QObject):
    """Export of the front view.  finished: a file is written, or could not be;
    saved(path): it is.
    """

    finished = QtCore.Signal()
    saved = QtCore.Signal(Path)

    def __init__(self, studio: Studio, owner: QtWidgets.QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self._files = FileMaking(studio.notifications, self)
        self._files.finished.connect(self.finished)
        self._files.saved.connect(self.saved)
        self.dialog: QtWidgets.QFileDialog | None = None

    def ask(self, name: str) -> None:
        """Ask for a file and write the drawing into it.  name: of the project."""
        self.dialog = ask_target(
            self._owner,
            self._studio.preferences.stored.folder,
            tr("Export the front view"),
            {f"{tr(words)} (*{ending})": ending for ending, words in KINDS},
            f"{Path(name).stem or 'drawing'}{KINDS[0][0]}",
            lambda path: self.save(path, name),
            "export_drawing",
        )

    def save(self, path: Path, name: str) -> None:
        """Write the front view at the poses that are shown on an A4 sheet."""
        studio, ending = self._studio, path.suffix.lower()
        if ending not in [kind for kind, _ in KINDS]:
            known = comma().join(kind for kind, _ in KINDS)
            self._say(
                tr(
                    "There is no format {ending}; there are {known}.",
                    ending=ending or "–",
                    known=known,
                )
            )
            return
        project, m = studio.document.project, studio.display.project.mechanism
        try:
            sheet = front_view(project, name, m=m, poses=shown_poses(studio.display))
        except ValueError as error:
            self._say(str(error))
            return
        self._files.make(path, lambda: sheet.content(ending))
        if sheet.left_out:
            names = comma().join(sheet.left_out)
            self._say(tr("Not seen true in the front view and left out: {names}.", names=names))

    def picture(self, name: str) -> QtGui.QImage | str:
        """The sheet as it would be written, or why it cannot be."""
        studio, m = self._studio, self._studio.display.project.mechanism
        try:
            poses = shown_poses(studio.display)
            sheet = front_view(studio.document.project, name, m=m, poses=poses)
        except ValueError as error:
            return str(error)
        image = drawn_svg(sheet.svg, (1188, 840))
        return image.convertToFormat(QtGui.QImage.Format.Format_RGB32)

    def _say(self, text: str) -> None:
        self._studio.notifications.say(Message("warning", text, "drawing"))
