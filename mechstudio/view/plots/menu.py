"""The menu of a pane."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6 import QtGui, QtWidgets

from mechstudio.application.plots.choice import choose, with_log
from mechstudio.application.studio import Studio
from mechstudio.curves.operations import OPERATIONS, key_of
from mechstudio.model.units import format_number
from mechstudio.translation import tr
from mechstudio.view.plots.export import PICTURES, SIZES, TABLES

if TYPE_CHECKING:
    from mechstudio.view.plots.pane import PlotPane
    from mechstudio.view.plots.panel import PlotsPanel

WIDTHS = (0.05, 0.2, 1.0)  # of moving means [s]


def pane_menu(panel: PlotsPanel, studio: Studio, id: str) -> QtWidgets.QMenu:
    """Everything that can be done with a pane."""
    pane, exporter = panel.panes[id], panel.exporter
    menu = QtWidgets.QMenu(panel)
    shown = [panel.shown(id)]
    filled = bool(pane.pane.curves)

    def add(words: str, do: Callable[[], object], on: bool = True) -> QtGui.QAction:
        action = menu.addAction(words)
        action.setEnabled(on)
        action.triggered.connect(lambda _=False: do())
        return action

    add(tr("Quantities…\tInsert"), lambda: panel.open_chooser(id))
    _add_operations(menu, pane)
    log = add(tr("Powers of ten"), lambda: set_log(studio, id, not pane.pane.log), filled)
    log.setCheckable(True)
    log.setChecked(pane.pane.log)
    menu.addSeparator()
    add(tr("Split right"), lambda: panel.add(id, "right"))
    add(tr("Split below"), lambda: panel.add(id, "below"))
    add(tr("Close"), lambda: panel.close_pane(id), len(panel.panes) > 1 or filled)
    menu.addSeparator()
    add(tr("Copy picture"), lambda: exporter.copy_picture(pane), filled)
    add(tr("Copy as table\tCtrl+C"), lambda: exporter.copy_table(shown), filled)
    add(tr("Export table…"), lambda: exporter.ask(shown, TABLES), filled)
    add(tr("Export picture…"), lambda: exporter.ask(shown, PICTURES), filled)
    look = menu.addMenu(tr("Look of exported pictures"))

    def option(words: str, on: bool, do: Callable[[], object]) -> None:
        action = look.addAction(words)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda _=False: do())

    for paper, words in ((False, tr("As the window")), (True, tr("For paper"))):
        option(words, exporter.paper is paper, lambda p=paper: setattr(exporter, "paper", p))
    look.addSeparator()
    for size in SIZES:
        words = tr("{width} × {height} px", width=size[0], height=size[1])
        option(words, exporter.size == size, lambda s=size: setattr(exporter, "size", s))
    return menu


def _add_operations(menu: QtWidgets.QMenu, pane: PlotPane) -> None:
    """A menu of what can be computed from each curve of a pane; the result stands beside it."""
    compute = menu.addMenu(tr("Compute"))
    compute.setToolTipsVisible(True)
    compute.setEnabled(bool(pane.pane.curves))
    for name, row in OPERATIONS.items():
        if row.dimension is None:
            continue
        for width in WIDTHS if row.settings else (0.0,):
            words = tr(row.label)
            if width:
                words = tr("{words} over {width} s", words=words, width=format_number(width))
            of = compute.addMenu(words)
            of.menuAction().setToolTip(tr(row.tells))
            for curve in pane.pane.curves:
                key = key_of(name, curve.key, width)
                action = of.addAction(tr(curve.label).replace("&", "&&"))
                action.triggered.connect(lambda _=False, key=key: pane.take([key]))


def set_log(studio: Studio, id: str, log: bool) -> None:
    """Show a pane on an axis of powers of ten, or not."""
    choose(
        studio.document,
        studio.notifications,
        tr("Powers of ten"),
        lambda: with_log(studio.document.project, id, log),
    )
