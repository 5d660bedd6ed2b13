"""Rows of the model tree: of each kind of element, after each kind of change, with the bodies of
groups; without a window.
"""

import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.contact import Contacts, Floor
from mechstudio.model.edits import elements
from mechstudio.model.edits.groups import with_group
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND, Drive, Force, NamedPoint
from mechstudio.model.project import Gauge, Mark, Picture, Project
from mechstudio.model.quantity import vector
from mechstudio.view.panels.model_rows import Row, headings
from mechstudio.view.panels.model_tree import (
    EYE,
    GROUP,
    ID,
    KEY,
    MARK,
    NAME,
    POINT,
    SHOWN,
    ModelTree,
    icons_of,
)
from tests.view.conftest import sample_file

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
replace = msgspec.structs.replace


@pytest.fixture
def project():
    return sample_file("four_bar").project


@pytest.fixture
def studio(qapp, project):
    made = Studio(Preferences())
    made.files.show(project, None, None)
    return made


@pytest.fixture
def tree(theme, studio, qtbot):
    made = ModelTree(theme, studio)
    qtbot.addWidget(made)
    made.resize(300, 900)
    made.show()
    return made


def with_mechanism(project, **parts):
    return replace(project, mechanism=replace(project.mechanism, **parts))


def rows_of(project):
    return dict(headings(project))


def test_each_kind_of_element_has_its_rows(project):
    empty = rows_of(Project())
    assert list(empty) == ["Bodies", "Forces", "Run"]
    assert [r.id for r in empty["Bodies"]] == [GROUND]
    assert empty["Forces"] == (Row(fields.GRAVITY, "gravity", "tool_force"),)
    assert empty["Run"] == (Row(fields.SETTINGS, "method", "settings"),)
    rows, m = rows_of(project), project.mechanism
    assert list(rows) == ["Bodies", "Joints", "Forces", "Parameters", "Run"]
    assert [r.id for r in rows["Bodies"]] == [GROUND, *m.bodies]
    by_id = {r.id: r for each in rows.values() for r in each}
    coupler = m.bodies["coupler"]
    assert by_id["coupler"] == Row(
        "coupler", "coupler", coupler.color, True, (), tuple(p.name for p in coupler.points)
    )
    # short names tell the bodies too
    assert by_id["A"].text == "A  ground–crank" and by_id["A"].seen is True
    for name, text in (("ABC", "ABC  ground–crank"), ("ABCD", "ABCD")):
        renamed = elements.set_attribute(project, "A", name=name)
        assert rows_of(renamed)["Joints"][0].text == text
    for enabled, text in ((True, "turn"), (False, "turn (off)")):
        drive = Drive("turn", "turn", "A", enabled=enabled)
        driven = rows_of(with_mechanism(project, drives={"turn": drive}))
        assert driven["Drives"] == (Row("turn", text, "tool_motor", True),)
    push, motor = Force("f", "push", "spring", {}), Force("m", "motor", "motor_torque", {})
    pushed = rows_of(with_mechanism(project, forces={"f": push, "m": motor}))
    assert [r.id for r in pushed["Motors"]] == ["m"]
    assert [r.id for r in pushed["Forces"]] == [fields.GRAVITY, "f"]
    hidden = elements.with_visible(project, ("A", "crank"), False)
    seen = {r.id: r.seen for each in rows_of(hidden).values() for r in each}
    assert (seen["A"], seen["crank"], seen["B"], seen[GROUND]) == (False, False, True, None)
    assert [r.id for r in rows["Parameters"]] == list(project.parameters)
    assert rows["Parameters"][0] == Row("L1", "L1", "parameter")


@pytest.mark.parametrize(
    ("enabled", "floor", "text", "icon"),
    [
        (False, False, None, None),
        (True, False, "between bodies", "tool_contact"),
        (True, True, "floor", "tool_floor"),
        (False, True, "floor (off)", "tool_floor"),
    ],
)
def test_contacts_have_one_row(project, enabled, floor, text, icon):
    contacts = Contacts(enabled=enabled, floor=Floor() if floor else None)
    rows = rows_of(with_mechanism(project, contacts=contacts)).get("Contacts")
    assert rows == (None if text is None else (Row(fields.CONTACTS, text, icon),))


def test_further_parts_of_a_drawing_have_rows_of_their_own(project):
    gauge, picture = Gauge("g", "reach", "distance", ()), Picture("p", "sketch", "a.png")
    rows = rows_of(replace(project, gauges={"g": gauge}, pictures={"p": picture}))
    assert rows["Gauges"] == (Row("g", "reach", "tool_measure", True),)
    assert rows["Pictures"] == (Row("p", "sketch", "picture", picture.visible),)


def test_a_group_stands_where_its_first_body_would(project):
    grouped, id = with_group(project, ("rocker", "crank"))
    bodies = rows_of(grouped)["Bodies"]
    assert [r.id for r in bodies] == [GROUND, id, "coupler"]
    assert [r.id for r in bodies[1].members] == ["crank", "rocker"] and bodies[1].icon == "group"
    for hidden, seen in ((("crank",), True), (("crank", "rocker"), False)):
        shown = elements.with_visible(grouped, hidden, False)
        assert rows_of(shown)["Bodies"][1].seen is seen


@pytest.mark.parametrize(
    ("types", "icons"),
    [
        ((), ()),
        (("velocity",), ("vectors",)),
        (("velocity", "acceleration"), ("vectors",)),
        (("velocity", "force"), ("vectors", "tool_force")),
    ],
)
def test_marks_of_one_look_have_one_icon(types, icons):
    assert icons_of(types) == icons
    first, *_ = icons_of(("trail", "velocity", "force"))
    assert icons_of(("trail", "velocity", "force")) == (first, "more")


# changes


def dump(tree):
    """Everything that can be seen of a tree."""

    def line(item):
        colors = item.foreground(NAME).color().name()
        data = [item.data(NAME, role) for role in (ID, KEY, GROUP, POINT)]
        tips = [item.toolTip(column) for column in (NAME, SHOWN, MARK, EYE)]
        icons = [item.icon(column).isNull() for column in (NAME, MARK, EYE)]
        flags = item.flags().value, item.isExpanded(), item.isSelected()
        inner = [line(item.child(k)) for k in range(item.childCount())]
        return item.text(NAME), colors, data, tips, icons, flags, inner

    return [line(top) for top in tree._tops()]


def point(body, name):
    return replace(body, points=(*body.points, NamedPoint(name, vector(0.0, 0.0, 0.0))))


CHANGES = {
    "rename": lambda p: elements.set_attribute(p, "B", name="Pin"),
    "hide": lambda p: elements.with_visible(p, ("coupler", "C"), False),
    "point": lambda p: elements.put_element(p, "crank", point(p.mechanism.bodies["crank"], "Q")),
    "remove a joint": lambda p: elements.remove(p, "C"),
    "remove the first": lambda p: elements.remove(p, "A"),
    "remove a body": lambda p: elements.remove(p, "coupler"),
    "group": lambda p: with_group(p, ("crank", "coupler"))[0],
    "group of the last": lambda p: with_group(p, ("coupler", "rocker"))[0],
    "all joints": lambda p: with_mechanism(p, joints={}, drives={}, couplings={}, forces={}),
    "order": lambda p: with_mechanism(p, bodies=dict(reversed(p.mechanism.bodies.items()))),
    "contacts": lambda p: with_mechanism(p, contacts=Contacts(enabled=True)),
    "parameter": lambda p: replace(
        p, parameters={k: v for k, v in p.parameters.items() if k != "L2"}
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_tree_is_like_a_new_one(theme, tree, studio, qtbot, name):
    """Forth and back, with something selected: only folds are its own."""
    studio.selection.select("crank", "B")
    first = studio.document.project
    for project in (CHANGES[name](first), first):
        studio.document.commit("Change", project)
        new = ModelTree(theme, studio)
        qtbot.addWidget(new)
        assert dump(tree) == dump(new)
        assert tree._items.keys() == new._items.keys() and tree._rows == new._rows
        assert tree._groups.keys() == new._groups.keys() and tree._marks == new._marks


def test_folds_stay_with_their_rows(tree, studio):
    """Through a change of their heading, and through one of the headings."""
    project, id = with_group(studio.document.project, ("crank", "coupler"))
    studio.document.commit("Group", project)
    titles = {top.text(NAME): top for top in tree._tops()}
    assert not titles["Parameters"].isExpanded() and titles["Bodies"].isExpanded()
    tree._groups[id].setExpanded(False)
    titles["Joints"].setExpanded(False)
    titles["Parameters"].setExpanded(True)
    expected = {"Joints": False, "Parameters": True, "Bodies": True, "Run": True}
    for change in (
        lambda p: elements.set_attribute(p, "crank", name="handle"),
        lambda p: with_mechanism(p, contacts=Contacts(enabled=True)),
        lambda p: elements.set_attribute(p, "rocker", name="arm"),
    ):
        studio.document.commit("Change", change(studio.document.project))
        tops = {top.text(NAME): top.isExpanded() for top in tree._tops()}
        assert {title: tops[title] for title in expected} == expected
        assert not tree._groups[id].isExpanded()


def test_the_gravest_finding_marks_a_row(tree, studio, monkeypatch):
    found = [
        Finding("info", "A", "First."),
        Finding("error", "A", "Second."),
        Finding("warning", "A", "Third."),
        Finding("warning", "crank", "Loose."),
        Finding("info", "", "Of all."),
    ]
    monkeypatch.setattr(type(studio.questions), "findings", property(lambda q: tuple(found)))
    tree._show_marks()
    assert tree._marks["A"] == ("error", "First. Second. Third.")
    assert tree._marks["crank"] == ("warning", "Loose.") and "B" not in tree._marks
    assert tree._items["A"].toolTip(MARK) == "First. Second. Third."
    assert not tree._items["A"].icon(MARK).isNull() and tree._items["B"].icon(MARK).isNull()
    assert not tree.isColumnHidden(MARK)
    found.clear()
    tree._show_marks()
    assert tree._items["A"].toolTip(MARK) == "" and tree._items["A"].icon(MARK).isNull()
    assert tree.isColumnHidden(MARK)  # names have its room


def test_marks_of_the_scene_have_a_column_where_there_is_room(tree, studio):
    assert tree.isColumnHidden(SHOWN)
    project = studio.document.project
    marks = (
        Mark("t", "trail", body="coupler"),
        Mark("v", "velocity", joint="B"),
        Mark("a", "acceleration", joint="B"),
    )
    studio.document.commit("Marks", replace(project, marks=marks))
    drawn = studio.marks.marked()
    assert drawn and not tree.isColumnHidden(SHOWN) and tree.columnWidth(SHOWN) == 18 + 4
    for id, types in drawn.items():
        assert tree._items[id].data(SHOWN, ID) == types and tree._items[id].toolTip(SHOWN)
    # 96 px are left for names beside 22 px of marks and 42 px of the other columns
    frame = tree.width() - tree.viewport().width()
    for width, hidden in ((96 + 22 + 42, False), (96 + 22 + 42 - 1, True)):
        tree.resize(width + frame, 900)
        QApplication.processEvents()
        assert tree.isColumnHidden(SHOWN) == hidden, width
    studio.document.undo()
    assert tree.isColumnHidden(SHOWN)


# selection


def choose(tree, *ids):
    """Select lines of elements or groups as the view does: all of them at once."""
    tree.blockSignals(True)
    tree.clearSelection()
    for id in ids:
        tree._item(id).setSelected(True)
    tree.blockSignals(False)
    tree._select()


def test_a_click_on_a_group_is_one_on_its_bodies(tree, studio):
    project, id = with_group(studio.document.project, ("crank", "coupler"))
    studio.document.commit("Group", project)
    selected = lambda: studio.selection.selected
    lines = lambda: {k for k in (*tree._items, id) if tree._item(k).isSelected()}
    choose(tree, "rocker")
    assert selected() == ("rocker",)
    choose(tree, id)
    assert selected() == ("crank", "coupler") and lines() == {id, "crank", "coupler"}
    # with Ctrl an element more, which comes last
    choose(tree, id, "crank", "coupler", "B")
    assert selected() == ("crank", "coupler", "B")
    # the group's line taken away takes its bodies along
    choose(tree, "crank", "coupler", "B")
    assert selected() == ("B",) and lines() == {"B"}
    # a body of it taken away leaves the other one
    choose(tree, id)
    choose(tree, id, "crank")
    assert selected() == ("crank",) and lines() == {"crank"}
    # a click on the line of a group that is chosen chooses it again
    studio.selection.select("crank", "coupler", "B")
    assert lines() == {id, "crank", "coupler", "B"}
    choose(tree, id)
    assert set(selected()) == {"crank", "coupler"}
    assert tree.currentItem() is tree._groups[id], "it stays folded"
    for again in range(2):
        choose(tree, id)
        assert lines() == {id, "crank", "coupler"}, again
    # in the order in which they were chosen
    studio.selection.select("B", "A")
    choose(tree, "A", "B", "C")
    assert selected() == ("B", "A", "C")


def press(tree, item, column, button=LEFT):
    rect = tree.visualItemRect(item)
    x = tree.header().sectionViewportPosition(column) + 4
    at = QPointF(x, rect.center().y())
    glob = QPointF(tree.viewport().mapToGlobal(at.toPoint()))
    none = Qt.KeyboardModifier.NoModifier
    tree.mousePressEvent(QMouseEvent(QEvent.Type.MouseButtonPress, at, glob, button, button, none))


def test_the_eye_hides_and_shows(tree, studio):
    project, id = with_group(studio.document.project, ("crank", "coupler"))
    studio.document.commit("Group", project)
    seen = lambda: {
        b for b, body in studio.document.project.mechanism.bodies.items() if body.visible
    }
    eye = lambda item: (item.toolTip(EYE), item.icon(EYE).isNull())
    line = lambda name: tree._item(name)
    assert eye(line("rocker")) == ("", True)
    tree._look_at("rocker")
    assert eye(line("rocker")) == ("Hide", False)
    tree._look_at("")
    assert eye(line("rocker")) == ("", True)
    press(tree, line("rocker"), EYE, RIGHT)
    assert seen() == {"crank", "coupler", "rocker"}
    studio.selection.select()
    press(tree, line("rocker"), EYE)
    assert seen() == {"crank", "coupler"} and studio.selection.selected == ()
    assert eye(line("rocker")) == ("Show", False), "wherever something is hidden"
    press(tree, line("rocker"), EYE)
    assert "rocker" in seen()
    # of a group those that are seen, or all where none is
    press(tree, line("crank"), EYE)
    press(tree, tree._groups[id], EYE)
    assert seen() == {"rocker"}
    press(tree, tree._groups[id], EYE)
    assert seen() == {"crank", "coupler", "rocker"}
    # what cannot be hidden has none
    tree._look_at(GROUND)
    assert eye(line(GROUND)) == ("", True)
    press(tree, line(GROUND), EYE)
    assert studio.selection.selected == (GROUND,)


def test_the_right_button_leaves_what_is_selected(tree, studio):
    for selected, at, after in (
        (("crank", "B"), "B", ("crank", "B")),
        (("crank", "B"), "C", ("C",)),
    ):
        studio.selection.select(*selected)
        press(tree, tree._items[at], NAME, RIGHT)
        assert studio.selection.selected == after
    requested = []
    tree.menu_requested.connect(requested.append)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 6), QPoint(50, 60))
    tree.contextMenuEvent(event)
    assert requested == [QPoint(50, 60)]


def test_what_is_hovered_is_underlined(tree, studio):
    lined = lambda: {id for id, item in tree._items.items() if item.font(NAME).underline()}
    studio.selection.hover("B")
    assert lined() == {"B"}
    studio.selection.hover("crank")
    assert lined() == {"crank"}
    studio.selection.select("crank")
    assert lined() == set(), "it is selected"
    studio.selection.hover("")
    QApplication.sendEvent(tree, QEvent(QEvent.Type.Leave))
    assert lined() == set() and studio.selection.hovered == ""


def test_names_are_written_in_their_line(tree, studio):
    project, id = with_group(studio.document.project, ("crank", "coupler"))
    studio.document.commit("Group", project)
    assert tree._name(id) == project.groups[id].name and tree._name("B") == "B"
    editing = lambda: tree.state() == tree.State.EditingState
    tree._groups[id].setExpanded(False)
    for name, opens in ((fields.GRAVITY, False), ("crank", True), (id, True)):
        tree.begin_rename(name)
        assert editing() == opens, name
        tree._close_name()
        assert not editing()
    assert tree._groups[id].isExpanded(), "for the body in it"
    # a heading folds by a double click, a name is edited by one
    top = tree._items["B"].parent()
    tree._double_clicked(top, NAME)
    assert not top.isExpanded() and not editing()
    tree._double_clicked(top, NAME)
    tree._double_clicked(tree._items["B"], MARK)
    assert top.isExpanded() and not editing()
    tree._double_clicked(tree._items["B"], NAME)
    assert editing()
    # it closes where its row goes
    studio.document.commit("Remove", elements.remove(studio.document.project, "B"))
    assert not editing()
    tree._rename("C", "Pin")
    assert studio.document.name("C") == "Pin"
    tree._rename("C", " ")
    assert studio.document.name("C") == "Pin"
