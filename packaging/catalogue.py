"""Make the catalogue of everything that the program shows, for translators.

    python packaging/catalogue.py
        write mechstudio/locale/mechstudio.pot from the sources
    python packaging/catalogue.py compile
        write a .mo beside every .po of mechstudio/locale

Needs Babel and what the tests need.  The catalogue takes the first argument of every `tr`, the
first two of every `trn`, and what fields and constants annotated as `Words` hold.
"""

import ast
import importlib
import io
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ForwardRef, get_args, get_origin

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "mechstudio"
POT = SOURCE / "locale" / "mechstudio.pot"
WORDS = ("words",)  # metadata of translation.Words
LETTERS = re.compile(r"[^\W\d_]{2}")  # what has none of these needs no translation
# runs a process when it is imported
LEFT_OUT = "mechstudio.worker.__main__"
# the same sources make the same file
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)

Key = str | tuple[str, str]


def literal(node: ast.expr) -> str | None:
    """The text of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, int]]:
    """Every call of tr or trn, with the number of its texts."""
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
        for call, count in calls(ast.parse(path.read_text("utf-8"))):
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


def words() -> set[Key]:
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
    return set(out)


def messages() -> list[Key]:
    """Every message of the program in a fixed order; plurals as (singular, plural)."""
    found = {k for k in sentences() | words() if LETTERS.search(k if isinstance(k, str) else k[0])}
    plural = {k[0] for k in found if not isinstance(k, str)}
    return sorted(found - plural, key=str)


def catalogue() -> str:
    """The text of the .pot file."""
    out = Catalog(project="mechstudio", creation_date=NO_DATE, charset="utf-8", fuzzy=False)
    out.header_comment = "# Everything that mechstudio shows, in English."
    for key in messages():
        out.add(key)
    text = io.BytesIO()
    write_po(text, out, width=100, sort_output=False)
    return text.getvalue().decode("utf-8")


def compile_all() -> None:
    """Write a .mo beside every .po."""
    for path in SOURCE.glob("locale/*/LC_MESSAGES/*.po"):
        with path.open("rb") as file, path.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(file))


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        compile_all()
    elif not arguments:
        POT.parent.mkdir(exist_ok=True)
        POT.write_text(catalogue(), "utf-8")
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
