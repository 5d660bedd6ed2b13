"""Draw links: click A, B, C, D, then Enter: three links; first and last points on empty plane become ground pins."""

import math

from mechstudio.model import expression
from mechstudio.model.drawing import add_joint, add_link, distance, order_joints
from mechstudio.model.mechanism import GROUND
from mechstudio.model.rotation import Triple
from mechstudio.model.units import format_value

from .base import Pointer, Preview, Tool, ToolContext
from .entry import Entry
from .snapping import Snap, angle_of, snap

GROUND_PIN = "ground pin on Enter"
WORD_ROOM = 90.0              # pixels between two marks below which their words would touch


class LinkTool(Tool):
    """A chain of links.  Each click after the first commits one link, pinned to the one before and to what was clicked."""

    name = "link"

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.entry = Entry(context)
        self._start: Snap | None = None
        self._here: Snap | None = None
        self._last_link = ""
        self._joints: list[str] = []                          # ids of the chain's pins so far
        self._to_ground: list[tuple[Triple, str]] = []       # points on empty plane, with the link that ends there
        self._free_first = self._free_last = False            # Alt was held at the click
        self._end_pinned = False                              # the chain's last point lies on a body
        self._alt, self._pixel = False, 0.0
        self._say()

    def move(self, pointer: Pointer) -> None:
        start = self._start.point if self._start else None
        self._here = snap(self.context.document.project, self.context.plane, self.context.grid, pointer, start,
                          exclude_bodies=frozenset({self._last_link} if self._last_link else ()))
        self._alt, self._pixel = pointer.alt, pointer.pixel
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is None:
            return
        if self._start is None:
            self._start = self._here
            self._free_first = pointer.alt
        else:
            self._place(self._here, "", pointer.alt)
        self._show()

    def key(self, key: str) -> bool:
        if key == "enter" and self.entry.text:
            self._place_typed()
        elif key == "enter":
            self._finish()
        elif key == "escape" and self.entry.text:
            self.entry.text = ""
        elif key == "escape":
            self.cancel()
        elif self._start is None or not self.entry.key(key):
            return False
        self._show()
        return True

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter") or (self._start is not None and self.entry.wants(key))

    def _place_typed(self) -> None:
        """The next link at exactly the typed length in the direction of the pointer."""
        if self._start is None or self._here is None:
            return
        try:
            length, text = self.entry.value()
        except expression.ExpressionError as error:
            self.context.message = str(error)
            return
        if length <= 0:
            self.context.message = "A link needs a length above zero: type a positive number."
            return
        span = distance(self._start.point, self._here.point)
        if span == 0:
            self.context.message = "Point in a direction first, then press Enter."
            return
        a, b = self._start.point, self._here.point
        end: Triple = tuple(p + (q - p) * length / span for p, q in zip(a, b))  # type: ignore[assignment]
        self.entry.text = ""
        self._place(Snap(end), text, False)

    def _place(self, end: Snap, length_text: str, alt: bool) -> None:
        """Commit one link from the chain's end to `end` with its pins."""
        start, plane = self._start, self.context.plane
        assert start is not None
        if distance(start.point, end.point) < 1e-9:
            return
        project = self.context.document.project
        ends = (self._last_link or start.body, end.body)
        project, link = add_link(project, plane, start.point, end.point, tuple(filter(None, ends)), length_text)
        if ends[0]:
            project, pin = add_joint(project, plane, ends[0], link, start.point)
            self._joints.append(pin)
        if end.body and end.body != link:
            project, pin = add_joint(project, plane, link, end.body, end.point)
            self._joints.append(pin)
        name = project.mechanism.bodies[link].name
        self.context.document.commit(f"Draw {name}", project)
        self.context.selection.select(link)
        if not self._last_link and not start.body and not self._free_first:
            self._to_ground.append((start.point, link))
        self._last_link, self._start = link, end
        self._end_pinned, self._free_last = bool(end.body), alt
        self.context.message = ""

    def _finish(self) -> None:
        """Enter: ground pins at the chain's first and last points where they lie on empty plane."""
        if self._last_link:
            points = list(self._to_ground)
            if not self._end_pinned and not self._free_last and self._start is not None:
                points.append((self._start.point, self._last_link))
            project = self.context.document.project
            pins = []
            for point, link in points:
                project, pin = add_joint(project, self.context.plane, GROUND, link, point)
                pins.append(pin)
            if self._to_ground:
                project = order_joints(project, (pins[0], *self._joints, *pins[1:]))
            self.context.document.commit("Pin to ground" if len(points) == 1 else "Pin both ends to ground", project)
        self.cancel()

    def _show(self) -> None:
        """The preview for the pointer's place."""
        p = self.preview = Preview()
        if self.finished:
            return
        if self._here is not None:
            p.marker, p.word = self._here.point, self._here.word
            p.highlight = self._here.body
            if self._here.body and not self._here.word:
                p.word = f"pin on {self.context.document.project.mechanism.body(self._here.body).name}"
        p.marks = [(point, GROUND_PIN) for point, _ in self._to_ground]
        if self._start is not None and self._here is not None and distance(self._start.point, self._here.point) > self._pixel:
            p.segments = [(self._start.point, self._here.point)]
            length = format_value(distance(self._start.point, self._here.point), "length", self.context.units, 4)
            angle = format_value(math.radians(round(angle_of(self.context.plane, self._start.point, self._here.point), 1)), "angle", self.context.units, 4)
            p.label = self.entry.text + "▏" if self.entry.text else f"{length}   {angle}"
            if not self._last_link and not self._start.body and not self._free_first:
                p.marks.append((self._start.point, GROUND_PIN))
            if not self._here.body and not self._alt:
                # the word stands at the pointer; a mark close by keeps its ring only
                near = WORD_ROOM * self._pixel
                p.marks = [(point, "" if distance(point, self._here.point) < near else text) for point, text in p.marks]
                p.marks.append((self._here.point, GROUND_PIN))
        elif self._here is not None and not self._here.body and not self._alt:
            p.marks.append((self._here.point, GROUND_PIN))
        self._say()

    def _say(self) -> None:
        if self._start is None:
            self.hint = "Click the first point of a link · Alt leaves it free of the ground · Esc stops"
        elif not self._last_link:
            self.hint = "Click the second end or type its length · Shift holds directions · Alt leaves it free · Esc stops"
        else:
            self.hint = "Click the next end or type a length · Enter pins the open ends to the ground, Alt-click leaves one free · Esc stops"
