"""What the actions on bodies do; a part of Commands."""

from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application import shapes
from mechstudio.application.studio import Studio

from .mesh_sheet import MeshSheet, choose_mesh
from .sheet import Sheet
from .theme import Theme


class ShapeCommands:
    """Inserting bodies, and showing their principal axes."""

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
        choose_mesh(self._theme, self._window, self._studio, self._insert_mesh)

    def ask_mesh(self, path: Path) -> None:
        """Show what a mesh file holds, ask for its unit and make it a body."""
        self.sheet = MeshSheet(self._theme, self._window, path, self._studio.units, self._insert_mesh)
        self.sheet.open()

    def _insert_mesh(self, file: shapes.MeshFile) -> None:
        shapes.insert_mesh(self._studio, file)

    @property
    def shows_axes(self) -> bool:
        return self._studio.preferences.stored.axes

    def axes(self) -> None:
        self._studio.preferences.set(axes=not self.shows_axes)
