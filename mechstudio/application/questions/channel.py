"""A worker process that answers questions."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from mechstudio.folders import cache_folder
from mechstudio.protocol.message import Message
from mechstudio.protocol.process import WorkerProcess, derive_command
from mechstudio.protocol.solver_messages import Failed, Request
from mechstudio.translation import tr

About = TypeVar("About")


class Refused(NamedTuple):
    """No answer, and why.  error: of the program; cause: for which the process ended of itself;
    both in a few words, "" for another reason.  id: of the request.
    """

    sentence: str
    error: str = ""
    cause: str = ""
    id: int = 0


class Channel(Generic[About]):
    """A process that is started when it is needed, spoken to and watched; nothing here waits.

    noun: what its work is called in sentences.  command: that starts it.  process: None before its
    start and after its end.  cause: for which the last process ended of itself, in a few words; ""
    if it did not, and once another one has started.

    under_way: what each request without its last report is about, by its id, the oldest first.
    Reports on a request that was taken out are dropped.
    """

    def __init__(
        self, noun: str, folder: Path | None = None, command: list[str] | None = None
    ) -> None:
        self.noun = noun
        self.process: WorkerProcess | None = None
        self.cause = ""
        self.under_way: dict[int, About] = {}
        self._ids = itertools.count(1)
        self._folder = folder or cache_folder() / "log"
        self.command = command or derive_command()

    def start(self) -> str:
        """Start the process unless it runs; returns why it does not start, "" if it does."""
        if self.process is None:
            try:
                self.process = WorkerProcess(self.command, self._folder)
            except OSError as error:
                return tr(
                    "The {noun} does not start: {strerror}.",
                    noun=self.noun,
                    strerror=error.strerror or error,
                )
            self.cause = ""
        return ""

    def send(self, make: Callable[[int], Request], about: About) -> int:
        """Send a request, made with its id, to the process, which runs.  Returns the id."""
        assert self.process is not None, "it was started"
        id = next(self._ids)
        self.under_way[id] = about
        self.process.send(make(id))
        return id

    def request(self, make: Callable[[int], Request], about: About) -> str:
        """Send a request in place of those under way, which end with their process.  Returns why
        the process does not start, "" if it does.
        """
        if self.under_way:
            self.stop()
        sentence = self.start()
        if not sentence:
            self.send(make, about)
        return sentence

    def reports(self) -> Iterator[tuple[About, Message | Refused]]:
        """All reports so far on requests under way, each with what its request is about; a reader
        may end the process.  A process that ended of itself refuses all that was under way.
        """
        while self.process is not None and (report := self.process.receive()) is not None:
            if not isinstance(report, Message) or report.id not in self.under_way:
                continue
            about = self.under_way[report.id]
            if report.is_last:
                del self.under_way[report.id]
            if isinstance(report, Failed):
                yield about, Refused(self.fault(report.error), report.error, id=report.id)
            else:
                yield about, report
        if self.process is not None and self.process.has_ended:
            cause = self.cause = self.process.last_words().rstrip(".") or self.process.cause()
            lost = dict(self.under_way)
            self.stop()
            sentence = tr(
                "The {channel} stopped unexpectedly ({cause}).", channel=self.noun, cause=cause
            )
            for id, about in lost.items():
                yield about, Refused(sentence, cause=cause, id=id)

    def fault(self, error: str, of: str = "") -> str:
        """Sentence for an error of the program.  of: words after the noun."""
        log = self.process.log_path if self.process is not None else ""
        return tr(
            "The {noun}{of} met an error of its own ({error}); please report it with {log}.",
            noun=self.noun,
            of=of,
            error=error,
            log=log,
        )

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.under_way.clear()
        process, self.process = self.process, None
        if process is not None:
            process.close()
