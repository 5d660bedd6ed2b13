"""A drawing in Chinese by real mouse and keys, from an empty window to a film, a report and a
script: nothing on the way is in English, and the files hold what was drawn.
"""

import runpy

import pytest
from PIL import Image
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.films.film import Film
from mechstudio.application.questions.solver import Session
from mechstudio.translation import ENGLISH, use
from mechstudio.view.language import speak
from tests.view.conftest import emptied, started
from tests.view.files import named
from tests.view.jobs.counting import CountingHand

Qt = QtCore.Qt


@pytest.fixture
def chinese(qapp, make_window, qtbot):
    """A hand at an empty window in Chinese with the real solver."""
    use("zh_CN")
    speak(qapp, "zh_CN")
    window = make_window(session=Session)
    started(window, qtbot)
    emptied(window, qtbot)
    yield CountingHand(window, qtbot)
    use(ENGLISH)
    speak(qapp, ENGLISH)


def exported(window, qtbot, kind, place):
    """Path of an export of a kind that a click on the button writes."""
    window.export_kind = kind
    QTest.keyClick(
        window,
        Qt.Key.Key_E,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    sheet = window.exports
    sheet._folder = place
    qtbot.waitUntil(lambda: not sheet.page.state.problem)
    QtWidgets.QApplication.processEvents()
    path = sheet.path
    QTest.mouseClick(sheet.saver, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(path.exists, timeout=120_000)
    qtbot.waitUntil(lambda: sheet.page.state.progress is None, timeout=120_000)
    sheet.leave()
    return path


@pytest.mark.slow
def test_a_four_bar_in_chinese_goes_to_film_report_and_script(chinese, qtbot, tmp_path):
    hand, window, studio = chinese, chinese.window, chinese.studio
    hand.type("l")
    hand.click((0, 0, 0))
    hand.type("110,70⏎300,10⏎")
    hand.click((0.3, 0, 0))
    hand.type("⏎")
    assert studio.document.undo_label and not studio.document.undo_label.isascii()
    hand.type("m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    assert hand.mechanism.drives or hand.mechanism.forces
    window.viewport.setFocus()
    hand.type("␣")
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=120_000,
    )
    window.film = Film(width=160, height=90, fps=10)
    film = Image.open(exported(window, qtbot, "movie", tmp_path))
    assert film.size == (160, 90) and film.n_frames == 10  # of one turn
    report = exported(window, qtbot, "report", tmp_path)
    assert report.read_bytes().startswith(b"%PDF")
    window.film = None
    script = tmp_path / "four_bar.py"
    window.actions_.trigger("export_python")
    named(window, qtbot, script)
    qtbot.waitUntil(script.exists, timeout=20_000)
    assert script.read_text("utf-8") == ms.script(studio.document.project)
    runpy.run_path(str(script))
    words = " ".join(w.text() for w in window.docks.by_key["doctor"].findChildren(QtWidgets.QLabel))
    assert max(words) >= "\u4e00" and "joint" not in words.lower()
