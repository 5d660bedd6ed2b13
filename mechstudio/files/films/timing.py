"""Facts of a film that every encoder needs, and how long each frame is seen."""

from fractions import Fraction
from typing import NamedTuple


class FilmShape(NamedTuple):
    """A film without its pixels.  size [px].  fps: frames a second.  loops: it begins again for
    ever.  transparent: alpha counts.
    """

    size: tuple[int, int]
    fps: Fraction
    loops: bool
    transparent: bool

    def end(self, frame: int, per_second: int) -> int:
        """The instant at which a frame ends, in parts of a second."""
        return round((frame + 1) * per_second / self.fps)

    def lasts(self, frame: int, per_second: int) -> int:
        """Time for which a frame is seen, in parts of a second: all of them together last as long
        as they should.
        """
        return self.end(frame, per_second) - self.end(frame - 1, per_second)
