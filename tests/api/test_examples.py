"""Examples in the docstrings of the public names: each runs and gives what stands there."""

import doctest
import inspect
import shutil
from pathlib import Path

import pytest

import mechstudio as ms

SAMPLES = Path(__file__).parents[2] / "samples"
# what is only caught, held or handed on has no example of its own
WITHOUT = {
    "Analysis",
    "BodyHandle",
    "CoordinateHandle",
    "DerivationError",
    "EngineError",
    "ExchangeError",
    "Finding",
    "FrameHandle",
    "JointHandle",
    "NotClosed",
    "NotReached",
    "Project",
    "ProjectFileError",
    "SimulationStopped",
}
NAMES = [name for name in ms.__all__ if name not in WITHOUT]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs_as_it_is_written(name, tmp_path, monkeypatch):
    text = inspect.getdoc(getattr(ms, name)) or ""
    for sample in dict.fromkeys(part for part in text.replace('"', " ").split() if ".mech" in part):
        if (SAMPLES / sample).is_file():
            shutil.copy(SAMPLES / sample, tmp_path)
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text, {"ms": ms}, name, None, 0)
    assert test.examples, f"{name} has no example"
    output: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=output.append)
    assert not output, "".join(output)


def test_an_example_that_is_wrong_is_seen():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test, out=lambda text: None).failed == 1
