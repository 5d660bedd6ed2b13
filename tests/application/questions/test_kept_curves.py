"""Curves of kept runs that an analysis finds, in a process of its own."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.questions.kept_curves import KeptCurves
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.kept_runs import KeptRuns
from mechstudio.application.runs.recording import Recording
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.results.analysed_channels import key_of


def recorded(project):
    """A finished recording of a project, of the engine's own run."""
    recording = Recording(project)
    recording.append(ms.simulate(project).rows)
    recording.finish(True)
    return recording


@pytest.fixture
def runs():
    """Runs of the four-bar at three crank lengths; the last one is the present one."""
    project = load(sample_folder() / "four_bar.mech").project
    project = elements.set_quantity(project, fields.SETTINGS, ("duration",), "200 ms")
    kept = KeptRuns()
    for text in ("120 mm", "125 mm", "130 mm"):
        kept.keep(recorded(elements.set_quantity(project, "L1", ("value",), text)))
    present = kept.runs[-1]
    for run in kept.runs[:2]:
        kept.set_ticked(run, True)
    return SimpleNamespace(kept=kept, beside=kept.beside(present.recording))


@pytest.mark.slow
def test_reactions_of_kept_runs_are_those_of_their_own_drawings(runs, tmp_path):
    key = key_of("reactions", "joint", "A", "Fx")
    curves = KeptCurves(runs, lambda: (key,), tmp_path)
    try:
        deadline = time.monotonic() + 240
        while any(key not in run.series for run in runs.beside):
            curves.poll()
            time.sleep(0.02)
            assert time.monotonic() < deadline
    finally:
        curves.close()
    assert len(runs.beside) == 2
    for run in runs.beside:
        instants, values, _ = run.series[key]
        table = ms.analyse(run.project, "reactions", duration="200 ms")
        expected = table.rows[:, table.columns.index("A Fx")]
        assert np.interp(0.1, instants, values) == pytest.approx(
            np.interp(0.1, table.rows[:, 0], expected), rel=1e-6
        )
    first, second = (run.series[key][1] for run in runs.beside)
    assert not np.allclose(first, second), "each has the numbers of its own drawing"
    curves.poll()
    assert not curves.is_busy, "what was found is not requested again"
