"""The free-body view without a window: what is drawn of a table, whether it closes, which body is
shown, and the requests.
"""

import sys

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.free_body import (
    GOOD,
    Course,
    FreeBodyView,
    about,
    plane_axes,
    scale_of,
    tip_to_tail,
)
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.engine.analyses.registry import analyse
from mechstudio.model import free_bodies as of
from mechstudio.model.edits import elements
from mechstudio.model.geometry.rotation import IDENTITY
from mechstudio.model.results.analysis_results import Measured
from mechstudio.protocol.derivation_messages import MeasureDone
from mechstudio.symbolic.derivation import derive

POSE = np.array((0.1, 0.2, 0.3, *IDENTITY), float)


def table_of(name, **options):
    project = ms.load(sample_folder() / f"{name}.mech")
    return project, analyse(
        project, "free_bodies", **(options or {"duration": 0.5, "sample_step": 0.05})
    ).measured()


def course(name, body, **options):
    project, table = table_of(name, **options)
    return Course(project.mechanism, table, body, project.mechanism.size())


def tampered(table, change):
    """A table with other numbers (rows, slots, WIDTH)."""
    rows = np.frombuffer(table.rows).reshape(-1, len(table.columns)).copy()
    change(rows[:, 1:].reshape(len(rows), -1, of.WIDTH))
    return Measured(table.what, table.columns, table.dimensions, rows.tobytes(), table.hatched)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("four_bar", "coupler"),
        ("slider_crank", "slider"),
        ("six_axis_arm", "forearm"),
        ("stewart_platform", "platform"),
        ("gear_train", "idler"),
    ],
)
def test_sums_close_at_and_between_instants(name, body):
    found = course(name, body)
    for time in (0.0, 0.05, 0.0731, 0.31, 0.5):
        cut = found.at(time, POSE)
        assert cut.closes and np.linalg.norm(cut.force_gap) < 1e-10 * max(cut.largest_force, 1.0)
        assert cut.actions[-1].slot.kind == of.INERTIA
        ends = tip_to_tail(cut)
        # every force is somewhere in the polygon, and it ends where it began
        assert not ends or np.linalg.norm(ends[-1][2]) <= 1e-8 * cut.largest_force * len(ends)


def test_a_body_after_the_run_is_as_at_its_end():
    found = course("four_bar", "coupler")
    for outside, end in ((-1.0, found.times[0]), (9.0, found.times[-1])):
        cut, last = found.at(outside, POSE), found.at(float(end), POSE)
        for here, there in zip(cut.actions, last.actions, strict=True):
            assert np.array_equal(here.force, there.force)


def test_a_wrong_sign_does_not_close():
    project, table = table_of("four_bar")
    weight = next(
        k
        for k, slot in enumerate(of.slots(project.mechanism))
        if slot.body == "coupler" and slot.kind == of.WEIGHT
    )

    def change(numbers):
        numbers[:, weight, of.FORCE] *= -1

    cut = Course(project.mechanism, tampered(table, change), "coupler", 0.5).at(0.2, POSE)
    assert not cut.closes
    assert cut.force_gap[2] == pytest.approx(2 * 2.552 * 9.81, rel=1e-3)
    ends = tip_to_tail(cut)
    assert ends[-1][2] - ends[0][1] == pytest.approx(cut.force_gap, abs=1e-5)


def test_a_wrong_moment_alone_does_not_close():
    project, table = table_of("four_bar")
    pin = next(
        k
        for k, slot in enumerate(of.slots(project.mechanism))
        if slot == of.Slot("rocker", of.REACTION, "D")
    )

    def change(numbers):
        numbers[:, pin, of.MOMENT] *= 1 + 1e-6

    cut = Course(project.mechanism, tampered(table, change), "rocker", 0.5).at(0.2, POSE)
    assert np.linalg.norm(cut.force_gap) <= GOOD * cut.largest_force and not cut.closes


def test_points_go_with_the_pose():
    found = course("four_bar", "crank")
    at = lambda pose, joint: next(
        a.point for a in found.at(0.0, pose).actions if a.slot.id == joint
    )
    assert at(POSE, "A") == pytest.approx(POSE[:3], abs=1e-9)
    # a quarter turn about z takes x to y
    x, y, z = at(POSE, "B") - POSE[:3]
    rotated = np.array((0.1, 0.2, 0.3, np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    assert np.hypot(x, y) > 0.1 and at(rotated, "B") == pytest.approx(
        POSE[:3] + (-y, x, z), abs=1e-9
    )


def test_undetermined_reactions_are_drawn_loose():
    # two hinges that bear moments as well: nothing of theirs is determined but the sums
    door = course("door_two_hinges", "door").at(0.2, POSE)
    assert {s.loose for s in door.strokes if s.action.slot.kind == of.REACTION} == {
        True
    } and door.closes
    assert "not unique" in about(
        ms.load(sample_folder() / "door_two_hinges.mech").mechanism,
        next(a for a in door.actions if a.slot.kind == of.REACTION),
    )
    # in its plane the four-bar is determined, across it not
    pin = [
        s
        for s in course("four_bar", "coupler").at(0.2, POSE).strokes
        if s.action.slot.id == "B" and not s.couple
    ]
    assert [s.loose for s in pin] == [False, True] and pin[1].symbol.subscript == "B loose"
    assert abs(pin[0].vector[1]) < 1e-9 * np.linalg.norm(pin[0].vector) and abs(
        pin[1].vector[[0, 2]]
    ).max() < 1e-9 * np.linalg.norm(pin[1].vector)
    assert pin[0].vector + pin[1].vector == pytest.approx(pin[0].action.force)
    assert all(not s.loose for s in course("double_pendulum", "lower").at(0.2, POSE).strokes)


@pytest.mark.parametrize("name", ["four_bar", "six_axis_arm", "double_pendulum", "slider_crank"])
@pytest.mark.thinned(3)
def test_symbols_are_those_of_the_equations(name):
    """F and N of a joint in Newton-Euler's lecture act on the body on which they have no minus
    here.
    """
    project = ms.load(sample_folder() / f"{name}.mech")
    names, m = of.symbols(project.mechanism), project.mechanism
    lecture = derive(project).lecture()
    reported = [r for r in lecture.reactions if r.axis >= 0]
    assert reported
    for r in reported:
        own = names[of.Slot(r.on, of.REACTION, r.joint)]
        assert (
            own.sign == ""
            and (own.couple if r.moment else own.force) == r.name.letter
            and r.name.subscript.startswith(own.subscript)
        )
        if r.against in m.bodies:
            assert names[of.Slot(r.against, of.REACTION, r.joint)].sign == of.MINUS


def test_every_slot_of_every_sample_has_symbol_and_words():
    for path in sorted(sample_folder().glob("*.mech")):
        m = ms.load(path).mechanism
        names = of.symbols(m)
        assert set(names) == set(of.slots(m)) and len(of.columns(m)) == of.WIDTH * len(names)
        assert len({name for name, _ in of.columns(m)}) == len(of.columns(m))


def test_a_plane_is_shown_in_its_true_shape():
    flat, right, up, back = (
        course("four_bar", "coupler").at(0.2, POSE),
        *np.eye(3)[[0, 2]],
        -np.eye(3)[1],
    )
    tilt = np.array(((0.8, 0.6, 0.0), (-0.3, 0.4, 0.866), (0.5, -0.7, 0.5)))
    for axes in ((right, up, back), tuple(tilt)):
        across, upward, is_flat = plane_axes(flat, *axes)
        assert (
            is_flat
            and abs(across[1]) < 1e-6
            and abs(upward[1]) < 1e-6
            and across @ upward == pytest.approx(0, abs=1e-12)
        )
        assert across == pytest.approx((1, 0, 0), abs=1e-6) and upward == pytest.approx(
            (0, 0, 1), abs=1e-6
        )
    space = course("six_axis_arm", "forearm").at(0.2, POSE)
    assert plane_axes(space, right, up, back) == (right, up, False)


def test_scale_is_that_of_the_usual_force():
    cut = course("four_bar", "coupler").at(0.2, POSE)
    assert scale_of(cut, 0.5, 2.0) == pytest.approx(2 * scale_of(cut, 0.5, 1.0))
    assert 0.05 < scale_of(cut, 0.5, 1.0) * cut.usual_force < 0.5


# the view


@pytest.fixture
def view(tmp_path):
    document = Document(ms.load(sample_folder() / "four_bar.mech"))
    made = FreeBodyView(document, tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"])
    yield made
    made.close()


def run_of(document, finished=True):
    recording = Recording(document.project)
    rows = np.zeros((3, recording.layout.width))
    rows[:, 0] = 0.0, 0.5, 1.0
    recording.append(rows)
    if finished:
        recording.finish(True)
    return recording


def requested(view, monkeypatch):
    """Question of the view, with answers from here."""
    calls = []
    monkeypatch.setattr(view._asker, "request", lambda what, options, parts: calls.append(options))
    return calls


def answer(view, **options):
    table = analyse(view._document.project, "free_bodies", **options).measured()
    view._asker._take(MeasureDone(0, table))


def test_free_body_view_requests_once_and_only_when_open(view, monkeypatch):
    calls = requested(view, monkeypatch)
    view.poll(None)
    assert calls == []
    view.show("coupler")
    view.poll(None)
    assert (
        [c.duration for c in calls] == [0.0]
        and view.cut(0.0, POSE) is None
        and view.words(False) == "Being found."
    )
    answer(view, duration=0.0)
    view.poll(None)
    assert (
        len(calls) == 1
        and view.cut(0.0, POSE).body == "coupler"
        and "Press Space" in view.words(True)
    )
    # another body is there at once
    view.show("rocker")
    view.poll(None)
    assert len(calls) == 1 and view.cut(0.0, POSE).body == "rocker"
    # while a run is under way what is known of the start stays; then the whole of it is requested
    view.poll(run_of(view._document, finished=False))
    assert len(calls) == 1
    recording = run_of(view._document)
    view.poll(recording)
    assert [c.duration for c in calls] == [0.0, 1.0]
    answer(view, duration=1.0, sample_step=0.1)
    view.poll(recording)
    assert len(calls) == 2 and view.cut(0.7, POSE).closes and view.words(True) == ""


def test_an_edit_that_changes_the_motion_asks_again(view, monkeypatch):
    calls = requested(view, monkeypatch)
    view.show("coupler")
    view.poll(None)
    answer(view, duration=0.0)
    view._document.commit(
        "Heavier", elements.set_quantity(view._document.project, "coupler", ("mass",), "3 kg")
    )
    assert view.cut(0.0, POSE) is None
    view.poll(None)
    assert len(calls) == 2
    view._document.commit("Gone", elements.remove(view._document.project, "coupler"))
    assert not view.is_open


def test_another_name_is_shown_at_once(view, monkeypatch):
    requested(view, monkeypatch)
    view.show("coupler")
    view.poll(None)
    answer(view, duration=0.0)
    view._document.commit(
        "Rename", elements.set_attribute(view._document.project, "coupler", name="bar")
    )
    assert view.cut(0.0, POSE).actions[0].symbol.subscript == "bar"


def test_a_drawing_that_cannot_run_says_why(view, monkeypatch):
    calls = requested(view, monkeypatch)
    view.show("coupler")
    view.poll(None, "Joint A lies on no body.")
    assert calls == [] and view.words(False) == "Joint A lies on no body."


def test_ground_is_not_cut_free(view):
    view.show("ground")
    assert not view.is_open


def test_leaving_forgets_the_scale_and_ends_the_question(view):
    view.show("coupler")
    view.poll(None)
    assert view.is_busy
    view.set_scale(3.0)
    view.leave()
    assert not view.is_busy and view.scale == 1.0 and not view.is_open
