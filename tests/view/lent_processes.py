"""Processes for equations that serve one test after the other: starting one and loading what it
needs takes longer than most tests.
"""

import os

from mechstudio.application.questions.equations.derivations import METHOD
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import Derive, Derived
from mechstudio.protocol.process import WorkerProcess, study_command
from mechstudio.protocol.solver_messages import Failed
from mechstudio.protocol.study_messages import CloseRow, RowClosed, RunStudy, StudyEnded
from mechstudio.protocol.synthesis_messages import Synthesise
from mechstudio.translation import FOLDER, LANGUAGE

MOST = 2  # that wait for the next test
LAST = -1  # number of the request after which a process has done all its requests

waiting: list["LentProcess"] = []
waiting_studies: list["LentStudy"] = []


def words() -> tuple[str | None, ...]:
    """Language and catalogues of processes that are started now."""
    return os.environ.get(LANGUAGE), os.environ.get(FOLDER)


class LentProcess(WorkerProcess):
    """Process that is given back instead of ended: it derives a drawing without bodies, which
    forgets what it knew, and is lent again once it has said so.
    """

    is_idle = False

    def __init__(self, command, folder) -> None:
        self.words = words()
        super().__init__(command, folder)

    def close(self) -> None:
        if self.has_ended or len(waiting) >= MOST:
            super().close()
            return
        self.is_idle = False
        self.send(Derive(LAST, Project(Mechanism({}, {})), METHOD))
        waiting.append(self)

    def settles(self) -> bool:
        """True once it has answered everything."""
        while not self.is_idle and (report := self.receive()) is not None:
            self.is_idle = isinstance(report, Derived) and report.id == LAST
        return self.is_idle

    def end(self) -> None:
        super().close()


class LentStudy(LentProcess):
    """Process for studies; one whose study has not ended is ended, as in the program."""

    is_busy = False

    def send(self, request) -> None:
        self.is_busy = self.is_busy or isinstance(request, (RunStudy, Synthesise))
        super().send(request)

    def receive(self):
        report = super().receive()
        if isinstance(report, (StudyEnded, Failed)):
            self.is_busy = False
        return report

    def close(self) -> None:
        if self.is_busy or self.has_ended or len(waiting_studies) >= MOST:
            self.end()
            return
        self.is_idle = False
        self.send(CloseRow(LAST, Project(Mechanism({}, {})), (), ()))
        waiting_studies.append(self)

    def settles(self) -> bool:
        while not self.is_idle and (report := self.receive()) is not None:
            self.is_idle = isinstance(report, (RowClosed, Failed)) and report.id == LAST
        return self.is_idle


def lent_study(command, folder) -> WorkerProcess:
    """A process for studies that waits, or a new one; for equations as `lent`."""
    if command != study_command():
        return lent(command, folder)
    for process in waiting_studies[:]:
        if process.has_ended:
            waiting_studies.remove(process)
            process.end()
        elif process.settles() and process.words == words():
            waiting_studies.remove(process)
            return process
    return LentStudy(command, folder)


def lent(command, folder) -> WorkerProcess:
    """A process that waits, or a new one; those with other commands are not shared."""
    if "--fonts" not in command or "--slow" in command or "-c" in command:
        return WorkerProcess(command, folder)
    for process in waiting[:]:
        if process.has_ended:
            waiting.remove(process)
            process.end()
        elif process.settles() and process.words == words():
            waiting.remove(process)
            return process
    return LentProcess(command, folder)


def end_all() -> None:
    """End those that wait."""
    for those in (waiting, waiting_studies):
        while those:
            those.pop().end()
