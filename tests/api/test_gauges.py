"""Gauges of a moving mechanism against closed forms."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.elements import remove

CRANK, COUPLER, ROCKER, BASE = 0.13, 0.33, 0.26, 0.34


def four_bar():
    """A driven four-bar with gauges between its pins and links."""
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length=CRANK, angle="60 deg")
    coupler = m.link("coupler", crank.end, length=COUPLER, angle="20 deg")
    rocker = m.link("rocker", (BASE, 0, 0), length=ROCKER, angle="80 deg")
    a = m.pin("A", m.ground, crank, at=crank.start)
    b = m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    d = m.pin("D", m.ground, rocker, at=rocker.start)
    m.drive("turns", a, speed=2.0)
    m.gauge("diagonal", b, d)
    m.gauge("B over D", d, b, type="along_z")
    m.gauge("height", ms.plane_on(m.ground, (0, 0, 0.5), (0, 0, 1)), b)
    m.gauge("from base", ms.axis_on(m.ground, (0, 0, 0), (1, 0, 0)), b)
    m.gauge("same axes", a, d, type="angle")
    along = ms.axis_on(crank, crank.start, np.subtract(crank.end, crank.start).tolist())
    m.gauge("lean", ms.axis_on(m.ground, (0, 0, 0), (1, 0, 0)), along, type="angle")
    return m.project()


@pytest.fixture(scope="module")
def project():
    return four_bar()


def test_gauges_along_a_motion_follow_the_law_of_cosines(project):
    run = ms.simulate(project, duration=4.0, sample_step=0.02)
    names = ("diagonal", "B over D", "height", "from base", "same axes", "lean", "A angle")
    diagonal, over, height, base, axes, lean, angle = (c.values for c in run.courses(*names))
    c, s = np.cos(angle), np.sin(angle)
    cosines = np.sqrt(CRANK**2 + BASE**2 - 2 * CRANK * BASE * c)
    assert np.ptp(angle) > 2 * math.pi
    # a drive from a typed angle: what the gauge reads is the crank's place and no integral
    assert np.abs(diagonal - cosines).max() < 1e-9
    assert np.abs(over - CRANK * s).max() < 1e-9
    assert np.abs(height - (CRANK * s - 0.5)).max() < 1e-9
    assert np.abs(base - np.abs(CRANK * s)).max() < 1e-9
    assert np.abs(axes).max() < 1e-9
    assert np.abs(lean - np.arccos(np.clip(c, -1, 1))).max() < 1e-7


def test_gauges_stay_in_the_file_and_go_with_what_they_are_laid_on(project):
    again = decode(encode(project))
    assert not again.findings
    assert again.project.gauges == project.gauges
    left = remove(project, "D")
    assert {g.name for g in left.gauges} == {"height", "from base", "lean"}
    renamed = decode(
        encode(project).replace(b'"kind": "axis", "joint": "D"', b'"kind": "axis", "joint": "E"')
    )
    assert "same axes" in renamed.findings[0].message
    assert encode(renamed.project) != encode(project)
    assert len(renamed.project.unread) == 1


def test_gauges_refuse_what_they_cannot_measure():
    m = ms.Builder()
    bar = m.link("bar", (0, 0, 0), length=1, angle=0)
    with pytest.raises(ValueError, match="cannot be laid on"):
        m.gauge("g", bar, ms.point_on(m.ground, (0, 0, 0)))
    with pytest.raises(ValueError, match="no length"):
        m.gauge("g", ms.axis_on(bar, (0, 0, 0), (0, 0, 0)), bar)
    m.gauge("a b", bar, m.ground)
    assert m.gauge("a_b", bar, m.ground) != "a_b"
    with pytest.raises(ValueError, match="given twice"):
        m.gauge("a b", bar, m.ground)
