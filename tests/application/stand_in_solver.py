"""A session that only records its calls, and a Studio with it."""

from mechstudio.application.preferences import Preferences
from mechstudio.application.signal import Signal
from mechstudio.application.studio import Studio


class Status:
    phase, sentence = "ready", ""


class Signals:
    """The signals of a session, never sent."""

    def __init__(self):
        self.analysed, self.recorded, self.run_finished, self.status_changed = signals(4)
        self.posed, self.assembling, self.assembled, self.dragged, self.closed = signals(5)


def signals(count):
    return [Signal() for _ in range(count)]


class StandInSolver(Signals):
    """calls: (name, *arguments), in order."""

    analysis = recording = None
    is_running = False
    status = Status()

    def __init__(self):
        super().__init__()
        self.calls = []

    def _note(self, what, *arguments):
        self.calls.append((what, *arguments))

    def of(self, what):
        """Arguments of the calls of one name, in order."""
        return [call[1:] for call in self.calls if call[0] == what]

    def pose(self, *target):
        self._note("pose", *target)

    def assemble(self, keep=()):
        self._note("assemble", keep)

    def cancel_assembly(self):
        self._note("cancel_assembly")

    def start_drag(self, *what):
        self._note("start_drag", *what)

    def drag_to(self, *where):
        self._note("drag_to", *where)

    def end_drag(self, keep=True):
        self._note("end_drag", keep)

    def cancel(self):
        pass

    def close(self):
        pass


def studio_with(session, project, folder):
    """A Studio on a project, its preferences in a folder."""
    studio = Studio(Preferences(folder / "preferences.json"))
    studio.files.show(project, None, None)
    studio.attach(session)
    return studio
