"""The languages that the program, its samples and its manual speak: every sentence has its
translation, with the same names, tags, plurals and blanks.
"""

import importlib.util
import io
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from mechstudio.translation import ENGLISH, LANGUAGES

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("catalogue", ROOT / "packaging" / "catalogue.py")
catalogue = importlib.util.module_from_spec(_spec)
sys.modules["catalogue"] = catalogue
_spec.loader.exec_module(catalogue)

POTS = (catalogue.POT, catalogue.LESSONS, catalogue.MANUAL)
SHOWN = 8  # sentences that a failing test prints
# names that are filled in, tags, code, targets of links, addresses, options of the terminal, TeX
KEPT = re.compile(
    r"\{[^{}]*\}|\]\([^()\s]+\)|</?[a-zA-Z][^<>]*>|`[^`]*`|https?://\S+|--[a-z]+|\\[a-z]+|\$"
)
CODE = re.compile(r"`[^`]*`")
# bold or slanted words of a page: of the menus and buttons, if they are in the catalogue
EMPHASISED = re.compile(r"\*\*([^*]+)\*\*|(?<![\w*])\*([^*]+)\*(?![\w*])")
# languages whose words stand without blanks between them: one that glues words is of no use there
WITHOUT_BLANKS = {"zh_CN"}
# blanks before a sign of French, which a sentence that begins with the sign has in front
BEFORE_SIGNS = "\u00a0\u202f"

languages = pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {ENGLISH}))
pots = pytest.mark.parametrize("pot", POTS, ids=lambda path: path.stem)


def po(pot: Path, language: str) -> Path:
    return catalogue.LOCALE / language / "LC_MESSAGES" / f"{pot.stem}.po"


def forms(message: Message) -> list[str]:
    """Every translated form of a message."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def blanks(text: str) -> tuple[str, str]:
    """Blanks and line ends at both ends of a text."""
    inner = text.strip(" \n\t")
    at = text.index(inner)
    return text[:at], text[at + len(inner) :]


def faults(message: Message, language: str) -> list[str]:
    """Disagreements of the translation of a message with the English."""
    if isinstance(message.id, str):
        pairs = [(message.id, text) for text in forms(message)]
    else:
        singular, plural = message.id
        # a form for one alone may say "one"; French has none such, its first is for 0 too
        rule = Locale.parse(language).plural_form
        alone = rule(1) != rule(0) and rule(1) != rule(2)
        pairs = [
            (singular if alone and k == 0 else plural, text)
            for k, text in enumerate(forms(message))
        ]
    found: list[str] = []
    for english, text in pairs:
        if not text:
            continue  # of another test
        # which stands how often is a matter of the language
        kept, texts = set(KEPT.findall(english)), set(KEPT.findall(text))
        if kept != texts:
            found.append(f"{sorted(kept ^ texts)} in {text!r}")
        if Counter(c for c in english if c in "&\n\t") != Counter(c for c in text if c in "&\n\t"):
            found.append(f"& and line ends of {text!r}")
        if language not in WITHOUT_BLANKS and blanks(english) != blanks(text.lstrip(BEFORE_SIGNS)):
            found.append(f"blanks at an end of {text!r}")
    return found


def test_the_committed_lessons_are_those_of_the_samples():
    assert catalogue.LESSONS.read_text("utf-8") == catalogue.lesson_catalogue(), (
        "run packaging/catalogue.py and commit what it writes"
    )


def test_the_committed_manual_is_that_of_the_pages():
    assert catalogue.MANUAL.read_text("utf-8") == catalogue.manual_catalogue(), (
        "run packaging/catalogue.py and commit what it writes"
    )


def untranslated(requested: list[catalogue.Key], pot: Path, language: str) -> list[catalogue.Key]:
    """Messages that a language has no words for yet."""
    found = catalogue.translations(po(pot, language).read_text("utf-8"))
    return [key for key in requested if not all(found.get(key, ("",)))]


@languages
@pots
def test_every_sentence_is_translated(pot, language):
    with pot.open("rb") as file:
        requested = [message.id for message in read_po(file) if message.id]
    missing = untranslated(requested, pot, language)
    assert not missing, (
        f"{len(missing)} of {len(requested)} sentences, the first: {missing[:SHOWN]}"
    )


@languages
def test_a_block_of_the_manual_that_nobody_translated_is_found(language, tmp_path):
    shutil.copytree(catalogue.PAGES, tmp_path / "help")
    page = tmp_path / "help" / "contacts.md"
    more = "- A wheel\n  of ice.\n- A feature of"
    page.write_text(page.read_text("utf-8").replace("- A feature of", more))
    requested = catalogue.paragraphs(tmp_path / "help")
    assert untranslated(requested, catalogue.MANUAL, language) == ["A wheel of ice."]


@languages
def test_the_manual_calls_what_is_in_the_window_as_the_window_does(language):
    shown = catalogue.translations(po(catalogue.POT, language).read_text("utf-8"))
    texts = catalogue.translations(po(catalogue.MANUAL, language).read_text("utf-8"))
    compared, wrong = 0, []
    for english, text in texts.items():
        for bold, slanted in EMPHASISED.findall(CODE.sub("", english)):
            for words in re.split(" > |, ", bold or slanted):
                if found := shown.get(words) or shown.get(f"{words}…"):
                    compared += 1
                    wrong += [(words, found)] * (found.removesuffix("…") not in text)
    assert compared > 50 and not wrong


@languages
@pots
def test_a_catalogue_stands_as_it_is_made(pot, language):
    # order, dropped sentences, header; no unreviewed guess
    path = po(pot, language)
    text = path.read_text("utf-8")
    assert text == catalogue.updated(text, pot.read_text("utf-8"), language), (
        "run packaging/catalogue.py and commit what it writes"
    )
    with path.open("rb") as file:
        catalog = read_po(file)
    assert not [m.id for m in catalog if m.id and m.fuzzy] and not catalog.obsolete
    assert all(len(forms(m)) == catalog.num_plurals for m in catalog if not isinstance(m.id, str))


@languages
@pots
def test_a_translation_keeps_names_tags_and_blanks(pot, language):
    with po(pot, language).open("rb") as file:
        wrong = {m.id: found for m in read_po(file) if m.id and (found := faults(m, language))}
    assert not wrong, f"{len(wrong)} sentences, the first: {list(wrong.items())[:SHOWN]}"


# the rules catch planted faults


@pytest.mark.parametrize(
    ("key", "string"),
    [
        ("{n} of <b>{m}</b>", "{n} de {m}"),
        ("{x:.3g} m", "{x:.2g} m"),
        ("run `mechstudio do`", "lancez « mechstudio do »"),
        ("Save & close", "Enregistrer et fermer"),
        (" and ", "et "),
        (("1 row", "{count} rows"), ("1 ligne", "{count} lignes")),  # 0 lignes would read "1 ligne"
    ],
)
def test_a_fault_is_found(key, string):
    assert faults(Message(key, string), "fr")


def test_language_specific_order_and_punctuation_are_no_fault():
    assert not faults(Message("{a} and {b}; {c}", "{b} et {a}\u202f; {c}, {a}"), "fr")
    assert not faults(Message("; the nearest", "\u202f; le plus proche"), "fr")
    assert not faults(Message((" and {n} row", " and {n} rows"), ("和 {n} 行",)), "zh_CN")


# the tool

POT = 'msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n\nmsgid "{n} c"\nmsgid_plural "{n} cs"\n'
POT += 'msgstr[0] ""\nmsgstr[1] ""\n'


def entries(text: str) -> dict:
    return {m.id: m.string for m in read_po(io.StringIO(text)) if m.id}


def test_an_update_keeps_what_is_there_and_guesses_nothing():
    first = catalogue.updated("", POT, "de")
    assert entries(first) == {"a": "", "b": "", ("{n} c", "{n} cs"): ("", "")}
    done = first.replace('msgid "a"\nmsgstr ""', 'msgid "a"\nmsgstr "A"')
    done = done.replace('msgid "b"\nmsgstr ""', 'msgid "gone"\nmsgstr "G"')
    after = catalogue.updated(done, POT, "de")
    assert entries(after) == {"a": "A", "b": "", ("{n} c", "{n} cs"): ("", "")}
    assert catalogue.updated(after, POT, "de") == after


def test_an_update_keeps_as_many_plurals_as_the_file_says():
    # Babel 2.19 gave French a third form, for millions
    header = catalogue.PO_HEADER.format(language="fr", plurals="nplurals=4; plural=n%4;")
    made = catalogue.updated(header, POT, "fr")
    assert entries(made)["{n} c", "{n} cs"] == ("", "", "", "")
    assert made.startswith(header) and catalogue.updated(made, POT, "fr") == made


def test_a_conflict_of_a_merge_is_solved_by_making_the_catalogue_again():
    text = (
        'msgid "a"\n<<<<<<< main\nmsgstr "A"\n=======\nmsgstr "A2"\n>>>>>>> branch\n\n'
        '<<<<<<< main\nmsgid "gone"\nmsgstr "G"\n||||||| before\nmsgid "x"\nmsgstr "X"\n=======\n'
        'msgid "b"\nmsgstr "B"\n>>>>>>> branch\n'
    )
    made = catalogue.updated(text, POT, "de")
    assert "<<<<" not in made
    assert entries(made) == {"a": "A2", "b": "B", ("{n} c", "{n} cs"): ("", "")}
