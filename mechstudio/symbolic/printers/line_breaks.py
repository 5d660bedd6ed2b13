"""Long lines of text and code in several, broken before signs and behind commas."""

from bisect import bisect_right
from collections.abc import Iterable

WIDTH = 100  # characters of a line
_SIGNS = (" + ", " - ", " − ")


def _places(line: str, quotes: bool) -> tuple[list[int], list[int]]:
    """Indices of the spaces at which a line may be broken: before signs and behind commas, and any
    others; none within strings and beside equals signs.
    """
    good, others = [], []
    quote, skipped = "", False
    for k, c in enumerate(line):
        if skipped:
            skipped = False
        elif quote:
            skipped = c == "\\"
            quote = "" if c == quote else quote
        elif quotes and c in "\"'":
            quote = c
        elif c == " " and line[k - 1 : k] != "=" and not line.startswith(("=", "+="), k + 1):
            well = line.startswith(_SIGNS, k) or line[k - 1 : k] == ","
            (good if well else others).append(k)
    return good, others


def broken(line: str, deeper: str = "    ", width: int = WIDTH, quotes: bool = True) -> list[str]:
    """A line in as few as possible of at most `width` characters, where it has places to break.

    deeper: indent of the further lines beyond that of the first.  quotes: strings stay whole.
    """
    if len(line) <= width:
        return [line]
    begin = len(line) - len(line.lstrip(" "))
    indent = line[:begin] + deeper
    good, others = _places(line, quotes)
    out: list[str] = []
    start, before = 0, ""
    while len(before) + len(line) - start > width:
        least, most = max(start, begin), start + width - len(before)
        at = _last(good, least, most) or _last(others, least, most)
        if not at:
            later = [x[k] for x in (good, others) if (k := bisect_right(x, most)) < len(x)]
            if not later:
                break
            at = min(later)
        out.append(before + line[start:at])
        start, before = at + 1, indent
    return [*out, before + line[start:]]


def _last(places: list[int], least: int, most: int) -> int:
    """The last of ascending places above one and up to another; 0 for none."""
    k = bisect_right(places, most) - 1
    return places[k] if k >= 0 and places[k] > least else 0


def in_lines(lines: Iterable[str], deeper: str = "    ", quotes: bool = True) -> list[str]:
    """All lines, the long ones broken."""
    return [part for line in lines for part in broken(line, deeper, quotes=quotes)]


def assigned(left: str, value: str, sign: str = "=") -> list[str]:
    """An assignment in Python, in brackets where it takes more lines than one."""
    line = f"{left} {sign} {value}"
    return [line] if len(line) <= WIDTH else broken(f"{left} {sign} ({value})")
