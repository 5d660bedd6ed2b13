"""Values of the view and of its processes are frozen."""

import pytest

from tests.frozen import changeable


@pytest.mark.parametrize("floor", ["view", "worker"])
def test_nothing_can_be_changed(floor):
    assert not list(changeable(floor))
