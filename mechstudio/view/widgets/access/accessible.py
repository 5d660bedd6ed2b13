"""Roles and values, in words with their units, that assistive technology gets of widgets that
paint themselves.
"""

from typing import Protocol, runtime_checkable

from PySide6 import QtCore, QtGui, QtWidgets
from shiboken6 import isValid

Role = QtGui.QAccessible.Role


@runtime_checkable
class Spoken(Protocol):
    """A widget with a role of its own. spoken_value(): its present value in words."""

    accessible_role: QtGui.QAccessible.Role

    def spoken_value(self) -> str: ...


class _Interface(QtWidgets.QAccessibleWidget):
    """Role and texts of one such widget."""

    def text(self, kind: QtGui.QAccessible.Text) -> str:
        widget = self.widget()
        if kind == QtGui.QAccessible.Text.Value and isinstance(widget, Spoken):
            return widget.spoken_value()
        return super().text(kind)


# Qt takes an interface to live as long as its widget; Python would end it with the call
_interfaces: list[_Interface] = []


def _made(key: str, thing: QtCore.QObject) -> QtGui.QAccessibleInterface | None:
    if not isinstance(thing, Spoken) or not isinstance(thing, QtWidgets.QWidget):
        return None
    _interfaces[:] = [each for each in _interfaces if isValid(each)]
    _interfaces.append(_Interface(thing, thing.accessible_role, thing.accessibleName()))
    return _interfaces[-1]


def install() -> None:
    """Register the interfaces of this module with Qt; a second call does nothing."""
    if not _installed:
        _installed.append(True)
        QtGui.QAccessible.installFactory(_made)


_installed: list[bool] = []
