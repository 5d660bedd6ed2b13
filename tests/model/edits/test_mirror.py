"""Mirrored parts: twice is once more the same, texts stay readable, shapes and points are truly
mirrored.
"""

import struct
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from mechstudio.files.project_file import decode, encode, load
from mechstudio.model.contact import Surface
from mechstudio.model.edits.bodies.shapes import new_shape
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.edits.patterns.mirror import (
    MirrorPlane,
    _load,
    _place_terms,
    mirror_image,
    mirrored,
)
from mechstudio.model.edits.patterns.mirror_rules import _opposite
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import matrix, transform
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body, Force, Frame, Law, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values, vector
from tests.edits import OPTIONS
from tests.strategies import projects

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
GLASSES = (
    MirrorPlane((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    MirrorPlane((0.1, 0.2, 0.3), (0.0, 0.0, 1.0)),
    MirrorPlane((0.1, -0.2, 0.05), (2 / 3, 1 / 3, -2 / 3)),
)


def everything(project):
    return [id for s in SECTIONS for id in getattr(project.mechanism, s)]


def numbers(value):
    """All numbers in a value, in order."""
    if isinstance(value, Quantity):
        return [value.value]
    if isinstance(value, dict):
        return [n for v in value.values() for n in numbers(v)]
    if isinstance(value, tuple):
        return [n for v in value for n in numbers(v)]
    if hasattr(value, "__struct_fields__"):
        return [
            n
            for f in value.__struct_fields__
            if f not in ("extra", "placement", "mesh")
            for n in numbers(getattr(value, f))
        ]
    return []


def same(a: Project, b: Project):
    """Equal but for rounding, and for angles that name the same attitude."""
    for section in SECTIONS:
        for (i, x), (j, y) in zip(
            getattr(a.mechanism, section).items(),
            getattr(b.mechanism, section).items(),
            strict=True,
        ):
            assert i == j and x.name == y.name
            assert numbers(x) == pytest.approx(numbers(y), rel=1e-9, abs=1e-9), i
            frames = (
                [(x, y)]
                if section == "bodies"
                else [
                    (getattr(x, s), getattr(y, s))
                    for s in ("frame_a", "frame_b")
                    if getattr(x, s, None) is not None
                ]
            )
            shapes = list(zip(x.shapes, y.shapes, strict=True)) if section == "bodies" else []
            for f, g in frames + shapes:
                assert values(f.placement.position) == pytest.approx(
                    values(g.placement.position), rel=1e-9, abs=1e-9
                )
                assert np.array(matrix(f.placement.quaternion)) == pytest.approx(
                    np.array(matrix(g.placement.quaternion)), abs=1e-9
                )
            for s, t in shapes:
                assert s.mesh is None or (
                    s.mesh.triangles == t.mesh.triangles
                    and np.allclose(meshes.arrays(s.mesh)[0], meshes.arrays(t.mesh)[0])
                )


@pytest.mark.parametrize("mirror_plane", GLASSES, ids=("side", "level", "askew"))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_twice_is_once_more_the_same(path, mirror_plane):
    project = load(path).project
    once = mirrored(project, everything(project), mirror_plane)
    assert once != project and decode(encode(once)).findings == ()
    same(mirrored(once, everything(project), mirror_plane), project)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects())
def test_any_project(project):
    ids = everything(project)
    for mirror_plane in GLASSES[:2]:
        try:
            once = mirrored(project, ids, mirror_plane)
        except ExpressionError as error:
            assert str(error).endswith(".") and "\n" not in str(error)
            continue
        try:
            twice = mirrored(once, ids, mirror_plane)
        except ExpressionError:
            continue
        for id, body in project.mechanism.bodies.items():
            assert np.allclose(
                twice.mechanism.bodies[id].placement.pose[0],
                body.placement.pose[0],
                rtol=1e-9,
                atol=1e-6,
            )


@pytest.mark.parametrize(
    "type",
    OPTIONS["solid"][1],
)
@pytest.mark.parametrize("mirror_plane", GLASSES, ids=("side", "level", "askew"))
def test_points_and_mass_are_the_mirrored_ones(type, mirror_plane):
    tilted = Placement(vector(0.1, 0.02, -0.05), vector(0.4, -0.7, 1.1))
    shape = new_shape(type, 0.2)
    body = Body(
        "b",
        "b",
        (
            msgspec.structs.replace(
                shape, placement=Placement(vector(0.01, 0.02, 0.03), vector(0.3, 0.2, -0.1))
            ),
        ),
        tilted,
        mass=None,
    )
    after = mirrored(Project(Mechanism({"b": body})), ["b"], mirror_plane).mechanism.bodies["b"]
    seen = lambda b: np.array(
        [
            transform(b.placement.pose, transform(s.placement.pose, p))
            for s in b.shapes
            for p in s.form.hull()
        ]
    )
    requested = np.array([mirror_plane.place(tuple(p)) for p in seen(body)])
    found = seen(after)
    # the same solid: as far out in every direction
    random = np.random.default_rng(5).normal(size=(60, 3))
    random /= np.linalg.norm(random, axis=1)[:, None]
    round_ = 0.04 if type in ("sphere", "capsule") else 0.012
    assert np.abs((found @ random.T).max(0) - (requested @ random.T).max(0)).max() < round_ * 0.2
    a, b = mass_properties(body), mass_properties(after)
    assert b.mass == pytest.approx(a.mass)
    assert mirror_plane.place(transform(body.placement.pose, a.center)) == pytest.approx(
        transform(after.placement.pose, b.center), abs=1e-12
    )
    in_world = lambda x, i: (
        np.array(matrix(x.placement.quaternion))
        @ np.array(i.inertia)
        @ np.array(matrix(x.placement.quaternion)).T
    )
    S = np.eye(3) - 2 * np.outer(mirror_plane.normal, mirror_plane.normal)
    assert in_world(after, b) == pytest.approx(S @ in_world(body, a) @ S, abs=1e-12)


def test_a_link_of_the_plane_stays_one_and_its_texts_stay():
    project = load(next(p for p in SAMPLES if p.stem == "four_bar")).project
    after = mirrored(project, everything(project), GLASSES[0]).mechanism
    for id, body in project.mechanism.bodies.items():
        new = after.bodies[id]
        assert new.shapes[0].dimensions == body.shapes[0].dimensions
        y = lambda b: np.array(matrix(b.placement.quaternion))[:, 1]
        assert y(new) == pytest.approx(y(body)), "its layers lie where they lay"
    for joint in after.joints.values():
        (p, _q), (r, _s) = after.frame_in_world(joint.frame_a), after.frame_in_world(joint.frame_b)
        assert p == pytest.approx(r, abs=1e-12)
    assert {(j.frame_a.point, j.frame_b.point) for j in after.joints.values()} == {
        (j.frame_a.point, j.frame_b.point) for j in project.mechanism.joints.values()
    }


def test_the_image_stands_beside_and_the_left_is_the_right():
    box = Body("b", "box 1", (new_shape("box", 0.2),), Placement(vector(0.3, 0.0, 0.1)))
    spring = Force(
        "s",
        "spring 1",
        "spring",
        {"stiffness": Quantity(1.0), "free_length": Quantity(0.1)},
        frame_a=Frame("ground"),
        frame_b=Frame("b", "right"),
    )
    project, new = mirror_image(
        Project(Mechanism({"b": box}, forces={"s": spring})), ["b"], GLASSES[0]
    )
    m = project.mechanism
    assert (
        m.bodies["b"] is box
        and m.bodies[new["b"]].placement.pose[0] == (-0.3, 0.0, 0.1)
        and m.bodies[new["b"]].placement.orientation == box.placement.orientation
    )
    assert m.forces[new["s"]].frame_b.point == "left"
    assert m.frame_in_world(m.forces[new["s"]].frame_b)[0] == pytest.approx((-0.4, 0.0, 0.1))


def test_a_mesh_is_turned_inside_out_and_stays_closed():
    mesh = Mesh(
        struct.pack("<12d", 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3),
        struct.pack("<12i", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
    )
    for axis in range(3):
        rotated = meshes.mirrored(mesh, axis)
        assert meshes.check(rotated) == "" and meshes.solid(rotated).volume == pytest.approx(
            meshes.solid(mesh).volume
        )
        assert meshes.mirrored(rotated, axis) == mesh


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("300 mm", "-300 mm"),
        ("L1", "-L1"),
        ("L1 + 2 mm", "-(L1 + 2 mm)"),
        ("-5 deg", "5 deg"),
        ("-L1*2", "-(-L1*2)"),
        ("2*L1", "-(2*L1)"),
        ("-L1 + 3 mm", "-(-L1 + 3 mm)"),
    ],
)
def test_opposite_texts(text, other):
    assert _opposite(text) == other and _opposite(other) == text


@pytest.mark.parametrize("mirror_plane", GLASSES)
def test_the_belt_of_a_mirrored_body_carries_the_mirrored_way(mirror_plane):
    """c y x n at a normal n of the body has its mirror image at that of n."""
    turned = Placement(vector(0.1, 0.2, 0.3), vector(0.4, -0.3, 1.1))
    body = Body("b", "b", placement=turned, surface=Surface(belt_speed=Quantity(0.7)))
    project = Project(mechanism=Mechanism(bodies={"b": body}))
    image = mirrored(project, ["b"], mirror_plane).mechanism.bodies["b"]

    def carried(of, normal):
        y = np.array(matrix(of.placement.quaternion))[:, 1]
        return of.surface.belt_speed.value * np.cross(y, normal)

    for normal in np.eye(3):
        there = mirror_plane.way(tuple(normal))
        expected = mirror_plane.way(tuple(carried(body, normal)))
        assert carried(image, there) == pytest.approx(expected, abs=1e-12)


def test_places_in_laws_of_loads_are_those_of_the_original():
    """x' = 0.2 m - x behind a mirror across x at 0.1 m; behind one along (3, 4, 0)/5 through a
    point at 1 m of it x' = 0.28 x - 0.96 y + 1.2 m.
    """
    across = MirrorPlane((0.1, 5.0, 6.0), (1.0, 0.0, 0.0))
    assert _place_terms(across) == {"x": "(-x + 0.2 m)", "vx": "(-vx)"}
    terms = _place_terms(MirrorPlane((0.6, 0.8, 9.0), (0.6, 0.8, 0.0)))
    assert set(terms) == {"x", "y", "vx", "vy"}
    known = {"x": 2.0, "y": -3.0, "vx": 2.0, "vy": -3.0, "m": 1.0}
    found = {name: eval(text.replace(" m)", ")"), {}, known) for name, text in terms.items()}
    assert found == pytest.approx(
        {
            "x": 0.28 * 2 + 0.96 * 3 + 1.2,
            "y": -0.96 * 2 + 0.28 * 3 + 1.6,
            "vx": 0.28 * 2 + 0.96 * 3,
            "vy": -0.96 * 2 + 0.28 * 3,
        }
    )


@pytest.mark.parametrize(
    ("type", "texts", "law"),
    [
        ("force", ("-2 N", "3 N", "0 N"), "4 N/m*(-x + 0.2 m)"),
        ("torque", ("2 N·m", "-3 N·m", "0 N·m"), "-(4 N*(-x + 0.2 m))"),
    ],
)
def test_a_load_across_an_axis_keeps_its_texts(type, texts, law):
    """Of a force the component across the mirror turns round, of a torque those along it."""
    unit = texts[2].removeprefix("0 ")
    load = Force(
        "f",
        "f",
        type,
        frame_b=Frame("b"),
        parameters={k: Quantity(n, f"{n:g} {unit}") for k, n in zip("xyz", (2.0, 3.0, 0.0))},
        laws={"y": Law("expression", text=f"{'4 N' if type == 'torque' else '4 N/m'}*x")},
    )
    plane = MirrorPlane((0.1, 0.0, 0.0), (1.0, 0.0, 0.0))
    found = _load(load, plane, {})
    assert tuple(found.parameters[k].text for k in "xyz") == texts
    assert found.laws["y"].text == law
    askew = MirrorPlane((0.0, 0.0, 0.0), (0.6, 0.8, 0.0))
    with pytest.raises(ExpressionError, match="stands askew"):
        _load(load, askew, {})
    turned = _load(msgspec.structs.replace(load, laws={}), askew, {})
    sign = -1.0 if type == "torque" else 1.0
    way = [sign * c for c in askew.way((2.0, 3.0, 0.0))]
    assert [turned.parameters[k].value for k in "xyz"] == pytest.approx(way)
