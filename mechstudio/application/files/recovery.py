"""Nothing is lost: journals of unsaved work, their recovery, and the notice that a file is open or
was changed elsewhere.
"""

import os
from pathlib import Path

from mechstudio.application.document import Document
from mechstudio.application.files.journal import Journal
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.signal import Signal
from mechstudio.files import journal, presence
from mechstudio.files.journal import JournalEntry
from mechstudio.translation import Words, tr, trn

RESTORE: Words = "Restore unsaved changes"


class Recovery:
    """Journal of unsaved work of one document, and its return.

    restored(): unsaved work of an earlier window came back.
    """

    def __init__(
        self, document: Document, notifications: Notifications, active: bool = True
    ) -> None:
        """active: False watches nothing and writes nothing, for pictures."""
        self.restored = Signal()
        self._document, self._notifications, self._active = document, notifications, active
        self.journal = Journal(document)
        self.journal.failed.connect(
            lambda sentence: notifications.say(Message("warning", sentence, "journal"))
        )
        self._held = ""  # path that this window has announced
        self._recovered = False  # the document has restored changes that were not saved yet
        self._stamp: tuple[int, int] | None = None

    def poll(self) -> None:
        """Let the journal write what is due."""
        if self._active:
            self.journal.poll()

    def close(self, keep: bool = False) -> None:
        """The window ends; its journal goes with it unless `keep`."""
        self._hold("")
        self.journal.close(keep)

    # files

    def opened(self, path: str | None) -> None:
        """Another document stands in the window: announce it, and bring back what an earlier window
        left unsaved.
        """
        self._stamp, self._recovered = _stamp(path), False
        self._notifications.withdraw("elsewhere")
        self._notifications.withdraw("restored")
        if not self._active:
            return
        self._hold(path or "")
        if path is None:
            return
        self._say_holder(path)
        entry = journal.find_journal(path)
        if entry is not None:
            self._restore(entry, Path(path).name)

    def _say_holder(self, path: str) -> None:
        """Tell where another window has a file open."""
        if presence.holder(path):
            self._notifications.say(
                Message(
                    "warning",
                    tr(
                        "{name} is open in another window too: the one that saves last replaces "
                        "the other's changes.",
                        name=Path(path).name,
                    ),
                    "elsewhere",
                )
            )

    def take_over(self, other: "Recovery") -> None:
        """Continue with the document of a closed one: changes of its file since it was read there
        still count as changes by others.
        """
        self._stamp, self._recovered = other._stamp, other._recovered
        if self._active and (path := self._document.path) is not None:
            self._hold(path)
            self._say_holder(path)

    def saved(self, path: str) -> None:
        """The document was written to a path."""
        self._stamp, self._recovered = _stamp(path), False
        if self._active:
            self._hold(path)

    def changed_elsewhere(self, path: str) -> bool:
        """True if the file at `path` is the document's own and has changed since this window last
        read or wrote it; False for a file that is gone.
        """
        return (
            path == self._document.path
            and self._stamp is not None
            and _stamp(path) not in (None, self._stamp)
        )

    def recovers(self, path: Path) -> bool:
        """True for a file whose unsaved changes came back, or will when it is opened."""
        own = self._document.path
        if own is not None and os.path.realpath(own) == os.path.realpath(path):
            return self._recovered and self._document.is_modified
        return self._active and journal.find_journal(str(path)) is not None

    def restore_unnamed(self) -> None:
        """At a start without a file: the newest unnamed project that an earlier window left
        unsaved.
        """
        for entry in journal.find_unnamed()[:1]:
            self._restore(entry, tr("An unnamed project"))

    def _restore(self, entry: JournalEntry, name: str) -> None:
        if entry.project == self._document.project:
            journal.remove_journal(entry.journal)
            return
        self._document.commit(tr(RESTORE), entry.project)
        self._recovered = True
        self.journal.adopt(entry)
        count = trn("{count} change", "{count} changes", entry.changes)
        last = tr(", the last one: {entry}", entry=tr(entry.label)) if entry.label else ""
        self._notifications.say(
            Message(
                "info",
                tr(
                    "{name} was restored with {count} after the last save{last}.",
                    name=name,
                    count=count,
                    last=last,
                ),
                "restored",
                ((tr("Keep"), self.keep_restored), (tr("Discard"), self.discard_restored)),
            )
        )
        self.restored.emit()

    def keep_restored(self) -> None:
        """Keep the restored changes; they stay unsaved until saved."""
        self._notifications.withdraw("restored")

    def discard_restored(self) -> None:
        """Go back to the file as it was saved; redo brings the restored changes again."""
        self._notifications.withdraw("restored")
        self._document.undo()

    def _hold(self, path: str) -> None:
        """Announce the file that this window has open, and no other."""
        if self._held and self._held != path:
            presence.withdraw(self._held)
        if path and self._held != path and not presence.holder(path):
            presence.announce(path)
        self._held = path


def _stamp(path: str | None) -> tuple[int, int] | None:
    """Version stamp of a file: modification time [ns], size [bytes]; None if there is no file."""
    if path is None:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
