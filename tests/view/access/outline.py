"""Outline of widgets as text: what stands in what, with its words, states and values."""

from collections.abc import Iterator

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.widgets.widgets import Elided

W = QtWidgets
Text = QtGui.QAccessible.Text
# Qt's own inside, which its versions make in their own ways
INNER = (W.QScrollBar, W.QHeaderView, W.QRubberBand)
# what says all that its parts say
WHOLE = (Elided, W.QAbstractItemView, W.QComboBox, W.QAbstractSpinBox)


def outline(widget: W.QWidget, without: W.QWidget | None = None, depth: int = 0) -> Iterator[str]:
    """Lines of a widget that can be seen and of all in it but one, one deeper each."""
    if isinstance(widget, INNER) or widget is without or not widget.isVisible():
        return
    words = facts(widget)
    if words:
        yield f"{'  ' * depth}{words}"
        depth += 1
    if isinstance(widget, W.QAbstractItemView):
        yield from (f"{'  ' * depth}{row}" for row in rows(widget))
    for child in () if isinstance(widget, WHOLE) else widget.children():
        if isinstance(child, W.QWidget) and not child.isWindow():
            yield from outline(child, without, depth)


def facts(widget: W.QWidget) -> str:
    """Class, name, words, tooltip and states of a widget; "" for one that only holds others."""
    about = QtGui.QAccessible.queryAccessibleInterface(widget)
    name, value = (about.text(Text.Name), about.text(Text.Value)) if about else ("", "")
    said = [name]
    if isinstance(widget, W.QLabel | W.QAbstractButton | W.QLineEdit):
        said.append(widget.text())
    said += [value, widget.toolTip()]
    states = []
    if isinstance(widget, W.QAbstractButton) and widget.isCheckable():
        states.append("on" if widget.isChecked() else "off")
    if not widget.isEnabledTo(widget.parentWidget()):
        states.append("disabled")
    words = " | ".join(dict.fromkeys(word.replace("\n", " / ") for word in said if word))
    if not words and not states:
        return ""
    return " ".join((type(widget).__name__, words, *(f"({state})" for state in states)))


def rows(view: W.QAbstractItemView) -> Iterator[str]:
    """Rows of a list, a table or a tree, those of the first two levels."""
    model = view.model()
    if model is None:
        return
    root = view.rootIndex()
    columns = 1 if isinstance(model, QtCore.QAbstractListModel) else model.columnCount(root)
    for r in range(model.rowCount(root)):
        cells = [model.index(r, c, root).data() for c in range(columns)]
        yield "- " + " | ".join(str(cell) for cell in cells if cell not in (None, ""))
        first = model.index(r, 0, root)
        for k in range(model.rowCount(first)):
            yield f"  - {model.index(k, 0, first).data()}"
