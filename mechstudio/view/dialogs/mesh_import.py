"""The card that asks for the unit of a part's file, and for the thickness of a profile: it reads
the file beside the window, shows its size and why it cannot be used.
"""

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.edits.body import (
    MESHES,
    PROFILES,
    UNITS,
    MeshFile,
    MeshFileError,
    Part,
    axes_words,
    load_part,
    mass_words,
    size_words,
)
from mechstudio.application.studio import Studio
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.formulas.expression import ExpressionError, evaluate
from mechstudio.model.units import format_value, unit
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.chooser import ask_source
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Segment, label, row, wrapped

POLL_MS = 30


class MeshSheet(Sheet):
    """Reads a file; Insert hands the mesh on.  file: what was read, in the chosen unit; None
    before, and where it cannot be used.
    """

    def __init__(
        self,
        theme: Theme,
        host: QtWidgets.QWidget,
        path: Path,
        units: str,
        insert: Callable[[MeshFile, str], object],
        body: tuple[str, str] | None = None,
    ) -> None:
        """units: in which its size is shown.  insert(file, id): when the user has chosen.  body:
        (id, name) of one whose skin it may become.
        """
        super().__init__(theme, host, 460)
        self._units, self._insert = units, insert
        self._skinned = self._onto = body[0] if body else ""
        self._read: Part | str | None = None  # the part, or why there is none
        self._unit = ""
        self.file: MeshFile | None = None
        self.box.addWidget(wrapped(tr("Insert {name}", name=path.name), "title"))
        self.words, self.notes = wrapped(tr("Reading the file…"), "two"), wrapped("", "three")
        self.unit = Segment(theme, tuple((key, key) for key in UNITS), "tight", 26)
        self.unit.chosen.connect(self._take_unit)
        self.unit_row = row(label(tr("A length of 1 in the file is 1"), "two"), self.unit, None)
        self.goes = Segment(
            theme,
            (
                ("skin", tr("Skin of {name}", name=body[1] if body else "")),
                ("body", tr("New body")),
            ),
            "tight",
            26,
        )
        self.goes.choose("skin")
        self.goes.chosen.connect(self._take_goal)
        self.choice = row(label(tr("It becomes"), "two"), self.goes, None)
        self.choice.setVisible(body is not None)
        self.thickness = QtWidgets.QLineEdit()
        self.thickness.setAccessibleName(tr("Thickness"))
        self.thickness.textEdited.connect(lambda _: self._show())
        framed = QtWidgets.QFrame()
        framed.setObjectName("field")
        theme.fit(framed, height=26, width=120)
        line = QtWidgets.QHBoxLayout(framed)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self.thickness)
        self.thick = row(label(tr("Thickness"), "two"), framed, None)
        self.thick.hide()
        self.button, self.cancel = (
            QtWidgets.QPushButton(tr("Insert")),
            QtWidgets.QPushButton(tr("Cancel")),
        )
        self.button.setObjectName("strong")
        self.button.clicked.connect(self._done)
        self.cancel.clicked.connect(self.close_sheet)
        for widget in (
            self.words,
            self.notes,
            self.unit_row,
            self.thick,
            self.choice,
            row(None, self.cancel, self.button),
        ):
            self.box.addWidget(widget)
        self.notes.hide()
        self.button.setEnabled(False)
        self.button.hide()
        # the pure reading happens in a thread, so that a large file does not hold the window
        self._thread = threading.Thread(
            target=self._load, args=(path,), name=tr("mesh file"), daemon=True
        )
        self._thread.start()
        self._poll = QtCore.QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look)
        self._poll.start()
        self.closed.connect(self._poll.stop)

    def _load(self, path: Path) -> None:
        try:
            self._read = load_part(path)
        except MeshFileError as error:
            self._read = str(error)
        except MemoryError:
            self._read = tr(
                "{name} does not fit into memory. Save it with fewer triangles.", name=path.name
            )

    def _look(self) -> None:
        if not self._thread.is_alive():
            self._poll.stop()
            self._begin()

    def _begin(self) -> None:
        """The file is read: show it in its unit."""
        part = self._read
        if isinstance(part, Part):
            self._unit = part.unit
            self.unit.choose(part.unit)
            if part.is_profile:
                usual = part.usual_thickness(part.unit)
                self.thickness.setText(format_value(usual, "length", self._units, 4))
            self.thick.setVisible(part.is_profile)
        self._show()
        if self.file is not None:
            self.button.setFocus()

    def _take_goal(self, key: str) -> None:
        self._onto = self._skinned if key == "skin" else ""

    def _take_unit(self, unit: str) -> None:
        self._unit = unit
        self._show()

    def _thickness(self) -> float:
        """The typed thickness [m].  Raises MeshFileError."""
        try:
            symbol = unit("length", self._units).symbol
            value = evaluate(with_points(self.thickness.text()), "length", {}, symbol)
        except ExpressionError as error:
            raise MeshFileError(str(error)) from None
        if not value > 0:
            raise MeshFileError(tr("A plate needs a thickness above zero."))
        return value

    def _show(self) -> None:
        """Show the part in the chosen unit."""
        part = self._read
        if part is None:
            return
        self.file, words = None, ""
        if isinstance(part, str):
            words = part
        else:
            try:
                thickness = self._thickness() if part.is_profile else 0.0
                self.file = part.made(self._unit, thickness)
            except MeshFileError as error:
                words = str(error)
        self.unit_row.setVisible(not isinstance(part, str))
        self.button.setEnabled(self.file is not None)
        self.button.setVisible(self.file is not None)
        self.cancel.setText(tr("Cancel") if self.file is not None else tr("Close"))
        notes: tuple[str, ...] = ()
        if self.file is not None:
            words = f"{size_words(self.file, self._units)} · {mass_words(self.file, self._units)}"
            found = axes_words(self.file)
            snap = (tr("Joints snap to its {found}.", found=found),) if found else ()
            notes = (*snap, *self.file.notes)
        self.words.setText(words)
        self.choice.setEnabled(self.file is not None)
        self.notes.setText(" ".join(notes))
        self.notes.setVisible(bool(notes))

    def _done(self) -> None:
        if self.file is not None:
            self._insert(self.file, self._onto)
        self.close_sheet()


def choose_mesh(
    theme: Theme, window: QtWidgets.QWidget, studio: Studio, insert: Callable[[MeshFile], object]
) -> None:
    """Ask for the file of a part and its unit, then pass both on."""
    found = {
        kind: " ".join(f"*{suffix} *{suffix.upper()}" for suffix in suffixes)
        for kind, suffixes in (
            ("parts", (*MESHES, *PROFILES)),
            ("meshes", MESHES),
            ("profiles", PROFILES),
        )
    }
    ask_source(
        window,
        studio.preferences.stored.folder,
        tr("Insert part"),
        (
            tr("Parts ({patterns})", patterns=found["parts"]),
            tr("Meshes ({patterns})", patterns=found["meshes"]),
            tr("Profiles ({patterns})", patterns=found["profiles"]),
            tr("All files (*)"),
        ),
        lambda path: MeshSheet(
            theme, window, path, studio.preferences.units, lambda file, _: insert(file)
        ).open(),
    )
