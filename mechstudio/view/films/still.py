"""A picture of the mechanism as it stands, by the stage of films."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from mechstudio.application.films.film import Film
from mechstudio.application.marks.arrows import Arrow
from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.marks import Path
from mechstudio.application.scene import drawn_poses
from mechstudio.application.studio import Studio
from mechstudio.model.project import Camera, Project
from mechstudio.view.films.stage import STILL, Measures, Scenery, Stage
from mechstudio.view.scene.viewport import Viewport


class Still(NamedTuple):
    """Everything that a picture shows.  poses (bodies, 7): None for as drawn.  camera: None for one
    that shows everything.  arrows to now: of view.scene.look.Look.
    """

    project: Project
    poses: np.ndarray | None = None
    camera: Camera | None = None
    units: str = "mm-N-deg"
    arrows: Sequence[Arrow] = ()
    arrow_measures: Measures = lambda drawn: {}
    components: bool = False
    figures: Figures = Figures()
    paths: tuple[Path, ...] = ()
    now: float = 0.0


def draw_still(film: Film, still: Still, size: tuple[int, int] | None = None) -> QImage:
    """A picture with the choices of a film.  size: of a preview [px].  Raises GraphicsUnavailable
    in a sentence.
    """
    poses = drawn_poses(still.project) if still.poses is None else still.poses
    scenery = Scenery(still.project, (still.camera,), (poses,), still.units)
    stage = Stage(film, scenery, size, samples=STILL)
    try:
        if film.marks:
            stage.trace(still.paths)
            measures, components = still.arrow_measures, still.components
            stage.mark(still.arrows, measures, components, still.figures)
        return stage.image(poses, still.now)
    finally:
        stage.close()


def shown_still(
    studio: Studio,
    view: Viewport,
    film: Film,
    camera: Camera | None,
    size: tuple[int, int] | None = None,
) -> QImage:
    """A picture of a view, with the choices of a film.  Raises GraphicsUnavailable."""
    look, display = view.look, studio.display
    still = Still(
        display.project,
        display.poses,
        camera,
        studio.preferences.units,
        look.arrows,
        look.arrow_measures,
        look.components,
        look.figures,
        look.paths,
        look.now,
    )
    return draw_still(film, still, size)
