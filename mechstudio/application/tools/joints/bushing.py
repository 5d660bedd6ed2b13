"""A bushing where two bodies meet, or a body and the ground: placed like a joint, and it is a
force.
"""

from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.tool import STOP, Key, ToolContext
from mechstudio.model.edits.insertion import add_point_force
from mechstudio.model.edits.poses.motion import move, shifted_by
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.project import Project
from mechstudio.translation import tr


class BushingTool(JointTool):
    """Click where bodies meet; the bushing's axes are those of W as drawn."""

    name = "bushing"
    changing = ()

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context, "fixed")

    def key(self, key: str) -> bool:
        return self.wants(key) and super().key(key)

    @property
    def title(self) -> str:
        return "bushing"

    def keys(self) -> list[Key]:
        return [Key("Click", tr("where two bodies meet")), STOP]

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter") and super().wants(key)

    def _inserted(
        self, a: str, b: str, point: Triple, point_b: Triple | None, shift: Triple | None = None
    ) -> tuple[Project, str, str]:
        project = self.context.document.project
        if shift is not None:
            project = move(project, shifted_by(shift), (b,))
        project, id = add_point_force(project, "bushing", (a, point), (b, point_b or point))
        return project, id, tr("Add {force}", force=project.mechanism.forces[id].name)

    def _label(self) -> str:
        return "Bushing"

    def _say(self) -> None:
        self.hint = tr("Click where two bodies meet, or a body and the ground · Esc stops")
