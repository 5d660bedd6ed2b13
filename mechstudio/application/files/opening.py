"""Reading a file beside the window: a large one takes longer than the window may stand still."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from mechstudio.application.document import Document
from mechstudio.application.files.exchange import ExchangeError, Opened, opened
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.signal import Signal
from mechstudio.files.project_file import ProjectFileError
from mechstudio.model.project import Project
from mechstudio.translation import tr

LONG = 0.5  # s of reading after which it is said that a file is being read

Done = Callable[[], object]


class Reading:
    """A file that is being read.   drawing: the project that was open when it began."""

    def __init__(
        self,
        path: str | Path,
        as_copy: bool,
        then: Done,
        drawing: Project,
        other: Callable[[Opened], object] | None = None,
    ) -> None:
        """other: takes a file that does not become the document."""
        self.path, self.as_copy, self.then, self.drawing = path, as_copy, then, drawing
        self.other = other
        self.found: Opened | None = None
        self.error: Exception | None = None
        self.since, self.reported = time.monotonic(), False
        self.thread = threading.Thread(
            target=self._read, name=tr("reading {path}", path=Path(path).name), daemon=True
        )

    def _read(self) -> None:
        try:
            self.found = opened(self.path)
        except Exception as error:
            self.error = error


class Opening:
    """At most one file is being read; another request replaces it.

    imported(name, notes): a file of another program was opened, and what of it did not come along.
    """

    def __init__(
        self,
        document: Document,
        notifications: Notifications,
        take: Callable[[Opened, bool], object],
        refuse: Callable[[str | Path, Exception], object],
    ) -> None:
        """take(found, as_copy): a file was read.  refuse(path, error): it could not be."""
        self._document, self._notifications = document, notifications
        self._take, self._refuse = take, refuse
        self._reading: Reading | None = None
        self.imported = Signal()

    @property
    def is_reading(self) -> bool:
        return self._reading is not None

    def start(self, path: str | Path, as_copy: bool = False, then: Done = lambda: None) -> None:
        """Read a file; once it is there it becomes the document, and `then` follows.  On failure it
        is said why, and all stays as it is.
        """
        self._reading = Reading(path, as_copy, then, self._document.project)
        self._reading.thread.start()

    def read(self, path: str | Path, taken: Callable[[Opened], object]) -> None:
        """Read a file that does not become the document; on failure it is said why."""
        self._reading = Reading(path, False, lambda: None, self._document.project, taken)
        self._reading.thread.start()

    def poll(self) -> None:
        """Take the file that has been read."""
        reading = self._reading
        if reading is None:
            return
        if reading.thread.is_alive():
            if not reading.reported and time.monotonic() - reading.since > LONG:
                reading.reported = True
                self._notifications.say(
                    Message("info", tr("Reading {path}…", path=Path(reading.path).name), "file")
                )
            return
        self._reading = None
        path = reading.path
        self._notifications.withdraw("file")
        known = ProjectFileError | OSError | ExchangeError
        if reading.error is not None and not isinstance(reading.error, known):
            raise reading.error
        if reading.error is not None:
            self._refuse(path, reading.error)
        elif reading.other is not None:
            assert reading.found is not None
            reading.other(reading.found)
        elif self._document.project is not reading.drawing:
            self._notifications.say(
                Message(
                    "warning",
                    tr(
                        "{path} was not opened, since the drawing was changed while it was read. "
                        "Open it again.",
                        path=Path(path).name,
                    ),
                    "file",
                )
            )
        else:
            assert reading.found is not None
            self._take(reading.found, reading.as_copy)
            reading.then()
            self.report(path, reading.found)

    def report(self, path: str | Path, found: Opened) -> None:
        """Report the omitted content of a file, and the folder of an unpacked pack."""
        name = Path(path).name
        if found.is_imported:
            self.imported.emit(name, found.notes)
        elif found.path is not None and found.path != str(path):
            folder = Path(found.path).parent.name
            text = tr("{name} is laid out in the folder {folder}.", name=name, folder=folder)
            self._notifications.say(Message("info", " ".join((text, *found.notes)), "load"))
