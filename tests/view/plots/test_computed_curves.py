"""Curves computed from others, by the menu of a pane."""

import numpy as np
import pytest

from mechstudio.view.plots.menus.pane_menu import pane_menu
from tests.view.conftest import settle


def chosen(menu, *words):
    """The action of a path of words through a menu and its menus."""
    for word in words:
        action = next(a for a in menu.actions() if a.text().split("\t")[0] == word)
        assert action.isEnabled()
        menu = action.menu()
    return action


@pytest.mark.parametrize(
    ("words", "unit", "value"),
    [
        ("Derivative", "deg/s", lambda t, y: np.gradient(y, t)),
        ("Magnitude", "deg", lambda t, y: np.abs(y)),
        ("Moving mean over 0.05 s", "deg", None),
        ("Integral", "deg·s", None),
    ],
)
@pytest.mark.thinned(2)
def test_a_computed_curve_stands_beside_its_own(window, qtbot, qapp, words, unit, value):
    panel, studio = window.docks.plots_panel, window.studio
    pane = next(p for p in window.docks.plots if p.pane.curves[0].key.startswith("joint/"))
    key = pane.pane.curves[0].key
    before = studio.document.project
    menu = pane_menu(panel, studio, pane.pane.id)
    chosen(menu, "Compute", words, pane.pane.curves[0].label).trigger()
    settle(qapp)
    assert [c.unit for c in pane.pane.curves] == ["deg", unit]
    assert pane.pane.curves[1].key.endswith(key) and pane.pane.curves[1].key != key
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.count > 30)
    pane.follow()
    first, second = pane.traces()
    assert len(first.time) == len(second.time) > 30
    if value is not None:
        expected = value(first.time, first.values)
        off = np.abs(second.values - expected)[2:-2].max()
        assert off < 0.02 * np.abs(expected).max()
    assert np.isfinite(second.values[10:-10]).all()
    studio.document.undo()
    assert studio.document.project == before
