"""Choose the work plane: click a face, a joint, an axis, or three points, or type how far off it
lies; W locks it.
"""

from mechstudio.application.tools.snapping.aim import Aim
from mechstudio.application.tools.snapping.candidates import candidates_of
from mechstudio.application.tools.snapping.plane_choice import plane_of_face, planes_at_joint
from mechstudio.application.tools.tool import Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, plus
from mechstudio.model.geometry.work_plane import WorkPlane, facing, of_points, towards
from mechstudio.model.units import format_value
from mechstudio.translation import tr

PATCH = 0.35  # side of the patch that shows a plane, in sizes of the mechanism


class PlaneTool(Tool):
    """Takes the plane of the face under the pointer, of a joint or an axis across it, or through
    three points.  A typed number lays it off along its normal; where nothing is under the pointer,
    the present plane.

    back: name and options of the tool that was active before; it is taken again when a plane has
    been chosen.
    """

    name = "plane"

    def __init__(self, context: ToolContext, only: str = "") -> None:
        """only: "face" or "points", if the menu requested one of them."""
        super().__init__(context)
        self.only = only
        self.back: tuple[str, dict[str, str]] = ("select", {})
        self._aim = Aim(context)
        self._pointer: Pointer | None = None
        self._points: list[Triple] = []
        self.numbers = Numbers(context, ("offset", "length"))
        self._way = 0  # of the planes through the joint under the pointer
        self._plane: WorkPlane | None = None
        self._word = ""
        self._say()

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        if (
            pointer.point is None
            and pointer.surface is None
            and pointer.eye is not None
            and not self._aim.places
        ):
            return
        self._aim.move(pointer)
        self._choose(pointer)
        self._show()

    def _choose(self, pointer: Pointer) -> None:
        """The plane that a click would take, with its word; none while points are gathered."""
        m, here = self.context.document.project.mechanism, self._aim.here
        eye_back = pointer.eye.back if pointer.eye is not None else None
        self._plane, self._word = None, ""
        named = (
            here is not None
            and here.word
            and here.word != "grid"
            and not here.word.startswith("on ")
        )
        if self._points or self.only == "points":
            if len(self._points) == 2 and here is not None:
                first, second = self._points
                self._plane = of_points(first, second, here.point, eye_back)
        elif here is not None and here.joint and self.only != "face":
            ways = planes_at_joint(m, here.joint, self.context.plane, eye_back)
            self._plane, self._word = ways[self._way % len(ways)]
        elif here is not None and here.axis is not None and self.only != "face":
            # an axis that runs through the plane catches the pointer where it does so
            normal = towards(here.axis, eye_back)
            self._word = tr("across {axis}", axis=here.word)
            self._plane = facing(self._word, here.point, normal, self.context.plane)
        elif not named or self.only == "face":
            self._plane = plane_of_face(m, pointer)
            self._word = (
                tr("on face of {body}", body=m.body(pointer.body).name)
                if self._plane is not None
                else ""
            )

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        here = self._aim.here
        if self.numbers.typed:
            self._take_typed()
        elif self._plane is not None:
            self._take(self._plane)
        elif self.only == "face":
            self.context.message = tr("There is no face here: click a face of a body.")
        elif len(self._points) == 2:
            self.context.message = tr(
                "The three points lie in line: click a third point beside the line."
            )
        elif here is not None:
            self.context.message = ""
            if here.point not in self._points:
                self._points.append(here.point)
        self._aim.forget()
        self._show()

    def _take(self, plane: WorkPlane) -> None:
        self.context.plane, self.context.message = plane, ""
        self.then = self.back
        self.cancel()
        self.made = True

    def _off(self, value: float) -> WorkPlane:
        """The plane under the pointer, else the present one, laid off along its normal [m]."""
        base = self._plane or self.context.plane
        far = format_value(value, "length", self.context.units, 4)
        name = tr("{plane}, {far} off", plane=base.name, far=far)
        moved = plus(base.origin, base.normal, value)
        return WorkPlane(name, moved, base.u, base.v) if value else base  # type: ignore[arg-type]

    def _take_typed(self) -> None:
        """The plane that lies as far off as is typed."""
        try:
            far = self.numbers.value(0)
        except ExpressionError as error:
            self.context.message = str(error)
            return
        if far is not None:
            self._take(self._off(far.value))

    def key(self, key: str) -> bool:
        if key == "escape" and self.numbers.typed:
            self.numbers.clear()
        elif key == "enter" and self.numbers.typed:
            self._take_typed()
        elif key != "tab" and not self._points and self.numbers.key(key):
            pass
        elif key == "o" and self._pointer is not None:
            self._way += 1
            self._choose(self._pointer)
        elif key == "w":
            self.context.locked = not self.context.locked
            self.then = self.back
            self.cancel()
        elif key == "escape" and self._points:
            self._points.pop()
        elif key == "escape":
            self.cancel()
        elif key in ("tab", "backtab"):
            self._aim.next(1 if key == "tab" else -1)
        else:
            return False
        self._show()
        return True

    @property
    def title(self) -> str:
        return tr("work plane")

    def keys(self) -> list[Key]:
        return [
            Key("Click", tr("a face, a joint or a point")),
            Key("Tab", tr("next place that could catch it"), "tab"),
            *(
                [Key("0–9 . ( =", tr("how far off along the normal"), "1")]
                if not self._points
                else []
            ),
            Key("O", tr("another plane through the joint"), "o"),
            Key("W", tr("locks or unlocks the plane"), "w"),
            Key("Esc", tr("takes the last point back") if self._points else "stops", "escape"),
        ]

    def wants(self, key: str) -> bool:
        own = key in ("escape", "tab", "backtab", "w", "o")
        return own or (not self._points and self.numbers.wants(key))

    def linger(self) -> None:
        self._aim.linger()
        self._show()

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished:
            return
        self._aim.show(p)
        p.marks = [
            (point, tr("point {number}", number=k)) for k, point in enumerate(self._points, 1)
        ]
        here, far = self._aim.here, self.numbers.sofar(0)
        if self.numbers.typed:
            off = self._off(far.value if far is not None else 0.0)
            p.label, p.marker = self.numbers.label(["–"]), None
            p.word = self._word or self.context.plane.name
            self._patch(p, off, off.origin if self._plane is None or here is None else here.point)
        elif self._plane is not None:
            p.word = self._word or self._plane.name
            center = (
                here.point
                if here is not None and abs(self._plane.height(here.point)) < 1e-9
                else None
            )
            self._patch(p, self._plane, center or self._plane.origin)
        elif here is not None and self._points:
            p.rubber = [*p.rubber, *((point, here.point) for point in self._points)]
        self._say()

    def _patch(self, p: Preview, plane: WorkPlane, center: Triple) -> None:
        """A square of the plane with lines across."""
        half = PATCH / 2 * candidates_of(self.context.document.project.mechanism).size
        u, v = plane.to_plane(center)
        corner = lambda a, b: plane.to_world(u + a * half, v + b * half)
        p.areas = [(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))]
        p.rubber = [
            *p.rubber,
            *((corner(s, -1), corner(s, 1)) for s in (-0.5, 0.0, 0.5)),
            *((corner(-1, s), corner(1, s)) for s in (-0.5, 0.0, 0.5)),
        ]

    def _say(self) -> None:
        lock = tr("W unlocks the plane") if self.context.locked else tr("W locks the plane")
        if self._points:
            self.hint = tr(
                "Click the {value} of three points · Esc takes the last one back",
                value=(tr("second"), tr("third"))[len(self._points) - 1],
            )
        elif self.only == "face":
            self.hint = tr("Click a face of a body to draw on it · Esc stops")
        elif self.only == "points":
            self.hint = tr("Click the first of three points of the new work plane · Esc stops")
        else:
            self.hint = tr(
                "Click a face, a joint, an axis, or three points to draw in their plane · a "
                "number: so far off · O: another plane through the joint · {lock} · Esc stops",
                lock=lock,
            )
