"""Panes taken home: the file dialog, pictures made beside the window's own thread, and the
clipboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.plots import export
from mechstudio.application.plots.comparison import sources
from mechstudio.application.plots.diagrams import Drawing, drawing
from mechstudio.application.plots.export import LABELS, PICTURES, TABLES, Shown
from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace
from mechstudio.application.studio import Studio
from mechstudio.curves import tables
from mechstudio.curves.picture import Look, Panel
from mechstudio.translation import comma, tr
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.theme import Theme

SIZES = ((640, 360), (960, 540), (1600, 900))  # of pictures [px]
ENDINGS = (*TABLES, *PICTURES)
MOST_NAMES = 3  # of curves, in a sentence


def like(ending: str) -> tuple[str, ...]:
    """Endings of the same kind of file, the given one first."""
    group = TABLES if ending in TABLES else PICTURES
    return (ending, *(e for e in group if e != ending))


def _few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    left = len(names) - MOST_NAMES
    more = [tr("and {count} more", count=left)] if left > 0 else []
    return comma().join([*names[:MOST_NAMES], *more])


def diagram_now(studio: Studio, pane: Pane, traces: Sequence[Trace], wait: bool = True) -> Drawing:
    """Contents of a pane that is a diagram, over the stretch in sight.  wait: see
    application.plots.diagrams.drawing.
    """
    project, answers = studio.document.project, studio.questions.curves.answers
    runs = sources(studio.runs, project, answers)
    return drawing(pane, traces, runs, studio.plots.shown, studio.preferences.units, wait)


class Exporter(QtCore.QObject):
    """Export of some panes.  paper: pictures in black on white, else in the theme; size: of a pane
    in them [px].  finished: a file is written, or could not be; saved(path): it is.
    """

    finished = QtCore.Signal()
    saved = QtCore.Signal(Path)

    def __init__(self, theme: Theme, studio: Studio, owner: QtWidgets.QWidget) -> None:
        super().__init__(owner)
        self._theme, self._studio, self._owner = theme, studio, owner
        self.paper, self.size = False, SIZES[1]
        self.dialog: QtWidgets.QFileDialog | None = None
        self._files = FileMaking(studio.notifications, self)
        self._files.finished.connect(self.finished)
        self._files.saved.connect(self.saved)

    def ask(self, shown: Sequence[Shown], endings: tuple[str, ...] = ENDINGS) -> None:
        """Ask for a file and write the panes into it."""
        if not any(len(t.time) for _, traces in shown for t in traces):
            self._say(tr("There is nothing to export yet: press Space to run the drawing."))
            return
        name = "_".join(shown[0][0].title.lower().split()) if len(shown) == 1 else "plots"
        kept = "".join(c for c in name if c.isalnum() or c in "_-")
        self.dialog = ask_target(
            self._owner,
            self._studio.preferences.stored.folder,
            tr("Export panes"),
            {tr("{label} (*{suffix})", label=tr(LABELS[e]), suffix=e): e for e in endings},
            f"{kept or 'plot'}{endings[0]}",
            lambda path: self.save(shown, path),
            "export_panes",
        )

    def save(self, shown: Sequence[Shown], path: Path) -> None:
        """Write panes into a file in the format of its ending."""
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            known = comma().join(ENDINGS)
            self._say(
                tr(
                    "There is no format {ending}; there are {known}.",
                    ending=ending or "–",
                    known=known,
                )
            )
        elif ending in TABLES:
            found = self.table(shown)
            notes = self._notes(shown, found)
            self._files.make(path, lambda: tables.content(found, ending), notes)
        else:
            panels, look = self.panels(shown)
            notes = self._notes(shown)
            self._files.make(path, lambda: export.picture(panels, look, ending), notes)

    def _notes(self, shown: Sequence[Shown], table: Sequence[tables.Column] = ()) -> str:
        """Sentences on curves that are left out, and on cells of a table that are empty."""
        studio, notes = self._studio, []
        curves = studio.questions.curves
        runs = sources(studio.runs, studio.document.project, curves.answers)
        if names := export.unknown(shown, runs):
            notes.append(
                tr("Left out, since it is not known: {names}.", names=_few(names))
                if curves.is_settled and not curves.is_busy
                else tr(
                    "Left out, since it is still being found: {names}. Export again once it is "
                    "there.",
                    names=_few(names),
                )
            )
        if names := export.with_gaps(table):
            notes.append(
                tr(
                    "Cells are empty at instants at which the column has no value: {names}.",
                    names=_few(names),
                )
            )
        return " ".join(notes)

    def panels(self, shown: Sequence[Shown]) -> tuple[list[Panel], Look]:
        """Panels of a picture of panes, and its look."""
        panels = export.pictures(
            shown, self._studio.plots.shown, partial(diagram_now, self._studio)
        )
        columns = 1 if len(panels) < 3 else 2
        rows = -(-len(panels) // columns)
        return panels, Look(
            float(columns * self.size[0]),
            float(rows * self.size[1]),
            "paper" if self.paper else "dark" if self._theme.name == "dark" else "light",
            columns=columns,
        )

    def table(self, shown: Sequence[Shown]) -> list[tables.Column]:
        """Columns of all curves of panes over the whole run; a diagram alone has its own."""
        if len(shown) == 1 and shown[0][0].diagram is not None:
            pane, traces = shown[0]
            if pane.is_account:
                return export.account_table(pane, traces)
            return export.diagram_table(pane, diagram_now(self._studio, pane, traces))
        studio = self._studio
        answers = studio.questions.curves.answers
        runs = sources(studio.runs, studio.document.project, answers)
        return export.table(shown, studio.document.project, runs, studio.preferences.units)

    def copy_table(self, shown: Sequence[Shown]) -> None:
        """Put the curves into the clipboard as a spreadsheet takes them."""
        table = self.table(shown)
        QtGui.QGuiApplication.clipboard().setText(tables.text(table, "tab"))
        notes = self._notes(shown, table)
        words = tr("The curves are in the clipboard as a table.")
        self._say(f"{words} {notes}".strip(), "warning" if notes else "info")

    def copy_picture(self, pane: QtWidgets.QWidget) -> None:
        """Put a picture of a pane as it is shown into the clipboard."""
        QtGui.QGuiApplication.clipboard().setPixmap(pane.grab())
        self._say(tr("The picture is in the clipboard."), "info")

    def _say(self, text: str, kind: str = "warning") -> None:
        done = kind == "info"
        self._studio.notifications.say(Message(kind, text, "export", passing=done))
