"""Kinds of entries of a project file: what is not as it must be is refused by its name."""

import pytest

from mechstudio.files.format.entry_types import NUMBER, NotUnderstood, many, row


@pytest.mark.parametrize("json", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0], [], 3.0, "abc", {"0": 1.0}])
def test_a_row_is_a_list_of_so_many_numbers(json):
    with pytest.raises(NotUnderstood, match='"position" is not a row of 3 numbers'):
        row(NUMBER, 3).read(json, "position")


def test_a_row_that_fits_is_read_and_written():
    assert row(NUMBER, 3).read([1.0, 2.0, 3.0], "position") == (1.0, 2.0, 3.0)
    assert row(NUMBER, 3).write((1.0, 2.0, 3.0)) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("json", ["abc", 3.0, {"0": 1.0}])
def test_many_entries_are_a_list(json):
    with pytest.raises(NotUnderstood, match='"points" is not a list'):
        many(NUMBER).read(json, "points")
