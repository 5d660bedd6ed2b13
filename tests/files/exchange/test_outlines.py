"""Outlines of parts as DXF, read back by ezdxf and by our own reader of profiles."""

import math

import ezdxf
import pytest

import mechstudio as ms
from mechstudio.files.exchange.outlines import _box, outline
from mechstudio.files.profiles.profile import load_profile, plate
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import Bar, Block, Capsule, Cylinder, Disc, Flat
from tests.files.exchange.test_mjcf_motion import SAMPLES
from tests.files.exchange.test_urdf import ROBOT


@pytest.mark.parametrize(
    ("form", "box"),
    [
        (Bar(((0.0, 0.0), (1.0, 0.0)), 0.1, 0.05), (-0.1, 1.1, -0.1, 0.1)),
        (Flat(((0.0, 0.0), (1.0, 0.0), (0.0, 2.0)), 0.25, 0.1), (-0.25, 1.25, -0.25, 2.25)),
        (Flat(((0.0, 0.0), (1.0, 0.0), (0.0, 2.0)), 0.0, 0.1), (0.0, 1.0, 0.0, 2.0)),
        (Flat(((0.0, 0.0),), 0.3, 0.1), (-0.3, 0.3, -0.3, 0.3)),
        (Disc(0.5, 0.1), (-0.5, 0.5, -0.5, 0.5)),
        (Block(1.0, 2.0, 3.0), (-1.0, 1.0, -1.5, 1.5)),
        (Block(0.3, 0.01, 0.2), (-0.15, 0.15, -0.1, 0.1)),
        (Block(0.3, 0.2, 0.2), (-0.15, 0.15, -0.1, 0.1)),
    ],
)
def test_outlines_are_as_large_as_their_forms(form, box):
    assert _box(outline(form)) == pytest.approx(box)


def test_outline_of_a_body_other_than_a_sheet_is_none():
    assert outline(Capsule(0.1, 0.2)) is None
    assert outline(Cylinder(0.01, 1.0)) is None
    assert outline(Flat(((0.0, 0.0), (1.0, 0.0)), 0.0, 0.1)) is None


def test_parts_lie_side_by_side_on_layers_of_their_bodies(tmp_path):
    path = tmp_path / "parts.dxf"
    notes = ms.convert(SAMPLES / "four_bar.mech", path)
    document = ezdxf.readfile(path)
    assert document.units == 4
    lines = list(document.modelspace().query("LWPOLYLINE"))
    assert {e.dxf.layer for e in document.modelspace()} == {"crank", "coupler", "rocker"}
    assert [e.closed for e in lines] == [True] * 3
    ends = [(min(p[0] for p in e), max(p[0] for p in e)) for e in lines]
    assert ends == sorted(ends)
    assert "holes" in notes[0]


def test_a_bar_comes_back_as_a_plate_of_its_area(tmp_path):
    m = ms.Builder("bar")
    m.link("bar", (0, 0, 0), length="200 mm", angle=0.0, width="40 mm", thickness="10 mm")
    ms.convert(m.project(), tmp_path / "bar.dxf")
    found = plate(load_profile(tmp_path / "bar.dxf"), 0.01, "mm")
    area = 0.2 * 0.04 + math.pi * 0.02**2
    assert meshes.solid(found.mesh).volume == pytest.approx(0.01 * area, rel=3e-3)


def test_a_drawing_without_sheets_is_refused(tmp_path):
    with pytest.raises(ms.ExchangeError, match="no outline"):
        ms.convert(ms.Builder("empty").project(), tmp_path / "a.dxf")


def test_load_reads_other_programs_and_warns(tmp_path):
    (tmp_path / "arm.urdf").write_text(ROBOT)
    with pytest.warns(UserWarning, match="stands fixed on ground"):
        project = ms.load(tmp_path / "arm.urdf")
    assert "upper" in project.mechanism.bodies
