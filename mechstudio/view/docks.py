"""The panels around the viewport and their arrangement: empty frames at once, their contents after the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio

from .i18n import tr
from .panels.panel import Panel, Scroll
from .pieces import Picture, Segment, dot, label, row
from .theme import Theme

if TYPE_CHECKING:
    from .panels.controls import Controls
    from .panels.doctor import Doctor
    from .panels.equations import EquationsPanel
    from .panels.inspector import Inspector
    from .panels.model_tree import ModelTree
    from .panels.structure import StructurePanel
    from .plots.plot_panel import PlotPanel

Qt = QtCore.Qt
PLOTS = 3
PAGES = ("equations", "structure")
# share of the window's height that the bottom row takes
LOW = {"build": 0.26, "analyse": 0.48, "explain": 0.45}


class Docks:
    """`fill` makes the contents; until then tree, inspector and the others are not there."""

    tree: ModelTree
    inspector: Inspector
    controls: Controls
    doctor: Doctor
    equations: EquationsPanel
    structure: StructurePanel
    plots: list[PlotPanel]

    def __init__(self, window: QtWidgets.QMainWindow, theme: Theme, studio: Studio) -> None:
        self._window, self._theme, self._studio = window, theme, studio
        self.is_filled = False
        left, right, bottom = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
        self.by_key: dict[str, Panel] = {}
        for key, title, area in (("model", tr("Model"), left), ("inspector", "", right), ("controls", tr("Controls"), right), ("doctor", tr("Doctor"), right),
                                 *((f"plot_{k}", "", bottom) for k in range(PLOTS)), ("equations", "", bottom)):
            self.by_key[key] = panel = Panel(key, title)
            window.addDockWidget(area, panel)
        self.low = [self.by_key[f"plot_{k}"] for k in range(PLOTS)] + [self.by_key["equations"]]
        for a, b in zip(self.low, self.low[1:]):
            window.splitDockWidget(a, b, Qt.Orientation.Horizontal)
        window.setCorner(Qt.Corner.BottomRightCorner, right)
        window.setCorner(Qt.Corner.BottomLeftCorner, bottom)

    def fill(self) -> None:
        """Make what stands in the panels."""
        from .panels.controls import Controls
        from .panels.doctor import Doctor
        from .panels.model_tree import ModelTree
        theme, studio = self._theme, self._studio
        self.tree = ModelTree(theme, studio)
        self.by_key["model"].fill(row(self.tree, vertical=True, margins=(6, 0, 4, 6)))
        self._fill_inspector()
        self.doctor, count = Doctor(theme, studio), label("", "three")
        self.by_key["doctor"].fill(Scroll(self.doctor), count)
        self.doctor.counted.connect(count.setText)
        self.doctor.refresh()
        self.controls = Controls(theme, studio)
        self.by_key["controls"].fill(Scroll(self.controls))
        self.controls.counted.connect(lambda count: self.by_key["controls"].setVisible(count > 0))
        self._fill_plots()
        self._fill_equations()
        self.is_filled = True

    def _fill_inspector(self) -> None:
        from .panels.inspector import Inspector
        self.inspector, panel, kind = Inspector(self._theme, self._studio), self.by_key["inspector"], label("", "three")
        mark = Picture(self._theme, "info")
        mark.hide()
        panel.head.insertWidget(0, mark)

        def head(title: str, sort: str, color: str) -> None:
            panel.title.setText(title)
            kind.setText(sort)
            mark.setVisible(bool(color))
            if color:
                mark.setPixmap(dot(color, 10, 16))
        self.inspector.headed.connect(head)
        panel.fill(Scroll(self.inspector), kind)
        self.inspector.refresh()

    def _fill_plots(self) -> None:
        from .plots.plot_panel import PlotPanel
        self.plots = [PlotPanel(self._theme, self._studio, k) for k in range(PLOTS)]
        for plot, panel in zip(self.plots, self.low):
            panel.fill(plot, plot.legend)
            plot.headed.connect(lambda title, unit, panel=panel: (panel.title.setText(title), panel.note.setText(unit)))
            plot.rebuild()

    def _fill_equations(self) -> None:
        """The panel at the bottom right: equations or the balance of structure, one at a time."""
        from .panels.equations import EquationsPanel
        from .panels.structure import StructurePanel
        theme, studio = self._theme, self._studio
        self.equations, self.structure = EquationsPanel(theme, studio), StructurePanel(theme, studio)
        pages, chain, panel = QtWidgets.QStackedWidget(), label("", "small"), self.by_key["equations"]
        pages.addWidget(self.equations)
        pages.addWidget(Scroll(self.structure))
        self.pages = Segment(((PAGES[0], tr("Equations")), (PAGES[1], tr("Structure"))), height=theme.dp(24))
        panel.fill(pages, chain, self.equations.copy_button)
        panel.title.hide()
        panel.head.insertWidget(0, self.pages)
        self.structure.noted.connect(chain.setText)
        self.structure.refresh()

        def turn(key: str) -> None:
            pages.setCurrentIndex(PAGES.index(key))
            chain.setVisible(key == PAGES[1])
            self.equations.copy_button.setVisible(key == PAGES[0])
            self.pages.choose(key)
        self.pages.chosen.connect(turn)
        turn(PAGES[0])

    def arrange(self, workspace: str) -> None:
        """The sizes of a workspace at the window's present size."""
        window, by_key = self._window, self.by_key
        width, height = window.width(), window.height()
        for panel in (by_key["model"], self.low[1], self.low[2]):
            panel.setVisible(workspace != "explain")
        wide = width >= 1500
        right = 300 if wide else 264 if width >= 1180 else 232
        left = 250 if wide else 208 if width >= 1180 else 176
        window.resizeDocks([by_key["model"]], [left], Qt.Orientation.Horizontal)
        sliders = sum(p.slider for p in self._studio.document.project.parameters.values())
        by_key["controls"].setVisible(bool(sliders))
        controls = 44 + 26 * min(sliders, 5)
        side = [by_key["inspector"], by_key["controls"], by_key["doctor"]]
        window.resizeDocks(side, [right] * 3, Qt.Orientation.Horizontal)
        window.resizeDocks(side, [round((height - 126 - controls) * 0.68), controls, round((height - 126 - controls) * 0.32)], Qt.Orientation.Vertical)
        window.resizeDocks(self.low[:1], [round(height * LOW[workspace])], Qt.Orientation.Vertical)
        last = round((width - right) * (0.6 if workspace == "explain" else 0.34))
        shown = [d for d in self.low[:-1] if not d.isHidden()]
        window.resizeDocks([*shown, self.low[-1]], [(width - right - last) // len(shown)] * len(shown) + [last], Qt.Orientation.Horizontal)
