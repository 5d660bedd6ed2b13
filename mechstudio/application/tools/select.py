"""The resting tool: clicks select, and drags go to the grip that takes the press."""

from collections.abc import Callable

from mechstudio.application.tools.curve_grip import CurveGrip
from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.body import BodyGrip
from mechstudio.application.tools.handles.force import ForceGrip
from mechstudio.application.tools.handles.gizmo import GizmoGrip
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.handles.link_ends import EndGrip
from mechstudio.application.tools.handles.marquee import BoxGrip
from mechstudio.application.tools.handles.point_drag import PointDragGrip
from mechstudio.application.tools.handles.run_pull import RunPullGrip
from mechstudio.application.tools.handles.size import SizeGrip
from mechstudio.application.tools.handles.stop import LimitGrip
from mechstudio.application.tools.joints.curve_points import CurvePointGrip
from mechstudio.application.tools.picture import PictureGrip
from mechstudio.application.tools.tool import Handle, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.translation import tr

# in the order in which they are tried: overlays before elements of the scene
GRIPS: tuple[Callable[[ToolContext], Grip], ...] = (
    LimitGrip,
    EndGrip,
    SizeGrip,
    ForceGrip,
    CurvePointGrip,
    GizmoGrip,
    BodyGrip,
    RunPullGrip,
    CurveGrip,
    PointDragGrip,
    PictureGrip,
    BoxGrip,
)


class SelectTool(Tool):
    """Clicks select in the viewport; this tool only drags.  While dragging, `tentative` is the
    project as it would be after release.
    """

    name = "select"

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.grips = tuple(make(context) for make in GRIPS)
        self._held: Grip | None = None
        self._hovered: Grip | None = None

    @property
    def _usable(self) -> tuple[Grip, ...]:
        """The grips that work on what is shown.  The gizmo makes way while a point of the same body
        shows arrows of its own.
        """
        alone = any(grip.alone for grip in self.grips)
        return tuple(
            g
            for g in self.grips
            if g.in_play is self.context.playing
            and (g.in_play or g.at_any_time or self.context.at_design)
            and not (alone and isinstance(g, GizmoGrip))
        )

    @property
    def dragging(self) -> bool:
        """True if something is being moved now."""
        return self._held is not None and self._held.dragging

    @property
    def looks(self) -> bool:
        """True if the tool needs to know the element under the pointer."""
        return self._held is None or not self._held.dragging or self._held.looks

    def takes(self, pointer: Pointer) -> bool:
        return any(grip.takes(pointer) for grip in self._usable)

    def handles(self, eye: Eye) -> list[Handle]:
        if self._held is not None:
            return self._held.handles(eye)
        return [handle for grip in self._usable for handle in grip.handles(eye)]

    def press(self, pointer: Pointer) -> None:
        self._drop_grip()
        self._held = next((grip for grip in self._usable if grip.takes(pointer)), None)
        if self._held is not None:
            self._held.press(pointer)
        self._show()

    def move(self, pointer: Pointer) -> None:
        if self._held is not None:
            self._held.move(pointer)
        else:
            self._hovered = None
            for grip in self._usable:
                # only the first grip that would take a press here may look as if it did
                if (
                    grip.hover(None if self._hovered is not None else pointer)
                    and self._hovered is None
                ):
                    self._hovered = grip
        self._show()

    def release(self, pointer: Pointer) -> None:
        if self._held is not None:
            self._held.release(pointer)
            self._drop_grip()
            # the effect of the next drag is shown again
            self.move(pointer)
        self._show()

    def key(self, key: str) -> bool:
        used = self._held is not None and self._held.key(key)
        self._show()
        return used

    def wants(self, key: str) -> bool:
        return self._held is not None and self._held.wants(key)

    def keys(self) -> list[Key]:
        if not self.dragging:
            return []
        return [
            Key("Esc", tr("takes it back"), "escape"),
            Key("Shift", tr("steps or direction")),
            Key("Ctrl", tr("no snapping")),
        ]

    def refresh(self) -> None:
        if self._held is not None:
            self._held.refresh()
            self._show()

    def cancel(self) -> None:
        self._drop_grip()
        super().cancel()

    def drop(self) -> None:
        """Put back what is held, as when a run begins to play."""
        self._drop_grip()
        self._show()

    def _drop_grip(self) -> None:
        if self._held is not None:
            self._held.drop()
            self._held = None

    def _show(self) -> None:
        held = self._held
        self.tentative = held.tentative if held is not None else None
        self.preview = held.preview if held is not None else Preview()
        shown = held or self._hovered
        self.hint, self.cursor = (shown.hint, shown.cursor) if shown is not None else ("", "")
