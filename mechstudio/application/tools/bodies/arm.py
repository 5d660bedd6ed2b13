"""Draw arms: click three points or more, then Enter: one body with a joint wherever a point lies on
another body.
"""

import contextlib
import dataclasses

from mechstudio.application.tools.bodies.arm_mounts import mounts, with_arm
from mechstudio.application.tools.bodies.link_joints import Corner, link_letters
from mechstudio.application.tools.snapping.aim import Aim, described
from mechstudio.application.tools.snapping.candidates import Snap, candidates_of
from mechstudio.application.tools.snapping.faces import axis_letters
from mechstudio.application.tools.tool import Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.links import distance
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import minus, plus
from mechstudio.model.mechanism import GROUND
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import Words, tr

OFF: Words = "off the plane"
NUMBERS: tuple[Words, ...] = ("first", "second", "third")


class ArmTool(Tool):
    """Each click, or a typed place, is one point; Enter makes the arm.  G puts the next points on
    the ground.
    """

    name = "arm"
    repeats = True
    in_plane = True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._corners: list[Corner] = []
        self._aim = Aim(context)
        self._type = ""
        self._grounded = False
        self.numbers = self._new_numbers()
        self._say()

    def _new_numbers(self) -> Numbers:
        names = axis_letters(self.context.plane)
        return Numbers(self.context, *((name, "length") for name in (*names, OFF)))

    # events

    def move(self, pointer: Pointer) -> None:
        self._aim.move(pointer)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self.numbers.typed:
            self._place_typed()
        elif self._aim.here is not None:
            self._place(self._aim.here)
        self._show()

    def key(self, key: str) -> bool:
        typed = self.numbers.typed
        if key == "enter" and typed:
            self._place_typed()
        elif key == "enter":
            self._finish()
        elif key == "escape" and typed:
            self.numbers.clear()
        elif key == "escape" and self._corners:
            self._corners.pop()
        elif key == "escape":
            self.cancel()
        elif key in ("tab", "backtab") and not typed:
            self._aim.next(1 if key == "tab" else -1)
        elif key == "g" and not typed:
            self._grounded = not self._grounded
        elif key in link_letters() and not typed:
            self._type = "" if self._type == link_letters()[key] else link_letters()[key]
        elif not self.numbers.key(key):
            return False
        self._show()
        return True

    def keys(self) -> list[Key]:
        out = [
            Key("Click", tr("a point of the arm")),
            Key("Enter", tr("makes the arm"), "enter"),
            Key("0–9 . ( =", tr("the place in the plane"), "1"),
            Key("Tab", tr("next place that could catch it"), "tab"),
            Key("G", tr("points stand on the ground, or not"), "g"),
        ]
        out += [
            Key(letter.upper(), tr("{link} here", link=tr(JOINT_TYPES[type].link)), letter)
            for letter, type in link_letters().items()
        ]
        return [*out, Key("Ctrl", tr("no snapping")), Key("Esc", tr("steps back"), "escape")]

    def wants(self, key: str) -> bool:
        if key in ("escape", "enter", "tab", "backtab"):
            return True
        return (
            not self.numbers.typed and (key == "g" or key in link_letters())
        ) or self.numbers.wants(key)

    def linger(self) -> None:
        self._aim.linger()
        self._show()

    def lose(self, ids: frozenset[str]) -> bool:
        kept = [c for c in self._corners if c.place.body not in ids]
        changed, self._corners = len(kept) != len(self._corners), kept
        if changed:
            self._aim.places = []
            self._show()
        return True

    # what is made

    def _place_typed(self) -> None:
        """A point at the typed coordinates of the plane, and on what is there."""
        try:
            place = self._typed()
        except ExpressionError as error:
            self.context.message = str(error)
            return
        self.numbers.clear()
        self._place(place)

    def _typed(self) -> Snap:
        """The place of the typed coordinates; the pointer gives the others."""
        typed = [self.numbers.value(k) for k in range(3)]
        plane, here = self.context.plane, self._aim.here
        now = plane.to_plane(here.point if here is not None else plane.origin)
        at = plane.to_world(*(c if q is None else q.value for c, q in zip(now, typed)))
        point = at if typed[2] is None else plus(at, plane.normal, typed[2].value)
        known = candidates_of(self.context.document.project.mechanism)
        near = 1e-9 * max(known.size, 1e-9)
        found = (s for s in known.snaps if s.body and distance(s.point, point) < near)
        return next(found, Snap(point))

    def _next(self) -> Snap | None:
        """The place of the next point: as typed, unless that is not a number yet."""
        if self.numbers.typed:
            with contextlib.suppress(ExpressionError):
                return self._typed()
        return self._aim.here

    def _place(self, place: Snap) -> None:
        if any(distance(c.place.point, place.point) < 1e-9 for c in self._corners):
            self.context.message = tr("This point is taken already: click another one.")
            return
        if self._grounded and not place.body:
            place = dataclasses.replace(place, body=GROUND)
        self._corners.append(Corner(place, self._type if place.body else ""))
        self._type, self.context.message = "", ""
        self._aim.forget()

    def _finish(self) -> None:
        try:
            project, arm = with_arm(
                self.context.document.project, self.context.plane, self._corners
            )
        except ExpressionError as error:
            self.context.message = str(error)
            return
        self.complete(tr("Draw {arm}", arm=project.mechanism.bodies[arm].name), project, arm)

    # what is shown

    def _show(self) -> None:
        p = self.preview = Preview()
        self.tentative = None
        if self.finished:
            return
        self._aim.show(p)
        here, corners = self._next(), list(self._corners)
        p.marks = [(c.place.point, "") for c in corners]
        if here is not None:
            self._show_place(p, here)
            if all(distance(c.place.point, here.point) > 1e-9 for c in corners):
                place = here
                if self._grounded and not here.body:
                    place = dataclasses.replace(here, body=GROUND)
                corners.append(Corner(place, self._type if place.body else ""))
        points = [c.place.point for c in corners]
        if len(points) == 2:
            p.rubber.append((points[0], points[1]))
        elif len(points) > 2:
            p.areas = [tuple(points)]
            self._show_joints(p, corners)
        self._say()

    def _show_place(self, p: Preview, here: Snap) -> None:
        plane, units = self.context.plane, self.context.units
        self.numbers.now = (*plane.to_plane(here.point), 0.0)
        shown = [format_value(c, "length", units, 4) for c in self.numbers.now]
        p.label = self.numbers.label(shown)
        if not self.numbers.texts[2] and self.numbers.at < 2:
            p.label = p.label.partition(f"   {OFF} ")[0]
        if here.body:
            p.word = described(here) or self.context.document.project.mechanism.body(here.body).name
        elif self._grounded:
            p.word = tr("on the ground")
        if self._type:
            p.word = " · ".join(filter(None, (JOINT_TYPES[self._type].link, p.word)))

    def _show_joints(self, p: Preview, corners: list[Corner]) -> None:
        m = self.context.document.project.mechanism
        try:
            made = mounts(m, self.context.plane, corners)
        except ExpressionError:
            return
        for mount in made:
            first = corners[mount.corners[0]].place.point
            word = tr(
                "{link} on {body}",
                link=tr(JOINT_TYPES[mount.type].link or JOINT_TYPES[mount.type].noun),
                body=m.body(mount.body).name,
            )
            p.marks.append((first, word))
            if len(mount.corners) > 1 and mount.axis is not None:
                last = corners[mount.corners[-1]].place.point
                p.lines.append(
                    (plus(first, minus(last, first), -0.15), plus(first, minus(last, first), 1.15))
                )

    @property
    def title(self) -> str:
        return tr("arm")

    def _say(self) -> None:
        ground = tr("G: on the ground") if not self._grounded else tr("G: not on the ground")
        count = len(self._corners)
        if count < 3:
            first = tr(
                "Click the {which} point of the arm, or type its place",
                which=tr(NUMBERS[count]),
            )
        else:
            first = tr("Enter makes the arm · Click one more point")
        self.hint = tr(
            "{first} · {ground} · r p c s u: joint · Esc steps back", first=first, ground=ground
        )
