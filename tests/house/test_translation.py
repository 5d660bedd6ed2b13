"""Everything shown passes through the translation: the catalogue is complete, and in a language
made up for the test no word of English is left.
"""

import ast
import importlib.util
import json
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from mechstudio.application.selection import counts
from mechstudio.files.project_file import load
from mechstudio.model.findings import joined
from mechstudio.model.results.analysed_channels import heading
from mechstudio.translation import (
    FOLDER,
    LANGUAGE,
    language,
    localised,
    nearest,
    series,
    tr,
    trn,
    use,
)

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("catalogue", ROOT / "packaging" / "catalogue.py")
catalogue = importlib.util.module_from_spec(_spec)
sys.modules["catalogue"] = catalogue
_spec.loader.exec_module(catalogue)


# the calls


def placeholders(text: str) -> set[str]:
    """Names that str.format fills in, those of format specs too."""
    found: set[str] = set()
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            found |= {name.split(".")[0].split("[")[0], *placeholders(spec or "")}
    return found


def is_words(node: ast.expr) -> bool:
    """True of what may hold a row's words: a name, a field, an entry, or a choice of these."""
    if isinstance(node, ast.IfExp):
        return all(is_words(n) or catalogue.literal(n) for n in (node.body, node.orelse))
    if isinstance(node, ast.BoolOp):
        return all(is_words(n) or catalogue.literal(n) is not None for n in node.values)
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript)


def call_faults(source: str, place: str = "planted.py") -> Iterator[str]:
    """A sentence for each call of tr or trn that no catalogue can serve."""
    for call, count in catalogue.calls(source):
        where = f"{place}:{call.lineno}"
        texts = [catalogue.literal(a) for a in call.args[:count]]
        if count == 2 and None in texts:
            yield f"{where}: both texts of trn are literals"
        elif texts == [None] and not is_words(call.args[0]):
            yield f"{where}: {ast.unparse(call.args[0])} is no literal and no row's words"
        if any(k.arg is None for k in call.keywords):
            continue  # what stands in a dictionary is seen when it is formatted
        given = {k.arg for k in call.keywords} | ({"count"} if count == 2 else set())
        for text in texts:
            if text is None or not (call.keywords or count == 2):
                continue  # shown as it stands
            if not placeholders(text) <= given:
                yield f"{where}: nothing fills in {placeholders(text) - given} of {text!r}"
        said = set().union(*(placeholders(t) for t in texts if t is not None))
        if texts != [None] and not given - {"count"} <= said:
            yield f"{where}: {given - said} stand nowhere in {texts[0]!r}"


def test_every_call_can_be_served_by_a_catalogue():
    assert not [
        fault
        for path in catalogue.sources()
        for fault in call_faults(path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    ]


@pytest.mark.parametrize(
    "source",
    [
        "tr(f'{name} moves')",
        "tr('moves ' + name)",
        "tr(said(name))",
        "tr('{name} moves', id=name)",
        "tr('{name} moves', name=name, id=id)",
        "tr('{x:.{digits}f} m', x=x)",
        "trn(one, many, n)",
        "trn('a body', '{number} bodies', n)",
    ],
)
def test_the_rule_of_calls_catches(source):
    assert list(call_faults(source))


@pytest.mark.parametrize(
    "source",
    [
        "tr('It moves.')",
        "tr('a {b}')",
        "tr(row.label)",
        "tr(WORDS[key] if key else 'none')",
        "tr('{x:.{digits}f} {name!r}', x=x, digits=3, name=name)",
        "trn('a body of {name}', '{count} bodies of {name}', n, name=name)",
    ],
)
def test_the_rule_of_calls_lets_pass(source):
    assert not list(call_faults(source))


# the catalogue


# in a process of its own: what other tests have made is no part of the package
WORDS = "import gc; gc.disable(); import catalogue, json; print(json.dumps([*catalogue.words()]))"


def test_the_committed_catalogue_is_that_of_the_sources():
    held = subprocess.run(
        [sys.executable, "-c", WORDS],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "packaging")])},
        capture_output=True,
        text=True,
        check=True,
    )
    made = catalogue.catalogue(set(json.loads(held.stdout)))
    committed = catalogue.POT.read_text("utf-8")
    assert committed == made, "run packaging/catalogue.py and commit what it writes"


def test_the_catalogue_takes_sentences_plurals_and_rows():
    # the committed one, which is that of the sources: collecting takes seconds
    with catalogue.POT.open("rb") as file:
        found = {message.id for message in read_po(file) if message.id}
    assert "Nothing is drawn yet." in found  # a sentence
    assert ("{count} row", "{count} rows") in found or any(not isinstance(k, str) for k in found)
    assert {"Revolute", "Torsion spring", "Gear pair", "Fit everything"} <= set(found)  # rows


# a language made up for the test


@pytest.fixture(scope="module")
def brackets(tmp_path_factory):
    """Folder of catalogues with a language xx that has every message in brackets."""
    folder = tmp_path_factory.mktemp("locale")
    catalog = Catalog(charset="utf-8")
    with catalogue.POT.open("rb") as file:
        found = [message.id for message in read_po(file) if message.id]
    for key in found:
        catalog.add(key, f"⟦{key}⟧" if isinstance(key, str) else tuple(f"⟦{k}⟧" for k in key))
    path = folder / "xx" / "LC_MESSAGES" / "mechstudio.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalog)
    return folder


# what a translation leaves as it is: placeholders, tags, entities, words of TeX
KEPT = re.compile(r"(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|<[^<>]*>|&[a-z]+;|\\[a-zA-Z]+)")


def masked_text(text: str) -> str:
    """A message in a language without Latin letters."""
    parts = KEPT.split(text)
    return "".join(p if KEPT.fullmatch(p) else re.sub("[A-Za-z]", "я", p) for p in parts)


def latin(text: str) -> list[str]:
    """Words of three Latin letters or more."""
    return re.findall("[A-Za-z]{3,}", text)


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    """Folder of catalogues with a language xx that has no Latin letters, so that English is seen
    inside its sentences too.
    """
    folder = tmp_path_factory.mktemp("masked")
    catalog = Catalog(charset="utf-8")
    with catalogue.POT.open("rb") as file:
        for key in (message.id for message in read_po(file) if message.id):
            catalog.add(
                key, masked_text(key) if isinstance(key, str) else tuple(map(masked_text, key))
            )
    path = folder / "xx" / "LC_MESSAGES" / "mechstudio.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalog)
    return folder


@pytest.fixture
def english():
    """The language of the tests again afterwards."""
    before = os.environ.pop(LANGUAGE, None)
    yield
    use("en")
    os.environ.pop(LANGUAGE)
    if before is not None:
        os.environ[LANGUAGE] = before


def test_numbers_have_the_signs_of_the_language(english):
    use("en")
    numbers = lambda: (
        tr("{a:.2f} s, {b:,} of {c}", a=1.5, b=1234567, c="v1.5"),
        trn("{count:,} of {a:g}", "{count:,} of {a:g}", 12000, a=0.25),
        localised("−1.25e−7 mm"),
        series(("0,5", "2")),
    )
    assert numbers()[:2] == ("1.50 s, 1,234,567 of v1.5", "12,000 of 0.25")
    assert numbers()[2:] == ("−1.25e−7 mm", "0,5, 2")
    use("fr")
    # a name that is filled in is no number
    assert numbers()[:2] == ("1,50 s, 1\u202f234\u202f567 of v1.5", "12\u202f000 of 0,25")
    assert numbers()[2:] == ("−1,25e−7 mm", "0,5\u202f; 2")
    use("zh_CN")
    assert numbers()[0] == "1.50 s, 1,234,567 of v1.5"


def test_texts_counts_and_values_are_looked_up(brackets, english, monkeypatch):
    monkeypatch.setenv(FOLDER, str(brackets))
    use("xx")
    assert language() == os.environ[LANGUAGE] == "xx"
    assert tr("Nothing is drawn yet.") == "⟦Nothing is drawn yet.⟧"
    assert tr("{field} is not a number.", field="A") == "⟦A is not a number.⟧"
    assert (tr(""), tr("no message {a}"), tr("x {a}", a=1)) == ("", "no message {a}", "x 1")
    one, many = ", and {count} more hole", ", and {count} more holes"
    assert trn(one, many, 1) == "⟦, and 1 more hole⟧"
    assert trn(one, many, 3) == "⟦, and 3 more holes⟧"
    use("en")
    assert (
        tr("Nothing is drawn yet.") == "Nothing is drawn yet." and trn(one, many, 1)[2:5] == "and"
    )


@pytest.mark.parametrize(
    ("requested", "shown"),
    [
        (["fr-CA", "en"], "fr"),
        (["de_DE", "fr_FR", "en"], "fr"),
        (["zh-CN"], "zh_CN"),
        (["zh_Hans_SG"], "zh_CN"),
        (["zh"], "zh_CN"),
        (["zh-Hant-TW", "fr"], "fr"),
        (["zh_HK"], "en"),
        (["en-GB", "fr"], "en"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_language_of_the_system_is_taken_where_there_is_one(requested, shown):
    assert nearest(requested) == shown


def test_a_language_without_a_catalogue_is_reported(english):
    with pytest.raises(LookupError, match="'tlh'"):
        use("tlh")
    assert language() == "en"


def test_the_mask_catches_english_inside_a_sentence():
    shown = masked_text("{joint} prevents <b>that</b> &amp; {n:.{digits}f} more")
    assert latin(shown.format(joint="яя", n=2.0, digits=1)) == ["amp"]
    assert "pin" in latin(shown.format(joint="pin C", n=2.0, digits=1))


# what is no message: names of the drawing, and what argparse and the options call by name
NAMES = {"Four", "bar", "crank", "coupler", "rocker", "ground"}


@pytest.mark.parametrize("command", ["check", "analyse", "simulate"])
def test_the_terminal_shows_no_unmarked_word(masked, command):
    """The notes of a run too, in a process that inherits the language."""
    arguments = ["--duration", "0.1"] if command == "simulate" else []
    sample = ROOT / "samples" / "four_bar.mech"
    done = subprocess.run(
        [sys.executable, "-m", "mechstudio", command, str(sample), *arguments],
        cwd=ROOT,
        env=os.environ | {LANGUAGE: "xx", FOLDER: str(masked)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert "я" in done.stdout and done.returncode == 0
    assert set(latin(done.stdout)) <= NAMES


# lists


# words joined with the comma of English, in a source
COMMA = re.compile(r"""(["']), \1\.join""")


def joins(node: ast.AST) -> Iterator[str]:
    """Lists of words in a piece of source that have the comma of English in every language."""
    for n in ast.walk(node):
        if (
            isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute)
            and n.func.attr == "join"
            and catalogue.literal(n.func.value) == ", "
        ):
            yield ast.unparse(n)


def list_faults(source: str, place: str = "planted.py") -> Iterator[str]:
    """Lists that a sentence takes in with the comma of English, straight or by a name."""
    tree = ast.parse(source)
    for call, _ in catalogue.calls_in(tree):
        for value in call.keywords:
            yield from (f"{place}:{call.lineno}: {join}" for join in joins(value.value))
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef):
            continue
        taken = {
            n.id
            for call, _ in catalogue.calls_in(ast.Module(scope.body, []))
            for value in call.keywords
            for n in ast.walk(value.value)
            if isinstance(n, ast.Name)
        }
        for n in ast.walk(scope):
            if isinstance(n, ast.Assign) and taken & {
                t.id for t in n.targets if isinstance(t, ast.Name)
            }:
                yield from (f"{place}:{n.lineno}: {join}" for join in joins(n.value))


def test_lists_in_sentences_have_the_comma_of_the_language():
    for path in sorted((ROOT / "mechstudio").rglob("*.py")):
        source = path.read_text("utf-8")
        if COMMA.search(source):  # most have no such list: looking through them all takes seconds
            assert not list(list_faults(source, str(path)))


def test_a_list_with_the_comma_of_english_is_found():
    assert list(list_faults('tr("{a}", a=", ".join(b))'))
    assert list(list_faults('def f(b):\n    a = ", ".join(b)\n    return tr("{a}", a=a)'))
    assert not list(list_faults('def f(b):\n    return ", ".join(b)'))


def test_lists_in_chinese():
    project = load(ROOT / "samples" / "four_bar.mech").project
    use("zh_CN")
    try:
        assert joined(["甲", "乙", "丙"]) == "甲、乙 和 丙"
        assert counts(project, [*project.mechanism.bodies, "A"]) == "3 个刚体、1 个运动副"
        assert heading("motor on A power") == tr("{of} power", of="A 上的 motor")
        assert heading("motion of A on A") == "A 上的 A 的运动"
    finally:
        use("en")
    assert heading("motor on A power") == "motor on A power"
    assert heading("press on and on on A") == "press on and on on A"
