"""Python source of values: calls, rows and frozen structs, laid out within 100 columns."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

WIDTH = 100
INDENT = "    "


LONGEST_TEXT = 80  # characters of a text that stands in one piece


class Bracket(NamedTuple):
    """Parts between an opening and a closing text, in one line or in one each; between: what
    separates them.
    """

    opening: str
    parts: "tuple[str | Bracket, ...]"
    closing: str
    between: str = ","


Source = str | Bracket


def called(name: str, *parts: Source) -> Bracket:
    """A call with arguments that are source already."""
    return Bracket(f"{name}(", parts, ")")


def named(name: str, value: Source) -> Source:
    """A keyword argument."""
    if isinstance(value, str):
        return f"{name}={value}"
    return value._replace(opening=f"{name}={value.opening}")


def number(value: float) -> str:
    """A number that a builder takes; whole ones without a point."""
    if not math.isfinite(value):
        return _exact(value)
    whole = value.is_integer() and abs(value) < 1e15 and not (value == 0.0 and str(value)[0] == "-")
    return str(int(value)) if whole else repr(value)


def _exact(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def text(value: str) -> Source:
    """A text in double quotes; a long one in pieces."""
    if len(value) <= LONGEST_TEXT:
        return _quoted(value)
    # a line break within a piece is written as such
    pieces = textwrap.wrap(
        value,
        LONGEST_TEXT,
        drop_whitespace=False,
        replace_whitespace=False,
        expand_tabs=False,
        break_on_hyphens=False,
    )
    return Bracket("(", tuple(map(_quoted, pieces)), ")", "")


def _quoted(value: str) -> str:
    inside = repr(value + "'")[1:-1]  # an apostrophe within makes Python choose double quotes
    return f'"{inside[:-1]}"' if '"' not in value else repr(value)


def literal(value: Any) -> Source:
    """A value of the model: numbers, texts, rows, tables, and structs without what is as usual."""
    if isinstance(value, msgspec.Struct):
        return _struct(value)
    if isinstance(value, float):
        return _exact(value)
    if isinstance(value, bytes):
        return Bracket("bytes.fromhex(", (text(value.hex()),), ")", "")
    if isinstance(value, Mapping):
        return table({str(k): literal(v) for k, v in value.items()})
    if isinstance(value, (tuple, list)):
        return row([literal(v) for v in value], isinstance(value, tuple))
    return text(value) if isinstance(value, str) else repr(value)


def row(parts: Sequence[Source], frozen: bool = True) -> Bracket:
    """A tuple, or a list."""
    if not frozen:
        return Bracket("[", tuple(parts), "]")
    if len(parts) != 1:
        return Bracket("(", tuple(parts), ")")
    only = parts[0]
    if isinstance(only, str):
        return Bracket("(", (), f"{only},)")
    return Bracket("(", (Bracket(only.opening, only.parts, only.closing),), ",)")


def table(parts: Mapping[str, Source]) -> Bracket:
    """A dict by texts."""
    entries = (
        f"{_quoted(key)}: {value}"
        if isinstance(value, str)
        else value._replace(opening=f"{_quoted(key)}: {value.opening}")
        for key, value in parts.items()
    )
    return Bracket("{", tuple(entries), "}")


def _struct(value: msgspec.Struct) -> Bracket:
    parts = []
    for field in msgspec.structs.fields(value):
        held = getattr(value, field.name)
        if field.required:
            parts.append(literal(held))
        elif not _is_usual(field, held):
            parts.append(named(field.name, literal(held)))
    return called(type(value).__name__, *parts)


def _is_usual(field: msgspec.structs.FieldInfo, held: Any) -> bool:
    """True if a field holds its default, to the last bit."""
    if field.default_factory is not msgspec.NODEFAULT:
        return repr(held) == repr(field.default_factory())
    return repr(held) == repr(field.default)


def structs_of(value: Any) -> set[type]:
    """Types of all structs that the literal of a value names."""
    if isinstance(value, msgspec.Struct):
        found = {type(value)}
        for field in msgspec.structs.fields(value):
            held = getattr(value, field.name)
            if not _is_usual(field, held):
                found |= structs_of(held)
        return found
    held = value.values() if isinstance(value, Mapping) else value
    if isinstance(held, (str, bytes)) or not hasattr(held, "__iter__"):
        return set()
    return set().union(*map(structs_of, held))


def flat(source: Source) -> str:
    """Source in one line."""
    if isinstance(source, str):
        return source
    between = f"{source.between} " if source.between else " "
    return source.opening + between.join(map(flat, source.parts)) + source.closing


def laid_out(source: Source, depth: int = 0, after: int = 0) -> str:
    """Source in lines of at most WIDTH columns where it can be broken.  depth: of its indentation;
    after: columns that stand before or behind it in its lines.
    """
    line = flat(source)
    if isinstance(source, str) or not source.parts or len(line) + after <= WIDTH:
        return line
    inner = INDENT * (depth + 1)
    parts = "".join(
        f"{inner}{laid_out(part, depth + 1, len(inner) + 1)}{source.between}\n"
        for part in source.parts
    )
    return f"{source.opening}\n{parts}{INDENT * depth}{source.closing.removeprefix(',')}"
