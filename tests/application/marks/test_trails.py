"""Trails of points over recordings: they lie where the engine says, cost what their picture is
large, and survive empty runs, gaps and what is far away.
"""

import numpy as np
import pytest

from mechstudio.api.runs import simulate
from mechstudio.application.marks.places import BodyPoint, body_point, positions, velocities
from mechstudio.application.marks.trails import Cut, Trail
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.files.project_file import load
from mechstudio.model.edits.marks import Place
from mechstudio.model.results.sample import sample_layout


@pytest.fixture(scope="module")
def project():
    return load(sample_folder() / "four_bar.mech").project


def turning(project, samples, turns, radius=0.2, middle=(0.0, 0.0, 0.0)):
    """A recording whose second body runs round a circle in the front plane."""
    recording = Recording(project)
    layout = sample_layout(project.mechanism)
    rows = np.zeros((samples, layout.width))
    rows[:, 0] = np.linspace(0.0, 10.0, samples)
    angle = 2 * np.pi * turns * np.linspace(0.0, 1.0, samples)
    for k in range(len(layout.bodies)):
        rows[:, 1 + 7 * k + 3] = 1.0
    at = layout.pose("coupler").start
    rows[:, at] = middle[0] + radius * np.cos(angle)
    rows[:, at + 1] = middle[1]
    rows[:, at + 2] = middle[2] + radius * np.sin(angle)
    recording.append(rows)
    recording.finish(True)
    return recording


def grown(trail, pixel=1e-3):
    trail.fit(pixel)
    while trail.is_behind:
        trail.grow()
    return trail.strokes()


ORIGIN = BodyPoint("coupler", (0.0, 0.0, 0.0), "P")


def test_positions_and_velocities_are_those_of_the_engine(project):
    m = project.mechanism
    at = body_point(m, Place("coupler", "P"))
    result, layout = simulate(project, duration=0.5, sample_step=1e-3), sample_layout(m)
    rows = np.zeros((len(result.time), layout.width))
    rows[:, 0] = result.time
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    rows[:, layout.velocities] = result.velocities.reshape(len(rows), -1)
    found, v = positions(layout, rows, at), velocities(layout, rows, at)
    middle = (found[2:] - found[:-2]) / (rows[2:, 0] - rows[:-2, 0])[:, None]
    # the pin between crank and coupler is one point of both bodies
    on_crank = body_point(m, Place(joint="B"))
    frames = m.joints["B"].frame_a, m.joints["B"].frame_b
    both = [positions(layout, rows, BodyPoint(f.body, m.frame_in_body(f)[0], "")) for f in frames]
    assert on_crank.body == frames[1].body
    assert np.abs(both[0] - both[1]).max() < 1e-9
    assert np.abs(middle - v[1:-1]).max() < 1e-3 * np.abs(v).max()


def test_a_long_run_costs_what_its_picture_is_large(project):
    few = grown(Trail(turning(project, 4000, 4), ORIGIN, "body", 0.0))
    many = grown(Trail(turning(project, 100_000, 100), ORIGIN, "body", 0.0))
    around = 2 * np.pi * 0.2 / 1e-3  # pixels
    assert 0.4 * around < len(few) and len(many) < 3 * around
    # and none of it is farther from the circle than a pixel
    assert np.abs(np.hypot(many.a[:, 0], many.a[:, 2]) - 0.2).max() < 1e-9
    # every pixel of the circle is covered
    angles = np.sort(np.arctan2(many.a[:, 2], many.a[:, 0]))
    assert np.diff(angles).max() * 0.2 < 6e-3
    # the first turn came first: as the time goes on, nothing is missing behind the cursor
    assert np.median(many.times) < 0.11


def test_trails_by_speed_and_of_the_last_seconds_are_complete(project):
    recording = turning(project, 4000, 4)
    assert grown(Trail(recording, ORIGIN, "time", 0.0)).times.max() > 9.9
    assert grown(Trail(recording, ORIGIN, "body", 2.0)).times.max() > 9.9
    shares = grown(Trail(recording, ORIGIN, "speed", 0.0)).shares
    assert shares.min() >= 0.0 and shares.max() <= 1.0


def test_trail_grown_in_slices_has_the_same_pieces():
    t = np.linspace(0, 30, 5000)
    path = np.column_stack([np.cos(t), 0.1 * t, np.sin(2 * t)])
    whole, sliced = Cut(0.01, True), Cut(0.01, True)
    whole.feed(path)
    for part in np.array_split(path, 37):
        sliced.feed(part)
    assert whole.count == sliced.count == 5000
    same = {tuple(p) for p in whole.pieces} ^ {tuple(p) for p in sliced.pieces}
    assert len(same) <= 0.02 * len(whole.pieces)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_runs_of_no_and_of_one_sample_show_nothing_wrong(project, count):
    recording = turning(project, count, 1) if count else Recording(project)
    strokes = grown(Trail(recording, ORIGIN, "speed", 0.0))
    assert len(strokes) == (1 if count == 2 and len(strokes) else 0)


def test_gaps_are_not_bridged(project):
    path = np.array([[0, 0, 0], [1, 0, 0], [np.nan, 0, 0], [3, 0, 0], [4, 0, 0]], float)
    cut = Cut(0.01, True)
    cut.feed(path)
    assert cut.pieces.tolist() == [[0, 1], [3, 4]]
    cut.feed(np.full((3, 3), np.inf))
    cut.feed(np.array([[5.0, 0, 0], [6.0, 0, 0]]))
    assert cut.pieces.tolist() == [[0, 1], [3, 4], [8, 9]]


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("away", [0.0, 1e5])
def test_tiny_huge_and_far_away(project, size, away):
    recording = turning(project, 2000, 2, 0.2 * size, (away * size, 0.0, 0.0))
    strokes = grown(Trail(recording, ORIGIN, "body", 0.0), 1e-3 * size)
    assert 300 < len(strokes) < 4000 and np.isfinite(strokes.a).all()


def test_another_zoom_is_cut_again_beside_the_old_one(project):
    trail = Trail(turning(project, 20_000, 4), ORIGIN, "body", 0.0)
    coarse = len(grown(trail, 1e-2))
    trail.fit(1e-4)
    trail.grow()
    assert trail.is_behind and len(trail.strokes()) == coarse
    assert len(grown(trail, 1e-4)) > 10 * coarse


def test_many_points_at_once_move_as_each_alone(project):
    from mechstudio.application.marks.places import moving_points

    m = project.mechanism
    result, layout = simulate(project, duration=0.2, sample_step=0.1), sample_layout(m)
    rows = np.zeros((len(result.time), layout.width))
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    rows[:, layout.velocities] = result.velocities.reshape(len(rows), -1)
    places = [Place("coupler", "P"), Place(joint="B"), Place("crank"), Place("ground")]
    chosen = [body_point(m, at) for at in places]
    found, v = moving_points(layout, rows[1], chosen)
    for k, at in enumerate(chosen):
        assert np.abs(found[k] - positions(layout, rows[1:2], at)[0]).max() < 1e-12
        assert np.abs(v[k] - velocities(layout, rows[1:2], at)[0]).max() < 1e-12
