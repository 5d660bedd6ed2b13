"""The fonts that come along write what the program shows, without any font of the system."""

import pytest
import typst
from fontTools.ttLib import TTFont
from PySide6.QtGui import QFont, QFontInfo

from mechstudio import tokens
from mechstudio.folders import resource_folder
from mechstudio.view.fonts import ensure_fonts, families, font

FONTS = resource_folder("fonts")
TERMS = "运动副，超静定：旋量、自由度（机架）"


def letters(name: str) -> set[str]:
    """Characters that a font file has."""
    return set(map(chr, TTFont(FONTS / name).getBestCmap()))


@pytest.mark.parametrize("face", ["Regular", "Bold"])
def test_chinese_faces_have_every_covered_character(face):
    every = [chr(code) for code in range(0x3000, 0x10000)]
    covered = {c for c in every if tokens.is_covered(c)}
    assert len(covered) > 6700 and covered <= letters(f"HanSans-{face}.otf")
    assert not covered & letters("Inter-Regular.otf")


def test_coverage_of_the_font_is_reported():
    assert tokens.is_covered(f"Δφ of 'A' · {TERMS}")
    assert not tokens.is_covered("龘") and not tokens.is_covered("Шарнир")


def test_documents_need_no_font_of_the_system():
    """The letters that Typst embeds are those of our file."""
    compiler = typst.Compiler(ignore_system_fonts=True, font_paths=[str(FONTS)])
    source = f'#set text(font: ("Inter", "New Computer Modern"))\n{TERMS}'
    assert b"MechstudioHanSans" in compiler.compile(source.encode(), format="pdf")


def test_text_of_the_window_falls_back_to_the_chinese_face(qapp):
    ensure_fonts()
    assert QFontInfo(QFont(families()[1])).family() == families()[1]
    assert font(12).families() == families()
