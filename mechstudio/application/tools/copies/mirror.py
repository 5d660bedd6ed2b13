"""Mirroring by one click: the image is seen while the mirror is carried over the work plane; Alt
mirrors in place.
"""

from mechstudio.application.tools.snapping.silhouette import middle
from mechstudio.application.tools.snapping.snap import snap
from mechstudio.application.tools.tool import Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirror_image, mirrored
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, plus
from mechstudio.model.units import format_value
from mechstudio.translation import Words, comma, tr

# (keys by which the tool mirrors, words)
WAYS: tuple[tuple[str, Words], ...] = (
    ("across", "left to right"),
    ("along", "top to bottom"),
    ("through", "front to back"),
)
REACH = 3.0  # of the drawing's size, for the line of the mirror


class MirrorTool(Tool):
    """The mirror stands on the work plane, or is the plane itself; what is selected is mirrored."""

    name = "mirror"

    def __init__(self, context: ToolContext, way: str = "across") -> None:
        super().__init__(context)
        self._chosen = tuple(context.selection.selected)
        self._way = next(k for k, (key, _) in enumerate(WAYS) if key == way)
        self._at: Triple | None = None
        self._in_place = False
        self._neighbours = True
        self.numbers = Numbers(context, ("at", "length"))
        self._say()

    @property
    def _ids(self) -> tuple[str, ...]:
        """Ids of the mirrored elements; an undo may have removed some of them."""
        m = self.context.document.project.mechanism
        return tuple(id for id in self._chosen if any(id in getattr(m, s) for s in SECTIONS))

    @property
    def _normal(self) -> Triple:
        plane = self.context.plane
        return (plane.u, plane.v, plane.normal)[self._way]

    def move(self, pointer: Pointer) -> None:
        plane = self.context.plane
        found = snap(self.context.document.project, plane, self.context.grid, pointer)
        at = found.point if found is not None else pointer.point
        self._in_place = pointer.alt
        self._show(at, found.word if found is not None else "")

    def _show(self, at: Triple | None, word: str = "") -> None:
        """The image in a mirror through a point of W."""
        self._at, self.preview = at, Preview()
        if self.finished or at is None or not self._ids:
            self.tentative = None
            self._say()
            return
        typed = self._typed()
        if typed is not None:
            at = self._at = self._through(typed)
        try:
            self.tentative = self._made(at)[0]
            self.context.message = ""
        except ExpressionError as error:
            self.tentative, self.context.message = None, str(error)
        plane, far = self.context.plane, REACH * self.context.document.project.mechanism.size()
        if self._way < 2:
            along = (plane.v, plane.u)[self._way]
            self.preview.rubber = [(plus(at, along, -far), plus(at, along, far))]
        self.preview.marker, self.preview.word = at, word
        self.numbers.now = (self._distance(at),)
        shown = (
            self.numbers.texts[0] + "▏"
            if self.numbers.typed
            else format_value(self._distance(at), "length", self.context.units, 4)
        )
        self.preview.label = f"{WAYS[self._way][1]}   {shown}" + (
            tr("   in place") if self._in_place else ""
        )
        self._say()

    def _distance(self, at: Triple) -> float:
        """Distance of the mirror from the work plane's origin along the mirror's normal, signed
        [m].
        """
        return sum((a - o) * n for a, o, n in zip(at, self.context.plane.origin, self._normal))

    def _through(self, distance: float) -> Triple:
        """The point of the mirror at a distance from the work plane's origin, level with where the
        pointer was.
        """
        at = self._at or self.context.plane.origin
        by = distance - self._distance(at)
        return plus(at, self._normal, by)  # type: ignore[return-value]

    def _typed(self) -> float | None:
        try:
            q = self.numbers.value(0)
        except ExpressionError:
            return None
        return None if q is None else q.value

    def _made(self, at: Triple):
        """The project with the image, and the ids to be selected."""
        project, mirror_plane = self.context.document.project, MirrorPlane(at, self._normal)
        if self._in_place:
            return mirrored(project, self._ids, mirror_plane), self._ids
        after, new = mirror_image(project, self._ids, mirror_plane, self._neighbours)
        # a joint has no image of its own where both of its bodies stay
        return after, tuple(new[id] for id in self._ids if id in new)

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._at is not None and self._ids:
            self._commit(self._at)

    def _commit(self, at: Triple) -> None:
        try:
            project, chosen = self._made(at)
        except ExpressionError as error:
            self.context.message = str(error)
            return
        m = self.context.document.project.mechanism
        names = [e.name for s in SECTIONS for id, e in getattr(m, s).items() if id in self._ids]
        self.cancel()
        label = tr(
            "Mirror {name}{word} {way}{words}",
            name=comma().join(names[:3]),
            word=tr(" and more") if len(names) > 3 else "",
            way=WAYS[self._way][1],
            words=tr(" in place") if self._in_place else "",
        )
        self.context.document.commit(label, project)
        self.context.selection.select(*chosen)

    def key(self, key: str) -> bool:
        if key == "tab":
            self._way = (self._way + 1) % len(WAYS)
        elif key == "enter":
            self._enter()
            return True
        elif key == "j" and not self.numbers.typed:
            self._neighbours = not self._neighbours
        elif not self.numbers.key(key):
            return super().key(key)
        self._show(self._at)
        return True

    def _enter(self) -> None:
        """At the typed distance; without one through the middle of the selection."""
        if not self._ids:
            self.cancel()
            return
        try:
            typed = self.numbers.value(0)
        except ExpressionError as error:
            self.context.message = str(error)
            return
        self._commit(
            self._through(typed.value)
            if typed is not None
            else middle(self.context.document.project.mechanism, self._ids)
        )

    def wants(self, key: str) -> bool:
        return key in ("tab", "enter", "escape", "j") or self.numbers.wants(key)

    def _say(self) -> None:
        what = tr("Alt mirrors in place") if not self._in_place else tr("in place, without a copy")
        joints = (
            tr("J leaves out joints to neighbours")
            if self._neighbours
            else tr("J makes joints to neighbours")
        )
        self.hint = tr(
            "Click where the mirror stands ({way}) · Tab turns it · {what} · {joints} · Enter "
            "through the middle · Esc stops",
            way=WAYS[self._way][1],
            what=what,
            joints=joints,
        )
