"""The command line: exact keys, exit states, silence in a pipe, one sentence for what goes
wrong.
"""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio import translation
from mechstudio.cli import check, equations, main, outcome
from mechstudio.model.quantity import Quantity

ROOT = Path(__file__).parents[2]
FOUR_BAR = str(ROOT / "samples" / "four_bar.mech")
PENDULUM = str(ROOT / "samples" / "double_pendulum.mech")


@pytest.fixture
def run(capsys):
    """run(*arguments) -> (exit status, standard output, standard error)."""

    def call(*arguments, render=None):
        status = main.main([str(a) for a in arguments], render)
        return (status, *capsys.readouterr())

    return call


@pytest.mark.parametrize(
    ("code", "usage", "missing"),
    [
        ("en", "usage: mechstudio check", "required: FILE"),
        ("fr", "utilisation\u00a0: mechstudio check", "obligatoires\u00a0: FILE"),
        ("zh_CN", "用法：mechstudio check", "必需的参数：FILE"),
    ],
)
def test_argparse_speaks_the_language_shown(run, monkeypatch, code, usage, missing):
    monkeypatch.setenv("LANGUAGE", "en")
    before = translation.language()
    translation.use(code)
    try:
        status, _, err = run("check")
    finally:
        translation.use(before)
        translation.lend()
    assert status == 2 and usage in err and missing in err


@pytest.fixture
def ghost(tmp_path):
    """A file whose only body moves without inertia: an error."""
    m = ms.Builder("Ghost")
    m.pin("A", m.ground, m.body("ghost"), at=(0, 0, 0))
    ms.save(m.project(), tmp_path / "ghost.mech")
    return tmp_path / "ghost.mech"


@pytest.fixture
def explosive(tmp_path):
    """A file whose run must stop: a spring far too stiff for the fixed step of its settings."""
    m = ms.Builder("Explosive")
    ball = m.body("ball", (1, 0, 0), mass=1, inertia=(1, 1, 1))
    m.slider("A", m.ground, ball, at=(1, 0, 0), axis=(1, 0, 0), rate=1)
    m.force(
        "spring",
        "s",
        a=m.ground,
        b=ball,
        at=((0, 0, 0), (1, 0, 0)),
        stiffness=1e12,
        free_length=0.9,
    )
    m.run(integrator="rk4", step=1e-2)
    ms.save(m.project(), tmp_path / "explosive.mech")
    return tmp_path / "explosive.mech"


# check


def test_check_json_has_exactly_the_agreed_keys(run):
    status, out, err = run("check", FOUR_BAR, "--json")
    report = json.loads(out)
    assert status == 0 and err == ""
    assert set(report) == {
        "bodies",
        "joints",
        "mobility",
        "mobility_drawn",
        "configuration_freedom",
        "hyperstaticity",
        "loops",
        "structure",
        "count",
        "findings",
    }
    assert {k: v for k, v in report.items() if k != "findings"} == {
        "bodies": 3,
        "joints": 4,
        "mobility": 1,
        "mobility_drawn": 1,
        "configuration_freedom": 1,
        "hyperstaticity": 3,
        "loops": 1,
        "structure": "closed",
        "count": -2,
    }
    assert report["findings"] and all(
        set(f) == {"severity", "element", "message", "cure"} for f in report["findings"]
    )
    assert {f["severity"] for f in report["findings"]} == {"info"}, "redundancy is information"


def test_check_in_words(run):
    status, out, err = run("check", FOUR_BAR)
    assert (
        status == 0
        and err == ""
        and "Mobility 1 · Hyperstatic 3 · Loops 1" in out
        and "\nNote: " in out
    )


def test_analyse_in_words(run):
    status, out, err = run("analyse", FOUR_BAR)
    assert status == 0 and err == ""
    for words in (
        "mobility d = n - q = 1",
        "d - h = -2, by counting -2",
        "loop 1: ",
        "closed by C",
        "crank turns, all follow",
        "Make C spherical: hyperstatic 3 to 1",
    ):
        assert words in out, out


@pytest.mark.slow
def test_analyse_prints_branches_and_dead_points(run):
    status, out, err = run("analyse", FOUR_BAR, "--what", "branches", "--joint", "D", "--json")
    found = json.loads(out)["branches"]
    assert status == 0 and err == "" and set(json.loads(out)) == {"branches"}
    assert (len(found["dead_points"]), len(found["branches"]), found["closed"], found["turns"]) == (
        2,
        2,
        True,
        0,
    )
    assert found["four_bar"]["kind"].startswith("rocker-crank")
    status, out, err = run("analyse", FOUR_BAR, "--what", "branches", "--joint", "nothing")
    assert status == 2 and "There is no joint nothing" in err
    status, out, err = run("analyse", ROOT / "samples" / "cart_pole.mech", "--what", "branches")
    assert status == 1 and "has 2 freedoms" in out


def test_analyse_of_something_with_an_error_is_1(run, ghost):
    status, out, _err = run("analyse", ghost, "--json")
    assert status == 1 and [f["element"] for f in json.loads(out)["findings"]] == ["ghost"]


def test_check_of_something_that_cannot_run_is_1(run, ghost):
    status, out, err = run("check", ghost, "--json")
    assert status == 1 and err == ""
    assert [f["element"] for f in json.loads(out)["findings"] if f["severity"] == "error"] == [
        "ghost"
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"{",
        b'{"mechstudio": 1',
        b"\x00\xff" * 50,
        b'{"mechstudio": "two"}\n',
        b"[" * 100000,
        None,
    ],
)
@pytest.mark.parametrize(
    "command", [["check"], ["simulate", "--duration", "1"], ["render", "--out", "x.png"]]
)
def test_an_unreadable_file_is_2_and_one_sentence(run, tmp_path, command, content):
    path = tmp_path / "bad.mech"
    if content is not None:
        path.write_bytes(content)
    status, out, err = run(command[0], path, *command[1:], render=lambda request: None)
    assert status == 2 and out == ""
    assert (
        err.startswith("mechstudio: ")
        and err.count("\n") == 1
        and "Traceback" not in err
        and "fault of mechstudio" not in err
    )


# simulate


def test_simulate_json_has_exactly_the_agreed_keys(run):
    status, out, err = run("simulate", FOUR_BAR, "--duration", 0.5, "--json")
    s = json.loads(out)
    assert status == 0 and err == "", "silence in a pipe"
    assert set(s) == {
        "duration",
        "samples",
        "steps",
        "rejected_steps",
        "cpu_s",
        "wall_s",
        "energy_error",
        "constraint_error_m",
        "rate",
        "digest",
    }
    assert (
        s["duration"] == 0.5
        and s["samples"] == 31
        and s["cpu_s"] > 0
        and s["rate"] == pytest.approx(0.5 / s["wall_s"])
    )
    assert 0 <= s["energy_error"] < 1e-6 and 0 <= s["constraint_error_m"] < 1e-10


def test_energy_error_is_null_where_nothing_moves(run, tmp_path):
    m = ms.Builder()
    m.fix("A", m.ground, m.body("stone", mass=1, inertia=(1, 1, 1)), at=(0, 0, 0))
    ms.save(m.project(), tmp_path / "stone.mech")
    assert (
        json.loads(run("simulate", tmp_path / "stone.mech", "--duration", 0.1, "--json")[1])[
            "energy_error"
        ]
        is None
    )


def test_rk4_steps_and_defaults(run):
    def steps(*options):
        return json.loads(
            run("simulate", FOUR_BAR, "--duration", 0.1, "--integrator", "rk4", "--json", *options)[
                1
            ]
        )

    assert steps()["steps"] == 100 and steps("--tolerance", 1e-2)["steps"] == 100, (
        "1 ms, whatever the tolerance"
    )
    assert (
        steps("--step", 0.002)["steps"] == 50
        and steps("--step", "2 ms", "--sample-step", 0.01)["samples"] == 11
    )


def test_dop853_takes_tolerance_and_largest_step(run):
    def steps(*options):
        return json.loads(run("simulate", FOUR_BAR, "--duration", 0.5, "--json", *options)[1])[
            "steps"
        ]

    assert (
        steps("--tolerance", 1e-4)
        < steps()
        == steps("--tolerance", 1e-9)
        < steps("--tolerance", 1e-12)
    )
    assert steps("--step", 0.002) >= 250


def test_csv_has_names_units_and_every_sample(run, tmp_path):
    out = tmp_path / "out.csv"
    status, said, err = run(
        "simulate", FOUR_BAR, "--duration", 0.2, "--sample-step", 0.1, "--csv", out
    )
    assert status == 0 and err == "" and str(out) in said
    header, *rows = csv.reader(io.StringIO(out.read_text("utf-8")))
    assert (
        len(rows) == 3
        and all(len(r) == len(header) for r in rows)
        and len(set(header)) == len(header)
    )
    assert header[0] == "time [s]" and all(name.endswith("]") and " [" in name for name in header)
    for name in (
        "crank x [m]",
        "crank quaternion w [1]",
        "coupler vz [m/s]",
        "rocker wy [rad/s]",
        "A angle [rad]",
        "Kinetic energy [J]",
        "Largest joint gap [m]",
    ):
        assert name in header
    result = ms.simulate(ms.load(FOUR_BAR), duration=0.2, sample_step=0.1)
    assert np.array_equal(np.array(rows, float), result.rows), "every digit"


def test_a_run_that_stops_early_is_1_and_keeps_its_samples(run, explosive, tmp_path):
    out = tmp_path / "out.csv"
    status, said, err = run("simulate", explosive, "--duration", 100, "--json", "--csv", out)
    s = json.loads(said)
    assert status == 1 and err.startswith("mechstudio: Stopped early: ") and err.count("\n") == 1
    assert s["duration"] < 100 and len(out.read_text().splitlines()) == s["samples"] + 1 > 1


def test_omissions_of_a_file_are_reported_with_every_result(run, tmp_path):
    # without its joint D the four-bar is a chain of three: a result without a word would stand for
    # another mechanism
    broken = tmp_path / "broken.mech"
    text = open(FOUR_BAR, encoding="utf-8").read()
    changed = text.replace('{"id": "D", "type": "revolute"', '{"id": "D", "type": "hyperbolic"')
    assert changed != text
    broken.write_text(changed, encoding="utf-8")
    for command in (
        ("simulate", broken, "--duration", "0.1", "--json"),
        ("analyse", broken),
        ("equations", broken),
    ):
        status, said, err = run(*command)
        assert (
            status == 1
            and said
            and 'mechstudio: Joint D cannot be used: its type "hyperbolic" is not known' in err
        )


def test_a_mechanism_that_cannot_start_is_1(run, ghost):
    status, said, err = run("simulate", ghost, "--duration", 1, "--json")
    assert (
        status == 1
        and "host" in err
        and err.count("\n") == 1
        and set(json.loads(said).values()) == {None}
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--duration", "-1"),
        ("--duration", "long"),
        ("--step", "0 mm"),
        ("--step", "0"),
        ("--step", "0 ms"),
        ("--csv", ""),
        ("--csv", " "),
        ("--tolerance", "7"),
        ("--sample-step", "nan"),
        ("--integrator", "euler"),
        ("--csv", "/no/such/folder/out.csv"),
        ("--csv", str(ROOT)),
        ("--frobnicate",),
    ],
)
def test_senseless_options_are_2(run, options):
    status, out, err = run("simulate", FOUR_BAR, *options)
    assert (
        status == 2
        and out == ""
        and err
        and "Traceback" not in err
        and "fault of mechstudio" not in err
    )


def test_driven_joints_are_reported(run):
    status, out, _err = run("simulate", ROOT / "samples" / "gear_train.mech", "--duration", 0.2)
    assert status == 0 and "Driven: A angle (velocity by motor)\n" in out
    assert "Driven" not in run("simulate", FOUR_BAR, "--duration", 0.2)[1]


def test_equations_choose_coordinates_as_the_window_does(run):
    """Angles of links where loops close, of joints where none do."""
    auto = run("equations", FOUR_BAR)[1]
    assert (
        auto
        == run("equations", FOUR_BAR, "--coordinates", "link")[1]
        != run("equations", FOUR_BAR, "--coordinates", "joint")[1]
    )


def test_progress_of_equations_goes_forward_only():
    seen = []
    options = SimpleNamespace(
        chapter=False,
        proofs=False,
        method="lagrange",
        coordinates="joint",
        units="m-N-rad",
        file=PENDULUM,
    )
    equations.output(ms.load(PENDULUM), options, "notebook", seen.append)
    assert seen == sorted(seen) and 0.3 < seen[-1] <= 1.0, "derived, and being written"


def test_progress_on_a_terminal(run, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, _out, err = run("simulate", FOUR_BAR, "--duration", 5)
    assert status == 0 and "Simulating" in err and " %" in err and err.endswith("\r\033[K"), (
        "the line is cleared at the end"
    )


# render


class Draws:
    """Stands for the function that mechstudio/main.py hands in."""

    def __call__(self, request):
        self.request, self.display = request, os.environ.get("DISPLAY")
        Path(request.out).write_bytes(b"picture")


def test_render_passes_on_its_options(run, tmp_path, monkeypatch):
    monkeypatch.setattr(outcome, "has_screen", lambda: True)
    draws = Draws()
    assert run(
        "render",
        FOUR_BAR,
        "--time",
        0.3,
        "--size",
        "800x600",
        "--theme",
        "dark",
        "--window",
        "--out",
        tmp_path / "a.png",
        render=draws,
    ) == (0, "", "")
    r = draws.request
    assert (r.time, r.width, r.height, r.theme, r.window) == (
        pytest.approx(0.3),
        800,
        600,
        "dark",
        True,
    ) and r.camera is not None
    assert np.array_equal(
        r.poses, ms.simulate(ms.load(FOUR_BAR), duration=0.3, sample_step=0.3).poses[-1]
    )


def test_render_of_the_drawing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(outcome, "has_screen", lambda: True)
    draws = Draws()
    assert run("render", FOUR_BAR, "--out", tmp_path / "a.png", render=draws)[0] == 0
    assert (
        draws.request.time is None
        and draws.request.poses.shape == (3, 7)
        and not draws.request.window
    )


def test_render_starts_a_virtual_screen_where_there_is_none(run, tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "QT_QPA_PLATFORM"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "platform", "linux")
    draws = Draws()
    assert run("render", FOUR_BAR, "--out", tmp_path / "a.png", render=draws)[0] == 0
    assert draws.display.startswith(":")


def test_render_without_xvfb_is_2_and_one_sentence(run, tmp_path, monkeypatch):
    monkeypatch.setattr(outcome, "has_screen", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, err = run("render", FOUR_BAR, "--out", tmp_path / "a.png", render=Draws())
    assert status == 2 and out == "" and "Xvfb" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--out", "/no/such/folder/a.png"),
        ("--out", "a.png", "--size", "big"),
        ("--out", "a.png", "--size", "9x9"),
        (),
    ],
)
def test_pictures_that_cannot_be_are_2(run, monkeypatch, options):
    monkeypatch.setattr(outcome, "has_screen", lambda: True)
    status, out, err = run("render", FOUR_BAR, *options, render=Draws())
    assert (
        status == 2
        and out == ""
        and err
        and "Traceback" not in err
        and "fault of mechstudio" not in err
    )


# the program itself


def program(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "mechstudio", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        **more,
    )


def test_the_installed_program_runs_the_commands():
    done = program("check", FOUR_BAR, "--json")
    assert done.returncode == 0 and done.stderr == "" and json.loads(done.stdout)["mobility"] == 1
    done = program("simulate", FOUR_BAR, "--duration", "0.1", "--json")
    assert done.returncode == 0 and done.stderr == "" and json.loads(done.stdout)["samples"] == 7
    assert program("--version").stdout.startswith("mechstudio 0.")


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_fault():
    reader = subprocess.Popen(
        [sys.executable, "-m", "mechstudio", "check", FOUR_BAR, "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    reader.stdout.close()
    assert reader.stderr.read() == b"" and reader.wait(60) == 0


@pytest.mark.slow
def test_a_terminal_without_unicode_is_no_fault():
    done = program("check", FOUR_BAR, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "Mobility 1 ? Hyperstatic 3" in done.stdout


def test_a_fault_of_the_program_is_one_sentence_too(run, monkeypatch):
    monkeypatch.setattr(check, "load_file", lambda path: 1 / 0)
    monkeypatch.delenv(main.DEBUG, raising=False)
    status, _out, err = run("check", FOUR_BAR)
    assert (
        status == 2
        and err.startswith("mechstudio: This is a fault of mechstudio itself")
        and err.count("\n") == 1
    )
    monkeypatch.setenv(main.DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        run("check", FOUR_BAR)


def test_settings_of_the_file_count(run, tmp_path):
    project = ms.load(FOUR_BAR)
    settings = msgspec.structs.replace(
        project.settings, duration=Quantity(0.25), sample_step=Quantity(0.05)
    )
    ms.save(msgspec.structs.replace(project, settings=settings), tmp_path / "x.mech")
    s = json.loads(run("simulate", tmp_path / "x.mech", "--json")[1])
    assert (s["duration"], s["samples"]) == (0.25, 6)


# stops


@pytest.fixture
def bouncer(tmp_path):
    """A file whose block falls 1 m on a hard stop, restitution 0.5: the first impact after sqrt(2 /
    g).
    """
    m = ms.Builder("Bouncer")
    m.slider(
        "S",
        m.ground,
        m.body("block", (0, 0, 1), mass=2, inertia=(1, 1, 1)),
        at=(0, 0, 1),
        axis=(0, 0, 1),
        limits=ms.limit(-1.0, restitution=0.5),
    )
    m.run(duration=3.0)
    ms.save(m.project(), tmp_path / "bouncer.mech")
    return tmp_path / "bouncer.mech"


def test_impacts_at_stops_are_counted_and_listed(run, bouncer):
    status, out, _ = run("simulate", bouncer)
    assert (
        status == 0
        and "impacts at stops, 19.6 J lost: S lower" in out
        and "(first at 0.451524 s, rests there)" in out
    )
    status, out, _err = run("simulate", bouncer, "--json")
    s = json.loads(out)
    assert s["impacts"] == len(s["events"]) > 10 and s["impact_loss"] == pytest.approx(
        2 * 9.81, rel=1e-9
    )
    assert s["events"][0] == {
        "type": "stop",
        "time": pytest.approx((2 / 9.81) ** 0.5),
        "joint": s["events"][0]["joint"],
        "coordinate": 0,
        "upper": False,
        "speed": pytest.approx((2 * 9.81) ** 0.5),
        "impulse": pytest.approx(3 * (2 * 9.81) ** 0.5),
        "rests": False,
    }
    result = ms.simulate(ms.load(bouncer))
    assert [msgspec.to_builtins(e) for e in result.events] == s["events"] and result.statistics[
        "impacts"
    ] == s["impacts"]


# contacts


def test_steps_above_the_tolerance_of_contacts_are_reported(run, tmp_path):
    """A stack hit by a ball cannot be solved to 1e-9 m/s in one iteration."""
    m = ms.Builder("Stack")
    for k in range(3):
        m.body(f"box {k}", (0, 0, 0.1 + 0.2 * k)).box(0.2, 0.2, 0.2)
    m.floor()
    m.touch(step="2 ms", tolerance=1e-9)
    m.run(duration=0.1)
    project = m.project()
    ms.save(project, tmp_path / "good.mech")
    contacts = msgspec.structs.replace(project.settings.contacts, most=1)
    ms.save(
        msgspec.structs.replace(
            project, settings=msgspec.structs.replace(project.settings, contacts=contacts)
        ),
        tmp_path / "hasty.mech",
    )
    status, out, _err = run("simulate", tmp_path / "hasty.mech")
    assert (
        status == 0
        and "ended above the tolerance of contacts, 1e-09 m/s" in out
        and "Allow more than 1 iterations" in out
    )
    reported = json.loads(run("simulate", tmp_path / "hasty.mech", "--json")[1])
    assert reported["unsolved"] > 0 and reported["contact_residual"] > 1e-9
    assert any("Motion and forces of contacts may be wrong" in n for n in reported["notes"])
    assert (
        "above the tolerance" not in run("simulate", tmp_path / "good.mech")[1]
        and json.loads(run("simulate", tmp_path / "good.mech", "--json")[1])["unsolved"] == 0
    )


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".tex", b"\\["),
        (".mml", b"<math "),
        (".typ", b"#set page"),
        (".c", b"/* Four-bar"),
        (".mo", b"model Four_bar"),
        (".ipynb", b"{"),
        (".pdf", b"%PDF-"),
        (".json", b"{"),
        (".html", b"<!DOCTYPE html>"),
    ],
)
def test_equations_into_a_file_of_the_format_of_its_ending(run, tmp_path, ending, start):
    assert run("equations", FOUR_BAR, "--out", tmp_path / f"x{ending}") == (0, "", "")
    assert (tmp_path / f"x{ending}").read_bytes().startswith(start)


def test_an_ending_of_two_formats_says_which_was_written(run, tmp_path):
    status, out, err = run("equations", FOUR_BAR, "--out", tmp_path / "x.py")
    assert (status, out) == (0, "") and err == (
        f"{tmp_path / 'x.py'} is written as SymPy script (--format sympy); .py stands "
        "for Python function (--format python) too.\n"
    )
    assert run("equations", FOUR_BAR, "--format", "python", "--out", tmp_path / "x.py") == (
        0,
        "",
        "",
    )


def test_equations_in_a_chosen_format_and_method(run, tmp_path):
    status, out, err = run("equations", FOUR_BAR, "--format", "c", "--method", "newton-euler")
    assert (status, err) == (0, "") and "void equations(" in out
    assert run("equations", FOUR_BAR, "--format", "report-pdf", "--out", tmp_path / "x.bin")[
        0
    ] == 0 and (tmp_path / "x.bin").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--out", "/no/such/folder/x.c"), "there is no folder /no/such/folder"),
        (("--out", "x.docx"), "The ending .docx stands for no format"),
        (("--out", "plain"), "has no ending"),
        (("--out", " "), "--out needs the name of a file"),
        (("--out", str(ROOT)), "folder"),
        (("--format", "word"), "invalid choice"),
    ],
)
def test_equations_that_cannot_be_written_are_2(run, options, words):
    status, out, err = run("equations", FOUR_BAR, *options)
    assert status == 2 and out == "" and words in err and "Traceback" not in err


def test_a_run_ends_where_it_should(run):
    status, out, err = run(
        "simulate", FOUR_BAR, "--duration", "1", "--until", "A angle = 300 deg", "--json"
    )
    report = json.loads(out)
    assert (
        status == 0
        and report["ended_by"].startswith("A angle passes 5.23")
        and 0 < report["duration"] < 1
    )
    status, out, err = run(
        "simulate",
        FOUR_BAR,
        "--duration",
        "1",
        "--until",
        "Kinetic energy > 1e9 J",
        "--until",
        "A angle = 300 deg",
    )
    assert status == 0 and "Ended at" in out and "when A angle passes 300" in out
    status, out, err = run("simulate", FOUR_BAR, "--until", "tea = 3")
    assert status == 2 and "There is no quantity tea" in err


def test_a_screen_that_was_started_is_not_left_in_the_environment(monkeypatch):
    @contextlib.contextmanager
    def screen(*size):
        yield {"DISPLAY": ":77", "HOME": "/elsewhere"}

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(outcome, "has_screen", lambda: False)
    monkeypatch.setattr(outcome, "virtual_screen", screen)
    before, during = dict(os.environ), []
    outcome.on_screen(lambda: during.append(os.environ["DISPLAY"]))
    assert during == [":77"] and dict(os.environ) == before
    with pytest.raises(ZeroDivisionError):
        outcome.on_screen(lambda: 1 / 0)
    assert dict(os.environ) == before
