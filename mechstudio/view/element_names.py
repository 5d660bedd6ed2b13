"""Names of elements as panels show them."""

from mechstudio.model.mechanism import Joint
from mechstudio.model.project import Project


def connection(project: Project, joint: Joint) -> str:
    """The two bodies of a joint: "crank–coupler"."""
    m = project.mechanism
    return f"{m.body(joint.frame_a.body).name}–{m.body(joint.frame_b.body).name}"
