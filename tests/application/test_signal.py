"""Listeners hear all, also where another one fails."""

import pytest

from mechstudio.application.signal import Signal


def test_a_listener_that_raises_does_not_stop_the_others():
    heard, signal = [], Signal()

    def fails(value):
        raise ZeroDivisionError(value)

    for listener in (heard.append, fails, heard.append):
        signal.connect(listener)
    with pytest.raises(ZeroDivisionError, match="3"):
        signal.emit(3)
    assert heard == [3, 3]
    signal.connect(fails)
    with pytest.raises(ExceptionGroup) as group:
        signal.emit(4)
    assert heard == [3, 3, 4, 4] and len(group.value.exceptions) == 2
