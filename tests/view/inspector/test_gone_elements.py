"""Fields and sliders whose element is gone, is another kind of thing in the next document, or has a
number beyond all ends.
"""

from types import SimpleNamespace

import msgspec
import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.application.actions import free_body
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.view.inspector.elements.coordinate import CoordinateLine
from mechstudio.view.widgets.fields.number_field import NumberField

Qt = QtCore.Qt


def parameter(name, value):
    return Parameter(
        name, Quantity(value), "angular_velocity", Quantity(0.0), Quantity(10.0), slider=True
    )


@pytest.mark.parametrize("value", [1e12, -1e300, 1e308])
@pytest.mark.thinned(3)
def test_a_slider_far_beyond_its_ends_stands_at_one(window, value):
    project = window.studio.document.project
    window.studio.document.load(
        msgspec.structs.replace(
            project, parameters={**project.parameters, "omega": parameter("omega", value)}
        ),
        None,
    )
    slider = window.docks.controls.sliders["omega"]
    assert slider.value() == (slider.maximum() if value > 0 else 0)
    # the rest of the window shows the same document
    assert (
        window.studio.document.project.parameters["omega"].value.value == value
        and "omega" in window.docks.controls.sliders
    )


@pytest.mark.parametrize("follows", ["nothing", "a joint of its name"])
@pytest.mark.thinned(2)
def test_a_field_of_what_is_gone_does_nothing(window, follows):
    studio = window.studio
    studio.document.load(
        msgspec.structs.replace(Project(), parameters={"A": parameter("A", 1.0)}), None
    )
    field = next(
        f
        for f in fields.fields(studio.document.project.parameters["A"], "A")
        if f.path == ("minimum",)
    )
    number = NumberField(window.docks.inspector._theme, studio, "A", field)
    number.show()
    try:
        # in the four-bar A is a joint, which has no least value
        studio.document.load(
            load(sample_folder() / "four_bar.mech").project if follows != "nothing" else Project(),
            None,
        )
        before = studio.document.project
        number.refresh()
        number.edit.setText("3")
        number.edit.setModified(True)
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Escape):
            QTest.keyClick(number.edit, key)
        QTest.keyClicks(number.edit, "2*x")
        number.take_offer()
        number.leave()
        number.begin()
        assert studio.document.project is before
    finally:
        number.deleteLater()


def test_nothing_that_is_gone_is_selected(window):
    """Things made before an edit may still ask for it: a row, a formula, a message's button."""
    studio = window.studio
    studio.document.load(load(sample_folder() / "four_bar.mech").project, None)
    studio.selection.select("crank", "nobody")
    assert studio.selection.selected == ("crank",)
    studio.selection.toggle("nobody")
    assert studio.selection.selected == ("crank",)


def test_a_body_that_is_deleted_while_its_forces_are_looked_for_is_put_back(window, qtbot):
    studio = window.studio
    studio.document.load(load(sample_folder() / "four_bar.mech").project, None)
    free_body.cut_free(studio, "coupler")
    qtbot.waitUntil(lambda: studio.free_body.is_busy)
    studio.document.commit("Delete", elements.remove(studio.document.project, "coupler"))
    assert not studio.free_body.is_open and not studio.free_body.is_busy
    studio.document.undo()


def test_a_coordinate_without_its_joint_requests_nothing(window):
    studio = window.studio
    studio.document.load(load(sample_folder() / "four_bar.mech").project, None)
    line = CoordinateLine(
        SimpleNamespace(theme=window.theme, studio=studio, leaf=SimpleNamespace(id="A")), 0
    )
    try:
        assert line.stands()
        for other in (
            elements.set_attribute(studio.document.project, "A", type="fixed"),
            elements.remove(studio.document.project, "A"),
        ):
            studio.document.commit("Change", other)
            assert not line.stands()
            line.number.begin()
            line.number.leave()
            line.refresh()
    finally:
        line.deleteLater()
