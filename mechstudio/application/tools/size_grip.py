"""The sizes of selected bodies: squares on faces drag dimensions, dots drag corners of plates and named points."""

import math
from collections.abc import Hashable

from mechstudio.model.expression import ExpressionError
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.moving import move_named_point
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.resizing import SIZES, face, move_corner, resize
from mechstudio.model.rotation import Pose, Triple, compose, conjugate, rotate, transform
from mechstudio.model.shape_types import SHAPE_TYPES
from mechstudio.model.units import format_value
from mechstudio.model.work_plane import dot

from .base import Handle, Pointer, Preview
from .drag import WORLD, Drag, Measured, Travel, minus, plus, sight
from .eye import Eye
from .handle_grip import HandleGrip
from .handle_spots import Spot

MANY = 3                      # shapes above which a body shows no handles for their sizes
HIDDEN = 0.93                 # cosine to the line of sight beyond which a face cannot be dragged
SMALL = 30.0                  # pixels from the body's middle within which a handle would be in the way
SIZE, CORNER, POINT = "size", "corner", "point"


def pose_of(m: Mechanism, body: Body, index: int) -> Pose:
    """A shape's axes in W."""
    return compose(body.placement.pose, body.shapes[index].placement.pose)


class SizeGrip(HandleGrip):
    """Handles for what a body consists of."""

    def _bodies(self) -> list[Body]:
        m = self.context.document.project.mechanism
        chosen = [id for id in self.context.selection.selected if id in m.bodies or id == GROUND]
        return [m.body(id) for id in chosen if m.body(id).visible] if len(chosen) == 1 else []

    def spots(self, eye: Eye) -> list[Spot]:
        m, out = self.context.document.project.mechanism, []
        for body in self._bodies():
            for k, shape in enumerate(body.shapes):
                pose = pose_of(m, body, k)
                middle = eye.pixel_of(pose[0])
                for i, size in enumerate(SIZES.get(shape.type, ()) if len(body.shapes) <= MANY else ()):
                    way, at = rotate(pose[1], size.way), transform(pose, face(shape, size))
                    flat = eye.pixel_of(at)
                    if flat is not None and middle is not None and math.dist(flat, middle) > SMALL * self.context.scale and abs(dot(way, sight(eye, at))) < HIDDEN:
                        label = self._label(shape.type, size.dimension)
                        out.append(self._spot((SIZE, body.id, k, i), "square", at, f"drag the {label}"))
                for i, corner in enumerate(shape.outline):
                    x, z = values(corner)
                    out.append(self._spot((CORNER, body.id, k, i), "dot", transform(pose, (x, 0.0, z)), f"drag corner {i + 1}"))
            for point in body.points:
                at = transform(body.placement.pose, values(point.position))  # type: ignore[arg-type]
                out.append(self._spot((POINT, body.id, point.name, 0), "dot", at, f"drag {point.name}"))
        return out

    def _spot(self, key: tuple, kind: str, at: Triple, word: str) -> Spot:
        return Spot(key, Handle(kind, (at,), "accent", word, key == self._hot))

    @staticmethod
    def _label(type: str, dimension: str) -> str:
        return next(d.label for d in SHAPE_TYPES[type].dimensions if d.name == dimension).lower()

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        assert isinstance(key, tuple)
        kind, id, k, i = key
        m = self.context.document.project.mechanism
        body = m.body(id)
        if kind == POINT:
            at = transform(body.placement.pose, body.point(k))
            return Travel(self.context, at, self._axes(body), pointer)
        pose, shape = pose_of(m, body, k), body.shapes[k]
        if kind == CORNER:
            x, z = values(shape.outline[i])
            axes = tuple(rotate(pose[1], a) for a in WORLD)
            at = transform(pose, (x, 0.0, z))
            return Travel(self.context, at, axes, pointer, (1, True), exclude_bodies=frozenset((id,)))  # type: ignore[arg-type]
        size = SIZES[shape.type][i]
        zero = next(d.zero for d in SHAPE_TYPES[shape.type].dimensions if d.name == size.dimension)
        return Measured(self.context, transform(pose, face(shape, size)), rotate(pose[1], size.way), pointer, shape.dimensions[size.dimension].value, 1.0,
                        self._label(shape.type, size.dimension), zero)

    def _axes(self, body: Body):
        return WORLD if self.context.axes == "world" else tuple(rotate(body.placement.quaternion, a) for a in WORLD)

    def result(self, drag: Drag) -> Project:
        assert isinstance(self._key, tuple)
        project, (kind, id, k, i) = self.context.document.project, self._key
        body = project.mechanism.body(id)
        if isinstance(drag, Measured):
            return resize(project, id, k, SIZES[body.shapes[k].type][i], Quantity(drag.value, drag.text()))
        assert isinstance(drag, Travel)
        if kind == POINT:
            return move_named_point(project, id, k, drag.now)
        pose = pose_of(project.mechanism, body, k)
        x, y, z = rotate(conjugate(pose[1]), minus(drag.now, pose[0]))
        if any(abs(x - values(c)[0]) + abs(z - values(c)[1]) < 1e-9 for j, c in enumerate(body.shapes[k].outline) if j != i):
            raise ExpressionError("Two corners of a plate cannot stand at the same place.")
        return move_corner(project, id, k, i, round(x, 15), round(z, 15))

    def words(self, drag: Drag) -> str:
        assert isinstance(self._key, tuple)
        kind, id, k, i = self._key
        name = self.context.document.project.mechanism.body(id).name
        if isinstance(drag, Measured):
            return f"{drag.name[:1].upper()}{drag.name[1:]} of {name} {format_value(drag.value, 'length', self.context.units)}"
        assert isinstance(drag, Travel)
        return f"Move {k if kind == POINT else f'corner {i + 1}'} of {name} {drag.words(drag.axes != WORLD)}"

    def show(self, drag: Drag) -> None:
        now = self._now(drag)
        word = drag.word if isinstance(drag, Travel) else ""
        self.preview = Preview(label=drag.label, rubber=[(drag.start, now)], marker=now if word else None, word=word)  # type: ignore[attr-defined]
        if isinstance(drag, Measured):
            self.hint = (f"Release to set the {drag.name} · type a number, a formula or a name for it · Shift steps of the grid · "
                         "Ctrl suspends steps · Esc takes it back")
        else:
            self.hint = ("Release to place · type a number for the exact way · X, Y, Z lock an axis · Shift steps of the grid · "
                         "Ctrl suspends snapping · Esc takes it back")

    def _now(self, drag: Drag) -> Triple:
        """Where the handle is."""
        if isinstance(drag, Measured):
            return plus(drag.start, drag.axes[0], drag.grown)
        assert isinstance(drag, Travel)
        return drag.now

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        return [Handle("square" if isinstance(drag, Measured) else "dot", (self._now(drag),), "accent", hot=True)]
