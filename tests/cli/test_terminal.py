"""Terminal output of commands: progress on its last line, which is empty in the end, and JSON
that every reader takes and every eye reads.
"""

import json
import math
import sys
from io import StringIO

import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.cli import terminal
from mechstudio.cli.main import main
from mechstudio.files.project_file import save
from mechstudio.folders import sample_folder

FOUR_BAR = str(sample_folder() / "four_bar.mech")
NAME = "Kurbel–曲柄 é"  # of a body, a joint and a parameter
SHORT = ("--duration", "0.2", "--sample-step", "0.1")
WAYS = (
    ("check", "FILE"),
    ("assemble", "FILE"),
    ("analyse", "FILE"),
    ("analyse", "FILE", "--what", "branches", "--joint", f"D {NAME}"),
    ("analyse", "FILE", "--what", "loads", *SHORT),
    ("analyse", "FILE", "--what", "power", "--what", "energy", *SHORT),
    ("equations", "FILE", "--method", "newton-euler"),
    ("simulate", "FILE", "--duration", "0.2"),
    ("diff", "FILE", FOUR_BAR),
    ("size", "counterweights", "FILE"),
    ("study", "FILE", "--vary", "L2=310..350 mm", "--samples", "3", "--workers", "1")
    + ("--measure", f"final D {NAME} angle", "--duration", "0.2"),
    ("optimise", "FILE", "--vary", "L2=310..350 mm", "--least", f"max D {NAME} angle")
    + ("--method", "local", "--runs", "3", "--workers", "1", "--duration", "0.2"),
)


NAMELESS = ("simulate", "assemble")  # commands that tell ids
JSON, AS_JSON = ("--json",), {"equations": ("--format", "json")}


class Terminal(StringIO):
    """An error output that is a terminal."""

    def isatty(self):
        return True

    @property
    def last_line(self):
        """Words of the last line, after all that was written over."""
        return self.getvalue().rpartition("\n")[2].rpartition("\r\033[K")[2]


def error_terminal(monkeypatch):
    """A terminal in place of the error output, from now on: pytest sets its own before a test."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    return made


@pytest.fixture
def file(tmp_path):
    """The four-bar with bodies and joints of names in several scripts."""
    project, path = ms.load(FOUR_BAR), tmp_path / "four_bar.mech"
    m = project.mechanism
    named = {
        "bodies": {id: replace(b, name=f"{id} {NAME}") for id, b in m.bodies.items()},
        "joints": {id: replace(j, name=f"{id} {NAME}") for id, j in m.joints.items()},
    }
    save(path, replace(project, mechanism=replace(m, **named)))
    return str(path)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way[:1] + way[2:4]))
def test_json_is_sound_and_readable_and_the_last_line_is_cleared(way, file, capsys, monkeypatch):
    screen = error_terminal(monkeypatch)
    assert main([*(word.replace("FILE", file) for word in way), *AS_JSON.get(way[0], JSON)]) < 2
    said = capsys.readouterr().out
    refuse = lambda constant: pytest.fail(f"{constant} is no JSON")
    found = json.loads(said, parse_constant=refuse)
    assert found and json.dumps(found, ensure_ascii=False, indent=1) + "\n" == said
    assert NAME in said or way[0] in NAMELESS or "branches" in way
    assert "\\u" not in said
    assert screen.last_line == ""
    quick = way[0] in ("check", "assemble", "diff") or way == ("analyse", "FILE")
    assert (screen.getvalue().count(terminal.CLEARED) > 1) != quick


def test_progress_is_shown_on_one_line_of_a_terminal_and_nowhere_else(monkeypatch):
    screen = error_terminal(monkeypatch)
    with terminal.progress_line("Working") as progress:
        for fraction in (0.0, 0.101, 0.105, 1.0):
            progress(fraction)
        assert screen.last_line == "Working 100 %"
        assert screen.getvalue().count("10 %") == 1, "written where it changes"
        assert "\n" not in screen.getvalue()
    assert screen.last_line == ""
    terminal.show_line("elsewhere")
    assert screen.last_line == "elsewhere"
    monkeypatch.setattr(sys, "stderr", StringIO())
    with terminal.progress_line("Working") as progress:
        assert progress is None
    terminal.show_line("nowhere")
    assert sys.stderr.getvalue() == ""


def test_a_line_is_cleared_where_the_work_fails(monkeypatch):
    screen = error_terminal(monkeypatch)

    def fail():
        with terminal.progress_line("Working") as progress:
            progress(0.5)
            raise ValueError

    with pytest.raises(ValueError):
        fail()
    assert screen.last_line == ""


def test_numbers_that_json_cannot_say_are_null():
    report = {"a": math.nan, "b": [math.inf, 1.5, "é"], "c": (1, -math.inf), "d": {"e": None}}
    said = terminal.json_text(report)
    assert json.loads(said) == {"a": None, "b": [None, 1.5, "é"], "c": [1, None], "d": {"e": None}}
    assert "é" in said and said.startswith('{\n "a": null,\n')
