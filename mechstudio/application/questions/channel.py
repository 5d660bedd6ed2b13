"""A worker process that answers questions."""

from collections.abc import Iterator
from pathlib import Path

from mechstudio.folders import cache_folder
from mechstudio.protocol.process import WorkerProcess, derive_command
from mechstudio.protocol.solver_messages import Report, Request
from mechstudio.translation import tr


class Channel:
    """A process that is started when it is needed, spoken to and watched; nothing here waits.

    noun: what its work is called in sentences.  command: that starts it.  process: None before its
    start and after its end.
    """

    def __init__(
        self, noun: str, folder: Path | None = None, command: list[str] | None = None
    ) -> None:
        self.noun = noun
        self.process: WorkerProcess | None = None
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
        return ""

    def send(self, request: Request) -> None:
        """Hand a request to the process, which runs."""
        assert self.process is not None, "it was started"
        self.process.send(request)

    def reports(self) -> Iterator[Report]:
        """All reports of the process so far; a reader may end the process."""
        while self.process is not None and (report := self.process.receive()) is not None:
            yield report

    def lost(self) -> str:
        """Cause for which the process ended of itself, in a few words; "" if it did not."""
        process = self.process
        if process is None or not process.has_ended:
            return ""
        cause = process.last_words().rstrip(".") or process.cause()
        self.stop()
        return cause

    def loss(self, cause: str) -> str:
        """Sentence for a process that ended of itself.  cause: as `lost` gives it."""
        return tr(
            "The {channel} stopped unexpectedly ({cause}).", channel=tr(self.noun), cause=cause
        )

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
        process, self.process = self.process, None
        if process is not None:
            process.close()
