"""The solver's own steps around the time cursor, to go from one to the next."""

import math

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.questions.analyses import steps_question
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.runs import Runs
from mechstudio.translation import tr

AROUND = 300  # steps to either side of the time cursor that are found at once
SAME = 1e-6  # of the size or radians: how near a run that is made again must come to the first one
HERE = 1e-12  # of the time, within which two instants are one


class SolverSteps:
    """Nothing happens but in `poll`."""

    def __init__(self, document: Document, notifications: Notifications, runs: Runs) -> None:
        self._document, self._notifications, self._runs = document, notifications, runs
        self._asker = steps_question(document)
        self._asker.changed.connect(self._answered)
        # the recording of the request, the interval and the end of its part of the run, the
        # direction and the time of the cursor
        self._pending: tuple[Recording, float, float, float, int, float] | None = None

    def step(self, direction: int) -> None:
        """Pause, and go to the next step (+1) or the one before (-1); steps that are not known yet
        are looked for, and gone to where the time cursor still stands.
        """
        recording, playback = self._runs.recording, self._runs.playback
        playback.pause()
        if recording is None or not recording.finished or recording.count < 2:
            return
        target = self._next(recording, playback.time, direction)
        if target is not None:
            playback.seek(target)
        elif playback.time != (recording.end if direction > 0 else recording.begin):
            self._request(recording, playback.time, direction)

    @staticmethod
    def _next(recording: Recording, now: float, direction: int) -> float | None:
        """The instant to go to, where a step ends or a part of the run begins; None where it is not
        known yet.
        """
        found = recording.steps
        if found is None or not found.begin <= now <= found.end:
            return None
        edges = {recording.begin, recording.end, *(part.begin for part in recording.parts)}
        times = np.array([*found.rows[:, 0], *(edges & {found.begin, found.end})])
        return _next(times, now, direction)

    def _request(self, recording: Recording, now: float, direction: int) -> None:
        part = recording.part_at(now)
        if direction < 0 and now <= part.begin and part is not recording.parts[0]:
            part = recording.parts[recording.parts.index(part) - 1]
        following = recording.parts.index(part) + 1
        last = (
            recording.parts[following].begin if following < len(recording.parts) else recording.end
        )
        statistics = recording.statistics
        mean = (
            statistics.duration / statistics.steps
            if statistics is not None and statistics.steps
            else recording.length / recording.count
        )
        reach = AROUND * mean
        # nothing of a part is seen from the next one
        begin, end = max(now - reach, part.begin), min(now + reach, last)
        self._pending = recording, begin, end, last, direction, now
        self._asker.request(part.drawing, begin, end)

    def poll(self) -> None:
        """Take in what was found."""
        self._asker.poll()

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._asker.close()

    def _answered(self) -> None:
        if self._asker.state == "searching" or self._pending is None:
            return
        recording, begin, end, last, direction, now = self._pending
        self._pending = None
        if self._asker.state == "failed":
            self._say(self._asker.sentence)
        elif (answer := self._asker.result) is not None:
            rows = np.frombuffer(answer.rows).reshape(-1, recording.layout.width)
            again = np.frombuffer(answer.again)
            if not recording.is_repeated_by(again, SAME * self._document.size):
                self._say(
                    tr(
                        "The steps of this run cannot be shown: made again it moves otherwise. "
                        "Simulate again first."
                    )
                )
                return
            rows = rows[rows[:, 0] <= last]
            if len(rows):
                begin, end = min(begin, float(rows[0, 0])), max(end, float(rows[-1, 0]))
            recording.keep_steps(rows, begin, end)
            self._notifications.withdraw("steps")
            target = self._next(recording, now, direction)
            if self._runs.recording is recording and self._runs.playback.time == now:
                self._runs.playback.seek(now if target is None else target)

    def _say(self, sentence: str) -> None:
        self._notifications.say(Message("warning", sentence, "steps"))


def _next(times: np.ndarray, now: float, direction: int) -> float | None:
    """The first instant after a time, or the last before it; None where there is none."""
    apart = HERE * max(abs(now), math.ulp(1.0))
    others = times[times > now + apart] if direction > 0 else times[times < now - apart]
    if not len(others):
        return None
    return float(others.min() if direction > 0 else others.max())
