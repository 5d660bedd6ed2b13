"""Walks over the window for tests of its accessibility: workspaces, panels and dialogs, their
widgets, and pictures of them.
"""

from collections.abc import Iterator

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.docks.registry import pages
from mechstudio.view.exports.rows import KINDS

Qt = QtCore.Qt
W = QtWidgets
WORKSPACES = ("build", "analyse", "explain")
# actions that open a card over the window
CARDS = (
    "preferences",
    "manual",
    "palette",
    "shortcuts",
    "about",
    "show_versions",
    "keep_view",
    "export",
    "export_report",
)
CONTROLS = (
    W.QAbstractButton,
    W.QLineEdit,
    W.QAbstractSlider,
    W.QAbstractItemView,
    W.QComboBox,
    W.QAbstractSpinBox,
    W.QTextEdit,
    W.QPlainTextEdit,
)


def turn(times=6):
    for _ in range(times):
        W.QApplication.processEvents()


def places(window) -> Iterator[tuple[str, QtWidgets.QWidget]]:
    """(name, widget) of the window in each workspace, its pages, its inspector for each kind of
    element, and each card; they are shown one after the other.
    """
    docks, select = window.docks, window.studio.selection.select
    for workspace in WORKSPACES:
        window.set_workspace(workspace)
        docks.open_low()
        turn()
        yield workspace, window
    for page in pages():
        docks.show_page(page)
        turn()
        yield page.key, docks.by_key["equations"]
    docks.show_parameters(True)
    turn()
    yield "parameters", docks.by_key["parameters"]
    docks.show_parameters(False)
    window.set_workspace("build")
    m = window.studio.document.project.mechanism
    for id in (next(iter(m.joints)), next(iter(m.bodies)), next(iter(m.forces), ""), "settings"):
        select(*([id] if id else []))
        docks.inspector.catch_up()
        turn()
        yield f"inspector of {id or 'the project'}", docks.by_key["inspector"]
    select()
    yield from cards(window, CARDS)
    kind = window.export_kind
    for key in KINDS:
        window.export_kind = key
        window.actions_.by_id["export"].trigger()
        turn()
        yield f"export of a {key}", window.sheet
        window.sheet.close_sheet()
        turn()
    window.export_kind = kind
    window.actions_.by_id["present"].trigger()
    turn()
    yield "in class", window
    window.actions_.by_id["leave_class"].trigger()
    turn()


def cards(window, names) -> Iterator[tuple[str, QtWidgets.QWidget]]:
    """(name, card) of actions that open one, each shown and closed."""
    for card in names:
        window.actions_.by_id[card].trigger()
        turn()
        sheet = window.sheet
        yield card, sheet
        sheet.close_sheet()
        turn()


def shown(root) -> list[QtWidgets.QWidget]:
    """Widgets in a root that can be seen, without the inner parts of Qt's own."""
    inner = (W.QAbstractItemView, W.QHeaderView, W.QAbstractSpinBox)
    return [
        w
        for w in root.findChildren(QtWidgets.QWidget)
        if w.isVisible()
        and not isinstance(w, W.QScrollBar | W.QHeaderView)
        and not isinstance(w.parentWidget(), inner)
    ]


def path(widget) -> str:
    """Classes of a widget and of its containers."""
    out = []
    while widget is not None and len(out) < 4:
        name = f"#{widget.objectName()}" if widget.objectName() else ""
        out.append(type(widget).__name__ + name)
        widget = widget.parentWidget()
    return " in ".join(out)


def pixels(image: QtGui.QImage) -> np.ndarray:
    """Red, green, blue (height, width, 3) of a picture, 0 to 255."""
    image = image.convertToFormat(QtGui.QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def luminances(rgb: np.ndarray) -> np.ndarray:
    """Relative luminance (height, width) of pixels (WCAG 2.1)."""
    c = rgb / 255.0
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def ratio(a, b):
    """Contrast of luminances, 1 to 21."""
    return (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
