"""A studio that goes on where another one was closed, as when the window speaks another language:
nothing that the user has is lost, and nothing that was thrown away comes back.
"""

import shutil

import pytest

from mechstudio.application.files.run_store import RunStore
from mechstudio.application.lessons.checking import RIGHT, Reply
from mechstudio.application.notifications import Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.kept_runs import KeptRuns
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.translation import use
from tests.application.lessons.test_lesson_words import languages  # noqa: F401
from tests.application.runs.test_kept_runs import run_of
from tests.view.standin import StandinSession

FOUR_BAR = sample_folder() / "four_bar.mech"


@pytest.fixture
def path(tmp_path):
    """A copy of the four-bar that may be written."""
    return shutil.copy(FOUR_BAR, tmp_path / "own.mech")


def studio_of(path=None, **how):
    studio = Studio(Preferences(kept=False))
    if path is not None:
        assert studio.files.open(path, **how)
        studio.attach(StandinSession(studio.document))
    return studio


def after(before, spoke="en", attached=True):
    """The studio that goes on with one that is closed."""
    before.close()
    studio = studio_of()
    studio.take_over(before, spoke)
    if attached:
        studio.attach(StandinSession(studio.document))
    return studio


def with_run(studio):
    studio.runs.simulate()
    while studio.runs.is_running:
        studio.questions.session.poll()
    return studio.runs.recording


def settled(studio):
    while studio.files.runs.is_busy:
        studio.files.poll()


def test_runs_that_were_forgotten_do_not_come_back(path):
    kept, store = KeptRuns(), None
    kept.keep(run_of(load(path).project, [1.0, 2.0]))
    store = RunStore(kept, Notifications())
    store.saved(str(path))
    store.close()
    first = studio_of(path)
    settled(first)
    assert len(first.runs.kept.runs) == 1
    second = after(first)
    settled(second)
    assert second.runs.kept.runs == first.runs.kept.runs
    assert second.files.runs._written == first.files.runs._written != {}
    second.runs.kept.forget()
    third = after(second)
    settled(third)
    assert third.runs.kept.runs == ()
    third.close()


def test_runs_that_were_being_read_are_there(path):
    kept = KeptRuns()
    kept.keep(run_of(load(path).project, [1.0, 2.0]))
    store = RunStore(kept, Notifications())
    store.saved(str(path))
    store.close()
    second = after(studio_of(path))
    assert len(second.runs.kept.runs) == 1
    second.close()


def test_a_file_that_another_program_changed_is_not_overwritten(path):
    first = studio_of(path)
    with open(path, "ab") as file:
        file.write(b"\n")
    second = after(first)
    second.document.commit(
        "edit", elements.set_quantity(second.document.project, "L1", ("value",), "140 mm")
    )
    assert not second.files.save(path)
    assert [m.key for m in second.notifications.messages] == ["file"]
    second.close()


def test_a_pane_that_follows_shows_the_same_stretch_and_the_motion_goes_on(path):
    first = studio_of(path)
    recording = with_run(first)
    first.runs.playback.seek(2.5)
    first.plots.show(2.0, 3.0)
    first.plots.set_cursor("a", 2.2)
    first.runs.play()
    assert first.plots.follow
    second = after(first, attached=False)
    third = after(second)  # before the solver of the second one was there
    assert third.runs.recording is recording
    assert (third.runs.playback.time, third.runs.playback.playing) == (2.5, True)
    assert (third.plots.stretch, third.plots.a) == ((2.0, 3.0), 2.2)
    third.close()


def test_undo_comes_back_to_the_run_of_the_drawing_before(path):
    first = studio_of(path)
    recording = with_run(first)
    longer = elements.set_quantity(first.document.project, "L1", ("value",), "140 mm")
    first.document.commit("Longer", longer)
    second = after(first)
    assert second.runs.recording is None
    second.document.undo()
    assert second.runs.recording is recording
    second.close()


def test_answers_stay_where_their_questions_stand_in_other_words(languages):
    use("fr")
    first = studio_of(FOUR_BAR, as_copy=True)
    place = next(k for k, step in enumerate(first.document.project.steps) if step.questions)
    first.lecture.go(place)
    first.lecture.answer(0, "3", Reply(RIGHT, "so"), 1)
    use("zh_CN")
    second = after(first, "fr")
    assert second.document.project.steps[place].questions[0].text.startswith("【")
    answer = second.lecture.answered(0)
    assert answer is not None and (answer.said, answer.tries, answer.choice) == ("3", 1, 1)
    second.close()


def test_a_copy_that_was_saved_keeps_the_words_of_its_file(languages, tmp_path):
    use("fr")
    first = studio_of(FOUR_BAR, as_copy=True)
    assert first.files.save(tmp_path / "own.mech")
    use("zh_CN")
    second = after(first, "fr")
    assert second.document.project == load(tmp_path / "own.mech").project
    assert not second.document.is_modified
    second.close()


def test_unsaved_work_stays_unsaved_with_its_steps(path):
    """So closing still asks for it; undone to the saved state it is saved again."""
    before = studio_of(path)
    saved = before.document.project
    before.document.commit("L1", elements.set_quantity(saved, "L1", ("value",), "120 mm"))
    now = after(before)
    assert now.document.is_modified and now.document.history == before.document.history
    now.document.undo()
    assert not now.document.is_modified and now.document.project == saved
    now.close()
