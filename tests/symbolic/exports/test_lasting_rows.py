"""Rows of C that repeat others: which are held in exports that hold the same all along a run."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.symbolic.exports import modelica, notebook
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.exports.simulation.rows import lasting_rows
from tests.symbolic import modelica_run
from tests.symbolic.exports.test_exports import run_notebook
from tests.symbolic.modelica_reader import ModelicaError
from tests.symbolic.modelica_run import Model
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
    d = derived(name)
    motion = motion_of(d)
    poses = motion.course(motion.duration, 40)
    f, v = d.function(), np.zeros(len(motion.q))
    rows = [np.linalg.svd(f(q, v, 0.0, d.values)[4][list(motion.kept)])[1] for q in poses]
    assert min(s[-1] / s[0] for s in rows) > 1e-3


@pytest.mark.slow
def test_the_notebook_of_a_loop_without_lasting_rows_runs(monkeypatch):
    d = derived("bennett_linkage")
    motion = motion_of(d)
    expected = motion.course(6.0, 400)

    def miss():
        _, namespace, _ = run_notebook(d.export("notebook"), monkeypatch, 6.0)
        found = namespace["run"].y[:3].T
        return np.abs(found - expected[: len(found)]).max() if len(found) == 401 else np.inf

    assert miss() < 1e-6
    held = notebook._SIMULATION.replace("if REPEAT else ROWS", "if False else ROWS")
    monkeypatch.setattr(notebook, "_SIMULATION", held)
    assert miss() > 1e-6


@pytest.mark.slow
def test_modelica_of_a_loop_without_lasting_rows_runs(monkeypatch):
    """The rows that hold a Bennett linkage at its start repeat each other after 4.26 s."""
    d = derived("bennett_linkage")
    expected = motion_of(d).course(6.0, 40)

    def miss():
        try:
            found = Model(d.export("modelica")).run(6.0, 40)
        except (AssertionError, ModelicaError, np.linalg.LinAlgError):
            return np.inf
        places = [u.position.name for u in d.equations.coordinates]
        return np.abs(np.array([found[x] for x in places]).T - expected).max()

    assert miss() < 1e-9
    assert "part > 1.001*most" in modelica.SOLVED
    monkeypatch.setattr(modelica_run, "MOST", 4000)
    first = modelica.SOLVED.replace("part > 1.001*most", "part > 1e-9 and most < 1e-9")
    monkeypatch.setattr(modelica, "SOLVED", first)
    assert miss() > 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["bricard_ring", pytest.param("robot_vacuum", marks=pytest.mark.slow)]
)
def test_modelica_of_driven_loops_moves_as_the_run(name):
    d = derived(name)
    text = d.export("modelica")
    expected = motion_of(d).course(1.0, 10)
    found = Model(text).run(1.0, 10)
    places = [u.position.name for u in d.equations.coordinates]
    assert " = solved(M" in text
    assert np.abs(np.array([found[x] for x in places]).T - expected).max() < 1e-8
