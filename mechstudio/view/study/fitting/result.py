"""The result of a fit: its parameters with their intervals, its residuals, and its reliability."""

import math
from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studies.fits import FitResult
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.model.studies.fitting import Estimate
from mechstudio.model.units import format_value
from mechstudio.translation import localised, tr, trn
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, label, row, throw_away, wrapped

Qt = QtCore.Qt


class FitResultPanel(QtWidgets.QWidget):
    """apply(), save(): what the buttons do."""

    def __init__(
        self,
        theme: Theme,
        shown: StudyShown,
        apply: Callable[[], object],
        save: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme, self._shown = theme, shown
        self.title, self.number = label("", "title"), label("", "three")
        self._lines = QtWidgets.QVBoxLayout()
        self._worth = QtWidgets.QVBoxLayout()
        for part in (self._lines, self._worth):
            part.setSpacing(5)
        self.sentences: list[str] = []  # sentences that are shown
        self.apply = QtWidgets.QPushButton(tr("Apply to the drawing"))
        self.apply.setObjectName("decisive")
        self.apply.setToolTip(tr("Give the parameters these values, in one undo step"))
        self.save = QtWidgets.QPushButton(tr("Save as a table"))
        self.save.setToolTip(
            tr("Write the parameters with their intervals into a file, with every digit")
        )
        for button, do in ((self.apply, apply), (self.save, save)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, do=do: do())
        self.undo = Elided(tr("one undo step"), "three", Qt.AlignmentFlag.AlignRight)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(8)
        box.addWidget(row(self.title, None, self.number))
        box.addLayout(self._lines)
        box.addWidget(self.apply)
        last = row(self.save, self.undo, gap=8)
        last.box.setStretch(1, 1)
        box.addWidget(last)
        box.addLayout(self._worth)
        box.addStretch(1)
        shown.rows_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the result of now."""
        run = self._shown.run
        result = None if run is None else run.fit
        for part in (self._lines, self._worth):
            while part.count():
                item = part.takeAt(0)
                widget = None if item is None else item.widget()
                if widget is not None:
                    throw_away(widget)
        self.sentences = []
        for widget in (self.number, self.apply, self.save, self.undo):
            widget.setVisible(result is not None)
        self.title.setText(tr("Fit") if result is None else tr("Answer of the fit"))
        if result is None:
            self._say(
                tr(
                    "Choose measured data and the bounds of parameters, then fit: the numbers come "
                    "here, with how sure they are."
                )
            )
            return
        self.number.setText(trn("One run", "{count:,} runs", result.runs))
        for estimate in result.estimates:
            self._show_estimate(estimate)
        self._rule()
        self._show_rest(result)

    def _show_estimate(self, e: Estimate) -> None:
        units = self._shown.units
        own = lambda value, digits: format_value(value, e.dimension, units, digits)
        self._pair(e.name, own(e.value, 6))
        self._say(
            tr("not determined by the data")
            if math.isnan(e.deviation)
            else tr(
                "between {low} and {high} with 95 % confidence",
                low=own(e.low, 4),
                high=own(e.high, 4),
            )
        )

    def _show_rest(self, result: FitResult) -> None:
        for s in result.scatters:
            self._pair(s.quantity, format_value(s.rms, s.dimension, self._shown.units, 4))
            self._say(
                trn(
                    "root mean square of the residual of one point",
                    "root mean square of the residuals of {count:,} points",
                    s.points,
                )
            )
        for k, e in enumerate(result.estimates):
            for j in range(k):
                number = float(result.correlations[k, j])
                words = "–" if math.isnan(number) else localised(f"{number:+.3f}")
                names = tr("Correlation of {a} and {b}", a=result.estimates[j].name, b=e.name)
                self._pair(names, words.replace("-", "−"))
        for sentence in (result.rank_sentence, *result.notes):
            self._worth.addWidget(wrapped(sentence, "two"))
            self.sentences.append(sentence)

    def _pair(self, name: str, text: str) -> None:
        value = label(text, "title")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = row(Elided(name, "two"), value, gap=8)
        line.box.setStretch(0, 1)
        self._lines.addWidget(line)
        self.sentences.append(f"{name} {text}")

    def _say(self, text: str) -> None:
        self._lines.addWidget(wrapped(text, "two"))
        self.sentences.append(text)

    def _rule(self) -> None:
        line = QtWidgets.QFrame()
        line.setObjectName("line")
        line.setFixedHeight(1)
        self._lines.addWidget(line)
