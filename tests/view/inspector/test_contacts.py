"""Contacts in the window: one click for the floor, what the inspector sets, what the view shows
while a run is played, by real events.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.contact_display import APART, SLIDING, STICKING
from mechstudio.application.resources import sample_folder
from mechstudio.model import fields
from mechstudio.model.contact import ContactSample
from mechstudio.model.edits import contacts, elements
from mechstudio.model.project import Camera
from mechstudio.model.quantity import Quantity
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector.contacts.contact_table import ContactTable
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Section
from mechstudio.view.widgets.widgets import Segment
from tests.view.conftest import fresh, settle

LEFT = QtCore.Qt.MouseButton.LeftButton


def opened(window, name, qtbot):
    """A sample in the window."""
    window.studio.files.open(str(sample_folder() / f"{name}.mech"))
    qtbot.waitUntil(lambda: window.studio.questions.analysis is not None)
    turns().finish()
    return window.studio


def click(widget, x=None, y=None):
    at = QtCore.QPoint(round(x), round(y)) if x is not None else widget.rect().center()
    QtTest.QTest.mouseClick(widget, LEFT, QtCore.Qt.KeyboardModifier.NoModifier, at)
    turns().finish()


def recorded(window, rows, pairs, qtbot, since=0.0):
    """A run whose contacts are these at every time."""
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    studio.runs.recording.contacts.clear()
    studio.runs.recording.contacts.extend(
        [ContactSample(since, np.array(pairs, "<i4").tobytes(), np.array(rows, float).tobytes())]
    )
    studio.runs.playback.seek(1.0)
    turns().finish()


def row(point, force, slip, mu=0.5, pull=0.0):
    return (*point, 0.0, 0.0, 1.0, *force, 0.0, mu, slip, pull)


def near(window, point, role, reach=7):
    """True if the picture has the colour of a role close to a point of W."""
    window.viewport.painter.refine()
    image = window.viewport.grab().toImage()
    x, y = window.viewport.framing.world_to_pixel(np.array([point]))[0]
    ratio, requested = image.devicePixelRatio(), window.theme.color(role)
    for i in range(int((x - reach) * ratio), int((x + reach) * ratio)):
        for k in range(int((y - reach) * ratio), int((y + reach) * ratio)):
            c = image.pixelColor(i, k)
            if (
                abs(c.red() - requested.red())
                + abs(c.green() - requested.green())
                + abs(c.blue() - requested.blue())
                < 40
            ):
                return True
    return False


def test_floor_in_one_click_and_back_by_undo(empty):
    studio = empty.studio
    click(empty.strip.buttons["floor"])
    assert (
        studio.contact.has_floor
        and studio.contact.is_on
        and studio.selection.current == fields.CONTACTS
    )
    assert empty.strip.buttons["floor"].isChecked() and empty.viewport.shown.scene.solid_floor
    assert empty.docks.inspector.number(("floor", "height")) is not None
    empty.actions_.trigger("undo")
    turns().finish()
    assert (
        not studio.contact.has_floor
        and not studio.contact.is_on
        and not empty.strip.buttons["floor"].isChecked()
    )


def test_the_floor_comes_where_the_view_shows_it(empty, qtbot):
    opened(empty, "double_pendulum", qtbot)
    seen = empty.viewport.shown.scene.floor
    empty.actions_.trigger("floor")
    assert empty.studio.contact.contacts.floor.height.value == pytest.approx(
        seen, rel=1e-3, abs=1e-9
    ) and empty.viewport.shown.scene.floor == pytest.approx(seen, rel=1e-3, abs=1e-9)


def test_a_click_on_the_floor_selects_it_and_delete_takes_it_away(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    empty.viewport.framing.view_from("corner")
    settle(QtCore.QCoreApplication.instance())
    x, y = empty.viewport.framing.world_to_pixel(np.array([[0.1, -0.25, 0.0]]))[0]
    click(empty.viewport, x, y)
    assert studio.selection.selected == (fields.CONTACTS,)
    empty.actions_.trigger("delete")
    assert not studio.contact.has_floor and studio.contact.is_on
    click(empty.viewport, x, y)
    assert studio.selection.selected == ()


@pytest.mark.slow
def test_height_and_surface_of_the_floor_take_numbers_and_formulas(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    height = empty.docks.inspector.number(("floor", "height"))
    height.edit.setFocus()
    height.edit.selectAll()
    QtTest.QTest.keyClicks(height.edit, "-h/10")
    QtTest.QTest.keyClick(height.edit, QtCore.Qt.Key.Key_Return)
    turns().finish()
    assert (
        studio.contact.contacts.floor.height.text == "-h/10"
        and empty.viewport.shown.scene.floor == pytest.approx(-0.06)
    )
    choice = next(c for c in empty.docks.inspector.parts(Choice) if c.accessibleName() == "Surface")
    belt = empty.docks.inspector.number(("floor", "surface", "belt_speed"))
    belt.edit.setFocus()
    belt.edit.selectAll()
    QtTest.QTest.keyClicks(belt.edit, "200 mm/s")
    QtTest.QTest.keyClick(belt.edit, QtCore.Qt.Key.Key_Return)
    turns().finish()
    choice.choose("ice")
    surface = studio.contact.contacts.floor.surface
    assert surface.type == "ice" and surface.friction is None
    assert surface.belt_speed.value == 0.2, "how it runs is nothing of its material"


@pytest.mark.slow
def test_a_pair_is_switched_in_the_inspector_of_both(empty, qtbot):
    studio = opened(empty, "gripper", qtbot)
    m = lambda: studio.document.project.mechanism
    studio.selection.select("carriage", "ground")
    turns().finish()
    (switch,) = (s for s in empty.docks.inspector.parts(Segment) if s.property("pair"))
    assert "share joint rail" in " ".join(
        w.text() for w in empty.docks.inspector.parts(type(empty.docks.by_key["doctor"].note))
    )
    assert not contacts.touches(m(), "carriage", "ground")
    click(switch.button("1"))
    assert contacts.touches(m(), "carriage", "ground")
    edit.undo(studio)
    turns().finish()
    assert not contacts.touches(m(), "carriage", "ground")


@pytest.mark.slow
def test_settings_of_contacts_are_edits(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    studio.selection.select(fields.SETTINGS)
    turns().finish()
    section = next(
        f for f in empty.docks.inspector.parts(Section) if f.title == "How contacts are stepped"
    )
    section.set_open(True)
    next(c for c in section.findChildren(Choice) if c.accessibleName() == "Impacts").choose(
        "sequential"
    )
    assert (
        studio.document.project.settings.contacts.impacts == "sequential"
        and studio.document.undo_label == "Impacts of contacts One after the other"
    )


@pytest.mark.slow
def test_words_of_how_contacts_are_stepped_are_not_cut(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    section = next(
        f for f in empty.docks.inspector.parts(Section) if f.title == "How contacts are stepped"
    )
    section.set_open(True)
    settle(QtCore.QCoreApplication.instance())
    for choice in section.findChildren(Choice):
        for key in choice.keys():
            choice.choose(key)
            assert (
                choice.iconSize().width()
                + choice.fontMetrics().horizontalAdvance(choice.text())
                + 8
                <= choice.width() - 18
            ), choice.text()


def test_folds_that_a_test_opened_are_closed_for_the_next(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    for section in empty.docks.inspector.parts(Section):
        section.set_open(True)
    fresh(empty)
    studio.selection.select("dull")
    opened(empty, "bouncing_ball", qtbot).selection.select(fields.CONTACTS)
    turns().finish()
    assert not any(section.is_open for section in empty.docks.inspector.parts(Section))


@pytest.mark.slow
def test_the_iterations_that_a_solve_may_take_are_chosen(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    settings = studio.document.project.settings
    studio.document.commit(
        "By hand",
        elements.set_attribute(
            studio.document.project,
            fields.SETTINGS,
            contacts=elements.replace(settings.contacts, most=321),
        ),
    )
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    next(
        f for f in empty.docks.inspector.parts(Section) if f.title == "How contacts are stepped"
    ).set_open(True)
    (choice,) = (
        c for c in empty.docks.inspector.parts(Choice) if c.accessibleName() == "Iterations"
    )
    assert choice.text() == "321" and "321" in choice.keys()
    choice.choose("10000")
    assert studio.document.project.settings.contacts.most == 10_000
    edit.undo(studio)
    turns().finish()
    assert choice.text() == "321"


def test_a_word_with_too_little_room_ends_in_dots(theme, qtbot):
    narrow = Choice(
        theme, "Method", lambda: [("a", "Accelerated projected gradient", "")], lambda: "a", print
    )
    qtbot.addWidget(narrow)
    narrow.setFixedWidth(96)
    option = QtWidgets.QStyleOptionButton()
    narrow.initStyleOption(option)
    assert (
        option.text.startswith("Acc")
        and option.text.endswith("…")
        and narrow.text() == "Accelerated projected gradient"
    )


@pytest.mark.slow
def test_contacts_are_drawn_by_what_they_do_and_hidden_by_the_view_menu(empty, qtbot):
    opened(empty, "bouncing_ball", qtbot)
    empty.viewport.framing.camera = Camera((0.0, 0.0, 0.3), -90.0, 8.0, 2.9)
    stick, slide = (-0.15, 0.0, 0.3), (0.15, 0.0, 0.3)
    recorded(
        empty,
        [row(stick, (0.0, 0.0, 6.0), 0.0), row(slide, (-3.0, 0.0, 6.0), 0.3)],
        [(-1, 0), (-1, 1)],
        qtbot,
    )
    assert empty.studio.contact.instant_contacts.state.tolist() == [STICKING, SLIDING]
    assert (
        near(empty, slide, "velocity")
        and not near(empty, stick, "velocity")
        and near(empty, stick, "text")
    )
    assert near(empty, (-0.15, 0.0, 0.3), "vector", 25)
    empty.actions_.trigger("contact_marks")
    assert not near(empty, slide, "velocity") and not empty.studio.preferences.stored.contact_marks
    empty.actions_.trigger("contact_marks")
    assert near(empty, slide, "velocity")


@pytest.mark.slow
def test_arrow_of_a_pulling_contact_points_into_the_holding_body(empty, qtbot):
    opened(empty, "bouncing_ball", qtbot)
    empty.viewport.framing.camera = Camera((0.0, 0.0, 0.3), -90.0, 8.0, 2.9)
    held = (0.0, 0.0, 0.3)
    recorded(empty, [row(held, (0.0, 0.0, -6.0), 0.0, pull=7.5)], [(-1, 0)], qtbot)
    contacts = empty.studio.contact.instant_contacts
    assert contacts.state.tolist() == [STICKING] and contacts.pressing.tolist() == [-6.0]
    below, above = (0.0, 0.0, 0.2), (0.0, 0.0, 0.4)
    assert near(empty, below, "vector", 10) and not near(empty, above, "vector", 10)
    empty.studio.selection.select(fields.CONTACTS)
    turns().finish()
    (table,) = empty.docks.inspector.parts(ContactTable)
    assert "N −6 N" in table.lines()[0][2]
    pull = empty.docks.inspector.number(("floor", "surface", "adhesion"))
    pull.edit.setFocus()
    pull.edit.selectAll()
    QtTest.QTest.keyClicks(pull.edit, "2.5 N")
    QtTest.QTest.keyClick(pull.edit, QtCore.Qt.Key.Key_Return)
    turns().finish()
    assert empty.studio.contact.contacts.floor.surface.number("adhesion") == 2.5


def test_forces_are_seen_on_what_stands_on_the_ground(empty, qtbot):
    opened(empty, "bouncing_ball", qtbot)
    recorded(
        empty,
        [
            (*(0.0, 0.0, 0.0), 0.0, 0.0, -1.0, 0.0, 0.0, -5.0, 0.0, 0.5, 0.0, 0.0),
            row((0, 0, 0), (0.0, 0.0, 0.0), 0.0),
        ],
        [(0, -1), (-1, 1)],
        qtbot,
    )
    touch = empty.studio.contact.instant_contacts
    assert (
        touch.bodies.tolist() == [[-1, 0], [-1, 1]]
        and touch.pressing.tolist() == [5.0, 0.0]
        and touch.force[0, 2] == 5.0
    )
    assert touch.state.tolist() == [STICKING, APART]


def test_the_table_says_what_touches_at_the_cursor(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    recorded(
        empty,
        [row((0, 0, 0), (0.0, 0.0, 4.0), 0.0), row((0, 0, 0), (-3.0, 0.0, 6.0), 0.25)],
        [(-1, 0), (-1, 2)],
        qtbot,
    )
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    (table,) = empty.docks.inspector.parts(ContactTable)
    lines = table.lines()
    assert [(pair, how) for pair, how, _, _ in lines] == [
        ("dull on floor", "slides"),
        ("lively on floor", "sticks"),
    ]
    assert "N 6 N" in lines[0][2] and "T 3 N" in lines[0][2] and "slip 250 mm/s" in lines[0][3]


def test_the_table_says_what_rests(empty, qtbot):
    """A body that the run leaves alone (Rests after) stands still to the last digit; without that
    setting, or while it moves, it sticks.
    """
    studio = opened(empty, "bouncing_ball", qtbot)
    studio.selection.select(fields.CONTACTS)
    for after, turning, word in ((0.0, 0.0, "sticks"), (0.5, 1e-12, "sticks"), (0.5, 0.0, "rests")):
        studio.document.change(
            "Rests",
            lambda p, after=after: elements.replace(
                p,
                settings=elements.replace(
                    p.settings,
                    contacts=elements.replace(p.settings.contacts, sleep=Quantity(after)),
                ),
            ),
        )
        recorded(empty, [row((0, 0, 0), (0.0, 0.0, 4.0), 0.0)], [(-1, 0)], qtbot, 0.5)
        velocities = studio.runs.recording.rows[:, studio.runs.recording.layout.velocities]
        velocities[:] = 1.0
        velocities[:, :6] = (*np.zeros(5), turning)
        (table,) = empty.docks.inspector.parts(ContactTable)
        assert [how for _, how, _, _ in table.lines()] == [word], (after, turning)


@pytest.mark.slow
def test_playing_makes_no_widgets(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    recorded(empty, [row((0, 0, 0), (0.0, 0.0, 4.0), 0.0)], [(-1, 0)], qtbot)
    studio.selection.select(fields.CONTACTS)
    # the run opens panels, whose movements are objects too
    qtbot.waitUntil(lambda: not empty.docks.is_growing)
    settle(QtCore.QCoreApplication.instance())
    before = len(empty.findChildren(QtCore.QObject))
    for k in range(20):
        studio.runs.playback.seek(0.1 * k)
        QtCore.QCoreApplication.processEvents()
    assert len(empty.findChildren(QtCore.QObject)) == before
