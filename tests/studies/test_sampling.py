"""Sentences of a study on its sample step, against runs with a quarter of it."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.studies.sampling import sampling_remarks

VARY = ["L2=300..360 mm:3"]


@pytest.fixture(scope="module")
def four_bar():
    return ms.load("samples/four_bar.mech")


def run(project, measure, step, **more):
    return ms.study(project, VARY, measure, workers=1, duration="1 s", sample_step=step, **more)


@pytest.mark.slow
def test_a_missed_peak_is_reported_with_the_change_at_a_quarter_of_the_step(four_bar):
    """A peak of a force lies between samples: the share is that of two studies."""
    coarse, fine = (run(four_bar, ["max Force in A"], step) for step in ("40 ms", "10 ms"))
    ends = [int(coarse.measured.argmin()), int(coarse.measured.argmax())]
    share = np.abs(coarse.measured - fine.measured)[ends].max() / coarse.measured.max()
    (remark,) = coarse.remarks
    assert float(re.search(r"by ([\d.]+) % of its value", remark)[1]) == pytest.approx(
        100 * share, rel=0.05
    )
    assert share > 1e-3


def test_measures_independent_of_the_sample_step_get_no_remark(four_bar):
    """A maximum of an angle comes from values and rates; the last value is a sample."""
    assert run(four_bar, ["max D angle", "final D angle"], "5 ms").remarks == ()


@pytest.mark.slow
def test_a_narrow_spread_counts(four_bar):
    """A tolerance of a hundredth of a millimetre moves the force by less than the samples do."""
    found = ms.study(
        four_bar,
        ["L2=329.99..330.01 mm:3"],
        ["max Force in A"],
        workers=1,
        duration="1 s",
        sample_step="10 ms",
    )
    (remark,) = found.remarks
    assert "of its spread over the runs" in remark


def test_runs_that_fail_are_left_out(four_bar):
    found = ms.study(four_bar, ["L2=330..3000 mm:2"], ["max Force in A"], workers=1, duration="1 s")
    assert len(found.reasons) == 1 and len(found.remarks) == 1


@pytest.mark.slow
def test_the_terminal_says_it(capsys, tmp_path):
    out = tmp_path / "table.csv"
    requested = ["study", "samples/four_bar.mech", "--vary", VARY[0], "--measure", "max Force in A"]
    options = ["--duration", "1 s", "--workers", "1", "--sample-step", "40 ms"]
    assert main.main([*requested, *options, "--out", str(out)]) == 0
    assert "A quarter of the sample step changes max Force in A" in capsys.readouterr().out
    assert "# A quarter of the sample step" in out.read_text("utf-8")
    assert main.main([*requested, *options, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["remarks"]) == 1


def test_both_ends_of_a_measure_are_run_again(four_bar):
    """Only the greatest row changes with a shorter step, or only the least."""
    table = run(four_bar, ["max D angle"], "5 ms")
    values = table.measured[:, 0]
    for end in (int(values.argmin()), int(values.argmax())):
        changed = table.varied[end].tolist()

        def refined(row, changed=changed):
            place = table.varied.tolist().index(row)
            return SimpleNamespace(values=(values[place] * (1.1 if row == changed else 1.0),))

        (remark,) = sampling_remarks(table, SimpleNamespace(refined=refined))
        assert "of its value" in remark


def test_a_measure_that_is_zero_in_every_run_is_reported_too(four_bar):
    """With a quarter of the step it is not: all of its value changes, and none is divided by 0."""
    measures = (SimpleNamespace(text="max D angle"),)
    table = SimpleNamespace(measured=np.zeros((2, 1)), varied=np.zeros((2, 1)), measures=measures)
    for changed, words in ((0.5, "by 1e+02 % of its value"), (np.nan, "has no value"), (0.0, "")):
        refined = SimpleNamespace(refined=lambda row, v=changed: SimpleNamespace(values=(v,)))
        remarks = sampling_remarks(table, refined)
        assert len(remarks) == bool(words) and all(words in remark for remark in remarks)
