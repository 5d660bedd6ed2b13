"""Rows of C that repeat others: which are held in exports that hold the same all along a run."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.symbolic.exports import notebook
from mechstudio.symbolic.exports.simulation import lasting_rows, motion_of
from tests.symbolic.exports.test_exports import run_notebook
from tests.symbolic.samples import SAMPLES


def derived(name):
    path = next(p for p in SAMPLES if p.stem == name)
    return ms.derive(project_file.load(path).project)


def test_rows_that_serve_at_every_pose_are_chosen():
    """Rows of two coordinates: the first two repeat each other at the second pose."""
    at = lambda angle: [[1.0, 0.0], [np.cos(angle), np.sin(angle)], [0.0, 1.0], [0.0, 0.0]]
    kept, shares = lasting_rows(np.array([at(1.0), at(0.0)]), (0, 1))
    assert kept == (0, 2) and shares.min() > 0.5
    assert lasting_rows(np.array([at(1.0), at(0.8)]), (0, 1))[0] == (0, 1)  # as good


def test_a_singular_start_does_not_lose_rows():
    """At the first pose all rows are one; elsewhere they are two."""
    kept, _ = lasting_rows(
        np.array([[[1.0, 0.0], [2.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]]),
        (0,),
    )
    assert len(kept) == 2 and 2 in kept


@pytest.mark.parametrize("name", ["bricard_ring", "sarrus_linkage", "parallelogram_five_bars"])
def test_rows_of_overconstrained_samples_last(name):
    motion = motion_of(derived(name))
    assert motion.kept and not motion.ending


def test_a_loop_without_lasting_rows_is_said_and_its_notebook_runs(monkeypatch):
    d = derived("bennett_linkage")
    motion = motion_of(d)
    assert "No rows of C imply the others all along the motion" in motion.ending
    assert motion.ending in d.export("modelica")
    expected = motion.course(6.0, 400)

    def miss():
        _, namespace, _ = run_notebook(d.export("notebook"), monkeypatch, 6.0)
        found = namespace["run"].y[:3].T
        return np.abs(found - expected[: len(found)]).max() if len(found) == 401 else np.inf

    assert miss() < 1e-6
    held = notebook._SIMULATION.replace("if REPEAT else ROWS", "if False else ROWS")
    monkeypatch.setattr(notebook, "_SIMULATION", held)
    assert miss() > 1e-6
