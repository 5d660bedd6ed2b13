"""Choice of the tests next to a change, for `pytest --affected`, the nearest first.

A changed module selects the test files of the folder that mirrors its own, or of the nearest folder
above that one, and those that import it directly; a changed test file selects itself, a helper of
the tests those that import it, and a conftest.py its folder.  Tests farther away are not chosen:
the whole suite runs before a change is accepted.
"""

import ast
import itertools
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

ALWAYS = ("tests/house/test_floors.py", "tests/house/test_docstrings.py")
LAST = 3  # their distance, after all others
# floors whose tests stand in another one's folder
MIRRORED = {"builder": "api"}
# folders beside the package, and the tests of their content
BESIDE = {
    "samples": "tests/samples",
    "resources/help": "tests/house/test_help.py",
    "README.md": "tests/house/test_help.py",
    "packaging": "tests/house/test_packaging.py",
    "tests/approved": "tests/approved",
    "pyproject.toml": "tests/house/test_packaging.py",
}


def changed_files(root: Path, revision: str) -> list[str]:
    """Paths that differ from a revision, new ones included.  Raises CalledProcessError."""

    def git(*arguments: str) -> list[str]:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split(
            "\n"
        )

    found = git("diff", "--name-only", "--relative", revision)
    found += git("ls-files", "--others", "--exclude-standard")
    return [path for path in found if path]


def imported(source: str) -> set[str]:
    """Modules and names that a file imports, dotted."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def affected_tests(root: Path, changed: Iterable[str]) -> list[str]:
    """Test files to run for changed paths, relative to the root with slashes: those named
    after a changed file or changed themselves, the others by distance, then those that always run.
    """
    files = {p.relative_to(root).as_posix(): p for p in sorted((root / "tests").rglob("*.py"))}
    tests = {path for path in files if PurePosixPath(path).name.startswith("test_")}
    imports = {path: imported(files[path].read_text("utf-8")) for path in files}
    chosen = {test: (LAST, 0) for test in ALWAYS}
    for path in map(PurePosixPath, changed):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if path.parts[0] == "mechstudio" and path.suffix == ".py":
            found = _mirrored(path, tests) | {t for t in tests if name in imports[t]}
        elif str(path) in tests:
            found = {str(path)}
        elif path.parts[0] == "tests" and path.name == "conftest.py":
            found = {t for t in tests if path.parent in PurePosixPath(t).parents}
        elif path.parts[0] == "tests" and path.suffix == ".py":
            found = {t for t in tests if name in imports[t]}
        else:
            places = [to for by, to in BESIDE.items() if PurePosixPath(by) in (path, *path.parents)]
            found = {t for t in tests for to in places if t == to or t.startswith(f"{to}/")}
        for test in found:
            near = _distance(PurePosixPath(test), path)
            chosen[test] = min(near, chosen.get(test, near))
    return [test for test in sorted(chosen, key=lambda t: (chosen[t], t)) if test in tests]


def _mirrored(path: PurePosixPath, tests: set[str]) -> set[str]:
    """Test files of the folder that mirrors a module's, or of the nearest one above it that has
    some; those beside all floors belong to none.
    """
    parts = path.with_suffix("").parts[1:]
    floor = MIRRORED.get(parts[0], parts[0])
    for depth in range(len(parts), 0, -1):
        folder = PurePosixPath("tests", floor, *parts[1:depth])
        if found := {t for t in tests if PurePosixPath(t).parent == folder}:
            return found
    return set()


def _distance(test: PurePosixPath, path: PurePosixPath) -> tuple[int, int]:
    """Distance of a test file from what it tests: the name of the file first, then that of its
    folder, then folders.
    """
    words = _words(test.stem)
    if test == path or _words(path.stem) <= words:
        named = 0
    else:
        named = 1 if _words(path.parent.name) <= words else 2
    pairs = zip(test.parent.parts[1:], path.parent.parts[1:])
    return named, -sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _words(name: str) -> set[str]:
    """Words of a name, one or many of a thing alike."""
    return {word.rstrip("s") for word in name.split("_")}


class Minute:
    """Tests of a minute: each file gets its share of the time that is left, and the rest of its
    tests is left to the whole suite, which the summary says.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._path, self._share = None, 0.0
        self.left_out: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        now, items = time.monotonic(), item.session.items
        here = items.index(item)
        if item.path != self._path:
            files = len({each.path for each in items[here:]})
            self._path, self._share = item.path, now + max(0.2, (self._end - now) / files)
        if now > self._share:
            # the next test is what this one takes its fixtures down for
            later = items[here + 2 :]
            rest = later if now > self._end else [x for x in later if x.path == self._path]
            self.left_out.update(each.path.name for each in rest)
            del items[here + 2 : here + 2 + len(rest)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            files = ", ".join(f"{name} {count}" for name, count in self.left_out.items() if count)
            terminalreporter.write_line(
                f"{self.left_out.total()} tests were left to the whole suite: {files}"
            )
