"""Parameters in the real window: the table, where they are used, names that are offered, what is
typed and stays.
"""

import msgspec
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.application.actions.edits import parameters as parameter_actions
from mechstudio.application.runs.element_readings import unrounded
from mechstudio.model import fields
from mechstudio.model.mechanism import Drive, Force, Law
from mechstudio.model.quantity import Quantity
from mechstudio.view.actions.tools import shows_parameters
from tests.view.conftest import settle
from tests.view.hands import LENGTH, click, length_of, press, select, type_into

Qt = QtCore.Qt
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def table(window, qapp):
    if not shows_parameters(window):
        window.actions_.trigger("parameters")
    settle(qapp)
    yield window.docks.parameters
    if shows_parameters(window):
        window.actions_.trigger("parameters")


def parameters(window):
    return window.studio.document.project.parameters


def undo_label(window):
    return window.studio.document.undo_label


def test_the_table_shows_every_parameter_and_closes(window, table, qapp):
    assert [r.name for r in table.rows] == ["L1", "L2", "L3", "L4", "omega"] and table.isVisible()
    row = table.row("L1")
    assert [row.numbers[k].edit.text() for k in ("value", "minimum", "maximum")] == [
        "130 mm",
        "60 mm",
        "280 mm",
    ]
    assert (
        row.dimension.text() == "mm · length" and row.slider.isChecked() and row.used.text() == "1"
    )
    press(window, Qt.Key.Key_K, CONTROL)
    QTest.keyClicks(window.sheet.edit, "parameters")
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    settle(qapp)
    assert not table.isVisible()


def test_a_value_is_typed_in_place_and_everything_follows(window, table):
    value = table.row("L1").numbers["value"]
    type_into(value, "140")
    assert length_of(window).value == pytest.approx(0.14) and undo_label(window) == "L1 = 140 mm"
    type_into(value, "L4 - 200 mm")
    assert value.edit.text() == "L4 - 200 mm" and value._note.text() == "= 140 mm"
    value.edit.clearFocus()
    assert value.edit.text() == "140 mm" and value._note.text() == "= L4 - 200 mm"
    assert parameters(window)["L1"].value.text == "L4 - 200 mm"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("90 deg", "Length expected, got angle"), ("L1", "L1 is defined by itself."), ("3*", "")],
)
@pytest.mark.thinned(3)
def test_field_error_of_a_parameter_is_shown_under_its_row(window, table, text, reason):
    row = table.row("L1")
    before = parameters(window)
    type_into(row.numbers["value"], text)
    assert (
        row.field_error.isVisible() and (reason or row.field_error.text()) == row.field_error.text()
    )
    assert parameters(window) is before
    QTest.keyClick(row.numbers["value"].edit, Qt.Key.Key_Escape)
    assert not row.field_error.isVisible() and row.numbers["value"].edit.text() == "130 mm"


def test_a_cycle_names_its_members_in_order(window, table):
    type_into(table.row("L1").numbers["value"], "L2/2")
    type_into(table.row("L2").numbers["value"], "2*L1")
    assert (
        table.row("L2").field_error.text() == "L1 and L2 are defined by each other: L1 → L2 → L1."
    )
    assert parameters(window)["L2"].value.text == "330 mm"


def test_renaming_in_the_table_reaches_every_use_and_keeps_the_row(window, table):
    row = table.row("L1")
    type_into(row.name_field, "crank_length")
    assert (
        row.name == "crank_length"
        and table.row("crank_length") is row
        and length_of(window).text == "crank_length"
    )
    assert (
        undo_label(window) == "Rename L1 to crank_length"
        and next(iter(parameters(window))) == "crank_length"
    )
    type_into(row.name_field, "L2")
    assert row.field_error.text() == "L2 is already the name of something else in this project."
    type_into(row.name_field, "2x")
    assert "cannot be a parameter's name" in row.field_error.text()
    press(window, Qt.Key.Key_Escape)
    edit.undo(window.studio)
    assert row.name == "L1" and length_of(window).text == "L1"


def test_range_slider_and_dimension_are_edited_in_place(window, table):
    row = table.row("L1")
    type_into(row.numbers["minimum"], "80")
    assert parameters(window)["L1"].minimum.text == "80 mm"
    type_into(row.numbers["maximum"], "70")
    assert row.field_error.text() == "The least value must lie below the largest."
    QTest.keyClick(row.numbers["maximum"].edit, Qt.Key.Key_Escape)
    row.numbers["maximum"].edit.selectAll()
    QTest.keyClick(row.numbers["maximum"].edit, Qt.Key.Key_Delete)
    QTest.keyClick(row.numbers["maximum"].edit, Qt.Key.Key_Return)
    assert parameters(window)["L1"].maximum is None and undo_label(window) == "Most of L1 none"
    click(row.slider)
    assert not parameters(window)["L1"].slider and "L1" not in window.docks.controls.sliders
    row.dimension.choose("angle")
    assert (
        "length expected, got angle" in row.field_error.text()
        and parameters(window)["L1"].dimension == "length"
    )


def test_an_unused_parameter_changes_its_dimension(window, table):
    table.add()
    row = table.rows[-1]
    name = row.name
    row.dimension.choose("angle")
    assert (
        parameters(window)[name].dimension == "angle"
        and parameters(window)[name].value.text == "100 deg"
    )
    assert undo_label(window) == f"{name} is an angle"


def test_a_new_one_is_ready_to_be_named_and_typed(window, table, qtbot):
    window.actions_.trigger("new_parameter")
    row = table.rows[-1]
    qtbot.waitUntil(lambda: row.name_field.edit.hasFocus())
    QTest.keyClicks(row.name_field.edit, "gap")
    QTest.keyClick(row.name_field.edit, Qt.Key.Key_Tab)
    QTest.keyClicks(window.focusWidget(), "7 mm")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert parameters(window)["gap"].value.text == "7 mm"


def test_deleting_keeps_the_values_and_says_so(window, table):
    value = length_of(window).value
    click(table.row("L1").cells["remove"])
    assert (
        "L1" not in parameters(window)
        and length_of(window).value == value
        and length_of(window).text == ""
    )
    assert [m.text for m in window.studio.notifications.messages] == [
        "L1 was deleted; 1 place that named it keeps its value."
    ]
    edit.undo(window.studio)
    assert length_of(window).text == "L1" and table.row("L1").used.text() == "1"
    window.studio.selection.select("L2")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert "L2 was deleted; 6 places that named it keep its value." in [
        m.text for m in window.studio.notifications.messages
    ]


def test_menu_of_uses_lists_and_selects_the_field(window, table, qtbot):
    row = table.row("L1")
    menu = row.used.menu()
    menu.aboutToShow.emit()
    assert [a.text() for a in menu.actions()] == ["length of crank"]
    menu.actions()[0].trigger()
    assert window.studio.selection.selected == ("crank",)
    qtbot.waitUntil(lambda: window.docks.inspector.number(LENGTH).edit.hasFocus())


def test_an_unknown_name_in_a_field_is_offered_and_made_in_one_step(window):
    select(window, "coupler")
    before = window.studio.document.project
    width = window.docks.inspector.number(("shapes", 0, "dimensions", "thickness"))
    present = width.quantity().value
    type_into(width, "2*gap", key=None)
    assert (
        width.reason == "gap is not a parameter of this project."
        and width._wrong.offered() == f"Create gap = {500 * present:g} mm"
    )
    click(width._wrong.button)
    assert (
        width.quantity().value == pytest.approx(present)
        and width.quantity().text == "2*gap"
        and width.reason == ""
    )
    assert undo_label(window) == f"Create gap = {500 * present:g} mm"
    edit.undo(window.studio)
    assert window.studio.document.project is before


def test_enter_again_creates_what_a_field_offers_as_in_the_drawing(window):
    select(window, "coupler")
    width = window.docks.inspector.number(("shapes", 0, "dimensions", "thickness"))
    present = width.quantity().value
    type_into(width, "2*gap")
    offered = f"gap = {500 * present:g} mm"
    assert width.reason == (
        f"gap is not a parameter of this project. Enter again creates {offered}."
    )
    assert "gap" not in window.studio.document.project.parameters, "the first only asks"
    QTest.keyClick(width.edit, Qt.Key.Key_Return)
    assert width.quantity().text == "2*gap" and width.reason == ""
    assert undo_label(window) == f"Create {offered}"
    edit.undo(window.studio)


def test_several_unknown_names_are_offered_one_after_the_other(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "p + q", key=None)
    QTest.keyClick(field.edit, Qt.Key.Key_Return, CONTROL)
    assert (
        field.requested.name == "q" and "p" in parameters(window) and field.edit.text() == "p + q"
    )
    QTest.keyClick(field.edit, Qt.Key.Key_Return, CONTROL)
    assert field.quantity().text == "p + q" and {"p", "q"} <= set(parameters(window))


def test_a_cell_of_the_table_offers_too(window, table):
    value = table.row("L1").numbers["value"]
    type_into(value, "base/2", key=None)
    assert table.row("L1").field_error.offered() == "Create base = 260 mm"
    click(table.row("L1").field_error.button)
    assert (
        parameters(window)["L1"].value.text == "base/2"
        and parameters(window)["base"].value.text == "260 mm"
    )


def test_a_law_offers_what_its_text_names(window):
    studio = window.studio
    project = studio.document.project
    drive = Drive("drive", "crank speed", "A", law=Law("expression", text="6 rad/s"))
    studio.document.commit("Drive", fields_put(project, drive))
    studio.selection.select("drive")
    text = window.docks.inspector.texts["drive", ("law",)]
    click(text.edit)
    text.edit.selectAll()
    QTest.keyClicks(text.edit, "w0")
    assert text._wrong.offered() == "Create w0 = 343.774677078 deg/s"
    click(text._wrong.button)
    assert (
        studio.document.project.mechanism.drives["drive"].law.text == "w0"
        and parameters(window)["w0"].dimension == "angular_velocity"
    )
    # Enter, then Space: it plays, and types no blank
    text = window.docks.inspector.texts["drive", ("law",)]
    click(text.edit)
    QTest.keyClick(text.edit, Qt.Key.Key_Return)
    before = text.edit.text()
    QTest.keyClick(text.edit, Qt.Key.Key_Space)
    assert studio.runs.playback.playing and text.edit.text() == before
    studio.runs.playback.pause()


def fields_put(project, drive):
    return msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, drives={"drive": drive})
    )


@pytest.mark.slow
def test_text_being_typed_survives_other_edits_and_a_theme_change(window, qapp):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "14", key=None)
    window.theme.set_choice("dark")
    settle(qapp)
    again = window.docks.inspector.number(LENGTH)
    assert (
        again.edit.text() == "14"
        and again.is_dirty
        and again.edit.hasFocus()
        and length_of(window).text == "L1"
    )
    window.studio.selection.hover("rocker")
    parameter_actions.set_parameter(window.studio, "L2", "340 mm", "L2")
    window.studio.preferences.set(units="inch-lbf")
    assert window.docks.inspector.number(LENGTH).edit.text() == "14"
    window.studio.preferences.set(units="mm-N-deg")
    QTest.keyClicks(again.edit, "5")
    QTest.keyClick(again.edit, Qt.Key.Key_Return)
    assert length_of(window).value == pytest.approx(0.145)


@pytest.mark.parametrize(
    ("text", "shown", "note"),
    [
        ("12", "12 mm", ""),
        ("1/2 in", "12.7 mm", "= 1/2 in"),
        ("3*25 mm", "75 mm", "= 3*25 mm"),
        ("2 in", "50.8 mm", "= 2 in"),
    ],
)
@pytest.mark.thinned(4)
def test_a_field_shows_the_value_in_the_project_unit_and_si_on_hover(window, text, shown, note):
    select(window, "crank")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    type_into(field, text)
    field.edit.clearFocus()
    assert (field.edit.text(), field._note.text()) == (shown, note)
    value = fields.read(
        fields.find(window.studio.document.project, "crank"), field.field.path
    ).value
    assert field.toolTip().startswith(f"{value:.9g} m in SI units")


def test_the_wheel_nudges_the_field_that_has_the_keys_only(window, qtbot):
    select(window, "crank")
    width, thickness = (
        window.docks.inspector.number(("shapes", 0, "dimensions", d))
        for d in ("width", "thickness")
    )
    click(width.edit)
    for field in (width, thickness):
        turn(field.edit, 120)
    turn(width.edit, -120, CONTROL)
    assert (width.edit.text(), thickness.edit.text()) == ("44.9 mm", "20 mm")
    qtbot.waitUntil(lambda: undo_label(window) == "Width of crank 44.9 mm")


def turn(widget, by, modifiers=Qt.KeyboardModifier.NoModifier):
    at = QtCore.QPointF(widget.rect().center())
    event = QtGui.QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QtCore.QPoint(),
        QtCore.QPoint(0, by),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QtWidgets.QApplication.sendEvent(widget, event)


def test_space_after_enter_plays_from_a_number_too(window):
    select(window, "crank")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    type_into(field, "45")
    QTest.keyClick(field.edit, Qt.Key.Key_Space)
    assert window.studio.runs.playback.playing and field.edit.text() == "45 mm"
    window.studio.runs.playback.pause()


# sliders


def test_the_ends_of_a_slider_are_shown_and_typed_by_a_double_click(window, qapp):
    controls = window.docks.controls
    low, high = controls.ends["L1"]
    assert (low.word.text(), high.word.text()) == ("60", "280")
    QTest.mouseDClick(high, Qt.MouseButton.LeftButton)
    QTest.keyClicks(high.number.edit, "180")
    QTest.keyClick(high.number.edit, Qt.Key.Key_Return)
    settle(qapp)
    assert (
        parameters(window)["L1"].maximum.text == "180 mm"
        and controls.ends["L1"][1].word.text() == "180"
    )
    assert controls.ends["L1"][1].number is None
    low = controls.ends["L1"][0]
    QTest.mouseDClick(low, Qt.MouseButton.LeftButton)
    QTest.keyClicks(low.number.edit, "200")
    assert low.number.reason == "The least value must lie below the largest."
    QTest.keyClick(low.number.edit, Qt.Key.Key_Escape)
    window.viewport.setFocus()
    settle(qapp)
    assert (
        controls.ends["L1"][0].number is None and parameters(window)["L1"].minimum.text == "60 mm"
    )


def test_a_slider_without_typed_ends_keeps_its_range_while_it_is_used(window, qapp):
    parameter_actions.add_parameter(window.studio)
    name = list(parameters(window))[-1]
    parameter_actions.set_slider(window.studio, name, True)
    controls = window.docks.controls
    assert [e.word.text() for e in controls.ends[name]] == ["0", "200"]
    slider = controls.sliders[name]
    slider.setValue(slider.value() + 20)
    assert [e.word.text() for e in controls.ends[name]] == ["0", "200"] and controls.sliders[
        name
    ].value() == slider.value()
    assert parameters(window)[name].value.text == "120 mm"
    parameter_actions.set_parameter(window.studio, name, "900 mm", "far")
    assert [e.word.text() for e in controls.ends[name]] == ["0", "1800"]


def test_a_number_that_follows_a_law_keeps_its_place(window, qapp):
    studio = window.studio
    project = studio.document.project
    servo = Force(
        "servo",
        "servo",
        "servo_torque",
        {"stiffness": Quantity(1.0), "damping": Quantity(1.0), "target": Quantity(0.5)},
        joint="A",
    )
    studio.document.commit(
        "Servo",
        msgspec.structs.replace(
            project, mechanism=msgspec.structs.replace(project.mechanism, forces={"servo": servo})
        ),
    )
    studio.selection.select("servo")
    settle(qapp)
    place = lambda: window.docks.inspector.parts(QtWidgets.QToolButton, "follow_damping")[0].mapTo(
        window, QtCore.QPoint(0, 0)
    )
    before = place()
    click(window.docks.inspector.parts(QtWidgets.QToolButton, "follow_damping")[0])
    settle(qapp)
    assert "damping" in studio.document.project.mechanism.forces["servo"].laws
    assert abs(place().y() - before.y()) <= 2, "the line that was clicked went elsewhere"
    click(window.docks.inspector.parts(QtWidgets.QToolButton, "follow_damping")[0])
    settle(qapp)
    assert place() == before


def test_a_speed_that_is_only_rounding_is_rest(window):
    size = window.studio.document.size
    assert unrounded(4e-18, "velocity", size) == 0.0 and unrounded(1e-6, "velocity", size) == 1e-6
    assert unrounded(-3e-14, "angle", size) == 0.0 and unrounded(1e-20, "mass", size) == 1e-20


@pytest.mark.parametrize("by", ["enter", "button"])
@pytest.mark.thinned(2)
def test_a_name_typed_while_drawing_is_offered_in_the_message(window, qapp, by):
    window.studio.files.new()
    settle(qapp)
    view = window.viewport
    press(window, Qt.Key.Key_L)
    middle = QtCore.QPoint(view.width() // 2, view.height() // 2)
    click(view, middle)
    for far in (60, 90):
        QTest.mouseMove(view, middle + QtCore.QPoint(far, 0))
    QTest.keyClicks(view, "=reach")
    QTest.keyClick(view, Qt.Key.Key_Return)
    settle(qapp)
    message = window.studio.notifications.messages[-1]
    assert (
        message.text.startswith(
            "reach is not a parameter of this project. Enter again creates reach = "
        )
        and not window.studio.document.has_bodies
    )
    if by == "enter":
        QTest.keyClick(view, Qt.Key.Key_Return)
    else:
        click(
            next(
                b
                for b in window.banners.shown[-1].findChildren(QtWidgets.QPushButton)
                if b.text().startswith("Create reach")
            )
        )
    settle(qapp)
    (body,) = window.studio.document.project.mechanism.bodies.values()
    assert body.shapes[0].dimensions["length"].text == "reach" and "reach" in parameters(window)
    assert (
        not any(m.key == "tool" for m in window.studio.notifications.messages)
        and window.studio.tools.tool.name == "link"
    )
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Escape)
