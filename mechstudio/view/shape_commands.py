"""What the actions on bodies do; a part of Commands."""

from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application import shapes
from mechstudio.application.studio import Studio
from mechstudio.application.tools.solid_stages import LETTERS

from .mesh_sheet import MeshSheet, choose_mesh
from .sheet import Sheet
from .theme import Theme


class ShapeCommands:
    """Inserting bodies, and showing their principal axes."""

    _window: QtWidgets.QMainWindow
    _theme: Theme
    _studio: Studio
    sheet: Sheet | None

    @property
    def is_drawing_solid(self) -> bool:
        return self._studio.bench.tool.name == "solid"

    @property
    def is_placing_point(self) -> bool:
        return self._studio.bench.tool.name == "point"

    def point(self) -> None:
        if not self.is_placing_point:
            self._studio.bench.take("point")

    def add_shape(self) -> None:
        self._studio.bench.take("solid", onto=self._studio.selection.current)

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


# drawing a body of each shape
for _type in LETTERS.values():
    setattr(ShapeCommands, f"body_{_type}", lambda self, type=_type: self._studio.bench.take("solid", type=type))
