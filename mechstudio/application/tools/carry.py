"""Ctrl-drag of an element carries what is usually plotted of it to a pane of the plots."""

from mechstudio.application.plots.choice import usual
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.tool import Pointer, ToolContext

STARTS_AFTER = 3.0  # pixels before a press becomes a drag


class CarryGrip(Grip):
    """The drawing stays as it is; the window lets the pointer carry the element's curves."""

    looks, at_any_time = False, True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.drop()

    def drop(self) -> None:
        """Forget what was pressed."""
        super().drop()
        self._element, self._from, self._carries = "", (0.0, 0.0), False

    @property
    def dragging(self) -> bool:
        """True from where the pointer carries something."""
        return self._carries

    def takes(self, pointer: Pointer) -> bool:
        """True with Ctrl over an element that has curves."""
        project = self.context.document.project
        return pointer.ctrl and bool(pointer.element) and bool(usual(project, pointer.element))

    def press(self, pointer: Pointer) -> None:
        """Remember the element and the place."""
        self.drop()
        self._element, self._from = pointer.element, (pointer.x, pointer.y)

    def move(self, pointer: Pointer) -> None:
        """Let the window carry the element once the pointer has moved."""
        away = abs(pointer.x - self._from[0]) + abs(pointer.y - self._from[1])
        if self._element and not self._carries and away >= STARTS_AFTER:
            self._carries = True
            self.context.carried.emit(self._element)

    def release(self, pointer: Pointer) -> None:
        """Nothing is left in hand."""
        self.drop()
