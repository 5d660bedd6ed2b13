"""Search of the manual: every word of the query counts, headings before text, and each hit shows
the sentence that answers.  In another language English words find their section too.
"""

import functools
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mechstudio.application.help.pages import Section, english, every_section

MOST = 40  # hits that are listed
LONGEST = 110  # characters of a sentence that is shown
# weight of a word that is found: as a word, or as the beginning of one
_HEADING, _TITLE, _TEXT = (10.0, 7.0), (3.0, 2.0), (1.5, 0.8)
# the reference and the pages for programmers answer only what no other page does
_LESSER = {"reference": 0.3, "architecture": 0.6, "decisions": 0.6}
_LESSER_START, _LESSER_SHARE = "add-a", 0.5
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")
# an article or a pronoun that French joins to the next word: l’énergie, qu’elle
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu)['’](?=\w)", re.IGNORECASE)
# characters of Chinese, whose words stand without blanks, and take twice the room of Latin ones
_CHINESE = re.compile(r"[\u3400-\u9fff]")


class Hit(NamedTuple):
    """A section that answers.  sentence: of its text, shortened; spans: begin and end of each word
    of the query in it.  missing: words of the query that it does not have.
    """

    section: Section
    score: float
    sentence: str
    spans: tuple[tuple[int, int], ...]
    missing: tuple[str, ...] = ()


def folded(text: str) -> str:
    """Text in small letters without accents; each letter stays in its place."""
    return "".join(unicodedata.normalize("NFD", c)[0] for c in text.lower())


@functools.lru_cache(maxsize=20_000)
def words(text: str) -> tuple[str, ...]:
    """Words of a text, folded."""
    found = _WORD.findall(text.replace("-", " "))
    return tuple(folded(_ELISION.sub("", w)) for w in found)


def _often(word: str, among: Sequence[str]) -> int:
    """Words that begin as the requested one, or runs of Chinese that hold it."""
    if _CHINESE.match(word):
        return sum(word in w for w in among)
    return sum(w.startswith(word) for w in among)


def _weight(word: str, among: Sequence[str], weights: tuple[float, float]) -> float:
    # a Chinese word is one where a run of them begins or ends with it
    if word in among or (
        _CHINESE.match(word) and any(w.startswith(word) or w.endswith(word) for w in among)
    ):
        return weights[0]
    return weights[1] if _often(word, among) else 0.0


def _share(page: str) -> float:
    return _LESSER_SHARE if page.startswith(_LESSER_START) else _LESSER.get(page, 1.0)


def score(query: Sequence[str], section: Section) -> tuple[float, tuple[str, ...]]:
    """Score of a section for the words of a query, and the words that it lacks."""
    heading, title = words(section.heading), words(section.title)
    text = [w for line in section.lines for w in words(line)]
    total, missing = 0.0, []
    for word in query:
        often = _often(word, text)
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
    query_words = list(dict.fromkeys(words(query)))
    if not query_words:
        return []
    scored = [(*_best_score(query_words, s), s) for s in every_section()]
    least = min((len(missing) for _, missing, _ in scored), default=0)
    if least == len(query_words):
        return []
    found = sorted(
        ((total, missing, s) for total, missing, s in scored if len(missing) == least),
        key=lambda each: -each[0],
    )
    return [
        Hit(s, total, *_answer(query_words, s.lines), missing) for total, missing, s in found[:most]
    ]


def _best_score(query_words: Sequence[str], section: Section) -> tuple[float, tuple[str, ...]]:
    """Score of a section as it is shown or as it stands in English, whichever answers better."""
    shown, source = score(query_words, section), english(section)
    if source is section or not shown[1]:
        return shown
    return max(shown, score(query_words, source), key=lambda found: (-len(found[1]), found[0]))


def _sentences(lines: Iterable[str]) -> list[str]:
    ends = r"(?<=[.!?:])\s+(?=[\w“«(|])|(?<=[。！？；])(?=.)"
    return [s for line in lines for s in re.split(ends, line) if s]


def _spans(query_words: Sequence[str], sentence: str) -> tuple[tuple[int, int], ...]:
    """Words of a sentence that begin with a requested one."""
    text = folded(sentence)
    starts = [m.start() for m in re.finditer(r"[^\W_]+", text)]
    out: list[tuple[int, int]] = []
    for at in sorted({*starts, *(m.start() for m in _CHINESE.finditer(text))}):
        longest = max((a for a in query_words if text.startswith(a, at)), key=len, default="")
        if longest and (not out or at >= out[-1][1]):
            out.append((at, at + len(longest)))
    return tuple(out)


def _answer(
    query_words: Sequence[str], lines: Iterable[str]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with most of the words, the first of equals; cut to what can be read at a
    glance.
    """
    sentences = _sentences(lines)
    if not sentences:
        return "", ()
    best = max(sentences, key=lambda s: len({folded(s[a:b]) for a, b in _spans(query_words, s)}))
    most = LONGEST // 2 if _CHINESE.search(best) else LONGEST
    if len(best) > most:
        spans = _spans(query_words, best)
        first = spans[0][0] if spans else 0
        begin = max(0, min(first - most // 3, len(best) - most))
        end = begin + most
        if not _CHINESE.search(best):  # which can be cut anywhere
            begin = best.rfind(" ", 0, begin) + 1 if begin else 0
            end = best.rfind(" ", 0, begin + most) if begin + most < len(best) else len(best)
        best = ("… " if begin else "") + best[begin:end].strip() + (" …" if end < len(best) else "")
    return best, _spans(query_words, best)
