"""Search of the manual: every word of the query counts, headings before text, and each hit shows
the sentence that answers.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mechstudio.application.help.pages import Section, every_section

MOST = 40  # hits that are listed
LONGEST = 110  # characters of a sentence that is shown
# weight of a word that is found: as a word, or as the beginning of one
_HEADING, _TITLE, _TEXT = (10.0, 7.0), (3.0, 2.0), (1.5, 0.8)
# the reference and the pages for programmers answer only what no other page does
_LESSER = {"reference": 0.3, "architecture": 0.6, "decisions": 0.6}
_LESSER_START, _LESSER_SHARE = "add-a", 0.5
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")


class Hit(NamedTuple):
    """A section that answers.  sentence: of its text, shortened; spans: begin and end of each word
    of the query in it.  missing: words of the query that it does not have.
    """

    section: Section
    score: float
    sentence: str
    spans: tuple[tuple[int, int], ...]
    missing: tuple[str, ...] = ()


def words(text: str) -> list[str]:
    """Words of a text in small letters."""
    return [w.lower() for w in _WORD.findall(text.replace("-", " "))]


def _weight(word: str, found: Sequence[str], weights: tuple[float, float]) -> float:
    if word in found:
        return weights[0]
    return weights[1] if any(w.startswith(word) for w in found) else 0.0


def _share(page: str) -> float:
    return _LESSER_SHARE if page.startswith(_LESSER_START) else _LESSER.get(page, 1.0)


def score(query: Sequence[str], section: Section) -> tuple[float, tuple[str, ...]]:
    """Score of a section for the words of a query, and the words that it lacks."""
    heading, title = words(section.heading), words(section.title)
    text = [w for line in section.lines for w in words(line)]
    total, missing = 0.0, []
    for word in query:
        often = sum(w.startswith(word) for w in text)
        found = (
            _weight(word, heading, _HEADING)
            + _weight(word, title, _TITLE)
            + _weight(word, text, _TEXT) * (1.0 + math.log1p(often))
        )
        total += found
        if not found:
            missing.append(word)
    # of two that have the words, the heading that says nothing else
    total += 2.0 * sum(w in query for w in heading) / max(len(heading), 1)
    return total * _share(section.topic.page), tuple(missing)


def search(query: str, most: int = MOST) -> list[Hit]:
    """Sections that answer a query, best first.

    Those that have every word; where none has, those that have some, each with the words that it
    lacks.
    """
    asked = list(dict.fromkeys(words(query)))
    if not asked:
        return []
    scored = [(*score(asked, s), s) for s in every_section()]
    least = min((len(missing) for _, missing, _ in scored), default=0)
    if least == len(asked):
        return []
    found = sorted(
        ((total, missing, s) for total, missing, s in scored if len(missing) == least),
        key=lambda each: -each[0],
    )
    return [Hit(s, total, *_answer(asked, s.lines), missing) for total, missing, s in found[:most]]


def _sentences(lines: Iterable[str]) -> list[str]:
    return [s for line in lines for s in re.split(r"(?<=[.!?:])\s+(?=[\w“(|])", line) if s]


def _spans(asked: Sequence[str], sentence: str) -> tuple[tuple[int, int], ...]:
    """Words of a sentence that begin with one that was asked for."""
    return tuple(
        (m.start(), m.start() + len(w))
        for m in re.finditer(r"[^\W_]+", sentence)
        for w in [max((a for a in asked if m[0].lower().startswith(a)), key=len, default="")]
        if w
    )


def _answer(asked: Sequence[str], lines: Iterable[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with most of the words, the first of equals; cut to what can be read at a
    glance.
    """
    sentences = _sentences(lines)
    if not sentences:
        return "", ()
    best = max(sentences, key=lambda s: len({s[a:b].lower() for a, b in _spans(asked, s)}))
    if len(best) > LONGEST:
        spans = _spans(asked, best)
        first = spans[0][0] if spans else 0
        begin = max(0, min(first - LONGEST // 3, len(best) - LONGEST))
        begin = best.rfind(" ", 0, begin) + 1 if begin else 0
        end = begin + LONGEST
        best = (
            ("… " if begin else "")
            + best[begin:end].rsplit(" ", 1)[0].strip()
            + (" …" if end < len(best) else "")
        )
    return best, _spans(asked, best)
