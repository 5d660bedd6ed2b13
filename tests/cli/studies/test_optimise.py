"""mechstudio optimise and fit: their words, files, JSON, and refusals."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.cli.outcome import AT_FAULT, DONE, UNREADABLE
from mechstudio.cli.studies import optimise
from mechstudio.folders import sample_folder
from mechstudio.studies.measures import Measure
from mechstudio.studies.table import StudyTable

FOUR_BAR = str(sample_folder() / "four_bar.mech")
SWING = ("optimise", FOUR_BAR, "--vary", "L2=310..350 mm", "--duration", "1.2", "--workers", "1")
TARGET = ("--target", "range D angle = 64 deg", "--method", "local")


def test_the_best_is_printed_and_written_as_drawing_and_table(capsys, tmp_path):
    out, runs = tmp_path / "best.mech", tmp_path / "runs.csv"
    requested = [*SWING, *TARGET, "--sample-step", "2 ms"]
    assert main([*requested, "--out", str(out), "--table", str(runs)]) == DONE
    said = capsys.readouterr()
    assert "L2 = 337.8" in said.out and "range D angle = 64 deg" in said.out and not said.err
    length = ms.load(out).parameters["L2"].value.value
    assert length == pytest.approx(0.33782, abs=5e-5)
    lines = [line for line in runs.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) > 5 and lines[0].startswith("L2 [mm],range D angle")


def test_samples_that_are_too_coarse_for_the_digits_are_reported(capsys):
    assert main([*SWING, *TARGET]) == DONE
    assert "With a quarter of the sample step, range D angle is 63.99" in capsys.readouterr().err


def test_json_has_the_best_in_si(capsys):
    assert main([*SWING, *TARGET, "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["finished"] and len(found["best"]) == 1
    assert found["best"][0]["measured"][0] == pytest.approx(math.radians(64), abs=1e-6)


def test_limits_that_nothing_keeps_are_a_fault_of_the_mechanism(capsys):
    requested = [*SWING, "--least", "max A angle", "--limit", "range D angle >= 170 deg"]
    assert main([*requested, "--runs", "30", "--duration", "0.1"]) == AT_FAULT
    assert "No run keeps all limits." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "at least one goal"),
        (("--least", "max nothing"), "There is no quantity"),
        (("--least", "max A angle", "--method", "luck"), "no method luck"),
        (("--least", "max A angle", "--out", "nowhere/best.mech"), "no folder"),
        (("--least", "max A angle", "--table", "runs.docx"), "no table"),
        (("--least", "max A angle", "--workers", "-1"), "at least 1"),
    ],
)
def test_invalid_optimisation_is_reported_in_one_sentence(capsys, options, words):
    assert main([*SWING, *options]) == UNREADABLE
    said = capsys.readouterr()
    assert words in said.err and "fault of mechstudio" not in said.err


def test_a_fit_prints_values_with_their_intervals(capsys, tmp_path):
    result = ms.simulate(ms.load(FOUR_BAR), duration=0.4, sample_step=0.01)
    data = tmp_path / "recording.csv"
    result.to_csv(data, "D angle")
    out = tmp_path / "fitted.mech"
    requested = ["fit", FOUR_BAR, str(data), "--vary", "L2=310..350 mm", "--workers", "1"]
    assert main([*requested, "--out", str(out)]) == DONE
    said = capsys.readouterr().out
    assert "L2 = 330 mm, between" in said and "95 % confidence" in said
    assert ms.load(out).parameters["L2"].value.value == pytest.approx(0.33, abs=1e-8)
    assert main([*requested, "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["rank"] == 1 and found["parameters"][0]["name"] == "L2"


def test_the_answer_of_a_fit_is_kept_in_a_table(capsys, tmp_path):
    """Every number of the answer, as text and as arrays, in the units that the rows name."""
    result = ms.simulate(ms.load(FOUR_BAR), duration=0.4, sample_step=0.01)
    data = tmp_path / "recording.csv"
    result.to_csv(data, "D angle")
    requested = [
        "fit",
        FOUR_BAR,
        str(data),
        "--vary",
        "L2=310..350 mm",
        "--vary",
        "omega=5..7 rad/s",
    ]
    requested += ["--workers", "1", "--json"]
    for ending in ("csv", "npz"):
        assert main([*requested, "--table", str(tmp_path / f"answer.{ending}")]) == DONE
    found = json.loads(capsys.readouterr().out.split("}\n{")[0] + "}")
    lines = (tmp_path / "answer.csv").read_text("utf-8").splitlines()
    above = [line for line in lines if line.startswith("# ")]
    assert above[0] == "# mechstudio fit of recording.csv" and above[1].endswith(" runs.")
    assert "D angle: 41 points, root mean square" in above[2]
    head, *rows = [line.split(",") for line in lines[len(above) :]]
    assert head[:6] == ["parameter", "value", "standard deviation", "95 % from", "95 % to", "unit"]
    assert head[6:] == ["correlation with L2", "correlation with omega"]
    for k, (row, unit) in enumerate(
        zip(rows, (("mm", 1e-3), ("deg/s", math.pi / 180)), strict=True)
    ):
        own = found["parameters"][k]
        assert (row[0], row[5]) == (own["name"], unit[0])
        numbers = [float(cell) * unit[1] for cell in row[1:5]]
        assert numbers == pytest.approx([own[n] for n in ("value", "deviation", "low", "high")])
        assert list(map(float, row[6:])) == pytest.approx(found["correlations"][k])
    with np.load(tmp_path / "answer.npz", allow_pickle=False) as arrays:
        assert arrays["value"][0] == float(rows[0][1]) and arrays["unit"].tolist() == [
            "mm",
            "deg/s",
        ]
    assert main([*requested, "--table", str(tmp_path / "answer.txt7")]) == UNREADABLE
    assert "is no table" in capsys.readouterr().err


def test_data_that_cannot_be_read_is_one_sentence(capsys, tmp_path):
    requested = ["fit", FOUR_BAR, str(tmp_path / "none.csv"), "--vary", "L2=310..350 mm"]
    assert main(requested) == UNREADABLE
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "none.csv").write_text("t,temperature\n0,1\n1,2\n2,3\n3,4\n")
    assert main(requested) == UNREADABLE
    assert "No column is a quantity" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "words"), [("t.parquet", "pyarrow"), ("t.pdf", "is no table")])
def test_an_unwritable_table_is_reported_before_the_runs(
    capsys, tmp_path, monkeypatch, name, words
):
    monkeypatch.setattr("mechstudio.cli.studies.options.find_spec", lambda _: None)
    monkeypatch.setattr("mechstudio.studies.optimisation.optimisation.Optimisation.run", None)
    assert main([*SWING, *TARGET, "--table", str(tmp_path / name)]) == UNREADABLE
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_data_in_the_letters_of_a_spreadsheet_is_read(capsys, tmp_path):
    lines = ["t [s],D angle [deg],Höhe"] + [f"{k / 50},{k},1" for k in range(11)]
    vary = ("--vary", "L2=310..350 mm", "--workers", "1")
    for encoding in ("cp1252", "utf-16"):
        path = tmp_path / "data.csv"
        path.write_bytes("\n".join(lines).encode(encoding))
        main(["fit", FOUR_BAR, str(path), *vary, "--runs", "30"])
        assert "L2 = " in capsys.readouterr().out


@pytest.mark.parametrize(("count", "shown"), [(1, [0]), (3, [0, 1, 2])])
def test_words_of_an_optimum_are_those_of_its_rows(count, shown):
    """Compromises are counted and each has its numbers; a single best one is not counted."""
    rows = np.arange(count) / 100.0
    swing = Measure("range D angle", "", "angle", "range")
    stroke = Measure("max stroke", "", "length", "max")
    table = StudyTable({"L2": "length"}, (swing, stroke), rows[:, None] + 0.3)
    table.measured = np.column_stack([np.radians(60.0 + 100.0 * rows), 0.2 + rows])
    found = SimpleNamespace(table=table, rows=list(range(count)))
    made = SimpleNamespace(measures=(swing, stroke))
    lines = optimise._words(made, found).splitlines()
    head = ["One run."] if count == 1 else [f"{count} runs.", f"{count} compromises:"]
    texts = [
        f"L2 = {300 + 10 * k} mm, {swing.text} = {60 + k} deg, {stroke.text} = {200 + 10 * k} mm"
        for k in shown
    ]
    assert lines == head + texts
    many = SimpleNamespace(table=table, rows=[0] * (2 * optimise.MOST_SHOWN + 1))
    listed = optimise._words(made, many).splitlines()[len(head[:1]) + 1 :]
    assert len(listed) == math.ceil((2 * optimise.MOST_SHOWN + 1) / 3)
    table.reasons = {0: "stuck"}
    assert optimise._words(made, found).splitlines()[1] == "One run failed."


def test_progress_of_a_search_has_its_best_in_the_unit_of_the_goal():
    made = SimpleNamespace(
        measures=(Measure("a", "", "angle", "max"), Measure("b", "", "length", "max"))
    )
    words = optimise._progress(made)
    now = SimpleNamespace(runs=1200, most=3000, failed=7, rate=41.6, best=None)
    assert words(now) == "1,200 of at most 3,000 runs, 7 failed, 42 per second, best –"
    now.best = (math.radians(12.3456), 1.0)
    assert words(now).endswith("best 12.346 deg")
