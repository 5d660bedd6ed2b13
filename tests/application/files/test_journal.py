"""Unsaved work stands on disk within two seconds and is found again by the next window."""

import os
import subprocess
import sys

import pytest

from mechstudio.application.document import Document
from mechstudio.application.files.journal import Journal
from mechstudio.files import journal as journal_file
from mechstudio.files import presence, project_file
from mechstudio.model.edits.links import FRONT, add_link


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def draw(document, x):
    project, _ = add_link(document.project, FRONT, (0.0, 0.0, 0.0), (x, 0.0, 0.0))
    document.commit("Draw a link", project)


def settle(journal, clock, seconds=1.1):
    """Let the clock pass and the writing thread end."""
    clock.now += seconds
    journal.poll()
    while journal._thread is not None:
        journal._thread.join()
        journal.poll()


def dead_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def as_if_killed(place):
    """The journal as a window leaves it that no longer runs."""
    text = place.read_bytes()
    place.write_bytes(text.replace(b'"pid": %d' % os.getpid(), b'"pid": %d' % dead_pid()))


def test_a_change_is_journalled_beside_the_project_and_recovered(folders):
    path = str(folders / "a.mech")
    clock, document = Clock(), Document()
    draw(document, 0.1)
    project_file.save(path, document.project)
    document.mark_saved(path)
    journal = Journal(document, clock)
    draw(document, 0.2)
    settle(journal, clock, 0.5)
    place = folders / ".a.mech.journal"
    assert not place.exists(), "written too early: a burst of edits would be a burst of writes"
    settle(journal, clock, 0.6)
    assert place.exists()
    assert journal_file.find_journal(path) is None, "this window still lives"
    as_if_killed(place)
    entry = journal_file.find_journal(path)
    assert (
        entry is not None
        and entry.changes == 1
        and entry.project == document.project
        and entry.label == "Draw a link"
    )


def test_save_undo_to_saved_and_exit_remove_the_journal(folders):
    path = str(folders / "a.mech")
    clock, document = Clock(), Document()
    document.mark_saved(path)
    journal, place = Journal(document, clock), folders / ".a.mech.journal"
    draw(document, 0.2)
    settle(journal, clock)
    assert place.exists()
    document.undo()
    assert not place.exists()
    draw(document, 0.3)
    settle(journal, clock)
    document.mark_saved(path)
    assert not place.exists()
    draw(document, 0.4)
    settle(journal, clock)
    journal.close()
    assert not place.exists()


def test_a_document_that_is_left_while_its_journal_is_written_leaves_none(folders):
    clock, document = Clock(), Document()
    document.mark_saved(str(folders / "a.mech"))
    journal = Journal(document, clock)
    draw(document, 0.2)
    clock.now += 1.1
    journal.poll()  # the thread writes
    document.load(document.project, str(folders / "b.mech"))
    draw(document, 0.3)
    journal._thread.join()
    journal.poll()
    assert not (folders / ".a.mech.journal").exists(), "it would come back as unsaved work"
    settle(journal, clock)
    assert (folders / ".b.mech.journal").exists()
    journal.close()
    assert not list(folders.glob(".*.journal"))


def test_an_unnamed_project_is_journalled_too(folders):
    clock, document = Clock(), Document()
    journal = Journal(document, clock)
    draw(document, 0.2)
    settle(journal, clock)
    (place,) = (folders / "data").rglob("unnamed-*.journal")
    as_if_killed(place)
    (entry,) = journal_file.find_unnamed()
    assert entry.path == "" and entry.project == document.project
    journal.adopt(entry)
    settle(journal, clock)
    journal.close()
    assert not list((folders / "data").rglob("*.journal"))


def test_a_journal_that_cannot_be_written_is_said_once(folders, monkeypatch):
    clock, document, said = Clock(), Document(), []
    journal = Journal(document, clock)
    journal.failed.connect(said.append)
    blocked = folders / "blocked"
    blocked.write_text("a file where a folder should be")
    monkeypatch.setattr(journal_file, "recovery_folder", lambda: blocked / "recovery")
    for x in (0.1, 0.2):
        draw(document, x)
        settle(journal, clock)
    assert len(said) == 1 and "cannot be kept safe" in said[0]


def test_a_damaged_journal_is_no_work_and_no_error(folders):
    place = folders / ".a.mech.journal"
    for text in (
        b"",
        b"\xff\xfe",
        b'{"pid": 1}\n',
        b'{"mechstudio_journal": 1, "pid": "x"}\n{}',
        b"[" * 10000,
    ):
        place.write_bytes(text)
        assert journal_file.find_journal(str(folders / "a.mech")) is None


def test_a_second_window_on_the_same_file_is_noticed(folders):
    path = str(folders / "a.mech")
    code = (
        "import sys\nfrom mechstudio.files import "
        "presence\npresence.announce(sys.argv[1])\nprint('up', flush=True)\nsys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "up\n"
    assert presence.holder(path) == other.pid
    other.kill()
    other.communicate()
    assert presence.holder(path) == 0, "a killed window holds nothing"
    presence.announce(path)
    assert presence.holder(path) == 0, "this window is no other window"
    presence.withdraw(path)


def test_a_window_that_must_end_keeps_the_last_change(folders):
    path = str(folders / "a.mech")
    project_file.save(path, Document().project)
    document = Document()
    document.load(project_file.load(path).project, path)
    journal = Journal(document, Clock())
    draw(document, 1.0)  # a moment ago: no journal is due yet
    journal.close(keep=True)
    as_if_killed(journal_file.journal_paths(path)[0])
    entry = journal_file.find_journal(path)
    assert entry is not None and entry.project == document.project and entry.changes == 1
