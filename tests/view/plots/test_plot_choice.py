"""Quantities of plots are chosen in their heads; runs are kept and lie under later ones; reactions
stand in the inspector and go from tables into plots.
"""

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.resources import sample_folder
from mechstudio.curves.quantities import quantities
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector.elements.reactions import _Reactions
from mechstudio.view.widgets.form import Section
from tests.view.conftest import settle

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


def tick(window, pane, key):
    """Open the list of a pane by its plus, tick a quantity by a click on its box, close by Escape;
    True if it is ticked now.
    """
    click(window.docks.plots[pane].plus)
    chooser = window.docks.plots_panel.chooser
    QtTest.QTest.keyClicks(chooser.search, offer(window, key).name)
    row = chooser.row_of(key)
    chooser.tree.scrollTo(row)
    box = chooser.tree.visualRect(row)
    at = QtCore.QPoint(box.left() + 10, box.center().y())
    QtTest.QTest.mouseClick(chooser.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    on = Qt.CheckState(chooser.row_of(key).data(Qt.ItemDataRole.CheckStateRole))
    assert chooser.isVisible(), "it stays open"
    QtTest.QTest.keyClick(chooser.search, Qt.Key.Key_Escape)
    assert window.docks.plots_panel.chooser is None
    return on == Qt.CheckState.Checked


def test_escape_closes_the_list_from_its_rows_too(window):
    selection = window.studio.selection
    selection.select("A")
    click(window.docks.plots[0].plus)
    chooser = window.docks.plots_panel.chooser
    place = chooser.tree.visualRect(chooser.rows.group(0)).center()
    QtTest.QTest.mouseClick(chooser.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chooser.tree.hasFocus()
    QtTest.QTest.keyClick(chooser.tree, Qt.Key.Key_Escape)
    assert window.docks.plots_panel.chooser is None, "one Escape closes it"
    assert selection.selected == ("A",), "and leaves what is selected"
    selection.select()


def offer(window, key):
    return quantities(window.studio.document.project)[key]


def click(button):
    QtTest.QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def shown(window, pane):
    turns().finish()
    return [c.key for c in window.docks.plots[pane].pane.curves]


def drawn(window, pane, key):
    turns().finish()
    pane = window.docks.plots[pane]
    pane.follow()
    return next((len(t.values) for t in pane.area.drawn if t.key == key), 0)


def test_a_quantity_is_chosen_and_taken_away(short):
    first = short.docks.plots[0]
    assert tick(short, 0, "joint/B/0")
    assert short.studio.document.undo_label == "Plot B angle" and drawn(short, 0, "joint/B/0") > 1
    assert [e.key for e in first.legend.entries] == ["joint/A/0", "joint/B/0"]
    assert not tick(short, 0, "joint/A/0")
    assert shown(short, 0) == ["joint/B/0"]
    # an error alone is never hidden
    turns().finish()
    assert "energy/balance" in short.docks.plots[1].hidden
    for key in ("energy/kinetic", "energy/potential", "energy/total"):
        tick(short, 1, key)
    assert shown(short, 1) == ["energy/balance"] and drawn(short, 1, "energy/balance") > 1
    for _ in range(5):
        edit.undo(short.studio)
    assert shown(short, 0) == ["joint/A/0"]


def test_groups_that_were_closed_stay_so_after_a_search(window):
    window.set_workspace("analyse")
    window.studio.selection.select("coupler")
    click(next(iter(window.docks.plots)).plus)
    chooser = window.docks.plots_panel.chooser
    groups = lambda: [chooser.rows.group(k) for k in range(chooser.rows.rowCount())]
    is_open = chooser.tree.isExpanded
    assert any(is_open(group) for group in groups())
    for group in groups():
        chooser.tree.collapse(group)
    QtTest.QTest.keyClicks(chooser.search, "energy")
    assert all(is_open(group) for group in groups())
    chooser.search.clear()
    assert len(groups()) > 2 and not any(is_open(group) for group in groups())
    # it stands at the side with more room, six pixels off, and within the window
    wide, tall = window.width(), window.height()
    for left, width, top, x, y in (
        (100, 50, 300, 100 + 50 + 5, 240),
        (wide - 150, 50, 300, wide - 150 - chooser.width() - 6, 240),
        (wide - 150, 50, 20, wide - 150 - chooser.width() - 6, 8),
        (0, 40, tall, 45, tall - chooser.height() - 8),
        (20, wide - 30, 300, 8, 240),
    ):
        chooser.place(QtCore.QRect(left, top, width, 20))
        high = chooser.height()
        assert chooser.pos() == QtCore.QPoint(x, min(y, tall - high - 8)), (left, top)
        assert high <= tall - 16
    QtTest.QTest.keyClick(chooser.search, Qt.Key.Key_Escape)


def test_two_ways_of_running_lie_in_one_plot(short, qtbot):
    studio, pane = short.studio, short.docks.plots[2]
    short.actions_.trigger("keep_run")
    (earlier,) = studio.runs.kept.runs
    assert earlier.pinned and earlier.ticked
    key = f"kept/{earlier.number}"
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
    kept = lambda: [len(t.values) for t in pane.area.drawn if t.run == key]
    assert kept() == [
        drawn(short, 2, "constraint/position"),
        drawn(short, 2, "constraint/velocity"),
    ]
    words = {e.key: e for e in pane.legend.entries}
    assert words[key].word.startswith("DOP853") and "joint coordinates" in words[key].word
    assert f"{earlier.title}: as drawn" in words[key].tip
    # in tables every column names its run, and so does every line of the statistics
    panel = short.docks.plots_panel
    names = [c.name for c in panel.exporter.table(panel.all_shown())[1:]]
    assert len(set(names)) == len(names)
    runs = {name.rpartition(" (")[2].rstrip(")") for name in names}
    assert len(runs) == 2 and "this run" in runs
    errors = [t.name for t in pane.traces()]
    assert len(set(errors)) == 4 and sum("DOP853" in name for name in errors) == 2
    # hidden by a click, and forgotten with the document
    pane.toggle(key)
    pane.follow()
    assert kept() == [0, 0]
    pane.toggle(key)
    # one quantity of two runs: each has its own hue and dash
    turns().finish()
    first = short.docks.plots[0]
    first.follow()
    now, before = first.area.drawn
    assert (
        now.color != before.color and now.dash != before.dash and before.word.startswith("DOP853")
    )
    studio.runs.kept.set_pinned(earlier, False)
    short.actions_.trigger("forget_runs")
    turns().finish()
    pane.follow()
    assert studio.runs.kept.runs == (studio.runs.present,)
    assert key not in [e.key for e in pane.legend.entries]


def test_an_export_names_what_is_still_being_found(short, qtbot, tmp_path):
    """Neither a table nor a picture leaves a curve out without a word."""
    studio, panel = short.studio, short.docks.plots_panel
    id = short.docks.plots[0].pane.id
    short.docks.plots[0].take([FX])
    turns().finish()
    for name in ("table.csv", "picture.svg"):
        with qtbot.waitSignal(panel.exporter.saved, timeout=60_000):
            panel.exporter.save([panel.shown(id)], tmp_path / name)
        message = studio.notifications.messages[-1]
        assert message.kind == "warning" and f"{name} is saved" in message.text
        assert "still being found: Force in A: x, joint axes." in message.text
    assert "Force in A" not in (tmp_path / "table.csv").read_text("utf-8").splitlines()[0]
    studio.document.undo()
    turns().finish()
    with qtbot.waitSignal(panel.exporter.saved, timeout=60_000):
        panel.exporter.save([panel.shown(id)], tmp_path / "whole.csv")
    assert studio.notifications.messages[-1].text == f"whole.csv is saved in {tmp_path}."


def test_the_run_before_lies_grey_below_where_none_is_ticked(short, qtbot, monkeypatch):
    studio, pane = short.studio, short.docks.plots[2]
    studio.document.commit(
        "Longer crank", elements.set_quantity(studio.document.project, "L1", ("value",), "140 mm")
    )
    ran(short, qtbot)
    turns().finish()
    pane.follow()
    first, second = studio.runs.kept.runs
    assert second.note == "L1 = 140 mm"
    before = [t for t in pane.area.drawn if t.run == f"kept/{first.number}"]
    assert [t.color for t in before] == [-1, -1] and all(len(t.values) for t in before)
    # it is cut off where it goes beyond the present one, and stands in no numbers and no file
    angle, panel = short.docks.plots[0], short.docks.plots_panel
    angle.follow()
    scale = lambda: angle.area._box.viewRange()[1]
    own = scale()
    far = [t._replace(values=100.0 * t.values) if t.before else t for t in angle.traces()]
    monkeypatch.setattr(angle.area, "_source", lambda: far)
    angle.area.refresh()
    assert max(len(t.values) for t in angle.area.drawn if t.before) > 1
    assert scale() == own
    assert all(not t.before for _, traces in panel.all_shown() for t in traces)
    heads = [c.name for c in panel.exporter.table(panel.all_shown())]
    assert heads[:2] == ["time", "A angle"] and not any("(" in head for head in heads)
    studio.plots.activate(pane.pane.id)
    panel.numbers.refresh()
    assert [t.run for t, _ in panel.numbers.numbers] == ["", ""]
    # unticked by hand, it is not shown at all
    assert studio.runs.beside == [first]
    studio.runs.kept.set_ticked(first, True)
    assert studio.runs.beside == [first] and not any(t.before for t in pane.traces())
    studio.runs.kept.set_ticked(first, False)
    assert studio.runs.beside == [] and not any(t.run for t in pane.traces())
    # undone, the first run is the present one again, and is not run again
    studio.document.undo()
    studio.runs.play()
    assert studio.runs.recording is first.recording and not studio.runs.is_running
    studio.runs.playback.pause()


def test_reactions_in_the_inspector_the_plot_and_the_table(short, qtbot):
    studio, inspector = short.studio, short.docks.inspector
    studio.selection.select("A")
    section = next(f for f in inspector.parts(Section) if f.title == "Reactions")
    section.set_open(True)
    part = inspector.parts(_Reactions)[0]
    qtbot.waitUntil(lambda: part.readings["Fx"].text() != "–", timeout=240_000)
    assert part.readings["Fx"].text().endswith("N") and part.readings["Mx"].text().endswith("N·m")
    assert "Fz, Mx, My: not determined by rigid bodies" in part.words.text()
    click(part.plot)
    assert studio.document.undo_label == "Plot the reaction of A" and drawn(short, 0, FX) > 1
    # what is not determined is pale, and its word says so
    turns().finish()
    short.docks.plots[0].follow()
    words = {e.key[-2:]: e for e in short.docks.plots[0].legend.entries}
    assert words["Fz"].faint and not words["Fx"].faint
    assert "Not determined" in words["Fz"].tip and "Not determined" not in words["Fx"].tip
    # world axes are another question, whose answer has other numbers
    part.axes.choose("world")
    assert part.readings["Fx"].text() == "–"
    qtbot.waitUntil(lambda: part.readings["Fx"].text() != "–", timeout=240_000)
    part.axes.choose("joint")
    # the whole table, and from there columns into the plot
    inspector.analysis_requested.emit("reactions", "joint")
    panel = short.docks.analyses
    qtbot.waitUntil(lambda: studio.questions.analyses.state == "ready", timeout=240_000)
    assert not panel.isHidden() and not panel.plot.isHidden()
    panel.table.selectColumn(5)
    click(panel.plot)
    assert shown(short, 0) == ["measured/reactions/joint/A/My"]
    section.set_open(False)
    studio.selection.select()
    turns().finish()
    assert studio.questions.curves.also == ()


@pytest.mark.parametrize(("name", "crowded"), [("dominoes", True), ("gripper", False)])
def test_a_crowd_says_why_its_pairs_have_no_forces(window, monkeypatch, name, crowded):
    """More pairs than have channels of their own: the menu says so where they would stand."""
    monkeypatch.setattr(
        type(window.studio.document), "project", load(sample_folder() / f"{name}.mech").project
    )
    chooser = window.docks.plots_panel.open_chooser(window.docks.plots[0].pane.id)
    assert ("more than 64 pairs may touch" in chooser.foot.text()) is crowded
    QtTest.QTest.keyClicks(chooser.search, "normal force")
    rows = [q.name for those in chooser.rows.groups.values() for q in those]
    assert any(w.startswith("Normal force") for w in rows) is not crowded
    chooser.close()


def test_a_search_asks_for_the_rows_in_sight_alone(window, monkeypatch):
    """Rows that are not in sight cost nothing, however many a search finds: each letter that is
    typed is found before the next one.
    """
    project = load(sample_folder() / "double_wishbone.mech").project
    monkeypatch.setattr(type(window.studio.document), "project", project)
    chooser = window.docks.plots_panel.open_chooser(window.docks.plots[0].pane.id)
    requested, of_row = [], chooser.rows._of_row
    monkeypatch.setattr(chooser.rows, "_of_row", lambda *q: requested.append(q) or of_row(*q))
    read = []
    monkeypatch.setattr(chooser, "_value", lambda key: read.append(key) or 0.0)
    found = []
    for letter in "arm":
        requested.clear(), read.clear()
        QtTest.QTest.keyClicks(chooser.search, letter)
        settle(QtWidgets.QApplication.instance())
        found.append(sum(len(those) for those in chooser.rows.groups.values()))
        in_sight = chooser.tree.viewport().height() // chooser.tree.sizeHintForRow(0) + 2
        assert 0 < len(set(read)) <= in_sight < 40
        assert len(requested) < 100 * in_sight
    assert min(found) > 140
    chooser.close()


def test_long_names_of_quantities_can_be_distinguished(window):
    """Names that begin alike keep their ends, and their tips give them in full."""
    chooser = window.docks.plots_panel.open_chooser(window.docks.plots[0].pane.id)
    tree, name = chooser.tree, "Angular velocity of coupler"
    QtTest.QTest.keyClicks(chooser.search, name)
    names = [q.name for those in chooser.rows.groups.values() for q in those]
    assert len(names) == 7 and all(n.startswith(name) for n in names)
    room = tree.columnWidth(0) - 2 * tree.indentation() - 24
    shown = [tree.fontMetrics().elidedText(n, tree.textElideMode(), room) for n in names]
    assert len(set(shown)) == len(names), shown
    key = chooser.rows.groups["Bodies"][0].key
    assert chooser.row_of(key).data(Qt.ItemDataRole.ToolTipRole) == names[0]
    longer = [n.replace("coupler", "the coupler of the second four-bar") for n in names]
    shown = [tree.fontMetrics().elidedText(n, tree.textElideMode(), room) for n in longer]
    assert len(set(shown)) == len(names), shown
    chooser.close()
