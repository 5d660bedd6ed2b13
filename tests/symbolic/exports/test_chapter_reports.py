"""Reports of chosen chapters: their order, their papers, pages, and words that need escaping."""

import re

import msgspec
import pytest

import mechstudio as ms
from mechstudio import translation
from mechstudio.model.equations.report import (
    CHAPTERS,
    DIAGRAM,
    DRAWING,
    EQUATIONS,
    MOBILITY,
    NOTES,
    PARAMETERS,
    PEAKS,
    PLOTS,
    Figure,
    Report,
)
from mechstudio.symbolic import derive

HOSTILE = '<b>"A" \\ #set $x$ ]) & é'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><path d="M0,0 h9"/></svg>'


@pytest.fixture(scope="module")
def pendulum():
    return derived()


def derived():
    m = ms.Builder("Pendulum")
    rod = m.link("rod", (0, 0, 0), length="500 mm", angle="-60 deg")
    m.pin("A", m.ground, rod, at=rod.start)
    m.run(duration="0.2 s")
    return derive(m.project(), "lagrange", coordinates="auto")


def heads(text: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", text)


def test_chapters_stand_in_their_order(pendulum):
    labels = {c.key: c.label for c in CHAPTERS}
    for order in ((PARAMETERS, MOBILITY, EQUATIONS), (EQUATIONS, PARAMETERS, MOBILITY)):
        text = pendulum.export("report-html", report=Report(order))
        assert heads(text) == [labels[key] for key in order]


def test_window_content_of_a_report_is_written_and_escaped(pendulum):
    report = Report(
        (DRAWING, DIAGRAM, PLOTS, PEAKS, NOTES),
        subtitle=HOSTILE,
        figures={DIAGRAM: (Figure(SVG, HOSTILE, True),), PLOTS: (Figure(SVG), Figure(SVG))},
        tables={PEAKS: (("", "greatest"), (HOSTILE, "7.5 J"))},
        sentences={NOTES: (HOSTILE,)},
    )
    text = pendulum.export("report-html", title=HOSTILE, report=report)
    assert text.count("&lt;b&gt;&quot;A&quot;") >= 4 and "<b>" not in text
    assert text.count("data:image/svg+xml;base64,") == 4 and "7.5 J" in text
    assert pendulum.export("report-pdf", title=HOSTILE, report=report).startswith(b"%PDF")


def test_a_report_in_another_language_has_no_english_heads():
    before = translation.language()
    translation.use("fr")
    try:
        said = derived()
        report = Report((PARAMETERS, MOBILITY, EQUATIONS))
        html = said.export("report-html", report=report)
        for text in (html, said.export("report-html"), said.export("typst")):
            english = set(re.findall(r"[A-Za-z’]+", text))
            assert not english & {"Coordinates", "Hyperstaticity", "Joints", "gravity", "Equations"}
        assert {"Degré d’hyperstatisme", "Coordonnées", "pesanteur", "chaîne ouverte"} <= set(
            re.findall(r"[^<>]+", html)
        )
    finally:
        translation.use(before)


def test_empty_chapters_are_left_out(pendulum):
    text = pendulum.export("report-html", report=Report((DRAWING, PLOTS, PEAKS, MOBILITY)))
    assert heads(text) == ["Mobility and findings"]


def test_a_preview_is_the_pages_of_the_file_in_its_paper(pendulum):
    sizes = {}
    for paper in ("a4", "us-letter"):
        report = Report((DRAWING, EQUATIONS), paper, preview=72.0)
        (page,) = msgspec.msgpack.decode(pendulum.export("report-pdf", report=report))
        assert page.startswith(b"\x89PNG")
        sizes[paper] = (int.from_bytes(page[16:20]), int.from_bytes(page[20:24]))
    assert sizes["us-letter"] == (612, 792)
    assert sizes["a4"] == pytest.approx((595, 842), abs=1)


def test_each_chapter_alone_is_a_document(pendulum):
    for chapter in CHAPTERS:
        for format in ("report-pdf", "report-html"):
            assert pendulum.export(format, report=Report((chapter.key,)))
