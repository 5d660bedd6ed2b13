"""Words of a study: how many runs there will be, and how long they take."""

import pytest

from mechstudio.model.studies.setup import FIT, LOCAL, StudySetup
from mechstudio.view.study.words import planned, seconds


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.2, "1 s"),
        (1.4, "1 s"),
        (119.4, "119 s"),
        (120.0, "2 min"),
        (7199.0, "120 min"),
        (7200.0, "2 h"),
        (9100.0, "3 h"),
    ],
)
def test_a_guessed_time_has_the_unit_that_fits(value, words):
    assert seconds(value) == words


@pytest.mark.slow
def test_runs_are_counted_in_words():
    study, search, fit = (
        StudySetup("s", "study", **more) for more in ({}, {"method": LOCAL}, {"method": FIT})
    )
    assert planned(study, 1, "2 s") == "One run of 2 s"
    assert planned(study, 1200, "2 s") == "1,200 runs of 2 s"
    assert planned(search, 1200, "2 s") == "At most 1,200 runs of 2 s"
    assert planned(search, 1, "2 s") == "At most one run of 2 s"
    assert planned(fit, 1, "2 s") == "At most one run"
    assert planned(fit, 40, "2 s") == "At most 40 runs"
