"""mechstudio drawing, and gauges in the other commands."""

import csv

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli.main import AT_FAULT, DONE, UNREADABLE, main
from mechstudio.model.quantity import Quantity
from tests.api.test_gauges import BASE, CRANK, four_bar


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "gauged.mech"
    ms.save(four_bar(), path)
    return str(path)


def test_a_drawing_is_written_at_a_scale_and_names_what_it_leaves_out(file, tmp_path, capsys):
    out = tmp_path / "drawing.svg"
    assert main(["drawing", file, "--scale", "1:5", "--out", str(out)]) == DONE
    assert "scale 1:5" in out.read_text("utf-8")
    assert "same axes" in capsys.readouterr().err
    assert main(["drawing", file, "--time", "0.2", "--out", str(tmp_path / "d.pdf")]) == DONE
    assert (tmp_path / "d.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--out", "d.dxf"], "not as .dxf"),
        (["--out", "d.svg", "--scale", "5"], "written as 1:5"),
        (["--out", "d.svg", "--scale", "50:1"], "does not fit"),
    ],
)
def test_a_drawing_that_cannot_be_says_why(file, tmp_path, capsys, more, reason):
    more = [str(tmp_path / word) if word.startswith("d.") else word for word in more]
    assert main(["drawing", file, *more]) in (AT_FAULT, UNREADABLE)
    assert reason in capsys.readouterr().err


def test_a_gauge_is_a_quantity_by_its_name(file, tmp_path):
    table = tmp_path / "t.csv"
    names = ["--quantity", "diagonal", "--quantity", "A angle"]
    assert main(["plot", file, *names, "--duration", "0.2", "--csv", str(table)]) == DONE
    head, *rows = csv.reader(table.open(encoding="utf-8"))
    assert head[1] == "diagonal [mm]"
    _, found, angle = np.array(rows, float).T
    said = np.sqrt(CRANK**2 + BASE**2 - 2 * CRANK * BASE * np.cos(np.radians(angle)))
    assert np.abs(found / 1e3 - said).max() < 1e-9


def test_a_time_before_the_start_is_refused(tmp_path, capsys):
    b = ms.Builder()
    b.link("rod", (0, 0, 0), (0.1, 0, 0))
    project = b.project()
    later = msgspec.structs.replace(project.mechanism, start=Quantity(1.0))
    path = tmp_path / "later.mech"
    ms.save(msgspec.structs.replace(project, mechanism=later), path)
    draw = lambda time: main(["drawing", str(path), "--out", str(tmp_path / "a.svg"), *time])
    assert draw(["--time", "0"]) != DONE and "begins at 1 s" in capsys.readouterr().err
    assert draw(["--time", "0.5 s"]) != DONE and "begins at 1 s" in capsys.readouterr().err
    for time in ([], ["--time", "1"], ["--time", "1.2"]):
        assert draw(time) in (DONE, AT_FAULT), capsys.readouterr().err
    assert draw(["--time", "later"]) != DONE and "later" in capsys.readouterr().err
