"""Make the catalogues of everything that the program shows, for translators.

    python packaging/catalogue.py
        write mechstudio/locale/mechstudio.pot from the sources, samples.pot from the lessons of
        the samples, help.pot from the pages of the manual, and bring every .po up to them
    python packaging/catalogue.py compile
        write a .mo beside every .po of mechstudio/locale

Needs Babel and what the tests need.  The catalogue of the program takes the first argument of every
`tr`, the first two of every `trn`, and what fields and constants annotated as `Words` hold.

A .po has the messages of its .pot in the same order: a new sentence stands there without a
translation, one that is gone is dropped, and nothing is guessed.  Conflicts of a merge in any of
these files are solved by making them again, which takes the translations of both sides.
"""

import ast
import functools
import gc
import importlib
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ForwardRef, get_args, get_origin

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "mechstudio"
LOCALE = SOURCE / "locale"
PAGES = ROOT / "resources" / "help"
POT, LESSONS, MANUAL = (LOCALE / f"{name}.pot" for name in ("mechstudio", "samples", "help"))
WORDS = ("words",)  # metadata of translation.Words
LETTERS = re.compile(r"[^\W\d_]{2}")  # what has none of these needs no translation
# runs a process when it is imported
LEFT_OUT = "mechstudio.worker.__main__"

Key = str | tuple[str, str]

# without dates and without the version of Babel: the same sources make the same file everywhere
POT_HEADER = """\
# {title}
msgid ""
msgstr ""
"Project-Id-Version: mechstudio\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
PO_HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
PLURALS = re.compile(r'^"Plural-Forms: (.*)\\n"$', re.MULTILINE)
CALL = re.compile(r"\btrn?\(")
# a place where two branches differ, with the lines of either: as git leaves it after a merge
CONFLICT = re.compile(
    r"^<{7}[^\n]*\n(.*?)(?:^\|{7}[^\n]*\n.*?)?^={7}\n(.*?)^>{7}[^\n]*\n", re.DOTALL | re.MULTILINE
)


def literal(node: ast.expr) -> str | None:
    """The text of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@functools.cache
def calls(source: str) -> tuple[tuple[ast.Call, int], ...]:
    """Every call of tr or trn in a module, with the number of its texts."""
    # half of the modules have none
    return tuple(calls_in(ast.parse(source))) if CALL.search(source) else ()


def calls_in(tree: ast.Module) -> Iterator[tuple[ast.Call, int]]:
    """Every call of tr or trn in a tree, with the number of its texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = {"tr": 1, "trn": 2}.get(node.func.id)
            if texts:
                yield node, texts


def sources() -> list[Path]:
    """Every module of the package but the one that looks words up."""
    return sorted(p for p in SOURCE.rglob("*.py") if p.name != "translation.py")


def sentences() -> set[Key]:
    """Messages of the calls of tr and trn."""
    out: set[Key] = set()
    for path in sources():
        for call, count in calls(path.read_text("utf-8")):
            texts = [literal(a) for a in call.args[:count]]
            if count == 2 and None not in texts:
                out.add((str(texts[0]), str(texts[1])))
            elif texts[0]:
                out.add(texts[0])
    return out


def modules() -> list[ModuleType]:
    """Every module of the package, imported."""
    names = (
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for p in sources()
    )
    return [importlib.import_module(name) for name in names if name != LEFT_OUT]


def _annotated(hint: Any, value: Any) -> Iterator[str]:
    """Texts of a value where its annotation says Words."""
    origin, inside = get_origin(hint), get_args(hint)
    if getattr(hint, "__metadata__", None) == WORDS or (
        origin is Annotated and inside[1:] == WORDS
    ):
        if isinstance(value, str):
            yield value
    elif origin is tuple and isinstance(value, tuple):
        hints = inside[:1] * len(value) if inside[1:] == (...,) else inside
        for h, v in zip(hints, value):
            yield from _annotated(h, v)
    elif isinstance(value, Mapping) and len(inside) == 2:
        for k, v in value.items():
            yield from _annotated(inside[0], k)
            yield from _annotated(inside[1], v)
    else:
        for h in inside:
            yield from _annotated(h, value)


def _hints(thing: ModuleType | type) -> dict[str, Any]:
    """Annotations of a module or class that mention Words, by name."""
    found: dict[str, Any] = {}
    for kind in reversed(thing.__mro__) if isinstance(thing, type) else [thing]:
        module = thing if isinstance(kind, ModuleType) else sys.modules.get(kind.__module__)
        if module is None:
            continue  # of a library that makes its classes itself
        for name, hint in vars(kind).get("__annotations__", {}).items():
            if "Words" in str(hint) or WORDS[0] in str(hint):
                # named tuples wrap what stands as a text
                text = hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint
                found[name] = eval(text, vars(module)) if isinstance(text, str) else hint
    return found


def words() -> set[str]:
    """Messages that rows, tables and constants of the package hold."""
    out: set[str] = set()
    seen: set[int] = set()

    def walk(value: Any) -> None:
        if id(value) in seen or isinstance(value, str | int | float | ModuleType):
            return
        seen.add(id(value))
        if isinstance(value, Mapping):
            for v in (*value.keys(), *value.values()):
                walk(v)
        elif isinstance(value, list | set | frozenset) or type(value) is tuple:
            for v in value:
                walk(v)
        elif type(value).__module__.startswith("mechstudio"):
            for name, hint in hints(type(value)).items():
                out.update(_annotated(hint, getattr(value, name, None)))
            for name in getattr(type(value), "__annotations__", {}):
                walk(getattr(value, name, None))

    cache: dict[type, dict[str, Any]] = {}

    def hints(kind: type) -> dict[str, Any]:
        if kind not in cache:
            cache[kind] = _hints(kind)
        return cache[kind]

    for module in modules():
        for name, hint in _hints(module).items():
            out.update(_annotated(hint, getattr(module, name, None)))
        for value in list(vars(module).values()):
            walk(value)
    return out


def messages(words: set[str]) -> list[Key]:
    """Every message of the program in a fixed order; plurals as (singular, plural).

    words: those that rows, tables and constants hold.
    """
    found = {k for k in sentences() | words if LETTERS.search(k if isinstance(k, str) else k[0])}
    plural = {k[0] for k in found if not isinstance(k, str)}
    return sorted(found - plural, key=str)


def lessons() -> list[Key]:
    """Every text of the lessons of the samples, in the order of the files and of each lesson."""
    from mechstudio.application.lessons.words import texts
    from mechstudio.files.project_file import load

    found: dict[str, None] = {}
    for path in sorted((ROOT / "samples").glob("*.mech")):
        found |= dict.fromkeys(texts(load(path).project))
    return list(found)


def paragraphs(folder: Path = PAGES) -> list[Key]:
    """Every block of the translated pages of the manual, in their order."""
    from mechstudio.application.help.blocks import texts
    from mechstudio.application.help.pages import translated_pages

    found: dict[str, None] = {}
    for page in translated_pages():
        found |= dict.fromkeys(texts((folder / f"{page}.md").read_text("utf-8")))
    return list(found)


def template(keys: Iterable[Key], title: str) -> str:
    """The text of a .pot file."""
    out = Catalog()
    for key in keys:
        out.add(key)
    return POT_HEADER.format(title=title) + _entries(out)


def _entries(catalog: Catalog) -> str:
    """The entries of a catalogue as text, without its header."""
    text = io.BytesIO()
    write_po(text, catalog, width=100, sort_output=False, omit_header=True)
    return text.getvalue().decode("utf-8")


def catalogue(words: set[str]) -> str:
    """The text of mechstudio.pot.  words: those that rows, tables and constants hold."""
    return template(messages(words), "Everything that mechstudio shows, in English.")


def lesson_catalogue() -> str:
    """The text of samples.pot."""
    return template(lessons(), "The lessons of the samples of mechstudio, in English.")


def manual_catalogue() -> str:
    """The text of help.pot."""
    return template(paragraphs(), "The manual of mechstudio, in English.")


def _key(message: Message) -> Key:
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def translations(text: str) -> dict[Key, Any]:
    """Translations of a .po by message; those of both sides where a merge left conflicts."""
    found: dict[Key, Any] = {}
    for side in (r"\1", r"\2"):
        catalog = read_po(io.StringIO(CONFLICT.sub(side, text)))
        found |= {_key(m): m.string for m in catalog if m.id and m.string and any(m.string)}
    return found


def updated(text: str, pot: str, language: str) -> str:
    """A .po brought up to its .pot.

    text: the .po as it is, "" for a new one.  language: its code, such as "fr" or "zh_CN".
    """
    known = translations(text)
    # translators have written as many forms as their file says, whatever Babel says by now
    stands = PLURALS.search(text)
    plurals = stands[1] if stands else Catalog(locale=language).plural_forms
    header = PO_HEADER.format(language=language, plurals=plurals)
    out = read_po(io.StringIO(header))
    for message in read_po(io.StringIO(pot)):
        if message.id:
            out.add(message.id, known.get(_key(message)))
    return header + _entries(out)


def update_all() -> None:
    """Write the .pot files, and every .po of the languages that there are."""
    LOCALE.mkdir(exist_ok=True)
    made = ((POT, catalogue(words())), (LESSONS, lesson_catalogue()), (MANUAL, manual_catalogue()))
    for pot, text in made:
        pot.write_text(text, "utf-8")
        for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
            path = folder / f"{pot.stem}.po"
            before = path.read_text("utf-8") if path.exists() else ""
            path.write_text(updated(before, text, folder.parent.name), "utf-8")


def compile_all() -> None:
    """Write a .mo beside every .po."""
    for path in SOURCE.glob("locale/*/LC_MESSAGES/*.po"):
        with path.open("rb") as file, path.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(file))


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        compile_all()
    elif not arguments:
        update_all()
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    gc.disable()  # syntax trees are no garbage: looking for some takes most of the time
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
