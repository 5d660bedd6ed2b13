"""Places for points of bodies: as other clicks, and on the surface under the pointer where the
drawing is viewed from the side.
"""

from mechstudio.application.tools.snapping.snap import Snap, snap
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.mechanism import GROUND
from mechstudio.translation import tr

FACING = 0.94  # cosine of the angle of view from which a drawing counts as seen in its plane


def place(context: ToolContext, pointer: Pointer, start: Triple | None = None) -> Snap | None:
    """Place where a click would land; None where the ray meets neither a body nor the work plane.

    start: the other end of what is drawn, as of `snap`.  A plane is drawn in as long as it is seen
    from the front: a body that goes through it is then met in the plane.  Seen from the side, a
    body is met on its visible surface.
    """
    project = context.document.project
    found = snap(project, context.plane, context.grid, pointer, start)
    plain = (
        found is None
        or found.grid
        or not found.word
        or (found.shape == "angle" and not pointer.shift)
    )
    known = pointer.body in project.mechanism.bodies or pointer.body == GROUND
    if (
        plain
        and known
        and pointer.eye is not None
        and pointer.surface is not None
        and abs(dot(pointer.eye.back, context.plane.normal)) < FACING
    ):
        return Snap(
            pointer.surface,
            tr("on {body}", body=project.mechanism.body(pointer.body).name),
            pointer.body,
            off=True,
        )  # type: ignore[arg-type]
    return found
