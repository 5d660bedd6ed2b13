"""Processes for equations that serve one test after the other: starting one and loading what it
needs takes longer than most tests.
"""

from mechstudio.application.questions.equations.derivations import METHOD
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import Derive, Derived
from mechstudio.protocol.process import WorkerProcess

MOST = 2  # that wait for the next test
LAST = -1  # number of the request after which a process has done all that was asked of it

waiting: list["LentProcess"] = []


class LentProcess(WorkerProcess):
    """Process that is given back instead of ended: it derives a drawing without bodies, which
    forgets what it knew, and is lent again once it has said so.
    """

    is_idle = False

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


def lent(command, folder) -> WorkerProcess:
    """A process that waits, or a new one; those with other commands are nobody else's."""
    if "--fonts" not in command or "--slow" in command or "-c" in command:
        return WorkerProcess(command, folder)
    for process in waiting[:]:
        if process.has_ended:
            waiting.remove(process)
            process.end()
        elif process.settles():
            waiting.remove(process)
            return process
    return LentProcess(command, folder)


def end_all() -> None:
    """End those that wait."""
    while waiting:
        waiting.pop().end()
