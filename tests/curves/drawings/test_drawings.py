"""Drawings are true to scale, and their dimensions say what the mechanism measures."""

import math
import re

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.curves.drawings.dimensions import number
from mechstudio.curves.drawings.sheet import front_view, scale_of, scale_words
from mechstudio.curves.picture import png
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from tests import scenes


def project(tilt: float = 60.0):
    m = ms.Builder("Arm")
    crank = m.link("crank", (0, 0, 0), length=0.15, angle=math.radians(tilt))
    a = m.pin("A", m.ground, crank, at=(0, 0, 0))
    d = m.pin("D", m.ground, m.link("far", (0.2, 0, -0.1), length=0.1, angle=0), at=(0.2, 0, -0.1))
    wheel = m.body("wheel", (0.1, 0.05, 0.2))
    wheel.cylinder(0.04, 0.01, angles=(0, 0, math.pi / 2))
    m.gauge("crank", ms.point_on(crank, crank.start), ms.point_on(crank, crank.end))
    m.gauge("wide", a, d, type="along_x")
    m.gauge("high", a, d, type="along_z")
    m.gauge("deep", a, d, type="along_y")
    along = ms.axis_on(crank, crank.start, np.subtract(crank.end, crank.start).tolist())
    m.gauge("lean", ms.axis_on(m.ground, (0, 0, 0), (1, 0, 0)), along, type="angle")
    m.gauge("wheel", wheel, type="radius")
    m.gauge("skew", ms.point_on(m.ground, (0, 0.03, 0)), ms.point_on(crank, crank.end))
    return m.project()


def arrows(svg):
    """Tips of filled arrows (k, 2) [mm]."""
    found = re.findall(r'<polygon points="([^"]*)" fill="#000"/>', svg)
    return np.array([[float(c) for c in text.split()[0].split(",")] for text in found])


@pytest.mark.parametrize("scale", [0.2, 0.5])
def test_dimension_lines_are_as_long_as_their_numbers_at_the_scale(scale):
    sheet = front_view(project(), "Arm", "A3", scale)
    tips = arrows(sheet.svg)
    gaps = np.linalg.norm(tips[:, None] - tips[None], axis=2)
    for true in (150.0, 200.0, 100.0):
        assert np.abs(gaps - scale * true).min() < 2e-3
    texts = re.findall(r">([^<>\n]+)</text>", sheet.svg)
    # a length drives, what follows stands in parentheses
    assert {"150", "(200)", "(100)", "(60°)", "R40"} <= set(texts)
    assert sheet.left_out == ("deep", "skew")
    assert f"Front view, scale {scale_words(scale)}" in texts


def test_a_sheet_has_its_size_and_becomes_a_pdf_of_it():
    sheet = front_view(project())
    assert 'width="297mm" height="210mm" viewBox="0 0 297 210"' in sheet.svg
    assert sheet.scale in (1, 0.5, 0.2)
    pdf = sheet.content(".pdf")
    assert pdf.startswith(b"%PDF")
    box = re.search(rb"/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+)", pdf)
    sides = [float(n) / 72 * 25.4 for n in box.groups()] if box else [297.0, 210.0]
    assert sides == pytest.approx([297, 210], abs=0.05)
    assert png(sheet.picture)[:4] == b"\x89PNG"


def test_without_gauges_links_and_pins_on_the_ground_are_dimensioned():
    bare = ms.Builder("Bare")
    crank = bare.link("crank", (0, 0, 0), length="120 mm", angle="30 deg")
    bare.pin("A", bare.ground, crank, at=crank.start)
    rocker = bare.link("rocker", (0.3, 0, 0.05), length="80 mm", angle="90 deg")
    bare.pin("D", bare.ground, rocker, at=rocker.start)
    texts = set(re.findall(r">([^<>\n]+)</text>", front_view(bare.project()).svg))
    assert {"120", "80", "300", "50"} <= texts


def test_a_drawing_refuses_what_it_cannot_be():
    with pytest.raises(ValueError, match="no visible solid"):
        front_view(ms.Builder().project())
    with pytest.raises(ValueError, match="does not fit on A4"):
        front_view(project(), scale=50.0)
    with pytest.raises(ValueError, match="no sheet B5"):
        front_view(project(), sheet="B5")
    assert scale_of("1:20") == 0.05 and scale_of("2:1") == 2
    for wrong in ("5", "1:0", "a:b", "1:-2"):
        with pytest.raises(ValueError, match="1:5"):
            scale_of(wrong)


def test_small_dimensions_keep_their_digits():
    assert [number(v) for v in (0.0, 4e-3, 0.01234, 0.1, 12.345, -3.0, -1e-15)] == [
        *("0", "0.004", "0.0123", "0.1", "12.35", "−3"),
        "0",
    ]


def test_a_mesh_is_named_as_drawn_by_its_hull():
    b = ms.Builder()
    points, triangles = scenes.box_mesh(0.1, 0.1, 0.1)
    b.body("casting").mesh(Mesh(*packed(points, triangles)))
    sheet = front_view(b.project())
    assert sheet.hulls == ("casting",) and "convex hulls: casting" in sheet.svg
    assert front_view(project()).hulls == ()
