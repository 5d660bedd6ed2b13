# pyright: standard, reportMissingImports=false, reportAttributeAccessIssue=false
# (Open Cascade is an extra, and its bindings carry no types)
"""The process that reads a STEP file by Open Cascade.

`python -m mechstudio.files.step.triangulation IN OUT MOST_TRIANGLES MEMORY SECONDS`.  IN: the file.
OUT: a file in NPZ that it writes, with `points` (n, 3) [mm] and `triangles` (t, 3).  MEMORY [bytes]
and SECONDS, of the processor, are more than it takes, where the system can hold that.  What it
finds wrong is its exit status, one of Refusal; a damaged file may end it in any other way.
"""

import contextlib
import enum
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

SAG = 1e-3  # of the part's size: distance of a triangle from the surface
ANGLE = 0.1  # [rad], between two triangles of a curved surface
LARGEST = 1e8  # [mm] of a part: what has no bounds is as large as the file's numbers allow


class Refusal(enum.IntEnum):
    """Reason why a file gives no surface."""

    NO_LIBRARY = 3
    NO_STEP = 4
    NO_SHAPE = 5
    NO_SOLID = 6
    TOO_MANY = 7
    TOO_LARGE = 8
    NO_MEMORY = 9


class Refused(Exception):
    """A file that gives no surface; the argument is a Refusal."""


def surface(path: str, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [mm] and triangles (t, 3) of the solids of a STEP file.  Raises Refused."""
    try:
        from OCP.IFSelect import IFSelect_RetDone
        from OCP.STEPControl import STEPControl_Reader
    except ModuleNotFoundError:
        raise Refused(Refusal.NO_LIBRARY) from None
    reader = STEPControl_Reader()
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise Refused(Refusal.NO_STEP)
    reader.TransferRoots()
    shape = reader.OneShape()
    if shape.IsNull():
        raise Refused(Refusal.NO_SHAPE)
    _triangulate(shape, most)
    return _triangles(shape, most)


def _triangulate(shape: Any, most: int) -> None:
    """Give each face its triangles."""
    from OCP.BRepMesh import BRepMesh_IncrementalMesh

    # a part that stands a million times in the file is there once, and once more for each place
    if sum(1 for _ in zip(range(most + 1), _faces(shape))) > most:
        raise Refused(Refusal.TOO_MANY)
    size = _size(shape)
    if not size < LARGEST:
        raise Refused(Refusal.TOO_LARGE)
    BRepMesh_IncrementalMesh(shape, SAG * size, False, ANGLE, True)


def _size(shape: Any) -> float:
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid():
        raise Refused(Refusal.NO_SOLID)
    low, high = box.CornerMin(), box.CornerMax()
    return max(high.X() - low.X(), high.Y() - low.Y(), high.Z() - low.Z())


def _faces(shape: Any) -> Iterator[Any]:
    """Faces of a shape, as often as they stand in it."""
    from OCP.TopAbs import TopAbs_FACE
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    explorer = TopExp_Explorer(shape, TopAbs_FACE)
    cast = getattr(TopoDS, "Face_s", None) or TopoDS.Face
    while explorer.More():
        yield cast(explorer.Current())
        explorer.Next()


def _triangles(shape: Any, most: int) -> tuple[np.ndarray, np.ndarray]:
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_REVERSED
    from OCP.TopLoc import TopLoc_Location

    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for face in _faces(shape):
        location = TopLoc_Location()
        mesh = BRep_Tool.Triangulation_s(face, location)
        if mesh is None:
            continue
        start, move = len(points), location.Transformation()
        if len(faces) + mesh.NbTriangles() > most:
            raise Refused(Refusal.TOO_MANY)
        for k in range(1, mesh.NbNodes() + 1):
            p = mesh.Node(k).Transformed(move)
            points.append((p.X(), p.Y(), p.Z()))
        for k in range(1, mesh.NbTriangles() + 1):
            a, b, c = (start + n - 1 for n in mesh.Triangle(k).Get())
            faces.append((a, c, b) if face.Orientation() == TopAbs_REVERSED else (a, b, c))
    if not faces:
        raise Refused(Refusal.NO_SOLID)
    return np.array(points), np.array(faces)


def bound(memory: int, seconds: int) -> None:
    """Hold this process to so many bytes and seconds of the processor; Windows has no such
    bounds.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def main(arguments: list[str]) -> int:
    """Read a file; the exit status is a Refusal where that gives no surface."""
    path, out, most, memory, seconds = arguments
    bound(int(memory), int(seconds))
    try:
        points, triangles = surface(path, int(most))
        np.savez(Path(out), points=points, triangles=triangles)
    except Refused as refused:
        return int(refused.args[0])
    except MemoryError:
        return Refusal.NO_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
