"""mechstudio plot: its files hold the engine's numbers, and its errors name what there is."""

import argparse
import csv
from types import SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli import plot
from mechstudio.curves.operations import Curve
from tests.cli.test_main import FOUR_BAR, ghost, run  # noqa: F401
from tests.curves.test_statistics import driven_four_bar


@pytest.fixture(scope="module")
def four_bar():
    return ms.load(FOUR_BAR)


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


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("16x17", (16.0, 17.0, False)),
        ("17x16", (17.0, 16.0, False)),
        ("160X90.5mm", (160.0, 90.5, True)),
        ("{0}×{0}", ("{0}", "{0}", False)),
        ("{1}x{1}MM", ("{1}", "{1}", True)),
        ("15x16", None),
        ("16x15", None),
        ("{0}x99999", None),
        ("99999x{0}", None),
        ("{1}x{0}mm", None),
        ("16x16x16", None),
        ("wide", None),
    ],
)
def test_sizes_of_pictures_have_their_bounds(text, size):
    limits = (plot.LARGEST, plot.LARGEST / 4)
    text = text.format(*limits)
    if size is None:
        with pytest.raises(argparse.ArgumentTypeError, match="is no size"):
            plot._size(text)
        return
    numbers = [float(n.format(*limits)) if isinstance(n, str) else n for n in size[:2]]
    assert plot._size(text) == (*numbers, size[2])


def test_a_diagram_has_its_table_and_its_lines(four_bar):
    """A spectrum with its peaks, a dash without; other diagrams with what they are over."""
    peaked = np.zeros(41)
    peaked[[9, 10, 11]] = 1.0, 4.0, 1.0
    frequencies = np.linspace(0.0, 40.0, 41)
    curves = [Curve(frequencies, y, "frequency", "angle") for y in (peaked, np.zeros(41))]
    curves[1] = curves[1]._replace(note="by hand", x=frequencies[:5], y=np.zeros(5))
    requested, saved = [], {}

    def diagram(kind, *keys, **further):
        requested.append((kind, keys, further))
        return curves

    result = SimpleNamespace(project=four_bar, diagram=diagram)
    options = argparse.ArgumentParser()
    plot.add_command(options.add_subparsers())
    read = lambda *more: options.parse_args(["plot", FOUR_BAR, *more])
    keys = plot.names(
        four_bar, read("--quantity", "B angle", "--quantity", "A angle", "--out=a.svg")
    )
    assert keys == ["joint/B/0", "joint/A/0"]
    chosen = read("--diagram", "spectrum", "--csv", "a.csv", "--window", "hann")
    assert chosen.size == (960.0, 540.0, False)
    assert list(plot.write(result, keys, chosen, saved.__setitem__)) == [
        "Table of 41 rows written to a.csv",
        "B angle: peaks at 10 Hz",
        "A angle: peaks at –",
        "A angle: by hand",
    ]
    assert requested.pop() == ("spectrum", tuple(keys), {"window": "hann", "one_turn": True})
    rows = saved["a.csv"].decode("utf-8-sig").splitlines()
    assert len(rows) == 42 and [float(n) for n in rows[11].split(",")[:2]] == [
        10.0,
        pytest.approx(np.degrees(4.0)),
    ]
    assert rows[11].endswith(",,")
    section = read(
        *("--diagram", "section", "--over", "A angle", "--where", "B angle", "--level", "30 deg"),
        *("--direction", "falling", "--many-turns", "--out", "a.svg", "--size", "80x50mm"),
    )
    lines = list(plot.write(result, keys, section, saved.__setitem__))
    assert lines == ["Diagram written to a.svg", "A angle: by hand"]
    assert saved["a.svg"].startswith(b"<svg")
    further = requested.pop()[2]
    assert further.pop("level") == pytest.approx(np.radians(30.0))
    assert further == {
        "over": "joint/A/0",
        "where": "joint/B/0",
        "direction": "falling",
        "window": "hann",
        "one_turn": False,
    }
