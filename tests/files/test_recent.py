"""The list of recent files, the system's folders, and the one version number."""

import sys
import tomllib
from pathlib import Path

import pytest

from mechstudio import folders
from mechstudio.files.durable import WriteFailed
from mechstudio.files.recent import COUNT, add_recent, recent_files
from mechstudio.model.version import VERSION


@pytest.fixture
def config(tmp_path, monkeypatch):
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "config"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return folders.config_folder()


def made(tmp_path, name):
    (tmp_path / name).write_text("x")
    return tmp_path / name


def test_newest_first_and_each_once(tmp_path, config):
    a, b = made(tmp_path, "a.mech"), made(tmp_path, "曲柄 b.mech")
    assert recent_files() == []
    for path in (a, b, a):
        add_recent(path)
    assert recent_files() == [a, b]


def test_recent_files_omit_deleted_ones_and_are_limited(tmp_path, config):
    paths = [made(tmp_path, f"{k}.mech") for k in range(COUNT + 5)]
    for path in paths:
        add_recent(path)
    assert recent_files() == paths[: -COUNT - 1 : -1]
    paths[-1].unlink()
    assert recent_files() == paths[-2 : -COUNT - 1 : -1]


def test_relative_paths_are_made_absolute(tmp_path, config, monkeypatch):
    made(tmp_path, "a.mech")
    monkeypatch.chdir(tmp_path)
    add_recent("a.mech")
    assert recent_files() == [tmp_path / "a.mech"]


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff", b"{", b"[" * 100000, b"5", b'["relative", 5, null, "/a\\u0000b"]', b'{"a": 1}'],
)
def test_a_damaged_list_starts_again(tmp_path, config, garbage):
    config.mkdir(parents=True)
    (config / "recent.json").write_bytes(garbage)
    assert recent_files() == []
    add_recent(made(tmp_path, "a.mech"))
    assert recent_files() == [tmp_path / "a.mech"]


def test_a_settings_folder_that_cannot_be_made(tmp_path, config):
    config.parent.parent.mkdir(parents=True, exist_ok=True)
    config.parent.write_text("a file where the folder should be")
    with pytest.raises(WriteFailed) as error:
        add_recent(made(tmp_path, "a.mech"))
    assert str(error.value).endswith(".") and "recent files" in str(error.value)
    assert recent_files() == []


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_folders_of_each_system(monkeypatch, platform, tmp_path):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for variable in (
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "APPDATA",
        "LOCALAPPDATA",
    ):
        monkeypatch.setenv(variable, "relative/ignored")
    found = [folders.config_folder(), folders.cache_folder(), folders.data_folder()]
    assert len(set(found)) == 3
    for folder in found:
        assert (
            folder.is_relative_to(tmp_path) and "mechstudio" in folder.parts and not folder.exists()
        )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "x"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "x"))
    expected = tmp_path / "Library" / "Preferences" if platform == "darwin" else tmp_path / "x"
    assert folders.config_folder() == expected / "mechstudio"


def test_one_version_number():
    with open(Path(__file__).parents[2] / "pyproject.toml", "rb") as file:
        assert tomllib.load(file)["project"]["version"] == VERSION
