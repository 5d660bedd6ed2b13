"""All figures that the marks of a drawing ask for, at an instant."""

from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.figures.ghosts import Ghosts, Run
from mechstudio.model.project import Project


class FigureMaker:
    """Maker of the figures of one document; what does not change is made once."""

    def __init__(self) -> None:
        self.ghosts = Ghosts()

    def figures(self, project: Project, run: Run | None) -> Figures:
        """Figures beside a drawing.  run: None without a recording."""
        if not project.marks or run is None:
            return Figures()
        return Figures(outlines=self.ghosts.outlines(project, run))
