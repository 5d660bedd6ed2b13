"""Name points and frames of bodies: click the place, type the name."""

from mechstudio.application.tools.snapping.faces import face_plane
from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.snapping.snap import REACH, Snap
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.model.edits.bodies.points import add_point, free_name, rename_point
from mechstudio.model.edits.links import distance
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Quaternion, from_axes, matrix, plus, transform
from mechstudio.model.mechanism import GROUND
from mechstudio.translation import tr

ARM = 44.0  # pixels of a frame's axes


class PointTool(Tool):
    """Each click makes a point of the body there, or of the ground, and what is typed then is its
    name.  Tab makes frames instead.
    """

    name = "point"
    in_plane = True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._frame = False  # whether it gets axes
        self._here: Snap | None = None
        self._pointer: Pointer | None = None
        self._named: tuple[str, str] | None = (
            None  # (body, name) of the point clicked last, while its name may be typed
        )
        self._text = ""
        self._count = 0
        self._show()

    def move(self, pointer: Pointer) -> None:
        self._here, self._pointer = place(self.context, pointer), pointer
        self._show()

    def press(self, pointer: Pointer) -> None:
        self._take_name()
        self.move(pointer)
        if self._here is None:
            return
        body, self._count = self._here.body or GROUND, self._count + 1
        project, name = add_point(
            self.context.document.project,
            body,
            self._here.point,
            attitude=self._attitude() if self._frame else None,
        )
        self._named, self._text, self.context.message = (body, name), "", ""
        self.context.document.commit(
            tr("Add {kind} {name} to {owner}", kind=self._kind, name=name, owner=self._owner(body)),
            project,
            self._step,
        )
        self.context.selection.select(body)
        self._show()

    @property
    def _step(self) -> str:
        """The name that is typed belongs to the same step as the click."""
        return tr("point {id} {count}", id=id(self), count=self._count)

    @property
    def _kind(self) -> str:
        return "frame" if self._frame else "point"

    def _owner(self, body: str) -> str:
        return self.context.document.project.mechanism.body(body).name

    def _attitude(self) -> Quaternion:
        """Axes along those of the face under the pointer, z away from it, or of the work plane."""
        plane, p = self.context.plane, self._pointer
        if (
            p is not None
            and self._here is not None
            and p.surface is not None
            and p.normal is not None
            and distance(p.surface, self._here.point) < ARM * p.pixel
        ):
            plane = face_plane(plane, p.surface, p.normal, "")
        return from_axes(plane.u, plane.v, plane.normal)

    def key(self, key: str) -> bool:
        if key == "escape" and self._text:
            self._text = ""
        elif key == "escape":
            self.cancel()
        elif key == "enter":
            if not self._take_name():
                return True
            self._named = None
        elif key == "tab":
            self._frame = not self._frame
        elif key == "backspace" and self._text:
            self._text = self._text[:-1]
        elif (
            self._named is not None
            and len(key) == 1
            and key.isprintable()
            and (self._text or not key.isspace())
        ):
            self._text += key
        else:
            return False
        self._show()
        return True

    def keys(self) -> list[Key]:
        return [
            Key("Click", tr("makes a {kind}", kind=self._kind)),
            Key("Tab", tr("points or frames"), "tab"),
            Key("Letters", tr("name the last one")),
            Key("Enter", tr("takes the name"), "enter"),
            STOP,
        ]

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter", "tab") or (
            self._named is not None
            and ((len(key) == 1 and key.isprintable()) or (key == "backspace" and bool(self._text)))
        )

    def _take_name(self) -> bool:
        """Give the last point the name that was typed; False with a message where it cannot be
        called so.
        """
        if self._named is None or not self._text:
            return True
        body, old = self._named
        try:
            project = rename_point(self.context.document.project, body, old, self._text.strip())
        except (ExpressionError, KeyError) as error:
            self.context.message = str(error.args[0])
            return False
        new, self._text, self.context.message = self._text.strip(), "", ""
        self._named = (body, new)
        self.context.document.commit(
            tr("Add {kind} {new} to {owner}", kind=self._kind, new=new, owner=self._owner(body)),
            project,
            self._step,
        )
        return True

    def cancel(self) -> None:
        self._take_name()
        super().cancel()

    def _show(self) -> None:
        p = self.preview = Preview()
        if self.finished:
            return
        here = self._here
        m = self.context.document.project.mechanism
        if self._named is not None and not (
            self._named[0] in (*m.bodies, GROUND)
            and self._named[1] in m.body(self._named[0]).named_points()
        ):
            self._named, self._text = None, ""  # an undo took it away
        if self._named is not None and here is not None and self._pointer is not None:
            # the name stands there, until the pointer goes on to the next place
            at = transform(
                m.body(self._named[0]).placement.pose, m.body(self._named[0]).point(self._named[1])
            )
            here = here if distance(at, here.point) > REACH * self._pointer.pixel else None
        if here is not None:
            body = m.body(here.body or GROUND)
            p.marker, p.shape = here.point, here.shape
            on = here.word if here.word not in ("", "grid") else tr("on {body}", body=body.name)
            p.word = f"{self._kind} {free_name(body)} · {on}"
            if self._frame and self._pointer is not None:
                x, y, z = zip(*matrix(self._attitude()))
                p.rubber = [
                    (
                        here.point,
                        plus(here.point, axis, ARM * self._pointer.pixel),
                    )
                    for axis in (x, y, z)
                ]  # type: ignore[misc]
        if self._named is not None:
            p.label = (
                tr("name {text}▏", text=self._text)
                if self._text
                else tr("name {named} ▏", named=self._named[1])
            )
        kind = tr("frame") if self._frame else tr("point")
        other = tr("point without axes") if self._frame else tr("frame with axes")
        if self._named is not None:
            self.hint = tr(
                "Type its name, or click the place of the next {kind} · Tab {other} · Esc stops",
                kind=kind,
                other=other,
            )
        else:
            self.hint = tr(
                "Click the place of a {kind}: on a body, or in empty room on the ground · Tab "
                "{other} · Esc stops",
                kind=kind,
                other=other,
            )
