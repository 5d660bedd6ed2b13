"""All samples of one run since its start: in memory while they are few, then in a file that
vanishes with the program.
"""

import contextlib
import math
import mmap
import os
import shutil
import tempfile
import weakref
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

import msgspec
import numpy as np

from mechstudio.application.runs.contact_log import ContactLog, unnamed_file, write_at
from mechstudio.model.contact import expected_record_size, trust_words
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import EndCondition, Project
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import (
    BALANCE,
    DRIVE_WORK,
    FRICTION_WORK,
    IMPACT_WORK,
    KINETIC,
    LOAD_WORK,
    POTENTIAL,
    WORK,
    SampleLayout,
    sample_layout,
)
from mechstudio.translation import tr

SMALL = 1 << 20  # bytes of samples that may stay in memory for good
COPIED = 1 << 14  # samples that are copied at once
IN_MEMORY = 32 << 20  # bytes; above it the samples go to a file
OFTEN = (
    100  # readings of the samples in a file, after which the memory that they took is given back
)
ENOUGH_LEFT = 0.8  # of the free disk that a run may fill


class RunPart(msgspec.Struct, frozen=True):
    """A part of a run, up to where the next one begins.

    begin [s].  drawing: whose run from its start it is.  words: of the change with which it begins;
    "" for the first part.  came_to: the sample (float64) as the run had come there; b"" for the
    first part.  warning: sentences on how far the run before it can be trusted.
    """

    begin: float
    drawing: Project
    words: str = ""
    came_to: bytes = b""
    warning: str = ""


class Steps(NamedTuple):
    """The solver's own steps in a stretch of a run.  begin, end [s]: of the stretch.  rows
    (s, width): samples at the ends of the steps, ascending in time.
    """

    begin: float
    end: float
    rows: np.ndarray


class Recording:
    """The samples of one run.

    project: what it was made from, of one that was changed while it went on as it is at the end.
    parts: where it was changed, the first part among them.  layout: columns of a sample.
    duration [s]: requested.  complete: it reached its end.
    finished: no more samples will come.  reason: a sentence, why it is over before its end; empty
    if it is complete.
    stale: the drawing was changed so that it moves otherwise now.   statistics: None before the
    end. events: impacts of joints at their stops so far, in their order in time; they may come a
    little before or after the samples around them.
    slow: why it hardly gets on and what helps, while that is so.
    contacts: of every sample so far, where contacts are enabled (model/contact.py); a few more may
    be there than samples.
    """

    def __init__(
        self, project: Project, folder: Path | None = None, in_memory: int = IN_MEMORY
    ) -> None:
        self.project = project
        self.layout: SampleLayout = sample_layout(project.mechanism)
        self.duration = project.settings.duration.value
        self.complete = self.finished = self.stale = False
        self.reason = ""
        self.finding: Finding | None = None
        self.statistics: RunStatistics | None = None
        self.events: list[Event] = []
        self.slow = ""
        self.count = 0
        self._folder, self._in_memory = folder, in_memory
        self.contacts = ContactLog(self._place, in_memory)
        self._memory = np.empty((0, self.layout.width))
        self._time = np.empty(0)
        self._file: IO[bytes] | None = None
        self._mapped = self._memory
        self._area: mmap.mmap | None = None
        self.parts: tuple[RunPart, ...] = (RunPart(project.mechanism.start.value, project),)
        self.steps: Steps | None = None
        self._taken_over = 0  # samples that are those of another run
        self._shift: tuple[np.ndarray, np.ndarray] | None = None  # of samples of the last part
        self._peaks, self._peaked = np.zeros(self.layout.width), 0  # of so many samples
        self._reads = 0  # how often rows were requested since memory was given back

    @property
    def ended_by(self) -> EndCondition | None:
        """The condition that ended the run; None where none did, or before the end."""
        at = -1 if self.statistics is None else self.statistics.ended_by
        return self.project.settings.until[at] if at >= 0 else None

    @property
    def unsolved(self) -> str:
        """Warning of steps that did not come to the tolerance of contacts, and of bodies that sank
        in; empty where none did, and before the end.
        """
        s = self.statistics
        before = self.parts[-1].warning
        if s is None:
            return before
        return " ".join(filter(None, (before, *trust_words(self.project.settings.contacts, s))))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on how far the numbers can be trusted; none before the end."""
        return () if self.statistics is None else self.statistics.notes

    @property
    def overlap_share(self) -> float:
        """The deepest overlap of bodies over the size of the smaller one, so far."""
        if self.statistics is not None:
            return self.statistics.overlap_share
        return self.contacts.last.sunk if self.contacts.last is not None else 0.0

    @property
    def expected(self) -> int:
        """Number of samples that the whole run should have."""
        step = self.project.settings.sample_step.value
        # at the start, after each step, and at the end
        return (
            math.ceil(self.duration / step * (1 - 1e-12)) + 1
            if step > 0 and math.isfinite(self.duration / step)
            else 1
        )

    def too_large(self) -> str:
        """Reason why the run cannot be recorded in full, as a sentence; empty if it can."""
        size = self.expected * (
            8 * self.layout.width + expected_record_size(self.project.mechanism)
        )
        if size <= self._in_memory:
            return ""
        free = shutil.disk_usage(self._place()).free
        if size <= ENOUGH_LEFT * free:
            return ""
        return tr(
            "This run would record {size:.3g} GB, and {free:.3g} GB are free on the disk. Choose "
            "a longer sample step or a shorter duration.",
            size=size / 1e9,
            free=free / 1e9,
        )

    @property
    def size(self) -> int:
        """Bytes that the samples take."""
        return 8 * self.count * self.layout.width

    def leave_memory(self) -> None:
        """Move the samples of a finished run to a file, where they are read from; where the disk is
        full they stay in memory.
        """
        if self.finished and self._file is None and self.size > SMALL:
            with contextlib.suppress(OSError):
                self._move_to_file()

    def up_to(self, count: int, project: Project, parts: tuple[RunPart, ...]) -> "Recording":
        """A recording with the first samples of this one, of a run that was changed.  Raises
        OSError if the disk is full.
        """
        out = Recording(project, self._folder, self._in_memory)
        out.parts = parts
        for first in range(0, count, COPIED):
            out.append(self.rows[first : min(first + COPIED, count)])
        out.contacts.extend(self.contacts[n] for n in range(min(count, len(self.contacts))))
        out.events = [e for e in self.events if e.time <= parts[-1].begin]
        out._taken_over = count
        return out

    @property
    def is_changed(self) -> bool:
        """True if the run was changed while it went on."""
        return len(self.parts) > 1

    @property
    def drawings(self) -> tuple[Project, ...]:
        """Drawings whose runs the parts are, for analyses; none where it has one part alone."""
        return tuple(part.drawing for part in self.parts) if self.is_changed else ()

    @property
    def loads(self) -> tuple[tuple[float, Mechanism], ...]:
        """The mechanism from each change on: (beginning [s], mechanism)."""
        return tuple((part.begin, part.drawing.mechanism) for part in self.parts)

    @property
    def has_come_on(self) -> bool:
        """True if there are samples of the last part."""
        return self.count > self._taken_over

    def part_at(self, time: float) -> RunPart:
        """The part in which a time [s] lies."""
        return next((p for p in reversed(self.parts) if p.begin <= time), self.parts[0])

    def _shifted(self, rows: np.ndarray) -> np.ndarray:
        """Samples of the last part as those of the whole run: works go on, attitudes keep their
        signs, and what the change did to the energy is work.
        """
        if not self.parts[-1].came_to or not len(rows):
            return rows
        if self._shift is None:
            self._shift = _shift(self.layout, np.frombuffer(self.parts[-1].came_to), rows[0])
        added, sign = self._shift
        return rows * sign + added

    def take(self, rows: np.ndarray) -> None:
        """Take the samples (k, width) of a run that was saved, as they lie in its file.  Raises
        ValueError where they do not fit the drawing.
        """
        if rows.ndim != 2 or rows.shape[1] != self.layout.width or not len(rows):
            raise ValueError(tr("the samples do not fit the drawing"))
        self._memory, self._time, self.count = rows, np.array(rows[:, 0]), len(rows)

    def _place(self) -> Path:
        folder = self._folder or Path(tempfile.gettempdir())
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    # writing

    def append(self, rows: np.ndarray) -> None:
        """Add samples (k, width) at the end.  Raises OSError if the disk is full; then nothing of
        them is added.
        """
        rows = self._shifted(rows) if self._taken_over else rows
        count = self.count + len(rows)
        if self._file is None and 8 * count * self.layout.width > self._in_memory:
            self._move_to_file()
        if self._file is not None:
            self._write(self._file, rows)
        else:
            self._memory = _grown(self._memory, self.count, count)
            self._memory[self.count : count] = rows
        self._time = _grown(self._time, self.count, count)
        self._time[self.count : count] = rows[:, 0]
        if self._peaked == self.count:
            # while they are in memory: later all samples would have to be read again
            self._peaks = np.maximum(self._peaks, _largest(rows))
            self._peaked = count
        self.count = count

    def _move_to_file(self) -> None:
        file = unnamed_file(self._place())
        try:
            self._write(file, self._memory[: self.count])
        except OSError:
            file.close()
            raise
        weakref.finalize(self, file.close)
        self._file, self._mapped = file, np.empty((0, self.layout.width))
        self._memory = self._mapped

    def _write(self, file: IO[bytes], rows: np.ndarray) -> None:
        """Write at the end of the good samples; not through the map, where a full disk would end
        the program.
        """
        place = 8 * self.count * self.layout.width if file is self._file else 0
        write_at(file, place, np.ascontiguousarray(rows).tobytes())

    def finish(
        self,
        complete: bool,
        reason: str = "",
        statistics: RunStatistics | None = None,
        finding: Finding | None = None,
    ) -> None:
        """No more samples will come."""
        self.slow = ""
        self.finished, self.complete, self.reason, self.statistics, self.finding = (
            True,
            complete,
            reason,
            statistics,
            finding,
        )

    def close(self) -> None:
        """Give the file back; views handed out before stay valid."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self._memory = self._mapped = np.empty((0, self.layout.width))
            self._area = None
            self._time, self.count = np.empty(0), 0
        self.contacts.clear()

    # reading

    @property
    def peaks(self) -> np.ndarray:
        """Largest absolute value (layout.width,) of each column so far."""
        for first in range(self._peaked, self.count, COPIED):
            part = self.rows[first : min(first + COPIED, self.count)]
            self._peaks = np.maximum(self._peaks, _largest(part))
        self._peaked = self.count
        return self._peaks

    @property
    def rows(self) -> np.ndarray:
        """Samples (count, layout.width), not to be written to.  A view: it does not grow, ask
        again.
        """
        if self._file is None:
            return self._memory[: self.count]
        if len(self._mapped) != self.count:
            # a new map of the whole file costs some 20 µs; the old one lives as long as views of it
            bytes_requested = 8 * self.count * self.layout.width
            area = mmap.mmap(self._file.fileno(), bytes_requested, access=mmap.ACCESS_READ)
            self._mapped = np.frombuffer(area, np.float64).reshape(self.count, self.layout.width)
            self._area = area
        self._reads += 1
        if self._reads > OFTEN and self._area is not None:
            self._reads = 0
            _release(self._area)
        return self._mapped

    @property
    def time(self) -> np.ndarray:
        """Instants (count,) [s], contiguous."""
        return self._time[: self.count]

    @property
    def end(self) -> float:
        """The last recorded instant [s], or that of the last change; the beginning without
        samples.
        """
        last = float(self._time[self.count - 1]) if self.count else self.begin
        return max(last, self.parts[-1].begin)

    @property
    def begin(self) -> float:
        """The first recorded instant [s]; without samples the start of the drawing."""
        return float(self._time[0]) if self.count else self.project.mechanism.start.value

    @property
    def length(self) -> float:
        """Time from the first recorded instant to the last [s]."""
        return self.end - self.begin

    def index(self, t: float) -> int:
        """The last sample at or before the time t [s]; the first one for times before it.  Raises
        ValueError without samples.
        """
        if not self.count:
            raise ValueError(tr("There are no samples yet."))
        return min(max(int(np.searchsorted(self.time, t, side="right")) - 1, 0), self.count - 1)

    def sample(self, t: float) -> np.ndarray:
        """The sample (layout.width,) at a time [s], held inside the recording; between two samples
        it is interpolated.

        At the end of a known step of the solver it is that step's.  Elsewhere linear, and for
        quaternions q = ((1 - f) q_0 ± f q_1) normalised, the sign so that the shorter turn is
        taken.
        """
        if (step := self._step_at(t)) is not None:
            return step
        k, rows = self.index(t), self.rows
        before = rows[k]
        if t <= before[0] or k + 1 == self.count:
            return before.copy()
        after = rows[k + 1]
        f = (t - before[0]) / (after[0] - before[0])
        out = (1 - f) * before + f * after
        poses = self.layout.poses
        q0, q1 = before[poses].reshape(-1, 7)[:, 3:], after[poses].reshape(-1, 7)[:, 3:]
        sign = np.where((q0 * q1).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
        q = (1 - f) * q0 + f * sign * q1
        length = np.sqrt((q * q).sum(axis=1, keepdims=True))
        # two opposite attitudes have no middle: then the earlier one
        out[poses].reshape(-1, 7)[:, 3:] = np.where(length > 1e-9, q / np.maximum(length, 1e-9), q0)
        return out

    def _step_at(self, t: float) -> np.ndarray | None:
        """The sample at the end of a step of the solver; None where none is known to end."""
        if self.steps is None or not self.steps.begin <= t <= self.steps.end:
            return None
        rows = self.steps.rows
        k = int(np.searchsorted(rows[:, 0], t))
        return rows[k].copy() if k < len(rows) and rows[k, 0] == t else None

    def is_repeated_by(self, again: np.ndarray, near: float) -> bool:
        """True if a sample (width,) of the run made again has bodies and joints where they were.
        near: distance [m] or angle [rad] that does not count.
        """
        k = self.index(float(again[0]) + 1e-9)
        here, columns = self.rows[k], self.layout.coordinates
        poses = self.layout.poses
        # q and -q are one attitude
        return bool(
            abs(here[0] - again[0]) < 1e-6
            and np.allclose(here[columns], again[columns], rtol=0.0, atol=near)
            and np.allclose(np.abs(here[poses]), np.abs(again[poses]), rtol=0.0, atol=near)
        )

    def keep_steps(self, rows: np.ndarray, begin: float, end: float) -> None:
        """Take the solver's own steps in a stretch from one time to another [s]: samples (s, width)
        of the part of the run in which it lies.
        """
        part = self.part_at(begin)
        if part.came_to:
            # works of a part count from zero, and go on from those before
            first, works = self.rows[self.index(part.begin + 1e-9)], _works(self.layout)
            rows = rows.copy()
            rows[:, works] += first[works]
        self.steps = Steps(begin, end, rows)

    @cached_property
    def channels(self) -> dict[str, Channel]:
        """Everything that can be read from this recording, by key (model/results/channels.py)."""
        return channels(self.project.mechanism, self.layout)

    def values(self, channel: str | Channel, start: int = 0) -> np.ndarray:
        """A channel's numbers (count - start,), by key or row, from sample `start` on; a copy.
        Raises KeyError for an unknown key.
        """
        if isinstance(channel, str):
            channel = self.channels[channel]
        return channel.values(self.rows[start:])


def _works(layout: SampleLayout) -> np.ndarray:
    """Columns of quantities counted from the start of a run."""
    energy = [layout.energy.start + c for c in (WORK, BALANCE)]
    kinds = (FRICTION_WORK, IMPACT_WORK, DRIVE_WORK, LOAD_WORK) if layout.touching else ()
    return np.array([*energy, *(layout.contact.start + c for c in kinds)])


def _shift(
    layout: SampleLayout, came_to: np.ndarray, first: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers that are added to samples of a part after these are multiplied by signs, and these
    signs, both (width,).  came_to, first: the sample at its beginning as it was come to, and as it
    goes on.
    """
    added, sign = np.zeros(layout.width), np.ones(layout.width)
    energy = layout.energy.start
    stored = lambda row: row[energy + KINETIC] + row[energy + POTENTIAL]
    change = stored(first) - stored(came_to)
    works = _works(layout)
    added[works] = came_to[works]
    added[energy + WORK] += change
    if layout.touching:
        added[layout.contact.start + LOAD_WORK] += change
    for body in layout.bodies:
        at = layout.pose(body)
        attitude = slice(at.start + 3, at.stop)
        sign[attitude] = -1.0 if came_to[attitude] @ first[attitude] < 0 else 1.0
    return added, sign


def _largest(rows: np.ndarray) -> np.ndarray:
    """Largest absolute value of each column; zeros where there is no row."""
    return np.abs(rows).max(axis=0, initial=0.0)


def _grown(array: np.ndarray, count: int, requested: int) -> np.ndarray:
    """An array with room for `requested` rows, holding the first `count`."""
    if requested <= len(array):
        return array
    new = np.empty((max(requested, 2 * len(array), 64), *array.shape[1:]))
    new[:count] = array[:count]
    return new


def _release(area: mmap.mmap) -> None:
    """Give back the memory of pages that were read; they are read again where needed."""
    if hasattr(mmap, "MADV_DONTNEED"):
        area.madvise(mmap.MADV_DONTNEED)


def disk_sentence(error: OSError) -> str:
    """Reason why samples could not be stored."""
    return tr(
        "The samples could not be stored ({strerror}).",
        strerror=error.strerror or os.strerror(error.errno or 0),
    )
