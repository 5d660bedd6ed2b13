"""mechstudio diff and new."""

import errno
import json

import pytest

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.cli.outcome import CommandError, written


def test_two_files_are_compared(tmp_path, capsys):
    before, after = tmp_path / "a.mech", tmp_path / "b.mech"
    assert main(["new", str(before), "--from", "four_bar"]) == 0
    m = ms.Builder.of(ms.load(before))
    m.set("L4", "value", "350 mm")
    ms.save(m.project(), after)
    assert main(["diff", str(before), str(before)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["diff", str(before), str(after)]) == 1
    assert capsys.readouterr().out == "Parameter L4: Value 340 mm → 350 mm.\n"
    assert main(["diff", "--json", str(before), str(after)]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["kind"], row["id"]) == ("changed", "L4")
    assert main(["diff", str(before), str(tmp_path / "none.mech")]) == 2
    assert ms.differences(ms.load(before), ms.load(after)) == [row["sentence"]]


def test_a_new_file_is_an_empty_project_and_replaces_nothing(tmp_path, capsys):
    path = tmp_path / "new.mech"
    assert main(["new", str(path)]) == 0
    assert ms.load(path) == ms.Project()
    data = path.read_bytes()
    assert main(["new", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err and path.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x.txt"], "ends with .mech"),
        (["x.mech", "--from", "fourbar"], "There is no sample fourbar; there are andrews_squeezer"),
        (["none/x.mech"], "cannot be written"),
    ],
)
def test_refused_new_file_gives_the_reason(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x.mech"), "No space left on device"),
        # with a sentence of our own
        (OSError("the folder is gone"), "the folder is gone"),
    ],
)
def test_a_file_that_cannot_be_written_has_the_words_of_the_system(error, words):
    def refused():
        raise error

    with pytest.raises(CommandError) as reported:
        written("x.mech", refused)
    assert str(reported.value) == f"x.mech cannot be written ({words})."
