"""The session with the real engine: Space to moving picture, the same samples each time, a kill and
the warm spare.
"""

import os
import signal

import numpy as np
import pytest

from tests.worker.sessions import REAL, Driven, project

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    driven = Driven(tmp_path_factory.mktemp("real"), project(duration=2.0), REAL, True)
    driven.ready(300.0)
    yield driven
    driven.session.close()


def test_a_four_bar_runs(real):
    real.document.load(project(duration=2.0), None)
    assert real.until(lambda: real.session.analysis is not None) < 2.0
    assert real.session.analysis.structure.mobility == 1
    real.session.simulate()
    first = real.until(lambda: real.session.recording.count > 0, pause=0.001)
    real.until(lambda: real.session.recording.finished)
    recording = real.session.recording
    assert recording.complete, recording.reason
    assert first < 0.3 * 4  # Space to moving picture, with leave for a busy machine
    assert recording.count == 201 and recording.statistics.samples == 201
    assert np.linalg.norm(
        recording.rows[:, recording.layout.pose("crank")][:, 3:], axis=1
    ) == pytest.approx(1.0)
    assert np.ptp(recording.values("joint/A/0")) > 0.1


def test_the_same_project_gives_the_same_samples(real):
    rows = []
    for _ in range(2):
        real.document.load(project(duration=2.0), None)
        real.session.simulate()
        real.until(lambda: real.session.recording.finished)
        rows.append(real.session.recording.rows.copy())
    assert len(rows[0]) == 201 and np.array_equal(*rows)


def test_senseless_settings_are_refused_in_a_sentence(real):
    real.document.load(project(duration=-1.0), None)
    real.session.simulate()
    real.until(lambda: real.session.recording.finished)
    assert (
        real.session.recording.finding.element == "settings"
        and "duration" in real.session.recording.reason
    )


@posix
def test_the_real_solver_killed_in_a_run_is_replaced_by_the_warm_spare(real):
    real.until(lambda: real.session.client.spare_is_ready, 300.0)
    real.document.load(project(duration=2000.0, sample_step=0.001), None)
    real.session.simulate()
    real.until(lambda: real.session.recording.count > 1000)
    os.kill(real.session.client.pid, signal.SIGKILL)
    assert real.until(lambda: real.session.recording.finished) < 1.0
    assert (
        real.session.recording.count > 1000
        and "a new solver is ready." in real.session.status.sentence
    )
    real.document.load(project(duration=1.0), None)
    real.session.simulate()
    assert real.until(lambda: real.session.recording.count > 0) < 3.0
    real.until(lambda: real.session.recording.finished)
    assert real.session.recording.complete
