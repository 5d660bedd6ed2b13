"""Stage of pictures and films: the mechanism at any poses, with what is painted over and under
it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from mechstudio.application.films.film import Film
from mechstudio.application.marks.arrows import Arrow
from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.marks import Path
from mechstudio.application.scene import Scene, build_scene, row_poses
from mechstudio.application.scene.scene import Measure
from mechstudio.curves.picture import Panel
from mechstudio.model.project import Camera, Project
from mechstudio.tokens import theme
from mechstudio.translation import localised
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
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.scene.snapshot import pixels_of

# samples per pixel and direction of frames of so many pixels: a processor that draws alone takes a
# twentieth of a second for two million of them
Samples = tuple[tuple[int, float], ...]
SAMPLES: Samples = ((1_000_000, 1.5), (2_200_000, 1.25))
STILL: Samples = ((16_700_000, 2.0),)  # of a picture for which one can wait
Measures = Callable[[Mapping[str, Measure]], dict[str, Measure]]
STAMP = (64, 36)  # px
USUAL = 540.0  # px of height for which words have their usual size
STRIP = 0.34  # of the height for plots
EQUATION = 0.16  # of the height for an equation


class Scenery(NamedTuple):
    """Everything that stands before the camera.

    project: as drawn, with bodies where they stand at the start.  cameras: views that the
    camera passes through, in the body's axes where it follows a body; None for one that shows
    everything, at all of `reach`: poses (bodies, 7) each.  units: of numbers.  panels: plots.
    equation: a picture of it on its ground, None for none.  scene: of the project, where it is
    there already.
    """

    project: Project
    cameras: Sequence[Camera | None] = (None,)
    reach: Sequence[np.ndarray] = ()
    units: str = "mm-N-deg"
    panels: Sequence[Panel] = ()
    equation: QImage | None = None
    scene: Scene | None = None


class Stage:
    """Draws pictures of a scenery with the choices of a film; `close` gives the graphics device
    back.

    size: of a picture [px].  view: width and height of its part that shows the mechanism [px].
    Raises gl.GraphicsUnavailable in a sentence.
    """

    def __init__(
        self,
        film: Film,
        scenery: Scenery,
        size: tuple[int, int] | None = None,
        renderer: Renderer | None = None,
        samples: Samples = SAMPLES,
    ) -> None:
        """size: of a preview [px].  renderer: one that other stages used before and will use after
        this one; it has a look of its own.  samples: for each pixel, see SAMPLES.
        """
        ensure_fonts()
        self._film, self._samples = film, samples
        self.size = size or film.size
        width, height = self.size
        # words of a small preview are as large in it as they will be in the film
        usual = min(film.size[1], film.size[0] * 9 / 16) / USUAL
        self._scale = max(0.6, usual) * width / film.size[0]
        tall = height
        self._strip: PlotStrip | None = None
        self._equation = scenery.equation if film.equation else None
        if film.plots and scenery.panels:
            tall = round(height * (1 - STRIP))
            area = (width, height - tall)
            self._strip = PlotStrip(list(scenery.panels), area, film.theme, 11.5 * self._scale)
        if self._equation is not None:
            tall -= round(height * EQUATION)
        self.view = (width, tall)
        self._scene = scenery.scene or build_scene(scenery.project)
        self._owned = renderer is None
        self._renderer = renderer or Renderer(Look(grid=False))
        look = self._look = self._renderer.look
        look.theme = "dark" if film.theme == "dark" else "light"
        look.units, look.text_scale = scenery.units, self._scale
        look.ground = not film.leaves_ground and film.theme != "paper"
        look.grain = False
        look.glyphs, look.labels = film.glyphs, film.labels
        look.arrows, look.figures, look.notes, look.paths = [], Figures(), (), ()
        self._words = Words()
        self._stood: dict[str, int] = {}
        self._renderer.load(self._scene)
        self._renderer.set_pixels(pixels_of(self._scene))
        self._renderer.trace(())
        self._renderer.sketch(look.figures)
        self._cameras = self._ways(scenery)

    def close(self) -> None:
        if self._owned:
            self._renderer.close()

    def trace(self, paths: tuple[Path, ...]) -> None:
        """Show trails and curves."""
        self._look.paths = paths
        self._renderer.trace(paths)

    def mark(
        self, arrows: Sequence[Arrow], measures: Measures, components: bool, figures: Figures
    ) -> None:
        """Show arrows and figures in the pictures that follow.  measures, components: of Look."""
        look = self._look
        look.arrows, look.arrow_measures, look.components = list(arrows), measures, components
        look.figures = figures
        self._renderer.sketch(figures)

    # the camera

    def _ways(self, scenery: Scenery) -> list[Camera]:
        """Points of view that the camera goes through; one where it stays."""
        found = []
        points: np.ndarray | None = None
        for camera in scenery.cameras:
            if camera is None:
                if points is None:
                    reach = scenery.reach or (self._scene.drawn,)
                    rows = [row_poses(self._scene.rows, poses) for poses in reach]
                    points = np.concatenate([self._scene.points(r) for r in rows])
                start = Camera(azimuth=-60.0, elevation=18.0)
                camera = lens.fitted(start, self.view, points)
            found.append(camera)
        return found

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

    # pictures

    def warm(self, poses: np.ndarray) -> None:
        """Draw a stamp of a picture, so that buffers and shadow of the scene are there before the
        first one, which then takes no longer than the others.
        """
        rows = row_poses(self._scene.rows, poses)
        self._renderer.move(rows)
        self._renderer.picture(STAMP, self.camera(0.0, rows), 1.0)
        self._renderer.forget_target(STAMP)

    def image(self, poses: np.ndarray, time: float, share: float = 0.0) -> QImage:
        """The picture of bodies at poses (bodies, 7), which are those of an instant [s]; share: of
        the film that is over then.
        """
        rows = row_poses(self._scene.rows, poses)
        self._renderer.move(rows)
        camera = self.camera(share, rows)
        self._look.now = time
        clear = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(
            *self.size, clear if self._film.leaves_ground else QImage.Format.Format_RGB32
        )
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

    def pixels(self, image: QImage) -> np.ndarray:
        """A picture as pixels (height, width, 4) u1 of red, green, blue and alpha."""
        image = image.convertToFormat(QImage.Format.Format_RGBA8888)
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
        over = next((over for most, over in self._samples if width * height <= most), 1.0)
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
        if film.marks:
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
        text, measure = localised(f"{time:.2f} s"), QFontMetricsF(f)
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
            ground = picture.pixelColor(0, 0)
            painter.fillRect(QRectF(0, top, self.size[0], tall), ground)
            ratio = picture.width() / max(picture.height(), 1)
            room = (self.size[0] * 0.92, tall * 0.8)
            high = min(room[1], room[0] / ratio)
            wide = high * ratio
            place = QRectF((self.size[0] - wide) / 2, top + (tall - high) / 2, wide, high)
            painter.drawImage(place, picture)
            top += tall
        if self._strip is not None:
            self._strip.paint(painter, top, time)
