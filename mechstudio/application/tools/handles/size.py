"""The sizes of selected bodies: squares on faces drag dimensions, dots drag corners of plates and
named points.  The squares stand on their faces, or off them on a stem where the arrows of the
gizmo or another square have that place.
"""

import math
from collections.abc import Hashable, Iterable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import (
    WORLD,
    Axes,
    Drag,
    Measured,
    Travel,
    view_direction,
)
from mechstudio.application.tools.handles.gizmo import PIE, GizmoGrip
from mechstudio.application.tools.handles.gizmo_positions import (
    MOVE,
    SMALLER,
    TURN,
    gizmo_positions,
    is_about,
)
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition, flat, gap_of
from mechstudio.application.tools.handles.rotation import Turning
from mechstudio.application.tools.tool import Handle, Pointer, Preview, ToolContext
from mechstudio.model.edits.bodies.points import turn_frame
from mechstudio.model.edits.bodies.sizes import face, move_corner, resize
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.poses.motion import move_named_point
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import (
    Pose,
    Triple,
    compose,
    conjugate,
    minus,
    plus,
    rotate,
    transform,
    triple,
)
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.mechanism import GROUND, Body, Mechanism, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr

MANY = 3  # shapes above which only the one under the pointer shows handles for its sizes
HIDDEN = 0.93  # cosine to the line of sight beyond which a face cannot be dragged
# in pixels: least distance of a square from the middle of its dimension, and from lines and spots
# of other handles
OFF_MIDDLE, CLEAR = 15.0, 12.0
STEP, STEPS = 17.0, 8  # how far it moves on at a time, and how often: beyond the tips of the arrows
SIZE, CORNER, POINT = "size", "corner", "point"


class SizeGrip(HandleGrip):
    """Handles for what a body consists of."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._gizmo = GizmoGrip(context)  # to keep clear of its arrows
        self._stems: list[Handle] = []
        # of bodies of many shapes the one that the pointer was on last; the point that it was on
        # last, which shows its arrows
        self._near: tuple[str, int] = ("", 0)
        self._point: tuple[str, str] = ("", "")

    def _bodies(self) -> list[Body]:
        m = self.context.document.project.mechanism
        chosen = [id for id in self.context.selection.selected if id in m.bodies or id == GROUND]
        return [m.body(id) for id in chosen if m.body(id).visible] if len(chosen) == 1 else []

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        m, out = self.context.document.project.mechanism, []
        self._stems = []
        for body in self._bodies():
            squares: list[HandlePosition] = []
            taken = self._taken(eye, body)
            for k, shape in enumerate(body.shapes):
                pose = pose_of(m, body, k)
                if len(body.shapes) <= MANY or self._near == (body.id, k):
                    squares += self._squares(eye, body.id, k, shape, pose, taken)
                for i, corner in enumerate(shape.outline):
                    x, z = values(corner)
                    out.append(
                        self._handle_position(
                            (CORNER, body.id, k, i),
                            "dot",
                            transform(pose, (x, 0.0, z)),
                            tr("drag corner {i}", i=i + 1),
                        )
                    )
            for point in body.points:
                at = transform(body.placement.pose, values(point.position))
                out.append(
                    self._handle_position(
                        (POINT, body.id, point.name, 0),
                        "dot",
                        at,
                        tr("drag {point}", point=point.name),
                    )
                )
                if self._point == (body.id, point.name):
                    out += gizmo_positions(
                        eye,
                        at,
                        self._axes(body),
                        SMALLER * self.context.scale,
                        self._hot,
                        self._own,
                        point.orientation is not None,
                        False,
                        (POINT, body.id, point.name),
                        point.name,
                    )
            out += squares
        return out

    def _squares(
        self,
        eye: Eye,
        id: str,
        k: int,
        shape: Shape,
        pose: Pose,
        taken: list[list[tuple[float, float]]],
    ) -> list[HandlePosition]:
        """One for each side of a shape on which it can be dragged; `taken` grows by their
        places.
        """
        out = []
        for i, size in enumerate(SHAPE_TYPES[shape.type].sizes):
            local, way = face(shape, size), rotate(pose[1], size.way)
            at = transform(pose, local)
            if abs(dot(way, view_direction(eye, at))) >= HIDDEN:
                continue
            middle = transform(pose, triple(0.0 if w else c for c, w in zip(local, size.way)))
            off = stood_off(eye, middle, at, way, taken, self.context.scale)
            out.append(
                self._handle_position(
                    (SIZE, id, k, i),
                    "square",
                    off,
                    tr("drag the {label}", label=self._label(shape.type, size.dimension)),
                )
            )
            if off != at:
                self._stems.append(Handle("line", (at, off), "accent", fade=0.6))
            if (place := flat(eye, (off,))) is not None:
                taken.append(place)
        return out

    def _taken(self, eye: Eye, body: Body) -> list[list[tuple[float, float]]]:
        """Lines that the squares keep clear of [px]: those of the gizmo, and the ends of a link."""
        lines = [
            handle_position.handle.points for handle_position in self._gizmo.handle_positions(eye)
        ] + [(end,) for end in link_ends(body) or ()]
        return [line for points in lines if (line := flat(eye, points)) is not None]

    def handles(self, eye: Eye) -> list[Handle]:
        found = super().handles(eye)
        return (
            found
            if (self._drag is not None and self._drag.begun) or not found
            else [*self._stems, *found]
        )

    def hover(self, pointer: Pointer | None) -> bool:
        if (
            pointer is not None
            and pointer.surface is not None
            and self.context.selection.selected == (pointer.body,)
        ):
            m = self.context.document.project.mechanism
            if (pointer.body in m.bodies or pointer.body == GROUND) and len(
                m.body(pointer.body).shapes
            ) > MANY:
                self._near = (pointer.body, nearest_shape(m, m.body(pointer.body), pointer.surface))
        found = super().hover(pointer)
        if isinstance(self._hot, tuple) and self._hot[0] == POINT:
            self._point = (self._hot[1], self._hot[2])
        elif (
            (at := self._shown_point()) is None
            or pointer is None
            or not is_about(pointer, at, self.context.scale)
        ):
            self._point = ("", "")
        return found

    def _shown_point(self) -> Triple | None:
        """The place [m, W] of the point that shows its arrows."""
        body = next(
            (
                b
                for b in self._bodies()
                if b.id == self._point[0] and any(p.name == self._point[1] for p in b.points)
            ),
            None,
        )
        return None if body is None else transform(body.placement.pose, body.point(self._point[1]))

    @property
    def alone(self) -> bool:  # type: ignore[override]
        return self._shown_point() is not None

    @property
    def _own(self) -> str:
        return tr("its own ") if self.context.axes == "body" else ""

    def _handle_position(self, key: tuple, kind: str, at: Triple, word: str) -> HandlePosition:
        return HandlePosition(key, Handle(kind, (at,), "accent", word, key == self._hot))

    @staticmethod
    def _label(type: str, dimension: str) -> str:
        return next(d.label for d in SHAPE_TYPES[type].dimensions if d.name == dimension).lower()

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        assert isinstance(key, tuple)
        kind, id, k, i = key[:4]
        m = self.context.document.project.mechanism
        body = m.body(id)
        if kind == POINT:
            at = transform(body.placement.pose, body.point(k))
            if i == TURN:
                return Turning(self.context, at, self._axes(body), pointer, key[4])
            return Travel(
                self.context, at, self._axes(body), pointer, (key[4], False) if i == MOVE else None
            )
        pose, shape = pose_of(m, body, k), body.shapes[k]
        if kind == CORNER:
            x, z = values(shape.outline[i])
            axes = triple(rotate(pose[1], a) for a in WORLD)
            at = transform(pose, (x, 0.0, z))
            return Travel(
                self.context, at, axes, pointer, (1, True), exclude_bodies=frozenset((id,))
            )  # type: ignore[arg-type]
        size = SHAPE_TYPES[shape.type].sizes[i]
        zero = next(d.zero for d in SHAPE_TYPES[shape.type].dimensions if d.name == size.dimension)
        return Measured(
            self.context,
            transform(pose, face(shape, size)),
            rotate(pose[1], size.way),
            pointer,
            shape.dimensions[size.dimension].value,
            size.rate,
            self._label(shape.type, size.dimension),
            zero,
        )

    def _axes(self, body: Body) -> Axes:
        return (
            WORLD
            if self.context.axes == "world"
            else triple(rotate(body.placement.quaternion, a) for a in WORLD)
        )

    def result(self, drag: Drag) -> Project:
        assert isinstance(self._key, tuple)
        project, (kind, id, k, i) = self.context.document.project, self._key[:4]
        body = project.mechanism.body(id)
        if isinstance(drag, Turning):
            return turn_frame(project, id, k, drag.axis, drag.angle)
        if isinstance(drag, Measured):
            size = SHAPE_TYPES[body.shapes[k].type].sizes[i]
            return resize(project, id, k, size, Quantity(drag.value, drag.text()))
        assert isinstance(drag, Travel)
        if kind == POINT:
            return move_named_point(project, id, k, drag.now)
        pose = pose_of(project.mechanism, body, k)
        x, _y, z = rotate(conjugate(pose[1]), minus(drag.now, pose[0]))
        if any(
            abs(x - values(c)[0]) + abs(z - values(c)[1]) < 1e-9
            for j, c in enumerate(body.shapes[k].outline)
            if j != i
        ):
            raise ExpressionError(tr("Two corners of a plate cannot stand at the same place."))
        return move_corner(project, id, k, i, round(x, 15), round(z, 15))

    def words(self, drag: Drag) -> str:
        assert isinstance(self._key, tuple)
        kind, id, k, i = self._key[:4]
        name = self.context.document.project.mechanism.body(id).name
        if isinstance(drag, Measured):
            return tr(
                "{drag} of {name} {format_value}",
                drag=drag.name[:1].upper() + drag.name[1:],
                name=name,
                format_value=format_value(drag.value, "length", self.context.units),
            )
        assert isinstance(drag, Travel | Turning)
        if isinstance(drag, Turning):
            return tr(
                "Turn {number} of {name} {drag}",
                number=k,
                name=name,
                drag=drag.words(drag.axes != WORLD),
            )
        return tr(
            "Move {number} of {name} {drag}",
            number=k if kind == POINT else tr("corner {i}", i=i + 1),
            name=name,
            drag=drag.words(drag.axes != WORLD),
        )

    def show(self, drag: Drag) -> None:
        if isinstance(drag, Turning):
            areas = (
                [drag.sector(drag.eye, PIE * SMALLER * self.context.scale)]
                if drag.eye is not None and drag.angle
                else []
            )
            self.preview = Preview(label=drag.label, areas=areas)
            self.hint = tr(
                "Release to turn · type the exact angle · X Y Z another axis · Shift: steps of 15 "
                "deg · Esc takes it back"
            )
            return
        now = self._now(drag)
        word = drag.word if isinstance(drag, Travel) else ""
        self.preview = Preview(
            label=drag.label, rubber=[(drag.start, now)], marker=now if word else None, word=word
        )
        if isinstance(drag, Measured):
            self.hint = tr(
                "Release to set the {drag} · type a number, formula or name · Shift: steps of the "
                "grid · Ctrl: any · Esc takes it back",
                drag=drag.name,
            )
        else:
            self.hint = tr(
                "Release to place · type the exact way · X Y Z lock an axis · Shift: steps of the "
                "grid · Ctrl: no snapping · Esc takes it back"
            )

    def _now(self, drag: Drag) -> Triple:
        """Place of the handle now."""
        if isinstance(drag, Measured):
            return plus(drag.start, drag.axes[0], drag.grown)
        return drag.now if isinstance(drag, Travel) else drag.start

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        guides = self.guides(eye, drag) if not isinstance(drag, Measured) else []
        return [
            *guides,
            Handle(
                "square" if isinstance(drag, Measured) else "dot",
                (self._now(drag),),
                "accent",
                hot=True,
            ),
        ]


def pose_of(m: Mechanism, body: Body, index: int) -> Pose:
    """A shape's axes in W."""
    return compose(body.placement.pose, body.shapes[index].placement.pose)


def stood_off(
    eye: Eye,
    middle: Triple,
    at: Triple,
    way: Triple,
    taken: Iterable[list[tuple[float, float]]],
    scale: float,
) -> Triple:
    """The place [m, W] of a square that belongs at `at`, moved on along the unit direction `way`
    until it is clear of the lines `taken` [px].

    middle: the place [m, W] that its face would come to with a size of zero.
    """
    pixel = eye.pixel_size(at)
    line = flat(eye, (middle, at, plus(at, way, 10.0 * pixel)))
    if line is None:
        return at
    per_pixel = 10.0 * pixel / max(math.dist(line[1], line[2]), 1e-6)
    least = max(0.0, OFF_MIDDLE * scale - math.dist(line[0], line[1]))
    (x, y), (u, v) = (
        line[1],
        ((b - a) / max(math.dist(line[1], line[2]), 1e-6) for a, b in zip(line[1], line[2])),
    )
    for k in range(STEPS):
        off = least + k * STEP * scale
        if all(gap_of(other, x + off * u, y + off * v) > CLEAR * scale for other in taken):
            return plus(at, way, off * per_pixel)
    return plus(at, way, least * per_pixel)


def nearest_shape(m: Mechanism, body: Body, point: Triple) -> int:
    """The index of the shape on whose surface a point of W lies, as far as their boxes show."""
    return min(
        range(len(body.shapes)),
        key=lambda k: abs(
            _gap_to_box(
                body.shapes[k],
                rotate(conjugate((pose := pose_of(m, body, k))[1]), minus(point, pose[0])),
            )
        ),
    )


def _gap_to_box(shape: Shape, point: Triple) -> float:
    """Distance from a point in the shape's axes to the box about the shape [m]; negative within."""
    at, q = shape.placement.pose
    named = [rotate(conjugate(q), minus(p, at)) for p in shape.points().values()]
    corners = [
        *named,
        *(face(shape, size) for size in SHAPE_TYPES[shape.type].sizes),
        *((x, 0.0, z) for x, z in map(values, shape.outline)),
    ]
    return (
        max(
            max(min(c[k] for c in corners) - point[k], point[k] - max(c[k] for c in corners))
            for k in range(3)
        )
        if corners
        else math.inf
    )
