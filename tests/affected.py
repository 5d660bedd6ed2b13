"""Choice of the tests next to a change, for `pytest --affected`.

A changed module selects the test files of the folder that mirrors its own and those that import it
directly; a changed test file selects itself, a helper of the tests those that import it, and a
conftest.py its folder.  Tests farther away are not chosen: the whole suite runs before a change is
accepted.
"""

import ast
import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

ALWAYS = ("tests/test_floors.py", "tests/test_docstrings.py")
# folders beside the package, and the tests of what they hold
BESIDE = {
    "samples": "tests/samples",
    "resources/help": "tests/test_help.py",
    "README.md": "tests/test_help.py",
    "packaging": "tests/test_packaging.py",
    "pyproject.toml": "tests/test_packaging.py",
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


def affected_tests(root: Path, changed: Iterable[str]) -> set[str]:
    """Test files to run for changed paths, relative to the root with slashes."""
    files = {p.relative_to(root).as_posix(): p for p in sorted((root / "tests").rglob("*.py"))}
    tests = {path for path in files if PurePosixPath(path).name.startswith("test_")}
    imports = {path: imported(files[path].read_text("utf-8")) for path in files}
    chosen = set(ALWAYS)
    for path in map(PurePosixPath, changed):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if path.parts[0] == "mechstudio" and path.suffix == ".py":
            folder = PurePosixPath("tests", *path.parent.parts[1:])
            chosen |= {t for t in tests if PurePosixPath(t).parent == folder and folder.name}
            chosen |= {t for t in tests if name in imports[t]}
        elif str(path) in tests:
            chosen.add(str(path))
        elif path.parts[0] == "tests" and path.name == "conftest.py":
            chosen |= {t for t in tests if path.parent in PurePosixPath(t).parents}
        elif path.parts[0] == "tests" and path.suffix == ".py":
            chosen |= {t for t in tests if name in imports[t]}
        else:
            places = [to for by, to in BESIDE.items() if PurePosixPath(by) in (path, *path.parents)]
            chosen |= {t for t in tests for to in places if t == to or t.startswith(f"{to}/")}
    return chosen & tests
