"""Every request has one handler, in one of the processes."""

from typing import get_args

from mechstudio.protocol.derivation_messages import Copied
from mechstudio.protocol.solver_messages import Failed, Request
from mechstudio.worker import derivation_process, solver_process, study_process
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
