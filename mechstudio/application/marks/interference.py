"""Bodies that lie in each other over the run: requested in the background once a run is
finished.
"""

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.marks.figures.figure import Symbol
from mechstudio.application.questions.analyses import interference_question
from mechstudio.application.runs.recording import Recording
from mechstudio.application.signal import Signal
from mechstudio.model.results.interference import Overlap
from mechstudio.model.units import format_value
from mechstudio.translation import localised, tr

MOST = 2000  # instants of a run that are examined


class Interferences:
    """Overlaps of the solids of a document over its run.  changed(): they are others, or a search
    began, went on or ended.
    """

    def __init__(self, document: Document) -> None:
        self.changed = Signal()
        self._document, self._asker = document, interference_question(document)
        self._asker.changed.connect(self.changed.emit)
        self._pending: Recording | None = None

    @property
    def overlaps(self) -> tuple[Overlap, ...]:
        """Those that were found, in the order of their beginnings."""
        result = self._asker.result
        return () if result is None else result.overlaps

    @property
    def state(self) -> str:
        """State of the search, in words."""
        result = self._asker.result
        if self._asker.state == "searching":
            return tr("{percent} %", percent=round(100 * self._asker.progress))
        if self._asker.state == "failed":
            return self._asker.sentence
        if result is None:
            return tr("after a run")
        if result.problem:
            return f"{result.problem} {result.cure}".strip()
        if not result.overlaps:
            return tr("none at {count} instants", count=result.instants)
        count, instants = len(result.overlaps), result.instants
        return tr("{count} at {instants} instants", count=count, instants=instants)

    def words(self, overlap: Overlap, units: str) -> str:
        """An overlap in words: which bodies, when, how deep."""
        m = self._document.project.mechanism
        first, second = (m.body(id).name for id in overlap.bodies)
        return tr(
            "{first} and {second}, {begin} to {end} s, {depth} deep",
            first=first,
            second=second,
            begin=localised(f"{overlap.begin:.4g}"),
            end=localised(f"{overlap.end:.4g}"),
            depth=format_value(overlap.depth, "length", units, 3),
        )

    def symbols(self, now: float, units: str) -> tuple[Symbol, ...]:
        """Marks of the overlaps that there are at a time, where they are deepest."""
        m = self._document.project.mechanism
        out = []
        for overlap in self.overlaps:
            if overlap.begin <= now <= overlap.end:
                depth = format_value(overlap.depth, "length", units, 3)
                names = " / ".join(m.body(id).name for id in overlap.bodies)
                words = tr(
                    "{bodies}, {depth} deep at {time} s",
                    bodies=names,
                    depth=depth,
                    time=localised(f"{overlap.deepest:.4g}"),
                )
                out.append(Symbol("clash", np.array(overlap.point), words=words, role="error"))
        return tuple(out)

    def poll(self, recording: Recording | None, requested: bool) -> None:
        """Receive answers, and analyse a finished run if requested."""
        self._asker.poll()
        if not requested:
            if self._asker.state == "searching":
                self._asker.cancel()
            self._pending = None
            return
        if recording is None or not recording.finished or not recording.count:
            return
        if self._pending is recording and self._asker.state != "idle":
            return
        self._pending = recording
        count = recording.count
        picked = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(int))
        rows = recording.rows[picked]
        times, poses = rows[:, 0].astype("<f8"), rows[:, recording.layout.poses].astype("<f8")
        self._asker.request(times.tobytes(), poses.tobytes())

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._asker.close()
