"""Shipped parts: the changelog, the version, the wheel's contents, and the script that sets a
machine up.
"""

import contextlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from mechstudio.model.version import VERSION
from mechstudio.virtual_screen import NoScreenError, has_screen, virtual_screen

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
KINDS = ("Added", "Changed", "Fixed", "Removed")


# changelog


def releases(text: str) -> list[tuple[str, str, dict[str, list[str]]]]:
    """(version, date or "unreleased", kind -> entries) of each release, newest first.  Raises
    ValueError with the line at fault.
    """
    lines = text.splitlines()
    if not lines or lines[0] != "# Changelog":
        raise ValueError("the first line is not '# Changelog'")
    found: list[tuple[str, str, dict[str, list[str]]]] = []
    for number, line in enumerate(lines[1:], 2):
        if m := re.fullmatch(r"## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d|unreleased)\)", line):
            found.append((m[1], m[2], {}))
        elif (
            found and line.startswith("### ") and line[4:] in KINDS and line[4:] not in found[-1][2]
        ):
            found[-1][2][line[4:]] = []
        elif found and found[-1][2] and line.startswith("- ") and line.endswith("."):
            list(found[-1][2].values())[-1].append(line[2:])
        elif line.strip():
            raise ValueError(
                f"line {number} is neither a release, a kind of change nor an entry: {line}"
            )
    return found


def test_the_changelog_is_well_formed_and_has_this_version():
    found = releases((ROOT / "packaging" / "CHANGELOG.md").read_text("utf-8"))
    assert found[0][0] == VERSION == PROJECT["version"]
    versions = [tuple(map(int, v.split("."))) for v, _, _ in found]
    assert versions == sorted(set(versions), reverse=True)
    dates = [d for _, d, _ in found]
    assert "unreleased" not in dates[1:] and dates[1:] == sorted(dates[1:], reverse=True)
    assert all(kinds and all(kinds.values()) for _, _, kinds in found), "no empty headings"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Changes",
        "# Changelog\n## 1.0 (2026-01-01)",
        "# Changelog\n## 1.0.0 (soon)",
        "# Changelog\n- Something.",
        "# Changelog\n## 1.0.0 (unreleased)\n### News",
        "# Changelog\n## 1.0.0 (unreleased)\n### Added\n- no full stop",
    ],
)
def test_the_changelog_rule_catches(text):
    with pytest.raises(ValueError):
        releases(text)


# what is installed


def test_the_qt_that_corrupts_reference_counts_is_kept_out():
    """PySide6 6.12.0 on Python 3.11 dies after about 5000 calls that return None."""
    assert any(
        d.replace(" ", "").startswith("PySide6_Essentials") and "<6.12" in d
        for d in PROJECT["dependencies"]
    )


def test_numba_stays_below_the_version_after_the_tested_one():
    """Kernels use names of Numba's own, which a minor version may move."""
    (needs,) = (d for d in PROJECT["dependencies"] if d.startswith("numba"))
    major, minor = (int(n) for n in version("numba").split(".")[:2])
    assert needs.endswith(f",<{major}.{minor + 1}")


def test_none_survives_many_calls_of_qt():
    code = (
        "from PySide6.QtCore import QObject\no = QObject()\nfor k in range(20000): "
        "o.setObjectName('x')"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode
        == 0
    )


def requested_files() -> set[str]:
    """Every file that an installation must have, by its place there."""
    requested = {
        p.relative_to(ROOT).as_posix()
        for p in (ROOT / "mechstudio").rglob("*")
        if p.is_file() and p.suffix != ".pyc"
    }
    for folder, inside in (("resources", "_resources"), ("samples", "_samples")):
        requested |= {
            f"mechstudio/{inside}/{p.relative_to(ROOT / folder).as_posix()}"
            for p in (ROOT / folder).rglob("*")
            # a window that lives beside the tests may keep its journal there
            if p.is_file() and not p.name.startswith(".")
        }
    return requested


def test_the_installation_holds_everything_and_nothing_else(tmp_path):
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    assert {
        p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()
    } == requested_files()


@pytest.mark.slow
def test_an_installed_wheel_runs_from_another_folder(tmp_path):
    """Needs the network: a fresh environment with everything in it."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
    code = (
        "from mechstudio.application.resources import sample_folder; print(sample_folder() / "
        "'four_bar.mech')"
    )
    sample = subprocess.run(
        [python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert "_samples" in sample
    done = subprocess.run(
        [python.with_name("mechstudio"), "check", sample, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and json.loads(done.stdout)["mobility"] == 1


# dev.py


@pytest.fixture
def dev(tmp_path, monkeypatch):
    """packaging/dev.py as a module whose .venv is a folder for this test."""
    spec = importlib.util.spec_from_file_location("dev", ROOT / "packaging" / "dev.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path)
    monkeypatch.setattr(module, "STAMP", tmp_path / "stamp.json")
    return module


def test_dev_uses_the_standard_library_only():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'packaging')!r}); before = "
        "set(sys.modules); import dev; print(*(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert {n.partition(".")[0] for n in done.stdout.split()} <= set(sys.stdlib_module_names) | {
        "dev"
    }


def test_dev_installs_once_and_again_when_the_needs_change(dev, monkeypatch):
    assert not dev.is_installed([])
    dev.STAMP.write_text(json.dumps(dev.requested_stamp(["test"])))
    assert dev.is_installed(["test"]) and dev.is_installed([])
    dev.STAMP.write_text(json.dumps(dev.requested_stamp([])))
    assert dev.is_installed([]) and not dev.is_installed(["test"])
    for damaged in ("", "{", "[]", '{"needs": "old", "place": "", "extras": []}'):
        dev.STAMP.write_text(damaged)
        assert not dev.is_installed([])
    dev.STAMP.write_text(json.dumps(dev.requested_stamp([])))
    monkeypatch.setattr(dev, "ROOT", dev.VENV)  # a project that was moved is another place
    for name in ("pyproject.toml", "setup.py"):
        (dev.VENV / name).write_bytes((ROOT / name).read_bytes())
    assert not dev.is_installed([])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux needs system packages")
def test_dev_names_what_is_missing_before_it_installs(dev, monkeypatch, capsys):
    monkeypatch.setattr(dev, "LIBRARIES", {"libc.so.6": "libc6", "libnothing.so.1": "libnothing1"})
    monkeypatch.setattr(dev.shutil, "which", lambda program: None)
    assert dev.missing_packages("run", screen=True) == ["libnothing1"]
    assert dev.missing_packages("test", screen=False) == ["libnothing1", "xvfb", "xauth", "xdotool"]
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(
        dev, "prepare_environment", lambda extras: pytest.fail("installs before it looks")
    )
    monkeypatch.setattr(dev, "has_screen", lambda: True)
    assert dev.main(["run"]) == 2
    said = capsys.readouterr().out.splitlines()
    assert said == [
        (
            "dev: the window needs these system packages first (Debian's names): sudo apt-get "
            "install libnothing1"
        )
    ]


def test_dev_says_in_a_sentence_that_there_is_no_network(dev, monkeypatch, capsys):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(dev, "run_quietly", lambda command: pytest.fail("installs before it looks"))
    monkeypatch.setattr(dev, "venv_works", lambda: True)
    monkeypatch.setattr(dev, "pip_command", lambda: [sys.executable, "-m", "pip"])
    monkeypatch.setattr(dev, "prepare_system", lambda purpose, screen: "")
    monkeypatch.setattr(dev, "has_screen", lambda: True)
    assert dev.main(["run"]) == 2
    assert capsys.readouterr().out == (
        "dev: Python packages cannot be fetched: the package index does not answer. "
        "Connect to the network, or set pip's proxy or mirror, and run this again.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [([], 2), (["walk"], 2), (["--help"], 0), (["run", "a", "b"], 2), (["run", "--help"], 0)],
)
def test_dev_explains_itself(dev, capsys, arguments, status):
    assert dev.main(arguments) == status
    assert "dev.py test [pytest arguments]" in capsys.readouterr().out


@pytest.fixture
def parts(dev, tmp_path, monkeypatch):
    """parts(first, second, …): dev.py's run of all parts, one for each of these texts of a file of
    tests; its exit code.
    """

    def run(*texts):
        names = ("first", "second", "third")[: len(texts)]
        for name, text in zip(names, texts):
            (tmp_path / f"test_{name}.py").write_text(text)
        where = ["-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
        monkeypatch.setattr(
            dev,
            "PARTS",
            {name: [*where, str(tmp_path / f"test_{name}.py")] for name in names},
        )
        return dev.run_tests([])

    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(dev, "COMPILE", "")
    monkeypatch.setattr(dev, "ON_SCREEN", ("first",))
    monkeypatch.setattr(dev, "AT_ONCE", 2)
    # plugins take seconds to load
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return run


MEETING = """
import os, pathlib, time
def test_both_are_here():
    here = pathlib.Path(__file__).parent
    (here / "{own}").touch()
    limit = time.monotonic() + 60
    while not (here / "{other}").exists():
        assert time.monotonic() < limit
        time.sleep(0.01)
    assert bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) is {seeing}
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux names its screen in the environment"
)
def test_dev_runs_parts_two_at_a_time_and_reports_them_in_order(parts, capfd):
    last = "import pathlib\ndef test_it_comes_behind():\n    assert {there}"
    there = "(pathlib.Path(__file__).parent / 'a').exists()"
    assert (
        parts(
            MEETING.format(own="a", other="b", seeing=True),
            MEETING.format(own="b", other="a", seeing=False),
            last.format(there=there),
        )
        == 0
    )
    said = capfd.readouterr().out
    assert (
        -1
        < said.find("test_first.py")
        < said.find("1 passed")
        < said.find("test_second.py")
        < said.find("test_third.py")
        < said.rfind("1 passed in")
    )
    assert re.fullmatch(
        r"dev: 3 tests: 3 passed, 0 failed, 0 skipped, in 0 min \d+ s "
        r"\(first: 1 in 0 min \d+ s; second: 1 in 0 min \d+ s; third: 1 in 0 min \d+ s\)",
        said.splitlines()[-1],
    )


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux names its screen in the environment"
)
@pytest.mark.parametrize("real", [False, True])
def test_parts_that_open_windows_have_a_screen_each_or_take_turns(
    dev, parts, monkeypatch, tmp_path, real
):
    """Two on one screen would take the keys away from each other."""
    monkeypatch.setattr(dev, "ON_SCREEN", ("first", "third"))
    monkeypatch.setattr(dev, "AT_ONCE", 3)
    alone = """
import os, pathlib, time
def test_it():
    here, own = pathlib.Path(__file__).parent, pathlib.Path(__file__).stem
    (here / f"{own} on {os.environ['DISPLAY'].strip(':')}").touch()
    if own == "test_first":
        time.sleep(2.0)
        (here / "ended").touch()
    elif REAL:
        assert (here / "ended").exists()
"""
    if real:
        seeing = {**os.environ, "DISPLAY": ":none"}
        monkeypatch.setattr(dev, "screen", lambda: contextlib.nullcontext(dict(seeing)))
        monkeypatch.setattr(dev, "has_screen", lambda: True)
    elif dev.has_screen():
        pytest.skip("here is a real screen")
    alone = alone.replace("REAL", str(real))
    assert parts(alone, "def test_it(): pass", alone) == 0
    assert len({p.name.split(" on ")[1] for p in tmp_path.glob("* on *")}) == (1 if real else 2)


@pytest.mark.parametrize(
    ("first", "second"), [("assert True", "assert False"), ("assert False", "assert True")]
)
def test_dev_fails_with_either_part(parts, capfd, first, second):
    assert parts(f"def test_one(): {first}", f"def test_two(): {second}") == 1
    said = capfd.readouterr().out
    assert (
        len(re.findall(r"^FAILED .*test_(first.py::test_one|second.py::test_two)", said, re.M)) == 1
        and "2 tests: 1 passed, 1 failed, 0 skipped" in said
    )


def test_dev_fails_with_a_part_that_dies(parts, capfd):
    assert parts("def test_one(): pass", "import os\ndef test_two(): os.abort()") not in (0, None)
    said = capfd.readouterr().out
    assert (
        "the tests of second did not come to their end" in said
        and "second: not ended" in said.splitlines()[-1]
    )


def test_dev_runs_the_first_part_beside_the_compiler(dev, parts, monkeypatch, tmp_path):
    meet = MEETING.format(own="a", other="b", seeing=True)
    wait = "import pathlib, time\nwhile not pathlib.Path({!r}).exists():\n    time.sleep(0.01)"
    make = f"\npathlib.Path({str(tmp_path / 'b')!r}).touch()"
    monkeypatch.setattr(dev, "COMPILE", wait.format(str(tmp_path / "a")) + make)
    assert parts(meet) == 0


def test_dev_says_that_the_solver_cannot_be_compiled(dev, parts, monkeypatch):
    monkeypatch.setattr(dev, "COMPILE", "raise SystemExit('no compiler')")
    monkeypatch.setattr(dev, "GRACE", 0.1)
    with pytest.raises(dev.SetupError, match="cannot be compiled"):
        parts("def test_one():\n    import time\n    time.sleep(300)")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without telling it")
@pytest.mark.parametrize(
    ("arguments", "background"),
    [((), False), (("test_first.py",), False), (("test_first.py",), True)],
)
def test_dev_ends_what_it_started_when_it_is_ended(tmp_path, arguments, background):
    """All parts, or the one run; in good order, so that what the tests had opened is closed.
    background: as a shell starts it with &, without Ctrl-C.
    """
    for name in ("first", "second"):
        (tmp_path / f"test_{name}.py").write_text(
            SLEEPER.format(
                begun=str(tmp_path / f"{name} {{}}"), closed=str(tmp_path / f"closed {name}")
            )
        )
    (tmp_path / "start.py").write_text(
        STARTER.format(
            path=str(ROOT / "packaging" / "dev.py"),
            folder=str(tmp_path),
            arguments=["test", *arguments],
        )
    )
    begun = lambda: [
        int(p.name.split()[1])
        for p in tmp_path.iterdir()
        if p.name.split()[0] in ("first", "second")
    ]
    count = 1 if arguments else 2
    heard = signal.signal(
        signal.SIGINT, signal.SIG_IGN if background else signal.default_int_handler
    )  # inherited by child processes
    try:
        dev = subprocess.Popen(
            [sys.executable, str(tmp_path / "start.py")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": ":none"},
        )
    finally:
        signal.signal(signal.SIGINT, heard)
    try:
        limit = time.monotonic() + 60.0
        while len(begun()) < count and time.monotonic() < limit:
            time.sleep(0.05)
        dev.terminate()
        assert dev.wait(60.0) == 143
    finally:
        dev.kill()
        alive = [pid for pid in begun() if Path(f"/proc/{pid}").exists()]
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
    assert len(begun()) == count and not alive
    assert len([p for p in tmp_path.iterdir() if p.name.startswith("closed")]) == count


SLEEPER = """import os, pathlib, time
def test_long():
    pathlib.Path({begun!r}.format(os.getpid())).touch()
    try:
        time.sleep(60)
    finally:
        pathlib.Path({closed!r}).touch()
"""
STARTER = """import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location("dev", {path!r})
dev = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dev)
folder = pathlib.Path({folder!r})
dev.ROOT, dev.PYTHON, dev.COMPILE = folder, pathlib.Path(sys.executable), ""
dev.PARTS = {{name: [str(folder / f"test_{{name}}.py")] for name in ("first", "second")}}
dev.prepare_system = dev.prepare_environment = lambda *needs: "ready"
dev.has_screen = lambda: True
dev.listen()
sys.exit(dev.main({arguments!r}))
"""


def test_dev_ends_all_parts_with_ctrl_c(dev, parts, monkeypatch, tmp_path):
    """Also where it reaches dev.py alone."""
    monkeypatch.setattr(dev, "GRACE", 0.5)
    ended, endings = dev.end, []
    monkeypatch.setattr(
        dev,
        "end",
        lambda processes: (ended(processes), endings.extend(p.poll() for p in processes)),
    )
    monkeypatch.setattr(
        dev.subprocess.Popen,
        "poll",
        interrupted_once(dev.subprocess.Popen.poll, tmp_path / "first", tmp_path / "second"),
    )
    with pytest.raises(KeyboardInterrupt):
        parts(
            *(
                "def test_it():\n    import pathlib, time\n    "
                f"pathlib.Path({str(tmp_path / name)!r}).touch()\n    time.sleep(300)"
                for name in ("first", "second")
            )
        )
    prepared, *codes = endings
    assert prepared == 0 and len(codes) == 2 and all(code not in (0, None) for code in codes)


def interrupted_once(poll, *begun):
    """Popen.poll that is interrupted once, as soon as all of some files are there."""
    interrupted = []

    def polled(process):
        if not interrupted and "pytest" in process.args and all(each.exists() for each in begun):
            interrupted.append(True)
            raise KeyboardInterrupt
        return poll(process)

    return polled


def test_the_ci_command_is_the_second_of_the_readme():
    run = ROOT / ".ci" / "run"
    assert (
        os.access(run, os.X_OK)
        and "packaging/dev.py" in run.read_text()
        and " test " in run.read_text()
    )
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "python3 packaging/dev.py run" in readme and "python3 packaging/dev.py test" in readme


# the virtual screen


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a virtual screen is Linux's")
def test_a_virtual_screen_is_private_and_goes_away():
    with virtual_screen(320, 200) as variables:
        look = ["xdotool", "getdisplaygeometry"]
        seen = subprocess.run(look, env={**os.environ, **variables}, capture_output=True, text=True)
        assert seen.stdout.split() == ["320", "200"]
        stranger = subprocess.run(
            look,
            env={**os.environ, **variables, "XAUTHORITY": os.devnull},
            capture_output=True,
            text=True,
        )
        assert stranger.returncode != 0
    assert (
        subprocess.run(look, env={**os.environ, **variables}, capture_output=True).returncode != 0
    )


def test_without_xvfb_there_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoScreenError, match="Xvfb"), virtual_screen():
        pass


def test_an_xvfb_that_dies_is_reported(monkeypatch, tmp_path):
    broken = tmp_path / "Xvfb"
    broken.write_text("#!/bin/sh\necho 'no room for a screen' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(NoScreenError, match="no room for a screen"), virtual_screen():
        pass


@pytest.mark.parametrize(
    ("platform", "variables", "found"),
    [
        ("win32", {}, True),
        ("darwin", {}, True),
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
    ],
)
def test_screen_is_detected_from_platform_and_environment(monkeypatch, platform, variables, found):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert has_screen() == found
