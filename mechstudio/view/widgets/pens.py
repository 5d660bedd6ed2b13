"""Pens of curves: colour, dash and width, the same in panes, legends, tables and files."""

import math

from PySide6 import QtCore, QtGui

from mechstudio.application.plots.panes import DASHES
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
# dashes and gaps in widths of the line
PATTERNS = {
    "solid": [],
    "dash": [4.0, 2.4],
    "dot": [1.0, 1.7],
    "dashdot": [4.4, 2.0, 1.0, 2.0],
    "long": [9.0, 2.4],
    "dashdotdot": [4.4, 2.0, 1.0, 1.6, 1.0, 2.0],
    "short": [2.2, 1.6],
    "longdot": [9.0, 2.0, 1.0, 2.0],
}
WIDE, THICK, THIN = 1.7, 2.6, 1.2  # curve, one that is pointed at, one of an earlier run
FAINT = 0.5  # of loads that rigid bodies do not determine


def curve_pen(
    theme: Theme, color: str, dash: int, width: float = WIDE, alpha: float = 1.0
) -> QtGui.QPen:
    """Pen of a curve; widths grow with the square root of the text size."""
    shade = QtGui.QColor(color)
    shade.setAlphaF(alpha)
    pen = QtGui.QPen(shade, width * math.sqrt(theme.scale) * theme.stroke)
    pen.setCosmetic(True)
    pattern = PATTERNS[DASHES[dash % len(DASHES)]]
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if pattern and theme.dashed:
        pen.setDashPattern(pattern)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def color_of(theme: Theme, color: int) -> str:
    """Colour of a trace; -1 is the grey of an earlier run."""
    return theme["text3"] if color < 0 else theme.body(color)
