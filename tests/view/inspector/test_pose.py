"""A body's place typed in other coordinates."""

import math

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.application.actions import edit as edit_actions
from mechstudio.view.widgets.form import Section

Qt = QtCore.Qt


@pytest.fixture
def section(window, qtbot):
    window.studio.selection.select("coupler")
    opened = next(
        f for f in window.docks.inspector.parts(Section) if f._title == "Other coordinates"
    )
    opened.set_open(True)
    return opened.body


def typed(section, name, text):
    edit = next(t.edit for t in section.numbers if t.edit.accessibleName() == name)
    edit.setFocus()
    edit.selectAll()
    QtTest.QTest.keyClicks(edit, text)
    QtTest.QTest.keyClick(edit, Qt.Key.Key_Return)


def pose(window):
    return window.studio.document.project.mechanism.bodies["coupler"].placement.pose


def test_a_radius_is_typed_and_undone(window, section):
    (x, y, z), attitude = before = pose(window)
    typed(section, "Radius", "250")
    (X, Y, Z), after = pose(window)
    assert (
        math.hypot(X, Y) == pytest.approx(0.25)
        and pytest.approx(z) == Z
        and after == pytest.approx(attitude)
    )
    # the direction stays
    assert math.atan2(Y, X) == pytest.approx(math.atan2(y, x))
    edit_actions.undo(window.studio)
    assert pose(window) == before


def test_radius_of_another_dimension_is_refused_with_the_reason(window, section):
    before = pose(window)
    typed(section, "Radius", "30 deg")
    assert pose(window) == before
    field = next(n for n in section.numbers if n.edit.accessibleName() == "Radius")
    assert field.reason == "Length expected, got angle"


def test_gimbal_lock_is_shown_and_the_quaternion_carries_on(window, section, qtbot):
    typed(section, "θ about Y", "90")
    assert (
        section._lock.text()
        == "Gimbal lock: ψ and φ turn about the same axis; the quaternion carries on."
        and section._lock.isVisibleTo(section)
    )
    section._choose("attitude", "quaternion")
    qtbot.waitUntil(
        lambda: [t.edit.accessibleName() for t in section.numbers][3:] == ["e₀", "e₁", "e₂", "e₃"]
    )
    assert not section._lock.isVisibleTo(section)
    assert [float(t.edit.text()) for t in section.numbers[3:]] == pytest.approx(
        [math.sqrt(0.5), 0, math.sqrt(0.5), 0], abs=1e-5
    )


def test_a_field_of_a_form_that_was_just_put_away_still_reads(window, section, qtbot):
    """The fields of a choice come a moment later; a click meanwhile may reach the last field of the
    four of a quaternion.
    """
    section._choose("attitude", "quaternion")
    qtbot.waitUntil(lambda: len(section.numbers) == 7)
    last = section.numbers[-1]
    shown = last.edit.text()
    section._choose("attitude", "ZYX")
    last.begin()
    last.leave()
    assert last.edit.text() == shown
    qtbot.waitUntil(lambda: len(section.numbers) == 6)
