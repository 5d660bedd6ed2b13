"""mechstudio mesh: what a surface encloses, and the one sentence where it encloses nothing."""

import json

import ezdxf
import pytest

from mechstudio.cli import main
from mechstudio.cli.outcome import UNREADABLE
from mechstudio.files.parts import load_part
from mechstudio.model.rounding import round_near
from tests import scenes
from tests.meshes import binary_stl, obj

BOX = scenes.box_mesh(300, 100, 200)


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main.main([str(a) for a in ("mesh", *arguments)])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def box(tmp_path):
    (tmp_path / "box.stl").write_bytes(binary_stl(*BOX))
    return tmp_path / "box.stl"


def test_a_box_of_steel(run, box):
    # m = 7850 * 0.3 * 0.1 * 0.2 = 47.1 kg; m (b^2 + c^2) / 12 about its sides
    status, text, error = run(box)
    assert (status, error) == (0, "") and (
        "Volume     6000 cm³\nMass       47.1 kg\nCentre     0, 0, 0 mm\nMoment I₁  "
        "196250 kg·mm² about (1, 0, 0)\n"
    ) in text


def test_mesh_report_as_json_follows_unit_and_density(run, box):
    report = json.loads(run(box, "--unit", "cm", "--density", "1000", "--json")[1])
    assert (
        report["triangles"] == 12
        and report["volume"] == pytest.approx(6.0)
        and report["mass"] == pytest.approx(6000)
    )
    assert (
        report["principal_moments"]
        == pytest.approx([6000 * 5 / 12, 6000 * 10 / 12, 6000 * 13 / 12])
        and report["notes"] == []
    )


def test_invalid_meshes_become_no_body(run, tmp_path):
    (tmp_path / "open.obj").write_bytes(obj(BOX[0], BOX[1][2:]))
    status, text, error = run(tmp_path / "open.obj")
    assert (status, text) == (2, "") and "has a hole near (−150, 0, 0) mm: 4 open edges" in error
    assert (
        run(tmp_path / "none.stl")[0] == 2 and run(tmp_path / "open.obj", "--density", "0")[0] == 2
    )


def test_notes_follow(run, tmp_path):
    (tmp_path / "turned.stl").write_bytes(binary_stl(BOX[0], BOX[1][:, ::-1]))
    assert "Note: It was inside out and was turned.\n" in run(tmp_path / "turned.stl")[1]


def test_the_centre_of_a_mesh_is_in_millimetres(run, tmp_path):
    points, triangles = BOX
    (tmp_path / "aside.stl").write_bytes(binary_stl(points + (250.0, 0.0, -70.5), triangles))
    assert "Centre     250, 0, −70.5 mm\n" in run(tmp_path / "aside.stl")[1]


def test_a_profile_is_a_plate_of_its_thickness_or_a_usual_one(run, tmp_path):
    """100 by 50 mm: 4 mm thick it has 20 cm³; else a round share of its extent."""
    document = ezdxf.new(units=4)
    corners = [(0, 0), (100, 0), (100, 50), (0, 50)]
    document.modelspace().add_lwpolyline(corners, close=True)
    path = tmp_path / "plate.dxf"
    document.saveas(path)
    volume = lambda *more: json.loads(run(path, "--json", *more)[1])["volume"]
    assert volume("--thickness", "4") == pytest.approx(20e-6)
    usual = load_part(str(path)).usual_thickness("mm")
    assert usual == round_near(usual) > 0.001 and volume() == pytest.approx(5e-3 * usual)
    for wrong in ("0", "-1", "inf"):
        assert run(path, f"--thickness={wrong}")[0] == UNREADABLE
