"""Check of the tests themselves: faults of one token, planted in a throw-away copy, one at a time.

    python -m tests.mutation [--faults 40] [--seed 1] [--limit 300] [--table FILE]
    python -m tests.mutation --again FILE       the survivors of a table once more

Run by hand, for an hour or two, at low priority beside other work too, since the CPU time of the
tests counts; with a table it goes on where it was stopped.  Each floor gets as many faults as the
next, and within a floor each kind is as likely; another order of what is symmetric is no fault, nor
is a check of lengths less.  The whole suite runs once with a mark in front of each place, and tells
which tests reach it; these run, the nearest first (`rings`), until one fails or the time is over.
A test that fails counts if it fails by itself too, and passes without the fault.  The table says
for each fault: its place, what was changed, and the test that found it, or that it survived.  A
survivor that changes nothing anybody could see goes into EQUIVALENT with its reason.
"""

import argparse
import ast
import contextlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from mechstudio.folders import cache_folder
from mechstudio.virtual_screen import has_screen, virtual_screen
from tests.affected import ALWAYS, affected_tests
from tests.reached import MODULE, RUNNING, SOURCE, inside, marked, places, read

ROOT = Path(__file__).parents[1]
# the floors of which each gets its share, by their folders or modules
FLOORS = (
    ("model",),
    ("engine",),
    ("symbolic",),
    ("files",),
    ("protocol", "worker"),
    ("application",),
    ("view",),
    ("builder", "cli", "api"),
)
CASES = 3  # cases of a test that run before all tests of its file
HANG = 600  # [s] after which a single test counts as one that never ends, at low priority too
COMPILING = 150.0  # CPU seconds more for faults in kernels, which are compiled again
APPROVED = "tests/approved/test_*.py"
# the whole suite, by the Python that runs this
PARTS = "import sys; import dev; dev.PYTHON = sys.executable; dev.run_parts()"
HELP = "tests/house/test_help.py"  # holds the signatures of the API
COMPILED = (
    "mechstudio/engine/kernels/",
    "mechstudio/engine/contacts/",
    "mechstudio/model/types/force_laws.py",
)
LOOK = 2.0  # [s] between two checks of the progress of the tests
# survivors that no test can find, by file, line before and line after; the reason is a sentence
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "mechstudio/cli/plot.py",
        '"Table of {count} rows written to {csv}", count=len(table[0].values), csv=options.csv',
        '"Table of {count} rows written to {csv}", count=len(table[1].values), csv=options.csv',
    ): "All columns of a table have as many rows.",
    (
        "mechstudio/files/exchange/urdf/reading.py",
        "Quantity(low) if low > -1e5 else None,",
        "Quantity(low) if low >= -1e5 else None,",
    ): "A stop that is that far away to the last bit may be there or not.",
    (
        "mechstudio/application/tools/handles/handle_places.py",
        'rank = 0 if small else 2 if handle.kind == "area" else 1 if gap <= ON * scale else 3',
        'rank = 0 if small else 2 if handle.kind == "area" else 1 if gap < ON * scale else 3',
    ): "A pointer that is off by just that width may take the handle or not.",
    (
        "mechstudio/cli/mesh.py",
        "center = [format_number(0.0 if abs(c) < 1e-12 else c * 1e3) for c in known.center]",
        "center = [format_number(0.0 if abs(c) <= 1e-12 else c * 1e3) for c in known.center]",
    ): "No centre of a mesh in doubles is off by this number to the last bit.",
    (
        "mechstudio/protocol/client.py",
        "self._waiting_until = self._pending_at = 0.0",
        "self._waiting_until = self._pending_at = 1.0",
    ): "The clock, that of the machine, is far past a second.",
    (
        "mechstudio/view/study/page.py",
        "grid.setSizes([560, 440])",
        "grid.setSizes([561, 440])",
    ): "Both parts share the room that there is, which moves by less than half a pixel.",
    (
        "mechstudio/view/scene/overlays/free_body_marks.py",
        "FAR = 20000.0  # px: what lies farther out is left out",
        "FAR = 20001.0  # px: what lies farther out is left out",
    ): "No screen is as wide.",
    (
        "mechstudio/application/tools/handles/link_ends.py",
        "if distance(p, ends[k]) <= 1e-6 * m.size()",
        "if distance(p, ends[k]) < 1e-6 * m.size()",
    ): "No distance of two points equals the tolerance to the last bit.",
    (
        "mechstudio/model/geometry/clearance.py",
        "done = upper < math.inf and error <= ENOUGH * (upper + reach)",
        "done = upper < math.inf and error < ENOUGH * (upper + reach)",
    ): "The bound is above zero, and an error that equals it to the last bit takes one more turn.",
    (
        "mechstudio/builder/geometry.py",
        "if abs(degrees - whole) > 1e-10:",
        "if abs(degrees - whole) >= 1e-10:",
    ): "No difference of two angles in doubles near a whole number is this one to the last bit.",
    (
        "mechstudio/model/edits/bodies/stacking.py",
        "if abs(offset - slat.offset) > TOUCH * slat.thickness:",
        "if abs(offset - slat.offset) >= TOUCH * slat.thickness:",
    ): "A slat that is off by the tolerance to the last bit may be moved or not.",
    (
        "mechstudio/engine/checks/elements.py",
        'else tr("{body} only", body=_body_name(mechanism, frames[0].body))',
        'else tr("{body} only", body=_body_name(mechanism, frames[1].body))',
    ): "Both frames are of the one body that the sentence names.",
    (
        "mechstudio/engine/contacts/geometry/shapes.py",
        "small, large = _by_size(ints[:, KIND], numbers[:, BOUND], ints[:, BODY] >= 0)",
        "small, large = _by_size(ints[:, KIND], numbers[:, BOUND], ints[:, BODY] > 0)",
    ): "A mesh of the first body is held against each shape instead of its cells: the same pairs.",
    (
        "mechstudio/files/round_axes.py",
        "if not radius > 0 or max(away, height) > ROUND * radius:",
        "if not radius >= 0 or max(away, height) > ROUND * radius:",
    ): "Points that are apart lie away from their middle, and so by more than a part of nothing.",
    (
        "mechstudio/engine/kernels/loads/bushings.py",
        "return 1.0 / 12.0 + p2 * (1.0 / 720.0 + p2 * (1.0 / 30240.0 + p2 / 1209600.0))",
        "return 1.0 / 12.0 + p2 * (1.0 / 720.0 + p2 * (1.0 / 30240.0 + p2 / 1209601.0))",
    ): "Below p2 = 0.01 the last term changes by less than a tenth of the last bit of the sum.",
}

# functions that take their arguments in any order
SYMMETRIC = {
    *("max", "min", "maximum", "minimum", "hypot", "gcd", "isclose", "allclose"),
    *("dot", "distance"),  # of vectors
}
OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
# of whole numbers, where the bound counts; others are turned round, since no test meets a bound of
# real numbers to the last bit
COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
TURNED = COMPARISONS | {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
}


@dataclass(frozen=True)
class Fault:
    """One token and what stands in its place.

    path: relative to the root; line: its number, from 1; before, after: the whole line.
    """

    path: str
    line: int
    kind: str
    before: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.path}:{self.line} ({self.kind})\n  - {self.before}\n  + {self.after}"


# places


class Source:
    """A file with the ways to change one token of it."""

    def __init__(self, root: Path, path: str) -> None:
        self.path = path
        self.data = (root / path).read_bytes()
        self.starts = [0, *(m.end() for m in re.finditer(rb"\n", self.data))]
        self.tree = ast.parse(self.data)

    def at(self, line: int, column: int) -> int:
        """Byte at which a place of the syntax tree stands."""
        return self.starts[line - 1] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        return (
            self.at(node.lineno, node.col_offset),
            self.at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset),
        )

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str):
        """The exchange of an operator between two operands; None where it is not found."""
        begin, end = self.span(left)[1], self.span(right)[0]
        word = re.escape(old.encode())
        if old.isalpha():
            word = rb"\b" + word + rb"\b"
        found = re.search(word, self.data[begin:end])
        return found and (begin + found.start(), begin + found.end(), new)

    def fault(self, kind: str, begin: int, end: int, new: str) -> Fault | None:
        """A fault out of an exchange of bytes; None where it does not stand in one line."""
        if b"\n" in self.data[begin:end]:
            return None
        line = next(k for k in range(len(self.starts) - 1, -1, -1) if self.starts[k] <= begin)
        start = self.starts[line]
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.data)
        before = self.data[start:stop]
        after = before[: begin - start] + new.encode() + before[end - start :]
        words = before.decode().rstrip("\n"), after.decode().rstrip("\n")
        return Fault(self.path, line + 1, kind, *words)

    def faults(self) -> Iterator[Fault]:
        """Every fault that can be planted."""
        outside = {*_annotations(self.tree), *_checks(self.tree)}
        for node in ast.walk(self.tree):
            if id(node) in outside:
                continue
            for kind, exchange in self._exchanges(node):
                if exchange and (fault := self.fault(kind, *exchange)):
                    yield fault

    def _exchanges(self, node: ast.AST):
        match node:
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                yield "operator", self.between(left, right, *OPERATORS[type(op)])
            case ast.AugAssign(target, op, value) if type(op) in OPERATORS:
                old, new = OPERATORS[type(op)]
                yield "operator", self.between(target, value, f"{old}=", f"{new}=")
            case ast.Compare(left, ops, rights):
                for a, op, b in zip([left, *rights], ops, rights):
                    table = COMPARISONS if _whole(a) or _whole(b) else TURNED
                    if type(op) in table:
                        yield "comparison", self.between(a, b, *table[type(op)])
            case ast.BoolOp(op, values):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                for a, b in itertools.pairwise(values):
                    yield "and/or", self.between(a, b, old, new)
            case ast.UnaryOp(ast.Not(), operand):
                begin, end = self.span(node)[0], self.span(operand)[0]
                kept = self.data[begin + 3 : end].decode().lstrip()
                yield "removed not", (begin, end, kept)
            case ast.Constant(bool() as value):
                yield "True/False", (*self.span(node), str(not value))
            case ast.Constant(int() | float() as value):
                yield "constant", (*self.span(node), repr(value + 1))
            case ast.Call(args=[first, second, *_]) if not (
                isinstance(first, ast.Starred)
                or isinstance(second, ast.Starred)
                or ast.unparse(node.func).rpartition(".")[2] in SYMMETRIC
            ):
                (a, b), (c, d) = self.span(first), self.span(second)
                one, two = self.data[a:b].decode(), self.data[c:d].decode()
                if one != two:
                    yield "swapped arguments", (a, d, two + self.data[b:c].decode() + one)
            case ast.Subscript(slice=place):
                for index in place.elts if isinstance(place, ast.Tuple) else [place]:
                    match index:
                        case ast.Constant(int() as value) if not isinstance(value, bool):
                            yield "index", (*self.span(index), str(value + 1))
                        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                            yield "index", (*self.span(index), str(-value - 1))


def _whole(node: ast.AST) -> bool:
    """True for what is seen to be a whole number: a literal, a length, and sums of these."""
    match node:
        case ast.Constant(value):
            return type(value) is int
        case ast.Call(ast.Name("len")):
            return True
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return _whole(left) or _whole(right)
        case ast.UnaryOp(ast.USub(), operand):
            return _whole(operand)
    return False


def _annotations(tree: ast.AST) -> Iterator[int]:
    """Identities of all nodes in annotations, and of the indices, which are a kind of their own."""
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parts.append(node.returns)
        elif isinstance(node, ast.Subscript):
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for each in index:
                if isinstance(each, ast.Constant):
                    parts.append(each)
                elif isinstance(each, ast.UnaryOp) and isinstance(each.operand, ast.Constant):
                    parts.append(each.operand)
        for part in parts:
            if part is not None:
                yield from map(id, ast.walk(part))


def _checks(tree: ast.AST) -> Iterator[int]:
    """Identities of the `strict=True` of zip, which checks lengths as an assertion does, and of the
    1 in `reshape(-1, …)`, where any negative number says the same.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "zip":
            yield from (id(k.value) for k in node.keywords if ast.unparse(k.value) == "True")
        elif name == "reshape":
            yield from (id(a.operand) for a in node.args if isinstance(a, ast.UnaryOp))


def choose(root: Path, count: int, seed: int) -> list[Fault]:
    """Faults at random, the floors in turn."""
    draw = random.Random(seed)
    places: dict[int, dict[str, list[Fault]]] = {}
    for number, names in enumerate(FLOORS):
        by_kind: dict[str, list[Fault]] = places.setdefault(number, {})
        for name in names:
            top = root / "mechstudio" / name
            for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
                for fault in Source(root, path.relative_to(root).as_posix()).faults():
                    by_kind.setdefault(fault.kind, []).append(fault)
    chosen: list[Fault] = []
    while len(chosen) < count:
        by_kind = places[len(chosen) % len(FLOORS)]
        fault = draw.choice(by_kind[draw.choice(sorted(by_kind))])
        if fault not in chosen:
            chosen.append(fault)
    return chosen


# tests


def rings(root: Path, fault: Fault, reaching: list[str]) -> list[list[str]]:
    """Tests for a fault, the nearest first: some cases of each test that reaches it, then all tests
    of their files, since what one of them made may be looked at by another; for a fault outside
    functions and in compiled code those next to it, and what looks at much.  Classes are read
    without being reached by the tests of what is frozen: these come first for a fault there.
    """
    near = affected_tests(root, [fault.path])
    by_file: dict[str, dict[str, list[str]]] = {}
    for test in reaching:
        file, _, name = test.partition("::")
        by_file.setdefault(file, {}).setdefault(name.partition("[")[0], []).append(test)
    files = sorted(by_file, key=lambda f: (near.index(f) if f in near else len(near), f))
    frozen = f"tests/{fault.path.split('/')[1]}/test_frozen.py"
    chosen = [
        [frozen] if "frozen=" in fault.before and (root / frozen).exists() else [],
        [case for f in files for cases in by_file[f].values() for case in cases[:CASES]],
        [f for f in files if f not in ALWAYS],
    ]
    if fault.path.startswith(COMPILED) or not inside(root, fault.path, fault.line):
        approved = sorted(p.relative_to(root).as_posix() for p in root.glob(APPROVED))
        chosen.append([f for f in (*near, *approved, HELP) if f not in (*ALWAYS, *files)])
    return [ring for ring in chosen if ring]


class Copy:
    """A throw-away copy of the repository, with caches of its own."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        folder.chmod(0o755)  # some tests write as another user
        self.root = folder / "copy"
        named = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
        listed = subprocess.run([*named, "--exclude-standard"], check=True, capture_output=True)
        for name in listed.stdout.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.root / name)
        (folder / "cache").mkdir()
        if cache_folder().exists():
            shutil.copytree(cache_folder(), folder / "cache" / cache_folder().name)
        self.environment = {
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
            **variables,
            "PYTHONPATH": str(self.root),
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "TMPDIR": str(folder),
        }
        self.words, self.spent = folder / "words.txt", 0.0
        self.age = time.time()

    def write(self, path: str, text: str) -> None:
        """Write a file with a time of its own, so that no older bytecode is taken for it."""
        self.age += 2.0
        (self.root / path).write_text(text, "utf-8")
        os.utime(self.root / path, (self.age, self.age))

    @contextlib.contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """The copy with a fault, for the time of the block."""
        text = (self.root / fault.path).read_text("utf-8")
        lines = text.split("\n")
        assert lines[fault.line - 1] == fault.before, f"{fault.text}\nstands elsewhere"
        lines[fault.line - 1] = fault.after
        self.write(fault.path, "\n".join(lines))
        try:
            yield
        finally:
            self.write(fault.path, text)

    def reaching(self, faults: list[Fault]) -> list[list[str]]:
        """Tests that reach the place of each fault, by the whole suite; none in compiled code."""
        marks: dict[str, dict[int, set[int]]] = {}
        for number, fault in enumerate(faults):
            if not fault.path.startswith(COMPILED):
                for path, lines in places(self.root, fault.path, fault.line).items():
                    for line in lines if not path.startswith(COMPILED) else ():
                        marks.setdefault(path, {}).setdefault(line, set()).add(number)
        texts = {path: (self.root / path).read_text("utf-8") for path in marks}
        folder = self.root.parent / "reached"
        folder.mkdir()
        folder.chmod(0o777)  # some tests run as another user
        (self.root / MODULE).write_text(SOURCE.format(folder=str(folder), running=RUNNING), "utf-8")
        for path, text in texts.items():
            self.write(path, marked(text, marks[path]))
        # every part opens a screen of its own; what fails over the marks themselves does not count
        parts = {
            k: v for k, v in self.environment.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")
        }
        subprocess.run(
            [sys.executable, "-c", PARTS],
            cwd=self.root / "packaging",
            env={**parts, "PYTEST_ADDOPTS": "-p tests.reached -p no:cacheprovider"},
            stdin=subprocess.DEVNULL,
            stdout=self.words.open("wb"),
            stderr=subprocess.STDOUT,
            check=False,
        )
        for path, text in texts.items():
            self.write(path, text)
        (self.root / MODULE).unlink()
        found = read(folder)
        return [found.get(number, []) for number in range(len(faults))]

    def run(self, tests: list[str], limit: float, *options: str) -> str | None:
        """The first test that fails; "" if none does, None if the time is over before.  `spent` is
        the time that it took.
        """
        command = [
            *(sys.executable, "-m", "pytest", "-v", "-x", "--tb=no", "-rfE", "--color=no"),
            *("-p", "no:cacheprovider", "-o", f"faulthandler_timeout={HANG}"),
            "--hypothesis-profile=unshrunk",
            *("-o", "faulthandler_exit_on_timeout=true", *options, *tests),
        ]
        with self.words.open("wb") as words:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            begun, self.spent = time.monotonic(), 0.0
            try:
                while process.poll() is None and self.spent < limit:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(LOOK)
                    cpu = computed(process.pid)
                    now = time.monotonic() - begun if cpu is None else cpu
                    # who has ended counts no more
                    self.spent = max(self.spent, now)
            finally:
                late = process.poll() is None
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        said = self.words.read_text("utf-8", "replace")
        # names of cases may have blanks
        if found := re.search(r"^(tests/\S+::.*?) (?:FAILED|ERROR)\b", said, re.MULTILINE):
            return found[1]
        if found := re.search(r"^(?:FAILED|ERROR) (tests/\S+)", said, re.MULTILINE):
            return found[1]
        if late:
            return None
        if process.returncode in (0, 5):
            return ""
        begun = re.findall(r"^(tests/\S+)", said, re.MULTILINE)
        return begun[-1] if begun else tests[0]  # it crashed or hung in this one, or before all


def computed(session: int) -> float | None:
    """CPU seconds of the processes of a session, with those that they have waited for; None where
    the system does not tell (only Linux does).
    """
    if not Path("/proc/self/stat").exists():
        return None
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            # after the name in brackets: state, parent, group, session, ..., own and waited times
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def runnable(found: str, ring: list[str]) -> str:
    """The failed test itself or, of a conftest.py that cannot be imported, a test beside it."""
    path = Path(re.sub(r"(::.*|:[\d:]*)$", "", found))
    if path.name != "conftest.py":
        return found
    return next(test for test in ring if Path(test).is_relative_to(path.parent))


def verdict(copy: Copy, fault: Fault, tests: list[list[str]], limit: float) -> tuple[str, bool]:
    """The test that finds a fault, or "" for a survivor; whether the time was over before all tests
    had run.  limit: CPU seconds of the tests; seconds where those are not known.
    """
    unsteady: list[str] = []
    left = limit + (COMPILING if fault.path.startswith(COMPILED) else 0.0)
    for ring in tests:
        while True:
            with copy.planted(fault):
                found = copy.run(ring, left, *(f"--deselect={test}" for test in unsteady))
            left -= copy.spent
            if found is None:
                return "", True
            if not found:
                break
            test = [runnable(found, ring)]
            with copy.planted(fault):
                steady = copy.run(test, limit) != ""
            if steady and copy.run(test, limit) == "":
                return found, False
            when = "without the fault too" if steady else "after other tests only"
            print(f"  {found} fails {when}", flush=True)
            unsteady.append(found)
    return "", False


def reason(fault: Fault) -> str:
    """Reason for which no test can find a fault; "" where there is none known."""
    return EQUIVALENT.get((fault.path, fault.before.strip(), fault.after.strip()), "")


def moved(root: Path, fault: Fault) -> Fault | None:
    """A fault of an older table where its line stands now; None where the line is gone."""
    path = root / fault.path
    lines = path.read_text("utf-8").split("\n") if path.exists() else []
    places = [n for n, line in enumerate(lines, 1) if line == fault.before]
    if not places:
        return None
    line = min(places, key=lambda n: abs(n - fault.line))
    return Fault(**{**asdict(fault), "line": line})


def keep(table: Path | None, rows: list[dict]) -> None:
    """Write the table, if there is one."""
    if table:
        table.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def main() -> None:
    """The table of faults and the score."""
    parser = argparse.ArgumentParser(description="Faults of one token, planted one at a time.")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds for each fault")
    parser.add_argument("--table", type=Path, help="JSON file that keeps the table")
    parser.add_argument("--again", type=Path, help="table whose survivors are planted again")
    parser.add_argument("--list", action="store_true", help="only name the faults")
    chosen = parser.parse_args()
    if chosen.again or (chosen.table and chosen.table.exists()):
        rows = json.loads((chosen.again or chosen.table).read_text("utf-8"))
        # what survived, or was not tried yet, where it stands by now
        for row in rows:
            if row["found"] is None or (row["found"] == "" and chosen.again):
                fault = moved(ROOT, Fault(**row["fault"]))
                row.update({"fault": asdict(fault), "found": None} if fault else {"found": ""})
    else:
        faults = choose(ROOT, chosen.faults, chosen.seed)
        rows = [{"fault": asdict(fault), "found": None} for fault in faults]
    if chosen.list:
        print(*(Fault(**row["fault"]).text for row in rows), sep="\n")
        return
    with (
        tempfile.TemporaryDirectory(prefix="mechstudio-faults-") as folder,
        contextlib.nullcontext({}) if has_screen() else virtual_screen() as variables,
    ):
        copy = Copy(Path(folder), variables)
        begun, left = time.monotonic(), [row for row in rows if row["found"] is None]
        unknown = [row for row in left if "tests" not in row and not reason(Fault(**row["fault"]))]
        if unknown:
            faults = [Fault(**row["fault"]) for row in unknown]
            for row, fault, tests in zip(unknown, faults, copy.reaching(faults)):
                row["tests"] = rings(copy.root, fault, tests)
            keep(chosen.table, rows)
            print(f"the suite with marks took {time.monotonic() - begun:.0f} s", flush=True)
        for number, row in enumerate(rows, 1):
            if row["found"] is not None:
                continue
            begun, fault = time.monotonic(), Fault(**row["fault"])
            why = reason(fault)
            found, late = ("", False) if why else verdict(copy, fault, row["tests"], chosen.limit)
            row["found"] = found
            ending = (
                f"found by {found}"
                if found
                else f"equivalent: {why}"
                if why
                else "** survived as long as there was time **"
                if late
                else "** survived **"
                if row["tests"]
                else "** survived, reached by no test **"
            )
            print(f"{number}. {fault.text}\n  {ending} ({time.monotonic() - begun:.0f} s)")
            sys.stdout.flush()
            keep(chosen.table, rows)
    decided = [row for row in rows if row["found"] or not reason(Fault(**row["fault"]))]
    killed = sum(bool(row["found"]) for row in decided)
    print(
        f"{killed} of {len(decided)} decided faults found ({killed / max(1, len(decided)):.0%}); "
        f"{len(rows) - len(decided)} equivalent"
    )


if __name__ == "__main__":
    main()
