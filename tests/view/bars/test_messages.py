"""A message belongs to a document and a cause, and goes with it."""

import pytest

from mechstudio.application.notifications import Message
from mechstudio.application.resources import sample_folder

SAID = [
    Message("error", "It stopped.", "run"),
    Message("info", "four_bar.tex is saved in there.", "export"),
    Message("warning", "It cannot be set.", "pose"),
    Message("warning", "It is open elsewhere too.", "elsewhere"),
    Message("error", "It was not saved.", "file"),
    Message("warning", "The solver is silent.", "solver"),
]


@pytest.fixture
def reported(window):
    for message in SAID:
        window.studio.notifications.say(message)
    yield lambda: {m.key for m in window.studio.notifications.messages} & {m.key for m in SAID}
    for message in SAID:
        window.studio.notifications.withdraw(message.key)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["new", "open"])
def test_another_document_has_no_messages_of_the_one_before(window, reported, how):
    if how == "new":
        window.studio.files.new()
    else:
        assert window.studio.files.open(sample_folder() / "slider_crank.mech")
    assert reported() == {"solver"}
    assert {b.message.key for b in window.banners.shown} & {m.key for m in SAID} <= {"solver"}


def test_the_next_run_ends_the_messages_of_the_last(window, reported, qtbot):
    window.studio.files.open(sample_folder() / "four_bar.mech")
    for message in SAID:
        window.studio.notifications.say(message)
    window.studio.runs.simulate()
    assert reported() == {"solver", "file", "elsewhere"}
