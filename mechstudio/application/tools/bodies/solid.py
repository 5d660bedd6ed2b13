"""Draw solids: a few clicks or typed numbers make a box, wheel, sphere, ellipsoid, cylinder,
capsule, cone, plate or bar, alone or as part of a body.
"""

import dataclasses
import itertools
import math

from mechstudio.application.tools.bodies.solid_owner import Owner
from mechstudio.application.tools.bodies.solid_sizes import PointedSizes
from mechstudio.application.tools.bodies.solid_stages import (
    LETTERS,
    Drawn,
    Stage,
    default_size,
    kind_name,
    solid,
    stages,
)
from mechstudio.application.tools.bodies.wires import wires
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.snapping.faces import axis_letters, face_plane
from mechstudio.application.tools.snapping.snap import REACH, Snap, choices
from mechstudio.application.tools.tool import Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.bodies.shapes import sensible_length
from mechstudio.model.edits.bodies.solids import Solid
from mechstudio.model.edits.links import WorkPlane, distance
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value
from mechstudio.translation import tr

# bodies from which on outlines are shown instead of the solid itself: building the scene takes
# longer than a redraw
MANY = 60


class SolidTool(Tool):
    """Stage by stage (solid_stages.py) the pointer or typed numbers settle a solid; `tentative`
    shows it as Enter would make it.

    A first click on a face draws on that face.  onto: a body of which the solid shall become part.
    """

    name = "solid"
    in_plane = True
    repeats = True
    changing = ("type",)

    def __init__(self, context: ToolContext, type: str = "box", onto: str = "") -> None:
        super().__init__(context)
        self.type, self.owner = type, Owner(context, onto)
        self._faces = not context.locked  # whether faces are drawn on, as F chose
        self._plane: WorkPlane = context.plane
        self._points: list[Triple] = []
        self._sizes: dict[str, Quantity] = {}
        self._way = (1.0, 1.0)
        self._pointer: Pointer | None = None
        self._here: Snap | None = None
        self._begun = (math.inf, math.inf)  # pixel at which the present stage began
        self._foot: Triple | None = None  # where the last click was
        self._go(0)
        self._show()

    # what stage it is

    @property
    def _stage(self) -> Stage:
        return stages(self.type)[self._index]

    def _go(self, index: int) -> None:
        """Begin a stage."""
        self._index = index
        names = axis_letters(self._plane)
        fields = (
            [(name, "length") for name in names]
            if index == 0
            else [(shown, dimension) for _, shown, dimension in self._stage.numbers]
        )
        self.numbers = Numbers(self.context, *fields)
        if self._pointer is not None:
            self._begun = (self._pointer.x, self._pointer.y)

    # events

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        if self._index == 0:
            self._choose_plane(pointer)
        self._here = self._snapped(pointer)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is not None:
            self._advance()
            self._show()

    def key(self, key: str) -> bool:
        if key == "enter":
            self._enter()
        elif key == "escape":
            self._back()
        elif not self.numbers.typed and key in LETTERS:
            self._retype(LETTERS[key])
        elif not self.numbers.typed and key == "a":
            self.owner.toggle()
        elif not self.numbers.typed and key == "f" and self._index == 0:
            self._faces = not self._faces
            if self._pointer is not None:
                self.move(self._pointer)
        elif not self.numbers.key(key):
            return False
        self._show()
        return True

    def keys(self) -> list[Key]:
        out = [
            Key("Click", tr("the next point")),
            Key("Enter", tr("takes the rest as shown"), "enter"),
            Key("Tab", tr("next number"), "tab"),
            Key("0–9 . ( =", tr("the number itself"), "1"),
        ]
        out += [
            Key(k.upper(), kind_name(type), k) for k, type in LETTERS.items() if self._retypes(k)
        ]
        out.append(Key("A", tr("part of the selected body, or a body of its own"), "a"))
        if self._index == 0:
            out.append(Key("F", tr("stands on faces, or in the work plane"), "f"))
        return [
            *out,
            Key("Ctrl", tr("no snapping")),
            Key("Esc", tr("steps back") if self._index else "stops", "escape"),
        ]

    def wants(self, key: str) -> bool:
        return (
            key in ("escape", "enter", "tab")
            or self.numbers.wants(key)
            or self._retypes(key)
            or key in "af"
        )

    def _retypes(self, key: str) -> bool:
        """True if a key is the letter of a type, and not of the one that is about to be drawn."""
        return key in LETTERS and (LETTERS[key] != self.type or self._index > 0)

    def _retype(self, type: str) -> None:
        """Another kind of solid, from the same first point."""
        self.type = type
        self._points, self._sizes = self._points[:1], {}
        self._go(min(self._index, 1))

    def _back(self) -> None:
        """Escape: what was typed, else the last click, else the tool."""
        self.context.message = ""
        if self.numbers.typed:
            self.numbers.clear()
        elif self._index == 0:
            self.cancel()
        elif self._stage.kind == "corners" and len(self._points) > 1:
            self._points.pop()
        else:
            for name, _, _ in stages(self.type)[self._index - 1].numbers:
                self._sizes.pop(name, None)
            if stages(self.type)[self._index - 1].kind in ("start", "end"):
                self._points.pop()
            self._go(self._index - 1)

    def _enter(self) -> None:
        """Take what was typed and go on; with nothing typed, take everything as it is shown."""
        if wrong := self.numbers.check():
            self.context.message = wrong
            return
        if self.numbers.typed:
            self._advance()
        elif self._index == 0:
            self._commit(
                solids.default(
                    self.type,
                    self.context.plane,
                    self._center(),
                    sensible_length(self.context.document.project.mechanism),
                )
            )
        elif self._stage.kind == "corners":
            self._close()
        else:
            self._finish()

    def _center(self) -> Triple:
        """The node of the grid nearest to the centre of the view."""
        plane, grid = self.context.plane, self.context.grid
        return plane.to_world(
            *(round(c / grid) * grid for c in plane.to_plane(self.context.target or plane.origin))
        )

    # where it is drawn

    def _choose_plane(self, pointer: Pointer) -> None:
        """The face under the pointer, else the work plane."""
        self.owner.alt, self.owner.face, self._plane = pointer.alt, "", self.context.plane
        if (
            self._faces
            and not pointer.ctrl
            and pointer.body
            and pointer.surface is not None
            and pointer.normal is not None
        ):
            self.owner.face = pointer.body
            self._plane = face_plane(
                self.context.plane, pointer.surface, pointer.normal, self.owner.name(pointer.body)
            )

    def _snapped(self, pointer: Pointer) -> Snap | None:
        """Place of the pointer in the plane of the drawing, snapped to near features."""
        point, pixel = pointer.point, pointer.pixel
        if pointer.eye is not None:
            point = on_plane(pointer.eye, pointer.x, pointer.y, self._plane)
            pixel = pointer.eye.pixel_size(point) if point is not None else pixel
        directed = self._stage.kind in ("end", "corners")
        here = dataclasses.replace(
            pointer, point=point, pixel=pixel, body="", shift=pointer.shift and directed
        )
        found = choices(
            self.context.document.project,
            self._plane,
            self.context.grid,
            here,
            self._points[-1] if directed else None,
            frozenset(self._points[:1]) if self._stage.kind == "corner" else frozenset(),
        )
        return next((s for s in found if not s.off), None)

    # what the pointer and the typed numbers say

    def _measured(self) -> dict[str, float]:
        """Numbers of the stage as the pointer gives them [m, rad]; empty until it has moved."""
        if self._here is None or self._pointer is None or self._index == 0:
            return {}
        pointed = PointedSizes(
            self._stage,
            self._plane,
            bool(self.owner.face),
            tuple(self._points),
            self._here,
            self._pointer,
            self._begun,
            self._foot,
            self.context.units,
        )
        return pointed.measured(self._default)

    def _now(self) -> tuple[dict[str, Quantity], tuple[float, float], Triple | None]:
        """(sizes of the present stage, way of the opposite corner, next point), the typed numbers
        before the pointer's.
        """
        measured, way, point = self._measured(), self._way, None
        sizes = {name: Quantity(value) for name, value in measured.items()}
        if self._stage.kind == "corner":
            sign = lambda name: math.copysign(1.0, measured.get(name, 1.0))
            way = (sign("width"), sign("height"))
            sizes = {name: Quantity(abs(value)) for name, value in measured.items()}
        for k, (name, _, _) in enumerate(self._stage.numbers):
            typed = self.numbers.sofar(k)
            if typed is not None:
                sizes[name] = typed
                if typed.value < 0 and self._stage.kind == "corner":
                    way = (-way[0], way[1]) if k == 0 else (way[0], -way[1])
        if self._stage.kind in ("end", "corners") and "length" in sizes:
            angle, length = sizes.get("angle", Quantity(0.0)).value, sizes["length"].value
            u, v = self._plane.to_plane(self._points[-1])
            point = self._plane.to_world(u + length * math.cos(angle), v + length * math.sin(angle))
            if self._here is not None and distance(point, self._here.point) < 1e-12:
                point = self._here.point
        return sizes, way, point

    def _drawn(
        self,
        sizes: dict[str, Quantity],
        way: tuple[float, float] = (1.0, 1.0),
        point: Triple | None = None,
    ) -> Drawn:
        points = (*self._points, point) if point is not None else tuple(self._points)
        return Drawn(self._plane, bool(self.owner.face), points, self._sizes | sizes, way)

    def _solid(self) -> Solid | None:
        """Solid that Enter would make now; None where that is nothing yet."""
        if self._index == 0 or (self._stage.kind == "corners" and len(self._points) < 2):
            return None
        sizes, way, point = self._now()
        if self._index == 1 and not sizes:
            return None
        if self._stage.kind == "corners" and self._closes():
            point = None
        try:
            return solid(self.context.document.project, self.type, self._drawn(sizes, way, point))
        except ExpressionError:
            return None

    # steps forward

    def _advance(self) -> None:
        """The stage is settled by the pointer and what was typed."""
        self.context.message = ""
        kind = self._stage.kind
        if kind == "start":
            self._begin()
            return
        if kind == "corners" and self._closes() and not self.numbers.typed:
            self._close()
            return
        sizes, way, point = self._now()
        nothing = next(
            (
                shown
                for name, shown, dimension in self._stage.numbers
                if dimension == "length" and name in sizes and not abs(sizes[name].value) > 1e-12
            ),
            "",
        )
        if nothing or (
            kind in ("radius", "off", "across") and any(q.value < 0 for q in sizes.values())
        ):
            self.context.message = tr(
                "The {nothing} must be above zero: move away or type another number.",
                nothing=nothing or self._stage.numbers[0][1],
            )
            return
        if not sizes and kind != "across" and kind != "off":
            return  # a second click at the same place
        if kind == "corners" and point is not None:
            self._points.append(point)
            self._go(self._index)
            return
        self._sizes |= sizes
        if kind == "corner":
            self._way = way
        elif kind == "end" and point is not None:
            self._points.append(point)
        self._foot = self._here.point if self._here is not None else self._points[-1]
        if self._index + 1 < len(stages(self.type)):
            self._go(self._index + 1)
        else:
            self._finish()

    def _begin(self) -> None:
        """The first point, clicked or typed."""
        typed = [self.numbers.sofar(k) for k in range(2)]
        if any(typed):
            self.owner.face, self._plane = "", self.context.plane
            at = self._plane.to_plane(
                self._here.point if self._here is not None else self._plane.origin
            )
            self._points = [
                self._plane.to_world(*(c if q is None else q.value for c, q in zip(at, typed)))
            ]
        elif self._here is not None:
            self._points = [self._here.point]
        self._foot = self._points[0]
        self._go(1)

    def _closes(self) -> bool:
        """True if the pointer is at the first corner of a plate that has enough corners."""
        return (
            self._here is not None
            and self._pointer is not None
            and len(self._points) > 2
            and distance(self._here.point, self._points[0]) <= REACH * self._pointer.pixel
        )

    def _close(self) -> None:
        """The outline of a plate is complete."""
        try:
            solid(self.context.document.project, self.type, self._drawn({}))
        except ExpressionError as error:
            self.context.message = str(error)
            return
        if len(self._points) < 3:
            self.context.message = tr("A plate has at least three corners: click one more.")
            return
        self.context.message, self._foot = "", self._points[-1]
        self._go(self._index + 1)

    def _finish(self) -> None:
        """Make it, with defaults for what was not said."""
        sizes, way, point = ({}, self._way, None) if self._settled else self._now()
        try:
            made = solid(
                self.context.document.project,
                self.type,
                self._drawn(sizes, self._way if "width" not in sizes else way, point),
            )
        except ExpressionError as error:
            self.context.message = str(error)
            return
        self._commit(made)

    @property
    def _settled(self) -> bool:
        """True if the present stage's numbers are taken already."""
        return all(name in self._sizes for name, _, _ in self._stage.numbers)

    def _commit(self, made: Solid) -> None:
        self.complete(*self.owner.with_solid(self.type, made))

    # what is shown

    def _show(self) -> None:
        p = self.preview = Preview()
        self.tentative = None
        if self.finished:
            return
        here, sizes = self._here, self._now()[0]
        made = self._solid()
        if made is not None and len(self.context.document.project.mechanism.bodies) < MANY:
            self.tentative = self.owner.with_solid(self.type, made)[1]
        elif made is not None:
            p.rubber = wires(made)
        self._show_helpers(p)
        shown = []
        for name, _, dimension in self._stage.numbers:
            value = sizes[name].value if name in sizes else self._default(name)
            shown.append(
                format_value(
                    abs(value)
                    if dimension == "length"
                    else math.radians(round(math.degrees(value), 1)),
                    dimension,
                    self.context.units,
                    4,
                )
            )
        whole = self.owner.words
        if self._index == 0:
            if here is not None:
                p.marker, p.word = (
                    here.point,
                    " · ".join(
                        filter(
                            None,
                            (kind_name(self.type), here.word if here.word != "grid" else "", whole),
                        )
                    ),
                )
                p.shape = here.shape
            p.label = self.numbers.label(["–", "–"]) if self.numbers.typed else ""
        else:
            p.label = self.numbers.label(shown) + (f"   {whole}" if self.owner.is_part else "")
            if here is not None and self._stage.kind not in ("across",):
                p.marker, p.word, p.shape = (
                    here.point,
                    here.word if here.word != "grid" else "",
                    here.shape,
                )
                if self._stage.kind == "corners" and self._closes():
                    p.marker, p.word = self._points[0], tr("closes the plate")
        self._say()

    def _default(self, name: str) -> float:
        return default_size(self.context.document.project, self.type, name, self._drawn({}))

    def _show_helpers(self, p: Preview) -> None:
        """Corners, axes and radii as lines."""
        if self._index == 0:
            return
        kind, point = self._stage.kind, self._now()[2]
        p.marks = [
            (q, "")
            for q in (
                self._points
                if kind in ("corners", "end", "off")
                else self._points[:1]
                if kind == "radius"
                else ()
            )
        ]
        if kind == "corners":
            ends = (
                [*self._points, point] if point is not None and not self._closes() else self._points
            )
            p.rubber += list(itertools.pairwise(ends))
        elif kind == "end" and point is not None:
            p.rubber.append((self._points[0], point))
        elif kind == "radius" and self._here is not None:
            p.rubber.append((self._points[0], self._here.point))

    def _say(self) -> None:
        if self._index == 0:
            others = " ".join(key.upper() for key, type in LETTERS.items() if type != self.type)
            self.hint = tr(
                "{hint}, or Enter · {others} other shapes · A part of a body · ? lists keys · Esc "
                "stops",
                hint=self._stage.hint,
                others=others,
            )
        elif self._stage.kind == "corners":
            close = tr(" · the first corner again or Enter closes") if len(self._points) > 2 else ""
            self.hint = tr("{hint}{close} · Esc steps back", hint=self._stage.hint, close=close)
        else:
            self.hint = tr(
                "{hint} · Enter takes the rest as shown · Esc steps back", hint=self._stage.hint
            )
