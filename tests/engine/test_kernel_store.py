"""The store of compiled kernels that an installation carries: read first, never written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.codegen import get_host_cpu_features

from mechstudio.engine import kernel_store

ROOT = Path(__file__).parents[2]
V3 = ",".join(f"+{name}" for name in kernel_store.FAMILIES["x86-64-v3"])
V4 = ",".join(f"+{name}" for name in kernel_store.FAMILIES["x86-64-v4"])


@pytest.fixture
def store(tmp_path, monkeypatch):
    """store(stamp, features): an installation with code of kernels-1 for both families, made with
    this stamp, on a processor that can do this.
    """

    def install(stamp, features):
        for family in kernel_store.FAMILIES:
            (tmp_path / family / "kernels-1").mkdir(parents=True)
        (tmp_path / kernel_store.STAMP).write_text(json.dumps(stamp))
        monkeypatch.setattr("numba.core.codegen.get_host_cpu_features", lambda: features)

    forget = lambda: [each.cache_clear() for each in (kernel_store._made_with, kernel_store.family)]
    monkeypatch.setattr(kernel_store, "FOLDER", tmp_path)
    forget()
    yield install
    forget()


@pytest.mark.parametrize(
    ("features", "family"), [(V4, "x86-64-v4"), (V3 + ",-avx512f", "x86-64-v3")]
)
def test_the_best_family_that_runs_here_is_taken(store, tmp_path, features, family):
    store(kernel_store.stamp(), features)
    place = kernel_store.place_in_store(Path("cache", "kernels-1"))
    assert place == tmp_path / family / "kernels-1"
    assert kernel_store.mismatch(Path("cache", "kernels-1")) == ""


@pytest.mark.parametrize(
    ("stamp", "features", "folder", "words"),
    [
        ({"Numba": "0.1"}, V4, "kernels-1", "need Numba 0.1, not "),
        ({}, V3.replace("+avx2", "-avx2"), "kernels-1", "processor of x86-64-v4 or x86-64-v3."),
        ({}, V4, "kernels-2", "were made from other sources."),
    ],
)
def test_a_store_that_does_not_fit_is_said_in_one_sentence(
    store, capsys, stamp, features, folder, words
):
    store(kernel_store.stamp() | stamp, features)
    cache = Path("cache", folder)
    assert kernel_store.place_in_store(cache) is None
    kernel_store.report_mismatch.cache_clear()
    for _ in range(2):
        kernel_store.report_mismatch(cache)
    said = capsys.readouterr().err
    assert words in said and len(said.splitlines()) == 1


def test_without_a_store_nothing_is_said(store, capsys):
    kernel_store.report_mismatch.cache_clear()
    kernel_store.report_mismatch(Path("cache", "kernels-1"))
    assert capsys.readouterr().err == "" and kernel_store.family() == ""


SMALL = """
import sys
from pathlib import Path
from mechstudio.engine import kernel_store
kernel_store.FOLDER = Path(sys.argv[1])
from mechstudio.engine.kernels.compilation.kernel_cache import is_compiled, kernel
folder = Path(sys.argv[2]) / "kernels-1"

@kernel(folder, nogil=True)
def double(x):
    return x + x

ready = is_compiled("small.double", folder)
print(double(1.5), ready, sum(double.stats.cache_misses.values()))
print(double(2), sum(double.stats.cache_misses.values()))
"""


@pytest.mark.skipif(
    not kernel_store.FAMILIES["x86-64-v3"]
    <= {name[1:] for name in get_host_cpu_features().split(",") if name.startswith("+")},
    reason="a processor of another family",
)
def test_code_of_the_store_is_loaded_and_the_rest_compiled(tmp_path):
    def run(store, cache, **environment):
        return subprocess.run(
            [sys.executable, str(script), str(store), str(cache)],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        ).stdout.split()

    store, cache, script = tmp_path / "store", tmp_path / "cache", tmp_path / "small.py"
    script.write_text(SMALL)
    family = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
    assert run(store, store / "x86-64-v3", **family) == ["3.0", "False", "1", "4", "2"]
    (file,) = store.rglob("*.2.nbc")
    file.unlink()
    (store / kernel_store.STAMP).write_text(json.dumps(kernel_store.stamp()))
    state = lambda: {f: (f.stat().st_mtime_ns, f.stat().st_size) for f in store.rglob("*")}
    before = state()
    # the sum of integers is not in the store
    assert run(store, cache) == ["3.0", "True", "0", "4", "1"]
    assert run(store, cache) == ["3.0", "True", "0", "4", "0"]
    assert state() == before and len([*cache.rglob("*.nbc")]) == 1
