"""Arrangement and words of parts that come late or seldom: lessons with each type of question,
answers of a fit, tasks, messages, lines in front of a class, numbers of an instant.
"""

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import msgspec
import pytest
from PySide6.QtWidgets import QWidget

from mechstudio.application.actions import simulate
from mechstudio.application.notifications import Message
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.model.project import CHOOSE, EQUATION, NUMBER, PREDICT, Question, Step
from mechstudio.view.bars.banner import Banners
from mechstudio.view.bars.history import HistoryPanel
from mechstudio.view.bars.time_bar import TimeBar
from mechstudio.view.equations.numbers import IndependentChoice, NowView
from mechstudio.view.equations.parts import Progress
from mechstudio.view.lessons.questions import Questions
from mechstudio.view.lessons.writing import StepWriter
from mechstudio.view.present.column import Column
from mechstudio.view.present.foot import Foot, Hint
from mechstudio.view.present.header import Header
from mechstudio.view.present.notes import Notes
from mechstudio.view.present.shown_parts import Shown, ShownChoice
from mechstudio.view.start.first_card import FirstCard
from mechstudio.view.study.fitting.curves import FitView
from mechstudio.view.study.fitting.result import FitResultPanel
from mechstudio.view.widgets.access import accessible
from tests.view.access.arrangement import arrangement
from tests.view.access.outline import outline
from tests.view.access.walk import turn
from tests.view.conftest import sample_file
from tests.view.study.test_fit_result import answer, give, study_without

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
QUESTIONS = (
    Question(CHOOSE, "Which?", ("this", "that"), "2", hints=("Look.",)),
    Question(NUMBER, "How long?", (), "100 mm", "length", hints=("Look.", "Again.")),
    Question(PREDICT, "Draw it.", channel="joint/A/0"),
    Question(EQUATION, "Which equation?", answer="x = 0"),
)


def nothing(*given: object) -> None:
    """Nothing happens by a button here."""


def parts(theme, host: QWidget) -> Iterator[tuple[str, QWidget]]:
    """Parts by name, each in its fullest state."""
    studio = Studio(Preferences())
    steps = (Step("s1", "One", "At {L1}.", "Say it.", questions=QUESTIONS), Step("s2", "Two"))
    project = msgspec.structs.replace(sample_file("four_bar").project, steps=steps)
    studio.files.show(project, None, None)
    studio.lecture.go(0)
    questions = Questions(theme, studio, lambda text, answered: False)
    questions.cards[0].choices[0].click()
    for text in ("7", "8"):
        questions.cards[1].field.setText(text)
        questions.cards[1].check.click()
    yield "questions", questions
    writer = StepWriter(theme, studio, nothing, nothing)
    writer.refresh()
    yield "writer", writer
    yield "header", Header(theme, studio, str, nothing, nothing, host)
    hints = [Hint(action, "P", "Play") for action in (simulate.play, simulate.loop)]
    yield "foot", Foot(theme, studio, nothing, lambda: ("L1", "L2"), hints, lambda a: False, host)
    yield "notes", Notes(theme, studio, host)
    docks = SimpleNamespace(equations=SimpleNamespace(equations=None))
    choice = ShownChoice(theme, studio, docks, Shown, host)
    choice.open(600, 0, 600)
    yield "choice", choice
    equations = SimpleNamespace(compare=nothing, derivations=None)
    card = Column(theme, studio, equations, nothing, host)
    plots = tuple(plot.id for plot in project.plots)[:1]
    card.show_chosen(Shown((), plots, "rows"))
    yield "card", card
    study = study_without()
    view, result = FitView(theme, study), FitResultPanel(theme, study, nothing, nothing)
    yield "no fit", view
    yield "no answer", result
    give(study, answer())
    yield "fit", view
    yield "answer", result
    first = FirstCard(theme)
    for done in ((True, False, False, False, False), (True,) * 5):
        first.show_tasks(done, "A", "1.2 J")
        yield f"{sum(done)} tasks", first
    studio.notifications.say(Message("warning", "Mind it.", buttons=(("Undo", nothing),)))
    yield "messages", Banners(theme, studio, host)
    yield "time", TimeBar(theme, studio, nothing)
    panel = HistoryPanel(theme, studio, host, nothing, simulate.play, lambda: 0)
    panel.show_panel()
    yield "history", panel
    progress = Progress(theme)
    progress.show_state("Deriving", "Stop", 0.4)
    yield "progress", progress
    now = NowView(theme, lambda formula, words: formula)
    yield "instant", now
    yield "independent", IndependentChoice()


def test_parts_are_arranged_and_worded_as_approved(qapp, theme, qtbot, approved):
    accessible.install()  # as a window does; without it widgets tell no values
    host, nowhere, lines = QWidget(), QWidget(), []
    host.resize(900, 700)
    host.show()
    qtbot.addWidget(host)
    for name, part in parts(theme, host):
        part.setParent(host)
        part.resize(600, 600)
        part.show()
        turn()
        # each line once, as widgets of one kind are arranged alike
        arranged = dict.fromkeys(arrangement(part, nowhere))
        lines += [f"# {name}", *arranged, f"## words of {name}", *outline(part)]
        part.hide()
    approved.holds("parts.txt", "\n".join(lines) + "\n")
