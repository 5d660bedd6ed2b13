"""Curves found by analyses: requested in the background once a run is complete, kept while the
drawing moves as it does.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_motion
from mechstudio.application.plots.panes import Pane, known, panes
from mechstudio.application.questions.analyses import analysis_question
from mechstudio.application.runs.kept_runs import Series
from mechstudio.application.runs.recording import Recording
from mechstudio.application.signal import Signal
from mechstudio.curves.analysis_questions import AnalysisQuestion, needs_analysis, questions
from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Table, answered
from mechstudio.curves.quantities import quantity
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import Measured

MOST = 400  # instants of a run at which curves are found at most


class AnalysedCurves:
    """Nothing happens but in `poll`.

    also: keys that are requested beside those of the plots; joint_errors: those of constraint
    errors while they are listed.  answers: courses that were found, by parts of quantities.
    changed(): curves came or went, or work began or ended.  sentence: why some could not be found;
    empty if all could.
    """

    def __init__(
        self,
        document: Document,
        folder: Path | None = None,
        command: list[str] | None = None,
        keep: Callable[[Recording, dict[str, Series]], object] = lambda recording, found: None,
    ) -> None:
        """keep(recording, found): takes the curves of a recording once all of them are there."""
        self.changed, self._keep = Signal(), keep
        self.sentence = ""
        self.also: tuple[str, ...] = ()
        self.joint_errors: tuple[str, ...] = ()
        self._document = document
        self._asker = analysis_question(document, folder, command)
        self._asker.changed.connect(self._answered)
        self._under_way: AnalysisQuestion | None = None
        self._found: dict[AnalysisQuestion, Measured | None] = {}
        self.answers: Mapping[str, Course] = {}
        self._parts_of: tuple[Project, ...] = ()  # Recording.drawings of the answers
        self._settled: tuple[Recording, Mechanism, tuple[str, ...]] | None = None
        self._paned: tuple[Project | None, tuple[Pane, ...]] = (None, ())
        document.changed.connect(self._document_changed)

    @property
    def is_busy(self) -> bool:
        """True while a search is under way."""
        return self._asker.state == "searching"

    def poll(self, recording: Recording | None) -> None:
        """Receive the answer, and request the next one that plots need.  recording: of the drawing
        as it is now.
        """
        self._asker.poll()
        if recording is None or not recording.finished or not recording.count or self.is_busy:
            return
        if recording.drawings != self._parts_of:
            # the same drawing run with other changes on the way has other curves
            self._parts_of, self._found, self.answers = recording.drawings, {}, {}
            self._settled = None
        project, keys = self._document.project, self.requested
        # read at every tick: nothing is computed twice
        before = self._settled
        if not keys or (
            before is not None
            and before[0] is recording
            and before[1] is project.mechanism
            and before[2] == keys
        ):
            return
        step = max(project.settings.sample_step.value, recording.length / MOST)
        requested = known(project, keys).values()
        for question, parts in questions(project, requested, recording.length, step).items():
            if question not in self._found:
                self._under_way = question
                self._asker.request(question.what, question.options, recording.drawings)
                return
            if (answer := self._found[question]) is not None:
                self.answers = {**self.answers, **answered(project, Table(answer), parts)}
        self._settled = (recording, project.mechanism, keys)
        self._keep(recording, self.found)
        self.changed.emit()

    @property
    def requested(self) -> tuple[str, ...]:
        """Parts of quantities that an analysis has to find, by key."""
        return self._parts((*self.also, *self.joint_errors, *self._plotted()))

    @property
    def in_plots(self) -> tuple[str, ...]:
        """Those of them that plots show."""
        return self._parts(self._plotted())

    def _plotted(self) -> tuple[str, ...]:
        return tuple(c.key for p in self._panes() for c in p.needed if c.measured)

    def _parts(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        shown = known(self._document.project, keys).values()
        return tuple(dict.fromkeys(p for q in shown for p in q.parts if needs_analysis(p)))

    @property
    def is_settled(self) -> bool:
        """True once everything that can be found is."""
        return self._settled is not None

    @property
    def found(self) -> dict[str, Series]:
        """Curves that were found, by parts of quantities."""
        return {key: (c.times, c.values, c.loose) for key, c in self.answers.items()}

    def _panes(self) -> tuple[Pane, ...]:
        """The panes of the project; read at every tick, and rebuilt only for another project."""
        if self._paned[0] is not self._document.project:
            self._paned = (self._document.project, panes(self._document.project))
        return self._paned[1]

    def series(self, key: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Instants (s,) [s] and values (s,) [SI] of a part of quantities; None while unknown."""
        found = self.answers.get(key)
        return None if found is None else (found.times, found.values)

    def loose(self, key: str) -> bool:
        """True if rigid bodies do not determine a quantity everywhere."""
        shown = quantity(self._document.project, key) if self.answers else None
        return shown is not None and any(
            part in self.answers and self.answers[part].loose for part in shown.parts
        )

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self._asker.close()

    def _answered(self) -> None:
        if self._asker.state in ("ready", "failed") and self._under_way is not None:
            self._found[self._under_way], self._under_way = self._asker.result, None
            self._settled = None
            self.sentence = self._asker.sentence
        elif self._asker.state == "idle":
            self._under_way = None
        self.changed.emit()

    def _document_changed(self, old: Project, new: Project) -> None:
        # names stand in the tables' columns, in those that are on their way too
        if not same_motion(old, new) or (
            old.mechanism is not new.mechanism and (self._found or self._under_way is not None)
        ):
            self._asker.cancel()
            self._found, self.answers, self._settled, self.sentence = {}, {}, None, ""
            self.changed.emit()
