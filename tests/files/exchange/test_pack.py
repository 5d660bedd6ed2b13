"""Packs: everything of a project in one file, and nothing else comes out of one."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.files.exchange import pack as packs
from mechstudio.files.exchange.pack import pack, unpack
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.project_file import encode, load
from mechstudio.model.project import Camera, Picture

PNG = bytes.fromhex("89504e470d0a1a0a") + b"picture"


@pytest.fixture
def drawn(tmp_path):
    """A project with a picture that lies elsewhere, and a folder with two runs."""
    place = tmp_path / "elsewhere" / "sketch.png"
    place.parent.mkdir()
    place.write_bytes(PNG)
    m = ms.Builder("Arm")
    m.link("arm", (0, 0, 0), length="1 m", angle=0)
    m.add(Picture("p1", "sketch", str(place)))
    folder = tmp_path / "arm.runs"
    folder.mkdir()
    for name in ("0001.json", "0001.npy", "0002.json", "notes.txt"):
        (folder / name).write_bytes(name.encode() * 100)
    return m.project(), folder


def test_a_pack_comes_back_whole_in_another_place(drawn, tmp_path):
    project, folder = drawn
    camera = Camera(azimuth=12.0)
    assert pack(tmp_path / "arm.zip", "arm", project, camera, folder) == []
    there = tmp_path / "there"
    there.mkdir()
    place, notes = unpack(tmp_path / "arm.zip", there)
    assert (place, notes) == (there / "arm" / "arm.mech", [])
    loaded = load(place)
    assert loaded.camera.azimuth == 12.0 and loaded.findings == ()
    (picture,) = loaded.project.pictures.values()
    assert Path(picture.path).read_bytes() == PNG and there in Path(picture.path).parents
    assert loaded.project.mechanism == project.mechanism
    kept = sorted(file.name for file in (there / "arm" / "arm.runs").iterdir())
    assert kept == ["0001.json", "0001.npy", "0002.json"]
    assert unpack(tmp_path / "arm.zip", there)[0] == there / "arm 2" / "arm.mech"
    assert sorted(file.name for file in there.iterdir()) == ["arm", "arm 2"]


@pytest.mark.parametrize("name", [".arm", "a" * 118, "a/b", " .", "arm"])
def test_a_pack_of_any_name_can_be_opened(name, drawn, tmp_path):
    project, folder = drawn
    (picture,) = project.pictures.values()
    long = Path(picture.path).with_name("p" * 115 + ".png")
    Path(picture.path).rename(long)
    pictures = {picture.id: replace(picture, path=str(long))}
    pack(tmp_path / "x.zip", name, replace(project, pictures=pictures), None, folder)
    place, notes = unpack(tmp_path / "x.zip", tmp_path)
    (picture,) = load(place).project.pictures.values()
    assert notes == [] and Path(picture.path).is_file()


def test_a_picture_that_is_gone_is_said_and_no_half_pack_is_left(drawn, tmp_path):
    project, _ = drawn
    (tmp_path / "elsewhere" / "sketch.png").unlink()
    assert pack(tmp_path / "arm.zip", "arm", project) == [
        "The picture sketch.png is not there and stays out."
    ]
    with pytest.raises(ExchangeError, match="cannot be written"):
        pack(tmp_path / "none" / "arm.zip", "arm", project)
    assert not list(tmp_path.glob(".*"))


def zipped(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def project_bytes():
    return encode(ms.Builder().project())


STRANGE = [
    "../a.mech",
    "/etc/passwd",
    "..\\..\\a.png",
    "C:\\a.png",
    "pictures/../../a.png",
    "pictures//a.png",
    "pictures/.hidden.png",
    "pictures/deep/a.png",
    "pictures/run.py",
    "a.py",
    "__init__.py",
    "a.mech.py",
    ".a.mech",
    "a.runs/0001.pkl",
    "b.runs/0001.npy",
    "a.runs/../0001.npy",
    "a.runs/1.npy",
    "conftest.py",
    "plugins/joint.py",
    "pictures/con:a.png",
]


@pytest.mark.parametrize("name", STRANGE)
def test_foreign_files_are_not_unpacked(name, tmp_path):
    source = zipped(tmp_path / "a.zip", **{"a.mech": project_bytes(), name: b"x"})
    there = tmp_path / "in" / "there"
    there.mkdir(parents=True)
    place, notes = unpack(source, there)
    assert [f.name for f in place.parent.rglob("*")] == ["a.mech"]
    assert len(notes) == 1 and "a file does not belong" in notes[0]
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["a.mech", "a.zip"]


def test_a_link_is_no_file_of_a_pack(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr("a.mech", project_bytes())
        link = zipfile.ZipInfo("pictures/a.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
    place, notes = unpack(tmp_path / "a.zip", tmp_path)
    assert not (place.parent / "pictures").exists() and len(notes) == 1


@pytest.mark.parametrize("size", [17 << 20, 300 << 20])
def test_a_bomb_is_refused_and_leaves_nothing(size, tmp_path):
    name = "a.mech" if size < ROOM else "a.runs/0001.npy"
    source = tmp_path / "a.zip"
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as made:
        if name != "a.mech":
            made.writestr("a.mech", project_bytes())
        with made.open(name, "w", force_zip64=True) as file:
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
    with pytest.raises(ExchangeError, match="comes to more than such a file may"):
        unpack(source, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


ROOM = packs.ROOM


def test_a_size_that_the_header_lies_about_is_counted(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.mech", bytes(20 << 20))
    raw = bytearray(data.getvalue())
    central = raw.rindex(b"PK\x01\x02")
    raw[central + 24 : central + 28] = struct.pack("<I", 10)
    (tmp_path / "a.zip").write_bytes(raw)
    with pytest.raises(ExchangeError):
        unpack(tmp_path / "a.zip", tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds 0 mechanisms"),
        ({"a.png": b"x"}, "holds 0 mechanisms"),
        ({"a.mech": b"", "b.mech": b""}, "holds 2 mechanisms"),
        ({f"{k}.txt": b"" for k in range(10_001)}, "more than 10000 files"),
    ],
)
def test_archives_other_than_a_pack_are_refused(files, words, tmp_path):
    with pytest.raises(ExchangeError, match=words):
        unpack(zipped(tmp_path / "a.zip", **files), tmp_path)


@settings(max_examples=80)
@given(data=st.data())
def test_damaged_packs_are_refused_in_a_sentence(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged")
    source = zipped(folder / "a.zip", **{"a.mech": project_bytes(), "pictures/1_a.png": PNG * 50})
    raw = bytearray(source.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw) - 1)) :]
    source.write_bytes(raw)
    try:
        place, _ = unpack(source, folder)
    except ExchangeError as error:
        assert str(error).endswith(".")
        assert os.listdir(folder) == ["a.zip"]
    else:
        assert place.is_file() and folder in place.parents
