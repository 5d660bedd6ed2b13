"""View of the plots over the time: the stretch that all panes show, cursors A and B, and whether
the stretch follows the time cursor.
"""

from collections.abc import Callable
from typing import Protocol

from mechstudio.application.signal import Signal

SHORTEST = 1e-9  # of a run, that a pane may be zoomed to
MOST_RECENT = 5  # quantities that were chosen last
AHEAD = 0.85  # of the stretch, beyond which a following one moves on


class Clock(Protocol):
    """Time cursor, as far as panes need it [s]."""

    time: float
    begin: float
    duration: float
    end: float
    changed: Signal


class Inspection:
    """View of all panes over the time.

    stretch: begin and end [s], None for the whole run.  follow: it moves with the time cursor.  a,
    b: cursors [s], None where off.  statistics: the table between them is shown.  pane: id of the
    pane that was used last.  recent: keys of quantities chosen last, the latest first.
    changed(): any of these is another.
    """

    def __init__(self, clock: Clock, first: Callable[[], float] | None = None) -> None:
        """first(): the first instant that panes show [s]; None for that of the run."""
        self._first = first or (lambda: clock.begin)
        self.changed = Signal()
        self.stretch: tuple[float, float] | None = None
        self.follow, self.statistics = True, False
        self.a: float | None = None
        self.b: float | None = None
        self.pane = ""
        self.recent: tuple[str, ...] = ()
        self._clock = clock
        clock.changed.connect(self._moved)

    def take_over(self, other: "Inspection") -> None:
        """Show what another view of the same run shows."""
        self.stretch, self.follow, self.statistics = other.stretch, other.follow, other.statistics
        self.a, self.b, self.pane, self.recent = other.a, other.b, other.pane, other.recent
        self.changed.emit()

    @property
    def whole(self) -> tuple[float, float]:
        """Begin and end of the run and of the curves shown with it [s]."""
        clock = self._clock
        return self._first(), clock.begin + (clock.duration or 1.0)

    @property
    def shown(self) -> tuple[float, float]:
        """Begin and end of the interval that panes show [s]."""
        return self.stretch or self.whole

    def show(self, begin: float, end: float) -> None:
        """Show a stretch, kept inside the run."""
        first, last = self.whole
        width = min(max(end - begin, SHORTEST * (last - first)), last - first)
        begin = min(max(begin, first), last - width)
        new = None if width >= (last - first) * (1 - 1e-9) else (begin, begin + width)
        if new != self.stretch:
            self.stretch = new
            self.changed.emit()

    def show_whole(self) -> None:
        """Show the whole run."""
        self.show(*self.whole)

    def zoom(self, factor: float, at: float) -> None:
        """Show a shorter stretch, for factors above 1, with an instant [s] where it is."""
        begin, end = self.shown
        self.show(at + (begin - at) / factor, at + (end - at) / factor)

    def pan(self, seconds: float) -> None:
        """Show what is so much later."""
        begin, end = self.shown
        first, last = self.whole
        seconds = min(max(seconds, first - begin), last - end)
        self.show(begin + seconds, end + seconds)

    def set_follow(self, follow: bool) -> None:
        """Move the stretch with the time cursor, or let it stay."""
        if follow != self.follow:
            self.follow = follow
            self._moved()
            self.changed.emit()

    def set_cursor(self, name: str, time: float | None) -> None:
        """Put cursor "a" or "b" to an instant of the recording [s], or away."""
        if time is not None:
            time = min(max(time, self._clock.begin), self._clock.end)
        before = self.a, self.b
        self.a, self.b = (time, self.b) if name == "a" else (self.a, time)
        if (self.a, self.b) != before:
            if self.a is not None and self.b is not None:
                self.statistics = True
            self.changed.emit()

    def set_cursors(self, shown: bool) -> None:
        """Put both cursors into what is shown, or away."""
        begin, end = self.shown
        end = min(end, self._clock.end) if self._clock.end > begin else end
        third = (end - begin) / 3
        self.a, self.b = (begin + third, end - third) if shown else (None, None)
        self.statistics = shown
        self.changed.emit()

    def set_statistics(self, shown: bool) -> None:
        """Show or hide the table of numbers between the cursors."""
        if shown != self.statistics:
            self.statistics = shown
            self.changed.emit()

    def forget(self) -> None:
        """Show the whole run without cursors, as of a document that was just opened."""
        self.stretch = self.a = self.b = None
        self.follow, self.statistics, self.pane = True, False, ""
        self.changed.emit()

    def activate(self, pane: str) -> None:
        """The pane that table and keys are about."""
        if pane != self.pane:
            self.pane = pane
            self.changed.emit()

    def used(self, key: str) -> None:
        """Remember a quantity that was chosen."""
        self.recent = (key, *(k for k in self.recent if k != key))[:MOST_RECENT]

    @property
    def between(self) -> tuple[float, float]:
        """Begin and end of the table's stretch [s]: from A to B, else what is shown of the
        recording.
        """
        if self.a is not None and self.b is not None:
            return min(self.a, self.b), max(self.a, self.b)
        begin, end = self.shown
        return begin, min(end, self._clock.end)

    def _moved(self) -> None:
        """Move the stretch on where the time cursor leaves it."""
        if self.stretch is None:
            return
        if self.stretch[1] > self.whole[1] * (1 + 1e-9):
            self.show(*self.stretch)  # another, shorter run
            return
        if not self.follow:
            return
        begin, end = self.stretch
        time, width = self._clock.time, end - begin
        if not begin <= time <= begin + AHEAD * width:
            ahead = AHEAD if time > begin else 1 - AHEAD
            self.show(time - ahead * width, time + (1 - ahead) * width)
