"""Lessons of samples in other languages: a copy speaks the language shown, and follows it."""

import os

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from mechstudio import translation
from mechstudio.application.files.gallery import chosen, samples
from mechstudio.application.lessons import words
from mechstudio.application.lessons.words import texts
from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load
from mechstudio.model.project import Lesson
from mechstudio.translation import FOLDER, LANGUAGE, PROGRAM, SAMPLES, sample_text, use

FOUR_BAR = sample_folder() / "four_bar.mech"
MARKS = {"fr": "«{}»", "zh_CN": "【{}】"}


@pytest.fixture
def languages(tmp_path, monkeypatch):
    """Catalogues of two languages that put the four-bar's texts between marks."""
    for code, marks in MARKS.items():
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        catalog = Catalog(charset="utf-8")
        for text in texts(load(FOUR_BAR).project):
            catalog.add(text, marks.format(text))
        for domain in (PROGRAM, SAMPLES):
            with (folder / f"{domain}.mo").open("wb") as file:
                write_mo(file, catalog if domain == SAMPLES else Catalog(charset="utf-8"))
    monkeypatch.setenv(FOLDER, str(tmp_path))
    before = os.environ.get(LANGUAGE)
    yield
    use("en")
    if before is None:
        os.environ.pop(LANGUAGE)
    else:
        os.environ[LANGUAGE] = before


def test_a_copy_of_a_sample_follows_the_language(languages):
    """From French to Chinese and to English; own words stay, the run's motion is the same."""
    original = load(FOUR_BAR).project
    use("fr")
    studio = Studio(Preferences(kept=False))
    assert studio.files.open(FOUR_BAR, as_copy=True)
    project = studio.document.project
    assert project.mechanism == original.mechanism
    assert texts(project) == [f"«{text}»" for text in texts(original)]
    assert project.plots[0].title == "«Crank angle»"
    assert not studio.document.is_modified
    use("zh_CN")
    second = Studio(Preferences(kept=False))
    studio.close()
    second.take_over(studio, "fr")
    assert texts(second.document.project) == [f"【{text}】" for text in texts(original)]
    assert not second.document.is_modified
    use("en")
    third = Studio(Preferences(kept=False))
    second.close()
    third.take_over(second, "zh_CN")
    assert third.document.project == original
    third.close()


def test_a_sample_that_is_opened_as_a_file_speaks_the_language_and_is_saved_in_english(
    languages, tmp_path, monkeypatch
):
    original = load(FOUR_BAR).project
    shipped = tmp_path / "samples" / "four_bar.mech"
    shipped.parent.mkdir()
    shipped.write_bytes(FOUR_BAR.read_bytes())
    monkeypatch.setattr(words, "sample_folder", lambda: shipped.parent)
    use("fr")
    studio = Studio(Preferences(kept=False))
    assert studio.files.open(shipped)
    assert texts(studio.document.project) == [f"«{text}»" for text in texts(original)]
    assert not studio.document.is_modified
    own = msgspec.structs.replace(studio.document.project, note="my note")
    studio.document.commit("note", own)
    assert studio.files.save(shipped) and not studio.document.is_modified
    assert load(shipped).project == msgspec.structs.replace(original, note="my note")
    # elsewhere it is a file of its own, in the words that are shown
    assert studio.files.save(tmp_path / "own.mech")
    assert load(tmp_path / "own.mech").project == own
    studio.close()


def test_a_file_of_ones_own_stays_as_it_is(languages, tmp_path):
    path = tmp_path / "own.mech"
    path.write_bytes(FOUR_BAR.read_bytes())
    use("fr")
    studio = Studio(Preferences(kept=False))
    assert studio.files.open(path)
    assert studio.document.project == load(FOUR_BAR).project
    studio.close()


def test_a_copy_that_comes_back_after_a_crash_speaks_the_language(languages):
    """It was kept in French; the window speaks Chinese now, and English after that."""
    original = load(FOUR_BAR).project
    use("fr")
    kept = words.translated(original)
    use("zh_CN")
    assert words.origin_of(kept) == (original, "fr")
    studio = Studio(Preferences(kept=False))
    studio.document.commit("Restore", kept)
    studio.files.recovery.restored.emit()
    assert texts(studio.document.project) == [f"【{text}】" for text in texts(original)]
    assert studio.files.copied == original
    studio.close()
    assert words.origin_of(msgspec.structs.replace(kept, lesson=Lesson(title="Mine"))) is None


def test_the_gallery_is_searched_in_every_language(languages):
    use("fr")
    title = load(FOUR_BAR).project.lesson.title
    found = next(s for s in samples() if s.path.stem == "four_bar")
    assert found.title == f"«{title}»"
    for said in (f"【{title}】", f"«{title}»", title):
        assert [s.path.stem for s in chosen([found], said)] == ["four_bar"]


def test_words_of_no_sample_stay(languages):
    use("fr")
    assert sample_text("My own lesson") == "My own lesson" and sample_text("") == ""
    assert translation.language() == "fr"
