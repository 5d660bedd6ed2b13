"""Overlaps of solids over a run against closed forms: when a ball enters a wall, how deep it goes,
where, and what is left out.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.engine.analyses.interference import interference, search
from mechstudio.files.project_file import load


def passing(joined=False):
    """A ball of 0.1 m that flies along x through a wall of 0.2 m, and a box far away."""
    m = ms.Builder("Ball and wall")
    ball = m.body("ball", (0, 0, 0)).sphere("0.1 m")
    wall = m.body("wall", (0, 0, 0)).box("0.2 m", "2 m", "2 m")
    m.body("far", (0, 0, 0)).box("0.1 m", "0.1 m", "0.1 m")
    if joined:
        m.pin("A", ball, wall, at=(0, 0, 0))
    project = m.project()
    times = np.linspace(0.0, 2.0, 2001)
    poses = np.zeros((len(times), 3, 7))
    poses[:, :, 3] = 1.0
    poses[:, 0, 0] = times - 1.0  # 1 m/s
    poses[:, 2, 2] = 50.0
    return project, times, poses


def test_a_ball_that_passes_through_a_wall():
    project, times, poses = passing()
    found = interference(project, times, poses)
    assert found.instants == 2001 and found.problem == ""
    (overlap,) = found.overlaps
    assert overlap.bodies == ("ball", "wall")
    # from where its nearest point enters the wall to where its last one leaves it
    assert overlap.begin == pytest.approx(0.8, abs=2e-3)
    assert overlap.end == pytest.approx(1.2, abs=2e-3)
    # deepest when its middle is in that of the wall: out by radius and half a wall
    assert overlap.deepest == pytest.approx(1.0, abs=2e-3)
    assert overlap.depth == pytest.approx(0.2, abs=2e-3)
    assert np.abs(np.array(overlap.point)[1:]).max() < 1e-6


def test_two_passes_are_two_overlaps_and_gaps_of_numbers_harm_nothing():
    project, times, poses = passing()
    poses[:, 0, 0] = np.sin(2 * np.pi * times) - 1.0  # to the wall's middle and away, twice
    poses[77] = np.nan
    found = interference(project, times, poses)
    assert [o.bodies for o in found.overlaps] == [("ball", "wall")] * 2
    assert [o.deepest for o in found.overlaps] == pytest.approx([0.25, 1.25], abs=2e-3)


def test_joined_bodies_are_left_out_and_touching_is_none():
    project, times, poses = passing(joined=True)
    assert interference(project, times, poses).overlaps == ()
    project, times, poses = passing()
    poses[:, 0, 0] = -0.2 + 1e-6  # the ball leans at the wall
    assert interference(project, times, poses).overlaps == ()


def test_bodies_without_solids_and_progress_are_reported():
    m = ms.Builder("Points")
    m.body("a", (0, 0, 0), mass=1, inertia=(1, 1, 1))
    found = interference(m.project(), np.zeros(1), np.zeros((1, 1, 7)))
    assert "no two bodies" in found.problem and found.cure
    project, times, poses = passing()
    shares = [share for share, _ in search(project, times, poses)]
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 50


def test_a_drawn_mechanism_at_its_drawn_pose():
    project = load(sample_folder() / "four_bar.mech").project
    bodies = project.mechanism.bodies.values()
    pose = np.array([[(*p, *q) for p, q in (b.placement.pose for b in bodies)]])
    found = interference(project, np.zeros(1), pose)
    assert found.problem == "" and found.instants == 1
