"""Tests chosen by a change."""

import subprocess
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import affected
from tests.affected import ALWAYS, affected_tests, changed_files

FILES = {
    "mechstudio/model/units.py": "",
    "mechstudio/model/types/joints.py": "",
    "mechstudio/model/laws/tables.py": "",
    "mechstudio/builder/laws.py": "",
    "mechstudio/api/runs.py": "",
    "mechstudio/folders.py": "",
    "tests/api/test_api.py": "",
    "tests/approved/test_equations.py": "",
    "tests/__init__.py": "",
    "tests/helper.py": "",
    "tests/house/test_floors.py": "",
    "tests/house/test_docstrings.py": "",
    "tests/house/test_help.py": "",
    "tests/model/test_units.py": "from mechstudio.model import units\n",
    "tests/model/types/test_joints.py": "from tests.helper import x\n",
    "tests/view/conftest.py": "",
    "tests/view/window/test_window.py": "import mechstudio.model.types.joints\n",
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
            {"tests/model/types/test_joints.py", "tests/view/window/test_window.py"},
        ),
        (["mechstudio/model/laws/tables.py"], {"tests/model/test_units.py"}),
        (["mechstudio/builder/laws.py"], {"tests/api/test_api.py"}),
        (["mechstudio/api/runs.py"], {"tests/api/test_api.py"}),
        (["mechstudio/folders.py"], set()),
        (["tests/helper.py"], {"tests/model/types/test_joints.py"}),
        (["tests/view/conftest.py"], {"tests/view/window/test_window.py"}),
        (["tests/view/window/test_window.py"], {"tests/view/window/test_window.py"}),
        (["resources/help/theory.md"], {"tests/house/test_help.py"}),
        (["samples/four_bar.mech"], {"tests/samples/test_samples.py"}),
        (["tests/approved/equations.txt"], {"tests/approved/test_equations.py"}),
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
        "tests/model/types/test_joints.py",
        "tests/model/types/test_other.py",
        "tests/view/window/test_window.py",
        *sorted(ALWAYS),
    ]


def ran_within(monkeypatch, seconds, *files):
    """Numbers of tests of each file that run in so many seconds; files: (number of tests, seconds
    of each), and what was left out.
    """
    now = [0.0]
    monkeypatch.setattr(affected.time, "monotonic", lambda: now[0])
    minute, session, ran = affected.Minute(seconds), SimpleNamespace(), Counter()
    session.items = [
        SimpleNamespace(path=Path(f"test_{k}.py"), session=session, cost=cost, number=number)
        for k, (count, cost) in enumerate(files)
        for number in range(count)
    ]
    for item in session.items:
        minute.pytest_runtest_protocol(item, None)
        ran[item.path.name] += 1
        now[0] += item.cost
    return [ran[f"test_{k}.py"] for k in range(len(files))], minute.left_out


def test_a_file_that_takes_too_long_is_cut_short_and_the_next_ones_run(monkeypatch):
    # 30 s for the first: at 40 s it is seen, with one more test to come
    ran, left = ran_within(monkeypatch, 90.0, (9, 20.0), (5, 1.0), (3, 1.0))
    assert ran == [4, 5, 3] and left == {"test_0.py": 5}


def test_after_the_minute_nothing_is_begun(monkeypatch):
    ran, left = ran_within(monkeypatch, 10.0, (2, 20.0), (5, 1.0), (3, 1.0))
    assert ran == [2, 1, 0] and left == {"test_1.py": 4, "test_2.py": 3}


def test_nothing_is_left_out_where_there_is_time(monkeypatch):
    assert ran_within(monkeypatch, 60.0, (2, 1.0), (5, 1.0)) == ([2, 5], {})


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


def test_the_folder_of_a_module_names_its_tests_too(root):
    """Of the modules of a format, which are all called reading and writing."""
    for name in ("test_comparison", "test_urdf", "test_mjcf"):
        (root / "tests" / "files").mkdir(exist_ok=True)
        (root / "tests" / "files" / f"{name}.py").write_text("")
    chosen = affected_tests(root, ["mechstudio/files/urdf/writing.py"])
    assert chosen[0] == "tests/files/test_urdf.py" and chosen[-2:] == sorted(ALWAYS)
