"""Kept runs: every completed run, named by its changes, to compare later ones with."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from mechstudio.application.motion_comparison import same_drawing, same_motion
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.run_parts import parts_words
from mechstudio.application.signal import Signal
from mechstudio.model.formulas.decimal_comma import with_commas
from mechstudio.model.project import Project
from mechstudio.model.results.methods import method_parts
from mechstudio.translation import Words, comma, localised, tr

BUDGET = 1 << 30  # bytes that the samples of all kept runs may take on the disk
# notes that are shown in the language of the window at that time, whichever they were made in
OTHER: Words = "another drawing"
SAME: Words = "as before"
DRAWN: Words = "as drawn"
RESTARTED: Words = "from the start"
CHANGES = 3  # changes that the note of a run names

Series = tuple[np.ndarray, np.ndarray, bool]


@dataclass(eq=False)
class KeptRun:
    """One run.

    number: counted from 1, never given twice.  name: the user's; empty for "Run 3".  note: what was
    changed since the run before.  pinned: never dropped for room.  ticked: its curves are shown
    beside those of the present run.  hidden: it was unticked by hand, and is not shown as the run
    before either.  movement: names the drag of a slider that it belongs to.
    series: instants [s], values [SI] and "not determined" of quantities that an analysis found, by
    key.  requested: keys of those that were requested, found or not.
    """

    number: int
    recording: Recording
    note: str
    name: str = ""
    pinned: bool = False
    ticked: bool = False
    hidden: bool = False
    movement: str = ""
    series: dict[str, Series] = field(default_factory=dict)
    requested: set[str] = field(default_factory=set)

    @property
    def title(self) -> str:
        return self.name or tr("Run {number}", number=self.number)

    @property
    def project(self) -> Project:
        return self.recording.project

    @property
    def remark(self) -> str:
        """The note, and what is not there of the run any more."""
        lost = self.project.mechanism.contacts.enabled and not len(self.recording.contacts)
        note = tr(self.note)
        return tr("{note}, saved without contacts", note=note) if lost else note


def changes(old: Project, new: Project, edits: Sequence[str] = ()) -> str:
    """Differences of a project from another one in a few words: changed parameters, the method
    where it is another, else the labels of the edits between; "as before" where nothing differs.
    """
    found = [
        f"{name} = {with_commas(p.value.text or format(p.value.value, 'g'))}"
        for name, p in new.parameters.items()
        if name not in old.parameters or old.parameters[name].value != p.value
    ]
    parts = zip(method_parts(old.settings), method_parts(new.settings))
    found += [now for before, now in parts if now != before]
    if old.settings.duration != new.settings.duration:
        found.append(localised(f"{new.settings.duration.value:g} s"))
    if not found and not same_drawing(old, new):
        found = list(dict.fromkeys(edits)) or [OTHER]
    more = [tr("and {count} more", count=len(found) - CHANGES)] if len(found) > CHANGES else []
    return comma().join([*found[:CHANGES], *more]) or SAME


def legend_word(run: KeptRun, project: Project) -> str:
    """Name of a run beside curves of a project: the user's, or its differences."""
    word = run.name or changes(project, run.project)
    return run.title if word in (OTHER, SAME) else word


class KeptRuns:
    """runs: oldest first, the present one among them.  changed(): another list, tick or name.

    dropped(run): a run had to go, since all together took more room than they may.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.changed, self.dropped = Signal(), Signal()
        self.runs: tuple[KeptRun, ...] = ()
        self._budget, self._next = budget, 1

    def of(self, recording: Recording | None) -> KeptRun | None:
        """The run with this recording."""
        return next((run for run in self.runs if run.recording is recording), None)

    def like(self, project: Project) -> KeptRun | None:
        """The newest complete run of a drawing that moves as this one does, from its start on."""
        return next(
            (
                run
                for run in reversed(self.runs)
                if run.recording.complete
                and not run.recording.is_changed
                and same_motion(run.project, project)
            ),
            None,
        )

    def beside(self, recording: Recording | None) -> list[KeptRun]:
        """Runs whose curves are shown beside a recording: the ticked ones, oldest first."""
        return [run for run in self.runs if run.ticked and run.recording is not recording]

    def before(self, recording: Recording | None, movement: str = "") -> KeptRun | None:
        """The run before a recording: its curves are shown where no run is ticked, unless it is
        hidden.  Without a recording the last one.  movement: a drag that goes on, of which earlier
        runs do not count.
        """
        others = [run for run in self.runs if run.recording is not recording]
        present = self.of(recording)
        if present is None and movement and others and others[-1].movement == movement:
            others = others[:-1]
        if present is not None:
            others = [run for run in others if run.number < present.number]
        if not others or others[-1].hidden or any(run.ticked for run in self.runs):
            return None
        return others[-1]

    def keep(self, recording: Recording, edits: Iterable[str] = (), movement: str = "") -> KeptRun:
        """Keep a run.  One that is like it gives its place, name and number to it; so does an
        earlier one of the same movement.  edits: labels of the edits since the run before.
        """
        last = self.runs[-1] if self.runs else None
        part_words = parts_words(recording.parts)
        twin = self.of(recording) or (None if part_words else self.like(recording.project))
        if (
            twin is None
            and last is not None
            and movement
            and last.movement == movement
            and last.recording.is_changed == recording.is_changed
        ):
            twin = last
        if twin is not None:
            if twin.recording is not recording:
                before = self.runs[self.runs.index(twin) - 1] if twin is not self.runs[0] else None
                if part_words:
                    twin.note = part_words
                elif not same_motion(twin.project, recording.project) and before is not None:
                    twin.note = changes(before.project, recording.project, tuple(edits))
                twin.recording, twin.series, twin.requested = recording, {}, set()
            self.changed.emit()
            return twin
        note = part_words or (
            changes(last.project, recording.project, tuple(edits)) if last is not None else DRAWN
        )
        if note == SAME and last is not None and last.recording.is_changed:
            note = RESTARTED
        run = KeptRun(self._next, recording, note, movement=movement)
        self._next += 1
        for earlier in self.runs:
            earlier.recording.leave_memory()
        self.runs = (*self.runs, run)
        self._make_room()
        self.changed.emit()
        return run

    def compare(self, recordings: Iterable[tuple[Recording, str]]) -> None:
        """Keep runs that were made to be compared, each with its note, and tick them.  A run that
        is known already stays, and is ticked too.
        """
        for recording, note in recordings:
            run = self.like(recording.project)
            if run is None:
                run = KeptRun(self._next, recording, note)
                self._next += 1
                recording.leave_memory()
                self.runs = (*self.runs, run)
            run.ticked, run.hidden = True, False
        self._make_room()
        self.changed.emit()

    def add_series(self, recording: Recording, series: dict[str, Series]) -> None:
        """Keep quantities that an analysis found of a run."""
        run = self.of(recording)
        if run is not None and series:
            run.series.update(series)
            self.changed.emit()

    def restore(self, runs: Sequence[KeptRun]) -> None:
        """Take the runs that were saved with a project in place of all others."""
        self.runs = tuple(sorted(runs, key=lambda run: run.number))
        self._next = 1 + max((run.number for run in self.runs), default=0)
        self.changed.emit()

    def _make_room(self) -> None:
        """Drop the oldest runs that are not pinned, and among them ticked ones last."""
        while sum(run.recording.size for run in self.runs) > self._budget:
            loose = [run for run in self.runs[:-1] if not run.pinned]
            if not loose:
                return
            gone = next((run for run in loose if not run.ticked), loose[0])
            self.runs = tuple(run for run in self.runs if run is not gone)
            self.dropped.emit(gone)

    def set_ticked(self, run: KeptRun, ticked: bool) -> None:
        """Show the curves of a run beside those of the present one, or not."""
        run.ticked, run.hidden = ticked, not ticked
        self.changed.emit()

    def set_pinned(self, run: KeptRun, pinned: bool) -> None:
        """Never drop a run for room, or do."""
        run.pinned = pinned
        self.changed.emit()

    def rename(self, run: KeptRun, name: str) -> None:
        """Give a run a name; an empty one takes it back."""
        run.name = " ".join(name.split())
        self.changed.emit()

    def forget(self, gone: Callable[[KeptRun], bool] = lambda run: True) -> None:
        """Forget the runs of which this is true, by default all."""
        left = tuple(run for run in self.runs if not gone(run))
        if len(left) < len(self.runs):
            self.runs = left
            self.changed.emit()
