"""The strip of tools: one line that never covers much, at the edge where nothing is drawn."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui
from PySide6.QtTest import QTest

from mechstudio.view.bars.strip_place import SIDES, covered, outlines
from mechstudio.view.scene import camera as lens
from tests.view.conftest import settle

Qt = QtCore.Qt


def colourful(window):
    """Pixels of bodies below the strip: the room, its grid and its labels are grey."""
    view = window.viewport
    view.painter.refine()
    image = view.grab(window.strip.geometry()).toImage()
    image = image.convertToFormat(QtGui.QImage.Format.Format_RGB32)
    pixels = np.array(image.constBits()).reshape(image.height(), image.bytesPerLine() // 4, 4)
    pixels = pixels[..., :3].astype(int)
    return int((pixels.max(axis=2) - pixels.min(axis=2) > 90).sum())


def shifted(window, across, down):
    """Move the picture by so much [px], as a drag with Shift does, and let the strip look."""
    framing = window.viewport.framing
    framing.pan(across, down)
    window.strip_place._look()


def test_outlines_of_many_points_are_their_hull():
    """To a pixel, of a disc, of a line upright and of points in one place; what is out of sight
    counts for nothing.
    """
    rng = np.random.default_rng(1)
    turn, far = rng.uniform(0, 2 * np.pi, 30_000), 200 * np.sqrt(rng.uniform(0, 1, 30_000))
    disc = 300 + far[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    upright = np.array([[10.0, 5.0], [10.0, 90.0], [14.0, 40.0], [10.2, 20.0]])
    unseen = np.full((3, 2), np.nan)
    found = outlines([disc, unseen, upright, np.zeros((0, 2))])
    assert len(found) == 2 and found[0].size() < 1000
    assert covered(QtCore.QRect(0, 0, 600, 600), found[:1]) == pytest.approx(np.pi * 200**2, 0.01)
    assert found[0].boundingRect().width() == pytest.approx(400, abs=2)
    assert found[1].boundingRect() == QtCore.QRectF(10, 5, 4, 85)


def rested(window, qtbot):
    qtbot.waitUntil(lambda: not window.strip_place._late.isActive() and not window.docks.is_growing)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (1920, 1080)])
def test_the_strip_is_one_line_and_leaves_the_scene_free(
    window, qapp, qtbot, unstyled, percent, size
):
    window.resize(*size)
    window.studio.preferences.set(text_size=percent)
    settle(qapp)
    strip, host = window.strip, window.host
    area = strip.width() * strip.height() / (host.width() * host.height())
    assert area < 0.12 and host.rect().contains(strip.geometry())
    assert strip.size() == strip.sizeHint()
    shown = [b for b in strip.buttons.values() if b.isVisible()]
    assert len({b.geometry().x() for b in shown}) == 1, "one column"
    # what has no room is in the menu, in its order and with its own menus
    hidden = [name for name, b in strip.buttons.items() if not b.isVisible()]
    entries = strip.more.menu().actions()
    assert strip.more.isVisible() is bool(hidden) and len(entries) == len(hidden)
    assert (percent == 200) <= bool(hidden) or size == (1920, 1080)


@pytest.mark.slow
def test_a_tool_in_the_menu_is_taken_and_marked(window, qapp, unstyled):
    window.studio.preferences.set(text_size=200)
    settle(qapp)
    strip, studio = window.strip, window.studio
    assert not strip.buttons["spring"].isVisible()
    entry = next(a for a in strip.more.menu().actions() if a.objectName() == "spring")
    entry.trigger()
    assert studio.tools.tool.type == "spring" and strip.more.isChecked()
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert not strip.more.isChecked()
    window.studio.preferences.set(text_size=100)
    settle(qapp)
    assert strip.buttons["spring"].isVisible()
    # the menus that it lent are still its own
    assert strip.buttons["Body"].menu().actions()


def test_strip_moves_to_the_edge_where_nothing_is_drawn(window, qtbot):
    place, view = window.strip_place, window.viewport
    view.look.reduced_motion = True
    view.look.set_glyphs(False)
    view.look.set_labels(False)
    view.framing.view_from("front")
    rested(window, qtbot)
    shifted(window, 0, 0)
    assert place.side == "left" and colourful(window) == 0
    # the mechanism below it: it goes away, and no pixel of a body is below it any more
    box = np.concatenate(view.framing.bodies())
    shifted(window, 30 - box[:, 0].min(), 0)
    assert place.side != "left" and colourful(window) == 0
    assert window.host.rect().contains(window.strip.geometry())
    others = (window.badge, window.shown_button)
    assert not any(window.strip.geometry().intersects(w.geometry()) for w in others)
    # and comes back as soon as there is nothing
    shifted(window, 200, 0)
    assert place.side == "left" and colourful(window) == 0


@pytest.mark.thinned(4)
@pytest.mark.parametrize("turn", range(0, 360, 45))
def test_no_edge_is_better_than_the_one_it_takes(window, qtbot, turn):
    view, place = window.viewport, window.strip_place
    view.look.reduced_motion = True
    rested(window, qtbot)
    view.framing.fit()
    near = view.framing.camera
    view.framing.camera = lens.replaced(near, azimuth=float(turn), distance=0.7 * near.distance)
    place._look()
    bodies = outlines(view.framing.bodies())
    cost = {side: covered(place._places[side].room, bodies) for side in SIDES}
    assert cost[place.side] <= 150.0 or cost[place.side] <= 2.5 * min(cost.values())


def test_strip_stays_while_a_link_is_drawn_and_while_bodies_move(window, qtbot):
    place, view, studio = window.strip_place, window.viewport, window.studio
    view.look.reduced_motion = True
    rested(window, qtbot)
    view.framing.view_from("front")
    shifted(window, 0, 0)
    studio.tools.take("link")
    box = np.concatenate(view.framing.bodies())
    shifted(window, -box[:, 0].min(), 0)
    assert place.side == "left" and place._late.isActive()
    studio.tools.take("select")
    qtbot.waitUntil(lambda: place.side != "left")
