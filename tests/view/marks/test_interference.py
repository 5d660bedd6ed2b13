"""Interference in the real window: found in the background after a run, shown at its time and
place, one click away from its row.
"""

import pytest
from PySide6 import QtCore

import mechstudio as ms
from mechstudio.files.project_file import encode
from tests.view.hands import press
from tests.view.marks.test_figures import opened, tick
from tests.view.marks.test_trails import run

Qt = QtCore.Qt


@pytest.fixture
def sliding(tmp_path):
    """A block that is pushed through a wall at 1 m/s, from 0.5 m before its middle."""
    m = ms.Builder("Block and wall")
    block = m.body("block", ("-0.5 m", 0, 0)).box("0.1 m", "0.1 m", "0.1 m")
    wall = m.body("wall", (0, 0, 0)).box("0.2 m", "0.5 m", "0.5 m")
    slide = m.slider("S", m.ground, block, at=block.world(), axis=(1, 0, 0))
    m.joint("fixed", "W", m.ground, wall, at=wall.world(), axis=(0, 0, 1))
    m.drive("push", slide, speed="1 m/s")
    path = tmp_path / "block.mech"
    path.write_bytes(encode(m.project()))
    return path


def test_a_block_in_a_wall_is_shown_with_time_and_place(solved, sliding, qtbot):
    window = solved
    studio, view = window.studio, window.viewport
    assert studio.files.open(sliding)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    card = opened(window, qtbot)
    tick(card, "interference")
    assert card.figures["interference"].holds.text() == "after a run"
    press(window, Qt.Key.Key_Escape)
    run(window, qtbot, 0.0)
    found = studio.marks.interference
    qtbot.waitUntil(lambda: bool(found.overlaps), timeout=90_000)
    (overlap,) = found.overlaps
    step = studio.document.project.settings.sample_step.value
    assert overlap.bodies == ("block", "wall")
    assert overlap.begin == pytest.approx(0.35, abs=1.1 * step)
    assert overlap.end == pytest.approx(0.65, abs=1.1 * step)
    assert overlap.depth == pytest.approx(0.15, abs=1.1 * step)
    assert view.look.figures.symbols == ()
    # the row leads to the time at which they lie deepest in each other
    card = opened(window, qtbot)
    assert card._clashes.text() == "1 place"
    assert card.figures["interference"].word.toolTip().startswith("1 at ")
    menu = card._clashes.menu()
    entry = menu.actions()[0]
    assert entry.text().startswith("block and wall, 0.") and "150 mm deep" in entry.text()
    menu.popup(window.mapToGlobal(QtCore.QPoint(400, 300)))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    qtbot.waitUntil(lambda: studio.runs.playback.time == pytest.approx(overlap.deepest))
    (symbol,) = view.look.figures.symbols
    assert symbol.kind == "clash" and symbol.words.startswith("block / wall, 150 mm deep at 0.")
    assert abs(symbol.point[1]) < 1e-4 and abs(symbol.point[0]) < 0.1
    press(window, Qt.Key.Key_Escape)
    view.repaint()
    assert view.painter._furniture.placer.words
    # switched off, nothing is left of it
    window.actions_.trigger("show_interference")
    assert view.look.figures.symbols == () and studio.document.project.marks == ()
