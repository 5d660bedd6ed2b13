# (what a JSON file holds carries no types)
"""Surfaces of glTF files, .glb and .gltf with its data inside (glTF 2.0 specification, Khronos)."""

import base64
import binascii
import json
import struct
from typing import Any

import numpy as np

from mechstudio.model.geometry.mesh import MOST_TRIANGLES
from mechstudio.model.geometry.rotation import matrix
from mechstudio.translation import comma, tr

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_KNOWN = {"KHR_mesh_quantization"}  # extensions that a file may require
_SQUEEZED = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3}
_TRIANGLES = 4
_DEEPEST = 100  # nodes in nodes
_MOST_NODES = 20_000
_MOST_ROWS = 50_000_000  # numbers of an accessor; their data must be in the file too


class Unreadable(Exception):
    """Half a sentence, and what helps.  cure: a sentence."""

    def __init__(self, cause: str, cure: str = "") -> None:
        super().__init__(cause)
        self.cure = cure or tr("Save it again in the program that made it.")


def read_gltf(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [m] and triangles (t, 3) of the scene of a glTF file, z up.

    Raises Unreadable for what is damaged or compressed, and where the data lie in other files.
    """
    try:
        head, binary = _split(data)
        return _scene(head, _buffers(head, binary))
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, struct.error) as e:
        raise Unreadable(tr("it is no complete glTF file ({error})", error=str(e)[:200])) from None
    except RecursionError:
        raise Unreadable(tr("its lists lie too deep in each other")) from None


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON of a file and its binary chunk."""
    if data[:4] != b"glTF":
        return json.loads(data.decode("utf-8")), b""
    length, kind = struct.unpack_from("<I4s", data, 12)
    if kind != b"JSON":
        raise ValueError(tr("its first chunk is no JSON"))
    head = json.loads(data[20 : 20 + length].decode("utf-8"))
    at = 20 + length
    if at + 8 > len(data):
        return head, b""
    length, _ = struct.unpack_from("<I4s", data, at)
    return head, data[at + 8 : at + 8 + length]


def _buffers(head: dict[str, Any], binary: bytes) -> list[bytes]:
    out: list[bytes] = []
    for buffer in head.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            out.append(binary)
        elif uri.startswith("data:"):
            try:
                out.append(base64.b64decode(uri.partition(",")[2], validate=True))
            except binascii.Error as error:
                raise ValueError(str(error)) from None
        else:
            raise Unreadable(
                tr("its data lie in another file"), tr("Save it as .glb, with all in one file.")
            )
    return out


def _accessor(head: dict[str, Any], buffers: list[bytes], index: int) -> np.ndarray:
    """Numbers of an accessor (n, width)."""
    accessor = head["accessors"][index]
    width, kind = _WIDTHS[accessor["type"]], np.dtype(_COMPONENTS[accessor["componentType"]])
    if "sparse" in accessor or "bufferView" not in accessor:
        raise Unreadable(tr("it has sparse data, which are not read"))
    view = head["bufferViews"][accessor["bufferView"]]
    if "EXT_meshopt_compression" in view.get("extensions", {}):
        raise Unreadable(tr("its data are compressed"), tr("Save it without compression."))
    count, stride = accessor["count"], view.get("byteStride", width * kind.itemsize)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    which: int = view["buffer"]
    data = buffers[which]
    if not 0 < count <= _MOST_ROWS or start < 0 or stride < width * kind.itemsize:
        raise ValueError(tr("its counts are damaged"))
    if start + (count - 1) * stride + width * kind.itemsize > len(data):
        raise ValueError(tr("its data were cut off"))
    rows = np.array(np.ndarray((count, width), kind, data, start, (stride, kind.itemsize)))
    if accessor.get("normalized") and kind.kind in "iu":
        return np.maximum(rows / np.iinfo(kind).max, -1.0)
    return rows


def _scene(head: dict[str, Any], buffers: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """All triangles of the scene, with the movements of their nodes."""
    points: list[np.ndarray] = []
    triangles: list[np.ndarray] = []
    count = faced = 0
    nodes: list[dict[str, Any]] = head.get("nodes", [])
    scenes: list[dict[str, Any]] = head.get("scenes") or [{"nodes": [*range(len(nodes))]}]
    first: int = head.get("scene", 0)
    roots: list[int] = scenes[first].get("nodes", [])
    left: list[tuple[int, np.ndarray, int]] = [(k, np.eye(4), 0) for k in roots]
    visited = 0
    if unknown := set(head.get("extensionsRequired", [])) - _KNOWN - _SQUEEZED:
        raise Unreadable(
            tr("it needs {names}, not known here", names=comma().join(sorted(unknown)))
        )
    while left:
        number, outer, depth = left.pop()
        visited += 1
        if depth > _DEEPEST or visited > _MOST_NODES:
            raise ValueError(tr("its nodes lie in each other"))
        if number < 0:
            raise ValueError(tr("a node has no number"))
        node = nodes[number]
        here = outer @ _movement(node)
        left += [(child, here, depth + 1) for child in node.get("children", [])]
        if "mesh" not in node:
            continue
        for primitive in head["meshes"][node["mesh"]]["primitives"]:
            mode = primitive.get("mode", _TRIANGLES)
            if mode in (5, 6):
                raise Unreadable(tr("it has strips or fans"), tr("Save it as single triangles."))
            if mode != _TRIANGLES:
                continue
            if _SQUEEZED & set(primitive.get("extensions", {})):
                raise Unreadable(tr("its data are compressed"), tr("Save it without compression."))
            p = _accessor(head, buffers, primitive["attributes"]["POSITION"]).astype(float)
            faces = (
                _accessor(head, buffers, primitive["indices"]).reshape(-1, 3).astype(np.int64)
                if "indices" in primitive
                else np.arange(len(p)).reshape(-1, 3)
            )
            if len(faces) and faces.max() >= len(p):
                raise ValueError(tr("a triangle names a vertex that is not there"))
            if np.linalg.det(here[:3, :3]) < 0:
                faces = faces[:, ::-1]
            points.append(p @ here[:3, :3].T + here[:3, 3])
            triangles.append(faces + count)
            count += len(p)
            if faced + len(faces) > MOST_TRIANGLES:
                raise Unreadable(
                    tr("it has more than {most} triangles", most=MOST_TRIANGLES),
                    tr("Save it with fewer triangles."),
                )
            faced += len(faces)
    if not triangles:
        raise Unreadable(tr("it has no triangles"), tr("Save the part, not an empty document."))
    x, y, z = np.concatenate(points).T
    return np.column_stack([x, -z, y]), np.concatenate(triangles)


def _movement(node: dict[str, Any]) -> np.ndarray:
    """Matrix (4, 4) from a node's axes to its parent's."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    out = np.eye(4)
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    out[:3, :3] = np.array(matrix((w, x, y, z))) * np.array(
        node.get("scale", (1.0, 1.0, 1.0)), float
    )
    out[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return out
