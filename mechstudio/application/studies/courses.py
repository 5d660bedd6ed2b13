"""Courses over the time of single runs of a study, found again in a process of their own."""

from pathlib import Path

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.questions.channel import Channel
from mechstudio.application.signal import Signal
from mechstudio.curves.course import Course
from mechstudio.model.studies.setup import StudySetup
from mechstudio.protocol.study_messages import FindCourses, StudyCourse
from mechstudio.studies.table import StudyTable
from mechstudio.translation import tr

Key = tuple[str, int]  # digest of a study, and one of its rows


class StudyCourses:
    """Nothing happens but in `poll`, and nothing here waits.  changed(): more courses are there.

    channel: its requests are about the digest of a study.
    """

    def __init__(self, document: Document, folder: Path | None, command: list[str]) -> None:
        self.changed = Signal()
        self._document = document
        self.channel = Channel[str](tr("study"), folder, command)
        self._known: dict[Key, dict[str, Course]] = {}
        self._requested: set[Key] = set()

    def of(self, digest: str, row: int) -> dict[str, Course]:
        """Courses of a row by the keys of their quantities; none while they are not there."""
        return self._known.get((digest, row), {})

    def want(self, digest: str, setup: StudySetup, table: StudyTable, rows: list[int]) -> None:
        """Find the courses of rows that are not known yet."""
        new = [row for row in rows if (digest, row) not in self._requested]
        if not new or self.channel.start():
            return
        self._requested |= {(digest, row) for row in new}
        self.channel.send(
            lambda id: FindCourses(
                id,
                self._document.project,
                setup,
                tuple(new),
                np.ascontiguousarray(table.varied[new], "<f8").tobytes(),
            ),
            digest,
        )

    def poll(self) -> None:
        """Take in what the process has said."""
        heard = False
        for digest, report in self.channel.reports():
            if isinstance(report, StudyCourse):
                times, values = (np.frombuffer(b, "<f8") for b in (report.times, report.values))
                known = self._known.setdefault((digest, report.row), {})
                known[report.channel] = Course(times, values)
                heard = True
        if heard:
            self.changed.emit()
        if self.channel.process is None:
            self._forget_missing()

    def rest(self) -> None:
        """End the process; what is known stays."""
        self.channel.stop()
        self._forget_missing()

    def _forget_missing(self) -> None:
        """Leave rows that did not come to the next time that they are requested."""
        self._requested = set(self._known)
