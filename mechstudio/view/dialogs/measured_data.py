"""The card of measured data: it reads a table beside the window, and asks which column is the time
and which quantity each other one is, to lay them over curves or to fit to them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.conditions import needs_finished_run
from mechstudio.application.notifications import Message
from mechstudio.application.plots.choice import choose
from mechstudio.application.plots.measurements import kept_every, laid, pairs_to_fit
from mechstudio.application.plots.panes import shown_plots
from mechstudio.application.studio import Studio
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.measurements.table import (
    LEAST,
    DataUnreadable,
    Matched,
    clock_of,
    fits,
    match,
    read,
    text_of,
    unit_sentence,
)
from mechstudio.curves.quantities import QuantityNotFound, find, quantities, quantity
from mechstudio.curves.tables import Column
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.units import format_number
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.chooser import ask_source
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.dialogs.time_fit import TimeFit
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import Elided, Segment, label, row, throw_away, wrapped

SUFFIXES = (".csv", ".txt", ".tsv")
POLL_MS = 30
WIDE = 260  # px of a choice at the normal text size
SI = "m-N-rad"  # unit system of numbers without a unit


def is_data_file(path: str) -> bool:
    """True for the name of a table that may be laid over curves."""
    return path.lower().endswith(SUFFIXES)


class Purpose(NamedTuple):
    """Use of a table.  title, button, left (of a column that is left out), unnamed (of one that is
    called after no quantity): words.  use(clock, columns): takes the heads of columns with their
    quantities.  clock: head of the column of instants, and kept: heads with keys of quantities, as
    they were chosen before; None for a table that is new.
    """

    title: str
    button: str
    left: str
    unnamed: str
    use: Callable[[str, list[tuple[str, Matched]]], object]
    clock: str = ""
    kept: Mapping[str, str] | None = None


class DataSheet(Sheet):
    """Reads a table; Lay puts the chosen columns over the curves of their quantities, another
    purpose takes them.

    columns: of the table, None before it is read.  times: number of the column of instants, -1 for
    none.  chosen: per column the key of its quantity, "" for none.
    """

    def __init__(
        self,
        theme: Theme,
        host: QtWidgets.QWidget,
        studio: Studio,
        path: Path,
        purpose: Purpose | None = None,
    ) -> None:
        super().__init__(theme, host, 540)
        self._studio, self._path, self._project = studio, path, studio.document.project
        self._purpose = purpose
        self._read: list[Column] | str = []
        self.columns: list[Column] = []
        self.times = -1
        self.chosen: list[str] = []
        self.choices: dict[int, Choice] = {}
        self.notes: dict[int, Elided] = {}
        self._fit: TimeFit | None = None
        self._fitted = True
        self._rows: QtWidgets.QWidget | None = None
        self.box.addWidget(
            wrapped(
                tr("Lay measured data over the curves") if purpose is None else purpose.title,
                "title",
            )
        )
        self.words = wrapped(tr("Reading the file…"), "two")
        self.box.addWidget(self.words)
        self._inside = QtWidgets.QVBoxLayout()
        self.box.addLayout(self._inside)
        self.clock = Segment(
            theme,
            (("fit", tr("Fitted to the run")), ("file", tr("As in the file"))),
            "tight",
            26,
        )
        self.clock.choose("fit")
        self.clock.chosen.connect(self._choose_clock)
        self.unit_row = row(label(tr("Start of the time"), "two"), None, self.clock)
        self.box.addWidget(self.unit_row)
        self.unit_row.hide()
        self.lay = QtWidgets.QPushButton(tr("Lay") if purpose is None else purpose.button)
        self.lay.setObjectName("strong")
        self.lay.clicked.connect(self._lay)
        self.cancel = QtWidgets.QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.close_sheet)
        self.box.addWidget(row(None, self.cancel, self.lay))
        self.lay.setEnabled(False)
        # a long table takes seconds to read
        self._thread = threading.Thread(target=self._load, name=tr("data file"), daemon=True)
        self._thread.start()
        self._poll = QtCore.QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look)
        self._poll.start()
        self.closed.connect(self._poll.stop)

    def _load(self) -> None:
        try:
            columns = read(text_of(self._path))
            # names that are near a quantity's are searched for each one that is none
            self.chosen = [self._guessed(c) for c in columns]
            self._read = columns
        except DataUnreadable as error:
            self._read = str(error)
        except OSError as error:
            self._read = tr(
                "{name} cannot be read: {why}",
                name=self._path.name,
                why=error.strerror or tr("the disk refused it"),
            )
        except MemoryError:
            self._read = tr("{name} does not fit into memory.", name=self._path.name)

    def _look(self) -> None:
        if self._thread.is_alive():
            return
        self._poll.stop()
        if isinstance(self._read, str):
            self.words.setText(self._read)
            self.lay.hide()
            self.cancel.setText(tr("Close"))
            return
        self.columns = self._read
        purpose = self._purpose
        kept = None if purpose is None else purpose.clock
        clock = next((c for c in self.columns if kept and c.head == kept), clock_of(self.columns))
        self.times = -1 if clock is None else self.columns.index(clock)
        self.unit_row.setVisible(purpose is None)
        self._fill()

    def _guessed(self, column: Column) -> str:
        """Key of the quantity that a column is called after; "" for none."""
        if self._purpose is not None and self._purpose.kept is not None:
            return self._purpose.kept.get(column.head, "")
        try:
            return find(self._project, column.name).key
        except QuantityNotFound:
            return ""

    # rows

    def _fill(self) -> None:
        """A line for the time, and one for each other column."""
        if self._rows is not None:
            throw_away(self._rows)
        self._rows = QtWidgets.QWidget()
        grid = QtWidgets.QGridLayout(self._rows)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        self.choices, self.notes = {}, {}
        heads = [(str(k), c.head, "") for k, c in enumerate(self.columns)]
        clock = Choice(
            self._theme,
            tr("Column of the time"),
            lambda: heads,
            lambda: str(self.times),
            lambda key: self._choose_times(int(key)),
        )
        self._theme.fit(clock, width=WIDE)
        self.choices[-1] = clock
        grid.addWidget(label(tr("Column of the time"), "two"), 0, 0)
        grid.addWidget(clock, 0, 1)
        for k, column in enumerate(self.columns):
            if k == self.times:
                continue
            choice = Choice(
                self._theme,
                column.head,
                partial(self._offered, k),
                lambda k=k: self.chosen[k],
                lambda key, k=k: self._choose(k, key),
                group=self._group,
            )
            self._theme.fit(choice, width=WIDE)
            note = Elided("", "three")
            self.choices[k], self.notes[k] = choice, note
            grid.addWidget(Elided(column.head), 2 * k + 2, 0)
            grid.addWidget(choice, 2 * k + 2, 1)
            grid.addWidget(note, 2 * k + 3, 0, 1, 2)
        self._inside.addWidget(self._rows)
        self._say()

    def _offered(self, k: int) -> list[tuple[str, str, str]]:
        """Quantities that the unit of a column fits, those of the panes first."""
        project, unit, now = self._studio.document.project, self.columns[k].unit, self.chosen[k]
        can = lru_cache(partial(fits, unit))
        keys = dict.fromkeys((*filter(None, (now,)), *self._plotted, *quantities(project)))
        rows = [q for key in keys if (q := quantity(project, key)) is not None]
        fitting = [(q.key, q.name, "") for q in rows if q.key == now or can(q.dimension)]
        left = tr("not shown") if self._purpose is None else self._purpose.left
        return [("", left, ""), *fitting]

    @property
    def _plotted(self) -> list[str]:
        shown = shown_plots(self._studio.document.project)
        return [key for p in shown if p.diagram is None for key in p.channels]

    def _group(self, key: str) -> str:
        if not key or key in self._plotted:
            return tr("In the panes") if key else ""
        found = quantity(self._studio.document.project, key)
        return "" if found is None else tr(found.group)

    def _choose_times(self, k: int) -> None:
        self.times = k
        self._fill()

    def _choose(self, k: int, key: str) -> None:
        self.chosen[k] = key
        self._say()

    def _choose_clock(self, key: str) -> None:
        self._fitted = key == "fit"

    def _matched(self, k: int) -> Matched | str:
        """A column as its quantity, or why it is none."""
        column = self.columns[k]
        if not self.chosen[k]:
            if self._purpose is not None:
                return self._purpose.unnamed
            return tr("No quantity is called so; choose one, or it is not shown.")
        try:
            found = match(
                self._studio.document.project, self.columns[self.times], column, self.chosen[k]
            )
        except QuantityNotFound as error:
            return str(error)
        except ExpressionError as error:
            return unit_sentence(column, error)
        if np.isfinite(found.course.values).sum() < LEAST:
            return tr("It has fewer than {count} instants with numbers.", count=LEAST)
        if self._purpose is not None and self.chosen[k] in self.chosen[:k]:
            return tr("Another column is that quantity already.")
        return found

    def found(self) -> list[Matched]:
        """Columns that can be laid."""
        return [m for _, m in self._found()]

    def _found(self) -> list[tuple[str, Matched]]:
        """Columns that can be used, with their heads."""
        return [
            (self.columns[k].head, m)
            for k in self.notes
            if self.times >= 0 and isinstance(m := self._matched(k), Matched)
        ]

    def _say(self) -> None:
        """Say what each column is, and what the table holds."""
        clock = self.columns[self.times] if self.times >= 0 else None
        wrong = (
            tr("Choose the column of the time.")
            if clock is None
            else ""
            if fits(clock.unit or "s", "time")
            else tr("{name} is not in a unit of time.", name=clock.head)
        )
        for k, note in self.notes.items():
            found = tr("Choose the column of the time first.") if wrong else self._matched(k)
            words = found if isinstance(found, str) else self._unitless(found, self.columns[k])
            note.set_text(words)
            note.setVisible(bool(words) and not wrong)
        matched = [] if wrong else self.found()
        name = self._path.name
        self.words.setText(f"{name}: {wrong}" if wrong else f"{name}: {self._length(matched)}")
        self.lay.setEnabled(bool(matched))
        if matched:
            self.lay.setFocus()

    def _unitless(self, found: Matched, column: Column) -> str:
        symbol = unit_of(found.quantity.dimension, SI).symbol
        if column.unit or not symbol:
            return ""
        return tr("The column names no unit: its numbers are read in {unit}.", unit=symbol)

    def _length(self, matched: list[Matched]) -> str:
        if not matched:
            return tr("no column is a quantity of this drawing yet.")
        times = matched[0].course.times
        words = tr(
            "{count} instants from {first} s to {last} s",
            count=len(times),
            first=format_number(times[0], 5),
            last=format_number(times[-1], 5),
        )
        every = kept_every(len(times)) if self._purpose is None else 1
        if every > 1:
            return tr("{words}; one of {every} is kept.", words=words, every=every)
        return f"{words}."

    # laying

    def _lay(self) -> None:
        found = self.found()
        if not found or self._fit is not None:
            return
        if self._purpose is not None:
            self._purpose.use(self.columns[self.times].head, self._found())
            self.close_sheet()
            return
        if not self._fitted:
            self._commit(found, 0.0)
            return
        studio = self._studio
        try:
            pairs = pairs_to_fit(
                [(m.quantity.key, m.course) for m in found],
                studio.runs.recording,
                studio.questions.curves.answers,
            )
        except DataUnreadable as error:
            self._commit(found, str(error))
            return
        self.lay.setText(tr("Fitting…"))
        self.lay.setEnabled(False)
        self._fit = TimeFit(self, pairs, lambda shift: self._commit(found, shift))

    def _commit(self, found: list[Matched], shift: float | str) -> None:
        """Lay columns with a shift of their clock; with none where there is a sentence why."""
        studio = self._studio
        by = 0.0 if isinstance(shift, str) else shift
        choose(
            studio.document,
            studio.notifications,
            tr("Lay {name} over the curves", name=self._path.name),
            lambda: laid(studio.document.project, found, by, self._path.name),
        )
        if isinstance(shift, str):
            words = tr("The time is as in the file. {why}", why=shift)
            studio.notifications.say(Message("warning", words, "plot"))
        self.close_sheet()


def open_data(theme: Theme, window: QtWidgets.QWidget, studio: Studio, path: Path) -> None:
    """Ask for the columns of a table, and overlay them on the curves; without a run say why not."""
    if why := needs_finished_run(studio):
        studio.notifications.say(Message("warning", f"{why}.", "plot"))
        return
    DataSheet(theme, window, studio, path).open()


def choose_data(theme: Theme, window: QtWidgets.QWidget, studio: Studio) -> None:
    """Ask for a table of measured data, and overlay it on the curves."""
    if needs_finished_run(studio):
        open_data(theme, window, studio, Path())
        return
    title = tr("Lay measured data over the curves")
    ask_table(window, studio, title, lambda path: open_data(theme, window, studio, path))


def ask_table(
    window: QtWidgets.QWidget, studio: Studio, title: str, chosen: Callable[[Path], object]
) -> QtWidgets.QFileDialog:
    """Ask for a table of measured data."""
    patterns = " ".join(f"*{suffix}" for suffix in SUFFIXES)
    filters = (tr("Tables ({patterns})", patterns=patterns), tr("All files (*)"))
    return ask_source(window, studio.preferences.stored.folder, title, filters, chosen)
