"""mechstudio synthesise: tables of paths, functions and motions, drawings, and refusals."""

import contextlib
import json
import math

import pytest

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.cli.outcome import AT_FAULT, DONE, UNREADABLE

LINE = "x,z\n20,20\n20,25\n20,30\n20,35\n20,40\n20,45\n"
POSES = "x [m],z [m],angle [deg]\n0,0,0\n0.05,0.03,12\n0.11,0.04,28\n0.18,0.02,52\n"


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "wanted.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_path_in_millimetres_has_a_list_and_a_drawing(table, tmp_path, capsys):
    out = tmp_path / "line.mech"
    assert main(["synthesise", table(LINE), "--out", str(out), "--take", "2"]) == DONE
    said = capsys.readouterr()
    assert said.out.startswith("10 linkages, the best first.\n1. off by ") and not said.err
    assert "the crank turns all the way round" in said.out
    project = ms.load(out)
    target = project.mechanism.ground.point("target 3")
    assert target == pytest.approx((0.02, 0, 0.03))
    assert ms.check(project).structure.mobility == 1


def test_a_motion_has_its_units_and_its_json(table, capsys):
    assert main(["synthesise", table(POSES), "--for", "motion", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)["linkages"]
    assert found and all(one["error"] < 1e-9 for one in found)
    least = math.radians(20) - 1e-9
    assert all(one["transmission"] >= least for one in found)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("linkage", ["slider_crank", "stephenson", "watt"])
def test_more_linkages_follow_a_motion(table, tmp_path, capsys, linkage):
    """The drawing runs, and its tracer goes through the poses."""
    out = tmp_path / "out.mech"
    requested = ["synthesise", table(POSES), "--for", "motion", "--linkage", linkage]
    assert main([*requested, "--out", str(out), "--json"]) == DONE
    best = json.loads(capsys.readouterr().out)["linkages"][0]
    assert best["type"] == linkage and best["error"] < 1e-9
    project = ms.load(out)
    assert ms.check(project).structure.mobility == 1
    trail = project.mechanism.body(project.marks[0].body).name + ".tracer"
    run = ms.simulate(project, sample_step=0.002)
    x, z = (c.values for c in run.courses(f"Position of {trail}: x", f"Position of {trail}: z"))
    for at in ((0.0, 0.0), (0.05, 0.03), (0.11, 0.04), (0.18, 0.02)):
        assert abs(x + 1j * z - complex(*at)).min() < 1e-3


def test_a_region_and_lengths_are_kept(table, capsys):
    requested = ["synthesise", table(POSES), "--for", "motion", "--json", "--lengths", "30..400 mm"]
    assert main([*requested, "--region=-300..500 mm,-500..300 mm"]) == DONE
    for one in json.loads(capsys.readouterr().out)["linkages"]:
        n = one["numbers"]
        assert -0.3 <= n["Ox"] <= 0.5 and -0.5 <= n["Qy"] <= 0.3
        assert all(0.03 <= n[key] <= 0.4 for key in ("OA", "AB", "QB"))


def test_synthesis_without_a_linkage_is_reported(table, capsys):
    requested = ["synthesise", table(POSES), "--for", "motion", "--transmission", "89.9 deg"]
    assert main(requested) == AT_FAULT
    assert "No linkage was found without defects" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (LINE, ("--for", "function"), "has no column input"),
        (LINE, ("--linkage", "luck"), "no linkage luck"),
        (LINE, ("--lengths", "5"), "is no range"),
        (LINE, ("--lengths", "5..3 mm"), "is no range"),
        (LINE, ("--transmission", "20 kg"), "kg"),
        (LINE, ("--out", "nowhere/line.mech"), "no folder"),
        (LINE.replace("20,30", "20,"), (), "of the column z is empty"),
        (POSES, ("--for", "motion", "--linkage", "klann"), "no linkage klann"),
        (LINE.replace("x,z", "x [kg],z"), (), "kg"),
    ],
)
def test_invalid_synthesis_is_reported_in_one_sentence(table, capsys, text, options, words):
    assert main(["synthesise", table(text), *options]) == UNREADABLE
    said = capsys.readouterr()
    assert words in said.err and "fault of mechstudio" not in said.err
    assert said.err.count("mechstudio: ") == 1


def test_a_table_that_is_not_there_is_one_sentence(capsys):
    assert main(["synthesise", "none.csv"]) == UNREADABLE
    assert "none.csv cannot be read" in capsys.readouterr().err


def test_a_search_that_is_stopped_says_so(capsys, tmp_path, monkeypatch):
    path = tmp_path / "line.csv"
    path.write_text("x,z\n" + "".join(f"20,{20 + 5 * k}\n" for k in range(6)), "utf-8")
    heard = iter([False] * 8)
    stops = contextlib.nullcontext(lambda: next(heard, True))
    monkeypatch.setattr("mechstudio.cli.studies.synthesise.interruptible", lambda: stops)
    main(["synthesise", str(path)])
    said = capsys.readouterr()
    assert "1. off by" in said.out and "was stopped" in said.err
