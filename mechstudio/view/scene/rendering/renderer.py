"""Draws a scene: shadow map and two blurs (only when something moved), sky and floor, solids,
outlines, pictures, edges, marks.

Each pass is one draw call whatever the number of bodies; only the outlines of the selection are
drawn again.
"""

import atexit
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.marks import Path
from mechstudio.application.scene import Scene
from mechstudio.model.fields import CONTACTS
from mechstudio.model.project import Camera
from mechstudio.tokens import body_color, metrics, rgb, theme
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.depths import Depths
from mechstudio.view.scene.marks.layer import MarkLayer
from mechstudio.view.scene.rendering import shaders
from mechstudio.view.scene.rendering.backdrop import OVER, Shadow, Stage, flipped
from mechstudio.view.scene.rendering.ghost import Ghost
from mechstudio.view.scene.rendering.gl import (
    Device,
    FloatTexture,
    Geometry,
    PictureTexture,
    Program,
    Target,
)
from mechstudio.view.scene.rendering.vertices import (
    SQUARE,
    fill_vertices,
    ribbons,
    solid_vertices,
    texture_lines,
)

LIGHT = np.array([-0.42, 0.66, 0.62]) / np.linalg.norm(
    [-0.42, 0.66, 0.62]
)  # in the camera's axes: upper left
MANY_JOINTS = 80  # above, marks have no halo
SLACK = 1e-6  # sizes of the mechanism by which faces may lie before a section and stay
NO_SECTION = (0.0, 0.0, 0.0, 0.0)
HATCH = 7.0  # px between the lines of a hatch
FAR_AWAY = 1e5  # sizes of the mechanism: where hidden rows are put
SELECTED, HOVERED = 1.0, 0.5  # states of rows
HALO, GAP = 2.6, 1.5  # [px] around marks; between a selected body and its outline
BEHIND = {
    "ink": 4e-4,
    "gap": 3e-4,
    "accent": 6e-4,
    "cut": 2e-2,
}  # depth by which outlines stand back
UNDER = 0.05  # sizes of the mechanism by which what lies behind a picture still stands before it
FADED, FADED_SHADOW = (
    0.80,
    0.40,
)  # how far into the sky the rest goes behind what is in focus; strength of its shadow
# sizes of the mechanism by which a body must stand before a symbol to hide it
THICK = 0.02
HIDDEN, HALO_ALPHA = 0.30, 0.75  # strength of marks behind bodies, and of their halo

_open: "weakref.WeakSet[Renderer]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """At the end of the program, while there is still a context to free things in."""
    for renderer in list(_open):
        renderer.close()


class Renderer:
    """Owns a graphics device and what of the current scene lies on it.  Raises GraphicsUnavailable
    in a sentence.
    """

    _closed = True

    def __init__(self, look: Look) -> None:
        self.look, self.device = look, Device()
        self._closed = False
        _open.add(self)
        self._solid, self._hull, self._line, self._fill = (
            Program(self.device, vertex, fragment)
            for vertex, fragment in (
                (shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT),
                (shaders.HULL_VERTEX, shaders.HULL_FRAGMENT),
                (shaders.LINE_VERTEX, shaders.LINE_FRAGMENT),
                (shaders.FILL_VERTEX, shaders.FILL_FRAGMENT),
            )
        )
        self._picture = Program(self.device, shaders.PICTURE_VERTEX, shaders.PICTURE_FRAGMENT)
        self._square = Geometry(SQUARE, np.arange(4))
        self._textures: dict[str, tuple[PictureTexture, np.ndarray]] = {}
        self._stage, self._shadow = Stage(self.device), Shadow(self.device)
        self._marks = MarkLayer(self.device, look)
        self._targets: dict[tuple[int, int], Target] = {}
        self._parts: dict[str, Geometry] = {}
        self._rows: FloatTexture | None = None
        self._scene: Scene | None = None
        self._ghost: Ghost | None = None
        self._rows_of: dict[str, list[int]] = {}
        self._table = np.zeros((1, 4 * shaders.ROWS_ACROSS, 4), "f4")
        self._points = np.zeros((0, 3))
        self._poses = np.zeros((0, 8))
        self._stale_shadow = self._stale_rows = True
        self._depths: Depths | None = None

    # ---- what is drawn

    def load(self, scene: Scene) -> None:
        """Put a scene on the device."""
        self.device.use()
        self._free_scene()
        self._scene, self._ghost = scene, Ghost(self.device, scene)
        lines = texture_lines(len(scene.rows.owners))
        vertices = {
            "solid": solid_vertices(scene.solid, lines),
            "skin": solid_vertices(scene.skin, lines),
            "edges": ribbons(scene.edges, lines),
            "marks": ribbons(scene.marks, lines),
            "fills": fill_vertices(scene.fills, lines),
        }
        self._parts = {name: Geometry(*each) for name, each in vertices.items()}
        self._table = np.zeros((lines, 4 * shaders.ROWS_ACROSS, 4), "f4")
        self._rows = FloatTexture(self.device, 4 * shaders.ROWS_ACROSS, lines)
        self._shadow.forget()
        self._rows_of = {}
        for k, owner in enumerate(scene.rows.owners):
            self._rows_of.setdefault(owner, []).append(k)
        self.restyle()

    def restyle(self) -> None:
        """Colours and states again, after another theme or selection."""
        if self._scene is None:
            return
        rows, texels = self._scene.rows, self._table.reshape(-1, 4, 4)
        colors = {c: rgb(body_color(self.look.theme, int(c))) for c in set(rows.color.tolist())}
        k = len(rows.owners)
        texels[:k, 2, :3] = [colors[c] for c in rows.color.tolist()]
        texels[:k, 2, 3] = [
            SELECTED if o in self.look.selected else HOVERED if o in self.look.lit else 0.0
            for o in rows.owners
        ]
        texels[:k, 3, 0] = [
            0.0 if self.look.focus is None or o in self.look.focus else FADED for o in rows.owners
        ]
        self._stale_rows = True

    def move(self, poses: np.ndarray) -> None:
        """Poses of all rows (r, 8) as rows.row_poses gives them."""
        assert self._scene is not None
        texels = self._table.reshape(-1, 4, 4)
        texels[: len(poses), 0], texels[: len(poses), 1] = poses[:, :4], poses[:, 4:]
        texels[: len(poses), 1, :3][~self._scene.rows.visible] = FAR_AWAY * self._scene.size
        self._poses = poses
        self._points = self._scene.points(poses)
        self._stale_rows = self._stale_shadow = True

    def haunt(self, poses: np.ndarray | None, bodies: tuple[int, ...] = ()) -> None:
        """Draw bodies (their rows) once more, translucent, at poses of all rows (r, 8); None ends
        it.
        """
        if self._ghost is not None and poses is None:
            self._ghost.shown = ()
        elif self._ghost is not None and poses is not None:
            self._ghost.move(poses, self._table, bodies)

    def trace(self, paths: Sequence[Path]) -> None:
        """Draw trails and curves."""
        self.device.use()
        self._marks.trace(paths)

    def sketch(self, figures: Figures) -> None:
        """Draw ghosts and what else stands beside the bodies."""
        assert self._scene is not None
        self.device.use()
        self._marks.sketch(figures, self._scene)

    def repicture(self, scene: Scene) -> None:
        """Show other pictures; nothing else of the scene is another."""
        self._scene = scene
        self._points = scene.points(self._poses)

    def set_pixels(self, pixels: dict[str, np.ndarray]) -> None:
        """Set the pixels of picture files by path: (height, width, 4) u1, red green blue alpha.
        Pictures without pixels are not drawn.
        """
        self.device.use()
        for path in [p for p, (_, old) in self._textures.items() if pixels.get(p) is not old]:
            self._textures.pop(path)[0].destroy()
        for path, image in pixels.items():
            if path not in self._textures:
                self._textures[path] = (PictureTexture(self.device, image), image)

    # ---- a picture

    def picture(
        self,
        size: tuple[int, int],
        camera: Camera,
        scale: float,
        shift: tuple[float, float] = (0.0, 0.0),
    ) -> np.ndarray:
        """Pixels (height, width, 4) u1, blue green red alpha; without a ground the colours are
        times their alpha.

        size [px]; scale: pixels per unit of stroke width; shift: of the picture by parts of a
        pixel, to average several.
        """
        scene, g, t = self._scene, self.device.state, theme(self.look.theme)
        assert scene is not None
        assert self._rows is not None
        self.device.use()
        if self._stale_rows:
            self._rows.fill(self._table)
            self._stale_rows = False
        target = self._target(size)
        if self._stale_shadow:
            self._shadow.cast(
                scene, self._parts["skin"], self._rows, self._points[: len(scene.samples)]
            )
            self._stale_shadow = False
        g.set_front_face("cw")  # the picture is drawn upside down, so that it is read upright
        g.set_state(
            blend=False,
            cull_face=False,
            polygon_offset_fill=False,
            depth_test=False,
            depth_mask=True,
        )
        self._stage.unit, self._stage.grain = self.look.unit, float(self.look.grain)
        self._stage.floor_role = (
            "accent" if CONTACTS in self.look.selected or CONTACTS in self.look.lit else ""
        )
        plane = self.look.plane if self.look.grid else None
        draws = self.look.drawing_plane is not None
        if self.look.ground:
            self._stage.draw(target, camera, scene, (plane, draws), t)
        else:
            target.bind()
        g.clear(color=not self.look.ground, depth=True, stencil=False)
        if self._parts["skin"].count and self.look.ground:
            self._shadow.lay(
                size, camera, scene, t, 1.0 if self.look.focus is None else FADED_SHADOW
            )
        points = np.concatenate([self._points, self._marks.reach])
        if self._ghost is not None:
            points = np.concatenate([points, self._ghost.points])
        near, far = lens.depth_range(camera, points, 0.06 * scene.size)
        matrix = flipped(lens.matrix(camera, size, near, far))
        matrix[:2] += np.array([[2 * shift[0] / size[0]], [2 * shift[1] / size[1]]]) * matrix[3]
        veil = tuple((a + b) / 2 for a, b in zip(rgb(t["view_top"]), rgb(t["view_bottom"])))
        common = {
            "u_rows": self._rows,
            "u_matrix": matrix,
            "u_pixel": (2 / size[0], 2 / size[1]),
            "u_veil": veil,
            "u_section": NO_SECTION,
            "u_hatch": 0.0,
        }
        cut = open_ = common
        if self.look.section:
            plane = lens.section(camera, self.look.plane, SLACK * scene.size)
            hatch = HATCH * scale * self.look.text_scale
            # what is beside the drawing is cut too, without a hatch of its own
            open_ = common | {"u_section": plane}
            cut = open_ | {"u_hatch": hatch}
        self._draw_solids(camera, cut, t)
        self._draw_outlines(cut, scale * self.look.text_scale, t)
        self._draw_pictures(camera, common)
        if self.look.focus is not None:
            self._draw_focus(cut, scale * self.look.text_scale, t)
        self._draw_lines(cut, scale * self.look.text_scale, t)
        self._depths = None
        if self.look.has_symbols:
            lift = THICK * scene.size * lens.axes(camera)[2]
            self._depths = Depths(target.read_depth(), matrix, lift)
        if self.look.focus is None:
            self._marks.draw(open_, camera, size, scale * self.look.text_scale)
        if self._ghost is not None:
            self._ghost.draw(
                self._solid,
                self._hull,
                self._parts,
                open_,
                scale * self.look.text_scale,
                rgb(t["text2"]),
            )
        return target.read()

    def hides(self, points: np.ndarray) -> np.ndarray:
        """Mask (k,) of the points (k, 3) of W before which bodies stand in the last picture; none
        where no depths were read.
        """
        return np.zeros(len(points), bool) if self._depths is None else self._depths.hide(points)

    def _free_scene(self) -> None:
        for part in self._parts.values():
            part.destroy()
        if self._rows is not None:
            self._rows.destroy()
        if self._ghost is not None:
            self._ghost.destroy()

    def forget_target(self, size: tuple[int, int]) -> None:
        """Free the memory of a picture of that size."""
        self.device.use()
        self._targets.pop(size, None)
        self._stage.forget()
        self.device.flush()

    def close(self) -> None:
        """Free what lies on the device; the renderer is of no use afterwards."""
        if self._closed:
            return
        self._closed = True
        self.device.use()
        self._free_scene()
        self._square.destroy()
        self._marks.destroy()
        for texture, _ in self._textures.values():
            texture.destroy()
        self._parts, self._rows, self._scene, self._ghost, self._textures = {}, None, None, None, {}
        self._targets.clear()
        self._stage.close()
        self._shadow.close()
        self.device.done()

    def __del__(self) -> None:
        self.close()

    def _target(self, size: tuple[int, int]) -> Target:
        """A target of that size; those of other sizes are freed."""
        if size not in self._targets:
            self._targets.clear()
            self._targets[size] = Target(self.device, *size)
        return self._targets[size]

    def _draw_solids(self, camera: Camera, common: dict[str, Any], t: dict[str, Any]) -> None:
        """Shaded faces, set back a little so that edges and outlines lie in front."""
        scene, g, R = self._scene, self.device.state, lens.axes(camera)
        assert scene is not None
        g.set_state(depth_test=True, polygon_offset_fill=True, polygon_offset=(1.0, 2.0))
        tones = {f"u_{name}": rgb(t[name]) for name in ("sky", "earth", "steel", "cast", "accent")}
        self._solid.use(
            common
            | tones
            | {
                "u_ghost": 1.0,
                "u_eye": lens.eye(camera),
                "u_back": R[2],
                "u_perspective": float(camera.perspective),
                "u_key": R.T @ LIGHT,
                "u_rim": float(t["rim"]),
                "u_ground": (scene.floor, scene.size),
            }
        )
        self._parts["solid"].draw(self._solid)
        g.set_state(polygon_offset_fill=False)

    def _pieces(self, ids, ranges: np.ndarray) -> tuple[tuple[int, int], ...]:
        """Ranges of indices of some elements."""
        found = (
            3 * ranges[k : k + 2]
            for k in sorted(k for id in ids for k in self._rows_of.get(id, ()))
        )
        return tuple((int(first), int(last)) for first, last in found if last > first)

    def _draw_focus(self, common: dict[str, Any], scale: float, t: dict[str, Any]) -> None:
        """Draw what is in focus once more, in front of everything."""
        scene, g, focus = self._scene, self.device.state, self.look.focus
        assert scene is not None
        assert focus is not None
        faces, skin = (
            self._pieces(focus, scene.solid.ranges),
            self._pieces(focus, scene.skin.ranges),
        )
        if not faces or not skin:
            return
        g.clear(color=False, depth=True, stencil=False)
        g.set_state(depth_test=True, polygon_offset_fill=True, polygon_offset=(1.0, 2.0))
        self._parts["solid"].draw_pieces(self._solid, faces)
        g.set_state(polygon_offset_fill=False, cull_face="front")
        self._hull.use(
            common
            | {
                "u_ghost": 1.0,
                "u_step": 1e-3 * scene.size,
                "u_ink": rgb(t["edge"]),
                "u_width": metrics()["stroke"]["silhouette"] * scale,
                "u_behind": BEHIND["ink"],
            }
        )
        self._parts["skin"].draw_pieces(self._hull, skin)
        g.set_state(cull_face=False)

    def _draw_outlines(self, common: dict[str, Any], scale: float, t: dict[str, Any]) -> None:
        """Ink around everything; around what is selected or hovered an accent ring, with a gap that
        keeps it apart.
        """
        scene, g, stroke, skin = (
            self._scene,
            self.device.state,
            metrics()["stroke"],
            self._parts["skin"],
        )
        assert scene is not None
        g.set_state(cull_face="front")
        ink, accent = rgb(t["edge"]), rgb(t["accent"])
        gap = (1.0, 1.0, 1.0) if self.look.theme == "light" else ink
        self._hull.use(
            common
            | {
                "u_ghost": 1.0,
                "u_step": 1e-3 * scene.size,
                "u_ink": ink,
                "u_width": stroke["silhouette"] * scale,
                "u_behind": BEHIND["cut" if self.look.section else "ink"],
            }
        )
        skin.draw(self._hull)
        for ids, width in (
            (self.look.lit - self.look.selected, stroke["hover"]),
            (self.look.selected, stroke["select"]),
        ):
            pieces = self._pieces(ids, scene.skin.ranges)
            for color, wide, behind in (
                ((accent, width + GAP, BEHIND["accent"]), (gap, GAP, BEHIND["gap"]))
                if pieces
                else ()
            ):
                self._hull.use({"u_ink": color, "u_width": wide * scale, "u_behind": behind})
                skin.draw_pieces(self._hull, pieces)
        g.set_state(cull_face=False)

    def _draw_pictures(self, camera: Camera, common: dict[str, Any]) -> None:
        """Pictures over what lies well behind them, the farthest first; what is drawn in the same
        plane stands before them.
        """
        assert self._scene is not None
        shown = [p for p in self._scene.pictures if p.path in self._textures and p.opacity > 0]
        if not shown:
            return
        g, back = self.device.state, lens.axes(camera)[2]
        g.set_state(blend=True, blend_func=OVER, depth_mask=False, depth_test=True)
        for plane in sorted(shown, key=lambda p: float(p.corners.mean(axis=0) @ back)):
            a, b, c, d = plane.corners
            # halves of the sides, as the square reaches from -1 to 1
            self._picture.use(
                common
                | {
                    "u_away": tuple((-UNDER * self._scene.size * back).tolist()),
                    "u_image": self._textures[plane.path][0],
                    "u_opacity": plane.opacity,
                    "u_middle": tuple(((a + c) / 2).tolist()),
                    "u_across": tuple(((b - a) / 2).tolist()),
                    "u_up": tuple(((d - a) / 2).tolist()),
                }
            )
            self._square.draw(self._picture, "triangle_strip")
        g.set_state(blend=False, depth_mask=True)

    def _draw_lines(self, common: dict[str, Any], scale: float, t: dict[str, Any]) -> None:
        """Feature edges; then marks: what bodies hide, faintly, a halo, and the marks
        themselves.
        """
        scene, g, edges, marks, fills = (
            self._scene,
            self.device.state,
            self._parts["edges"],
            self._parts["marks"],
            self._parts["fills"],
        )
        assert scene is not None
        g.set_state(blend=True, blend_func=OVER, depth_mask=False)
        tones = {
            "u_kind0": (*rgb(t["edge"]), t["edge_alpha"]),
            "u_kind1": (*rgb(t["text"]), 1.0),
            "u_kind2": (
                *rgb(t["vector"]),
                1.0 / HIDDEN,
            ),  # a vector stays opaque where a body hides it
            "u_kind3": (*rgb(t["text3"]), 0.9),
            "u_accent": rgb(t["accent"]),
        }
        self._line.use(
            common
            | tones
            | {
                "u_scale": float(scale),
                "u_push": 0.0,
                "u_alpha": 1.0,
                "u_halo": (0.0, 0.0, 0.0, 0.0),
            }
        )
        edges.draw(self._line)
        passes = [
            (False, HIDDEN, 0.0, 2e-4),
            (True, HALO_ALPHA, HALO, 1e-4),
            (True, 1.0, 0.0, 2e-4),
        ]
        if len(scene.labels) > MANY_JOINTS:
            del passes[1]  # among so many a halo is noise, and it costs as much as the marks
        for depth, alpha, halo, push in passes if self.look.glyphs else ():
            g.set_state(depth_test=depth)
            if marks.count:
                self._line.use(
                    {
                        "u_alpha": alpha,
                        "u_push": push,
                        "u_halo": (*rgb(t["view_top"]), halo),
                        "u_section": NO_SECTION,
                    }
                )
                marks.draw(self._line)
            if fills.count and not halo:
                self._fill.use(
                    common
                    | {
                        "u_alpha": alpha,
                        "u_push": push,
                        "u_kind1": tones["u_kind1"],
                        "u_accent": tones["u_accent"],
                    }
                )
                fills.draw(self._fill)
        g.set_state(blend=False, depth_mask=True)
