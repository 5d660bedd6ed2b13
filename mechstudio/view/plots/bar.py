"""The row of words above the panes: how the time is shown, the cursors, new panes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.translation import localised, tr
from mechstudio.view.plots.ticks import minus
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, Segment, label, row

Qt = QtCore.Qt


def push(
    word: str, tip: str, clicked: Callable[[], object], name: str = ""
) -> QtWidgets.QPushButton:
    """A button with a word."""
    button = QtWidgets.QPushButton(word)
    button.setObjectName(name)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda _=False: clicked())
    return button


class PlotsBar(QtWidgets.QWidget):
    """Words for all panes.  It needs no more width than there is: words that do not fit are left
    out from the left, where keys and menus do the same.
    """

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        add: Callable[[], object],
        export: Callable[[str], object],
        copy: Callable[[], object],
    ) -> None:
        """add(): a new pane.  export(ending): all panes into a file.  copy(): all as a table."""
        super().__init__()
        self._theme, self._studio = theme, studio
        plots = studio.plots
        self.follow = Segment(theme, (("follow", tr("Follow")), ("stay", tr("Stay"))), height=24)
        self.follow.button("follow").setToolTip(tr("A zoomed stretch moves with the time cursor"))
        self.follow.button("stay").setToolTip(tr("A zoomed stretch stays where it is"))
        self.follow.chosen.connect(lambda key: plots.set_follow(key == "follow"))
        self.cursors = self._chip(
            tr("Cursors A B"),
            tr("Two cursors to measure between (A and B on a pane)"),
            plots.set_cursors,
        )
        self.statistics = self._chip(
            tr("Statistics"),
            tr("Least, greatest, mean and more between A and B"),
            plots.set_statistics,
        )
        self.range = Elided("", "two")
        self.whole = push(
            tr("Whole run"), tr("Show the whole run (0, double click)"), plots.show_whole, "flat"
        )
        self.add = push(tr("+ Pane"), tr("New empty pane"), add)
        words = ((".csv", "CSV"), (".png", "PNG"), (".svg", "SVG"))
        self.exports = {
            ending: push(
                word, tr("Save all panes as {word}", word=word), lambda e=ending: export(e)
            )
            for ending, word in words
        }
        self.copy = push(tr("Copy"), tr("Copy all curves as a table"), copy)
        self.export = row(label(tr("Export"), "two"), *self.exports.values(), self.copy, gap=4)
        self._box = QtWidgets.QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        for widget in (self.follow, self.cursors, self.statistics, self.range, self.whole):
            self._box.addWidget(widget)
        self._box.addStretch(1)
        self._box.addWidget(self.add)
        self._box.addWidget(self.export)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Preferred
        )
        plots.changed.connect(self.refresh)
        studio.runs.playback.changed.connect(self.refresh)
        theme.follow(self._fit)
        self.refresh()

    def _chip(
        self, word: str, tip: str, toggled: Callable[[bool], object]
    ) -> QtWidgets.QPushButton:
        button = QtWidgets.QPushButton(word)
        button.setObjectName("chipbutton")
        self._theme.fit(button, height=24)
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(toggled)
        return button

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(self.add.sizeHint().width(), super().minimumSizeHint().height())

    def refresh(self) -> None:
        """Show which words are on, and the stretch."""
        plots = self._studio.plots
        self.follow.choose("follow" if plots.follow else "stay")
        self.cursors.setChecked(plots.a is not None or plots.b is not None)
        self.statistics.setChecked(plots.statistics)
        begin, end = plots.shown
        text = ""
        if plots.stretch is not None:
            text = tr(
                "{begin} – {end} s of {all} s",
                begin=minus(localised(f"{begin:.4g}")),
                end=minus(localised(f"{end:.4g}")),
                all=localised(f"{plots.whole[1]:.4g}"),
            )
        if text != self.range.text():
            self.range.set_text(text)
        self._fit()

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Leave out what has no room, what is least used first."""
        zoomed = self._studio.plots.stretch is not None
        requested: list[QtWidgets.QWidget] = [self.add, self.cursors, self.statistics]
        zoom: list[QtWidgets.QWidget] = [self.follow, self.whole, self.range]
        requested += [*zoom, self.export] if zoomed else [self.export, self.follow]
        room = self.width()
        shown = set()
        for widget in requested:
            room -= widget.sizeHint().width() + self._box.spacing()
            if room >= 0:
                shown.add(widget)
        for widget in (
            self.add,
            self.cursors,
            self.statistics,
            self.follow,
            self.whole,
            self.range,
            self.export,
        ):
            if widget.isHidden() == (widget in shown):
                widget.setVisible(widget in shown)
