"""Instant centres, centrodes and screw axes against closed forms: the crossing of the cranks, the
point of contact of a wheel, Cardan's circles, a nut on its screw.
"""

import numpy as np
import pytest
from msgspec.structs import replace

from mechstudio.api.runs import simulate
from mechstudio.application.marks.figures import poles
from mechstudio.application.marks.figures.ghosts import Run
from mechstudio.application.marks.figures.mark_figures import FigureMaker
from mechstudio.application.marks.figures.swept import extent
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.files.project_file import load
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.model.results.sample import sample_layout


@pytest.fixture(scope="module")
def project():
    return load(sample_folder() / "four_bar.mech").project


def recorded(project, duration, step):
    result = simulate(project, duration=duration, sample_step=step)
    layout = sample_layout(project.mechanism)
    rows = np.zeros((len(result.time), layout.width))
    rows[:, 0] = result.time
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    rows[:, layout.velocities] = result.velocities.reshape(len(rows), -1)
    recording = Recording(project)
    recording.append(rows)
    recording.finish(True)
    return recording


@pytest.fixture(scope="module")
def run(project):
    return recorded(project, 1.0, 0.002)


def pin(project, rows, layout, joint, body):
    m = project.mechanism
    j = m.joints[joint]
    frame = j.frame_a if j.frame_a.body == body else j.frame_b
    return poles._placed(layout, rows, body, np.array(m.frame_in_body(frame)[0]))


def test_the_couplers_centre_is_where_the_cranks_cross(project, run):
    rows, layout = run.rows, run.layout
    found = poles.screw(project.mechanism, layout, rows, "coupler", "ground").point
    a, b = pin(project, rows, layout, "A", "crank"), pin(project, rows, layout, "B", "crank")
    d, c = pin(project, rows, layout, "D", "rocker"), pin(project, rows, layout, "C", "rocker")
    for k in range(len(rows)):
        A = np.column_stack([(b - a)[k, ::2], -(c - d)[k, ::2]])
        if abs(np.linalg.det(A)) < 1e-3:  # nearly parallel: far away
            continue
        crossing = a[k, ::2] + np.linalg.solve(A, (d - a)[k, ::2])[0] * (b - a)[k, ::2]
        far = max(1.0, float(np.linalg.norm(crossing)))
        assert np.linalg.norm(found[k, ::2] - crossing) < 1e-6 * far**2


def test_the_centre_of_a_pinned_body_is_its_pin_and_kennedys_three_lie_on_a_line(project, run):
    rows, layout, m = run.rows[::50], run.layout, project.mechanism
    crank = poles.screw(m, layout, rows, "crank", "ground").point
    assert np.abs(crank - pin(project, rows, layout, "A", "crank"))[:, ::2].max() < 1e-9
    between = poles.screw(m, layout, rows, "coupler", "crank").point
    assert np.abs(between - pin(project, rows, layout, "B", "crank"))[:, ::2].max() < 1e-6


def synthetic(project, body, poses, velocities):
    """Samples in which one body moves as given, (n, 7) and (n, 6), and all else rests."""
    layout = sample_layout(project.mechanism)
    rows = np.zeros((len(poses), layout.width))
    rows[:, [1 + 7 * k + 3 for k in range(len(layout.bodies))]] = 1.0
    rows[:, layout.pose(body)] = poses
    k = layout.bodies.index(body)
    both = rows[:, layout.velocities]
    both[:, 6 * k : 6 * k + 6] = velocities
    rows[:, layout.velocities] = both
    return layout, rows


def about_y(angle):
    half = angle / 2
    return np.column_stack([np.cos(half), 0 * half, np.sin(half), 0 * half])


def test_a_rolling_wheel_turns_about_its_contact(project):
    t, r, w = np.linspace(0.0, 2.0, 50), 0.3, 4.0
    # the wheel's middle is the origin of the crank, at the height r
    poses = np.column_stack([r * w * t, 0 * t, 0 * t + r, about_y(w * t)])
    velocities = np.tile([r * w, 0.0, 0.0, 0.0, w, 0.0], (50, 1))
    layout, rows = synthetic(project, "crank", poses, velocities)
    found = poles.screw(project.mechanism, layout, rows, "crank", "ground")
    assert np.abs(found.point[:, 0] - r * w * t).max() < 1e-12
    assert np.abs(found.point[:, 2]).max() < 1e-12 and np.abs(found.pitch).max() < 1e-12


def test_the_centrodes_of_an_elliptic_trammel_are_cardans_circles(project):
    # ends of a rod of length 2 a slide on x and z: its middle runs round a circle, the rod turns
    # back as fast; the fixed centrode is a circle of radius 2 a, the moving one of radius a
    a, angle = 0.1, np.linspace(0.0, 2 * np.pi, 400)
    w = 1.0
    middle = a * np.column_stack([np.cos(angle), 0 * angle, np.sin(angle)])
    v = a * w * np.column_stack([-np.sin(angle), 0 * angle, np.cos(angle)])
    poses = np.column_stack([middle, about_y(angle)])  # about y: from x to −z, against the middle
    velocities = np.column_stack([v, np.tile([0.0, w, 0.0], (400, 1))])
    layout, rows = synthetic(project, "coupler", poses, velocities)
    found = poles.screw(project.mechanism, layout, rows, "coupler", "ground").point
    assert np.abs(np.hypot(found[:, 0], found[:, 2]) - 2 * a).max() < 1e-12
    moving = poles.local(layout, rows, "coupler", found)
    assert np.abs(np.hypot(moving[:, 0], moving[:, 2]) - a).max() < 1e-12
    lines = list(poles.centrodes(project.mechanism, layout, rows, ("coupler", "ground"), 1.0, 0.5))
    assert {line.body for line in lines} == {"ground", "coupler"}
    for line in lines:
        radius = 2 * a if line.body == "ground" else a
        assert np.abs(np.hypot(line.points[:, 0], line.points[:, 2]) - radius).max() < 1e-12
        assert line.dashed == (line.body == "coupler")


def test_a_nut_on_a_screw_has_its_axis_and_its_pitch(project):
    pitch, w = 0.02, 3.0  # 20 mm a turn
    h = pitch / (2 * np.pi)
    poses = np.array([[0.5, 0.2, 0.1, 1.0, 0.0, 0.0, 0.0]])
    # about the axis through (0.3, *, 0.1) along y
    velocity = np.cross([0.0, w, 0.0], [0.2, 0.0, 0.0]) + [0.0, h * w, 0.0]
    layout, rows = synthetic(project, "crank", poses, [[*velocity, 0.0, w, 0.0]])
    found = poles.screw(project.mechanism, layout, rows, "crank", "ground")
    assert found.point[0, ::2] == pytest.approx([0.3, 0.1]) and found.pitch[0] == pytest.approx(h)
    assert found.axis[0] == pytest.approx([0.0, 1.0, 0.0])


def test_pole_of_a_sliding_or_resting_pair_is_none(project):
    layout, rows = synthetic(
        project, "crank", [[0, 0, 0, 1, 0, 0, 0]], [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    )
    m = project.mechanism
    assert poles.pole(m, layout, rows[0], ("crank", "ground"), 0.0, 0.5) is None
    assert poles.pole(m, layout, rows[0], ("rocker", "ground"), 1.0, 0.5) is None
    # turning that is only rounding beside the fastest of the run
    layout, rows = synthetic(
        project, "crank", [[0, 0, 0, 1, 0, 0, 0]], [[1.0, 0.0, 0.0, 0.0, 1e-12, 0.0]]
    )
    assert poles.pole(m, layout, rows[0], ("crank", "ground"), 1.0, 0.5) is None


def test_figures_of_a_run_name_the_pair_and_stay_the_same_objects(project, run):
    marked = with_marks(project, "pole", [Place("coupler", other="ground")])
    marked = with_marks(marked, "centrode", [Place("coupler", other="ground")])
    marked = with_marks(marked, "swept", [Place("rocker")])
    maker = FigureMaker()
    first, second = (maker.figures(marked, Run(run, t)) for t in (0.3, 0.4))
    assert [s.words for s in first.symbols] == ["I coupler / ground"]
    assert len(first.moving) == 2  # to B and to C
    assert first.lines is second.lines and first.outlines is second.outlines
    assert maker.figures(marked, None).symbols == ()


def test_the_space_that_a_turning_bar_passes(project):
    angle = np.linspace(0.0, 2 * np.pi, 1601)
    poses = np.column_stack([np.zeros((len(angle), 3)), about_y(angle)])
    _, rows = synthetic(project, "crank", poses, np.zeros((len(angle), 6)))
    recording = Recording(project)
    recording.append(rows)
    recording.finish(True)
    edges = FigureMaker().ghosts.edges(project.mechanism)["crank"]
    reach = np.hypot(edges.a[:, 0], edges.a[:, 2]).max()
    found = extent(edges, recording, "crank")
    assert found[[0, 2]] == pytest.approx([2 * reach, 2 * reach], rel=1e-5)
    assert found[1] == pytest.approx(np.ptp(edges.a[:, 1]))


def test_a_rod_that_turns_by_rounding_alone_has_no_centre():
    # of a parallelogram in absolute coordinates, at 1e-9 rad/s beside cranks of 16 rad/s
    project = load(sample_folder() / "parallelogram_five_bars.mech").project
    settings = replace(project.settings, formulation="absolute")
    run = recorded(replace(project, settings=settings), 1.0, 0.01)
    shown = {}
    for body in ("crank_1", "rod"):
        marked = with_marks(project, "pole", [Place(body)])
        shown[body] = FigureMaker().figures(marked, Run(run, 0.7)).symbols
    assert len(shown["crank_1"]) == 1 and shown["rod"] == ()
