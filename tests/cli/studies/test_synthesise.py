"""mechstudio synthesise: tables of paths, functions and motions, drawings, and refusals."""

import argparse
import contextlib
import json
import math

import pytest

import mechstudio as ms
from mechstudio.api.synthesis import Synthesised
from mechstudio.cli.main import main
from mechstudio.cli.outcome import AT_FAULT, DONE, UNREADABLE
from mechstudio.cli.studies import synthesise
from mechstudio.model.project import Project

LINE = "x,z\n20,20\n20,25\n20,30\n20,35\n20,40\n20,45\n"
POSES = "x [m],z [m],angle [deg]\n0,0,0\n0.05,0.03,12\n0.11,0.04,28\n0.18,0.02,52\n"


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "poses.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("purpose", "linkage", "text", "expected"),
    [
        ("path", "four_bar", "x,z\n20,-30\n", {"x": 0.02, "z": -0.03}),
        (
            "path",
            "slider_crank",
            "Crank [rad],z [m],X\n2,3,40\n",
            {"x": 0.04, "z": 3.0, "crank": 2.0},
        ),
        ("path", "watt", "x,z,crank\n0,0,90\n", {"x": 0, "z": 0, "crank": math.pi / 2}),
        (
            "function",
            "slider_crank",
            "input,output\n180,50\n",
            {"input": math.pi, "output": 0.05},
        ),
        ("function", "slider_crank", "input,output [m]\n0,2\n", {"input": 0, "output": 2.0}),
        (
            "function",
            "four_bar",
            "input [rad],output,more\n1,60,7\n",
            {"input": 1.0, "output": math.pi / 3},
        ),
        (
            "motion",
            "four_bar",
            "x [m],z,angle\n1,1,-30\n",
            {"x": 1.0, "z": 1e-3, "angle": -math.pi / 6},
        ),
    ],
)
def test_columns_are_lengths_and_angles_in_their_units(table, purpose, linkage, text, expected):
    head, row = text.splitlines(keepends=True)
    options = argparse.Namespace(file=table(head + 3 * row), purpose=purpose, linkage=linkage)
    found = synthesise._columns(options)
    assert {name: values[0] for name, values in found.items()} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50..600 mm", (0.05, 0.6)),
        ("-50..6", (-0.05, 0.006)),
        ("5 cm..2 m", (0.05, 2.0)),
        ("1e1..2e1 m", (10.0, 20.0)),
        ("3..−2 mm", None),
        ("3 mm..3 mm", None),
        ("3 mm", None),
    ],
)
def test_a_range_has_one_unit_or_two(text, expected):
    if expected is not None:
        assert synthesise._range(text) == pytest.approx(expected)
        return
    with pytest.raises(ValueError, match="is no range"):
        synthesise._range(text)


def test_options_go_to_the_search_in_si(table, tmp_path, capsys, monkeypatch):
    """Requests of each case, and the words of what is found: errors of slides are lengths,
    of rockers angles.
    """
    requests = []
    linkages = [
        Synthesised("four_bar", 0.12345, 0.5, turns, {"OA": 1.0}, project, 0.2)
        for turns, project in ((True, Project()), (False, Project(note="the other")))
    ]

    def searched(*arguments, **options):
        requests.append((arguments, options))
        assert options["progress"](0.25)
        return linkages

    shown = []
    monkeypatch.setattr(synthesise, "show_line", shown.append)
    for purpose in ("path", "function", "motion"):
        monkeypatch.setattr(f"mechstudio.api.synthesis.synthesise_{purpose}", searched)
    crank = "x,z,crank\n20,10,90\n20,20,180\n20,10,360\n"
    requested = [
        "--region=-100..200,300..400",
        "--lengths",
        "50..60",
        "--turn",
        "no",
        "--seed",
        "4",
    ]
    assert main(["synthesise", table(crank), "--closed", *requested]) == DONE
    ((points, linkage), options), said = requests.pop(), capsys.readouterr().out
    assert linkage == "four_bar" and points == [
        pytest.approx(p) for p in ((0.02, 0.01), (0.02, 0.02), (0.02, 0.01))
    ]
    assert options.pop("region") == pytest.approx((-0.1, 0.3, 0.2, 0.4))
    assert options.pop("timing") == pytest.approx((math.pi / 2, math.pi, 2 * math.pi))
    assert options.pop("lengths") == pytest.approx((0.05, 0.06))
    assert options.pop("transmission") == pytest.approx(math.radians(20))
    del options["progress"]
    assert options == {"most": 10, "seed": 4, "turn": False, "closed": True}
    assert said == (
        "2 linkages, the best first.\n"
        "1. off by 123 mm, transmission angle at least 28.6 deg, "
        "the crank turns all the way round\n"
        "2. off by 123 mm, transmission angle at least 28.6 deg, the crank swings\n"
    )
    swing, slide = ["--for", "function"], ["--for", "function", "--linkage", "slider_crank"]
    assert (
        main(["synthesise", table("input,output\n" + 3 * "180,90\n"), *swing, "--base", "2 cm"])
        == DONE
    )
    ((inputs, outputs, linkage), options), said = requests.pop(), capsys.readouterr().out
    assert (inputs[0], outputs[0], linkage) == pytest.approx((math.pi, math.pi / 2, "four_bar"))
    assert shown[0] == "25 % searched"
    assert options["base"] == pytest.approx(0.02) and options["seed"] == 1 and "turn" not in options
    assert "1. off by 7.07 deg, " in said
    out = tmp_path / "second.mech"
    assert (
        main(["synthesise", table("input,output\n" + 3 * "0,9\n"), *slide, "--take", "2", "--json"])
        == DONE
    )
    assert requests.pop()[1]["base"] == pytest.approx(0.1)
    rows = json.loads(capsys.readouterr().out)["linkages"]
    assert [row.pop("turns") for row in rows] == [True, False]
    assert rows[0] == {
        "type": "four_bar",
        "error": 0.12345,
        "worst": 0.2,
        "transmission": 0.5,
        "numbers": {"OA": 1.0},
    }
    for take, ending in (((), DONE), ((0,), UNREADABLE), ((3,), UNREADABLE), ((2,), DONE)):
        number = [f"--take={k}" for k in take]
        assert main(["synthesise", table(crank), *number, "--out", str(out)]) == ending
        assert ms.load(out).note == ("the other" if take == (2,) else "")


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
    assert "none.csv cannot be read (No such file or directory)." in capsys.readouterr().err


@pytest.mark.slow
def test_a_search_that_is_stopped_says_so(capsys, tmp_path, monkeypatch):
    path = tmp_path / "line.csv"
    path.write_text("x,z\n" + "".join(f"20,{20 + 5 * k}\n" for k in range(6)), "utf-8")
    heard = iter([False] * 8)
    stops = contextlib.nullcontext(lambda: next(heard, True))
    monkeypatch.setattr("mechstudio.cli.studies.synthesise.interruptible", lambda: stops)
    main(["synthesise", str(path)])
    said = capsys.readouterr()
    assert len(list(heard)) == 0 and "1. off by" in said.out and "was stopped" in said.err
