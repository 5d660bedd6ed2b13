"""ms.assemble and `mechstudio assemble`: a rough drawing closed, what stays, and what cannot close."""

import json
import math

import pytest

import mechstudio as ms
from mechstudio import cli


def sketch(reach=0.5, end=(0.31, 0, 0.22)):
    """Two links that should meet at C, the first ends at (0.3, 0, 0.2); the ground pins are `reach` apart."""
    m = ms.Builder("Sketch")
    left, right = m.link("left", (0, 0, 0), (0.3, 0, 0.2)), m.link("right", (reach, 0, 0), end)
    m.pin("A", m.ground, left, at=(0, 0, 0))
    m.pin("C", left, right, at=((0.3, 0, 0.2), end))
    m.pin("D", m.ground, right, at=(reach, 0, 0))
    return m.project()


# 1 m less the lengths of the two links is missing
SHORT = {"reach": 1.0, "end": (0.9, 0, 0.2)}
MISSING = 1 - 0.13 ** 0.5 - 0.05 ** 0.5


def test_a_rough_drawing_closes_and_what_is_kept_stays():
    project = sketch()
    assert 0.02 < ms.check(project).gap < 0.03 and ms.check(project).open == "C"
    closed = ms.assemble(project)
    assert ms.check(closed).gap < 1e-12 and ms.check(closed).open == "" and ms.assemble(closed) is closed
    # with the left link in place the right one is too long or too short: the way from D to C is another
    with pytest.raises(ms.NotClosed) as told:
        ms.assemble(project, keep=["left"])
    kept, wanted = told.value.project.mechanism.bodies, abs(math.hypot(0.2, 0.2) - math.hypot(0.19, 0.22))
    assert kept["left"] == project.mechanism.bodies["left"] and kept["right"] != project.mechanism.bodies["right"]
    assert told.value.closing.gaps[0].distance == pytest.approx(wanted, rel=1e-3)
    with pytest.raises(KeyError, match="no body middle"):
        ms.assemble(project, keep=["middle"])


def test_what_cannot_close_is_told_with_the_best_try():
    with pytest.raises(ms.NotClosed, match=r"the pins of left and right \(C\) are 416 mm apart at best, with all others closed; or else the pins of") as told:
        ms.assemble(sketch(**SHORT))
    assert told.value.closing.gaps[0].distance == pytest.approx(MISSING, rel=1e-4)
    assert ms.check(told.value.project).gap == pytest.approx(MISSING, rel=1e-4)


def test_the_command_closes_writes_and_tells(tmp_path, capsys):
    ms.save(sketch(), tmp_path / "sketch.mech")
    assert cli.main(["assemble", str(tmp_path / "sketch.mech"), "--out", str(tmp_path / "closed.mech")]) == 0
    assert capsys.readouterr().out.startswith("The largest joint gap was 22.4 mm at C, closed to ")
    assert ms.check(ms.load(tmp_path / "closed.mech")).gap < 1e-12
    assert cli.main(["assemble", str(tmp_path / "closed.mech"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["closed"] and report["moved"] == 0.0 and report["message"] == "The drawing is closed as it is: every joint holds."
    assert cli.main(["check", str(tmp_path / "sketch.mech")]) == 0
    assert "open" not in capsys.readouterr().out, "only what cannot close says so"


def test_the_command_says_what_stays_apart_and_who_is_not_there(tmp_path, capsys):
    ms.save(sketch(**SHORT), tmp_path / "short.mech")
    assert cli.main(["assemble", str(tmp_path / "short.mech"), "--out", str(tmp_path / "no.mech")]) == 1
    out = capsys.readouterr().out
    assert "416 mm apart at best" in out and not (tmp_path / "no.mech").exists()
    assert cli.main(["assemble", str(tmp_path / "short.mech"), "--keep", "nobody"]) == 2
    assert "no body nobody" in capsys.readouterr().err
