"""Requests to a worker process: their ids, which reports count, and what becomes of them when the
process ends.
"""

import pytest

from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import Search, StepsFound, Working
from mechstudio.protocol.solver_messages import Failed, Ready


class Worker:
    """Stands in for a process: a test says what it reports."""

    log_path = "worker.log"

    def __init__(self):
        self.requests, self.reports, self.has_ended, self.is_closed = [], [], False, False

    def send(self, request):
        self.requests.append(request)

    def receive(self):
        return self.reports.pop(0) if self.reports else None

    def last_words(self):
        return "out of memory."

    def close(self):
        self.is_closed = True


@pytest.fixture
def workers(monkeypatch):
    started = []

    def start(command, folder):
        started.append(Worker())
        return started[-1]

    monkeypatch.setattr("mechstudio.application.questions.channel.WorkerProcess", start)
    return started


def search(id):
    return Search(id, Project(Mechanism({}, {})))


def test_reports_count_until_the_last_one_of_their_request(workers, tmp_path):
    channel = Channel("search", tmp_path)
    assert channel.start() == ""
    first, second = channel.send(search, "first"), channel.send(search, "second")
    (worker,) = workers
    assert [r.id for r in worker.requests] == [first, second] and first != second
    late = Working(first, 0.9)
    worker.reports += [Ready(), Working(second, 0.5), StepsFound(first), late, Working(99, 0.5)]
    assert list(channel.reports()) == [
        ("second", Working(second, 0.5)),
        ("first", StepsFound(first)),
    ]
    assert channel.under_way == {second: "second"}
    worker.reports.append(Failed(second, "KeyError"))
    ((about, refused),) = channel.reports()
    assert about == "second" and (refused.error, refused.cause) == ("KeyError", "")
    assert "worker.log" in refused.sentence and not channel.under_way and not worker.is_closed


def test_the_latest_request_takes_the_place_of_those_before(workers, tmp_path):
    channel = Channel("search", tmp_path)
    assert channel.request(search, 1) == "" and channel.request(search, 2) == ""
    first, second = workers
    assert first.is_closed and list(channel.under_way.values()) == [2]
    second.reports.append(StepsFound(second.requests[0].id))
    assert [about for about, _ in channel.reports()] == [2]
    # nothing is under way: the process serves the next request as well
    assert channel.request(search, 3) == "" and len(workers) == 2 and not second.is_closed
    channel.stop()
    assert second.is_closed and not channel.under_way and channel.cause == ""


def test_a_process_that_ends_of_itself_refuses_all_that_was_under_way(workers, tmp_path):
    channel = Channel("search", tmp_path)
    channel.request(search, 1)
    second = channel.send(search, 2)
    (worker,) = workers
    worker.reports.append(StepsFound(second))
    assert [about for about, _ in channel.reports()] == [2]
    third = channel.send(search, 3)
    worker.has_ended = True
    sentence = "The search stopped unexpectedly (out of memory)."
    first = worker.requests[0].id
    assert list(channel.reports()) == [
        (1, Refused(sentence, cause="out of memory", id=first)),
        (3, Refused(sentence, cause="out of memory", id=third)),
    ]
    assert worker.is_closed and list(channel.reports()) == []
    assert channel.cause == "out of memory" and channel.start() == "" and channel.cause == ""
