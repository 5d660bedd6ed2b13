"""The few graphics objects that the renderer needs, over Qt's own OpenGL classes: context, programs, buffers, textures, targets.

Drawing happens in an offscreen context and is read back: the window stays an ordinary raster window, so that panels and
plots cost no composition on a software renderer, a dock may be torn off without losing the scene, and a picture of any size
comes out of the same passes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtGui import QGuiApplication, QMatrix4x4, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PySide6.QtOpenGL import (
    QOpenGLBuffer,
    QOpenGLFramebufferObject,
    QOpenGLFramebufferObjectFormat,
    QOpenGLShader,
    QOpenGLShaderProgram,
    QOpenGLTexture,
)
from shiboken6 import VoidPtr

FLOAT, UNSIGNED_BYTE, UNSIGNED_INT = 0x1406, 0x1401, 0x1405
TRIANGLES, TRIANGLE_STRIP = 0x0004, 0x0005
TEXTURE_2D, TEXTURE0, RGBA8, BGRA, LINEAR, CLAMP = 0x0DE1, 0x84C0, 0x8058, 0x80E1, 0x2601, 0x812F
MIN_FILTER, MAG_FILTER, WRAP_S, WRAP_T, PACK_ALIGNMENT = 0x2801, 0x2800, 0x2802, 0x2803, 0x0D05
DEPTH_TEST, BLEND, CULL_FACE, OFFSET_FILL = 0x0B71, 0x0BE2, 0x0B44, 0x8037
SRC_ALPHA, ONE_MINUS_SRC_ALPHA = 0x0302, 0x0303
FRONT, CLOCKWISE, COUNTER_CLOCKWISE = 0x0404, 0x0900, 0x0901
COLOR_BIT, DEPTH_BIT = 0x4000, 0x0100


CANNOT = "The 3D view cannot draw: "
DRIVER = "Update the graphics driver."


def _address(data: np.ndarray) -> Any:
    """Where an array lies, as Qt takes it.  The stubs of PySide say int where it wants a VoidPtr."""
    return VoidPtr(data.ctypes.data, data.nbytes, True)  # type: ignore[call-arg]


def _place(offset: int) -> Any:
    """An offset into the buffer that is bound, as Qt takes it."""
    return VoidPtr(offset)


class GraphicsUnavailable(RuntimeError):
    """The computer cannot draw the scene; the message says what is missing and what helps."""


class Device:
    """An OpenGL context of its own on an offscreen surface."""

    def __init__(self) -> None:
        format = QSurfaceFormat()
        format.setDepthBufferSize(0)
        self.surface = QOffscreenSurface()
        self.surface.setFormat(format)
        self.context = QOpenGLContext()
        self.context.setFormat(format)
        platform = QGuiApplication.platformName()
        cure = "Update the graphics driver, or install a software renderer (Debian and Ubuntu: libgl1-mesa-dri)."
        if platform in ("offscreen", "minimal", "vnc"):
            raise GraphicsUnavailable(f"{CANNOT}the display platform “{platform}” has no OpenGL. "
                                      "Start the program on a screen, or on a virtual one (xvfb-run).")
        self.surface.create()
        if not self.surface.isValid() or not self.context.create():
            raise GraphicsUnavailable(f"{CANNOT}no OpenGL context could be made. {cure}")
        if not self.context.makeCurrent(self.surface):
            raise GraphicsUnavailable(f"{CANNOT}the OpenGL context could not be used. {cure}")
        self.gl = self.context.functions()
        self.gl.initializeOpenGLFunctions()
        version = self.context.format().version()
        if version < (2, 1):
            raise GraphicsUnavailable(f"{CANNOT}it needs OpenGL 2.1 and the driver offers {version[0]}.{version[1]}. {cure}")
        self.renderer = str(self.gl.glGetString(0x1F01))

    @property
    def is_software(self) -> bool:
        """Whether the processor draws."""
        return any(word in self.renderer.lower() for word in ("llvmpipe", "softpipe", "swrast", "swiftshader", "software", "gdi generic"))

    def use(self) -> None:
        """Make the context current.  Raises GraphicsUnavailable if the driver has lost it."""
        if not self.context.makeCurrent(self.surface):
            raise GraphicsUnavailable(f"{CANNOT}the graphics driver has been reset. Restart the program; nothing of the project is lost.")

    def done(self) -> None:
        self.context.doneCurrent()


class Program:
    """Vertex and fragment shader with uniforms by name."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self._program = QOpenGLShaderProgram()
        for stage, code in ((QOpenGLShader.ShaderTypeBit.Vertex, vertex), (QOpenGLShader.ShaderTypeBit.Fragment, fragment)):
            if not self._program.addShaderFromSourceCode(stage, "#version 120\n" + code):
                raise GraphicsUnavailable(f"{CANNOT}the graphics driver refuses a shader ({self._program.log().strip()}). {DRIVER}")
        if not self._program.link():
            raise GraphicsUnavailable(f"{CANNOT}the graphics driver cannot link a shader ({self._program.log().strip()}). {DRIVER}")
        self._places: dict[str, int] = {}
        self._known: dict[str, Any] = {}

    def use(self, values: Mapping[str, Any]) -> None:
        """Bind the program and set uniforms: int for samplers, float, 2 to 4 floats, or a (4, 4) matrix; unchanged ones cost nothing."""
        self._program.bind()
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value = tuple(value.ravel().tolist())
            if self._known.get(name) == value:
                continue
            self._known[name] = value
            place = self._places.get(name)
            if place is None:
                place = self._places[name] = self._program.uniformLocation(name)
            if isinstance(value, int):
                self._program.setUniformValue1i(place, value)
            elif isinstance(value, float):
                self._program.setUniformValue1f(place, value)
            elif len(value) == 16:
                self._program.setUniformValue(place, QMatrix4x4(*value))
            else:
                self._program.setUniformValue(place, *value)

    def attribute(self, name: str) -> int:
        """The place of a vertex attribute; -1 if the shader does not use it."""
        key = "@" + name
        if key not in self._places:
            self._places[key] = self._program.attributeLocation(name)
        return self._places[key]


class Geometry:
    """Vertices (a structured array of float fields) and the indices of triangles, on the device."""

    def __init__(self, device: Device, vertices: np.ndarray, indices: np.ndarray) -> None:
        self._gl = device.gl
        self.count = int(indices.size)
        self._fields, offset = [], 0
        for name in vertices.dtype.names or ():                # packed, floats only
            width = vertices.dtype[name].shape[0]
            self._fields.append((name, offset, width))
            offset += 4 * width
        self._stride = vertices.dtype.itemsize
        self._vertices, self._indices = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer), QOpenGLBuffer(QOpenGLBuffer.Type.IndexBuffer)
        for buffer, data in ((self._vertices, np.ascontiguousarray(vertices)), (self._indices, np.ascontiguousarray(indices, "u4"))):
            buffer.create()
            buffer.bind()
            buffer.allocate(data.tobytes(), data.nbytes)

    def bind(self, program: Program) -> None:
        """Attach the fields to the attributes of the same names."""
        self._vertices.bind()
        self._indices.bind()
        for name, offset, width in self._fields:
            place = program.attribute(name)
            if place >= 0:
                self._gl.glEnableVertexAttribArray(place)
                self._gl.glVertexAttribPointer(place, width, FLOAT, 0, self._stride, _place(offset))

    def draw(self, program: Program, first: int = 0, count: int | None = None, mode: int = TRIANGLES) -> None:
        """Draw `count` indices from `first` on; a program that uses them must be bound."""
        self.bind(program)
        self._gl.glDrawElements(mode, self.count if count is None else count, UNSIGNED_INT, _place(4 * first))
        for name, _, _ in self._fields:
            place = program.attribute(name)
            if place >= 0:
                self._gl.glDisableVertexAttribArray(place)

    def destroy(self) -> None:
        self._vertices.destroy()
        self._indices.destroy()


class FloatTexture:
    """A texture of four floats per texel, read by vertex shaders."""

    def __init__(self, width: int, height: int) -> None:
        self._texture = QOpenGLTexture(QOpenGLTexture.Target.Target2D)
        self._texture.setFormat(QOpenGLTexture.TextureFormat.RGBA32F)
        self._texture.setSize(width, height)
        self._texture.setMipLevels(1)
        self._texture.setMinMagFilters(QOpenGLTexture.Filter.Nearest, QOpenGLTexture.Filter.Nearest)
        self._texture.setWrapMode(QOpenGLTexture.WrapMode.ClampToEdge)
        self._texture.allocateStorage(QOpenGLTexture.PixelFormat.RGBA, QOpenGLTexture.PixelType.Float32)
        if not self._texture.isStorageAllocated():
            raise GraphicsUnavailable(f"{CANNOT}the graphics driver knows no textures of floats. {DRIVER}")

    def fill(self, data: np.ndarray) -> None:
        """data: (height, width, 4) f4."""
        self._texture.setData(QOpenGLTexture.PixelFormat.RGBA, QOpenGLTexture.PixelType.Float32, _address(data))

    def bind(self, unit: int) -> None:
        self._texture.bind(unit)

    def destroy(self) -> None:
        self._texture.destroy()


class Target:
    """An image that is drawn into, with depth and, if asked for, several samples per pixel."""

    def __init__(self, device: Device, width: int, height: int, samples: int = 0, depth: bool = True) -> None:
        self._gl = device.gl
        self.size = (width, height)
        format = QOpenGLFramebufferObjectFormat()
        format.setSamples(samples)
        format.setInternalTextureFormat(RGBA8)
        kind = QOpenGLFramebufferObject.Attachment
        format.setAttachment(kind.CombinedDepthStencil if depth else kind.NoAttachment)      # combined: 24 bit of depth on every driver
        self._buffer = QOpenGLFramebufferObject(width, height, format)
        if not self._buffer.isValid():
            raise GraphicsUnavailable(f"{CANNOT}the graphics driver refuses an image of {width} × {height} pixels. Make the window smaller.")
        self.samples = self._buffer.format().samples()
        self._resolved = Target(device, width, height, 0, False) if self.samples else None

    def bind(self) -> None:
        self._buffer.bind()
        self._gl.glViewport(0, 0, *self.size)

    def copy_to(self, other: "Target") -> None:
        """Copy the colours to a target of the same size."""
        QOpenGLFramebufferObject.blitFramebuffer(other._buffer, self._buffer)

    def smooth(self) -> None:
        """Let a texture reader interpolate between its texels."""
        self._gl.glBindTexture(TEXTURE_2D, self._buffer.texture())
        for name, value in ((MIN_FILTER, LINEAR), (MAG_FILTER, LINEAR), (WRAP_S, CLAMP), (WRAP_T, CLAMP)):
            self._gl.glTexParameteri(TEXTURE_2D, name, value)

    def bind_texture(self, unit: int) -> None:
        self._gl.glActiveTexture(TEXTURE0 + unit)
        self._gl.glBindTexture(TEXTURE_2D, self._buffer.texture())

    def read(self) -> np.ndarray:
        """Pixels (height, width, 4) u1, blue green red alpha, first row first as drawn."""
        if self._resolved is not None:
            QOpenGLFramebufferObject.blitFramebuffer(self._resolved._buffer, self._buffer)
            return self._resolved.read()
        width, height = self.size
        data = np.empty((height, width, 4), "u1")
        self._buffer.bind()
        self._gl.glPixelStorei(PACK_ALIGNMENT, 4)
        self._gl.glReadPixels(0, 0, width, height, BGRA, UNSIGNED_BYTE, _address(data))
        return data
