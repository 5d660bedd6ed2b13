"""Painter of the viewport: quick pictures while something changes, smooth ones at rest."""

import math

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QWidget

from mechstudio.tokens import theme
from mechstudio.view.fonts import font
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene.framing import Framing
from mechstudio.view.scene.look import Look, Part
from mechstudio.view.scene.overlays.furniture import Furniture
from mechstudio.view.scene.rendering.gl import GraphicsUnavailable
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.scene.shown_scene import ShownScene
from mechstudio.view.widgets.image_files import PictureFiles

STEP = 0.03  # s of computing, for which a scene is built in one turn
REST_MS = 140  # without change for so long, the picture is made smooth
# the resting picture is the mean of these, each a quick one moved by so many sixteenths of a pixel;
# between them the window lives on, since on a software renderer each takes as long as a frame
SHIFTS = ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7))


class Painter(QObject):
    """Painter of a widget that shows a scene.

    stale: what the renderer has not yet heard of; "picture" is in it while the picture is an old
    one.  message: why nothing can be drawn.
    first_frame(): the first picture was painted.
    """

    first_frame = Signal()

    def __init__(
        self,
        widget: QWidget,
        shown: ShownScene,
        look: Look,
        framing: Framing,
        files: PictureFiles,
        furniture: Furniture,
    ) -> None:
        super().__init__(widget)
        self._widget, self._shown, self._look = widget, shown, look
        self._framing, self._files, self._furniture = framing, files, furniture
        self.message = ""
        self.stale: set[Part] = {"scene", "style", "poses", "picture"}
        self.renderer: Renderer | None = None
        self._image: QImage | None = None
        self._memory: np.ndarray | None = None
        self._seen = False
        self._pile: np.ndarray | None = None  # sum of the shifted pictures so far
        self._piled = 0
        self.rest = QTimer(self, singleShot=True, interval=REST_MS)
        self.rest.timeout.connect(lambda: turns().soon(self.rest, self._rested))
        shown.outdated.connect(self.outdate)
        look.outdated.connect(self.outdate)
        framing.moved.connect(lambda: self.outdate("picture"))
        files.arrived.connect(lambda: self.outdate("pictures"))

    # ---- what is to be painted

    def outdate(self, part: Part) -> None:
        """A part of the picture is out of date: the next one is quick, a smooth one follows at
        rest.
        """
        if part != "overlay":
            self.stale |= {part, "picture"}
            self._piled = 0
            if self._widget.isVisible():
                self.rest.start(REST_MS)
        if part == "scene" and self._seen and self._widget.isVisible():
            self._widget.setUpdatesEnabled(False)
            turns().soon(self, self._build)
        self._widget.update()

    def _build(self, step: float = STEP) -> None:
        """Make some of the scene, for so many seconds; the turn after the last of it has it
        painted, which takes its time too.
        """
        turns().drop(self)
        if not self._shown.is_built:
            if self._shown.build(step) and self._widget.isVisible():
                # what is pointed at before the picture is there is where it will be seen
                self._framing.fit_now()
            if step < math.inf:
                turns().soon(self, self._build)
                return
        self._widget.setUpdatesEnabled(True)

    def show(self) -> None:
        """The widget came into sight."""
        self.rest.start(REST_MS)

    def hide(self) -> None:
        """The widget went out of sight."""
        self.rest.stop()

    def retry_files(self) -> None:
        """Look again for picture files that were missing: one may have been put back meanwhile."""
        if any(self._files.fault(p.path) for p in self._shown.scene.pictures):
            self.outdate("pictures")

    def release(self) -> None:
        """Give the graphics device back; a later picture makes a new one."""
        self._files.close()
        self.rest.stop()
        turns().drop(self.rest)
        if self.renderer is not None:
            self.renderer.close()
            self.renderer = None

    # ---- smooth pictures

    @property
    def is_smooth(self) -> bool:
        """True if the picture has smooth edges already."""
        return "picture" not in self.stale and (self._piled == len(SHIFTS) or self.renderer is None)

    def refine(self) -> None:
        """Make the picture smooth at once, as for a picture of the window."""
        self._build(math.inf)
        self._show_files()
        while not self.is_smooth and not self.message:
            self._add_sample()

    def _show_files(self) -> None:
        """Have the files of all pictures read."""
        self._files.want(tuple(p.path for p in self._shown.scene.pictures))
        self._files.settle()

    def _rested(self) -> None:
        """One more sample; the window gets its turn before the next."""
        if turns().waits(self):  # the scene is being built: there is no rest yet
            self.rest.start(REST_MS)
            return
        if (
            self._widget.isVisible()
            and self._image is not None
            and not self.is_smooth
            and not self.message
        ):
            self._add_sample()
            if not self.is_smooth:
                turns().soon(self.rest, self._rested)

    def _add_sample(self) -> None:
        """Add a shifted picture to the pile; show the mean when it is complete."""
        ratio = self._widget.devicePixelRatioF()
        if "picture" in self.stale:
            self._draw(ratio)
        if self.is_smooth or self.renderer is None:
            return
        x, y = SHIFTS[self._piled]
        camera, shift = self._framing.current, (x / 16, y / 16)
        try:
            sample = self._prepare().picture(self._pixels(ratio), camera, ratio, shift)
        except GraphicsUnavailable as error:
            self.message, self._image = str(error), None
            return
        if self._piled == 0 or self._pile is None or self._pile.shape != sample.shape:
            self._pile, self._piled = np.zeros(sample.shape, "u2"), 0
        self._pile += sample
        self._piled += 1
        if self._piled == len(SHIFTS):
            self._show((self._pile // len(SHIFTS)).astype("u1"), ratio)
            self._pile = None
            self._widget.update()

    def _pixels(self, ratio: float) -> tuple[int, int]:
        return (
            max(1, round(self._widget.width() * ratio)),
            max(1, round(self._widget.height() * ratio)),
        )

    def _draw(self, ratio: float) -> None:
        """The picture as things are now."""
        self._framing.fit_now()
        camera = self._framing.current
        try:
            self._show(self._prepare().picture(self._pixels(ratio), camera, ratio), ratio)
            self.stale.discard("picture")
        except GraphicsUnavailable as error:
            self.message, self._image = str(error), None

    def _show(self, pixels: np.ndarray, ratio: float) -> None:
        """Take pixels as the picture; the image shares their memory, so they are kept."""
        height, width = pixels.shape[:2]
        self._memory = pixels
        self._image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self._image.setDevicePixelRatio(ratio)

    def _prepare(self) -> Renderer:
        """The renderer with everything as it is now."""
        if self.renderer is None:
            self.renderer = Renderer(self._look)
            self.stale |= {"scene", "style", "poses"}
        r = self.renderer
        if "scene" in self.stale:
            r.load(self._shown.scene)
        elif "style" in self.stale:
            r.restyle()
        if self.stale & {"scene", "pictures"}:
            self._files.want(tuple(p.path for p in self._shown.scene.pictures))
            r.set_pixels(
                {
                    p.path: pixels
                    for p in self._shown.scene.pictures
                    if (pixels := self._files.pixels(p.path)) is not None
                }
            )
        if "pictures" in self.stale and "scene" not in self.stale:
            r.repicture(self._shown.scene)
        if self.stale & {"scene", "poses"}:
            r.move(self._shown.poses)
        if self.stale & {"scene", "paths", "style"}:
            r.trace(self._look.paths)
        if self.stale & {"scene", "figures", "style"}:
            r.sketch(self._look.figures)
        if self.stale & {"scene", "style", "poses", "ghost"}:
            r.haunt(*self._shown.ghost_rows())
        self.stale -= {"scene", "style", "poses", "pictures", "ghost", "paths", "figures"}
        return r

    # ---- painting

    def paint(self) -> None:
        """Paint the widget, within its paint event."""
        painter = QPainter(self._widget)
        try:
            self._paint(painter)
        finally:
            # a painter left open would bring the whole program down with the next picture
            painter.end()
        if not self._seen:
            self._seen = True
            self.first_frame.emit()

    def _paint(self, painter: QPainter) -> None:
        if self._framing.wants_fit:
            self.stale.add("picture")
        ratio, image = self._widget.devicePixelRatioF(), self._image
        fits = image is not None and (image.width(), image.height()) == self._pixels(ratio)
        if not self.message and ("picture" in self.stale or not fits):
            self._piled = 0
            self._draw(ratio)
        if self._image is not None:
            painter.drawImage(QPointF(0, 0), self._image)
            hides = None if self.renderer is None else self.renderer.hides
            self._furniture.paint(painter, ratio, hides)
        else:
            self._paint_message(painter)

    def _paint_message(self, painter: QPainter) -> None:
        t = theme(self._look.theme)
        painter.fillRect(self._widget.rect(), QColor(t["view_top"]))
        painter.setPen(QColor(t["text2"]))
        painter.setFont(font(12 * self._look.text_scale, QFont.Weight.Normal))
        # beside the strip of tools, which covers the view's left
        left = max(
            (
                room.right()
                for room in self._look.covered
                if room.left() < 0.25 * self._widget.width()
            ),
            default=0.0,
        )
        free = self._widget.width() - left - 32
        wide = min(440 * self._look.text_scale, free)
        room = QRectF(left + 16 + (free - wide) / 2, 0, wide, self._widget.height())
        painter.drawText(
            room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.message
        )
