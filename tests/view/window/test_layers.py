"""Width of links, and links in layers, in the window."""

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

import mechstudio as ms
from mechstudio.model.edits.bodies.stacking import all_clashes, stacks
from mechstudio.model.edits.links import add_link, distance
from mechstudio.model.geometry.work_plane import FRONT
from tests.view.drawing.test_relations import type_
from tests.view.drawing.test_spatial_drawing import SpaceHand
from tests.view.hands import press
from tests.view.marks.test_figures import opened, tick
from tests.view.marks.test_trails import run

Qt = QtCore.Qt


@pytest.fixture
def hand(empty, qtbot):
    return SpaceHand(empty, qtbot)


def mechanism(hand):
    return hand.window.studio.document.project.mechanism


def sizes(hand):
    return [
        tuple(b.shapes[0].dimensions[k].value for k in ("width", "thickness"))
        for b in mechanism(hand).bodies.values()
    ]


def draw(hand, *points):
    hand.key(Qt.Key.Key_L)
    for point in points:
        hand.click(point)
    hand.key(Qt.Key.Key_Escape)


@pytest.mark.slow
def test_the_width_does_not_depend_on_the_zoom_and_is_reported(hand):
    """The same link typed at two distances of the camera."""
    for factor in (1.0, 0.2):
        camera = hand.view.framing.camera
        hand.view.framing.zoom(camera.target, factor)
        hand.key(Qt.Key.Key_L)
        hand.click((0.0, 0.0, 0.0))
        hand.point((0.02, 0.0, 0.01))
        type_(hand, "100")
        type_(hand, "⏎")
        hand.key(Qt.Key.Key_Escape)
        assert sizes(hand) == [pytest.approx((0.01, 0.0025))]
        hand.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.point((0.05, 0.0, 0.0))
    label = hand.window.studio.tools.tool.preview.label
    assert label.endswith("5 mm × 1.25 mm"), label


def test_inches_give_widths_in_fractions_of_an_inch(hand):
    hand.window.studio.preferences.set(units="inch-lbf")
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.point((0.05, 0.0, 0.03))
    type_(hand, "4⏎")
    assert sizes(hand) == [pytest.approx((0.5 * 0.0254, 0.125 * 0.0254))]


@pytest.mark.slow
def test_all_links_get_another_width_at_once(hand):
    draw(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.3, 0.0, 0.2))
    window = hand.window
    window.actions_.trigger("select_links")
    inspector = window.docks.inspector
    field = lambda: next(
        (
            e
            for e in inspector.findChildren(QtWidgets.QLineEdit)
            if e.accessibleName() == "Width" and e.isVisible()
        ),
        None,
    )
    hand.qtbot.waitUntil(lambda: field() is not None)
    edit = field()
    edit.setFocus()
    edit.selectAll()
    QtTest.QTest.keyClicks(edit, "14 mm")
    QtTest.QTest.keyClick(edit, Qt.Key.Key_Return)
    assert [width for width, _ in sizes(hand)] == [pytest.approx(0.014)] * 2
    hand.view.setFocus()
    draw(hand, (0.0, 0.0, 0.3), (0.2, 0.0, 0.3))
    last = list(mechanism(hand).bodies.values())[-1].shapes[0].dimensions["width"]
    assert last.value == pytest.approx(0.014), "the next link is as wide as the others"


def test_links_that_collide_are_named_and_stacked_by_one_button(solved, qtbot):
    hand = SpaceHand(solved, qtbot)
    project = solved.studio.document.project
    for start, end in (((0.0, 0.0, 0.0), (0.3, 0.0, 0.1)), ((0.1, 0.0, 0.2), (0.2, 0.0, -0.1))):
        project, _ = add_link(project, FRONT, start, end)
    solved.studio.document.commit("Draw links", project)
    solved.viewport.framing.view_from("front")
    hand.key(Qt.Key.Key_J)
    hand.click((0.15, 0.0, 0.05))
    hand.key(Qt.Key.Key_Escape)
    studio, window = hand.window.studio, hand.window
    said = lambda: [f.message for f in studio.questions.findings if f.action == "stack_links"]
    hand.qtbot.waitUntil(lambda: bool(said()))
    assert said() == ["link 1 and link 2 run through each other as drawn."]
    before = mechanism(hand)
    button = lambda: next(
        (
            b
            for b in window.docks.doctor.findChildren(QtWidgets.QPushButton)
            if b.text() == "Stack links" and b.isVisible()
        ),
        None,
    )
    hand.qtbot.waitUntil(lambda: button() is not None)
    QtTest.QTest.mouseClick(button(), Qt.MouseButton.LeftButton)
    assert not all_clashes(mechanism(hand)) and studio.document.undo_label == "Stack links"
    for j in before.joints.values():
        for side in ("frame_a", "frame_b"):
            at = before.frame_in_world(getattr(j, side))[0]
            now = mechanism(hand).frame_in_world(getattr(mechanism(hand).joints[j.id], side))[0]
            assert distance(at, now) < 1e-15
    hand.qtbot.waitUntil(lambda: not said())


def test_drawn_links_lie_in_layers_that_do_not_clash(hand):
    """A cross, a link over a pin of two others, and a chain: none runs through another."""
    draw(hand, (0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.4, 0.0, -0.1))
    draw(hand, (0.1, 0.0, 0.2), (0.2, 0.0, -0.1))
    draw(hand, (0.3, 0.0, 0.25), (0.3, 0.0, -0.1), (0.05, 0.0, -0.05))
    m = mechanism(hand)
    assert len(m.bodies) == 5 and not all_clashes(m)
    ends = [m.frame_in_world(f)[0] for j in m.joints.values() for f in (j.frame_a, j.frame_b)]
    assert ends and all(abs(p[1]) < 1e-15 for p in ends), "all pins stand in the work plane"


def test_links_that_meet_in_the_run_are_stacked(solved, qtbot):
    """A crank that passes a post only as it turns: found over the run, cured from there."""
    m = ms.Builder("Crank and post")
    crank = m.link("crank", (0, 0, 0), (-0.2, 0, 0))
    post = m.link("post", (0.15, 0, -0.1), (0.15, 0, 0.1))
    pin = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.fix("B", m.ground, post, at=(0.15, 0, -0.1))
    m.drive("motor", pin, speed="60 rpm")
    m.run(duration="1 s")
    studio = solved.studio
    studio.files.show(m.project(), None, None)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    assert not all_clashes(studio.document.project.mechanism)
    solved.actions_.trigger("stack_links")
    said = lambda: [message.text for message in studio.notifications.messages]
    assert said() == ["No links run through each other as drawn."]
    card = opened(solved, qtbot)
    tick(card, "interference")
    press(solved, Qt.Key.Key_Escape)
    run(solved, qtbot, 0.0)
    found = studio.marks.interference
    qtbot.waitUntil(lambda: bool(found.overlaps), timeout=90_000)
    card = opened(solved, qtbot)
    menu = card._clashes.menu()
    cure = next(a for a in menu.actions() if a.text() == "Stack links")
    menu.popup(solved.mapToGlobal(QtCore.QPoint(400, 300)))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(cure).center())
    qtbot.waitUntil(lambda: studio.document.undo_label == "Stack links")
    press(solved, Qt.Key.Key_Escape)
    offsets = stacks(studio.document.project.mechanism)[0].offsets
    assert len(set(offsets.values())) == 2
    run(solved, qtbot, 0.0)
    qtbot.waitUntil(lambda: found.state.startswith("none at"), timeout=90_000)
