"""The curve of a whole turn in the real window: by Shift+T, without playing, both branches,
cancelled and gone with its mark.
"""

import numpy as np
import pytest
from PySide6 import QtCore

from mechstudio.application.marks.whole_turns import DOUBLE
from mechstudio.tokens import body_color
from tests.view.hands import press
from tests.view.marks.test_trails import changed, near, picture

Qt = QtCore.Qt


def test_shift_t_draws_both_branches_without_playing(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    view.framing.fit()
    studio.selection.select("coupler")
    before = picture(window)
    view.setFocus()
    press(window, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    turns = studio.marks.whole_turns
    qtbot.waitUntil(lambda: turns.progress is not None)
    qtbot.waitUntil(lambda: turns.result is not None, timeout=90_000)
    qtbot.waitUntil(lambda: len(view.look.paths) >= 2)
    m = studio.document.project.mechanism
    mark = studio.document.project.marks[0]
    drawn, other = turns.turns(studio.marks.body_point(mark))
    assert (drawn.drawn, other.drawn) == (True, False)
    # the drawn place of the point lies on the curve
    at = studio.marks.body_point(mark)
    from mechstudio.application.scene.instances import rotate

    row = view.shown.poses[view.shown.scene.bodies.index("coupler")]
    place = row[4:7] + rotate(row[None, :4], np.array([at.local]))[0]
    assert np.linalg.norm(drawn.points - place, axis=1).min() < 1e-6
    after = picture(window)
    fresh = changed(before, after) & near(after, body_color("light", m.bodies["coupler"].color), 90)
    for turn, share in ((drawn, 0.6), (other, 0.25)):  # the second one is dotted
        flat = view.framing.world_to_pixel(turn.points).round().astype(int)
        seen = [fresh[y - 2 : y + 3, x - 2 : x + 3].any() for x, y in flat]
        assert np.mean(seen) > share
    assert {n.kind for n in studio.marks.notes()} <= {DOUBLE, "cusp"}
    # the crank may turn on: no run was needed
    press(window, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert studio.document.project.marks == () and view.look.paths == ()


@pytest.mark.slow
def test_a_search_is_cancelled_by_hiding_the_curve(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    studio.selection.select("B")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    turns = studio.marks.whole_turns
    qtbot.waitUntil(lambda: turns.progress is not None)
    press(window, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: turns.progress is None)
    assert window.viewport.look.paths == ()
