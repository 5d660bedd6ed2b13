"""A message belongs to a document and a cause, and goes with it."""

import pytest
from PySide6 import QtCore, QtWidgets

from mechstudio.application.files.saved_files import say_saved
from mechstudio.application.notifications import Message
from mechstudio.application.resources import sample_folder
from tests.view.conftest import settle

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


def test_a_success_goes_by_itself_and_all_else_stays(window, qtbot, monkeypatch, tmp_path):
    said, banners = window.studio.notifications, window.banners
    before = banners._passing.interval()
    monkeypatch.setattr(banners, "underMouse", lambda: True)
    banners._passing.setInterval(20)
    said.say(Message("warning", "It could not be written.", "journal"))
    say_saved(said.say, tmp_path / "a.tex", "export")
    keys = lambda: [m.key for m in said.messages if m.key in ("journal", "export")]
    qtbot.wait(100)
    assert keys() == ["journal", "export"], "the pointer holds it"
    monkeypatch.setattr(banners, "underMouse", lambda: False)
    qtbot.waitUntil(lambda: keys() == ["journal"])
    say_saved(said.say, tmp_path / "a.tex", "export", "Left out: a spring.")
    assert not banners._passing.isActive() and keys() == ["journal", "export"]
    banners._passing.setInterval(before)
    for key in ("journal", "export"):
        said.withdraw(key)


def test_buttons_stand_below_a_sentence_that_they_leave_no_room(window):
    words = "four_bar.mech was restored with 1 change after the last save."
    buttons = (("Keep", lambda: None), ("Discard", lambda: None))
    window.studio.notifications.say(Message("info", words, "restored", buttons))
    banner = window.banners.shown[-1]
    keep, discard = banner.findChildren(QtWidgets.QPushButton)
    for width, below in ((640, False), (260, True), (640, False)):
        window.banners.place(QtCore.QRect(0, 0, width, 400))
        settle(QtWidgets.QApplication.instance())
        top, text = keep.mapTo(banner, QtCore.QPoint()).y(), banner.text.geometry()
        assert (top > text.bottom()) is below
        assert text.width() > 150 and keep.width() >= keep.sizeHint().width()
        assert discard.mapTo(banner, discard.rect().topRight()).x() < banner.width()
    window.studio.notifications.withdraw("restored")
