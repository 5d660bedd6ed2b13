"""Pictures of the viewport alone, at any size, supersampled, without a window."""

import contextlib

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QImage, QPainter

from mechstudio.application.scene import Scene, build_scene, row_poses
from mechstudio.model.project import Camera, Project
from mechstudio.view.fonts import ensure_fonts, font
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays import overlay, view_cube
from mechstudio.view.scene.overlays.canvas import Canvas, Words
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.widgets.image_files import PictureUnreadable, read_picture

OVER = 2  # samples per pixel and direction
LARGEST = 8192  # pixels that a target may have on a side


def compose(
    renderer: Renderer,
    scene: Scene,
    poses: np.ndarray,
    camera: Camera,
    size: tuple[int, int],
    factor: int,
    chosen: frozenset[str],
    units: str = "mm-N-deg",
) -> QImage:
    """The scene on the renderer at size × factor pixels, with labels, cube and legend."""
    over = OVER if max(size) * factor * OVER <= LARGEST else 1
    pixels = (size[0] * factor * over, size[1] * factor * over)
    data = renderer.picture(pixels, camera, float(factor * over))
    renderer.forget_target(pixels)
    large = QImage(data.data, *pixels, 4 * pixels[0], QImage.Format.Format_RGB32)
    requested, exactly, smooth = (
        (size[0] * factor, size[1] * factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    image = large.scaled(*requested, exactly, smooth) if over > 1 else large.copy()
    image.setDevicePixelRatio(factor)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    canvas = Canvas(painter, Words(), camera, size, renderer.look.theme, factor)
    overlay.paint_labels(canvas, scene, poses, chosen, Placer(size))
    overlay.paint_legend(canvas, scene.measures, units)
    painter.setFont(font(11, QFont.Weight.DemiBold))
    view_cube.paint(painter, camera, size, canvas.t, None)
    painter.end()
    return image


def render(
    project: Project,
    poses: np.ndarray | None = None,
    theme: str = "light",
    size: tuple[int, int] = (900, 700),
    camera: Camera | None = None,
    selected: tuple[str, ...] = (),
    factor: int = 1,
    units: str = "mm-N-deg",
) -> QImage:
    """A picture of a project.  A QGuiApplication must exist.

    poses: (bodies, 7) as recorded, None for as drawn.  size: [units of `factor` pixels].  camera:
    None shows everything.
    Raises gl.GraphicsUnavailable in a sentence if this computer cannot draw.
    """
    ensure_fonts()
    scene = build_scene(project)
    rows = row_poses(scene.rows, scene.drawn if poses is None else poses)
    look = Look(grid=False)
    look.theme, look.selected = theme, frozenset(selected)
    renderer = Renderer(look)
    try:
        renderer.load(scene)
        renderer.set_pixels(pixels_of(scene))
        renderer.move(rows)
        if camera is None:
            camera = lens.fitted(Camera(azimuth=-60.0, elevation=18.0), size, scene.points(rows))
        elif camera.body in scene.bodies:
            a, b, c, d, x, y, z = rows[scene.bodies.index(camera.body)].tolist()[:7]
            camera = lens.carried(camera, ((x, y, z), (a, b, c, d)))
        return compose(
            renderer, scene, rows, camera, size, factor, frozenset(selected), units=units
        )
    finally:
        renderer.close()


def pixels_of(scene: Scene) -> dict[str, np.ndarray]:
    """Pixels of a scene's picture files by path, without the files that cannot be read."""
    found = {}
    for plane in scene.pictures:
        with contextlib.suppress(PictureUnreadable):
            found[plane.path] = read_picture(plane.path)
    return found
