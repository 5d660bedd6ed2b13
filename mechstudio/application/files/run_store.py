"""Store of kept runs beside the project's file: written after each save, read after opening, both
in a thread beside the window.
"""

import threading
from collections.abc import Callable
from pathlib import Path

from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.runs.kept_runs import KeptRun, KeptRuns
from mechstudio.application.runs.recording import Recording, RunPart
from mechstudio.files import runs as run_files
from mechstudio.files.runs import RunUnreadable, SavedPart, SavedRun
from mechstudio.translation import tr

Mark = tuple[int, str, str, bool, bool]  # of a run as it stands in its file


def _mark(run: KeptRun) -> Mark:
    return id(run.recording), run.name, run.note, run.pinned, run.ticked


class RunStore:
    """Nothing reaches the list of runs but in `poll`.  One job at a time; of several saves while
    one is under way the last one counts.
    """

    def __init__(self, kept: KeptRuns, notifications: Notifications) -> None:
        self._kept, self._notifications = kept, notifications
        self._folder: Path | None = None
        self._written: dict[int, Mark] = {}
        self._thread: threading.Thread | None = None
        self._next: Callable[[], None] | None = None
        self._done: Callable[[], None] | None = None  # what the job under way leaves for poll

    @property
    def is_busy(self) -> bool:
        """True while runs are read or written."""
        return self._thread is not None

    def opened(self, path: str | None) -> None:
        """Read the runs of a project that was opened; none without a file."""
        self._folder = None if path is None else run_files.folder_of(path)
        self._written = {}
        folder = self._folder
        if folder is not None and folder.is_dir():
            self._start(lambda: self._read(folder))

    def saved(self, path: str) -> None:
        """Write the runs beside a project that was saved."""
        folder = run_files.folder_of(path)
        if folder != self._folder:
            self._folder, self._written = folder, {}
        runs = [run for run in self._kept.runs if run.recording.finished and run.recording.count]
        known = dict(self._written)
        if {run.number: _mark(run) for run in runs} != known or set(
            run_files.numbers(folder)
        ) != set(known):
            self._start(lambda: self._write(folder, runs, known))

    def take_over(self, other: "RunStore") -> None:
        """Continue with the runs of a closed store, as saved on disk."""
        self._folder, self._written = other._folder, dict(other._written)
        self._kept.restore(other._kept.runs)

    def poll(self) -> None:
        """Take what a job has found, and begin the one that waits."""
        if self._thread is None or self._thread.is_alive():
            return
        self._thread.join()
        done, following = self._done, self._next
        self._thread = self._done = self._next = None
        if done is not None:
            done()
        if following is not None:
            self._start(following)

    def close(self) -> None:
        """Wait for what is being read or written, and for the save that waits behind it."""
        while self._thread is not None:
            self._thread.join()
            self.poll()

    def _start(self, job: Callable[[], None]) -> None:
        if self._thread is not None:
            self._next = job
            return
        self._thread = threading.Thread(target=job, name="runs", daemon=True)
        self._thread.start()

    def _write(self, folder: Path, runs: list[KeptRun], known: dict[int, Mark]) -> None:
        written, sentence = dict(known), ""
        try:
            for number in run_files.numbers(folder):
                if number not in {run.number for run in runs}:
                    run_files.remove(folder, number)
                    written.pop(number, None)
            for run in runs:
                mark, before = _mark(run), known.get(run.number)
                if before != mark:
                    saved, rows, contacts = _saved(run), run.recording.rows, run.recording.contacts
                    samples = (contacts[n] for n in range(saved.contacts))
                    run_files.write(folder, saved, rows, samples)
                    written[run.number] = mark
        except (OSError, ValueError) as error:
            sentence = tr("Not all runs could be saved beside the project: {error}", error=error)

        def done() -> None:
            if folder == self._folder:
                self._written = written
            self._report(sentence)

        self._done = done

    def _read(self, folder: Path) -> None:
        found: list[KeptRun] = []
        sentences: list[str] = []
        for number in run_files.numbers(folder):
            try:
                found.append(_restored(folder, number, sentences))
            except RunUnreadable as error:
                sentences.append(str(error))

        def done() -> None:
            if folder == self._folder and not self._kept.runs:
                self._kept.restore(found)
                self._written = {run.number: _mark(run) for run in found}
            self._report(" ".join(sentences[:2]))

        self._done = done

    def _report(self, sentence: str) -> None:
        if sentence:
            self._notifications.say(Message("warning", sentence, "runs"))
        else:
            self._notifications.withdraw("runs")


def _saved(run: KeptRun) -> SavedRun:
    recording = run.recording
    return SavedRun(
        run.number,
        run_files.drawing_text(run.project),
        run.note,
        run.name,
        run.pinned,
        run.ticked,
        recording.complete,
        recording.reason,
        recording.statistics,
        tuple(recording.events),
        contacts=len(recording.contacts),
        parts=tuple(
            SavedPart(p.begin, run_files.drawing_text(p.drawing), p.words, p.came_to, p.warning)
            for p in (recording.parts if recording.is_changed else ())
        ),
    )


def _restored(folder: Path, number: int, sentences: list[str]) -> KeptRun:
    """A run as it was saved.  sentences: receives notes on lost parts.  Raises RunUnreadable."""
    saved, project = run_files.read(folder, number)
    recording = Recording(project)
    try:
        recording.take(run_files.samples(folder, number))
    except ValueError as error:
        raise RunUnreadable(
            tr("The saved run {number} cannot be shown: {error}.", number=number, error=error)
        ) from error
    recording.events = list(saved.events)
    if saved.parts:
        recording.parts = tuple(
            RunPart(p.begin, run_files.drawing_of(p.drawing, number), p.words, p.came_to, p.warning)
            for p in saved.parts
        )
    try:
        recording.contacts.extend(run_files.contacts_of(folder, saved))
    except (RunUnreadable, OSError) as error:
        recording.contacts.clear()
        sentences.append(str(error))
    recording.finish(saved.complete, saved.reason, saved.statistics)
    return KeptRun(number, recording, saved.note, saved.name, saved.pinned, saved.ticked)
