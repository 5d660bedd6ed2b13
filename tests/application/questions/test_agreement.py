"""The simulator's verdict: requested once for each state of a drawing."""

import pytest

from mechstudio.application.questions.agreement import KEPT, Verdicts
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.equations.lecture import SAMPLED, Proof
from mechstudio.protocol.derivation_messages import Proved

PROJECT = load(sample_folder() / "cart_pole.mech").project


class Judge:
    """Stands in for the process: answers every question when it is looked for, and counts them."""

    def __init__(self, sent):
        self.requested, self._answers, self.has_ended = sent, [], False

    def send(self, request):
        self.requested.append(request)
        self._answers.append(
            Proved(
                request.id, (Proof("engine", "claim", SAMPLED, f"answer {len(self.requested)}"),)
            )
        )

    def receive(self):
        return self._answers.pop() if self._answers else None

    def close(self):
        self._answers.clear()


@pytest.fixture
def sent(monkeypatch):
    requests = []
    monkeypatch.setattr(
        "mechstudio.application.questions.channel.WorkerProcess",
        lambda command, folder: Judge(requests),
    )
    return requests


def heavier(k):
    return elements.set_quantity(PROJECT, "m_c", ("value",), f"{3 + k} kg")


def test_a_state_that_comes_back_has_its_verdict_at_once(sent, tmp_path):
    verdicts = Verdicts(tmp_path)
    first, second = heavier(0), heavier(1)
    for project in (first, second):
        verdicts.ask(project, "auto")
        assert verdicts.is_working and verdicts.proof is None
        verdicts.poll()
        assert not verdicts.is_working
    verdicts.forget()
    verdicts.ask(first, "auto")
    assert not verdicts.is_working and verdicts.proof.detail == "answer 1" and len(sent) == 2
    verdicts.ask(first, "link")
    assert verdicts.is_working and verdicts.proof is None, "other coordinates are other equations"
    verdicts.close()


def test_a_cancelled_question_is_sent_again_and_old_ones_go(sent, tmp_path):
    verdicts = Verdicts(tmp_path)
    states = [heavier(k) for k in range(KEPT + 1)]
    verdicts.ask(states[0], "auto")
    verdicts.forget()
    for project in states:
        verdicts.ask(project, "auto")
        verdicts.poll()
    assert len(sent) == KEPT + 2
    verdicts.ask(states[0], "auto")
    assert verdicts.is_working
    verdicts.close()
