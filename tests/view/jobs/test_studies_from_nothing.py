"""A fit, a search and a motor from an empty drawing, by mouse and keys alone: the mechanism is
drawn, the page is opened, filled, run, read and applied, and the result is taken home in a file.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.studies.changes import with_numbers
from mechstudio.curves.tables import Column, text
from mechstudio.files.project_file import load
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.view.dialogs.sheet import Sheet
from tests.view.files import kept, named
from tests.view.hands import click, click_in_tree, press, type_into
from tests.view.jobs.counting import hand
from tests.view.study_hand import bound, measure, open_study, pick, run, search

__all__ = ["hand"]

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier
LENGTH = ("shapes", 0, "dimensions", "length")
DAMPING = ("parameters", "damping")


def draw_arm(hand):
    """Draw a link of 200 mm on a pin of the ground."""
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("200,0⏎⏎␛")


def parameter(hand, id, path, name):
    """Make a number of an element a parameter: its name is typed, the button below makes it."""
    click_in_tree(hand.window, id)
    hand.qtbot.wait(20)
    field = hand.window.docks.inspector.number(path)
    type_into(field, name, key=None)
    click(field._wrong.button)
    assert name in hand.studio.document.project.parameters
    hand.view.setFocus()


def taken_home(hand, path):
    """The window's drawing in a file, as Python reads it."""
    QTest.keyClick(hand.window.focusWidget() or hand.window, Qt.Key.Key_Escape)
    hand.qtbot.waitUntil(lambda: not hand.window.shows_study, timeout=5000)
    hand.view.setFocus()
    kept(hand.window, hand.qtbot, path)
    return load(path).project


@pytest.mark.slow
def test_a_pendulum_is_drawn_and_its_damping_fitted(hand, tmp_path):
    """The recording is that of the same pendulum with another damping."""
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    draw_arm(hand)
    hand.palette("torsion damper")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    (damper,) = hand.mechanism.forces
    parameter(hand, damper, DAMPING, "c")
    drawn, truth = studio.document.project, 0.004
    (joint,) = drawn.mechanism.joints.values()
    times, values = recorded(drawn, {"c": truth}, f"{joint.name} angle")
    path = tmp_path / "recording.csv"
    columns = [Column("t", "s", times), Column("phi", "deg", np.degrees(values))]
    path.write_text(text(columns), encoding="utf-8")
    page = open_study(window, qtbot)
    bound(page, qtbot, "c", "0 N·m·s/rad", "0.05 N·m·s/rad")
    click(page.setup.way.button("fit"))
    qtbot.wait(20)
    click(page.setup.data.choose)
    named(window, qtbot, path)
    qtbot.waitUntil(lambda: page.setup.data.sheet is not None)
    sheet = page.setup.data.sheet
    qtbot.waitUntil(lambda: bool(sheet.choices))
    qtbot.wait(50)
    pick(qtbot, sheet.choices[1], f"{joint.name} angle")
    click(sheet.lay)
    qtbot.waitUntil(lambda: not window.findChildren(Sheet))
    qtbot.wait(20)
    click(page.progress.run)
    found = studio.studies.of(page.shown.id)
    qtbot.waitUntil(lambda: not found.is_working, timeout=120_000)
    (estimate,) = found.fit.estimates
    assert abs(estimate.value - truth) < 3.0 * estimate.deviation < 0.01 * truth
    click(page.fit_result.apply)
    home = taken_home(hand, tmp_path / "pendulum.mech")
    assert home.parameters["c"].value.value == pytest.approx(estimate.value, rel=1e-12)
    assert home.studies == studio.document.project.studies


def recorded(project, numbers, quantity):
    """Instants [s] and values of a quantity of a project with other numbers of parameters."""
    project = with_numbers(project, numbers, DEFAULT_SYSTEM)
    (course,) = ms.simulate(project, duration=2.0, sample_step=0.02).courses(quantity)
    rng = np.random.default_rng(0)
    return course.times, course.values + math.radians(0.1) * rng.normal(size=len(course.times))


@pytest.mark.slow
def test_a_four_bar_is_drawn_and_its_swing_searched(hand, tmp_path):
    """The rocker's length for a swing of 60 deg, against the law of cosines at both ends."""
    window, qtbot = hand.window, hand.qtbot
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("110,70⏎300,10⏎")
    hand.click((0.3, 0, 0))
    hand.type("⏎␛")
    *_, rocker = hand.mechanism.bodies
    hand.type("m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    assert len(hand.mechanism.drives) == 1
    parameter(hand, rocker, LENGTH, "c")
    last = [j.name for j in hand.mechanism.joints.values()][-1]
    page = open_study(window, qtbot)
    bound(page, qtbot, "c", "150 mm", "300 mm")
    measure(page, qtbot, f"{last} angle")
    search(page, qtbot, "60 deg", "1.1 s", "2 ms")
    table = run(window, qtbot)
    click(page.chosen_row.apply)
    home = taken_home(hand, tmp_path / "best.mech")
    a, b, d = 0.11, 0.3, 0.3
    c = home.parameters["c"].value.value
    assert c == pytest.approx(table.varied[page.shown.best, 0], rel=1e-12)
    angle = lambda diagonal: math.acos((c * c + d * d - diagonal**2) / (2 * c * d))
    assert math.degrees(angle(a + b) - angle(b - a)) == pytest.approx(60.0, abs=1e-2)
    # the report of it has the study: its runs, its best row and a picture
    reported = report(hand, tmp_path)
    assert "<h2>Studies</h2>" in reported
    assert f">{table.done}<" in reported and f"c = {1e3 * c:.4g} mm" in reported
    assert "range of D angle = 60 deg" in reported
    chapter = reported.split("<h2>Studies</h2>")[1]
    assert chapter.count('alt="Study 1: range of D angle"') == 1


def report(hand, folder):
    """The report as a page of HTML, by the page of exports."""
    window, qtbot = hand.window, hand.qtbot
    both = CTRL | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window.viewport, Qt.Key.Key_E, both)
    qtbot.waitUntil(lambda: window.exports is not None)
    sheet = window.exports
    sheet._folder = folder
    click(sheet.rows["report"])
    click(sheet.page.segment.button("report-html"))
    qtbot.waitUntil(lambda: sheet.saver.isEnabled())
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.path.exists() and sheet.opener.isVisible(), timeout=120_000)
    found = sheet.path.read_text("utf-8")
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    return found


@pytest.mark.slow
def test_a_hoist_is_drawn_and_its_motor_chosen(hand, tmp_path):
    """The load of an arm that turns at a constant speed is m g r cos(angle) at the pin."""
    window, studio, qtbot = hand.window, hand.studio, hand.qtbot
    draw_arm(hand)
    hand.type("m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    before = studio.document.project
    hand.palette("motor and gear")
    sizing = window.docks.sizing
    qtbot.waitUntil(sizing.isVisible, timeout=10_000)
    pick(qtbot, sizing.kind, "Motor and gear")
    click(sizing.button)
    requested = studio.questions.sizing
    qtbot.waitUntil(lambda: requested.state in ("ready", "failed"), timeout=240_000)
    assert requested.state == "ready", requested.sentence
    (body,) = hand.mechanism.bodies.values()
    mass = mass_properties(body)
    weight = mass.mass * 9.81 * math.hypot(*mass.center)
    assert requested.result.figure("torque_peak").value == pytest.approx(weight, rel=1e-3)
    assert requested.result.figure("torque_rms").value == pytest.approx(weight / 2**0.5, rel=1e-3)

    click(sizing.apply_button)
    home = taken_home(hand, tmp_path / "arm.mech")
    assert home != before and len(home.mechanism.bodies) == 1
    # the run goes on with it
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
