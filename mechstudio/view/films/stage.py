"""Stage of a film: the mechanism at any instant of its run, as the frames of a film show it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from mechstudio.application.films.film import Film
from mechstudio.application.films.poses import sample_at
from mechstudio.application.marks.marks import Marks
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene import build_scene, row_poses
from mechstudio.curves.picture import Panel
from mechstudio.model.project import Camera, Project
from mechstudio.view.films.plot_strip import PlotStrip
from mechstudio.view.fonts import ensure_fonts, font
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.marks.symbols import paint_symbols
from mechstudio.view.scene.overlays import overlay, view_cube
from mechstudio.view.scene.overlays.arrow_marks import paint_marked
from mechstudio.view.scene.overlays.canvas import Canvas, Words
from mechstudio.view.scene.overlays.note_marks import paint_notes
from mechstudio.view.scene.renderer import Renderer
from mechstudio.view.scene.snapshot import pixels_of
from mechstudio.view.tokens import theme

# samples per pixel and direction of frames of so many pixels: a processor that draws alone takes a
# twentieth of a second for two million of them
SAMPLES = ((2_200_000, 1.5), (16_000_000, 1.2))
USUAL = 540.0  # px of height for which words have their usual size
STRIP = 0.34  # of the height for plots
EQUATION = 0.16  # of the height for an equation
ENOUGH = 40  # instants at which a camera looks where everything is


class Shot(NamedTuple):
    """Everything that stands before the camera.

    project: as drawn, with bodies where they stand at the start.  recording: its run.  camera: the
    point of view, in the body's axes where it goes along with one.  through: points of view that it
    goes through instead.  units: of numbers.  marks: trails and what else is shown beside the
    bodies, None for nothing.  panels: plots, over the stretch that the film shows.  equation: a
    picture of it, None for none.
    """

    project: Project
    recording: Recording
    camera: Camera | None = None
    through: Sequence[Camera | None] = ()
    units: str = "mm-N-deg"
    marks: Marks | None = None
    panels: Sequence[Panel] = ()
    equation: QImage | None = None


class Stage:
    """Draws frames of a film of a shot; `close` gives the graphics device back.

    size: of a frame [px].  view: width and height of what of it shows the mechanism [px].  Raises
    gl.GraphicsUnavailable in a sentence.
    """

    def __init__(
        self, film: Film, shot: Shot, times: Sequence[float], size: tuple[int, int] | None = None
    ) -> None:
        ensure_fonts()
        self._film, self._shot = film, shot
        self.size = size or film.size
        width, height = self.size
        # words of a small preview are as large in it as they will be in the film
        self._scale = (
            max(0.6, min(film.size[1], film.size[0] * 9 / 16) / USUAL) * width / film.size[0]
        )
        tall = height
        self._strip: PlotStrip | None = None
        self._equation = shot.equation if film.equation else None
        if film.plots and shot.panels:
            tall = round(height * (1 - STRIP))
            area = (width, height - tall)
            self._strip = PlotStrip(list(shot.panels), area, film.theme, 11.5 * self._scale)
        if self._equation is not None:
            tall -= round(height * EQUATION)
        self.view = (width, tall)
        self._scene = build_scene(shot.project)
        look = self._look = Look(grid=False)
        look.theme = "dark" if film.theme == "dark" else "light"
        look.units, look.text_scale = shot.units, self._scale
        look.ground = not film.leaves_ground and film.theme != "paper"
        look.grain = False
        look.glyphs, look.labels = film.glyphs, film.labels
        self._words = Words()
        self._stood: dict[str, int] = {}
        self._renderer = Renderer(look)
        self._renderer.load(self._scene)
        self._renderer.set_pixels(pixels_of(self._scene))
        if film.marks and shot.marks is not None:
            look.paths = shot.marks.paths()
            self._renderer.trace(look.paths)
        self._cameras = self._ways(times)

    def close(self) -> None:
        self._renderer.close()

    # the camera

    def _ways(self, times: Sequence[float]) -> list[Camera]:
        """Points of view that the camera goes through; one where it stays."""
        cameras = list(self._shot.through) or [self._shot.camera]
        found = []
        points: np.ndarray | None = None
        for camera in cameras:
            if camera is None:
                if points is None:
                    points = self._everywhere(times)
                start = Camera(azimuth=-60.0, elevation=18.0)
                camera = lens.fitted(start, self.view, points)
            found.append(camera)
        return found

    def _everywhere(self, times: Sequence[float]) -> np.ndarray:
        """Points (k, 3) of W where the mechanism is during the film."""
        picked = np.unique(np.linspace(0, len(times) - 1, ENOUGH).round().astype(int)).tolist()
        rows = [self._rows(sample_at(self._shot.recording, times[k])) for k in picked]
        return np.concatenate([self._scene.points(r) for r in rows])

    def camera(self, share: float, rows: np.ndarray) -> Camera:
        """The camera in W when a share of the film is over, with bodies at the poses of rows."""
        ways = self._cameras
        if len(ways) == 1:
            camera = ways[0]
        else:
            place = min(share, 1.0) * (len(ways) - 1)
            k = min(int(place), len(ways) - 2)
            s = place - k
            camera = lens.between(ways[k], ways[k + 1], s * s * (3 - 2 * s))
        if camera.body in self._scene.bodies:
            a, b, c, d, x, y, z = rows[self._scene.bodies.index(camera.body)].tolist()[:7]
            camera = lens.carried(camera, ((x, y, z), (a, b, c, d)))
        return camera

    # frames

    def _rows(self, sample: np.ndarray) -> np.ndarray:
        layout = self._shot.recording.layout
        return row_poses(self._scene.rows, sample[layout.poses].reshape(-1, 7))

    def image(self, time: float, share: float = 0.0) -> QImage:
        """The frame at an instant [s] of the run; share: of the film that is over then."""
        film, look, shot = self._film, self._look, self._shot
        sample = sample_at(shot.recording, time)
        rows = self._rows(sample)
        self._renderer.move(rows)
        camera = self.camera(share, rows)
        look.now = time
        if film.marks and shot.marks is not None:
            marks = shot.marks
            look.arrows = marks.shown_arrows(sample)
            look.arrow_measures, look.components = marks.measures, marks.components
            look.figures = marks.shown_figures(True, shot.units, time)
            self._renderer.sketch(look.figures)
        image = QImage(*self.size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(self._ground)
        painter = QPainter(image)
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing
            | QPainter.RenderHint.TextAntialiasing
            | QPainter.RenderHint.SmoothPixmapTransform
        )
        painter.drawImage(QRectF(0, 0, *self.view), self._view(camera))
        painter.setClipRect(QRectF(0, 0, *self.view))
        self._paint_over(painter, camera, rows, time)
        painter.setClipping(False)
        self._paint_under(painter, time)
        painter.end()
        return image

    def frame(self, time: float, share: float = 0.0) -> np.ndarray:
        """The same as pixels (height, width, 4) u1 of red, green, blue and alpha."""
        image = self.image(time, share).convertToFormat(QImage.Format.Format_RGBA8888)
        width, height = self.size
        flat = np.frombuffer(image.constBits(), "u1").reshape(height, image.bytesPerLine())
        return flat[:, : 4 * width].reshape(height, width, 4).copy()

    @property
    def _ground(self) -> QColor:
        if self._film.leaves_ground:
            return QColor(0, 0, 0, 0)
        paper = self._film.theme == "paper"
        return QColor("#FFFFFF" if paper else theme(self._look.theme)["plot"])

    def _view(self, camera: Camera) -> QImage:
        """The scene alone, at the size of the view."""
        width, height = self.view
        over = next((over for most, over in SAMPLES if width * height <= most), 1.0)
        pixels = (round(width * over), round(height * over))
        data = self._renderer.picture(pixels, camera, over)
        format = (
            QImage.Format.Format_RGB32
            if self._look.ground
            else QImage.Format.Format_ARGB32_Premultiplied
        )
        large = QImage(data.data, *pixels, 4 * pixels[0], format)
        return large.scaled(
            width,
            height,
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )

    def _paint_over(self, painter: QPainter, camera: Camera, rows: np.ndarray, time: float) -> None:
        """Words, arrows and scales over the view."""
        film, look, scene = self._film, self._look, self._scene
        canvas = Canvas(
            painter,
            self._words,
            camera,
            self.view,
            look.theme,
            1.0,
            self._scale,
            self._renderer.hides,
        )
        placer = Placer(self.view, (), self._stood)
        if film.scale:
            low = 36 * self._scale
            placer.block(QRectF(0, self.view[1] - low, self.view[0], low))
        if film.marks and self._shot.marks is not None:
            paint_notes(canvas, look.notes, placer)
            paint_marked(canvas, look, scene, placer)
            bodies = {id: rows[k] for k, id in enumerate(scene.bodies) if scene.rows.visible[k]}
            paint_symbols(canvas, look.figures.symbols, bodies, placer, frozenset())
        if film.labels:
            overlay.paint_labels(canvas, scene, rows, frozenset(), placer)
        if film.scale:
            measures = scene.measures
            if look.arrows:
                more = look.arrow_measures({m.dimension: m for m in measures})
                measures = (*measures, *(m for m in more.values() if m not in measures))
            overlay.paint_legend(canvas, measures, look.units)
        if film.cube:
            painter.setFont(font(11 * self._scale, QFont.Weight.DemiBold))
            view_cube.paint(painter, camera, self.view, canvas.t, None, self._scale)
        if film.clock:
            self._paint_clock(painter, canvas, time)

    def _paint_clock(self, painter: QPainter, canvas: Canvas, time: float) -> None:
        """The time of the run in the lower right corner."""
        f = font(15 * self._scale, QFont.Weight.DemiBold)
        painter.setFont(f)
        text, measure = f"{time:.2f} s", QFontMetricsF(f)
        # figures have one width, so that it stands still
        wide = measure.horizontalAdvance(text)
        painter.setPen(QColor(canvas.t["text"]))
        at = QPointF(self.view[0] - 16 * self._scale - wide, self.view[1] - 16 * self._scale)
        painter.drawText(at, text)

    def _paint_under(self, painter: QPainter, time: float) -> None:
        """Equation and plots below the view."""
        top = float(self.view[1])
        if self._equation is not None:
            picture, tall = self._equation, round(self.size[1] * EQUATION)
            if not self._film.leaves_ground:
                painter.fillRect(QRectF(0, top, self.size[0], tall), self._ground)
            ratio = picture.width() / max(picture.height(), 1)
            room = (self.size[0] * 0.92, tall * 0.8)
            high = min(room[1], room[0] / ratio)
            wide = high * ratio
            place = QRectF((self.size[0] - wide) / 2, top + (tall - high) / 2, wide, high)
            painter.drawImage(place, picture)
            top += tall
        if self._strip is not None:
            self._strip.paint(painter, top, time)
