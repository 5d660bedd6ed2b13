"""The few graphics objects that the renderer needs, over vispy.gloo: context, programs, buffers,
textures, targets.

Drawing happens in an offscreen context and is read back: the window stays an ordinary raster
window, so that panels and plots cost no composition on a software renderer, a dock may be torn off
without losing the scene, and a picture of any size comes out of the same passes.

The context is Qt's; gloo knows it by a canvas without a window.  gloo queues its calls and
does it at the next draw, so whatever goes past it (reading, copying) flushes the queue first.
"""

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import vispy
from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from shiboken6 import VoidPtr
from vispy import gloo
from vispy.gloo import gl
from vispy.gloo.buffer import DataBufferView
from vispy.gloo.context import FakeCanvas, forget_canvas, set_current_canvas
from vispy.gloo.gl import _gl2

from mechstudio.translation import Words, tr

DEPTH_24 = 0x81A6  # gloo's own word for depth means 16 bit, in which lines sink into faces
BGRA, UNSIGNED_BYTE = 0x80E1, 0x1401
DEPTH, FLOAT = 0x1902, 0x1406
KEPT_PIECES = 16  # index buffers of parts that a geometry keeps

CANNOT: Words = "The 3D view cannot draw: "
DRIVER: Words = "Update the graphics driver."

vispy.use(gl="gl2")


class GraphicsUnavailable(RuntimeError):
    """The computer cannot draw the scene; the message says what is missing and what helps."""


def _function(name: str, result: Any, arguments: tuple) -> Any:
    """A function of the OpenGL library in which the current context lives."""
    context = QOpenGLContext.currentContext()
    address = context.getProcAddress(name.encode()) if context is not None else 0
    if not address:
        raise RuntimeError(tr("it knows no {name}", name=name))
    return ctypes.CFUNCTYPE(result, *arguments)(address)


# gloo would look for the system's library by its name, but Qt may draw with another: on Windows
# without a proper driver with the software renderer that it brings along, on Wayland with EGL.
# gloo has no public way to be given functions (resources/help/decisions.md, "One name of VisPy's").
_gl2._get_gl_func = _function


def _writable(data: np.ndarray) -> Any:
    """A pointer of Qt to an array, for a function that writes into it."""
    # the stubs of PySide have no writable pointer
    pointer: Any = VoidPtr
    return pointer(data.ctypes.data, data.nbytes, True)


def _cannot(why: str, **values: object) -> str:
    return tr(CANNOT) + tr(why, **values)


@contextmanager
def _reported(refusal: str, **values: object) -> Iterator[None]:
    """Turn gloo's errors into a sentence.  refusal: with its {reason}, {driver} (what to do about
    it) and other values.
    """
    try:
        yield
        gl.check_error(tr("at the end"))
    except RuntimeError as error:
        for _ in range(8):  # forget what is set here, or the next draw stumbles over it
            functions: Any = gl  # filled by vispy at run time
            functions.glGetError()
        reason = " ".join(str(error).split())
        raise GraphicsUnavailable(
            _cannot(refusal, reason=reason, driver=tr(DRIVER), **values)
        ) from error


class Device:
    """An OpenGL context of its own on an offscreen surface, and gloo's canvas for it."""

    def __init__(self) -> None:
        format = QSurfaceFormat()
        format.setDepthBufferSize(0)
        self.surface = QOffscreenSurface()
        self.surface.setFormat(format)
        self.context = QOpenGLContext()
        self.context.setFormat(format)
        platform = QGuiApplication.platformName()
        cure = tr(
            "Update the graphics driver, or install a software renderer (Debian and Ubuntu: "
            "libgl1-mesa-dri)."
        )
        if platform in ("offscreen", "minimal", "vnc"):
            raise GraphicsUnavailable(
                _cannot(
                    tr(
                        "the display platform “{platform}” has no OpenGL. Start the program on a "
                        "screen, or on a virtual one (xvfb-run)."
                    ),
                    platform=platform,
                )
            )
        self.surface.create()
        if not self.surface.isValid() or not self.context.create():
            raise GraphicsUnavailable(
                _cannot(tr("no OpenGL context could be made. {cure}"), cure=cure)
            )
        if not self.context.makeCurrent(self.surface):
            raise GraphicsUnavailable(
                _cannot(tr("the OpenGL context could not be used. {cure}"), cure=cure)
            )
        version = self.context.format().version()
        if version < (2, 1):
            raise GraphicsUnavailable(
                _cannot(
                    tr("it needs OpenGL 2.1 and the driver offers {version}. {cure}"),
                    version=f"{version[0]}.{version[1]}",
                    cure=cure,
                )
            )
        self._canvas = FakeCanvas()
        self._functions = self.context.functions()
        self.state = (
            self._canvas.context
        )  # takes set_state, set_front_face, clear, … in their order among draws

    def use(self) -> None:
        """Make the context current, for Qt and for gloo.  Raises GraphicsUnavailable if the driver
        has lost it.
        """
        if not self.context.makeCurrent(self.surface):
            raise GraphicsUnavailable(
                _cannot(
                    tr(
                        "the graphics driver has been reset. Restart the program; nothing of the "
                        "project is lost."
                    )
                )
            )
        set_current_canvas(self._canvas)

    def flush(self, *new: Any) -> None:
        """Do what is queued, also for objects of gloo that were never drawn with."""
        for each in new:
            self.state.glir.associate(each.glir)
        self._canvas.flush()

    def handle(self, texture: gloo.Texture2D) -> int:
        """The name of a texture in OpenGL."""
        parser: Any = self.state.shared.parser
        return parser.get_object(texture.id).handle

    def read(self, data: np.ndarray) -> None:
        """Fill data, (height, width, 4) u1, from the bound target: blue, green, red, alpha.

        By Qt: gloo can read no such order, which QImage wants, and copies every picture twice.
        """
        self.flush()
        place = _writable(data)
        self._functions.glReadPixels(0, 0, data.shape[1], data.shape[0], BGRA, UNSIGNED_BYTE, place)

    def read_depth(self, data: np.ndarray) -> None:
        """Fill data, (height, width) f4, with depths of the bound target, 0 near to 1 far."""
        self.flush()
        place = _writable(data)
        self._functions.glReadPixels(0, 0, data.shape[1], data.shape[0], DEPTH, FLOAT, place)

    def done(self) -> None:
        """Free the returned objects, and release the context."""
        self.flush()
        forget_canvas(self._canvas)
        self.context.doneCurrent()


class Program:
    """Vertex and fragment shader with uniforms by name.  Each uniform must be declared by itself,
    or gloo does not see it.
    """

    def __init__(self, device: Device, vertex: str, fragment: str) -> None:
        self._program = gloo.Program(vertex, fragment)
        with _reported(tr("the graphics driver refuses a shader ({reason}). {driver}")):
            device.flush(self._program)
        self._known: dict[str, Any] = {}
        self._fields: Mapping[str, Any] = {}

    def use(self, values: Mapping[str, Any]) -> None:
        """Set uniforms: FloatTexture, PictureTexture or Target for samplers, float, 2 to 4 floats,
        or a (4, 4) matrix.

        Unchanged ones cost nothing, and names that the shaders do not have are passed over.
        """
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value = tuple(value.T.ravel().tolist())  # OpenGL takes a matrix column by column
            elif isinstance(value, (FloatTexture, PictureTexture, Target)):
                value = value.texture
            if name in self._program and self._known.get(name) != value:
                self._known[name] = value
                self._program[name] = value

    def draw(
        self, fields: Mapping[str, DataBufferView], indices: gloo.IndexBuffer, mode: str
    ) -> None:
        """Draw with vertex attributes by name."""
        if fields is not self._fields:
            self._fields = fields
            for name in fields:
                if name in self._program:
                    self._program[name] = fields[name]
        with _reported(tr("the graphics driver reports a fault ({reason}). {driver}")):
            self._program.draw(mode, indices)


class Geometry:
    """Vertices (a packed structured array of float fields) and the indices of triangles, on the
    device.
    """

    def __init__(self, vertices: np.ndarray, indices: np.ndarray) -> None:
        self.count = int(indices.size)
        self._order = np.ascontiguousarray(indices, "u4")
        self._vertices, self._indices = (
            gloo.VertexBuffer(np.ascontiguousarray(vertices)),
            gloo.IndexBuffer(self._order),
        )
        self._fields = {name: self._vertices[name] for name in vertices.dtype.names or ()}
        self._pieces: dict[tuple, gloo.IndexBuffer] = {}

    def draw(self, program: Program, mode: str = "triangles") -> None:
        """Draw everything."""
        if self.count:
            program.draw(self._fields, self._indices, mode)

    def draw_pieces(self, program: Program, pieces: tuple[tuple[int, int], ...]) -> None:
        """Draw some ranges of indices only: first and last + 1 of each.  gloo draws whole index
        buffers, so they get one of their own.
        """
        if pieces not in self._pieces:
            while len(self._pieces) >= KEPT_PIECES:
                del self._pieces[next(iter(self._pieces))]
            self._pieces[pieces] = gloo.IndexBuffer(
                np.concatenate([self._order[first:last] for first, last in pieces])
            )
        program.draw(self._fields, self._pieces[pieces], "triangles")

    def destroy(self) -> None:
        for buffer in (self._vertices, self._indices, *self._pieces.values()):
            buffer.delete()


class FloatTexture:
    """A texture of four floats per texel, read by vertex shaders."""

    def __init__(self, device: Device, width: int, height: int) -> None:
        self.texture = gloo.Texture2D(
            (height, width, 4), "rgba", internalformat="rgba32f", interpolation="nearest"
        )
        with _reported(tr("the graphics driver knows no textures of floats ({reason}). {driver}")):
            device.flush(self.texture)

    def fill(self, data: np.ndarray) -> None:
        """data: (height, width, 4) f4, which must stay as it is until the next draw."""
        self.texture.set_data(data)

    def destroy(self) -> None:
        self.texture.delete()


class PictureTexture:
    """A picture to be drawn, (height, width, 4) u1, first row on top."""

    def __init__(self, device: Device, pixels: np.ndarray) -> None:
        self.texture = gloo.Texture2D(
            np.ascontiguousarray(pixels),
            "rgba",
            internalformat="rgba8",
            interpolation="linear",
            wrapping="clamp_to_edge",
        )
        height, width = pixels.shape[:2]
        with _reported(
            tr(
                "the graphics driver refuses a picture of {width} × {height} pixels ({reason}). "
                "Save the picture smaller."
            ),
            width=width,
            height=height,
        ):
            device.flush(self.texture)

    def destroy(self) -> None:
        self.texture.delete()


class Target:
    """An image that is drawn into, with depth if requested; smooth: programs that sample it
    interpolate between its texels.
    """

    def __init__(
        self, device: Device, width: int, height: int, depth: bool = True, smooth: bool = False
    ) -> None:
        self._device = device
        self.size = (width, height)
        self.texture = gloo.Texture2D(
            (height, width, 4),
            "rgba",
            internalformat="rgba8",
            interpolation="linear" if smooth else "nearest",
        )
        self._buffer = gloo.FrameBuffer(
            self.texture, gloo.RenderBuffer((height, width), DEPTH_24) if depth else None
        )
        with _reported(
            tr(
                "the graphics driver refuses an image of {width} × {height} pixels ({reason}). "
                "Make the window smaller."
            ),
            width=width,
            height=height,
        ):
            self.bind()
            device.flush()

    def bind(self) -> None:
        """Draw into this from now on."""
        self._buffer.activate()
        self._device.state.set_viewport(0, 0, *self.size)

    def copy_to(self, other: "Target") -> None:
        """Copy the colours to a target of the same size."""
        self.bind()
        self._device.flush()
        functions: Any = gl  # filled by vispy at run time
        functions.glBindTexture(gl.GL_TEXTURE_2D, self._device.handle(other.texture))
        functions.glCopyTexSubImage2D(gl.GL_TEXTURE_2D, 0, 0, 0, 0, 0, *self.size)
        functions.glBindTexture(gl.GL_TEXTURE_2D, 0)

    def read_depth(self) -> np.ndarray:
        """Depths (height, width) f4 of the surfaces drawn with depth, 0 near to 1 far."""
        data = np.empty((self.size[1], self.size[0]), "f4")
        self.bind()
        self._device.read_depth(data)
        return data

    def read(self) -> np.ndarray:
        """Pixels (height, width, 4) u1, blue green red alpha, first row first as drawn."""
        data = np.empty((self.size[1], self.size[0], 4), "u1")
        self.bind()
        self._device.read(data)
        return data
