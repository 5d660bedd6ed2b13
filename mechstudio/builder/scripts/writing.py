"""Lines of Python that are called on a builder while they are written."""

import keyword
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from mechstudio.builder.builder import Builder
from mechstudio.builder.handles import BodyHandle, CoordinateHandle, FrameHandle, JointHandle
from mechstudio.builder.joints import Stops
from mechstudio.builder.laws import LawOf
from mechstudio.builder.parts import IN_MECHANISM, IN_PROJECT, Part, key_of
from mechstudio.builder.scripts import source
from mechstudio.builder.scripts.source import Source
from mechstudio.model import contact, mechanism, quantity
from mechstudio.model import project as document
from mechstudio.model.geometry import triangles
from mechstudio.model.mechanism import GROUND, Body, Frame
from mechstudio.model.project import Project
from mechstudio.model.quantity import ORIGIN, Quantity

# names that variables must not have: those of the language, of the script and of its imports
TAKEN = {
    *("m", "ms", "project", "result", "bytes", "float"),
    *keyword.kwlist,
    *keyword.softkwlist,
    *(
        name
        for module in (contact, mechanism, document, quantity, triangles)
        for name in vars(module)
    ),
}
Arguments = dict[str, Any]
UNSAID = (None, "", (), False)


class Writing:
    """Lines of a script, and the builder `m` that follows them.

    names: of the elements that lines have named, by id: variables, or expressions such as
    m.bodies["crank"].
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.lines: list[str] = []
        self.names: dict[str, str] = {GROUND: "m.ground"}
        self._structs: set[type] = set()

    def imports(self) -> list[str]:
        """Lines that import what the others name."""
        modules: dict[str, list[str]] = {}
        for struct in self._structs:
            modules.setdefault(struct.__module__, []).append(struct.__name__)
        return [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(modules.items())
        ]

    def space(self) -> None:
        """Write an empty line, where none stands."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def say(self, text: str) -> None:
        """Write a comment in one line."""
        self.lines.append(f"# {''.join(c for c in text if c.isprintable())}")

    def made(self, call: str, given: Mapping[str, Any], to: str) -> None:
        """Write that a variable is what a call makes."""
        self._line(f"{to} = ", source.called(call, *self._arguments((), given)))

    def call(
        self, owner: str, method: Callable[..., Any], *given: Any, to: str = "", **named: Any
    ) -> Any:
        """Call a method of the builder or of a handle, and write the line that does.  owner: its
        object as the script names it; to: variable of the result.
        """
        result = method(*given, **named)
        call = source.called(f"{owner}.{method.__name__}", *self._arguments(given, named))
        self._line(f"{to} = " if to else "", call)
        return result

    def call_with_id(
        self, element: Any, to: str, method: Callable[..., Any], *given: Any, **named: Any
    ) -> Any:
        """The same with a method that makes an element: its id is written where another one comes
        of the name. to: variable of the result, "" for none.
        """
        before, lines = self.builder.project(), len(self.lines)
        result = self.call("m", method, *given, to=to, **named)
        made = result.id if isinstance(result, (BodyHandle, JointHandle)) else result
        if made == element.id:
            return result
        self.restore(before, lines)
        return self.call("m", method, *given, to=to, **named, id=element.id)

    def replace(self, fields: Mapping[str, Any]) -> None:
        """Replace whole fields of the project or its mechanism, and write the line that does."""
        self.builder.replace(**fields)
        for value in fields.values():
            self._structs |= source.structs_of(value)
        given = (source.named(name, source.literal(value)) for name, value in fields.items())
        self._line("", source.called("m.replace", *given))

    def restore(self, project: Project, lines: int) -> None:
        """Go back to an earlier project and number of lines."""
        self.builder.take(project)
        del self.lines[lines:]

    def attempt(self, target: Part, write: Callable[[], object], to: str = "") -> None:
        """Write an element in the builder's words; as it stands in the model where they give
        another one.  to: its variable.
        """
        before, lines = self.builder.project(), len(self.lines)
        try:
            write()
            if is_same(found(self.builder.project(), target), target):
                return
        except (ValueError, KeyError, IndexError):
            pass  # what the builder refuses, the file may hold: it stands as it is
        self.restore(before, lines)
        self.call("m", self.builder.add, target)
        if to:
            place = f"m.{IN_MECHANISM[type(target)]}[{source.flat(source.text(key_of(target)))}]"
            self.lines.append(f"{to} = {place}")

    def name(self, id: str) -> str:
        """A new variable for an element."""
        stem = id if id.isidentifier() else "element"
        name, k = stem, 2
        while name in TAKEN or name in self.names.values():
            name, k = f"{stem}_{k}", k + 1
        self.names[id] = name
        return name

    # handles

    def body(self, id: str) -> BodyHandle:
        """Handle of a body, or of the ground."""
        return self.builder.ground if id == GROUND else self.builder.bodies[id]

    def frame(self, frame: Frame) -> FrameHandle:
        """Handle of a frame."""
        placement = frame.placement
        return self.body(frame.body).frame(
            frame.point, at=row(placement.position), angles=row(placement.orientation)
        )

    def coordinate(self, joint: str, coordinate: int) -> CoordinateHandle:
        """Handle of a joint coordinate."""
        return self.builder.joints[joint][coordinate]

    # source

    def _line(self, before: str, call: Source) -> None:
        self.lines.append(before + source.laid_out(call, 0, len(before)))

    def _arguments(self, given: Iterable[Any], named: Mapping[str, Any]) -> list[Source]:
        return [
            *map(self._source, given),
            *(source.named(name, self._source(value)) for name, value in named.items()),
        ]

    def _source(self, value: Any) -> Source:
        """Source of an argument."""
        match value:
            case BodyHandle():
                return self._named(value.id, "bodies")
            case JointHandle():
                return self._named(value.id, "joints")
            case CoordinateHandle():
                return f"{self._named(value.id, 'joints')}[{value.coordinate}]"
            case FrameHandle():
                placement = value.frame.placement
                given = unusual(at=point(placement.position), angles=point(placement.orientation))
                at = (value.frame.point,) if value.frame.point else ()
                owner = self._named(value.body.id, "bodies")
                return source.called(f"{owner}.frame", *self._arguments(at, given))
            case Stops():
                lower, upper, *_ = value
                usual = Stops(None, None, 0, None, 0, 0)._asdict()
                rest = {k: v for k, v in value._asdict().items() if v != usual[k]}
                rest = {k: v for k, v in rest.items() if k not in ("lower", "upper")}
                if not rest:
                    return source.row([self._source(lower), self._source(upper)])
                return source.called("ms.limit", *self._arguments((lower, upper), rest))
            case LawOf():
                words = unusual(text=value.text, between=value.between)
                given = {**value.numbers, **words}
                return source.called("ms.law", *self._arguments((value.type, *value.points), given))
            case float():
                return source.number(value)
            case tuple():
                return source.row([self._source(each) for each in value])
            case dict():
                return source.table({key: self._source(each) for key, each in value.items()})
            case _:
                self._structs |= source.structs_of(value)
                return source.literal(value)

    def _named(self, id: str, section: str) -> str:
        return self.names.get(id) or f"m.{section}[{source.flat(source.text(id))}]"


def found(project: Project, part: Part) -> Any:
    """The part of a project that stands where another one would."""
    kind = type(part)
    if isinstance(part, Body) and part.id == GROUND:
        return project.mechanism.ground
    owner: Any = project.mechanism if kind in IN_MECHANISM else project
    held = getattr(owner, (IN_MECHANISM | IN_PROJECT)[kind])
    if isinstance(held, Mapping):
        return held.get(key_of(part))
    if isinstance(held, tuple):
        return next((other for other in held if key_of(other) == key_of(part)), None)
    return held


def is_same(a: Any, b: Any) -> bool:
    """True if two parts are the same to the last bit."""
    return bool(a == b) and msgspec.json.encode(a) == msgspec.json.encode(b)


def unusual(usual: Mapping[str, Any] | None = None, /, **given: Any) -> Arguments:
    """Arguments without those that are as usual: as in `usual`, or else nothing."""
    return {
        name: value
        for name, value in given.items()
        if (value != usual[name] if usual and name in usual else value not in UNSAID)
    }


def number(q: Quantity) -> float | str:
    """A number as typed, or its value."""
    return q.text or q.value


def maybe(q: Quantity | None) -> float | str | None:
    """The same of a number that may not be there."""
    return None if q is None else number(q)


def row(quantities: Iterable[Quantity]) -> tuple[float | str, ...]:
    """Numbers of a row."""
    return tuple(map(number, quantities))


def point(quantities: tuple[Quantity, ...]) -> tuple[float | str, ...] | None:
    """Three numbers, None for the origin."""
    return None if quantities == ORIGIN else row(quantities)
