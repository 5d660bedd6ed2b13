"""Blocks of a page, and the manual in other languages: as many headings, links and formulas, and
every link leads somewhere.
"""

import re

import pytest

from mechstudio import translation
from mechstudio.application.help import topics
from mechstudio.application.help.blocks import texts, translated
from mechstudio.application.help.pages import (
    ENGLISH_ONLY,
    Topic,
    every_section,
    find,
    formulas,
    pages,
    read,
    sections,
    translated_pages,
)
from mechstudio.application.help.search import LONGEST, search
from mechstudio.translation import ENGLISH, LANGUAGES, tr
from tests.house.test_translation import english  # noqa: F401

LINK = re.compile(r"\]\(([^)]+)\)")
CODE = re.compile(r"```.*?^```|`[^`\n]+`", re.S | re.M)
PAGE = """\
# Head

A paragraph of *two*
lines, with `code`.

- one
  and more
  1. two
| key | does |
| --- | --- |
| A, B | 1 |
| `x` | a [page](contacts.md#limits) |

![A picture](a.gif)

```python
# no heading
```
    code of no fence
`check`
"""


@pytest.fixture(params=sorted(set(LANGUAGES) - {ENGLISH}))
def language(request, english):
    translation.use(request.param)
    return request.param


def test_a_block_is_a_heading_a_paragraph_an_entry_or_a_cell():
    assert texts(PAGE) == [
        "Head",
        "A paragraph of *two* lines, with `code`.",
        "one and more",
        "two",
        "key",
        "does",
        "a [page](contacts.md#limits)",
    ]


def test_translation_joins_each_block_and_keeps_code_and_pictures():
    shown = translated(PAGE, str.upper)
    assert shown.splitlines() == [
        "# HEAD",
        "",
        "A PARAGRAPH OF *TWO* LINES, WITH `CODE`.",
        "",
        "- ONE AND MORE",
        "  1. TWO",
        "| KEY | DOES |",
        "| --- | --- |",
        "| A, B | 1 |",
        "| `x` | A [PAGE](CONTACTS.MD#LIMITS) |",
        "",
        "![A picture](a.gif)",
        "",
        "```python",
        "# no heading",
        "```",
        "    code of no fence",
        "`check`",
        "",
    ]


def test_a_page_has_the_same_parts_in_every_language(language):
    def parts():
        return {
            page: (
                [(s.topic, s.level, len(s.lines)) for s in sections(page)],
                sorted(LINK.findall(read(page))),
                sorted(CODE.findall(translated(read(page), str))),
            )
            for page in translated_pages()
        }

    shown, latex = parts(), formulas()
    texts = {page: read(page) for page in translated_pages()}
    translation.use(ENGLISH)
    assert shown == parts() and latex == formulas()
    assert not [page for page in texts if texts[page] == read(page)]


def test_every_link_leads_to_a_heading_in_every_language(language):
    tried = 0
    for page, _ in pages():
        for target in LINK.findall(read(page)):
            if re.match(r"[\w-]*(?:\.md)?(?:#|$)", target) and not target.startswith("http"):
                name, _, anchor = target.partition("#")
                assert find(Topic(name.removesuffix(".md") or page, anchor)), (page, target)
                tried += 1
    assert tried > 50


def test_the_contents_call_a_page_as_its_heading_does(language):
    titles = dict(pages())
    for page in translated_pages()[1:]:
        assert titles[page] == sections(page)[0].heading
    assert titles["index"] == tr("Contents") != "Contents"


def test_a_row_is_called_as_in_the_window(language):
    for table, whole in topics.TABLES:
        for key, row in table.items():
            section = find(topics.of_row(table, key))
            assert section.heading == tr(row.label) and section.topic.page == whole.page
            text = " ".join(section.lines).lower()
            for p in getattr(row, "parameters", ()):
                assert len(row.parameters) > 10 or tr(p.label).lower() in text, (key, p.label)


def test_a_page_for_developers_says_that_it_is_in_english(language):
    for page in ("architecture", "add-a-joint", "decisions", "reference"):
        assert sections(page)[0].lines[0] == tr(ENGLISH_ONLY) != ENGLISH_ONLY
    translation.use(ENGLISH)
    assert not any(tr(ENGLISH_ONLY) in line for s in every_section() for line in s.lines)


@pytest.mark.parametrize(
    ("code", "query", "place", "marked"),
    [
        ("fr", "frottement", "elements#joint-friction", "frottement"),
        ("fr", "mobilite", "theory#4-structure-and-mobility", "mobilité"),
        ("fr", "L'énergie", "quantities#energy", "Énergie"),
        ("fr", "work plane", "drawing#the-work-plane", ""),
        ("zh_CN", "摩擦锥", "contacts", "摩擦锥"),
        ("zh_CN", "工作平面", "drawing#the-work-plane", "工作平面"),
        ("zh_CN", "库仑锥 棱锥", "contacts#what-the-solver-does", "库仑锥"),
        ("zh_CN", "运动副 摩擦", "elements#joint-friction", "摩擦"),
        ("zh_CN", "joint friction", "elements#joint-friction", ""),
    ],
)
def test_words_of_the_language_and_english_ones_are_found(code, query, place, marked, english):
    translation.use(code)
    hit = search(query)[0]
    assert str(hit.section.topic) == place
    assert len(hit.sentence) <= LONGEST + 4
    assert marked in [hit.sentence[a:b] for a, b in hit.spans] or not marked
