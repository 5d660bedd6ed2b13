"""Rows and circles of the selection, shown while the pointer moves; numbers can be typed."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from mechstudio.application.tools.snapping.silhouette import middle
from mechstudio.application.tools.snapping.snap import angle_of, snap
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.edits.links import distance
from mechstudio.model.edits.patterns.movement import Movement
from mechstudio.model.edits.patterns.repetition import circle, repeated, row
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, plus, transform
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value
from mechstudio.translation import Words, comma, tr

MANY = 60  # new bodies from which on only their middles are shown: a scene of them takes too long


class Way(NamedTuple):
    """One kind of pattern.

    words: in an undo label.  fields: numbers that can be typed, the number of parts first.  usual:
    number of parts before one is typed.  hint: before the click that sets it.
    """

    words: Words
    fields: tuple[tuple[str, str], ...]
    usual: int
    hint: Words


WAYS: Mapping[str, Way] = {
    "row": Way(
        "in a row",
        (("parts", "number"), ("spacing", "length"), ("angle", "angle")),
        3,
        "Click where that point of the next part goes, or type parts, spacing, angle",
    ),
    "circle": Way(
        "in a circle",
        (("parts", "number"), ("angle", "angle")),
        6,
        "Click the centre, or type parts, angle between two",
    ),
}


class PatternTool(Tool):
    """A row takes two clicks, on a point of the part and where that point goes next; a circle one,
    on its centre.  What is typed comes before the pointer.
    """

    name = "pattern"

    def __init__(self, context: ToolContext, type: str = "row") -> None:
        super().__init__(context)
        self._chosen = tuple(context.selection.selected)
        self.type, self._way = type, WAYS[type]
        self._base: Triple | None = None
        self._at: Triple | None = None
        self._neighbours = True
        self.numbers = Numbers(context, *self._way.fields)
        self._say()

    @property
    def _ids(self) -> tuple[str, ...]:
        """Ids of the copied elements; an undo may have removed some of them."""
        m = self.context.document.project.mechanism
        return tuple(id for id in self._chosen if any(id in getattr(m, s) for s in SECTIONS))

    @property
    def _shows(self) -> bool:
        """True if the pointer, or what was typed, says where copies go."""
        return self.type == "circle" or self._base is not None or self.numbers.typed

    # events

    def move(self, pointer: Pointer) -> None:
        c = self.context
        found = snap(c.document.project, c.plane, c.grid, pointer, self._base)
        at = found.point if found is not None else pointer.point
        self._show(at, found.word if found is not None else "")

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._at is None:
            return
        if self._shows:
            self._commit()
        else:
            self._base = self._at
            self._show(self._at)

    def key(self, key: str) -> bool:
        if key == "enter":
            self._enter()
            return True
        if key == "escape" and self.numbers.typed:
            self.numbers.clear()
        elif key == "escape" and self._base is not None:
            self._base = None
        elif key == "j" and not self.numbers.typed:
            self._neighbours = not self._neighbours
        elif not self.numbers.key(key):
            return super().key(key)
        self._show(self._at)
        return True

    def keys(self) -> list[Key]:
        return [
            Key("Click", tr(self._way.hint)),
            Key("0–9 . ( =", comma().join(name for name, _ in self._way.fields), "1"),
            Key("Tab", tr("next number"), "tab"),
            Key("J", tr("with joints to neighbours, or without"), "j"),
            Key("Enter", tr("makes what is shown"), "enter"),
            Key("Ctrl", tr("no snapping")),
            STOP,
        ]

    def wants(self, key: str) -> bool:
        return key in ("tab", "enter", "escape", "j") or self.numbers.wants(key)

    @property
    def title(self) -> str:
        return tr("pattern")

    def _enter(self) -> None:
        if wrong := self.numbers.check():
            self.context.message = wrong
        elif self._shows and (self._at is not None or self.numbers.typed):
            self._commit()
        else:
            self.context.message = tr("Click a point of the part first, or type a spacing.")

    # what is made

    def _count(self) -> int:
        """Parts in all, as typed or as usual.  Raises ExpressionError for no whole number."""
        typed = self.numbers.value(0)
        if typed is None:
            return self._way.usual
        if typed.value != round(typed.value):
            raise ExpressionError(tr("A pattern has a whole number of parts: type one."))
        return int(typed.value)

    def _movements(self) -> list[Movement]:
        """Movements of the copies.  Raises ExpressionError for numbers that mean none."""
        plane, numbers = self.context.plane, self.numbers
        count = self._count()
        if self.type == "circle":
            angle = numbers.value(1)
            turn = 2 * math.pi / max(count, 1) if angle is None else angle.value
            return circle(count, self._center(), plane.normal, turn)
        spacing, angle = numbers.value(1), numbers.value(2)
        length, slope = self._pointed()
        slope = slope if angle is None else angle.value
        step = Quantity(length) if spacing is None else spacing
        if abs(step.value) <= 1e-9 * max(self.context.document.project.mechanism.size(), 1e-9):
            raise ExpressionError(
                tr("The copies would lie on the part: type a spacing, or click a place apart.")
            )
        u, v = math.cos(slope), math.sin(slope)
        u, v = (0.0 if abs(c) < 1e-15 else c for c in (u, v))
        way = plus((u * plane.u[0], u * plane.u[1], u * plane.u[2]), plane.v, v)
        return row(self.context.document.project, count, way, step)

    def _center(self) -> Triple:
        if self._at is None:
            raise ExpressionError(tr("Point at the centre first."))
        return self._at

    def _pointed(self) -> tuple[float, float]:
        """Length [m] and angle [rad] in the work plane from the first click to the pointer."""
        if self._base is None or self._at is None:
            return 0.0, 0.0
        plane = self.context.plane
        return (
            distance(self._base, self._at),
            math.radians(angle_of(plane, self._base, self._at))
            if distance(self._base, self._at) > 0
            else 0.0,
        )

    def _made(self) -> tuple[Project, list[dict[str, str]]]:
        return repeated(
            self.context.document.project, self._ids, self._movements(), self._neighbours
        )

    def _commit(self) -> None:
        if not self._ids:
            self.cancel()
            return
        try:
            count = self._count()
            project, copies = self._made()
        except ExpressionError as error:
            self.context.message = str(error)
            return
        m = self.context.document.project.mechanism
        names = [e.name for s in SECTIONS for id, e in getattr(m, s).items() if id in self._ids]
        self.cancel()
        label = tr(
            "Repeat {name}{word} {way}, {count} in all",
            name=comma().join(names[:3]),
            word=tr(" and more") if len(names) > 3 else "",
            way=tr(self._way.words),
            count=count,
        )
        self.context.document.commit(label, project)
        chosen = [*self._ids, *(new[id] for new in copies for id in self._ids if id in new)]
        self.context.selection.select(
            *(id for id in chosen if any(id in getattr(project.mechanism, s) for s in SECTIONS))
        )

    # what is shown

    def _show(self, at: Triple | None, word: str = "") -> None:
        self._at, self.preview, self.tentative = at, Preview(), None
        if self.finished:
            return
        p = self.preview
        p.marker, p.word = at, word
        if self.type == "row" and self._base is not None:
            p.marks = [(self._base, "")]
            if at is not None:
                p.rubber = [(self._base, at)]
        self.context.message = ""
        if self._shows and (at is not None or self.numbers.typed):
            self._show_copies(p)
        self._say()

    def _show_copies(self, p: Preview) -> None:
        try:
            movements = self._movements()
            bodies = len(set(self._ids) & self.context.document.project.mechanism.bodies.keys())
            if bodies * len(movements) < MANY:
                self.tentative = self._made()[0]
            else:
                here = middle(self.context.document.project.mechanism, self._ids)
                p.marks += [(transform(g.pose, here), "") for g in movements]
            shown = self._shown(len(movements) + 1)
        except ExpressionError as error:
            self.context.message = str(error)
            shown = ["–"] * len(self._way.fields)
        p.label = self.numbers.label(shown)

    def _shown(self, count: int) -> list[str]:
        """The numbers as the pointer gives them."""
        units = self.context.units
        length, slope = self._pointed()
        angle = 2 * math.pi / count if self.type == "circle" else slope
        degrees = format_value(math.radians(round(math.degrees(angle), 1)), "angle", units, 4)
        self.numbers.now = (
            (float(count), angle) if self.type == "circle" else (float(count), length, slope)
        )
        middle_texts = [] if self.type == "circle" else [format_value(length, "length", units, 4)]
        return [str(count), *middle_texts, degrees]

    def _say(self) -> None:
        joints = (
            tr("J leaves out joints to neighbours")
            if self._neighbours
            else tr("J makes joints to neighbours")
        )
        first = (
            tr("Click a point of the part, or type parts, spacing, angle")
            if self.type == "row" and self._base is None
            else tr(self._way.hint)
        )
        self.hint = tr(
            "{first} · {joints} · Enter takes what is shown · Esc stops", first=first, joints=joints
        )
