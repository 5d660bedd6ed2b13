"""Place a joint: point where bodies meet, or at one body and then another; choose the type by a
letter and the axis by Tab.
"""

import math

from mechstudio.application.tools.joints.joint_candidates import (
    axes_at,
    behind_at,
    bodies_at,
    carries_axis,
    glyph_lines,
    pairs_at,
    surface_place,
)
from mechstudio.application.tools.snapping.aim import Aim, described
from mechstudio.application.tools.snapping.candidates import Snap, candidates_of, link_normal
from mechstudio.application.tools.snapping.snap import REACH
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.model.edits.links import add_joint, distance
from mechstudio.model.edits.poses.motion import move, shifted_by
from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.model.geometry.work_plane import WorkPlane, facing, parallel
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES, TWIST, JointType
from mechstudio.model.units import format_value
from mechstudio.translation import tr

DRAGGED = 8.0  # pixels beyond which a press and its release are two places
TOUCH = 1e-6  # of the drawing's size: places that are one
USUAL = "rpcsuwf"  # letters of the joints that mechanisms are mostly made of
APART = {"enter": "move", "a": "gap"}  # what keys do with two places that lie apart


def joint_letters() -> dict[str, str]:
    """Joint types by the letter that chooses them."""
    return {kind.key: type for type, kind in JOINT_TYPES.items() if kind.key}


class JointTool(Tool):
    """Joins the two bodies under the pointer, or the one body with the ground.

    Tab cycles the axis: across face or plane, axis of a round shape, along the link, X, Y, Z, as a
    neighbouring joint; Shift+Tab the bodies where more than two meet.  Shift+X flips the axis, Q
    turns both frames about it by a quarter.  Two bodies that do not meet are joined by dragging
    from one to the other, or by a click with Shift and one without; nothing moves unless Enter says
    so.  What lies before or behind the bodies at the pointer comes last in the list.
    A rod goes from a second click to where the first was.
    """

    name = "joint"
    changing = ("type",)
    repeats = True

    def __init__(self, context: ToolContext, type: str = "revolute") -> None:
        super().__init__(context)
        self.type = type
        self._aim = Aim(context)
        self._axis_at = self._pair_at = 0
        self._flip, self._quarters = 1.0, 0
        self._here: Snap | None = None
        self._bodies: tuple[str, ...] = ()
        self._behind: tuple[str, ...] = ()  # under the pointer too, apart from those
        self._pointer: Pointer | None = None
        self._first: tuple[Snap, str] | None = None  # the first of two places, with the body there
        self._axis_held: tuple[str, Triple] | None = None  # chosen at the first place
        self._apart: tuple[Snap, str] | None = (
            None  # the second place, off the first: moved there, or left
        )
        self._pressed: Pointer | None = None
        self._drag_from: tuple[tuple[Snap, str], tuple[str, Triple]] | None = None
        self._listed: Pointer | None = None  # where the pointer stood when the choices were listed
        self._axis_word = self._name = ""
        self._say()

    @property
    def _kind(self) -> JointType:
        return JOINT_TYPES[self.type]

    @property
    def _is_rod(self) -> bool:
        return self._kind.holds_distance

    # ---- pointer

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        if self._listed is not None and self._dragged(self._listed, pointer):
            self._listed = None
        if self._apart is None:
            self._look(pointer)
        self._show()

    def _look(self, pointer: Pointer) -> None:
        """Update the place and the bodies at the pointer."""
        m, plane = self.context.document.project.mechanism, self.context.plane
        start = self._first[0].point if self._first is not None and self._is_rod else None
        place = surface_place(m, plane, self._aim.move(pointer, start), pointer)
        bodies: tuple[str, ...] = ()
        behind: tuple[str, ...] = ()
        if place is not None:
            reach = REACH * pointer.pixel
            bodies = bodies_at(m, plane, place, reach, pointer.body, pointer.normal)
            behind = behind_at(m, place, bodies, _view_direction(pointer, plane))
        if (bodies, behind) != (self._bodies, self._behind):
            self._pair_at = 0
        self._here, self._bodies, self._behind = place, bodies, behind
        # the axis that Tab chose stays while it can be had
        if self._axis_word and not self._is_rod:
            words = [word for word, _ in self._axes()]
            self._axis_at = words.index(self._axis_word) if self._axis_word in words else 0

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._apart is not None:
            self._join_apart("stay")
        elif self._here is not None and self._is_rod:
            self._press_rod(self._here)
        elif self._here is not None:
            # a drag to another body begins here
            self._pressed, self._drag_from = pointer, None
            if self._bodies and self._first is None:
                self._drag_from = ((self._here, pointer.body or self._bodies[-1]), self._axis())

    def release(self, pointer: Pointer) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or self.finished:
            return
        if not self._dragged(pressed, pointer):
            self._drag_from = None
        if self._dragged(pressed, pointer):
            self._drop(pointer)
        elif self._first is not None:
            self._second(pointer)
        elif pressed.shift:
            self._hold(pointer)
        else:
            self._put()
        self._show()

    def _dragged(self, a: Pointer, b: Pointer) -> bool:
        if a.eye is not None and b.eye is not None:
            return math.hypot(a.x - b.x, a.y - b.y) > DRAGGED
        return (
            a.point is not None
            and b.point is not None
            and distance(a.point, b.point) > DRAGGED * b.pixel
        )

    def _put(self) -> None:
        """A joint here."""
        if not self._bodies or self._here is None:
            self.context.message = tr("There is no body here: click where one or two bodies meet.")
        else:
            self._place(*self._ordered_pair(), self._here.point)

    # ---- two places

    def _hold(self, pointer: Pointer) -> bool:
        """Keep the place of the first body and the axis there; whether there is one."""
        body = pointer.body or next((b for b in self._bodies), "")
        if self._here is None or not body:
            self.context.message = tr(
                "There is no body here: begin on a body, or on the ground's own shapes."
            )
            return False
        self._axis_held, self._first, self.context.message = self._axis(), (self._here, body), ""
        self.context.selection.select(body)
        return True

    def _drop(self, pointer: Pointer) -> None:
        """The end of a drag from one body to another."""
        if self._first is None and self._drag_from is not None:
            (self._first, self._axis_held), self._drag_from = self._drag_from, None
        self._second(pointer)
        if self._first is not None and self._apart is None and not self.finished:
            self._first = self._axis_held = None

    def _second(self, pointer: Pointer) -> None:
        """The place on the second body."""
        if self._first is None or self._here is None:
            return
        place, first = self._first
        second = pointer.body if pointer.body != first else ""
        second = second or next(
            (b for b in self._bodies if b != first),
            GROUND if first != GROUND and not self._bodies else "",
        )
        if not second:
            self.context.message = tr("A joint joins two bodies: go to a place of another body.")
        elif (
            distance(place.point, self._here.point)
            <= TOUCH * candidates_of(self.context.document.project.mechanism).size
        ):
            self._place(first, second, place.point)
        else:
            self._apart, self.context.message = (self._here, second), ""
            if second != GROUND:
                at, q = self.context.document.project.mechanism.bodies[second].placement.pose
                self.ghost = {second: (plus(at, self._shift()), q)}  # type: ignore[dict-item]

    def _join_apart(self, way: str) -> None:
        """Join two places that lie apart: "stay": at the first place, with both bodies where they
        are; "move": the second body goes there; "gap": both frames where they were pointed.
        """
        assert self._first is not None
        assert self._apart is not None
        (a, first), (b, second) = self._first, self._apart
        gap = self._gap()
        if way == "gap":
            self._place(first, second, a.point, b.point)
            self.note = tr(
                "The places of {made} are {gap} apart as drawn: "
                "Assemble closes it where the lengths reach.",
                made=self._name,
                gap=gap,
            )
        else:
            moves = way == "move" and second != GROUND
            self._place(first, second, a.point, shift=self._shift() if moves else None)

    def take(self, id: str) -> None:
        """The second body, chosen in the model tree: it is joined at the first place where it
        is.
        """
        m = self.context.document.project.mechanism
        if self._first is None or self._is_rod or id not in (*m.bodies, GROUND):
            return
        place, first = self._first
        if id != first:
            self._place(first, id, place.point)

    def _forget_places(self) -> None:
        """Neither place is kept."""
        self._first = self._axis_held = self._apart = None
        self.ghost = {}

    def _shift(self) -> Triple:
        assert self._first is not None
        assert self._apart is not None
        return minus(self._first[0].point, self._apart[0].point)  # type: ignore[return-value]

    def _gap(self) -> str:
        assert self._first is not None
        assert self._apart is not None
        return format_value(
            distance(self._first[0].point, self._apart[0].point), "length", self.context.units, 4
        )

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
            self.context.message = tr(
                "A rod joins two bodies, or a body and the ground: click its other end elsewhere."
            )
        elif distance(start.point, here.point) < 1e-6:
            self.context.message = tr("A rod needs a length: click its other end at a distance.")
        else:
            self._place(other, body, start.point, here.point)

    # ---- the edit

    def _place(
        self,
        a: str,
        b: str,
        point: Triple,
        point_b: Triple | None = None,
        shift: Triple | None = None,
    ) -> None:
        project, id, label = self._inserted(a, b, point, point_b, shift)
        self.ghost = {}
        self.context.document.commit(label, project)
        self.context.selection.select(id)
        self._name = (
            project.mechanism.joints[id].name
            if id in project.mechanism.joints
            else project.mechanism.forces[id].name
        )
        self.context.message = ""
        self.cancel()
        self.made = True

    def _inserted(
        self, a: str, b: str, point: Triple, point_b: Triple | None, shift: Triple | None = None
    ) -> tuple[Project, str, str]:
        """The project with what this tool places, its id and the label of the step.  shift: by
        which the second body goes there first.
        """
        project, plane = self.context.document.project, self.context.plane
        if shift is not None:
            project = move(project, shifted_by(shift), (b,))
        _, axis = self._axis()
        m, along = project.mechanism, axis
        # across a plane each frame's x lies along its own link, so that the angle reads as drawn
        if axis == plane.normal or self._default_shafts():
            along = None
        elif not self._kind.slides_along_axis and any(
            id in m.bodies and (n := link_normal(m.bodies[id])) is not None and parallel(n, axis)
            for id in (a, b)
        ):
            plane, along = facing("", point, axis), None
        if not self._kind.has_axis and not self._axis_word:
            along = None
        project, joint = add_joint(
            project, plane, a, b, point, self.type, along, point_b, self._quarters * math.pi / 2
        )
        moved = tr(" and move {body} to it", body=m.body(b).name) if shift is not None else ""
        return (
            project,
            joint,
            tr(
                "Add {type} joint {joint}{moved}",
                type=tr(JOINT_TYPES[self.type].label).lower(),
                joint=project.mechanism.joints[joint].name,
                moved=moved,
            ),
        )

    def _default_shafts(self) -> bool:
        return TWIST in self._kind.primitives and self._axis_at == 0 and self._flip > 0

    # ---- keys

    @property
    def _letters(self) -> dict[str, str]:
        """Joint types by letter.  Once a joint was placed only the usual letters mean types: the
        others are shortcuts again, as M of a motor for that joint.
        """
        known = joint_letters()
        return {k: known[k] for k in USUAL} if self.resumed else known

    def key(self, key: str) -> bool:
        if key == "escape" and (self._apart is not None or self._first is not None):
            self._forget_places()
        elif key == "escape":
            self.cancel()
        elif key in APART and self._apart is not None:
            self._join_apart(APART[key])
        elif key in (letters := self._letters):
            keeps = not self._is_rod and not JOINT_TYPES[letters[key]].holds_distance
            self.type, self._axis_at, self._quarters, self._axis_word = letters[key], 0, 0, ""
            if not keeps:
                self._forget_places()
        elif key == "tab":
            axes = self._axes()
            self._axis_at = (self._axis_at + 1) % len(axes)
            self._axis_word, self._listed = axes[self._axis_at][0], self._pointer
            self._axis_held = self._axis_held and self._axis(held=False)
        elif key == "backtab":
            self._pair_at += 1
            self._listed = self._pointer
        elif key == "X":
            self._flip = -self._flip
            self._axis_held = self._axis_held and (
                self._axis_held[0],
                tuple(-c for c in self._axis_held[1]),
            )  # type: ignore[assignment]
        elif key == "q":
            self._quarters = (self._quarters + 1) % 4
        else:
            return False
        self._show()
        return True

    @property
    def title(self) -> str:
        return tr("{type} joint", type=tr(JOINT_TYPES[self.type].label).lower())

    def keys(self) -> list[Key]:
        turning = [
            Key("Tab", tr("next axis"), "tab"),
            Key("Shift+Tab", tr("next pair of bodies"), "backtab"),
            Key("Shift+X", tr("flips the axis"), "X"),
            Key("Q", tr("turns by 90 deg"), "q"),
        ]
        return [
            Key("Click", tr("where bodies meet")),
            *turning,
            *(Key(k.upper(), JOINT_TYPES[type].label, k) for k, type in self._letters.items()),
            STOP,
        ]

    def wants(self, key: str) -> bool:
        return (
            key in ("escape", "tab", "backtab", "X", "q")
            or key in self._letters
            or (key in APART and self._apart is not None)
        )

    def linger(self) -> None:
        self._listed = self._pointer
        self._show()

    # ---- what is chosen

    def _pairs(self) -> list[tuple[str, str]]:
        under = self._pointer.body if self._pointer else ""
        m = self.context.document.project.mechanism
        return pairs_at(m, self._bodies, under, self._behind)

    def _pair(self) -> tuple[str, str]:
        pairs = self._pairs()
        return pairs[self._pair_at % len(pairs)]

    def _ordered_pair(self) -> tuple[str, str]:
        """Both bodies; of what guides, the one first along which the axis in hand lies."""
        a, b = self._pair()
        if not self._kind.guides:
            return a, b
        m, axis = self.context.document.project.mechanism, self._axis()[1]
        under, face = "", None
        if self._pointer is not None:
            under, face = self._pointer.body, self._pointer.normal
        carries = [
            carries_axis(m.body(id), axis)
            or (face is not None and under == id and parallel(face, axis))
            for id in (a, b)
        ]
        return (b, a) if carries == [False, True] else (a, b)

    def _axes(self) -> list[tuple[str, Triple]]:
        """Directions for the joint's axis with their words, the sensible one for its type first."""
        place = self._here or Snap(self.context.plane.origin)
        bodies = self._pair() if self._bodies else ()
        return axes_at(
            self.context.document.project.mechanism,
            self.context.plane,
            self.type,
            place,
            bodies,
            self._pointer,
        )

    def _axis(self, held: bool = True) -> tuple[str, Triple]:
        """The axis in hand, flipped if it was flipped, with its word."""
        if held and self._axis_held is not None:
            return self._axis_held
        axes = self._axes()
        word, (x, y, z) = axes[self._axis_at % len(axes)]
        return word, (self._flip * x, self._flip * y, self._flip * z)

    # ---- what is shown

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished or self._here is None:
            return
        m = self.context.document.project.mechanism
        self._aim.show(p)
        p.choices, p.marker, p.shape = (), self._here.point, self._here.shape
        if self._is_rod:
            self._show_rod(p)
        elif self._apart is not None:
            self._show_apart(p)
        elif self._first is not None or (self._drag_from is not None and self._moved_off()):
            place, body = self._first or self._drag_from[0]  # type: ignore[index]
            p.rubber = [(place.point, self._here.point)]
            p.marks = [(place.point, m.body(body).name)]
            p.lines = self._glyph(place.point)
            p.word = described(self._here) or (
                m.body(self._pointer.body).name
                if self._pointer is not None and self._pointer.body
                else "ground"
            )
        elif not self._bodies:
            p.word = tr("no body here")
        else:
            self._show_joint(p)
        self._say()

    def _moved_off(self) -> bool:
        return (
            self._pressed is not None
            and self._pointer is not None
            and self._dragged(self._pressed, self._pointer)
        )

    def _show_joint(self, p: Preview) -> None:
        m = self.context.document.project.mechanism
        assert self._here is not None
        pairs = self._pairs()
        a, b = self._ordered_pair()
        word, axis = self._axis()
        quarters = (
            tr(", turned {quarters} deg", quarters=90 * self._quarters) if self._quarters else ""
        )
        way = f" {word}{quarters}" if self._kind.has_axis or self._axis_word else ""
        p.word = f"{self._label()}{way}: {m.body(a).name} – {m.body(b).name}"
        p.rubber = self._arrow(self._here.point, axis, 0.14 * candidates_of(m).size)
        p.lines = self._glyph(self._here.point)
        if self._listed is not None:
            axes = self._axes() if self._kind.has_axis else []
            more = (
                [
                    tr(
                        "Shift+Tab: {body} – {body_name}",
                        body=m.body(c).name,
                        body_name=m.body(d).name,
                    )
                    for c, d in pairs
                    if (c, d) != (a, b)
                ]
                if len(self._bodies) + len(self._behind) > 1
                else []
            )
            p.choices = (*(w for w, _ in axes), *more) if len(axes) + len(more) > 1 else ()
            p.chosen = self._axis_at % len(axes) if axes else -1

    def _glyph(self, at: Triple) -> list[tuple[Triple, ...]]:
        return (
            []
            if self._kind.lies_on_floor
            else glyph_lines(
                self.context.document.project.mechanism,
                self.type,
                at,
                self._axis()[1],
                self._quarters,
            )
        )

    def _show_rod(self, p: Preview) -> None:
        m = self.context.document.project.mechanism
        assert self._here is not None
        p.word = described(self._here) or (
            m.body(self._bodies[0]).name if self._bodies else "ground"
        )
        if self._first is not None:
            p.rubber = [(self._first[0].point, self._here.point)]
            p.marks = [(self._first[0].point, "")]
            p.label = format_value(
                distance(self._first[0].point, self._here.point), "length", self.context.units, 4
            )

    def _show_apart(self, p: Preview) -> None:
        """Both places, and the second body where Enter would move it."""
        assert self._first is not None
        assert self._apart is not None
        (a, first), (b, second) = self._first, self._apart
        m = self.context.document.project.mechanism
        p.marker, p.lines = None, self._glyph(a.point)
        p.rubber = [(b.point, a.point)]
        p.marks = [(a.point, m.body(first).name), (b.point, m.body(second).name)]
        p.label = tr("{gap} apart · click joins them as they are", gap=self._gap()) + (
            tr(" · Enter moves {body}", body=m.body(second).name) if second != GROUND else ""
        )

    def _label(self) -> str:
        return JOINT_TYPES[self.type].label

    def _arrow(self, at: Triple, axis: Triple, reach: float) -> list[tuple[Triple, Triple]]:
        """The axis as a line through a point with a head at its positive end."""
        n, u = self.context.plane.normal, self.context.plane.u
        side = tuple(
            n[(k + 1) % 3] * axis[(k + 2) % 3] - n[(k + 2) % 3] * axis[(k + 1) % 3]
            for k in range(3)
        )
        side = side if distance(side, (0.0, 0.0, 0.0)) > 0.1 else u  # type: ignore[arg-type]

        def along(s: float, t: float = 0.0) -> Triple:
            return tuple(c + reach * (s * d + t * e) for c, d, e in zip(at, axis, side))  # type: ignore[return-value]

        return [
            (along(-1.0), along(1.0)),
            (along(1.0), along(0.78, 0.12)),
            (along(1.0), along(0.78, -0.12)),
        ]

    def _say(self) -> None:
        if self._apart is not None:
            self.hint = tr(
                "A click joins both bodies at the first place, where they are · Enter moves the "
                "second one so that the places meet · A leaves the gap to Assemble · Esc takes it "
                "back"
            )
        elif self._is_rod:
            self.hint = (
                tr("Click the second end of the rod")
                if self._first
                else tr("Click the first end of the rod")
            ) + tr(" · empty room is the ground · Esc stops")
        elif self._first is not None:
            self.hint = tr(
                "Click the second body, here or in the model tree · Tab, Q, Shift+X turn the axis "
                "· Esc takes the first place back"
            )
        elif self._kind.lies_on_floor:
            self.hint = tr(
                "Click the centre of what rolls: the floor lies under it · Tab turns the axis · "
                "Esc stops"
            )
        else:
            self.hint = tr(
                "Click where bodies meet, or drag from one body to another · r p c s u w f: "
                "another joint · Tab, Q, Shift+X turn the axis · Esc stops"
            )


def _view_direction(pointer: Pointer, plane: WorkPlane) -> Triple:
    """Direction of the line of sight at the pointer, unit."""
    return plane.normal if pointer.eye is None else pointer.eye.ray(pointer.x, pointer.y)[1]
