"""The curve of a joint in the inspector: its form, ends and points."""

import math

import pytest

from mechstudio.application.actions import edit
from mechstudio.application.resources import sample_folder
from mechstudio.engine.constraints.curves import curve_problem, curve_table
from mechstudio.view.idle_tasks import turns
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Section
from mechstudio.view.widgets.widgets import Segment
from tests.view.hands import click, type_into


def test_a_circle_becomes_a_spline_and_a_circle_again(empty, qtbot):
    studio = empty.studio
    studio.files.open(str(sample_folder() / "bead_on_circle.mech"))
    drawn = lambda: studio.document.project.mechanism.joints["wire"].curve
    studio.selection.select("wire")
    turns().finish()
    (section,) = (f for f in empty.docks.inspector.parts(Section) if f.title == "Curve")
    section.set_open(True)
    form = lambda: next(
        c for c in empty.docks.inspector.parts(Choice) if c.accessibleName() == "Form"
    )
    ends = lambda: [s for s in empty.docks.inspector.parts(Segment) if "open" in s._buttons]
    assert form().text() == "Circle" and not ends()
    first = drawn()
    form().choose("spline")
    turns().finish()
    assert drawn().form == "spline" and drawn().points == first.points
    click(ends()[0].button("open"))
    turns().finish()
    assert not drawn().closed
    form().choose("circle")
    turns().finish()
    assert drawn() == first and not ends() and not curve_problem(drawn())
    edit.undo(studio)
    turns().finish()
    assert drawn().form == "spline" and form().text() == "Spline"


def test_a_roller_is_typed_in_the_inspector(empty, qtbot):
    """The bead of a circle becomes the centre of a roller, outside and inside of the wire; one that
    does not fit makes no curve.
    """
    studio = empty.studio
    studio.files.open(str(sample_folder() / "bead_on_circle.mech"))
    joint = lambda: studio.document.project.mechanism.joints["wire"]
    studio.selection.select("wire")
    turns().finish()
    (section,) = (f for f in empty.docks.inspector.parts(Section) if f.title == "Curve")
    section.set_open(True)
    turns().finish()
    radius = curve_table(joint().curve).length
    for text, share in (("60 mm", 60.0), ("-60 mm", -60.0)):
        type_into(empty.docks.inspector.number(("curve", "offset")), text)
        turns().finish()
        further = curve_table(joint().curve).length - radius
        assert joint().curve.offset.text == text
        assert further == pytest.approx(2 * math.pi * share * 1e-3, rel=1e-9)
    type_into(empty.docks.inspector.number(("curve", "offset")), "-2 m")
    turns().finish()
    assert "too narrow for a roller" in curve_problem(joint().curve)
