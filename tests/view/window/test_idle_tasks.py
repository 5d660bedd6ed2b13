"""Work that waits its turn: pictures go between, pages of the inspector are seen whole or not at
all, plots are kept.
"""

import time

import pytest
from PySide6 import QtCore

from mechstudio.application.actions import edit
from mechstudio.application.plots.choice import with_curves
from mechstudio.model.edits import elements
from mechstudio.model.project import Plot
from mechstudio.model.quantity import Quantity
from mechstudio.view.idle_tasks import GAP_MS, MOST_GAPS, Turns, turns
from mechstudio.view.inspector import inspector as inspector_module
from mechstudio.view.widgets.fields.number_field import NumberField
from mechstudio.view.widgets.form import Text


def compute(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.fixture
def order(qapp, qtbot):
    """List of events, the turns and the owner of a piece of work."""
    own, owner = Turns(), QtCore.QObject()
    yield [], own, owner
    own.drop(owner)
    own.deleteLater()


def test_a_piece_of_work_goes_after_what_is_due_with_it(order, qtbot):
    """Timers that are due together fire in one turn; a picture shall not have to wait for the work,
    nor the keys for both.
    """
    happened, own, owner = order
    QtCore.QTimer.singleShot(GAP_MS + 2, lambda: happened.append("picture"))
    own.soon(owner, lambda: happened.append("work"))
    compute(0.03)
    qtbot.waitUntil(lambda: len(happened) == 2)
    assert happened == ["picture", "work"]


def test_idle_task_runs_after_a_bounded_wait(order, qtbot):
    happened, own, owner = order
    busy = QtCore.QTimer(interval=1)
    busy.timeout.connect(lambda: (compute(0.02), happened.append("busy")))
    busy.start()
    own.soon(owner, lambda: happened.append("work"))
    qtbot.waitUntil(lambda: "work" in happened)
    busy.stop()
    assert happened.index("work") <= 2 * (MOST_GAPS + 1)


def test_failed_task_does_not_delay_later_tasks(order, qtbot):
    happened, own, owner = order
    other = QtCore.QObject()

    def fail():
        raise ValueError("on purpose")

    own.soon(owner, fail)
    own.soon(other, lambda: happened.append("other"))
    with qtbot.captureExceptions() as raised:
        qtbot.waitUntil(lambda: happened == ["other"])
    assert [str(error) for _, error, _ in raised] == ["on purpose"]


@pytest.fixture
def piecemeal(window, monkeypatch):
    """The window's inspector without kept pages, which makes one line in each turn."""
    monkeypatch.setattr(inspector_module, "STEP", 0.0)
    panel = window.docks.inspector
    panel._leaves.forget()
    yield panel
    window.studio.selection.select()
    turns().finish()


def turn():
    turns()._timer.stop()
    turns()._next()


def fields_seen(panel):
    return {(n.id, n.field.path) for n in panel.findChildren(NumberField) if n.isVisible()}


def test_a_page_is_seen_whole_or_not_at_all(window, piecemeal):
    panel, studio = piecemeal, window.studio
    before, steps = fields_seen(panel), 0
    assert before
    studio.selection.select("crank")
    while turns().waits(panel):
        assert fields_seen(panel) == before and len(panel.findChildren(NumberField)) >= len(before)
        turn()
        steps += 1
    after = fields_seen(panel)
    assert steps > 4 and {id for id, _ in after} == {"crank"} and panel._draft is None
    # at once it is the same
    panel._leaves.forget()
    panel._signature = None
    panel.refresh()
    assert fields_seen(panel) == after


def test_a_page_that_is_no_longer_needed_is_discarded(window, piecemeal, qapp):
    panel, studio = piecemeal, window.studio
    studio.selection.select("crank")
    for _ in range(3):
        turn()
    first = panel._draft
    studio.selection.select("A")
    turn()
    assert panel._draft is not first and panel._draft.leaf.id == "A"
    turns().finish()
    qapp.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    assert (
        panel.leaf.id == "A" and panel._draft is None and first.leaf.widget not in panel.children()
    )


def test_a_page_that_an_edit_overtakes_shows_the_edit(window, piecemeal):
    panel, studio = piecemeal, window.studio
    studio.selection.select("crank")
    for _ in range(4):
        turn()
    studio.document.commit(
        "Heavier",
        elements.set_attribute(studio.document.project, "crank", mass=Quantity(2.5), name="handle"),
    )
    turns().finish()
    panel.opened.add("Mass and inertia")
    assert panel.number(("mass",)).edit.text().startswith("2.5")
    assert panel.parts(Text)[0].edit.text() == "handle"


def test_a_plot_is_kept_and_shown_again(window, qtbot):
    """To make one takes many times as long as to lay other curves into it."""
    studio = window.studio
    turns().finish()
    before = studio.document.project
    plots = (
        Plot(
            "energy",
            "Energy",
            ("energy/kinetic", "energy/potential", "energy/total", "energy/balance"),
        ),
    )
    studio.document.commit("Other plots", elements.replace(before, plots=plots))
    turns().finish()
    plots = window.docks.plots
    assert len(plots) == 1 and plots[0].area is not None
    assert [t.key for t in plots[0].traces()] == list(studio.document.project.plots[0].channels)
    assert plots[0].hidden == {"energy/balance"}
    edit.undo(studio)
    turns().finish()
    assert len(window.docks.plots[0].pane.curves) == 1
    qtbot.waitUntil(lambda: all(p.area is not None for p in window.docks.plots))
    # the same pane with other curves keeps its area
    area, plot = window.docks.plots[0].area, window.docks.plots[0]
    studio.document.commit(
        "Other curve",
        with_curves(studio.document.project, plot.pane.id, ["joint/B/0"], True).project,
    )
    turns().finish()
    assert window.docks.plots[0] is plot and plot.area is area
    edit.undo(studio)
    turns().finish()


def test_hidden_analyses_follow_when_they_are_shown(window, monkeypatch):
    panel, requested = window.docks.analyses, []
    panel.place, refresh = "gone", panel.refresh
    monkeypatch.setattr(panel, "refresh", lambda: (requested.append(1), refresh()))
    window.studio.selection.select("A")
    assert not panel.isVisible() and not requested and panel.place == "gone"
    window.docks.pages.chosen.emit("analyses")
    assert requested and panel.place == ""
    window.docks.pages.chosen.emit("equations")
