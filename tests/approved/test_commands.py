"""Command line: what commands print of a four-bar, and what each of their options is when it is not
given.

The help itself is laid out by argparse, each Python in its own way; its words are held here.
"""

import argparse

import pytest

from mechstudio.cli.main import ADDED, main
from mechstudio.folders import sample_folder

FOUR_BAR = "FOUR_BAR"
POSES = "x [m],z [m],angle [deg]\n0,0,0\n0.05,0.03,12\n0.11,0.04,28\n0.18,0.02,52\n"
WANTED = "WANTED"
SHORT = ("--duration", "0.3", "--sample-step", "0.1")
ANALYSED = ("reactions", "loads", "torsors", "power", "energy", "momenta", "linkage", "sensitivity")
VARIED = ("--vary", "L2=310..350 mm", "--duration", "0.2", "--workers", "1")
CALLS = (
    ("check", FOUR_BAR),
    ("check", FOUR_BAR, "--json"),
    ("analyse", FOUR_BAR),
    *(("analyse", FOUR_BAR, "--what", what, *SHORT) for what in ANALYSED),
    ("analyse", FOUR_BAR, "--what", "linearise"),
    ("analyse", FOUR_BAR, "--what", "equilibria"),
    ("analyse", FOUR_BAR, "--what", "branches", "--joint", "D"),
    ("assemble", FOUR_BAR),
    ("equations", FOUR_BAR, "--method", "newton-euler"),
    ("plot", FOUR_BAR, "--list"),
    ("actions",),
    ("study", FOUR_BAR, *VARIED, "--samples", "3", "--measure", "final D angle"),
    ("optimise", FOUR_BAR, *VARIED, "--least", "max A angle", "--method", "local", "--runs", "5"),
    ("size", "counterweights", FOUR_BAR),
    ("synthesise", WANTED, "--for", "motion"),
    # mistakes
    ("simulate", FOUR_BAR, "--duration", "long"),
    ("plot", FOUR_BAR, "--quantity", "Torqe in A"),
    ("analyse", FOUR_BAR, "--what", "relative"),
    ("size", "flywheel", FOUR_BAR),
    ("check", "nowhere.mech"),
    ("assemble", "nowhere.mech"),
    ("assemble", FOUR_BAR, "--out", "nowhere/out.mech"),
    ("convert", FOUR_BAR, "out.bmp"),
    ("convert", FOUR_BAR, "nowhere/out.xml"),
    ("diff", FOUR_BAR, "nowhere.mech"),
    ("new", "out.txt"),
    ("new", "nowhere/out.mech"),
    ("do", "dance", FOUR_BAR),
    ("do", "group", FOUR_BAR),
    ("analyse", FOUR_BAR, "--what", "weather"),
    ("analyse", FOUR_BAR, "--what", "branches", "--joint", "Q"),
    ("analyse", FOUR_BAR, "--what", "relative", "--frames", "Q"),
    ("analyse", FOUR_BAR, "--what", "torsors", "--point", "1,x", *SHORT),
    ("analyse", FOUR_BAR, "--what", "torsors", "--point", "1,2", *SHORT),
    ("simulate", FOUR_BAR, "--duration", "1", "--csv", "nowhere/out.csv"),
    ("simulate", FOUR_BAR, "--duration", "1", "--csv", "."),
    ("simulate", FOUR_BAR, "--duration", "1", "--csv", " "),
    ("simulate", FOUR_BAR, "--duration", "0.1", "--against", "nowhere.csv"),
    ("simulate", FOUR_BAR, "--duration", "1", "--until", "soon"),
    ("equations", FOUR_BAR, "--format", "bmp"),
    ("equations", FOUR_BAR, "--out", "out.bmp"),
    ("equations", FOUR_BAR, "--out", "nowhere/out.tex"),
    ("equations", FOUR_BAR, "--chapter", "weather"),
    ("plot", FOUR_BAR),
    ("plot", FOUR_BAR, "--quantity", "A angle", "--out", "out.bmp"),
    ("plot", FOUR_BAR, "--quantity", "A angle", "--out", "nowhere/out.svg"),
    (*("plot", FOUR_BAR, "--quantity", "A angle", "--diagram", "section", "--out", "out.svg"),)
    + ("--where", "D angle", "--level", "2 mm", *SHORT),
    ("plot", FOUR_BAR, "--quantity", "A angle", "--units", "stone", "--out", "out.svg"),
    ("drawing", FOUR_BAR, "--out", "out.bmp"),
    ("diagram", FOUR_BAR, "--out", "out.svg", "--view", "below"),
    ("study", FOUR_BAR, "--name", "one", *VARIED),
    ("study", FOUR_BAR, "--name", "none"),
    ("study", FOUR_BAR, *VARIED, "--measure", "final D angle", "--correlate", "L2"),
    ("study", FOUR_BAR, *VARIED, "--measure", "final D angle", "--out", "out.bmp"),
    ("study", FOUR_BAR, "--vary", "L2=x", "--measure", "final D angle"),
    ("study", FOUR_BAR, "--vary", "L2=1..2 m", "--measure", "last D angle"),
    ("study", FOUR_BAR, *VARIED, "--measure", "final D angle", "--workers", "-1"),
    ("optimise", FOUR_BAR, "--vary", "L2=310..350 mm"),
    ("optimise", FOUR_BAR, "--vary", "L2=310 mm", "--least", "max A angle"),
    ("optimise", FOUR_BAR, *VARIED, "--least", "max A angle", "--out", "nowhere/out.mech"),
    ("fit", FOUR_BAR, "nowhere.csv", "--vary", "L2=310..350 mm"),
    ("size", "flywheel", FOUR_BAR, "--drive", "Q"),
    ("size", "counterweights", FOUR_BAR, "--out", "nowhere/out.mech"),
    ("synthesise", "nowhere.csv"),
    ("synthesise", WANTED, "--for", "function"),
    ("synthesise", WANTED, "--lengths", "50"),
    ("synthesise", WANTED, "--lengths", "600..50 mm"),
    ("synthesise", WANTED, "--region", "1..2,x"),
    ("synthesise", WANTED, "--transmission", "2 mm"),
    ("synthesise", WANTED, "--linkage", "five_bar"),
    ("mesh", "nowhere.stl"),
    ("mesh", WANTED),
)


def test_commands_print_as_approved(tmp_path, capsys, monkeypatch, approved):
    expected = tmp_path / "poses.csv"
    expected.write_text(POSES, "utf-8")
    monkeypatch.chdir(tmp_path)
    places = {FOUR_BAR: str(sample_folder() / "four_bar.mech"), WANTED: str(expected)}
    lines: list[str] = []
    for call in CALLS:
        status = main([places.get(word, word) for word in call])
        said = capsys.readouterr()
        # what argparse says each Python says in its own way
        wrong = "usage" if said.err.startswith("usage") else said.err.rstrip()
        lines += [f"$ {' '.join(call)}  ({status})", said.out.rstrip(), wrong]
    text = "\n".join(line.rstrip() for line in "\n".join(filter(None, lines)).split("\n"))
    for name, place in places.items():
        text = text.replace(place, name)
    text = text.replace(str(tmp_path), "FOLDER")
    approved.holds("commands.txt", text + "\n")


def options(parser: argparse.ArgumentParser, name: str) -> list[str]:
    """Options of a command and of its own commands, one a line."""
    lines = [f"# {name}: {parser.description or ''}"]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                lines += options(inner, f"{name} {word}".strip())
        elif not isinstance(action, argparse._HelpAction):
            choices = ", ".join(map(str, action.choices or ()))
            facts = (
                " ".join(action.option_strings) or action.dest,
                f"default {action.default!r}, else {action.const!r}, count {action.nargs}",
                f"{action.metavar} of {choices}" if choices else str(action.metavar),
                action.help or "",
            )
            lines.append("  " + "; ".join(facts))
    return lines


def test_options_are_as_approved(approved):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for add in ADDED:
        add(commands)
    approved.holds("options.txt", "\n".join(options(parser, "")) + "\n")


@pytest.mark.parametrize("word", ["check", "plot"])
def test_help_ends_well(word, capsys):
    assert main([word, "--help"]) == 0 and word in capsys.readouterr().out
