"""STL and OBJ files as programs write them, mended where that is safe, refused with the reason and
the place where it is not.
"""

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.files.meshes import UNITS, MeshFileError, load_mesh, read_mesh, rescaled
from mechstudio.model.geometry import mesh as meshes
from tests import scenes
from tests.meshes import binary_stl, obj, text_stl

BOX = scenes.box_mesh(300, 100, 200)
BALL = scenes.ball_mesh(8, 50.0)
WRITERS = [(binary_stl, "part.stl"), (text_stl, "part.stl"), (obj, "part.obj")]
VOLUME = 0.3 * 0.1 * 0.2


def rotated(triangles, which):
    out = triangles.copy()
    out[which] = out[which][:, ::-1]
    return out


def refused(data, name="part.stl", unit="mm"):
    with pytest.raises(MeshFileError) as error:
        read_mesh(data, name, unit)
    sentence = str(error.value)
    assert sentence.startswith(f"{name} ") and sentence.endswith(".")
    return sentence


@pytest.mark.parametrize(("write", "name"), WRITERS)
@pytest.mark.parametrize(
    ("unit", "factor"), [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0), ("in", 0.0254)]
)
def test_every_format_and_unit(write, name, unit, factor):
    assert UNITS[unit] == factor
    mesh, notes, _ = read_mesh(write(*BOX), name, unit)
    s = meshes.solid(mesh)
    assert notes == () and mesh.source == name and meshes.check(mesh) == ""
    assert s.volume == pytest.approx(
        300 * 100 * 200 * factor**3, rel=1e-6 if write is binary_stl else 1e-14
    )
    assert len(mesh.vertices) == 8 * 24 and len(mesh.triangles) == 12 * 12  # corners are merged


@pytest.mark.parametrize(("write", "name"), WRITERS)
@pytest.mark.parametrize("other", ["part", "part.txt", "PART.STL"])
def test_the_content_determines_the_format(write, name, other):
    if not (write is obj and other.endswith("STL")):
        assert meshes.solid(read_mesh(write(*BOX), other).mesh).volume == pytest.approx(VOLUME)


def test_the_same_file_in_another_unit():
    one = read_mesh(binary_stl(*BOX), "part.stl", "mm")
    for unit in UNITS:
        np.testing.assert_allclose(
            meshes.arrays(rescaled(one, "mm", unit).mesh)[0],
            meshes.arrays(read_mesh(binary_stl(*BOX), "part.stl", unit).mesh)[0],
            rtol=1e-15,
        )
    with pytest.raises(MeshFileError, match="smaller than"):
        rescaled(read_mesh(binary_stl(BOX[0] * 1e-6, BOX[1]), "part.stl", "m"), "m", "mm")


# formats as they are met


def test_binary_files_that_begin_as_text_and_have_a_tail():
    assert meshes.solid(
        read_mesh(binary_stl(*BOX, head=b"solid exported by something"), "a.stl").mesh
    ).volume == pytest.approx(VOLUME)
    assert meshes.solid(
        read_mesh(binary_stl(*BOX) + b"colours", "a.stl").mesh
    ).volume == pytest.approx(VOLUME)


def test_text_with_other_spelling():
    text = (
        text_stl(*BOX)
        .replace(b"vertex", b"VERTEX")
        .replace(b"facet", b"Facet")
        .replace(b"\n", b"\r\n")
        .replace(b"300.0", b"3.0E+02")
        .replace(b"solid part", b"SOLID", 1)
    )
    assert meshes.solid(read_mesh(text, "a.stl").mesh).volume == pytest.approx(VOLUME)


def test_several_solids_in_one_text():
    """Two boxes side by side are two surfaces of one body."""
    both = text_stl(*BOX) + text_stl(BOX[0] + (1000, 0, 0), BOX[1])
    assert meshes.solid(read_mesh(both, "a.stl").mesh).volume == pytest.approx(2 * VOLUME)


def test_obj_with_polygons_negative_numbers_groups_and_normals():
    points, _ = BOX
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    data = obj(points, quads)
    odd = b"\xef\xbb\xbfmtllib a.mtl\n" + data.replace(
        b"f 1 2 4 3", b"usemtl red\ng side\nvn 0 0 1\nvt 0 0\nf 1/1/1 2/1/1 4//1 \\\n 3/1"
    ).replace(b"f 5 7 8 6", b"f -4 -2 -1 -3")
    for text in (data, odd, data.replace(b"\n", b"\r\n")):
        assert meshes.solid(read_mesh(text, "a.obj").mesh).volume == pytest.approx(
            VOLUME, rel=1e-14
        )


def test_a_fan_encloses_the_right_volume_also_where_a_face_is_not_convex():
    """An L as a prism of two hexagons and six rectangles, its faces begun at a corner from which
    the fan leaves the face: 3 unit cubes.
    """
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for z in (0.0, 1.0) for x, y in outline]
    top, bottom = [6 + (k + 1) % 6 for k in range(6)], [(7 - k) % 6 for k in range(6)]
    sides = [(k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6) for k in range(6)]
    assert meshes.solid(
        read_mesh(obj(points, [top, bottom, *sides]), "a.obj", "m").mesh
    ).volume == pytest.approx(3, rel=1e-14)


def test_vertices_that_stand_twice_and_slivers():
    """Every triangle with corners of its own, and triangles that are only a line between them."""
    points, triangles = BOX
    soup = points[triangles].reshape(-1, 3)
    slivers = np.array([(0, 0, 1), (3, 3, 3)])
    mesh, notes, _ = read_mesh(
        obj(soup, np.concatenate([np.arange(36).reshape(-1, 3), slivers])), "a.obj"
    )
    assert (
        len(mesh.vertices) == 8 * 24
        and meshes.solid(mesh).volume == pytest.approx(VOLUME)
        and notes == ()
    )


def test_zeros_of_either_sign_are_one_place():
    points = (BOX[0] + (150, 50, 100))[BOX[1]].reshape(-1, 3)
    points[::2] = np.where(points[::2] == 0, -0.0, points[::2])
    mesh, notes, _ = read_mesh(binary_stl(points, np.arange(36).reshape(-1, 3)), "a.stl")
    assert (
        np.signbit(points[points == 0]).any()
        and notes == ()
        and meshes.solid(mesh).volume == pytest.approx(VOLUME)
    )


# what is mended, and said


@pytest.mark.parametrize("which", [[0], [1, 5, 7], list(range(5))])
@pytest.mark.parametrize("surface", [BOX, BALL], ids=["box", "ball"])
def test_triangles_that_face_the_wrong_way_are_turned(surface, which):
    mesh, notes, _ = read_mesh(binary_stl(surface[0], rotated(surface[1], which)), "a.stl")
    assert meshes.solid(mesh).volume == pytest.approx(
        meshes.enclosed(surface[0] / 1e3, surface[1]).volume, rel=1e-6
    )
    assert notes == (
        f"{len(which)} triangles faced the other way than their neighbours and were turned."
        if len(which) > 1
        else "1 triangle faced the other way than its neighbours and was turned.",
    )


def test_an_inside_out_mesh_is_turned():
    mesh, notes, _ = read_mesh(binary_stl(BOX[0], BOX[1][:, ::-1]), "a.stl")
    assert meshes.solid(mesh).volume == pytest.approx(VOLUME) and notes == (
        "It was inside out and was turned.",
    )


def boxes(*placed):
    """One surface of several boxes: (scale, shift, inside out)."""
    points = np.concatenate([BOX[0] * scale + np.array(shift) for scale, shift, _ in placed])
    return points, np.concatenate(
        [(BOX[1][:, ::-1] if out else BOX[1]) + 8 * k for k, (_, _, out) in enumerate(placed)]
    )


@pytest.mark.parametrize(
    ("placed", "volume", "note"),
    [
        ([(1, (0, 0, 0), False), (0.5, (0, 0, 0), True)], 1 - 0.125, "counts as hollow"),
        (
            [(1, (0, 0, 0), True), (0.5, (0, 0, 0), False)],
            1 - 0.125,
            "inside out and was turned",
        ),  # all of it
        ([(1, (0, 0, 0), False), (1, (500, 0, 0), True)], 2, "1 of its 2 surfaces"),
        (
            [(1, (0, 0, 0), False), (0.5, (0, 0, 0), True), (0.25, (0, 0, 0), False)],
            1 - 0.125 + 0.015625,
            "counts as hollow",
        ),  # a core in the hollow
        (
            [(1, (0, 0, 0), False), (0.5, (0, 0, 0), True), (0.25, (0, 0, 0), True)],
            1 - 0.125 + 0.015625,
            "1 of its 3 surfaces",
        ),  # the core is inside out
        ([(1, (0, 0, 0), False), (0.5, (1000, 0, 0), True)], 1.125, "1 of its 2 surfaces"),
    ],
)
def test_several_surfaces(placed, volume, note):
    mesh, notes, _ = read_mesh(text_stl(*boxes(*placed)), "a.stl")
    assert meshes.solid(mesh).volume == pytest.approx(volume * VOLUME, rel=1e-12) and any(
        note in n for n in notes
    ), notes


def test_many_surfaces_inside_out_do_not_take_long():
    """A thousand boxes apart, every other inside out: measured in processor time, a hundredth of
    what comparing each with all would take.
    """
    import time

    placed = [(0.01, (10 * (k % 40), 10 * (k // 40), 0), k % 2 == 1) for k in range(1001)]
    start = time.process_time()
    mesh, notes, _ = read_mesh(binary_stl(*boxes(*placed)), "a.stl")
    assert time.process_time() - start < 3 and meshes.solid(mesh).volume == pytest.approx(
        1001e-6 * VOLUME, rel=1e-5
    )
    assert notes == ("500 of its 1001 surfaces stood inside out and were turned.",)
    assert "2001 separate surfaces" in refused(
        binary_stl(*boxes(*[(0.01, (10 * k, 0, 0), False) for k in range(2001)]))
    )


def test_seams_that_rounding_left_open_are_joined():
    """A ball in two halves whose rims were rounded differently; a seam that is wider stays a
    hole.
    """
    points, triangles = BALL
    upper = points[triangles].mean(axis=1)[:, 2] > 0
    rng = np.random.default_rng(0)
    for size, joined in ((2e-5, True), (0.1, False)):
        moved = np.concatenate([points, points + rng.uniform(-size, size, points.shape)])
        data = text_stl(moved, np.where(upper[:, None], triangles + len(points), triangles))
        if joined:
            mesh, notes, _ = read_mesh(data, "a.stl")
            assert meshes.solid(mesh).volume == pytest.approx(
                meshes.enclosed(points / 1e3, triangles).volume, rel=1e-5
            )
            assert len(notes) == 1
            assert re.fullmatch(
                r"\d+ corners along seams narrower than 0\.\d+ mm were joined\.", notes[0]
            )
        else:
            assert "has a hole near" in refused(data, "a.stl")


# what is refused


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_holes_are_named_with_their_place_in_the_unit_of_the_file(write, name):
    sentence = refused(write(BOX[0], BOX[1][2:]), name)
    assert (
        "the surface has a hole near (−150, 0, 0) mm: 4 open edges" in sentence
        and "Close the surface" in sentence
    )
    assert "near (−150, 0, 0) in: 4" in refused(write(BOX[0], BOX[1][2:]), name, "in")


def test_edges_of_more_than_two_triangles():
    """Two boxes that touch along an edge."""
    assert "4 triangles meet at the edge near (150, 50, 0) mm" in refused(
        text_stl(*boxes((1, (0, 0, 0), False), (1, (300, 100, 0), False)))
    )


def test_a_surface_with_one_side():
    """A Klein bottle in 12 x 12 quads: closed, every edge between two triangles, and no inside."""
    n = 12
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    u, v = 2 * np.pi * i / n, 2 * np.pi * j / n
    w = 3 + np.cos(u / 2) * np.sin(v) - np.sin(u / 2) * np.sin(2 * v)
    points = 10 * np.column_stack(
        [w * np.cos(u), w * np.sin(u), np.sin(u / 2) * np.sin(v) + np.cos(u / 2) * np.sin(2 * v)]
    )
    at = lambda a, b: np.where(a < n, a * n + b % n, (-b) % n)
    faces = np.column_stack([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)])
    assert "only one side" in refused(obj(points, faces), "klein.obj")


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "a.stl", "is empty"),
        (b"  \n ", "a.obj", "is empty"),
        (b"hello", "a.stl", "too short"),
        (b"hello", "a.xyz", "format is not known"),
        (binary_stl(*BOX)[:-10], "a.stl", "cut off: 11 of the 12 triangles"),
        (binary_stl(BOX[0], BOX[1][:0]), "a.stl", "no triangles"),
        (
            b"x" * 80 + (600_000).to_bytes(4, "little") + bytes(50 * 600_000),
            "a.stl",
            "600000 triangles, and at most 500000",
        ),
        (text_stl(*BOX)[:-300], "a.stl", "cut off"),
        (
            text_stl(*BOX).replace(b"300", b"wide").replace(b"-150.0", b"1O.0", 1),
            "a.stl",
            "not a number ('1O.0')",
        ),
        (text_stl(*BOX).replace(b"-150.0", b"nan"), "a.stl", "not a number"),
        (text_stl(*BOX).replace(b"150.0", b"1e999"), "a.stl", "not a number"),
        (text_stl(*BOX).replace(b"-150.0", b"", 1), "a.stl", "damaged"),
        (b"solid nothing\nendsolid nothing\n", "a.stl", "no triangles"),
        (binary_stl(BOX[0] * np.nan, BOX[1]), "a.stl", "not a number"),
        (binary_stl(BOX[0] * 1e30, BOX[1]), "a.stl", "larger or farther"),
        (binary_stl(BOX[0] * 1e-9, BOX[1]), "a.stl", "smaller than"),
        (binary_stl(BOX[0] * (1, 1, 0), BOX[1]), "a.stl", "becom"),
        (obj(BOX[0], [(0, 1, 9)]), "a.obj", "names vertex 10, and it has 8"),
        (b"v 0 0 0\nf 0 1 2\n", "a.obj", "line 2"),
        (b"v 0 0 0\nf -2 1 1\n", "a.obj", "line 2 of it names a vertex"),
        (b"v 0 0\n", "a.obj", "line 1 of it is no vertex"),
        (b"v 0 0 0\nf 1 1\n", "a.obj", "fewer than three corners"),
        (b"v 0 0 0\nf a b c\n", "a.obj", "line 2 of it is no face"),
        (b"v 0 0 0\nf 1 1 1\n", "a.obj", "becom"),
        (b"v 0 0 0\n", "a.obj", "no triangles"),
        (b"v 0 0 0\nf 1 1 99999999999999999999\n", "a.obj", "names a vertex that is not there"),
    ],
)
def test_damaged_meshes_are_refused_with_cause_and_cure(data, name, words):
    sentence = refused(data, name)
    cause, _, cure = sentence.removesuffix(".").rpartition(". ")
    assert words in cause, "the cause comes first"
    assert cure[0].isupper()


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.stl", tmp_path):
        with pytest.raises(MeshFileError, match="could not be read"):
            load_mesh(path)
    good = tmp_path / "good.stl"
    good.write_bytes(binary_stl(*BOX))
    assert load_mesh(good).mesh.source == "good.stl"
    with pytest.raises(KeyError):
        load_mesh(good, "furlong")


# nothing else ever comes out of the reader


def whole_or_refused(data, name):
    try:
        mesh, *_ = read_mesh(data, name)
    except MeshFileError as error:
        assert str(error).startswith(name)
        return False
    assert meshes.check(mesh) == "" and meshes.solid(mesh).volume > 0
    return True


@given(st.binary(max_size=300), st.sampled_from(["a.stl", "a.obj", "a"]))
def test_any_bytes(data, name):
    whole_or_refused(data, name)


@settings(max_examples=60)
@given(st.sampled_from(range(3)), st.integers(0, 2**32), st.sampled_from([1, 3, 20]))
def test_damaged_files(which, seed, count):
    rng = random.Random(seed)
    write, name = WRITERS[which]
    data = bytearray(write(*(BOX, BALL)[seed % 2]))
    for _ in range(count):
        k = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[k] = rng.randrange(256)
            case 1:
                del data[k : k + rng.randrange(1, 60)]
            case 2:
                data[k:k] = data[rng.randrange(len(data)) :][: rng.randrange(60)]
            case 3:
                data[k : k + 1] = rng.choice(
                    [b"-", b"9", b"e", b" ", b"\n", b"nan", b"\xff\xff\xff\x7f"]
                )
    whole_or_refused(bytes(data), name)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(*[st.integers(0, 7)] * 3), min_size=1, max_size=30),
    st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=8, max_size=8),
)
def test_any_triangles(triangles, points):
    """Surfaces that touch themselves, flat ones, double ones: a closed mesh or a reason."""
    whole_or_refused(obj(np.array(points, float), triangles), "a.obj")
    closed = (BOX[1][:, ::-1] if len(triangles) % 2 else BOX[1]).tolist()
    whole_or_refused(
        obj(np.array(points, float), closed + [t for t in triangles[:3] if len(set(t)) < 3]),
        "a.obj",
    )


def test_the_fuzz_reaches_both_ends():
    assert whole_or_refused(binary_stl(*BOX), "a.stl") and not whole_or_refused(
        binary_stl(*BOX)[:-1], "a.stl"
    )
