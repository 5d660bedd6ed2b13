"""Whether a run keeps what must stay constant."""

import numpy as np
import pytest

from mechstudio.application.readings import course
from mechstudio.model.analysis import Conserved

ALONG_X, ABOUT_Z = Conserved("momentum along X", (0, 0, 0, 1, 0, 0)), Conserved("angular momentum about Z", (0, 0, 1, 0, 0, 0))


@pytest.mark.parametrize("constant, column", [(ALONG_X, 0), (ABOUT_Z, 5)])
def test_a_constant_is_kept_or_not(constant, column):
    rows = np.random.default_rng(1).normal(size=(50, 6))
    rows[:, column] = 2.5
    assert course(constant, rows) == (2.5, 0.0, True)
    # drift by a thousandth of the momentum
    rows[:, column] += np.linspace(0, 2.5e-3, 50)
    value, change, kept = course(constant, rows)
    assert value == 2.5 and change == pytest.approx(2.5e-3) and kept is False


def test_of_nothing_nothing_is_said():
    assert course(ALONG_X, np.zeros((5, 6)))[2] is None
