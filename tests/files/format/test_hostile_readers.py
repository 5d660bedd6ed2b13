"""Every reader of files meets hostile inputs: bombs, counts, nesting, encodings, cycles, paths out
of the folder, and files cut off at every k-th byte.  Each is refused in a sentence or read without
harm, within 2 s and without eating memory.  tests/files/exchange/test_step.py has those of STEP.
"""

import base64
import io
import json
import math
import os
import signal
import struct
import sys
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from mechstudio.application.preferences import Preferences
from mechstudio.curves.measurements.table import DataUnreadable
from mechstudio.curves.measurements.table import read as read_table
from mechstudio.files import fragment, project_file, runs
from mechstudio.files.exchange import formats
from mechstudio.files.exchange.pack import pack, unpack
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.fragment import FragmentError
from mechstudio.files.meshes import MeshFileError
from mechstudio.files.parts import load_part
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.runs import RunUnreadable
from mechstudio.model.project import Project

SAMPLES = Path(__file__).parents[3] / "samples"
LIMIT = 1_500_000_000  # bytes that a reader may take beside what is there
SECONDS = 2.0
CUTS = 60  # of each good file


# readers: path -> anything; each may raise its own error and nothing else


def read_mech(path):
    loaded = project_file.load(path)
    assert isinstance(loaded.project, Project)


def read_pack(path):
    into = path.parent / "into"
    into.mkdir(exist_ok=True)
    unpack(path, into)
    outside = [p for p in path.parent.parent.rglob("*") if "evil" in p.name]
    assert not outside, "a pack wrote outside of its folder"


def read_other(path):
    project, notes = formats.read(path)
    poses = (b.placement.pose for b in project.mechanism.bodies.values())
    assert all(math.isfinite(x) for pose in poses for x in pose[0])
    assert all(isinstance(note, str) for note in notes)


def read_part(path):
    part = load_part(path)
    part.made(part.unit or "mm", part.usual_thickness(part.unit or "mm"))


def read_csv(path):
    read_table(path.read_bytes().decode("utf-8", "replace"))


def read_clipboard(path):
    fragment.read(path.read_bytes().decode("utf-8", "replace"))


def read_run(path):
    if path.suffix == ".npy":
        runs.samples(path.parent, int(path.stem))
    else:
        runs.read(path.parent, int(path.stem))


def read_preferences(path):
    folder = path.parent / "config" / "mechstudio"
    folder.mkdir(parents=True, exist_ok=True)
    preferences = Preferences(kept=False)
    preferences.path, preferences.kept = path, True
    stored = preferences._read()
    assert isinstance(stored.units, str) and isinstance(stored.found, tuple)


READERS = {
    "mech": (read_mech, ProjectFileError),
    "pack": (read_pack, ExchangeError),
    "other": (read_other, ExchangeError),
    "part": (read_part, MeshFileError),
    "csv": (read_csv, DataUnreadable),
    "clipboard": (read_clipboard, FragmentError),
    "run": (read_run, RunUnreadable),
    "preferences": (read_preferences, ()),
}


# good files, of which the bad ones are made


def stl():
    triangles = tetrahedron()
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(c for p in corner for c in p), 0) for corner in triangles
    )
    return bytes(80) + struct.pack("<I", len(triangles)) + body


def tetrahedron():
    a, b, c, d = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
    return [(a, c, b), (a, b, d), (a, d, c), (b, c, d)]


OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PLY = b"""ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
"""


def ply(old, new):
    return PLY.replace(old, new)


def gltf(change=lambda head: None, text=False):
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "<f4").tobytes()
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], "<u2").tobytes()
    head = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(faces)},
        ],
        "buffers": [{"byteLength": len(points + faces)}],
    }
    data = base64.b64encode(points + faces).decode()
    head["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{data}"
    change(head)
    text_of = json.dumps(head).encode()
    if text:
        return text_of
    text_of += b" " * (-len(text_of) % 4)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text_of), len(text_of), b"JSON") + text_of


def changed(*path, to):
    def change(head):
        at = head
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = to

    return gltf(change)


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm">{}</svg>'
SQUARE = '<rect width="5" height="5"/>'
LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
USES = "".join(f'<g id="g{k}">' + f'<use href="#g{k - 1}"/>' * 10 + "</g>" for k in range(1, 9))
DXF = """0
SECTION
2
HEADER
9
$ACADVER
1
AC1015
0
ENDSEC
0
SECTION
2
ENTITIES
0
LWPOLYLINE
100
AcDbEntity
8
0
100
AcDbPolyline
90
4
70
1
10
0.0
20
0.0
10
1.0
20
0.0
10
1.0
20
1.0
10
0.0
20
1.0
0
ENDSEC
0
EOF
"""
BLOCKS = "".join(
    f"0\nBLOCK\n8\n0\n2\nB{k}\n70\n0\n10\n0\n20\n0\n3\nB{k}\n"
    + "".join(f"0\nINSERT\n8\n0\n2\nB{k - 1}\n10\n{j}\n20\n0\n" for j in range(10))
    + "0\nENDBLK\n8\n0\n"
    for k in range(1, 9)
)
FIRST_BLOCK = (
    "0\nBLOCK\n8\n0\n2\nB0\n70\n0\n10\n0\n20\n0\n3\nB0\n0\nCIRCLE\n8\n0\n10\n0\n20\n0\n40\n1\n"
    "0\nENDBLK\n8\n0\n"
)
DXF_BOMB = (
    f"0\nSECTION\n2\nBLOCKS\n{FIRST_BLOCK}{BLOCKS}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
    "0\nINSERT\n8\n0\n2\nB8\n10\n0\n20\n0\n0\nENDSEC\n0\nEOF\n"
)
DAE = (
    '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
    '<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">'
    "0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source='#a' count='4' "
    "stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices><triangles count='4'><input semantic='VERTEX' source='#v' "
    "offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node>"
    "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes></COLLADA>"
)
CSV = "time [s],A angle [deg]\n" + "".join(f"{k / 100},{k}\n" for k in range(40))
MECH = (SAMPLES / "four_bar.mech").read_bytes()
LESSON = (SAMPLES / "double_pendulum.mech").read_bytes()
URDF = (
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
    '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>'
)
MJCF = '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>'


def zipped(*members, kind=zipfile.ZIP_DEFLATED, name="a.mech"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        archive.writestr(name, MECH)
        for member, content in members:
            archive.writestr(member, content)
    return out.getvalue()


def link_inside():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.mech", MECH)
        info = zipfile.ZipInfo("pictures/evil")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return out.getvalue()


def stated_sizes():
    """A member that says that it is small and is not."""
    data = bytearray(zipped(("pictures/evil.png", bytes(50_000_000))))
    return bytes(data).replace(struct.pack("<I", 50_000_000), struct.pack("<I", 10))


def good_pack():
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"mechstudio-good-{os.getpid()}.zip"
    pack(folder, "a", project_file.load(SAMPLES / "four_bar.mech").project, None, None)
    try:
        return folder.read_bytes()
    finally:
        folder.unlink()


def with_key(key, value):
    document = json.loads(MECH)
    document[key] = value
    return json.dumps(document).encode()


GOOD = {
    ("mech", "a.mech"): MECH,
    ("mech", "lesson.mech"): LESSON,
    ("pack", "a.zip"): good_pack,
    ("other", "a.urdf"): URDF.encode(),
    ("other", "a.xml"): MJCF.encode(),
    ("part", "a.stl"): stl,
    ("part", "text.stl"): b"solid a\n"
    + b"".join(
        b"facet normal 0 0 0\nouter loop\n"
        + b"".join(b"vertex %d %d %d\n" % p for p in corner)
        + b"endloop\nendfacet\n"
        for corner in tetrahedron()
    )
    + b"endsolid a\n",
    ("part", "a.obj"): OBJ,
    ("part", "a.ply"): PLY,
    ("part", "a.glb"): gltf,
    ("part", "a.gltf"): lambda: gltf(text=True),
    ("part", "a.dae"): DAE.encode(),
    ("part", "a.svg"): SVG.format(SQUARE).encode(),
    ("part", "a.dxf"): DXF.encode(),
    ("csv", "a.csv"): CSV.encode(),
    ("clipboard", "a.txt"): MECH,
    (
        "preferences",
        "preferences.json",
    ): b'{"units": "mm-N-deg", "found": ["a", "b"], "start_page": true}',
}
ZEROS = bytes(2_000_000)
HOSTILE = {
    ("mech", "empty.mech"): b"",
    ("mech", "no json.mech"): b"\x00\xff" * 5000,
    ("mech", "deep.mech"): b"[" * 1_000_000,
    ("mech", "deep objects.mech"): b'{"mechstudio": 1, "a": ' + b'{"a":' * 200_000,
    ("mech", "a number of a million digits.mech"): b'{"mechstudio": ' + b"9" * 1_000_000 + b"}",
    ("mech", "latin-1.mech"): '{"mechstudio": 1, "note": "é"}'.encode("latin-1"),
    ("mech", "utf-16.mech"): MECH.decode().encode("utf-16"),
    ("mech", "a list.mech"): b"[1, 2, 3]",
    ("mech", "a million bodies.mech"): with_key("bodies", [{}] * 200_000),
    ("mech", "a million steps.mech"): with_key("steps", [{"id": "s"}] * 200_000),
    ("mech", "infinite.mech"): MECH.replace(b"0.13", b"1e999"),
    ("mech", "nan.mech"): MECH.replace(b"0.13", b"NaN"),
    ("mech", "cyclic parameters.mech"): with_key(
        "parameters",
        [{"name": "a", "value": "b"}, {"name": "b", "value": "a"}],
    ),
    ("mech", "long formula.mech"): with_key(
        "parameters", [{"name": "a", "value": "(" * 100_000 + "1" + ")" * 100_000}]
    ),
    ("mech", "power tower.mech"): with_key(
        "parameters", [{"name": "a", "value": "9^9^9^9^9^9^9", "dimension": "number"}]
    ),
    ("mech", "a thousand parameters in a chain.mech"): with_key(
        "parameters",
        [{"name": f"p{k}", "value": f"p{k + 1}+p{k + 1}"} for k in range(3000)],
    ),
    ("mech", "picture outside.mech"): with_key(
        "pictures", [{"id": "p", "name": "p", "path": "../../../../etc/passwd", "width": 1}]
    ),
    ("pack", "no zip.zip"): b"PK\x03\x04" + bytes(1000),
    ("pack", "empty.zip"): b"",
    ("pack", "nothing inside.zip"): b"PK\x05\x06" + bytes(18),
    ("pack", "bomb.zip"): lambda: zipped(("pictures/evil.png", bytes(400_000_000))),
    ("pack", "many bombs.zip"): lambda: zipped(*((f"pictures/{k}.png", ZEROS) for k in range(400))),
    ("pack", "stated smaller.zip"): stated_sizes,
    ("pack", "ten thousand files.zip"): lambda: zipped(
        *((f"pictures/{k}.png", b"") for k in range(10_000))
    ),
    ("pack", "above.zip"): lambda: zipped(("../evil.txt", b"x"), ("../../evil.txt", b"x")),
    ("pack", "absolute.zip"): lambda: zipped(("/tmp/evil-of-a-pack", b"x")),
    ("pack", "disk.zip"): lambda: zipped(("C:\\evil.txt", b"x"), ("..\\evil.txt", b"x")),
    ("pack", "link.zip"): link_inside,
    ("pack", "code.zip"): lambda: zipped(("evil.py", b"import os"), ("a.mech/evil.py", b"x")),
    ("pack", "twice.zip"): lambda: zipped(("b.mech", MECH)),
    ("pack", "long names.zip"): lambda: zipped((f"pictures/{'n' * 60_000}.png", b"x")),
    ("pack", "nul name.zip"): lambda: zipped().replace(b"a.mech", b"a\x00mech"),
    ("other", "laughs.xml"): f'<!DOCTYPE m [<!ENTITY l0 "lol">{LAUGHS}]><mujoco>&l9;</mujoco>',
    ("other", "deep.urdf"): "<robot>" + "<link>" * 500_000,
    ("other", "deep.xml"): "<mujoco>" + "<body>" * 500_000,
    ("other", "nul.urdf"): URDF.replace("revolute", "rev\0olute"),
    ("part", "empty.stl"): b"",
    ("part", "short.stl"): bytes(83),
    ("part", "four billion triangles.stl"): bytes(80) + b"\xff\xff\xff\xff" + bytes(500),
    ("part", "nan.stl"): lambda: stl()[:96] + struct.pack("<f", math.nan) + stl()[100:],
    ("part", "inf.stl"): lambda: stl()[:96] + struct.pack("<f", math.inf) + stl()[100:],
    ("part", "huge.stl"): lambda: stl()[:96] + struct.pack("<f", 3e38) + stl()[100:],
    ("part", "words.stl"): b"solid a\nfacet\nvertex a b c\nendfacet\nendsolid",
    ("part", "long words.stl"): b"solid a\nvertex " + b"1" * 3_000_000 + b" 0 0\nendfacet endsolid",
    ("part", "many spaces.stl"): b"solid" + b" " * 3_000_000 + b"facet",
    ("part", "beyond.obj"): OBJ.replace(b"f 1 3 2", b"f 1 3 999999999999"),
    ("part", "before.obj"): OBJ.replace(b"f 1 3 2", b"f -9 3 2"),
    ("part", "zero.obj"): OBJ.replace(b"f 1 3 2", b"f 0 3 2"),
    ("part", "long face.obj"): OBJ + b"f " + b"1 2 3 " * 300_000 + b"\n",
    ("part", "long number.obj"): OBJ.replace(b"v 1 0 0", b"v " + b"1" * 1_000_000 + b" 0 0"),
    ("part", "nan.obj"): OBJ.replace(b"v 1 0 0", b"v nan 0 0"),
    ("part", "continued.obj"): b"v \\\n" * 200_000,
    ("part", "a billion.ply"): ply(b"vertex 4", b"vertex 1000000000"),
    ("part", "twenty million.ply"): ply(b"vertex 4", b"vertex 20000000"),
    (
        "part",
        "nothing in rows.ply",
    ): b"ply\nformat ascii 1.0\nelement vertex 19999999\nelement face "
    b"19999999\nproperty list uchar int vertex_indices\nend_header\n",
    ("part", "binary nothing.ply"): b"ply\nformat binary_little_endian 1.0\nelement x 19999999\n"
    b"end_header\n",
    ("part", "negative.ply"): ply(b"vertex 4", b"vertex -4"),
    ("part", "huge list.ply"): ply(b"3 0 2 1", b"2000000000 0 2 1"),
    ("part", "negative list.ply"): ply(b"3 0 2 1", b"-3 0 2 1"),
    ("part", "list of floats.ply"): ply(b"uchar int", b"float double"),
    ("part", "huge binary list.ply"): b"ply\nformat binary_little_endian 1.0\nelement face 1\n"
    b"property list uint uint vertex_indices\nend_header\n\xff\xff\xff\x7f",
    ("part", "unknown type.ply"): ply(b"float x", b"quaternion x"),
    ("part", "no x.ply"): ply(b"float x", b"float q"),
    ("part", "nan.ply"): ply(b"1 0 0", b"nan 0 0"),
    ("part", "vertex beyond.ply"): ply(b"3 0 2 1", b"3 0 2 9"),
    ("part", "stride of nothing.glb"): lambda: gltf(
        lambda h: (
            h["bufferViews"][0].update(byteStride=0),
            h["accessors"][0].update(count=900_000_000),
        )
    ),
    ("part", "stride back.glb"): lambda: gltf(
        lambda h: (
            h["bufferViews"][0].update(byteStride=-12),
            h["accessors"][0].update(count=900_000_000),
        )
    ),
    ("part", "count below zero.glb"): lambda: changed("accessors", 0, "count", to=-1),
    ("part", "count of words.glb"): lambda: changed("accessors", 0, "count", to="many"),
    ("part", "count of fractions.glb"): lambda: changed("accessors", 0, "count", to=4.5),
    ("part", "count infinite.glb"): lambda: changed("accessors", 0, "count", to=math.inf),
    ("part", "offset before.glb"): lambda: changed("bufferViews", 0, "byteOffset", to=-40),
    ("part", "buffer beyond.glb"): lambda: changed("bufferViews", 0, "buffer", to=7),
    ("part", "mesh beyond.glb"): lambda: changed("nodes", 0, "mesh", to=7),
    ("part", "node in itself.glb"): lambda: changed("nodes", 0, "children", to=[0]),
    ("part", "nodes twice each.glb"): lambda: changed(
        "nodes", to=[{"mesh": 0, "children": [k + 1, k + 1]} for k in range(60)] + [{"mesh": 0}]
    ),
    ("part", "a mesh many times.glb"): lambda: gltf(
        lambda h: (
            h["nodes"].extend({"mesh": 0} for _ in range(19_000)),
            h["scenes"][0].update(nodes=[*range(19_000)]),
            h["meshes"][0].update(primitives=h["meshes"][0]["primitives"] * 300),
        )
    ),
    ("part", "matrix of words.glb"): lambda: changed("nodes", 0, "matrix", to=["a"] * 16),
    ("part", "matrix of nan.glb"): lambda: changed("nodes", 0, "matrix", to=[math.nan] * 16),
    ("part", "scale of nothing.glb"): lambda: changed("nodes", 0, "scale", to=[0, 0, 0]),
    ("part", "file outside.gltf"): lambda: changed("buffers", 0, "uri", to="../../../etc/passwd"),
    ("part", "file of the web.gltf"): lambda: changed(
        "buffers", 0, "uri", to="http://example.org/a.bin"
    ),
    ("part", "no base64.gltf"): lambda: changed("buffers", 0, "uri", to="data:,base64,!!!"),
    ("part", "uri of numbers.gltf"): lambda: changed("buffers", 0, "uri", to=5),
    ("part", "deep.gltf"): b"[" * 400_000,
    ("part", "a list.gltf"): b"[1,2]",
    ("part", "latin-1.gltf"): '{"asset": "é"}'.encode("latin-1"),
    ("part", "chunk beyond.glb"): lambda: gltf()[:12] + b"\xff\xff\xff\xff" + gltf()[16:],
    ("part", "laughs.dae"): f'<!DOCTYPE m [<!ENTITY l0 "lol">{LAUGHS}]><COLLADA>&l9;</COLLADA>',
    ("part", "a mesh many times.dae"): lambda: DAE.replace(
        "0 2 1 0 1 3 0 3 2 1 2 3", "0 2 1 0 1 3 0 3 2 1 2 3 " * 20_000
    ).replace("<instance_geometry url='#g'/>", "<instance_geometry url='#g'/>" * 5000),
    ("part", "deep.dae"): "<COLLADA>" + "<node>" * 300_000,
    ("part", "count.dae"): DAE.replace("count='4' stride='3'", "count='99999999' stride='3'"),
    ("part", "stride.dae"): DAE.replace("stride='3'", "stride='0'"),
    ("part", "index.dae"): DAE.replace("0 2 1 0", "0 2 99999999 0"),
    ("part", "offset.dae"): DAE.replace("offset='0'", "offset='99999999'"),
    (
        "part",
        "entity file.dae",
    ): '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><COLLADA>&x;</COLLADA>',
    ("part", "laughs.svg"): f'<!DOCTYPE m [<!ENTITY l0 "lol">{LAUGHS}]>'
    + SVG.format("<text>&l9;</text>"),
    ("part", "entity file.svg"): '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    + SVG.format("<text>&x;</text>"),
    ("part", "deep.svg"): SVG.format("<g>" * 50_000 + SQUARE + "</g>" * 50_000),
    ("part", "uses.svg"): SVG.format(f'<g id="g0">{SQUARE}</g>{USES}<use href="#g8"/>'),
    ("part", "use of itself.svg"): SVG.format(f'<g id="a">{SQUARE}<use href="#a"/></g>'),
    ("part", "two uses in a circle.svg"): SVG.format(
        '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>' + SQUARE
    ),
    ("part", "words.svg"): SVG.format('<path d="M a b L nothing"/>'),
    ("part", "nan.svg"): SVG.format('<path d="M nan nan L 1e999 0 L 3 3 Z"/>'),
    ("part", "long path.svg"): SVG.format('<path d="M0 0 ' + "L1 1 L0 1 " * 60_000 + 'Z"/>'),
    ("part", "huge arc.svg"): SVG.format('<circle r="1e300"/>'),
    ("part", "small arc in a large one.svg"): SVG.format('<circle r="1e-9"/><circle r="1e9"/>'),
    ("part", "turned by nothing.svg"): SVG.format(f'<g transform="scale(0)">{SQUARE}</g>'),
    ("part", "transform of words.svg"): SVG.format(f'<g transform="rotate(x)">{SQUARE}</g>'),
    ("part", "picture of a file.svg"): SVG.format(
        '<image href="file:///etc/passwd" width="1" height="1"/>' + SQUARE
    ),
    ("part", "no svg.svg"): "<html/>",
    ("part", "blocks of blocks.dxf"): DXF_BOMB,
    ("part", "block in itself.dxf"): DXF_BOMB.replace("B0\n10\n0", "B1\n10\n0", 1),
    ("part", "nan.dxf"): DXF.replace("1.0", "nan"),
    ("part", "inf.dxf"): DXF.replace("1.0", "1e999"),
    ("part", "words.dxf"): DXF.replace("1.0", "one"),
    ("part", "odd codes.dxf"): DXF.replace("\n8\n", "\n-99999\n"),
    ("part", "count.dxf"): DXF.replace("90\n4", "90\n999999999"),
    ("part", "array.dxf"): DXF_BOMB.replace(
        "0\nINSERT\n8\n0\n2\nB8\n", "0\nINSERT\n8\n0\n2\nB0\n70\n30000\n71\n30000\n44\n1\n45\n1\n"
    ),
    ("part", "binary.dxf"): b"AutoCAD Binary DXF\r\n\x1a\x00" + bytes(range(256)) * 20,
    ("part", "no ending.xyz"): bytes(1000),
    ("csv", "empty.csv"): b"",
    ("csv", "one line.csv"): b"a,b\n",
    ("csv", "nuls.csv"): bytes(100_000),
    ("csv", "a column.csv"): b"a\n" * 1000,
    ("csv", "hundred thousand columns.csv"): (b",".join([b"a"] * 100_000) + b"\n") * 12,
    ("csv", "long cell.csv"): b"time [s],a\n" + b"1" * 300_000 + b",2\n" + b"1,2\n" * 20,
    ("csv", "open quote.csv"): b'time [s],"a\n' + b"1,2\n" * 50_000,
    ("csv", "words.csv"): b"time [s],a\n" + b"one,two\n" * 20,
    ("csv", "infinite.csv"): b"time [s],a\n" + b"inf,1e999\n" * 20,
    ("csv", "unit of a bomb.csv"): b"time [s^9^9^9^9],a\n" + b"1,2\n" * 20,
    ("clipboard", "deep.txt"): b'{"mechstudio": ' + b"[" * 300_000,
    ("clipboard", "quotes.txt"): b'> {"mechstudio": 1}' * 20_000,
    ("clipboard", "empty.txt"): b"",
    ("clipboard", "words.txt"): b"mechstudio {" + b"x" * 100_000 + b"}",
    ("run", "0001.json"): b"{" * 200_000,
    ("run", "0002.json"): b"[" * 200_000 + b"]" * 200_000,
    ("run", "0003.json"): b'{"number": 3, "drawing": "' + b"[" * 200_000 + b'"}',
    (
        "run",
        "0004.npy",
    ): b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    + b" " * 60,
    ("run", "0005.npy"): b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': "
    b"(999999999999, 9), }" + b" " * 40 + b"\n",
    ("run", "0006.npy"): b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65_535,
    ("run", "0007.npy"): b"",
    ("run", "0008.npy"): b"cposix\nsystem\n(S'touch evil'\ntR.",
    ("preferences", "deep.json"): b'{"units": ' + b"[" * 300_000,
    ("preferences", "list.json"): b"[]",
    ("preferences", "types.json"): b'{"units": 5, "found": 7, "start_page": "x", "recent": {}}',
    ("preferences", "unknown.json"): b'{"units": "ells", "' + b"x" * 100_000 + b'": 1}',
    ("preferences", "bytes.json"): bytes(range(256)) * 50,
    ("preferences", "empty.json"): b"",
}
COUNT = len(HOSTILE) + 2 * CUTS * len(GOOD)


def too_late(*signal):
    raise AssertionError("it was still at work after a minute")


@contextmanager
def bounded():
    """No more than LIMIT of memory beside what the process has, and SECONDS of CPU time, which
    other work on the machine does not lengthen; what waits ends after a minute.
    """
    begun = time.process_time()
    if sys.platform != "linux":
        yield
    else:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        before = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + LIMIT
        resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
        signal.signal(signal.SIGALRM, too_late)
        signal.alarm(60)
        try:
            yield
        finally:
            signal.alarm(0)
            resource.setrlimit(resource.RLIMIT_AS, before)
    assert time.process_time() - begun < SECONDS


def content_of(content):
    made = content() if callable(content) else content
    return made if isinstance(made, bytes) else made.encode()


def meet(kind, path):
    """Read a file; the sentence with which it is refused, "" for one that is read."""
    reader, refusal = READERS[kind]
    try:
        with bounded():
            reader(path)
    except refusal as error:
        said = str(error)
        assert 15 < len(said) < 600 and "\n" not in said and said.endswith((".", ".)")), said
        assert "Traceback" not in said
        return said
    return ""


def put(folder, name, content):
    inner = folder / "inner"
    inner.mkdir()
    path = inner / name
    path.write_bytes(content_of(content))
    return path


def test_hostile_inputs_number_more_than_two_thousand():
    print(f"{len(HOSTILE)} hostile files, {2 * CUTS * len(GOOD)} cut off or with wrong bytes")
    # those of STEP stand in test_step
    assert len(HOSTILE) >= 140 and COUNT >= 2000
    assert {kind for kind, _ in HOSTILE} == set(READERS)


@pytest.fixture(autouse=True)
def warm():
    """Libraries that readers load first are loaded, and their seconds are not theirs."""
    pytest.importorskip("ezdxf")
    pytest.importorskip("svgelements")
    import ezdxf.bbox
    import ezdxf.recover  # noqa: F401


@pytest.mark.parametrize(("kind", "name"), HOSTILE, ids=[f"{k}-{n}" for k, n in HOSTILE])
def test_hostile_files_are_refused_in_a_sentence_in_time(kind, name, tmp_path):
    meet(kind, put(tmp_path, name, HOSTILE[kind, name]))
    assert not Path("/tmp/evil-of-a-pack").exists()


@pytest.mark.parametrize(("kind", "name"), GOOD, ids=[f"{k}-{n}" for k, n in GOOD])
def test_files_that_were_cut_off_anywhere(kind, name, tmp_path):
    """Cut at every k-th byte, with the good file read first."""
    content = content_of(GOOD[kind, name])
    path = put(tmp_path, name, content)
    assert meet(kind, path) == ""
    for cut in np.linspace(0, len(content) - 1, CUTS).astype(int):
        path.write_bytes(content[:cut])
        meet(kind, path)


@pytest.mark.parametrize(("kind", "name"), GOOD, ids=[f"{k}-{n}" for k, n in GOOD])
def test_files_with_wrong_bytes(kind, name, tmp_path):
    content = content_of(GOOD[kind, name])
    path, random = put(tmp_path, name, content), np.random.default_rng(1)
    for _ in range(CUTS):
        bad = bytearray(content)
        for at in random.integers(0, len(bad), 4):
            bad[at] = random.integers(0, 256)
        path.write_bytes(bytes(bad))
        meet(kind, path)
