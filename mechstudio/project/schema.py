"""How each element stands in a file: one table of entries per element, read in both directions.

An entry that equals its default is left out.  A Quantity stands as ["300 mm", 0.3] where it was typed, else as a plain
number; a text alone ("300 mm") can be read too.  The numbers that a type needs (a link's length, a spring's stiffness)
stand among the element's own entries.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from mechstudio.model.force_types import FORCE_TYPES
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND, Body, Force, Frame, InitialVelocity, Joint, NamedPoint, Placement, Shape
from mechstudio.model.project import Camera, Lesson, Parameter, Plot, Settings
from mechstudio.model.quantity import ORIGIN, Quantity
from mechstudio.model.shape_types import SHAPE_TYPES
from mechstudio.model.units import DIMENSIONS

from .json_text import Doubled, Odd

CORRECT = "It is kept in the file as it is: correct it there with a text editor, or delete it and draw it again."
NEWER = "It is kept in the file as it is: open it with a newer mechstudio, or draw it in a way that this one knows."


class NotUnderstood(ValueError):
    """Why a part of a file cannot be used (half a sentence), and what helps."""

    def __init__(self, cause: str, cure: str = CORRECT) -> None:
        super().__init__(cause)
        self.cure = cure


class Kind(NamedTuple):
    """One kind of entry.  write(value) gives JSON; read(json, key) gives the value or raises NotUnderstood."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]


def clean(text: Any, longest: int, lines: bool = False) -> bool:
    """Whether something is text that can be shown: no halves of surrogate pairs, no control characters."""
    if not isinstance(text, str) or isinstance(text, Odd) or len(text) > longest:
        return False
    return not any(unicodedata.category(c) in ("Cc", "Cs") and not (lines and c in "\n\t\r") for c in text)


def _text(longest: int, lines: bool = False, empty: bool = True) -> Kind:
    def read(json: Any, key: str) -> str:
        if not clean(json, longest, lines) or not (json or empty):
            raise NotUnderstood(f'its "{key}" is not a text' if not isinstance(json, str) or isinstance(json, Odd) else
                                f'its "{key}" is {"empty" if not json else f"longer than {longest} characters" if len(json) > longest else "not printable"}')
        return json
    return Kind(str, read)


def _number(json: Any, key: str) -> float:
    if isinstance(json, bool) or not isinstance(json, (int, float)):
        raise NotUnderstood(f'its "{key}" is not a number')
    return float(json)


def _write_quantity(q: Quantity) -> Any:
    if not q.text:
        return q.value
    return [q.text, q.value] if math.isfinite(q.value) else q.text


def _read_quantity(json: Any, key: str) -> Quantity:
    """A text without a number beside it gets NaN, which checks.settle replaces."""
    if clean(json, 100_000):
        text, json = json, math.nan
    elif isinstance(json, list) and len(json) == 2 and clean(json[0], 100_000):
        text, json = json
    else:
        return Quantity(_number(json, key))
    if not text.strip():
        raise NotUnderstood(f'its "{key}" is empty')
    return Quantity(_number(json, key), text)


def _row(kind: Kind, count: int) -> Kind:
    def read(json: Any, key: str) -> tuple:
        if not isinstance(json, list) or len(json) != count:
            raise NotUnderstood(f'its "{key}" is not a row of {count} numbers')
        return tuple(kind.read(v, key) for v in json)
    return Kind(lambda row: [kind.write(v) for v in row], read)


def _many(kind: Kind) -> Kind:
    def read(json: Any, key: str) -> tuple:
        if not isinstance(json, list):
            raise NotUnderstood(f'its "{key}" is not a list')
        return tuple(kind.read(v, key) for v in json)
    return Kind(lambda row: [kind.write(v) for v in row], read)


def _flag(json: Any, key: str) -> bool:
    if not isinstance(json, bool):
        raise NotUnderstood(f'its "{key}" is neither true nor false')
    return json


def _whole(least: int, most: int) -> Kind:
    def read(json: Any, key: str) -> int:
        if isinstance(json, bool) or not isinstance(json, (int, float)) or not least <= json <= most or json != int(json):
            raise NotUnderstood(f'its "{key}" is not a whole number from {least} to {most}')
        return int(json)
    return Kind(int, read)


def _choice(options: Iterable[str]) -> Kind:
    known = tuple(options)

    def read(json: Any, key: str) -> str:
        if not clean(json, 100):
            raise NotUnderstood(f'its "{key}" is not a text')
        if json not in known:
            raise NotUnderstood(f'its {key} "{json}" is not known to this version', NEWER)
        return json
    return Kind(str, read)


QUANTITY = Kind(_write_quantity, _read_quantity)
NUMBER = Kind(float, _number)
VECTOR = _row(QUANTITY, 3)
FLAG = Kind(bool, _flag)
NAME = _text(200, empty=False)
WORD = _text(200)
NOTE = _text(1_000_000, lines=True)


class _Required:
    """The default of an entry that must be there."""


REQUIRED = _Required()


class Entry(NamedTuple):
    """One entry.  attribute: where the value lies in the element ("placement.position" within a part of it).

    soft: a choice that this version does not know falls back to the default and is kept for the next save.
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
    """One element.  by_type: (table of types, attribute that holds the type's numbers, their names) or None."""

    make: Callable[..., Any]
    entries: tuple[Entry, ...]
    by_type: tuple[Mapping[str, Any], str, Callable[[Any], Iterable[str]]] | None = None


_PLACE = (Entry("position", VECTOR, ORIGIN, "placement.position"), Entry("orientation", VECTOR, ORIGIN, "placement.orientation"))
_LAST = (Entry("visible", FLAG, True), Entry("note", NOTE, ""))


def _object(schema: Schema) -> Kind:
    def read(json: Any, key: str) -> Any:
        try:
            element, unknown = read_element(schema, json)
        except NotUnderstood as error:
            raise NotUnderstood(f'in its "{key}" {error}', error.cure) from None
        return keep(element, unknown, key)
    return Kind(lambda element: write_element(schema, element), read)


SHAPE_SCHEMA = Schema(Shape, (
    Entry("type", _choice(SHAPE_TYPES)), Entry("outline", _many(_row(QUANTITY, 2)), ()), *_PLACE,
    Entry("density", QUANTITY, Quantity(7850.0)), Entry("material", _choice(("paint", "steel", "cast")), "paint", soft=True)),
    (SHAPE_TYPES, "dimensions", lambda t: [d.name for d in t.dimensions]))
POINT_SCHEMA = Schema(NamedPoint, (Entry("name", NAME), Entry("position", VECTOR)))
VELOCITY_SCHEMA = Schema(InitialVelocity, (Entry("linear", VECTOR, ORIGIN), Entry("angular", VECTOR, ORIGIN)))
FRAME_SCHEMA = Schema(Frame, (Entry("body", NAME), Entry("point", WORD, ""), *_PLACE))

_SHAPES = Entry("shapes", _many(_object(SHAPE_SCHEMA)), ())
_POINTS = Entry("points", _many(_object(POINT_SCHEMA)), ())
BODY_SCHEMA = Schema(Body, (
    Entry("id", NAME), Entry("name", NAME), _SHAPES, *_PLACE, Entry("mass", QUANTITY, None), Entry("center_of_mass", VECTOR, None),
    Entry("inertia", _row(QUANTITY, 6), None), Entry("initial_velocity", _object(VELOCITY_SCHEMA), None), _POINTS, Entry("color", _whole(-1, 9999), 0), *_LAST))
GROUND_SCHEMA = Schema(Body, (
    Entry("id", _choice((GROUND,)), GROUND), Entry("name", NAME, GROUND), _SHAPES, _POINTS, Entry("color", _whole(-1, 9999), -1), *_LAST))
JOINT_SCHEMA = Schema(Joint, (
    Entry("id", NAME), Entry("name", NAME), Entry("type", _choice(JOINT_TYPES)), Entry("frame_a", _object(FRAME_SCHEMA)), Entry("frame_b", _object(FRAME_SCHEMA)),
    Entry("values", _many(QUANTITY), ()), Entry("rates", _many(QUANTITY), ()), *_LAST),
    (JOINT_TYPES, "parameters", lambda t: t.parameters))
FORCE_SCHEMA = Schema(Force, (
    Entry("id", NAME), Entry("name", NAME), Entry("type", _choice(FORCE_TYPES)), Entry("frame_a", _object(FRAME_SCHEMA), None), Entry("frame_b", _object(FRAME_SCHEMA), None),
    Entry("joint", WORD, ""), Entry("coordinate", _whole(0, 5), 0), Entry("axes", _choice(("world", "body")), "world"), *_LAST),
    (FORCE_TYPES, "parameters", lambda t: [p.name for p in t.parameters]))
PARAMETER_SCHEMA = Schema(Parameter, (
    Entry("name", NAME), Entry("value", QUANTITY), Entry("dimension", _choice(DIMENSIONS), "length"), Entry("minimum", QUANTITY, None),
    Entry("maximum", QUANTITY, None), Entry("slider", FLAG, False), Entry("note", NOTE, "")))
PLOT_SCHEMA = Schema(Plot, (Entry("id", NAME), Entry("title", WORD), Entry("channels", _many(WORD)), Entry("log", FLAG, False)))
_RUN = Settings()
SETTINGS_SCHEMA = Schema(Settings, (
    Entry("duration", QUANTITY, _RUN.duration), Entry("sample_step", QUANTITY, _RUN.sample_step),
    Entry("integrator", _choice(("dop853", "rk4")), _RUN.integrator, soft=True), Entry("tolerance", QUANTITY, _RUN.tolerance), Entry("step", QUANTITY, None)))
LESSON_SCHEMA = Schema(Lesson, (Entry("title", WORD, ""), Entry("text", NOTE, ""), Entry("questions", _many(NOTE), ())))
_EYE = Camera()
CAMERA_SCHEMA = Schema(Camera, (
    Entry("target", _row(NUMBER, 3), _EYE.target), Entry("azimuth", NUMBER, _EYE.azimuth), Entry("elevation", NUMBER, _EYE.elevation),
    Entry("distance", NUMBER, _EYE.distance), Entry("perspective", FLAG, _EYE.perspective)))


def write_element(schema: Schema, element: Any) -> dict[str, Any]:
    """The JSON object of an element; entries that were not understood follow its own."""
    out: dict[str, Any] = {}
    for entry in schema.entries:
        value = entry.of(element)
        if not (entry.key == "name" and value == out.get("id")) and (entry.default is REQUIRED or value != entry.default):
            out[entry.key] = entry.kind.write(value)
        if entry.key == "type" and schema.by_type is not None:
            out |= {name: QUANTITY.write(q) for name, q in getattr(element, schema.by_type[1]).items()}
    for key, value in getattr(element, "extra", {}).items():
        out.setdefault(key, value)
    return out


def read_element(schema: Schema, json: Any) -> tuple[Any, dict[str, Any]]:
    """The element of a JSON object, and the entries that were not understood.  Raises NotUnderstood."""
    if isinstance(json, Doubled):
        keys = [k for k, _ in json]
        raise NotUnderstood(f'its "{next(k for k in keys if keys.count(k) > 1)[:40]}" stands twice')
    if not isinstance(json, dict):
        raise NotUnderstood("it is not an object in braces")
    rest = dict(json)
    if "name" not in rest and "id" in rest and {"id", "name"} <= {e.key for e in schema.entries}:
        rest["name"] = rest["id"]
    values: dict[str, Any] = {}
    for entry in schema.entries:
        values[entry.attribute or entry.key] = _read_entry(entry, rest)
        if entry.key == "type" and schema.by_type is not None:
            table, attribute, names = schema.by_type
            values[attribute] = {name: _read_entry(Entry(name, QUANTITY), rest) for name in names(table[values["type"]])}
    if "placement.position" in values:
        values["placement"] = Placement(values.pop("placement.position"), values.pop("placement.orientation"))
    return schema.make(**values), rest


def _read_entry(entry: Entry, rest: dict[str, Any]) -> Any:
    """The value of an entry, taken out of the object."""
    if entry.key not in rest:
        if entry.default is REQUIRED:
            raise NotUnderstood(f'its "{entry.key}" is missing')
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
    """The element with what was not understood in its `extra`.  Raises NotUnderstood where it has no place for that."""
    if not unknown:
        return element
    if any(map(is_odd, unknown.values())):
        raise NotUnderstood("it holds something that is no number")
    if not hasattr(element, "extra"):
        raise NotUnderstood(f'its "{key}" has an entry "{next(iter(unknown))[:40]}" that is not known to this version', NEWER)
    element = type(element)(**{name: getattr(element, name) for name in element.__struct_fields__ if name != "extra"}, extra=unknown)
    return element


def is_odd(json: Any) -> bool:
    """Whether a value holds what a plain value cannot: a number without value, a key twice, text that is none."""
    if isinstance(json, (Odd, Doubled)):
        return True
    if isinstance(json, dict):
        return any(is_odd(k) or is_odd(v) for k, v in json.items())
    if isinstance(json, list):
        return any(map(is_odd, json))
    return isinstance(json, str) and any(unicodedata.category(c) == "Cs" for c in json)
