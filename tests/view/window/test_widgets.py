"""Helpers of all widgets."""

from PySide6 import QtWidgets

from mechstudio.view.widgets.widgets import set_property


def test_a_property_restyles_a_widget_only_where_it_changes(qtbot):
    label = QtWidgets.QLabel()
    label.setStyleSheet('QLabel[kind="bad"] { color: #ff0000; }')
    qtbot.addWidget(label)
    assert set_property(label, "kind", "bad")
    assert label.palette().windowText().color().name() == "#ff0000"
    assert not set_property(label, "kind", "bad")
    assert set_property(label, "kind", "good")
    assert label.palette().windowText().color().name() != "#ff0000"
