"""Tests chosen by a change."""

import subprocess

import pytest

from tests.affected import ALWAYS, affected_tests, changed_files

FILES = {
    "mechstudio/model/units.py": "",
    "mechstudio/model/types/joints.py": "",
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
        (["tests/helper.py"], {"tests/model/types/test_joints.py"}),
        (["tests/view/conftest.py"], {"tests/view/test_window.py"}),
        (["tests/view/test_window.py"], {"tests/view/test_window.py"}),
        (["resources/help/theory.md"], {"tests/test_help.py"}),
        (["samples/four_bar.mech"], {"tests/samples/test_samples.py"}),
        (["LICENSE"], set()),
    ],
)
def test_a_change_chooses_the_tests_next_to_it(root, changed, chosen):
    assert affected_tests(root, changed) == chosen | set(ALWAYS)


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
