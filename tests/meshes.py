"""Mesh files as other programs write them."""

import struct

import numpy as np

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def binary_stl(points, triangles, head=b"made by a test"):
    records = np.zeros(len(triangles), _RECORD)
    records["corners"] = np.asarray(points)[triangles]
    return head.ljust(80) + struct.pack("<I", len(triangles)) + records.tobytes()


def text_stl(points, triangles):
    number = lambda p: " ".join(repr(float(c)) for c in p)
    facets = "".join(
        (
            "  facet normal 0 0 0\n    outer "
            f"loop\n{''.join(f'      vertex {number(points[k])}{chr(10)}' for k in t)}    "
            "endloop\n  endfacet\n"
        )
        for t in triangles
    )
    return f"solid part\n{facets}endsolid part\n".encode()


def obj(points, faces):
    lines = [
        "# a part",
        "o part",
        *(f"v {' '.join(repr(float(c)) for c in p)}" for p in points),
        "s off",
        *(f"f {' '.join(str(k + 1) for k in f)}" for f in faces),
    ]
    return ("\n".join(lines) + "\n").encode()
