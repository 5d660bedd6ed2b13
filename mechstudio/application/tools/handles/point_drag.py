"""A press on a body or on a joint's mark takes hold of that point, and the whole mechanism follows
the pointer.
"""

from mechstudio.application.questions.point_drag import PointDrag
from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.tool import Pointer, Preview, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.translation import Words, tr

OFFER: Words = "Drag to move the mechanism · click selects"
STARTS_AFTER = 4.0  # pixels before a press becomes a pull
SLACK = 6.0  # pixels between the point and the pointer up to which there is no rubber line


class PointDragGrip(Grip):
    """Nothing changes its length: what is held goes as far as the joints let it."""

    looks, at_any_time = False, True
    _holding = False

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.drop()

    def drop(self) -> None:
        super().drop()
        if self.context.point_drag is not None and self._holding:
            self._point_drag.drop()
        self._pressed: Pointer | None = None
        self._body = ""
        self._point: Triple | None = None  # where it was taken hold of [m, W]
        self._offset = (0.0, 0.0)  # of that point from the pointer [px]
        self._target: Triple | None = None
        self._holding = self._over = False

    @property
    def dragging(self) -> bool:
        return self._holding or self._over

    def takes(self, pointer: Pointer) -> bool:
        return (
            self.context.point_drag is not None
            and pointer.eye is not None
            and bool(self.context.point_drag.holds(pointer.element, pointer.body))
        )

    @property
    def _point_drag(self) -> PointDrag:
        point_drag = self.context.point_drag
        assert point_drag is not None, "takes() has checked it"
        return point_drag

    def hover(self, pointer: Pointer | None) -> bool:
        found = pointer is not None and self.takes(pointer)
        self.cursor, self.hint = ("open_hand", tr(OFFER)) if found else ("", "")
        return found

    def press(self, pointer: Pointer) -> None:
        self.drop()
        point_drag, eye = self._point_drag, pointer.eye
        assert eye is not None, "takes() has checked it"
        self._pressed, self._body = pointer, point_drag.holds(pointer.element, pointer.body)
        is_joint = pointer.element != self._body
        self._point = point_drag.joint_point(pointer.element) if is_joint else pointer.surface
        at = eye.pixel_of(self._point) if self._point is not None else None
        if is_joint and at is not None:
            self._offset = (at[0] - pointer.x, at[1] - pointer.y)
        self.cursor = "closed_hand"

    def move(self, pointer: Pointer) -> None:
        if self._pressed is None or self._point is None or self._over or pointer.eye is None:
            return
        if (
            not self._holding
            and abs(pointer.x - self._pressed.x) + abs(pointer.y - self._pressed.y) < STARTS_AFTER
        ):
            return
        point_drag = self._point_drag
        if point_drag.is_fixed(self._body):
            self._end(
                tr(
                    "{body} is fixed to the ground",
                    body=self.context.document.project.mechanism.bodies[self._body].name,
                )
            )
            return
        if not self._holding and not point_drag.start_drag(self._body, self._point):
            self.preview = Preview(label=point_drag.refusal)
            return
        self._holding = True
        found = in_screen(
            pointer.eye, pointer.x + self._offset[0], pointer.y + self._offset[1], self._point
        )
        if found is not None:
            self._target, view_direction = found
            point_drag.aim(self._target, view_direction)
        self._eye = pointer.eye
        self.hint = tr("Release to keep this pose · Esc puts everything back")
        self.refresh()

    def refresh(self) -> None:
        point_drag = self._point_drag
        if not self._holding:
            return
        if point_drag.state != "held":
            # dropped from elsewhere: the drawing was changed, or the solver was lost
            self._end("")
            return
        here = point_drag.point
        self.preview = Preview(marker=here, label=point_drag.waiting)
        if point_drag.poses is None or here is None or self._target is None:
            return
        at, aim = self._eye.pixel_of(here), self._eye.pixel_of(self._target)
        if (
            at is not None
            and aim is not None
            and ((at[0] - aim[0]) ** 2 + (at[1] - aim[1]) ** 2) ** 0.5 > SLACK
        ):
            self.preview.rubber = [(here, self._target)]
            self.preview.label = point_drag.word if point_drag.settled else ""

    def _end(self, label: str) -> None:
        """Nothing more moves until the button is up."""
        self._holding, self._over = False, True
        self.preview, self.hint = Preview(label=label), ""

    def release(self, pointer: Pointer) -> None:
        if self._holding:
            self.move(pointer)
        if self._holding:
            self._holding = False
            self._point_drag.release()
        self.drop()

    def key(self, key: str) -> bool:
        if not self._holding or key != "escape":
            return False
        self._point_drag.drop()
        self._end("")
        return True

    def wants(self, key: str) -> bool:
        return self._holding and key == "escape"


def in_screen(eye: Eye, x: float, y: float, point: Triple) -> tuple[Triple, Triple] | None:
    """Intersection of the line of sight through a pixel with the plane through a point that is
    parallel to the screen, and the direction of that line; None behind the viewer.
    """
    origin, ray = eye.ray(x, y)
    slope = sum(a * b for a, b in zip(ray, eye.back))
    if abs(slope) < 1e-9:
        return None
    t = sum((p - o) * b for p, o, b in zip(point, origin, eye.back)) / slope
    return (
        None
        if t <= 0.0
        else ((origin[0] + t * ray[0], origin[1] + t * ray[1], origin[2] + t * ray[2]), ray)
    )
