"""A film of a run: what is chosen, and the instants that its frames show."""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from mechstudio.application.films.cycle import Cycle, find_cycle, no_cycle, with_trails
from mechstudio.application.runs.recording import Recording
from mechstudio.files.films.timing import FilmShape
from mechstudio.files.films.writing import encoder_credit as encoder_credit
from mechstudio.files.films.writing import missing
from mechstudio.model.types.films import FILM_BY_ID, FilmFormat
from mechstudio.translation import Words, comma, tr

TURN, RUN, STRETCH = "turn", "run", "stretch"
RANGES: tuple[tuple[str, Words], ...] = (
    (TURN, "One turn"),
    (RUN, "Whole run"),
    (STRETCH, "A to B"),
)
THEMES: tuple[tuple[str, Words], ...] = (("light", "Light"), ("dark", "Dark"), ("paper", "Paper"))
SIZES: tuple[tuple[str, Words, tuple[int, int]], ...] = (
    ("slides", "Slides 16:9", (1280, 720)),
    ("full", "Full HD", (1920, 1080)),
    ("uhd", "4K", (3840, 2160)),
    ("paper", "Column of a paper", (960, 540)),
    ("square", "Square", (720, 720)),
    ("upright", "Upright 9:16", (720, 1280)),
    ("small", "Small, for mail", (480, 270)),
)
LEAST, MOST = 16, 4096  # pixels a side
MOST_FPS, MOST_FRAMES = 120.0, 20000
SLOWEST, FASTEST = 1e-4, 1e4  # speeds
MARKS_LIMIT = 60.0  # s that a film waits for trails and vectors


class FilmRefused(ValueError):
    """A film that cannot be made so, why and what helps, in a sentence."""


class Film(msgspec.Struct, frozen=True):
    """Choices of a film.

    format: id of FILM_FORMATS.  range: TURN, RUN or STRETCH, which goes from `first` to `last` [s].
    width, height [px].  fps: frames a second.  speed: of the motion.  turns: how many are shown.
    theme: of THEMES.  transparent: without sky and floor.  plots, equation: under the view.  marks:
    trails and vectors.  scale, clock, cube, labels, glyphs: over it.  moves: names of kept views
    that the camera goes through; none: it stays.
    """

    format: str = "gif"
    range: str = TURN
    first: float = 0.0
    last: float = 0.0
    width: int = 1280
    height: int = 720
    fps: float = 30.0
    speed: float = 1.0
    turns: int = 1
    theme: str = "light"
    transparent: bool = False
    plots: bool = False
    equation: bool = False
    marks: bool = True
    scale: bool = True
    clock: bool = False
    cube: bool = False
    labels: bool = True
    glyphs: bool = True
    moves: tuple[str, ...] = ()

    @property
    def kind(self) -> FilmFormat:
        return FILM_BY_ID[self.format]

    @property
    def lacks(self) -> str:
        """A sentence on what is not installed for the format; "" for nothing."""
        return missing(self.kind)

    @property
    def size(self) -> tuple[int, int]:
        """Pixels of a frame: those that were chosen, in pairs where the format counts in pairs."""
        odd = 1 if self.kind.even else 0
        return self.width + (self.width & odd), self.height + (self.height & odd)

    @property
    def leaves_ground(self) -> bool:
        """True if the ground is left out, and the format can do that."""
        return self.transparent and self.kind.transparent


class Plan(NamedTuple):
    """The frames of a film.  times: the instant [s] of the run that each shows.  fps: frames a
    second, as a fraction.  cycle: that is shown, None where it is none.
    """

    times: tuple[float, ...]
    fps: Fraction
    cycle: Cycle | None = None

    @property
    def length(self) -> float:
        """Length of the film [s]."""
        return float(len(self.times) / self.fps)

    def share(self, frame: int) -> float:
        """Share of the film that is over at a frame: 1 at the last one; of a cycle at the frame
        after it, which is the first again.
        """
        return frame / max(len(self.times) - (self.cycle is None), 1)

    def shape(self, film: Film) -> FilmShape:
        """The film as its encoder needs to know it."""
        return FilmShape(film.size, self.fps, True, film.leaves_ground)


def checked(film: Film) -> Film:
    """A film whose numbers are possible.  Raises FilmRefused."""
    if film.format not in FILM_BY_ID:
        known = comma().join(FILM_BY_ID)
        raise FilmRefused(
            tr("There is no format {format}; there are {known}.", format=film.format, known=known)
        )
    if film.theme not in [key for key, _ in THEMES]:
        raise FilmRefused(
            tr("There is no theme {theme}; there are light, dark and paper.", theme=film.theme)
        )
    if not all(LEAST <= side <= MOST for side in (film.width, film.height)):
        raise FilmRefused(
            tr(
                "A film has {least} to {most} pixels a side, not {width} × {height}.",
                least=LEAST,
                most=MOST,
                width=film.width,
                height=film.height,
            )
        )
    most = film.kind.most_fps or MOST_FPS
    if not 0.1 <= film.fps <= most:
        raise FilmRefused(
            tr(
                "{format} shows 0.1 to {most:g} frames a second, not {fps:g}.",
                format=tr(film.kind.label),
                most=most,
                fps=film.fps,
            )
        )
    if not SLOWEST <= film.speed <= FASTEST:
        raise FilmRefused(tr("A speed is between 0.0001 and 10000, not {s:g}.", s=film.speed))
    if not 1 <= film.turns <= 1000:
        raise FilmRefused(tr("A film shows 1 to 1000 turns, not {turns}.", turns=film.turns))
    if film.transparent and not film.kind.transparent:
        able = comma().join(tr(f.label) for f in FILM_BY_ID.values() if f.transparent)
        raise FilmRefused(
            tr(
                "{format} has no transparent ground; {able} have.",
                format=tr(film.kind.label),
                able=able,
            )
        )
    return film


def plan(film: Film, recording: Recording | None, cycle: Cycle | None = None) -> Plan:
    """The frames of a film.  cycle: of the recording where it is known already.

    Frame k of a stretch shows the instant k / fps after its beginning, times the speed.  A cycle is
    cut into frames of one length, as near to 1 / fps as a whole number of them goes, so that the
    last one leads to the first.  Raises FilmRefused.
    """
    checked(film)
    if recording is None or not recording.count:
        raise FilmRefused(tr("There is no run to show yet: run the drawing first."))
    if recording.count < 2 or recording.length <= 0.0:
        raise FilmRefused(
            tr("The run has one instant alone: run it longer, or save a picture instead.")
        )
    rate = Fraction(film.fps).limit_denominator(1001)
    if film.range == TURN:
        cycle = cycle or find_cycle(recording)
        if cycle is None:
            raise FilmRefused(no_cycle(recording))
        if film.marks:
            cycle = with_trails(cycle, recording)
        length, most = cycle.period / film.speed, film.kind.most_fps
        count = round(length * film.fps)
        if most and count > most * length:
            # players show no more frames a second: the film would last longer than its motion
            count = int(most * length + 1e-6)
        if count < 2:
            raise FilmRefused(
                tr(
                    "A cycle lasts {length:.3g} s in this film, less than two of its frames: "
                    "choose a lower speed, or more frames a second.",
                    length=length,
                )
            )
        _bounded(count * film.turns)
        turn = [cycle.first + k * cycle.period / count for k in range(count)]
        shown = Fraction(length).limit_denominator(1_000_000)
        fps = (count / shown).limit_denominator(1_000_000)
        return Plan(tuple(turn * film.turns), min(fps, Fraction(most)) if most else fps, cycle)
    first, last = stretch(film, recording)
    count = max(1, round((last - first) * film.fps / film.speed))
    _bounded(count)
    step = film.speed / film.fps
    # the last frame of a film that rounds its length up would stand beyond the run
    times = (min(first + k * step, recording.end) for k in range(count))
    return Plan(tuple(times), rate)


def stretch(film: Film, recording: Recording) -> tuple[float, float]:
    """First and last instant [s] of a film that shows no cycle.  Raises FilmRefused."""
    if film.range == RUN:
        return recording.begin, recording.end
    first, last = film.first, film.last
    if not (math.isfinite(first) and math.isfinite(last)) or last <= first:
        raise FilmRefused(
            tr(
                "From {first:g} s to {last:g} s there is nothing to show: let B come after A.",
                first=first,
                last=last,
            )
        )
    near = 1e-9 * max(recording.length, 1e-9)
    if first < recording.begin - near or last > recording.end + near:
        raise FilmRefused(
            tr(
                "The run goes from {begin:g} s to {end:g} s, not from {first:g} s to {last:g} s: "
                "choose times inside it, or run it longer.",
                begin=recording.begin,
                end=recording.end,
                first=first,
                last=last,
            )
        )
    return max(first, recording.begin), min(last, recording.end)


def _bounded(count: int) -> None:
    if count > MOST_FRAMES:
        raise FilmRefused(
            tr(
                "This film would have {count} frames, more than {most}: show less of the run, "
                "fewer frames a second, or a higher speed.",
                count=count,
                most=MOST_FRAMES,
            )
        )


def guessed_size(film: Film, frames: int) -> float:
    """Bytes of a film, roughly."""
    width, height = film.size
    return film.kind.size * frames * width * height / 1e6


def with_choices(film: Film, **choices: Any) -> Film:
    """The film with other choices."""
    return msgspec.structs.replace(film, **choices)
