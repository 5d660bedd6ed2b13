"""Mechanisms drawn from an empty window with real mouse and keys, run by the real solver and held
against closed forms.
"""

import math

import msgspec
import numpy as np
import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.model.edits import laws
from mechstudio.model.edits.elements import add_parameter, set_quantity
from mechstudio.model.edits.insertion import add_limit
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.quantity import Parameter, Quantity, vector
from mechstudio.model.results.events import StopEvent
from mechstudio.protocol.solver_messages import PoseFound
from mechstudio.view.inspector.elements.coordinate import CoordinateLine
from mechstudio.view.inspector.laws.editor import LawText
from mechstudio.view.inspector.laws.law_preview import LawPreview
from mechstudio.view.inspector.runs.events import EventList
from mechstudio.view.panels.model_tree import EYE
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Note, Section, Text
from tests.view.drawing.test_drawing import Hand, hand, place  # noqa: F401  (the fixture)
from tests.view.files import kept
from tests.view.hands import click_in_tree, type_into

Qt = QtCore.Qt
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def pen(empty, qtbot):
    """A hand at an empty window, with a session in closed form behind it: enough where nothing is
    run.
    """
    return Hand(empty, qtbot)


def chosen(inspector, name, key):
    """Choose a word of a choice of the inspector, by the name that a screen reader says."""
    choice = next(c for c in inspector.parts(Choice) if c.accessibleName() == name)
    assert key in choice.keys()
    choice.choose(key)


def run(hand, qtbot):
    """Space, and wait for the end of the run."""
    studio = hand.window.studio
    hand.view.setFocus()
    hand.key(Qt.Key.Key_Space)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=120_000,
    )
    assert studio.runs.recording.complete, (
        studio.runs.recording.reason,
        [m.text for m in studio.notifications.messages],
    )
    return studio.runs.recording


def draw(hand, *points, free=(), end=Qt.Key.Key_Return):
    hand.key(Qt.Key.Key_L)
    for k, point in enumerate(points):
        hand.click(*point, modifiers=ALT if k in free else Qt.KeyboardModifier.NoModifier)
    hand.key(end)


def coordinate(recording, joint):
    return recording.rows[:, recording.layout.joint(joint)]


def test_a_slider_crank_with_a_motor_from_nothing(hand, qtbot, tmp_path):
    """Slider-crank in line: x = r cos a + sqrt(l² - r² sin² a) (e.g. Shigley, Uicker, Theory of
    Machines, section 2.11), a = a0 + w t.
    """
    studio = hand.window.studio
    draw(hand, (0.0, 0.0), (0.1, 0.1), (0.5, 0.0), (0.65, 0.0), free=(3,))
    hand.key(Qt.Key.Key_J)
    hand.key(Qt.Key.Key_P)
    hand.click(0.575, 0.0)
    slider = studio.selection.current
    assert studio.document.project.mechanism.joints[slider].type == "prismatic"
    crank = next(
        id
        for id, j in studio.document.project.mechanism.joints.items()
        if j.frame_a.body == "ground" and j.type == "revolute"
    )
    click_in_tree(hand.window, crank)
    hand.view.setFocus()
    hand.key(Qt.Key.Key_M)
    (drive,) = studio.document.project.mechanism.drives.values()
    assert (
        studio.selection.current == drive.id
        and drive.joint == crank
        and drive.law.parameters["value"].text == "60 rpm"
    )
    type_into(hand.window.docks.inspector.number(("law", "parameters", "value")), "30 rpm")
    recording = run(hand, qtbot)
    t = recording.time
    turn = math.pi / 4 + math.pi * t
    r, length = math.hypot(0.1, 0.1), math.hypot(0.4, 0.1)
    x = r * np.cos(turn) + np.sqrt(length**2 - (r * np.sin(turn)) ** 2)
    assert np.abs(coordinate(recording, crank)[:, 0] - turn).max() < 1e-7
    assert np.abs(place(recording, "link_3", (0, 0, 0))[:, 0] - x).max() < 1e-7
    assert np.ptp(x) > 0.25
    kept(hand.window, qtbot, tmp_path / "crank.mech")


def test_a_gear_pair_is_coupled_in_the_tree_and_runs(hand, qtbot):
    """Two cranks on parallel axes, ratio -2: the first turns twice as fast as the second and
    against it.
    """
    studio = hand.window.studio
    for x in (0.0, 0.4):
        draw(hand, (x, 0.0), (x + 0.1, 0.1), free=(1,))
    a, b = studio.document.project.mechanism.joints
    click_in_tree(hand.window, a)
    click_in_tree(hand.window, b, Qt.KeyboardModifier.ControlModifier)
    assert not hand.window.actions_.by_id["couple_rack_and_pinion"].isEnabled()
    assert "one that slides" in hand.window.actions_.by_id["couple_rack_and_pinion"].toolTip()
    hand.window.actions_.trigger("couple_gear")
    (gear,) = studio.document.project.mechanism.couplings.values()
    assert studio.selection.current == gear.id
    type_into(hand.window.docks.inspector.number(("parameters", "ratio")), "-2")
    recording = run(hand, qtbot)
    first, second = (coordinate(recording, j)[:, 0] for j in (a, b))
    assert np.abs((first - first[0]) + 2 * (second - second[0])).max() < 1e-7
    assert np.ptp(second) > 0.1, "gravity turns them"


def test_a_spring_a_mass_a_damper_and_a_force_of_time(hand, qtbot, tmp_path):
    """m x'' + c x' + k (x - l) = F0 sin(w t) along a level slide; reference: the same equation by
    scipy, tolerances a hundredth of the check.
    """
    from scipy.integrate import solve_ivp

    from mechstudio.model.mass_properties import mass_properties

    studio = hand.window.studio
    draw(hand, (0.3, 0.0), (0.4, 0.0), free=(0, 1), end=Qt.Key.Key_Escape)
    hand.key(Qt.Key.Key_J)
    hand.key(Qt.Key.Key_P)
    hand.click(0.35, 0.0)
    hand.key(Qt.Key.Key_Escape)
    for key in (Qt.Key.Key_S, Qt.Key.Key_D):
        hand.key(key)
        hand.click(0.0, 0.0)
        hand.click(0.3, 0.0)
    hand.key(Qt.Key.Key_F)
    hand.click(0.4, 0.0)
    hand.key(Qt.Key.Key_Return)  # as large and in the direction as it is offered
    spring, damper, force = studio.document.project.mechanism.forces.values()
    assert (spring.type, damper.type, force.type) == ("spring", "damper", "force")
    assert studio.selection.current == force.id, (
        "what was placed stays selected when the button goes up"
    )
    inspector = hand.window.docks.inspector
    inspector.parts(QtWidgets.QToolButton, "follow_x")[0].click()
    text = inspector.parts(LawText)[0]
    text.edit.selectAll()
    QtTest.QTest.keyClicks(text.edit, "3 N*sin(8 rad/s*t)")
    QtTest.QTest.keyClick(text.edit, Qt.Key.Key_Return)
    assert studio.document.project.mechanism.forces[force.id].laws["x"].text == "3 N*sin(8 rad/s*t)"
    # stiff enough that the link stays on its side of the anchor, where the spring's length is its
    # place
    for id, name, text in ((spring.id, "stiffness", "200 N/m"), (damper.id, "damping", "10 N*s/m")):
        studio.document.commit(
            f"{name} {text}", set_quantity(studio.document.project, id, ("parameters", name), text)
        )
    spring, damper, _ = studio.document.project.mechanism.forces.values()
    recording = run(hand, qtbot)
    m = mass_properties(studio.document.project.mechanism.bodies["link_1"]).mass
    k, c, rest = (
        spring.parameters["stiffness"].value,
        damper.parameters["damping"].value,
        spring.parameters["free_length"].value,
    )
    assert k > 0 and c > 0 and rest == pytest.approx(0.3)
    exact = solve_ivp(
        lambda t, y: (y[1], (3 * math.sin(8 * t) - c * y[1] - k * (y[0] - rest)) / m),
        (0, recording.end),
        (0.3, 0.0),
        "DOP853",
        recording.time,
        rtol=1e-11,
        atol=1e-13,
    )
    assert np.abs(place(recording, "link_1", (0, 0, 0))[:, 0] - exact.y[0]).max() < 1e-6
    assert np.ptp(exact.y[0]) > 0.005
    kept(hand.window, qtbot, tmp_path / "spring.mech")


def test_a_screw_goes_its_pitch_in_a_turn(hand, qtbot):
    studio = hand.window.studio
    draw(hand, (0.0, 0.0), (0.2, 0.0), free=(0, 1), end=Qt.Key.Key_Escape)
    hand.key(Qt.Key.Key_J)
    hand.key(Qt.Key.Key_W)
    hand.click(0.1, 0.0)
    screw = studio.selection.current
    type_into(hand.window.docks.inspector.number(("parameters", "pitch")), "5 mm")
    hand.view.setFocus()
    hand.key(Qt.Key.Key_M)
    recording = run(hand, qtbot)
    angle = coordinate(recording, screw)[:, 0]
    assert np.abs(angle - angle[0] - 2 * math.pi * recording.time).max() < 1e-6
    assert np.abs(place(recording, "link_1", (0, 0, 0))[:, 0] - 0.005 * recording.time).max() < 1e-8


@pytest.mark.slow
def test_a_stop_holds_a_pendulum(hand, qtbot):
    studio = hand.window.studio
    draw(hand, (0.0, 0.0), (0.2, 0.0), free=(1,))
    pin = next(iter(studio.document.project.mechanism.joints))
    click_in_tree(hand.window, pin)
    inspector = hand.window.docks.inspector
    next(f for f in inspector.parts(Section) if f._title == "Limits").set_open(True)
    next(
        b for b in inspector.parts(QtWidgets.QPushButton) if b.text() == "Add stops of angle"
    ).click()
    type_into(inspector.number(("limits", 0, "lower")), "-30 deg")
    (limit,) = studio.document.project.mechanism.joints[pin].limits
    assert limit.lower.text == "-30 deg" and limit.restitution.value == 0.0
    reported = lambda: [
        w.text()
        for w in inspector.parts(EventList)[0].findChildren(QtWidgets.QWidget)
        if w.parent() is not None
    ]
    assert reported() == ["Run first"]
    recording = run(hand, qtbot)
    assert reported() and "lower stop" in reported()[0]
    studio.document.commit(
        "weightless",
        msgspec.structs.replace(
            studio.document.project,
            mechanism=msgspec.structs.replace(
                studio.document.project.mechanism, gravity=vector(0.0, 0.0, 0.0)
            ),
        ),
    )
    run(hand, qtbot)
    assert reported() == ["No stop was struck"], "a run in which nothing is struck is a run too"
    edit.undo(studio)
    angle = coordinate(recording, pin)[:, 0]
    assert angle.min() == pytest.approx(-math.pi / 6, abs=1e-6) and angle[-1] == pytest.approx(
        -math.pi / 6, abs=1e-6
    )


def test_the_law_editor_refuses_a_wrong_text_in_words(pen):
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    click_in_tree(pen.window, next(iter(studio.document.project.mechanism.joints)))
    pen.view.setFocus()
    pen.key(Qt.Key.Key_M)
    drive = studio.selection.current
    inspector = pen.window.docks.inspector
    chosen(inspector, "Law", "expression")
    before = studio.document.project
    text = inspector.parts(LawText)[0]
    for wrong, reason in (
        ("2 rad/s*sin(", "is missing"),
        ("3 m", "angular velocity expected"),
        ("2 rad/s*speed", "speed is not known here"),
    ):
        text.edit.setFocus()
        text.edit.selectAll()
        QtTest.QTest.keyClicks(text.edit, wrong)
        assert reason in text.reason[:1].lower() + text.reason[1:] and text.edit.parent().property(
            "wrong"
        )
        QtTest.QTest.keyClick(text.edit, Qt.Key.Key_Return)
        assert studio.document.project is before
        QtTest.QTest.keyClick(text.edit, Qt.Key.Key_Escape)
        assert text.reason == "" and text.edit.text() == "60 rpm"
    text.edit.selectAll()
    QtTest.QTest.keyClicks(text.edit, "1 rad/s + 2 rad/s^2*t")
    assert not text.reason
    QtTest.QTest.keyClick(text.edit, Qt.Key.Key_Return)
    assert studio.document.project.mechanism.drives[drive].law.text == "1 rad/s + 2 rad/s^2*t"
    assert studio.document.undo_label == "Law of drive 1 1 rad/s + 2 rad/s^2*t"


def test_the_preview_of_a_law_of_the_motion_names_its_state(pen):
    """Before a run nobody knows how a spring will be stretched: what is drawn is for its length as
    drawn.
    """
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    pen.key(Qt.Key.Key_S)
    pen.click(0.0, 0.1)
    pen.click(0.2, 0.0)
    inspector = pen.window.docks.inspector
    words = []
    inspector.parts(QtWidgets.QToolButton, "follow_stiffness")[0].click()
    for law in ("200 N/m", "200 N/m + 1 N/m^3*x^2*v/(1 m/s)"):
        text = inspector.parts(LawText)[0]
        text.edit.selectAll()
        QtTest.QTest.keyClicks(text.edit, law)
        QtTest.QTest.keyClick(text.edit, Qt.Key.Key_Return)
        words.append(inspector.parts(LawPreview)[0].shown.curves[0][0])
    assert words == ["value", "at x = 224 mm, v = 0 mm/s"]


def test_a_drive_of_position_and_a_table(pen):
    """Each choice is one undo step, and the editor shows what the law then needs."""
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    click_in_tree(pen.window, next(iter(studio.document.project.mechanism.joints)))
    pen.view.setFocus()
    pen.key(Qt.Key.Key_M)
    inspector, steps = pen.window.docks.inspector, len(studio.document.history[0])
    drive = lambda: next(iter(studio.document.project.mechanism.drives.values()))
    chosen(inspector, "Prescribes", "position")
    assert drive().quantity == "position" and drive().law.type == "rest_to_rest"
    chosen(inspector, "Law", "table")
    assert drive().law.type == "table" and len(drive().law.points) == 3
    plus = [
        b
        for b in inspector.parts(QtWidgets.QToolButton)
        if b.toolTip() == "Add a point after this one"
    ]
    plus[0].click()
    assert len(drive().law.points) == 4
    assert len(studio.document.history[0]) == steps + 3
    # a place is a spline, which swings nowhere here; by steps it cannot run
    between = lambda: next(
        c for c in inspector.parts(Choice) if c.accessibleName() == "Between points"
    )
    assert drive().law.between == "spline" and between().keys() == [
        "monotone",
        "spline",
        "straight",
    ]
    assert inspector.parts(LawPreview)[0].warning == ""


def test_a_table_of_speed_says_how_far_its_spline_swings(pen):
    """A table of speed starts monotone; as a spline its preview tells in amber by how much it
    leaves its points, and where.
    """
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    click_in_tree(pen.window, next(iter(studio.document.project.mechanism.joints)))
    pen.view.setFocus()
    pen.key(Qt.Key.Key_M)
    inspector = pen.window.docks.inspector
    drive = lambda: next(iter(studio.document.project.mechanism.drives.values()))
    chosen(inspector, "Law", "table")
    assert drive().law.between == "monotone" and inspector.parts(LawPreview)[0].warning == ""
    points = tuple(
        (Quantity(t), Quantity(f))
        for t, f in ((0.0, 0.0), (1.0, 0.0), (1.1, 10.0), (2.0, 10.0), (2.1, 0.0), (3.0, 0.0))
    )
    studio.document.change(
        "table",
        lambda p: laws.put_law(
            p, drive().id, ("law",), msgspec.structs.replace(drive().law, points=points)
        ),
    )
    preview = lambda: inspector.parts(LawPreview)[0]
    assert preview().warning == "" and preview().shown.beyond == ()
    chosen(inspector, "Between points", "spline")
    assert (
        drive().law.between == "spline"
        and preview().warning.endswith("beyond its points at 1.55 s")
        and "deg/s" in preview().warning
    )
    # its amber is really there
    amber = pen.window.theme.color("warn").rgb() & 0xFFFFFF
    image = preview().grab().toImage()
    assert (
        sum(
            (image.pixel(x, y) & 0xFFFFFF) == amber
            for x in range(image.width())
            for y in range(image.height())
        )
        > 20
    )
    chosen(inspector, "Between points", "steps")
    assert drive().law.between == "steps" and preview().warning == ""


def coordinate_line(pen, k=0):
    return pen.window.docks.inspector.parts(CoordinateLine)[k]


def test_a_joint_is_turned_by_field_and_slider(hand, qtbot):
    """The four-bar follows with its loop closed; a drag of the slider is one undo step."""
    studio = hand.window.studio
    draw(hand, (0.0, 0.0), (0.1, 0.2), (0.6, 0.4), (0.5, 0.0))
    crank = next(
        id
        for id, j in studio.document.project.mechanism.joints.items()
        if j.frame_b.body == "link_1" and j.frame_a.body == "ground"
    )
    click_in_tree(hand.window, crank)
    before = len(studio.document.history[0])
    type_into(coordinate_line(hand), "90 deg")
    qtbot.waitUntil(lambda: len(studio.document.history[0]) > before, timeout=60_000)
    m = lambda: studio.document.project.mechanism
    assert distance(link_ends(m().bodies["link_1"])[1], (0.0, 0.0, math.hypot(0.1, 0.2))) < 1e-9
    assert (
        max(
            distance(*(m().frame_in_world(f)[0] for f in (j.frame_a, j.frame_b)))
            for j in m().joints.values()
        )
        < 1e-9
    )
    slider = coordinate_line(hand).slider
    before = len(studio.document.history[0])
    slider.setSliderDown(True)
    rotated = []
    for degrees in (80, 70, 60):
        shown = studio.document.project
        low, high = coordinate_line(hand).bounds()
        slider.setValue(round(720 * (math.radians(degrees) - low) / (high - low)))
        qtbot.waitUntil(lambda shown=shown: studio.document.project is not shown, timeout=60_000)
        tip = link_ends(m().bodies["link_1"])[1]
        rotated.append(math.degrees(math.atan2(tip[2], tip[0])))
    slider.setSliderDown(False)
    assert rotated == pytest.approx((80, 70, 60), abs=0.3)
    assert len(studio.document.history[0]) == before + 1


def test_notes_hiding_and_deleting_tell_what_goes_with_them(pen):
    studio = pen.window.studio
    for x in (0.0, 0.4):
        draw(pen, (x, 0.0), (x + 0.1, 0.1), free=(1,))
    a, b = studio.document.project.mechanism.joints
    studio.selection.select(a, b)
    pen.window.actions_.trigger("couple_gear")
    gear = studio.selection.current
    inspector = pen.window.docks.inspector
    next(f for f in inspector.parts(Section) if f._title == "Note").set_open(True)
    note = inspector.parts(Note)[0]
    note.setFocus()
    QtTest.QTest.keyClicks(note, "module 2")
    pen.view.setFocus()
    assert studio.document.project.mechanism.couplings[gear].note == "module 2"
    pen.key(Qt.Key.Key_H)
    assert (
        not studio.document.project.mechanism.couplings[gear].visible
        and studio.document.undo_label == "Hide gear pair 1"
    )
    assert pen.window.docks.tree._items[gear].toolTip(EYE) == "Show"
    pen.key(Qt.Key.Key_H, ALT)
    assert studio.document.project.mechanism.couplings[gear].visible
    studio.selection.select(a)
    pen.key(Qt.Key.Key_Delete)
    assert not studio.document.project.mechanism.couplings
    assert any("with gear pair 1" in m.text for m in studio.notifications.messages)


def test_a_joint_changes_its_type_or_says_why_not(pen):
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    pin = next(iter(studio.document.project.mechanism.joints))
    click_in_tree(pen.window, pin)
    chosen(pen.window.docks.inspector, "Type", "screw")
    assert (
        studio.document.project.mechanism.joints[pin].type == "screw"
        and studio.document.undo_label == "Type of A screw"
    )
    pen.view.setFocus()
    pen.key(Qt.Key.Key_M)
    click_in_tree(pen.window, pin)
    before = studio.document.project
    chosen(pen.window.docks.inspector, "Type", "prismatic")
    assert studio.document.project is before and any(
        "drive 1" in m.text for m in studio.notifications.messages
    )


def test_stops_that_were_struck_are_listed_and_flash(pen, qtbot):
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    pin = next(iter(studio.document.project.mechanism.joints))
    studio.document.commit("Stops", add_limit(studio.document.project, pin, 0))
    pen.view.setFocus()
    pen.key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    studio.runs.playback.pause()
    studio.runs.recording.events.append(StopEvent(0.5, pin, 0, False, 2.0, 0.1))
    studio.selection.select()
    for time, impacted in ((0.3, False), (0.55, True), (1.5, False)):
        studio.runs.playback.seek(time)
        assert (pin in pen.view.look.impacted) == impacted
    line = next(
        b
        for b in pen.window.docks.inspector.parts(QtWidgets.QPushButton)
        if "lower stop" in b.text()
    )
    assert line.text() == "0.5 s  A lower stop, 115 deg/s"
    line.click()
    assert studio.runs.playback.time == 0.5


def test_a_parameter_is_renamed_with_all_its_uses(pen):
    studio = pen.window.studio
    draw(pen, (0.0, 0.0), (0.2, 0.0), free=(1,))
    studio.document.commit(
        "Parameter",
        add_parameter(studio.document.project, Parameter("L", Quantity(0.3, "300 mm"), "length")),
    )
    studio.selection.select("link_1")
    length = ("shapes", 0, "dimensions", "length")
    type_into(pen.window.docks.inspector.number(length), "2*L")
    studio.selection.select("L")

    def rename(text):
        name = pen.window.docks.inspector.parts(Text)[0].edit
        name.setFocus()
        name.selectAll()
        QtTest.QTest.keyClicks(name, text)
        QtTest.QTest.keyClick(name, Qt.Key.Key_Return)

    rename("crank_length")
    assert (
        studio.selection.current == "crank_length"
        and studio.document.undo_label == "Rename L to crank_length"
    )
    assert (
        studio.document.project.mechanism.bodies["link_1"].shapes[0].dimensions["length"].text
        == "2*crank_length"
    )
    rename("pi")
    assert "crank_length" in studio.document.project.parameters and any(
        "pi already has a meaning" in m.text for m in studio.notifications.messages
    )


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.thinned(2)
def test_a_held_slider_stops_at_a_dead_point_and_shakes(pen, qtbot, reduced):
    """It stays where the mechanism came to, asks for nothing beyond, and goes on the other way."""
    studio = pen.window.studio
    studio.preferences.set(reduced_motion=reduced)
    draw(pen, (0.0, 0.0), (0.1, 0.2), (0.6, 0.4), (0.5, 0.0))
    crank = next(
        id
        for id, j in studio.document.project.mechanism.joints.items()
        if j.frame_b.body == "link_1" and j.frame_a.body == "ground"
    )
    click_in_tree(pen.window, crank)
    line = coordinate_line(pen)
    qtbot.waitUntil(lambda: line.slider.y() > 0)
    pose_calls = lambda: [c for c in studio.questions.session.calls if c[0] == "pose"]
    line.slider.setSliderDown(True)
    line.slider.setValue(700)
    home, before = line.slider.pos(), len(pose_calls())
    low, high = line.bounds()
    requested, reached = pose_calls()[-1][3], low + 0.9 * (high - low)
    studio.questions.joint_setting.take(
        (crank, 0, requested, ""),
        PoseFound(1, value=reached, reason="A cannot turn further: dead point at 20 deg."),
    )
    assert line.slider.value() == 648 and "dead point" in studio.notifications.messages[-1].text
    running = line._shake.state() == line._shake.State.Running
    assert running is not reduced
    if running:
        for after, side in ((22, 1), (65, -1)):
            line._shake.setCurrentTime(after)
            assert (line.slider.x() - home.x()) * side > 0
        qtbot.waitUntil(lambda: line._shake.state() == line._shake.State.Stopped)
    assert line.slider.pos() == home
    line.slider.setValue(710)
    assert line.slider.value() == 648 and len(pose_calls()) == before
    line.slider.setValue(600)
    assert line.slider.value() == 600 and len(pose_calls()) == before + 1
    line.slider.setSliderDown(False)
