"""Springs, dampers and actuators by two clicks, shown as they will be while moving; what is typed
meanwhile is their free length, damping or force.
"""

from mechstudio.application.tools.bodies.solid import MANY
from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.snapping.snap import Snap
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, ToolContext
from mechstudio.application.tools.two_steps import TwoSteps
from mechstudio.model.edits.insertion import add_point_force
from mechstudio.model.edits.links import distance
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr


class TwoPointTool(TwoSteps):
    """Click one point, then the other; each lies on the body under it, and on the ground in empty
    room.
    """

    name = "two_points"
    in_plane = True
    repeats = True

    def __init__(self, context: ToolContext, type: str = "spring") -> None:
        self._entry = sorted(
            (p for p in FORCE_TYPES[type].parameters if p.entry), key=lambda p: p.entry
        )
        super().__init__(context, *((tr(p.label).lower(), p.dimension) for p in self._entry))
        self.type = type
        self._start: Snap | None = None
        self._here: Snap | None = None
        self._say()

    @property
    def _label(self) -> str:
        return FORCE_TYPES[self.type].noun

    def move(self, pointer: Pointer) -> None:
        self._here = place(self.context, pointer, self._start.point if self._start else None)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is not None and self._start is None:
            self._start, self.context.message = self._here, ""
        elif self._here is not None:
            self._end()
        self._show()

    def keys(self) -> list[Key]:
        if self._start is None:
            return [Key("Click", tr("the first end")), Key("Ctrl", tr("no snapping")), STOP]
        typed = (
            [Key("0–9 . ( =", tr("its numbers"), "1"), Key("Tab", tr("next number"), "tab")]
            if self.numbers.fields
            else []
        )
        return [
            Key("Click", tr("the second end")),
            Key("Enter", tr("the end is here"), "enter"),
            *typed,
            Key("Ctrl", tr("no snapping")),
            Key("Esc", tr("steps back"), "escape"),
        ]

    @property
    def _begun(self) -> bool:
        return self._start is not None

    def _back(self) -> None:
        self._start = None

    def _end(self) -> None:
        """The second end is where the pointer is."""
        here, start = self._here, self._start
        assert start is not None
        if wrong := self.numbers.check():
            self.context.message = wrong
            return
        if here is None or distance(start.point, here.point) < 1e-6:
            self.context.message = tr(
                "A {label} needs a length: click its other end at a distance.", label=self._label
            )
        elif self._bodies(start, here) is None:
            self.context.message = tr(
                "A {label} acts between two bodies: click its other end on another one, or on "
                "empty room for the ground.",
                label=self._label,
            )
        else:
            made = self._made()
            assert made is not None
            project, id = made
            self.complete(tr("Add {force}", force=project.mechanism.forces[id].name), project, id)

    def _made(self) -> tuple[Project, str] | None:
        """The project with it between the first click and the pointer; None where it cannot be."""
        here, start = self._here, self._start
        if (
            here is None
            or start is None
            or distance(start.point, here.point) < 1e-6
            or (ends := self._bodies(start, here)) is None
        ):
            return None
        typed = {
            p.name: q for k, p in enumerate(self._entry) if (q := self.numbers.sofar(k)) is not None
        }
        return add_point_force(
            self.context.document.project,
            self.type,
            (ends[0], start.point),
            (ends[1], here.point),
            typed,
        )

    def _bodies(self, a: Snap, b: Snap) -> tuple[str, str] | None:
        """The bodies of both ends; at a joint the one that the other end does not lie on.  None if
        they are the same.
        """
        joints = self.context.document.project.mechanism.joints

        def at(place: Snap) -> tuple[str, ...]:
            joint = joints.get(place.joint)
            own = place.body or GROUND
            return (
                (own,)
                if joint is None
                else (own, *(f.body for f in (joint.frame_a, joint.frame_b) if f.body != own))
            )

        return next(
            ((first, second) for second in at(b) for first in at(a) if first != second), None
        )

    def _show(self) -> None:
        p = self.preview = Preview()
        self.tentative = None
        here, start, m = self._here, self._start, self.context.document.project.mechanism
        self._say()
        if self.finished or here is None:
            return
        p.marker, p.word, p.shape = (
            here.point,
            here.word if here.word not in ("", "grid") else "",
            here.shape,
        )
        if not p.word:
            p.word = tr("on {body}", body=m.body(here.body or GROUND).name)
        if start is None:
            return
        p.marks = [(start.point, "")]
        made = self._made()
        if made is not None and len(m.bodies) < MANY:
            self.tentative = made[0]
        else:
            p.rubber = [(start.point, here.point)]
        length = format_value(distance(start.point, here.point), "length", self.context.units, 4)
        if not self.numbers.typed:
            p.label = length
        elif made is not None:
            parameters = made[0].mechanism.forces[made[1]].parameters
            shown = [
                format_value(parameters[p.name].value, p.dimension, self.context.units, 4)
                for p in self._entry
            ]
            p.label = tr(
                "length {length}   {shown}", length=length, shown=self.numbers.label(shown)
            )
        else:
            p.label = tr(
                "length {length}   {shown}",
                length=length,
                shown=self.numbers.label(["–"] * len(self.numbers.fields)),
            )

    def _say(self) -> None:
        if self._start is None:
            self.hint = tr(
                "Click the first end of the {label} · empty room is the ground · Esc stops",
                label=self._label,
            )
        else:
            typed = comma().join(name for name, _ in self.numbers.fields)
            self.hint = tr(
                "Click the second end of the {label} · type its {typed} · empty room is the "
                "ground · Esc steps back",
                label=self._label,
                typed=typed,
            )
