"""Surfaces of triangles as they stand in a drawing."""

import msgspec


class Mesh(msgspec.Struct, frozen=True):
    """A surface of triangles, counter-clockwise seen from outside.

    vertices: x, y, z [m] in the shape's axes, little-endian float64.  triangles: three vertex
    numbers each, little-endian int32.
    source: name of the file that it came from.
    """

    vertices: bytes
    triangles: bytes
    source: str = ""
