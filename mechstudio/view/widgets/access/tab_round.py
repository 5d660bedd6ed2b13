"""Tab within one widget: what lies behind it is covered."""

from PySide6 import QtCore, QtWidgets

from mechstudio.view.widgets.access.focus_ring import FocusRing

Qt = QtCore.Qt


def go_round(root: QtWidgets.QWidget, next: bool) -> bool:
    """Move the focus to the next or previous widget that takes Tab inside a widget, from the last
    round to the first; False where there is no other.
    """
    # by its parts, not by nextInFocusChain: PySide takes what that returns for a child of the
    # widget in question, and counts the menus of the window as deleted with it
    parts = root.findChildren(QtWidgets.QWidget)
    at = QtWidgets.QApplication.focusWidget()
    place = parts.index(at) if at in parts else -1
    after, before = parts[place + 1 :], parts[: max(place, 0)]
    for found in after + before if next else before[::-1] + after[::-1]:
        if takes_tab(root, found):
            reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
            for ring in root.window().findChildren(FocusRing):
                ring.lead()
            found.setFocus(reason)
            return True
    return False


def takes_tab(root: QtWidgets.QWidget, item: QtWidgets.QWidget) -> bool:
    """True for a widget inside another one that Tab stops at."""
    if not (root.isAncestorOf(item) and item.isVisible() and item.isEnabled()):
        return False
    if isinstance(item, QtWidgets.QAbstractButton) and (
        item.autoExclusive() or item.group() is not None
    ):
        # of buttons of which one is chosen, arrow keys reach the others
        return item.isChecked()
    return bool(item.focusPolicy() & Qt.FocusPolicy.TabFocus)
