"""Blocks of a page of the manual, the units of its translation: a heading, a paragraph, an entry of
a list or a cell of a table.  Code, formulas and pictures are none.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$")
FENCE = re.compile(r"^ {0,3}(```|~~~)")
RULE = re.compile(r"^\|?[\s:|-]+\|?$")
ENTRY = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
# what a block may hold besides words, and what makes one of them
_NO_WORDS = re.compile(r"`[^`]*`|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)")
_LETTERS = re.compile(r"[^\W\d_]{2}")


class Block(NamedTuple):
    """A stretch of a page.  text: of a block, on one line, with its marks of Markdown; before,
    after: what stands around it in any language.
    """

    before: str
    text: str = ""
    after: str = "\n"


def _has_words(text: str) -> bool:
    return _LETTERS.search(_NO_WORDS.sub("", text)) is not None


def blocks(markdown: str) -> Iterator[Block]:
    """All of a page in its order; what is no block has no text."""
    fenced, before, parts = False, "", list[str]()
    for line in [*markdown.splitlines(), ""]:
        fence = FENCE.match(line) is not None
        fenced ^= fence
        head = None if fenced else HEADING.match(line)
        table, entry = not fenced and line.startswith("|"), ENTRY.match(line)
        alone = fenced or fence or head or table or not line.strip()
        if parts and (alone or entry):
            yield Block(before, " ".join(parts))
            before, parts = "", []
        if head:
            yield Block(f"{head[1]} ", head[2])
        elif table and not RULE.match(line):
            cells = line.strip().strip("|").split("|")
            for k, cell in enumerate(cells):
                yield Block(
                    "" if k else "| ", cell.strip(), " | " if k + 1 < len(cells) else " |\n"
                )
        elif alone or (not parts and line.startswith("    ")):
            yield Block(line)
        else:
            if entry:
                before = entry[0]
            parts.append(line.removeprefix(before if entry else "").strip())


def texts(markdown: str) -> list[str]:
    """Blocks of a page with words to translate, each text once."""
    return list(dict.fromkeys(b.text for b in blocks(markdown) if _has_words(b.text)))


def translated(markdown: str, translation: Callable[[str], str]) -> str:
    """A page with every block in another language, each on one line."""
    return "".join(
        b.before + (translation(b.text) if _has_words(b.text) else b.text) + b.after
        for b in blocks(markdown)
    )
