"""Everything shown passes through the translation: the catalogue is complete, and in a language
made up for the test no word of English is left.
"""

import ast
import importlib.util
import string
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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
    for call, count in catalogue.calls(ast.parse(source)):
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


def test_the_committed_catalogue_is_that_of_the_sources():
    committed = catalogue.POT.read_text("utf-8")
    assert committed == catalogue.catalogue(), (
        "run packaging/catalogue.py and commit what it writes"
    )


def test_the_catalogue_takes_sentences_plurals_and_rows():
    found = catalogue.messages()
    assert "Nothing is drawn yet." in found  # a sentence
    assert ("{count} row", "{count} rows") in found or any(not isinstance(k, str) for k in found)
    assert {"Revolute", "Torsion spring", "Gear pair", "Fit everything"} <= set(found)  # rows
