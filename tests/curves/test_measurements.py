"""Measured data against runs: a run's own export, shifted by a known time and with noise, gives
shift and RMS back.
"""

import json
import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.curves.course import Course
from mechstudio.curves.measurements.comparison import best_shift, compared
from mechstudio.curves.measurements.table import DataUnreadable, matched, read
from mechstudio.curves.quantities import find

NOISE = np.random.default_rng(7)


@pytest.fixture(scope="module")
def result():
    return ms.simulate(ms.load("samples/four_bar.mech"), duration=4.0, sample_step=0.01)


def exported(result, path, late, noise, names=("A angle", "D angle"), rate=7e-3, part=(0.5, 3.0)):
    """A file of these quantities as a clock that is late [s] and a rough sensor saw them.

    noise: standard deviation over the spread.  Returns the noise of each column in SI.
    """
    times = np.arange(*part, rate)
    columns, added = [times + late], []
    heads = ["time [s]"]
    for name in names:
        course = result.courses(name)[0]
        from mechstudio.curves.course import resampled

        values = resampled(course, times, "smooth").values
        error = noise * np.std(values) * NOISE.standard_normal(len(times))
        added.append(error)
        columns.append(np.degrees(values + error))
        heads.append(f"{name} [deg]")
    lines = [",".join(heads), *(",".join(map(repr, row)) for row in np.array(columns).T.tolist())]
    path.write_text("\n".join(lines))
    return added


@pytest.mark.thinned(5)
@pytest.mark.parametrize("late", [0.0, 0.1234, -0.4, 12.0, -1000.0])
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_run_that_was_shifted_and_made_noisy_comes_back(result, tmp_path, late, noise):
    added = exported(result, tmp_path / "data.csv", late, noise)
    for found, error in zip(result.against(tmp_path / "data.csv"), added, strict=True):
        # a standard error of the shift: noise over slope and the root of the count
        assert found.shift == pytest.approx(-late, abs=2e-6 if not noise else 2e-3)
        rms = float(np.sqrt(np.mean(error**2)))
        assert found.rms == pytest.approx(rms, rel=0.02, abs=3e-6)
        assert found.residual.times[0] == pytest.approx(0.5, abs=3e-3)
        if noise:
            assert found.largest == pytest.approx(np.abs(error).max(), rel=0.1)


def test_smallest_of_equal_shifts_of_a_periodic_motion_is_taken():
    t = np.arange(0.0, 10.0, 0.01)
    run = Course(t, np.sin(2 * math.pi * t))
    data = Course(t[:400] + 0.2, np.sin(2 * math.pi * t[:400]))
    assert best_shift([(data, run)]) == pytest.approx(-0.2, abs=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_few_rough_values_do_not_choose_a_far_shift_by_chance(seed):
    t = np.arange(0.0, 6.0, 0.01)
    run = Course(t, np.sin(2 * math.pi * t / 0.65))
    own = np.arange(1.0, 4.2, 0.033)
    noise = 0.15 * np.random.default_rng(seed).standard_normal(len(own))
    data = Course(own + 0.1, np.sin(2 * math.pi * own / 0.65) + noise)
    assert best_shift([(data, run)]) == pytest.approx(-0.1, abs=0.01)


def test_a_given_shift_is_kept(result, tmp_path):
    exported(result, tmp_path / "data.csv", 0.25, 0.0)
    (first, _) = result.against(tmp_path / "data.csv", shift=-0.25)
    assert first.shift == -0.25 and first.rms < 1e-5


def test_every_way_to_write_a_table():
    for text in (
        "time [s],A angle [deg]\n0,1.5\n1,\n2,-3\n",
        "\ufefftime (s);A angle (deg)\n0;1,5\n1;\n2;−3\n",
        'time [s]\t"A angle [deg]"\r\n0\t1.5\r\n\r\n1\tnan\r\n2\t-3\r\n',
    ):
        t, a = read(text)
        assert (t.name, t.unit, a.name, a.unit) == ("time", "s", "A angle", "deg")
        np.testing.assert_array_equal(a.values, [1.5, math.nan, -3.0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line of names"),
        ("time [s]\n0\n1\n2\n", "one name"),
        ("time [s],A angle [deg]\n0,1\n1,high\n2,3\n", "Line 3: high of A angle"),
        ("\ntime [s],A angle [deg]\n\n0,1\n1,high\n2,3\n", "Line 5: high of A angle"),
    ],
)
def test_unreadable_tables_raise_with_the_reason(text, words):
    with pytest.raises(DataUnreadable, match=words):
        read(text)


def test_columns_are_matched_by_name_and_unit():
    project = ms.load("samples/four_bar.mech")
    text = (
        "t [ms],A angle [deg],D angle [kg],pot,B angle\n0,180,1,1,2\n1000,0,1,1,2\n2000,0,1,1,2\n"
    )
    found, others = matched(project, read(text), {"pot": "Kinetic energy"})
    assert [m.column for m in found] == ["A angle", "pot", "B angle"]
    np.testing.assert_allclose(found[0].course.times, [0.0, 1.0, 2.0])
    np.testing.assert_allclose(found[0].course.values, [math.pi, 0.0, 0.0])
    assert len(others) == 1 and others[0].startswith("D angle [kg]")
    with pytest.raises(DataUnreadable, match="No column is the time"):
        matched(project, read("A angle [deg],x\n1,2\n1,2\n1,2\n"))
    with pytest.raises(DataUnreadable, match="No column is a quantity"):
        matched(project, read("t,x\n1,2\n1,2\n1,2\n"))


def test_data_that_have_nothing_in_common_are_reported(result):
    quantity = find(result.project, "A angle")
    course = Course(np.array([0.0, 1.0, 2.0]), np.array([1.0, math.nan, math.nan]))
    from mechstudio.curves.measurements.table import Matched

    with pytest.raises(DataUnreadable):
        compared([Matched("A angle", quantity, course)], lambda q: result.courses(q.key)[0])


def test_data_too_long_for_a_search_are_reported():
    t = np.linspace(0.0, 5.0, 501)
    run = Course(t, np.exp(-t) * np.sin(9 * t))
    long = np.arange(0.0, 1000.0, 0.01)
    data = Course(long, np.interp(long - 700.0, run.times, run.values, left=0.0, right=0.0))
    with pytest.raises(DataUnreadable, match="200 times as long as the run"):
        best_shift([(data, run)])


def test_the_terminal_prints_the_same(result, tmp_path, capsys):
    exported(result, tmp_path / "data.csv", 0.1, 0.0)
    command = ["simulate", "samples/four_bar.mech", "--duration", "4", "--sample-step", "0.01"]
    assert main.main([*command, "--against", str(tmp_path / "data.csv"), "--json"]) == 0
    (first, _) = json.loads(capsys.readouterr().out)["against"]
    assert first["shift"] == pytest.approx(-0.1, abs=1e-5) and first["unit"] == "rad"
    assert main.main([*command, "--against", str(tmp_path / "data.csv")]) == 0
    assert "A angle against the run: RMS" in capsys.readouterr().out
    assert main.main([*command, "--against", str(tmp_path / "none.csv")]) == 2
