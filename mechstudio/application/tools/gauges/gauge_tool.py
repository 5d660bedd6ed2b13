"""Measure: click two things, or one and Enter, and a gauge stays on them."""

import math

from mechstudio.application.tools.gauges.features import Found, features_at
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.curves.gauges.reading import drawn_poses, radius_of, reading
from mechstudio.model.edits.gauges.gauges import add_gauge
from mechstudio.model.edits.links import frame_at, link_ends
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Feature, Gauge
from mechstudio.model.types.gauges import (
    ANGLE,
    AXIS,
    BODY,
    DIRECTED,
    DISTANCE,
    GAUGE_TYPES,
    POINT,
    RADIUS,
    fitting,
    takes,
)
from mechstudio.model.units import format_value
from mechstudio.translation import tr

PARALLEL = 1e-6  # rad, within which two directions are measured by their distance


class GaugeTool(Tool):
    """Click a point, an axis, a face or a body, then another one; Tab takes the next thing under
    the pointer, and a letter another kind of measure.
    """

    name = "measure"

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._first: Found | None = None
        self._under: list[Found] = []  # things at the pointer that go with the first one
        self._at = 0  # which of them
        self._type = ""  # that a letter has chosen, "" for the usual one
        self._show()

    # what is meant

    @property
    def _here(self) -> Found | None:
        return self._under[self._at % len(self._under)] if self._under else None

    def _ends(self) -> tuple[Feature, ...]:
        both = (self._first, self._here)
        return tuple(found.feature for found in both if found is not None)

    def _meant(self, ends: tuple[Feature, ...]) -> str:
        """The type of gauge that is meant between two features."""
        kinds = tuple(end.kind for end in ends)
        if self._type and takes(self._type, kinds):
            return self._type
        if all(kind in DIRECTED for kind in kinds) and takes(ANGLE, kinds):
            angle = self._value(ANGLE, ends)
            apart = abs(angle) if angle is not None else 0.0
            if min(apart, abs(math.pi - apart)) > PARALLEL:
                return ANGLE
        return next(iter(fitting(kinds)), "")

    def _value(self, type: str, ends: tuple[Feature, ...]) -> float | None:
        m = self.context.document.project.mechanism
        found = reading(m, Gauge("", "", type, ends), drawn_poses(m))
        return None if found is None else float(found.values[0])

    # events

    def move(self, pointer: Pointer) -> None:
        before = self._here
        found = features_at(self.context, pointer)
        if self._first is not None:
            kind = self._first.feature.kind
            found = [f for f in found if fitting((kind, f.feature.kind))]
            found = [f for f in found if f.feature != self._first.feature]
        same = [f.words for f in found] == [f.words for f in self._under]
        self._under = found
        if not same:
            words = before.words if before is not None else ""
            self._at = next((k for k, f in enumerate(found) if f.words == words), 0)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        here = self._here
        if here is None:
            self.context.message = (
                tr("Neither a point nor a body is here.")
                if self._first is None
                else tr(
                    "Nothing here goes with {first}: Tab takes another thing, Esc starts again.",
                    first=self._first.words,
                )
            )
        elif self._first is None:
            self._first, self._under, self._at = here, [], 0
            self.context.message = ""
        else:
            ends = self._ends()
            self._put(self._meant(ends), ends)
        self._show()

    def key(self, key: str) -> bool:
        if key == "escape" and self._first is not None:
            self._begin()
        elif key == "escape":
            self.cancel()
        elif key in ("tab", "backtab") and self._under:
            self._at = (self._at + (1 if key == "tab" else -1)) % len(self._under)
        elif key == "enter" and (one := self._first or self._here) is not None:
            self._put_alone(one)
        elif type := self._lettered(key):
            self._type = "" if type == self._type else type
        else:
            return False
        self._show()
        return True

    def _lettered(self, key: str) -> str:
        """The type of gauge that a letter chooses; "" for none."""
        return next((t for t, kind in GAUGE_TYPES.items() if kind.letter == key.lower()), "")

    def keys(self) -> list[Key]:
        first = self._first is not None
        return [
            Key("Click", tr("the second thing") if first else tr("the first thing")),
            Key("Tab", tr("another thing here"), "tab"),
            Key("Enter", tr("measures it alone"), "enter"),
            *(
                Key(kind.letter.upper(), tr(kind.label), kind.letter)
                for kind in GAUGE_TYPES.values()
            ),
            STOP,
        ]

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter", "tab", "backtab") or bool(self._lettered(key))

    def lose(self, ids: frozenset[str]) -> bool:
        self._begin()
        return True

    # gauges

    def _put_alone(self, one: Found) -> None:
        """The length of a link, or the radius of a round body."""
        m = self.context.document.project.mechanism
        frame = one.feature.frame
        body = m.body(frame.body) if frame is not None else None
        ends = link_ends(body) if body is not None else None
        if body is not None and ends is not None and one.feature.kind in (AXIS, BODY):
            attitude, near = body.placement.quaternion, 1e-9 * max(m.size(), 1e-6)
            a, b = (Feature(POINT, frame_at(m, body.id, p, attitude, near)) for p in ends)
            self._put(DISTANCE, (a, b))
        elif body is not None and one.feature.kind == BODY and radius_of(m, body.id):
            type = self._type if self._type and takes(self._type, (BODY,)) else RADIUS
            self._put(type, (one.feature,))
        else:
            self.context.message = tr(
                "{one} alone has no length and no radius: click a second thing.", one=one.words
            )

    def _put(self, type: str, ends: tuple[Feature, ...]) -> None:
        try:
            project, id = add_gauge(self.context.document.project, type, ends)
        except ExpressionError as error:
            self.context.message = str(error)
            return
        self._begin()
        self.context.message = ""
        gauge = project.gauges[id]
        label = tr("Measure {kind} {name}", kind=tr(GAUGE_TYPES[type].label), name=gauge.name)
        self.context.document.commit(label, project)
        self.context.selection.select(id)

    def _begin(self) -> None:
        self._first, self._under, self._at = None, [], 0

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished:
            return
        first, here = self._first, self._here
        for found in (first, here):
            if found is None:
                continue
            if found.line is not None:
                p.lines.append(found.line)
            p.marks.append((found.at, ""))
        if here is not None:
            p.marker, p.word = here.at, here.words
            p.choices = tuple(f.words for f in self._under) if len(self._under) > 1 else ()
            p.chosen = self._at % len(self._under)
        self.hint = (
            tr("Click a point, a link, a face or a body · Enter measures it alone · Esc stops")
            if first is None
            else tr("{first}: click the second thing · Esc starts again", first=first.words)
        )
        if first is None or here is None:
            return
        ends = self._ends()
        type = self._meant(ends)
        p.label = self._words(type, ends)
        p.rubber.append((first.at, here.at))

    def _words(self, type: str, ends: tuple[Feature, ...]) -> str:
        """The kind of measure and its value as drawn."""
        kind = GAUGE_TYPES[type]
        value = self._value(type, ends)
        said = (
            tr("least distance")
            if value is None
            else format_value(value, kind.dimension, self.context.units, 5)
        )
        return f"{tr(kind.label)}  {said}" if value is not None else said
