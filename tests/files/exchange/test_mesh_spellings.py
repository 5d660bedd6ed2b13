"""Mesh files in every spelling that their formats have: the same wedge comes out of each, where its
file puts it.
"""

import base64
import json
import struct

import numpy as np
import pytest

from mechstudio.files.exchange.meshes import convex
from mechstudio.files.exchange.meshes.collada import read_collada
from mechstudio.files.exchange.meshes.ply import read_ply
from mechstudio.files.exchange.meshes.stl import stl_bytes
from mechstudio.files.gltf import Unreadable, read_gltf
from mechstudio.model.geometry.mesh import enclosed

# a wedge of two triangles and three quadrangles
CORNERS = ((0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 4), (2, 0, 4), (0, 3, 4))
FACES = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
TRIANGLES = tuple((f[0], f[k], f[k + 1]) for f in FACES for k in range(1, len(f) - 1))
VOLUME, CENTER = 12.0, (2 / 3, 1.0, 2.0)


def assert_wedge(read, data, place=lambda p: p, volume=VOLUME):
    points, triangles = read(data)
    solid = enclosed(np.asarray(points, float), np.asarray(triangles))
    assert solid.volume == pytest.approx(volume)
    assert solid.center == pytest.approx(place(np.array(CENTER)), abs=1e-6)


# PLY

TEXT, SMALL, LARGE = "ascii", "binary_little_endian", "binary_big_endian"
PLY = {"uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f"} | {
    "double": "d",
    "float32": "f",
    "int8": "b",
    "uint8": "B",
}


def ply(format, faces, *, coordinate="float", counted="uchar", index="int", before=(), after=()):
    """A file with a colour on each corner, and elements before and behind those of the surface.
    before, after: properties of a row of an element each, as (type, value).
    """
    head = ["ply", f"format {format} 1.0", "comment of a program"]
    rows: list[list[tuple[str, object]]] = []

    def element(name, properties, values):
        head.append(f"element {name} {len(values)}")
        head.extend(f"property {p}" for p in properties)
        rows.extend(values)

    if before:
        element("material", [f"{t} m{k}" for k, (t, _) in enumerate(before)], [list(before)])
    spoken = [f"{coordinate} x", f"{coordinate} y", "uchar red", f"{coordinate} z"]
    corners = [
        [(coordinate, x), (coordinate, y), ("uchar", 7), (coordinate, z)] for x, y, z in CORNERS
    ]
    element("vertex", spoken, corners)
    marks = [f"{t} f{k}" for k, (t, _) in enumerate(after)]
    listed = [[(counted, len(f)), *((index, k) for k in f), *after] for f in faces]
    element("face", [f"list {counted} {index} vertex_indices", *marks], listed)
    begun = "\n".join([*head, "end_header", ""]).encode()
    if format == TEXT:
        return begun + "\n".join(" ".join(str(v) for _, v in row) for row in rows).encode()
    order = "<" if format == SMALL else ">"
    return begun + b"".join(struct.pack(order + PLY[t], v) for row in rows for t, v in row)


@pytest.mark.parametrize("format", [TEXT, SMALL, LARGE])
def test_ply_in_every_spelling(format):
    for faces in (TRIANGLES, FACES):
        assert_wedge(read_ply, ply(format, faces))
        for types in (
            {"coordinate": "double", "counted": "int", "index": "ushort"},
            {"coordinate": "float32", "counted": "uint8", "index": "int8"},
            {"before": (("short", 3), ("double", 0.5))},
            {"after": (("float", 1.5), ("uchar", 9))},
        ):
            assert_wedge(read_ply, ply(format, faces, **types))


@pytest.mark.parametrize("format", [TEXT, SMALL, LARGE])
def test_ply_that_ends_early_or_names_what_is_not_there_is_refused(format):
    whole = ply(format, FACES)
    for k in (3, 9, len(whole) // 3):
        with pytest.raises(Unreadable):
            read_ply(whole[:-k])
    with pytest.raises(Unreadable, match="not there"):
        read_ply(ply(format, ((0, 1, 6),)))
    with pytest.raises(Unreadable, match="not there"):
        read_ply(ply(format, ((0, 1, -1),)))
    with pytest.raises(Unreadable, match="no triangles"):
        read_ply(ply(format, ()))
    with pytest.raises(Unreadable, match="rows"):
        read_ply(whole.replace(b"element vertex 6", b"element vertex 99999999999"))


# Collada

UP = {
    "X_UP": lambda p: (-p[1], p[0], p[2]),
    "Y_UP": lambda p: (p[0], -p[2], p[1]),
    "Z_UP": lambda p: tuple(p),
}


def indexed(faces, width=2):
    """Indices with those of another input between them."""
    return " ".join(f"{k} 0" if width == 2 else f"{k}" for f in faces for k in f)


PARTS = {
    "triangles": f"<p>{indexed(TRIANGLES)}</p>",
    "polylist": f"<vcount>{' '.join(str(len(f)) for f in FACES)}</vcount><p>{indexed(FACES)}</p>",
    "polygons": "".join(f"<p>{indexed([f])}</p>" for f in FACES),
}


def collada(inner, part="triangles", head="", nodes="", second=""):
    numbers = " ".join(str(c) for p in CORNERS for c in p)
    inputs = (
        '<input semantic="VERTEX" source="#v" offset="0"/>'
        '<input semantic="NORMAL" source="#n" offset="1"/>'
    )
    return f"""<COLLADA><asset>{head}</asset>
      <library_geometries><geometry id="g"><mesh>
        <source id="s"><float_array id="f">{numbers}</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
        <{part} count="8">{inputs}{PARTS[part]}</{part}>{second}
      </mesh></geometry><geometry id="empty"><mesh/></geometry></library_geometries>
      <library_nodes>{nodes}</library_nodes>
      <library_visual_scenes><visual_scene id="scene">{inner}</visual_scene></library_visual_scenes>
      </COLLADA>""".encode()


HERE = '<instance_geometry url="#g"/>'


@pytest.mark.parametrize("part", PARTS)
def test_collada_in_every_kind_of_faces(part):
    assert_wedge(read_collada, collada(f"<node>{HERE}</node>", part), UP["Y_UP"])


@pytest.mark.parametrize("up", UP)
def test_collada_stands_upright_and_in_its_unit(up):
    head = f'<unit meter="0.01"/><up_axis>{up}</up_axis>'
    place = lambda p: 0.01 * np.array(UP[up](p))
    assert_wedge(read_collada, collada(f"<node>{HERE}</node>", "triangles", head), place, 12e-6)


Z_UP = "<up_axis>Z_UP</up_axis>"
MOVES = {
    "<translate>1 2 3</translate>": lambda p: p + (1, 2, 3),
    "<scale>2 3 0.5</scale>": lambda p: p * (2, 3, 0.5),
    "<scale>-1 1 1</scale>": lambda p: p * (-1, 1, 1),
    "<rotate>0 0 2 90</rotate>": lambda p: np.array((-p[1], p[0], p[2])),
    "<rotate>0 0 0 90</rotate>": lambda p: p,
    "<matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>": lambda p: np.array(
        (5 - p[1], 6 + p[0], 7 + p[2])
    ),
    "<translate>1 2 3</translate><rotate>1 0 0 90</rotate>": lambda p: np.array(
        (1 + p[0], 2 - p[2], 3 + p[1])
    ),
    "<extra/>": lambda p: p,
}


@pytest.mark.parametrize("moves", MOVES)
def test_collada_stands_where_its_nodes_put_it(moves):
    """Straight, in a node of a node, and in one of a library."""
    volume = 36.0 if "2 3 0.5" in moves else 12.0
    place = MOVES[moves]
    data = collada(f"<node>{moves}{HERE}</node>", head=Z_UP)
    assert_wedge(read_collada, data, place, volume)
    inner = f"<node>{moves}<node><translate>0 0 2</translate>{HERE}</node></node>"
    assert_wedge(read_collada, collada(inner, head=Z_UP), lambda p: place(p + (0, 0, 2)), volume)
    kept = f'<node id="kept">{moves}{HERE}</node>'
    inner = '<node><translate>0 0 2</translate><instance_node url="#kept"/></node>'
    assert_wedge(
        read_collada, collada(inner, head=Z_UP, nodes=kept), lambda p: place(p) + (0, 0, 2), volume
    )


def test_several_parts_of_collada_are_one_surface():
    twice = f"<node>{HERE}</node><node><translate>9 0 0</translate>{HERE}</node>"
    empty = '<node><instance_geometry url="#empty"/></node>'
    points, triangles = read_collada(collada(twice + empty))
    assert len(triangles) == 2 * len(TRIANGLES) and triangles.max() == len(points) - 1
    assert enclosed(points, triangles).volume == pytest.approx(24.0)
    # two sets of faces over the same corners
    inputs = '<input semantic="VERTEX" source="#v" offset="0"/>'
    second = f"<polylist>{inputs}<vcount>3 4</vcount><p>0 1 2 0 1 4 3</p></polylist>"
    points, triangles = read_collada(collada(f"<node>{HERE}</node>", second=second))
    assert triangles[-3:].tolist() == [[6, 7, 8], [6, 7, 10], [6, 10, 9]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<robot/>", "robot"),
        (collada(""), "no triangles"),
        (collada('<node><instance_geometry url="#empty"/></node>'), "no triangles"),
        (collada('<node><instance_geometry url="#none"/></node>'), "none"),
        (collada(f"<node>{HERE}</node>").replace(b">0 0 2 0 1", b">0 0 2 0 9"), "not there"),
        (collada("<node>" * 150 + HERE + "</node>" * 150), "lie in each other"),
        (
            collada('<node><instance_node url="#k"/></node>')
            .replace(b"<library_nodes>", b'<library_nodes><node id="k"><instance_node url="#k"/>')
            .replace(b"</library_nodes>", b"</node></library_nodes>"),
            "lie in each other",
        ),
        (b"<COLLADA><asset></COLLADA>", "sound XML"),
    ],
)
def test_collada_that_is_not_sound_is_refused(data, words):
    with pytest.raises(Unreadable, match=words):
        read_collada(data)


# glTF, y up: what is written at (x, y, z) stands at (x, -z, y)

KINDS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WEDGE = np.array(CORNERS, float)


def gltf(
    *,
    points=WEDGE,
    kind=5126,
    index=5123,
    normalized=False,
    stride=0,
    shift=0,
    indexed=True,
    node=None,
    binary=False,
    **changes,
):
    """A file of the wedge.  stride: of a corner [bytes], 0 for none said; shift: of the data in
    its buffer.  node: further words of the node; changes: of the head.
    """
    rows = points if indexed else points[np.array(TRIANGLES).ravel()]
    packed_rows = b"".join(
        struct.pack(f"<3{KINDS[kind]}", *(r if kind == 5126 else map(int, r))).ljust(stride, b"?")
        for r in rows
    )
    faces = struct.pack(f"<24{KINDS[index]}", *np.array(TRIANGLES).ravel().tolist())
    data = b"!" * shift + packed_rows + b"?" * (-len(packed_rows) % 4) + faces
    start = shift + len(packed_rows) + (-len(packed_rows) % 4)
    view = {"buffer": 0, "byteOffset": shift, "byteLength": len(packed_rows)}
    corner = {"bufferView": 0, "componentType": kind, "count": len(rows), "type": "VEC3"}
    primitive = {"attributes": {"POSITION": 0}} | ({"indices": 1} if indexed else {})
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    head = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": []}, {"nodes": [0]}],
        "scene": 1,
        "nodes": [{"mesh": 0} | (node or {}), {"mesh": 0}],
        "meshes": [{"primitives": [primitive, {**primitive, "mode": 1}]}],
        "accessors": [
            corner | ({"normalized": True} if normalized else {}),
            {"bufferView": 1, "componentType": index, "count": 24, "type": "SCALAR"},
        ],
        "bufferViews": [
            view | ({"byteStride": stride} if stride else {}),
            {"buffer": 0, "byteOffset": start, "byteLength": len(faces)},
        ],
        "buffers": [{"byteLength": len(data)} | ({} if binary else {"uri": uri})],
    } | changes
    said = json.dumps(head).encode()
    if not binary:
        return said
    said += b" " * (-len(said) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(said), b"JSON") + said
    chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def test_gltf_in_every_spelling():
    assert_wedge(read_gltf, gltf(), UP["Y_UP"])
    for changes in (
        {"binary": True},
        {"binary": True, "stride": 16, "shift": 8},
        {"indexed": False},
        {"index": 5121},
        {"index": 5125},
        {"scenes": [], "scene": 0, "nodes": [{"mesh": 0}]},
        {"extensionsRequired": ["KHR_mesh_quantization"]},
    ):
        assert_wedge(read_gltf, gltf(**changes), UP["Y_UP"])
    for kind in KINDS:
        assert_wedge(read_gltf, gltf(kind=kind, stride=16), UP["Y_UP"])


@pytest.mark.parametrize(("kind", "most"), [(5120, 127), (5121, 255), (5122, 32767), (5123, 65535)])
def test_whole_numbers_of_gltf_are_shares_where_they_are_normalized(kind, most):
    signed = kind in (5120, 5122)
    corners = WEDGE / 4 * most if not signed else (WEDGE / 4 * 2 - 1) * most
    data = gltf(points=np.round(corners), kind=kind, normalized=True, stride=16)
    points, triangles = read_gltf(data)
    scale = 1 / 4 if not signed else 1 / 2
    # halves of a whole number are rounded
    assert enclosed(points, triangles).volume == pytest.approx(VOLUME * scale**3, rel=3 / most)
    if signed:
        (least,) = struct.unpack("<b", b"\x80") if kind == 5120 else (-32768,)
        low = np.where(WEDGE > 0, most, least)
        assert read_gltf(gltf(points=low, kind=kind, normalized=True, stride=16))[0].min() == -1.0


GLTF_MOVES = {
    "nothing": ({}, lambda p: p),
    "translation": ({"translation": [1, 2, 3]}, lambda p: p + (1, 2, 3)),
    "rotation": ({"rotation": [0, 0, 0.5**0.5, 0.5**0.5]}, lambda p: (-p[1], p[0], p[2])),
    "scale": ({"scale": [2, 3, 0.5]}, lambda p: p * (2, 3, 0.5)),
    "all": (
        {"scale": [2, 3, 0.5], "translation": [1, 2, 3], "rotation": [0.5**0.5, 0, 0, 0.5**0.5]},
        lambda p: (1 + 2 * p[0], 2 - 0.5 * p[2], 3 + 3 * p[1]),
    ),
    "matrix": (
        {"matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]},
        lambda p: (5 - p[1], 6 + p[0], 7 + p[2]),
    ),
}


@pytest.mark.parametrize("move", GLTF_MOVES)
def test_gltf_stands_where_its_nodes_put_it(move):
    words, place = GLTF_MOVES[move]
    volume = 36.0 if "scale" in words else 12.0
    there = lambda p: UP["Y_UP"](np.asarray(place(p), float))
    assert_wedge(read_gltf, gltf(node=words), there, volume)
    nodes = [{"children": [1], "translation": [0, 0, 2]}, {"mesh": 0} | words]
    further = lambda p: UP["Y_UP"](np.asarray(place(p), float) + (0, 0, 2))
    assert_wedge(read_gltf, gltf(nodes=nodes), further, volume)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"nodes": [{"children": [0]}]}, "lie in each other"),
        ({"nodes": [*({"children": [k]} for k in range(1, 151)), {"mesh": 0}]}, "lie in each"),
        ({"nodes": [{"children": [1] * 20_001}, {}]}, "lie in each"),
        ({"nodes": [{"children": [-1]}]}, "no number"),
        ({"nodes": [{}]}, "no triangles"),
        ({"extensionsRequired": ["KHR_odd"]}, "KHR_odd"),
        ({"points": WEDGE[:5]}, "not there"),
        ({"buffers": [{"uri": "wedge.bin"}]}, "another file"),
        ({"buffers": [{"uri": "data:,base64,???"}]}, "complete"),
        ({"buffers": [{}]}, "cut off"),
        ({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}]}, "strips"),
        ({"meshes": [{"primitives": [{"attributes": {}, "mode": 4}]}]}, "POSITION"),
        ({"stride": 5}, "counts"),
    ],
)
def test_gltf_that_is_not_sound_is_refused(changes, words):
    with pytest.raises(Unreadable, match=words):
        read_gltf(gltf(**changes) if "stride" not in changes else narrow(changes["stride"]))


def narrow(stride):
    """A file whose corners lie nearer to each other than they are long."""
    head = json.loads(gltf())
    head["bufferViews"][0]["byteStride"] = stride
    return json.dumps(head).encode()


# STL as it is written


def test_a_triangle_without_an_area_has_a_normal_of_zeros():
    """No number of the file is not a number, whatever the surface."""
    points = np.array([*CORNERS, (1, 0, 0)], float)
    data = stl_bytes(points, np.array([*TRIANGLES, (0, 1, 6)]))
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", 9), ("n", "<u2")])
    rows = np.frombuffer(data, kind, offset=84)
    assert np.isfinite(rows["normal"]).all()
    assert np.linalg.norm(rows["normal"], axis=1) == pytest.approx([1.0] * len(TRIANGLES) + [0.0])


# convex hulls, which stand for open meshes


def test_the_hull_of_very_many_points_is_that_of_the_farthest(monkeypatch):
    some = np.random.default_rng(2).normal(size=(3000, 3))
    ball = some / np.linalg.norm(some, axis=1, keepdims=True)
    inside = np.concatenate([0.5 * ball, ball])
    whole = enclosed(*convex.convex_hull(inside)).volume
    assert whole == pytest.approx(4 / 3 * np.pi, rel=0.02)
    monkeypatch.setattr(convex, "MOST", 100)
    points, triangles = convex.convex_hull(inside)
    assert len(points) <= 100 and triangles.max() == len(points) - 1
    assert np.linalg.norm(points, axis=1) == pytest.approx(np.ones(len(points)))
    found = enclosed(points, triangles)
    assert 0.85 * whole < found.volume < whole, "counter-clockwise from outside"
    assert np.linalg.norm(found.center) < 0.05


@pytest.mark.parametrize("points", [CORNERS[:3], [(k, k * k, 0) for k in range(9)]])
def test_points_of_a_plane_have_no_hull(points):
    assert convex.convex_hull(np.array(points, float)) is None
