"""Exercises of a lesson in reports, and chapters as they are copied, whole or by their steps."""

import re
import zipfile
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS
from mechstudio.model.version import VERSION
from mechstudio.symbolic.exports.pages.lecture import copied, one_step
from mechstudio.symbolic.exports.pages.style import term_colors

SAMPLES = Path(__file__).parents[2] / "samples"


def lesson():
    """A lesson with a question of each type, with what a question may have and without."""
    m = ms.Builder("Swing & sway", "Two lines\nof a text_1.", ("Why {so}?",))
    m.pin("A", m.ground, m.link("rod", (0, 0, 0), (0.3, 0, 0)), at=(0, 0, 0))
    m.step("First 50 %", "Look at {joint/A/0}.\nThen play.")
    choices = {"choices": ("a & b", "c_d"), "answer": "1", "because": "it is #1", "hints": ("so",)}
    m.ask("choose", "Which one?", **choices)
    m.ask("choose", "Which others?", choices=("x", "y"))
    m.ask("number", "How far?", answer="2 deg", dimension="angle", tolerance=0.1, because="so")
    m.ask("number", "How long?", answer="2 m", dimension="length")
    m.ask("predict", "Draw it.", channel="joint/A/0", tolerance=0.1)
    m.ask("equation", "Write it.", answer="1")
    m.step("Second")
    return m.project()


@pytest.mark.parametrize("suffix", [".html", ".typ.zip", ".tex.zip"])
def test_exercises_are_as_approved(suffix, tmp_path, approved):
    parts: list[str] = []
    for chapters in (("lesson",), ("lesson", "solutions")):
        out = tmp_path / f"sheet{suffix}"
        ms.report(lesson(), out, chapters=chapters)
        if suffix == ".html":
            text = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", r"<\1>", out.read_text("utf-8"))
            parts.append(re.sub(r"(?<=>)(?=<)", "\n", text))
            continue
        with zipfile.ZipFile(out) as files:
            source = next(n for n in sorted(files.namelist()) if n.endswith(suffix[:4]))
            parts.append(files.read(source).decode())
    text = re.sub(r"data:[^\"')]*", "DATA", "\n".join(parts)).replace(VERSION, "VERSION")
    approved.holds(f"exercises{suffix[:5].rstrip('.')}.txt", text + "\n")


def test_a_chapter_is_copied_as_a_whole_as_by_its_steps(approved):
    derivation = ms.derive(ms.load(SAMPLES / "double_pendulum.mech"))
    colors = term_colors(derivation.plan.mechanism)
    lines: list[str] = []
    for key in CHAPTER_TITLES:
        if key == CONTACTS:
            continue
        chapter = derivation.chapter(key)
        whole = copied("latex", chapter, colors)
        tops = [step.key for step in chapter.steps if not step.depth]
        parts = [copied("latex", one_step(chapter, k), colors) for k in tops]
        if not chapter.refusal:
            assert "".join(parts) == whole
        inner = next((step for step in chapter.steps if step.depth), None)
        if inner is not None:
            part = one_step(chapter, inner.key)
            assert [step.key for step in part.steps] == [inner.key]
        lines += [f"# {key}: {len(tops)} of {len(chapter.steps)}", whole]
        for format in ("text", "typst"):
            lines.append(f"{format}: {len(copied(format, chapter, colors))}")
    approved.holds("copied_chapters.txt", "\n".join(lines) + "\n")
