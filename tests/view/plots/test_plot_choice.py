"""Quantities of plots are chosen in their heads; runs are kept and lie under later ones; reactions
stand in the inspector and go from tables into plots.
"""

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector.elements.reactions import _Reactions
from mechstudio.view.widgets.form import Fold

Qt = QtCore.Qt
FX = "measured/reactions/joint/A/Fx"


@pytest.fixture
def short(window, qtbot):
    """A run of a tenth of a second, made."""
    window.set_workspace("analyse")
    document = window.studio.document
    document.commit(
        "Shorter", elements.set_quantity(document.project, "settings", ("duration",), "100 ms")
    )
    ran(window, qtbot)
    yield window
    window.studio.runs.kept.forget()
    window.studio.questions.analyses.cancel()
    window.docks.pages.chosen.emit("equations")


def ran(window, qtbot):
    window.studio.runs.simulate()
    qtbot.waitUntil(
        lambda: window.studio.runs.recording is not None and window.studio.runs.recording.finished
    )


def offered(window, pane, key):
    menu = window.docks.plots[pane].menu
    menu.fill()
    return next(
        a
        for m in (menu.menu_, *menu.menu_.findChildren(QtWidgets.QMenu))
        for a in m.actions()
        if a.objectName() == key
    )


def click(button):
    QtTest.QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def shown(window, pane):
    turns().finish()
    return [c.key for c in window.docks.plots[pane]._pane.curves]


def drawn(window, pane, key):
    turns().finish()
    window.docks.plots[pane].follow()
    y = window.docks.plots[pane].area._curves[key].yData
    return 0 if y is None else len(y)


def test_a_quantity_is_chosen_and_taken_away(short):
    first = short.docks.plots[0]
    offered(short, 0, "joint/B/0").trigger()
    assert short.studio.document.undo_label == "Plot B angle" and drawn(short, 0, "joint/B/0") > 1
    assert offered(short, 0, "joint/B/0").isChecked() and list(first.legend.words) == [
        "joint/A/0",
        "joint/B/0",
    ]
    offered(short, 0, "joint/A/0").trigger()
    assert shown(short, 0) == ["joint/B/0"]
    # an error alone is never hidden
    turns().finish()
    assert "energy/balance" in short.docks.plots[1].area.hidden
    for key in ("energy/kinetic", "energy/potential", "energy/total"):
        offered(short, 1, key).trigger()
    assert shown(short, 1) == ["energy/balance"] and drawn(short, 1, "energy/balance") > 1
    for _ in range(5):
        edit.undo(short.studio)
    assert shown(short, 0) == ["joint/A/0"]


def test_two_ways_of_running_lie_in_one_plot(short, qtbot):
    studio, pane = short.studio, short.docks.plots[2]
    short.actions_.trigger("keep_run")
    assert not short.actions_.by_id["keep_run"].isEnabled(), "it is kept once"
    studio.document.commit(
        "RK4",
        elements.set_attribute(
            studio.document.project,
            fields.SETTINGS,
            integrator="rk4",
            formulation="absolute",
            drift="baumgarte",
        ),
    )
    ran(short, qtbot)
    turns().finish()
    pane.follow()
    assert [len(line.yData) for line in pane.area._kept] == [
        drawn(short, 2, "constraint/position"),
        drawn(short, 2, "constraint/velocity"),
    ]
    word = pane.legend.words["kept/0"]
    assert word.text().startswith("DOP853") and "joint coordinates" in word.toolTip()
    # hidden by a click, and forgotten with the document
    pane._toggle("kept/0")
    pane.follow()
    assert all(line.yData is None or not len(line.yData) for line in pane.area._kept)
    short.actions_.trigger("forget_runs")
    turns().finish()
    assert studio.runs.kept.runs == () and "kept/0" not in pane.legend.words


def test_reactions_in_the_inspector_the_plot_and_the_table(short, qtbot):
    studio, inspector = short.studio, short.docks.inspector
    studio.selection.select("A")
    fold = next(f for f in inspector.parts(Fold) if f.title == "Reactions")
    fold.set_open(True)
    part = inspector.parts(_Reactions)[0]
    qtbot.waitUntil(lambda: part.readings["Fx"].text() != "–", timeout=240_000)
    assert part.readings["Fx"].text().endswith("N") and part.readings["Mx"].text().endswith("N·m")
    assert "Fz, Mx, My: not determined by rigid bodies" in part.words.text()
    click(part.plot)
    assert studio.document.undo_label == "Plot the reaction of A" and drawn(short, 0, FX) > 1
    # what is not determined is dotted
    curves = short.docks.plots[0].area._curves
    style = lambda component: curves[f"measured/reactions/joint/A/{component}"].opts["pen"].style()
    assert style("Fx") == Qt.PenStyle.SolidLine and style("Fz") == Qt.PenStyle.DotLine
    # world axes are another question, whose answer has other numbers
    part.axes.choose("world")
    assert part.readings["Fx"].text() == "–"
    qtbot.waitUntil(lambda: part.readings["Fx"].text() != "–", timeout=240_000)
    part.axes.choose("joint")
    # the whole table, and from there columns into the plot
    inspector.analysis_wanted.emit("reactions", "joint")
    panel = short.docks.analyses
    qtbot.waitUntil(lambda: studio.questions.analyses.state == "ready", timeout=240_000)
    assert not panel.isHidden() and not panel.plot.isHidden()
    panel.table.selectColumn(5)
    click(panel.plot)
    assert shown(short, 0) == ["measured/reactions/joint/A/My"]
    fold.set_open(False)
    studio.selection.select()
    turns().finish()
    assert studio.questions.curves.also == ()


@pytest.mark.parametrize(("name", "crowded"), [("dominoes", True), ("gripper", False)])
def test_a_crowd_says_why_its_pairs_have_no_forces(window, monkeypatch, name, crowded):
    """More pairs than have channels of their own: the menu says so where they would stand."""
    monkeypatch.setattr(
        type(window.studio.document), "project", load(sample_folder() / f"{name}.mech").project
    )
    menu = window.docks.plots[0].menu
    menu.fill()
    contacts = next(a.menu() for a in menu.menu_.actions() if a.text() == "Contacts")
    words = [a.text() for a in contacts.actions()]
    assert (
        any("more than 64 pairs may touch" in w for w in words) is crowded
        and any(w.startswith("Normal force") for w in words) is not crowded
    )
