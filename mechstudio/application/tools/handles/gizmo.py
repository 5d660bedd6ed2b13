"""The gizmo of the selection: arrows to move along, arcs to turn about, squares to move in a plane,
and a dot to move freely.
"""

import math
from collections.abc import Hashable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import (
    WORLD,
    Axes,
    Drag,
    Rigid,
    Travel,
    view_direction,
)
from mechstudio.application.tools.handles.gizmo_positions import (
    ARROW,
    ARROW_FADES,
    FREE,
    PLANE,
    ROLES,
    TURN,
    gizmo_positions,
)
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition
from mechstudio.application.tools.handles.rotation import Turning
from mechstudio.application.tools.tool import Handle, Pointer, Preview, ToolContext
from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.edits.poses.anchors import anchored_at
from mechstudio.model.edits.poses.motion import move, turn_joint
from mechstudio.model.findings import listed
from mechstudio.model.geometry.rotation import Triple, plus, rotate, transform, triple
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

PIE = 52.0  # radius of a turn's sector [px]


class GizmoGrip(HandleGrip):
    """Moves and turns what is selected as one rigid piece; joints stay closed
    (model/edits/poses/motion.py).
    """

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._kept: tuple = (None, None, None)
        self._centers: dict[int, tuple[Body, Triple]] = {}

    # the element that it stands on

    @property
    def targets(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Bodies and joints among what is selected, as far as they are shown; the ground only with
        something drawn of it.
        """
        m = self.context.document.project.mechanism
        chosen = self.context.selection.selected
        bodies = tuple(
            id
            for id in chosen
            if (id in m.bodies and m.bodies[id].visible)
            or (id == GROUND and m.ground.shapes and m.ground.visible)
        )
        return bodies, tuple(id for id in chosen if id in m.joints and m.joints[id].visible)

    def _center(self, body: Body) -> Triple:
        """Place of the gizmo on a body, in W."""
        if self.context.pivot == "origin" and body.id != GROUND:
            return values(body.placement.position)  # type: ignore[return-value]
        known = self._centers.get(id(body))
        if known is None or known[0] is not body:
            if len(self._centers) > 500:
                self._centers.clear()
            if body.id == GROUND:
                at = [values(s.placement.position) for s in body.shapes]
                center: Triple = triple(sum(p[k] for p in at) / len(at) for k in range(3))
            else:
                center = transform(body.placement.pose, mass_properties(body).center)
            known = self._centers[id(body)] = (body, center)
        return known[1]

    def place(self) -> tuple[Triple, Axes] | None:
        """The middle and the axes of the gizmo in W; None where there is nothing to move."""
        context = self.context
        m, key = (
            context.document.project.mechanism,
            (context.selection.selected, context.axes, context.pivot),
        )
        if self._kept[0] is m and self._kept[1] == key:
            return self._kept[2]
        bodies, joints = self.targets
        at = [self._center(m.body(id)) for id in bodies] or [
            m.frame_in_world(m.joints[id].frame_a)[0] for id in joints
        ]
        found = None
        if at and all(math.isfinite(c) for p in at for c in p):
            middle: Triple = triple(sum(p[k] for p in at) / len(at) for k in range(3))
            found = middle, self._axes(bodies, joints)
        self._kept = (m, key, found)
        return found

    def _axes(self, bodies: tuple[str, ...], joints: tuple[str, ...]) -> Axes:
        m = self.context.document.project.mechanism
        if self.context.axes != "body":
            return WORLD
        q = (
            m.body(bodies[-1]).placement.quaternion
            if bodies
            else m.frame_in_world(m.joints[joints[-1]].frame_a)[1]
        )
        return tuple(rotate(q, axis) for axis in WORLD)  # type: ignore[return-value]

    # its handles

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        place = self.place()
        return self._positions(eye, *place) if place is not None else []

    def _positions(self, eye: Eye, c: Triple, axes: Axes) -> list[HandlePosition]:
        own = tr("its own ") if self.context.axes == "body" else ""
        word = tr("move it over its bodies, which stay") if self._anchor else tr("move freely")
        free = HandlePosition(
            (FREE, 0), Handle("dot", (c,), "accent", word, self._hot == (FREE, 0))
        )
        return [
            *gizmo_positions(eye, c, axes, self.context.scale, self._hot, own, self._turns),
            free,
        ]

    @property
    def _anchor(self) -> str:
        """The one joint that is selected, whose mark moves over its bodies; "" for any other
        choice, and for a rod, which has two marks.
        """
        bodies, joints = self.targets
        m = self.context.document.project.mechanism
        alone = not bodies and len(joints) == 1
        return (
            joints[0] if alone and not JOINT_TYPES[m.joints[joints[0]].type].holds_distance else ""
        )

    @property
    def _turns(self) -> bool:
        """True if there is something to rotate: a rod has no axis."""
        bodies, joints = self.targets
        m = self.context.document.project.mechanism
        return (
            bool(bodies)
            or len(joints) > 1
            or any(
                not JOINT_TYPES[m.joints[id].type].holds_distance
                and JOINT_TYPES[m.joints[id].type].rows
                for id in joints
            )
        )

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        """The locked axis as a line, and the handle at hand."""
        now = drag.now if isinstance(drag, Travel) else drag.start
        out = self.guides(eye, drag)
        if isinstance(drag, Travel) and drag.lock is not None:
            px = eye.pixel_size(now) * self.context.scale
            out += [
                Handle(
                    "arrow",
                    (
                        plus(now, drag.axes[k], ARROW[0] * px),
                        plus(now, drag.axes[k], ARROW[1] * px),
                    ),
                    ROLES[k],
                    hot=not drag.lock[1],
                )
                for k in drag.free
                if abs(dot(drag.axes[k], view_direction(eye, now))) < ARROW_FADES[1]
            ]
        return [*out, Handle("dot", (now,), "accent", hot=drag.lock is None)]

    # dragging

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        place = self.place()
        if place is None or not isinstance(key, tuple):
            return None
        center, axes = place
        if key[0] == TURN:
            return Turning(self.context, center, axes, pointer, key[1])
        bodies, joints = self.targets
        m = self.context.document.project.mechanism
        # what comes along cannot catch itself
        along = frozenset(
            m.frame_in_world(f)[0]
            for id, j in m.joints.items()
            if id in joints or {j.frame_a.body, j.frame_b.body} & {*bodies}
            for f in (j.frame_a, j.frame_b)
        )
        lock = None if key[0] == FREE else (key[1], key[0] == PLANE)
        return Travel(
            self.context,
            center,
            axes,
            pointer,
            lock,
            exclude=along,
            exclude_bodies=frozenset(bodies),
        )

    def show(self, drag: Drag) -> None:
        if isinstance(drag, Travel):
            self.preview = Preview(label=drag.label, rubber=[(drag.start, drag.now)])
            if drag.word:
                self.preview.marker, self.preview.word = drag.now, drag.word
            what, steps = tr("distance"), tr("Shift steps of the grid")
        else:
            assert isinstance(drag, Turning)
            eye = drag.eye
            self.preview = Preview(
                label=drag.label,
                areas=[drag.sector(eye, PIE * self.context.scale)]
                if eye is not None and drag.angle
                else [],
            )
            what, steps = tr("angle"), tr("Shift steps of 15 deg")
        self.hint = tr(
            "Release to place · type a number for the exact {what} · X, Y, Z lock an axis · "
            "{steps} · Ctrl suspends snapping · Esc takes it back",
            what=what,
            steps=steps,
        )

    def result(self, drag: Drag) -> Project:
        project, (bodies, joints) = self.context.document.project, self.targets
        if isinstance(drag, Turning) and not bodies and len(joints) == 1:
            return turn_joint(project, joints[0], drag.axis, drag.angle)
        assert isinstance(drag, Rigid)
        if self._key == (FREE, 0) and self._anchor:
            assert isinstance(drag, Travel)
            return anchored_at(project, self._anchor, drag.now)
        moved = move(project, drag.motion, bodies, joints)
        if (
            isinstance(drag, Travel)
            and drag.typed is not None
            and drag.axes == WORLD
            and len(drag.free) == 1
        ):
            moved = self._typed(moved, bodies, drag.free[0], Quantity(*drag.entry.value()))
        return moved

    def _typed(self, moved: Project, bodies: tuple[str, ...], axis: int, way: Quantity) -> Project:
        """A coordinate that was zero is what was typed, text and all."""
        before = self.context.document.project.mechanism.bodies
        for id in bodies:
            if id in before and before[id].placement.position[axis].value == 0.0:
                body = moved.mechanism.bodies[id]
                position = tuple(
                    way if k == axis and abs(q.value - way.value) <= 1e-12 * abs(way.value) else q
                    for k, q in enumerate(body.placement.position)
                )
                moved = put_element(
                    moved, id, replace(body, placement=replace(body.placement, position=position))
                )
        return moved

    def words(self, drag: Drag) -> str:
        assert isinstance(drag, Travel | Turning)
        return (
            f"{'Move' if isinstance(drag, Travel) else 'Turn'} {self._names()} "
            f"{drag.words(drag.axes != WORLD)}"
        )

    def _names(self) -> str:
        """Phrase for the elements that are being moved: up to two names, else a count."""
        m, (bodies, joints) = self.context.document.project.mechanism, self.targets
        names = [m.body(id).name for id in bodies] + [
            tr("joint {joint}", joint=m.joints[id].name) for id in joints
        ]
        if len(names) <= 2:
            return listed(names)
        if not joints:
            return tr("{count} bodies", count=len(names))
        if not bodies:
            return tr("{count} joints", count=len(names))
        return tr("{count} things", count=len(names))
