"""Commands on bodies.  A part of Commands."""

from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application.actions import body
from mechstudio.application.studio import Studio
from mechstudio.application.tools.solid_stages import LETTERS
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.mechanism import GROUND
from mechstudio.view.dialogs.mesh_import import MeshSheet, choose_mesh
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme


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
        choose_mesh(
            self._theme,
            self._window,
            self._studio,
            lambda file: body.insert_mesh(self._studio, file),
        )

    def ask_mesh(self, path: Path, pointer: Pointer) -> None:
        """Show what a mesh file holds and ask for its unit; it becomes the skin of the body at the
        pointer, or a body there.
        """
        m, at = self._studio.document.project.mechanism, pointer.point

        def insert(file: body.MeshFile, onto: str) -> None:
            if onto and (onto in self._studio.document.project.mechanism.bodies or onto == GROUND):
                body.join_mesh(self._studio, onto, file)
                self._studio.selection.select(onto)
            else:
                body.insert_mesh(self._studio, file, at)

        name = m.body(pointer.body).name if pointer.body else ""
        self.sheet = MeshSheet(
            self._theme,
            self._window,
            path,
            self._studio.units,
            insert,
            (pointer.body, name) if pointer.body else None,
        )
        self.sheet.open()

    @property
    def shows_axes(self) -> bool:
        return self._studio.preferences.stored.axes

    def axes(self) -> None:
        self._studio.preferences.set(axes=not self.shows_axes)


# drawing a body of each shape
for _type in LETTERS.values():
    setattr(
        ShapeCommands,
        f"body_{_type}",
        lambda self, type=_type: self._studio.bench.take("solid", type=type),
    )
