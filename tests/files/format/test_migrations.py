"""Older files: the chain of steps, and one old file of every version kept for ever under
versions/.
"""

from pathlib import Path

import pytest

from mechstudio.files.format import codec, migrations
from mechstudio.files.format.migrations import FORMAT, STEPS, migrate
from mechstudio.files.project_file import decode, load

VERSIONS = Path(__file__).parents[1] / "versions"


def test_migrations_have_one_step_per_version():
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
    """As if the next format had renamed "parts" to "bodies"."""
    new = FORMAT + 1
    monkeypatch.setitem(
        STEPS, FORMAT, lambda d: {("bodies" if k == "parts" else k): v for k, v in d.items()}
    )
    monkeypatch.setattr(codec, "FORMAT", new)
    monkeypatch.setattr(
        codec,
        "migrate",
        lambda document, version: migrations.migrate(document, version, STEPS, new),
    )
    loaded = decode(b'{"mechstudio": %d, "parts": [{"id": "rod"}]}' % FORMAT)
    assert (
        list(loaded.project.mechanism.bodies) == ["rod"]
        and loaded.findings == ()
        and loaded.project.extra == {}
    )
    assert codec.encode(loaded.project).startswith(b'{"mechstudio": %d, ' % new)
    assert decode(b'{"mechstudio": %d, "bodies": []}' % (new + 1)).findings


@pytest.mark.parametrize(
    ("flags", "form"),
    [
        ("", "spline"),
        (', "smooth": false', "polyline"),
        (', "closed": true, "circle": true', "circle"),
    ],
)
def test_the_flags_of_a_curve_are_its_form(flags, form):
    text = """{"mechstudio": 1, "bodies": [{"id": "b"}], "joints": [{"id": "j", "type":
    "point_on_curve", "frame_a": {"body": "ground"}, "frame_b": {"body": "b"}, "curve":
    {"points": [[0, 0, 0], [1, 0, 0], [0, 0, 1]]%s}}]}"""
    loaded = decode((text % flags).encode())
    curve = loaded.project.mechanism.joints["j"].curve
    assert loaded.findings == () and (curve.form, curve.closed) == (form, form == "circle")
    assert all(word not in codec.encode(loaded.project) for word in (b"smooth", b"true, "))


def test_a_joint_that_is_no_object_passes_the_migration():
    assert migrate({"joints": [3, {"curve": 4}, {}]}, 1, target=2) == {
        "joints": [3, {"curve": 4}, {}]
    }
    assert migrate({"joints": 3}, 1, target=2) == {"joints": 3}


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
