"""JSON in and out: forgiving where it reads, canonical where it writes.

What Python's own JSON cannot hold is kept as it stands in the file, so that it can be written back:
numbers that are no finite float (NaN, 1e999, a thousand digits) as `Odd`, objects with a key twice
as `Doubled`.
"""

import json
import math
from collections.abc import Iterable
from typing import Any, TypeGuard, cast

from mechstudio.translation import tr

DEEPEST = 64


class Odd(str):
    """A number's text that has no finite value."""

    __slots__ = ()


class Doubled(list[tuple[str, Any]]):
    """An object in which a key stands twice: its (key, value) pairs."""

    __slots__ = ()


def is_object(json: Any) -> TypeGuard[dict[str, Any]]:
    """True for an object in braces in which no key stands twice."""
    return isinstance(json, dict)


def is_list(json: Any) -> TypeGuard[list[Any]]:
    """True for a list in square brackets."""
    return isinstance(json, list) and not isinstance(json, Doubled)


class JsonError(ValueError):
    """Error of a text that is no JSON, with place and reason."""


def _float(text: str) -> Any:
    value = float(text)
    return value if math.isfinite(value) else Odd(text)


def _int(text: str) -> Any:
    return int(text) if len(text) <= 300 else Odd(text)


def _object(pairs: list[tuple[str, Any]]) -> Any:
    out = dict(pairs)
    return out if len(out) == len(pairs) else Doubled(pairs)


def parse(data: bytes) -> Any:
    """The value of a JSON text in UTF-8.  Raises JsonError with line and cause."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonError(tr("line {line} is not text in UTF-8", line=line)) from None
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=Odd
        )
    except json.JSONDecodeError as error:
        raise JsonError(_cause(text, error)) from None
    except RecursionError:
        raise JsonError(tr("its brackets are nested too deeply")) from None
    if _depth_exceeded(value):
        raise JsonError(tr("its brackets are nested too deeply"))
    return value


def _cause(text: str, error: json.JSONDecodeError) -> str:
    """Line and cause of a syntax error, with the two that happen to honest files first."""
    line = text.split("\n")[error.lineno - 1] if error.lineno <= text.count("\n") + 1 else ""
    if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        return tr("line {lineno} is a mark of an unfinished merge", lineno=error.lineno)
    # a cut within a word or number is reported at its beginning
    if not set(text[error.pos :].rstrip()) & set(',:[]{}"\n') or error.msg.startswith(
        "Unterminated string"
    ):
        return tr("it breaks off in line {lineno}", lineno=error.lineno)
    return tr(
        "line {lineno} is damaged at character {colno}", lineno=error.lineno, colno=error.colno
    )


def _depth_exceeded(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [child for v in level if isinstance(v, (dict, list)) for child in _children(v)]
        if not level:
            return False
    return True


def _children(value: Any) -> Iterable[Any]:
    if is_object(value):
        return value.values()
    return [v for _, v in value] if isinstance(value, Doubled) else value


def dump(value: Any) -> str:
    """The canonical text of a value on one line: keys in their order, shortest numbers, whole
    numbers without a point.
    """
    if is_object(value):
        return (
            "{"
            + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {dump(v)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, Doubled):
        return (
            "{"
            + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {dump(v)}" for k, v in value)
            + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(dump, cast(Iterable[Any], value))) + "]"
    if isinstance(value, Odd):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if value is None or isinstance(value, (str, int)):
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(tr("{type} cannot stand in a project file.", type=type(value).__name__))


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(tr("A number of the project is not finite."))
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))


def encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which UTF-8 cannot hold, as the escape that JSON has for it."""
    return text.encode("utf-8", "backslashreplace")
