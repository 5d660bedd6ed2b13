"""Chapters and proofs of a lecture as Unicode text for a terminal."""

from collections.abc import Sequence

from mechstudio.model.equations.lecture import FORMULAS, Chapter, Proof
from mechstudio.model.equations.terms import Block
from mechstudio.symbolic.printers.text import name, total

_MARKS = {
    "exact": "=",
    "at a random point": "≈",
    "by numbers": "~",
    "not proven": "?",
    "different": "≠",
}


def chapter_text(chapter: Chapter) -> str:
    """A chapter, step by step; parts of a step are indented."""
    lines = [chapter.title, "=" * len(chapter.title)]
    if chapter.refusal:
        lines += ["", chapter.refusal]
    for step in chapter.steps:
        indent = "  " * step.depth
        lines += [
            "",
            f"{indent}{step.title}" + (f"   {FORMULAS[step.formula].text}" if step.formula else ""),
        ]
        lines += [f"{indent}  {s}" for s in step.sentences]
        for e in step.equations:
            lines.append(
                f"{indent}  {total(e.left.terms)} = {total(e.right.terms)}"
                + (f"   ({e.label})" if e.label else "")
            )
        for b in step.blocks:
            lines += [f"{indent}  {line}" for line in block_lines(b)]
    return "\n".join(lines) + "\n"


def block_lines(b: Block) -> list[str]:
    """A matrix entry by entry, rows that are zero in one line."""
    letter = name(b.name) if b.name is not None else b.heading
    if b.is_zero:
        return [f"{letter} = 0"]
    out = []
    for i, row in enumerate(b.rows):
        label = f"   ({b.labels[i]})" if i < len(b.labels) else ""
        if all(c.is_zero for c in row):
            out.append(f"{letter}[{i + 1}{',:' if len(row) > 1 else ''}] = 0{label}")
            continue
        for j, cell in enumerate(row):
            if not cell.is_zero:
                place = f"{i + 1}" if len(row) == 1 else f"{i + 1},{j + 1}"
                out.append(f"{letter}[{place}] = {total(cell.terms)}{label}")
    return out


def proofs_text(proofs: Sequence[Proof]) -> str:
    """One line per claim: its mark, how it was proven, and the difference where there is one."""
    lines = []
    for p in proofs:
        lines.append(f"{_MARKS[p.how]} {p.claim}  [{p.how}]  {p.detail}".rstrip())
        for b in p.difference:
            lines += [f"    {line}" for line in block_lines(b)]
    return "\n".join(lines) + "\n"
