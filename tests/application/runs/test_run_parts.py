"""Changes that act in a run while it goes on: motions in closed form, piece by piece."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.files.run_store import RunStore
from mechstudio.application.notifications import Notifications
from mechstudio.application.plots.series import recorded
from mechstudio.application.runs.kept_runs import KeptRuns
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.run_parts import acts_at_once, changed_at, parts_words
from mechstudio.engine.analyses.parts import analyse_parts
from mechstudio.model.edits.elements import set_attribute, set_quantity
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.analyses import Options
from mechstudio.worker.engine_solver import EngineSolver

MASS, DRAWN = 2.0, 0.1


def oscillator(k="50 N/m", bounce=False):
    """A block on a slider, drawn 0.1 m out of the rest of its spring."""
    m = ms.Builder("Oscillator", gravity=(0, 0, 0))
    m.parameter("k", k, "stiffness", slider=True)
    m.parameter("c", "0 N*s/m", "damping", slider=True)
    m.parameter("L1", "20 mm", slider=True)
    inertia = (0.01, 0.01, 0.01, 0, 0, 0)
    block = m.body("block", (DRAWN, 0, 0), mass=MASS, center_of_mass=(0, 0, 0), inertia=inertia)
    block.point("tip", ("L1", 0, 0))
    stops = {"limits": ms.limit(lower=-0.05, restitution=1.0)} if bounce else {}
    slide = m.slider("S", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0), **stops)
    m.force("slide_spring", "spring", joint=slide, stiffness="k", free_length=-DRAWN)
    m.force("slide_damper", "damper", joint=slide, damping="c")
    return m.project()


def completed(recording):
    """The recording, run to its end as the worker runs it."""
    run = EngineSolver().start(recording.parts[-1].drawing)
    for block in run.blocks:
        if len(block):
            recording.append(np.array(block))
            recording.events += run.events
            run.events.clear()
    recording.finish(True, statistics=run.statistics)
    return recording


def with_value(project, name, text):
    return set_quantity(project, name, ("value",), text)


def changed(recording, name, text, time):
    """The run in which a parameter has another value from a time [s] on."""
    project = with_value(recording.project, name, text)
    assert acts_at_once(recording.project, project)
    return completed(changed_at(recording, project, time, f"{name} = {text}"))


def piecewise(times, changes):
    """x and v of m x'' = -k x from x = DRAWN at rest, the stiffness being k from each time on:
    within a piece x = x0 cos wt + v0/w sin wt.
    """
    x, v = np.empty_like(times), np.empty_like(times)
    x0, v0 = DRAWN, 0.0
    for (begin, k), (end, _) in zip(changes, [*changes[1:], (math.inf, 0)]):
        w = math.sqrt(k / MASS)
        at = lambda t, x0=x0, v0=v0, w=w, begin=begin: (
            x0 * np.cos(w * (t - begin)) + v0 / w * np.sin(w * (t - begin)),
            v0 * np.cos(w * (t - begin)) - x0 * w * np.sin(w * (t - begin)),
        )
        own = (times >= begin - 1e-12) & (times < end - 1e-12)
        x[own], v[own] = at(times[own])
        if math.isfinite(end):
            x0, v0 = at(end)
    return x, v


@pytest.fixture(scope="module")
def base():
    return completed(Recording(oscillator()))


def motion(recording):
    layout = recording.layout
    return recording.rows[:, layout.pose("block")][:, 0], recording.rows[:, layout.velocities][:, 0]


def test_a_stiffness_that_changes_twice_against_the_closed_form(base):
    first = changed(base, "k", "200 N/m", 72 / 60)
    second = changed(first, "k", "20 N/m", 150 / 60)
    t = second.time
    x, v = piecewise(t, [(0.0, 50.0), (72 / 60, 200.0), (150 / 60, 20.0)])
    np.testing.assert_allclose(motion(second)[0], x, atol=2e-9)
    np.testing.assert_allclose(motion(second)[1], v, atol=2e-8)
    # the same up to the change, to the last bit, at the same instants, and to the same end
    assert np.array_equal(second.rows[:72], base.rows[:72])
    assert np.array_equal(t, base.time)
    assert parts_words(second.parts) == "k = 200 N/m at 1.2 s, k = 20 N/m at 2.5 s"
    # T + U - W stays: what the change of a wound spring does is work
    energy = second.rows[:, second.layout.energy]
    stiff = np.select([t < 1.2 - 1e-9, t < 2.5 - 1e-9], [50.0, 200.0], 20.0)
    np.testing.assert_allclose(energy[:, 1], 0.5 * stiff * x**2, atol=1e-8)
    assert np.abs(energy[:, 3]).max() < 1e-8
    work = 0.5 * np.array([150.0, -180.0]) * x[[72, 150]] ** 2
    np.testing.assert_allclose(
        energy[[71, 72, 149, 150, -1], 2], [0, *work[[0, 0]], *[work.sum()] * 2], atol=1e-8
    )
    np.testing.assert_allclose(
        recorded(second, "potential/springs").values, energy[:, 1], atol=1e-12
    )


def test_analyses_use_the_drawing_of_each_run_part(base):
    run = changed(base, "k", "200 N/m", 1.2)
    table = analyse_parts(run.project, run.drawings, "free_bodies", Options(duration=run.length))
    force = table.rows[:, table.columns.index("block load spring Fx")]
    x, _ = piecewise(run.time, [(0.0, 50.0), (1.2, 200.0)])
    np.testing.assert_allclose(table.rows[:, 0], run.time, atol=1e-12)
    np.testing.assert_allclose(force, np.where(run.time < 1.2 - 1e-9, -50 * x, -200 * x), atol=1e-6)
    assert "The run was changed on its way, at 1.2 s." in table.notes
    # extremes are found of one drawing, and say so
    table = analyse_parts(run.project, run.drawings, "loads", Options(duration=run.length))
    assert "without the changes" in table.notes[-1]
    # at an instant, that of the part in which it lies; without one, at the start
    for time, stiffness in ((None, 50.0), (1.1, 50.0), (1.3, 200.0)):
        found = analyse_parts(
            run.project, run.drawings, "linearise", Options(time=time, duration=run.length)
        )
        assert max(np.abs(np.array(found.more["A"])).ravel()) == pytest.approx(
            stiffness / MASS, rel=1e-4
        )


def test_the_run_is_replayed_and_saved_to_the_last_bit(base, tmp_path):
    run = changed(changed(base, "k", "200 N/m", 1.2), "c", "3 N*s/m", 2.0)
    kept = KeptRuns()
    kept.keep(base)
    kept.keep(run)
    assert [r.note for r in kept.runs] == ["as drawn", "k = 200 N/m at 1.2 s, c = 3 N*s/m at 2 s"]
    assert kept.like(run.project) is None, "it is no run from the start"
    store = RunStore(kept, Notifications())
    store.saved(str(tmp_path / "o.mech"))
    store.close()
    again = KeptRuns()
    other = RunStore(again, Notifications())
    other.opened(str(tmp_path / "o.mech"))
    while other.is_busy:
        other.poll()
    found = again.runs[1].recording
    assert found.parts == run.parts and np.array_equal(found.rows, run.rows)
    # its parts, run again one after the other
    replayed = completed(Recording(found.parts[0].drawing))
    for n, part in enumerate(found.parts[1:], 2):
        k = replayed.index(part.begin + 1e-9)
        assert replayed.rows[k].tobytes() == part.came_to
        project = found.project if n == len(found.parts) else part.drawing
        replayed = completed(replayed.up_to(k, project, found.parts[:n]))
    assert np.array_equal(replayed.rows, run.rows)


def test_change_at_either_end_of_a_run_is_none(base):
    project = with_value(base.project, "k", "200 N/m")
    assert changed_at(base, project, 0.0, "") is None
    assert changed_at(base, project, base.end, "") is None
    last = changed(base, "k", "200 N/m", base.end - 1 / 60)
    assert np.array_equal(last.time, base.time)


def test_a_change_at_the_same_instant_takes_the_place_of_the_one_before(base):
    once = changed(base, "k", "200 N/m", 1.2)
    twice = changed(once, "k", "90 N/m", 1.2)
    direct = changed(base, "k", "90 N/m", 1.2)
    assert len(twice.parts) == 2 and np.array_equal(twice.rows, direct.rows)
    back = changed(twice, "k", "70 N/m", 0.6)
    assert [p.words for p in back.parts] == ["", "k = 70 N/m"], "what came after it is gone"


def test_many_changes_of_a_drag_are_reported_as_one(base):
    run = base
    for n in range(6):
        run = changed(run, "k", f"{60 + 20 * n} N/m", 0.5 + 0.05 * n)
    x, _ = piecewise(
        run.time, [(0.0, 50.0), *((p.begin, 60.0 + 20 * n) for n, p in enumerate(run.parts[1:]))]
    )
    np.testing.assert_allclose(motion(run)[0], x, atol=5e-9)
    assert parts_words(run.parts) == "k = 160 N/m from 0.5 to 0.75 s"


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_a_change_about_an_impact(shift):
    """Against a stop that throws back as fast: |v| is that of the energy, whatever k is."""
    project = oscillator("100 N/m", bounce=True)
    base = completed(Recording(project))
    hit = base.events[0].time
    run = changed(base, "k", "400 N/m", hit + shift / 60)
    x, v = motion(run)
    begin = run.parts[1].begin
    after = run.time >= begin - 1e-9
    x0, v0 = x[after][0], v[after][0]
    total = 0.5 * MASS * v0**2 + 0.5 * 400 * x0**2
    np.testing.assert_allclose(
        0.5 * MASS * v[after] ** 2 + 0.5 * 400 * x[after] ** 2, total, rtol=1e-6
    )
    assert (x[after] > DRAWN - 0.05 - 1e-6).all()
    times = [e.time for e in run.events]
    assert times == sorted(times) and len(set(times)) == len(times)


def test_edits_that_need_a_new_start_do_not_act_at_once(base):
    project = base.project
    for other in (
        with_value(project, "L1", "30 mm"),
        set_quantity(project, "settings", ("duration",), "3 s"),
        set_quantity(project, "block", ("mass",), "3 kg"),
    ):
        assert not acts_at_once(project, other)
    assert acts_at_once(project, set_quantity(project, "gravity", (0,), "3 m/s^2"))
    assert acts_at_once(project, set_attribute(project, "block", name="mass"))


def test_the_speed_of_a_motor_changes_while_it_turns():
    m = ms.Builder("Motor", gravity=(0, 0, 0))
    m.parameter("w", "2 rad/s", "angular_velocity", slider=True)
    rod = m.link("rod", (0, 0, 0), length="100 mm", angle=0)
    hinge = m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.drive("motor", hinge, speed="w")
    base = completed(Recording(m.project()))
    run = changed(base, "w", "-5 rad/s", 2.0)
    angle = run.rows[:, run.layout.coordinates][:, 0]
    t = run.time
    np.testing.assert_allclose(angle, np.where(t < 2.0, 2 * t, 4.0 - 5.0 * (t - 2.0)), atol=1e-8)
    # the jump of the kinetic energy is work of the hand
    energy = run.rows[:, run.layout.energy]
    assert np.abs(energy[:, 3]).max() < 1e-9
    assert energy[-1, 0] > energy[0, 0]


def test_a_motor_that_prescribes_a_position_begins_again():
    """Its law counts from the start, so that another one would be off by a constant."""
    for quantity, at_once in (("position", False), ("speed", True)):
        b = ms.Builder(gravity=(0, 0, 0))
        rod = b.link("rod", (0, 0, 0), (0.1, 0, 0))
        pin = b.pin("A", b.ground, rod, at=(0, 0, 0))
        b.drive("M", pin, **{quantity: 1.0})
        project = b.project()
        (drive,) = project.mechanism.drives
        other = set_quantity(project, drive, ("law", "parameters", "value"), "2")
        assert acts_at_once(project, other) == at_once


@pytest.mark.parametrize("angle", ["0 deg", "45 deg", "180 deg"])
def test_the_angles_of_a_ball_do_not_jump_at_a_change(angle):
    b = ms.Builder()
    b.parameter("F", "0 N", "force")
    rod = b.link("rod", (0, 0, 0.3), length=0.3, angle=angle)
    b.ball("U", b.ground, rod, at=rod.start)
    b.force("force", "push", body=rod, at=rod.end, vector=("F", 0, 0))
    whole = completed(Recording(b.project()))
    columns = whole.layout.coordinates
    for time in (0.3, 0.5, 0.7):
        part = changed(whole, "F", "0.001 N", time)
        k = part.index(time + 1e-9)
        step = np.abs(part.rows[k + 1, columns] - part.rows[k, columns]).max()
        as_before = np.abs(whole.rows[k + 1, columns] - whole.rows[k, columns]).max()
        assert step < as_before + 0.01
        assert np.allclose(part.rows[k, columns], whole.rows[k, columns], atol=1e-9)


def test_a_changed_run_keeps_the_warnings_of_what_went_before(tmp_path):
    b = ms.Builder()
    b.parameter("F", "0 N", "force")
    b.floor(0.0)
    box = b.body("box", (0, 0, 0.04)).box("100 mm", "100 mm", "100 mm")  # drawn into the floor
    b.force("force", "push", body=box, at=(0, 0, 0.05), vector=("F", 0, 0))
    project = b.project()
    settings = msgspec.structs.replace(project.settings, duration=Quantity(0.3))
    whole = completed(Recording(msgspec.structs.replace(project, settings=settings)))
    assert "overlapped" in whole.unsolved
    part = changed(whole, "F", "1 N", 0.25)
    assert part.unsolved.startswith("Of the run before 0.25 s: ") and "overlapped" in part.unsolved
    running = Recording(whole.project)
    running.append(whole.rows[:10])
    early = changed_at(running, with_value(whole.project, "F", "1 N"), 0.1, "F = 1 N")
    assert "is not known" in early.unsolved
