"""Geoms of an MJCF file as shapes, and how they touch."""

import math
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.files.exchange.chains import inverse
from mechstudio.files.exchange.drawing import Drawing, placement
from mechstudio.files.exchange.meshes.convex import convex_hull
from mechstudio.files.exchange.meshes_beside import Meshes
from mechstudio.files.exchange.mjcf.source import Source, onto_axis, unit
from mechstudio.files.exchange.palette import nearest
from mechstudio.files.exchange.surfaces import shape_surface
from mechstudio.files.exchange.xml_text import Node, fault, number, numbers
from mechstudio.model.contact import Floor, Surface
from mechstudio.model.geometry.mesh import enclosed
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    compose,
    matrix,
    normalise,
    triple,
)
from mechstudio.model.mass_properties import shape_solid
from mechstudio.model.mechanism import Shape
from mechstudio.model.naming import quoted
from mechstudio.model.quantity import Quantity
from mechstudio.translation import tr

BENT = 1e-3  # part of its convex hull that a mesh may lack
WATER = 1000.0  # kg/m^3, what MuJoCo gives a geom that says nothing
# against sliding, spinning [m] and rolling [m], as far as a geom says nothing
FRICTION = (1.0, 0.005, 0.0001)


class Geom(NamedTuple):
    """A shape with its contact partners. type, affinity: bits of contacts; surface: its friction.
    color: index of a series colour, None where nothing is said.  is_exact: whether MuJoCo weighs
    it by the volume that it encloses, whatever its shape.
    """

    shape: Shape
    type: int
    affinity: int
    surface: Surface
    color: int | None
    is_exact: bool = True


class Geoms:
    """Reader of geoms, with the assets that they name."""

    def __init__(self, source: Source, drawing: Drawing) -> None:
        self._source, self._drawing = source, drawing
        self._meshes = Meshes(source.folder, drawing)
        self._assets: dict[str, Node] = {}
        self._colors: dict[str, list[float]] = {}
        for section in source.root.all("asset"):
            for child in section.children:
                full = source.full(child)
                if child.tag == "mesh":
                    file = child.get("file").replace("\\", "/")
                    name = child.get("name") or file.rpartition("/")[2].rpartition(".")[0]
                    self._assets[name] = full
                elif child.tag == "material" and (color := numbers(full, "rgba", 4)):
                    self._colors[child.get("name")] = color

    def read(self, node: Node, outer: Pose, childclass: str, on_world: bool) -> Geom | None:
        """A geom at a pose of its body; None for one that is no solid, with a note."""
        full = self._source.full(node, childclass)
        kind = full.get("type", "mesh" if full.get("mesh") else "sphere")
        color = numbers(full, "rgba", 4) or self._colors.get(full.get("material"), [])
        pose = compose(outer, self._source.pose(full))
        if kind == "plane":
            self._plane(full, pose, on_world)
            return None
        shape = self._shape(full, kind, pose)
        if shape is None:
            return None
        mass = number(full, "mass", -1.0)
        density = number(full, "density", WATER)
        if mass < 0.0 and full.get("mass"):
            raise fault(node, tr("its mass is negative."))
        if density < 0.0:
            raise fault(node, tr("its density is negative."))
        if full.get("mass"):
            volume = shape_solid(shape)[0]
            density = mass / volume if volume > 0.0 else 0.0
        if full.get("shellinertia") == "true":
            self._drawing.leave(
                tr("Geoms that are shells, which became solids"), quoted(full.get("name") or kind)
            )
        return Geom(
            msgspec.structs.replace(shape, density=Quantity(density)),
            int(number(full, "contype", 1)),
            int(number(full, "conaffinity", 1)),
            self.surface(full),
            nearest(tuple(color)) if color else None,
            shape.mesh is None or self._assets[full.get("mesh")].get("inertia") == "exact",
        )

    def surface(self, full: Node) -> Surface:
        """Friction of a geom."""
        given = numbers(full, "friction")
        sliding, spinning, rolling = (*given, *FRICTION[len(given) :])[:3]
        condim = int(number(full, "condim", 3))
        if any(f < 0.0 for f in given):
            raise fault(full, tr("its friction is negative."))
        return Surface(
            friction=Quantity(sliding if condim > 1 else 0.0),
            spinning=Quantity(spinning if condim > 3 else 0.0),
            rolling=Quantity(rolling if condim > 5 else 0.0),
        )

    def _plane(self, full: Node, pose: Pose, on_world: bool) -> None:
        up = matrix(pose[1])[2][2]
        if not on_world or up < 1.0 - 1e-9 or self._drawing.floor is not None:
            self._drawing.leave(
                tr("Planes that are no level floor were left out"),
                quoted(full.get("name") or "plane"),
            )
            return
        self._drawing.floor = Floor(Quantity(pose[0][2]), self.surface(full))

    def _shape(self, full: Node, kind: str, pose: Pose) -> Shape | None:
        size = numbers(full, "size")
        if kind == "mesh" or full.get("mesh"):
            return self._mesh(full, pose)
        if kind not in _SIZES:
            self._drawing.leave(
                tr("Geoms of kinds that have no shape here were left out"),
                quoted(full.get("name") or kind),
            )
            return None
        if ends := numbers(full, "fromto", 6):
            if kind not in ("capsule", "cylinder", "box", "ellipsoid"):
                raise fault(full, tr("a {kind} has no fromto.", kind=kind))
            pose, half = self._between(full, pose, ends)
            r = size[0] if size else 0.0
            size = [r, r, half] if kind in ("box", "ellipsoid") else [r, half]
        needed = _SIZES[kind]
        size = size[:needed]
        if len(size) < needed or any(s <= 0.0 for s in size):
            raise fault(
                full,
                tr("a {kind} needs {count} positive sizes.", kind=kind, count=needed),
            )
        return Shape(_TYPES[kind], _lengths(kind, size), placement=placement(pose))

    def _between(self, full: Node, pose: Pose, ends: list[float]) -> tuple[Pose, float]:
        """Pose and half the length of a shape that reaches from one point to another."""
        a, b = ends[:3], ends[3:]
        along = [y - x for x, y in zip(a, b)]
        z = unit(full, along)
        outer = self._source.pose(full)
        here: Pose = (triple(0.5 * (x + y) for x, y in zip(a, b)), onto_axis(z))
        # fromto stands in place of pos and attitude of the geom itself
        undone = compose(pose, inverse(outer))
        return compose(undone, here), 0.5 * math.hypot(*along)

    def _mesh(self, full: Node, pose: Pose) -> Shape | None:
        name = full.get("mesh")
        asset = self._assets.get(name)
        if asset is None:
            raise fault(full, tr("there is no mesh {name}.", name=quoted(name)))
        x, y, z = numbers(asset, "scale", 3) or (1.0, 1.0, 1.0)
        if not x * y * z:
            raise fault(asset, tr("its scale is zero."))
        origin = numbers(asset, "refpos", 3) or [0.0] * 3
        turn: Quaternion = IDENTITY
        if row := numbers(asset, "refquat", 4):
            turn = normalise((row[0], row[1], row[2], row[3]))
        # MuJoCo moves and turns the corners before it scales them
        if turn != IDENTITY and not x == y == z:
            self._drawing.leave(
                tr("Meshes that are turned and then scaled unevenly were left out"), quoted(name)
            )
            return None
        pose = compose(pose, inverse(((x * origin[0], y * origin[1], z * origin[2]), turn)))
        if full.get("type", "sphere") != "mesh":  # MuJoCo fits what is usual for a geom too
            self._drawing.leave(
                tr("Geoms that are fitted to a mesh, for which the mesh stands"),
                quoted(full.get("name") or name),
            )
        if asset.get("inertia") == "shell":
            self._drawing.leave(
                tr("Geoms that are shells, which became solids"), quoted(full.get("name") or name)
            )
        if row := numbers(asset, "vertex"):
            points = self._rows(asset, "vertex", row)
            faces = numbers(asset, "face")
            triangles = self._rows(asset, "face", faces).astype(int) if faces else None
            if triangles is not None and (triangles.min() < 0 or triangles.max() >= len(points)):
                raise fault(asset, tr("a face names a vertex that is not there."))
            return self._meshes.from_points(name, points * (x, y, z), triangles, pose)
        file = asset.get("file")
        if not file:
            self._drawing.leave(tr("Meshes of kinds that are not read were left out"), quoted(name))
            return None
        folder = self._source.compiler.get("meshdir", self._source.compiler.get("assetdir"))
        path = self._source.beside(file, asset, folder)
        scale: Triple = (x, y, z)
        return self._meshes.from_file(path if path.is_file() else None, file, scale, pose)

    def _rows(self, asset: Node, name: str, row: list[float]) -> np.ndarray:
        if len(row) % 3 or len(row) < 3:
            raise fault(asset, tr("{name} has no rows of three numbers.", name=name))
        return np.array(row).reshape(-1, 3)


_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
_TYPES = {
    "sphere": "sphere",
    "capsule": "capsule",
    "cylinder": "cylinder",
    "box": "box",
    "ellipsoid": "ellipsoid",
}


def _lengths(kind: str, size: list[float]) -> dict[str, Quantity]:
    if kind == "sphere":
        return {"radius": Quantity(size[0])}
    if kind in ("capsule", "cylinder"):
        return {"radius": Quantity(size[0]), "height": Quantity(2.0 * size[1])}
    return dict(zip(("length", "depth", "height"), (Quantity(2.0 * s) for s in size)))


def weighs_more(geom: Geom) -> bool:
    """True if MuJoCo takes a hollow or bent mesh for heavier than its enclosed volume."""
    if geom.is_exact or not geom.shape.density.value:
        return False
    points, triangles = shape_surface(geom.shape)
    hull = convex_hull(points)
    if hull is None:
        return False
    own, whole = (enclosed(*s).volume for s in ((points, triangles), hull))
    return own < (1.0 - BENT) * whole


def touch(a: list[Geom], b: list[Geom]) -> bool:
    """True if geoms of two bodies may come into contact."""
    return any((p.type & q.affinity) or (q.type & p.affinity) for p in set_of(a) for q in set_of(b))


def set_of(geoms: list[Geom]) -> list[Geom]:
    """One geom for each pair of bits."""
    return list({(g.type, g.affinity): g for g in geoms}.values())
