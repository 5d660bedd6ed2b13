"""Laws over the time as exports lay them out: between their instants, and where they end."""

import json
import re

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.laws import evaluation
from mechstudio.symbolic.exports.fmu import fmu
from mechstudio.symbolic.exports.law_functions import of_course
from mechstudio.symbolic.exports.simulation import knots
from mechstudio.symbolic.exports.simulation.motion import FOREVER, motion_of
from tests.symbolic.samples import SAMPLES

fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed: pip install fmpy")
compiled = pytest.mark.skipif(not fmu.compiler(), reason="no C compiler here: apt install gcc")


def shaken(text, quantity="position", duration="5 s", start=None):
    m = ms.Builder("Shaken", gravity=(0, -9.81, 0))
    base = m.body("base", (0, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    bob = m.body("bob", (0.1, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    rail = m.slider("rail", m.ground, base, at=(0, 0, 0), axis=(0, 1, 0))
    m.pin("pin", base, bob, at=(0, 0, 0), axis=(0, 0, 1))
    m.drive("shaker", rail, **{quantity: text})
    m.run(duration=duration, start=start)
    return m.project()


def course_of(text, quantity="position"):
    project = shaken(text, quantity)
    (course,) = motion_of(ms.derive(project, coordinates="joint")).courses
    (drive,) = project.mechanism.drives.values()
    return course, drive.law


@pytest.mark.parametrize("text", ["20 mm*sin(180 rad/s*t)", "0.1 m*exp(-3 Hz*t)*sin(40 rad/s*t)"])
def test_a_quick_law_is_laid_out_closely(text, monkeypatch):
    course, law = course_of(text)
    times = np.linspace(0.0, 5.0, 7919)
    truth = np.array(evaluation.jets(law, times))

    def misses(course):
        pieces = of_course(course)
        found = np.array([pieces.at(t) for t in times])
        return np.abs(found - truth).max(axis=0) / np.abs(truth).max(axis=0)

    assert (misses(course) < (1e-8, 1e-7, 1e-5)).all() and course.miss <= 1.0
    monkeypatch.setattr(knots, "MOST", 0)
    rough, _ = course_of(text)
    assert misses(rough)[2] > 1e-4 and rough.miss > 1.0


def test_a_rate_that_is_quick_is_integrated_closely():
    course, _ = course_of("0.5 m/s*cos(90 rad/s*t)", "speed")
    pieces = of_course(course)
    for t in np.linspace(0.0, 5.0, 313):
        f, g, h = pieces.at(t)
        assert f - course.values[0] == pytest.approx(0.5 / 90 * np.sin(90 * t), abs=1e-9)
        assert g == pytest.approx(0.5 * np.cos(90 * t), abs=1e-7)
        assert h == pytest.approx(-45 * np.sin(90 * t), abs=1e-3)


def test_a_law_that_is_too_quick_is_said():
    d = ms.derive(shaken("1 mm*sin(100000 rad/s*t)"))
    assert "too quick or too broken" in motion_of(d).laid
    assert "too quick or too broken" in d.export("notebook")
    assert "too quick or too broken" not in d.export("modelica")  # it has the law itself


def test_only_laws_that_bend_end():
    assert motion_of(ms.derive(shaken("0.1 m/s*t"))).laws_end == FOREVER
    motion = motion_of(ms.derive(shaken("0.1 m*sin(1 rad/s*t)")))
    assert motion.laws_end == 5.0 and "laid out up to 5 s" in motion.laid


@compiled
def test_an_fmu_moves_as_a_quick_drive_and_stops_where_its_law_ends(tmp_path, capfd):
    project, path = shaken("20 mm*sin(180 rad/s*t)", duration="1 s"), str(tmp_path / "a.fmu")
    ms.export_equations(project, path, coordinates="joint")
    found = fmpy.simulate_fmu(path, stop_time=1.0, output_interval=0.1)
    run = ms.simulate(project, 1.0, 0.1, tolerance=1e-12)
    angle = next(n for n in found.dtype.names if n.startswith("theta"))
    assert np.abs(found[angle] - run.joint_coordinates["pin"][:, 0]).max() < 1e-6
    with pytest.raises(fmpy.fmi1.FMICallException):
        fmpy.simulate_fmu(path, stop_time=1.5, output_interval=0.1)
    assert "beyond the stop time" in capfd.readouterr().out


def test_a_drawing_that_starts_later_at_rest_is_no_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(fmu, "COMPILERS", ())
    project = shaken("0.1 m*(t - 1 s)^2/(1 s^2)", start="1 s")
    motion = motion_of(ms.derive(project))
    assert not any(motion.v) and motion.is_started
    assert "start of the drawing at 1 s" in motion.remark
    assert ms.convert(project, tmp_path / "a.fmu")


@pytest.mark.slow
@compiled
def test_a_drive_of_a_joint_that_closes_a_loop_moves_it(tmp_path):
    """Its row holds the sine of what it prescribes, and the rate is the law's none the less."""
    path = str(tmp_path / "a.fmu")
    project = ms.load(SAMPLES[0].with_name("robot_vacuum.mech"))
    ms.export_equations(project, path, coordinates="joint")
    said = fmpy.read_model_description(path).description
    reported = [float(x) for x in re.findall(r"at most (\S+)", said)]
    assert len(reported) == 2 and max(reported) < 1e-7
    d = ms.derive(project, coordinates="joint")
    motion = motion_of(d)
    prescribed = [k for k, row in enumerate(d.rows) if "prescribed" in row.label]
    assert len(prescribed) == 4 and sorted(motion.driven) == prescribed
    v = np.array(motion.v)
    Cq = d.function()(np.array(motion.q), v, 0.0, d.values)[4]
    for k, course in motion.driven.items():
        assert Cq[k] @ v == pytest.approx(course.rates[0], abs=1e-9)
    assert f"DRIVEN = { ({k: c.name for k, c in motion.driven.items()})!r}" in "".join(
        "".join(cell["source"]) for cell in json.loads(d.export("notebook"))["cells"]
    )


@compiled
def test_a_force_that_follows_the_time_acts(tmp_path):
    """The number of a law stands in the equations as a symbol of its own."""
    path = str(tmp_path / "a.fmu")
    project = ms.load(SAMPLES[0].with_name("vibration_absorber.mech"))
    (course,) = motion_of(ms.derive(project, coordinates="joint")).courses
    assert course.name == "F_shaking_force" and max(course.values) == pytest.approx(5.5, rel=1e-4)
    ms.export_equations(project, path, coordinates="joint")
    (reported,) = re.findall(r"at most (\S+)", fmpy.read_model_description(path).description)
    assert float(reported) < 1e-8
