"""Translucent bodies at other poses: their former or their future ones."""

from typing import Any

import numpy as np

from mechstudio.application.scene import Scene
from mechstudio.view.scene.rendering import shaders
from mechstudio.view.scene.rendering.backdrop import OVER
from mechstudio.view.scene.rendering.gl import Device, FloatTexture, Geometry, Program

ALPHA = 0.30  # strength of a ghost's faces
LINE, LINE_ALPHA = 1.3, 0.75  # width [px] and strength of the line around it
BACK = (1.0, 6.0)  # polygon offset: a body's face hides a coinciding one of a ghost
BEHIND = 5e-4  # depth by which the line is behind


class Ghost:
    """Ghost of one scene. shown: rows of bodies that are drawn, none without a ghost. points (k,
    3): its extent in W [m].
    """

    def __init__(self, device: Device, scene: Scene) -> None:
        self._device, self._scene = device, scene
        lines = max(1, -(-len(scene.rows.owners) // shaders.ROWS_ACROSS))
        self._table = np.zeros((lines, 4 * shaders.ROWS_ACROSS, 4), "f4")
        self._rows: FloatTexture | None = None
        self._stale = False
        self.shown: tuple[int, ...] = ()
        self._points = np.zeros((0, 3))

    @property
    def points(self) -> np.ndarray:
        return self._points if self.shown else self._points[:0]

    def move(self, poses: np.ndarray, styled: np.ndarray, bodies: tuple[int, ...]) -> None:
        """poses: of all rows (r, 8).  styled: the table of the scene itself, for colours.  bodies:
        rows that are drawn.
        """
        self.shown = tuple(k for k in bodies if self._scene.rows.visible[k])
        self._points = self._scene.points(poses)[np.isin(self._scene.sample_row, self.shown)]
        self._table[:] = styled
        texels = self._table.reshape(-1, 4, 4)
        texels[: len(poses), 0], texels[: len(poses), 1] = poses[:, :4], poses[:, 4:]
        texels[:, 2, 3] = texels[:, 3, 0] = 0.0  # a ghost is never selected, and never faded
        self._stale = True

    def draw(
        self,
        solid: Program,
        hull: Program,
        parts: dict[str, Geometry],
        common: dict[str, Any],
        scale: float,
        tone: tuple[float, float, float],
    ) -> None:
        """Draw over the finished picture, hidden by bodies before it. solid, hull: programs with
        their uniforms set. tone: of the line.
        """
        if not self.shown:
            return
        if self._rows is None:
            self._rows = FloatTexture(self._device, self._table.shape[1], self._table.shape[0])
        if self._stale:
            self._rows.fill(self._table)
            self._stale = False
        g, own = self._device.state, {"u_rows": self._rows, "u_ghost": ALPHA}
        faces, skins = (self._pieces(batch) for batch in (self._scene.solid, self._scene.skin))
        if not faces:
            return
        # its depth first, so that only the nearest of several faces is blended
        solid.use(common | own)
        g.set_state(depth_test=True, blend=False, polygon_offset_fill=True, polygon_offset=BACK)
        g.set_color_mask(False, False, False, False)
        parts["solid"].draw_pieces(solid, faces)
        g.set_color_mask(True, True, True, True)
        g.set_state(blend=True, blend_func=OVER, depth_mask=False)
        g.set_depth_func("lequal")
        parts["solid"].draw_pieces(solid, faces)
        g.set_state(polygon_offset_fill=False, cull_face="front")
        hull.use(
            common
            | own
            | {
                "u_ghost": LINE_ALPHA,
                "u_step": 1e-3 * self._scene.size,
                "u_ink": tone,
                "u_width": LINE * scale,
                "u_behind": BEHIND,
            }
        )
        parts["skin"].draw_pieces(hull, skins)
        g.set_depth_func("less")
        g.set_state(cull_face=False, blend=False, depth_mask=True)
        for program in (solid, hull):
            program.use({"u_rows": common["u_rows"], "u_ghost": 1.0})

    def _pieces(self, batch) -> tuple[tuple[int, int], ...]:
        ranges = (3 * batch.ranges[k : k + 2] for k in self.shown)
        return tuple((int(first), int(last)) for first, last in ranges if last > first)

    def destroy(self) -> None:
        if self._rows is not None:
            self._rows.destroy()
