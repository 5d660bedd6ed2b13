"""The viewport on a real screen: what its pixels show, what the pointer finds, how the camera
moves.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mechstudio import tokens
from mechstudio.application.scene.lines import INK
from mechstudio.application.tools.tool import Preview
from mechstudio.model.project import Camera, Project
from mechstudio.view.fonts import ensure_fonts
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays import view_cube
from mechstudio.view.scene.overlays.canvas import Canvas, Words
from mechstudio.view.scene.overlays.preview import paint_preview
from mechstudio.view.scene.rendering.gl import GraphicsUnavailable
from mechstudio.view.scene.snapshot import render
from mechstudio.view.scene.viewport import Viewport
from tests import scenes

START = QPoint(60, 200)
LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)


@pytest.fixture
def make_view(qapp, qtbot):
    """make(project, theme, camera, size): a viewport on screen, its first picture painted."""
    ensure_fonts()
    made = []

    def make(project, theme="light", camera=None, size=(900, 700)):
        view = Viewport()
        view.look.reduced_motion = True
        view.resize(*size)
        view.look.set_theme(theme)
        view.shown.set_project(project)
        if camera is not None:
            view.framing.camera = camera
        with qtbot.waitSignal(view.painter.first_frame, timeout=20_000):
            view.show()
        made.append(view)
        view.activateWindow()
        view.setFocus()
        # without a window manager the screen is slow to hand over the keys
        qtbot.waitUntil(view.isActiveWindow, timeout=10_000)
        assert view.painter.message == ""
        return view

    yield make
    for view in made:
        view.close()
        view.deleteLater()
    QApplication.processEvents()


@pytest.fixture
def four_bar(make_view):
    return make_view(scenes.four_bar(), camera=scenes.FOUR_BAR_CAMERA)


def pixels(view) -> np.ndarray:
    """(height, width, 3) red green blue of the widget."""
    return as_array(view.grab().toImage())


def as_array(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), "u1").reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def at(view, body, local) -> tuple[int, int]:
    """The pixel of a point of a body, in the widget."""
    from mechstudio.application.scene.instances import rotate

    pose = view.shown.poses[view.shown.scene.bodies.index(body)]
    x, y = view.framing.world_to_pixel(pose[4:7] + rotate(pose[:4], np.array(local, float)))[0]
    return round(x), round(y)


def hue(color) -> float:
    """Of red, green, blue, in degrees."""
    import colorsys

    return 360 * colorsys.rgb_to_hsv(*(c / 255 for c in color))[0]


FACES = {
    "crank": (0.075, 0.002, 0.0),
    "coupler": (0.16, -0.021, 0.10),
    "rocker": (0.13, 0.002, 0.0),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pixels_show_the_colours_of_the_bodies(make_view, theme):
    view = make_view(scenes.four_bar(forces=False), theme, scenes.FOUR_BAR_CAMERA)
    image, m = pixels(view), scenes.four_bar().mechanism
    for body, face in FACES.items():
        x, y = at(view, body, face)
        requested = hue(
            [255 * c for c in tokens.rgb(tokens.body_color(theme, m.bodies[body].color))]
        )
        assert abs((hue(image[y, x]) - requested + 180) % 360 - 180) < 12, body
    sky = image[5, 300]
    assert np.abs(sky - 255 * np.array(tokens.rgb(tokens.theme(theme)["view_top"]))).max() < 4


def test_poses_move_the_picture(four_bar):
    before = pixels(four_bar)
    four_bar.shown.set_poses(scenes.four_bar_poses(0.6))
    after = pixels(four_bar)
    x, y = at(four_bar, "coupler", FACES["coupler"])
    assert abs(hue(after[y, x]) - 205) < 15 and np.abs(after - before).max() > 100
    four_bar.shown.set_poses(None)
    # edges may be smooth or not yet, and the shadow's map may cover another room
    assert (
        (np.abs(pixels(four_bar) - before).max(axis=2) > 30).mean()
        < 0.01
        < (np.abs(after - before).max(axis=2) > 30).mean()
    )


def test_wrong_poses_are_refused_in_words(four_bar):
    with pytest.raises(ValueError, match="3 bodies"):
        four_bar.shown.set_poses(np.zeros((4, 7)))


def test_the_picture_gets_smooth_edges_at_rest(four_bar, qtbot):
    """The number of distinct colours rises when edges are blended."""

    def colours():
        a = pixels(four_bar).reshape(-1, 3)
        return len(np.unique(a[:, 0] << 16 | a[:, 1] << 8 | a[:, 2]))

    four_bar.painter.outdate("picture")
    rough = colours()
    qtbot.waitUntil(lambda: four_bar.painter.is_smooth, timeout=10_000)
    assert colours() > 1.04 * rough


def test_picking_finds_what_is_under_the_pointer(four_bar):
    for body, face in FACES.items():
        x, y = at(four_bar, body, face)
        assert four_bar.navigator.hit(x, y).id == body
    x, y = at(four_bar, "ground", (0.17, -0.02, 0.007))
    assert four_bar.navigator.hit(x, y).id == "ground"
    assert four_bar.navigator.hit(20, 20) is None
    # the hole in the tip of the coupler is open
    x, y = at(four_bar, "coupler", (*scenes.TIP[:1], -0.012, scenes.TIP[1]))
    assert (
        four_bar.shown.picker.surface(
            four_bar.shown.poses, lens.ray(four_bar.framing.camera, (900, 700), x, y)
        )
        is None
    )


def test_joints_win_over_bodies_within_some_pixels_of_their_marks(four_bar):
    from mechstudio.application.scene.instances import rotate

    scene, poses = four_bar.shown.scene, four_bar.shown.poses
    row = scene.rows.owners.index("D")
    mine = np.flatnonzero((scene.marks.row == row) & (scene.marks.kind == INK))
    flat = four_bar.framing.world_to_pixel(
        poses[row, 4:7] + rotate(poses[row, :4], scene.marks.points[mine].astype(float))
    )
    over = [
        (x, y)
        for x, y in flat
        if (
            hit := four_bar.shown.picker.surface(
                poses, lens.ray(four_bar.framing.camera, (900, 700), x, y)
            )
        )
        and hit.id in ("rocker", "ground")
    ]
    assert over  # part of the arc runs over the rocker or the foot
    for x, y in over:
        assert four_bar.navigator.hit(x, y).id == "D" and four_bar.navigator.hit(x, y).on_mark
        assert four_bar.navigator.hit(x + 3, y + 3).id == "D"
    four_bar.look.set_glyphs(False)
    assert {four_bar.navigator.hit(x, y).id for x, y in over} <= {"rocker", "ground"}
    # the pin itself belongs to its joint, glyph or not
    x, y = four_bar.framing.world_to_pixel(
        poses[row, 4:7] + rotate(poses[row, :4], np.array([0.004, 0.0, 0.004]))
    )[0]
    assert four_bar.navigator.hit(x, y).id == "D"


def test_hidden_bodies_are_neither_seen_nor_picked(make_view):
    import msgspec

    m = scenes.four_bar(forces=False).mechanism
    hidden = msgspec.structs.replace(m.bodies["coupler"], visible=False)
    view = make_view(
        Project(msgspec.structs.replace(m, bodies={**m.bodies, "coupler": hidden})),
        camera=scenes.FOUR_BAR_CAMERA,
    )
    x, y = at(view, "coupler", FACES["coupler"])
    assert view.navigator.hit(x, y) is None
    r, g, b = pixels(view)[y, x]
    assert max(r, g, b) - min(r, g, b) < 30


def test_hover_and_click_tell_ids(four_bar, qtbot):
    reported, clicks = [], []
    four_bar.navigator.hovered.connect(reported.append)
    four_bar.navigator.clicked.connect(lambda id, modifiers: clicks.append((id, modifiers)))
    for body in ("crank", "rocker"):
        QTest.mouseMove(four_bar, QPoint(*at(four_bar, body, FACES[body])))
        qtbot.waitUntil(lambda body=body: reported[-1:] == [body])
    QTest.mouseClick(
        four_bar,
        LEFT,
        Qt.KeyboardModifier.ControlModifier,
        QPoint(*at(four_bar, "coupler", FACES["coupler"])),
    )
    QTest.mouseClick(four_bar, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(30, 300))
    assert clicks == [
        ("coupler", Qt.KeyboardModifier.ControlModifier),
        ("", Qt.KeyboardModifier.NoModifier),
    ]


def test_selection_outlines_in_the_accent(make_view):
    view = make_view(scenes.four_bar(forces=False), camera=scenes.FOUR_BAR_CAMERA)
    accent = 255 * np.array(tokens.rgb(tokens.theme("light")["accent"]))
    count = lambda: int((np.abs(pixels(view)[:600, :780] - accent).max(axis=2) < 20).sum())
    plain = count()
    view.look.set_selection(("rocker",))
    chosen = count()
    assert chosen > plain + 300
    view.look.set_selection((), "rocker")
    assert plain + 100 < count() < chosen
    view.look.set_selection(("A",))
    assert count() > plain + 40


def test_marks_show_through_bodies(make_view):
    """The rings of a ball joint inside a ball: they darken the ball where they are, at a third of
    their strength.
    """
    view = make_view(scenes.spatial_four_bar())
    view.look.set_labels(False)
    k = view.shown.scene.rows.owners.index("A")
    low = view.shown.poses[k, 4:7] - 0.02 * np.array(lens.axes(view.framing.camera)[2])
    with_marks = pixels(view)
    view.look.set_glyphs(False)
    without = pixels(view)
    # the pin's axis runs hidden through the crank's hub: there the difference is there, but fainter
    # than in the open
    difference = np.abs(with_marks - without).max(axis=2)
    faint, strong = ((difference > 12) & (difference < 90)).sum(), (difference > 140).sum()
    assert strong > 100 and faint > 100 and np.isfinite(low).all()


def test_left_drag_orbits_right_and_middle_too_and_shift_pans(four_bar):
    moved = []
    four_bar.framing.changed.connect(lambda: moved.append(four_bar.framing.camera))
    start = four_bar.framing.camera

    def drag(button, modifiers=Qt.KeyboardModifier.NoModifier, origin=START):
        QTest.mousePress(four_bar, button, modifiers, origin)
        for k in range(1, 6):
            move(four_bar, origin + QPoint(20 * k, 10 * k), button, modifiers)
        QTest.mouseRelease(four_bar, button, modifiers, origin + QPoint(100, 50))

    drag(LEFT)
    assert (
        four_bar.framing.camera.azimuth < start.azimuth - 10
        and four_bar.framing.camera.elevation > start.elevation + 5
    )
    assert four_bar.framing.camera.target == start.target and len(moved) == 1
    for button in (RIGHT, MIDDLE):
        before = four_bar.framing.camera
        drag(button)
        assert (
            four_bar.framing.camera.azimuth != before.azimuth
            and four_bar.framing.camera.target == before.target
        )
    before = four_bar.framing.camera
    drag(RIGHT, Qt.KeyboardModifier.ShiftModifier)
    assert (
        four_bar.framing.camera.azimuth == before.azimuth
        and four_bar.framing.camera.target != before.target
    )


def move(view, point, button, modifiers):
    """A move with a button held; QTest.mouseMove holds none."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    where = QPointF(point)
    QApplication.sendEvent(
        view,
        QMouseEvent(
            QEvent.Type.MouseMove,
            where,
            view.mapToGlobal(where),
            Qt.MouseButton.NoButton,
            button,
            modifiers,
        ),
    )


def test_panning_moves_the_target_plane_with_the_pointer(four_bar):
    target = np.array(four_bar.framing.camera.target)
    before = four_bar.framing.world_to_pixel(target)[0]
    origin = QPoint(60, 200)
    QTest.mousePress(four_bar, MIDDLE, Qt.KeyboardModifier.ShiftModifier, origin)
    move(four_bar, origin + QPoint(10, 0), MIDDLE, Qt.KeyboardModifier.ShiftModifier)
    move(four_bar, origin + QPoint(70, 30), MIDDLE, Qt.KeyboardModifier.ShiftModifier)
    QTest.mouseRelease(four_bar, MIDDLE, Qt.KeyboardModifier.ShiftModifier, origin + QPoint(70, 30))
    assert np.allclose(
        four_bar.framing.world_to_pixel(target)[0] - before, (60, 30), atol=1e-6
    )  # the first ten pixels only said that it is a drag


@pytest.mark.parametrize("perspective", [True, False])
def test_zoom_keeps_the_point_under_the_pointer(make_view, perspective):
    view = make_view(
        scenes.four_bar(), camera=lens.replaced(scenes.FOUR_BAR_CAMERA, perspective=perspective)
    )
    for body, face in (("rocker", FACES["rocker"]), (None, None)):
        x, y = at(view, body, face) if body else (80, 120)
        hit = view.navigator.hit(x, y)
        assert (hit.id if hit else None) == body
        point, before = view.navigator.depth_point(x, y), view.framing.camera.distance
        wheel = QWheelEvent(
            QPointF(x, y),
            QPointF(view.mapToGlobal(QPoint(x, y))),
            QPoint(),
            QPoint(0, 360),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view, wheel)
        assert view.framing.camera.distance < 0.75 * before
        assert np.allclose(view.framing.world_to_pixel(point)[0], (x, y), atol=1e-6)


def test_the_view_cube_takes_views(four_bar):
    size, seen = (900, 700), {}
    for dx in range(-38, 39, 2):
        for dy in range(-38, 39, 2):
            x, y = view_cube.center(size) + np.array((dx, dy))
            zone = view_cube.zone_at(four_bar.framing.camera, size, x, y)
            if zone is not None:
                seen.setdefault(zone, QPoint(round(x), round(y)))
    assert {(0, -1, 0), (1, 0, 0), (0, 0, 1), (1, -1, 0), (1, -1, 1)} <= set(
        seen
    )  # faces, an edge, a corner
    clicks = []
    four_bar.navigator.clicked.connect(lambda id, modifiers: clicks.append(id))
    QTest.mouseClick(four_bar, LEFT, Qt.KeyboardModifier.NoModifier, seen[(0, -1, 0)])
    assert (four_bar.framing.camera.azimuth, four_bar.framing.camera.elevation) == (
        -90.0,
        0.0,
    ) and clicks == []
    QTest.mouseMove(four_bar, QPoint(*(int(c) for c in view_cube.center(size))))
    QApplication.processEvents()
    assert four_bar.navigator.cube_zone == (0, -1, 0)


def test_standard_views_and_fit_show_everything(four_bar):
    for name, key in (
        ("front", Qt.Key.Key_1),
        ("right", Qt.Key.Key_3),
        ("top", Qt.Key.Key_7),
        ("corner", Qt.Key.Key_0),
    ):
        QTest.keyClick(four_bar, key, Qt.KeyboardModifier.KeypadModifier)
        azimuth, elevation = lens.VIEWS[name]
        assert (four_bar.framing.camera.azimuth, four_bar.framing.camera.elevation) == (
            azimuth,
            elevation,
        )
        p = four_bar.framing.world_to_pixel(four_bar.shown.scene.points(four_bar.shown.poses))
        assert p.min() > 40 and p[:, 0].max() < 860 and p[:, 1].max() < 660
        assert np.ptp(p, axis=0).max() > 350
    perspective = four_bar.framing.camera.perspective
    QTest.keyClick(four_bar, Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier)
    assert four_bar.framing.camera.perspective is not perspective


def test_a_view_is_taken_in_a_short_turn(four_bar, qtbot):
    four_bar.look.reduced_motion = False
    four_bar.framing.view_from("front")
    assert four_bar.framing.camera.azimuth == -90.0  # where it is going
    assert four_bar.framing.current.azimuth != -90.0
    qtbot.waitUntil(
        lambda: (
            four_bar.framing.current == four_bar.framing.camera
            and four_bar.framing.current.azimuth == -90.0
        ),
        timeout=5000,
    )


def test_an_empty_project_is_an_empty_stage_and_takes_its_first_body(make_view):
    view = make_view(Project())
    assert view.navigator.hit(450, 350) is None
    view.shown.set_project(scenes.four_bar())
    view.framing.fit()
    assert len(np.unique(pixels(view).reshape(-1, 3), axis=0)) > 200


def test_sizes_of_nothing_and_of_much(four_bar):
    for size in ((1, 1), (1, 400), (700, 2), (1400, 900), (900, 700)):
        four_bar.resize(*size)
        four_bar.repaint()
    assert four_bar.painter.message == ""


def test_without_graphics_a_sentence_stands_there(qapp, qtbot, monkeypatch):
    def fail(look):
        raise GraphicsUnavailable(
            "The 3D view cannot draw: no OpenGL context could be made. Update the graphics driver."
        )

    monkeypatch.setattr("mechstudio.view.scene.painter.Renderer", fail)
    view = Viewport()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.shown.set_project(scenes.four_bar())
    with qtbot.waitSignal(view.painter.first_frame, timeout=10_000):
        view.show()
    assert "Update the graphics driver" in view.painter.message
    assert len(np.unique(pixels(view).reshape(-1, 3), axis=0)) > 3
    view.close()


def test_the_shadow_is_drawn_again_only_when_something_moved(four_bar):
    r = four_bar.painter.renderer
    drawn = []
    original = r._shadow.cast
    r._shadow.cast = lambda *a: (drawn.append(1), original(*a))
    four_bar.framing.camera = lens.replaced(four_bar.framing.camera, azimuth=10.0)
    pixels(four_bar)
    four_bar.look.set_selection(("crank",))
    pixels(four_bar)
    assert drawn == []
    four_bar.shown.set_poses(scenes.four_bar_poses(1.0))
    pixels(four_bar)
    assert drawn == [1]


def test_a_tool_is_given_the_pointer_in_its_plane(four_bar):
    from mechstudio.application.document import Document
    from mechstudio.application.selection import Selection
    from mechstudio.application.tools.tool import Preview, Tool, ToolContext

    class Note(Tool):
        name = "note"

        def __init__(self):
            self.preview, self.hint, self.finished, self.seen = Preview(), "", False, []
            self.context = ToolContext(Document(), Selection())

        def move(self, pointer):
            self.seen.append(("move", pointer))
            self.preview = Preview(
                segments=[((0, 0, 0.3), pointer.point)],
                rubber=[((0, 0, 0.3), (0.1, 0, 0.3))],
                marker=pointer.point,
                word="here",
                label="120 mm",
                marks=[((0, 0, 0.3), "ground pin")],
            )

        def press(self, pointer):
            self.seen.append(("press", pointer))

        def key(self, key):
            self.seen.append(("key", key))
            return key == "enter"

    from mechstudio.model.edits.links import FRONT

    tool, clicks = Note(), []
    four_bar.navigator.clicked.connect(lambda *a: clicks.append(a))
    four_bar.navigator.set_tool(tool, FRONT)
    x, y = four_bar.framing.world_to_pixel(np.array([[0.5, 0.0, 0.4]]))[0]
    QTest.mouseMove(four_bar, QPoint(round(x), round(y)))
    QApplication.processEvents()
    QTest.mouseClick(four_bar, LEFT, Qt.KeyboardModifier.AltModifier, QPoint(round(x), round(y)))
    QTest.keyClick(four_bar, Qt.Key.Key_Return)
    kinds = [k for k, _ in tool.seen]
    assert "move" in kinds and kinds[-2:] == ["press", "key"] and clicks == []
    pointer = next(p for k, p in tool.seen if k == "press")
    assert (
        np.allclose(pointer.point, (0.5, 0.0, 0.4), atol=1.5 * pointer.pixel)
        and pointer.alt
        and not pointer.shift
    )
    pixels(four_bar)
    four_bar.navigator.set_tool(None)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_still_pictures_have_the_requested_size(qapp, theme):
    image = render(scenes.heavy_top(), theme=theme, size=(320, 240), factor=2)
    assert (image.width(), image.height()) == (640, 480)
    a = as_array(image)
    orange = [hue(c) for c in a.reshape(-1, 3) if max(c) - min(c) > 90]
    assert len(orange) > 3000 and 25 < np.median(orange) < 50


def test_cameras_fit_zoom_and_travel():
    """Closed forms: the fitted pyramid touches points on all sides; a zoomed camera scales
    distances from its fixed point.
    """
    rng = np.random.default_rng(1)
    p = rng.uniform(-1, 1, (50, 3)) * (1, 0.2, 2)
    for perspective in (True, False):
        c = lens.fitted(
            Camera(azimuth=33.0, elevation=21.0, perspective=perspective), (800, 600), p, fill=0.8
        )
        flat = lens.project(c, (800, 600), p)[:, :2] / (800, 600) * 2 - 1
        assert np.abs(flat).max() <= 0.8 + 1e-6
        reach = np.abs(flat).max(axis=0)
        assert reach.max() == pytest.approx(0.8, abs=1e-6)
    a, b = Camera(azimuth=170.0), Camera(azimuth=-170.0, distance=3.0)
    assert abs(abs(lens.between(a, b, 0.5).azimuth) - 180.0) < 1e-9
    assert lens.between(a, b, 1.0).distance == pytest.approx(3.0)
    ray = lens.ray(a, (800, 600), 200, 100)
    assert np.allclose(
        lens.project(a, (800, 600), ray.origin + 2.0 * ray.direction)[0, :2], (200, 100)
    )


def test_a_grasp_that_cannot_move_anything_turns_the_view(four_bar):
    from mechstudio.application.document import Document
    from mechstudio.application.selection import Selection
    from mechstudio.application.tools.select import SelectTool
    from mechstudio.application.tools.tool import ToolContext
    from tests.application.tools.stand_in_drag import StandInDrag

    tool = SelectTool(
        ToolContext(
            Document(scenes.four_bar()),
            Selection(),
            point_drag=StandInDrag("crank", "coupler", "rocker"),
        )
    )
    four_bar.navigator.set_tool(tool)
    for origin, turns in (
        (at(four_bar, "ground", (0.17, -0.02, 0.007)), True),
        (at(four_bar, "rocker", FACES["rocker"]), False),
    ):
        before = four_bar.framing.camera
        QTest.mousePress(four_bar, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(*origin))
        for k in range(1, 5):
            move(
                four_bar, QPoint(*origin) + QPoint(12 * k, 0), LEFT, Qt.KeyboardModifier.NoModifier
            )
        assert (four_bar.framing.camera.azimuth != before.azimuth) is turns
        assert tool.dragging is not turns
        QTest.keyClick(four_bar, Qt.Key.Key_Escape)
        QTest.mouseRelease(
            four_bar, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(*origin) + QPoint(48, 0)
        )
    four_bar.navigator.set_tool(None)


def test_absurd_drawings_do_not_break_the_view(make_view):
    import msgspec

    from mechstudio.model.mechanism import Placement
    from mechstudio.model.quantity import vector

    m = scenes.four_bar().mechanism
    for far in (1e30, 1e300):
        body = msgspec.structs.replace(m.bodies["crank"], placement=Placement(vector(far, 0, 0)))
        view = make_view(Project(msgspec.structs.replace(m, bodies={**m.bodies, "crank": body})))
        view.framing.fit()
        view.navigator.hit(450, 350)
        assert np.isfinite(view.framing.camera.distance) and pixels(view).shape == (700, 900, 3)


# ghosts


def test_a_ghost_stands_behind_what_is_before_it_and_veils_what_is_behind(four_bar, qtbot):
    plain = pixels(four_bar)
    four_bar.shown.set_ghost(scenes.four_bar_poses(0.9))
    haunted = pixels(four_bar)
    four_bar.shown.set_poses(scenes.four_bar_poses(0.9))
    there = pixels(four_bar)
    four_bar.shown.set_poses(None)
    four_bar.shown.set_ghost(None)
    assert np.array_equal(pixels(four_bar), plain)
    changed = np.abs(haunted - plain).sum(axis=2) > 12
    assert changed.mean() > 0.005
    # a veil: what it covers becomes like the body that would stand there, but not as strong
    body = np.abs(there - plain).sum(axis=2) > 90
    towards = (
        np.abs(haunted - plain).sum(axis=2)[changed & body].mean()
        / np.abs(there - plain).sum(axis=2)[changed & body].mean()
    )
    assert 0.15 < towards < 0.6
    # the drawn coupler stands before its ghost: its own middle keeps its colour
    x, y = at(four_bar, "coupler", (0.1, 0.0, 0.02))
    assert np.abs(haunted[y, x] - plain[y, x]).max() < 6


def test_a_ghost_shows_chosen_bodies_and_ends_with_the_project(four_bar):
    plain = pixels(four_bar)
    moved = scenes.four_bar_poses(0.9)
    four_bar.shown.set_ghost(moved, frozenset({"rocker"}))
    one = (np.abs(pixels(four_bar) - plain).sum(axis=2) > 12).sum()
    four_bar.shown.set_ghost(moved)
    every = (np.abs(pixels(four_bar) - plain).sum(axis=2) > 12).sum()
    assert 0 < one < every
    with pytest.raises(ValueError, match="ghost"):
        four_bar.shown.set_ghost(np.zeros((7, 7)))
    four_bar.shown.set_project(scenes.four_bar())
    four_bar.shown.set_ghost(None)
    assert np.array_equal(pixels(four_bar), plain)


def test_preview_behind_the_camera_is_left_out(qapp, qtlog):
    """Zoomed in past the first end of a link: its place is nowhere in the picture, and painting
    goes on.
    """
    camera, behind, before = (
        Camera((0.0, 0.0, 0.0), -90.0, 0.0, 1.0),
        (0.0, -3.0, 0.1),
        (0.0, 0.0, 0.0),
    )
    line = (behind, before, (0.1, 0.0, 0.0))
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for place in (behind, before):
        preview = Preview(
            segments=((behind, place),),
            rubber=((place, behind),),
            areas=(line,),
            lines=(line,),
            marks=((place, "A"),),
            marker=place,
            word="end",
            choices=("a", "b"),
        )
        for preview.shape in ("ring", "cross", "axis", "square"):
            paint_preview(
                Canvas(painter, Words(), camera, (200, 100), "light"), preview, QPointF(50, 50)
            )
    assert Words().room("A", float("nan"), 3.0, "#000000", "#ffffff", 11, 1.0).right() < 0
    painter.end()
    assert [r.message for r in qtlog.records] == []
