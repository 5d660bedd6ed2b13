"""Messages through pipes: what was sent arrives, torn and foreign bytes are recognised."""

import io

import msgspec
import pytest

from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.events import StopEvent
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.protocol import solver_messages
from mechstudio.protocol.solver_messages import (
    Alive,
    Analyse,
    Analysed,
    Began,
    Cancel,
    Failed,
    Finished,
    Impacted,
    Preparing,
    Ready,
    Simulate,
)
from tests.mechanisms import four_bar

PROJECT = Project(four_bar(), extra={"newer": [1, {"a": None}]})


@pytest.mark.parametrize(
    "request_",
    [Analyse(3, PROJECT), Simulate(4, PROJECT, "ring", "hang@1"), Cancel(4)],
    ids=lambda m: type(m).__name__,
)
def test_requests_arrive_equal(request_):
    pipe = io.BytesIO(solver_messages.pack(request_))
    assert solver_messages.read_request(pipe) == request_
    assert solver_messages.read_request(pipe) is None


@pytest.mark.parametrize(
    "report",
    [
        Preparing(0.4, True),
        Ready(),
        Began(3, solver_messages.RUN),
        Alive(3, 1.5),
        Impacted(3, (StopEvent(0.5, "J", 0, True, 1.0, 2.0),)),
        Failed(3, "E: x"),
        Analysed(3, Analysis(None, (Finding("info", "A", "m", "c"),))),
        Finished(3, 7, True, None, RunStatistics(1.0, 7, 6, 0, 0.1, 0.1, None, 1e-13, 10.0)),
    ],
    ids=lambda m: type(m).__name__,
)
def test_reports_arrive_equal(report):
    assert solver_messages.read_report(io.BytesIO(solver_messages.pack(report))) == report


def test_numbers_survive_exactly():
    value = 0.1 + 0.2
    project = msgspec.structs.replace(
        PROJECT,
        settings=msgspec.structs.replace(PROJECT.settings, duration=Quantity(value, "300 ms")),
    )
    arrived = solver_messages.read_request(
        io.BytesIO(solver_messages.pack(Analyse(1, project)))
    ).project
    assert arrived.settings.duration == Quantity(value, "300 ms")
    assert list(arrived.mechanism.bodies) == list(project.mechanism.bodies)


def test_a_torn_message_is_the_end():
    whole = solver_messages.pack(Analyse(1, PROJECT))
    for length in (1, 3, 4, len(whole) // 2, len(whole) - 1):
        assert solver_messages.read_request(io.BytesIO(whole[:length])) is None


@pytest.mark.parametrize(
    "garbage", [b"Hello, I print things\n" * 9, b"\x05\0\0\0xxxxx", b"\xff\xff\xff\xff" + b"x" * 99]
)
def test_garbage_in_the_pipe_raises_a_decode_error(garbage):
    with pytest.raises(msgspec.DecodeError):
        solver_messages.read_report(io.BytesIO(garbage))
