"""Ghosts stand where the run was, after equal steps of the input or of time; their outlines are
those of the solids.
"""

import math
from time import process_time

import numpy as np
import pytest

from mechstudio.application.marks.figures.edges import edges_of, mesh_edges, outline
from mechstudio.application.marks.figures.ghosts import (
    STRENGTHS,
    Ghosts,
    Run,
    crossings,
    input_joint,
    joint_angle,
)
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.kept_runs import KeptRun
from mechstudio.application.runs.recording import Recording
from mechstudio.files.project_file import load
from mechstudio.model.edits.marks import Place, with_attributes, with_marks
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.types.joints import JOINT_TYPES, TURN, Z

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    + [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
)


@pytest.fixture(scope="module")
def project():
    return load(sample_folder() / "four_bar.mech").project


def turning(project, speed=1.0, samples=1001, end=10.0, ticked=False):
    """A run in which the crank turns about y by `speed` rad/s; nothing else moves."""
    recording, layout = Recording(project), sample_layout(project.mechanism)
    rows = np.zeros((samples, layout.width))
    rows[:, 0] = np.linspace(0.0, end, samples)
    rows[:, [1 + 7 * k + 3 for k in range(len(layout.bodies))]] = 1.0
    q = layout.pose("crank").start + 3
    angle = speed * rows[:, 0]
    rows[:, q], rows[:, q + 2] = np.cos(angle / 2), np.sin(angle / 2)
    rows[:, layout.joint("A")] = angle[:, None]
    recording.append(rows)
    recording.finish(True)
    return recording


def test_a_cube_has_twelve_edges_and_an_outline_of_four_or_six():
    edges = mesh_edges(CUBE, FACES)
    assert len(edges.a) == 12
    assert len(outline(edges, np.array([0.1, 0.2, 1.0]))[0]) == 6
    face_on = outline(mesh_edges(CUBE, FACES), np.array([1e-9, 2e-9, 1.0]))
    assert sum(np.linalg.norm(b - a) for a, b in zip(*face_on)) == pytest.approx(6.0)


def test_a_mesh_whose_corners_are_doubled_has_the_same_edges():
    flat = CUBE[FACES].reshape(-1, 3)
    assert len(mesh_edges(flat, np.arange(36).reshape(-1, 3)).a) == 12


def test_steps_of_an_angle_are_found_between_samples_in_both_directions():
    time = np.linspace(0.0, 10.0, 101)
    found = crossings(time, 0.3 + time**2 / 10.0, 1.0)
    assert np.abs(found - np.sqrt(10.0 * np.arange(11))).max() < 2e-3
    back = crossings(time, -time, 2.5)
    assert back == pytest.approx([0.0, 2.5, 5.0, 7.5, 10.0])
    swing = crossings(time, np.sin(time * 2 * np.pi / 10.0), 0.5)
    assert len(swing) >= 7 and (np.diff(swing) >= 0).all()
    assert len(crossings(time, np.full(101, np.nan), 1.0)) == 0
    assert len(crossings(time, time * 1e9, 1e-3)) == 0


def test_the_input_of_a_four_bar_is_its_crank_and_counts_over_its_turns(project):
    m, recording = project.mechanism, turning(project, speed=3.0)
    assert input_joint(m) == "A"
    angle = joint_angle(m, recording.layout, recording.rows, "A")
    assert abs(abs(angle[-1] - angle[0]) - 30.0) < 1e-6
    # also where it turns by more than half a turn, or several, between two samples
    for samples in (9, 4, 2):
        fast = turning(project, speed=3.0, samples=samples)
        angle = joint_angle(m, fast.layout, fast.rows, "A")
        assert abs(angle[-1] - angle[0]) == pytest.approx(30.0)
        assert len(crossings(fast.time, angle, math.radians(30.0))) == 58


@pytest.mark.parametrize("type", [t for t, k in JOINT_TYPES.items() if (TURN, Z) in k.motions])
def test_every_joint_that_turns_about_z_has_that_angle_recorded(type):
    kind = JOINT_TYPES[type]
    first = next(motion for motion in kind.motions if motion[0] == TURN)
    assert first == (TURN, Z)
    assert any(c.dimension == "angle" for c in kind.coordinates)


def test_the_last_two_steps_before_the_cursor_stand_where_the_run_was(project):
    marked = with_marks(project, "ghost_angle", [Place()])
    recording, ghosts = turning(project), Ghosts()
    step = math.radians(30.0)
    now = Run(recording, 3.4 * step)
    shown = ghosts.outlines(marked, now)
    crank = [o for o in shown if o.edges is ghosts.edges(project.mechanism)["crank"]]
    assert [o.strength for o in crank] == list(STRENGTHS)
    for o, count in zip(crank, (3, 2)):
        q = np.array([math.cos(count * step / 2), 0.0, math.sin(count * step / 2), 0.0])
        assert np.abs(o.pose[3:7] - q).max() < 1e-4
    # until the next step it is the same object, which costs the picture nothing
    assert ghosts.outlines(marked, Run(recording, 3.6 * step)) is shown
    assert ghosts.outlines(marked, Run(recording, 4.1 * step)) is not shown


def test_start_steps_of_time_and_the_beginning_itself(project):
    ghosts, recording = Ghosts(), turning(project)
    bodies = len(edges_of(project.mechanism))
    start = with_marks(project, "ghost_start", [Place()])
    assert len(ghosts.outlines(start, Run(recording, 5.0))) == bodies
    assert ghosts.outlines(start, Run(recording, 0.0)) == ()
    timed = with_attributes(with_marks(project, "ghost_time", [Place()]), "m1", value=1.0)
    shown = ghosts.outlines(timed, Run(recording, 2.5))
    angles = sorted({round(2 * math.acos(min(1.0, o.pose[3])), 6) for o in shown})
    assert angles == pytest.approx([0.0, 1.0, 2.0], abs=1e-5)
    assert ghosts.outlines(with_attributes(timed, "m1", value=1e-9), Run(recording, 2.5)) == ()


def test_another_ticked_run_stands_beside_this_one_at_the_same_time(project):
    marked = with_marks(project, "ghost_run", [Place()])
    other = KeptRun(2, turning(project, speed=2.0), "", ticked=True)
    quiet = KeptRun(3, turning(project, speed=5.0), "")
    shown = Ghosts().outlines(marked, Run(turning(project), 0.5, (other, quiet)))
    assert len(shown) == len(edges_of(project.mechanism))
    turned = [o for o in shown if abs(o.pose[5]) > 1e-9]
    assert [o.pose[3] for o in turned] == pytest.approx([math.cos(0.5)], abs=1e-4)


def test_steps_of_a_long_run_are_found_at_once():
    time = np.linspace(0.0, 2000.0, 200_001)
    begun = process_time()
    found = crossings(time, 50.0 * time, math.radians(30.0))
    assert len(found) == 1 + int(50.0 * 2000.0 / math.radians(30.0) + 1e-9)
    assert process_time() - begun < 0.5
