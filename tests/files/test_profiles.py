"""Profiles from DXF and SVG as plates, against their areas, and the holes that joints find."""

import math

import ezdxf
import numpy as np
import pytest

from mechstudio.files.meshes import MeshFileError, load_mesh, rescaled
from mechstudio.files.profiles.loops import area, outline_of
from mechstudio.files.profiles.profile import load_profile, plate
from mechstudio.files.round_axes import round_axes
from mechstudio.model.geometry import mesh as meshes
from tests.meshes import binary_stl

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="80mm" viewBox="0 0 100 80">'


def written(tmp_path, draw, units=4):
    document = ezdxf.new(units=units)
    draw(document.modelspace(), document)
    path = tmp_path / "part.dxf"
    document.saveas(path)
    return path


def outline(space, document):
    """Rectangle 100 x 60 with a rounded corner of 20, of lines and an arc in any order, and two
    round holes.
    """
    space.add_line((0, 0), (80, 0))
    space.add_arc((80, 20), 20, 270, 360)
    space.add_line((100, 60), (100, 20))
    space.add_line((100, 60), (0, 60))
    space.add_line((0, 0), (0, 60))
    space.add_circle((30, 30), 10)
    space.add_circle((70, 40), 5)


AREA = 100 * 60 - 400 * (1 - math.pi / 4) - math.pi * 125  # mm^2


def test_lines_and_arcs_of_a_dxf_become_a_plate_with_holes(tmp_path):
    profile = load_profile(written(tmp_path, outline))
    assert profile.unit == "mm" and len(profile.holes) == 2 and profile.notes == ()
    file = plate(profile, 0.008, "mm")
    solid = meshes.solid(file.mesh)
    # chords of 128 to the turn take 4e-4 from a circle
    assert solid.volume == pytest.approx(AREA * 8e-9, rel=2e-4)
    assert solid.low == pytest.approx((0, -0.004, 0)) and solid.high == pytest.approx(
        (0.1, 0.004, 0.06)
    )
    holes = sorted((a for a in file.axes if a.hole), key=lambda a: a.radius)
    assert [a.radius for a in holes] == pytest.approx([0.005, 0.01])
    assert holes[0].center == pytest.approx((0.07, 0, 0.04)) and holes[0].half == pytest.approx(
        0.004
    )
    assert holes[1].direction == pytest.approx((0, 1, 0))


@pytest.mark.parametrize(("units", "unit"), [(1, "in"), (4, "mm"), (5, "cm"), (6, "m"), (0, "mm")])
def test_the_unit_of_a_dxf_is_known(tmp_path, units, unit):
    assert load_profile(written(tmp_path, outline, units)).unit == unit


def test_polylines_with_bulges_blocks_and_splines_are_read(tmp_path):
    def draw(space, document):
        block = document.blocks.new("hole")
        block.add_circle((0, 0), 4)
        # a slot: straight sides of 60 and half circles of 20
        space.add_lwpolyline(
            [(0, 0, 0, 0, 0), (60, 0, 0, 0, 1), (60, 40, 0, 0, 0), (0, 40, 0, 0, 1)], close=True
        )
        space.add_blockref("hole", (10, 20))
        space.add_blockref("hole", (50, 20), dxfattribs={"xscale": 2, "yscale": 2})
        space.add_text("A4")

    profile = load_profile(written(tmp_path, draw))
    area = 60 * 40 + math.pi * 400 - math.pi * (16 + 64)
    assert meshes.solid(plate(profile, 0.01, "mm").mesh).volume == pytest.approx(
        area * 1e-8, rel=5e-4
    )
    assert profile.notes == ("Objects that are no lines are left out: text (1).",)


def test_an_svg_is_in_millimetres_and_upright(tmp_path):
    path = tmp_path / "part.svg"
    path.write_text(
        HEAD
        + '<g transform="translate(10,10)"><path d="M0 0 H60 A10 10 0 0 1 70 10 V40 H0 Z"/></g>'
        '<circle cx="30" cy="25" r="5"/><text x="1" y="1">a</text></svg>'
    )
    profile = load_profile(path)
    file = plate(profile, 0.005, "mm")
    solid = meshes.solid(file.mesh)
    area = 70 * 40 - 100 * (1 - math.pi / 4) - math.pi * 25
    assert solid.volume == pytest.approx(area * 5e-9, rel=3e-4)
    assert solid.high[0] - solid.low[0] == pytest.approx(0.07)
    (hole,) = file.axes
    # 15 mm right of the left side and 15 mm below the upper one
    assert hole.center[0] - solid.low[0] == pytest.approx(0.02)
    assert solid.high[2] - hole.center[2] == pytest.approx(0.015)


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda s, d: None, "holds no lines"),
        (lambda s, d: s.add_line((0, 0), (1, 0)), "no closed outline"),
        (lambda s, d: s.add_lwpolyline([(0, 0), (10, 0), (5, 0)], close=True), "no closed outline"),
    ],
)
def test_drawings_without_a_profile_give_the_reason(tmp_path, draw, reason):
    with pytest.raises(MeshFileError, match=reason):
        load_profile(written(tmp_path, draw))


def test_damaged_files_are_refused_in_words(tmp_path):
    for name, content in (("a.dxf", b"no drawing"), ("b.svg", b"<svg><path"), ("c.dxf", b"")):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(MeshFileError, match=name):
            load_profile(path)


def test_an_outline_that_crosses_itself_is_no_plate(tmp_path):
    path = written(
        tmp_path, lambda s, d: s.add_lwpolyline([(0, 0), (10, 10), (10, 0), (0, 5)], close=True)
    )
    with pytest.raises(MeshFileError, match="cannot become a plate"):
        plate(load_profile(path), 0.01, "mm")


def test_outlines_beside_the_profile_are_left_out_and_reported(tmp_path):
    def draw(space, document):
        outline(space, document)
        space.add_circle((200, 0), 5)
        space.add_circle((30, 30), 3)
        space.add_line((300, 0), (310, 0))

    profile = load_profile(written(tmp_path, draw))
    assert len(profile.holes) == 2
    assert profile.notes == (
        "2 outlines beside the largest one, or in one of its holes, are left out.",
        "1 line that closes no outline is left out.",
    )


def tube(outer, inner, length, count=48):
    """Closed tube along x as vertices and triangles."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    ring = lambda r, x: np.column_stack([np.full(count, x), r * np.cos(t), r * np.sin(t)])
    points = np.concatenate(
        [ring(outer, 0), ring(outer, length), ring(inner, 0), ring(inner, length)]
    )
    k, n = np.arange(count), np.roll(np.arange(count), -1)
    a, b, c, d = (k + j * count for j in range(4))
    e, f, g, h = (n + j * count for j in range(4))
    faces = [(a, e, b), (e, f, b), (c, d, g), (g, d, h), (a, c, e), (e, c, g), (b, f, d), (f, h, d)]
    return points, np.concatenate([np.column_stack(x) for x in faces])


@pytest.mark.parametrize("size", [1e-3, 1.0, 300.0])
def test_the_bore_and_the_outside_of_a_tube_are_two_axes(size, tmp_path):
    points, triangles = tube(0.05, 0.03, 0.2)
    q = np.linalg.qr(np.array([[1.0, 2, 3], [0, 1, 4], [5, 6, 0]]))[0]
    q *= np.sign(np.linalg.det(q))
    turned = size * (points @ q.T + (1.0, -2.0, 0.5))
    for found in (
        round_axes(turned, triangles),
        load_mesh(_stl(tmp_path, turned, triangles), "m").axes,
    ):
        assert [a.hole for a in found] == [False, True]
        middle = size * (q @ (0.1, 0, 0) + (1.0, -2.0, 0.5))
        for axis, radius in zip(found, (0.05, 0.03)):
            assert axis.radius == pytest.approx(size * radius, rel=1e-4)
            assert axis.half == pytest.approx(size * 0.1, rel=1e-4)
            assert axis.center == pytest.approx(middle, abs=2e-6 * size)
            assert abs(np.dot(axis.direction, q[:, 0])) == pytest.approx(1.0, abs=1e-6)


def _stl(tmp_path, points, triangles):
    path = tmp_path / "tube.stl"
    path.write_bytes(binary_stl(points, triangles))
    return path


def test_no_axis_is_read_into_what_is_not_round():
    points, triangles = tube(0.05, 0.03, 0.2, count=6)
    assert round_axes(points, triangles) == [], "a hexagon"
    points, triangles = tube(0.05, 0.03, 0.2)
    points[:, 1] *= 1.02
    assert round_axes(points, triangles) == [], "an ellipse"


def test_axes_go_along_with_the_unit(tmp_path):
    points, triangles = tube(5.0, 3.0, 20.0)
    path = _stl(tmp_path, points, triangles)
    there = rescaled(load_mesh(path, "mm"), "mm", "in").axes
    assert there[0].radius == pytest.approx(5 * 0.0254, rel=1e-5)
    assert there[0].half == pytest.approx(10 * 0.0254, rel=1e-5)


def area_of(path, unit="mm"):
    """Area of the plate of a file [mm^2]."""
    return meshes.solid(plate(load_profile(path), 1e-3, unit).mesh).volume * 1e9


TURNS = ("rotate(30)", "skewX(20)", "matrix(0 1 -1 0 80 0)", "matrix(1 0 0 -1 0 80)")


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(
    ("shape", "area"),
    [
        ('<rect x="5" y="5" width="40" height="20"/>', 800),
        ('<ellipse cx="30" cy="30" rx="20" ry="10"/>', math.pi * 200),
        ('<circle cx="30" cy="30" r="20"/>', math.pi * 400),
        ('<polygon points="0,0 40,0 40,20"/>', 400),
        ('<path d="M0 0H40V20H0Z"/>', 800),
        ('<path d="M0 0A20 20 0 0 0 40 0Z"/>', math.pi * 200),
    ],
)
def test_every_svg_shape_is_moved_by_its_transform(tmp_path, turn, shape, area):
    path = tmp_path / "a.svg"
    path.write_text(f'{HEAD}<g transform="{turn}">{shape}</g></svg>')
    assert area_of(path) == pytest.approx(area, rel=2e-3)


def test_a_line_far_off_takes_no_hole_away(tmp_path):
    def draw(space, document):
        space.add_lwpolyline([(0, 0), (100, 0), (100, 50), (0, 50)], close=True)
        space.add_circle((20, 20), 3)
        space.add_circle((50, 20), 0.9)
        space.add_line((1e7, 0), (1.2e7, 0))

    area = 5000 - math.pi * (9 + 0.81)
    assert area_of(written(tmp_path, draw)) == pytest.approx(area, rel=1e-4)


def squares(space, *corners, lines=False):
    for x, y in corners:
        points = [(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)]
        if lines:
            for a, b in zip(points, [*points[1:], points[0]]):
                space.add_line(a, b)
        else:
            space.add_lwpolyline(points, close=True)


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda s: squares(s, (20, 20), (30, 30)), "touch near"),
        (lambda s: squares(s, (20, 20), (30, 30), lines=True), "more than two lines meet"),
        (lambda s: squares(s, (20, 20), (25, 25)), "cross or touch near"),
        (lambda s: squares(s, (0, 20)), "cross or touch near"),
        (lambda s: squares(s, (95, 20)), "cross or touch near"),
        (
            lambda s: s.add_lwpolyline([(20, 20), (30, 30), (30, 20), (20, 30)], close=True),
            "cross or touch near",
        ),
        (lambda s: (s.add_circle((30, 25), 5), s.add_circle((40, 25), 5)), "touch near"),
    ],
)
def test_loops_that_touch_or_cross_are_refused_with_their_place(tmp_path, draw, reason):
    def all_(space, document):
        space.add_lwpolyline([(0, 0), (100, 0), (100, 50), (0, 50)], close=True)
        draw(space)

    with pytest.raises(MeshFileError, match=reason):
        load_profile(written(tmp_path, all_))


def test_duplicate_lines_of_a_profile_count_once(tmp_path):
    def draw(space, document):
        for _ in range(2):
            squares(space, (0, 0), lines=True)
            space.add_circle((5, 5), 2)
        space.add_line((0, 10), (10, 10))
        space.add_line((10, 0), (25, 0))  # a line that ends in nothing

    profile = load_profile(written(tmp_path, draw))
    assert len(profile.holes) == 1
    assert profile.notes == (
        "1 line that closes no outline is left out.",
        "6 lines that are drawn twice count once.",
    )


def test_only_what_is_shown_and_plotted_counts(tmp_path):
    def draw(space, document):
        hidden = document.layers.add("hidden")
        hidden.off()
        document.layers.add("no plot").dxf.plot = 0
        block = document.blocks.new("hole")
        block.add_circle((0, 0), 4)
        block.add_circle((0, 12), 2, dxfattribs={"layer": "hidden"})
        space.add_lwpolyline([(0, 0), (100, 0), (100, 50), (0, 50)], close=True)
        space.add_blockref("hole", (20, 10), {"column_count": 3, "column_spacing": 20})
        space.add_circle((50, 40), 3, dxfattribs={"layer": "no plot"})
        space.add_circle((60, 40), 3, dxfattribs={"invisible": 1})
        space.add_circle((70, 40), 3, dxfattribs={"layer": "Defpoints"})
        space.add_circle((80, 40, 0), 3, dxfattribs={"extrusion": (0, 1, 1)})

    path = written(tmp_path, draw)
    assert area_of(path) == pytest.approx(5000 - 3 * math.pi * 16, rel=2e-4)
    assert load_profile(path).notes == (
        "Objects that are no lines are left out: curve askew to the plane (1).",
    )
    feet = written(tmp_path, outline, 2)
    assert "unit is none of those" in load_profile(feet).notes[0]


def test_an_octagon_is_no_round_hole():
    points, triangles = tube(0.05, 0.03, 0.2, count=8)
    assert round_axes(points, triangles) == []


@pytest.mark.parametrize("backwards", range(32))
def test_lines_are_chained_whichever_way_they_were_drawn(backwards):
    corners = np.array([(0, 0), (40, 0), (60, 30), (30, 50), (-10, 20)], float)
    ends = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    lines = [np.array(pair)[:: -1 if backwards >> k & 1 else 1] for k, pair in enumerate(ends)]
    found = outline_of([lines[k] for k in (2, 0, 4, 1, 3)])
    x, y = corners.T
    known = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    assert abs(area(found.outer)) == pytest.approx(known) and not found.holes
