"""Accessibility: Qt's tree of accessible things names everything in the window."""

import re

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import insert
from mechstudio.application.resources import resource
from mechstudio.application.runs.playback import Playback
from mechstudio.view.widgets.slider import Slider
from tests.view.access.walk import CONTROLS, path, places, shown

Qt = QtCore.Qt
Role, Text = QtGui.QAccessible.Role, QtGui.QAccessible.Text
ICONS = {p.stem for p in resource("icons").glob("*.svg")}
ROLES = {
    QtWidgets.QLineEdit: {Role.EditableText},
    QtWidgets.QAbstractSlider: {Role.Slider},
    QtWidgets.QTreeView: {Role.Tree, Role.Table},
    QtWidgets.QListView: {Role.List},
    QtWidgets.QTableView: {Role.Table},
    QtWidgets.QCheckBox: {Role.CheckBox},
    QtWidgets.QRadioButton: {Role.RadioButton},
    QtWidgets.QPushButton: {
        Role.Button,
        Role.ButtonMenu,
        Role.ButtonDropDown,
        Role.CheckBox,
        Role.RadioButton,
    },
    QtWidgets.QToolButton: {Role.Button, Role.ButtonMenu, Role.ButtonDropDown, Role.CheckBox},
}


def said(widget):
    """Name, role, value and description that Qt reports of a widget."""
    about = QtGui.QAccessible.queryAccessibleInterface(widget)
    return (
        about.text(Text.Name),
        about.role(),
        about.text(Text.Value),
        about.text(Text.Description),
    )


def test_everything_has_a_name_and_its_role(window):
    nameless, roles, count = [], [], 0
    for place, root in places(window):
        for w in shown(root):
            if not isinstance(w, CONTROLS):
                continue
            count += 1
            name, role, _, _ = said(w)
            if not name.strip() or name in ICONS - {"Fit", "copy"} or re.fullmatch(r"\W", name):
                nameless.append(f"{place}: {path(w)} {w.toolTip()!r}")
            for kind, fitting in ROLES.items():
                if isinstance(w, kind) and role not in fitting:
                    roles.append(f"{place}: {path(w)} is said to be {role}")
                    break
    assert count > 300
    assert sorted(set(nameless)) == []
    assert sorted(set(roles)) == []


def test_docks_and_rows_of_lists_have_names(window):
    for dock in window.docks.by_key.values():
        assert said(dock)[0] or dock.objectName() in ("dock_inspector", "dock_equations")
    tree = window.docks.tree
    about = QtGui.QAccessible.queryAccessibleInterface(tree)
    names = {about.child(k).text(Text.Name) for k in range(about.childCount())}
    assert "crank" in names and len(names) > 5


def test_sliders_say_their_value_with_its_unit(window):
    controls = window.docks.controls
    slider = controls.sliders["L1"]
    assert said(slider)[0] == "L1 130 mm"
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert re.fullmatch(r"L1 13[0-9.]+ mm", said(slider)[0]) and said(slider)[0] != "L1 130 mm"
    window.studio.document.undo()
    window.actions_.by_id["preferences"].trigger()
    sizes = window.sheet.card.findChild(Slider)
    assert said(sizes)[0] == "Text size 100 %"
    window.sheet.close_sheet()


def test_the_scene_says_what_is_selected_and_in_hand(window):
    name, role, value, words = said(window.viewport)
    assert name == "Scene" and role == Role.Graphic
    assert words == "3 bodies, 4 joints; the drawing; nothing selected; no tool in hand"
    window.studio.selection.select("crank")
    window.actions_.trigger(insert.draw_link)
    _, _, value, words = said(window.viewport)
    assert "crank selected" in words and "link tool in hand" in words and value == words
    window.studio.tools.take("select")


def test_painted_widgets_have_accessible_name_role_and_value(window, qtbot, monkeypatch):
    assert said(window.time_bar.track)[:3] == ("Time", Role.Slider, "the drawing")
    monkeypatch.setattr(Playback, "at_design", False)
    window.studio.runs.playback.time = 0.5
    assert said(window.time_bar.track)[2].startswith("0.500 s of ")
    window.studio.runs.playback.time = 0.0
    monkeypatch.undo()
    window.set_workspace("analyse")
    window.docks.open_low()
    area = window.docks.plots[0].area
    qtbot.waitUntil(lambda: area is not None and bool(area.drawn))
    name, role, value, _ = said(area)
    assert role == Role.Chart and name and re.search(r"[\d–]", value)
    window.set_workspace("build")


@pytest.mark.parametrize("key", ["play", "energy", "constraint"])
def test_the_most_used_are_called_as_what_they_do(window, key):
    widget = {
        "play": window.time_bar.play,
        "energy": window.status.energy,
        "constraint": window.status.constraint,
    }[key]
    assert said(widget)[0]
