"""Place a joint: point where bodies meet, or at one body and then another; choose the type by a
letter and the axis by Tab.
"""

import math

from mechstudio.application.tools.joints.axis_choice import Axis, AxisChoice, Site
from mechstudio.application.tools.joints.joint_candidates import (
    axis_arrow,
    behind_at,
    bodies_at,
    glyph_lines,
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
from mechstudio.model.types.joints import JOINT_TYPES, JointType
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
        self._choice = AxisChoice(context)
        self._site = Site()
        self._first: tuple[Snap, str] | None = None  # the first of two places, with the body there
        self._apart: tuple[Snap, str] | None = (
            None  # the second place, off the first: moved there, or left
        )
        self._pressed: Pointer | None = None
        self._drag_from: tuple[tuple[Snap, str], Axis] | None = None
        self._listed: Pointer | None = None  # where the pointer stood when the choices were listed
        self._name = ""
        self._say()

    @property
    def _kind(self) -> JointType:
        return JOINT_TYPES[self.type]

    @property
    def _is_rod(self) -> bool:
        return self._kind.holds_distance

    # ---- pointer

    def move(self, pointer: Pointer) -> None:
        self._site = self._site._replace(pointer=pointer)
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
        if (bodies, behind) != (self._site.bodies, self._site.behind):
            self._choice.first_pair()
        self._site = Site(pointer, place, bodies, behind)
        if not self._is_rod:
            self._choice.find_again(self.type, self._site)

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._apart is not None:
            self._join_apart("stay")
        elif self._site.place is not None and self._is_rod:
            self._press_rod(self._site.place)
        elif self._site.place is not None:
            # a drag to another body begins here
            self._pressed, self._drag_from = pointer, None
            if self._site.bodies and self._first is None:
                self._drag_from = (
                    (self._site.place, pointer.body or self._site.bodies[-1]),
                    self._axis(),
                )

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
        if not self._site.bodies or self._site.place is None:
            self.context.message = tr("There is no body here: click where one or two bodies meet.")
        else:
            self._place(*self._choice.ordered_pair(self.type, self._site), self._site.place.point)

    # ---- two places

    def _hold(self, pointer: Pointer) -> bool:
        """Keep the place of the first body and the axis there; whether there is one."""
        body = pointer.body or next((b for b in self._site.bodies), "")
        if self._site.place is None or not body:
            self.context.message = tr(
                "There is no body here: begin on a body, or on the ground's own shapes."
            )
            return False
        self._choice.held, self._first, self.context.message = (
            self._axis(),
            (self._site.place, body),
            "",
        )
        self.context.selection.select(body)
        return True

    def _drop(self, pointer: Pointer) -> None:
        """The end of a drag from one body to another."""
        if self._first is None and self._drag_from is not None:
            (self._first, self._choice.held), self._drag_from = self._drag_from, None
        self._second(pointer)
        if self._first is not None and self._apart is None and not self.finished:
            self._first = self._choice.held = None

    def _second(self, pointer: Pointer) -> None:
        """The place on the second body."""
        if self._first is None or self._site.place is None:
            return
        place, first = self._first
        second = pointer.body if pointer.body != first else ""
        second = second or next(
            (b for b in self._site.bodies if b != first),
            GROUND if first != GROUND and not self._site.bodies else "",
        )
        if not second:
            self.context.message = tr("A joint joins two bodies: go to a place of another body.")
        elif (
            distance(place.point, self._site.place.point)
            <= TOUCH * candidates_of(self.context.document.project.mechanism).size
        ):
            self._place(first, second, place.point)
        else:
            self._apart, self.context.message = (self._site.place, second), ""
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
        self._first = self._choice.held = self._apart = None
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
        body = self._site.bodies[0] if self._site.bodies else GROUND
        if self._first is None:
            self._first, self.context.message = (here, body), ""
            self._show()
            return
        start, other = self._first
        if other == body:
            body = next((b for b in self._site.bodies if b != other), body)
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
        if axis == plane.normal or self._choice.is_default_shaft(self.type):
            along = None
        elif not self._kind.slides_along_axis and any(
            id in m.bodies and (n := link_normal(m.bodies[id])) is not None and parallel(n, axis)
            for id in (a, b)
        ):
            plane, along = facing("", point, axis), None
        if not self._kind.has_axis and not self._choice.word:
            along = None
        project, joint = add_joint(
            project,
            plane,
            a,
            b,
            point,
            self.type,
            along,
            point_b,
            self._choice.quarters * math.pi / 2,
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
            self.type = letters[key]
            self._choice.reset()
            if not keeps:
                self._forget_places()
        elif key == "tab":
            self._choice.next_axis(self.type, self._site)
            self._listed = self._site.pointer
        elif key == "backtab":
            self._choice.next_pair()
            self._listed = self._site.pointer
        elif key == "X":
            self._choice.flip()
        elif key == "q":
            self._choice.turn()
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
        self._listed = self._site.pointer
        self._show()

    def _axis(self) -> Axis:
        """The chosen axis with its word."""
        return self._choice.axis(self.type, self._site)

    # ---- what is shown

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished or self._site.place is None:
            return
        m = self.context.document.project.mechanism
        self._aim.show(p)
        p.choices, p.marker, p.shape = (), self._site.place.point, self._site.place.shape
        if self._is_rod:
            self._show_rod(p)
        elif self._apart is not None:
            self._show_apart(p)
        elif self._first is not None or (self._drag_from is not None and self._moved_off()):
            place, body = self._first or self._drag_from[0]  # type: ignore[index]
            p.rubber = [(place.point, self._site.place.point)]
            p.marks = [(place.point, m.body(body).name)]
            p.lines = self._glyph(place.point)
            p.word = described(self._site.place) or (
                m.body(self._site.pointer.body).name
                if self._site.pointer is not None and self._site.pointer.body
                else "ground"
            )
        elif not self._site.bodies:
            p.word = tr("no body here")
        else:
            self._show_joint(p)
        self._say()

    def _moved_off(self) -> bool:
        return (
            self._pressed is not None
            and self._site.pointer is not None
            and self._dragged(self._pressed, self._site.pointer)
        )

    def _show_joint(self, p: Preview) -> None:
        m = self.context.document.project.mechanism
        assert self._site.place is not None
        pairs = self._choice.pairs(self._site)
        a, b = self._choice.ordered_pair(self.type, self._site)
        word, axis = self._axis()
        quarters = (
            tr(", turned {quarters} deg", quarters=90 * self._choice.quarters)
            if self._choice.quarters
            else ""
        )
        way = f" {word}{quarters}" if self._kind.has_axis or self._choice.word else ""
        p.word = f"{self._label()}{way}: {m.body(a).name} – {m.body(b).name}"
        plane, reach = self.context.plane, 0.14 * candidates_of(m).size
        p.rubber = axis_arrow(plane, self._site.place.point, axis, reach)
        p.lines = self._glyph(self._site.place.point)
        if self._listed is not None:
            axes = self._choice.axes(self.type, self._site) if self._kind.has_axis else []
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
                if len(self._site.bodies) + len(self._site.behind) > 1
                else []
            )
            p.choices = (*(w for w, _ in axes), *more) if len(axes) + len(more) > 1 else ()
            p.chosen = self._choice.place_in(axes)

    def _glyph(self, at: Triple) -> list[tuple[Triple, ...]]:
        return (
            []
            if self._kind.lies_on_floor
            else glyph_lines(
                self.context.document.project.mechanism,
                self.type,
                at,
                self._axis()[1],
                self._choice.quarters,
            )
        )

    def _show_rod(self, p: Preview) -> None:
        m = self.context.document.project.mechanism
        assert self._site.place is not None
        p.word = described(self._site.place) or (
            m.body(self._site.bodies[0]).name if self._site.bodies else "ground"
        )
        if self._first is not None:
            p.rubber = [(self._first[0].point, self._site.place.point)]
            p.marks = [(self._first[0].point, "")]
            p.label = format_value(
                distance(self._first[0].point, self._site.place.point),
                "length",
                self.context.units,
                4,
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
