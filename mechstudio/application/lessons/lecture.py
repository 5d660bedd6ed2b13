"""The lesson of the open document as it is gone through, step by step."""

from typing import NamedTuple

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.lessons.checking import RIGHT, UNREAD, Reply
from mechstudio.application.lessons.predictions import Predictions, Sketch
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots.panes import default_plots
from mechstudio.application.runs.runs import Runs
from mechstudio.application.signal import Signal
from mechstudio.curves.quantities import quantity
from mechstudio.model.edits import elements
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import EQUATION, PREDICT, Plot, PlotLayout, Project, Question, Step
from mechstudio.translation import tr

replace = msgspec.structs.replace
FRONT = 0.78  # of the width, that panes of a step take beside the others


class Answer(NamedTuple):
    """Answer to a question: what was said, the verdict on it, how often one was given, and the
    question as it was then.  choice: number of the chosen answer, 0 if none.
    """

    said: str
    reply: Reply
    tries: int
    question: Question
    choice: int = 0


class State(NamedTuple):
    """State of a lesson: id of the current step, covered plots, sketches."""

    step: str
    covered: dict[str, float]
    sketches: dict[str, Sketch]


class Lecture:
    """Current step.

    presenting: the window shows itself to a class.  predictions: what is covered, and sketches.
    stepped(): another step was taken, or none; what the window sets of it follows.  changed(): that
    or whether it is presented.
    """

    def __init__(self, document: Document, runs: Runs, notifications: Notifications) -> None:
        self.stepped, self.changed = Signal(), Signal()
        self.predictions = Predictions()
        self.presenting = False
        self._document, self._runs, self._notifications = document, runs, notifications
        self._id = ""
        self._uncovered = ""  # id of the step whose equations are shown before they are answered
        self._waits: Step | None = None  # for its run to come to the instant that it shows
        # by ids of steps and places of questions, of this document as long as it is open
        self.answers: dict[tuple[str, int], Answer] = {}
        runs.recorded.connect(self._recorded)
        document.changed.connect(self._document_changed)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._document.project.steps

    @property
    def index(self) -> int:
        """Place of the current step, -1 for none."""
        return next((k for k, step in enumerate(self.steps) if step.id == self._id), -1)

    @property
    def step(self) -> Step | None:
        """The current step."""
        return self.steps[self.index] if self.index >= 0 else None

    @property
    def covers_equations(self) -> bool:
        """True while the step asks for an equation that would be the answer if it were shown."""
        step = self.step
        if step is None or step.id == self._uncovered:
            return False
        given = (self.given(step, k) for k, q in enumerate(step.questions) if q.type == EQUATION)
        return any(answer is None or answer.reply.verdict != RIGHT for answer in given)

    def uncover_equations(self) -> None:
        """Show the equations before the question of the step is answered."""
        self._uncovered = self._id
        self.changed.emit()

    def set_presenting(self, on: bool) -> None:
        """Tell whether the window shows itself to a class."""
        self.presenting = on
        self.changed.emit()

    @property
    def state(self) -> State:
        """State that `resume` takes."""
        p = self.predictions
        return State(self._id, dict(p.covered), dict(p.sketches))

    def resume(self, state: State) -> None:
        """Make a step current again, without setting its values."""
        self._id, self._waits = state.step, None
        self.predictions.forget()
        self.predictions.covered, self.predictions.sketches = state.covered, state.sketches
        self.predictions.changed.emit()
        self.changed.emit()

    def take_over(self, other: "Lecture") -> None:
        """Continue with the present step and the answers of another lecture, whose questions may be
        worded differently here; the sentences of verdicts stay as they were.
        """
        self.answers = {}
        for before, now in zip(other.steps, self.steps):
            for k, question in enumerate(now.questions):
                if (answer := other.given(before, k)) is not None:
                    self.answers[now.id, k] = answer._replace(question=question)
        self.resume(other.state)

    def go(self, index: int) -> None:
        """Take a step: its values are set, its run is made and shown from its instant on."""
        if not 0 <= index < len(self.steps):
            return
        step = self.steps[index]
        self._id = step.id
        self.predictions.forget()
        self._set_values(step)
        self._waits = step
        self.cover_again(step)
        playback = self._runs.playback
        playback.pause()
        if self._runs.recording is None and self._runs.find_known() is None:
            self._runs.simulate()
        self._recorded()
        self.stepped.emit()
        self.changed.emit()

    def cover_again(self, step: Step) -> None:
        """Cover the plots of a step before the run comes, and let the pointer draw where the
        step requests it.
        """
        sketched = [
            q.channel
            for k, q in enumerate(step.questions)
            if q.type == PREDICT and self.given(step, k) is None
        ]
        plots = step.plots or tuple(p.id for p in self._document.project.plots)
        if step.covered or sketched:
            self.predictions.cover(plots, step.at or 0.0)
        if sketched:
            self.predictions.begin_drawing(sketched[0])

    def hold(self, id: str) -> None:
        """Make a step current as the window is, without setting anything."""
        self._id, self._waits = id, None
        self.changed.emit()

    def answer(self, number: int, said: str, reply: Reply, choice: int = 0) -> None:
        """Store the answer to a question of the active step.  choice: number of the answer."""
        step = self.step
        if step is None or number >= len(step.questions):
            return
        before = self.given(step, number)
        tries = (0 if before is None else before.tries) + (reply.verdict != UNREAD)
        self.answers[step.id, number] = Answer(said, reply, tries, step.questions[number], choice)
        self.changed.emit()

    def given(self, step: Step, number: int) -> Answer | None:
        """Answer to a question of a step; None if the question has changed since."""
        found = self.answers.get((step.id, number))
        return found if found and step.questions[number : number + 1] == (found.question,) else None

    def answered(self, number: int) -> Answer | None:
        """Answer to a question of the current step."""
        return None if self.step is None else self.given(self.step, number)

    def forget_answer(self, number: int) -> None:
        """Ask a question of the active step again."""
        if self.answers.pop((self._id, number), None) is not None:
            self.changed.emit()

    def turn(self, by: int) -> None:
        """Take a later or an earlier step; the first one where none is current."""
        self.go(self.index + by if self.index >= 0 else 0)

    def close(self) -> None:
        """Another document is there: no step is current, and nothing was answered."""
        self.answers = {}
        self.leave()

    def leave(self) -> None:
        """No step is current any more."""
        self._id, self._waits = "", None
        self.predictions.forget()
        self.stepped.emit()
        self.changed.emit()

    def _set_values(self, step: Step) -> None:
        """Parameters and visible bodies of a step, as one edit."""
        project = self._document.project
        try:
            changed = with_values(project, step)
        except ExpressionError as error:
            words = tr("Step {title}: {error}", title=step.title, error=error)
            self._notifications.say(Message("warning", words, "step"))
            return
        self._notifications.withdraw("step")
        label = tr("Step {title}", title=step.title or step.id)
        self._document.commit(label, changed)

    def _recorded(self) -> None:
        """Show the instant of a step once its run has come so far."""
        step, recording, playback = self._waits, self._runs.recording, self._runs.playback
        if step is None or recording is None:
            return
        if not (recording.finished or (recording.count and playback.end >= _needed(step))):
            return
        self._waits = None
        if step.begin is not None or step.end is not None:
            first = playback.begin if step.begin is None else step.begin
            playback.set_section(first, playback.until if step.end is None else step.end)
        else:
            playback.whole()
        if step.at is not None or step.begin is not None:
            playback.seek(step.at if step.at is not None else step.begin or 0.0)
        else:
            playback.to_design()
        if step.plays:
            playback.play()

    def _document_changed(self, old: Project, new: Project) -> None:
        """Another document has no current step."""
        if old.steps is not new.steps:
            if self._id and self.step is None:
                self.leave()
            self.changed.emit()


def _needed(step: Step) -> float:
    """The last instant that a step shows at once [s]."""
    return max(step.at or 0.0, step.begin or 0.0)


def with_values(project: Project, step: Step) -> Project:
    """A project with the parameters of a step, and with its bodies hidden and all others shown;
    what is gone is left out.  Raises ExpressionError for a value that cannot be.
    """
    for name, text in step.parameters.items():
        if name in project.parameters and project.parameters[name].value.text != text:
            project = elements.set_quantity(project, name, ("value",), text)
    project = _with_plots(project, step)
    bodies = project.mechanism.bodies
    if step.hidden or any(not body.visible for body in bodies.values()):
        hidden = [id for id in step.hidden if id in bodies]
        project = elements.with_visible(project, [*bodies], True)
        project = elements.with_visible(project, hidden, False)
    return project


def _with_plots(project: Project, step: Step) -> Project:
    """A project with a pane for each quantity that a step shows by its key, the panes of the step
    wide at the left and all others in one place beside them.
    """
    if not step.plots:
        return project
    plots = project.plots or default_plots(project.mechanism)
    there = {p.id for p in plots}
    found = {key: quantity(project, key) for key in step.plots if key not in there}
    new = tuple(Plot(key, q.name, (key,)) for key, q in found.items() if q is not None)
    plots = (*plots, *new)
    front = [id for id in step.plots if id in {p.id for p in plots}]
    others = tuple(p.id for p in plots if p.id not in front)
    beside = () if not others else (others[0] if len(others) == 1 else PlotLayout("tabs", others),)
    wide = FRONT / len(front) if others else 1.0 / max(len(front), 1)
    layout = PlotLayout("row", (*front, *beside), (wide,) * len(front) + (1 - FRONT,) * len(beside))
    return replace(project, plots=plots, plot_layout=layout) if front else project
