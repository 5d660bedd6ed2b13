"""Curves, tables and pictures of results from Python."""

import csv
import warnings

import numpy as np
import pytest

import mechstudio as ms
from tests.curves.test_statistics import driven_four_bar


@pytest.fixture(scope="module")
def result():
    return ms.simulate(driven_four_bar(), duration=0.3, sample_step=0.02)


def test_courses_are_those_of_the_run_even_of_another_method():
    project = driven_four_bar()
    coarse = ms.simulate(project, duration=0.3, sample_step=0.02, integrator="rk4", step=0.02)
    (x,) = coarse.courses("Velocity of crank: resultant")
    assert np.array_equal(x.times, coarse.time)
    # the analysis runs as the run did: its times and places are those of the samples
    (a,) = coarse.courses("measured/kinematics/-/coupler/xx")
    assert np.array_equal(a.values, coarse.position("coupler")[:, 0])
    with pytest.raises(ValueError, match="the nearest are"):
        coarse.courses("Torque of drive 2")


def test_a_run_that_a_condition_ended_has_courses_up_to_its_end():
    done = ms.simulate(driven_four_bar(), duration=3, sample_step=0.02, until=["A angle > 130 deg"])
    assert done.ended_by is not None
    force, torque = done.courses("Force in B", "Torque of drive 1")
    assert force.times[-1] <= done.time[-1] + 1e-9 and torque.times[-1] <= done.time[-1] + 1e-9
    assert force.times[-1] > done.time[-1] - 0.021


def test_table_and_picture(result, tmp_path):
    result.to_csv(tmp_path / "t.csv", "Speed of coupler", "Torque of drive 1", units="m-N-rad")
    rows = list(csv.reader((tmp_path / "t.csv").open(encoding="utf-8")))
    assert rows[0] == [
        "time [s]",
        "Velocity of coupler: resultant [m/s]",
        "Torque of drive 1 [N·m]",
    ]
    speed, torque = result.courses("Speed of coupler", "Torque of drive 1")
    numbers = np.array(rows[1:], float)
    assert np.array_equal(numbers[:, 1], speed.values)
    assert np.array_equal(numbers[:, 2], torque.values)
    result.to_npz(tmp_path / "t.npz", "Speed of coupler")
    with np.load(tmp_path / "t.npz") as back:
        assert np.array_equal(back["Velocity of coupler: resultant"], speed.values)
    # where nothing is requested, how the joints stand and the energies
    result.to_csv(tmp_path / "t.csv", units="m-N-rad")
    rows = list(csv.reader((tmp_path / "t.csv").open(encoding="utf-8")))
    angles = [f"{name} angle [rad]" for name in result.joint_coordinates]
    energies = [f"{name} energy [J]" for name in ("Kinetic", "Potential", "Total")]
    assert rows[0] == ["time [s]", *angles, *energies]
    numbers = np.array(rows[1:], float)
    joints = np.column_stack([*result.joint_coordinates.values()])
    np.testing.assert_allclose(numbers[:, 1:-3], joints, rtol=1e-12)
    np.testing.assert_allclose(numbers[:, -3] + numbers[:, -2], numbers[:, -1], rtol=1e-9)
    text = result.plot("Torque of drive 1", out=tmp_path / "t.svg", title="My torque")
    assert (tmp_path / "t.svg").read_text("utf-8") == text and "My torque" in text
    with pytest.raises(ValueError, match="no theme"):
        result.plot("A angle", theme="blue")
    with pytest.raises(ValueError, match="needs a run and the name"):
        result.plot()


def test_pandas_or_a_sentence(result):
    try:
        import pandas  # noqa: F401
    except ImportError:
        with pytest.raises(RuntimeError, match="pip install pandas"):
            result.to_pandas("A angle")
        return
    frame = result.to_pandas("A angle")
    assert list(frame.columns) == ["A angle [rad]"] and frame.index.name == "time [s]"
    assert np.array_equal(frame["A angle [rad]"].to_numpy(), result.joint_coordinates["A"][:, 0])


def test_xarray_or_a_sentence(result):
    try:
        import xarray  # noqa: F401
    except ImportError:
        with pytest.raises(RuntimeError, match="pip install xarray"):
            result.to_xarray("A angle")
        return
    angle = result.to_xarray("A angle")["A angle"]
    assert angle.dims == ("time",) and angle.attrs["units"] == "rad"
    assert np.array_equal(angle.to_numpy(), result.joint_coordinates["A"][:, 0])
    assert np.array_equal(angle["time"].to_numpy(), result.time)


@pytest.mark.slow
def test_motor_torque_of_three_crank_lengths(tmp_path):
    """The job of a designer, without a window: which crank needs the greatest torque?"""
    runs = {}
    for length in ("100 mm", "115 mm", "130 mm"):
        m = ms.Builder("Four-bar")
        crank = m.link("crank", (0, 0, 0), length=length, angle="120 deg")
        coupler = m.link("coupler", crank.end, length="330 mm", angle="25 deg")
        rocker = m.link("rocker", ("340 mm", 0, 0), length="260 mm", angle="70 deg")
        pin = m.pin("A", m.ground, crank, at=crank.start)
        m.pin("B", crank, coupler, at=crank.end)
        m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
        m.pin("D", m.ground, rocker, at=rocker.start)
        m.drive("drive 1", pin, speed="10 rad/s")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # typed angles give way
            project = ms.assemble(m.project())
        runs[f"crank {length}"] = ms.simulate(project, duration=0.65, sample_step=0.01)
    picture = ms.plot(runs, "Torque of drive 1", out=tmp_path / "torque.pdf")
    assert all(name in picture for name in runs) and "N·m" in picture
    assert (tmp_path / "torque.pdf").read_bytes().startswith(b"%PDF")
    peaks = [np.abs(r.courses("Torque of drive 1")[0].values).max() for r in runs.values()]
    assert peaks == sorted(peaks) and peaks[0] > 0.1
