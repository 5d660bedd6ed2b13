"""The chosen row of a study: its numbers against those of the drawing, and what is done with it."""

from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtWidgets

from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.model.studies.setup import TARGET
from mechstudio.translation import localised, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, label, row, throw_away, wrapped

Qt = QtCore.Qt
LONG = 12  # letters of a name beside which there is no room for two numbers


class ChosenRow(QtWidgets.QWidget):
    """apply(row), keep(row): what the buttons do."""

    def __init__(
        self,
        theme: Theme,
        shown: StudyShown,
        apply: Callable[[int], object],
        keep: Callable[[int], object],
    ) -> None:
        super().__init__()
        self._theme, self._shown = theme, shown
        self.title, self.number = label("", "title"), label("", "three")
        self._lines = QtWidgets.QVBoxLayout()
        self._lines.setSpacing(5)
        self.effect, self.note = wrapped("", "better"), wrapped("", "two")
        self.apply = QtWidgets.QPushButton(tr("Apply to the drawing"))
        self.apply.setObjectName("decisive")
        self.apply.setToolTip(tr("Give the parameters these values, in one undo step"))
        self.keep = QtWidgets.QPushButton(tr("Keep as a run"))
        self.keep.setToolTip(
            tr("Run the mechanism with these numbers and keep the run beside that of the drawing")
        )
        for button, do in ((self.apply, apply), (self.keep, keep)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, do=do: self._do(do))
        self.best, self.worst = (
            QtWidgets.QPushButton(tr("Best")),
            QtWidgets.QPushButton(tr("Worst")),
        )
        self.best.setToolTip(tr("Look at the best run that keeps all limits"))
        self.worst.setToolTip(tr("Look at the worst run that keeps all limits"))
        for button, found in (
            (self.best, lambda: shown.best),
            (self.worst, lambda: shown.worst),
        ):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, found=found: shown.choose(found()))
        self.ends = row(self.best, self.worst, None, gap=8)
        self.undo = Elided(tr("one undo step"), "three", Qt.AlignmentFlag.AlignRight)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(8)
        box.addWidget(row(self.title, None, self.number))
        box.addWidget(self.ends)
        box.addLayout(self._lines)
        box.addWidget(self.effect)
        box.addWidget(self.apply)
        last = row(self.keep, self.undo, gap=8)
        last.box.setStretch(1, 1)
        box.addWidget(last)
        box.addWidget(self.note)
        box.addStretch(1)
        for signal in (shown.rows_changed, shown.chosen_changed, shown.kept_changed):
            signal.connect(self.refresh)
        self.refresh()

    def _do(self, do: Callable[[int], object]) -> None:
        chosen = self._shown.chosen
        if chosen is not None:
            do(chosen)

    def refresh(self) -> None:
        """Show the row chosen now."""
        shown, table = self._shown, self._shown.table
        chosen = None if table is None else shown.chosen
        while self._lines.count():
            item = self._lines.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                throw_away(widget)
        there = chosen is not None and table is not None
        for widget in (self.number, self.apply, self.keep, self.undo):
            widget.setVisible(there)
        self.effect.setVisible(False)
        self.ends.setVisible(there and shown.goal is not None and shown.best is not None)
        self.best.setEnabled(shown.best != chosen)
        self.worst.setEnabled(shown.worst != chosen)
        if chosen is None or table is None:
            self.title.setText(tr("No run is chosen"))
            none = table is not None and table.done and shown.goal is not None
            self.note.setText(
                tr("No run keeps all limits. Click one to look at it.")
                if none
                else tr("Click a cell, a line or a row to look at that run.")
            )
            return
        run = shown.run
        working = run is not None and run.is_working
        self.title.setText(
            (tr("Best so far") if working else tr("Best run"))
            if shown.is_best
            else tr("Worst run")
            if chosen == shown.worst
            else tr("Chosen run")
        )
        self.number.setText(tr("run {number}", number=chosen + 1))
        drawn = shown.as_drawn
        parameters = len(table.parameters)
        for k, column in enumerate(shown.columns):
            if k == parameters:
                line = QtWidgets.QFrame()
                line.setObjectName("line")
                line.setFixedHeight(1)
                self._lines.addWidget(line)
            before = "" if drawn is None else shown.text(k, drawn)
            before = shown.now(k) if k < parameters else before
            self._lines.addWidget(self._line(column.name, before, shown.text(k, chosen)))
        failed = table.reasons.get(chosen, "")
        self.apply.setEnabled(not failed)
        self.keep.setEnabled(not failed)
        kept = bool(shown.feasible[chosen])
        note = failed or table.notes.get(chosen, "")
        searched = shown.setup is not None and shown.setup.is_search
        if table.remarks and (not searched or shown.is_best or chosen in shown.front):
            note = "\n".join(dict.fromkeys((*table.remarks, *filter(None, [note]))))
        if not failed and not kept:
            note = f"{tr('This run does not keep the limits.')} {note}".strip()
        self.note.setText(note)
        self._show_effect(chosen, drawn)

    def _show_effect(self, chosen: int, drawn: int | None) -> None:
        """By how much the goal is better than as drawn."""
        goal, goals = self._shown.goal, self._shown.goals
        setup = self._shown.setup
        if setup is not None and goals and setup.measures[goals[0]].goal == TARGET:
            return  # nearer is better, whichever way that is
        if goal is None or drawn is None or drawn == chosen:
            return
        column = self._shown.columns[goal[0]]
        before, after = float(column.values[drawn]), float(column.values[chosen])
        if not (np.isfinite(before) and np.isfinite(after)) or before == 0.0:
            return
        share = 100.0 * (after - before) / abs(before)
        words = localised(f"{share:+.0f}").replace("-", "−")
        self.effect.setText(tr("{share} % {what}", share=words, what=column.name))
        better = (share > 0) == goal[1]
        self.effect.setObjectName("better" if better else "two")
        self.effect.style().unpolish(self.effect)
        self.effect.style().polish(self.effect)
        self.effect.setVisible(abs(share) >= 0.5)

    def _line(self, name: str, before: str, after: str) -> QtWidgets.QWidget:
        old, new = label(before, "two"), label(after, "title")
        # a long name has a line of its own
        apart = len(name) > LONG and before not in ("", "–")
        parts: list[QtWidgets.QWidget | None] = [label() if apart else Elided(name, "two")]
        if before not in ("", "–"):
            parts += [old, label("→", "three")]
        line = row(*parts, new, gap=8)
        line.box.setStretch(0, 1)
        new.setMinimumWidth(self._theme.dp(68))
        new.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return row(Elided(name, "two"), line, vertical=True, gap=1) if apart else line
