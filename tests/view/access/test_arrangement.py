"""The arrangement of the window, in each of its places: margins, gaps, least sizes, and what takes
the room that is left; and what widgets that paint themselves paint there.
"""

import sys
from collections.abc import Iterator

import pytest
from PySide6 import QtWidgets

from mechstudio.view.equations.formula import Formula
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.sheet import ExportSheet
from mechstudio.view.plots.frames import _Handle
from mechstudio.view.plots.legend import Legend
from mechstudio.view.scene.viewport import Viewport
from tests.view.access.arrangement import arrangement
from tests.view.access.walk import places, turn
from tests.view.recorder import own_painted, painted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
# pictures that are found elsewhere, or take the room that others leave
LATE = (Viewport, Screen, ExportSheet, Formula, Legend, _Handle)
# pages beside the workspaces, by the action that opens each
PAGES = ("study", "synthesis", "start_page", "history")


@pytest.fixture
def run(make_window, four_bar, qtbot):
    """A window of its own with a run, in its middle: pages that were open leave traces in it."""
    window = make_window(four_bar)
    runs = window.studio.runs
    runs.simulate()
    qtbot.waitUntil(lambda: runs.recording is not None and runs.recording.complete)
    runs.playback.pause()
    runs.playback.seek(1.0)
    return window


def everywhere(window) -> Iterator[tuple[str, QtWidgets.QWidget]]:
    """Places of the window, and its pages."""
    yield from places(window)
    for action in PAGES:
        window.actions_.by_id[action].trigger()
        turn()
        yield action, window
        if action == "study":
            # with its views too, which come with the first run
            window.study.blank.hide()
            window.study._grid.show()
            turn()
            yield action, window
    window.set_workspace("build")


def searches(root: QtWidgets.QWidget) -> bool:
    """Return whether a film's page still looks for the cycle of the run."""
    labels = root.findChildren(QtWidgets.QLabel)
    return any(x.isVisible() and x.text() == "Looking for the cycle…" for x in labels)


def test_places_are_arranged_and_painted_as_approved(run, approved, monkeypatch, qtbot):
    lines: set[str] = set()
    strokes: dict[str, list[str]] = {}
    # equations come when they are derived
    equations = run.docks.by_key["equations"]
    for _, root in everywhere(run):
        qtbot.waitUntil(lambda root=root: not searches(root))
        lines.update(arrangement(root, equations))
        for widget in own_painted(root):
            if not (isinstance(widget, LATE) or equations.isAncestorOf(widget)):
                words = f"# {type(widget).__name__} {widget.accessibleName()}"
                # the same in several places is said once
                strokes.setdefault(words, painted(widget, monkeypatch))
    approved.holds("arrangement.txt", "\n".join(sorted(lines)) + "\n")
    painted_lines = [line for words, calls in sorted(strokes.items()) for line in (words, *calls)]
    approved.holds("strokes_of_widgets.txt", "\n".join(painted_lines) + "\n")
