"""Keeps unsaved work on disk: at most two seconds after a change it stands in a journal; a save or
a clean exit removes it.
"""

import threading
import time

from mechstudio.application.document import Document
from mechstudio.application.signal import Signal
from mechstudio.files import durable, journal
from mechstudio.model.project import Project
from mechstudio.translation import tr

DELAY = 1.0  # s between a change and its journal


class Journal:
    """Follows one document.  `poll` is called by the window's clock; writing happens in a thread,
    because a disk may be slow.

    failed(sentence): the journal cannot be written; said once until it works again.
    """

    def __init__(self, document: Document, clock=time.monotonic) -> None:
        self.failed = Signal()
        self._document, self._clock = document, clock
        self._changed_at: float | None = None
        self._changes = 0
        self._place: str | None = None
        self._outdated = False  # what is being written belongs to a document that was left
        self._thread: threading.Thread | None = None
        self._result: tuple[str | None, str] | None = None
        self._silenced = False
        document.changed.connect(self._on_change)
        document.state_changed.connect(self._on_state)

    def poll(self) -> None:
        """Start a write when one is due and take the outcome of the last."""
        self._take_result()
        due = self._changed_at is not None and self._clock() - self._changed_at >= DELAY
        if due and self._thread is None:
            self._start_writing()

    def _start_writing(self) -> None:
        self._changed_at, self._outdated = None, False
        label = self._document.undo_label
        arguments = (self._document.path, self._document.project, self._changes, label)
        self._thread = threading.Thread(
            target=self._write, args=arguments, name="journal", daemon=True
        )
        self._thread.start()

    def close(self, keep: bool = False) -> None:
        """End; the journal goes away with the window unless `keep`, which brings it up to date
        first.
        """
        self._finish_writing()
        if keep and self._changed_at is not None:
            self._start_writing()
            self._finish_writing()
        if not keep:
            self._forget()
        self._document.changed.disconnect(self._on_change)
        self._document.state_changed.disconnect(self._on_state)

    def adopt(self, entry: journal.JournalEntry) -> None:
        """Go on with recovered work: its journal is rewritten as this window's."""
        if entry.journal != self._place:
            journal.remove_journal(entry.journal)
        self._changes, self._changed_at = entry.changes, self._clock() - DELAY

    def _finish_writing(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._take_result()

    def _on_change(self, old: Project, new: Project) -> None:
        if self._document.history[1] == 0 and not self._document.is_modified:
            self._forget()  # another document was opened
            self._changes, self._changed_at = 0, None
            self._outdated = self._thread is not None
            return
        self._changes += 1
        if self._changed_at is None:
            self._changed_at = self._clock()

    def _on_state(self) -> None:
        if not self._document.is_modified:
            self._changes, self._changed_at = 0, None
            self._forget()

    def _write(self, path: str | None, project: Project, changes: int, label: str) -> None:
        try:
            self._result = (str(journal.write_journal(path, project, changes, label)), "")
        except durable.WriteFailed as error:
            self._result = (None, str(error))

    def _take_result(self) -> None:
        if self._thread is None or self._thread.is_alive():
            return
        self._thread.join()
        self._thread = None
        if self._result is None:
            return
        (place, sentence), self._result = self._result, None
        if place is not None:
            if self._place is not None and self._place != place:
                journal.remove_journal(self._place)
            self._place, self._silenced = place, False
            if self._outdated or not self._document.is_modified:
                self._forget()  # saved, or left for another document, meanwhile
        elif not self._silenced:
            self._silenced = True
            self.failed.emit(
                tr("Unsaved changes cannot be kept safe: {sentence}", sentence=sentence)
            )

    def _forget(self) -> None:
        if self._place is not None:
            journal.remove_journal(self._place)
            self._place = None
