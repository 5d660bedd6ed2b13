"""Dead points and assembly branches of the open document, searched on request."""

from mechstudio.application.questions.question import Inquiry
from mechstudio.model.results.branches import Branches
from mechstudio.protocol.derivation_messages import Search, Searched, Working
from mechstudio.protocol.solver_messages import Report


class BranchSearch(Inquiry):
    """result: Branches."""

    result: Branches | None

    def request(self, joint: str = "", coordinate: int = 0) -> None:
        """Search the drawing as it is now; "" leaves the choice of the input to the search."""
        self.ask(Search(self.next_id(), self._document.project, joint, coordinate))

    def take(self, report: Report) -> None:
        match report:
            case Working(_, progress):
                self.advanced(progress)
            case Searched(_, branches):
                self.answered(branches)
