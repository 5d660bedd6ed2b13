"""The drawing compared with that of another file: in sentences, and by their motions."""

from mechstudio.application.studio import Studio
from mechstudio.files.comparison import differences
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.model.project import Project
from mechstudio.translation import tr


def sentences(studio: Studio, other: Project) -> list[str]:
    """Sentences on how the drawing differs from another; none where it does not."""
    found = differences(other, studio.document.project, studio.preferences.units)
    return [each.sentence for each in found]


def show_motions(studio: Studio, other: Project, name: str) -> None:
    """Run another drawing beside this one, with its curves and its ghosts shown."""
    shown = with_marks(studio.document.project, "ghost_run", (Place(),))
    studio.document.commit(tr("Show ghosts of other runs"), shown)
    studio.runs.simulate_beside(other, name)
