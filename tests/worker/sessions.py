"""Sessions with real worker processes, for tests."""

import os
import sys
import time
from pathlib import Path

import msgspec
import pytest

from mechstudio.application.document import Document
from mechstudio.application.questions.solver import Session
from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import Quantity
from mechstudio.protocol.client import WorkerClient
from mechstudio.protocol.process import worker_command
from tests.mechanisms import four_bar

STAND_IN = [sys.executable, "-m", "tests.worker.stand_in", "--allow-faults"]
REAL = [*worker_command(), "--allow-faults"]


def project(note="", duration=5.0, sample_step=0.01, mechanism=None):
    """A four-bar whose note tells the stand-in what to do."""
    return Project(
        mechanism or four_bar(),
        note=note,
        settings=Settings(duration=Quantity(duration), sample_step=Quantity(sample_step)),
    )


def renamed(old, name):
    """The same drawing with another name on its crank."""
    crank = msgspec.structs.replace(old.mechanism.bodies["crank"], name=name)
    return msgspec.structs.replace(
        old,
        mechanism=msgspec.structs.replace(
            old.mechanism, bodies={**old.mechanism.bodies, "crank": crank}
        ),
    )


def heavier(old, mass):
    """A drawing that moves otherwise."""
    crank = msgspec.structs.replace(old.mechanism.bodies["crank"], mass=Quantity(mass))
    return msgspec.structs.replace(
        old,
        mechanism=msgspec.structs.replace(
            old.mechanism, bodies={**old.mechanism.bodies, "crank": crank}
        ),
    )


class Driven:
    """A session that is polled as a window would poll it.  log: (seconds, phase, sentence) of every
    status.
    """

    def __init__(self, folder, project, command=STAND_IN, with_spare=False):
        self.document = Document(project)
        self.session = Session(
            self.document, WorkerClient(folder / "log", command, with_spare), folder
        )
        self.started = time.monotonic()
        self.log = []
        self.session.status_changed.connect(self._note)

    def _note(self):
        status = self.session.status
        self.log.append((time.monotonic() - self.started, status.phase, status.sentence))

    @property
    def phases(self):
        out = []
        for _, phase, _ in self.log:
            if not out or out[-1] != phase:
                out.append(phase)
        return out

    def until(self, condition, limit=15.0, pause=0.004):
        """Poll until the condition holds; the seconds it took.  Fails with the log if it never
        does.
        """
        start = time.monotonic()
        while not condition():
            assert time.monotonic() - start < limit, self.log
            self.session.poll()
            time.sleep(pause)
        return time.monotonic() - start

    def ready(self, limit=120.0):
        return self.until(
            lambda: self.session.client.is_ready and self.session.analysis is not None, limit
        )

    def for_(self, seconds):
        """Poll for a while."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, seconds + 5)


@pytest.fixture
def drive(tmp_path):
    """Makes driven sessions; afterwards nothing of them may be left."""
    made = []

    def make(note="", command=STAND_IN, with_spare=False, **settings):
        made.append(Driven(tmp_path, project(note, **settings), command, with_spare))
        return made[-1]

    yield make
    pids = [p.pid for d in made for p in d.session.client._processes]
    for driven in made:
        if driven.session.client._processes:
            driven.session.close()
    assert not [pid for pid in pids if exists(pid)]
    assert not list(Path("/dev/shm").glob(f"mechst-{os.getpid()}-*"))


def exists(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
