"""The panels around the viewport and their arrangement: empty frames at once, their contents after
the first frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.view.panels.panel import Panel, Scroll
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.widgets import Elided, IconButton, Segment, dot, label, row

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel
    from mechstudio.view.inspector.inspector import Inspector
    from mechstudio.view.panels.analyses import AnalysesPanel
    from mechstudio.view.panels.controls import Controls
    from mechstudio.view.panels.doctor import Doctor
    from mechstudio.view.panels.model_tree import ModelTree
    from mechstudio.view.panels.parameters import ParameterTable
    from mechstudio.view.panels.structure import StructurePanel
    from mechstudio.view.plots.panel import PlotPanel

Qt = QtCore.Qt
PLOTS = 3
PAGES = ("equations", "structure", "analyses")
# width beside the inspector at the normal text size [px] below which four panels do not stand in a
# row
CROWDED = 700
# width beside the inspector from which on the equations stand beside the table of parameters
ROOMY = 1300
# share of the window's height that the bottom row takes at least with the table of parameters in it
TABLE = 0.32
# least height of the viewport at the normal text size [px]
VIEW = 150
# share of the window's height that the bottom row takes
LOW = {"build": 0.26, "analyse": 0.48, "explain": 0.45}


class Pages(QtWidgets.QStackedWidget):
    """Pages of which the one in sight alone says how much room is needed: a long table behind it
    must not make the panel higher.
    """

    def minimumSizeHint(self) -> QtCore.QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


class Docks:
    """`fill` makes the contents; until then tree, inspector and the others are not there."""

    tree: ModelTree
    inspector: Inspector
    controls: Controls
    analyses: AnalysesPanel
    doctor: Doctor
    equations: EquationsPanel
    parameters: ParameterTable
    structure: StructurePanel
    plots: list[PlotPanel]

    def __init__(self, window: QtWidgets.QMainWindow, theme: Theme, studio: Studio) -> None:
        self._window, self._theme, self._studio = window, theme, studio
        self.is_filled = False
        left, right, bottom = (
            Qt.DockWidgetArea.LeftDockWidgetArea,
            Qt.DockWidgetArea.RightDockWidgetArea,
            Qt.DockWidgetArea.BottomDockWidgetArea,
        )
        self.by_key: dict[str, Panel] = {}
        for key, title, area in (
            ("model", tr("Model"), left),
            ("inspector", "", right),
            ("controls", tr("Controls"), right),
            ("doctor", tr("Doctor"), right),
            *((f"plot_{k}", "", bottom) for k in range(PLOTS)),
            ("parameters", tr("Parameters"), bottom),
            ("equations", "", bottom),
        ):
            self.by_key[key] = panel = Panel(theme, key, title)
            window.addDockWidget(area, panel)
        self.low = [self.by_key[f"plot_{k}"] for k in range(PLOTS)] + [self.by_key["equations"]]
        side = [*self.low[:PLOTS], self.by_key["parameters"], self.low[-1]]
        for a, b in zip(side, side[1:]):
            window.splitDockWidget(a, b, Qt.Orientation.Horizontal)
        self.by_key["parameters"].hide()
        window.setCorner(Qt.Corner.BottomRightCorner, right)
        window.setCorner(Qt.Corner.BottomLeftCorner, bottom)

    def fill(self) -> None:
        """Make what stands in the panels."""
        from mechstudio.view.panels.controls import Controls
        from mechstudio.view.panels.doctor import Doctor
        from mechstudio.view.panels.hidden_note import HiddenNote
        from mechstudio.view.panels.model_tree import ModelTree

        theme, studio = self._theme, self._studio
        self.tree = ModelTree(theme, studio)
        self.by_key["model"].fill(
            row(self.tree, HiddenNote(theme, studio), vertical=True, margins=(6, 0, 4, 6))
        )
        self._fill_inspector()
        self.doctor, count = Doctor(theme, studio), label("", "three")
        self.by_key["doctor"].fill(Scroll(self.doctor), count)
        self.doctor.counted.connect(count.setText)
        self.doctor.refresh()
        self.controls = Controls(theme, studio)
        self.by_key["controls"].fill(Scroll(self.controls))
        self.controls.counted.connect(self._show_controls)
        self.by_key["controls"].setVisible(bool(self.controls.sliders))
        self._fill_parameters()
        self._fill_plots()
        self._fill_equations()
        self.is_filled = True

    def _fill_parameters(self) -> None:
        from mechstudio.view.panels.parameters import ParameterTable

        self.parameters, count = ParameterTable(self._theme, self._studio), label("", "three")
        self.parameters.counted.connect(count.setText)
        self.parameters.use_chosen.connect(self.show_field)
        panel = self.by_key["parameters"]
        panel.fill(
            self.parameters,
            count,
            IconButton(
                self._theme, "plus", tr("New parameter"), 26, 16, clicked=self.parameters.add
            ),
            IconButton(
                self._theme,
                "close",
                tr("Close"),
                26,
                14,
                clicked=lambda: self.show_parameters(False),
            ),
        )

    def _show_controls(self, count: int) -> None:
        """The first slider brings the panel, with room for those that there are."""
        panel = self.by_key["controls"]
        if count and panel.isHidden():
            self.arrange(self._window.workspace)
        panel.setVisible(count > 0)

    def show_parameters(self, shown: bool) -> None:
        """Open or close the table of parameters; it takes the place of the lesser plots."""
        self.by_key["parameters"].setVisible(shown)
        self.arrange(self._window.workspace)
        if shown:
            self.parameters.refresh()

    def show_field(self, id: str, path: tuple) -> None:
        """Select an element and go to one of its fields."""
        self._studio.selection.select(id)
        self.inspector.go_to(path)

    def _fill_inspector(self) -> None:
        from mechstudio.view.inspector.inspector import Inspector

        self.inspector, panel, kind = (
            Inspector(self._theme, self._studio),
            self.by_key["inspector"],
            label("", "three"),
        )
        mark = label()
        mark.hide()
        panel.head.insertWidget(0, mark)

        def head(title: str, sort: str, color: str) -> None:
            panel.title.set_text(title)
            kind.setText(sort)
            mark.setVisible(bool(color))
            if color:
                mark.setPixmap(dot(color, self._theme.dp(10), self._theme.dp(16)))

        self.inspector.headed.connect(head)
        panel.fill(Scroll(self.inspector), kind)
        self.inspector.refresh()

    def _fill_plots(self) -> None:
        from mechstudio.view.plots.panel import PlotPanel

        self.plots = [PlotPanel(self._theme, self._studio, k) for k in range(PLOTS)]
        for plot, panel in zip(self.plots, self.low):
            panel.fill(plot, plot.legend, plot.menu)
            plot.headed.connect(
                lambda title, unit, panel=panel: (
                    panel.title.set_text(title),
                    panel.note.setText(unit),
                )
            )
            plot.rebuild()

    def _fill_equations(self) -> None:
        """The panel at the bottom right: equations or the balance of structure, one at a time."""
        from mechstudio.view.equations.panel import EquationsPanel
        from mechstudio.view.panels.analyses import AnalysesPanel
        from mechstudio.view.panels.structure import StructurePanel

        theme, studio = self._theme, self._studio
        self.equations, self.structure = (
            EquationsPanel(theme, studio),
            StructurePanel(theme, studio),
        )
        pages, chain, panel = Pages(), Elided("", "small"), self.by_key["equations"]
        pages.addWidget(self.equations)
        pages.addWidget(Scroll(self.structure))
        self.analyses = AnalysesPanel(theme, studio)
        pages.addWidget(self.analyses)
        self.pages = Segment(
            theme,
            ((PAGES[0], tr("Equations")), (PAGES[1], tr("Structure")), (PAGES[2], tr("Analyses"))),
            height=24,
        )
        panel.fill(pages, chain, self.equations.copy_button, self.equations.export_button)
        panel.title.hide()
        panel.head.insertWidget(0, self.pages)
        self.structure.noted.connect(chain.set_text)
        self.structure.refresh()

        def ask(what: str, axes: str) -> None:
            if self._window.workspace == "build":
                self._window.set_workspace("analyse")
            turn(PAGES[2])
            self.analyses.ask_for(what, axes)

        self.inspector.analysis_wanted.connect(ask)

        def turn(key: str) -> None:
            pages.setCurrentIndex(PAGES.index(key))
            # what goes first, then what comes: both at once would need a wider panel, and the row
            # of panels would shift
            heads = (
                (chain, key == PAGES[1]),
                *(
                    (b, key == PAGES[0])
                    for b in (self.equations.copy_button, self.equations.export_button)
                ),
            )
            for widget, shown in sorted(heads, key=lambda head: head[1]):
                widget.setVisible(shown)
            self.pages.choose(key)

        self.pages.chosen.connect(turn)
        turn(PAGES[0])

    def _resize(
        self,
        docks: Sequence[QtWidgets.QDockWidget],
        sizes: Sequence[int],
        direction: Qt.Orientation,
    ) -> None:
        """Resize those docks that stand in the window; one that is being dragged has no place
        there.
        """
        placed = [(d, size) for d, size in zip(docks, sizes) if not d.isFloating()]
        self._window.resizeDocks([d for d, _ in placed], [size for _, size in placed], direction)

    def arrange(self, workspace: str) -> None:
        """The sizes of a workspace at the window's present size."""
        window, by_key, dp = self._window, self.by_key, self._theme.dp
        width, height = window.width(), window.height()
        room = width / self._theme.scale
        right = min(dp(300 if room >= 1500 else 264 if room >= 1180 else 232), round(0.34 * width))
        left = min(dp(250 if room >= 1500 else 208 if room >= 1180 else 176), round(0.24 * width))
        # where letters are too large for four panels side by side, a workspace shows those that it
        # is for
        crowded = (width - right) / self._theme.scale < CROWDED
        by_key["model"].setVisible(workspace != "explain")
        table = not by_key["parameters"].isHidden()
        for panel in self.low[1:PLOTS]:
            panel.setVisible(
                not table and (workspace == "analyse" or workspace == "build" and not crowded)
            )
        self.low[-1].setVisible(
            (workspace != "analyse" or not crowded)
            and (not table or room - right / self._theme.scale >= ROOMY)
        )
        self.low[0].setVisible(not (table and crowded))
        self._resize([by_key["model"]], [left], Qt.Orientation.Horizontal)
        sliders = sum(p.slider for p in self._studio.document.project.parameters.values())
        by_key["controls"].setVisible(bool(sliders))
        controls = min(dp(44 + 36 * min(sliders, 5)), round(0.3 * (height - dp(126))))
        side = [by_key["inspector"], by_key["controls"], by_key["doctor"]]
        self._resize(side, [right] * 3, Qt.Orientation.Horizontal)
        self._resize(
            side,
            [
                round((height - dp(126) - controls) * 0.68),
                controls,
                round((height - dp(126) - controls) * 0.32),
            ],
            Qt.Orientation.Vertical,
        )
        low = min(
            round(height * max(LOW[workspace], TABLE if table else 0.0)), height - dp(126 + VIEW)
        )
        self._resize(
            [by_key["parameters"] if table else self.low[0]], [low], Qt.Orientation.Vertical
        )
        shown = [d for d in self.low[:-1] if not d.isHidden()]
        last = (
            0.0
            if self.low[-1].isHidden()
            else 0.6
            if workspace == "explain" and not table
            else 0.5
            if crowded
            else 0.34
        )
        if table:
            middle = (1.0 - last) * (0.78 if shown else 1.0)
            self._resize(
                [*shown, by_key["parameters"], *(self.low[-1:] if last else [])],
                [
                    int((width - right) * s)
                    for s in (
                        *[(1.0 - last - middle)] * len(shown),
                        middle,
                        *([last] if last else []),
                    )
                ],
                Qt.Orientation.Horizontal,
            )
        else:
            shares = [(1.0 - last) / len(shown)] * len(shown) + ([last] if last else [])
            self._resize(
                [*shown, *(self.low[-1:] if last else [])],
                [int((width - right) * s) for s in shares],
                Qt.Orientation.Horizontal,
            )
        if workspace == "explain" and self.is_filled:
            self.pages.chosen.emit(PAGES[0])
            self.equations.open_first()
