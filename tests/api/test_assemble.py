"""ms.assemble and `mechstudio assemble`: a rough drawing closed, what stays, and what cannot
close.
"""

import json
import math
import warnings

import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.cli import main
from mechstudio.model.edits import elements


def sketch(reach=0.5, end=(0.31, 0, 0.22)):
    """Two links that should meet at C, the first ends at (0.3, 0, 0.2); the ground pins are `reach`
    apart.
    """
    m = ms.Builder("Sketch")
    left, right = m.link("left", (0, 0, 0), (0.3, 0, 0.2)), m.link("right", (reach, 0, 0), end)
    m.pin("A", m.ground, left, at=(0, 0, 0))
    m.pin("C", left, right, at=((0.3, 0, 0.2), end))
    m.pin("D", m.ground, right, at=(reach, 0, 0))
    return m.project()


# 1 m less the lengths of the two links is missing
SHORT = {"reach": 1.0, "end": (0.9, 0, 0.2)}
MISSING = 1 - 0.13**0.5 - 0.05**0.5


def test_a_rough_drawing_closes_and_what_is_kept_stays():
    project = sketch()
    assert 0.02 < ms.check(project).gap < 0.03 and ms.check(project).open == "C"
    closed = ms.assemble(project)
    assert (
        ms.check(closed).gap < 1e-12
        and ms.check(closed).open == ""
        and ms.assemble(closed) is closed
    )
    # with the left link in place the right one is too long or too short: the way from D to C is
    # another
    with pytest.raises(ms.NotClosed) as reported:
        ms.assemble(project, keep=["left"])
    kept, requested = (
        reported.value.project.mechanism.bodies,
        abs(math.hypot(0.2, 0.2) - math.hypot(0.19, 0.22)),
    )
    assert (
        kept["left"] == project.mechanism.bodies["left"]
        and kept["right"] != project.mechanism.bodies["right"]
    )
    assert reported.value.closing.gaps[0].distance == pytest.approx(requested, rel=1e-3)
    with pytest.raises(KeyError, match="no body middle"):
        ms.assemble(project, keep=["middle"])


def test_an_open_mechanism_is_reported_with_the_best_try():
    with pytest.raises(
        ms.NotClosed,
        match=r"the pins of left and right \(C\) are 416 mm apart at best, with all others closed; "
        r"or else the pins of",
    ) as reported:
        ms.assemble(sketch(**SHORT))
    assert reported.value.closing.gaps[0].distance == pytest.approx(MISSING, rel=1e-4)
    assert ms.check(reported.value.project).gap == pytest.approx(MISSING, rel=1e-4)


def test_the_command_closes_writes_and_reports(tmp_path, capsys):
    ms.save(sketch(), tmp_path / "sketch.mech")
    assert (
        main.main(
            ["assemble", str(tmp_path / "sketch.mech"), "--out", str(tmp_path / "closed.mech")]
        )
        == 0
    )
    assert capsys.readouterr().out.startswith("The largest joint gap was 22.4 mm at C, closed to ")
    assert ms.check(ms.load(tmp_path / "closed.mech")).gap < 1e-12
    assert main.main(["assemble", str(tmp_path / "closed.mech"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (
        report["closed"]
        and report["moved"] == 0.0
        and report["message"] == "The drawing is closed as it is: every joint holds."
    )
    assert main.main(["check", str(tmp_path / "sketch.mech")]) == 0
    assert "open" not in capsys.readouterr().out, "only what cannot close says so"


def test_the_command_says_what_stays_apart_and_who_is_not_there(tmp_path, capsys):
    ms.save(sketch(**SHORT), tmp_path / "short.mech")
    assert (
        main.main(["assemble", str(tmp_path / "short.mech"), "--out", str(tmp_path / "no.mech")])
        == 1
    )
    out = capsys.readouterr().out
    assert "416 mm apart at best" in out and not (tmp_path / "no.mech").exists()
    assert main.main(["assemble", str(tmp_path / "short.mech"), "--keep", "nobody"]) == 2
    assert "no body nobody" in capsys.readouterr().err


def four_bar(tmp_path, **texts):
    """The sample with the place of its rocker typed, and other numbers of it."""
    project = ms.load(sample_folder() / "four_bar.mech")
    for id, (path, text) in texts.items():
        project = elements.set_quantity(project, id, path, text)
    ms.save(project, tmp_path / "typed.mech")
    return project


def typed(project):
    return {
        (id, k): q.text
        for id, b in project.mechanism.bodies.items()
        for k, q in enumerate((*b.placement.position, *b.placement.orientation))
        if q.text
    }


# a coupler longer by 18 mm opens the drawing; every typed place can be met still
LONGER = {"L2": (("value",), "348 mm")}


def test_typed_coordinates_stay_if_the_joints_close_with_them(tmp_path, capsys):
    project = four_bar(tmp_path, **LONGER)
    assert ms.check(project).gap > 0.005 and ("rocker", 0) in typed(project)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        closed = ms.assemble(project)
    assert typed(closed) == typed(project) and ms.check(closed).gap < 1e-12
    out = str(tmp_path / "closed.mech")
    assert main.main(["assemble", str(tmp_path / "typed.mech"), "--out", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced"] == []
    assert typed(ms.load(out)) == typed(project)


# the rocker typed 18 mm off its pin cannot stand there
@pytest.mark.parametrize(
    ("text", "said"), [("358 mm", "The typed 358 mm"), ("L4 + 18 mm", "The formula L4 + 18 mm")]
)
def test_typed_coordinate_off_its_joint_becomes_a_number_and_is_reported(
    tmp_path, capsys, text, said
):
    project = four_bar(tmp_path, rocker=(("placement", "position", 0), text))
    sentence = f"{said} for X of rocker became a number, since the joints close elsewhere."
    with pytest.warns(UserWarning, match="became a number") as reported:
        closed = ms.assemble(project)
    assert [str(w.message) for w in reported] == [sentence] and ms.check(closed).gap < 1e-12
    assert typed(closed) == {k: t for k, t in typed(project).items() if k != ("rocker", 0)}
    assert main.main(["assemble", str(tmp_path / "typed.mech")]) == 0
    assert sentence in capsys.readouterr().out
    assert main.main(["assemble", str(tmp_path / "typed.mech"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced"] == [
        {"element": "rocker", "field": "X", "text": text}
    ]


def test_setting_a_coordinate_reports_the_formula_it_overwrites():
    project = ms.load(sample_folder() / "double_pendulum.mech")
    with pytest.warns(
        UserWarning,
        match=r"The formula -\(alpha\) for Angle about Y of upper became a number, since A was set",
    ):
        ms.at(project, "A", "50 deg")
