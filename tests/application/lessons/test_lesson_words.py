"""Lessons of samples in other languages: a copy speaks the language shown, and follows it."""

import os

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from mechstudio import translation
from mechstudio.application.files.gallery import chosen, samples
from mechstudio.application.lessons.words import texts
from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load
from mechstudio.translation import FOLDER, LANGUAGE, PROGRAM, SAMPLES, told, use

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


def test_a_sample_that_is_opened_as_a_file_stays_as_it_is(languages):
    use("fr")
    studio = Studio(Preferences(kept=False))
    assert studio.files.open(FOUR_BAR)
    assert studio.document.project == load(FOUR_BAR).project
    studio.close()


def test_the_gallery_is_searched_in_every_language(languages):
    use("fr")
    title = load(FOUR_BAR).project.lesson.title
    found = next(s for s in samples() if s.path.stem == "four_bar")
    assert found.title == f"«{title}»"
    for words in (f"【{title}】", f"«{title}»", title):
        assert [s.path.stem for s in chosen([found], words)] == ["four_bar"]


def test_words_of_no_sample_stay(languages):
    use("fr")
    assert told("My own lesson") == "My own lesson" and told("") == ""
    assert translation.language() == "fr"
