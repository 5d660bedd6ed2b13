"""mechstudio study: its words, its table, its JSON, and its refusals."""

import json

import pytest

from mechstudio.cli.main import main
from mechstudio.cli.outcome import AT_FAULT, DONE, UNREADABLE
from mechstudio.folders import sample_folder
from mechstudio.studies import scheduling

FOUR_BAR = str(sample_folder() / "four_bar.mech")
SWING = ("study", FOUR_BAR, "--duration", "0.2", "--workers", "1", "--measure", "final D angle")


def test_the_number_of_runs_comes_first_and_each_measure_has_a_line(capsys, tmp_path):
    out = tmp_path / "table.csv"
    requested = [*SWING, "--vary", "L2=310..350 mm:3", "--vary", "L3=IT9", "--samples", "4"]
    assert (
        main([*requested, "--seed", "5", "--measure", "max A angle <= 1 rad", "--out", str(out)])
        == DONE
    )
    said = capsys.readouterr()
    assert said.out.startswith("12 runs.\n") and not said.err
    assert "final D angle: " in said.out and "0 runs keep all limits." in said.out
    lines = out.read_text().splitlines()
    assert "seed 5" in "".join(line for line in lines if line.startswith("#"))
    assert len([line for line in lines if not line.startswith("#")]) == 13


def test_json_has_every_row_in_si(capsys):
    assert main([*SWING, "--vary", "L2=310|350 mm", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["varied"] == [[0.31], [0.35]]
    assert found["measures"] == [{"text": "final D angle", "dimension": "angle"}]
    assert len(found["measured"]) == len(found["systems"]) == 2 and not found["failed"]


def test_indices_are_printed_for_each_parameter(capsys):
    requested = [*SWING, "--vary", "L2=320..340 mm", "--vary", "omega=5..7 rad/s"]
    assert main([*requested, "--samples", "8", "--method", "sensitivity"]) == DONE
    out = capsys.readouterr().out
    assert "final D angle through L2: first-order index" in out and "through omega" in out


def test_failed_runs_are_reported_and_counted(capsys):
    assert main([*SWING, "--vary", "L2=330|1000 mm"]) == AT_FAULT
    said = capsys.readouterr()
    assert "One run failed:" in said.out and said.err.count("mechstudio: ") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--vary", "L9=1..2"), "varies no parameter"),
        (("--vary", "L2=IT9", "--measure", "max nothing"), "There is no quantity"),
        (("--vary", "L2=IT9", "--correlate", "L2"), "is no correlation"),
        (("--vary", "L2=IT9", "--out", "table.docx"), "is no table"),
        (("--vary", "L2=IT9", "--out", "nowhere/table.csv"), "no folder"),
        (("--vary", "L2=IT9", "--workers", "-1"), "at least 1"),
        (("--vary", "L2=IT9", "--cluster", "tcp://127.0.0.1:9"), "cannot be reached"),
    ],
)
def test_invalid_study_is_reported_in_one_sentence(capsys, monkeypatch, options, words):
    monkeypatch.setattr(scheduling, "CONNECTING", "0.2s")
    assert main([*SWING, *options]) == UNREADABLE
    said = capsys.readouterr()
    assert words in said.err and "fault of mechstudio" not in said.err
