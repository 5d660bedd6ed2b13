"""mechstudio plot: its files hold the engine's numbers, and its errors name what there is."""

import csv

import numpy as np
import pytest

import mechstudio as ms
from tests.cli.test_main import FOUR_BAR, ghost, run  # noqa: F401
from tests.curves.test_statistics import driven_four_bar


@pytest.fixture
def driven(tmp_path):
    ms.save(driven_four_bar(), tmp_path / "driven.mech")
    return tmp_path / "driven.mech"


def test_values_of_the_table_are_those_of_the_engine(run, driven, tmp_path):
    table, picture = tmp_path / "torque.csv", tmp_path / "torque.svg"
    status, out, err = run(
        "plot",
        driven,
        "--quantity",
        "torque of DRIVE 1",
        "--quantity",
        "A angle",
        "--quantity",
        "Force in A",
        "--duration",
        "0.2",
        "--out",
        picture,
        "--csv",
        table,
    )
    assert status == 0 and not err
    assert "Picture of 3 curves" in out and "Table of 13 rows" in out
    rows = list(csv.reader(table.open(encoding="utf-8")))
    assert rows[0] == [
        "time [s]",
        "Torque of drive 1 [N·m]",
        "A angle [deg]",
        "Force in A: resultant [N]",
    ]
    numbers = np.array(rows[1:], float)
    project = ms.load(driven)
    torque = ms.analyse(project, "inverse", duration=0.2)
    assert torque.columns[1] == "drive 1 on A"
    assert np.array_equal(numbers[:, 1], torque.rows[:, 1])
    result = ms.simulate(project, duration=0.2)
    assert np.allclose(numbers[:, 0], result.time, rtol=0, atol=1e-12)
    assert np.allclose(np.radians(numbers[:, 2]), result.joint_coordinates["A"][:, 0], rtol=1e-14)
    force = ms.analyse(project, "reactions", joints=["A"], duration=0.2).rows[:, 1:4]
    assert np.allclose(numbers[:, 3], np.linalg.norm(force, axis=1), rtol=1e-12)
    assert "Torque of drive 1" in picture.read_text("utf-8")


def test_formats_dialects_units_and_sizes(run, tmp_path):
    ask = ("plot", FOUR_BAR, "--quantity", "A angle", "--duration", "0.1")
    table = tmp_path / "a.csv"
    assert run(*ask, "--csv", table, "--decimal-comma", "--units", "m-N-rad")[0] == 0
    head, first, *_ = table.read_text("utf-8").splitlines()
    assert head == "\ufefftime [s];A angle [rad]" and first.startswith("0,0;") and "." not in first
    for name, start in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.svg", b"<svg")):
        assert run(*ask, "--out", tmp_path / name, "--size", "80x50mm", "--theme", "paper")[0] == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    assert run(*ask, "--csv", tmp_path / "a.npz")[0] == 0
    with np.load(tmp_path / "a.npz") as back:
        assert (
            list(back["units"]) == ["s", "deg"] and len(back["A angle"]) == len(back["time"]) == 7
        )


def test_list_of_quantities(run):
    status, out, err = run("plot", FOUR_BAR, "--list")
    lines = out.splitlines()
    assert status == 0 and not err and lines[0] == "Joints:" and lines[1] == "  A angle [deg]"
    assert "  Speed of P [mm/s]" in lines and "  Force in A: resultant [N]" in lines


def test_an_impossible_plot_is_refused_in_a_sentence(run, ghost, driven, tmp_path):
    out = tmp_path / "x.svg"
    status, _, err = run("plot", FOUR_BAR, "--quantity", "Torqe in A", "--out", out)
    assert status == 2 and "There is no quantity Torqe in A; the nearest are Torque in A" in err
    status, _, err = run("plot", FOUR_BAR, "--quantity", "A angle")
    assert status == 2 and "--out" in err and "--csv" in err
    status, _, err = run("plot", driven, "--out", out)
    assert status == 2 and "--list prints everything" in err
    status, _, err = run("plot", FOUR_BAR, "--quantity", "A angle", "--out", tmp_path / "x.doc")
    assert status == 2 and "should end with .svg, .pdf or .png" in err
    status, _, err = run("plot", FOUR_BAR, "--quantity", "A angle", "--out", out, "--size", "9")
    assert status == 2 and "is no size" in err
    status, _, err = run(
        "plot", FOUR_BAR, "--quantity", "A angle", "--csv", tmp_path / "no" / "x.csv"
    )
    assert status == 2 and "no folder" in err
    status, _, err = run("plot", ghost, "--quantity", "Kinetic energy", "--out", out)
    assert status == 1 and "cannot be simulated" in err
    assert not out.exists()
    # without a word of it, the plots of the project
    status, reported, _ = run("plot", FOUR_BAR, "--duration", "0.1", "--out", out)
    assert status == 0 and "curves written" in reported and out.exists()
