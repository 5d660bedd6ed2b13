"""Long lines of text and code in several, broken before signs and behind commas."""

from collections.abc import Iterable

WIDTH = 100  # letters of a line
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
    """A line in as few as need be of at most `width` letters, as far as it has places to break at.

    deeper: indent of the further lines beyond that of the first.  quotes: strings stay whole.
    """
    out: list[str] = []
    indent = line[: len(line) - len(line.lstrip(" "))] + deeper
    while len(line) > width:
        good, others = _places(line, quotes)
        begin = len(line) - len(line.lstrip(" "))
        at = max((k for k in good if begin < k <= width), default=0)
        at = at or max((k for k in others if begin < k <= width), default=0)
        at = at or min((k for k in (*good, *others) if k > width), default=0)
        if not at:
            break
        out.append(line[:at])
        line = indent + line[at + 1 :]
    return [*out, line]


def in_lines(lines: Iterable[str], deeper: str = "    ", quotes: bool = True) -> list[str]:
    """All lines, the long ones broken."""
    return [part for line in lines for part in broken(line, deeper, quotes=quotes)]


def assigned(left: str, value: str, sign: str = "=") -> list[str]:
    """An assignment in Python, in brackets where it takes more lines than one."""
    line = f"{left} {sign} {value}"
    return [line] if len(line) <= WIDTH else broken(f"{left} {sign} ({value})")
