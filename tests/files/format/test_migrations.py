"""Older files: the chain of steps, and one old file of every version kept for ever under
versions/.
"""

from pathlib import Path

import pytest

from mechstudio.files.format import codec, migrations
from mechstudio.files.format.migrations import FORMAT, STEPS, migrate
from mechstudio.files.project_file import decode, load

VERSIONS = Path(__file__).parents[1] / "versions"


def test_there_is_one_step_per_version():
    assert sorted(STEPS) == list(range(1, FORMAT))


def test_steps_follow_one_another():
    steps = {
        1: lambda d: {**d, "trail": ["1"]},
        2: lambda d: {**d, "trail": [*d["trail"], "2"]},
        3: lambda d: {**d, "trail": [*d["trail"], "3"]},
    }
    assert migrate({}, 1, steps, 4) == {"trail": ["1", "2", "3"]}
    assert migrate({"trail": []}, 3, steps, 4) == {"trail": ["3"]}
    assert migrate({"a": 1}, 4, steps, 4) == {"a": 1}
    assert migrate({"a": 1}, 9, steps, 4) == {"a": 1}


def test_an_older_file_opens(monkeypatch):
    """As if format 2 had renamed "parts" of format 1 to "bodies"."""
    monkeypatch.setitem(
        STEPS, 1, lambda d: {("bodies" if k == "parts" else k): v for k, v in d.items()}
    )
    monkeypatch.setattr(codec, "FORMAT", 2)
    monkeypatch.setattr(
        codec, "migrate", lambda document, version: migrations.migrate(document, version, STEPS, 2)
    )
    loaded = decode(b'{"mechstudio": 1, "parts": [{"id": "rod"}]}')
    assert (
        list(loaded.project.mechanism.bodies) == ["rod"]
        and loaded.findings == ()
        and loaded.project.extra == {}
    )
    assert codec.encode(loaded.project).startswith(b'{"mechstudio": 2, ')
    assert decode(b'{"mechstudio": 3, "bodies": []}').findings


@pytest.mark.parametrize("version", range(1, FORMAT + 1))
def test_a_file_of_every_version_opens_clean(version):
    files = sorted(VERSIONS.glob(f"{version}_*.mech"))
    assert files, f"keep a file of format {version} in {VERSIONS}"
    for path in files:
        loaded = load(path)
        assert (
            loaded.findings == ()
            and loaded.project.unread == ()
            and loaded.project.mechanism.bodies
        )
