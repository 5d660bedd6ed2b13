"""Grips of the resting tool: one per kind of drag."""

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.tool import Handle, Pointer, Preview, ToolContext
from mechstudio.model.project import Project


class Grip:
    """One kind of drag.  The resting tool offers a press to its grips in order; the first one holds
    until the release.

    tentative: the project as it would be after release.  preview, hint, cursor: as of a tool, while
    it holds; hint and cursor also while it is hovered.
    looks: whether it wants to know what is under the pointer while it drags, which costs time where
    the drawing changes at every move.
    at_any_time: it works on a recorded instant that is shown, too, and not only on the drawing.
    in_play: it works while a run is played, and then alone.
    alone: its present display leaves no room for the gizmo.
    """

    looks, at_any_time, in_play, alone = True, False, False, False

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.tentative: Project | None = None
        self.preview = Preview()
        self.hint = self.cursor = ""

    @property
    def dragging(self) -> bool:
        """True if something is being moved now; a press that has not moved anything yet is a click,
        or rotates the view.
        """
        return self.tentative is not None

    def handles(self, eye: Eye) -> list[Handle]:
        """Handles that the grip offers; `hot` is the one that the last `hover` was over."""
        return []

    def hover(self, pointer: Pointer | None) -> bool:
        """The pointer moves with no button held; None: it is over another grip.  Returns whether a
        handle of this one is under it.
        """
        return False

    def takes(self, pointer: Pointer) -> bool:
        """True if a press here would be this grip's."""
        return False

    def press(self, pointer: Pointer) -> None:
        """The button went down where the grip takes it."""

    def move(self, pointer: Pointer) -> None:
        """The pointer moves with the button held."""

    def release(self, pointer: Pointer) -> None:
        """The button went up: commit what was done."""

    def key(self, key: str) -> bool:
        """A key while the button is held.  Returns whether it was used."""
        return False

    def wants(self, key: str) -> bool:
        """True if a key must come here before any shortcut, while the button is held."""
        return False

    def refresh(self) -> None:
        """As of a tool, while it holds."""

    def drop(self) -> None:
        """Cancel the drag without a trace."""
        self.tentative, self.preview, self.hint, self.cursor = None, Preview(), "", ""
