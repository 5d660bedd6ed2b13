"""Reports as sources of Typst and LaTeX with their pictures beside them, the derivation and the
loads as chapters, and the first pages of a preview.
"""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import msgspec
import pytest
import typst

import mechstudio as ms
from mechstudio.folders import resource_folder
from mechstudio.model.equations.report import (
    CHAPTERS,
    DERIVATION,
    DIAGRAM,
    DRAWING,
    EQUATIONS,
    LOADS,
    MOBILITY,
    NOTES,
    PARAMETERS,
    PLOTS,
    Figure,
    Report,
)
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports.pages.chapters import ratio
from mechstudio.symbolic.exports.pages.typst_report import first_pages
from mechstudio.symbolic.exports.registry import Source
from mechstudio.symbolic.printers.latex_lines import LINE, broken, display, length

HOSTILE = 'a_b^c & 50 % #1 $x$ {y} \\end{document} ~ "q" é → ²'
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40" viewBox="0 0 90 40">'
    '<path d="M0,0 h9"/></svg>'
)
WHOLE = Report(
    tuple(c.key for c in CHAPTERS),
    subtitle=HOSTILE,
    figures={
        DIAGRAM: (Figure(SVG, HOSTILE, True),),
        PLOTS: (Figure(SVG), Figure(SVG), Figure(SVG)),
    },
    tables={"peaks": (("", "greatest"), (HOSTILE, "7.5 J"))},
    sentences={NOTES: (HOSTILE,)},
)


@pytest.fixture(scope="module")
def four_bar():
    return derive(
        ms.load(Path(__file__).parents[3] / "samples" / "four_bar.mech"), coordinates="auto"
    )


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def balanced(text: str) -> list[str]:
    """Faults in the structure of a LaTeX source: braces, environments, dollars, letters
    that no usual engine knows.
    """
    found, stack, depth = [], [], 0
    bare = text.replace(r"\\", "").replace(r"\{", "").replace(r"\}", "").replace(r"\$", "")
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", bare):
        if kind == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            found.append(f"end of {name}")
    for c in bare:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            found.append("a brace too many")
            break
    found += ["open braces"] * (depth > 0) + stack
    found += ["open formula"] * (bare.count("$") % 2)
    found += ["open display"] * (bare.count(r"\[") != bare.count(r"\]"))
    found += sorted({c for c in text if ord(c) > 0x2030})
    words = re.sub(
        r"\\ensuremath\{(?:[^{}]|\{[^{}]*\})*\}|\$[^$]*\$|\\\[.*?\\\]"
        r"|\\begin\{(align\*|longtable|tabular|bmatrix)\}.*?\\end\{\1\}",
        "",
        text,
        flags=re.S,
    )
    found += [
        f"bare {c}"
        for c in "_^&#"
        if re.search(rf"(?<!\\){re.escape(c)}", words.split(r"\begin{document}")[1])
    ]
    return found


def test_the_typst_source_compiles_from_its_folder(four_bar, tmp_path):
    files = files_of(four_bar.export("report-typst", title=HOSTILE, report=WHOLE))
    assert sorted(files) == [
        "pictures/01.svg",
        *(f"pictures/{k:02d}.svg" for k in range(2, 8)),
        "report.typ",
    ]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    fonts = resource_folder("fonts")
    made = typst.compile(
        str(tmp_path / "report.typ"), font_paths=[str(fonts)], ignore_system_fonts=True
    )
    assert made.startswith(b"%PDF")
    # without its pictures it is not whole
    (tmp_path / "pictures" / "02.svg").unlink()
    with pytest.raises(Exception, match="not found"):
        typst.compile(str(tmp_path / "report.typ"))


@pytest.mark.parametrize("method", ["lagrange", "newton-euler"])
def test_the_latex_source_is_whole(method, tmp_path):
    project = ms.load(Path(__file__).parents[3] / "samples" / "four_bar.mech")
    derivation = derive(project, method, coordinates="auto")
    files = files_of(derivation.export("report-latex", title=HOSTILE, report=WHOLE))
    text = files["report.tex"].decode()
    assert balanced(text) == []
    placed = re.findall(r"\\includegraphics\[[^]]*\]\{([^}]*)\}", text)
    assert sorted(placed) == sorted(n for n in files if n != "report.tex") and len(placed) == 7
    assert all(files[name].startswith(b"%PDF") for name in placed)
    if shutil.which("pdflatex") is None:
        return
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
    assert run.returncode == 0, run.stdout[-1500:]


def test_long_formulas_are_cut_between_terms_alone():
    formula = " + ".join(
        rf"m_{{\mathrm{{rod{k}}}}} \, \sin\left(a_{k} - b_{k}\right)" for k in range(9)
    )
    formula = rf"\left({formula}\right) \, \ddot{{q}} = 0"
    rows = broken(formula)
    assert len(rows) > 2 and all(length(row) <= LINE for row in rows)
    assert all(row.count("{") == row.count("}") for row in rows)
    assert not any(row.startswith(("- b", "+ b")) for row in rows)  # no argument is torn
    flat = formula.replace(r"\left(", r"\bigl(").replace(r"\right)", r"\bigr)")
    assert " ".join(rows) == flat
    assert (
        display("a = b") == r"\[ a = b \]"
        and balanced(rf"\begin{{document}}{display(formula)}\end{{document}}") == []
    )


def test_the_derivation_and_the_loads_are_chapters_of_each_format(four_bar):
    report = Report((DERIVATION, LOADS))
    page = four_bar.export("report-html", report=report)
    assert "Derivation</h2>" in page and "Loads of joints</h2>" in page
    peaks = ms.analyse(four_bar.plan.project, "loads")
    for label, row in zip(peaks.labels, peaks.rows):
        assert label in page and f"{row[0]:.4g}*" in page
    assert "least-squares" in page and "Bodies, joints and coordinates" in page
    latex = files_of(four_bar.export("report-latex", report=report))["report.tex"].decode()
    assert f"{peaks.rows[0][0]:.4g}*" in latex and "Bodies, joints and coordinates" in latex


def test_loads_of_a_report_are_computed_once_for_all_formats(four_bar, monkeypatch):
    report = Report((LOADS,))
    assert Source(four_bar, report=report).loads.rows
    monkeypatch.setattr("mechstudio.symbolic.exports.registry.loads_of", None)
    assert "A force" in four_bar.export("report-html", report=report)


def test_the_first_pages_need_no_derivation(four_bar):
    project = four_bar.plan.project
    report = msgspec.structs.replace(
        WHOLE, chapters=(DRAWING, PARAMETERS, MOBILITY, EQUATIONS), preview=60.0
    )
    (page,) = msgspec.msgpack.decode(first_pages(project, HOSTILE, report))
    assert page.startswith(b"\x89PNG")
    # nothing waits, so there is nothing to show before
    assert first_pages(project, "", msgspec.structs.replace(report, chapters=(DRAWING,))) == b""


def test_the_shape_of_a_picture_is_read_off_it():
    assert ratio(Figure(SVG)) == 2.25
    assert ratio(Figure("<svg/>")) == ratio(Figure('<svg viewBox="0 0 5 0"/>')) == 2.0
