"""Draw links: click A, B, C, D, then Enter: three links; first and last points on empty plane
become ground pins.
"""

import math
from dataclasses import replace

from mechstudio.application.tools.bodies.link_chain import LinkChain
from mechstudio.application.tools.bodies.link_end import ANGLE, LENGTH, SPAN_KEY, LinkEnd, axis_loci
from mechstudio.application.tools.bodies.link_hint import ChainState, hint
from mechstudio.application.tools.bodies.link_joints import (
    Corner,
    ground_word,
    is_planar_pin,
    join,
    joint_types,
    link_letters,
    loop_of,
)
from mechstudio.application.tools.bodies.link_labels import (
    LEAST_LENGTH,
    LEAST_PIXELS,
    link_label,
    place_word,
)
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.snapping.aim import Aim, described
from mechstudio.application.tools.snapping.candidates import Snap, candidates_of
from mechstudio.application.tools.snapping.plane_choice import plane_under
from mechstudio.application.tools.snapping.snap import choices
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.bodies.stacking import in_free_layer
from mechstudio.model.edits.links import (
    add_link,
    distance,
)
from mechstudio.model.element_fields.bodies import shapes_problem
from mechstudio.model.findings import listed
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.model.geometry.work_plane import WorkPlane, unit
from mechstudio.model.mechanism import GROUND
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import Words, tr

SLOT: Words = "pin in a ground slot on Enter"  # of a slide that would make two links rigid
WORD_ROOM = 90.0  # pixels between two marks below which their words would touch


class LinkTool(Tool):
    """A chain of links.  Each click after the first commits one link, joined to the one before and
    to what was clicked.
    """

    name = "link"
    in_plane = True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.end = LinkEnd(context)
        self._aim = Aim(context)
        self.chain = LinkChain(context)
        self._type = ""  # of the joint of the next click, as chosen by a letter
        self._goes: tuple[WorkPlane, str] | None = (
            None  # the plane to which a first click here moves the work plane
        )
        self._toggled = False  # G: the next place is otherwise free or pinned than usual
        self._alt, self._pixel = False, 0.0
        self._say()

    # ---- where the pointer is

    @property
    def numbers(self) -> Numbers:
        """The numbers that are typed of the next end."""
        return self.end.numbers

    @property
    def begin(self) -> Triple | None:
        """Begin of the next link [m, W]; None before the first click."""
        return self._start.place.point if self._start is not None else None

    @property
    def to_pin(self) -> frozenset[str]:
        """Links with an end that Enter pins to the ground."""
        return self.chain.to_pin

    @property
    def _start(self) -> Corner | None:
        return self.chain.end.corner

    @property
    def _first(self) -> Triple | None:
        """The chain's first end; None before the first click."""
        first = self.chain.first
        return first.place.point if first is not None else None

    @property
    def _here(self) -> Snap | None:
        return self._aim.here

    def move(self, pointer: Pointer) -> None:
        self._goes = self._plane_for(pointer) if self._start is None else None
        if self._goes is not None:
            pointer = self._on(pointer, self._goes[0])
        plane = self._goes[0] if self._goes is not None else None
        self._aim.move(
            pointer,
            self._start.place.point if self._start else None,
            frozenset({self.chain.end.link} if self.chain.end.link else ()),
            self.chain.end.link,
            plane,
            axis_loci(plane or self.context.plane, self._first),
        )
        self._alt, self._pixel = pointer.alt, pointer.pixel
        self._show()

    def _plane_for(self, pointer: Pointer) -> tuple[WorkPlane, str] | None:
        """Plane of a chain that begins here, with its words; None to stay in the work plane."""
        c = self.context
        if pointer.eye is None:
            return None
        places = choices(c.document.project, c.plane, c.grid, pointer)
        return plane_under(c, pointer, places[0] if places else None)

    @staticmethod
    def _on(pointer: Pointer, plane: WorkPlane) -> Pointer:
        """The pointer as it is in another plane."""
        assert pointer.eye is not None
        return replace(pointer, point=on_plane(pointer.eye, pointer.x, pointer.y, plane))

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is None:
            return
        if self._goes is not None:
            self.context.plane = self._goes[0]
        if self.end.given:
            self._place_typed(pointer.alt)
        elif self._start is None:
            self._begin(self._here, pointer.alt)
        elif self._spans(self._start, self._here):
            self._place(self._here, "", pointer.alt)
        self._goes = None
        self._aim.forget()
        self._show()

    def _spans(self, start: Corner, here: Snap) -> bool:
        """True if a link between the two is long enough on the screen to be meant: a click beside
        the end that was just placed is none.
        """
        return distance(start.place.point, here.point) > LEAST_PIXELS * self._pixel

    def _begin(self, place: Snap, alt: bool) -> None:
        """The first end of the chain."""
        # from here on the place is one of the plane that is drawn in
        off = abs(self.context.plane.height(place.point)) > 1e-9
        self.chain.begin(Corner(replace(place, off=off), self._type), alt or self._toggled)
        self._type, self._toggled = "", False
        self._sync()

    def _sync(self) -> None:
        """Let what is typed and held be about the chain's next end from now on."""
        self.end.reset()
        self.end.start = self._start.place.point if self._start is not None else None
        self.end.first = self._first

    # ---- keys

    def key(self, key: str) -> bool:
        typed = self.end.typing
        if key == "enter" and (typed or self.end.given):
            self._place_typed(False)
        elif key == "enter":
            self._finish()
        elif key == "escape" and (typed or self.end.given):
            self.end.reset()
        elif key == "escape" and self._type:
            self._type = ""
        elif key == "escape":
            self.cancel()
        elif key in ("tab", "backtab") and not typed:
            self._aim.next(1 if key == "tab" else -1)
        elif key == "g" and not typed:
            self._toggled = not self._toggled
        elif key in link_letters() and not typed and self._joins():
            self._type = "" if self._type == link_letters()[key] else link_letters()[key]
        elif key == "k" and not typed and self._here is not None:
            self.context.message = self.end.hold((self._here, *self._aim.places))
        elif not self.end.key(key):
            return False
        self._show()
        return True

    def keys(self) -> list[Key]:
        out = [
            Key("Click", tr("an end of a link")),
            Key("Enter", tr("pins the open ends to the ground"), "enter"),
            Key("Tab", tr("next place that could catch it"), "tab"),
        ]
        if self._start is not None:
            out += [
                Key("0–9 . ( =", tr("length, angle"), "1"),
                Key("D", tr("distance from the first pin"), "d"),
                Key("Shift", tr("holds the direction")),
            ]
        if axes := self._axes():
            out.append(Key(" ".join(axes).upper(), tr("coordinates of the end"), axes[0]))
        out.append(Key("K", tr("keeps to the line or circle that caught it"), "k"))
        if self._joins():
            out += [
                Key(letter.upper(), tr("{link} here", link=tr(JOINT_TYPES[type].link)), letter)
                for letter, type in link_letters().items()
            ]
        return [
            *out,
            Key("Ctrl", tr("no snapping")),
            Key("G", tr("end free of the ground, or pinned to it"), "g"),
            Key("Alt", tr("leaves the end free of the ground")),
            STOP,
        ]

    def _axes(self) -> tuple[str, ...]:
        """Letters that begin a coordinate of the next end."""
        return tuple(k for k in self.end.letters() if k != SPAN_KEY)

    def wants(self, key: str) -> bool:
        if key in ("escape", "enter", "tab", "backtab"):
            return True
        own = key in ("g", "k") or (key in link_letters() and self._joins())
        return (own and not self.end.typing) or self.end.wants(key)

    def _joins(self) -> bool:
        """True if the next click makes a joint, now or with the next link; else the letters are
        shortcuts.
        """
        return self._start is not None or (self._here is not None and bool(self._here.body))

    def linger(self) -> None:
        self._aim.linger()
        self._show()

    def regain(self, ids: frozenset[str]) -> None:
        """A redo: the chain goes on from the end that is there again."""
        if self.chain.regain(ids):
            self._go_on()

    def lose(self, ids: frozenset[str]) -> bool:
        """The chain goes on from the last end that is still there."""
        if not self.chain.lose(ids):
            return False
        self._go_on()
        return True

    def _go_on(self) -> None:
        self._sync()
        self._aim.places = []
        self._show()

    # ---- what is drawn

    def _target(self) -> Snap | None:
        """End of the next link: at the pointer, or as far and in the direction as typed so far;
        None where the pointer has no place.
        """
        here, start, self._clash = self._here, self._start, False
        if here is None:
            return here
        self.end.now(here.point)
        if not self.end.given:
            return here
        if self.end.is_plain and start is not None:
            length, angle = self.numbers.sofar(LENGTH), self.numbers.sofar(ANGLE)
            return self._typed_end(start.place.point, here, length, angle) or here
        try:
            return self.end.place(here.point, False, self.chain.end.link)
        except expression.ExpressionError:
            self._clash = True
            return None

    def _typed_end(self, a: Triple, here: Snap, length, angle) -> Snap | None:
        """The place at a length and an angle of the plane, each a quantity or None for the
        pointer's; None without a direction.
        """
        plane, span = self.context.plane, distance(a, here.point)
        way = unit(minus(here.point, a))  # type: ignore[arg-type]
        if angle is not None:
            way = tuple(
                math.cos(angle.value) * u + math.sin(angle.value) * v
                for u, v in zip(plane.u, plane.v)
            )  # type: ignore[assignment]
        if way is None:
            return None
        reach = span if length is None else length.value
        end: Triple = plus(a, way, reach)  # type: ignore[assignment]
        return self.end.caught(end, self.chain.end.link)

    def _place_typed(self, alt: bool) -> None:
        """The next end exactly where what is typed and held says."""
        if self._here is None:
            return
        here, start = self._here, self._start
        try:
            length = self.end.length()
            if length is not None and length.value <= 0:
                raise expression.ExpressionError(
                    tr("A link needs a length above zero: type a positive number.")
                )
            if self.end.is_plain and start is not None:
                angle = self.numbers.value(ANGLE)
                end = self._typed_end(start.place.point, here, length, angle)
            else:
                end = self.end.place(here.point, True, self.chain.end.link)
        except expression.ExpressionError as error:
            self.context.message = str(error)
            return
        if end is None:
            self.context.message = tr(
                "Point in a direction first, or type it after a comma as in 120, 30; then press "
                "Enter."
            )
            return
        self.context.message = ""
        if start is None:
            self._begin(end, alt)
        elif distance(start.place.point, end.point) < LEAST_LENGTH:
            self.context.message = tr(
                "The end lies on the link's start: type other numbers, or point elsewhere."
            )
        else:
            # a text is kept only where it is the link's length
            span = distance(start.place.point, end.point)
            kept = length is not None and abs(length.value - span) <= 1e-9 * span
            self._place(end, length.text if kept and length is not None else "", alt)

    def _place(self, end: Snap, length_text: str, alt: bool) -> None:
        """Commit one link from the chain's end to `end` with its joints."""
        start, plane = self._start, self.context.plane
        assert start is not None
        a, way = start.place.point, unit(minus(end.point, start.place.point))
        if way is None or distance(a, end.point) < LEAST_LENGTH:
            return
        corner = Corner(end, self._type)
        first = replace(
            start, place=replace(start.place, body=self.chain.end.link or start.place.body)
        )
        project = self.context.document.project
        joints: list[str] = []
        types = joint_types(project.mechanism, plane, first, corner)
        # a rod between two balls lies in no layer; one with a pin lies beside the body at that pin
        beside = tuple(
            c.place.body
            for c, type in zip((first, corner), types)
            if c.place.body and type != "spherical"
        )
        units = self.context.units
        project, link = add_link(project, plane, a, end.point, beside, length_text, units)
        if reason := shapes_problem(project.mechanism.bodies[link].shapes):
            self.context.message = reason
            return
        if first.place.body:
            project, joint = join(
                project, plane, types[0], first.place.body, link, first.place, way
            )
            joints.append(joint)
        if end.body and end.body != link:
            project, joint = join(project, plane, types[1], link, end.body, end, way)
            joints.append(joint)
        project = in_free_layer(project, link)
        name = project.mechanism.bodies[link].name
        length = format_value(distance(a, end.point), "length", self.context.units, 4)
        # another way than what an undo took back
        self.chain.forget_undone()
        self.context.document.commit(tr("Draw {name} {length}", name=name, length=length), project)
        self.context.selection.select(link)
        self.chain.add(corner, link, joints, way, bool(end.body), alt, self._toggled)
        self._type, self._toggled = "", False
        self._sync()
        self.context.message = ""

    _clash = False  # what is typed and held leaves no place

    @property
    def _pins_last(self) -> bool:
        """True if Enter pins the chain's last end to the ground now."""
        return self.chain.pins_last(self._toggled)

    def _finish(self) -> None:
        """Enter: ground pins at the chain's first and last points where they lie on empty plane; a
        link alone swings on the first, unless G chose both.
        """
        if self.chain.links:
            project, names = self.chain.pinned(self.context.document.project, self._toggled)
            if names:
                pinned = listed(list(dict.fromkeys(names)))
                self.context.document.commit(tr("Pin {names} to ground", names=pinned), project)
        self.cancel()

    # ---- what is shown

    def _show(self) -> None:
        """The preview for the pointer's place."""
        p = self.preview = Preview()
        if self.finished:
            return
        self._aim.show(p)
        here, start = self._target(), self._start
        p.lines = self.end.lines(candidates_of(self.context.document.project.mechanism).size)
        if self._clash:
            p.word = tr("no such place")
            p.label = self.end.label(self._here.point)  # type: ignore[union-attr]
            p.choices = ()
        for corner, _, way in self.chain.end.open:
            p.marks.append((corner.place.point, ground_word(self.chain.ground_type(corner, way))))
        if self.chain.links == 1 and self._pins_last and self._start is not None:
            word = ground_word(self.chain.ground_type(self._start, self.chain.end.way))
            p.marks.append((self._start.place.point, word))
        if here is not None and start is not None and self._spans(start, here):
            self._show_link(p, start, here)
        elif here is not None:
            self._show_point(p, here)
        if self.end.typing and here is not None and not p.segments:
            # before the first click, or so near the start that no link is seen yet
            p.marker, p.label = here.point, self.end.label(here.point)
            p.word = p.word if start is None else ""
        self._say()

    def _show_point(self, p: Preview, here: Snap) -> None:
        """Before the first end of a link."""
        if here.body:
            words = place_word(self.context, here)
            p.word = (
                tr("{link} on {words}", link=tr(JOINT_TYPES[self._type].link), words=words)
                if self._type
                else words
                if here.word
                else tr("pin on {words}", words=words)
            )
        elif (
            not (self._alt or self._toggled)
            if self._start is None
            else self._pins_last
            if self.chain.end.link
            else not self.chain.end.free_first
        ):
            # where the pointer rests after a click it is the end that was clicked, and a letter
            # means the next one
            if self._start is not None and self._type:
                p.word = tr("{link} at the next end", link=tr(JOINT_TYPES[self._type].link))
            p.marks.append(
                (
                    here.point,
                    ground_word(
                        self.chain.ground_type(self._start, self.chain.end.way)
                        if self._start is not None
                        else self._type or "revolute"
                    ),
                )
            )
        if self._goes is not None:
            plane, word = self._goes
            p.word = (
                word
                if here.word in ("", "grid") or here.word.startswith("on ")
                else f"{described(here)} · {word}"
            )
            half = 6 * 12 * self._pixel / 2
            u, v = plane.to_plane(here.point)
            p.areas = [
                tuple(
                    plane.to_world(u + a * half, v + b * half)
                    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                )
            ]

    def _show_link(self, p: Preview, start: Corner, here: Snap) -> None:
        m, plane = self.context.document.project.mechanism, self.context.plane
        first = replace(
            start, place=replace(start.place, body=self.chain.end.link or start.place.body)
        )
        types = joint_types(m, plane, first, Corner(here, self._type))
        p.segments = [(start.place.point, here.point)]
        if self.end.given:
            # the end stands off the pointer: its words stand there, and what caught that is nothing
            p.marker, p.word, p.shape, p.rubber, p.choices = here.point, "", "ring", [], ()
        p.label = link_label(self.context, self.end, self.chain.links == 0, start.place.point, here)
        if here.body:
            special = types[1] != "revolute" or self._type
            p.word = (
                tr(
                    "{link} on {place_word}",
                    link=tr(JOINT_TYPES[types[1]].link),
                    place_word=place_word(self.context, here),
                )
                if special or not here.word or here.word.startswith("on ")
                else described(here)
            )
            size = loop_of(
                m, first.place.body or (GROUND if not self.chain.end.free_first else ""), here.body
            )
            if 0 < size <= 3 and all(map(is_planar_pin, types)):
                p.word += (
                    tr(" · a loop of three is rigid")
                    if size == 3
                    else tr(" · both ends on one body are rigid")
                )
        elif self._type:
            p.word = tr("{link} at the next link", link=tr(JOINT_TYPES[self._type].link)) + (
                f" · {p.word}" if p.word else ""
            )
        if first.place.body:
            if types[0] != "revolute" or start.type:
                p.marks.append(
                    (
                        start.place.point,
                        tr(
                            "{link} on {body}",
                            link=tr(JOINT_TYPES[types[0]].link),
                            body=m.body(first.place.body).name,
                        ),
                    )
                )
        elif not self.chain.end.free_first:
            p.marks.append((start.place.point, ground_word(types[0])))
        if not here.body and self.chain.pins(
            not self.chain.end.link, self._alt, self._toggled, self._type
        ):
            # the word stands at the pointer; a mark close by keeps its ring only
            near = WORD_ROOM * self._pixel
            p.marks = [
                (point, "" if distance(point, here.point) < near else text)
                for point, text in p.marks
            ]
            slot = types[1] == "prismatic" and self.chain.is_slider_crank(1)
            word = tr(SLOT) if slot else ground_word(types[1])
            if self.end.given:
                p.word, word = word, ""
            p.marks.append((here.point, word))

    def _say(self) -> None:
        end = self.chain.end
        pinned_once = bool(end.open) and not end.joined
        self.hint = hint(
            ChainState(
                links=self.chain.links if self._start is not None else None,
                joins=self._joins(),
                axes=self._axes(),
                slides=self.chain.slides,
                rigid=len(end.joints) == 1 and len(end.open) == 1 and pinned_once,
                swings=pinned_once and self.chain.links == 1,
                pins_last=self._pins_last,
            )
        )
