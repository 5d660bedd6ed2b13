"""A hand that pulls during a run: against the closed form of a damped oscillator."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.files.run_store import RunStore
from mechstudio.application.notifications import Notifications
from mechstudio.application.runs.kept_runs import KeptRuns
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.run_parts import changed_at, parts_words
from mechstudio.application.runs.run_pull import DAMPING, PERIOD, with_pull
from mechstudio.engine.analyses.parts import analyse_parts
from mechstudio.model.types.analyses import Options
from tests.application.runs.test_run_parts import completed

MASS, HAND = 2.0, 0.3


def block():
    """A block at rest on a slider along x, without weight."""
    m = ms.Builder("Block", gravity=(0, 0, 0))
    inertia = (0.01, 0.01, 0.01, 0, 0, 0)
    body = m.body("block", (0.1, 0, 0), mass=MASS, center_of_mass=(0, 0, 0), inertia=inertia)
    m.slider("S", m.ground, body, at=(0, 0, 0), axis=(1, 0, 0))
    m.run(duration="3 s", sample_step="10 ms")
    return m.project()


def pulled():
    """A run that a hand at x = HAND pulls from 1 s to 2 s, by the middle of the block."""
    project = block()
    loaded = with_pull(project, "block", (0.0, 0.0, 0.0), (HAND, 0.0, 0.0))
    first = completed(Recording(project))
    held = completed(changed_at(first, loaded, 1.0, "Pulled block", project))
    return completed(changed_at(held, project, 2.0, "Let go of block", project)), project


def test_a_pull_follows_the_damped_oscillator_and_lets_go():
    run, project = pulled()
    w = 2 * math.pi / PERIOD
    t = run.time
    x, v = (run.rows[:, c][:, 0] for c in (run.layout.pose("block"), run.layout.velocities))
    decay, turn = DAMPING * w, w * math.sqrt(1 - DAMPING**2)
    s = np.clip(t - 1.0, 0.0, 1.0)
    way = 0.1 - HAND
    swing = np.exp(-decay * s) * (np.cos(turn * s) + decay / turn * np.sin(turn * s))
    speed = -way * np.exp(-decay * s) * (w**2 / turn) * np.sin(turn * s)
    free = speed[np.searchsorted(t, 2.0 - 1e-9)] * np.clip(t - 2.0, 0.0, None)
    assert np.abs(x - (HAND + way * swing + free)).max() < 1e-9
    assert np.abs(v - speed).max() < 1e-8
    assert parts_words(run.parts) == "Pulled block at 1 s, Let go of block at 2 s"
    # the drawing knows nothing of the hand, and the energy that it brought is work
    assert run.project is project and not project.mechanism.forces
    energy = run.rows[:, run.layout.energy]
    assert np.abs(energy[:, 3]).max() < 1e-8
    kinetic = 0.5 * MASS * speed[-1] ** 2
    assert energy[-1, 0] == pytest.approx(kinetic, abs=1e-9)


def test_a_pulled_run_is_kept_saved_and_replayed_to_the_last_bit(tmp_path):
    run, project = pulled()
    table = analyse_parts(project, run.drawings, "reactions", Options())
    assert len(table.rows) == run.count
    kept = KeptRuns()
    kept.keep(run)
    assert kept.like(project) is None, "it is no run of the drawing alone"
    store = RunStore(kept, Notifications())
    store.saved(str(tmp_path / "block.mech"))
    store.close()
    again = KeptRuns()
    other = RunStore(again, Notifications())
    other.opened(str(tmp_path / "block.mech"))
    while other.is_busy:
        other.poll()
    found = again.runs[0].recording
    assert found.parts == run.parts and np.array_equal(found.rows, run.rows)
    replayed = completed(Recording(found.parts[0].drawing))
    for n, part in enumerate(found.parts[1:], 2):
        k = replayed.index(part.begin + 1e-9)
        assert replayed.rows[k].tobytes() == part.came_to
        replayed = completed(replayed.up_to(k, found.project, found.parts[:n]))
    assert np.array_equal(replayed.rows, run.rows)
