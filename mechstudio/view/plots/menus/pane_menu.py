"""The menu of a pane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6 import QtGui, QtWidgets

from mechstudio.application.actions.conditions import needs_finished_run
from mechstudio.application.plots.choice import choose, usual_diagram, with_curves, with_log
from mechstudio.application.plots.panes import BALANCE
from mechstudio.application.studio import Studio
from mechstudio.curves.operations import OPERATIONS, key_of
from mechstudio.model.project import ACCOUNT, Diagram
from mechstudio.model.units import format_number
from mechstudio.translation import tr
from mechstudio.view.plots.diagrams.axis import OTHER, AxisTicks, own_first
from mechstudio.view.plots.diagrams.foot import set_diagram
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
    data = add(
        tr("Lay measured data over the curves…"), panel.lay_data, not needs_finished_run(studio)
    )
    data.setToolTip(needs_finished_run(studio))
    _add_operations(menu, pane)
    _add_diagrams(menu, panel, studio, pane)
    powers = filled and (pane.pane.diagram is None or pane.pane.diagram.kind == "spectrum")
    log = add(tr("Powers of ten"), lambda: set_log(studio, id, not pane.pane.log), powers)
    log.setCheckable(True)
    log.setChecked(pane.pane.log)
    menu.addSeparator()
    _add_view(menu, studio)
    menu.addSeparator()
    _add_removal(menu, studio, pane)
    add(tr("Split right"), lambda: panel.begin_pane(id, "right"))
    add(tr("Split below"), lambda: panel.begin_pane(id, "below"))
    add(tr("Close"), lambda: panel.close_pane(id), len(panel.panes) > 1 or filled)
    menu.addSeparator()
    add(tr("Copy picture"), lambda: exporter.copy_picture(pane), filled)
    add(tr("Copy as table\tCtrl+C"), lambda: exporter.copy_table(shown), filled)
    add(tr("Export table…"), lambda: exporter.ask(shown, TABLES), filled)
    add(tr("Export picture…"), lambda: exporter.ask(shown, PICTURES), filled)
    every = menu.addMenu(tr("All panes"))
    for words, endings in ((tr("Export table…"), TABLES), (tr("Export picture…"), PICTURES)):
        action = every.addAction(words)
        action.triggered.connect(
            lambda _=False, endings=endings: exporter.ask(panel.all_shown(), endings)
        )
    look = menu.addMenu(tr("Look of exported pictures"))

    def option(words: str, on: bool, do: Callable[[], object]) -> None:
        action = look.addAction(words)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda _=False: do())

    def take_paper(paper: bool) -> None:
        exporter.paper = paper

    def take_size(size: tuple[int, int]) -> None:
        exporter.size = size

    for paper, words in ((False, tr("As the window")), (True, tr("For paper"))):
        option(words, exporter.paper is paper, partial(take_paper, paper))
    look.addSeparator()
    for size in SIZES:
        words = tr("{width} × {height} px", width=size[0], height=size[1])
        option(words, exporter.size == size, partial(take_size, size))
    return menu


def _add_view(menu: QtWidgets.QMenu, studio: Studio) -> None:
    """Entries about what all panes show: the stretch, the time cursor, the numbers."""
    plots = studio.plots
    fit = menu.addAction(tr("Show the whole run\t0"))
    fit.setEnabled(plots.stretch is not None)
    fit.triggered.connect(lambda _=False: plots.show_whole())
    for words, on, do in (
        (tr("Follow the time cursor"), plots.follow, plots.set_follow),
        (tr("Cursors A B"), plots.a is not None or plots.b is not None, plots.set_cursors),
        (tr("Statistics"), plots.statistics, plots.set_statistics),
    ):
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda on, do=do: do(on))


def _add_removal(menu: QtWidgets.QMenu, studio: Studio, pane: PlotPane) -> None:
    """A menu of the curves that can be taken out of a pane."""
    inside = menu.addMenu(tr("Remove curve"))
    inside.setEnabled(bool(pane.pane.curves) and not pane.pane.is_account)
    for curve in pane.pane.curves:
        action = inside.addAction(tr(curve.label).replace("&", "&&"))
        action.triggered.connect(
            lambda _=False, key=curve.key: remove_curve(studio, pane.pane.id, key)
        )


def remove_curve(studio: Studio, id: str, key: str) -> None:
    """Take a curve out of a pane."""
    project = studio.document.project
    choose(
        studio.document,
        studio.notifications,
        tr("Remove curve"),
        lambda: with_curves(project, id, [key], False),
    )


def _add_operations(menu: QtWidgets.QMenu, pane: PlotPane) -> None:
    """A menu of the operations on each curve of a pane; the result is shown beside it."""
    compute = menu.addMenu(tr("Compute"))
    compute.setToolTipsVisible(True)
    compute.setEnabled(bool(pane.pane.curves) and not pane.pane.is_account)
    for name, row in OPERATIONS.items():
        if row.dimension is None:
            continue
        for width in WIDTHS if row.settings else (0.0,):
            words = tr(row.label)
            if width:
                words = tr("{words} over {width} s", words=words, width=format_number(width))
            of = compute.addMenu(words)
            of.menuAction().setToolTip(tr(row.summary))
            for curve in pane.pane.curves:
                key = key_of(name, curve.key, width)
                action = of.addAction(tr(curve.label).replace("&", "&&"))
                action.triggered.connect(lambda _=False, key=key: pane.take([key]))


def _add_diagrams(menu: QtWidgets.QMenu, panel: PlotsPanel, studio: Studio, pane: PlotPane) -> None:
    """A menu of diagrams: in a pane of their own, or instead of the diagram that is there."""
    now, project = pane.pane.diagram, studio.document.project
    title = tr("New diagram") if now is None else tr("Show as")
    inside = menu.addMenu(title)
    inside.setToolTipsVisible(True)
    inside.setEnabled(bool(pane.pane.curves) and not pane.pane.is_account)
    keys = [c.key for c in pane.pane.curves]
    if not keys:
        return

    def make(diagram: Diagram, chosen: Sequence[str]) -> None:
        if now is None:
            panel.add_diagram(diagram, chosen)
        else:
            words = tr(OPERATIONS[diagram.kind].label)
            set_diagram(studio, pane.pane.id, words, diagram)

    def put(across: str) -> None:
        make(Diagram("over", across=across), keys)

    def entry(
        into: QtWidgets.QMenu, words: str, do: Callable[[], object], on: bool = False
    ) -> QtGui.QAction:
        action = into.addAction(words.replace("&", "&&"))
        action.setCheckable(now is not None)
        action.setChecked(on)
        action.triggered.connect(lambda _=False: do())
        return action

    if now is not None:
        leave = lambda: set_diagram(studio, pane.pane.id, tr("Over the time"), None)
        entry(inside, tr("Over the time"), leave)
    for kind in ("phase", "spectrum"):
        row = OPERATIONS[kind]
        one = entry(
            inside,
            tr(row.label),
            lambda kind=kind: make(Diagram(kind), keys),
            now is not None and now.kind == kind,
        )
        one.setToolTip(tr(row.summary))
    over = inside.addMenu(tr("Over"))
    across = now.across if now is not None and now.kind == "over" else ""
    for names in own_first(project, [*filter(None, [across]), *keys]):
        for key, name in names.items():
            if [key] != keys:
                entry(over, name, lambda key=key: put(key), key == across)
        over.addSeparator()
    other = over.addAction(tr(OTHER))
    other.triggered.connect(
        lambda _=False: panel.open_chooser(pane.pane.id, AxisTicks(studio, across, put))
    )
    if now is None:
        account = entry(
            inside, tr("Energy account"), lambda: panel.add_diagram(Diagram(ACCOUNT), (BALANCE,))
        )
        account.setToolTip(tr("Stored energies and works as stacked bands"))
    section = inside.addMenu(tr("Poincaré section"))
    section.menuAction().setToolTip(tr(OPERATIONS["section"].summary))
    for curve in pane.pane.curves:
        diagram, chosen = usual_diagram(project, "section", curve.key)
        entry(section, curve.label, lambda d=diagram, w=chosen: make(d, w if now is None else keys))


def set_log(studio: Studio, id: str, log: bool) -> None:
    """Show a pane on an axis of powers of ten, or not."""
    choose(
        studio.document,
        studio.notifications,
        tr("Powers of ten"),
        lambda: with_log(studio.document.project, id, log),
    )
