# pyright: standard, reportMissingImports=false
# (Open Cascade is an extra, and its bindings carry no types)
"""Surfaces of STEP files by Open Cascade, where `pip install "mechstudio[step]"` brought it."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mechstudio.files.gltf import Unreadable
from mechstudio.translation import tr

SAG = 1e-3  # of the part's size: distance of a triangle from the surface
ANGLE = 0.1  # [rad], between two triangles of a curved surface
MILLIMETRE = 1e-3  # [m], in which Open Cascade gives what it read


def read_step(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [mm] and triangles (t, 3) of the solids of a STEP file.

    Raises Unreadable for a damaged file, and where Open Cascade is not installed.
    """
    try:
        from OCP.BRepMesh import BRepMesh_IncrementalMesh
        from OCP.IFSelect import IFSelect_RetDone
        from OCP.STEPControl import STEPControl_Reader
    except ImportError:
        raise Unreadable(
            tr("STEP files are read by Open Cascade, which is not installed"),
            tr('Install it by pip install "mechstudio[step]", or save the part as STL.'),
        ) from None
    reader = STEPControl_Reader()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        path.write_bytes(data)
        if reader.ReadFile(str(path)) != IFSelect_RetDone:
            raise Unreadable(tr("it is no STEP file that can be read"))
        reader.TransferRoots()
    shape = reader.OneShape()
    if shape.IsNull():
        raise Unreadable(tr("it holds no shape"), tr("Save the part, not an empty document."))
    BRepMesh_IncrementalMesh(shape, SAG * _size(shape), False, ANGLE, True)
    return _triangles(shape)


def _size(shape: Any) -> float:
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid():
        raise Unreadable(tr("it holds no solid"), tr("Save the part, not an empty document."))
    low, high = box.CornerMin(), box.CornerMax()
    return max(high.X() - low.X(), high.Y() - low.Y(), high.Z() - low.Z())


def _triangles(shape: Any) -> tuple[np.ndarray, np.ndarray]:
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopLoc import TopLoc_Location
    from OCP.TopoDS import TopoDS

    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    explorer = TopExp_Explorer(shape, TopAbs_FACE)
    cast = getattr(TopoDS, "Face_s", None) or TopoDS.Face
    while explorer.More():
        face = cast(explorer.Current())
        location = TopLoc_Location()
        mesh = BRep_Tool.Triangulation_s(face, location)
        if mesh is not None:
            start, move = len(points), location.Transformation()
            for k in range(1, mesh.NbNodes() + 1):
                p = mesh.Node(k).Transformed(move)
                points.append((p.X(), p.Y(), p.Z()))
            for k in range(1, mesh.NbTriangles() + 1):
                a, b, c = (start + n - 1 for n in mesh.Triangle(k).Get())
                faces.append((a, c, b) if face.Orientation() == TopAbs_REVERSED else (a, b, c))
        explorer.Next()
    if not faces:
        raise Unreadable(tr("it holds no solid"), tr("Save the part, not an empty document."))
    return np.array(points), np.array(faces)
