"""Docstrings open with a noun or a verb, and name modules that exist."""

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "mechstudio").rglob("*.py"))
QUESTIONS = {"What", "Which", "Whether", "How", "Where", "When", "Who", "Whose", "Why"}
FLOORS = sorted(p.name for p in (ROOT / "mechstudio").iterdir() if (p / "__init__.py").exists())
DOTTED = re.compile(rf"(?<![\w./])(?:mechstudio\.)?((?:{'|'.join(FLOORS)})(?:[./][a-z_0-9]+)+)")
FILE_NAME = re.compile(r"(?<![\w.])([a-z_0-9]+\.py)\b")
# only sources with such an opening are worth reading as Python
OPENING = re.compile(rf'"""\s*(?:{"|".join(sorted(QUESTIONS))})\b')
# words of the glossary's left column that nothing may be named by
REPLACED = re.compile(r"\b_?(?:told|asked|wanted|anew)\b")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def questions(source: str) -> list[str]:
    """First lines of the docstrings that open with a question word."""
    found: list[str] = []
    if not OPENING.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text and text.split()[0].rstrip(",:") in QUESTIONS:
            found.append(text.splitlines()[0])
    return found


def modules() -> set[str]:
    """Dotted names of all modules and packages without the leading package, such as
    "model.geometry.pose".
    """
    paths = [p.relative_to(ROOT / "mechstudio") for p in SOURCES]
    return {".".join(q.parts) for p in paths for q in (p.with_suffix(""), *p.parents)}


def stale_names(source: str, known: set[str], files: set[str]) -> list[str]:
    """Modules and files named in docstrings and comments that do not exist.  A dotted name may end
    with classes, functions or fields of its module.
    """
    # few sources hold such a name anywhere, and only these are worth splitting into tokens
    if not stale_in(source, known, files):
        return []
    texts = [
        t.string
        for t in tokenize.generate_tokens(io.StringIO(source).readline)
        if t.type == tokenize.COMMENT or (t.type == tokenize.STRING and '"""' in t.string)
    ]
    return [name for text in texts for name in stale_in(text, known, files)]


def stale_in(text: str, known: set[str], files: set[str]) -> list[str]:
    """Names in a text of files and modules that do not exist."""
    found = [name for name in FILE_NAME.findall(text) if name not in files]
    for name in DOTTED.findall(text):
        parts = name.removesuffix(".py").replace("/", ".").split(".")
        if not any(".".join(parts[:k]) in known for k in range(2, len(parts) + 1)):
            found.append(name)
    return found


def test_replaced_words_do_not_come_back():
    """told → reported, asked → requested or pending, wanted → expected, anew → again."""
    here = Path(__file__)
    tests = (ROOT / "tests").rglob("*.py")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (*SOURCES, *tests)
        if path != here
        for line in path.read_text(encoding="utf-8").splitlines()
        if REPLACED.search(line)
    ]
    assert not found, "\n".join(found)


def test_docstrings_open_with_a_noun_or_a_verb():
    tests = (ROOT / "tests").rglob("*.py")
    found = {str(p.relative_to(ROOT)): questions(p.read_text("utf-8")) for p in (*SOURCES, *tests)}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_modules_named_in_docstrings_exist():
    parts = ("mechstudio", "packaging", "samples", "tests")
    known = modules()
    places = [*ROOT.glob("*.py"), *(p for part in parts for p in (ROOT / part).rglob("*.py"))]
    files = {p.name for p in places}
    stale = {
        str(p.relative_to(ROOT)): names
        for p in SOURCES
        if (names := stale_names(p.read_text("utf-8"), known, files))
    }
    assert stale == {}


def test_faults_in_docstrings_are_found():
    assert questions('def f():\n    """Whether it rains."""\n') == ["Whether it rains."]
    assert questions('"""Rain gauge: how much it rains."""\n') == []
    known, files = {"model.geometry", "model.geometry.pose"}, {"pose.py"}
    text = '"""See model.pose.Pose, model.geometry.pose.Pose, pose.py and poses.py."""\n'
    assert stale_names(text, known, files) == ["poses.py", "model.pose"]
