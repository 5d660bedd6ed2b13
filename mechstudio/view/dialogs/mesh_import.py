"""The card that asks what a mesh file's lengths mean: it reads the file beside the window, shows
its size and why it cannot be used.
"""

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.edits.body import (
    SUFFIXES,
    UNITS,
    MeshFile,
    MeshFileError,
    load_mesh,
    mass_words,
    rescaled,
    size_words,
)
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Segment, label, row, wrapped

POLL_MS = 30
FIRST_UNIT = "mm"


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
        self._units, self._insert, self._onto = units, insert, body[0] if body else ""
        self._read: MeshFile | str | None = None  # in millimetres, or why it cannot be
        self.file: MeshFile | None = None
        self.box.addWidget(wrapped(tr("Insert {name}", name=path.name), "title"))
        self.words, self.notes = wrapped(tr("Reading the file…"), "two"), wrapped("", "three")
        self.unit = Segment(theme, tuple((key, key) for key in UNITS), "tight", 26)
        self.unit.choose(FIRST_UNIT)
        self.unit.chosen.connect(self._choose)
        self.asked = row(label(tr("A length of 1 in the file is 1"), "two"), self.unit, None)
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
        self.goes.chosen.connect(
            lambda key: setattr(self, "_onto", body[0] if body and key == "skin" else "")
        )
        self.choice = row(label(tr("It becomes"), "two"), self.goes, None)
        self.choice.setVisible(body is not None)
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
            self.asked,
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
            self._read = load_mesh(path, FIRST_UNIT)
        except MeshFileError as error:
            self._read = str(error)
        except MemoryError:
            self._read = tr(
                "{name} does not fit into memory. Save it with fewer triangles.", name=path.name
            )

    def _look(self) -> None:
        if not self._thread.is_alive():
            self._poll.stop()
            self._choose(FIRST_UNIT)

    def _choose(self, unit: str) -> None:
        """Show the file with its lengths in a unit."""
        if self._read is None:
            return
        self.file, reason = None, ""
        if isinstance(self._read, str):
            reason = self._read
        else:
            try:
                self.file = rescaled(self._read, FIRST_UNIT, unit)
            except MeshFileError as error:
                reason = str(error)
        self.asked.setVisible(not isinstance(self._read, str))
        self.button.setEnabled(self.file is not None)
        self.button.setVisible(self.file is not None)
        self.cancel.setText(tr("Cancel") if self.file is not None else tr("Close"))
        if self.file is not None:
            units = self._units
            reason = f"{size_words(self.file, units)} · {mass_words(self.file, units)}"
        self.words.setText(reason)
        self.choice.setEnabled(self.file is not None)
        notes = " ".join(self.file.notes) if self.file is not None else ""
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes))
        if self.file is not None:
            self.button.setFocus()

    def _done(self) -> None:
        if self.file is not None:
            self._insert(self.file, self._onto)
        self.close_sheet()


def choose_mesh(
    theme: Theme, window: QtWidgets.QWidget, studio: Studio, insert: Callable[[MeshFile], object]
) -> None:
    """Ask for a mesh file and what its lengths mean, then hand it on."""
    dialog = QtWidgets.QFileDialog(window, tr("Insert mesh"), studio.preferences.stored.folder)
    patterns = " ".join(f"*{suffix} *{suffix.upper()}" for suffix in SUFFIXES)
    dialog.setNameFilters([tr("Meshes ({patterns})", patterns=patterns), tr("All files (*)")])
    dialog.setFileMode(QtWidgets.QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(
        lambda path: MeshSheet(
            theme, window, Path(path), studio.preferences.units, lambda file, _: insert(file)
        ).open()
    )
    dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
