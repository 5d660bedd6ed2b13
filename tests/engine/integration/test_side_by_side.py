"""Runs in threads and processes of a user's own: safe, equal, and without a trace in what Numba
does for others.
"""

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.engine.file_lock import locked

ROOT = Path(ms.__file__).parents[1]
SAMPLES = ROOT / "samples"


def in_a_process(program, **environment):
    """Output of a fresh Python on (stdout, stderr)."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def digest(name):
    return ms.simulate(ms.load(SAMPLES / name), duration=0.1).digest


THREADS = """
from concurrent.futures import ThreadPoolExecutor
import mechstudio as ms
names = ("four_bar", "box_on_incline")
projects = [ms.load(f"samples/{name}.mech") for name in names for _ in range(4)]
with ThreadPoolExecutor(2) as pool:
    print(*pool.map(lambda project: ms.simulate(project, duration=0.1).digest, projects))
"""


@pytest.mark.slow
def test_the_first_runs_of_a_process_may_be_in_threads():
    # each of two threads compiles, or loads, the kernels of its first run
    digests = in_a_process(THREADS)[0].split()
    assert set(digests[:4]) == {digest("four_bar.mech")} and set(digests[4:]) == {
        digest("box_on_incline.mech")
    }


@pytest.mark.parametrize(
    "method", ["spawn", "forkserver", *(["fork"] if sys.platform == "linux" else [])]
)
@pytest.mark.thinned(4)
def test_runs_in_processes_are_equal(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert set(pool.map(digest, ["four_bar.mech"] * 4)) == {digest("four_bar.mech")}


FOREIGN = """
import os, sys
import numba
from numba import config
from numba.core.types import functions

source = os.path.join(sys.argv[1] if len(sys.argv) > 1 else os.environ["HERE"], "theirs.py")
with open(source, "w") as file:
    file.write("from numba import njit\\n")
    file.write("@njit(cache=True)\\ndef double(x):\\n    return 2 * x\\n")
    file.write("@njit(cache=True)\\ndef half(x):\\n    return x / 2\\n")
sys.path.insert(0, os.path.dirname(source))
of_numba = lambda: {name: getattr(config, name) for name in dir(config) if name.isupper()}
settings = lambda: of_numba() | dict(os.environ)
before, call_type = settings(), functions.BaseFunction.get_call_type
import theirs
theirs.double(1.0)
where = theirs.double.stats.cache_path
import mechstudio as ms
ms.simulate(ms.load("samples/box_on_incline.mech"), duration=0.01)
assert settings() == before, {k: v for k, v in settings().items() if before.get(k) != v}
assert functions.BaseFunction.get_call_type is call_type
theirs.half(1.0)
print(where, theirs.half.stats.cache_path, sep="\\n")
from numba import njit
print(njit(cache=True)(theirs.half.py_func).stats.cache_path)
"""


@pytest.mark.parametrize("theirs", [True, False])
@pytest.mark.thinned(2)
@pytest.mark.slow
def test_numba_is_as_a_script_left_it(theirs, tmp_path):
    environment = {"HERE": str(tmp_path)} | (
        {"NUMBA_CACHE_DIR": str(tmp_path / "theirs")} if theirs else {}
    )
    folders = in_a_process(FOREIGN, **environment)[0].splitlines()
    assert len(set(folders)) == 1 and str(tmp_path) in folders[0]
    assert (str(tmp_path / "theirs") in folders[0]) == theirs


HOLD = """
import sys, time
from pathlib import Path
from mechstudio.engine.file_lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_goes_with_the_process_that_held_it(tmp_path):
    path = tmp_path / "some" / "lock"
    hold = lambda **more: subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=ROOT, **more
    )
    holder = hold(stdout=subprocess.PIPE)
    assert holder.stdout.readline().strip() == b"held"
    with open(tmp_path / "said", "wb+") as said:
        waiter = hold(stdout=said)
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                waiter.wait(1.0)
            assert Path(said.name).read_bytes() == b""
            holder.kill()
            deadline = time.monotonic() + 20.0
            while not Path(said.name).read_bytes() and time.monotonic() < deadline:
                time.sleep(0.05)
            assert Path(said.name).read_bytes().strip() == b"held"
        finally:
            for process in (holder, waiter):
                process.kill()
                process.wait()
            holder.stdout.close()


def test_a_folder_without_locks_stops_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    with locked(tmp_path / "file" / "lock"):
        pass


MISSES = """
import mechstudio as ms
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    ms.simulate(ms.load("samples/box_on_incline.mech"), duration=0.01)
from mechstudio.engine.kernels.compilation.kernel_cache import KernelCache
started = [event.data for _, event in compiled.buffer if event.is_start]
for each in started:
    kernel = each["dispatcher"]
    if isinstance(kernel._cache, KernelCache):
        print(f"{kernel.__module__}.{kernel.__name__}{hash(each['args'])}", end=" ")
"""


@pytest.mark.slow
def test_one_of_several_processes_compiles_and_says_so(tmp_path):
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(tmp_path),
        "LOCALAPPDATA": str(tmp_path),
        "HOME": str(tmp_path),
        "PYTHONHASHSEED": "0",
    }
    several = [
        subprocess.Popen(
            [sys.executable, "-c", MISSES],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    said = [process.communicate() for process in several]
    assert [process.returncode for process in several] == [0] * 3, said
    kernels = [name for out, _ in said for name in out.split()]
    assert len(kernels) > 40 and sorted(set(kernels)) == sorted(kernels)
    # one process reports the smooth kernels, and one, perhaps another, those of contacts
    assert sum(err.count("compiling the solver") for _, err in said) == 2
