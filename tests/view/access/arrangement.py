"""Arrangement of widgets as text: margins, gaps and shares of layouts, and what code sets on a
widget beside its words.  Sizes that follow words are left out.
"""

from collections.abc import Iterator

from PySide6 import QtCore, QtWidgets

from mechstudio.view.equations.formula import Formula
from mechstudio.view.plots.frames import Tabs

W = QtWidgets
# Qt's own inside
INNER = (W.QScrollBar, W.QHeaderView, W.QRubberBand, W.QLineEdit, W.QComboBox, W.QAbstractSpinBox)
# what comes when it is found, or where the window is narrow for a moment; how far things scroll
PASSED = (Formula, Tabs, W.QScrollBar)
UNBOUND = 16_777_215  # Qt's largest size


def arrangement(widget: W.QWidget, without: W.QWidget, within: str = "") -> Iterator[str]:
    """Lines of a widget that can be seen and of all in it but one, each with the classes that it is
    in.
    """
    if widget is without or isinstance(widget, PASSED) or not widget.isVisible():
        return
    yield f"{within}{' '.join(filter(None, facts(widget)))}"
    if isinstance(widget, INNER):
        return
    within = " ".join((*within.split()[-2:], type(widget).__name__, ""))
    for child in widget.children():
        if isinstance(child, W.QWidget) and not child.isWindow():
            yield from arrangement(child, without, within)


def facts(widget: W.QWidget) -> Iterator[str]:
    """Facts of a widget that no font decides, those that Qt gives by itself left out."""
    name = widget.objectName()
    yield type(widget).__name__ + (f"#{name}" if name and not name.startswith("qt_") else "")
    box = widget.layout()
    if box is not None:
        m = box.contentsMargins()
        yield f"in {m.left()} {m.top()} {m.right()} {m.bottom()} gap {box.spacing()}"
        if isinstance(box, W.QBoxLayout):
            shares = [box.stretch(k) for k in range(box.count())]
            if any(shares):
                yield f"shares {shares}"
        if isinstance(box, W.QGridLayout):
            yield f"grid {box.horizontalSpacing()} {box.verticalSpacing()}"
            yield f"{[box.columnStretch(c) for c in range(box.columnCount())]}"
    for word, size, none in (
        ("least", widget.minimumSize(), 0),
        ("most", widget.maximumSize(), UNBOUND),
    ):
        # of windows and docks they follow from what is in them
        follows = isinstance(widget, W.QMainWindow | W.QDockWidget)
        if (size.width(), size.height()) != (none, none) and not follows:
            yield f"{word} {size.width()}x{size.height()}"
    policy = widget.sizePolicy()
    yield f"{policy.horizontalPolicy().name[:3]}/{policy.verticalPolicy().name[:3]}"
    if widget.focusPolicy() != QtCore.Qt.FocusPolicy.NoFocus:
        yield widget.focusPolicy().name
    if widget.hasMouseTracking():
        yield "tracks"
    if isinstance(widget, W.QLabel):
        yield f"{int(widget.alignment()):x}{' wraps' * widget.wordWrap()}"
        if flags := widget.textInteractionFlags().value:
            yield f"acts {flags:x}"
    if isinstance(widget, W.QAbstractButton) and not widget.icon().isNull():
        yield f"icon {widget.iconSize().width()}x{widget.iconSize().height()}"
    if isinstance(widget, W.QAbstractButton):
        yield "once" * widget.isCheckable() + " flat" * (getattr(widget, "isFlat", bool)())
    if isinstance(widget, W.QAbstractScrollArea):
        bars = (widget.horizontalScrollBarPolicy(), widget.verticalScrollBarPolicy())
        yield f"bars {bars[0].value} {bars[1].value} frame {widget.frameShape().value}"
    if isinstance(widget, W.QAbstractItemView):
        yield f"selects {widget.selectionMode().value} {widget.selectionBehavior().value}"
        yield f"edits {widget.editTriggers().value} drags {widget.dragDropMode().value}"
    if isinstance(widget, W.QTableView):
        yield f"grid {widget.showGrid()} wraps {widget.wordWrap()}"
    if isinstance(widget, W.QTreeView):
        yield f"indent {widget.indentation()} root {widget.rootIsDecorated()}"
    if isinstance(widget, W.QSplitter):
        yield f"handle {widget.handleWidth()} folds {widget.childrenCollapsible()}"
    if isinstance(widget, W.QAbstractSlider):
        yield f"{widget.minimum()}…{widget.maximum()} {widget.singleStep()} {widget.pageStep()}"
