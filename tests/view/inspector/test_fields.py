"""The inspector's fields under real mouse and key events."""

import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.model.edits.elements import set_attribute
from mechstudio.model.edits.links import FRONT, add_link
from mechstudio.model.fields import SETTINGS, fields
from mechstudio.model.project import Project
from mechstudio.view.inspector.runs.settings import applies
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.number_field import NumberField
from tests.view.hands import LENGTH, click, length_of, press, select, type_into

Qt = QtCore.Qt


@pytest.mark.slow
def test_a_typed_length_is_one_undo_step(window, qtbot):
    select(window, "rocker")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    type_into(field, "50 mm")
    document = window.studio.document
    assert document.undo_label == "Width of rocker 50 mm"
    assert document.project.mechanism.bodies["rocker"].shapes[0].dimensions[
        "width"
    ].value == pytest.approx(0.05)
    assert window.isWindowModified() and window.top.modified.isVisible()
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    # the field follows, since what was typed has been taken
    qtbot.waitUntil(lambda: field.edit.text() == "44 mm")
    assert document.project.mechanism.bodies["rocker"].shapes[0].dimensions["width"].text == "44 mm"
    assert not document.is_modified


def test_a_bare_number_gets_the_unit_of_the_project(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "120")
    # the accepted value is that of the field, and typing has ended
    assert not field.is_dirty and field.edit.text() == "120 mm"
    assert (length_of(window).text, length_of(window).value) == ("120 mm", pytest.approx(0.12))


def test_a_formula_shows_its_value_and_where_it_comes_from(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    assert field.edit.text() == "130 mm" and field._note.text() == "= L1"
    click(field.edit)
    assert field.edit.text() == "L1"


def test_a_number_is_never_cut_to_another_one(window, theme, qtbot):
    studio = window.studio
    m = studio.document.project.mechanism
    rate = next(f for f in fields(m.joints["A"], "A", m) if f.path[0] == "rates")
    panel = QtWidgets.QWidget(window)  # which does not ask how wide a field would be
    qtbot.addWidget(panel)
    field = NumberField(theme, studio, "A", rate)
    field.setParent(panel)
    panel.resize(200, 40)
    panel.show()
    wide = field.edit.fontMetrics().horizontalAdvance
    shown = {}
    for width in range(160, 40, -2):
        field.resize(width, 26)
        text = field.edit.text()
        assert wide(text) <= field._frame.width() - 2 * 8, (width, text)
        shown[text] = width
    # 6 rad/s in degrees: all digits, fewer of them, and then it is seen that something is cut
    whole, fewer, *cut = shown
    assert (whole, fewer) == ("343.775 deg/s", "343.8 deg/s")
    assert cut and all(text.endswith("…") for text in cut)
    # typing begins with all of it, and what was cut is no edit
    click(field.edit)
    assert field.edit.text() == "omega"
    field.edit.clearFocus()
    assert field.edit.text().endswith("…") and not field.is_dirty
    field.resize(160, 26)
    assert field.edit.text() == whole


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("90 deg", "angle"),
        ("12 +", ""),
        ("nothing", "nothing"),
        ("-3 mm", "larger than zero"),
        ("", "needs a number"),
    ],
)
@pytest.mark.thinned(3)
def test_invalid_text_is_red_with_the_reason_and_changes_nothing(window, text, word):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    before = window.studio.document.project
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClick(field.edit, Qt.Key.Key_Backspace)
    QTest.keyClicks(field.edit, text)
    assert field.reason and word in field.reason.lower()
    assert field._frame.property("wrong") is True
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.studio.document.project is before
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.edit.text() == "L1" and not field.reason


def test_leaving_an_unreadable_field_restores_it(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "1/0", None)
    window.viewport.setFocus()
    assert field.edit.text() == "130 mm" and not field.reason


def test_arrows_nudge_the_second_digit_and_make_one_step(window, qtbot):
    select(window, "crank")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    click(field.edit)
    for _ in range(3):
        QTest.keyClick(field.edit, Qt.Key.Key_Up)
    QTest.keyClick(field.edit, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field.edit, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert field.edit.text() == "56.9 mm"
    qtbot.waitUntil(lambda: window.studio.document.undo_label == "Width of crank 56.9 mm")
    assert window.studio.document.history[1] == 1


@pytest.mark.parametrize(
    ("units", "shown"), [("mm-N-deg", ["1 mm", "1 deg"]), ("m-N-rad", ["0.001 m", "0.01 rad"])]
)
@pytest.mark.thinned(2)
def test_a_zero_is_nudged_by_what_suits_the_drawing(window, units, shown):
    """A link of 200 mm goes neither a metre nor a radian with one notch."""
    studio = window.studio
    project, _ = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    studio.preferences.set(units=units)
    studio.files.show(project, None, None)
    studio.selection.select("link_1")
    found = []
    for path in (("placement", "position", 1), ("placement", "orientation", 0)):
        field = window.docks.inspector.number(path)
        QTest.keyClick(field.edit, Qt.Key.Key_Up)
        found.append(field.edit.text())
    assert found == shown


def test_a_formula_is_not_nudged(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    click(field.edit)
    QTest.keyClick(field.edit, Qt.Key.Key_Up)
    assert field.edit.text() == "L1" and field.reason == ""
    assert (
        field._wrong.text() == "A formula stays as it is: type a number to replace it"
        and field._wrong.isVisibleTo(field)
    )


def test_mass_comes_from_shapes_until_it_is_typed_and_again_when_it_is_cleared(window):
    select(window, "crank")
    field = window.docks.inspector.number(("mass",))
    assert field._note.text() == "auto"
    type_into(field, "2 kg")
    assert window.studio.document.project.mechanism.bodies["crank"].mass.text == "2 kg"
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClick(field.edit, Qt.Key.Key_Delete)
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.studio.document.project.mechanism.bodies["crank"].mass is None


@pytest.mark.slow
def test_every_number_of_every_element_has_a_field(window):
    from mechstudio.model.fields import elements, fields

    for id, element in elements(window.studio.document.project):
        window.studio.selection.select(id)
        for f in fields(element, id):
            assert (id == SETTINGS and not applies(element, f)) or window.docks.inspector.number(
                f.path
            ).field == f
    # numbers of the run that only some methods need come with these
    document = window.studio.document
    window.studio.selection.select(SETTINGS)
    for change, names in (
        ({"drift": "baumgarte"}, {"alpha", "beta", "tolerance"}),
        ({"drift": "none", "integrator": "generalized_alpha"}, {"spectral_radius"}),
    ):
        document.commit("Another method", set_attribute(document.project, SETTINGS, **change))
        assert {n.field.path[0] for n in window.docks.inspector.numbers} == {
            "duration",
            "sample_step",
            "step",
            *names,
        }


def test_renaming_and_colouring_a_body_keep_its_run(window, qtbot):
    window.studio.runs.play()
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    select(window, "crank")
    name = window.docks.inspector.parts(QtWidgets.QLineEdit)[0]
    click(name)
    name.selectAll()
    QTest.keyClicks(name, "handle")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert window.studio.document.undo_label == "Rename crank to handle"
    assert window.studio.runs.recording is not None
    assert window.docks.tree.findItems("handle", Qt.MatchFlag.MatchRecursive)


def test_the_integrator_is_chosen_by_words(window):
    window.studio.selection.select(SETTINGS)
    choice = next(c for c in window.docks.inspector.parts(Choice) if c.accessibleName() == "Method")
    assert choice.text() == "DOP853" and len(choice.keys()) == 6
    choice.choose("rk4")
    assert window.studio.document.project.settings.integrator == "rk4" and choice.text() == "RK4"
    assert window.studio.document.undo_label == "Method RK4"


def test_the_lesson_stands_where_nothing_is_selected(window):
    texts = [w.text() for w in window.docks.inspector.parts(QtWidgets.QLabel)]
    lesson = window.studio.document.project.lesson
    assert lesson.text in texts and all(q in texts for q in lesson.questions)
