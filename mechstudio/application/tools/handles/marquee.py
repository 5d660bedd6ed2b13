"""Ctrl-drag on empty room draws a box: to the right it selects what lies wholly inside, to the left
all that it touches.
"""

from mechstudio.application.selection import counts
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.snapping.silhouette import Pixel, inside, silhouettes, touches
from mechstudio.application.tools.tool import Pointer, Preview, ToolContext
from mechstudio.translation import tr

STARTS_AFTER = 4.0  # pixels before a press becomes a drag


class BoxGrip(Grip):
    """The selection changes only at the release; Shift adds to it."""

    at_any_time = True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.drop()

    @property
    def dragging(self) -> bool:
        return self.preview.box is not None

    def drop(self) -> None:
        super().drop()
        self._from: Pixel | None = None
        self._outlines: dict[str, list[list[Pixel]]] = {}

    def takes(self, pointer: Pointer) -> bool:
        return pointer.ctrl and not pointer.element and pointer.eye is not None

    def press(self, pointer: Pointer) -> None:
        self.drop()
        self._from = (pointer.x, pointer.y)
        # the camera and the drawing stay while the button is held
        assert pointer.eye is not None
        self._outlines = silhouettes(
            self.context.document.project.mechanism,
            pointer.eye,
            {} if self.context.at_design else self.context.shown(),
        )

    def move(self, pointer: Pointer) -> None:
        if self._from is None:
            return
        here = (pointer.x, pointer.y)
        if (
            not self.dragging
            and abs(here[0] - self._from[0]) + abs(here[1] - self._from[1]) < STARTS_AFTER
        ):
            return
        found = self._found(here)
        way = tr("what lies inside") if here[0] >= self._from[0] else tr("what the box touches")
        self.preview = Preview(box=(self._from, here), label=self._counted(found))
        self.hint = tr(
            "Release to select {way} · {word} · Esc stops",
            way=way,
            word=tr("adding to the selection") if pointer.shift else tr("Shift adds"),
        )

    def release(self, pointer: Pointer) -> None:
        if self.dragging:
            found, selection = self._found((pointer.x, pointer.y)), self.context.selection
            kept = (
                tuple(id for id in selection.selected if id not in found) if pointer.shift else ()
            )
            selection.select(*kept, *found)
        self.drop()

    def key(self, key: str) -> bool:
        if key != "escape" or self._from is None:
            return False
        self.drop()
        return True

    def wants(self, key: str) -> bool:
        return key == "escape" and self._from is not None

    def _found(self, here: Pixel) -> list[str]:
        """Elements that a box from the press to here selects: rightwards those that lie inside,
        leftwards also those that it cuts.
        """
        assert self._from is not None
        low = (min(self._from[0], here[0]), min(self._from[1], here[1]))
        high = (max(self._from[0], here[0]), max(self._from[1], here[1]))
        if here[0] >= self._from[0]:
            return [
                id
                for id, parts in self._outlines.items()
                if all(inside(p, low, high) for p in parts)
            ]
        return [
            id for id, parts in self._outlines.items() if any(touches(p, low, high) for p in parts)
        ]

    def _counted(self, found: list[str]) -> str:
        return counts(self.context.document.project, found) or tr("nothing")
