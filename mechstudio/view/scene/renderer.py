"""Draws a scene: shadow map and two blurs (only when something moved), sky, floor, solids, outlines, edges, marks.

Each pass is one draw call whatever the number of bodies; only the outlines of what is selected are drawn again.
"""

import atexit
import weakref
from typing import Any

import numpy as np

from mechstudio.application.scene import Scene
from mechstudio.application.scene.batch import Batch
from mechstudio.application.scene.lines import Fills, Lines
from mechstudio.model.drawing import WorkPlane
from mechstudio.model.project import Camera

from ..tokens import body_color, metrics, rgb, theme
from . import camera as lens
from . import gl, shaders
from .gl import Device, FloatTexture, Geometry, Program, Target

MAP = 144                     # pixels across the shadow map
LIGHT = np.array([-0.42, 0.66, 0.62]) / np.linalg.norm([-0.42, 0.66, 0.62])        # in the camera's axes: upper left
MANY_JOINTS = 80              # above, marks have no halo
FAR_AWAY = 1e5                # sizes of the mechanism: where hidden rows are put
HALO, GAP = 2.6, 1.5          # [px] around marks; between a selected body and its outline

_SOLID = np.dtype([("a_point", "f4", 3), ("a_normal", "f4", 3), ("a_row", "f4", 2), ("a_key", "f4", 2)])
_LINE = np.dtype([("a_before", "f4", 3), ("a_point", "f4", 3), ("a_after", "f4", 3), ("a_style", "f4", 3), ("a_row", "f4", 2)])
_FILL = np.dtype([("a_point", "f4", 3), ("a_row", "f4", 2)])
_CORNER = np.dtype([("a_corner", "f4", 2)])


_open: "weakref.WeakSet[Renderer]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """At the end of the program, while there is still a context to free things in."""
    for renderer in list(_open):
        renderer.close()


class Look:
    """Everything about a picture that is not the scene or the camera.

    selected, hovered: ids; plane: a work plane whose grid is shown; thick: scale of strokes (Present mode);
    marks: whether glyphs, arrows and ground signs are shown.
    """

    def __init__(self) -> None:
        self.theme = "light"
        self.selected: frozenset[str] = frozenset()
        self.hovered = ""
        self.plane: WorkPlane | None = None
        self.thick = 1.0
        self.marks = True


class Renderer:
    """Owns a graphics device and what of the current scene lies on it."""

    _closed = True

    def __init__(self) -> None:
        self.device = Device()
        self._closed = False
        _open.add(self)
        self._gl = self.device.gl
        program = lambda name: Program(getattr(shaders, name + "_VERTEX"), getattr(shaders, name + "_FRAGMENT"))
        self._solid, self._hull, self._shadow, self._floor, self._line, self._fill = (program(n) for n in ("SOLID", "HULL", "SHADOW", "FLOOR", "LINE", "FILL"))
        self._shade = program("SHADE")
        self._sky, self._blur = Program(shaders.QUAD_VERTEX, shaders.SKY_FRAGMENT), Program(shaders.QUAD_VERTEX, shaders.BLUR_FRAGMENT)
        corners = np.array([((-1, -1),), ((1, -1),), ((-1, 1),), ((1, 1),)], _CORNER)
        self._quad = Geometry(self.device, corners, np.arange(4))
        self._maps = [Target(self.device, MAP, MAP), Target(self.device, MAP, MAP, depth=False)]
        for each in self._maps:
            each.smooth()
        self._targets: dict[tuple[int, int, int], Target] = {}
        self._parts: dict[str, Geometry] = {}
        self._texture: FloatTexture | None = None
        self._scene: Scene | None = None
        self.look = Look()
        self.poses = np.zeros((0, 8))
        self._table = np.zeros((1, 4 * shaders.ROWS_ACROSS, 4), "f4")
        self._points = np.zeros((0, 3))
        self._map = (0.0, 0.0, 1.0, 1.0)
        self._stale_shadow = self._stale_rows = True
        self._backdrop: Target | None = None
        self._backdrop_key: tuple = ()
        self._backdrop_seen: tuple = ()

    # ---- what is drawn

    def load(self, scene: Scene) -> None:
        """Put a scene on the device."""
        self.device.use()
        for part in self._parts.values():
            part.destroy()
        if self._texture is not None:
            self._texture.destroy()
        self._scene = scene
        lines = max(1, -(-len(scene.rows.owners) // shaders.ROWS_ACROSS))
        self._parts = {name: Geometry(self.device, *make(getattr(scene, name), lines)) for name, make in
                       (("solid", _solid_vertices), ("skin", _solid_vertices), ("edges", _ribbons), ("marks", _ribbons), ("fills", _fill_vertices))}
        self._table = np.zeros((lines, 4 * shaders.ROWS_ACROSS, 4), "f4")
        self._texture = FloatTexture(4 * shaders.ROWS_ACROSS, lines)
        self._map = (0.0, 0.0, 0.0, 1.0)
        self.restyle()

    def restyle(self) -> None:
        """Colours and states anew, after another theme, selection or visibility."""
        if self._scene is None:
            return
        rows, rest = self._scene.rows, self._table.reshape(-1, 4, 4)
        colors = {c: rgb(body_color(self.look.theme, int(c))) for c in set(rows.color.tolist())}
        k = len(rows.owners)
        rest[:k, 2, :3] = [colors[c] for c in rows.color.tolist()]
        rest[:k, 3, 0] = [o in self.look.selected for o in rows.owners]
        rest[:k, 3, 1] = [o == self.look.hovered for o in rows.owners]
        self._stale_rows = True

    def move(self, poses: np.ndarray) -> None:
        """Poses of all rows (r, 8) as rows.row_poses gives them."""
        assert self._scene is not None
        self.poses = poses
        rest = self._table.reshape(-1, 4, 4)
        rest[: len(poses), 0], rest[: len(poses), 1] = poses[:, :4], poses[:, 4:]
        rest[: len(poses), 1, :3][~self._scene.rows.visible] = FAR_AWAY * self._scene.size
        self._points = self._scene.points(poses)
        self._stale_rows = self._stale_shadow = True

    @property
    def points(self) -> np.ndarray:
        """Points (k, 3) that tell where everything is now [m, W]."""
        return self._points

    # ---- a picture

    def picture(self, size: tuple[int, int], camera: Camera, scale: float, samples: int) -> np.ndarray:
        """Pixels (height, width, 4) u1, blue green red alpha.  size [px]; scale: pixels per unit of stroke width."""
        assert self._scene is not None and self._texture is not None
        self.device.use()
        if self._stale_rows:
            self._texture.fill(self._table)
            self._stale_rows = False
        g, t = self._gl, theme(self.look.theme)
        target = self._target(size, samples)                 # a new one leaves nothing bound
        if self._stale_shadow:
            self._draw_shadow()
        self._texture.bind(0)
        g.glFrontFace(gl.CLOCKWISE)                          # the picture is drawn upside down, so that it is read upright
        for state in (gl.BLEND, gl.CULL_FACE, gl.OFFSET_FILL, gl.DEPTH_TEST):
            g.glDisable(state)
        g.glDepthMask(1)
        self._draw_backdrop(target, size, camera, t)
        g.glClear(gl.DEPTH_BIT)
        self._draw_shade(size, camera, t)
        near, far = lens.depth_range(camera, self._points, 0.06 * self._scene.size)
        matrix = _flipped(lens.matrix(camera, size, near, far))
        common = {"u_rows": 0, "u_matrix": matrix, "u_pixel": (2 / size[0], 2 / size[1])}
        self._draw_solids(camera, common, t)
        self._draw_outlines(common, scale * self.look.thick, t)
        self._draw_lines(common, scale * self.look.thick, t)
        data = target.read()
        g.glFrontFace(0x0901)
        return data

    def close(self) -> None:
        """Free what lies on the device; the renderer is of no use afterwards."""
        if self._closed:
            return
        self._closed = True
        self.device.use()
        for part in (*self._parts.values(), self._quad):
            part.destroy()
        if self._texture is not None:
            self._texture.destroy()
        self._parts, self._texture, self._scene = {}, None, None
        self._targets.clear()
        self._maps.clear()
        self._backdrop = None
        self.device.done()

    def __del__(self) -> None:
        # Qt complains about textures that outlive their context
        self.close()

    def forget_target(self, size: tuple[int, int], samples: int) -> None:
        """Free the memory of a picture of that size."""
        self._targets.pop((*size, samples), None)
        self._backdrop = None

    def _target(self, size: tuple[int, int], samples: int) -> Target:
        key = (*size, samples)
        if key not in self._targets:
            for other in [k for k in self._targets if k[:2] != size]:
                del self._targets[other]
            self._targets[key] = Target(self.device, *size, samples)
        return self._targets[key]

    def _use(self, program: Program, values: dict[str, Any]) -> None:
        program.bind()
        program.set(values)

    def _draw_shadow(self) -> None:
        """The map of what hangs over the floor, blurred tightly in red (contact) and widely in green (height)."""
        scene, g = self._scene, self._gl
        assert scene is not None
        self._stale_shadow = False
        low, high = self._points.min(axis=0), self._points.max(axis=0)
        tall = max(high[2] - scene.floor, 1e-6)
        middle, half = (low + high) / 2 + (0.11 * tall, 0.08 * tall, 0.0), float(max(high[:2] - low[:2])) / 2 + 0.1 * tall + 0.35 * scene.size
        x, y, old, _ = self._map
        if max(abs(middle[0] - x), abs(middle[1] - y)) + half > old or half < 0.5 * old:
            self._map = (float(middle[0]), float(middle[1]), 1.15 * half, 1.0)      # with room, so that it seldom changes
        self._map = (*self._map[:3], 1.2 * float(tall))
        for state in (gl.BLEND, gl.CULL_FACE, gl.OFFSET_FILL):
            g.glDisable(state)
        g.glEnable(gl.DEPTH_TEST)
        g.glDepthMask(1)
        assert self._texture is not None
        self._texture.bind(0)
        self._maps[0].bind()
        g.glClearColor(0.0, 0.0, 0.0, 1.0)
        g.glClear(gl.COLOR_BIT | gl.DEPTH_BIT)
        self._use(self._shadow, {"u_rows": 0, "u_map": self._map, "u_floor": scene.floor, "u_fall": (0.12 * scene.size, 0.85 * scene.size)})
        self._parts["skin"].draw(self._shadow)
        g.glDisable(gl.DEPTH_TEST)
        spread = scene.size * 0.8 / self._map[2]                # the blur is as wide as the mechanism asks, whatever the map covers
        for source, into, stride in ((0, 1, (spread / MAP, 0.0)), (1, 0, (0.0, spread / MAP))):
            self._maps[into].bind()
            self._maps[source].bind_texture(0)
            self._use(self._blur, {"u_image": 0, "u_stride": stride})
            self._quad.draw(self._blur, mode=gl.TRIANGLE_STRIP)

    def _draw_backdrop(self, target: Target, size: tuple[int, int], camera: Camera, t: dict[str, Any]) -> None:
        """Sky and floor into a target.  While the camera stands still they are copied from the picture before."""
        assert self._scene is not None
        if target.samples:
            target.bind()
            self._draw_stage(size, camera, t)
            return
        key = (size, camera, self.look.theme, self.look.plane, self._scene.size, self._scene.floor)
        if self._backdrop is None or self._backdrop.size != size:
            self._backdrop, self._backdrop_key = Target(self.device, *size, depth=False), ()
            self._texture.bind(0)
        if key != self._backdrop_key:
            # a camera that moves would only pay for the copy
            moving, self._backdrop_seen = key != self._backdrop_seen, key
            (target if moving else self._backdrop).bind()
            self._draw_stage(size, camera, t)
            if moving:
                return
            self._backdrop_key = key
        self._backdrop.copy_to(target)
        target.bind()

    def _draw_stage(self, size: tuple[int, int], camera: Camera, t: dict[str, Any]) -> None:
        """Sky, and the floor with grid and axes; a work plane has its own grid; edge-on views get a wall."""
        scene, g = self._scene, self._gl
        assert scene is not None
        self._use(self._sky, {"u_top": rgb(t["view_top"]), "u_bottom": rgb(t["view_bottom"])})
        self._quad.draw(self._sky, mode=gl.TRIANGLE_STRIP)
        g.glEnable(gl.BLEND)
        g.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        extent, target = 1.9 * max(camera.distance, scene.size), np.array(camera.target)
        common = {"u_matrix": self._wide_matrix(size, camera, extent), "u_cell": grid_cell(scene.size), "u_extent": float(extent)}
        sheets = [((0.0, 0.0, scene.floor), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), t["axis_x"], t["axis_y"], 1.0)]
        back = lens.axes(camera)[2]
        wall = np.clip((0.12 - abs(back[2])) / 0.06, 0.0, 1.0) * np.clip((max(abs(back[0]), abs(back[1])) - 0.97) / 0.02, 0.0, 1.0)
        if self.look.plane is not None:
            p = self.look.plane
            sheets.append((p.origin, p.u, p.v, t["grid"], t["grid"], 1.0))
        elif wall > 0:
            across = ((1.0, 0.0, 0.0), t["axis_x"]) if abs(back[1]) > abs(back[0]) else ((0.0, 1.0, 0.0), t["axis_y"])
            sheets.append(((0.0, 0.0, 0.0), across[0], (0.0, 0.0, 1.0), across[1], t["axis_z"], float(wall)))
        for origin, across, up, first, second, strength in sheets:
            center = (target - origin) @ np.array([across, up]).T
            self._use(self._floor, common | {"u_origin": tuple(origin), "u_across": across, "u_up": up, "u_center": tuple(center.tolist()), "u_axis_alpha": 0.6 * strength,
                                             "u_axis_x": rgb(first), "u_axis_y": rgb(second), "u_grid": (*rgb(t["grid"]), t["grid_alpha"] * strength)})
            self._quad.draw(self._floor, mode=gl.TRIANGLE_STRIP)
        g.glDisable(gl.BLEND)

    def _draw_shade(self, size: tuple[int, int], camera: Camera, t: dict[str, Any]) -> None:
        """The shadow on the floor, where there is one."""
        scene, g = self._scene, self._gl
        assert scene is not None
        if not len(scene.skin.triangles):
            return
        self._maps[0].bind_texture(1)
        g.glActiveTexture(gl.TEXTURE0)
        g.glEnable(gl.BLEND)
        g.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        matrix = self._wide_matrix(size, camera, 1.9 * max(camera.distance, scene.size))
        self._use(self._shade, {"u_matrix": matrix, "u_image": 1, "u_map": self._map, "u_floor": scene.floor, "u_dark": (*rgb(t["shadow"]), float(t["shadow_alpha"]))})
        self._quad.draw(self._shade, mode=gl.TRIANGLE_STRIP)
        g.glDisable(gl.BLEND)

    def _wide_matrix(self, size: tuple[int, int], camera: Camera, extent: float) -> np.ndarray:
        """A matrix without depth to speak of, for what is drawn behind everything."""
        return _flipped(lens.matrix(camera, size, 0.02 * camera.distance if camera.perspective else -8 * extent, camera.distance + 8 * extent))

    def _draw_solids(self, camera: Camera, common: dict[str, Any], t: dict[str, Any]) -> None:
        scene, g = self._scene, self._gl
        assert scene is not None
        R = lens.axes(camera)
        g.glEnable(gl.DEPTH_TEST)
        g.glEnable(gl.OFFSET_FILL)
        g.glPolygonOffset(1.0, 2.0)
        self._use(self._solid, common | {"u_" + name: rgb(t[name]) for name in ("sky", "earth", "steel", "cast", "accent")}
                  | {"u_eye": lens.eye(camera), "u_back": R[2], "u_perspective": float(camera.perspective), "u_key": R.T @ LIGHT, "u_rim": float(t["rim"]), "u_ground": (scene.floor, scene.size)})
        self._parts["solid"].draw(self._solid)
        g.glDisable(gl.OFFSET_FILL)

    def _draw_outlines(self, common: dict[str, Any], scale: float, t: dict[str, Any]) -> None:
        """Ink around everything; around what is selected or hovered an accent ring with a gap that keeps it apart."""
        scene, g, stroke, skin = self._scene, self._gl, metrics()["stroke"], self._parts["skin"]
        assert scene is not None
        g.glEnable(gl.CULL_FACE)
        g.glCullFace(gl.FRONT)
        ink, accent = rgb(t["edge"]), rgb(t["accent"])
        gap = (1.0, 1.0, 1.0) if self.look.theme == "light" else ink
        self._use(self._hull, common | {"u_step": 1e-3 * scene.size, "u_ink": ink, "u_width": stroke["silhouette"] * scale, "u_behind": 4e-4})
        skin.draw(self._hull)
        for ids, width in (({self.look.hovered} - self.look.selected, stroke["hover"]), (self.look.selected, stroke["select"])):
            for k, owner in enumerate(scene.rows.owners):
                first, last = scene.skin.ranges[k], scene.skin.ranges[k + 1]
                if owner in ids and last > first:
                    for color, wide, behind in ((accent, width + GAP, 6e-4), (gap, GAP, 3e-4)):
                        self._use(self._hull, {"u_ink": color, "u_width": wide * scale, "u_behind": behind})
                        skin.draw(self._hull, int(3 * first), int(3 * (last - first)))
        g.glDisable(gl.CULL_FACE)

    def _draw_lines(self, common: dict[str, Any], scale: float, t: dict[str, Any]) -> None:
        """Feature edges; then marks: what bodies hide at 30 %, a halo, and the marks themselves."""
        g, edges, marks, fills = self._gl, self._parts["edges"], self._parts["marks"], self._parts["fills"]
        g.glEnable(gl.BLEND)
        g.glDepthMask(0)
        vector = (*rgb(t["vector"]), 4.0)                       # alpha 4: a vector stays opaque where a body hides it
        tones = {"u_kind0": (*rgb(t["edge"]), t["edge_alpha"]), "u_kind1": (*rgb(t["text"]), 1.0), "u_kind2": (*rgb(t["text3"]), 1.0), "u_kind3": vector,
                 "u_kind4": (*rgb(t["text3"]), 0.9), "u_accent": rgb(t["accent"])}
        self._use(self._line, common | tones | {"u_scale": float(scale), "u_push": 0.0, "u_alpha": 1.0, "u_halo": (0.0, 0.0, 0.0, 0.0)})
        edges.draw(self._line)
        if marks.count and self.look.marks:
            passes = [(False, 0.30, 0.0, 2e-4), (True, 0.75, HALO, 1e-4), (True, 1.0, 0.0, 2e-4)]
            if len(self._scene.labels) > MANY_JOINTS:
                del passes[1]                                  # among so many a halo is noise, and it costs as much as the marks
            for depth, alpha, halo, push in passes:
                (g.glEnable if depth else g.glDisable)(gl.DEPTH_TEST)
                self._use(self._line, {"u_alpha": alpha, "u_push": push, "u_halo": (*rgb(t["view_top"]), halo)})
                marks.draw(self._line)
                if fills.count and not halo:
                    self._use(self._fill, common | {"u_alpha": alpha, "u_push": push, "u_kind1": tones["u_kind1"], "u_accent": tones["u_accent"]})
                    fills.draw(self._fill)
        g.glDepthMask(1)
        g.glDisable(gl.BLEND)


def grid_cell(size: float) -> float:
    """Side of a cell of the grid [m]: 1, 2 or 5 times a power of ten, about a tenth of the mechanism."""
    wanted = size / 8
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(power * min((1, 2, 5, 10), key=lambda k: abs(np.log(k * power / wanted))))


def _flipped(matrix: np.ndarray) -> np.ndarray:
    """The picture upside down."""
    return np.diag([1.0, -1.0, 1.0, 1.0]) @ matrix


def _place(rows: np.ndarray, lines: int) -> np.ndarray:
    """Places (k, 2) of the first texels of rows in a texture of so many lines."""
    line, column = np.divmod(rows.astype(int), shaders.ROWS_ACROSS)
    return np.column_stack([(4 * column + 0.5) / (4 * shaders.ROWS_ACROSS), (line + 0.5) / lines])


def _solid_vertices(batch: Batch, lines: int) -> tuple[np.ndarray, np.ndarray]:
    v = np.zeros(len(batch.points), _SOLID)
    v["a_point"], v["a_normal"], v["a_row"] = batch.points, batch.normals, _place(batch.row, lines)
    v["a_key"] = np.column_stack([batch.material, batch.along])
    return v, batch.triangles.ravel()


def _ribbons(strokes: Lines, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Two vertices per point, two triangles per segment; neighbours are given relative to the point."""
    v = np.zeros((len(strokes.points), 2), _LINE)
    v["a_point"] = strokes.points[:, None]
    v["a_before"], v["a_after"] = (strokes.before - strokes.points)[:, None], (strokes.after - strokes.points)[:, None]
    v["a_style"][..., 0] = (-1.0, 1.0)
    v["a_style"][..., 1], v["a_style"][..., 2] = strokes.width[:, None], strokes.kind[:, None]
    v["a_row"] = _place(strokes.row, lines)[:, None]
    i = 2 * strokes.pieces.astype("u4")
    return v.ravel(), np.column_stack([i, i + 1, i + 2, i + 1, i + 3, i + 2]).ravel()


def _fill_vertices(fills: Fills, lines: int) -> tuple[np.ndarray, np.ndarray]:
    v = np.zeros(len(fills.points), _FILL)
    v["a_point"], v["a_row"] = fills.points, _place(fills.row, lines)
    return v, fills.triangles.ravel()
