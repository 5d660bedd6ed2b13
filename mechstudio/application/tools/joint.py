"""Place a joint where bodies meet: point, choose the type by a letter, click."""

from mechstudio.model.drawing import add_joint, distance, link_ends
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND
from mechstudio.model.rotation import Triple

from .base import Pointer, Preview, Tool, ToolContext
from .snapping import REACH, Snap, snap

LETTERS = {"r": "revolute", "p": "prismatic", "c": "cylindrical", "s": "spherical", "u": "universal", "w": "fixed"}


class JointTool(Tool):
    """Joins the two bodies under the pointer, or the one body with the ground.

    Tab cycles the axis (the plane's normal, along the link, u, v); Shift+X flips it.
    """

    name = "joint"

    def __init__(self, context: ToolContext, type: str = "revolute") -> None:
        super().__init__(context)
        self.type = type
        self._axis_at = 0
        self._flip = 1.0
        self._here: Snap | None = None
        self._bodies: tuple[str, ...] = ()
        self._say()

    def move(self, pointer: Pointer) -> None:
        project = self.context.document.project
        self._here = snap(project, self.context.plane, self.context.grid, pointer)
        self._bodies = self._bodies_at(self._here.point, REACH * pointer.pixel, pointer.body) if self._here else ()
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is None or not self._bodies:
            self.context.message = "There is no body here: click where one or two bodies meet."
            return
        a, b = self._pair()
        axis = None if self._axis_at == 0 and self._flip > 0 else self._axes()[self._axis_at]
        if axis is not None:
            axis = tuple(self._flip * c for c in axis)  # type: ignore[assignment]
        project, joint = add_joint(self.context.document.project, self.context.plane, a, b, self._here.point, self.type, axis)
        label = JOINT_TYPES[self.type].label.lower()
        self.context.document.commit(f"Add {label} joint {project.mechanism.joints[joint].name}", project)
        self.context.selection.select(joint)
        self.context.message = ""
        self.cancel()

    def key(self, key: str) -> bool:
        if key == "escape":
            self.cancel()
        elif key in LETTERS:
            self.type = LETTERS[key]
        elif key == "tab":
            self._axis_at = (self._axis_at + 1) % len(self._axes())
        elif key == "X":
            self._flip = -self._flip
        else:
            return False
        self._show()
        return True

    def wants(self, key: str) -> bool:
        return key in ("escape", "tab", "X") or key in LETTERS

    def _pair(self) -> tuple[str, str]:
        if len(self._bodies) == 1:
            return GROUND, self._bodies[0]
        return self._bodies[0], self._bodies[1]

    def _bodies_at(self, point: Triple, reach: float, under: str) -> tuple[str, ...]:
        """Bodies that meet at a point, in drawing order, at most two: those with an end there and the one under the pointer."""
        m, plane, found = self.context.document.project.mechanism, self.context.plane, []
        for id, body in m.bodies.items():
            ends = link_ends(body) or ()
            if id == under or any(distance(plane.to_world(*plane.to_plane(e)), point) <= reach for e in ends):
                found.append(id)
        joined = {frozenset((j.frame_a.body, j.frame_b.body)) for j in m.joints.values()}
        for k, a in enumerate(found):
            for b in found[k + 1:]:
                if frozenset((a, b)) not in joined:
                    return a, b
        return tuple(found[:1])

    def _axes(self) -> list[Triple]:
        plane = self.context.plane
        axes = [plane.normal, plane.u, plane.v]
        for id in self._bodies[-1:]:
            ends = link_ends(self.context.document.project.mechanism.bodies[id])
            if ends is not None and distance(*ends) > 0:
                axes.insert(1, tuple((b - a) / distance(*ends) for a, b in zip(*ends)))  # type: ignore[arg-type]
        return axes

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished or self._here is None:
            return
        p.marker = self._here.point
        label = JOINT_TYPES[self.type].label
        if not self._bodies:
            p.word = "no body here"
        else:
            m = self.context.document.project.mechanism
            a, b = self._pair()
            p.word = f"{label}: {m.body(a).name} – {m.body(b).name}"
            axis = self._axes()[min(self._axis_at, len(self._axes()) - 1)]
            reach = 0.08 * m.size()
            at = self._here.point
            p.rubber = [tuple(tuple(c + s * reach * self._flip * d for c, d in zip(at, axis)) for s in (-1, 1))]  # type: ignore[list-item]
        self._say()

    def _say(self) -> None:
        self.hint = "Click where bodies meet · r pin · p slider · c cylinder · s ball · u universal · w weld · Tab turns the axis · Esc stops"
