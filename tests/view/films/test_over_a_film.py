"""Everything that a film shows beside the scene: words, scales, plots with their cursors, an
equation; and the view that is left, by each of its choices.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPixmap

from mechstudio.application.films.film import Film
from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.scene import drawn_poses
from mechstudio.curves.picture import Line, Panel
from mechstudio.model.project import Camera
from mechstudio.view.films import plot_strip, stage
from mechstudio.view.films.plot_strip import PlotStrip, _value
from mechstudio.view.films.stage import STILL, Scenery, Stage
from mechstudio.view.films.still import Still, draw_still
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from tests.view.conftest import sample_file
from tests.view.recorder import Recorder

NAN = float("nan")
FRONT = Camera((0.17, 0.0, 0.2), -90.0, 0.0, 1.5, False)
SIDE = Camera((0.17, 0.0, 0.2), 0.0, 30.0, 3.0, False)
NOTHING = {name: False for name in ("scale", "labels", "glyphs", "marks")}


class Blank:
    """A renderer whose pictures are empty; pictures: their sizes, views and samples by pixel."""

    def __init__(self):
        self.look, self.pictures, self.calls = Look(grid=False), [], []

    def picture(self, size, camera, over):
        self.pictures.append((size, camera, over))
        return np.zeros((size[1], size[0], 4), "u1")

    def hides(self, *args, **more):
        return False

    def __getattr__(self, name):
        return lambda *given: self.calls.append((name, *given))


def staged(film, size=None, renderer=None, **more):
    """A stage of the four-bar as drawn, its renderer, and where its bodies are."""
    project, renderer = sample_file("four_bar").project, renderer or Blank()
    more.setdefault("cameras", (FRONT,))
    made = Stage(film, Scenery(project, **more), size, renderer)
    return made, renderer, drawn_poses(project)


@pytest.fixture
def strokes(monkeypatch):
    """Calls of the painters of a film."""
    for module in (stage, plot_strip):
        if hasattr(module, "QPainter"):
            monkeypatch.setattr(module, "QPainter", Recorder)
    Recorder.lines = []
    return Recorder.lines


PANEL = Panel(
    "Angles",
    (
        Line("a", np.array([0.0, 1.0, 2.0]), np.array([0.0, 10.0, 0.0]), 0),
        Line("b", np.array([0.0, 2.0]), np.array([5.0, 5.0]), 1),
    ),
    "deg",
)


def equation_of(wide=400, high=50):
    image = QImage(wide, high, QImage.Format.Format_RGB32)
    image.fill(QColor("#abcdef"))
    return image


@pytest.mark.parametrize(
    ("film", "size", "view", "scale"),
    [
        (Film(), None, (1280, 720), 720 / 540),
        (Film(), (640, 360), (640, 360), 360 / 540),
        (Film(width=1920, height=1080), None, (1920, 1080), 2.0),
        (Film(width=720, height=720), None, (720, 720), 405 / 540),  # as wide as 16:9 would be
        (Film(width=720, height=1280), None, (720, 1280), 405 / 540),
        (Film(width=320, height=180), None, (320, 180), 0.6),  # still read
        (Film(width=1280, height=720), (64, 36), (64, 36), 720 / 540 / 20),
        # plots take 34 % of the height, an equation 16 %
        (Film(plots=True), None, (1280, 475), 720 / 540),
        (Film(equation=True), None, (1280, 605), 720 / 540),
        (Film(plots=True, equation=True), None, (1280, 360), 720 / 540),
    ],
)
def test_the_mechanism_has_the_room_that_is_left(qapp, film, size, view, scale):
    more = {"panels": (PANEL,), "equation": equation_of()}
    made, renderer, _ = staged(film, size, **more)
    assert made.view == view and made.size == (size or film.size)
    assert renderer.look.text_scale == pytest.approx(scale)
    # what there is nothing for takes no room
    assert staged(film, size)[0].view == made.size


def test_each_choice_reaches_the_scene(qapp):
    """The look of the renderer by the choices of a film."""
    usual = {"theme": "light", "ground": True, "glyphs": True, "labels": True, "grain": False}
    for choices, other in (
        ({}, {}),
        ({"theme": "dark"}, {"theme": "dark"}),
        ({"theme": "paper"}, {"ground": False}),
        ({"transparent": True, "format": "apng"}, {"ground": False}),
        ({"transparent": True, "format": "mp4"}, {}),  # which cannot
        ({"glyphs": False}, {"glyphs": False}),
        ({"labels": False}, {"labels": False}),
    ):
        old = Blank()
        old.look.arrows, old.look.paths, old.look.notes = ["arrow"], ("path",), ("note",)
        old.look.grain = True
        made, renderer, _ = staged(Film(**choices), renderer=old, units="inch-lbf")
        look = renderer.look
        assert {name: getattr(look, name) for name in usual} == usual | other, choices
        assert (look.units, look.arrows, look.paths, look.notes) == ("inch-lbf", [], (), ())
        assert [c[0] for c in renderer.calls] == ["load", "set_pixels", "trace", "sketch"]
        made.close()
        assert renderer.calls[-1][0] == "sketch", "it belongs to another"
        made.trace(("new",))
        made.mark(["arrow"], dict, True, Figures())
        assert (look.paths, look.arrows, look.components) == (("new",), ["arrow"], True)
        assert [c[0] for c in renderer.calls[4:]] == ["trace", "sketch"]


def test_large_pictures_have_fewer_samples(qapp):
    """One and a half for each pixel and direction up to a million pixels; none at 4K."""
    for size, pixels, over in (
        ((640, 360), (960, 540), 1.5),
        ((1000, 1000), (1500, 1500), 1.5),
        ((1002, 1000), (1252, 1250), 1.25),
        ((1920, 1080), (2400, 1350), 1.25),
        ((2200, 1002), (2200, 1002), 1.0),
    ):
        film = Film(width=size[0], height=size[1], **NOTHING)
        made, renderer, poses = staged(film)
        image = made.image(poses, 0.0)
        assert (image.width(), image.height()) == size
        assert renderer.pictures == [(pixels, FRONT, over)]
    made.warm(poses)
    assert renderer.pictures[-1] == ((64, 36), FRONT, 1.0)
    assert renderer.calls[-1] == ("forget_target", (64, 36))


def test_a_still_has_four_samples_for_each_pixel(qapp, monkeypatch):
    made, given = Blank(), []
    monkeypatch.setattr(stage, "Renderer", lambda look: given.append(look) or made)
    project = sample_file("four_bar").project
    still = Still(project, camera=SIDE, paths=("trail",), arrows=(), now=2.5, components=True)
    for marks in (True, False):
        image = draw_still(Film(**NOTHING | {"marks": marks}), still, (300, 200))
        assert (image.width(), image.height()) == (300, 200)
        assert made.pictures[-1] == ((600, 400), SIDE, 2.0) and given[-1].grid is False
        look = made.look
        assert (
            look.now == 2.5
            and look.components == marks
            and look.paths == (("trail",) if marks else ())
        )
        assert made.calls[-1] == ("close",)
        made.look, made.calls = Look(), []
    draw_still(Film(**NOTHING | {"marks": True}), Still(project), (300, 200))
    assert (made.look.components, made.look.now, made.look.units) == (False, 0.0, "mm-N-deg")
    assert STILL[0][0] > 16e6


def test_the_camera_goes_evenly_through_its_views(qapp):
    """Slowly at each of them, half-way in the middle between two."""
    third = Camera((0.17, 0.0, 0.2), 90.0, 0.0, 1.5, False)
    made, _, poses = staged(Film(), cameras=(FRONT, SIDE, third))
    rows = stage.row_poses(made._scene.rows, poses)
    for share, first, last, part in (
        (0.0, FRONT, SIDE, 0.0),
        (0.125, FRONT, SIDE, 0.15625),
        (0.25, FRONT, SIDE, 0.5),
        (0.5, SIDE, third, 0.0),
        (0.75, SIDE, third, 0.5),
        (1.0, SIDE, third, 1.0),
        (1.5, SIDE, third, 1.0),
    ):
        assert made.camera(share, rows) == lens.between(first, last, part), share
    # one that follows a body goes along with it
    riding = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 1.5, False, body="crank")
    made, _, _ = staged(Film(), cameras=(riding,))
    row = rows[made._scene.bodies.index("crank")]
    assert np.allclose(made.camera(0.0, rows).target, row[4:7])
    # none shows everything, at each of the poses
    away = poses.copy()
    away[:, 0] += 3.0
    near, far = (
        staged(Film(), cameras=(None,), reach=reach)[0].camera(0.0, rows)
        for reach in ((poses,), (poses, away))
    )
    assert (near.azimuth, near.elevation) == (-60.0, 18.0) and far.distance > 1.5 * near.distance
    assert staged(Film(), cameras=(None,))[0].camera(0.0, rows) == near


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_what_is_painted_over_a_film_is_as_approved(qapp, strokes, approved):
    lines = []
    for name, choices in (
        ("nothing", {}),
        ("scale", {"scale": True}),
        ("labels", {"labels": True}),
        ("cube", {"cube": True}),
        ("clock", {"clock": True}),
        ("clock on paper", {"clock": True, "theme": "paper"}),
        ("clock in the dark", {"clock": True, "theme": "dark"}),
        ("plots", {"plots": True}),
        ("all", dict.fromkeys(("scale", "labels", "cube", "clock", "plots", "equation"), True)),
    ):
        film = Film(width=640, height=360, **NOTHING | choices)
        made, _, poses = staged(film, panels=(PANEL,), equation=equation_of())
        strokes.clear()
        made.image(poses, 1.5)
        lines += [f"# {name}", *strokes]
    approved.holds("strokes_over_a_film.txt", "\n".join(lines) + "\n")


def test_ground_and_clock_are_where_they_shall_be(qapp, strokes):
    made, _, poses = staged(Film(width=640, height=360, clock=True, **NOTHING))
    made.image(poses, 1.234)
    texts = [s for s in strokes if s.startswith("drawText")]
    assert len(texts) == 1 and texts[0].endswith("1.23 s")
    x, y = map(float, texts[0].split("(")[1].split(")")[0].split())
    # the line ends as far from the right edge as from the lower one
    scale = 360 / 540
    assert y == pytest.approx(360 - 16 * scale, abs=0.1) and 560 < x < 640 - 16 * scale
    for choices, corner in (
        ({"theme": "paper"}, "#ffffffff"),
        ({"transparent": True, "format": "apng"}, "#00000000"),
    ):
        made, _, poses = staged(Film(width=64, height=36, **NOTHING | choices))
        image = made.image(poses, 0.0)
        assert image.pixelColor(3, 3).name(QColor.NameFormat.HexArgb) == corner
        pixels = made.pixels(image)
        assert pixels.shape == (36, 64, 4)
        assert pixels[3, 3].tolist() == [int(corner[k : k + 2], 16) for k in (3, 5, 7, 1)]


@pytest.mark.parametrize(
    ("picture", "room"),
    [
        # of 92 % of the width and 80 % of 16 % of the height
        ((400, 50), (128 / 2, 0, 512, 64)),  # as high as it may be
        ((2000, 50), (25.6, 0, 588.8, 14.72)),  # as wide
    ],
)
def test_an_equation_is_in_the_middle_of_its_ground(qapp, picture, room, monkeypatch):
    drawn, filled = [], []
    made, _, _ = staged(
        Film(width=640, height=500, equation=True, **NOTHING), equation=equation_of(*picture)
    )
    assert made.view == (640, 420)
    painter = SimpleNamespace(
        drawImage=lambda place, image: drawn.append(place),
        fillRect=lambda place, color: filled.append((place, color.name())),
    )
    made._paint_under(painter, 0.0)
    assert filled == [(QRectF(0, 420, 640, 80), "#abcdef")]
    _, _, wide, high = room
    (place,) = drawn
    assert place.width() == pytest.approx(wide) and place.height() == pytest.approx(high)
    assert place.center() == QPointF(320, 460)


def test_plots_have_a_cursor_and_dots_at_the_present_instant(qapp, strokes, monkeypatch):
    count = 6
    panels = [PANEL] * count
    strip = PlotStrip(panels, (800, 200), "light", 12.0)
    assert len(strip._insides) == 4, "what is still read"
    ground = QPixmap(800, 400)

    def shown(strip, time):
        strokes.clear()
        painter = Recorder(ground)
        strip.paint(painter, 100.0, time)
        painter.end()
        return [s for s in strokes if s.startswith("draw")]

    one = PlotStrip([PANEL], (800, 200), "light", 12.0)
    (inside,) = one._insides
    left, above, right, below = inside.room
    low, high = inside.shown
    line, *dots = shown(one, 0.5)
    x = left + (right - left) * (0.5 - low) / (high - low)
    assert line == f"drawLine ({x:.1f} {100 + above:.1f}) ({x:.1f} {100 + below:.1f})"
    # both curves are at 5 deg there
    y = 100 + inside.place(PANEL.lines[0], 0.5, 5.0)[1]
    assert dots == [f"drawEllipse ({x:.1f} {y:.1f}) 4.0 4.0"] * 2
    assert shown(one, -0.1) == shown(one, 2.1) == [], "outside the axis"
    assert len(shown(one, 2.0)) == 3 and len(shown(one, 0.0)) == 3
    # of text twice as high, with milliseconds across, and none over something else than the time
    large = PlotStrip([PANEL], (800, 200), "light", 24.0, 2.0)
    large_x = large._insides[0].place(PANEL.lines[0], 0.5, 0.0)[0]
    assert shown(large, 1.0)[1].startswith(f"drawEllipse ({large_x:.1f}")
    assert shown(large, 1.0)[1].endswith("8.0 8.0")
    assert shown(PlotStrip([PANEL._replace(x_title="x")], (800, 200), "light", 12.0), 0.5) == []
    bare = PlotStrip([PANEL._replace(lines=())], (800, 200), "light", 12.0)
    assert shown(bare, 0.5) == []


@pytest.mark.parametrize(
    ("time", "value"),
    [(-0.1, None), (0.0, 1.0), (0.5, 2.0), (1.0, 3.0), (1.5, None), (3.0, None), (4.0, 7.0)]
    + [(3.5, None), (4.1, None), (0.25, 1.5)],
)
def test_a_dot_is_on_its_curve_or_not_there(time, value):
    line = Line("a", np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, NAN, NAN, 7.0]))
    assert _value(line, time) == value
    assert _value(line._replace(points=True), time) is None
    assert _value(line._replace(x=np.zeros(0), y=np.zeros(0)), time) is None
