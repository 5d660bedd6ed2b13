"""Base of all grips with handles: the handle under the pointer, one drag at a time, its keys, and
one undo step at its end.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import Drag, view_direction
from mechstudio.application.tools.handles.gizmo_positions import ROLES
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.handles.handle_places import HandlePosition, under
from mechstudio.application.tools.tool import Handle, Pointer, ToolContext
from mechstudio.model.element_fields.bodies import changed_problem
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import plus
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.project import Project
from mechstudio.translation import tr

GUIDE = 500.0  # pixels that the line of a locked axis reaches to either side


class HandleGrip(Grip, ABC):
    """Offers handles on what is selected.  A kind of grip says which (`handle_positions`), what a
    drag of one is (`begin`) and what it does (`result`).
    """

    looks = False

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._hot: Hashable | None = None
        self.drop()

    def drop(self) -> None:
        super().drop()
        self._drag: Drag | None = None
        self._key: Hashable | None = None
        self._result: Project | None = None
        # the drag has ended before the button went up: what the pointer does until then is nothing
        self._done = False

    @property
    def dragging(self) -> bool:
        return self._done or (self._drag is not None and self._drag.begun)

    # what a kind of grip says

    @abstractmethod
    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        """Every handle that this view offers."""

    @abstractmethod
    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        """A drag of a handle."""

    @abstractmethod
    def result(self, drag: Drag) -> Project:
        """The project as the drag leaves it.  Raises ExpressionError where it cannot be so."""

    @abstractmethod
    def words(self, drag: Drag) -> str:
        """Label of a drag in the history."""

    def shows_result(self, drag: Drag) -> bool:
        """True if the scene shows the result while dragging; else only the handles show it."""
        return True

    @abstractmethod
    def show(self, drag: Drag) -> None:
        """Fill preview and hint."""

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        """Handles that remain visible while dragging."""
        return []

    # shared data

    def guides(self, eye: Eye, drag: Drag) -> list[Handle]:
        """The axes that a drag is locked to, as long quiet lines."""
        reach = GUIDE * eye.pixel_size(drag.start) * self.context.scale
        return [
            Handle(
                "line",
                (plus(drag.start, drag.axes[k], -reach), plus(drag.start, drag.axes[k], reach)),
                ROLES[k],
                fade=0.4,
            )
            for k in drag.free
            if abs(dot(drag.axes[k], view_direction(eye, drag.start))) < 0.97
        ]

    def handles(self, eye: Eye) -> list[Handle]:
        if self._done:
            return []
        if self._drag is not None and self._drag.begun:
            return self.held(eye, self._drag)
        return [handle_position.handle for handle_position in self.handle_positions(eye)]

    def hover(self, pointer: Pointer | None) -> bool:
        self._hot, self.hint = None, ""
        if pointer is not None and pointer.eye is not None:
            handle_positions = self.handle_positions(pointer.eye)
            self._hot = under(handle_positions, pointer, self.context.scale)
            word = next(
                (
                    handle_position.handle.word
                    for handle_position in handle_positions
                    if handle_position.key == self._hot
                ),
                "",
            )
            if word:
                begin = (
                    f"{word[:1].upper() + word[1:]}"
                    if word.startswith("drag")
                    else tr("Drag to {word}", word=word)
                )
                self.hint = tr("{begin} · a number typed while dragging is exact", begin=begin)
        return self._hot is not None

    def takes(self, pointer: Pointer) -> bool:
        return self._under(pointer) is not None

    def _under(self, pointer: Pointer) -> Hashable | None:
        return (
            under(self.handle_positions(pointer.eye), pointer, self.context.scale)
            if pointer.eye is not None
            else None
        )

    def press(self, pointer: Pointer) -> None:
        self.drop()
        self._key = self._under(pointer)
        if self._key is not None:
            self._drag = self.begin(self._key, pointer)

    def move(self, pointer: Pointer) -> None:
        if self._drag is not None:
            self._drag.move(pointer)
            self._follow()

    def release(self, pointer: Pointer) -> None:
        if self._drag is not None and self._drag.begun:
            self.move(pointer)
            self._commit()
        self.drop()

    def key(self, key: str) -> bool:
        if self._drag is None:
            return self._done
        if key == "escape":
            self._end()
        elif key == "enter":
            if self._drag.accept():
                self.context.message = self._follow()
                if self._result is not None:
                    self._commit()
        elif not self._drag.key(key):
            return False
        else:
            self._follow()
        return True

    def wants(self, key: str) -> bool:
        return self._drag is not None and self._drag.wants(key)

    def _follow(self) -> str:
        """Show what the release would do; returns why it cannot be, "" if it can."""
        drag = self._drag
        if drag is None or not drag.begun:
            return ""
        try:
            self._result = self.result(drag)
            if reason := changed_problem(
                self.context.document.project.mechanism, self._result.mechanism
            ):
                self._result = None
        except ExpressionError as error:
            self._result, reason = None, str(error)
        # a number may be invalid while it is typed, as 0.5 begins with 0
        if not drag.entry.text:
            self.context.message = reason
        self.tentative = self._result if self.shows_result(drag) else None
        self.show(drag)
        return reason

    def _commit(self) -> None:
        drag = self._drag
        assert drag is not None
        if self._result is not None:
            self.context.document.commit(self.words(drag), self._result)
        self._end()

    def _end(self) -> None:
        self.drop()
        self._done = True
