"""Ground on and off: weld a body to the ground, or free it again."""

from mechstudio.model.edits.elements import remove
from mechstudio.model.edits.links import FRONT, WorkPlane, add_joint
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.translation import tr


def is_grounded(project: Project, body: str) -> str:
    """The id of the fixed joint that welds a body to the ground; empty if there is none."""
    for id, joint in project.mechanism.joints.items():
        if joint.type == "fixed" and {joint.frame_a.body, joint.frame_b.body} == {GROUND, body}:
            return id
    return ""


def toggle_ground(project: Project, body: str, plane: WorkPlane = FRONT) -> tuple[Project, str]:
    """Weld a body to the ground where it stands, or take the weld away.  Returns the project and
    the label of the edit.
    """
    name = project.mechanism.bodies[body].name
    weld = is_grounded(project, body)
    if weld:
        return remove(project, weld), tr("Free {name} from the ground", name=name)
    project, _ = add_joint(
        project, plane, GROUND, body, project.mechanism.bodies[body].placement.pose[0], "fixed"
    )
    return project, tr("Ground {name}", name=name)
