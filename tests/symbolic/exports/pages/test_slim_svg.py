"""Formulas on pages of HTML: the pictures are those of the typesetter, in fewer letters."""

import io
import re

import numpy as np
import pytest
from PIL import Image

from mechstudio.files import project_file
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports.pages import equation_document, report, slim_svg
from mechstudio.symbolic.exports.registry import Source
from tests.symbolic.samples import SAMPLES

SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '


@pytest.fixture(scope="module")
def four_bar():
    path = next(p for p in SAMPLES if p.stem == "four_bar")
    return derive(project_file.load(path).project, coordinates="auto")


def typeset(d, key):
    s = Source(d)
    strip = equation_document.strip(500.0, 10.0)
    part = equation_document.part(s.equations, key, s.colors, s.units)
    return report._page(f"{strip}\n#{part}\n")


def pixels(svg):
    return np.array(Image.open(io.BytesIO(report._pixels(svg))).convert("L"), float)


def alone(page, k):
    """Picture k of a page with the page's glyphs in it."""
    glyphs, *pictures = re.findall(r"<svg.*?</svg>", page, re.S)
    inside = "".join(re.findall(r"<symbol.*?</symbol>", glyphs, re.S))
    return re.sub(r"<svg (.*?)>", lambda m: f"<svg {SPACES}{m[1]}>{inside}", pictures[k], count=1)


def test_pictures_of_a_page_are_those_of_the_typesetter(four_bar, monkeypatch):
    drawn = [typeset(four_bar, key) for key in ("M", "rows")]

    def page():
        made = [slim_svg.formula(x, 'so "said"') for x in drawn]
        return slim_svg.with_shared_glyphs("\n".join(["<body>", *made, "</body>"]))

    def miss():
        return max(np.abs(pixels(alone(page(), k)) - pixels(x)).mean() for k, x in enumerate(drawn))

    text = page()
    assert miss() < 0.05 and len(text) < 0.45 * sum(map(len, drawn))
    assert text.count("<symbol") == len(set(re.findall(r'<symbol id="([^"]+)"', "".join(drawn))))
    assert text.count('aria-label="so &quot;said&quot;"') == 2
    monkeypatch.setattr(slim_svg, "_number", lambda x: f"{x:.0f}")
    assert miss() > 0.5


def test_glyphs_that_are_stretched_or_raised_stand_where_they_stood(monkeypatch):
    drawn = (
        f'<svg viewBox="0 0 60 40" width="60pt" height="40pt" {SPACES}>'
        '<rect width="60" height="40" fill="#ffffff"/>'
        '<g transform="matrix(1.5 0 0 -2 10 30)"><use xlink:href="#A" x="1.25" y="0" '
        'fill="#bf5604"/></g><g transform="matrix(1 0 0 -1 35 30)"><use xlink:href="#A" x="0" '
        'y="3" fill="#1a1d23"/><use xlink:href="#A" x="9.5" y="0" fill="#0072b2"/></g>'
        '<use xlink:href="#A" x="2" y="4" transform="translate(1 2)" fill="#0072b2"/>'
        '<defs><symbol id="A" overflow="visible"><path d="M 0 0 l 6 1 l -2 7 Z "/></symbol></defs>'
        "</svg>"
    )

    def miss():
        page = slim_svg.with_shared_glyphs(f"<body>\n{slim_svg.formula(drawn, 'A')}</body>")
        return np.abs(pixels(alone(page, 0)) - pixels(drawn)).mean()

    assert miss() < 0.05
    monkeypatch.setattr(slim_svg, "_turned", lambda use: use)
    assert miss() > 0.5


def test_a_report_with_chapters_is_small(four_bar):
    """Its pictures took 4.2 MB."""
    chapters = [four_bar.chapter(key) for key in ("lagrange", "newton-euler", "projected")]
    page = four_bar.export("report-html", chapters=chapters)
    assert page.count('role="img"') > 20 and "image/png" not in page
    assert len(page) < 1_200_000
