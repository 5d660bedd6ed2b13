"""Surfaces of samples as glTF, OBJ, PLY and STL, read back by trimesh and by ourselves."""

import io
import json
import struct

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.exchange.gltf_scene import gltf_bytes
from mechstudio.files.exchange.mesh_writing import SUFFIXES, body_mesh
from mechstudio.files.exchange.motion import Motion
from mechstudio.files.exchange.surfaces import shape_surface, surface
from mechstudio.files.meshes import read_mesh
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import Ball, Bar, Block, Capsule, Cylinder, Ellipsoid, Frustum
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mass_properties import from_shapes
from mechstudio.model.mechanism import Body
from tests.files.exchange.test_mjcf_motion import SAMPLES

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: pip install trimesh")
NAMES = ["four_bar", "heavy_top", "gear_train", "rattleback", "differential"]


def loaded(name):
    return ms.load(SAMPLES / f"{name}.mech")


@pytest.mark.parametrize(
    ("form", "near"),
    [
        (Block(1.0, 2.0, 3.0), 1e-12),
        (Cylinder(0.5, 2.0), 4e-3),
        (Ball(0.5), 8e-3),
        (Ellipsoid(1.0, 2.0, 0.5), 8e-3),
        (Capsule(0.5, 1.0), 8e-3),
        (Frustum(0.5, 0.2, 1.0), 4e-3),
        (Frustum(0.5, 0.0, 1.0), 4e-3),
        (Frustum(0.0, 0.5, 1.0), 4e-3),
        (Bar(((0.0, 0.0), (1.0, 0.0)), 0.1, 0.05), 4e-3),
    ],
)
def test_surfaces_are_closed_and_as_large_as_their_forms(form, near):
    points, triangles = surface(form)
    assert meshes.fault(points, triangles) == ""
    solid = meshes.enclosed(points, triangles)
    volume, center, _ = form.enclosed()
    # corners lie on the true surface, so that nothing is larger
    assert volume * (1 - near) <= solid.volume <= volume * (1 + 1e-9)
    assert solid.center == pytest.approx(center, abs=2e-3)


@pytest.mark.parametrize("name", NAMES)
def test_gltf_of_a_run_moves_as_the_run(name):
    project = loaded(name)
    run = ms.simulate(project, 0.5, 0.05)
    data = gltf_bytes(project, Motion(run.time, run.poses, run.velocities)).content
    scene = trimesh.load(io.BytesIO(data), file_type="glb")
    whole = scene.to_mesh() if hasattr(scene, "to_mesh") else scene.dump(concatenate=True)
    mine = np.concatenate([p @ np.array(R).T + at for p, R, at in drawn_points(project)])
    # y is up there
    low, high = mine.min(axis=0), mine.max(axis=0)
    assert whole.bounds[0] == pytest.approx([low[0], low[2], -high[1]], abs=1e-5)
    assert whole.bounds[1] == pytest.approx([high[0], high[2], -low[1]], abs=1e-5)
    head, binary = chunks(data)
    animation = head["animations"][0]
    names = [head["nodes"][c["target"]["node"]]["name"] for c in animation["channels"]]
    for k, body in enumerate(project.mechanism.bodies.values()):
        row = {
            c["target"]["path"]: rows(head, binary, animation["samplers"][c["sampler"]]["output"])
            for c, n in zip(animation["channels"], names)
            if n == body.name
        }
        assert row["translation"] == pytest.approx(run.poses[:, k, :3], abs=1e-6)
        q = row["rotation"][:, [3, 0, 1, 2]]
        assert np.abs((q * run.poses[:, k, 3:]).sum(axis=1)) == pytest.approx(1.0, abs=1e-6)
        assert ((q[1:] * q[:-1]).sum(axis=1) > 0).all()
    times = rows(head, binary, animation["samplers"][0]["input"])
    assert times.ravel() == pytest.approx(run.time, abs=1e-6)


def drawn_points(project):
    for body in (project.mechanism.ground, *project.mechanism.bodies.values()):
        p, q = body.placement.pose
        for shape in body.shapes:
            yield shape_surface(shape)[0], matrix(q), np.array(p)


def chunks(data):
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def rows(head, binary, k):
    accessor = head["accessors"][k]
    view = head["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    return np.frombuffer(binary, "<f4", accessor["count"] * width, view["byteOffset"]).reshape(
        -1, width
    )


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".stl", ".glb"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.thinned(4)
def test_trimesh_reads_what_is_written(name, suffix, tmp_path):
    path = tmp_path / f"{name}{suffix}"
    ms.convert(SAMPLES / f"{name}.mech", path)
    found = trimesh.load(path)
    whole = found if isinstance(found, trimesh.Trimesh) else found.to_mesh()
    mine = np.concatenate([p @ np.array(R).T + at for p, R, at in drawn_points(loaded(name))])
    size = (mine.max(axis=0) - mine.min(axis=0)) * (1.0 if suffix == ".glb" else 1000.0)
    if suffix == ".glb":
        size = size[[0, 2, 1]]
    assert whole.extents == pytest.approx(size, rel=1e-4)
    assert whole.volume > 0.0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_body_comes_back_by_our_own_reader(suffix):
    body = loaded("four_bar").mechanism.bodies["crank"]
    mesh = read_mesh(body_mesh(body, suffix), f"crank{suffix}", "mm").mesh
    known = from_shapes(body)
    assert meshes.solid(mesh).volume * 7850 == pytest.approx(known.mass, rel=3e-3)
    assert meshes.solid(mesh).center == pytest.approx(known.center, abs=1e-4)
    with pytest.raises(ms.ExchangeError, match="no shape"):
        body_mesh(Body("a", "a"), suffix)
    with pytest.raises(ms.ExchangeError, match="stl"):
        body_mesh(body, ".doc")


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mech")), ids=lambda p: p.stem)
def test_every_sample_has_surfaces(path):
    made = gltf_bytes(ms.load(path))
    head, binary = chunks(made.content)
    assert head["meshes"] and "animations" not in head
    assert any("no run" in note for note in made.notes)
    assert head["buffers"][0]["byteLength"] <= len(binary)


@pytest.mark.parametrize(("speed", "sentence"), [(300.0, False), (330.0, True)])
def test_a_turn_that_is_too_fast_for_its_samples_is_reported(speed, sentence):
    m = ms.Builder("Rotor")
    arm = m.link("arm", (0, 0, 0), length="100 mm", angle=0)
    m.drive("drive", m.pin("A", m.ground, arm, at=arm.start), speed=speed)
    run = ms.simulate(m.project(), duration=0.1, sample_step=0.01)
    notes = gltf_bytes(m.project(), Motion(run.time, run.poses, run.velocities)).notes
    assert any("half a turn" in note for note in notes) == sentence
