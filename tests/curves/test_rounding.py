"""Numbers of analyses as people read them."""

import math

import numpy as np

from mechstudio.curves.tables import without_rounding
from mechstudio.model.types.analyses import ANALYSES

DIMENSIONS = ("time", "force", "force", "moment")


def test_numbers_that_are_only_rounding_beside_others_of_their_dimension_are_zero():
    rows = np.array([[0.0, 2e3, 1e-11, 1e-11], [1e-12, -3e-10, 3e-10, -4e-24]])
    assert without_rounding("reactions", DIMENSIONS, rows).tolist() == [
        [0.0, 2e3, 0.0, 1e-11],
        [1e-12, -3e-10, 3e-10, -4e-24],
    ]
    rows[1, 3] = -0.9e-24
    assert without_rounding("reactions", DIMENSIONS, rows)[1].tolist() == [1e-12, -3e-10, 3e-10, 0]


def test_numbers_that_are_unknown_or_infinite_zero_no_other():
    rows = np.array([[0.0, math.inf, 5.0, 1.0], [1.0, math.nan, 1e-14, 2.0]])
    shown = without_rounding("reactions", DIMENSIONS, rows)
    assert shown[0].tolist() == [0.0, math.inf, 5.0, 1.0]
    assert math.isnan(shown[1, 1]) and shown[1, 2] == 0.0


def test_small_numbers_stay_in_tables_where_they_are_no_zeros():
    minute = next(what for what, of in ANALYSES.items() if of.minute)
    rows = np.array([[1.0, 1e-20]])
    assert without_rounding(minute, ("force", "force"), rows).tolist() == [[1.0, 1e-20]]
    assert without_rounding("reactions", DIMENSIONS, np.zeros((0, 4))).shape == (0, 4)
