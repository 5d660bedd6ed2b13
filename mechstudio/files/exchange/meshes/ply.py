"""Surfaces of PLY files, as text and binary (Turk 1994)."""

from typing import Any

import numpy as np

from mechstudio.files.gltf import Unreadable
from mechstudio.translation import tr

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2",
    "ushort": "u2", "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
MOST_ROWS = 20_000_000

Property = tuple[str, str, str]  # name, type, type of the count of a list or ""
Rows = dict[str, Any]  # rows of an element by property: an array, or a list of rows of any length


def read_ply(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) in the file's unit and triangles (t, 3); faces of more corners become fans.
    Raises Unreadable.
    """
    try:
        return _surface(data)
    except (LookupError, ValueError, TypeError, OverflowError) as error:
        raise Unreadable(tr("it is no complete PLY file ({error})", error=error)) from None


def _surface(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    end = data.find(b"end_header")
    if not data.startswith(b"ply") or end < 0:
        raise ValueError("no header")
    body = data.index(b"\n", end) + 1
    order, elements = _head(data[:end].decode("ascii", "replace"))
    points: np.ndarray | None = None
    faces: np.ndarray | None = None
    words = data[body:].split() if order == "" else []
    at = 0 if order == "" else body
    for name, count, properties in elements:
        rows, at = (
            _text_rows(words, at, count, properties)
            if order == ""
            else _binary_rows(data, at, count, properties, order)
        )
        if name == "vertex":
            points = np.column_stack([rows[k] for k in "xyz"]).astype(float)
        elif name == "face":
            faces = _fans(rows["vertex_indices" if "vertex_indices" in rows else "vertex_index"])
    if points is None or faces is None or not len(faces):
        raise Unreadable(tr("it has no triangles"), tr("Save the part, not a cloud of points."))
    if faces.min() < 0 or faces.max() >= len(points):
        raise ValueError("a face names a vertex that is not there")
    return points, faces


def _head(text: str) -> tuple[str, list[tuple[str, int, list[Property]]]]:
    order, elements = "", list[tuple[str, int, list[Property]]]()
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "format":
            order = _ORDERS[words[1]]
        elif words[0] == "element":
            count = int(words[2])
            if not 0 <= count <= MOST_ROWS:
                raise ValueError(f"{count} rows")
            elements.append((words[1], count, []))
        elif words[0] == "property" and words[1] == "list":
            elements[-1][2].append((words[4], _TYPES[words[3]], _TYPES[words[2]]))
        elif words[0] == "property":
            elements[-1][2].append((words[2], _TYPES[words[1]], ""))
    return order, elements


def _text_rows(
    words: list[bytes], at: int, count: int, properties: list[Property]
) -> tuple[Rows, int]:
    if not any(counted for *_, counted in properties):
        width = len(properties)
        row = np.array(words[at : at + count * width], float).reshape(count, width)
        return {p[0]: row[:, k] for k, p in enumerate(properties)}, at + count * width
    out: Rows = {p[0]: [] for p in properties}
    for _ in range(count):
        for name, _type, counted in properties:
            size = int(words[at]) if counted else 1
            at += bool(counted)
            values = [float(w) for w in words[at : at + size]]
            if size < 0 or len(values) != size:
                raise ValueError("it was cut off")
            out[name].append(values if counted else values[0])
            at += size
    return out, at


def _binary_rows(
    data: bytes, at: int, count: int, properties: list[Property], order: str
) -> tuple[Rows, int]:
    if not any(counted for *_, counted in properties):
        kind = np.dtype([(name, order + type) for name, type, _ in properties])
        rows = np.frombuffer(data, kind, count, at)
        return {name: rows[name] for name, *_ in properties}, at + count * kind.itemsize
    if len(properties) == 1 and count:
        # all faces of as many corners as the first, which is the usual file
        name, type, counted = properties[0]
        size = int(np.frombuffer(data, order + counted, 1, at)[0])
        kind = np.dtype([("n", order + counted), ("v", order + type, (size,))])
        if at + count * kind.itemsize <= len(data):
            rows = np.frombuffer(data, kind, count, at)
            if (rows["n"] == size).all():
                return {name: rows["v"]}, at + count * kind.itemsize
    out: Rows = {p[0]: [] for p in properties}
    for _ in range(count):
        for name, type, counted in properties:
            size = 1
            if counted:
                size = int(np.frombuffer(data, order + counted, 1, at)[0])
                at += np.dtype(counted).itemsize
            values = np.frombuffer(data, order + type, size, at)
            at += values.nbytes
            out[name].append(values if counted else values[0])
    return out, at


def _fans(rows: np.ndarray | list[Any]) -> np.ndarray:
    if isinstance(rows, np.ndarray) and rows.shape[1] == 3:
        return rows.astype(np.int64)
    out = [(r[0], r[k], r[k + 1]) for r in rows for k in range(1, len(r) - 1)]
    return np.array(out, float).reshape(-1, 3).astype(np.int64)
