"""One worker process as the window holds it: started, spoken to and watched without ever waiting
for it.
"""

import collections
import itertools
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

import msgspec

from mechstudio.processes import environment, module_command
from mechstudio.protocol.solver_messages import Report, Request, pack, read_report
from mechstudio.translation import Words, tr

KEPT_LOGS = 10
ENDING = 0.5  # seconds between the end of a pipe and that of its process
LAST_LINE = 300  # characters of a log that a sentence may quote
_TAIL = 4096  # bytes of a log that are searched for its last line

_numbers = itertools.count(1)

_SIGNALS: dict[str, Words] = {
    "SIGKILL": "killed",
    "SIGTERM": "terminated",
    "SIGSEGV": "memory fault",
    "SIGBUS": "memory fault",
    "SIGABRT": "aborted",
    "SIGILL": "processor instruction not known",
    "SIGFPE": "arithmetic fault",
}
_WINDOWS_CODES: dict[int, Words] = {
    0xC0000005: "memory fault",
    0xC00000FD: "stack overflow",
    0xC0000409: "aborted",
    0xC0000017: "out of memory",
}


def worker_command() -> list[str]:
    """Command that starts a worker from this program."""
    return module_command("mechstudio.worker")


def derive_command() -> list[str]:
    """Command that starts a process that derives equations from this program."""
    return module_command("mechstudio.worker.derivation_process")


def study_command() -> list[str]:
    """Command that starts a process that runs a study from this program."""
    return module_command("mechstudio.worker.study_process")


def _open_log(folder: Path):
    """A fresh log for a worker's errors, the oldest ones beside it removed."""
    folder.mkdir(parents=True, exist_ok=True)
    logs = sorted(folder.glob("worker-*.log"), key=_age)
    for old in logs[: max(0, len(logs) - KEPT_LOGS + 1)]:
        try:
            old.unlink(missing_ok=True)
        except PermissionError:
            continue  # still open in another window (Windows)
    return open(folder / f"worker-{os.getpid()}-{next(_numbers)}.log", "ab", 0)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


class WorkerProcess:
    """A child process with a thread that reads its reports and one that writes its requests, so
    that no call here ever blocks.

    heard [s, time.monotonic]: when something came from it for the last time.  is_ready, progress (0
    … 1), cold: its kernels, noted by the client from its reports.
    """

    def __init__(self, command: list[str], log_folder: Path) -> None:
        self._reports: collections.deque[Report] = collections.deque()
        self._outbox: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._nonsense = ""
        self.heard = time.monotonic()
        self.is_ready, self.progress, self.cold, self.contacts = False, 0.0, False, 1.0
        with _open_log(log_folder) as log:
            self.log_path = Path(log.name)
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                env=environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        self._threads = [
            threading.Thread(
                target=work,
                name=f"worker {self.pid} {work.__name__}",
                daemon=True,
            )
            for work in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def has_ended(self) -> bool:
        """True if the process is gone and all its reports were taken."""
        return self._ended.is_set() and not self._reports

    def take_all(self) -> bool:
        """Drop all output received so far.  Returns whether the process has ended."""
        self._reports.clear()
        return self._ended.is_set()

    def send(self, request: Request) -> None:
        """Queue a request; one to a process that has ended is lost."""
        self._outbox.put(request)

    def receive(self) -> Report | None:
        """The oldest report not taken yet; None if there is none."""
        return self._reports.popleft() if self._reports else None

    def _read(self) -> None:
        try:
            while (report := read_report(self._child.stdout)) is not None:  # type: ignore[arg-type]
                self.heard = time.monotonic()
                self._reports.append(report)
        except (OSError, msgspec.DecodeError) as error:
            self._nonsense = tr("what it said could not be understood: {error}", error=error)
            self._child.kill()
        self._ended.set()

    def _write(self) -> None:
        pipe = self._child.stdin
        while (request := self._outbox.get()) is not None:
            data = memoryview(pack(request))
            try:
                while data:
                    data = data[pipe.write(data) :]  # type: ignore[union-attr]
            except OSError:
                return  # it has ended, which the reading thread reports

    def kill(self) -> None:
        """End the process at once; it may be hung.  Output written before can still be received."""
        self._child.kill()

    def close(self) -> None:
        """End the process and everything that belongs to it; an empty log is removed."""
        self._child.kill()
        self._child.wait()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join()
        for pipe in (self._child.stdin, self._child.stdout):
            pipe.close()  # type: ignore[union-attr]
        try:
            if self.log_path.stat().st_size == 0:
                self.log_path.unlink()
        except (FileNotFoundError, PermissionError):
            return  # removed by hand, or read by somebody: nothing of ours is left to do

    def cause(self) -> str:
        """Reason why the process ended, in a few words; call it when it has ended."""
        if self._nonsense:
            return self._nonsense
        try:
            code = self._child.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._child.kill()  # it closed its pipe and lives on: of no use to anybody
            code = self._child.wait()
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            return _SIGNALS.get(name, tr("signal {name}", name=name))
        return _WINDOWS_CODES.get(code, tr("exit code {code}", code=code))

    def last_words(self) -> str:
        """The last line of its log; empty if it left none."""
        try:
            with open(self.log_path, "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
                lines = file.read().decode("utf-8", "replace").split("\n")
        except FileNotFoundError:
            return ""
        return next((line.strip()[:LAST_LINE] for line in reversed(lines) if line.strip()), "")
