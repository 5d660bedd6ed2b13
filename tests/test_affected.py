"""Tests chosen by a change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.affected import ALWAYS, affected_tests, changed_files

FILES = {
    "mechstudio/model/units.py": "",
    "mechstudio/model/types/joints.py": "",
    "mechstudio/model/laws/tables.py": "",
    "mechstudio/builder/laws.py": "",
    "mechstudio/api.py": "",
    "mechstudio/folders.py": "",
    "tests/api/test_api.py": "",
    "tests/__init__.py": "",
    "tests/helper.py": "",
    "tests/test_floors.py": "",
    "tests/test_docstrings.py": "",
    "tests/test_help.py": "",
    "tests/model/test_units.py": "from mechstudio.model import units\n",
    "tests/model/types/test_joints.py": "from tests.helper import x\n",
    "tests/view/conftest.py": "",
    "tests/view/test_window.py": "import mechstudio.model.types.joints\n",
    "tests/samples/test_samples.py": "",
}


@pytest.fixture
def root(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "chosen"),
    [
        ([], set()),
        (["mechstudio/model/units.py"], {"tests/model/test_units.py"}),
        (
            ["mechstudio/model/types/joints.py"],
            {"tests/model/types/test_joints.py", "tests/view/test_window.py"},
        ),
        (["mechstudio/model/laws/tables.py"], {"tests/model/test_units.py"}),
        (["mechstudio/builder/laws.py"], {"tests/api/test_api.py"}),
        (["mechstudio/api.py"], {"tests/api/test_api.py"}),
        (["mechstudio/folders.py"], set()),
        (["tests/helper.py"], {"tests/model/types/test_joints.py"}),
        (["tests/view/conftest.py"], {"tests/view/test_window.py"}),
        (["tests/view/test_window.py"], {"tests/view/test_window.py"}),
        (["resources/help/theory.md"], {"tests/test_help.py"}),
        (["samples/four_bar.mech"], {"tests/samples/test_samples.py"}),
        (["LICENSE"], set()),
    ],
)
def test_a_change_chooses_the_tests_next_to_it(root, changed, chosen):
    found = affected_tests(root, changed)
    assert len(found) == len(set(found))
    assert set(found) == chosen | set(ALWAYS)


def test_the_nearest_tests_come_first(root):
    (root / "tests/model/types/test_other.py").write_text("")
    found = affected_tests(root, ["mechstudio/model/types/joints.py"])
    assert found == [
        *sorted(ALWAYS),
        "tests/model/types/test_joints.py",
        "tests/model/types/test_other.py",
        "tests/view/test_window.py",
    ]
    assert found != sorted(found)


SLOW = """
import time, pytest

@pytest.fixture(scope="module")
def opened():
    yield 1

@pytest.mark.parametrize("k", range(9))
def test_slow(k, opened):
    time.sleep(0.3)
"""
CONFTEST = """
from tests.affected import Minute

def pytest_configure(config):
    config.pluginmanager.register(Minute(0.0))
"""


def test_a_file_that_takes_too_long_is_cut_short_and_the_next_ones_run(tmp_path):
    files = {"conftest": CONFTEST, "test_a": SLOW, "test_b": "def test_b(): pass", "test_c": SLOW}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": root},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stdout
    # a slow file runs the test that is too long, the one that sees it, and the next
    assert " 7 passed in" in done, done
    assert "12 tests were left to the whole suite: test_a.py 6, test_c.py 6" in done


def test_changed_and_new_files_are_found(root):
    def git(*arguments):
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *author, *arguments], cwd=root, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "all")
    assert changed_files(root, "HEAD") == []
    (root / "mechstudio/model/units.py").write_text("x = 1\n")
    (root / "mechstudio/model/points.py").write_text("")
    assert changed_files(root, "HEAD") == [
        "mechstudio/model/units.py",
        "mechstudio/model/points.py",
    ]
