"""Elements are dragged out of the model tree onto panes: into the middle they join what is there,
at an edge they get a pane of their own.
"""

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.application.plots.layout import layout
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels import model_tree
from mechstudio.view.panels.model_tree import ID
from tests.application.plots.test_layout import plain
from tests.view.plots.test_columns_to_plots import drop
from tests.view.plots.test_measuring import panel, settle  # noqa: F401

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def carried(window, monkeypatch):
    """carried(id): drag a row of the tree; the quantities that the pointer then carries."""
    found = []
    monkeypatch.setattr(model_tree, "drag", lambda source, keys, words: found.append(list(keys)))

    def carry(id):
        found.clear()
        tree = window.docks.tree
        row = next(
            i
            for i in tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
            if i.data(0, ID) == id
        )
        tree.scrollToItem(row)
        start = tree.visualItemRect(row).center()
        view = tree.viewport()
        QtTest.QTest.mousePress(view, LEFT, pos=start)
        for k in (8, 20, 40):
            QtTest.QTest.mouseMove(view, start + QtCore.QPoint(k, 2))
        QtTest.QTest.mouseRelease(view, LEFT, pos=start + QtCore.QPoint(40, 2))
        return found[0] if found else []

    yield carry
    window.studio.selection.select()


def keys_of(window, pane):
    turns().finish()
    return [c.key for c in window.docks.plots[pane].pane.curves]


def test_a_joint_joins_the_curves_of_a_pane(window, panel, carried):
    keys = carried("D")
    assert keys == ["joint/D/0"]
    drop(window, 0, keys)
    assert keys_of(window, 0) == ["joint/A/0", "joint/D/0"]
    assert window.studio.document.undo_label == "Plot into Crank angle"
    window.actions_.trigger("undo")
    assert keys_of(window, 0) == ["joint/A/0"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "requested"),
    [
        ((0.5, 0.95), "([plot_1 {new}] plot_2 plot_3)"),
        ((0.97, 0.5), "(plot_1 {new} plot_2 plot_3)"),
    ],
)
@pytest.mark.thinned(2)
def test_a_body_at_an_edge_makes_a_pane_of_its_speed(window, panel, carried, place, requested):
    keys = carried("coupler")
    drop(window, 0, keys, place)
    turns().finish()
    (new,) = set(panel.panes) - {"plot_1", "plot_2", "plot_3"}
    assert plain(layout(window.studio.document.project)) == requested.replace("{new}", new)
    assert [c.key for c in panel.panes[new].pane.curves] == ["resultant/body/coupler/v"]
    assert panel.panes[new].title.text() == "Velocity of coupler: resultant"
    window.actions_.trigger("undo")
    turns().finish()
    assert list(panel.panes) == ["plot_1", "plot_2", "plot_3"], "one step"


@pytest.mark.slow
def test_element_without_a_curve_is_not_draggable(window, panel, carried):
    assert carried("gravity") == []
