"""Pages of the manual (resources/help) and their sections, as plain text and by the anchors that
GitHub gives their headings.
"""

import functools
import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from mechstudio.application.resources import resource
from mechstudio.translation import Words

FIRST = "index"
CONTENTS: Words = "Contents"

_HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
# what Markdown puts around words: pictures are left out, of links the words stay
_MARKS = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\*\*|`|(?<!\w)[*_](?=\w)|(?<=[\w.,])[*_](?!\w)"), ""),
    (re.compile(r"^\s*(?:[-*]|\d+\.)\s+"), ""),
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


@functools.cache
def read(page: str) -> str:
    """The Markdown of a page.  Raises FileNotFoundError."""
    return resource("help", f"{page}.md").read_text("utf-8")


@functools.cache
def pages() -> tuple[tuple[str, str], ...]:
    """(file name without ending, title) of every page, in the order of the table of the first
    one.
    """
    found = re.findall(r"^\| \[(.+?)\]\(([\w-]+)\.md\)", read(FIRST), re.M)
    return ((FIRST, CONTENTS), *((name, title) for title, name in found))


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


@functools.cache
def sections(page: str) -> tuple[Section, ...]:
    """Sections of a page in their order.  Raises FileNotFoundError."""
    title = dict(pages()).get(page, page)
    out: list[Section] = []
    known: dict[str, int] = {}
    heading, level, lines = title, 1, list[str]()

    def close() -> None:
        # a heading that occurs again gets a number, as on GitHub
        anchor = slug(heading)
        again = known[anchor] = known.get(anchor, -1) + 1
        anchor = f"{anchor}-{again}" if again else anchor
        topic = Topic(page, anchor if level > 1 else "")
        out.append(Section(topic, title, plain(heading), level, tuple(_paragraphs(lines))))

    fenced, begun = False, False
    for line in read(page).splitlines():
        fenced ^= bool(_FENCE.match(line))
        head = None if fenced else _HEADING.match(line)
        if head is None:
            lines.append(line)
            continue
        if begun:
            close()
        begun, level, heading, lines = True, len(head[1]), head[2], []
    close()
    return tuple(out)


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Lines of Markdown joined to paragraphs; rows of tables and lines of code stand alone, and
    formulas are left out.
    """
    fenced, formula, parts = False, False, list[str]()
    for line in [*lines, ""]:
        fence = _FENCE.match(line) is not None
        fenced ^= fence
        formula = fenced and (formula or line.startswith("```math"))
        if formula:
            continue
        table = not fenced and line.startswith("|")
        alone = fenced or table or line.startswith("    ")
        begins = alone or fence or not line.strip() or re.match(r"\s*(?:[-*]|\d+\.)\s", line)
        if begins and parts:
            yield plain(" ".join(parts))
            parts = []
        if alone and not fence and not (table and _RULE.match(line)):
            cells = [plain(c) for c in line.strip("| ").split("|")] if table else [line.strip()]
            if text := " · ".join(c for c in cells if c):
                yield text
        elif not alone and not fence and line.strip():
            parts.append(line.strip())


def every_section() -> Iterator[Section]:
    """Sections of all pages, in the order of the contents."""
    for page, _ in pages():
        yield from sections(page)


def find(topic: Topic) -> Section | None:
    """The section of a topic; None if the manual has no such page or heading."""
    if topic.page not in dict(pages()):
        return None
    return next((s for s in sections(topic.page) if s.topic.anchor == topic.anchor), None)
