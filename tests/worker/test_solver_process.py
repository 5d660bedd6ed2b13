"""The worker process by itself: its end, its remains, and its log."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mechstudio.protocol import process as process_module
from mechstudio.protocol.process import WorkerProcess
from mechstudio.worker import process_policy
from mechstudio.worker.solver_process import finite
from tests.patience import within
from tests.worker.sessions import STAND_IN

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")

WINDOW = """
import sys, time
from pathlib import Path
from tests.worker.sessions import Driven, project
d = Driven(Path(sys.argv[1]), project("pace 0.01", duration=100.0), with_spare=True)
d.until(lambda: d.session.client.spare_is_ready)
d.session.fault = sys.argv[2]
d.session.simulate()
d.until(lambda: d.session.recording.count > 20)
print(*[p.pid for p in d.session.client._processes], flush=True)
if sys.argv[3] == "stay":
    time.sleep(60)
elif sys.argv[3] == "raise":
    raise SystemExit(3)
"""


def window(folder, fault, then):
    command = [sys.executable, "-c", WINDOW, str(folder), fault, then]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # a process without a waiting parent may stay as a name in the table
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def wait_until(condition, limit=5.0):
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def rings(pid):
    return list(Path("/dev/shm").glob(f"mechst-{pid}-*"))


@posix
@pytest.mark.parametrize("fault", ["", "hang@0.4"])
def test_workers_end_with_a_window_that_is_killed(tmp_path, fault):
    main = window(tmp_path, fault, "stay")
    pids = [int(p) for p in main.stdout.readline().split()]
    assert len(pids) == 2 and not any(map(gone, pids))
    main.kill()
    main.wait()
    wait_until(lambda: all(map(gone, pids)))
    wait_until(lambda: not rings(main.pid))
    main.stdout.close()
    main.stderr.close()


@posix
@pytest.mark.parametrize(("then", "code"), [("return", 0), ("raise", 3)])
def test_a_window_that_forgets_to_close_leaves_nothing_and_no_warning(tmp_path, then, code):
    main = window(tmp_path, "", then)
    out, errors = main.communicate(timeout=30)
    assert (main.returncode, errors) == (code, "")
    assert all(gone(int(p)) for p in out.split()) and not rings(main.pid)
    assert not list((tmp_path / "log").iterdir())  # empty logs are removed


@posix
def test_ctrl_c_is_left_to_the_window(tmp_path):
    process = WorkerProcess(STAND_IN, tmp_path)
    wait_until(lambda: process.receive() is not None)
    os.kill(process.pid, signal.SIGINT)
    time.sleep(0.2)
    assert not process.has_ended
    process.close()
    assert process.has_ended or process.take_all()


def test_the_end_of_the_pipe_ends_the_worker(tmp_path):
    """The rule on every system, also without another end."""
    process = WorkerProcess(STAND_IN, tmp_path)
    wait_until(lambda: process.receive() is not None)
    process.send(None)  # ends the writing thread
    process._threads[1].join()
    process._child.stdin.close()
    wait_until(lambda: process.take_all())
    assert process.cause() == "exit code 0"
    process.close()


@posix
def test_a_stopped_process_can_be_closed(tmp_path):
    process = WorkerProcess(STAND_IN, tmp_path)
    os.kill(process.pid, signal.SIGSTOP)
    start = time.monotonic()
    process.close()
    assert time.monotonic() - start < within(1.0)


def test_prints_go_to_the_log_and_not_into_the_pipe(tmp_path):
    code = (
        "import os; from mechstudio.worker import process_policy as manners; "
        "manners.private_pipes(); "
        "print('noise', flush=True); os.system('echo deep noise')"
    )
    process = WorkerProcess([sys.executable, "-c", code], tmp_path)
    wait_until(lambda: process.has_ended)
    assert process.cause() == "exit code 0"
    assert process.last_words() == "deep noise" and "noise" in process.log_path.read_text()
    process.close()


def test_the_log_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(process_policy, "LOG_LIMIT", 1000)
    path = tmp_path / "log"
    with open(path, "ab", 0) as log:
        log.write(b"x" * 900)
        process_policy.bound_log(log.fileno())
        assert path.stat().st_size == 900
        log.write(b"x" * 200)
        process_policy.bound_log(log.fileno())
        log.write(b"last")
    assert path.read_bytes() == b"last"


def test_only_the_newest_logs_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(process_module, "KEPT_LOGS", 3)
    for k in range(6):
        old = tmp_path / f"worker-1-{k}.log"
        old.write_text("x")
        os.utime(old, (1000 + k, 1000 + k))
    process_module._open_log(tmp_path).close()
    names = sorted(p.name for p in tmp_path.iterdir())
    assert len(names) == 3 and {"worker-1-4.log", "worker-1-5.log"} <= set(names)


def test_rows_before_the_first_bad_number_are_good():
    block = np.ones((5, 3))
    assert finite(block) is block and len(finite(block[:0])) == 0
    for bad in (np.nan, np.inf, -np.inf):
        broken = block.copy()
        broken[3, 1] = bad
        assert len(finite(broken)) == 3
        broken[0, 2] = bad
        assert len(finite(broken)) == 0


def test_the_window_side_imports_no_engine():
    """The window's process stays light: what it imports for the session knows neither numba nor
    scipy nor sympy.
    """
    heavy = ("numba", "scipy", "sympy", "PySide6", "mechstudio.engine")
    code = (
        "import sys; import mechstudio.application.questions.solver; print(*[m for m in "
        f"{heavy} if m "
        "in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.strip() == ""
