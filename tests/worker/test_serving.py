"""Every request has one handler, in one of the processes."""

from typing import get_args

import pytest

from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import (
    Copied,
    FindInterference,
    Measure,
    Search,
    Size,
    TracePoints,
)
from mechstudio.protocol.solver_messages import Failed, Request
from mechstudio.worker import derivation_process, solver_process, study_process
from mechstudio.worker.requests import ANSWERS
from mechstudio.worker.serving import serve


def test_every_request_has_one_handler():
    tables = (solver_process.HANDLERS, solver_process.AT_ONCE, derivation_process.HANDLERS)
    tables = (*tables, study_process.HANDLERS)
    handled = [kind for table in tables for kind in table]
    assert len(handled) == len(set(handled))
    # a derivation notes for itself that its LaTeX is still to be sent
    assert set(handled) - {Copied} == set(get_args(Request))


def test_an_error_of_a_handler_is_reported_and_ends_nothing():
    reports = []

    class Asked:
        id = 3

    serve(lambda request: 1 / 0, Asked(), reports.append)
    (failed,) = reports
    assert isinstance(failed, Failed)
    assert (failed.id, failed.error) == (3, "ZeroDivisionError: division by zero")


@pytest.mark.parametrize(
    ("request_", "searched"),
    [
        (Search(3, Project(), "j", 0), "structure.branches.search"),
        (TracePoints(3, Project(), (), ""), "structure.point_curves.search"),
        (FindInterference(3, Project(), bytes(8), bytes(56)), "analyses.interference.search"),
    ],
)
def test_a_search_reports_how_far_it_is_and_its_result_once(monkeypatch, request_, searched):
    results = [(0.25, None), (0.5, None), (1.0, "found")]
    monkeypatch.setattr(f"mechstudio.engine.{searched}", lambda *arguments: iter(results))
    begun, shares = [], []

    def begin(of):
        begun.append(of)
        return shares.append

    (report,) = ANSWERS[type(request_)](request_, begin)
    values = [getattr(report, name) for name in report.__struct_fields__]
    assert values[:2] == [3, "found"]
    assert begun == [request_] and shares == [0.25, 0.5]


def test_what_cannot_be_sized_or_measured_has_a_sentence(monkeypatch):
    """A missing key is said without quotes; an error without words by its type."""
    requests = (
        (Size(5, Project(), "spring", {}), "sizing.registry.size"),
        (Measure(5, Project(), "power", {}), "analyses.parts.analyse_parts"),
    )
    for request_, requested in requests:
        for error, words in ((KeyError("no such part"), "no such part"), (ValueError(), "")):

            def failing(*arguments, error=error):
                raise error

            monkeypatch.setattr(f"mechstudio.engine.{requested}", failing)
            (report,) = ANSWERS[type(request_)](request_, lambda of: None)
            values = [getattr(report, name) for name in report.__struct_fields__]
            assert values[:3] == [5, None, words]
