"""Equations in words: those of samples with every type of element, the chapters of a lecture, and
every format in which a drawing or its equations leave the program as text.
"""

import zlib
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS
from mechstudio.model.types.exports import EXPORTS
from mechstudio.model.version import VERSION
from mechstudio.symbolic.printers.lecture_text import chapter_text, proofs_text
from tests.approval import NUMBER
from tests.representatives import representatives

SAMPLES = Path(__file__).parents[2] / "samples"
LONG = 8_000  # characters of equations that nobody reads in a difference
ARM = "double_pendulum"
# beside the equations, by their endings
DRAWN = (".xml", ".urdf", ".obj", ".py")


def checksum(text):
    """Number that another text does not have; of a text without its numbers, which may round."""
    return f"{zlib.crc32(NUMBER.sub('#', text).encode()):x}"


def test_equations_are_as_approved(approved):
    parts: list[str] = []
    for name in sorted(representatives() | {ARM, "four_bar"}):
        text = ms.derive(ms.load(SAMPLES / f"{name}.mech")).text()
        if len(text) >= LONG:
            text = f"{len(text)} characters, {checksum(text)} without their numbers\n"
        parts.append(f"# {name}\n{text}")
    approved.holds("equations.txt", "\n".join(parts))


@pytest.mark.parametrize("name", [ARM, "four_bar"])
def test_chapters_are_as_approved(name, approved):
    derivation = ms.derive(ms.load(SAMPLES / f"{name}.mech"))
    chapters = [derivation.chapter(key) for key in CHAPTER_TITLES if key != CONTACTS]
    texts = [*map(chapter_text, chapters), proofs_text(derivation.proofs)]
    approved.holds(f"chapters_{name}.txt", "\n".join(texts))


@pytest.mark.parametrize("row", [e for e in EXPORTS if e.text], ids=lambda e: e.id)
def test_equations_leave_as_approved(row, tmp_path, approved):
    out = tmp_path / f"arm{row.suffix}"
    ms.export_equations(ms.load(SAMPLES / f"{ARM}.mech"), out, row.id)
    text = out.read_text("utf-8").replace(VERSION, "VERSION")
    approved.holds(f"{row.id}_of_an_arm{row.suffix}.txt", text)


@pytest.mark.parametrize("suffix", DRAWN)
def test_drawings_leave_as_approved(suffix, tmp_path, approved):
    out = tmp_path / f"arm{suffix}"
    notes = ms.convert(SAMPLES / f"{ARM}.mech", out)
    text = out.read_text("utf-8").replace(VERSION, "VERSION")
    approved.holds(f"arm{suffix}.txt", "\n".join([*notes, text]))


def test_pictures_of_a_drawing_are_as_approved(approved, tmp_path):
    project = ms.load(SAMPLES / "four_bar.mech")
    sheet = tmp_path / "sheet.svg"
    ms.drawing(project, sheet)
    diagrams = [ms.diagram(project, dimensions=True), ms.diagram(project, view="corner")]
    text = "\n".join([*diagrams, sheet.read_text("utf-8")]).replace(VERSION, "VERSION")
    approved.holds("pictures_of_four_bar.txt", text.replace("><", ">\n<") + "\n")
