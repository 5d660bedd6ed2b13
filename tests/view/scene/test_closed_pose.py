"""Typed frames and sliders leave the drawing open: what is shown, gripped and edited is the closed
pose, by mouse in the real window.
"""

import numpy as np
import pytest
from PySide6 import QtCore

from mechstudio.application.actions import edit
from mechstudio.application.actions.edits import clipboard, parameters
from mechstudio.application.scene import drawn_poses
from mechstudio.application.tools.snapping.candidates import candidates_of
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.files.format.codec import encode
from mechstudio.model.edits import elements
from mechstudio.view.idle_tasks import turns
from tests.view.hands import press, select
from tests.view.scene.test_handles import Hand
from tests.view.window.test_whole_path import pins_of, play_to

Qt = QtCore.Qt


@pytest.fixture
def window(solved_four_bar):
    solved_four_bar.viewport.look.reduced_motion = True
    solved_four_bar.viewport.framing.view_from("front")
    return solved_four_bar


@pytest.fixture
def hand(window, qtbot):
    return Hand(window, qtbot)


def closes(window, qtbot):
    """Wait until the solver has closed the drawing as it is now."""
    studio = window.studio
    qtbot.waitUntil(lambda: studio.questions.analysis is not None, timeout=30_000)
    turns().finish()
    QtCore.QCoreApplication.processEvents()


def type_number(window, qtbot, id, path, text):
    """Type a number, as the inspector does."""
    window.studio.document.commit(
        f"Type {text}", elements.set_quantity(window.studio.document.project, id, path, text)
    )
    closes(window, qtbot)


def open_by_18_mm(window, qtbot):
    """The rocker is typed 18 mm off its pin, and the coupler 18 mm too long."""
    type_number(window, qtbot, "rocker", ("placement", "position", 0), "358 mm")
    type_number(window, qtbot, "L2", ("value",), "348 mm")
    studio = window.studio
    assert (
        studio.questions.analysis.gap > 0.0179
        and np.abs(studio.display.poses - drawn_poses(studio.document.project)).max() > 0.01
    )


def place(pose, point):
    from mechstudio.application.runs.element_readings import rotation_matrix

    return np.array(pose[:3]) + rotation_matrix(np.array(pose[3:])) @ np.array(point)


def test_the_closed_pose_is_shown_and_no_alarm_is_raised(window, qtbot):
    open_by_18_mm(window, qtbot)
    studio = window.studio
    assert np.ptp(pins_of(window), axis=1).max() < 1e-9 and not studio.notifications.messages
    assert not [
        f for f in studio.questions.findings if "open" in f.message or f.severity == "error"
    ]
    assert studio.display.poses == pytest.approx(
        assemble(studio.document.project.mechanism).poses, abs=1e-12
    )
    # the run starts there
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.count > 1,
        timeout=60_000,
    )
    closed = studio.display.closed
    start = studio.runs.recording.sample(0.0)[studio.runs.recording.layout.poses].reshape(-1, 7)
    assert start == pytest.approx(closed, abs=1e-9)


def test_handles_snaps_marks_and_outlines_lie_on_the_closed_parts(window, hand, qtbot):
    open_by_18_mm(window, qtbot)
    studio, view = window.studio, window.viewport
    m = studio.document.project.mechanism
    poses = dict(zip(m.bodies, studio.display.poses))
    ends = {
        id: [place(poses[id], m.bodies[id].point(name)) for name in ("", "end")]
        for id in ("crank", "rocker")
    }
    # joints are marked, and pins caught, where they are seen
    spots = np.array(
        [
            s.point
            for s in candidates_of(studio.tools.context.document.project.mechanism).snaps
            if s.joint
        ]
    )
    for joint in pins_of(window):
        assert np.linalg.norm(spots - joint[0], axis=1).min() < 1e-9
    # the handles at the ends of the link that is selected
    select(window, "rocker")
    dots = np.array([h.points[0] for h in hand.handles if len(h.points) == 1])
    for end in ends["rocker"]:
        assert np.linalg.norm(np.delete(dots - end, 1, axis=1), axis=1).min() < 1e-9
    # what is picked at the middle of the closed rocker is the rocker, also for the box that selects
    middle = view.framing.world_to_pixel(np.mean(ends["rocker"], axis=0)[None])[0]
    assert view.navigator.hit(*middle).id == "rocker"
    assert len(view.shown.poses[1 + list(m.bodies).index("rocker")]) == 8
    # the crank's own number is met exactly where it stands typed
    assert m.bodies["crank"].placement.orientation[1].text == "-120 deg"
    assert ends["crank"][1][[0, 2]] == pytest.approx(
        (-0.065, 0.19 + 0.13 * np.sin(np.radians(120))), abs=1e-9
    )


def test_a_drag_starts_where_the_part_is_seen(window, hand, qtbot):
    open_by_18_mm(window, qtbot)
    studio = window.studio
    select(window, "rocker")
    before = studio.display.poses.copy()
    file = encode(studio.document.project)
    at = hand.handle(next(h.word for h in hand.handles if "move" in h.word and "X" in h.word))
    hand.press(at)
    for step in (2, 4):
        hand.to(at + QtCore.QPoint(step, 0))
    shown = (
        drawn_poses(studio.tools.tentative)
        if studio.tools.tentative is not None
        else studio.display.poses
    )
    scale = window.viewport.framing.world_to_pixel(np.array([[0.0, 0, 0], [1.0, 0, 0]]))
    pixel = 1.0 / np.linalg.norm(scale[1] - scale[0])
    assert (
        studio.tools.tentative is not None and np.abs(shown - before)[:, :3].max() < 12 * pixel
    ), "nothing leaps as the drag begins"
    press(window, Qt.Key.Key_Escape)
    hand.release(at)
    assert encode(studio.document.project) == file and studio.display.poses == pytest.approx(
        before, abs=1e-12
    )


def test_drag_commits_the_shown_pose_and_one_undo_restores_the_file(window, hand, qtbot):
    type_number(window, qtbot, "L2", ("value",), "348 mm")
    studio = window.studio
    file = encode(studio.document.project)
    select(window, "coupler")
    word = next(h.word for h in hand.handles if "move" in h.word and "Z" in h.word)
    at = hand.handle(word)
    hand.press(at)
    hand.to(at - QtCore.QPoint(0, 6))
    hand.type("5\n")
    turns().finish()
    moved = drawn_poses(studio.display.project)
    hand.release(at)
    closes(window, qtbot)
    assert drawn_poses(studio.display.project) == pytest.approx(moved, abs=1e-9), (
        "what is kept is what was seen at the release"
    )
    assert studio.questions.analysis.gap < 1e-12
    edit.undo(studio)
    assert encode(studio.document.project) == file


def test_a_drag_that_makes_a_formula_a_number_says_so_with_its_undo(window, hand, qtbot):
    studio = window.studio
    file = encode(studio.document.project)
    select(window, "rocker")
    at = hand.handle(next(h.word for h in hand.handles if "move" in h.word and "X" in h.word))
    hand.press(at)
    for step in (3, 6, 9):
        hand.to(at + QtCore.QPoint(step, 0))
    hand.release(at + QtCore.QPoint(9, 0))
    (message,) = [m for m in studio.notifications.messages if m.key == "frames"]
    assert message.text.startswith("The formula L4 for X of ") and message.buttons == (
        ("Undo", studio.document.undo),
    )
    assert not studio.document.project.mechanism.bodies["rocker"].placement.position[0].text
    edit.undo(studio)
    assert encode(studio.document.project) == file and not [
        m for m in studio.notifications.messages if m.key == "frames"
    ]


@pytest.mark.parametrize("joint", ["B", "C", "D"])
@pytest.mark.thinned(3)
def test_parts_stay_where_they_are_seen_when_a_joint_is_deleted(window, joint, qtbot):
    type_number(window, qtbot, "L2", ("value",), "348 mm")
    studio = window.studio
    before, texts = studio.display.poses.copy(), typed(studio.document.project)
    file = encode(studio.document.project)
    select(window, joint)
    press(window, Qt.Key.Key_Delete)
    assert joint not in studio.document.project.mechanism.joints
    assert studio.display.poses is None or studio.display.poses == pytest.approx(
        before, abs=1e-9
    ), "before the solver has spoken"
    closes(window, qtbot)
    now = drawn_poses(studio.display.project)
    assert now == pytest.approx(before, abs=1e-9)
    assert typed(studio.document.project) == texts, "what was typed is not written over"
    edit.undo(studio)
    closes(window, qtbot)
    assert encode(studio.document.project) == file and studio.display.poses == pytest.approx(
        before, abs=1e-12
    )


def typed(project):
    return [
        (id, k, q.text)
        for id, b in project.mechanism.bodies.items()
        for k, q in enumerate((*b.placement.position, *b.placement.orientation))
        if q.text
    ]


@pytest.mark.slow
def test_a_typed_number_that_takes_a_part_away_is_said(window, qtbot):
    """The rocker's pin held it 18 mm off its typed place: without the pin it goes there."""
    open_by_18_mm(window, qtbot)
    studio = window.studio
    select(window, "D")
    press(window, Qt.Key.Key_Delete)
    closes(window, qtbot)
    rocker = list(studio.document.project.mechanism.bodies).index("rocker")
    assert drawn_poses(studio.display.project)[rocker][0] == pytest.approx(0.358, abs=1e-9)
    assert [m.text for m in studio.notifications.messages if m.key == "frames"] == [
        "rocker keeps the 358 mm that is typed for its frame; what is typed is not written over."
    ]


def test_a_slider_there_and_back_leaves_the_file_as_it_was(window, four_bar, qtbot):
    """Byte by byte, and the picture too; saving on the way writes nothing of the closed pose."""
    studio = window.studio
    studio.files.save(four_bar)
    file = four_bar.read_bytes()
    before, placements = (
        drawn_poses(studio.display.project),
        [b.placement for b in studio.document.project.mechanism.bodies.values()],
    )
    window.docks.show_parameters(True)
    for text in ("0.34", "0.37", "0.25", "0.12", "0.34"):
        assert parameters.set_parameter(studio, "L2", text, "L2")
        closes(window, qtbot)
        assert (
            not [m for m in studio.notifications.messages if m.key == "open"]
            and np.ptp(pins_of(window), axis=1).max() < 1e-9
        )
        if text == "0.25":
            studio.files.save(four_bar)
            assert [
                b.placement for b in studio.document.project.mechanism.bodies.values()
            ] == placements
            first = studio.display.poses.copy()
    parameters.set_parameter(studio, "L2", "0.25", "L2")
    closes(window, qtbot)
    # the pose belongs to the drawing and not to the way there
    assert np.array_equal(studio.display.poses, first)
    assert parameters.set_parameter(studio, "L2", "330 mm", "L2")
    closes(window, qtbot)
    assert studio.display.poses is None or studio.display.poses == pytest.approx(before, abs=1e-12)
    assert [b.placement for b in studio.document.project.mechanism.bodies.values()] == placements
    studio.files.save(four_bar)
    assert four_bar.read_bytes() == file


def test_open_joint_is_reported_until_the_drawing_closes(window, qtbot):
    """The rocker of 60 mm and the coupler of 60 mm do not span what the crank leaves, at least 210
    mm.
    """
    studio = window.studio
    for name in ("L2", "L3"):
        parameters.set_parameter(studio, name, "60 mm", name)
    closes(window, qtbot)
    (message,) = [m for m in studio.notifications.messages if m.key == "open"]
    # 340 - 130 - 60 - 60 mm are missing
    assert message.kind == "warning" and "(C)" in message.text and "90 mm apart" in message.text
    parameters.set_parameter(studio, "L2", "330 mm", "L2")
    closes(window, qtbot)
    assert not [m for m in studio.notifications.messages if m.key == "open"]


@pytest.mark.slow
def test_elements_drawn_on_the_closed_pose_stay_there(window, hand, qtbot):
    """A joint that is put on the closed crank, and a copy of the coupler, are where they were
    seen.
    """
    type_number(window, qtbot, "L2", ("value",), "348 mm")
    studio = window.studio
    before = studio.display.poses.copy()
    studio.selection.select("coupler")
    window.viewport.navigator.leave()  # the pointer is elsewhere
    edit.duplicate(studio)
    closes(window, qtbot)
    m = studio.document.project.mechanism
    copy = next(id for id in m.bodies if id not in ("crank", "coupler", "rocker"))
    step = np.array(clipboard.grid_step(studio))
    assert studio.display.project.mechanism.bodies[copy].placement.pose[0] == pytest.approx(
        before[1, :3] + step, abs=1e-9
    )
    assert drawn_poses(studio.display.project)[:3] == pytest.approx(before, abs=1e-12)
    assert (
        m.bodies["coupler"].placement.position
        == studio.document._history[0].project.mechanism.bodies["coupler"].placement.position
    ), "a copy needs nothing of the others"
    # the gizmo of the copy is at the copy, and the drawing plays
    studio.selection.select("crank")
    studio.tools.toggle_ground()
    closes(window, qtbot)
    assert drawn_poses(studio.display.project)[0] == pytest.approx(before[0], abs=1e-9)
    edit.undo(studio)
    closes(window, qtbot)
    play_to(window, qtbot, 0.1)
