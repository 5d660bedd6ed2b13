"""Balance and size from an empty window by real mouse and keys: a crank is drawn and driven, its
counterweight and flywheel found, applied in one step and taken back; a lever is held by a spring.
"""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.model.mass_properties import mass_properties
from tests.view.hands import click
from tests.view.jobs.counting import hand

__all__ = ["hand"]

Qt = QtCore.Qt


def panel_of(hand):
    """The page, found by Ctrl+K."""
    hand.palette("counterweight flywheel")
    sizing = hand.window.docks.sizing
    hand.qtbot.waitUntil(sizing.isVisible, timeout=10_000)
    return sizing


def found(hand, sizing):
    """The answer of the helper whose button is clicked."""
    click(sizing.button)
    requested = hand.studio.questions.sizing
    assert requested.state == "searching"
    hand.qtbot.waitUntil(lambda: requested.state in ("ready", "failed"), timeout=240_000)
    return requested


def typed(sizing, name, text):
    edit = sizing.forms[sizing.what].widgets[name].focusProxy()
    click(edit)
    edit.selectAll()
    QTest.keyClicks(edit, text)


def draw_link(hand):
    """A link of 200 mm on a pin at the origin."""
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("200,0⏎⏎")
    (body,) = hand.mechanism.bodies.values()
    return body


@pytest.mark.slow
def test_a_crank_gets_a_counterweight_and_a_flywheel(hand):
    before = draw_link(hand)
    hand.type("m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    sizing, document = panel_of(hand), hand.studio.document
    sizing.choose("flywheel")
    typed(sizing, "ripple", "0.01")
    requested = found(hand, sizing)
    assert requested.state == "ready", requested.sentence
    assert requested.result.figure("ripple").value == pytest.approx(0.01, rel=1e-2)
    assert sizing.results is not None and sizing.apply_button.isVisible()
    click(sizing.apply_button)
    (crank,) = hand.mechanism.bodies.values()
    assert len(crank.shapes) == len(before.shapes) + 1
    assert not sizing.apply_button.isEnabled() and sizing.results is not None
    # one step takes it back, and what was reported of it goes
    assert document.undo_label == "Add flywheel"
    QTest.keyClick(hand.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert hand.mechanism.bodies[crank.id] == before
    assert sizing.results is None
    sizing.choose("counterweights")
    requested = found(hand, sizing)
    assert requested.state == "ready", requested.sentence
    click(sizing.apply_button)
    center = mass_properties(hand.mechanism.bodies[crank.id]).center
    assert center == pytest.approx((0, center[1], 0), abs=1e-9)
    # requested again, there is nothing to add
    requested = found(hand, sizing)
    assert requested.result.additions == ()
    assert sizing.apply_button.isHidden()


@pytest.mark.slow
def test_a_lever_is_held_by_a_spring(hand):
    body = draw_link(hand)
    sizing = panel_of(hand)
    sizing.choose("gravity")
    typed(sizing, "height", "100 mm")
    typed(sizing, "reach", "150 mm")
    requested = found(hand, sizing)
    assert requested.state == "ready", requested.sentence
    click(sizing.apply_button)
    (spring,) = hand.mechanism.forces.values()
    mass = mass_properties(body)
    moment = mass.mass * 9.81 * mass.center[0]
    stiffness = spring.parameters["stiffness"].value
    assert stiffness * 0.1 * 0.15 == pytest.approx(moment, rel=1e-6)
    assert spring.parameters["free_length"].value == 0.0


@pytest.mark.slow
def test_a_refusal_is_a_sentence_and_cancel_acts_at_once(hand):
    draw_link(hand)
    sizing = panel_of(hand)
    sizing.choose("motor")
    widgets = sizing.forms["motor"].widgets.values()
    assert len({w.mapTo(sizing, QtCore.QPoint()).x() for w in widgets}) == 1
    requested = found(hand, sizing)
    assert requested.state == "failed"
    assert "No drive or motor" in sizing.words.text()
    sizing.choose("gravity")
    click(sizing.button)
    assert sizing.button.text() == "Cancel"
    click(sizing.button)
    assert requested.state == "idle"
    assert sizing.results is None
