"""Curves that an analysis finds: requests are of the drawing with its present names."""

import sys

import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.plots.choice import instead
from mechstudio.application.questions.analysed_curves import AnalysedCurves
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements


@pytest.fixture
def asking(tmp_path):
    """A document whose first plot shows a reaction, a run of it, and curves whose process thinks
    for ever.
    """
    project = load(sample_folder() / "four_bar.mech").project
    document = Document(instead(project, "plot_1", ["measured/reactions/joint/A/Fx"]).project)
    recording = Recording(document.project)
    rows = np.zeros((3, recording.layout.width))
    rows[:, 0] = 0.0, 0.5, 1.0
    recording.append(rows)
    recording.finish(True)
    curves = AnalysedCurves(
        document, tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"]
    )
    curves.poll(recording)
    assert curves.is_busy
    yield document, curves, recording
    curves.close()


def test_a_name_changed_meanwhile_is_requested_again(asking):
    # the table on its way has columns of the old name, in which the curve would never be found
    document, curves, recording = asking
    document.commit("Rename", elements.set_attribute(document.project, "A", name="hinge"))
    assert not curves.is_busy
    curves.poll(recording)
    assert curves.is_busy


def test_analysis_goes_on_after_an_edit_of_plots(asking):
    document, curves, _ = asking
    document.commit("Another plot", instead(document.project, "plot_2", ["energy/kinetic"]).project)
    assert curves.is_busy
