"""Processes of studies serve one test after the other."""

import pytest

from mechstudio.application.questions import channel
from tests.view.lent_processes import end_all, lent_study


@pytest.fixture(scope="module", autouse=True)
def lent_processes():
    """They are given back instead of ended, and end with the last test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(channel, "WorkerProcess", lent_study)
        yield
    end_all()
