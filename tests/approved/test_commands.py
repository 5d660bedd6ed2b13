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
)


def test_commands_print_as_approved(tmp_path, capsys, monkeypatch, approved):
    wanted = tmp_path / "wanted.csv"
    wanted.write_text(POSES, "utf-8")
    monkeypatch.chdir(tmp_path)
    places = {FOUR_BAR: str(sample_folder() / "four_bar.mech"), WANTED: str(wanted)}
    lines: list[str] = []
    for call in CALLS:
        status = main([places.get(word, word) for word in call])
        said = capsys.readouterr()
        lines += [f"$ {' '.join(call)}  ({status})", said.out.rstrip(), said.err.rstrip()]
    text = "\n".join(line.rstrip() for line in "\n".join(filter(None, lines)).split("\n"))
    for name, place in places.items():
        text = text.replace(place, name)
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
