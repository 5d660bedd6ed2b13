"""Lines of a joint and of contacts in the inspector, on their own: sliders between stops, reactions
in their axes, the table of what touches.
"""

import math
import sys
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from mechstudio.application.contact_display import APART, SLIDING, STICKING, InstantContacts
from mechstudio.application.preferences import Preferences
from mechstudio.application.signal import Signal
from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import Limit
from mechstudio.model.quantity import Quantity
from mechstudio.view.inspector.contacts import contact_table
from mechstudio.view.inspector.contacts.contact_table import ContactTable
from mechstudio.view.inspector.elements import reactions
from mechstudio.view.inspector.elements.coordinate import STEPS, CoordinateLine
from mechstudio.view.inspector.elements.reactions import COMPONENTS
from tests.view.conftest import sample_file
from tests.view.recorder import painted

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def studio(qapp):
    """A studio without a window, with the four-bar."""
    made = Studio(Preferences())
    made.files.show(sample_file("four_bar").project, None, None)
    return made


@pytest.fixture
def page(theme, studio):
    """The part of the inspector that its lines look at, about the joint A."""
    requested = []
    return SimpleNamespace(
        theme=theme,
        studio=studio,
        leaf=SimpleNamespace(id="A"),
        on_time=[],
        opened=set(),
        reaction_axes="joint",
        requested=requested,
        analysis_requested=SimpleNamespace(emit=lambda *given: requested.append(given)),
    )


# a coordinate


@pytest.fixture
def line(page, studio, qtbot, monkeypatch):
    made = CoordinateLine(page, 0)
    qtbot.addWidget(made)
    made.requested = []
    setting = SimpleNamespace(movement="", set=lambda *given: made.requested.append(given))
    monkeypatch.setattr(studio.questions, "joint_setting", setting)
    made.setting = setting
    monkeypatch.setattr(made, "value", lambda: made.now)
    made.now = 0.5
    return made


def limited(studio, lower, upper):
    project = studio.document.project
    bound = lambda value: None if value is None else Quantity(value)
    joint = msgspec.structs.replace(
        project.mechanism.joints["A"], limits=(Limit(0, bound(lower), bound(upper)),)
    )
    studio.document.commit("Stops", elements.put_element(project, "A", joint))


@pytest.mark.parametrize(
    ("now", "stops", "bounds"),
    [
        (0.5, None, (-math.pi, math.pi)),
        (None, None, (-math.pi, math.pi)),
        # the circle in which it lies
        (3.2, None, (math.pi, 3 * math.pi)),
        (-9.5, None, (-5 * math.pi, -3 * math.pi)),
        (0.5, (-1.0, 2.0), (-1.0, 2.0)),
        (0.5, (None, 2.0), (-math.pi, 2.0)),
        (0.5, (-1.0, None), (-1.0, math.pi)),
        (0.5, (4.0, None), (4.0, 4.0 + 1e-9)),
    ],
)
def test_a_slider_goes_from_stop_to_stop(line, studio, now, stops, bounds):
    if stops is not None:
        limited(studio, *stops)
    line.now = now
    assert line.bounds() == pytest.approx(bounds)


def test_a_slider_moves_the_drawing(line, studio):
    limited(studio, -1.0, 3.0)
    line.refresh()
    slider = line.slider
    assert slider.maximum() == STEPS == 720 and slider.value() == 270, "three eighths of the way"
    assert slider.isEnabled() and not line.edit.isReadOnly() and line.requested == []
    line.setting.movement = "before"
    slider.setValue(360)
    assert line.requested.pop() == ("A", 0, f"{math.degrees(1.0):.6g} deg")
    assert line.setting.movement == "", "a step of its own"
    # a drag is one movement, and is not pushed away by answers
    count = CoordinateLine.drags
    slider.setSliderDown(True)
    assert line.setting.movement == f"drag {count + 1}"
    slider.setValue(540)
    assert line.requested.pop()[2] == f"{math.degrees(2.0):.6g} deg"
    line.now = 0.0
    line.refresh()
    assert slider.value() == 540
    # it came only to 2.5: there it stops, and goes on the other way alone
    line.stop("A", 1, 3.0, 2.5)
    line.stop("B", 0, 3.0, 2.5)
    assert line._stopped is None
    line.stop("A", 0, 3.0, 2.5)
    assert slider.value() == 630 and line._stopped == (2.5, 1.0)
    slider.setValue(700)
    assert slider.value() == 630 and line.requested == []
    slider.setValue(500)
    assert line._stopped is None and len(line.requested) == 1
    line.stop("A", 0, -1.0, 0.0)
    assert line._stopped == (0.0, -1.0)
    slider.setValue(100)
    assert slider.value() == 180 and len(line.requested) == 1
    slider.setSliderDown(False)
    line._released()
    assert line._stopped is None and slider.value() == 180
    line.typed("30 deg")
    assert line.setting.movement == "" and line.requested[-1] == ("A", 0, "30 deg")
    # beyond its ends it stands at them
    for now, place in ((9.0, 720), (-9.0, 0)):
        line.now = now
        line._put(now)
        assert slider.value() == place
    line.now = None
    line.refresh()
    assert slider.isHidden()
    line.now = 0.0
    slider.setSliderDown(True)
    line.stop("A", 0, -1.0, 0.0)
    line.arrive()
    assert line._stopped is None and not slider.isSliderDown()


def test_a_slider_shakes_at_a_dead_point(line, studio, monkeypatch):
    """Three times, by four pixels at first and none at the end."""
    home = line.slider.pos()
    line._home = home
    for part, away in ((0.0, 0), (1 / 12, 4), (3 / 12, -3), (5 / 12, 2), (0.5, 0), (1.0, 0)):
        line._shaken(part)
        assert (line.slider.pos() - home).toTuple() == (away, 0), part
    line.stop("A", 0, 1.0, 0.5)
    assert line._shake.state() == line._shake.State.Running and line._stopped is None
    line.arrive()
    assert line._shake.state() == line._shake.State.Stopped
    studio.preferences.set(reduced_motion=True)
    assert studio.preferences.still
    line.stop("A", 0, 1.0, 0.5)
    assert line._shake.state() == line._shake.State.Stopped
    studio.preferences.set(reduced_motion=False)


def test_a_recorded_instant_is_only_read(line, studio):
    playback = studio.runs.playback
    playback.set_range(5.0, 5.0, True, 0.1)
    for time, playing, design in ((0.0, False, True), (0.0, True, False), (1.0, False, False)):
        playback.time, playback.playing = time, playing
        line.refresh()
        assert line.slider.isEnabled() == design == (not line.edit.isReadOnly())
    playback.playing = False
    # of a joint that is gone nothing is read
    project = studio.document.project
    assert line.stands()
    line._leaf.id = "Z"
    assert not line.stands() and project is studio.document.project
    line.refresh()


# reactions


def test_reactions_are_read_at_the_time_cursor(page, studio, qtbot, monkeypatch):
    """Forces in N and moments in N·m; of almost nothing beside the others a plain zero."""
    times = np.array([0.0, 1.0, 2.0])
    series = {
        "Fx": (times, np.array([0.0, 10.0, -20.0])),
        "Fy": (times, np.array([1e-12, 1e-12, 1e-12])),
        "Fz": (times, np.array([1.0, 1.0, 1.0])),
        "Mx": (times, np.array([0.5, 1.5, 0.0])),
        "My": None,
        "Mz": (times, np.array([1e-9, 1e-9, 1e-9])),
    }
    curves = SimpleNamespace(
        also=(),
        is_busy=False,
        sentence="",
        series=lambda key: series[key.rpartition("/")[2]],
        loose=lambda key: key.endswith(("Fx", "Mz")),
    )
    monkeypatch.setattr(studio.questions, "curves", curves)
    monkeypatch.setattr(type(studio.runs), "recording", property(lambda runs: None))
    made = reactions._Reactions(page)
    qtbot.addWidget(made)
    texts = lambda: [made.readings[column].text() for column, _, _ in COMPONENTS]
    assert [word for word, _, _ in COMPONENTS] == ["Fx", "Fy", "Fz", "Mx", "My", "Mz"]
    assert texts() == ["–"] * 6 and made.words.text() == "Simulate, and they are found."
    curves.sentence = "They cannot be."
    made.refresh()
    assert made.words.text() == "They cannot be."
    curves.is_busy = True
    made.refresh()
    assert made.words.text() == "Being found."
    # the window asks it too, at its next tick
    begun = SimpleNamespace(finished=False, count=0)
    monkeypatch.setattr(type(studio.runs), "recording", property(lambda runs: begun))
    studio.runs.playback.set_range(2.0, 2.0, True, 0.1)
    studio.runs.playback.time = 0.5
    made.refresh()
    shown = texts()
    assert shown[:3] == ["5 N", "0 N", "1 N"] and shown[3:5] == ["1 N·m", "–"]
    assert made.words.text() == (
        "On the second body, at the joint. Fx, Mz: not determined by rigid bodies; least-squares "
        "value."
    )
    studio.runs.playback.time = 1.5
    for refresh in page.on_time:
        refresh()
    assert texts()[0].replace("-", "−") == "−5 N"
    curves.loose = lambda key: False
    made.refresh()
    assert made.words.text() == "On the second body, at the joint."
    # other axes are other quantities
    before = curves.also
    assert len(before) == 6 and all("joint" in key and "A" in key for key in before)
    made.axes.choose("world")
    assert page.reaction_axes == "world" and curves.also != before and len(curves.also) == 6
    buttons = {b.text(): b for b in made.findChildren(type(made.plot))}
    buttons["Table…"].click()
    assert page.requested == [("reactions", "world")]
    assert made.plot.isEnabled() and made.words.objectName() == "three"


def test_torsors_and_accelerations_are_requested(page, qtbot):
    section = reactions.torsor_section(page)
    qtbot.addWidget(section)
    section.set_open(True)
    buttons = section.body.findChildren(QPushButton)
    for button in buttons:
        button.click()
    reported = [
        (b.text(), *requested) for b, requested in zip(buttons, page.requested, strict=True)
    ]
    assert reported == [("Torsors…", "torsors", ""), ("Accelerations…", "kinematics", "")]
    words = [(w.objectName(), w.text()[:9]) for w in section.body.findChildren(QLabel)]
    assert ("three", "Kinematic") in words


# contacts


def instant(count=4):
    """Contacts with normal forces 1, 40, 3 and 2 N and a friction force of 3 N at the second."""
    force = np.zeros((count, 3))
    force[:, 2] = [1.0, 40.0, 3.0, 2.0][:count]
    if count > 1:
        force[1, 0] = 3.0
    return InstantContacts(
        np.array([[0, 1], [-1, 0], [1, 2], [-1, 2]])[:count],
        0.001 * np.arange(3 * count).reshape(count, 3),
        np.tile((0.0, 0.0, 1.0), (count, 1)),
        force,
        np.array([0.0, 1e-6, 0.002, 0.0])[:count],
        np.array([0.3, 0.25, 0.123456, 0.5])[:count],
        np.array([0.0, 0.0, 0.5, 0.0])[:count],
        np.array([STICKING, STICKING, SLIDING, APART])[:count],
        np.zeros(count),
        tuple(f"c{k}" for k in range(count)),
    )


@pytest.fixture
def table(theme, qtbot, monkeypatch):
    chosen, hovered = [], []
    contact = SimpleNamespace(
        instant_contacts=None,
        is_on=False,
        chosen="",
        resting=frozenset(),
        chosen_changed=Signal(),
        choose=chosen.append,
    )
    selection = SimpleNamespace(changed=Signal(), lit=(), hover=hovered.append)
    studio = SimpleNamespace(
        contact=contact, selection=selection, preferences=SimpleNamespace(units="mm-N-deg")
    )
    names = lambda studio, bodies: "–".join("ground" if b < 0 else f"b{b}" for b in bodies.tolist())
    monkeypatch.setattr(contact_table.contacts, "pair_names", names)
    made = ContactTable(theme, studio)
    made.resize(260, made.height())
    made.contact, made.chosen, made.hovered = contact, chosen, hovered
    qtbot.addWidget(made)
    return made


def test_contacts_are_listed_the_strongest_first(table):
    contact = table.contact
    for on, words in ((False, "Contacts are off"), (True, "Run first")):
        contact.is_on = on
        table.refresh()
        assert table.words() == words and table.lines() == [] and table.height() == 19 + 6
    contact.instant_contacts = instant(0)
    table.refresh()
    assert table.words() == "Nothing touches at this time" and table.height() == 25
    contact.instant_contacts, contact.resting = instant(), frozenset((0,))
    table.refresh()
    assert table.words() == "" and table.height() == 4 * 3 * 19 + 6
    assert table.lines() == [
        ("ground–b0", "rests", "N 40 N   T 3 N   μ 0.25", "gap 0.001 mm"),
        ("b1–b2", "slides", "N 3 N   T 0 N   μ 0.123", "gap 2 mm   slip 500 mm/s"),
        ("ground–b2", "near", "N 2 N   T 0 N   μ 0.5", "gap 0 mm"),
        ("b0–b1", "sticks", "N 1 N   T 0 N   μ 0.3", "gap 0 mm"),
    ]


def test_a_contact_is_pointed_at_and_chosen(table, monkeypatch):
    table.contact.instant_contacts = instant()
    table.refresh()
    # 57 px for each
    names = {0: "c1", 56: "c1", 57: "c2", 170: "c3", 171: "c0", 227: "c0", 228: "", -1: ""}
    assert {y: table.name_at(y) for y in names} == names
    table.show()
    QTest.mouseClick(table, LEFT, pos=QPoint(20, 60))
    QTest.mouseClick(table, LEFT, pos=QPoint(20, 230))
    assert table.chosen == ["c2"]
    QTest.mouseMove(table, QPoint(20, 100))
    assert table.hovered[-1] == "c2" and table.toolTip() == "At 6 mm, 7 mm, 8 mm"
    QTest.mouseMove(table, QPoint(20, 231))
    assert table.hovered[-1] == "" and table.toolTip() == ""
    QApplication.sendEvent(table, QEvent(QEvent.Type.Leave))
    assert table.hovered[-1] == ""
    # of many the first ones, and how many more there are
    monkeypatch.setattr(contact_table, "ROWS", 3)
    table.contact.instant_contacts = instant()
    table.refresh()
    assert table.words() == "and 1 more" and len(table.lines()) == 3
    assert table.height() == 19 * 10 + 6


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_contacts_are_painted_as_approved(table, monkeypatch, approved):
    lines = []
    table.contact.is_on = True
    lines += ["# before a run", *painted(table, monkeypatch)]
    table.contact.instant_contacts, table.contact.chosen = instant(), "c1"
    table._studio.selection.lit = ("c3",)
    table.refresh()
    lines += ["# of a run", *painted(table, monkeypatch)]
    approved.holds("strokes_of_contacts.txt", "\n".join(lines) + "\n")
