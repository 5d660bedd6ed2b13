"""A force or torque by one click on a point of a body."""

from mechstudio.model.force_types import FORCE_TYPES
from mechstudio.model.insertion import add_body_force
from mechstudio.model.mechanism import GROUND

from .base import Pointer, Preview, Tool, ToolContext
from .snapping import Snap, snap


class PointForceTool(Tool):
    """Click a point of a body; the arrow lies in the work plane, its numbers are typed in the inspector."""

    name = "point_force"

    def __init__(self, context: ToolContext, type: str = "force") -> None:
        super().__init__(context)
        self.type = type
        self._here: Snap | None = None
        what = FORCE_TYPES[type].label.lower()
        self.hint = f"Click the point of a body on which the {what} acts · Esc stops"

    def _body(self) -> str:
        """The moving body at the pointer; empty where there is none."""
        here = self._here
        if here is None:
            return ""
        joint = self.context.document.project.mechanism.joints.get(here.joint)
        found = (here.body, *(f.body for f in (joint.frame_a, joint.frame_b))) if joint else (here.body,)
        return next((id for id in found if id and id != GROUND), "")

    def move(self, pointer: Pointer) -> None:
        self._here = snap(self.context.document.project, self.context.plane, self.context.grid, pointer)
        p = self.preview = Preview()
        if self._here is None or self.finished:
            return
        m, plane, body = self.context.document.project.mechanism, self.context.plane, self._body()
        p.marker, p.word = self._here.point, f"{FORCE_TYPES[self.type].label} on {m.bodies[body].name}" if body else "no body here"
        if body and not FORCE_TYPES[self.type].moment:
            tip = tuple(c + 0.2 * m.size() * d for c, d in zip(self._here.point, plane.u))
            p.rubber = [(self._here.point, tip)]  # type: ignore[list-item]

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        body = self._body()
        if not body or self._here is None:
            self.context.message = "There is no body here: click a point of a body that can move."
            return
        project, id = add_body_force(self.context.document.project, self.context.plane, self.type, body, self._here.point)
        self.context.document.commit(f"Add {project.mechanism.forces[id].name}", project)
        self.context.selection.select(id)
        self.context.message = ""
        self.cancel()
