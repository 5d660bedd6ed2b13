"""Selected forces: dots at their ends hold them elsewhere, and the tip of an arrow aims it."""

import math
from collections.abc import Hashable

from mechstudio.application.scene.display_size import view_size
from mechstudio.application.scene.forces import arrow_scale
from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import WORLD, Drag, Travel
from mechstudio.application.tools.handles.gizmo_positions import SMALLER, gizmo_positions, is_about
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition, flat
from mechstudio.application.tools.tool import Handle, Pointer, Preview, ToolContext
from mechstudio.model.edits.bodies.sizes import aim, drag_of, hold_at
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.project import Project
from mechstudio.model.rounding import step_below, stepped
from mechstudio.model.types.forces import BODY, FORCE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr

TIP = "tip"
# degrees on the screen between an arrow to move along and the arrow of the force itself, within
# which they are one to the eye
BESIDE = 14.0


class Aim(Travel):
    """The tip of an arrow: its length stands for the size of a force or torque.

    scale: length per newton or newton metre [m].  A typed number is the size; along a locked axis
    the change of that component.
    """

    def __init__(
        self,
        context: ToolContext,
        foot: Triple,
        tip: Triple,
        pointer: Pointer,
        scale: float,
        moment: bool,
    ) -> None:
        super().__init__(context, tip, WORLD, pointer, anchor=foot, snaps=False)
        self.scale = scale
        self.dimension = self.entry.dimension = "torque" if moment else "force"

    @property
    def typed(self) -> float | None:
        found = super().typed
        return None if found is None else found * self.scale

    @property
    def vector(self) -> Triple:
        """The force or torque in W [N or N m]; to round sizes unless typed or with Ctrl."""
        assert self.anchor is not None
        way = minus(self.now, self.anchor)
        size = math.sqrt(sum(c * c for c in way)) / self.scale
        if self.entry.text or self.pointer.ctrl or size == 0 or self.eye is None:
            return plus((0.0, 0.0, 0.0), way, 1.0 / self.scale)
        # a few pixels apart, for sizes that are pleasant to read
        step = step_below(
            4.0 * self.eye.pixel_size(self.now) / self.scale, self.context.units, self.dimension
        )
        return plus((0.0, 0.0, 0.0), way, max(stepped(size, step), step) / size / self.scale)

    @property
    def label(self) -> str:
        size = math.sqrt(sum(c * c for c in self.vector))
        return f"{self._shown(size)}   {self._direction()}"


class ForceGrip(HandleGrip):
    """Ends of springs, dampers and bushings, the point and the tip of an arrow."""

    looks = True
    _body = ""  # the body that takes the end that is dragged
    _near_end: tuple[str, str] = (
        "",
        "",
    )  # the end that the pointer was on last, which shows arrows to move it along

    def _forces(self) -> list[Force]:
        known = self.context.document.project.mechanism.forces
        return [
            known[id] for id in self.context.selection.selected if id in known and known[id].visible
        ]

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        m, out = self.context.document.project.mechanism, []
        for force in self._forces():
            kind = FORCE_TYPES[force.type]
            for side in ("frame_a", "frame_b"):
                frame = getattr(force, side)
                if frame is not None:
                    at = m.frame_in_world(frame)[0]
                    out.append(
                        self._handle_position((force.id, side), at, tr("move it to another point"))
                    )
                    if self._near_end == (force.id, side):
                        out += self._arrows(eye, force, side, at)
            if (
                kind.attachment == BODY
                and not {"x", "y", "z"} & force.laws.keys()
                and any(drag_of(self.context.document.project, force.id))
            ):
                out.append(
                    self._handle_position(
                        (force.id, TIP), self._tip(force), tr("drag direction and size")
                    )
                )
        return out

    def _arrows(self, eye: Eye, force: Force, side: str, at: Triple) -> list[HandlePosition]:
        """Arrows to move an end along the axes of W, without the one that the force's own arrow
        covers.
        """
        handle_positions = gizmo_positions(
            eye,
            at,
            WORLD,
            SMALLER * self.context.scale,
            self._hot,
            turns=False,
            planes=False,
            of=(force.id, side),
            what=tr("the end"),
        )
        own = (
            flat(eye, (self._foot(force), self._tip(force)))
            if FORCE_TYPES[force.type].attachment == BODY
            else None
        )
        if own is None:
            return handle_positions
        heading = lambda line: math.atan2(line[1][1] - line[0][1], line[1][0] - line[0][0])
        apart = lambda line: abs(math.remainder(heading(line) - heading(own), 2 * math.pi))
        return [
            s
            for s in handle_positions
            if (line := flat(eye, s.handle.points)) is not None
            and apart(line) > math.radians(BESIDE)
        ]

    def hover(self, pointer: Pointer | None) -> bool:
        found = super().hover(pointer)
        if isinstance(self._hot, tuple) and self._hot[1] != TIP:
            self._near_end = self._hot[:2]  # type: ignore[assignment]
        elif self._near_end[0]:
            m = self.context.document.project.mechanism
            frame = next(
                (
                    getattr(f, self._near_end[1])
                    for f in self._forces()
                    if f.id == self._near_end[0]
                ),
                None,
            )
            if (
                pointer is None
                or frame is None
                or not is_about(pointer, m.frame_in_world(frame)[0], self.context.scale)
            ):
                self._near_end = ("", "")
        return found

    def _handle_position(self, key: tuple[str, str], at: Triple, word: str) -> HandlePosition:
        return HandlePosition(key, Handle("dot", (at,), "accent", word, key == self._hot))

    def _scale(self, force: Force) -> float:
        m = self.context.document.project.mechanism
        return arrow_scale(m, FORCE_TYPES[force.type].moment, view_size(m))

    def _foot(self, force: Force) -> Triple:
        frame = force.frame_b or force.frame_a
        assert frame is not None
        return self.context.document.project.mechanism.frame_in_world(frame)[0]

    def _tip(self, force: Force) -> Triple:
        return plus(
            self._foot(force), drag_of(self.context.document.project, force.id), self._scale(force)
        )

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        assert isinstance(key, tuple)
        id, side = key[:2]
        m = self.context.document.project.mechanism
        force = m.forces[id]
        if side == TIP:
            return Aim(
                self.context,
                self._foot(force),
                self._tip(force),
                pointer,
                self._scale(force),
                FORCE_TYPES[force.type].moment,
            )
        self._body = getattr(force, side).body
        return Travel(
            self.context,
            m.frame_in_world(getattr(force, side))[0],
            WORLD,
            pointer,
            (key[3], False) if len(key) > 2 else None,
        )

    def result(self, drag: Drag) -> Project:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        project, (id, side) = self.context.document.project, self._key[:2]
        if isinstance(drag, Aim):
            return aim(project, id, drag.vector)
        force = project.mechanism.forces[id]
        other = getattr(force, "frame_a" if side == "frame_b" else "frame_b")
        body = self._target(drag, id)
        if body == GROUND and FORCE_TYPES[force.type].attachment == BODY:
            raise ExpressionError(
                tr("{force} acts on a body: drop its point on one.", force=force.name)
            )
        if other is not None and math.dist(
            project.mechanism.frame_in_world(other)[0], drag.now
        ) <= 1e-9 * max(project.mechanism.size(), 1e-6):
            raise ExpressionError(
                tr("The two ends of {force} cannot stand at the same place.", force=force.name)
            )
        return hold_at(project, id, side, body, drag.now)

    def _target(self, drag: Travel, id: str) -> str:
        """The body that takes the end: that of the snap, that under the pointer, else the ground;
        its own one where an axis or a number decides.
        """
        if drag.lock is None and not drag.entry.text:
            if drag.here is not None and drag.here.body:
                self._body = drag.here.body
            elif drag.pointer.body:
                self._body = drag.pointer.body
            elif drag.pointer.element != id:  # under its own coil is whatever was there before
                self._body = GROUND
        return self._body

    def shows_result(self, drag: Drag) -> bool:
        # the longest arrow of a scene always has the same length, so that the scene could not
        # follow the tip
        return not isinstance(drag, Aim)

    def words(self, drag: Drag) -> str:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        m, (id, side) = self.context.document.project.mechanism, self._key[:2]
        if isinstance(drag, Aim):
            size = math.sqrt(sum(c * c for c in drag.vector))
            return tr(
                "Aim {force} {size}",
                force=m.forces[id].name,
                size=format_value(size, drag.dimension, self.context.units, 4),
            )
        return (
            tr(
                "Move end of {force} to {body}",
                force=m.forces[id].name,
                body=m.body(self._body).name,
            )
            if self._body != getattr(m.forces[id], side).body
            else tr("Move end of {force} {drag}", force=m.forces[id].name, drag=drag.words(False))
        )

    def show(self, drag: Drag) -> None:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        if isinstance(drag, Aim):
            self.preview = Preview(label=drag.label)
            self.hint = tr(
                "Release to aim · type a number for the exact size · X, Y, Z lock an axis · Shift "
                "steps of 15 deg · Esc takes it back"
            )
            return
        body = self.context.document.project.mechanism.body(self._body).name
        self.preview = Preview(
            label=tr("{drag}   on {body}", drag=tr(drag.label), body=body),
            marker=drag.now,
            word=drag.word,
        )
        self.hint = tr(
            "Release to hold it there · X, Y, Z lock an axis · Ctrl suspends snapping · Esc takes "
            "it back"
        )

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        assert isinstance(drag, Travel)
        out = self.guides(eye, drag)
        if isinstance(drag, Aim) and drag.anchor is not None:
            out.append(
                Handle(
                    "arrow",
                    (drag.anchor, plus(drag.anchor, drag.vector, drag.scale)),
                    "vector",
                    hot=True,
                )
            )
        return [*out, Handle("dot", (drag.now,), "accent", hot=True)]
