"""The menu of a curve's look: colour, dash and width of its line."""

from __future__ import annotations

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.choice import with_style
from mechstudio.application.plots.panes import DASHES, Curve, Pane, shown_plots
from mechstudio.application.studio import Studio
from mechstudio.model.project import CurveStyle
from mechstudio.translation import Words, localised, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.color_choice import COLORS
from mechstudio.view.widgets.pens import WIDE, color_of, curve_pen

Qt = QtCore.Qt
NAMES: tuple[Words, ...] = ("Solid", "Dashes", "Dots", "Dash and dot")
WIDTHS = (1.0, 1.7, 2.6, 4.0)  # px at the normal text size
SAMPLE = (26, 14)  # px at the normal text size


def style_menu(
    owner: QtWidgets.QWidget,
    theme: Theme,
    studio: Studio,
    pane: Pane,
    curve: Curve,
    by_run: bool,
) -> QtWidgets.QMenu:
    """Menu of the look of a curve; each choice is one step to undo.  by_run: colour and dash show
    runs, so that the curve has none of its own.
    """
    menu = QtWidgets.QMenu(owner)
    menu.aboutToHide.connect(menu.deleteLater)
    plot = next((p for p in shown_plots(studio.document.project) if p.id == pane.id), None)
    now = CurveStyle() if plot is None else plot.styles.get(curve.key, CurveStyle())
    usual = msgspec.structs.replace(curve, width=0.0)

    def sample(color: int, dash: int, width: float) -> QtGui.QIcon:
        dp, ratio = theme.dp, 2.0
        wide, high = (dp(n) for n in SAMPLE)
        image = QtGui.QPixmap(round(wide * ratio), round(high * ratio))
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(image)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(curve_pen(theme, color_of(theme, color), dash, width))
        painter.drawLine(QtCore.QPointF(1, high / 2), QtCore.QPointF(wide - 1, high / 2))
        painter.end()
        return QtGui.QIcon(image)

    def entry(
        into: QtWidgets.QMenu, words: str, icon: QtGui.QIcon | None, on: bool, **look: float
    ) -> None:
        action = into.addAction(words) if icon is None else into.addAction(icon, words)
        action.setIconVisibleInMenu(True)
        action.setCheckable(True)
        action.setChecked(on)
        label = tr("Look of {name}", name=curve.label)
        action.triggered.connect(
            lambda _=False: studio.document.commit(
                label, with_style(studio.document.project, pane.id, curve.key, **look)
            )
        )

    def branch(title: str, on: bool) -> QtWidgets.QMenu:
        inside = menu.addMenu(title)
        inside.setEnabled(on)
        return inside

    colors = branch(tr("Colour"), not by_run)
    entry(colors, tr("As the body or quantity"), None, now.color < 0, color=-1)
    for k, name in enumerate(COLORS):
        icon = sample(k, curve.dash, curve.width or WIDE)
        entry(colors, tr(name), icon, now.color == k, color=k)
    dashes = branch(tr("Line"), not by_run)
    entry(dashes, tr("By its order"), None, now.dash < 0, dash=-1)
    for k, name in enumerate(NAMES[: len(DASHES)]):
        icon = sample(curve.color, k, curve.width or WIDE)
        entry(dashes, tr(name), icon, now.dash == k, dash=k)
    widths = branch(tr("Width"), True)
    entry(widths, tr("As usual"), None, not now.width, width=0.0)
    for width in WIDTHS:
        words = tr("{width} px", width=localised(f"{width:g}"))
        icon = sample(usual.color, curve.dash, width)
        entry(widths, words, icon, now.width == width, width=width)
    menu.addSeparator()
    entry(menu, tr("As it was at first"), None, now == CurveStyle(), color=-1, dash=-1, width=0.0)
    return menu
