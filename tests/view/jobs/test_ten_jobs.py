"""The first jobs of a new user from an empty window by real mouse and keys: exact linkages, gears,
stops and a part of another program; clicks and keys are counted, and each has a known answer.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtGui

import mechstudio as ms
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.events import StopEvent
from tests import scenes
from tests.meshes import binary_stl
from tests.view.hands import click, click_in_tree
from tests.view.jobs.counting import hand, spent, structure_of

__all__ = ["hand"]

Qt = QtCore.Qt


def lengths(hand):
    return [distance(*link_ends(body)) for body in hand.mechanism.bodies.values()]


def joint(hand, k):
    return list(hand.mechanism.joints.values())[k]


def test_an_exact_four_bar(hand):
    """Typed from pin to pin; the rocker's angle is that of the law of cosines."""
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("110,70⏎300,10⏎")
    hand.click((0.3, 0, 0))
    hand.type("⏎")
    spent(hand, 2, 16)
    a, b, c = lengths(hand)
    corner = [0.11 * f(math.radians(70)) + 0.3 * f(math.radians(10)) for f in (math.cos, math.sin)]
    assert (a, b) == pytest.approx((0.11, 0.3), abs=1e-15)
    assert c == pytest.approx(math.dist(corner, (0.3, 0)), abs=1e-12)
    structure = structure_of(hand)
    assert (structure.mobility, structure.loops) == (1, 1)
    project, d = hand.studio.document.project, 0.3
    names = [j.name for j in project.mechanism.joints.values()]
    drawn = ms.check(project).coordinates
    for turn in (0.2, -0.4):
        after = ms.at(project, names[0], drawn[0][0] + turn).mechanism
        tip, end = (
            after.frame_in_world(after.joints[id].frame_a)[0] for id in list(after.joints)[1:3]
        )
        assert (distance(tip, (0, 0, 0)), distance(tip, end)) == pytest.approx((a, b), abs=1e-9)
        # the diagonal from the crank's tip to the rocker's pin, and both triangles on it
        diagonal = distance(tip, (d, 0, 0))
        cosine = (diagonal**2 + c**2 - b**2) / (2 * diagonal * c)
        u, v = np.subtract(tip, (d, 0, 0)), np.subtract(end, (d, 0, 0))
        assert u @ v / (diagonal * c) == pytest.approx(cosine, abs=1e-9)


def test_a_slider_crank(hand):
    """Drawn in line: the pin on the ground stands at r cos(a) + sqrt(l^2 - r^2 sin^2(a))."""
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("100,0⏎p300,0⏎⏎")
    spent(hand, 1, 16)
    assert lengths(hand) == pytest.approx([0.1, 0.3], abs=1e-15)
    structure = structure_of(hand)
    assert (structure.mobility, structure.loops) == (1, 1)
    project = hand.studio.document.project
    crank, last = joint(hand, 0), joint(hand, -1)
    rod = list(project.mechanism.bodies)[1]
    pin = next(frame for frame in (last.frame_a, last.frame_b) if frame.body == rod)
    for degrees in (50, -50, 120):
        angle = math.radians(degrees)
        x, _, z = ms.at(project, crank.name, angle).mechanism.frame_in_world(pin)[0]
        said = 0.1 * math.cos(angle) + math.sqrt(0.09 - 0.01 * math.sin(angle) ** 2)
        assert (x, z) == pytest.approx((said, 0.0), abs=1e-9)


def test_two_gears_by_their_discs(hand):
    """Discs of 40 and 80 mm that touch, hinged and meshed: two turns to one, the other way."""
    hand.type("bd0,0⏎40⏎⏎")
    hand.type("bd120,0⏎80⏎⏎␛")
    for x in (0, 0.12):
        hand.type("j")
        hand.click((x, 0, 0))
        hand.type("␛")
    hand.palette("gear pair")
    hand.click((0, 0, 0))
    hand.type("⏎")
    hand.click((0.12, 0, 0))
    spent(hand, 4, 60)
    (gears,) = hand.mechanism.couplings.values()
    assert gears.parameters["ratio"].value == pytest.approx(-2.0, abs=1e-12)
    assert structure_of(hand).mobility == 1


def test_a_part_of_another_program_hangs_on_a_pin(hand, tmp_path):
    """A box of 60 x 20 x 200 mm as STL, dropped, taken as millimetres, pinned at the middle of its
    side: it starts to fall by m g d / (I + m d^2) of the solid box.
    """
    points, faces = scenes.box_mesh(60, 20, 200)
    path = tmp_path / "box.stl"
    path.write_bytes(binary_stl(points + np.array((30, 10, 100)), faces))
    window, mime = hand.window, QtCore.QMimeData()
    mime.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    place = hand.view.mapTo(window, hand.pixel((0.1, 0, 0.2)))
    how = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    window.dragEnterEvent(QtGui.QDragEnterEvent(place, Qt.DropAction.CopyAction, *how))
    window.dragMoveEvent(QtGui.QDragMoveEvent(place, Qt.DropAction.CopyAction, *how))
    window.dropEvent(QtGui.QDropEvent(QtCore.QPointF(place), Qt.DropAction.CopyAction, *how))
    hand.qtbot.waitUntil(lambda: window.sheet.file is not None)
    click(window.sheet.button)
    hand.clicks += 2  # the drop is one
    hand.qtbot.waitUntil(lambda: len(hand.mechanism.bodies) == 1)
    hand.view.setFocus()
    hand.type("j")
    hand.click((0.13, 0, 0.2))
    hand.type("␛")
    spent(hand, 3, 2)
    (body,) = hand.mechanism.bodies.values()
    assert structure_of(hand).mobility == 1
    assert {f.body for f in (joint(hand, 0).frame_a, joint(hand, 0).frame_b)} == {GROUND, body.id}
    table = ms.analyse(hand.studio.document.project, "kinematics", duration=0.01)
    turn = max(abs(table.rows[0, table.columns.index(f"{body.name} α{axis}")]) for axis in "xyz")
    inertia = (0.06**2 + 0.2**2) / 12 + 0.03**2
    assert turn == pytest.approx(9.81 * 0.03 / inertia, rel=1e-6)


def test_a_link_between_stops(hand):
    """A link released between stops of 60 degrees: it strikes the lower one at the speed of its
    fall.
    """
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("200,0⏎⏎")
    pin = joint(hand, 0)
    click_in_tree(hand.window, pin.id)
    hand.clicks += 1
    hand.palette("stops")
    hand.type("␣")
    spent(hand, 2, 18)
    studio = hand.studio
    hand.qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished, timeout=60_000
    )
    (limit,) = hand.mechanism.joints[pin.id].limits
    first = next(e for e in studio.runs.recording.events if isinstance(e, StopEvent))
    bounds = (limit.lower.value, limit.upper.value)
    assert bounds == pytest.approx((math.radians(-60), math.radians(60)), abs=1e-12)
    before = 0.999 * first.time
    project = studio.document.project
    result = ms.simulate(project, duration=before, sample_step=before, until=[])
    angle = float(result.joint_coordinates[pin.name][-1, 0])
    assert min(abs(angle - b) for b in bounds) < 0.02
    hand.type("␣")
