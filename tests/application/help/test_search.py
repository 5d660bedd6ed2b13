"""The search of the manual."""

import pytest

from mechstudio.application.help.pages import (
    every_section,
    formula_name,
    formulas,
    pages,
    plain,
    sections,
)
from mechstudio.application.help.search import LONGEST, _weight, search
from mechstudio.application.resources import resource


def first(query):
    return search(query)[0].section.topic


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("screw", "elements#screw"),
        ("friction joint", "elements#joint-friction"),
        ("mobility", "theory#4-structure-and-mobility"),
        ("contacts theory", "theory#8-contacts"),
        ("glossary", "glossary"),
        ("work plane", "drawing#the-work-plane"),
        ("sliders", "numbers#sliders"),
    ],
)
def test_a_heading_that_says_it_comes_first(query, place):
    assert str(first(query)) == place


def test_a_hit_shows_the_sentence_with_the_words():
    hit = next(h for h in search("pyramid spring") if h.section.topic.page == "contacts")
    assert hit.sentence == "Friction is Coulomb's cone itself, neither a pyramid nor a spring."
    assert [hit.sentence[a:b] for a, b in hit.spans] == ["pyramid", "spring"]


def test_no_sentence_is_longer_than_can_be_read_at_a_glance():
    for word in ("the", "joint", "of", "equation"):
        for hit in search(word):
            assert len(hit.sentence) <= LONGEST + 4
            for a, b in hit.spans:
                assert hit.sentence[a:b].lower() == word


def test_words_that_no_page_has_are_named():
    hits = search("contact gibberishword")
    assert hits and all(h.missing == ("gibberishword",) for h in hits)
    assert search("gibberishword") == [] and search("  ") == []


@pytest.mark.slow
def test_every_page_is_found_by_its_title():
    for name, title in pages()[1:]:
        assert name in {h.section.topic.page for h in search(title)[:6]}, title


def test_sections_have_anchors_of_their_own():
    topics = [s.topic for s in every_section()]
    assert len(set(topics)) == len(topics)
    assert all(s.level > 1 or s.topic.anchor == "" for s in every_section())


def test_code_is_no_heading():
    # "# it stops after v^2/(2 mu g)" stands in a block of code
    assert [s.heading for s in sections("contacts")] == [
        "Contacts",
        "What the solver does",
        "Hollow bodies",
        "Limits",
    ]


def test_marks_of_markdown_are_left_out():
    assert plain("- **Arrange** the `panes`, see [Plots](plots.md#runs) and *more*") == (
        "Arrange the panes, see Plots and more"
    )
    assert plain("*File > Pack…* puts it into a zip") == "File > Pack… puts it into a zip"
    assert plain("n_s − q and Nₛ, ω_n * t") == "n_s − q and Nₛ, ω_n * t"


def test_every_formula_has_its_picture_and_every_picture_its_formula():
    requested = {formula_name(latex) for latex in formulas()}
    assert len(requested) >= 9
    assert {path.stem for path in resource("help", "formulas").glob("*.svg")} == requested, (
        "run packaging/make_formulas.py"
    )


def test_no_sentence_is_made_of_latex():
    assert not any("\\" in line for s in sections("theory") for line in s.lines)


def test_ends_of_words_are_found_in_chinese_alone():
    heading = (10.0, 7.0)
    assert _weight("ring", ("spring",), heading) == 0.0
    assert _weight("spr", ("spring",), heading) == 7.0 and _weight("spring", ("spring",), heading)
    assert _weight("弹簧", ("一个弹簧",), heading) == 10.0
