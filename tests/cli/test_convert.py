"""mechstudio convert: files by their endings, with what does not come along in sentences."""

from pathlib import Path

from mechstudio.cli.main import main

SAMPLES = Path(__file__).parents[2] / "samples"


def test_a_file_is_written_and_what_is_missing_is_said(tmp_path, capsys):
    out = tmp_path / "four_bar.xml"
    assert main(["convert", str(SAMPLES / "four_bar.mech"), str(out)]) == 0
    assert b"<mujoco" in out.read_bytes()
    assert "Joint C: MJCF has no loops" in capsys.readouterr().err


def test_an_unknown_ending_is_refused_with_those_there_are(tmp_path, capsys):
    out = tmp_path / "four_bar.foo"
    assert main(["convert", str(SAMPLES / "four_bar.mech"), str(out)]) == 2
    said = capsys.readouterr().err
    assert "four_bar.foo" in said and ".xml" in said
    assert not out.exists()
    assert main(["convert", str(tmp_path / "gone.mech"), str(tmp_path / "x.xml")]) == 2
    assert "gone.mech" in capsys.readouterr().err
