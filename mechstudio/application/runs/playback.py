"""The one time cursor that 3D view, plots and inspector follow."""

import math

from mechstudio.application.signal import Signal

SPEEDS = tuple(2.0**k for k in range(-5, 4))
_ALMOST = 1e-9


class Playback:
    """A clock over the recorded samples; time 0 is the design.  changed(): time, speed, loop or
    playing is another.

    time, end [s]: the cursor and the last recorded instant, `duration` being what the run shall
    reach; `complete` says that nothing more will come, `sample_step` [s] is one step of the arrow
    keys.  `waiting`: playing, but the recording has not come so far yet.
    """

    def __init__(self) -> None:
        self.changed = Signal()
        self.time = 0.0
        self.end = 0.0
        self.duration = 0.0
        self.sample_step = 1.0 / 60.0
        self.complete = False
        self.playing = False
        self.waiting = False
        self.loop = False
        self.speed = 1.0

    @property
    def at_design(self) -> bool:
        return self.time <= 0.0

    def set_range(self, end: float, duration: float, complete: bool, sample_step: float) -> None:
        """Tell how far the recording reaches; the cursor stays inside it."""
        self.end, self.duration, self.complete, self.sample_step = (
            end,
            duration,
            complete,
            sample_step,
        )
        if self.time > end:
            self.time = end
        self.changed.emit()

    def play(self) -> None:
        """Start, from the beginning if the cursor stands at the end of a finished run."""
        if self.complete and self.time >= self.end - _ALMOST:
            self.time = 0.0
        self.playing = True
        self.changed.emit()

    def pause(self) -> None:
        if self.playing:
            self.playing = self.waiting = False
            self.changed.emit()

    def advance(self, seconds: float) -> None:
        """Let real time pass; called by the window's clock while playing."""
        if not self.playing:
            return
        wanted = self.time + seconds * self.speed
        self.waiting = wanted > self.end and not self.complete
        if wanted >= self.end and self.complete:
            if self.loop and self.end > 0:
                wanted %= self.end
            else:
                wanted, self.playing = self.end, False
        self.time = min(wanted, self.end)
        self.changed.emit()

    def seek(self, time: float) -> None:
        """Put the cursor to a time of the recording [s]."""
        self.time = min(max(time, 0.0), self.end)
        self.changed.emit()

    def step(self, count: int) -> None:
        """Pause and go to a neighbouring sample."""
        self.playing = self.waiting = False
        nearest = self.time / self.sample_step
        # between two samples the first step goes to the next one in that direction
        target = (math.floor(nearest + 1e-6) if count > 0 else math.ceil(nearest - 1e-6)) + count
        self.seek(target * self.sample_step)

    def to_design(self) -> None:
        """Pause at time 0, the drawing."""
        self.playing = self.waiting = False
        self.seek(0.0)

    def to_end(self) -> None:
        self.playing = self.waiting = False
        self.seek(self.end)

    def set_speed(self, speed: float) -> None:
        self.speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self.changed.emit()

    def faster(self, notches: int) -> None:
        """Double (or halve, for negative counts) the speed."""
        self.set_speed(self.speed * 2.0**notches)

    def set_loop(self, loop: bool) -> None:
        self.loop = loop
        self.changed.emit()
