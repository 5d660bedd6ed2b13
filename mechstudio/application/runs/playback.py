"""The one time cursor that 3D view, plots and inspector follow."""

import math
from typing import NamedTuple

from mechstudio.application.signal import Signal
from mechstudio.translation import Words

SPEEDS = tuple(2.0**k for k in range(-5, 4))
MEASURED = 0.4  # s of the user's time over which the true speed is measured
BEHIND = 0.95  # of the target speed, below which playing is behind
_ALMOST = 1e-9


class Repeat(NamedTuple):
    """Behaviour at the end of playback. again: playback repeats. back: in the other direction."""

    label: Words
    icon: str = "loop"
    again: bool = True
    back: bool = False


REPEATS = {
    "once": Repeat("Play once", again=False),
    "loop": Repeat("Loop"),
    "ping_pong": Repeat("To and fro", "ping_pong", back=True),
}


class Playback:
    """A clock over the recorded samples; its beginning is the design.  changed(): time, speed,
    repeat, section or playing is another.  section_changed(): the part that is played is.

    time, begin, end [s]: the cursor and the first and last recorded instant, `duration` being how
    long the run shall be; `complete` says that nothing more will come, `sample_step` [s] is one
    step of the arrow keys.  `waiting`: playing, but the recording has not come so far yet.
    repeat: key of REPEATS.
    section: first and last instant [s] of the only part played; None for the whole run.
    backwards: playing to and fro, and on the way back.  behind: the speed that is reached where the
    run does not come as fast as it is played; None where it does.
    """

    def __init__(self) -> None:
        self.changed, self.section_changed = Signal(), Signal()
        self.time = 0.0
        self.begin = 0.0
        self.end = 0.0
        self.duration = 0.0
        self.sample_step = 1.0 / 60.0
        self.complete = False
        self.playing = False
        self.waiting = False
        self.repeat = "once"
        self.section: tuple[float, float] | None = None
        self.backwards = False
        self.speed = 1.0
        self.behind: float | None = None
        self._passed = self._gained = 0.0  # s of the user and of the run, since the last measure

    @property
    def at_design(self) -> bool:
        return self.time <= self.begin

    @property
    def has_run(self) -> bool:
        """True if more than the beginning is recorded."""
        return self.end > self.begin

    @property
    def until(self) -> float:
        """The instant that the run shall reach [s]."""
        return self.begin + self.duration

    def set_range(
        self, end: float, duration: float, complete: bool, sample_step: float, begin: float = 0.0
    ) -> None:
        """Tell how far the recording reaches; the cursor stays inside it."""
        self.begin, self.end, self.duration = begin, end, duration
        self.complete, self.sample_step = complete, sample_step
        self.time = min(max(self.time, begin), end)
        if self.section is not None and self.section[1] <= begin:
            self.section = None
            self.section_changed.emit()
        self.changed.emit()

    @property
    def bounds(self) -> tuple[float, float]:
        """First and last instant [s] of playback, as far as recorded."""
        if self.section is None:
            return self.begin, self.end
        first, last = self.section
        return min(max(first, self.begin), self.end), min(last, self.end)

    @property
    def _more_comes(self) -> bool:
        """True while the run may still get beyond the bounds of today."""
        return not self.complete and (self.section is None or self.end < self.section[1])

    def play(self) -> None:
        """Start; from the beginning if the cursor is at the end of the playback interval, or
        outside of it.
        """
        first, last = self.bounds
        outside = self.section is not None and not first <= self.time <= last
        if outside or (not self._more_comes and self.time >= last - _ALMOST):
            self.time = first
        self.backwards = False
        self.playing = True
        self.behind, self._passed, self._gained = None, 0.0, 0.0
        self.changed.emit()

    def pause(self) -> None:
        if self.playing:
            self.playing = self.waiting = False
            self.behind = None
            self.changed.emit()

    def advance(self, seconds: float) -> None:
        """Let real time pass; called by the window's clock while playing."""
        if not self.playing:
            return
        first, last = self.bounds
        passed = seconds * self.speed
        target = self.time - passed if self.backwards else self.time + passed
        self.waiting = target >= last and self._more_comes
        self._measure(seconds, last - self.time if self.waiting else passed)
        if self.waiting:
            target = last
        elif not first <= target < last:
            target = self._repeated(target, first, last)
        self.time = target
        self.changed.emit()

    def _measure(self, seconds: float, gained: float) -> None:
        """Take in how far the cursor gets in a time of the user [s]."""
        self._passed += seconds
        self._gained += max(gained, 0.0)
        if self._passed >= MEASURED:
            rate = self._gained / self._passed
            self.behind = rate if rate < BEHIND * self.speed else None
            self._passed = self._gained = 0.0

    def _repeated(self, target: float, first: float, last: float) -> float:
        """Instant at which the cursor is after an end was passed; pauses where nothing repeats."""
        repeat, length = REPEATS[self.repeat], last - first
        if not repeat.again or length <= 0:
            self.playing = self.backwards = False
            return last
        if not repeat.back:
            return first + (target - first) % length
        # once to and fro is twice the length
        place = (2 * length - (target - first) if self.backwards else target - first) % (2 * length)
        self.backwards = place > length
        return first + (2 * length - place if self.backwards else place)

    def seek(self, time: float) -> None:
        """Put the cursor to a time of the recording [s]."""
        self.time = min(max(time, self.begin), self.end)
        self.changed.emit()

    def step(self, count: int) -> None:
        """Pause and go to a neighbouring sample."""
        self.playing = self.waiting = False
        nearest = self.time / self.sample_step
        # between two samples the first step goes to the next one in that direction
        target = (math.floor(nearest + 1e-6) if count > 0 else math.ceil(nearest - 1e-6)) + count
        self.seek(target * self.sample_step)

    def to_design(self) -> None:
        """Pause at the beginning, the drawing."""
        self.playing = self.waiting = False
        self.seek(self.begin)

    def to_end(self) -> None:
        self.playing = self.waiting = False
        self.seek(self.end)

    def set_speed(self, speed: float) -> None:
        self.speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self.changed.emit()

    def faster(self, notches: int) -> None:
        """Double (or halve, for negative counts) the speed."""
        self.set_speed(self.speed * 2.0**notches)

    def set_repeat(self, repeat: str) -> None:
        """Choose what happens at the end: a key of REPEATS."""
        self.repeat, self.backwards = repeat, False
        self.changed.emit()

    def set_section(self, first: float, last: float) -> None:
        """Play a part of the run alone [s]; the whole run for a part without length."""
        first, last = sorted((max(first, self.begin), max(last, self.begin)))
        self._play_alone((first, last) if last - first > _ALMOST else None)

    def whole(self) -> None:
        """Play the whole run again."""
        self._play_alone(None)

    def _play_alone(self, section: tuple[float, float] | None) -> None:
        self.section, self.backwards = section, False
        self.section_changed.emit()
        self.changed.emit()
