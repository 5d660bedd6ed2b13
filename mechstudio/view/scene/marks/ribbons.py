"""Pieces of lines on a device, each a quad: once for where bodies stand before them, once for where
they are seen.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mechstudio.view.scene.rendering.backdrop import OVER
from mechstudio.view.scene.rendering.gl import Device, Geometry, Program

PUSH = 3e-4  # depth by which they stand before their surface
_CORNERS = np.array([0, 1, 2, 1, 3, 2], "u4")


class Ribbons:
    """Quads with a program of their own.  vertex, fragment: shader texts; hidden, seen: uniforms of
    the two passes, which the shaders take beside u_push.
    """

    def __init__(
        self,
        device: Device,
        vertex: str,
        fragment: str,
        hidden: Mapping[str, Any],
        seen: Mapping[str, Any],
    ) -> None:
        self._device, self._texts = device, (vertex, fragment)
        self._passes = ((False, {**hidden, "u_push": 0.0}), (True, {**seen, "u_push": PUSH}))
        self._program: Program | None = None
        self._geometry: Geometry | None = None

    def load(self, vertices: Sequence[np.ndarray]) -> None:
        """Put quads on the device: four vertices each, both sides of both ends."""
        self.destroy()
        if vertices:
            joined = np.concatenate(vertices)
            quads = 4 * np.arange(len(joined) // 4, dtype="u4")[:, None]
            self._geometry = Geometry(joined, (quads + _CORNERS).ravel())

    def draw(self, uniforms: Mapping[str, Any]) -> None:
        """Draw over the finished scene, where there is something."""
        if self._geometry is None:
            return
        if self._program is None:
            self._program = Program(self._device, *self._texts)
        g = self._device.state
        self._program.use(uniforms)
        g.set_state(blend=True, blend_func=OVER, depth_mask=False)
        for depth, values in self._passes:
            g.set_state(depth_test=depth)
            self._program.use(values)
            self._geometry.draw(self._program)
        g.set_state(blend=False, depth_mask=True)

    def destroy(self) -> None:
        """Free what lies on the device."""
        if self._geometry is not None:
            self._geometry.destroy()
            self._geometry = None
