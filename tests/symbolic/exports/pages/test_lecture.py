"""Chapters and proofs as LaTeX, Typst and PDF, and in reports: every sample's chapters, and the
choices of the command line.
"""

import re

import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONSTRAINTS, Proof
from mechstudio.symbolic.exports.pages import lecture
from mechstudio.symbolic.exports.pages.style import compiler, term_colors
from tests.symbolic.samples import SAMPLES

FOUR_BAR = str(next(p for p in SAMPLES if p.stem == "four_bar"))


def chapters(path, keys=tuple(CHAPTER_TITLES)):
    d = ms.derive(ms.load(path), coordinates="auto")
    return d, [d.chapter(key) for key in keys]


def balanced(text):
    bare = re.sub(r"\\[{}]", "", text)
    left, right = (len(re.findall(rf"\\{side}(?![a-z])", bare)) for side in ("left", "right"))
    return (
        bare.count("{") == bare.count("}")
        and left == right
        and bare.count(r"\begin{") == bare.count(r"\end{")
        and text.count(r"\[") == text.count(r"\]")
    )


@pytest.mark.parametrize(
    "path",
    [
        p
        for p in SAMPLES
        if p.stem
        in ("four_bar", "cart_pole", "cam_profile", "rolling_disc", "heavy_top", "differential")
    ],
    ids=lambda p: p.stem,
)
@pytest.mark.thinned(3)
def test_every_chapter_in_every_format(path):
    d, found = chapters(path)
    proof = Proof("skew", "Ṁ − 2C is skew.", "exact", "50 % of {it} & more_of #it")
    text = lecture.write("latex", found, (proof,), "A & B_1", {})
    assert (
        text.isascii()
        and balanced(text)
        and r"A \& B\_1" in text
        and r"50 \% of \{it\} \& more\_of \#it" in text
    )
    assert all(f"section*{{{c.title}" in text for c in found)
    colors = term_colors(d.plan.mechanism)
    source = lecture.write("typst", found, (proof,), "A & B_1", colors)
    pages = compiler(source).compile(source.encode(), format="svg")
    assert len(pages if isinstance(pages, list) else [pages]) >= 1
    assert lecture.write("text", found, (), "", {}).count("=====") >= len(found)


def test_a_chapter_is_added_to_a_report(tmp_path):
    d, found = chapters(FOUR_BAR, (CONSTRAINTS,))
    plain, longer = d.export("report-html"), d.export("report-html", chapters=found)
    assert (
        "Constraints and multipliers" in longer
        and "Constraints and multipliers" not in plain
        and longer.count('role="img"') > plain.count('role="img"')
    )


@pytest.fixture
def run(capsys):
    def call(*arguments):
        return (main.main([str(a) for a in arguments], None), *capsys.readouterr())

    return call


def test_the_command_line_writes_chapters_in_formats(run, tmp_path):
    status, out, err = run(
        "equations",
        FOUR_BAR,
        "--chapter",
        "partition",
        "--independent",
        "theta_rocker",
        "--format",
        "latex",
    )
    assert (
        (status, err) == (0, "")
        and out.startswith(r"\documentclass")
        and r"Independent: \ensuremath{\theta}\_rocker" in out
    )
    assert run("equations", FOUR_BAR, "--chapter", "partition", "--out", tmp_path / "x.pdf")[
        0
    ] == 0 and (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")
    status, out, err = run("equations", FOUR_BAR, "--chapter", "torsors", "--body", "crank")
    assert (
        status == 0
        and "Kinematic torsor of crank" in out
        and "Kinematic torsor of rocker" not in out
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--chapter", "torsors", "--body", "cranky"),
            "There is no body cranky; there are crank, coupler, rocker",
        ),
        (("--chapter", "torsors", "--body", "crank", "--point", "Z9"), "has no point Z9"),
        (("--chapter", "constraints", "--format", "c"), "go with --format text, latex"),
    ],
)
def test_choices_that_do_not_exist_are_reported(run, options, words):
    status, out, err = run("equations", FOUR_BAR, *options)
    assert status in (1, 2) and out == "" and words in err
