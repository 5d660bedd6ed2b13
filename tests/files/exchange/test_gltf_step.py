"""glTF and STEP files against the volumes of their bodies."""

import base64
import json
import math
import struct

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.files.gltf import Unreadable, read_gltf
from mechstudio.files.meshes import MeshFileError, load_mesh, read_mesh
from mechstudio.files.parts import load_part
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.mass_properties import mass_properties
from tests import scenes


def gltf(points, triangles, inside=False, **node):
    """Bytes of a glTF file with one mesh in a node below another one."""
    p, t = np.asarray(points, "<f4").tobytes(), np.asarray(triangles, "<u2").tobytes()
    binary = p + t
    head = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], **node}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(p)},
            {"buffer": 0, "byteOffset": len(p), "byteLength": len(t)},
        ],
        "buffers": [{"byteLength": len(binary)}],
    }
    if inside:
        head["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(binary).decode()
        return json.dumps(head).encode()
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


BOX = scenes.box_mesh(0.3, 0.1, 0.2)


@pytest.mark.parametrize(("name", "inside"), [("a.glb", False), ("a.gltf", True)])
def test_a_gltf_stands_upright_in_metres(tmp_path, name, inside):
    path = tmp_path / name
    path.write_bytes(gltf(*BOX, inside, scale=[2, 1, 1], translation=[1, 0, 0]))
    part = load_part(path)
    assert part.unit == "m"
    solid = meshes.solid(part.made("m", 0.0).mesh)
    assert solid.volume == pytest.approx(2 * 0.3 * 0.1 * 0.2, rel=1e-6)
    # y of the file is up, so that its depth comes towards the front
    assert np.subtract(solid.high, solid.low) == pytest.approx((0.6, 0.2, 0.1), rel=1e-6)
    assert solid.center == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)


def test_rotations_of_any_length_and_numbers_of_16_bits_are_read():
    file = read_mesh(gltf(*BOX, rotation=[1, 1, 1, 1]), "a.glb", "m")
    assert meshes.solid(file.mesh).volume == pytest.approx(0.006, rel=1e-6)
    points, triangles = BOX
    low, span = points.min(axis=0), np.ptp(points, axis=0)
    head = json.loads(gltf(points, triangles, inside=True))
    whole = np.round((points - low) / span * 65535).astype("<u2")
    whole = np.pad(whole, ((0, 0), (0, 1)))
    binary = whole.tobytes() + np.asarray(triangles, "<u2").tobytes()
    head["extensionsRequired"] = ["KHR_mesh_quantization"]
    head["nodes"][1] |= {"scale": span.tolist(), "translation": low.tolist()}
    head["accessors"][0] |= {"componentType": 5123, "normalized": True}
    head["bufferViews"][0] |= {"byteLength": 64, "byteStride": 8}
    head["bufferViews"][1]["byteOffset"] = 64
    head["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(binary).decode()
    found = read_mesh(json.dumps(head).encode(), "a.gltf", "m")
    assert meshes.solid(found.mesh).volume == pytest.approx(0.006, rel=1e-4)


def test_a_mirrored_node_still_faces_outward():
    for node in ({"scale": [-1, 1, 1]}, {"matrix": np.diag([1, -1, 1, 1]).ravel().tolist()}):
        file = read_mesh(gltf(*BOX, **node), "a.glb", "m")
        assert meshes.solid(file.mesh).volume == pytest.approx(0.006, rel=1e-6)
        assert file.notes == (), "nothing had to be turned over"
    half = math.sqrt(0.5)
    turned = read_mesh(gltf(*BOX, rotation=[0, 0, half, half]), "a.glb", "m").mesh
    low, high = meshes.solid(turned).low, meshes.solid(turned).high
    # x of the file is its y after a quarter turn about z, which is up
    assert high[2] - low[2] == pytest.approx(0.3, rel=1e-6)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda head: head["buffers"][0].update(uri="part.bin"), "another file"),
        (lambda head: head["accessors"][0].update(sparse={}), "sparse"),
        (lambda head: head["accessors"][1].update(count=9999), "cut off"),
        (lambda head: head["nodes"][1].update(children=[0]), "lie in each other"),
        (lambda head: head["nodes"][0].update(children=[0, 0]), "lie in each other"),
        (lambda head: head["nodes"][1].pop("mesh"), "no triangles"),
        (lambda head: head.pop("accessors"), "no complete glTF"),
        (lambda head: head["scenes"][0].update(nodes=[-1]), "no complete glTF"),
        (lambda head: head.update(extensionsRequired=["XX_odd"]), "needs XX_odd"),
        (lambda head: head["meshes"][0]["primitives"][0].update(mode=5), "strips or fans"),
        (
            lambda head: head["meshes"][0]["primitives"][0].update(
                extensions={"KHR_draco_mesh_compression": {}}
            ),
            "compressed",
        ),
    ],
)
def test_unreadable_gltf_gives_the_reason(change, reason):
    head = json.loads(gltf(*BOX, inside=True))
    change(head)
    with pytest.raises(MeshFileError, match=reason):
        read_mesh(json.dumps(head).encode(), "part.gltf")


@pytest.mark.parametrize("cut", [3, 11, 19, 40, 200, -30])
def test_a_glb_that_was_cut_off_is_refused(cut):
    with pytest.raises(MeshFileError, match=r"part\.glb"):
        read_mesh(gltf(*BOX)[:cut], "part.glb")


def test_json_that_is_no_gltf_is_refused():
    for data in (b"[]", b"3", b"{}", b'{"nodes": 3}', b"\xff\xfe", b'{"scene": {}}'):
        with pytest.raises(MeshFileError, match="gltf"):
            read_mesh(data, "part.gltf")


def test_the_terminal_and_the_builder_know_the_unit_of_a_file(tmp_path, capsys):
    path = tmp_path / "cube.gltf"
    path.write_bytes(gltf(*scenes.box_mesh(1.0, 1.0, 1.0), inside=True))
    b = ms.Builder()
    body = b.body("cube").mesh(path)
    assert mass_properties(body.body).mass == pytest.approx(7850)
    assert main(["mesh", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mass"] == pytest.approx(7850)


def test_step_needs_its_extra_and_says_so(tmp_path, monkeypatch):
    (tmp_path / "OCP.py").write_text("raise ModuleNotFoundError('OCP')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(MeshFileError, match=r"mechstudio\[step\]"):
        read_mesh(b"ISO-10303-21;", "part.step")


def test_a_step_file_with_its_holes(tmp_path):
    pytest.importorskip("OCP")
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
    from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

    box = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), 100.0, 60.0, 8.0).Shape()
    axis = gp_Ax2(gp_Pnt(30, 30, -1), gp_Dir(0, 0, 1))
    part = BRepAlgoAPI_Cut(box, BRepPrimAPI_MakeCylinder(axis, 10.0, 10.0).Shape()).Shape()
    writer = STEPControl_Writer()
    writer.Transfer(part, STEPControl_AsIs)
    path = tmp_path / "plate.step"
    writer.Write(str(path))
    file = load_mesh(path)
    volume = (100 * 60 - math.pi * 100) * 8e-9
    assert meshes.solid(file.mesh).volume == pytest.approx(volume, rel=1e-3)
    (hole,) = file.axes
    assert hole.center == pytest.approx((0.03, 0.03, 0.004)) and hole.radius == pytest.approx(0.01)


def test_data_with_signs_that_are_no_base64_are_refused():
    whole = gltf(*BOX, True).decode()
    assert len(read_gltf(whole.encode())[0]) == 8
    with pytest.raises(Unreadable, match="complete"):
        read_gltf(whole.replace("base64,", "base64,!!!!").encode())
