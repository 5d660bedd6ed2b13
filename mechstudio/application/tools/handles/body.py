"""A body that no joint holds moves with the pointer: in the work plane, its points catching those
of others.
"""

import math
from collections.abc import Hashable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import WORLD, Drag, Travel
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition
from mechstudio.application.tools.snapping.snap import REACH
from mechstudio.application.tools.tool import Handle, Pointer, Preview
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.poses.motion import move
from mechstudio.model.findings import listed
from mechstudio.model.geometry.rotation import Triple, transform
from mechstudio.model.project import Project
from mechstudio.model.quantity import values
from mechstudio.translation import Words, tr

LOOSE: Words = "Drag to move it in the work plane"


class BodyGrip(HandleGrip):
    """Drags a loose body, and with it the loose ones that are selected too."""

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        return []

    def _under(self, pointer: Pointer) -> Hashable | None:
        return pointer.body if pointer.eye is not None and self._loose(pointer.body) else None

    def hover(self, pointer: Pointer | None) -> bool:
        found = pointer is not None and self.takes(pointer)
        self.cursor, self.hint = ("open_hand", tr(LOOSE)) if found else ("", "")
        return found

    def _loose(self, id: str) -> bool:
        m = self.context.document.project.mechanism
        return id in m.bodies and not any(
            id in (j.frame_a.body, j.frame_b.body) for j in m.joints.values()
        )

    @property
    def _bodies(self) -> tuple[str, ...]:
        """Bodies that move: the body under the pointer, with all loose ones of the selection if it
        is one of them.
        """
        chosen = self.context.selection.selected
        assert isinstance(self._key, str)
        return (
            tuple(id for id in chosen if self._loose(id)) if self._key in chosen else (self._key,)
        )

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        assert isinstance(key, str)
        assert pointer.eye is not None
        body = self.context.document.project.mechanism.bodies[key]
        ends = link_ends(body)
        points = (
            [*ends]
            if ends is not None
            else [transform(body.placement.pose, p) for p in body.named_points().values()]
        )
        points += [values(body.placement.position)] if ends is None else []
        # taken near one of its points, that point is what catches others; taken elsewhere it moves
        # freely
        near = [
            (math.dist(flat, (pointer.x, pointer.y)), p)
            for p in points
            if (flat := pointer.eye.pixel_of(p)) is not None
        ]
        if near and min(near)[0] <= 1.3 * REACH * self.context.scale:
            return Travel(
                self.context,
                min(near)[1],
                WORLD,
                pointer,
                exclude=frozenset(points),
                exclude_bodies=frozenset(self._bodies),
            )
        start: Triple | None = pointer.surface or pointer.point
        return None if start is None else Travel(self.context, start, WORLD, pointer, snaps=False)

    def result(self, drag: Drag) -> Project:
        assert isinstance(drag, Travel)
        return move(self.context.document.project, drag.motion, self._bodies)

    def words(self, drag: Drag) -> str:
        assert isinstance(drag, Travel)
        names = [self.context.document.project.mechanism.bodies[id].name for id in self._bodies]
        return tr(
            "Move {names} {drag}",
            names=listed(names) if len(names) <= 2 else tr("{count} bodies", count=len(names)),
            drag=drag.words(False),
        )

    def show(self, drag: Drag) -> None:
        assert isinstance(drag, Travel)
        self.preview = Preview(
            label=drag.label,
            marker=drag.now if drag.word else None,
            word=drag.word,
            rubber=[(drag.start, drag.now)],
        )
        self.hint = tr(
            "Release to place · type the exact way · X Y Z lock an axis · Shift: steps of the "
            "grid · Ctrl: no snapping · Esc takes it back"
        )

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        return self.guides(eye, drag)
