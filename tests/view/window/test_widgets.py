"""Helpers of all widgets."""

from PySide6 import QtWidgets

from mechstudio.view.widgets.widgets import Linked, set_property


def test_a_property_restyles_a_widget_only_where_it_changes(qtbot):
    label = QtWidgets.QLabel()
    label.setStyleSheet('QLabel[kind="bad"] { color: #ff0000; }')
    qtbot.addWidget(label)
    assert set_property(label, "kind", "bad")
    assert label.palette().windowText().color().name() == "#ff0000"
    assert not set_property(label, "kind", "bad")
    assert set_property(label, "kind", "good")
    assert label.palette().windowText().color().name() != "#ff0000"


def test_links_take_the_colour_of_another_theme(theme, qtbot):
    linked = Linked(theme, "three", lambda key: None)
    qtbot.addWidget(linked)
    linked.setText('<a href="key">MMMM MMMM</a>')
    linked.resize(200, 40)
    linked.show()
    for name in ("light", "dark", "light"):
        theme.set_choice(name)
        image = linked.grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(200) for y in range(40)}
        assert theme.color("accent_text").name() in seen, name
