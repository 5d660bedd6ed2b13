"""Drawings of synthesised linkages run through their points."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.synthesis import path
from mechstudio.synthesis.drawing import drawing
from mechstudio.synthesis.linkages import LINKAGES
from mechstudio.synthesis.refinement import Task

LINE = 0.001 * (20 + 1j * np.arange(20, 46, 5))


@pytest.mark.thinned(2)
@pytest.mark.parametrize("type", list(LINKAGES))
def test_a_drawing_that_runs_goes_through_the_points(type):
    task = Task(transmission=math.sin(math.radians(8)))
    best = path.generate(LINE, type, task, starts=40 if type == "slider_crank" else 6)[0]
    project = drawing(best.linkage, LINE)
    assert ms.check(project).structure.mobility == 1
    result = ms.simulate(project, sample_step=2 * math.pi / 4000)
    body = next(b for b in project.mechanism.bodies.values() if "tracer" in b.named_points())
    at = result.position(body.name, "tracer")
    assert np.ptp(at[:, 1]) < 1e-9  # in the front plane
    distances = [np.hypot(at[:, 0] - p.real, at[:, 2] - p.imag).min() for p in LINE]
    # half a step of the samples beside what is missed
    step = np.linalg.norm(np.diff(at, axis=0), axis=1).max()
    assert max(distances) < 3 * best.error + step
    # at the crank angles of the answer, which come in their order
    angles = np.abs(best.linkage.angles - best.linkage.angles[0])
    assert (np.diff(angles) > 0).all()
    there = np.stack([np.interp(angles, result.time, at[:, k]) for k in (0, 2)])
    off = np.hypot(there[0] - LINE.real, there[1] - LINE.imag)
    assert off.max() < 3 * best.error + 1e-3 * step


def test_a_linkage_from_python_has_its_numbers_and_its_drawing():
    found = ms.synthesise_motion(
        [(0.0, 0.0), (0.05, 0.03), (0.11, 0.04), (0.18, 0.02)], [0.0, 0.2, 0.5, 0.9], most=3
    )
    assert len(found) == 3 and all(one.transmission >= math.radians(20) for one in found)
    project = found[0].project
    assert len(project.mechanism.bodies) == 3
    # distances of the pins as drawn are the numbers
    crank = ms.Builder.of(project).bodies["crank"]
    assert math.dist(crank.start, crank.end) == pytest.approx(found[0].numbers["OA"])


@pytest.mark.slow
def test_drawings_of_a_crank_that_swings_run_through_their_poses_in_order():
    """To the last pose and no further, whichever way: beyond lies a dead centre."""
    points = [(0.0, 0.0), (0.05, 0.03), (0.11, 0.04), (0.18, 0.02)]
    found = ms.synthesise_motion(points, [0.0, 0.2, 0.5, 0.9], most=6)
    assert not all(one.turns for one in found)
    for one in found:
        result = ms.simulate(one.project, sample_step="2 ms")
        at = result.position("coupler", "tracer")[:, [0, 2]]
        first = 0
        for point in points:  # each after the one before
            gaps = np.linalg.norm(at[first:] - point, axis=1)
            assert gaps.min() < np.linalg.norm(np.diff(at, axis=0), axis=1).max()
            first += int(gaps.argmin())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"transmission": math.radians(170)}, "between 0 and 90 deg, not at 170 deg"),
        ({"transmission": -0.1}, "between 0 and 90 deg"),
        ({"seed": -1}, "A seed is 0"),
        ({"most": 0}, "at least 1, not 0"),
        ({"lengths": (0.2, 0.1)}, "not below the greatest"),
        ({"region": (1.0, 0.0, 0.0, 1.0)}, "has no area"),
    ],
)
def test_conditions_that_no_linkage_can_have_are_one_sentence(given, words):
    with pytest.raises(ValueError, match=words):
        ms.synthesise_path([(0.0, 0.0), (0.1, 0.0), (0.2, 0.1)], **given)


def test_a_function_needs_a_base():
    with pytest.raises(ValueError, match="base is a length above zero"):
        ms.synthesise_function([0.0, 0.5, 1.0], [0.0, 0.2, 0.5], base=0.0)
