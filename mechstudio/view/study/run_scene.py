"""The mechanism with the numbers of the chosen run, in the scene beside the study."""

from collections.abc import Callable

import numpy as np
from PySide6 import QtCore

from mechstudio.application.marks.figures.edges import Edges, edges_of
from mechstudio.application.marks.figures.figure import Outline
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.application.studio import Studio
from mechstudio.model.project import Project
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label

STRENGTH = 0.7  # of the outlines


class RunScene:
    """Mechanism that the scene shows while it stands at the start, with the numbers of the chosen
    run; and at any time, as a ghost, with those under the pointer.

    is_on(): the study is shown.  show(): the scene has something else to show.  chip: says in the
    scene whose mechanism it is.
    """

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        shown: StudyShown,
        is_on: Callable[[], bool],
        show: Callable[[], object],
    ) -> None:
        self._studio, self._shown, self._is_on, self._show = studio, shown, is_on, show
        self._last: tuple[Project, Project | None] = (Project(), None)  # drawing, and shown
        self._edges: tuple[Project | None, dict[str, Edges]] = (None, {})
        self.chip = label("", "studychip")
        self.chip.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        shown.chosen_changed.connect(self._choose)
        shown.hovered_changed.connect(self.want)
        shown.rows_changed.connect(self.want)
        shown.poses_changed.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.want())

    def _choose(self) -> None:
        if self._is_on():
            # the recording is of the drawing, not of this run
            self._studio.runs.playback.to_design()
        self.want()

    def want(self) -> None:
        """Request the closed mechanism with the numbers of the chosen run."""
        if self._is_on():
            self._shown.want_poses()
            self.refresh()

    def refresh(self) -> None:
        """Show what is closed by now."""
        if self._is_on():
            self._show()

    def _stands(self) -> bool:
        """True if the scene is at the start, without a drag or assembly."""
        studio = self._studio
        return (
            studio.runs.playback.at_design
            and studio.questions.drag.poses is None
            and studio.free_motion.poses is None
            and studio.questions.assembly.poses is None
        )

    def project(self) -> Project | None:
        """The mechanism that the scene shows instead of the drawing; None for the drawing."""
        shown = self._shown
        if not self._is_on():
            return None
        stands = self._stands()
        found = shown.closed(shown.chosen) if stands else None
        drawing = self._studio.document.project
        if found is None and stands and shown.chosen is not None and self._last[0] is drawing:
            return self._last[1]  # until the next one is closed
        project = None if found is None else found.project
        # why a run cannot be shown stands below the scene
        if project is None or shown.chosen is None:
            words = tr("As drawn")
        elif shown.is_best:
            words = tr("Best run")
        else:
            words = tr("Run {number}", number=shown.chosen + 1)
        self._last = (drawing, project)
        self.chip.setText(words)
        self.chip.adjustSize()
        return project

    def ghost(self) -> tuple[Outline, ...]:
        """Outlines of the mechanism with the numbers under the pointer."""
        shown = self._shown
        if not self._is_on() or shown.hovered is None or shown.hovered == shown.chosen:
            return ()
        found = shown.closed(shown.hovered)
        if found is None or found.project is None:
            return ()
        if self._edges[0] is not found.project:
            self._edges = (found.project, edges_of(found.project.mechanism))
        bodies = found.project.mechanism.bodies
        poses = {id: body.placement.pose for id, body in bodies.items()}
        return tuple(
            Outline(edges, np.array((*poses[id][0], *poses[id][1])), bodies[id].color, STRENGTH)
            for id, edges in self._edges[1].items()
        )
