"""Edits that belong to one movement, as of a slider that is held, are one undo step."""

from mechstudio.application.document import Document
from mechstudio.model.project import Project


def noted(text):
    return Project(note=text)


def test_a_movement_is_one_step_and_undo_takes_all_of_it_back():
    document = Document(noted("start"))
    for k in range(3):
        document.commit(f"Turn A to {k}", noted(str(k)), "drag 1")
    assert document.history[0] == ["Open", "Turn A to 2"]
    document.undo()
    assert document.project.note == "start"


def test_another_movement_an_edit_or_an_undo_between_begins_a_new_step():
    document = Document(noted("start"))
    document.commit("a", noted("a"), "drag 1")
    document.commit("b", noted("b"), "drag 2")
    document.commit("c", noted("c"))
    document.commit("d", noted("d"), "drag 2")
    assert document.history[0] == ["Open", "a", "b", "c", "d"]
    document.undo()
    document.redo()
    document.commit("e", noted("e"), "drag 2")
    assert document.history[0][-2:] == ["d", "e"]


def test_a_saved_state_is_not_replaced():
    document = Document(noted("start"))
    document.commit("a", noted("a"), "drag 1")
    document.mark_saved("x.mech")
    document.commit("b", noted("b"), "drag 1")
    assert document.history[0] == ["Open", "a", "b"] and document.is_modified


def test_a_movement_that_comes_back_leaves_no_step_and_takes_none():
    document = Document(noted("start"))
    document.commit("a", noted("a"))
    for note in ("b", "c", "a"):
        document.commit(note, noted(note), "drag 1")
    assert document.history == (["Open", "a"], 1) and document.project.note == "a"
    document.commit("d", noted("d"), "drag 1")
    assert document.history[0] == ["Open", "a", "d"]
    document.undo()
    assert document.project.note == "a"
