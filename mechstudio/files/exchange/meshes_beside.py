"""Meshes that lie in files beside a model, as shapes."""

from pathlib import Path

import numpy as np

from mechstudio.files import meshes as mesh_files
from mechstudio.files.exchange.drawing import Drawing, placement
from mechstudio.files.exchange.meshes.convex import convex_hull
from mechstudio.files.mesh_repair import Unclosed, closed
from mechstudio.files.meshes import MeshFileError
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import IDENTITY, Pose, Triple, compose, triple
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mechanism import Shape
from mechstudio.model.naming import quoted
from mechstudio.model.quantity import Quantity
from mechstudio.translation import tr

MOST_TRIANGLES = 60_000  # of one mesh, so that a project stays one that opens at once


class Meshes:
    """Meshes of a model, each read once.  root: folder beside and below which they may lie."""

    def __init__(self, root: Path, drawing: Drawing) -> None:
        self._root, self._drawing = root, drawing
        self._known: dict[tuple[str, Triple], Mesh | tuple[Triple, Triple] | None] = {}

    def from_file(self, path: Path | None, said: str, scale: Triple, pose: Pose) -> Shape | None:
        """Shape of a mesh file at a pose in the body's axes; None where it was left out, with a
        note.  said: name of the file in the model.
        """
        key = (str(path), scale)
        if key not in self._known:
            self._known[key] = None if path is None else self._read(path, said, scale)
        if path is None:
            self._drawing.leave(tr("Meshes that are not there"), quoted(said))
        found = self._known[key]
        return None if found is None else _shape(found, pose)

    def from_points(
        self, name: str, points: np.ndarray, triangles: np.ndarray | None, pose: Pose
    ) -> Shape | None:
        """Shape of corners (n, 3) [m] and triangles (t, 3) at a pose; without triangles their
        convex hull.
        """
        if triangles is None or not len(triangles):
            return _shape(_hull(points, name), pose)
        return _shape(self._closed(points, triangles, name), pose)

    def _read(self, path: Path, said: str, scale: Triple) -> Mesh | tuple[Triple, Triple] | None:
        try:
            data = mesh_files.read_bytes(path)
            points, triangles = mesh_files.read_surface(data, path.name)
        except MeshFileError as error:
            self._drawing.say(str(error))
            return None
        if path.suffix.lower() in (".glb", ".gltf"):
            points = points @ np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)], float)
        return self._closed(
            points * np.array(scale), triangles, said, scale[0] * scale[1] * scale[2] < 0
        )

    def _closed(
        self, points: np.ndarray, triangles: np.ndarray, name: str, mirrored: bool = False
    ) -> Mesh | tuple[Triple, Triple]:
        if mirrored:
            triangles = triangles[:, ::-1]
        if len(triangles) > MOST_TRIANGLES:
            self._drawing.leave(
                tr(
                    "Meshes of more than {most} triangles, for which their convex hulls stand",
                    most=MOST_TRIANGLES,
                ),
                quoted(name.rpartition("/")[2]),
            )
            return _hull(points, name)
        try:
            points, triangles, _ = closed(points, triangles, ("m", 1.0))
        except Unclosed:
            self._drawing.leave(
                tr("Meshes that are open, for which their convex hulls stand"),
                quoted(name.rpartition("/")[2]),
            )
            return _hull(points, name)
        return Mesh(*meshes.packed(points, triangles), name[-200:])


def _hull(points: np.ndarray, name: str) -> Mesh | tuple[Triple, Triple]:
    """The convex hull of corners, or their box where they lie in a plane."""
    found = convex_hull(points)
    if found is None:
        return _box(points)
    try:
        hull, triangles, _ = closed(*found, ("m", 1.0))
    except Unclosed:
        return _box(points)
    return Mesh(*meshes.packed(hull, triangles), name[-200:])


def _box(points: np.ndarray) -> tuple[Triple, Triple]:
    """Middle and lengths of the box of corners."""
    low, high = points.min(axis=0), points.max(axis=0)
    least = max(1e-6, 1e-4 * float((high - low).max()))
    return triple((0.5 * (low + high)).tolist()), tuple(np.maximum(high - low, least).tolist())


def _shape(found: Mesh | tuple[Triple, Triple], pose: Pose) -> Shape:
    if isinstance(found, Mesh):
        return Shape("mesh", {}, placement=placement(pose), mesh=found)
    middle, lengths = found
    return Shape(
        "box",
        dict(zip(("length", "depth", "height"), map(Quantity, lengths))),
        placement=placement(compose(pose, (middle, IDENTITY))),
    )
