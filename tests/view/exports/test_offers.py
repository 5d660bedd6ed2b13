"""After every export the file is offered to be opened, and shown in its folder: each module that
asks for a place to write to tells by one of the functions that end in
application.files.saved_files.
"""

from pathlib import Path

from mechstudio.application.files.saved_files import OPEN, SHOW
from mechstudio.application.notifications import Notifications
from mechstudio.view.dialogs.files.background_file import FileMaking

VIEW = Path(__file__).parents[3] / "mechstudio" / "view"
# who asks for a place, and by what it tells
ASKING = {
    "actions/file.py": "FileMaking(",
    "actions/lessons.py": "questions.exports.request(",
    "dialogs/drawing.py": "FileMaking(",
    "dialogs/files/export.py": "exports.request(",
    "exports/sheet.py": "page.save(",  # each page tells
    "panels/analyses.py": "from mechstudio.application.plots.export import LABELS, write",
    "plots/export.py": "FileMaking(",
    "scene/marks/path_export.py": "FileMaking(",
    "study/page.py": "FileMaking(",
}


def test_an_export_with_a_chosen_path_reports_the_file():
    found = {
        str(path.relative_to(VIEW)).replace("\\", "/"): path.read_text("utf-8")
        for path in VIEW.rglob("*.py")
        if path.name != "chooser.py"
    }
    asking = {name for name, text in found.items() if "ask_target(" in text}
    assert asking == set(ASKING)
    assert [name for name, words in ASKING.items() if words not in found[name]] == []
    # pages of the sheet, which learns of a file that was written and says nothing itself
    assert "say_saved(" in found["exports/movie.py"]
    assert "say_saved(" not in found["exports/sheet.py"]


def test_a_file_that_is_made_is_offered(qtbot, tmp_path):
    notifications = Notifications()
    making = FileMaking(notifications, None)
    with qtbot.waitSignal(making.finished, timeout=5000):
        making.make(tmp_path / "a.txt", lambda: b"a")
    (message,) = notifications.messages
    assert [words for words, _ in message.buttons] == [OPEN, SHOW]
    assert (tmp_path / "a.txt").read_bytes() == b"a"
    assert message.passing, "a success goes by itself"
    with qtbot.waitSignal(making.finished, timeout=5000):
        making.make(tmp_path / "a.txt", lambda: b"a", "Left out: b.")
    (message,) = notifications.messages
    assert message.text.endswith("Left out: b.") and not message.passing
