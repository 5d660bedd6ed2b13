"""Springs, dampers and actuators by two clicks, with the length shown while moving."""

from mechstudio.model.drawing import distance
from mechstudio.model.force_types import FORCE_TYPES
from mechstudio.model.insertion import add_point_force
from mechstudio.model.mechanism import GROUND
from mechstudio.model.units import format_value

from .base import Pointer, Preview, Tool, ToolContext
from .snapping import Snap, snap


class TwoPointTool(Tool):
    """Click one point, then the other; each lies on the body under it, and on the ground in empty room."""

    name = "two_points"

    def __init__(self, context: ToolContext, type: str = "spring") -> None:
        super().__init__(context)
        self.type = type
        self._start: Snap | None = None
        self._here: Snap | None = None
        self._say()

    def move(self, pointer: Pointer) -> None:
        self._here = snap(self.context.document.project, self.context.plane, self.context.grid, pointer, self._start.point if self._start else None)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        here, start, what = self._here, self._start, FORCE_TYPES[self.type].label.lower()
        if here is None:
            return
        if start is None:
            self._start, self.context.message = here, ""
        elif distance(start.point, here.point) < 1e-6:
            self.context.message = f"A {what} needs a length: click its other end at a distance."
        elif (ends := self._bodies(start, here)) is None:
            self.context.message = f"A {what} acts between two bodies: click its other end on another one, or on empty room for the ground."
        else:
            project, id = add_point_force(self.context.document.project, self.type, (ends[0], start.point), (ends[1], here.point))
            self.context.document.commit(f"Add {project.mechanism.forces[id].name}", project)
            self.context.selection.select(id)
            self.context.message = ""
            self.cancel()
            return
        self._show()

    def _bodies(self, a: Snap, b: Snap) -> tuple[str, str] | None:
        """The bodies of both ends; at a joint the one that the other end does not lie on.  None if they are the same."""
        joints = self.context.document.project.mechanism.joints

        def at(place: Snap) -> tuple[str, ...]:
            joint = joints.get(place.joint)
            own = place.body or GROUND
            return (own,) if joint is None else (own, *(f.body for f in (joint.frame_a, joint.frame_b) if f.body != own))
        return next(((first, second) for second in at(b) for first in at(a) if first != second), None)

    def _show(self) -> None:
        p = self.preview = Preview()
        here, start = self._here, self._start
        if self.finished or here is None:
            return
        p.marker, p.word = here.point, here.word if here.word not in ("", "grid") else ""
        if not p.word:
            p.word = f"on {self.context.document.project.mechanism.body(here.body or GROUND).name}"
        if start is not None:
            p.marks = [(start.point, "")]
            p.rubber = [(start.point, here.point)]
            p.label = format_value(distance(start.point, here.point), "length", self.context.units, 4)
        self._say()

    def _say(self) -> None:
        what = FORCE_TYPES[self.type].label.lower()
        which = "second" if self._start is not None else "first"
        self.hint = f"Click the {which} end of the {what} · empty room is the ground · Esc stops"

