"""Backdrop of the mechanism: sky, floor with a fading grid, the grid of a work plane, and the soft
shadow.
"""

from typing import Any

import numpy as np

from mechstudio.application.scene import Scene
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.project import Camera
from mechstudio.model.rounding import round_near
from mechstudio.tokens import rgb
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.rendering import shaders
from mechstudio.view.scene.rendering.gl import Device, FloatTexture, Geometry, Program, Target
from mechstudio.view.scene.rendering.vertices import SQUARE

MAP = 144  # pixels across the shadow map
# how something translucent lies over what is there; alpha adds up to that of both together, so that
# a picture without a ground has colours times their alpha
OVER = ("src_alpha", "one_minus_src_alpha", "one", "one_minus_src_alpha")
SLAB, SELECTED_SLAB = 0.42, 0.17  # how dense a floor is on which bodies stand
CONTACT, HEIGHT = (
    0.12,
    0.85,
)  # heights over the floor, in sizes of the mechanism, over which the two shadows fade
FAINT = 0.5  # strength of the work plane's grid while nothing is drawn
LEAN = (0.22, 0.16)  # how far a shadow lies off per height


def grid_cell(size: float, unit: float = 1.0) -> float:
    """Side of a cell of the grid [m]: 1, 2 or 5 times a power of ten of a unit of length [m], about
    an eighth of the mechanism.
    """
    return unit * round_near(size / 8 / unit)


def flipped(matrix: np.ndarray) -> np.ndarray:
    """The picture upside down."""
    return np.diag([1.0, -1.0, 1.0, 1.0]) @ matrix


def _wide_matrix(size: tuple[int, int], camera: Camera, scene: Scene) -> np.ndarray:
    """A matrix without depth to speak of, for what is drawn behind everything."""
    extent = _extent(camera, scene)
    near = 0.02 * camera.distance if camera.perspective else -8 * extent
    return flipped(lens.matrix(camera, size, near, camera.distance + 8 * extent))


def _extent(camera: Camera, scene: Scene) -> float:
    """Reach of the grid [m]."""
    return 1.9 * max(camera.distance, scene.size)


class Stage:
    """Sky and grids.  While the camera stands still they are copied from the picture before."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._sky, self._floor = (
            Program(device, *code)
            for code in (
                (shaders.QUAD_VERTEX, shaders.SKY_FRAGMENT),
                (shaders.FLOOR_VERTEX, shaders.FLOOR_FRAGMENT),
            )
        )
        self._square = Geometry(SQUARE, np.arange(4))
        self._kept: Target | None = None
        self._kept_key: tuple = ()
        self._last_key: tuple = ()
        self.unit = 1.0  # of length [m], in which cells are round
        self.grain = 1.0  # of the sky: 0 for films, which it would make several times as large
        self.floor_role = ""  # colour of a floor that is selected or pointed at

    def draw(
        self,
        target: Target,
        camera: Camera,
        scene: Scene,
        plane: tuple[WorkPlane | None, bool],
        t: dict[str, Any],
    ) -> None:
        """Fill a target, which is bound afterwards.  plane: the work plane, and whether it is drawn
        in now.
        """
        key = (
            target.size,
            camera,
            plane,
            scene.size,
            scene.floor,
            scene.solid_floor,
            self.floor_role,
            t["view_top"],
            self.unit,
        )
        standing, self._last_key = key == self._last_key, key
        if not standing:  # a camera that moves would only pay for the copy
            target.bind()
            self._paint(target.size, camera, scene, plane, t)
            return
        if self._kept is None or self._kept.size != target.size:
            self._kept, self._kept_key = Target(self._device, *target.size, depth=False), ()
        if key != self._kept_key:
            self._kept.bind()
            self._paint(target.size, camera, scene, plane, t)
            self._kept_key = key
        self._kept.copy_to(target)
        target.bind()

    def _paint(
        self,
        size: tuple[int, int],
        camera: Camera,
        scene: Scene,
        plane: tuple[WorkPlane | None, bool],
        t: dict[str, Any],
    ) -> None:
        g = self._device.state
        sky = {"u_top": rgb(t["view_top"]), "u_bottom": rgb(t["view_bottom"])}
        self._sky.use(sky | {"u_grain": self.grain})
        self._square.draw(self._sky, "triangle_strip")
        g.set_state(blend=True, blend_func=OVER)
        extent, target = _extent(camera, scene), np.array(camera.target)
        self._floor.use(
            {
                "u_matrix": _wide_matrix(size, camera, scene),
                "u_cell": grid_cell(scene.size, self.unit),
                "u_extent": float(extent),
            }
        )
        for k, (origin, across, up, first, second, strength) in enumerate(
            self._sheets(camera, scene, plane, t)
        ):
            center = (target - origin) @ np.array([across, up]).T
            self._floor.use(
                {
                    "u_origin": tuple(origin),
                    "u_across": across,
                    "u_up": up,
                    "u_center": tuple(center.tolist()),
                    "u_axis_x": rgb(first),
                    "u_axis_y": rgb(second),
                    "u_axis_alpha": 0.6 * strength,
                    "u_grid": (*rgb(t["grid"]), t["grid_alpha"] * strength),
                    "u_slab": (
                        *rgb(t[self.floor_role or "steel"]),
                        (SELECTED_SLAB if self.floor_role else SLAB)
                        if k == 0 and scene.solid_floor
                        else 0.0,
                    ),
                }
            )
            self._square.draw(self._floor, "triangle_strip")
        g.set_state(blend=False)

    def _sheets(
        self, camera: Camera, scene: Scene, work: tuple[WorkPlane | None, bool], t: dict[str, Any]
    ) -> list[tuple]:
        """Grids: (origin, across, up, colours of the two axes, strength).  A view along the floor
        gets a wall instead.
        """
        sheets: list[tuple] = [
            (
                (0.0, 0.0, scene.floor),
                (1.0, 0.0, 0.0),
                (0.0, 1.0, 0.0),
                t["axis_x"],
                t["axis_y"],
                1.0,
            )
        ]
        back = lens.axes(camera)[2]
        wall = float(
            np.clip((0.12 - abs(back[2])) / 0.06, 0.0, 1.0)
            * np.clip((max(abs(back[0]), abs(back[1])) - 0.97) / 0.02, 0.0, 1.0)
        )
        plane, draws = work
        seen = (
            0.0 if plane is None else abs(sum(a * b for a, b in zip(plane.normal, back.tolist())))
        )
        if plane is not None and seen > 1e-3:
            sheets.append(
                (plane.origin, plane.u, plane.v, t["grid"], t["grid"], 1.0 if draws else FAINT)
            )
        if wall > 0 and (plane is None or (not draws and seen < 0.7)):
            across, color = (
                ((1.0, 0.0, 0.0), t["axis_x"])
                if abs(back[1]) > abs(back[0])
                else ((0.0, 1.0, 0.0), t["axis_y"])
            )
            sheets.append(((0.0, 0.0, 0.0), across, (0.0, 0.0, 1.0), color, t["axis_z"], wall))
        return sheets

    def forget(self) -> None:
        """Free the kept picture."""
        self._kept, self._kept_key, self._last_key = None, (), ()

    def close(self) -> None:
        self.forget()
        self._square.destroy()


class Shadow:
    """The shadow on the floor: a small map seen from below, red near the floor, green high above
    it, blurred tightly and widely.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._cast, self._blur, self._lay = (
            Program(device, *code)
            for code in (
                (shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT),
                (shaders.QUAD_VERTEX, shaders.BLUR_FRAGMENT),
                (shaders.SHADE_VERTEX, shaders.SHADE_FRAGMENT),
            )
        )
        self._square = Geometry(SQUARE, np.arange(4))
        self._maps = [Target(device, MAP, MAP, depth, smooth=True) for depth in (True, False)]
        self._room = (
            0.0,
            0.0,
            0.0,
            1.0,
        )  # centre x, y, half side, height of the area that the map covers [m]

    def forget(self) -> None:
        """Another scene: let the map cover other room."""
        self._room = (0.0, 0.0, 0.0, 1.0)

    def cast(self, scene: Scene, skin: Geometry, rows: FloatTexture, points: np.ndarray) -> None:
        """Draw the map again.  points: (k, 3) that span everything [m, W]."""
        g = self._device.state
        self._cover(scene, points)
        g.set_state(
            blend=False,
            cull_face=False,
            polygon_offset_fill=False,
            depth_test=True,
            depth_mask=True,
        )
        self._maps[0].bind()
        g.clear(color=True, depth=True, stencil=False)
        self._cast.use(
            {
                "u_rows": rows,
                "u_map": self._room,
                "u_floor": scene.floor,
                "u_lean": LEAN,
                "u_fall": (CONTACT * scene.size, HEIGHT * scene.size),
            }
        )
        skin.draw(self._cast)
        g.set_state(depth_test=False)
        spread = (
            0.8 * scene.size / self._room[2] / MAP
        )  # as wide as the mechanism needs, whatever the map covers
        for source, into, stride in ((0, 1, (spread, 0.0)), (1, 0, (0.0, spread))):
            self._maps[into].bind()
            self._blur.use({"u_image": self._maps[source], "u_stride": stride})
            self._square.draw(self._blur, "triangle_strip")

    def _cover(self, scene: Scene, points: np.ndarray) -> None:
        """Let the map cover what there is, with room to spare, so that it seldom changes."""
        points = lens.finite(points) if len(lens.finite(points)) else np.zeros((1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        tall = float(max(high[2] - scene.floor, 1e-6))
        x, y = (float(c) for c in (low[:2] + high[:2]) / 2 + 0.5 * tall * np.array(LEAN))
        half = float(max(high[:2] - low[:2])) / 2 + 0.1 * tall + 0.35 * scene.size
        if (
            max(abs(x - self._room[0]), abs(y - self._room[1])) + half > self._room[2]
            or half < 0.5 * self._room[2]
        ):
            self._room = (x, y, 1.15 * half, 1.0)
        self._room = (*self._room[:3], 1.2 * tall)

    def lay(
        self,
        size: tuple[int, int],
        camera: Camera,
        scene: Scene,
        t: dict[str, Any],
        strength: float = 1.0,
    ) -> None:
        """Darken the floor of the bound target."""
        g = self._device.state
        g.set_state(blend=True, blend_func=OVER)
        self._lay.use(
            {
                "u_matrix": _wide_matrix(size, camera, scene),
                "u_image": self._maps[0],
                "u_map": self._room,
                "u_floor": scene.floor,
                "u_dark": (*rgb(t["shadow"]), strength * float(t["shadow_alpha"])),
            }
        )
        self._square.draw(self._lay, "triangle_strip")
        g.set_state(blend=False)

    def close(self) -> None:
        self._maps.clear()
        self._square.destroy()
