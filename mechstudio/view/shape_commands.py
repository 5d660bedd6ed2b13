"""What the actions that insert bodies do; a part of Commands."""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application import shapes
from mechstudio.application.studio import Studio

from .i18n import tr
from .mesh_sheet import MeshSheet
from .sheet import Sheet
from .theme import Theme


class ShapeCommands:
    """One method for each row of ACTIONS that begins with body_."""

    _window: QtWidgets.QMainWindow
    _theme: Theme
    _studio: Studio
    sheet: Sheet | None

    def body_box(self) -> None:
        shapes.insert_body(self._studio, "box")

    def body_cylinder(self) -> None:
        shapes.insert_body(self._studio, "cylinder")

    def body_disc(self) -> None:
        shapes.insert_body(self._studio, "disc")

    def body_sphere(self) -> None:
        shapes.insert_body(self._studio, "sphere")

    def body_capsule(self) -> None:
        shapes.insert_body(self._studio, "capsule")

    def body_cone(self) -> None:
        shapes.insert_body(self._studio, "cone")

    def body_plate(self) -> None:
        shapes.insert_body(self._studio, "plate")

    def body_link(self) -> None:
        shapes.insert_body(self._studio, "link")

    def body_mesh(self) -> None:
        self.choose_mesh(lambda file: shapes.insert_mesh(self._studio, file))

    def choose_mesh(self, insert: Callable[[shapes.MeshFile], object]) -> None:
        """Ask for a mesh file and what its lengths mean, then hand it on."""
        dialog = QtWidgets.QFileDialog(self._window, tr("Insert mesh"), self._studio.preferences.stored.folder)
        patterns = " ".join(f"*{suffix} *{suffix.upper()}" for suffix in shapes.SUFFIXES)
        dialog.setNameFilters([tr("Meshes ({patterns})", patterns=patterns), tr("All files (*)")])
        dialog.setFileMode(QtWidgets.QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.ask_mesh(Path(path), insert))
        dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def ask_mesh(self, path: Path, insert: Callable[[shapes.MeshFile], object] | None = None) -> None:
        """Show what a mesh file holds and ask for its unit; without `insert` it becomes a body."""
        self.sheet = MeshSheet(self._theme, self._window, path, self._studio.units, insert or (lambda file: shapes.insert_mesh(self._studio, file)))
        self.sheet.open()
