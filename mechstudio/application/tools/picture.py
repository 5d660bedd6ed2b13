"""Pictures under the drawing: scaling by two points and a true distance, and moving one that is not
locked.
"""

import math

from mechstudio.application.tools.entry import Entry
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.tool import Key, Pointer, Preview, Tool, ToolContext
from mechstudio.model.edits.links import distance
from mechstudio.model.edits.pictures import covers, move_picture, plane_of, scale_picture
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import Triple, minus, plus, scaled
from mechstudio.model.project import Picture
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.units import format_value
from mechstudio.translation import localised, tr

NEAREST = 4.0  # pixels that two points must stand apart
STARTS_AFTER = 4.0  # pixels before a press becomes a drag


def _under(picture: Picture, pointer: Pointer) -> Triple | None:
    """Intersection of the line of sight with a picture's plane; None if there is none."""
    return (
        pointer.point
        if pointer.eye is None
        else on_plane(pointer.eye, pointer.x, pointer.y, plane_of(picture))
    )


class ScalePictureTool(Tool):
    """Click two points of a picture, type how far they are apart in truth, Enter."""

    name = "scale_picture"

    def __init__(self, context: ToolContext, id: str = "") -> None:
        super().__init__(context)
        self.id, self.entry = id, Entry(context)
        self._points: list[Triple] = []
        self._here: Triple | None = None
        self._level = False
        self._say()

    @property
    def _picture(self) -> Picture | None:
        """An undo may take the picture away under the tool."""
        return self.context.document.project.pictures.get(self.id)

    def move(self, pointer: Pointer) -> None:
        picture = self._picture
        if picture is None:
            self.cancel()
            return
        self._here = _under(picture, pointer)
        if len(self._points) < 2:
            self._level = pointer.shift and bool(self._points)
        self._show()

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        picture, here = self._picture, self._here
        if picture is None or here is None or len(self._points) == 2:
            return
        if not covers(picture, here):
            self.context.message = tr(
                "This is beside {picture}: click a point on it whose distance to another one you "
                "know.",
                picture=picture.name,
            )
        elif self._points and distance(self._points[0], here) < NEAREST * pointer.pixel:
            self.context.message = tr(
                "Both points are the same: click the second one farther away."
            )
        else:
            self._points.append(here)
            self.context.message = ""
        self._show()

    def key(self, key: str) -> bool:
        if key == "escape" and self.entry.text:
            self.entry.text = ""
        elif key == "backspace" and not self.entry.text and self._points:
            self._points.pop()
        elif key == "enter" and self._points:
            self._apply()
        elif not self._points or not self.entry.key(key):
            return super().key(key)
        self._show()
        return True

    def keys(self) -> list[Key]:
        out = [Key("Click", tr("a point of the picture"))]
        if self._points:
            out += [
                Key("0–9 . ( =", tr("the true distance"), "1"),
                Key("Shift", tr("turns the line level")),
            ]
        return [*out, Key("Esc", tr("keeps the size"), "escape")]

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter", "backspace") or (
            bool(self._points) and self.entry.wants(key)
        )

    def _ends(self) -> tuple[Triple, Triple] | None:
        """Both points; the second one is under the pointer until it is clicked."""
        picture = self._picture
        if len(self._points) == 2:
            return self._points[0], self._points[1]
        if (
            self._points
            and self._here is not None
            and picture is not None
            and covers(picture, self._here)
            and distance(self._points[0], self._here) > 0
        ):
            return self._points[0], self._here
        return None

    def _apply(self) -> None:
        picture, ends = self._picture, self._ends()
        if picture is None or ends is None:
            self.context.message = tr("Click the second point on the picture first.")
            return
        if not self.entry.text:
            self.context.message = tr(
                "Type the true distance of the two points first, such as 340 mm."
            )
            return
        try:
            length, text = self.entry.value()
        except expression.ExpressionError as error:
            self.context.message = str(error)
            return
        if not 1e-9 < length < 1e9:
            self.context.message = tr("The distance must be larger than zero: type it again.")
            return
        project = scale_picture(
            self.context.document.project, self.id, *ends, Quantity(length, text), self._level
        )
        self.complete(
            tr("Scale {picture} to {text}", picture=picture.name, text=text), project, self.id
        )

    def _show(self) -> None:
        p = self.preview = Preview()
        picture = self._picture
        if self.finished or picture is None:
            return
        ends = self._ends()
        p.marks = [(point, "") for point in self._points]
        if ends is not None:
            p.rubber = [ends]
        if len(self._points) < 2 and self._here is not None and covers(picture, self._here):
            p.marker, p.word = (
                self._here,
                (tr("second point") if self._points else tr("first point")),
            )
        if self._points and ends is not None:
            now = format_value(distance(*ends), "length", self.context.units, 4)
            p.label = (
                self.entry.text + "▏" if self.entry.text else tr("now {now}, in truth …", now=now)
            ) + (self._tilt(ends) if self._level else "")
        self._say()

    def _tilt(self, ends: tuple[Triple, Triple]) -> str:
        """Phrase for the angle [deg] by which the line is off level or upright before it is
        rotated.
        """
        picture = self._picture
        assert picture is not None
        (a, b), (c, d) = (plane_of(picture).to_plane(e) for e in ends)
        slope = math.degrees(math.atan2(d - b, c - a) + picture.turn.value)
        return localised(f"   turned by {round(90 * round(slope / 90) - slope, 1):g} deg").replace(
            "-", "−"
        )

    def _say(self) -> None:
        name = picture.name if (picture := self._picture) is not None else tr("the picture")
        if len(self._points) == 2:
            self.hint = tr(
                "Type the true distance, such as 340 mm, and press Enter · Esc keeps the size"
            )
        elif self._points:
            self.hint = tr(
                "Click the second point, or type the distance to here · Shift turns the line "
                "level · Esc"
            )
        else:
            self.hint = tr(
                "Click a point on {name} whose distance to another one you know · Esc keeps the "
                "size",
                name=name,
            )


class PictureGrip(Grip):
    """Moves a picture that is not locked in its own plane."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._id, self._drag_started, self._start = "", None, None

    def takes(self, pointer: Pointer) -> bool:
        picture = self.context.document.project.pictures.get(pointer.element)
        return picture is not None and not picture.locked

    def hover(self, pointer: Pointer | None) -> bool:
        found = pointer is not None and self.takes(pointer)
        self.hint = (
            tr("Drag to move the picture in its plane · lock it in the inspector to draw over it")
            if found
            else ""
        )
        return found

    def press(self, pointer: Pointer) -> None:
        self.drop()
        picture = self.context.document.project.pictures[pointer.element]
        self._id, self._drag_started, self._start = (
            picture.id,
            _under(picture, pointer),
            (pointer.x, pointer.y),
        )

    def move(self, pointer: Pointer) -> None:
        picture = self.context.document.project.pictures.get(self._id)
        if picture is None or self._drag_started is None or self._start is None:
            return
        here = _under(picture, pointer)
        if here is None or (
            self.tentative is None and math.dist(self._start, (pointer.x, pointer.y)) < STARTS_AFTER
        ):
            return
        shift = minus(here, self._drag_started)
        if pointer.shift:  # along one of the picture's sides only
            plane = plane_of(picture)
            u, v = (sum(s * c for s, c in zip(shift, way)) for way in (plane.u, plane.v))
            shift = scaled(plane.u, u) if abs(u) >= abs(v) else scaled(plane.v, v)
        center = plus(values(picture.placement.position), shift)
        self.tentative = move_picture(self.context.document.project, self._id, center)
        self.preview = Preview(
            label=format_value(math.hypot(*shift), "length", self.context.units, 4)
        )
        self.hint = tr(
            "Release to place the picture · Shift keeps to one direction · Esc takes it back"
        )

    def release(self, pointer: Pointer) -> None:
        if self.tentative is not None:
            self.move(pointer)
            picture = self.context.document.project.pictures[self._id]
            self.context.document.commit(tr("Move {picture}", picture=picture.name), self.tentative)
        self.drop()

    def key(self, key: str) -> bool:
        if key == "escape" and self.dragging:
            self.drop()
            return True
        return False

    def wants(self, key: str) -> bool:
        return self.dragging and key == "escape"

    def drop(self) -> None:
        super().drop()
        self._drag_started, self._start = None, None
