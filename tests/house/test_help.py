"""Everything that the README and the manual show to type works as it is written there, and their
links and tables are true.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.application.help.pages import pages, slug
from mechstudio.cli.main import main
from mechstudio.files.project_file import decode
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES

ROOT = Path(__file__).parents[2]
HELP = ROOT / "resources" / "help"
MADE = re.compile(r'# in ((?:mechstudio|packaging)/\S+), (before|after) "(.+)"\n')
PAGES = {path: path.read_text("utf-8") for path in (ROOT / "README.md", *sorted(HELP.glob("*.md")))}
README, MOST_WORDS = PAGES[ROOT / "README.md"], 700


def page(name: str) -> str:
    return PAGES[HELP / f"{name}.md"]


def fenced(text: str, language: str) -> list[str]:
    """The fenced blocks of one language on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


HOW_TO = {path.stem: text for path, text in PAGES.items() if MADE.search(text)}


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language on all pages that change nothing in the package, each
    once.
    """
    return list(
        dict.fromkeys(
            block
            for path, text in PAGES.items()
            if path.stem not in HOW_TO
            for block in fenced(text, language)
        )
    )


def commands() -> list[str]:
    return [
        line[2:]
        for block in blocks("console")
        for line in block.splitlines()
        if line.startswith("$ ")
    ]


@pytest.fixture
def place(tmp_path):
    """A folder with the samples, from which the examples run."""
    return with_samples(tmp_path)


def with_samples(folder):
    (folder / "samples").mkdir()
    for path in (ROOT / "samples").glob("*.mech"):
        (folder / "samples" / path.name).write_bytes(path.read_bytes())
    return folder


def started(command, place):
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error::UserWarning"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=place,
        env=variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_help_pages_have_examples_to_run():
    assert len(blocks("python")) >= 2 and len(commands()) >= 4 and len(blocks("json")) == 1


# runs each block as a separate script, and prints its stdout and stderr
SCRIPTS = """
import contextlib, io, json, sys, traceback
reported = []
for code in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(compile(code, "example", "exec"), {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
    reported.append((out.getvalue(), err.getvalue()))
print(json.dumps(reported))
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Text that each example printed and said beside that, by its code.  One process runs them all:
    loading everything takes longer than any of them.
    """
    place = with_samples(tmp_path_factory.mktemp("examples"))
    done = started(["-c", SCRIPTS, json.dumps(blocks("python"))], place)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return dict(zip(blocks("python"), json.loads(done.stdout)))


@pytest.mark.parametrize("code", blocks("python"), ids=lambda code: f"{len(code)} characters")
def test_python_examples_run(code, printed):
    out, err = printed[code]
    assert out and err == "", err
    for line, promised in zip(out.splitlines(), re.findall(r"print\(.*\)\s+# (.+)", code)):
        assert line == promised


def changed_copy(text: str, place: Path) -> str:
    """Put the blocks of a how-to page into a copy of the package; returns the code that is left."""
    for folder in ("mechstudio", "packaging"):
        # bytecode too: what the page leaves as it is would be compiled again for each page
        shutil.copytree(ROOT / folder, place / folder)
    for folder in ("resources", "samples"):
        if not (place / folder).exists():
            (place / folder).symlink_to(ROOT / folder)
    code = ""
    for block in fenced(text, "python"):
        if (head := MADE.match(block)) is None:
            code += block
            continue
        path, side, anchor = place / head[1], head[2], head[3]
        source = path.read_text("utf-8") if path.exists() else ""
        line = next(i for i in source.splitlines(keepends=True) if i.startswith(anchor))
        new = block[head.end() :]
        path.write_text(
            source.replace(line, new + line if side == "before" else line + new, 1), "utf-8"
        )
    return code


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", HOW_TO)
def test_the_code_that_a_page_adds_works(name, place):
    code = changed_copy(HOW_TO[name], place)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    promised = re.findall(r"print\(.*\)\s+# (.+)", code)
    assert promised and done.stdout.splitlines() == promised


def test_the_builder_makes_the_four_bar_in_under_15_lines():
    code = next(code for code in blocks("python") if '"Four-bar"' in code)
    lines = [
        line
        for line in code.splitlines()
        if line.startswith(("import", "m ", "m.", "crank", "coupler", "rocker"))
    ]
    assert 9 <= len(lines) < 15


ON_SCREEN = ("film", "render")  # commands that draw, in a process of their own


def marked_commands() -> list:
    """The commands; films are those of tests/cli/test_film.py."""
    return [
        pytest.param(c, marks=[pytest.mark.slow] if c.split()[1] == "film" else [])
        for c in commands()
    ]


@pytest.mark.parametrize("command", marked_commands())
def test_console_examples_run(command, place, monkeypatch, capsys):
    program, *arguments = shlex.split(command)
    assert program == "mechstudio"
    if arguments[0] in ON_SCREEN:
        done = started(["-m", "mechstudio", *arguments], place)
        status, out, err = done.returncode, done.stdout, done.stderr
    else:
        # a process for each would load everything again
        monkeypatch.chdir(place)
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            status = main(arguments)
        out, err = capsys.readouterr()
    assert status == 0 and err == "", err
    for flag in ("--csv", "--out"):
        if flag in arguments:
            assert (place / arguments[arguments.index(flag) + 1]).stat().st_size > 1000
    if "--json" in arguments:
        json.loads(out)


def test_the_file_example_opens():
    loaded = decode(blocks("json")[0].encode())
    assert loaded.findings == () and loaded.project.mechanism.joints["A"].rates[0].text == "6 rad/s"
    assert loaded.project.mechanism.bodies["crank"].shapes[0].dimensions["length"].text == "L1"


def listed(row: str) -> str:
    """The second cell of a row of the table of element types."""
    return re.search(rf"^\| {row} \| (.+) \|$", page("drawing"), re.M)[1].lower()


@pytest.mark.parametrize(
    ("row", "table"),
    [
        ("joints", JOINT_TYPES),
        ("couplings", COUPLING_TYPES),
        ("forces", FORCE_TYPES),
        ("bodies", SHAPE_TYPES),
        ("laws over the time", LAW_TYPES),
    ],
)
def test_help_page_lists_every_element_type_of_the_tables(row, table):
    named = listed(row)
    for kind in table.values():
        assert re.search(rf"\b{re.escape(kind.label.lower())}\b", named), kind.label
    if row in ("joints", "couplings"):
        assert len(named.split(", ")) == len(table)


def test_every_sample_is_listed():
    named = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| .+? \| (.+) \|$", page("samples"), re.M)))
    )
    assert named == {p.stem for p in (ROOT / "samples").glob("*.mech")}
    assert f"{len(named)} [samples]" in README


def test_every_analysis_is_listed():
    from mechstudio.cli.analyse import ANALYSES, PARTS

    assert set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.+?) \|", page("analyses"), re.M)))
    ) == {*PARTS, *ANALYSES}


def test_the_readme_is_short():
    assert len(README.split()) <= MOST_WORDS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", PAGES[path]):
        if target.startswith("http"):
            continue
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), target
        assert not anchor or anchor in {
            slug(heading) for heading in re.findall(r"^#+ (.+)$", PAGES[found], re.M)
        }, anchor


def test_every_page_is_in_the_contents():
    assert {name for name, _ in pages()} == {path.stem for path in HELP.glob("*.md")}


def test_sections_that_the_code_cites_exist():
    sections = {int(n) for n in re.findall(r"^## (\d+) ", page("theory"), re.M)}
    parts = {int(n) for n in re.findall(r"^(\d)\. ", page("theory").split("## 8 ")[1], re.M)}
    for path in (*(ROOT / "mechstudio").rglob("*.py"), *(ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        assert {int(n) for n in re.findall(r"THEORY (\d+)", text)} <= sections, path
        assert {int(n) for n in re.findall(r"CONTACT (\d+)", text)} <= parts, path
        # papers that are no pages of the manual
        assert not re.search(r"\(EQUATIONS[;]|\bUX [A-Z]\d", text), path


@pytest.mark.parametrize("name", ["architecture", "decisions", *HOW_TO])
def test_modules_named_for_developers_exist(name):
    named = set(re.findall(r"`([a-z_/]+/[a-z_]+\.py)`", PAGES[HELP / f"{name}.md"]))
    places = (ROOT, ROOT / "mechstudio", ROOT / "mechstudio" / "engine" / "contacts")
    assert [each for each in named if not any((p / each).exists() for p in places)] == []


def test_the_floors_of_the_manual_are_the_floors_of_the_test():
    from tests.house.test_floors import ALLOWED

    table = page("architecture").split("| floor | holds |")[1].split("\n\n")[0]
    named = {
        name
        for row in re.findall(r"^\| (`.+?`) \|", table, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert (
        named <= set(ALLOWED)
        and {f for f in ALLOWED if (ROOT / "mechstudio" / f).is_dir()} <= named
    )
    for floor, rest in re.findall(r"^\| `(\w+)` \|.*\| (.+) \|$", table, re.M):
        if rest not in ("all", "nothing"):
            assert set(rest.split(", ")) == set(ALLOWED[floor][0]), floor


def test_the_reference_is_that_of_the_sources():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "packaging/make_reference.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert page("reference") == made.text(), "run packaging/make_reference.py"
    for name in ms.__all__:
        assert f"\n## {name}\n" in page("reference")
