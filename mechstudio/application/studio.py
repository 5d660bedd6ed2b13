"""Studio: one open document with all that lives beside it, as parts that do not see each other's
whole.
"""

from mechstudio.application.contact_display import ContactDisplay
from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.files.files import Files
from mechstudio.application.free_body import FreeBodyView
from mechstudio.application.free_motion import FreeMotion
from mechstudio.application.lessons.lecture import Lecture
from mechstudio.application.lessons.words import in_shown_language
from mechstudio.application.marks.marks import Marks
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots.inspection import Inspection
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.questions import Questions
from mechstudio.application.questions.solver import Session
from mechstudio.application.runs.run_pull import RunPull
from mechstudio.application.runs.runs import Runs
from mechstudio.application.selection import Selection
from mechstudio.application.studies.runs import StudyRuns
from mechstudio.application.synthesis.search import LinkageSearch
from mechstudio.application.tools.bench import ToolBench


class Studio:
    """Parts that the window shows and that actions change; none knows a widget, none the Studio.

    document: project, history and path.  notifications: messages to the user.  display: the pose
    shown, and the drawing as it is shown.  runs: recording, time cursor, kept runs.  plots: the
    stretch of time and the cursors in panes.  questions: requests to workers.  free_motion,
    free_body, contact: what is shown beside the pose of the time cursor.  marks: trails and what
    else the scene shows beside the drawing.  tools: active tool and work plane.  files: opening,
    saving, recovery.  lecture: the lesson, step by step.  studies: many runs with other numbers.
    synthesis: the search for linkages.
    """

    def __init__(self, preferences: Preferences) -> None:
        self.preferences = preferences
        self._earlier: Studio | None = None  # of which this goes on with the runs
        self.document, self.notifications = Document(), Notifications()
        # these are notified of a change first, so that no part requests an element that no longer
        # exists
        self.display = Display(self.document, self.notifications)
        self.selection = Selection(self.document.known)
        self.document.changed.connect(lambda old, new: self.selection.forget_gone())
        preferences.failed.connect(
            lambda sentence: self.notifications.say(Message("warning", sentence, "preferences"))
        )
        self.runs = Runs(self.document, self.notifications, preferences)
        self.plots = Inspection(self.runs.playback, self.runs.first_shown)
        self.questions = Questions(
            self.document,
            self.selection,
            self.notifications,
            preferences,
            self.runs,
            self.display,
        )
        self.free_motion = FreeMotion(self.document, self.runs.playback, self.display)
        self.free_body = FreeBodyView(self.document)
        self.contact = ContactDisplay(self.document, self.selection, self.runs)
        self.marks = Marks(self.document, self.runs)
        self.tools = ToolBench(self.display, self.selection)
        self.tools.context.point_drag = self.questions.drag
        self.run_pull = RunPull(self.runs)
        self.lecture = Lecture(self.document, self.runs, self.notifications)
        self.tools.context.run_pull = self.run_pull
        self.files = Files(
            self.document,
            self.selection,
            self.notifications,
            preferences,
            self.runs,
            self.tools,
        )
        self.studies = StudyRuns(self.document, self.notifications)
        self.synthesis = LinkageSearch()
        self.files.opened.connect(self.studies.opened)
        self.files.saved.connect(self.studies.saved)
        # instants of another document's run say nothing of this one's
        self.files.opened.connect(self.plots.forget)
        self.files.opened.connect(self.runs.playback.whole)
        self.files.opened.connect(self.lecture.close)
        self.display.show_instead(
            lambda: self.questions.drag.poses,
            lambda: self.free_motion.poses,
            lambda: self.questions.assembly.poses,
            lambda: self.runs.poses,
        )
        for starting in (self.runs.starting, self.questions.assembly.starting):
            starting.connect(self.tools.rest)
        for follower in (self.free_motion, self.questions.assembly, self.runs):
            self.document.changed.connect(follower.document_changed)

    def attach(self, session: Session) -> None:
        """Connect the solver; called once, when the worker may start."""
        self.runs.attach(session)
        self.questions.attach(session)
        self.display.attach(session)
        if self._earlier is not None:
            self.runs.take_over(self._earlier.runs)
            # after them: what a following pane shows moves with the time cursor
            self.plots.take_over(self._earlier.plots)
            self._earlier = None
        self.runs.begin()
        self.questions.solver_changed.emit()

    def take_over(self, other: "Studio", spoke: str) -> None:
        """Continue with the document of a closed studio: its history, runs, cursors and lesson, in
        the language shown now.  Called before the solver is ready.

        spoke: code of the language that was shown.
        """
        self.files.take_over(other.files)
        if (origin := self.files.copied) is not None:
            self.document.rewrite(lambda project: in_shown_language(project, origin, spoke))
        self.lecture.take_over(other.lecture)
        self.studies.take_over(other.studies)
        self.selection.select(*other.selection.selected)
        # where that has not come to its solver yet, runs are still those of the one before
        self._earlier = other._earlier or other
        self.preferences.set()  # where they cannot be kept that is reported here too

    def close(self, keep_unsaved: bool = False) -> None:
        """End the workers; a clean end leaves no journal behind, unless unsaved work shall come
        back.
        """
        self.files.recovery.close(keep_unsaved)
        self.files.runs.close()
        self.free_body.close()
        self.marks.close()
        self.studies.close()
        self.synthesis.close()
        self.questions.close()

    def tick(self, seconds: float) -> None:
        """Let real time pass [s]: news of the workers, then the time cursor."""
        questions, recording = self.questions, None
        if questions.session is not None:
            questions.session.poll()
        self.display.poll()
        self.files.poll()
        questions.branches.poll()
        questions.exports.poll()
        questions.analyses.poll()
        questions.sizing.poll()
        questions.steps.poll()
        recording = self.runs.recording
        questions.curves.poll(recording)
        questions.kept_curves.poll()
        if self.free_body.is_open:
            error = questions.error
            self.free_body.poll(
                recording,
                ""
                if error is None
                else f"{error.said(self.preferences.units)} {error.cure}".strip(),
            )
        self.marks.poll()
        self.studies.poll()
        self.synthesis.poll()
        self.run_pull.poll()
        self.runs.playback.advance(seconds)
        self.free_motion.advance(seconds)
