"""Choosing with a box, doubling, the clipboard, groups, names and the eye, by real mouse and
keys.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.application.actions.select import select_group
from mechstudio.application.resources import sample_folder
from mechstudio.application.tools.snapping.silhouette import middle, silhouettes
from mechstudio.files.project_file import encode
from mechstudio.model.edits import elements
from mechstudio.model.edits.groups import with_group
from mechstudio.view.inspector.several import SharedField
from mechstudio.view.panels.hidden_note import HiddenNote
from mechstudio.view.panels.model_tree import EYE
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.widgets.form import Note, Section, Text
from mechstudio.view.widgets.widgets import Segment
from tests.view.hands import click, click_in_tree, press, select, type_into

Qt = QtCore.Qt
CTRL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def bodies(window):
    return window.studio.document.project.mechanism.bodies


def room_of(window, *ids):
    """The rectangle [px] that elements cover in the view: (left, top, right, bottom)."""
    view = window.viewport
    found = silhouettes(
        window.studio.document.project.mechanism, CameraEye(view.framing.camera, view.framing.size)
    )
    points = np.array([p for id in ids for part in found[id] for p in part])
    return (*np.floor(points.min(axis=0)), *np.ceil(points.max(axis=0)))


def drag(view, start, end, modifiers, before_release=None):
    a, b = QtCore.QPoint(*map(int, start)), QtCore.QPoint(*map(int, end))
    QTest.mouseMove(view, a)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, modifiers, a)
    for share in (0.3, 0.7, 1.0):
        p = QtCore.QPointF(a + (b - a) * share)
        move = QtCore.QEvent.Type.MouseMove
        QtWidgets.QApplication.sendEvent(
            view,
            QMouseEvent(
                move,
                p,
                view.mapToGlobal(p),
                Qt.MouseButton.NoButton,
                Qt.MouseButton.LeftButton,
                modifiers,
            ),
        )
    if before_release is not None:
        before_release()
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, modifiers, b)


def empty_corners(window, *ids):
    """The corners of a rectangle around elements, in empty room."""
    left, top, right, bottom = room_of(window, *ids)
    return (left - 20, top - 20), (right + 20, bottom + 20)


def fresh(make_window, qtbot):
    """Another, empty window that has the keys."""
    other = make_window()
    other.raise_()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    other.viewport.setFocus()
    return other


@pytest.fixture
def front(window):
    window.viewport.look.reduced_motion = True
    window.viewport.framing.view_from("front")
    QtWidgets.QApplication.processEvents()
    yield window
    window.viewport.framing.view_from("corner")


# the box


def test_a_box_to_the_right_takes_what_lies_wholly_inside(front):
    a, b = empty_corners(front, "crank")
    seen = []
    camera = front.viewport.framing.camera
    drag(
        front.viewport,
        a,
        b,
        CTRL,
        lambda: seen.append(
            (
                front.viewport.navigator.tool.preview.box,
                front.viewport.navigator.tool.preview.label,
                front.studio.tools.hint,
            )
        ),
    )
    assert {"crank", "A", "B"} == set(front.studio.selection.selected), (
        "the crank and the pins at its ends; what only reaches in stays out"
    )
    assert seen[0][0] == (a, b) and seen[0][1] == "1 body, 2 joints" and "inside" in seen[0][2]
    assert front.viewport.framing.camera == camera, "the view does not turn meanwhile"
    assert front.viewport.navigator.tool.preview.box is None, "and the box is gone"


def test_a_box_to_the_left_takes_what_it_touches(front):
    a, b = empty_corners(front, "crank")
    drag(front.viewport, b, a, CTRL)
    assert {"crank", "coupler", "A", "B"} <= set(front.studio.selection.selected)
    assert "rocker" not in front.studio.selection.selected


def test_shift_adds_and_escape_gives_up(front):
    a, b = empty_corners(front, "crank")
    front.studio.selection.select("rocker")
    drag(front.viewport, a, b, CTRL | SHIFT)
    assert {"rocker", "crank", "A", "B"} == set(front.studio.selection.selected)
    drag(front.viewport, a, b, CTRL, lambda: QTest.keyClick(front.viewport, Qt.Key.Key_Escape))
    assert {"rocker", "crank", "A", "B"} == set(front.studio.selection.selected)
    assert front.viewport.navigator.tool.preview.box is None


def test_a_click_with_shift_or_ctrl_in_empty_room_keeps_the_selection(front):
    front.studio.selection.select("rocker", "A")
    (x, y), _ = empty_corners(front, "crank")
    for modifier in (CTRL, SHIFT):
        click(front.viewport, QtCore.QPoint(int(x), int(y)), modifier)
        assert front.studio.selection.selected == ("rocker", "A")
    click(front.viewport, QtCore.QPoint(int(x), int(y)))
    assert front.studio.selection.selected == ()


def test_select_all_alike_connected_and_the_rest(window):
    studio = window.studio
    press(window, Qt.Key.Key_A, CTRL)
    assert set(studio.selection.selected) == {
        "crank",
        "coupler",
        "rocker",
        "A",
        "B",
        "C",
        "D",
    } | set(studio.document.project.mechanism.drives) | set(
        studio.document.project.mechanism.forces
    )
    studio.selection.select("crank")
    press(window, Qt.Key.Key_L, CTRL)
    assert studio.selection.selected == ("crank", "coupler")
    press(window, Qt.Key.Key_L, CTRL)
    assert studio.selection.selected == ("crank", "coupler", "rocker"), "once more goes on"
    press(window, Qt.Key.Key_I, CTRL)
    assert {"A", "B", "C", "D"} <= set(
        studio.selection.selected
    ) and "crank" not in studio.selection.selected
    window.actions_.trigger("select_joints")
    assert studio.selection.selected == ("A", "B", "C", "D")
    studio.selection.select("B")
    press(window, Qt.Key.Key_A, SHIFT)
    assert (
        set(studio.selection.selected) == {"A", "B", "C", "D"} and studio.selection.current == "B"
    )


# doubling and the clipboard


def test_ctrl_d_doubles_what_is_selected(window):
    before = window.studio.document.project
    select(window, "crank")
    click_in_tree(window, "coupler", CTRL)
    press(window, Qt.Key.Key_D, CTRL)
    m = window.studio.document.project.mechanism
    assert [b.name for b in m.bodies.values()] == [
        "crank",
        "coupler",
        "rocker",
        "crank 2",
        "coupler 2",
    ]
    assert [j.name for j in m.joints.values()][4:] == ["E", "F"], (
        "with the joint between them and the one to ground"
    )
    assert window.studio.document.undo_label == "Duplicate 2 bodies"
    assert {m.bodies[id].name for id in window.studio.selection.selected} == {
        "crank 2",
        "coupler 2",
    }
    press(window, Qt.Key.Key_Z, CTRL)
    assert window.studio.document.project is before


def test_a_copy_lands_at_the_grid_node_under_the_pointer(window, qtbot):
    """In the plane of the original; pasted ones too."""
    studio, view = window.studio, window.viewport
    select(window, "rocker")
    m = studio.document.project.mechanism
    node = np.array(studio.tools.context.plane.to_world(0.6, 0.4))
    x, y = view.framing.world_to_pixel(node[None])[0]
    QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)) + QtCore.QPoint(3, 0))
    QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)))
    qtbot.wait(10)
    view.setFocus()
    for key in ((Qt.Key.Key_D,), (Qt.Key.Key_C, Qt.Key.Key_V)):
        for one in key:
            press(window, one, CTRL)
        now = studio.document.project.mechanism
        (new,) = set(studio.selection.selected) & set(now.bodies)
        at, was = (np.array(middle(now, (id,))) for id in (new, "rocker"))
        assert at[[0, 2]] == pytest.approx(node[[0, 2]], abs=studio.tools.context.grid / 2 + 1e-9)
        assert at[1] == pytest.approx(was[1]), "in the layer of the original"
        assert new not in m.bodies
        select(window, "rocker")
        press(window, Qt.Key.Key_Z, CTRL)
        QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)) + QtCore.QPoint(3, 0))
        QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)))
        view.setFocus()


@pytest.mark.slow
def test_copied_here_and_pasted_in_another_window(window, make_window, qtbot):
    select(window, "crank")
    click_in_tree(window, "rocker", CTRL)
    press(window, Qt.Key.Key_C, CTRL)
    text = QtWidgets.QApplication.clipboard().text()
    assert text.startswith('{"mechstudio": 2') and '"kind": "part"' in text
    other = fresh(make_window, qtbot)
    QtWidgets.QApplication.clipboard().setText(f'Look at this:\n"{text}"\n')
    press(other, Qt.Key.Key_V, CTRL)
    m = other.studio.document.project.mechanism
    assert [b.name for b in m.bodies.values()] == ["crank", "rocker"] and [
        j.name for j in m.joints.values()
    ] == ["A", "D"]
    assert other.studio.document.undo_label == "Paste 2 bodies, 2 joints"
    assert "L1" in other.studio.document.project.parameters
    assert {"crank", "rocker"} <= {
        m.bodies[id].name for id in other.studio.selection.selected if id in m.bodies
    }
    before = encode(other.studio.document.project)
    press(other, Qt.Key.Key_V, CTRL)
    assert len(other.studio.document.project.mechanism.bodies) == 4
    press(other, Qt.Key.Key_Z, CTRL)
    assert encode(other.studio.document.project) == before
    press(other, Qt.Key.Key_Z, CTRL)
    assert (
        not other.studio.document.project.mechanism.bodies
        and not other.studio.document.project.parameters
    )


def test_cut_takes_away_and_paste_brings_back(window):
    select(window, "rocker")
    press(window, Qt.Key.Key_X, CTRL)
    assert "rocker" not in bodies(window) and window.studio.document.undo_label.startswith(
        "Cut rocker with C, D"
    )
    press(window, Qt.Key.Key_V, CTRL)
    m = window.studio.document.project.mechanism
    assert "rocker" in {b.name for b in m.bodies.values()}
    assert {j.name for j in m.joints.values()} == {"A", "B", "D"}, (
        "the joint to the coupler was not among what was cut"
    )


def test_the_text_of_a_whole_file_is_pasted_into_an_empty_window(
    window, four_bar, make_window, qtbot
):
    other = fresh(make_window, qtbot)
    QtWidgets.QApplication.clipboard().setText(four_bar.read_text("utf-8"))
    press(other, Qt.Key.Key_V, CTRL)
    assert encode(other.studio.document.project) == encode(window.studio.document.project)
    press(other, Qt.Key.Key_Z, CTRL)
    assert not other.studio.document.project.mechanism.bodies


def test_text_that_is_no_mechanism_is_refused_in_a_sentence(window):
    before = window.studio.document.project
    QtWidgets.QApplication.clipboard().setText("a shopping list")
    press(window, Qt.Key.Key_V, CTRL)
    assert window.studio.document.project is before
    assert (
        window.studio.notifications.messages[-1].text
        == "The clipboard holds no part of a mechanism: copy one here or in another window first."
    )


# groups


def test_bodies_are_grouped_folded_and_taken_apart(window):
    tree = window.docks.tree
    select(window, "crank")
    click_in_tree(window, "rocker", CTRL)
    press(window, Qt.Key.Key_G, CTRL)
    (group,) = window.studio.document.project.groups.values()
    assert (
        group.members == ("crank", "rocker")
        and window.studio.document.undo_label == "Group 2 bodies"
    )
    item = tree._groups[group.id]
    assert [item.child(k).text(0) for k in range(item.childCount())] == ["crank", "rocker"]
    window.studio.selection.select("coupler")
    click(tree.viewport(), tree.visualItemRect(item).center())
    assert set(window.studio.selection.selected) == {"crank", "rocker"}
    item.setExpanded(False)
    window.studio.selection.select("coupler")
    click(tree.viewport(), tree.visualItemRect(item).center())
    assert set(window.studio.selection.selected) == {"crank", "rocker"} and not item.isExpanded(), (
        "a folded group stays folded"
    )
    click_in_tree(window, "rocker", CTRL)
    assert window.studio.selection.selected == ("crank",), "a member alone leaves the selection"
    press(window, Qt.Key.Key_G, CTRL | SHIFT)
    assert not window.studio.document.project.groups
    for _ in range(2):
        press(window, Qt.Key.Key_Z, CTRL)
    assert not window.studio.document.project.groups and not window.studio.document.undo_label


def test_a_double_click_in_the_view_selects_the_group(front):
    studio = front.studio
    project, _ = with_group(studio.document.project, ["crank", "rocker"])
    studio.document.commit("Group", project)
    center = studio.document.project.mechanism.bodies["crank"].placement
    x, y = front.viewport.framing.world_to_pixel(
        np.array(
            [
                np.array(center.pose[0]) * 0.5
                + 0.5
                * np.array(studio.document.project.mechanism.bodies["coupler"].placement.pose[0])
            ]
        )
    )[0]
    place = QtCore.QPoint(round(x), round(y))
    click(front.viewport, place)
    assert studio.selection.selected == ("crank",)
    QTest.mouseDClick(front.viewport, Qt.MouseButton.LeftButton, NONE, place)
    QTest.mouseRelease(front.viewport, Qt.MouseButton.LeftButton, NONE, place)
    assert set(studio.selection.selected) == {"crank", "rocker"}


def test_deleting_a_member_leaves_the_group_and_the_last_one_takes_it_along(window):
    studio = window.studio
    project, id = with_group(studio.document.project, ["crank", "rocker"])
    studio.document.commit("Group", project)
    studio.selection.select("crank")
    press(window, Qt.Key.Key_Delete)
    assert studio.document.project.groups[id].members == ("rocker",)
    studio.selection.select("rocker")
    press(window, Qt.Key.Key_Delete)
    assert not studio.document.project.groups


# names


def edit_in_tree(window):
    editor = window.docks.tree.findChild(QtWidgets.QLineEdit, "name")
    assert editor is not None and editor.hasFocus()
    return editor


def test_f2_renames_in_the_tree(window, qtbot):
    select(window, "crank")
    press(window, Qt.Key.Key_F2)
    editor = edit_in_tree(window)
    assert editor.text() == "crank" and editor.selectedText() == "crank"
    QTest.keyClicks(editor, "arm")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bodies(window)["crank"].name == "arm")
    assert window.studio.document.undo_label == "Rename crank to arm"
    press(window, Qt.Key.Key_F2)
    QTest.keyClicks(edit_in_tree(window), "nothing")
    QTest.keyClick(edit_in_tree(window), Qt.Key.Key_Escape)
    QtWidgets.QApplication.processEvents()
    assert bodies(window)["crank"].name == "arm" and window.studio.selection.selected == (
        "crank",
    ), "Esc ends the typing alone"


def test_a_double_click_renames_and_uses_follow(window, qtbot):
    tree = window.docks.tree
    tree._items["L1"].parent().setExpanded(True)
    tree.scrollToItem(tree._items["L1"])
    place = tree.visualItemRect(tree._items["L1"]).center()
    click(tree.viewport(), place)
    QTest.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    editor = edit_in_tree(window)
    editor.selectAll()
    QTest.keyClicks(editor, "a1")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "a1" in window.studio.document.project.parameters)
    assert bodies(window)["crank"].shapes[0].dimensions["length"].text == "a1"


def test_a_taken_name_is_refused_in_a_sentence(window, qtbot):
    select(window, "A")
    press(window, Qt.Key.Key_F2)
    QTest.keyClicks(edit_in_tree(window), "B")
    QTest.keyClick(edit_in_tree(window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.studio.notifications.messages))
    assert (
        window.studio.notifications.messages[-1].text
        == "There is a joint B already: call this one otherwise."
    )
    assert window.studio.document.project.mechanism.joints["A"].name == "A"


def test_a_group_is_renamed_in_the_tree(window, qtbot):
    project, id = with_group(window.studio.document.project, ["crank", "rocker"])
    window.studio.document.commit("Group", project)
    select_group(window.studio, id)
    press(window, Qt.Key.Key_F2)
    QTest.keyClicks(edit_in_tree(window), "arms")
    QTest.keyClick(edit_in_tree(window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.studio.document.project.groups[id].name == "arms")


# seen or not


def test_the_eye_of_the_tree_hides_and_shows(window, qtbot):
    tree, note = window.docks.tree, window.docks.by_key["model"].findChild(HiddenNote)
    item = tree._items["coupler"]
    place = lambda: QtCore.QPoint(
        tree.columnViewportPosition(EYE) + tree.columnWidth(EYE) // 2,
        tree.visualItemRect(tree._items["coupler"]).center().y(),
    )
    assert item.icon(EYE).isNull() and note.isHidden()
    QTest.mouseMove(tree.viewport(), place())
    qtbot.waitUntil(lambda: not tree._items["coupler"].icon(EYE).isNull())
    window.studio.selection.select("crank")
    click(tree.viewport(), place())
    assert (
        not bodies(window)["coupler"].visible
        and window.studio.document.undo_label == "Hide coupler"
    )
    assert window.studio.selection.selected == ("crank",), "the eye selects nothing"
    assert note.text() == "1 hidden" and note.toolTip().startswith("coupler") and note.isVisible()
    QTest.mouseMove(tree.viewport(), tree.visualItemRect(tree._items["crank"]).center())
    qtbot.waitUntil(lambda: tree._items["crank"].toolTip(EYE) == "Hide")
    assert not tree._items["coupler"].icon(EYE).isNull(), (
        "what is hidden shows its closed eye always"
    )
    click(tree.viewport(), place())
    assert bodies(window)["coupler"].visible
    click(tree.viewport(), place())
    click(note)
    assert bodies(window)["coupler"].visible and note.isHidden()


def test_everything_else_is_hidden(window):
    select(window, "crank")
    press(window, Qt.Key.Key_H, SHIFT)
    m = window.studio.document.project.mechanism
    assert {id for id, b in m.bodies.items() if b.visible} == {"crank"} and {
        id for id, j in m.joints.items() if j.visible
    } == {"A"}
    assert window.studio.document.undo_label == "Show only crank"
    press(window, Qt.Key.Key_Z, CTRL)
    assert not edit.hidden(window.studio)


# menus


def test_a_right_click_offers_what_may_be_done(front, qtbot):
    view, studio = front.viewport, front.studio
    at = studio.document.project.mechanism.bodies
    x, y = view.framing.world_to_pixel(
        np.array(
            [
                (
                    np.array(at["crank"].placement.pose[0])
                    + np.array(at["coupler"].placement.pose[0])
                )
                / 2
            ]
        )
    )[0]
    place = QtCore.QPoint(round(x), round(y))
    QTest.mousePress(view, Qt.MouseButton.RightButton, NONE, place)
    QTest.mouseRelease(view, Qt.MouseButton.RightButton, NONE, place)
    qtbot.waitUntil(lambda: front.menu.isVisible())
    assert studio.selection.selected == ("crank",)
    words = [a.objectName() for a in front.menu.actions() if a.objectName()]
    assert {"rename", "copy", "duplicate", "delete", "hide", "isolate"} <= set(
        words
    ) and "ungroup" not in words
    duplicate = next(a for a in front.menu.actions() if a.objectName() == "duplicate")
    QTest.mouseClick(
        front.menu, Qt.MouseButton.LeftButton, NONE, front.menu.actionGeometry(duplicate).center()
    )
    assert len(bodies(front)) == 4
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)


def test_a_right_click_in_the_tree_offers_the_same(window, qtbot):
    tree = window.docks.tree
    window.studio.selection.select("crank")
    place = tree.visualItemRect(tree._items["rocker"]).center()
    QTest.mousePress(tree.viewport(), Qt.MouseButton.RightButton, NONE, place)
    QtWidgets.QApplication.sendEvent(
        tree.viewport(),
        QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, place, tree.viewport().mapToGlobal(place)
        ),
    )
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.RightButton, NONE, place)
    qtbot.waitUntil(lambda: window.menu.isVisible())
    assert window.studio.selection.selected == ("rocker",) and {"rename", "hide", "delete"} <= {
        a.objectName() for a in window.menu.actions()
    }
    QTest.keyClick(window.menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)


def test_a_right_drag_turns_the_view_and_opens_no_menu(front):
    camera = front.viewport.framing.camera
    (x, y), _ = empty_corners(front, "crank")
    start = QtCore.QPoint(int(x), int(y))
    QTest.mousePress(front.viewport, Qt.MouseButton.RightButton, NONE, start)
    QTest.mouseMove(front.viewport, start + QtCore.QPoint(5, 5))
    QTest.mouseMove(front.viewport, start + QtCore.QPoint(40, 10))
    QTest.mouseRelease(
        front.viewport, Qt.MouseButton.RightButton, NONE, start + QtCore.QPoint(40, 10)
    )
    assert (
        front.viewport.framing.camera != camera
        and QtWidgets.QApplication.activePopupWidget() is None
    )


# the inspector for several


def test_a_number_typed_for_several_is_set_on_all_in_one_step(window):
    select(window, "crank")
    click_in_tree(window, "rocker", CTRL)
    inspector = window.docks.inspector
    fields = {f.field.path: f for f in inspector.parts(SharedField)}
    width, length = (
        fields["shapes", 0, "dimensions", "width"],
        fields["shapes", 0, "dimensions", "length"],
    )
    assert window.docks.by_key["inspector"].title.text() == "2 bodies"
    assert length.edit.text() == "–" and "different" in length._note.text()
    type_into(width, "33 mm")
    sizes = lambda: [
        bodies(window)[id].shapes[0].dimensions["width"].text for id in ("crank", "rocker")
    ]
    assert sizes() == ["33 mm", "33 mm"]
    assert window.studio.document.undo_label == "Width of 2 bodies 33 mm"
    assert width.edit.text() == "33 mm", "and the page shows it"
    type_into(width, "33 deg")
    assert "Length expected" in width.reason and sizes() == ["33 mm", "33 mm"]
    press(window, Qt.Key.Key_Escape)
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Z, CTRL)
    assert "33 mm" not in sizes(), "one step for both"


def test_a_group_is_named_in_the_inspector_and_hidden_as_one(window, qtbot):
    project, id = with_group(window.studio.document.project, ["crank", "rocker"])
    window.studio.document.commit("Group", project)
    select_group(window.studio, id)
    inspector = window.docks.inspector
    inspector.catch_up()
    assert window.docks.by_key["inspector"].title.text() == "group 1"
    name = inspector.parts(Text)[0]
    click(name.edit)
    name.edit.selectAll()
    QTest.keyClicks(name.edit, "arms")
    QTest.keyClick(name.edit, Qt.Key.Key_Return)
    assert (
        window.studio.document.project.groups[id].name == "arms"
        and window.docks.tree._groups[id].text(0) == "arms"
    )
    segment = next(
        s for s in inspector.parts(Segment) if "1" in s._buttons and s.button("1").text() == "Shown"
    )
    click(segment.button("0"))
    assert (
        not bodies(window)["crank"].visible
        and not bodies(window)["rocker"].visible
        and bodies(window)["coupler"].visible
    )


def test_notes_of_parameters_have_a_field(window):
    window.studio.selection.select("L1")
    inspector = window.docks.inspector
    next(f for f in inspector.parts(Section) if f.title == "Note").set_open(True)
    note = inspector.parts(Note)[0]
    click(note)
    note.selectAll()
    QTest.keyClicks(note, "measured twice")
    window.viewport.setFocus()
    assert (
        window.studio.document.project.parameters["L1"].note == "measured twice"
        and window.studio.document.undo_label == "Note of L1"
    )


# the mirror


def test_the_mirror_shows_the_image_and_a_click_takes_it(front):
    view, studio = front.viewport, front.studio
    select(front, "crank")
    front.actions_.trigger("mirror")
    x, y = view.framing.world_to_pixel(np.array([[-0.15, 0.0, 0.4]]))[0]
    place = QtCore.QPoint(round(x), round(y))
    QTest.mouseMove(view, place)
    QTest.mouseMove(view, place + QtCore.QPoint(1, 0))
    assert len(view.shown.project.mechanism.bodies) == 4 and len(bodies(front)) == 3, (
        "shown before it is there"
    )
    # the pointer over the image itself catches nothing of it
    image = next(
        body for id, body in view.shown.project.mechanism.bodies.items() if id not in bodies(front)
    )
    x, y = view.framing.world_to_pixel(np.array([image.placement.pose[0]]))[0]
    QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)))
    assert view.navigator.pointer(QtCore.QPointF(x, y)).body in ("", "ground", *bodies(front))
    QTest.mouseMove(view, place)
    click(view, place)
    assert (
        len(bodies(front)) == 4
        and studio.document.undo_label == "Mirror crank left to right"
        and studio.tools.tool.name == "select"
    )
    before = studio.document.project
    front.actions_.trigger("mirror")
    QTest.mouseMove(view, place + QtCore.QPoint(9, 9))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert (
        studio.document.project is before
        and len(view.shown.project.mechanism.bodies) == 4
        and studio.tools.tool.name == "select"
    )


@pytest.mark.parametrize("other", ["edit", "document"])
def test_a_name_that_is_typed_for_a_line_that_goes_is_let_go(window, qtbot, other):
    """The field goes with its line, and what is typed there is nobody's name; Qt has nothing to say
    of it.
    """
    select(window, "crank")
    press(window, Qt.Key.Key_F2)
    QTest.keyClicks(edit_in_tree(window), "half a na")
    if other == "edit":
        window.studio.document.commit(
            "Note", elements.set_attribute(window.studio.document.project, "crank", name="handle")
        )
    else:
        assert window.studio.files.open(sample_folder() / "cart_pole.mech", as_copy=True)
    window.viewport.setFocus()
    QtWidgets.QApplication.processEvents()
    assert "half a na" not in {b.name for b in bodies(window).values()}


@pytest.mark.slow
def test_a_panel_that_is_dragged_takes_no_part_in_the_layout(make_window, four_bar, qtbot):
    """While a panel is in the hand its place is not in the window: another workspace sizes the
    others, and Qt has nothing to say of it.
    """
    window = make_window(four_bar)
    dock = window.docks.by_key["model"]
    head = dock.titleBarWidget()
    place = QtCore.QPoint(head.width() // 2, head.height() // 2)
    QTest.mousePress(head, Qt.MouseButton.LeftButton, NONE, place)
    for k in range(1, 6):
        QTest.mouseMove(head, place + QtCore.QPoint(60 * k, 40 * k))
        QtWidgets.QApplication.processEvents()
    assert dock.isFloating()
    window.set_workspace("analyse")
    QTest.mouseRelease(head, Qt.MouseButton.LeftButton, NONE, place)
    qtbot.waitUntil(lambda: not dock.isFloating())
