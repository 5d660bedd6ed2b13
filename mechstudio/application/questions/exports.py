"""Equations and reports on their way to the clipboard or into files: made in a process of their
own, so that nothing waits for them.
"""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.files.saved_files import say_saved
from mechstudio.application.notifications import Message
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.files.durable import WriteFailed, write
from mechstudio.files.exchange.fmu_binaries import binaries_sentence
from mechstudio.model.equations.report import Report
from mechstudio.model.project import Project
from mechstudio.model.types.exports import BY_ID
from mechstudio.protocol.derivation_messages import Export, Exported, PagesSoFar, Working
from mechstudio.protocol.message import Message as Reported
from mechstudio.translation import tr

KEY = "export"  # of the messages
LONG = 1.0  # seconds after which it is said what is being made
UNTITLED = "Mechanism"


class Job(msgspec.Struct):
    """One export under way.  path: of the file, None for the clipboard.  step: what is being done;
    reported: what was said of it.
    """

    format: str
    path: Path | None
    since: float
    progress: float = 0.0
    step: str = ""
    reported: str = ""
    preview: bool = False


class Exports:
    """Nothing happens but in `poll`, and nothing here waits.

    say, withdraw: of Studio's messages.  copied(text, format): for the clipboard.  saved(path): a
    file stands there.  pages(list): of a preview, as PNG.  changed(): what is under way is another.
    """

    def __init__(
        self,
        document: Document,
        say: Callable[[Message], None],
        withdraw: Callable[[str], None],
        folder: Path | None = None,
        command: list[str] | None = None,
    ) -> None:
        self.copied, self.saved, self.changed, self.pages = Signal(), Signal(), Signal(), Signal()
        self._document, self._say, self._withdraw = document, say, withdraw
        self.channel = Channel[Job](tr("export"), folder, command)

    @property
    def is_working(self) -> bool:
        """True while an export is under way."""
        return bool(self.channel.under_way)

    @property
    def title(self) -> str:
        """Title of the documents: that of the lesson, or the name of the file."""
        path, lesson = self._document.path, self._document.project.lesson.title
        return lesson or (Path(path).stem if path is not None else UNTITLED)

    @property
    def stem(self) -> str:
        """Name of files without the ending of their kind."""
        letters = "".join(c if c.isalnum() else " " for c in self.title.lower())
        return "_".join(letters.split()) or UNTITLED.lower()

    @property
    def progress(self) -> tuple[float, str] | None:
        """Share of the export under way that is done, and its step in words; None for none."""
        job = self._shown
        return None if job is None else (job.progress, job.step)

    def suggested(self, format: str) -> str:
        """A file name for a format."""
        kind = BY_ID[format]
        return f"{self.stem}{'_report' if kind.report else '_equations'}{kind.suffix}"

    def prepare(self) -> bool:
        """Start the process, so that what is requested next comes sooner.  False, with a message,
        if it does not start.
        """
        sentence = self.channel.start()
        if sentence:
            self._say(Message("error", sentence, KEY))
        return not sentence

    def request(
        self,
        format: str,
        method: str,
        units: str,
        path: Path | None = None,
        project: Project | None = None,
        report: Report | None = None,
        title: str = "",
    ) -> None:
        """Export the drawing as it is now into a file, or to the clipboard.  report: its chosen
        chapters; a preview of it goes to `pages`.
        """
        if not self.prepare():
            return
        preview = report is not None and report.preview > 0
        self._withdraw(KEY)
        self.channel.send(
            lambda id: Export(
                id,
                project or self._document.project,
                method,
                format,
                title or self.title,
                units,
                report,
            ),
            Job(format, path, time.monotonic(), preview=preview),
        )
        self.changed.emit()

    def cancel(self) -> None:
        """End everything under way; files are as they were."""
        if self.is_working:
            self.channel.stop()
            self._withdraw(KEY)
            self.changed.emit()

    def poll(self) -> None:
        """Take in what the process has said; say what takes long."""
        for job, report in self.channel.reports():
            self._take(job, report)
        if (job := self._shown) is not None:
            words = tr(
                "Making {what}: {step}, {progress} %",
                what=_what(job),
                step=job.step[:1].lower() + job.step[1:] or tr("deriving"),
                progress=25 * int(4 * job.progress),
            )
            if time.monotonic() - job.since > LONG and words != job.reported:
                job.reported = words
                self._say(Message("info", words, KEY, ((tr("Cancel"), self.cancel),)))

    def close(self) -> None:
        """End the process; these exports cannot be used after that."""
        self.channel.stop()

    @property
    def _shown(self) -> Job | None:
        """The job whose progress is shown."""
        return next((job for job in self.channel.under_way.values() if not job.preview), None)

    def _take(self, job: Job, report: Reported | Refused) -> None:
        match report:
            case Working(_, progress, step):
                job.progress, job.step = progress, step or job.step
            case PagesSoFar(_, content):
                self.pages.emit(msgspec.msgpack.decode(content, type=list[bytes]))
            case Exported(_, content, finding):
                self._withdraw(KEY)
                if finding is not None:
                    what = _what(job)
                    what = what if job.path is not None else what[0].upper() + what[1:]
                    refused = tr("{what} cannot be made.", what=what)
                    words = f"{refused} {finding.message} {finding.cure}".strip()
                    self._say(Message("error", words, KEY))
                elif job.path is not None:
                    self._write(job.path, content)
                elif job.preview:
                    self.pages.emit(msgspec.msgpack.decode(content, type=list[bytes]))
                else:
                    self.copied.emit(content.decode(), job.format)
                self.changed.emit()
            case Refused(sentence, error):
                if error:
                    sentence = self.channel.fault(error, tr(" of {what}", what=_what(job)))
                self._say(Message("error", sentence, KEY))
                self.changed.emit()

    def _write(self, path: Path, content: bytes) -> None:
        try:
            write(path, content)
        except WriteFailed as error:
            self._say(Message("error", f"{error}", KEY))
            return
        note = binaries_sentence(content) if path.suffix.lower() == ".fmu" else ""
        say_saved(self._say, path, KEY, note)
        self.saved.emit(path)


def _what(job: Job) -> str:
    return (
        job.path.name
        if job.path is not None
        else tr("the {format}", format=tr(BY_ID[job.format].label))
    )
