"""Analyses of the open document's motion, made on request."""

from mechstudio.application.motion import same_motion
from mechstudio.application.questions.question import Inquiry
from mechstudio.model.project import Project
from mechstudio.model.types.analyses import Measured, Options
from mechstudio.protocol.derivation_messages import Measure, MeasureDone, Working
from mechstudio.protocol.solver_messages import Report


class Measuring(Inquiry):
    """result: Measured."""

    noun = "analysis"
    result: Measured | None

    def request(self, what: str, options: Options) -> None:
        """Analyse the drawing as it is now.   what: one of model.types.analyses.ANALYSES."""
        self.ask(Measure(self.next_id(), self._document.project, what, options))

    def take(self, report: Report) -> None:
        match report:
            case Working(_, progress):
                self.advanced(progress)
            case MeasureDone(_, None, sentence):
                self.refused(sentence)
            case MeasureDone(_, table, _):
                self.answered(table)

    def outdated(self, old: Project, new: Project) -> bool:
        return not same_motion(old, new)
