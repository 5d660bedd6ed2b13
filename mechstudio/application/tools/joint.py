"""Place a joint where bodies meet: point, choose the type by a letter, click."""

from mechstudio.model.drawing import add_joint, distance, link_ends
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND
from mechstudio.model.rotation import Triple

from .base import Pointer, Preview, Tool, ToolContext
from .snapping import REACH, Snap, snap

SLIDING = ("prismatic", "cylindrical")
LETTERS = {"r": "revolute", "p": "prismatic", "c": "cylindrical", "s": "spherical", "u": "universal", "w": "fixed"}


def _letter(direction: Triple) -> str:
    """X, Y or Z for a world axis, otherwise what it is."""
    return next((letter for k, letter in enumerate("XYZ") if abs(abs(direction[k]) - 1.0) < 1e-9), "the plane")


class JointTool(Tool):
    """Joins the two bodies under the pointer, or the one body with the ground.

    Tab cycles the axis: across the plane, along the link, along the plane's own axes; what slides begins along the link.
    Shift+X flips it.
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
        _, axis = self._axis()
        if axis == self.context.plane.normal:
            axis = None                # then each frame's x lies along its own link, so that the angle reads as drawn
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
            self.type, self._axis_at = LETTERS[key], 0
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

    def _axes(self) -> list[tuple[str, Triple]]:
        """Directions for the joint's axis with their words, the sensible one for its type first."""
        plane = self.context.plane
        across = ("across the plane", plane.normal)
        within = [(f"along {_letter(d)}", d) for d in (plane.u, plane.v)]
        for id in self._bodies[-1:]:
            body = self.context.document.project.mechanism.bodies[id]
            ends = link_ends(body)
            if ends is not None and distance(*ends) > 0:
                within.insert(0, (f"along {body.name}", tuple((q - p) / distance(*ends) for p, q in zip(*ends))))  # type: ignore[arg-type]
        return [*within, across] if self.type in SLIDING else [across, *within]

    def _axis(self) -> tuple[str, Triple]:
        """The axis in hand, flipped if it was flipped, with its word."""
        axes = self._axes()
        word, (x, y, z) = axes[self._axis_at % len(axes)]
        return word, (self._flip * x, self._flip * y, self._flip * z)

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished or self._here is None:
            return
        p.marker = self._here.point
        if not self._bodies:
            p.word = "no body here"
        else:
            m = self.context.document.project.mechanism
            a, b = self._pair()
            word, axis = self._axis()
            p.word = f"{JOINT_TYPES[self.type].label} {word}: {m.body(a).name} – {m.body(b).name}"
            p.rubber = self._arrow(self._here.point, axis, 0.14 * m.size())
        self._say()

    def _arrow(self, at: Triple, axis: Triple, reach: float) -> list[tuple[Triple, Triple]]:
        """The axis as a line through a point with a head at its positive end."""
        n, u = self.context.plane.normal, self.context.plane.u
        side = tuple(n[(k + 1) % 3] * axis[(k + 2) % 3] - n[(k + 2) % 3] * axis[(k + 1) % 3] for k in range(3))
        side = side if distance(side, (0.0, 0.0, 0.0)) > 0.1 else u  # type: ignore[arg-type]

        def along(s: float, t: float = 0.0) -> Triple:
            return tuple(c + reach * (s * d + t * e) for c, d, e in zip(at, axis, side))  # type: ignore[return-value]

        return [(along(-1.0), along(1.0)), (along(1.0), along(0.78, 0.12)), (along(1.0), along(0.78, -0.12))]

    def _say(self) -> None:
        self.hint = "Click where bodies meet · r pin · p slider · c cylinder · s ball · u universal · w weld · Tab turns the axis · Esc stops"
