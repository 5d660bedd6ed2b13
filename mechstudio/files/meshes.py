"""Surfaces from other programs: STL, binary and as text, OBJ, PLY, glTF, Collada and STEP.  Every
file gives a closed mesh or a sentence why it cannot.
"""

import itertools
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mechstudio.files.exchange.meshes.collada import read_collada
from mechstudio.files.exchange.meshes.ply import read_ply
from mechstudio.files.gltf import Unreadable, read_gltf
from mechstudio.files.mesh_repair import Unclosed, closed
from mechstudio.files.round_axes import round_axes
from mechstudio.files.step.step import read_step
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import scaled
from mechstudio.model.geometry.triangles import Mesh, RoundAxis
from mechstudio.translation import Words, tr

UNITS = {
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "in": 0.0254,
}  # what a length of one in a file may mean [m]
SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".gltf", ".dae", ".step", ".stp")
LARGEST_FILE = 300_000_000  # bytes
_BINARY = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEAD = 84
_LONGEST_NUMBER = 40
_LAST = 2**31 - 1  # vertex that a file can name
_VERTEX = re.compile(
    rb"\bvertex\s+(\S{1,%d})\s+(\S{1,%d})\s+(\S{1,%d})(?=\s)" % ((_LONGEST_NUMBER,) * 3),
    re.IGNORECASE,
)
_FACET_END = re.compile(rb"\bendfacet\b", re.IGNORECASE)


class MeshFileError(Exception):
    """Reason why a file gives no mesh, in sentences for the user, with the file's name."""


class MeshFile(NamedTuple):
    """mesh: closed, facing outward, with a positive volume.   notes: sentences on what was
    mended.  axes: of its holes and shafts, in its axes.
    """

    mesh: Mesh
    notes: tuple[str, ...] = ()
    axes: tuple[RoundAxis, ...] = ()


def with_axes(file: MeshFile) -> MeshFile:
    """A mesh file with the axes of its holes and shafts."""
    return file._replace(axes=tuple(round_axes(*meshes.arrays(file.mesh))))


def load_mesh(path: str | Path, unit: str = "mm") -> MeshFile:
    """The mesh of a file of SUFFIXES.

    unit: key of UNITS, what a length of one in the file means; STL and OBJ do not say it, glTF is
    in metres, and STEP comes in millimetres.  Raises
    MeshFileError, also where the file cannot be read, and KeyError for another unit.
    """
    return read_mesh(read_bytes(path), Path(path).name, unit)


def read_bytes(path: str | Path) -> bytes:
    """The content of a file.  Raises MeshFileError."""
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise MeshFileError(
                tr(
                    "{path} has {size:.0f} MB, and at most {largest_file:.0f} MB are read. Save "
                    "it with fewer triangles.",
                    path=path.name,
                    size=size / 1e6,
                    largest_file=LARGEST_FILE / 1e6,
                )
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise MeshFileError(
            tr(
                "{path} could not be read: {getattr}.",
                path=path.name,
                getattr=getattr(error, "strerror", None) or error,
            )
        ) from None


def read_mesh(data: bytes, name: str, unit: str = "mm") -> MeshFile:
    """The mesh of a file's content; the name decides the format where the content does not.  Raises
    MeshFileError and KeyError as load_mesh does.
    """
    size = UNITS[unit]
    points, triangles = read_surface(data, name)
    try:
        with np.errstate(all="ignore"):  # numbers of a damaged file
            points, triangles, notes = closed(points * size, triangles, (unit, size))
    except Unclosed as error:
        raise MeshFileError(
            tr(
                "{name} cannot become a body: {error}. Close the surface in the program that made "
                "it and save it again.",
                name=name,
                error=error,
            )
        ) from None
    return with_axes(MeshFile(Mesh(*meshes.packed(points, triangles), name[:200]), notes))


def read_surface(data: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) in the file's unit and triangles (t, 3) of a file's content, open or closed.
    Raises MeshFileError.
    """
    try:
        with np.errstate(all="ignore"):  # numbers of a damaged file; they are checked below
            points, triangles = _parsed(data, name)
            if not np.isfinite(points).all():
                raise _Refused(
                    tr("it holds a corner that is not a number"),
                    tr("Save it again in the program that made it."),
                )
    except _Refused as error:
        raise MeshFileError(
            tr(
                "{name} cannot become a body: {error}. {cure}",
                name=name,
                error=error,
                cure=error.cure,
            )
        ) from None
    return points, triangles


def rescaled(file: MeshFile, old: str, new: str) -> MeshFile:
    """Mesh file as load_mesh gives it for the same file in another unit.  Raises MeshFileError
    where that makes it impossibly small or large.
    """
    if old == new:
        return file
    points, triangles = meshes.arrays(file.mesh)
    factor = UNITS[new] / UNITS[old]
    with np.errstate(all="ignore"):
        points = points * factor
        if reason := meshes.size_fault(points):
            raise MeshFileError(
                tr(
                    "{source} cannot become a body in {new}: {reason}. Choose another unit.",
                    source=file.mesh.source,
                    new=new,
                    reason=reason,
                )
            )
    axes = tuple(
        a._replace(center=scaled(a.center, factor), radius=factor * a.radius, half=factor * a.half)
        for a in file.axes
    )
    return MeshFile(Mesh(*meshes.packed(points, triangles), file.mesh.source), file.notes, axes)


class _Refused(Exception):
    """Half a sentence, and what helps."""

    def __init__(self, cause: str, cure: str) -> None:
        super().__init__(cause)
        self.cure = cure


# of a format that is known by its name alone
_READERS = {
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".ply": read_ply,
    ".dae": read_collada,
    ".step": read_step,
    ".stp": read_step,
}
_CUT: Words = "Save or copy it again."
_FEWER: Words = "Save it with fewer triangles."


def _parsed(data: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) in the file's unit and triangles (t, 3) of a file."""
    if len(data) > LARGEST_FILE:
        raise _Refused(
            tr(
                "it has {count:.0f} MB, and at most {largest_file:.0f} MB are read",
                count=len(data) / 1e6,
                largest_file=LARGEST_FILE / 1e6,
            ),
            tr(_FEWER),
        )
    if not data.strip():
        raise _Refused(tr("it is empty"), tr(_CUT))
    suffix = Path(name).suffix.lower()
    if (reader := _READERS.get(suffix)) is not None:
        try:
            return reader(data)
        except Unreadable as error:
            raise _Refused(str(error), error.cure) from None
    if suffix == ".obj":
        return _obj(data)
    if _is_binary_stl(data):
        return _binary_stl(data)
    if _FACET_END.search(data) or re.match(rb"\s*(\xef\xbb\xbf)?solid\b", data, re.IGNORECASE):
        return _text_stl(data)
    if name.lower().endswith(".stl"):
        return _binary_stl(data)
    if re.search(rb"^\s*v\s+\S", data, re.MULTILINE):
        return _obj(data)
    raise _Refused(
        tr("its format is not known"),
        tr("Save it as STL, OBJ, PLY, glTF, COLLADA or STEP in the program that made it."),
    )


def _is_binary_stl(data: bytes) -> bool:
    """True if the length fits the count of triangles in the head; some binary files begin with
    "solid" too.
    """
    return len(data) >= _HEAD and len(data) == _HEAD + _BINARY.itemsize * int.from_bytes(
        data[80:_HEAD], "little"
    )


def _triangle_soup(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _count(triangles: int) -> None:
    if not triangles:
        raise _Refused(tr("it has no triangles"), tr("Save the part, not an empty document."))
    if triangles > meshes.MOST_TRIANGLES:
        raise _Refused(
            tr(
                "it has {triangles} triangles, and at most {MOST_TRIANGLES} are possible",
                triangles=triangles,
                MOST_TRIANGLES=meshes.MOST_TRIANGLES,
            ),
            tr(_FEWER),
        )


def _binary_stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    if len(data) < _HEAD:
        raise _Refused(tr("it is too short for an STL file"), tr(_CUT))
    count = int.from_bytes(data[80:_HEAD], "little")
    there = (len(data) - _HEAD) // _BINARY.itemsize
    if there < count:
        raise _Refused(
            tr(
                "it was cut off: {there} of the {count} triangles that it announces are there",
                there=there,
                count=count,
            ),
            tr(_CUT),
        )
    _count(count)
    corners = np.frombuffer(data, _BINARY, count, _HEAD)["corners"]
    return _triangle_soup(corners.reshape(-1, 3).astype(float))


def _text_stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    ends = len(_FACET_END.findall(data))
    _count(ends)
    found = _VERTEX.findall(data)
    if len(found) != 3 * ends or not re.search(rb"\bendsolid\b", data[-1000:], re.IGNORECASE):
        raise _Refused(
            tr(
                "it is damaged or was cut off: {ends} triangles end in it, and {count} corners "
                "can be read",
                ends=ends,
                count=len(found),
            ),
            tr(_CUT),
        )
    try:
        return _triangle_soup(
            np.array([float(c) for corner in found for c in corner]).reshape(-1, 3)
        )
    except ValueError as error:
        raise _Refused(
            tr("a corner of it is not a number ({error})", error=_shown(error)), tr(_CUT)
        ) from None


def _shown(error: ValueError) -> str:
    """Printable form of a text that float() or int() could not read."""
    return "".join(c if c.isprintable() else "·" for c in str(error).partition(": b")[2].strip())[
        :40
    ]


def _obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces; polygons become fans, which enclose the same volume also where they are
    not convex.  Groups, normals and textures are passed over.
    """
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(
        data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines(), 1
    ):
        words = line.split()
        if not words or words[0] not in (b"v", b"f"):
            continue
        try:
            if words[0] == b"v":
                x, y, z = words[1:4]
                points.append((float(x), float(y), float(z)))
                continue
            face = [int(word.partition(b"/")[0]) for word in words[1:]]
        except ValueError:
            what = tr("vertex") if words[0] == b"v" else tr("face")
            raise _Refused(
                tr("line {number} of it is no {what}", number=number, what=what), tr(_CUT)
            ) from None
        if len(face) < 3:
            raise _Refused(
                tr("the face in line {number} of it has fewer than three corners", number=number),
                tr(_CUT),
            )
        # counted from one, or backwards from the last vertex so far
        face = [k - 1 if k > 0 else len(points) + k if k < 0 else -1 for k in face]
        if min(face) < 0 or max(face) > _LAST:
            raise _Refused(
                tr(
                    "the face in line {number} of it names a vertex that is not there",
                    number=number,
                ),
                tr(_CUT),
            )
        triangles += [(face[0], b, c) for b, c in itertools.pairwise(face[1:])]
        if len(triangles) > meshes.MOST_TRIANGLES:
            raise _Refused(
                tr(
                    "it has more than {MOST_TRIANGLES} triangles",
                    MOST_TRIANGLES=meshes.MOST_TRIANGLES,
                ),
                tr(_FEWER),
            )
    _count(len(triangles))
    used = np.array(triangles)
    if used.max() >= len(points):
        raise _Refused(
            tr(
                "a face of it names vertex {value}, and it has {count}",
                value=int(used.max()) + 1,
                count=len(points),
            ),
            tr(_CUT),
        )
    return np.array(points), used
