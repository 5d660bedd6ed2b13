"""Reports of a run with contacts in the window: impacts in the list and in the time bar, the
verdict on energy, and surfaces of pairs and bodies that touch nothing.
"""

import msgspec
import numpy as np
import pytest
from PySide6 import QtWidgets

from mechstudio.application.actions import edit
from mechstudio.model import fields
from mechstudio.model.edits import contacts, elements
from mechstudio.model.mechanism import GROUND
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.events import ImpactEvent
from mechstudio.model.results.sample import DRIVE_WORK, sample_layout
from mechstudio.view.bars.status_line import compared_with, errors
from mechstudio.view.idle_tasks import turns
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Section
from mechstudio.view.widgets.widgets import Segment
from tests.view.inspector.test_contacts import click, opened


def ran(window, qtbot, events=()):
    """A run with these impacts, its track painted."""
    studio = window.studio
    studio.runs.simulate()
    # on a fresh machine the kernels of contacts are compiled first
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=300_000,
    )
    studio.runs.recording.events += events
    studio.runs.playback.seek(0.1)
    turns().finish()


def test_impacts_are_listed_and_marked_in_the_time_bar(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    ball = next(iter(studio.document.project.mechanism.bodies))
    track = empty.findChild(QtWidgets.QFrame, "time").track
    ran(empty, qtbot)
    foot = lambda: [
        track.grab()
        .toImage()
        .pixelColor(round(track.x_of(t)), track.height() // 2 + empty.theme.dp(22) // 2 - 2)
        .name()
        for t in (0.52, 0.86)
    ]
    bare = foot()
    studio.runs.recording.events.append(ImpactEvent(0.52, ball, GROUND, 3.9, 2.8, 1.1, 3.3))
    studio.runs.playback.seek(0.2)
    turns().finish()
    marked = foot()
    assert marked[0] != bare[0] and marked[1] == bare[1]
    studio.selection.select()
    turns().finish()
    name = studio.document.project.mechanism.bodies[ball].name
    (line,) = (
        b
        for b in empty.docks.inspector.parts(QtWidgets.QPushButton)
        if b.text().startswith("0.52 s")
    )
    assert line.text() == f"0.52 s  {name} – floor, 2800 mm/s" and "3.3 J lost" in line.toolTip()
    line.click()
    assert studio.runs.playback.time == 0.52 and studio.runs.impacted == frozenset()


def shown(recording):
    return recording.layout, np.abs(recording.rows).max(axis=0)


def test_energy_is_compared_with_the_work_that_was_done(empty, qtbot):
    """A drive that does a hundred times the kinetic energy makes an error of a hundredth of that a
    small one.
    """
    studio = opened(empty, "bouncing_ball", qtbot)

    class Shown:
        layout = sample_layout(studio.document.project.mechanism)
        rows = np.zeros((2, layout.width))

    energy, contact = Shown.layout.energy.start, Shown.layout.contact.start
    Shown.rows[1, [energy, energy + 3]] = 2.0, 0.02
    assert errors(*shown(Shown))[1] == pytest.approx(0.01)
    Shown.rows[1, contact + DRIVE_WORK] = -200.0
    assert errors(*shown(Shown))[1] == pytest.approx(1e-4)
    assert compared_with(*shown(Shown)) == "the largest kinetic energy or work"


def test_energy_error_at_rest_is_relative_to_the_potential_energy(window):
    """A structure at rest: 1e-9 J of imbalance beside 5 J of potential energy and 1e-20 J of
    kinetic energy, which is rounding.
    """

    class Shown:
        layout = sample_layout(window.studio.document.project.mechanism)
        rows = np.zeros((2, layout.width))

    energy = Shown.layout.energy
    Shown.rows[1, energy] = 1e-20, -5.0, 0.0, 1e-9
    assert (
        errors(*shown(Shown))[1] == pytest.approx(2e-10)
        and compared_with(*shown(Shown)) == "the largest potential energy"
    )
    Shown.rows[1, energy] = 2.0, -5.0, 0.0, 1e-9
    assert (
        errors(*shown(Shown))[1] == pytest.approx(5e-10)
        and compared_with(*shown(Shown)) == "the largest kinetic energy"
    )
    Shown.rows[1, energy] = 0.0
    assert errors(*shown(Shown))[1] is None


def test_a_pair_gets_a_surface_of_its_own_and_numbers_over_it(empty, qtbot):
    studio = opened(empty, "gripper", qtbot)
    m = lambda: studio.document.project.mechanism
    a, b = list(m().bodies)[:2]
    studio.selection.select(a, b)
    turns().finish()
    (choice,) = (
        c
        for c in empty.docks.inspector.parts(Choice)
        if c.accessibleName() == "Surface of the pair"
    )
    assert choice.text() == "By their own surfaces"
    before = contacts.touches(m(), a, b)
    choice.choose("ice")
    assert contacts.pair_surface(m(), a, b).type == "ice" and contacts.touches(m(), a, b) == before
    studio.selection.select(fields.CONTACTS)
    turns().finish()
    section = next(
        f
        for f in empty.docks.inspector.parts(Section)
        if f.title == f"{m().body(a).name} – {m().body(b).name}"
    )
    section.set_open(True)
    turns().finish()
    number = next(
        f for f in fields.fields(m().contacts) if f.path[0] == "pairs" and f.path[-1] == "friction"
    )
    shown = empty.docks.inspector.number(number.path)
    # what is not typed is that of the pair's preset, not of the floor's
    assert shown.edit.text() == "0.03" and shown.toolTip().endswith("\nice")
    edit.undo(studio)
    turns().finish()
    assert contacts.pair_surface(m(), a, b) is None


def test_a_body_passes_through_everything(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    ball = next(iter(studio.document.project.mechanism.bodies))
    studio.selection.select(ball)
    turns().finish()
    section = next(f for f in empty.docks.inspector.parts(Section) if f.title == "Contact")
    section.set_open(True)
    turns().finish()
    switch = next(
        s for s in section.findChildren(Segment) if "passes through everything" in s.toolTip()
    )
    click(switch.button("0"))
    assert (
        not studio.document.project.mechanism.bodies[ball].touches
        and "passes through everything" in studio.document.undo_label
    )


def test_steps_above_the_tolerance_are_reported(solved, qtbot):
    studio = opened(solved, "stack_of_boxes", qtbot)
    settings = studio.document.project.settings
    settings = msgspec.structs.replace(
        settings,
        duration=Quantity(0.1),
        contacts=msgspec.structs.replace(settings.contacts, tolerance=Quantity(1e-9), most=1),
    )
    studio.document.commit("Hasty", elements.replace(studio.document.project, settings=settings))
    ran(solved, qtbot)
    said = lambda: [
        label.text()
        for label in solved.findChildren(QtWidgets.QLabel)
        if label.isVisible() and "above the tolerance of contacts" in label.text()
    ]
    # the message comes in a turn of its own
    qtbot.waitUntil(lambda: bool(said()))
    assert "Allow more than 1 iterations" in said()[0]
