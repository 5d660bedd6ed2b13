"""Active drawing tool; between the viewport, which feeds it events, and the document, which it
edits.
"""

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.application.tools.bodies.arm import ArmTool
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.bodies.solid import SolidTool
from mechstudio.application.tools.connector import TwoPointTool
from mechstudio.application.tools.copies.mirror import MirrorTool
from mechstudio.application.tools.copies.pattern import PatternTool
from mechstudio.application.tools.force import PointForceTool
from mechstudio.application.tools.gauges.gauge_tool import GaugeTool
from mechstudio.application.tools.joints.bushing import BushingTool
from mechstudio.application.tools.joints.ground import toggle_ground
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.picker import PickTool
from mechstudio.application.tools.picture import ScalePictureTool
from mechstudio.application.tools.place import PlaceTool
from mechstudio.application.tools.plane import PlaneTool
from mechstudio.application.tools.point import PointTool
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import Tool, ToolContext
from mechstudio.model.edits.parameters import Requested, requested_by
from mechstudio.model.geometry.work_plane import FRONT, WorkPlane
from mechstudio.model.project import Project
from mechstudio.translation import tr

TOOLS: dict[str, type[Tool]] = {
    t.name: t
    for t in (
        SelectTool,
        LinkTool,
        ArmTool,
        JointTool,
        PickTool,
        TwoPointTool,
        PointForceTool,
        BushingTool,
        SolidTool,
        PointTool,
        PlaceTool,
        ScalePictureTool,
        PlaneTool,
        MirrorTool,
        PatternTool,
        GaugeTool,
    )
}


def _elements(project: Project) -> frozenset[str]:
    """Ids of all that a tool may hold."""
    m = project.mechanism
    return frozenset().union(m.bodies, m.joints, m.couplings, m.drives, m.forces, project.pictures)


class ToolBench:
    """One tool at a time; "select" when no other is active.

    once: the active tool ends after one thing.
    changed(): another tool is active, or it works once or repeats from now on.
    used(): the tool was used; hint, message and tentative project may be new.
    entry_requested(id): the first number of something new is to be typed.  answered(): it was, and
    the keys are the view's again.
    plane_changed(): the work plane is another, or was locked or unlocked.  plane_chosen(): by the
    user, who will want to see it from before.
    """

    def __init__(self, document: Document | Display, selection: Selection) -> None:
        self.changed, self.used, self.entry_requested, self.answered = (Signal() for _ in range(4))
        self.plane_changed, self.plane_chosen = Signal(), Signal()
        self.context = ToolContext(document, selection, FRONT)
        self._reported: tuple[WorkPlane, bool] = (FRONT, False)
        self.tool: Tool = SelectTool(self.context)
        self._chosen = selection.selected
        selection.changed.connect(self._selected)
        document.changed.connect(self._follow)
        self._options: dict[str, str] = {}
        self.once = False

    @property
    def is_drawing(self) -> bool:
        """True if a tool other than the resting one is active."""
        return self.tool.name != "select"

    @property
    def hint(self) -> str:
        """Hint on the next click, or why there can be none; empty when the resting tool waits."""
        if self.tool.in_plane and self.context.no_place:
            return self.context.no_place
        only = self.once and self.tool.hint
        return tr("Once only · {hint}", hint=self.tool.hint) if only else self.tool.hint

    @property
    def message(self) -> str:
        """Reason why the last click or number was refused; empty if it was not."""
        return self.context.message

    @property
    def requested(self) -> Requested | None:
        """The parameter that the last typed number names and that is not there yet."""
        if self.context.missing is None or not self.message:
            return None
        text, dimension, now = self.context.missing
        # nothing is drawn with a length of zero
        return requested_by(
            self.context.document.project, text, dimension, now or None, self.context.units
        )

    @property
    def tentative(self) -> Project | None:
        """The project as it would be if the drag ended now, or after the next click; None for
        nothing such.
        """
        return self.tool.tentative

    def take(self, name: str, **options: str) -> None:
        """Activate a tool; the one before leaves cleanly.  After a plane was chosen the tool
        before is taken again.
        """
        before, draws, kept = self.tool, self.is_drawing, self._as_it_is
        self.once = False
        self.tool.cancel()
        self.context.message = self.context.no_place = ""
        self.tool, self._options = TOOLS[name](self.context, **options), options
        if isinstance(self.tool, PlaneTool) and draws:
            self.tool.back = before.back if isinstance(before, PlaneTool) else (before.name, kept)
        self.changed.emit()

    @property
    def _as_it_is(self) -> dict[str, str]:
        """Options of the active tool, as keys have changed them."""
        return {**self._options, **{k: getattr(self.tool, k) for k in self.tool.changing}}

    def take_or_repeat(self, name: str, **options: str) -> None:
        """Activate a tool.  One that is active already works once only from now on, or again
        until Esc; one that makes a chain stays as it is.
        """
        now = {**self._as_it_is, "type": self.tool.type}
        if self.tool.name != name or any(now.get(k) != v for k, v in options.items()):
            self.take(name, **options)
        elif self.tool.repeats:
            self.once = not self.once
            self.changed.emit()

    def _follow(self, old: Project, new: Project) -> None:
        """Drop the message about the previous drawing; a tool that holds what an undo took away
        begins again.
        """
        self.context.message = ""
        if not self.is_drawing or self.tool.finished:
            return
        before, now = _elements(old), _elements(new)
        if (lost := before - now) and not self.tool.lose(lost):
            self.take(self.tool.name, **{k: v for k, v in self._options.items() if v not in lost})
        elif came := now - before:
            self.tool.regain(came)

    def set_plane(self, plane: WorkPlane) -> None:
        """Draw in another plane."""
        self.context.plane = plane
        self._report_plane()

    def choose_plane(self, plane: WorkPlane) -> None:
        """Draw in another plane and see it from before."""
        self.set_plane(plane)
        self.plane_chosen.emit()

    def toggle_lock(self) -> None:
        """Let the work plane stay where it is, or go along with what is drawn on."""
        self.context.locked = not self.context.locked
        self._report_plane()

    def _report_plane(self) -> None:
        now = (self.context.plane, self.context.locked)
        if now != self._reported:
            self._reported = now
            self.plane_changed.emit()

    def rest(self) -> None:
        """Put the tool down."""
        if self.is_drawing:
            self.take("select")

    def _selected(self) -> None:
        """Pass an element chosen in another panel to a tool that asks for elements.  The signal
        comes for what is hovered, too.
        """
        before, self._chosen = self._chosen, self.context.selection.selected
        if (
            isinstance(self.tool, PickTool | PlaceTool | JointTool)
            and not self.tool.finished
            and self._chosen
            and self._chosen != before
        ):
            self.tool.take(self.context.selection.current)
            self.after_event()

    def after_event(self) -> None:
        """The viewport gave the tool an event."""
        self._report_plane()
        chosen = isinstance(self.tool, PlaneTool) and self.tool.made
        if self.tool.finished:
            (name, options), note = self.tool.then, self.tool.note
            again = self.tool.repeats and self.tool.made and not self.once
            if again:
                name, options = self.tool.name, self._as_it_is
            self.take(name, **options)
            self.tool.resumed = again
            self.context.message = note
        if chosen:
            self.plane_chosen.emit()
        self.used.emit()
        if self.context.entry_id:
            id, self.context.entry_id = self.context.entry_id, ""
            self.entry_requested.emit(id)

    def toggle_ground(self) -> None:
        """Weld the selected body to the ground, or free it."""
        document, id = self.context.document, self.context.selection.current
        if id in document.project.mechanism.bodies:
            project, label = toggle_ground(document.project, id, self.context.plane)
            document.commit(label, project)
