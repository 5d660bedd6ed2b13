"""The choice whether curves differ by dashes beside their colours, and Qt's words of keys."""

from PySide6 import QtCore, QtGui

from mechstudio.view.language import speak
from mechstudio.view.widgets.pens import curve_pen


def test_dashes_are_there_until_they_are_switched_off(theme):
    assert theme.dashed
    pens = [curve_pen(theme, "#ff0000", k) for k in range(3)]
    assert sum(pen.style() == QtCore.Qt.PenStyle.CustomDashLine for pen in pens) == 2
    theme.dashed = False
    try:
        pens = [curve_pen(theme, "#ff0000", k) for k in range(3)]
        assert all(pen.style() == QtCore.Qt.PenStyle.SolidLine for pen in pens)
    finally:
        theme.dashed = True


def test_keys_are_called_alike_in_french(qapp):
    native = QtGui.QKeySequence.SequenceFormat.NativeText
    try:
        speak(qapp, "fr")
        shown = [QtGui.QKeySequence(k).toString(native) for k in ("Shift+F", "Ctrl+Del", "Home")]
        assert shown == ["Shift+F", "Ctrl+Del", "Home"]
    finally:
        speak(qapp, "en")
