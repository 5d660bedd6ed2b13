"""A run of many samples costs the status line no more than a short one."""

import statistics
import time

import numpy as np

from mechstudio.application.runs.recording import Recording

BLOCK = 4000


def test_the_status_line_reads_no_sample_again(window, monkeypatch):
    """It comes with every piece of news of the run: the largest errors come with the samples."""
    studio = window.studio
    recording = Recording(studio.document.project)
    block = np.full((BLOCK, recording.layout.width), 1e-12)
    block[:, recording.layout.energy] = (2.0, -5.0, 0.0, 1e-9)

    def cost():
        studio.questions.session.recording = recording
        assert studio.runs.recording is recording
        spent = []
        for _ in range(15):
            begin = time.process_time()
            window.status._show_errors()
            spent.append(time.process_time() - begin)
        return statistics.median(spent)

    recording.append(block)
    short = cost()
    for _ in range(60):
        recording.append(block)
    assert cost() < 10 * short, "it was sixty times as much"
    assert "1e" in window.status.constraint._text.text().replace("−", "-")
    studio.questions.session.reset()
