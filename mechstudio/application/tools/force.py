"""A force or torque on a point of a body: click the point, then its direction and size by the
pointer, by a drag, or typed.
"""

import math

from mechstudio.application.tools.eye import Eye, nearest_on_line, on_plane
from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.snapping.snap import Snap, angle_of
from mechstudio.application.tools.tool import STOP, Handle, Key, Pointer, Preview, ToolContext
from mechstudio.application.tools.two_steps import TwoSteps
from mechstudio.model.edits.insertion import add_body_force
from mechstudio.model.geometry.rotation import Triple, minus, plus, triple
from mechstudio.model.geometry.work_plane import WorkPlane, dot, facing
from mechstudio.model.mechanism import GROUND
from mechstudio.model.quantity import Quantity
from mechstudio.model.rounding import step_above, stepped
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr

USUAL = {
    False: 10.0,
    True: 1.0,
}  # N and N m of a load neither drawn nor typed, drawn with a fifth of the mechanism's size
SHARE = 0.2
STILL = 5.0  # pixels within which a press and its release are a click
COARSE = 3.0  # pixels that belong to one step of a rounded size
TURN = 15.0  # degrees between the directions that Shift holds
CATCH = 2.5  # degrees within which a direction along the plane's axes catches the pointer
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class PointForceTool(TwoSteps):
    """Click a point of a body, then where the arrow ends: its length is the size.  X, Y, Z and N
    (the face's normal) hold a direction.
    """

    name = "point_force"
    in_plane = True
    repeats = True

    def __init__(self, context: ToolContext, type: str = "force") -> None:
        self.type = type
        self._moment = FORCE_TYPES[type].moment
        self._label = FORCE_TYPES[type].noun
        super().__init__(
            context,
            (self._label, self._dimension),
            *(() if self._moment else (("angle", "angle"),)),
        )
        self._here: Snap | None = None
        self._at: tuple[Triple, str] | None = None  # the point, with its body
        self._normal: Triple | None = None  # of the face that was clicked
        self._axis = ""  # what holds the direction: a key of AXES, "n" or nothing
        self._pointer: Pointer | None = None
        self._pressed: Pointer | None = None
        self._say()

    @property
    def _dimension(self) -> str:
        return "torque" if self._moment else "force"

    def _body(self) -> str:
        """The moving body at the pointer; empty where there is none."""
        here = self._here
        if here is None:
            return ""
        joint = self.context.document.project.mechanism.joints.get(here.joint)
        found = (
            (here.body, *(f.body for f in (joint.frame_a, joint.frame_b)))
            if joint
            else (here.body,)
        )
        return next((id for id in found if id and id != GROUND), "")

    # events

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        if self._at is None:
            self._here = place(self.context, pointer)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._at is not None:
            self._end()
        elif self._here is not None and (body := self._body()):
            self._at, self._normal, self._pressed, self.context.message = (
                (self._here.point, body),
                pointer.normal,
                pointer,
                "",
            )
        else:
            self.context.message = tr(
                "There is no body here: click a point of a body that can move."
            )
        self._show()

    def release(self, pointer: Pointer) -> None:
        """End a drag at the release of the button; after a click wait for the next one."""
        pressed = self._pressed
        if self._at is None or pressed is None or self.finished:
            return
        self._pressed = None
        if math.hypot(pointer.x - pressed.x, pointer.y - pressed.y) >= STILL:
            self._pointer = pointer
            self._end()
            self._show()

    @property
    def _begun(self) -> bool:
        return self._at is not None

    def _back(self) -> None:
        self._at, self._axis = None, ""

    def _own_key(self, key: str) -> bool:
        if key in AXES or (key == "n" and self._normal is not None):
            self._axis = "" if self._axis == key else key
            return True
        return False

    def keys(self) -> list[Key]:
        if self._at is None:
            return [Key("Click", tr("the point of a body")), STOP]
        return [
            Key("Click", tr("where the arrow ends")),
            Key("Enter", tr("it ends here"), "enter"),
            *(Key(a.upper(), tr("holds {a}", a=a.upper()), a) for a in AXES),
            Key("0–9 . ( =", tr("its size"), "1"),
            Key("Shift", tr("steps of 15 deg")),
            Key("Esc", tr("steps back"), "escape"),
        ]

    def wants(self, key: str) -> bool:
        return super().wants(key) or (self._begun and key in "xyzn")

    # what is drawn

    @property
    def _scale(self) -> float:
        """Newtons or newton metres per metre of arrow."""
        return USUAL[self._moment] / (SHARE * self.context.document.project.mechanism.size())

    def _held(self) -> Triple | None:
        """The direction that a key holds."""
        return self._normal if self._axis == "n" else AXES.get(self._axis)

    def _plane(self) -> WorkPlane:
        """The work plane through the point; of a torque about a held axis, the plane across
        that.
        """
        assert self._at is not None
        plane, held = self.context.plane, self._held()
        return facing(
            "", self._at[0], held if self._moment and held is not None else plane.normal, plane
        )

    def _drawn(self) -> Triple:
        """From the point to where the pointer ends the arrow [m]; nothing where it says nothing."""
        assert self._at is not None
        at, p, held = self._at[0], self._pointer, self._held()
        if p is None:
            return (0.0, 0.0, 0.0)
        if held is not None and not self._moment:
            end = nearest_on_line(p.eye, p.x, p.y, at, held) if p.eye is not None else p.point
            along = 0.0 if end is None else dot(minus(end, at), held)  # type: ignore[arg-type]
            return tuple(along * c for c in held)  # type: ignore[return-value]
        plane = self._plane()
        end = on_plane(p.eye, p.x, p.y, plane) if p.eye is not None else p.point
        if end is None:
            return (0.0, 0.0, 0.0)
        angle, size = angle_of(plane, at, end), math.dist(at, end)
        nearest = TURN * round(angle / TURN) if p.shift else 90.0 * round(angle / 90.0)
        if p.shift or (not p.ctrl and abs(angle - nearest) <= CATCH):
            angle = nearest
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        return triple(size * (c * a + s * b) for a, b in zip(plane.u, plane.v))

    def _rounded(self, value: float) -> float:
        """A size to a step that the hand can aim at."""
        p = self._pointer
        if p is None or p.ctrl or value == 0:
            return value
        return stepped(
            value, step_above(COARSE * p.pixel * self._scale, self.context.units, self._dimension)
        )

    def _vector(self) -> tuple[Triple, float, Quantity | None]:
        """(unit direction, size, what was typed of it) of the force or torque as it stands now."""
        drawn, plane = self._drawn(), self._plane()
        reach = math.sqrt(dot(drawn, drawn))
        if reach < 1e-12 or (self._pointer is not None and reach < 2 * self._pointer.pixel):
            drawn, reach = self._held() or plane.u, 0.0
        way: Triple = tuple(c / (reach or 1.0) for c in drawn)  # type: ignore[assignment]
        size = self._rounded(reach * self._scale) if reach else USUAL[self._moment]
        if self._moment:
            # to the right and up it turns counter-clockwise
            sense = -1.0 if dot(way, plane.u) + dot(way, plane.v) < -1e-9 else 1.0
            way = tuple(sense * c + 0.0 for c in plane.normal)  # type: ignore[assignment]
        typed = self.numbers.sofar(0)
        angle = self.numbers.sofar(1) if not self._moment else None
        if angle is not None:
            way = tuple(
                math.cos(angle.value) * a + math.sin(angle.value) * b
                for a, b in zip(self.context.plane.u, self.context.plane.v)
            )  # type: ignore[assignment]
        return way, size if typed is None else typed.value, typed

    def _end(self) -> None:
        """Make it as it stands."""
        assert self._at is not None
        if wrong := self.numbers.check():
            self.context.message = wrong
            return
        way, size, typed = self._vector()
        if size == 0:
            self.context.message = tr(
                "A {label} of zero does nothing: type another number.", label=self._label
            )
            return
        # what was typed is kept as typed where it is the only component
        vector = triple(
            typed
            if typed is not None and abs(c - 1.0) < 1e-12
            else Quantity(round(size * c, 12) + 0.0)
            for c in way
        )
        project, id = add_body_force(
            self.context.document.project,
            self.context.plane,
            self.type,
            self._at[1],
            self._at[0],
            vector,
        )  # type: ignore[arg-type]
        self.complete(tr("Add {force}", force=project.mechanism.forces[id].name), project, id)

    # what is shown

    def handles(self, eye: Eye) -> list[Handle]:
        """The arrow to come; of a torque an arc about its axis."""
        if self._at is None or self.finished:
            return []
        (at, _), (way, size, _) = self._at, self._vector()
        # a large typed one does not leave the picture
        reach = min(abs(size) / self._scale, 0.6 * self.context.document.project.mechanism.size())
        if not self._moment:
            sign = math.copysign(1.0, size)
            return [
                Handle(
                    "arrow",
                    (at, plus(at, way, sign * reach)),
                    "vector",
                    "",
                    True,
                )
            ]  # type: ignore[arg-type]
        plane = facing("", at, way if size > 0 else (-way[0], -way[1], -way[2]), self.context.plane)
        # never smaller than can be seen, nor larger than the mechanism
        radius = min(
            max(0.5 * reach, 18.0 * eye.pixel_size(at)),
            0.5 * self.context.document.project.mechanism.size(),
        )
        turn = [math.radians(-60.0 + 10.0 * k) for k in range(28)]
        arc = tuple(
            tuple(
                c + radius * (math.cos(a) * u + math.sin(a) * v)
                for c, u, v in zip(at, plane.u, plane.v)
            )
            for a in turn
        )
        return [Handle("arrow", arc, "vector", "", True)]  # type: ignore[arg-type]

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished:
            return
        if self._at is not None:
            way, size, _ = self._vector()
            angle = math.degrees(
                math.atan2(dot(way, self.context.plane.v), dot(way, self.context.plane.u))
            )
            shown = [
                format_value(size, self._dimension, self.context.units, 4),
                format_value(math.radians(round(angle, 1)), "angle", self.context.units, 4),
            ]
            p.label = (
                self.numbers.label(shown)
                if self.numbers.typed
                else "   ".join(shown[:1] if self._moment else shown)
            )
            if self._axis and self.numbers.at == 0:
                p.label = p.label.split("   ")[0]  # the angle is held
            p.marks = [(self._at[0], "")]
            if self._axis:
                p.label += (
                    tr("   along the face's normal")
                    if self._axis == "n"
                    else f"   {'about' if self._moment else 'along'} {self._axis.upper()}"
                )
        elif self._here is not None:
            m, body = self.context.document.project.mechanism, self._body()
            on = (
                self._here.word
                if self._here.word not in ("", "grid")
                else tr("on {body}", body=m.bodies[body].name)
                if body
                else ""
            )
            p.marker, p.shape, p.word = (
                self._here.point,
                self._here.shape,
                f"{self._label} · {on}" if body else tr("no body here"),
            )
        self._say()

    def _say(self) -> None:
        if self._at is None:
            self.hint = tr(
                "Click the point of a body on which the {label} acts, or drag the arrow from it · "
                "Esc stops",
                label=self._label,
            )
        elif self._moment:
            self.hint = tr(
                "Click for the size or type it, to the left or below turns clockwise · X Y Z N "
                "hold the axis · Esc steps back"
            )
        else:
            self.hint = tr(
                "Click where the arrow ends or type its size, angle · X Y Z N hold a direction, "
                "Shift 15 deg · Esc steps back"
            )
