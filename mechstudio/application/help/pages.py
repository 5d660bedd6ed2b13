"""Pages of the manual (resources/help) in the language shown, and their sections, as plain text and
by the anchors that GitHub gives the English headings.
"""

import functools
import gettext
import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from mechstudio.application.help.blocks import ENTRY, FENCE, HEADING, RULE, translated
from mechstudio.application.resources import resource
from mechstudio.translation import MANUAL, Words, catalogue, tr

FIRST = "index"
CONTENTS: Words = "Contents"
# pages for developers stand in English everywhere; every other page is translated
FOR_DEVELOPERS = re.compile(r"add-|(?:architecture|decisions|reference)$")
ENGLISH_ONLY: Words = "This page is for developers and is there in English only."

# words of another language; without any, the pages stand as they were written
Catalogue = gettext.NullTranslations | None

# what Markdown puts around words: pictures are left out, of links the words stay
_MARKS = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\*\*|`|(?<!\w)[*_](?=\w)|(?<=[\w.,…])[*_](?!\w)"), ""),
    (ENTRY, ""),
)


class Topic(NamedTuple):
    """A place in the manual.  page: file name without ending; anchor: of a heading, "" for the
    beginning.
    """

    page: str
    anchor: str = ""

    def __str__(self) -> str:
        return f"{self.page}#{self.anchor}" if self.anchor else self.page


class Section(NamedTuple):
    """A heading with what stands below it, up to the next one.

    title: of its page; level: 1 for the page's own heading; lines: paragraphs, rows of tables and
    lines of code as plain text.
    """

    topic: Topic
    title: str
    heading: str
    level: int
    lines: tuple[str, ...]


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def plain(text: str) -> str:
    """Text without the marks of Markdown."""
    for mark, left in _MARKS:
        text = mark.sub(left, text)
    return text.strip()


def translated_pages() -> list[str]:
    """Names of the pages that are translated, in the order of the contents."""
    return [page for page, _ in _pages(None) if not FOR_DEVELOPERS.match(page)]


def read(page: str) -> str:
    """The Markdown of a page in the language shown.  Raises FileNotFoundError."""
    return _read(page, catalogue(MANUAL))


@functools.cache
def _read(page: str, words: Catalogue) -> str:
    text = resource("help", f"{page}.md").read_text("utf-8")
    if words is None:
        return text
    if not FOR_DEVELOPERS.match(page):
        return translated(text, words.gettext)
    head, rest = text.split("\n", 1)
    return f"{head}\n\n{tr(ENGLISH_ONLY)}\n{rest}"


def pages() -> tuple[tuple[str, str], ...]:
    """(file name without ending, title) of every page, in the order of the table of the first
    one.
    """
    return _pages(catalogue(MANUAL))


@functools.cache
def _pages(words: Catalogue) -> tuple[tuple[str, str], ...]:
    found = re.findall(r"^\| \[(.+?)\]\(([\w-]+)\.md\)", _read(FIRST, words), re.M)
    title = CONTENTS if words is None else tr(CONTENTS)
    return ((FIRST, title), *((name, title) for title, name in found))


def formulas() -> list[str]:
    """LaTeX of every formula that stands in a block of its own, in the order of the pages."""
    return [
        latex.strip()
        for page, _ in pages()
        for latex in re.findall(r"^```math\n(.*?)^```", read(page), re.M | re.S)
    ]


def formula_name(latex: str) -> str:
    """Name of the picture of a formula, without ending."""
    return hashlib.sha1(latex.encode(), usedforsecurity=False).hexdigest()[:12]


def sections(page: str) -> tuple[Section, ...]:
    """Sections of a page in their order.  Raises FileNotFoundError."""
    return _sections(page, catalogue(MANUAL))


@functools.cache
def _sections(page: str, words: Catalogue) -> tuple[Section, ...]:
    title = dict(_pages(words)).get(page, page)
    return tuple(
        Section(Topic(page, anchor), title, plain(heading), level, tuple(_paragraphs(lines)))
        for anchor, (level, heading, lines) in zip(
            _anchors(page), _headings(_read(page, words)), strict=True
        )
    )


@functools.cache
def _anchors(page: str) -> tuple[str, ...]:
    """Anchors of the headings of a page, the same in every language; "" for the page's own."""
    out: list[str] = []
    known: dict[str, int] = {}
    for level, heading, _ in _headings(_read(page, None)):
        # a heading that occurs again gets a number, as on GitHub
        anchor = slug(heading)
        again = known[anchor] = known.get(anchor, -1) + 1
        out.append("" if level == 1 else f"{anchor}-{again}" if again else anchor)
    return tuple(out)


def _headings(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Level and words of each heading of a page, with the lines below it up to the next one."""
    fenced, level, heading, lines = False, 0, "", list[str]()
    for line in text.splitlines():
        fenced ^= bool(FENCE.match(line))
        head = None if fenced else HEADING.match(line)
        if head is None:
            lines.append(line)
            continue
        if level:
            yield level, heading, lines
        level, heading, lines = len(head[1]), head[2], []
    yield level, heading, lines


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Lines of Markdown joined to paragraphs; rows of tables and lines of code stand alone, and
    formulas are left out.
    """
    fenced, formula, parts = False, False, list[str]()
    for line in [*lines, ""]:
        fence = FENCE.match(line) is not None
        fenced ^= fence
        formula = fenced and (formula or line.startswith("```math"))
        if formula:
            continue
        table = not fenced and line.startswith("|")
        alone = fenced or table or line.startswith("    ")
        begins = alone or fence or not line.strip() or ENTRY.match(line)
        if begins and parts:
            yield plain(" ".join(parts))
            parts = []
        if alone and not fence and not (table and RULE.match(line)):
            cells = [plain(c) for c in line.strip("| ").split("|")] if table else [line.strip()]
            if text := " · ".join(c for c in cells if c):
                yield text
        elif not alone and not fence and line.strip():
            parts.append(line.strip())


def every_section() -> Iterator[Section]:
    """Sections of all pages, in the order of the contents."""
    for page, _ in pages():
        yield from sections(page)


def english(section: Section) -> Section:
    """A section as it stands in English; itself where that is what is shown."""
    return _english().get(section.topic, section) if catalogue(MANUAL) else section


@functools.cache
def _english() -> dict[Topic, Section]:
    """Sections of the translated pages in English."""
    return {s.topic: s for page in translated_pages() for s in _sections(page, None)}


def find(topic: Topic) -> Section | None:
    """The section of a topic; None if the manual has no such page or heading."""
    if topic.page not in dict(pages()):
        return None
    return next((s for s in sections(topic.page) if s.topic.anchor == topic.anchor), None)
