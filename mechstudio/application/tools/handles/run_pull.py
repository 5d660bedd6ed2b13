"""An Alt+drag on a body while a run is shown pulls it with a spring; the run goes on with that
load.
"""

from mechstudio.application.runs.run_pull import RunPull
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.handles.point_drag import STARTS_AFTER, in_screen
from mechstudio.application.tools.tool import Pointer, Preview, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.translation import Words, tr

OFFER: Words = "Drag to pull with a spring while the run goes on"


class RunPullGrip(Grip):
    """It comes before the grip that moves the mechanism, and only with Alt, or Ctrl where the
    window manager takes Alt.
    """

    looks, in_play = False, True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._pressed: Pointer | None = None
        self._point: Triple | None = None

    @property
    def _pull(self) -> RunPull | None:
        return self.context.run_pull

    @property
    def dragging(self) -> bool:
        return self._pull is not None and self._pull.holds

    def drop(self) -> None:
        super().drop()
        if self._pull is not None:
            self._pull.release()
        self._pressed = self._point = None

    def _body(self, pointer: Pointer) -> str:
        point_drag = self.context.point_drag
        return "" if point_drag is None else point_drag.holds(pointer.element, pointer.body)

    def takes(self, pointer: Pointer) -> bool:
        return (
            (pointer.alt or pointer.ctrl)
            and self._pull is not None
            and pointer.eye is not None
            and self._pull.can_hold(self._body(pointer))
        )

    def hover(self, pointer: Pointer | None) -> bool:
        found = pointer is not None and self.takes(pointer)
        self.cursor, self.hint = ("open_hand", tr(OFFER)) if found else ("", "")
        return found

    def press(self, pointer: Pointer) -> None:
        self.drop()
        point_drag = self.context.point_drag
        assert point_drag is not None, "takes() has checked it"
        is_joint = pointer.element != self._body(pointer)
        self._point = point_drag.joint_point(pointer.element) if is_joint else pointer.surface
        self._pressed, self.cursor = pointer, "closed_hand"

    def move(self, pointer: Pointer) -> None:
        pressed, pull = self._pressed, self._pull
        if pressed is None or pull is None or self._point is None or pointer.eye is None:
            return
        if not pull.holds:
            if abs(pointer.x - pressed.x) + abs(pointer.y - pressed.y) < STARTS_AFTER:
                return
            body = self._body(pressed)
            m = self.context.document.project.mechanism
            name = (m.joints.get(pressed.element) or m.bodies[body]).name
            if not pull.take_hold(body, self._point, name):
                return
            self.hint = tr("Release to let go · the run goes on")
        found = in_screen(pointer.eye, pointer.x, pointer.y, self._point)
        if found is not None:
            pull.aim(found[0])
        self.refresh()

    def refresh(self) -> None:
        pull = self._pull
        if pull is None or not pull.holds or pull.point is None:
            self.preview = Preview()
            return
        self.preview = Preview(marker=pull.point)
        self.preview.rubber = [(pull.point, pull.target)]

    def release(self, pointer: Pointer) -> None:
        self.drop()
