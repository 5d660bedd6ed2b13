"""The history: a thousand steps, any of them reached in one change, and back at the start the file
is the one that was opened.
"""

from pathlib import Path

import pytest

from mechstudio.application.document import HISTORY, Document
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load, save
from mechstudio.model.edits import elements
from mechstudio.model.project import Project
from tests.edits import Editor


@pytest.fixture
def long():
    """A document with a thousand steps, and the list of its changes."""
    document, reported = Document(Project()), []
    for k in range(HISTORY):
        document.commit(f"Note {k}", elements.replace(document.project, note=str(k)))
    document.changed.connect(lambda old, new: reported.append((old.note, new.note)))
    return document, reported


def test_a_step_far_away_is_one_change(long):
    document, reported = long
    document.go_to(3)
    document.go_to(HISTORY)
    document.go_to(10**6)
    document.go_to(-5)
    assert reported == [(str(HISTORY - 1), "2"), ("2", str(HISTORY - 1)), (str(HISTORY - 1), "")]
    assert document.history[1] == 0 and not document.undo_label and document.redo_label == "Note 0"
    document.go_to(0)
    assert len(reported) == 3


def test_a_thousand_steps_lead_back_and_one_more_forgets_the_first(long):
    document, _ = long
    start = document._history[0].project
    assert document.is_whole and len(document.history[0]) == HISTORY + 1
    document.commit("One more", elements.replace(document.project, note="x"))
    assert not document.is_whole and len(document.history[0]) == HISTORY + 1
    for _ in range(HISTORY):
        document.undo()
    assert (
        document.undo_label == "" and document.project is not start and document.project.note == "0"
    )
    document.load(Project(), None)
    assert document.is_whole


def test_an_edit_after_going_back_forgets_what_was_undone(long):
    document, _ = long
    document.go_to(500)
    document.commit("Another way", elements.replace(document.project, note="other"))
    labels, now = document.history
    assert now == 501 and labels[-1] == "Another way" and len(labels) == 502


@pytest.mark.parametrize("path", sorted(sample_folder().glob("*.mech")), ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_after_undoing_everything_the_saved_file_is_the_opened_one_byte_for_byte(path, tmp_path):
    loaded = load(path)
    editor = Editor(loaded.project, seed=len(path.stem), checking=False)
    document = editor.document
    for _ in range(25):
        editor.act()
    while document.project is loaded.project or len(document.history[0]) < 6:
        editor.act()
    save(tmp_path / "edited.mech", document.project, loaded.camera)
    assert (tmp_path / "edited.mech").read_bytes() != path.read_bytes()
    while document.undo_label:
        document.undo()
    save(tmp_path / "again.mech", document.project, loaded.camera)
    assert (tmp_path / "again.mech").read_bytes() == Path(path).read_bytes()
