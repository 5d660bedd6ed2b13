"""XML of other programs, read without entities and within bounds, and written.

A document type declaration is refused before anything of it is read, so that no entity can grow or
reach out; depth, elements, text and numbers are bounded.
"""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from mechstudio.model.naming import quoted
from mechstudio.translation import tr

LARGEST_FILE = 64_000_000  # bytes
DEEPEST = 200  # elements in elements
MOST_ELEMENTS = 200_000
LARGEST_NUMBER = 1e12
MOST_NUMBERS = 3_000_000  # of one attribute


class ExchangeError(Exception):
    """Reason why a file of another program is not read or written, in sentences for the user."""


class Node:
    """One element.  tag: its name; attributes: by name; children: in order; line: in its file.
    texts: what stands between them.
    """

    __slots__ = ("attributes", "children", "line", "tag", "texts")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag, self.attributes, self.line = tag, attributes, line
        self.children: list[Node] = []
        self.texts: list[str] = []

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or the default."""
        return self.attributes.get(name, default)

    def all(self, *tags: str) -> list["Node"]:
        """Children with one of the names."""
        return [c for c in self.children if c.tag in tags]

    def first(self, tag: str) -> "Node | None":
        """The first child with a name."""
        return next((c for c in self.children if c.tag == tag), None)

    def walk(self) -> Iterator["Node"]:
        """The element and all below it, in the order of the file."""
        left = [self]
        while left:
            node = left.pop()
            yield node
            left += node.children[::-1]

    @property
    def title(self) -> str:
        """Name in a sentence."""
        name = self.get("name")
        return f"{self.tag} {quoted(name)}" if name else self.tag


class _Reader:
    """Handlers of one parser."""

    def __init__(self, name: str) -> None:
        self.name, self.root = name, None
        self.path: list[Node] = []
        self.count = 0
        self.parser: Any = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse_declaration
        self.parser.EntityDeclHandler = self.refuse_declaration

    root: Node | None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise ExchangeError(
                tr(
                    "{name} has more than {most} elements, which no mechanism needs.",
                    name=self.name,
                    most=MOST_ELEMENTS,
                )
            )
        if len(self.path) >= DEEPEST:
            raise ExchangeError(
                tr(
                    "{name} nests its elements more than {deepest} deep.",
                    name=self.name,
                    deepest=DEEPEST,
                )
            )
        node = Node(tag, attributes, self.parser.CurrentLineNumber)
        if self.path:
            self.path[-1].children.append(node)
        else:
            self.root = node
        self.path.append(node)

    def text(self, text: str) -> None:
        if self.path and text.strip():
            self.path[-1].texts.append(text)

    def end(self, tag: str) -> None:
        self.path.pop()

    def refuse_declaration(self, *_: object) -> None:
        raise ExchangeError(
            tr(
                "{name} declares a document type or entities, which are not read, since they can "
                "reach for other files. Remove its DOCTYPE.",
                name=self.name,
            )
        )


def read_bytes(path: str | Path) -> bytes:
    """The content of a file.  Raises ExchangeError."""
    path = Path(path)
    try:
        if not path.is_file():
            raise ExchangeError(tr("There is no file {path}.", path=quoted(str(path), 300)))
        if path.stat().st_size > LARGEST_FILE:
            raise ExchangeError(
                tr(
                    "{path} has {size:.0f} MB, and at most {largest:.0f} MB are read.",
                    path=quoted(path.name),
                    size=path.stat().st_size / 1e6,
                    largest=LARGEST_FILE / 1e6,
                )
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise ExchangeError(
            tr(
                "{path} could not be read: {reason}.",
                path=quoted(path.name),
                reason=getattr(error, "strerror", None) or error,
            )
        ) from None


def parsed(data: bytes, name: str) -> Node:
    """Root element of an XML text.  Raises ExchangeError."""
    name = quoted(name)
    reader = _Reader(name)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ExchangeError(
            tr(
                "{name} is no sound XML: {reason}, line {line}.",
                name=name,
                reason=expat.ErrorString(error.code),
                line=error.lineno,
            )
        ) from None
    except (UnicodeError, LookupError, ValueError) as error:
        raise ExchangeError(
            tr(
                "{name} is written in an encoding that is not read ({error}).",
                name=name,
                error=error,
            )
        ) from None
    if reader.root is None:
        raise ExchangeError(tr("{name} has no element.", name=name))
    return reader.root


def fault(node: Node, text: str) -> ExchangeError:
    """An error that names the element and its line."""
    return ExchangeError(
        tr("{title}, line {line}: {text}", title=node.title, line=node.line, text=text)
    )


def number(node: Node, name: str, default: float, largest: float = LARGEST_NUMBER) -> float:
    """An attribute that is one number.  Raises ExchangeError."""
    found = numbers(node, name, largest=largest)
    if not found:
        return default
    if len(found) != 1:
        raise fault(node, tr("{name} has {count} numbers, not one.", name=name, count=len(found)))
    return found[0]


def numbers(node: Node, name: str, count: int = 0, largest: float = LARGEST_NUMBER) -> list[float]:
    """Numbers of an attribute, [] where it is not there.  count: how many there must be, 0 for any.
    Raises ExchangeError for what is no number, not finite or too large.
    """
    text = node.attributes.get(name)
    if text is None:
        return []
    words = text.split()
    if len(words) > MOST_NUMBERS:
        raise fault(node, tr("{name} has too many numbers.", name=name))
    out: list[float] = []
    for word in words:
        try:
            value = float(word)
        except ValueError:
            raise fault(
                node, tr("{name} is {word}, which is no number.", name=name, word=quoted(word))
            ) from None
        if not math.isfinite(value) or abs(value) > largest:
            raise fault(
                node,
                tr("{name} is {word}, which no mechanism can have.", name=name, word=quoted(word)),
            )
        out.append(value)
    if count and len(out) != count:
        raise fault(
            node,
            tr("{name} has {found} numbers, not {count}.", name=name, found=len(out), count=count),
        )
    return out


# writing


def text_of(*numbers: float) -> str:
    """Numbers as attributes have them, so that they are read back bit by bit."""
    return " ".join(
        str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x)) for x in numbers
    )


def unused(name: str, taken: set[str]) -> str:
    """A name with as many underscores behind it as make it new; taken has it from now on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """A child with attributes: tuples of numbers are written in a row, empty texts and None left
    out.
    """
    known: dict[str, str] = {}
    for name, value in attributes.items():
        key = name.rstrip("_")
        if value is None or value == "":
            continue
        if isinstance(value, bool):
            known[key] = str(value).lower()
        elif isinstance(value, int | float):
            known[key] = text_of(value)
        elif isinstance(value, str):
            known[key] = shown(value)
        else:
            known[key] = text_of(*value)  # type: ignore[misc]
    return ET.SubElement(parent, tag, known)


def shown(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(
        c
        for c in text
        if c in "\t\n"
        or (c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and ord(c) not in (0xFFFE, 0xFFFF))
    )


def written(root: ET.Element, head: list[str]) -> bytes:
    """A file of an element, with lines before it as a comment."""
    ET.indent(root, "  ")
    body = ET.tostring(root, encoding="unicode")
    # a comment must not hold two hyphens in a row, nor end with one
    lines = [re.sub("-(?=-)", "- ", shown(line)).rstrip("-") for line in head]
    comment = "<!--\n" + "".join(f"  {line}\n" for line in lines) + "-->\n" if lines else ""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{body}\n'.encode()
