"""Files whose content is made beside the window's own thread."""

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore

from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots.export import say_saved, write
from mechstudio.translation import tr


class FileMaking(QtCore.QObject):
    """Writer of files that says how it went.  finished: a file is written, or could not be.
    saved(path): it is.
    """

    finished = QtCore.Signal()
    saved = QtCore.Signal(Path)
    _made = QtCore.Signal(str, object, str)

    def __init__(self, notifications: Notifications, owner: QtCore.QObject) -> None:
        super().__init__(owner)
        self._notifications = notifications
        self._made.connect(self._write)

    def make(self, path: Path, content: Callable[[], bytes], notes: str = "") -> None:
        """Make the content in a thread of its own, since long tables and typeset pictures take
        their time, and write it.  notes: sentences on what is not in it.
        """

        def work() -> None:
            try:
                made: object = content()
            except Exception as error:  # reported in the window's thread
                made = error
            self._made.emit(str(path), made, notes)

        threading.Thread(target=work, name="export", daemon=True).start()

    def let_write(self, path: Path, work: Callable[[], list[str]]) -> None:
        """Let a function write the file in a thread of its own, and report the sentences that it
        returns.  Its exceptions are reported unchanged.
        """

        def run() -> None:
            try:
                made: object = tuple(work())
            except Exception as error:  # reported in the window's thread
                made = error
            self._made.emit(str(path), made, "")

        threading.Thread(target=run, name="export", daemon=True).start()

    def _write(self, path: str, made: object, notes: str) -> None:
        if isinstance(made, bytes):
            if write(Path(path), made, self._notifications, notes):
                self.saved.emit(Path(path))
        elif isinstance(made, tuple):
            say_saved(self._notifications.say, Path(path), "export")
            if made:
                self._notifications.say(Message("warning", " ".join(made), "export notes"))
            self.saved.emit(Path(path))
        else:
            text = tr("{name} could not be made: {reason}", name=Path(path).name, reason=made)
            self._notifications.say(Message("warning", text, "export"))
        self.finished.emit()
