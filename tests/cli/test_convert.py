"""mechstudio convert: files by their endings, with what does not come along in sentences."""

from pathlib import Path

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.model.project import Picture

SAMPLES = Path(__file__).parents[2] / "samples"


def test_a_file_is_written_and_what_is_missing_is_said(tmp_path, capsys):
    out = tmp_path / "four_bar.xml"
    assert main(["convert", str(SAMPLES / "four_bar.mech"), str(out)]) == 0
    assert b"<mujoco" in out.read_bytes()
    assert "Joint C: MJCF has no loops" in capsys.readouterr().out


def test_an_unknown_ending_is_refused_with_those_there_are(tmp_path, capsys):
    out = tmp_path / "four_bar.foo"
    assert main(["convert", str(SAMPLES / "four_bar.mech"), str(out)]) == 2
    said = capsys.readouterr().err
    assert "four_bar.foo" in said and ".xml" in said
    assert not out.exists()
    assert main(["convert", str(tmp_path / "gone.mech"), str(tmp_path / "x.xml")]) == 2
    assert "gone.mech" in capsys.readouterr().err


def test_packs_and_scripts_are_converted_too(tmp_path, capsys):
    image = tmp_path / "from" / "sketch.png"
    image.parent.mkdir()
    image.write_bytes(b"\x89PNG")
    m = ms.Builder.of(ms.load(SAMPLES / "four_bar.mech"))
    m.add(Picture("p1", "sketch", str(image)))
    ms.save(m.project(), tmp_path / "from" / "a.mech")
    zipped, there = tmp_path / "a.zip", tmp_path / "there"
    there.mkdir()
    assert main(["convert", str(tmp_path / "from" / "a.mech"), str(zipped)]) == 0
    assert main(["convert", str(zipped), str(there / "b.mech")]) == 0
    back = ms.load(there / "b.mech")
    assert back.mechanism == m.project().mechanism
    (picture,) = back.pictures.values()
    assert Path(picture.path).read_bytes() == b"\x89PNG" and there in Path(picture.path).parents
    assert main(["convert", str(there / "b.mech"), str(there / "b.py")]) == 0
    space = {"__name__": "script"}
    exec((there / "b.py").read_text("utf-8"), space)
    assert space["project"].mechanism == back.mechanism
    assert main(["convert", str(zipped), str(tmp_path / "none" / "b.py")]) == 2
    assert "b.py" in capsys.readouterr().err
