"""Surfaces of triangles as they stand in a drawing, and the axes of their holes and shafts."""

from typing import NamedTuple

import msgspec

from mechstudio.model.geometry.rotation import Triple


class Mesh(msgspec.Struct, frozen=True):
    """A surface of triangles, counter-clockwise seen from outside.

    vertices: x, y, z [m] in the shape's axes, little-endian float64.  triangles: three vertex
    numbers each, little-endian int32.
    source: name of the file that it came from.
    """

    vertices: bytes
    triangles: bytes
    source: str = ""


class RoundAxis(NamedTuple):
    """Axis of a hole or a shaft, in the mesh's axes.

    center: middle of it [m].  direction: unit.  radius: its smallest [m].  half: half its length
    [m].  hole: True if material surrounds it.
    """

    center: Triple
    direction: Triple
    radius: float
    half: float
    hole: bool
