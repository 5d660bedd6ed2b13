"""Long lines of text and code in several."""

import ast
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.symbolic import derive
from mechstudio.symbolic.printers.line_breaks import WIDTH, assigned, broken
from tests.symbolic.samples import SAMPLES

WORDS = st.lists(st.text("abc_123*()^", min_size=1, max_size=30), min_size=1, max_size=40)


@given(WORDS, st.sampled_from([" + ", " - ", " − ", ", "]), st.integers(0, 8))
def test_nothing_is_lost_and_lines_fit(words, sign, indent):
    line = " " * indent + sign.join(words)
    lines = broken(line)
    assert " ".join(x.strip() for x in lines) == line.strip()
    assert all(len(x) <= WIDTH for x in lines)
    assert all(x.startswith(" " * (indent + 4)) for x in lines[1:])


def test_strings_and_assignments_stay_whole():
    said = '"a sentence - with a sign, and a comma"'
    lines = broken(f"  Real x = {' + '.join(['y'] * 40)} {said};")
    assert len(lines) > 1 and sum(said in x for x in lines) == 1
    assert broken("x" * 300) == ["x" * 300]
    lines = assigned("    M[0, 1]", " + ".join(f"term_{k}" for k in range(60)), "+=")
    assert lines[0].startswith("    M[0, 1] += (term_0") and all(len(x) <= WIDTH for x in lines)
    ast.parse("if True:\n" + "\n".join(lines))
    assert assigned("    x", "y + z") == ["    x = y + z"]


@pytest.mark.parametrize("format", ["text", "python", "c", "sympy", "modelica"])
def test_formulas_of_a_platform_fit_the_page(format):
    """Only sentences and meanings are longer: notes and comments."""
    path = next(p for p in SAMPLES if p.stem == "andrews_squeezer")
    text = derive(project_file.load(path).project).export(format)
    long = [x for x in text.splitlines() if len(x) > WIDTH]
    assert len(text.splitlines()) > 100
    assert all('"' in x or "#" in x or "//" in x or " * " in x for x in long)


def test_a_table_of_a_law_is_broken_at_once():
    """A line of half a million letters: the work grows with its length, not with its square."""
    line = "  x = [" + ", ".join("0.123456" for _ in range(50_000)) + "];"
    start = time.process_time()
    lines = broken(line)
    assert time.process_time() - start < 5.0 and len(lines) > 5000
    assert " ".join(x.strip() for x in lines) == line.strip()


def test_an_apostrophe_in_a_name_holds_no_line_together():
    """Texts have no strings that must stay whole, unlike code."""
    m = ms.Builder("named")
    long = "the driver's rod " + "between its two ends " * 6
    m.pin("P", m.ground, m.link(long.strip(), (0, 0, 0), (0.3, 0, 0)), at=(0, 0, 0))
    lines = ms.derive(m.project()).text().split("\n")
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(" ".join(lines).split()).count(long.strip()) >= 2
