"""Marks of the check of the tests: where they go, and what they tell."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reached import SOURCE, inside, marked, places, read

TEXT = '''\
"""A module."""

LIMIT = 3
OTHER = 4


def plain(x, y=LIMIT):
    """Docstring."""
    if x > 1: return 0
    elif x > 2:
        y = (1 +
             2)
    else:
        with open(x):
            y = 5
    return lambda: y


class Row:
    field = 7

    @property
    def twice(self):
        match self.field:
            case 1 if self:
                return 1
        return 2 * self.field
'''


@pytest.fixture
def root(tmp_path):
    (tmp_path / "mechstudio").mkdir()
    (tmp_path / "mechstudio/a.py").write_text(TEXT)
    (tmp_path / "mechstudio/b.py").write_text(
        "from mechstudio.a import OTHER\n\n\ndef uses():\n    return OTHER\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("if x > 1", "if x > 1"),
        ("elif x > 2", "if x > 1"),
        ("2)", "y = (1"),
        ("y = 5", "y = 5"),
        ("with open", "with open"),
        ("return lambda", "return lambda"),
        ("case 1", "match"),
        ("return 1", "return 1"),
        ("return 2", "return 2"),
    ],
)
def test_a_place_in_a_function_is_marked_before_its_statement(root, line, marks):
    def number(start):
        return next(
            n for n, text in enumerate(TEXT.split("\n"), 1) if text.lstrip().startswith(start)
        )

    assert places(root, "mechstudio/a.py", number(line)) == {"mechstudio/a.py": {number(marks)}}


def test_a_place_outside_functions_is_marked_where_its_name_is_used(root):
    assert places(root, "mechstudio/a.py", 3) == {
        "mechstudio/a.py": {9},  # a default
        "mechstudio/b.py": set(),
    }
    assert places(root, "mechstudio/a.py", 4)["mechstudio/b.py"] == {5}
    assert places(root, "mechstudio/a.py", 20)["mechstudio/a.py"] == {24}  # of a field
    assert inside(root, "mechstudio/a.py", 7) is None  # a default


def test_every_function_can_be_marked():
    root = Path(__file__).parents[2]
    for path in ("mechstudio/view/study/page.py", "mechstudio/model/mechanism.py"):
        text = (root / path).read_text("utf-8")
        lines = {
            line
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and inside(root, path, node.lineno)
            for line in places(root, path, node.lineno)[path]
        }
        source = marked(text, {line: {7} for line in lines})
        assert source.count("passed(7)") == len(lines) > 20
        compile(source, path, "exec")


def test_a_mark_tells_the_test_that_runs_in_a_process_of_an_earlier_one(tmp_path):
    (tmp_path / "reports").mkdir()
    running = tmp_path / "running"
    running.write_bytes(b"first".ljust(1024, b"\0"))
    source = SOURCE.format(folder=str(tmp_path / "reports"), running="RUNNING")
    later = "input(); passed(1); passed(1); print(); input(); passed(1); passed(2); print()"
    with subprocess.Popen(
        [sys.executable, "-c", f"{source}\nfor _ in 'a':\n    {later}"],
        env={**os.environ, "RUNNING": str(running), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        with running.open("r+b") as file:
            file.write(b"later")
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
    assert read(tmp_path / "reports") == {1: ["first", "later"], 2: ["later"]}


def test_a_mark_outside_tests_tells_nothing(tmp_path):
    source = SOURCE.format(folder=str(tmp_path), running="RUNNING")
    environment = {k: v for k, v in os.environ.items() if k != "RUNNING"}
    subprocess.run([sys.executable, "-c", f"{source}\npassed(1)"], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
