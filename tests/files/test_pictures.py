"""Files of pictures: relative in the file, copied beside it, nothing overwritten, nothing lost."""

import errno
import os

import pytest

from mechstudio.files import durable
from mechstudio.files.pictures import is_picture_file, with_paths
from mechstudio.files.project_file import ProjectFileError, load, save
from mechstudio.model.edits.links import FRONT
from mechstudio.model.edits.pictures import add_picture
from mechstudio.model.project import Project
from tests.files.format.test_damaged_files import assert_nothing_lost


def with_picture(path, project=Project()):
    return add_picture(project, str(path), "sketch", FRONT, (0.1, 0.0, 0.2), 0.5, 0.75)[0]


def a_file(place, content=b"first"):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_a_picture_beside_the_project_stays_where_it_is(home):
    place = a_file(home / "pictures" / "sketch.png")
    stowed = save(home / "a.mech", with_picture(place))
    assert (
        stowed.moved == {}
        and stowed.reported == ()
        and b'"path": "pictures/sketch.png"' in (home / "a.mech").read_bytes()
    )
    loaded = load(home / "a.mech")
    assert loaded.findings == () and loaded.project == with_picture(place)
    before = (home / "a.mech").read_bytes()
    save(home / "a.mech", loaded.project)
    assert (home / "a.mech").read_bytes() == before


def test_a_picture_from_elsewhere_is_copied_and_it_is_said(home, tmp_path):
    place = a_file(tmp_path / "downloads" / "sketch.png")
    stowed = save(home / "a.mech", with_picture(place))
    assert (home / "sketch.png").read_bytes() == b"first" == place.read_bytes()
    assert (
        stowed.moved == {str(place): str(home / "sketch.png")}
        and "copied beside the project" in stowed.reported[0]
    )
    place.unlink()
    assert load(home / "a.mech").findings == ()


def test_another_file_of_that_name_is_not_overwritten(home, tmp_path):
    a_file(home / "sketch.png", b"precious")
    place = a_file(tmp_path / "downloads" / "sketch.png")
    stowed = save(home / "a.mech", with_picture(place))
    assert (home / "sketch.png").read_bytes() == b"precious" and (
        home / "sketch-2.png"
    ).read_bytes() == b"first"
    assert "as sketch-2.png" in stowed.reported[0]
    # the same picture once more needs no further copy
    again = save(home / "b.mech", with_picture(place))
    assert again.reported == () and sorted(p.name for p in home.glob("*.png")) == [
        "sketch-2.png",
        "sketch.png",
    ]


def test_the_project_goes_to_another_folder_with_its_picture(home, tmp_path):
    save(home / "a.mech", with_picture(a_file(home / "sketch.png")))
    other = tmp_path / "other"
    other.mkdir()
    save(other / "b.mech", load(home / "a.mech").project)
    assert (other / "sketch.png").read_bytes() == b"first" and load(other / "b.mech").findings == ()


def test_a_missing_picture_is_named_and_kept(home):
    place = a_file(home / "sketch.png")
    save(home / "a.mech", with_picture(place))
    before = (home / "a.mech").read_bytes()
    place.unlink()
    loaded = load(home / "a.mech")
    (finding,) = loaded.findings
    assert (
        finding.element == "picture_1"
        and "there is no file sketch.png in" in finding.message
        and "choose it again" in finding.cure
    )
    save(home / "a.mech", loaded.project)
    assert (home / "a.mech").read_bytes() == before


def test_a_picture_that_cannot_be_copied_does_not_stop_the_save(home, tmp_path, monkeypatch):
    place = a_file(tmp_path / "downloads" / "sketch.png")

    def full(source, target):
        target.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("mechstudio.files.pictures.shutil.copyfileobj", full)
    stowed = save(home / "a.mech", with_picture(place))
    assert not (home / "sketch.png").exists(), "half a copy would be taken for the picture"
    assert (
        stowed.moved == {}
        and "could not be copied" in stowed.reported[0]
        and "No space left" in stowed.reported[0]
    )
    assert load(home / "a.mech").project.pictures["picture_1"].path == str(place)


def test_a_path_of_another_computer_is_kept(home):
    project = with_picture("C:\\Users\\me\\sketch.png")
    save(home / "a.mech", project)
    loaded = load(home / "a.mech")
    if os.name != "nt":
        assert (
            loaded.project == project
            and "there is no file sketch.png in C:\\Users\\me" in loaded.findings[0].message
        )


def test_entries_of_a_picture_are_read_settled_and_refused():
    text = b"""{"mechstudio": 1, "parameters": [{"name": "w", "value": "300 mm"}], "pictures": [
 {"id": "p", "name": "good", "path": "a.png", "width": "2*w", "aspect": 0.5,
  "locked": false, "glow": 3},
 {"id": "q", "path": "b.png", "width": "0 mm"},
 {"id": "r", "width": 1.0},
 {"id": "s", "path": "c.png", "width": 1.0, "aspect": 0.0}
]}"""
    loaded = assert_nothing_lost(text)
    (picture,) = loaded.project.pictures.values()
    assert (
        picture.width.value == pytest.approx(0.6)
        and not picture.locked
        and picture.extra == {"glow": 3}
        and picture.opacity.value == 0.5
    )
    assert {f.element for f in loaded.findings} == {"p", "q", "r", "s"} and all(
        "Picture" in f.message for f in loaded.findings
    )


def test_paths_change_only_where_they_change():
    project = with_picture("/a/b.png")
    assert (
        with_paths(project, lambda p: p) is project
        and with_paths(project, lambda p: "/c.png").pictures["picture_1"].path == "/c.png"
    )
    assert is_picture_file("A.PNG") and is_picture_file("x.jpeg") and not is_picture_file("x.stl")


@pytest.mark.parametrize(
    ("name", "size"), [("id_rsa", 10), ("secrets.txt", 10), ("sketch.png", 32 * 2**20 + 1)]
)
def test_files_other_than_pictures_are_never_copied(home, tmp_path, name, size):
    """A project of someone else's names it: saving must not lay it where it is handed on."""
    place = tmp_path / "private" / name
    place.parent.mkdir()
    with open(place, "wb") as file:
        file.truncate(size)
    stowed = save(home / "a.mech", with_picture(place))
    assert stowed.moved == {} and sorted(p.name for p in home.iterdir()) == ["a.mech"]
    assert load(home / "a.mech").project == with_picture(place)


@pytest.mark.parametrize("name", ["x" * 300 + ".mech", "a\0b.mech", "folder", "full.mech"])
def test_a_save_that_fails_says_why_and_leaves_no_picture_behind(home, tmp_path, monkeypatch, name):
    """The picture of a project goes beside it; where there is no project, no picture either."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "folder").mkdir()
    elsewhere = tmp_path / "elsewhere.png"
    elsewhere.write_bytes(b"\x89PNG")
    project, _ = add_picture(
        Project(), str(elsewhere), "elsewhere", FRONT, (0.0, 0.0, 0.0), 1.0, 1.0
    )
    if name == "full.mech":
        monkeypatch.setattr(
            durable,
            "_fill",
            lambda *args: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")),
        )
    with pytest.raises(
        ProjectFileError,
        match=(
            r"could not be saved because (the system does not accept this name|it is a "
            "folder|the disk is full)"
        ),
    ):
        save(other / name, project)
    assert [p.name for p in other.iterdir()] == ["folder"]
