"""Stage of a film: the mechanism at any instant of its run, as the frames of a film show it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from mechstudio.application.films.film import TURN, Film
from mechstudio.application.films.poses import sample_at
from mechstudio.application.marks.marks import Marks
from mechstudio.application.runs.recording import Recording
from mechstudio.view.films.stage import Scenery, Stage
from mechstudio.view.scene.rendering.renderer import Renderer

ENOUGH = 40  # instants at which a camera looks where everything is


class Shot(NamedTuple):
    """A run before a scenery.  marks: trails and what else is shown beside the
    bodies, None for nothing.
    """

    scenery: Scenery
    recording: Recording
    marks: Marks | None = None


class FilmStage:
    """Draws frames of a film of a shot; `close` gives the graphics device back.  size, renderer: as
    of Stage.  Raises gl.GraphicsUnavailable in a sentence.
    """

    def __init__(
        self,
        film: Film,
        shot: Shot,
        times: Sequence[float],
        size: tuple[int, int] | None = None,
        renderer: Renderer | None = None,
    ) -> None:
        self._shot = shot
        self._marks = shot.marks if film.marks else None
        picked = np.unique(np.linspace(0, len(times) - 1, ENOUGH).round().astype(int)).tolist()
        cameras = tuple(shot.scenery.cameras)
        if film.range == TURN and len(cameras) > 1:
            cameras = (*cameras, cameras[0])  # back to where it began, so that there is no seam
        fitted = None in cameras
        reach = [self._poses(self._sample(times[k])) for k in picked] if fitted else []
        scenery = shot.scenery._replace(cameras=cameras, reach=reach)
        self._stage = Stage(film, scenery, size, renderer)
        if self._marks is not None:
            self._stage.trace(self._marks.paths())

    def close(self) -> None:
        self._stage.close()

    def _sample(self, time: float) -> np.ndarray:
        return sample_at(self._shot.recording, time)

    def _poses(self, sample: np.ndarray) -> np.ndarray:
        return sample[self._shot.recording.layout.poses].reshape(-1, 7)

    def warm(self, time: float) -> None:
        """Prepare for the frame at an instant [s]."""
        self._stage.warm(self._poses(self._sample(time)))

    def image(self, time: float, share: float = 0.0) -> QImage:
        """The frame at an instant [s] of the run; share: of the film that is over then."""
        sample, marks = self._sample(time), self._marks
        if marks is not None:
            figures = marks.shown_figures(True, self._shot.scenery.units, time)
            arrows = marks.shown_arrows(sample)
            self._stage.mark(arrows, marks.measures, marks.components, figures)
        return self._stage.image(self._poses(sample), time, share)

    def pixels(self, image: QImage) -> np.ndarray:
        """A frame as pixels (height, width, 4) u1 of red, green, blue and alpha."""
        return self._stage.pixels(image)

    def frame(self, time: float, share: float = 0.0) -> np.ndarray:
        """Pixels of the frame at an instant."""
        return self.pixels(self.image(time, share))
