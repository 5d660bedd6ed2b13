"""Commands on the gizmo and on the axes of selected joints.  A part of Commands."""

from collections.abc import Callable
from typing import Any

from mechstudio.model.edits.motion import flip_joint, quarter_joint
from mechstudio.model.project import Project

# (what, keys) while a handle is being dragged, for the list of shortcuts
DRAG_KEYS = (
    ("Exact number", "0 … 9, Enter"),
    ("Keep to an axis", "X Y Z"),
    ("Keep to a plane", "Shift+X Y Z"),
    ("Steps", "Shift"),
    ("No snapping", "Ctrl"),
    ("Put back", "Esc"),
)


class HandleCommands:
    """Commands on the gizmo's place and axes, and rotation of a joint's frames without moving a
    body.
    """

    _studio: Any

    @property
    def is_gizmo_in_body_axes(self) -> bool:
        return self._studio.preferences.stored.gizmo_axes == "body"

    @property
    def is_gizmo_at_mass(self) -> bool:
        return self._studio.preferences.stored.gizmo_pivot == "mass"

    def gizmo_axes(self) -> None:
        self._studio.preferences.set(gizmo_axes="world" if self.is_gizmo_in_body_axes else "body")

    def gizmo_pivot(self) -> None:
        self._studio.preferences.set(gizmo_pivot="origin" if self.is_gizmo_at_mass else "mass")

    def _joints(self, edit: Callable[[Project, str], Project], words: str) -> None:
        """Do an edit to every selected joint, as one step."""
        studio = self._studio
        project, joints = studio.display.project, studio.selected_joints
        for id in joints:
            project = edit(project, id)
        names = ", ".join(studio.document.project.mechanism.joints[id].name for id in joints)
        studio.display.commit(words.format(names=names), project)

    def flip_joint(self) -> None:
        self._joints(flip_joint, "Flip the axis of {names}")

    def turn_joint(self) -> None:
        self._joints(quarter_joint, "Turn {names} 90 deg about its axis")
