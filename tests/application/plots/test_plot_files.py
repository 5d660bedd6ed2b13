"""Panes as pictures in files."""

import msgspec
import numpy as np

from mechstudio import translation
from mechstudio.application.plots.export import pictures
from mechstudio.application.plots.panes import panes
from mechstudio.application.plots.traces import Trace
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load


def test_pictures_have_the_words_of_the_language_that_is_shown():
    project = load(sample_folder() / "four_bar.mech").project
    pane = panes(msgspec.structs.replace(project, plots=()))[1]
    time = np.array([0.0, 1.0])
    curves = [Trace(c.key, c, "", c.word, "", c.color, c.dash, time, time) for c in pane.curves[:3]]
    before = translation.language()
    translation.use("fr")
    try:
        (panel,) = pictures([(pane, curves)], (0.0, 1.0), lambda pane, traces: None)
    finally:
        translation.use(before)
    assert panel.title == "Énergie"
    assert [line.name for line in panel.lines] == ["cinétique", "potentielle", "totale"]
