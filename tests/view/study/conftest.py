"""Processes of the study page serve one test after the other."""

import pytest

from mechstudio.application.questions import channel
from tests.view.lent_processes import lent_study


@pytest.fixture(autouse=True)
def lent_processes(monkeypatch):
    """The window's processes are given back instead of ended."""
    monkeypatch.setattr(channel, "WorkerProcess", lent_study)
