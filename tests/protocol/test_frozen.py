"""Messages between processes are frozen."""

from tests.frozen import changeable


def test_nothing_can_be_changed():
    assert not list(changeable("protocol"))
