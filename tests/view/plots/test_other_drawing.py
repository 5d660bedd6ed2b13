"""Panes of one drawing serve the next one, with nothing of what was done to them."""

import pytest
from PySide6 import QtCore

from mechstudio.application.resources import sample_folder
from tests.view.conftest import settle


@pytest.mark.parametrize("name", ["four_bar", "double_pendulum"])
def test_panes_of_another_drawing_begin_anew(window, qapp, name):
    """Those of the same drawing, and those of one with other panes: the widgets stay."""
    before = set(window.docks.plots)
    for pane in before:
        pane.area._by_hand = (-3.0, 3.0)
        pane.hidden |= {c.key for c in pane.pane.curves}
        pane.differences.add("measured")
    assert window.studio.files.open(sample_folder() / f"{name}.mech")
    settle(qapp)
    after = window.docks.plots
    assert len(before & set(after)) == min(len(before), len(after)) > 1
    ids = list(window.docks.plots_panel.panes)
    assert [pane.pane.id for pane in after] == ids
    for pane in after:
        shown = {c.key for c in pane.pane.curves if not c.hidden}
        assert pane.area._by_hand is None and not pane.differences
        assert not pane.hidden & shown and shown, pane.pane.id
        assert pane.title.text()


def test_the_head_of_a_reused_pane_speaks_of_the_pane_that_it_shows(window, qapp):
    """An empty drawing has other panes, which begin in widgets of the four-bar's."""
    panel = window.docks.plots_panel
    earlier = {pane: id for id, pane in panel.panes.items()}
    window.studio.files.new()
    settle(qapp)
    reused = {id: pane for id, pane in panel.panes.items() if pane in earlier}
    assert reused and all(earlier[pane] != id for id, pane in reused.items())
    for id, pane in reused.items():
        for signal, value in (
            (pane.quantities_requested, ()),
            (pane.menu_requested, (QtCore.QPoint(0, 0),)),
        ):
            window.studio.plots.activate("")
            signal.emit(*value)
            assert window.studio.plots.pane == id
        panel.chooser.close()
        panel.menu.close()
