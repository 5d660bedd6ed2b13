"""Length up to which rows and entries of equations are written out."""

import pytest

from mechstudio.model.equations.term_lengths import readable


@pytest.mark.parametrize(
    ("sizes", "length"),
    [
        ([], 60),
        # 400 terms together
        ([100] * 4, 100),
        ([61] * 6 + [34], 61),
        # more than that: what has 60 terms stands there all the same, and no longer one
        ([61] * 6 + [35], 60),
        ([60] * 7 + [61], 60),
        ([101] * 4, 60),
        # the short ones first
        ([300, 90, 10, 10], 90),
    ],
)
def test_short_rows_are_written_out_and_400_terms_of_longer_ones(sizes, length):
    assert readable(sizes) == length
