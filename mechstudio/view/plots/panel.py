"""A plot's panel body: empty until the window has shown its first frame, then a PlotArea; and the
words of its head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.runs.plot_choice import choose, with_curves
from mechstudio.application.runs.plots import Curve, Pane, panes
from mechstudio.application.runs.reference_runs import difference
from mechstudio.application.studio import Studio
from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.legend import Legend
from mechstudio.view.plots.menu import PlotMenu
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.channel_drag import DropLight

if TYPE_CHECKING:
    from mechstudio.view.plots.plot_area import PlotArea

CURSOR_MS = 33


class PlotPanel(QtWidgets.QWidget):
    """The k-th pane of the project.  headed: title and unit; its legend is the row of words in
    `legend`, or where they find no room there, above the curves.
    """

    headed = QtCore.Signal(str, str)

    def __init__(self, theme: Theme, studio: Studio, index: int) -> None:
        super().__init__()
        self._theme, self._studio, self._index = theme, studio, index
        self._pane: Pane | None = None
        self._ready = False
        self.area: PlotArea | None = None
        self._spare: PlotArea | None = None  # a plot that is put away, hidden
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        below = Legend(theme, self._toggle)
        below.setContentsMargins(12, 0, 12, 0)
        below.hide()
        self._box.addWidget(below)
        self.legend = Legend(theme, self._toggle, below)
        self.menu = PlotMenu(theme, studio, index)
        self._light = DropLight(theme, self, self.take)
        # curves and cursor follow at most 30 times a second, however fast news come
        self._late = QtCore.QTimer(self, singleShot=True, interval=CURSOR_MS)
        self._late.timeout.connect(lambda: turns().soon(self._late, self.follow))
        studio.document.changed.connect(lambda old, new: self._change())
        studio.files.opened.connect(self._change)
        studio.runs.recorded.connect(self._soon)
        studio.questions.solver_changed.connect(self._soon)
        studio.runs.playback.changed.connect(self._soon)
        studio.preferences.units_changed.connect(self.rebuild)
        studio.questions.curves.changed.connect(self._measured)
        studio.runs.kept.changed.connect(self._kept)
        theme.follow(self._legend)

    def begin(self) -> None:
        """Import pyqtgraph and draw; called once, after the first frame."""
        self._ready = True
        self.rebuild()
        if self.area is None and self._spare is None:
            # made while nobody waits for it
            turns().soon(self, self._make)

    def _change(self) -> None:
        turns().soon(self, self.rebuild)

    def rebuild(self) -> None:
        """Follow the project: which curves there are."""
        turns().drop(self)
        found = panes(self._studio.document.project, self._studio.preferences.units)
        pane = found[self._index] if self._index < len(found) else None
        if pane != self._pane or (self._ready and self.area is None and pane is not None):
            self._pane = pane
            self._make()
        elif self.area is not None:
            self._soon()
        if self._studio.runs.kept.runs:
            self._legend()

    def take(self, keys: list[str]) -> None:
        """Channels were dropped here: they are shown beside what is."""
        studio = self._studio
        choose(
            studio.document,
            studio.notifications,
            tr("Plot into {plot}", plot=tr(self._pane.title if self._pane else "")),
            lambda: with_curves(studio.document.project, self._index, keys, True),
        )
        if studio.runs.recording is None:
            studio.runs.simulate()

    def _make(self) -> None:
        if self._ready:
            from mechstudio.view.plots.plot_area import NOTHING, PlotArea

            area, pane = self.area or self._spare, self._pane or NOTHING
            if area is None:
                area = PlotArea(self._theme, self._studio, pane)
                for part in (area, area.viewport()):
                    part.setAcceptDrops(False)  # what is dropped is the panel's
                self._box.addWidget(area)
            else:
                area.show_pane(pane)
            area.setVisible(self._pane is not None)
            self.area, self._spare = (None, area) if self._pane is None else (area, None)
        self._head()
        self._legend()

    def _head(self) -> None:
        """Title and unit, and whether some of it is still to be found."""
        if self._pane is None:
            self.headed.emit("", "")
            return
        measured, wanted = (
            self._studio.questions.curves,
            any(not c.columns for c in self._pane.curves),
        )
        note = (
            tr("being found")
            if wanted and measured.is_busy
            else tr("not found: {reason}", reason=measured.sentence)
            if wanted and measured.sentence
            else ""
        )
        left = (
            tr("{n} more have no axis here", n=self._pane.left_out) if self._pane.left_out else ""
        )
        self.headed.emit(
            tr(self._pane.title), " · ".join(w for w in (self._pane.unit, left, note) if w)
        )

    def _legend(self) -> None:
        curves = () if self._pane is None else self._pane.curves
        project = self._studio.document.project
        runs = [
            Curve(f"kept/{n}", difference(run, project), -1, False, False, (), 1.0, tip=run.words)
            for n, run in enumerate(self._studio.runs.kept.runs)
            # one that has none of these curves has no word either
            if any(run.has(c) for c in curves)
        ]
        self.legend.show_curves(
            (*curves, *runs),
            self.area.hidden if self.area is not None else {c.key for c in curves if c.hidden},
        )

    def _measured(self) -> None:
        if (
            self.area is not None
            and self._pane is not None
            and any(not c.columns for c in self._pane.curves)
        ):
            self.area.dress()
            self._head()
            self._soon()

    def _kept(self) -> None:
        self._legend()
        self._soon()

    def _toggle(self, key: str) -> None:
        if self.area is not None:
            self.area.toggle(key)
            self._legend()

    def _soon(self) -> None:
        if self.area is not None and not self._late.isActive():
            self._late.start()

    def follow(self) -> None:
        """Bring curves and cursor up to date now."""
        if turns().waits(self):
            return  # what comes shows all that there is
        if self.area is not None:
            self.area.refresh()
            self.area.move_cursor()
