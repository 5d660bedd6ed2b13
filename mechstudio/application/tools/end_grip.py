"""Joints, link ends and whole bodies move in the work plane; one drag is one undo step."""

import math

from mechstudio.model import expression
from mechstudio.model.drawing import distance, link_ends, move_points
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values, vector
from mechstudio.model.rotation import Triple
from mechstudio.model.units import format_value
from mechstudio.model.edit import put_element, replace

from .base import Pointer, Preview, ToolContext
from .entry import Entry
from .grip import Grip
from .snapping import REACH, angle_of, candidates, snap

STARTS_AFTER = 4.0            # pixels before a press becomes a drag


class EndGrip(Grip):
    """Reshapes the drawing: links stretch with their ends, joints stay closed."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.entry = Entry(context)
        self.drop()

    @property
    def dragging(self) -> bool:
        return self._held is not None and self.tentative is not None

    def drop(self) -> None:
        super().drop()
        self.entry.text = ""
        self._held: tuple[Triple, ...] | None = None           # world points that move
        self._grabbed: Triple | None = None                     # where the pointer took hold, in the plane
        self._body = self._other = None

    def takes(self, pointer: Pointer) -> bool:
        return bool(pointer.element)

    def press(self, pointer: Pointer) -> None:
        self.drop()
        if pointer.point is None or not pointer.element:
            return
        project, plane = self.context.document.project, self.context.plane
        near = [(rank, distance(s.point, pointer.point), s) for rank, s in candidates(project, plane)
                if distance(s.point, pointer.point) <= REACH * pointer.pixel and rank < 2]
        if near:
            point = min(near, key=lambda n: (n[0], n[1]))[2]
            self._held, self._grabbed = (self._true_point(project, point.point),), point.point
            self._body = point.body
            self._other = self._other_end(project, point.body, self._held[0])
        elif pointer.body and pointer.body != GROUND:
            ends = link_ends(project.mechanism.bodies[pointer.body])
            self._body = pointer.body
            self._held, self._grabbed = ends or (), pointer.point

    def move(self, pointer: Pointer) -> None:
        if self._held is None or self._grabbed is None or pointer.point is None:
            return
        if self.tentative is None and distance(pointer.point, self._grabbed) < STARTS_AFTER * pointer.pixel:
            return
        project, plane = self.context.document.project, self.context.plane
        fixed = frozenset((self._grabbed,))
        here = snap(project, plane, self.context.grid, pointer, self._other, fixed, frozenset({self._body} if self._body else ()))
        if here is None:
            return
        single = len(self._held) == 1
        target = here.point if single else pointer.point
        shift = tuple(b - a for a, b in zip(self._grabbed, target))
        self.tentative = self._moved(project, shift)  # type: ignore[arg-type]
        p = self.preview = Preview(marker=target if single else None, word=here.word if single else "")
        if single and self._other is not None:
            p.label = self.entry.text + "▏" if self.entry.text else self._measure(self._other, target)
        self.hint = "Release to place · type a number for the exact length · Ctrl suspends snapping · Esc takes it back"

    def release(self, pointer: Pointer) -> None:
        if self.tentative is not None and self._held is not None:
            self.move(pointer)
            self._commit(self.tentative)
        self.drop()

    def key(self, key: str) -> bool:
        if not self.dragging:
            return False
        if key == "escape":
            self.drop()
        elif key == "enter" and self.entry.text:
            self._apply_typed()
        elif not self.entry.key(key):
            return False
        else:
            self.preview.label = self.entry.text + "▏"
        return True

    def wants(self, key: str) -> bool:
        return self.dragging and (key == "escape" or self.entry.wants(key))

    def _apply_typed(self) -> None:
        """The grabbed end at exactly the typed distance from the link's other end."""
        marker = self.preview.marker
        if marker is None or self._other is None or self._grabbed is None or self._body is None:
            return
        try:
            length, text = self.entry.value()
        except expression.ExpressionError as error:
            self.context.message = str(error)
            return
        span = distance(self._other, marker)
        if length <= 0 or span == 0:
            self.context.message = "A link needs a length above zero: type a positive number."
            return
        end = tuple(o + (m - o) * length / span for o, m in zip(self._other, marker))
        project = self._moved(self.context.document.project, tuple(b - a for a, b in zip(self._grabbed, end)))  # type: ignore[arg-type]
        body = project.mechanism.bodies[self._body]
        shape = body.shapes[0]
        shape = replace(shape, dimensions={**shape.dimensions, "length": Quantity(length, text)})
        self._commit(put_element(project, body.id, replace(body, shapes=(shape,))))
        self.drop()

    def _commit(self, project: Project) -> None:
        name = self.context.document.project.mechanism.body(self._body).name if self._body else ""
        self.context.document.commit(f"Move {name}".strip(), project)

    def _moved(self, project: Project, shift: Triple) -> Project:
        """The project with what is held moved by a shift."""
        assert self._held is not None
        if not self._held and self._body:
            body = project.mechanism.bodies[self._body]
            m = project.mechanism
            joints = [m.frame_in_world(f)[0] for j in m.joints.values() for f in (j.frame_a, j.frame_b) if f.body == self._body]
            if not joints:
                at = values(body.placement.position)
                return put_element(project, body.id, replace(body, placement=replace(body.placement, position=vector(*(a + b for a, b in zip(at, shift))))))
            held = tuple(joints)
        else:
            held = self._held
        tolerance = 1e-6 * max(project.mechanism.size(), 1e-9)
        return move_points(project, self.context.plane, {p: tuple(a + b for a, b in zip(p, shift)) for p in held}, tolerance)  # type: ignore[misc]

    def _true_point(self, project: Project, flat: Triple) -> Triple:
        """The joint or link end itself behind a candidate that was moved into the plane."""
        m, plane = project.mechanism, self.context.plane
        points = [m.frame_in_world(j.frame_b)[0] for j in m.joints.values()]
        points += [p for b in m.bodies.values() for p in link_ends(b) or ()]
        return min(points, key=lambda p: distance(plane.to_world(*plane.to_plane(p)), flat), default=flat)

    def _other_end(self, project: Project, body: str, point: Triple) -> Triple | None:
        ends = link_ends(project.mechanism.bodies[body]) if body in project.mechanism.bodies else None
        if ends is None:
            return None
        return max(ends, key=lambda e: distance(e, point))

    def _measure(self, a: Triple, b: Triple) -> str:
        length = format_value(distance(a, b), "length", self.context.units, 4)
        angle = format_value(math.radians(angle_of(self.context.plane, a, b)), "angle", self.context.units, 4)
        return f"{length}   {angle}"
