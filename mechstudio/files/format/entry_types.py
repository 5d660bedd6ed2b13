"""Kinds of entries in a file: how a text, a number or a row of them is written, read and
refused.
"""

import base64
import binascii
import functools
import math
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from mechstudio.files.format.json_text import Doubled, Odd, is_list, is_object
from mechstudio.model.quantity import Quantity
from mechstudio.translation import Words, tr

CORRECT: Words = (
    "It is kept in the file as it is: correct it there with a text editor, or delete it and "
    "draw it again."
)
NEWER: Words = (
    "It is kept in the file as it is: open it with a newer mechstudio, or draw it in a way "
    "that this one knows."
)


class NotUnderstood(ValueError):
    """Reason why a part of a file cannot be used (half a sentence), and what helps."""

    def __init__(self, cause: str, cure: str = "") -> None:
        super().__init__(cause)
        self.cure = cure or tr(CORRECT)


Json = dict[str, Any]
Definitions = dict[str, Json]  # schemas of objects by their names (format/json_schema.py)


class Kind(NamedTuple):
    """One kind of entry.  write(value) gives JSON; read(json, key) gives the value or raises
    NotUnderstood.  described(definitions) gives its JSON Schema, and adds to the definitions those
    of objects that it refers to.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    described: Callable[[Definitions], Json]


def _plain(**described: Any) -> Callable[[Definitions], Json]:
    """Description of a kind that refers to no object."""
    return lambda definitions: described


def clean(text: Any, longest: int, lines: bool = False) -> bool:
    """True if a value is text that can be shown: no halves of surrogate pairs, no control
    characters, not longer than `longest`.  lines: allows line breaks and tabs.
    """
    if not isinstance(text, str) or isinstance(text, Odd) or len(text) > longest:
        return False
    # nearly every text is printable, and then has none of these
    return text.isprintable() or not any(
        unicodedata.category(c) in ("Cc", "Cs") and not (lines and c in "\n\t\r") for c in text
    )


def text(longest: int, lines: bool = False, empty: bool = True) -> Kind:
    """A text of at most so many characters."""

    def read(json: Any, key: str) -> str:
        if not clean(json, longest, lines) or not (json or empty):
            fault = (
                tr("not a text")
                if not isinstance(json, str) or isinstance(json, Odd)
                else tr("empty")
                if not json
                else tr("longer than {longest} characters", longest=longest)
                if len(json) > longest
                else tr("not printable")
            )
            raise NotUnderstood(tr('its "{key}" is {fault}', key=key, fault=fault))
        return json

    least = {} if empty else {"minLength": 1}
    return Kind(str, read, _plain(type="string", maxLength=longest, **least))


def _number(json: Any, key: str) -> float:
    if isinstance(json, bool) or not isinstance(json, (int, float)):
        raise NotUnderstood(tr('its "{key}" is not a number', key=key))
    return float(json)


def _write_quantity(q: Quantity) -> Any:
    if not q.text:
        return q.value
    return [q.text, q.value] if math.isfinite(q.value) else q.text


def _read_quantity(json: Any, key: str) -> Quantity:
    """A text without a number beside it gets NaN, which checks.settle replaces."""
    pair = [json, math.nan] if clean(json, 100_000) else json
    if not (is_list(pair) and len(pair) == 2 and clean(pair[0], 100_000)):
        return Quantity(_number(json, key))
    text, number = pair
    if not text.strip():
        raise NotUnderstood(tr('its "{key}" is empty', key=key))
    return Quantity(_number(number, key), text)


def _written(kind: Kind, row: Iterable[Any]) -> list[Any]:
    return [kind.write(v) for v in row]


def row(kind: Kind, count: int) -> Kind:
    """A row of so many entries of a kind."""

    def read(json: Any, key: str) -> tuple[Any, ...]:
        if not is_list(json) or len(json) != count:
            raise NotUnderstood(
                tr('its "{key}" is not a row of {count} numbers', key=key, count=count)
            )
        return tuple(kind.read(v, key) for v in json)

    def described(definitions: Definitions) -> Json:
        return {**_listed(kind, definitions), "minItems": count, "maxItems": count}

    return Kind(functools.partial(_written, kind), read, described)


def _listed(kind: Kind, definitions: Definitions) -> Json:
    return {"type": "array", "items": kind.described(definitions)}


def many(kind: Kind) -> Kind:
    """Any number of entries of a kind."""

    def read(json: Any, key: str) -> tuple[Any, ...]:
        if not is_list(json):
            raise NotUnderstood(tr('its "{key}" is not a list', key=key))
        return tuple(kind.read(v, key) for v in json)

    return Kind(functools.partial(_written, kind), read, functools.partial(_listed, kind))


def table(kind: Kind) -> Kind:
    """An object whose keys are names of any kind."""

    def read(json: Any, key: str) -> dict[str, Any]:
        if not is_object(json) or not all(clean(k, 200) for k in json):
            raise NotUnderstood(tr('its "{key}" is not an object in braces', key=key))
        return {k: kind.read(v, f"{key}.{k}") for k, v in json.items()}

    def write(entries: Mapping[str, Any]) -> dict[str, Any]:
        return {k: kind.write(v) for k, v in entries.items()}

    def described(definitions: Definitions) -> Json:
        return {"type": "object", "additionalProperties": kind.described(definitions)}

    return Kind(write, read, described)


def _write_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _bytes(json: Any, key: str) -> bytes:
    if not isinstance(json, str) or isinstance(json, Odd):
        raise NotUnderstood(tr('its "{key}" is not a text', key=key))
    try:
        return base64.b64decode(json, validate=True)
    except (binascii.Error, ValueError):
        raise NotUnderstood(tr('its "{key}" is not base64', key=key)) from None


def _flag(json: Any, key: str) -> bool:
    if not isinstance(json, bool):
        raise NotUnderstood(tr('its "{key}" is neither true nor false', key=key))
    return json


def whole(least: int, most: int) -> Kind:
    """A whole number between two bounds."""

    def read(json: Any, key: str) -> int:
        if (
            isinstance(json, bool)
            or not isinstance(json, (int, float))
            or not least <= json <= most
            or json != int(json)
        ):
            raise NotUnderstood(
                tr(
                    'its "{key}" is not a whole number from {least} to {most}',
                    key=key,
                    least=least,
                    most=most,
                )
            )
        return int(json)

    return Kind(int, read, _plain(type="integer", minimum=least, maximum=most))


def choice(known: Collection[str]) -> Kind:
    """One of some words; of a table also those that are added to it later."""

    def read(json: Any, key: str) -> str:
        if not clean(json, 100):
            raise NotUnderstood(tr('its "{key}" is not a text', key=key))
        if json not in known:
            raise NotUnderstood(
                tr('its {key} "{json}" is not known to this version', key=key, json=json), tr(NEWER)
            )
        return json

    def described(definitions: Definitions) -> Json:
        return {"enum": list(known)}

    return Kind(str, read, described)


def number(least: float, most: float) -> Kind:
    """A number between two bounds."""

    def read(json: Any, key: str) -> float:
        value = _number(json, key)
        if not least <= value <= most:
            raise NotUnderstood(
                tr(
                    'its "{key}" is not a number from {least:g} to {most:g}',
                    key=key,
                    least=least,
                    most=most,
                )
            )
        return value

    return Kind(float, read, _plain(type="number", minimum=least, maximum=most))


_TYPED = {"type": "string", "minLength": 1, "maxLength": 100_000}
_QUANTITY: Json = {
    "description": 'A number in SI, or ["300 mm", 0.3]: as typed, and its value; a text alone too.',
    "oneOf": [
        {"type": "number"},
        _TYPED,
        {
            "type": "array",
            "prefixItems": [_TYPED, {"type": "number"}],
            "minItems": 2,
            "maxItems": 2,
        },
    ],
}


def _describe_quantity(definitions: Definitions) -> Json:
    definitions["Quantity"] = _QUANTITY
    return {"$ref": "#/$defs/Quantity"}


QUANTITY = Kind(_write_quantity, _read_quantity, _describe_quantity)
NUMBER = Kind(float, _number, _plain(type="number"))
RATIO = number(1e-3, 1e3)
VECTOR = row(QUANTITY, 3)
FLAG = Kind(bool, _flag, _plain(type="boolean"))
NAME = text(200, empty=False)
WORD = text(200)
PATH = text(4096, empty=False)
NOTE = text(1_000_000, lines=True)
FORMULA = text(100_000)
BYTES = Kind(_write_bytes, _bytes, _plain(type="string", contentEncoding="base64"))


def is_odd(json: Any) -> bool:
    """True if a value holds what a plain value cannot: a number without value, a key twice, text
    that is none.
    """
    if isinstance(json, (Odd, Doubled)):
        return True
    if is_object(json):
        return any(is_odd(k) or is_odd(v) for k, v in json.items())
    if is_list(json):
        return any(map(is_odd, json))
    return isinstance(json, str) and any(unicodedata.category(c) == "Cs" for c in json)
