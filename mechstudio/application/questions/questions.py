"""Questions: the solver with its reports on the drawing, and all other questions to workers."""

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.analysed_curves import AnalysedCurves
from mechstudio.application.questions.analyses import (
    analysis_question,
    branch_question,
    sizing_question,
)
from mechstudio.application.questions.assembly import Assembly
from mechstudio.application.questions.compared_methods import ComparedMethods
from mechstudio.application.questions.exports import Exports
from mechstudio.application.questions.kept_curves import KeptCurves
from mechstudio.application.questions.point_drag import PointDrag
from mechstudio.application.questions.pose import JointSetting
from mechstudio.application.questions.solver import Session
from mechstudio.application.questions.solver_steps import SolverSteps
from mechstudio.application.runs.runs import Runs
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.model.findings import Finding
from mechstudio.model.results.analysis import Analysis
from mechstudio.translation import tr


class Questions:
    """Answers requested from workers about the open document.

    session: of the solver, None until it may start.  analysed(), solver_changed(): news of it.
    curves: analysed quantities in plots; kept_curves: those of kept runs.
    """

    def __init__(
        self,
        document: Document,
        selection: Selection,
        notifications: Notifications,
        preferences: Preferences,
        runs: Runs,
        display: Display,
    ) -> None:
        self.analysed, self.solver_changed = Signal(), Signal()
        self.session: Session | None = None
        self._notifications = notifications
        self.branches = branch_question(document)
        self.analyses = analysis_question(document)
        self.sizing = sizing_question(document)
        self.compared_methods = ComparedMethods(document, runs, self.analyses)
        self.curves = AnalysedCurves(document, keep=runs.kept.add_series)
        self.kept_curves = KeptCurves(runs, lambda: self.curves.in_plots)
        self.exports = Exports(document, notifications.say, notifications.withdraw)
        self.assembly = Assembly(
            document, selection, notifications, preferences, runs.playback, display
        )
        self.joint_setting = JointSetting(document, notifications, preferences, display)
        self.drag = PointDrag(document, notifications, runs, display)
        self.steps = SolverSteps(document, notifications, runs)

    def attach(self, session: Session) -> None:
        """Connect the solver."""
        self.session = session
        session.analysed.connect(self._analysed)
        session.status_changed.connect(self._status_changed)
        self.joint_setting.attach(session)
        self.assembly.attach(session)
        self.drag.attach(session)

    def close(self) -> None:
        """End all workers."""
        questions = (
            self.branches,
            self.exports,
            self.analyses,
            self.sizing,
            self.curves,
            self.kept_curves,
        )
        for each in (*questions, self.steps):
            each.close()
        if self.session is not None:
            self.session.close()

    @property
    def analysis(self) -> Analysis | None:
        """Analysis of the drawing as it is now; None while unknown."""
        return None if self.session is None else self.session.analysis

    @property
    def findings(self) -> tuple[Finding, ...]:
        return () if self.analysis is None else self.analysis.findings

    @property
    def error(self) -> Finding | None:
        """The finding for which the drawing cannot be run; None if it can."""
        return next((f for f in self.findings if f.severity == "error"), None)

    def _analysed(self) -> None:
        self.assembly.report_open(self.analysis)
        self.analysed.emit()

    def _status_changed(self) -> None:
        session = self.session
        assert session is not None, "the session reported its status"
        status, say = session.status, self._notifications.say
        if status.phase == "silent":
            say(
                Message(
                    "warning",
                    status.sentence or tr("The solver is not answering: wait or stop."),
                    "solver",
                    ((tr("Wait"), session.keep_waiting), (tr("Stop"), session.stop_worker)),
                )
            )
        elif status.phase == "lost":
            say(Message("warning", status.sentence, "solver"))
        else:
            # the news that a solver was lost stays until it is read; that it does not answer is
            # over when it does
            for message in self._notifications.messages:
                if message.key == "solver" and message.buttons:
                    self._notifications.forget(message)
        self.solver_changed.emit()
