"""Place a joint where bodies meet: point, choose the type by a letter, click."""

import math

from mechstudio.model.drawing import add_joint, distance, link_ends
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.rotation import Triple
from mechstudio.model.units import format_value

from .base import Pointer, Preview, Tool, ToolContext
from .snapping import REACH, Snap, snap

# what begins along the link rather than across the plane
ALONG = ("prismatic", "cylindrical", "screw", "point_on_line")
ROLLING = ("rolling_disc", "rolling_wheel")
LETTERS = {"r": "revolute", "p": "prismatic", "c": "cylindrical", "s": "spherical", "u": "universal", "w": "screw", "f": "fixed", "n": "planar",
           "l": "point_on_line", "o": "point_on_plane", "t": "point_on_curve", "d": "distance", "v": "constant_velocity", "b": "rolling_disc",
           "h": "rolling_wheel", "k": "knife_edge", "m": "free"}


def _letter(direction: Triple) -> str:
    """X, Y or Z for a world axis, otherwise what it is."""
    return next((letter for k, letter in enumerate("XYZ") if abs(abs(direction[k]) - 1.0) < 1e-9), "the plane")


class JointTool(Tool):
    """Joins the two bodies under the pointer, or the one body with the ground.

    Tab cycles the axis: across the plane, along the link, along the plane's own axes; what slides begins along the link.
    Shift+X flips it, Q turns both frames about it by a quarter.  A rod goes from a second click to where the first was.
    """

    name = "joint"

    def __init__(self, context: ToolContext, type: str = "revolute") -> None:
        super().__init__(context)
        self.type = type
        self._axis_at = 0
        self._flip, self._quarters = 1.0, 0
        self._first: tuple[Snap, str] | None = None           # where a rod begins, with the body there
        self._here: Snap | None = None
        self._bodies: tuple[str, ...] = ()
        self._pixel, self._under = 0.0, ""
        self._say()

    def move(self, pointer: Pointer) -> None:
        project = self.context.document.project
        self._pixel, self._under = pointer.pixel, pointer.body
        self._here = snap(project, self.context.plane, self.context.grid, pointer, self._first[0].point if self._first else None)
        self._bodies = self._bodies_at(self._here.point, REACH * pointer.pixel, pointer.body) if self._here else ()
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is None:
            return
        if self.type == "distance":
            self._press_rod(self._here)
        elif not self._bodies:
            self.context.message = "There is no body here: click where one or two bodies meet."
        else:
            self._place(*self._pair(), self._here.point)

    def _press_rod(self, here: Snap) -> None:
        """A rod's first end, then its second."""
        body = self._bodies[0] if self._bodies else GROUND
        if self._first is None:
            self._first, self.context.message = (here, body), ""
            self._show()
            return
        start, other = self._first
        if other == body:
            body = next((b for b in self._bodies if b != other), body)
        if other == body:
            self.context.message = "A rod joins two bodies, or a body and the ground: click its other end elsewhere."
        elif distance(start.point, here.point) < 1e-6:
            self.context.message = "A rod needs a length: click its other end at a distance."
        else:
            self._place(other, body, start.point, here.point)

    def _place(self, a: str, b: str, point: Triple, point_b: Triple | None = None) -> None:
        project, id, label = self._inserted(a, b, point, point_b)
        self.context.document.commit(label, project)
        self.context.selection.select(id)
        self.context.message = ""
        self.cancel()

    def _inserted(self, a: str, b: str, point: Triple, point_b: Triple | None) -> tuple[Project, str, str]:
        """The project with what this tool places, its id and the label of the step."""
        _, axis = self._axis()
        # across the plane each frame's x lies along its own link, so that the angle reads as drawn
        along = None if axis == self.context.plane.normal or self._default_shafts() else axis
        project, joint = add_joint(self.context.document.project, self.context.plane, a, b, point, self.type, along, point_b, self._quarters * math.pi / 2)
        return project, joint, f"Add {JOINT_TYPES[self.type].label.lower()} joint {project.mechanism.joints[joint].name}"

    def _default_shafts(self) -> bool:
        return self.type == "constant_velocity" and self._axis_at == 0 and self._flip > 0

    def key(self, key: str) -> bool:
        if key == "escape":
            self.cancel()
        elif key in LETTERS:
            self.type, self._axis_at, self._quarters, self._first = LETTERS[key], 0, 0, None
            if self._here is not None:
                self._bodies = self._bodies_at(self._here.point, REACH * self._pixel, self._under)
        elif key == "tab":
            self._axis_at = (self._axis_at + 1) % len(self._axes())
        elif key == "X":
            self._flip = -self._flip
        elif key == "q":
            self._quarters = (self._quarters + 1) % 4
        else:
            return False
        self._show()
        return True

    def wants(self, key: str) -> bool:
        return key in ("escape", "tab", "X", "q") or key in LETTERS

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
        if self.type == "constant_velocity" and len(within) > 2:
            within[0] = ("along the links", within[0][1])
        return [*within, across] if self.type in ALONG or self.type == "constant_velocity" else [across, *within]

    def _axis(self) -> tuple[str, Triple]:
        """The axis in hand, flipped if it was flipped, with its word."""
        axes = self._axes()
        word, (x, y, z) = axes[self._axis_at % len(axes)]
        return word, (self._flip * x, self._flip * y, self._flip * z)

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished or self._here is None:
            return
        p.marker, m = self._here.point, self.context.document.project.mechanism
        if self.type == "distance":
            p.word = self._here.word or (m.body(self._bodies[0]).name if self._bodies else "ground")
            if self._first is not None:
                p.rubber = [(self._first[0].point, self._here.point)]
                p.marks = [(self._first[0].point, "")]
                p.label = format_value(distance(self._first[0].point, self._here.point), "length", self.context.units, 4)
        elif not self._bodies:
            p.word = "no body here"
        else:
            a, b = self._pair()
            word, axis = self._axis()
            quarters = f", turned {90 * self._quarters} deg" if self._quarters else ""
            p.word = f"{self._label()} {word}{quarters}: {m.body(a).name} – {m.body(b).name}"
            p.rubber = self._arrow(self._here.point, axis, 0.14 * m.size())
        self._say()

    def _label(self) -> str:
        return JOINT_TYPES[self.type].label

    def _arrow(self, at: Triple, axis: Triple, reach: float) -> list[tuple[Triple, Triple]]:
        """The axis as a line through a point with a head at its positive end."""
        n, u = self.context.plane.normal, self.context.plane.u
        side = tuple(n[(k + 1) % 3] * axis[(k + 2) % 3] - n[(k + 2) % 3] * axis[(k + 1) % 3] for k in range(3))
        side = side if distance(side, (0.0, 0.0, 0.0)) > 0.1 else u  # type: ignore[arg-type]

        def along(s: float, t: float = 0.0) -> Triple:
            return tuple(c + reach * (s * d + t * e) for c, d, e in zip(at, axis, side))  # type: ignore[return-value]

        return [(along(-1.0), along(1.0)), (along(1.0), along(0.78, 0.12)), (along(1.0), along(0.78, -0.12))]

    def _say(self) -> None:
        if self.type == "distance":
            self.hint = ("Click the second end of the rod" if self._first else "Click the first end of the rod") + " · empty room is the ground · Esc stops"
        elif self.type in ROLLING:
            self.hint = "Click the centre of what rolls: the floor lies under it · Tab turns the axis · Esc stops"
        else:
            self.hint = "Click where bodies meet · r pin · p slider · c cylinder · s ball · u universal · w screw · f weld · Tab, Q, Shift+X turn the axis · Esc stops"
