"""Record of the tests that reach a place of the program, for `tests/mutation.py`: a mark is put in
front of the place, and the whole suite runs once.  A plugin of pytest says which test runs.

A mark in a process that was started for one test and serves others too counts for the one that runs
when it is passed.  Compiled code carries no marks.
"""

import ast
import mmap
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.affected import imported

RUNNING = "MECHSTUDIO_RUNNING_TEST"  # the file with the name of the test that runs
WIDTH = 1024  # bytes of that name
MODULE = "mechstudio/reached.py"  # where the marks report to, in the copy only
SOURCE = '''\
"""Marks in front of places of the program; each tells once by which test it is passed."""

import mmap
import os

folder = {folder!r}
seen = set()
running = None


def passed(number):
    """Write down the test that runs, if one does."""
    global running
    if {running!r} not in os.environ:
        return  # what compiles the solver before the tests
    if running is None:
        with open(os.environ[{running!r}], "rb") as file:
            running = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    key = number, running[:]
    if key not in seen:
        seen.add(key)
        test = key[1].rstrip(b"\\0").decode()
        with open(os.path.join(folder, str(os.getpid())), "a") as file:
            file.write(f"{{number}}\\t{{test}}\\n")
'''


# the plugin


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Give the name of the test that runs to the processes that it starts."""
    handle, path = tempfile.mkstemp(prefix="mechstudio-running-")
    os.ftruncate(handle, WIDTH)
    os.environ[RUNNING] = path
    config.stash[_NAME] = mmap.mmap(handle, WIDTH)


_NAME = pytest.StashKey[mmap.mmap]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """Write the name of the test before it runs."""
    item.config.stash[_NAME][:] = item.nodeid.encode()[:WIDTH].ljust(WIDTH, b"\0")
    return (yield)


# places


def places(root: Path, path: str, line: int) -> dict[str, set[int]]:
    """Lines before which a mark goes, by file: the statement of a function in which a line stands;
    for a line outside functions the beginnings of those that name what it defines, in its module
    and in those that import it.
    """
    if statement := inside(root, path, line):
        return {path: {_statement(statement, line)}}
    tree = ast.parse((root / path).read_text("utf-8"))
    around = [node for node in ast.walk(tree) if _holds(node, line)]
    names = {
        node.id
        for statement in around
        if isinstance(statement, ast.stmt)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names |= {
        node.name
        for node in around
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }
    module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
    found = {path: set(_beginnings(tree, names))}
    for file in sorted((root / "mechstudio").rglob("*.py")):
        text = file.read_text("utf-8")
        if module in imported(text) or module.rpartition(".")[0] in imported(text):
            found[file.relative_to(root).as_posix()] = set(_beginnings(ast.parse(text), names))
    return found


def inside(root: Path, path: str, line: int) -> ast.stmt | None:
    """The statement in the body of the innermost function that holds a line, if one does."""
    tree = ast.parse((root / path).read_text("utf-8"))
    found = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in function.body
        if _first(node) <= line <= (node.end_lineno or node.lineno)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


def _holds(node: ast.AST, line: int) -> bool:
    """True if a line stands in a node of the syntax tree."""
    first, last = getattr(node, "lineno", line + 1), getattr(node, "end_lineno", None)
    return first <= line <= (last or first)


def _statement(statement: ast.stmt, line: int) -> int:
    """Line of the innermost statement that holds a line and that another one can precede."""
    found = [
        _first(node)
        for parent in ast.walk(statement)
        for block in _blocks(parent)
        for node in block
        if _first(node) <= line <= (node.end_lineno or line) and _precedable(parent, node)
    ]
    return max([_first(statement), *found])


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and not isinstance(node, ast.Lambda):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _precedable(parent: ast.AST, node: ast.stmt) -> bool:
    """False for an `elif`, and for what stands in the line of what it belongs to."""
    is_elif = (
        isinstance(parent, ast.If)
        and parent.orelse == [node]
        and isinstance(node, ast.If)
        and node.col_offset == parent.col_offset
    )
    return not is_elif and node.lineno > getattr(parent, "lineno", 0)


def _first(node: ast.stmt) -> int:
    """First line of a statement, that of its first decorator where it has some."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _beginnings(tree: ast.AST, names: set[str]) -> Iterator[int]:
    """First lines of the bodies of the functions that use one of the names."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        used |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if used & names and body and body[0].lineno > node.lineno:
            yield _first(body[0])


def marked(text: str, marks: dict[int, set[int]]) -> str:
    """A source with marks, by the line before which they go."""
    lines = text.split("\n")
    for line in sorted(marks, reverse=True):
        indent = re.match(r"\s*", lines[line - 1])[0]  # type: ignore
        for number in sorted(marks[line]):
            lines.insert(
                line - 1, f"{indent}__import__('mechstudio.reached').reached.passed({number})"
            )
    return "\n".join(lines)


def read(folder: Path) -> dict[int, list[str]]:
    """Tests by the numbers of the marks that they pass, each once."""
    found: dict[int, dict[str, None]] = {}
    for path in sorted(folder.iterdir()):
        for row in path.read_text("utf-8").splitlines():
            number, _, test = row.partition("\t")
            found.setdefault(int(number), {})[test] = None
    return {number: list(tests) for number, tests in found.items()}
