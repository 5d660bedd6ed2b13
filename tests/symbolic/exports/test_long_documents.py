"""Documents of equations whose closed form nobody reads: every intermediate and every entry that is
not zero stands in them once, in lines that can be read.
"""

import io
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest

from mechstudio.files import project_file
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports.pages import equation_document
from mechstudio.symbolic.exports.pages.style import compiler
from mechstudio.symbolic.printers import latex
from tests.mechanisms import chain as planar
from tests.mechanisms import project
from tests.symbolic.samples import SAMPLES
from tests.symbolic.test_size_guard import chain

LONG = {
    "six_axis_arm": lambda: project_file.load(SAMPLES[0].with_name("six_axis_arm.mech")).project,
    "6R": lambda: chain("revolute", 6),
    "skew 8": lambda: project(planar(8)),
    "universal": lambda: chain("universal", 5),
    "spherical": lambda: chain("spherical", 3),
}
# how an intermediate is introduced, and the longest line [letters]
TEXTS = {
    "text": (r"^  z_(\d+) = ", 200),
    "latex": (r"(?:\\\[|& |\$\$)\s*z_\{(\d+)\} = ", 500),
    "mathml": (r"<mtd><mrow><msub><mi>z</mi><mn>(\d+)</mn></msub><mo[^>]*>=", 10_000),
    "typst": (r"\[\$z_\((\d+)\) =\$\]", 20_000),
    "sympy": (r"^    \(z_(\d+), ", 200),
    "python": (r"^    z_(\d+) = ", 400),
    "c": (r"^    const double z_(\d+) = ", 200),
    "modelica": (r"^  z_(\d+) = ", 200),
}
_MADE: dict[str, object] = {}


def derived(name):
    return _MADE.setdefault(name, derive(LONG[name](), coordinates="joint"))


def introduced(pattern, text):
    return [int(k) for k in re.findall(pattern, text, re.M)]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("format", TEXTS)
@pytest.mark.thinned(3)
def test_every_intermediate_stands_once_in_readable_lines(name, format):
    d = derived(name)
    made = len(d.readable.intermediates)
    assert made > 30 and "z_1" in {x.name.name for x in d.readable.intermediates}
    pattern, longest = TEXTS[format]
    text = d.export(format)
    found = introduced(pattern, text)
    once = sorted(set(found))
    assert once == list(range(1, made + 1))
    assert len(found) == made or format == "c"  # the functions of C compute what each needs
    assert max(map(len, text.splitlines())) < longest


def test_an_intermediate_left_out_is_seen(monkeypatch):
    d = derived("six_axis_arm")
    whole = latex.display
    monkeypatch.setattr(
        latex, "display", lambda formula: "" if "z_{9} =" in formula else whole(formula)
    )
    assert 9 not in introduced(TEXTS["latex"][0], d.export("latex"))


@pytest.mark.parametrize("name", ["six_axis_arm", "universal"])
def test_entries_of_matrices_stand_one_below_the_other(name):
    d = derived(name)
    mass = d.readable.block("M").rows
    places = {
        (i + 1, j + 1)
        for i, row in enumerate(mass)
        for j, cell in enumerate(row)
        if j >= i and not cell.is_zero
    }
    text = d.export("latex")
    assert "bmatrix" not in text.split("z_{1}")[1].split(r"\lambda =")[0]
    assert {(int(i), int(j)) for i, j in re.findall(r"M_\{(\d+)\\,(\d+)\} = ", text)} == places
    root = ElementTree.fromstring(d.export("mathml"))
    cells = [e for e in root.iter() if e.tag.endswith("msub") and e[0].text == "M"]
    assert len(cells) == len(places)


@pytest.mark.slow
def test_reports_hold_the_intermediates_and_the_rows():
    d = derived("six_axis_arm")
    made = len(d.readable.intermediates)
    with zipfile.ZipFile(io.BytesIO(d.export("report-typst"))) as archive:
        assert made == len(introduced(TEXTS["typst"][0], archive.read("report.typ").decode()))
    with zipfile.ZipFile(io.BytesIO(d.export("report-latex"))) as archive:
        source = archive.read("report.tex").decode()
    assert made == len(introduced(TEXTS["latex"][0], source))
    assert "too many" not in source
    assert source.count(r"\ddot") >= len(d.equations.coordinates)
    assert d.export("report-pdf").startswith(b"%PDF")
    assert "Intermediates</h2>" in d.export("report-html")


def test_a_document_of_a_long_chain_is_pages_of_two_columns():
    d = derived("6R")
    source = equation_document.source(
        d.readable, "6R", {"text": "#000000", "mute": "#666666"}, "mm-N-deg"
    )
    pages = compiler(source).compile(source.encode(), format="svg")
    assert 8 < len(pages) < 24 and "(auto, 1fr, auto, 1fr)" in source


def test_the_notebook_holds_the_intermediates_in_cells():
    d = derived("universal")
    cells = json.loads(d.export("notebook"))["cells"]
    held = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    found = [k for text in held for k in introduced(TEXTS["latex"][0], text)]
    assert set(range(1, len(d.readable.intermediates) + 1)) <= set(found)
    assert sum("z_{" in text for text in held) > 3
