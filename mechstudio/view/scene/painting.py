"""The painting part of the viewport: quick pictures while something changes, smooth ones at rest,
and what is painted over them.
"""

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, SignalInstance
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mechstudio.application.contact_display import Touch
from mechstudio.application.free_body import Cut
from mechstudio.application.scene import Scene
from mechstudio.application.scene.force_scale import with_forces
from mechstudio.application.scene.principal_axes import PrincipalCross
from mechstudio.application.scene.scene import Measure
from mechstudio.application.scene.stops import LimitMark, limit_marks
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.free_bodies import Slot
from mechstudio.model.mechanism import Body
from mechstudio.model.project import Camera, Project
from mechstudio.model.units import unit
from mechstudio.view.fonts import font
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.scene.gl import GraphicsUnavailable
from mechstudio.view.scene.overlays import overlay, view_cube
from mechstudio.view.scene.overlays.contact_marks import paint_contacts
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.overlays.marks import paint_handles
from mechstudio.view.scene.overlays.picture_marks import paint_pictures
from mechstudio.view.scene.overlays.point_marks import paint_points
from mechstudio.view.scene.renderer import Renderer
from mechstudio.view.tokens import theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.image_files import PictureFiles

REST_MS = 140  # without change for so long, the picture is made smooth
# the resting picture is the mean of these, each a quick one moved by so many sixteenths of a pixel;
# between them the window lives on, since on a software renderer each takes as long as a frame
SHIFTS = ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7))


class Painting(QWidget):
    """The part of the viewport that draws.  `_stale` names what the renderer has not yet heard of;
    "picture" is in it while the picture is an old one.
    """

    tool: Any
    plane: WorkPlane
    drawing_plane: WorkPlane | None
    text_scale: float
    units: str
    message: str

    if TYPE_CHECKING:  # what Viewport brings
        first_frame: SignalInstance
        _theme: str
        _labels: bool
        _glyphs: bool
        _touching: Touch | None
        _axes: bool
        _project: Project | None
        _scene: Scene
        _poses: np.ndarray
        _selected: frozenset[str]
        _struck: frozenset[str]
        _lit: frozenset[str]
        _camera: Camera
        _wants_fit: bool
        _cursor: QPointF
        _cube_zone: view_cube.Direction | None
        _files: PictureFiles

        def _build(self, step: float = ...) -> None: ...
        def _fit_now(self) -> None: ...
        def _extent(self) -> tuple[float, float]: ...
        def _ghost_rows(self) -> tuple[np.ndarray | None, tuple[int, ...]]: ...
        def _crosses_now(self) -> dict[str, PrincipalCross]: ...

    def _start_painting(self) -> None:
        self._renderer: Renderer | None = None
        self._words, self._cube = overlay.Words(), view_cube.Cube()
        self._image: QImage | None = None
        self._memory: np.ndarray | None = None
        self._focus: frozenset[str] | None = None  # what stands out while all else is faded
        self._cut: Cut | None = None  # a body cut free
        self._arrow_scale = 1.0
        self._is_lit: Callable[[Slot], bool] = lambda slot: False
        self._covered: list[QRectF] = []  # room that floats over the scene
        self.free_body = FreeBodyMarks()
        self._stale, self._seen = {"scene", "style", "poses", "picture"}, False
        self._pile: np.ndarray | None = None  # sum of the shifted pictures so far
        self._piled = 0
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(lambda: turns().soon(self._rest, self._rested))

    # ---- painting

    def _touch(self, what: str) -> None:
        """Something changed: the next picture is quick, a smooth one follows at rest."""
        self._stale |= {what, "picture"}
        self._piled = 0
        if self.isVisible():
            self._rest.start(REST_MS)
        self.update()

    @property
    def is_smooth(self) -> bool:
        """True if the picture has smooth edges already."""
        return "picture" not in self._stale and (
            self._piled == len(SHIFTS) or self._renderer is None
        )

    def refine(self) -> None:
        """Make the picture smooth at once, as for a picture of the window."""
        self._build(math.inf)
        self._show_files()
        while not self.is_smooth and not self.message:
            self._add_sample()

    def _show_files(self) -> None:
        """Have the files of all pictures read."""
        self._files.want(tuple(p.path for p in self._scene.pictures))
        self._files.settle()

    def _rested(self) -> None:
        """One more sample; the window gets its turn before the next."""
        if turns().waits(self):  # the scene is being built: there is no rest yet
            self._rest.start(REST_MS)
            return
        if self.isVisible() and self._image is not None and not self.is_smooth and not self.message:
            self._add_sample()
            if not self.is_smooth:
                turns().soon(self._rest, self._rested)

    def _add_sample(self) -> None:
        """Add a shifted picture to the pile; show the mean when it is complete."""
        ratio = self.devicePixelRatioF()
        if "picture" in self._stale:
            self._draw(ratio)
        if self.is_smooth or self._renderer is None:
            return
        shift = tuple(s / 16 for s in SHIFTS[self._piled])
        try:
            sample = self._prepare().picture(self._pixels(ratio), self._camera, ratio, shift)  # type: ignore[arg-type]
        except GraphicsUnavailable as error:
            self.message, self._image = tr(str(error)), None
            return
        if self._piled == 0 or self._pile is None or self._pile.shape != sample.shape:
            self._pile, self._piled = np.zeros(sample.shape, "u2"), 0
        self._pile += sample
        self._piled += 1
        if self._piled == len(SHIFTS):
            self._show((self._pile // len(SHIFTS)).astype("u1"), ratio)
            self._pile = None
            self.update()

    def _pixels(self, ratio: float) -> tuple[int, int]:
        return (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))

    def _draw(self, ratio: float) -> None:
        """The picture as things are now."""
        self._fit_now()
        try:
            self._show(self._prepare().picture(self._pixels(ratio), self._camera, ratio), ratio)
            self._stale.discard("picture")
        except GraphicsUnavailable as error:
            self.message, self._image = tr(str(error)), None

    def _show(self, pixels: np.ndarray, ratio: float) -> None:
        """Take pixels as the picture; the image shares their memory, so they are kept."""
        height, width = pixels.shape[:2]
        self._memory = pixels
        self._image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self._image.setDevicePixelRatio(ratio)

    def _prepare(self) -> Renderer:
        """The renderer with everything as it is now."""
        if self._renderer is None:
            self._renderer = Renderer()
            self._stale |= {"scene", "style", "poses"}
        r = self._renderer
        look = (self._theme, self._selected, self._lit)
        r.look.theme, r.look.selected, r.look.lit = look
        r.look.plane, r.look.draws = self.plane, self.drawing_plane is not None
        r.look.marks, r.look.thick, r.look.focus = self._glyphs, self.text_scale, self._focus
        r.look.unit = unit("length", self.units).factor
        if "scene" in self._stale:
            r.load(self._scene)
        elif "style" in self._stale:
            r.restyle()
        if self._stale & {"scene", "pictures"}:
            self._files.want(tuple(p.path for p in self._scene.pictures))
            r.set_pixels(
                {
                    p.path: pixels
                    for p in self._scene.pictures
                    if (pixels := self._files.pixels(p.path)) is not None
                }
            )
        if "pictures" in self._stale and "scene" not in self._stale:
            r.repicture(self._scene)
        if self._stale & {"scene", "poses"}:
            r.move(self._poses)
        if self._stale & {"scene", "style", "poses", "ghost"}:
            r.haunt(*self._ghost_rows())
        self._stale -= {"scene", "style", "poses", "pictures", "ghost"}
        return r

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            # a painter left open would bring the whole program down with the next picture
            painter.end()
        if not self._seen:
            self._seen = True
            self.first_frame.emit()

    def _paint(self, painter: QPainter) -> None:
        if self._wants_fit:
            self._stale.add("picture")
        ratio = self.devicePixelRatioF()
        fits = self._image is not None and (
            self._image.width(),
            self._image.height(),
        ) == self._pixels(ratio)
        if not self.message and ("picture" in self._stale or not fits):
            self._piled = 0
            self._draw(ratio)
        if self._image is not None:
            painter.drawImage(QPointF(0, 0), self._image)
            self._paint_over(painter, ratio)
        else:
            self._paint_message(painter)

    def _paint_over(self, painter: QPainter, ratio: float) -> None:
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        t, size = theme(self._theme), self._extent()
        chosen = self._selected | self._lit
        paint_pictures(
            painter,
            self._words,
            self._scene.pictures,
            self._files.fault,
            chosen,
            self._camera,
            size,
            t,
            ratio,
            self.text_scale,
        )
        if self._axes:
            overlay.paint_crosses(
                painter,
                self._words,
                self._crosses_now(),
                self._scene,
                self._poses,
                self._camera,
                size,
                t,
                ratio,
                self.text_scale,
            )
        for ids, reached in ((self._selected - self._struck, False), (self._struck, True)):
            overlay.paint_limits(
                painter, self._limit_marks(ids), self._camera, size, t, reached, self.text_scale
            )
        measures = self._scene.measures if self._focus is None else ()
        if self._touching is not None and self._project is not None and self._focus is None:
            measures = with_forces(self._scene, self._project.mechanism)
            paint_contacts(
                painter,
                self._touching,
                next(m for m in measures if m.dimension == "force"),
                self._scene.glyph,
                self._camera,
                size,
                t,
                self.text_scale,
                chosen,
            )
        taken = (
            overlay.paint_labels(
                painter,
                self._words,
                self._scene,
                self._poses,
                self._camera,
                size,
                self._theme,
                chosen,
                ratio,
                self.text_scale,
            )
            if self._labels and self._focus is None
            else []
        )
        paint_points(
            painter,
            self._words,
            self._pointed(),
            taken,
            self._camera,
            size,
            t,
            ratio,
            self.text_scale,
        )
        if not self._scene and (self.tool is None or self.tool.name == "select"):
            overlay.paint_invitation(
                painter,
                tr("Press L and click two points, or open a sample under File"),
                size,
                t,
                self.text_scale,
            )
        self._paint_legend(painter, measures, size, t, ratio)
        painter.setFont(font(11, QFont.Weight.DemiBold))
        self._cube.paint(painter, self._camera, size, t, self._cube_zone, self.text_scale, ratio)
        if self.tool is not None:
            paint_handles(
                painter,
                self._words,
                self.tool.handles(CameraEye(self._camera, size)),
                self._camera,
                size,
                t,
                ratio,
                self.text_scale,
            )
            overlay.paint_preview(
                painter,
                self._words,
                self.tool.preview,
                self._camera,
                size,
                t,
                self._cursor,
                ratio,
                self.text_scale,
            )

    def _paint_legend(
        self,
        painter: QPainter,
        measures: Iterable[Measure],
        size: tuple[float, float],
        t: dict[str, Any],
        ratio: float,
    ) -> None:
        """The ruler; and the arrows of a body that is cut free, with the scale that they are drawn
        to.
        """
        end = overlay.paint_legend(
            painter, measures, self._camera, size, t, self.units, self.text_scale
        )
        if self._cut is None or self._project is None:
            self.free_body.marks = []
            return
        drawn, scale = self.free_body, self.text_scale
        drawn.layout(
            self._cut,
            self._project.mechanism,
            self._camera,
            size,
            self._scene.size,
            self._arrow_scale,
            self._theme,
            t,
            self.units,
            self._covered,
            scale,
        )
        drawn.paint(painter, self._is_lit, t, ratio, scale)
        drawn.paint_scale(
            painter,
            self._cut,
            self._camera,
            size,
            self._scene.size,
            self._arrow_scale,
            t,
            self.units,
            scale,
            end,
        )

    def _pointed(self) -> list[tuple[Body, np.ndarray]]:
        """Selected bodies that name points, with their poses."""
        m = self._project.mechanism if self._project is not None and self._focus is None else None
        return [
            (body, self._poses[k])
            for k, id in enumerate(self._scene.bodies)
            if m is not None and id in self._selected and (body := m.body(id)).points
        ]

    def _limit_marks(self, ids: frozenset[str]) -> list[LimitMark]:
        """Stops of joints, as they stand now."""
        if self._project is None:
            return []
        m, index, out = (
            self._project.mechanism,
            {id: k for k, id in enumerate(self._scene.bodies)},
            [],
        )
        pose = lambda body: (self._poses[index[body], :4], self._poses[index[body], 4:7])
        for id in sorted(ids):
            joint = m.joints.get(id)
            if joint is not None and joint.limits:
                out += limit_marks(m, joint, self._scene.glyph, pose)
        return out

    def _paint_message(self, painter: QPainter) -> None:
        t = theme(self._theme)
        painter.fillRect(self.rect(), QColor(t["view_top"]))
        painter.setPen(QColor(t["text2"]))
        painter.setFont(font(12 * self.text_scale, QFont.Weight.Normal))
        # beside the strip of tools, which covers the view's left
        left = max(
            (room.right() for room in self._covered if room.left() < 0.25 * self.width()),
            default=0.0,
        )
        free = self.width() - left - 32
        wide = min(440 * self.text_scale, free)
        room = QRectF(left + 16 + (free - wide) / 2, 0, wide, self.height())
        painter.drawText(
            room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.message
        )
