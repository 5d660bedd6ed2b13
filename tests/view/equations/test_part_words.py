"""Words beside and below each part of the equations, of blocks made by hand."""

from types import SimpleNamespace

import pytest

from mechstudio.view.equations import parts
from mechstudio.view.equations.parts import TITLES, form_of, note_of, remark_of, zero_rows


def block(*rows, terms=0):
    """A block with rows of zeros, where a row has 0, and other entries."""
    entries = [[SimpleNamespace(is_zero=not e) for e in row] for row in rows]
    is_zero = not any(e for row in rows for e in row)
    return SimpleNamespace(rows=entries, is_zero=is_zero, term_count=terms)


def equations(named=(), **blocks):
    lists = {
        "coordinates": ("a", "b", "c"),
        "intermediates": named,
        "definitions": (),
        "parameters": ("L1",),
    }
    return SimpleNamespace(
        **lists,
        lines=lists.get,
        blocks=tuple(blocks),
        block=lambda part: blocks[part],
    )


@pytest.mark.parametrize(
    ("part", "made", "note"),
    [
        ("rows", None, ""),
        ("coordinates", None, "3"),
        ("intermediates", None, "2"),
        ("definitions", None, "0"),
        ("parameters", None, "1"),
        ("C", block([1]), "1 row"),
        ("C", block([1], [1]), "2 rows"),
        ("C", block([1], [0], [0]), "3 rows, 2 of them 0 = 0"),
        ("M", block([1, 0], [0, 1], [1, 1]), "3 × 2"),
        ("C_q", block([1, 0, 0]), "1 × 3"),
        ("M", block([0, 0]), "zero"),
        ("g", block([0]), "zero"),
        ("g", block([1], terms=1), "1 term"),
        ("tau", block([1], terms=7), "7 terms"),
    ],
)
def test_the_note_counts_what_a_part_holds(part, made, note):
    assert part in TITLES
    blocks = {} if made is None else {part: made}
    assert note_of(equations(("x", "y"), **blocks), part) == note


@pytest.mark.parametrize(
    ("part", "made", "remark"),
    [
        ("g", block([0]), ""),
        ("C", block([1], [1]), ""),
        ("C", block([0]), "Row 1 is zero in every position"),
        ("C_q", block([1, 0], [0, 0]), "Row 2 is zero in every position"),
        ("C", block([0], [1], [0], [0]), "Rows 1, 3 and 4 are zero"),
        ("C", block([0], [0]), "All rows are zero"),
    ],
)
def test_rows_that_are_zero_are_explained(part, made, remark):
    found = remark_of(equations(**{part: made}), part)
    assert found.startswith(remark) and bool(found) == bool(remark)
    assert "hyperstaticity" in found or not remark


def test_zero_rows_count_from_one_and_need_all_entries():
    assert zero_rows(block([0, 0], [0, 1], [1, 0], [0, 0])) == [1, 4]


def test_long_equations_name_their_form(monkeypatch):
    many = tuple(map(str, range(parts.MOST_INTERMEDIATES)))
    assert remark_of(equations(many), "intermediates") == ""
    assert remark_of(equations((*many, "x")), "intermediates").startswith("The first 1000 of them")
    assert form_of(equations(("x", "y"))).startswith("Recursive form: 2 named intermediates")
    for cut, blocks in ((False, {"M": block([1])}), (True, {})):
        monkeypatch.setattr(parts, "is_cut", lambda e, part, cut=cut: cut)
        assert form_of(equations(**blocks)) == ""
    monkeypatch.setattr(parts, "row_sizes", lambda e: [(10, 2), (30, 0)])
    words = form_of(equations(M=block([1])))
    assert words.startswith("Closed form of 42 terms") and f'<a href="{parts.RECURSIVE}">' in words
