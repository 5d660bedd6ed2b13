"""Invalid samples of saved runs."""

import numpy as np
import pytest

from mechstudio.files import runs
from mechstudio.files.runs import RunUnreadable

TABLE = np.arange(12.0).reshape(4, 3)


def test_a_table_comes_back(tmp_path):
    np.save(tmp_path / "0007.npy", TABLE)
    assert (runs.samples(tmp_path, 7) == TABLE).all()


@pytest.mark.parametrize(
    "other",
    [TABLE.astype(np.float32), TABLE.astype(int), TABLE.ravel(), TABLE[None], np.float64(3.0)],
    ids=["of half the digits", "of integers", "in a row", "in a block", "one number"],
)
def test_saved_runs_without_a_table_of_numbers_are_refused(tmp_path, other):
    """Rows of another kind would be shown as a motion that never was."""
    np.save(tmp_path / "0007.npy", other)
    with pytest.raises(RunUnreadable, match="saved run 7 are no table of numbers"):
        runs.samples(tmp_path, 7)


def test_damaged_samples_say_what_is_wrong_with_them(tmp_path):
    (tmp_path / "0007.npy").write_bytes(b"")
    with pytest.raises(RunUnreadable, match=r"saved run 7 cannot be read: No data left in file\.$"):
        runs.samples(tmp_path, 7)
