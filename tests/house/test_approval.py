"""Approved texts: what counts as a difference."""

import pytest

from tests import approval


@pytest.mark.parametrize(
    ("stored", "now", "alike"),
    [
        ("angle 1.25 rad", "angle 1.25 rad", True),
        ("angle 1.25 rad", "angle 1.26 rad", True),
        ("angle 1.25 rad", "angle 1.27 rad", False),
        ("angle 1.25 rad", "speed 1.25 rad", False),
        ("(1.00 -0.00) e-1", "(1.00 0.00) e-1", True),
        ("(1.00 -0.00) e-1", "(1.00 -0.00) e-2", False),
        ("x = 0.30000000000000004", "x = 0.3", True),
        ("2 bodies", "3 bodies", False),
        ("residual 5.3e-17", "residual 1.2e-16", True),
        ("-2 by counting", "2 by counting", False),
    ],
)
def test_numbers_may_differ_by_their_last_digit(stored, now, alike):
    assert approval.same(stored, now) is alike


def test_differences_name_their_lines():
    assert approval.different("a\nb\n", "a\nc\nd\n") == [
        "line 2:\n  - b\n  + c",
        "line 3:\n  - \n  + d",
        "3 lines before, 4 now",
    ]


def test_what_was_not_approved_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(approval, "FOLDER", tmp_path)
    approval.Approved(True).holds("words.txt", "two words\n")
    approval.Approved(False).holds("words.txt", "two words\n")
    with pytest.raises(pytest.fail.Exception, match=r"words\.txt is not as approved"):
        approval.Approved(False).holds("words.txt", "too words\n")


def test_what_agrees_stays_as_it_was_approved(monkeypatch, tmp_path):
    monkeypatch.setattr(approval, "FOLDER", tmp_path)
    approval.Approved(True).holds("rows.txt", "x: -0.00\ny: 1.00\n")
    approval.Approved(True).holds("rows.txt", "x: 0.00\ny: 3.00\n")
    assert (tmp_path / "rows.txt").read_text() == "x: -0.00\ny: 3.00\n"
    approval.Approved(True).holds("rows.txt", "x: 0.00\n")
    assert (tmp_path / "rows.txt").read_text() == "x: 0.00\n"
