"""The last ten saves of a file are kept, with their pictures, and come back whole."""

from datetime import UTC, datetime, timedelta

import pytest

import mechstudio as ms
from mechstudio.files import versions
from mechstudio.files.format.codec import ProjectFileError
from mechstudio.files.project_file import save

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "data"


def saved(path, length, at):
    m = ms.Builder()
    m.link("bar", (0, 0, 0), length=length, angle=0)
    save(path, m.project())
    versions.keep(path, b"PNG", at)
    return m.project()


def test_ten_are_kept_newest_first_and_come_back_whole(tmp_path):
    path = tmp_path / "a.mech"
    made = [saved(path, f"{k + 1} m", NOON + timedelta(minutes=k)) for k in range(13)]
    found = versions.versions(path)
    assert [v.saved for v in found] == [NOON + timedelta(minutes=k) for k in range(12, 2, -1)]
    assert [versions.load_version(v, path).project for v in found] == made[:2:-1]
    assert all(v.picture.read_bytes() == b"PNG" for v in found)
    assert len(list(found[0].place.parent.iterdir())) == 20, "nothing else is left there"


def test_an_equal_save_is_not_kept_twice_and_a_clock_set_back_keeps_the_order(tmp_path):
    path = tmp_path / "a.mech"
    saved(path, "1 m", NOON)
    saved(path, "1 m", NOON + timedelta(hours=1))
    assert len(versions.versions(path)) == 1
    second = saved(path, "2 m", NOON - timedelta(days=1))
    third = saved(path, "3 m", NOON - timedelta(days=2))
    found = versions.versions(path)
    assert [versions.load_version(v, path).project for v in found][:2] == [third, second]


def test_files_of_one_name_in_two_folders_have_versions_of_their_own(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        saved(tmp_path / name / "a.mech", "1 m" if name == "one" else "2 m", NOON)
    one, two = (versions.versions(tmp_path / name / "a.mech") for name in ("one", "two"))
    assert len(one) == len(two) == 1 and one[0].place != two[0].place


def test_versions_skip_other_files_and_a_damaged_one_is_reported(tmp_path):
    path = tmp_path / "a.mech"
    assert versions.versions(path) == []
    saved(path, "1 m", NOON)
    (version,) = versions.versions(path)
    (version.place.parent / "notes.mech").write_text("x")
    (version.place.parent / ".20260501T120000.000000Z.mech.tmp").write_text("x")
    assert versions.versions(path) == [version]
    version.place.write_text("{")
    with pytest.raises(ProjectFileError):
        versions.load_version(version, path)
