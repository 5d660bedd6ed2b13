"""The size of a mechanism, which every picture and tolerance is measured by."""

import math

import pytest

from mechstudio.model.mechanism import Body, Mechanism, Placement
from mechstudio.model.quantity import vector


def at(*places):
    return Mechanism(
        {
            f"b{n}": Body(
                f"b{n}", f"b{n}", (), Placement(vector(x, 0.0, 0.0), vector(0.0, 0.0, 0.0))
            )
            for n, x in enumerate(places)
        }
    )


def test_size_is_the_largest_extent():
    assert at(-1.0, 2.0).size() == 3.0 and at().size() == at(5.0).size() == 1.0


@pytest.mark.parametrize(
    "places",
    [(-1.5e308, 1.5e308), (math.nan, 0.0), (0.0, math.nan), (math.inf, 0.0), (math.inf, math.inf)],
)
def test_size_of_degenerate_drawings_is_one(places):
    assert at(*places).size() == 1.0
