"""Stops of the selected joint: a dot at each that can be dragged, or set exactly by typing."""

import math

import numpy as np

from mechstudio.application.scene.display_size import glyph_size, view_size
from mechstudio.application.scene.joints.stops import STOP, Scale, limit_scales, way_to
from mechstudio.application.tools.entry import Entry
from mechstudio.application.tools.eye import Eye, nearest_on_line, on_plane
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.handles.handle_places import flat
from mechstudio.application.tools.tool import Handle, Pointer, Preview, ToolContext
from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import Joint, Limit, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.rounding import step_above, stepped
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value, unit
from mechstudio.translation import tr

REACH = 9.0  # pixels within which a dot catches the pointer
STARTS_AFTER = 3.0  # pixels before a press becomes a drag
ROUND = 5.0  # degrees at which the stop of a turn is caught
# pixels from the joint at which the dot of a turn's stop stands clear of the arrows about the joint
CLEAR = 112.0
COARSE = 8.0  # pixels that the steps of a slide's stop are apart at least
SIDES = ("lower", "upper")


class LimitGrip(Grip):
    """Drags stops; one drag is one undo step."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.entry = Entry(context)
        self._hot: tuple[str, int, str] | None = None  # joint, index of the limit, side
        self._sized: tuple[Mechanism | None, float] = (None, 0.0)
        self.drop()

    def drop(self) -> None:
        super().drop()
        self.entry.text = ""
        self._held: tuple[str, int, str] | None = None
        self._pressed = (0.0, 0.0)
        self._value = 0.0

    # what there is to take hold of

    def _stops(self, eye: Eye) -> list[tuple[tuple[str, int, str], tuple[Triple, ...], str]]:
        """Each stop of the selected joints: which it is, from where to where its line goes on to
        its dot, its value in words.
        """
        m, out = (self.tentative or self.context.document.project).mechanism, []
        for id in self.context.selection.selected:
            joint = m.joints.get(id)
            if joint is None or not joint.limits:
                continue
            for scale in self._scales(m, joint):
                for side in SIDES:
                    q = getattr(joint.limits[scale.limit], side)
                    if q is not None:
                        far = max(STOP, CLEAR * eye.pixel_size(_triple(scale.origin)) / scale.glyph)
                        line = (
                            (_triple(scale.at(q.value)), _triple(scale.at(q.value, far)))
                            if scale.turning
                            else (_triple(scale.at(q.value)),)
                        )
                        out.append(
                            (
                                (id, scale.limit, side),
                                line,
                                self._words(joint, scale.limit, q.value),
                            )
                        )
        return out

    def _scales(self, m: Mechanism, joint: Joint) -> list[Scale]:
        if self._sized[0] is not m:
            self._sized = (m, glyph_size(m, view_size(m)))

        def pose(body: str) -> tuple[np.ndarray, np.ndarray]:
            place, turn = m.body(body).placement.pose
            return np.array(turn), np.array(place)

        return limit_scales(m, joint, self._sized[1], pose)

    def _words(self, joint: Joint, index: int, value: float) -> str:
        return tr(
            "stop {dimension}",
            dimension=format_value(value, _dimension(joint, index), self.context.units, 4),
        )

    def handles(self, eye: Eye) -> list[Handle]:
        hot = self._held or self._hot
        stops = self._stops(eye)
        return [
            *(Handle("line", line, hot=key == hot) for key, line, _ in stops if len(line) > 1),
            *(
                Handle("dot", line[-1:], word="" if self._held else word, hot=key == hot)
                for key, line, word in stops
            ),
        ]

    def _at(self, pointer: Pointer | None) -> tuple[str, int, str] | None:
        """The stop under the pointer."""
        if pointer is None or pointer.eye is None:
            return None
        near = [
            (math.dist(p, (pointer.x, pointer.y)), key)
            for key, line, _ in self._stops(pointer.eye)
            if (p := pointer.eye.pixel_of(line[-1])) is not None
        ]
        return min(near)[1] if near and min(near)[0] <= REACH else None

    def hover(self, pointer: Pointer | None) -> bool:
        self._hot = self._at(pointer)
        self.hint = (
            tr("Drag to set the stop · a number typed while dragging is exact")
            if self._hot is not None
            else ""
        )
        return self._hot is not None

    def takes(self, pointer: Pointer) -> bool:
        return self._at(pointer) is not None

    # dragging

    def press(self, pointer: Pointer) -> None:
        self.drop()
        self._held = self._hot = self._at(pointer)
        self._pressed = (pointer.x, pointer.y)
        found = self._now()
        if found is not None:
            joint, scale, side = found
            self._value = getattr(joint.limits[scale.limit], side).value

    def _now(self) -> tuple[Joint, Scale, str] | None:
        """Stop that is being dragged, as it stands in the document: joint, scale and side; None
        where an undo has taken it away.
        """
        if self._held is None:
            return None
        id, index, side = self._held
        m = self.context.document.project.mechanism
        joint = m.joints.get(id)
        if (
            joint is None
            or index >= len(joint.limits)
            or getattr(joint.limits[index], side) is None
        ):
            return None
        return next(((joint, s, side) for s in self._scales(m, joint) if s.limit == index), None)

    def move(self, pointer: Pointer) -> None:
        found = self._now()
        if (
            found is None
            or pointer.eye is None
            or (
                self.tentative is None
                and math.dist(self._pressed, (pointer.x, pointer.y)) < STARTS_AFTER
            )
        ):
            return
        joint, scale, side = found
        value = self._pointed(scale, pointer)
        if value is None:
            return
        if not pointer.ctrl:
            value = self._caught(scale, value, pointer)
        self._set(joint, scale, side, value)

    def _pointed(self, scale: Scale, pointer: Pointer) -> float | None:
        """The coordinate [m or rad] at which the pointer points."""
        eye, origin, first, second = (
            pointer.eye,
            _triple(scale.origin),
            _triple(scale.first),
            _triple(scale.second),
        )
        assert eye is not None
        if scale.track is not None:
            return self._along(scale, scale.track, pointer, eye)
        if not scale.turning:
            at = nearest_on_line(eye, pointer.x, pointer.y, origin, first)
            return None if at is None else float((np.array(at) - scale.origin) @ scale.first)
        place = on_plane(eye, pointer.x, pointer.y, WorkPlane("", origin, first, second))
        if place is None:
            return None
        d = np.array(place) - scale.origin
        if (
            float(np.linalg.norm(d)) < 0.2 * scale.glyph
        ):  # at the axis every angle is as near as any other
            return None
        angle = math.atan2(float(d @ scale.second), float(d @ scale.first))
        # the turn that is nearest to where the stop was last, so that it may be dragged on past
        # half a turn
        return self._value + math.remainder(angle - self._value, 2 * math.pi)

    def _along(
        self, scale: Scale, track: tuple[np.ndarray, np.ndarray, bool], pointer: Pointer, eye: Eye
    ) -> float | None:
        """The way along a curve where it is nearest to the pointer on the screen; on a closed one
        on the round of before.
        """
        seen = flat(eye, [_triple(p) for p in track[0]])
        if seen is None:
            return None
        way, whole = (
            way_to((np.array(seen), track[1], track[2]), np.array([pointer.x, pointer.y])),
            float(track[1][-1]),
        )
        return way + whole * round((self._value - way) / whole) if track[2] else way

    def _caught(self, scale: Scale, value: float, pointer: Pointer) -> float:
        """The nearest round value, unless Ctrl is held."""
        if scale.turning:
            return math.radians(round(math.degrees(value) / ROUND) * ROUND)
        assert pointer.eye is not None
        return stepped(
            value,
            step_above(
                COARSE * pointer.eye.pixel_size(_triple(scale.at(value))), self.context.units
            ),
        )

    def _set(self, joint: Joint, scale: Scale, side: str, value: float) -> None:
        limit = joint.limits[scale.limit]
        other = limit.upper if side == "lower" else limit.lower
        stopped = other is not None and (
            value >= other.value if side == "lower" else value <= other.value
        )
        if stopped:  # the joint must have room between them
            self.preview.label = tr("the other stop is in the way")
            return
        self._value = value
        self.tentative = self._with(
            joint, scale.limit, side, self._quantity(joint, scale.limit, value)
        )
        self.entry.now = value
        self.preview = Preview(
            label=self.entry.text + "▏"
            if self.entry.text
            else self._words(joint, scale.limit, value)
        )
        self.hint = tr(
            "Release to set the stop · type its value · Ctrl suspends snapping · Esc takes it back"
        )

    def _quantity(self, joint: Joint, index: int, value: float) -> Quantity:
        """The value with the text that a user would have typed, where that is the same number."""
        known = unit(_dimension(joint, index), self.context.units)
        text = f"{value / known.factor:.6g} {known.symbol}"
        same = abs(float(text.split()[0]) * known.factor - value) <= 1e-12 * max(abs(value), 1e-9)
        return Quantity(value, text if same else "")

    def _with(self, joint: Joint, index: int, side: str, value: Quantity) -> Project:
        limits: list[Limit] = list(joint.limits)
        limits[index] = replace(limits[index], **{side: value})
        return put_element(
            self.context.document.project, joint.id, replace(joint, limits=tuple(limits))
        )

    def release(self, pointer: Pointer) -> None:
        found = self._now()
        if found is not None and self.tentative is not None:
            self.move(pointer)
            self._commit(found, self.tentative, self._value)
        self.drop()

    def _commit(self, found: tuple[Joint, Scale, str], project: Project, value: float) -> None:
        joint, scale, side = found
        words = self._words(joint, scale.limit, value).removeprefix("stop ")
        self.context.document.commit(
            tr("Lower stop of {joint} {words}", joint=joint.name, words=words)
            if side == "lower"
            else tr("Upper stop of {joint} {words}", joint=joint.name, words=words),
            project,
        )

    # typing

    def key(self, key: str) -> bool:
        if not self.dragging:
            return False
        if key == "escape":
            self.drop()
        elif key == "enter" and self.entry.text:
            self._apply_typed()
        elif not self.entry.key(key):
            return False
        else:
            self.preview.label = self.entry.text + "▏"
        return True

    def wants(self, key: str) -> bool:
        return self.dragging and (key == "escape" or self.entry.wants(key))

    def _apply_typed(self) -> None:
        found = self._now()
        if found is None:
            return
        joint, scale, side = found
        self.entry.dimension = _dimension(joint, scale.limit)
        try:
            value, text = self.entry.value()
        except expression.ExpressionError as error:
            self.context.message = str(error)
            return
        limit = joint.limits[scale.limit]
        other = limit.upper if side == "lower" else limit.lower
        if other is not None and (
            value >= other.value if side == "lower" else value <= other.value
        ):
            words = self._words(joint, scale.limit, other.value).removeprefix("stop ")
            self.context.message = (
                tr("The lower stop must stand below the other one at {words}.", words=words)
                if side == "lower"
                else tr("The upper stop must stand above the other one at {words}.", words=words)
            )
            return
        self.context.message = ""
        self._commit(found, self._with(joint, scale.limit, side, Quantity(value, text)), value)
        self.drop()


def _dimension(joint: Joint, index: int) -> str:
    return JOINT_TYPES[joint.type].coordinates[joint.limits[index].coordinate].dimension


def _triple(v: np.ndarray) -> Triple:
    return (float(v[0]), float(v[1]), float(v[2]))
