"""The line above the views: how far a study is, and what stops it or lets it go on."""

import math
from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studies.runs import StudyRun, StudyRuns
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.translation import localised, tr, trn
from mechstudio.view.study.words import seconds
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Bar, Elided, label, row

Qt = QtCore.Qt


class ProgressLine(QtWidgets.QWidget):
    """start(): runs the study from its first missing row on."""

    def __init__(
        self, theme: Theme, shown: StudyShown, runs: StudyRuns, start: Callable[[], object]
    ) -> None:
        super().__init__()
        self._shown, self._runs = shown, runs
        self.count, self.note = label("", "title"), Elided("", "two")
        self.bar = Bar(theme)
        self.left = label("", "two")
        self.run = QtWidgets.QPushButton(tr("Run the study"))
        self.pause = QtWidgets.QPushButton(tr("Pause"))
        self.cancel = QtWidgets.QPushButton(tr("Cancel"))
        self.run.setObjectName("strong")
        self.pause.setObjectName("flat")
        self.run.setToolTip(tr("Run what is missing; the window stays free meanwhile"))
        self.cancel.setToolTip(tr("Stop; the rows that are done stay"))
        for button in (self.run, self.pause, self.cancel):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.run.clicked.connect(lambda _=False: start())
        self.pause.clicked.connect(lambda _=False: runs.pause())
        self.cancel.clicked.connect(lambda _=False: runs.cancel())
        line = row(
            self.count,
            self.bar,
            self.note,
            self.left,
            self.pause,
            self.cancel,
            self.run,
            margins=(12, 8, 12, 8),
            gap=12,
        )
        line.box.setStretch(1, 2)
        line.box.setStretch(2, 1)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(line)
        runs.changed.connect(self.refresh)
        shown.rows_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the state of now."""
        run, shown = self._shown.run, self._shown
        working = run is not None and run.is_working
        table = None if run is None else run.table
        done, whole = (0, 0) if table is None else (table.done, len(table))
        setup = shown.setup
        searches = setup is not None and setup.is_search
        if searches and setup is not None and done:
            whole = max(setup.runs, done)
        outdated = run is not None and not working and self._runs.is_outdated(run.id)
        fits = setup is not None and setup.is_fit
        self.count.setText(
            self._fit_words(run, setup.runs)
            if setup is not None and fits
            else trn(
                "{done:,} of at most one run",
                "{done:,} of at most {count:,} runs",
                whole,
                done=done,
            )
            if whole and searches and working
            else trn("One run", "{count:,} runs", done)
            if whole and searches
            else trn("{done:,} of one run", "{done:,} of {count:,} runs", whole, done=done)
            if whole
            else tr("Nothing was run yet")
            if run is None or run.state in ("idle", "failed") or run.fit is not None
            else tr("The first run comes…")
            if working
            else tr("The study was stopped and can go on where it was.")
        )
        self.bar.setVisible(working or (0 < done < whole and not searches))
        self.bar.set_value(round(100 * done / whole) if whole else 0)
        if setup is not None and fits:
            self.bar.setVisible(working)
            self.bar.set_value(round(100 * run.tried / setup.runs) if run is not None else 0)
        words: list[str] = []
        if run is not None:
            if outdated:
                words.append(tr("The drawing or the study was changed since: run it again."))
            elif run.sentence:
                words.append(run.sentence)
            if run.failed:
                words.append(trn("one failed", "{count:,} failed", run.failed))
        self.note.set_text(" · ".join(words))
        parts: list[str] = []
        if run is not None and working and run.rate > 0:
            parts.append(tr("{rate} per second", rate=localised(f"{run.rate:.3g}")))
            if run.left is not None:
                parts.append(tr("{time} left", time=seconds(run.left)))
        if fits and run is not None and working and run.tried and math.isfinite(run.scatter):
            left = localised(f"{100 * run.scatter:.3g}")
            parts.append(tr("{share} % of the data's spread left", share=left))
        self.left.setText(" · ".join(parts))
        # a search that is interrupted begins again
        self.pause.setVisible(working and not searches and not fits)
        self.cancel.setVisible(working)
        complete = whole > 0 and done == whole and not outdated
        if searches:
            complete = run is not None and run.state == "done" and done > 0 and not outdated
        if fits:
            complete = run is not None and run.fit is not None and not working and not outdated
        self.run.setVisible(not working and shown.setup is not None and not complete)
        again = run is not None and run.state in ("paused", "failed") and not outdated
        again = again and 0 < done < whole
        words_of_run = tr("Go on") if again and not searches else tr("Run the study")
        self.run.setText(tr("Search") if searches else tr("Fit") if fits else words_of_run)

    def _fit_words(self, run: StudyRun | None, most: int) -> str:
        """Number of runs that a fit has made, in words."""
        if run is None or not (run.is_working or run.fit):
            return tr("Nothing was fitted yet")
        if run.fit is not None:
            return tr("Fitted")
        return trn(
            "{done:,} of at most one run",
            "{done:,} of at most {count:,} runs",
            most,
            done=run.tried,
        )
