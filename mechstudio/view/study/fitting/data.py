"""Measured data of a fit, as lines of the setup: the file, and what its columns are."""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application.studies import changes
from mechstudio.application.studies.fits import file_of, problem_of_file
from mechstudio.application.studio import Studio
from mechstudio.curves.quantities import quantity
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import tr
from mechstudio.view.dialogs.measured_data import DataSheet, Purpose, ask_table
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, IconButton, label, row, wrapped


class DataLines:
    """Lines of the data of a study.  choose: asks for a file; columns: asks for the meaning of its
    columns, None before there is a file.
    """

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        study: StudySetup,
        owner: QtWidgets.QWidget,
        left: Callable[[], object],
    ) -> None:
        """left: called when the question about the columns is gone."""
        self._theme, self._studio, self._study, self._owner = theme, studio, study, owner
        self._left = left
        self.dialog: QtWidgets.QFileDialog | None = None
        self.sheet: DataSheet | None = None
        self.columns: QtWidgets.QPushButton | None = None
        self.choose = IconButton(
            theme, "open", tr("Choose measured data…"), 24, 16, clicked=self._ask
        )
        lines: list[QtWidgets.QWidget] = [
            row(label(tr("Measured data"), "title"), None, self.choose)
        ]
        if not study.data:
            hint = tr(
                "Choose a table with a column of times, whose clock begins with the run, and "
                "columns of quantities."
            )
            lines.append(wrapped(hint, "three"))
        else:
            path = file_of(studio.document, study)
            name = Elided(path.name, "two")
            name.setToolTip(str(path))
            self.columns = QtWidgets.QPushButton(tr("Columns…"))
            self.columns.setToolTip(
                tr("Choose which column is the time, and which quantity each other one is")
            )
            self.columns.clicked.connect(lambda _=False: self._open(path, True))
            head = row(name, self.columns, gap=6)
            head.box.setStretch(0, 1)
            lines.append(head)
            for c in study.columns:
                known = quantity(studio.document.project, c.channel)
                called = c.name or c.channel if known is None else known.name
                line = row(Elided(c.column, "two"), label("→", "three"), Elided(called), gap=6)
                line.box.setStretch(0, 1)
                line.box.setStretch(2, 1)
                lines.append(line)
            if problem := problem_of_file(studio.document, study):
                self.columns.setEnabled(False)
                lines.append(wrapped(problem, "wrong"))
        self.lines = lines

    def _ask(self) -> None:
        title = tr("Choose measured data")
        open_ = lambda path: self._open(path, False)
        self.dialog = ask_table(self._owner.window(), self._studio, title, open_)

    def _open(self, path: Path, again: bool) -> None:
        """Ask for the meaning of the columns of a file; again: begin with the previous choice."""
        study, document = self._study, self._studio.document
        purpose = Purpose(
            tr("Fit to measured data"),
            tr("Use"),
            tr("not compared"),
            tr("No quantity is called so; choose one, or it is not compared."),
            lambda clock, found: changes.use_data(document, study.id, path, clock, found),
            study.clock if again else "",
            {c.column: c.channel for c in study.columns} if again else None,
        )
        self.sheet = DataSheet(self._theme, self._owner.window(), self._studio, path, purpose)
        self.sheet.closed.connect(self._left)
        self.sheet.open()
