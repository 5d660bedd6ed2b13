"""The two ends of selected links: dragging one stretches the link, joints stay closed."""

from collections.abc import Hashable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import WORLD, Drag, Travel
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition
from mechstudio.application.tools.tool import Handle, Pointer, Preview
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.edits.poses.motion import stretch_to
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import rotate, triple
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value
from mechstudio.translation import tr

WORDS = ("start", "end")


class EndGrip(HandleGrip):
    """Squares at the ends of links; a typed number is the length."""

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        bodies, out = self.context.document.project.mechanism.bodies, []
        for id in self.context.selection.selected:
            ends = link_ends(bodies[id]) if id in bodies and bodies[id].visible else None
            for k, end in enumerate(ends or ()):
                key = (id, k)
                out.append(
                    HandlePosition(
                        key,
                        Handle(
                            "square",
                            (end,),
                            "accent",
                            tr("drag the {number}", number=WORDS[k]),
                            key == self._hot,
                        ),
                    )
                )
        return out

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        assert isinstance(key, tuple)
        id, k = key
        m = self.context.document.project.mechanism
        body = m.bodies[id]
        ends = link_ends(body)
        assert ends is not None
        axes = (
            WORLD
            if self.context.axes == "world"
            else triple(rotate(body.placement.quaternion, a) for a in WORLD)
        )
        along = frozenset(
            m.frame_in_world(f)[0]
            for j in m.joints.values()
            for f in (j.frame_a, j.frame_b)
            if id in (j.frame_a.body, j.frame_b.body)
        )
        # what is pinned to this end comes along and cannot catch it; the far ends of the neighbours
        # can
        here = frozenset(
            p
            for p in (*along, *(e for b in m.bodies.values() for e in link_ends(b) or ()))
            if distance(p, ends[k]) <= 1e-6 * m.size()
        )
        return Travel(
            self.context,
            ends[k],
            axes,
            pointer,
            anchor=ends[1 - k],
            exclude=here,
            exclude_bodies=frozenset((id,)),
        )  # type: ignore[arg-type]

    def result(self, drag: Drag) -> Project:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        assert drag.anchor is not None
        project, (id, k) = self.context.document.project, self._key
        length = distance(drag.anchor, drag.now)
        if length <= 1e-9 * max(project.mechanism.size(), 1e-6) or (
            drag.lock is None and drag.typed is not None and drag.typed <= 0
        ):
            raise ExpressionError(tr("A link needs a length above zero: type a positive number."))
        if drag.lock is None and drag.typed is not None:
            return stretch_to(project, id, k, drag.now, Quantity(*drag.entry.value()))
        return stretch_to(project, id, k, drag.now)

    def words(self, drag: Drag) -> str:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        id, k = self._key
        name = self.context.document.project.mechanism.bodies[id].name
        if drag.lock is None and drag.typed is not None:
            return tr(
                "Length of {name} {typed}",
                name=name,
                typed=format_value(drag.typed, "length", self.context.units),
            )
        return tr(
            "Move {number} of {name} {drag}",
            number=WORDS[k],
            name=name,
            drag=drag.words(drag.axes != WORLD),
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
            "Release to place · type a number for the exact length · X, Y, Z lock an axis · Shift "
            "locks the direction · Ctrl suspends snapping · Esc takes it back"
        )

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        assert isinstance(drag, Travel)
        return [*self.guides(eye, drag), Handle("square", (drag.now,), "accent", hot=True)]
