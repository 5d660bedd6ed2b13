"""ms.branches as a script uses it."""

import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder


def test_branches_by_name_with_progress():
    project = ms.load(sample_folder() / "slider_crank.mech")
    shares = []
    found = ms.branches(project, "A", progress=shares.append)
    assert len(found.branches) == 2 and found.turns == 1 and found.problem == ""
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_joint_that_is_not_there():
    with pytest.raises(KeyError, match="There is no joint Q"):
        ms.branches(ms.load(sample_folder() / "slider_crank.mech"), "Q")
