"""Diagrams of runs against closed forms: frequency of a pendulum, ellipse of an oscillator, one
point of a driven one.
"""

import csv
import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.curves.operations import NotPossible, spectrum_peaks

G, LENGTH = 9.81, 1.0
MASS, STIFFNESS, DRAWN = 2.0, 50.0, 0.1


def pendulum(swing):
    """A point mass on a massless arm of 1 m, released at an angle [rad] from the vertical."""
    m = ms.Builder("Pendulum")
    x, z = LENGTH * math.sin(swing), -LENGTH * math.cos(swing)
    bob = m.body("bob", at=(x, 0, z), mass=1.0, inertia=(0, 0, 0), center_of_mass=(0, 0, 0))
    m.pin("A", m.ground, bob, at=(0, 0, 0))
    return m.project()


def oscillator():
    """A mass on a slider between springs, released 100 mm from rest."""
    m = ms.Builder("Oscillator")
    block = m.body("block", at=(1 + DRAWN, 0, 0), mass=MASS, center_of_mass=(0, 0, 0))
    block.box(0.1, 0.1, 0.1)
    m.slider("S", m.ground, block, at=(1 + DRAWN, 0, 0), axis=(1, 0, 0))
    ends = ((0, 0, 0), (1 + DRAWN, 0, 0))
    m.force("spring", "k", a=m.ground, b=block, at=ends, stiffness=STIFFNESS, free_length=1.0)
    return m.project()


@pytest.fixture(scope="module")
def swinging():
    return ms.simulate(pendulum(0.02), duration=40, sample_step=0.02)


@pytest.fixture(scope="module")
def oscillating():
    return ms.simulate(oscillator(), duration=5, sample_step=0.01)


def test_a_pendulum_of_small_swing_has_its_peak_at_the_root_of_g_over_l(swinging):
    (spectrum,) = swinging.diagram("spectrum", "A angle")
    ((frequency, amplitude),) = spectrum_peaks(spectrum)
    assert frequency == pytest.approx(math.sqrt(G / LENGTH) / (2 * math.pi), rel=2e-4)
    assert amplitude == pytest.approx(0.02, rel=2e-3)


def test_an_oscillator_goes_round_the_ellipse_of_its_energy(oscillating):
    (phase,) = oscillating.diagram("phase", "S slide")
    inside = slice(3, -3)  # differences are of a lower order at both ends
    energy = 0.5 * MASS * phase.y**2 + 0.5 * STIFFNESS * (phase.x + DRAWN) ** 2
    assert energy[inside] == pytest.approx(0.5 * STIFFNESS * DRAWN**2, rel=1e-5)
    assert phase.y_dimension == "velocity" and len(phase.instants) == len(phase.x)


@pytest.mark.slow
def test_a_driven_crank_makes_one_point_of_its_section():
    m = ms.Builder("Yoke")
    crank = m.link("crank", (0, 0, 0), length=0.1, angle=0)
    pin = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.drive("drive 1", pin, speed=7.3)
    result = ms.simulate(m.project(), duration=12, sample_step=0.013)
    (section,) = result.diagram(
        "section",
        "Potential energy",
        over="Force in A: x, world axes",
        where="A angle",
        level=0.6,
    )
    # an angle counts on: it passes the level in every turn
    turns = (12 * 7.3 - 0.6) / (2 * math.pi)
    assert section.points and len(section.x) == math.floor(turns) + 1
    for values in (section.x, section.y):
        assert np.ptp(values) < 1e-6
    at = (0.6 + 2 * math.pi * np.arange(len(section.x))) / 7.3
    assert section.instants == pytest.approx(at, abs=1e-9)
    (back,) = result.diagram(
        "section", "Rate of A angle", over="A angle", where="A angle", direction="falling"
    )
    assert len(back.x) == 0


def test_an_angle_over_many_turns_begins_again_and_loses_nothing():
    m = ms.Builder("Crank")
    crank = m.link("crank", (0, 0, 0), length=0.1, angle=0)
    pin = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.drive("drive 1", pin, speed=-9.0)
    result = ms.simulate(m.project(), duration=3, sample_step=0.01)
    (one,) = result.diagram("over", "Potential energy", over="A angle")
    (many,) = result.diagram("over", "Potential energy", over="A angle", one_turn=False)
    known = np.isfinite(one.x)
    assert one.x[known].min() >= 0 and one.x[known].max() <= 2 * math.pi
    assert many.x.min() == pytest.approx(-27.0) and np.isfinite(many.x).all()
    cuts = np.flatnonzero(~known)
    assert (
        len(cuts) == 5 and np.all(one.x[cuts - 1] == 0) and np.all(one.x[cuts + 1] == 2 * math.pi)
    )
    assert np.all(np.diff(one.instants) >= 0) and "within one turn" in one.note
    added = np.concatenate((cuts - 1, cuts, cuts + 1))
    assert np.array_equal(np.delete(one.y, added), many.y)
    assert np.array_equal(np.delete(one.x, added), np.mod(many.x, 2 * math.pi))


def test_invalid_diagrams_raise_not_possible_with_the_reason(oscillating):
    with pytest.raises(NotPossible, match="There is no diagram pie"):
        oscillating.diagram("pie", "S slide")
    with pytest.raises(NotPossible, match="needs the names"):
        oscillating.diagram("section", "S slide", over="S slide")
    with pytest.raises(NotPossible, match="rising, falling or either"):
        oscillating.diagram(
            "section", "S slide", over="S slide", where="Rate of S slide", direction="up"
        )
    with pytest.raises(NotPossible, match="one dimension"):
        oscillating.plot("S slide", "Rate of S slide", diagram="spectrum")


def test_a_diagram_is_a_picture_with_titles_on_its_axes(oscillating, tmp_path):
    picture = oscillating.plot("S slide", diagram="phase", out=tmp_path / "phase.svg")
    assert "Phase plot of S slide" in picture and "S slide [mm]" in picture
    spectrum = oscillating.plot("S slide", diagram="spectrum", log=True)
    assert "Frequency [Hz]" in spectrum and "10⁰" in spectrum


def test_the_terminal_writes_diagrams_and_prints_their_peaks(tmp_path, capsys):
    from mechstudio.cli.main import main

    ms.save(oscillator(), tmp_path / "o.mech")
    ask = ["plot", str(tmp_path / "o.mech"), "--quantity", "S slide", "--duration", "8"]
    table = tmp_path / "s.csv"
    status = main([*ask, "--diagram", "spectrum", "--csv", str(table)])
    out = capsys.readouterr().out
    frequency = math.sqrt(STIFFNESS / MASS) / (2 * math.pi)
    reported = float(out.partition("peaks at ")[2].split()[0])
    assert status == 0 and reported == pytest.approx(frequency, rel=2e-3)
    rows = list(csv.reader(table.open(encoding="utf-8")))
    assert rows[0] == ["Frequency [Hz]", "S slide [mm]"]
    status = main([*ask, "--diagram", "over", "--csv", str(table)])
    assert status == 2 and "--over" in capsys.readouterr().err


def test_a_diagram_has_names_and_loads_and_nothing_else_unless_that_is_requested():
    project = ms.load(sample_folder() / "four_bar.mech")
    others = ("bodies", "colours", "transparent", "dimensions")
    plain = ms.diagram(project)
    assert plain == ms.diagram(project, names=True, loads=True, **dict.fromkeys(others, False))
    for choice in others:
        assert ms.diagram(project, **{choice: True}) != plain, choice
    assert ms.diagram(project, names=False) != plain
