"""Schema of an element in a file: one table of entries, read in both directions.

An entry that equals its default is left out.  A Quantity stands as ["300 mm", 0.3] where it was
typed, else as a plain number; a text alone ("300 mm") can be read too.  The numbers that a type
needs (a link's length, a spring's stiffness) stand among the element's own entries.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mechstudio.files.format.entry_types import (
    FLAG,
    NEWER,
    NOTE,
    QUANTITY,
    Definitions,
    Json,
    Kind,
    NotUnderstood,
    is_odd,
)
from mechstudio.files.format.json_text import Doubled, is_object
from mechstudio.model.mechanism import (
    Placement,
)
from mechstudio.translation import tr


class _Required:
    """The default of an entry that must be there."""


REQUIRED = _Required()


class Entry(NamedTuple):
    """One entry.  attribute: where the value lies in the element ("placement.position" within a
    part of it).

    soft: a choice that this version does not know falls back to the default and is kept for the
    next save.
    """

    key: str
    kind: Kind
    default: Any = REQUIRED
    attribute: str = ""
    soft: bool = False

    def of(self, element: Any) -> Any:
        for name in (self.attribute or self.key).split("."):
            element = getattr(element, name)
        return element


class Schema(NamedTuple):
    """One element.  by_type: (table of types, attribute that holds the type's numbers, their names:
    whether each must be there) or None.
    """

    make: Callable[..., Any]
    entries: tuple[Entry, ...]
    by_type: tuple[Mapping[str, Any], str, Callable[[Any], Mapping[str, bool]]] | None = None


# what most elements end with
LAST = (Entry("visible", FLAG, True), Entry("note", NOTE, ""))


def nested(schema: Schema) -> Kind:
    """Kind of an entry that holds an element."""

    def read(json: Any, key: str) -> Any:
        try:
            element, unknown = read_element(schema, json)
        except NotUnderstood as error:
            raise NotUnderstood(
                tr('in its "{key}" {error}', key=key, error=error), error.cure
            ) from None
        return keep(element, unknown, key)

    def write(element: Any) -> dict[str, Any]:
        return write_element(schema, element)

    return Kind(write, read, functools.partial(described, schema))


def described(schema: Schema, definitions: Definitions, name: str = "") -> Json:
    """JSON Schema of an element, as a reference to a definition; name: of that, where it is not
    the element's.
    """
    name = name or schema.make.__name__
    if name not in definitions:
        definitions[name] = {}  # an arrangement of plots refers to itself
        entries = {entry.key: entry.kind.described(definitions) for entry in schema.entries}
        # a name is left out where it is the id
        required = [e.key for e in schema.entries if e.default is REQUIRED and e.key != "name"]
        if "id" not in entries and "name" in entries:
            required.append("name")
        cases: list[Json] = []
        if schema.by_type is not None:
            types, _, needed = schema.by_type
            for type, row in types.items():
                numbers = needed(row)
                entries |= {number: QUANTITY.described(definitions) for number in numbers}
                if must := [number for number, is_must in numbers.items() if is_must]:
                    case: Json = {"properties": {"type": {"const": type}}}
                    cases.append({"if": case, "then": {"required": must}})
        definitions[name] = {
            "type": "object",
            "properties": entries,
            "required": required,
            "additionalProperties": False,
            **({"allOf": cases} if cases else {}),
        }
    return {"$ref": f"#/$defs/{name}"}


def write_element(schema: Schema, element: Any) -> dict[str, Any]:
    """The JSON object of an element; entries that were not understood follow its own."""
    out: dict[str, Any] = {}
    for entry in schema.entries:
        value = entry.of(element)
        if not (entry.key == "name" and value == out.get("id")) and (
            entry.default is REQUIRED or value != entry.default
        ):
            out[entry.key] = entry.kind.write(value)
        if entry.key == "type" and schema.by_type is not None:
            kinds, attribute, names = schema.by_type
            numbers = getattr(element, attribute)
            # in the type's order, whatever was typed first; the parameters beside an expression
            # follow from its text
            out |= {
                name: QUANTITY.write(numbers[name])
                for name in names(kinds[element.type])
                if name in numbers
            }
    for key, value in getattr(element, "extra", {}).items():
        out.setdefault(key, value)
    return out


def read_element(schema: Schema, json: Any) -> tuple[Any, dict[str, Any]]:
    """The element of a JSON object, and the entries that were not understood.  Raises
    NotUnderstood.
    """
    if isinstance(json, Doubled):
        keys = [k for k, _ in json]
        raise NotUnderstood(
            tr(
                'its "{number}" stands twice',
                number=next(k for k in keys if keys.count(k) > 1)[:40],
            )
        )
    if not is_object(json):
        raise NotUnderstood(tr("it is not an object in braces"))
    rest = dict(json)
    if "name" not in rest and "id" in rest and {"id", "name"} <= {e.key for e in schema.entries}:
        rest["name"] = rest["id"]
    values: dict[str, Any] = {}
    for entry in schema.entries:
        values[entry.attribute or entry.key] = _read_entry(entry, rest)
        if entry.key == "type" and schema.by_type is not None:
            kinds, attribute, names = schema.by_type
            values[attribute] = {
                name: _read_entry(Entry(name, QUANTITY), rest)
                for name, needed in names(kinds[values["type"]]).items()
                if needed or name in rest
            }
    if "placement.position" in values:
        values["placement"] = Placement(
            values.pop("placement.position"), values.pop("placement.orientation")
        )
    return schema.make(**values), rest


def _read_entry(entry: Entry, rest: dict[str, Any]) -> Any:
    """The value of an entry, taken out of the object."""
    if entry.key not in rest:
        if entry.default is REQUIRED:
            raise NotUnderstood(tr('its "{key}" is missing', key=entry.key))
        return entry.default
    json = rest[entry.key]
    if entry.soft:
        try:
            value = entry.kind.read(json, entry.key)
        except NotUnderstood as error:
            if error.cure is not NEWER:
                raise
            return entry.default
    else:
        value = entry.kind.read(json, entry.key)
    del rest[entry.key]
    return value


def keep(element: Any, unknown: dict[str, Any], key: str = "") -> Any:
    """The element with what was not understood in its `extra`.  Raises NotUnderstood where it has
    no place for that.
    """
    if not unknown:
        return element
    if any(map(is_odd, unknown.values())):
        raise NotUnderstood(tr("it holds something that is no number"))
    if not hasattr(element, "extra"):
        raise NotUnderstood(
            tr(
                'its "{key}" has an entry "{iter}" that is not known to this version',
                key=key,
                iter=next(iter(unknown))[:40],
            ),
            tr(NEWER),
        )
    element = type(element)(
        **{name: getattr(element, name) for name in element.__struct_fields__ if name != "extra"},
        extra=unknown,
    )
    return element
